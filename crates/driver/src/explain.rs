//! The explanations behind diagnostic codes.

use vergo_goto::property::{ByDefault, PropertyId};
use vergo_source::Code;

use crate::codes::DRIVER_CODES;

/// The tables of all crates, in the order of their codes.
fn tables() -> [&'static [Code]; 6] {
    [
        vergo_arrays::codes::CODES,
        vergo_automata::codes::CODES,
        vergo_cfront::codes::CODES,
        vergo_cfront::sema::codes::CODES,
        DRIVER_CODES,
        vergo_lower::codes::LOWER_CODES,
    ]
}

/// All diagnostic codes, in ascending order.
#[must_use]
pub fn all_codes() -> Vec<Code> {
    let mut codes: Vec<Code> = tables().into_iter().flatten().copied().collect();
    codes.sort();
    codes
}

/// Explains a code or the id of a property; `None` if there is no such. Case does not matter.
#[must_use]
pub fn explain(id: &str) -> Option<String> {
    if let Some(property) = PropertyId::from_id(&id.to_ascii_lowercase()) {
        return Some(explain_property(property));
    }
    let code = all_codes().into_iter().find(|code| code.id().eq_ignore_ascii_case(id))?;
    let mut text = format!("{}: {}\n\n", code.id(), code.title());
    for paragraph in code.explanation().split("\n\n") {
        wrap(paragraph, &mut text);
        text.push('\n');
    }
    text.pop();
    Some(text)
}

/// Explains a property.
fn explain_property(property: PropertyId) -> String {
    let info = property.info();
    let default = match info.by_default {
        ByDefault::On => "It is checked unless other properties are named.".to_owned(),
        ByDefault::Off => format!("It is checked where it is asked for: --property {}.", info.id),
    };
    let cwe = info.cwe.map(|cwe| format!(" It is CWE-{cwe}.")).unwrap_or_default();
    let mut text = format!("{}: {}\n\n", info.id, info.title);
    let what = "The property is violated by an execution in which this happens;";
    let how = "the report shows the values there and the steps on the way.";
    wrap(&format!("{what} {how}{cwe} {default}"), &mut text);
    text
}

/// Appends a paragraph in lines of at most 80 characters; indented lines stay as they are.
fn wrap(paragraph: &str, text: &mut String) {
    if paragraph.lines().any(|line| line.starts_with("    ")) {
        text.push_str(paragraph);
        text.push('\n');
        return;
    }
    let mut column = 0;
    for word in paragraph.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > 80 {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let codes = all_codes();
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
        for code in codes {
            let digits = &code.id()[1..];
            assert!(code.id().starts_with(|c: char| c.is_ascii_uppercase()), "{code}");
            assert!(digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()), "{code}");
            assert!(!code.title().is_empty() && !code.title().ends_with('.'), "{code}");
            assert!(code.explanation().ends_with(['.', '`', ':']), "{code}");
            let text = explain(&code.id().to_lowercase()).unwrap();
            assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        }
        assert_eq!(explain("X9999"), None);
    }
}

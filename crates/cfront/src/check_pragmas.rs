//! `#pragma CPROVER check`: which checks a proof turns off for which part of the text.
//!
//! `push` and `pop` keep and restore the checks; `disable "NAME"` and `enable "NAME"` change one, from there to the end of the unit
//! or to the `pop`. The names are CBMC's; what they mean is not known here.

use crate::ast::Ast;
use std::collections::BTreeMap;
use vergo_source::{SourceMap, Span};

/// A part of the text in which a check is off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DisabledCheck {
    /// The text.
    pub text: Span,
    /// The name of the check, as the pragma gives it.
    pub name: String,
    /// The pragma.
    pub pragma: Span,
}

/// Where checks are off in a unit that ends at `end`.
pub fn disabled_checks(ast: &Ast, sources: &SourceMap, end: u32) -> Vec<DisabledCheck> {
    let mut found = Vec::new();
    // The checks that are off, each with the pragma that turned it off.
    let mut off: BTreeMap<String, Span> = BTreeMap::new();
    let mut kept: Vec<BTreeMap<String, Span>> = Vec::new();
    let mut since = 0;
    let mut close = |off: &BTreeMap<String, Span>, from: u32, to: u32| {
        found.extend(off.iter().map(|(name, &pragma)| {
            let text = Span::new(from, to);
            DisabledCheck { text, name: name.clone(), pragma }
        }));
    };
    for pragma in &ast.pragmas {
        let text = String::from_utf8_lossy(sources.span_text(pragma.span)).into_owned();
        let text = match pragma.operator {
            true => {
                let inner = text.trim_start_matches('L').strip_prefix('"');
                let inner = inner.and_then(|inner| inner.strip_suffix('"'));
                inner.unwrap_or_default().replace("\\\"", "\"")
            }
            false => text,
        };
        let mut words = text.split_whitespace();
        if (words.next(), words.next()) != (Some("CPROVER"), Some("check")) {
            continue;
        }
        let (action, name) = (words.next(), words.next().map(|word| word.trim_matches('"')));
        close(&off, since, pragma.span.lo);
        since = pragma.span.hi;
        match (action, name) {
            (Some("push"), _) => kept.push(off.clone()),
            (Some("pop"), _) => off = kept.pop().unwrap_or_default(),
            (Some("disable"), Some(name)) => {
                off.insert(name.to_owned(), pragma.span);
            }
            (Some("enable"), Some(name)) => {
                off.remove(name);
            }
            _ => {}
        }
    }
    close(&off, since, end);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, parse};
    use vergo_source::Diagnostics;

    /// The names of the checks that are off at each `int`.
    fn off(text: &str) -> Vec<String> {
        let mut map = SourceMap::new();
        let file = map.add("f.c", text.as_bytes().to_vec()).expect("room");
        let ast = parse(&mut map, file, &Options::default(), &mut Diagnostics::new());
        let all = disabled_checks(&ast, &map, u32::MAX);
        let base = map.span(file, 0, 0).lo;
        let at = |(offset, _)| {
            let at = base + u32::try_from(offset).expect("small");
            let inside = all.iter().filter(|one| one.text.lo <= at && at < one.text.hi);
            inside.map(|one| one.name.as_str()).collect::<Vec<_>>().join(",")
        };
        text.match_indices("int ").map(at).collect()
    }

    #[test]
    fn pragmas_nest() {
        let text = "int a;\n#pragma CPROVER check push\n#pragma CPROVER check disable \"pointer\"\nint b;\n\
                    #pragma CPROVER check disable \"bounds\"\nint c;\n#pragma CPROVER check enable \"pointer\"\nint d;\n\
                    #pragma CPROVER check pop\nint e;\n#pragma CPROVER other\nint f;\n\
                    _Pragma(\"CPROVER check disable \\\"bounds\\\"\")\nint g;";
        assert_eq!(off(text), ["", "pointer", "bounds,pointer", "bounds", "", "", "bounds"]);
    }
}

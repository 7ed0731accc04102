//! The text of a program up to what does not matter to its executions: what a cache looks programs up by.
//!
//! The entry comes first and then what it mentions, directly or not, in the order of mention; what nobody mentions is left out. Names
//! are numbers in the order of mention, since they depend on what stands elsewhere in the files, or can be changed; those of
//! functions without a body stay, because such a function is known by its name. So are the numbers of choices. Texts that
//! only reports show, such as how a variable is called in C and what a claim says, are left out.
//!
//! Two programs with the same canonical text are the same but for names: numbers are given out one to one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    /// A name, a number, a keyword.
    Word(&'a str),
    /// A text in quotes.
    Text(&'a str),
    /// Anything else that is no blank.
    Sign(&'a str),
}

impl<'a> Token<'a> {
    fn text(self) -> &'a str {
        match self {
            Token::Word(text) | Token::Text(text) | Token::Sign(text) => text,
        }
    }
}

/// A definition on the highest level.
struct Item<'a> {
    tokens: Vec<Token<'a>>,
    /// Where its name stands.
    name_at: usize,
    /// True if it is known by its name.
    keeps_name: bool,
}

/// The canonical form of a program's text.
pub(super) fn canonical(text: &str) -> String {
    let mut items: Vec<Item<'_>> = Vec::new();
    let mut heads: Vec<Vec<Token<'_>>> = Vec::new();
    for part in parts(text) {
        let tokens = tokens(part);
        match name_of(&tokens) {
            Some(name_at) => {
                let keeps_name = tokens.first() == Some(&Token::Word("extern"));
                items.push(Item { tokens, name_at, keeps_name });
            }
            // How many choices there are depends on all files.
            None if tokens.first() == Some(&Token::Word("sites")) => {}
            None => heads.push(tokens),
        }
    }
    // A structure and a function can have the same name.
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        by_name.entry(item.tokens[item.name_at].text()).or_default().push(index);
    }
    let mut writer = Writer { names: BTreeMap::new(), sites: BTreeMap::new(), out: String::new() };
    // Items in the order of mention, and which have been mentioned.
    let mut queue: Vec<usize> = Vec::new();
    let mut is_queued = vec![false; items.len()];
    let mention = |tokens: &[Token<'_>], queue: &mut Vec<usize>, is_queued: &mut Vec<bool>| {
        for token in tokens {
            for &index in by_name.get(bare(token.text())).into_iter().flatten() {
                if !is_queued[index] {
                    is_queued[index] = true;
                    queue.push(index);
                }
            }
        }
    };
    for head in &heads {
        mention(head, &mut queue, &mut is_queued);
        writer.write(head, &items, &by_name, None);
    }
    let mut next = 0;
    while let Some(&index) = queue.get(next) {
        next += 1;
        let item = &items[index];
        mention(&item.tokens, &mut queue, &mut is_queued);
        writer.write(&item.tokens, &items, &by_name, Some(item.name_at));
    }
    writer.out
}

struct Writer<'a> {
    /// The numbers of names.
    names: BTreeMap<&'a str, usize>,
    /// The numbers of choices.
    sites: BTreeMap<&'a str, usize>,
    out: String,
}

impl<'a> Writer<'a> {
    /// Writes tokens; `named` is where the name of an item stands.
    fn write(
        &mut self,
        tokens: &[Token<'a>],
        items: &[Item<'a>],
        by_name: &BTreeMap<&str, Vec<usize>>,
        named: Option<usize>,
    ) {
        let mut locals: BTreeSet<&str> = BTreeSet::new();
        let is_declared =
            |at: usize| at > 0 && matches!(tokens[at - 1], Token::Word("local" | "param" | "let"));
        let is_for_reports = |before: usize| {
            named == Some(before) || is_declared(before) || matches!(tokens[before], Token::Text(_))
        };
        let declared = tokens.iter().enumerate().filter(|&(at, _)| is_declared(at));
        locals.extend(declared.map(|(_, token)| token.text()));
        // A choice's number is in parentheses behind its type.
        let mut in_choice = false;
        for (at, &token) in tokens.iter().enumerate() {
            let name = bare(token.text());
            match token {
                // What a variable is called in C, and what a claim says.
                Token::Text(_) if at > 0 && is_for_reports(at - 1) => continue,
                Token::Sign(")") => {
                    in_choice = false;
                    self.out.push(')');
                }
                Token::Word(number)
                    if in_choice
                        && at > 0
                        && tokens[at - 1] == Token::Sign("(")
                        && number.bytes().all(|byte| byte.is_ascii_digit()) =>
                {
                    let next = self.sites.len();
                    let _ = write!(self.out, "{}", self.sites.entry(number).or_insert(next));
                }
                Token::Word("#nondet") => {
                    in_choice = true;
                    self.out.push_str("#nondet");
                }
                _ => {
                    let is_local = locals.contains(name);
                    let named = by_name.get(name);
                    let keeps =
                        named.is_some_and(|all| all.iter().any(|&one| items[one].keeps_name));
                    let is_member = at > 0 && tokens[at - 1] == Token::Sign(".");
                    if is_member || !is_local && (named.is_none() || keeps) {
                        self.out.push_str(token.text());
                    } else {
                        let next = self.names.len();
                        let number = *self.names.entry(name).or_insert(next);
                        let prefix = &token.text()[..token.text().len() - name.len()];
                        let _ = write!(self.out, "{prefix}%{number}");
                    }
                }
            }
            self.out.push(' ');
        }
        self.out.push('\n');
    }
}

/// A name without the sign of an address.
fn bare(word: &str) -> &str {
    match word.strip_prefix('@') {
        Some(rest)
            if !rest.starts_with(|first: char| first.is_ascii_digit()) && !rest.is_empty() =>
        {
            rest
        }
        _ => word,
    }
}

/// Definitions of the highest level: lines that do not begin with a blank, and what follows until the brace.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('\n');
        if rest.is_empty() {
            return None;
        }
        let line_end = rest.find('\n').unwrap_or(rest.len());
        let end = match rest[..line_end].ends_with('{') {
            true => rest.find("\n}").map_or(rest.len(), |at| at + 2),
            false => line_end,
        };
        let (part, after) = rest.split_at(end);
        rest = after;
        Some(part)
    })
}

/// Where the name of a definition stands; none for what is no definition.
fn name_of(tokens: &[Token<'_>]) -> Option<usize> {
    let is_keyword = |token: &Token<'_>| {
        matches!(
            token,
            Token::Word(
                "extern"
                    | "static"
                    | "const"
                    | "thread_local"
                    | "function"
                    | "struct"
                    | "union"
                    | "let"
            )
        )
    };
    let n_keywords = tokens.iter().take_while(|token| is_keyword(token)).count();
    (n_keywords > 0 && n_keywords < tokens.len()).then_some(n_keywords)
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_word = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'#') || byte >= 0x80
    };
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => at += 1,
            quote @ (b'"' | b'\'' | b'`') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                let text = &text[start..at];
                tokens.push(if quote == b'"' { Token::Text(text) } else { Token::Word(text) });
            }
            byte if is_word(byte) => {
                // Names have `::` and `.` in them.
                while at < bytes.len()
                    && (is_word(bytes[at])
                        || bytes[at..].starts_with(b"::")
                        || (bytes[at] == b':' && bytes[at - 1] == b':'))
                {
                    at += 1;
                }
                tokens.push(Token::Word(&text[start..at]));
            }
            _ => {
                at += 1;
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                tokens.push(Token::Sign(&text[start..at]));
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "machine 64 x87 16 wide 8;
sites 2;
entry start;
struct s size 4 align 4 {
    a: i32 @0;
}
static x: i32[4] align 4;

extern function gone: fn(struct s*) -> i32 {
    param gone::p \"p\": struct s* align 8;
}

function start: fn() -> void {
    local $t1 \"\": i32 align 4;
    $t1 := #nondet<i32>(1);
    assert $t1 < 4i32 \"user.assert\" \"t is small\" cwe 119;
    x[$t1] := 3i32;
    call put();
    end 0i32;
}

function put: fn() -> void {
    return;
}
";

    #[test]
    fn what_does_not_matter_is_left_out() {
        let small = canonical(SMALL);
        let same = |from: &str, to: &str| {
            assert!(SMALL.contains(from), "{from}");
            assert_eq!(canonical(&SMALL.replace(from, to)), small, "{from}");
        };
        same("$t1", "$t17");
        same("(1)", "(5)");
        same("sites 2", "sites 9");
        same("t is small", "t is less than four");
        same("@0;", "@8;");
        same("gone", "another");
        same("put", "set");
        same("static x", "static unused: u8 align 1;\nstatic x");
        assert!(!small.contains("gone"), "{small}");
    }

    #[test]
    fn what_matters_stays() {
        let small = canonical(SMALL);
        let other = |from: &str, to: &str| {
            assert!(SMALL.contains(from), "{from}");
            assert_ne!(canonical(&SMALL.replace(from, to)), small, "{from}");
        };
        other("3i32", "4i32");
        other("< 4i32", "<= 4i32");
        other("user.assert", "reach.error");
        other("i32[4]", "i32[5]");
        other("    return;", "    call gone();\n    return;");
        other("x[$t1]", "x[0i32]");
        // A function without a body is known by its name.
        let calls = SMALL.replace("    return;", "    call gone();\n    return;");
        assert_ne!(canonical(&calls), canonical(&calls.replace("gone", "another")));
    }
}

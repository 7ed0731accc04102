//! Mutated inputs for robustness tests.
//!
//! A mutation takes a well-formed text and damages it: bytes flipped, text cut off, tokens
//! swapped, doubled, dropped or replaced, and constructs nested far deeper than anyone writes.
//! Half-right inputs reach parts of a parser that noise never does.

use crate::Rng;

/// Bytes that are special to a lexer.
const BYTES: &[u8] = b"\0\n\r\t \"'\\#%/*<>(){}[];,.0x9eEpPuUL_\x7f\x80\xc0\xff";

/// Tokens that are special to a parser.
const TOKENS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "?",
    "*",
    "&",
    "...",
    "->",
    "=",
    "+=",
    "<<=",
    "++",
    "--",
    "!",
    "~",
    "#",
    "##",
    "<:",
    "%>",
    "&&",
    "if",
    "else",
    "while",
    "do",
    "for",
    "switch",
    "case",
    "default",
    "goto",
    "break",
    "continue",
    "return",
    "int",
    "char",
    "void",
    "long",
    "unsigned",
    "float",
    "double",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "sizeof",
    "_Alignof",
    "_Alignas(16)",
    "_Generic(1,default:2)",
    "_Static_assert(1,\"\")",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Thread_local",
    "inline",
    "register",
    "auto",
    "typeof(1)",
    "__attribute__((packed))",
    "__attribute__",
    "__asm__(\"\")",
    "__extension__",
    "__builtin_va_arg",
    "__builtin_offsetof(struct s,x)",
    "__label__ l;",
    "0",
    "1",
    "0x",
    "1e",
    "0b2",
    "08",
    "1.0f",
    "0x1p-3",
    "18446744073709551616",
    "'a'",
    "''",
    "L'x'",
    "\"s\"",
    "u8\"\\x\"",
    "\"",
    "'",
    "/*",
    "//",
    "\\\n",
    "x",
    "int x;",
    "x:",
    "(int){0}",
    "({1;})",
    ".x=",
    "[0]=",
    "[0 ... 9]=",
    "__int128",
    "_Float128",
    "int x:3;",
];

/// Things that can be nested, as they open, and close.
const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("(int)", ""),
    ("-", ""),
    ("!", ""),
    ("*", ""),
    ("&*", ""),
    ("sizeof ", ""),
    ("x?", ":1"),
    ("1?2:", ""),
    ("x=", ""),
    ("f(", ")"),
    ("a[", "]"),
    ("({", ";})"),
    ("(int){", "}"),
    ("if(1)", ""),
    ("if(1);else ", ""),
    ("while(1)", ""),
    ("for(;;)", ""),
    ("do ", " while(0);"),
    ("switch(1)", ""),
    ("case 1:", ""),
    ("l:", ""),
    ("struct{", "}x;"),
    ("union{", "};"),
    ("enum{a=", "}"),
    ("int(*", ")(void)"),
    ("int x[", "]"),
    ("int f(", ")"),
    ("typeof(", ")"),
    ("_Generic(1,default:", ")"),
    ("__attribute__((", "))"),
    ("_Atomic(", ")"),
    ("sizeof(int[", "])"),
    ("1+", ""),
    ("1,", ""),
    ("a.b", ""),
    ("x->y", ""),
    ("\"s\"", ""),
    ("__extension__ ", ""),
    ("{.x=", "}"),
    ("{[0]=", "}"),
];

/// A source of mutated inputs.
#[derive(Clone, Debug)]
pub struct Mutator {
    rng: Rng,
    /// The length that no input exceeds by more than one mutation.
    pub longest: usize,
    /// The depth of nesting that is reached now and then.
    pub deepest: usize,
}

impl Mutator {
    /// The mutator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Mutator {
        Mutator { rng: Rng::new(seed), longest: 64 * 1024, deepest: 20_000 }
    }

    /// A damaged copy of one of the seeds.
    pub fn next(&mut self, seeds: &[&[u8]]) -> Vec<u8> {
        if seeds.is_empty() {
            return self.nested();
        }
        let mut text = self.rng.choose(seeds).to_vec();
        if text.len() > self.longest {
            // A window of a long seed is an input like any other.
            let start = self.rng.below(text.len() - self.longest);
            text = text[start..start + self.longest].to_vec();
        }
        for _ in 0..self.rng.between(1, 6) {
            self.mutate(&mut text, seeds);
        }
        text
    }

    /// An input that is nested deeply, with or without its ends.
    pub fn nested(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        for _ in 0..self.rng.between(1, 3) {
            let depth = self.depth();
            self.push_nest(&mut text, depth);
        }
        let (head, tail) = *self.rng.choose(&[
            ("", ""),
            ("int x = ", ";"),
            ("void f(void) {", "}"),
            ("void f(void) { x = ", "; }"),
            ("struct s { ", "};"),
            ("int ", " x;"),
        ]);
        [head.as_bytes(), &text, tail.as_bytes()].concat()
    }

    fn depth(&mut self) -> usize {
        if self.rng.one_in(8) { self.deepest } else { self.rng.between(1, 300) }
    }

    fn push_nest(&mut self, text: &mut Vec<u8>, depth: usize) {
        let (open, close) = *self.rng.choose(NESTS);
        text.extend(open.as_bytes().repeat(depth));
        if self.rng.one_in(2) {
            text.extend_from_slice(b"1");
        }
        if !self.rng.one_in(4) {
            text.extend(close.as_bytes().repeat(depth));
        }
    }

    fn mutate(&mut self, text: &mut Vec<u8>, seeds: &[&[u8]]) {
        match self.rng.below(12) {
            0 => {
                for _ in 0..self.rng.between(1, 8) {
                    if let Some(at) = self.place(text) {
                        text[at] ^= 1 << self.rng.below(8);
                    }
                }
            }
            1 => {
                if let Some(at) = self.place(text) {
                    text[at] = *self.rng.choose(BYTES);
                }
            }
            2 => text.truncate(self.rng.below(text.len() + 1)),
            3 => {
                let range = self.range(text, 200);
                text.drain(range);
            }
            4 => {
                let range = self.range(text, 200);
                let copy = text[range].to_vec();
                let at = self.rng.below(text.len() + 1);
                text.splice(at..at, copy);
            }
            5 => {
                let depth = self.depth();
                let mut nest = Vec::new();
                self.push_nest(&mut nest, depth);
                let at = self.boundary(text);
                text.splice(at..at, nest);
            }
            6 => {
                let other = *self.rng.choose(seeds);
                let range = self.range(other, 400);
                let at = self.boundary(text);
                text.splice(at..at, other[range].iter().copied());
            }
            7 => {
                let at = self.rng.below(text.len() + 1);
                let n = self.rng.between(1, 16);
                let noise: Vec<u8> = (0..n).map(|_| self.rng.bits() as u8).collect();
                text.splice(at..at, noise);
            }
            _ => self.mutate_tokens(text),
        }
    }

    /// Swaps, doubles, drops, inserts or replaces tokens.
    fn mutate_tokens(&mut self, text: &mut Vec<u8>) {
        let spans = tokens(text);
        if spans.is_empty() {
            text.extend_from_slice(self.rng.choose(TOKENS).as_bytes());
            return;
        }
        for _ in 0..self.rng.between(1, 3) {
            let spans = tokens(text);
            if spans.is_empty() {
                return;
            }
            let (start, end) = spans[self.rng.below(spans.len())];
            match self.rng.below(5) {
                0 => {
                    text.drain(start..end);
                }
                1 => {
                    let copy = text[start..end].to_vec();
                    text.splice(end..end, copy);
                }
                2 => {
                    let token = *self.rng.choose(TOKENS);
                    text.splice(start..end, padded(token));
                }
                3 => {
                    let token = *self.rng.choose(TOKENS);
                    text.splice(end..end, padded(token));
                }
                _ => {
                    let (other_start, other_end) = spans[self.rng.below(spans.len())];
                    if other_start >= end {
                        let first = text[start..end].to_vec();
                        let second = text[other_start..other_end].to_vec();
                        text.splice(other_start..other_end, first);
                        text.splice(start..end, second);
                    }
                }
            }
        }
    }

    fn place(&mut self, text: &[u8]) -> Option<usize> {
        (!text.is_empty()).then(|| self.rng.below(text.len()))
    }

    fn range(&mut self, text: &[u8], longest: usize) -> std::ops::Range<usize> {
        let start = self.rng.below(text.len() + 1);
        let end = (start + self.rng.below(longest)).min(text.len());
        start..end
    }

    /// A place between two tokens.
    fn boundary(&mut self, text: &[u8]) -> usize {
        let spans = tokens(text);
        if spans.is_empty() { 0 } else { spans[self.rng.below(spans.len())].0 }
    }
}

fn padded(token: &str) -> impl Iterator<Item = u8> {
    std::iter::once(b' ').chain(token.bytes()).chain(std::iter::once(b' '))
}

/// Rough tokens: words, numbers and strings in one piece, other characters one by one.
fn tokens(text: &[u8]) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        at += 1;
        if text[start].is_ascii_whitespace() {
            continue;
        }
        if word(&text[start]) {
            at += text[at..].iter().take_while(|b| word(b)).count();
        } else if text[start] == b'"' {
            let rest = text[at..].iter().take_while(|&&b| b != b'"' && b != b'\n').count();
            at = (at + rest + 1).min(text.len());
        }
        spans.push((start, at));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_differ_and_repeat() {
        let seeds: &[&[u8]] = &[b"int main(void) { return \"a b\"[0] + x1; }", b"", b"\xff\n"];
        let mutants = |seed| -> Vec<Vec<u8>> {
            let mut mutator = Mutator::new(seed);
            (0..300).map(|_| mutator.next(seeds)).collect()
        };
        assert_eq!(mutants(1), mutants(1));
        assert_ne!(mutants(1), mutants(2));
        let longest = mutants(1).iter().map(Vec::len).max();
        assert!(longest > Some(10_000), "deep nesting is reached: {longest:?}");
        let mut mutator = Mutator::new(3);
        mutator.longest = 10;
        assert!(mutator.next(&[&[b'a'; 1000]]).len() < 1_000_000);
        assert!(!Mutator::new(4).next(&[]).is_empty());
    }

    #[test]
    fn rough_tokens() {
        let text = b"ab = \"c d\" 'x";
        let words: Vec<&[u8]> = tokens(text).iter().map(|&(a, b)| &text[a..b]).collect();
        assert_eq!(words, [&b"ab"[..], b"=", b"\"c d\"", b"'", b"x"]);
    }
}

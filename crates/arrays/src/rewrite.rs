//! New text for spans of a file, from the inside out.
//!
//! A rule renders the parts of a construct, in which the rules for them have already left their text, and puts the result
//! in place of the whole. [`vergo_cfront::edit`] collects edits that do not overlap; here the outer ones take the inner
//! ones in, which loops inside of loops need.
//!
//! Text is a string with one character for each byte, so that any byte of a literal survives.

use std::collections::BTreeMap;
use vergo_source::Span;

/// Rewritten text.
#[derive(Debug)]
pub(crate) struct Rewrites {
    /// The bytes of the file as characters.
    text: Vec<char>,
    start: u32,
    /// New text by where the old one begins and ends; an insertion has an empty span and comes first.
    new: BTreeMap<(u32, u32), String>,
}

impl Rewrites {
    pub(crate) fn new(file: Span, text: &[u8]) -> Rewrites {
        Rewrites {
            text: text.iter().map(|&byte| char::from(byte)).collect(),
            start: file.lo,
            new: BTreeMap::new(),
        }
    }

    /// Puts text in place of a span and of all that was put in place of parts of it.
    pub(crate) fn replace(&mut self, span: Span, text: impl Into<String>) {
        let inner: Vec<(u32, u32)> = self
            .new
            .range((span.lo, 0)..(span.hi, 0))
            .map(|(&key, _)| key)
            .filter(|&(_, hi)| hi <= span.hi)
            .collect();
        for key in inner {
            self.new.remove(&key);
        }
        self.new.insert((span.lo, span.hi), text.into());
    }

    /// Puts text at a position, behind what was put there before.
    pub(crate) fn insert(&mut self, position: u32, text: &str) {
        self.new.entry((position, position)).or_default().push_str(text);
    }

    /// The text of a span as it is now.
    pub(crate) fn render(&self, span: Span) -> String {
        let mut out = String::new();
        let mut at = span.lo;
        for (&(lo, hi), text) in self.new.range((span.lo, 0)..(span.hi, 0)) {
            if lo < at || hi > span.hi {
                continue;
            }
            out.extend(&self.text[(at - self.start) as usize..(lo - self.start) as usize]);
            out.push_str(text);
            at = hi;
        }
        out.extend(&self.text[(at - self.start) as usize..(span.hi - self.start) as usize]);
        out
    }

    /// The text of a span as it was.
    pub(crate) fn original(&self, span: Span) -> String {
        self.text[(span.lo - self.start) as usize..(span.hi - self.start) as usize].iter().collect()
    }
}

/// Text as bytes again.
pub(crate) fn to_bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_text_takes_inner_text_in() {
        let file = Span::new(10, 20);
        let mut all = Rewrites::new(file, b"0123456789");
        all.replace(Span::new(12, 14), "b");
        assert_eq!(all.render(Span::new(11, 15)), "1b4");
        all.insert(11, "!");
        let outer = all.render(Span::new(11, 15));
        assert_eq!(outer, "!1b4");
        all.replace(Span::new(11, 15), format!("<{outer}>"));
        assert_eq!(all.render(file), "0<!1b4>56789");
        assert_eq!(all.original(file), "0123456789");
    }

    #[test]
    fn all_bytes_survive() {
        let bytes: Vec<u8> = (0..=255).collect();
        let file = Span::new(0, 256);
        assert_eq!(to_bytes(&Rewrites::new(file, &bytes).render(file)), bytes);
    }
}

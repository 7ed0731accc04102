//! Span-based edits of source text: every byte that no edit names stays as it was.
//!
//! Edits are collected against the original text in any order and applied at once. What is inserted at one place has a
//! defined order, so that tools which wrap expressions and add statements can work without knowing of each other. At a
//! position, from left to right:
//!
//! 1. what was inserted after spans that end there, inner spans first;
//! 2. what was inserted at the position itself;
//! 3. what was inserted before spans that start there, outer spans first.
//!
//! For one span, insertions keep the order in which they were made, and wrappings stand inside of them, the later
//! around the earlier: after `wrap(e, "(", ")")` and `wrap(e, "[", "]")` the text is `[(e)]`.
//!
//! ```
//! use vergo_cfront::edit::Edits;
//! use vergo_source::SourceMap;
//!
//! let mut map = SourceMap::new();
//! let file = map.add("a.c", "x = a + b;\n").unwrap();
//! let mut edits = Edits::new(map.file_span(file));
//! let sum = map.span(file, 4, 9);
//! edits.wrap(sum, "check(", ")");
//! edits.insert_before(map.span(file, 0, 10), "/* 1 */ ");
//! edits.replace(map.span(file, 8, 9), "c");
//! assert_eq!(edits.apply(map.text(file)).unwrap(), b"/* 1 */ x = check(a + c);\n");
//! ```

use std::fmt;
use vergo_source::Span;

/// Edits of one file.
#[derive(Clone, Debug)]
pub struct Edits {
    file: Span,
    insertions: Vec<Insertion>,
    replacements: Vec<Replacement>,
}

#[derive(Clone, Debug)]
struct Insertion {
    position: u32,
    side: Side,
    /// The span to which the text belongs, empty for insertions at a position.
    span: Span,
    is_wrap: bool,
    text: String,
}

/// Where an insertion stands among those at one position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Side {
    After,
    At,
    Before,
}

#[derive(Clone, Debug)]
struct Replacement {
    span: Span,
    text: String,
}

/// The reason why edits cannot be applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditError {
    /// The span is not inside the file.
    Outside(Span),
    /// The text is not as long as the file of the edits.
    WrongText,
    /// Two replacements overlap, or an insertion is inside of a replacement (the first span).
    Overlap(Span, Span),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Outside(span) => {
                write!(f, "the edit at {}..{} is outside of the file", span.lo, span.hi)
            }
            EditError::WrongText => write!(f, "the text is not that of the edited file"),
            EditError::Overlap(a, b) => {
                write!(f, "the edits at {}..{} and {}..{} overlap", a.lo, a.hi, b.lo, b.hi)
            }
        }
    }
}

impl std::error::Error for EditError {}

impl Edits {
    /// No edits yet, of the file with this span ([`SourceMap::file_span`](vergo_source::SourceMap::file_span)).
    pub fn new(file: Span) -> Edits {
        Edits { file, insertions: Vec::new(), replacements: Vec::new() }
    }

    /// Returns whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.insertions.is_empty() && self.replacements.is_empty()
    }

    /// Inserts before a span.
    pub fn insert_before(&mut self, span: Span, text: impl Into<String>) {
        self.insert(span.lo, Side::Before, span, false, text.into());
    }

    /// Inserts after a span.
    pub fn insert_after(&mut self, span: Span, text: impl Into<String>) {
        self.insert(span.hi, Side::After, span, false, text.into());
    }

    /// Inserts at a position that belongs to no span.
    pub fn insert_at(&mut self, position: u32, text: impl Into<String>) {
        self.insert(position, Side::At, Span::at(position), false, text.into());
    }

    /// Puts text around a span; nested spans give nested texts.
    pub fn wrap(&mut self, span: Span, before: impl Into<String>, after: impl Into<String>) {
        self.insert(span.lo, Side::Before, span, true, before.into());
        self.insert(span.hi, Side::After, span, true, after.into());
    }

    /// Replaces the text of a span; an empty span is an insertion at its position.
    pub fn replace(&mut self, span: Span, text: impl Into<String>) {
        if span.is_empty() {
            self.insert_at(span.lo, text);
        } else {
            self.replacements.push(Replacement { span, text: text.into() });
        }
    }

    /// Returns whether the text of exactly this span is replaced.
    pub fn replaces(&self, span: Span) -> bool {
        self.replacements.iter().any(|replacement| replacement.span == span)
    }

    /// Removes the text of a span.
    pub fn delete(&mut self, span: Span) {
        if !span.is_empty() {
            self.replace(span, "");
        }
    }

    fn insert(&mut self, position: u32, side: Side, span: Span, is_wrap: bool, text: String) {
        self.insertions.push(Insertion { position, side, span, is_wrap, text });
    }

    /// The text with all edits made. Fails, with nothing done, if they contradict each other.
    pub fn apply(&self, original: &[u8]) -> Result<Vec<u8>, EditError> {
        if original.len() as u64 != u64::from(self.file.len()) {
            return Err(EditError::WrongText);
        }
        let spans = self.insertions.iter().map(|insertion| insertion.span);
        for span in spans.chain(self.replacements.iter().map(|replacement| replacement.span)) {
            if span.lo < self.file.lo || span.hi > self.file.hi || span.lo > span.hi {
                return Err(EditError::Outside(span));
            }
        }
        let insertions = self.ordered_insertions();
        let mut replacements: Vec<&Replacement> = self.replacements.iter().collect();
        replacements.sort_by_key(|replacement| replacement.span);
        for pair in replacements.windows(2) {
            if pair[0].span.hi > pair[1].span.lo {
                return Err(EditError::Overlap(pair[0].span, pair[1].span));
            }
        }
        let added = self.insertions.iter().map(|insertion| insertion.text.len()).sum::<usize>();
        let mut out = Vec::with_capacity(original.len() + added);
        let mut position = self.file.lo;
        let mut pending = insertions.into_iter().peekable();
        let copy = |out: &mut Vec<u8>, from: u32, to: u32| {
            out.extend_from_slice(
                &original[(from - self.file.lo) as usize..(to - self.file.lo) as usize],
            );
        };
        for replacement in replacements {
            let span = replacement.span;
            while let Some(insertion) = pending.next_if(|insertion| insertion.position <= span.lo) {
                copy(&mut out, position, insertion.position);
                position = insertion.position;
                out.extend_from_slice(insertion.text.as_bytes());
            }
            copy(&mut out, position, span.lo);
            out.extend_from_slice(replacement.text.as_bytes());
            position = span.hi;
            if let Some(insertion) = pending.peek()
                && insertion.position < span.hi
            {
                return Err(EditError::Overlap(span, insertion.span));
            }
        }
        for insertion in pending {
            copy(&mut out, position, insertion.position);
            position = insertion.position;
            out.extend_from_slice(insertion.text.as_bytes());
        }
        copy(&mut out, position, self.file.hi);
        Ok(out)
    }

    /// The insertions from left to right.
    fn ordered_insertions(&self) -> Vec<&Insertion> {
        let mut order: Vec<(usize, &Insertion)> = self.insertions.iter().enumerate().collect();
        order.sort_by_key(|&(sequence, insertion)| {
            let sequence = sequence as i64;
            // Distance from the text of the span, and from the start of the line-up.
            let (width, rank) = match (insertion.side, insertion.is_wrap) {
                (Side::After, true) => (i64::from(insertion.span.len()), (0, sequence)),
                (Side::After, false) => (i64::from(insertion.span.len()), (1, sequence)),
                (Side::At, _) => (0, (0, sequence)),
                (Side::Before, false) => (-i64::from(insertion.span.len()), (0, sequence)),
                (Side::Before, true) => (-i64::from(insertion.span.len()), (1, -sequence)),
            };
            (insertion.position, insertion.side, width, rank)
        });
        order.into_iter().map(|(_, insertion)| insertion).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: u32 = 10;

    fn file(len: usize) -> Span {
        Span::new(START, START + len as u32)
    }

    fn at(lo: u32, hi: u32) -> Span {
        Span::new(START + lo, START + hi)
    }

    fn applied(text: &str, edits: &Edits) -> String {
        String::from_utf8(edits.apply(text.as_bytes()).expect("edits that agree")).expect("text")
    }

    #[test]
    fn insertions_at_one_place_are_ordered() {
        let text = "a+b";
        let mut edits = Edits::new(file(3));
        edits.insert_before(at(0, 3), "1");
        edits.insert_before(at(0, 3), "2");
        edits.wrap(at(0, 3), "(", ")");
        edits.wrap(at(0, 3), "[", "]");
        edits.wrap(at(0, 1), "<", ">");
        edits.wrap(at(2, 3), "{", "}");
        edits.insert_at(START + 1, "!");
        edits.insert_after(at(0, 3), "3");
        edits.insert_after(at(0, 3), "4");
        assert_eq!(applied(text, &edits), "12[(<a>!+{b})]34");
    }

    #[test]
    fn replacements_keep_insertions_at_their_borders() {
        let mut edits = Edits::new(file(5));
        edits.replace(at(1, 4), "XY");
        edits.wrap(at(1, 4), "(", ")");
        edits.insert_after(at(0, 1), "-");
        edits.insert_before(at(4, 5), "+");
        assert_eq!(applied("abcde", &edits), "a-(XY)+e");
    }

    #[test]
    fn contradictions_are_errors() {
        let mut edits = Edits::new(file(5));
        edits.replace(at(0, 3), "x");
        edits.replace(at(2, 4), "y");
        assert_eq!(edits.apply(b"abcde"), Err(EditError::Overlap(at(0, 3), at(2, 4))));
        let mut edits = Edits::new(file(5));
        edits.replace(at(0, 3), "x");
        edits.insert_at(START + 1, "y");
        assert_eq!(edits.apply(b"abcde"), Err(EditError::Overlap(at(0, 3), at(1, 1))));
        let mut edits = Edits::new(file(5));
        edits.insert_before(at(4, 9), "y");
        assert_eq!(edits.apply(b"abcde"), Err(EditError::Outside(at(4, 9))));
        assert_eq!(Edits::new(file(5)).apply(b"abc"), Err(EditError::WrongText));
    }

    /// Spans that nest: a random binary tree over `0..len`.
    fn nested(len: u32) -> impl Strategy<Value = Vec<Span>> {
        proptest::collection::vec(any::<u32>(), 1..40).prop_map(move |cuts| {
            let mut spans = vec![at(0, len)];
            let mut leaves = vec![(0, len)];
            for cut in cuts {
                let index = cut as usize % leaves.len();
                let (lo, hi) = leaves[index];
                if hi - lo < 2 {
                    spans.push(at(lo, hi));
                    continue;
                }
                let middle = lo + 1 + (cut / 64) % (hi - lo - 1);
                leaves[index] = (lo, middle);
                leaves.push((middle, hi));
                spans.push(at(lo, middle));
                spans.push(at(middle, hi));
            }
            spans
        })
    }

    proptest! {
        #[test]
        fn wrapping_nests((spans, seed) in (nested(24), any::<u64>())) {
            let text = "abcdefghijklmnopqrstuvwx";
            let mut edits = Edits::new(file(text.len()));
            // The order of the calls matters for equal spans only.
            let mut order: Vec<usize> = (0..spans.len()).collect();
            let rotate = (seed % order.len() as u64) as usize;
            order.rotate_left(rotate);
            for &i in &order {
                edits.wrap(spans[i], "(", ")");
            }
            let result = applied(text, &edits);
            prop_assert_eq!(result.replace(['(', ')'], ""), text);
            // Matching brackets enclose exactly the spans.
            let mut stack = Vec::new();
            let mut seen = Vec::new();
            let mut position = 0;
            for c in result.chars() {
                match c {
                    '(' => stack.push(position),
                    ')' => seen.push(at(stack.pop().expect("balanced"), position)),
                    _ => position += 1,
                }
            }
            prop_assert!(stack.is_empty());
            seen.sort();
            let mut expected = spans.clone();
            expected.sort();
            prop_assert_eq!(seen, expected);
        }

        #[test]
        fn other_bytes_stay(
            cuts in proptest::collection::vec((0u32..60, 0u32..4, 0u32..3), 0..30),
            text in "[a-z \n]{60,90}",
        ) {
            // Disjoint replacements and insertions in random order; inserted text is upper case.
            let len = text.len() as u32;
            let mut edits = Edits::new(file(text.len()));
            let mut replaced = vec![false; text.len()];
            for (lo, width, kind) in cuts {
                let hi = (lo + width).min(len);
                match kind {
                    0 if lo < hi && !replaced[lo as usize..hi as usize].contains(&true) => {
                        replaced[lo as usize..hi as usize].fill(true);
                        edits.replace(at(lo, hi), "R");
                    }
                    1 => edits.insert_at(START + lo, "I"),
                    2 => edits.wrap(at(lo, hi), "W", "V"),
                    _ => {}
                }
            }
            if let Ok(result) = edits.apply(text.as_bytes()) {
                let kept: Vec<u8> = result.into_iter().filter(|byte| !byte.is_ascii_uppercase()).collect();
                let expected: Vec<u8> =
                    text.bytes().zip(&replaced).filter(|&(_, &gone)| !gone).map(|(byte, _)| byte).collect();
                prop_assert_eq!(kept, expected);
            }
        }

        #[test]
        fn order_of_calls_does_not_matter_for_disjoint_edits(
            marks in proptest::collection::btree_map(0u32..40, "[A-Z]{0,3}", 0..20),
            reverse in any::<bool>(),
        ) {
            let text = "0123456789012345678901234567890123456789";
            let mut calls: Vec<_> = marks.iter().collect();
            if reverse {
                calls.reverse();
            }
            let mut edits = Edits::new(file(text.len()));
            for (&position, mark) in calls {
                edits.replace(at(position, position + 1), mark.as_str());
            }
            // The oracle edits from the right, so that positions stay valid.
            let mut expected = text.to_owned();
            for (&position, mark) in marks.iter().rev() {
                expected.replace_range(position as usize..position as usize + 1, mark);
            }
            prop_assert_eq!(applied(text, &edits), expected);
        }
    }
}

//! Diagnostic codes: stable names of what can be wrong, each with an explanation.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The entry of a [`Code`].
#[derive(Debug)]
pub struct CodeInfo {
    /// The stable name, a letter for the component and four digits.
    pub id: &'static str,
    /// One line.
    pub title: &'static str,
    /// A paragraph or more for `vergo explain`.
    pub explanation: &'static str,
}

/// A diagnostic's code; see [`codes!`](crate::codes) for how to declare some.
#[derive(Clone, Copy)]
pub struct Code(&'static CodeInfo);

impl Code {
    /// The code that an entry of a table stands for.
    #[must_use]
    pub const fn new(info: &'static CodeInfo) -> Code {
        Code(info)
    }

    /// The stable name.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// Returns the mistake, in one line.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// Returns the meaning, and what to do about it.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        self.0.explanation
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Code) -> Ordering {
        self.id().cmp(other.id())
    }
}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

/// Returns whether the ids of a table are strictly ascending; [`codes!`](crate::codes) asserts it
/// while compiling, so that a code is never declared twice and is easily found.
#[must_use]
pub const fn ids_are_sorted(ids: &[&str]) -> bool {
    let mut i = 1;
    while i < ids.len() {
        let (a, b) = (ids[i - 1].as_bytes(), ids[i].as_bytes());
        let mut j = 0;
        while j < a.len() && j < b.len() && a[j] == b[j] {
            j += 1;
        }
        let less = j < b.len() && (j == a.len() || a[j] < b[j]);
        if !less {
            return false;
        }
        i += 1;
    }
    true
}

/// Declares a table of diagnostic codes, in ascending order of their ids:
///
/// ```
/// vergo_source::codes! {
///     /// Codes of the lexer.
///     pub LEXER_CODES;
///     STRAY_BYTE = "C0001", "stray byte in the source",
///         "The byte is part of no token. Outside of comments, characters and strings, C knows \
///          the letters, digits, blanks and punctuation of its basic character set.";
///     OPEN_COMMENT = "C0002", "comment without an end", "A `/*` needs a `*/`.";
/// }
/// assert_eq!(LEXER_CODES.len(), 2);
/// assert_eq!(OPEN_COMMENT.id(), "C0002");
/// ```
#[macro_export]
macro_rules! codes {
    (
        $(#[$meta:meta])*
        $vis:vis $table:ident;
        $($name:ident = $id:literal, $title:literal, $explanation:expr;)*
    ) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            $vis const $name: $crate::Code = $crate::Code::new(&$crate::CodeInfo {
                id: $id,
                title: $title,
                explanation: $explanation,
            });
        )*
        $(#[$meta])*
        $vis static $table: &[$crate::Code] = &[$($name),*];
        const _: () = assert!(
            $crate::ids_are_sorted(&[$($id),*]),
            "diagnostic codes must be in ascending order"
        );
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_ids() {
        assert!(ids_are_sorted(&[]));
        assert!(ids_are_sorted(&["C0001", "C0002", "C0010", "D"]));
        assert!(ids_are_sorted(&["C", "C0"]));
        assert!(!ids_are_sorted(&["C0001", "C0001"]));
        assert!(!ids_are_sorted(&["C0002", "C0001"]));
        assert!(!ids_are_sorted(&["C0", "C"]));
    }
}

//! The most likely intention: near names, missing headers, C++.

use super::scope::Meaning;
use super::{Parser, Reported};
use crate::codes;
use crate::intern::Symbol;
use crate::token::TokenKind;
use vergo_source::{Diagnostic, Span};

/// Types of the standard library and of POSIX with the headers that declare them.
const HEADERS: &[(&str, &str)] = &[
    ("DIR", "dirent.h"),
    ("FILE", "stdio.h"),
    ("clock_t", "time.h"),
    ("div_t", "stdlib.h"),
    ("fpos_t", "stdio.h"),
    ("int16_t", "stdint.h"),
    ("int32_t", "stdint.h"),
    ("int64_t", "stdint.h"),
    ("int8_t", "stdint.h"),
    ("intmax_t", "stdint.h"),
    ("intptr_t", "stdint.h"),
    ("jmp_buf", "setjmp.h"),
    ("mbstate_t", "wchar.h"),
    ("off_t", "sys/types.h"),
    ("pid_t", "sys/types.h"),
    ("pthread_cond_t", "pthread.h"),
    ("pthread_mutex_t", "pthread.h"),
    ("pthread_t", "pthread.h"),
    ("ptrdiff_t", "stddef.h"),
    ("sem_t", "semaphore.h"),
    ("sig_atomic_t", "signal.h"),
    ("size_t", "stddef.h"),
    ("ssize_t", "sys/types.h"),
    ("time_t", "time.h"),
    ("uint16_t", "stdint.h"),
    ("uint32_t", "stdint.h"),
    ("uint64_t", "stdint.h"),
    ("uint8_t", "stdint.h"),
    ("uintmax_t", "stdint.h"),
    ("uintptr_t", "stdint.h"),
    ("va_list", "stdarg.h"),
    ("wchar_t", "stddef.h"),
    ("wint_t", "wchar.h"),
];

/// Keywords of C++ that are names in C, with what they begin.
const CPLUSPLUS: &[(&str, &str)] = &[
    ("catch", "`catch`"),
    ("class", "a class"),
    ("const_cast", "`const_cast`"),
    ("decltype", "`decltype`"),
    ("delete", "`delete`"),
    ("dynamic_cast", "`dynamic_cast`"),
    ("explicit", "`explicit`"),
    ("friend", "`friend`"),
    ("mutable", "`mutable`"),
    ("namespace", "a namespace"),
    ("new", "`new`"),
    ("noexcept", "`noexcept`"),
    ("operator", "an overloaded operator"),
    ("private", "an access specifier"),
    ("protected", "an access specifier"),
    ("public", "an access specifier"),
    ("reinterpret_cast", "`reinterpret_cast`"),
    ("static_cast", "`static_cast`"),
    ("template", "a template"),
    ("throw", "`throw`"),
    ("try", "`try`"),
    ("typename", "`typename`"),
    ("using", "`using`"),
    ("virtual", "`virtual`"),
];

/// The number of unknown types that get a search for near names, which looks at all types.
const MAX_SUGGESTIONS: u32 = 20;

impl Parser<'_> {
    /// Reports a name that stands where a type is expected, and takes it for a type from then on.
    pub(super) fn unknown_type(&mut self, name: Symbol, span: Span) {
        if let Some((_, what)) = self.cplusplus_word(name) {
            self.cplusplus(span, what);
            return;
        }
        let text = self.ast.names.name(name).to_owned();
        let mut diagnostic =
            Diagnostic::error(codes::UNKNOWN_TYPE, span, format!("unknown type name `{text}`"));
        if self.scopes.meaning(name) == Meaning::Object {
            diagnostic = diagnostic.note(format!("`{text}` is declared, but not as a type"));
        } else if let Ok(index) = HEADERS.binary_search_by_key(&&text[..], |row| row.0) {
            let header = HEADERS[index].1;
            diagnostic = diagnostic.help(format!(
                "`{text}` is declared in <{header}>; include it and preprocess the file"
            ));
        } else if let Some(near) = self.near_type(&text) {
            diagnostic = diagnostic.help(format!("there is a type of a similar name: `{near}`"));
        } else if self.ast.items.is_empty() {
            diagnostic =
                diagnostic.help("is a header missing, or has the file not been preprocessed?");
        }
        self.report(diagnostic);
        if self.scopes.meaning(name) == Meaning::Unknown {
            self.scopes.poison(name);
        }
    }

    /// The type in scope whose name is nearest, if it is near enough to be meant.
    fn near_type(&mut self, name: &str) -> Option<String> {
        if self.n_suggestions >= MAX_SUGGESTIONS || name.len() > 64 {
            return None;
        }
        self.n_suggestions += 1;
        let limit = (name.len() / 3).max(1);
        let mut best: Option<(usize, Symbol)> = None;
        for symbol in self.scopes.types() {
            let candidate = self.ast.names.name(symbol);
            let bound = best.map_or(limit + 1, |(distance, _)| distance);
            if candidate.len().abs_diff(name.len()) < bound {
                let distance = edit_distance(name.as_bytes(), candidate.as_bytes());
                if distance < bound {
                    best = Some((distance, symbol));
                }
            }
        }
        best.map(|(_, symbol)| self.ast.names.name(symbol).to_owned())
    }

    fn cplusplus_word(&self, name: Symbol) -> Option<&'static (&'static str, &'static str)> {
        if self.scopes.meaning(name) != Meaning::Unknown {
            return None;
        }
        let text = self.ast.names.name(name);
        CPLUSPLUS.binary_search_by_key(&text, |row| row.0).ok().map(|index| &CPLUSPLUS[index])
    }

    /// Reports C++ and ends the parse: what follows would be a hundred messages about the same mistake.
    pub(super) fn cplusplus(&mut self, span: Span, what: &str) -> Reported {
        self.report(
            Diagnostic::error(
                codes::CPLUSPLUS,
                span,
                format!("{what} belongs to C++, and this is read as C"),
            )
            .help("Vergo verifies C; translate the program, or verify the part of it that is C"),
        );
        self.halt();
        Reported
    }

    /// Returns whether two adjacent colons stand `n` tokens ahead.
    pub(super) fn colons_ahead(&self, n: usize) -> bool {
        match (self.tokens.get(self.pos + n), self.tokens.get(self.pos + n + 1)) {
            (Some(first), Some(second)) => {
                first.kind == TokenKind::Colon
                    && second.kind == TokenKind::Colon
                    && first.hi() == second.lo
            }
            _ => false,
        }
    }

    /// If an error here comes from C++, reports that instead.
    pub(super) fn diagnose_cplusplus(&mut self) -> Option<Reported> {
        let here = self.token();
        if self.colons_ahead(0) {
            return Some(self.cplusplus(here.span(), "`::`"));
        }
        let before = self.pos.checked_sub(1).map(|index| self.tokens[index]);
        // `static_cast<int>` shows at what stands after the `<`.
        let cast = self.pos.checked_sub(2).map(|index| self.tokens[index]);
        let cast = cast.filter(|_| before.is_some_and(|token| token.kind == TokenKind::Lt));
        for token in [Some(here), before, cast].into_iter().flatten() {
            if token.kind == TokenKind::Ident
                && let Some((_, what)) = self.cplusplus_word(self.symbol(token))
            {
                return Some(self.cplusplus(token.span(), what));
            }
        }
        let before = before?;
        match (before.kind, here.kind) {
            // By now `template` is a declared name.
            (TokenKind::Ident, TokenKind::Lt)
                if self.ast.names.name(self.symbol(before)) == "template" =>
            {
                Some(self.cplusplus(before.span(), "a template"))
            }
            (TokenKind::Extern, TokenKind::String) => {
                Some(self.cplusplus(here.span(), "a linkage specification"))
            }
            (TokenKind::Ident, TokenKind::LBrace) if self.depth < 2 => {
                Some(self.cplusplus(here.span(), "an initialiser without `=`"))
            }
            _ => None,
        }
    }
}

/// The number of insertions, deletions and replacements that turn one text into the other.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(HEADERS.iter().map(|row| row.0).is_sorted());
        assert!(CPLUSPLUS.iter().map(|row| row.0).is_sorted());
    }

    #[test]
    fn distances() {
        assert_eq!(edit_distance(b"", b"abc"), 3);
        assert_eq!(edit_distance(b"size_t", b"sizet"), 1);
        assert_eq!(edit_distance(b"kitten", b"sitting"), 3);
    }
}

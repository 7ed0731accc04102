//! Tokens as text.

use super::place::Places;
use crate::lex;
use crate::options::Options;
use crate::token::{TokenKind, seeded_interner};
use std::fmt::Write;
use vergo_source::{Diagnostics, FileId, SourceMap};

/// The tokens of a file, one a line: position, kind and text. Pragmas follow at the end.
pub fn tokens(sources: &mut SourceMap, file: FileId, diags: &mut Diagnostics) -> String {
    let mut names = seeded_interner();
    let lexed = lex::lex(sources, file, &Options::default(), &mut names, diags);
    let mut out = String::new();
    let mut places = Places::new(sources);
    for token in &lexed.tokens {
        let place = places.text(token.lo);
        let kind = match token.kind {
            TokenKind::Eof
            | TokenKind::Ident
            | TokenKind::Number
            | TokenKind::Char
            | TokenKind::String => token.kind.text(),
            kind if kind.is_punctuator() => "punctuator",
            _ => "keyword",
        };
        // Writing to a string cannot fail.
        let _ = write!(out, "{place} {kind}");
        if token.kind != TokenKind::Eof {
            let _ = write!(out, " {}", sources.span_text(token.span()).escape_ascii());
        }
        out.push('\n');
    }
    for pragma in &lexed.pragmas {
        let place = places.text(pragma.span.lo);
        let text = sources.span_text(pragma.span).escape_ascii();
        let _ = writeln!(out, "{place} pragma {text}");
    }
    out
}

//! The machine form of diagnostics: plain structs, and JSON text without a dependency.

use std::fmt::Write;

use crate::diagnostic::Diagnostic;
use crate::map::{Location, SourceMap};
use crate::span::Span;

/// A diagnostic with its places resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonDiagnostic {
    /// The code's stable name.
    pub code: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The mistake.
    pub message: String,
    /// The primary place.
    pub location: JsonLabel,
    /// Further places.
    pub labels: Vec<JsonLabel>,
    /// Facts that help.
    pub notes: Vec<String>,
    /// The way to mend it.
    pub help: Option<String>,
}

/// A place with its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonLabel {
    /// Where it starts.
    pub start: Location,
    /// Where it ends, exclusively.
    pub end: Location,
    /// The remark on the place; empty for a primary place without a label.
    pub text: String,
}

impl JsonDiagnostic {
    /// Resolves the places of a diagnostic.
    #[must_use]
    pub fn new(map: &SourceMap, diagnostic: &Diagnostic) -> JsonDiagnostic {
        let label = |span: Span, text: &str| JsonLabel {
            start: map.presumed(span.lo),
            end: map.presumed(span.hi),
            text: text.to_owned(),
        };
        JsonDiagnostic {
            code: diagnostic.code.id(),
            severity: diagnostic.severity.word(),
            message: diagnostic.message.clone(),
            location: label(diagnostic.primary, ""),
            labels: diagnostic.labels.iter().map(|(span, text)| label(*span, text)).collect(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
        }
    }

    /// One line of JSON, with the keys in a fixed order.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        let _ = write!(
            out,
            "{{\"code\":{},\"severity\":{},\"message\":{},\"location\":",
            escape_json(self.code),
            escape_json(self.severity),
            escape_json(&self.message)
        );
        write_label(&mut out, &self.location);
        out.push_str(",\"labels\":[");
        for (index, label) in self.labels.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_label(&mut out, label);
        }
        out.push_str("],\"notes\":[");
        for (index, note) in self.notes.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            out.push_str(&escape_json(note));
        }
        out.push_str("],\"help\":");
        match &self.help {
            Some(help) => out.push_str(&escape_json(help)),
            None => out.push_str("null"),
        }
        out.push('}');
        out
    }
}

fn write_label(out: &mut String, label: &JsonLabel) {
    let _ = write!(
        out,
        "{{\"file\":{},\"line\":{},\"column\":{},\"end_line\":{},\"end_column\":{},\"text\":{}}}",
        escape_json(&label.start.file),
        label.start.line,
        label.start.column,
        label.end.line,
        label.end.column,
        escape_json(&label.text)
    );
}

/// A JSON string literal.
#[must_use]
pub fn escape_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

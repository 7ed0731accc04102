//! Diagnostics: what is wrong, where, why, and what to do about it.

use crate::code::Code;
use crate::span::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input is not a valid program.
    Error,
    /// The input is valid but doubtful.
    Warning,
    /// Nothing is wrong; the user may want to know.
    Note,
}

impl Severity {
    /// The word printed before the message.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// An assumption that whoever reports a diagnostic makes at its place, where C or the world leave something open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumed {
    /// A stable word for machines.
    pub id: &'static str,
    /// The assumption; with the message before it, a sentence for people.
    pub what: &'static str,
    /// True if the documented meaning of C includes it; otherwise no program is called correct because of it.
    pub is_documented: bool,
}

/// One message about the user's source, with its places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of mistake.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The mistake, in one sentence without a full stop.
    pub message: String,
    /// The place to look at first.
    pub primary: Span,
    /// Further places with what is to be seen there; a label whose span equals the primary one
    /// is written at the primary place.
    pub labels: Vec<(Span, String)>,
    /// Facts that help to understand the message.
    pub notes: Vec<String>,
    /// The way to mend it, where that is known.
    pub help: Option<String>,
    /// The assumption that is made here, if there is one.
    pub assumed: Option<Assumed>,
}

impl Diagnostic {
    /// A diagnostic with nothing but a place and a message.
    #[must_use]
    pub fn new(
        severity: Severity,
        code: Code,
        primary: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message: message.into(),
            primary,
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            assumed: None,
        }
    }

    /// An error.
    #[must_use]
    pub fn error(code: Code, primary: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, primary, message)
    }

    /// A warning.
    #[must_use]
    pub fn warning(code: Code, primary: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, primary, message)
    }

    /// A note that stands for itself.
    #[must_use]
    pub fn remark(code: Code, primary: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, code, primary, message)
    }

    /// Makes an assumption here that the documented meaning of C includes.
    #[must_use]
    pub fn assuming(mut self, id: &'static str, what: &'static str) -> Diagnostic {
        self.assumed = Some(Assumed { id, what, is_documented: true });
        self
    }

    /// Makes an assumption here that only the user can allow.
    #[must_use]
    pub fn assuming_if_allowed(mut self, id: &'static str, what: &'static str) -> Diagnostic {
        self.assumed = Some(Assumed { id, what, is_documented: false });
        self
    }

    /// Adds a label.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a label at the primary place.
    #[must_use]
    pub fn primary_label(self, text: impl Into<String>) -> Diagnostic {
        let primary = self.primary;
        self.label(primary, text)
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }
}

//! The front end's view of a document while it is edited.
//!
//! One thread reads documents, the newest version of each; versions that came and went while it was busy are never looked
//! at. Each is read from scratch by the same front end that verification uses, so that what is shown cannot depend on
//! the way to a text, only on the text.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};
use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location as Place, Message,
    Position, Range,
};
use vergo_driver::{Input, Job, View};
use vergo_source::{Severity, Span};

use crate::macros;
use crate::reading::{Open, Reading, Texts, files_of, has_c, path_of_location};
use crate::server::Event;
use crate::text::{Text, uri_of};

/// A version of a document that is to be looked at.
pub(crate) struct Asked {
    pub(crate) path: PathBuf,
    pub(crate) version: i32,
    pub(crate) open: Open,
    pub(crate) trusted: bool,
}

/// The analysis of a version of a document.
pub(crate) struct Analysed {
    pub(crate) path: PathBuf,
    pub(crate) version: i32,
    pub(crate) trusted: bool,
    pub(crate) text: Arc<Text>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The functions that it defines, and where their names are.
    pub(crate) functions: Vec<(String, Range)>,
    /// The files that were read for it.
    pub(crate) files: BTreeSet<PathBuf>,
    job: Job,
    view: Option<View>,
}

/// The meaning of a name.
pub(crate) struct Meaning {
    pub(crate) range: Range,
    pub(crate) declared: Option<(PathBuf, Range)>,
    pub(crate) markdown: String,
    /// The function that it is.
    pub(crate) function: Option<String>,
}

/// Looks at documents until nobody asks any more.
pub(crate) fn work(asked: &Receiver<Asked>, events: &Sender<Event>) {
    while let Ok(first) = asked.recv() {
        let mut newest = BTreeMap::from([(first.path.clone(), first)]);
        for next in asked.try_iter() {
            newest.insert(next.path.clone(), next);
        }
        for (_, asked) in newest {
            let work = AssertUnwindSafe(|| analyse(&asked));
            let analysed = catch_unwind(work).unwrap_or_else(|_| broken(&asked));
            if events.send(Event::Analysed(Box::new(analysed))).is_err() {
                return;
            }
        }
    }
}

/// Returns the analysis of a document on which the front end broke.
fn broken(asked: &Asked) -> Analysed {
    let text = asked.open.get(&asked.path).cloned().unwrap_or_default();
    let message = "internal error: this is a bug in Vergo, not in the program";
    let diagnostics = vec![plain(Range::default(), DiagnosticSeverity::Warning, message)];
    let (path, version, trusted) = (asked.path.clone(), asked.version, asked.trusted);
    Analysed {
        path,
        version,
        trusted,
        text,
        diagnostics,
        functions: Vec::new(),
        files: BTreeSet::new(),
        job: Job::default(),
        view: None,
    }
}

fn analyse(asked: &Asked) -> Analysed {
    let path = &asked.path;
    let text = asked.open.get(path).cloned().unwrap_or_default();
    let mut reading = Reading::of(path, &asked.open);
    let mut diagnostics = Vec::new();
    let mut view = None;
    let input = Input::File(path.clone());
    let mut functions = Vec::new();
    if !asked.trusted && reading.needs_preprocessor(path, &text) {
        diagnostics.push(plain(
            Range::default(),
            DiagnosticSeverity::Information,
            "The C preprocessor is not run, because the workspace is not trusted; nothing is known of this file.",
        ));
    } else {
        view = reading.job.view(&input);
    }
    let mut texts = Texts::new(&asked.open);
    let job = reading.job;
    diagnostics.extend(of_job(&job, path, &text, &mut texts));
    let name = path.to_string_lossy();
    if let Some(view) = &view {
        for function in view.functions(&job.map, &name) {
            let (from, to) =
                (job.map.presumed(function.span.lo), job.map.presumed(function.span.hi));
            functions.push((function.name, text.range(&from, &to)));
        }
    }
    Analysed {
        path: path.clone(),
        version: asked.version,
        trusted: asked.trusted,
        text,
        diagnostics,
        functions,
        files: files_of(&job),
        job,
        view,
    }
}

/// The diagnostics of a job at their places in a document.
fn of_job(job: &Job, path: &Path, text: &Text, texts: &mut Texts) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for diagnostic in job.diagnostics.sorted() {
        let severity = match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Information,
        };
        let mut message = diagnostic.message.clone();
        for note in &diagnostic.notes {
            message.push_str(&format!("\nnote: {note}"));
        }
        if let Some(help) = &diagnostic.help {
            message.push_str(&format!("\nhelp: {help}"));
        }
        let mut related = Vec::new();
        let mut range = Range::default();
        match place(job, diagnostic.primary, texts) {
            Some((at, there)) if at == path => range = there,
            Some((at, there)) => {
                // A mistake in a header is shown where the header is included.
                let includes = job.map.included_from(diagnostic.primary.lo);
                let own = includes
                    .iter()
                    .rev()
                    .find(|from| path_of_location(from).as_deref() == Some(path));
                if let Some(from) = own {
                    let start = text.position(from.line, 1);
                    let end = text.position(from.line, u32::MAX);
                    range = Range { start, end };
                }
                let location = Place { uri: uri_of(&at), range: there };
                related.push(DiagnosticRelatedInformation { location, message: message.clone() });
            }
            None => {}
        }
        for (span, label) in &diagnostic.labels {
            if let Some((at, range)) = place(job, *span, texts) {
                let location = Place { uri: uri_of(&at), range };
                related.push(DiagnosticRelatedInformation { location, message: label.clone() });
            }
        }
        let mut shown = plain(range, severity, &message);
        shown.code = Some(Code::String(diagnostic.code.id().to_owned()));
        shown.related_information = (!related.is_empty()).then_some(related);
        found.push(shown);
    }
    found
}

/// A diagnostic with nothing but a place, a severity and a text.
pub(crate) fn plain(range: Range, severity: DiagnosticSeverity, message: &str) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: None,
        code_description: None,
        source: Some("vergo".to_owned()),
        message: Message::String(message.to_owned()),
        tags: None,
        related_information: None,
        data: None,
    }
}

/// The file and the range of a span.
pub(crate) fn place(job: &Job, span: Span, texts: &mut Texts) -> Option<(PathBuf, Range)> {
    let (from, to) = (job.map.presumed(span.lo), job.map.presumed(span.hi));
    let path = path_of_location(&from)?;
    let range = texts.get(&path).range(&from, &to);
    Some((path, range))
}

impl Analysed {
    /// Returns the meaning of the name at a position: a macro that is written there, or the text that the preprocessor
    /// has put in its place.
    pub(crate) fn meaning(&self, position: Position, open: &Open) -> Option<Meaning> {
        let mut texts = Texts::new(open);
        self.macro_at(position, &mut texts).or_else(|| self.name_at(position, &mut texts))
    }

    fn macro_at(&self, position: Position, texts: &mut Texts) -> Option<Meaning> {
        self.view.as_ref().filter(|_| has_c(&self.path))?;
        let (name, range) = self.text.word(position)?;
        let at = (self.path.as_path(), position.line);
        let found = macros::definition(name, at, self.files.iter(), texts)?;
        let markdown = format!("```c\n{}\n```\n", found.text);
        Some(Meaning { range, declared: Some((found.path, found.range)), markdown, function: None })
    }

    fn name_at(&self, position: Position, texts: &mut Texts) -> Option<Meaning> {
        let (line, column) = self.text.line_column(position);
        let name = self.path.to_string_lossy();
        let found = self.view.as_ref()?.name_at(&self.job.map, &name, line, column)?;
        let (_, range) = place(&self.job, found.span, texts)?;
        let declared = place(&self.job, found.declared, texts);
        let notes: String = found.notes.iter().map(|note| format!("\n- `{note}`")).collect();
        let contract: String = found.contract.iter().map(|clause| format!("\n{clause}")).collect();
        let language = if has_c(&self.path) { "c" } else { "" };
        let markdown = format!("```{language}\n{}{contract}\n```\n{notes}", found.declaration);
        Some(Meaning { range, declared, markdown, function: found.function })
    }
}

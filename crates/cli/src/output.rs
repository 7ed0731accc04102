//! Printing and the exit status. Nothing else in the project prints.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use vergo_driver::{Failed, Job};
use vergo_source::Renderer;

/// When diagnostics are coloured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Default, Debug)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// The request was answered.
    Done,
    /// The program that was run ended with this status.
    Program(u8),
    /// A property is violated.
    False,
    /// Nothing is known.
    Unknown,
    /// The usage was wrong, or the input is not C.
    BadInput,
    /// A bug of ours.
    Internal,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Program(status) => status,
            Status::False => 10,
            Status::Unknown => 20,
            Status::BadInput => 2,
            Status::Internal => 70,
        })
    }
}

impl From<Failed> for Status {
    fn from(failure: Failed) -> Status {
        match failure {
            Failed::BadInput => Status::BadInput,
            Failed::Internal => Status::Internal,
        }
    }
}

/// Whether standard error is coloured; decided once, at the start.
static COLOR: AtomicBool = AtomicBool::new(false);

pub(crate) fn set_color(choice: ColorChoice) {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let color = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            io::stderr().is_terminal() && !set("NO_COLOR") && !dumb
        }
    };
    COLOR.store(color, Ordering::Relaxed);
}

/// Prints to standard output. A reader that has gone away, as in `| head`, is no error.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Status {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_ref()).and_then(|()| stdout.flush()) {
        Ok(()) => Status::Done,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Status::Done,
        Err(error) => {
            warn(&format!("cannot write to standard output: {error}"));
            Status::BadInput
        }
    }
}

/// Writes a file; `-` is standard output.
pub(crate) fn write(path: &Path, text: &[u8]) -> Status {
    if path.as_os_str() == "-" {
        return print(text);
    }
    match std::fs::write(path, text) {
        Ok(()) => Status::Done,
        Err(error) => {
            warn(&format!("cannot write `{}`: {error}", path.display()));
            Status::BadInput
        }
    }
}

/// Prints a line to standard error.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "vergo: {text}");
}

/// Prints lines to standard error as they are.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints the diagnostics of a job, and a line that counts them if there are errors.
pub(crate) fn diagnostics(job: &mut Job) {
    if job.diagnostics.is_empty() {
        return;
    }
    job.prepare_diagnostics();
    let color = COLOR.load(Ordering::Relaxed);
    let renderer = if color { Renderer::coloured() } else { Renderer::plain() };
    let text = renderer.render_all(&job.map, &job.diagnostics);
    let _ = io::stderr().write_all(text.as_bytes());
    let count = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let errors = count(job.diagnostics.error_count(), "error");
    let warnings = count(job.diagnostics.warning_count(), "warning");
    if let Some(errors) = errors {
        let warnings = warnings.map(|warnings| format!(" and {warnings}")).unwrap_or_default();
        warn(&format!("{errors}{warnings}"));
    }
}

/// Says that the tool is wrong, not the input.
pub(crate) fn internal_error() {
    warn("internal error: this is a bug in Vergo, not in the input");
}

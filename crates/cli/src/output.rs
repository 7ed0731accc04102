//! Printing and the exit status. Nothing else in the project prints.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::ValueEnum;
use vergo_driver::{Answer, CheckReport, Failed, Job};
use vergo_source::{Diagnostic, Renderer};

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

/// The end of a command.
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

impl Status {
    /// The exit status.
    pub(crate) fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Program(status) => status,
            Status::False => 10,
            Status::Unknown => 20,
            Status::BadInput => 2,
            Status::Internal => 70,
        }
    }
}

/// Returns the status of a check; reports what went wrong on the way.
pub(crate) fn verdict(report: &CheckReport) -> Status {
    for fault in &report.faults {
        warn(&format!("internal error: {fault}"));
    }
    match &report.answer {
        Answer::True => Status::Done,
        Answer::False(_) => Status::False,
        Answer::Unknown(_) if report.is_internal_error() => Status::Internal,
        Answer::Unknown(_) => Status::Unknown,
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
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

/// True if standard error is coloured; decided once, at the start.
static COLOR: AtomicBool = AtomicBool::new(false);
/// True if standard output is coloured.
static COLOR_STDOUT: AtomicBool = AtomicBool::new(false);

pub(crate) fn set_color(choice: ColorChoice) {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let color = |terminal: bool| match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            terminal && !set("NO_COLOR") && !dumb
        }
    };
    COLOR.store(color(io::stderr().is_terminal()), Ordering::Relaxed);
    COLOR_STDOUT.store(color(io::stdout().is_terminal()), Ordering::Relaxed);
}

/// Prints to standard output. A reader that has gone away, as in `| head`, is no error.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Status {
    without_transient();
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
    match replace(path, text) {
        Ok(()) => Status::Done,
        Err(error) => {
            warn(&format!("cannot write `{}`: {error}", path.display()));
            Status::BadInput
        }
    }
}

/// Writes a file beside its place and moves it there: a reader sees the old file or the new one, never a part.
fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return std::fs::write(path, text);
    }
    let temporary = beside(path);
    let written = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

/// Checks whether a path is something that is written to as it is, such as `/dev/null`: nothing may take its place.
fn is_special(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

/// A name for a file that becomes another one when it is complete.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Finds out whether a file can be written, before work is done for it.
pub(crate) fn can_write(path: &Path) -> Result<(), String> {
    if path.as_os_str() == "-" {
        return Ok(());
    }
    if path.is_dir() {
        return Err(format!("cannot write `{}`: it is a folder", path.display()));
    }
    let result = match is_special(path) {
        true => std::fs::OpenOptions::new().write(true).open(path).map(drop),
        false => {
            let temporary = beside(path);
            let result = std::fs::write(&temporary, b"");
            let _ = std::fs::remove_file(&temporary);
            result
        }
    };
    result.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Makes a folder, unless it is there.
pub(crate) fn make_folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path)
        .map_err(|error| format!("cannot make the folder `{}`: {error}", path.display()))?;
    can_write(&path.join("part"))
}

/// The resident memory of this process in bytes, where the system tells it.
pub(crate) fn resident_bytes() -> Option<u64> {
    proc_status("VmRSS:")
}

/// The resident memory of this process in megabytes, zero if the system does not tell it.
pub(crate) fn resident_megabytes() -> u64 {
    resident_bytes().unwrap_or(0) >> 20
}

/// The most memory that this process has used so far, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    proc_status("VmHWM:")
}

/// The bytes of memory that programs can still get, where the system says so.
pub(crate) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

fn proc_status(key: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The processor's time of this process so far.
pub(crate) fn cpu_time() -> Option<Duration> {
    // Ticks are hundredths of a second wherever Linux counts them for users.
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may have blanks.
    let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
    let ticks = |field: Option<&str>| field?.parse::<u32>().ok();
    let coarse = TICK * (ticks(fields.next())? + ticks(fields.next())?);
    // Threads that are still there have finer clocks, in nanoseconds.
    let mut fine = Duration::ZERO;
    for thread in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let time = text.split_whitespace().next().and_then(|time| time.parse().ok());
        fine += Duration::from_nanos(time.unwrap_or(0));
    }
    Some(coarse.max(fine))
}

/// The processor's time that this process may use before it is told to end, if that is limited.
pub(crate) fn cpu_limit() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max cpu time"))?;
    Some(Duration::from_secs(line.split_whitespace().next()?.parse().ok()?))
}

/// True if the terminal shows a line that the next one replaces.
static HAS_TRANSIENT: AtomicBool = AtomicBool::new(false);

/// Shows a line on a terminal that the next one replaces.
pub(crate) fn transient(text: &str) {
    let mut stderr = io::stderr().lock();
    HAS_TRANSIENT.store(!text.is_empty(), Ordering::Relaxed);
    let _ = write!(stderr, "\r\x1b[K{text}");
    let _ = stderr.flush();
}

/// Takes such a line away before something is printed that stays.
fn without_transient() {
    if HAS_TRANSIENT.load(Ordering::Relaxed) {
        transient("");
    }
}

/// The verdict as the last line, coloured on a terminal.
pub(crate) fn result_line(answer: &Answer) -> String {
    let status = match answer {
        Answer::True => "holds",
        Answer::False(_) => "violated",
        Answer::Unknown(_) => "unknown",
    };
    format!("RESULT: {}\n", painted(&answer.line(), status))
}

/// A table of claims, in which the word that begins a row is coloured on a terminal.
pub(crate) fn table(text: &str) -> String {
    let row = |line: &str| {
        let words = ["violated", "unknown", "not checked", "safe"];
        let start = line.strip_prefix("  ");
        let word = words.iter().find(|word| {
            start.and_then(|row| row.strip_prefix(**word)).is_some_and(|rest| rest.starts_with(' '))
        });
        match (word, start) {
            (Some(word), Some(row)) => {
                format!("  {}{}\n", painted(word, word), &row[word.len()..])
            }
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(row).collect()
}

/// A text in the colour of a status, if standard output is coloured.
fn painted(text: &str, status: &str) -> String {
    if !COLOR_STDOUT.load(Ordering::Relaxed) {
        return text.to_owned();
    }
    let colour = match status {
        "violated" => "1;31",
        "holds" | "safe" => "32",
        _ => "33",
    };
    format!("\x1b[{colour}m{text}\x1b[0m")
}

/// A diagnostic as text for standard output.
pub(crate) fn rendered(job: &mut Job, diagnostic: &Diagnostic) -> String {
    job.prepare_lines(diagnostic);
    let color = COLOR_STDOUT.load(Ordering::Relaxed);
    let renderer = if color { Renderer::coloured() } else { Renderer::plain() };
    let mut text = renderer.render(&job.map, diagnostic);
    text.push('\n');
    text
}

/// Prints a line to standard error.
pub(crate) fn warn(text: &str) {
    without_transient();
    let _ = writeln!(io::stderr(), "vergo: {text}");
}

/// Prints lines to standard error as they are.
pub(crate) fn note(text: &str) {
    without_transient();
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

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_driver::{CheckRequest, Input, Job, Reason, check};

    #[test]
    fn a_faulty_engine_alone_exits_with_the_status_of_bugs() {
        let text = b"int main(void) { return 0; }\n".to_vec();
        let input = Input::Text { name: "t.c".to_owned(), text };
        let request = CheckRequest::default();
        let mut report =
            check(&mut Job::default(), &[input], &request, &|_| {}).expect("it is a program");
        assert_eq!(verdict(&report).code(), 0);
        report.answer = Answer::Unknown(Reason::bound());
        assert_eq!(verdict(&report).code(), 20);
        report.faults.push("a proof was rejected".to_owned());
        assert_eq!(verdict(&report).code(), 70);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_not_replaced() {
        assert!(is_special(Path::new("/dev/null")));
        let [here, nowhere] = [file!(), "no-such-file"]
            .map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name));
        assert!(here.is_file() && !is_special(&here) && !is_special(&nowhere));
        assert!(can_write(Path::new("/dev/null")).is_ok());
    }
}

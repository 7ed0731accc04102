//! Vergo's verdict on a program.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::process;

/// The time beyond its limit after which a program counts as hanging: much, since a busy machine is not a wrong answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer of `vergo check`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing goes wrong.
    True,
    /// The property that is violated.
    False(String),
    /// The reason why there is no answer.
    Unknown(String),
    /// An internal error, a signal, or no answer in time.
    Crash(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => f.write_str("check says true"),
            Verdict::False(what) => write!(f, "check says false({what})"),
            Verdict::Unknown(why) => write!(f, "check says unknown({why})"),
            Verdict::Crash(how) => write!(f, "check crashes: {how}"),
        }
    }
}

/// Asks `vergo check`, or one of its engines.
pub(super) fn check(
    vergo: &Path,
    file: &Path,
    engine: Option<&str>,
    limit: Duration,
) -> io::Result<Verdict> {
    let mut command = Command::new(vergo);
    command.arg("check").arg("--timeout").arg(limit.as_secs_f64().to_string()).arg(file);
    command.args(engine.map(|engine| format!("--engine={engine}")));
    let finished = process::run(&mut command, b"", limit + PATIENCE)?;
    let out = finished.stdout_text();
    let result = out.lines().rev().find_map(|line| line.strip_prefix("RESULT: "));
    let inside = |text: &str| text.trim_end_matches(')').to_owned();
    Ok(match (finished.code(), result) {
        (Some(0), Some("true")) => Verdict::True,
        (Some(10), Some(result)) if result.starts_with("false(") => {
            Verdict::False(inside(&result[6..]))
        }
        (Some(20), Some(result)) if result.starts_with("unknown(") => {
            Verdict::Unknown(inside(&result[8..]))
        }
        (code, _) => {
            let err = finished.stderr_text();
            let first =
                err.lines().find(|line| line.contains("error") || line.contains("panicked"));
            Verdict::Crash(format!("status {code:?}: {}", first.unwrap_or_default()))
        }
    })
}

/// Runs `vergo run` on a program that prints its observations; what is wrong about it, if anything.
pub(super) fn run(
    vergo: &Path,
    file: &Path,
    values: &[u64],
    limit: Duration,
) -> io::Result<Option<String>> {
    const UNDECIDED: i32 = 20;
    let mut command = Command::new(vergo);
    command.arg("run").arg(file);
    let finished = process::run(&mut command, b"", limit + PATIENCE)?;
    let printed: Vec<u64> =
        finished.stdout_text().lines().filter_map(|line| line.parse().ok()).collect();
    let err = finished.stderr_text();
    let first = err.lines().next().unwrap_or_default();
    Ok(match finished.code() {
        Some(0) if printed == values => None,
        Some(0) => Some(format!("run observes other values: {printed:?} instead of {values:?}")),
        Some(UNDECIDED) | None => None,
        Some(code) => Some(format!("run ends with {code}: {first}")),
    })
}

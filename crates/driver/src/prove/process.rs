//! One proof as a process with limits: how it is run, watched, and what its answer is.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{ProofResult, ProofVerdict};

/// The limits of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Limits {
    /// Time; it has a little longer to say so by itself.
    pub(super) time: Duration,
    /// Bytes of memory.
    pub(super) memory: u64,
}

/// Time between looks at a process.
const LOOK: Duration = Duration::from_millis(20);
/// The time that a process may go on after its own.
pub(super) const GRACE: Duration = Duration::from_secs(10);
/// The bytes of a process's output that are kept.
const KEPT: u64 = 4 << 20;

impl Limits {
    /// The options by which a process learns of its limits.
    pub(super) fn options(&self) -> [String; 2] {
        [
            format!("--timeout={}", self.time.as_secs_f64()),
            format!("--memory={}", self.memory >> 20),
        ]
    }
}

/// Runs `vergo check` with these arguments in a folder.
pub(super) fn run(
    program: &Path,
    name: &str,
    arguments: &[String],
    folder: &Path,
    limits: Limits,
) -> ProofResult {
    let start = Instant::now();
    let here = folder.as_os_str().is_empty();
    let mut command = Command::new(program);
    command
        .arg("check")
        .args(limits.options())
        .args(arguments)
        .current_dir(if here { Path::new(".") } else { folder })
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut memory = 0;
    let (verdict, output) = match command.spawn() {
        Err(error) => {
            let message = format!("the process does not start: {error}");
            (ProofVerdict::Rejected(message), String::new())
        }
        Ok(child) => watch(child, (start + limits.time + GRACE, limits.memory), &mut memory),
    };
    ProofResult { name: name.to_owned(), verdict, time: start.elapsed(), memory, output }
}

/// Waits for a process and looks after its limits: a time, and bytes of memory.
fn watch(mut child: Child, limits: (Instant, u64), most: &mut u64) -> (ProofVerdict, String) {
    let (deadline, memory) = limits;
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let mut ended_for = None;
    let (status, out, err) = std::thread::scope(|scope| {
        let out = scope.spawn(|| stdout.map_or_else(String::new, read));
        let err = scope.spawn(|| stderr.map_or_else(String::new, read));
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) => {}
                Err(_) => break None,
            }
            *most = (*most).max(resident(child.id()).unwrap_or(0));
            if ended_for.is_none() {
                if Instant::now() >= deadline {
                    ended_for = Some("timeout");
                } else if *most > memory.saturating_add(memory / 2) {
                    ended_for = Some("memout");
                }
                if ended_for.is_some() {
                    // Whether it has just ended by itself does not matter.
                    let _ = child.kill();
                }
            }
            std::thread::sleep(LOOK);
        };
        (status, out.join().unwrap_or_default(), err.join().unwrap_or_default())
    });
    let verdict = match (ended_for, status.and_then(|status| status.code())) {
        (Some(reason), _) => ProofVerdict::Unknown(reason.to_owned()),
        (None, code) => verdict(code, &out, &err),
    };
    (verdict, out + &err)
}

/// Reads the verdict of a process. Its status and its last line have to agree: otherwise there is none.
fn verdict(code: Option<i32>, out: &str, err: &str) -> ProofVerdict {
    let last = out.lines().last().unwrap_or_default();
    let result = last.strip_prefix("RESULT: ").unwrap_or_default();
    let inside = |word: &str| {
        let rest = result.strip_prefix(word)?;
        Some(rest.trim_start_matches('(').trim_end_matches(')').to_owned())
    };
    let said = || {
        let lines = err.lines().chain(out.lines());
        let mut errors =
            lines.filter(|line| line.starts_with("error") || line.starts_with("vergo: "));
        errors.next().unwrap_or("nothing is said").to_owned()
    };
    match code {
        Some(0) if result == "true" => ProofVerdict::True,
        Some(10) => match inside("false") {
            Some(property) => ProofVerdict::False(property),
            None => ProofVerdict::Crashed("a violation that is not named".to_owned()),
        },
        Some(20) => ProofVerdict::Unknown(inside("unknown").unwrap_or_default()),
        Some(2) => ProofVerdict::Rejected(said()),
        Some(code) => ProofVerdict::Crashed(format!("exit status {code}: {}", said())),
        None => ProofVerdict::Crashed("the process was ended by a signal".to_owned()),
    }
}

/// Reads what a process prints, to the end; what is too much is not kept.
fn read(mut from: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = from.by_ref().take(KEPT).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The bytes of memory that a process has now, where the system says so.
fn resident(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_needs_status_and_line() {
        assert_eq!(verdict(Some(0), "x\nRESULT: true\n", ""), ProofVerdict::True);
        assert!(matches!(verdict(Some(0), "RESULT: false(a)\n", ""), ProofVerdict::Crashed(_)));
        assert!(matches!(verdict(Some(0), "", ""), ProofVerdict::Crashed(_)));
        assert!(matches!(verdict(None, "RESULT: true\n", ""), ProofVerdict::Crashed(_)));
        let unsafe_ = verdict(Some(10), "RESULT: false(memory.null)\n", "");
        assert_eq!(unsafe_, ProofVerdict::False("memory.null".to_owned()));
        assert_eq!(
            verdict(Some(20), "RESULT: unknown(timeout)\n", ""),
            ProofVerdict::Unknown("timeout".to_owned())
        );
        assert_eq!(
            verdict(Some(2), "", "note\nerror[C1]: x\n"),
            ProofVerdict::Rejected("error[C1]: x".to_owned())
        );
    }
}

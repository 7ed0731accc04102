//! Many proofs: each a process of its own with limits, as many at once as cores and memory allow.
//!
//! A proof is `vergo check` with the options of the project file, run in its folder. A process, because one that runs out of memory,
//! hangs or dies takes no other with it. The processes get the limits of time and memory and answer by themselves when these are
//! used up; one that does not is ended from here. A proof begins when a worker is free and the limits of all that run fit into
//! the memory that there is; one whose limit is larger than that runs alone.

mod report;

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::project::Proof;
pub use report::ProveReport;

/// A request to run proofs.
#[derive(Clone, Debug)]
pub struct ProveRequest {
    /// The program that proves: Vergo itself.
    pub program: PathBuf,
    /// The folder of the project file.
    pub folder: PathBuf,
    /// Further arguments of `vergo check` that the user gives, such as the preprocessor.
    pub arguments: Vec<String>,
    /// The number of proofs that run at the same time.
    pub jobs: usize,
    /// The time limit of a proof that has none of its own.
    pub timeout: Duration,
    /// The memory limit in bytes of a proof that has none of its own.
    pub memory: u64,
    /// The memory limit in bytes of all proofs together.
    pub memory_of_all: u64,
}

/// The verdict of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofVerdict {
    /// It holds.
    True,
    /// It does not, for this property.
    False(String),
    /// It is not known, for this reason.
    Unknown(String),
    /// It was not run: its settings or its files are wrong.
    Rejected(String),
    /// A bug of ours.
    Crashed(String),
}

/// The result of a proof.
#[derive(Clone, Debug)]
pub struct ProofResult {
    /// Its name.
    pub name: String,
    /// The verdict.
    pub verdict: ProofVerdict,
    /// The time that it took.
    pub time: Duration,
    /// The most memory that was seen, in bytes.
    pub memory: u64,
    /// Its output.
    pub output: String,
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum ProveStep<'a> {
    /// A proof has begun.
    Began(&'a str),
    /// A proof has ended.
    Ended(&'a ProofResult),
}

/// Time between looks at a process.
const LOOK: Duration = Duration::from_millis(20);
/// The time that a process may continue after its limit.
const GRACE: Duration = Duration::from_secs(10);
/// The number of bytes of a process's output that are kept.
const KEPT: u64 = 4 << 20;

/// Runs proofs; `hear` is told of each step.
pub fn prove(
    proofs: &[Proof],
    request: &ProveRequest,
    hear: &(dyn Fn(ProveStep<'_>) + Sync),
) -> ProveReport {
    let start = Instant::now();
    let queue = Mutex::new(Queue { next: 0, running: 0, used: 0 });
    let changed = Condvar::new();
    let results: Mutex<Vec<(usize, ProofResult)>> = Mutex::new(Vec::new());
    let work = || {
        while let Some(index) = take(&queue, &changed, proofs, request) {
            let proof = &proofs[index];
            hear(ProveStep::Began(&proof.name));
            let result = run(proof, request);
            hear(ProveStep::Ended(&result));
            lock(&results).push((index, result));
            let mut queue = lock(&queue);
            queue.running -= 1;
            queue.used -= memory_of(proof, request);
            changed.notify_all();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..request.jobs.clamp(1, proofs.len().max(1)) {
            scope.spawn(work);
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    let results = results.into_iter().map(|(_, result)| result).collect();
    ProveReport { results, time: start.elapsed() }
}

/// Which proofs are still to be run, and what those that run may use.
struct Queue {
    next: usize,
    running: usize,
    used: u64,
}

/// A lock; what a thread that died has left is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The next proof, once there is memory for it.
fn take(
    queue: &Mutex<Queue>,
    changed: &Condvar,
    proofs: &[Proof],
    request: &ProveRequest,
) -> Option<usize> {
    let mut state = lock(queue);
    loop {
        let index = state.next;
        let memory = memory_of(proofs.get(index)?, request);
        if state.running == 0 || state.used.saturating_add(memory) <= request.memory_of_all {
            state.next += 1;
            state.running += 1;
            state.used = state.used.saturating_add(memory);
            return Some(index);
        }
        state = changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
    }
}

fn memory_of(proof: &Proof, request: &ProveRequest) -> u64 {
    let megabytes = proof.number("memory").filter(|megabytes| *megabytes >= 1.0);
    megabytes.map_or(request.memory, |megabytes| (megabytes as u64).saturating_mul(1 << 20))
}

fn time_of(proof: &Proof, request: &ProveRequest) -> Duration {
    let seconds = proof.number("timeout");
    seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or(request.timeout)
}

/// Runs one proof.
fn run(proof: &Proof, request: &ProveRequest) -> ProofResult {
    let start = Instant::now();
    let mut memory = 0;
    let (verdict, output) = match spawn(proof, request) {
        Err(message) => (ProofVerdict::Rejected(message), String::new()),
        Ok(child) => {
            let limits = (start + time_of(proof, request) + GRACE, memory_of(proof, request));
            watch(child, limits, &mut memory)
        }
    };
    ProofResult { name: proof.name.clone(), verdict, time: start.elapsed(), memory, output }
}

fn spawn(proof: &Proof, request: &ProveRequest) -> Result<Child, String> {
    let arguments = proof.arguments(&request.folder)?;
    let here = request.folder.as_os_str().is_empty();
    let mut command = Command::new(&request.program);
    command
        .arg("check")
        .args(&request.arguments)
        .arg(format!("--timeout={}", time_of(proof, request).as_secs_f64()))
        .arg(format!("--memory={}", memory_of(proof, request) >> 20))
        .args(arguments)
        .current_dir(if here { ".".as_ref() } else { request.folder.as_path() })
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().map_err(|error| format!("the process does not start: {error}"))
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

/// Reads the verdict from the output of a process. The status and the last line have to agree: a verdict is none by
/// half.
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

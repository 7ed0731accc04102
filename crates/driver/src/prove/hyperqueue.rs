//! Proofs on the workers of a HyperQueue server (<https://it4innovations.github.io/hyperqueue>).
//!
//! HyperQueue is asked through its Python package (`pip install hyperqueue`), by a small script: a process of it hands a batch of jobs over
//! and stays until the server is done with them. The server looks after workers: what one has begun when it is lost, another
//! does. Results are files of the run, so that nothing depends on the script but the news that there is nothing more to wait for.
//!
//! The package cannot cancel a job. Tasks that have not begun end at once, since workers see that the run is cancelled; others end
//! by their limits.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::json;

use super::run_folder::RunFolder;
use super::{JobState, Machines, ProofResult, ProveRequest};

/// A server and what it was given.
pub(super) struct HyperQueue {
    run: RunFolder,
    program: PathBuf,
    server: Option<PathBuf>,
    batches: Vec<Batch>,
}

/// Jobs that were handed over together, and the script that waits for them.
struct Batch {
    jobs: Vec<usize>,
    script: Child,
    lines: Receiver<String>,
    /// Why HyperQueue gave jobs up.
    failed: Vec<(usize, String)>,
    /// Since when there is nothing more to wait for.
    ended: Option<Instant>,
}

const SCRIPT: &str = include_str!("hyperqueue.py");
/// The time that a server may take to accept jobs.
const ACCEPT: Duration = Duration::from_secs(120);
/// The time that a result may take to be seen here after the server says that it is there.
const SEEN: Duration = Duration::from_secs(3);

impl HyperQueue {
    pub(super) fn new(run: RunFolder, request: &ProveRequest, server: Option<&Path>) -> HyperQueue {
        let server = server.map(Path::to_owned);
        HyperQueue { run, program: request.worker().to_owned(), server, batches: Vec::new() }
    }
}

impl Machines for HyperQueue {
    fn submit(&mut self, jobs: &[usize]) -> Result<(), String> {
        let command = |&job: &usize| {
            let run = self.run.path();
            let program = self.program.to_string_lossy();
            json!([program, "work", run.to_string_lossy(), self.run.bundle(job)])
        };
        let request = json!({
            "server": self.server.as_ref().map(|server| server.to_string_lossy()),
            "folder": self.run.path().join("output").to_string_lossy(),
            "commands": jobs.iter().map(command).collect::<Vec<_>>(),
        });
        let mut script = Command::new("python3");
        script
            .args(["-c", SCRIPT])
            .env("TQDM_DISABLE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut script = script.spawn().map_err(|error| {
            format!("HyperQueue is asked through Python, and `python3` does not start: {error}")
        })?;
        give(script.stdin.take(), request.to_string());
        let lines = lines_of(script.stdout.take());
        match lines.recv_timeout(ACCEPT) {
            Ok(line) if line == "submitted" => {}
            other => {
                let _ = script.kill();
                let mut said = String::new();
                let _ = script.stderr.take().map(|mut err| err.read_to_string(&mut said));
                let _ = script.wait();
                return Err(refusal(&said, other.err()));
            }
        }
        // What the script says later is of no interest, but it must be able to say it.
        let mut rest = script.stderr.take();
        std::thread::spawn(move || {
            rest.as_mut().map(|rest| std::io::copy(rest, &mut std::io::sink()))
        });
        let (failed, ended) = (Vec::new(), None);
        self.batches.push(Batch { jobs: jobs.to_vec(), script, lines, failed, ended });
        self.run.guard(&[]);
        Ok(())
    }

    fn poll(&mut self) -> Result<Vec<(usize, JobState)>, String> {
        for batch in &mut self.batches {
            batch.listen();
        }
        let mut news = self.run.news();
        let run = &self.run;
        self.batches.retain_mut(|batch| {
            let is_over = batch.ended.is_some_and(|since| since.elapsed() > SEEN);
            if is_over {
                let lost = batch.jobs.iter().filter(|job| !run.has_result(**job));
                news.extend(lost.map(|&job| (job, JobState::Lost(batch.reason(job)))));
                let _ = batch.script.wait();
            }
            !is_over
        });
        Ok(news)
    }

    fn fetch(&mut self, job: usize) -> Option<ProofResult> {
        self.run.fetch(job)
    }

    fn cancel(&mut self) {
        self.run.cancel();
    }
}

impl Drop for HyperQueue {
    fn drop(&mut self) {
        for batch in &mut self.batches {
            let _ = batch.script.kill();
            let _ = batch.script.wait();
        }
    }
}

impl Batch {
    /// Hears what the script has said.
    fn listen(&mut self) {
        use std::sync::mpsc::TryRecvError;
        loop {
            match self.lines.try_recv() {
                Ok(line) => {
                    if let Some(rest) = line.strip_prefix("failed ")
                        && let Some((index, reason)) = rest.split_once(' ')
                        && let Some(job) = index.parse().ok().and_then(|i: usize| self.jobs.get(i))
                    {
                        self.failed.push((*job, reason.to_owned()));
                    }
                }
                Err(TryRecvError::Empty) => return,
                // The end, as it should be or not.
                Err(TryRecvError::Disconnected) => {
                    self.ended.get_or_insert_with(Instant::now);
                    return;
                }
            }
        }
    }

    fn reason(&self, job: usize) -> String {
        let failed = self.failed.iter().find(|(other, _)| *other == job);
        failed.map_or_else(|| "HyperQueue has no result".to_owned(), |(_, reason)| reason.clone())
    }
}

/// Why no job was accepted.
fn refusal(said: &str, error: Option<RecvTimeoutError>) -> String {
    if said.contains("No module named") {
        return "Python has no package `hyperqueue`; install it with `pip install hyperqueue`, and begin with its `python3` first in PATH".to_owned();
    }
    if error == Some(RecvTimeoutError::Timeout) {
        return "the HyperQueue server does not answer".to_owned();
    }
    // Python's last words come before the stack of what is below it.
    let is_error = |line: &&str| {
        line.split(':')
            .next()
            .is_some_and(|name| name.ends_with("Error") || name.ends_with("Exception"))
    };
    let why = said.lines().find(is_error).unwrap_or("nothing is said");
    format!("HyperQueue does not take the proofs: {}", why.trim())
}

fn give(stdin: Option<ChildStdin>, text: String) {
    std::thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A script that has died closes the pipe, and is heard of otherwise.
            let _ = stdin.write_all(text.as_bytes());
        }
    });
}

fn lines_of(stdout: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in
            stdout.into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok)
        {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    receive
}

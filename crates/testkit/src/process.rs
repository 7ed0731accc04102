//! Running programs with input, captured output and a time limit.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The end of a program.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The exit status, or `None` if the program ran out of time and was stopped.
    pub status: Option<ExitStatus>,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// The time that it ran.
    pub time: Duration,
}

impl Finished {
    /// Returns whether it ended in time and with status 0.
    #[must_use]
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// The exit code; `None` if it was stopped by a signal or by the time limit.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }

    /// Its output as text.
    #[must_use]
    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Its errors as text.
    #[must_use]
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// Runs a program to its end, or to the time limit.
///
/// # Errors
/// If the program cannot be started.
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> io::Result<Finished> {
    let start = Instant::now();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    // Each pipe has its own thread, so that a full pipe never blocks the program.
    thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // A program that does not read its input closes the pipe; that is no error.
                let _ = stdin.write_all(input);
            }
        });
        let stdout = scope.spawn(move || read_all(stdout));
        let stderr = scope.spawn(move || read_all(stderr));
        let status = wait(&mut child, start + limit)?;
        let time = start.elapsed();
        Ok(Finished {
            status,
            stdout: stdout.join().unwrap_or_default(),
            stderr: stderr.join().unwrap_or_default(),
            time,
        })
    })
}

fn wait(child: &mut Child, end: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

/// The largest resident size of this process in bytes, where the system tells it.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_output_and_status() {
        let mut command = Command::new("sh");
        command.args(["-c", "cat; echo error >&2; exit 3"]);
        let finished = run(&mut command, b"hello", Duration::from_secs(10)).unwrap();
        assert_eq!(finished.stdout, b"hello");
        assert_eq!(finished.stderr_text(), "error\n");
        assert_eq!(finished.code(), Some(3));
        assert!(!finished.success());
    }

    #[test]
    fn the_limit_holds() {
        let mut command = Command::new("sleep");
        command.arg("60");
        let finished = run(&mut command, b"", Duration::from_millis(50)).unwrap();
        assert!(finished.status.is_none());
        assert!(finished.time < Duration::from_secs(30));
    }
}

//! Running a tool with a limit, and what is left of the run: its end, what it has printed, and its time.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

/// A run that has ended.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ran {
    /// The status of the shell: 124 after the limit, and 128 more than the number of a signal.
    pub(super) code: i32,
    pub(super) output: String,
    /// Seconds of the processor, of all processes.
    pub(super) cpu: f64,
}

impl Ran {
    /// Returns whether the limit has ended it: that of the clock, or one of the kernel.
    pub(super) fn is_late(&self) -> bool {
        const KILLED: i32 = 128 + 9;
        const OUT_OF_TIME: i32 = 128 + 24;
        matches!(self.code, 124 | KILLED | OUT_OF_TIME)
    }
}

/// The limit of the clock ends all processes of a run; the shell knows how long they have worked.
const SCRIPT: &str = "ulimit -c 0; limit=$1; shift; timeout -k 2 \"$limit\" \"$@\" >printed 2>&1; code=$?; times >times; exit $code";

/// Runs a command in a folder, with a limit in seconds of the clock.
pub(super) fn execute(
    folder: &Path,
    limit: u64,
    input: Option<&Path>,
    variables: &[(&str, &str)],
    words: &[String],
) -> anyhow::Result<Ran> {
    let input = match input {
        Some(path) => Stdio::from(std::fs::File::open(path)?),
        None => Stdio::null(),
    };
    let status = Command::new("sh")
        .args(["-c", SCRIPT, "sh", &limit.to_string()])
        .args(words)
        .envs(variables.iter().copied())
        .env("LC_ALL", "C.UTF-8")
        .current_dir(folder)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("cannot run `sh`")?;
    let printed = std::fs::read(folder.join("printed")).unwrap_or_default();
    let times = std::fs::read_to_string(folder.join("times")).unwrap_or_default();
    Ok(Ran {
        code: status.code().unwrap_or(-1),
        output: String::from_utf8_lossy(&printed).into_owned(),
        cpu: seconds(&times),
    })
}

/// The seconds that `times` says the children of the shell have worked: the second line has them, as in `0m1.5s 0m0.2s`.
fn seconds(times: &str) -> f64 {
    let one = |word: &str| -> Option<f64> {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    };
    let line = times.lines().nth(1).unwrap_or_default();
    line.split_whitespace().filter_map(one).sum()
}

/// The files of a folder whose names begin in some way, in the order of their names.
pub(super) fn found_files(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let begins = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
    };
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(begins).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_shell_are_added() {
        assert_eq!(seconds("0m0.010s 0m0.000s\n1m2.500s 0m0.250s\n"), 62.75);
        assert_eq!(seconds(""), 0.0);
    }

    #[test]
    fn runs_say_how_they_ended() {
        let folder = std::env::temp_dir().join(format!("vergo-study-run-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let run = |limit: u64, text: &str| {
            let words = ["sh", "-c", text].map(str::to_owned);
            execute(&folder, limit, None, &[("WORD", "seen")], &words).unwrap()
        };
        let ended = run(10, "echo $WORD; exit 3");
        assert_eq!((ended.code, ended.output.as_str(), ended.is_late()), (3, "seen\n", false));
        assert!(run(1, "exec sleep 20").is_late());
        assert_eq!(run(10, "kill -ILL $$").code, 132);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

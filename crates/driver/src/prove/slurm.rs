//! Proofs on the nodes of a Slurm cluster (<https://slurm.schedmd.com>).
//!
//! Jobs with the same limits are an array (`sbatch --array`), with `--time` and `--mem` a little above what proofs keep to by themselves.
//! A task of an array finds its bundle in a list beside the script. `squeue` says which tasks are still there; one that is not and
//! has no result was lost: its node failed and Slurm did not run it again, or Slurm ended it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::process::GRACE;
use super::run_folder::RunFolder;
use super::{Job, JobState, Limits, Machines, ProofResult, ProveRequest};

/// A cluster and what it was given.
pub(super) struct Slurm {
    run: RunFolder,
    program: PathBuf,
    limits: Vec<Limits>,
    arrays: Vec<Array>,
    /// When Slurm was asked last, and since when it does not answer.
    asked: Instant,
    silent: Option<Instant>,
}

/// An array of jobs.
struct Array {
    id: String,
    jobs: Vec<usize>,
    /// Tasks that are not in the queue any more, and since when.
    gone: BTreeMap<usize, Instant>,
    /// Tasks that were said to be lost.
    lost: BTreeSet<usize>,
}

/// Tasks of an array; 1,001 is what Slurm allows if nothing else is configured.
const LARGEST: usize = 1000;
/// Time between questions to Slurm.
const ASK: Duration = Duration::from_secs(2);
/// The time that a result may take to be seen here after its task has gone.
const SEEN: Duration = Duration::from_secs(5);
/// The time that Slurm may be silent.
const SILENT: Duration = Duration::from_secs(300);

impl Slurm {
    /// A cluster for these jobs.
    ///
    /// # Errors
    /// If the paths cannot be written in a script.
    pub(super) fn new(
        run: RunFolder,
        jobs: &[Job],
        request: &ProveRequest,
    ) -> Result<Slurm, String> {
        for path in [run.path(), request.worker()] {
            if path.to_str().is_none_or(|path| path.contains(['\n', '\'', '%', '\\'])) {
                return Err(format!("`{}` cannot be the path of a Slurm job", path.display()));
            }
        }
        let limits = jobs.iter().map(|job| job.limits).collect();
        let (program, asked) = (request.worker().to_owned(), Instant::now());
        Ok(Slurm { run, program, limits, arrays: Vec::new(), asked, silent: None })
    }

    fn submit_array(&mut self, jobs: &[usize], limits: Limits) -> Result<(), String> {
        let folder = self.run.path();
        let list = folder.join(format!("array-{}", self.arrays.len()));
        let lines: String = jobs.iter().map(|&job| format!("{}\n", self.run.bundle(job))).collect();
        std::fs::write(&list, lines)
            .map_err(|error| format!("cannot write `{}`: {error}", list.display()))?;
        let text = script(&self.program, folder, &list);
        let mut command = Command::new("sbatch");
        command
            .args(["--parsable", "--requeue", "--ntasks=1", "--job-name=vergo-prove"])
            .arg(format!("--array=0-{}", jobs.len() - 1))
            .args(options(limits))
            .arg(format!("--output={}/output/%A_%a.txt", folder.display()))
            .arg(format!("--chdir={}", folder.display()));
        let answer = ask(command, &text)?;
        let id = array_id(&answer).ok_or_else(|| format!("sbatch says `{}`", answer.trim()))?;
        let (gone, lost) = (BTreeMap::new(), BTreeSet::new());
        self.arrays.push(Array { id, jobs: jobs.to_vec(), gone, lost });
        Ok(())
    }

    fn ids(&self) -> Vec<String> {
        self.arrays.iter().map(|array| array.id.clone()).collect()
    }
}

impl Machines for Slurm {
    fn submit(&mut self, jobs: &[usize]) -> Result<(), String> {
        let mut alike: BTreeMap<(Duration, u64), Vec<usize>> = BTreeMap::new();
        for &job in jobs {
            let Limits { time, memory } = self.limits[job];
            alike.entry((time, memory)).or_default().push(job);
        }
        for ((time, memory), jobs) in alike {
            for part in jobs.chunks(LARGEST) {
                self.submit_array(part, Limits { time, memory })?;
            }
        }
        let command: Vec<String> =
            std::iter::once("scancel".to_owned()).chain(self.ids()).collect();
        self.run.guard(&command);
        Ok(())
    }

    fn poll(&mut self) -> Result<Vec<(usize, JobState)>, String> {
        let mut news = self.run.news();
        if self.asked.elapsed() < ASK {
            return Ok(news);
        }
        self.asked = Instant::now();
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--array", "--me", "--format=%F %K %t"]);
        let queue = match ask(command, "") {
            Ok(queue) => queue,
            Err(message) => {
                let since = *self.silent.get_or_insert_with(Instant::now);
                return if since.elapsed() > SILENT { Err(message) } else { Ok(news) };
            }
        };
        self.silent = None;
        let there = tasks(&queue);
        for array in &mut self.arrays {
            for (task, &job) in array.jobs.iter().enumerate() {
                if there.contains(&(array.id.as_str(), task)) {
                    array.gone.remove(&task);
                } else if !array.lost.contains(&task) && !self.run.has_result(job) {
                    let since = *array.gone.entry(task).or_insert_with(Instant::now);
                    if since.elapsed() > SEEN {
                        array.lost.insert(task);
                        let reason = format!("Slurm's task {}_{task} left no result", array.id);
                        news.push((job, JobState::Lost(reason)));
                    }
                }
            }
        }
        Ok(news)
    }

    fn fetch(&mut self, job: usize) -> Option<ProofResult> {
        self.run.fetch(job)
    }

    fn cancel(&mut self) {
        self.run.cancel();
        if !self.arrays.is_empty() {
            let mut command = Command::new("scancel");
            command.args(self.ids());
            // Where this fails, tasks end by themselves, since the run is cancelled.
            let _ = ask(command, "");
        }
    }
}

/// The limits as Slurm's options: later than those of the proof itself, which can say what it is that was used up.
fn options(limits: Limits) -> [String; 2] {
    let seconds = (limits.time + 2 * GRACE).as_secs() + 10;
    let megabytes = limits.memory.saturating_add(limits.memory / 2) >> 20;
    [format!("--time={}:{:02}", seconds / 60, seconds % 60), format!("--mem={}M", megabytes + 64)]
}

/// The script of a task.
fn script(program: &Path, run: &Path, list: &Path) -> String {
    let (program, run, list) = (program.display(), run.display(), list.display());
    format!(
        "#!/bin/sh\nbundle=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" '{list}')\n\
         exec '{program}' work '{run}' \"$bundle\"\n"
    )
}

/// The number of an array in what `sbatch --parsable` says: `ID` or `ID;CLUSTER`.
fn array_id(answer: &str) -> Option<String> {
    let id = answer.trim().split(';').next()?;
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| id.to_owned())
}

/// The tasks in what `squeue` says that are not at their end: arrays and numbers.
fn tasks(queue: &str) -> BTreeSet<(&str, usize)> {
    let task = |line: &'_ str| -> Option<(usize, usize)> {
        let mut words = line.split_whitespace();
        let (array, task, state) = (words.next()?, words.next()?, words.next()?);
        let is_over = matches!(state, "CA" | "CD" | "F" | "NF" | "OOM" | "TO" | "BF" | "DL");
        (!is_over).then_some((array.len(), task.parse().ok()?))
    };
    let lines = queue.lines().map(str::trim);
    lines.filter_map(|line| task(line).map(|(length, task)| (&line[..length], task))).collect()
}

/// Runs a command of Slurm: what it says, or why it fails.
fn ask(mut command: Command, input: &str) -> Result<String, String> {
    use std::io::Write;
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("there is no `{name}` here: is this a machine of a Slurm cluster?")
        }
        _ => format!("`{name}` does not start: {error}"),
    })?;
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read says so by its status.
        let _ = stdin.write_all(input.as_bytes());
    }
    let done = child.wait_with_output().map_err(|error| format!("`{name}`: {error}"))?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => Err(format!("`{name}` fails: {}", String::from_utf8_lossy(&done.stderr).trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of Slurm 22.05.
    #[test]
    fn answers_are_understood() {
        assert_eq!(array_id("17\n"), Some("17".to_owned()));
        assert_eq!(array_id("17;west\n"), Some("17".to_owned()));
        assert_eq!(array_id("sbatch: error: invalid partition\n"), None);
        let queue = "17 0 R\n17 1 PD\n17 2 CG\n17 3 CD\n18 N/A R\n  19 4 R \n\n";
        let there = tasks(queue);
        assert_eq!(there, BTreeSet::from([("17", 0), ("17", 1), ("17", 2), ("19", 4)]));
    }

    #[test]
    fn limits_leave_time_to_answer() {
        let limits = Limits { time: Duration::from_secs(95), memory: 1000 << 20 };
        assert_eq!(options(limits), ["--time=2:05", "--mem=1564M"]);
    }
}

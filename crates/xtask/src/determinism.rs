//! `cargo xtask determinism`: the same check twice, the second time on a busy machine, has to give the same bytes.
//!
//! Each task of a list is checked alone, and then beside threads that do nothing but keep the processor busy. The report
//! as JSON, the witness but for the time of its creation, and what is printed have to be equal. A run that its time limit
//! ends says what it knows by then: such tasks are counted and not compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, bail, ensure};

use crate::shell::root;
use crate::study::record::{Task, read_manifest};
use crate::study::{built_vergo, sample};

const USAGE: &str = "\
options: --manifest FILE.csv   tasks (file,property,expected,model,...); needed
         --tasks N             so many tasks, spread over the list (100)
         --only TEXT           tasks whose name has the text
         --timeout S           seconds for each run (10)
         --busy N              threads that keep the machine busy (2)
         --vergo FILE          the program to be run; default: a release build";

/// The options of the command.
struct Options {
    manifest: Option<PathBuf>,
    tasks: usize,
    filter: String,
    timeout: u64,
    busy: usize,
    vergo: Option<PathBuf>,
}

impl Options {
    fn parse(arguments: &[String]) -> anyhow::Result<Options> {
        let mut options = Options {
            manifest: None,
            tasks: 100,
            filter: String::new(),
            timeout: 10,
            busy: 2,
            vergo: None,
        };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let value = rest.next().with_context(|| format!("`{name}` needs a value\n{USAGE}"))?;
            match name.as_str() {
                "--manifest" => options.manifest = Some(value.into()),
                "--tasks" => options.tasks = value.parse()?,
                "--only" => options.filter = value.clone(),
                "--timeout" => options.timeout = value.parse()?,
                "--busy" => options.busy = value.parse()?,
                "--vergo" => options.vergo = Some(value.into()),
                _ => bail!("there is no option `{name}`\n{USAGE}"),
            }
        }
        Ok(options)
    }
}

/// The output of a run.
#[derive(PartialEq, Eq)]
struct Said {
    printed: String,
    report: String,
    witness: String,
}

impl Said {
    /// Checks whether the clock has ended the run.
    fn is_stopped(&self) -> bool {
        let last = self.printed.lines().last().unwrap_or_default();
        last.starts_with("RESULT: unknown(timeout") || !last.starts_with("RESULT: ")
    }

    /// The first part that differs.
    fn difference(&self, other: &Said) -> Option<&'static str> {
        let parts = [
            ("output", &self.printed, &other.printed),
            ("report", &self.report, &other.report),
            ("witness", &self.witness, &other.witness),
        ];
        parts.into_iter().find(|(_, one, two)| one != two).map(|(name, ..)| name)
    }
}

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let options = Options::parse(arguments)?;
    let manifest = options.manifest.as_ref().with_context(|| USAGE.to_owned())?;
    let vergo = match &options.vergo {
        Some(path) => path.clone(),
        None => built_vergo()?,
    };
    let mut tasks = read_manifest(manifest)?;
    tasks.retain(|task| task.name.contains(&options.filter));
    let tasks = sample(tasks, options.tasks);
    ensure!(!tasks.is_empty(), "there are no tasks");
    let folder = root().join("target/determinism");
    std::fs::create_dir_all(&folder)?;
    let (mut n_same, mut n_stopped, mut different) = (0, 0, Vec::new());
    let mut seconds = [0.0; 2];
    for (number, task) in tasks.iter().enumerate() {
        let start = Instant::now();
        let alone = check(&vergo, &folder, task, options.timeout, "alone")?;
        let between = Instant::now();
        let busy = beside(options.busy, || check(&vergo, &folder, task, options.timeout, "busy"))?;
        let (first, second) = ((between - start).as_secs_f64(), between.elapsed().as_secs_f64());
        let word = if alone.is_stopped() || busy.is_stopped() {
            n_stopped += 1;
            "stopped by the clock".to_owned()
        } else if let Some(part) = alone.difference(&busy) {
            different.push(task.name.clone());
            keep(&folder, different.len(), &[&alone, &busy])?;
            format!("DIFFERENT {part} ({})", different.len())
        } else {
            n_same += 1;
            seconds[0] += first;
            seconds[1] += second;
            "same".to_owned()
        };
        println!(
            "{:3} of {}: {first:5.2} s {second:5.2} s {word} {} {}",
            number + 1,
            tasks.len(),
            task.property,
            task.name
        );
    }
    println!(
        "{n_same} the same ({:.1} s alone, {:.1} s on the busy machine), {n_stopped} stopped by the clock, {} different",
        seconds[0],
        seconds[1],
        different.len()
    );
    ensure!(different.is_empty(), "different: {}", different.join(", "));
    Ok(())
}

/// Does something while threads keep the machine busy.
fn beside<T>(n_threads: usize, act: impl FnOnce() -> T) -> T {
    let is_over = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = (0..n_threads)
        .map(|_| {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || while !is_over.load(Ordering::Relaxed) {})
        })
        .collect();
    let done = act();
    is_over.store(true, Ordering::Relaxed);
    for thread in threads {
        let _ = thread.join();
    }
    done
}

fn check(
    vergo: &Path,
    folder: &Path,
    task: &Task,
    timeout: u64,
    name: &str,
) -> anyhow::Result<Said> {
    let (report, witness) =
        (folder.join(format!("{name}.json")), folder.join(format!("{name}.yml")));
    for file in [&report, &witness] {
        let _ = std::fs::remove_file(file);
    }
    let output = Command::new(vergo)
        .args([
            "check",
            "--deterministic",
            "--property",
            &task.property,
            "--data-model",
            &task.model,
        ])
        .args(["--timeout", &timeout.to_string()])
        .arg("--json")
        .arg(&report)
        .arg("--witness")
        .args([&witness, &task.file])
        .stderr(Stdio::null())
        .output()
        .with_context(|| format!("cannot run `{}`", vergo.display()))?;
    let read = |file: &Path| std::fs::read_to_string(file).unwrap_or_default();
    let is_lasting = |line: &&str| !line.trim_start().starts_with("creation_time:");
    Ok(Said {
        printed: String::from_utf8_lossy(&output.stdout).into_owned(),
        report: read(&report),
        witness: read(&witness).lines().filter(is_lasting).collect::<Vec<_>>().join("\n"),
    })
}

/// Keeps what two runs have said, to be looked at.
fn keep(folder: &Path, number: usize, said: &[&Said]) -> anyhow::Result<()> {
    for (said, name) in said.iter().zip(["alone", "busy"]) {
        let text = format!("{}\n{}\n{}\n", said.printed, said.report, said.witness);
        std::fs::write(folder.join(format!("different-{number}-{name}.txt")), text)?;
    }
    Ok(())
}

//! `cargo xtask study`: the comparison of interpolation-based engines, on Vergo's own numbers.
//!
//! It repeats the evaluation of Beyer, Chien, Jankola, Lee, "A Transferability Study of Interpolation-Based Hardware Model
//! Checking for Software Verification", FSE 2024, doi 10.1145/3660797: the same tables and figures, for the engines of
//! `vergo check`, over the programs below `tests/corpus` and families that grow with a number, or over a list of tasks.
//! Engines get no auxiliary invariants, as in the paper, unless that is asked for: with them most proofs are at hand before
//! the first interpolant. Results are kept as CSV; a page of `docs/studies` has the figures and tables, and says of each claim of
//! the paper what the numbers say.

mod canvas;
mod families;
mod page;
mod plot;
pub(crate) mod record;
mod specifications;
mod tables;
mod transformations;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::shell::{cargo, root, step};
use families::FAMILIES;
use record::{Record, Task, read_manifest, read_records, write_records};

/// The engines of the paper's first part, in its order.
pub(crate) const INTERPOLATION: &[&str] = &["imc", "ismc", "dar"];
/// Those of its second part.
pub(crate) const FIVE: &[&str] = &["imc", "ismc", "dar", "impact", "predabs"];
/// Engines of Vergo that the paper does not have.
pub(crate) const FURTHER: &[&str] = &["kind", "pdr"];

/// The options of the command.
struct Options {
    manifest: Option<PathBuf>,
    output: PathBuf,
    engines: Vec<String>,
    filter: Option<String>,
    timeout: u64,
    memory: u64,
    jobs: usize,
    most: usize,
    reuse: bool,
    auxiliary: bool,
    /// The engine that gets transformed programs; the default one if none is named.
    base: Option<String>,
    /// The name of the page.
    page: String,
    vergo: Option<PathBuf>,
}

const USAGE: &str = "\
options: --manifest FILE.csv   tasks (file,property,expected,model,source,features); default: own programs
         --output DIR          where results are kept (target/study)
         --page NAME           the page in docs/studies (interpolation, or transformations)
         --engines A,B         default: imc,ismc,dar,impact,predabs,kind,pdr
         --only TEXT           tasks whose name has the text
         --most N              so many tasks at most, spread over the list
         --timeout S           seconds for each run (10)
         --memory MB           megabytes for each run (4000)
         --jobs N              runs at a time (1)
         --auxiliary           engines begin with auxiliary invariants, as they do in `vergo check`
         --reuse               takes results.csv of an earlier study and runs what is missing
         transformations first: variants of one engine instead of engines (--engines slice,unwind)
         --base ENGINE         that engine; default: that of `vergo check`
         --vergo FILE          the program to be run; default: a release build
         specifications first: tools of others on the original and on the transformed program instead of engines
         (--engines eva,eva-R: tools, with -R for the transformed program)";

impl Options {
    fn parse(arguments: &[String]) -> anyhow::Result<Options> {
        let mut options = Options {
            manifest: None,
            output: root().join("target/study"),
            engines: FIVE.iter().chain(FURTHER).map(|name| (*name).to_owned()).collect(),
            filter: None,
            timeout: 10,
            memory: 4000,
            jobs: 1,
            most: usize::MAX,
            reuse: false,
            auxiliary: false,
            base: None,
            page: "interpolation".to_owned(),
            vergo: None,
        };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            if name == "--reuse" {
                options.reuse = true;
                continue;
            }
            if name == "--auxiliary" {
                options.auxiliary = true;
                continue;
            }
            ensure!(name != "--help", "{USAGE}");
            let value = rest.next().with_context(|| format!("`{name}` needs a value\n{USAGE}"))?;
            match name.as_str() {
                "--manifest" => options.manifest = Some(value.into()),
                "--output" => options.output = value.into(),
                "--engines" => options.engines = value.split(',').map(str::to_owned).collect(),
                "--only" => options.filter = Some(value.clone()),
                "--most" => options.most = value.parse()?,
                "--timeout" => options.timeout = value.parse()?,
                "--memory" => options.memory = value.parse()?,
                "--jobs" => options.jobs = value.parse()?,
                "--base" => options.base = Some(value.clone()),
                "--page" => options.page = value.clone(),
                "--vergo" => options.vergo = Some(value.into()),
                _ => bail!("there is no option `{name}`\n{USAGE}"),
            }
        }
        Ok(options)
    }
}

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    if arguments.first().is_some_and(|name| name == "specifications") {
        return specifications::run(&arguments[1..]);
    }
    let is_transformations = arguments.first().is_some_and(|name| name == "transformations");
    let mut options = Options::parse(&arguments[usize::from(is_transformations)..])?;
    if is_transformations {
        options.page = options.page.replace("interpolation", "transformations");
        let chosen = options.engines.iter().all(|name| transformations::arguments(name).is_some());
        if !chosen {
            let names = transformations::VARIANTS.iter().map(|(name, ..)| (*name).to_owned());
            options.engines = names.collect();
        }
    }
    std::fs::create_dir_all(&options.output)?;
    let vergo = match &options.vergo {
        Some(path) => path.clone(),
        None => built_vergo()?,
    };
    let mut tasks = match &options.manifest {
        Some(path) => {
            let mut tasks = read_manifest(path)?;
            // Interpolation decides what can be reached.
            tasks.retain(|task| {
                is_transformations
                    || matches!(task.property.as_str(), "unreach-call" | "no-overflow")
            });
            tasks
        }
        None => own_tasks(&options.output)?,
    };
    if let Some(text) = &options.filter {
        tasks.retain(|task| task.name.contains(text.as_str()));
    }
    let tasks = sample(tasks, options.most);
    ensure!(!tasks.is_empty(), "there are no tasks");
    let records = measure(&options, &tasks, &|task, engine, worker| {
        run_one(&options, &vergo, task, engine, worker)
    })?;
    let (timeout, auxiliary) = (options.timeout as f64, options.auxiliary);
    let study = page::Study { tasks: &tasks, records: &records, timeout, auxiliary };
    let (folder, version) = (root().join("docs/studies"), version(&vergo)?);
    std::fs::create_dir_all(&folder)?;
    let page = match is_transformations {
        true => transformations::write(&options, &study, &version, &folder)?,
        false => study.write(&folder, &options.page, &version)?,
    };
    println!("{}", page.display());
    Ok(())
}

/// Some of the tasks, in their order: which ones depends on their names alone, so that twins are not left out by turns.
pub(crate) fn sample(mut tasks: Vec<Task>, most: usize) -> Vec<Task> {
    // FNV-1a.
    let hash = |name: &str| {
        let start = 0xcbf2_9ce4_8422_2325u64;
        name.bytes()
            .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let mut order: Vec<u64> = tasks.iter().map(|task| hash(&task.name)).collect();
    order.sort_unstable();
    if let Some(&limit) = order.get(most) {
        tasks.retain(|task| hash(&task.name) < limit);
    }
    tasks
}

/// A release build of `vergo`.
pub(crate) fn built_vergo() -> anyhow::Result<PathBuf> {
    step("build", cargo().args(["build", "--release", "--bin", "vergo"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(target.unwrap_or_else(|| root().join("target")).join("release/vergo"))
}

/// The version of a program, which names its commit.
pub(crate) fn version(vergo: &Path) -> anyhow::Result<String> {
    let output = Command::new(vergo).arg("--version").output();
    let output = output.with_context(|| format!("cannot run `{}`", vergo.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A function that runs an engine on a task; it is told which of the workers it runs for.
type RunOne<'a> = &'a (dyn Fn(&Task, &str, usize) -> anyhow::Result<Record> + Sync);

/// Runs every engine on every task, as many at a time as are wanted, and keeps the results in `results.csv`.
fn measure(options: &Options, tasks: &[Task], run_one: RunOne<'_>) -> anyhow::Result<Vec<Record>> {
    let results = options.output.join("results.csv");
    let known: BTreeMap<(String, String), Record> = match options.reuse && results.exists() {
        true => read_records(&std::fs::read_to_string(&results)?)
            .into_iter()
            .map(|record| ((record.task.clone(), record.engine.clone()), record))
            .collect(),
        false => BTreeMap::new(),
    };
    // Each result is kept as soon as it is there, so that `--reuse` goes on after an interruption.
    let kept: Vec<Record> = known.values().cloned().collect();
    std::fs::write(&results, write_records(&kept))?;
    let log = std::fs::OpenOptions::new().append(true).open(&results)?;
    let records = run_all(options, tasks, run_one, &known, &log)?;
    std::fs::write(&results, write_records(&records))?;
    Ok(records)
}

fn run_all(
    options: &Options,
    tasks: &[Task],
    run_one: RunOne<'_>,
    known: &BTreeMap<(String, String), Record>,
    log: &std::fs::File,
) -> anyhow::Result<Vec<Record>> {
    let runs: Vec<(&Task, &String)> = tasks
        .iter()
        .flat_map(|task| options.engines.iter().map(move |engine| (task, engine)))
        .collect();
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Record)>> = Mutex::new(Vec::new());
    let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for worker in 0..options.jobs.max(1) {
            let (runs, next, found, failure) = (&runs, &next, &found, &failure);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((task, engine)) = runs.get(number) else { return };
                    let key = (task.name.clone(), (*engine).clone());
                    let record = match known.get(&key) {
                        Some(record) => Ok(record.clone()),
                        None => run_one(task, engine, worker).and_then(|record| {
                            (&*log).write_all(record.line().as_bytes())?;
                            Ok(record)
                        }),
                    };
                    match record {
                        Ok(record) => {
                            eprintln!(
                                "{}/{} {engine} {}: {} {:.2} s",
                                number + 1,
                                runs.len(),
                                task.name,
                                record.verdict,
                                record.cpu
                            );
                            lock(found).push((number, record));
                        }
                        Err(error) => {
                            lock(failure).get_or_insert(error);
                            return;
                        }
                    }
                }
            });
        }
    });
    if let Some(error) = lock(&failure).take() {
        return Err(error);
    }
    let mut found = std::mem::take(&mut *lock(&found));
    found.sort_by_key(|(number, _)| *number);
    Ok(found.into_iter().map(|(_, record)| record).collect())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn run_one(
    options: &Options,
    vergo: &Path,
    task: &Task,
    engine: &str,
    worker: usize,
) -> anyhow::Result<Record> {
    let report = options.output.join(format!("report-{worker}.json"));
    let _ = std::fs::remove_file(&report);
    let start = Instant::now();
    let mut command = Command::new(vergo);
    command.arg("check");
    match transformations::arguments(engine) {
        Some(arguments) => {
            let base = options.base.iter().flat_map(|engine| ["--engine", engine]);
            command.args(base).args(arguments)
        }
        None => {
            command.args(["--engine", engine]);
            command.args((!options.auxiliary).then_some("--no-auxiliary"))
        }
    };
    let mut child = command
        .args(["--property", &task.property])
        .args(["--data-model", &task.model, "--trace", "none", "--stats"])
        .args(["--timeout", &options.timeout.to_string(), "--memory", &options.memory.to_string()])
        .arg("--json")
        .args([&report, &task.file])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot run `{}`", vergo.display()))?;
    // A run that does not keep its limit is ended.
    let end = start + Duration::from_secs(options.timeout * 2 + 10);
    while child.try_wait()?.is_none() {
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let wall = start.elapsed().as_secs_f64();
    let report = std::fs::read_to_string(&report).ok();
    let report = report.and_then(|text| serde_json::from_str(&text).ok());
    Ok(Record::new(task, engine, report.as_ref(), wall.min(options.timeout as f64)))
}

/// The programs of the repository whose header says what holds, and the families.
fn own_tasks(output: &Path) -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    let folder = root().join("tests/corpus/check/loops");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        let field = |name: &str| {
            let prefix = format!("//@ {name}: ");
            text.lines()
                .find_map(|line| line.strip_prefix(&prefix))
                .map(|value| value.trim().to_owned())
        };
        let (Some(property), Some(verdict)) = (field("property"), field("verdict")) else {
            continue;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tasks.push(Task {
            name,
            file: path,
            property,
            expected: verdict == "true",
            model: "LP64".to_owned(),
            category: "corpus".to_owned(),
            size: None,
        });
    }
    let programs = output.join("programs");
    std::fs::create_dir_all(&programs)?;
    for family in FAMILIES {
        for &size in family.sizes {
            for safe in [true, false] {
                let name =
                    format!("{}-{size}-{}.c", family.name, if safe { "safe" } else { "unsafe" });
                let file = programs.join(&name);
                std::fs::write(&file, (family.program)(size, safe))?;
                tasks.push(Task {
                    name,
                    file,
                    property: "unreach-call".to_owned(),
                    expected: safe,
                    model: "LP64".to_owned(),
                    category: family.name.to_owned(),
                    size: Some(size),
                });
            }
        }
    }
    Ok(tasks)
}

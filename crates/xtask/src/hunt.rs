//! `cargo xtask hunt`: random C programs on which Vergo and gcc are compared, until the time is up.
//!
//! `vergo_testkit::hunt` says what is compared, and why a difference is a wrong answer. Each difference is shrunk
//! to a few lines and written below the folder of `--out`; one that is understood belongs below `tests/regress`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use vergo_testkit::Rng;
use vergo_testkit::hunt::{Count, Difference, FAMILIES, Hunter, Scene};

use crate::shell::{cargo, root, step};

/// The number of programs that gcc compiles at once.
const BATCH: u64 = 48;

struct Options {
    /// The minutes during which new programs are begun; two unless there is a number of programs.
    minutes: Option<f64>,
    /// The number of programs: the same ones on every machine.
    scenes: Option<u64>,
    seed: u64,
    jobs: usize,
    limit: u64,
    family: Option<String>,
    vergo: Option<PathBuf>,
    out: PathBuf,
}

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let options = parse(arguments)?;
    let vergo = match &options.vergo {
        Some(path) => path.clone(),
        None => {
            step("build", cargo().args(["build", "--release", "-p", "vergo"]))?;
            root().join("target/release/vergo")
        }
    };
    let start = Instant::now();
    let minutes = match (options.minutes, options.scenes) {
        (Some(minutes), _) => minutes,
        (None, Some(_)) => f64::from(u16::MAX),
        (None, None) => 2.0,
    };
    let end = start + Duration::from_secs_f64(60.0 * minutes);
    let next = AtomicU64::new(0);
    let found = Mutex::new((Count::default(), Vec::<Difference>::new()));
    thread::scope(|scope| -> anyhow::Result<()> {
        let workers: Vec<_> = (0..options.jobs)
            .map(|_| scope.spawn(|| work(&options, &vergo, end, &next, &found)))
            .collect();
        for worker in workers {
            worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))??;
        }
        Ok(())
    })?;
    let (count, differences) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!(
        "{} scenes ({} of them stop under gcc's sanitizers or crash, {} show nothing), {} questions, {} unknown, {} differences, {:.0} s",
        count.scenes,
        count.violating,
        count.skipped,
        count.questions,
        count.unknown,
        differences.len(),
        start.elapsed().as_secs_f64()
    );
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for found in &differences {
        *kinds.entry(format!("{}: {}", found.scene.family, found.rule)).or_default() += 1;
    }
    for (kind, n) in kinds {
        println!("{n:6} {kind}");
    }
    ensure!(
        differences.is_empty(),
        "{} differences, in {}",
        differences.len(),
        options.out.display()
    );
    Ok(())
}

/// A line is printed whenever so many more scenes have been compared.
const PROGRESS: usize = 500;

fn work(
    options: &Options,
    vergo: &std::path::Path,
    end: Instant,
    next: &AtomicU64,
    found: &Mutex<(Count, Vec<Difference>)>,
) -> anyhow::Result<()> {
    let limit = Duration::from_secs(options.limit);
    let Some(hunter) = Hunter::new(vergo.to_owned(), limit)? else {
        println!("skipped: hunt: no gcc with sanitizers");
        return Ok(());
    };
    while Instant::now() < end {
        let first = next.fetch_add(BATCH, Ordering::Relaxed);
        let n = options.scenes.unwrap_or(u64::MAX / 2);
        if first >= n {
            break;
        }
        let seeds = options.seed + first..options.seed + (first + BATCH).min(n);
        let scenes: Vec<Scene> = seeds.map(|seed| scene(options, seed)).collect();
        let mut count = Count::default();
        let differences = hunter.compare(&scenes, &mut count)?;
        let mut shrunk = Vec::new();
        for one in differences {
            let one = hunter.shrink(one)?;
            write(options, &one)?;
            shrunk.push(one);
        }
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        let before = found.0.scenes;
        found.0 += count;
        found.1.extend(shrunk);
        // Long hunts say how far they are.
        if found.0.scenes / PROGRESS != before / PROGRESS {
            let Count { scenes, questions, unknown, .. } = found.0;
            let n = found.1.len();
            println!("{scenes} scenes, {questions} questions, {unknown} unknown, {n} differences");
        }
    }
    Ok(())
}

fn scene(options: &Options, seed: u64) -> Scene {
    match FAMILIES.iter().find(|family| Some(family.name) == options.family.as_deref()) {
        Some(family) => Scene::of(family, seed, &mut Rng::new(seed)),
        None => Scene::new(seed),
    }
}

fn write(options: &Options, found: &Difference) -> anyhow::Result<()> {
    std::fs::create_dir_all(&options.out)?;
    let path = options.out.join(format!("{}-{}.c", found.scene.family, found.scene.seed));
    println!("{}: {}", path.display(), found.rule);
    std::fs::write(&path, format!("// {}\n{}", found.rule.replace('\n', " "), found.text))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn parse(arguments: &[String]) -> anyhow::Result<Options> {
    let mut options = Options {
        minutes: None,
        scenes: None,
        seed: 1,
        jobs: thread::available_parallelism().map_or(1, usize::from),
        limit: 5,
        family: None,
        vergo: None,
        out: root().join("target/hunt"),
    };
    let mut rest = arguments.iter();
    while let Some(name) = rest.next() {
        let value = rest.next().with_context(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--minutes" => options.minutes = Some(value.parse()?),
            "--scenes" => options.scenes = Some(value.parse()?),
            "--seed" => options.seed = value.parse()?,
            "--jobs" => options.jobs = value.parse()?,
            "--limit" => options.limit = value.parse()?,
            "--family" => {
                let known: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
                ensure!(
                    known.contains(&value.as_str()),
                    "no family {value}; there are {}",
                    known.join(", ")
                );
                options.family = Some(value.clone());
            }
            "--vergo" => options.vergo = Some(PathBuf::from(value)),
            "--out" => options.out = PathBuf::from(value),
            _ => bail!(
                "unknown option {name}; there are --minutes, --scenes, --seed, --jobs, --limit, --family, --vergo, --out"
            ),
        }
    }
    Ok(options)
}

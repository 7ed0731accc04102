//! `vergo prove`: runs the proofs of a project file.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use vergo_driver::{
    CacheStore, Job, PROJECT_FILE, Place, Project, Proof, ProofVerdict, ProveReport, ProveRequest,
    ProveStep,
};

use crate::arguments::{closest, project_file};
use crate::commands::check::cache_store;
use crate::output::{self, Status};

/// Arguments of `vergo prove`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Prove {
    /// Proofs by name, with `*` and `?`; by default all.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The project file; by default vergo.toml here or in a folder around.
    #[arg(long, value_name = "FILE")]
    project: Option<PathBuf>,
    /// Lists the proofs, and runs nothing.
    #[arg(long)]
    list: bool,
    /// Where proofs run: here, or on the machines of a cluster (docs/proofs.md).
    #[arg(long, value_enum, value_name = "WHERE", default_value_t)]
    on: OnArg,
    /// A folder that all machines of the cluster see, by the same path.
    #[arg(long, value_name = "DIR", help_heading = "Clusters")]
    spool: Option<PathBuf>,
    /// The folder of the HyperQueue server; by default that of the user.
    #[arg(long, value_name = "DIR", help_heading = "Clusters")]
    server: Option<PathBuf>,
    /// Where Vergo is on the machines of the cluster; by default where it is here.
    #[arg(long, value_name = "FILE", help_heading = "Clusters")]
    worker: Option<PathBuf>,
    /// The number of proofs that run at the same time here; by default as many as there are cores.
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Seconds for a proof that does not say how many.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    timeout: f64,
    /// Megabytes for a proof that does not say how many; by default a share of what is free.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Megabytes for all proofs that run at the same time; by default what is free.
    #[arg(long, value_name = "MB")]
    total_memory: Option<u64>,
    /// The C preprocessor with its arguments; by default `$CC -E`, or the host's compiler.
    #[arg(long, value_name = "CMD")]
    cpp: Option<String>,
    /// Keeps results with their evidence in a folder, or on a server (http://HOST/PATH); of a proof whose program is as it
    /// was, only the evidence is checked again.
    #[arg(long, value_name = "DIR", value_parser = cache_store)]
    cache: Option<CacheStore>,
    /// Believes `true` of the cache without a check.
    #[arg(long, requires = "cache")]
    trust_cache: bool,
    /// Writes the results as JSON (docs/proofs.md).
    #[arg(long, value_name = "FILE", help_heading = "Output files")]
    json: Option<PathBuf>,
    /// Writes the results as JUnit XML: a test for each proof.
    #[arg(long, value_name = "FILE", help_heading = "Output files")]
    junit: Option<PathBuf>,
    /// Writes what each proof prints into a folder: NAME.txt.
    #[arg(long, value_name = "DIR", help_heading = "Output files")]
    logs: Option<PathBuf>,
    /// Prints nothing but the last line.
    #[arg(long, short)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Each proof is a process with limits of its own. The last line of standard output is `RESULT: true` if all proofs hold, and else the \
worst result; the exit status is 0, 10 if a proof is false, 2 if one could not be run, 20 if one is unknown, and 70 for a \
bug in Vergo.

Examples:
  vergo prove                          all proofs of vergo.toml
  vergo prove 'list_*' --timeout 300   some, with more time
  vergo prove list_push                one, with everything that it prints
  vergo prove --on slurm --spool ~/s   on the nodes of a cluster
  vergo import cbmc . && vergo prove   the proofs of a project that uses CBMC";

/// Where proofs run.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug, Default)]
enum OnArg {
    /// On this machine.
    #[default]
    Local,
    /// On the workers of a HyperQueue server.
    #[value(name = "hyperqueue")]
    HyperQueue,
    /// On the nodes of a Slurm cluster.
    Slurm,
}

/// A time in seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("a number of seconds is needed, such as 60 or 0.5".to_owned()),
    }
}

impl Prove {
    pub(crate) fn run(&self) -> Status {
        let (folder, proofs) = match self.proofs() {
            Ok(found) => found,
            Err(message) => {
                output::warn(&message);
                return Status::BadInput;
            }
        };
        if self.list {
            return output::print(
                proofs.iter().map(|proof| proof.name.clone() + "\n").collect::<String>(),
            );
        }
        let request = match self.request(folder) {
            Ok(request) => request,
            Err(message) => {
                output::warn(&message);
                return Status::BadInput;
            }
        };
        let progress = Running { of: proofs.len(), quiet: self.quiet, state: Mutex::default() };
        let report = vergo_driver::prove(&proofs, &request, &|step| progress.hear(step));
        progress.end();
        match report {
            Ok(report) => self.finish(&report),
            Err(message) => {
                output::warn(&message);
                Status::BadInput
            }
        }
    }

    /// The proofs that are asked for, and the folder of the project.
    fn proofs(&self) -> Result<(PathBuf, Vec<Proof>), String> {
        let missing = || {
            format!(
                "there is no {PROJECT_FILE}; write one (docs/proofs.md), or run `vergo import cbmc` in a project with proofs for CBMC"
            )
        };
        let path = self.project.clone().or_else(project_file).ok_or_else(missing)?;
        let mut job = Job::default();
        let project = Project::read(&mut job, &path).map_err(|_| {
            output::diagnostics(&mut job);
            format!("`{}` cannot be used", path.display())
        })?;
        if project.proofs.is_empty() {
            return Err(format!(
                "`{}` names no proofs; write [proofs.NAME] tables (docs/proofs.md)",
                path.display()
            ));
        }
        let all = project.proofs.all(&project.folder)?;
        for name in &self.names {
            if !all.iter().any(|proof| vergo_driver::matches_name(name, &proof.name)) {
                let names = all.iter().map(|proof| proof.name.as_str());
                let similar = closest(name, names).map(|name| format!("; did you mean `{name}`?"));
                return Err(format!("there is no proof `{name}`{}", similar.unwrap_or_default()));
            }
        }
        let is_wanted = |proof: &Proof| {
            self.names.is_empty()
                || self.names.iter().any(|name| vergo_driver::matches_name(name, &proof.name))
        };
        Ok((project.folder, all.into_iter().filter(is_wanted).collect()))
    }

    fn request(&self, folder: PathBuf) -> Result<ProveRequest, String> {
        for path in [&self.json, &self.junit].into_iter().flatten() {
            output::can_write(path)?;
        }
        if let Some(folder) = &self.logs {
            output::make_folder(folder)?;
        }
        let program = std::env::current_exe()
            .map_err(|error| format!("the program does not find itself: {error}"))?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.unwrap_or(cores).max(1);
        // A part stays for everything else.
        let free = output::free_memory().map_or(4 << 30, |free| free / 10 * 9);
        let memory_of_all =
            self.total_memory.map_or(free, |megabytes| megabytes.saturating_mul(1 << 20));
        let share = (memory_of_all / jobs as u64).max(256 << 20);
        let memory = self.memory.map_or(share, |megabytes| megabytes.saturating_mul(1 << 20));
        let preprocessor = self.cpp.iter().map(|cpp| format!("--cpp={cpp}")).collect();
        let mut arguments = Vec::new();
        match &self.cache {
            Some(CacheStore::Folder(folder)) => {
                // Proofs run in the folder of the project.
                let folder = std::path::absolute(folder)
                    .map_err(|error| format!("`{}`: {error}", folder.display()))?;
                arguments.push(format!("--cache={}", folder.display()));
            }
            Some(CacheStore::Http { host, path }) => {
                arguments.push(format!("--cache=http://{host}{path}"));
            }
            None => {}
        }
        if self.trust_cache {
            arguments.push("--trust-cache".to_owned());
        }
        let timeout = Duration::try_from_secs_f64(self.timeout).unwrap_or(Duration::MAX);
        // A time that is no duration is a very long one.
        let timeout = timeout.min(Duration::from_secs(1 << 30));
        Ok(ProveRequest {
            program,
            version: crate::VERSION.to_owned(),
            folder,
            preprocessor,
            arguments,
            place: self.place()?,
            worker: self.worker.clone(),
            jobs,
            timeout,
            memory,
            memory_of_all,
        })
    }

    fn place(&self) -> Result<Place, String> {
        let spool = || -> Result<PathBuf, String> {
            let missing = "name a folder that all machines of the cluster see: `--spool DIR`";
            let folder = self.spool.clone().ok_or(missing)?;
            output::make_folder(&folder)?;
            std::path::absolute(&folder).map_err(|error| format!("`{}`: {error}", folder.display()))
        };
        match self.on {
            OnArg::Local => Ok(Place::Local),
            OnArg::HyperQueue => {
                Ok(Place::HyperQueue { spool: spool()?, server: self.server.clone() })
            }
            OnArg::Slurm => Ok(Place::Slurm { spool: spool()? }),
        }
    }

    /// Prints and writes the results.
    fn finish(&self, report: &ProveReport) -> Status {
        let mut status = match report.worst() {
            None | Some(ProofVerdict::True) => Status::Done,
            Some(ProofVerdict::False(_)) => Status::False,
            Some(ProofVerdict::Unknown(_)) => Status::Unknown,
            Some(ProofVerdict::Rejected(_)) => Status::BadInput,
            Some(ProofVerdict::Crashed(_)) => Status::Internal,
        };
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        files.extend(self.json.iter().map(|path| (path.clone(), report.json())));
        files.extend(self.junit.iter().map(|path| (path.clone(), report.junit())));
        if let Some(folder) = &self.logs {
            let logs = report.results.iter();
            files.extend(
                logs.map(|one| (folder.join(format!("{}.txt", one.name)), one.output.clone())),
            );
        }
        for (path, text) in files {
            if output::write(&path, text.as_bytes()) != Status::Done {
                status = Status::BadInput;
            }
        }
        let mut text = String::new();
        if !self.quiet {
            if let [one] = &report.results[..] {
                text.push_str(
                    one.output
                        .lines()
                        .filter(|line| !line.starts_with("RESULT: "))
                        .map(|line| format!("{line}\n"))
                        .collect::<String>()
                        .as_str(),
                );
            }
            text.push_str(&report.table());
        }
        let last = match report.worst() {
            None | Some(ProofVerdict::True) => "true".to_owned(),
            Some(ProofVerdict::False(property)) => format!("false({property})"),
            Some(other) => format!("unknown({})", other.detail()),
        };
        match output::print(format!("{text}RESULT: {last}\n")) {
            Status::Done => status,
            failed => failed,
        }
    }
}

/// The running proofs, for people who wait.
struct Running {
    of: usize,
    quiet: bool,
    state: Mutex<(usize, BTreeMap<String, Instant>)>,
}

impl Running {
    fn hear(&self, step: ProveStep<'_>) {
        let Ok(mut state) = self.state.lock() else { return };
        let (n_done, running) = &mut *state;
        match step {
            ProveStep::Began(name) => {
                running.insert(name.to_owned(), Instant::now());
            }
            ProveStep::Ended(result) => {
                *n_done += 1;
                running.remove(&result.name);
            }
            ProveStep::Lost(name, _) => {
                running.remove(name);
            }
        }
        if self.quiet {
            return;
        }
        if let ProveStep::Lost(name, reason) = step {
            output::note(&format!("{name} was lost and is run again: {reason}"));
            return;
        }
        if !std::io::stderr().is_terminal() {
            if let ProveStep::Ended(result) = step {
                let (word, seconds) = (result.verdict.word(), result.time.as_secs_f64());
                let name = &result.name;
                output::note(&format!("{n_done}/{} {word} {name} ({seconds:.1} s)", self.of));
            }
            return;
        }
        // Who has been running longest is named first: that is what one waits for.
        let mut names: Vec<(&Instant, &String)> =
            running.iter().map(|(name, since)| (since, name)).collect();
        names.sort();
        let names: Vec<String> = names
            .iter()
            .map(|(since, name)| format!("{name} ({} s)", since.elapsed().as_secs()))
            .collect();
        output::transient(&format!("{n_done} of {}: {}", self.of, names.join(", ")));
    }

    fn end(&self) {
        if !self.quiet && std::io::stderr().is_terminal() {
            output::transient("");
        }
    }
}

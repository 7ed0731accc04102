//! Many proofs: each a process of its own with limits, here or on other machines.
//!
//! A proof is `vergo check` with the options of the project file, run in its folder. A process, because one that runs out of memory,
//! hangs or dies takes no other with it. The processes get the limits of time and memory and answer by themselves when these are
//! used up; one that does not is ended from outside.
//!
//! Where they run is behind one trait, `Machines`, with a file for each answer: `local` for this machine, `hyperqueue` and
//! `slurm` for clusters. Other machines get a `bundle`. Whoever runs proofs may lose some or run some twice: what is lost is
//! submitted again, and of several results the first counts.

mod bundle;
mod hyperqueue;
mod local;
mod process;
mod report;
mod run_folder;
mod slurm;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::project::Proof;
use bundle::Bundles;
pub use bundle::work;
use hyperqueue::HyperQueue;
use local::Local;
use process::Limits;
pub use report::ProveReport;
use run_folder::RunFolder;
use slurm::Slurm;

/// A request to run proofs.
#[derive(Clone, Debug)]
pub struct ProveRequest {
    /// The program that proves: Vergo itself.
    pub program: PathBuf,
    /// Which program it is, to the commit: workers have to be the same.
    pub version: String,
    /// The folder of the project file.
    pub folder: PathBuf,
    /// Further arguments that the user gives and that say how C is preprocessed.
    pub preprocessor: Vec<String>,
    /// Further arguments of `vergo check` that the user gives.
    pub arguments: Vec<String>,
    /// Where proofs run.
    pub place: Place,
    /// The program that proves on other machines; by default the same.
    pub worker: Option<PathBuf>,
    /// The number of proofs that run at the same time on this machine.
    pub jobs: usize,
    /// The time limit of a proof that does not have its own.
    pub timeout: Duration,
    /// The memory limit, in bytes, of a proof that does not have its own.
    pub memory: u64,
    /// The memory limit, in bytes, of all proofs on this machine together.
    pub memory_of_all: u64,
}

impl ProveRequest {
    /// The program that proves on other machines.
    fn worker(&self) -> &Path {
        self.worker.as_deref().unwrap_or(&self.program)
    }
}

/// Where proofs run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// On this machine.
    Local,
    /// On the workers of a HyperQueue server, which its folder stands for; by default that of the user.
    HyperQueue {
        /// A folder that all machines see.
        spool: PathBuf,
        /// The server's folder.
        server: Option<PathBuf>,
    },
    /// On the nodes of a Slurm cluster.
    Slurm {
        /// A folder that all machines see.
        spool: PathBuf,
    },
}

/// The verdict on a proof.
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
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// A proof was lost by the machine that it ran on, for this reason, and is run again.
    Lost(&'a str, &'a str),
}

/// A proof that is to be run.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Job {
    name: String,
    limits: Limits,
    /// The arguments of `vergo check`, in the folder of the project; for other machines the name of a bundle.
    what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    Arguments(Vec<String>),
    Bundle(String),
}

/// The state of a job; jobs have numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
enum JobState {
    /// It has begun.
    Running,
    /// There is a result.
    Ended,
    /// There is none, and nobody works on it any more.
    Lost(String),
}

/// Machines that run jobs.
trait Machines {
    /// Hands jobs over, by number.
    ///
    /// # Errors
    /// If they are not taken; the message says why.
    fn submit(&mut self, jobs: &[usize]) -> Result<(), String>;

    /// Returns the changes since the last time. The same one may be told twice.
    ///
    /// # Errors
    /// If the machines cannot be asked any more.
    fn poll(&mut self) -> Result<Vec<(usize, JobState)>, String>;

    /// The result of a job that has ended; none if it cannot be read.
    fn fetch(&mut self, job: usize) -> Option<ProofResult>;

    /// Ends what runs and forgets what waits.
    fn cancel(&mut self);
}

/// Time between looks at the machines.
const LOOK: Duration = Duration::from_millis(20);
/// The number of times that a proof is submitted before it counts as lost.
const MOST_TRIES: u32 = 3;

/// Runs proofs; `hear` is told of each step.
///
/// # Errors
/// If the machines cannot be used; the message says why.
pub fn prove(
    proofs: &[Proof],
    request: &ProveRequest,
    hear: &dyn Fn(ProveStep<'_>),
) -> Result<ProveReport, String> {
    let start = Instant::now();
    let mut run = Run { results: vec![None; proofs.len()], hear };
    let mut jobs: Vec<Job> = Vec::new();
    // The proof of each job.
    let mut of: Vec<usize> = Vec::new();
    let made: Vec<Result<What, String>> = match &request.place {
        Place::Local => proofs.iter().map(|proof| arguments(proof, request)).collect(),
        Place::HyperQueue { spool, .. } | Place::Slurm { spool } => {
            Bundles::new(spool, request).of_all(proofs)
        }
    };
    for (index, what) in made.into_iter().enumerate() {
        let proof = &proofs[index];
        match what {
            Ok(what) => {
                jobs.push(Job { name: proof.name.clone(), limits: limits(proof, request), what });
                of.push(index);
            }
            Err(message) => run.end(index, nothing(proof, ProofVerdict::Rejected(message))),
        }
    }
    if !jobs.is_empty() {
        match &request.place {
            Place::Local => run.follow(&mut Local::new(&jobs, request), proofs, &of)?,
            Place::HyperQueue { spool, server } => {
                let folder = RunFolder::new(spool, &jobs)?;
                let mut machines = HyperQueue::new(folder, request, server.as_deref());
                run.follow(&mut machines, proofs, &of)?;
            }
            Place::Slurm { spool } => {
                let folder = RunFolder::new(spool, &jobs)?;
                run.follow(&mut Slurm::new(folder, &jobs, request)?, proofs, &of)?;
            }
        }
    }
    let results = run.results.into_iter().flatten().collect();
    Ok(ProveReport { results, time: start.elapsed() })
}

/// The results so far.
struct Run<'a> {
    results: Vec<Option<ProofResult>>,
    hear: &'a dyn Fn(ProveStep<'_>),
}

impl Run<'_> {
    /// Takes a result, unless there is one.
    fn end(&mut self, proof: usize, result: ProofResult) {
        if self.results[proof].is_none() {
            (self.hear)(ProveStep::Ended(&result));
            self.results[proof] = Some(result);
        }
    }

    /// Has jobs run until each has a result; `of` are their proofs.
    fn follow(
        &mut self,
        machines: &mut dyn Machines,
        proofs: &[Proof],
        of: &[usize],
    ) -> Result<(), String> {
        let followed = self.follow_to_the_end(machines, proofs, of);
        if followed.is_err() {
            machines.cancel();
        }
        followed
    }

    fn follow_to_the_end(
        &mut self,
        machines: &mut dyn Machines,
        proofs: &[Proof],
        of: &[usize],
    ) -> Result<(), String> {
        let mut n_tries = vec![1; of.len()];
        let all: Vec<usize> = (0..of.len()).collect();
        machines.submit(&all)?;
        while of.iter().any(|&proof| self.results[proof].is_none()) {
            let mut lost = Vec::new();
            for (job, state) in machines.poll()? {
                let proof = of[job];
                if self.results[proof].is_some() {
                    continue;
                }
                let name = &proofs[proof].name;
                let reason = match state {
                    JobState::Running => {
                        (self.hear)(ProveStep::Began(name));
                        continue;
                    }
                    JobState::Ended => match machines.fetch(job) {
                        Some(result) => {
                            self.end(proof, result);
                            continue;
                        }
                        None => "its result cannot be read".to_owned(),
                    },
                    JobState::Lost(reason) => reason,
                };
                if n_tries[job] < MOST_TRIES {
                    n_tries[job] += 1;
                    (self.hear)(ProveStep::Lost(name, &reason));
                    lost.push(job);
                } else {
                    let verdict = ProofVerdict::Unknown(format!("lost: {reason}"));
                    self.end(proof, nothing(&proofs[proof], verdict));
                }
            }
            if !lost.is_empty() {
                machines.submit(&lost)?;
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }
}

/// The result of a proof that was not run.
fn nothing(proof: &Proof, verdict: ProofVerdict) -> ProofResult {
    let (time, memory, output) = (Duration::ZERO, 0, String::new());
    ProofResult { name: proof.name.clone(), verdict, time, memory, output }
}

/// A proof as it is run in its own folder.
fn arguments(proof: &Proof, request: &ProveRequest) -> Result<What, String> {
    let mut arguments = request.preprocessor.clone();
    arguments.extend(request.arguments.iter().cloned());
    arguments.extend(proof.arguments(&request.folder)?);
    Ok(What::Arguments(arguments))
}

fn limits(proof: &Proof, request: &ProveRequest) -> Limits {
    let megabytes = proof.number("memory").filter(|megabytes| *megabytes >= 1.0);
    let memory =
        megabytes.map_or(request.memory, |megabytes| (megabytes as u64).saturating_mul(1 << 20));
    let seconds = proof.number("timeout");
    let time = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or(request.timeout);
    Limits { time, memory }
}

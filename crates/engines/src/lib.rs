//! One verification algorithm per file, and the registry of them.
//!
//! An engine takes a [`Task`], an instrumented program, and an [`Environment`] (budget, who wants to hear of progress),
//! and gives a verdict that carries its evidence. Adding one is a file with `run` (on the
//! program) or `prove` (on its transition system), and a row below.

mod affine;
mod algebraic;
mod auxiliary;
mod cells;
mod elements;
mod essential;
mod executions;
mod features;
mod gathered;
mod goals;
mod guided;
mod inequalities;
mod locations;
mod loop_facts;
mod on_system;
mod open_claims;
pub mod safety;
mod sources;
mod tabulation;
#[cfg(test)]
mod thread_programs;
mod turns;

pub use features::has_large_arrays;
pub use loop_facts::loop_facts;
pub use ranking::prove_termination;
pub use witness_index::{Refined, refined};

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use vergo_evidence::{Certify, ClaimKey, Counterexample, Mismatch, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_smt::Budget;
use vergo_source::Span;
use vergo_symex::LoopBounds;

/// A task: verify that no claim of the program can be violated.
pub struct Task<'a> {
    /// The program, instrumented with the claims that are asked for and no others.
    pub program: &'a Program,
    /// The bounds and options of engines.
    pub unrolling: &'a Unrolling,
    /// The reaction to a violated claim.
    pub on_violation: OnViolation,
    /// Says whether proofs are written down for others to check, by engines that can.
    pub certify: Certify,
    /// The goal that the claims of the program serve.
    pub goal: Goal<'a>,
    /// A smaller program that goes wrong whenever this one does, if somebody has made one.
    pub abstraction: Option<&'a Abstraction>,
}

/// Programs that go wrong whenever another one does. Nothing is believed of them: they say in which direction to look.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The programs, from the coarsest to the finest: an alarm of one may be none of the next.
    pub steps: Vec<Program>,
    /// The lines of the source that places of all these programs stand on.
    pub lines: BTreeMap<Span, u32>,
}

/// The goal of a task.
#[derive(Clone, Copy, Default)]
pub enum Goal<'a> {
    /// No claim can be violated.
    #[default]
    Safety,
    /// No execution goes on for ever, or none in a way that is not wanted.
    Recurrence(Recurrence<'a>),
}

/// A question about infinite executions. The program of the task is instrumented: its claims are violated where a state
/// comes twice.
#[derive(Clone, Copy)]
pub struct Recurrence<'a> {
    /// The program itself. If all of its executions end, that is an answer, too.
    pub original: &'a Program,
    /// Says of a verdict on the instrumented program why it is none on the original.
    pub counts: &'a Counts<'a>,
}

/// A judgement of verdicts.
pub type Counts<'a> = dyn Fn(&Verdict) -> Result<(), Reason> + Sync + 'a;

/// The bounds and options of bounded model checking, and the facts that the engines on transition systems begin with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unrolling {
    /// A bound on the undecided rounds of loops.
    pub unwind: Option<u32>,
    /// Other bounds for some loops.
    pub loop_bounds: LoopBounds,
    /// True if claims are first tried without the assumptions that share no variable with them.
    pub slice_assumptions: bool,
    /// True if engines on transition systems get no auxiliary invariants, as in the literature on them.
    pub without_auxiliary: bool,
    /// The order in which engines that run at once are heard.
    pub order: Order,
}

/// The order in which engines that run at once are heard.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they have something to tell: the fastest.
    #[default]
    ByClock,
    /// By the work that they have done: the same on every machine.
    ByWork,
}

/// The reaction of an engine to a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnViolation {
    /// It answers.
    #[default]
    Stop,
    /// It may report the violation as a [`Finding`] and go on without the claim; the verdict is then about the claims
    /// that were not found violated. An engine that cannot answers with the first violation all the same, and is run
    /// again without the claim.
    GoOn,
}

/// The environment of an engine.
pub struct Environment<'a> {
    /// Time, memory, cancellation.
    pub budget: Budget,
    /// The listener for progress.
    pub progress: &'a dyn Fn(Progress),
}

/// All that a run of an engine has shown.
#[derive(Debug)]
pub struct Outcome {
    /// The verdict on the claims that have no finding of their own.
    pub verdict: Verdict,
    /// Claims that were decided, or given up, before the end.
    pub findings: Vec<Finding>,
    /// The effort that it took.
    pub effort: Effort,
    /// Bugs of ours that showed themselves.
    pub faults: Vec<String>,
}

/// A claim that is done with, with [`OnViolation::GoOn`].
#[derive(Clone, Debug)]
pub enum Finding {
    /// It is violated.
    Violated(Box<Counterexample>),
    /// Nothing will be known of it, and why.
    GivenUp(ClaimKey, Reason),
}

impl Finding {
    /// Which claim it is.
    pub fn key(&self) -> ClaimKey {
        match self {
            Finding::Violated(counterexample) => counterexample.key(),
            Finding::GivenUp(key, _) => key.clone(),
        }
    }
}

/// The reports of an engine while it runs.
#[derive(Clone, Debug)]
pub enum Progress {
    /// A bound is being looked at.
    Bound {
        /// The engine that looks at it, once that is known; see [`Progress::by`].
        engine: Option<EngineId>,
        /// The bound.
        unwind: u32,
        /// Terms made so far.
        terms: usize,
        /// Claims, cut loops and the like that are to be shown.
        obligations: usize,
    },
    /// The number of claims without a verdict, told by the owner of their table.
    Left(usize),
    /// The effort of the engine so far.
    Spent(Box<Effort>),
    /// A claim is done with.
    Found(Finding),
    /// A bug of ours: an engine panicked, or claimed what is not so. Others may go on; whoever asked hears of it.
    Fault(String),
}

impl Progress {
    /// The same, told by an engine, if it does not say already by which one.
    fn by(mut self, teller: EngineId) -> Progress {
        if let Progress::Bound { engine, .. } = &mut self {
            engine.get_or_insert(teller);
        }
        self
    }
}

vergo_smt::counters! {
    /// The effort of an engine.
    pub struct Effort {
        /// The greatest bound that was looked at.
        max unwind: u32,
        /// Obligations at that bound.
        sum obligations: usize,
        /// Terms made.
        sum terms: usize,
        /// Questions whether another round or activation is possible.
        sum prune_queries: u64,
        /// Rounds and activations that were left out for it.
        sum pruned: u64,
        /// Time in symbolic execution, without these questions.
        sum symex_time: Duration,
        /// Time in replays.
        sum replay_time: Duration,
        /// The solver's counters.
        sum solver: vergo_smt::Stats,
        /// The counters of engines on transition systems.
        sum search: safety::Statistics,
        /// Loop heads of the transition system.
        max loops: usize,
    }
}

/// Everything that the registry knows of an engine.
pub struct EngineInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// One line for listings.
    pub summary: &'static str,
    /// The algorithm.
    pub algorithm: Algorithm,
}

/// The algorithm of an engine, by the input that it works on.
pub enum Algorithm {
    /// The program.
    OnProgram(fn(&Task<'_>, &Environment<'_>) -> Verdict),
    /// The program's transition system.
    OnSystem(safety::Prover),
}

/// Declares the engines.
macro_rules! engines {
    (@algorithm program $module:ident) => { Algorithm::OnProgram($module::run) };
    (@algorithm system $module:ident) => { Algorithm::OnSystem($module::prove) };
    ($($variant:ident = $module:ident, $name:literal on $what:ident: $summary:literal;)*) => {
        $(mod $module;)*

        /// An engine of the registry.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum EngineId {
            $(#[doc = $summary] $variant,)*
        }

        impl EngineId {
            /// All engines in order of name.
            pub const ALL: &'static [EngineId] = &[$(EngineId::$variant),*];

            /// Returns the registry's row of the engine.
            pub fn info(self) -> &'static EngineInfo {
                match self {
                    $(EngineId::$variant => &EngineInfo {
                        name: $name,
                        summary: $summary,
                        algorithm: engines!(@algorithm $what $module),
                    },)*
                }
            }
        }
    };
}

engines! {
    Bmc = bmc, "bmc" on program: "Bounded model checking at a fixed bound";
    BmcIncremental = bmc_incremental, "bmc-incremental" on program: "Bounded model checking with growing bounds";
    Contracts = contracts, "contracts" on program: "Contracts of recursive functions";
    Dar = dar, "dar" on system: "Dual approximated reachability";
    Exploration = exploration, "exploration" on program: "Every schedule of threads, executed state by state";
    Imc = imc, "imc" on system: "Interpolation-based model checking";
    Impact = impact, "impact" on system: "Lazy abstraction with interpolants";
    Interleavings = interleavings, "interleavings" on program: "All orders of the steps of threads, within bounds";
    Ismc = ismc, "ismc" on system: "Interpolation-sequence-based model checking";
    Kind = kind, "kind" on system: "k-induction";
    Localisation = localisation, "localisation" on program: "Proofs with few of the variables";
    Pdr = pdr, "pdr" on system: "Property-directed reachability over the bits of the state";
    Portfolio = portfolio, "portfolio" on program: "Several engines at once; the first with evidence answers";
    Predabs = predabs, "predabs" on system: "Predicate abstraction with refinement by interpolants";
    Races = races, "races" on program: "Race freedom by facts about one thread at a time";
    Ranking = ranking, "ranking" on program: "Termination by lexicographic measures";
    Sampling = sampling, "sampling" on program: "Concrete executions with simple and random inputs";
    Schedules = schedules, "schedules" on program: "Concrete executions of threads with random schedules";
    Shapes = shapes, "shapes" on program: "Memory with lists of any length";
    ThreadModular = thread_modular, "thread-modular" on program: "Invariants of what locks protect, for one thread at a time";
    WitnessIndex = witness_index, "witness-index" on program: "Arrays by elements at arbitrary indices, confirmed on the program";
}

impl Default for EngineId {
    /// Returns the engine that is used when none is named.
    fn default() -> EngineId {
        EngineId::Portfolio
    }
}

impl EngineId {
    /// Runs the engine. That it is at fault is told as progress, too.
    pub fn run(self, task: &Task<'_>, env: &Environment<'_>) -> Outcome {
        let progress = |step: Progress| (env.progress)(step.by(self));
        let env = Environment { budget: env.budget.clone(), progress: &progress };
        outcome(&env, |env| self.verdict(task, env))
    }

    fn verdict(self, task: &Task<'_>, env: &Environment<'_>) -> Verdict {
        match self.info().algorithm {
            Algorithm::OnProgram(run) => run(task, env),
            Algorithm::OnSystem(prove) => on_system::run(task, env, prove),
        }
    }

    /// The engine of a name on the command line.
    pub fn from_name(name: &str) -> Option<EngineId> {
        EngineId::ALL.iter().copied().find(|engine| engine.info().name == name)
    }
}

/// Collects all that an engine tells while it decides.
fn outcome(env: &Environment<'_>, decide: impl FnOnce(&Environment<'_>) -> Verdict) -> Outcome {
    let (findings, faults) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    let effort = Cell::new(Effort::default());
    let progress = |step: Progress| {
        match &step {
            Progress::Bound { .. } | Progress::Left(_) => {}
            Progress::Spent(spent) => effort.set(**spent),
            Progress::Found(finding) => findings.borrow_mut().push(finding.clone()),
            Progress::Fault(what) => faults.borrow_mut().push(what.clone()),
        }
        (env.progress)(step);
    };
    let verdict = decide(&Environment { budget: env.budget.clone(), progress: &progress });
    if let Verdict::Unknown(Reason::Fault(what)) = &verdict {
        progress(Progress::Fault(what.clone()));
    }
    let (findings, faults) = (findings.take(), faults.take());
    Outcome { verdict, findings, effort: effort.get(), faults }
}

impl Environment<'_> {
    /// Returns the budget of a replay: a few seconds, but not much longer than the time that is left.
    pub fn replay_budget(&self) -> Budget {
        const MOST_WORK: u64 = 5_000_000_000;
        const SHORTEST: Duration = Duration::from_millis(300);
        let deadline = self.budget.deadline.map(|end| end.max(Instant::now() + SHORTEST));
        Budget { deadline, end: None, cancel: None, ..self.budget.clone() }.at_most(MOST_WORK)
    }
}

/// The reason why a violation that a formula allows is not an execution, as far as one can say.
fn no_replay(given_up: Option<&str>, mismatch: Option<Mismatch>) -> Reason {
    let mut reason = "a counterexample could not be replayed".to_owned();
    if let Some(what) = given_up {
        reason += &format!(" because of {what}");
    }
    if let Some(mismatch) = mismatch {
        reason += &format!(": {mismatch}");
    }
    Reason::Incomplete(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_is_sorted_and_names_are_found() {
        assert!(EngineId::ALL.windows(2).all(|w| w[0].info().name < w[1].info().name));
        for &engine in EngineId::ALL {
            assert_eq!(EngineId::from_name(engine.info().name), Some(engine));
        }
    }
}

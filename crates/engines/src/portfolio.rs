//! Several engines at once; the first that has evidence answers.
//!
//! **Idea.** Engines differ in what they are good at, and no one knows beforehand which a program needs, though its
//! [`Features`] are a hint: they choose among the [`STRATEGIES`]. Each entrant of the strategy runs in a thread of its
//! own, from its own moment on, so that on one core the system interleaves them and on several they are parallel. The
//! engines on transition systems share one encoding, of which each has a copy. The first verdict with evidence wins and
//! cancels the others; nobody waits for them to stop.
//!
//! **Soundness.** It adds nothing to what the engines say. An engine that panics is named in the answer if none
//! of the others has one, and does not disturb them.
//!
//! **Determinism.** First is who needs the least work, not who is first by the clock of the machine: [`crate::turns`]. So the
//! same engine answers with the same evidence each time, unless the time is over before. The reasons in `unknown` are in the
//! order of the table.

use crate::features::Features;
use crate::{
    Abstraction, Algorithm, Effort, EngineId, Environment, Finding, Goal, OnViolation, Progress, Recurrence, Task,
    Unrolling, on_system,
};
use crate::turns::{Heard, Turns};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use vergo_evidence::{Certificate, Certify, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_smt::{Budget, CancelToken, Meter, StopReason};
use vergo_term::TermStore;

/// An engine of a strategy.
pub(crate) struct Entrant {
    engine: EngineId,
    /// The work of the others after which it begins.
    after: u64,
    /// The part of all work after which it ends, in hundredths; none if it goes on to the end.
    until: Option<u64>,
}

/// An engine that begins when the others have done what takes about so many milliseconds.
pub(crate) const fn entrant(engine: EngineId, after_millis: u64) -> Entrant {
    Entrant { engine, after: after_millis * 1_000_000, until: None }
}

impl Entrant {
    const fn until(self, until: u64) -> Entrant {
        Entrant { until: Some(until), ..self }
    }
}

/// Engines for programs of one kind.
struct Strategy {
    /// Which programs it is for.
    when: fn(&Features) -> bool,
    /// Who takes part. On one core everybody slows down everybody else, so who seldom wins at once begins later.
    entrants: &'static [Entrant],
}

/// The strategies. A program gets the first that is for it; a new one is a new entry, before those that are less special.
static STRATEGIES: &[Strategy] = &[
    // Threads.
    Strategy {
        when: |features| features.threads,
        entrants: &[
            // Race freedom, if that is what is claimed; it takes no time.
            entrant(EngineId::Races, 0),
            // Bugs that show themselves in executions that are tried.
            entrant(EngineId::Schedules, 0),
            // Claims about what locks protect, of any number of threads.
            entrant(EngineId::ThreadModular, 0),
            // Every schedule, where there are no inputs and few states: proofs also where threads wait in loops.
            entrant(EngineId::Exploration, 0),
            // All orders of steps within bounds: proofs for threads that end, and bugs that need many things in one order.
            entrant(EngineId::Interleavings, 0),
            // If threads are started where nothing leads, this one sees it.
            entrant(EngineId::BmcIncremental, 0),
        ],
    },
    // Nothing is executed twice.
    Strategy {
        when: |features| !features.loops && !features.recursion,
        entrants: &[
            // One formula is all there is to ask; on a system of one step the others would ask the same.
            entrant(EngineId::BmcIncremental, 0),
            // If it is a hard one, the execution of a bug may be easier to find than to infer.
            entrant(EngineId::Sampling, 1000).until(50),
        ],
    },
    // No choices, so one execution.
    Strategy {
        when: |features| !features.choices,
        entrants: &[
            // The only execution decides, however long it is.
            entrant(EngineId::Sampling, 0).until(70),
            // If it does not end, or depends on addresses, it says nothing: the others are as below, but later.
            entrant(EngineId::BmcIncremental, 200),
            // Lists on the heap.
            entrant(EngineId::Shapes, 200).until(30),
            entrant(EngineId::Kind, 300),
            entrant(EngineId::Pdr, 1500),
            entrant(EngineId::Imc, 2000),
            entrant(EngineId::Dar, 4000),
        ],
    },
    // A harness: who wrote it had bounded model checking in mind, so that loops have few rounds or contracts.
    Strategy {
        when: |features| features.harness && !features.recursion,
        entrants: &[
            // All executions.
            entrant(EngineId::BmcIncremental, 0),
            // Bugs that any execution shows.
            entrant(EngineId::Sampling, 0).until(5),
            // Loops without bounds after all; until then nobody slows down who seldom fails. One after another: on few cores
            // five at once leave it a fifth of the time.
            entrant(EngineId::Kind, 12_000),
            entrant(EngineId::Localisation, 20_000),
            entrant(EngineId::Pdr, 30_000),
            entrant(EngineId::Imc, 40_000),
            entrant(EngineId::Dar, 45_000),
        ],
    },
    // Much code: what an engine has to do before it can begin takes most of the time.
    Strategy {
        when: |features| features.large,
        entrants: &[
            // Claims that depend on few variables, and ways to their violation.
            entrant(EngineId::Localisation, 0),
            // Bugs that any execution shows.
            entrant(EngineId::Sampling, 0).until(10),
            // Short executions.
            entrant(EngineId::BmcIncremental, 300),
            // Lists on the heap, of any length.
            entrant(EngineId::Shapes, 500).until(30),
            // Recursion without a bound; the others have to inline all calls.
            entrant(EngineId::Contracts, 2000),
            entrant(EngineId::Kind, 2000),
            entrant(EngineId::Pdr, 4000),
        ],
    },
    // Functions that call themselves.
    Strategy {
        when: |features| features.recursion,
        entrants: &[
            // Bugs that any execution shows.
            entrant(EngineId::Sampling, 0).until(20),
            // Few calls: bugs near the beginning, and recursion with an end.
            entrant(EngineId::BmcIncremental, 0),
            // Recursion without a bound, which nobody else follows.
            entrant(EngineId::Contracts, 50),
            // Claims that depend on few variables, in programs of any size.
            entrant(EngineId::Localisation, 100),
            // What is recursive may turn out to be never called.
            entrant(EngineId::Shapes, 300).until(20),
            entrant(EngineId::Kind, 600),
            entrant(EngineId::Pdr, 1500),
        ],
    },
    // Everything else.
    Strategy {
        when: |_| true,
        entrants: &[
            // Bugs that any execution shows, however long; what it does not find soon it will not find.
            entrant(EngineId::Sampling, 0).until(20),
            // Short executions: bugs near the beginning, and programs whose loops have few rounds.
            entrant(EngineId::BmcIncremental, 0),
            // Lists on the heap, of any length, which nobody else follows; without them it withdraws at once.
            entrant(EngineId::Shapes, 20).until(40),
            // Properties that are inductive as they stand, or nearly; cheap and often enough.
            entrant(EngineId::Kind, 50),
            // Claims that depend on few variables, in programs of any size.
            entrant(EngineId::Localisation, 150),
            // Invariants about bits and few words.
            entrant(EngineId::Pdr, 1000),
            // Invariants that relate words, found in short refutations.
            entrant(EngineId::Imc, 1700),
            // As imc, where unrolling is what costs.
            entrant(EngineId::Dar, 3500),
        ],
    },
];

/// The further entrants where the question is about infinite executions.
static ENDING: &[Entrant] = &[entrant(EngineId::Ranking, 0)];

/// The further entrants where there is an abstraction of large arrays: executions that it leads to.
static LARGE_ARRAYS: &[Entrant] = &[entrant(EngineId::WitnessIndex, 200)];

/// The entrants for a program.
fn entrants(features: &Features) -> &'static [Entrant] {
    let chosen = STRATEGIES.iter().find(|strategy| (strategy.when)(features));
    chosen.map_or(&[], |strategy| strategy.entrants)
}

/// The reason of an engine that has not tried.
const NOT_TRIED: Reason = Reason::Withdrawn("nothing was left to do");

/// The stack of a thread; what recurses grows its own beyond that.
const STACK: usize = 16 << 20;

/// The time that engines may take to stop when the budget is spent; after it nobody waits for them.
const GRACE: Duration = Duration::from_millis(500);

/// The part of a race's effort that is counted as the work of its caller, per unit of its engines' clocks.
const RACE_WORK: u64 = 1;

/// An event that a thread reports.
enum Event {
    Progress(EngineId, Progress),
    Ended(EngineId, Verdict),
}

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    race(task, env, entrants(&Features::of(task.program)))
}

/// Runs these engines at once.
pub(crate) fn race(
    task: &Task<'_>,
    env: &Environment<'_>,
    entrants: &'static [Entrant],
) -> Verdict {
    let mut doubts = Vec::new();
    if let (Goal::Recurrence(of), Some(certificate)) =
        (task.goal, Certificate::no_claims(task.program))
    {
        // No state is looked at.
        let verdict = Verdict::True(certificate);
        match (of.counts)(&verdict) {
            Ok(()) => return verdict,
            Err(reason) => doubts.push((EngineId::Portfolio, reason)),
        }
    }
    let for_goal = match (task.goal, task.abstraction) {
        (Goal::Recurrence(_), _) => ENDING,
        (Goal::Safety, Some(_)) => LARGE_ARRAYS,
        (Goal::Safety, None) => &[],
    };
    let is_on_program = |entrant: &Entrant| {
        matches!(entrant.engine.info().algorithm, Algorithm::OnProgram(_))
    };
    // Only bounded model checking writes down what others can check.
    let takes_part = |entrant: &&Entrant| task.certify == Certify::Off || is_on_program(entrant);
    let entrants: Vec<&'static Entrant> =
        for_goal.iter().chain(entrants).filter(takes_part).collect();
    let cancel = CancelToken::new();
    let until_cancelled =
        Budget { cancel: Some(cancel.clone()), end: None, ..env.budget.clone() };
    let begin = entrants.iter().map(|entrant| entrant.after).collect();
    let runner = Runner {
        program: Arc::new(task.program.clone()),
        original: original(&task.goal),
        abstraction: task.abstraction.cloned().map(Arc::new),
        unrolling: task.unrolling.clone(),
        on_violation: task.on_violation,
        certify: task.certify,
        turns: Arc::new(Turns::new(begin, until_cancelled.clone(), task.unrolling.order)),
        work: env.budget.left().map(|left| left / RACE_WORK),
        budget: until_cancelled,
    };
    let mut on_system = Vec::new();
    for (number, &entrant) in entrants.iter().enumerate() {
        if !is_on_program(entrant) {
            on_system.push((number, entrant));
            continue;
        }
        let own = runner.clone();
        let spawned = spawn(move || {
            own.run(number, entrant, |env| entrant.engine.verdict(&own.task(), env));
        });
        if !spawned {
            runner.end(number, 0, entrant.engine, Verdict::Unknown(no_thread()));
        }
    }
    let own = (runner.clone(), on_system.clone());
    if !spawn(move || own.0.run_on_system(own.1)) {
        runner.end_all(&on_system, &no_thread());
    }
    let turns = Arc::clone(&runner.turns);
    drop(runner);
    let verdict = listen(env, &turns, &cancel, task.goal, doubts);
    cancel.cancel();
    verdict
}

/// Runs something in a thread of its own; false if there is none to be had. Nobody waits for its end: an engine that
/// has been cancelled may be in the middle of something.
fn spawn(act: impl FnOnce() + Send + 'static) -> bool {
    thread::Builder::new().stack_size(STACK).spawn(act).is_ok()
}

/// Passes on what threads tell until one has evidence or all have ended. `reasons` are those that are there already.
fn listen(
    env: &Environment<'_>,
    turns: &Turns<Event>,
    cancel: &CancelToken,
    goal: Goal<'_>,
    mut reasons: Vec<(EngineId, Reason)>,
) -> Verdict {
    let mut efforts: BTreeMap<EngineId, Effort> = BTreeMap::new();
    // What one engine gives up, another may still prove.
    let mut given_up = Vec::new();
    let mut over_since = None;
    // Where a verdict on the instrumented program does not count, others seldom do: only a measure is waited for.
    let mut is_doubted = !reasons.is_empty();
    // How much of the work has been counted.
    let mut counted = 0;
    let mut count = |clock: u64| {
        env.budget.spend(clock.saturating_sub(counted) * RACE_WORK);
        counted = clock.max(counted);
    };
    loop {
        if is_doubted && reasons.iter().any(|(engine, _)| *engine == EngineId::Ranking) {
            break;
        }
        if env.budget.interrupted().is_some_and(|reason| reason != StopReason::Effort) {
            cancel.cancel();
            if over_since.get_or_insert_with(Instant::now).elapsed() > GRACE {
                break;
            }
        }
        let event = match turns.hear() {
            Heard::Message(clock, event) => {
                count(clock);
                event
            }
            Heard::Nothing(clock) => {
                count(clock);
                continue;
            }
            Heard::Silence => break,
        };
        match event {
            Event::Progress(engine, Progress::Found(finding @ Finding::GivenUp(..))) => {
                given_up.push((engine, finding));
            }
            Event::Progress(engine, Progress::Spent(effort)) => {
                efforts.insert(engine, *effort);
                let all = efforts.values().copied().sum();
                (env.progress)(Progress::Spent(Box::new(all)));
            }
            Event::Progress(engine, Progress::Fault(what)) => {
                (env.progress)(Progress::Fault(format!("{}: {what}", engine.info().name)));
            }
            Event::Progress(engine, progress) => (env.progress)(progress.by(engine)),
            Event::Ended(engine, Verdict::Unknown(reason)) => {
                reasons.push((engine, reason));
            }
            Event::Ended(engine, verdict) => {
                if let Err(reason) = counts(goal, engine, &verdict) {
                    is_doubted = true;
                    reasons.push((engine, reason));
                    continue;
                }
                for (_, finding) in given_up.into_iter().filter(|(by, _)| *by == engine) {
                    (env.progress)(Progress::Found(finding));
                }
                return verdict;
            }
        }
    }
    for (_, finding) in given_up {
        (env.progress)(Progress::Found(finding));
    }
    reasons.sort_by_key(|(engine, _)| *engine);
    let named = reasons.into_iter().map(|(engine, reason)| (engine.info().name, reason)).collect();
    Verdict::Unknown(Reason::Several(env.budget.exhausted(), named))
}

/// The program that infinite executions are asked about.
fn original(goal: &Goal<'_>) -> Option<Arc<Program>> {
    match goal {
        Goal::Safety => None,
        Goal::Recurrence(of) => Some(Arc::new(of.original.clone())),
    }
}

/// Fails if the verdict of an engine is none on the goal.
fn counts(goal: Goal<'_>, engine: EngineId, verdict: &Verdict) -> Result<(), Reason> {
    match goal {
        // What measures prove they prove of the program itself.
        Goal::Recurrence(of) if engine != EngineId::Ranking => (of.counts)(verdict),
        Goal::Recurrence(_) | Goal::Safety => Ok(()),
    }
}

/// The reason of an engine that there is no thread for.
fn no_thread() -> Reason {
    Reason::incomplete("no thread could be made")
}

/// The data with which a thread runs its engine.
#[derive(Clone)]
struct Runner {
    program: Arc<Program>,
    original: Option<Arc<Program>>,
    abstraction: Option<Arc<Abstraction>>,
    unrolling: Unrolling,
    on_violation: OnViolation,
    certify: Certify,
    turns: Arc<Turns<Event>>,
    /// The work that each may do; any if there is none.
    work: Option<u64>,
    budget: Budget,
}

impl Runner {
    fn task(&self) -> Task<'_> {
        let (on_violation, certify) = (self.on_violation, self.certify);
        let goal = match &self.original {
            // Who counts verdicts is whoever listens.
            Some(original) => Goal::Recurrence(Recurrence { original, counts: &|_| Ok(()) }),
            None => Goal::Safety,
        };
        let abstraction = self.abstraction.as_deref();
        Task { program: &self.program, unrolling: &self.unrolling, on_violation, certify, goal, abstraction }
    }

    /// Runs an engine when its moment has come.
    fn run(
        &self,
        number: usize,
        entrant: &Entrant,
        engine: impl FnOnce(&Environment<'_>) -> Verdict,
    ) {
        if !self.turns.may_begin(number) {
            return self.end(number, 0, entrant.engine, Verdict::Unknown(NOT_TRIED));
        }
        let meter = self.turns.meter(vec![number], self.turns.clock(number));
        let until = entrant.until.and_then(|part| Some(self.budget.share? / 100 * part));
        let verdict = self.guarded(number, entrant.engine, &meter, until, engine);
        let verdict = verdict.unwrap_or_else(Verdict::Unknown);
        self.end(number, meter.spent(), entrant.engine, verdict);
    }

    /// Tells that an engine has ended, and that it is at fault if it is.
    fn end(&self, number: usize, at: u64, engine: EngineId, verdict: Verdict) {
        if let Verdict::Unknown(Reason::Fault(what)) = &verdict {
            let fault = Progress::Fault(what.clone());
            self.turns.tell(number, at, Event::Progress(engine, fault));
        }
        self.turns.tell(number, at, Event::Ended(engine, verdict));
        self.turns.end(number);
    }

    /// Encodes the program and runs the engines on its transition system.
    fn run_on_system(&self, entrants: Vec<(usize, &'static Entrant)>) {
        let Some(&(number, first)) = entrants.first() else { return };
        if !self.turns.may_begin(number) {
            return self.end_all(&entrants, &NOT_TRIED);
        }
        let mut store = TermStore::new();
        let all = entrants.iter().map(|&(number, _)| number).collect();
        let meter = self.turns.meter(all, self.turns.clock(number));
        let prepared = self.guarded(number, first.engine, &meter, None, |env| {
            on_system::prepare(&self.task(), env, &mut store)
        });
        let prepared = match prepared {
            Ok(Ok(prepared)) if !prepared.has_loops() => {
                return self.end_all(&entrants, &Reason::Withdrawn("there are no loops"));
            }
            Ok(Ok(prepared)) => Arc::new(prepared),
            Ok(Err(reason)) | Err(reason) => return self.end_all(&entrants, &reason),
        };
        // Where no engine has to search, one is enough.
        let n_needed = if prepared.suffices() { 1 } else { entrants.len() };
        self.end_all(&entrants[n_needed..], &Reason::Withdrawn("what is known suffices"));
        for &(number, entrant) in &entrants[..n_needed] {
            let Algorithm::OnSystem(prove) = entrant.engine.info().algorithm else { continue };
            let (runner, prepared) = (self.clone(), Arc::clone(&prepared));
            let mut store = store.clone();
            let spawned = spawn(move || {
                runner.run(number, entrant, |env| {
                    on_system::decide(&runner.program, env, &mut store, &prepared, prove)
                });
            });
            if !spawned {
                self.end(number, 0, entrant.engine, Verdict::Unknown(no_thread()));
            }
        }
    }

    fn end_all(&self, entrants: &[(usize, &Entrant)], reason: &Reason) {
        for &(number, entrant) in entrants {
            self.end(number, 0, entrant.engine, Verdict::Unknown(reason.clone()));
        }
    }

    /// Runs something that may panic, in an environment of its own and up to a reading of its meter. A panic is a fault.
    fn guarded<T>(
        &self,
        number: usize,
        engine: EngineId,
        meter: &Meter,
        until: Option<u64>,
        act: impl FnOnce(&Environment<'_>) -> T,
    ) -> Result<T, Reason> {
        let end = [until, self.work].into_iter().flatten().min();
        let budget = Budget { meter: meter.clone(), end, ..self.budget.clone() };
        let progress =
            |progress| self.turns.tell(number, meter.spent(), Event::Progress(engine, progress));
        let env = Environment { budget, progress: &progress };
        catch_unwind(AssertUnwindSafe(|| act(&env))).map_err(|payload| {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            Reason::Fault(text.unwrap_or_else(|| "a panic".to_owned()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        vergo_goto::text::parse(text).unwrap_or_else(|error| panic!("{error}"))
    }

    fn environment() -> Environment<'static> {
        let budget = Budget::within(Duration::from_secs(60));
        Environment { budget, progress: &|_| {} }
    }

    fn task(program: &Program) -> Task<'_> {
        let (on_violation, certify) = (OnViolation::Stop, Certify::Off);
        static UNROLLING: Unrolling =
            Unrolling {
                unwind: None,
                loop_bounds: BTreeMap::new(),
                slice_assumptions: false,
                without_auxiliary: false,
                order: crate::Order::ByWork,
            };
        Task { program, unrolling: &UNROLLING, on_violation, certify, goal: Goal::Safety, abstraction: None }
    }

    const EMPTY: &str = "entry main; function main: fn() -> void labels 0 { end 0i32; }";

    /// Returns the data to run so many engines.
    fn runner(program: Program, n: usize) -> Runner {
        Runner {
            program: Arc::new(program),
            original: None,
            abstraction: None,
            unrolling: Unrolling::default(),
            on_violation: OnViolation::Stop,
            certify: Certify::Off,
            turns: Arc::new(Turns::new(vec![0; n], Budget::unlimited(), crate::Order::ByWork)),
            work: None,
            budget: Budget::unlimited(),
        }
    }

    /// The verdict of the engines, and the faults that were named.
    fn heard(runner: &Runner) -> (Verdict, Vec<String>) {
        let cancel = CancelToken::new();
        let outcome = crate::outcome(&environment(), |env| {
            listen(env, &runner.turns, &cancel, Goal::Safety, Vec::new())
        });
        (outcome.verdict, outcome.faults)
    }

    #[test]
    fn a_panic_is_named_and_disturbs_nobody() {
        let runner = runner(program(EMPTY), 2);
        runner.run(0, &entrant(EngineId::Kind, 0), |_| panic!("out of tea"));
        runner.run(1, &entrant(EngineId::Bmc, 0), |_| Verdict::Unknown(Reason::bound()));
        let (verdict, faults) = heard(&runner);
        assert_eq!(faults, ["kind: out of tea"]);
        let Verdict::Unknown(reason) = verdict else { panic!("{verdict:?}") };
        let reason = reason.to_string();
        assert_eq!(reason, "bmc: the bound is too small; kind: internal error: out of tea");
    }

    #[test]
    fn others_go_on_when_one_panics_or_lies() {
        let program = program(EMPTY);
        let runner = runner(program.clone(), 3);
        runner.run(0, &entrant(EngineId::Kind, 0), |_| panic!("out of tea"));
        runner.run(1, &entrant(EngineId::Pdr, 0), |_| {
            Verdict::Unknown(Reason::Fault("a proof was rejected".to_owned()))
        });
        let certificate = vergo_evidence::Certificate::no_claims(&program).expect("there are none");
        runner.run(2, &entrant(EngineId::Bmc, 0), |_| Verdict::True(certificate));
        let (verdict, faults) = heard(&runner);
        assert!(matches!(verdict, Verdict::True(_)), "{verdict:?}");
        assert_eq!(faults, ["kind: out of tea", "pdr: a proof was rejected"]);
    }

    #[test]
    fn the_verdict_with_the_least_work_wins_however_slow_it_is() {
        let program = program(EMPTY);
        let runner = runner(program.clone(), 2);
        let verdict = |work: u64, env: &Environment<'_>| {
            env.budget.spend(work);
            Verdict::True(Certificate::no_claims(&program).expect("there are none"))
        };
        thread::scope(|scope| {
            scope.spawn(|| runner.run(0, &entrant(EngineId::Bmc, 0), |env| verdict(9_000_000, env)));
            scope.spawn(|| {
                runner.run(1, &entrant(EngineId::Kind, 0), |env| {
                    thread::sleep(Duration::from_millis(100));
                    (env.progress)(Progress::Fault("kind was heard first".to_owned()));
                    verdict(5_000_000, env)
                });
            });
            let (verdict, faults) = heard(&runner);
            assert!(matches!(verdict, Verdict::True(_)), "{verdict:?}");
            assert_eq!(faults, ["kind: kind was heard first"]);
        });
    }

    #[test]
    fn each_strategy_is_for_some_program() {
        let any = Features { loops: true, choices: true, ..Features::default() };
        // In the order of the table.
        let cases = [
            Features { threads: true, ..any },
            Features { loops: false, ..any },
            Features { choices: false, ..any },
            Features { harness: true, ..any },
            Features { large: true, ..any },
            Features { recursion: true, ..any },
            any,
        ];
        let chosen = cases.map(|features| entrants(&features).as_ptr());
        let all: Vec<_> = STRATEGIES.iter().map(|strategy| strategy.entrants.as_ptr()).collect();
        assert_eq!(chosen[..], all);
    }

    #[test]
    fn entrants_are_in_the_order_in_which_they_begin() {
        for strategy in STRATEGIES {
            assert!(strategy.entrants.is_sorted_by_key(|entrant| entrant.after));
        }
    }

    #[test]
    fn loops_without_bound_are_decided() {
        // The counter is even for ever, and so never three.
        let text = |limit: u32| {
            format!(
                "entry main; sites 1;
                 function main: fn() -> void labels 1 {{
                     local x: u32 align 4;
                     local again: bool align 1;
                     decl x;
                     decl again;
                     x := 0u32;
                   L0:
                     assert x != {limit}u32 \"reach\" \"not there\";
                     x := x + 2u32;
                     again := #nondet<bool>(0);
                     if again goto L0;
                     end 0i32;
                 }}"
            )
        };
        let safe = program(&text(3));
        let verdict = run(&task(&safe), &environment());
        assert!(matches!(&verdict, Verdict::True(c) if c.kind() == "invariant"), "{verdict:?}");
        let violated = program(&text(6));
        let verdict = run(&task(&violated), &environment());
        assert!(matches!(verdict, Verdict::False(_)), "{verdict:?}");
    }

    #[test]
    fn where_verdicts_do_not_count_a_measure_answers() {
        // The counter comes to ten, or goes on for ever.
        let text = |step: u32| {
            program(&format!(
                "entry main; sites 1;
                 function main: fn() -> void labels 2 {{
                     local x: u32 align 4;
                     decl x;
                     x := #nondet<u32>(0);
                     assume x < 10u32;
                   L0:
                     if x >= 10u32 goto L1;
                     assert x < 10u32 \"reach\" \"within\";
                     x := x + {step}u32;
                     goto L0;
                   L1:
                     end 0i32;
                 }}"
            ))
        };
        let counts = |_: &Verdict| Err(Reason::incomplete("no state recurs"));
        let verdict = |original: &Program| {
            let goal = Goal::Recurrence(Recurrence { original, counts: &counts });
            run(&Task { goal, ..task(original) }, &environment())
        };
        let ends = verdict(&text(1));
        assert!(matches!(&ends, Verdict::True(proof) if proof.is_of_termination()), "{ends:?}");
        let Verdict::Unknown(reason) = verdict(&text(0)) else { panic!("it never ends") };
        let reason = reason.to_string();
        assert!(reason.contains("no state recurs") && reason.contains("ranking: "), "{reason}");
    }
}

//! Several engines at once; the first that has evidence answers.
//!
//! **Idea.** Engines differ in what they are good at, and no one knows beforehand which a program needs. Each
//! entrant of the [`STRATEGY`] runs in a thread of its own, from its own moment on, so that on one core the system
//! interleaves them and on several they are parallel. The engines on transition systems share one encoding, of
//! which each has a copy. The first verdict with evidence wins and cancels the others.
//!
//! **Soundness.** It adds nothing to what the engines say. An engine that panics is named in the answer if none
//! of the others has one, and does not disturb them.
//!
//! **Determinism.** Which engine answers first depends on time; what is answered does not, for a verdict with
//! evidence is the same whoever gives it. The reasons in `unknown` are in the order of the table.

use crate::safety::Prover;
use crate::{Algorithm, EngineId, Environment, Finding, Progress, Task, on_system};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use vergo_evidence::Verdict;
use vergo_smt::{Budget, CancelToken};
use vergo_term::TermStore;

/// An engine of a strategy.
struct Entrant {
    engine: EngineId,
    /// When it begins, counted from the beginning of all.
    after: Duration,
}

const fn entrant(engine: EngineId, after_millis: u64) -> Entrant {
    Entrant { engine, after: Duration::from_millis(after_millis) }
}

/// Who takes part, and from when on. Nothing is chosen by features of the program: encoding fails fast where
/// engines on systems can do nothing, and bounded model checking costs little where it is of no use.
const STRATEGY: &[Entrant] = &[
    // Short executions: bugs near the beginning, and programs whose loops have few rounds.
    entrant(EngineId::BmcIncremental, 0),
    // Properties that are inductive as they stand, or nearly; cheap and often enough.
    entrant(EngineId::Kind, 0),
    // Invariants about bits and few words.
    entrant(EngineId::Pdr, 200),
    // Invariants that relate words, found in short refutations.
    entrant(EngineId::Imc, 200),
    // As imc, where unrolling is what costs.
    entrant(EngineId::Dar, 2000),
];

/// The stack of a thread; what recurses grows its own beyond that.
const STACK: usize = 16 << 20;

/// How often the budget is looked at while nobody tells anything.
const PATIENCE: Duration = Duration::from_millis(50);

/// What threads tell.
enum Event {
    Progress(Progress),
    Found(Finding),
    Ended(EngineId, Verdict),
}

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    let start = Instant::now();
    let cancel = CancelToken::new();
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let (on_program, on_systems): (Vec<&Entrant>, Vec<&Entrant>) = STRATEGY
            .iter()
            .partition(|entrant| matches!(entrant.engine.info().algorithm, Algorithm::OnProgram(_)));
        let mut n_running = STRATEGY.len();
        for entrant in on_program {
            let runner = Runner { start, cancel: &cancel, budget: &env.budget, sender: sender.clone() };
            let spawned = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || runner.run(entrant, |env| entrant.engine.run(task, env)));
            n_running -= usize::from(spawned.is_err());
        }
        let runner = Runner { start, cancel: &cancel, budget: &env.budget, sender };
        let n_systems = on_systems.len();
        let spawned = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, move || runner.run_on_system(task, on_systems));
        if spawned.is_err() {
            n_running -= n_systems;
        }
        let verdict = listen(env, &receiver, &cancel, n_running);
        cancel.cancel();
        verdict
    })
}

/// Passes on what threads tell until one has evidence or all have ended.
fn listen(
    env: &Environment<'_>,
    receiver: &Receiver<Event>,
    cancel: &CancelToken,
    mut n_running: usize,
) -> Verdict {
    let mut reasons: Vec<(EngineId, String)> = Vec::new();
    while n_running > 0 {
        if env.budget.interrupted().is_some() {
            cancel.cancel();
        }
        let event = match receiver.recv_timeout(PATIENCE) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        match event {
            Event::Progress(progress) => (env.progress)(progress),
            Event::Found(finding) => (env.found)(finding),
            Event::Ended(engine, Verdict::Unknown(reason)) => {
                n_running -= 1;
                reasons.push((engine, reason));
            }
            Event::Ended(_, verdict) => return verdict,
        }
    }
    Verdict::Unknown(why(env, reasons))
}

/// The reasons of all engines in one.
fn why(env: &Environment<'_>, mut reasons: Vec<(EngineId, String)>) -> String {
    reasons.sort();
    let cause = env.budget.exhausted().map(|reason| reason.name().to_owned());
    let others: Vec<String> = reasons
        .iter()
        .filter(|(_, reason)| Some(reason) != cause.as_ref() && reason != "cancelled")
        .map(|(engine, reason)| format!("{}: {reason}", engine.info().name))
        .collect();
    match (cause, others.is_empty()) {
        (Some(cause), true) => cause,
        (Some(cause), false) => format!("{cause}; {}", others.join("; ")),
        (None, _) => others.join("; "),
    }
}

/// What a thread runs its engine with.
struct Runner<'a> {
    start: Instant,
    cancel: &'a CancelToken,
    budget: &'a Budget,
    sender: Sender<Event>,
}

impl Runner<'_> {
    /// Runs an engine when its moment has come.
    fn run(&self, entrant: &Entrant, engine: impl FnOnce(&Environment<'_>) -> Verdict) {
        let verdict = match self.wait_for(entrant.after) {
            false => Verdict::Unknown("cancelled".to_owned()),
            true => self.guarded(engine),
        };
        // Nobody listens any more once somebody else has won.
        let _ = self.sender.send(Event::Ended(entrant.engine, verdict));
    }

    /// Encodes the program and runs the engines on its transition system.
    fn run_on_system(&self, task: &Task<'_>, entrants: Vec<&Entrant>) {
        let mut store = TermStore::new();
        let prepared = catch_unwind(AssertUnwindSafe(|| {
            self.with_environment(|env| on_system::prepare(task.program, env, &mut store))
        }));
        let prepared = match prepared {
            Ok(Ok(prepared)) => prepared,
            Ok(Err(reason)) => return self.end_all(&entrants, &reason),
            Err(payload) => return self.end_all(&entrants, &panic_text(&*payload)),
        };
        let (store, prepared) = (&store, &prepared);
        thread::scope(|scope| {
            for entrant in entrants {
                let Algorithm::OnSystem(prove) = entrant.engine.info().algorithm else { continue };
                let run = move || self.prove(task, entrant, store.clone(), prepared, prove);
                let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
                if spawned.is_err() {
                    self.end_all(&[entrant], "no thread could be made");
                }
            }
        });
    }

    fn prove(
        &self,
        task: &Task<'_>,
        entrant: &Entrant,
        mut store: TermStore,
        prepared: &on_system::Prepared,
        prove: Prover,
    ) {
        self.run(entrant, |env| on_system::decide(task.program, env, &mut store, prepared, prove));
    }

    fn end_all(&self, entrants: &[&Entrant], reason: &str) {
        for entrant in entrants {
            let verdict = Verdict::Unknown(reason.to_owned());
            let _ = self.sender.send(Event::Ended(entrant.engine, verdict));
        }
    }

    /// Waits until a moment; false if it is all over by then.
    fn wait_for(&self, after: Duration) -> bool {
        let moment = self.start + after;
        while !self.cancel.is_cancelled() && self.budget.interrupted().is_none() {
            let now = Instant::now();
            if now >= moment {
                return true;
            }
            thread::sleep((moment - now).min(Duration::from_millis(20)));
        }
        false
    }

    /// Runs something that may panic.
    fn guarded(&self, engine: impl FnOnce(&Environment<'_>) -> Verdict) -> Verdict {
        catch_unwind(AssertUnwindSafe(|| self.with_environment(engine)))
            .unwrap_or_else(|payload| Verdict::Unknown(panic_text(&*payload)))
    }

    fn with_environment<T>(&self, act: impl FnOnce(&Environment<'_>) -> T) -> T {
        let budget = Budget { cancel: Some(self.cancel.clone()), ..self.budget.clone() };
        let progress = |progress| drop(self.sender.send(Event::Progress(progress)));
        let found = |finding| drop(self.sender.send(Event::Found(finding)));
        act(&Environment { budget, progress: &progress, found: &found })
    }
}

fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    format!("internal error: {}", text.unwrap_or_else(|| "a panic".to_owned()))
}

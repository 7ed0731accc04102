//! Arrays by elements at arbitrary indices: an abstraction shows where to look, and the program itself is what is decided.
//!
//! **Idea.** Loops over large arrays are long executions and large formulas. Their abstraction by witness indices (the crate
//! `arrays`, from C to C) has neither the arrays nor the loops, and bounded model checking decides it at once. An alarm of it
//! comes with choices: what was read into the element at the witness index, and what else was chosen on the way. The
//! program is executed with the same values at the same lines; a line that is executed more often, such as one in a loop over
//! the array, gets its values again and again, or the last one for ever. If that violates a claim, it is a violation, and if
//! not, the alarm was one of the abstraction. Where the abstraction has no alarm, all the time that is left is for a proof on
//! the program with watched indices (`ts::watch`), which is the same idea inside of the engines: first with what claims
//! need of elements ([`goals`](crate::goals)), then by k-induction with whatever facts there are.
//!
//! **Source.** Jana, Khedker, Datar, Venkatesh, Niyas: Scaling Bounded Model Checking By Transforming Programs With Arrays.
//!
//! **Soundness.** Nothing rests on the abstraction. `false` is an execution of the interpreter on the program itself; `true`
//! is the certificate of a proof of the program itself.

use crate::kind::prove;
use crate::on_system::run_for_goals;
use crate::{Abstraction, EngineId, Environment, Goal, OnViolation, Task};
use std::collections::BTreeMap;
use vergo_evidence::{Certify, Counterexample, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_interp::{InputValue, Request, Schedule};
use vergo_source::Span;

/// The part of the time in which abstractions are looked at.
const SHARE: u32 = 4;
/// The part of that for one of them, and for one attempt to follow its alarm.
const STEP_SHARE: u32 = 2;

/// The use of the abstraction's choices at a line that is executed more than once.
#[derive(Clone, Copy)]
enum Again {
    /// The last one for ever.
    Last,
    /// All from the beginning.
    Cycle,
    /// The first one for ever.
    First,
}

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    let Some(abstraction) = task.abstraction else {
        return Verdict::Unknown(Reason::Withdrawn("no arrays of the program were abstracted"));
    };
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("it has no proofs for others to check"));
    }
    let shown = Environment { budget: env.budget.part(SHARE), progress: env.progress };
    let prove_goals = || run_for_goals(task, env, prove);
    let proved = match refined(task, abstraction, &shown) {
        Refined::Real(_, violation) => return Verdict::False(violation),
        Refined::NoAlarm(_) => env.budget.at_the_end(prove_goals),
        Refined::Open => prove_goals(),
    };
    if let Some(verdict @ Verdict::True(_)) = proved {
        return verdict;
    }
    match env.budget.exhausted() {
        Some(reason) => Verdict::Unknown(reason.into()),
        None => EngineId::Kind.verdict(task, env),
    }
}

/// The end of a refinement: at which step it came.
#[derive(Debug)]
pub enum Refined {
    /// An abstraction has no alarm.
    NoAlarm(usize),
    /// An alarm of an abstraction is one of the program.
    Real(usize, Box<Counterexample>),
    /// No alarm was real, or an abstraction was not decided.
    Open,
}

/// Looks at abstractions of a program from the coarsest to the finest, until one has no alarm or an alarm is real.
pub fn refined(task: &Task<'_>, abstraction: &Abstraction, env: &Environment<'_>) -> Refined {
    for (step, program) in abstraction.steps.iter().enumerate() {
        let alarm = match decide(task, program, env) {
            Verdict::True(_) => return Refined::NoAlarm(step),
            Verdict::False(alarm) => alarm,
            // What is too large for this is not made smaller by refinement.
            Verdict::Unknown(_) => return Refined::Open,
        };
        for again in [Again::Last, Again::Cycle, Again::First] {
            if let Some(found) = follow(task, abstraction, &alarm, again, env) {
                return Refined::Real(step, Box::new(found));
            }
        }
    }
    Refined::Open
}

/// Decides an abstraction by bounded model checking in a part of the time.
fn decide(task: &Task<'_>, program: &Program, env: &Environment<'_>) -> Verdict {
    // What it tells is about another program.
    let quiet = Environment { budget: env.budget.part(STEP_SHARE), progress: &|_| {} };
    let task = Task {
        program,
        unrolling: task.unrolling,
        on_violation: OnViolation::Stop,
        certify: Certify::Off,
        goal: Goal::Safety,
        abstraction: None,
    };
    EngineId::BmcIncremental.verdict(&task, &quiet)
}

/// The execution of the program that chooses what an alarm of the abstraction chose, if it violates a claim.
fn follow(
    task: &Task<'_>,
    abstraction: &Abstraction,
    alarm: &Counterexample,
    again: Again,
    env: &Environment<'_>,
) -> Option<Counterexample> {
    let line = |span| abstraction.lines.get(&span).copied();
    let chosen = |request: &Request<'_>| -> Vec<InputValue> {
        let Some(at) = line(request.span) else { return Vec::new() };
        let same = alarm.inputs().iter();
        let same = same.filter(|input| input.ty == request.ty && line(input.span) == Some(at));
        same.map(|input| input.value.clone()).collect()
    };
    // By place: what is chosen there, and how often that was asked for.
    let mut places: BTreeMap<Span, (Vec<InputValue>, usize)> = BTreeMap::new();
    let inputs = move |request: &Request<'_>| {
        let (values, n_used) =
            places.entry(request.span).or_insert_with(|| (chosen(request), 0));
        let at = match again {
            _ if values.is_empty() => return Ok(InputValue::zero(request.ty)),
            Again::Last => (*n_used).min(values.len() - 1),
            Again::Cycle => *n_used % values.len(),
            Again::First => 0,
        };
        *n_used += 1;
        Ok(values[at].clone())
    };
    let budget = env.budget.part(STEP_SHARE);
    Counterexample::search(task.program, inputs, Schedule::RoundRobin, u64::MAX, &budget).ok()
}

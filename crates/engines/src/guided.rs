//! Looks for a violation along ways that an abstraction of the program has found.
//!
//! **Idea.** A violation of a program with few of its variables ([`crate::localisation`]) is a sequence of branches and
//! calls in the functions that matter. Those in loops say what is done how often and in which order, which is what bounded
//! search has no idea of. Symbolic execution of the whole program keeps to these, and executes whatever is called besides in all
//! ways, so that the formula is about as large as the way is long. What pointers from outside point to is
//! made when it is looked at. Where no execution goes on as the way says, the last branch before that the localised program could
//! have taken otherwise is taken by no further way in the same state.
//!
//! **Source.** Directed symbolic execution: Ma, Khoo, Foster, Hicks, "Directed symbolic execution", SAS 2011,
//! doi 10.1007/978-3-642-23702-7_11; the abstract counterexample as the direction: Clarke, Grumberg, Jha, Lu, Veith, CAV 2000.
//!
//! **Soundness.** Nothing is proved here; what is found is replayed. That a branch is taken by no further way can hide
//! violations, which is no answer either.

use crate::tabulation::{Blocked, Step, Tabulated, led_functions, tabulate};
use crate::{Environment, Task};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_analysis::cfg::Cfg;
use vergo_evidence::{Choices, Counterexample};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program};
use vergo_passes::localise::Origins;
use vergo_smt::{Answer, Solver, SolverOptions};
use vergo_symex::{
    ObligationKind, Options, Trace, Turn, WORK_BETWEEN_LOOKS, execute, relevant_constraints,
};
use vergo_term::{TermId, TermStore};

/// Undecided rounds of loops beside the way.
const UNWIND: u32 = 2;
/// Rounds of loops beside the way that are not undecided.
const DECIDED: u64 = 4000;

/// A violation of a program along a way through a localised one.
pub(crate) fn search(
    task: &Task<'_>,
    env: &Environment<'_>,
    weaker: &Program,
    origins: &Origins,
) -> Option<Counterexample> {
    let mut blocked = Blocked::default();
    let led = led_functions(weaker);
    loop {
        let Tabulated::Violated(way) = tabulate(weaker, &blocked, &env.budget.part(4)) else {
            return None;
        };
        let turns = turns(task.program, weaker, origins, &led, &way);
        let n_turns = match follow(task, env, &turns) {
            Followed::Found(found) => return Some(*found),
            Followed::Lost(n_turns) => n_turns,
            Followed::Stopped => return None,
        };
        // The last turn that the localised program need not have made.
        let before = turns.get(..n_turns).unwrap_or(&turns);
        let blamed = before.iter().rev().find(|turn| turn.is_guess)?;
        if !blocked.block(&way[blamed.step], blamed.to) || env.budget.exhausted().is_some() {
            return None;
        }
    }
}

/// A turn of a way.
struct Way {
    turn: Turn,
    /// The number of the step that it is made after, and the block that it leads to; none for a call.
    step: usize,
    to: usize,
    /// True if the localised program could go either way.
    is_guess: bool,
}

enum Followed {
    Found(Box<Counterexample>),
    /// No execution makes more than so many turns.
    Lost(usize),
    Stopped,
}

/// Looks for an execution along a way that violates a claim.
fn follow(task: &Task<'_>, env: &Environment<'_>, way: &[Way]) -> Followed {
    let stop = || env.budget.stops_after(WORK_BETWEEN_LOOKS);
    let turns: Vec<Turn> = way.iter().map(|turn| turn.turn).collect();
    let options = Options {
        stop: &stop,
        way: &turns,
        outside: true,
        decided: DECIDED,
        ..Options::bounded(UNWIND, UNWIND)
    };
    let mut store = TermStore::new();
    let trace = execute(task.program, &mut store, &options);
    if trace.cut_short.is_some() {
        return Followed::Stopped;
    }
    let is_claim = |kind: &ObligationKind| matches!(kind, ObligationKind::Claim(_));
    let claims = trace.obligations.iter().filter(|obligation| is_claim(&obligation.kind));
    let violations: Vec<TermId> = claims.map(|claim| claim.replayable).collect();
    let failure = store.or_all(&violations);
    let mut solver = Solver::new(SolverOptions::default());
    for constraint in relevant_constraints(&store, &trace) {
        solver.assert(constraint);
    }
    match solver.check(&store, &[failure], &env.budget) {
        Answer::Sat => {}
        Answer::Unsat => return Followed::Lost(n_turns(&mut solver, &store, &trace, env)),
        Answer::Unknown(_) => return Followed::Stopped,
    }
    let model = solver.model(&store);
    let choices = Choices::of_model(task.program, &store, &trace, &model);
    match Counterexample::replay(task.program, choices, &env.replay_budget()) {
        Ok(found) => Followed::Found(Box::new(found)),
        Err(_) => Followed::Lost(way.len()),
    }
}

/// Returns the number of turns that some execution makes, and the first one that none makes: the conditions of each
/// imply those before.
fn n_turns(solver: &mut Solver, store: &TermStore, trace: &Trace, env: &Environment<'_>) -> usize {
    let conditions: Vec<TermId> =
        trace.turns.iter().flat_map(|&(comes, goes_on)| [comes, goes_on]).collect();
    let is_met =
        |condition: &TermId| solver.check(store, &[*condition], &env.budget) == Answer::Sat;
    // Before a turn that none comes to is the one to look at; at one that none makes, that one.
    conditions.partition_point(is_met).div_ceil(2)
}

/// The turns of a way through a localised program, in the program itself.
fn turns(
    program: &Program,
    weaker: &Program,
    origins: &Origins,
    led: &FxHashSet<FunctionId>,
    way: &[Step],
) -> Vec<Way> {
    let mut turns = Vec::new();
    let mut flows: FxHashMap<FunctionId, Cfg> = FxHashMap::default();
    for (step, pair) in way.windows(2).enumerate() {
        let (Step { function, at, .. }, next) = (pair[0].clone(), &pair[1]);
        let info = &weaker.functions[function];
        let n_labels = program.functions[function].n_labels;
        let body = info.body.as_deref().unwrap_or_default();
        for (position, instr) in body.iter().enumerate().skip(at) {
            let origin = origins[function].get(position).copied().unwrap_or(usize::MAX);
            match instr.kind {
                InstrKind::Goto(Some(_), label) => {
                    let flow = flows.entry(function).or_insert_with(|| Cfg::of(info));
                    let taken = flow.successors(position).nth(1) == Some(next.at);
                    if label.as_u32() < n_labels {
                        let turn = Turn::Branch { function, at: origin, taken };
                        let (to, is_guess) = (next.at, next.is_guess);
                        turns.push(Way { turn, step, to, is_guess });
                    }
                    break;
                }
                InstrKind::Call { callee: Callee::Direct(callee), .. }
                    if position == at && weaker.functions[callee].body.is_some() =>
                {
                    // Others are executed in all ways.
                    if !led.contains(&callee) {
                        break;
                    }
                    let original = program.functions[function].body.as_deref();
                    let original = original.and_then(|body| body.get(origin));
                    let is_guess = original.is_some_and(|instr| {
                        matches!(instr.kind, InstrKind::Call { callee: Callee::Indirect(_), .. })
                    });
                    let turn = Turn::Call { function, at: origin, callee };
                    turns.push(Way { turn, step, to: usize::MAX, is_guess });
                    break;
                }
                InstrKind::Goto(None, _) | InstrKind::Return(_) | InstrKind::End(_) => break,
                _ => {}
            }
            // The next step may begin before a jump does.
            if next.function == function && position + 1 == next.at {
                break;
            }
        }
    }
    turns
}

//! Looks for a violation along ways that an abstraction of the program has found.
//!
//! **Idea.** A violation of a program with few of its variables ([`crate::localisation`]) is a sequence of branches and
//! calls in the functions that matter. Symbolic execution of the whole program along it, with everything else that these
//! functions call, is one formula that is about as large as the way is long. What pointers from outside point to is
//! made when it is looked at. Where no execution goes on as the way says, the last branch before whose condition is
//! about something that was left out is not taken by any further way.
//!
//! **Source.** Directed symbolic execution: Ma, Khoo, Foster, Hicks, "Directed symbolic execution", SAS 2011,
//! doi 10.1007/978-3-642-23702-7_11; the abstract counterexample as the direction: Clarke, Grumberg, Jha, Lu, Veith, CAV 2000.
//!
//! **Soundness.** Nothing is proved here; what is found is replayed. That a branch is taken by no further way can hide
//! violations, which is no answer either.

use crate::tabulation::{Blocked, Step, Tabulated, tabulate};
use crate::{Environment, Task};
use rustc_hash::FxHashMap;
use vergo_analysis::cfg::Cfg;
use vergo_evidence::{Choices, Counterexample};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program};
use vergo_passes::localise::Origins;
use vergo_smt::{Answer, Solver, SolverOptions};
use vergo_symex::{ObligationKind, Options, Trace, Turn, execute, relevant_constraints};
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
    let mut n = 0;
    loop {
        let Tabulated::Violated(way) = tabulate(weaker, &blocked, &env.budget.part(4)) else {
            eprintln!("  no more ways after {n}");
            return None;
        };
        let turns = turns(task.program, weaker, origins, &way);
        n += 1;
        let lost = match follow(task, env, &turns) {
            Followed::Found(found) => return Some(*found),
            Followed::Lost(n_turns) => n_turns,
            Followed::Stopped => return None,
        };
        // The last turn about something that was left out.
        let before = turns.get(..lost).unwrap_or(&turns);
        let Some(blamed) = before.iter().rev().find(|turn| turn.is_guess) else { eprintln!("  none to blame"); return None; };
        let (Turn::Branch { function, at, .. } | Turn::Call { function, at, .. }) = blamed.turn;
        eprintln!("   blame {} at {} turn {} of {} {:?}", task.program.functions[function].name, at, lost, turns.len(), blamed.turn);
        if !blocked.block(&way[blamed.step], blamed.to) || env.budget.exhausted().is_some() {
            eprintln!("   again");
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
    /// Whether the localised program could go either way.
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
    let stop = || env.budget.exhausted().is_some();
    let turns: Vec<Turn> = way.iter().map(|turn| turn.turn).collect();
    let options = Options {
        stop: &stop,
        way: &turns,
        outside: true,
        decided: DECIDED,
        ..Options::bounded(UNWIND, UNWIND)
    };
    let mut store = TermStore::new();
    let t0 = std::time::Instant::now();
    let trace = execute(task.program, &mut store, &options);
    eprintln!("  guided: {}/{} turns, {} steps, {} terms, cut {:?}, {} faults {:?}", trace.turns.len(), way.len(), trace.n_steps, store.len(), trace.cut_short, trace.faults.len(), t0.elapsed());
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
        Answer::Unsat => {
            let n = n_turns(&mut solver, &store, &trace, env);
            let last = trace.turns.iter().flat_map(|&(a, b)| [a, b]).filter(|&t| solver.check(&store, &[t], &env.budget) == Answer::Sat).last();
            let rawf: Vec<TermId> = trace.obligations.iter().filter(|o| is_claim(&o.kind)).map(|o| o.violation).collect();
            let rawf = store.or_all(&rawf);
            if solver.check(&store, &[rawf], &env.budget) == Answer::Sat {
                let model = solver.model(&store);
                let mut ev = vergo_term::Evaluator::new(&store, &model);
                let fs: Vec<String> = trace.faults.iter().filter(|f| ev.value(f.condition).as_bool()).take(3).map(|f| format!("{} {:?}", f.what, f.span)).collect();
                eprintln!("   only with faults: {fs:?} lost {n} last {last:?}");
            }
            return Followed::Lost(n);
        }
        Answer::Unknown(_) => return Followed::Stopped,
    }
    let model = solver.model(&store);
    let choices = Choices::of_model(task.program, &store, &trace, &model);
    let r = Counterexample::replay(task.program, choices, env.replay_time());
    eprintln!("  replay: {:?}", r.as_ref().err().map(|e| e.to_string()));
    match r {
        Ok(found) => Followed::Found(Box::new(found)),
        Err(_) => Followed::Lost(way.len()),
    }
}

/// How many turns some execution makes, and the one that none makes: the conditions of each imply those before.
fn n_turns(solver: &mut Solver, store: &TermStore, trace: &Trace, env: &Environment<'_>) -> usize {
    let conditions: Vec<TermId> =
        trace.turns.iter().flat_map(|&(comes, goes_on)| [comes, goes_on]).collect();
    let is_met = |condition: &TermId| {
        solver.check(store, &[*condition], &env.budget) == Answer::Sat
    };
    // Before a turn that none comes to is the one to look at; at one that none makes, that one.
    conditions.partition_point(is_met).div_ceil(2)
}

/// The turns of a way through a localised program, in the program itself.
fn turns(program: &Program, weaker: &Program, origins: &Origins, way: &[Step]) -> Vec<Way> {
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

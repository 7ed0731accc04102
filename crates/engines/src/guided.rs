//! Looks for a violation along a way that an abstraction of the program has found.
//!
//! **Idea.** A violation of a program with few of its variables ([`crate::localisation`]) is a sequence of branches and
//! calls in the functions that matter. Symbolic execution of the whole program along it, with everything else that these
//! functions call, is one formula that is about as large as the way is long. What pointers from outside point to is
//! made when it is looked at.
//!
//! **Source.** Directed symbolic execution: Ma, Khoo, Foster, Hicks, "Directed symbolic execution", SAS 2011,
//! doi 10.1007/978-3-642-23702-7_11; the abstract counterexample as the direction: Clarke, Grumberg, Jha, Lu, Veith, CAV 2000.
//!
//! **Soundness.** Nothing is proved here; what is found is replayed.

use crate::tabulation::Step;
use crate::{Environment, Task};
use rustc_hash::FxHashMap;
use vergo_analysis::cfg::Cfg;
use vergo_evidence::{Choices, Counterexample};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program};
use vergo_passes::localise::Origins;
use vergo_smt::{Answer, Solver, SolverOptions};
use vergo_symex::{ObligationKind, Options, Turn, execute, relevant_constraints};
use vergo_term::TermStore;

/// Undecided rounds of loops beside the way.
const UNWIND: u32 = 2;
/// Rounds of loops beside the way that are not undecided.
const DECIDED: u64 = 4000;

/// An execution along a way that violates a claim, if there is one.
pub(crate) fn follow(task: &Task<'_>, env: &Environment<'_>, way: &[Turn]) -> Option<Counterexample> {
    let stop = || env.budget.exhausted().is_some();
    let options = Options {
        stop: &stop,
        way,
        outside: true,
        decided: DECIDED,
        ..Options::bounded(UNWIND, UNWIND)
    };
    let mut store = TermStore::new();
    let t0 = std::time::Instant::now();
    let trace = execute(task.program, &mut store, &options);
    eprintln!("  guided: {} turns, {} steps, {} terms, cut {:?}, {} faults {:?}", way.len(), trace.n_steps, store.len(), trace.cut_short, trace.faults.len(), t0.elapsed());
    if trace.cut_short.is_some() {
        return None;
    }
    let claims = trace.obligations.iter().filter(|o| matches!(o.kind, ObligationKind::Claim(_)));
    let violations: Vec<_> = claims.map(|claim| claim.replayable).collect();
    let raw: Vec<_> = trace.obligations.iter().filter(|o| matches!(o.kind, ObligationKind::Claim(_))).map(|claim| claim.violation).collect();
    let failure = store.or_all(&violations);
    let rawf = store.or_all(&raw);
    let mut solver = Solver::new(SolverOptions::default());
    for constraint in relevant_constraints(&store, &trace) {
        solver.assert(constraint);
    }
    eprintln!("  claims {}", raw.len());
    if solver.check(&store, &[rawf], &env.budget) != Answer::Sat { eprintln!("  UNSAT even with faults"); }
    if solver.check(&store, &[failure], &env.budget) != Answer::Sat {
        eprintln!("  no model {:?}", t0.elapsed());
        if solver.check(&store, &[rawf], &env.budget) == Answer::Sat {
            let model = solver.model(&store);
            let mut ev = vergo_term::Evaluator::new(&store, &model);
            for f in trace.faults.iter().filter(|f| ev.value(f.condition).as_bool()).take(5) { eprintln!("   fault {} {:?}", f.what, f.span); }
        }
        return None;
    }
    let model = solver.model(&store);
    let choices = Choices::of_model(task.program, &store, &trace, &model);
    let r = Counterexample::replay(task.program, choices, env.replay_time());
    eprintln!("  replay: {:?}", r.as_ref().err().map(|e| e.to_string()));
    r.ok()
}

/// The turns of a way through a localised program, in the program itself.
pub(crate) fn turns(program: &Program, weaker: &Program, origins: &Origins, way: &[Step]) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut flows: FxHashMap<FunctionId, Cfg> = FxHashMap::default();
    for (step, next) in way.iter().zip(&way[1..]) {
        let Step { function, at } = *step;
        let info = &weaker.functions[function];
        let n_labels = program.functions[function].n_labels;
        let body = info.body.as_deref().unwrap_or_default();
        let origin = |at: usize| origins[function].get(at).copied();
        for (position, instr) in body.iter().enumerate().skip(at) {
            match instr.kind {
                InstrKind::Goto(Some(_), label) => {
                    let flow = flows.entry(function).or_insert_with(|| Cfg::of(info));
                    let taken = flow.successors(position).nth(1) == Some(next.at);
                    if label.as_u32() < n_labels {
                        let at = origin(position);
                        turns.extend(at.map(|at| Turn::Branch { function, at, taken }));
                    }
                    break;
                }
                InstrKind::Call { callee: Callee::Direct(callee), .. }
                    if weaker.functions[callee].body.is_some() =>
                {
                    // The next step is in the callee, unless this one only leads to the call.
                    if position == at {
                        let at = origin(position);
                        turns.extend(at.map(|at| Turn::Call { function, at, callee }));
                    }
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

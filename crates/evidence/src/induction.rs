//! The checker of proofs about transition systems.
//!
//! It shares nothing with the engine that claims the proof but the system: the formulas are made anew
//! in a store that does not simplify, each condition is decided by a fresh solver, and each step of that
//! solver's refutation is replayed. What it accepts is a proof in the sense of [`Proof`], whose
//! conditions it checks one by one.

use crate::one_by_one::any_failure;
use crate::reason::Reason;
use std::fmt;
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_term::{Rewriting, TermId, TermStore};
use vergo_ts::{Claim, Proof, Reduction, Start, TransitionSystem, Unroller, Unrolling};

/// The flaw in a claimed proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofFlaw {
    /// The system is not well-formed, or the invariant is no formula over its state.
    Malformed(String),
    /// The claim does not hold in an execution with so many steps from an initial state.
    Initiation(u32),
    /// The claim is left by a step.
    Consecution,
    /// There are executions with more steps.
    NotExhausted,
    /// A reduction loses violations.
    Lost,
    /// The check did not finish.
    Unknown(Reason),
}

impl fmt::Display for ProofFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofFlaw::Malformed(what) => write!(f, "{what}"),
            ProofFlaw::Initiation(steps) => {
                write!(f, "the invariant does not hold after {steps} steps from an initial state")
            }
            ProofFlaw::Consecution => write!(f, "the invariant is not inductive"),
            ProofFlaw::NotExhausted => write!(f, "there are longer executions"),
            ProofFlaw::Lost => write!(f, "a reduction loses violations"),
            ProofFlaw::Unknown(reason) => write!(f, "the check did not finish: {reason}"),
        }
    }
}

impl std::error::Error for ProofFlaw {}

/// Refutations that were replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The clauses of their formulas.
    pub clauses: u64,
    /// The steps of their proofs.
    pub steps: usize,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally { clauses: self.clauses + other.clauses, steps: self.steps + other.steps }
    }
}

/// Checks a claimed proof: that each of its reductions loses no violation, and its claim about what these make of the system.
///
/// # Errors
/// The condition that does not hold.
pub fn check_proof(
    store: &TermStore,
    system: &TransitionSystem,
    proof: &Proof,
    budget: &Budget,
) -> Result<Tally, ProofFlaw> {
    let malformed = |what: &str| ProofFlaw::Malformed(what.to_owned());
    let verified = |store: &TermStore, system: &TransitionSystem| {
        system.verify(store).map_err(|flaw| ProofFlaw::Malformed(flaw.to_string()))
    };
    verified(store, system)?;
    let (mut own, mut system, mut tally) = (store.clone(), system.clone(), Tally::default());
    let mut last: Option<&dyn Reduction> = None;
    for reduction in &proof.reductions {
        if last.is_some_and(|last| last.consequence(&mut own, store.true_term()).is_some()) {
            return Err(malformed("a reduction follows one that has to be the last"));
        }
        reduction.verify(&own, &system).map_err(malformed)?;
        if let Some(lost) = reduction.lost(&mut own, &system) {
            let mut plain = TermStore::with_rewriting(Rewriting::Off);
            let lost = plain.import(&own, &[lost])[0];
            let mut solver = Solver::new(SolverOptions::replayed());
            tally = tally.and(refute(&mut solver, &mut plain, &[lost], budget, ProofFlaw::Lost)?);
        }
        system = reduction.apply(&mut own, &system);
        verified(&own, &system)?;
        last = Some(&**reduction);
    }
    Ok(tally.and(check_claim(&own, &system, proof.claim, last, budget)?))
}

/// Checks a claim about a system; it may rely on what follows by the reduction that has made the system.
fn check_claim(
    store: &TermStore,
    system: &TransitionSystem,
    claim: Claim,
    last: Option<&dyn Reduction>,
    budget: &Budget,
) -> Result<Tally, ProofFlaw> {
    match claim {
        Claim::Inductive { k: 0, .. } => {
            Err(ProofFlaw::Malformed("an induction needs a hypothesis".to_owned()))
        }
        Claim::Inductive { invariant, k, simple_paths } => {
            let mut check = Check::new(store, system, invariant, last, budget)?;
            Ok(check.initiation(k)?.and(check.consecution(k, simple_paths)?))
        }
        Claim::Exhausted { steps } => {
            let mut check = Check::new(store, system, store.true_term(), last, budget)?;
            Ok(check.initiation(steps)?.and(check.exhaustion(steps)?))
        }
    }
}

struct Check<'a> {
    store: TermStore,
    system: TransitionSystem,
    invariant: TermId,
    /// The consequence of the invariant by the last reduction, over current state and inputs.
    consequence: TermId,
    budget: &'a Budget,
}

impl<'a> Check<'a> {
    fn new(
        store: &TermStore,
        system: &TransitionSystem,
        invariant: TermId,
        last: Option<&dyn Reduction>,
        budget: &'a Budget,
    ) -> Result<Check<'a>, ProofFlaw> {
        let mut own = TermStore::with_rewriting(Rewriting::Off);
        let mut reduced = store.clone();
        let consequence = last
            .and_then(|last| last.consequence(&mut reduced, invariant))
            .unwrap_or_else(|| reduced.true_term());
        let consequence = own.import(&reduced, &[consequence])[0];
        let (system, invariant) = import(&mut own, store, system, invariant);
        system.verify(&own).map_err(|flaw| ProofFlaw::Malformed(flaw.to_string()))?;
        // An invariant is like an initial condition: a formula over the current state.
        let as_init = TransitionSystem { init: invariant, ..system.clone() };
        as_init.verify(&own).map_err(|_| {
            ProofFlaw::Malformed("the invariant is no formula over the state".to_owned())
        })?;
        Ok(Check { store: own, system, invariant, consequence, budget })
    }

    /// No execution leaves the claim within fewer than `k` steps.
    fn initiation(&mut self, k: u32) -> Result<Tally, ProofFlaw> {
        let options = SolverOptions::replayed();
        let mut tally = Tally::default();
        let mut unrolling = Unrolling::new(&mut self.store, &self.system, Start::Initial, options);
        for steps in 0..k {
            unrolling.extend_to(&mut self.store, steps);
            let parts = violations(&mut self.store, &mut unrolling.unroller, self.invariant, steps);
            let flaw = ProofFlaw::Initiation(steps);
            let one = refute(&mut unrolling.solver, &mut self.store, &parts, self.budget, flaw)?;
            // The clauses of one solver are counted once.
            tally = Tally { clauses: one.clauses, steps: tally.steps + one.steps };
        }
        Ok(tally)
    }

    /// No step leaves the claim after `k` states in it.
    fn consecution(&mut self, k: u32, simple_paths: bool) -> Result<Tally, ProofFlaw> {
        let options = SolverOptions::replayed();
        let mut unrolling = Unrolling::new(&mut self.store, &self.system, Start::Anywhere, options);
        unrolling.extend_to(&mut self.store, k);
        for time in 0..k {
            for wrong in violations(&mut self.store, &mut unrolling.unroller, self.invariant, time)
            {
                let right = self.store.not(wrong);
                unrolling.solver.assert(right);
            }
            let known = unrolling.unroller.at(&mut self.store, self.consequence, time);
            unrolling.solver.assert(known);
        }
        if simple_paths {
            for later in 1..=k {
                for earlier in 0..later {
                    let differ = unrolling.unroller.differ(&mut self.store, earlier, later);
                    unrolling.solver.assert(differ);
                }
            }
        }
        let parts = violations(&mut self.store, &mut unrolling.unroller, self.invariant, k);
        let flaw = ProofFlaw::Consecution;
        refute(&mut unrolling.solver, &mut self.store, &parts, self.budget, flaw)
    }

    /// No execution has so many steps.
    fn exhaustion(&mut self, steps: u32) -> Result<Tally, ProofFlaw> {
        let options = SolverOptions::replayed();
        let mut unrolling = Unrolling::new(&mut self.store, &self.system, Start::Initial, options);
        unrolling.extend_to(&mut self.store, steps);
        let any = [self.store.true_term()];
        refute(&mut unrolling.solver, &mut self.store, &any, self.budget, ProofFlaw::NotExhausted)
    }
}

/// The ways in which a claim does not hold at a time: each fact of the invariant fails, or a claim of the program does.
fn violations(
    store: &mut TermStore,
    unroller: &mut Unroller<'_>,
    invariant: TermId,
    time: u32,
) -> Vec<TermId> {
    let mut all = Vec::new();
    for fact in store.conjuncts(invariant) {
        let holds = unroller.at(store, fact, time);
        all.push(store.not(holds));
    }
    all.push(unroller.bad(store, time));
    all
}

/// Refutes that any of some failures is possible.
fn refute(
    solver: &mut Solver,
    store: &mut TermStore,
    failures: &[TermId],
    budget: &Budget,
    flaw: ProofFlaw,
) -> Result<Tally, ProofFlaw> {
    let whole = store.or_all(failures);
    match any_failure(Solver::check, solver, store, whole, failures, budget) {
        Answer::Unsat => {
            let wrong = |error| ProofFlaw::Malformed(format!("the clause proof is wrong: {error}"));
            let steps = solver.check_proof().map_err(wrong)?;
            Ok(Tally { clauses: solver.stats().sat.clauses, steps })
        }
        Answer::Sat => Err(flaw),
        Answer::Unknown(reason) => Err(ProofFlaw::Unknown(reason.into())),
    }
}

/// The system and a formula in another store.
fn import(
    into: &mut TermStore,
    from: &TermStore,
    system: &TransitionSystem,
    formula: TermId,
) -> (TransitionSystem, TermId) {
    let state = system.state.iter().map(|var| var.import(into, from)).collect();
    let mut one = |term: TermId| into.import(from, &[term])[0];
    let inputs = system.inputs.iter().map(|&input| one(input)).collect();
    let (init, trans, bad) = (one(system.init), one(system.trans), one(system.bad));
    (TransitionSystem { state, inputs, init, trans, bad }, one(formula))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_term::Sort;
    use vergo_ts::{Series, StateVar, Sums, Watch};

    /// Writes seven at one index after the other; the claim is that seven is wherever it has been written.
    struct Filled {
        store: TermStore,
        system: TransitionSystem,
        /// The fact that seven is at an index below the counter.
        fact: TermId,
        watch: Watch,
    }

    fn filled() -> Filled {
        let mut store = TermStore::new();
        let word = Sort::BitVec(8);
        let sort = store.array_sort(word, word);
        let mut var = |name: &str, sort: Sort| StateVar {
            current: store.var(name, sort),
            next: store.var(&format!("{name}'"), sort),
            name: name.to_owned(),
        };
        let (i, a, index) = (var("i", word), var("a", sort), var("index", word));
        let x = store.var("x", word);
        let [zero, one, seven] = [0, 1, 7].map(|n| store.bv_u64(8, n));
        let more = store.bv_add(i.current, one);
        let all_ones = store.bv_u64(8, 255);
        let room = store.ne(i.current, all_ones);
        let written = store.store(a.current, i.current, seven);
        let moved = store.eq(i.next, more);
        let filled = store.eq(a.next, written);
        let trans = store.and_all(&[room, moved, filled]);
        let mut seven_at = |at: TermId| {
            let read = store.select(a.current, at);
            let below = store.bv_ult(at, i.current);
            let right = store.eq(read, seven);
            store.implies(below, right)
        };
        let (claim, fact) = (seven_at(x), seven_at(index.current));
        let bad = store.not(claim);
        let at_x = store.eq(index.current, x);
        let watched_bad = store.and(bad, at_x);
        let init = store.eq(i.current, zero);
        let watch = Watch {
            indices: vec![index],
            bad: watched_bad,
            instances: vec![vec![x]],
            helps: Vec::new(),
        };
        let state = vec![i, a];
        let system = TransitionSystem { state, inputs: vec![x], init, trans, bad };
        Filled { store, system, fact, watch }
    }

    fn check(filled: &Filled, watch: Watch, invariant: TermId) -> Result<Tally, ProofFlaw> {
        let proof = Proof::inductive(invariant).lifted(watch);
        check_proof(&filled.store, &filled.system, &proof, &Budget::unlimited())
    }

    #[test]
    fn facts_about_all_indices_are_checked() {
        let mut filled = filled();
        let (watch, fact) = (filled.watch.clone(), filled.fact);
        assert!(check(&filled, watch.clone(), fact).is_ok());
        // Without the fact there is nothing to go on.
        let nothing = filled.store.true_term();
        assert_eq!(check(&filled, watch.clone(), nothing), Err(ProofFlaw::Consecution));
        let anything = filled.store.not(fact);
        assert_eq!(check(&filled, watch, anything), Err(ProofFlaw::Initiation(0)));
    }

    #[test]
    fn violations_must_be_watched() {
        let mut filled = filled();
        let (watch, fact) = (filled.watch.clone(), filled.fact);
        let zero = filled.store.bv_u64(8, 0);
        let elsewhere = Watch { instances: vec![vec![zero]], ..watch.clone() };
        assert_eq!(check(&filled, elsewhere, fact), Err(ProofFlaw::Lost));
        let never = Watch { bad: filled.store.false_term(), ..watch.clone() };
        assert_eq!(check(&filled, never, fact), Err(ProofFlaw::Lost));
        let foreign = filled.store.var("y", Sort::BitVec(8));
        let unknown = Watch { instances: vec![vec![foreign]], ..watch };
        assert!(matches!(check(&filled, unknown, fact), Err(ProofFlaw::Malformed(_))));
    }

    /// Like [`filled`], but what is claimed is that no step reads anything but seven below the counter; where it reads is
    /// an input, and nothing is said about the watched index.
    fn read_back() -> Filled {
        let mut filled = filled();
        let store = &mut filled.store;
        let word = Sort::BitVec(8);
        let (one, zero) = (store.bv_u64(8, 1), store.bv_u64(8, 0));
        let [wrong, wrong_next] = ["wrong", "wrong'"].map(|name| store.var(name, word));
        // The claim at `x` becomes an effect of the step.
        let claim_fails = filled.system.bad;
        let effect = store.ite(claim_fails, one, wrong);
        let effect = store.eq(wrong_next, effect);
        filled.system.trans = store.and(filled.system.trans, effect);
        let at_first = store.eq(wrong, zero);
        filled.system.init = store.and(filled.system.init, at_first);
        let var = StateVar { current: wrong, next: wrong_next, name: "wrong".to_owned() };
        filled.system.state.push(var);
        filled.system.bad = store.ne(wrong, zero);
        filled.fact = store.and(filled.fact, at_first);
        filled.watch.bad = filled.system.bad;
        filled.watch.instances = vec![vec![zero]];
        filled
    }

    #[test]
    fn what_holds_for_all_indices_helps_at_those_that_a_step_reads() {
        let mut filled = read_back();
        let (watch, fact) = (filled.watch.clone(), filled.fact);
        // The fact about the watched index says nothing of the index that is read.
        assert_eq!(check(&filled, watch.clone(), fact), Err(ProofFlaw::Consecution));
        let x = filled.system.inputs[0];
        let helped = Watch { helps: vec![vec![x]], ..watch.clone() };
        assert!(check(&filled, helped, fact).is_ok());
        // Help is no licence: it does not make a fact hold that does not hold at first, and must be about the state.
        let anything = filled.store.not(fact);
        let helped = Watch { helps: vec![vec![x]], ..watch.clone() };
        assert_eq!(check(&filled, helped, anything), Err(ProofFlaw::Initiation(0)));
        let foreign = filled.store.var("y", Sort::BitVec(8));
        let unknown = Watch { helps: vec![vec![foreign]], ..watch };
        assert!(matches!(check(&filled, unknown, fact), Err(ProofFlaw::Malformed(_))));
    }

    /// Adds up the elements of an array that does not change, and takes them away again from the end of its counter's way:
    /// what is left after both is claimed to be a number.
    fn added_up(left: u64) -> (TermStore, TransitionSystem, Vec<Series>, TermId) {
        let mut store = TermStore::new();
        let word = Sort::BitVec(8);
        let sort = store.array_sort(word, word);
        let mut var = |name: &str, sort: Sort| StateVar {
            current: store.var(name, sort),
            next: store.var(&format!("{name}'"), sort),
            name: name.to_owned(),
        };
        let (i, n, s, a) = (var("i", word), var("n", word), var("s", word), var("a", sort));
        let down = var("down", Sort::Bool);
        let [zero, one, left] = [0, 1, left].map(|n| store.bv_u64(8, n));
        let below = store.bv_ult(i.current, n.current);
        let read = store.select(a.current, i.current);
        let (more, less) = (store.bv_add(s.current, read), store.bv_sub(s.current, read));
        let sum = store.ite(down.current, less, more);
        let sum = store.ite(below, sum, s.current);
        let further = store.bv_add(i.current, one);
        let further = store.ite(below, further, zero);
        let turn = store.not(below);
        let is_down = store.or(down.current, turn);
        // After the way down there is nothing more.
        let over = store.and(down.current, turn);
        let mut trans = store.not(over);
        let unchanged = [(n.next, n.current), (a.next, a.current)];
        for (next, value) in
            [(i.next, further), (s.next, sum), (down.next, is_down)].into_iter().chain(unchanged)
        {
            let update = store.eq(next, value);
            trans = store.and(trans, update);
        }
        let mut init = store.not(down.current);
        for var in [&i, &s] {
            let first = store.eq(var.current, zero);
            init = store.and(init, first);
        }
        let wrong = store.ne(s.current, left);
        let bad = store.and(over, wrong);
        let (s, down, i_term, n_term) = (s, down, i.current, n.current);
        let system = TransitionSystem {
            state: vec![i, n, s.clone(), a, down.clone()],
            inputs: vec![],
            init,
            trans,
            bad,
        };
        let mut series = Series::of(&mut store, &system);
        assert_eq!(series[0].bounds, [i_term, n_term]);
        let up = series[0].combine(&mut store, vec![(1, 0)]);
        let rest = series[0].combine(&mut store, vec![(1, 1), (-1, 0)]);
        let value = store.ite(down.current, rest, up);
        let is_sum = store.eq(s.current, value);
        let in_range = store.bv_ule(i_term, n_term);
        let invariant = store.and(is_sum, in_range);
        (store, system, series, invariant)
    }

    #[test]
    fn sums_over_arrays_are_checked() {
        let budget = Budget::unlimited();
        let summed = |series: &[Series], invariant: TermId| {
            Proof::inductive(invariant).lifted(Sums(series.to_vec()))
        };
        let (store, system, series, invariant) = added_up(0);
        let proof = summed(&series, invariant);
        assert!(check_proof(&store, &system, &proof, &budget).is_ok());
        // Without sums there is no such variable, and without the fact nothing is known.
        let flaw = check_proof(&store, &system, &Proof::inductive(invariant), &budget);
        assert!(matches!(flaw, Err(ProofFlaw::Malformed(_))), "{flaw:?}");
        let nothing = summed(&series, store.true_term());
        assert!(check_proof(&store, &system, &nothing, &budget).is_err());
        let twice = proof.lifted(Sums(series.clone()));
        assert!(matches!(
            check_proof(&store, &system, &twice, &budget),
            Err(ProofFlaw::Malformed(_))
        ));
        let mut other = series;
        other[0].sums[0].parts[0].1 = 7;
        let proof = summed(&other, invariant);
        assert!(matches!(
            check_proof(&store, &system, &proof, &budget),
            Err(ProofFlaw::Malformed(_))
        ));
        let (store, system, series, invariant) = added_up(1);
        let proof = summed(&series, invariant);
        assert!(check_proof(&store, &system, &proof, &budget).is_err());
    }
}

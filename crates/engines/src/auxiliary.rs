//! Auxiliary invariants: simple facts about the state that are inductive together.
//!
//! **Idea.** Interval analysis proposes bounds, and a few templates propose relations between variables and with the
//! constants of the program, at each location. Of all candidates the largest inductive subset is kept: those that
//! an initial state contradicts are dropped, then those that a step from a state that satisfies all others can
//! leave, until none is left to drop. Engines get the rest as part of the system.
//!
//! **Source.** Flanagan, Leino, "Houdini, an Annotation Assistant for ESC/Java", FME 2001,
//! doi 10.1007/3-540-45251-6_29; for k-induction: Beyer, Dangl, Wendler, "Boosting k-Induction with
//! Continuously-Refined Invariants", CAV 2015, doi 10.1007/978-3-319-21690-4_42.
//!
//! **Soundness.** The facts are part of the invariant that an engine's proof ends up with, and are checked with it.

use rustc_hash::{FxHashMap, FxHashSet};
use vergo_smt::{Answer, Budget, Exactness, Solver, SolverOptions};
use vergo_term::{Op, Sort, TermId, TermStore};
use vergo_ts::{Proof, TransitionSystem};

/// Candidates beyond this number are not considered.
const MAX_CANDIDATES: usize = 3000;
/// Constants of a width that variables are compared with.
pub(crate) const MAX_CONSTANTS: usize = 12;
/// Variables that take part in templates.
const MAX_VARIABLES: usize = 40;
/// Comparisons of a program that give candidates.
const MAX_COMPARISONS: usize = 24;
/// Constants that words may begin with.
const MAX_FIRST: usize = 3;
/// Words of at most this width have few values: which object a pointer points to, flags.
const FEW_VALUES_WIDTH: u32 = 8;
/// Candidates of the special kinds, each.
const MAX_PHASES: usize = 200;

/// A place of the program, for which candidates are made.
pub(crate) struct Place {
    /// The condition that the program is there.
    pub(crate) here: TermId,
    /// The variables that have a meaning there.
    pub(crate) variables: Vec<TermId>,
}

/// The templates' candidates: relations between words of a width, and between words and constants of the system. Each
/// is said of each place on its own: a list for each.
pub(crate) fn candidates(
    store: &mut TermStore,
    system: &TransitionSystem,
    places: &[Place],
) -> Vec<Vec<TermId>> {
    let constants = constants(store, system);
    let mut candidates = Vec::new();
    for place in places {
        let mut facts = Vec::new();
        let mut words = place.variables.clone();
        words.retain(|&x| is_word(store, x));
        words.truncate(MAX_VARIABLES);
        for (i, &x) in words.iter().enumerate() {
            let like = |&&y: &&TermId| store.sort(y) == store.sort(x);
            let mut others: Vec<TermId> =
                constants.iter().filter(like).take(MAX_CONSTANTS).copied().collect();
            others.extend(words[i + 1..].iter().filter(like));
            for y in others {
                facts.extend([
                    store.eq(x, y),
                    store.bv_sle(x, y),
                    store.bv_sle(y, x),
                    store.bv_ule(x, y),
                    store.bv_ule(y, x),
                ]);
            }
            let zero = store.bv_u64(store.width(x), 0);
            for &y in &words[i + 1..] {
                if store.sort(x) == store.sort(y) {
                    // One is between the other and its opposite.
                    let opposite = store.bv_neg(y);
                    facts.extend([store.bv_sle(opposite, x), store.bv_sle(x, opposite)]);
                    // What one gains the other loses: the sum stays in range as long as one is not negative.
                    let sum = store.bv_add(x, y);
                    let in_range = store.bv_sle(zero, sum);
                    for z in [x, y] {
                        let not_negative = store.bv_sle(zero, z);
                        facts.push(store.implies(not_negative, in_range));
                    }
                }
            }
            // Counters that go in steps of two or four.
            for bit in 0..2 {
                let bit = store.bv_bit(bit, x);
                facts.extend([bit, store.not(bit)]);
            }
        }
        candidates.push(at_place(store, place, facts, MAX_CANDIDATES / places.len()));
    }
    candidates
}

pub(crate) fn is_word(store: &TermStore, x: TermId) -> bool {
    matches!(store.sort(x), Sort::BitVec(width) if width > 1)
}

/// Returns the words of the state that are compared with words of the state or constants, and whether the comparison is
/// signed.
fn comparisons(store: &TermStore, system: &TransitionSystem) -> Vec<(TermId, TermId, bool)> {
    let state: FxHashSet<TermId> = system.current().collect();
    let mut found = Vec::new();
    for term in store.reachable(&[system.trans, system.bad]) {
        if let (op @ (Op::BvUlt | Op::BvSlt), &[x, y]) = (store.op(term), store.args(term))
            && found.len() < MAX_COMPARISONS
            && store.is_over(&[term], &state)
        {
            found.push((x, y, op == Op::BvSlt));
        }
    }
    found
}

/// Conditions of the program that are about a place, for each place: what it tests of the words that have a meaning
/// there.
pub(crate) fn conditions(
    store: &TermStore,
    system: &TransitionSystem,
    places: &[Place],
) -> Vec<Vec<TermId>> {
    let state: FxHashSet<TermId> = system.current().collect();
    let tests = |&term: &TermId| {
        let on_words = |&arg: &TermId| matches!(store.sort(arg), Sort::BitVec(_));
        matches!(store.op(term), Op::BvUlt | Op::BvSlt | Op::Eq)
            && store.args(term).iter().all(on_words)
            && store.is_over(&[term], &state)
    };
    let all: Vec<TermId> =
        store.reachable(&[system.trans, system.bad]).into_iter().filter(tests).collect();
    let of_place = |place: &Place| {
        let known: FxHashSet<TermId> = place.variables.iter().copied().collect();
        let about = all.iter().filter(|&&test| store.is_over(&[test], &known));
        about.take(MAX_COMPARISONS).copied().collect()
    };
    places.iter().map(of_place).collect()
}

/// Proposes facts that loops keep which continue while one word is less than another: the word is not much more
/// afterwards, unless it was from the beginning. The words may be any terms, unlike in the other templates.
pub(crate) fn candidates_near_comparisons(
    store: &mut TermStore,
    system: &TransitionSystem,
    places: &[Place],
) -> Vec<Vec<TermId>> {
    let comparisons = comparisons(store, system);
    let constants = constants(store, system);
    let mut candidates = Vec::new();
    for place in places {
        let known: FxHashSet<TermId> = place.variables.iter().copied().collect();
        let mut facts = Vec::new();
        let mut or_from_the_beginning = Vec::new();
        for &(x, y, is_signed) in &comparisons {
            if !store.is_over(&[x, y], &known) {
                continue;
            }
            let at_most = |store: &mut TermStore, x, y| match is_signed {
                true => store.bv_sle(x, y),
                false => store.bv_ule(x, y),
            };
            let one = store.bv_u64(store.width(x), 1);
            for (x, y) in [(x, y), (y, x)] {
                let more = store.bv_add(y, one);
                for y in [y, more] {
                    facts.push(at_most(store, x, y));
                }
            }
            let like = |&&constant: &&TermId| store.sort(constant) == store.sort(x);
            let first: Vec<TermId> =
                constants.iter().filter(like).take(MAX_FIRST).copied().collect();
            for constant in first {
                let less = at_most(store, x, y);
                for from in [at_most(store, x, constant), at_most(store, constant, y)] {
                    or_from_the_beginning.push(store.or(less, from));
                }
            }
        }
        facts.append(&mut or_from_the_beginning);
        candidates.push(at_place(store, place, facts, MAX_PHASES / places.len()));
    }
    candidates
}

/// Facts that hold in one phase of a loop: at each place, that words are even or odd unless a condition of the program
/// holds. A list for each place; each fact with the one that holds in all phases.
pub(crate) fn candidates_for_phases(
    store: &mut TermStore,
    places: &[Place],
    conditions: &[Vec<TermId>],
) -> Vec<Vec<(TermId, TermId)>> {
    let mut candidates = Vec::new();
    for (place, conditions) in places.iter().zip(conditions) {
        let mut of_place = Vec::new();
        for &condition in conditions {
            for guard in [condition, store.not(condition)] {
                for &word in &place.variables {
                    if is_word(store, word) {
                        let odd = store.bv_bit(0, word);
                        for fact in [odd, store.not(odd)] {
                            let guarded = store.implies(guard, fact);
                            let [guarded, always] =
                                [guarded, fact].map(|fact| store.implies(place.here, fact));
                            of_place.push((guarded, always));
                        }
                    }
                }
            }
        }
        of_place.truncate(MAX_PHASES / places.len());
        candidates.push(of_place);
    }
    candidates
}

/// Proposes consequences of an earlier choice: at each place, that a word is zero, or has a sign, or that a condition is true,
/// where a condition on a term with few values holds, such as that a pointer is null. A list for each place.
pub(crate) fn candidates_for_choices(
    store: &mut TermStore,
    places: &[Place],
    conditions: &[Vec<TermId>],
) -> Vec<Vec<TermId>> {
    let mut candidates = Vec::new();
    for (place, conditions) in places.iter().zip(conditions) {
        let mut facts = Vec::new();
        let words: Vec<TermId> =
            place.variables.iter().copied().filter(|&x| is_word(store, x)).collect();
        let (numbers, choices): (Vec<TermId>, Vec<TermId>) =
            words.into_iter().partition(|&word| store.width(word) > FEW_VALUES_WIDTH);
        let choices: FxHashSet<TermId> = choices.into_iter().collect();
        let mut said: Vec<TermId> = place.variables.clone();
        said.retain(|&x| store.sort(x) == Sort::Bool);
        for number in numbers {
            let zero = store.bv_u64(store.width(number), 0);
            said.extend([store.eq(number, zero), store.bv_slt(zero, number)]);
        }
        for &condition in conditions {
            if !store.is_over(&[condition], &choices) {
                continue;
            }
            for guard in [condition, store.not(condition)] {
                for &fact in &said {
                    let opposite = store.not(fact);
                    facts.extend([fact, opposite].map(|fact| store.implies(guard, fact)));
                }
            }
        }
        candidates.push(at_place(store, place, facts, MAX_PHASES / places.len()));
    }
    candidates
}

/// Facts at a place, each once, and no more than some.
pub(crate) fn at_place(
    store: &mut TermStore,
    place: &Place,
    facts: Vec<TermId>,
    most: usize,
) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut candidates = Vec::new();
    for fact in facts {
        let candidate = store.implies(place.here, fact);
        if !store.is_value(candidate) && seen.insert(candidate) {
            candidates.push(candidate);
        }
    }
    candidates.truncate(most);
    candidates
}

/// Constant words in the system, each sort's smallest in number first.
pub(crate) fn constants(store: &TermStore, system: &TransitionSystem) -> Vec<TermId> {
    let roots = [system.init, system.trans, system.bad];
    let reachable = store.reachable(&roots);
    let mut found: Vec<TermId> = Vec::new();
    for term in reachable {
        // Constants that words are compared with or start from, not masks and shifts.
        if matches!(store.op(term), Op::Eq | Op::BvUlt | Op::BvSlt | Op::Ite) {
            for &arg in store.args(term) {
                if matches!(store.sort(arg), Sort::BitVec(width) if width > 1)
                    && store.is_value(arg)
                    && !found.contains(&arg)
                {
                    found.push(arg);
                }
            }
        }
    }
    found
}

/// Further formulas that a step may rely on, given facts that hold where it begins: one for each fact.
pub(crate) type Consequences<'a> = &'a dyn Fn(&mut TermStore, &[TermId]) -> Vec<TermId>;

/// Nothing.
pub(crate) fn no_consequences(store: &mut TermStore, facts: &[TermId]) -> Vec<TermId> {
    vec![store.true_term(); facts.len()]
}

/// The candidates that are inductive together, given formulas over the current state. They come in groups of which each
/// one is inductive without those after it, if at all: what a group leaves is known to the next. When the budget ends,
/// the groups that are not done are given up.
pub(crate) fn inductive_subset(
    store: &mut TermStore,
    system: &TransitionSystem,
    groups: Vec<Vec<TermId>>,
    consequences: Consequences<'_>,
    budget: &Budget,
) -> Vec<TermId> {
    let mut first = algebraic_solver();
    first.assert(system.init);
    let mut step = algebraic_solver();
    step.assert(system.trans);
    let after = system.current().zip(system.next()).collect();
    let mut found = Vec::new();
    for mut candidates in groups {
        candidates.retain(|&candidate| !store.is_value(candidate));
        if !drop_violated(store, &mut first, &mut candidates, budget)
            || !drop_left(store, &mut step, &mut candidates, &after, consequences, budget)
        {
            break;
        }
        found.extend(candidates);
    }
    found
}

/// Drops candidates until no step leaves them, given a solver with the steps; false if it does not get that far. What is
/// left is known to the solver afterwards. If the budget has a limit for conflicts and all together are too hard for it,
/// they are asked about one by one, and those are dropped that are too hard themselves.
fn drop_left(
    store: &mut TermStore,
    solver: &mut Solver,
    candidates: &mut Vec<TermId>,
    after: &FxHashMap<TermId, TermId>,
    consequences: Consequences<'_>,
    budget: &Budget,
) -> bool {
    // Each candidate has a switch, so that dropping one needs no new solver.
    let mut switches = Vec::new();
    let consequences = consequences(store, candidates);
    for (&candidate, consequence) in candidates.iter().zip(consequences) {
        let switch = store.fresh_var("candidate", Sort::Bool);
        let known = store.and(candidate, consequence);
        let on = store.implies(switch, known);
        solver.assert(on);
        switches.push(switch);
    }
    let after = store.substitute_all(candidates, after);
    let mut violations = Vec::new();
    for (&switch, &after) in switches.iter().zip(&after) {
        let violated = store.not(after);
        violations.push(store.and(switch, violated));
    }
    let violated = store.or_all(&violations);
    let mut kept: Vec<usize> = (0..candidates.len()).collect();
    // Those that have been asked about one by one since the last was dropped, if they are.
    let mut asked: Option<FxHashSet<usize>> = None;
    while !kept.is_empty() {
        let mut query: Vec<TermId> = kept.iter().map(|&i| switches[i]).collect();
        let next = asked.as_ref().and_then(|asked| kept.iter().find(|i| !asked.contains(i)));
        query.push(match (&asked, next) {
            (None, _) => violated,
            (Some(_), Some(&next)) => violations[next],
            (Some(_), None) => break,
        });
        let dropped: Vec<usize> = match (solver.check(store, &query, budget), &mut asked, next) {
            (Answer::Unsat, None, _) => break,
            (Answer::Unsat, Some(asked), Some(&next)) => {
                asked.insert(next);
                continue;
            }
            (Answer::Unknown(_), ..)
                if budget.conflicts.is_none() || budget.interrupted().is_some() =>
            {
                return false;
            }
            (Answer::Unknown(_), None, _) => {
                asked = Some(FxHashSet::default());
                continue;
            }
            (Answer::Unknown(_), _, Some(&next)) => vec![next],
            _ => {
                let holds = solver.truths(store, &after, budget);
                kept.iter().copied().filter(|&i| holds.get(i) != Some(&true)).collect()
            }
        };
        if dropped.is_empty() {
            return false;
        }
        kept.retain(|i| !dropped.contains(i));
        asked.iter_mut().for_each(FxHashSet::clear);
        for i in dropped {
            let off = store.not(switches[i]);
            solver.assert(off);
        }
    }
    for &i in &kept {
        solver.assert(switches[i]);
    }
    *candidates = kept.into_iter().map(|i| candidates[i]).collect();
    true
}

/// A solver that does not search for factors: where algebra does not show that a candidate is kept, it is dropped.
pub(crate) fn algebraic_solver() -> Solver {
    Solver::new(SolverOptions { products: Exactness::Algebraic, ..SolverOptions::default() })
}

/// Drops candidates until a solver refutes that one is violated; false if it does not get that far.
fn drop_violated(
    store: &mut TermStore,
    solver: &mut Solver,
    candidates: &mut Vec<TermId>,
    budget: &Budget,
) -> bool {
    loop {
        let all = store.and_all(candidates);
        let violated = store.not(all);
        match solver.check(store, &[violated], budget) {
            Answer::Unsat => return true,
            Answer::Unknown(_) => return false,
            Answer::Sat => {}
        }
        let mut holds = solver.truths(store, candidates, budget).into_iter();
        let before = candidates.len();
        candidates.retain(|_| holds.next() == Some(true));
        if candidates.len() == before {
            return false;
        }
    }
}

/// The system with an invariant and its consequences put in: the same executions, but steps from other states are gone.
pub(crate) fn strengthened(
    store: &mut TermStore,
    system: &TransitionSystem,
    invariant: TermId,
    consequences: Consequences<'_>,
) -> TransitionSystem {
    let map = system.current().zip(system.next()).collect();
    let after = store.substitute(invariant, &map);
    let consequence = consequences(store, &[invariant])[0];
    TransitionSystem {
        state: system.state.clone(),
        inputs: system.inputs.clone(),
        init: store.and(system.init, invariant),
        trans: store.and_all(&[system.trans, invariant, after, consequence]),
        bad: store.and(system.bad, invariant),
    }
}

/// A proof about the strengthened system as one about the system itself.
pub(crate) fn weakened(store: &mut TermStore, proof: Proof, auxiliary: TermId) -> Proof {
    proof.map_invariant(|invariant| store.and(invariant, auxiliary))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_evidence::induction::{ProofFlaw, check_proof};
    use vergo_ts::StateVar;

    /// Counts to ten by twos.
    fn evens(store: &mut TermStore) -> TransitionSystem {
        let sort = Sort::BitVec(8);
        let (x, next) = (store.var("x", sort), store.var("x'", sort));
        let [zero, two, ten, eleven] = [0, 2, 10, 11].map(|n| store.bv_u64(8, n));
        let below = store.bv_ult(x, ten);
        let more = store.bv_add(x, two);
        let value = store.ite(below, more, x);
        TransitionSystem {
            state: vec![StateVar { current: x, next, name: "x".to_owned() }],
            inputs: vec![],
            init: store.eq(x, zero),
            trans: store.eq(next, value),
            bad: store.eq(x, eleven),
        }
    }

    #[test]
    fn facts_support_each_other() {
        let mut store = TermStore::new();
        let system = evens(&mut store);
        let here = store.true_term();
        let place = Place { here, variables: system.current().collect() };
        let proposed = candidates(&mut store, &system, &[place]);
        let budget = Budget::unlimited();
        let kept =
            inductive_subset(&mut store, &system, proposed.clone(), &no_consequences, &budget);
        assert!(!kept.is_empty() && kept.len() < proposed[0].len());
        // The bound holds because x is even, and neither fact is proposed by the property.
        let invariant = store.and_all(&kept);
        let proof = Proof::inductive(invariant);
        assert!(check_proof(&store, &system, &proof, &budget).is_ok());
        let alone = store.true_term();
        let proof = Proof::inductive(alone);
        assert_eq!(check_proof(&store, &system, &proof, &budget), Err(ProofFlaw::Consecution));
    }

    #[test]
    fn what_is_too_hard_is_dropped() {
        let mut store = TermStore::new();
        let system = evens(&mut store);
        let here = store.true_term();
        let place = Place { here, variables: system.current().collect() };
        let proposed = candidates(&mut store, &system, &[place]);
        let all = inductive_subset(
            &mut store,
            &system,
            proposed.clone(),
            &no_consequences,
            &Budget::unlimited(),
        );
        for conflicts in 0..4 {
            let budget = Budget { conflicts: Some(conflicts), ..Budget::unlimited() };
            let kept =
                inductive_subset(&mut store, &system, proposed.clone(), &no_consequences, &budget);
            assert!(kept.iter().all(|fact| all.contains(fact)));
            // Whatever is left is inductive: there is no violation to speak of.
            let invariant = store.and_all(&kept);
            let system = TransitionSystem { bad: store.false_term(), ..system.clone() };
            let proof = Proof::inductive(invariant);
            assert!(check_proof(&store, &system, &proof, &Budget::unlimited()).is_ok());
        }
    }

    #[test]
    fn proofs_about_the_strengthened_system_carry_the_facts() {
        let mut store = TermStore::new();
        let system = evens(&mut store);
        let here = store.true_term();
        let place = Place { here, variables: system.current().collect() };
        let proposed = candidates(&mut store, &system, &[place]);
        let budget = Budget::unlimited();
        let kept = inductive_subset(&mut store, &system, proposed, &no_consequences, &budget);
        let auxiliary = store.and_all(&kept);
        let stronger = strengthened(&mut store, &system, auxiliary, &no_consequences);
        assert_eq!(stronger.verify(&store), Ok(()));
        let trivial = Proof::inductive(here);
        assert!(check_proof(&store, &stronger, &trivial, &budget).is_ok());
        let proof = weakened(&mut store, trivial, auxiliary);
        assert!(check_proof(&store, &system, &proof, &budget).is_ok());
    }
}

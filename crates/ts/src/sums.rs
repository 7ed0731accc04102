//! Sums over arrays as part of the state.
//!
//! **Idea.** A loop that adds up the elements of an array computes `f(0, a[0]) + f(1, a[1]) + …`, and what it has so far is
//! the sum of those below a bound, its counter. Such a *partial sum* is a function of the state. So it can be made a
//! variable of it, and then linear equations between words say what loops compute: that an accumulator is the partial
//! sum below the counter, or the one below the length less that.
//!
//! **Source.** Daca, Henzinger, Kupriyanov, "Array Folds Logic", CAV 2016, doi 10.1007/978-3-319-41540-6_13, has a logic of
//! such functions of arrays; here they are ghost variables.
//!
//! **How sums change.** A write of `v` at `j` changes the sums below bounds beyond `j`, by `f(j, v) - f(j, a[j])`. A bound that
//! moves by one takes one element in. Below a bound that becomes zero there is nothing, below equal bounds there is the same;
//! of a bound that moves elsewhere nothing is known. All arithmetic is that of words, which wraps around.
//!
//! **Combinations.** That `x = 2 s - t` is kept where `x` loses what `t` gains is a question of associativity to a solver of
//! bits, and a hard one. So each combination of sums is a variable of its own, and what it changes by is said of it directly:
//! then both sides of an equation change by the same. Combinations that become the same when bounds are equal are equal.
//!
//! **Soundness.** The sums are functions of the state and what [`Sums`] says of them is true of these functions, so
//! every execution of the system is one with sums.

mod accumulators;

use crate::functional::Functional;
use crate::reduction::Reduction;
use crate::system::{StateVar, TransitionSystem};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use vergo_num::BitVec;
use vergo_term::{Assignment, Evaluator, Op, Sort, TermId, TermStore, Value};

/// Writes and choices of arrays that a sum is followed through.
const MAX_WRITES: usize = 64;
/// Elements that are added up where a sum is computed.
const MAX_ELEMENTS: u64 = 512;

/// A series: a summand for all positions in arrays from zero on, and the sums below some bounds.
#[derive(Clone, Debug)]
pub struct Series {
    /// The arrays: state variables.
    pub arrays: Vec<TermId>,
    /// A variable for the position.
    pub position: TermId,
    /// Variables for the elements there, in the order of the arrays.
    pub elements: Vec<TermId>,
    /// The summand, a word over these variables.
    pub summand: TermId,
    /// Bounds: words over the state.
    pub bounds: Vec<TermId>,
    /// Linear combinations of the sums of what is below the bounds.
    pub sums: Vec<Combination>,
}

/// A linear combination of sums of a series.
#[derive(Clone, Debug)]
pub struct Combination {
    /// Coefficients, and the numbers of the bounds below which the sums are, in ascending order.
    pub parts: Vec<(i64, usize)>,
    /// Its value: a further variable of the state.
    pub sum: StateVar,
}

/// The reduction that puts sums over arrays into the state.
#[derive(Clone, Debug)]
pub struct Sums(pub Vec<Series>);

impl Reduction for Sums {
    fn verify(&self, store: &TermStore, system: &TransitionSystem) -> Result<(), &'static str> {
        let all = self.0.iter().all(|series| series.verify(store, system));
        if all { Ok(()) } else { Err("a sum is not one over arrays of the state") }
    }

    fn apply(&self, store: &mut TermStore, system: &TransitionSystem) -> TransitionSystem {
        let step = Step::new(store, system);
        let TransitionSystem { mut state, inputs, init, trans, bad } = system.clone();
        let (mut first, mut steps, mut always) = (vec![init], vec![trans], Vec::new());
        for series in &self.0 {
            first.extend(series.at_first(store, init));
            steps.extend(series.in_step(store, &step));
            always.extend(series.agreement(store));
            state.extend(series.sums.iter().map(|combination| combination.sum.clone()));
        }
        let always = store.and_all(&always);
        let next = state.iter().map(|var| (var.current, var.next)).collect();
        let afterwards = store.substitute(always, &next);
        first.push(always);
        steps.extend([always, afterwards]);
        let (init, trans) = (store.and_all(&first), store.and_all(&steps));
        TransitionSystem { state, inputs, init, trans, bad: store.and(bad, always) }
    }

    fn import(&self, into: &mut TermStore, from: &TermStore) -> Arc<dyn Reduction> {
        Arc::new(Sums(self.0.iter().map(|series| series.import(into, from)).collect()))
    }
}

impl Series {
    /// The series in another store.
    fn import(&self, into: &mut TermStore, from: &TermStore) -> Series {
        let sums = self.sums.iter().map(|combination| Combination {
            parts: combination.parts.clone(),
            sum: combination.sum.import(into, from),
        });
        Series {
            sums: sums.collect(),
            arrays: into.import(from, &self.arrays),
            position: into.import(from, &[self.position])[0],
            elements: into.import(from, &self.elements),
            summand: into.import(from, &[self.summand])[0],
            bounds: into.import(from, &self.bounds),
        }
    }

    /// Checks whether a series is one over the arrays of a system. That its variables are new shows in the system with sums.
    fn verify(&self, store: &TermStore, system: &TransitionSystem) -> bool {
        let state: FxHashSet<TermId> = system.current().collect();
        let own: FxHashSet<TermId> = self.elements.iter().copied().chain([self.position]).collect();
        let index = store.sort(self.position);
        let is_array = |(array, element): (&TermId, &TermId)| {
            let Sort::Array(sort) = store.sort(*array) else { return false };
            state.contains(array) && store.array_parts(sort) == (index, store.sort(*element))
        };
        let is_combination = |combination: &Combination| {
            combination.parts.iter().all(|&(_, number)| number < self.bounds.len())
                && combination.parts.is_sorted_by_key(|&(_, number)| number)
                && store.sort(combination.sum.current) == store.sort(self.summand)
        };
        matches!(index, Sort::BitVec(_))
            && matches!(store.sort(self.summand), Sort::BitVec(_))
            && self.arrays.len() == self.elements.len()
            && own.len() == self.elements.len() + 1
            && own.iter().all(|&var| store.as_var(var).is_some())
            && self.arrays.iter().zip(&self.elements).all(is_array)
            && store.is_over(&[self.summand], &own)
            && self.bounds.iter().all(|&bound| store.sort(bound) == index)
            && store.is_over(&self.bounds, &state)
            && self.sums.iter().all(is_combination)
    }

    /// Returns facts about the sums in every state: below a bound of zero the sum is zero, and sums below equal bounds are
    /// equal.
    pub fn agreement(&self, store: &mut TermStore) -> Vec<TermId> {
        let mut facts = Vec::new();
        let none = store.bv_u64(store.width(self.position), 0);
        for Combination { parts, sum } in &self.sums {
            for (case, rest) in simpler(parts, self.bounds.len()) {
                let Some(value) = self.value(store, &rest) else { continue };
                let equal = match case {
                    Case::Empty(a) => store.eq(self.bounds[a], none),
                    Case::Equal(a, b) => store.eq(self.bounds[a], self.bounds[b]),
                };
                let same = store.eq(sum.current, value);
                facts.push(store.implies(equal, same));
            }
        }
        facts
    }

    /// The variable of a combination, if it has one; a combination of nothing is zero.
    fn value(&self, store: &mut TermStore, parts: &[(i64, usize)]) -> Option<TermId> {
        if parts.is_empty() {
            return Some(store.bv_u64(store.width(self.summand), 0));
        }
        let found = self.sums.iter().find(|combination| combination.parts == parts);
        found.map(|combination| combination.sum.current)
    }

    /// Returns facts about the sums in initial states where all elements are the same.
    fn at_first(&self, store: &mut TermStore, init: TermId) -> Vec<TermId> {
        let initial = constant_arrays(store, init);
        let elements: Option<Vec<TermId>> =
            self.arrays.iter().map(|array| initial.get(array).copied()).collect();
        let Some(elements) = elements else { return Vec::new() };
        let each = self.summand_at(store, self.position, &elements);
        if store.reachable(&[each]).contains(&self.position) {
            return Vec::new();
        }
        let mut facts = Vec::new();
        let (from, to) = (store.width(self.position), store.width(each));
        for Combination { parts, sum } in &self.sums {
            let mut terms = Vec::new();
            for &(coefficient, number) in parts {
                let bound = self.bounds[number];
                let times = match from < to {
                    true => store.bv_zero_extend(to, bound),
                    false => store.bv_extract(to - 1, 0, bound),
                };
                terms.push((coefficient, store.bv_mul(each, times)));
            }
            let value = self.linear(store, terms);
            facts.push(store.eq(sum.current, value));
        }
        facts
    }

    /// Returns the change of the sums whose bounds stay or move by one in a step.
    fn in_step(&self, store: &mut TermStore, step: &Step) -> Vec<TermId> {
        let arrays = self.arrays.iter().map(|&array| step.after(store, array));
        let Some(arrays) = arrays.collect::<Option<Vec<TermId>>>() else { return Vec::new() };
        let mut changes = Vec::new();
        for &bound in &self.bounds {
            changes.push(self.change_below(store, step, &arrays, bound));
        }
        let mut facts = Vec::new();
        for Combination { parts, sum } in &self.sums {
            let change =
                |&(coefficient, number): &(i64, usize)| Some((coefficient, changes[number]?));
            if let Some(parts) = parts.iter().map(change).collect::<Option<Vec<_>>>() {
                self.combined_change(store, &parts, sum, &mut facts);
            }
        }
        facts
    }

    /// Returns the change of a combination. Cases in which one bound moves or none does, and nothing is written, come on
    /// their own: these are what loops do, and what they say is simple.
    fn combined_change(
        &self,
        store: &mut TermStore,
        parts: &[(i64, Change)],
        sum: &StateVar,
        facts: &mut Vec<TermId>,
    ) {
        let zero = store.bv_u64(store.width(self.summand), 0);
        let quiet: Vec<TermId> =
            parts.iter().map(|(_, change)| store.eq(change.written, zero)).collect();
        let quiet = store.and_all(&quiet);
        let mut others = store.true_term();
        for moving in 0..=parts.len() {
            let mut case = vec![quiet];
            let mut terms = vec![(1, sum.current)];
            for (number, &(coefficient, change)) in parts.iter().enumerate() {
                if number == moving {
                    case.push(change.moves);
                    terms.push((coefficient, change.taken));
                } else {
                    case.push(change.stays);
                }
            }
            let case = store.and_all(&case);
            let value = self.linear(store, terms);
            let changed = store.eq(sum.next, value);
            facts.push(store.implies(case, changed));
            let not_so = store.not(case);
            others = store.and(others, not_so);
        }
        let mut case = vec![others];
        let mut terms = vec![(1, sum.current)];
        for &(coefficient, change) in parts {
            case.push(store.or(change.stays, change.moves));
            let taken = store.ite(change.stays, zero, change.taken);
            terms.push((coefficient, store.bv_add(taken, change.written)));
        }
        let case = store.and_all(&case);
        let value = self.linear(store, terms);
        let changed = store.eq(sum.next, value);
        facts.push(store.implies(case, changed));
    }

    /// Returns the change of a bound and the sum below it in a step, if that is a function of state and inputs.
    fn change_below(
        &self,
        store: &mut TermStore,
        step: &Step,
        arrays: &[TermId],
        bound: TermId,
    ) -> Option<Change> {
        let after = step.after(store, bound)?;
        let written = self.change(store, arrays, after, &mut { MAX_WRITES })?;
        let [none, one] = [0, 1].map(|n| store.bv_u64(store.width(bound), n));
        let stays = store.eq(after, bound);
        // After the last position comes the first one, below which there is nothing.
        let more = store.bv_add(bound, one);
        let (is_more, is_some) = (store.eq(after, more), store.ne(after, none));
        let moves = store.and(is_more, is_some);
        let elements: Vec<TermId> =
            self.arrays.iter().map(|&array| store.select(array, bound)).collect();
        let taken = self.summand_at(store, bound, &elements);
        Some(Change { stays, moves, taken, written })
    }

    /// A linear combination of words.
    fn linear(&self, store: &mut TermStore, terms: Vec<(i64, TermId)>) -> TermId {
        let width = store.width(self.summand);
        let mut sum = store.bv_u64(width, 0);
        for (coefficient, term) in terms {
            let factor = store.bv_const(BitVec::from_i64(width, coefficient));
            let product = store.bv_mul(term, factor);
            sum = store.bv_add(sum, product);
        }
        sum
    }

    /// By how much the sum below a bound changes from the arrays of the series to others that are made of them; `None` if
    /// they are made in other ways than by writes and choices.
    fn change(
        &self,
        store: &mut TermStore,
        arrays: &[TermId],
        bound: TermId,
        fuel: &mut usize,
    ) -> Option<TermId> {
        let zero = store.bv_u64(store.width(self.summand), 0);
        if arrays == self.arrays {
            return Some(zero);
        }
        *fuel = fuel.checked_sub(1)?;
        let with = |number: usize, array: TermId| {
            let mut arrays = arrays.to_vec();
            arrays[number] = array;
            arrays
        };
        for (number, &array) in arrays.iter().enumerate() {
            match (store.op(array), store.args(array)) {
                (Op::Store, &[inner, at, element]) => {
                    if let (Op::Ite, &[condition, a, b]) = (store.op(element), store.args(element))
                    {
                        let a = store.store(inner, at, a);
                        let b = store.store(inner, at, b);
                        let a = self.change(store, &with(number, a), bound, fuel)?;
                        let b = self.change(store, &with(number, b), bound, fuel)?;
                        return Some(store.ite(condition, a, b));
                    }
                    let inner = with(number, inner);
                    let before = self.change(store, &inner, bound, fuel)?;
                    let mut elements: Vec<TermId> =
                        inner.iter().map(|&array| store.select(array, at)).collect();
                    let old = self.summand_at(store, at, &elements);
                    elements[number] = element;
                    let new = self.summand_at(store, at, &elements);
                    let change = store.bv_sub(new, old);
                    let counts = store.bv_ult(at, bound);
                    let change = store.ite(counts, change, zero);
                    return Some(store.bv_add(before, change));
                }
                (Op::Ite, &[condition, a, b]) => {
                    let a = self.change(store, &with(number, a), bound, fuel)?;
                    let b = self.change(store, &with(number, b), bound, fuel)?;
                    return Some(store.ite(condition, a, b));
                }
                _ => {}
            }
        }
        None
    }

    fn summand_at(&self, store: &mut TermStore, position: TermId, elements: &[TermId]) -> TermId {
        let mut map: FxHashMap<TermId, TermId> =
            self.elements.iter().copied().zip(elements.iter().copied()).collect();
        map.insert(self.position, position);
        store.substitute(self.summand, &map)
    }

    /// The values of the sums below the bounds in a state; `None` if they are of many elements.
    pub fn values(&self, store: &TermStore, evaluator: &mut Evaluator<'_>) -> Option<Vec<Value>> {
        let arrays: Vec<Value> =
            self.arrays.iter().map(|&array| evaluator.value(array).clone()).collect();
        let value = |&bound: &TermId| {
            let bound = evaluator.value(bound).as_bv().to_u64();
            let bound = bound.filter(|&bound| bound <= MAX_ELEMENTS)?;
            let mut sum = BitVec::zero(store.width(self.summand));
            for position in 0..bound {
                let at = Value::from(BitVec::from_u64(store.width(self.position), position));
                let mut assignment = Assignment::new();
                for (array, &element) in arrays.iter().zip(&self.elements) {
                    assignment.set(store.as_var(element)?, array.as_array().select(&at).clone());
                }
                assignment.set(store.as_var(self.position)?, at);
                sum = sum.add(store.eval(self.summand, &assignment).as_bv());
            }
            Some(Value::from(sum))
        };
        self.bounds.iter().map(value).collect()
    }
}

/// The change of a bound and the sum below it in a step.
#[derive(Clone, Copy)]
struct Change {
    /// The condition that the bound stays where it is.
    stays: TermId,
    /// The condition that it moves by one.
    moves: TermId,
    /// The element that it then takes in.
    taken: TermId,
    /// By what writes change the sum below the bound after the step.
    written: TermId,
}

/// A case in which a combination is simpler.
#[derive(Clone, Copy)]
enum Case {
    /// A bound is zero.
    Empty(usize),
    /// Two bounds are equal.
    Equal(usize, usize),
}

/// The cases in which a combination is simpler, given how many bounds there are, with what it is then.
fn simpler(parts: &[(i64, usize)], n_bounds: usize) -> Vec<(Case, Vec<(i64, usize)>)> {
    let mut cases = Vec::new();
    for (place, &(coefficient, number)) in parts.iter().enumerate() {
        let mut rest = parts.to_vec();
        rest.remove(place);
        cases.push((Case::Empty(number), rest.clone()));
        // Of equal bounds the last one stays.
        for other in number + 1..n_bounds {
            let mut moved = rest.clone();
            match moved.binary_search_by_key(&other, |&(_, number)| number) {
                Ok(found) => moved[found].0 += coefficient,
                Err(missing) => moved.insert(missing, (coefficient, other)),
            }
            moved.retain(|&(coefficient, _)| coefficient != 0);
            cases.push((Case::Equal(number, other), moved));
        }
    }
    cases
}

/// The values of words and arrays after a step.
struct Step {
    next: FxHashMap<TermId, TermId>,
    updates: FxHashMap<TermId, TermId>,
    all_next: FxHashSet<TermId>,
}

impl Step {
    fn new(store: &TermStore, system: &TransitionSystem) -> Step {
        Step {
            next: system.current().zip(system.next()).collect(),
            updates: Functional::of(store, system).substitution(system),
            all_next: system.next().collect(),
        }
    }

    /// A term after the step, over current state and inputs, if that is a function of them.
    fn after(&self, store: &mut TermStore, term: TermId) -> Option<TermId> {
        let term = store.substitute(term, &self.next);
        let term = store.substitute(term, &self.updates);
        let free = store.free_vars(&[term]);
        let mut free = free.into_iter().map(|var| store.var_info(var).term);
        (!free.any(|var| self.all_next.contains(&var))).then_some(term)
    }
}

/// The elements of arrays that are the same everywhere in initial states.
fn constant_arrays(store: &TermStore, init: TermId) -> FxHashMap<TermId, TermId> {
    let mut found = FxHashMap::default();
    for part in store.conjuncts(init) {
        if let (Op::Eq, &[a, b]) = (store.op(part), store.args(part)) {
            for (var, value) in [(a, b), (b, a)] {
                if store.as_var(var).is_some() && store.op(value) == Op::ConstArray {
                    found.insert(var, store.arg(value, 0));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds up elements and their positions below `i`, while elements are exchanged and overwritten and the bounds move in
    /// all ways.
    fn restless(store: &mut TermStore) -> TransitionSystem {
        let word = Sort::BitVec(4);
        let sort = store.array_sort(word, word);
        let mut var = |name: &str, sort: Sort| StateVar {
            current: store.var(name, sort),
            next: store.var(&format!("{name}'"), sort),
            name: name.to_owned(),
        };
        let state =
            ["i", "n", "s", "a"].map(|name| var(name, if name == "a" { sort } else { word }));
        let inputs = ["x", "j", "way"].map(|name| store.var(name, word)).to_vec();
        let [i, n, s, a] = [0, 1, 2, 3].map(|k: usize| state[k].current);
        let (x, j, way) = (inputs[0], inputs[1], inputs[2]);
        let [zero, one] = [0, 1].map(|k| store.bv_u64(4, k));
        let bits: Vec<TermId> = (0..4).map(|bit| store.bv_bit(bit, way)).collect();
        let more = store.bv_add(i, one);
        let elsewhere = store.ite(bits[1], zero, x);
        let i_next = store.ite(bits[0], more, elsewhere);
        let n_next = store.ite(bits[1], n, x);
        let here = store.select(a, i);
        let there = store.select(a, j);
        let exchanged = store.store(a, i, there);
        let exchanged = store.store(exchanged, j, here);
        let chosen = store.ite(bits[0], x, here);
        let written = store.store(a, i, chosen);
        let moving = store.ite(bits[3], exchanged, written);
        let a_next = store.ite(bits[2], a, moving);
        let term = store.bv_add(here, i);
        let sum = store.bv_add(s, term);
        let goes_on = store.bv_ult(i, n);
        let s_next = store.ite(goes_on, sum, s);
        let mut trans = store.true_term();
        for (var, value) in state.iter().zip([i_next, n_next, s_next, a_next]) {
            let update = store.eq(var.next, value);
            trans = store.and(trans, update);
        }
        let nowhere = store.const_array(sort, one);
        let (at_first, ones) = (store.eq(i, zero), store.eq(a, nowhere));
        let init = store.and(at_first, ones);
        TransitionSystem { state: state.to_vec(), inputs, init, trans, bad: store.ne(s, zero) }
    }

    /// A state with its sums, as an assignment to current or next variables.
    fn assign(
        store: &TermStore,
        state: &[StateVar],
        series: &Series,
        values: &[Value],
        is_next: bool,
        assignment: &mut Assignment,
    ) {
        let mut own = Assignment::new();
        for (var, value) in state.iter().zip(values) {
            own.set(store.as_var(var.current).expect("a variable"), value.clone());
            let var = if is_next { var.next } else { var.current };
            assignment.set(store.as_var(var).expect("a variable"), value.clone());
        }
        let below = series.values(store, &mut Evaluator::new(store, &own)).expect("few elements");
        for Combination { parts, sum } in &series.sums {
            let mut value = BitVec::zero(4);
            for &(coefficient, number) in parts {
                let factor = BitVec::from_i64(4, coefficient);
                value = value.add(&below[number].as_bv().mul(&factor));
            }
            let var = if is_next { sum.next } else { sum.current };
            assignment.set(store.as_var(var).expect("a variable"), value);
        }
    }

    #[test]
    fn every_step_is_one_with_sums() {
        let mut store = TermStore::new();
        let system = restless(&mut store);
        let mut all = Series::of(&mut store, &system);
        assert_eq!(all.len(), 1);
        let series = &mut all[0];
        assert_eq!(series.bounds, [system.state[0].current, system.state[1].current]);
        for parts in [vec![(1, 0)], vec![(3, 1), (-1, 0)], vec![(2, 0), (1, 1)]] {
            series.combine(&mut store, parts);
        }
        assert!(series.verify(&store, &system));
        let summed = Sums(all.clone()).apply(&mut store, &system);
        assert_eq!(summed.verify(&store), Ok(()));
        let updates = Functional::of(&store, &system).substitution(&system);
        let mut random = 7u64;
        let mut word = || {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            BitVec::from_u64(4, random >> 60)
        };
        for round in 0..3000 {
            let mut array = store.eval(store_of_ones(&system, &store), &Assignment::new());
            if round % 4 > 0 {
                for position in 0..16 {
                    let at = Value::from(BitVec::from_u64(4, position));
                    let Value::Array(elements) = &array else { panic!("an array") };
                    let mut elements = (**elements).clone();
                    elements.store(&at, word().into());
                    array = Value::Array(elements.into());
                }
            }
            let first = if round % 4 == 0 { BitVec::zero(4) } else { word() };
            let state = [first.into(), word().into(), word().into(), array];
            let mut assignment = Assignment::new();
            for &input in &system.inputs {
                assignment.set(store.as_var(input).expect("a variable"), word());
            }
            assign(&store, &system.state, &all[0], &state, false, &mut assignment);
            let after: Vec<Value> =
                system.next().map(|next| store.eval(updates[&next], &assignment)).collect();
            if round % 4 == 0 {
                assert!(store.eval(summed.init, &assignment).as_bool(), "{state:?}");
            }
            assign(&store, &system.state, &all[0], &after, true, &mut assignment);
            assert!(store.eval(summed.trans, &assignment).as_bool(), "{state:?} {after:?}");
            let is_bad = store.eval(system.bad, &assignment);
            assert_eq!(store.eval(summed.bad, &assignment), is_bad);
        }
    }

    /// The array of the initial states.
    fn store_of_ones(system: &TransitionSystem, store: &TermStore) -> TermId {
        let terms = store.reachable(&[system.init]);
        let array = terms.into_iter().find(|&term| store.op(term) == Op::ConstArray);
        array.expect("an array in the beginning")
    }

    #[test]
    fn what_is_no_sum_over_the_state_is_refused() {
        let mut store = TermStore::new();
        let system = restless(&mut store);
        let mut series = Series::of(&mut store, &system).remove(0);
        series.combine(&mut store, vec![(1, 0)]);
        let foreign = store.var("foreign", Sort::BitVec(4));
        let beyond = Series { bounds: vec![foreign], ..series.clone() };
        assert!(!beyond.verify(&store, &system));
        let summand = store.bv_add(series.summand, system.state[2].current);
        let changing = Series { summand, ..series.clone() };
        assert!(!changing.verify(&store, &system));
        let wide = store.var("wide", Sort::BitVec(5));
        let elsewhere = Series { bounds: vec![wide], ..series.clone() };
        assert!(!elsewhere.verify(&store, &system));
        let mut none = series.clone();
        none.sums[0].parts[0].1 = 9;
        assert!(!none.verify(&store, &system));
        // A sum that is a variable of the system already is none.
        let mut taken = series;
        taken.sums[0].sum = system.state[2].clone();
        let summed = Sums(vec![taken]).apply(&mut store, &system);
        assert!(summed.verify(&store).is_err());
    }
}

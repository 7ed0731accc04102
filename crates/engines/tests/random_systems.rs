//! Random small systems: every engine agrees with explicit-state search, proofs pass the checker, and
//! violations are executions, of the least length where the engine promises it.

use vergo_engines::safety::{Conclusion, Prover, Search};
use vergo_engines::{Algorithm, EngineId};
use vergo_evidence::induction::check_proof;
use vergo_num::BitVec;
use vergo_smt::Budget;
use vergo_term::{Assignment, Evaluator, Sort, TermId, TermStore, Value};
use vergo_testkit::Rng;
use vergo_testkit::environment::slow;
use vergo_ts::{StateVar, TransitionSystem};

/// A system with few states, and the sorts of its variables.
struct Sample {
    store: TermStore,
    system: TransitionSystem,
    is_relation: bool,
}

fn random_system(rng: &mut Rng) -> Sample {
    let mut store = TermStore::new();
    let is_relation = rng.one_in(3);
    let mut n_bits = if is_relation { rng.between(1, 4) } else { rng.between(2, 7) };
    let mut state = Vec::new();
    while n_bits > 0 {
        let width = rng.between(1, n_bits.min(4));
        n_bits -= width;
        let is_bool = width == 1 && rng.one_in(2);
        let sort = if is_bool { Sort::Bool } else { Sort::BitVec(width as u32) };
        let name = format!("x{}", state.len());
        let (current, next) = (store.var(&name, sort), store.var(&format!("{name}'"), sort));
        state.push(StateVar { current, next, name });
    }
    let inputs: Vec<TermId> = (0..rng.between(0, 2))
        .map(|i| {
            let sort = if rng.one_in(2) { Sort::Bool } else { Sort::BitVec(1) };
            store.var(&format!("i{i}"), sort)
        })
        .collect();
    let now: Vec<TermId> = state.iter().map(|var| var.current).collect();
    let now_and_inputs: Vec<TermId> = now.iter().chain(&inputs).copied().collect();
    let everything: Vec<TermId> =
        now_and_inputs.iter().copied().chain(state.iter().map(|var| var.next)).collect();

    let mut init = Vec::new();
    for &var in &now {
        if rng.one_in(8) {
            continue;
        }
        let sort = store.sort(var);
        let value = random_constant(&mut store, rng, sort);
        init.push(store.eq(var, value));
    }
    let init = store.and_all(&init);
    let mut steps = Vec::new();
    for var in &state {
        if is_relation && rng.one_in(3) {
            continue;
        }
        let sort = store.sort(var.current);
        let mut value = random_term(&mut store, rng, &now_and_inputs, sort, 3);
        if let Sort::BitVec(width) = sort
            && !rng.one_in(3)
        {
            // Counters take many steps to get anywhere; arbitrary functions soon run in circles.
            let by = store.bv_u64(width, rng.bits() | 1);
            let counted = store.bv_add(var.current, by);
            let condition = random_term(&mut store, rng, &now_and_inputs, Sort::Bool, 2);
            value = if rng.one_in(2) { counted } else { store.ite(condition, counted, value) };
        }
        steps.push(store.eq(var.next, value));
    }
    if is_relation {
        for _ in 0..rng.between(1, 2) {
            steps.push(random_term(&mut store, rng, &everything, Sort::Bool, 3));
        }
    }
    let trans = store.and_all(&steps);
    // A single state is not bad too early, and not always reachable.
    let mut bad = Vec::new();
    for &var in &now {
        let sort = store.sort(var);
        let value = random_constant(&mut store, rng, sort);
        bad.push(store.eq(var, value));
    }
    if rng.one_in(3) {
        bad.push(random_term(&mut store, rng, &now_and_inputs, Sort::Bool, 2));
    }
    let bad = store.and_all(&bad);
    let system = TransitionSystem { state, inputs, init, trans, bad };
    assert_eq!(system.verify(&store), Ok(()));
    Sample { store, system, is_relation }
}

fn random_constant(store: &mut TermStore, rng: &mut Rng, sort: Sort) -> TermId {
    match sort {
        Sort::BitVec(width) => store.bv_u64(width, rng.bits()),
        _ => store.bool_const(rng.one_in(2)),
    }
}

fn random_term(
    store: &mut TermStore,
    rng: &mut Rng,
    vars: &[TermId],
    sort: Sort,
    depth: usize,
) -> TermId {
    if depth == 0 || rng.one_in(6) {
        let fitting: Vec<TermId> =
            vars.iter().copied().filter(|&v| store.sort(v) == sort).collect();
        if !fitting.is_empty() && !rng.one_in(4) {
            return *rng.choose(&fitting);
        }
        if let Sort::BitVec(width) = sort
            && rng.one_in(2)
        {
            let words: Vec<TermId> =
                vars.iter().copied().filter(|&v| store.sort(v).width().is_some()).collect();
            if !words.is_empty() {
                return store.bv_resize_unsigned(width, *rng.choose(&words));
            }
        }
        return random_constant(store, rng, sort);
    }
    let sub =
        |store: &mut TermStore, rng: &mut Rng, sort| random_term(store, rng, vars, sort, depth - 1);
    if rng.one_in(4) {
        let condition = sub(store, rng, Sort::Bool);
        let (a, b) = (sub(store, rng, sort), sub(store, rng, sort));
        return store.ite(condition, a, b);
    }
    if sort == Sort::Bool {
        if rng.one_in(2) {
            let word = Sort::BitVec(rng.between(1, 4) as u32);
            let (a, b) = (sub(store, rng, word), sub(store, rng, word));
            return match rng.below(3) {
                0 => store.eq(a, b),
                1 => store.bv_ult(a, b),
                _ => store.bv_slt(a, b),
            };
        }
        let (a, b) = (sub(store, rng, sort), sub(store, rng, sort));
        return match rng.below(4) {
            0 => store.and(a, b),
            1 => store.or(a, b),
            2 => store.xor(a, b),
            _ => store.not(a),
        };
    }
    let (a, b) = (sub(store, rng, sort), sub(store, rng, sort));
    match rng.below(7) {
        0 | 1 => store.bv_add(a, b),
        2 => store.bv_sub(a, b),
        3 => store.bv_mul(a, b),
        4 => store.bv_xor(a, b),
        5 => store.bv_and(a, b),
        _ => store.bv_lshr(a, b),
    }
}

/// All values of variables, one row per combination.
fn combinations(store: &TermStore, vars: &[TermId]) -> Vec<Vec<Value>> {
    let mut rows = vec![Vec::new()];
    for &var in vars {
        let values: Vec<Value> = match store.sort(var) {
            Sort::BitVec(width) => {
                (0..1u64 << width).map(|n| Value::BitVec(BitVec::from_u64(width, n))).collect()
            }
            _ => vec![Value::Bool(false), Value::Bool(true)],
        };
        rows = rows
            .into_iter()
            .flat_map(|row| {
                values.iter().map(move |value| {
                    let mut row = row.clone();
                    row.push(value.clone());
                    row
                })
            })
            .collect();
    }
    rows
}

/// The number of steps to the nearest violation, by breadth-first search over all states.
fn distance(sample: &Sample) -> Option<usize> {
    let (store, system) = (&sample.store, &sample.system);
    let current: Vec<TermId> = system.current().collect();
    let next: Vec<TermId> = system.next().collect();
    let states = combinations(store, &current);
    let inputs = combinations(store, &system.inputs);
    let assign = |rows: &[(&[TermId], &Vec<Value>)]| {
        let mut assignment = Assignment::new();
        for (vars, row) in rows {
            for (&var, value) in vars.iter().zip(row.iter()) {
                assignment.set(store.as_var(var).expect("a variable"), value.clone());
            }
        }
        assignment
    };
    let mut frontier: Vec<usize> = Vec::new();
    let mut seen = vec![false; states.len()];
    for (index, state) in states.iter().enumerate() {
        if store.eval(system.init, &assign(&[(&current, state)])).as_bool() {
            frontier.push(index);
            seen[index] = true;
        }
    }
    let functional = vergo_ts::Functional::of(store, system);
    let updates: Option<Vec<TermId>> = functional.updates.iter().copied().collect();
    let mut steps = 0;
    while !frontier.is_empty() {
        let mut after = Vec::new();
        for &index in &frontier {
            for input in &inputs {
                let assignment = assign(&[(&current, &states[index]), (&system.inputs, input)]);
                let mut evaluator = Evaluator::new(store, &assignment);
                if evaluator.value(system.bad).as_bool() {
                    return Some(steps);
                }
                // A function is evaluated, a relation is searched.
                let mut successors: Vec<usize> = Vec::new();
                if let Some(updates) = updates.as_ref().filter(|_| !sample.is_relation) {
                    let row: Vec<Value> =
                        updates.iter().map(|&update| evaluator.value(update).clone()).collect();
                    successors.extend(states.iter().position(|state| *state == row));
                } else {
                    successors.extend((0..states.len()).filter(|&to| {
                        let assignment = assign(&[
                            (&current, &states[index]),
                            (&system.inputs, input),
                            (&next, &states[to]),
                        ]);
                        store.eval(system.trans, &assignment).as_bool()
                    }));
                }
                for to in successors {
                    if !seen[to] {
                        seen[to] = true;
                        after.push(to);
                    }
                }
            }
        }
        frontier = after;
        steps += 1;
    }
    None
}

/// The engines on transition systems.
fn provers() -> impl Iterator<Item = (&'static str, Prover)> {
    EngineId::ALL.iter().filter_map(|engine| match engine.info().algorithm {
        Algorithm::OnSystem(prove) => Some((engine.info().name, prove)),
        Algorithm::OnProgram(_) => None,
    })
}

#[test]
fn engines_agree_with_explicit_search() {
    let n_systems = if slow() { 20_000 } else { 300 };
    let (mut n_safe, mut n_unsafe, mut n_deep) = (0, 0, 0);
    for seed in 0..n_systems {
        let sample = random_system(&mut Rng::new(seed));
        let expected = distance(&sample);
        match expected {
            None => n_safe += 1,
            Some(steps) => {
                n_unsafe += 1;
                n_deep += u32::from(steps > 2);
            }
        }
        let Sample { mut store, system, .. } = sample;
        for (name, prove) in provers() {
            let budget = Budget::unlimited();
            let mut search = Search::new(&mut store, &system, &budget, &|_| {});
            match prove(&mut search) {
                Err(reason) => panic!("seed {seed}: {name} does not know: {reason}"),
                Ok(Conclusion::Safe(proof)) => {
                    assert_eq!(expected, None, "seed {seed}: {name} proves a violated system");
                    if let Err(flaw) = check_proof(&store, &system, &proof, &budget) {
                        panic!("seed {seed}: {name}: {flaw}");
                    }
                }
                Ok(Conclusion::Unsafe(path)) => {
                    assert!(path.verify(&store, &system), "seed {seed}: {name}: no execution");
                    let is_shortest = Some(path.len()) == expected;
                    assert!(is_shortest || name == "pdr", "seed {seed}: {name}: not the shortest");
                }
            }
        }
    }
    // The sample is worth something only if it has all kinds.
    assert!(n_safe > n_systems / 5 && n_unsafe > n_systems / 5, "{n_safe} safe, {n_unsafe} unsafe");
    assert!(u64::from(n_deep) > n_systems / 20, "{n_deep} with longer violations");
}

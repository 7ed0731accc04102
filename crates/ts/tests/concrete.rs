//! Encoded systems agree with the interpreter: on random programs with loops, the system that is given the choices of an
//! execution reaches a bad state if and only if the execution violates a claim.

use std::cell::RefCell;
use vergo_goto::program::Program;
use vergo_goto::sample;
use vergo_goto::types::Type;
use vergo_interp::{
    InputValue, Inputs, Limits, Machine, Options as RunOptions, Outcome, Request, SeedInputs,
};
use vergo_num::RoundingMode;
use vergo_term::{Assignment, Sort, TermStore, Value, default_value};
use vergo_testkit::environment;
use vergo_ts::encode::CauseKind;
use vergo_ts::{Choice, Chosen, End, Options, encode};

/// Returns the end of an execution, and the choices that it makes.
fn run(
    program: &Program,
    inputs: &mut dyn FnMut(&Request<'_>) -> Result<InputValue, String>,
) -> (Outcome, Vec<InputValue>) {
    let chosen = RefCell::new(Vec::new());
    let choose = |request: &Request<'_>| {
        let value = inputs(request)?;
        chosen.borrow_mut().push(value.clone());
        Ok(value)
    };
    let limits = Limits { steps: 200_000, ..Limits::default() };
    let options = RunOptions { inputs: Box::new(choose), limits, ..RunOptions::default() };
    let outcome = Machine::new(program, options).run();
    (outcome, chosen.into_inner())
}

/// A choice as an input.
fn input(program: &Program, choice: Choice) -> Option<InputValue> {
    let Chosen::Value { ty, value } = choice.what else { return None };
    Some(match (value, program.types.get(ty)) {
        (Value::Bool(value), _) => InputValue::Bool(value),
        (Value::BitVec(bits), _) => InputValue::Int(bits),
        (Value::Float(number), &Type::Float(format)) => {
            InputValue::Float(number.convert(format, RoundingMode::NearestEven))
        }
        other => panic!("{other:?} is no choice"),
    })
}

/// An input as a value of a sort; `None` if it is of another.
fn value(input: &InputValue, sort: Sort) -> Option<Value> {
    match (input, sort) {
        (InputValue::Bool(value), Sort::Bool) => Some(Value::Bool(*value)),
        (InputValue::Int(bits), Sort::BitVec(width)) => {
            Some(Value::BitVec(bits.zero_extend(width.max(bits.width()))))
        }
        // Terms know IEEE formats only.
        (InputValue::Float(number), Sort::Float(format)) => {
            Some(number.convert(format, RoundingMode::NearestEven).into())
        }
        _ => None,
    }
}

#[test]
fn bad_states_are_reached_where_the_interpreter_violates_claims() {
    let n_seeds = if environment::slow() { 3000 } else { 60 };
    let (mut compared, mut with_loops, mut n_invariants) = (0, 0, 0);
    let mut differences = Vec::new();
    let mut unsupported = std::collections::BTreeMap::new();
    for seed in 0..n_seeds {
        let program = sample::program(seed);
        let mut seeded = SeedInputs::new(seed);
        let (outcome, choices) = run(&program, &mut |request| seeded.choose(request));
        let wanted = match &outcome {
            Outcome::Violation(violation) => Some(violation.claim.description.clone()),
            Outcome::Exited(_) | Outcome::Aborted(_) | Outcome::AssumptionFailed(_) => None,
            _ => continue,
        };
        let mut store = TermStore::new();
        // Arrays have a variable per element, or are terms of array sort.
        let max_elements = if seed % 3 == 0 { 1 } else { 64 };
        let options = Options { max_elements, ..Options::default() };
        let encoded = match encode(&program, &mut store, &options) {
            Ok(encoded) => encoded,
            Err(reason) => {
                *unsupported.entry(reason.reason).or_insert(0) += 1;
                continue;
            }
        };
        assert_eq!(encoded.system.verify(&store), Ok(()), "program {seed}");
        let invariant = encoded.interval_invariant(&mut store);
        n_invariants += u64::from(invariant != store.true_term());
        compared += 1;
        with_loops += u64::from(encoded.statistics.n_points > 1);
        let mut inputs = choices.iter();
        // The block in which a claim is violated may have choices that the execution did not come to.
        let mut choose = |_, sort| match inputs.next() {
            Some(input) => value(input, sort),
            None => Some(default_value(&store, sort)),
        };
        let (path, end) = encoded.follow(&store, &mut choose, 10_000);
        // What interval analysis says holds of every state on the way.
        for state in &path.states {
            let mut assignment = Assignment::new();
            for (var, value) in encoded.system.current().zip(state) {
                assignment.set(store.as_var(var).expect("it is one"), value.clone());
            }
            assert!(store.eval(invariant, &assignment).as_bool(), "program {seed}");
        }
        let found = match end {
            End::Over => None,
            End::Stopped => Some("the path has other choices".to_owned()),
            End::Bad => {
                assert!(path.verify(&store, &encoded.system), "program {seed}: not a path");
                let causes = encoded.causes_of(&store, &path);
                let claim = causes.iter().find_map(|cause| match &cause.kind {
                    CauseKind::Claim(claim) => Some(claim.description.clone()),
                    CauseKind::Beyond(_) => None,
                });
                // The choices that are read off the path make an execution with the same end.
                let again = encoded.choices(&store, &path);
                let mut again = again.into_iter().filter_map(|choice| input(&program, choice));
                let (outcome, _) = run(&program, &mut |request| {
                    Ok(again.next().unwrap_or(InputValue::zero(request.ty)))
                });
                let violated = match outcome {
                    Outcome::Violation(violation) => Some(violation.claim.description),
                    _ => None,
                };
                assert_eq!(violated, claim, "program {seed}");
                Some(claim.unwrap_or_else(|| "beyond".to_owned()))
            }
        };
        if found != wanted {
            differences.push((seed, found, wanted));
        }
    }
    assert_eq!(differences, [], "of {compared} programs; unsupported: {unsupported:?}");
    assert!(compared * 2 > n_seeds, "only {compared} of {n_seeds}: {unsupported:?}");
    assert!(with_loops * 4 > compared, "only {with_loops} of {compared} have loops");
    assert!(n_invariants * 10 > with_loops, "only {n_invariants} of {with_loops} have invariants");
}

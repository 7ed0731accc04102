//! Symbolic execution agrees with the interpreter: on random programs, under the inputs of one execution, the claims
//! that are violated begin with the one that the interpreter meets.

use std::cell::RefCell;
use std::collections::BTreeMap;
use vergo_goto::program::Program;
use vergo_goto::sample;
use vergo_interp::{
    Birth, InputValue, Inputs, Limits, Machine, Options as RunOptions, Outcome, Request, SeedInputs,
};
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_symex::{Fresh, ObligationKind, Options, StepKind, Trace, execute};
use vergo_term::{ArrayValue, Assignment, Evaluator, Sort, TermStore, Value};
use vergo_testkit::environment;

/// Returns the end of an execution, and the choices that it makes.
fn run(program: &Program, seed: u64) -> (Outcome, Vec<InputValue>) {
    let chosen = RefCell::new(Vec::new());
    let mut seeded = SeedInputs::new(seed);
    let choose = |request: &Request<'_>| {
        let value = seeded.choose(request)?;
        chosen.borrow_mut().push(value.clone());
        Ok(value)
    };
    let limits = Limits { steps: 200_000, ..Limits::default() };
    let mut births: BTreeMap<Birth, u64> = BTreeMap::new();
    let fresh = move |birth: Birth, bytes: &mut [u8]| {
        let count = births.entry(birth).or_insert(0);
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = unwritten(*count, i as u64);
        }
        *count += 1;
    };
    let options = RunOptions {
        inputs: Box::new(choose),
        fresh: Some(Box::new(fresh)),
        limits,
        ..RunOptions::default()
    };
    let outcome = Machine::new(program, options).run();
    (outcome, chosen.into_inner())
}

/// Returns a byte of an object that nobody has written, by the number of earlier objects of its kind.
fn unwritten(count: u64, offset: u64) -> u8 {
    (count.wrapping_mul(77) ^ offset.wrapping_mul(41)).wrapping_add(3) as u8
}

/// Gives the variables of unknown bytes their values.
fn set_fresh(store: &TermStore, model: &mut Assignment, fresh: &Fresh, byte: impl Fn(u64) -> u8) {
    for &(offset, size, term) in &fresh.words {
        let bytes: Vec<u8> = (0..size).map(|i| byte(offset + i)).collect();
        let var = store.as_var(term).expect("unknown bytes are variables");
        model.set(var, Value::BitVec(BitVec::from_le_bytes(size as u32 * 8, &bytes)));
    }
    for array in &fresh.arrays {
        let Sort::Array(sort) = store.sort(array.term) else { continue };
        let (index, element) = store.array_parts(sort);
        let value_at = |i: u64| {
            let start = array.first + array.spacing.offset(i).unwrap_or(0);
            let bytes: Vec<u8> = (0..array.size).map(|k| byte(start + k)).collect();
            let bits = BitVec::from_le_bytes(array.size as u32 * 8, &bytes);
            match element {
                Sort::Bool => Value::Bool(!bits.is_zero()),
                Sort::BitVec(width) => Value::BitVec(bits.resize_unsigned(width)),
                Sort::Float(format) => {
                    Float::from_bits(format, bits.resize_unsigned(format.width())).into()
                }
                _ => Value::Bool(false),
            }
        };
        let mut value = ArrayValue::constant(value_at(0), store.n_values(index));
        for i in 0..1000 {
            value.store_at(BitVec::from_u64(index.width().unwrap_or(64), i), value_at(i));
        }
        let var = store.as_var(array.term).expect("unknown arrays are variables");
        model.set(var, Value::Array(value.into()));
    }
}

/// The model in which the inputs are those of the execution.
fn model(store: &TermStore, trace: &Trace, values: &[InputValue]) -> Option<Assignment> {
    let mut model = Assignment::new();
    let mut births: BTreeMap<Birth, u64> = BTreeMap::new();
    let mut values = values.iter();
    for step in &trace.steps {
        if !store.eval(step.guard, &model).as_bool() {
            continue;
        }
        let value = match step.kind {
            StepKind::Input { value, .. } => value,
            StepKind::Bytes { value, size, .. } => {
                let Some(InputValue::Bytes(bytes)) = values.next() else { return None };
                assert_eq!(bytes.len() as u64, size);
                set_fresh(store, &mut model, &trace.fresh[value], |at| bytes[at as usize]);
                continue;
            }
            StepKind::New { value: None, .. } => continue,
            StepKind::New { symbol, value: Some(value), .. } => {
                let birth = symbol.map_or(Birth::Allocation, Birth::Variable);
                let count = births.entry(birth).or_insert(0);
                set_fresh(store, &mut model, &trace.fresh[value], |at| unwritten(*count, at));
                *count += 1;
                continue;
            }
            StepKind::Read { .. } => return None,
        };
        let var = store.as_var(value).expect("an input is a variable");
        // Another type than the execution's means that symbolic execution is on another path.
        let chosen = match (values.next(), store.sort(value)) {
            (Some(InputValue::Bool(value)), Sort::Bool) => Value::Bool(*value),
            (Some(InputValue::Int(bits)), Sort::BitVec(width)) => {
                Value::BitVec(bits.zero_extend(width))
            }
            // Terms know IEEE formats only.
            (Some(InputValue::Float(number)), Sort::Float(format)) => {
                number.convert(format, RoundingMode::NearestEven).into()
            }
            (None, _) => break,
            _ => return None,
        };
        model.set(var, chosen);
    }
    Some(model)
}

#[test]
fn first_violation_is_the_interpreters() {
    let n_seeds = if environment::slow() { 3000 } else { 60 };
    let mut compared = 0;
    let mut differences = Vec::new();
    for seed in 0..n_seeds {
        let program = sample::program(seed);
        let (outcome, values) = run(&program, seed);
        let mut store = TermStore::new();
        let options = Options { max_steps: 50_000, ..Options::bounded(40, 40) };
        let trace = execute(&program, &mut store, &options);
        if trace.cut_short.is_some() {
            continue;
        }
        compared += 1;
        let Some(model) = model(&store, &trace, &values) else {
            differences.push((seed, Some("another path".to_owned()), None));
            continue;
        };
        let mut evaluator = Evaluator::new(&store, &model);
        let violated = trace.obligations.iter().find(|o| evaluator.value(o.violation).as_bool());
        let found = violated.map(|obligation| match &obligation.kind {
            ObligationKind::Claim(claim) => claim.description.clone(),
            other => format!("{other:?}"),
        });
        let wanted = match &outcome {
            Outcome::Violation(violation) => Some(violation.claim.description.clone()),
            Outcome::Exited(_) | Outcome::Aborted(_) | Outcome::AssumptionFailed(_) => None,
            _ => continue,
        };
        if found != wanted {
            differences.push((seed, found, wanted));
        }
    }
    assert_eq!(differences, [], "of {compared} programs");
    assert!(compared * 2 > n_seeds, "only {compared} of {n_seeds} programs could be compared");
}

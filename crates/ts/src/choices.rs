//! Between paths of the system and the choices of the program, in the order in which it makes them.

use crate::encode::{Cause, Encoded};
use crate::path::Path;
use crate::single_loop::Block;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use vergo_goto::program::SymbolId;
use vergo_goto::types::TypeId;
use vergo_num::BitVec;
use vergo_source::Span;
use vergo_symex::{Fixture, Fresh, FreshId, ObjectId, Step, StepKind};
use vergo_term::{Assignment, Evaluator, Sort, TermId, TermStore, Value};

/// A nondeterministic choice of the program.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// Where it is made.
    pub span: Span,
    /// The choice.
    pub what: Chosen,
}

/// A choice of an execution. Bytes are given with their offsets; those not mentioned do not matter.
#[derive(Clone, PartialEq, Debug)]
pub enum Chosen {
    /// A scalar.
    Value {
        /// Its type.
        ty: TypeId,
        /// Its value.
        value: Value,
    },
    /// A structure or array.
    Bytes {
        /// The number of its bytes.
        size: u64,
        /// The bytes.
        bytes: Vec<(u64, u8)>,
    },
    /// An object that comes to life.
    Born {
        /// The variable, of [`Encoded::program`]; none for an allocation.
        symbol: Option<SymbolId>,
        /// Its content, if nobody has written it.
        bytes: Option<Vec<(u64, u8)>>,
        /// Where it lies, if somebody looks.
        address: Option<u64>,
    },
    /// Something that is there from the beginning, if somebody looks where it lies.
    Fixed {
        /// The variable or function, of [`Encoded::program`].
        fixture: Fixture,
        /// Where it lies.
        address: Option<u64>,
    },
    /// Input from outside.
    Read {
        /// The number of bytes; `None` for an error.
        count: Option<u64>,
        /// The bytes.
        bytes: Vec<(u64, u8)>,
    },
}

/// The end of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// In a bad state.
    Bad,
    /// In a state without successor.
    Over,
    /// Where its choices or steps end.
    Stopped,
}

impl Encoded {
    /// The choices that the program makes on a path, in order.
    pub fn choices(&self, store: &TermStore, path: &Path) -> Vec<Choice> {
        let mut choices = Vec::new();
        // Values of variables that are no part of the state.
        let mut rest: FxHashMap<TermId, Value> = FxHashMap::default();
        for time in 0..path.states.len() {
            let mut assignment = self.assignment(store, path, time);
            if time == 0 {
                let mut evaluator = Evaluator::new(store, &assignment);
                for &(fixture, address) in &self.history.fixtures {
                    let address = evaluator.value(address).as_bv().to_u64();
                    let what = Chosen::Fixed { fixture, address };
                    choices.push(Choice { span: Span::DUMMY, what });
                }
                let (steps, values) = &self.history.prologue;
                let addresses = &self.history.addresses;
                collect(&mut evaluator, steps, &self.history.first_fresh, addresses, &mut choices);
                for &(variable, value) in values {
                    rest.insert(variable, evaluator.value(value).clone());
                }
            }
            for &variable in &self.history.irrelevant {
                if let (Some(var), Some(value)) = (store.as_var(variable), rest.get(&variable)) {
                    assignment.set(var, value.clone());
                }
            }
            let mut evaluator = Evaluator::new(store, &assignment);
            let Some(block) = self.history.blocks.get(self.point(path, time)) else { break };
            let (fresh, addresses) = (&self.history.fresh, &self.history.addresses);
            collect(&mut evaluator, &block.steps, fresh, addresses, &mut choices);
            rest.extend(leave(&mut evaluator, block).map_or_else(Vec::new, |(_, values)| values));
        }
        choices
    }

    /// The reason why the last state of a path is bad.
    pub fn causes_of(&self, store: &TermStore, path: &Path) -> Vec<&Cause> {
        let Some(last) = path.states.len().checked_sub(1) else { return Vec::new() };
        let assignment = self.assignment(store, path, last);
        let mut evaluator = Evaluator::new(store, &assignment);
        let bad = |cause: &&Cause| evaluator.value(cause.condition).as_bool();
        self.causes.iter().filter(bad).collect()
    }

    /// The path on which the program makes the choices that it is given, and how it ends: at the first bad state, when
    /// there is no successor, when `choose` has nothing more, or after so many steps.
    pub fn follow(
        &self,
        store: &TermStore,
        choose: &mut dyn FnMut(TypeId, Sort) -> Option<Value>,
        max_steps: usize,
    ) -> (Path, End) {
        let mut path = Path { states: Vec::new(), inputs: Vec::new() };
        let mut state: FxHashMap<TermId, Value> = FxHashMap::default();
        let mut point = 0;
        if let Some(block) = &self.history.beginning {
            let Some(assignment) = self.enter(store, &state, block, choose) else {
                return (path, End::Stopped);
            };
            match leave(&mut Evaluator::new(store, &assignment), block) {
                Some((to, values)) => {
                    state.extend(values);
                    point = to;
                }
                None => return (path, End::Over),
            }
        }
        if let Some(counter) = self.counter {
            state.insert(counter, BitVec::from_u64(store.width(counter), point as u64).into());
        }
        loop {
            let Some(block) = self.history.blocks.get(point) else { return (path, End::Over) };
            let entered = self.enter(store, &state, block, choose);
            let Some(assignment) = entered else { return (path, End::Stopped) };
            let mut evaluator = Evaluator::new(store, &assignment);
            let values = self.system.current().map(|var| evaluator.value(var).clone());
            path.states.push(values.collect());
            let inputs = self.system.inputs.iter().map(|&var| evaluator.value(var).clone());
            path.inputs.push(inputs.collect());
            if !self.causes_of(store, &path).is_empty() {
                return (path, End::Bad);
            }
            match leave(&mut evaluator, block) {
                None => return (path, End::Over),
                Some(_) if path.len() >= max_steps => return (path, End::Stopped),
                Some((to, values)) => {
                    state.extend(values);
                    // Variables on which nothing depends there have values too.
                    let updates = self.history.updates.iter();
                    state
                        .extend(updates.map(|&(var, value)| (var, evaluator.value(value).clone())));
                    point = to;
                }
            }
        }
    }

    /// The values of state and inputs in a block, whose choices are made on the way.
    fn enter(
        &self,
        store: &TermStore,
        state: &FxHashMap<TermId, Value>,
        block: &Block,
        choose: &mut dyn FnMut(TypeId, Sort) -> Option<Value>,
    ) -> Option<Assignment> {
        let mut assignment = Assignment::new();
        let variables = self.system.current().chain(self.history.irrelevant.iter().copied());
        for variable in variables {
            if let (Some(var), Some(value)) = (store.as_var(variable), state.get(&variable)) {
                assignment.set(var, value.clone());
            }
        }
        for step in &block.steps {
            let StepKind::Input { value, ty, .. } = step.kind else { continue };
            if store.eval(step.guard, &assignment).as_bool()
                && let Some(var) = store.as_var(value)
            {
                assignment.set(var, choose(ty, store.sort(value))?);
            }
        }
        Some(assignment)
    }

    /// The number of the point at which a path is at a time.
    pub fn point(&self, path: &Path, time: usize) -> usize {
        match (self.counter, path.states[time].first()) {
            // The counter is the first state variable.
            (Some(_), Some(counter)) => counter.as_bv().to_u64().unwrap_or(0) as usize,
            _ => 0,
        }
    }

    fn assignment(&self, store: &TermStore, path: &Path, time: usize) -> Assignment {
        let mut assignment = Assignment::new();
        let state = self.system.current().zip(&path.states[time]);
        let inputs = self.system.inputs.iter().copied().zip(&path.inputs[time]);
        for (variable, value) in state.chain(inputs) {
            if let Some(var) = store.as_var(variable) {
                assignment.set(var, value.clone());
            }
        }
        assignment
    }
}

/// Where a block leads, and the values of variables there.
fn leave(evaluator: &mut Evaluator<'_>, block: &Block) -> Option<(usize, Vec<(TermId, Value)>)> {
    let taken = block.exits.iter().find(|(guard, ..)| evaluator.value(*guard).as_bool())?;
    let (_, to, values) = taken;
    let value = |&(var, value): &(TermId, TermId)| (var, evaluator.value(value).clone());
    Some((*to, values.iter().map(value).collect()))
}

fn collect(
    evaluator: &mut Evaluator<'_>,
    steps: &[Step],
    fresh: &PrimaryMap<FreshId, Fresh>,
    addresses: &BTreeMap<ObjectId, TermId>,
    choices: &mut Vec<Choice>,
) {
    for step in steps {
        if !evaluator.value(step.guard).as_bool() {
            continue;
        }
        let what = match step.kind {
            StepKind::Input { value, ty, .. } => {
                Chosen::Value { ty, value: evaluator.value(value).clone() }
            }
            StepKind::Bytes { value, size, .. } => {
                Chosen::Bytes { size, bytes: fresh[value].bytes(evaluator) }
            }
            StepKind::New { symbol, value, object } => Chosen::Born {
                symbol,
                bytes: value.map(|value| fresh[value].bytes(evaluator)),
                address: addresses
                    .get(&object)
                    .and_then(|&address| evaluator.value(address).as_bv().to_u64()),
            },
            StepKind::Read { count, value } => {
                let count = evaluator.value(count).as_bv().to_i64();
                let count = count.and_then(|count| u64::try_from(count).ok());
                Chosen::Read { count, bytes: fresh[value].bytes(evaluator) }
            }
        };
        choices.push(Choice { span: step.span, what });
    }
}

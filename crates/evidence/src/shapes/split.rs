//! Cases of an instruction, and what is known of values that were computed.
//!
//! Where a pointer depends on a condition, or on which element of a small array of pointers is meant, the instruction is executed
//! once for each outcome. What an operation on values that are not known gives is remembered until the next cut, so that the same
//! operation on the same values gives the same value.

use super::eval::Stop;
use super::execute::Executor;
use super::graph::{Class, State, Value, class_of};
use vergo_analysis::interval::Word;
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::{BinaryOp, ExprId, UnaryOp};
use vergo_goto::types::{Type, TypeId};

/// Of more values than this an expression is not told apart.
const MOST_CASES: i128 = 16;

/// So many results of operations are remembered.
const MOST_RESULTS: usize = 48;

/// The facts that are known while an instruction is executed.
#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// Values of expressions in this case of the instruction.
    decided: Vec<(ExprId, u64)>,
    /// True if expressions are no longer told apart.
    whole: bool,
}

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    Unary(UnaryOp, TypeId, Value),
    /// With the types of the operands and of the result.
    Binary(BinaryOp, [TypeId; 3], [Value; 2]),
    /// From a type to another.
    Cast([TypeId; 2], Value),
}

impl Operation {
    fn map(&mut self, change: impl Fn(Value) -> Value) {
        match self {
            Operation::Unary(_, _, value) | Operation::Cast(_, value) => *value = change(*value),
            Operation::Binary(_, _, values) => *values = values.map(change),
        }
    }

    fn is_open(&self) -> bool {
        let is_open = |value: &Value| matches!(value, Value::Unknown(_));
        let is_number = |value: &Value| matches!(value, Value::Unknown(_) | Value::Word(_));
        match self {
            Operation::Unary(_, _, value) | Operation::Cast(_, value) => is_open(value),
            Operation::Binary(_, _, values) => {
                values.iter().any(is_open) && values.iter().all(is_number)
            }
        }
    }
}

impl State {
    /// Returns the value of an expression in this case of the instruction.
    pub(super) fn decided(&self, expr: ExprId) -> Option<u64> {
        let mut known = self.moment.decided.iter();
        known.find(|(other, _)| *other == expr).map(|(_, value)| *value)
    }

    /// Returns whether expressions are no longer told apart.
    pub(super) fn is_whole(&self) -> bool {
        self.moment.whole
    }

    /// Expressions are no longer told apart for the rest of the instruction.
    pub(super) fn take_whole(&mut self) {
        self.moment.whole = true;
    }

    /// Returns whether nothing is known besides the graph.
    pub(super) fn is_between(&self) -> bool {
        self.results.is_empty() && self.moment.decided.is_empty() && !self.moment.whole
    }

    /// The instruction is executed.
    pub(super) fn next_moment(&mut self) {
        if self.moment.whole || !self.moment.decided.is_empty() {
            self.moment = Moment::default();
        }
    }

    /// Changes the values that are remembered.
    pub(super) fn map_results(&mut self, change: impl Fn(Value) -> Value) {
        for (operation, result) in &mut self.results {
            operation.map(&change);
            *result = change(*result);
        }
    }

    /// The result of an operation, of which a range is known: what it was before, if it was executed before.
    pub(super) fn result(
        &mut self,
        operation: Operation,
        class: Class,
        word: Word,
        range: Wrapped,
    ) -> Value {
        let known = self.results.iter().find(|(other, _)| *other == operation);
        if let Some(&(_, known)) = known {
            // More may be known of the operands than then.
            if range.single(word).is_some() {
                return self.ranged(class, word, range);
            }
            if let Value::Unknown(id) = known
                && let Some(of) = self.unknowns.get_mut(&id)
                && let Some(both) = of.range.and_then(|before| before.meet(word, range))
            {
                of.range = Some(both);
            }
            return known;
        }
        let result = self.ranged(class, word, range);
        if matches!(result, Value::Unknown(_)) && operation.is_open() {
            if self.results.len() >= MOST_RESULTS {
                self.results.remove(0);
            }
            self.results.push((operation, result));
        }
        result
    }
}

impl Executor<'_> {
    /// Asks for the cases of a condition, unless they are told apart already.
    pub(super) fn decide(&self, state: &State, cond: ExprId) -> Result<(), Stop> {
        if state.moment.whole || state.decided(cond).is_some() {
            return Ok(());
        }
        Err(Stop::Cases(cond))
    }

    /// Asks for the cases of the index of an element, if there are few and elements hold pointers.
    pub(super) fn pick(
        &self,
        state: &mut State,
        index: ExprId,
        element: Option<TypeId>,
    ) -> Result<(), Stop> {
        if state.moment.whole || state.decided(index).is_some() {
            return Ok(());
        }
        let Some(range) = self.operand(state, index)?.map(|(word, range)| range.hull(word)) else {
            return Ok(());
        };
        let is_few = range.low < range.high && range.high - range.low < MOST_CASES;
        let has_pointers = || {
            let leaves = element.and_then(|element| self.leaves(element));
            leaves.is_some_and(|leaves| leaves.iter().any(|(_, class, _)| *class == Class::Ptr))
        };
        if is_few && has_pointers() { Err(Stop::Cases(index)) } else { Ok(()) }
    }

    /// The states in which an expression has one value each. Together they are all that the state is.
    pub(super) fn cases(&self, mut state: State, expr: ExprId) -> Result<Vec<State>, Stop> {
        let ty = self.program.exprs.ty(expr);
        let mut cases = Vec::new();
        if matches!(self.program.types.get(ty), Type::Bool) {
            for outcome in [true, false] {
                for mut case in self.assume(state.clone(), expr, outcome)? {
                    case.moment.decided.push((expr, outcome.into()));
                    cases.push(case);
                }
            }
            return Ok(cases);
        }
        let value = self.scalar(&mut state, expr)?;
        let class = class_of(self.program, ty).map_or(Class::Other, |(class, _)| class);
        let range = state.range(self.program, class, value);
        let (Some(word), Some(range)) = (class.word(self.program), range) else {
            state.moment.whole = true;
            return Ok(vec![state]);
        };
        let all = Word { signed: self.is_signed(ty), ..word };
        let values = range.hull(all);
        if values.high - values.low >= MOST_CASES {
            state.moment.whole = true;
            return Ok(vec![state]);
        }
        for number in values.low..=values.high {
            let mut case = state.clone();
            let only = Wrapped::constant(word, number);
            let Some(bits) = only.single(word).and_then(|bits| u64::try_from(bits).ok()) else {
                state.moment.whole = true;
                return Ok(vec![state]);
            };
            if let Value::Unknown(id) = value
                && !self.limit(&mut case, id, only)
            {
                continue;
            }
            case.moment.decided.push((expr, bits));
            cases.push(case);
        }
        Ok(cases)
    }

    fn is_signed(&self, ty: TypeId) -> bool {
        self.word(ty).is_some_and(|word| word.signed)
    }
}

//! Arithmetic on unknown numbers as sums: what is shown not to wrap around is exact.

use super::execute::Executor;
use super::graph::{State, UnknownId, Value};
use super::linear::Linear;
use vergo_analysis::interval::{Truth, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::{BinaryOp, ExprId};
use vergo_goto::types::{Type, TypeId};

impl Executor<'_> {
    /// The integer that an expression is, as a sum, if its value is known to be one.
    fn sum_of_value(&self, state: &State, expr: ExprId, value: Value) -> Option<Linear> {
        let word = self.word(self.program.exprs.ty(expr)).filter(|word| word.width >= 8)?;
        let is_pointer = self.program.pointee(self.program.exprs.ty(expr)).is_some();
        if is_pointer { None } else { state.form(value, word) }
    }

    /// The exact result of an operation on integers as a sum, whether or not it is a value of the type.
    fn exact(&self, state: &State, op: BinaryOp, operands: [(ExprId, Value); 2]) -> Option<Linear> {
        let [x, y] = operands.map(|(expr, value)| self.sum_of_value(state, expr, value));
        let (x, y) = (x?, y?);
        match op {
            BinaryOp::Add | BinaryOp::AddOverflows => x.plus(&y, 1),
            BinaryOp::Sub | BinaryOp::SubOverflows => x.plus(&y, -1),
            BinaryOp::Mul | BinaryOp::MulOverflows => match (x.number(), y.number()) {
                (Some(factor), _) => y.times(factor),
                (_, Some(factor)) => x.times(factor),
                _ => None,
            },
            BinaryOp::Shl => {
                let by = y.number().filter(|by| (0..63).contains(by))?;
                x.times(1 << by)
            }
            _ => None,
        }
    }

    /// The result of an operation on integers of more than 64 bits that are sums.
    pub(super) fn related_wide(
        &self,
        state: &mut State,
        op: BinaryOp,
        [x, y]: [Value; 2],
        ty: TypeId,
    ) -> Option<Value> {
        let (x, y) = (state.wide_sum(x)?, state.wide_sum(y)?);
        if let Type::Bool = *self.program.types.get(ty) {
            return match compared(state, op, &x, &y) {
                Truth::Maybe => None,
                truth => Some(Value::Word((truth == Truth::True).into())),
            };
        }
        let sum = match (op, x.number(), y.number()) {
            (BinaryOp::Add, ..) => x.plus(&y, 1)?,
            (BinaryOp::Sub, ..) => x.plus(&y, -1)?,
            (BinaryOp::Mul, Some(factor), _) => y.times(factor)?,
            (BinaryOp::Mul, _, Some(factor)) => x.times(factor)?,
            _ => return None,
        };
        self.as_wide(state, &sum, ty)
    }

    /// A sum as a value of an integer type of more than 64 bits.
    fn as_wide(&self, state: &mut State, sum: &Linear, ty: TypeId) -> Option<Value> {
        match *self.program.types.get(ty) {
            Type::Int { signed, width: width @ 65.. } => state.of_wide(signed, width, sum),
            _ => None,
        }
    }

    /// A conversion of integers of which one type has more than 64 bits.
    pub(super) fn cast_wide(
        &self,
        state: &mut State,
        from: TypeId,
        value: Value,
        to: TypeId,
    ) -> Option<Value> {
        let sum = match self.word(from) {
            Some(word) => state.form(value, word),
            None => state.wide_sum(value),
        }?;
        match self.word(to) {
            Some(word) if word.width >= 8 && state.fits(&sum, word) => {
                Some(state.of_sum(word, &sum, Wrapped::all(word)))
            }
            Some(_) => None,
            None => self.as_wide(state, &sum, to),
        }
    }

    /// The result of an operation on integers that relations say more of than ranges.
    pub(super) fn related(
        &self,
        state: &mut State,
        op: BinaryOp,
        operands: [(ExprId, Value); 2],
        word: Word,
        range: Wrapped,
    ) -> Option<Value> {
        if range.single(word).is_some() {
            return None;
        }
        let yes = |value: bool| Some(Value::Word(value.into()));
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
                let sum = self.exact(state, op, operands)?;
                state.fits(&sum, word).then(|| state.of_sum(word, &sum, range))
            }
            BinaryOp::AddOverflows | BinaryOp::SubOverflows | BinaryOp::MulOverflows => {
                let sum = self.exact(state, op, operands)?;
                let of = self.word(self.program.exprs.ty(operands[0].0))?;
                if state.fits(&sum, of) { yes(false) } else { None }
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le => {
                let [x, y] = operands.map(|(expr, value)| self.sum_of_value(state, expr, value));
                let truth = compared(state, op, &x?, &y?);
                match truth {
                    Truth::Maybe => None,
                    truth => yes(truth == Truth::True),
                }
            }
            _ => None,
        }
    }

    /// Notes what relates the result of a division or the like to its operands.
    pub(super) fn relate(
        &self,
        state: &mut State,
        op: BinaryOp,
        operands: [(ExprId, Value); 2],
        result: Value,
        word: Word,
    ) {
        if !matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr | BinaryOp::BitAnd) {
            return;
        }
        let [x, y] = operands.map(|(expr, value)| self.sum_of_value(state, expr, value));
        let (Some(x), Some(y), Some(result)) = (x, y, state.form(result, word)) else { return };
        if !state.entails(&x) || !state.entails(&y) {
            return;
        }
        let divisor = match op {
            BinaryOp::Div => y.number().filter(|by| *by > 0),
            BinaryOp::Shr => y.number().filter(|by| (0..63).contains(by)).map(|by| 1 << by),
            _ => None,
        };
        let facts = match (op, divisor) {
            (BinaryOp::Div | BinaryOp::Shr, Some(by)) => {
                let rest = x.plus(&result, -by);
                let behind = rest.as_ref().and_then(|rest| rest.times(-1)?.more(by - 1));
                [rest, behind]
            }
            (BinaryOp::Rem, _) if y.more(-1).is_some_and(|y| state.entails(&y)) => {
                [x.plus(&result, -1), y.plus(&result, -1).and_then(|sum| sum.more(-1))]
            }
            (BinaryOp::BitAnd, _) => [x.plus(&result, -1), y.plus(&result, -1)],
            _ => return,
        };
        for fact in facts.into_iter().flatten() {
            state.assume_not_negative(&fact);
        }
    }

    /// Assumes that a comparison of integers has an outcome; returns false if it cannot have it.
    pub(super) fn assume_compared(
        &self,
        state: &mut State,
        op: BinaryOp,
        operands: [ExprId; 2],
        outcome: bool,
    ) -> Result<bool, super::eval::Stop> {
        let fresh = state.fresh;
        let mut sums = Vec::new();
        for expr in operands {
            let value = self.scalar(state, expr)?;
            match self.sum_of_value(state, expr, value) {
                // What is read anew each time is not worth a fact.
                Some(sum) if is_older(&sum, fresh) => sums.push(sum),
                _ => return Ok(true),
            }
        }
        Ok(assume_order(state, op, &sums[0], &sums[1], outcome))
    }
}

/// Returns whether a sum is one of unknowns that had been there before a new one got a number.
pub(super) fn is_older(sum: &Linear, fresh: u32) -> bool {
    sum.terms().iter().all(|&(UnknownId(id), _)| id < fresh)
}

/// Compares sums.
pub(super) fn compared(state: &State, op: BinaryOp, x: &Linear, y: &Linear) -> Truth {
    let Some(distance) = y.plus(x, -1) else { return Truth::Maybe };
    match op {
        BinaryOp::Eq => state.is_zero(&distance),
        BinaryOp::Ne => state.is_zero(&distance).negated(),
        BinaryOp::Le => state.is_not_negative(&distance),
        BinaryOp::Lt => {
            distance.more(-1).map_or(Truth::Maybe, |distance| state.is_not_negative(&distance))
        }
        _ => Truth::Maybe,
    }
}

/// Assumes that a comparison of sums has an outcome; returns false if it cannot have it.
pub(super) fn assume_order(
    state: &mut State,
    op: BinaryOp,
    x: &Linear,
    y: &Linear,
    outcome: bool,
) -> bool {
    let (Some(up), Some(down)) = (y.plus(x, -1), x.plus(y, -1)) else { return true };
    let fact = match (op, outcome) {
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => return state.assume_zero(&up),
        (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => {
            if state.is_zero(&up) == Truth::True {
                return false;
            }
            match (state.entails(&up), state.entails(&down)) {
                (true, _) => up.more(-1),
                (_, true) => down.more(-1),
                _ => None,
            }
        }
        (BinaryOp::Lt, true) => up.more(-1),
        (BinaryOp::Lt, false) => Some(down),
        (BinaryOp::Le, true) => Some(up),
        (BinaryOp::Le, false) => down.more(-1),
        _ => None,
    };
    fact.is_none_or(|fact| state.assume_not_negative(&fact))
}

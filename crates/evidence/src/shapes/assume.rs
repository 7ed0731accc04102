//! The consequences of a condition for a state.

use super::eval::Stop;
use super::execute::Executor;
use super::graph::{State, UnknownId, Value, class_of};
use super::linear::Linear;
use super::sums::assume_order;
use vergo_analysis::interval::{Truth, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::types::Type;

impl Executor<'_> {
    /// The states in which a condition has an outcome; none if it cannot have it.
    pub(super) fn assume(
        &self,
        mut state: State,
        cond: ExprId,
        outcome: bool,
    ) -> Result<Vec<State>, Stop> {
        match (self.truth(&mut state, cond)?, outcome) {
            (Truth::True, false) | (Truth::False, true) => return Ok(Vec::new()),
            (Truth::True, true) | (Truth::False, false) => return Ok(vec![state]),
            (Truth::Maybe, _) => {}
        }
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.refined(state, cond, outcome))
    }

    fn refined(&self, mut state: State, cond: ExprId, outcome: bool) -> Result<Vec<State>, Stop> {
        let program = self.program;
        match *program.exprs.kind(cond) {
            ExprKind::Unary(UnaryOp::Not, operand) => self.assume(state, operand, !outcome),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                // All three are conjunctions, up to signs of operands and outcome.
                let (a_wanted, b_wanted, conjunction) = match op {
                    BinaryOp::And => (true, true, outcome),
                    BinaryOp::Or => (false, false, !outcome),
                    _ => (true, false, !outcome),
                };
                let mut after = Vec::new();
                if conjunction {
                    for state in self.assume(state, a, a_wanted)? {
                        after.extend(self.assume(state, b, b_wanted)?);
                    }
                    return Ok(after);
                }
                after.extend(self.assume(state.clone(), a, !a_wanted)?);
                for state in self.assume(state, a, a_wanted)? {
                    after.extend(self.assume(state, b, !b_wanted)?);
                }
                Ok(after)
            }
            ExprKind::Binary(
                op @ (BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le),
                a,
                b,
            ) => Ok(self.compared(state, op, a, b, outcome)?.into_iter().collect()),
            ExprKind::Cast(_, operand) => {
                let Some(word) = self.word(program.exprs.ty(operand)) else {
                    return Ok(vec![state]);
                };
                let zero = Wrapped::constant(word, 0);
                let x = self.range_of(&mut state, operand)?.unwrap_or(Wrapped::all(word));
                Ok(match Wrapped::compared(BinaryOp::Ne, outcome, word, x, zero) {
                    None => Vec::new(),
                    Some((x, _)) => self.narrowed(state, operand, x)?.into_iter().collect(),
                })
            }
            _ if program.exprs.kind(cond).is_place() => {
                let wanted = Wrapped::constant(Word::BOOL, outcome.into());
                Ok(self.narrowed(state, cond, wanted)?.into_iter().collect())
            }
            _ => Ok(vec![state]),
        }
    }

    fn range_of(&self, state: &mut State, expr: ExprId) -> Result<Option<Wrapped>, Stop> {
        let Some((class, _)) = class_of(self.program, self.program.exprs.ty(expr)) else {
            return Ok(None);
        };
        let value = self.scalar(state, expr)?;
        Ok(state.range(self.program, class, value))
    }

    /// The state in which a comparison has an outcome.
    fn compared(
        &self,
        mut state: State,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        outcome: bool,
    ) -> Result<Option<State>, Stop> {
        let ty = self.program.exprs.ty(a);
        let Some(word) = self.word(ty) else { return Ok(Some(state)) };
        let (x, y) = (self.range_of(&mut state, a)?, self.range_of(&mut state, b)?);
        let (Some(x), Some(y)) = (x, y) else { return Ok(Some(state)) };
        let Some((x, y)) = Wrapped::compared(op, outcome, word, x, y) else { return Ok(None) };
        let Some(state) = self.narrowed(state, a, x)? else { return Ok(None) };
        let Some(mut state) = self.narrowed(state, b, y)? else { return Ok(None) };
        let equal = matches!((op, outcome), (BinaryOp::Eq, true) | (BinaryOp::Ne, false));
        let is_pointer = matches!(self.program.types.get(ty), Type::Ptr(_));
        if is_pointer {
            return self.apart(state, op, a, b, outcome);
        }
        if !self.assume_compared(&mut state, op, [a, b], outcome)? {
            return Ok(None);
        }
        if equal {
            let values = (self.scalar(&mut state, a)?, self.scalar(&mut state, b)?);
            if let (Value::Unknown(p), Value::Unknown(q)) = values
                && p != q
                && state.unknowns[&p] == state.unknowns[&q]
            {
                state.replace(q, values.0);
            }
        }
        Ok(Some(state))
    }

    /// The state in which a comparison of pointers into one object has an outcome: their offsets have it.
    fn apart(
        &self,
        mut state: State,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        outcome: bool,
    ) -> Result<Option<State>, Stop> {
        let values = [self.scalar(&mut state, a)?, self.scalar(&mut state, b)?];
        let offsets = values.map(|value| state.offsets(self.program, value));
        let [Some((x, p)), Some((y, q))] = offsets else { return Ok(Some(state)) };
        let sums = values.map(|value| state.offset(value).map(|(_, sum)| sum));
        let is_inside = |sum: &Linear| state.is_inside(x, sum, &Linear::default());
        let [Some(from), Some(to)] = sums else { return Ok(Some(state)) };
        if x != y || !is_inside(&from) || !is_inside(&to) {
            return Ok(Some(state));
        }
        if !assume_order(&mut state, op, &from, &to, outcome) {
            return Ok(None);
        }
        let width = self.program.machine.pointer_width;
        let word = Word { signed: true, width };
        let [p, q] = [p, q].map(|at| Wrapped::of(word, at));
        let Some((p, q)) = Wrapped::compared(op, outcome, word, p, q) else { return Ok(None) };
        for (value, range) in values.into_iter().zip([p, q]) {
            if let Value::Inside(_, at) = value
                && !self.limit(&mut state, at, range)
            {
                return Ok(None);
            }
        }
        Ok(Some(state))
    }

    /// The state in which the value of an expression is in a range.
    fn narrowed(
        &self,
        mut state: State,
        expr: ExprId,
        range: Wrapped,
    ) -> Result<Option<State>, Stop> {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        let Some(word) = self.word(ty) else { return Ok(Some(state)) };
        match *program.exprs.kind(expr) {
            ExprKind::Cast(_, operand) => {
                let from = program.exprs.ty(operand);
                let is_int = |ty| matches!(program.types.get(ty), Type::Int { .. });
                let Some(narrow) = self.word(from) else { return Ok(Some(state)) };
                if is_int(from) && is_int(ty) && narrow.width < word.width {
                    // Each value of the operand is one of the wider type, and goes back to itself.
                    let image = Wrapped::all(narrow).convert(narrow, word);
                    let Some(range) = range.meet(word, image) else { return Ok(None) };
                    return self.narrowed(state, operand, range.convert(word, narrow));
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (x, y) = (self.range_of(&mut state, a)?, self.range_of(&mut state, b)?);
                let (Some(x), Some(y)) = (x, y) else { return Ok(Some(state)) };
                let Some((x, y)) = Wrapped::backward(op, word, range, x, y) else {
                    return Ok(None);
                };
                let Some(state) = self.narrowed(state, a, x)? else { return Ok(None) };
                return self.narrowed(state, b, y);
            }
            _ => {}
        }
        let value = self.scalar(&mut state, expr)?;
        let Value::Unknown(id) = value else { return Ok(Some(state)) };
        Ok(self.limit(&mut state, id, range).then_some(state))
    }

    /// Restricts a value to a range; returns false if it cannot be in the range.
    pub(super) fn limit(&self, state: &mut State, id: UnknownId, range: Wrapped) -> bool {
        let word = state.unknowns.get(&id).and_then(|known| known.class.word(self.program));
        word.is_none_or(|word| state.limit(id, word, range))
    }
}

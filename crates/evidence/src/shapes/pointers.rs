//! Arithmetic on pointers.

use super::eval::{Offsets, Stop, scaled, signed};
use super::execute::Executor;
use super::graph::{Class, End, ObjectId, Pointer, State, Value, class_of};
use vergo_analysis::interval::{Interval, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::ExprId;
use vergo_goto::types::TypeId;

/// Further than this pointers do not move from the beginnings of objects.
const NEAR: i128 = 1 << 30;

impl Executor<'_> {
    /// A pointer moves.
    pub(super) fn moved(
        &self,
        state: &mut State,
        pointer: ExprId,
        by: ExprId,
        ty: TypeId,
    ) -> Result<Value, Stop> {
        let program = self.program;
        let value = self.scalar(state, pointer)?;
        let by_value = self.scalar(state, by)?;
        if by_value == Value::Word(0) {
            return Ok(value);
        }
        if let Value::Ptr(pointer) = value
            && state.object(pointer.object).chain.is_some()
        {
            return Err(Stop::Look(pointer.object, pointer.end));
        }
        if value.target().is_some() {
            self.pick(state, by, program.pointee(ty))?;
        }
        // Addresses are words: to go on by nearly all of them is to go back.
        let by_value = self.scalar(state, by)?;
        let operand = self.operand_of(state, by, by_value);
        let range = operand.map(|(word, range)| {
            let signed = word.signed || word.width == program.machine.pointer_width;
            range.hull(Word { signed, ..word })
        });
        let unit = program.pointee(ty).and_then(|to| program.types.size_of(to, &program.machine));
        let unit = unit.unwrap_or(1);
        let moved = state.offsets(program, value).zip(range);
        let moved = moved.and_then(|((object, from), by)| Some((object, scaled(by, unit, from)?)));
        let Some((object, range)) = moved else { return Ok(self.any(state, ty)) };
        let by = operand.and_then(|(word, _)| state.form(by_value, word));
        let from = state.offset(value).map(|(_, from)| from);
        let sum = from.zip(by).and_then(|(from, by)| from.plus(&by, unit.into()));
        Ok(self.pointing(state, object, Offsets { range, sum }, ty))
    }

    /// A pointer to one of some offsets of an object.
    pub(super) fn pointing(
        &self,
        state: &mut State,
        object: ObjectId,
        offsets: Offsets,
        ty: TypeId,
    ) -> Value {
        let Offsets { range, sum } = offsets;
        let word = Word { signed: true, width: self.program.machine.pointer_width };
        // Further than this nobody goes who stays in objects.
        let is_near = -NEAR < range.low && range.high < NEAR;
        let is_one = range.low == range.high;
        let is_followed = is_one || state.object(object).of.is_none();
        if let Some(sum) = sum.filter(|sum| !is_one && is_followed && state.fits(sum, word)) {
            let all = if is_near { Wrapped::of(word, range) } else { Wrapped::all(word) };
            return match state.of_sum(word, &sum, all) {
                Value::Unknown(at) => Value::Inside(object, at),
                Value::Word(bits) => {
                    let offset = signed(word, bits) as i64;
                    Value::Ptr(Pointer { object, end: End::First, offset })
                }
                _ => self.any(state, ty),
            };
        }
        match is_near && is_followed {
            true => state.inside(self.program, object, range),
            false => self.any(state, ty),
        }
    }

    pub(super) fn distance(
        &self,
        state: &mut State,
        left: ExprId,
        right: ExprId,
        ty: TypeId,
    ) -> Result<Value, Stop> {
        let program = self.program;
        let (x, y) = (self.scalar(state, left)?, self.scalar(state, right)?);
        let unit = program.pointee(program.exprs.ty(left));
        let unit = unit.and_then(|to| program.types.size_of(to, &program.machine)).unwrap_or(1);
        let sums = [x, y].map(|value| state.offset(value));
        let offsets = [x, y].map(|value| state.offsets(program, value));
        let ([Some((a, x)), Some((b, y))], Some(word)) = (offsets, self.word(ty)) else {
            return Ok(self.any(state, ty));
        };
        if let [Some((_, x)), Some((_, y))] = sums
            && a == b
            && let Some(by) = x.plus(&y, -1).and_then(|by| by.divided(unit.into()))
            && state.fits(&by, word)
        {
            return Ok(state.of_sum(word, &by, Wrapped::all(word)));
        }
        let (Some(by), false) = (x.sub(y), a != b || unit == 0) else {
            return Ok(self.any(state, ty));
        };
        let unit = i128::from(unit);
        let by = Interval { low: by.low / unit, high: by.high / unit };
        let class = class_of(program, ty).map_or(Class::Other, |(class, _)| class);
        Ok(match by.is_within(word.all()) {
            true => state.ranged(class, word, Wrapped::of(word, by)),
            false => self.any(state, ty),
        })
    }
}

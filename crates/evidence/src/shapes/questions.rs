//! Questions about memory: whether pointers point to objects, how large these are, what is left of the heap.

use super::eval::Stop;
use super::execute::Executor;
use super::graph::{End, Known, Origin, Pointer, State, Value, is_written};
use super::linear::Linear;
use vergo_analysis::interval::{Truth, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::types::TypeId;

impl Executor<'_> {
    /// A question about memory.
    pub(super) fn question(
        &self,
        state: &mut State,
        op: MemoryOp,
        operands: &[ExprId],
        ty: TypeId,
    ) -> Result<Value, Stop> {
        match op {
            MemoryOp::HeapEmpty => {
                let heap = state.objects.iter().filter(|(_, object)| object.origin == Origin::Heap);
                let mut outer = heap.filter(|(_, object)| object.of.is_none());
                let truth = match outer.next() {
                    Some((&id, object)) if object.chain.is_some_and(|chain| chain.least == 0) => {
                        return Err(Stop::Look(id, End::First));
                    }
                    Some(_) => Truth::False,
                    None if state.lost => Truth::Maybe,
                    None => Truth::True,
                };
                return Ok(self.of_truth(state, truth));
            }
            MemoryOp::HeapReachable => {
                let reachable = state.reachable();
                let mut heap = state.objects.iter();
                let all = heap
                    .all(|(id, object)| object.origin != Origin::Heap || reachable.contains(id));
                let truth = if all && !state.lost { Truth::True } else { Truth::Maybe };
                return Ok(self.of_truth(state, truth));
            }
            _ => {}
        }
        let mut values = Vec::new();
        for &operand in operands {
            let value = self.scalar(state, operand)?;
            if let Value::Ptr(pointer) = value
                && state.object(pointer.object).chain.is_some()
            {
                return Err(Stop::Look(pointer.object, pointer.end));
            }
            values.push(value);
        }
        if let (MemoryOp::TextSize | MemoryOp::TextEnds, &[pointer, ..]) = (op, &values[..])
            && let Some(answer) = self.about_text(state, op, pointer, values.get(1).copied())
        {
            return Ok(answer);
        }
        let answer = match &values[..] {
            [Value::Ptr(pointer), rest @ ..] => self.about(state, op, *pointer, rest),
            [value @ Value::Inside(..), rest @ ..] => self.about_inside(state, op, *value, rest),
            [Value::Word(0), ..] => match op {
                MemoryOp::HasObject
                | MemoryOp::IsLive
                | MemoryOp::IsHeap
                | MemoryOp::IsWritable
                | MemoryOp::IsFunction
                | MemoryOp::IsInitialized
                | MemoryOp::SameObject
                | MemoryOp::ObjectSize
                | MemoryOp::Offset => Some(Value::Word(0)),
                _ => None,
            },
            [Value::Function(function)] => match op {
                MemoryOp::HasObject | MemoryOp::IsLive => Some(Value::Word(1)),
                MemoryOp::IsHeap | MemoryOp::IsWritable => Some(Value::Word(0)),
                MemoryOp::IsFunction => {
                    let to = self.program.pointee(self.program.exprs.ty(operands[0]));
                    let same = to == Some(self.program.functions[*function].ty);
                    same.then_some(Value::Word(1))
                }
                _ => None,
            },
            _ => None,
        };
        Ok(answer.unwrap_or_else(|| self.any(state, ty)))
    }

    /// Answers a question about a pointer to an object.
    fn about(
        &self,
        state: &State,
        op: MemoryOp,
        pointer: Pointer,
        rest: &[Value],
    ) -> Option<Value> {
        let object = state.object(pointer.object);
        let yes = |value: bool| Some(Value::Word(value.into()));
        let mask = u64::MAX >> (64 - self.program.machine.pointer_width);
        match op {
            MemoryOp::HasObject | MemoryOp::IsLive => yes(true),
            MemoryOp::ObjectSize => Some(match object.length {
                Some(length) => Value::Unknown(length),
                None => Value::Word(object.size),
            }),
            MemoryOp::Offset => Some(Value::Word(pointer.offset as u64 & mask)),
            MemoryOp::IsHeap => yes(object.origin == Origin::Heap),
            MemoryOp::IsWritable => yes(object.writable),
            MemoryOp::IsFunction => yes(false),
            MemoryOp::SameObject => match rest {
                [Value::Ptr(_) | Value::Inside(..)] => {
                    yes(rest[0].target().is_some_and(|other| other.object == pointer.object))
                }
                [Value::Word(0)] | [Value::Function(_)] => yes(false),
                _ => None,
            },
            MemoryOp::IsInitialized => match rest {
                [Value::Word(size)] => {
                    let at = object.has(pointer.offset, *size)?;
                    let covered = is_written(object, at, *size);
                    (object.zero || covered).then_some(Value::Word(1))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Answers a question about a text of which a zero byte is known.
    fn about_text(
        &self,
        state: &mut State,
        op: MemoryOp,
        pointer: Value,
        limit: Option<Value>,
    ) -> Option<Value> {
        let (id, at) = state.offset(pointer).filter(|(_, at)| state.entails(at))?;
        let distances: Vec<Linear> = state
            .zeros(id)
            .into_iter()
            .filter_map(|zero| zero.plus(&at, -1))
            .filter(|distance| state.entails(distance))
            .collect();
        if distances.is_empty() {
            return None;
        }
        if op == MemoryOp::TextEnds {
            return Some(Value::Word(1));
        }
        let word = Word { signed: false, width: self.program.machine.pointer_width };
        let size = state.unknown(Known::integer(word, Wrapped::all(word)));
        let sum = state.form(size, word)?;
        let limit = limit.and_then(|limit| state.form(limit, word));
        let most = distances.iter().filter_map(|distance| distance.more(1)).chain(limit);
        for most in most.collect::<Vec<Linear>>() {
            if let Some(rest) = most.plus(&sum, -1) {
                state.assume_not_negative(&rest);
            }
        }
        Some(size)
    }

    /// Answers a question about a pointer to some offset of an object.
    fn about_inside(
        &self,
        state: &State,
        op: MemoryOp,
        value: Value,
        rest: &[Value],
    ) -> Option<Value> {
        match (op, value) {
            (MemoryOp::Offset, Value::Inside(_, at)) => Some(Value::Unknown(at)),
            (MemoryOp::IsInitialized, _) => {
                let [Value::Word(size)] = rest else { return None };
                let (id, offsets) = state.offsets(self.program, value)?;
                let object = state.object(id);
                let first = u64::try_from(offsets.low).ok()?;
                let end = u64::try_from(offsets.high).ok()?.checked_add(*size)?;
                let is_there =
                    end <= object.size && (object.zero || is_written(object, first, end - first));
                is_there.then_some(Value::Word(1))
            }
            _ => self.about(state, op, value.target()?, rest),
        }
    }
}

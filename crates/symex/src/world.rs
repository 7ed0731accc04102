//! The world outside: what it reads is not followed, what it writes into memory is any bytes. That the memory is there has
//! been claimed before.

use crate::eval::Value;
use crate::execute::{Executor, NO_SITE};
use crate::initial::Initial;
use crate::memory::Origin;
use crate::operators::MAX_EARLIER;
use crate::printed;
use crate::scalar::BYTE;
use crate::state::State;
use crate::trace::{Step, StepKind};
use vergo_goto::expr::ExprId;
use vergo_goto::program::Intrinsic;
use vergo_num::BitVec;
use vergo_source::Span;
use vergo_term::{Sort, TermId};

/// Input and formatted output into memory is followed up to this many bytes a time.
const MAX_BYTES: u64 = 1 << 12;

impl Executor<'_> {
    pub(crate) fn intrinsic(
        &mut self,
        mut state: State,
        op: Intrinsic,
        dest: Option<ExprId>,
        args: &[ExprId],
        span: Span,
    ) -> Option<State> {
        let values: Vec<Value> = args.iter().map(|&arg| self.eval.value(&mut state, arg)).collect();
        self.settle(state.guard, span);
        // The verifier has seen to it that the arguments are scalars.
        let term = |i: usize| match values.get(i) {
            Some(Value::Term(term)) => Some(*term),
            _ => None,
        };
        let count = match op {
            // They say what is accessed, which is claimed before them.
            Intrinsic::Reads | Intrinsic::Copies | Intrinsic::Writes | Intrinsic::Order => {
                return Some(state);
            }
            Intrinsic::Write | Intrinsic::Time => {
                self.approximate(span, "a result of the outside world");
                self.count("world")
            }
            Intrinsic::Thread => {
                let number = self.eval.recorder.as_ref().map_or(0, |recorder| recorder.thread());
                self.eval.store.bv_u64(64, number.into())
            }
            Intrinsic::Read => {
                let (pointer, size) = (term(1)?, term(2)?);
                self.read(&mut state, pointer, size, span)
            }
            Intrinsic::PrintFloat => {
                let (pointer, capacity) = (term(0)?, term(1)?);
                let lengths = self.lengths_of_number(term(2)?, term(3)?);
                match self.print_float(&mut state, pointer, capacity, lengths, span) {
                    Some(count) => count,
                    None => {
                        let what = "the text of a number into memory of unknown length";
                        return self.unsupported(state, what, span);
                    }
                }
            }
            Intrinsic::Choose => {
                let (operands, dest) = ([term(0)?, term(1)?, term(2)?], dest?);
                let ty = self.program.exprs.ty(dest);
                let value = self.input(&state, NO_SITE, ty, span);
                if let Value::Term(value) = value {
                    self.choose(operands, value);
                }
                self.give(&mut state, dest, &value, span);
                return Some(state);
            }
            Intrinsic::Approximation => {
                let name = self.text_at(&state, term(0)?).unwrap_or_default();
                let what = format!("the model of `{}`", String::from_utf8_lossy(&name));
                self.approximate(span, &what);
                return Some(state);
            }
            // What they touch depends on a format: models say it in other words where programs are verified.
            Intrinsic::Print | Intrinsic::PrintTo | Intrinsic::Scan | Intrinsic::ScanFrom => {
                return self.unsupported(state, "formatted input or output of a run", span);
            }
        };
        if let Some(dest) = dest {
            let ty = self.program.exprs.ty(dest);
            let scalar = self.eval.scalar(ty)?;
            let width = (self.eval.scalar_size(scalar) * 8) as u32;
            let value = self.eval.store.bv_resize_signed(width, count);
            self.give(&mut state, dest, &Value::Term(value), span);
        }
        Some(state)
    }

    /// A value that is a function of operands: where these are those of an earlier choice, so is the value.
    fn choose(&mut self, operands: [TermId; 3], value: TermId) {
        let store = &mut *self.eval.store;
        let same_function = |other: &&([TermId; 3], TermId)| other.0[0] == operands[0];
        let earlier =
            self.execution.trace.choices.iter().rev().filter(same_function).take(MAX_EARLIER);
        let mut constraints = Vec::new();
        for &(others, other) in earlier {
            let first = store.eq(operands[1], others[1]);
            let second = store.eq(operands[2], others[2]);
            let same = store.and(first, second);
            let equal = store.eq(value, other);
            constraints.push(store.implies(same, equal));
        }
        let holds = store.true_term();
        self.execution
            .trace
            .constraints
            .extend(constraints.into_iter().filter(|&term| term != holds));
        self.execution.trace.choices.push((operands, value));
    }

    /// The most bytes that can follow a pointer in its object, where none of them are too many.
    fn most_bytes(&mut self, state: &State, pointer: TermId) -> Option<u64> {
        let (targets, _) = self.eval.targets(state, pointer);
        let mut most = 0;
        for target in targets {
            let size = self.eval.objects.get(target.object).size;
            let size = self.eval.store.bv_value(size).and_then(BitVec::to_u64)?;
            let offset = self.eval.store.bv_value(target.offset).and_then(BitVec::to_u64);
            most = most.max(size.saturating_sub(offset.unwrap_or(0)));
        }
        (most <= MAX_BYTES).then_some(most)
    }

    /// A count that nothing is known of.
    fn count(&mut self, name: &str) -> TermId {
        self.eval.objects.fresh(self.eval.store, name, Sort::BitVec(64))
    }

    /// Up to `size` bytes come in. That there is room for them has been claimed.
    fn read(&mut self, state: &mut State, pointer: TermId, size: TermId, span: Span) -> TermId {
        let wanted = self.eval.store.bv_resize_unsigned(64, size);
        let constant = self.eval.store.bv_value(wanted).and_then(BitVec::to_u64);
        let size = match constant {
            Some(size) if size <= MAX_BYTES => Some(size),
            _ => self.most_bytes(state, pointer),
        };
        let count = self.count("read");
        let value = self.eval.objects.new_fresh("input");
        match size {
            Some(size) => {
                let mut bytes = Vec::new();
                for i in 0..size {
                    let byte = Initial::Fresh(value).read(&mut self.eval.ctx(), i, BYTE);
                    let position = self.eval.store.bv_u64(64, i);
                    let comes = self.eval.store.bv_slt(position, count);
                    bytes.push((comes, byte));
                }
                self.eval.store_bytes(state, pointer, &bytes);
            }
            None => self.forget_targets(state, pointer),
        }
        // From an error, -1, to all of them.
        let least = self.eval.store.bv_const(BitVec::from_i64(64, -1));
        self.assume_range(count, least, wanted);
        let kind = StepKind::Read { count, value };
        self.execution.trace.steps.push(Step { guard: state.guard, span, kind });
        count
    }

    /// Every object that a pointer can point to holds any value from now on: more than there can be, where nobody knows how much
    /// of it is written.
    fn forget_targets(&mut self, state: &mut State, pointer: TermId) {
        let (targets, _) = self.eval.targets(state, pointer);
        for target in targets {
            let origin = &self.eval.objects.get(target.object).origin;
            if matches!(origin, Origin::Static { writable: false } | Origin::Function(_)) {
                continue;
            }
            self.eval.touches(state, target.object, true);
            let Some(mut object) = state.object(target.object).cloned() else { continue };
            object.content.forget(&mut self.eval.ctx(), "input of unknown length");
            state.set_object(target.object, object);
        }
    }

    /// The fewest and the most characters that a number can have by a conversion.
    fn lengths_of_number(&self, conversion: TermId, precision: TermId) -> (u64, u64) {
        let value = |term| self.eval.store.bv_value(term).map(|bits| bits.resize_signed(64));
        let number = |term| value(term).and_then(|bits| bits.to_i64());
        let unknown = (0, i32::MAX as u64);
        let (Some(conversion), Some(precision)) = (number(conversion), number(precision)) else {
            return unknown;
        };
        let letter = char::from(conversion as u8);
        let format = match u64::try_from(precision) {
            Ok(precision) => format!("%.{precision}{letter}"),
            Err(_) => format!("%{letter}"),
        };
        printed::lengths(format.as_bytes()).unwrap_or(unknown)
    }

    /// Some text of a length that a number can have is written as far as it fits, and ended.
    fn print_float(
        &mut self,
        state: &mut State,
        pointer: TermId,
        capacity: TermId,
        (shortest, longest): (u64, u64),
        span: Span,
    ) -> Option<TermId> {
        let room = self.eval.store.bv_value(capacity).and_then(BitVec::to_u64).unwrap_or(u64::MAX);
        // The text and its end.
        let size = room.min(longest.saturating_add(1));
        if size > MAX_BYTES {
            return None;
        }
        let length = self.count("printed");
        let capacity = self.eval.store.bv_resize_unsigned(64, capacity);
        let one = self.eval.store.bv_u64(64, 1);
        let last = self.eval.store.bv_sub(capacity, one);
        let fits = self.eval.store.bv_ult(length, capacity);
        let end = self.eval.store.ite(fits, length, last);
        let zero = self.eval.store.bv_u64(64, 0);
        let has_room = self.eval.store.ne(capacity, zero);
        let value = self.eval.objects.new_fresh("printed");
        let nul = self.eval.store.bv_u64(8, 0);
        let mut bytes = Vec::new();
        for i in 0..size {
            let byte = Initial::Fresh(value).read(&mut self.eval.ctx(), i, BYTE);
            let position = self.eval.store.bv_u64(64, i);
            let before_end = self.eval.store.bv_ule(position, end);
            let written = self.eval.store.and(has_room, before_end);
            let is_end = self.eval.store.eq(position, end);
            let byte = self.eval.store.ite(is_end, nul, byte);
            bytes.push((written, byte));
        }
        self.eval.store_bytes(state, pointer, &bytes);
        let least = self.eval.store.bv_u64(64, shortest);
        let most = self.eval.store.bv_u64(64, longest.min(i32::MAX as u64));
        self.assume_range(length, least, most);
        self.approximate(span, "formatted output into memory");
        Some(length)
    }

    /// The text that a pointer surely points to, if all of it is constant.
    fn text_at(&mut self, state: &State, pointer: TermId) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        for n in 1..MAX_BYTES {
            let (object, start) = self.eval.sure_bytes(state, pointer, n)?;
            let content = state.object(object)?.content.clone();
            let byte = content.read(&mut self.eval.ctx(), start + n - 1, BYTE);
            match self.eval.store.bv_value(byte).and_then(BitVec::to_u64)? {
                0 => return Some(text),
                byte => text.push(byte as u8),
            }
        }
        None
    }

    /// A variable is in a range, signed.
    fn assume_range(&mut self, variable: TermId, least: TermId, most: TermId) {
        let above = self.eval.store.bv_sle(least, variable);
        let below = self.eval.store.bv_sle(variable, most);
        self.execution.trace.constraints.extend([above, below]);
    }
}

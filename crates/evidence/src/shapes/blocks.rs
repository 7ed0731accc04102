//! `memset`, `memcpy` and `memmove` at once, where every byte of them surely exists.
//!
//! The models of these functions go byte by byte. Where all bytes are shown to be inside of objects, and those that are written may
//! be, none of the claims in the models can fail, and what they leave behind does not depend on how they go on. In all other cases
//! the model is executed.

use super::eval::{Content, Stop};
use super::execute::Executor;
use super::graph::{Cell, Class, ObjectId, State, Value};
use super::linear::Linear;
use super::marks::Mark;
use vergo_analysis::interval::Word;
use vergo_goto::expr::ExprId;
use vergo_goto::program::FunctionId;

/// In parts of objects that are longer, what is set to a number is forgotten.
const MOST_BYTES: i128 = 64;

/// Bytes of an object.
struct Block {
    object: ObjectId,
    at: Linear,
    count: Linear,
}

/// What is written to a block.
enum Filling {
    Byte(Value),
    /// What is known of the bytes of another block: scalars, by their distance from its beginning.
    Copy(Vec<(Linear, Cell)>),
}

impl Executor<'_> {
    /// Executes a call as one operation on memory, if that can be; nothing happens otherwise.
    pub(super) fn block_operation(
        &self,
        state: &mut State,
        callee: FunctionId,
        args: &[ExprId],
        dest: Option<ExprId>,
    ) -> Result<bool, Stop> {
        let info = &self.program.functions[callee];
        let &[to, second, count] = args else { return Ok(false) };
        if !info.library || !["memset", "memcpy", "memmove"].contains(&info.display.as_str()) {
            return Ok(false);
        }
        let value = self.scalar(state, to)?;
        let Some(target) = self.block(state, value, count)? else { return Ok(false) };
        if !state.object(target.object).writable {
            return Ok(false);
        }
        let second = self.scalar(state, second)?;
        let filling = if info.display == "memset" {
            Filling::Byte(second)
        } else {
            let Some(source) = self.block(state, second, count)? else { return Ok(false) };
            if source.object == target.object {
                return Ok(false);
            }
            Filling::Copy(state.scalars_in(&source))
        };
        state.erase(&target);
        match filling {
            Filling::Byte(byte) => self.set(state, &target, byte),
            Filling::Copy(scalars) => {
                for (distance, cell) in scalars {
                    if let Some(at) = target.at.plus(&distance, 1) {
                        self.put(state, target.object, &at, cell);
                    }
                }
            }
        }
        if let Some(dest) = dest {
            let size = self.size(dest);
            let place = self.place(state, dest)?;
            let cell = Cell { size, class: Class::Ptr, value };
            self.write(state, place, size, Content::Cells(vec![(0, cell)]))?;
        }
        Ok(true)
    }

    /// The bytes from a pointer on, if they are certainly all in an object.
    fn block(&self, state: &mut State, from: Value, count: ExprId) -> Result<Option<Block>, Stop> {
        if let Value::Ptr(pointer) = from
            && state.object(pointer.object).chain.is_some()
        {
            return Err(Stop::Look(pointer.object, pointer.end));
        }
        let count = self.scalar(state, count)?;
        let word = Word { signed: false, width: self.program.machine.pointer_width };
        let Some(((object, at), count)) = state.offset(from).zip(state.form(count, word)) else {
            return Ok(None);
        };
        let is_there = state.entails(&count) && state.is_inside(object, &at, &count);
        Ok(is_there.then_some(Block { object, at, count }))
    }

    /// Sets all bytes of a block.
    fn set(&self, state: &mut State, block: &Block, byte: Value) {
        let cell =
            |bits: u64| Cell { size: 1, class: Class::Int(8), value: Value::Word(bits & 0xff) };
        let Value::Word(bits) = byte else { return };
        let end = block.at.plus(&block.count, 1);
        let whole = end == Some(state.length(block.object)) && block.at == Linear::default();
        if bits & 0xff == 0 && whole {
            let object = state.object_mut(block.object);
            object.cells.clear();
            object.zero = true;
        } else if let (Some(at), Some(count @ 0..=MOST_BYTES)) =
            (block.at.number(), block.count.number())
        {
            for at in at..at + count {
                self.put(state, block.object, &Linear::constant(at), cell(bits));
            }
            return;
        }
        // The last byte may be the end of a text.
        let is_some = block.count.more(-1).is_some_and(|rest| state.entails(&rest));
        if let Some(last) = end.and_then(|end| end.more(-1)).filter(|_| is_some)
            && last.number().is_none()
        {
            self.put(state, block.object, &last, cell(bits));
        }
    }

    /// Remembers a scalar of an object, of which nothing else is known there.
    fn put(&self, state: &mut State, id: ObjectId, at: &Linear, cell: Cell) {
        let Some(number) = at.number() else {
            return state.mark(id, at, cell, self.program.machine.pointer_width);
        };
        let offset = i64::try_from(number).ok().and_then(|at| state.object(id).has(at, cell.size));
        if let Some(offset) = offset {
            state.object_mut(id).write(offset, cell);
        }
    }
}

impl State {
    /// Forgets what the bytes of a block hold.
    fn erase(&mut self, block: &Block) {
        self.unmark(block.object, Some(&block.at), &block.count);
        let first = self.extent(&block.at).map_or(0, |at| at.low);
        let end = block.at.plus(&block.count, 1).and_then(|end| self.extent(&end));
        let object = self.object_mut(block.object);
        let all = i128::from(object.size);
        let first = first.clamp(0, all);
        let end = end.map_or(all, |end| end.high).clamp(first, all);
        object.forget(first as u64, (end - first) as u64);
        if object.length.is_some() {
            object.zero = false;
        }
    }

    /// The scalars that are known of a block, by their distance from its beginning.
    fn scalars_in(&self, block: &Block) -> Vec<(Linear, Cell)> {
        let object = self.object(block.object);
        let marks = object.marks.iter().map(|Mark { at, cell }| (self.sum(*at), *cell));
        let cells = object.cells.iter().filter(|(_, cell)| !matches!(cell.value, Value::Each(_)));
        let cells = cells.map(|(&at, &cell)| (Linear::constant(at.into()), cell));
        let mut found = Vec::new();
        for (at, cell) in marks.chain(cells) {
            let Some(distance) = at.plus(&block.at, -1) else { continue };
            let rest = block.count.plus(&distance, -1);
            let rest = rest.and_then(|rest| rest.more(-i128::from(cell.size)));
            if self.entails(&distance) && rest.is_some_and(|rest| self.entails(&rest)) {
                found.push((distance, cell));
            }
        }
        found
    }
}

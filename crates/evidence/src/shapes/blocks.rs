//! `memset` at once, where every byte of it surely exists.
//!
//! The model of the function writes byte by byte. With a constant length and a place inside of an object that may be written, none
//! of the claims in it can fail, and what it leaves behind does not depend on how it goes on. In all other cases the model is executed.

use super::eval::{Content, Stop};
use super::execute::Executor;
use super::graph::{Cell, Class, State, Value};
use super::linear::Linear;
use vergo_goto::expr::ExprId;
use vergo_goto::program::FunctionId;

/// In parts of objects that are longer, what is set is forgotten.
const MOST_BYTES: u64 = 64;

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
        let &[to, byte, count] = args else { return Ok(false) };
        if !info.library || info.display != "memset" {
            return Ok(false);
        }
        let (value, byte) = (self.scalar(state, to)?, self.scalar(state, byte)?);
        let (Value::Ptr(pointer), Value::Word(count)) = (value, self.scalar(state, count)?) else {
            return Ok(false);
        };
        let object = state.object(pointer.object);
        if object.chain.is_some() {
            return Err(Stop::Look(pointer.object, pointer.end));
        }
        let Some(at) = object.has(pointer.offset, count).filter(|_| object.writable) else {
            return Ok(false);
        };
        state.unmark(pointer.object, Some(&Linear::constant(at.into())), &Linear::constant(count.into()));
        let object = state.object_mut(pointer.object);
        object.forget(at, count);
        match byte {
            Value::Word(0) if count == object.size && object.length.is_none() => {
                object.cells.clear();
                object.zero = true;
            }
            Value::Word(bits) if count <= MOST_BYTES => {
                let cell = Cell { size: 1, class: Class::Int(8), value: Value::Word(bits & 0xff) };
                for at in at..at + count {
                    object.write(at, cell);
                }
            }
            _ => {}
        }
        if let Some(dest) = dest {
            let size = self.size(dest);
            let place = self.place(state, dest)?;
            let cell = Cell { size, class: Class::Ptr, value };
            self.write(state, place, size, Content::Cells(vec![(0, cell)]))?;
        }
        Ok(true)
    }
}

//! Block operations: `memcpy`, `memmove` and `memset` at once where every byte of them surely exists.
//!
//! The models of these functions copy byte by byte. With a constant length and constant places inside of live objects,
//! none of the claims in their loops can fail, so the whole call is one copy of a content, whatever its length. In all
//! other cases the model is executed.

use crate::content::Content;
use crate::eval::Value;
use crate::execute::Executor;
use crate::initial::Initial;
use crate::memory::Origin;
use crate::scalar::BYTE;
use crate::state::State;
use std::sync::Arc;
use vergo_goto::expr::ExprId;
use vergo_goto::program::FunctionId;
use vergo_num::BitVec;
use vergo_source::Span;

/// Blocks of a value that is not constant are set byte by byte up to this size.
const MAX_SET: u64 = 1 << 12;

impl Executor<'_> {
    /// Executes a call of a library function as one operation on memory, if it can be; nothing happens otherwise.
    pub(crate) fn block_operation(
        &mut self,
        state: &mut State,
        dest: Option<ExprId>,
        function: FunctionId,
        args: &[Value],
        span: Span,
    ) -> Option<()> {
        let info = &self.program.functions[function];
        let [Value::Term(to), Value::Term(second), Value::Term(count)] = *args else { return None };
        if !info.library || !["memcpy", "memmove", "memset"].contains(&info.display.as_str()) {
            return None;
        }
        let size = self.eval.store.bv_value(count).and_then(BitVec::to_u64)?;
        let (target, offset) = self.eval.sure_bytes(state, to, size)?;
        self.eval.touches(state, target, true);
        if let Origin::Static { writable: false } | Origin::Function(_) =
            self.eval.objects.get(target).origin
        {
            return None;
        }
        let mut start = 0;
        let source = match info.display.as_str() {
            "memcpy" | "memmove" => {
                let (source, from) = self.eval.sure_bytes(state, second, size)?;
                self.eval.touches(state, source, false);
                start = from;
                state.object(source)?.content.clone()
            }
            "memset" => {
                let byte = self.eval.store.bv_resize_unsigned(8, second);
                match self.eval.store.bv_value(byte).and_then(BitVec::to_u64) {
                    Some(0) => Content::new(Initial::Zero, Some(size)),
                    Some(byte) => {
                        let bytes = vec![byte as u8; usize::try_from(size).ok()?];
                        Content::new(Initial::Image(Arc::from(bytes)), Some(size))
                    }
                    None if size <= MAX_SET => {
                        let mut content = Content::new(Initial::Zero, Some(size));
                        let truth = self.eval.store.true_term();
                        for at in 0..size {
                            content.write(&mut self.eval.ctx(), at, BYTE, byte, truth);
                        }
                        content
                    }
                    None => return None,
                }
            }
            _ => return None,
        };
        let mut object = state.object(target)?.clone();
        object.content.copy(&mut self.eval.ctx(), offset, &source, start, size);
        state.set_object(target, object);
        if let Some(dest) = dest {
            self.give(state, dest, &Value::Term(to), span);
        }
        Some(())
    }
}

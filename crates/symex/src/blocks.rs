//! Block operations: `memcpy`, `memmove` and `memset` at once where every byte of them surely exists.
//!
//! The models of these functions copy byte by byte. With a constant length and constant places inside of live objects,
//! none of the claims in their loops can fail, so the whole call is one copy of a content, whatever its length.
//!
//! Where length or places are not constant, the solver is asked whether some byte may not exist. If it denies that, the call
//! is one operation, too ([`crate::block_arrays`]); what it denies is an obligation of whoever wants to be sure. In all other
//! cases the model is executed.

use crate::block_arrays::{Block, Filling, Source};
use crate::content::Content;
use crate::eval::Value;
use crate::execute::{Executor, Site};
use crate::initial::Initial;
use crate::memory::Origin;
use crate::pointer::Target;
use crate::scalar::BYTE;
use crate::state::State;
use std::rc::Rc;
use std::sync::Arc;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{FunctionId, InstrKind, Program};
use vergo_num::BitVec;
use vergo_source::Span;
use vergo_term::TermId;

/// Blocks of a value that is not constant are set byte by byte up to this size.
const MAX_SET: u64 = 1 << 12;

/// As many objects can the pointer to a block point to.
const MAX_TARGETS: usize = 4;

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
        if self.long_block(state, function, [to, second, count]).is_some() {
            if let Some(dest) = dest {
                self.give(state, dest, &Value::Term(to), span);
            }
            return Some(());
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

    /// Executes a call with a length that is not constant as one operation, if all bytes exist; nothing happens otherwise.
    fn long_block(
        &mut self,
        state: &mut State,
        function: FunctionId,
        [to, second, count]: [TermId; 3],
    ) -> Option<()> {
        if self.eval.recorder.is_some() || self.eval.store.bv_value(count).is_some() {
            return None;
        }
        let name = self.program.functions[function].display.as_str();
        let (targets, mut fits) = self.block_targets(state, to, count)?;
        for target in &targets {
            if let Origin::Static { writable: false }
            | Origin::Local { writable: false }
            | Origin::Function(_) = self.eval.objects.get(target.object).origin
            {
                return None;
            }
        }
        let filling = if name == "memset" {
            Filling::Byte(self.eval.store.bv_resize_unsigned(8, second))
        } else {
            let (sources, source_fits) = self.block_targets(state, second, count)?;
            fits = self.eval.store.and(fits, source_fits);
            let mut from = Vec::new();
            for Target { guard, object, offset: start } in sources {
                let is_shared = targets.iter().any(|target| target.object == object);
                let info = self.eval.objects.get(object);
                if is_shared && name == "memcpy" || matches!(info.origin, Origin::Function(_)) {
                    return None;
                }
                let ty = info.ty;
                let content = state.object(object)?.content.clone();
                if content.may_hold_pointers(&self.eval.ctx()) {
                    return None;
                }
                from.push(Source { guard, content, ty, start });
            }
            Filling::Copy(Rc::new(from))
        };
        let mut written = Vec::new();
        for &Target { guard, object, offset: start } in &targets {
            let mut after = state.object(object)?.clone();
            let before = after.content.clone();
            let first = self.eval.store.bv_value(start).and_then(BitVec::to_u64).unwrap_or(0);
            let array = after.content.bytes_from(&mut self.eval.ctx(), first)?;
            // Where the pointer is to another object, nothing is written to this one.
            let nothing = self.eval.size(0);
            let size = self.eval.store.ite(guard, count, nothing);
            let ty = self.eval.objects.get(object).ty;
            let filling = filling.clone();
            written.push((object, after, Block { before, ty, array, start, size, filling }));
        }
        // Last, for it may take long.
        let misses = self.eval.store.not(fits);
        let misses = self.eval.store.and(state.guard, misses);
        if (self.options.feasible)(self.eval.store, Site::Block(function), misses) {
            return None;
        }
        for (object, mut after, block) in written {
            let array = block.array;
            let bytes = self.eval.ctx().array_of_block(block);
            after.content.set_bytes(array, bytes);
            state.set_object(object, after);
        }
        Some(())
    }

    /// The objects that a pointer can point to, if they are few, and the condition that so many bytes are there. No bytes are
    /// anywhere, unless it is claimed that also these are somewhere.
    fn block_targets(
        &mut self,
        state: &State,
        pointer: TermId,
        count: TermId,
    ) -> Option<(Vec<Target>, TermId)> {
        let (targets, _) = self.eval.targets(state, pointer);
        if targets.is_empty() || targets.len() > MAX_TARGETS {
            return None;
        }
        let nothing = self.eval.size(0);
        let mut fits = Vec::new();
        let program = self.program;
        if !*self.claims_blocks.get_or_init(|| claims_blocks(program)) {
            fits.push(self.eval.store.eq(count, nothing));
        }
        for target in &targets {
            let live = state.object(target.object)?.live;
            let size = self.eval.objects.get(target.object).size;
            let store = &mut *self.eval.store;
            let before = store.bv_ule(target.offset, size);
            let rest = store.bv_sub(size, target.offset);
            let inside = store.bv_ule(count, rest);
            fits.push(store.and_all(&[target.guard, live, before, inside]));
        }
        let fits = self.eval.store.or_all(&fits);
        Some((targets, fits))
    }
}

/// Returns whether a program claims that even pointers to blocks of no bytes are valid.
fn claims_blocks(program: &Program) -> bool {
    let functions = program.functions.values().filter(|function| function.library);
    let mut instrs = functions.flat_map(|function| function.body.iter().flatten());
    instrs.any(|instr| match &instr.kind {
        InstrKind::Assert(_, claim) => {
            ["call.argument", "call.nonnull"].contains(&claim.property.as_str())
        }
        _ => false,
    })
}

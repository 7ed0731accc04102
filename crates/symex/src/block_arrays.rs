//! Arrays of bytes of which a block of unknown length was written at once.
//!
//! **Idea.** Terms have no operation that copies part of an array. The array after the copy is a new variable, of which is said
//! what it is at each index where somebody reads it: inside of the block what was copied, elsewhere what was there before.
//! Reads of arrays that were made of it (by later writes, by choices where paths meet) are at the same index, so that nothing
//! is missing: an index at which nobody reads makes no difference.
//!
//! **Soundness.** The variable is new and each of its elements is said once, so that what is said excludes no execution.

use crate::content::{Content, Indexed};
use crate::region::Element;
use crate::scalar::{BYTE, Context};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use vergo_goto::types::TypeId;
use vergo_term::{Op, TermId, TermStore};

/// A block that was written.
pub(crate) struct Block {
    /// The object before.
    pub(crate) before: Content,
    /// The type that it was declared with.
    pub(crate) ty: Option<TypeId>,
    /// Where the array begins in the object.
    pub(crate) array: u64,
    /// Where the block begins in the object, and its size.
    pub(crate) start: TermId,
    pub(crate) size: TermId,
    pub(crate) filling: Filling,
}

/// The content that a block was filled with.
#[derive(Clone)]
pub(crate) enum Filling {
    /// One byte again and again.
    Byte(TermId),
    /// Bytes of one of some objects.
    Copy(Rc<Vec<Source>>),
}

/// An object of which bytes may be copied.
pub(crate) struct Source {
    /// The condition that they are of this one.
    pub(crate) guard: TermId,
    pub(crate) content: Content,
    pub(crate) ty: Option<TypeId>,
    /// From where on.
    pub(crate) start: TermId,
}

/// All blocks.
#[derive(Clone, Default)]
pub(crate) struct Blocks {
    /// By the array after it.
    all: FxHashMap<TermId, Rc<Block>>,
    /// The arrays and indices of which something was said.
    said: FxHashSet<(TermId, TermId)>,
    /// The arrays of blocks that others are made of.
    below: FxHashMap<TermId, Rc<Vec<TermId>>>,
}

impl Blocks {
    /// The arrays of blocks that an array is made of.
    fn below(&mut self, store: &TermStore, array: TermId) -> Rc<Vec<TermId>> {
        if let Some(known) = self.below.get(&array) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![array];
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(known) = self.below.get(&term) {
                found.extend(known.iter());
                continue;
            }
            match (store.op(term), store.args(term)) {
                (Op::Var(_), _) if self.all.contains_key(&term) => found.push(term),
                (Op::Store, args) => pending.push(args[0]),
                (Op::Ite, args) => pending.extend(&args[1..]),
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        let found = Rc::new(found);
        self.below.insert(array, Rc::clone(&found));
        found
    }
}

impl Block {
    /// The byte at an index of the array.
    fn byte(&self, ctx: &mut Context<'_>, index: TermId) -> TermId {
        let width = ctx.objects.width();
        let array = ctx.store.bv_u64(width, self.array);
        let offset = ctx.store.bv_add(index, array);
        let relative = ctx.store.bv_sub(offset, self.start);
        let inside = ctx.store.bv_ult(relative, self.size);
        let old = read(ctx, &self.before, self.ty, offset, Some(self.array));
        let new = match &self.filling {
            Filling::Byte(byte) => *byte,
            Filling::Copy(sources) => {
                let mut new = None;
                for Source { guard, content, ty, start } in sources.iter() {
                    let at = ctx.store.bv_add(*start, relative);
                    let here = read(ctx, content, *ty, at, None);
                    new = Some(new.map_or(here, |other| ctx.store.ite(*guard, here, other)));
                }
                new.unwrap_or(old)
            }
        };
        ctx.store.ite(inside, new, old)
    }
}

fn read(
    ctx: &mut Context<'_>,
    content: &Content,
    object_ty: Option<TypeId>,
    offset: TermId,
    array: Option<u64>,
) -> TermId {
    match ctx.store.bv_value(offset).and_then(vergo_num::BitVec::to_u64) {
        Some(constant) => content.read(ctx, constant, BYTE),
        None => {
            let at = Indexed { object_ty, offset, array, element: Element::Byte };
            content.clone().read_at(ctx, &at, BYTE)
        }
    }
}

impl Context<'_> {
    /// An array that is what a block has made of another one.
    pub(crate) fn array_of_block(&mut self, block: Block) -> TermId {
        let width = vergo_term::Sort::BitVec(self.objects.width());
        let byte = self.sort(BYTE);
        let sort = self.store.array_sort(width, byte);
        let array = self.objects.fresh(self.store, "block", sort);
        self.objects.blocks.all.insert(array, Rc::new(block));
        array
    }

    /// The element of an array at an index.
    pub(crate) fn select(&mut self, array: TermId, index: TermId) -> TermId {
        if !self.objects.blocks.all.is_empty() {
            for block in self.objects.blocks.below(self.store, array).iter() {
                self.say(*block, index);
            }
        }
        self.store.select(array, index)
    }

    /// Says what the array of a block is at an index.
    fn say(&mut self, array: TermId, index: TermId) {
        if !self.objects.blocks.said.insert((array, index)) {
            return;
        }
        let Some(block) = self.objects.blocks.all.get(&array).map(Rc::clone) else { return };
        let value = stacker::maybe_grow(128 * 1024, 1024 * 1024, || block.byte(self, index));
        let element = self.store.select(array, index);
        let holds = self.store.eq(element, value);
        self.objects.constraints.push(holds);
    }
}

//! The initial contents of an object's places: zero, constant bytes, or anything.
//!
//! A place that holds anything gets a variable when it is first read. The variables of one object cover each of its
//! bytes at most once, so that a word and its bytes agree however they are read, and so that a counterexample can say
//! what the object held (`trace::Fresh`).

use crate::memory::Objects;
use crate::scalar::{Context, Scalar};
use crate::spacing::Spacing;
use crate::trace::{Fresh, FreshArray};
use cranelift_entity::{EntityRef, entity_impl};
use std::rc::Rc;
use std::sync::Arc;
use vergo_num::BitVec;
use vergo_term::{LookupTable, Sort, TermId, TermStore};

/// An object's unknown initial bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FreshId(u32);
entity_impl!(FreshId, "fresh");

/// The content of places without a value of their own.
#[derive(Clone, Debug)]
pub(crate) enum Initial {
    Zero,
    /// These bytes, and zero behind them.
    Image(Arc<[u8]>),
    /// Anything.
    Fresh(FreshId),
    /// The first where a condition holds, else the second.
    Choice(Rc<(TermId, Initial, Initial)>),
}

impl PartialEq for Initial {
    fn eq(&self, other: &Initial) -> bool {
        match (self, other) {
            (Initial::Zero, Initial::Zero) => true,
            (Initial::Image(a), Initial::Image(b)) => Arc::ptr_eq(a, b),
            (Initial::Fresh(a), Initial::Fresh(b)) => a == b,
            (Initial::Choice(a), Initial::Choice(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Initial {
    /// The first where a condition holds, else the second.
    pub(crate) fn choice(guard: TermId, then: &Initial, other: &Initial) -> Initial {
        if then == other {
            return then.clone();
        }
        Initial::Choice(Rc::new((guard, then.clone(), other.clone())))
    }

    /// The scalar at an offset.
    pub(crate) fn read(&self, ctx: &mut Context<'_>, offset: u64, scalar: Scalar) -> TermId {
        match self {
            Initial::Zero => ctx.zero(scalar),
            Initial::Image(bytes) => {
                let size = ctx.scalar_size(scalar) as usize;
                let mut here = vec![0; size];
                let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                let n = size.min(bytes.len() - start);
                here[..n].copy_from_slice(&bytes[start..start + n]);
                let word = BitVec::from_le_bytes(size as u32 * 8, &here);
                let word = ctx.store.bv_const(word);
                ctx.word_scalar(word, scalar)
            }
            Initial::Fresh(id) => {
                let size = ctx.scalar_size(scalar);
                let word = ctx.objects.fresh_word(ctx.store, *id, offset, size);
                match scalar {
                    // Whatever the bytes are, no pointer into an object was put there.
                    Scalar::Pointer => {
                        ctx.objects.comes_from_outside(word);
                        let none = ctx.store.bv_u64(crate::pointer::OBJECT_BITS, 0);
                        ctx.store.bv_concat(none, word)
                    }
                    _ => ctx.word_scalar(word, scalar),
                }
            }
            Initial::Choice(choice) => {
                let (guard, then, other) = &**choice;
                let then = then.read(ctx, offset, scalar);
                let other = other.read(ctx, offset, scalar);
                ctx.store.ite(*guard, then, other)
            }
        }
    }

    /// The scalar of a run at an index, if it can be read without making an array of the run.
    pub(crate) fn read_at(
        &self,
        ctx: &mut Context<'_>,
        run: &Run,
        index: TermId,
    ) -> Option<TermId> {
        match (self, run.scalar) {
            (Initial::Zero, _) => Some(ctx.zero(run.scalar)),
            (Initial::Image(bytes), Scalar::Int(_) | Scalar::Float(_)) => {
                let size = ctx.scalar_size(run.scalar) as usize;
                let first = usize::try_from(run.first).ok()?;
                let stride = usize::try_from(run.spacing.stride()?).ok()?;
                let table = LookupTable::new(bytes, first, stride, size)?;
                if table.len() < MIN_TABLE {
                    return None;
                }
                let word = ctx.store.lookup(&table, index);
                Some(ctx.word_scalar(word, run.scalar))
            }
            _ => None,
        }
    }

    /// The array of the scalars of a run, as a term.
    pub(crate) fn array(&self, ctx: &mut Context<'_>, run: &Run) -> TermId {
        let element = ctx.sort(run.scalar);
        let index = Sort::BitVec(ctx.objects.width());
        let sort = ctx.store.array_sort(index, element);
        match self {
            Initial::Zero => {
                let zero = ctx.zero(run.scalar);
                ctx.store.const_array(sort, zero)
            }
            Initial::Image(bytes) => {
                let zero = ctx.zero(run.scalar);
                let mut array = ctx.store.const_array(sort, zero);
                let size = ctx.scalar_size(run.scalar) as usize;
                let starts = (0..).map_while(|i| run.spacing.offset(i)?.checked_add(run.first));
                let starts = starts.take_while(|&start| start < bytes.len() as u64);
                for (i, start) in starts.enumerate() {
                    let end = (start as usize + size).min(bytes.len());
                    if bytes[start as usize..end].iter().any(|&byte| byte != 0) {
                        let value = self.read(ctx, start, run.scalar);
                        let at = ctx.store.bv_u64(ctx.objects.width(), i as u64);
                        array = ctx.store.store(array, at, value);
                    }
                }
                array
            }
            Initial::Fresh(id) => {
                let size = ctx.scalar_size(run.scalar);
                ctx.objects.fresh_array(ctx.store, *id, sort, run, size)
            }
            Initial::Choice(choice) => {
                let (guard, then, other) = &**choice;
                let then = then.array(ctx, run);
                let other = other.array(ctx, run);
                ctx.store.ite(*guard, then, other)
            }
        }
    }
}

/// From so many scalars on, constants are read from a table rather than an array: a store for each of them takes longer.
const MIN_TABLE: usize = 256;

/// Scalars of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) first: u64,
    pub(crate) spacing: Spacing,
    pub(crate) scalar: Scalar,
}

impl Objects {
    /// New unknown bytes under a name that says what they are.
    pub(crate) fn new_fresh(&mut self, name: &str) -> FreshId {
        let id = FreshId::new(self.fresh.len());
        let name = format!("{name}@{}", id.as_u32());
        self.fresh.push(Fresh { name, words: Vec::new(), arrays: Vec::new() });
        id
    }

    /// Bytes of unknown content as one word.
    fn fresh_word(&mut self, store: &mut TermStore, id: FreshId, offset: u64, size: u64) -> TermId {
        let words = &mut self.fresh[id.index()].words;
        let end = offset.saturating_add(size);
        // The first word that ends behind the offset; words are sorted and disjoint.
        let next = words.partition_point(|word| word.0.saturating_add(word.1) <= offset);
        match words.get(next) {
            Some(&(start, length, term)) if (start, length) == (offset, size) => term,
            Some(&(start, ..)) if start < end && size > 1 => {
                let mut word = None;
                for i in 0..size {
                    let byte = self.fresh_word(store, id, offset.saturating_add(i), 1);
                    word = Some(match word {
                        Some(low) => store.bv_concat(byte, low),
                        None => byte,
                    });
                }
                word.unwrap_or_else(|| store.bv_u64(8, 0))
            }
            Some(&(start, _, term)) if start < end => {
                let low = ((offset - start) * 8) as u32;
                store.bv_extract(low + 7, low, term)
            }
            _ => {
                let name = format!("{}!{offset}:{size}", self.fresh[id.index()].name);
                let term = store.var(&name, Sort::BitVec((size * 8) as u32));
                self.fresh[id.index()].words.insert(next, (offset, size, term));
                term
            }
        }
    }

    fn fresh_array(
        &mut self,
        store: &mut TermStore,
        id: FreshId,
        sort: Sort,
        run: &Run,
        size: u64,
    ) -> TermId {
        let fresh = &mut self.fresh[id.index()];
        let name = format!("{}!{}+{}", fresh.name, run.first, run.spacing);
        let term = store.var(&name, sort);
        if fresh.arrays.iter().all(|array| array.term != term) {
            fresh.arrays.push(FreshArray {
                first: run.first,
                spacing: run.spacing.clone(),
                term,
                size,
            });
        }
        term
    }
}

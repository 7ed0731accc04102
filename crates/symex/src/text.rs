//! Texts: how far a string reaches, in one step.
//!
//! The size of a text is a choice over the positions at which it can end: at a zero byte, at its limit, or where its object
//! does. With constant bytes the choice is made here; otherwise it is a term, as long as the object is.

use crate::content::Indexed;
use crate::eval::Evaluator;
use crate::pointer::Target;
use crate::region::Element;
use crate::scalar::BYTE;
use crate::state::State;
use vergo_num::BitVec;
use vergo_term::{Sort, TermId};

/// Texts are followed up to this length; longer ones have any length.
const MAX_TEXT: u64 = 4096;

/// In an object of unknown size, the end is looked for in so many bytes.
const MAX_UNKNOWN: u64 = 256;

impl Evaluator<'_> {
    /// Returns the number of bytes that reading a text touches that ends with a zero byte or after `limit` characters;
    /// one more than there are where the object ends first.
    pub(crate) fn text_size(
        &mut self,
        state: &mut State,
        pointer: TermId,
        limit: TermId,
    ) -> TermId {
        let (targets, _) = self.targets(state, pointer);
        let mut result = self.missing_text(limit);
        for target in targets {
            self.touches(state, target.object, false);
            let here = self.text_size_at(state, &target, limit);
            result = self.store.ite(target.guard, here, result);
        }
        result
    }

    /// Checks whether a text ends inside of its object, or is in none.
    pub(crate) fn text_ends(&mut self, state: &mut State, pointer: TermId) -> TermId {
        let (targets, _) = self.targets(state, pointer);
        let mut result = self.store.true_term();
        for target in targets {
            self.touches(state, target.object, false);
            let here = self.text_ends_at(state, &target);
            result = self.store.ite(target.guard, here, result);
        }
        result
    }

    fn text_ends_at(&mut self, state: &mut State, target: &Target) -> TermId {
        let truth = self.store.true_term();
        let missing = match state.object(target.object) {
            Some(_) => self.is_missing(state, target),
            None => return truth,
        };
        let size = self.objects.get(target.object).size;
        let constant_size = self.constant_word(size);
        let mut result = missing;
        // Most texts end with their objects.
        if let Some(last) = constant_size.and_then(|size| size.checked_sub(1)) {
            let end = self.is_end(state, target, last);
            result = self.store.or(result, end);
            if end == truth {
                return truth;
            }
        }
        let first = self.constant_word(target.offset).unwrap_or(0);
        for at in first..constant_size.unwrap_or(u64::MAX) {
            if at - first >= MAX_TEXT.min(constant_size.unwrap_or(MAX_UNKNOWN)) {
                self.objects.approximate("the length of a text in a large object");
                let rest = self.objects.fresh(self.store, "ends", Sort::Bool);
                return self.store.or(result, rest);
            }
            let end = self.is_end(state, target, at);
            result = self.store.or(result, end);
            if result == truth {
                break;
            }
        }
        result
    }

    /// Checks whether the byte at a place of an object is one from the target on, is there and is zero.
    fn is_end(&mut self, state: &mut State, target: &Target, at: u64) -> TermId {
        let at = self.size(at);
        let byte = Target { guard: target.guard, object: target.object, offset: at };
        let inside = self.in_bounds(&byte, 1);
        let before = self.store.bv_ult(at, target.offset);
        let not_before = self.store.not(before);
        let counts = self.store.and(inside, not_before);
        if counts == self.store.false_term() {
            return counts;
        }
        let value = self.byte_of_text(state, &byte);
        let nul = self.store.bv_u64(8, 0);
        let is_zero = self.store.eq(value, nul);
        self.store.and(counts, is_zero)
    }

    /// The size of a text whose first byte is not there.
    fn missing_text(&mut self, limit: TermId) -> TermId {
        let (zero, one) = (self.size(0), self.size(1));
        let none = self.store.eq(limit, zero);
        self.store.ite(none, zero, one)
    }

    fn text_size_at(&mut self, state: &mut State, target: &Target, limit: TermId) -> TermId {
        let object_size = self.objects.get(target.object).size;
        let object_size = self.constant_word(object_size);
        if state.object(target.object).is_none() {
            return self.missing_text(limit);
        }
        let truth = self.store.true_term();
        // Where the text can end, and how large it is then, from its beginning on.
        let mut ends = Vec::new();
        let mut rest = None;
        for i in 0.. {
            let (at, next) = (self.size(i), self.size(i + 1));
            let below = self.store.bv_ult(at, limit);
            let cut = self.store.not(below);
            ends.push((cut, at));
            let offset = self.store.bv_add(target.offset, at);
            let here = Target { guard: target.guard, object: target.object, offset };
            let missing = self.is_missing(state, &here);
            ends.push((missing, next));
            if cut == truth || missing == truth || object_size.is_some_and(|size| i >= size) {
                break;
            }
            if i >= MAX_TEXT {
                self.objects.approximate("the length of a text in a large object");
                let width = self.objects.width();
                rest = Some(self.objects.fresh(self.store, "text", Sort::BitVec(width)));
                break;
            }
            let byte = self.byte_of_text(state, &here);
            let nul = self.store.bv_u64(8, 0);
            let end = self.store.eq(byte, nul);
            ends.push((end, next));
            if end == truth {
                break;
            }
        }
        let (_, last) = ends[ends.len() - 1];
        let mut result = rest.unwrap_or(last);
        for (condition, size) in ends.into_iter().rev() {
            result = self.store.ite(condition, size, result);
        }
        result
    }

    fn is_missing(&mut self, state: &State, byte: &Target) -> TermId {
        let inside = self.in_bounds(byte, 1);
        let live = match state.object(byte.object) {
            Some(object) => object.live,
            None => self.store.false_term(),
        };
        let there = self.store.and(live, inside);
        self.store.not(there)
    }

    fn byte_of_text(&mut self, state: &mut State, byte: &Target) -> TermId {
        let offset = self.constant_word(byte.offset);
        let Some(object) = state.object_mut(byte.object) else {
            return self.store.bv_u64(8, 0);
        };
        let Some(offset) = offset else {
            let object_ty = self.objects.get(byte.object).ty;
            let offset = byte.offset;
            let at = Indexed { object_ty, offset, array: None, element: Element::Byte };
            return object.content.read_at(&mut self.ctx(), &at, BYTE);
        };
        let unread = object.content.is_unread(offset, 1);
        let value = object.content.read(&mut self.ctx(), offset, BYTE);
        if unread {
            // A place that holds anything holds this from now on, however it is read.
            let truth = self.store.true_term();
            object.content.write(&mut self.ctx(), offset, BYTE, value, truth);
        }
        value
    }

    fn constant_word(&self, term: TermId) -> Option<u64> {
        self.store.bv_value(term).and_then(BitVec::to_u64)
    }
}

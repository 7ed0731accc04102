//! Memory of the world outside: what a pointer from there can point to, made when it is looked at.
//!
//! A pointer that comes from outside (a choice, or what memory holds that nobody has written) points to an object of its own, if
//! somebody follows it: large, with the pointer to its middle, so that members before and behind it are there, too, and of
//! any content. Its address is a constant, so that objects keep out of each other's way without a constraint; that the
//! pointer has this value is the condition under which it points there. This leaves out executions in which pointers
//! from outside point to the same object, or to objects of the program: it is for those who look for violations, not for
//! those who prove that there are none.

use crate::eval::Evaluator;
use crate::execute::Executor;
use crate::initial::{FreshId, Initial};
use crate::memory::{ObjectId, Objects, Origin};
use crate::pointer::Target;
use crate::state::State;
use rustc_hash::FxHashMap;
use vergo_goto::program::OUTSIDE_SIZE;
use vergo_term::{Op, TermId, TermStore};

/// Where in its object a pointer from outside points.
const MIDDLE: u64 = OUTSIDE_SIZE / 2;
/// The address of the first object, and the distance to the next; far from where programs have theirs.
const FIRST_ADDRESS: u64 = 0x5000_0000_0000;
const DISTANCE: u64 = 1 << 20;
/// So many objects of the outside are there.
const N_OBJECTS: usize = 96;
/// Addresses that choose among more than this are not followed.
const MAX_LEAVES: usize = 64;

/// The memory of the outside.
#[derive(Clone, Default)]
pub(crate) struct Outside {
    /// The objects, with what they hold.
    objects: Vec<(ObjectId, FreshId)>,
    /// Addresses that come from outside, and the number of the object that each points to, once somebody has followed it.
    pointers: FxHashMap<TermId, Option<usize>>,
    n_followed: usize,
}

impl Objects {
    /// Takes note of an address that comes from outside.
    pub(crate) fn comes_from_outside(&mut self, address: TermId) {
        if let Some(outside) = &mut self.outside {
            outside.pointers.entry(address).or_insert(None);
        }
    }

    /// The objects of the outside that somebody has looked at: their addresses and what they hold.
    pub(crate) fn followed_outside(&self) -> Vec<(u64, FreshId)> {
        let Some(outside) = &self.outside else { return Vec::new() };
        let objects = outside.objects.iter().take(outside.n_followed);
        objects.enumerate().map(|(i, &(_, content))| (address_of(i), content)).collect()
    }

    /// The object that an address from outside points to, and what it is then.
    fn follow(&mut self, address: TermId) -> Option<(ObjectId, u64)> {
        let outside = self.outside.as_mut()?;
        let followed = outside.pointers.get_mut(&address)?;
        let number = match followed {
            Some(number) => *number,
            None => {
                let number = outside.n_followed;
                outside.objects.get(number)?;
                outside.n_followed += 1;
                *followed = Some(number);
                number
            }
        };
        Some((outside.objects[number].0, address_of(number) + MIDDLE))
    }

    fn is_from_outside(&self, address: TermId) -> bool {
        self.outside.as_ref().is_some_and(|outside| outside.pointers.contains_key(&address))
    }
}

fn address_of(number: usize) -> u64 {
    FIRST_ADDRESS + number as u64 * DISTANCE
}

impl Executor<'_> {
    /// Makes the memory of the outside, of which nothing is known.
    pub(crate) fn make_outside(&mut self, state: &mut State) {
        let mut outside = Outside::default();
        for _ in 0..N_OBJECTS {
            let size = self.eval.size(OUTSIDE_SIZE);
            let origin = Origin::Static { writable: true };
            let object = self.eval.objects.add(origin, None, size, 16);
            let content = self.eval.objects.new_fresh("outside");
            self.add_object(state, object, Initial::Fresh(content), Some(OUTSIDE_SIZE));
            outside.objects.push((object, content));
        }
        self.eval.objects.outside = Some(Box::new(outside));
    }
}

impl Evaluator<'_> {
    /// Attaches an address that a pointer holds where a condition holds to objects that can be seen in it: of the outside,
    /// or those whose address it is computed from. Gives when it is in none of them.
    pub(crate) fn attach_seen(
        &mut self,
        guard: TermId,
        address: TermId,
        targets: &mut Vec<Target>,
    ) -> TermId {
        let mut nowhere = guard;
        for (path, leaf) in leaves(self.store, address) {
            let Some((object, offset, is_there)) = self.seen(leaf) else { continue };
            let here = self.store.and_all(&[guard, path, is_there]);
            if here == self.store.false_term() {
                continue;
            }
            let elsewhere = self.store.not(here);
            nowhere = self.store.and(nowhere, elsewhere);
            match targets.iter_mut().find(|target| target.object == object) {
                Some(target) => {
                    target.offset = self.store.ite(here, offset, target.offset);
                    target.guard = self.store.or(target.guard, here);
                }
                None => targets.push(Target { guard: here, object, offset }),
            }
        }
        nowhere
    }

    /// The object that an address is in, at which offset, and when.
    fn seen(&mut self, address: TermId) -> Option<(ObjectId, TermId, TermId)> {
        if let Some((object, offset)) = self.objects.seen_in(self.store, address) {
            let inside = self.is_in(object, offset);
            return Some((object, offset, inside));
        }
        let mut found = None;
        let mut stack = vec![address];
        while let Some(term) = stack.pop() {
            if self.objects.is_from_outside(term) {
                if found.is_some() {
                    return None;
                }
                found = Some(term);
            } else if self.store.op(term) == Op::BvAdd {
                stack.extend_from_slice(self.store.args(term));
            }
        }
        let pointer = found?;
        let (object, value) = self.objects.follow(pointer)?;
        let value = self.size(value);
        let is_there = self.store.eq(pointer, value);
        let distance = self.store.bv_sub(address, pointer);
        let middle = self.size(MIDDLE);
        let offset = self.store.bv_add(middle, distance);
        Some((object, offset, is_there))
    }
}

/// Returns the values that a word chooses among, each with its condition; empty if there are too many.
fn leaves(store: &mut TermStore, word: TermId) -> Vec<(TermId, TermId)> {
    let mut found = Vec::new();
    let mut stack = vec![(store.true_term(), word)];
    while let Some((path, term)) = stack.pop() {
        if found.len() + stack.len() > MAX_LEAVES {
            return Vec::new();
        }
        if store.op(term) == Op::Ite {
            let [cond, then, other] = [0, 1, 2].map(|i| store.arg(term, i));
            let negated = store.not(cond);
            stack.push((store.and(path, negated), other));
            stack.push((store.and(path, cond), then));
        } else {
            found.push((path, term));
        }
    }
    found
}

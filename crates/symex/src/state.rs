//! The state of one bundle of paths, and the merge of two.

use crate::content::Content;
use crate::dispatch::passed_test;
use crate::memory::ObjectId;
use crate::pmap::PMap;
use crate::scalar::Context;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use vergo_goto::program::SymbolId;
use vergo_term::{Op, TermId, TermStore};

/// The common state of a bundle of paths: their condition and the content of memory. The executor knows where they are.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Satisfied by the executions of this bundle.
    pub(crate) guard: TermId,
    /// Contents and lives of the objects that exist.
    memory: PMap<Rc<ObjectState>>,
    /// Pointers to the objects of local variables, by depth of the call and symbol.
    bindings: PMap<TermId>,
    /// True if there may be other threads, which `threads.rs` knows.
    pub(crate) published: bool,
    /// The atomic section that it is in: the step, and how deep.
    pub(crate) section: Option<(u32, u32)>,
}

/// The properties of an object that change during its lifetime.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ObjectState {
    /// Its content.
    pub(crate) content: Content,
    /// Says whether it has not died; a pointer to it can exist only where it was made.
    pub(crate) live: TermId,
    /// Says whether it was made: the condition of the executions that have come to where that happened. Since it is not
    /// relative to the state's own condition, merges leave it as it is.
    pub(crate) made: TermId,
}

impl State {
    pub(crate) fn new(guard: TermId) -> State {
        State { guard, memory: PMap::new(), bindings: PMap::new(), published: false, section: None }
    }

    /// The same state under another condition.
    pub(crate) fn under(&self, guard: TermId) -> State {
        State { guard, ..self.clone() }
    }

    pub(crate) fn object(&self, object: ObjectId) -> Option<&ObjectState> {
        self.memory.get(object.number()).map(Rc::as_ref)
    }

    /// An object to be changed in place; what other states have in common with this one is copied first.
    pub(crate) fn object_mut(&mut self, object: ObjectId) -> Option<&mut ObjectState> {
        self.memory.get_mut(object.number()).map(Rc::make_mut)
    }

    pub(crate) fn set_object(&mut self, object: ObjectId, state: ObjectState) {
        self.memory.insert(object.number(), Rc::new(state));
    }

    /// Forgets an object that no execution of this state can see alive again.
    pub(crate) fn remove_object(&mut self, object: ObjectId) {
        self.memory.remove(object.number());
    }

    /// Checks whether the other state surely has the same values. Costs at most what was written since they parted.
    pub(crate) fn is_same(&self, other: &State) -> bool {
        self.guard == other.guard
            && self.bindings.differences(&other.bindings, &mut |_, _, _| false)
            && self.memory.differences(&other.memory, &mut |_, a, b| match (a, b) {
                (Some(a), Some(b)) => {
                    (a.live, a.made) == (b.live, b.made) && a.content.is_same(&b.content)
                }
                _ => false,
            })
    }

    /// The objects that exist in this state.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (ObjectId, &ObjectState)> {
        self.memory.iter().map(|(number, state)| (ObjectId::from_number(number), state.as_ref()))
    }

    pub(crate) fn binding(&self, depth: usize, symbol: SymbolId) -> Option<TermId> {
        self.bindings.get(key(depth, symbol)).copied()
    }

    pub(crate) fn bind(&mut self, depth: usize, symbol: SymbolId, pointer: TermId) {
        self.bindings.insert(key(depth, symbol), pointer);
    }

    /// Checks whether an object of this state was made and has not died, given that an execution is here.
    pub(crate) fn alive(&self, store: &mut TermStore, object: &ObjectState) -> TermId {
        if has_conjunct(store, self.guard, object.made) {
            return object.live;
        }
        store.and(object.made, object.live)
    }

    /// Makes whether objects were made part of whether they live.
    pub(crate) fn settle_births(&mut self, store: &mut TermStore) {
        let truth = store.true_term();
        let unsettled: Vec<(u64, ObjectState)> = self
            .memory
            .iter()
            .filter(|(_, object)| object.made != truth)
            .map(|(number, object)| (number, ObjectState::clone(object)))
            .collect();
        for (number, object) in unsettled {
            let live = self.alive(store, &object);
            self.memory.insert(number, Rc::new(ObjectState { live, made: truth, ..object }));
        }
    }

    /// Takes in the executions of another state that has come to the same place. Costs what differs.
    pub(crate) fn merge(&mut self, ctx: &mut Context<'_>, other: &State) {
        let guard = self.guard;
        // Who has come from a case of a `switch` is told apart by just that.
        let is_own = match passed_test(ctx.store, guard, other.guard) {
            Some(test) => ctx.store.not(test),
            None => guard,
        };
        self.memory.merge(&other.memory, &mut |_, a, b| {
            Rc::new(ObjectState {
                content: a.content.merge(ctx, is_own, &b.content),
                live: ctx.store.ite(is_own, a.live, b.live),
                made: ctx.store.ite(guard, a.made, b.made),
            })
        });
        self.bindings.merge(&other.bindings, &mut |_, &a, &b| ctx.store.ite(is_own, a, b));
        self.guard = join(ctx.store, self.guard, other.guard);
    }
}

/// The disjunction of two path conditions. `(g and c) or (g and not c)` is `g`: most joins end a branch.
fn join(store: &mut TermStore, a: TermId, b: TermId) -> TermId {
    if store.op(a) == Op::And && store.op(b) == Op::And {
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (common, other) = (store.arg(a, i), store.arg(b, j));
            if common == other {
                let (x, y) = (store.arg(a, 1 - i), store.arg(b, 1 - j));
                let rest = store.or(x, y);
                return store.and(common, rest);
            }
        }
    }
    store.or(a, b)
}

fn key(depth: usize, symbol: SymbolId) -> u64 {
    (depth as u64) << 32 | u64::from(symbol.as_u32())
}

/// Checks whether a conjunction is seen to have a conjunct, which may be a conjunction itself.
pub(crate) fn has_conjunct(store: &TermStore, conjunction: TermId, wanted: TermId) -> bool {
    let mut pending = vec![conjunction];
    let mut seen = FxHashSet::default();
    while let Some(term) = pending.pop() {
        if term == wanted {
            return true;
        }
        // What a term is made of is older than the term.
        if term > wanted && store.op(term) == Op::And && seen.insert(term) {
            pending.extend([store.arg(term, 0), store.arg(term, 1)]);
        }
    }
    wanted == store.true_term()
}

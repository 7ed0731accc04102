//! Questions about memory: what a pointer is attached to, and what of the heap is left.

use crate::eval::Evaluator;
use crate::memory::{ObjectId, Objects, Origin};
use crate::pointer::{self, OBJECT_BITS};
use crate::state::{ObjectState, State};
use rustc_hash::FxHashMap;
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::program::Program;
use vergo_term::{Sort, TermId};

impl Evaluator<'_> {
    pub(crate) fn memory(
        &mut self,
        state: &mut State,
        op: MemoryOp,
        operands: &[ExprId],
    ) -> TermId {
        match op {
            MemoryOp::HeapEmpty => self.heap_empty(state),
            MemoryOp::HeapReachable => self.heap_reachable(state),
            MemoryOp::SameObject => {
                let [a, b] = [operands[0], operands[1]].map(|operand| {
                    let pointer = self.term(state, operand);
                    self.attached(state, pointer)
                });
                let a = pointer::object(self.store, a);
                let b = pointer::object(self.store, b);
                let same = self.store.eq(a, b);
                let none = self.store.bv_u64(OBJECT_BITS, 0);
                let attached = self.store.ne(a, none);
                self.store.and(same, attached)
            }
            MemoryOp::Offset => {
                let pointer = self.term(state, operands[0]);
                let pointer = self.attached(state, pointer);
                pointer::offset(self.store, pointer)
            }
            MemoryOp::HasObject => {
                let pointer = self.term(state, operands[0]);
                let pointer = self.attached(state, pointer);
                let object = pointer::object(self.store, pointer);
                let none = self.store.bv_u64(OBJECT_BITS, 0);
                self.store.ne(object, none)
            }
            MemoryOp::ObjectSize => {
                let pointer = self.term(state, operands[0]);
                let zero = self.size(0);
                self.by_object(state, pointer, zero, &mut |this, _, object| match this
                    .objects
                    .get(object)
                    .origin
                {
                    Origin::Function(_) => zero,
                    _ => this.objects.get(object).size,
                })
            }
            MemoryOp::IsLive => {
                let pointer = self.term(state, operands[0]);
                let dead = self.store.false_term();
                self.by_object(state, pointer, dead, &mut |this, state, object| {
                    this.asks_for_life(state, object);
                    match (state.object(object), this.objects.get(object).origin) {
                        (Some(object), _) => object.live,
                        (None, Origin::Function(_)) => this.store.true_term(),
                        (None, _) => this.store.false_term(),
                    }
                })
            }
            MemoryOp::IsHeap => {
                self.by_origin(state, operands[0], |origin, _| origin == Origin::Heap)
            }
            MemoryOp::IsWritable => self.by_origin(state, operands[0], |origin, _| {
                !matches!(
                    origin,
                    Origin::Static { writable: false }
                        | Origin::Local { writable: false }
                        | Origin::Function(_)
                )
            }),
            MemoryOp::TextSize => {
                let pointer = self.term(state, operands[0]);
                let limit = self.term(state, operands[1]);
                let limit = self.resized(self.program.exprs.ty(operands[1]), limit);
                self.text_size(state, pointer, limit)
            }
            MemoryOp::TextEnds => {
                let pointer = self.term(state, operands[0]);
                self.text_ends(state, pointer)
            }
            MemoryOp::IsFunction => {
                let program = self.program;
                let called = program.pointee(program.exprs.ty(operands[0]));
                self.by_origin(state, operands[0], move |origin, _| match origin {
                    Origin::Function(function) => Some(program.functions[function].ty) == called,
                    _ => false,
                })
            }
            // One thread alone is in no race, and where others begin is an obligation.
            MemoryOp::UnracedRead | MemoryOp::UnracedWrite => self.store.true_term(),
            // There are none where one thread is executed, for the same reason.
            MemoryOp::OthersGoOn => self.store.false_term(),
            // Not tracked: either answer is possible, and a replay decides.
            MemoryOp::IsInitialized => {
                self.objects.approximate("the question whether memory is initialised");
                self.objects.fresh(self.store, "initialized", Sort::Bool)
            }
        }
    }

    fn by_origin(
        &mut self,
        state: &mut State,
        operand: ExprId,
        test: impl Fn(Origin, &Program) -> bool,
    ) -> TermId {
        let pointer = self.term(state, operand);
        let otherwise = self.store.false_term();
        self.by_object(state, pointer, otherwise, &mut |this, _, object| {
            let holds = test(this.objects.get(object).origin, this.program);
            this.store.bool_const(holds)
        })
    }

    /// A value by the object of a pointer; `otherwise` without one.
    fn by_object(
        &mut self,
        state: &State,
        pointer: TermId,
        otherwise: TermId,
        value: &mut dyn FnMut(&mut Self, &State, ObjectId) -> TermId,
    ) -> TermId {
        let (targets, nowhere) = self.targets(state, pointer);
        let mut targets = targets.into_iter();
        let mut result = otherwise;
        // Without another possibility the last object need not be asked for.
        if nowhere == self.store.false_term()
            && let Some(target) = targets.next()
        {
            result = value(self, state, target.object);
        }
        for target in targets {
            let here = value(self, state, target.object);
            result = self.store.ite(target.guard, here, result);
        }
        result
    }

    fn heap_empty(&mut self, state: &State) -> TermId {
        let mut empty = self.store.true_term();
        for (object, object_state) in state.objects() {
            if self.objects.get(object).origin == Origin::Heap {
                let alive = state.alive(self.store, object_state);
                let dead = self.store.not(alive);
                empty = self.store.and(empty, dead);
            }
        }
        empty
    }

    /// Checks whether each live heap object is reachable: from statics and locals that live, through live heap objects. As many
    /// rounds as there are heap objects reach everything that can be reached.
    fn heap_reachable(&mut self, state: &State) -> TermId {
        let objects: Vec<(ObjectId, ObjectState)> =
            state.objects().map(|(id, object)| (id, object.clone())).collect();
        let heap: Vec<&(ObjectId, ObjectState)> =
            objects.iter().filter(|(id, _)| self.objects.get(*id).origin == Origin::Heap).collect();
        let mut reached: FxHashMap<ObjectId, TermId> = FxHashMap::default();
        let is_root = |objects: &Objects, id| {
            !matches!(objects.get(id).origin, Origin::Heap | Origin::Function(_))
        };
        for (id, object) in &objects {
            let root = if is_root(&self.objects, *id) {
                state.alive(self.store, object)
            } else {
                self.store.false_term()
            };
            reached.insert(*id, root);
        }
        // Pointers in each object, with whether all of them are known.
        let mut unknown = self.store.false_term();
        let mut edges = Vec::new();
        for (id, object) in &objects {
            let (pointers, complete) = object.content.pointers(&mut self.ctx());
            if !complete {
                unknown = self.store.or(unknown, object.live);
            }
            for pointer in pointers {
                let offset = pointer::offset(self.store, pointer);
                if self.objects.mentions_base(self.store, offset) {
                    unknown = self.store.or(unknown, object.live);
                }
                let target = pointer::object(self.store, pointer);
                for (to, _) in &heap {
                    let number = self.store.bv_u64(OBJECT_BITS, to.number());
                    let leads = self.store.eq(target, number);
                    if leads != self.store.false_term() {
                        edges.push((*id, *to, leads));
                    }
                }
            }
        }
        for _ in 0..heap.len() {
            let mut changed = false;
            for &(from, to, leads) in &edges {
                let through = self.store.and(reached[&from], leads);
                let now = self.store.or(reached[&to], through);
                changed |= now != reached[&to];
                reached.insert(to, now);
            }
            if !changed {
                break;
            }
        }
        let mut all = self.store.true_term();
        for (id, object) in heap {
            let alive = state.alive(self.store, object);
            let fine = self.store.implies(alive, reached[id]);
            all = self.store.and(all, fine);
        }
        if unknown == self.store.false_term() {
            return all;
        }
        // Not all pointers could be followed: then either answer is possible, and a replay decides.
        self.objects.approximate("the question whether the heap is reachable");
        let either = self.objects.fresh(self.store, "reachable", Sort::Bool);
        let perhaps = self.store.and(unknown, either);
        self.store.or(all, perhaps)
    }
}

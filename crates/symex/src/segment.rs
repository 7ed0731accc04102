//! Execution from one cut of a program to the next, from states whose contents are up to the caller.
//!
//! A [`Cutter`] executes the entry function, in which calls have been inlined, from its beginning or from a cut (a
//! position that every loop passes) until it meets a cut again. The [`Snapshot`]s that arrive can be taken apart into
//! [`Location`]s with terms, joined, and put together again with other terms. This is what the large-block encoding of
//! a program as a transition system is made of.
//!
//! **Objects.** In all segments a static variable, a local variable of the entry function and an allocation
//! there is the same object, its *home*: object numbers are constants, so that pointers mean the same in
//! all snapshots. A declaration or allocation whose home may still be pointed to from an earlier life makes a new object.
//! A loop without a cut is executed round after round as long as its rounds are decided; [`Cutter::undecided`] names those
//! that need a cut after all.
//! [`Cutter::retain`] drops the objects that nothing refers to any more, and says so if one that is no home remains: then
//! the program needs more objects than it has places that make them.

use crate::content::Content;
use crate::execute::{Executor, Options};
use crate::initial::{FreshId, Initial};
use crate::linear::Linear;
use crate::memory::{ObjectId, Origin};
use crate::parts::Part;
use crate::pointer;
use crate::scalar::Scalar;
use crate::state::{ObjectState, State};
use crate::trace::{Fixture, Fresh, Trace};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{InstrKind, Program, Region, SymbolId, SymbolKind};
use vergo_goto::types::TypeId;
use vergo_term::{Op, Sort, TermId, TermStore};

/// Homes that are made while segments are executed have numbers up to this.
pub(crate) const MAX_HOME: u64 = 0xffff;

/// Executes segments.
pub struct Cutter<'a> {
    program: &'a Program,
    executor: Executor<'a>,
    /// The creator of each home.
    homes: BTreeMap<ObjectId, Home>,
}

/// The creator of an object that is the same in all segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// A variable: static, or local to the entry function.
    Variable(SymbolId),
    /// The allocation at this position of the entry function.
    Allocation(usize),
}

/// The common state of a bundle of executions at a cut.
#[derive(Clone, Debug)]
pub struct Snapshot {
    state: State,
    /// Sizes of the allocated objects.
    sizes: BTreeMap<ObjectId, TermId>,
    /// Objects that will be written before they are read.
    blank: BTreeSet<ObjectId>,
}

/// Something in a snapshot that has a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The object.
    pub object: ObjectId,
    /// The aspect of it.
    pub aspect: Aspect,
}

/// An aspect of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aspect {
    /// Says whether it is alive.
    Live,
    /// The number of its bytes, if it was allocated.
    Size,
    /// The content of a part of it.
    Part(Part),
}

/// The objects that a pointer can point to.
#[derive(Clone, Debug)]
pub struct PointsTo {
    /// When, to which object (none for addresses without one), at which offset.
    pub known: Vec<(TermId, ObjectId, TermId)>,
    /// True if it may be a pointer that nothing is known of.
    pub unknown: bool,
}

/// The executions from a cut to the next.
#[derive(Debug)]
pub struct Segment {
    /// Where they stopped, under which condition, and in which state.
    pub arrivals: Vec<(usize, TermId, Snapshot)>,
    /// Claims, inputs and the like on the way.
    pub trace: Trace,
}

impl<'a> Cutter<'a> {
    /// A cutter for a program with the given cuts in its entry function, and the snapshot at the beginning. Loops without
    /// a cut may make so many rounds in a segment.
    pub fn new(
        program: &'a Program,
        store: &'a mut TermStore,
        options: &'a Options<'a>,
        cuts: BTreeSet<usize>,
        max_rounds: u32,
    ) -> (Cutter<'a>, Snapshot) {
        let mut executor = Executor::new(program, store, options);
        executor.cuts.at = cuts;
        executor.eval.objects.has_lives = false;
        executor.cuts.max_rounds = max_rounds.max(1);
        let state = executor.initial_state();
        let mut homes = BTreeMap::new();
        for (symbol, info) in program.symbols.iter() {
            if matches!(info.kind, SymbolKind::Static { .. })
                && let Some(object) = executor.eval.objects.static_object(symbol)
            {
                homes.insert(object, Home::Variable(symbol));
            }
        }
        let entry = program.entry.and_then(|entry| program.functions[entry].body.as_deref());
        for (at, instr) in entry.unwrap_or_default().iter().enumerate() {
            match instr.kind {
                InstrKind::Decl(symbol) if !executor.cuts.locals.contains_key(&symbol) => {
                    let info = &program.symbols[symbol];
                    let size = executor.eval.size_of(info.ty).unwrap_or(0);
                    let size = executor.eval.size(size);
                    let objects = &mut executor.eval.objects;
                    let origin = Origin::Local { writable: info.writable };
                    let object = objects.add(origin, Some(info.ty), size, info.align);
                    executor.cuts.locals.insert(symbol, object);
                    homes.insert(object, Home::Variable(symbol));
                }
                InstrKind::Alloc { align, region, .. } => {
                    let origin = match region {
                        Region::Heap => Origin::Heap,
                        Region::Stack => Origin::Stack,
                    };
                    let size = executor.eval.size(0);
                    let object = executor.eval.objects.add(origin, None, size, align);
                    executor.cuts.allocations.insert(at, vec![object]);
                    homes.insert(object, Home::Allocation(at));
                }
                _ => {}
            }
        }
        for (_, expr) in program.exprs.iter() {
            if let ExprKind::Function(function) = expr.kind {
                executor.eval.objects.function(executor.eval.store, function);
            }
        }
        let start = Snapshot { state, sizes: BTreeMap::new(), blank: BTreeSet::new() };
        (Cutter { program, executor, homes }, start)
    }

    /// Executes from a position (a cut, or zero for the beginning) in a state until cuts are met.
    pub fn run(&mut self, from: usize, snapshot: &Snapshot) -> Segment {
        for (&object, &size) in &snapshot.sizes {
            self.executor.eval.objects.set_size(object, size);
        }
        let mut state = snapshot.state.under(self.executor.eval.store.true_term());
        let zero = self.executor.eval.size(0);
        for (&symbol, &home) in &self.executor.cuts.locals {
            if state.object(home).is_some() {
                let pointer = pointer::make(self.executor.eval.store, home, zero);
                state.bind(1, symbol, pointer);
            }
        }
        let trace = self.executor.run_segment(from, state);
        for (&at, objects) in &self.executor.cuts.allocations {
            self.homes.extend(objects.iter().map(|&object| (object, Home::Allocation(at))));
        }
        let arrived = std::mem::take(&mut self.executor.cuts.arrived);
        let arrivals = arrived.into_iter().map(|(at, mut state)| {
            state.settle_births(self.executor.eval.store);
            let allocated = self.homes.iter().filter(|(object, home)| {
                matches!(home, Home::Allocation(_)) && state.object(**object).is_some()
            });
            let objects = &self.executor.eval.objects;
            let sizes = allocated.map(|(&object, _)| (object, objects.get(object).size)).collect();
            (at, state.guard, Snapshot { state, sizes, blank: BTreeSet::new() })
        });
        Segment { arrivals: arrivals.collect(), trace }
    }

    /// Drops the objects to which neither these variables nor anything kept refers. With `heap`, allocated objects are
    /// kept while they may be alive.
    ///
    /// # Errors
    /// If an object remains that is not the home of what made it; the text says what.
    pub fn retain(
        &mut self,
        snapshot: &mut Snapshot,
        wanted: &dyn Fn(SymbolId) -> bool,
        heap: bool,
    ) -> Result<(), String> {
        let state = &mut snapshot.state;
        let present: Vec<ObjectId> = state.objects().map(|(object, _)| object).collect();
        let never = self.executor.eval.store.false_term();
        let mut kept: BTreeSet<ObjectId> = BTreeSet::new();
        let mut pending = Vec::new();
        for &object in &present {
            let alive = state.object(object).is_some_and(|object| object.live != never);
            let root = match self.homes.get(&object) {
                Some(&Home::Variable(symbol)) => wanted(symbol) && alive,
                Some(Home::Allocation(_)) => heap && alive,
                None => false,
            };
            if root || self.executor.eval.objects.is_exposed(object) {
                pending.push(object);
            }
        }
        while let Some(object) = pending.pop() {
            if !kept.insert(object) {
                continue;
            }
            let Some(mut here) = state.object(object).cloned() else { continue };
            if here.live == never {
                continue;
            }
            for (_, term) in self.parts_of(object, &mut here) {
                let width = self.executor.eval.objects.pointer_width();
                let store = &*self.executor.eval.store;
                let elements = match store.sort(term) {
                    Sort::Array(sort) => Some(store.array_parts(sort).1),
                    _ => None,
                };
                if elements == Some(Sort::BitVec(width)) {
                    // An array of pointers: anything may be pointed to.
                    pending.extend(&present);
                } else if store.sort(term) == Sort::BitVec(width) {
                    let targets = self.points_to(term);
                    pending.extend(targets.known.iter().map(|&(_, object, _)| object));
                    if targets.unknown {
                        pending.extend(self.addressed_among(&present));
                    }
                }
            }
        }
        for object in present {
            let state = &mut snapshot.state;
            let Some(here) = state.object(object).cloned() else { continue };
            let home = self.homes.get(&object);
            let dead = here.live == never;
            if !kept.contains(&object) {
                if dead || !matches!(home, Some(Home::Variable(_))) {
                    state.remove_object(object);
                    snapshot.sizes.remove(&object);
                } else {
                    // Nothing can ask whether it is alive, and it is there to be written.
                    let live = self.executor.eval.store.true_term();
                    let content = self.anything(object);
                    let blank = ObjectState { content, live, made: live };
                    snapshot.state.set_object(object, blank);
                    snapshot.blank.insert(object);
                }
            } else if home.is_none() {
                return Err(self.homeless(object));
            } else if dead {
                let content = self.anything(object);
                snapshot.state.set_object(object, ObjectState { content, ..here });
            }
        }
        for (&symbol, &home) in &self.executor.cuts.locals {
            let zero = self.executor.eval.objects.width();
            let zero = self.executor.eval.store.bv_u64(zero, 0);
            let at_home = pointer::make(self.executor.eval.store, home, zero);
            if let Some(bound) = snapshot.state.binding(1, symbol)
                && bound != at_home
                && wanted(symbol)
            {
                let name = &self.program.symbols[symbol].display;
                return Err(format!("a pointer to an earlier life of {name} is kept"));
            }
        }
        Ok(())
    }

    /// A content that nothing is known of, for an object.
    fn anything(&mut self, object: ObjectId) -> Content {
        let ty = self.object_type(object);
        let size = ty.and_then(|ty| self.executor.eval.size_of(ty));
        let fresh = self.executor.eval.objects.new_fresh("anything");
        Content::new(Initial::Fresh(fresh), size)
    }

    /// Objects that pointers can point to: allocated ones, and variables whose address is taken.
    fn addressed_among(&self, present: &[ObjectId]) -> Vec<ObjectId> {
        let addressed = |object: &&ObjectId| match self.homes.get(object) {
            Some(Home::Variable(symbol)) => self.executor.addressed.contains(symbol),
            _ => true,
        };
        present.iter().filter(addressed).copied().collect()
    }

    fn homeless(&self, object: ObjectId) -> String {
        match self.executor.eval.objects.get(object).origin {
            Origin::Heap => "an unbounded number of heap objects".to_owned(),
            Origin::Stack => "memory from alloca that outlives a round of a loop".to_owned(),
            _ => "a pointer to a variable of an earlier round or call".to_owned(),
        }
    }

    /// Turns objects whose type has at most `limit` scalars into these, each a cell of its own.
    pub fn spread(&mut self, snapshot: &mut Snapshot, limit: usize) {
        let objects: Vec<(ObjectId, ObjectState)> =
            snapshot.state.objects().map(|(id, object)| (id, object.clone())).collect();
        for (id, mut object) in objects {
            let layout = self.layout(id);
            if snapshot.blank.contains(&id) {
                continue;
            }
            if !layout.is_empty() && layout.len() <= limit {
                object.content = object.content.spread(&mut self.executor.eval.ctx(), &layout);
                snapshot.state.set_object(id, object);
            }
        }
    }

    /// The snapshot that stands for either of two at the same cut: where they agree, their common term.
    pub fn join(&mut self, a: &Snapshot, b: &Snapshot) -> Snapshot {
        let either = self.executor.eval.store.fresh_var("either", Sort::Bool);
        let mut left = a.state.under(either);
        let mut right = b.state.clone();
        // A variable that one of them does not have, or not filled, is of no interest there.
        self.fill(&mut left, &a.blank, b);
        self.fill(&mut right, &b.blank, a);
        let is_blank = |other: &Snapshot, object: &ObjectId| {
            other.blank.contains(object) || other.state.object(*object).is_none()
        };
        let mut blank: BTreeSet<ObjectId> =
            a.blank.iter().filter(|object| is_blank(b, object)).copied().collect();
        blank.extend(b.blank.iter().filter(|object| is_blank(a, object)));
        left.merge(&mut self.executor.eval.ctx(), &right);
        left.settle_births(self.executor.eval.store);
        let mut sizes = a.sizes.clone();
        for (&object, &size) in &b.sizes {
            let joined = match sizes.get(&object) {
                Some(&other) => self.executor.eval.store.ite(either, other, size),
                None => size,
            };
            sizes.insert(object, joined);
        }
        Snapshot { state: left, sizes, blank }
    }

    /// Takes variables that are missing or blank in a state from a snapshot that has them.
    fn fill(&self, state: &mut State, blank: &BTreeSet<ObjectId>, from: &Snapshot) {
        for (id, object) in from.state.objects() {
            let missing = state.object(id).is_none() || blank.contains(&id);
            if missing && matches!(self.homes.get(&id), Some(Home::Variable(_))) {
                state.set_object(id, object.clone());
            }
        }
    }

    /// Everything in a snapshot that has a term, in a fixed order.
    pub fn locations(&mut self, snapshot: &Snapshot) -> Vec<(Location, TermId)> {
        let mut all = Vec::new();
        let objects: Vec<(ObjectId, ObjectState)> =
            snapshot.state.objects().map(|(id, object)| (id, object.clone())).collect();
        for (object, mut here) in objects {
            all.push((Location { object, aspect: Aspect::Live }, here.live));
            if let Some(&size) = snapshot.sizes.get(&object) {
                all.push((Location { object, aspect: Aspect::Size }, size));
            }
            let parts = self.parts_of(object, &mut here);
            let part = |(part, term)| (Location { object, aspect: Aspect::Part(part) }, term);
            all.extend(parts.into_iter().map(part));
        }
        all
    }

    /// The objects of a snapshot whose remaining places are not constant but unknown.
    pub fn unknown_rests(&self, snapshot: &Snapshot) -> Vec<ObjectId> {
        let known = |(id, object): &(ObjectId, &ObjectState)| {
            object.content.rest_is_known() || snapshot.blank.contains(id)
        };
        snapshot.state.objects().filter(|object| !known(object)).map(|(id, _)| id).collect()
    }

    /// The term of a location in a snapshot; `None` if nothing depends on it there.
    pub fn read(&mut self, snapshot: &Snapshot, location: &Location) -> Option<TermId> {
        if snapshot.blank.contains(&location.object) {
            return None;
        }
        let mut object = snapshot.state.object(location.object)?.clone();
        match location.aspect {
            Aspect::Live => Some(object.live),
            Aspect::Size => snapshot.sizes.get(&location.object).copied(),
            Aspect::Part(part) => object.content.part(&mut self.executor.eval.ctx(), &part),
        }
    }

    /// The snapshot with other terms at its locations.
    pub fn with_terms(&mut self, snapshot: &Snapshot, terms: &[(Location, TermId)]) -> Snapshot {
        let mut result = snapshot.clone();
        for (location, term) in terms {
            let Some(mut object) = result.state.object(location.object).cloned() else { continue };
            match location.aspect {
                Aspect::Live => object.live = *term,
                Aspect::Size => {
                    result.sizes.insert(location.object, *term);
                }
                Aspect::Part(part) => {
                    object.content.set_part(&mut self.executor.eval.ctx(), &part, *term)
                }
            }
            result.state.set_object(location.object, object);
        }
        result
    }

    fn parts_of(&mut self, object: ObjectId, state: &mut ObjectState) -> Vec<(Part, TermId)> {
        let layout = self.layout(object);
        state.content.parts(&mut self.executor.eval.ctx(), &layout)
    }

    /// The scalars of an object by its type; none if it has no type, or one with unions or bit-fields.
    fn layout(&mut self, object: ObjectId) -> Vec<(u64, Scalar)> {
        let Some(ty) = self.object_type(object) else { return Vec::new() };
        self.executor.eval.members(ty).unwrap_or_default()
    }

    /// The objects that a pointer can point to.
    pub fn points_to(&mut self, pointer: TermId) -> PointsTo {
        let eval = &mut self.executor.eval;
        let targets = eval.objects.targets(eval.store, pointer);
        let known = targets.known.iter().map(|target| (target.guard, target.object, target.offset));
        PointsTo { known: known.collect(), unknown: !targets.unknown.is_empty() }
    }

    /// The pointer to an offset in an object.
    pub fn pointer(&mut self, object: ObjectId, offset: TermId) -> TermId {
        pointer::make(self.executor.eval.store, object, offset)
    }

    /// The greatest common divisor of a number and all values that an offset is seen to have.
    pub fn common_factor(&mut self, offset: TermId, with: u64) -> u64 {
        let mut factor = with;
        let mut pending = vec![offset];
        let mut seen = FxHashSet::default();
        while let Some(term) = pending.pop().filter(|_| factor != 1) {
            let store = &mut *self.executor.eval.store;
            if !seen.insert(term) {
                continue;
            }
            if store.op(term) == Op::Ite {
                pending.extend([store.arg(term, 1), store.arg(term, 2)]);
                continue;
            }
            let sum = Linear::of(store, term);
            factor = gcd(factor, sum.constant.unsigned_abs());
            factor = sum
                .terms
                .iter()
                .fold(factor, |factor, (_, scale)| gcd(factor, scale.unsigned_abs()));
        }
        factor
    }

    /// The offset divided by a [common factor](Cutter::common_factor) of its values.
    pub fn quotient(&mut self, offset: TermId, factor: u64) -> TermId {
        let width = self.executor.eval.objects.width();
        pointer::map_leaves(self.executor.eval.store, offset, &mut |store, leaf| {
            Linear::of(store, leaf).divide(factor).0.word(store, width)
        })
    }

    /// Width of pointers in bits, object number included; the offset takes the pointer width of the machine.
    pub fn pointer_width(&self) -> u32 {
        self.executor.eval.objects.pointer_width()
    }

    /// Returns the creator of an object; `None` for functions and objects without a home.
    pub fn home(&self, object: ObjectId) -> Option<Home> {
        self.homes.get(&object).copied()
    }

    /// The type that an object was declared with.
    pub fn object_type(&self, object: ObjectId) -> Option<TypeId> {
        (object != ObjectId::NONE).then(|| self.executor.eval.objects.get(object).ty).flatten()
    }

    /// The heads of loops without a cut that ended a segment early: they made too many rounds, or undecided ones.
    pub fn undecided(&self) -> &BTreeSet<usize> {
        &self.executor.cuts.undecided
    }

    /// No home has a number above this.
    pub fn max_home(&self) -> u64 {
        match self.executor.cuts.max_rounds {
            1 => self.executor.eval.objects.ids().count() as u64,
            _ => MAX_HOME,
        }
    }

    /// Objects whose address was asked for so far: when there are more, segments have to be executed again.
    pub fn n_exposed(&self) -> usize {
        self.executor.eval.objects.n_exposed()
    }

    /// The addresses at which somebody has looked, and those of them that are there from the beginning.
    pub fn addresses(&self) -> (BTreeMap<ObjectId, TermId>, Vec<(Fixture, TermId)>) {
        (self.executor.eval.objects.addresses(), self.executor.eval.objects.fixtures())
    }

    /// Returns the constraints on the addresses of objects, which are the same in all segments.
    pub fn constraints(&self) -> &[TermId] {
        &self.executor.eval.objects.constraints
    }

    /// The bytes that nobody has written, as steps of all segments name them.
    pub fn fresh(&self) -> PrimaryMap<FreshId, Fresh> {
        PrimaryMap::from_iter(self.executor.eval.objects.fresh.iter().cloned())
    }

    /// Where the terms are.
    pub fn store(&mut self) -> &mut TermStore {
        self.executor.eval.store
    }

    /// The sort of a scalar's terms.
    pub fn sort_of(&mut self, scalar: Scalar) -> Sort {
        self.executor.eval.ctx().sort(scalar)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

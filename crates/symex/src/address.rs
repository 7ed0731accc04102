//! Addresses: where objects lie, what pointers hold, and when two pointers are equal.
//!
//! A pointer is an object and an offset, and most questions are answered by these alone. An object gets an address, a
//! variable, only when somebody looks at one: converts a pointer to an integer, or compares pointers whose objects do not
//! decide it. Two pointers into one object are compared by their offsets. Two that are inside of different objects which
//! have been alive at the same time are different. What remains is decided by addresses: a pointer that is attached to
//! nothing, one past the end (which may be where another object begins), an object that had died when the other was made
//! (which may lie where it was), constants that may share their bytes.
//!
//! **Lives.** Objects keep out of each other's way only while both are alive. The execution counts births and deaths; a
//! death has the condition of the executions in which it happens. So an address can come again. In segments there is no
//! such count: there, what is alive now is what keeps apart, and nothing else is said of objects that come and go.
//!
//! **Attachment.** An address from outside (a nondeterministic value, bytes, an integer) is attached where it is used, to
//! the live object that it lies in, among those whose addresses somebody has looked at.

use crate::eval::Evaluator;
use crate::memory::{ObjectId, Objects, Origin};
use crate::pointer::{self, OBJECT_BITS, Target, Targets};
use crate::state::State;
use crate::trace::Fixture;
use std::collections::BTreeMap;
use vergo_num::BitVec;
use vergo_term::{Op, Sort, TermId, TermStore};

/// No object lies below this address.
const FIRST_ADDRESS: u64 = 4096;

/// With more pairs of objects than this, two pointers are compared by their addresses as a whole.
const MANY_PAIRS: usize = 256;

/// The possible values of a pointer, as far as a comparison needs them.
#[derive(Default)]
struct Spots {
    /// Objects, and whether the pointer is surely inside.
    objects: Vec<(ObjectId, bool)>,
    /// It can be an address that is attached to nothing, other than null.
    is_loose: bool,
    /// It can be what was read from an array, so that no guards tell which object it is.
    is_unknown: bool,
    /// It can be far from its object by a distance that depends on an address.
    is_computed: bool,
}

impl Spots {
    fn is_null(&self) -> bool {
        self.objects.is_empty() && !self.is_loose
    }
}

impl Objects {
    /// An object dies in the executions that satisfy a condition.
    pub(crate) fn died(&mut self, object: ObjectId, condition: TermId) {
        let time = self.tick();
        self.get_mut(object).deaths.push((time, condition));
    }

    /// Checks whether one of two objects may have died before the other was made.
    fn may_be_apart(&self, a: ObjectId, b: ObjectId) -> bool {
        let [older, younger] = if self.get(a).born <= self.get(b).born { [a, b] } else { [b, a] };
        let born = self.get(younger).born;
        self.get(older).deaths.first().is_some_and(|&(time, _)| time < born)
    }

    /// The condition that one of two objects had died before the other was made.
    fn apart(&self, store: &mut TermStore, a: ObjectId, b: ObjectId) -> TermId {
        let [older, younger] = if self.get(a).born <= self.get(b).born { [a, b] } else { [b, a] };
        let born = self.get(younger).born;
        let deaths = self.get(older).deaths.iter().filter(|(time, _)| *time < born);
        let deaths: Vec<TermId> = deaths.map(|&(_, condition)| condition).collect();
        store.or_all(&deaths)
    }

    /// Checks whether an object is there from the beginning to the end.
    pub(crate) fn is_permanent(&self, object: ObjectId) -> bool {
        matches!(self.get(object).origin, Origin::Static { .. } | Origin::Function(_))
    }

    /// Where one of two constants begins in the other if they share their bytes; `None` if they cannot.
    fn shared_at(&self, a: ObjectId, b: ObjectId) -> Option<(ObjectId, u64, ObjectId)> {
        let (x, y) = (self.get(a).constant.as_ref()?, self.get(b).constant.as_ref()?);
        match () {
            () if x.ends_with(y) => Some((a, (x.len() - y.len()) as u64, b)),
            () if y.ends_with(x) => Some((b, (y.len() - x.len()) as u64, a)),
            () => None,
        }
    }

    /// The address of an object: a variable, constrained on first use.
    pub(crate) fn base(&mut self, store: &mut TermStore, object: ObjectId) -> TermId {
        if let Some(base) = self.get(object).base {
            return base;
        }
        let width = self.width();
        let base = store.var(&format!("address!{}", object.number()), Sort::BitVec(width));
        self.get_mut(object).base = Some(base);
        self.bases.insert(base, object);
        let size = self.extent(store, object);
        let zero = store.bv_u64(width, 0);
        // Behind the first page, no wrap-around with one past the end, aligned.
        let end = store.bv_add(base, size);
        let first = store.bv_u64(width, FIRST_ADDRESS);
        let positive = store.bv_ule(first, base);
        let ordered = store.bv_ule(base, end);
        let align = self.get(object).align.max(1);
        let mask = store.bv_u64(width, align - 1);
        let low = store.bv_and(base, mask);
        let aligned = store.eq(low, zero);
        self.constraints.extend([positive, ordered, aligned]);
        // With 64 bits, objects are in the lower half of the addresses; what may not fit there is not across the middle.
        if width >= 64 {
            let (first, last) = (store.bv_sign(base), store.bv_sign(end));
            let bytes = store.bv_value(size).and_then(BitVec::to_u64);
            let is_small = bytes.is_some_and(|bytes| bytes < 1 << 32);
            let half = if is_small { store.false_term() } else { first };
            let upper = store.eq(first, half);
            let lower = store.eq(last, half);
            self.constraints.extend([upper, lower]);
        }
        for other in self.exposed.clone() {
            if !self.has_lives && !self.is_permanent(object) && !self.is_permanent(other) {
                continue;
            }
            let other_base = self.base(store, other);
            let other_size = self.extent(store, other);
            let other_end = store.bv_add(other_base, other_size);
            let before = store.bv_ule(end, other_base);
            let after = store.bv_ule(other_end, base);
            let apart = self.apart(store, object, other);
            let mut ways = vec![before, after, apart];
            if let Some((whole, at, part)) = self.shared_at(object, other) {
                let whole = self.base(store, whole);
                let at = store.bv_u64(width, at);
                let inside = store.bv_add(whole, at);
                let part = self.base(store, part);
                ways.push(store.eq(inside, part));
            }
            let fine = store.or_all(&ways);
            self.constraints.push(fine);
        }
        self.exposed.push(object);
        base
    }

    /// The room that an object takes: an object without bytes takes one, so that its address is its own.
    fn extent(&self, store: &mut TermStore, object: ObjectId) -> TermId {
        let (size, width) = (self.get(object).size, self.width());
        let (zero, one) = (store.bv_u64(width, 0), store.bv_u64(width, 1));
        let is_empty = store.eq(size, zero);
        let room = store.ite(is_empty, one, size);
        match self.get(object).made {
            Some(made) => store.ite(made, room, zero),
            None => room,
        }
    }

    /// The addresses that somebody has looked at.
    pub(crate) fn addresses(&self) -> BTreeMap<ObjectId, TermId> {
        let base = |&object: &ObjectId| Some((object, self.get(object).base?));
        self.exposed.iter().filter_map(base).collect()
    }

    /// Those of them that are there from the beginning.
    pub(crate) fn fixtures(&self) -> Vec<(Fixture, TermId)> {
        let statics =
            self.statics.iter().map(|(&symbol, &object)| (Fixture::Static(symbol), object));
        let functions =
            self.functions.iter().map(|(&function, &object)| (Fixture::Function(function), object));
        let mut fixtures: Vec<(Fixture, TermId)> = statics
            .chain(functions)
            .filter_map(|(fixture, object)| Some((fixture, self.get(object).base?)))
            .collect();
        fixtures.sort_unstable();
        fixtures
    }

    /// The address that a pointer holds, as a word of pointer width.
    pub(crate) fn address(&mut self, store: &mut TermStore, pointer: TermId) -> TermId {
        let targets = self.targets(store, pointer);
        let mut address = store.bv_u64(self.width(), 0);
        for &(guard, unknown) in &targets.unknown {
            let object = pointer::object(store, unknown);
            let mut base = store.bv_u64(self.width(), 0);
            let candidates = pointer::candidates(store, unknown);
            for id in candidates.unwrap_or_else(|| self.ids().collect()) {
                let number = store.bv_u64(OBJECT_BITS, id.number());
                let is_it = store.eq(object, number);
                let its_base = self.base(store, id);
                base = store.ite(is_it, its_base, base);
            }
            let offset = pointer::offset(store, unknown);
            let here = store.bv_add(base, offset);
            address = store.ite(guard, here, address);
        }
        for target in &targets.known {
            let here = self.address_at(store, target.object, target.offset);
            address = store.ite(target.guard, here, address);
        }
        address
    }

    fn address_at(&mut self, store: &mut TermStore, object: ObjectId, offset: TermId) -> TermId {
        if object == ObjectId::NONE {
            return offset;
        }
        let base = self.base(store, object);
        store.bv_add(base, offset)
    }

    /// The pointer that an address is. One that is seen to lie in an object that is always there is attached to it at
    /// once, any other where it is used.
    pub(crate) fn pointer_at(&mut self, store: &mut TermStore, address: TermId) -> TermId {
        pointer::map_leaves(store, address, &mut |store, leaf| {
            if let Some((object, offset)) = self.seen_in(store, leaf)
                && self.is_permanent(object)
                && self.is_within(store, object, offset)
            {
                return pointer::make(store, object, offset);
            }
            let none = store.bv_u64(OBJECT_BITS, 0);
            store.bv_concat(none, leaf)
        })
    }

    /// The object and the offset in it of an address that is a sum with the address of one object.
    pub(crate) fn seen_in(
        &self,
        store: &mut TermStore,
        address: TermId,
    ) -> Option<(ObjectId, TermId)> {
        if self.bases.is_empty() {
            return None;
        }
        let mut found = None;
        let mut stack = vec![address];
        while let Some(term) = stack.pop() {
            if let Some(&object) = self.bases.get(&term) {
                if found.is_some() {
                    return None;
                }
                found = Some((object, term));
            } else if store.op(term) == Op::BvAdd {
                stack.extend_from_slice(store.args(term));
            }
        }
        let (object, base) = found?;
        Some((object, store.bv_sub(address, base)))
    }

    /// Checks whether an offset is surely inside of an object. An object without bytes has its first address.
    fn is_within(&mut self, store: &TermStore, object: ObjectId, offset: TermId) -> bool {
        let size = store.bv_value(self.get(object).size).and_then(BitVec::to_u64).unwrap_or(0);
        let values = self.values.of(store, offset);
        values.is_some_and(|values| values.iter().all(|&value| value == 0 || value < size))
    }

    /// Checks whether an address is surely null.
    fn is_null(&mut self, store: &TermStore, address: TermId) -> bool {
        self.values.of(store, address).is_some_and(|values| *values == [0])
    }

    fn spots(&mut self, store: &mut TermStore, pointer: TermId) -> Spots {
        let targets = self.targets(store, pointer);
        let mut spots = Spots { is_unknown: !targets.unknown.is_empty(), ..Spots::default() };
        for target in &targets.known {
            self.add_spot(store, &mut spots, target.object, target.offset);
        }
        for &(_, unknown) in &targets.unknown {
            let Some(leaves) = pointer::leaves(store, unknown) else {
                spots.is_loose = true;
                continue;
            };
            for (number, offset) in leaves {
                self.add_spot(store, &mut spots, number, offset);
            }
        }
        spots
    }

    fn add_spot(&mut self, store: &TermStore, spots: &mut Spots, object: ObjectId, offset: TermId) {
        if object == ObjectId::NONE {
            spots.is_loose |= !self.is_null(store, offset);
            return;
        }
        let is_within = self.is_within(store, object, offset);
        spots.is_computed |= !is_within && self.mentions_base(store, offset);
        match spots.objects.iter_mut().find(|(other, _)| *other == object) {
            Some((_, all_within)) => *all_within &= is_within,
            None => spots.objects.push((object, is_within)),
        }
    }
}

impl Evaluator<'_> {
    /// Checks whether two pointers hold the same address.
    pub(crate) fn same_address(&mut self, state: &State, x: TermId, y: TermId) -> TermId {
        let same = self.store.eq(x, y);
        if same == self.store.true_term() {
            return same;
        }
        let (a, b) = (self.objects.spots(self.store, x), self.objects.spots(self.store, y));
        if !self.need_addresses(state, &a, &b) {
            return same;
        }
        let n_pairs = a.objects.len() * b.objects.len();
        if a.is_unknown || b.is_unknown || n_pairs > MANY_PAIRS {
            let x_address = self.objects.address(self.store, x);
            let y_address = self.objects.address(self.store, y);
            let equal = self.store.eq(x_address, y_address);
            if self.objects.has_lives {
                return equal;
            }
            let [x_inside, y_inside] = [x, y].map(|pointer| self.is_inside_now(state, pointer));
            let shared = [x, y].map(|pointer| self.is_in_constant(state, pointer));
            let shared = self.store.and(shared[0], shared[1]);
            let apart = self.store.not(shared);
            let plain = self.store.and_all(&[x_inside, y_inside, apart]);
            return self.store.ite(plain, same, equal);
        }
        let (x, y) = (self.objects.targets(self.store, x), self.objects.targets(self.store, y));
        let mut ways = vec![same];
        for p in &x.known {
            for q in &y.known {
                let both = self.store.and(p.guard, q.guard);
                if p.object == q.object || both == self.store.false_term() {
                    continue;
                }
                if !self.is_open(state, p, q) {
                    continue;
                }
                let [here, there] =
                    [p, q].map(|t| self.objects.address_at(self.store, t.object, t.offset));
                let equal = self.store.eq(here, there);
                let mut way = self.store.and(both, equal);
                if !self.objects.has_lives
                    && p.object != ObjectId::NONE
                    && q.object != ObjectId::NONE
                    && self.objects.shared_at(p.object, q.object).is_none()
                {
                    let [p, q] = [p, q].map(|target| self.is_at_home(state, target));
                    let plain = self.store.and(p, q);
                    let not_plain = self.store.not(plain);
                    way = self.store.and(way, not_plain);
                }
                ways.push(way);
            }
        }
        self.store.or_all(&ways)
    }

    /// Checks whether objects and offsets do not decide if two pointers are equal.
    fn need_addresses(&mut self, state: &State, a: &Spots, b: &Spots) -> bool {
        if a.is_null() || b.is_null() {
            // A pointer that was moved away from its object is not null, unless somebody has computed that.
            return a.is_computed || b.is_computed;
        }
        if a.is_loose || b.is_loose {
            return true;
        }
        let all_within = |spots: &Spots| spots.objects.iter().all(|(_, is_within)| *is_within);
        let within = all_within(a) && all_within(b);
        a.objects.iter().any(|&(p, p_within)| {
            b.objects.iter().any(|&(q, q_within)| {
                p != q && (!(within || p_within && q_within) || self.may_coincide(state, p, q))
            })
        })
    }

    /// Checks whether different objects may have had a byte at one address.
    fn may_coincide(&self, state: &State, p: ObjectId, q: ObjectId) -> bool {
        if self.objects.shared_at(p, q).is_some() {
            return true;
        }
        if self.objects.has_lives {
            return self.objects.may_be_apart(p, q);
        }
        let truth = self.store.true_term();
        let is_live = |object| {
            self.objects.is_permanent(object)
                || state.object(object).is_some_and(|object| object.live == truth)
        };
        !(is_live(p) && is_live(q))
    }

    /// Checks whether addresses decide if two pointers to different objects, or to none, are equal.
    fn is_open(&mut self, state: &State, p: &Target, q: &Target) -> bool {
        match (p.object, q.object) {
            (ObjectId::NONE, object) | (object, ObjectId::NONE) => {
                let (address, offset) =
                    if p.object == object { (q.offset, p.offset) } else { (p.offset, q.offset) };
                !self.objects.is_null(self.store, address)
                    || self.objects.mentions_base(self.store, offset)
            }
            _ => {
                !self.objects.is_within(self.store, p.object, p.offset)
                    || !self.objects.is_within(self.store, q.object, q.offset)
                    || self.may_coincide(state, p.object, q.object)
            }
        }
    }

    /// Checks whether a pointer is inside of an object that is alive.
    fn is_at_home(&mut self, state: &State, target: &Target) -> TermId {
        let live = self.is_alive(state, target.object);
        let inside = self.is_in(target.object, target.offset);
        self.store.and(live, inside)
    }

    fn is_inside_now(&mut self, state: &State, pointer: TermId) -> TermId {
        let (targets, _) = self.targets(state, pointer);
        let mut inside = self.store.false_term();
        for target in targets {
            let here = self.is_at_home(state, &target);
            let here = self.store.and(target.guard, here);
            inside = self.store.or(inside, here);
        }
        inside
    }

    /// Checks whether a pointer is to a constant that may share its bytes with others.
    fn is_in_constant(&mut self, state: &State, pointer: TermId) -> TermId {
        let (targets, _) = self.targets(state, pointer);
        let is_constant =
            |object| object != ObjectId::NONE && self.objects.get(object).constant.is_some();
        let constants = targets.iter().filter(|target| is_constant(target.object));
        let guards: Vec<TermId> = constants.map(|target| target.guard).collect();
        self.store.or_all(&guards)
    }

    fn is_alive(&mut self, state: &State, object: ObjectId) -> TermId {
        match state.object(object) {
            Some(object) => state.alive(self.store, object),
            None => {
                let is_function = matches!(self.objects.get(object).origin, Origin::Function(_));
                self.store.bool_const(is_function)
            }
        }
    }

    /// Checks whether an offset is inside of an object; one without bytes has its first address.
    pub(crate) fn is_in(&mut self, object: ObjectId, offset: TermId) -> TermId {
        let size = match self.objects.get(object).origin {
            Origin::Function(_) => self.size(1),
            _ => self.objects.get(object).size,
        };
        let zero = self.size(0);
        let at_start = self.store.eq(offset, zero);
        let inside = self.store.bv_ult(offset, size);
        self.store.or(at_start, inside)
    }

    /// Checks whether the first of two pointers comes before the second (or is equal to it): by signed offsets in one object,
    /// by addresses otherwise.
    pub(crate) fn precedes(&mut self, x: TermId, y: TermId, or_equal: bool) -> TermId {
        let [a, b] = [x, y].map(|pointer| pointer::object(self.store, pointer));
        let [i, j] = [x, y].map(|pointer| pointer::offset(self.store, pointer));
        let none = self.store.bv_u64(OBJECT_BITS, 0);
        let same = self.store.eq(a, b);
        let attached = self.store.ne(a, none);
        let one_object = self.store.and(same, attached);
        let by_offset = match or_equal {
            true => self.store.bv_sle(i, j),
            false => self.store.bv_slt(i, j),
        };
        if one_object == self.store.true_term() {
            return by_offset;
        }
        let [p, q] = [x, y].map(|pointer| self.objects.address(self.store, pointer));
        let by_address = match or_equal {
            true => self.store.bv_ule(p, q),
            false => self.store.bv_ult(p, q),
        };
        self.store.ite(one_object, by_offset, by_address)
    }

    /// Returns the distance of the first pointer behind the second, in bytes.
    pub(crate) fn distance(&mut self, x: TermId, y: TermId) -> TermId {
        let [a, b] = [x, y].map(|pointer| pointer::object(self.store, pointer));
        let [i, j] = [x, y].map(|pointer| pointer::offset(self.store, pointer));
        let same = self.store.eq(a, b);
        let within = self.store.bv_sub(i, j);
        if same == self.store.true_term() {
            return within;
        }
        let [p, q] = [x, y].map(|pointer| self.objects.address(self.store, pointer));
        let across = self.store.bv_sub(p, q);
        self.store.ite(same, within, across)
    }

    /// Attaches an address that a pointer holds where a condition holds to the live objects that it can lie in; gives
    /// when it lies in none.
    pub(crate) fn attach(
        &mut self,
        state: &State,
        guard: TermId,
        address: TermId,
        targets: &mut Vec<Target>,
    ) -> TermId {
        if self.objects.n_exposed() == 0 || self.objects.is_null(self.store, address) {
            return guard;
        }
        let never = self.store.false_term();
        let mut nowhere = guard;
        for (object, base) in self.objects.addresses() {
            let live = self.is_alive(state, object);
            if live == never {
                continue;
            }
            let offset = pointer::map_leaves(self.store, address, &mut |store, leaf| {
                store.bv_sub(leaf, base)
            });
            let inside = self.lies_in(address, object, base);
            let here = self.store.and_all(&[nowhere, live, inside]);
            if here == never {
                continue;
            }
            let elsewhere = self.store.and(live, inside);
            let elsewhere = self.store.not(elsewhere);
            nowhere = self.store.and(nowhere, elsewhere);
            match targets.iter_mut().find(|target| target.object == object) {
                Some(target) => {
                    target.offset = self.store.ite(here, offset, target.offset);
                    target.guard = self.store.or(target.guard, here);
                }
                None => targets.push(Target { guard: here, object, offset }),
            }
            if nowhere == never {
                break;
            }
        }
        nowhere
    }

    /// Checks whether an address lies in a live object: one that is seen to lie in another that lives as long does not.
    fn lies_in(&mut self, address: TermId, object: ObjectId, base: TermId) -> TermId {
        let mut leaves = Vec::new();
        pointer::map_leaves(self.store, address, &mut |_, leaf| {
            leaves.push(leaf);
            leaf
        });
        let mut found = BTreeMap::new();
        for leaf in leaves {
            let seen = self.objects.seen_in(self.store, leaf);
            let elsewhere = seen.is_some_and(|(other, offset)| {
                other != object
                    && self.objects.has_lives
                    && self.objects.is_within(self.store, other, offset)
                    && !self.objects.may_be_apart(other, object)
                    && self.objects.shared_at(other, object).is_none()
            });
            let inside = if elsewhere || self.objects.is_null(self.store, leaf) {
                self.store.false_term()
            } else {
                let offset = self.store.bv_sub(leaf, base);
                self.is_in(object, offset)
            };
            found.insert(leaf, inside);
        }
        pointer::map_leaves(self.store, address, &mut |_, leaf| found[&leaf])
    }

    /// The pointer with the object that it is attached to where it is used now.
    pub(crate) fn attached(&mut self, state: &State, pointer: TermId) -> TermId {
        let targets = self.objects.targets(self.store, pointer);
        let is_loose = targets.known.iter().any(|target| {
            target.object == ObjectId::NONE && !self.objects.is_null(self.store, target.offset)
        });
        if !is_loose || self.objects.n_exposed() == 0 {
            return pointer;
        }
        let (known, nowhere) = self.targets(state, pointer);
        let address = self.objects.address(self.store, pointer);
        let mut there = Targets::default();
        let mut result = pointer::make(self.store, ObjectId::NONE, address);
        if nowhere != self.store.false_term() {
            there.known.push(Target { guard: nowhere, object: ObjectId::NONE, offset: address });
        }
        for target in known {
            let here = pointer::make(self.store, target.object, target.offset);
            result = self.store.ite(target.guard, here, result);
            there.known.push(target);
        }
        there.known.sort_by_key(|target| target.object);
        self.objects.set_targets(result, there);
        result
    }
}

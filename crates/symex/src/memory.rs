//! The objects of an execution and the address space they live in.
//!
//! Objects are numbered over the whole execution; a state maps the numbers to contents. An object gets an address only
//! when a pointer to it is converted to an integer: a variable, aligned, disjoint from the other addresses in use.

use crate::linear::ValueTable;
use crate::pointer::{self, OBJECT_BITS, TargetTable, Targets};
use crate::trace::Fresh;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use vergo_goto::program::{FunctionId, SymbolId};
use vergo_goto::types::TypeId;
use vergo_num::BitVec;
use vergo_term::{Op, Sort, TermId, TermStore};

/// An object of the execution; numbers begin with one, zero is no object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(u32);

impl ObjectId {
    /// No object.
    pub const NONE: ObjectId = ObjectId(0);

    /// Its number in pointers.
    pub fn number(self) -> u64 {
        u64::from(self.0)
    }

    /// The object of a number.
    pub fn from_number(number: u64) -> ObjectId {
        ObjectId(number as u32)
    }
}

/// What made an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Static { writable: bool },
    Local,
    Heap,
    Stack,
    Function(FunctionId),
}

/// What does not change while an object lives.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) origin: Origin,
    /// The type it was declared with; memory from `malloc` has none.
    pub(crate) ty: Option<TypeId>,
    /// Size in bytes, a word of pointer width.
    pub(crate) size: TermId,
    pub(crate) align: u64,
    /// The room that it takes among the addresses: none in executions that do not make it.
    extent: TermId,
    base: Option<TermId>,
}

/// All objects, and the addresses of those whose address was asked for.
#[derive(Clone)]
pub(crate) struct Objects {
    objects: Vec<Object>,
    statics: FxHashMap<SymbolId, ObjectId>,
    functions: FxHashMap<FunctionId, ObjectId>,
    exposed: Vec<ObjectId>,
    bases: FxHashMap<TermId, ObjectId>,
    width: u32,
    /// What holds of the addresses.
    pub(crate) constraints: Vec<TermId>,
    /// Unknown initial bytes of objects.
    pub(crate) fresh: Vec<Fresh>,
    targets: TargetTable,
    /// What offsets choose among.
    pub(crate) values: ValueTable,
    n_variables: u32,
    /// Why more behaviours are admitted than there are, since this was last looked at.
    pub(crate) approximations: Vec<Cow<'static, str>>,
    /// Calls of functions of the library that are not computed: operands and value.
    pub(crate) library_calls: FxHashMap<&'static str, Vec<(Vec<TermId>, TermId)>>,
    /// What holds of their values, since this was last looked at.
    pub(crate) library_facts: Vec<TermId>,
    /// Conditions under which something happens that is not followed, and what, since this was last looked at.
    pub(crate) left_out: Vec<(TermId, &'static str)>,
}

impl Objects {
    pub(crate) fn new(width: u32) -> Objects {
        Objects {
            objects: Vec::new(),
            statics: FxHashMap::default(),
            functions: FxHashMap::default(),
            exposed: Vec::new(),
            bases: FxHashMap::default(),
            width,
            constraints: Vec::new(),
            fresh: Vec::new(),
            targets: TargetTable::default(),
            values: ValueTable::default(),
            n_variables: 0,
            approximations: Vec::new(),
            library_calls: FxHashMap::default(),
            library_facts: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// The objects that a pointer can point to.
    pub(crate) fn targets(&mut self, store: &mut TermStore, pointer: TermId) -> Rc<Targets> {
        self.targets.of(store, pointer)
    }

    /// Takes note of the objects of a pointer that was put together from them.
    pub(crate) fn set_targets(&mut self, pointer: TermId, targets: Targets) {
        self.targets.set(pointer, targets);
    }

    /// A variable that nothing is known of.
    pub(crate) fn fresh(&mut self, store: &mut TermStore, name: &str, sort: Sort) -> TermId {
        self.n_variables += 1;
        store.var(&format!("{name}#{}", self.n_variables), sort)
    }

    /// Notes that more behaviours are admitted than there are.
    pub(crate) fn approximate(&mut self, why: impl Into<Cow<'static, str>>) {
        self.approximations.push(why.into());
    }

    /// Notes that what happens under a condition is not followed.
    pub(crate) fn leave_out(&mut self, condition: TermId, what: &'static str) {
        self.left_out.push((condition, what));
    }

    /// Whether a word depends on the address of an object.
    pub(crate) fn mentions_base(&self, store: &TermStore, word: TermId) -> bool {
        !self.bases.is_empty()
            && store.reachable(&[word]).iter().any(|term| self.bases.contains_key(term))
    }

    /// Width of addresses and offsets in bits.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// Width of pointers in bits.
    pub(crate) fn pointer_width(&self) -> u32 {
        self.width + OBJECT_BITS
    }

    pub(crate) fn add(
        &mut self,
        origin: Origin,
        ty: Option<TypeId>,
        size: TermId,
        align: u64,
    ) -> ObjectId {
        self.objects.push(Object { origin, ty, size, align, extent: size, base: None });
        ObjectId(self.objects.len() as u32)
    }

    pub(crate) fn get(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize - 1]
    }

    /// Gives an object another size: memory that is allocated anew at the same place of the program.
    pub(crate) fn set_size(&mut self, object: ObjectId, size: TermId) {
        let object = &mut self.objects[object.0 as usize - 1];
        (object.size, object.extent) = (size, size);
    }

    /// Says when an object is made. Where it is not, it takes no room: constraints on addresses must not exclude
    /// executions in which an object is too large to be had, or never asked for. Small ones always fit.
    pub(crate) fn made_if(&mut self, store: &mut TermStore, object: ObjectId, made: TermId) {
        let (size, width) = (self.get(object).size, self.width);
        let is_small = store.bv_value(size).and_then(BitVec::to_u64);
        if is_small.is_some_and(|bytes| bytes < 1 << (width / 2)) {
            return;
        }
        let nothing = store.bv_u64(width, 0);
        self.objects[object.0 as usize - 1].extent = store.ite(made, size, nothing);
    }

    /// How many objects have an address.
    pub(crate) fn n_exposed(&self) -> usize {
        self.exposed.len()
    }

    /// Whether an object's address was asked for.
    pub(crate) fn is_exposed(&self, object: ObjectId) -> bool {
        self.get(object).base.is_some()
    }

    /// All objects in order of creation.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (1..=self.objects.len() as u32).map(ObjectId)
    }

    pub(crate) fn static_object(&self, symbol: SymbolId) -> Option<ObjectId> {
        self.statics.get(&symbol).copied()
    }

    pub(crate) fn set_static(&mut self, symbol: SymbolId, object: ObjectId) {
        self.statics.insert(symbol, object);
    }

    /// The object that stands for a function.
    pub(crate) fn function(&mut self, store: &mut TermStore, function: FunctionId) -> ObjectId {
        if let Some(&object) = self.functions.get(&function) {
            return object;
        }
        let size = store.bv_u64(self.width, 1);
        let object = self.add(Origin::Function(function), None, size, 16);
        self.functions.insert(function, object);
        object
    }

    /// The address of an object: a variable, constrained on first use.
    fn base(&mut self, store: &mut TermStore, object: ObjectId) -> TermId {
        if let Some(base) = self.get(object).base {
            return base;
        }
        let width = self.width;
        let base = store.var(&format!("address!{}", object.0), Sort::BitVec(width));
        self.objects[object.0 as usize - 1].base = Some(base);
        self.bases.insert(base, object);
        let size = self.get(object).extent;
        let zero = store.bv_u64(width, 0);
        // Not null, no wrap-around with one past the end, aligned.
        let end = store.bv_add(base, size);
        let positive = store.bv_ult(zero, base);
        let ordered = store.bv_ule(base, end);
        let align = self.get(object).align.max(1);
        let mask = store.bv_u64(width, align - 1);
        let low = store.bv_and(base, mask);
        let aligned = store.eq(low, zero);
        self.constraints.extend([positive, ordered, aligned]);
        // With 64 bits, nothing lies across the middle of the addresses.
        if width >= 64 {
            let (first, last) = (store.bv_sign(base), store.bv_sign(end));
            self.constraints.push(store.eq(first, last));
        }
        for other in self.exposed.clone() {
            let other_base = self.base(store, other);
            let other_size = self.get(other).extent;
            let other_end = store.bv_add(other_base, other_size);
            // One past the end of one may be the start of the other only if that cannot be confused: keep a gap.
            let before = store.bv_ult(end, other_base);
            let after = store.bv_ult(other_end, base);
            let disjoint = store.or(before, after);
            self.constraints.push(disjoint);
        }
        self.exposed.push(object);
        base
    }

    /// The address that a pointer holds, as a word of pointer width.
    pub(crate) fn address(&mut self, store: &mut TermStore, pointer: TermId) -> TermId {
        let targets = self.targets(store, pointer);
        let mut address = store.bv_u64(self.width, 0);
        for &(guard, unknown) in &targets.unknown {
            let object = pointer::object(store, unknown);
            let mut base = store.bv_u64(self.width, 0);
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
            let here = if target.object == ObjectId::NONE {
                target.offset
            } else {
                let base = self.base(store, target.object);
                store.bv_add(base, target.offset)
            };
            address = store.ite(target.guard, here, address);
        }
        address
    }

    /// The pointer that an address is.
    pub(crate) fn pointer_at(&mut self, store: &mut TermStore, address: TermId) -> TermId {
        let none = store.bv_u64(OBJECT_BITS, 0);
        // An address that is a sum with one object's base came from a pointer into it.
        if let Some(object) = self.base_in_sum(store, address) {
            let base = self.base(store, object);
            let offset = store.bv_sub(address, base);
            return pointer::make(store, object, offset);
        }
        if store.op(address) == Op::Ite {
            let [cond, then, other] = [0, 1, 2].map(|i| store.arg(address, i));
            if self.base_in_sum(store, then).is_some() || store.is_value(then) {
                let then = self.pointer_at(store, then);
                let other = self.pointer_at(store, other);
                return store.ite(cond, then, other);
            }
        }
        let mut pointer = store.bv_concat(none, address);
        if store.is_value(address) && self.exposed.is_empty() {
            return pointer;
        }
        for object in self.exposed.clone() {
            let base = self.base(store, object);
            let offset = store.bv_sub(address, base);
            let size = self.get(object).size;
            let inside = store.bv_ule(offset, size);
            let into = pointer::make(store, object, offset);
            pointer = store.ite(inside, into, pointer);
        }
        pointer
    }

    fn base_in_sum(&self, store: &TermStore, address: TermId) -> Option<ObjectId> {
        let mut found = None;
        let mut stack = vec![address];
        while let Some(term) = stack.pop() {
            if let Some(&object) = self.bases.get(&term) {
                if found.is_some() {
                    return None;
                }
                found = Some(object);
            } else if store.op(term) == Op::BvAdd {
                stack.extend_from_slice(store.args(term));
            }
        }
        found
    }
}

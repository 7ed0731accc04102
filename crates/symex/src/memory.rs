//! The objects of an execution and the address space they live in.
//!
//! Objects are numbered over the whole execution; a state maps the numbers to contents. Where they lie is the business of
//! `address.rs`.

use crate::block_arrays::Blocks;
use crate::linear::ValueTable;
use crate::nan::Nans;
use crate::outside::Outside;
use crate::pointer::{OBJECT_BITS, TargetTable, Targets};
use crate::trace::Fresh;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;
use vergo_goto::program::{FunctionId, SymbolId};
use vergo_goto::types::TypeId;
use vergo_num::BitVec;
use vergo_term::{Sort, TermId, TermStore};

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

/// The creator of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Static { writable: bool },
    Local { writable: bool },
    Heap,
    Stack,
    Function(FunctionId),
}

/// The properties of an object that do not change during its lifetime.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) origin: Origin,
    /// The type it was declared with; memory from `malloc` has none.
    pub(crate) ty: Option<TypeId>,
    /// Size in bytes, a word of pointer width.
    pub(crate) size: TermId,
    pub(crate) align: u64,
    /// When it was made, and when it died under which conditions, in the count of births and deaths.
    pub(crate) born: u32,
    pub(crate) deaths: Vec<(u32, TermId)>,
    /// The bytes of a constant without a name: it may share them with others.
    pub(crate) constant: Option<Arc<[u8]>>,
    /// In which executions it is made, if it is large: in others it takes no room.
    pub(crate) made: Option<TermId>,
    pub(crate) base: Option<TermId>,
}

/// All objects, and the addresses of those whose address was asked for.
#[derive(Clone)]
pub(crate) struct Objects {
    objects: Vec<Object>,
    pub(crate) statics: FxHashMap<SymbolId, ObjectId>,
    pub(crate) functions: FxHashMap<FunctionId, ObjectId>,
    pub(crate) exposed: Vec<ObjectId>,
    pub(crate) bases: FxHashMap<TermId, ObjectId>,
    width: u32,
    /// Births and deaths so far.
    time: u32,
    /// True if these say which objects were alive together.
    pub(crate) has_lives: bool,
    /// The constraints on addresses and on blocks.
    pub(crate) constraints: Vec<TermId>,
    /// Blocks that were written at once although their length is not known.
    pub(crate) blocks: Blocks,
    /// Unknown initial bytes of objects.
    pub(crate) fresh: Vec<Fresh>,
    targets: TargetTable,
    /// The memory of the outside, if pointers from there are followed.
    pub(crate) outside: Option<Box<Outside>>,
    /// Which NaNs floats are.
    pub(crate) nans: Nans,
    /// The values that offsets choose among.
    pub(crate) values: ValueTable,
    n_variables: u32,
    /// The reason why more behaviours are admitted than there are, since this was last looked at.
    pub(crate) approximations: Vec<Cow<'static, str>>,
    /// Calls of functions of the library that are not computed: operands and value.
    pub(crate) library_calls: FxHashMap<&'static str, Vec<(Vec<TermId>, TermId)>>,
    /// The facts about their values since the last look.
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
            time: 0,
            has_lives: true,
            constraints: Vec::new(),
            blocks: Blocks::default(),
            fresh: Vec::new(),
            targets: TargetTable::default(),
            outside: None,
            nans: Nans::default(),
            values: ValueTable::default(),
            n_variables: 0,
            approximations: Vec::new(),
            library_calls: FxHashMap::default(),
            library_facts: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// The sizes of objects that are not constant, once each.
    pub(crate) fn unknown_sizes(&self, store: &TermStore) -> Vec<TermId> {
        let sizes = self.objects.iter().map(|object| object.size);
        let mut sizes: Vec<TermId> = sizes.filter(|&size| store.bv_value(size).is_none()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
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

    /// Checks whether a word depends on the address of an object.
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
        let born = self.tick();
        let (deaths, constant) = (Vec::new(), None);
        let object =
            Object { origin, ty, size, align, born, deaths, constant, made: None, base: None };
        self.objects.push(object);
        ObjectId(self.objects.len() as u32)
    }

    /// The time, which goes on.
    pub(crate) fn tick(&mut self) -> u32 {
        self.time += 1;
        self.time
    }

    pub(crate) fn get_mut(&mut self, object: ObjectId) -> &mut Object {
        &mut self.objects[object.0 as usize - 1]
    }

    pub(crate) fn get(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize - 1]
    }

    /// Gives an object another size: memory that is allocated anew at the same place of the program.
    pub(crate) fn set_size(&mut self, object: ObjectId, size: TermId) {
        let object = self.get_mut(object);
        (object.size, object.made) = (size, None);
    }

    /// Says when an object is made. Where it is not, it takes no room: constraints on addresses must not exclude
    /// executions in which an object is too large to be had, or never asked for. Small ones always fit.
    pub(crate) fn made_if(&mut self, store: &TermStore, object: ObjectId, made: TermId) {
        let (size, width) = (self.get(object).size, self.width);
        let is_small = store.bv_value(size).and_then(BitVec::to_u64);
        if is_small.is_some_and(|bytes| bytes < 1 << (width / 2)) {
            return;
        }
        self.get_mut(object).made = Some(made);
    }

    /// Returns the number of objects that have an address.
    pub(crate) fn n_exposed(&self) -> usize {
        self.exposed.len()
    }

    /// Checks whether an object's address was asked for.
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
}

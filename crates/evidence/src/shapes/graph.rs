//! Memory as a graph: objects, what their cells hold, and chains of objects without a bound.
//!
//! A [`State`] stands for a set of memories. Each [`Object`] without a [`Chain`] stands for one object of the memory, different
//! objects for different ones. An object with a chain stands for a list of at least [`Chain::least`] objects on the heap,
//! each of which looks like it: every node but the last has a pointer to the next at [`Chain::next`], and the last has there
//! what the cell of the graph says; if the list has a [`Chain::prev`], every node but the first has a pointer to the one before
//! there. A pointer to a chain is one to its first or last node. If the list is empty, a pointer to its first node is what
//! its last node would point to, and one to its last node what its first would point back to.
//!
//! An object may be there once for each node of a chain ([`Object::of`]): then only the chain's cells and other objects of the
//! same chain point to it, and what it says of the chain it says of its own node. Some nodes may lack it ([`Object::maybe`]): there
//! the pointers to it are null.
//!
//! Everything else has any value: bytes without a cell (unless they are zero), unknowns within their range.

use super::linear::Linear;
use super::marks::Mark;
use super::relations::Relations;
use super::split::{Moment, Operation};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_analysis::interval::{Interval, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::BinaryOp;
use vergo_goto::program::{FunctionId, Program, SymbolId};
use vergo_goto::types::{Type, TypeId};

/// An object of a graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub(super) u32);

/// A value that is not known, but the same wherever it stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnknownId(pub(super) u32);

/// A set of memories at a point of a program.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The calls that are active, the innermost last.
    pub frames: Vec<Frame>,
    /// The objects of static variables.
    pub statics: Rc<BTreeMap<SymbolId, ObjectId>>,
    /// All objects that are alive.
    pub objects: BTreeMap<ObjectId, Rc<Object>>,
    /// The facts about unknown values.
    pub unknowns: BTreeMap<UnknownId, Known>,
    /// What is known of several unknowns together.
    pub relations: Rc<Relations>,
    /// True if there may be further objects on the heap, to which no known pointer leads.
    pub lost: bool,
    /// The next id.
    pub(super) fresh: u32,
    /// Results of operations since the last cut.
    pub(super) results: Vec<(Operation, Value)>,
    /// The facts that are known while an instruction is executed.
    pub(super) moment: Moment,
}

/// An active call.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// The next instruction; of outer calls, the one that calls.
    pub at: usize,
    /// The objects of its parameters and local variables that are alive.
    pub locals: BTreeMap<SymbolId, ObjectId>,
    /// The objects that it has allocated on the stack.
    pub stack: BTreeSet<ObjectId>,
}

/// An object, or a list of objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its size in bytes; at least, if its length is an unknown.
    pub size: u64,
    /// Its length, if that is not known as a number: a word as wide as pointers.
    pub length: Option<UnknownId>,
    /// Scalars at offsets that are not known as numbers.
    pub marks: Vec<Mark>,
    /// Where it comes from.
    pub origin: Origin,
    /// True if it may be written.
    pub writable: bool,
    /// True if bytes without a cell are zero.
    pub zero: bool,
    /// The contents of its bytes, by offset. Cells do not overlap.
    pub cells: BTreeMap<u64, Cell>,
    /// The list that it stands for.
    pub chain: Option<Chain>,
    /// The chain whose nodes have one each.
    pub of: Option<ObjectId>,
    /// True if some of these nodes may have none.
    pub maybe: bool,
    /// The structure as which it was first looked at. This says nothing of memory: it helps to tell lists of different kinds apart.
    pub seen_as: Option<TypeId>,
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A variable.
    Variable,
    /// Allocated until it is freed.
    Heap,
    /// Allocated until the function returns.
    Stack,
}

/// A list of nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Chain {
    /// The offset of the pointer to the next node.
    pub next: u64,
    /// The offset of the pointer to the node before, if there is one.
    pub prev: Option<u64>,
    /// The offset in nodes that these pointers point to.
    pub head: u64,
    /// The number of nodes is at least this.
    pub least: u32,
}

/// The class of a scalar: reads at another class than was written are not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// An integer of so many bits. Of those with more than 64 only values below 2^64 are followed, and no ranges.
    Int(u32),
    /// A pointer.
    Ptr,
    /// Anything else.
    Other,
}

/// The content of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// The number of bytes.
    pub size: u64,
    /// The type class that they were written as.
    pub class: Class,
    /// The value.
    pub value: Value,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// An integer, or a pointer without an object: null is zero.
    Word(u64),
    /// A pointer to an object.
    Ptr(Pointer),
    /// A pointer somewhere into an object that is no list and there once: to the offset that an unknown is, a word as wide
    /// as pointers that is read with its sign.
    Inside(ObjectId, UnknownId),
    /// A pointer to a function.
    Function(FunctionId),
    /// One and the same value, wherever it stands.
    Unknown(UnknownId),
    /// In chains: a value in a range, another one in each node. Without a range, any.
    Each(Option<Wrapped>),
}

/// A pointer to an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pointer {
    /// The object.
    pub object: ObjectId,
    /// Which node, of a chain; of other objects, [`End::First`].
    pub end: End,
    /// The offset in the object, or in the node.
    pub offset: i64,
}

/// An end of a chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// The first node.
    First,
    /// The last node.
    Last,
}

/// The facts about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its class.
    pub class: Class,
    /// Its words; none if it has no range.
    pub range: Option<Wrapped>,
    /// True if relations read it with a sign.
    pub signed: bool,
}

impl Known {
    /// A value of a class, in a range.
    pub fn new(class: Class, range: Option<Wrapped>) -> Known {
        Known { class, range, signed: true }
    }

    /// An integer in a range.
    pub fn integer(word: Word, range: Wrapped) -> Known {
        Known { class: Class::Int(word.width), range: Some(range), signed: word.signed }
    }
}

impl End {
    /// The other end.
    pub fn other(self) -> End {
        match self {
            End::First => End::Last,
            End::Last => End::First,
        }
    }
}

impl Chain {
    /// The offset of the pointers that lead on from an end; `None` if there are none.
    pub fn onward(&self, from: End) -> Option<u64> {
        match from {
            End::First => Some(self.next),
            End::Last => self.prev,
        }
    }

    /// Returns whether two chains are made of the same kind of nodes.
    pub fn is_like(&self, other: &Chain) -> bool {
        (self.next, self.prev, self.head) == (other.next, other.prev, other.head)
    }
}

impl Object {
    /// An object without known contents.
    pub(super) fn new(size: u64, origin: Origin) -> Object {
        Object {
            size,
            length: None,
            marks: Vec::new(),
            origin,
            writable: true,
            zero: false,
            cells: BTreeMap::new(),
            chain: None,
            of: None,
            maybe: false,
            seen_as: None,
        }
    }

    /// Returns the offset of a range if its bytes are in the object.
    pub(super) fn has(&self, offset: i64, size: u64) -> Option<u64> {
        let offset = u64::try_from(offset).ok()?;
        (offset.checked_add(size)? <= self.size).then_some(offset)
    }

    /// The cells that share bytes with a range.
    pub fn overlapping(&self, offset: u64, size: u64) -> Vec<u64> {
        let end = offset.saturating_add(size);
        let before = self.cells.range(..end);
        before.filter(|(at, cell)| **at + cell.size > offset).map(|(&at, _)| at).collect()
    }

    /// Returns the value of a scalar, if it is known.
    pub fn scalar(&self, offset: u64, size: u64, class: Class) -> Option<Value> {
        match self.cells.get(&offset) {
            Some(cell) if cell.size == size && cell.class == class => Some(cell.value),
            _ if class != Class::Other && self.is_zero(offset, size) => Some(Value::Word(0)),
            _ => None,
        }
    }

    /// Returns whether all bytes of a range are zero, whatever they were written as.
    fn is_zero(&self, offset: u64, size: u64) -> bool {
        let (mut reached, end) = (offset, offset.saturating_add(size));
        for at in self.overlapping(offset, size) {
            let cell = self.cells[&at];
            if cell.value != Value::Word(0) || at > reached && !self.zero {
                return false;
            }
            reached = at + cell.size;
        }
        self.zero || reached >= end
    }

    /// Forgets what bytes hold.
    pub(super) fn forget(&mut self, offset: u64, size: u64) {
        let (mut first, mut end) = (offset, offset.saturating_add(size).min(self.size));
        for at in self.overlapping(offset, size) {
            let cell = self.cells.remove(&at).expect("it overlaps");
            (first, end) = (first.min(at), end.max(at + cell.size));
        }
        if self.zero && first < end {
            let value = Value::Each(None);
            self.cells.insert(first, Cell { size: end - first, class: Class::Other, value });
        }
    }

    /// Writes a scalar; what is written must be in the object.
    pub(super) fn write(&mut self, offset: u64, cell: Cell) {
        if cell.size == 0 {
            return;
        }
        self.forget(offset, cell.size);
        if self.zero {
            // What was forgotten around it stays so.
            let (first, gone) = self
                .cells
                .range(..=offset)
                .next_back()
                .map(|(&at, cell)| (at, *cell))
                .expect("it was forgotten");
            self.cells.remove(&first);
            let end = offset + cell.size;
            for (from, to) in [(first, offset), (end, first + gone.size)] {
                if from < to {
                    self.cells.insert(from, Cell { size: to - from, ..gone });
                }
            }
        }
        self.cells.insert(offset, cell);
    }

    /// The object with its pointers changed.
    pub(super) fn map_values(&mut self, mut change: impl FnMut(Value) -> Value) {
        let of_marks = self.marks.iter_mut().map(|mark| &mut mark.cell);
        for cell in self.cells.values_mut().chain(of_marks) {
            cell.value = change(cell.value);
        }
    }

    /// All values that it holds.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let of_marks = self.marks.iter().map(|mark| mark.cell.value);
        self.cells.values().map(|cell| cell.value).chain(of_marks)
    }

    /// The objects that its cells point to; of pointers to unknown offsets, to the beginning.
    pub fn targets(&self) -> impl Iterator<Item = Pointer> + '_ {
        self.cells.values().filter_map(|cell| cell.value.target())
    }
}

impl Value {
    /// The object that it points to; if nobody knows where in the object, its beginning.
    pub fn target(self) -> Option<Pointer> {
        match self {
            Value::Ptr(pointer) => Some(pointer),
            Value::Inside(object, _) => Some(Pointer { object, end: End::First, offset: 0 }),
            Value::Word(_) | Value::Function(_) | Value::Unknown(_) | Value::Each(_) => None,
        }
    }
}

/// The class of a type and its size in objects; `None` for types that are no scalars.
pub fn class_of(program: &Program, ty: TypeId) -> Option<(Class, u64)> {
    let size = || program.types.size_of(ty, &program.machine);
    match *program.types.get(ty) {
        Type::Bool => Some((Class::Int(1), 1)),
        Type::Int { width, .. } => Some((Class::Int(width), size()?)),
        Type::Float(_) => Some((Class::Other, size()?)),
        Type::Ptr(_) => Some((Class::Ptr, size()?)),
        Type::Void | Type::Array(..) | Type::Struct(_) | Type::Func(..) => None,
    }
}

impl Class {
    /// Returns the unsigned word type of the class; `None` if its values have no ranges.
    pub fn word(self, program: &Program) -> Option<Word> {
        let width = match self {
            Class::Int(width) if width <= 64 => width,
            Class::Ptr => program.machine.pointer_width,
            Class::Int(_) | Class::Other => return None,
        };
        Some(Word { signed: false, width })
    }

    /// All values of the class.
    pub fn all(self, program: &Program) -> Option<Wrapped> {
        self.word(program).map(Wrapped::all)
    }
}

impl State {
    /// Adds an object.
    pub fn add(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(self.fresh);
        self.fresh += 1;
        self.objects.insert(id, Rc::new(object));
        id
    }

    /// An object that is there.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[&id]
    }

    /// An object, to change it.
    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        Rc::make_mut(self.objects.get_mut(&id).expect("objects that are pointed to are there"))
    }

    /// A value of which this is known.
    pub fn unknown(&mut self, known: Known) -> Value {
        let id = UnknownId(self.fresh);
        self.fresh += 1;
        self.unknowns.insert(id, known);
        Value::Unknown(id)
    }

    /// Any value of a class.
    pub fn any(&mut self, program: &Program, class: Class) -> Value {
        self.unknown(Known::new(class, class.all(program)))
    }

    /// A word in a range.
    pub fn ranged(&mut self, class: Class, word: Word, range: Wrapped) -> Value {
        match range.single(Word { signed: false, ..word }) {
            Some(value) => Value::Word(value as u64),
            None => {
                let signed = word.signed;
                self.unknown(Known { class, range: Some(range), signed })
            }
        }
    }

    /// The range of a value; of pointers, that of their addresses.
    pub fn range(&self, program: &Program, class: Class, value: Value) -> Option<Wrapped> {
        let word = class.word(program)?;
        match value {
            Value::Word(bits) => Some(Wrapped::constant(word, bits.into())),
            Value::Ptr(pointer) if self.is_attached(pointer) => Some(not_null(word)),
            Value::Ptr(_) => None,
            Value::Inside(object, at) => {
                let is_attached = self.is_inside(object, &self.sum(at), &Linear::default());
                is_attached.then(|| not_null(word))
            }
            Value::Function(_) => Some(not_null(word)),
            Value::Unknown(id) => self.unknowns.get(&id).and_then(|known| known.range),
            Value::Each(range) => range,
        }
        .or_else(|| Some(Wrapped::all(word)))
    }

    /// The object that a pointer points to, if that is no list, and the offsets to which it may point.
    pub fn offsets(&self, program: &Program, value: Value) -> Option<(ObjectId, Interval)> {
        let to = value.target().filter(|to| self.object(to.object).chain.is_none())?;
        let offsets = match value {
            Value::Inside(_, at) => {
                let word = Word { signed: true, ..Class::Ptr.word(program)? };
                self.unknowns.get(&at)?.range.map_or(word.all(), |range| range.hull(word))
            }
            _ => Interval::constant(to.offset.into()),
        };
        Some((to.object, offsets))
    }

    /// The offset in an object that is no list to which a pointer points.
    pub fn offset(&self, value: Value) -> Option<(ObjectId, Linear)> {
        let to = value.target().filter(|to| self.object(to.object).chain.is_none())?;
        let offset = match value {
            Value::Inside(_, at) => self.sum(at),
            _ => Linear::constant(to.offset.into()),
        };
        Some((to.object, offset))
    }

    /// A pointer into an object that is no list, at one of some offsets.
    pub fn inside(&mut self, program: &Program, object: ObjectId, offsets: Interval) -> Value {
        if let (true, Ok(offset)) = (offsets.low == offsets.high, i64::try_from(offsets.low)) {
            return Value::Ptr(Pointer { object, end: End::First, offset });
        }
        let word = Class::Ptr.word(program).expect("pointers are words");
        let signed = Word { signed: true, ..word };
        match self.unknown(Known::integer(signed, Wrapped::of(word, offsets))) {
            Value::Unknown(at) => Value::Inside(object, at),
            value => value,
        }
    }

    /// Returns whether a pointer certainly points into an object or directly behind it.
    pub(super) fn is_attached(&self, pointer: Pointer) -> bool {
        let object = self.object(pointer.object);
        object.has(pointer.offset, 0).is_some()
            && object.chain.is_none_or(|chain| chain.least > 0)
            && !object.maybe
    }

    /// Changes all values.
    pub fn map_values(&mut self, change: impl Fn(Value) -> Value) {
        for object in self.objects.values_mut() {
            if object.values().any(|value| change(value) != value) {
                Rc::make_mut(object).map_values(&change);
            }
        }
        self.map_results(change);
    }

    /// Ends the life of an object. Pointers to it are no longer pointers to anything, but keep their addresses.
    pub(super) fn kill(&mut self, program: &Program, id: ObjectId) {
        let word = Class::Ptr.word(program).expect("pointers are words");
        let mut into: Vec<Value> = Vec::new();
        for cell in self.objects.values().flat_map(|object| object.cells.values()) {
            let is_into = cell.value.target().is_some_and(|to| to.object == id);
            if is_into && !into.contains(&cell.value) {
                into.push(cell.value);
            }
        }
        for pointer in into {
            let range = match pointer {
                Value::Inside(..) => self.range(program, Class::Ptr, pointer),
                _ => Some(not_null(word)),
            };
            let gone = self.unknown(Known::new(Class::Ptr, range));
            self.map_values(|value| if value == pointer { gone } else { value });
        }
        self.objects.remove(&id);
    }

    /// The objects of variables, from which others are reached.
    pub fn roots(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let of_frames = self.frames.iter().flat_map(|frame| frame.locals.values());
        self.statics.values().chain(of_frames).copied()
    }

    /// The objects that known pointers lead to.
    pub fn reachable(&self) -> BTreeSet<ObjectId> {
        let mut seen: BTreeSet<ObjectId> = self.roots().collect();
        let mut pending: Vec<ObjectId> = seen.iter().copied().collect();
        while let Some(id) = pending.pop() {
            for pointer in self.object(id).targets() {
                if seen.insert(pointer.object) {
                    pending.push(pointer.object);
                }
            }
        }
        seen
    }

    /// Leaves out what no known pointer leads to. Of objects on the heap it is remembered that there may be such.
    pub fn sweep(&mut self) {
        self.results.clear();
        let reachable = self.reachable();
        let mut lost = self.lost;
        self.objects.retain(|id, object| {
            let keeps = reachable.contains(id);
            lost |= !keeps && object.origin == Origin::Heap;
            keeps
        });
        self.lost = lost;
        for frame in &mut self.frames {
            frame.stack.retain(|id| reachable.contains(id));
        }
        let mut used = BTreeSet::new();
        for object in self.objects.values() {
            used.extend(object.measures());
            for cell in object.cells.values() {
                if let Value::Unknown(id) | Value::Inside(_, id) = cell.value {
                    used.insert(id);
                }
            }
        }
        self.keep_relations(&used);
        used.extend(self.relations.unknowns());
        self.unknowns.retain(|id, _| used.contains(id));
    }
}

/// All addresses but null.
pub(super) fn not_null(word: Word) -> Wrapped {
    let (all, zero) = (Wrapped::all(word), Wrapped::constant(word, 0));
    Wrapped::compared(BinaryOp::Ne, true, word, all, zero).map_or(all, |(range, _)| range)
}

/// Returns whether all bytes of a range were written as scalars.
pub(super) fn is_written(object: &Object, at: u64, size: u64) -> bool {
    let mut reached = at;
    for start in object.overlapping(at, size) {
        let cell = object.cells[&start];
        if start > reached || cell.class == Class::Other && cell.value == Value::Each(None) {
            return false;
        }
        reached = start + cell.size;
    }
    reached >= at + size
}

//! States whose graphs are the same become one, with ranges for numbers that differ and what still relates them.

use super::numbers::{Pair, relate};
use std::collections::{BTreeMap, BTreeSet};
use vergo_analysis::interval::Word;
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_evidence::shapes::graph::{Cell, Class, Known, Object, ObjectId, State, Value};
use vergo_evidence::shapes::marks::Mark;
use vergo_goto::program::Program;
use vergo_goto::types::{Type, TypeId};

/// Numbers that are larger are no places where others are expected to stay.
const MOST_CONSTANT: u64 = 1 << 31;

/// So many ends of texts at different offsets become one, in an object.
const MOST_MOVING_MARKS: usize = 2;

/// A state that has both as cases, if they have the same graph. Numbers that differ grow at once to where they can be expected to
/// stay, so that joining again and again ends.
pub(super) fn join(program: &Program, old: &State, new: &State) -> Option<State> {
    if old.objects.len() != new.objects.len() || old.frames.len() != new.frames.len() {
        return None;
    }
    let roots = |state: &State| -> Vec<ObjectId> { state.roots().collect() };
    let pairs: BTreeMap<ObjectId, ObjectId> = roots(old).into_iter().zip(roots(new)).collect();
    if pairs.iter().any(|(&a, &b)| differ((old, a), (new, b))) {
        return None;
    }
    let mut joined = old.clone();
    joined.lost |= new.lost;
    joined.relations = std::rc::Rc::default();
    let pending = pairs.iter().map(|(&a, &b)| (a, b)).collect();
    let types = types(program, old);
    let constants = constants(old).intersection(&constants(new)).copied().collect();
    let values = Vec::new();
    let mut joiner =
        Joiner { program, old, new, joined, types, constants, pairs, pending, values };
    while let Some((a, b)) = joiner.pending.pop() {
        joiner.objects(a, b)?;
    }
    if joiner.pairs.len() != old.objects.len() {
        return None;
    }
    let Joiner { mut joined, values, .. } = joiner;
    let pairs = numbers(&joined, (old, new), &values);
    relate(&mut joined, (old, new), &pairs);
    Some(joined)
}

/// Returns whether only one of two variables holds a pointer to an object: most states differ in that.
fn differ((old, a): (&State, ObjectId), (new, b): (&State, ObjectId)) -> bool {
    let (x, y) = (old.object(a), new.object(b));
    x.cells.iter().any(|(&at, cell)| {
        let other = y.scalar(at, cell.size, cell.class);
        cell.value.target().is_some() != other.and_then(Value::target).is_some()
    })
}

/// The unknowns of the joined state that are integers in both.
fn numbers(
    joined: &State,
    (old, new): (&State, &State),
    values: &[((Value, Value), Value)],
) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for &((p, q), value) in values {
        // A pointer into an object stands for its offset.
        let (id, forms) = match value {
            Value::Unknown(id) => {
                let word = joined.unknowns.get(&id).and_then(|known| known.reading());
                let forms = [old, new].into_iter().zip([p, q]);
                let mut forms = forms.map(|(state, value)| state.form(value, word?));
                (id, [forms.next().flatten(), forms.next().flatten()])
            }
            Value::Inside(_, id) => {
                let offsets = [old.offset(p), new.offset(q)];
                (id, offsets.map(|offset| offset.map(|(_, sum)| sum)))
            }
            _ => continue,
        };
        if let [Some(before), Some(after)] = forms
            && pairs.iter().all(|pair| pair.id != id)
        {
            pairs.push(Pair { id, before, after });
        }
    }
    pairs
}

struct Joiner<'a> {
    program: &'a Program,
    old: &'a State,
    new: &'a State,
    joined: State,
    /// The types of variables, and as which other objects were seen.
    types: BTreeMap<ObjectId, TypeId>,
    /// Numbers at which numbers that grow may stay, sorted.
    constants: Vec<i128>,
    pairs: BTreeMap<ObjectId, ObjectId>,
    pending: Vec<(ObjectId, ObjectId)>,
    /// The joined values of pairs of values.
    values: Vec<((Value, Value), Value)>,
}

impl Joiner<'_> {
    /// Joins two objects.
    fn objects(&mut self, a: ObjectId, b: ObjectId) -> Option<()> {
        let (x, y) = (self.old.object(a), self.new.objects.get(&b)?);
        let (kind, other) =
            ((x.origin, x.writable, x.zero, x.maybe), (y.origin, y.writable, y.zero, y.maybe));
        let of = |of: ObjectId| self.pairs.get(&of).copied();
        if kind != other || x.of.map(of) != y.of.map(Some) {
            return None;
        }
        match (x.chain, y.chain) {
            (None, None) => {}
            (Some(p), Some(q)) if p.is_like(&q) => {
                let least = p.least.min(q.least);
                self.joined.object_mut(a).chain.as_mut()?.least = least;
            }
            _ => return None,
        }
        if x.zero && !x.cells.keys().eq(y.cells.keys()) {
            return None;
        }
        self.length(a, x, y)?;
        let mut gone = Vec::new();
        for (at, cell) in &x.cells {
            match y.scalar(*at, cell.size, cell.class) {
                Some(value) => self.cell(a, *at, *cell, value)?,
                None if cell.value.target().is_some() => return None,
                None => gone.push(*at),
            }
        }
        for at in gone {
            self.joined.object_mut(a).cells.remove(&at);
        }
        self.marks(a, x, y);
        Some(())
    }

    /// Joins the lengths of two objects.
    fn length(&mut self, a: ObjectId, x: &Object, y: &Object) -> Option<()> {
        if (x.length, y.length, x.size) == (None, None, y.size) {
            return Some(());
        }
        let is_structure = x.length.or(y.length).is_none() && x.seen_as.or(y.seen_as).is_some();
        if x.chain.is_some() || x.of.is_some() || is_structure {
            return None;
        }
        let [p, q] = [x, y].map(|object| object.length.map_or(Value::Word(object.size), Value::Unknown));
        let class = Class::Int(self.program.machine.pointer_width);
        let Value::Unknown(length) = self.number(class, true, p, q) else { return None };
        let size = x.size.min(y.size);
        // The range may say less than the lengths do.
        let word = Word { signed: false, width: self.program.machine.pointer_width };
        let least = self.joined.unknowns.get(&length)?.range?.hull(word).low;
        let object = self.joined.object_mut(a);
        object.length = Some(length);
        object.size = size.min(u64::try_from(least).unwrap_or(0));
        let end = object.size;
        object.cells.retain(|at, cell| at + cell.size <= end);
        Some(())
    }

    /// Joins the values of a cell.
    fn cell(&mut self, a: ObjectId, at: u64, cell: Cell, value: Value) -> Option<()> {
        let joined = if let (Some(p), Some(q)) = (cell.value.target(), value.target()) {
            match self.pairs.get(&p.object) {
                Some(other) if *other != q.object => return None,
                Some(_) => {}
                None => {
                    self.pairs.insert(p.object, q.object);
                    self.pending.push((p.object, q.object));
                }
            }
            let are_same = matches!((cell.value, value), (Value::Ptr(p), Value::Ptr(q))
                if (p.end, p.offset) == (q.end, q.offset));
            if are_same {
                return Some(());
            }
            let key = (cell.value, value);
            match self.known(key) {
                Some(value) => value,
                None => {
                    let value = moving(self.program, &mut self.joined, (self.old, key.0), (self.new, key.1))?;
                    self.values.push((key, value));
                    value
                }
            }
        } else {
            match (cell.value, value) {
                (p, q) if p.target().is_some() || q.target().is_some() => return None,
                (p, q) if p == q && matches!(p, Value::Word(_) | Value::Function(_)) => return Some(()),
                (p, q)
                    if cell.class == Class::Ptr
                        && matches!((p, q), (Value::Word(_), _) | (_, Value::Word(_))) =>
                {
                    return None;
                }
                (p, q) => self.number(cell.class, self.is_signed(a, at), p, q),
            }
        };
        if let Some(cell) = self.joined.object_mut(a).cells.get_mut(&at) {
            cell.value = joined;
        }
        Some(())
    }

    fn known(&self, key: (Value, Value)) -> Option<Value> {
        self.values.iter().find(|(other, _)| *other == key).map(|known| known.1)
    }

    /// Returns whether an integer has a sign, as far as types say.
    fn is_signed(&self, id: ObjectId, at: u64) -> bool {
        let ty = self.types.get(&id).copied().or(self.old.object(id).seen_as);
        let ty = ty.and_then(|ty| scalar_at(self.program, ty, at));
        ty.is_none_or(|ty| !matches!(self.program.types.get(ty), Type::Int { signed: false, .. }))
    }

    /// A value that has both of two numbers.
    fn number(&mut self, class: Class, signed: bool, p: Value, q: Value) -> Value {
        if p == q && matches!(p, Value::Word(_)) {
            return p;
        }
        let is_each = matches!(p, Value::Each(_)) || matches!(q, Value::Each(_));
        if let (false, Some(value)) = (is_each, self.known((p, q))) {
            return value;
        }
        let states = [(self.old, p), (self.new, q)];
        let range = widened(self.program, (class, signed), states, &self.constants);
        if is_each {
            return Value::Each(range);
        }
        let value = self.joined.unknown(Known { class, range, signed });
        self.values.push(((p, q), value));
        value
    }

    /// Joins what is known at offsets that are no numbers, or that differ.
    fn marks(&mut self, a: ObjectId, x: &Object, y: &Object) {
        let mut marks = Vec::new();
        let mut taken = Vec::new();
        for (at, cell) in moving_marks(x, y) {
            let others = moving_marks(y, x).into_iter().enumerate();
            let mut fits = others.filter(|(i, (_, other))| {
                !taken.contains(i)
                    && (other.size, other.class) == (cell.size, cell.class)
                    && (other.value == cell.value || !matches!(cell.value, Value::Word(_)) && !matches!(other.value, Value::Word(_)))
            });
            let Some((i, (other_at, other))) = fits.next() else { continue };
            taken.push(i);
            let class = Class::Int(self.program.machine.pointer_width);
            let Value::Unknown(offset) = self.number(class, true, at, other_at) else { continue };
            let value = self.number(cell.class, true, cell.value, other.value);
            if !matches!(value, Value::Each(_)) {
                marks.push(Mark { at: offset, cell: Cell { value, ..cell } });
            }
            if marks.len() == MOST_MOVING_MARKS {
                break;
            }
        }
        self.joined.object_mut(a).marks = marks;
    }
}

/// The marks of an object, and zeros in cells that another object does not have there.
fn moving_marks(object: &Object, other: &Object) -> Vec<(Value, Cell)> {
    let marks = object.marks.iter().map(|mark| (Value::Unknown(mark.at), mark.cell));
    let cells = object.cells.iter().filter(|(at, cell)| {
        cell.value == Value::Word(0)
            && matches!(cell.class, Class::Int(8..=64))
            && other.scalar(**at, cell.size, cell.class) != Some(Value::Word(0))
    });
    marks.chain(cells.map(|(&at, &cell)| (Value::Word(at), cell))).collect()
}

/// Numbers that variables have, and some that many have.
fn constants(state: &State) -> BTreeSet<i128> {
    let cells = state.objects.values().flat_map(|object| object.cells.values());
    let numbers = cells.filter_map(|cell| match (cell.class, cell.value) {
        (Class::Int(8..), Value::Word(bits)) if bits < MOST_CONSTANT => Some(bits.into()),
        _ => None,
    });
    numbers.chain([-1, 0]).collect()
}

/// The types of variables.
fn types(program: &Program, state: &State) -> BTreeMap<ObjectId, TypeId> {
    let of_frames = state.frames.iter().flat_map(|frame| &frame.locals);
    let variables = state.statics.iter().chain(of_frames);
    variables.map(|(&symbol, &object)| (object, program.symbols[symbol].ty)).collect()
}

/// The type of the scalar at an offset in a type.
fn scalar_at(program: &Program, mut ty: TypeId, mut at: u64) -> Option<TypeId> {
    loop {
        match *program.types.get(ty) {
            Type::Array(element, _) => {
                let size = program.types.size_of(element, &program.machine)?;
                (ty, at) = (element, at.checked_rem(size)?);
            }
            Type::Struct(id) => {
                let mut fields = program.types.structs[id].fields.iter();
                let field = fields.rfind(|field| field.offset <= at)?;
                (ty, at) = (field.ty, at - field.offset);
            }
            _ => return (at == 0).then_some(ty),
        }
    }
}

/// A pointer that moves through an object without pointers, such as an array.
fn moving(
    program: &Program,
    joined: &mut State,
    (old, p): (&State, Value),
    (new, q): (&State, Value),
) -> Option<Value> {
    let ((id, x), (_, y)) = (old.offsets(program, p)?, new.offsets(program, q)?);
    let object = old.object(id);
    let size = i128::from(object.size);
    if object.of.is_some() || object.targets().next().is_some() {
        return None;
    }
    let word = Word { signed: true, width: program.machine.pointer_width };
    // Who moves through an object comes to its ends.
    let ends = [-1, 0, size];
    let ends = if object.length.is_some() { &ends[..2] } else { &ends[..] };
    let offsets = x.widen(x.join(y), ends, word.all());
    Some(joined.inside(program, id, offsets))
}

/// A range that has both, and room for more.
fn widened(
    program: &Program,
    (class, signed): (Class, bool),
    [(old, p), (new, q)]: [(&State, Value); 2],
    constants: &[i128],
) -> Option<Wrapped> {
    let word = class.word(program)?;
    let (x, y) = (old.range(program, class, p)?, new.range(program, class, q)?);
    if y.is_within(word, x) {
        return Some(x);
    }
    let word = Word { signed: signed && class != Class::Ptr && word.width > 1, ..word };
    Some(x.widen(word, y, constants))
}


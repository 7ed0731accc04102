//! Objects whose length is not a number, and contents at offsets that are none.
//!
//! The length of an object may be an unknown; then [`Object::size`] bytes of it surely exist. Of a few scalars at offsets that
//! are unknowns it is remembered what they are ([`Mark`]), such as the zero at the end of a text. Who reads where such a scalar
//! may be has to say whether it is there: the state is replaced by its cases. A byte that is read is remembered, too: who asks
//! again gets the same.

use super::graph::{Cell, Class, Known, Object, ObjectId, State, UnknownId, Value};
use super::linear::Linear;
use vergo_analysis::interval::{Truth, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;

/// More marks than this are not kept in an object.
const MOST_MARKS: usize = 3;

/// An integer at an offset that is an unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The offset, a word as wide as pointers.
    pub at: UnknownId,
    /// What is there.
    pub cell: Cell,
}

impl Object {
    /// Returns whether an unknown is its length, or has to do with a mark.
    pub(super) fn uses(&self, id: UnknownId) -> bool {
        self.length == Some(id) || self.marks.iter().any(|mark| mark.at == id)
    }

    /// The unknowns that its length and its marks are.
    pub fn measures(&self) -> impl Iterator<Item = UnknownId> + '_ {
        let of_marks = self.marks.iter().flat_map(|mark| {
            let value = match mark.cell.value {
                Value::Unknown(id) => Some(id),
                _ => None,
            };
            std::iter::once(mark.at).chain(value)
        });
        self.length.into_iter().chain(of_marks)
    }

    /// Writes another value for an unknown in the length and in offsets of marks.
    pub(super) fn replace(&mut self, id: UnknownId, by: Value) {
        if self.length == Some(id) {
            match by {
                Value::Word(bits) => {
                    self.length = None;
                    self.size = self.size.max(bits);
                }
                Value::Unknown(other) => self.length = Some(other),
                _ => {}
            }
        }
        if let Value::Unknown(at) = by {
            self.marks.iter_mut().filter(|mark| mark.at == id).for_each(|mark| mark.at = at);
        }
    }
}

impl State {
    /// The length of an object that is no list.
    pub fn length(&self, id: ObjectId) -> Linear {
        let object = self.object(id);
        match object.length {
            Some(length) => self.sum(length),
            None => Linear::constant(object.size.into()),
        }
    }

    /// Returns whether bytes are certainly all in an object.
    pub(super) fn is_inside(&self, id: ObjectId, at: &Linear, size: &Linear) -> bool {
        let behind = self.length(id).plus(at, -1).and_then(|rest| rest.plus(size, -1));
        self.entails(at) && behind.is_some_and(|rest| self.entails(&rest))
    }

    /// Returns whether bytes are certainly all in front of other ones.
    fn is_before(&self, at: &Linear, size: &Linear, other: &Linear) -> bool {
        let rest = other.plus(at, -1).and_then(|rest| rest.plus(size, -1));
        rest.is_some_and(|rest| self.entails(&rest))
    }

    /// Forgets the marks that some bytes may be part of; without an offset, all.
    pub(super) fn unmark(&mut self, id: ObjectId, at: Option<&Linear>, size: &Linear) {
        let marks = &self.object(id).marks;
        if marks.is_empty() {
            return;
        }
        let is_apart = |mark: &Mark| {
            let (other, width) = (self.sum(mark.at), Linear::constant(mark.cell.size.into()));
            at.is_some_and(|at| {
                self.is_before(at, size, &other) || self.is_before(&other, &width, at)
            })
        };
        let kept: Vec<Mark> = marks.iter().copied().filter(is_apart).collect();
        self.object_mut(id).marks = kept;
    }

    /// Remembers what was written. Nothing else is remembered of these bytes.
    pub(super) fn mark(&mut self, id: ObjectId, at: &Linear, cell: Cell, width: u32) {
        let is_integer = matches!(cell.class, Class::Int(8..=64))
            && matches!(cell.value, Value::Word(_) | Value::Unknown(_));
        let object = self.object(id);
        let size = Linear::constant(cell.size.into());
        if !is_integer
            || cell.size == 0
            || object.chain.is_some()
            || object.of.is_some()
            || !self.is_inside(id, at, &size)
        {
            return;
        }
        let word = Word { signed: true, width };
        let offset = match at.number() {
            Some(number) => {
                let known = Known::integer(word, Wrapped::constant(word, number));
                let offset = self.unknown(known);
                if let Value::Unknown(id) = offset {
                    self.set_form(id, at);
                }
                offset
            }
            None => self.of_sum(word, at, Wrapped::all(word)),
        };
        let Value::Unknown(offset) = offset else { return };
        let object = self.object_mut(id);
        object.marks.push(Mark { at: offset, cell });
        if object.marks.len() > MOST_MARKS {
            // Ends of texts are worth more than other numbers.
            let least = object.marks.iter().position(|mark| mark.cell.value != Value::Word(0));
            object.marks.remove(least.unwrap_or(0));
        }
    }

    /// The offsets at which a byte is known to be zero.
    pub(super) fn zeros(&self, id: ObjectId) -> Vec<Linear> {
        let object = self.object(id);
        let is_zero = |cell: &Cell| (cell.size, cell.value) == (1, Value::Word(0));
        let marks = object.marks.iter().filter(|mark| is_zero(&mark.cell));
        let cells = object.cells.iter().filter(|(_, cell)| is_zero(cell));
        let cells = cells.map(|(&at, _)| Linear::constant(at.into()));
        marks.map(|mark| self.sum(mark.at)).chain(cells).collect()
    }

    /// The value of a scalar of which a mark says it.
    ///
    /// # Errors
    /// Returns how far behind a mark it is, and the size of the mark, where that has to be known.
    pub(super) fn marked(
        &self,
        id: ObjectId,
        at: &Linear,
        size: u64,
        class: Class,
    ) -> Result<Option<Value>, (Linear, u64)> {
        let width = Linear::constant(size.into());
        for mark in &self.object(id).marks {
            let cell = mark.cell;
            if (cell.size, cell.class) != (size, class) {
                continue;
            }
            let other = self.sum(mark.at);
            let Some(distance) = at.plus(&other, -1) else { continue };
            match self.is_zero(&distance) {
                Truth::True => return Ok(Some(cell.value)),
                Truth::False => {}
                Truth::Maybe => {
                    let is_apart =
                        self.is_before(at, &width, &other) || self.is_before(&other, &width, at);
                    if !is_apart && matches!(cell.value, Value::Word(_)) {
                        return Err((distance, size));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The cases of a distance: so much in front, the same, so much behind, and in between. Together they are all.
    pub(super) fn by_distance(&self, distance: &Linear, size: u64) -> Vec<State> {
        let size = i128::from(size);
        let opposite = distance.times(-1);
        let in_front = opposite.as_ref().and_then(|sum| sum.more(-size));
        let behind = distance.more(-size);
        let between = |sum: &Linear| Some((sum.more(-1)?, sum.times(-1)?.more(size - 1)?));
        let (Some(opposite), Some(in_front), Some(behind)) = (opposite, in_front, behind) else {
            return vec![self.clone()];
        };
        let mut cases = Vec::new();
        let mut case = |facts: &[&Linear], zero: bool| {
            let mut state = self.clone();
            let holds = !zero || state.assume_zero(distance);
            if holds && facts.iter().all(|fact| state.assume_not_negative(fact)) {
                cases.push(state);
            }
        };
        case(&[&in_front], false);
        case(&[], true);
        case(&[&behind], false);
        if size > 1 {
            for sum in [distance, &opposite] {
                match between(sum) {
                    Some((least, most)) => case(&[&least, &most], false),
                    None => case(&[], false),
                }
            }
        }
        cases
    }
}

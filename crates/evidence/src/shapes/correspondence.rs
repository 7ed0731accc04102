//! Whether what a wider state says of numbers holds of their counterparts in a narrower one.
//!
//! Most unknowns of the wider state have a counterpart where they stand in memory. Others have one since they are sums of such,
//! or since such are multiples of them; those that are offsets of marks alone, where the narrower state knows the same scalar.

use super::graph::{Cell, Class, Object, ObjectId, State, UnknownId, Value};
use super::linear::Linear;
use super::marks::Mark;
use std::collections::BTreeMap;
use vergo_analysis::interval::{Truth, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;

/// Unknowns of a wider state with what they are in a narrower one.
pub(super) struct Correspondence<'a> {
    pub(super) wider: &'a State,
    pub(super) narrower: &'a State,
    /// The counterparts of those that stand in memory.
    pub(super) values: &'a BTreeMap<UnknownId, Value>,
    /// The counterparts of objects.
    pub(super) objects: Vec<(ObjectId, ObjectId)>,
}

type Images = BTreeMap<UnknownId, Linear>;

impl Correspondence<'_> {
    /// Returns whether all that the wider state says of numbers holds.
    pub(super) fn holds(&self) -> bool {
        let mut marks = Vec::new();
        for &(wide, narrow) in &self.objects {
            marks.extend(self.wider.object(wide).marks.iter().map(|&mark| (narrow, mark)));
        }
        if marks.is_empty() && self.wider.relations.is_empty() {
            return true;
        }
        let mut images = Images::new();
        for (id, &value) in self.values {
            let word = self.wider.unknowns.get(id).and_then(|known| known.reading());
            if let Some(form) = word.and_then(|word| self.narrower.form(value, word)) {
                images.insert(*id, form);
            }
        }
        self.derive(&mut images);
        self.holds_with(images, &marks)
    }

    /// Adds the counterparts that follow from others.
    fn derive(&self, images: &mut Images) {
        loop {
            let mut found = None;
            for (&id, form) in &self.wider.relations.forms {
                let open: Vec<(UnknownId, i128)> = form
                    .terms()
                    .iter()
                    .copied()
                    .filter(|(id, _)| !images.contains_key(id))
                    .collect();
                match (images.get(&id), &open[..]) {
                    (None, []) => found = self.image(images, form).map(|image| (id, image)),
                    (Some(whole), &[(part, factor)]) => {
                        let rest = form.plus(&Linear::unknown(part), -factor);
                        let rest = rest.and_then(|rest| self.image(images, &rest));
                        let multiple = rest.and_then(|rest| whole.plus(&rest, -1));
                        let image = multiple.and_then(|sum| sum.divided(factor));
                        found = image.map(|image| (part, image));
                    }
                    _ => {}
                }
                if found.is_some() {
                    break;
                }
            }
            match found {
                Some((id, image)) => images.insert(id, image),
                None => return,
            };
        }
    }

    /// A sum of the wider state in terms of the narrower one.
    fn image(&self, images: &Images, sum: &Linear) -> Option<Linear> {
        let mut image = Linear::constant(sum.offset());
        for (id, factor) in sum.terms() {
            image = image.plus(images.get(id)?, *factor)?;
        }
        Some(image)
    }

    /// Finds the marks one by one, and then checks all statements.
    fn holds_with(&self, images: Images, marks: &[(ObjectId, Mark)]) -> bool {
        let Some((&(object, mark), rest)) = marks.split_first() else {
            return self.statements(&images);
        };
        let known = images.get(&mark.at);
        for (at, value) in scalars(self.narrower, object, mark.cell) {
            let is_there = known.is_none_or(|known| {
                at.plus(known, -1).is_some_and(|rest| self.narrower.is_zero(&rest) == Truth::True)
            });
            if !is_there {
                continue;
            }
            let mut images = images.clone();
            if images.insert(mark.at, at).is_none() {
                self.derive(&mut images);
            }
            if self.value(&mut images, mark.cell.value, value) && self.holds_with(images, rest) {
                return true;
            }
        }
        false
    }

    /// Returns whether a scalar is one that the wider state allows there.
    fn value(&self, images: &mut Images, wide: Value, narrow: Value) -> bool {
        let Value::Unknown(id) = wide else { return wide == narrow };
        if let Some(known) = self.values.get(&id) {
            return *known == narrow;
        }
        let word = self.wider.unknowns.get(&id).and_then(|known| known.reading());
        let Some(form) = word.and_then(|word| self.narrower.form(narrow, word)) else {
            return false;
        };
        match images.get(&id) {
            Some(known) => *known == form,
            None => {
                images.insert(id, form);
                true
            }
        }
    }

    /// Returns whether ranges, sums and facts are as the wider state says.
    fn statements(&self, images: &Images) -> bool {
        for (id, image) in images {
            let Some(known) = self.wider.unknowns.get(id) else { return false };
            let Some(range) = known.range.filter(|_| !self.values.contains_key(id)) else {
                continue;
            };
            let Some(word) = known.reading() else { return false };
            if Wrapped::of(word, range.hull(word)) != range {
                return false;
            }
            let bounds = range.hull(word);
            let below = image.times(-1).and_then(|image| image.more(bounds.high));
            let above = image.more(-bounds.low);
            if ![below, above].into_iter().all(|fact| self.entails(fact)) {
                return false;
            }
        }
        let relations = &self.wider.relations;
        let is_form = |(id, form): (&UnknownId, &Linear)| {
            let image = self.image(images, form);
            let rest = images.get(id).zip(image).and_then(|(whole, image)| whole.plus(&image, -1));
            rest.is_some_and(|rest| self.narrower.is_zero(&rest) == Truth::True)
        };
        relations.forms.iter().all(is_form)
            && relations.facts.iter().all(|fact| self.entails(self.image(images, fact)))
    }

    fn entails(&self, sum: Option<Linear>) -> bool {
        sum.is_some_and(|sum| self.narrower.entails(&sum))
    }
}

/// The scalars of a kind that are known in an object, with their offsets.
fn scalars(state: &State, id: ObjectId, like: Cell) -> Vec<(Linear, Value)> {
    let object: &Object = state.object(id);
    let is_alike = |cell: &Cell| (cell.size, cell.class) == (like.size, like.class);
    let marks = object.marks.iter().filter(|mark| is_alike(&mark.cell));
    let cells = object.cells.iter().filter(|(_, cell)| is_alike(cell));
    let cells = cells.map(|(&at, cell)| (Linear::constant(at.into()), cell.value));
    marks.map(|mark| (state.sum(mark.at), mark.cell.value)).chain(cells).collect()
}

/// Checks what a state says of numbers for its form alone.
///
/// # Errors
/// Returns the flaw in it.
pub(super) fn check(state: &State, width: u32) -> Result<(), String> {
    if state.relations.unknowns().any(|id| !state.unknowns.contains_key(&id)) {
        return Err("a relation of what is not there".to_owned());
    }
    let is_offset = |id: UnknownId, signed: bool| {
        let reading = state.unknowns.get(&id).and_then(|known| known.reading());
        reading.is_some_and(|word| {
            word == Word { signed, width } || word == Word { signed: !signed, width }
        })
    };
    for object in state.objects.values() {
        let is_plain = object.chain.is_none() && object.of.is_none();
        if !is_plain && (object.length.is_some() || !object.marks.is_empty()) {
            return Err("a node of a length that is not known".to_owned());
        }
        if let Some(length) = object.length {
            let size = Linear::constant(object.size.into());
            let rest = state.sum(length).plus(&size, -1);
            if !is_offset(length, false) || !rest.is_some_and(|rest| state.entails(&rest)) {
                return Err("an object is shorter than it is".to_owned());
            }
        }
        for mark in &object.marks {
            let cell = mark.cell;
            let holds = match (cell.class, cell.value) {
                (Class::Int(width @ 8..=64), Value::Word(bits)) => {
                    width == 64 || bits >> width == 0
                }
                (Class::Int(8..=64), Value::Unknown(id)) => {
                    state.unknowns.get(&id).is_some_and(|known| known.class == cell.class)
                }
                _ => false,
            };
            if !holds || cell.size == 0 || !is_offset(mark.at, true) {
                return Err("a mark is none".to_owned());
            }
        }
    }
    Ok(())
}

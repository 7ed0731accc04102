//! Relations between the unknown numbers of a state.
//!
//! An unknown may be a sum of others ([`Relations::forms`]), and of sums it may be known that they are not negative
//! ([`Relations::facts`]). A sum is one of integers, without wrap-around: the result of an operation is written as one only where
//! it is shown that nothing wraps around. Each statement holds in every memory that the state stands for, together with
//! the ranges. An unknown that stands nowhere in memory may occur in statements: then there is such a number.

use super::graph::{Class, End, Known, Pointer, State, UnknownId, Value};
use super::linear::{Linear, contradict, projected};
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use vergo_analysis::interval::{Interval, Truth, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;

/// More facts than this are not kept.
const MOST_FACTS: usize = 48;

/// What is known of several unknowns together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Relations {
    /// Unknowns that are sums of others.
    pub forms: BTreeMap<UnknownId, Linear>,
    /// Sums that are not negative.
    pub facts: Vec<Linear>,
}

impl Relations {
    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty() && self.facts.is_empty()
    }

    /// The unknowns that statements are about.
    pub(super) fn unknowns(&self) -> impl Iterator<Item = UnknownId> + '_ {
        let forms = self.forms.iter().flat_map(|(&id, form)| {
            std::iter::once(id).chain(form.terms().iter().map(|term| term.0))
        });
        forms.chain(self.facts.iter().flat_map(|fact| fact.terms().iter().map(|term| term.0)))
    }
}

impl Known {
    /// The word as which the integer is read; `None` if it is none.
    pub fn reading(self) -> Option<Word> {
        match self.class {
            Class::Int(width @ 8..=64) => Some(Word { signed: self.signed, width }),
            _ => None,
        }
    }
}

impl State {
    /// The bounds of an unknown that is an integer.
    fn bounds(&self, id: UnknownId) -> Option<Interval> {
        let known = self.unknowns.get(&id)?;
        Some(known.range?.hull(known.reading()?))
    }

    /// The sum that an unknown is.
    pub(super) fn sum(&self, id: UnknownId) -> Linear {
        self.relations.forms.get(&id).cloned().unwrap_or_else(|| Linear::unknown(id))
    }

    /// The integer that a word has as its value, as a sum; `None` if it is not known to be one.
    pub fn form(&self, value: Value, word: Word) -> Option<Linear> {
        match value {
            Value::Word(bits) => {
                let value = i128::from(bits);
                let is_negative = word.signed && value > word.all().high;
                Some(Linear::constant(if is_negative { value - (1 << word.width) } else { value }))
            }
            Value::Unknown(id) => {
                let known = self.unknowns.get(&id)?;
                let reading = known.reading()?;
                let signed = Word { signed: true, ..reading };
                let sum = self.sum(id);
                let agree = reading.signed == word.signed
                    || known.range.is_some_and(|range| range.hull(signed).low >= 0)
                    || reading.signed && self.entails(&sum)
                    || word.signed
                        && sum
                            .times(-1)
                            .and_then(|sum| sum.more(word.all().high))
                            .is_some_and(|rest| self.entails(&rest));
                (reading.width == word.width && agree).then_some(sum)
            }
            Value::Ptr(_) | Value::Inside(..) | Value::Function(_) | Value::Each(_) => None,
        }
    }

    /// A sum in which no unknown is a sum of others.
    fn expanded(&self, sum: &Linear) -> Option<Linear> {
        let mut expanded = Linear::constant(sum.offset());
        for &(id, factor) in sum.terms() {
            expanded = expanded.plus(&self.sum(id), factor)?;
        }
        Some(expanded)
    }

    /// Notes that an unknown of which nothing else is said is a sum.
    pub fn set_form(&mut self, id: UnknownId, form: &Linear) {
        if let Some(form) = self.expanded(form) {
            Rc::make_mut(&mut self.relations).forms.insert(id, form);
        }
    }

    /// The sum that a value of more than 64 bits is.
    pub(super) fn wide_sum(&self, value: Value) -> Option<Linear> {
        match value {
            Value::Word(bits) => Some(Linear::constant(bits.into())),
            Value::Unknown(id) => match self.unknowns.get(&id)?.class {
                Class::Int(65..) => self.relations.forms.get(&id).cloned(),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value of more than 64 bits that is a sum, if that is shown to be one of the type.
    pub(super) fn of_wide(&mut self, signed: bool, width: u32, sum: &Linear) -> Option<Value> {
        let extent = self.extent(sum)?;
        let limit = 1i128 << (width - 1).min(126);
        if extent.low <= -limit || extent.high >= limit || !signed && !self.entails(sum) {
            return None;
        }
        if let Some(bits) = sum.number().and_then(|number| u64::try_from(number).ok()) {
            return Some(Value::Word(bits));
        }
        let value = self.unknown(Known { class: Class::Int(width), range: None, signed });
        if let Value::Unknown(id) = value {
            self.set_form(id, sum);
        }
        Some(value)
    }

    /// Bounds of a sum, by those of its unknowns.
    pub(super) fn extent(&self, sum: &Linear) -> Option<Interval> {
        let mut extent = Interval::constant(sum.offset());
        for &(id, factor) in sum.terms() {
            extent = extent.add(self.bounds(id)?.mul(Interval::constant(factor))?)?;
        }
        Some(extent)
    }

    /// The facts that have to do with sums, by way of others, with the bounds of their unknowns.
    fn facts_about(&self, sums: &[&Linear]) -> Vec<Linear> {
        let mut ids: BTreeSet<UnknownId> = BTreeSet::new();
        ids.extend(sums.iter().flat_map(|sum| sum.terms()).map(|term| term.0));
        let mut found = Vec::new();
        let mut left: Vec<&Linear> = self.relations.facts.iter().collect();
        loop {
            let (near, far): (Vec<&Linear>, Vec<&Linear>) =
                left.into_iter().partition(|fact| fact.terms().iter().any(|t| ids.contains(&t.0)));
            if near.is_empty() {
                break;
            }
            ids.extend(near.iter().flat_map(|fact| fact.terms()).map(|term| term.0));
            found.extend(near.into_iter().cloned());
            left = far;
        }
        found.extend(ids.into_iter().flat_map(|id| self.bound_facts(id)));
        found
    }

    /// The bounds of an unknown, as facts.
    pub fn bound_facts(&self, id: UnknownId) -> Vec<Linear> {
        let Some(bounds) = self.bounds(id) else { return Vec::new() };
        let sum = Linear::unknown(id);
        let facts = [sum.more(-bounds.low), sum.times(-1).and_then(|sum| sum.more(bounds.high))];
        facts.into_iter().flatten().collect()
    }

    /// Returns whether a sum is certainly not negative.
    pub fn entails(&self, sum: &Linear) -> bool {
        if let Some(number) = sum.number() {
            return number >= 0;
        }
        match self.extent(sum) {
            Some(extent) if extent.low >= 0 => return true,
            Some(extent) if extent.high < 0 && self.relations.facts.is_empty() => return false,
            _ => {}
        }
        let is_near = |fact: &Linear| fact.terms().iter().any(|&(id, _)| sum.coefficient(id) != 0);
        if !self.relations.facts.iter().any(is_near) {
            return false;
        }
        let Some(negated) = sum.times(-1).and_then(|sum| sum.more(-1)) else { return false };
        let facts = self.facts_about(&[sum]);
        contradict(facts.into_iter().chain([negated]))
    }

    /// Decides whether a sum is not negative.
    pub(super) fn is_not_negative(&self, sum: &Linear) -> Truth {
        if self.entails(sum) {
            return Truth::True;
        }
        match sum.times(-1).and_then(|sum| sum.more(-1)) {
            Some(opposite) if self.entails(&opposite) => Truth::False,
            _ => Truth::Maybe,
        }
    }

    /// Decides whether a sum is zero.
    pub(super) fn is_zero(&self, sum: &Linear) -> Truth {
        let divisor = sum.divisor();
        if divisor != 0 && sum.offset() % divisor != 0 {
            return Truth::False;
        }
        let opposite = sum.times(-1);
        match (self.is_not_negative(sum), opposite.map(|sum| self.is_not_negative(&sum))) {
            (Truth::True, Some(Truth::True)) => Truth::True,
            (Truth::False, _) | (_, Some(Truth::False)) => Truth::False,
            _ => Truth::Maybe,
        }
    }

    /// Returns whether a sum is certainly a value of a word.
    pub(super) fn fits(&self, sum: &Linear, word: Word) -> bool {
        let all = word.all();
        let behind = sum.times(-1).and_then(|sum| sum.more(all.high));
        let before = sum.more(-all.low);
        before.is_some_and(|sum| self.entails(&sum)) && behind.is_some_and(|sum| self.entails(&sum))
    }

    /// Assumes that a sum is not negative; returns false if it is.
    pub(super) fn assume_not_negative(&mut self, sum: &Linear) -> bool {
        match self.is_not_negative(sum) {
            Truth::True => return true,
            Truth::False => return false,
            Truth::Maybe => {}
        }
        if let [(id, factor)] = *sum.terms() {
            // At least, or at most, a number.
            let bound = |by: i128| {
                (-sum.offset()).div_euclid(by) + i128::from((-sum.offset()).rem_euclid(by) != 0)
            };
            let range = match self.bounds(id) {
                Some(all) if factor > 0 => Interval::new(bound(factor).max(all.low), all.high),
                Some(all) => Interval::new(all.low, sum.offset().div_euclid(-factor).min(all.high)),
                None => None,
            };
            let reading = self.unknowns.get(&id).and_then(|known| known.reading());
            if let (Some(range), Some(word)) = (range, reading)
                && !self.limit(id, word, Wrapped::of(word, range))
            {
                return false;
            }
            if self.entails(sum) {
                return true;
            }
        }
        if self.relations.facts.len() < MOST_FACTS {
            Rc::make_mut(&mut self.relations).facts.push(sum.clone());
        }
        true
    }

    /// Assumes that a sum is zero; returns false if it is not.
    pub(super) fn assume_zero(&mut self, sum: &Linear) -> bool {
        if let Some(number) = sum.number() {
            return number == 0;
        }
        match self.is_zero(sum) {
            Truth::False => return false,
            Truth::True | Truth::Maybe => {}
        }
        let Some(sum) = sum.divided(sum.divisor()) else { return true };
        let unit = sum.terms().iter().rev().find(|term| term.1.abs() == 1);
        if let Some(&(id, factor)) = unit
            && let Some(form) = sum.times(-factor).and_then(|sum| sum.plus(&Linear::unknown(id), 1))
        {
            return self.define(id, &form);
        }
        let opposite = sum.times(-1);
        self.assume_not_negative(&sum)
            && opposite.is_none_or(|opposite| self.assume_not_negative(&opposite))
    }

    /// An unknown that is no sum of others is one; returns false if it cannot be.
    pub(super) fn define(&mut self, id: UnknownId, form: &Linear) -> bool {
        let bounds = self.bound_facts(id);
        if !self.substitute(id, form) {
            return false;
        }
        for bound in bounds {
            if let Some(fact) = bound.with(id, &self.sum(id))
                && !self.assume_not_negative(&fact)
            {
                return false;
            }
        }
        true
    }

    /// Writes a sum for an unknown in all statements; returns false if they contradict each other then.
    fn substitute(&mut self, id: UnknownId, value: &Linear) -> bool {
        let relations = Rc::make_mut(&mut self.relations);
        let forms = std::mem::take(&mut relations.forms).into_iter();
        relations.forms =
            forms.filter_map(|(other, form)| Some((other, form.with(id, value)?))).collect();
        relations.forms.insert(id, value.clone());
        let facts = std::mem::take(&mut relations.facts).into_iter();
        relations.facts = facts.filter_map(|fact| fact.with(id, value)).collect();
        let holds = relations.facts.iter().all(|fact| fact.number().is_none_or(|n| n >= 0));
        relations.facts.retain(|fact| fact.number().is_none());
        let numbers: Vec<(UnknownId, i128)> =
            relations.forms.iter().filter_map(|(&id, form)| Some((id, form.number()?))).collect();
        holds && numbers.into_iter().all(|(id, number)| self.becomes(id, number))
    }

    /// An unknown is a number; returns false if it cannot be.
    fn becomes(&mut self, id: UnknownId, number: i128) -> bool {
        let Some(known) = self.unknowns.get(&id) else { return true };
        let Some(word) = known.reading() else { return true };
        if !word.all().contains(number) || known.range.is_some_and(|r| !r.contains(word, number)) {
            return false;
        }
        self.replace(id, Value::Word(number as u64 & (u64::MAX >> (64 - word.width))));
        true
    }

    /// Restricts a value to a range; returns false if it cannot be in the range.
    pub(super) fn limit(&mut self, id: UnknownId, word: Word, range: Wrapped) -> bool {
        let Some(&known) = self.unknowns.get(&id) else { return true };
        let word = Word { signed: false, ..word };
        let Some(before) = known.range else { return true };
        let Some(both) = before.meet(word, range) else { return false };
        if both == before {
            return true;
        }
        self.unknowns.insert(id, Known { range: Some(both), ..known });
        if let Some(form) = self.relations.forms.get(&id).cloned() {
            // What it is a sum of is restricted, too.
            for bound in self.bound_facts(id) {
                if let Some(fact) = bound.with(id, &form)
                    && !self.assume_not_negative(&fact)
                {
                    return false;
                }
            }
        }
        if let (Class::Int(_), Some(single)) = (known.class, both.single(word)) {
            let number = known.reading().and_then(|reading| both.single(reading));
            let sum = number.and_then(|number| self.sum(id).more(-number));
            if let Some(sum) = sum.filter(|_| !self.relations.is_empty())
                && !self.assume_zero(&sum)
            {
                return false;
            }
            self.replace(id, Value::Word(single as u64));
        }
        true
    }

    /// Writes another value for an unknown wherever it stands in memory.
    pub(super) fn replace(&mut self, id: UnknownId, by: Value) {
        let number = match (by, self.unknowns.get(&id).map(|known| known.class)) {
            (Value::Word(bits), Some(Class::Int(width @ 1..=64))) => {
                Some((bits << (64 - width)) as i64 >> (64 - width))
            }
            _ => None,
        };
        self.map_values(|value| match value {
            Value::Unknown(other) if other == id => by,
            Value::Inside(object, at) if at == id => match (by, number) {
                (Value::Unknown(at), _) => Value::Inside(object, at),
                (_, Some(offset)) => Value::Ptr(Pointer { object, end: End::First, offset }),
                _ => value,
            },
            value => value,
        });
        let ids: Vec<_> =
            self.objects.iter().filter(|(_, object)| object.uses(id)).map(|(&id, _)| id).collect();
        for object in ids {
            self.object_mut(object).replace(id, by);
        }
    }

    /// A value that is a sum.
    pub(super) fn of_sum(&mut self, word: Word, sum: &Linear, range: Wrapped) -> Value {
        let class = Class::Int(word.width);
        let range = match self.extent(sum).and_then(|extent| extent.meet(word.all())) {
            Some(extent) => range.meet(word, Wrapped::of(word, extent)).unwrap_or(range),
            None => range,
        };
        if let Some(number) = sum.number() {
            return Value::Word(number as u64 & (u64::MAX >> (64 - word.width)));
        }
        if range.single(word).is_some() {
            return self.ranged(class, word, range);
        }
        // It may have a name already.
        let is_it = |&id: &UnknownId| {
            self.unknowns.get(&id).is_some_and(|known| known.reading() == Some(word))
        };
        let named = self.relations.forms.iter().find(|(id, form)| *form == sum && is_it(id));
        let named = named.map(|(&id, _)| id).or_else(|| sum.only().filter(is_it));
        if let Some(id) = named {
            return Value::Unknown(id);
        }
        let value = self.unknown(Known::integer(word, range));
        if let Value::Unknown(id) = value {
            self.set_form(id, sum);
        }
        value
    }

    /// Keeps statements about some unknowns only, and what others say of these.
    pub(super) fn keep_relations(&mut self, used: &BTreeSet<UnknownId>) {
        if self.relations.is_empty() {
            return;
        }
        self.rename_unused(used);
        let relations = Rc::make_mut(&mut self.relations);
        relations.forms.retain(|id, _| used.contains(id));
        // Of an unknown that others are multiples of something is known.
        let mut kept = used.clone();
        let forms = std::mem::take(&mut relations.forms);
        let mut open = Vec::new();
        for (id, form) in forms {
            let unused: Vec<UnknownId> =
                form.terms().iter().map(|term| term.0).filter(|id| !used.contains(id)).collect();
            if unused.len() > 1 {
                let rest = form.plus(&Linear::unknown(id), -1);
                open.extend(rest.iter().filter_map(|sum| sum.times(-1)));
                open.extend(rest);
            } else {
                kept.extend(unused);
                relations.forms.insert(id, form);
            }
        }
        relations.facts.extend(open);
        let facts = std::mem::take(&mut relations.facts);
        let mentions = |fact: &Linear, is: &dyn Fn(&UnknownId) -> bool| {
            fact.terms().iter().any(|(id, _)| is(id))
        };
        let (mut gone, mut facts): (Vec<Linear>, Vec<Linear>) =
            facts.into_iter().partition(|fact| mentions(fact, &|id| !kept.contains(id)));
        let mut left: BTreeSet<UnknownId> =
            gone.iter().flat_map(|fact| fact.terms()).map(|t| t.0).collect();
        left.retain(|id| !kept.contains(id));
        gone.extend(left.into_iter().flat_map(|id| self.bound_facts(id)));
        facts.extend(projected(gone, &kept));
        for id in kept.difference(used) {
            facts.extend(self.bound_facts(*id));
        }
        for id in kept.difference(used) {
            if let Some(known) = self.unknowns.get_mut(id) {
                *known = Known { class: Class::Other, range: None, signed: true };
            }
        }
        self.set_facts(facts);
    }

    /// Unknowns that stand nowhere are said by those that do.
    fn rename_unused(&mut self, used: &BTreeSet<UnknownId>) {
        loop {
            let forms = self.relations.forms.iter().filter(|(id, _)| used.contains(id));
            let found = forms.into_iter().find_map(|(&id, form)| {
                let unit =
                    form.terms().iter().find(|term| term.1.abs() == 1 && !used.contains(&term.0));
                unit.map(|&(unused, factor)| (id, form.clone(), unused, factor))
            });
            let Some((id, form, unused, factor)) = found else { return };
            // `id = factor * unused + rest`, so `unused = factor * (id - rest)`.
            let other = form
                .plus(&Linear::unknown(unused), -factor)
                .and_then(|rest| Linear::unknown(id).plus(&rest, -1))
                .and_then(|sum| sum.times(factor));
            let relations = Rc::make_mut(&mut self.relations);
            relations.forms.remove(&id);
            if let Some(other) = other {
                let bounds = self.bound_facts(unused);
                self.substitute(unused, &other);
                let bounds = bounds.iter().filter_map(|fact| fact.with(unused, &other));
                Rc::make_mut(&mut self.relations).facts.extend(bounds);
            }
            Rc::make_mut(&mut self.relations).forms.remove(&unused);
        }
    }

    /// The facts are these, without those that others say.
    pub fn set_facts(&mut self, facts: Vec<Linear>) {
        let mut facts: Vec<Linear> = facts.iter().filter_map(|fact| self.expanded(fact)).collect();
        facts.sort_by(|a, b| (a.terms().len(), a).cmp(&(b.terms().len(), b)));
        facts.dedup();
        Rc::make_mut(&mut self.relations).facts = Vec::new();
        for fact in facts {
            if self.relations.facts.len() < MOST_FACTS && !self.entails(&fact) {
                Rc::make_mut(&mut self.relations).facts.push(fact);
            }
        }
    }
}

//! The changes of cells where a thread acquires and releases them.

use super::super::cells::{CellId, GroupId};
use super::super::{Fact, Linear};
use super::{
    Builder, Ghosts, MANY_THREADS, Observed, PROPERTY, Pointed, Purpose, Writer, largest_change,
    width,
};
use crate::race_freedom::contents::Object;
use crate::race_freedom::flow::ClassId;
use std::collections::BTreeSet;
use vergo_goto::expr::{BinaryOp, ExprId};
use vergo_goto::program::{Claim, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

impl Builder<'_> {
    /// The first thread is not alone with a group any more.
    pub(super) fn begin(&mut self, writer: &mut Writer, group: GroupId) {
        for &cell in &self.layout.groups[group].cells {
            let Some(&Ghosts { base, mark, change }) = self.ghosts.get(&cell) else { continue };
            let value = self.number(cell);
            let ty = self.signed(cell);
            let zero = self.program.int(ty, 0);
            for (symbol, value) in [(base, value), (mark, value), (change, zero)] {
                let place = self.program.symbol(symbol);
                writer.out.assign(place, value);
            }
        }
        let counters: Vec<SymbolId> = self
            .counters
            .iter()
            .filter(|((of, _), _)| *of == group)
            .map(|(_, &counter)| counter)
            .collect();
        for counter in counters {
            let place = self.program.symbol(counter);
            let zero = self.program.zero(self.program.symbols[counter].ty);
            writer.out.assign(place, zero);
        }
    }

    /// The value of a cell as a signed integer.
    pub(super) fn number(&mut self, cell: CellId) -> ExprId {
        let ty = self.signed(cell);
        let place = self.layout.place(&mut self.program, cell);
        self.program.cast(ty, place)
    }

    /// A thread takes cells: others may have changed them, but keep to what the proof says.
    pub(super) fn acquire(
        &mut self,
        writer: &mut Writer,
        class: ClassId,
        group: GroupId,
        cells: &BTreeSet<CellId>,
        alone: bool,
    ) {
        if self.purpose == Purpose::Check {
            for &cell in cells {
                self.change(writer, cell);
            }
            for fact in self.invariants {
                if fact.cells().all(|cell| cells.contains(&cell)) {
                    let holds = self.fact(fact);
                    writer.out.assume(holds);
                }
            }
        }
        for &cell in cells {
            let Some(&Ghosts { mark, .. }) = self.ghosts.get(&cell) else { continue };
            if self.purpose == Purpose::Check
                && let Some(known) = self.known_sum(class, group, cell, alone)
            {
                writer.out.assume(known);
            }
            let value = self.number(cell);
            let place = self.program.symbol(mark);
            writer.out.assign(place, value);
        }
    }

    /// Gives a cell any value that it can have. A pointer points to what some instruction stores in the variable, or nowhere:
    /// one of unknown origin would not be one to what the program has.
    pub(super) fn change(&mut self, writer: &mut Writer, cell: CellId) {
        let place = self.layout.place(&mut self.program, cell);
        let ty = self.layout.cells[cell].ty;
        if !self.source.types.has_pointers(ty) {
            let any = self.program.nondet(ty);
            writer.out.assign(place, any);
            return;
        }
        let null = self.program.null(ty);
        writer.out.assign(place, null);
        let done = writer.out.new_label();
        for target in self.targets(cell).unwrap_or_default() {
            let address = match target {
                Pointed::Static(symbol, offset) => {
                    let variable = self.program.symbol(symbol);
                    let address = self.program.address_of(variable);
                    let bytes = self.program.types.int(false, 8);
                    let bytes = self.program.types.ptr(bytes);
                    let start = self.program.cast(bytes, address);
                    let offset = self.program.size(offset);
                    self.program.binary(BinaryOp::PtrAdd, start, offset)
                }
                Pointed::Code(function) => self.program.function(function),
            };
            let address = self.program.cast(ty, address);
            let choice = self.any_truth(writer);
            let other = writer.out.new_label();
            writer.out.goto_if(choice, other);
            writer.out.assign(place, address);
            writer.out.goto(done);
            writer.out.label(other);
        }
        writer.out.label(done);
    }

    /// Where a pointer in a cell can point to; none if it cannot be said.
    pub(super) fn targets(&self, cell: CellId) -> Option<Vec<Pointed>> {
        const MOST: usize = 8;
        let of = &self.layout.cells[cell];
        if !matches!(self.source.types.get(of.ty), Type::Ptr(_)) {
            return None;
        }
        let held = self.facts.contents.get(&Object::Variable(of.symbol)).into_iter().flatten();
        let targets: Option<Vec<Pointed>> = held
            .map(|at| match at.object {
                Object::Variable(symbol)
                    if at.first == at.last
                        && matches!(
                            self.source.symbols[symbol].kind,
                            SymbolKind::Static { thread_local: false, .. }
                        ) =>
                {
                    Some(Pointed::Static(symbol, at.first))
                }
                Object::Code(function) => Some(Pointed::Code(function)),
                _ => None,
            })
            .collect();
        targets.filter(|targets| targets.len() <= MOST)
    }

    /// Any value of a type, for what is not a cell.
    pub(super) fn any(&mut self, ty: TypeId) -> Result<ExprId, String> {
        match self.source.types.has_pointers(ty) {
            true => Err("pointers that threads give each other".into()),
            false => Ok(self.program.nondet(ty)),
        }
    }

    /// Returns the condition on the value of a cell that follows from each thread's changes of it.
    pub(super) fn known_sum(
        &mut self,
        class: ClassId,
        group: GroupId,
        cell: CellId,
        alone: bool,
    ) -> Option<ExprId> {
        let ty = self.signed(cell);
        let Ghosts { base, change, .. } = self.ghosts[&cell];
        // What is known beforehand, and what each thread of a class adds that is counted.
        let (mut least, mut most) = (0, 0);
        let mut counted: Vec<(SymbolId, (i128, i128))> = Vec::new();
        for &other in &self.layout.groups[group].accessors {
            let share = *self.shares.get(&(cell, other))?;
            if class == 0 && other != 0 && self.is_started_by_first(other) {
                let range = if alone { share.ended } else { share.running };
                if range != (0, 0) {
                    counted.push((self.counters[&(group, other)], range));
                }
                continue;
            }
            let number = match (other, self.layout.most_threads[other as usize]) {
                // The own change is counted as it is.
                (0, _) => i128::from(class != 0),
                (_, Some(most)) => i128::from(most) - i128::from(other == class),
                (_, None) if share.running == (0, 0) => 0,
                (_, None) => return None,
            };
            least += number.clamp(0, MANY_THREADS) * share.running.0;
            most += number.clamp(0, MANY_THREADS) * share.running.1;
            if number > MANY_THREADS {
                return None;
            }
        }
        // So many threads that sums are not ambiguous.
        let room = largest_change(self.source, self.layout, cell) - most.max(-least);
        let each: i128 = counted.iter().map(|(_, (least, most))| *most.max(&-least)).sum();
        let limit = if each > 0 { (room / each).min(MANY_THREADS) } else { MANY_THREADS };
        if room < 0 || limit < 1 {
            return None;
        }
        let (mut least, mut most) = (self.program.int(ty, least), self.program.int(ty, most));
        let mut is_counted = self.program.bool(true);
        for (counter, range) in counted {
            let counter = self.program.symbol(counter);
            let limit = self.program.int(self.program.exprs.ty(counter), limit);
            let few = self.program.le(counter, limit);
            is_counted = self.program.and(is_counted, few);
            let number = self.program.cast(ty, counter);
            for (sum, bound) in [(&mut least, range.0), (&mut most, range.1)] {
                let bound = self.program.int(ty, bound);
                let all = self.program.mul(number, bound);
                *sum = self.program.add(*sum, all);
            }
        }
        let (base, change) = (self.program.symbol(base), self.program.symbol(change));
        let value = self.number(cell);
        let own = self.program.add(base, change);
        let others = self.program.sub(value, own);
        let above = self.program.le(least, others);
        let below = self.program.le(others, most);
        let within = self.program.and(above, below);
        Some(self.program.implies(is_counted, within))
    }

    /// Checks whether only the first thread starts threads of a class.
    pub(super) fn is_started_by_first(&self, class: ClassId) -> bool {
        let mut starts = self.facts.shape.starts.iter().filter(|(_, c)| **c == class);
        starts.all(|(&(context, ..), _)| self.class(context) == 0)
    }

    /// A thread gives cells back.
    pub(super) fn release(
        &mut self,
        writer: &mut Writer,
        class: ClassId,
        cells: &BTreeSet<CellId>,
        written: &BTreeSet<CellId>,
    ) {
        if self.purpose == Purpose::Check {
            for (number, fact) in self.invariants.iter().enumerate() {
                if fact.cells().all(|cell| cells.contains(&cell))
                    && fact.cells().any(|cell| written.contains(&cell))
                {
                    let holds = self.fact(fact);
                    self.claim(writer, holds, format!("fact {number}"));
                }
            }
        }
        for &cell in written {
            let Some(&Ghosts { mark, change, .. }) = self.ghosts.get(&cell) else { continue };
            let value = self.number(cell);
            let (mark, change) = (self.program.symbol(mark), self.program.symbol(change));
            let step = self.program.sub(value, mark);
            let sum = self.program.add(change, step);
            writer.out.assign(change, sum);
            writer.out.assign(mark, value);
            match self.purpose {
                Purpose::Check => self.claim_share(writer, class, cell, false),
                Purpose::Observe => {
                    self.observe(writer, Observed::Running(class, cell), change);
                    self.observe(writer, Observed::Value(cell), value);
                }
            }
        }
    }

    pub(super) fn observe(&mut self, writer: &mut Writer, what: Observed, value: ExprId) {
        if let Some(&symbol) = self.observers.get(&what) {
            let place = self.program.symbol(symbol);
            writer.out.assign(place, value);
        }
    }

    /// Claims that a thread has changed a cell by no more than the proof says.
    pub(super) fn claim_share(
        &mut self,
        writer: &mut Writer,
        class: ClassId,
        cell: CellId,
        ended: bool,
    ) {
        let Some(&share) = self.shares.get(&(cell, class)) else { return };
        let ty = self.signed(cell);
        let change = self.program.symbol(self.ghosts[&cell].change);
        let (lo, hi) = if ended { share.ended } else { share.running };
        let (lo, hi) = (self.program.int(ty, lo), self.program.int(ty, hi));
        let above = self.program.le(lo, change);
        let below = self.program.le(change, hi);
        let within = self.program.and(above, below);
        self.claim(writer, within, format!("share {cell}"));
    }

    /// A claim of the proof: the same wherever it is made.
    pub(super) fn claim(&mut self, writer: &mut Writer, holds: ExprId, what: String) {
        let span = writer.out.set_span(Span::DUMMY);
        writer.out.assert(holds, Claim::new(PROPERTY, what));
        writer.out.set_span(span);
    }

    pub(super) fn fact(&mut self, fact: &Fact) -> ExprId {
        let mut any = self.program.bool(false);
        for linear in &fact.any_of {
            let holds = match linear.terms[..] {
                [(sign @ (1 | -1), cell)] => self.bound(cell, sign, linear.at_least),
                _ => self.linear(linear),
            };
            any = self.program.or(any, holds);
        }
        any
    }

    /// A bound of a cell, in its own type.
    pub(super) fn bound(&mut self, cell: CellId, sign: i32, at_least: i128) -> ExprId {
        let place = self.layout.place(&mut self.program, cell);
        let ty = self.layout.cells[cell].ty;
        let Type::Int { signed, width } = *self.source.types.get(ty) else {
            return self.program.bool(false);
        };
        let (least, most): (i128, i128) = match signed {
            true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
            false => (0, (1 << width) - 1),
        };
        match sign {
            1 if at_least <= least => self.program.bool(true),
            1 if at_least > most => self.program.bool(false),
            1 => {
                let bound = self.program.int(ty, at_least);
                self.program.le(bound, place)
            }
            _ if -at_least >= most => self.program.bool(true),
            _ if -at_least < least => self.program.bool(false),
            _ => {
                let bound = self.program.int(ty, -at_least);
                self.program.le(place, bound)
            }
        }
    }

    /// A sum, in integers that have room for it.
    pub(super) fn linear(&mut self, Linear { terms, at_least }: &Linear) -> ExprId {
        let is_small = at_least.abs() <= 1 << 40
            && terms.iter().all(|&(coefficient, cell)| {
                coefficient.abs() <= 1 << 10 && width(self.source, self.layout, cell) <= 32
            });
        let wide = self.program.types.int(true, if is_small { 64 } else { 128 });
        let mut sum = self.program.int(wide, 0);
        for (i, &(coefficient, cell)) in terms.iter().enumerate() {
            let place = self.layout.place(&mut self.program, cell);
            let value = self.program.cast(wide, place);
            let product = match coefficient {
                1 => value,
                _ => {
                    let coefficient = self.program.int(wide, coefficient.into());
                    self.program.mul(coefficient, value)
                }
            };
            sum = if i == 0 { product } else { self.program.add(sum, product) };
        }
        let bound = self.program.int(wide, *at_least);
        self.program.le(bound, sum)
    }
}

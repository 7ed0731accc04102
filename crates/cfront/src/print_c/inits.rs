//! Initialisers and compound literals.
//!
//! A list is positional when its entries follow the members or elements from the first on, and designated throughout
//! otherwise. An anonymous member has no designator of its own: its entries are designated through the outer list.

use super::{Printer, with_stack};
use crate::hir::{InitEntry, InitId, InitKind, StringId, VarId};
use crate::types::{ArrayLen, Field, RecordId, RecordKind, TypeKind};
use vergo_source::Precedence;

impl<'u> Printer<'u> {
    /// `(type){...}`
    pub(super) fn compound_literal(&mut self, var: VarId) {
        let literal = &self.unit.vars[var];
        let name = self.type_name(literal.ty);
        self.text(&format!("({name})"));
        match literal.init {
            Some(init) if matches!(self.unit.inits[init].kind, InitKind::List(_)) => {
                self.init(init)
            }
            Some(init) => {
                self.text("{");
                self.init(init);
                self.text("}");
            }
            None => self.text("{}"),
        }
    }

    /// A string literal, cut after `limit` units.
    pub(super) fn string(&mut self, id: StringId, limit: usize) {
        let literal = &self.unit.strings[id];
        let unsigned = match self.unit.types.kind(literal.ty) {
            TypeKind::Array(element, _) => self
                .unit
                .types
                .int_kind(element.unqualified())
                .is_some_and(|kind| !kind.is_signed()),
            _ => false,
        };
        let text = super::constants::string(literal, unsigned, limit);
        self.text(&text);
    }

    /// The text after `=`.
    pub(super) fn init(&mut self, init: InitId) {
        let node = self.unit.inits[init];
        match node.kind {
            InitKind::Expr(e) => self.assigned(e),
            InitKind::String(id) => {
                let limit = match self.unit.types.kind(node.ty) {
                    TypeKind::Array(_, ArrayLen::Fixed(len)) => {
                        usize::try_from(*len).unwrap_or(usize::MAX)
                    }
                    _ => usize::MAX,
                };
                self.string(id, limit);
            }
            InitKind::List(list) => {
                let unit = self.unit;
                let entries = unit.init_lists.get(list);
                self.text("{");
                with_stack(|| match unit.types.kind(node.ty) {
                    TypeKind::Record(record) => self.record_entries(*record, entries),
                    TypeKind::Vector(..) => self.vector_entries(entries),
                    _ => self.array_entries(entries),
                });
                self.text("}");
            }
        }
    }

    fn separate(&mut self, first: &mut bool) {
        if !*first {
            self.text(", ");
        }
        *first = false;
    }

    fn array_entries(&mut self, entries: &[InitEntry]) {
        let positional = entries
            .iter()
            .enumerate()
            .all(|(i, entry)| entry.first == i as u64 && entry.last == entry.first);
        let mut first = true;
        for entry in entries {
            self.separate(&mut first);
            if !positional && entry.first == entry.last {
                self.text(&format!("[{}] = ", entry.first));
            } else if !positional {
                self.text(&format!("[{} ... {}] = ", entry.first, entry.last));
            }
            self.init(entry.init);
        }
    }

    /// Lanes have no designators: gaps are filled with zeros.
    fn vector_entries(&mut self, entries: &[InitEntry]) {
        let mut sorted: Vec<&InitEntry> = entries.iter().collect();
        sorted.sort_by_key(|entry| entry.first);
        let mut first = true;
        let mut next = 0;
        for entry in sorted {
            while next < entry.first {
                self.separate(&mut first);
                self.text("0");
                next += 1;
            }
            while next <= entry.last {
                self.separate(&mut first);
                self.init(entry.init);
                next += 1;
            }
        }
    }

    fn record_entries(&mut self, record: RecordId, entries: &[InitEntry]) {
        let mut first = true;
        if self.is_positional(record, entries) {
            for entry in entries {
                self.separate(&mut first);
                self.init(entry.init);
            }
        } else {
            self.designated_entries(record, entries, &mut first);
        }
    }

    /// Returns whether the entries set the members from the first on, in order, each of which has a name.
    fn is_positional(&self, record: RecordId, entries: &[InitEntry]) -> bool {
        let record = &self.unit.types.records[record];
        let Some(fields) = &record.fields else { return true };
        let in_order = entries.iter().enumerate().all(|(i, entry)| {
            entry.first == i as u64
                && usize::try_from(entry.first)
                    .ok()
                    .and_then(|field| fields.get(field))
                    .is_some_and(|field| field.name.is_some())
        });
        in_order && (record.kind == RecordKind::Struct || entries.len() <= 1)
    }

    fn designated_entries(&mut self, record: RecordId, entries: &[InitEntry], first: &mut bool) {
        let unit = self.unit;
        let Some(fields) = &unit.types.records[record].fields else { return };
        for entry in entries {
            let Some(field) = usize::try_from(entry.first).ok().and_then(|field| fields.get(field))
            else {
                continue;
            };
            match field.name {
                Some(name) => {
                    self.separate(first);
                    self.text(&format!(".{} = ", unit.names.name(name)));
                    self.init(entry.init);
                }
                None => self.anonymous_entry(field, entry.init, first),
            }
        }
    }

    fn anonymous_entry(&mut self, field: &Field, init: InitId, first: &mut bool) {
        let unit = self.unit;
        match (unit.types.kind(field.ty), unit.inits[init].kind) {
            (TypeKind::Record(inner), InitKind::List(list)) => {
                let entries = unit.init_lists.get(list);
                with_stack(|| self.designated_entries(*inner, entries, first));
            }
            (_, InitKind::Expr(e)) => {
                self.separate(first);
                self.expr(e, Precedence::Assign);
            }
            _ => {}
        }
    }
}

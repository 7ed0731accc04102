//! Initialisers of automatic objects.
//!
//! Parts that are not mentioned are zero (C17 6.7.9p21): the object is set to zero first unless every part is mentioned.
//! Bytes of a union behind the member that is initialised are no part that could be mentioned: they stay as they were. The
//! entries are evaluated in the order in which they are written or, where that makes a difference, in the opposite one, too
//! (p23 leaves the order open). A large list of constants is a copy of a constant static object.

use crate::function::Fx;
use vergo_cfront::hir::{InitEntry, InitId, InitKind};
use vergo_cfront::types::{ArrayLen, QualType, RecordKind, TypeKind};
use vergo_goto::expr::ExprId;
use vergo_goto::program::{InstrKind, StaticInit, Symbol, SymbolKind};
use vergo_goto::types::Type;

/// Lists with more entries than this are copied from a constant object if they are constant.
const LARGE_LIST: usize = 16;

/// Ranges longer than this become a loop.
const LONG_RANGE: u64 = 8;

impl Fx<'_, '_> {
    /// Gives an object its first value.
    pub(crate) fn initialise(&mut self, place: ExprId, init: InitId) {
        if self.copy_image(place, init) {
            return;
        }
        let Some(leaves) = self.open_list(init) else {
            return self.initialise_part(place, init, false);
        };
        self.either(
            |fx| fx.initialise_part(place, init, false),
            |fx| {
                for &leaf in leaves.iter().rev() {
                    let value = fx.value(leaf);
                    let value = fx.save(value);
                    fx.evaluated.insert(leaf, value);
                }
                fx.initialise_part(place, init, false);
                fx.evaluated.retain(|leaf, _| !leaves.contains(leaf));
            },
        );
    }

    /// Counts the entries of an initialiser, up to a limit.
    fn count_entries(&self, init: InitId, limit: usize) -> usize {
        let mut work = vec![init];
        let mut n = 0;
        while let Some(init) = work.pop() {
            match self.unit.inits[init].kind {
                InitKind::List(list) => {
                    for entry in self.unit.init_lists.get(list) {
                        n += (entry.last - entry.first + 1).min(limit as u64) as usize;
                        work.push(entry.init);
                        if n > limit {
                            return n;
                        }
                    }
                }
                InitKind::Expr(_) | InitKind::String(_) => {}
            }
        }
        n
    }

    /// Copies a large constant initialiser from a static object.
    fn copy_image(&mut self, place: ExprId, init: InitId) -> bool {
        let string = matches!(self.unit.inits[init].kind, InitKind::String(_));
        if !string && self.count_entries(init, LARGE_LIST) <= LARGE_LIST {
            return false;
        }
        let ty = self.cx.p.exprs.ty(place);
        let symbol = match self.cx.images.get(&(self.u, init)) {
            Some(&symbol) => symbol,
            None => {
                let unit = self.unit.clone();
                let Ok(parts) = self.cx.constant_image(self.u, &unit, init) else { return false };
                let align = self.cx.align_of(ty);
                let symbol = self.cx.add_symbol(
                    &format!("{}::image", self.name),
                    Symbol {
                        name: String::new(),
                        display: String::new(),
                        ty,
                        kind: SymbolKind::Static {
                            init: StaticInit::Data(parts),
                            thread_local: false,
                        },
                        span: unit.inits[init].span,
                        align,
                        writable: false,
                    },
                );
                self.cx.images.insert((self.u, init), symbol);
                symbol
            }
        };
        let image = self.cx.p.symbol(symbol);
        self.assign_first(place, image);
        true
    }

    fn initialise_part(&mut self, place: ExprId, init: InitId, zeroed: bool) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.initialise_node(place, init, zeroed));
    }

    fn initialise_node(&mut self, place: ExprId, init: InitId, zeroed: bool) {
        let node = self.unit.inits[init];
        match node.kind {
            InitKind::Expr(expr) => {
                if let Some(&value) = self.evaluated.get(&expr) {
                    return self.assign_first(place, value);
                }
                if let vergo_cfront::hir::ExprKind::Call(callee, args) = self.unit.exprs[expr].kind
                    && let vergo_goto::expr::ExprKind::Symbol(symbol) = *self.cx.p.exprs.kind(place)
                    && self.cx.p.symbols[symbol].writable
                {
                    let call = self.unit.exprs[expr];
                    if let Some(result) = self.call(call, callee, args, Some(place), true)
                        && result != place
                    {
                        self.assign(place, result);
                    }
                    return;
                }
                let expr = match self.unit.converted_float(expr) {
                    Some(float) if self.is_bit_field(place) => float,
                    _ => expr,
                };
                let value = self.value(expr);
                self.assign_first(place, value);
            }
            InitKind::String(_) => {
                if !self.copy_image(place, init) {
                    let ty = self.cx.p.exprs.ty(place);
                    let zero = self.cx.p.zero(ty);
                    self.assign_first(place, zero);
                }
            }
            InitKind::List(list) => {
                let entries = self.unit.init_lists.get(list).to_vec();
                if let [entry] = entries[..]
                    && !zeroed
                    && self.leaves_bytes_open(node.ty, entry)
                {
                    return self.initialise_entry(place, node.ty, entry, false);
                }
                let full = zeroed || self.covers(node.ty, &entries);
                if !full {
                    let ty = self.cx.p.exprs.ty(place);
                    let zero = self.cx.p.zero(ty);
                    self.assign_first(place, zero);
                }
                let zeroed = zeroed || !full;
                for entry in entries {
                    self.initialise_entry(place, node.ty, entry, zeroed);
                }
            }
        }
    }

    /// Returns whether an entry initialises a member of a union that is smaller than the union: the bytes behind
    /// it take unspecified values (C17 6.2.6.1p7), and compilers do leave them as they were.
    fn leaves_bytes_open(&mut self, ty: QualType, entry: InitEntry) -> bool {
        let &TypeKind::Record(id) = self.unit.types.kind(ty) else { return false };
        let record = &self.unit.types.records[id];
        let field = record.fields.as_deref().and_then(|f| f.get(entry.first as usize));
        let Some(member) = field.filter(|f| f.bits.is_none()).map(|f| f.ty) else { return false };
        if record.kind != RecordKind::Union {
            return false;
        }
        let (whole, member) = (self.ty(ty), self.ty(member));
        self.cx.p.size_of(member) < self.cx.p.size_of(whole)
    }

    /// Returns whether a list mentions every part of its object.
    fn covers(&self, ty: QualType, entries: &[InitEntry]) -> bool {
        let mentioned: u64 = entries.iter().map(|entry| entry.last - entry.first + 1).sum();
        match self.unit.types.kind(ty) {
            TypeKind::Array(_, ArrayLen::Fixed(len)) => mentioned >= *len && *len > 0,
            TypeKind::Vector(_, lanes) => mentioned >= u64::from(*lanes),
            TypeKind::Complex(_) | TypeKind::ComplexInt(_) => mentioned >= 2,
            TypeKind::Record(record) => {
                let record = &self.unit.types.records[*record];
                let fields = record.fields.as_deref().unwrap_or(&[]);
                if record.kind == RecordKind::Union {
                    // The member may be smaller than the union.
                    return false;
                }
                // Bit-fields share bytes with padding, which is set with them.
                fields.iter().all(|field| field.bits.is_none()) && mentioned >= fields.len() as u64
            }
            _ => mentioned >= 1,
        }
    }

    fn initialise_entry(&mut self, place: ExprId, ty: QualType, entry: InitEntry, zeroed: bool) {
        let unit = self.unit.clone();
        match unit.types.kind(ty) {
            TypeKind::Record(record) => {
                let member = self.member(place, *record, entry.first as u32);
                self.initialise_part(member, entry.init, zeroed);
            }
            TypeKind::Complex(_) | TypeKind::ComplexInt(_) => {
                let part = self.complex_part(place, entry.first != 0);
                self.initialise_part(part, entry.init, zeroed);
            }
            TypeKind::Array(..) | TypeKind::Vector(..) => {
                if entry.first == entry.last {
                    let element = self.element(place, entry.first);
                    self.initialise_part(element, entry.init, zeroed);
                    return;
                }
                // A range: the value is computed once and copied.
                let first = self.element(place, entry.first);
                self.initialise_part(first, entry.init, zeroed);
                if entry.last - entry.first <= LONG_RANGE {
                    for i in entry.first + 1..=entry.last {
                        let element = self.element(place, i);
                        self.assign_first(element, first);
                    }
                    return;
                }
                let size = self.cx.p.size_type();
                let counter = self.temp(size);
                let counter = self.cx.p.symbol(counter);
                let start = self.cx.p.size(entry.first + 1);
                self.assign(counter, start);
                let head = self.b.label_here();
                let element = match self.cx.p.type_of(place) {
                    Type::Array(..) => self.cx.p.index(place, counter),
                    _ => place,
                };
                self.assign_first(element, first);
                let one = self.cx.p.size(1);
                let next = self.cx.p.add(counter, one);
                self.assign(counter, next);
                let last = self.cx.p.size(entry.last);
                let more = self.cx.p.le(counter, last);
                self.emit(InstrKind::Goto(Some(more), head));
            }
            // A scalar in braces.
            _ => self.initialise_part(place, entry.init, zeroed),
        }
    }

    fn element(&mut self, place: ExprId, index: u64) -> ExprId {
        match self.cx.p.type_of(place) {
            Type::Array(..) => {
                let index = self.cx.p.size(index);
                self.cx.p.index(place, index)
            }
            _ => place,
        }
    }
}

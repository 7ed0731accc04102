//! Types of one unit as types of another: structures, unions and enumerations that are the same become one.

use super::Linker;
use crate::intern::Symbol;
use crate::types::{
    ArrayLen, Enum, EnumId, Field, FunctionType, QualType, Record, RecordId, TypeId, TypeKind,
};
use cranelift_entity::EntityRef;

impl Linker<'_> {
    pub(super) fn ty(&mut self, ty: QualType) -> QualType {
        QualType::new(self.type_id(ty.ty()), ty.quals())
    }

    pub(super) fn type_id(&mut self, ty: TypeId) -> TypeId {
        if let Some(mapped) = self.types[ty] {
            return mapped;
        }
        let mapped = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.map_type(ty));
        self.types[ty] = Some(mapped);
        mapped
    }

    pub(super) fn map_type(&mut self, ty: TypeId) -> TypeId {
        let kind = match self.unit.types.kind_with_alignment(ty).clone() {
            TypeKind::Pointer(to) => TypeKind::Pointer(self.ty(to)),
            TypeKind::Array(element, len) => {
                let len = match len {
                    ArrayLen::Variable(var) => ArrayLen::Variable(self.vars[var.index()]),
                    other => other,
                };
                TypeKind::Array(self.ty(element), len)
            }
            TypeKind::Vector(element, lanes) => TypeKind::Vector(self.type_id(element), lanes),
            TypeKind::Function(function) => {
                let ret = self.ty(function.ret);
                let params = function.params.iter().map(|&param| self.ty(param)).collect();
                TypeKind::Function(Box::new(FunctionType {
                    ret,
                    params,
                    variadic: function.variadic,
                    prototype: function.prototype,
                }))
            }
            TypeKind::Record(id) => TypeKind::Record(self.record(id)),
            TypeKind::Enum(id) => TypeKind::Enum(self.enumeration(id)),
            TypeKind::Aligned(inner, align) => TypeKind::Aligned(self.type_id(inner), align),
            other => other,
        };
        self.base.types.intern(kind)
    }

    pub(super) fn record(&mut self, id: RecordId) -> RecordId {
        if let Some(mapped) = self.records[id] {
            return mapped;
        }
        let unit = self.unit;
        let record = &unit.types.records[id];
        let tag = record.tag.map(|tag| self.name(tag));
        let candidates: Vec<RecordId> = match (tag, &record.fields) {
            (Some(tag), _) => self.by_tag.get(&(record.kind, tag)).cloned().unwrap_or_default(),
            (None, Some(fields)) => self
                .by_shape
                .get(&(record.kind, record.size, fields.len()))
                .cloned()
                .unwrap_or_default(),
            (None, None) => Vec::new(),
        };
        for candidate in candidates {
            let mut assumed = Vec::new();
            if self.same_record(id, candidate, &mut assumed) {
                for &(ours, theirs) in &assumed {
                    self.records[ours].get_or_insert(theirs);
                }
                // What the base only declares is defined here, also where it is met on the way.
                for (ours, theirs) in assumed {
                    let complete = self.base.types.records[theirs].fields.is_some();
                    let defined = unit.types.records[ours].fields.is_some();
                    if !complete && defined && self.records[ours] == Some(theirs) {
                        self.fill_record(ours, theirs);
                    }
                }
                return candidate;
            }
        }
        let new = self.base.types.records.push(Record {
            kind: record.kind,
            tag,
            span: record.span,
            fields: None,
            size: record.size,
            align: record.align,
            packed: record.packed,
            explicit_align: record.explicit_align,
            transparent: record.transparent,
            variable: record.variable,
        });
        self.records[id] = Some(new);
        if let Some(tag) = tag {
            self.by_tag.entry((record.kind, tag)).or_default().push(new);
        } else if let Some(fields) = &record.fields {
            self.by_shape.entry((record.kind, record.size, fields.len())).or_default().push(new);
        }
        if record.fields.is_some() {
            self.fill_record(id, new);
        }
        new
    }

    /// Copies the members of a structure into its place in the base.
    pub(super) fn fill_record(&mut self, id: RecordId, new: RecordId) {
        let unit = self.unit;
        let record = &unit.types.records[id];
        let fields: Vec<Field> = record
            .fields
            .iter()
            .flatten()
            .map(|field| Field {
                name: field.name.map(|name| self.name(name)),
                ty: self.ty(field.ty),
                ..field.clone()
            })
            .collect();
        let target = &mut self.base.types.records[new];
        target.fields = Some(fields);
        target.size = record.size;
        target.align = record.align;
        target.packed = record.packed;
        target.explicit_align = record.explicit_align;
        target.transparent = record.transparent;
        target.variable = record.variable;
        target.span = record.span;
    }

    /// Returns whether a structure of the unit is the same type as one of the base, assuming that the pairs under
    /// comparison are.
    pub(super) fn same_record(
        &self,
        ours: RecordId,
        theirs: RecordId,
        assumed: &mut Vec<(RecordId, RecordId)>,
    ) -> bool {
        if let Some(mapped) = self.records[ours] {
            return mapped == theirs;
        }
        if let Some(&(_, other)) = assumed.iter().find(|&&(id, _)| id == ours) {
            return other == theirs;
        }
        let (a, b) = (&self.unit.types.records[ours], &self.base.types.records[theirs]);
        if a.kind != b.kind || a.tag.map(|tag| self.name(tag)) != b.tag {
            return false;
        }
        let (Some(fields), Some(others)) = (&a.fields, &b.fields) else {
            // One of them is only declared; without a tag it could be anything.
            if a.tag.is_none() {
                return false;
            }
            assumed.push((ours, theirs));
            return true;
        };
        if a.size != b.size || a.align != b.align || fields.len() != others.len() {
            return false;
        }
        let mark = assumed.len();
        assumed.push((ours, theirs));
        let same = fields.iter().zip(others).all(|(x, y)| {
            x.name.map(|name| self.name(name)) == y.name
                && x.offset == y.offset
                && x.bits == y.bits
                && stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                    self.same_type(x.ty, y.ty, assumed)
                })
        });
        if !same {
            assumed.truncate(mark);
        }
        same
    }

    pub(super) fn same_type(
        &self,
        ours: QualType,
        theirs: QualType,
        assumed: &mut Vec<(RecordId, RecordId)>,
    ) -> bool {
        if ours.quals() != theirs.quals() {
            return false;
        }
        let (a, b) = (self.unit.types.kind(ours), self.base.types.kind(theirs));
        match (a, b) {
            (TypeKind::Pointer(x), TypeKind::Pointer(y)) => self.same_type(*x, *y, assumed),
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                let lengths = match (n, m) {
                    (ArrayLen::Fixed(n), ArrayLen::Fixed(m)) => n == m,
                    _ => true,
                };
                lengths && self.same_type(*x, *y, assumed)
            }
            (TypeKind::Vector(x, n), TypeKind::Vector(y, m)) => {
                n == m && self.same_type((*x).into(), (*y).into(), assumed)
            }
            (TypeKind::Function(f), TypeKind::Function(g)) => {
                f.variadic == g.variadic
                    && f.prototype == g.prototype
                    && f.params.len() == g.params.len()
                    && self.same_type(f.ret, g.ret, assumed)
                    && f.params.iter().zip(&g.params).all(|(&x, &y)| self.same_type(x, y, assumed))
            }
            (TypeKind::Record(x), TypeKind::Record(y)) => self.same_record(*x, *y, assumed),
            (TypeKind::Enum(x), TypeKind::Enum(y)) => self.same_enum(*x, *y),
            (x, y) => x == y,
        }
    }

    pub(super) fn same_enum(&self, ours: EnumId, theirs: EnumId) -> bool {
        let (a, b) = (&self.unit.types.enums[ours], &self.base.types.enums[theirs]);
        if a.tag.map(|tag| self.name(tag)) != b.tag || a.fixed != b.fixed {
            return false;
        }
        match (&a.enumerators, &b.enumerators) {
            (Some(x), Some(y)) => {
                x.len() == y.len()
                    && x.iter().zip(y).all(|(&(name, value), &(other, number))| {
                        self.name(name) == other && value == number
                    })
            }
            _ => a.tag.is_some(),
        }
    }

    pub(super) fn enumeration(&mut self, id: EnumId) -> EnumId {
        if let Some(mapped) = self.enums[id] {
            return mapped;
        }
        let unit = self.unit;
        let of = &unit.types.enums[id];
        let found = self.base.types.enums.keys().find(|&theirs| self.same_enum(id, theirs));
        let enumerators: Option<Vec<(Symbol, i128)>> = of
            .enumerators
            .as_ref()
            .map(|list| list.iter().map(|&(name, value)| (self.name(name), value)).collect());
        let underlying = self.type_id(of.underlying);
        let mapped = match found {
            Some(theirs) => {
                let target = &mut self.base.types.enums[theirs];
                if target.enumerators.is_none() {
                    target.enumerators = enumerators;
                    target.underlying = underlying;
                }
                theirs
            }
            None => {
                let tag = of.tag.map(|tag| self.name(tag));
                self.base.types.enums.push(Enum {
                    tag,
                    span: of.span,
                    underlying,
                    fixed: of.fixed,
                    enumerators,
                })
            }
        };
        self.enums[id] = Some(mapped);
        mapped
    }
}

//! Structures, unions and enumerations: tags, members, enumerators.

use super::attributes::Attrs;
use super::declarator::Role;
use super::scope::{Entity, Tag};
use super::{Sema, codes};
use crate::ast::{self, Attr, Member, Quals};
use crate::intern::Symbol;
use crate::layout::{self, RecordShape};
use crate::pool::List;
use crate::types::{
    ArrayLen, BitField, Enum, EnumId, Field, IntKind, QualType, Record, RecordId, RecordKind,
    TypeKind,
};
use vergo_num::BitVec;
use vergo_source::{Diagnostic, Span};

impl Sema<'_> {
    /// The type of `struct tag { members }` in any of its forms.
    pub(super) fn record_type(
        &mut self,
        kind: RecordKind,
        tag: Option<(Symbol, Span)>,
        members: Option<List<Member>>,
        attrs: List<Attr>,
        span: Span,
        lone: bool,
    ) -> QualType {
        let id = self.record_tag(kind, tag, members.is_some(), span, lone);
        if let Some(members) = members {
            self.define_record(id, kind, members, attrs, span);
        }
        self.intern(TypeKind::Record(id))
    }

    fn record_tag(
        &mut self,
        kind: RecordKind,
        tag: Option<(Symbol, Span)>,
        defines: bool,
        span: Span,
        lone: bool,
    ) -> RecordId {
        let Some((symbol, tag_span)) = tag else { return self.new_record(kind, None, span) };
        let found =
            if defines || lone { self.tags.get_here(symbol) } else { self.tags.get(symbol) };
        if let Some(binding) = found {
            let (entity, previous) = (binding.entity, binding.span);
            match entity {
                Tag::Record(id) if self.unit.types.records[id].kind == kind => {
                    if !defines
                        || self.unit.types.records[id].fields.is_none()
                            && !self.defining.contains(&id)
                    {
                        return id;
                    }
                    let message = format!("redefinition of {}", self.tag_text(entity));
                    self.report(
                        Diagnostic::error(codes::REDEFINITION, tag_span, message)
                            .label(previous, "the first definition is here"),
                    );
                    return self.new_record(kind, Some(symbol), tag_span);
                }
                _ => {
                    let message = format!("`{}` is the tag of something else", self.name(symbol));
                    let text = format!("{} is declared here", self.tag_text(entity));
                    self.report(
                        Diagnostic::error(codes::WRONG_TAG, tag_span, message)
                            .label(previous, text),
                    );
                    return self.new_record(kind, Some(symbol), tag_span);
                }
            }
        }
        let id = self.new_record(kind, Some(symbol), tag_span);
        self.tags.insert(symbol, Tag::Record(id), tag_span);
        id
    }

    fn tag_text(&self, tag: Tag) -> String {
        match tag {
            Tag::Record(id) => {
                let record = &self.unit.types.records[id];
                let word = if record.kind == RecordKind::Struct { "struct" } else { "union" };
                format!("`{word} {}`", record.tag.map_or("", |tag| self.name(tag)))
            }
            Tag::Enum(id) => {
                format!("`enum {}`", self.unit.types.enums[id].tag.map_or("", |tag| self.name(tag)))
            }
        }
    }

    fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>, span: Span) -> RecordId {
        self.unit.types.records.push(Record {
            kind,
            tag,
            span,
            fields: None,
            size: 0,
            align: 1,
            packed: false,
            explicit_align: None,
            transparent: false,
            variable: false,
        })
    }

    fn define_record(
        &mut self,
        id: RecordId,
        kind: RecordKind,
        members: List<Member>,
        attr_list: List<Attr>,
        span: Span,
    ) {
        let ast = self.ast;
        let members = ast.member_lists.get(members);
        let mut attrs = Attrs::default();
        self.attributes(attr_list, &mut attrs);
        self.defining.push(id);
        let mut fields: Vec<Field> = Vec::with_capacity(members.len());
        let mut specs: Option<(ast::SpecsId, super::specs::Specifiers)> = None;
        for (index, member) in members.iter().enumerate() {
            match *member {
                Member::StaticAssert(decl) => {
                    self.declaration(decl, &mut Vec::new());
                }
                Member::Field { specs: specs_id, declarator, width, span } => {
                    // The declarators of one declaration share specifiers, which may define a type.
                    let shared = match &specs {
                        Some((id, shared)) if *id == specs_id => shared.clone(),
                        _ => {
                            let shared =
                                self.specifiers(specs_id, declarator.is_none() && width.is_none());
                            if shared.implicit {
                                self.warn_implicit_int(span, "this member");
                            }
                            specs = Some((specs_id, shared.clone()));
                            shared
                        }
                    };
                    let is_last = index + 1 == members.len();
                    if let Some(field) = self.field(
                        id,
                        kind,
                        &shared,
                        declarator,
                        width,
                        span,
                        is_last,
                        !fields.iter().any(|field| field.name.is_some() || field.bits.is_none()),
                    ) {
                        self.index_field(id, &field, fields.len() as u32);
                        fields.push(field);
                    }
                }
            }
        }
        self.defining.pop();
        let shape = RecordShape {
            kind,
            packed: attrs.packed,
            explicit_align: attrs.aligned,
            pack: self.packs.at(span.shrink_to_hi()),
        };
        let laid_out = layout::lay_out(&self.unit.types, &self.unit.target, shape, &mut fields);
        let (size, align) = match laid_out {
            Some(pair) => pair,
            None => {
                self.error(
                    codes::TOO_LARGE,
                    span,
                    "the structure is too large for the address space",
                );
                (0, 1)
            }
        };
        if shape.pack.is_some() {
            // The same layout, said by attributes, for those who write the definition again.
            for field in fields.iter_mut().filter(|field| field.bits.is_none()) {
                let natural = match field.explicit_align {
                    Some(align) => align,
                    None if attrs.packed || field.packed => 1,
                    None => layout::member_align(&self.unit.types, &self.unit.target, field.ty),
                };
                let align = shape.pack.map_or(natural, |pack| natural.min(pack));
                field.explicit_align = (align > 1).then_some(align);
            }
        }
        let variable = fields.iter().any(|field| self.unit.types.is_vla(field.ty));
        if variable && let Some(field) = fields.iter().find(|field| field.bits.is_some()) {
            let message = "a bit-field in a structure whose size is known only at run time";
            self.error(codes::UNSUPPORTED, field.span, message);
        }
        let record = &mut self.unit.types.records[id];
        record.variable = variable;
        record.fields = Some(fields);
        record.size = size;
        record.align = align;
        record.packed = attrs.packed || shape.pack.is_some();
        record.explicit_align = if shape.pack.is_some() { Some(align) } else { attrs.aligned };
        record.transparent = attrs.transparent && kind == RecordKind::Union;
        record.span = span;
    }

    /// Remembers which direct member leads to a name, and reports names that occur twice.
    fn index_field(&mut self, record: RecordId, field: &Field, index: u32) {
        let mut names: Vec<(Symbol, Span)> = Vec::new();
        match field.name {
            Some(name) => names.push((name, field.span)),
            None => {
                if field.bits.is_none()
                    && let Some(inner) = self.unit.types.record(field.ty)
                {
                    self.names_inside(inner, &mut names);
                }
            }
        }
        for (name, span) in names {
            if let Some(&first) = self.members.get(&(record, name)) {
                let message = format!("duplicate member `{}`", self.name(name));
                let _ = first;
                self.report(Diagnostic::error(codes::DUPLICATE_MEMBER, span, message));
            } else {
                self.members.insert((record, name), index);
            }
        }
    }

    fn names_inside(&self, record: RecordId, out: &mut Vec<(Symbol, Span)>) {
        let Some(fields) = &self.unit.types.records[record].fields else { return };
        for field in fields {
            match field.name {
                Some(name) => out.push((name, field.span)),
                None if field.bits.is_none() => {
                    if let Some(inner) = self.unit.types.record(field.ty) {
                        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                            self.names_inside(inner, out)
                        });
                    }
                }
                None => {}
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "all are parts of one member declaration")]
    fn field(
        &mut self,
        record: RecordId,
        kind: RecordKind,
        specs: &super::specs::Specifiers,
        declarator: Option<ast::DeclaratorId>,
        width: Option<ast::ExprId>,
        span: Span,
        is_last: bool,
        is_first: bool,
    ) -> Option<Field> {
        let mut attrs = specs.attrs.clone();
        let mut name = None;
        let mut ty = specs.ty;
        let mut name_span = span;
        if specs.storage != ast::Storage::NONE {
            self.error(codes::BAD_STORAGE, span, "a member has no storage class");
        }
        if let Some(id) = declarator {
            (ty, attrs) = self.declared_type(specs, id, Role::Plain);
            if let Some((symbol, at)) = self.ast.declarators[id].name {
                name = Some(symbol);
                name_span = at;
            }
        }
        if specs.auto {
            self.error(codes::BAD_TYPE, span, "`__auto_type` needs an initialiser");
        }
        let bits = match width {
            Some(width) => {
                Some(self.bit_field_width(width, ty, name.map(|name| (name, name_span)), span)?)
            }
            None => None,
        };
        if name.is_none() && bits.is_none() {
            // An anonymous structure or union, or a declaration without a member.
            let anonymous = match *self.kind(ty) {
                TypeKind::Record(inner) => self.unit.types.records[inner].tag.is_none(),
                _ => false,
            };
            if !anonymous {
                if !self.is_error(ty)
                    && !matches!(self.kind(ty), TypeKind::Record(_) | TypeKind::Enum(_))
                {
                    self.warning(codes::EMPTY_DECLARATION, span, "this declares no member");
                }
                return None;
            }
        }
        if self.is_error(ty) {
            // The name exists, so that its uses are not reported as well.
        } else if self.unit.types.is_function(ty) {
            let shown = self.show(ty);
            self.error(
                codes::BAD_TYPE,
                name_span,
                format!("a member cannot be a function: it has type {shown}"),
            );
            ty = self.basics.error;
        } else if self.unit.types.is_variably_modified(ty)
            && !(kind == RecordKind::Struct && self.unit.types.is_vla(ty))
        {
            self.error(
                codes::UNSUPPORTED,
                name_span,
                "a member of a union, or what a member points to, cannot have a length that is known only at run time",
            );
            ty = self.basics.error;
        } else if let TypeKind::Array(_, ArrayLen::Incomplete) = *self.kind(ty) {
            if kind == RecordKind::Struct && !is_last {
                self.error(
                    codes::INCOMPLETE_TYPE,
                    name_span,
                    "only the last member may be an array without a length",
                );
            } else if kind == RecordKind::Union || is_first {
                // gcc rejects a flexible array in a union and as the only named member.
                let code = codes::INCOMPLETE_TYPE;
                if kind == RecordKind::Union {
                    self.error(code, name_span, "an array without a length in a union");
                } else {
                    self.error(
                        code,
                        name_span,
                        "an array without a length in a structure without other members",
                    );
                }
            }
        } else if !self.unit.types.is_complete(ty) {
            let shown = self.show(ty);
            let mut diagnostic = Diagnostic::error(
                codes::INCOMPLETE_TYPE,
                name_span,
                format!("the member has the incomplete type {shown}"),
            );
            if self.unit.types.record(ty) == Some(record) {
                diagnostic = diagnostic.help("a structure cannot contain itself; use a pointer");
            }
            self.report(diagnostic);
            ty = self.basics.error;
        }
        Some(Field {
            name,
            ty,
            span: name_span,
            offset: 0,
            bits,
            explicit_align: attrs.aligned,
            packed: attrs.packed,
        })
    }

    fn bit_field_width(
        &mut self,
        width: ast::ExprId,
        ty: QualType,
        name: Option<(Symbol, Span)>,
        span: Span,
    ) -> Option<BitField> {
        let expr = self.rvalue(width);
        let width_span = self.span(expr);
        if self.is_error(ty) {
            return None;
        }
        let Some(shape) = self.unit.types.int_shape(ty, &self.unit.target) else {
            let shown = self.show(ty);
            self.error(
                codes::BAD_BIT_FIELD,
                span,
                format!("a bit-field has an integer type, not {shown}"),
            );
            return None;
        };
        let signed = self
            .unit
            .types
            .int_shape(self.ty(expr), &self.unit.target)
            .is_some_and(|shape| shape.signed);
        let value = self.constant_int(expr, "the width of a bit-field")?;
        if signed && value.sign_bit() {
            self.error(codes::BAD_BIT_FIELD, width_span, "the width of the bit-field is negative");
            return None;
        }
        match value.to_u64() {
            Some(0) if name.is_some() => {
                self.error(
                    codes::BAD_BIT_FIELD,
                    width_span,
                    "a bit-field of width zero has no name",
                );
                None
            }
            Some(bits) if bits <= u64::from(shape.width) => {
                Some(BitField { first_bit: 0, width: bits as u32 })
            }
            _ => {
                let shown = self.show(ty);
                self.error(
                    codes::BAD_BIT_FIELD,
                    width_span,
                    format!(
                        "the bit-field is wider than its type {shown}, which has {} bits",
                        shape.width
                    ),
                );
                None
            }
        }
    }

    /// The path of member numbers to a name, through anonymous members.
    pub(super) fn find_member(
        &self,
        record: RecordId,
        name: Symbol,
    ) -> Option<Vec<(RecordId, u32)>> {
        let mut path = Vec::with_capacity(1);
        let mut record = record;
        loop {
            let &index = self.members.get(&(record, name))?;
            path.push((record, index));
            let field = &self.unit.types.records[record].fields.as_ref()?[index as usize];
            if field.name == Some(name) {
                return Some(path);
            }
            record = self.unit.types.record(field.ty)?;
        }
    }

    // Enumerations.

    pub(super) fn enum_type(
        &mut self,
        tag: Option<(Symbol, Span)>,
        underlying: Option<ast::TypeNameId>,
        enumerators: Option<List<ast::Enumerator>>,
        attr_list: List<Attr>,
        span: Span,
        lone: bool,
    ) -> QualType {
        let fixed = underlying.map(|ty| self.type_name(ty));
        let fixed = fixed.and_then(|ty| {
            if self.unit.types.is_integer(ty) && !matches!(self.kind(ty), TypeKind::Enum(_)) {
                Some(self.canonical(ty))
            } else {
                if !self.is_error(ty) {
                    let shown = self.show(ty);
                    self.error(
                        codes::BAD_TYPE,
                        span,
                        format!("an enumeration is represented by an integer type, not {shown}"),
                    );
                }
                None
            }
        });
        let id = self.enum_tag(tag, enumerators.is_some(), span, lone || fixed.is_some());
        if let Some(ty) = fixed {
            let of = &mut self.unit.types.enums[id];
            of.underlying = ty;
            of.fixed = true;
        }
        if let Some(enumerators) = enumerators {
            self.define_enum(id, enumerators, attr_list);
        }
        self.intern(TypeKind::Enum(id))
    }

    fn enum_tag(
        &mut self,
        tag: Option<(Symbol, Span)>,
        defines: bool,
        span: Span,
        lone: bool,
    ) -> EnumId {
        let Some((symbol, tag_span)) = tag else { return self.new_enum(None, span) };
        let found =
            if defines || lone { self.tags.get_here(symbol) } else { self.tags.get(symbol) };
        if let Some(binding) = found {
            let (entity, previous) = (binding.entity, binding.span);
            match entity {
                Tag::Enum(id) if !defines || self.unit.types.enums[id].enumerators.is_none() => {
                    return id;
                }
                Tag::Enum(_) => {
                    let message = format!("redefinition of {}", self.tag_text(entity));
                    self.report(
                        Diagnostic::error(codes::REDEFINITION, tag_span, message)
                            .label(previous, "the first definition is here"),
                    );
                }
                Tag::Record(_) => {
                    let message = format!("`{}` is the tag of something else", self.name(symbol));
                    let text = format!("{} is declared here", self.tag_text(entity));
                    self.report(
                        Diagnostic::error(codes::WRONG_TAG, tag_span, message)
                            .label(previous, text),
                    );
                }
            }
            return self.new_enum(Some(symbol), tag_span);
        }
        let id = self.new_enum(Some(symbol), tag_span);
        self.tags.insert(symbol, Tag::Enum(id), tag_span);
        id
    }

    fn new_enum(&mut self, tag: Option<Symbol>, span: Span) -> EnumId {
        let underlying = self.basics.uint.ty();
        self.unit.types.enums.push(Enum { tag, span, underlying, fixed: false, enumerators: None })
    }

    fn define_enum(&mut self, id: EnumId, list: List<ast::Enumerator>, attr_list: List<Attr>) {
        let ast = self.ast;
        let enumerators = ast.enumerator_lists.get(list);
        let mut attrs = Attrs::default();
        self.attributes(attr_list, &mut attrs);
        let fixed = self.unit.types.enums[id].fixed.then(|| self.unit.types.enums[id].underlying);
        let mut values: Vec<(Symbol, i128)> = Vec::with_capacity(enumerators.len());
        let first_entry = self.enumerators.len();
        let mut next: i128 = 0;
        for enumerator in enumerators {
            let value = match enumerator.value {
                Some(expr) => self.enumerator_value(expr).unwrap_or(next),
                None => next,
            };
            // Before the enumeration is complete, enumerators that fit have type `int` (C17 6.7.2.2p3).
            let ty = match fixed {
                Some(ty) => ty.into(),
                None => self.type_for_value(value, enumerator.span),
            };
            let width =
                self.unit.types.int_shape(ty, &self.unit.target).map_or(32, |shape| shape.width);
            if let Some(binding) = self.scopes.get_here(enumerator.name) {
                let previous = binding.span;
                let message = format!("redeclaration of `{}`", self.name(enumerator.name));
                self.report(
                    Diagnostic::error(codes::REDEFINITION, enumerator.span, message)
                        .label(previous, "first declared here"),
                );
            }
            let index = self.enumerators.len() as u32;
            self.enumerators.push((BitVec::from_i128(width, value), ty));
            self.scopes.insert(enumerator.name, Entity::Enumerator(index), enumerator.span);
            values.push((enumerator.name, value));
            next = value.wrapping_add(1);
        }
        let least = values.iter().map(|&(_, value)| value).min().unwrap_or(0).min(0);
        let greatest = values.iter().map(|&(_, value)| value).max().unwrap_or(0);
        let underlying = match fixed {
            Some(ty) => ty,
            None => {
                let kind = self.enum_kind(least, greatest, attrs.packed);
                self.unit.types.int(kind)
            }
        };
        let of = &mut self.unit.types.enums[id];
        of.underlying = underlying;
        of.enumerators = Some(values.clone());
        let enum_ty = self.intern(TypeKind::Enum(id));
        // Those that do not fit into `int` have the type of the enumeration.
        let wide = self
            .unit
            .types
            .int_shape(underlying, &self.unit.target)
            .map_or(32, |shape| shape.width);
        for (index, &(_, value)) in values.iter().enumerate() {
            if fixed.is_some() || i32::try_from(value).is_err() {
                self.enumerators[first_entry + index] = (BitVec::from_i128(wide, value), enum_ty);
            }
        }
    }

    fn enumerator_value(&mut self, expr: ast::ExprId) -> Option<i128> {
        let expr = self.rvalue(expr);
        let ty = self.ty(expr);
        let value = self.constant_int(expr, "the value of an enumerator")?;
        let signed =
            self.unit.types.int_shape(ty, &self.unit.target).is_some_and(|shape| shape.signed);
        if signed {
            value.to_i128()
        } else {
            value.to_u128().and_then(|value| i128::try_from(value).ok())
        }
    }

    fn type_for_value(&mut self, value: i128, span: Span) -> QualType {
        if i32::try_from(value).is_ok() {
            self.basics.int
        } else if u32::try_from(value).is_ok() {
            self.basics.uint
        } else if i64::try_from(value).is_ok() {
            if self.unit.target.word == 8 { self.basics.long } else { self.basics.llong }
        } else if u64::try_from(value).is_ok() {
            if self.unit.target.word == 8 { self.basics.ulong } else { self.basics.ullong }
        } else {
            self.error(codes::BAD_ENUMERATOR, span, "the value of the enumerator is too large");
            self.basics.ullong
        }
    }

    fn enum_kind(&self, least: i128, greatest: i128, packed: bool) -> IntKind {
        let signed = least < 0;
        let fits = |kind: IntKind| {
            let width = kind.width(&self.unit.target);
            if signed {
                least >= -(1i128 << (width - 1)) && greatest < 1i128 << (width - 1)
            } else {
                greatest < 1i128 << width
            }
        };
        let wide = if self.unit.target.word == 8 { IntKind::Long } else { IntKind::LongLong };
        let candidates: &[IntKind] =
            if packed { &[IntKind::SChar, IntKind::Short, IntKind::Int] } else { &[IntKind::Int] };
        for &kind in candidates {
            let kind = kind.with_sign(signed);
            if fits(kind) {
                return kind;
            }
        }
        wide.with_sign(signed)
    }

    /// The qualifiers that a member has by access through its structure.
    pub(super) fn member_quals(&self, base: QualType) -> Quals {
        base.quals().without(Quals::RESTRICT).without(Quals::ATOMIC)
    }
}

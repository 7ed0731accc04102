//! Types as declarators, and the definitions that they need.
//!
//! A declarator grows from the name outwards: pointers to the left, arrays and functions to the right, parentheses where
//! the direction changes. Structures and unions are defined at file scope, each after those that it contains; those that
//! it only points to are declared before and defined after. Alignment that belongs to a type and vectors have no
//! spelling of their own and become typedefs. So do types of absurd length: the typedefs of the source are gone, and a
//! few lines of them can stand for a type whose text is exponential in their number.

use super::{Printer, Progress, with_stack};
use crate::ast::Quals;
use crate::hir::FuncId;
use crate::layout::{self, RecordShape};
use crate::typename::{float_name, int_name, qualifiers};
use crate::types::{
    ArrayLen, Field, FunctionType, QualType, Record, RecordId, RecordKind, TypeId, TypeKind,
};
use cranelift_entity::{EntityRef, EntitySet};
use std::collections::VecDeque;

/// Types that are needed, and what has been seen of them.
#[derive(Default)]
pub(super) struct Wanted {
    queue: VecDeque<TypeId>,
    mentioned: EntitySet<TypeId>,
}

pub(super) fn keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    }
}

fn join(base: &str, declarator: &str) -> String {
    if declarator.is_empty() { base.to_owned() } else { format!("{base} {declarator}") }
}

impl<'u> Printer<'u> {
    pub(super) fn type_name(&mut self, ty: QualType) -> String {
        self.declaration(ty, "")
    }

    /// A declaration of `name` with the type, without a semicolon.
    pub(super) fn declaration(&mut self, ty: QualType, name: &str) -> String {
        let (base, declarator) = self.declaration_parts(ty, name, None);
        join(&base, &declarator)
    }

    /// The head of a function definition: parameters have their names.
    pub(super) fn definition_head(&mut self, function: FuncId, name: &str) -> String {
        let ty = self.unit.functions[function].ty;
        let (base, declarator) = self.declaration_parts(ty, name, Some(function));
        join(&base, &declarator)
    }

    /// The specifiers and the declarator. With a function, its parameter names are written into the outermost list.
    pub(super) fn declaration_parts(
        &mut self,
        ty: QualType,
        name: &str,
        definition: Option<FuncId>,
    ) -> (String, String) {
        let unit = self.unit;
        let mut definition = definition;
        // What stands left of the name, nearest first, and right of it.
        let mut left: Vec<String> = Vec::new();
        let mut right = String::new();
        let mut ty = ty;
        let mut after_pointer = false;
        loop {
            if !self.standalone
                && self.needs_typedef(ty.ty())
                && self.typedefs.contains_key(&ty.ty())
            {
                break;
            }
            let kind = unit.types.kind(ty);
            if after_pointer && matches!(kind, TypeKind::Array(..) | TypeKind::Function(_)) {
                left.push("(".to_owned());
                right.push(')');
            }
            after_pointer = false;
            match kind {
                TypeKind::Pointer(to) => {
                    let quals = qualifiers(ty.quals());
                    left.push(if quals.is_empty() { "*".to_owned() } else { format!("*{quals} ") });
                    after_pointer = true;
                    ty = *to;
                }
                TypeKind::Array(element, len) => {
                    right.push('[');
                    let len = self.array_length(*len);
                    right.push_str(&len);
                    right.push(']');
                    ty = element.with(ty.quals().without(Quals::RESTRICT));
                }
                TypeKind::Function(function) => {
                    let params = match definition.take() {
                        Some(id) => self.named_parameters(id, function),
                        None => with_stack(|| self.parameter_types(function)),
                    };
                    right.push_str(&params);
                    ty = function.ret;
                }
                _ => break,
            }
        }
        let quals = qualifiers(ty.quals());
        let base = self.base_type(ty);
        let base = if quals.is_empty() { base } else { format!("{quals} {base}") };
        let mut declarator: String = left.iter().rev().map(String::as_str).collect();
        declarator.push_str(name);
        if name.is_empty() {
            declarator.truncate(declarator.trim_end().len());
        }
        declarator.push_str(&right);
        (base, declarator)
    }

    fn base_type(&mut self, ty: QualType) -> String {
        let unit = self.unit;
        if !self.standalone
            && self.needs_typedef(ty.ty())
            && let Some(name) = self.typedefs.get(&ty.ty())
        {
            return name.clone();
        }
        match self.shown_kind(ty) {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "_Bool".to_owned(),
            TypeKind::Int(kind) => int_name(*kind),
            TypeKind::Float(kind) => float_name(*kind).to_owned(),
            TypeKind::Complex(kind) => format!("{} _Complex", float_name(*kind)),
            TypeKind::ComplexInt(kind) => format!("{} _Complex", int_name(*kind)),
            TypeKind::Record(id) => {
                let id = *id;
                format!("{} {}", keyword(unit.types.records[id].kind), self.record_name(id))
            }
            TypeKind::VaList => "__builtin_va_list".to_owned(),
            // C17 has no such type; its values are null pointers.
            TypeKind::Nullptr => "void *".to_owned(),
            TypeKind::Vector(element, _) => {
                let size = layout::size_of(&unit.types, &unit.target, ty).unwrap_or(0);
                let element = self.type_name((*element).into());
                format!("{element} __attribute__((vector_size({size})))")
            }
            TypeKind::Error
            | TypeKind::Enum(_)
            | TypeKind::Pointer(_)
            | TypeKind::Array(..)
            | TypeKind::Function(_)
            | TypeKind::Aligned(..) => "int".to_owned(),
        }
    }

    fn array_length(&mut self, len: ArrayLen) -> String {
        match len {
            ArrayLen::Fixed(len) => len.to_string(),
            ArrayLen::Incomplete => String::new(),
            ArrayLen::Star => "*".to_owned(),
            ArrayLen::Variable(var) => self.variable_length(var),
        }
    }

    fn parameter_types(&mut self, function: &FunctionType) -> String {
        if !function.prototype {
            return "()".to_owned();
        }
        let outside = self.lengths.enter_prototype();
        let mut params: Vec<String> =
            function.params.iter().map(|&param| self.type_name(param)).collect();
        self.lengths.leave_prototype(outside);
        if function.variadic {
            params.push("...".to_owned());
        } else if params.is_empty() {
            params.push("void".to_owned());
        }
        format!("({})", params.join(", "))
    }

    fn named_parameters(&mut self, id: FuncId, function: &FunctionType) -> String {
        let params = &self.unit.functions[id].params;
        if !function.prototype {
            let names: Vec<String> = params.iter().map(|&param| self.var_name(param)).collect();
            return format!("({})", names.join(", "));
        }
        let outside = self.lengths.enter_parameters();
        let mut texts = Vec::new();
        for &param in params {
            let name = self.var_name(param);
            texts.push(self.declaration(self.unit.vars[param].ty, &name));
        }
        self.lengths.leave_prototype(outside);
        if function.variadic {
            texts.push("...".to_owned());
        } else if texts.is_empty() {
            texts.push("void".to_owned());
        }
        format!("({})", texts.join(", "))
    }

    /// Defines what a type needs, and everything that this mentions.
    pub(super) fn require_types(&mut self, types: impl IntoIterator<Item = QualType>) {
        let mut wanted = Wanted::default();
        wanted.queue.extend(types.into_iter().map(QualType::ty));
        while let Some(ty) = wanted.queue.pop_front() {
            if !self.settled.insert(ty) {
                continue;
            }
            let unit = self.unit;
            match unit.types.kind_with_alignment(ty) {
                _ if self.needs_typedef(ty) => self.define_typedef(ty, &mut wanted),
                TypeKind::Pointer(to) => wanted.queue.push_back(to.ty()),
                TypeKind::Array(element, _) => wanted.queue.push_back(element.ty()),
                TypeKind::Function(function) => {
                    wanted.queue.push_back(function.ret.ty());
                    wanted.queue.extend(function.params.iter().map(|param| param.ty()));
                }
                TypeKind::Record(id) => self.define_record(*id, &mut wanted),
                _ => {}
            }
        }
    }

    /// Collects the types that must be complete before an object of the type can be declared.
    fn contain(&mut self, ty: QualType, wanted: &mut Wanted) {
        let unit = self.unit;
        let mut ty = ty;
        loop {
            if self.needs_typedef(ty.ty()) {
                return with_stack(|| self.define_typedef(ty.ty(), wanted));
            }
            match unit.types.kind_with_alignment(ty.ty()) {
                TypeKind::Array(element, _) => ty = *element,
                TypeKind::Record(id) => return with_stack(|| self.define_record(*id, wanted)),
                TypeKind::Pointer(_) | TypeKind::Function(_) => return self.mention(ty, wanted),
                _ => return,
            }
        }
    }

    /// Collects the types that must be declared before the type can be written.
    fn mention(&mut self, ty: QualType, wanted: &mut Wanted) {
        let unit = self.unit;
        let mut stack = vec![ty.ty()];
        while let Some(ty) = stack.pop() {
            if !wanted.mentioned.insert(ty) {
                continue;
            }
            if self.needs_typedef(ty) {
                with_stack(|| self.define_typedef(ty, wanted));
                continue;
            }
            match unit.types.kind_with_alignment(ty) {
                TypeKind::Pointer(to) => stack.push(to.ty()),
                TypeKind::Array(element, _) => stack.push(element.ty()),
                TypeKind::Function(function) => {
                    stack.extend(function.params.iter().rev().map(|param| param.ty()));
                    stack.push(function.ret.ty());
                }
                TypeKind::Record(id) => {
                    self.declare_record(*id);
                    wanted.queue.push_back(ty);
                }
                _ => {}
            }
        }
    }

    fn define_typedef(&mut self, ty: TypeId, wanted: &mut Wanted) {
        let unit = self.unit;
        if self.typedefs.contains_key(&ty) || unit.types.is_variably_modified(ty) {
            return;
        }
        let (inner, base, attribute) = match unit.types.kind_with_alignment(ty) {
            TypeKind::Aligned(inner, align) => {
                self.contain((*inner).into(), wanted);
                (*inner, "aligned", format!(" __attribute__((aligned({align})))"))
            }
            TypeKind::Vector(element, _) => {
                let size = layout::size_of(&unit.types, &unit.target, ty.into()).unwrap_or(0);
                (*element, "vector", format!(" __attribute__((vector_size({size})))"))
            }
            kind => {
                match kind {
                    TypeKind::Pointer(to) => self.mention(*to, wanted),
                    TypeKind::Array(element, _) => self.contain(*element, wanted),
                    TypeKind::Function(function) => {
                        self.mention(function.ret, wanted);
                        for &param in &function.params {
                            self.mention(param, wanted);
                        }
                    }
                    _ => {}
                }
                (ty, "type", String::new())
            }
        };
        // The type may have been reached again through a structure that it contains.
        if self.typedefs.contains_key(&ty) {
            return;
        }
        let name = self.names.fresh_typedef(base);
        let text = self.declaration(inner.into(), &name);
        self.blank_line();
        self.text(&format!("typedef {text}{attribute};"));
        self.newline();
        self.typedefs.insert(ty, name);
    }

    /// Finds the types whose text is long, their parts that are typedefs counted by their name. The parts of a type have
    /// lower numbers than the type itself.
    pub(super) fn find_large_types(&mut self) {
        /// Derivations and parameters beyond which nobody writes a type in one piece.
        const LIMIT: usize = 500;
        let types = &self.unit.types;
        let mut sizes: Vec<usize> = Vec::with_capacity(types.len());
        for index in 0..types.len() {
            let ty = TypeId::from_u32(index as u32);
            let size = |part: QualType| sizes.get(part.ty().index()).copied().unwrap_or(1);
            let mut own = match types.kind_with_alignment(ty) {
                TypeKind::Pointer(to) => size(*to) + 1,
                TypeKind::Array(element, _) => size(*element) + 1,
                TypeKind::Function(function) => {
                    let params = function.params.iter().map(|&param| size(param)).sum::<usize>();
                    size(function.ret) + params + 1
                }
                _ => 1,
            };
            if own > LIMIT && !types.is_variably_modified(ty) {
                self.large.insert(ty);
                own = 1;
            }
            sizes.push(own);
        }
    }

    fn declare_record(&mut self, id: RecordId) {
        if self.records[id] != Progress::Unknown {
            return;
        }
        let name = self.record_name(id);
        self.blank_line();
        self.text(&format!("{} {name};", keyword(self.unit.types.records[id].kind)));
        self.newline();
        self.records[id] = Progress::Declared;
    }

    fn define_record(&mut self, id: RecordId, wanted: &mut Wanted) {
        if matches!(self.records[id], Progress::Started | Progress::Defined) {
            return;
        }
        let unit = self.unit;
        let record = &unit.types.records[id];
        let Some(fields) = &record.fields else { return self.declare_record(id) };
        self.records[id] = Progress::Started;
        self.contain_fields(fields, wanted);
        let name = self.record_name(id);
        self.blank_line();
        let pack = self.pragma_pack(record, fields);
        if let Some(pack) = pack {
            self.text(&format!("#pragma pack(push, {pack})"));
            self.newline();
        }
        self.mark(record.span);
        self.text(&format!("{} {name} {{", keyword(record.kind)));
        self.newline();
        self.depth += 1;
        self.fields(fields);
        self.depth -= 1;
        self.text("}");
        let attributes = record_attributes(record);
        self.text(&attributes);
        self.text(";");
        self.newline();
        if pack.is_some() {
            self.text("#pragma pack(pop)");
            self.newline();
        }
        self.records[id] = Progress::Defined;
    }

    fn contain_fields(&mut self, fields: &'u [Field], wanted: &mut Wanted) {
        for field in fields {
            match self.anonymous_member(field) {
                Some(inner) => with_stack(|| self.contain_fields(inner, wanted)),
                None => self.contain(field.ty, wanted),
            }
        }
    }

    /// The members of an anonymous structure or union, which is written in place.
    fn anonymous_member(&self, field: &Field) -> Option<&'u [Field]> {
        if field.name.is_some() || field.bits.is_some() {
            return None;
        }
        let unit = self.unit;
        match unit.types.kind(field.ty) {
            TypeKind::Record(id) => unit.types.records[*id].fields.as_deref(),
            _ => None,
        }
    }

    fn fields(&mut self, fields: &'u [Field]) {
        let unit = self.unit;
        for field in fields {
            self.indent();
            match (self.anonymous_member(field), unit.types.kind(field.ty)) {
                (Some(inner), TypeKind::Record(id)) => {
                    let record = &unit.types.records[*id];
                    let quals = qualifiers(field.ty.quals());
                    if !quals.is_empty() {
                        self.text(&quals);
                        self.text(" ");
                    }
                    self.text(keyword(record.kind));
                    self.text(" {");
                    self.newline();
                    self.depth += 1;
                    with_stack(|| self.fields(inner));
                    self.depth -= 1;
                    self.indent();
                    self.text("}");
                    let attributes = record_attributes(record);
                    self.text(&attributes);
                }
                _ => {
                    let name = field.name.map_or("", |name| unit.names.name(name));
                    let text = self.declaration(field.ty, name);
                    self.text(&text);
                }
            }
            if let Some(bits) = field.bits {
                self.text(&format!(" : {}", bits.width));
            }
            let mut attributes = Vec::new();
            if field.packed {
                attributes.push("packed".to_owned());
            }
            if let Some(align) = field.explicit_align {
                attributes.push(format!("aligned({align})"));
            }
            self.text(&attribute_list(&attributes));
            self.text(";");
            self.newline();
        }
    }

    /// The `#pragma pack` under which the members lie where they lie; the tree keeps only its effect.
    fn pragma_pack(&self, record: &Record, fields: &[Field]) -> Option<u64> {
        let unit = self.unit;
        let fits = |pack| {
            let shape = RecordShape {
                kind: record.kind,
                packed: record.packed,
                explicit_align: record.explicit_align,
                pack,
            };
            let mut placed = fields.to_vec();
            let size = layout::lay_out(&unit.types, &unit.target, shape, &mut placed);
            let same = |(a, b): (&Field, &Field)| a.offset == b.offset && a.bits == b.bits;
            size == Some((record.size, record.align)) && placed.iter().zip(fields).all(same)
        };
        if fits(None) {
            return None;
        }
        [1, 2, 4, 8, 16].into_iter().find(|&pack| fits(Some(pack)))
    }
}

fn record_attributes(record: &Record) -> String {
    let mut attributes = Vec::new();
    if record.packed {
        attributes.push("packed".to_owned());
    }
    if let Some(align) = record.explicit_align {
        attributes.push(format!("aligned({align})"));
    }
    if record.transparent {
        attributes.push("transparent_union".to_owned());
    }
    attribute_list(&attributes)
}

/// Attributes after a declarator or a brace, with a space before.
pub(super) fn attribute_list(attributes: &[String]) -> String {
    if attributes.is_empty() {
        String::new()
    } else {
        format!(" __attribute__(({}))", attributes.join(", "))
    }
}

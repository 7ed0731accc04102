//! Types: typed GOTO to ireps. Layout is written out: what no member covers is a padding member.

use super::{Expressed, Expresser};
use crate::binary::{SymbolEntry, SymbolFields};
use crate::irep::IrepId;
use crate::view::flag;
use vergo_goto::types::{Field, StructId, Type, TypeId};
use vergo_num::FloatFormat;

/// The most bytes that one padding member has.
const MOST_PADDING: u64 = 1024;

/// A member as it is written.
pub(super) enum Component {
    /// The member of this number.
    Field(usize),
    /// So many bits that no member covers.
    Padding(u64),
}

impl Expresser<'_> {
    /// The irep of a type.
    pub(super) fn ty(&mut self, ty: TypeId) -> Expressed<IrepId> {
        if let Some(&irep) = self.types.get(&ty) {
            return Ok(irep);
        }
        let irep = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.new_type(ty))?;
        self.types.insert(ty, irep);
        Ok(irep)
    }

    fn new_type(&mut self, ty: TypeId) -> Expressed<IrepId> {
        let p = self.p;
        Ok(match p.types.get(ty) {
            Type::Void => self.b.leaf("empty"),
            Type::Bool => self.b.leaf("bool"),
            &Type::Int { signed, width } => self.int_type(signed, width),
            &Type::Float(format) => self.float_type(format),
            &Type::Ptr(to) => {
                // Variable arguments are behind a pointer to nothing in particular.
                let to = match p.is_variable_arguments(ty) {
                    true => self.b.leaf("empty"),
                    false => self.ty(to)?,
                };
                self.pointer_to(to)
            }
            &Type::Array(element, len) => {
                if !self.is_whole(element) {
                    return Err(format!("an array of {}", self.describe_type(element)));
                }
                let element = self.ty(element)?;
                self.array_type(element, len)
            }
            &Type::Struct(id) => {
                if self.seen_structs.insert(id) {
                    self.structs.push(id);
                }
                let name = self.b.leaf(self.tag(id));
                let tag = if p.types.structs[id].union { "union_tag" } else { "struct_tag" };
                self.b.irep(tag, &[], &[("identifier", name)])
            }
            Type::Func(ret, params) => {
                let params: Vec<(TypeId, &str)> = params.iter().map(|&ty| (ty, "")).collect();
                self.code_type(*ret, &params, false)?
            }
        })
    }

    pub(super) fn int_type(&mut self, signed: bool, width: u32) -> IrepId {
        let width = self.b.leaf(width.to_string());
        self.b.irep(if signed { "signedbv" } else { "unsignedbv" }, &[], &[("width", width)])
    }

    fn float_type(&mut self, format: FloatFormat) -> IrepId {
        let width = self.b.leaf(format.width().to_string());
        if format == FloatFormat::X87_EXTENDED {
            let (fraction, one) = (self.b.leaf("63"), self.b.leaf("1"));
            let named = [("width", width), ("f", fraction), ("x86_extended", one)];
            return self.b.irep("floatbv", &[], &named);
        }
        let fraction = self.b.leaf((format.significand_bits() - 1).to_string());
        self.b.irep("floatbv", &[], &[("width", width), ("f", fraction)])
    }

    pub(super) fn pointer_to(&mut self, to: IrepId) -> IrepId {
        let width = self.b.leaf(self.p.machine.pointer_width.to_string());
        self.b.irep("pointer", &[to], &[("width", width)])
    }

    pub(super) fn array_type(&mut self, element: IrepId, len: u64) -> IrepId {
        let index = self.int_type(true, self.p.machine.pointer_width);
        let size = self.constant(index, &format!("{len:X}"));
        self.b.irep("array", &[element], &[("size", size)])
    }

    /// The type of a function whose parameters have these types and names.
    pub(super) fn code_type(
        &mut self,
        ret: TypeId,
        params: &[(TypeId, &str)],
        variadic: bool,
    ) -> Expressed<IrepId> {
        let ret = self.ty(ret)?;
        let mut list = Vec::new();
        for (ty, name) in params {
            let ty = self.ty(*ty)?;
            let base = name.rsplit("::").next().unwrap_or_default();
            let (identifier, base) = (self.b.leaf(name), self.b.leaf(base));
            let named = [("type", ty), ("#identifier", identifier), ("#base_name", base)];
            list.push(self.b.irep("parameter", &[], &named));
        }
        let one = self.b.leaf("1");
        let ellipsis = [("ellipsis", one)];
        let list = self.b.irep("", &list, if variadic { &ellipsis } else { &[] });
        Ok(self.b.irep("code", &[], &[("return_type", ret), ("parameters", list)]))
    }

    /// The type of a bit-field.
    pub(super) fn bit_field(&mut self, signed: bool, width: u32) -> IrepId {
        let declared = [32, 64, 128].into_iter().find(|&w| w >= width).unwrap_or(width);
        let declared = self.int_type(signed, declared);
        let width = self.b.leaf(width.to_string());
        self.b.irep("c_bit_field", &[declared], &[("width", width)])
    }

    /// Returns whether objects of a type take exactly their bits in both languages.
    fn is_whole(&self, ty: TypeId) -> bool {
        match self.p.types.get(ty) {
            Type::Int { width, .. } => matches!(width, 8 | 16 | 32 | 64 | 128),
            _ => !self.is_extended(ty),
        }
    }

    /// Returns whether a type is x87's, whose numbers take ten bytes in the format and more in memory.
    pub(super) fn is_extended(&self, ty: TypeId) -> bool {
        matches!(self.p.types.get(ty), Type::Float(FloatFormat::X87_EXTENDED))
    }

    fn describe_type(&self, ty: TypeId) -> String {
        match self.p.types.get(ty) {
            Type::Int { width, .. } => format!("integers of {width} bits"),
            Type::Float(_) => "numbers of type `long double`".to_owned(),
            _ => "its type".to_owned(),
        }
    }

    /// The name of the symbol of a structure.
    pub(super) fn tag(&self, id: StructId) -> String {
        format!("tag-{}", self.p.types.structs[id].name)
    }

    /// The type of a member.
    pub(super) fn field_type(&mut self, field: &Field) -> Expressed<IrepId> {
        match (self.p.types.get(field.ty), field.first_bit) {
            (&Type::Int { signed, width }, Some(_)) => Ok(self.bit_field(signed, width)),
            _ if !self.is_whole(field.ty) && !self.is_extended(field.ty) => {
                Err(format!("a member of {}", self.describe_type(field.ty)))
            }
            _ => self.ty(field.ty),
        }
    }

    /// The members of a structure with the padding between them.
    pub(super) fn components(&self, id: StructId) -> Expressed<Vec<Component>> {
        let structure = &self.p.types.structs[id];
        let mut list = Vec::new();
        let mut at = 0u64;
        for (i, field) in structure.fields.iter().enumerate() {
            let first = field.offset * 8 + u64::from(field.first_bit.unwrap_or(0));
            let width = match (self.p.types.get(field.ty), field.first_bit) {
                (&Type::Int { width, .. }, Some(_)) => u64::from(width),
                _ if self.is_extended(field.ty) => u64::from(FloatFormat::X87_EXTENDED.width()),
                _ => self.p.size_of(field.ty).unwrap_or(0) * 8,
            };
            if structure.union {
                if first != 0 {
                    return Err(format!("the place of the member `{}`", field.name));
                }
                list.push(Component::Field(i));
                at = at.max(width);
                continue;
            }
            if first < at {
                return Err(format!("the overlapping member `{}`", field.name));
            }
            padding(at, first, &mut list);
            list.push(Component::Field(i));
            at = first + width;
        }
        let end = structure.size * 8;
        if structure.union {
            if at < end {
                list.push(Component::Padding(end));
            }
        } else {
            padding(at, end, &mut list);
        }
        Ok(list)
    }

    /// The type of padding.
    pub(super) fn padding_type(&mut self, bits: u64) -> IrepId {
        let bits = bits as u32;
        if bits.is_multiple_of(8) {
            self.int_type(false, bits)
        } else {
            self.bit_field(false, bits)
        }
    }

    /// Symbols for the structures that are used, and for those that they use.
    pub(super) fn structures(&mut self) {
        while let Some(id) = self.structs.pop() {
            match self.structure(id) {
                Ok(ty) => self.type_symbol(id, ty),
                Err(what) => {
                    let name = &self.p.types.structs[id].name;
                    let what = format!("{what} (in the structure `{name}`)");
                    self.fail(what, vergo_source::Span::DUMMY);
                }
            }
        }
    }

    fn structure(&mut self, id: StructId) -> Expressed<IrepId> {
        let structure = &self.p.types.structs[id];
        let kind = if structure.union { "union" } else { "struct" };
        let tag = self.b.leaf(&structure.name);
        if !structure.complete {
            let one = self.b.leaf("1");
            return Ok(self.b.irep(kind, &[], &[("tag", tag), ("incomplete", one)]));
        }
        let mut natural = 1;
        let mut list = Vec::new();
        for (i, component) in self.components(id)?.into_iter().enumerate() {
            list.push(match component {
                Component::Field(field) => {
                    let field = &structure.fields[field];
                    if field.first_bit.is_none() {
                        natural = self.p.types.align_of(field.ty, &self.p.machine).max(natural);
                    }
                    let ty = self.field_type(field)?;
                    let name = self.b.leaf(&field.name);
                    let named = [("type", ty), ("name", name), ("#pretty_name", name)];
                    self.b.irep("", &[], &named)
                }
                Component::Padding(bits) => {
                    let ty = self.padding_type(bits);
                    let name = self.b.leaf(format!("$pad{i}"));
                    let one = self.b.leaf("1");
                    let named = [("type", ty), ("name", name), ("#is_padding", one)];
                    self.b.irep("", &[], &named)
                }
            });
        }
        while natural > 1 && !structure.size.is_multiple_of(natural) {
            natural /= 2;
        }
        let components = self.b.irep("", &list, &[]);
        let mut named = vec![("tag", tag), ("components", components)];
        if natural > structure.align {
            named.push(("#packed", self.b.leaf("1")));
        }
        if natural != structure.align && structure.align > 1 {
            let int = self.int_type(true, 32);
            named.push(("#alignment", self.constant(int, &format!("{:X}", structure.align))));
        }
        Ok(self.b.irep(kind, &[], &named))
    }

    fn type_symbol(&mut self, id: StructId, ty: IrepId) {
        let structure = &self.p.types.structs[id];
        let word = if structure.union { "union" } else { "struct" };
        let pretty = format!("{word} {}", structure.name);
        let nil = self.b.leaf("nil");
        let texts = [&self.tag(id), &self.module.clone(), &structure.name, "C", &pretty];
        let texts = texts.map(|text| self.b.text(text));
        self.symbols.push(SymbolEntry::Fields(Box::new(SymbolFields {
            ty,
            value: nil,
            location: nil,
            texts,
            unused: 0,
            flags: flag::TYPE,
        })));
    }
}

/// Padding from one bit to another: bits up to the next byte, bytes, bits.
fn padding(mut at: u64, to: u64, list: &mut Vec<Component>) {
    while at < to {
        let bits = if !at.is_multiple_of(8) {
            (to - at).min(8 - at % 8)
        } else if to - at >= 8 {
            ((to - at) / 8).min(MOST_PADDING) * 8
        } else {
            to - at
        };
        list.push(Component::Padding(bits));
        at += bits;
    }
}

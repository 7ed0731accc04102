//! From one dialect to the other, irep by irep.
//!
//! The dialects say the same things in different places, so a translation goes over the graph once and moves them:
//!
//! | CBMC | ESBMC |
//! |---|---|
//! | operands are ordered children | operands are the ordered children of a child `operands` |
//! | what a pointer points to is a child | it is a child `subtype` |
//! | `parameters` of `parameter` | `arguments` of `argument` |
//! | integers and floats in hexadecimal | in binary, as many digits as bits |
//! | structures by tag | written out; by tag behind pointers |
//! | `c_bit_field` of a type | an integer with the comment `#bitfield` and the type inside |
//! | `c_enum_tag`, `c_bool` | the integer, `bool`; comments keep the rest |
//! | `+` and so on of floats | `ieee_add` and so on |
//! | setting a result goes on | it leaves the function |
//! | symbols of fields, instructions of fields | ireps |
//! | `__CPROVER__start` | `__ESBMC_main` |
//!
//! What the other dialect has no place for is a [`Loss`] with its position. Strict translation stops at the first; lenient
//! translation goes on without it and lists all.

use crate::binary::{
    Binary, BodyEntry, Dialect, FunctionEntry, InstructionEntry, SymbolEntry, SymbolFields,
};
use crate::irep::{IrepBuilder, IrepId};
use crate::view::{InstructionView, Kind, SymbolView, flag};
use crate::write::renumber;
use rustc_hash::FxHashMap;
use vergo_num::BitVec;

/// Something that the other dialect cannot express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// What.
    pub what: String,
    /// The function that it stands in; empty outside of functions.
    pub function: String,
    /// The file and line that the binary gives, empty if there are none.
    pub place: String,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)?;
        if !self.function.is_empty() {
            write!(f, " in `{}`", self.function)?;
        }
        if !self.place.is_empty() {
            write!(f, " at {}", self.place)?;
        }
        Ok(())
    }
}

/// Translates a binary to a dialect; what was lost comes with it. A binary of that dialect stays what it is.
///
/// # Errors
/// In strict mode, the first thing that cannot be expressed; in both modes, a file whose instructions are none.
pub fn transcode(binary: &Binary, to: Dialect, lenient: bool) -> Result<(Binary, Vec<Loss>), Loss> {
    if binary.dialect == to {
        return Ok((binary.clone(), Vec::new()));
    }
    let loss = |what: String| Loss { what, function: String::new(), place: String::new() };
    let symbols = binary.symbol_views();
    let functions = binary.function_views();
    let by_name = symbols.iter().enumerate().map(|(i, s)| (s.name.to_string(), i)).collect();
    let mut transcoder = Transcoder {
        from: binary,
        to,
        out: IrepBuilder::new(to),
        symbols: &symbols,
        by_name,
        done: FxHashMap::default(),
        losses: Vec::new(),
        function: String::new(),
        location: None,
        open: Vec::new(),
    };
    let entries: Vec<SymbolEntry> = binary
        .symbols
        .iter()
        .zip(&symbols)
        .map(|(entry, view)| transcoder.symbol(entry, view))
        .collect();
    let mut bodies = Vec::new();
    for function in &functions {
        let instructions = binary.instructions(function).map_err(loss)?;
        bodies.push(transcoder.function(&function.name, &instructions));
        if let (false, Some(loss)) = (lenient, transcoder.losses.first()) {
            return Err(loss.clone());
        }
    }
    let Transcoder { out, losses, .. } = transcoder;
    if let (false, Some(loss)) = (lenient, losses.first()) {
        return Err(loss.clone());
    }
    let mut result = Binary {
        dialect: to,
        version: *to.versions().last().unwrap_or(&1),
        ireps: out.finish(),
        symbols: entries,
        functions: bodies,
        trailing: [].into(),
    };
    renumber(&mut result);
    Ok((result, losses))
}

/// The names of the floating operations: CBMC's, ESBMC's.
const FLOATING: &[(&str, &str)] =
    &[("+", "ieee_add"), ("-", "ieee_sub"), ("*", "ieee_mul"), ("/", "ieee_div")];

/// Names of expressions that differ otherwise.
const NAMES: &[(&str, &str)] = &[
    ("side_effect", "sideeffect"),
    ("string_constant", "string-constant"),
    ("parameter", "argument"),
    ("sign", "signbit"),
];

/// Names of functions that differ.
const FUNCTIONS: &[(&str, &str)] = &[("__CPROVER__start", "__ESBMC_main")];

/// Types that have another type inside of them.
const NESTED_TYPES: &[&str] = &["array", "c_enum", "complex", "pointer", "vector"];

struct Transcoder<'a> {
    from: &'a Binary,
    to: Dialect,
    out: IrepBuilder,
    symbols: &'a [SymbolView<'a>],
    by_name: FxHashMap<String, usize>,
    /// What has been translated, as such and behind a pointer.
    done: FxHashMap<(IrepId, bool), IrepId>,
    losses: Vec<Loss>,
    function: String,
    location: Option<IrepId>,
    /// Structures that are being written out.
    open: Vec<String>,
}

impl Transcoder<'_> {
    fn lose(&mut self, what: impl Into<String>) {
        let ireps = &self.from.ireps;
        let text = |key| self.location.map_or("", |l| ireps.get_id(l, key));
        let (file, line) = (text("file"), text("line"));
        let place = if file.is_empty() { String::new() } else { format!("{file}:{line}") };
        self.losses.push(Loss { what: what.into(), function: self.function.clone(), place });
    }

    fn irep(&mut self, irep: IrepId, behind_pointer: bool) -> IrepId {
        if let Some(&done) = self.done.get(&(irep, behind_pointer)) {
            return done;
        }
        // A text, or a type that both write alike. A variable may be called `c_bool`.
        if self.from.ireps.is_leaf(irep) {
            return self.out.leaf(self.from.ireps.id_bytes(irep));
        }
        let new = stacker::maybe_grow(64 * 1024, 1024 * 1024, || match self.to {
            Dialect::Esbmc => self.esbmc_irep(irep, behind_pointer),
            Dialect::Cbmc => self.cbmc_irep(irep),
        });
        self.done.insert((irep, behind_pointer), new);
        new
    }

    /// The named children, translated, but for some.
    fn named(&mut self, irep: IrepId, but: &[&str]) -> Vec<(String, IrepId)> {
        let from = self.from;
        let mut all = Vec::new();
        for (key, child) in from.ireps.named(irep) {
            let key = String::from_utf8_lossy(from.ireps.text(key)).into_owned();
            if !but.contains(&&key[..]) {
                let child = self.irep(child, false);
                all.push((key, child));
            }
        }
        all
    }

    fn make(&mut self, id: &[u8], ordered: &[IrepId], named: &[(String, IrepId)]) -> IrepId {
        let named: Vec<(&str, IrepId)> = named.iter().map(|(k, c)| (&k[..], *c)).collect();
        self.out.irep(id, ordered, &named)
    }

    fn is_type(&self, irep: IrepId) -> bool {
        self.from.ireps.get(irep, "type").is_none()
    }

    /// The number of bits of a constant of a type.
    fn width(&self, ty: IrepId) -> Option<u32> {
        let from = self.from;
        match from.ireps.id(ty) {
            "c_enum_tag" => {
                let name = from.ireps.get_id(ty, "identifier");
                let symbol = &self.symbols[*self.by_name.get(name)?];
                from.subtype(symbol.ty).and_then(|inner| self.width(inner))
            }
            "c_enum" => from.subtype(ty).and_then(|inner| self.width(inner)),
            "signedbv" | "unsignedbv" | "floatbv" | "c_bool" | "c_bit_field" | "bv" => {
                from.ireps.get_id(ty, "width").parse().ok().filter(|w| (1..=65536).contains(w))
            }
            _ => None,
        }
    }

    /// The text of a constant in the other dialect.
    fn constant_text(&mut self, irep: IrepId) -> Option<String> {
        let from = self.from;
        let ty = from.ireps.get(irep, "type")?;
        let text = from.ireps.get_id(irep, "value");
        if from.ireps.id(ty) == "c_bool" {
            let zero = text.bytes().all(|c| c == b'0');
            return Some(if zero { "false" } else { "true" }.to_owned());
        }
        if from.ireps.get_id(ty, "#c_bool") == "1" {
            return Some(if text == "true" { "1" } else { "0" }.to_owned());
        }
        let width = self.width(ty)?;
        match self.to {
            Dialect::Esbmc => {
                let bits = BitVec::parse_hex(width, text)?;
                Some((0..width).rev().map(|i| if bits.bit(i) { '1' } else { '0' }).collect())
            }
            Dialect::Cbmc => {
                let bits = BitVec::parse_binary(width, text)?;
                let bytes = bits.to_le_bytes();
                let hex: String = bytes.iter().rev().map(|b| format!("{b:02X}")).collect();
                let hex = hex.trim_start_matches('0');
                Some(if hex.is_empty() { "0" } else { hex }.to_owned())
            }
        }
    }

    fn renamed(&self, id: &str, table: &[(&str, &'static str)]) -> Option<&'static str> {
        table.iter().find(|(name, _)| *name == id).map(|(_, other)| *other)
    }

    fn esbmc_irep(&mut self, irep: IrepId, behind_pointer: bool) -> IrepId {
        let from = self.from;
        let id = from.ireps.id(irep);
        if self.is_type(irep) {
            match id {
                "struct_tag" | "union_tag" => return self.written_out(irep, behind_pointer),
                "c_enum_tag" => {
                    let name = from.ireps.get_id(irep, "identifier").to_owned();
                    let definition = self.by_name.get(&name).map(|&i| self.symbols[i].ty);
                    let inner = definition.and_then(|ty| from.subtype(ty));
                    let width = inner.map_or("32", |i| from.ireps.get_id(i, "width")).to_owned();
                    let kind = inner.map_or("unsignedbv", |i| from.ireps.id(i)).to_owned();
                    let (width, tag) = (self.out.leaf(&width), self.out.leaf(&name));
                    return self.out.irep(&kind, &[], &[("width", width), ("#enum_tag", tag)]);
                }
                "c_bool" => {
                    let one = self.out.leaf("1");
                    return self.out.irep("bool", &[], &[("#c_bool", one)]);
                }
                "c_bit_field" => {
                    let inner = from.subtype(irep);
                    let signed = inner.is_some_and(|i| self.is_signed(i));
                    let inner = inner.map(|i| self.irep(i, false));
                    let (width, one) = (self.irep_or_nil(irep, "width"), self.out.leaf("1"));
                    let mut named = vec![("width", width)];
                    named.extend(inner.map(|i| ("subtype", i)));
                    named.push(("#bitfield", one));
                    let kind = if signed { "signedbv" } else { "unsignedbv" };
                    return self.out.irep(kind, &[], &named);
                }
                _ if NESTED_TYPES.contains(&id) => {
                    let inner = from.subtype(irep);
                    let inner = inner.map(|i| self.irep(i, id == "pointer"));
                    let mut named = self.named(irep, &[]);
                    named.extend(inner.map(|i| ("subtype".to_owned(), i)));
                    return self.make(id.as_bytes(), &[], &named);
                }
                "code" if from.ireps.get(irep, "statement").is_none() => {
                    let parameters = from.ireps.get(irep, "parameters");
                    let mut named = self.named(irep, &["parameters"]);
                    let list = match parameters {
                        Some(list) => self.list(list, "argument"),
                        None => self.out.leaf(""),
                    };
                    named.insert(0, ("arguments".to_owned(), list));
                    return self.make(b"code", &[], &named);
                }
                "struct" | "union" => {
                    let components = from.ireps.get(irep, "components");
                    let mut named = self.named(irep, &["components"]);
                    if let Some(list) = components {
                        let list = self.list(list, "component");
                        named.push(("components".to_owned(), list));
                    }
                    return self.make(id.as_bytes(), &[], &named);
                }
                _ => {}
            }
        }
        self.esbmc_expression(irep)
    }

    fn irep_or_nil(&mut self, irep: IrepId, key: &str) -> IrepId {
        match self.from.ireps.get(irep, key) {
            Some(child) => self.irep(child, false),
            None => self.out.leaf("nil"),
        }
    }

    fn is_signed(&self, ty: IrepId) -> bool {
        self.from.ireps.id(ty) == "signedbv"
    }

    /// A list whose elements get a name of their own.
    fn list(&mut self, list: IrepId, element: &str) -> IrepId {
        let from = self.from;
        let elements: Vec<IrepId> = from.ireps.ordered(list).collect();
        let elements: Vec<IrepId> = elements
            .into_iter()
            .map(|e| {
                let ordered: Vec<IrepId> = from.ireps.ordered(e).collect();
                let ordered: Vec<IrepId> =
                    ordered.into_iter().map(|o| self.irep(o, false)).collect();
                let named = self.named(e, &[]);
                self.make(element.as_bytes(), &ordered, &named)
            })
            .collect();
        let named = self.named(list, &[]);
        self.make(from.ireps.id_bytes(list), &elements, &named)
    }

    /// A structure by tag: written out, or by its name behind a pointer.
    fn written_out(&mut self, irep: IrepId, behind_pointer: bool) -> IrepId {
        let from = self.from;
        let name = from.ireps.get_id(irep, "identifier").to_owned();
        let definition = self.by_name.get(&name).map(|&i| self.symbols[i].ty);
        let recursive = self.open.contains(&name);
        match definition {
            Some(definition) if !behind_pointer && !recursive => {
                self.open.push(name.clone());
                let comments = self.comments(irep);
                let written = self.structure(definition, &name, comments);
                self.open.pop();
                written
            }
            _ => {
                let mut named = self.comments(irep);
                let name = self.out.leaf(&name);
                named.insert(0, ("identifier".to_owned(), name));
                self.make(b"symbol", &[], &named)
            }
        }
    }

    /// The comments of a type, such as that it is `const`.
    fn comments(&mut self, irep: IrepId) -> Vec<(String, IrepId)> {
        let mut named = self.named(irep, &[]);
        named.retain(|(key, _)| key.starts_with('#'));
        named
    }

    /// A structure's definition; its tag is the name of its symbol, by which it is found again.
    fn structure(
        &mut self,
        definition: IrepId,
        name: &str,
        comments: Vec<(String, IrepId)>,
    ) -> IrepId {
        let from = self.from;
        let components = from.ireps.get(definition, "components");
        let mut named = self.named(definition, &["components", "tag"]);
        for (key, comment) in comments {
            if !named.iter().any(|(k, _)| *k == key) {
                named.push((key, comment));
            }
        }
        let tag = self.out.leaf(name);
        named.insert(0, ("tag".to_owned(), tag));
        if let Some(list) = components {
            let list = self.list(list, "component");
            named.push(("components".to_owned(), list));
        }
        self.make(from.ireps.id_bytes(definition), &[], &named)
    }

    fn is_float(&self, irep: IrepId) -> bool {
        let ty = self.from.ireps.get(irep, "type");
        ty.is_some_and(|ty| self.from.ireps.id(ty) == "floatbv")
    }

    fn esbmc_expression(&mut self, irep: IrepId) -> IrepId {
        let from = self.from;
        let id = from.ireps.id(irep);
        let is_code = id == "code";
        let is_expression = is_code || !self.is_type(irep) || id == "arguments";
        let ordered: Vec<IrepId> = from.ireps.ordered(irep).collect();
        let ordered: Vec<IrepId> = ordered.into_iter().map(|o| self.irep(o, false)).collect();
        let mut named = self.named(irep, &[]);
        let mut new_id = self.renamed(id, NAMES).unwrap_or(id).to_owned();
        if self.is_float(irep)
            && let Some(other) = self.renamed(id, FLOATING)
        {
            new_id = other.to_owned();
        }
        if id == "constant"
            && let Some(text) = self.constant_text(irep)
        {
            let text = self.out.leaf(&text);
            named.iter_mut().filter(|(k, _)| k == "value").for_each(|(_, v)| *v = text);
        }
        if id == "symbol" {
            self.rename(irep, &mut named);
        }
        if new_id.is_empty() && id.is_empty() {
            return self.make(from.ireps.id_bytes(irep), &ordered, &named);
        }
        if is_expression && !ordered.is_empty() {
            let operands = self.out.irep("", &ordered, &[]);
            named.push(("operands".to_owned(), operands));
            return self.make(new_id.as_bytes(), &[], &named);
        }
        let id =
            if new_id == id { from.ireps.id_bytes(irep).to_vec() } else { new_id.into_bytes() };
        self.make(&id, &ordered, &named)
    }

    /// Names of functions that differ.
    fn rename(&mut self, irep: IrepId, named: &mut [(String, IrepId)]) {
        let name = self.from.ireps.get_id(irep, "identifier").to_owned();
        let new = self.new_name(&name);
        if new != name {
            let new = self.out.leaf(&new);
            named.iter_mut().filter(|(k, _)| k == "identifier").for_each(|(_, v)| *v = new);
        }
    }

    fn new_name(&self, name: &str) -> String {
        let pair = FUNCTIONS.iter().find(|(cbmc, esbmc)| match self.to {
            Dialect::Esbmc => *cbmc == name,
            Dialect::Cbmc => *esbmc == name,
        });
        match (pair, self.to) {
            (Some((_, esbmc)), Dialect::Esbmc) => (*esbmc).to_owned(),
            (Some((cbmc, _)), Dialect::Cbmc) => (*cbmc).to_owned(),
            (None, _) => name.to_owned(),
        }
    }

    fn cbmc_irep(&mut self, irep: IrepId) -> IrepId {
        let from = self.from;
        let id = from.ireps.id(irep);
        if self.is_type(irep) {
            let tag = from.ireps.get_id(irep, "#enum_tag").to_owned();
            if !tag.is_empty() {
                let tag = self.out.leaf(&tag);
                return self.out.irep("c_enum_tag", &[], &[("identifier", tag)]);
            }
            match id {
                "bool" if from.ireps.get_id(irep, "#c_bool") == "1" => {
                    let eight = self.out.leaf("8");
                    return self.out.irep("c_bool", &[], &[("width", eight)]);
                }
                "signedbv" | "unsignedbv" if from.ireps.get_id(irep, "#bitfield") == "1" => {
                    let inner = match from.ireps.get(irep, "subtype") {
                        Some(inner) => self.irep(inner, false),
                        None => {
                            let width = self.irep_or_nil(irep, "width");
                            self.out.irep(id, &[], &[("width", width)])
                        }
                    };
                    let width = self.irep_or_nil(irep, "width");
                    return self.out.irep("c_bit_field", &[inner], &[("width", width)]);
                }
                "symbol" | "struct" | "union" => {
                    let name = match id {
                        "symbol" => from.ireps.get_id(irep, "identifier").to_owned(),
                        _ => from.ireps.get_id(irep, "tag").to_owned(),
                    };
                    if let Some(tag) = self.tag(irep, &name) {
                        return tag;
                    }
                }
                "code" if from.ireps.get(irep, "statement").is_none() => {
                    let arguments = from.ireps.get(irep, "arguments");
                    let mut named = self.named(irep, &["arguments", "parameters"]);
                    let list = match arguments {
                        Some(list) => self.list(list, "parameter"),
                        None => self.out.leaf(""),
                    };
                    named.push(("parameters".to_owned(), list));
                    return self.make(b"code", &[], &named);
                }
                _ => {}
            }
        }
        let mut ordered: Vec<IrepId> = from.ireps.ordered(irep).collect();
        for key in ["subtype", "operands"] {
            if let (true, Some(child)) = (ordered.is_empty(), from.ireps.get(irep, key)) {
                match key {
                    "subtype" if self.is_type(irep) => ordered.push(child),
                    "operands" => ordered.extend(from.ireps.ordered(child)),
                    _ => {}
                }
            }
        }
        let ordered: Vec<IrepId> = ordered.into_iter().map(|o| self.irep(o, false)).collect();
        let mut named = self.named(irep, &["subtype", "operands", "rounding_mode"]);
        if id == "constant"
            && let Some(text) = self.constant_text(irep)
        {
            let text = self.out.leaf(&text);
            named.iter_mut().filter(|(k, _)| k == "value").for_each(|(_, v)| *v = text);
        }
        if id == "pointer" && !named.iter().any(|(k, _)| k == "width") {
            let width = self.out.leaf("64");
            named.push(("width".to_owned(), width));
        }
        if id == "symbol" {
            self.rename(irep, &mut named);
        }
        let back: Vec<(&str, &'static str)> =
            NAMES.iter().chain(FLOATING).map(|(cbmc, esbmc)| (*esbmc, *cbmc)).collect();
        let other = back.iter().find(|(name, _)| *name == id).map(|(_, other)| *other);
        let other = other.or_else(|| match id {
            "component" => Some(""),
            // An array or structure that is a constant is written by its elements.
            "constant" if !ordered.is_empty() => {
                let ty = from.ireps.get(irep, "type").map_or("", |ty| from.ireps.id(ty));
                Some(if matches!(ty, "array" | "vector") { "array" } else { "struct" })
            }
            _ => None,
        });
        let id =
            other.map_or_else(|| from.ireps.id_bytes(irep).to_vec(), |o| o.as_bytes().to_vec());
        self.make(&id, &ordered, &named)
    }

    /// A structure by its tag, if a symbol has its definition.
    fn tag(&mut self, irep: IrepId, name: &str) -> Option<IrepId> {
        let found = [name.to_owned(), format!("tag-{name}")]
            .into_iter()
            .find(|n| self.by_name.get(n).is_some_and(|&i| self.symbols[i].is_type));
        let found = match found {
            Some(found) => found,
            None if self.from.ireps.id(irep) == "symbol" && self.is_type(irep) => name.to_owned(),
            None => return None,
        };
        if self.open.contains(&found) {
            // The definition itself.
            return None;
        }
        let definition = self.by_name.get(&found).map(|&i| self.symbols[i].ty);
        let union = definition.is_some_and(|ty| self.from.ireps.id(ty) == "union");
        let mut named = self.comments(irep);
        let name = self.out.leaf(&found);
        named.insert(0, ("identifier".to_owned(), name));
        let kind = if union { "union_tag" } else { "struct_tag" };
        Some(self.make(kind.as_bytes(), &[], &named))
    }

    fn symbol(&mut self, entry: &SymbolEntry, view: &SymbolView<'_>) -> SymbolEntry {
        let name = self.new_name(&view.name);
        let base_name = self.new_name(&view.base_name);
        self.location = view.location;
        // A type's own definition is written out, not referred to.
        let ty = match (self.to, view.is_type) {
            (Dialect::Esbmc, true) if matches!(self.from.ireps.id(view.ty), "struct" | "union") => {
                self.structure(view.ty, &view.name, Vec::new())
            }
            (Dialect::Cbmc, true) => {
                self.open.push(view.name.to_string());
                let ty = self.cbmc_irep(view.ty);
                self.open.pop();
                ty
            }
            _ => self.irep(view.ty, false),
        };
        let is_function = self.from.ireps.id(view.ty) == "code";
        match entry {
            SymbolEntry::Fields(fields) => {
                let value = match self.from.ireps.id(fields.value) {
                    "nil" | "compiled" => self.irep(fields.value, false),
                    // The source of a function is in its body; raw initialisers have constructs of C.
                    _ if is_function => self.out.leaf("compiled"),
                    _ => self.irep(fields.value, false),
                };
                let location = self.irep(fields.location, false);
                let text = |i: usize| self.from.ireps.text(fields.texts[i]).to_vec();
                let (module, mode) = (text(1), text(3));
                let leaf = |m: &mut Self, text: &[u8]| m.out.leaf(text);
                let mut named = vec![
                    ("type", ty),
                    ("name", leaf(self, name.as_bytes())),
                    ("base_name", leaf(self, base_name.as_bytes())),
                    ("mode", leaf(self, &mode)),
                    ("module", leaf(self, &module)),
                ];
                let one = self.out.leaf("1");
                let is_static = view.static_lifetime;
                let flags = [
                    (flag::TYPE, "is_type"),
                    (flag::MACRO, "is_macro"),
                    (flag::PARAMETER, "is_parameter"),
                    (flag::LVALUE, "lvalue"),
                    (flag::STATIC, "static_lifetime"),
                    (flag::FILE_LOCAL, "file_local"),
                    (flag::EXTERN, "is_extern"),
                ];
                for (bit, key) in flags {
                    if fields.flags & bit != 0 {
                        named.push((key, one));
                    }
                }
                if is_static && fields.flags & flag::THREAD_LOCAL != 0 {
                    named.push(("is_thread_local", one));
                }
                named.push(("location", location));
                named.push(("symvalue", value));
                // Bits that ESBMC has no place for.
                let flags = self.out.leaf(fields.flags.to_string());
                named.push(("#flags", flags));
                SymbolEntry::Irep(self.out.irep("", &[], &named))
            }
            SymbolEntry::Irep(irep) => {
                let ireps = &self.from.ireps;
                let has = |key: &str| ireps.get_id(*irep, key) == "1";
                let mut flags = match ireps.get_id(*irep, "#flags").parse() {
                    Ok(flags) => flags,
                    Err(_) => {
                        let all = [
                            ("is_type", flag::TYPE),
                            ("is_macro", flag::MACRO),
                            ("is_parameter", flag::PARAMETER | flag::STATE),
                            ("lvalue", flag::LVALUE),
                            ("static_lifetime", flag::STATIC),
                            ("file_local", flag::FILE_LOCAL),
                            ("is_extern", flag::EXTERN),
                            ("is_thread_local", flag::THREAD_LOCAL),
                        ];
                        let flags = all.iter().filter(|(key, _)| has(key));
                        flags.fold(0, |acc, (_, bit)| acc | bit)
                    }
                };
                if !is_function && flags & (flag::STATIC | flag::TYPE) == 0 {
                    flags |= flag::THREAD_LOCAL | flag::FILE_LOCAL;
                }
                let module =
                    ireps.get(*irep, "module").map_or(Vec::new(), |m| ireps.id_bytes(m).to_vec());
                let mode = ireps.get_id(*irep, "mode").to_owned();
                let mode = if mode.is_empty() { "C".to_owned() } else { mode };
                let compiled = is_function
                    && self.from.functions.iter().any(|f| *f.name == *view.name.as_bytes());
                let value = match view.value {
                    _ if compiled => self.out.leaf("compiled"),
                    Some(value) if !is_function => self.irep(value, false),
                    _ => self.out.leaf("nil"),
                };
                let location = match view.location {
                    Some(location) => self.irep(location, false),
                    None => self.out.leaf("nil"),
                };
                let texts = [
                    self.out.text(&name),
                    self.out.text(&module),
                    self.out.text(&base_name),
                    self.out.text(&mode),
                    self.out.text(&base_name),
                ];
                let fields = SymbolFields { ty, value, location, texts, unused: 0, flags };
                SymbolEntry::Fields(Box::new(fields))
            }
        }
    }

    fn function(&mut self, old_name: &str, instructions: &[InstructionView]) -> FunctionEntry {
        let name = self.new_name(old_name);
        old_name.clone_into(&mut self.function);
        let body = match self.to {
            Dialect::Esbmc => self.esbmc_body(instructions, &name),
            Dialect::Cbmc => self.cbmc_body(instructions),
        };
        FunctionEntry { name: name.into_bytes().into_boxed_slice(), body }
    }

    fn guard(&mut self, guard: Option<IrepId>) -> IrepId {
        match guard {
            Some(guard) => self.irep(guard, false),
            None => {
                let bool_type = self.out.leaf("bool");
                let value = self.out.leaf("true");
                self.out.irep("constant", &[], &[("type", bool_type), ("value", value)])
            }
        }
    }

    /// The type of an instruction in the other dialect; what has none is lost.
    fn kind(&mut self, instruction: &InstructionView) -> u32 {
        self.location = instruction.location;
        match (instruction.kind, self.to) {
            (Kind::StartThread | Kind::EndThread | Kind::IncompleteGoto, Dialect::Esbmc)
            | (Kind::ThrowDecl | Kind::LoopInvariant, Dialect::Cbmc) => {
                self.lose(format!("the instruction {}", instruction.kind.name()));
                Kind::Skip as u32
            }
            (kind, _) => kind as u32,
        }
    }

    fn esbmc_body(&mut self, instructions: &[InstructionView], name: &str) -> BodyEntry {
        let mut entries = Vec::new();
        let name = self.out.leaf(name);
        for instruction in instructions {
            let kind = self.kind(instruction);
            let code = self.irep(instruction.code, false);
            let guard = self.guard(instruction.guard);
            let kind = self.out.leaf(kind.to_string());
            let mut named = vec![("function", name), ("code", code), ("guard", guard)];
            if let Some(location) = instruction.location {
                named.push(("location", self.irep(location, false)));
            }
            named.push(("typeid", kind));
            if !instruction.labels.is_empty() {
                let labels: Vec<IrepId> = instruction
                    .labels
                    .iter()
                    .map(|&l| self.out.leaf(self.from.ireps.text(l)))
                    .collect();
                named.push(("labels", self.out.irep("", &labels, &[])));
            }
            if !instruction.targets.is_empty() {
                let targets: Vec<IrepId> = instruction
                    .targets
                    .iter()
                    .flatten()
                    .map(|t| self.out.leaf(t.to_string()))
                    .collect();
                named.push(("targets", self.out.irep("", &targets, &[])));
            }
            entries.push(self.out.irep("", &[], &named));
        }
        BodyEntry::Irep(self.out.irep("", &entries, &[]))
    }

    fn cbmc_body(&mut self, list: &[InstructionView]) -> BodyEntry {
        let mut is_target = vec![false; list.len()];
        list.iter().flat_map(|i| &i.targets).flatten().for_each(|&t| is_target[t] = true);
        let end = list.iter().rposition(|i| i.kind == Kind::EndFunction);
        let returns = list.iter().any(|i| i.kind == Kind::Return);
        if let (Some(end), true) = (end, returns) {
            is_target[end] = true;
        }
        let nil = self.out.leaf("nil");
        let mut entries = Vec::new();
        for (i, instruction) in list.iter().enumerate() {
            let kind = self.kind(instruction);
            let location = match instruction.location {
                Some(location) => self.irep(location, false),
                None => nil,
            };
            let code = self.irep(instruction.code, false);
            let guard = self.guard(instruction.guard);
            let labels = instruction.labels.iter();
            let labels = labels.map(|&l| self.out.text(self.from.ireps.text(l))).collect();
            entries.push(InstructionEntry {
                code,
                location,
                kind,
                guard,
                number: if is_target[i] { i as u32 + 1 } else { u32::MAX },
                targets: instruction.targets.iter().flatten().map(|&t| t as u32 + 1).collect(),
                labels,
            });
            // ESBMC's `return` leaves the function; CBMC's sets the result and goes on.
            if let (Kind::Return, Some(end)) = (instruction.kind, end) {
                let guard = self.guard(None);
                entries.push(InstructionEntry {
                    code: nil,
                    location,
                    kind: Kind::Goto as u32,
                    guard,
                    number: u32::MAX,
                    targets: [end as u32 + 1].into(),
                    labels: [].into(),
                });
            }
        }
        BodyEntry::Instructions(entries)
    }
}

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
//! | `ieee_float_equal` | `=` |
//! | calls of `malloc` and `free` | a side effect and a statement |
//! | setting a result goes on | it leaves the function |
//! | symbols of fields, instructions of fields | ireps |
//! | `__CPROVER__start` | `__ESBMC_main` |
//!
//! A construct for which the other tool has no words (`words.rs`) is a [`Loss`] with its position. Strict translation stops
//! at the first; lenient translation goes on without it and lists all.

mod bodies;
mod to_cbmc;
mod to_esbmc;
mod words;

use crate::binary::{Binary, Dialect, SymbolEntry, SymbolFields};
use crate::irep::{IrepBuilder, IrepId};
use crate::view::{SymbolView, flag};
use crate::write::renumber;
use rustc_hash::FxHashMap;
use vergo_num::BitVec;
use words::has_expression;

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
        numbers: FxHashMap::default(),
        pure: FxHashMap::default(),
        made: Vec::new(),
        counts: true,
    };
    // What is never executed may say what it likes. It comes last, since what both share is translated once.
    let executed = binary.own_functions(&functions);
    let mut bodies: Vec<Option<_>> = functions.iter().map(|_| None).collect();
    for counts in [true, false] {
        transcoder.counts = counts;
        for (i, function) in functions.iter().enumerate().filter(|&(i, _)| executed[i] == counts) {
            let instructions = binary.instructions(function).map_err(loss)?;
            bodies[i] = Some(transcoder.function(&function.name, &instructions));
            if let (false, Some(loss)) = (lenient, transcoder.losses.first()) {
                return Err(loss.clone());
            }
        }
    }
    // First values are assigned by a function, unless the file is not linked yet.
    transcoder.counts = !functions.iter().any(|f| STARTS.contains(&&f.name[..]));
    transcoder.function.clear();
    let mut entries: Vec<SymbolEntry> = binary
        .symbols
        .iter()
        .zip(&symbols)
        .map(|(entry, view)| transcoder.symbol(entry, view))
        .collect();
    let Transcoder { out, losses, made, .. } = transcoder;
    if let (false, Some(loss)) = (lenient, losses.first()) {
        return Err(loss.clone());
    }
    entries.extend(made.into_iter().map(|(_, entry)| entry));
    let bodies = bodies.into_iter().flatten().collect();
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
];

/// Names of functions that differ. ESBMC knows those for memory by their names.
const FUNCTIONS: &[(&str, &str)] = &[
    ("__CPROVER__start", "__ESBMC_main"),
    ("memcmp", "c:@F@__ESBMC_memcmp"),
    ("memcpy", "c:@F@__ESBMC_memcpy"),
    ("memmove", "c:@F@__ESBMC_memmove"),
    ("memset", "c:@F@__ESBMC_memset"),
];

/// The comment on a type whose numbers are names of Java's classes, and on its constants, whose name it is.
const CLASS_NAME: &str = "#class_name";

/// Functions that give static objects their first values.
const STARTS: &[&str] = &["__CPROVER_initialize", "__CPROVER__start", "__ESBMC_main"];

/// Types that have another type inside of them.
const NESTED_TYPES: &[&str] = &["array", "c_enum", "complex", "pointer", "vector"];

struct Transcoder<'a> {
    from: &'a Binary,
    to: Dialect,
    out: IrepBuilder,
    symbols: &'a [SymbolView<'a>],
    by_name: FxHashMap<String, usize>,
    /// The translations so far, of an irep as such and behind a pointer.
    done: FxHashMap<(IrepId, bool), IrepId>,
    losses: Vec<Loss>,
    function: String,
    location: Option<IrepId>,
    /// Structures that are being written out.
    open: Vec<String>,
    /// The numbers that stand for addresses of labels and names of classes.
    numbers: FxHashMap<String, u128>,
    /// For each expression, whether it has no effect.
    pure: FxHashMap<IrepId, bool>,
    /// Symbols that the translation needs and the file does not have, by their names.
    made: Vec<(String, SymbolEntry)>,
    /// True if a construct that cannot be expressed is a loss here.
    counts: bool,
}

impl Transcoder<'_> {
    fn lose(&mut self, what: impl Into<String>) {
        if !self.counts {
            return;
        }
        let ireps = &self.from.ireps;
        let text = |key| self.location.map_or("", |l| ireps.get_id(l, key));
        let (file, line) = (text("file"), text("line"));
        let place = if file.is_empty() { String::new() } else { format!("{file}:{line}") };
        self.losses.push(Loss { what: what.into(), function: self.function.clone(), place });
    }

    /// Notes that the other side does not have an expression. Any value stands in its place.
    fn unless_known(&mut self, irep: IrepId, id: &str) -> Option<IrepId> {
        let ty = self.from.ireps.get(irep, "type")?;
        // Statements are looked at by the instructions that have them.
        let no_expression =
            ["", "argument", "base", "code", "component", "parameter"].contains(&id);
        if no_expression || !self.counts {
            return None;
        }
        if has_expression(self.to, id) {
            return None;
        }
        self.lose(format!("the expression `{}`", self.from.ireps.id(irep)));
        Some(self.any_value(ty))
    }

    /// Any value of a type.
    fn any_value(&mut self, ty: IrepId) -> IrepId {
        let (ty, statement) = (self.irep(ty, false), self.out.leaf("nondet"));
        let id = match self.to {
            Dialect::Cbmc => "side_effect",
            Dialect::Esbmc => "sideeffect",
        };
        self.out.irep(id, &[], &[("type", ty), ("statement", statement)])
    }

    /// An expression that stands for another one stands where that does.
    fn placed(&mut self, new: IrepId, old: IrepId) -> IrepId {
        let key = "#source_location";
        match self.from.ireps.get(old, key) {
            Some(location) if self.out.ireps().get(new, key).is_none() => {
                let location = self.irep(location, false);
                self.out.extended(new, &[(key, location)])
            }
            _ => new,
        }
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

    /// A type. The names of Java's classes, of which only equality matters, are numbers where there is no type for them.
    fn type_irep(&mut self, ty: IrepId) -> IrepId {
        let ireps = &self.from.ireps;
        if self.to == Dialect::Esbmc && ireps.is_leaf(ty) && ireps.id(ty) == "string" {
            let (width, one) = (self.out.leaf("32"), self.out.leaf("1"));
            return self.out.irep("unsignedbv", &[], &[("width", width), (CLASS_NAME, one)]);
        }
        if self.to == Dialect::Cbmc && ireps.get(ty, CLASS_NAME).is_some() {
            return self.out.leaf("string");
        }
        self.irep(ty, false)
    }

    /// The number that stands for a name.
    fn number_of(&mut self, name: String) -> u128 {
        let next = self.numbers.len() as u128 + 1;
        *self.numbers.entry(name).or_insert(next)
    }

    /// The named children, translated, but for some.
    fn named(&mut self, irep: IrepId, but: &[&str]) -> Vec<(String, IrepId)> {
        let from = self.from;
        let mut all = Vec::new();
        for (key, child) in from.ireps.named(irep) {
            let key = String::from_utf8_lossy(from.ireps.text(key)).into_owned();
            if !but.contains(&&key[..]) {
                let child = match matches!(&key[..], "type" | "return_type") {
                    true => self.type_irep(child),
                    false => self.irep(child, false),
                };
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

    fn irep_or_nil(&mut self, irep: IrepId, key: &str) -> IrepId {
        match self.from.ireps.get(irep, key) {
            Some(child) => self.irep(child, false),
            None => self.out.leaf("nil"),
        }
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

    /// The comments of a type, such as that it is `const`.
    fn comments(&mut self, irep: IrepId) -> Vec<(String, IrepId)> {
        let mut named = self.named(irep, &[]);
        named.retain(|(key, _)| key.starts_with('#'));
        named
    }

    fn is_float(&self, irep: IrepId) -> bool {
        let ty = self.from.ireps.get(irep, "type");
        ty.is_some_and(|ty| self.from.ireps.id(ty) == "floatbv")
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
        // A body of the program's own goes with its name.
        let pair = pair.filter(|(cbmc, _)| *cbmc == "__CPROVER__start" || !self.has_body(name));
        match (pair, self.to) {
            (Some((_, esbmc)), Dialect::Esbmc) => (*esbmc).to_owned(),
            (Some((cbmc, _)), Dialect::Cbmc) => (*cbmc).to_owned(),
            (None, _) => name.to_owned(),
        }
    }

    fn has_body(&self, name: &str) -> bool {
        self.from.functions.iter().any(|f| *f.name == *name.as_bytes())
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
            _ => self.type_irep(view.ty),
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
}

//! Arbitrary values, assumptions, and the functions that stand for elements of arrays.

use crate::places::callee;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use vergo_cfront::hir::{CastKind, ExprId, ExprKind, Unit};
use vergo_cfront::typename::{declaration, type_name};
use vergo_cfront::types::{FloatKind, IntKind, QualType, RecordId, RecordKind, TypeId, TypeKind};
use vergo_cfront::words::{Piece, pieces};
use vergo_source::{SourceMap, Span};

/// Whose functions for arbitrary values and assumptions are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// `__VERIFIER_nondet_int`, `__VERIFIER_assume`.
    #[default]
    Svcomp,
    /// `nondet_int`, `__CPROVER_assume`.
    Cbmc,
    /// `nondet_int`, `__ESBMC_assume`.
    Esbmc,
}

impl Dialect {
    /// All, with their names.
    pub const ALL: [(&'static str, Dialect); 3] =
        [("svcomp", Dialect::Svcomp), ("cbmc", Dialect::Cbmc), ("esbmc", Dialect::Esbmc)];

    fn nondet(self, word: &str) -> String {
        match self {
            Dialect::Svcomp => format!("__VERIFIER_nondet_{word}"),
            Dialect::Cbmc | Dialect::Esbmc => format!("nondet_{word}"),
        }
    }

    pub(crate) fn assume(self) -> &'static str {
        match self {
            Dialect::Svcomp => "__VERIFIER_assume",
            Dialect::Cbmc => "__CPROVER_assume",
            Dialect::Esbmc => "__ESBMC_assume",
        }
    }
}

/// The purpose of a helper function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Helper {
    /// An arbitrary structure.
    Any,
    /// An element that is read.
    Read(usize),
    /// The place of an element that is written.
    Place(usize),
}

/// Writes declarations and helper functions for one program.
#[derive(Debug)]
pub(crate) struct Nondet<'a> {
    unit: &'a Unit,
    map: &'a SourceMap,
    dialect: Dialect,
    /// The prefix of all added names.
    pub(crate) prefix: String,
    /// The number of witness indices.
    pub(crate) witnesses: usize,
    /// The functions of the dialect that are used: name, declaration.
    externs: BTreeMap<String, String>,
    helpers: BTreeSet<(TypeId, Helper)>,
    /// Scalars of the file, by name.
    statics: BTreeMap<String, (TypeId, String)>,
    /// Names of structures that have none but a typedef's.
    typedefs: FxHashMap<RecordId, Option<String>>,
    /// The types to which pointers are more than compared ([`opened`]), once somebody asks.
    opened: Option<BTreeSet<TypeId>>,
}

impl<'a> Nondet<'a> {
    pub(crate) fn new(unit: &'a Unit, map: &'a SourceMap, dialect: Dialect) -> Nondet<'a> {
        let prefix = vergo_cfront::words::fresh_prefix(unit);
        Nondet {
            unit,
            map,
            dialect,
            prefix,
            witnesses: 1,
            externs: BTreeMap::new(),
            helpers: BTreeSet::new(),
            statics: BTreeMap::new(),
            typedefs: FxHashMap::default(),
            opened: None,
        }
    }

    /// The name of a component of a witness index.
    pub(crate) fn witness(&self, number: usize, dimension: usize) -> String {
        match dimension {
            0 => format!("{}w{}", self.prefix, number + 1),
            _ => format!("{}w{}_{}", self.prefix, number + 1, dimension + 1),
        }
    }

    /// Returns whether arbitrary values of a type can be made.
    pub(crate) fn has_any(&mut self, ty: QualType) -> bool {
        self.has_any_at(ty, 0)
    }

    fn has_any_at(&mut self, ty: QualType, depth: u32) -> bool {
        let unit = self.unit;
        if depth > 20 || ty.quals().has(vergo_cfront::ast::Quals::ATOMIC) {
            return false;
        }
        match unit.types.kind(ty) {
            TypeKind::Bool => true,
            TypeKind::Int(_) | TypeKind::Enum(_) => {
                unit.types.int_kind(ty).is_some_and(|kind| int_word(kind).is_some())
            }
            TypeKind::Float(kind) => matches!(kind, FloatKind::Float | FloatKind::Double),
            TypeKind::Pointer(to) => {
                let unnamed = matches!(unit.types.kind(*to), TypeKind::Record(id) if self.record_name(*id).is_none());
                let to = unit.types.canonical(to.ty());
                !unnamed && !self.opened.get_or_insert_with(|| opened(unit)).contains(&to)
            }
            TypeKind::Record(id) => {
                let record = &unit.types.records[*id];
                let Some(fields) = &record.fields else { return false };
                if record.kind == RecordKind::Union || self.record_name(*id).is_none() {
                    return false;
                }
                fields.iter().all(|field| {
                    let unnamed_bits =
                        field.name.is_none() && field.bits.is_some_and(|bits| bits.width == 0);
                    unnamed_bits
                        || field.name.is_some()
                            && !field.ty.quals().has(vergo_cfront::ast::Quals::CONST)
                            && self.has_any_at(field.ty, depth + 1)
                })
            }
            _ => false,
        }
    }

    /// An expression with an arbitrary value of a type.
    pub(crate) fn any(&mut self, ty: QualType) -> String {
        let unit = self.unit;
        match unit.types.kind(ty) {
            TypeKind::Bool => self.call("bool", "_Bool"),
            TypeKind::Pointer(_) => {
                let name = self.declare(ty, "");
                format!("({}){}", name.trim_end(), self.call("pointer", "void *"))
            }
            TypeKind::Float(FloatKind::Float) => self.call("float", "float"),
            TypeKind::Float(_) => self.call("double", "double"),
            TypeKind::Record(_) => {
                let id = unit.types.canonical(ty.ty());
                self.helpers.insert((id, Helper::Any));
                let word = self.word(ty);
                format!("{}any_{word}()", self.prefix)
            }
            _ => match unit.types.int_kind(ty) {
                Some(IntKind::SChar) => format!("(signed char){}", self.call("char", "char")),
                Some(kind) => {
                    let word = int_word(kind).unwrap_or("int");
                    self.call(word, &vergo_cfront::typename::int_name(kind))
                }
                None => self.call("int", "int"),
            },
        }
    }

    fn call(&mut self, word: &str, ty: &str) -> String {
        let name = self.dialect.nondet(word);
        self.externs.insert(name.clone(), format!("extern {ty} {name}(void);"));
        format!("{name}()")
    }

    /// A nondeterministic choice.
    pub(crate) fn choice(&mut self) -> String {
        self.call("int", "int")
    }

    /// An arbitrary iteration or index.
    pub(crate) fn number(&mut self) -> String {
        self.call("longlong", "long long")
    }

    /// An assumption.
    pub(crate) fn assume(&mut self, condition: &str) -> String {
        let name = self.dialect.assume();
        let parameter = if self.dialect == Dialect::Esbmc { "_Bool" } else { "int" };
        self.externs.insert(name.to_owned(), format!("extern void {name}({parameter});"));
        format!("{name}({condition});")
    }

    /// The function that reads an element of an array with so many dimensions.
    pub(crate) fn read(&mut self, element: QualType, dimensions: usize) -> String {
        let id = self.unit.types.canonical(element.ty());
        self.helpers.insert((id, Helper::Read(dimensions)));
        self.helper_name("read", element, dimensions)
    }

    /// The function that gives the place of an element.
    pub(crate) fn place(&mut self, element: QualType, dimensions: usize) -> String {
        let id = self.unit.types.canonical(element.ty());
        self.helpers.insert((id, Helper::Place(dimensions)));
        self.helper_name("place", element, dimensions)
    }

    fn helper_name(&mut self, what: &str, element: QualType, dimensions: usize) -> String {
        let number = if dimensions > 1 { dimensions.to_string() } else { String::new() };
        let word = self.word(element);
        format!("{}{what}{number}_{word}", self.prefix)
    }

    /// A variable of the file.
    pub(crate) fn variable(&mut self, name: &str, ty: QualType) -> String {
        let name = format!("{}{name}", self.prefix);
        let id = self.unit.types.canonical(ty.ty());
        let text = format!("static {};", self.declare(ty, &name));
        self.statics.insert(name.clone(), (id, text));
        name
    }

    /// A declaration of a name.
    pub(crate) fn declare(&mut self, ty: QualType, name: &str) -> String {
        let ty = ty.unqualified();
        match self.unit.types.kind(ty) {
            TypeKind::Record(id) => {
                format!("{} {name}", self.record_name(*id).unwrap_or_default())
            }
            _ => declaration(&self.unit.types, &self.unit.names, self.plain(ty), name),
        }
    }

    /// An enumeration without a name is written as its integer type.
    fn plain(&self, ty: QualType) -> QualType {
        match self.unit.types.kind(ty) {
            TypeKind::Enum(id) => self.unit.types.enums[*id].underlying.into(),
            _ => ty,
        }
    }

    /// A type as a part of a name.
    fn word(&mut self, ty: QualType) -> String {
        let name = match self.unit.types.kind(ty) {
            TypeKind::Record(id) => self.record_name(*id).unwrap_or_default(),
            _ => type_name(&self.unit.types, &self.unit.names, self.plain(ty.unqualified())),
        };
        name.replace("struct ", "").replace("unsigned ", "u").replace([' ', '*'], "_")
    }

    /// The name of a structure at file scope: its tag, or a typedef's.
    fn record_name(&mut self, id: RecordId) -> Option<String> {
        if let Some(name) = self.typedefs.get(&id) {
            return name.clone();
        }
        let name = self.find_record_name(id);
        self.typedefs.insert(id, name.clone());
        name
    }

    fn find_record_name(&self, id: RecordId) -> Option<String> {
        let record = &self.unit.types.records[id];
        self.after_definition(id)?;
        if let Some(tag) = record.tag {
            return Some(format!("struct {}", self.unit.names.name(tag)));
        }
        // `typedef struct { ... } NAME;`
        let file = self.map.lookup(record.span.lo)?.0;
        let text = self.map.text(file);
        let start = self.map.file_span(file).lo;
        // Without a tag, its place is that of all specifiers.
        let specifiers =
            &text[(record.span.lo - start) as usize..(record.span.hi - start) as usize];
        let (_, first) =
            pieces(specifiers).into_iter().find(|(piece, _)| *piece != Piece::Blank)?;
        if &specifiers[first] != b"typedef" {
            return None;
        }
        let after = &text[(record.span.hi - start) as usize..];
        let (piece, range) = pieces(after).into_iter().find(|(piece, _)| *piece != Piece::Blank)?;
        (piece == Piece::Name).then(|| String::from_utf8_lossy(&after[range]).into_owned())
    }

    /// Where the declaration at file scope ends that defines a structure.
    fn after_definition(&self, id: RecordId) -> Option<u32> {
        let mut span = self.unit.types.records[id].span;
        let records = self.unit.types.records.values();
        if let Some(outer) = records
            .map(|record| record.span)
            .filter(|outer| outer.contains(span))
            .max_by_key(|outer| outer.len())
        {
            span = outer;
        }
        let inside = |f: &vergo_cfront::hir::Function| {
            f.definition_span.is_some_and(|whole| whole.contains(span))
        };
        if self.unit.functions.values().any(inside) {
            return None;
        }
        let file = self.map.lookup(span.lo)?.0;
        let rest = Span::new(span.hi, self.map.file_span(file).hi);
        let text = self.map.span_text(rest);
        let mut depth = 0;
        for (piece, range) in pieces(text) {
            if piece == Piece::Punctuator {
                match text[range.start] {
                    b'{' | b'(' | b'[' => depth += 1,
                    b'}' | b')' | b']' => depth -= 1,
                    b';' if depth == 0 => return Some(rest.lo + range.end as u32),
                    _ => {}
                }
            }
        }
        None
    }

    /// The helper functions: those for the beginning of the file, and others by where they stand.
    ///
    /// Returns the helpers that the text uses: those that only an omitted loop had asked for are not written.
    pub(crate) fn helpers(&mut self, text: &str) -> (Vec<String>, BTreeMap<u32, Vec<String>>) {
        // An arbitrary structure needs those in it; those are found while writing.
        let mut done = BTreeSet::new();
        let mut texts: Vec<(TypeId, Helper, String)> = Vec::new();
        while let Some(&(ty, helper)) = self.helpers.iter().find(|key| !done.contains(*key)) {
            done.insert((ty, helper));
            let text = self.helper_text(ty.into(), helper);
            texts.push((ty, helper, text));
        }
        // Inner structures are defined before outer ones, and their helpers have to be as well.
        texts.sort_by_key(|(ty, helper, _)| (self.position(*ty), *helper, *ty));
        let (mut top, mut later) = (Vec::new(), BTreeMap::<u32, Vec<String>>::new());
        let used = |name: &str, text: &str| {
            text.match_indices(name).any(|(at, _)| {
                !text[at + name.len()..]
                    .starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            })
        };
        let variables: Vec<(TypeId, String)> = self
            .statics
            .iter()
            .filter(|(name, _)| used(name, text))
            .map(|(_, v)| v.clone())
            .collect();
        let named: Vec<(TypeId, String, String)> = texts
            .into_iter()
            .map(|(ty, helper, text)| (ty, self.name_of(ty.into(), helper), text))
            .collect();
        let mut wanted: Vec<bool> = named.iter().map(|(_, name, _)| used(name, text)).collect();
        while let Some(new) = (0..named.len()).find(|&i| {
            !wanted[i] && (0..named.len()).any(|j| wanted[j] && used(&named[i].1, &named[j].2))
        }) {
            wanted[new] = true;
        }
        let helpers =
            named.into_iter().zip(wanted).filter(|(_, w)| *w).map(|((ty, _, text), _)| (ty, text));
        for (ty, text) in variables.into_iter().chain(helpers) {
            match self.position(ty) {
                Some(position) => later.entry(position).or_default().push(text),
                None => top.push(text),
            }
        }
        (top, later)
    }

    fn name_of(&mut self, ty: QualType, helper: Helper) -> String {
        match helper {
            Helper::Any => {
                let word = self.word(ty);
                format!("{}any_{word}", self.prefix)
            }
            Helper::Read(dimensions) => self.helper_name("read", ty, dimensions),
            Helper::Place(dimensions) => self.helper_name("place", ty, dimensions),
        }
    }

    /// Where the type is known, if not at the beginning.
    fn position(&self, ty: TypeId) -> Option<u32> {
        self.unit.types.record(ty).and_then(|id| self.after_definition(id))
    }

    fn helper_text(&mut self, ty: QualType, helper: Helper) -> String {
        let word = self.word(ty);
        let parameters = |dimensions: usize| -> String {
            (1..=dimensions).map(|d| format!("long long e{d}")).collect::<Vec<_>>().join(", ")
        };
        let cases = |this: &Self, dimensions: usize, value: &dyn Fn(usize) -> String| -> String {
            let mut text = String::new();
            for number in 0..this.witnesses {
                let hit: Vec<String> = (0..dimensions)
                    .map(|d| format!("e{} == {}", d + 1, this.witness(number, d)))
                    .collect();
                text.push_str(&format!("if ({}) return {}; ", hit.join(" && "), value(number)));
            }
            text
        };
        match helper {
            Helper::Any => {
                let name = self.declare(ty, "x");
                let result = self.declare(ty, &format!("{}any_{word}(void)", self.prefix));
                let mut text = format!("static {result} {{ {name};");
                let id = self.unit.types.record(ty);
                let fields = id
                    .and_then(|id| self.unit.types.records[id].fields.clone())
                    .unwrap_or_default();
                for field in fields {
                    if let Some(name) = field.name {
                        let name = self.unit.names.name(name).to_owned();
                        let value = self.any(field.ty);
                        text.push_str(&format!(" x.{name} = {value};"));
                    }
                }
                text + " return x; }"
            }
            Helper::Read(dimensions) => {
                let any = self.any(ty);
                let name = self.helper_name("read", ty, dimensions);
                let cells = self.declare(ty, "*cells");
                // `const` in front of a pointer would be that of what it points to.
                let is_pointer = self.unit.types.pointee(ty).is_some();
                let constant = if is_pointer { "" } else { "const " };
                let head =
                    format!("{name}({constant}{cells}, {}, int *missed)", parameters(dimensions));
                let result = self.declare(ty, &head);
                let cases = cases(self, dimensions, &|number| format!("cells[{number}]"));
                format!("static {result} {{ {cases}*missed = 1; return {any}; }}")
            }
            Helper::Place(dimensions) => {
                let any = self.any(ty);
                let name = self.helper_name("place", ty, dimensions);
                let cells = self.declare(ty, "*cells");
                let other = self.declare(ty, "*other");
                let head = format!("*{name}({cells}, {}, {other})", parameters(dimensions));
                let result = self.declare(ty, &head);
                let cases = cases(self, dimensions, &|number| format!("&cells[{number}]"));
                format!("static {result} {{ {cases}*other = {any}; return other; }}")
            }
        }
    }

    /// The function that makes an index a witness index.
    pub(crate) fn pin_helper(&mut self) -> String {
        let assume = self.assume("e == w");
        format!(
            "static long long {}pin(long long e, long long w) {{ {assume} return e; }}",
            self.prefix
        )
    }

    /// The declarations of the dialect's functions, or the span of one that the program declares otherwise.
    pub(crate) fn externs(&self) -> Result<Vec<String>, Span> {
        for function in self.unit.functions.values() {
            let Some(ours) = self.externs.get(self.unit.names.name(function.name)) else {
                continue;
            };
            let Some(ty) = self.unit.types.function(function.ty) else { continue };
            let result = type_name(&self.unit.types, &self.unit.names, ty.ret.unqualified());
            let fits = ours.starts_with(&format!("extern {result} "))
                && (!ty.prototype || ty.params.len() == usize::from(!ours.contains("(void)")))
                && function.linkage == vergo_cfront::hir::Linkage::External;
            if !fits {
                return Err(function.span);
            }
        }
        Ok(self.externs.values().cloned().collect())
    }
}

/// The types such that something is done with pointers to them besides copies and comparisons. Of others it does not matter
/// where a pointer points, so that one of which nothing is known can be any.
fn opened(unit: &Unit) -> BTreeSet<TypeId> {
    let pointee = |expr: ExprId| {
        let to = unit.types.pointee(unit.exprs[expr].ty)?;
        Some(unit.types.canonical(to.ty()))
    };
    let is_void = |to: TypeId| unit.types.is_void(QualType::from(to));
    // Memory that is new is nobody else's.
    let is_new = |expr: ExprId| match unit.exprs[expr].kind {
        ExprKind::Call(called, _) => callee(unit, called).is_some_and(|function| {
            matches!(unit.names.name(unit.functions[function].name), "malloc" | "calloc")
        }),
        _ => false,
    };
    let is_decayed = |pointer: ExprId| {
        matches!(unit.exprs[pointer].kind, ExprKind::Cast(CastKind::ArrayDecay, _))
    };
    let mut opened = BTreeSet::new();
    let mut to_void = BTreeSet::new();
    for (id, expr) in unit.exprs.iter() {
        match expr.kind {
            ExprKind::Deref(pointer) => opened.extend(pointee(pointer)),
            ExprKind::Index(pointer, _) if !is_decayed(pointer) => opened.extend(pointee(pointer)),
            ExprKind::Cast(CastKind::Ptr, inner) => match (pointee(inner), pointee(id)) {
                (Some(from), Some(to)) if from == to => {}
                (Some(from), _) if is_void(from) => {
                    if !is_new(inner) {
                        opened.insert(from);
                    }
                }
                (Some(from), Some(to)) if is_void(to) => {
                    to_void.insert(from);
                }
                (from, to) => opened.extend(from.into_iter().chain(to)),
            },
            ExprKind::Cast(CastKind::PtrToInt, inner) => opened.extend(pointee(inner)),
            ExprKind::Cast(CastKind::IntToPtr, inner) if !crate::places::is_null(unit, inner) => {
                opened.extend(pointee(id));
            }
            ExprKind::Call(called, args) => {
                let known = callee(unit, called).is_some_and(|function| {
                    let declared = &unit.functions[function];
                    declared.body.is_some() || unit.names.name(declared.name) == "free"
                });
                if callee(unit, called).is_none() {
                    opened.extend(pointee(called));
                }
                if !known {
                    opened.extend(unit.expr_lists.get(args).iter().filter_map(|&arg| pointee(arg)));
                }
            }
            _ => {}
        }
    }
    if opened.iter().any(|&to| is_void(to)) {
        opened.extend(to_void);
    }
    // Who writes to a pointer through another one may write one of another type.
    let mut work: Vec<TypeId> = opened.iter().copied().collect();
    while let Some(ty) = work.pop() {
        if let Some(to) = unit.types.pointee(QualType::from(ty)) {
            let to = unit.types.canonical(to.ty());
            if opened.insert(to) {
                work.push(to);
            }
        }
    }
    opened
}

/// Returns the word in the names of the functions for arbitrary integers.
fn int_word(kind: IntKind) -> Option<&'static str> {
    Some(match kind {
        IntKind::Char | IntKind::SChar => "char",
        IntKind::UChar => "uchar",
        IntKind::Short => "short",
        IntKind::UShort => "ushort",
        IntKind::Int => "int",
        IntKind::UInt => "uint",
        IntKind::Long => "long",
        IntKind::ULong => "ulong",
        IntKind::LongLong => "longlong",
        IntKind::ULongLong => "ulonglong",
        _ => return None,
    })
}

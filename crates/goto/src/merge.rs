//! One program put into another: types, expressions, variables and functions of both side by side.
//!
//! Scalar types of both become one; structures stay apart, since equal names need not mean equal structures. Names that
//! both have get a number in the program that is put in. Nothing is linked here: what a function of one calls stays what
//! it was, until the caller gives functions without a body one that calls the other program's.

use crate::build::FunctionBuilder;
use crate::expr::{ExprId, ExprKind};
use crate::program::{
    Callee, Exit, Function, FunctionId, InitPart, Instr, InstrKind, Program, StaticInit, Symbol,
    SymbolId, SymbolKind,
};
use crate::types::{StructId, StructType, Type, TypeId};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashSet;

/// The distances by which the ids of the inserted program have moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    symbols: usize,
    functions: usize,
}

impl Moved {
    /// The new number of a function.
    #[must_use]
    pub fn function(self, function: FunctionId) -> FunctionId {
        FunctionId::new(function.index() + self.functions)
    }

    /// The new number of a variable.
    #[must_use]
    pub fn symbol(self, symbol: SymbolId) -> SymbolId {
        SymbolId::new(symbol.index() + self.symbols)
    }
}

impl Program {
    /// Puts another program into this one; both are for the same machine. The entry stays this one's.
    pub fn merge(&mut self, other: &Program) -> Moved {
        let moved = Moved { symbols: self.symbols.len(), functions: self.functions.len() };
        let types = self.merge_types(other);
        let sites = self.nondet_sites;
        self.nondet_sites += other.nondet_sites;
        // Expressions name symbols and functions by their numbers, which are known already.
        let mut exprs: SecondaryMap<ExprId, Option<ExprId>> = SecondaryMap::new();
        for (id, expr) in other.exprs.iter() {
            let kind = match &expr.kind {
                ExprKind::Symbol(symbol) => ExprKind::Symbol(moved.symbol(*symbol)),
                ExprKind::Function(function) => ExprKind::Function(moved.function(*function)),
                ExprKind::Nondet(site) => ExprKind::Nondet(site + sites),
                kind => kind.map_children(|child| exprs[child].unwrap_or(child)),
            };
            exprs[id] = Some(self.exprs.intern(kind, types[expr.ty]));
        }
        let expr = |e: ExprId| exprs[e].unwrap_or(e);
        let mut names: FxHashSet<String> = self.symbols.values().map(|s| s.name.clone()).collect();
        for symbol in other.symbols.values() {
            let name = unused(&mut names, &symbol.name);
            let kind = match &symbol.kind {
                SymbolKind::Local(f) => SymbolKind::Local(moved.function(*f)),
                SymbolKind::Param(f) => SymbolKind::Param(moved.function(*f)),
                SymbolKind::Static { init, thread_local } => SymbolKind::Static {
                    init: match init {
                        StaticInit::Nondet => StaticInit::Nondet,
                        StaticInit::Data(parts) => {
                            StaticInit::Data(parts.iter().map(|p| merge_part(p, expr)).collect())
                        }
                    },
                    thread_local: *thread_local,
                },
            };
            let ty = types[symbol.ty];
            self.add_symbol(Symbol { name, ty, kind, ..symbol.clone() });
        }
        let mut names: FxHashSet<String> =
            self.functions.values().map(|f| f.name.clone()).collect();
        for function in other.functions.values() {
            let name = unused(&mut names, &function.name);
            let body = function.body.as_ref().map(|body| {
                body.iter().map(|instr| merge_instr(instr, moved, expr)).collect::<Vec<Instr>>()
            });
            self.add_function(Function {
                name,
                ty: types[function.ty],
                params: function.params.iter().map(|&s| moved.symbol(s)).collect(),
                body,
                ..function.clone()
            });
        }
        moved
    }

    fn merge_types(&mut self, other: &Program) -> SecondaryMap<TypeId, TypeId> {
        let mut names: FxHashSet<String> =
            self.types.structs.values().map(|s| s.name.clone()).collect();
        let first = self.types.structs.len();
        for structure in other.types.structs.values() {
            let name = unused(&mut names, &structure.name);
            self.add_struct(StructType { name, ..structure.clone() });
        }
        let structure = |id: StructId| StructId::new(id.index() + first);
        let mut types: SecondaryMap<TypeId, TypeId> = SecondaryMap::with_default(self.types.void());
        for (id, ty) in other.types.iter() {
            let ty = match ty {
                Type::Void | Type::Bool | Type::Int { .. } | Type::Float(_) => ty.clone(),
                Type::Ptr(to) => Type::Ptr(types[*to]),
                Type::Array(element, len) => Type::Array(types[*element], *len),
                Type::Struct(id) => Type::Struct(structure(*id)),
                Type::Func(ret, params) => {
                    Type::Func(types[*ret], params.iter().map(|&p| types[p]).collect())
                }
            };
            types[id] = self.types.intern(ty);
        }
        for id in other.types.structs.keys() {
            for field in &mut self.types.structs[structure(id)].fields {
                field.ty = types[field.ty];
            }
        }
        types
    }

    /// Gives a function a body that calls another one, with arguments and result converted by value.
    ///
    /// # Errors
    /// If a parameter or the result has no conversion; the function stays without a body.
    pub fn forward(&mut self, from: FunctionId, to: FunctionId) -> Result<(), String> {
        let signature = |p: &Program, f: FunctionId| match p.types.get(p.functions[f].ty) {
            Type::Func(ret, params) => Ok((*ret, params.to_vec())),
            _ => Err("a function has no function type".to_owned()),
        };
        let ((ret, params), (to_ret, to_params)) = (signature(self, from)?, signature(self, to)?);
        let void = *self.types.get(ret) == Type::Void;
        let to_void = *self.types.get(to_ret) == Type::Void;
        let fits = params.len() == to_params.len()
            && params.iter().zip(&to_params).all(|(&a, &b)| self.converts(a, b))
            && (void || !to_void && self.converts(to_ret, ret));
        if !fits {
            let name = &self.functions[from].name;
            return Err(format!("`{name}` has other parameters or another result there"));
        }
        if self.functions[from].params.len() != params.len() {
            self.functions[from].params = params
                .iter()
                .enumerate()
                .map(|(i, &ty)| {
                    let name = format!("{}::$forward{i}", self.functions[from].name);
                    self.new_local(name, ty, SymbolKind::Param(from))
                })
                .collect();
        }
        let mut builder = FunctionBuilder::new();
        builder.set_span(self.functions[from].span);
        let own = self.functions[from].params.clone();
        let args: Vec<ExprId> = own
            .into_iter()
            .zip(&to_params)
            .map(|(symbol, &ty)| {
                let value = self.symbol(symbol);
                self.converted(value, ty)
            })
            .collect();
        let result = match void {
            true => None,
            false => {
                let name = format!("{}::$forwarded", self.functions[from].name);
                let symbol = self.new_local(name, to_ret, SymbolKind::Local(from));
                builder.decl(symbol);
                Some(self.symbol(symbol))
            }
        };
        let dest = if to_void { None } else { result };
        builder.push(InstrKind::Call { dest, callee: Callee::Direct(to), args: args.into() });
        let result = result.map(|value| self.converted(value, ret));
        builder.ret(result);
        builder.finish(self, from);
        self.functions[from].library = true;
        Ok(())
    }

    fn new_local(&mut self, name: String, ty: TypeId, kind: SymbolKind) -> SymbolId {
        let align = self.types.align_of(ty, &self.machine);
        let (display, span) = (String::new(), vergo_source::Span::DUMMY);
        self.add_symbol(Symbol { name, display, ty, kind, span, align, writable: true })
    }

    fn converts(&self, from: TypeId, to: TypeId) -> bool {
        let scalar =
            |t: &Type| matches!(t, Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_));
        let (a, b) = (self.types.get(from), self.types.get(to));
        match (a, b) {
            (Type::Float(_), Type::Ptr(_)) | (Type::Ptr(_), Type::Float(_)) => false,
            _ if scalar(a) && scalar(b) => true,
            _ => {
                from == to || self.size_of(from).is_some() && self.size_of(from) == self.size_of(to)
            }
        }
    }

    fn converted(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        let scalar =
            |t: &Type| matches!(t, Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_));
        match scalar(self.types.get(ty)) && scalar(self.type_of(value)) {
            true => self.cast(ty, value),
            false => self.bits(ty, value),
        }
    }
}

fn unused(names: &mut FxHashSet<String>, name: &str) -> String {
    let mut new = name.to_owned();
    let mut n = 0;
    while !names.insert(new.clone()) {
        n += 1;
        new = format!("{name}$m{n}");
    }
    new
}

fn merge_part(part: &InitPart, expr: impl Fn(ExprId) -> ExprId) -> InitPart {
    match part {
        InitPart::Value { offset, value } => {
            InitPart::Value { offset: *offset, value: expr(*value) }
        }
        InitPart::Bytes { .. } => part.clone(),
    }
}

fn merge_instr(instr: &Instr, moved: Moved, expr: impl Fn(ExprId) -> ExprId) -> Instr {
    let opt = |e: Option<ExprId>| e.map(&expr);
    let list = |all: &[ExprId]| all.iter().map(|&e| expr(e)).collect::<Box<[ExprId]>>();
    let target = |callee: Callee| match callee {
        Callee::Direct(f) => Callee::Direct(moved.function(f)),
        Callee::Indirect(e) => Callee::Indirect(expr(e)),
    };
    let kind = match &instr.kind {
        InstrKind::Skip
        | InstrKind::Label(_)
        | InstrKind::Goto(None, _)
        | InstrKind::AtomicBegin
        | InstrKind::AtomicEnd
        | InstrKind::End(Exit::Abort)
        | InstrKind::Unsupported(_) => instr.kind.clone(),
        InstrKind::Assign(place, value) => InstrKind::Assign(expr(*place), expr(*value)),
        InstrKind::Assume(e) => InstrKind::Assume(expr(*e)),
        InstrKind::Assert(e, claim) => InstrKind::Assert(expr(*e), claim.clone()),
        InstrKind::Goto(Some(e), label) => InstrKind::Goto(Some(expr(*e)), *label),
        InstrKind::Call { dest, callee, args } => {
            InstrKind::Call { dest: opt(*dest), callee: target(*callee), args: list(args) }
        }
        InstrKind::Return(e) => InstrKind::Return(opt(*e)),
        InstrKind::Decl(symbol) => InstrKind::Decl(moved.symbol(*symbol)),
        InstrKind::Dead(symbol) => InstrKind::Dead(moved.symbol(*symbol)),
        InstrKind::Alloc { dest, size, align, region, zeroed } => InstrKind::Alloc {
            dest: expr(*dest),
            size: expr(*size),
            align: *align,
            region: *region,
            zeroed: *zeroed,
        },
        InstrKind::Free(e, region) => InstrKind::Free(expr(*e), *region),
        InstrKind::Spawn { dest, callee, arg } => {
            InstrKind::Spawn { dest: opt(*dest), callee: target(*callee), arg: expr(*arg) }
        }
        InstrKind::Join { thread, dest } => {
            InstrKind::Join { thread: expr(*thread), dest: opt(*dest) }
        }
        InstrKind::Intrinsic { op, dest, args } => {
            InstrKind::Intrinsic { op: *op, dest: opt(*dest), args: list(args) }
        }
        InstrKind::End(Exit::Status(e)) => InstrKind::End(Exit::Status(expr(*e))),
    };
    let parts = instr.parts.iter().map(|&(e, span)| (expr(e), span)).collect();
    Instr { kind, span: instr.span, parts }
}

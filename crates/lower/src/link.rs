//! The parts that a whole program shares: its units, the names by which they know each other, the queue of bodies.
//!
//! The user's unit and the units of library models are lowered into one program. A name is resolved when it is first
//! used: to a definition of the user's, else to an operation that lowering knows, else to the model that the registry
//! names, whose file is then parsed; only what is reached is lowered. So a program that calls `strlen` costs one small
//! file, and the headers' other declarations cost nothing.

use crate::Options;
use crate::codes;
use crate::function::Fx;
use crate::known::Known;
use crate::models::{self, Real};
use crate::types::RecordInfo;
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;
use vergo_cfront::hir::{Definition, FuncId, LabelId, Linkage, Storage, StringId, Unit, VarId};
use vergo_cfront::target::{DataModel, Target};
use vergo_cfront::types::{RecordId, TypeKind};
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Function, FunctionId, Program, Symbol, SymbolId};
use vergo_goto::types::{Machine, TypeId};
use vergo_num::FloatFormat;
use vergo_source::{Diagnostic, Diagnostics, SourceMap, Span};

/// The number of a unit in [`Cx::units`]; the user's is the first.
pub(crate) type UnitIndex = usize;

/// A unit that is borrowed from the caller or that was parsed here.
#[derive(Clone)]
pub(crate) enum Handle<'a> {
    Borrowed(&'a Unit),
    Owned(Rc<Unit>),
}

impl Deref for Handle<'_> {
    type Target = Unit;

    fn deref(&self) -> &Unit {
        match self {
            Handle::Borrowed(unit) => unit,
            Handle::Owned(unit) => unit,
        }
    }
}

/// A unit and what has been lowered of it.
pub(crate) struct UnitState<'a> {
    pub(crate) unit: Handle<'a>,
    /// True if it is a library model.
    pub(crate) library: bool,
    pub(crate) types: SecondaryMap<vergo_cfront::types::TypeId, Option<TypeId>>,
    pub(crate) records: SecondaryMap<RecordId, Option<RecordInfo>>,
    /// Variables of every storage. Variable-length arrays are known by the pointer to their first element.
    pub(crate) vars: SecondaryMap<VarId, Option<SymbolId>>,
    functions: SecondaryMap<FuncId, Option<Resolved>>,
    pub(crate) strings: SecondaryMap<StringId, Option<SymbolId>>,
    /// External definitions by the name that the linker sees.
    function_names: FxHashMap<Box<str>, FuncId>,
    pub(crate) var_names: FxHashMap<Box<str>, VarId>,
}

/// The function that a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resolved {
    /// A function with a body.
    Function(FunctionId),
    /// An operation that lowering knows.
    Known(Known),
    /// Neither defined nor modelled.
    Missing,
}

/// A body to be lowered.
struct Work {
    unit: UnitIndex,
    func: FuncId,
    id: FunctionId,
}

/// The program under construction.
pub(crate) struct Cx<'a> {
    pub(crate) p: Program,
    pub(crate) target: Target,
    pub(crate) options: &'a Options,
    pub(crate) sources: &'a mut SourceMap,
    pub(crate) diags: &'a mut Diagnostics,
    pub(crate) units: Vec<UnitState<'a>>,
    queue: VecDeque<Work>,
    /// The number of uses of each name, to make the next use unique.
    symbol_names: FxHashMap<String, u32>,
    function_names: FxHashMap<String, u32>,
    struct_names: FxHashMap<String, u32>,
    /// Units of models by the file's name; `None` if it does not compile.
    model_units: FxHashMap<(&'static str, Option<Real>), Option<UnitIndex>>,
    /// Functions of models by name.
    model_functions: FxHashMap<Box<str>, Option<FunctionId>>,
    /// Stubs of functions that are neither defined nor modelled but whose address is taken.
    stubs: FxHashMap<(Box<str>, TypeId), FunctionId>,
    pub(crate) variadic: FxHashSet<FunctionId>,
    pub(crate) variable_arguments: Option<TypeId>,
    /// The variables of the program whose addresses are taken, once that was asked.
    pub(crate) exposed: Option<FxHashSet<VarId>>,
    /// True if it can close streams, once that was asked.
    pub(crate) closes_streams: Option<bool>,
    /// The memory that its functions use, once that was asked.
    pub(crate) summaries: Option<std::rc::Rc<crate::order::Summaries>>,
    pub(crate) va_list: Option<TypeId>,
    pub(crate) complex_types: FxHashMap<TypeId, TypeId>,
    pub(crate) packs: FxHashMap<Vec<TypeId>, TypeId>,
    /// Addresses of labels, by unit.
    labels: FxHashMap<(UnitIndex, LabelId), u64>,
    /// The variables of `longjmp`, if the program jumps.
    pub(crate) jumps: Option<crate::unwind::Jumps>,
    /// The nested functions, if there are any.
    pub(crate) nests: Option<crate::nested::Nests>,
    /// The function that runs when the program ends, if there is one.
    pub(crate) fini: Option<FunctionId>,
    /// The function that is told the status before.
    pub(crate) note_status: Option<FunctionId>,
    /// The second parameter of `main`, if its elements are made when they are looked at.
    pub(crate) looked_at: Option<VarId>,
    /// Objects of unknown size that are defined elsewhere.
    pub(crate) open: FxHashSet<SymbolId>,
    /// The mentions of such objects of the user's unit whose addresses are only compared or converted, once they are known.
    pub(crate) address_only: Option<FxHashSet<vergo_cfront::hir::ExprId>>,
    /// Says whether the last function to return had no value, where that is asked.
    pub(crate) lacks_value: Option<SymbolId>,
    pub(crate) n_temps: u32,
    /// The variable that says whether a body is being checked against its contract.
    pub(crate) frame: Option<SymbolId>,
    /// Functions whose calls mark places.
    pub(crate) markers: FxHashMap<(String, TypeId), FunctionId>,
    /// The numbers of uninterpreted functions.
    pub(crate) uninterpreted: FxHashMap<String, i128>,
    /// Names that have been reported as missing.
    reported: FxHashSet<String>,
    /// Constant images of large initialisers, by initialiser.
    pub(crate) images: FxHashMap<(UnitIndex, vergo_cfront::hir::InitId), SymbolId>,
    /// Statics whose initial data is still to be computed.
    pub(crate) pending_statics: VecDeque<(UnitIndex, VarId, SymbolId)>,
}

impl<'a> Cx<'a> {
    /// A program with the user's unit, nothing of it lowered.
    pub(crate) fn new(
        unit: &'a Unit,
        sources: &'a mut SourceMap,
        options: &'a Options,
        diags: &'a mut Diagnostics,
    ) -> Cx<'a> {
        let machine = match unit.target.model {
            DataModel::Ilp32 => Machine::ILP32,
            DataModel::Lp64 => Machine::LP64,
        };
        let mut cx = Cx {
            p: Program::new(machine),
            target: unit.target,
            options,
            sources,
            diags,
            units: Vec::new(),
            queue: VecDeque::new(),
            symbol_names: FxHashMap::default(),
            function_names: FxHashMap::default(),
            struct_names: FxHashMap::default(),
            model_units: FxHashMap::default(),
            model_functions: FxHashMap::default(),
            stubs: FxHashMap::default(),
            variadic: FxHashSet::default(),
            variable_arguments: None,
            exposed: None,
            closes_streams: None,
            summaries: None,
            va_list: None,
            complex_types: FxHashMap::default(),
            packs: FxHashMap::default(),
            labels: FxHashMap::default(),
            jumps: None,
            nests: None,
            fini: None,
            note_status: None,
            looked_at: None,
            lacks_value: None,
            open: FxHashSet::default(),
            address_only: None,
            n_temps: 0,
            frame: None,
            markers: FxHashMap::default(),
            uninterpreted: FxHashMap::default(),
            reported: FxHashSet::default(),
            images: FxHashMap::default(),
            pending_statics: VecDeque::new(),
        };
        cx.add_unit(Handle::Borrowed(unit), false);
        cx
    }

    fn add_unit(&mut self, unit: Handle<'a>, library: bool) -> UnitIndex {
        let mut function_names = FxHashMap::default();
        let mut var_names: FxHashMap<Box<str>, VarId> = FxHashMap::default();
        for (id, function) in unit.functions.iter() {
            if function.linkage == Linkage::External
                && (function.body.is_some() || function.alias.is_some())
            {
                let name = link_name(&unit, function.name, function.asm_name);
                match function_names.entry(Box::from(name)) {
                    std::collections::hash_map::Entry::Vacant(entry) => {
                        entry.insert(id);
                    }
                    std::collections::hash_map::Entry::Occupied(mut entry) => {
                        let old: FuncId = *entry.get();
                        if unit.functions[old].weak && !function.weak {
                            entry.insert(id);
                        }
                    }
                }
            }
        }
        for (id, var) in unit.vars.iter() {
            if let (Some(name), Storage::Static { linkage: Linkage::External, definition, .. }) =
                (var.name, var.storage)
                && (definition != Definition::Declared || var.alias.is_some())
            {
                let name = link_name(&unit, name, var.asm_name);
                let better =
                    var_names.get(name).is_none_or(|&old| rank(&unit, old) < rank(&unit, id));
                if better {
                    var_names.insert(name.into(), id);
                }
            }
        }
        self.units.push(UnitState {
            unit,
            library,
            types: SecondaryMap::new(),
            records: SecondaryMap::new(),
            vars: SecondaryMap::new(),
            functions: SecondaryMap::new(),
            strings: SecondaryMap::new(),
            function_names,
            var_names,
        });
        self.units.len() - 1
    }

    /// Says something about the user's program.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    /// Says once per name that something is missing.
    pub(crate) fn report_missing(&mut self, name: &str, span: Span) {
        if self.reported.insert(name.to_string()) {
            let message = match name.starts_with("__builtin_") {
                true => format!("the builtin `{name}` is not known"),
                false => format!("`{name}` has neither a body nor a model"),
            };
            self.report(Diagnostic::warning(codes::NO_BODY, span, message));
        }
    }

    /// A name for a symbol that no other symbol has.
    pub(crate) fn unique_symbol_name(&mut self, base: &str) -> String {
        unique(&mut self.symbol_names, base)
    }

    /// Checks whether a variable or function of the program has this name.
    pub(crate) fn is_global(&self, name: &str) -> bool {
        self.symbol_names.contains_key(name) || self.function_names.contains_key(name)
    }

    /// A name for a structure that no other structure has.
    pub(crate) fn unique_struct_name(&mut self, base: &str) -> String {
        unique(&mut self.struct_names, base)
    }

    /// A function that lowering makes up.
    pub(crate) fn add_function(
        &mut self,
        base: &str,
        display: &str,
        ty: TypeId,
        span: Span,
        library: bool,
    ) -> FunctionId {
        let name = unique(&mut self.function_names, base);
        self.p.add_function(Function { span, library, ..Function::declaration(name, display, ty) })
    }

    /// A symbol with a name derived from `base`.
    pub(crate) fn add_symbol(&mut self, base: &str, mut symbol: Symbol) -> SymbolId {
        symbol.name = self.unique_symbol_name(base);
        self.p.add_symbol(symbol)
    }

    /// The address of a label, a small number that no object has.
    pub(crate) fn label_address(&mut self, unit: UnitIndex, label: LabelId) -> u64 {
        let next = self.labels.len() as u64 + 1;
        *self.labels.entry((unit, label)).or_insert(next)
    }

    /// Resolves a function of a unit.
    pub(crate) fn resolve(&mut self, unit: UnitIndex, func: FuncId) -> Resolved {
        if let Some(&Some(target)) = self.units[unit].functions.get(func) {
            return target;
        }
        // An alias of itself is defined nowhere.
        self.units[unit].functions[func] = Some(Resolved::Missing);
        let target = self.resolve_new(unit, func);
        self.units[unit].functions[func] = Some(target);
        target
    }

    fn resolve_new(&mut self, unit: UnitIndex, func: FuncId) -> Resolved {
        let handle = self.units[unit].unit.clone();
        let function = &handle.functions[func];
        if let Some(alias) = function.alias {
            let name = handle.names.name(alias);
            let target = self.units[unit].function_names.get(name).copied().or_else(|| {
                handle
                    .functions
                    .iter()
                    .find(|(id, f)| {
                        *id != func && f.body.is_some() && handle.names.name(f.name) == name
                    })
                    .map(|(id, _)| id)
            });
            if let Some(target) = target.filter(|&target| target != func) {
                return self.resolve(unit, target);
            }
        }
        let name = handle.names.name(function.name);
        let linked = link_name(&handle, function.name, function.asm_name);
        if function.linkage == Linkage::External {
            // The user's definitions come first, also for what models call; then the own unit's.
            for index in [0, unit] {
                if let Some(&definition) = self.units[index].function_names.get(linked)
                    && (index, definition) != (unit, func)
                {
                    return self.resolve(index, definition);
                }
            }
        }
        if function.body.is_some() {
            return Resolved::Function(self.declare(unit, func));
        }
        for candidate in [linked, name] {
            let known = Known::of(candidate, self.units[unit].library, self.options);
            if let Some(known) = known.filter(|k| self.options.models || !k.is_of_library()) {
                return Resolved::Known(known);
            }
            if let Some(id) = self.model_function(candidate) {
                return Resolved::Function(id);
            }
        }
        let builtin = linked.starts_with("__builtin_");
        if !self.options.models && !builtin && !function.weak {
            return Resolved::Function(self.declare_only(unit, func));
        }
        Resolved::Missing
    }

    /// The GOTO function of a declaration, which stays without a body.
    fn declare_only(&mut self, unit: UnitIndex, func: FuncId) -> FunctionId {
        let handle = self.units[unit].unit.clone();
        let function = &handle.functions[func];
        let signature = handle.types.function(function.ty);
        let ty = self.ty(unit, function.ty);
        let name = link_name(&handle, function.name, function.asm_name);
        let display = handle.names.name(function.name);
        // Without a prototype, each call says what it passes.
        let library = signature.is_some_and(|signature| signature.prototype);
        let id = self.add_function(name, display, ty, function.span, library);
        if signature.is_some_and(|signature| signature.variadic) {
            self.variadic.insert(id);
        }
        id
    }

    /// The function of a library model, lowered when its turn comes.
    pub(crate) fn model_function(&mut self, name: &str) -> Option<FunctionId> {
        // What compilers have of their own is no library that somebody could link.
        if !self.options.models && !name.starts_with("__vergo_") {
            return None;
        }
        if let Some(&id) = self.model_functions.get(name) {
            return id;
        }
        let id = self.find_model_function(name);
        self.model_functions.insert(name.into(), id);
        id
    }

    fn find_model_function(&mut self, name: &str) -> Option<FunctionId> {
        let (model, real) = models::of_function(name)?;
        let unit = self.model_unit(model, real)?;
        let func = *self.units[unit].function_names.get(name)?;
        match self.resolve(unit, func) {
            Resolved::Function(id) => Some(id),
            _ => None,
        }
    }

    /// The unit of a model, parsed when it is first needed.
    pub(crate) fn model_unit(
        &mut self,
        model: &'static models::Model,
        real: Option<Real>,
    ) -> Option<UnitIndex> {
        if let Some(&unit) = self.model_units.get(&(model.path, real)) {
            return unit;
        }
        let parsed = models::parse(model, real, self.target.model, self.sources);
        let unit = match parsed {
            Ok(unit) => Some(self.add_unit(Handle::Owned(Rc::new(unit)), true)),
            Err(message) => {
                let message = format!("the model `{}` does not compile: {message}", model.path);
                self.report(Diagnostic::error(codes::MODEL_ERROR, Span::DUMMY, message));
                None
            }
        };
        self.model_units.insert((model.path, real), unit);
        unit
    }

    /// The address of a function as a pointer; a weak function that is defined nowhere has the null pointer.
    pub(crate) fn function_pointer(&mut self, unit: UnitIndex, func: FuncId) -> ExprId {
        let func = self.under_contract(unit, func, None);
        let target = self.resolve(unit, func);
        if let Resolved::Function(id) = target {
            return self.p.function(id);
        }
        let handle = self.units[unit].unit.clone();
        let function = &handle.functions[func];
        let name = handle.names.name(function.name).to_string();
        let ty = self.ty(unit, function.ty);
        if target == Resolved::Missing && function.weak {
            let ptr = self.p.types.ptr(ty);
            return self.p.null(ptr);
        }
        if let Some(id) = self.model_function(&name) {
            return self.p.function(id);
        }
        let id = self.stub(&name, ty, function.span);
        self.p.function(id)
    }

    /// A function whose call is a call of nothing.
    fn stub(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        if let Some(&id) = self.stubs.get(&(Box::from(name), ty)) {
            return id;
        }
        let id = self.add_function(name, name, ty, span, true);
        self.stubs.insert((name.into(), ty), id);
        Fx::lower_stub(self, id, name);
        id
    }

    /// The GOTO function of a definition, its body queued.
    fn declare(&mut self, unit: UnitIndex, func: FuncId) -> FunctionId {
        let handle = self.units[unit].unit.clone();
        let function = &handle.functions[func];
        let TypeKind::Function(signature) = handle.types.kind(function.ty) else {
            unreachable!("functions have function types")
        };
        let mut params: Vec<TypeId> = function
            .params
            .iter()
            .map(|&param| {
                let ty = self.ty(unit, handle.vars[param].ty);
                if signature.prototype { ty } else { self.promoted(ty) }
            })
            .collect();
        if function.nested.is_some() {
            params.insert(0, self.void_ptr());
        }
        if signature.variadic {
            params.push(self.variable_arguments());
        }
        let ret = self.ty(unit, signature.ret);
        let ty = self.p.types.func(ret, params);
        let name = link_name(&handle, function.name, function.asm_name);
        let display = handle.names.name(function.name);
        let library = self.units[unit].library;
        let id = self.add_function(name, display, ty, function.span, library);
        if signature.variadic {
            self.variadic.insert(id);
        }
        // The number is known before the body is lowered, so that recursion finds it.
        self.units[unit].functions[func] = Some(Resolved::Function(id));
        self.queue.push_back(Work { unit, func, id });
        id
    }

    /// The type that a value of this type is passed at where there is no prototype (C17 6.5.2.2p6).
    pub(crate) fn promoted(&mut self, ty: TypeId) -> TypeId {
        use vergo_goto::types::Type;
        match *self.p.types.get(ty) {
            Type::Int { width, .. } if width < 32 => self.int_type(),
            Type::Float(FloatFormat::SINGLE) => self.p.types.float(FloatFormat::DOUBLE),
            _ => ty,
        }
    }

    /// Lowers all bodies that are waiting, and those that they need.
    pub(crate) fn drain(&mut self) {
        loop {
            if let Some((unit, var, symbol)) = self.pending_statics.pop_front() {
                self.fill_static(unit, var, symbol);
            } else if let Some(work) = self.queue.pop_front() {
                Fx::lower_body(self, work.unit, work.func, work.id);
            } else {
                return;
            }
        }
    }
}

/// Returns the rank of a variable's declaration: the more it defines, the higher.
fn rank(unit: &Unit, var: VarId) -> u32 {
    match unit.vars[var].storage {
        Storage::Static { definition: Definition::Defined, .. } => {
            2 + u32::from(!unit.vars[var].weak)
        }
        Storage::Static { definition: Definition::Tentative, .. } => 1,
        _ => 0,
    }
}

/// The name by which the linker knows something.
pub(crate) fn link_name(
    unit: &Unit,
    name: vergo_cfront::intern::Symbol,
    asm_name: Option<vergo_cfront::intern::Symbol>,
) -> &str {
    unit.names.name(asm_name.unwrap_or(name))
}

fn unique(names: &mut FxHashMap<String, u32>, base: &str) -> String {
    let Some(count) = names.get_mut(base) else {
        names.insert(base.to_string(), 0);
        return base.to_string();
    };
    let mut n = *count;
    let name = loop {
        n += 1;
        let name = format!("{base}${n}");
        if !names.contains_key(&name) {
            break name;
        }
    };
    if let Some(count) = names.get_mut(base) {
        *count = n;
    }
    names.insert(name.clone(), 0);
    name
}

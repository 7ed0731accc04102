//! The entry function `__vergo_start`: constructors, `main` with its arguments, what runs at the end, the status.
//!
//! With given arguments, `argv` points to static strings. Without, the arguments are any: `argc` is at least one and
//! below a fixed bound, each string has any length below the bound and any characters, the last of them zero, and
//! `argv[argc]` is null (C17 5.1.2.2.1). They are made only if `main` mentions `argv`, since a loop over them is a burden
//! on every analysis.

use crate::function::Fx;
use crate::link::{Cx, Resolved};
use crate::{Arguments, Options, Pointers};
use vergo_cfront::hir::{Definition, ExprKind as HirKind, FuncId, Storage, VarId};
use vergo_cfront::types::{QualType, RecordKind, TypeKind};
use vergo_goto::expr::ExprId;
use vergo_goto::program::{
    Callee, Exit, FunctionId, InitPart, InstrKind, Region, StaticInit, Symbol, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// Bound on the number and length of arguments that are not given.
const ARGUMENT_BOUND: i128 = 1 << 16;

impl Cx<'_> {
    /// Makes the function that runs when the program ends, if something has to run then.
    pub(crate) fn make_fini(&mut self) {
        let unit = self.units[0].unit.clone();
        let mut destructors: Vec<(u32, FuncId)> = unit
            .functions
            .iter()
            .filter_map(|(id, function)| {
                function.body.and(function.destructor).map(|priority| (priority, id))
            })
            .collect();
        // Higher priorities run first, and of equal ones the later.
        destructors.sort_by_key(|&(priority, id)| std::cmp::Reverse((priority, id)));
        let registers = unit.functions.iter().any(|(id, function)| {
            function.body.is_none()
                && matches!(unit.names.name(function.name), "atexit" | "on_exit" | "__cxa_atexit")
                && self.is_referenced(id)
        });
        if destructors.is_empty() && !registers {
            return;
        }
        let void = self.p.types.void();
        let ty = self.p.types.func(void, []);
        let id = self.add_function("__vergo_finish", "__vergo_finish", ty, Span::DUMMY, true);
        self.fini = Some(id);
        let handlers = if registers { self.model_function("__vergo_run_handlers") } else { None };
        self.note_status =
            if registers { self.model_function("__vergo_note_status") } else { None };
        let mut fx = Fx::new(self, 0, id);
        if let Some(handlers) = handlers {
            fx.b.call(None, handlers, []);
        }
        for (_, func) in destructors {
            if let Resolved::Function(destructor) = fx.cx.resolve(0, func) {
                fx.b.call(None, destructor, []);
            }
        }
        fx.b.ret(None);
        fx.finish();
    }

    /// Returns whether an expression of the user's unit names a function.
    fn is_referenced(&self, func: FuncId) -> bool {
        self.units[0]
            .unit
            .exprs
            .values()
            .any(|e| matches!(e.kind, HirKind::Function(f) if f == func))
    }

    /// Makes the entry function.
    pub(crate) fn make_start(&mut self) {
        let unit = self.units[0].unit.clone();
        let entry = unit.functions.iter().find(|(_, function)| {
            function.body.is_some() && unit.names.name(function.name) == self.options.entry
        });
        // Whether a program needs a beginning is for those to say who want to begin.
        let Some((main, _)) = entry else { return };
        // A function that is to keep its contract begins with what the contract requires.
        let main = self.under_contract(0, main, None);
        let function = &unit.functions[main];
        let Resolved::Function(main) = self.resolve(0, main) else { return };
        let mut constructors: Vec<(u32, FuncId)> = unit
            .functions
            .iter()
            .filter_map(|(id, function)| {
                function.body.and(function.constructor).map(|priority| (priority, id))
            })
            .collect();
        constructors.sort_unstable();
        let void = self.p.types.void();
        let ty = self.p.types.func(void, []);
        let id = self.add_function("__vergo_start", "__vergo_start", ty, Span::DUMMY, true);
        self.p.entry = Some(id);
        let mut fx = Fx::new(self, 0, id);
        fx.b.set_span(function.span);
        for (_, func) in constructors {
            if let Resolved::Function(constructor) = fx.cx.resolve(0, func) {
                fx.b.call(None, constructor, []);
            }
        }
        fx.run_main(main, &function.params);
        fx.finish();
    }
}

impl Fx<'_, '_> {
    fn run_main(&mut self, main: FunctionId, params: &[VarId]) {
        let Type::Func(ret, types) = self.cx.p.types.get(self.cx.p.functions[main].ty).clone()
        else {
            return;
        };
        let args = self.main_arguments(&types, params);
        let dest = match self.cx.p.types.get(ret) {
            Type::Void => None,
            _ => {
                let temp = self.temp(ret);
                Some(self.cx.p.symbol(temp))
            }
        };
        self.emit(InstrKind::Call { dest, callee: Callee::Direct(main), args: args.into() });
        if self.cx.jumps.is_some() {
            let lost = self.b.new_label();
            self.unwind = Some(lost);
            self.after_call();
            self.end_main(dest);
            self.b.label(lost);
            self.b.unsupported("a `longjmp` whose `setjmp` has returned");
        } else {
            self.end_main(dest);
        }
    }

    fn end_main(&mut self, dest: Option<ExprId>) {
        let int = self.cx.int_type();
        let status = match dest {
            Some(dest) => self.coerce(dest, int),
            None => self.cx.p.int(int, 0),
        };
        if let Some(fini) = self.cx.fini {
            self.note_status(status);
            self.b.call(None, fini, []);
        }
        self.b.end(Exit::Status(status));
    }

    /// The arguments of `main`: number, vector, environment.
    fn main_arguments(&mut self, types: &[TypeId], params: &[VarId]) -> Vec<ExprId> {
        let options: &Options = self.cx.options;
        let mut environment = self.set_environ();
        if types.is_empty() {
            return Vec::new();
        }
        if options.entry != "main" {
            // Another function than `main` is called with any arguments.
            return types
                .iter()
                .enumerate()
                .map(|(i, &ty)| self.any_argument(ty, params.get(i).copied()))
                .collect();
        }
        let mentions = |fx: &Self, i: usize| {
            params.get(i).is_some_and(|&param| {
                fx.unit.exprs.values().any(|e| matches!(e.kind, HirKind::Var(var) if var == param))
            })
        };
        let (argc, argv) = match &options.arguments {
            Arguments::Given(given) => {
                let argv = self.given_arguments(given);
                let int = self.cx.int_type();
                (self.cx.p.int(int, given.len() as i128), argv)
            }
            // Nobody looks.
            Arguments::Any if !mentions(self, 0) && !mentions(self, 1) => {
                let (int, ptr) = (self.cx.int_type(), self.cx.void_ptr());
                (self.cx.p.int(int, 1), self.cx.p.null(ptr))
            }
            Arguments::Any if types.len() < 2 || !mentions(self, 1) => {
                let int = self.cx.int_type();
                let argc = self.nondet(int);
                let one = self.cx.p.int(int, 1);
                let bound = self.cx.p.int(int, ARGUMENT_BOUND);
                let (above, below) = (self.cx.p.le(one, argc), self.cx.p.lt(argc, bound));
                let cond = self.cx.p.and(above, below);
                self.b.assume(cond);
                let ptr = self.cx.void_ptr();
                (argc, self.cx.p.null(ptr))
            }
            Arguments::Any => match self.arguments_looked_at(params[1]) {
                Some(arguments) => arguments,
                None => self.any_arguments(),
            },
        };
        let mut values = vec![argc, argv];
        if types.len() > 2 {
            if environment.is_none() && mentions(self, 2) {
                environment = Some(self.environment());
            }
            let environment = match environment {
                Some(environment) => environment,
                None => self.given_arguments(&[]),
            };
            values.push(environment);
        }
        types
            .iter()
            .enumerate()
            .map(|(i, &ty)| match values.get(i) {
                Some(&value) => self.coerce(value, ty),
                None => self.nondet(ty),
            })
            .collect()
    }

    /// The variables of the environment: any, or none in a run.
    fn environment(&mut self) -> ExprId {
        if matches!(self.cx.options.arguments, Arguments::Given(_)) {
            return self.given_arguments(&[]);
        }
        let (count, vector) = self.any_arguments();
        // Without its strings, the vector is that of an empty environment.
        let byte = self.cx.p.types.int(false, 8);
        let choice = self.nondet(byte);
        let is_empty = self.truth(choice);
        let size = self.cx.p.size_type();
        let (zero, count) = (self.cx.p.size(0), self.cx.p.cast(size, count));
        let start = self.cx.p.ite(is_empty, count, zero);
        let first = self.cx.p.ptr_add(vector, start);
        self.save(first)
    }

    /// Lets `environ` hold the environment in a program that names it and does not define it.
    fn set_environ(&mut self) -> Option<ExprId> {
        let unit = self.unit.clone();
        let is_of_library = |var: VarId| {
            let variable = &unit.vars[var];
            let name = variable.name.map(|name| unit.names.name(name));
            matches!(name, Some("environ" | "__environ"))
                && matches!(
                    variable.storage,
                    Storage::Static { definition: Definition::Declared, .. }
                )
        };
        let mut named: Vec<VarId> = Vec::new();
        for expr in unit.exprs.values() {
            if let HirKind::Var(var) = expr.kind
                && !named.contains(&var)
                && self.cx.options.models
                && is_of_library(var)
            {
                named.push(var);
            }
        }
        let mut environment = None;
        for var in named {
            let symbol = self.cx.static_symbol(self.u, var);
            let place = self.cx.p.symbol(symbol);
            let value = environment.unwrap_or_else(|| self.environment());
            environment = Some(value);
            let value = self.coerce(value, self.cx.p.exprs.ty(place));
            self.assign(place, value);
        }
        environment
    }

    /// Any argument of a type: pointers as the options say, truth values zero or one.
    fn any_argument(&mut self, ty: TypeId, param: Option<VarId>) -> ExprId {
        if let Type::Ptr(to) = *self.cx.p.types.get(ty) {
            match self.cx.options.pointers {
                Pointers::Any => {}
                Pointers::Null => return self.cx.p.null(ty),
                Pointers::Valid(n) => {
                    let size = self.cx.p.size_of(to).unwrap_or(1).saturating_mul(n);
                    let size = self.cx.p.size(size);
                    let temp = self.temp(ty);
                    let place = self.cx.p.symbol(temp);
                    let align = self.cx.target.max_align;
                    self.b.alloc(place, size, align, Region::Stack, false);
                    return place;
                }
            }
        }
        let value = self.nondet(ty);
        if let Some(param) = param {
            let of = self.unit.vars[param].ty;
            self.assume_truth_values(value, of);
        }
        value
    }

    /// Assumes that the truth values in a value are zero or one, members of structures included.
    fn assume_truth_values(&mut self, value: ExprId, ty: QualType) {
        let unit = self.unit.clone();
        match *unit.types.kind(ty) {
            TypeKind::Bool => {
                let one = self.cx.p.int(self.cx.p.exprs.ty(value), 1);
                let cond = self.cx.p.le(value, one);
                self.b.assume(cond);
            }
            TypeKind::Record(record) if unit.types.records[record].kind == RecordKind::Struct => {
                let fields = unit.types.records[record].fields.as_deref().unwrap_or(&[]);
                for (i, field) in fields.iter().enumerate() {
                    let kind = unit.types.kind(field.ty);
                    if matches!(kind, TypeKind::Bool | TypeKind::Record(_)) {
                        let member = self.member(value, record, i as u32);
                        self.assume_truth_values(member, field.ty);
                    }
                }
            }
            _ => {}
        }
    }

    /// A static vector of strings, ended by null, as a pointer to its first element.
    fn given_arguments(&mut self, given: &[Vec<u8>]) -> ExprId {
        let char = self.cx.p.types.int(true, 8);
        let char_ptr = self.cx.char_ptr();
        let word = self.cx.target.word;
        let mut parts = Vec::new();
        for (i, argument) in given.iter().enumerate() {
            let mut bytes = argument.clone();
            bytes.push(0);
            let ty = self.cx.p.types.array(char, bytes.len() as u64);
            let symbol = self.cx.bytes_symbol("__vergo_argument", ty, &bytes, Span::DUMMY, true);
            let place = self.cx.p.symbol(symbol);
            let zero = self.cx.p.size(0);
            let first = self.cx.p.index(place, zero);
            let value = self.cx.p.address_of(first);
            parts.push(InitPart::Value { offset: i as u64 * word, value });
        }
        let ty = self.cx.p.types.array(char_ptr, given.len() as u64 + 1);
        let symbol = self.cx.add_symbol(
            if given.is_empty() { "__vergo_environment" } else { "__vergo_arguments" },
            Symbol {
                name: String::new(),
                display: String::new(),
                ty,
                kind: SymbolKind::Static { init: StaticInit::Data(parts), thread_local: false },
                span: Span::DUMMY,
                align: word,
                writable: true,
            },
        );
        let place = self.cx.p.symbol(symbol);
        let zero = self.cx.p.size(0);
        let first = self.cx.p.index(place, zero);
        self.cx.p.address_of(first)
    }

    /// The number of arguments that are made when they are looked at, and no vector, if that is possible.
    fn arguments_looked_at(&mut self, vector: VarId) -> Option<(ExprId, ExprId)> {
        let main = self.unit.functions.iter().find(|(_, function)| {
            function.body.is_some() && function.params.get(1) == Some(&vector)
        });
        // Who calls `main` gives it other arguments.
        if main.is_none_or(|(main, _)| self.cx.is_referenced(main))
            || !crate::arguments::is_looked_at(&self.unit, vector)
        {
            return None;
        }
        let function = self.cx.model_function("__vergo_argument_count")?;
        self.cx.model_function("__vergo_argument")?;
        self.cx.looked_at = Some(vector);
        let int = self.cx.int_type();
        let count = self.temp(int);
        let count = self.cx.p.symbol(count);
        let callee = Callee::Direct(function);
        self.emit(InstrKind::Call { dest: Some(count), callee, args: Box::default() });
        let pointer = self.cx.void_ptr();
        Some((count, self.cx.p.null(pointer)))
    }

    /// Any number of any strings, in stack memory of the entry function.
    fn any_arguments(&mut self) -> (ExprId, ExprId) {
        let int = self.cx.int_type();
        let size = self.cx.p.size_type();
        let char = self.cx.p.types.int(true, 8);
        let char_ptr = self.cx.char_ptr();
        let vector_ptr = self.cx.p.types.ptr(char_ptr);
        let word = self.cx.target.word;
        let one = self.cx.p.size(1);
        let bound = self.cx.p.size(ARGUMENT_BOUND as u64);

        let count = self.nondet(size);
        let (above, below) = (self.cx.p.le(one, count), self.cx.p.lt(count, bound));
        let cond = self.cx.p.and(above, below);
        self.b.assume(cond);
        let slots = self.cx.p.add(count, one);
        let width = self.cx.p.size(word);
        let bytes = self.cx.p.mul(slots, width);
        let vector = self.temp(vector_ptr);
        let vector = self.cx.p.symbol(vector);
        self.b.alloc(vector, bytes, word, Region::Stack, false);

        let i = self.temp(size);
        let i = self.cx.p.symbol(i);
        let zero = self.cx.p.size(0);
        self.assign(i, zero);
        let (head, done) = (self.b.label_here(), self.b.new_label());
        let more = self.cx.p.lt(i, count);
        let finished = self.cx.p.not(more);
        self.b.goto_if(finished, done);
        let length = self.nondet(size);
        let (above, below) = (self.cx.p.le(one, length), self.cx.p.lt(length, bound));
        let cond = self.cx.p.and(above, below);
        self.b.assume(cond);
        let string = self.temp(char_ptr);
        let string = self.cx.p.symbol(string);
        self.b.alloc(string, length, 1, Region::Stack, false);
        let j = self.temp(size);
        let j = self.cx.p.symbol(j);
        self.assign(j, zero);
        let inner = self.b.label_here();
        let at = self.cx.p.ptr_add(string, j);
        let place = self.cx.p.deref(at);
        let any = self.nondet(char);
        self.assign(place, any);
        let next = self.cx.p.add(j, one);
        self.assign(j, next);
        let more = self.cx.p.lt(j, length);
        self.b.goto_if(more, inner);
        let last = self.cx.p.sub(length, one);
        let at = self.cx.p.ptr_add(string, last);
        let place = self.cx.p.deref(at);
        let nul = self.cx.p.int(char, 0);
        self.assign(place, nul);
        let slot = self.cx.p.ptr_add(vector, i);
        let slot = self.cx.p.deref(slot);
        self.assign(slot, string);
        let next = self.cx.p.add(i, one);
        self.assign(i, next);
        self.b.goto(head);
        self.b.label(done);
        let slot = self.cx.p.ptr_add(vector, count);
        let slot = self.cx.p.deref(slot);
        let null = self.cx.p.null(char_ptr);
        self.assign(slot, null);
        (self.cx.p.cast(int, count), vector)
    }
}

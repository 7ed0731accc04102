//! Functions and instructions.

use super::{Mapper, Mapping, Missing, Object, is_library_file, unsupported};
use crate::binary::Dialect;
use crate::irep::IrepId;
use crate::view::{FunctionView, InstructionView, Kind, plain_name};
use rustc_hash::FxHashMap;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Callee, Claim, FunctionId, InstrKind, LabelId, Region, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// The name of the parameter that points to variable arguments.
const VARIABLE_ARGUMENTS: &str = "$arguments";

impl Mapper<'_> {
    /// Makes the functions, their parameters, and who declares which variable.
    pub(super) fn declare_functions(&mut self, functions: &[&FunctionView]) {
        let b = self.b;
        for function in functions {
            let ty = self.symbol_by_name.get(&function.name).map(|&i| self.symbols[i].ty);
            let id = match self.object(&function.name, ty) {
                Ok(Object::Function(id)) => id,
                Ok(_) => continue,
                Err(what) => {
                    self.report(&format!("{} (`{}`)", what.0, function.name), Span::DUMMY);
                    continue;
                }
            };
            self.bodies.insert(id);
            for instruction in &function.instructions {
                if instruction.kind == Kind::Decl
                    && let [symbol, ..] = b.operands(instruction.code)[..]
                {
                    let name = b.ireps.get_id(symbol, "identifier").to_owned();
                    self.owners.entry(name).or_insert(id);
                }
            }
            let Some(ty) = ty else { continue };
            let mut params = Vec::new();
            let Type::Func(_, types) = self.p.types.get(self.p.functions[id].ty).clone() else {
                continue;
            };
            let written = b.parameters(ty);
            for (i, &ty) in types.iter().enumerate() {
                let given = written.get(i).map_or("", |&p| b.ireps.get_id(p, "#identifier"));
                let base = written.get(i).map_or("", |&p| b.ireps.get_id(p, "#base_name"));
                let name = match (given, i < written.len()) {
                    (_, false) => format!("{}::{VARIABLE_ARGUMENTS}", function.name),
                    ("", _) => format!("{}::$parameter{i}", function.name),
                    (name, _) if self.objects.contains_key(name) => {
                        format!("{}::$parameter{i}", function.name)
                    }
                    (name, _) => name.to_owned(),
                };
                let symbol = self.add_variable(&name, base, ty, SymbolKind::Param(id), Span::DUMMY);
                self.objects.insert(name, Object::Variable(symbol));
                params.push(symbol);
            }
            self.p.functions[id].params = params;
        }
    }

    /// What variable arguments are reached through, as `va_start` gives it.
    pub(super) fn variable_arguments(&mut self) -> Mapping<ExprId> {
        let name = self.current.map_or(String::new(), |f| self.p.functions[f].name.clone());
        match self.objects.get(&format!("{name}::{VARIABLE_ARGUMENTS}")) {
            Some(&Object::Variable(symbol)) => Ok(self.p.symbol(symbol)),
            _ => unsupported("`va_start` in a function without variable arguments"),
        }
    }

    /// Maps a body.
    pub(super) fn body(&mut self, function: &FunctionView) {
        let Some(&Object::Function(id)) = self.objects.get(&function.name) else { return };
        let hidden = function.instructions.iter().any(|i| {
            i.labels.iter().any(|label| matches!(&label[..], "__CPROVER_HIDE" | "__ESBMC_HIDE"))
        });
        let location = function.instructions.iter().find_map(|i| i.location);
        let file = location.map_or("", |l| self.b.ireps.get_id(l, "file"));
        self.p.functions[id].library = hidden || is_library_file(file);
        self.body_of(id, &function.instructions);
    }

    /// Gives a function the body that instructions make.
    pub(super) fn body_of(&mut self, id: FunctionId, instructions: &[InstructionView]) {
        self.current = Some(id);
        self.builder = FunctionBuilder::new();
        // What was converted for another function may name its arguments.
        self.values.clear();
        let result = self.result_variable(id, instructions);
        let mut labels: FxHashMap<usize, LabelId> = FxHashMap::default();
        for target in instructions.iter().flat_map(|i| &i.targets).flatten() {
            labels.entry(*target).or_insert_with(|| self.builder.new_label());
        }
        let end = self.builder.new_label();
        for (i, instruction) in instructions.iter().enumerate() {
            self.builder.set_span(self.positions.span(instruction.location));
            if let Some(&label) = labels.get(&i) {
                self.builder.label(label);
            }
            let length = self.builder.len();
            let mapped = self.instruction(instruction, &labels, result, end);
            if let Err(what) = mapped {
                self.conditional = 0;
                self.builder.instrs_mut().truncate(length);
                self.report(&what.0, self.builder.span());
                self.builder.unsupported(what.0);
            }
        }
        self.builder.label(end);
        let value = match result {
            Some(symbol) => Some(self.p.symbol(symbol)),
            None => match self.p.types.get(self.p.functions[id].ty) {
                &Type::Func(ret, _) if *self.p.types.get(ret) != Type::Void => {
                    self.any_of(ret, false).ok()
                }
                _ => None,
            },
        };
        self.builder.ret(value);
        let builder = std::mem::take(&mut self.builder);
        builder.finish(&mut self.p, id);
        self.current = None;
    }

    /// The variable that holds a function's result, if an instruction sets it.
    fn result_variable(
        &mut self,
        id: FunctionId,
        instructions: &[InstructionView],
    ) -> Option<SymbolId> {
        let &Type::Func(ret, _) = self.p.types.get(self.p.functions[id].ty) else { return None };
        if *self.p.types.get(ret) == Type::Void
            || self.b.dialect == Dialect::Esbmc
            || !instructions.iter().any(|i| i.kind == Kind::Return)
        {
            return None;
        }
        let name = format!("{}::$result", self.p.functions[id].name);
        let symbol = self.add_variable(&name, "", ret, SymbolKind::Local(id), Span::DUMMY);
        self.builder.decl(symbol);
        if reaches_end_without_result(instructions) {
            let place = self.p.symbol(symbol);
            let any = self.p.nondet(ret);
            self.builder.assign(place, any);
        }
        Some(symbol)
    }

    fn instruction(
        &mut self,
        instruction: &InstructionView,
        labels: &FxHashMap<usize, LabelId>,
        result: Option<SymbolId>,
        end: LabelId,
    ) -> Mapping<()> {
        let b = self.b;
        let code = instruction.code;
        match instruction.kind {
            Kind::Skip | Kind::Location | Kind::None => {}
            Kind::EndFunction => self.builder.goto(end),
            Kind::Goto => {
                let condition = match instruction.guard {
                    Some(guard) => Some(self.truth(guard)?),
                    None => None,
                };
                match (&instruction.targets[..], condition) {
                    (&[Some(target)], None) => self.builder.goto(labels[&target]),
                    (&[Some(target)], Some(c)) => self.builder.goto_if(c, labels[&target]),
                    _ => return unsupported("a jump without exactly one target"),
                }
            }
            Kind::Assume => {
                if let Some(guard) = instruction.guard {
                    let condition = self.truth(guard)?;
                    self.builder.assume(condition);
                }
            }
            Kind::Assert => self.assertion(instruction)?,
            Kind::Other => self.other(code)?,
            Kind::AtomicBegin => self.builder.push(InstrKind::AtomicBegin),
            Kind::AtomicEnd => self.builder.push(InstrKind::AtomicEnd),
            Kind::Return => self.result(code, result)?,
            Kind::Assign => {
                let [left, right] = b.operands(code)[..] else {
                    return unsupported("an assignment without two operands");
                };
                self.assign(left, right)?;
            }
            Kind::Decl => self.declaration(code)?,
            Kind::Dead => self.death(code)?,
            Kind::Call => self.call(code)?,
            Kind::Throw
            | Kind::Catch
            | Kind::ThrowDecl
            | Kind::StartThread
            | Kind::EndThread
            | Kind::IncompleteGoto
            | Kind::LoopInvariant => {
                return unsupported(format!("the instruction {}", instruction.kind.name()));
            }
        }
        Ok(())
    }

    fn assertion(&mut self, instruction: &InstructionView) -> Mapping<()> {
        let b = self.b;
        let condition = match instruction.guard {
            Some(guard) => self.truth(guard)?,
            None => self.p.bool(true),
        };
        let text = |key: &str| {
            let child = instruction.location.and_then(|l| b.ireps.get(l, key));
            let text = child.map(|c| String::from_utf8_lossy(b.ireps.id_bytes(c)).into_owned());
            text.filter(|text| !text.is_empty())
        };
        let class = text("property_class").or_else(|| text("property")).unwrap_or_default();
        let description = text("comment").unwrap_or_else(|| {
            let written = self.p.describe(condition);
            if class.is_empty() {
                format!("assertion {written}")
            } else {
                format!("{class} {written}")
            }
        });
        if let (Some(function), false) = (self.current, class.is_empty()) {
            let key = (function, self.builder.span(), description.clone());
            self.classes.insert(key, class);
        }
        let claim = Claim { property: "user.assert".to_owned(), description, cwe: None };
        self.builder.assert(condition, claim);
        Ok(())
    }

    fn result(&mut self, code: IrepId, result: Option<SymbolId>) -> Mapping<()> {
        let b = self.b;
        let Some(current) = self.current else { return Ok(()) };
        let &Type::Func(ret, _) = self.p.types.get(self.p.functions[current].ty) else {
            return Ok(());
        };
        let void = *self.p.types.get(ret) == Type::Void;
        let operand = b.operands(code).first().copied().filter(|&o| b.ireps.id(o) != "nil");
        let value = match operand {
            Some(operand) if !void => Some(self.value_at(operand, ret)?),
            _ => None,
        };
        match (result, value) {
            (Some(symbol), Some(value)) => {
                let place = self.p.symbol(symbol);
                self.builder.assign(place, value);
            }
            (_, None) if self.b.dialect == Dialect::Esbmc && !void => {
                let value = self.any_of(ret, false)?;
                self.builder.ret(Some(value));
            }
            // ESBMC's instruction leaves the function.
            (None, value) if self.b.dialect == Dialect::Esbmc => self.builder.ret(value),
            _ => {}
        }
        Ok(())
    }

    /// Names that the other tools keep their own books in, of which nothing is left here.
    fn is_bookkeeping(name: &str) -> bool {
        matches!(
            plain_name(name),
            "__CPROVER_dead_object"
                | "__CPROVER_deallocated"
                | "__CPROVER_memory_leak"
                | "__CPROVER_max_malloc_size"
                | "__CPROVER_malloc_is_new_array"
                | "__CPROVER_rounding_mode"
                | "__ESBMC_rounding_mode"
                | "__ESBMC_alloc"
                | "__ESBMC_is_dynamic"
                | "__ESBMC_alloc_size"
                | "__CPROVER_alloca_object"
                | "__CPROVER_new_object"
        )
    }

    pub(super) fn assign(&mut self, left: IrepId, right: IrepId) -> Mapping<()> {
        let b = self.b;
        if b.ireps.id(left) == "symbol" {
            let name = b.ireps.get_id(left, "identifier");
            if Self::is_bookkeeping(name) {
                let initial = self.current.is_none_or(|f| {
                    matches!(&self.p.functions[f].name[..], "__CPROVER_initialize")
                });
                return match plain_name(name).ends_with("rounding_mode") && !initial {
                    true => unsupported("a change of the rounding mode"),
                    false => Ok(()),
                };
            }
        }
        // A choice goes where it is wanted, without a detour.
        if matches!(b.ireps.id(right), "side_effect" | "sideeffect")
            && b.ireps.get_id(right, "statement") == "nondet"
        {
            let place = self.value(left)?;
            let ty = self.p.exprs.ty(place);
            let truth = self.type_irep(left).is_ok_and(|ty| self.is_truth(ty));
            if self.p.is_place(place) && !truth {
                let any = self.p.nondet(ty);
                self.builder.assign(place, any);
                return Ok(());
            }
        }
        let place = match b.ireps.id(left) {
            "if" => self.place(left)?,
            // The value is converted twice, and goes to what is inside.
            "typecast" => match b.operands(left).first() {
                Some(&inner) => self.value(inner)?,
                None => return unsupported("a cast of nothing"),
            },
            _ => self.value(left)?,
        };
        if !self.p.is_place(place) {
            return unsupported(format!("an assignment to `{}`", b.ireps.id(left)));
        }
        let value = self.value_at(right, self.p.exprs.ty(place))?;
        self.builder.assign(place, value);
        Ok(())
    }

    fn declared(&mut self, code: IrepId) -> Mapping<(Object, IrepId)> {
        let b = self.b;
        let operands = b.operands(code);
        let Some(&symbol) = operands.first() else {
            return unsupported("a declaration of nothing");
        };
        let name = b.ireps.get_id(symbol, "identifier").to_owned();
        let object = self.object(&name, b.ireps.get(symbol, "type"))?;
        Ok((object, symbol))
    }

    fn declaration(&mut self, code: IrepId) -> Mapping<()> {
        let b = self.b;
        let (object, symbol) = self.declared(code)?;
        match object {
            Object::Variable(variable) if self.is_local(variable) => {
                self.builder.decl(variable);
                if let Some(&value) = b.operands(code).get(1) {
                    self.assign(symbol, value)?;
                }
            }
            Object::Dynamic(pointer) if self.is_local(pointer) => {
                let name = b.ireps.get_id(symbol, "identifier");
                let ty = self.symbol_by_name.get(name).map(|&i| self.symbols[i].ty);
                let ty = ty.or_else(|| b.ireps.get(symbol, "type"));
                let Some(size) = ty.and_then(|ty| b.ireps.get(ty, "size")) else {
                    return unsupported("an array without a size");
                };
                let word = self.p.size_type();
                let count = self.value_at(size, word)?;
                let element = self.p.pointee(self.p.symbols[pointer].ty);
                let element_size = element.and_then(|e| self.p.size_of(e)).unwrap_or(1);
                let align = element.map_or(1, |e| self.p.types.align_of(e, &self.p.machine));
                let element_size = self.p.size(element_size);
                let bytes = self.p.mul(count, element_size);
                self.builder.decl(pointer);
                let place = self.p.symbol(pointer);
                self.builder.alloc(place, bytes, align, Region::Stack, false);
            }
            // A variable that several functions declare lives all the time.
            Object::Variable(variable) => {
                let place = self.p.symbol(variable);
                let any = self.p.nondet(self.p.symbols[variable].ty);
                self.builder.assign(place, any);
            }
            _ => return unsupported("a declaration of something that is no variable"),
        }
        Ok(())
    }

    fn is_local(&self, symbol: SymbolId) -> bool {
        matches!(self.p.symbols[symbol].kind, SymbolKind::Local(f) if Some(f) == self.current)
    }

    fn death(&mut self, code: IrepId) -> Mapping<()> {
        match self.declared(code)?.0 {
            Object::Variable(variable) if self.is_local(variable) => self.builder.dead(variable),
            Object::Dynamic(pointer) if self.is_local(pointer) => {
                let place = self.p.symbol(pointer);
                self.builder.free(place, Region::Stack);
                self.builder.dead(pointer);
            }
            // A parameter's life ends with the call.
            _ => {}
        }
        Ok(())
    }

    fn other(&mut self, code: IrepId) -> Mapping<()> {
        let b = self.b;
        let operands = b.operands(code);
        match (b.statement(code), &operands[..]) {
            ("expression", [e]) => {
                let value = self.value(*e)?;
                let constant =
                    matches!(self.p.exprs.kind(value), ExprKind::Int(_) | ExprKind::Bool(_));
                let readable = matches!(
                    self.p.type_of(value),
                    Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_)
                );
                if !constant && readable {
                    self.saved(value)?;
                }
                Ok(())
            }
            ("input" | "output" | "printf" | "fence" | "skip" | "" | "trace", _) => Ok(()),
            ("free" | "delete" | "java_delete", [pointer]) => {
                let pointer = self.value(*pointer)?;
                match self.p.type_of(pointer) {
                    Type::Ptr(_) => {
                        self.builder.free(pointer, Region::Heap);
                        Ok(())
                    }
                    _ => unsupported("`free` of something that is no pointer"),
                }
            }
            ("array_copy" | "array_replace", [to, from]) => {
                let (to, from) = (self.whole_array(*to)?, self.whole_array(*from)?);
                if self.p.exprs.ty(to) != self.p.exprs.ty(from) {
                    return unsupported("a copy between arrays of different types");
                }
                self.builder.assign(to, from);
                Ok(())
            }
            ("array_set", [to, value]) => self.array_set(*to, *value),
            ("havoc_object", [pointer]) => {
                let place = self.whole_array(*pointer)?;
                let any = self.p.nondet(self.p.exprs.ty(place));
                self.builder.assign(place, any);
                Ok(())
            }
            (statement, _) => unsupported(format!("the statement `{statement}`")),
        }
    }

    /// The variable whose first element a pointer points to.
    fn whole_array(&mut self, pointer: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        let mut irep = pointer;
        while b.ireps.id(irep) == "typecast" {
            let Some(&inner) = b.operands(irep).first() else { break };
            irep = inner;
        }
        let value = self.value(irep)?;
        if let &ExprKind::AddressOf(place) = self.p.exprs.kind(value) {
            match *self.p.exprs.kind(place) {
                ExprKind::Index(base, index)
                    if matches!(self.p.exprs.kind(base), ExprKind::Symbol(_))
                        && matches!(self.p.exprs.kind(index), ExprKind::Int(i) if i.is_zero()) =>
                {
                    return Ok(base);
                }
                ExprKind::Symbol(_) => return Ok(place),
                _ => {}
            }
        }
        unsupported("an operation on the whole object of a pointer")
    }

    /// Sets all elements of the object that a pointer points to.
    fn array_set(&mut self, to: IrepId, value: IrepId) -> Mapping<()> {
        let pointer = self.value(to)?;
        let Some(element) = self.p.pointee(self.p.exprs.ty(pointer)) else {
            return unsupported("`array_set` of something that is no pointer");
        };
        let Some(size) = self.p.size_of(element).filter(|&size| size > 0) else {
            return unsupported("`array_set` of elements without a size");
        };
        let value = self.value_at(value, element)?;
        let (pointer, value) = (self.saved(pointer)?, self.saved(value)?);
        let word = self.p.size_type();
        let bytes = self.p.memory(MemoryOp::ObjectSize, [pointer]);
        let size = self.p.size(size);
        let count = self.p.div(bytes, size);
        let count = self.saved(count)?;
        let zero = self.p.int(word, 0);
        let i = self.saved(zero)?;
        let (head, done) = (self.builder.label_here(), self.builder.new_label());
        let more = self.p.lt(i, count);
        let finished = self.p.not(more);
        self.builder.goto_if(finished, done);
        let at = self.p.ptr_add(pointer, i);
        let place = self.p.deref(at);
        self.builder.assign(place, value);
        let one = self.p.int(word, 1);
        let next = self.p.add(i, one);
        self.builder.assign(i, next);
        self.builder.goto(head);
        self.builder.label(done);
        Ok(())
    }

    fn call(&mut self, code: IrepId) -> Mapping<()> {
        let b = self.b;
        let operands = b.operands(code);
        let [dest, callee, arguments] = operands[..] else {
            return unsupported("a call without three operands");
        };
        let arguments = b.operands(arguments);
        let is_function =
            |m: &mut Self, name: &str| match m.object(name, b.ireps.get(callee, "type")) {
                Ok(Object::Function(f)) => Some(f),
                _ => None,
            };
        let direct = match b.ireps.id(callee) {
            "symbol" => {
                let name = b.ireps.get_id(callee, "identifier").to_owned();
                match is_function(self, &name) {
                    Some(function) => Some(function),
                    None => {
                        return unsupported(format!("a call of `{name}`, which is no function"));
                    }
                }
            }
            _ => None,
        };
        let (callee, ty) = match direct {
            Some(function) => {
                if self.known_call(function, dest, &arguments)? {
                    return Ok(());
                }
                (Callee::Direct(function), self.p.functions[function].ty)
            }
            None => {
                let pointer = match b.ireps.id(callee) {
                    "dereference" => b.operands(callee).first().copied(),
                    _ => Some(callee),
                };
                let Some(pointer) = pointer else { return unsupported("a call of nothing") };
                let pointer = self.value(pointer)?;
                match self.p.pointee(self.p.exprs.ty(pointer)).map(|ty| (ty, self.p.types.get(ty)))
                {
                    // Without a prototype, the arguments say what the function takes.
                    Some((_, &Type::Func(ret, ref params)))
                        if params.is_empty() && !arguments.is_empty() =>
                    {
                        let mut types = Vec::new();
                        for &argument in &arguments {
                            let value = self.argument(argument)?;
                            types.push(self.p.exprs.ty(value));
                        }
                        let ty = self.p.types.func(ret, types);
                        let want = self.p.types.ptr(ty);
                        (Callee::Indirect(self.p.cast(want, pointer)), ty)
                    }
                    Some((ty, Type::Func(..))) => (Callee::Indirect(pointer), ty),
                    _ => {
                        return unsupported(
                            "a call through something that is no pointer to a function",
                        );
                    }
                }
            }
        };
        let Type::Func(ret, params) = self.p.types.get(ty).clone() else {
            return unsupported("a call of something that is no function");
        };
        let variadic = b.ireps.get(operands[1], "type").is_some_and(|ty| b.is_variadic(ty));
        let fixed = if variadic { params.len().saturating_sub(1) } else { params.len() };
        let mut args = Vec::new();
        for (i, &ty) in params.iter().take(fixed).enumerate() {
            args.push(match arguments.get(i) {
                Some(&argument) => self.value_at(argument, ty)?,
                // CBMC passes any value for an argument that is missing.
                None => self.any_of(ty, false)?,
            });
        }
        if variadic {
            let rest = arguments.get(fixed..).unwrap_or_default();
            let values: Mapping<Vec<ExprId>> = rest.iter().map(|&a| self.argument(a)).collect();
            let own = direct.is_none_or(|f| self.has_body(f));
            let pack = if own { self.pack_pointers(values?)? } else { self.pack_values(values?)? };
            let ty = params[fixed];
            args.push(self.coerce(pack, ty)?);
        }
        let void = *self.p.types.get(ret) == Type::Void;
        let dest = match b.ireps.id(dest) {
            "nil" | "" => None,
            _ if void => None,
            _ => Some(self.value(dest)?),
        };
        match dest {
            Some(place) if self.p.exprs.ty(place) != ret => {
                let temp = self.temp(ret)?;
                self.builder.push(InstrKind::Call { dest: Some(temp), callee, args: args.into() });
                let value = self.coerce(temp, self.p.exprs.ty(place))?;
                self.builder.assign(place, value);
            }
            dest => {
                if dest.is_some_and(|place| !self.p.is_place(place)) {
                    return unsupported("a result that goes to no place");
                }
                self.builder.push(InstrKind::Call { dest, callee, args: args.into() });
            }
        }
        Ok(())
    }

    /// Calls that mean something to the tool that made the file. Whether the call was one.
    fn known_call(
        &mut self,
        function: FunctionId,
        dest: IrepId,
        arguments: &[IrepId],
    ) -> Mapping<bool> {
        if self.has_body(function) {
            return Ok(false);
        }
        let name = plain_name(&self.p.functions[function].name).to_owned();
        match (&name[..], arguments) {
            ("__CPROVER_assume" | "__ESBMC_assume" | "__VERIFIER_assume", [condition]) => {
                let condition = self.truth(*condition)?;
                self.builder.assume(condition);
            }
            ("__CPROVER_assert" | "__ESBMC_assert", [condition, ..]) => {
                let condition = self.truth(*condition)?;
                let description = format!("assertion {}", self.p.describe(condition));
                let claim = Claim { property: "user.assert".to_owned(), description, cwe: None };
                self.builder.assert(condition, claim);
            }
            ("__CPROVER_atomic_begin" | "__ESBMC_atomic_begin", []) => {
                self.builder.push(InstrKind::AtomicBegin);
            }
            ("__CPROVER_atomic_end" | "__ESBMC_atomic_end", []) => {
                self.builder.push(InstrKind::AtomicEnd);
            }
            ("__ESBMC_yield" | "__CPROVER_fence" | "__ESBMC_unroll", _) => {}
            ("free", [pointer]) => {
                let pointer = self.value(*pointer)?;
                if !matches!(self.p.type_of(pointer), Type::Ptr(_)) {
                    return unsupported("`free` of something that is no pointer");
                }
                self.builder.free(pointer, Region::Heap);
            }
            ("__builtin_va_end", _) => {}
            ("alloca" | "__builtin_alloca", [size]) => {
                let word = self.p.size_type();
                let size = self.value_at(*size, word)?;
                let place = self.value(dest)?;
                if !self.p.is_place(place) || !matches!(self.p.type_of(place), Type::Ptr(_)) {
                    return unsupported("`alloca` whose result goes to no pointer");
                }
                self.builder.alloc(place, size, 16, Region::Stack, false);
            }
            (
                "__builtin_nan"
                | "__builtin_nanf"
                | "__builtin_nanl"
                | "nan"
                | "nanf"
                | "nanl"
                | "__builtin_inf"
                | "__builtin_inff"
                | "__builtin_infl"
                | "__builtin_huge_val"
                | "__builtin_huge_valf"
                | "__builtin_huge_vall",
                _,
            ) if !matches!(self.b.ireps.id(dest), "nil" | "") => {
                let place = self.value(dest)?;
                let &Type::Func(ret, _) = self.p.types.get(self.p.functions[function].ty) else {
                    return Ok(false);
                };
                let &Type::Float(format) = self.p.types.get(ret) else { return Ok(false) };
                let value = match name.contains("nan") {
                    true => vergo_num::Float::nan(format),
                    false => vergo_num::Float::infinity(format, false),
                };
                let value = self.p.float(value);
                let value = self.coerce(value, self.p.exprs.ty(place))?;
                self.builder.assign(place, value);
            }
            _ if name.starts_with("nondet_") || name.starts_with("__VERIFIER_nondet_") => {
                let ty = match self.p.types.get(self.p.functions[function].ty) {
                    &Type::Func(ret, _) if *self.p.types.get(ret) != Type::Void => ret,
                    _ => return Ok(false),
                };
                let truth = name.ends_with("bool") || name.ends_with("Bool");
                let value = self.any_of(ty, truth)?;
                if !matches!(self.b.ireps.id(dest), "nil" | "") {
                    let place = self.value(dest)?;
                    let value = self.coerce(value, self.p.exprs.ty(place))?;
                    self.builder.assign(place, value);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether the file has a body for a function; bodies are mapped one after the other.
    fn has_body(&self, function: FunctionId) -> bool {
        self.bodies.contains(&function)
    }

    /// A variable argument after C's promotions.
    fn argument(&mut self, argument: IrepId) -> Mapping<ExprId> {
        let value = self.value(argument)?;
        let ty = match self.p.type_of(value) {
            Type::Bool => self.p.types.int(true, 32),
            Type::Int { width, .. } if *width < 32 => self.p.types.int(true, 32),
            Type::Float(vergo_num::FloatFormat::SINGLE) => {
                self.p.types.float(vergo_num::FloatFormat::DOUBLE)
            }
            _ => self.p.exprs.ty(value),
        };
        self.coerce(value, ty)
    }

    /// Variable arguments as CBMC's functions take them: pointers to the arguments, one after the other.
    fn pack_pointers(&mut self, values: Vec<ExprId>) -> Mapping<ExprId> {
        let void = self.p.types.void();
        let pointer = self.p.types.ptr(void);
        if values.is_empty() {
            return Ok(self.p.null(pointer));
        }
        let ty = self.p.types.array(pointer, values.len() as u64);
        let list = self.temp(ty)?;
        for (i, value) in values.into_iter().enumerate() {
            let place = self.saved(value)?;
            let address = self.p.address_of(place);
            let address = self.p.cast(pointer, address);
            let i = self.p.size(i as u64);
            let slot = self.p.index(list, i);
            self.builder.assign(slot, address);
        }
        let zero = self.p.size(0);
        let first = self.p.index(list, zero);
        Ok(self.p.address_of(first))
    }

    /// Variable arguments as our library takes them: one after the other in a structure (see `docs/ir.md`).
    fn pack_values(&mut self, values: Vec<ExprId>) -> Mapping<ExprId> {
        let void = self.p.types.void();
        let pointer = self.p.types.ptr(void);
        if values.is_empty() {
            return Ok(self.p.null(pointer));
        }
        let types: Vec<TypeId> = values.iter().map(|&value| self.p.exprs.ty(value)).collect();
        if types.iter().any(|&ty| self.p.size_of(ty).is_none()) {
            return unsupported("an argument without a size");
        }
        let id = match self.packs.get(&types) {
            Some(&id) => id,
            None => {
                let name = format!("$arguments{}", self.packs.len());
                let structure = self.p.pack_layout(name, &types);
                let id = self.p.add_struct(structure);
                self.packs.insert(types, id);
                id
            }
        };
        let ty = self.p.types.intern(Type::Struct(id));
        let place = self.temp(ty)?;
        for (i, value) in self.p.pack_values(&values).into_iter().enumerate() {
            let member = self.p.member(place, i as u32);
            self.builder.assign(member, value);
        }
        Ok(self.p.address_of(place))
    }

    /// Gives bodies to methods of Java that have none: JBMC takes them to return any value and to change nothing.
    pub(super) fn opaque_bodies(&mut self) {
        let ids: Vec<FunctionId> = self.p.functions.keys().collect();
        for id in ids {
            let name = self.p.functions[id].name.clone();
            let java =
                self.symbol_by_name.get(&name).is_some_and(|&i| self.symbols[i].mode == "java");
            if self.p.functions[id].body.is_some() || !java {
                continue;
            }
            let Type::Func(ret, types) = self.p.types.get(self.p.functions[id].ty).clone() else {
                continue;
            };
            if self.p.functions[id].params.is_empty() {
                for (i, &ty) in types.iter().enumerate() {
                    let name = format!("{name}::$parameter{i}");
                    let symbol =
                        self.add_variable(&name, "", ty, SymbolKind::Param(id), Span::DUMMY);
                    self.p.functions[id].params.push(symbol);
                }
            }
            self.current = Some(id);
            self.builder = FunctionBuilder::new();
            // The result may be passed in a variable beside the call.
            if let Ok(Object::Variable(result)) = self.object(&format!("{name}#return_value"), None)
            {
                let place = self.p.symbol(result);
                let any = self.p.nondet(self.p.symbols[result].ty);
                self.builder.assign(place, any);
            }
            let value = match self.p.types.get(ret) {
                Type::Void => None,
                _ => self.any_of(ret, false).ok(),
            };
            self.builder.ret(value);
            std::mem::take(&mut self.builder).finish(&mut self.p, id);
            self.current = None;
            self.opaque.push(name);
        }
    }

    /// The functions without a body.
    pub(super) fn missing(&mut self) -> Vec<Missing> {
        let mut missing = Vec::new();
        for (id, function) in &self.p.functions {
            if function.body.is_some() {
                continue;
            }
            let ty = self.symbol_by_name.get(&function.name).map(|&i| self.symbols[i].ty);
            let name = plain_name(&function.name).to_owned();
            // A `va_list` is another thing here than in our library.
            let takes_list = name.starts_with('v') && name.contains("printf")
                || name.contains("vf") && name.contains("scanf")
                || name.starts_with("__v") && name.contains("printf")
                || matches!(&name[..], "vscanf" | "vsscanf");
            missing.push(Missing {
                function: id,
                name,
                signature: ty.filter(|_| !takes_list).and_then(|ty| self.signature(ty)),
                variadic: ty.is_some_and(|ty| self.b.is_variadic(ty)),
            });
        }
        missing
    }

    fn signature(&self, code: IrepId) -> Option<Vec<String>> {
        let b = self.b;
        let ret = b.present(b.ireps.get(code, "return_type"));
        let mut types = vec![match ret {
            Some(ret) => self.c_type(ret)?,
            None => "void".to_owned(),
        }];
        for parameter in b.parameters(code) {
            types.push(self.c_type(b.ireps.get(parameter, "type")?)?);
        }
        Some(types)
    }

    /// A type in C's words: pointers to anything but characters are pointers to anything.
    fn c_type(&self, irep: IrepId) -> Option<String> {
        let b = self.b;
        let lp64 = self.p.machine.pointer_width == 64;
        Some(match b.ireps.id(irep) {
            "empty" => "void".to_owned(),
            "bool" | "c_bool" => "_Bool".to_owned(),
            id @ ("signedbv" | "unsignedbv") => {
                let plain_char = b.ireps.get_id(irep, "#c_type") == "char"
                    || b.ireps.get_id(irep, "#cpp_type") == "char";
                let word = match b.ireps.get_id(irep, "width") {
                    "8" if plain_char => return Some("char".to_owned()),
                    "8" => "char",
                    "16" => "short",
                    "32" => "int",
                    "64" if lp64 && !b.ireps.get_id(irep, "#c_type").contains("long_long") => {
                        "long"
                    }
                    "64" => "long long",
                    "128" => "__int128",
                    _ => return None,
                };
                let sign = if id == "signedbv" { "signed" } else { "unsigned" };
                format!("{sign} {word}")
            }
            "c_enum" | "c_enum_tag" => "int".to_owned(),
            "floatbv" => match b.ireps.get_id(irep, "width") {
                "32" => "float",
                "64" => "double",
                // CBMC's `long double` has 113 bits and that of our library 64: calls would not mean the same.
                _ => return None,
            }
            .to_owned(),
            "pointer" => {
                let to = b.subtype(irep)?;
                let is_char = b.ireps.get_id(to, "width") == "8";
                let constant = if b.ireps.get_id(to, "#constant") == "1" { "const " } else { "" };
                format!("{constant}{} *", if is_char { "char" } else { "void" })
            }
            _ => return None,
        })
    }
}

/// Whether the end of a body can be reached before a result is set.
fn reaches_end_without_result(instructions: &[InstructionView]) -> bool {
    let mut seen = vec![false; instructions.len()];
    let mut stack = vec![0];
    while let Some(i) = stack.pop() {
        let Some(instruction) = instructions.get(i) else { return true };
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        match instruction.kind {
            Kind::Return => continue,
            Kind::EndFunction => return true,
            Kind::Goto => {
                stack.extend(instruction.targets.iter().flatten());
                if instruction.guard.is_some() {
                    stack.push(i + 1);
                }
            }
            _ => stack.push(i + 1),
        }
    }
    false
}

//! Instructions, but for calls.

use super::{Mapper, Mapping, Object, unsupported};
use crate::binary::Dialect;
use crate::irep::IrepId;
use crate::view::{
    ACCESS, GOALS, InstructionView, Kind, ORDER, UNSUPPORTED, access_name, plain_name,
};
use rustc_hash::FxHashMap;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Callee, Claim, InstrKind, Intrinsic, LabelId, Region, SymbolId, SymbolKind,
};
use vergo_goto::types::Type;

impl Mapper<'_> {
    pub(super) fn instruction(
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
            Kind::EndThread if self.is_thread() => self.builder.goto(end),
            Kind::EndThread => return unsupported("an END_THREAD that no START_THREAD leads to"),
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
        if class == UNSUPPORTED {
            return self.not_handled(condition, description);
        }
        let is_goal = GOALS.contains(&&class[..]);
        if is_goal && !self.goals {
            return Ok(());
        }
        if let (Some(function), false) = (self.current, class.is_empty()) {
            let key = (function, self.builder.span(), description.clone());
            self.classes.insert(key, class.clone());
        }
        let property = if (self.is_property)(&class) { &class } else { "user.assert" };
        let claim = Claim::new(property, description);
        if is_goal {
            // A goal that is reached must not end what comes behind it: it may be passed by.
            let by = self.builder.new_label();
            let byte = self.p.types.int(false, 8);
            let choice = self.any_of(byte, false)?;
            let pass = self.p.truth(choice);
            self.builder.goto_if(pass, by);
            self.builder.assert(condition, claim);
            self.builder.label(by);
            return Ok(());
        }
        self.builder.assert(condition, claim);
        Ok(())
    }

    /// Emits an unsupported instruction where the condition is false: the file's compiler does not handle it either.
    fn not_handled(&mut self, condition: ExprId, what: String) -> Mapping<()> {
        let fine = self.builder.new_label();
        if *self.p.exprs.kind(condition) != ExprKind::Bool(false) {
            self.builder.goto_if(condition, fine);
        }
        self.builder.unsupported(what);
        self.builder.label(fine);
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
            if plain_name(name) == "__CPROVER_dead_object" && self.stack_death(right)? {
                return Ok(());
            }
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

    /// Returns whether CBMC's record of dead objects gets memory of the stack whose lifetime ends. For variables there
    /// is an instruction that says so already.
    fn stack_death(&mut self, noted: IrepId) -> Mapping<bool> {
        let b = self.b;
        let mut irep = match (b.ireps.id(noted), b.operands(noted)) {
            ("if", &[_, pointer, _]) => pointer,
            _ => return Ok(false),
        };
        while b.ireps.id(irep) == "typecast" {
            let Some(&inner) = b.operands(irep).first() else { return Ok(false) };
            irep = inner;
        }
        if b.ireps.id(irep) == "address_of" {
            return Ok(false);
        }
        let pointer = self.value(irep)?;
        if !matches!(self.p.type_of(pointer), Type::Ptr(_)) {
            return Ok(false);
        }
        self.builder.free(pointer, Region::Stack);
        Ok(true)
    }

    fn declared(&mut self, code: IrepId) -> Mapping<(Object, IrepId)> {
        let b = self.b;
        let operands = b.operands(code);
        let Some(&symbol) = operands.first() else {
            return unsupported("a declaration of nothing");
        };
        Ok((self.named_object(symbol)?, symbol))
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
                let Some(ty) = ty else { return unsupported("an array without a size") };
                self.claim_lengths(ty)?;
                let (bytes, align) = (self.n_bytes(ty)?, self.alignment(ty)?);
                self.builder.decl(pointer);
                let place = self.p.symbol(pointer);
                self.builder.alloc(place, bytes, align, Region::Stack, false);
            }
            // What no function owns lives all the time.
            Object::Variable(variable)
                if matches!(self.p.symbols[variable].kind, SymbolKind::Static { .. }) =>
            {
                let place = self.p.symbol(variable);
                let any = self.p.nondet(self.p.symbols[variable].ty);
                self.builder.assign(place, any);
            }
            _ => return unsupported("a declaration of something that is not a variable"),
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
        match (b.statement(code), operands) {
            ("expression", [e]) if b.ireps.get(code, ACCESS).is_some() => {
                let said = b.ireps.get_id(code, ACCESS);
                let known = [Intrinsic::Reads, Intrinsic::Writes, Intrinsic::Copies];
                let op = known.into_iter().find(|&op| access_name(op) == said);
                let (Some(op), &[pointer, size]) = (op, b.operands(*e)) else {
                    return unsupported(format!("the access `{said}`"));
                };
                let (void, word) = (self.p.types.void(), self.p.size_type());
                let void = self.p.types.ptr(void);
                let operands = [self.value_at(pointer, void)?, self.value_at(size, word)?];
                self.builder.intrinsic(op, None, operands);
                Ok(())
            }
            ("expression", [e]) if b.ireps.get(code, ORDER).is_some() => {
                let order = self.value(*e)?;
                self.builder.intrinsic(Intrinsic::Order, None, [order]);
                Ok(())
            }
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
            ("printf", [format, values @ ..]) => self.print(code, *format, values),
            ("input" | "output" | "printf" | "fence" | "skip" | "" | "trace", _) => Ok(()),
            ("free" | "delete" | "java_delete", [pointer]) => {
                let pointer = self.value(*pointer)?;
                match self.p.type_of(pointer) {
                    Type::Ptr(_) => {
                        self.builder.free(pointer, Region::Heap);
                        Ok(())
                    }
                    _ => unsupported("`free` of something that is not a pointer"),
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

    /// A statement that prints is a call, where the file declares the function.
    fn print(&mut self, code: IrepId, format: IrepId, values: &[IrepId]) -> Mapping<()> {
        let declared = ["printf", "c:@F@printf"];
        let mut declared = declared.into_iter().filter(|n| self.symbol_by_name.contains_key(*n));
        let (Some(name), "" | "printf") = (declared.next(), self.b.ireps.get_id(code, "base_name"))
        else {
            return Ok(());
        };
        let Object::Function(function) = self.object(name, None)? else { return Ok(()) };
        let Type::Func(_, params) = self.p.types.get(self.p.functions[function].ty).clone() else {
            return Ok(());
        };
        let &[text, list] = &params[..] else { return Ok(()) };
        let format = self.value_at(format, text)?;
        let values: Mapping<Vec<ExprId>> = values.iter().map(|&v| self.argument(v)).collect();
        let pack = self.pack_values(values?)?;
        let args = [format, self.coerce(pack, list)?].into();
        let callee = Callee::Direct(function);
        self.builder.push(InstrKind::Call { dest: None, callee, args });
        Ok(())
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
            return unsupported("`array_set` of something that is not a pointer");
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
}

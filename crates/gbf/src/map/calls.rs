//! Calls: functions that mean something to the tool that made the file, and how arguments are passed.

use super::{Given, Mapper, Mapping, Object, unsupported};
use crate::irep::IrepId;
use crate::view::plain_name;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Callee, Claim, Function, FunctionId, InstrKind, Intrinsic, Region};
use vergo_goto::types::{Type, TypeId};

impl Mapper<'_> {
    pub(super) fn call(&mut self, code: IrepId) -> Mapping<()> {
        let b = self.b;
        let operands = b.operands(code);
        let [dest, callee, arguments] = operands[..] else {
            return unsupported("a call without three operands");
        };
        let arguments = b.operands(arguments);
        let direct = self.called_function(callee)?;
        if let Some(function) = direct
            && self.known_call(function, dest, arguments)?
        {
            return Ok(());
        }
        let direct = match direct {
            Some(function) => Some(self.with_parameters(function, arguments)?),
            None => None,
        };
        let (callee, ty) = match direct {
            Some(function) => (Callee::Direct(function), self.p.functions[function].ty),
            None => self.called_pointer(callee, arguments)?,
        };
        let Type::Func(ret, params) = self.p.types.get(ty).clone() else {
            return unsupported("a call of something that is not a function");
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
            _ => Some(self.destination(dest)?),
        };
        match dest {
            Some(place) if self.p.exprs.ty(place) != ret => {
                let temp = self.temp(ret)?;
                self.builder.push(InstrKind::Call { dest: Some(temp), callee, args: args.into() });
                let value = self.coerce(temp, self.p.exprs.ty(place))?;
                self.builder.assign(place, value);
            }
            dest => {
                self.builder.push(InstrKind::Call { dest, callee, args: args.into() });
            }
        }
        Ok(())
    }

    /// The function that a call names, if it names one.
    fn called_function(&mut self, callee: IrepId) -> Mapping<Option<FunctionId>> {
        let b = self.b;
        let symbol = match b.ireps.id(callee) {
            "symbol" => callee,
            _ => match self.without_prototype(callee) {
                Some(symbol) => symbol,
                None => return Ok(None),
            },
        };
        let name = b.ireps.get_id(symbol, "identifier").to_owned();
        match self.object(&name, b.ireps.get(symbol, "type")) {
            Ok(Object::Function(function)) => {
                Ok(Some(function).filter(|&f| symbol == callee || !self.has_body(f)))
            }
            _ => unsupported(format!("a call of `{name}`, which is not a function")),
        }
    }

    /// The function without declared parameters that is called through its address at another type.
    fn without_prototype(&self, callee: IrepId) -> Option<IrepId> {
        let b = self.b;
        if b.ireps.id(callee) != "dereference" {
            return None;
        }
        let mut irep = *b.operands(callee).first()?;
        while b.ireps.id(irep) == "typecast" {
            irep = *b.operands(irep).first()?;
        }
        let symbol = match b.ireps.id(irep) {
            "address_of" => *b.operands(irep).first()?,
            _ => return None,
        };
        let ty = b.ireps.get(symbol, "type").filter(|&ty| b.ireps.id(ty) == "code")?;
        (b.ireps.id(symbol) == "symbol" && b.parameters(ty).is_empty()).then_some(symbol)
    }

    /// A function without a body whose parameters nobody declares has those that the arguments say.
    fn with_parameters(
        &mut self,
        function: FunctionId,
        arguments: &[IrepId],
    ) -> Mapping<FunctionId> {
        let Type::Func(ret, params) = self.p.types.get(self.p.functions[function].ty).clone()
        else {
            return Ok(function);
        };
        if arguments.is_empty() || !params.is_empty() || self.has_body(function) {
            return Ok(function);
        }
        let mut given = Vec::new();
        for &argument in arguments {
            let value = self.argument(argument)?;
            let ty = self.p.exprs.ty(value);
            let zero = matches!(self.p.exprs.kind(value), ExprKind::Int(bits) if bits.is_zero())
                && matches!(self.p.types.get(ty), Type::Int { .. });
            given.push(Given { ty, zero });
        }
        let key = (function, given);
        if let Some(&known) = self.unprototyped.get(&key) {
            return Ok(known);
        }
        let types: Vec<TypeId> = key.1.iter().map(|given| given.ty).collect();
        let ty = self.p.types.func(ret, types);
        let original = &self.p.functions[function];
        let name = format!("{}$call{}", original.name, self.unprototyped.len());
        let (display, span) = (original.display.clone(), original.span);
        let new =
            self.p.add_function(Function { span, ..Function::declaration(name, display, ty) });
        self.unprototyped.insert(key, new);
        Ok(new)
    }

    /// The pointer that a call goes through, and the type of what it calls.
    fn called_pointer(
        &mut self,
        callee: IrepId,
        arguments: &[IrepId],
    ) -> Mapping<(Callee, TypeId)> {
        let b = self.b;
        let pointer = match b.ireps.id(callee) {
            "dereference" => b.operands(callee).first().copied(),
            _ => Some(callee),
        };
        let Some(pointer) = pointer else { return unsupported("a call of nothing") };
        let pointer = self.value(pointer)?;
        match self.p.pointee(self.p.exprs.ty(pointer)).map(|ty| (ty, self.p.types.get(ty))) {
            // Without a prototype, the arguments say what the function takes.
            Some((_, &Type::Func(ret, ref params)))
                if params.is_empty() && !arguments.is_empty() =>
            {
                let mut types = Vec::new();
                for &argument in arguments {
                    let value = self.argument(argument)?;
                    types.push(self.p.exprs.ty(value));
                }
                let ty = self.p.types.func(ret, types);
                let want = self.p.types.ptr(ty);
                Ok((Callee::Indirect(self.p.cast(want, pointer)), ty))
            }
            Some((ty, Type::Func(..))) => Ok((Callee::Indirect(pointer), ty)),
            _ => unsupported("a call through something that is not a pointer to a function"),
        }
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
                let claim = Claim::new("user.assert", description);
                self.builder.assert(condition, claim);
            }
            ("__CPROVER_atomic_begin" | "__ESBMC_atomic_begin", []) => {
                self.builder.push(InstrKind::AtomicBegin);
            }
            ("__CPROVER_atomic_end" | "__ESBMC_atomic_end", []) => {
                self.builder.push(InstrKind::AtomicEnd);
            }
            ("pthread_exit" | "thrd_exit", [value]) => match self.first_of_thread() {
                Some(ret) => {
                    let value = self.value_at(*value, ret)?;
                    self.builder.ret(Some(value));
                }
                None => return Ok(false),
            },
            ("__ESBMC_yield" | "__CPROVER_fence" | "__ESBMC_unroll", _) => {}
            ("malloc", [size]) if !matches!(self.b.ireps.id(dest), "nil" | "") => {
                let word = self.p.size_type();
                let size = self.value_at(*size, word)?;
                let place = self.destination(dest)?;
                if !self.surely_allocates(size) || !matches!(self.p.type_of(place), Type::Ptr(_)) {
                    return Ok(false);
                }
                self.builder.alloc(place, size, 16, Region::Heap, false);
            }
            ("free", [pointer]) => {
                let pointer = self.value(*pointer)?;
                if !matches!(self.p.type_of(pointer), Type::Ptr(_)) {
                    return unsupported("`free` of something that is not a pointer");
                }
                self.builder.free(pointer, Region::Heap);
            }
            ("memset" | "__ESBMC_memset", [to, _, size]) => {
                self.accesses(&[(Intrinsic::Writes, *to)], *size)?;
                return Ok(false);
            }
            ("memcpy" | "memmove" | "__ESBMC_memcpy" | "__ESBMC_memmove", [to, from, size]) => {
                let blocks = [(Intrinsic::Copies, *from), (Intrinsic::Writes, *to)];
                self.accesses(&blocks, *size)?;
                return Ok(false);
            }
            ("__builtin_va_start" | "__builtin_c23_va_start", [list, ..]) => {
                self.start_list(*list)?
            }
            ("__builtin_va_copy", [to, from]) => self.copy_list(*to, *from)?,
            ("__builtin_va_end", _) => {}
            ("alloca" | "__builtin_alloca", [size]) => {
                let word = self.p.size_type();
                let size = self.value_at(*size, word)?;
                let place = self.destination(dest)?;
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
                let place = self.destination(dest)?;
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
                    let place = self.destination(dest)?;
                    let value = self.coerce(value, self.p.exprs.ty(place))?;
                    self.builder.assign(place, value);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns whether `malloc` of a size can only give that many bytes; for a size of zero, the library decides.
    pub(super) fn surely_allocates(&self, size: ExprId) -> bool {
        let constant = matches!(self.p.exprs.kind(size), ExprKind::Int(n) if !n.is_zero());
        constant && !self.malloc_may_fail
    }

    /// Says what a call accesses whose size is constant, so that the claims stand where it does, as those of C. Of an array that is
    /// accessed as a whole nothing has to be claimed.
    fn accesses(&mut self, blocks: &[(Intrinsic, IrepId)], size: IrepId) -> Mapping<()> {
        let (void, word) = (self.p.types.void(), self.p.size_type());
        let void_pointer = self.p.types.ptr(void);
        let size = self.value_at(size, word)?;
        let ExprKind::Int(bits) = self.p.exprs.kind(size) else { return Ok(()) };
        let Some(n) = bits.to_u64().filter(|&n| n > 0) else { return Ok(()) };
        for &(access, pointer) in blocks {
            let pointer = self.value_at(pointer, void_pointer)?;
            if !self.is_whole_array(pointer, n) {
                self.builder.intrinsic(access, None, [pointer, size]);
            }
        }
        Ok(())
    }

    /// Returns whether a pointer is the address of the first element of a variable with a given size.
    fn is_whole_array(&self, mut pointer: ExprId, size: u64) -> bool {
        while let ExprKind::Cast(_, operand) = *self.p.exprs.kind(pointer) {
            pointer = operand;
        }
        let ExprKind::AddressOf(mut place) = *self.p.exprs.kind(pointer) else { return false };
        if let ExprKind::Index(array, index) = *self.p.exprs.kind(place)
            && matches!(self.p.exprs.kind(index), ExprKind::Int(bits) if bits.is_zero())
        {
            place = array;
        }
        let is_variable = self.p.root_variable(place).is_some();
        is_variable && self.p.size_of(self.p.exprs.ty(place)) == Some(size)
    }

    /// The place that a result goes to.
    fn destination(&mut self, dest: IrepId) -> Mapping<ExprId> {
        let place = self.value(dest)?;
        match self.p.is_place(place) {
            true => Ok(place),
            false => unsupported("a result that goes to no place"),
        }
    }

    /// Returns whether the file has a body for a function; bodies are mapped one after the other.
    pub(super) fn has_body(&self, function: FunctionId) -> bool {
        self.bodies.contains(&function)
    }
}

//! Functions that lowering knows itself, where the program does not define them: what SV-COMP, CBMC and ESBMC fix, the
//! ends of a program, the heap, and what only library models may use (`__vergo_*`).

use crate::function::Fx;
use crate::verifier::Verifier;
use crate::{Arguments, Options};
use vergo_cfront::hir::{CastKind, Expr, ExprId as HirExpr, ExprKind, FuncId, StringUnits};
use vergo_cfront::types::TypeKind;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind as GotoExpr, MemoryOp, UnaryOp};
use vergo_goto::program::{Callee, Exit, FunctionId, InstrKind, Intrinsic, Region};
use vergo_goto::property::PropertyId;
use vergo_goto::types::Type;
use vergo_num::{Function, Function2, RoundingMode};
use vergo_source::Span;

/// A function that lowering knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// Executions in which the argument is zero are not considered.
    Assume,
    /// The argument must not be zero.
    Assert,
    /// An assertion has failed: the first argument says which.
    AssertFail,
    /// Must not be reached; ends the program.
    Error,
    /// Must not be reached; returns.
    ReachError,
    /// Any value of the result's type.
    Nondet,
    /// Zero or one.
    NondetBool,
    AtomicBegin,
    AtomicEnd,
    Malloc,
    /// Bytes are copied; inlined if their number is constant.
    Copy,
    /// Bytes are set; inlined if number and value are constant.
    Set,
    Free,
    Abort,
    /// Ends the program after what is to be run at its end.
    Exit,
    /// Ends the program at once.
    ExitNow,
    /// Ends the thread.
    ThreadExit,
    Setjmp,
    Longjmp,
    /// The further functions of verifiers' C, and contracts.
    Verifier(Verifier),
    // What only models use.
    Alloc,
    AllocZeroed,
    Memory(MemoryOp),
    Intrinsic(Intrinsic),
    Cursor,
    Unary(UnaryOp),
    Binary(BinaryOp),
    Fma,
    MallocMayFail,
    /// The question whether the program is run rather than verified.
    Concrete,
    Spawn,
    Join,
    /// Waits until the first argument is not zero, which the second says in words; claims that this is not for ever.
    Await,
    /// The question whether the property that the argument names is claimed.
    Checks,
    /// Claims that the first argument is not zero: property and description are the second and third.
    Claim,
    /// Something that a model does not handle: the argument says what.
    Unsupported,
}

impl Known {
    /// The known function of a name.
    pub(crate) fn of(name: &str, library: bool, options: &Options) -> Option<Known> {
        if let Some(rest) = name.strip_prefix("__vergo_") {
            return if library { Known::of_model(rest) } else { Verifier::of_contract(rest) };
        }
        if let Some(rest) = name.strip_prefix("__VERIFIER_") {
            return match rest {
                "assume" => Some(Known::Assume),
                "assert" => Some(Known::Assert),
                "error" => Some(Known::Error),
                "atomic_begin" => Some(Known::AtomicBegin),
                "atomic_end" => Some(Known::AtomicEnd),
                "nondet_bool" | "nondet__Bool" => Some(Known::NondetBool),
                "nondet_memory" => None,
                _ if rest.starts_with("nondet_") => Some(Known::Nondet),
                _ => None,
            };
        }
        Some(match name {
            "__CPROVER_assume" | "__ESBMC_assume" => Known::Assume,
            "__CPROVER_assert"
            | "__CPROVER_precondition"
            | "__ESBMC_assert"
            | "assert"
            | "static_assert" => Known::Assert,
            "__assert_fail"
            | "__assert"
            | "__assert_rtn"
            | "__assert_func"
            | "__assert_perror_fail" => Known::AssertFail,
            "reach_error" => Known::ReachError,
            "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => Known::AtomicBegin,
            "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => Known::AtomicEnd,
            "malloc" if !options.malloc_may_fail => Known::Malloc,
            "memcpy" | "memmove" if !library => Known::Copy,
            "memset" if !library => Known::Set,
            "free" | "cfree" => Known::Free,
            "abort" => Known::Abort,
            "exit" => Known::Exit,
            "_exit" | "_Exit" | "quick_exit" | "exit_group" => Known::ExitNow,
            "pthread_exit" | "thrd_exit" => Known::ThreadExit,
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" => Known::Setjmp,
            "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => Known::Longjmp,
            "nondet_bool" | "nondet__Bool" => Known::NondetBool,
            _ if name.starts_with("nondet_")
                || name.starts_with("__CPROVER_nondet_")
                || name == "nondet" =>
            {
                Known::Nondet
            }
            _ => return Verifier::of_cbmc(name.strip_prefix("__CPROVER_")?),
        })
    }

    /// Returns whether it stands for a function of the C library.
    pub(crate) fn is_of_library(self) -> bool {
        matches!(
            self,
            Known::Malloc
                | Known::Copy
                | Known::Set
                | Known::Free
                | Known::Abort
                | Known::Exit
                | Known::ExitNow
                | Known::ThreadExit
        )
    }

    /// A function of `<math.h>` whose value is what the library's is, as far as that is fixed.
    fn of_mathematics(name: &str) -> Option<Known> {
        let one = Function::ALL.iter().find(|function| function.name() == name);
        let two = Function2::ALL.iter().find(|function| function.name() == name);
        let one = one.map(|&function| Known::Unary(UnaryOp::Library(function)));
        one.or_else(|| two.map(|&function| Known::Binary(BinaryOp::Library(function))))
    }

    fn of_model(name: &str) -> Option<Known> {
        Some(match name {
            "alloc" => Known::Alloc,
            "alloc_zeroed" => Known::AllocZeroed,
            "free" => Known::Free,
            "exit" => Known::ExitNow,
            "exit_with_handlers" => Known::Exit,
            "abort" => Known::Abort,
            "assume" => Known::Assume,
            "await" => Known::Await,
            "checks" => Known::Checks,
            "claim" => Known::Claim,
            "unsupported" => Known::Unsupported,
            "object_size" => Known::Memory(MemoryOp::ObjectSize),
            "offset" => Known::Memory(MemoryOp::Offset),
            "same_object" => Known::Memory(MemoryOp::SameObject),
            "is_live" => Known::Memory(MemoryOp::IsLive),
            "is_heap" => Known::Memory(MemoryOp::IsHeap),
            "is_writable" => Known::Memory(MemoryOp::IsWritable),
            "has_object" => Known::Memory(MemoryOp::HasObject),
            "write" => Known::Intrinsic(Intrinsic::Write),
            "read" => Known::Intrinsic(Intrinsic::Read),
            "text_size" => Known::Memory(MemoryOp::TextSize),
            "text_ends" => Known::Memory(MemoryOp::TextEnds),
            "reads" => Known::Intrinsic(Intrinsic::Reads),
            "copies" => Known::Intrinsic(Intrinsic::Copies),
            "writes" => Known::Intrinsic(Intrinsic::Writes),
            "print_float" | "print_float_long" => Known::Intrinsic(Intrinsic::PrintFloat),
            "print" => Known::Intrinsic(Intrinsic::Print),
            "print_to" => Known::Intrinsic(Intrinsic::PrintTo),
            "scan" => Known::Intrinsic(Intrinsic::Scan),
            "scan_from" => Known::Intrinsic(Intrinsic::ScanFrom),
            "time" => Known::Intrinsic(Intrinsic::Time),
            "thread" => Known::Intrinsic(Intrinsic::Thread),
            "choice" => Known::Intrinsic(Intrinsic::Choose),
            "approximation" => Known::Intrinsic(Intrinsic::Approximation),
            "va_cursor" => Known::Cursor,
            "fabs" => Known::Unary(UnaryOp::Abs),
            "sqrt" => Known::Unary(UnaryOp::Sqrt),
            "floor" => Known::Unary(UnaryOp::RoundToIntegral(RoundingMode::TowardNegative)),
            "ceil" => Known::Unary(UnaryOp::RoundToIntegral(RoundingMode::TowardPositive)),
            "trunc" => Known::Unary(UnaryOp::RoundToIntegral(RoundingMode::TowardZero)),
            "rint" => Known::Unary(UnaryOp::RoundToIntegral(RoundingMode::NearestEven)),
            "round" => Known::Unary(UnaryOp::RoundToIntegral(RoundingMode::NearestAway)),
            "fmod" => Known::Binary(BinaryOp::Rem),
            "remainder" => Known::Binary(BinaryOp::IeeeRem),
            "fmin" => Known::Binary(BinaryOp::Min),
            "fmax" => Known::Binary(BinaryOp::Max),
            "fma" => Known::Fma,
            _ if name.starts_with("real_") => return Known::of_mathematics(&name[5..]),
            "malloc_may_fail" => Known::MallocMayFail,
            "concrete" => Known::Concrete,
            "spawn" => Known::Spawn,
            "join" => Known::Join,
            "atomic_begin" => Known::AtomicBegin,
            "atomic_end" => Known::AtomicEnd,
            _ => return None,
        })
    }
}

impl Fx<'_, '_> {
    /// A call of a function that lowering knows.
    pub(crate) fn known_call(
        &mut self,
        node: Expr,
        known: Known,
        func: FuncId,
        hir_args: &[HirExpr],
        dest: Option<ExprId>,
        want: bool,
    ) -> Option<ExprId> {
        let ty = self.ty(node.ty);
        let unit = self.unit.clone();
        let name = unit.names.name(unit.functions[func].name);
        let args = match known {
            Known::Cursor => Vec::new(),
            Known::Assume
            | Known::Assert
            | Known::Await
            | Known::Checks
            | Known::Claim
            | Known::Copy
            | Known::Set
            | Known::Verifier(_) => Vec::new(),
            _ => self.arguments(hir_args),
        };
        let needs = match known {
            Known::Fma => 3,
            Known::Binary(_) | Known::Spawn | Known::Longjmp => 2,
            Known::Unary(_)
            | Known::Setjmp
            | Known::Alloc
            | Known::AllocZeroed
            | Known::Malloc
            | Known::Free
            | Known::Join => 1,
            _ => 0,
        };
        if args.len() < needs {
            self.claim_no_body(name);
            return want.then(|| self.any_value(ty)).flatten();
        }
        let n_used = match known {
            Known::Memory(_) | Known::Intrinsic(_) => args.len(),
            Known::Exit | Known::ExitNow | Known::ThreadExit => 1,
            _ => needs,
        };
        for &unused in args.iter().skip(n_used) {
            self.discard(unused);
        }
        let result = match known {
            Known::Assume => {
                let cond = match hir_args.first() {
                    Some(&arg) => self.cond(arg),
                    None => self.cx.p.bool(true),
                };
                self.emit(InstrKind::Assume(cond));
                None
            }
            Known::Assert => {
                let cond = match hir_args.first() {
                    Some(&arg) => self.cond(arg),
                    None => self.cx.p.bool(false),
                };
                let message = hir_args.get(1).and_then(|&arg| self.string_of(arg));
                let message = message.unwrap_or_else(|| {
                    let span = hir_args.first().map_or(node.span, |&arg| unit.exprs[arg].span);
                    let text = self.cx.sources.span_text(span);
                    format!("assertion `{}`", String::from_utf8_lossy(text).trim())
                });
                self.claim(cond, "user.assert", message);
                None
            }
            Known::AssertFail => {
                let message = hir_args.iter().find_map(|&arg| self.string_of(arg));
                let message = message
                    .map_or_else(|| "assertion".to_string(), |text| format!("assertion `{text}`"));
                self.claim_false("user.assert", message);
                self.b.end(Exit::Abort);
                None
            }
            Known::Error => {
                self.claim_false("reach.error", format!("`{name}` is called"));
                self.b.end(Exit::Abort);
                None
            }
            Known::ReachError => {
                self.claim_false("reach.error", format!("`{name}` is called"));
                None
            }
            Known::Nondet | Known::NondetBool => {
                if matches!(self.cx.p.types.get(ty), Type::Void) {
                    return None;
                }
                let is_bool = known == Known::NondetBool
                    || matches!(unit.types.kind(node.ty), TypeKind::Bool);
                let place = match dest {
                    Some(dest) if self.cx.p.exprs.ty(dest) == ty => dest,
                    _ => {
                        let temp = self.temp(ty);
                        self.cx.p.symbol(temp)
                    }
                };
                let value = self.cx.p.nondet(ty);
                self.emit(InstrKind::Assign(place, value));
                if is_bool && matches!(self.cx.p.types.get(ty), Type::Int { .. }) {
                    let (zero, one) = (self.cx.p.int(ty, 0), self.cx.p.int(ty, 1));
                    let (above, below) = (self.cx.p.le(zero, place), self.cx.p.le(place, one));
                    let cond = self.cx.p.and(above, below);
                    self.emit(InstrKind::Assume(cond));
                }
                return Some(place);
            }
            Known::AtomicBegin => {
                self.b.push(InstrKind::AtomicBegin);
                None
            }
            Known::AtomicEnd => {
                self.b.push(InstrKind::AtomicEnd);
                None
            }
            Known::Malloc if self.may_be_zero(args[0]) && self.malloc_model().is_some() => {
                // Of no bytes there may be nothing: the model decides.
                let malloc = self.malloc_model().expect("it is there");
                let size_type = self.cx.p.size_type();
                let size = self.coerce(args[0], size_type);
                let ptr = self.cx.void_ptr();
                let place = match dest {
                    Some(dest) if self.cx.p.exprs.ty(dest) == ptr => dest,
                    _ => {
                        let temp = self.temp(ptr);
                        self.cx.p.symbol(temp)
                    }
                };
                let callee = Callee::Direct(malloc);
                self.emit(InstrKind::Call { dest: Some(place), callee, args: [size].into() });
                Some(place)
            }
            Known::Malloc | Known::Alloc | Known::AllocZeroed => {
                let size_type = self.cx.p.size_type();
                let size = self.coerce(args[0], size_type);
                let ptr = self.cx.void_ptr();
                let place = match dest {
                    Some(dest) if self.cx.p.exprs.ty(dest) == ptr => dest,
                    _ => {
                        let temp = self.temp(ptr);
                        self.cx.p.symbol(temp)
                    }
                };
                let align = self.cx.target.max_align;
                let zeroed = known == Known::AllocZeroed;
                self.emit(InstrKind::Alloc {
                    dest: place,
                    size,
                    align,
                    region: Region::Heap,
                    zeroed,
                });
                Some(place)
            }
            Known::Copy | Known::Set => {
                return self.memory_function(node, known, name, hir_args, want);
            }
            Known::Free => {
                let ptr = self.cx.void_ptr();
                let pointer = self.coerce(args[0], ptr);
                self.note(pointer, hir_args.first().map_or(node.span, |&arg| unit.exprs[arg].span));
                self.emit(InstrKind::Free(pointer, Region::Heap));
                None
            }
            Known::Abort => {
                self.b.end(Exit::Abort);
                None
            }
            Known::Exit | Known::ExitNow => {
                let int = self.cx.int_type();
                let status = match args.first() {
                    Some(&status) => self.coerce(status, int),
                    None => self.nondet(int),
                };
                let status = self.freeze(status);
                if known == Known::Exit
                    && let Some(fini) = self.cx.fini
                {
                    self.note_status(status);
                    let args = Box::default();
                    self.emit(InstrKind::Call { dest: None, callee: Callee::Direct(fini), args });
                }
                self.b.end(Exit::Status(status));
                None
            }
            Known::ThreadExit => {
                self.thread_exit(args.first().copied(), node.span);
                None
            }
            Known::Verifier(verifier) => self.verifier_call(node, verifier, func, hir_args),
            Known::Setjmp => Some(self.set_jump(args[0])),
            Known::Longjmp => {
                self.long_jump(args[0], args[1]);
                None
            }
            Known::Memory(op) => {
                let ptr = self.cx.void_ptr();
                let is_pointer = |fx: &Self, arg| matches!(fx.cx.p.type_of(arg), Type::Ptr(_));
                let args: Vec<ExprId> = args
                    .into_iter()
                    .map(|arg| if is_pointer(self, arg) { self.coerce(arg, ptr) } else { arg })
                    .collect();
                if !self.cx.units[self.u].library {
                    args.iter().for_each(|&pointer| self.ask_about(pointer));
                }
                Some(self.cx.p.memory(op, args))
            }
            Known::Intrinsic(op) => {
                let dest = if matches!(self.cx.p.types.get(ty), Type::Void) {
                    None
                } else {
                    let temp = self.temp(ty);
                    Some(self.cx.p.symbol(temp))
                };
                self.emit(InstrKind::Intrinsic { op, dest, args: args.into() });
                dest
            }
            Known::Cursor => {
                let cursor = self.cursor(*hir_args.first()?);
                Some(cursor)
            }
            Known::Unary(op) => Some(self.cx.p.unary(op, args[0])),
            Known::Binary(op) => {
                let ty = self.cx.p.exprs.ty(args[0]);
                let right = self.coerce(args[1], ty);
                Some(self.cx.p.binary(op, args[0], right))
            }
            Known::Fma => Some(self.cx.p.fma(args[0], args[1], args[2])),
            Known::MallocMayFail => {
                let int = self.cx.int_type();
                Some(self.cx.p.int(int, i128::from(self.cx.options.malloc_may_fail)))
            }
            Known::Concrete => {
                let int = self.cx.int_type();
                let given = matches!(self.cx.options.arguments, Arguments::Given(_));
                Some(self.cx.p.int(int, i128::from(given)))
            }
            Known::Spawn => {
                let temp = self.temp(ty);
                let dest = self.cx.p.symbol(temp);
                let ptr = self.cx.void_ptr();
                let arg = self.coerce(args[1], ptr);
                self.emit(InstrKind::Spawn {
                    dest: Some(dest),
                    callee: Callee::Indirect(args[0]),
                    arg,
                });
                Some(dest)
            }
            Known::Join => {
                let dest = if matches!(self.cx.p.types.get(ty), Type::Void) {
                    None
                } else {
                    let temp = self.temp(ty);
                    Some(self.cx.p.symbol(temp))
                };
                let goes_on = self.cx.p.memory(MemoryOp::OthersGoOn, [args[0]]);
                let description = "a thread waits for the end of one that never ends";
                self.claim(goes_on, "thread.deadlock", description.to_owned());
                self.emit(InstrKind::Join { thread: args[0], dest });
                dest
            }
            Known::Claim => {
                let &[cond, property, description] = hir_args else { return None };
                let cond = self.cond(cond);
                let property = self.string_of(property).unwrap_or_default();
                let description = self.string_of(description).unwrap_or_default();
                self.claim(cond, &property, description);
                None
            }
            Known::Await => {
                let &[cond, description] = hir_args else { return None };
                let cond = self.cond(cond);
                let others = self.cx.p.memory(MemoryOp::OthersGoOn, []);
                let goes_on = self.cx.p.or(cond, others);
                let description = self.string_of(description).unwrap_or_default();
                self.claim(goes_on, "thread.deadlock", description);
                self.emit(InstrKind::Assume(cond));
                None
            }
            Known::Checks => {
                let name = hir_args.first().and_then(|&arg| self.string_of(arg));
                let property = name.and_then(|name| PropertyId::from_id(&name));
                let is_claimed = property.is_some_and(|p| self.cx.options.properties.contains(p));
                let int = self.cx.int_type();
                Some(self.cx.p.int(int, i128::from(is_claimed)))
            }
            Known::Unsupported => {
                let what =
                    hir_args.first().and_then(|&arg| self.string_of(arg)).unwrap_or_default();
                self.b.unsupported(what);
                None
            }
        };
        if !want {
            if let Some(value) = result {
                self.discard(value);
            }
            return None;
        }
        match result {
            Some(value) if !matches!(self.cx.p.types.get(ty), Type::Void) => {
                Some(self.coerce(value, ty))
            }
            _ => self.any_value(ty),
        }
    }

    /// Returns whether a number of bytes may be zero, as far as lowering sees.
    fn may_be_zero(&self, size: ExprId) -> bool {
        match self.cx.p.exprs.kind(size) {
            GotoExpr::Int(bits) => bits.is_zero(),
            GotoExpr::Cast(_, operand) => self.may_be_zero(*operand),
            _ => true,
        }
    }

    fn malloc_model(&mut self) -> Option<FunctionId> {
        if !self.cx.options.models || matches!(self.cx.options.arguments, Arguments::Given(_)) {
            return None;
        }
        self.cx.model_function("__vergo_malloc")
    }

    /// Tells what runs at the end of the program with which status it ends.
    pub(crate) fn note_status(&mut self, status: ExprId) {
        if let Some(note) = self.cx.note_status {
            self.b.call(None, note, [status]);
        }
    }

    /// `pthread_exit`: a return where the function can only be the first one of a thread.
    fn thread_exit(&mut self, value: Option<ExprId>, span: Span) {
        let is_main = self.name == self.cx.options.entry;
        if is_main && let Some(leave) = self.cx.model_function("__vergo_leave_main") {
            self.b.call(None, leave, []);
            let int = self.cx.int_type();
            let zero = self.cx.p.int(int, 0);
            self.b.end(Exit::Status(zero));
            return;
        }
        let function = self.cx.p.types.get(self.cx.p.functions[self.id].ty).clone();
        let starts = match &function {
            Type::Func(_, params) if params.len() == 1 => {
                matches!(self.cx.p.types.get(self.ret), Type::Ptr(_)) && !self.is_called_directly()
            }
            _ => false,
        };
        match value {
            Some(value) if starts => {
                let ret = self.ret;
                let value = self.coerce(value, ret);
                self.ret(Some(value));
            }
            _ => self.unsupported("`pthread_exit` outside of a thread's first function", span),
        }
    }

    /// Returns whether some expression of the unit calls this function by its name.
    fn is_called_directly(&mut self) -> bool {
        let unit = self.unit.clone();
        unit.exprs.values().any(|expr| match expr.kind {
            ExprKind::Call(callee, _) => self
                .direct_callee(callee)
                .is_some_and(|func| unit.names.name(unit.functions[func].name) == self.name),
            _ => false,
        })
    }

    /// Any value, if the type has values.
    fn any_value(&mut self, ty: vergo_goto::types::TypeId) -> Option<ExprId> {
        if matches!(self.cx.p.types.get(ty), Type::Void) { None } else { Some(self.nondet(ty)) }
    }

    /// The text of a string literal behind conversions.
    pub(crate) fn string_of(&self, mut expr: HirExpr) -> Option<String> {
        loop {
            match self.unit.exprs[expr].kind {
                ExprKind::Cast(CastKind::ArrayDecay | CastKind::Ptr | CastKind::NoOp, inner) => {
                    expr = inner
                }
                ExprKind::String(string) => {
                    let StringUnits::Bytes(bytes) = &self.unit.strings[string].units else {
                        return None;
                    };
                    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
                    return Some(String::from_utf8_lossy(bytes).into_owned());
                }
                _ => return None,
            }
        }
    }
}

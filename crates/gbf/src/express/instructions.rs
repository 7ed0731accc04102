//! Functions and instructions: typed GOTO to ireps.

use super::{Expressed, Expresser};
use crate::binary::{BodyEntry, FunctionEntry, InstructionEntry};
use crate::irep::IrepId;
use crate::view::{ACCESS, Kind, ORDER, UNSUPPORTED, access_name};
use rustc_hash::FxHashMap;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, Claim, Exit, FunctionId, Instr, InstrKind, Intrinsic, LabelId, Program, Region,
};
use vergo_goto::types::Type;
use vergo_source::Span;

/// The number of an instruction that nothing jumps to.
const NO_TARGET: u32 = u32::MAX;

/// Alignment that every allocation has.
const ALLOCATION_ALIGN: u64 = 16;

/// Functions that register what runs at the end of the program.
const HANDLERS: &[&str] = &["atexit", "on_exit", "at_quick_exit", "__cxa_atexit"];

/// The body of a function that is being written.
pub(super) struct Code {
    pub(super) name: String,
    pub(super) instructions: Vec<InstructionEntry>,
    /// The numbers of labels.
    labels: FxHashMap<LabelId, u32>,
    /// The number of the end.
    end: u32,
    /// True if something jumps to the end.
    jumps_to_end: bool,
    /// The number of the next instruction, if it is a target.
    pub(super) number: u32,
    /// The number of targets besides labels and the end.
    n_more: u32,
}

impl Code {
    pub(super) fn new(name: &str) -> Code {
        Code {
            name: name.to_owned(),
            instructions: Vec::new(),
            labels: FxHashMap::default(),
            end: 0,
            jumps_to_end: false,
            number: NO_TARGET,
            n_more: 0,
        }
    }

    /// The number of a target that is no label.
    pub(super) fn new_target(&mut self) -> u32 {
        self.n_more += 1;
        self.end + self.n_more
    }

    /// Returns the number of targets made in this way.
    pub(super) fn n_targets(&self) -> u32 {
        self.n_more
    }
}

impl Expresser<'_> {
    /// Writes a function: its symbol, those of its variables, its body.
    pub(super) fn function(&mut self, id: FunctionId) {
        let p = self.p;
        let function = &p.functions[id];
        if let Err(what) = self.declare(id) {
            self.fail(format!("{what} (in the type of `{}`)", function.display), function.span);
            return;
        }
        let Some(body) = &function.body else {
            if let Err(what) = self.check_declared(id) {
                self.fail(what, function.span);
            }
            return;
        };
        let variables = self.variables.get(&id).cloned().unwrap_or_default();
        for symbol in variables {
            if let Err(what) = self.local_symbol(symbol, &function.name) {
                let info = &p.symbols[symbol];
                self.fail(format!("{what} (in `{}`)", info.display), info.span);
            }
        }
        let mut code = Code::new(&function.name);
        for instr in body {
            if let InstrKind::Label(label) = instr.kind {
                let number = code.labels.len() as u32 + 1;
                code.labels.insert(label, number);
            }
        }
        code.end = code.labels.len() as u32 + 1;
        if function.library {
            self.hide(&mut code);
        }
        for (i, instr) in body.iter().enumerate() {
            self.note_parts(instr, &function.name);
            let is_last = i + 1 == body.len();
            if let Err(what) = self.instruction(&mut code, instr, is_last) {
                self.fail(what, instr.span);
            }
        }
        let last = body.last().map_or(function.span, |instr| instr.span);
        self.end_function(&mut code, last);
        self.functions.push(FunctionEntry {
            name: function.name.clone().into_bytes().into(),
            body: BodyEntry::Instructions(code.instructions),
        });
    }

    /// Checks that a library function takes its arguments as the program passes them.
    fn check_declared(&self, id: FunctionId) -> Expressed<()> {
        let function = &self.p.functions[id];
        let Type::Func(ret, params) = self.p.types.get(function.ty) else { return Ok(()) };
        for &ty in params.iter().chain([ret]) {
            let to = self.p.pointee(ty).unwrap_or(ty);
            if let &Type::Struct(structure) = self.p.types.get(to)
                && self.p.types.structs[structure].name == "va_list"
            {
                let name = &function.display;
                return Err(format!("a list of variable arguments that `{name}` takes"));
            }
        }
        Ok(())
    }

    /// Remembers where the parts of an instruction stand. Expressions are shared, so what was written for another
    /// instruction is not used for one that has parts, and the other way round.
    fn note_parts(&mut self, instr: &Instr, function: &str) {
        if self.parts.is_empty() && instr.parts.is_empty() {
            return;
        }
        self.parts.clear();
        self.values.clear();
        for &(expr, span) in &instr.parts {
            if span != instr.span {
                let location = self.location(span, function);
                self.parts.entry(expr).or_insert(location);
            }
        }
    }

    /// A statement of a kind.
    pub(super) fn statement(&mut self, kind: &str, operands: &[IrepId]) -> IrepId {
        let (ty, kind) = (self.b.leaf("empty"), self.b.leaf(kind));
        self.b.irep("code", operands, &[("type", ty), ("statement", kind)])
    }

    /// An instruction without targets.
    pub(super) fn push(
        &mut self,
        code: &mut Code,
        kind: Kind,
        statement: IrepId,
        location: IrepId,
        guard: Option<IrepId>,
    ) {
        self.push_to(code, kind, statement, location, guard, &[]);
    }

    pub(super) fn push_to(
        &mut self,
        code: &mut Code,
        kind: Kind,
        statement: IrepId,
        location: IrepId,
        guard: Option<IrepId>,
        targets: &[u32],
    ) {
        let guard = guard.unwrap_or_else(|| self.truth(true));
        code.instructions.push(InstructionEntry {
            code: statement,
            location,
            kind: kind as u32,
            guard,
            number: std::mem::replace(&mut code.number, NO_TARGET),
            targets: targets.into(),
            labels: Box::new([]),
        });
    }

    /// Marks a function as one that traces do not show.
    pub(super) fn hide(&mut self, code: &mut Code) {
        let (skip, nil) = (self.statement("skip", &[]), self.b.leaf("nil"));
        self.push(code, Kind::Skip, skip, nil, None);
        let label = self.b.text("__CPROVER_HIDE");
        if let Some(last) = code.instructions.last_mut() {
            last.labels = [label].into();
        }
    }

    pub(super) fn end_function(&mut self, code: &mut Code, span: Span) {
        let nil = self.b.leaf("nil");
        let name = code.name.clone();
        let location = self.location(span, &name);
        if code.jumps_to_end {
            code.number = code.end;
        }
        self.push(code, Kind::EndFunction, nil, location, None);
    }

    /// A call of what an expression names.
    pub(super) fn call_instruction(
        &mut self,
        code: &mut Code,
        location: IrepId,
        dest: IrepId,
        callee: IrepId,
        args: &[IrepId],
    ) {
        let args = self.b.irep("arguments", args, &[]);
        let call = self.statement("function_call", &[dest, callee, args]);
        self.push(code, Kind::Call, call, location, None);
    }

    fn instruction(&mut self, code: &mut Code, instr: &Instr, is_last: bool) -> Expressed<()> {
        let name = code.name.clone();
        let at = self.location(instr.span, &name);
        let nil = self.b.leaf("nil");
        match &instr.kind {
            InstrKind::Skip => {
                let skip = self.statement("skip", &[]);
                self.push(code, Kind::Skip, skip, at, None);
            }
            InstrKind::Label(label) => {
                let skip = self.statement("skip", &[]);
                code.number = code.labels[label];
                self.push(code, Kind::Skip, skip, at, None);
            }
            InstrKind::Assign(place, value) => {
                let left = self.place(*place)?;
                let mut right = self.value(*value)?;
                if let Some(ty) = self.bit_field_of(*place)? {
                    right = self.typed("typecast", &[right], ty);
                }
                self.assignment(code, at, left, right);
            }
            InstrKind::Assume(condition) => {
                let condition = self.value(*condition)?;
                self.push(code, Kind::Assume, nil, at, Some(condition));
            }
            InstrKind::Assert(condition, claim) => {
                let condition = self.value(*condition)?;
                let at = self.claim_location(instr.span, &name, claim);
                self.push(code, Kind::Assert, nil, at, Some(condition));
            }
            InstrKind::Goto(condition, label) => {
                let condition = match condition {
                    Some(condition) => Some(self.value(*condition)?),
                    None => None,
                };
                let target = code.labels[label];
                self.push_to(code, Kind::Goto, nil, at, condition, &[target]);
            }
            InstrKind::Call { dest, callee, args } => {
                self.call(code, at, *dest, callee, args)?;
            }
            InstrKind::Return(value) => {
                if let Some(value) = value {
                    let value = self.value(*value)?;
                    let statement = self.statement("return", &[value]);
                    self.push(code, Kind::Return, statement, at, None);
                }
                if !is_last {
                    let end = code.end;
                    code.jumps_to_end = true;
                    self.push_to(code, Kind::Goto, nil, at, None, &[end]);
                }
            }
            InstrKind::Decl(symbol) => {
                let place = self.static_place(*symbol)?;
                let statement = self.statement("decl", &[place]);
                self.push(code, Kind::Decl, statement, at, None);
            }
            InstrKind::Dead(symbol) => {
                let place = self.static_place(*symbol)?;
                let statement = self.statement("dead", &[place]);
                self.push(code, Kind::Dead, statement, at, None);
            }
            InstrKind::Alloc { align, .. } if *align > ALLOCATION_ALIGN => {
                return Err(format!("an allocation that is aligned to {align} bytes"));
            }
            &InstrKind::Alloc { dest, size, region: Region::Heap, zeroed, .. } => {
                let place = self.place(dest)?;
                let operands = [self.size(size)?, self.truth(zeroed)];
                let ty = self.ty(self.p.exprs.ty(dest))?;
                let statement = self.b.leaf("allocate");
                let named = [("type", ty), ("statement", statement)];
                let value = self.b.irep("side_effect", &operands, &named);
                self.assignment(code, at, place, value);
            }
            InstrKind::Alloc { region: Region::Stack, zeroed: true, .. } => {
                return Err("an allocation on the stack that is zero".to_owned());
            }
            &InstrKind::Alloc { dest, size, region: Region::Stack, .. } => {
                let place = self.place(dest)?;
                let size = self.size(size)?;
                let (void, word) = (self.void_pointer(), self.word_type());
                let callee = self.library_function("__builtin_alloca", void, &[word])?;
                self.call_instruction(code, at, place, callee, &[size]);
            }
            InstrKind::Free(pointer, Region::Heap) => {
                let pointer = self.untyped(*pointer)?;
                let (void, empty) = (self.void_pointer(), self.b.leaf("empty"));
                let callee = self.library_function("free", empty, &[void])?;
                self.call_instruction(code, at, nil, callee, &[pointer]);
            }
            InstrKind::Free(pointer, Region::Stack) => self.stack_death(code, at, *pointer)?,
            InstrKind::AtomicBegin => {
                let statement = self.statement("atomic_begin", &[]);
                self.push(code, Kind::AtomicBegin, statement, at, None);
            }
            InstrKind::AtomicEnd => {
                let statement = self.statement("atomic_end", &[]);
                self.push(code, Kind::AtomicEnd, statement, at, None);
            }
            InstrKind::End(exit) => self.exit(code, at, exit)?,
            InstrKind::Spawn { dest, callee, arg } => self.spawn(code, at, *dest, callee, *arg)?,
            InstrKind::Join { .. } => return Err("waiting for a thread".to_owned()),
            InstrKind::Intrinsic { op, args, .. } if op.is_obligation() => {
                let mut operands = Vec::new();
                for &arg in args {
                    operands.push(self.value(arg)?);
                }
                let bool_type = self.b.leaf("bool");
                let ok = if *op == Intrinsic::Writes { "w_ok" } else { "r_ok" };
                let ok = self.typed(ok, &operands, bool_type);
                let (empty, statement) = (self.b.leaf("empty"), self.b.leaf("expression"));
                let access = self.b.leaf(access_name(*op));
                let named = [("type", empty), ("statement", statement), (ACCESS, access)];
                let statement = self.b.irep("code", &[ok], &named);
                self.push(code, Kind::Other, statement, at, None);
            }
            InstrKind::Intrinsic { op: Intrinsic::Order, args, .. } => {
                let order = self.value(args[0])?;
                let (empty, statement) = (self.b.leaf("empty"), self.b.leaf("expression"));
                let named = [("type", empty), ("statement", statement), (ORDER, self.b.leaf("1"))];
                let statement = self.b.irep("code", &[order], &named);
                self.push(code, Kind::Other, statement, at, None);
            }
            InstrKind::Intrinsic { op, .. } => return Err(format!("the intrinsic `{op:?}`")),
            // As Kani writes what it does not handle: a claim that it is not reached, and nothing after it.
            InstrKind::Unsupported(what) => {
                let mut named = self.position(instr.span, &name);
                named.push(("comment", self.b.leaf(&what[..])));
                named.push(("property_class", self.b.leaf(UNSUPPORTED)));
                let (at, no) = (self.b.irep("", &[], &named), self.truth(false));
                self.push(code, Kind::Assert, nil, at, Some(no));
                self.push(code, Kind::Assume, nil, at, Some(no));
            }
        }
        Ok(())
    }

    /// The location of a claim, which says what is claimed.
    fn claim_location(&mut self, span: Span, function: &str, claim: &Claim) -> IrepId {
        let mut named = self.position(span, function);
        // The word that CBMC has for what users assert; the other classes are our properties.
        let class = match &claim.property[..] {
            "user.assert" => "assertion",
            other => other,
        };
        let (comment, class) = (self.b.leaf(&claim.description), self.b.leaf(class));
        named.extend([("comment", comment), ("property_class", class)]);
        named.push(("user-provided", self.b.leaf("1")));
        self.b.irep("", &[], &named)
    }

    fn void_pointer(&mut self) -> IrepId {
        let empty = self.b.leaf("empty");
        self.pointer_to(empty)
    }

    fn word_type(&mut self) -> IrepId {
        self.int_type(false, self.p.machine.pointer_width)
    }

    /// A size in bytes.
    fn size(&mut self, size: ExprId) -> Expressed<IrepId> {
        let value = self.value(size)?;
        let word = self.p.machine.pointer_width;
        match *self.p.type_of(size) {
            Type::Int { signed: false, width } if width == word => Ok(value),
            _ => {
                let ty = self.word_type();
                Ok(self.typed("typecast", &[value], ty))
            }
        }
    }

    /// A pointer to anything.
    fn untyped(&mut self, pointer: ExprId) -> Expressed<IrepId> {
        let value = self.value(pointer)?;
        let to = self.p.pointee(self.p.exprs.ty(pointer));
        if to.is_some_and(|to| *self.p.types.get(to) == Type::Void) {
            return Ok(value);
        }
        let void = self.void_pointer();
        Ok(self.typed("typecast", &[value], void))
    }

    /// The end of a life on the stack, as CBMC notes it: the object may be the one that its checks take to be dead.
    fn stack_death(&mut self, code: &mut Code, at: IrepId, pointer: ExprId) -> Expressed<()> {
        let pointer = self.untyped(pointer)?;
        let void = self.void_pointer();
        let book = self.named("__CPROVER_dead_object", void);
        let bool_type = self.b.leaf("bool");
        let any = self.nondet(bool_type);
        let value = self.typed("if", &[any, pointer, book], void);
        self.assignment(code, at, book, value);
        Ok(())
    }

    fn exit(&mut self, code: &mut Code, at: IrepId, exit: &Exit) -> Expressed<()> {
        let nil = self.b.leaf("nil");
        let empty = self.b.leaf("empty");
        match exit {
            Exit::Abort => {
                let callee = self.library_function("abort", empty, &[])?;
                self.call_instruction(code, at, nil, callee, &[]);
            }
            Exit::Status(status) => {
                if HANDLERS.iter().any(|name| self.p.function_named(name).is_some()) {
                    return Err("the end of a program that registers what runs then".to_owned());
                }
                let int = self.int_type(true, 32);
                let value = self.value(*status)?;
                let status = self.typed("typecast", &[value], int);
                let callee = self.library_function("exit", empty, &[int])?;
                self.call_instruction(code, at, nil, callee, &[status]);
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        code: &mut Code,
        at: IrepId,
        dest: Option<ExprId>,
        callee: &Callee,
        args: &[ExprId],
    ) -> Expressed<()> {
        let direct = match callee {
            Callee::Direct(function) => Some(*function),
            Callee::Indirect(pointer) => self.named_function(*pointer).filter(|&f| {
                self.p.pointee(self.p.exprs.ty(*pointer)) == Some(self.p.functions[f].ty)
            }),
        };
        let mut list = Vec::new();
        let target = match (direct, callee) {
            (Some(function), _) => {
                let args = if self.is_variadic(function) {
                    let (last, fixed) = args.split_last().ok_or("a call without arguments")?;
                    for &arg in fixed {
                        list.push(self.value(arg)?);
                    }
                    self.unpack(function, *last, &mut list)?;
                    &[][..]
                } else {
                    args
                };
                for &arg in args {
                    list.push(self.value(arg)?);
                }
                self.function_symbol(function)?
            }
            (None, Callee::Indirect(pointer)) => {
                for &arg in args {
                    list.push(self.value(arg)?);
                }
                let to = self.p.pointee(self.p.exprs.ty(*pointer)).ok_or("a call of nothing")?;
                let pointer = self.value(*pointer)?;
                let ty = self.ty(to)?;
                self.typed("dereference", &[pointer], ty)
            }
            (None, Callee::Direct(_)) => return Err("a call of nothing".to_owned()),
        };
        let dest = match dest {
            Some(dest) => self.place(dest)?,
            None => self.b.leaf("nil"),
        };
        self.call_instruction(code, at, dest, target, &list);
        Ok(())
    }

    /// The variable arguments that a structure holds, one by one.
    fn unpack(
        &mut self,
        function: FunctionId,
        pack: ExprId,
        list: &mut Vec<IrepId>,
    ) -> Expressed<()> {
        let p = self.p;
        let mut expr = pack;
        while let ExprKind::Cast(_, inner) = *p.exprs.kind(expr) {
            expr = inner;
        }
        match p.exprs.kind(expr) {
            ExprKind::Int(bits) if bits.is_zero() => return Ok(()),
            ExprKind::Zero => return Ok(()),
            &ExprKind::AddressOf(place) => {
                if let (ExprKind::Symbol(_), &Type::Struct(id)) =
                    (p.exprs.kind(place), p.type_of(place))
                {
                    let inner = self.place(place)?;
                    let fields = &p.types.structs[id].fields;
                    let arguments = (0..fields.len() / 2).map(Program::pack_field);
                    for field in arguments.map(|i| &fields[i as usize]) {
                        let ty = self.field_type(field)?;
                        let name = self.b.leaf(&field.name);
                        let named = [("type", ty), ("component_name", name)];
                        list.push(self.b.irep("member", &[inner], &named));
                    }
                    return Ok(());
                }
            }
            _ => {}
        }
        let name = &p.functions[function].display;
        Err(format!("variable arguments of others that are passed on to `{name}`"))
    }
}

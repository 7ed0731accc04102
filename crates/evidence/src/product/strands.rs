//! The code of each thread, with all calls replaced by what they call.

use super::tidy::tidy;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Callee, FunctionId, Instr, InstrKind, Intrinsic, LabelId, Program, StaticInit, Symbol,
    SymbolId, SymbolKind,
};
use vergo_goto::rewrite::{ExprMap, Role};
use vergo_goto::types::{Type, TypeId};
use vergo_passes::renaming::Renaming;
use vergo_passes::{Options, fold, inline};
use vergo_source::Span;

/// Strands at most, and their instructions.
const MAX_STRANDS: usize = 9;
const MAX_INSTRS: usize = 20_000;

/// The code of all threads, in the names of one function.
pub(super) struct Strands {
    /// The program that has their variables.
    pub(super) program: Program,
    /// The function that has them.
    pub(super) entry: FunctionId,
    /// The instructions of each; the first is the program's own.
    pub(super) bodies: Vec<Vec<Instr>>,
    /// The variable by which each gets its argument, and the one for its result.
    pub(super) ends: Vec<(SymbolId, Option<SymbolId>)>,
    /// For each start, by strand and instruction, the strand that begins.
    pub(super) starts: FxHashMap<(usize, usize), usize>,
    /// Labels that are taken.
    pub(super) n_labels: u32,
}

impl Strands {
    /// # Errors
    /// Returns the construct that cannot be followed.
    pub(super) fn of(source: &Program) -> Result<Strands, String> {
        let mut program = source.clone();
        let entry = program.entry.ok_or("the program has no beginning")?;
        let body = flat(&mut program, entry).ok_or("the program has no beginning")?;
        let mut labels = FunctionBuilder::continuing(program.functions[entry].n_labels, 0);
        let pointer = pointer_type(&mut program);
        let unused = variable(&mut program, "argument", pointer);
        let mut strands = Strands {
            program,
            entry,
            bodies: vec![body],
            ends: vec![(unused, None)],
            starts: FxHashMap::default(),
            n_labels: 0,
        };
        let mut next = 0;
        while next < strands.bodies.len() {
            strands.verify(next)?;
            let reached = sections(&strands.bodies[next], &|_| false)?;
            for at in (0..reached.len()).filter(|&at| reached[at].is_some()) {
                if let InstrKind::Spawn { callee, arg, .. } = strands.bodies[next][at].kind {
                    let function = strands.started(callee)?;
                    strands.starts.insert((next, at), strands.bodies.len());
                    let ty = strands.program.exprs.ty(arg);
                    strands.add(function, ty, &mut labels)?;
                }
            }
            next += 1;
        }
        let n_instrs: usize = strands.bodies.iter().map(Vec::len).sum();
        if n_instrs > MAX_INSTRS {
            return Err("so much code of threads".into());
        }
        tidy(&mut strands.program, &mut strands.bodies)?;
        labels.finish(&mut strands.program, entry);
        strands.n_labels = strands.program.functions[entry].n_labels;
        // Nothing else is executed.
        for function in strands.program.functions.values_mut() {
            function.body = None;
        }
        strands.program.entry = Some(entry);
        Ok(strands)
    }

    /// The joins of all strands, by strand and instruction.
    pub(super) fn joins(&self) -> impl Iterator<Item = (usize, usize)> {
        self.bodies.iter().enumerate().flat_map(|(k, body)| {
            let is_join = |instr: &Instr| matches!(instr.kind, InstrKind::Join { .. });
            body.iter().enumerate().filter(move |(_, i)| is_join(i)).map(move |(at, _)| (k, at))
        })
    }

    /// Adds a strand that begins with a function.
    fn add(
        &mut self,
        function: FunctionId,
        arg: TypeId,
        labels: &mut FunctionBuilder,
    ) -> Result<(), String> {
        if self.bodies.len() >= MAX_STRANDS {
            return Err("so many threads".into());
        }
        let program = &mut self.program;
        let body = flat(program, function).ok_or("a thread without a body")?;
        let params = program.functions[function].params.clone();
        let locals = body.iter().filter_map(|instr| match instr.kind {
            InstrKind::Decl(symbol) => Some(symbol),
            _ => None,
        });
        let mut symbols = FxHashMap::default();
        for symbol in params.iter().copied().chain(locals).collect::<BTreeSet<_>>() {
            let copy = program.copy_symbol(symbol, SymbolKind::Local(self.entry));
            symbols.insert(symbol, copy);
        }
        let argument = variable(program, "argument", arg);
        let mut own = Vec::with_capacity(body.len() + 2);
        let instr = |kind| Instr { kind, span: Span::DUMMY, parts: Box::default() };
        match params[..] {
            [] => {}
            [param] if program.symbols[param].ty == arg => {
                let copy = symbols[&param];
                let (place, value) = (program.symbol(copy), program.symbol(argument));
                own.push(instr(InstrKind::Decl(copy)));
                own.push(instr(InstrKind::Assign(place, value)));
            }
            _ => return Err("a thread with unusual parameters".into()),
        }
        let result = match *program.types.get(program.functions[function].ty) {
            Type::Func(ret, _) if matches!(program.types.get(ret), Type::Ptr(_)) => {
                Some(variable(program, "result", ret))
            }
            _ => None,
        };
        let mut renaming = Renaming::of(symbols);
        for mut instr in body {
            renaming.instr(program, labels, &mut instr);
            own.push(instr);
        }
        self.bodies.push(own);
        self.ends.push((argument, result));
        Ok(())
    }

    /// The function that a strand starts.
    fn started(&self, callee: Callee) -> Result<FunctionId, String> {
        let mut pointer = match callee {
            Callee::Direct(function) => return Ok(function),
            Callee::Indirect(pointer) => pointer,
        };
        loop {
            match *self.program.exprs.kind(pointer) {
                ExprKind::Function(function) => return Ok(function),
                ExprKind::Cast(_, of) => pointer = of,
                _ => return Err("a thread that is one of several functions".into()),
            }
        }
    }

    /// Checks that a strand has nothing that is not followed.
    fn verify(&self, strand: usize) -> Result<(), String> {
        let program = &self.program;
        let mut flaw = None;
        let reached = sections(&self.bodies[strand], &|_| false)?;
        let reached = reached.iter().map(Option::is_some);
        for (instr, _) in self.bodies[strand].iter().zip(reached).filter(|(_, is)| *is) {
            match &instr.kind {
                InstrKind::Call { .. } => flaw = Some("a call that stays one"),
                InstrKind::Intrinsic { op: Intrinsic::Thread, .. } => {
                    flaw = Some("the number of the current thread");
                }
                InstrKind::Alloc { region: vergo_goto::program::Region::Stack, .. }
                    if strand > 0 =>
                {
                    flaw = Some("memory on a thread's stack");
                }
                _ => {}
            }
            instr.kind.for_each_expr(|expr, _| {
                program.for_each_subexpr(expr, |part| match program.exprs.kind(part) {
                    ExprKind::Symbol(symbol) => {
                        let kind = &program.symbols[*symbol].kind;
                        if strand > 0
                            && matches!(kind, SymbolKind::Static { thread_local: true, .. })
                        {
                            flaw = Some("a thread-local variable");
                        }
                    }
                    ExprKind::Memory(op, _)
                        if matches!(
                            op,
                            MemoryOp::OthersGoOn
                                | MemoryOp::UnracedRead
                                | MemoryOp::UnracedWrite
                                | MemoryOp::HeapEmpty
                                | MemoryOp::HeapReachable
                        ) =>
                    {
                        flaw = Some("a claim about threads");
                    }
                    _ => {}
                });
            });
        }
        match flaw {
            Some(flaw) => Err(format!("it is not followed: {flaw}")),
            None => Ok(()),
        }
    }
}

/// The code of a function with all calls replaced by what they call, and parameters by constants that they are set to.
fn flat(program: &mut Program, function: FunctionId) -> Option<Vec<Instr>> {
    program.entry = Some(function);
    let options = Options::default();
    inline::run(program, &options);
    let mut body = program.functions[function].body.take()?;
    let mut set_once: FxHashMap<SymbolId, u32> = FxHashMap::default();
    for instr in &body {
        instr.kind.for_each_expr(|expr, role| {
            if let Some(symbol) = program.root_variable(expr).filter(|_| role == Role::Write) {
                *set_once.entry(symbol).or_default() += 1;
            }
            program.for_each_subexpr(expr, |part| {
                if let ExprKind::AddressOf(place) = *program.exprs.kind(part)
                    && let Some(symbol) = program.root_variable(place)
                {
                    *set_once.entry(symbol).or_default() += 2;
                }
            });
        });
    }
    // A parameter of what was called is set where the call was, before everything that reads it.
    set_once.retain(|&symbol, times| {
        let is_copy = program.copies.contains_key(&symbol);
        let original = &program.symbols[program.original(symbol)];
        *times == 1 && is_copy && matches!(original.kind, SymbolKind::Param(_))
    });
    let mut constants: FxHashMap<SymbolId, ExprId> = FxHashMap::default();
    let mut map = ExprMap::new();
    for instr in &mut body {
        let is_variable = |program: &Program, expr: ExprId| {
            matches!(program.exprs.kind(expr), ExprKind::Symbol(_))
        };
        instr.kind.map_exprs(|expr, role| {
            if role == Role::Write && is_variable(program, expr) {
                return expr;
            }
            map.map(program, expr, &mut |program, expr| match *program.exprs.kind(expr) {
                ExprKind::Symbol(symbol) => constants.get(&symbol).copied().unwrap_or(expr),
                ExprKind::Deref(pointer) => program.deref(pointer),
                ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                    match are_equal(program, a, b) {
                        Some(equal) => program.bool(equal == (op == BinaryOp::Eq)),
                        None => expr,
                    }
                }
                _ => expr,
            })
        });
        if let InstrKind::Assign(place, value) = instr.kind
            && let ExprKind::Symbol(symbol) = *program.exprs.kind(place)
            && set_once.contains_key(&symbol)
            && is_constant(program, value)
        {
            constants.insert(symbol, value);
            map = ExprMap::new();
        }
    }
    program.functions[function].body = Some(body);
    fold::run(program, &options);
    program.functions[function].body.clone()
}

/// Returns whether two pointers that are constants are equal, if that is known: variables and functions are not at null.
fn are_equal(program: &Program, a: ExprId, b: ExprId) -> Option<bool> {
    let is_null = |mut expr: ExprId| loop {
        match program.exprs.kind(expr) {
            ExprKind::Zero => return Some(true),
            ExprKind::Int(bits) => return bits.is_zero().then_some(true),
            ExprKind::AddressOf(_) | ExprKind::Function(_) if is_constant(program, expr) => {
                return Some(false);
            }
            ExprKind::Cast(_, of) if matches!(program.type_of(*of), Type::Ptr(_)) => expr = *of,
            _ => return None,
        }
    };
    let is_pointer = |expr: ExprId| matches!(program.type_of(expr), Type::Ptr(_));
    match (is_null(a)?, is_null(b)?) {
        (false, false) => None,
        (a_is, b_is) => (is_pointer(a) && is_pointer(b)).then_some(a_is == b_is),
    }
}

/// Checks whether an expression has the same value everywhere.
fn is_constant(program: &Program, mut expr: ExprId) -> bool {
    loop {
        match *program.exprs.kind(expr) {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Zero | ExprKind::Function(_) => {
                return true;
            }
            ExprKind::Cast(_, of) => expr = of,
            ExprKind::AddressOf(place) => {
                return matches!(program.exprs.kind(place), ExprKind::Symbol(_));
            }
            _ => return false,
        }
    }
}

/// For each instruction of a strand: the atomic sections around it, and whether something was done in the outermost that others see.
/// None where nothing leads.
pub(super) fn sections(
    body: &[Instr],
    is_seen: &dyn Fn(usize) -> bool,
) -> Result<Vec<Option<(u32, bool)>>, String> {
    let mut labels: FxHashMap<LabelId, usize> = FxHashMap::default();
    for (at, instr) in body.iter().enumerate() {
        if let InstrKind::Label(label) = instr.kind {
            labels.insert(label, at);
        }
    }
    let mut before: Vec<Option<(u32, bool)>> = vec![None; body.len() + 1];
    before[0] = Some((0, false));
    let mut pending = vec![0];
    while let Some(at) = pending.pop() {
        let (Some(instr), Some((depth, seen))) = (body.get(at), before[at]) else { continue };
        let (depth, seen) = match instr.kind {
            InstrKind::AtomicBegin => (depth + 1, seen && depth > 0),
            InstrKind::AtomicEnd if depth <= 1 => (0, false),
            InstrKind::AtomicEnd => (depth - 1, seen),
            _ => (depth, depth > 0 && (seen || is_seen(at))),
        };
        let mut next = Vec::new();
        if instr.kind.falls_through() {
            next.push(at + 1);
        }
        if let InstrKind::Goto(_, label) = instr.kind {
            next.push(*labels.get(&label).ok_or("a jump to nowhere")?);
        }
        for to in next {
            let merged = match before[to] {
                None => (depth, seen),
                Some((other, _)) if other != depth => {
                    return Err("an atomic section that begins or ends on some paths only".into());
                }
                Some((_, other)) => (depth, seen || other),
            };
            if before[to] != Some(merged) {
                before[to] = Some(merged);
                pending.push(to);
            }
        }
    }
    before.pop();
    Ok(before)
}

fn pointer_type(program: &mut Program) -> TypeId {
    let void = program.types.void();
    program.types.ptr(void)
}

/// A new static variable that begins with zero.
pub(super) fn variable(program: &mut Program, what: &str, ty: TypeId) -> SymbolId {
    let name = format!("{what}@{}", program.symbols.len());
    let align = program.types.align_of(ty, &program.machine);
    program.add_symbol(Symbol {
        name,
        display: String::new(),
        ty,
        kind: SymbolKind::Static { init: StaticInit::Data(Vec::new()), thread_local: false },
        span: Span::DUMMY,
        align,
        writable: true,
    })
}

//! Leaves out of a program all variables but some: localisation.
//!
//! **Idea.** Most of a large program has nothing to do with a claim. Here only some variables are kept, scalars whose
//! address nobody takes, so that only assignments to them change them. Every other value is any value: a branch on one
//! goes either way, an assumption about one is dropped, memory is not there at all. A call of a function that neither
//! claims anything nor changes a kept variable is dropped with all that it calls. What is left is small, reads no
//! memory, and does to the kept variables whatever the program does, and more. [`Localiser::choices`] says which
//! variables to keep.
//!
//! **Source.** Localisation reduction: Kurshan, "Computer-aided verification of coordinating processes", 1994, chapter 8.
//!
//! **Soundness.** Each instruction becomes one that allows all that it allowed, as far as kept variables and claims are
//! concerned, so an execution of the program that violates a claim is also one of the localised program. Calls
//! through pointers go to the functions of [points-to analysis](PointsTo), or do nothing. Nobody has to trust this
//! file: the checker of evidence compares the two programs instruction by instruction.

mod choices;

use cranelift_entity::{EntitySet, SecondaryMap};
use std::collections::BTreeSet;
use vergo_analysis::callgraph::CallGraph;
use vergo_analysis::points_to::PointsTo;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, Exit, FunctionId, InstrKind, Program, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};

/// The variables that a localised program keeps.
pub type Kept = BTreeSet<SymbolId>;

/// For each function, the positions of the instructions that those of the localised one were made of.
pub type Origins = SecondaryMap<FunctionId, Vec<usize>>;

/// A program, and what is known of it to leave variables out.
pub struct Localiser<'a> {
    program: &'a Program,
    points_to: PointsTo,
    graph: CallGraph,
    keepable: Kept,
}

impl<'a> Localiser<'a> {
    /// Looks at a program; `None` if it has threads, which are not followed.
    pub fn new(program: &'a Program) -> Option<Localiser<'a>> {
        let points_to = PointsTo::of(program);
        let graph = CallGraph::resolved(program, &points_to);
        let localiser = Localiser { program, points_to, graph, keepable: keepable(program) };
        let is_thread =
            |kind: &InstrKind| matches!(kind, InstrKind::Spawn { .. } | InstrKind::Join { .. });
        let threads = localiser.functions().any(|function| {
            let body = program.functions[function].body.iter().flatten();
            body.into_iter().any(|instr| is_thread(&instr.kind))
        });
        (!threads).then_some(localiser)
    }

    /// The functions that can be called, callees first.
    fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.graph.bottom_up().iter().flatten().copied()
    }

    /// The functions that a call can be of.
    fn callees(&self, callee: Callee) -> Vec<FunctionId> {
        match callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(pointer) => self.points_to.callees(pointer),
        }
    }

    /// The functions that claim something, change a kept variable or give it its value, or call one that does.
    fn relevant(&self, kept: &Kept) -> EntitySet<FunctionId> {
        let program = self.program;
        let keeps = |kind: &InstrKind| written(program, kind).is_some_and(|s| kept.contains(&s));
        let mut gives: EntitySet<FunctionId> = EntitySet::new();
        for function in self.functions() {
            for instr in program.functions[function].body.iter().flatten() {
                if let InstrKind::Call { callee, .. } = &instr.kind
                    && keeps(&instr.kind)
                {
                    gives.extend(self.callees(*callee));
                }
            }
        }
        let mut relevant: EntitySet<FunctionId> = EntitySet::new();
        relevant.extend(program.entry);
        let matters = |relevant: &EntitySet<FunctionId>, function, kind: &InstrKind| match kind {
            InstrKind::Assert(..) | InstrKind::Unsupported(_) => true,
            InstrKind::Intrinsic { op, .. } if op.is_for_runs() => true,
            InstrKind::Return(Some(value)) => {
                gives.contains(function) && is_local(program, *value, kept)
            }
            InstrKind::Call { callee, .. } if self.is_misused(*callee) => true,
            InstrKind::Call { callee, .. }
                if self.callees(*callee).iter().any(|&callee| relevant.contains(callee)) =>
            {
                true
            }
            kind => written(program, kind).is_some_and(|symbol| {
                let kind = &program.symbols[symbol].kind;
                kept.contains(&symbol) && matches!(kind, SymbolKind::Static { .. })
            }),
        };
        for group in self.graph.bottom_up() {
            // Functions that call each other are relevant together.
            let is_relevant = |&function: &FunctionId| {
                let body = program.functions[function].body.iter().flatten();
                body.into_iter().any(|instr| matters(&relevant, function, &instr.kind))
            };
            if group.iter().any(is_relevant) {
                relevant.extend(group.iter().copied());
            }
        }
        relevant
    }

    /// Checks whether a call can get to a function that is called in another way.
    fn is_misused(&self, callee: Callee) -> bool {
        let Callee::Indirect(pointer) = callee else { return false };
        let called = self.program.pointee(self.program.exprs.ty(pointer));
        self.callees(callee).iter().any(|&function| {
            let ty = self.program.functions[function].ty;
            !called.is_some_and(|called| self.program.is_called_alike(ty, called))
        })
    }

    /// The program with these variables only.
    pub fn localise(&self, kept: &Kept) -> Program {
        self.localise_with_origins(kept).0
    }

    /// The same, and for each instruction of each function the position of the one that it was made of.
    pub fn localise_with_origins(&self, kept: &Kept) -> (Program, Origins) {
        let relevant = self.relevant(kept);
        let mut program = self.program.clone();
        let mut origins = Origins::new();
        let functions: Vec<FunctionId> = program.functions.keys().collect();
        for function in functions {
            if !relevant.contains(function) {
                program.functions[function].body = None;
                continue;
            }
            let weakener = Weakener { localiser: self, kept, relevant: &relevant, function };
            let (mut made_of, mut at) = (Vec::new(), 0);
            program.rewrite_body(function, |program, out, instr| {
                weakener.instr(program, out, instr.kind);
                made_of.resize(out.len(), at);
                at += 1;
            });
            origins[function] = made_of;
        }
        (program, origins)
    }
}

/// Makes the instructions of a function weaker.
struct Weakener<'a> {
    localiser: &'a Localiser<'a>,
    kept: &'a Kept,
    relevant: &'a EntitySet<FunctionId>,
    function: FunctionId,
}

impl Weakener<'_> {
    fn instr(&self, program: &mut Program, out: &mut FunctionBuilder, kind: InstrKind) {
        let keeps = written(program, &kind).is_some_and(|symbol| self.kept.contains(&symbol));
        match kind {
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Goto(None, _)
            | InstrKind::Unsupported(_) => out.push(kind),
            InstrKind::Intrinsic { op, .. } if op.is_for_runs() => out.push(kind),
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) if self.kept.contains(&symbol) => {
                out.push(kind);
            }
            InstrKind::Assume(cond) if is_local(program, cond, self.kept) => out.push(kind),
            InstrKind::Assert(cond, claim) => {
                let cond = self.value(program, out, cond);
                out.push(InstrKind::Assert(cond, claim));
            }
            InstrKind::Goto(Some(cond), label) => {
                let cond = self.value(program, out, cond);
                out.push(InstrKind::Goto(Some(cond), label));
            }
            InstrKind::Return(value) => {
                let value = value.map(|value| self.value(program, out, value));
                out.push(InstrKind::Return(value));
            }
            InstrKind::End(_) => out.push(InstrKind::End(Exit::Abort)),
            InstrKind::Assign(place, value) if keeps => {
                let as_it_is = is_local(program, value, self.kept)
                    || matches!(program.exprs.kind(value), ExprKind::Nondet(_));
                let value = if as_it_is { value } else { program.nondet(program.exprs.ty(value)) };
                out.assign(place, value);
            }
            InstrKind::Call { dest, callee, args } => {
                self.call(program, out, dest.filter(|_| keeps), callee, &args);
            }
            InstrKind::Intrinsic { dest: Some(place), .. }
            | InstrKind::Alloc { dest: place, .. }
                if keeps =>
            {
                forget(program, out, place);
            }
            InstrKind::Decl(_)
            | InstrKind::Dead(_)
            | InstrKind::Assume(_)
            | InstrKind::Assign(..)
            | InstrKind::Alloc { .. }
            | InstrKind::Free(..)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::Intrinsic { .. }
            | InstrKind::Spawn { .. }
            | InstrKind::Join { .. } => {}
        }
    }

    /// A call of one of the relevant functions, each behind a branch that may skip it; or of none, with any result.
    fn call(
        &self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        dest: Option<ExprId>,
        callee: Callee,
        args: &[ExprId],
    ) {
        if self.localiser.is_misused(callee) {
            return out.unsupported("a call through a pointer of another type");
        }
        let mut targets = self.localiser.callees(callee);
        targets.retain(|&function| self.relevant.contains(function));
        if let (Callee::Direct(function), [_]) = (callee, &targets[..]) {
            return self.direct(program, out, dest, function, args);
        }
        if targets.is_empty() {
            return dest.into_iter().for_each(|place| forget(program, out, place));
        }
        let done = out.new_label();
        for function in targets {
            let next = out.new_label();
            let skips = program.types.bool();
            let skips = self.any(program, out, skips);
            out.goto_if(skips, next);
            self.direct(program, out, dest, function, args);
            out.goto(done);
            out.label(next);
        }
        dest.into_iter().for_each(|place| forget(program, out, place));
        out.label(done);
    }

    fn direct(
        &self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        dest: Option<ExprId>,
        function: FunctionId,
        args: &[ExprId],
    ) {
        let params = program.functions[function].params.clone();
        let args = params.iter().enumerate().map(|(i, param)| {
            let ty = program.symbols[*param].ty;
            match args.get(i) {
                _ if !self.kept.contains(param) => program.zero(ty),
                Some(&arg) if program.exprs.ty(arg) == ty => self.value(program, out, arg),
                _ => self.any(program, out, ty),
            }
        });
        let args = args.collect();
        let returned = match *program.types.get(program.functions[function].ty) {
            Type::Func(returned, _) => Some(returned),
            _ => None,
        };
        let taken = dest.filter(|&place| Some(program.exprs.ty(place)) == returned);
        out.push(InstrKind::Call { dest: taken, callee: Callee::Direct(function), args });
        if let (Some(place), None) = (dest, taken) {
            forget(program, out, place);
        }
    }

    /// A value if it can be kept, or any of its type.
    fn value(&self, program: &mut Program, out: &mut FunctionBuilder, value: ExprId) -> ExprId {
        let ty = program.exprs.ty(value);
        if is_local(program, value, self.kept) {
            value
        } else if is_scalar(program, ty) {
            self.any(program, out, ty)
        } else {
            // Results that are no scalars are kept nowhere.
            program.zero(ty)
        }
    }

    fn any(&self, program: &mut Program, out: &mut FunctionBuilder, ty: TypeId) -> ExprId {
        let symbol = program.add_symbol(Symbol {
            name: format!("any {}", program.symbols.len()),
            display: String::new(),
            ty,
            kind: SymbolKind::Local(self.function),
            span: out.span(),
            align: program.types.align_of(ty, &program.machine),
            writable: true,
        });
        out.decl(symbol);
        let place = program.symbol(symbol);
        forget(program, out, place);
        place
    }
}

/// Gives a place any value.
fn forget(program: &mut Program, out: &mut FunctionBuilder, place: ExprId) {
    let any = program.nondet(program.exprs.ty(place));
    out.assign(place, any);
}

/// The variable that an instruction assigns to as a whole.
fn written(program: &Program, kind: &InstrKind) -> Option<SymbolId> {
    let place = match kind {
        InstrKind::Assign(place, _) => *place,
        InstrKind::Call { dest, .. } | InstrKind::Intrinsic { dest, .. } => (*dest)?,
        InstrKind::Alloc { dest, .. } => *dest,
        _ => return None,
    };
    match *program.exprs.kind(place) {
        ExprKind::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}

/// The scalars whose address nobody takes.
fn keepable(program: &Program) -> Kept {
    let scalars = program.symbols.iter().filter(|(_, info)| is_scalar(program, info.ty));
    let mut keepable: Kept = scalars.map(|(symbol, _)| symbol).collect();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::AddressOf(place) = expr.kind
            && let Some(symbol) = program.root_variable(place)
        {
            keepable.remove(&symbol);
        }
    }
    keepable
}

/// Checks whether values of a type can be kept: integers, truth values and pointers.
fn is_scalar(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.get(ty), Type::Bool | Type::Int { .. } | Type::Ptr(_))
}

/// Checks whether an expression is computed from constants and variables of a set alone.
fn is_local(program: &Program, expr: ExprId, set: &Kept) -> bool {
    let is_local = |expr| is_local(program, expr, set);
    if !is_scalar(program, program.exprs.ty(expr)) {
        return false;
    }
    match *program.exprs.kind(expr) {
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Zero | ExprKind::Function(_) => true,
        ExprKind::Symbol(symbol) => set.contains(&symbol),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => is_local(a),
        ExprKind::Binary(_, a, b) => is_local(a) && is_local(b),
        ExprKind::Ite(c, a, b) => is_local(c) && is_local(a) && is_local(b),
        ExprKind::AddressOf(place) => is_local_address(program, place, set),
        _ => false,
    }
}

/// Checks whether the address of a place is computed from variables of a set alone; nothing is read there.
fn is_local_address(program: &Program, place: ExprId, set: &Kept) -> bool {
    match *program.exprs.kind(place) {
        // Each activation has its own local variables; statics have one address.
        ExprKind::Symbol(symbol) => {
            matches!(program.symbols[symbol].kind, SymbolKind::Static { thread_local: false, .. })
        }
        ExprKind::Deref(pointer) => is_local(program, pointer, set),
        ExprKind::Member(base, _) => is_local_address(program, base, set),
        ExprKind::Index(base, index) => {
            is_local_address(program, base, set) && is_local(program, index, set)
        }
        _ => false,
    }
}

//! The private state of functions: an abstraction of a program that holds whoever calls, and wherever pointers point.
//!
//! **Idea.** A warning in the middle of a project is about a function that gets pointers, reads static variables and calls what
//! is elsewhere. Of all that nothing has to be known for many proofs: `p = malloc(n); if (!p) return;` is enough for
//! all accesses behind it. So the program is reduced to what nobody else can change: the variables of an activation whose address
//! is never taken. Everything else that is read is any value, writes to it are left out, and a call gives any result.
//!
//! **What is read twice.** `if (p->next) p->next->key = 0;` reads `p->next` twice, and nothing happens in between. What has been
//! read from memory is kept in a variable of its own, which takes any value whenever something is done that may change what is
//! there: a write that is not one of private variables, a call of a function that may write, or a change of what the place
//! depends on. Where a unit has volatile objects nothing is kept.
//!
//! **Soundness.** Take any execution of any program with the file in it, without undefined behaviour before the warning's place, and
//! a call of the function in which the abstraction begins. The abstraction can take the same steps with the same values of private
//! variables: C gives nobody else a way to change these. Addresses are compared with null only; other comparisons, differences,
//! conversions to numbers, and questions about objects have any answer, since the addresses that a pointer from outside may have
//! are not all addresses that engines think of. So what holds of the abstraction holds of all those executions.
//!
//! **Undefined behaviour before.** A claim about it is assumed if the abstraction says what it claims; others are left out.

use std::collections::{BTreeMap, BTreeSet};

use vergo_evidence::ClaimKey;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::fold::Const;
use vergo_goto::program::{
    Callee, Exit, FunctionId, Instr, InstrKind, Program, Region, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::Role;
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

use super::callees::Callees;

/// With more pairs than this of an instruction and a place that is read, what is read is not kept.
const MANY: usize = 400_000;

/// The things about a unit that its program does not say.
#[derive(Clone, Debug, Default)]
pub(super) struct Knowledge {
    /// The functions that are declared not to return.
    pub(super) noreturn: BTreeSet<String>,
    /// True if objects change by themselves.
    pub(super) has_volatile: bool,
}

/// Reduces a program to the private state of a chain of functions and, if these are kept, of those that they call.
/// It begins with the first function of `chain`, of which each calls the next and the last has the claims that are meant. Other
/// claims are not left. If a function of the chain is not kept, nothing is done; returns whether something was.
pub(super) fn reduce(
    program: &mut Program,
    chain: &[&str],
    keep_callees: bool,
    knowledge: &Knowledge,
    is_meant: &dyn Fn(&ClaimKey) -> bool,
    is_undefined: &dyn Fn(&str) -> bool,
) -> bool {
    let Some(start) = program.entry else { return false };
    let Some((first, args)) = chain.first().and_then(|entry| first_call(program, start, entry))
    else {
        return false;
    };
    let callees = Callees::new(program, first, chain, keep_callees, knowledge);
    let is_kept =
        |name: &&str| callees.kept.iter().any(|&kept| program.functions[kept].display == **name);
    if !chain.iter().all(is_kept) {
        return false;
    }
    for &function in &callees.kept {
        let n_instrs = program.functions[function].body.as_ref().map_or(0, Vec::len);
        let mut reduction = Reduction::new(program, function, !knowledge.has_volatile);
        if reduction.read.len().saturating_mul(n_instrs) > MANY {
            reduction = Reduction::new(program, function, false);
        }
        reduction.run(program, &callees, is_meant, is_undefined);
    }
    begin(program, start, first, &args);
    for (id, function) in program.functions.iter_mut() {
        if id != start && !callees.kept.contains(&id) {
            function.body = None;
        }
    }
    true
}

/// The call of the entry function, and the types of its arguments.
fn first_call(
    program: &Program,
    start: FunctionId,
    entry: &str,
) -> Option<(FunctionId, Vec<TypeId>)> {
    let body = program.functions[start].body.as_ref()?;
    body.iter().rev().find_map(|instr| match &instr.kind {
        InstrKind::Call { callee: Callee::Direct(callee), args, .. }
            if program.functions[*callee].display == entry
                && program.functions[*callee].body.is_some() =>
        {
            Some((*callee, args.iter().map(|&arg| program.exprs.ty(arg)).collect()))
        }
        _ => None,
    })
}

/// Lets the program begin with a call with any arguments.
fn begin(program: &mut Program, start: FunctionId, first: FunctionId, args: &[TypeId]) {
    let mut out = FunctionBuilder::new();
    out.set_span(program.functions[start].span);
    let mut values = Vec::new();
    for &ty in args {
        let temp = new_variable(program, start, ty);
        let (place, value) = (program.symbol(temp), program.nondet(ty));
        out.decl(temp);
        out.assign(place, value);
        values.push(place);
    }
    out.call(None, first, values);
    out.end(Exit::Abort);
    out.finish(program, start);
}

fn new_variable(program: &mut Program, function: FunctionId, ty: TypeId) -> SymbolId {
    let name = format!("$any{}", program.symbols.len());
    let align = program.types.align_of(ty, &program.machine);
    program.add_symbol(Symbol {
        name,
        display: String::new(),
        ty,
        kind: SymbolKind::Local(function),
        span: Span::DUMMY,
        align,
        writable: true,
    })
}

/// The reduction of a function.
struct Reduction {
    function: FunctionId,
    /// The variables that nobody else can change.
    private: BTreeSet<SymbolId>,
    /// By place, what has been read from memory.
    read: BTreeMap<ExprId, SymbolId>,
    /// By variable, the variables of what has been read whose place depends on it.
    dependents: BTreeMap<SymbolId, Vec<SymbolId>>,
    /// The variables that have any value wherever they are looked at.
    any: BTreeSet<SymbolId>,
    /// By place, whether it has a value: not zero if so.
    initialized: BTreeMap<ExprId, SymbolId>,
    /// The values and places that take the place of others.
    values: BTreeMap<ExprId, ExprId>,
    places: BTreeMap<ExprId, ExprId>,
    keeps_reads: bool,
}

impl Reduction {
    fn new(program: &mut Program, function: FunctionId, keeps_reads: bool) -> Reduction {
        let mut reduction = Reduction {
            function,
            private: private_variables(program, function),
            read: BTreeMap::new(),
            dependents: BTreeMap::new(),
            any: BTreeSet::new(),
            initialized: BTreeMap::new(),
            values: BTreeMap::new(),
            places: BTreeMap::new(),
            keeps_reads,
        };
        let (values, places) = needed(program, function);
        // Parts have smaller numbers than what they are part of.
        let all: BTreeSet<ExprId> = values.union(&places).copied().collect();
        for expr in all {
            if places.contains(&expr) {
                let place = reduction.place(program, expr);
                reduction.places.insert(expr, place);
            }
            if values.contains(&expr) {
                let value = reduction.value(program, expr);
                reduction.values.insert(expr, value);
            }
        }
        reduction
    }

    fn place(&self, program: &mut Program, expr: ExprId) -> ExprId {
        let ty = program.exprs.ty(expr);
        let kind = match *program.exprs.kind(expr) {
            ExprKind::Deref(pointer) => ExprKind::Deref(self.values[&pointer]),
            ExprKind::Member(base, member) => ExprKind::Member(self.places[&base], member),
            ExprKind::Index(base, index) => {
                ExprKind::Index(self.places[&base], self.values[&index])
            }
            _ => return expr,
        };
        program.exprs.intern(kind, ty)
    }

    fn value(&mut self, program: &mut Program, expr: ExprId) -> ExprId {
        if program.is_place(expr) {
            let place = self.places[&expr];
            return if self.is_private(program, place) { place } else { self.load(program, place) };
        }
        let ty = program.exprs.ty(expr);
        if !is_known(program, expr) {
            return self.any_value(program, ty);
        }
        if let ExprKind::Memory(_, operands) = program.exprs.kind(expr) {
            let operands = operands.clone();
            return match self.whole_variable(program, &operands) {
                Some(place) => self.has_value(program, place),
                None => self.any_value(program, ty),
            };
        }
        let kind = match program.exprs.kind(expr).clone() {
            ExprKind::AddressOf(place) => ExprKind::AddressOf(self.places[&place]),
            kind => kind.map_children(|child| self.values[&child]),
        };
        program.exprs.intern(kind, ty)
    }

    fn is_private(&self, program: &Program, place: ExprId) -> bool {
        program.root_variable(place).is_some_and(|variable| self.private.contains(&variable))
    }

    /// The private variable or member, no element, that a question whether memory is initialised is about.
    fn whole_variable(&self, program: &Program, operands: &[ExprId]) -> Option<ExprId> {
        let [address, size] = *operands else { return None };
        let ExprKind::AddressOf(place) = *program.exprs.kind(address) else { return None };
        let place = self.places[&place];
        let is_whole = match (program.size_of(program.exprs.ty(place)), program.const_of(size)) {
            (Some(n_bytes), Some(Const::Int(_, bits))) => bits.to_u64() == Some(n_bytes),
            _ => false,
        };
        let mut base = place;
        while let ExprKind::Member(of, _) = *program.exprs.kind(base) {
            base = of;
        }
        let is_local = matches!(*program.exprs.kind(base), ExprKind::Symbol(variable)
            if matches!(program.symbols[variable].kind, SymbolKind::Local(_)));
        (is_whole && is_local && self.is_private(program, place)).then_some(place)
    }

    /// Returns whether a place has a value.
    fn has_value(&mut self, program: &mut Program, place: ExprId) -> ExprId {
        let byte = program.types.int(false, 8);
        let variable = match self.initialized.get(&place) {
            Some(&variable) => variable,
            None => {
                let variable = new_variable(program, self.function, byte);
                self.initialized.insert(place, variable);
                variable
            }
        };
        let (flag, zero) = (program.symbol(variable), program.int(byte, 0));
        program.ne(flag, zero)
    }

    /// Notes that something was written to a place: of a structure, or of a byte that is copied, it is not known whether
    /// it has a value.
    fn note_value(
        &self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        dest: ExprId,
        value: Option<ExprId>,
    ) {
        let byte = program.types.int(false, 8);
        for (&place, &variable) in &self.initialized {
            let mut base = place;
            while base != dest
                && let ExprKind::Member(of, _) = *program.exprs.kind(base)
            {
                base = of;
            }
            if base != dest {
                continue;
            }
            let is_zero = value.is_some_and(|v| matches!(program.exprs.kind(v), ExprKind::Zero));
            let is_byte = program.size_of(program.exprs.ty(dest)) == Some(1);
            let is_copied = value.is_none_or(|value| copies(program, value));
            let is_known = is_zero || place == dest && !(is_byte && is_copied);
            if is_known {
                let (flag, one) = (program.symbol(variable), program.int(byte, 1));
                out.assign(flag, one);
            } else {
                forget(program, out, variable);
            }
        }
    }

    fn any_value(&mut self, program: &mut Program, ty: TypeId) -> ExprId {
        let variable = new_variable(program, self.function, ty);
        self.any.insert(variable);
        program.symbol(variable)
    }

    /// What is read from a place.
    fn load(&mut self, program: &mut Program, place: ExprId) -> ExprId {
        if let Some(&variable) = self.read.get(&place) {
            return program.symbol(variable);
        }
        let ty = program.exprs.ty(place);
        let scalar = matches!(
            program.types.get(ty),
            Type::Int { .. } | Type::Float(_) | Type::Ptr(_) | Type::Bool
        );
        let mut on = BTreeSet::new();
        program.for_each_subexpr(place, |part| {
            if let ExprKind::Symbol(variable) = *program.exprs.kind(part) {
                on.insert(variable);
            }
        });
        if !self.keeps_reads || !scalar || on.iter().any(|variable| self.any.contains(variable)) {
            return self.any_value(program, ty);
        }
        let variable = new_variable(program, self.function, ty);
        self.read.insert(place, variable);
        for on in on {
            self.dependents.entry(on).or_default().push(variable);
        }
        program.symbol(variable)
    }

    fn run(
        mut self,
        program: &mut Program,
        callees: &Callees,
        is_meant: &dyn Fn(&ClaimKey) -> bool,
        is_undefined: &dyn Fn(&str) -> bool,
    ) {
        let function = self.function;
        let mut begun = false;
        program.rewrite_body(function, |program, out, instr| {
            if !begun {
                begun = true;
                let flags = self.initialized.values();
                let known = self.read.values().chain(&self.any).chain(flags);
                let known: Vec<SymbolId> = known.copied().collect();
                for variable in known {
                    out.decl(variable);
                    forget(program, out, variable);
                }
            }
            self.instruction(program, out, instr, callees, is_meant, is_undefined);
        });
    }

    fn instruction(
        &mut self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        instr: Instr,
        callees: &Callees,
        is_meant: &dyn Fn(&ClaimKey) -> bool,
        is_undefined: &dyn Fn(&str) -> bool,
    ) {
        let Instr { kind, span, .. } = instr;
        match kind {
            InstrKind::Assign(place, value) => self.assign(program, out, place, value),
            InstrKind::Assert(_, claim) if claim.property == "call.no-body" => {
                self.forget_all(program, out);
                if callees.never_returns(&claim.description) {
                    out.end(Exit::Abort);
                }
            }
            InstrKind::Assert(condition, claim) => {
                let condition = self.values[&condition];
                if is_meant(&ClaimKey::new(&claim, span)) {
                    self.refresh(program, out, condition);
                    out.assert(condition, *claim);
                } else if is_undefined(&claim.property) && !self.mentions_any(program, condition) {
                    out.assume(condition);
                }
            }
            InstrKind::Assume(condition) => {
                let condition = self.values[&condition];
                self.refresh(program, out, condition);
                out.assume(condition);
            }
            InstrKind::Goto(Some(condition), label) => {
                let condition = self.values[&condition];
                self.refresh(program, out, condition);
                out.goto_if(condition, label);
            }
            InstrKind::Return(Some(value)) => {
                let value = self.values[&value];
                self.refresh(program, out, value);
                out.ret(Some(value));
            }
            InstrKind::Decl(variable) | InstrKind::Dead(variable) => {
                out.push(kind);
                let byte = program.types.int(false, 8);
                for (&place, &flag) in &self.initialized {
                    if program.root_variable(place) == Some(variable) {
                        let (flag, zero) = (program.symbol(flag), program.int(byte, 0));
                        out.assign(flag, zero);
                    }
                }
                self.forget_dependents(program, out, variable);
            }
            InstrKind::Call { dest, callee: Callee::Direct(callee), args }
                if callees.is_kept(callee) =>
            {
                let args: Vec<ExprId> = args.iter().map(|arg| self.values[arg]).collect();
                for &arg in &args {
                    self.refresh(program, out, arg);
                }
                let dest = dest.map(|dest| self.places[&dest]);
                let dest = dest.filter(|&dest| self.is_private(program, dest));
                if let Some(dest) = dest {
                    self.refresh(program, out, dest);
                }
                out.call(dest, callee, args);
                if let Some(dest) = dest {
                    self.note_value(program, out, dest, None);
                }
                if callees.may_write(callee) {
                    self.forget_all(program, out);
                }
                if let Some(variable) = dest.and_then(|dest| program.root_variable(dest)) {
                    self.forget_dependents(program, out, variable);
                }
            }
            InstrKind::Call { dest, callee, .. } => {
                let (writes, returns) = match callee {
                    Callee::Direct(callee) => {
                        (callees.may_write(callee), callees.may_return(callee))
                    }
                    Callee::Indirect(_) => (true, true),
                };
                if writes {
                    self.forget_all(program, out);
                }
                self.any_result(program, out, dest, false);
                if !returns {
                    out.end(Exit::Abort);
                }
            }
            InstrKind::Alloc { dest, region, .. } => {
                self.forget_all(program, out);
                // The stack has room for what is put there.
                self.any_result(program, out, Some(dest), region == Region::Stack);
            }
            InstrKind::Spawn { dest, .. }
            | InstrKind::Join { dest, .. }
            | InstrKind::Intrinsic { dest, .. } => {
                self.forget_all(program, out);
                self.any_result(program, out, dest, false);
            }
            InstrKind::Free(..) | InstrKind::AtomicBegin | InstrKind::AtomicEnd => {
                self.forget_all(program, out);
            }
            InstrKind::End(_) => out.end(Exit::Abort),
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Goto(None, _)
            | InstrKind::Return(None)
            | InstrKind::Unsupported(_) => out.push(kind),
        }
    }

    fn assign(
        &mut self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        place: ExprId,
        value: ExprId,
    ) {
        let (place, value) = (self.places[&place], self.values[&value]);
        self.refresh(program, out, value);
        self.refresh(program, out, place);
        if self.is_private(program, place) {
            out.assign(place, value);
            self.note_value(program, out, place, Some(value));
            if let Some(variable) = program.root_variable(place) {
                self.forget_dependents(program, out, variable);
            }
            return;
        }
        // What is written is there, if where that is does not depend on what has been read.
        let target = self.read.get(&place).copied().filter(|_| {
            let mut by_name = true;
            program.for_each_subexpr(place, |part| {
                if let ExprKind::Symbol(variable) = *program.exprs.kind(part) {
                    by_name &= !self.read.values().any(|read| *read == variable)
                        && !self.any.contains(&variable);
                }
            });
            by_name
        });
        let Some(target) = target else { return self.forget_written(program, out, place) };
        let ty = program.exprs.ty(value);
        let kept = new_variable(program, self.function, ty);
        let kept_place = program.symbol(kept);
        out.decl(kept);
        out.assign(kept_place, value);
        self.forget_written(program, out, place);
        let target = program.symbol(target);
        out.assign(target, kept_place);
        out.dead(kept);
    }

    /// Any value for a place that somebody writes.
    fn any_result(
        &mut self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        dest: Option<ExprId>,
        not_null: bool,
    ) {
        let Some(dest) = dest.map(|dest| self.places[&dest]) else { return };
        if !self.is_private(program, dest) {
            return self.forget_all(program, out);
        }
        self.refresh(program, out, dest);
        let ty = program.exprs.ty(dest);
        let value = program.nondet(ty);
        out.assign(dest, value);
        self.note_value(program, out, dest, Some(value));
        if not_null {
            let null = program.null(ty);
            let condition = program.ne(dest, null);
            out.assume(condition);
        }
        if let Some(variable) = program.root_variable(dest) {
            self.forget_dependents(program, out, variable);
        }
    }

    /// Gives new values to the variables of an expression that have any.
    fn refresh(&self, program: &mut Program, out: &mut FunctionBuilder, expr: ExprId) {
        let mut found = BTreeSet::new();
        program.for_each_subexpr(expr, |part| {
            if let ExprKind::Symbol(variable) = *program.exprs.kind(part)
                && self.any.contains(&variable)
            {
                found.insert(variable);
            }
        });
        for variable in found {
            forget(program, out, variable);
        }
    }

    fn mentions_any(&self, program: &Program, expr: ExprId) -> bool {
        let mut found = false;
        program.for_each_subexpr(expr, |part| {
            if let ExprKind::Symbol(variable) = *program.exprs.kind(part) {
                found |= self.any.contains(&variable);
            }
        });
        found
    }

    fn forget_all(&self, program: &mut Program, out: &mut FunctionBuilder) {
        for &variable in self.read.values() {
            forget(program, out, variable);
        }
    }

    /// Forgets what a write to a place may change: everything but other members of the same object, if it is known to be the same
    /// after the write.
    fn forget_written(&self, program: &mut Program, out: &mut FunctionBuilder, place: ExprId) {
        let mut left: BTreeSet<SymbolId> = self
            .read
            .iter()
            .filter(|(read, _)| are_members(program, place, **read))
            .map(|(_, variable)| *variable)
            .collect();
        loop {
            let changed: Vec<SymbolId> = self
                .read
                .values()
                .filter(|variable| !left.contains(variable))
                .flat_map(|variable| self.dependents.get(variable).into_iter().flatten())
                .filter(|dependent| left.contains(dependent))
                .copied()
                .collect();
            if changed.is_empty() {
                break;
            }
            for variable in changed {
                left.remove(&variable);
            }
        }
        for variable in self.read.values().filter(|variable| !left.contains(variable)) {
            forget(program, out, *variable);
        }
    }

    /// Forgets what depends on a variable that is changed, and what depends on that.
    fn forget_dependents(
        &self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        variable: SymbolId,
    ) {
        let mut pending = vec![variable];
        let mut done = BTreeSet::new();
        while let Some(variable) = pending.pop() {
            for &dependent in self.dependents.get(&variable).into_iter().flatten() {
                if done.insert(dependent) {
                    forget(program, out, dependent);
                    pending.push(dependent);
                }
            }
        }
    }
}

/// Returns whether two places are in different members of the same structure.
fn are_members(program: &Program, left: ExprId, right: ExprId) -> bool {
    let bases = |mut place: ExprId| {
        let mut bases = Vec::new();
        while let ExprKind::Member(base, _) | ExprKind::Index(base, _) = *program.exprs.kind(place)
        {
            if let ExprKind::Member(_, member) = *program.exprs.kind(place) {
                bases.push((base, member));
            }
            place = base;
        }
        bases
    };
    let right = bases(right);
    bases(left).into_iter().any(|(base, member)| {
        let apart = right.iter().any(|&(of, other)| of == base && other != member);
        // Bit-fields next to each other are different members, too.
        apart
            && matches!(program.type_of(base), Type::Struct(id) if !program.types.structs[*id].union)
    })
}

fn forget(program: &mut Program, out: &mut FunctionBuilder, variable: SymbolId) {
    let ty = program.symbols[variable].ty;
    let (place, value) = (program.symbol(variable), program.nondet(ty));
    out.assign(place, value);
}

/// The expressions of a function that are needed as values, and as places.
fn needed(program: &Program, function: FunctionId) -> (BTreeSet<ExprId>, BTreeSet<ExprId>) {
    let (mut values, mut places) = (BTreeSet::new(), BTreeSet::new());
    let mut pending = Vec::new();
    for instr in program.functions[function].body.iter().flatten() {
        instr.kind.for_each_expr(|expr, role| pending.push((expr, role == Role::Read)));
    }
    while let Some((expr, as_value)) = pending.pop() {
        let is_new = if as_value { values.insert(expr) } else { places.insert(expr) };
        if !is_new {
            continue;
        }
        let kind = program.exprs.kind(expr);
        match *kind {
            _ if as_value && program.is_place(expr) => pending.push((expr, false)),
            ExprKind::Deref(pointer) => pending.push((pointer, true)),
            ExprKind::Member(base, _) if !as_value => pending.push((base, false)),
            ExprKind::Index(base, index) if !as_value => {
                pending.extend([(base, false), (index, true)]);
            }
            ExprKind::AddressOf(place) => pending.push((place, false)),
            _ if !is_known(program, expr) => {}
            _ => kind.for_each_child(|child| pending.push((child, true))),
        }
    }
    (values, places)
}

/// Returns whether the value of an operation is known if those of its operands are; of a question about memory, if its
/// object is private.
fn is_known(program: &Program, expr: ExprId) -> bool {
    let is_pointer = |e: ExprId| matches!(program.type_of(e), Type::Ptr(_));
    let ty = program.exprs.ty(expr);
    match program.exprs.kind(expr) {
        ExprKind::Memory(MemoryOp::IsInitialized, operands) => {
            matches!(program.exprs.kind(operands[0]), ExprKind::AddressOf(_))
        }
        ExprKind::Memory(..) | ExprKind::Binary(BinaryOp::PtrDiff, ..) => false,
        ExprKind::Binary(BinaryOp::PtrAdd, ..) => true,
        ExprKind::Binary(op, left, right) if is_pointer(*left) || is_pointer(*right) => {
            matches!(op, BinaryOp::Eq | BinaryOp::Ne)
                && (is_null(program, *left) || is_null(program, *right))
        }
        ExprKind::Cast(_, from) if is_pointer(*from) => {
            matches!(program.types.get(ty), Type::Ptr(_) | Type::Bool)
        }
        ExprKind::Bits(from) => {
            let from = program.exprs.ty(*from);
            !program.types.has_pointers(from) && !program.types.has_pointers(ty)
        }
        _ => true,
    }
}

/// Returns whether a value is that of a place, or one of several places.
fn copies(program: &Program, value: ExprId) -> bool {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match *program.exprs.kind(value) {
            ExprKind::Cast(_, of) | ExprKind::Bits(of) => pending.push(of),
            ExprKind::Ite(_, then, otherwise) => pending.extend([then, otherwise]),
            ExprKind::Symbol(_)
            | ExprKind::Member(..)
            | ExprKind::Index(..)
            | ExprKind::Deref(_) => {
                return true;
            }
            _ => {}
        }
    }
    false
}

fn is_null(program: &Program, expr: ExprId) -> bool {
    match program.exprs.kind(expr) {
        ExprKind::Zero => true,
        ExprKind::Int(bits) => bits.is_zero(),
        _ => false,
    }
}

/// The variables and parameters of a function that nothing points to and no other function names.
fn private_variables(program: &Program, function: FunctionId) -> BTreeSet<SymbolId> {
    let is_own = |kind: &SymbolKind| matches!(kind, SymbolKind::Local(of) | SymbolKind::Param(of) if *of == function);
    let mut private: BTreeSet<SymbolId> = program
        .symbols
        .iter()
        .filter(|(_, symbol)| is_own(&symbol.kind) && !overlaps(program, symbol.ty))
        .map(|(id, _)| id)
        .collect();
    for (id, of) in program.functions.iter() {
        for instr in of.body.iter().flatten() {
            instr.kind.for_each_expr(|expr, _| {
                exposed(program, expr, id == function, &mut |variable| {
                    private.remove(&variable);
                });
            });
        }
    }
    private
}

/// Calls a function with each variable whose address an expression has, other than in a question about that memory; or,
/// in another function, with each variable that it names.
fn exposed(program: &Program, expr: ExprId, own: bool, f: &mut dyn FnMut(SymbolId)) {
    let mut seen = BTreeSet::new();
    let mut pending = vec![(expr, false)];
    while let Some((expr, asked)) = pending.pop() {
        if !seen.insert((expr, asked)) {
            continue;
        }
        let kind = program.exprs.kind(expr);
        match kind {
            ExprKind::Symbol(variable) if !own => f(*variable),
            ExprKind::AddressOf(place) if !asked => {
                if let Some(variable) = program.root_variable(*place) {
                    f(variable);
                }
            }
            _ => {}
        }
        let asks = matches!(kind, ExprKind::Memory(..));
        kind.for_each_child(|child| pending.push((child, asks)));
    }
}

/// Returns whether a type has pointers that share their bytes with something else.
fn overlaps(program: &Program, ty: TypeId) -> bool {
    let mut pending = vec![ty];
    let mut seen = BTreeSet::new();
    while let Some(ty) = pending.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match program.types.get(ty) {
            Type::Array(element, _) => pending.push(*element),
            Type::Struct(id) => {
                let of = &program.types.structs[*id];
                if of.union && program.types.has_pointers(ty) {
                    return true;
                }
                pending.extend(of.fields.iter().map(|field| field.ty));
            }
            _ => {}
        }
    }
    false
}

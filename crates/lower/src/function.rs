//! The body of a function while it is lowered: instructions, temporaries, spans.
//!
//! Expressions are lowered to pure GOTO expressions; what has an effect is written as instructions before. The order in
//! which that happens is the order of evaluation, see `docs/semantics.md`. An operand that has been lowered but could
//! be changed by an effect that comes later is saved in a temporary ([`Fx::freeze`]).

use crate::link::{Cx, Handle, UnitIndex};
use crate::scope::{Block, BlockIndex, Insertion, Position};
use crate::unwind::Site;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_cfront::hir::{self, FuncId, LabelId, StmtId, VarId};
use vergo_cfront::types::QualType;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    self, Claim, FunctionId, Instr, InstrKind, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::Role;
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// Beyond this many nodes an expression is saved without looking whether it must be.
const FREEZE_LIMIT: usize = 64;

/// Beyond this many nodes an instruction's subexpressions are not searched for spans.
const PARTS_LIMIT: usize = 4096;

/// The targets of `break` and `continue` of a loop or `switch`.
#[derive(Clone, Copy)]
pub(crate) struct Exits {
    pub(crate) leave: program::LabelId,
    pub(crate) next: Option<program::LabelId>,
    pub(crate) block: BlockIndex,
}

/// A function body under construction.
pub(crate) struct Fx<'c, 'a> {
    pub(crate) cx: &'c mut Cx<'a>,
    pub(crate) u: UnitIndex,
    pub(crate) unit: Handle<'a>,
    pub(crate) id: FunctionId,
    pub(crate) b: FunctionBuilder,
    pub(crate) name: String,
    /// The type of the result.
    pub(crate) ret: TypeId,
    /// The function of the unit.
    pub(crate) func: Option<FuncId>,
    /// The frame of a nested function's surroundings, which it is called with.
    pub(crate) chain: Option<SymbolId>,
    /// The variables that nested functions see.
    pub(crate) frame: Option<SymbolId>,
    /// By local: the place of its address in the frame, and the address.
    pub(crate) captures: FxHashMap<SymbolId, (ExprId, ExprId)>,
    /// The pointer to the variable arguments.
    pub(crate) va: Option<SymbolId>,
    /// True if the whole body runs without interleaving.
    pub(crate) atomic: bool,
    pub(crate) blocks: Vec<Block>,
    pub(crate) block_of: FxHashMap<StmtId, BlockIndex>,
    pub(crate) block: BlockIndex,
    pub(crate) insertions: Vec<Insertion>,
    pub(crate) labels: FxHashMap<LabelId, Position>,
    pub(crate) cases: FxHashMap<StmtId, Position>,
    pub(crate) undefined_labels: Vec<program::LabelId>,
    /// Hidden locals that are zero until they are first assigned.
    pub(crate) zero_at_entry: Vec<SymbolId>,
    /// Where a jump that is under way goes on, if the body calls anything.
    pub(crate) unwind: Option<program::LabelId>,
    /// The places of `setjmp`.
    pub(crate) sites: Vec<Site>,
    pub(crate) exits: FxHashMap<StmtId, Exits>,
    /// True if it notes on return if there is a value.
    pub(crate) notes_value: bool,
    /// Non-volatile variables and, for a place of `setjmp`, whether they have been changed since.
    pub(crate) watched: Vec<(SymbolId, SymbolId)>,
    /// True if the instructions give an object its first value.
    initialising: bool,
    /// Temporaries that the current full expression has made.
    temps: Vec<SymbolId>,
    all_temps: FxHashSet<SymbolId>,
    /// Spans of the subexpressions of the current full expression.
    pub(crate) spans: FxHashMap<ExprId, Span>,
    /// The spans of the loads of each place in it: one place may be read several times.
    loads: FxHashMap<ExprId, Vec<Span>>,
    /// For each expression, whether lowering it emits instructions, where that is known.
    pub(crate) effects: FxHashMap<hir::ExprId, bool>,
    /// For each expression, whether it writes something itself, where that is known.
    pub(crate) own_effects: FxHashMap<hir::ExprId, bool>,
    /// Values of an initialiser's expressions that have been evaluated before their turn.
    pub(crate) evaluated: FxHashMap<hir::ExprId, ExprId>,
    /// The lengths of variable-length arrays that have been claimed where these are declared.
    pub(crate) declared_lengths: FxHashSet<hir::VarId>,
    /// The number of enclosing choices of an order.
    pub(crate) choices: u32,
    /// True if the function was declared not to return.
    noreturn: bool,
    /// The contract that is being lowered, if this is one.
    pub(crate) contract: crate::verifier::ContractState,
}

impl<'c, 'a> Fx<'c, 'a> {
    pub(crate) fn new(cx: &'c mut Cx<'a>, u: UnitIndex, id: FunctionId) -> Fx<'c, 'a> {
        let unit = cx.units[u].unit.clone();
        let Type::Func(ret, _) = *cx.p.types.get(cx.p.functions[id].ty) else {
            unreachable!("functions have function types")
        };
        let name = cx.p.functions[id].name.clone();
        let mut b = FunctionBuilder::new();
        b.set_span(cx.p.functions[id].span);
        Fx {
            cx,
            u,
            unit,
            id,
            b,
            name,
            ret,
            func: None,
            chain: None,
            frame: None,
            captures: FxHashMap::default(),
            va: None,
            atomic: false,
            blocks: vec![Block::default()],
            block_of: FxHashMap::default(),
            block: 0,
            insertions: Vec::new(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            undefined_labels: Vec::new(),
            zero_at_entry: Vec::new(),
            unwind: None,
            sites: Vec::new(),
            exits: FxHashMap::default(),
            initialising: false,
            watched: Vec::new(),
            temps: Vec::new(),
            all_temps: FxHashSet::default(),
            spans: FxHashMap::default(),
            loads: FxHashMap::default(),
            effects: FxHashMap::default(),
            own_effects: FxHashMap::default(),
            evaluated: FxHashMap::default(),
            declared_lengths: FxHashSet::default(),
            choices: 0,
            noreturn: false,
            notes_value: false,
            contract: crate::verifier::ContractState::default(),
        }
    }

    /// Lowers the body of a function of a unit.
    pub(crate) fn lower_body(cx: &'c mut Cx<'a>, u: UnitIndex, func: FuncId, id: FunctionId) {
        let mut fx = Fx::new(cx, u, id);
        fx.func = Some(func);
        let unit = fx.unit.clone();
        let function = &unit.functions[func];
        let Some(body) = function.body else { return };
        fx.noreturn = function.noreturn && !fx.cx.units[u].library;
        fx.notes_value = fx.cx.may_lack_value(u, func);
        fx.parameters(&function.params, function.span);
        fx.open_frame(func);
        for &param in &function.params {
            if let Some(symbol) = fx.cx.units[u].vars[param] {
                fx.capture(param, symbol);
            }
        }
        let plain = unit.names.name(function.name);
        if !fx.cx.units[u].library && matches!(plain, "reach_error" | "__VERIFIER_error") {
            fx.claim_false("reach.error", format!("`{plain}` is called"));
        }
        fx.atomic = !fx.cx.units[u].library
            && plain.starts_with("__VERIFIER_atomic_")
            && !matches!(plain, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end");
        if fx.atomic {
            fx.b.push(InstrKind::AtomicBegin);
        }
        fx.scan(body, 0, None);
        fx.stmt(body);
        let end = unit.stmts[body].span.hi;
        fx.b.set_span(Span::new(end.saturating_sub(1), end));
        for label in std::mem::take(&mut fx.undefined_labels) {
            fx.b.label(label);
        }
        if !fx.b.is_terminated() {
            // `main` returns zero (C17 5.1.2.2.3); elsewhere a missing value is any value (6.9.1p12).
            let value = if plain == fx.cx.options.entry
                && matches!(fx.cx.p.types.get(fx.ret), Type::Int { .. })
            {
                Some(fx.cx.p.zero(fx.ret))
            } else if matches!(fx.cx.p.types.get(fx.ret), Type::Void) {
                None
            } else {
                let ty = fx.ret;
                fx.note_value(false);
                Some(fx.nondet(ty))
            };
            fx.ret(value);
        }
        fx.finish_unwinding();
        fx.finish();
    }

    /// The body of a function that is neither defined nor modelled.
    pub(crate) fn lower_stub(cx: &'c mut Cx<'a>, id: FunctionId, name: &str) {
        let mut fx = Fx::new(cx, 0, id);
        fx.synthetic_parameters();
        fx.claim_no_body(name);
        let value = match fx.cx.p.types.get(fx.ret) {
            Type::Void => None,
            _ => {
                let ty = fx.ret;
                Some(fx.nondet(ty))
            }
        };
        fx.ret(value);
        fx.finish();
    }

    /// Parameters for a function that has none written.
    pub(crate) fn synthetic_parameters(&mut self) {
        let Type::Func(_, params) = self.cx.p.types.get(self.cx.p.functions[self.id].ty).clone()
        else {
            return;
        };
        for (i, &ty) in params.iter().enumerate() {
            self.parameter(&format!("arg{i}"), ty, Span::DUMMY, 1);
        }
    }

    fn parameter(&mut self, display: &str, ty: TypeId, span: Span, align: u64) -> SymbolId {
        let base = format!("{}::{display}", self.name);
        let align = align.max(self.cx.align_of(ty));
        let symbol = self.cx.add_symbol(
            &base,
            Symbol {
                name: String::new(),
                display: display.to_string(),
                ty,
                kind: SymbolKind::Param(self.id),
                span,
                align,
                writable: true,
            },
        );
        let id = self.id;
        self.cx.p.functions[id].params.push(symbol);
        symbol
    }

    fn parameters(&mut self, params: &[VarId], span: Span) {
        let Type::Func(_, types) = self.cx.p.types.get(self.cx.p.functions[self.id].ty).clone()
        else {
            return;
        };
        let unit = self.unit.clone();
        let mut conversions = Vec::new();
        let is_nested = self.func.is_some_and(|func| self.cx.is_nested(self.u, func));
        if is_nested {
            let ty = self.cx.void_ptr();
            self.chain = Some(self.parameter("__chain", ty, span, 1));
        }
        let types = if is_nested { &types[1..] } else { &types[..] };
        for (i, &param) in params.iter().enumerate() {
            let var = &unit.vars[param];
            let display = var
                .name
                .map_or_else(|| format!("arg{i}"), |name| unit.names.name(name).to_string());
            let declared = self.cx.ty(self.u, var.ty);
            let passed = types.get(i).copied().unwrap_or(declared);
            let align = self.cx.c_align(self.u, var.ty);
            let symbol = self.parameter(&display, passed, var.span, align);
            if passed == declared {
                self.cx.p.symbols[symbol].writable = self.cx.is_writable(self.u, var.ty);
                self.cx.units[self.u].vars[param] = Some(symbol);
            } else {
                conversions.push((param, symbol, declared, display, var.span));
            }
        }
        if self.cx.variadic.contains(&self.id) {
            let ty = self.cx.variable_arguments();
            self.va = Some(self.parameter("__va", ty, span, 1));
        }
        // Without a prototype, arguments come promoted and are converted to the declared types (C17 6.9.1p10).
        for (param, passed, declared, display, span) in conversions {
            let local = self.local(&display, declared, span, 1);
            self.b.decl(local);
            let place = self.cx.p.symbol(local);
            let value = self.cx.p.symbol(passed);
            let value = self.cx.p.cast(declared, value);
            self.b.assign(place, value);
            self.cx.p.symbols[local].writable = self.cx.is_writable(self.u, unit.vars[param].ty);
            self.cx.units[self.u].vars[param] = Some(local);
        }
    }

    /// A local variable, not yet declared.
    pub(crate) fn local(&mut self, display: &str, ty: TypeId, span: Span, align: u64) -> SymbolId {
        let base =
            format!("{}::{}", self.name, if display.is_empty() { "hidden" } else { display });
        let align = align.max(self.cx.align_of(ty));
        let kind = SymbolKind::Local(self.id);
        self.cx.add_symbol(
            &base,
            Symbol {
                name: String::new(),
                display: display.to_string(),
                ty,
                kind,
                span,
                align,
                writable: true,
            },
        )
    }

    /// Puts the body into the function.
    pub(crate) fn finish(mut self) {
        self.apply_insertions();
        self.apply_captures();
        self.b.finish(&mut self.cx.p, self.id);
    }

    /// A new temporary, declared here.
    pub(crate) fn temp(&mut self, ty: TypeId) -> SymbolId {
        let n = self.cx.n_temps;
        self.cx.n_temps += 1;
        let align = self.cx.align_of(ty);
        let symbol = self.cx.p.add_symbol(Symbol {
            name: format!("$t{n}"),
            display: String::new(),
            ty,
            kind: SymbolKind::Local(self.id),
            span: self.b.span(),
            align,
            writable: true,
        });
        self.b.decl(symbol);
        self.temps.push(symbol);
        self.all_temps.insert(symbol);
        symbol
    }

    /// A value in a new temporary.
    pub(crate) fn save(&mut self, value: ExprId) -> ExprId {
        let ty = self.cx.p.exprs.ty(value);
        let symbol = self.temp(ty);
        let place = self.cx.p.symbol(symbol);
        self.assign(place, value);
        place
    }

    /// A value that later effects do not change: the value itself if it reads nothing, else a temporary with it.
    pub(crate) fn freeze(&mut self, value: ExprId) -> ExprId {
        if self.is_stable(value) || matches!(self.cx.p.type_of(value), Type::Void) {
            return value;
        }
        self.save(value)
    }

    /// Returns whether no later effect can change the value.
    pub(crate) fn is_stable(&self, value: ExprId) -> bool {
        let mut work = vec![value];
        let mut n = 0;
        while let Some(expr) = work.pop() {
            n += 1;
            if n > FREEZE_LIMIT {
                return false;
            }
            match self.cx.p.exprs.kind(expr) {
                ExprKind::Symbol(symbol) => {
                    if !self.all_temps.contains(symbol) {
                        return false;
                    }
                }
                ExprKind::Deref(_) | ExprKind::Memory(..) | ExprKind::Nondet(_) => return false,
                ExprKind::AddressOf(place) => match self.cx.p.exprs.kind(*place) {
                    ExprKind::Symbol(_) => {}
                    _ => work.extend(self.address_operands(*place)),
                },
                kind => operands(kind, &mut work),
            }
        }
        true
    }

    /// The values on which the address of a place depends.
    pub(crate) fn address_operands(&self, mut place: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        loop {
            match self.cx.p.exprs.kind(place) {
                ExprKind::Member(base, _) => place = *base,
                ExprKind::Index(base, index) => {
                    found.push(*index);
                    place = *base;
                }
                ExprKind::Deref(pointer) => {
                    found.push(*pointer);
                    return found;
                }
                _ => return found,
            }
        }
    }

    /// A place whose address later effects do not change.
    pub(crate) fn freeze_place(&mut self, place: ExprId) -> ExprId {
        match *self.cx.p.exprs.kind(place) {
            ExprKind::Member(base, member) => {
                let base = self.freeze_place(base);
                self.cx.p.member(base, member)
            }
            ExprKind::Index(base, index) => {
                let base = self.freeze_place(base);
                let index = self.freeze(index);
                self.cx.p.index(base, index)
            }
            ExprKind::Deref(pointer) => {
                let pointer = self.freeze(pointer);
                self.cx.p.deref(pointer)
            }
            _ => place,
        }
    }

    /// Runs something whose temporaries end with it.
    pub(crate) fn full_expression(&mut self, run: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.temps);
        let spans = std::mem::take(&mut self.spans);
        let loads = std::mem::take(&mut self.loads);
        run(self);
        let temps = std::mem::replace(&mut self.temps, outer);
        if !self.b.is_terminated() {
            for &symbol in temps.iter().rev() {
                self.b.dead(symbol);
            }
        }
        self.spans = spans;
        self.loads = loads;
    }

    /// Runs something whose temporaries are not ended, because control goes several ways from here.
    pub(crate) fn condition_expression<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.temps);
        let spans = std::mem::take(&mut self.spans);
        let loads = std::mem::take(&mut self.loads);
        let result = run(self);
        self.temps = outer;
        self.spans = spans;
        self.loads = loads;
        result
    }

    /// Notes where a subexpression is written.
    pub(crate) fn note(&mut self, expr: ExprId, span: Span) -> ExprId {
        if !span.is_dummy() {
            self.spans.entry(expr).or_insert(span);
        }
        expr
    }

    /// Notes that a place is read where something is written.
    pub(crate) fn note_load(&mut self, place: ExprId, span: Span) -> ExprId {
        let spans = self.loads.entry(place).or_default();
        if !span.is_dummy() && !spans.contains(&span) {
            spans.push(span);
        }
        place
    }

    /// Appends an instruction with the spans of its subexpressions.
    pub(crate) fn emit(&mut self, kind: InstrKind) {
        self.claim_not_constant(&kind);
        if !self.watched.is_empty() {
            self.note_changes(&kind);
        }
        let parts = self.parts(&kind);
        let span = self.b.span();
        self.b.push(InstrKind::Skip);
        if let Some(last) = self.b.instrs_mut().last_mut() {
            *last = Instr { kind, span, parts };
        }
    }

    /// The first value of an automatic object or of a part of it, which constant objects get too.
    pub(crate) fn assign_first(&mut self, place: ExprId, value: ExprId) {
        self.initialising = true;
        self.assign(place, value);
        self.initialising = false;
    }

    /// The claim that an instruction does not write a constant automatic object by name (`*(int *)&x` is `x`).
    fn claim_not_constant(&mut self, kind: &InstrKind) {
        if self.initialising {
            return;
        }
        let mut constant = None;
        kind.for_each_expr(|expr, role| {
            if role == Role::Write
                && let Some(symbol) = self.cx.p.root_variable(expr)
                && let info = &self.cx.p.symbols[symbol]
                && !info.writable
                && let SymbolKind::Local(_) | SymbolKind::Param(_) = info.kind
            {
                constant = Some(symbol);
            }
        });
        if let Some(symbol) = constant {
            let name = &self.cx.p.symbols[symbol].display;
            let name = if name.is_empty() { "a compound literal" } else { &format!("`{name}`") };
            let description = format!("{name} is constant and is written");
            self.claim_false("memory.read-only", description);
        }
    }

    fn parts(&self, kind: &InstrKind) -> Box<[(ExprId, Span)]> {
        if self.spans.is_empty() && self.loads.is_empty() {
            return Box::default();
        }
        let mut work: Vec<ExprId> = Vec::new();
        match kind {
            InstrKind::Assign(place, value) => work.extend([*place, *value]),
            InstrKind::Assume(cond)
            | InstrKind::Assert(cond, _)
            | InstrKind::Goto(Some(cond), _) => {
                work.push(*cond);
            }
            InstrKind::Call { dest, callee, args } => {
                work.extend(*dest);
                if let program::Callee::Indirect(pointer) = callee {
                    work.push(*pointer);
                }
                work.extend(args.iter());
            }
            InstrKind::Return(Some(value)) => work.push(*value),
            InstrKind::Alloc { dest, size, .. } => work.extend([*dest, *size]),
            InstrKind::Free(pointer, _) => work.push(*pointer),
            InstrKind::Intrinsic { dest, args, .. } => {
                work.extend(*dest);
                work.extend(args.iter());
            }
            _ => return Box::default(),
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut n = 0;
        while let Some(expr) = work.pop() {
            if !seen.insert(expr) {
                continue;
            }
            n += 1;
            if n > PARTS_LIMIT {
                break;
            }
            match self.loads.get(&expr) {
                Some(spans) if spans.len() > 1 => {
                    found.extend(spans.iter().map(|&span| (expr, span)));
                }
                _ => found.extend(self.spans.get(&expr).map(|&span| (expr, span))),
            }
            operands(self.cx.p.exprs.kind(expr), &mut work);
        }
        found.sort_unstable();
        found.into_boxed_slice()
    }

    /// `place := value`, converted to the place's type where that is a bit-field's.
    pub(crate) fn assign(&mut self, place: ExprId, value: ExprId) {
        let ty = self.cx.p.exprs.ty(place);
        let value = self.coerce(value, ty);
        self.emit(InstrKind::Assign(place, value));
    }

    /// A nondeterministic value, in a new temporary.
    pub(crate) fn nondet(&mut self, ty: TypeId) -> ExprId {
        let value = self.cx.p.nondet(ty);
        let symbol = self.temp(ty);
        let place = self.cx.p.symbol(symbol);
        self.emit(InstrKind::Assign(place, value));
        place
    }

    /// A claim that reaching this point violates a property.
    pub(crate) fn claim_false(&mut self, property: &str, description: String) {
        let no = self.cx.p.bool(false);
        self.claim(no, property, description);
    }

    /// A claim.
    pub(crate) fn claim(&mut self, cond: ExprId, property: &str, description: String) {
        let claim = Claim::new(property, description);
        self.emit(InstrKind::Assert(cond, Box::new(claim)));
    }

    /// The claim that a function without body and model is not called.
    pub(crate) fn claim_no_body(&mut self, name: &str) {
        if name.starts_with("__builtin_") {
            // It does have a meaning, which the compiler knows.
            return self.b.unsupported(format!("the builtin `{name}`"));
        }
        let description = format!("`{name}` is called, which has neither a body nor a model");
        self.claim_false("call.no-body", description);
    }

    /// Leaves the function.
    pub(crate) fn ret(&mut self, value: Option<ExprId>) {
        if self.noreturn {
            let what = self.cx.p.functions[self.id].display.clone();
            let description = format!("`{what}` returns, which was declared not to");
            self.claim_false("call.noreturn", description);
        }
        self.go_back(value);
    }

    /// Leaves the function, to return or because a jump goes through it.
    pub(crate) fn go_back(&mut self, value: Option<ExprId>) {
        if self.atomic {
            let value = value.map(|value| self.freeze(value));
            self.b.push(InstrKind::AtomicEnd);
            self.emit(InstrKind::Return(value));
        } else {
            self.emit(InstrKind::Return(value));
        }
    }

    /// The GOTO type of a C type of this unit.
    pub(crate) fn ty(&mut self, ty: impl Into<QualType>) -> TypeId {
        self.cx.ty(self.u, ty)
    }

    /// A value converted to a type, if it can be: scalars by value, aggregates of the same size by their bits.
    pub(crate) fn coerce(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        let mut value = value;
        if let Type::Ptr(_) = self.cx.p.types.get(ty) {
            // A conversion of a pointer changes nothing about it, so the last one says it all.
            while let ExprKind::Cast(_, inner) = *self.cx.p.exprs.kind(value)
                && let Type::Ptr(_) = self.cx.p.type_of(inner)
            {
                value = inner;
            }
        }
        let from = self.cx.p.exprs.ty(value);
        if from == ty {
            return value;
        }
        if self.is_scalar(from) && self.is_scalar(ty) {
            let (a, b) = (self.cx.p.types.get(from), self.cx.p.types.get(ty));
            // Floats and pointers have no conversion; C has none either, so this is a call against the declaration.
            let strange =
                matches!((a, b), (Type::Float(_), Type::Ptr(_)) | (Type::Ptr(_), Type::Float(_)));
            if let (ExprKind::Int(bits), Type::Int { signed, .. }, Type::Ptr(_)) =
                (self.cx.p.exprs.kind(value), a, b)
            {
                let width = self.cx.p.machine.pointer_width;
                let bits =
                    if *signed { bits.resize_signed(width) } else { bits.resize_unsigned(width) };
                return self.cx.p.int_bits(ty, bits);
            }
            if let (Type::Float(_), Type::Int { .. }) = (a, b) {
                return self.float_to_int(value, ty);
            }
            if !strange {
                return self.cx.p.cast(ty, value);
            }
        }
        if self.cx.p.size_of(from).is_some() && self.cx.p.size_of(from) == self.cx.p.size_of(ty) {
            return self.cx.p.bits(ty, value);
        }
        self.nondet(ty)
    }

    /// Returns whether a GOTO type is a number, a pointer or a truth value.
    pub(crate) fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(
            self.cx.p.types.get(ty),
            Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_)
        )
    }
}

/// The operands of an expression.
pub(crate) fn operands(kind: &ExprKind, into: &mut Vec<ExprId>) {
    match kind {
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Zero
        | ExprKind::Function(_)
        | ExprKind::Nondet(_)
        | ExprKind::Symbol(_) => {}
        ExprKind::Struct(items) | ExprKind::Array(items) | ExprKind::Memory(_, items) => {
            into.extend(items.iter());
        }
        ExprKind::Union(_, x)
        | ExprKind::ArrayOf(x)
        | ExprKind::Deref(x)
        | ExprKind::Member(x, _)
        | ExprKind::AddressOf(x)
        | ExprKind::Unary(_, x)
        | ExprKind::Cast(_, x)
        | ExprKind::Bits(x) => into.push(*x),
        ExprKind::Index(x, y) | ExprKind::Binary(_, x, y) => into.extend([*x, *y]),
        ExprKind::Fma(x, y, z) | ExprKind::Ite(x, y, z) => into.extend([*x, *y, *z]),
    }
}

//! Statements of functions in which others may run.

use super::Sequencer;
use vergo_cfront::hir::{
    Case, ExprId, ExprKind, InitId, InitKind, Label, LabelId, StmtId, StmtKind, StringUnits, VarId,
};
use vergo_cfront::types::{IntKind, QualType, TypeKind};
use vergo_source::Span;

/// Elements of an array that are initialised one by one, at most.
const MOST_ELEMENTS: u64 = 256;

impl Sequencer<'_> {
    /// Lets others run before what comes next, by chance.
    pub(super) fn point(&mut self, out: &mut Vec<StmtId>) {
        if self.quiet {
            return;
        }
        let (number, label) = self.resumption();
        let mut left = self.leave(number);
        let here = self.stmt_of(StmtKind::Empty);
        left.push(self.stmt_of(StmtKind::Label(label, here)));
        let left = self.block_of(left);
        let switches = self.call_of(self.runtime("seq_switches"), Vec::new());
        out.push(self.stmt_of(StmtKind::If(switches, left, None)));
    }

    /// A block with what is put into it.
    pub(super) fn block(&mut self, fill: impl FnOnce(&mut Self, &mut Vec<StmtId>)) -> StmtId {
        let mut out = Vec::new();
        fill(self, &mut out);
        self.block_of(out)
    }

    pub(super) fn stmt(&mut self, stmt: StmtId, out: &mut Vec<StmtId>) {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.stmt_inner(stmt, out));
    }

    fn stmt_inner(&mut self, stmt: StmtId, out: &mut Vec<StmtId>) {
        let node = self.unit.stmts[stmt];
        self.span = node.span;
        match node.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.effect(expr, out),
            StmtKind::Decl(var) => self.declaration(var, out),
            StmtKind::Compound(list) => {
                let stmts: Vec<StmtId> = self.unit.stmt_lists.get(list).to_vec();
                stmts.into_iter().for_each(|stmt| self.stmt(stmt, out));
            }
            StmtKind::If(cond, then, other) => {
                let cond = self.tested(cond, out);
                let then = self.block(|this, out| this.stmt(then, out));
                let other = other.map(|other| self.block(|this, out| this.stmt(other, out)));
                out.push(self.stmt_of(StmtKind::If(cond, then, other)));
            }
            StmtKind::While(cond, body) => self.repetition(stmt, Some(cond), None, body, out),
            StmtKind::For { init, cond, step, body } => {
                let init: Vec<StmtId> = self.unit.stmt_lists.get(init).to_vec();
                init.into_iter().for_each(|stmt| self.stmt(stmt, out));
                self.repetition(stmt, cond, step, body, out);
            }
            StmtKind::DoWhile(body, cond) => self.do_while(stmt, body, cond, out),
            StmtKind::Switch { cond, body, cases, default } => {
                let cond = self.tested(cond, out);
                let new = self.stmt_of(StmtKind::Empty);
                self.frame.around.insert(stmt, (new, None));
                let body = self.block(|this, out| this.stmt(body, out));
                let cases: Vec<Case> = self.unit.case_lists.get(cases).to_vec();
                let moved =
                    |this: &Self, stmt: StmtId| *this.frame.cases.get(&stmt).unwrap_or(&stmt);
                let cases: Vec<Case> = cases
                    .into_iter()
                    .map(|case| Case { stmt: moved(self, case.stmt), ..case })
                    .collect();
                let default = default.map(|stmt| moved(self, stmt));
                let cases = self.unit.case_lists.push(cases);
                self.unit.stmts[new].kind = StmtKind::Switch { cond, body, cases, default };
                out.push(new);
            }
            StmtKind::Case(inner) | StmtKind::Default(inner) => {
                let empty = self.stmt_of(StmtKind::Empty);
                let kind = match node.kind {
                    StmtKind::Case(_) => StmtKind::Case(empty),
                    _ => StmtKind::Default(empty),
                };
                let new = self.stmt_of(kind);
                self.frame.cases.insert(stmt, new);
                out.push(new);
                self.stmt(inner, out);
            }
            StmtKind::Label(label, inner) => {
                let label = self.label(label);
                let empty = self.stmt_of(StmtKind::Empty);
                out.push(self.stmt_of(StmtKind::Label(label, empty)));
                self.stmt(inner, out);
            }
            StmtKind::Goto(label) => {
                let label = self.label(label);
                out.push(self.stmt_of(StmtKind::Goto(label)));
            }
            StmtKind::Break(of) => {
                let of = self.frame.around.get(&of).map_or(of, |around| around.0);
                out.push(self.stmt_of(StmtKind::Break(of)));
            }
            StmtKind::Continue(of) => {
                let kind = match self.frame.around.get(&of) {
                    Some(&(_, Some(label))) => StmtKind::Goto(label),
                    Some(&(of, None)) => StmtKind::Continue(of),
                    None => StmtKind::Continue(of),
                };
                out.push(self.stmt_of(kind));
            }
            StmtKind::Return(value) => {
                let value = value.map(|value| self.tested(value, out));
                if let (Some(value), Some(result)) = (value, self.frame.result) {
                    let place = self.own(result);
                    self.assign(place, value, out);
                }
                self.finish(out);
            }
            StmtKind::Asm(_) => self.refuse(node.span, "assembly"),
            StmtKind::GotoIndirect(_) => self.refuse(node.span, "a jump to a computed label"),
            StmtKind::GotoOuter(..) | StmtKind::Nested(_) => {
                self.refuse(node.span, "a nested function");
            }
        }
    }

    /// A value that is used at once by one statement: what it reads is read there, if that is one step.
    fn tested(&mut self, expr: ExprId, out: &mut Vec<StmtId>) -> ExprId {
        if self.steps(expr) != 1 {
            return self.value(expr, out);
        }
        self.point(out);
        self.copy(expr)
    }

    /// The end of the function.
    pub(super) fn finish(&mut self, out: &mut Vec<StmtId>) {
        let place = self.own(self.frame.at);
        let zero = self.number(0);
        self.assign(place, zero, out);
        let done = self.number(1);
        out.push(self.stmt_of(StmtKind::Return(Some(done))));
    }

    /// A loop that tests before each round.
    fn repetition(
        &mut self,
        old: StmtId,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        out: &mut Vec<StmtId>,
    ) {
        let new = self.stmt_of(StmtKind::Empty);
        let label = step.map(|_| self.new_label("next"));
        self.frame.around.insert(old, (new, label));
        let mut round = Vec::new();
        if let Some(cond) = cond {
            self.leaves_unless(new, cond, &mut round);
        }
        self.stmt(body, &mut round);
        if let (Some(step), Some(label)) = (step, label) {
            let empty = self.stmt_of(StmtKind::Empty);
            round.push(self.stmt_of(StmtKind::Label(label, empty)));
            self.effect(step, &mut round);
        }
        self.close_loop(new, round, out);
    }

    fn do_while(&mut self, old: StmtId, body: StmtId, cond: ExprId, out: &mut Vec<StmtId>) {
        let new = self.stmt_of(StmtKind::Empty);
        let label = self.new_label("next");
        self.frame.around.insert(old, (new, Some(label)));
        let mut round = Vec::new();
        self.stmt(body, &mut round);
        let empty = self.stmt_of(StmtKind::Empty);
        round.push(self.stmt_of(StmtKind::Label(label, empty)));
        self.leaves_unless(new, cond, &mut round);
        self.close_loop(new, round, out);
    }

    fn leaves_unless(&mut self, of: StmtId, cond: ExprId, round: &mut Vec<StmtId>) {
        if let ExprKind::Int(1) = self.unit.exprs[cond].kind {
            return;
        }
        let cond = self.tested(cond, round);
        let not = self.not(cond);
        let leave = self.stmt_of(StmtKind::Break(of));
        let leave = self.block_of(vec![leave]);
        round.push(self.stmt_of(StmtKind::If(not, leave, None)));
    }

    fn close_loop(&mut self, new: StmtId, round: Vec<StmtId>, out: &mut Vec<StmtId>) {
        let always = self.number(1);
        let body = self.block_of(round);
        self.unit.stmts[new].kind = StmtKind::While(always, body);
        out.push(new);
    }

    /// A label of the function in its new form.
    fn label(&mut self, old: LabelId) -> LabelId {
        if let Some(&new) = self.frame.labels.get(&old) {
            return new;
        }
        let label = Label { address_taken: false, ..self.unit.labels[old] };
        let new = self.unit.labels.push(label);
        self.frame.labels.insert(old, new);
        new
    }

    fn new_label(&mut self, name: &str) -> LabelId {
        self.frame.n_labels += 1;
        let name = self.unit.names.intern(&format!("{name}_{}", self.frame.n_labels));
        self.unit.labels.push(Label { name, span: Span::DUMMY, address_taken: false })
    }

    /// A declaration: the variable is there already, and gets its first value.
    fn declaration(&mut self, var: VarId, out: &mut Vec<StmtId>) {
        let Some(&own) = self.owned.get(&var) else { return };
        match self.unit.vars[var].init {
            Some(init) => {
                let place = self.own(own);
                self.initialise(place, init, out);
            }
            None => {
                let ty = self.unit.vars[var].ty.unqualified();
                if let Some(any) = self.any_value(ty) {
                    let place = self.own(own);
                    self.assign(place, any, out);
                } else {
                    self.kept_old = true;
                }
            }
        }
    }

    /// Any value of an integer type.
    fn any_value(&mut self, ty: QualType) -> Option<ExprId> {
        let name = match self.unit.types.kind(ty) {
            TypeKind::Bool => "__VERIFIER_nondet_bool",
            TypeKind::Int(kind) => match kind {
                IntKind::Char | IntKind::SChar => "__VERIFIER_nondet_char",
                IntKind::UChar => "__VERIFIER_nondet_uchar",
                IntKind::Short => "__VERIFIER_nondet_short",
                IntKind::UShort => "__VERIFIER_nondet_ushort",
                IntKind::Int => "__VERIFIER_nondet_int",
                IntKind::UInt => "__VERIFIER_nondet_uint",
                IntKind::Long => "__VERIFIER_nondet_long",
                IntKind::ULong => "__VERIFIER_nondet_ulong",
                IntKind::LongLong => "__VERIFIER_nondet_longlong",
                IntKind::ULongLong => "__VERIFIER_nondet_ulonglong",
                _ => return None,
            },
            _ => return None,
        };
        let function = self.outside(name, ty);
        let call = self.call_of(function, Vec::new());
        Some(self.convert(call, ty))
    }

    /// Gives a place its first value, part by part.
    fn initialise(&mut self, place: ExprId, init: InitId, out: &mut Vec<StmtId>) {
        let node = self.unit.inits[init];
        match node.kind {
            InitKind::Expr(expr) => {
                let value = self.tested(expr, out);
                self.assign(place, value, out);
            }
            InitKind::String(string) => {
                let StringUnits::Bytes(bytes) = self.unit.strings[string].units.clone() else {
                    return self.refuse(node.span, "a wide text as the first value of a variable");
                };
                let len = self.length(place).unwrap_or(0).min(MOST_ELEMENTS);
                for i in 0..len {
                    let byte = bytes.get(i as usize).copied().unwrap_or(0);
                    let element = self.part(place, i);
                    let ty = self.unit.exprs[element].ty.unqualified();
                    let value = self.expr(ExprKind::Int(byte.into()), ty);
                    self.assign(element, value, out);
                }
            }
            InitKind::List(list) => {
                let entries = self.unit.init_lists.get(list).to_vec();
                let Some(len) = self.length(place).filter(|&len| len <= MOST_ELEMENTS) else {
                    return self.refuse(node.span, "a large variable with a list of first values");
                };
                for i in 0..len {
                    let entry =
                        entries.iter().find(|entry| (entry.first..=entry.last).contains(&i));
                    let part = self.part(place, i);
                    match entry {
                        Some(entry) => self.initialise(part, entry.init, out),
                        None => self.clear(part, node.span, out),
                    }
                }
            }
        }
    }

    /// The number of elements or members; one of a union.
    fn length(&self, place: ExprId) -> Option<u64> {
        let ty = self.unit.exprs[place].ty;
        match *self.unit.types.kind(ty) {
            TypeKind::Array(_, vergo_cfront::types::ArrayLen::Fixed(len)) => Some(len),
            TypeKind::Record(id) => {
                let record = &self.unit.types.records[id];
                let n = record.fields.as_ref().map_or(0, Vec::len) as u64;
                match record.kind {
                    vergo_cfront::ast::RecordKind::Struct => Some(n),
                    vergo_cfront::ast::RecordKind::Union => Some(n.min(1)),
                }
            }
            _ => None,
        }
    }

    /// An element or member.
    fn part(&mut self, place: ExprId, i: u64) -> ExprId {
        let ty = self.unit.exprs[place].ty;
        match *self.unit.types.kind(ty) {
            TypeKind::Array(element, _) => {
                let pointer = self.unit.types.pointer(element).into();
                let kind = ExprKind::Cast(vergo_cfront::hir::CastKind::ArrayDecay, place);
                let decayed = self.expr(kind, pointer);
                let index = self.number(i);
                self.expr(ExprKind::Index(decayed, index), element)
            }
            TypeKind::Record(id) => {
                let field = self.unit.types.records[id].fields.as_ref();
                let ty = field.and_then(|fields| fields.get(i as usize)).map_or(ty, |f| f.ty);
                self.expr(ExprKind::Member(place, id, i as u32), ty)
            }
            _ => place,
        }
    }

    /// A part that no first value is given for is zero.
    fn clear(&mut self, place: ExprId, span: Span, out: &mut Vec<StmtId>) {
        let ty = self.unit.exprs[place].ty.unqualified();
        match *self.unit.types.kind(ty) {
            TypeKind::Array(..) | TypeKind::Record(_) => match self.length(place) {
                Some(len) if len <= MOST_ELEMENTS => {
                    for i in 0..len {
                        let part = self.part(place, i);
                        self.clear(part, span, out);
                    }
                }
                _ => self.refuse(span, "a large variable with a list of first values"),
            },
            TypeKind::Pointer(_) | TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_) => {
                let zero = self.expr(ExprKind::Int(0), ty);
                self.assign(place, zero, out);
            }
            _ => self.refuse(span, "a variable of this type with a list of first values"),
        }
    }
}

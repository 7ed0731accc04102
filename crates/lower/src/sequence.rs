//! Unsequenced effects: two effects on one object, or an effect and a read, between which C has no order (C17 6.5p2).
//!
//! At each operator and call, what its operands read and write themselves (not in the functions that they call, which are
//! sequenced indeterminately, see [`crate::order`]) is compared. Two accesses of one variable conflict for certain, and a
//! claim says that this is not reached. Accesses through pointers or at indices conflict if the addresses are equal, which
//! a claim about them denies before the operands are evaluated; that needs addresses that the operands do not
//! change. Accesses that are evaluated only on a condition inside of an operand conflict if it holds, which a claim asks before
//! the operands are evaluated where these do not change it; those behind a condition inside of another are not compared.
//!
//! An assignment's own write comes after the values of both operands, but not after their effects, unless these are complete
//! before the value is known (behind a comma, a condition or a call).

use crate::function::Fx;
use vergo_cfront::ast::RecordKind;
use vergo_cfront::hir::{CastKind, ExprId as HirExpr, ExprKind, VarId};
use vergo_cfront::types::RecordId;
use vergo_goto::expr::ExprId;
use vergo_goto::types::Type;

/// The accesses of an operand beyond which it is not looked at.
const LIMIT: usize = 64;
/// The claims about addresses at one operator.
const MOST_CLAIMS: usize = 4;

const PROPERTY: &str = "sequence.unsequenced";

/// An access of a scalar.
#[derive(Clone, Copy)]
struct Access {
    place: HirExpr,
    write: bool,
    /// The time at which it happens if the operand is evaluated.
    when: When,
    /// True if it is complete before the value of the operand is known.
    done: bool,
}

/// The time at which a part of an expression is evaluated.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// If an expression, which always is evaluated before, has the truth value.
    If(HirExpr, bool),
    /// If several conditions hold.
    Nested,
}

impl When {
    /// When something is evaluated that depends on a condition inside of this.
    fn and_if(self, condition: HirExpr, holds: bool) -> When {
        match self {
            When::Always => When::If(condition, holds),
            When::If(..) | When::Nested => When::Nested,
        }
    }
}

/// The relation of the places of two accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Apart,
    Same,
    Unknown,
}

/// Where a path to a place begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Variable(VarId),
    Pointer,
}

/// A step from an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Member(RecordId, u32),
    Element(Option<u64>),
}

impl Fx<'_, '_> {
    /// Claims that what the operands of an expression do is sequenced as far as it must be.
    pub(crate) fn claim_sequenced(&mut self, expr: HirExpr) {
        if self.cx.units[self.u].library || !self.has_own_effects(expr) {
            return;
        }
        let groups: Vec<Vec<Access>>;
        let mut own = None;
        match self.unit.exprs[expr].kind {
            ExprKind::Binary(_, a, b)
            | ExprKind::PtrOffset(_, a, b)
            | ExprKind::PtrDiff(a, b)
            | ExprKind::Index(a, b) => groups = vec![self.accesses(a), self.accesses(b)],
            // In a chain of assignments all write one value, whose order nobody sees.
            ExprKind::Assign(place, value)
                if matches!(self.unit.exprs[value].kind, ExprKind::Assign(..)) =>
            {
                groups = vec![self.accesses_of_place(place), self.accesses(value)];
            }
            ExprKind::Assign(place, value) => {
                own = Some(place);
                groups = vec![self.accesses_of_place(place), self.accesses(value)];
            }
            ExprKind::CompoundAssign { place, value, .. } => {
                own = Some(place);
                let mut left = self.accesses_of_place(place);
                left.push(Access { place, write: false, when: When::Always, done: false });
                groups = vec![left, self.accesses(value)];
            }
            ExprKind::IncDec(_, place) => {
                own = Some(place);
                groups = vec![self.accesses_of_place(place)];
            }
            _ => return,
        }
        self.claim_groups(expr, &groups, own);
    }

    /// Claims that the arguments of a call do not conflict.
    pub(crate) fn claim_sequenced_arguments(&mut self, callee: HirExpr, args: &[HirExpr]) {
        if self.cx.units[self.u].library || !args.iter().any(|&arg| self.has_own_effects(arg)) {
            return;
        }
        let mut groups = vec![self.accesses(callee)];
        groups.extend(args.iter().map(|&arg| self.accesses(arg)));
        self.claim_groups(callee, &groups, None);
    }

    fn claim_groups(&mut self, expr: HirExpr, groups: &[Vec<Access>], own: Option<HirExpr>) {
        let mut pairs: Vec<(Access, Access)> = Vec::new();
        for (i, group) in groups.iter().enumerate() {
            for other in &groups[i + 1..] {
                for &a in group {
                    pairs.extend(other.iter().filter(|b| a.write || b.write).map(|&b| (a, b)));
                }
            }
        }
        if let Some(place) = own {
            let write = Access { place, write: true, when: When::Always, done: false };
            let unsequenced = groups.iter().flatten().filter(|access| access.write && !access.done);
            pairs.extend(unsequenced.map(|&access| (write, access)));
        }
        self.claim_pairs(expr, groups, &pairs);
    }

    fn claim_pairs(&mut self, expr: HirExpr, groups: &[Vec<Access>], pairs: &[(Access, Access)]) {
        let mut open = Vec::new();
        let mut n_claims = 0;
        for &(a, b) in pairs {
            let always = matches!((a.when, b.when), (When::Always, When::Always));
            match self.relation(a.place, b.place) {
                Relation::Apart => {}
                Relation::Same if !always => {
                    if n_claims < MOST_CLAIMS
                        && let Some(both) = self.both_happen(a, b, groups)
                    {
                        n_claims += 1;
                        let what = self.text_at(b.place).unwrap_or_else(|| "an object".to_owned());
                        let description = format!("{what} is accessed twice without an order");
                        let holds = self.cx.p.not(both);
                        self.claim(holds, PROPERTY, description);
                    }
                }
                Relation::Same => {
                    let what = self.text_at(b.place).unwrap_or_else(|| "an object".to_owned());
                    let description = match a.write && b.write {
                        true => format!("{what} is written twice without an order"),
                        false => format!("{what} is read and written without an order"),
                    };
                    return self.claim_false(PROPERTY, description);
                }
                Relation::Unknown => open.push((a, b)),
            }
        }
        for (a, b) in open {
            if n_claims < MOST_CLAIMS
                && self.is_fixed(a.place, groups)
                && self.is_fixed(b.place, groups)
                && let Some(both) = self.both_happen(a, b, groups)
            {
                n_claims += 1;
                let (p, q) = (self.address(a.place), self.address(b.place));
                let void = self.cx.void_ptr();
                let (p, q) = (self.coerce(p, void), self.coerce(q, void));
                let differ = self.cx.p.ne(p, q);
                let differ = self.cx.p.implies(both, differ);
                let what = self.text_at(expr).unwrap_or_else(|| "an expression".to_owned());
                let description =
                    format!("one object is accessed twice without an order in {what}");
                self.claim(differ, PROPERTY, description);
            }
        }
    }

    /// The condition on which two accesses happen, before the operands are evaluated, if they do not change it.
    fn both_happen(&mut self, a: Access, b: Access, groups: &[Vec<Access>]) -> Option<ExprId> {
        let mut both = self.cx.p.bool(true);
        for when in [a.when, b.when] {
            match when {
                When::Always => {}
                When::Nested => return None,
                When::If(condition, holds) => {
                    if self.has_effects(condition) || !self.is_unchanged(condition, false, groups) {
                        return None;
                    }
                    let value = self.value(condition);
                    let truth = self.truth(value);
                    let truth = if holds { truth } else { self.cx.p.not(truth) };
                    both = self.cx.p.and(both, truth);
                }
            }
        }
        Some(both)
    }

    /// The text of an expression, if it is short.
    fn text_at(&self, expr: HirExpr) -> Option<String> {
        match self.unit.exprs[expr].kind {
            ExprKind::Var(var) => {
                let name = self.unit.vars[var].name?;
                Some(format!("`{}`", self.unit.names.name(name)))
            }
            _ => None,
        }
    }

    /// Returns whether the address of a place can be computed before the operands, with the same result.
    fn is_fixed(&mut self, place: HirExpr, groups: &[Vec<Access>]) -> bool {
        if self.has_effects(place) || !self.has_address(place) || !self.is_lvalue(place) {
            return false;
        }
        self.is_unchanged(place, true, groups)
    }

    /// Returns whether the operands leave everything unchanged that an expression, or the address of a place, reads.
    fn is_unchanged(&mut self, expr: HirExpr, is_place: bool, groups: &[Vec<Access>]) -> bool {
        let read = if is_place { self.accesses_of_place(expr) } else { self.accesses(expr) };
        let writes: Vec<Access> =
            groups.iter().flatten().filter(|access| access.write).copied().collect();
        read.len() < LIMIT
            && writes.iter().all(|write| {
                read.iter().all(|read| self.relation(read.place, write.place) == Relation::Apart)
            })
    }

    /// Returns whether an expression writes a variable itself, outside of the functions that it calls.
    pub(crate) fn has_own_effects(&mut self, expr: HirExpr) -> bool {
        match self.unit.exprs[expr].kind {
            ExprKind::Assign(..) | ExprKind::CompoundAssign { .. } | ExprKind::IncDec(..) => {
                return true;
            }
            ExprKind::StmtExpr(_) => return false,
            _ => {}
        }
        if !self.has_effects(expr) {
            return false;
        }
        if let Some(&known) = self.own_effects.get(&expr) {
            return known;
        }
        let mut children = Vec::new();
        self.children(expr, &mut children);
        let found = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            children.into_iter().any(|child| self.has_own_effects(child))
        });
        self.own_effects.insert(expr, found);
        found
    }

    /// The operands of an expression.
    pub(crate) fn children(&self, expr: HirExpr, out: &mut Vec<HirExpr>) {
        match self.unit.exprs[expr].kind {
            ExprKind::Deref(x)
            | ExprKind::Member(x, ..)
            | ExprKind::AddrOf(x)
            | ExprKind::Unary(_, x)
            | ExprKind::IncDec(_, x)
            | ExprKind::Cast(_, x)
            | ExprKind::VaArg(x)
            | ExprKind::ComplexPart(x, _) => out.push(x),
            ExprKind::Index(x, y)
            | ExprKind::Binary(_, x, y)
            | ExprKind::PtrOffset(_, x, y)
            | ExprKind::PtrDiff(x, y)
            | ExprKind::LogAnd(x, y)
            | ExprKind::LogOr(x, y)
            | ExprKind::CondOmitted(x, y)
            | ExprKind::Comma(x, y)
            | ExprKind::Assign(x, y)
            | ExprKind::CompoundAssign { place: x, value: y, .. }
            | ExprKind::VectorElement(x, y) => out.extend([x, y]),
            ExprKind::Cond(x, y, z) => out.extend([x, y, z]),
            ExprKind::Call(callee, args) => {
                out.push(callee);
                out.extend(self.unit.expr_lists.get(args));
            }
            ExprKind::Builtin(_, args) => out.extend(self.unit.expr_lists.get(args)),
            ExprKind::Error
            | ExprKind::Int(_)
            | ExprKind::WideInt(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::SizeofVla(_) => {}
        }
    }

    /// Returns the reads and writes of an expression itself.
    fn accesses(&self, expr: HirExpr) -> Vec<Access> {
        let mut out = Vec::new();
        self.collect(vec![(expr, false, When::Always, false)], &mut out);
        out
    }

    /// Returns the reads and writes of finding a place.
    fn accesses_of_place(&self, place: HirExpr) -> Vec<Access> {
        let mut out = Vec::new();
        self.collect(vec![(place, true, When::Always, false)], &mut out);
        out
    }

    /// Walks over expressions, each with whether only its place is wanted, when it is evaluated, and whether
    /// it is complete before the whole has a value.
    fn collect(&self, mut work: Vec<(HirExpr, bool, When, bool)>, out: &mut Vec<Access>) {
        while let Some((expr, is_place, when, done)) = work.pop() {
            if out.len() >= LIMIT {
                return;
            }
            let mut access = |place: HirExpr, write: bool| {
                if self.unit.types.is_scalar(self.unit.exprs[place].ty) {
                    out.push(Access { place, write, when, done });
                }
            };
            match self.unit.exprs[expr].kind {
                ExprKind::Var(_) | ExprKind::StmtExpr(_) | ExprKind::CompoundLiteral(_) => {}
                ExprKind::Member(base, ..) | ExprKind::ComplexPart(base, _) => {
                    work.push((base, self.is_lvalue(base), when, done));
                }
                ExprKind::VectorElement(base, index) => {
                    work.push((base, self.is_lvalue(base), when, done));
                    work.push((index, false, when, done));
                }
                ExprKind::AddrOf(x) => work.push((x, true, when, done)),
                ExprKind::Cast(CastKind::Load, x) if self.is_lvalue(x) => {
                    access(x, false);
                    work.push((x, true, when, done));
                }
                ExprKind::Cast(CastKind::ArrayDecay, x) => {
                    work.push((x, self.is_lvalue(x), when, done));
                }
                ExprKind::Cast(_, x) => work.push((x, is_place, when, done)),
                ExprKind::Assign(place, value) | ExprKind::CompoundAssign { place, value, .. } => {
                    access(place, true);
                    work.extend([(place, true, when, done), (value, false, when, done)]);
                }
                ExprKind::IncDec(_, place) => {
                    access(place, true);
                    work.push((place, true, when, done));
                }
                ExprKind::LogAnd(a, b) => {
                    work.extend([(a, false, when, true), (b, false, when.and_if(a, true), done)]);
                }
                ExprKind::LogOr(a, b) | ExprKind::CondOmitted(a, b) => {
                    work.extend([(a, false, when, true), (b, false, when.and_if(a, false), done)]);
                }
                ExprKind::Cond(c, a, b) => {
                    work.push((c, false, when, true));
                    work.push((a, false, when.and_if(c, true), done));
                    work.push((b, false, when.and_if(c, false), done));
                }
                ExprKind::Comma(a, b) => {
                    work.extend([(a, false, when, true), (b, is_place, when, done)]);
                }
                ExprKind::Call(callee, args) => {
                    work.push((callee, false, when, true));
                    let args = self.unit.expr_lists.get(args);
                    work.extend(args.iter().map(|&arg| (arg, false, when, true)));
                }
                _ => {
                    let mut children = Vec::new();
                    self.children(expr, &mut children);
                    work.extend(children.into_iter().map(|child| (child, false, when, done)));
                }
            }
        }
    }

    fn path(&self, mut place: HirExpr) -> (Root, Vec<Step>) {
        let mut steps = Vec::new();
        let root = loop {
            match self.unit.exprs[place].kind {
                ExprKind::Var(var) => break Root::Variable(var),
                ExprKind::Member(base, record, field) if self.is_lvalue(base) => {
                    steps.push(Step::Member(record, field));
                    place = base;
                }
                ExprKind::Index(base, index) => match self.unit.exprs[base].kind {
                    ExprKind::Cast(CastKind::ArrayDecay, array) if self.is_lvalue(array) => {
                        steps.push(Step::Element(match self.unit.exprs[index].kind {
                            ExprKind::Int(index) => Some(index),
                            _ => None,
                        }));
                        place = array;
                    }
                    _ => break Root::Pointer,
                },
                _ => break Root::Pointer,
            }
        };
        steps.reverse();
        (root, steps)
    }

    fn relation(&mut self, a: HirExpr, b: HirExpr) -> Relation {
        let ((a_root, a_steps), (b_root, b_steps)) = (self.path(a), self.path(b));
        let unless_typed = |fx: &mut Self| match fx.may_be_one(a, b) {
            true => Relation::Unknown,
            false => Relation::Apart,
        };
        match (a_root, b_root) {
            (Root::Variable(a), Root::Variable(b)) if a != b => Relation::Apart,
            (Root::Variable(_), Root::Variable(_)) => {
                for (a, b) in a_steps.iter().zip(&b_steps) {
                    match (*a, *b) {
                        (Step::Member(record, x), Step::Member(_, y)) if x != y => {
                            return match self.unit.types.records[record].kind == RecordKind::Union {
                                true => unless_typed(self),
                                false => Relation::Apart,
                            };
                        }
                        (Step::Element(Some(x)), Step::Element(Some(y))) if x != y => {
                            return Relation::Apart;
                        }
                        (Step::Element(x), Step::Element(y)) if x.is_none() || y.is_none() => {
                            return unless_typed(self);
                        }
                        _ => {}
                    }
                }
                Relation::Same
            }
            (Root::Variable(var), Root::Pointer) | (Root::Pointer, Root::Variable(var)) => {
                match self.cx.is_exposed(self.u, var) {
                    true => unless_typed(self),
                    false => Relation::Apart,
                }
            }
            (Root::Pointer, Root::Pointer) => unless_typed(self),
        }
    }

    /// Returns whether places of these types can be one object (C17 6.5p7): numbers of one size, or pointers.
    fn may_be_one(&mut self, a: HirExpr, b: HirExpr) -> bool {
        let (a, b) = (self.ty(self.unit.exprs[a].ty), self.ty(self.unit.exprs[b].ty));
        match (self.cx.p.types.get(a), self.cx.p.types.get(b)) {
            (Type::Int { width: a, .. }, Type::Int { width: b, .. }) => a == b,
            (Type::Ptr(_), Type::Ptr(_)) => true,
            _ => a == b,
        }
    }
}

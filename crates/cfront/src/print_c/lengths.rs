//! The lengths of variable-length arrays.
//!
//! The typed tree keeps the length of a variable-length array in a hidden variable, assigned where the declaration is
//! evaluated. Printing undoes this where it can:
//!
//! - The only use of the length is the declaration that follows the assignment, or a parameter: the expression goes back
//!   between the brackets.
//! - The length is a copy of a variable that never changes afterwards: that variable stands for it. (So printing
//!   what was printed adds no further copies.)
//! - Otherwise the hidden variable gets a name: a constant where it is assigned by a statement of its own, else a
//!   variable at the top of the function.

use super::Printer;
use super::walk::Facts;
use crate::ast::Quals;
use crate::hir::{CastKind, ExprId, ExprKind, StmtId, StmtKind, Storage, Unit, VarId};
use crate::types::{ArrayLen, QualType, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_source::Precedence;

/// Where a type is being written.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Place {
    /// In a declaration or expression of a function's body.
    #[default]
    Body,
    /// In a prototype, where no length is known.
    Prototype,
    /// In the parameters of a definition.
    Parameters,
}

/// The lengths of the current function.
#[derive(Default)]
pub(super) struct Lengths {
    place: Place,
    /// Lengths written as their expression in the declaration now being printed.
    inline: FxHashMap<VarId, ExprId>,
    /// Lengths written as their expression in the parameters of the definition.
    parameters: FxHashMap<VarId, ExprId>,
    /// Lengths for which another variable stands.
    copies: FxHashMap<VarId, VarId>,
    /// Lengths that only a parameter uses.
    unused: FxHashSet<VarId>,
    /// Lengths assigned once, by a statement of their own.
    constants: FxHashSet<VarId>,
    /// Lengths that one declaration alone uses.
    single: FxHashSet<VarId>,
    /// Lengths declared at the top of the function.
    pub(super) variables: Vec<VarId>,
    /// Lengths of other functions' parameters, which have no value here.
    unknown: FxHashSet<VarId>,
}

impl Lengths {
    pub(super) fn enter_prototype(&mut self) -> Place {
        std::mem::replace(&mut self.place, Place::Prototype)
    }

    pub(super) fn enter_parameters(&mut self) -> Place {
        std::mem::replace(&mut self.place, Place::Parameters)
    }

    pub(super) fn leave_prototype(&mut self, outside: Place) {
        self.place = outside;
    }

    /// Returns whether the length needs a name of its own.
    pub(super) fn is_named(&self, var: VarId) -> bool {
        !self.copies.contains_key(&var) && !self.unknown.contains(&var)
    }

    /// The variable that stands for a length.
    pub(super) fn stands_for(&self, var: VarId) -> VarId {
        self.copies.get(&var).copied().unwrap_or(var)
    }

    /// Returns whether the expression assigns a length that another variable replaces, or that nobody reads.
    pub(super) fn is_dropped(&self, unit: &Unit, e: ExprId) -> bool {
        assigned_length(unit, e)
            .is_some_and(|(var, _)| self.copies.contains_key(&var) || self.unused.contains(&var))
    }
}

/// The hidden variable and its value if the expression assigns one.
pub(super) fn assigned_length(unit: &Unit, e: ExprId) -> Option<(VarId, ExprId)> {
    let mut e = e;
    while let ExprKind::Cast(CastKind::ToVoid | CastKind::NoOp, x) = unit.exprs[e].kind {
        e = x;
    }
    match unit.exprs[e].kind {
        ExprKind::Assign(place, value) => match unit.exprs[place].kind {
            ExprKind::Var(var) if is_hidden(unit, var) => Some((var, value)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether the variable has no name and is no literal: the length of an array.
pub(super) fn is_hidden(unit: &Unit, var: VarId) -> bool {
    let var = &unit.vars[var];
    var.name.is_none()
        && var.init.is_none()
        && matches!(var.storage, Storage::Auto | Storage::Register)
}

/// The lengths that a type mentions.
pub(super) fn mentioned(unit: &Unit, ty: QualType) -> Vec<VarId> {
    let mut found = Vec::new();
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match unit.types.kind(ty) {
            TypeKind::Pointer(to) => stack.push(*to),
            TypeKind::Array(element, len) => {
                if let ArrayLen::Variable(var) = len {
                    found.push(*var);
                }
                stack.push(*element);
            }
            TypeKind::Function(function) => stack.push(function.ret),
            _ => {}
        }
    }
    found
}

impl Printer<'_> {
    /// Decides how the lengths of a function are written.
    pub(super) fn plan_lengths(&mut self, facts: &Facts, params: &[VarId], body: Option<StmtId>) {
        let unit = self.unit;
        let mut lengths = Lengths::default();
        for &var in &facts.hidden {
            let assigned = facts.assigned.get(&var).map_or(&[][..], Vec::as_slice);
            let writes = facts.writes.get(&var).copied().unwrap_or(0);
            let once = writes == 1 && facts.statement_writes.contains(&var);
            if writes == 0 {
                lengths.unknown.insert(var);
            } else if let Some(original) = self.copied(facts, var, assigned) {
                lengths.copies.insert(var, original);
            } else if once {
                lengths.constants.insert(var);
                if facts.mentions.get(&var) == Some(&1) {
                    lengths.single.insert(var);
                }
            } else {
                lengths.variables.push(var);
            }
        }
        // A copy of a copy stands for the first.
        for &var in &facts.hidden {
            let mut original = var;
            for _ in 0..facts.hidden.len() {
                match lengths.copies.get(&original) {
                    Some(&next) if next != original => original = next,
                    _ => break,
                }
            }
            if original != var {
                lengths.copies.insert(var, original);
            }
        }
        let mut in_params: FxHashMap<VarId, u32> = FxHashMap::default();
        for &param in params {
            for var in mentioned(unit, unit.vars[param].ty) {
                *in_params.entry(var).or_default() += 1;
            }
        }
        let first = match body.map(|body| unit.stmts[body].kind) {
            Some(StmtKind::Compound(list)) => unit.stmt_lists.get(list),
            _ => &[],
        };
        for &stmt in first {
            let assigned = match unit.stmts[stmt].kind {
                StmtKind::Expr(e) => assigned_length(unit, e),
                StmtKind::Decl(var) if is_hidden(unit, var) => continue,
                _ => None,
            };
            let Some((var, value)) = assigned else { break };
            if let Some(&count) = in_params.get(&var) {
                lengths.parameters.insert(var, value);
                if facts.mentions.get(&var) == Some(&count) {
                    lengths.unused.insert(var);
                }
            }
        }
        self.lengths = lengths;
    }

    /// The variable of which the length is a copy, if that never changes again.
    fn copied(&self, facts: &Facts, var: VarId, assigned: &[ExprId]) -> Option<VarId> {
        let mut original = None;
        for &value in assigned {
            let shown = self.shown(value);
            let ExprKind::Var(source) = self.unit.exprs[shown].kind else { return None };
            let of = &self.unit.vars[source];
            let constant = of.ty.quals().has(Quals::CONST) && of.init.is_some();
            let once = of.init.is_none() && facts.writes.get(&source) == Some(&1);
            if of.storage != Storage::Auto
                || of.ty.quals().has(Quals::VOLATILE)
                || !self.same_type(of.ty, self.unit.vars[var].ty)
                || !(constant || once)
                || original.is_some_and(|original| original != source)
            {
                return None;
            }
            original = Some(source);
        }
        original
    }

    /// The text between the brackets.
    pub(super) fn variable_length(&mut self, var: VarId) -> String {
        let inline = match self.lengths.place {
            Place::Prototype => return "*".to_owned(),
            Place::Parameters => self.lengths.parameters.get(&var),
            Place::Body => self.lengths.inline.get(&var),
        };
        match inline.copied() {
            Some(value) => {
                let place = std::mem::take(&mut self.lengths.place);
                let value = self.offset_operand(value);
                let text = self.capture(|printer| printer.expr(value, Precedence::Assign));
                self.lengths.place = place;
                text
            }
            // A pointer to an array of unknown length fits any.
            None if self.lengths.unknown.contains(&var) => String::new(),
            None => self.var_name(var),
        }
    }

    /// Prints, or leaves to the declaration that follows, statements that assign lengths. Gives how many of the
    /// statements these are.
    pub(super) fn length_statements(&mut self, stmts: &[StmtId]) -> usize {
        let unit = self.unit;
        let mut run = Vec::new();
        let mut count = 0;
        for &stmt in stmts {
            match unit.stmts[stmt].kind {
                StmtKind::Expr(e) => match assigned_length(unit, e) {
                    Some((var, value)) => run.push((var, value, stmt)),
                    None => break,
                },
                StmtKind::Decl(var) if is_hidden(unit, var) => {}
                _ => break,
            }
            count += 1;
        }
        if count == 0 {
            return 0;
        }
        let declared = match stmts.get(count).map(|&stmt| unit.stmts[stmt].kind) {
            Some(StmtKind::Decl(var)) => mentioned(unit, unit.vars[var].ty),
            _ => Vec::new(),
        };
        self.lengths.inline.clear();
        for (var, value, stmt) in run {
            if self.lengths.copies.contains_key(&var) || self.lengths.unused.contains(&var) {
                continue;
            }
            if self.lengths.single.contains(&var) && declared.contains(&var) {
                self.lengths.inline.insert(var, value);
                continue;
            }
            self.mark(unit.stmts[stmt].span);
            self.indent();
            let name = self.var_name(var);
            if self.lengths.constants.contains(&var) {
                let ty = unit.vars[var].ty.with(Quals::CONST);
                let text = self.declaration(ty, &name);
                self.text(&format!("{text} = "));
            } else {
                self.text(&format!("{name} = "));
            }
            self.assigned(value);
            self.text(";");
            self.newline();
        }
        count
    }
}

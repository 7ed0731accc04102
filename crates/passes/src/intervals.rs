//! Uses what is known of numbers: expressions with one value become constants, branches that are decided are no branches.
//!
//! **Source.** Section 4.3.2 of the thesis (*optimise*: singleton propagation and removal of dead code), on the analysis of
//! [`vergo_analysis::numeric`] with calls: plain intervals.
//!
//! **Changed.** Constants replace whole expressions, not only variables. A claim that surely holds becomes `assert true`, so
//! that it is still counted and answered; one that surely fails stays as it is. What control cannot reach is left to
//! `unreachable`.
//!
//! **Soundness.** The values of an expression in every execution are in its interval. The analysis is part of what a verdict
//! rests on where this pass was run; engines do without it, and use intervals as facts that their checkers prove again
//! (`ts::invariants`).

use crate::Options;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::interval::{Interval, Word};
use vergo_analysis::number::Number;
use vergo_analysis::numeric::{self, Arithmetic, Calls, Numbers, Walk, walk_blocks};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{FunctionId, InstrKind, Program};
use vergo_goto::rewrite::Role;
use vergo_goto::types::Type;

/// The pass.
pub fn run(program: &mut Program, _: &Options) {
    let arithmetic = Arithmetic::Followed;
    let before = program.clone();
    let calls: Calls<Interval> = Calls::of(&before, arithmetic);
    let functions: Vec<FunctionId> = program.functions.keys().collect();
    for function in functions {
        let info = &before.functions[function];
        let Some(body) = &info.body else { continue };
        let cfg = Cfg::of(info);
        let numbers: Numbers<Interval> =
            Numbers::with(&before, function, &cfg, arithmetic, Some(&calls));
        let mut walk = Walk::new(&before, function, arithmetic, Some(&calls));
        let mut new = body.clone();
        walk_blocks(&cfg, |leader, end| {
            walk.enter(&numbers, leader);
            for at in leader..end {
                if walk.is_reachable() {
                    let kind = &mut new[at].kind;
                    let is_choice = |value: ExprId| matches!(before.exprs.kind(value), ExprKind::Nondet(_));
                    let choice = matches!(*kind, InstrKind::Assign(_, value) if is_choice(value));
                    if !choice {
                        kind.map_exprs(|expr, role| match role {
                            Role::Read => propagate(program, &mut walk, expr),
                            Role::Write => propagate_place(program, &mut walk, expr),
                        });
                    }
                    if let InstrKind::Goto(Some(cond), label) = *kind
                        && let ExprKind::Bool(taken) = *program.exprs.kind(cond)
                    {
                        *kind = if taken { InstrKind::Goto(None, label) } else { InstrKind::Skip };
                    }
                }
                walk.step(&body[at].kind);
            }
        });
        program.functions[function].body = Some(new);
    }
}

/// An expression with what is known of its parts.
fn propagate(program: &mut Program, walk: &mut Walk<'_, Interval>, expr: ExprId) -> ExprId {
    let ty = program.exprs.ty(expr);
    if let Some(word) = numeric::word(program, ty)
        && let Some(value) = walk.value(expr).and_then(|value| value.single(word))
    {
        return constant(program, ty, word, value);
    }
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match program.exprs.kind(expr).clone() {
        ExprKind::AddressOf(place) => {
            let new = propagate_place(program, walk, place);
            if new == place { expr } else { program.exprs.intern(ExprKind::AddressOf(new), ty) }
        }
        kind if kind.is_place() && program.is_place(expr) => propagate_place(program, walk, expr),
        kind => {
            let mut children = Vec::new();
            kind.for_each_child(|child| children.push(child));
            let mapped: Vec<ExprId> =
                children.iter().map(|&child| propagate(program, walk, child)).collect();
            if mapped == children {
                return expr;
            }
            let mut mapped = mapped.into_iter();
            let kind = kind.map_children(|child| mapped.next().unwrap_or(child));
            program.exprs.intern(kind, ty)
        }
    })
}

/// A place whose pointers and indices are known better.
fn propagate_place(program: &mut Program, walk: &mut Walk<'_, Interval>, place: ExprId) -> ExprId {
    let ty = program.exprs.ty(place);
    let new = match *program.exprs.kind(place) {
        ExprKind::Member(base, member) => ExprKind::Member(propagate_place(program, walk, base), member),
        ExprKind::Index(base, index) => {
            let base = propagate_place(program, walk, base);
            ExprKind::Index(base, propagate(program, walk, index))
        }
        ExprKind::Deref(pointer) => ExprKind::Deref(propagate(program, walk, pointer)),
        ExprKind::Symbol(_) => return place,
        _ => return propagate(program, walk, place),
    };
    program.exprs.intern(new, ty)
}

fn constant(program: &mut Program, ty: vergo_goto::types::TypeId, word: Word, value: i128) -> ExprId {
    debug_assert!(word.all().contains(value));
    match program.types.get(ty) {
        Type::Bool => program.bool(value != 0),
        _ => program.int(ty, value),
    }
}

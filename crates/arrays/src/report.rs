//! The report on the transformation and its precision: section 6 of the paper.
//!
//! An assertion is *exact* if it fails in the transformed program only if it fails in the program. That is claimed where
//! the paper's conditions hold for all that the assertion can depend on, which is taken to be the whole program: every
//! loop accesses all elements of its arrays, each in its own iteration (rule l1, a2, d5), changes no other variable than
//! its counter (rules s4, d6), and loses no element (rule a3). Rules s4 and d6 are relaxed as the paper says: a variable
//! may change in loops if every iteration in which it is read sets it first ([`is_set_before`]).

use crate::Refinement;
use crate::induction::{strip_void, top_statements};
use crate::rules::Rules;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use vergo_cfront::hir::{ExprId, ExprKind, StmtKind, VarId};
use vergo_source::{SourceMap, Span};

/// The report on one program.
#[derive(Clone, Debug)]
pub struct Report {
    /// The number of witness indices.
    pub witnesses: usize,
    /// How much is kept beyond what assertions need.
    pub refinement: Refinement,
    /// Arrays: position, name, and why it is kept, if it is.
    pub arrays: Vec<(String, String, Option<String>)>,
    /// Loops: position, rule, and what makes it inexact or keeps it.
    pub loops: Vec<LoopReport>,
    /// Assertions: position, and what makes it inexact; exact if that is empty.
    pub assertions: Vec<(String, Vec<String>)>,
}

/// The report on a loop.
#[derive(Clone, Debug)]
pub struct LoopReport {
    /// Where it is.
    pub position: String,
    /// `3.S3`, `3.S4`, or `kept`.
    pub rule: &'static str,
    /// True if it accesses abstracted arrays.
    pub over_arrays: bool,
    /// The greatest number of iterations that are executed.
    pub iterations: usize,
    /// The reason why it is not exact.
    pub because: Vec<String>,
}

impl Report {
    /// Returns whether all assertions are exact.
    pub fn is_exact(&self) -> bool {
        self.assertions.iter().all(|(_, because)| because.is_empty())
    }

    /// The report as JSON.
    pub fn to_json(&self) -> Value {
        let precision = |because: &[String]| {
            if because.is_empty() {
                json!({ "precision": "exact" })
            } else {
                json!({ "precision": "over-approximate", "because": because })
            }
        };
        let arrays: Vec<Value> = self
            .arrays
            .iter()
            .map(|(position, name, kept)| match kept {
                None => json!({ "position": position, "name": name, "abstracted": true }),
                Some(why) => json!({
                    "position": position, "name": name, "abstracted": false, "because": why
                }),
            })
            .collect();
        let loops: Vec<Value> = self
            .loops
            .iter()
            .map(|one| {
                let mut value = precision(&one.because);
                value["position"] = json!(one.position);
                value["rule"] = json!(one.rule);
                value["over_arrays"] = json!(one.over_arrays);
                value["iterations"] = json!(one.iterations);
                value
            })
            .collect();
        let assertions: Vec<Value> = self
            .assertions
            .iter()
            .map(|(position, because)| {
                let mut value = precision(because);
                value["position"] = json!(position);
                value
            })
            .collect();
        json!({
            "witnesses": self.witnesses,
            "refinement": self.refinement.to_string(),
            "precision": if self.is_exact() { "exact" } else { "over-approximate" },
            "arrays": arrays,
            "loops": loops,
            "assertions": assertions,
        })
    }
}

fn at(map: &SourceMap, span: Span) -> String {
    map.presumed(span.lo).to_string()
}

/// Makes the report of a transformed program.
pub(crate) fn make(rules: &Rules<'_>, refinement: Refinement) -> Report {
    let (unit, map, plans) = (rules.unit, rules.map, rules.plans);
    let name = |var| {
        unit.vars[var].name.map_or_else(String::new, |name: vergo_cfront::intern::Symbol| {
            unit.names.name(name).to_owned()
        })
    };
    let mut arrays = Vec::new();
    for &var in rules.places.all.keys() {
        arrays.push((unit.vars[var].span, name(var), None));
    }
    for (&var, kept) in &rules.places.kept {
        let why = format!("{}: {}", at(map, kept.span), kept.why);
        arrays.push((unit.vars[var].span, name(var), Some(why)));
    }
    arrays.sort_by_key(|(span, ..)| *span);
    let mut loops = Vec::new();
    let mut general: BTreeSet<String> = BTreeSet::new();
    for plan in plans.loops.values() {
        let span = unit.stmts[plan.parts.stmt].span;
        let mut because = Vec::new();
        let full = rules.is_full(plan);
        if !full {
            because.push("not all elements are accessed, each in its own iteration".to_owned());
        }
        for &var in
            plan.havoc.iter().chain(&plan.settled).filter(|&&var| !is_set_before(rules, var))
        {
            because.push(format!("`{}` is changed in the loop", name(var)));
        }
        for lost in &plan.lost {
            because.push(format!("elements of `{}` are lost", name(lost.var)));
        }
        general.extend(because.iter().map(|why| format!("{}: {why}", at(map, span))));
        loops.push((
            span,
            LoopReport {
                position: at(map, span),
                rule: if full { "3.S3" } else { "3.S4" },
                over_arrays: true,
                iterations: plan.slots(plans.witnesses),
                because,
            },
        ));
    }
    for kept in &plans.kept {
        let span = unit.stmts[kept.stmt].span;
        let why = format!("{}: {}", at(map, kept.span), kept.why);
        general.insert(format!("{}: the loop is kept", at(map, span)));
        loops.push((
            span,
            LoopReport {
                position: at(map, span),
                rule: "kept",
                over_arrays: kept.over_arrays,
                iterations: 0,
                because: vec![why],
            },
        ));
    }
    loops.sort_by_key(|(span, _)| *span);
    general.extend(reads_outside(rules));
    let assertions = plans
        .assertions
        .iter()
        .map(|assertion| {
            let mut because: Vec<String> = general.iter().cloned().collect();
            if assertion.region.is_none() {
                because.push("it is outside of the loops over arrays".to_owned());
            }
            if assertion.other_reads > 0 {
                because.push("it reads more elements than there are witnesses".to_owned());
            }
            (at(map, unit.exprs[assertion.call].span), because)
        })
        .collect();
    Report {
        witnesses: plans.witnesses,
        refinement,
        arrays: arrays.into_iter().map(|(span, name, why)| (at(map, span), name, why)).collect(),
        loops: loops.into_iter().map(|(_, report)| report).collect(),
        assertions,
    }
}

/// Returns whether a variable is read only in iterations of loops over arrays that have set it before, whatever else
/// they do.
fn is_set_before(rules: &Rules<'_>, var: VarId) -> bool {
    let unit = rules.unit;
    // Who has its address may read it.
    let is_var = |expr: ExprId| matches!(unit.exprs[expr].kind, ExprKind::Var(v) if v == var);
    let mut targets = BTreeSet::new();
    let mut set: Vec<(Span, Span)> = Vec::new();
    for plan in rules.plans.loops.values() {
        let body = unit.stmts[plan.parts.body].span;
        for stmt in top_statements(unit, plan.parts.body) {
            if let StmtKind::Expr(expr) = unit.stmts[stmt].kind
                && let ExprKind::Assign(place, _) = unit.exprs[strip_void(unit, expr)].kind
                && is_var(place)
            {
                targets.insert(place);
                set.push((unit.exprs[expr].span, body));
            }
        }
    }
    unit.exprs.iter().all(|(id, expr)| {
        !is_var(id)
            || targets.contains(&id)
            || set
                .iter()
                .any(|(setting, body)| body.contains(expr.span) && setting.hi <= expr.span.lo)
    })
}

/// Accesses outside of loops over arrays, and jumps, for which nothing is claimed.
fn reads_outside(rules: &Rules<'_>) -> Vec<String> {
    use vergo_cfront::walk::{Node, visit};
    let unit = rules.unit;
    let mut out = Vec::new();
    for function in unit.functions.values() {
        let Some(body) = function.body else { continue };
        visit(unit, Node::Stmt(body), &mut |node| {
            match node {
                Node::Stmt(stmt) => {
                    if rules.plans.loops.contains_key(&stmt) {
                        return false;
                    }
                    if matches!(unit.stmts[stmt].kind, StmtKind::Goto(_)) {
                        out.push(format!("{}: a jump", at(rules.map, unit.stmts[stmt].span)));
                    }
                }
                Node::Expr(expr) => {
                    let access = crate::places::access(unit, expr);
                    if access.is_some_and(|access| rules.places.has(&access)) {
                        let span = unit.exprs[expr].span;
                        out.push(format!("{}: an element outside of loops", at(rules.map, span)));
                    }
                    if let ExprKind::Call(_, args) = unit.exprs[expr].kind
                        && unit.expr_lists.get(args).iter().any(|&arg| {
                            crate::places::base(unit, arg)
                                .is_some_and(|var| rules.places.all.contains_key(&var))
                        })
                    {
                        let span = unit.exprs[expr].span;
                        out.push(format!("{}: an array is passed on", at(rules.map, span)));
                    }
                }
            }
            true
        });
    }
    out
}

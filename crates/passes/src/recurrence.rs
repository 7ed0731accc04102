//! Loops that are watched: claims that are violated by exactly the executions in which a loop is in one state twice.
//!
//! **Idea.** A loop that is in one state twice can go on for ever, since whatever it chose in between it can choose again
//! (Schuppan and Biere, Liveness Checking as Safety Checking for Infinite State Spaces). At the head of each loop the state
//! is saved once, at a time that is chosen, and compared afterwards. A loop is entered anew each time that control comes to
//! it from outside, and then what was saved is forgotten, so that only its own rounds lie between two states that are
//! compared. A function that calls itself is a loop as well: its state is looked at where it begins, while the call that
//! was saved is still active.
//!
//! **State.** What rounds read and what rounds change, both with the functions that they call ([`state`]), but for what they only
//! carry along ([`idle`]).
//!
//! **Soundness.** A loop is watched only if all of its state can be compared; others are listed with the reason. Added code
//! writes nothing that the program reads. That no claim is violated says nothing about termination: a loop may have
//! infinitely many states.

mod compare;
mod idle;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use vergo_analysis::callgraph::components;
use vergo_analysis::cfg::Cfg;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{
    Claim, FunctionId, InstrKind, LabelId, Program, StaticInit, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::ExprMap;
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

use crate::split_accesses::has_threads;
use compare::{Comparison, comparison};
use state::{Effects, Part};

/// The property of the claims.
pub const PROPERTY: &str = "termination";

/// The loops of a program and how they were treated.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Where the heads of those are that are watched.
    pub heads: Vec<Span>,
    /// The others, and what is in the way.
    pub unwatched: Vec<(Span, String)>,
    /// The variable whose inputs choose when a state is saved.
    pub choice: Option<ExprId>,
}

/// A loop, or a function that calls itself, and its state.
struct Plan {
    /// The positions of the loop; those of the whole function if it calls itself.
    nodes: BTreeSet<usize>,
    head: Option<usize>,
    parts: Vec<Part>,
    span: Span,
}

/// Adds the claims to a program. Loops of library models end, and are not watched.
pub fn watch(program: &mut Program) -> Watched {
    let mut watched = Watched::default();
    if has_threads(program) {
        let span = program.entry.map_or(Span::DUMMY, |entry| program.functions[entry].span);
        watched.unwatched.push((span, "other threads may change its state".to_owned()));
        return watched;
    }
    decide_constants(program);
    let effects = Effects::of(program);
    let mut plans: BTreeMap<FunctionId, Vec<Plan>> = BTreeMap::new();
    for function in effects.functions() {
        if program.functions[function].library {
            continue;
        }
        let found = plans_of(program, &effects, function, &mut watched);
        if !found.is_empty() {
            plans.insert(function, found);
        }
    }
    if plans.is_empty() {
        return watched;
    }
    let bool = program.types.bool();
    let busy = ghost(program, "busy", bool, STATIC);
    let choice = ghost(program, "choice", bool, STATIC);
    let shared = Shared { busy: program.symbol(busy), choice: program.symbol(choice) };
    watched.choice = Some(shared.choice);
    for (function, plans) in plans {
        watched.heads.extend(plans.iter().map(|plan| plan.span));
        weave(program, function, &plans, &shared);
    }
    watched
}

/// Decides conditions that are always true, since they look at nothing: of constants, and that an unsigned number is not below zero.
/// (Claims behind them may vanish with that. Nobody asks about these here.)
fn decide_constants(program: &mut Program) {
    let mut simplify = |program: &mut Program, expr: ExprId| {
        let ExprKind::Binary(op, left, right) = *program.exprs.kind(expr) else { return expr };
        let is_zero =
            |of: ExprId| matches!(program.exprs.kind(of), ExprKind::Int(n) if n.is_zero());
        match (program.type_of(left), op) {
            (Type::Int { signed: false, .. }, BinaryOp::Lt) if is_zero(right) => {
                program.bool(false)
            }
            (Type::Int { signed: false, .. }, BinaryOp::Le) if is_zero(left) => program.bool(true),
            _ => expr,
        }
    };
    let mut map = ExprMap::new();
    for function in program.functions.keys() {
        program.rewrite_body(function, |program, out, mut instr| {
            instr.kind.map_exprs(|expr, _| map.map(program, expr, &mut simplify));
            out.push_instr(instr);
        });
    }
    crate::fold::run(program, &crate::Options::default());
}

/// The loops of a function, and itself if it calls itself, as far as their states can be compared.
fn plans_of(
    program: &Program,
    effects: &Effects,
    function: FunctionId,
    watched: &mut Watched,
) -> Vec<Plan> {
    let cfg = Cfg::of(&program.functions[function]);
    let body = program.functions[function].body.as_deref().unwrap_or_default();
    let mut plans = Vec::new();
    let mut add = |nodes: BTreeSet<usize>, head: Option<usize>, span: Span| match effects
        .state(program, function, &cfg, &nodes, head)
    {
        Ok(parts) => plans.push(Plan { nodes, head, parts, span }),
        Err(reason) => watched.unwatched.push((span, reason)),
    };
    if effects.is_recursive(function) {
        add((0..body.len()).collect(), None, program.functions[function].span);
    }
    let mut several = Vec::new();
    for found in loops(&cfg) {
        let spans = std::iter::once(found.entries[0]).chain(found.nodes.iter().copied());
        let span = spans.map(|at| body[at].span).find(|span| *span != Span::DUMMY);
        let span = span.unwrap_or(program.functions[function].span);
        match found.entries[..] {
            [head] => add(found.nodes, Some(head), span),
            _ => several.push((span, "it is entered at several places".to_owned())),
        }
    }
    watched.unwatched.append(&mut several);
    plans
}

/// A loop: its positions, and those by which it is entered, of which there is one at least.
struct Loop {
    nodes: BTreeSet<usize>,
    entries: Vec<usize>,
}

/// The loops of a function: what is strongly connected, and again without its first entry.
fn loops(cfg: &Cfg) -> Vec<Loop> {
    let mut predecessors = vec![Vec::new(); cfg.len()];
    for at in (0..cfg.len()).filter(|&at| cfg.is_reachable(at)) {
        cfg.successors(at).filter(|&to| to < cfg.len()).for_each(|to| predecessors[to].push(at));
    }
    let mut found = Vec::new();
    let mut work: Vec<Vec<usize>> =
        vec![(0..cfg.len()).filter(|&at| cfg.is_reachable(at)).collect()];
    while let Some(nodes) = work.pop() {
        let present: BTreeSet<usize> = nodes.iter().copied().collect();
        let successors = |at: usize| {
            let inside: Vec<usize> = cfg.successors(at).filter(|to| present.contains(to)).collect();
            inside.into_iter()
        };
        for part in components(cfg.len(), &nodes, successors) {
            if part.len() == 1 && !cfg.successors(part[0]).any(|to| to == part[0]) {
                continue;
            }
            let part: BTreeSet<usize> = part.into_iter().collect();
            let is_entry =
                |at: &usize| *at == 0 || predecessors[*at].iter().any(|from| !part.contains(from));
            let entries: Vec<usize> = part.iter().copied().filter(is_entry).collect();
            let Some(&first) = entries.first() else { continue };
            work.push(part.iter().copied().filter(|&at| at != first).collect());
            found.push(Loop { nodes: part, entries });
        }
    }
    found
}

const STATIC: SymbolKind =
    SymbolKind::Static { init: StaticInit::Data(Vec::new()), thread_local: false };

/// A variable that no source has.
fn ghost(program: &mut Program, what: &str, ty: TypeId, kind: SymbolKind) -> SymbolId {
    let name = format!("recurrence::{what}@{}", program.symbols.len());
    let align = program.types.align_of(ty, &program.machine);
    program.add_symbol(Symbol {
        name,
        display: String::new(),
        ty,
        kind,
        span: Span::DUMMY,
        align,
        writable: true,
    })
}

/// The variables that all loops share: whether a state was saved, and the choice to save one.
struct Shared {
    busy: ExprId,
    choice: ExprId,
}

/// A plan with its variables.
struct Instance<'a> {
    plan: &'a Plan,
    /// True if the state of this run of the loop was saved.
    saved: ExprId,
    /// A flag that is true in the call whose state was saved, for a function that calls itself.
    mine: Option<SymbolId>,
    comparison: Comparison,
    /// Where control comes from outside.
    entry: LabelId,
}

/// Puts the claims into a function.
fn weave(program: &mut Program, function: FunctionId, plans: &[Plan], shared: &Shared) {
    let Some(body) = program.functions[function].body.take() else { return };
    let mut out = FunctionBuilder::continuing(program.functions[function].n_labels, 2 * body.len());
    let bool = program.types.bool();
    let no = program.bool(false);
    let mut instances = Vec::new();
    for plan in plans {
        out.set_span(plan.span);
        let local = SymbolKind::Local(function);
        let (saved, mine) = match plan.head {
            Some(_) => (ghost(program, "saved", bool, local), None),
            None => {
                (ghost(program, "saved", bool, STATIC), Some(ghost(program, "mine", bool, local)))
            }
        };
        let own = mine.unwrap_or(saved);
        out.decl(own);
        let place = program.symbol(own);
        out.assign(place, no);
        instances.push(Instance {
            plan,
            saved: program.symbol(saved),
            mine,
            comparison: comparison(program, &plan.parts),
            entry: out.new_label(),
        });
    }
    for instance in instances.iter().filter(|instance| instance.plan.head.is_none()) {
        look(program, &mut out, instance, shared);
    }
    let falls_off = body.last().is_none_or(|last| last.kind.falls_through());
    let heads: BTreeMap<LabelId, usize> = instances
        .iter()
        .enumerate()
        .filter_map(|(number, instance)| match body[instance.plan.head?].kind {
            InstrKind::Label(label) => Some((label, number)),
            _ => None,
        })
        .collect();
    let mut falls_from = None;
    for (at, mut instr) in body.into_iter().enumerate() {
        match &mut instr.kind {
            InstrKind::Label(label) if heads.contains_key(label) => {
                let instance = &instances[heads[label]];
                out.set_span(instance.plan.span);
                if falls_from.is_some_and(|from| instance.plan.nodes.contains(&from)) {
                    out.goto(*label);
                }
                out.label(instance.entry);
                out.assign(instance.saved, no);
                out.push_instr(instr);
                look(program, &mut out, instance, shared);
                falls_from = Some(at);
                continue;
            }
            InstrKind::Goto(_, label) => {
                if let Some(&number) = heads.get(label)
                    && !instances[number].plan.nodes.contains(&at)
                {
                    *label = instances[number].entry;
                }
            }
            InstrKind::Return(_) => leave(program, &mut out, &instances),
            _ => {}
        }
        falls_from = instr.kind.falls_through().then_some(at);
        out.push_instr(instr);
    }
    if falls_off {
        leave(program, &mut out, &instances);
    }
    out.finish(program, function);
}

/// Forgets the state of a call that ends.
fn leave(program: &mut Program, out: &mut FunctionBuilder, instances: &[Instance<'_>]) {
    for instance in instances {
        let Some(mine) = instance.mine else { continue };
        let after = out.new_label();
        let mine = program.symbol(mine);
        let (others, no) = (program.not(mine), program.bool(false));
        out.goto_if(others, after);
        out.assign(instance.saved, no);
        out.label(after);
    }
}

/// Saves the state, or claims that it is not the one that was saved.
fn look(
    program: &mut Program,
    out: &mut FunctionBuilder,
    instance: &Instance<'_>,
    shared: &Shared,
) {
    out.set_span(instance.plan.span);
    let (compare, done) = (out.new_label(), out.new_label());
    let yes = program.bool(true);
    let comparison = &instance.comparison;
    if let Some(guard) = comparison.guard {
        let unsafe_to_read = program.not(guard);
        out.goto_if(unsafe_to_read, done);
    }
    out.goto_if(instance.saved, compare);
    out.goto_if(shared.busy, done);
    let (bool, choice) = (program.types.bool(), shared.choice);
    let any = program.nondet(bool);
    out.assign(choice, any);
    let declined = program.not(choice);
    out.goto_if(declined, done);
    out.assign(shared.busy, yes);
    out.assign(instance.saved, yes);
    if let Some(mine) = instance.mine {
        let mine = program.symbol(mine);
        out.assign(mine, yes);
    }
    comparison.save(out);
    out.goto(done);
    out.label(compare);
    let same = comparison.compare(program, out, done);
    let differs = program.not(same);
    let description = match instance.mine {
        None => "no state of the loop recurs",
        Some(_) => "no state of the function recurs in its own calls",
    };
    out.assert(differs, Claim::new(PROPERTY, description));
    out.label(done);
}

//! Which local pointers may be read before anything is assigned to them.
//!
//! Forward over the blocks of a function: a variable is without a value from its declaration to an assignment, and joins
//! keep what one side has. Only variables that no pointer leads to are looked at.

use crate::cfg::Cfg;
use cranelift_entity::EntityRef;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Function, InstrKind, Program, SymbolId};
use vergo_goto::rewrite::Role;
use vergo_goto::types::Type;

/// The pointers among the local variables of a function that are assigned before they are read.
pub(super) fn assigned_first(
    program: &Program,
    function: &Function,
    addressed: &FxHashSet<SymbolId>,
) -> Vec<SymbolId> {
    let body = function.body.as_deref().unwrap_or_default();
    let mut numbers: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let mut symbols = Vec::new();
    for instr in body {
        if let InstrKind::Decl(symbol) = instr.kind
            && !addressed.contains(&symbol)
            && matches!(program.types.get(program.symbols[symbol].ty), Type::Ptr(_))
            && !numbers.contains_key(&symbol)
        {
            numbers.insert(symbol, symbols.len());
            symbols.push(symbol);
        }
    }
    if symbols.is_empty() {
        return symbols;
    }
    let cfg = Cfg::of(function);
    let leaders = cfg.leaders();
    let mut blocks = vec![usize::MAX; body.len()];
    leaders.iter().enumerate().for_each(|(i, &leader)| blocks[leader] = i);
    let n_words = symbols.len().div_ceil(64);
    let mut before: Vec<Option<Vec<u64>>> = vec![None; leaders.len()];
    let mut read = vec![false; symbols.len()];
    before[0] = Some(vec![0; n_words]);
    let mut pending = vec![0];
    while let Some(block) = pending.pop() {
        let Some(mut open) = before[block].clone() else { continue };
        let end = cfg.block_end(&leaders, block);
        for instr in &body[leaders[block]..end] {
            instr.kind.for_each_expr(|expr, role| match (role, program.exprs.kind(expr)) {
                (Role::Write, ExprKind::Symbol(symbol)) => {
                    if let Some(&i) = numbers.get(symbol) {
                        open[i / 64] &= !(1 << (i % 64));
                    }
                }
                _ => for_each_variable(program, expr, |symbol| {
                    if let Some(&i) = numbers.get(&symbol)
                        && open[i / 64] & (1 << (i % 64)) != 0
                    {
                        read[i] = true;
                    }
                }),
            });
            if let InstrKind::Decl(symbol) | InstrKind::Dead(symbol) = instr.kind
                && let Some(&i) = numbers.get(&symbol)
            {
                open[i / 64] |= 1 << (i % 64);
            }
        }
        for to in cfg.successors(end - 1).filter(|&to| to < body.len()) {
            let to = blocks[to];
            let changed = match &mut before[to] {
                Some(there) => {
                    let mut changed = false;
                    for (there, &here) in there.iter_mut().zip(&open) {
                        changed |= here & !*there != 0;
                        *there |= here;
                    }
                    changed
                }
                empty => {
                    *empty = Some(open.clone());
                    true
                }
            };
            if changed {
                pending.push(to);
            }
        }
    }
    let assigned = symbols.iter().zip(read).filter(|(_, read)| !read);
    assigned.map(|(&symbol, _)| symbol).collect()
}

/// Calls a function with each variable in an expression.
fn for_each_variable(program: &Program, expr: ExprId, mut f: impl FnMut(SymbolId)) {
    let mut pending = vec![expr];
    let mut n_visited = 0usize;
    let mut seen = FxHashSet::default();
    while let Some(expr) = pending.pop() {
        n_visited += 1;
        // Small expressions are walked as trees; sharing matters only in large ones.
        if n_visited > 32 && !seen.insert(expr.index()) {
            continue;
        }
        match program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) => f(*symbol),
            kind => kind.for_each_child(|child| pending.push(child)),
        }
    }
}

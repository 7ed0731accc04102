//! Makes strands simpler for those who look for invariants: what nobody reads is not stored, and local variables whose address nobody takes
//! live all the time.

use super::strands::sections;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{InitPart, Instr, InstrKind, Program, StaticInit, SymbolId, SymbolKind};
use vergo_goto::rewrite::Role;
use vergo_goto::types::Type;

/// Rounds of removal at most: what is read by a store that goes may be read by nobody then.
const ROUNDS: usize = 8;

/// Makes them simpler.
pub(super) fn tidy(program: &mut Program, bodies: &mut [Vec<Instr>]) -> Result<(), String> {
    for body in bodies.iter_mut() {
        // Jumps and what they skip stay, since starts are known by their positions.
        let reached = sections(body, &|_| false)?;
        for (instr, reached) in body.iter_mut().zip(reached) {
            if reached.is_none() && !matches!(instr.kind, InstrKind::Label(_)) {
                instr.kind = InstrKind::Skip;
            }
        }
    }
    for _ in 0..ROUNDS {
        let Uses { read, taken } = Uses::of(program, bodies);
        let is_dead = |symbol: SymbolId| !read.contains(&symbol) && !taken.contains(&symbol);
        let mut changed = false;
        for instr in bodies.iter_mut().flatten() {
            if let InstrKind::Assign(place, _) = instr.kind
                && program.root_variable(place).is_some_and(is_dead)
            {
                instr.kind = InstrKind::Skip;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let Uses { taken, .. } = Uses::of(program, bodies);
    let mut lives: BTreeMap<SymbolId, bool> = BTreeMap::new();
    for instr in bodies.iter().flatten() {
        if let InstrKind::Decl(symbol) = instr.kind {
            let info = &program.symbols[symbol];
            let is_scalar = matches!(
                program.types.get(info.ty),
                Type::Int { .. } | Type::Ptr(_) | Type::Bool | Type::Float(_)
            );
            lives.insert(symbol, is_scalar && !taken.contains(&symbol));
        }
    }
    for body in bodies.iter_mut() {
        for at in 0..body.len() {
            let (InstrKind::Decl(symbol) | InstrKind::Dead(symbol)) = body[at].kind else {
                continue;
            };
            if lives.get(&symbol) != Some(&true) {
                continue;
            }
            let is_decl = matches!(body[at].kind, InstrKind::Decl(_));
            let is_set = body.get(at + 1).is_some_and(|next| sets(program, &next.kind, symbol));
            body[at].kind = InstrKind::Skip;
            if is_decl && !is_set {
                let ty = program.symbols[symbol].ty;
                let (place, any) = (program.symbol(symbol), program.nondet(ty));
                body[at].kind = InstrKind::Assign(place, any);
            }
        }
    }
    for (symbol, _) in lives.into_iter().filter(|(_, all)| *all) {
        let init = StaticInit::Data(Vec::new());
        program.symbols[symbol].kind = SymbolKind::Static { init, thread_local: false };
        program.symbols[symbol].writable = true;
    }
    Ok(())
}

/// Checks whether an instruction sets a variable without reading it.
fn sets(program: &Program, instr: &InstrKind, symbol: SymbolId) -> bool {
    let InstrKind::Assign(place, value) = *instr else { return false };
    let mut reads = false;
    program.for_each_subexpr(value, |part| {
        reads |= *program.exprs.kind(part) == ExprKind::Symbol(symbol);
    });
    *program.exprs.kind(place) == ExprKind::Symbol(symbol) && !reads
}

/// The variables that are read, and those whose address is taken.
#[derive(Default)]
struct Uses {
    read: FxHashSet<SymbolId>,
    taken: FxHashSet<SymbolId>,
}

impl Uses {
    fn of(program: &Program, bodies: &[Vec<Instr>]) -> Uses {
        let mut uses = Uses::default();
        for info in program.symbols.values() {
            if let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &info.kind {
                for part in parts {
                    if let InitPart::Value { value, .. } = part {
                        uses.value(program, *value, None);
                    }
                }
            }
        }
        for instr in bodies.iter().flatten() {
            // Who computes its own next value only is read by nobody.
            let own = match instr.kind {
                InstrKind::Assign(place, _) => program.root_variable(place),
                _ => None,
            };
            instr.kind.for_each_expr(|expr, role| match role {
                Role::Read => uses.value(program, expr, own),
                Role::Write => uses.place(program, expr, own),
            });
        }
        uses
    }

    /// The uses in a place that is written.
    fn place(&mut self, program: &Program, mut place: ExprId, own: Option<SymbolId>) {
        loop {
            match *program.exprs.kind(place) {
                ExprKind::Member(base, _) => place = base,
                ExprKind::Index(base, index) => {
                    self.value(program, index, own);
                    place = base;
                }
                ExprKind::Deref(pointer) => return self.value(program, pointer, own),
                _ => return,
            }
        }
    }

    fn value(&mut self, program: &Program, expr: ExprId, own: Option<SymbolId>) {
        program.for_each_subexpr(expr, |part| match *program.exprs.kind(part) {
            ExprKind::Symbol(symbol) if Some(symbol) != own => drop(self.read.insert(symbol)),
            ExprKind::AddressOf(place) => {
                self.taken.extend(program.root_variable(place));
            }
            _ => {}
        });
    }
}

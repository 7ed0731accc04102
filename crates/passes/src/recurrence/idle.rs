//! Variables that a loop carries along without looking at them, such as counters that nobody tests.
//!
//! What such a variable holds decides neither where control goes nor what other variables hold, nor can it make an operation
//! fail: it is read only to compute variables of the same kind. A loop that is in one state twice but for them can go
//! on for ever all the same, since every choice in between can be made again.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::EntitySet;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{InstrKind, Program, SymbolId};
use vergo_goto::rewrite::Role;

/// The variables that some instructions only carry along. Those that can be accessed through pointers are never among them.
pub(super) fn idle<'a>(
    program: &Program,
    instrs: impl Iterator<Item = &'a InstrKind>,
    addressed: &EntitySet<SymbolId>,
) -> BTreeSet<SymbolId> {
    // For each variable, those that are computed with it.
    let mut flows: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
    let mut needed = BTreeSet::new();
    for instr in instrs {
        let target = match instr {
            InstrKind::Assign(place, _) => {
                program.root_variable(*place).filter(|&symbol| !addressed.contains(symbol))
            }
            _ => None,
        };
        let mut reads = Reads::default();
        instr.for_each_expr(|expr, role| match role {
            Role::Read => reads.value(program, expr, false),
            Role::Write => reads.place(program, expr),
        });
        needed.extend(reads.risky);
        match target {
            Some(target) => {
                for source in reads.plain {
                    flows.entry(source).or_default().insert(target);
                }
                flows.entry(target).or_default();
            }
            None => needed.extend(reads.plain),
        }
    }
    let mut sources: BTreeMap<SymbolId, Vec<SymbolId>> = BTreeMap::new();
    for (&source, targets) in &flows {
        targets.iter().for_each(|&target| sources.entry(target).or_default().push(source));
    }
    let mut work: Vec<SymbolId> = needed.iter().copied().collect();
    while let Some(symbol) = work.pop() {
        for &source in sources.get(&symbol).into_iter().flatten() {
            if needed.insert(source) {
                work.push(source);
            }
        }
    }
    let all = flows.into_keys().filter(|symbol| !addressed.contains(*symbol));
    all.filter(|symbol| !needed.contains(symbol)).collect()
}

/// The variables that an instruction reads: those whose value goes only into what is computed, and those that can make an
/// operation fail.
#[derive(Default)]
struct Reads {
    plain: BTreeSet<SymbolId>,
    risky: BTreeSet<SymbolId>,
}

impl Reads {
    /// A place that is written: the variable itself is not read, but what finds the place is.
    fn place(&mut self, program: &Program, place: ExprId) {
        match *program.exprs.kind(place) {
            ExprKind::Symbol(_) => {}
            ExprKind::Member(base, _) => self.place(program, base),
            ExprKind::Index(base, index) => {
                self.place(program, base);
                self.value(program, index, true);
            }
            _ => self.value(program, place, true),
        }
    }

    fn value(&mut self, program: &Program, expr: ExprId, risky: bool) {
        let mut work = vec![(expr, risky)];
        while let Some((expr, risky)) = work.pop() {
            match program.exprs.kind(expr) {
                ExprKind::Symbol(symbol) => {
                    let set = if risky { &mut self.risky } else { &mut self.plain };
                    set.insert(*symbol);
                }
                ExprKind::Deref(pointer) => work.push((*pointer, true)),
                ExprKind::Index(base, index) => work.extend([(*base, risky), (*index, true)]),
                ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, left, right) => {
                    // Not only zero: the least number by -1 has no result.
                    work.extend([(*left, true), (*right, true)]);
                }
                kind @ ExprKind::Memory(..) => {
                    kind.for_each_child(|child| work.push((child, true)))
                }
                kind => kind.for_each_child(|child| work.push((child, risky))),
            }
        }
    }
}

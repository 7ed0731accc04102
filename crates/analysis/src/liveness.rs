//! Which variables a function may still read, by name.
//!
//! The classical backward analysis on blocks. A use is any mention in an expression that is evaluated, the address
//! included; an assignment to the whole variable, its declaration and its death end its interest in what it held before.
//! Accesses through pointers are not seen: what a live variable can lead to has to be kept by whoever asks. What
//! goes out of the program (output and the exit status) is no use, since no claim depends on it.

use crate::cfg::Cfg;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{Exit, FunctionId, InstrKind, Intrinsic, Program, SymbolId, SymbolKind};

/// The variables that are live at the beginnings of blocks.
#[derive(Clone, Debug)]
pub struct Liveness {
    at: BTreeMap<usize, FxHashSet<SymbolId>>,
}

impl Liveness {
    /// Analyses a function.
    pub fn of(program: &Program, function: FunctionId, cfg: &Cfg) -> Liveness {
        let body = program.functions[function].body.as_deref().unwrap_or_default();
        let mut uses = Uses { program, memo: FxHashMap::default() };
        let leaders = cfg.leaders();
        let mut at: BTreeMap<usize, FxHashSet<SymbolId>> =
            leaders.iter().map(|&leader| (leader, FxHashSet::default())).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (i, &leader) in leaders.iter().enumerate().rev() {
                let end = cfg.block_end(&leaders, i);
                let mut live = FxHashSet::default();
                for to in cfg.successors(end - 1) {
                    if let Some(there) = at.get(&to) {
                        live.extend(there.iter().copied());
                    }
                }
                for instr in body[leader..end].iter().rev() {
                    uses.before(&instr.kind, &mut live);
                }
                if live.len() > at[&leader].len() {
                    changed = true;
                    at.insert(leader, live);
                }
            }
        }
        Liveness { at }
    }

    /// Returns whether a variable may be read from a position on, which must begin a block.
    pub fn is_live(&self, at: usize, symbol: SymbolId) -> bool {
        self.at.get(&at).is_none_or(|live| live.contains(&symbol))
    }
}

/// The variables in expressions.
struct Uses<'a> {
    program: &'a Program,
    memo: FxHashMap<ExprId, Rc<[SymbolId]>>,
}

impl Uses<'_> {
    /// From what is live after an instruction to what is live before it.
    fn before(&mut self, instr: &InstrKind, live: &mut FxHashSet<SymbolId>) {
        match instr {
            InstrKind::Assign(place, value) => {
                self.write(*place, live);
                self.read(*value, live);
            }
            InstrKind::Assume(cond) | InstrKind::Assert(cond, _) => self.read(*cond, live),
            InstrKind::Goto(cond, _) => cond.iter().for_each(|&cond| self.read(cond, live)),
            InstrKind::Call { dest, callee, args } => {
                dest.iter().for_each(|&dest| self.write(dest, live));
                if let vergo_goto::program::Callee::Indirect(pointer) = callee {
                    self.read(*pointer, live);
                }
                args.iter().for_each(|&arg| self.read(arg, live));
                self.read_statics(live);
            }
            InstrKind::Return(value) => value.iter().for_each(|&value| self.read(value, live)),
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                live.remove(symbol);
            }
            InstrKind::Alloc { dest, size, .. } => {
                self.write(*dest, live);
                self.read(*size, live);
            }
            InstrKind::Free(pointer, _) => self.read(*pointer, live),
            InstrKind::Spawn { dest, arg, .. } => {
                dest.iter().for_each(|&dest| self.write(dest, live));
                self.read(*arg, live);
                self.read_statics(live);
            }
            InstrKind::Join { thread, dest } => {
                dest.iter().for_each(|&dest| self.write(dest, live));
                self.read(*thread, live);
                self.read_statics(live);
            }
            InstrKind::Intrinsic { op, dest, args } => {
                dest.iter().for_each(|&dest| self.write(dest, live));
                match op {
                    Intrinsic::Write
                    | Intrinsic::Print
                    | Intrinsic::Time
                    | Intrinsic::Thread
                    | Intrinsic::Choose
                    | Intrinsic::Order
                    | Intrinsic::Approximation => {}
                    _ => args.iter().for_each(|&arg| self.read(arg, live)),
                }
            }
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::End(Exit::Status(_) | Exit::Abort)
            | InstrKind::Unsupported(_) => {}
        }
    }

    /// A write ends the interest in the whole variable, or reads what is needed to find the place.
    fn write(&mut self, place: ExprId, live: &mut FxHashSet<SymbolId>) {
        match *self.program.exprs.kind(place) {
            ExprKind::Symbol(symbol) => {
                live.remove(&symbol);
            }
            _ => self.read(place, live),
        }
    }

    fn read(&mut self, expr: ExprId, live: &mut FxHashSet<SymbolId>) {
        live.extend(self.of(expr).iter().copied());
    }

    fn read_statics(&self, live: &mut FxHashSet<SymbolId>) {
        let is_static = |symbol: &SymbolId| {
            matches!(self.program.symbols[*symbol].kind, SymbolKind::Static { .. })
        };
        live.extend(self.program.symbols.keys().filter(is_static));
    }

    /// The variables in an expression.
    fn of(&mut self, expr: ExprId) -> Rc<[SymbolId]> {
        if let Some(known) = self.memo.get(&expr) {
            return Rc::clone(known);
        }
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match self.program.exprs.kind(expr) {
                ExprKind::Symbol(symbol) => {
                    found.insert(*symbol);
                }
                ExprKind::Memory(MemoryOp::HeapReachable, _) => {
                    // Any variable may hold the only pointer to an object.
                    found.extend(self.program.symbols.keys());
                }
                kind => kind.for_each_child(|child| pending.push(child)),
            }
        }
        let mut found: Vec<SymbolId> = found.into_iter().collect();
        found.sort_unstable();
        let found: Rc<[SymbolId]> = found.into();
        self.memo.insert(expr, Rc::clone(&found));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_reaches_does_not_end_a_loop() {
        let program = vergo_goto::text::parse(
            "entry main; function main: fn() -> void labels 2 {
               local x: i32 align 4; local y: i32 align 4; decl x; decl y; x := 1i32;
               L0: if y == 7i32 goto L1; y := x; goto L0;
               L1: y := 0i32; goto L0; dead x; end 0i32; }",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        let main = program.function_named("main").expect("it is there");
        let cfg = Cfg::of(&program.functions[main]);
        let liveness = Liveness::of(&program, main, &cfg);
        let named = |name: &str| program.symbols.iter().find(|(_, symbol)| symbol.name == name);
        for &head in &cfg.loop_heads() {
            for name in ["x", "y"] {
                let (symbol, _) = named(name).expect("it is there");
                assert!(liveness.is_live(head, symbol), "{name}");
            }
        }
        // From the second block on, too, which code follows that nobody reaches.
        let (symbol, _) = named("x").expect("it is there");
        let second = *cfg.leaders().last().expect("there are blocks");
        assert!(liveness.is_live(second, symbol));
    }
}

//! Removes what control cannot reach: instructions after a jump that no label leads to, and the bodies of functions
//! that nobody calls or takes the address of.

use crate::Options;
use cranelift_entity::{EntityRef, EntitySet};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Callee, FunctionId, InitPart, Instr, InstrKind, Program, StaticInit, SymbolId, SymbolKind};

/// The pass.
pub fn run(program: &mut Program, _: &Options) {
    for function in program.functions.values_mut() {
        let n_labels = function.n_labels as usize;
        if let Some(body) = &mut function.body {
            remove_unreachable(body, n_labels);
        }
    }
    let Some(entry) = program.entry else { return };
    let used = used_functions(program, entry);
    for (id, function) in program.functions.iter_mut() {
        if !used.contains(id) {
            function.body = None;
        }
    }
}

fn remove_unreachable(body: &mut Vec<Instr>, n_labels: usize) {
    let mut position = vec![None; n_labels];
    for (i, instr) in body.iter().enumerate() {
        if let InstrKind::Label(label) = instr.kind {
            position[label.index()] = Some(i);
        }
    }
    let mut reached = vec![false; body.len()];
    let mut todo = vec![0];
    while let Some(mut i) = todo.pop() {
        while i < body.len() && !reached[i] {
            reached[i] = true;
            if let InstrKind::Goto(_, label) = body[i].kind {
                todo.extend(position[label.index()]);
            }
            if !body[i].kind.falls_through() {
                break;
            }
            i += 1;
        }
    }
    let mut reached = reached.into_iter();
    body.retain(|_| reached.next().unwrap_or(true));
}

/// The functions that can run, from what the reachable ones mention.
fn used_functions(program: &Program, entry: FunctionId) -> EntitySet<FunctionId> {
    let mut uses = Uses { program, functions: vec![entry], used: EntitySet::new(), seen: EntitySet::new(), symbols: EntitySet::new() };
    uses.used.insert(entry);
    while let Some(function) = uses.functions.pop() {
        for instr in program.functions[function].body.iter().flatten() {
            if let InstrKind::Call { callee: Callee::Direct(callee), .. }
            | InstrKind::Spawn { callee: Callee::Direct(callee), .. } = instr.kind
            {
                uses.function(callee);
            }
            instr.kind.for_each_expr(|expr, _| uses.expr(expr));
        }
    }
    uses.used
}

struct Uses<'a> {
    program: &'a Program,
    functions: Vec<FunctionId>,
    used: EntitySet<FunctionId>,
    seen: EntitySet<ExprId>,
    symbols: EntitySet<SymbolId>,
}

impl Uses<'_> {
    fn function(&mut self, function: FunctionId) {
        if self.used.insert(function) {
            self.functions.push(function);
        }
    }

    fn expr(&mut self, root: ExprId) {
        let mut todo = vec![root];
        while let Some(expr) = todo.pop() {
            if !self.seen.insert(expr) {
                continue;
            }
            let kind = self.program.exprs.kind(expr);
            match kind {
                ExprKind::Function(function) => self.function(*function),
                // A variable's first value can hold addresses of functions.
                ExprKind::Symbol(symbol) if self.symbols.insert(*symbol) => {
                    if let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &self.program.symbols[*symbol].kind {
                        todo.extend(parts.iter().filter_map(|part| match part {
                            InitPart::Value { value, .. } => Some(*value),
                            InitPart::Bytes { .. } => None,
                        }));
                    }
                }
                _ => {}
            }
            kind.for_each_child(|child| todo.push(child));
        }
    }
}

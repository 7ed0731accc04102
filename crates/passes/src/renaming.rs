//! Names for a copy of instructions: its own variables, labels and choices.

use rustc_hash::FxHashMap;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Instr, InstrKind, LabelId, Program, SymbolId};
use vergo_goto::rewrite::ExprMap;

/// The new names of a function's symbols and labels in a copy of its body.
#[derive(Default)]
pub struct Renaming {
    /// Variables; others stay.
    pub symbols: FxHashMap<SymbolId, SymbolId>,
    /// Labels; others get new ones.
    pub labels: FxHashMap<LabelId, LabelId>,
    exprs: ExprMap,
}

impl Renaming {
    /// A renaming of variables.
    pub fn of(symbols: FxHashMap<SymbolId, SymbolId>) -> Renaming {
        Renaming { symbols, labels: FxHashMap::default(), exprs: ExprMap::new() }
    }

    /// An expression under the new names.
    pub fn expr(&mut self, program: &mut Program, expr: ExprId) -> ExprId {
        let symbols = &self.symbols;
        self.exprs.map(program, expr, &mut |program, expr| match *program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) => match symbols.get(&symbol) {
                Some(&copy) => program.symbol(copy),
                None => expr,
            },
            // Each copy of a site makes its own choices.
            ExprKind::Nondet(_) => program.nondet(program.exprs.ty(expr)),
            _ => expr,
        })
    }

    /// Puts an instruction under the new names.
    pub fn instr(&mut self, program: &mut Program, out: &mut FunctionBuilder, instr: &mut Instr) {
        instr.kind.map_exprs(|expr, _| self.expr(program, expr));
        for (expr, _) in &mut instr.parts {
            *expr = self.expr(program, *expr);
        }
        match &mut instr.kind {
            InstrKind::Label(label) | InstrKind::Goto(_, label) => {
                *label = *self.labels.entry(*label).or_insert_with(|| out.new_label());
            }
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                if let Some(&copy) = self.symbols.get(symbol) {
                    *symbol = copy;
                }
            }
            _ => {}
        }
    }
}

//! Which variable a name of the source means at a loop head, and which cut points are the same loop of the source.
//!
//! A local variable is in scope where it has been declared and is not dead: lowering ends the life of a variable on every
//! way out of its block. Inlining makes several copies of a loop, so that what is said of a loop of the source has to
//! hold at all of them.

use crate::encode::Encoded;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use vergo_analysis::cfg::Cfg;
use vergo_goto::program::{FunctionId, InstrKind, SymbolId, SymbolKind};
use vergo_source::Span;

/// A loop of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLoop {
    /// The loop.
    pub span: Span,
    /// The function of the original program that it is in.
    pub function: Option<FunctionId>,
    /// The cut points that are heads of it, one for each copy.
    pub points: Vec<usize>,
}

impl Encoded {
    /// The loops of the source whose copies are all cut, in the order of the points: what holds at their cut points holds
    /// whenever the loop's head is reached.
    pub fn source_loops(&self) -> Vec<SourceLoop> {
        let mut loops: Vec<SourceLoop> = Vec::new();
        let mut index: BTreeMap<Span, usize> = BTreeMap::new();
        for (number, point) in self.points.iter().enumerate() {
            if point.position.is_none() || self.uncut.contains(&point.span) {
                continue;
            }
            let at = *index.entry(point.span).or_insert(loops.len());
            if at == loops.len() {
                let (span, function) = (point.span, point.function);
                loops.push(SourceLoop { span, function, points: Vec::new() });
            }
            loops[at].points.push(number);
        }
        loops
    }

    /// Returns the variable that each name of the source means at a cut point, for names that mean one variable there.
    pub(crate) fn visible(&self, point: usize) -> FxHashMap<&str, SymbolId> {
        let function = self.points[point].function;
        let alive = &self.alive.get_or_init(|| self.alive())[point];
        let mut named: BTreeMap<&str, Vec<SymbolId>> = BTreeMap::new();
        let mut globals: BTreeMap<&str, Vec<SymbolId>> = BTreeMap::new();
        for (id, symbol) in self.program.symbols.iter() {
            if symbol.display.is_empty() {
                continue;
            }
            match symbol.kind {
                // A name is not known before its declaration.
                SymbolKind::Static { .. } if symbol.name == symbol.display => {
                    if symbol.span.lo > self.points[point].span.lo {
                        continue;
                    }
                    globals.entry(&symbol.display).or_default().push(id);
                }
                // Static variables of functions, whose block is not known, hide others of their name.
                SymbolKind::Static { .. } => {
                    named.entry(&symbol.display).or_default().extend([id, id]);
                }
                _ if self.owners.get(&id).copied() == function && alive.contains(&id) => {
                    named.entry(&symbol.display).or_default().push(id);
                }
                _ => {}
            }
        }
        for (name, symbols) in globals {
            named.entry(name).or_insert(symbols);
        }
        named
            .into_iter()
            .filter_map(|(name, symbols)| match symbols[..] {
                [one] => Some((name, one)),
                _ => None,
            })
            .collect()
    }

    /// For each cut point, the local variables that are declared, and not dead, on some way to it.
    fn alive(&self) -> Vec<FxHashSet<SymbolId>> {
        let mut alive = vec![FxHashSet::default(); self.points.len()];
        let Some(entry) = self.program.entry else { return alive };
        let function = &self.program.functions[entry];
        let body = function.body.as_deref().unwrap_or_default();
        let cfg = Cfg::of(function);
        let mut points: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (number, point) in self.points.iter().enumerate() {
            if let Some(at) = point.position {
                points.entry(at).or_default().push(number);
            }
        }
        let mut declared: BTreeMap<SymbolId, Vec<usize>> = BTreeMap::new();
        for (at, instr) in body.iter().enumerate() {
            if let InstrKind::Decl(symbol) = instr.kind
                && !self.program.symbols[symbol].display.is_empty()
                && cfg.is_reachable(at)
            {
                declared.entry(symbol).or_default().push(at);
            }
        }
        let mut seen = vec![None; body.len()];
        for (symbol, mut pending) in declared {
            while let Some(at) = pending.pop() {
                if at >= body.len() || seen[at].replace(symbol) == Some(symbol) {
                    continue;
                }
                for &point in points.get(&at).into_iter().flatten() {
                    alive[point].insert(symbol);
                }
                if !matches!(body[at].kind, InstrKind::Dead(other) if other == symbol) {
                    pending.extend(cfg.successors(at));
                }
            }
        }
        alive
    }
}

//! From where a claim can still be reached, through calls and returns, without regard to who called.

use super::{callees, is_claim};
use cranelift_entity::{EntitySet, SecondaryMap};
use vergo_analysis::callgraph::CallGraph;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::points_to::PointsTo;
use vergo_goto::program::{FunctionId, InstrKind, Program};

/// The functions from which claims can be reached.
pub(super) struct Reach<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// A claim can be reached while the function runs.
    inside: EntitySet<FunctionId>,
    /// A claim can be reached when it has returned.
    behind: EntitySet<FunctionId>,
}

impl<'a> Reach<'a> {
    pub(super) fn of(program: &'a Program, points_to: &'a PointsTo, graph: &CallGraph) -> Reach<'a> {
        let mut reach =
            Reach { program, points_to, inside: EntitySet::new(), behind: EntitySet::new() };
        let functions: Vec<FunctionId> = graph.bottom_up().iter().flatten().copied().collect();
        let mut callers: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        let mut pending = Vec::new();
        for &function in &functions {
            for &callee in graph.callees(function) {
                callers[callee].push(function);
            }
            let mut body = program.functions[function].body.iter().flatten();
            if body.any(|instr| is_claim(program, &instr.kind)) {
                pending.push(function);
            }
        }
        while let Some(function) = pending.pop() {
            if reach.inside.insert(function) {
                pending.extend(&callers[function]);
            }
        }
        // For each function the calls behind which a claim comes in it, and those behind which its end comes.
        let mut to_end: SecondaryMap<FunctionId, Vec<FunctionId>> = SecondaryMap::new();
        for &function in &functions {
            let cfg = Cfg::of(&program.functions[function]);
            let (claims, ends) = (reach.within(function, &cfg, false), reach.within(function, &cfg, true));
            let body = program.functions[function].body.as_deref().unwrap_or_default();
            for (at, instr) in body.iter().enumerate() {
                if let InstrKind::Call { callee, .. } = instr.kind {
                    let next = |set: &[bool]| cfg.successors(at).any(|to| set.get(to).copied().unwrap_or(false));
                    // Falling off the end is a return.
                    let is_last = at + 1 == cfg.len();
                    for callee in callees(points_to, callee) {
                        if next(&claims) {
                            pending.push(callee);
                        }
                        if is_last || next(&ends) {
                            to_end[function].push(callee);
                        }
                    }
                }
            }
        }
        while let Some(function) = pending.pop() {
            if reach.behind.insert(function) {
                pending.extend(&to_end[function]);
            }
        }
        reach
    }

    /// Returns, for each position of a function, whether it can lead to a claim.
    pub(super) fn of_function(&self, function: FunctionId, cfg: &Cfg) -> Vec<bool> {
        let mut leads = self.within(function, cfg, false);
        if self.behind.contains(function) {
            let ends = self.within(function, cfg, true);
            leads.iter_mut().zip(ends).for_each(|(leads, ends)| *leads |= ends);
        }
        leads
    }

    /// Returns, for each position, whether it leads to a claim without leaving the function, or to its end.
    fn within(&self, function: FunctionId, cfg: &Cfg, to_end: bool) -> Vec<bool> {
        let body = self.program.functions[function].body.as_deref().unwrap_or_default();
        let mut predecessors = vec![Vec::new(); body.len()];
        let mut pending = Vec::new();
        for (at, instr) in body.iter().enumerate().filter(|&(at, _)| cfg.is_reachable(at)) {
            let mut leaves = matches!(instr.kind, InstrKind::Return(_));
            for to in cfg.successors(at) {
                match predecessors.get_mut(to) {
                    Some(there) => there.push(at),
                    None => leaves = true,
                }
            }
            let goal = match to_end {
                true => leaves,
                false => match instr.kind {
                    InstrKind::Call { callee, .. } => callees(self.points_to, callee)
                        .into_iter()
                        .any(|callee| self.inside.contains(callee)),
                    ref kind => is_claim(self.program, kind),
                },
            };
            if goal {
                pending.push(at);
            }
        }
        let mut leads = vec![false; body.len()];
        while let Some(at) = pending.pop() {
            if !std::mem::replace(&mut leads[at], true) {
                pending.extend(&predecessors[at]);
            }
        }
        leads
    }
}

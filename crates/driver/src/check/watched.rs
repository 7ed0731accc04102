//! Whether every loop of an instrumented program is watched.
//!
//! That no state recurs at the heads of loops proves something about infinite executions only if each of them comes to
//! one head again and again while its saved state is kept. The automaton finds heads in the text of C; here it is checked
//! on the GOTO program, whose loops are all there are: every strongly connected part of jumps and calls that goes
//! through the user's own code has a head whose instance begins outside of the part, and without that head the same
//! holds of what is left of it. Loops of library models end, and so do those by which copies of arrays are compared, which
//! have a counter that begins outside of them.

use std::collections::{BTreeMap, BTreeSet};

use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Callee, FunctionId, InstrKind, LabelId, Program, SymbolId};
use vergo_passes::function_pointers::address_taken;
use vergo_source::Span;

use super::report::CheckReport;

impl CheckReport {
    /// A place in a loop of the instrumented program that is not watched, if there is one.
    pub(crate) fn unwatched_loop(&self) -> Option<Span> {
        Graph::of(&self.program).cycle()
    }
}

/// The instructions of a program, one number each.
struct Graph<'a> {
    program: &'a Program,
    /// The first number of each function with a body, in order.
    starts: Vec<(FunctionId, usize)>,
    successors: Vec<Vec<usize>>,
    /// Which instructions are tests of a head or of a counter, and which begin its instance.
    tests: Vec<Option<SymbolId>>,
    begins: Vec<Option<SymbolId>>,
}

impl Graph<'_> {
    fn of(program: &Program) -> Graph<'_> {
        let mut starts = Vec::new();
        let mut size = 0;
        for (id, function) in program.functions.iter() {
            if let Some(body) = &function.body {
                starts.push((id, size));
                size += body.len();
            }
        }
        let mut graph = Graph {
            program,
            starts,
            successors: vec![Vec::new(); size],
            tests: vec![None; size],
            begins: vec![None; size],
        };
        // A call through a pointer may go to every function whose address is taken anywhere.
        let by_pointer: Vec<usize> = address_taken(program)
            .into_iter()
            .filter_map(|function| graph.entry(function))
            .collect();
        for (function, start) in graph.starts.clone() {
            let Some(body) = &program.functions[function].body else { continue };
            let labels: BTreeMap<LabelId, usize> = body
                .iter()
                .enumerate()
                .filter_map(|(at, instr)| match instr.kind {
                    InstrKind::Label(label) => Some((label, start + at)),
                    _ => None,
                })
                .collect();
            for (at, instr) in body.iter().enumerate() {
                let node = start + at;
                let mut next = Vec::new();
                if at + 1 < body.len() {
                    next.push(node + 1);
                }
                match &instr.kind {
                    InstrKind::Goto(condition, label) => {
                        if condition.is_none() {
                            next.clear();
                        }
                        next.extend(labels.get(label));
                    }
                    InstrKind::Return(_) | InstrKind::End(_) => next.clear(),
                    InstrKind::Call { callee, .. } | InstrKind::Spawn { callee, .. } => {
                        match callee {
                            Callee::Direct(callee) => next.extend(graph.entry(*callee)),
                            Callee::Indirect(_) => next.extend(&by_pointer),
                        }
                    }
                    _ => {}
                }
                graph.successors[node] = next;
                match instr.kind {
                    InstrKind::Goto(Some(condition), _) => {
                        graph.tests[node] = watching(program, condition);
                    }
                    InstrKind::Decl(symbol) => {
                        let is_watching = is_watching_name(&program.symbols[symbol].display);
                        graph.begins[node] = is_watching.then_some(symbol);
                    }
                    InstrKind::Assign(place, value) if matches!(program.exprs.kind(value), ExprKind::Int(v) if v.is_zero()) =>
                    {
                        graph.begins[node] = watching(program, place);
                    }
                    _ => {}
                }
            }
        }
        graph
    }

    fn entry(&self, function: FunctionId) -> Option<usize> {
        let found = self.starts.binary_search_by_key(&function, |(id, _)| *id).ok()?;
        Some(self.starts[found].1)
    }

    /// The instruction of a number: its function and place.
    fn place(&self, node: usize) -> (FunctionId, Span) {
        let at = self.starts.partition_point(|(_, start)| *start <= node) - 1;
        let (function, start) = self.starts[at];
        let body = self.program.functions[function].body.as_deref().unwrap_or_default();
        (function, body.get(node - start).map_or(Span::DUMMY, |instr| instr.span))
    }

    /// A place in the user's code that an execution can come to for ever without coming to a head.
    fn cycle(&self) -> Option<Span> {
        let mut work: Vec<Vec<usize>> = vec![(0..self.successors.len()).collect()];
        while let Some(nodes) = work.pop() {
            for part in self.components(&nodes) {
                let inside: BTreeSet<usize> = part.iter().copied().collect();
                let begun: BTreeSet<SymbolId> =
                    part.iter().filter_map(|&node| self.begins[node]).collect();
                let is_head =
                    |node: &usize| self.tests[*node].is_some_and(|head| !begun.contains(&head));
                let rest: Vec<usize> =
                    inside.iter().copied().filter(|node| !is_head(node)).collect();
                if rest.len() < part.len() {
                    work.push(rest);
                } else if let Some(&node) = inside.iter().find(|&&node| self.is_users(node)) {
                    return Some(self.place(node).1);
                }
            }
        }
        None
    }

    fn is_users(&self, node: usize) -> bool {
        !self.program.functions[self.place(node).0].library
    }

    /// The strongly connected parts of some instructions that have a cycle, by Tarjan's algorithm without recursion.
    fn components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        let size = self.successors.len();
        let mut present = vec![false; size];
        nodes.iter().for_each(|&node| present[node] = true);
        let (mut index, mut low) = (vec![usize::MAX; size], vec![0; size]);
        let mut done = vec![false; size];
        let (mut stack, mut n_seen, mut found) = (Vec::new(), 0, Vec::new());
        for &root in nodes {
            if index[root] != usize::MAX {
                continue;
            }
            let mut path = vec![(root, 0)];
            while let Some((node, at)) = path.pop() {
                if at == 0 {
                    index[node] = n_seen;
                    low[node] = n_seen;
                    n_seen += 1;
                    stack.push(node);
                }
                if let Some(&next) = self.successors[node].get(at) {
                    path.push((node, at + 1));
                    if present[next] && index[next] == usize::MAX {
                        path.push((next, 0));
                    } else if present[next] && !done[next] {
                        low[node] = low[node].min(index[next]);
                    }
                    continue;
                }
                if low[node] == index[node] {
                    let mut members = Vec::new();
                    while let Some(member) = stack.pop() {
                        done[member] = true;
                        members.push(member);
                        if member == node {
                            break;
                        }
                    }
                    if members.len() > 1 || self.successors[node].contains(&node) {
                        found.push(members);
                    }
                }
                if let Some((parent, _)) = path.last() {
                    low[*parent] = low[*parent].min(low[node]);
                }
            }
        }
        found
    }
}

/// The variable of a head, or the counter of a comparison, that an expression mentions.
fn watching(program: &Program, expr: ExprId) -> Option<SymbolId> {
    let mut found = None;
    program.for_each_subexpr(expr, |part| {
        if let ExprKind::Symbol(symbol) = program.exprs.kind(part)
            && is_watching_name(&program.symbols[*symbol].display)
        {
            found = Some(*symbol);
        }
    });
    found
}

/// Whether a variable is one that only heads use: `vergo_saved_1`, or the counter of a comparison such as `vergo_k0`.
fn is_watching_name(name: &str) -> bool {
    let Some((prefix, rest)) = name.split_once('_') else { return false };
    let Some(number) = prefix.strip_prefix("vergo") else { return false };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut kinds = ["saved_", "i", "k"].into_iter().filter_map(|kind| rest.strip_prefix(kind));
    digits(number) && kinds.any(|number| !number.is_empty() && digits(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_heads() {
        for name in ["vergo_saved_1", "vergo2_saved_13", "vergo_k0", "vergo_i12"] {
            assert!(is_watching_name(name), "{name}");
        }
        for name in
            ["saved_1", "vergo_saved_in_f", "vergo_k", "vergo_t1", "vergox_k1", "my_vergo_k1"]
        {
            assert!(!is_watching_name(name), "{name}");
        }
    }
}

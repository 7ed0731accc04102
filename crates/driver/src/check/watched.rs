//! The loops of an instrumented program that are not watched.
//!
//! The absence of recurring states at the heads of loops proves something about infinite executions only if each of them
//! comes to one head again and again while its saved state is kept. The automaton finds heads in the text of C; here it is
//! checked on the GOTO program, whose loops are all there are: every strongly connected part of jumps and calls that goes
//! through the user's own code has a head whose instance begins outside of the part, and without that head the same holds of
//! what is left of it. Loops of library models end unless they call functions of the user, and so do those by which copies
//! of arrays are compared, which have a counter that begins outside of them.

use std::collections::{BTreeMap, BTreeSet};

use vergo_analysis::callgraph::components;
use vergo_automata::Instrumented;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Callee, FunctionId, InstrKind, LabelId, Program, SymbolId};
use vergo_passes::function_pointers::address_taken;
use vergo_source::Span;

/// A place in a loop of an instrumented program that is not watched, if there is one.
pub(crate) fn unwatched_loop(program: &Program, woven: &Instrumented) -> Option<Span> {
    Graph::of(program, woven).cycle()
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
    /// Which instructions lead to the user's code, by steps and calls.
    leads_to_users: Vec<bool>,
}

impl Graph<'_> {
    fn of<'a>(program: &'a Program, woven: &Instrumented) -> Graph<'a> {
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
            leads_to_users: Vec::new(),
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
                        graph.tests[node] = watching(program, woven, condition);
                    }
                    InstrKind::Decl(symbol) => {
                        let is_of_head = woven.is_of_head(&program.symbols[symbol].display);
                        graph.begins[node] = is_of_head.then_some(symbol);
                    }
                    InstrKind::Assign(place, value) if matches!(program.exprs.kind(value), ExprKind::Int(v) if v.is_zero()) =>
                    {
                        graph.begins[node] = watching(program, woven, place);
                    }
                    _ => {}
                }
            }
        }
        graph.leads_to_users = graph.leading_to_users();
        graph
    }

    /// The instructions from which steps and calls lead to the user's code.
    fn leading_to_users(&self) -> Vec<bool> {
        let mut predecessors = vec![Vec::new(); self.successors.len()];
        for (node, successors) in self.successors.iter().enumerate() {
            successors.iter().for_each(|&next| predecessors[next].push(node));
        }
        let mut leads: Vec<bool> =
            (0..self.successors.len()).map(|node| self.is_users(node)).collect();
        let mut work: Vec<usize> = (0..leads.len()).filter(|&node| leads[node]).collect();
        while let Some(node) = work.pop() {
            for &before in &predecessors[node] {
                if !std::mem::replace(&mut leads[before], true) {
                    work.push(before);
                }
            }
        }
        leads
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
                } else if let Some(node) = inside.iter().find_map(|&node| self.users_part(node)) {
                    return Some(self.place(node).1);
                }
            }
        }
        None
    }

    /// An instruction of the user's code, as one of it, or one of a library model, as what it calls.
    fn users_part(&self, node: usize) -> Option<usize> {
        if self.is_users(node) {
            return Some(node);
        }
        let called = self.successors[node].iter().filter(|&&next| next != node + 1);
        called.copied().find(|&entry| self.is_entry(entry) && self.leads_to_users[entry])
    }

    fn is_entry(&self, node: usize) -> bool {
        self.starts.binary_search_by_key(&node, |(_, start)| *start).is_ok()
    }

    fn is_users(&self, node: usize) -> bool {
        !self.program.functions[self.place(node).0].library
    }

    /// The strongly connected parts of some instructions that have a cycle.
    fn components(&self, nodes: &[usize]) -> Vec<Vec<usize>> {
        let mut present = vec![false; self.successors.len()];
        nodes.iter().for_each(|&node| present[node] = true);
        let successors =
            |node: usize| self.successors[node].iter().copied().filter(|&next| present[next]);
        let mut found = components(self.successors.len(), nodes, successors);
        found.retain(|part| part.len() > 1 || self.successors[part[0]].contains(&part[0]));
        found
    }
}

/// The variable of a head, or the counter of a comparison, that an expression mentions.
fn watching(program: &Program, woven: &Instrumented, expr: ExprId) -> Option<SymbolId> {
    let mut found = None;
    program.for_each_subexpr(expr, |part| {
        if let ExprKind::Symbol(symbol) = program.exprs.kind(part)
            && woven.is_of_head(&program.symbols[*symbol].display)
        {
            found = Some(*symbol);
        }
    });
    found
}

//! The sequentialization operator ⊗ (algorithm 1 of the paper): an automaton's operations put into a control-flow
//! automaton. The executable specification of the instrumentation operator.
//!
//! Names are those of the paper: `succ_ia` is equation 1, `succ` is equation 2, `matched_variables` is equation 3, and
//! `new_edges` is equation 4. Two places of the published algorithm cannot be meant literally, and are read as follows.
//!
//! - Line 11 keeps the edges of a location for every pair at which nothing matches, also if another pair at that location
//!   does put operations on them; and after a match the same location is visited with the next state, at which as a rule
//!   nothing matches. Taken literally, every instrumented edge would have a copy that is not. Here an edge is kept only if
//!   no pair instruments it.
//! - Several pairs may instrument one edge. Equation 4 would make alternatives of them; here their operations stand one
//!   after the other, in the order of the transitions.
//!
//! Only what matches at a location is passed over by equation 2: where one of two outgoing edges matches, the other one
//! would be lost. Here the control-flow automaton is followed along with the instrumentation automaton.

use crate::automaton::{Annotation, Automaton, Pattern, Place};
use crate::cfa::{Cfa, Edge, FunctionCfa, Location, Operation};
use crate::operation::Operations;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use vergo_cfront::hir::Unit;

/// A program with the operations of an automaton in it, and what has to be declared before.
pub fn sequentialize(cfa: &Cfa, automaton: &Automaton, unit: &Unit) -> (Cfa, Vec<String>) {
    let operations = Operations::new(automaton, unit);
    let mut result = cfa.clone();
    let mut product =
        Product { automaton, unit, operations, states: automaton.start.iter().copied().collect() };
    // States flow through calls in no particular order: functions are visited until no state is new.
    loop {
        let before = product.states.clone();
        for (function, out) in cfa.functions.iter().zip(&mut result.functions) {
            *out = product.function(function);
        }
        if product.states == before {
            break;
        }
    }
    let declarations = product.operations.declarations(unit, 0);
    (result, declarations)
}

struct Product<'a> {
    automaton: &'a Automaton,
    unit: &'a Unit,
    operations: Operations<'a>,
    /// The states in which a function can be entered.
    states: BTreeSet<usize>,
}

impl Product<'_> {
    /// Lines 2 to 15 for one function.
    fn function(&mut self, cfa: &FunctionCfa) -> FunctionCfa {
        let mut waitlist: VecDeque<(Location, usize)> =
            self.states.iter().map(|&state| (0, state)).collect();
        let mut finished = BTreeSet::new();
        let mut instrumented: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        while let Some((location, state)) = waitlist.pop_front() {
            if !finished.insert((location, state)) {
                continue;
            }
            for next in self.succ(cfa, location, state) {
                self.states.insert(next.1);
                waitlist.push_back(next);
            }
            if self.holds(cfa, location, state) {
                for (number, edge) in cfa.edges.iter().enumerate() {
                    if edge.from == location {
                        let matched = self.matching(cfa, edge, state);
                        instrumented.entry(number).or_default().extend(matched);
                    }
                }
            }
        }
        let mut out = FunctionCfa { edges: Vec::new(), ..cfa.clone() };
        for (number, edge) in cfa.edges.iter().enumerate() {
            match instrumented.get(&number) {
                Some(transitions) if !transitions.is_empty() => {
                    let transitions: Vec<usize> = transitions.iter().copied().collect();
                    self.new_edges(edge, &transitions, &mut out);
                }
                _ => out.edges.push(edge.clone()),
            }
        }
        out
    }

    /// α: whether the annotation of a state holds at a location.
    fn holds(&self, cfa: &FunctionCfa, location: Location, state: usize) -> bool {
        match &self.automaton.states[state].annotation {
            Annotation::True => true,
            Annotation::LoopHead => {
                let decides = |edge: &Edge| edge.from == location && edge.enters.is_some();
                cfa.loop_heads.contains(&location) || cfa.edges.iter().any(decides)
            }
            Annotation::Init => cfa.name == "main" && location == 0,
            Annotation::End => {
                cfa.name == "main"
                    && cfa.edges.iter().any(|edge| {
                        edge.from == location && matches!(edge.operation, Operation::Return(_))
                    })
            }
            Annotation::Function(None) => location == 0,
            Annotation::Function(Some(name)) => location == 0 && cfa.name == *name,
        }
    }

    /// Equation 1: the states that transitions lead to which match an edge that leaves a location.
    fn succ_ia(&self, cfa: &FunctionCfa, location: Location, state: usize) -> BTreeSet<usize> {
        let leaving = cfa.edges.iter().filter(|edge| edge.from == location);
        let matched = leaving.flat_map(|edge| self.matching(cfa, edge, state));
        matched.map(|t| self.automaton.transitions[t].to).collect()
    }

    /// Equation 2: the pairs that follow a pair.
    fn succ(&self, cfa: &FunctionCfa, location: Location, state: usize) -> Vec<(Location, usize)> {
        let mut next: Vec<(Location, usize)> = cfa
            .edges
            .iter()
            .filter(|edge| edge.from == location)
            .map(|edge| (edge.to, state))
            .collect();
        if self.holds(cfa, location, state) {
            let entered = self.succ_ia(cfa, location, state);
            next.extend(entered.into_iter().map(|state| (location, state)));
        }
        next
    }

    /// The transitions of a state whose pattern matches an operation.
    fn matching(&self, cfa: &FunctionCfa, edge: &Edge, state: usize) -> Vec<usize> {
        let at_head = self.automaton.states[state].annotation == Annotation::LoopHead;
        self.automaton
            .leaving(state)
            .filter(|(_, t)| match (&t.pattern, &edge.operation) {
                (Pattern::Any, _) => !at_head || cfa.loop_heads.contains(&edge.from),
                (Pattern::Cond, _) if at_head => edge.enters == Some(true),
                (Pattern::NotCond, _) if at_head => edge.enters == Some(false),
                (Pattern::Cond, Operation::Assume(_, holds)) => *holds,
                (Pattern::NotCond, Operation::Assume(_, holds)) => !*holds,
                (
                    Pattern::Arithmetic { op, class, .. },
                    Operation::Arithmetic { op: other, ty, .. },
                ) => op == other && ty.is_in(*class, &self.unit.target),
                (
                    Pattern::Call { function, arguments, open, .. },
                    Operation::Call { function: other, arguments: given, .. },
                ) => {
                    function == other
                        && (arguments.len() == given.len()
                            || (*open && given.len() >= arguments.len()))
                }
                _ => false,
            })
            .map(|(number, _)| number)
            .collect()
    }

    /// Equation 3: the operation of a transition with the operands that its pattern matched.
    fn matched_variables(&self, edge: &Operation, transition: usize) -> String {
        let pattern = &self.automaton.transitions[transition].pattern;
        let bind = |name: &str| {
            let hole = name.strip_prefix('$')?;
            match (pattern, edge) {
                (
                    Pattern::Arithmetic { operands: holes, .. },
                    Operation::Arithmetic { ty, operands, .. },
                ) => {
                    let limits = || ty.limits(&self.unit.target);
                    match hole {
                        "min" => limits().map(|(min, _)| min),
                        "max" => limits().map(|(_, max)| max),
                        "width" => ty.width(&self.unit.target).map(|width| width.to_string()),
                        _ => {
                            let at = holes.iter().position(|other| other == hole)?;
                            // The operand is converted to the type of the operation, except for shifts.
                            let converts = !matches!(
                                edge,
                                Operation::Arithmetic {
                                    op: crate::automaton::ArithmeticOp::Shl
                                        | crate::automaton::ArithmeticOp::Shr,
                                    ..
                                }
                            );
                            let operand = operands.get(at)?;
                            match ty.name() {
                                Some(name) if converts => Some(format!("(({name}){operand})")),
                                _ => Some(operand.clone()),
                            }
                        }
                    }
                }
                (
                    Pattern::Call { result, arguments: holes, .. },
                    Operation::Call { target, arguments, .. },
                ) => {
                    if result.as_deref() == Some(hole) {
                        return target.clone();
                    }
                    let at = holes.iter().position(|other| other.as_deref() == Some(hole))?;
                    arguments.get(at).cloned()
                }
                _ => None,
            }
        };
        self.operations.text(transition, &bind, None)
    }

    /// Equation 4: the edge with the operations before and after it.
    fn new_edges(&self, edge: &Edge, transitions: &[usize], out: &mut FunctionCfa) {
        let place = |t: usize| self.automaton.transitions[t].place;
        let mut chain = Vec::new();
        let added = |t: usize| Operation::Added(self.matched_variables(&edge.operation, t));
        // What depends on which way a condition goes comes after it; evaluating it changes nothing.
        let decides = matches!(edge.operation, Operation::Assume(..));
        let (before, after): (Vec<usize>, Vec<usize>) =
            transitions.iter().partition(|&&t| place(t) == Place::Before && !decides);
        chain.extend(before.into_iter().map(added));
        chain.push(edge.operation.clone());
        chain.extend(after.into_iter().map(added));
        let mut from = edge.from;
        let last = chain.len() - 1;
        for (i, operation) in chain.into_iter().enumerate() {
            let to = if i == last {
                edge.to
            } else {
                out.n_locations += 1;
                out.n_locations - 1
            };
            out.edges.push(Edge { from, operation, to, enters: None });
            from = to;
        }
    }
}

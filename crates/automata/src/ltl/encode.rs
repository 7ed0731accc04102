//! A formula as an instrumentation automaton.
//!
//! **Idea.** The formula is a conjunction. The conjuncts that are safety formulas become a deterministic monitor, whose
//! state is a variable and whose failure is an assertion: the same as every other assertion to every engine. The rest,
//! negated, becomes a generalised Büchi automaton, whose run is guessed: a violation is an execution on which it can
//! visit all accepting sets again and again. An execution that ends stays as it was for ever, so that its end is looked
//! at once; of an infinite one the state at the head of a loop is saved, and the formula is violated if the same state
//! comes again and all accepting sets were visited in between (Biere, Artho, Schuppan: Liveness Checking as Safety
//! Checking, 2002). Where the Büchi automaton has nothing left to satisfy, the formula is violated at once.
//!
//! **Soundness.** A recurrence is a violation, since whatever the program and the automaton chose in between they can
//! choose again. That there is none is a proof if there are finitely many states. The heads of loops are positions of
//! the trace too, so that no infinite execution has finitely many; they repeat the position before, which formulas without
//! `X` do not see.

use super::buchi::{Buchi, Cube, StateId, buchi};
use super::formula::{AtomId, Formula, Meaning};
use super::monitor::{Decision, Monitor};
use super::normal::{Normal, NormalId, Normals};
use crate::automaton::{
    Annotation, Automaton, Instances, Mode, Operation, Pattern, Place, Proposition, State,
    Transition, Variable,
};
use crate::codes;
use std::fmt::Write;
use vergo_source::{Diagnostic, Span};

/// Which conjuncts of a formula become an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Those that are violated at some point or never.
    Safety,
    /// The others.
    Liveness,
    /// The others, for programs of which every execution ends: nothing is looked at in loops.
    Ends,
    /// All.
    Whole,
}

/// The automaton of a part of a formula; `None` if there is nothing in that part.
///
/// # Errors
/// If the automaton would be too large.
pub fn encode(formula: &Formula, part: Part) -> Result<Option<Automaton>, Box<Diagnostic>> {
    let too_large = || {
        let message = "the automaton of this formula would be too large";
        let diagnostic = Diagnostic::error(codes::FORMULA_SIZE, formula.span, message);
        Box::new(diagnostic.help("check its conjuncts one by one"))
    };
    let mut normals = Normals::default();
    let (mut safe, mut live) = (Vec::new(), Vec::new());
    for conjunct in normals.conjuncts(formula) {
        if normals.is_safety(conjunct) { safe.push(conjunct) } else { live.push(conjunct) }
    }
    let mut monitor = None;
    let whole = normals.and(safe.iter().copied());
    if *normals.node(whole) != Normal::Constant(true) {
        let negation = normals.negated(whole);
        let automaton = buchi(&mut normals, negation).ok_or_else(too_large)?;
        monitor = Monitor::of(&automaton, formula.atoms.len());
        if monitor.is_none() {
            live.append(&mut safe);
        }
    }
    let whole = normals.and(live);
    let mut run = None;
    if *normals.node(whole) != Normal::Constant(true) {
        let negation = normals.negated(whole);
        run = Some(buchi(&mut normals, negation).ok_or_else(too_large)?);
    }
    match part {
        Part::Safety => run = None,
        Part::Liveness | Part::Ends => monitor = None,
        Part::Whole => {}
    }
    if monitor.is_none() && run.is_none() && part != Part::Whole {
        return Ok(None);
    }
    let mut encoder = Encoder { formula, normals, loops: part != Part::Ends };
    Ok(Some(encoder.automaton(monitor.as_ref(), run.as_ref())))
}

struct Encoder<'a> {
    formula: &'a Formula,
    normals: Normals,
    /// True if executions may go on for ever.
    loops: bool,
}

/// The state of the monitor.
const NOW: &str = "now";
/// The state of the guessed run; the one that leads nowhere is negative.
const RUN: &str = "run";
/// The accepting sets that have been visited since the state was saved.
const SEEN: &str = "seen";
/// The state of the run that was saved.
const FROM: &str = "from";
/// The flags that some loop has saved its state, and that this one has.
const BUSY: &str = "busy";
const SAVED: &str = "saved";

/// The variables of the automaton, whose names no condition can have.
pub(super) const VARIABLES: &[&str] = &[NOW, RUN, SEEN, FROM, BUSY, SAVED];

impl Encoder<'_> {
    fn automaton(&mut self, monitor: Option<&Monitor>, run: Option<&Buchi>) -> Automaton {
        let span = self.formula.span;
        let mut step = String::new();
        let mut variables = Vec::new();
        let mut variable = |name: &str, value: &str, shared: bool| {
            variables.push(Variable {
                name: name.to_owned(),
                span,
                before: "int".to_owned(),
                after: format!("= {value}"),
                shared,
            });
        };
        if let Some(monitor) = monitor {
            step.push_str(&self.monitor_step(monitor));
            if monitor.states.len() > 1 {
                variable(NOW, &monitor.start.as_u32().to_string(), run.is_some());
            }
        }
        if let Some(run) = run {
            step.push_str(&self.run_step(run));
            for name in [RUN, SEEN, FROM, BUSY, SAVED] {
                // Without accepting sets there is nothing to be seen; one state need not be remembered.
                let needed = match name {
                    RUN => true,
                    SEEN => run.n_sets > 0,
                    FROM => self.loops && recurring(run).len() > 1,
                    _ => self.loops,
                };
                if needed {
                    variable(name, "0", name != SAVED);
                }
            }
        }
        for atom in self.formula.atoms.values() {
            if !matches!(atom.meaning, Meaning::Condition(_)) {
                variable(&atom.name, "0", run.is_some());
            }
        }
        let mut automaton = Automaton {
            name: "ltl".to_owned(),
            description: self.formula.text.replace('"', "'"),
            mode: Mode::Static,
            instances: match run {
                Some(_) if self.loops => Instances::Loop,
                _ => Instances::Program,
            },
            variables,
            reads: Vec::new(),
            propositions: Vec::new(),
            states: Vec::new(),
            start: Vec::new(),
            transitions: Vec::new(),
        };
        let mut add = |name: &str, annotation, pattern, at, place, text: String| {
            let number = automaton.states.iter().position(|state| state.name == name);
            let number = number.unwrap_or_else(|| {
                automaton.states.push(State { name: name.to_owned(), span, annotation });
                automaton.states.len() - 1
            });
            automaton.transitions.push(transition(number, pattern, at, place, text, span));
        };
        add("watching", Annotation::True, Pattern::Change, span, Place::After, step.clone());
        for atom in self.formula.atoms.values() {
            let (function, place) = match &atom.meaning {
                Meaning::Call(function) => (function.clone(), Place::Before),
                Meaning::Return(function) => (function.clone(), Place::After),
                Meaning::Condition(_) => continue,
            };
            let pattern = Pattern::Call {
                result: None,
                function,
                external: false,
                arguments: Vec::new(),
                open: true,
            };
            let name = &atom.name;
            let text = format!("{name} = 1;\n{step}{name} = 0;\n{step}");
            add("watching", Annotation::True, pattern, atom.span, place, text);
        }
        if let Some(run) = run {
            let text = self.recurrence(run);
            if self.loops && !text.is_empty() {
                add("head", Annotation::LoopHead, Pattern::Any, span, Place::Before, text);
            }
            let text = self.end(run);
            if !text.is_empty() {
                add("ending", Annotation::End, Pattern::Any, span, Place::Before, text);
            }
        }
        automaton.start = (0..automaton.states.len()).collect();
        for atom in self.formula.atoms.values() {
            if let Meaning::Condition(text) = &atom.meaning {
                automaton.propositions.push(Proposition {
                    name: atom.name.clone(),
                    span: atom.span,
                    text: text.clone(),
                    text_span: atom.span,
                });
            }
        }
        automaton
    }

    /// One step of the monitor.
    fn monitor_step(&self, monitor: &Monitor) -> String {
        let mut out = String::new();
        for (state, decision) in monitor.states.iter() {
            let mut lines = Vec::new();
            let here = Decision::To(state);
            self.decision(decision, &here, &mut Vec::new(), &mut lines);
            // What follows an `if` may be its `else`, so that assertions come first.
            lines.sort_by_key(|line| !line.starts_with("assert"));
            push_case(&mut out, NOW, state.as_u32(), monitor.states.len(), &lines);
        }
        out
    }

    /// The lines of a decision, each under the condition that leads to it. A failure ends the execution, so that what
    /// follows it needs no `else`.
    fn decision(
        &self,
        decision: &Decision,
        here: &Decision,
        values: &mut Vec<(AtomId, bool)>,
        lines: &mut Vec<String>,
    ) {
        match decision {
            _ if decision == here => {}
            Decision::To(state) => {
                let condition = self.cube(values);
                let action = format!("{NOW} = {};", state.as_u32());
                let first = lines.iter().all(|line: &String| line.starts_with("assert"));
                let otherwise = if first { "" } else { "else " };
                lines.push(if condition.is_empty() {
                    format!("{otherwise}{action}")
                } else {
                    format!("{otherwise}if ({condition}) {action}")
                });
            }
            Decision::Fail => {
                let condition = self.cube(values);
                let condition = if condition.is_empty() { "1" } else { &condition };
                lines.push(format!("assert(!({condition}));"));
            }
            Decision::On(atom, branches) => {
                for (value, branch) in [true, false].into_iter().zip(branches.iter()) {
                    values.push((*atom, value));
                    self.decision(branch, here, values, lines);
                    values.pop();
                }
            }
        }
    }

    /// One step of the run: transitions that other ones contradict need no guess.
    fn run_step(&self, run: &Buchi) -> String {
        let mut out = String::new();
        for (state, edges) in run.states.iter() {
            let mut lines = Vec::new();
            for (number, edge) in edges.iter().enumerate() {
                let rest = &edges[number + 1..];
                let guess = rest.iter().any(|other| compatible(&edge.cube, &other.cube));
                let mut condition = self.cube(&edge.cube);
                if guess {
                    condition.push_str(if condition.is_empty() {
                        "nondet()"
                    } else {
                        " && nondet()"
                    });
                }
                let mut action = String::new();
                if run.accepts_all(edge.to) {
                    action.push_str("assert(0);");
                } else {
                    if edge.to != state {
                        let _ = write!(action, "{RUN} = {}; ", edge.to.as_u32());
                    }
                    if edge.accepting != 0 {
                        let _ = write!(action, "{SEEN} |= {}; ", edge.accepting);
                    }
                }
                let last = number + 1 == edges.len();
                if last && action.is_empty() && condition.is_empty() {
                    break;
                }
                let action = match action.trim_end() {
                    "" => "{ }".to_owned(),
                    action => format!("{{ {action} }}"),
                };
                let otherwise = if number == 0 { "" } else { "else " };
                if condition.is_empty() {
                    lines.push(format!("{otherwise}{action}"));
                } else {
                    lines.push(format!("{otherwise}if ({condition}) {action}"));
                }
            }
            // Where no transition fits, the guess was wrong.
            if let ([edge], [line]) = (&edges[..], &mut lines[..])
                && line.ends_with("{ }")
            {
                *line = format!("if (!({})) {RUN} = -1;", self.cube(&edge.cube));
                if let [(atom, value)] = edge.cube[..] {
                    *line = format!("if ({}) {RUN} = -1;", self.literal(atom, !value));
                }
                push_case(&mut out, RUN, state.as_u32(), usize::MAX, &lines);
                continue;
            }
            let open = edges.last().is_none_or(|edge| !edge.cube.is_empty());
            if open {
                let otherwise = if edges.is_empty() { "" } else { "else " };
                lines.push(format!("{otherwise}{RUN} = -1;"));
            }
            // The run may have ended.
            push_case(&mut out, RUN, state.as_u32(), usize::MAX, &lines);
        }
        out
    }

    /// Returns the code at the head of a loop: the state is saved once, and must not recur with all sets visited.
    fn recurrence(&self, run: &Buchi) -> String {
        let all = run.all_sets();
        let visited = if all == 0 { String::new() } else { format!("{SEEN} == {all} && ") };
        let clear = if all == 0 { String::new() } else { format!("{SEEN} = 0; ") };
        let recurring = recurring(run);
        let recurring: Vec<String> =
            recurring.iter().map(|state| format!("{RUN} == {}", state.as_u32())).collect();
        let (from, save) = match &recurring[..] {
            // Nothing but the end can violate the formula.
            [] => return String::new(),
            [only] => (only.clone(), String::new()),
            several => (format!("({})", several.join(" || ")), format!("{FROM} = {RUN}; ")),
        };
        let same = if save.is_empty() { from.clone() } else { format!("{RUN} == {FROM}") };
        format!(
            "if ({SAVED}) {{ assert(!({visited}{same} && $same)); }}\n\
             else if (!{BUSY} && {from} && nondet()) {{ {SAVED} = 1; {BUSY} = 1; {save}{clear}$save; }}\n"
        )
    }

    /// Returns the demand at the end, when the last position stays for ever.
    fn end(&mut self, run: &Buchi) -> String {
        let mut out = String::new();
        let states: Vec<StateId> = run.states.keys().collect();
        for state in states {
            let parts: Vec<NormalId> =
                run.obligations[state].iter().map(|&id| self.normals.constant_word(id)).collect();
            let condition = self.normals.and(parts);
            let text = match self.normals.node(condition) {
                Normal::Constant(false) => continue,
                Normal::Constant(true) => String::new(),
                _ => format!(" && {}", self.propositional(condition, true)),
            };
            let _ = writeln!(out, "assert(!({RUN} == {}{text}));", state.as_u32());
        }
        out
    }

    /// A formula without temporal operators in C.
    fn propositional(&self, id: NormalId, inner: bool) -> String {
        match self.normals.node(id) {
            Normal::Constant(value) => u8::from(*value).to_string(),
            Normal::Literal(atom, positive) => self.literal(*atom, *positive),
            Normal::And(parts) | Normal::Or(parts) => {
                let is_and = matches!(self.normals.node(id), Normal::And(_));
                let parts: Vec<String> =
                    parts.iter().map(|&part| self.propositional(part, true)).collect();
                let text = parts.join(if is_and { " && " } else { " || " });
                if inner { format!("({text})") } else { text }
            }
            Normal::Next(a) | Normal::Until(_, a) | Normal::Release(_, a) => {
                self.propositional(*a, inner)
            }
        }
    }

    fn literal(&self, atom: AtomId, positive: bool) -> String {
        let name = &self.formula.atoms[atom].name;
        if positive { name.clone() } else { format!("!{name}") }
    }

    fn cube(&self, literals: &[(AtomId, bool)]) -> String {
        let literals = literals.iter().map(|&(atom, value)| self.literal(atom, value));
        literals.collect::<Vec<_>>().join(" && ")
    }
}

/// The recurring states in which something is left to satisfy; the others are violations at once.
fn recurring(run: &Buchi) -> Vec<StateId> {
    run.recurring.iter().copied().filter(|&state| !run.accepts_all(state)).collect()
}

/// Returns whether a position can satisfy both.
fn compatible(a: &Cube, b: &Cube) -> bool {
    !a.iter().any(|&(atom, value)| b.contains(&(atom, !value)))
}

/// Adds what is done in one of several states.
fn push_case(out: &mut String, variable: &str, state: u32, n_states: usize, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    if n_states == 1 {
        for line in lines {
            let _ = writeln!(out, "{line}");
        }
        return;
    }
    let is_first = !out.contains(&format!("if ({variable} == "));
    let otherwise = if is_first { "" } else { "else " };
    let _ = writeln!(out, "{otherwise}if ({variable} == {state}) {{");
    for line in lines {
        let _ = writeln!(out, "    {line}");
    }
    out.push_str("}\n");
}

fn transition(
    state: usize,
    pattern: Pattern,
    pattern_span: Span,
    place: Place,
    text: String,
    span: Span,
) -> Transition {
    Transition {
        span,
        from: state,
        to: state,
        pattern,
        pattern_span,
        place,
        operation: Operation { text, span },
    }
}

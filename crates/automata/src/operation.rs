//! Operations of transitions as C text: placeholders and names replaced, assertions written out.

use crate::automaton::{Automaton, Mode, Place, Variable};
use crate::propositions::function_name;
use std::cell::Cell;
use vergo_cfront::hir::Unit;
use vergo_cfront::types::TypeKind;
use vergo_cfront::words::{Piece, on_one_line, pieces, replace_names};

/// The text for a placeholder or a name at a site; `None` leaves a name as it is.
pub(crate) type Bind<'b> = dyn Fn(&str) -> Option<String> + 'b;

/// Writes the operations of an automaton for one program.
#[derive(Debug)]
pub(crate) struct Operations<'a> {
    /// The automaton.
    pub(crate) automaton: &'a Automaton,
    /// The prefix of all added names; no name of the program has it.
    pub(crate) prefix: String,
    /// The function that gives nondeterministic values.
    nondet: &'static str,
    uses_assert: Cell<bool>,
    uses_assume: Cell<bool>,
    uses_nondet: Cell<bool>,
}

/// Functions of SV-COMP whose result can serve as a nondeterministic truth value, the usual first.
const NONDET: &[&str] = &[
    "__VERIFIER_nondet_int",
    "__VERIFIER_nondet_uint",
    "__VERIFIER_nondet_long",
    "__VERIFIER_nondet_char",
    "__VERIFIER_nondet_short",
];

impl<'a> Operations<'a> {
    /// Chooses names that the program does not use.
    pub(crate) fn new(automaton: &'a Automaton, unit: &Unit) -> Operations<'a> {
        let prefix = vergo_cfront::words::fresh_prefix(unit);
        // A function that the program declares must return an integer and take nothing.
        let fits = |name: &&&str| {
            let declared = unit.functions.values().find(|f| unit.names.name(f.name) == **name);
            declared.is_none_or(|function| {
                let ty = unit.types.function(function.ty);
                ty.is_some_and(|ty| ty.params.is_empty() && nondet_type(name, unit, ty.ret))
            })
        };
        let nondet = NONDET.iter().find(fits).unwrap_or(&NONDET[0]);
        Operations {
            automaton,
            prefix,
            nondet,
            uses_assert: Cell::new(false),
            uses_assume: Cell::new(false),
            uses_nondet: Cell::new(false),
        }
    }

    /// The name of a variable of the automaton, of one instance if it has several.
    pub(crate) fn variable(&self, variable: &Variable, instance: Option<usize>) -> String {
        match instance {
            Some(number) if !variable.shared => {
                format!("{}{}_{number}", self.prefix, variable.name)
            }
            _ => format!("{}{}", self.prefix, variable.name),
        }
    }

    /// The variable that holds the state of a monitor.
    pub(crate) fn state_variable(&self) -> String {
        format!("{}state", self.prefix)
    }

    /// The operation of one transition, on one line.
    pub(crate) fn text(
        &self,
        transition: usize,
        bind: &Bind<'_>,
        instance: Option<usize>,
    ) -> String {
        let operation = &self.automaton.transitions[transition].operation;
        let text = self.with_assertions(&on_one_line(&operation.text));
        replace_names(&text, |name| {
            if let Some(bound) = bind(name) {
                return Some(bound);
            }
            match name {
                "nondet" => {
                    self.uses_nondet.set(true);
                    return Some(self.nondet.to_owned());
                }
                "assume" => {
                    self.uses_assume.set(true);
                    return Some("__VERIFIER_assume".to_owned());
                }
                _ => {}
            }
            if self.automaton.propositions.iter().any(|proposition| proposition.name == name) {
                return Some(format!("{}()", function_name(&self.prefix, name)));
            }
            let variable = self.automaton.variables.iter().find(|v| v.name == name)?;
            Some(self.variable(variable, instance))
        })
    }

    /// The operations of transitions that match at one site and stand at one place there.
    pub(crate) fn chain(
        &self,
        transitions: &[usize],
        place: Place,
        bind: &Bind<'_>,
        instance: Option<usize>,
    ) -> String {
        let all = &self.automaton.transitions;
        let here: Vec<usize> =
            transitions.iter().copied().filter(|&t| all[t].place == place).collect();
        let mut parts = Vec::new();
        for &t in &here {
            let text = self.text(t, bind, instance);
            match self.automaton.mode {
                Mode::Static if declares(&text) => parts.push(format!("{{ {text} }}")),
                Mode::Static => parts.push(text),
                Mode::Monitor => {
                    let state = self.state_variable();
                    let (from, to) = (all[t].from, all[t].to);
                    let step = if from == to { String::new() } else { format!(" {state} = {to};") };
                    parts.push(format!("if ({state} == {from}) {{ {text}{step} }}"));
                }
            }
        }
        match self.automaton.mode {
            Mode::Static => parts.join(" "),
            // One step at a time: what a transition enters is left at the next site at the earliest.
            Mode::Monitor => parts.join(" else "),
        }
    }

    /// `assert(c);` becomes a call of `reach_error` if `c` does not hold.
    fn with_assertions(&self, text: &str) -> String {
        let all = pieces(text.as_bytes());
        let word = |i: usize| {
            let range = all.get(i).map_or(0..0, |(_, range): &(Piece, _)| range.clone());
            text.get(range).unwrap_or_default()
        };
        let mut out = String::new();
        let mut i = 0;
        while i < all.len() {
            if word(i) != "assert" {
                out.push_str(word(i));
                i += 1;
                continue;
            }
            self.uses_assert.set(true);
            // Under an `if` or before an `else` the statement needs braces.
            let alone = matches!(out.trim_end().bytes().last(), None | Some(b';' | b'{' | b'}'));
            let mut depth = 0usize;
            let mut inner = String::new();
            i += 1;
            // Up to the semicolon that ends the statement.
            while i < all.len() && !(depth == 0 && word(i) == ";") {
                match word(i) {
                    "(" => depth += 1,
                    ")" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                inner.push_str(word(i));
                i += 1;
            }
            i += 1;
            let next = (i..all.len()).map(word).find(|word| !word.trim().is_empty());
            let check = format!("if ({}) reach_error();", negation(inner.trim()));
            if alone && next != Some("else") {
                out.push_str(&check);
            } else {
                out.push_str(&format!("{{ {check} }}"));
            }
        }
        out
    }

    /// Returns the declarations that must precede the first helper: functions and variables.
    pub(crate) fn declarations(&self, unit: &Unit, count: usize) -> Vec<String> {
        let mut lines = Vec::new();
        if self.uses_assert.get() {
            lines.push("extern void abort(void);".to_owned());
            lines.push("void reach_error(void) { abort(); }".to_owned());
        }
        let declared =
            |name: &str| unit.functions.values().any(|f| unit.names.name(f.name) == name);
        if self.uses_assume.get() {
            lines.push("extern void __VERIFIER_assume(int);".to_owned());
        }
        if self.uses_nondet.get() {
            let ty = nondet_result(self.nondet);
            // Before C23 an empty list says nothing about parameters, which fits every declaration of the program.
            let parameters = if declared(self.nondet) { "" } else { "void" };
            lines.push(format!("extern {ty} {}({parameters});", self.nondet));
        }
        for variable in &self.automaton.variables {
            if variable.shared || self.automaton.instances == crate::automaton::Instances::Program {
                let name = self.variable(variable, None);
                let after = variable.after.replace("$count", &count.max(1).to_string());
                let gap = if after.starts_with('[') || after.is_empty() { "" } else { " " };
                lines.push(format!("static {} {name}{gap}{after};", variable.before));
            }
        }
        if self.automaton.mode == Mode::Monitor {
            let start = self.automaton.start.first().copied().unwrap_or(0);
            lines.push(format!("static int {} = {start};", self.state_variable()));
        }
        lines
    }
}

/// The negation of an expression in parentheses, without a negation of a negation.
fn negation(text: &str) -> String {
    let inner = text.strip_prefix("(!(").and_then(|rest| rest.strip_suffix("))"));
    let mut depth = 0i64;
    let closed = |inner: &&str| {
        inner.bytes().all(|byte| {
            depth += i64::from(byte == b'(') - i64::from(byte == b')');
            depth >= 0
        })
    };
    match inner.filter(closed) {
        Some(inner) => inner.to_owned(),
        None => format!("!{text}"),
    }
}

fn nondet_result(name: &str) -> &'static str {
    match name.rsplit('_').next() {
        Some("uint") => "unsigned int",
        Some("long") => "long",
        Some("char") => "char",
        Some("short") => "short",
        _ => "int",
    }
}

fn nondet_type(name: &str, unit: &Unit, ret: vergo_cfront::types::QualType) -> bool {
    match unit.types.kind(ret) {
        TypeKind::Int(kind) => vergo_cfront::typename::int_name(*kind) == nondet_result(name),
        _ => false,
    }
}

/// Returns whether C text declares something, so that it needs a scope of its own.
pub(crate) fn declares(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "_Bool", "char", "const", "double", "enum", "float", "int", "long", "short", "signed",
        "static", "struct", "union", "unsigned", "void",
    ];
    // A type at the beginning of a statement; elsewhere it is part of a cast.
    let mut begins = true;
    for (piece, range) in pieces(text.as_bytes()) {
        let word = text.get(range).unwrap_or_default();
        if piece == Piece::Name && begins && WORDS.contains(&word) {
            return true;
        }
        if piece != Piece::Blank {
            begins = matches!(word, ";" | "{" | "}");
        }
    }
    false
}

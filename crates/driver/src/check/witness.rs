//! The SV-COMP witness of a report.

use std::collections::BTreeMap;
use std::time::Duration;

use vergo_engines::loop_facts;
use vergo_evidence::LoopInvariant;
use vergo_evidence::execution::StepKind;
use vergo_evidence::witness::{
    Content, Invariant, InvariantKind, Metadata, Place, Waypoint, WaypointKind, Witness, iso_8601,
};
use vergo_interp::{InputType, InputValue};
use vergo_smt::Budget;
use vergo_source::{FileId, Span};

use super::report::{Answer, CheckReport, Violation};
use crate::job::Job;
use crate::landmarks::{Branching, Landmarks, base_name};

/// The time limit of the search for facts for a witness whose proof needs none.
const MOST_TIME: Duration = Duration::from_secs(2);
/// Branchings that a witness names at most; one with more is not easier to follow.
const MOST_BRANCHINGS: usize = 500;

impl CheckReport {
    /// The witness of the verdict; `time` is the present moment in seconds since the beginning of 1970. None if nothing
    /// is known.
    pub fn witness(&self, job: &Job, time: u64) -> Option<String> {
        let metadata = self.witness_metadata(time);
        let content = match &self.answer {
            Answer::Unknown(_) => return None,
            Answer::True => Content::Correctness(self.invariants(job)),
            Answer::False(_) => Content::Violation(self.way(job, self.violations().next()?)),
        };
        Some(Witness { metadata, content }.print())
    }

    /// Returns the metadata of a witness.
    pub(super) fn witness_metadata(&self, time: u64) -> Metadata {
        let files = self.files.iter().map(|file| (file.name.clone(), file.sha256.clone()));
        Metadata {
            creation_time: iso_8601(time),
            producer: "Vergo".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files: files.collect(),
            specification: self.properties.specification(),
            data_model: self.model_name().to_owned(),
        }
    }

    /// Returns the proof's invariants at the loops of the program's files. Where it says nothing, as when loops are
    /// unrolled to their end, what is known of them otherwise.
    fn invariants(&self, job: &Job) -> Vec<Invariant> {
        let mut loops =
            self.invariant().map(|invariant| invariant.loops.clone()).unwrap_or_default();
        if loops.is_empty() || loops.iter().any(|at| at.text.is_none()) {
            for at in loop_facts(&self.program, &Budget::about(MOST_TIME)) {
                match loops.iter_mut().find(|other| other.span == at.span) {
                    Some(other) if other.text.is_none() => other.text = at.text,
                    Some(_) => {}
                    None => loops.push(at),
                }
            }
        }
        self.at_loops(job, &loops)
    }

    /// Returns the invariants at those loops that are in the program's files, in the order of the source.
    pub(super) fn at_loops(&self, job: &Job, loops: &[LoopInvariant]) -> Vec<Invariant> {
        let mut found = Vec::new();
        for at in loops {
            let Some(value) = &at.text else { continue };
            let place = place(job, at.span.lo, at.function.clone());
            let file = job.map.lookup(at.span.lo).map(|(file, _)| job.map.name(file));
            let of_binary = file.is_some_and(|name| **name == *vergo_gbf::map::PLACES);
            let is_given =
                |name: &str| self.files.iter().any(|f| base_name(&f.name) == base_name(name));
            if !of_binary && !is_given(&place.file) {
                continue;
            }
            let text = job.map.span_text(at.span);
            let is_loop = ["while", "for", "do"].iter().any(|keyword| {
                text.strip_prefix(keyword.as_bytes()).is_some_and(|rest| {
                    rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
                })
            });
            let kind = if is_loop { InvariantKind::Loop } else { InvariantKind::Location };
            found.push(Invariant { kind, place, value: value.clone() });
        }
        found.sort_by(|a, b| a.place.cmp(&b.place));
        found
    }

    /// The results of nondeterministic calls and the branches that matter, in the order of the execution, and the target.
    fn way(&self, job: &Job, violation: &Violation) -> Vec<Vec<Waypoint>> {
        let returns = returns(job, violation);
        let steps = &violation.execution.steps;
        // Where not every choice is a step, it is not known what came before what.
        let is_input = |what: &StepKind| matches!(what, StepKind::Input { .. });
        let n_inputs = steps.iter().filter(|step| is_input(&step.what)).count();
        let steps = if n_inputs == returns.len() { &steps[..] } else { &[] };
        let mut calls = returns.into_iter();
        let mut way = Vec::new();
        let mut branchings = Branchings::new(job);
        let mut n_branchings = 0;
        for (i, step) in steps.iter().enumerate() {
            match &step.what {
                StepKind::Input { .. } => way.extend(calls.next().flatten()),
                StepKind::Branched(_)
                    if step.matters && !self.program.functions[step.function].library =>
                {
                    let next = steps[i + 1..]
                        .iter()
                        .take_while(|next| next.depth >= step.depth)
                        .find(|next| next.depth == step.depth && next.function == step.function);
                    let Some(next) = next else { continue };
                    if let Some((at, taken)) = branchings.direction(step.span, next.span) {
                        let function = self.program.functions[step.function].display.clone();
                        let kind = WaypointKind::Branching(taken.to_string());
                        way.push(Waypoint::follow(kind, place(job, at.lo, Some(function))));
                        n_branchings += 1;
                    }
                }
                _ => {}
            }
        }
        if n_branchings > MOST_BRANCHINGS {
            way.retain(|waypoint| !matches!(waypoint.kind, WaypointKind::Branching(_)));
        }
        way.extend(calls.flatten());
        let function = violation.function().map(|name| self.function_name(name).to_owned());
        let target = place(job, violation.span().lo, function);
        way.push(Waypoint::follow(WaypointKind::Target, target));
        way.into_iter().map(|waypoint| vec![waypoint]).collect()
    }
}

/// Which way branchings went.
pub(super) struct Branchings<'a> {
    job: &'a Job,
    files: BTreeMap<FileId, Landmarks>,
}

impl<'a> Branchings<'a> {
    pub(super) fn new(job: &'a Job) -> Branchings<'a> {
        Branchings { job, files: BTreeMap::new() }
    }

    /// The branching whose condition was tested at a place, and whether it held, which what is done next shows: only
    /// what stands in one of its arms says it for certain.
    pub(super) fn direction(&mut self, tested: Span, next: Span) -> Option<(Span, bool)> {
        let (file, _) = self.job.map.lookup(tested.lo)?;
        let landmarks = self.files.entry(file).or_insert_with(|| Landmarks::of(self.job, file));
        let inside = |outer: Span, inner: Span| outer.lo <= inner.lo && inner.hi <= outer.hi;
        let tests =
            |of: &&Branching| of.condition.is_some_and(|condition| inside(condition, tested));
        let of = landmarks.branchings.iter().filter(tests).min_by_key(|of| of.span.len())?;
        if of.is_switch || inside(of.condition?, next) {
            return None;
        }
        // An arm with a label may have been entered from elsewhere, and the body of `do` is entered without a test.
        let is_do = of.then.lo < of.condition?.lo;
        let entered = |arm: Span| {
            let labelled = landmarks.labels.iter().any(|&label| arm.lo <= label && label < arm.hi);
            inside(arm, next) && !labelled
        };
        if !is_do && entered(of.then) {
            return Some((of.span, true));
        }
        of.otherwise.is_some_and(entered).then_some((of.span, false))
    }
}

fn place(job: &Job, position: u32, function: Option<String>) -> Place {
    let at = job.given_location(position);
    let function = function.filter(|name| !name.is_empty());
    Place { file: at.file.to_string(), line: at.line.max(1), column: at.column.max(1), function }
}

/// The results of nondeterministic calls in their order; `None` for a choice that is no such call or has no constant.
fn returns(job: &Job, violation: &Violation) -> Vec<Option<Waypoint>> {
    let mut last: Option<(Span, usize)> = None;
    let inputs = violation.counterexample.inputs().iter();
    inputs
        .map(|input| {
            // Several calls in one expression are told apart by their order.
            let nth = match last {
                Some((span, nth)) if span == input.span => nth + 1,
                _ => 0,
            };
            last = Some((input.span, nth));
            let value = constant(&input.value, input.ty)?;
            let offset = closing_parenthesis(statement(job, input.span), nth)?;
            let place = place(job, input.span.lo + offset as u32, Some(input.function.clone()));
            let kind = WaypointKind::FunctionReturn(format!("\\result == {value}"));
            Some(Waypoint::follow(kind, place))
        })
        .collect()
}

/// The text from a place to the end of its statement: what is known of a declaration is where its name stands.
pub(super) fn statement(job: &Job, span: Span) -> &[u8] {
    const LONGEST: usize = 4096;
    let Some((file, offset)) = job.map.lookup(span.lo) else { return &[] };
    let rest = job.map.text(file).get(offset as usize..).unwrap_or_default();
    let rest = &rest[..rest.len().min(LONGEST)];
    let least = span.len() as usize;
    let end = rest.iter().skip(least).position(|&byte| byte == b';').map(|n| n + least);
    &rest[..end.unwrap_or(least.min(rest.len()))]
}

/// A value as a C constant, if there is one.
pub(super) fn constant(value: &InputValue, ty: InputType) -> Option<String> {
    match (value, ty) {
        (InputValue::Bool(value), _) => Some(u8::from(*value).to_string()),
        (InputValue::Int(bits), InputType::Int(true, _)) => Some(bits.to_signed_decimal()),
        (InputValue::Int(bits), _) => Some(bits.to_unsigned_decimal()),
        (InputValue::Float(value), _) => {
            let text = value.to_decimal();
            text.parse::<f64>().is_ok_and(f64::is_finite).then_some(text)
        }
        (InputValue::Bytes(_), _) => None,
    }
}

/// Where the closing parenthesis of the `nth` call of a nondeterministic function stands in a text; if there are fewer,
/// the last one's.
fn closing_parenthesis(text: &[u8], nth: usize) -> Option<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    while at < text.len() {
        if !is_word(&text[at]) {
            at += 1;
            continue;
        }
        let end = text[at..].iter().position(|byte| !is_word(byte)).map_or(text.len(), |n| at + n);
        let word = &text[at..end];
        at = end;
        if !word.windows(6).any(|part| part == b"nondet") {
            continue;
        }
        let mut depth = 0;
        for (i, byte) in text[end..].iter().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => {
                    found.push(end + i);
                    break;
                }
                b')' => break,
                _ if depth == 0 && !byte.is_ascii_whitespace() => break,
                _ => {}
            }
        }
    }
    found.get(nth).or(found.last()).copied()
}

#[cfg(test)]
mod tests {
    use super::closing_parenthesis;

    #[test]
    fn calls_are_found_in_their_text() {
        let text = b"int x = nondet_int( ) + __VERIFIER_nondet_char();";
        assert_eq!(closing_parenthesis(text, 0), Some(20));
        assert_eq!(closing_parenthesis(text, 1), Some(47));
        assert_eq!(closing_parenthesis(text, 5), Some(47));
        assert_eq!(closing_parenthesis(b"f(nondet)", 0), None);
        assert_eq!(closing_parenthesis(b"nondet_x", 0), None);
    }
}

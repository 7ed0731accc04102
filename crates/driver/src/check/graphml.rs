//! The GraphML witness of a violation: the way that its threads take, step by step.

use std::collections::BTreeMap;

use vergo_evidence::execution::{Step, StepKind};
use vergo_evidence::witness::graphml::{Edge, print};
use vergo_goto::program::InstrKind;
use vergo_source::Span;

use super::report::{Answer, CheckReport, Violation};
use super::witness::{Branchings, constant, statement};
use crate::job::Job;

/// Steps that are named at most before those are left out on which nothing depends.
const MOST_EDGES: usize = 5_000;

impl CheckReport {
    /// The witness of a violation in GraphML (format 1.0), which knows threads; `time` is the present moment in seconds
    /// since the beginning of 1970. None if there is no violation.
    pub fn graphml(&self, job: &Job, time: u64) -> Option<String> {
        let Answer::False(_) = &self.answer else { return None };
        let edges = self.edges(job, self.violations().next()?);
        Some(print(&self.witness_metadata(time), &edges))
    }

    fn edges(&self, job: &Job, violation: &Violation) -> Vec<Edge> {
        let steps = &violation.execution.steps;
        let mut branchings = Branchings::new(job);
        // Where each thread has called the library last.
        let mut calls: BTreeMap<usize, Span> = BTreeMap::new();
        let mut has_begun = vec![true];
        let mut inputs = violation.counterexample.inputs().iter();
        let mut edges: Vec<(Edge, bool)> = Vec::new();
        for (i, step) in steps.iter().enumerate() {
            let function = &self.program.functions[step.function];
            let instr = function.body.as_deref().and_then(|body| body.get(step.instr));
            let input =
                matches!(step.what, StepKind::Input { .. }).then(|| inputs.next()).flatten();
            if let Some(InstrKind::Spawn { .. }) = instr.map(|instr| &instr.kind) {
                let span = if function.library { calls.get(&step.thread) } else { None };
                let starts = Some(has_begun.len());
                has_begun.push(false);
                let edge = Edge { starts, ..edge(job, step.thread, *span.unwrap_or(&step.span)) };
                edges.push((edge, true));
                continue;
            }
            if function.library {
                continue;
            }
            let name = Some(function.display.clone());
            if has_begun.get(step.thread) == Some(&false) {
                has_begun[step.thread] = true;
                let entry = Edge { enters: name.clone(), ..edge(job, step.thread, function.span) };
                edges.push((entry, true));
            }
            let mut edge = edge(job, step.thread, step.span);
            match &step.what {
                StepKind::Checked | StepKind::Violated => continue,
                StepKind::Assigned { .. } | StepKind::Freed(_) => {}
                StepKind::Input { .. } => {
                    edge.result = input.and_then(|input| {
                        let value = constant(&input.value, input.ty)?;
                        let text = String::from_utf8_lossy(statement(job, input.span));
                        let mut words =
                            text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
                        let callee = words.find(|word| word.contains("nondet"))?.to_owned();
                        Some((format!("\\result == {value};"), callee, function.display.clone()))
                    });
                }
                StepKind::Returned => edge.leaves = name,
                StepKind::Called { callee, .. } => {
                    let callee = &self.program.functions[*callee];
                    if callee.library {
                        calls.insert(step.thread, step.span);
                    } else {
                        edge.enters = Some(callee.display.clone());
                    }
                }
                StepKind::Branched(_) => {
                    let Some((at, holds)) = branching(&mut branchings, step, &steps[i + 1..])
                    else {
                        continue;
                    };
                    edge = Edge { holds: Some(holds), ..self::edge(job, step.thread, at) };
                }
            }
            // Several steps of one statement are one to its reader.
            if edges.last().is_none_or(|(last, _)| *last != edge) {
                edges.push((edge, step.matters));
            }
        }
        if edges.len() > MOST_EDGES {
            edges.retain(|(_, matters)| *matters);
        }
        let mut edges: Vec<Edge> = edges.into_iter().map(|(edge, _)| edge).collect();
        let thread = steps.last().map_or(0, |step| step.thread);
        edges.push(edge(job, thread, violation.span()));
        edges
    }
}

/// The branching that a step tests, and whether its condition held, which the next step of the call shows.
fn branching(branchings: &mut Branchings<'_>, step: &Step, later: &[Step]) -> Option<(Span, bool)> {
    let own = later.iter().filter(|next| next.thread == step.thread);
    let next = own
        .take_while(|next| next.depth >= step.depth)
        .find(|next| next.depth == step.depth && next.function == step.function)?;
    branchings.direction(step.span, next.span)
}

/// A step of a thread at a place.
fn edge(job: &Job, thread: usize, span: Span) -> Edge {
    let (start, end) = (job.given_location(span.lo), job.given_location(span.hi));
    let lines = (start.line.max(1), end.line.max(start.line).max(1));
    let offsets = job.given_offset(span.lo).zip(job.given_offset(span.hi.max(span.lo + 1) - 1));
    Edge { thread, file: start.file.to_string(), lines, offsets, ..Edge::default() }
}

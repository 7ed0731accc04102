//! Correctness witnesses: their invariants as assertions, which the proof needs and shows at once.

use vergo_engines::{OnViolation, Progress};
use vergo_evidence::witness::{Invariant, InvariantKind};
use vergo_goto::program::{InstrKind, Program};
use vergo_passes::properties::PropertyId;
use vergo_source::{Diagnostic, SourceMap, Span};

use super::way::believe;
use super::weave::{Expressions, Weaver, place_text};
use super::{Fate, Validation};
use crate::check::{
    Answer, Change, CheckRequest, Properties, TraceDetail, check_changed, source_file,
};
use crate::codes::WITNESS_REJECTED;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::landmarks::{Landmarks, LoopHead};

/// The property of the claims that a witness makes; it is none of the registry.
const INVARIANT: &str = "witness.invariant";

pub(super) fn validate(
    job: &mut Job,
    inputs: &[Input],
    invariants: &[Invariant],
    properties: &Properties,
    check: &CheckRequest,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Validation, Failed> {
    let mut weaver = Weaver::new(job, inputs)?;
    let declaration = "void __CPROVER_assert(_Bool, const char *);";
    weaver.declare(job, "__CPROVER_assert", declaration);
    let mut spans = Vec::new();
    for (number, invariant) in invariants.iter().enumerate() {
        let value = weaver.expression(job, &invariant.value, &invariant.place)?;
        let claim = format!("__CPROVER_assert(!!{value}, \"{INVARIANT} {number}\")");
        spans.push(weave(job, &mut weaver, invariant, &claim)?);
    }
    let woven = weaver.finish(job)?;
    let asks_for_asserts = properties.set().contains(PropertyId::UserAssert);
    let act = |map: &SourceMap, program: &mut Program| {
        name_claims(map, program, asks_for_asserts);
    };
    let change =
        Change { also: Some(PropertyId::UserAssert), act: Some(&act), ..Change::default() };
    let request =
        CheckRequest { on_violation: OnViolation::Stop, trace: TraceDetail::None, ..check.clone() };
    let mut report =
        job.quietly(|job| check_changed(job, &woven, &request, &change, None, progress))?;
    let violation = report.violations().next().map(|found| found.counterexample.clone());
    let fate = match (&report.answer, violation) {
        (Answer::True, _) => Fate::Confirmed,
        (Answer::False(_), Some(found)) if found.claim().property == INVARIANT => {
            let number: usize = found.claim().description.parse().unwrap_or(0);
            let (value, place) = invariants
                .get(number)
                .map(|of| (of.value.as_str(), place_text(&of.place)))
                .unwrap_or_default();
            let reason = format!("the invariant `{value}` at {place} does not hold");
            let message = format!("the invariant `{value}` does not hold here");
            let at = spans.get(number).copied().unwrap_or(Span::DUMMY);
            let mut diagnostic = Diagnostic::error(WITNESS_REJECTED, at, message);
            let values = found.inputs().iter().take(16).map(|input| input.value.to_line(input.ty));
            let values: Vec<String> = values.collect();
            if !values.is_empty() {
                diagnostic = diagnostic.note(format!("inputs: {}", values.join(", ")));
            }
            job.diagnostics.push(diagnostic);
            report.answer = Answer::unknown(format!("the witness is rejected: {reason}"));
            Fate::Rejected(reason)
        }
        (Answer::False(_), Some(_)) => {
            let reason = "the program violates the property".to_owned();
            return believe(job, inputs, report, properties, check, Fate::Rejected(reason));
        }
        (Answer::False(_), None) => return Err(Failed::Internal),
        (Answer::Unknown(reason), _) => Fate::Undecided(reason.to_string()),
    };
    report.claims.clear();
    report.files = inputs.iter().map(|input| source_file(job, input)).collect::<Result<_, _>>()?;
    report.properties = properties.clone();
    Ok(Validation { fate, report })
}

/// Puts the claim of an invariant where it holds; gives the place in the text.
fn weave(
    job: &mut Job,
    weaver: &mut Weaver,
    invariant: &Invariant,
    claim: &str,
) -> Result<Span, Failed> {
    match invariant.kind {
        InvariantKind::Loop => {
            let loops = |landmarks: &Landmarks| {
                landmarks.loops.iter().map(|of| (of.span.lo, *of)).collect()
            };
            let (file, found) = weaver.find(job, &invariant.place, "loop", loops)?;
            let edits = &mut weaver.files[file].edits;
            match found.head {
                LoopHead::Condition(span) => edits.wrap(span, format!("({claim}, "), ")"),
                LoopHead::NoCondition(at) => edits.insert_at(at, format!(" ({claim}, 1)")),
                LoopHead::Body(span) => edits.wrap(span, format!("{{ {claim}; "), " }"),
            }
            Ok(Span::new(found.span.lo, found.span.lo + 1))
        }
        InvariantKind::Location => {
            let statements = |landmarks: &Landmarks| {
                landmarks.statements.iter().map(|of| (of.span.lo, *of)).collect()
            };
            let (file, found) = weaver.find(job, &invariant.place, "statement", statements)?;
            weaver.before(file, found, &format!("{claim};"));
            Ok(Span::new(found.span.lo, found.span.lo + 1))
        }
    }
}

/// Names the claims that come from the witness: its invariants, and that they can be evaluated. The program's own
/// assertions are dropped if nobody asks for them.
fn name_claims(map: &SourceMap, program: &mut Program, asks_for_asserts: bool) {
    let mut expressions = Expressions::default();
    for function in program.functions.values_mut() {
        let library = function.library;
        for instr in function.body.iter_mut().flatten() {
            let InstrKind::Assert(_, claim) = &mut instr.kind else { continue };
            let number =
                claim.description.strip_prefix(INVARIANT).and_then(|n| n.trim().parse().ok());
            let number = number
                .filter(|_| claim.property == PropertyId::UserAssert.info().id && !library)
                .or_else(|| expressions.at(map, instr.span.lo));
            match number {
                Some(number) => {
                    claim.property = INVARIANT.to_owned();
                    claim.description = number.to_string();
                }
                None if claim.property == PropertyId::UserAssert.info().id && !asks_for_asserts => {
                    instr.kind = InstrKind::Skip;
                }
                None => {}
            }
        }
    }
}

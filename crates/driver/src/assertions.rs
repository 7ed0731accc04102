//! Programs with an automaton in them: what engines say about its assertions, told about the original.

use vergo_automata::Instrumented;
use vergo_engines::{OnViolation, Progress};
use vergo_evidence::{Certificate, Counterexample, Reason, Verdict};
use vergo_goto::program::Program;
use vergo_source::{Diagnostic, SourceMap};

use crate::check::{
    Answer, Change, CheckReport, CheckRequest, Properties, Question, Specification, check_changed,
    source_file,
};
use crate::input::Input;
use crate::job::{Failed, Job};

/// An instrumented program, and how its assertions are decided.
pub(crate) struct Assertions<'a> {
    /// The original.
    pub(crate) input: &'a Input,
    pub(crate) woven: &'a Instrumented,
    /// The specification that is violated if an assertion fails.
    pub(crate) name: &'a str,
    pub(crate) request: &'a CheckRequest,
    /// The program that is instrumented, where that all of its executions end is an answer.
    pub(crate) original: Option<&'a Program>,
    pub(crate) progress: &'a (dyn Fn(Progress) + Sync),
}

impl Assertions<'_> {
    /// Decides whether an assertion can fail. A proof counts unless there is a reason why not, and a violation if it is
    /// one of the original, which a diagnostic then says.
    pub(crate) fn decide(
        self,
        job: &mut Job,
        unproved: impl Fn(&SourceMap, &Program, &Certificate) -> Option<String> + Sync,
        violation: impl Fn(&SourceMap, &Counterexample) -> Result<Box<Diagnostic>, String> + Sync,
    ) -> Result<CheckReport, Failed> {
        let Assertions { input, woven, name, request, original, progress } = self;
        let Some(specification) = Specification::from_name("unreach-call") else {
            return Err(Failed::Internal);
        };
        let transformed = Input::Text { name: input.name(), text: woven.text.clone() };
        let on_violation = OnViolation::Stop;
        let reach = CheckRequest { specification, on_violation, ..request.clone() };
        let counts = |map: &SourceMap, program: &Program, verdict: &Verdict| {
            let reason = match verdict {
                Verdict::True(certificate) => unproved(map, program, certificate),
                Verdict::False(found) => violation(map, found).err(),
                Verdict::Unknown(_) => None,
            };
            reason.map_or(Ok(()), |reason| Err(Reason::Incomplete(reason)))
        };
        let recurrence = original.map(|original| Question { original, counts: &counts });
        let change = Change { recurrence, ..Change::default() };
        // The front end has said about the original what it says about the result.
        let mut report =
            job.quietly(|job| check_changed(job, &[transformed], &reach, &change, None, progress))?;
        match &report.answer {
            Answer::Unknown(_) => {}
            Answer::True => {
                let certificate = report.certificate.as_ref().ok_or(Failed::Internal)?;
                if !certificate.is_of_termination()
                    && let Some(reason) = unproved(&job.map, &report.program, certificate)
                {
                    report.answer = Answer::unknown(reason);
                }
            }
            Answer::False(_) => {
                let found = report.violations().next().ok_or(Failed::Internal)?;
                match violation(&job.map, &found.counterexample) {
                    Ok(diagnostic) => {
                        job.diagnostics.push(*diagnostic);
                        report.lasso = Some(report.course(&job.map, woven, found));
                        report.answer = Answer::False(name.to_owned());
                    }
                    Err(reason) => report.answer = Answer::unknown(reason),
                }
            }
        }
        // The claims are those of the instrumented program, in whose text nobody is interested.
        report.claims.clear();
        report.added = Some(woven.prefix.clone());
        report.files = vec![source_file(job, input)?];
        report.properties = Properties { names: Vec::new(), text: None };
        Ok(report)
    }
}

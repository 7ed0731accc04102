//! The report of a check: what every other form (text, JSON, SARIF, witness, harness) is made from.

use std::collections::BTreeMap;
use std::time::Duration;

use vergo_cfront::target::DataModel;
use vergo_engines::Effort;
use vergo_evidence::certificate::Invariant;
use vergo_evidence::claims::Site;
use vergo_evidence::execution::Execution;
use vergo_evidence::{Certificate, Counterexample, LoopInvariant, Reason};
use vergo_goto::program::Program;
use vergo_interp::Activation;
use vergo_lower::models::of_function;
use vergo_passes::properties::PropertyId;
use vergo_smt::Budget;
use vergo_source::Span;

use super::assumptions::Assumption;
use super::cache::CacheUse;
use super::claims::Status;
use super::lasso::{Lasso, without_added};
use super::specification::Properties;
use super::trace::TraceDetail;
use crate::job::Stages;

/// The answer to a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// No claim can be violated.
    True,
    /// A claim is violated: the name for the verdict.
    False(String),
    /// Nothing is known; why.
    Unknown(Reason),
}

impl Answer {
    /// Not known for a reason that is none of an engine.
    pub(crate) fn unknown(reason: impl Into<String>) -> Answer {
        Answer::Unknown(Reason::incomplete(reason))
    }

    /// Checks whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }

    /// The text after `RESULT: `.
    pub fn line(&self) -> String {
        match self {
            Answer::True => "true".to_owned(),
            Answer::False(name) => format!("false({name})"),
            // A reason inside parentheses must not end them or the line.
            Answer::Unknown(reason) => {
                format!("unknown({})", reason.to_string().replace(['(', ')', '\n'], " "))
            }
        }
    }
}

/// Everything that a check has found out.
#[derive(Debug)]
pub struct CheckReport {
    /// The verdict on all claims together.
    pub answer: Answer,
    /// Every claim in the order of the source.
    pub claims: Vec<ClaimReport>,
    /// The course of a violation of something that is no claim of the program itself.
    pub lasso: Option<Lasso>,
    /// The premise that was proved first, if the proof rests on one.
    pub premise: Option<String>,
    /// The proof of the claims that hold.
    pub certificate: Option<Certificate>,
    /// The proofs of groups of claims, if what holds was not proved at once.
    pub by_groups: Vec<Certificate>,
    /// True if a proof is about the slice that the claims need ([`Statistics::slice`]).
    pub of_slice: bool,
    /// The use of the cache, if there is one.
    pub cache: Option<CacheUse>,
    /// The method of the second look, if one was asked for and confirms the answer.
    pub second_look: Option<String>,
    /// The assumptions.
    pub assumptions: Vec<Assumption>,
    /// Bugs of ours that engines met, each in words. The verdict does not rest on what they said.
    pub faults: Vec<String>,
    /// The cost.
    pub statistics: Statistics,
    /// The properties that were checked.
    pub properties: Properties,
    /// The program's files.
    pub files: Vec<SourceFile>,
    /// The data model.
    pub model: DataModel,
    /// The engine.
    pub engine: &'static str,
    /// The function in which the program begins.
    pub entry: String,
    pub(crate) program: Program,
    /// The prefix of all names that were added to the program, if some were.
    pub(crate) added: Option<String>,
}

/// A file of the program.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its name as it was given.
    pub name: String,
    /// The hash of its text.
    pub sha256: String,
    /// Its text.
    pub text: Vec<u8>,
}

/// A claim with what is known of it.
#[derive(Debug)]
pub struct ClaimReport {
    /// The claim and where it stands.
    pub site: Site,
    /// Its status.
    pub status: ClaimStatus,
}

/// The status of a claim.
#[derive(Debug)]
pub enum ClaimStatus {
    /// No execution violates it.
    Holds,
    /// An execution violates it.
    Violated(Box<Violation>),
    /// Nothing is known, and why.
    Unknown(Reason),
    /// Nobody looked, because another violation was found first.
    NotChecked,
}

impl ClaimStatus {
    /// A word for the table and for machines.
    pub fn word(&self) -> &'static str {
        match self {
            ClaimStatus::Holds => "holds",
            ClaimStatus::Violated(_) => "violated",
            ClaimStatus::Unknown(_) => "unknown",
            ClaimStatus::NotChecked => "not checked",
        }
    }
}

/// A violation.
#[derive(Debug)]
pub struct Violation {
    /// The inputs, the calls and the claim.
    pub counterexample: Counterexample,
    /// The execution, as far as it was recorded.
    pub execution: Execution,
}

impl Violation {
    /// Where it happens in the user's own code: a claim in a library model belongs where the model was called, and an
    /// error function is violated by its call, not by its body.
    pub fn call(&self) -> Option<&Activation> {
        let stack = &self.counterexample.position().stack;
        let mut user = stack.iter().filter(|call| !call.library);
        let first = user.next();
        if self.counterexample.claim().property == "reach.error"
            && first.is_some_and(|call| is_error_function(&call.function))
        {
            return user.next().or(first);
        }
        first.or(stack.first())
    }

    /// The place of that.
    pub fn span(&self) -> Span {
        self.call().map_or(self.counterexample.position().span, |call| call.span)
    }

    /// The active calls of functions that the user knows, innermost first.
    pub fn calls(&self) -> impl Iterator<Item = &Activation> {
        self.counterexample.position().stack.iter().filter(|call| is_known(call))
    }

    /// Returns the mistake, without values.
    pub fn headline(&self) -> String {
        let claim = self.counterexample.claim();
        let title = PropertyId::from_id(&claim.property).map(|property| property.info().title);
        if claim.description.starts_with("assertion `") {
            return format!("{} fails", claim.description);
        }
        // In the library it is the function that the program calls.
        let stack = self.counterexample.position().stack.iter();
        let called = stack.take_while(|call| call.library).last().filter(|call| is_known(call));
        if let (Some(_), Some(race)) = (called, &self.execution.race) {
            return race.accesses[1].claim();
        }
        match called.filter(|_| title == Some(claim.description.as_str())) {
            Some(call) => format!("{} in {}", claim.description, call.function),
            None => claim.description.clone(),
        }
    }

    /// Returns the mistake with the values that cause it and the reason, for places where only one text is shown.
    pub fn message(&self) -> String {
        let explanation = &self.execution.explanation;
        let parts = [self.headline(), explanation.here.clone(), explanation.reason.clone()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
    }

    /// The function of that.
    pub fn function(&self) -> Option<&str> {
        self.call().map(|call| call.function.as_str())
    }
}

/// Checks whether a call is one of the program, or of a function that its library has: what calls `main` and handlers, and
/// what our models are made of, is neither.
fn is_known(call: &Activation) -> bool {
    let name = call.function.as_str();
    let is_ours = name.ends_with("[]") || name.starts_with("__vergo_");
    !is_ours && (!call.library || of_function(name).is_some())
}

fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// The cost of a check, stage by stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// The front end and lowering.
    pub stages: Stages,
    /// Passes over the program.
    pub passes: Duration,
    /// The part of the program that the claims need, if less than all.
    pub slice: Option<super::SliceSize>,
    /// The engine.
    pub effort: Effort,
    /// Watching counterexamples.
    pub traces: Duration,
    /// Everything.
    pub total: Duration,
    /// The work of the engines, in units of about a nanosecond; the same on every machine.
    pub work: u64,
    /// The processor's time, if whoever asked knows it.
    pub cpu: Option<Duration>,
}

impl CheckReport {
    pub(crate) fn new(
        answer: Answer,
        program: Program,
        properties: Properties,
        files: Vec<SourceFile>,
        assumptions: Vec<Assumption>,
        model: DataModel,
    ) -> CheckReport {
        CheckReport {
            answer,
            claims: Vec::new(),
            lasso: None,
            premise: None,
            certificate: None,
            by_groups: Vec::new(),
            of_slice: false,
            cache: None,
            second_look: None,
            assumptions,
            faults: Vec::new(),
            statistics: Statistics::default(),
            properties,
            files,
            model,
            engine: "",
            entry: String::new(),
            program,
            added: None,
        }
    }

    /// Adds a claim; a violation is watched as far as the budget allows.
    pub(crate) fn push(&mut self, site: Site, status: Status, trace: TraceDetail, budget: &Budget) {
        const MOST_WORK: u64 = 2_000_000_000;
        let status = match status {
            Status::Holds => ClaimStatus::Holds,
            Status::Unknown(reason) => ClaimStatus::Unknown(reason),
            Status::NotChecked => ClaimStatus::NotChecked,
            Status::Violated(counterexample) => {
                let execution = match trace {
                    TraceDetail::None => Execution::default(),
                    TraceDetail::Compact | TraceDetail::Full => {
                        counterexample.execution(&self.program, &budget.at_most(MOST_WORK))
                    }
                };
                let counterexample = *counterexample;
                ClaimStatus::Violated(Box::new(Violation { counterexample, execution }))
            }
        };
        self.claims.push(ClaimReport { site, status });
    }

    /// The name of a function to its user: what begins the program is part of where it begins.
    pub fn function_name<'a>(&'a self, name: &'a str) -> &'a str {
        if name.starts_with("__vergo_") { &self.entry } else { name }
    }

    /// Checks whether a bug of ours is why there is no verdict.
    pub fn is_internal_error(&self) -> bool {
        matches!(self.answer, Answer::Unknown(_)) && !self.faults.is_empty()
    }

    /// The violations in the order of the source.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        self.claims.iter().filter_map(|claim| match &claim.status {
            ClaimStatus::Violated(violation) => Some(&**violation),
            _ => None,
        })
    }

    /// The reason why the answer is `true`, in a line.
    pub fn proof(&self) -> Option<String> {
        if self.answer != Answer::True {
            return None;
        }
        let mut proof = match (&self.certificate, &self.statistics.slice) {
            (Some(certificate), Some(slice)) if self.of_slice => {
                format!("{certificate}; in {} of {} instructions", slice.after, slice.before)
            }
            (Some(certificate), _) => certificate.to_string(),
            (None, _) => self.proof_by_groups()?,
        };
        if let Some(prefix) = &self.added {
            proof = without_added(&proof, prefix);
        }
        Some(match &self.premise {
            Some(premise) => format!("{premise}; {proof}"),
            None => proof,
        })
    }

    /// The proofs of groups of claims in a line: how many of each kind.
    fn proof_by_groups(&self) -> Option<String> {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for certificate in &self.by_groups {
            *kinds.entry(certificate.kind()).or_default() += 1;
        }
        let list: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
        let n_groups = self.by_groups.len();
        (n_groups > 0)
            .then(|| format!("{n_groups} groups of claims on their own: {}", list.join(", ")))
    }

    /// Returns the proof's invariant. That of a slice need not hold of what the slice leaves out, and is not told.
    pub fn invariant(&self) -> Option<&Invariant> {
        self.certificate.as_ref().filter(|_| !self.of_slice)?.invariant()
    }

    /// Returns the proof's invariants at the loops of the source.
    pub fn loop_invariants(&self) -> &[LoopInvariant] {
        self.invariant().map_or(&[], |invariant| &invariant.loops)
    }

    /// `ILP32` or `LP64`.
    pub fn model_name(&self) -> &'static str {
        match self.model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

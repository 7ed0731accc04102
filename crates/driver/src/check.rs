//! The check request: a C file or GOTO text in, a verdict with its evidence out.

use std::time::{Duration, Instant};

use vergo_engines::{EngineId, Environment, OnViolation, Progress, Task};
use vergo_evidence::{Certify, Verdict};
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::CHECK;
use vergo_passes::properties::groups::{GROUPS, Group, group};
use vergo_passes::properties::{PropertyId, PropertySet};
use vergo_smt::Budget;
use vergo_source::{Diagnostic, Span};

use crate::codes::BROKEN_PASS;
use crate::input::Input;
use crate::job::{Failed, Job};

/// What is to be checked, and how.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The properties.
    pub specification: Specification,
    /// The engine's name.
    pub engine: String,
    /// The function in which the program begins; `main` if it is not given.
    pub entry: Option<String>,
    /// A bound on the rounds of loops.
    pub unwind: Option<u32>,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// How many bytes it may use.
    pub memory: Option<u64>,
}

/// What a program is checked against.
#[derive(Clone, Debug)]
pub enum Specification {
    /// Properties of the registry, each with the name that its violation has in the verdict.
    Claims(Vec<(PropertyId, String)>),
    /// Something that is no claim of the program, and is not decided yet.
    Other(String),
}

impl Specification {
    /// The properties that are checked when none is named.
    pub fn standard() -> Specification {
        // What no engine tracks is left to `vergo run`.
        let all = PropertySet::default_on().without(PropertyId::MemoryUninitialized);
        Specification::Claims(all.iter().map(|property| (property, property.to_string())).collect())
    }

    /// The specification of a name: an SV-COMP property, or ids of the registry separated by commas.
    pub fn from_name(name: &str) -> Option<Specification> {
        if matches!(name, "termination" | "no-data-race") {
            return Some(Specification::Other(name.to_owned()));
        }
        if let Some(group) = group(name) {
            return Some(Specification::of_groups(&[group]));
        }
        let ids: Option<Vec<_>> = name
            .split(',')
            .map(|id| PropertyId::from_id(id).map(|property| (property, id.to_owned())))
            .collect();
        ids.map(Specification::Claims)
    }

    /// The specification of an SV-COMP property file's text.
    pub fn from_property_file(text: &str) -> Option<Specification> {
        let mut groups: Vec<&Group> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            let formula =
                compact.strip_prefix("CHECK(init(")?.split_once("),")?.1.strip_suffix(')')?;
            match formula {
                "LTL(Fend)" => return Some(Specification::Other("termination".to_owned())),
                "LTL(G!data-race)" => return Some(Specification::Other("no-data-race".to_owned())),
                _ => groups.push(GROUPS.iter().find(|group| group.formula == formula)?),
            }
        }
        (!groups.is_empty()).then(|| Specification::of_groups(&groups))
    }

    fn of_groups(groups: &[&Group]) -> Specification {
        let members = groups.iter().flat_map(|group| group.members);
        Specification::Claims(
            members.map(|&(property, name)| (property, name.to_owned())).collect(),
        )
    }
}

/// The answer to a check.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No claim can be violated; why.
    True(String),
    /// A claim is violated: the name for the verdict, and what happened as a diagnostic.
    False(String, Box<Diagnostic>),
    /// Nothing is known; why.
    Unknown(String),
}

/// Checks a program; `progress` hears of each bound.
///
/// # Errors
/// If the input is not a program; the job's diagnostics say why.
pub fn check(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
    progress: &dyn Fn(Progress),
) -> Result<Answer, Failed> {
    let start = Instant::now();
    let mut program = job.load_program(inputs, request.entry.as_deref())?;
    let names = match &request.specification {
        Specification::Claims(names) => names,
        Specification::Other(name) => {
            return Ok(Answer::Unknown(format!("{name} is not checked yet")));
        }
    };
    let properties = names.iter().map(|(property, _)| *property).collect();
    let options = vergo_passes::Options { properties, ..vergo_passes::Options::default() };
    if let Err(broken) =
        run_passes(&mut program, CHECK.passes, &options, Verify::InDebug, &mut |_| {})
    {
        job.diagnostics.push(Diagnostic::error(BROKEN_PASS, Span::DUMMY, broken.to_string()));
        return Err(Failed::Internal);
    }
    // Names come from a list that the registry gives, so that an unknown one is the caller's bug.
    let engine = EngineId::from_name(&request.engine).unwrap_or(EngineId::BmcIncremental);
    let deadline = request.timeout.and_then(|timeout| start.checked_add(timeout));
    let budget = Budget { deadline, memory: request.memory, ..Budget::default() };
    let environment = Environment { budget, progress, found: &|_| {} };
    let task = Task {
        program: &program,
        unwind: request.unwind,
        on_violation: OnViolation::Stop,
        certify: Certify::Off,
    };
    Ok(match (engine.info().run)(&task, &environment) {
        Verdict::True(certificate) => Answer::True(certificate.to_string()),
        Verdict::Unknown(reason) => Answer::Unknown(reason),
        Verdict::False(counterexample) => {
            let claim = counterexample.claim();
            let name = names.iter().find(|(property, _)| property.info().id == claim.property);
            let name = name.map_or_else(|| claim.property.clone(), |(_, name)| name.clone());
            Answer::False(name, Box::new(violation(&counterexample)))
        }
    })
}

/// A violation as a diagnostic: what, where, through which calls, on which inputs.
fn violation(counterexample: &vergo_evidence::Counterexample) -> Diagnostic {
    let claim = counterexample.claim();
    let position = counterexample.position();
    // A claim in a library model is reported where the user's program called it.
    let user = position.stack.iter().find(|call| !call.library);
    let span = user.map_or(position.span, |call| call.span);
    let mut diagnostic =
        Diagnostic::error(crate::codes::VIOLATION, span, claim.description.clone());
    let cwe = claim.cwe.map(|cwe| format!(", CWE-{cwe}")).unwrap_or_default();
    diagnostic = diagnostic.note(format!("violates {}{cwe}", claim.property));
    let calls: Vec<&str> = position.stack.iter().rev().map(|call| call.function.as_str()).collect();
    diagnostic = diagnostic.note(format!("calls: {}", calls.join(" > ")));
    let inputs = counterexample.inputs();
    const SHOWN: usize = 16;
    if !inputs.is_empty() {
        let mut values: Vec<String> =
            inputs.iter().take(SHOWN).map(|input| input.value.to_line(input.ty)).collect();
        if inputs.len() > SHOWN {
            values.push(format!("and {} more", inputs.len() - SHOWN));
        }
        diagnostic = diagnostic.note(format!("inputs: {}", values.join(", ")));
    }
    diagnostic
}

/// The names of all engines, each with a line on what it does.
pub fn engines() -> impl Iterator<Item = (&'static str, &'static str)> {
    EngineId::ALL.iter().map(|engine| (engine.info().name, engine.info().summary))
}

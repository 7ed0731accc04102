//! The run request: a program executed by the interpreter.

use std::fmt::Write;
use std::time::Duration;

use vergo_goto::program::Program;
use vergo_interp::{
    Activation, AtEnd, Event, Inputs, Limits, ListInputs, Machine, Options, Outcome, Position,
    SeedInputs, Violation, What,
};
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::RUN;
use vergo_passes::properties::{PropertyId, PropertySet};
use vergo_source::{Code, Diagnostic, Span};

use crate::codes::{
    ABORTED, ASSUMPTION_FAILED, BROKEN_PASS, DEADLOCK, LIMIT_REACHED, NO_INPUT, NOT_EXECUTABLE,
    UNSUPPORTED_REACHED, VIOLATION,
};
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::recording::{Recording, record};

pub use vergo_interp::{Schedule, Turns, World};

/// Calls that a diagnostic lists at most.
const MOST_CALLS: usize = 20;

/// Where nondeterministic values come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum NondetInputs {
    /// Every value is zero.
    #[default]
    Zero,
    /// The text of an input file, one value a line; its end is the end of the run.
    List(String),
    /// Values from a seed.
    Seed(u64),
}

/// A request to execute a program.
#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    /// The properties whose violation ends the run, besides the program's own claims; by default
    /// those that are checked by default, except leaks.
    pub properties: Option<PropertySet>,
    /// Where nondeterministic values come from.
    pub inputs: NondetInputs,
    /// The program's arguments, after its name.
    pub arguments: Vec<Vec<u8>>,
    /// Time.
    pub timeout: Option<Duration>,
    /// Bytes of the program's objects.
    pub memory: Option<u64>,
    /// Elementary steps.
    pub steps: Option<u64>,
    /// The schedule of threads; in order if it is not given.
    pub schedule: Option<Schedule>,
    /// True if signed arithmetic may overflow; it wraps around.
    pub wrapv: bool,
    /// True if what happens is reported step by step.
    pub trace: bool,
}

/// The end of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With this status.
    Exited(u8),
    /// By `abort`.
    Aborted,
    /// By a violation of a property.
    Violation,
    /// Undecided: an assumption failed, a limit was reached, a value was missing, or something
    /// that is not supported was reached.
    Undecided,
}

/// Executes a program. Its descriptors reach `world`; steps go to `trace` if they are asked for.
/// An end other than an exit is a diagnostic.
///
/// # Errors
/// If the input is not a program; the job's diagnostics say why.
pub fn run(
    job: &mut Job,
    inputs: &[Input],
    request: &RunRequest,
    world: Box<dyn World + '_>,
    trace: &mut dyn FnMut(String),
) -> Result<Ended, Failed> {
    let program = load(job, inputs, request)?;
    let mut limits = Limits { time: request.timeout, ..Limits::default() };
    if let Some(memory) = request.memory {
        limits.memory = memory;
    }
    if let Some(steps) = request.steps {
        limits.steps = steps;
    }
    let outcome = {
        let map = &job.map;
        let mut describe = |event: &Event<'_>| {
            let place = map.presumed(event.span.lo);
            trace(format!(
                "{place}: {}{}",
                "  ".repeat(event.depth.min(40)),
                step(&program, event)
            ));
        };
        let options = Options {
            limits,
            inputs: values(request),
            world,
            trace: if request.trace { Some(Box::new(&mut describe)) } else { None },
            schedule: request.schedule.clone().unwrap_or(Schedule::RoundRobin),
            // The claims of the program say what may not be read, and let bytes be copied that have no value.
            check_uninitialized: false,
            ..Options::default()
        };
        Machine::new(&program, options).run()
    };
    Ok(report(job, outcome))
}

/// Executes a program and writes it down, step by step; what it prints goes nowhere.
///
/// # Errors
/// If the input is not a program; the job's diagnostics say why.
pub fn record_run(
    job: &mut Job,
    inputs: &[Input],
    request: &RunRequest,
) -> Result<Recording, Failed> {
    let program = load(job, inputs, request)?;
    let options = Options {
        limits: Limits { time: request.timeout, ..Limits::default() },
        inputs: values(request),
        schedule: request.schedule.clone().unwrap_or(Schedule::RoundRobin),
        ..Options::default()
    };
    Ok(record(&program, options))
}

/// The source of nondeterministic values.
fn values(request: &RunRequest) -> Box<dyn Inputs> {
    match &request.inputs {
        NondetInputs::Zero => Box::new(ListInputs::new("", AtEnd::Zero)),
        NondetInputs::List(text) => Box::new(ListInputs::new(text, AtEnd::Fail)),
        NondetInputs::Seed(seed) => Box::new(SeedInputs::new(*seed)),
    }
}

/// The program with its claims.
fn load(job: &mut Job, inputs: &[Input], request: &RunRequest) -> Result<Program, Failed> {
    let name = inputs.first().map(Input::name).unwrap_or_default();
    let mut arguments = vec![name.into_bytes()];
    arguments.extend(request.arguments.iter().cloned());
    let arguments = vergo_lower::Arguments::Given(arguments);
    // A program that leaks computes what it should; it is stopped for that only if asked for.
    let by_default = || PropertySet::default_on().without(PropertyId::MemoryLeak);
    let mut properties = request.properties.unwrap_or_else(by_default);
    if request.wrapv {
        properties = properties.without(PropertyId::ArithSignedOverflow);
    }
    let options = vergo_lower::Options { arguments, properties, ..vergo_lower::Options::default() };
    let mut program = job.load_program_with(inputs, &options)?;
    job.need_entry(&program, &options.entry)?;
    let passes = RUN.passes;
    let exempt = job.exempt.clone();
    let options = vergo_passes::Options { exempt, properties, ..vergo_passes::Options::default() };
    let done = run_passes(&mut program, passes, &options, Verify::InDebug, &mut |_| {});
    if let Err(broken) = done {
        job.diagnostics.push(Diagnostic::error(BROKEN_PASS, Span::DUMMY, broken.to_string()));
        return Err(Failed::Internal);
    }
    Ok(program)
}

/// A step in a few words.
fn step(program: &Program, event: &Event<'_>) -> String {
    let name = |id| program.functions[id].name.clone();
    match &event.what {
        What::Assigned { place, value } => {
            format!("{} := {value}", program.describe(*place))
        }
        What::Branched(taken) => format!("branch {}", if *taken { "taken" } else { "not taken" }),
        What::Called { callee, args } => format!("call {}({})", name(*callee), args.join(", ")),
        What::Returned => format!("return from {}", name(event.function)),
        What::Freed(pointer) => format!("free {pointer}"),
    }
}

/// Turns an outcome into an end and, unless it is an exit, a diagnostic.
fn report(job: &mut Job, outcome: Outcome) -> Ended {
    let mut say = |code: Code, message: String, position: &Position| {
        let diagnostic = locate(job, Diagnostic::error(code, Span::DUMMY, message), position);
        job.diagnostics.push(diagnostic);
    };
    match outcome {
        Outcome::Exited(status) => return Ended::Exited(status),
        Outcome::Aborted(position) => {
            say(ABORTED, "the program aborts".into(), &position);
            return Ended::Aborted;
        }
        Outcome::Violation(violation) => {
            let Violation { claim, position, .. } = *violation;
            let mut message = format!("{} [{}", claim.description, claim.property);
            if let Some(cwe) = claim.cwe {
                let _ = write!(message, ", CWE-{cwe}");
            }
            message.push(']');
            say(VIOLATION, message, &position);
            return Ended::Violation;
        }
        Outcome::AssumptionFailed(position) => {
            say(ASSUMPTION_FAILED, "an assumption does not hold".into(), &position);
        }
        Outcome::Unsupported { what, position } => {
            say(UNSUPPORTED_REACHED, format!("{what} is not supported"), &position);
        }
        Outcome::LimitReached { limit, position } => {
            say(LIMIT_REACHED, format!("the {limit} was reached"), &position);
        }
        Outcome::Deadlock(position) => {
            say(DEADLOCK, "every thread waits for another".into(), &position);
        }
        Outcome::NoInput { reason, position } => say(NO_INPUT, reason, &position),
        Outcome::NotExecutable(reason) => say(NOT_EXECUTABLE, reason, &Position::default()),
    }
    Ended::Undecided
}

/// Puts a diagnostic at the innermost place of the user's own code, with the calls that led
/// there.
fn locate(job: &Job, mut diagnostic: Diagnostic, position: &Position) -> Diagnostic {
    let own = position.stack.iter().position(|call| !call.library).unwrap_or(0);
    diagnostic.primary = position.stack.get(own).map_or(position.span, |call| call.span);
    for call in position.stack.iter().take(own) {
        diagnostic = diagnostic.note(format!("in the library function `{}`", call.function));
    }
    let user = position.stack.get(own..).unwrap_or_default();
    // What calls `main` is no part of the program. Recursion repeats a call; once is enough.
    let mut calls: Vec<(&[Activation], usize)> = Vec::new();
    for pair in user.windows(2).take_while(|pair| !pair[1].library) {
        let same = |other: &[Activation]| {
            other[1].span == pair[1].span && other[0].function == pair[0].function
        };
        match calls.last_mut() {
            Some((last, times)) if same(last) => *times += 1,
            _ => calls.push((pair, 1)),
        }
    }
    let named = calls.len().min(MOST_CALLS);
    let shown: usize = calls.iter().take(named).map(|(_, times)| times).sum();
    let inside = user.iter().take_while(|call| !call.library).count().saturating_sub(1);
    let more = position.omitted + inside.saturating_sub(shown);
    for (pair, times) in calls.into_iter().take(named) {
        let (callee, caller) = (&pair[0].function, &pair[1].function);
        let place = job.map.presumed(pair[1].span.lo);
        let times = if times > 1 { format!(", {times} times") } else { String::new() };
        diagnostic =
            diagnostic.note(format!("`{callee}` was called by `{caller}` at {place}{times}"));
    }
    if more > 0 {
        diagnostic = diagnostic.note(format!("and {more} more calls"));
    }
    diagnostic
}

//! `vergo run`: executes a program with the interpreter.
//!
//! The exit status is the program's. A program that violates a property ends with 10, one that
//! aborts with 134, and one whose execution is undecided (a failed assumption, a limit, a missing
//! input, something unsupported) with 20.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgMatches, Args};
use vergo_driver::{
    Ended, NondetInputs, PropertySet, RunRequest, Schedule, Specification, Turns, World,
};

use crate::arguments::{CArgs, specification};
use crate::commands::smt2::seconds;
use crate::output::{self, Status};

/// The exit statuses of `vergo run`.
const STATUSES: &str = "Exit status: the program's own if it ends by itself; 134 if it aborts, 10 if it violates a \
                        property, 20 if the execution is undecided (a failed assumption, a limit, a missing input, \
                        something unsupported), 2 bad usage or input, 70 internal error.";

/// Arguments of `vergo run`.
#[derive(Args)]
#[command(after_help = STATUSES)]
pub(crate) struct Run {
    #[command(flatten)]
    c: CArgs,
    /// The properties whose violation ends the run: an SV-COMP property or its .prp file, or ids
    /// such as arith.conversion, separated by commas; by default everything that C leaves
    /// undefined. Assertions of the program and accesses without a meaning end it in any case.
    #[arg(long, value_name = "PROPERTY")]
    property: Option<String>,
    /// A file with the nondeterministic values, one a line, such as `i32 -5`; `-` is standard
    /// input. Without it they are zero.
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,
    /// Takes the nondeterministic values, and the turns of threads, from a seed.
    #[arg(long, value_name = "N", conflicts_with = "inputs")]
    seed: Option<u64>,
    /// The schedule of threads: a file with the number of a thread and of its steps on each line, a
    /// seed N, or pct:N for random priorities. Without it they take turns in order.
    #[arg(long, value_name = "FILE|N|pct:N")]
    schedule: Option<String>,
    /// Seconds that the program may take.
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Megabytes that the program's objects may take.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Elementary steps that the program may take.
    #[arg(long, value_name = "N")]
    steps: Option<u64>,
    /// Lets signed arithmetic wrap around, as gcc's -fwrapv does: its overflow is no violation.
    #[arg(long)]
    wrapv: bool,
    /// Prints what happens to standard error.
    #[arg(long)]
    trace: bool,
    /// The program's arguments.
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<std::ffi::OsString>,
}

impl Run {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let mut job = self.c.job(matches);
        let inputs = match (&self.inputs, self.seed) {
            (Some(path), _) => match read_text(path) {
                Ok(text) => NondetInputs::List(text),
                Err(error) => {
                    output::warn(&format!("cannot read `{}`: {error}", path.display()));
                    return Status::BadInput;
                }
            },
            (None, Some(seed)) => NondetInputs::Seed(seed),
            (None, None) => NondetInputs::Zero,
        };
        let properties = match self.property.as_deref().map(properties).transpose() {
            Ok(properties) => properties,
            Err(message) => {
                output::warn(&message);
                return Status::BadInput;
            }
        };
        let schedule = match self.schedule.as_deref().map(schedule).transpose() {
            Ok(schedule) => schedule.or(self.seed.map(Schedule::Seed)),
            Err(message) => {
                output::warn(&message);
                return Status::BadInput;
            }
        };
        let request = RunRequest {
            properties,
            inputs,
            arguments: self.arguments.iter().map(|a| a.as_encoded_bytes().to_vec()).collect(),
            timeout: self.timeout,
            memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
            steps: self.steps,
            schedule,
            wrapv: self.wrapv,
            trace: self.trace,
        };
        let mut trace = |line: String| output::note(&line);
        let files = self.c.inputs();
        let world = Box::new(Descriptors::default());
        let answer = vergo_driver::run(&mut job, &files, &request, world, &mut trace);
        output::diagnostics(&mut job);
        match answer {
            Err(failure) => failure.into(),
            Ok(Ended::Exited(status)) => Status::Program(status),
            Ok(Ended::Aborted) => Status::Program(134),
            Ok(Ended::Violation) => Status::False,
            Ok(Ended::Undecided) => Status::Unknown,
        }
    }
}

/// The properties that an argument names.
fn properties(argument: &str) -> Result<PropertySet, String> {
    match specification(argument)? {
        Specification::Claims(properties) => Ok(properties.set()),
        Specification::Other(name) => Err(format!("one run does not show whether {name} holds")),
    }
}

/// The schedule that an argument names.
fn schedule(argument: &str) -> Result<Schedule, String> {
    if let Ok(seed) = argument.parse() {
        return Ok(Schedule::Seed(seed));
    }
    if let Some(seed) = argument.strip_prefix("pct:").and_then(|seed| seed.parse().ok()) {
        return Ok(Schedule::Priorities { seed, changes: 3, among: 1000 });
    }
    let text = read_text(&argument.into())
        .map_err(|error| format!("cannot read the schedule `{argument}`: {error}"))?;
    let turns = Turns::parse(&text).map_err(|error| format!("`{argument}`: {error}"))?;
    Ok(Schedule::Recorded(turns))
}

fn read_text(path: &PathBuf) -> io::Result<String> {
    if path.as_os_str() == "-" {
        return io::read_to_string(io::stdin().lock());
    }
    std::fs::read_to_string(path)
}

/// The descriptors of this process. Output is gathered and leaves in large pieces, in order, and
/// before anything is read.
#[derive(Default)]
struct Descriptors {
    gathered: Vec<u8>,
}

impl Descriptors {
    fn flush(&mut self) -> bool {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(&self.gathered).and_then(|()| stdout.flush());
        self.gathered.clear();
        written.is_ok()
    }
}

impl World for Descriptors {
    fn write(&mut self, descriptor: i64, bytes: &[u8]) -> bool {
        match descriptor {
            1 => {
                self.gathered.extend_from_slice(bytes);
                self.gathered.len() < 1 << 16 || self.flush()
            }
            2 => self.flush() && io::stderr().write_all(bytes).is_ok(),
            _ => false,
        }
    }

    fn read(&mut self, descriptor: i64, buffer: &mut [u8]) -> Option<usize> {
        if descriptor != 0 {
            return None;
        }
        self.flush();
        io::stdin().lock().read(buffer).ok()
    }
}

impl Drop for Descriptors {
    fn drop(&mut self) {
        self.flush();
    }
}

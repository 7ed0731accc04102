//! The debug adapter: an execution walked forwards and backwards in the editor.
//!
//! A counterexample, or a plain run, is written down once ([`Recording`]); the adapter moves a cursor over it. What a step
//! changed is undone when the cursor goes back, so that every value shown is one that the interpreter had.

mod cursor;
mod values;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use vergo_driver::{
    CheckRequest, Input, Job, NondetInputs, Recording, RunRequest, Specification, TraceDetail,
    check, record_run,
};

use crate::reading::{Open, Reading};
use cursor::{Cursor, Stop};

/// The greatest time of an execution while it is recorded.
const TIME: Duration = Duration::from_secs(60);

/// Serves an editor until it disconnects.
///
/// # Errors
/// If its messages cannot be read or ours cannot be written.
pub fn serve(input: &mut dyn BufRead, output: &mut dyn Write) -> std::io::Result<()> {
    let mut adapter =
        Adapter { output, seq: 0, session: None, breakpoints: BTreeMap::new(), launch: None };
    while let Some(request) = wire::read(input)? {
        let command = request["command"].as_str().unwrap_or_default().to_owned();
        adapter.request(&command, &request)?;
        if matches!(command.as_str(), "disconnect" | "terminate") {
            break;
        }
    }
    Ok(())
}

/// The session: the execution that is being debugged.
struct Session {
    cursor: Cursor,
    recording: Recording,
}

struct Adapter<'a> {
    output: &'a mut dyn Write,
    seq: u64,
    session: Option<Session>,
    /// Lines by file.
    breakpoints: BTreeMap<PathBuf, BTreeSet<u32>>,
    /// The first stop, once the editor has said everything.
    launch: Option<Stop>,
}

impl Adapter<'_> {
    fn send(&mut self, mut message: Value) -> std::io::Result<()> {
        self.seq += 1;
        message["seq"] = json!(self.seq);
        wire::write(self.output, &message)
    }

    fn event(&mut self, event: &str, body: Value) -> std::io::Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    fn request(&mut self, command: &str, request: &Value) -> std::io::Result<()> {
        let arguments = &request["arguments"];
        let answer = self.answer(command, arguments);
        let is_ok = answer.is_ok();
        let mut response = json!({
            "type": "response", "request_seq": request["seq"], "command": command, "success": is_ok,
        });
        match answer {
            Ok(body) => response["body"] = body,
            Err(message) => {
                response["message"] = json!(message);
                response["body"] =
                    json!({ "error": { "id": 1, "format": message, "showUser": true } });
            }
        }
        self.send(response)?;
        if is_ok {
            self.after(command)?;
        }
        Ok(())
    }

    /// Sends the messages that follow an answer.
    fn after(&mut self, command: &str) -> std::io::Result<()> {
        match command {
            "initialize" => self.event("initialized", json!({})),
            "configurationDone" => match self.launch.take() {
                Some(Stop::Entry) => self.stopped(Stop::Entry),
                Some(_) => self.step("continue"),
                None => Ok(()),
            },
            "next" | "stepIn" | "stepOut" | "stepBack" | "continue" | "reverseContinue"
            | "goto" => self.step(command),
            "disconnect" | "terminate" => self.event("terminated", json!({})),
            _ => Ok(()),
        }
    }

    fn answer(&mut self, command: &str, arguments: &Value) -> Result<Value, String> {
        match command {
            "initialize" => Ok(json!({
                "supportsConfigurationDoneRequest": true,
                "supportsStepBack": true,
                "supportsEvaluateForHovers": true,
                "supportsExceptionInfoRequest": true,
                "supportsTerminateRequest": true,
            })),
            "launch" => self.launch(arguments).map(|()| json!({})),
            "setBreakpoints" => Ok(self.set_breakpoints(arguments)),
            "threads" => Ok(json!({ "threads": self.session()?.cursor.threads() })),
            "stackTrace" => {
                let thread = arguments["threadId"].as_u64().unwrap_or(1);
                let frames = self.session()?.cursor.stack(thread);
                let skip =
                    usize::try_from(arguments["startFrame"].as_u64().unwrap_or(0)).unwrap_or(0);
                let shown: Vec<Value> = frames.iter().skip(skip).cloned().collect();
                Ok(json!({ "stackFrames": shown, "totalFrames": frames.len() }))
            }
            "scopes" => {
                let frame = arguments["frameId"].as_u64().unwrap_or(0);
                Ok(json!({ "scopes": self.session()?.cursor.scopes(frame) }))
            }
            "variables" => {
                let reference = arguments["variablesReference"].as_u64().unwrap_or(0);
                Ok(json!({ "variables": self.session()?.cursor.variables(reference) }))
            }
            "evaluate" => {
                let session = self.session()?;
                let name = arguments["expression"].as_str().unwrap_or_default().trim();
                let found = session.cursor.value(arguments["frameId"].as_u64(), name);
                let mut row =
                    found.ok_or_else(|| format!("`{name}` has no value that was seen"))?;
                row["result"] = row["value"].take();
                Ok(row)
            }
            "exceptionInfo" => {
                let recording = &self.session()?.recording;
                Ok(json!({
                    "exceptionId": "violation", "description": recording.end, "breakMode": "always",
                }))
            }
            "continue" | "reverseContinue" => {
                self.session()?;
                Ok(json!({ "allThreadsContinued": true }))
            }
            "next" | "stepIn" | "stepOut" | "stepBack" => self.session().map(|_| json!({})),
            "configurationDone"
            | "setExceptionBreakpoints"
            | "setFunctionBreakpoints"
            | "disconnect"
            | "terminate"
            | "pause" => Ok(json!({})),
            _ => Err(format!("there is no request `{command}`")),
        }
    }

    fn session(&self) -> Result<&Session, String> {
        self.session.as_ref().ok_or_else(|| "nothing is being debugged".to_owned())
    }

    /// Writes down what is to be debugged.
    fn launch(&mut self, arguments: &Value) -> Result<(), String> {
        let text = |key: &str| arguments[key].as_str().filter(|text| !text.is_empty());
        let program = text("program").ok_or("`program` must name a C file")?;
        let path = std::path::absolute(program).map_err(|error| error.to_string())?;
        let reading = Reading::of(&path, &Open::new());
        let (inputs, project) = reading.program(&path);
        let mut job = reading.job;
        let recording = match text("mode").unwrap_or("counterexample") {
            "run" => {
                let inputs_file = text("inputs").map(std::fs::read_to_string).transpose();
                let values =
                    inputs_file.map_err(|error| format!("cannot read the inputs: {error}"))?;
                let request = RunRequest {
                    inputs: values.map_or(NondetInputs::Zero, NondetInputs::List),
                    timeout: Some(TIME),
                    ..RunRequest::default()
                };
                record_run(&mut job, &inputs, &request).map_err(|_| first_error(&job))?
            }
            "counterexample" => {
                let specification = match text("property") {
                    Some(name) => Specification::from_name(name)
                        .ok_or_else(|| format!("there is no property `{name}`"))?,
                    None => project.specification(),
                };
                let seconds = arguments["timeout"].as_f64().filter(|seconds| *seconds > 0.0);
                let request = CheckRequest {
                    specification,
                    entry: text("function").map(str::to_owned).or(project.function),
                    timeout: Some(seconds.map_or(TIME, Duration::from_secs_f64)),
                    trace: TraceDetail::Compact,
                    ..CheckRequest::default()
                };
                counterexample(
                    &mut job,
                    &inputs,
                    &request,
                    arguments["claim"].as_u64().unwrap_or(0),
                )?
            }
            other => {
                return Err(format!(
                    "there is no mode `{other}`; there are \"counterexample\" and \"run\""
                ));
            }
        };
        if recording.steps.is_empty() {
            return Err(format!("nothing was executed: {}", recording.end));
        }
        let mut cursor = Cursor::new(&job, &recording);
        let stop = match arguments["stopOnEntry"].as_bool() {
            Some(false) => Stop::Step,
            _ => Stop::Entry,
        };
        cursor.skip_to_first();
        self.session = Some(Session { cursor, recording });
        self.launch = Some(stop);
        Ok(())
    }

    fn set_breakpoints(&mut self, arguments: &Value) -> Value {
        let path = arguments["source"]["path"].as_str().unwrap_or_default();
        let asked = arguments["breakpoints"].as_array().cloned().unwrap_or_default();
        let lines =
            asked.iter().filter_map(|breakpoint| u32::try_from(breakpoint["line"].as_u64()?).ok());
        let lines: BTreeSet<u32> = lines.collect();
        let shown: Vec<Value> = asked
            .iter()
            .map(|breakpoint| json!({ "verified": true, "line": breakpoint["line"] }))
            .collect();
        self.breakpoints.insert(Path::new(path).to_owned(), lines);
        json!({ "breakpoints": shown })
    }

    /// Moves, and says where.
    fn step(&mut self, command: &str) -> std::io::Result<()> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let stop = match command {
            "next" => session.cursor.next(),
            "stepIn" => session.cursor.step_in(),
            "stepOut" => session.cursor.step_out(),
            "stepBack" => session.cursor.step_back(),
            "reverseContinue" => session.cursor.reverse_continue(&self.breakpoints),
            _ => session.cursor.run(&self.breakpoints),
        };
        self.stopped(stop)
    }

    fn stopped(&mut self, stop: Stop) -> std::io::Result<()> {
        let Some(session) = &self.session else { return Ok(()) };
        let thread = session.cursor.thread();
        let (end, violated) = (session.recording.end.clone(), session.recording.violated);
        let mut body = json!({ "threadId": thread, "allThreadsStopped": true });
        body["reason"] = json!(match stop {
            Stop::Entry => "entry",
            Stop::Step => "step",
            Stop::Breakpoint => "breakpoint",
            Stop::End if violated => "exception",
            Stop::End => "pause",
        });
        if stop == Stop::End {
            body["description"] = json!(if violated { "Violation" } else { "End" });
            body["text"] = json!(end);
            self.event("output", json!({ "category": "console", "output": format!("{end}\n") }))?;
        }
        self.event("stopped", body)
    }
}

fn counterexample(
    job: &mut Job,
    inputs: &[Input],
    request: &CheckRequest,
    claim: u64,
) -> Result<Recording, String> {
    let report = check(job, inputs, request, &|_| {}).map_err(|_| first_error(job))?;
    let claim = usize::try_from(claim).unwrap_or(usize::MAX);
    let violation = report.violations().nth(claim);
    let violation =
        violation.ok_or_else(|| format!("there is no counterexample: {}", report.answer.line()))?;
    Ok(report.recording(violation, TIME))
}

fn first_error(job: &Job) -> String {
    let error = job
        .diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity == vergo_source::Severity::Error);
    error.map_or_else(
        || "the input is no program".to_owned(),
        |error| format!("{}: {}", job.map.presumed(error.primary.lo), error.message),
    )
}

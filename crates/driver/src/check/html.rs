//! The report as a page: one file that needs no network, with claims, source, traces that can be stepped, and what was
//! assumed. The page's own code is in `html/`; this file writes the data that it shows.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Map, Value, json};
use vergo_evidence::execution::StepKind;
use vergo_source::{SourceMap, Span};

use super::json::location;
use super::report::{CheckReport, Violation};
use super::trace::TraceDetail;
use crate::recording::{Change, Value as Written};

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

impl CheckReport {
    /// The page.
    pub fn html(&self, map: &SourceMap) -> String {
        let mut places = Places::default();
        let traces: Vec<Value> =
            self.violations().map(|one| self.trace(map, one, &mut places)).collect();
        let report = self.json_value(map, true);
        let mut files = BTreeSet::new();
        files_in(&report, &mut files);
        places.list.iter().for_each(|place| files_in(place, &mut files));
        // What our models are made of is no source of the program.
        let sources: Map<String, Value> = files
            .into_iter()
            .filter(|file| !file.starts_with("<vergo>"))
            .filter_map(|file| {
                let text = String::from_utf8_lossy(map.shown_text(&file)?).into_owned();
                Some((file, Value::String(text)))
            })
            .collect();
        let data = json!({
            "report": report, "sources": sources, "places": places.list, "traces": traces,
        });
        // Nothing in the data can end the element that holds it.
        let data = data.to_string().replace('<', "\\u003c");
        PAGE.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", SCRIPT).replace("/*DATA*/", &data)
    }

    /// Every step of an execution, and the violation at its end.
    fn trace(&self, map: &SourceMap, violation: &Violation, places: &mut Places) -> Value {
        let lines = self.trace_lines(violation, TraceDetail::Full);
        let changes = self.changes(violation);
        let has_threads = lines.iter().any(|line| line.thread > 0);
        // Where the last step was, since what calls `main` is no part of the program.
        let (function, depth) =
            lines.last().map_or_else(Default::default, |line| (line.function.clone(), line.depth));
        let mut steps: Vec<Value> = Vec::with_capacity(lines.len() + 1);
        for line in lines {
            let mut step = json!({
                "at": places.number(map, line.span),
                "function": line.function,
                "depth": line.depth,
                "kind": line.kind,
                "text": line.text,
                "matters": line.matters,
            });
            if has_threads {
                step["thread"] = json!(line.thread);
            }
            if let Some((change, depth)) = changes.get(line.step).and_then(Option::as_ref) {
                // Calls around the program's are not shown.
                let shown = |of: usize| (of + line.depth).checked_sub(*depth);
                write_change(&mut step, change, shown);
            }
            steps.push(step);
        }
        let text = violation.message();
        if !violation.execution.steps.is_empty() {
            steps.push(json!({
                "at": places.number(map, violation.span()),
                "function": function,
                "depth": depth,
                "kind": "violation",
                "text": text,
                "matters": true,
            }));
        }
        Value::Array(steps)
    }
}

impl CheckReport {
    /// Returns the change of each step of an execution, and its depth; `None` where the recording is not about the same
    /// step.
    fn changes(&self, violation: &Violation) -> Vec<Option<(Change, usize)>> {
        /// The time that the execution may take once more.
        const TIME: Duration = Duration::from_secs(10);
        let mut recorded = self.recording(violation, TIME).steps.into_iter();
        let steps = violation.execution.steps.iter();
        steps
            .map(|step| {
                if matches!(step.what, StepKind::Checked | StepKind::Violated) {
                    return None;
                }
                let change = recorded.next()?;
                let is_same = (change.thread, change.depth, change.span)
                    == (step.thread, step.depth, step.span);
                is_same.then_some((change.change, step.depth))
            })
            .collect()
    }
}

/// Adds to a step what it changes; `shown` is the depth of a call as it is shown.
fn write_change(step: &mut Value, change: &Change, shown: impl Fn(usize) -> Option<usize>) {
    match change {
        Change::Wrote(written) => {
            step["name"] = json!(written.name);
            step["value"] = json!(written.value);
            if !written.parts.is_empty() {
                step["parts"] = parts(written);
            }
            if written.ty.ends_with('*') {
                step["pointer"] = json!(true);
            }
            if written.is_global {
                step["global"] = json!(true);
            }
            if let Some((thread, depth)) = written.owner {
                step["owner"] = json!([thread, shown(depth)]);
            }
            if let Some((object, part)) = &written.object {
                step["object"] = json!(object);
                step["part"] = json!(part);
            }
        }
        Change::Called(params) if !params.is_empty() && step["kind"] == json!("call") => {
            let params = params.iter().map(|one| json!([one.name, one.value, parts(one)]));
            step["params"] = params.collect();
        }
        Change::Freed(object) => step["freed"] = json!(object),
        _ => {}
    }
}

/// Returns the parts of a value.
fn parts(value: &Written) -> Value {
    value.parts.iter().map(|part| json!([part.path, part.value])).collect()
}

/// The places of steps. Many steps are at the same one, so a step has its number only.
#[derive(Default)]
struct Places {
    numbers: BTreeMap<(u32, u32), usize>,
    list: Vec<Value>,
}

impl Places {
    fn number(&mut self, map: &SourceMap, span: Span) -> usize {
        let list = &mut self.list;
        *self.numbers.entry((span.lo, span.hi)).or_insert_with(|| {
            list.push(location(map, span));
            list.len() - 1
        })
    }
}

/// The files that places in a value name.
fn files_in(value: &Value, files: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| files_in(value, files)),
        Value::Object(members) => {
            if let (Some(Value::String(file)), true) =
                (members.get("file"), members.contains_key("line"))
            {
                files.insert(file.clone());
            }
            members.values().for_each(|value| files_in(value, files));
        }
        _ => {}
    }
}

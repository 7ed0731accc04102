//! The report as a page: one file that needs no network, with claims, source, traces that can be stepped, and what was
//! assumed. The page's own code is in `html/`; this file writes the data that it shows.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use vergo_source::{SourceMap, Span};

use super::json::location;
use super::report::{CheckReport, Violation};
use super::trace::TraceDetail;

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
        let sources: Map<String, Value> = files
            .into_iter()
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
            if let Some((name, value)) = line.written {
                step["name"] = json!(name);
                step["value"] = json!(value);
            }
            if let Some((object, part)) = line.object {
                step["object"] = json!(object);
                step["part"] = json!(part);
            }
            if line.kind == "free" {
                step["freed"] = json!(line.text.strip_suffix(" is freed"));
            }
            steps.push(step);
        }
        let explanation = &violation.execution.explanation;
        let claim = violation.counterexample.claim();
        let parts = [&claim.description, &explanation.here, &explanation.reason];
        let parts: Vec<&str> =
            parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        let text = parts.join(": ");
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

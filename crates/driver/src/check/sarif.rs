//! The report as SARIF 2.1.0, the form that code hosts and editors show.
//!
//! Each property is a rule, related to its CWE; a violated claim is a failure with its steps as a code flow, a claim of
//! which nothing is known is open for review.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use vergo_passes::properties::PropertyId;
use vergo_source::{SourceMap, Span};

use super::baseline::Baseline;
use super::report::{CheckReport, ClaimReport, ClaimStatus, Violation};
use super::trace::TraceDetail;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

impl CheckReport {
    /// The report as SARIF text; what a baseline accepts is marked.
    pub fn sarif(&self, map: &SourceMap, baseline: Option<&Baseline>) -> String {
        let mut cwes: Vec<u32> =
            self.properties.names.iter().filter_map(|(id, _)| id.info().cwe).collect();
        cwes.sort_unstable();
        cwes.dedup();
        let rules: Vec<Value> =
            self.properties.names.iter().map(|(id, _)| rule(*id, &cwes)).collect();
        let results: Vec<Value> = self
            .claims
            .iter()
            .zip(self.fingerprints(map))
            .filter_map(|(claim, fingerprint)| {
                let mut result = self.result(map, claim)?;
                // Lines move, so what identifies a claim from run to run is what it says about which text.
                result["partialFingerprints"] = json!({ "vergoClaim/v1": fingerprint });
                if let Some(baseline) = baseline {
                    let is_known = baseline.contains(&fingerprint);
                    result["baselineState"] = json!(if is_known { "unchanged" } else { "new" });
                    if is_known {
                        result["suppressions"] =
                            json!([{ "kind": "external", "status": "accepted" }]);
                    }
                }
                Some(result)
            })
            .collect();
        let artifacts: Vec<Value> = self
            .files
            .iter()
            .map(|file| json!({ "location": { "uri": uri(&file.name) }, "hashes": { "sha-256": file.sha256 } }))
            .collect();
        let taxa: Vec<Value> = cwes.iter().map(|cwe| json!({ "id": cwe.to_string() })).collect();
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "Vergo",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                    "supportedTaxonomies": [{ "name": "CWE", "index": 0 }],
                } },
                "taxonomies": [{
                    "name": "CWE",
                    "organization": "MITRE",
                    "shortDescription": { "text": "Common Weakness Enumeration" },
                    "taxa": taxa,
                }],
                "artifacts": artifacts,
                "columnKind": "unicodeCodePoints",
                "results": results,
                "properties": { "verdict": self.answer.line() },
            }],
        });
        let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
        text.push('\n');
        text
    }

    fn result(&self, map: &SourceMap, claim: &ClaimReport) -> Option<Value> {
        let site = &claim.site;
        let property = PropertyId::from_id(&site.claim.property)?;
        let rule = self.properties.names.iter().position(|(id, _)| *id == property)?;
        let mut result = json!({ "ruleId": property.info().id, "ruleIndex": rule });
        let (span, text) = match &claim.status {
            ClaimStatus::Holds | ClaimStatus::NotChecked => return None,
            ClaimStatus::Unknown(reason) => {
                result["kind"] = json!("open");
                result["level"] = json!("none");
                (site.span, format!("{}: not decided, {reason}", site.claim.description))
            }
            ClaimStatus::Violated(violation) => {
                result["kind"] = json!("fail");
                result["level"] = json!("error");
                let flows = self.thread_flows(map, violation, &violation.headline());
                if !flows.is_empty() {
                    result["codeFlows"] = json!([{ "threadFlows": flows }]);
                }
                let explanation = &violation.execution.explanation;
                let related: Vec<Value> = explanation
                    .places
                    .iter()
                    .filter_map(|(span, text)| location(map, *span, Some(text)))
                    .collect();
                if !related.is_empty() {
                    result["relatedLocations"] = json!(related);
                }
                (violation.span(), violation.message())
            }
        };
        result["message"] = json!({ "text": text });
        result["locations"] = json!(location(map, span, None).into_iter().collect::<Vec<_>>());
        Some(result)
    }

    /// The steps of a violation, and the violation at their end: a flow for each thread, with the order of all steps if
    /// there are several.
    fn thread_flows(&self, map: &SourceMap, violation: &Violation, claim: &str) -> Vec<Value> {
        let lines = self.trace_lines(violation, TraceDetail::Compact);
        let last_thread = violation.execution.steps.last().map_or(0, |step| step.thread);
        let mut steps: Vec<(usize, Value)> = lines
            .iter()
            .filter_map(|line| {
                let location = location(map, line.span, Some(&line.text))?;
                let step = json!({ "location": location, "nestingLevel": line.depth });
                Some((line.thread, step))
            })
            .collect();
        let last = location(map, violation.span(), Some(claim));
        steps.extend(last.map(|location| (last_thread, json!({ "location": location }))));
        let threads: BTreeSet<usize> = steps.iter().map(|(thread, _)| *thread).collect();
        if threads.len() > 1 {
            for (i, (_, step)) in steps.iter_mut().enumerate() {
                step["executionOrder"] = json!(i + 1);
            }
        }
        let flow = |&thread: &usize| {
            let own = steps.iter().filter(|(of, _)| *of == thread);
            let locations: Vec<&Value> = own.map(|(_, step)| step).collect();
            match threads.len() {
                1 => json!({ "locations": locations }),
                _ => json!({ "id": format!("thread {thread}"), "locations": locations }),
            }
        };
        threads.iter().map(flow).collect()
    }
}

fn rule(property: PropertyId, cwes: &[u32]) -> Value {
    let info = property.info();
    let mut rule = json!({
        "id": info.id,
        "name": info.id,
        "shortDescription": { "text": info.title },
        "defaultConfiguration": { "level": "error" },
    });
    if let Some(cwe) = info.cwe {
        let index = cwes.binary_search(&cwe).unwrap_or(0);
        let target = json!({ "id": cwe.to_string(), "index": index, "toolComponent": { "name": "CWE", "index": 0 } });
        rule["relationships"] = json!([{ "target": target, "kinds": ["superset"] }]);
        rule["properties"] = json!({ "tags": ["security", format!("external/cwe/cwe-{cwe}")] });
    }
    rule
}

fn location(map: &SourceMap, span: Span, message: Option<&str>) -> Option<Value> {
    let (start, end) = (map.presumed(span.lo), map.presumed(span.hi));
    if start.line == 0 {
        return None;
    }
    let mut region = json!({ "startLine": start.line, "startColumn": start.column });
    if end.file == start.file && (end.line, end.column) > (start.line, start.column) {
        region["endLine"] = json!(end.line);
        region["endColumn"] = json!(end.column);
    }
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&start.file) },
            "region": region,
        },
    });
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    Some(location)
}

/// A file name as a reference: what a URI cannot have is escaped.
fn uri(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' => {
                out.push(byte as char);
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

//! The report as JSON. `docs/report.schema.json` says what it looks like; `docs/json.md` explains it.

use serde_json::{Value, json};
use vergo_evidence::race::RaceAccess;
use vergo_source::{SourceMap, Span};

use super::report::{Answer, CheckReport, ClaimStatus, Violation};
use super::trace::TraceDetail;

/// The version of the form; it changes when a key goes away or changes its meaning.
const VERSION: u32 = 1;

impl CheckReport {
    /// The report as JSON text. Statistics are the only part that differs from run to run, so they are left out unless
    /// they are asked for.
    pub fn json(&self, map: &SourceMap, statistics: bool) -> String {
        let report = self.json_value(map, statistics);
        let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The report as a JSON value.
    pub(super) fn json_value(&self, map: &SourceMap, statistics: bool) -> Value {
        let counterexamples: Vec<Value> =
            self.violations().map(|violation| self.counterexample(map, violation)).collect();
        let claims = self.claim_values(map);
        let count =
            |word: &str| self.claims.iter().filter(|claim| claim.status.word() == word).count();
        let mut report = json!({
            "format": "vergo-report",
            "version": VERSION,
            "tool": { "name": "vergo", "version": env!("CARGO_PKG_VERSION") },
            "task": {
                "files": self.files.iter().map(|file| json!({
                    "name": file.name,
                    "sha256": file.sha256,
                })).collect::<Vec<_>>(),
                "data_model": self.model_name(),
                "entry": self.entry,
                "engine": self.engine,
                "properties": self.properties.names.iter().map(|(id, _)| id.info().id).collect::<Vec<_>>(),
                "specification": self.properties.text,
            },
            "verdict": verdict(&self.answer),
            "summary": {
                "violated": count("violated"),
                "unknown": count("unknown"),
                "not_checked": count("not checked"),
                "holds": count("holds"),
            },
            "certificate": self.certificate.as_ref().map(|certificate| {
                let bounds = certificate.bounds();
                let checked = certificate.checked();
                json!({
                    "kind": certificate.kind(),
                    "text": certificate.to_string(),
                    "checked": {
                        "how": checked.how,
                        "clauses": checked.clauses,
                        "steps": checked.steps,
                    },
                    "unwind": bounds.map(|bounds| bounds.unwind),
                    "recursion": bounds.map(|bounds| bounds.recursion),
                    "invariant": self.invariant().map(|invariant| &invariant.formula),
                    "loops": self.invariant().map(|invariant| {
                        invariant.loops.iter().map(|at| json!({
                            "location": location(map, at.span),
                            "function": at.function,
                            "invariant": at.text,
                        })).collect::<Vec<_>>()
                    }),
                })
            }),
            "second_look": self.second_look,
            "claims": claims,
            "counterexamples": counterexamples,
            "assumptions": self.assumptions.iter().map(|assumption| json!({
                "id": assumption.id,
                "text": assumption.text,
                "benign": assumption.benign,
                "allowed": assumption.allowed,
            })).collect::<Vec<_>>(),
            "faults": self.faults,
        });
        if statistics {
            report["statistics"] = self.statistics_json();
            if let Some(certificate) = &self.certificate {
                let seconds = certificate.checked().time.as_secs_f64();
                report["statistics"]["seconds"]["evidence"] = json!(seconds);
            }
        }
        report
    }

    /// The claims; those that are violated have the numbers of their counterexamples.
    fn claim_values(&self, map: &SourceMap) -> Vec<Value> {
        let mut next = 0;
        self.claims
            .iter()
            .zip(self.fingerprints(map))
            .map(|(claim, fingerprint)| {
                let site = &claim.site;
                // What is violated is so where the user's own code is.
                let (span, function, description) = match &claim.status {
                    ClaimStatus::Violated(one) => (one.span(), one.function(), one.headline()),
                    _ => (site.span, None, site.claim.description.clone()),
                };
                let mut value = json!({
                    "property": site.claim.property,
                    "description": description,
                    "cwe": site.claim.cwe,
                    "location": location(map, span),
                    "function": self.function_name(function.unwrap_or(&site.function)),
                    "library": site.library,
                    "status": claim.status.word(),
                    "fingerprint": fingerprint,
                });
                match &claim.status {
                    ClaimStatus::Unknown(reason) => value["reason"] = json!(reason.to_string()),
                    ClaimStatus::Violated(_) => {
                        value["counterexample"] = json!(next);
                        next += 1;
                    }
                    ClaimStatus::Holds | ClaimStatus::NotChecked => {}
                }
                value
            })
            .collect()
    }

    fn counterexample(&self, map: &SourceMap, violation: &Violation) -> Value {
        let counterexample = &violation.counterexample;
        let inputs: Vec<Value> = counterexample
            .inputs()
            .iter()
            .map(|input| {
                let line = input.value.to_line(input.ty);
                let (ty, value) = line.split_once(' ').unwrap_or(("", &line));
                json!({
                    "type": ty,
                    "value": value,
                    "location": location(map, input.span),
                    "function": self.function_name(&input.function),
                })
            })
            .collect();
        let calls: Vec<Value> = violation
            .calls()
            .map(|call| {
                json!({
                    "function": call.function,
                    "library": call.library,
                    "location": location(map, call.span),
                })
            })
            .collect();
        let steps: Vec<Value> = self
            .trace_lines(violation, TraceDetail::Compact)
            .iter()
            .map(|line| {
                json!({
                    "kind": line.kind,
                    "text": line.text,
                    "depth": line.depth,
                    "thread": line.thread,
                    "function": line.function,
                    "location": location(map, line.span),
                })
            })
            .collect();
        let explanation = &violation.execution.explanation;
        let mut value = json!({
            "property": counterexample.claim().property,
            "message": violation.message(),
            "name": self.properties.verdict_name(&counterexample.claim().property),
            "location": location(map, violation.span()),
            "values": explanation.values.iter().map(|(name, value)| json!({
                "name": name,
                "value": value,
            })).collect::<Vec<_>>(),
            "places": explanation.places.iter().map(|(span, text)| json!({
                "text": text,
                "location": location(map, *span),
            })).collect::<Vec<_>>(),
            "inputs": inputs,
            "calls": calls,
            "steps": steps,
        });
        if !explanation.reason.is_empty() {
            value["reason"] = json!(explanation.reason);
        }
        if let Some(race) = &violation.execution.race {
            let access = |access: &RaceAccess| {
                json!({
                    "thread": access.thread,
                    "access": if access.writes { "write" } else { "read" },
                    "expression": access.what,
                    "function": self.program.functions[access.function].display,
                    "location": location(map, access.span),
                })
            };
            value["race"] = race.accesses.iter().map(access).collect();
        }
        value
    }

    fn statistics_json(&self) -> Value {
        let stats = &self.statistics;
        let effort = &stats.effort;
        let solver = &effort.solver;
        json!({
            "seconds": {
                "front_end": stats.stages.front_end.as_secs_f64(),
                "lowering": stats.stages.lowering.as_secs_f64(),
                "passes": stats.passes.as_secs_f64(),
                "symbolic_execution": effort.symex_time.as_secs_f64(),
                "terms_to_clauses": (solver.blast_time.saturating_sub(solver.sat.intake)).as_secs_f64(),
                "array_lemmas": solver.array_time.as_secs_f64(),
                "sat": (solver.sat.intake + solver.sat.time).as_secs_f64(),
                "replay": effort.replay_time.as_secs_f64(),
                "traces": stats.traces.as_secs_f64(),
                "total": stats.total.as_secs_f64(),
                "cpu": stats.cpu.map(|time| time.as_secs_f64()),
            },
            "slice": stats.slice.map(|slice| json!({
                "before": slice.before, "after": slice.after, "seconds": slice.time.as_secs_f64(),
            })),
            "work": stats.work,
            "bound": effort.unwind,
            "obligations": effort.obligations,
            "terms": effort.terms,
            "gates": solver.gates,
            "variables": solver.sat.vars,
            "clauses": solver.sat.clauses,
            "queries": solver.checks,
            "conflicts": solver.sat.conflicts,
            "pruning_queries": effort.prune_queries,
            "pruned": effort.pruned,
            "loops": effort.loops,
            "search": {
                "bound": effort.search.bound,
                "convergence": effort.search.convergence,
                "interpolants": effort.search.interpolants,
                "interpolant_atoms": effort.search.interpolant_atoms,
                "iterations": effort.search.iterations,
                "global_iterations": effort.search.global_iterations,
                "queries": effort.search.queries,
                "lemmas": effort.search.lemmas,
            },
        })
    }
}

fn verdict(answer: &Answer) -> Value {
    match answer {
        Answer::True => json!({ "result": "true", "property": null, "reason": null }),
        Answer::False(name) => json!({ "result": "false", "property": name, "reason": null }),
        Answer::Unknown(reason) => {
            json!({ "result": "unknown", "property": null, "reason": reason.to_string() })
        }
    }
}

/// A place; null for what no source text stands for.
pub(super) fn location(map: &SourceMap, span: Span) -> Value {
    let (start, end) = (map.presumed(span.lo), map.presumed(span.hi));
    if start.line == 0 {
        return Value::Null;
    }
    json!({
        "file": start.file.to_string(),
        "line": start.line,
        "column": start.column,
        "end_line": end.line.max(start.line),
        "end_column": end.column.max(1),
    })
}

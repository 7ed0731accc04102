//! The report for people: a diagnostic for each violation, the table of claims, what was assumed, what it took.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use vergo_evidence::Reason;
use vergo_passes::properties::PropertyId;
use vergo_source::{Diagnostic, SourceMap};

use super::report::{Answer, CheckReport, ClaimReport, ClaimStatus, Statistics, Violation};

/// A value in a line, without its end if it is long.
fn shortened(mut line: String) -> String {
    const LONGEST: usize = 60;
    if let Some((end, _)) = line.char_indices().nth(LONGEST) {
        line.truncate(end);
        line.push_str("...");
    }
    line
}

impl CheckReport {
    /// A violation as a diagnostic: what, where, through which calls, on which inputs.
    pub fn diagnostic(&self, violation: &Violation) -> Diagnostic {
        let counterexample = &violation.counterexample;
        let claim = counterexample.claim();
        let code = crate::codes::VIOLATION;
        let mut diagnostic = Diagnostic::error(code, violation.span(), violation.headline());
        let explanation = &violation.execution.explanation;
        if !explanation.here.is_empty() {
            diagnostic = diagnostic.primary_label(explanation.here.clone());
        }
        for (span, text) in &explanation.places {
            diagnostic = diagnostic.label(*span, text.clone());
        }
        let cwe = claim.cwe.map(|cwe| format!(" (CWE-{cwe})")).unwrap_or_default();
        diagnostic = diagnostic.note(format!("violates {}{cwe}", claim.property));
        let mut calls: Vec<&str> = violation.calls().map(|call| call.function.as_str()).collect();
        calls.reverse();
        if calls.len() > 1 {
            diagnostic = diagnostic.note(format!("calls: {}", calls.join(" > ")));
        }
        if !explanation.values.is_empty() {
            let values = explanation.values.iter().map(|(name, value)| format!("{name} = {value}"));
            diagnostic = diagnostic.note(format!("here {}", values.collect::<Vec<_>>().join(", ")));
        }
        if !explanation.reason.is_empty() {
            diagnostic = diagnostic.note(explanation.reason.clone());
        }
        for note in self.input_notes(violation) {
            diagnostic = diagnostic.note(note);
        }
        diagnostic
    }

    /// Returns the choices of a violation's execution: the arguments of `main`, and the inputs that the program asks
    /// for.
    pub fn input_notes(&self, violation: &Violation) -> Vec<String> {
        const SHOWN: usize = 16;
        let counterexample = &violation.counterexample;
        let arguments = self.arguments_line(counterexample);
        let mut notes: Vec<String> =
            arguments.into_iter().map(|line| format!("arguments: {line}")).collect();
        let inputs = self.own_inputs(counterexample);
        if !inputs.is_empty() {
            let shown = inputs.iter().take(SHOWN);
            let mut values: Vec<String> =
                shown.map(|input| shortened(input.value.to_line(input.ty))).collect();
            if inputs.len() > SHOWN {
                values.push(format!("and {} more", inputs.len() - SHOWN));
            }
            notes.push(format!("inputs: {}", values.join(", ")));
        }
        notes
    }

    /// The table of claims, by property; those that hold are counted, and listed only if they are asked for.
    pub fn table(&self, map: &SourceMap, lists_safe: bool) -> String {
        let mut groups: BTreeMap<&str, Vec<&ClaimReport>> = BTreeMap::new();
        for claim in &self.claims {
            groups.entry(claim.site.claim.property.as_str()).or_default().push(claim);
        }
        let width = groups.keys().map(|id| id.len()).max().unwrap_or(0);
        let shared = self.shared_reason();
        let mut out = String::new();
        for (id, claims) in groups {
            let title = PropertyId::from_id(id).map_or("", |property| property.info().title);
            let _ = writeln!(out, "{id:width$}  {}  ({title})", counts(&claims));
            let mut n_open = 0;
            for claim in claims {
                match &claim.status {
                    ClaimStatus::Holds if !lists_safe => {}
                    // Nobody has to read what is not violated in the library.
                    ClaimStatus::Holds if claim.site.library => {}
                    ClaimStatus::Unknown(_) if claim.site.library => n_open += 1,
                    _ => {
                        let _ = writeln!(out, "  {}", self.row(map, claim, shared));
                    }
                }
            }
            if n_open > 0 {
                let _ = writeln!(out, "  and {n_open} in the library that nothing is known of");
            }
        }
        if let Some(reason) = shared {
            let _ = writeln!(out, "\nUnknown because of: {reason}");
        }
        out
    }

    /// Why nothing is known of some claims, if it is the same for all of them and the verdict does not say it.
    fn shared_reason(&self) -> Option<&Reason> {
        let mut reasons = self.claims.iter().filter_map(|claim| match &claim.status {
            ClaimStatus::Unknown(reason) => Some(reason),
            _ => None,
        });
        let first = reasons.next()?;
        let is_said = self.answer == Answer::Unknown(first.clone());
        (!is_said && reasons.all(|reason| reason == first)).then_some(first)
    }

    /// Prints the assumptions, one line each.
    pub fn assumption_lines(&self) -> String {
        let line = |assumption: &super::Assumption| {
            let mark = match (assumption.benign, assumption.allowed) {
                (true, _) => "",
                (false, true) => "not benign, but allowed: ",
                (false, false) => "not benign: ",
            };
            format!("  {mark}{}\n", assumption.text)
        };
        self.assumptions.iter().map(line).collect()
    }

    /// Prints the cost, one line each; `peak` is the most memory that was used.
    pub fn statistics_lines(&self, peak: Option<u64>) -> String {
        let mut lines = self.statistics.lines(peak);
        for certificate in self.certificate.iter().chain(&self.by_groups) {
            let checked = certificate.checked();
            let share = checked.time.as_secs_f64() / self.statistics.total.as_secs_f64().max(1e-9);
            let share = (share * 100.0).round().min(100.0);
            let _ = writeln!(
                lines,
                "  checked: {}: {checked}, {share} % of the time",
                certificate.kind()
            );
        }
        lines
    }
}

impl Statistics {
    /// Prints the statistics of a check, one line each; `peak` is the most memory that was used.
    pub fn lines(&self, peak: Option<u64>) -> String {
        let stats = self;
        let effort = &stats.effort;
        let solver = &effort.solver;
        let time = |time: Duration| format!("{:.3} s", time.as_secs_f64());
        let mut rows: Vec<(&str, String)> = vec![
            ("front end", time(stats.stages.front_end)),
            ("lowering", time(stats.stages.lowering)),
            ("passes", time(stats.passes)),
            ("symbolic execution", time(effort.symex_time)),
            ("terms to clauses", time(solver.blast_time.saturating_sub(solver.sat.intake))),
            ("array lemmas", time(solver.array_time)),
            ("SAT: clauses", time(solver.sat.intake)),
            ("SAT: search", time(solver.sat.time)),
            ("replay", time(effort.replay_time)),
            ("traces", time(stats.traces)),
            ("total", time(stats.total)),
            ("work", format!("{:.3}", stats.work as f64 / 1e9)),
            ("bound", effort.unwind.to_string()),
            ("obligations", effort.obligations.to_string()),
            ("terms", effort.terms.to_string()),
            ("gates", solver.gates.to_string()),
            ("variables", solver.sat.vars.to_string()),
            ("clauses", solver.sat.clauses.to_string()),
            ("queries", solver.checks.to_string()),
            ("conflicts", solver.sat.conflicts.to_string()),
            ("pruning queries", effort.prune_queries.to_string()),
            ("pruned", effort.pruned.to_string()),
        ];
        if let Some(slice) = &stats.slice {
            let share = 100.0 * slice.after as f64 / slice.before.max(1) as f64;
            rows.insert(3, ("slicing", time(slice.time)));
            let text = format!("{} of {} instructions ({share:.1} %)", slice.after, slice.before);
            rows.insert(4, ("slice", text));
        }
        let search = &effort.search;
        if search.queries > 0 {
            rows.extend([
                ("unrolling bound", search.bound.to_string()),
                ("convergence length", search.convergence.to_string()),
                ("interpolants", search.interpolants.to_string()),
                ("atoms in them", search.interpolant_atoms.to_string()),
                ("iterations", search.iterations.to_string()),
                ("of them global", search.global_iterations.to_string()),
                ("search queries", search.queries.to_string()),
                ("lemmas", search.lemmas.to_string()),
            ]);
        }
        if let Some(peak) = peak {
            rows.push(("memory", format!("{} MB", peak >> 20)));
        }
        rows.iter().map(|(name, value)| format!("  {name:20}{value:>12}\n")).collect()
    }
}

fn counts(claims: &[&ClaimReport]) -> String {
    let count = |word: &str| claims.iter().filter(|claim| claim.status.word() == word).count();
    let mut parts: Vec<String> = Vec::new();
    for word in ["violated", "unknown", "not checked"] {
        if count(word) > 0 {
            parts.push(format!("{} {word}", count(word)));
        }
    }
    match count("holds") {
        0 => {}
        n => parts.push(format!("{n} safe")),
    }
    parts.join(", ")
}

impl CheckReport {
    /// A claim in a line: what is said is what would go wrong.
    fn row(&self, map: &SourceMap, claim: &ClaimReport, shared: Option<&Reason>) -> String {
        let site = &claim.site;
        let word = match &claim.status {
            ClaimStatus::Holds => "safe",
            other => other.word(),
        };
        // What goes wrong in the library does so where the user's code calls it.
        let place = match &claim.status {
            ClaimStatus::Violated(violation) => {
                let function = self.function_name(violation.function().unwrap_or(&site.function));
                format!("{} in {function}", map.presumed(violation.span().lo))
            }
            _ if self.function_name(&site.function) != site.function => "whole program".to_owned(),
            _ if site.library => format!("library in {}", site.function),
            _ => format!("{} in {}", map.presumed(site.span.lo), site.function),
        };
        let what = match &claim.status {
            ClaimStatus::Violated(violation) => violation.headline(),
            _ => site.claim.description.clone(),
        };
        let mut text = format!("{word:11} {place}: {what}");
        // A reason that is that of the verdict stands there.
        if let ClaimStatus::Unknown(reason) = &claim.status
            && self.answer != Answer::Unknown(reason.clone())
            && shared != Some(reason)
        {
            let _ = write!(text, " ({reason})");
        }
        text
    }
}

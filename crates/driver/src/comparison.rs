//! Two reports of `vergo check --json` side by side: which violations are new, which are gone, which are still there.
//!
//! A claim is the same in both if its fingerprint is: its property, its function and the text that it is about. Lines do
//! not count, so that edits above a claim change nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

/// A violation of either report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparedClaim {
    /// The fingerprint.
    pub fingerprint: String,
    /// The property.
    pub property: String,
    /// Where it is, in the newer report that has it: `a.c:3:5 in main`.
    pub place: String,
    /// The claim.
    pub description: String,
    /// Its status in the newer report.
    pub now: String,
}

/// The changes from one report to another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comparison {
    /// Violated now, and not before.
    pub new: Vec<ComparedClaim>,
    /// Violated before, and not now.
    pub fixed: Vec<ComparedClaim>,
    /// Violated before, and now nobody knows.
    pub undecided: Vec<ComparedClaim>,
    /// Violated before and now.
    pub still_there: Vec<ComparedClaim>,
    /// The verdicts, before and now.
    pub verdicts: [String; 2],
}

/// Compares the texts of two reports, the older one first.
///
/// # Errors
/// If one of them is no report: which (0 or 1), and why.
pub fn compare_reports(old: &str, new: &str) -> Result<Comparison, (usize, String)> {
    let old = Report::read(old).map_err(|message| (0, message))?;
    let new = Report::read(new).map_err(|message| (1, message))?;
    let mut comparison =
        Comparison { verdicts: [old.verdict, new.verdict], ..Comparison::default() };
    for (fingerprint, claim) in &new.claims {
        if claim.now != VIOLATED {
            continue;
        }
        let before = old.claims.get(fingerprint);
        let was_violated = before.is_some_and(|claim| claim.now == VIOLATED);
        let list = match was_violated {
            true => &mut comparison.still_there,
            false => &mut comparison.new,
        };
        list.push(claim.clone());
    }
    for (fingerprint, claim) in old.claims.into_iter().filter(|(_, claim)| claim.now == VIOLATED) {
        match new.claims.get(&fingerprint) {
            Some(now) if now.now == VIOLATED => {}
            Some(now) if now.now == "holds" => comparison.fixed.push(now.clone()),
            Some(now) => comparison.undecided.push(now.clone()),
            None => comparison.fixed.push(ComparedClaim { now: "gone".to_owned(), ..claim }),
        }
    }
    for list in [
        &mut comparison.new,
        &mut comparison.fixed,
        &mut comparison.undecided,
        &mut comparison.still_there,
    ] {
        list.sort_by(|a, b| (&a.place, &a.property).cmp(&(&b.place, &b.property)));
    }
    Ok(comparison)
}

const VIOLATED: &str = "violated";

struct Report {
    claims: BTreeMap<String, ComparedClaim>,
    verdict: String,
}

impl Report {
    fn read(text: &str) -> Result<Report, String> {
        let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let text = |value: &Value, key: &str| {
            value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        if text(&document, "format") != "vergo-report" {
            return Err("it is not a report of `vergo check --json`".to_owned());
        }
        let claims = document.get("claims").and_then(Value::as_array);
        let mut found = BTreeMap::new();
        for claim in claims.ok_or("`claims` is missing")? {
            let fingerprint = text(claim, "fingerprint");
            if fingerprint.is_empty() {
                return Err("a claim has no `fingerprint`; the report is too old".to_owned());
            }
            let location = claim.get("location");
            let number = |key: &str| location.and_then(|at| at.get(key)).and_then(Value::as_u64);
            let file = location.map(|at| text(at, "file")).unwrap_or_default();
            let place = match (number("line"), number("column")) {
                (Some(line), Some(column)) => format!("{file}:{line}:{column} in "),
                _ => String::new(),
            };
            let place = format!("{place}{}", text(claim, "function"));
            let compared = ComparedClaim {
                fingerprint: fingerprint.clone(),
                property: text(claim, "property"),
                place,
                description: text(claim, "description"),
                now: text(claim, "status"),
            };
            found.insert(fingerprint, compared);
        }
        let verdict = document.get("verdict").cloned().unwrap_or_default();
        let details = [text(&verdict, "property"), text(&verdict, "reason")];
        let detail = details.iter().find(|detail| !detail.is_empty());
        let verdict = match detail {
            Some(detail) => format!("{}({detail})", text(&verdict, "result")),
            None => text(&verdict, "result"),
        };
        Ok(Report { claims: found, verdict })
    }
}

impl Comparison {
    fn lists(&self) -> [(&'static str, &[ComparedClaim]); 4] {
        [
            ("new", &self.new),
            ("fixed", &self.fixed),
            ("no longer decided", &self.undecided),
            ("still there", &self.still_there),
        ]
    }

    /// The comparison for people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (title, list) in self.lists().into_iter().filter(|(_, list)| !list.is_empty()) {
            let _ = writeln!(out, "{title}:");
            for claim in list {
                let gone = if claim.now == "gone" { " (the claim is gone)" } else { "" };
                let ComparedClaim { place, description, property, .. } = claim;
                let _ = writeln!(out, "  {place}: {description} [{property}]{gone}");
            }
        }
        let counts: Vec<String> =
            self.lists().iter().map(|(title, list)| format!("{} {title}", list.len())).collect();
        let [before, now] = &self.verdicts;
        let _ = writeln!(out, "{}; the verdict was {before} and is {now}", counts.join(", "));
        out
    }

    /// The comparison for machines.
    pub fn json(&self) -> String {
        let list = |claims: &[ComparedClaim]| -> Vec<Value> {
            let row = |claim: &ComparedClaim| {
                json!({
                    "fingerprint": claim.fingerprint,
                    "property": claim.property,
                    "place": claim.place,
                    "description": claim.description,
                    "now": claim.now,
                })
            };
            claims.iter().map(row).collect()
        };
        let document = json!({
            "format": "vergo-comparison",
            "version": 1,
            "verdicts": { "before": self.verdicts[0], "now": self.verdicts[1] },
            "new": list(&self.new),
            "fixed": list(&self.fixed),
            "undecided": list(&self.undecided),
            "still_there": list(&self.still_there),
        });
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        text
    }
}

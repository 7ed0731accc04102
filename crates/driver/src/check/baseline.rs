//! Findings that were accepted, so that only new ones fail a build.
//!
//! A finding is known by its property, its function and the text that it is about, not by its line: edits elsewhere do not make
//! an accepted finding new. A verdict stays what it is; the baseline says only who has to look at it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use vergo_evidence::sha256::sha256_hex;
use vergo_source::SourceMap;

use super::report::{CheckReport, ClaimReport, ClaimStatus};

/// Accepted findings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Baseline {
    fingerprints: BTreeSet<String>,
}

impl Baseline {
    /// Reads the text of a baseline file.
    ///
    /// # Errors
    /// If it is something else; the message says why.
    pub fn read(text: &str) -> Result<Baseline, String> {
        let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if document.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(format!("it is not a baseline: `format` is not \"{FORMAT}\""));
        }
        let accepted =
            document.get("accepted").and_then(Value::as_array).ok_or("`accepted` is missing")?;
        let mut fingerprints = BTreeSet::new();
        for finding in accepted {
            let fingerprint = finding.get("fingerprint").and_then(Value::as_str);
            fingerprints.insert(fingerprint.ok_or("a finding has no `fingerprint`")?.to_owned());
        }
        Ok(Baseline { fingerprints })
    }

    /// Checks whether a finding was accepted.
    pub fn contains(&self, fingerprint: &str) -> bool {
        self.fingerprints.contains(fingerprint)
    }
}

const FORMAT: &str = "vergo-baseline";

impl CheckReport {
    /// Returns the fingerprints by which claims are recognised from run to run, in the order of the claims.
    pub fn fingerprints(&self, map: &SourceMap) -> Vec<String> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let one = |claim: &ClaimReport| {
            let span = match &claim.status {
                ClaimStatus::Violated(violation) => violation.span(),
                _ => claim.site.span,
            };
            let source = String::from_utf8_lossy(map.span_text(span)).into_owned();
            let mut identity =
                format!("{}\n{}\n{source}", claim.site.claim.property, claim.site.function);
            // The same text several times in a function: by their order.
            let count = seen.entry(identity.clone()).or_default();
            *count += 1;
            if *count > 1 {
                identity.push_str(&format!("\n{count}"));
            }
            sha256_hex(identity.as_bytes())[..16].to_owned()
        };
        self.claims.iter().map(one).collect()
    }

    /// A baseline in which all violations are accepted.
    pub fn baseline(&self, map: &SourceMap) -> String {
        let mut accepted = Vec::new();
        for (claim, fingerprint) in self.claims.iter().zip(self.fingerprints(map)) {
            if let ClaimStatus::Violated(violation) = &claim.status {
                let at = map.presumed(violation.span().lo);
                accepted.push(json!({
                    "fingerprint": fingerprint,
                    "property": claim.site.claim.property,
                    "file": &*at.file,
                    "function": self.function_name(&claim.site.function),
                    "message": violation.headline(),
                }));
            }
        }
        let document = json!({ "format": FORMAT, "version": 1, "accepted": accepted });
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Returns the number of violations that a baseline accepts, and of those that it does not.
    pub fn against(&self, map: &SourceMap, baseline: &Baseline) -> (usize, usize) {
        let violated = self.claims.iter().zip(self.fingerprints(map));
        let violated =
            violated.filter(|(claim, _)| matches!(claim.status, ClaimStatus::Violated(_)));
        let (accepted, new): (Vec<_>, Vec<_>) =
            violated.partition(|(_, fingerprint)| baseline.contains(fingerprint));
        // A violation of something that is no claim has no fingerprint.
        let others = usize::from(self.lasso.is_some());
        (accepted.len(), new.len() + others)
    }
}

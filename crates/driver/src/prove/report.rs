//! The results of proofs, as a table, as JSON and as JUnit XML.

use std::fmt::Write;
use std::time::Duration;

use super::{ProofResult, ProofVerdict};
use crate::check::escape_xml;

/// The results of proofs, in order of name.
#[derive(Clone, Debug)]
pub struct ProveReport {
    /// The results.
    pub results: Vec<ProofResult>,
    /// The time of the whole run.
    pub time: Duration,
}

impl ProofVerdict {
    /// A word for it.
    pub fn word(&self) -> &'static str {
        match self {
            ProofVerdict::True => "true",
            ProofVerdict::False(_) => "false",
            ProofVerdict::Unknown(_) => "unknown",
            ProofVerdict::Rejected(_) => "rejected",
            ProofVerdict::Crashed(_) => "crashed",
        }
    }

    /// Returns the further detail: a property, or a reason.
    pub fn detail(&self) -> &str {
        match self {
            ProofVerdict::True => "",
            ProofVerdict::False(detail)
            | ProofVerdict::Unknown(detail)
            | ProofVerdict::Rejected(detail)
            | ProofVerdict::Crashed(detail) => detail,
        }
    }

    /// Returns the rank in severity: an internal error first, then a violation, then a proof that was not run, then an
    /// unknown one.
    fn rank(&self) -> u8 {
        match self {
            ProofVerdict::True => 0,
            ProofVerdict::Unknown(_) => 1,
            ProofVerdict::Rejected(_) => 2,
            ProofVerdict::False(_) => 3,
            ProofVerdict::Crashed(_) => 4,
        }
    }
}

impl ProveReport {
    /// The worst of all verdicts; `None` without proofs.
    pub fn worst(&self) -> Option<&ProofVerdict> {
        let verdicts = self.results.iter().map(|result| &result.verdict);
        verdicts.reduce(|worst, one| if one.rank() > worst.rank() { one } else { worst })
    }

    /// Returns the number of results whose verdict has this word.
    fn count(&self, word: &str) -> usize {
        self.results.iter().filter(|result| result.verdict.word() == word).count()
    }

    /// A line for each proof and a summary.
    pub fn table(&self) -> String {
        let width = self.results.iter().map(|result| result.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for result in &self.results {
            let ProofResult { name, verdict, time, memory, .. } = result;
            let (word, detail) = (verdict.word(), verdict.detail());
            let (seconds, memory) = (time.as_secs_f64(), memory >> 20);
            let line = format!("{name:width$}  {word:8}  {seconds:7.1} s  {memory:5} MB  {detail}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let _ = writeln!(text, "\n{}", self.summary());
        text
    }

    /// All in one line.
    pub fn summary(&self) -> String {
        let mut text = format!("{} of {} proofs hold", self.count("true"), self.results.len());
        for word in ["false", "unknown", "rejected", "crashed"] {
            let n = self.count(word);
            if n > 0 {
                let _ = write!(text, ", {n} {word}");
            }
        }
        let _ = write!(text, " ({:.1} s)", self.time.as_secs_f64());
        text
    }

    /// The results as JSON.
    pub fn json(&self) -> String {
        let proofs: Vec<serde_json::Value> = self
            .results
            .iter()
            .map(|result| {
                serde_json::json!({
                    "name": result.name,
                    "verdict": result.verdict.word(),
                    "detail": result.verdict.detail(),
                    "seconds": rounded(result.time),
                    "memory_mb": result.memory >> 20,
                    "output": result.output,
                })
            })
            .collect();
        let whole = serde_json::json!({
            "format": "vergo-proofs",
            "version": 1,
            "tool": concat!("vergo ", env!("CARGO_PKG_VERSION")),
            "seconds": rounded(self.time),
            "proofs": proofs,
        });
        let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The results as JUnit XML: a test for each proof.
    pub fn junit(&self) -> String {
        let (n_all, n_false) = (self.results.len(), self.count("false"));
        let n_errors = self.count("rejected") + self.count("crashed");
        let n_skipped = self.count("unknown");
        let counts = format!(
            "tests=\"{n_all}\" failures=\"{n_false}\" errors=\"{n_errors}\" skipped=\"{n_skipped}\" time=\"{:.3}\"",
            self.time.as_secs_f64()
        );
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(out, "<testsuites name=\"vergo\" {counts}>");
        let _ = writeln!(out, "  <testsuite name=\"proofs\" {counts}>");
        for result in &self.results {
            let (name, seconds) = (escape_xml(&result.name), result.time.as_secs_f64());
            let _ = write!(
                out,
                "    <testcase classname=\"proofs\" name=\"{name}\" time=\"{seconds:.3}\""
            );
            let message = escape_xml(result.verdict.detail());
            let element = match &result.verdict {
                ProofVerdict::True => {
                    out.push_str("/>\n");
                    continue;
                }
                ProofVerdict::False(_) => "failure",
                ProofVerdict::Unknown(_) => "skipped",
                ProofVerdict::Rejected(_) | ProofVerdict::Crashed(_) => "error",
            };
            let _ = write!(out, "><{element} message=\"{message}\"");
            match element {
                "skipped" => out.push_str("/></testcase>\n"),
                _ => {
                    let output = escape_xml(&result.output);
                    let _ = writeln!(out, ">{output}</{element}></testcase>");
                }
            }
        }
        out.push_str("  </testsuite>\n</testsuites>\n");
        out
    }
}

/// Seconds to the millisecond.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdicts: &[ProofVerdict]) -> ProveReport {
        let result = |(i, verdict): (usize, &ProofVerdict)| ProofResult {
            name: format!("p{i}"),
            verdict: verdict.clone(),
            time: Duration::from_millis(1500),
            memory: 3 << 20,
            output: "a < b".to_owned(),
        };
        let results = verdicts.iter().enumerate().map(result).collect();
        ProveReport { results, time: Duration::from_secs(2) }
    }

    #[test]
    fn the_worst_counts() {
        let (unknown, violated) = (
            ProofVerdict::Unknown("timeout".to_owned()),
            ProofVerdict::False("memory.null".to_owned()),
        );
        let all = report(&[ProofVerdict::True, violated.clone(), unknown.clone()]);
        assert_eq!(all.worst(), Some(&violated));
        assert_eq!(report(&[ProofVerdict::True, unknown.clone()]).worst(), Some(&unknown));
        assert_eq!(report(&[]).worst(), None);
        assert_eq!(all.summary(), "1 of 3 proofs hold, 1 false, 1 unknown (2.0 s)");
        let table = all.table();
        assert!(table.starts_with("p0  true          1.5 s      3 MB\np1  false "), "{table}");
    }

    #[test]
    fn files_for_machines() {
        let all = report(&[ProofVerdict::True, ProofVerdict::False("memory.null".to_owned())]);
        let json: serde_json::Value = serde_json::from_str(&all.json()).expect("JSON");
        assert_eq!(json["proofs"][1]["detail"], "memory.null");
        assert_eq!(json["proofs"][0]["seconds"], 1.5);
        let xml = all.junit();
        assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{xml}");
        assert!(xml.contains("<failure message=\"memory.null\">a &lt; b</failure>"), "{xml}");
    }
}

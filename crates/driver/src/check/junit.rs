//! The report as JUnit XML, which most CI systems show: a suite per function, a test per claim.

use std::collections::BTreeMap;
use std::fmt::Write;

use vergo_source::SourceMap;

use super::report::{CheckReport, ClaimReport, ClaimStatus};
use super::trace::TraceDetail;

impl CheckReport {
    /// The report as JUnit XML. Claims that hold pass, violated ones fail, undecided ones are skipped.
    pub fn junit(&self, map: &SourceMap) -> String {
        let mut suites: BTreeMap<&str, Vec<&ClaimReport>> = BTreeMap::new();
        for claim in &self.claims {
            suites.entry(self.function_name(&claim.site.function)).or_default().push(claim);
        }
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let counts = counts(self.claims.iter());
        let _ = writeln!(out, "<testsuites name=\"vergo\" {counts}>");
        for (function, claims) in suites {
            let counts = self::counts(claims.iter().copied());
            let _ = writeln!(out, "  <testsuite name=\"{}\" {counts}>", escape_xml(function));
            for claim in claims {
                self.test(map, claim, &mut out);
            }
            out.push_str("  </testsuite>\n");
        }
        out.push_str("</testsuites>\n");
        out
    }

    fn test(&self, map: &SourceMap, claim: &ClaimReport, out: &mut String) {
        let site = &claim.site;
        let span = match &claim.status {
            ClaimStatus::Violated(violation) => violation.span(),
            _ => site.span,
        };
        let at = map.presumed(span.lo);
        let name = escape_xml(&format!("{}:{}: {}", at.line, at.column, site.claim.description));
        let _ = write!(
            out,
            "    <testcase classname=\"{}\" name=\"{name}\" file=\"{}\" line=\"{}\"",
            escape_xml(&site.claim.property),
            escape_xml(&at.file),
            at.line
        );
        match &claim.status {
            ClaimStatus::Holds => out.push_str("/>\n"),
            ClaimStatus::Violated(violation) => {
                let trace = self.trace_text(map, violation, TraceDetail::Compact);
                let _ = writeln!(
                    out,
                    "><failure type=\"{}\" message=\"{}\">{}</failure></testcase>",
                    escape_xml(&site.claim.property),
                    escape_xml(&violation.message()),
                    escape_xml(&trace)
                );
            }
            ClaimStatus::Unknown(reason) => {
                let _ = writeln!(
                    out,
                    "><skipped message=\"{}\"/></testcase>",
                    escape_xml(&reason.to_string())
                );
            }
            ClaimStatus::NotChecked => {
                out.push_str("><skipped message=\"not checked\"/></testcase>\n")
            }
        }
    }
}

/// Returns the number of tests of each kind, as attributes.
fn counts<'a>(claims: impl Iterator<Item = &'a ClaimReport>) -> String {
    let (mut n_all, mut n_violated, mut n_skipped) = (0, 0, 0);
    for claim in claims {
        n_all += 1;
        match claim.status {
            ClaimStatus::Violated(_) => n_violated += 1,
            ClaimStatus::Unknown(_) | ClaimStatus::NotChecked => n_skipped += 1,
            ClaimStatus::Holds => {}
        }
    }
    format!("tests=\"{n_all}\" failures=\"{n_violated}\" errors=\"0\" skipped=\"{n_skipped}\"")
}

/// Text as XML has it; characters that XML cannot have are left out.
pub(crate) fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            letter if (letter as u32) < 0x20 || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape_xml;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(
            escape_xml("a < b && c[\"x\"]\u{1}\n"),
            "a &lt; b &amp;&amp; c[&quot;x&quot;]\n"
        );
    }
}

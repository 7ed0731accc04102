//! The course of a violation in an instrumented program: what the program did, without what was added to it.

use vergo_automata::Instrumented;
use vergo_evidence::execution::StepKind;
use vergo_passes::recurrence::Watched;
use vergo_source::SourceMap;

use super::report::{CheckReport, Violation};
use super::trace::{TraceDetail, TraceLine};

/// An execution that leads to a state, and if it never ends, what leads back to that state.
#[derive(Clone, Debug, Default)]
pub struct Lasso {
    /// The part before the loop.
    pub stem: Vec<TraceLine>,
    /// The part that is repeated; empty if the execution ends.
    pub back: Vec<TraceLine>,
}

/// Lines of each part that are shown.
const SHOWN: usize = 40;

impl CheckReport {
    /// The course of a violation of the instrumented program that the report is about.
    pub(crate) fn course(
        &self,
        map: &SourceMap,
        woven: &Instrumented,
        violation: &Violation,
    ) -> Lasso {
        let mut lasso = Lasso::default();
        let mut saved = false;
        let is_added = |text: &str| mentions(text, &woven.prefix);
        for line in self.trace_lines(violation, TraceDetail::Full) {
            // An input of the automaton has no name, but stands in a text that was added.
            let source = String::from_utf8_lossy(map.span_text(line.span));
            let is_guess = line.kind == "input" && is_added(&source);
            let is_added = is_added(&line.text) || is_added(&line.function) || is_guess;
            saved |= is_added && line.text.contains("_saved") && line.text.ends_with(" = 1");
            // Branches say little that assignments do not say.
            if is_added || line.kind == "branch" || line.text.starts_with("reach_error(") {
                continue;
            }
            if saved { lasso.back.push(line) } else { lasso.stem.push(line) }
        }
        lasso
    }

    /// The course of an execution in which the state of a watched loop recurs.
    pub(crate) fn course_around(&self, violation: &Violation, watched: &Watched) -> Lasso {
        let mut lasso = Lasso::default();
        let steps = &violation.execution.steps;
        let is_choice = |step: usize| matches!(steps[step].what, StepKind::Input { place, .. } if watched.choice == Some(place));
        // The last choice is the one to save the state.
        let saved = (0..steps.len()).rfind(|&step| is_choice(step)).unwrap_or(steps.len());
        for line in self.trace_lines(violation, TraceDetail::Full) {
            // Branches say little that assignments do not say.
            if is_choice(line.step) || line.kind == "branch" {
                continue;
            }
            if line.step > saved { lasso.back.push(line) } else { lasso.stem.push(line) }
        }
        lasso
    }
}

/// Checks whether a text mentions a name that begins with a prefix.
fn mentions(text: &str, prefix: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(prefix).any(|(at, _)| !text[..at].ends_with(is_inside))
}

impl Lasso {
    /// The lasso as text, each line with its place.
    pub fn text(&self, map: &SourceMap) -> String {
        let mut out = String::new();
        for (title, lines) in
            [("Steps to the violation:", &self.stem), ("And then, again and again:", &self.back)]
        {
            if lines.is_empty() {
                continue;
            }
            out.push_str(&format!("\n  {title}\n"));
            let places: Vec<String> =
                lines.iter().map(|line| map.presumed(line.span.lo).to_string()).collect();
            let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
            for (place, line) in places.iter().zip(lines).take(SHOWN) {
                out.push_str(&format!("  {place:width$}  {}\n", line.text));
            }
            if lines.len() > SHOWN {
                out.push_str(&format!("  ... {} more steps\n", lines.len() - SHOWN));
            }
        }
        out
    }
}

/// The text of a proof without what it says about names that an automaton added.
pub(crate) fn without_added(proof: &str, prefix: &str) -> String {
    let Some((head, rest)) = proof.split_once(": ") else { return proof.to_owned() };
    let mut depth = 0i32;
    let mut parts = vec![String::new()];
    for c in rest.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        let part = parts.last_mut().expect("there is always a last part");
        part.push(c);
        if depth == 0 && part.ends_with(" && ") {
            part.truncate(part.len() - " && ".len());
            parts.push(String::new());
        }
    }
    parts.retain(|part| !mentions(part, prefix));
    match parts[..] {
        [] => head.to_owned(),
        _ => format!("{head}: {}", parts.join(" && ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_automaton_adds_is_left_out() {
        let proof =
            "inductive invariant: i >= 0 && (vergo_run == 0 && i > 0) && x <= 3 && vergo_now >= 0";
        let without = |proof| without_added(proof, "vergo_");
        assert_eq!(without(proof), "inductive invariant: i >= 0 && x <= 3");
        assert_eq!(without("inductive invariant: vergo_run == 0"), "inductive invariant");
        assert_eq!(without("complete unrolling"), "complete unrolling");
        let own = "inductive invariant: vergo_run == 0";
        assert_eq!(without_added(own, "vergo2_"), own);
        assert!(!mentions("my_vergo_x", "vergo_") && mentions("x == vergo_y", "vergo_"));
    }
}

//! The SV-COMP witness of a report.

use vergo_evidence::witness::{Metadata, Place, Waypoint, correctness, violation};
use vergo_interp::{InputType, InputValue};
use vergo_source::Span;

use super::report::{Answer, CheckReport, Violation};
use crate::job::Job;

impl CheckReport {
    /// The witness of the verdict; `time` is the present moment in seconds since the beginning of 1970. None if nothing
    /// is known.
    pub fn witness(&self, job: &Job, time: u64) -> Option<String> {
        let files = self.files.iter().map(|file| (file.name.clone(), file.sha256.clone()));
        let metadata = Metadata {
            creation_time: time,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files: files.collect(),
            specification: self.properties.text.clone().unwrap_or_else(|| {
                let ids: Vec<&str> =
                    self.properties.names.iter().map(|(id, _)| id.info().id).collect();
                format!("vergo: {}", ids.join(", "))
            }),
            data_model: self.model_name().to_owned(),
        };
        match &self.answer {
            Answer::Unknown(_) => None,
            // Complete unrolling needs no invariant to be understood: every loop ends by itself. An invariant over
            // the state of a transition system is no expression of the program yet, so it is left out too.
            Answer::True => Some(correctness(&metadata, &[])),
            Answer::False(_) => {
                let first = self.violations().next()?;
                Some(violation(&metadata, &way(job, first)))
            }
        }
    }
}

/// The results of nondeterministic calls in their order, and the target.
fn way(job: &Job, violation: &Violation) -> Vec<Waypoint> {
    let mut way = Vec::new();
    let mut last: Option<(Span, usize)> = None;
    for input in violation.counterexample.inputs() {
        let Some(value) = constant(&input.value, input.ty) else { continue };
        // Several calls in one expression are told apart by their order.
        let nth = match last {
            Some((span, nth)) if span == input.span => nth + 1,
            _ => 0,
        };
        last = Some((input.span, nth));
        let Some(offset) = closing_parenthesis(statement(job, input.span), nth) else { continue };
        let at = job.given_location(input.span.lo + offset as u32);
        let function = Some(input.function.clone()).filter(|name| !name.is_empty());
        let place = Place { file: at.file.to_string(), line: at.line, column: at.column, function };
        way.push(Waypoint::FunctionReturn { value, place });
    }
    let at = job.given_location(violation.span().lo);
    let function = violation.function().map(str::to_owned);
    let place = Place {
        file: at.file.to_string(),
        line: at.line.max(1),
        column: at.column.max(1),
        function,
    };
    way.push(Waypoint::Target(place));
    way
}

/// The text from a place to the end of its statement: what is known of a declaration is where its name stands.
fn statement(job: &Job, span: Span) -> &[u8] {
    const LONGEST: usize = 4096;
    let Some((file, offset)) = job.map.lookup(span.lo) else { return &[] };
    let rest = job.map.text(file).get(offset as usize..).unwrap_or_default();
    let rest = &rest[..rest.len().min(LONGEST)];
    let least = span.len() as usize;
    let end = rest.iter().skip(least).position(|&byte| byte == b';').map(|n| n + least);
    &rest[..end.unwrap_or(least.min(rest.len()))]
}

/// A value as a C constant, if there is one.
fn constant(value: &InputValue, ty: InputType) -> Option<String> {
    match (value, ty) {
        (InputValue::Bool(value), _) => Some(u8::from(*value).to_string()),
        (InputValue::Int(bits), InputType::Int(true, _)) => Some(bits.to_signed_decimal()),
        (InputValue::Int(bits), _) => Some(bits.to_unsigned_decimal()),
        (InputValue::Float(value), _) => {
            let text = value.to_decimal();
            text.parse::<f64>().is_ok_and(f64::is_finite).then_some(text)
        }
        (InputValue::Bytes(_), _) => None,
    }
}

/// Where the closing parenthesis of the `nth` call of a nondeterministic function stands in a text; if there are fewer,
/// the last one's.
fn closing_parenthesis(text: &[u8], nth: usize) -> Option<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    while at < text.len() {
        if !is_word(&text[at]) {
            at += 1;
            continue;
        }
        let end = text[at..].iter().position(|byte| !is_word(byte)).map_or(text.len(), |n| at + n);
        let word = &text[at..end];
        at = end;
        if !word.windows(6).any(|part| part == b"nondet") {
            continue;
        }
        let mut depth = 0;
        for (i, byte) in text[end..].iter().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => {
                    found.push(end + i);
                    break;
                }
                b')' => break,
                _ if depth == 0 && !byte.is_ascii_whitespace() => break,
                _ => {}
            }
        }
    }
    found.get(nth).or(found.last()).copied()
}

#[cfg(test)]
mod tests {
    use super::closing_parenthesis;

    #[test]
    fn calls_are_found_in_their_text() {
        let text = b"int x = nondet_int( ) + __VERIFIER_nondet_char();";
        assert_eq!(closing_parenthesis(text, 0), Some(20));
        assert_eq!(closing_parenthesis(text, 1), Some(47));
        assert_eq!(closing_parenthesis(text, 5), Some(47));
        assert_eq!(closing_parenthesis(b"f(nondet)", 0), None);
        assert_eq!(closing_parenthesis(b"nondet_x", 0), None);
    }
}

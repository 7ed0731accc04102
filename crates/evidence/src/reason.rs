//! Reasons for not knowing.

use std::fmt;
use vergo_smt::{InterpolantError, StopReason};

/// The reason why nothing is known. What is done about it depends on the variant; the words are for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The budget is spent, or somebody asked to stop.
    Stopped(StopReason),
    /// The program has something that is not followed.
    Unsupported(String),
    /// The algorithm came to its end, and that was not enough.
    Incomplete(String),
    /// A proof was found and could not be checked.
    Unchecked(Box<Reason>),
    /// There was nothing to do for the engine.
    Withdrawn(&'static str),
    /// A bug of ours: what was claimed is not so.
    Fault(String),
    /// Several engines, each with its reason, and what stopped them all.
    Several(Option<StopReason>, Vec<(&'static str, Reason)>),
}

impl Reason {
    /// The reason of algorithms that end at a bound.
    pub fn bound() -> Reason {
        Reason::incomplete("the bound is too small")
    }

    /// An end that was not enough, in words.
    pub fn incomplete(what: impl Into<String>) -> Reason {
        Reason::Incomplete(what.into())
    }

    /// Adds the reason of another engine; `own` is what this one is of, if it is of one.
    pub fn add(&mut self, own: &'static str, other: &'static str, reason: Reason) {
        match self {
            Reason::Several(_, reasons) => reasons.push((other, reason)),
            _ => {
                let own = (own, std::mem::replace(self, Reason::bound()));
                *self = Reason::Several(None, vec![own, (other, reason)]);
            }
        }
    }

    /// The same, where the end of a part of the budget is the end of all of it, which came for another reason.
    #[must_use]
    pub fn at_the_end(self, stop: StopReason) -> Reason {
        match self {
            Reason::Stopped(StopReason::Effort) => Reason::Stopped(stop),
            Reason::Several(Some(StopReason::Effort), reasons) => {
                Reason::Several(Some(stop), reasons)
            }
            other => other,
        }
    }

    /// Checks whether more time might have helped.
    pub fn is_timeout(&self) -> bool {
        match self {
            Reason::Stopped(reason) => *reason == StopReason::Deadline,
            Reason::Unchecked(reason) => reason.is_timeout(),
            Reason::Several(stopped, reasons) => {
                *stopped == Some(StopReason::Deadline)
                    || reasons.iter().any(|(_, reason)| reason.is_timeout())
            }
            _ => false,
        }
    }
}

impl From<StopReason> for Reason {
    fn from(reason: StopReason) -> Reason {
        Reason::Stopped(reason)
    }
}

impl From<vergo_smt::Reason> for Reason {
    fn from(reason: vergo_smt::Reason) -> Reason {
        match reason {
            vergo_smt::Reason::Stopped(reason) => Reason::Stopped(reason),
            vergo_smt::Reason::Unsupported(what) => Reason::Unsupported(what),
            vergo_smt::Reason::Other(what) => Reason::Incomplete(what),
        }
    }
}

impl From<InterpolantError> for Reason {
    fn from(error: InterpolantError) -> Reason {
        match error {
            InterpolantError::Stopped(reason) => reason.into(),
            InterpolantError::MixedLemma => Reason::incomplete(error.to_string()),
            InterpolantError::NoRefutation
            | InterpolantError::Unplaced(_)
            | InterpolantError::Internal(_) => Reason::Fault(error.to_string()),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Stopped(reason) => f.write_str(reason.name()),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Incomplete(what) => f.write_str(what),
            Reason::Unchecked(reason) => write!(f, "a proof could not be checked: {reason}"),
            Reason::Withdrawn(what) => f.write_str(what),
            Reason::Fault(what) => write!(f, "internal error: {what}"),
            Reason::Several(stopped, reasons) => several(*stopped, reasons, f),
        }
    }
}

/// The reasons of several engines: one that several have is given once, and alone if there is no other.
fn several(
    stopped: Option<StopReason>,
    reasons: &[(&'static str, Reason)],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut groups: Vec<(&Reason, Vec<&str>)> = Vec::new();
    let says_more = |reason: &Reason| {
        !matches!(reason, Reason::Withdrawn(_) | Reason::Stopped(StopReason::Cancelled))
            && stopped.map(Reason::Stopped).as_ref() != Some(reason)
    };
    for (engine, reason) in reasons.iter().filter(|(_, reason)| says_more(reason)) {
        match groups.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, engines)) => engines.push(engine),
            None => groups.push((reason, vec![engine])),
        }
    }
    let mut parts: Vec<String> =
        stopped.map(|stopped| stopped.name().to_owned()).into_iter().collect();
    match &groups[..] {
        [(reason, engines)] if engines.len() > 1 => parts.push(reason.to_string()),
        groups => {
            let one = |(reason, engines): &(&Reason, Vec<&str>)| {
                format!("{}: {reason}", engines.join(", "))
            };
            parts.extend(groups.iter().map(one));
        }
    }
    if parts.is_empty() {
        // Nobody had anything to do.
        parts.extend(reasons.iter().map(|(engine, reason)| format!("{engine}: {reason}")));
    }
    f.write_str(&parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_engines_say_is_said_once() {
        let (bound, other) = (Reason::bound(), Reason::Unsupported("x".to_owned()));
        let all = |stopped, reasons: &[(&'static str, Reason)]| {
            Reason::Several(stopped, reasons.to_vec()).to_string()
        };
        let withdrawn = Reason::Withdrawn("no loops");
        let same = [("a", bound.clone()), ("b", bound.clone()), ("c", withdrawn.clone())];
        assert_eq!(all(None, &same), "the bound is too small");
        let different = [("a", bound.clone()), ("b", other)];
        assert_eq!(all(None, &different), "a: the bound is too small; b: unsupported: x");
        let deadline = Some(StopReason::Deadline);
        let stopped = [("a", Reason::Stopped(StopReason::Deadline)), ("b", bound)];
        assert_eq!(all(deadline, &stopped), "timeout; b: the bound is too small");
        assert_eq!(all(deadline, &stopped[..1]), "timeout");
        assert_eq!(all(None, &[("c", withdrawn)]), "c: no loops");
    }
}

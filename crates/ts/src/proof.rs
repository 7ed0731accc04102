//! Why no violation is reachable. Data that an engine claims; a checker of its own decides whether it
//! is true.

use vergo_term::TermId;

/// A claimed proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// A k-inductive invariant. With `P(s, i)` for `invariant(s) ∧ ¬bad(s, i)`:
    ///
    /// - `P` holds in the first `k` states of every execution;
    /// - a state that follows `k` states with `P` has `P` under all inputs.
    ///
    /// For `k = 1` this is an inductive invariant, where `bad` may be excluded one step later than by the
    /// invariant itself.
    Inductive {
        /// Over current-state variables; true if `¬bad` needs no help.
        invariant: TermId,
        /// At least one.
        k: u32,
        /// Whether the second condition considers paths of different states only. A shortest violation
        /// has no state twice, so nothing is lost.
        simple_paths: bool,
    },
    /// No execution has so many steps, and those with fewer have no violation.
    Exhausted {
        /// The number of steps.
        steps: u32,
    },
}

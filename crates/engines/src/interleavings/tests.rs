//! Verdicts on random programs.

use super::run;
use crate::thread_programs::compare;
use vergo_testkit::environment::slow_or_skip;

#[test]
fn verdicts_are_those_of_a_search_over_schedules() {
    let (n_true, n_unknown) = compare(run, 1, 150);
    assert!((20..130).contains(&n_true), "{n_true}");
    assert_eq!(n_unknown, 0);
}

#[test]
fn five_thousand_verdicts_are_those_of_a_search_over_schedules() {
    if slow_or_skip("five thousand programs with threads") {
        // A counterexample whose schedule the interpreter does not find again is unknown; few are.
        let (_, n_unknown) = compare(run, 2, 5000);
        assert!(n_unknown <= 50, "{n_unknown}");
    }
}

//! Families of systems that grow with a number: each engine decides the small ones, with a proof that the
//! checker accepts, and finds the violation of each twin. With `VERGO_SLOW=1`, larger ones are run as well
//! and a table of times and figures is printed.

#![allow(clippy::print_stdout, reason = "measurements of tests are shown when asked for")]

use std::time::{Duration, Instant};
use vergo_engines::safety::{Conclusion, Prover, Search};
use vergo_engines::{Algorithm, EngineId};
use vergo_evidence::induction::check_proof;
use vergo_smt::Budget;
use vergo_term::{Sort, TermId, TermStore};
use vergo_testkit::Rng;
use vergo_testkit::environment::slow_or_skip;
use vergo_ts::{StateVar, TransitionSystem};

/// A system in the making: variables, and functions for their next values.
struct Builder {
    store: TermStore,
    state: Vec<StateVar>,
    inputs: Vec<TermId>,
    init: Vec<TermId>,
    updates: Vec<(TermId, TermId)>,
}

impl Builder {
    fn new() -> Builder {
        let store = TermStore::new();
        Builder { store, state: vec![], inputs: vec![], init: vec![], updates: vec![] }
    }

    fn word(&mut self, name: &str, width: u32, first: u64) -> TermId {
        let sort = Sort::BitVec(width);
        let (current, next) =
            (self.store.var(name, sort), self.store.var(&format!("{name}'"), sort));
        self.state.push(StateVar { current, next, name: name.to_owned() });
        let first = self.store.bv_u64(width, first);
        let init = self.store.eq(current, first);
        self.init.push(init);
        current
    }

    fn input(&mut self, name: &str, sort: Sort) -> TermId {
        let input = self.store.var(name, sort);
        self.inputs.push(input);
        input
    }

    fn number(&mut self, like: TermId, value: u64) -> TermId {
        let width = self.store.width(like);
        self.store.bv_u64(width, value)
    }

    fn is(&mut self, word: TermId, value: u64) -> TermId {
        let value = self.number(word, value);
        self.store.eq(word, value)
    }

    fn plus(&mut self, word: TermId, value: u64) -> TermId {
        let value = self.number(word, value);
        self.store.bv_add(word, value)
    }

    fn update(&mut self, word: TermId, value: TermId) {
        self.updates.push((word, value));
    }

    fn finish(mut self, bad: TermId) -> (TermStore, TransitionSystem) {
        let mut steps = Vec::new();
        for var in &self.state {
            let update = self.updates.iter().find(|(word, _)| *word == var.current);
            let value = update.map_or(var.current, |&(_, value)| value);
            steps.push(self.store.eq(var.next, value));
        }
        let (init, trans) = (self.store.and_all(&self.init), self.store.and_all(&steps));
        let system = TransitionSystem { state: self.state, inputs: self.inputs, init, trans, bad };
        assert_eq!(system.verify(&self.store), Ok(()));
        (self.store, system)
    }
}

/// The member of a family: the safe one, or its twin with a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Safe,
    Twin,
}

type Family = fn(u64, Kind) -> (TermStore, TransitionSystem);

/// Counts modulo `n`; never gets to `n`, but to `n - 1`.
fn counter(n: u64, kind: Kind) -> (TermStore, TransitionSystem) {
    let mut b = Builder::new();
    let x = b.word("x", 16, 0);
    let more = b.plus(x, 1);
    let over = b.is(more, n);
    let zero = b.number(x, 0);
    let value = b.store.ite(over, zero, more);
    b.update(x, value);
    let bad = b.is(x, if kind == Kind::Safe { n } else { n - 1 });
    b.finish(bad)
}

/// `y` follows `x` in the second half of a count to `2n`, so that it ends at `n`.
fn two_phase(n: u64, kind: Kind) -> (TermStore, TransitionSystem) {
    let mut b = Builder::new();
    let (x, y) = (b.word("x", 8, 0), b.word("y", 8, 0));
    let (half, full) = (b.number(x, n), b.number(x, 2 * n));
    let running = b.store.bv_ult(x, full);
    let first = b.store.bv_ult(x, half);
    let (x_more, y_more) = (b.plus(x, 1), b.plus(y, 1));
    let x_next = b.store.ite(running, x_more, x);
    b.update(x, x_next);
    let y_kept = b.store.ite(first, y, y_more);
    let y_next = b.store.ite(running, y_kept, y);
    b.update(y, y_next);
    let ended = b.store.eq(x, full);
    let right = b.is(y, if kind == Kind::Safe { n } else { n + 1 });
    let wrong = b.store.not(right);
    let bad = b.store.and(ended, wrong);
    b.finish(bad)
}

/// Two nested loops of `n` rounds under a program counter; both counters stay within bounds.
fn nested(n: u64, kind: Kind) -> (TermStore, TransitionSystem) {
    let mut b = Builder::new();
    let pc = b.word("pc", 2, 0);
    let (i, j) = (b.word("i", 8, 0), b.word("j", 8, 0));
    let limit = b.number(i, n);
    let (outer, inner) = (b.is(pc, 0), b.is(pc, 1));
    let (i_more, j_more) = (b.store.bv_ult(i, limit), b.store.bv_ult(j, limit));
    let [at_outer, at_inner, at_end] = [0, 1, 2].map(|at| b.number(pc, at));
    let from_outer = b.store.ite(i_more, at_inner, at_end);
    let from_inner = b.store.ite(j_more, at_inner, at_outer);
    let rest = b.store.ite(inner, from_inner, pc);
    let pc_next = b.store.ite(outer, from_outer, rest);
    b.update(pc, pc_next);
    let (i_plus, j_plus, zero) = (b.plus(i, 1), b.plus(j, 1), b.number(j, 0));
    let leaves = b.store.not(j_more);
    let leaves = b.store.and(inner, leaves);
    let i_next = b.store.ite(leaves, i_plus, i);
    b.update(i, i_next);
    let goes_on = b.store.and(inner, j_more);
    let j_kept = b.store.ite(goes_on, j_plus, j);
    let j_next = b.store.ite(outer, zero, j_kept);
    b.update(j, j_next);
    let ended = b.is(pc, 2);
    let right = b.is(i, if kind == Kind::Safe { n } else { n + 1 });
    let wrong = b.store.not(right);
    let bad = b.store.and(ended, wrong);
    b.finish(bad)
}

/// A lock that is taken and given back under a condition on two counters of `n` bits; it is never taken twice.
fn lock(n: u64, kind: Kind) -> (TermStore, TransitionSystem) {
    let mut b = Builder::new();
    let width = n as u32;
    let pc = b.word("pc", 1, 0);
    let locked = b.word("locked", 1, 0);
    let (new, old) = (b.word("new", width, 1), b.word("old", width, 0));
    let chosen = b.input("chosen", Sort::Bool);
    // At 0: take the lock, remember the counter, perhaps give the lock back and count. At 1: again, if the
    // counter has changed.
    let at_0 = b.is(pc, 0);
    let changed = b.store.ne(new, old);
    let again = if kind == Kind::Safe { changed } else { b.store.true_term() };
    let (zero, one) = (b.number(pc, 0), b.number(pc, 1));
    let back = b.store.ite(again, zero, one);
    let pc_next = b.store.ite(at_0, one, back);
    b.update(pc, pc_next);
    let kept = b.store.ite(chosen, zero, one);
    let locked_next = b.store.ite(at_0, kept, locked);
    b.update(locked, locked_next);
    let old_next = b.store.ite(at_0, new, old);
    b.update(old, old_next);
    let counted = b.plus(new, 1);
    let counts = b.store.and(at_0, chosen);
    let new_next = b.store.ite(counts, counted, new);
    b.update(new, new_next);
    let taken = b.is(locked, 1);
    let bad = b.store.and(at_0, taken);
    b.finish(bad)
}

/// An event-condition-action system with `n` states of which the last is reachable in the twin only.
fn eca(n: u64, kind: Kind) -> (TermStore, TransitionSystem) {
    let mut b = Builder::new();
    let mut rng = Rng::new(n);
    let state = b.word("state", 16, 0);
    let mode = b.word("mode", 4, 0);
    let event = b.input("event", Sort::BitVec(3));
    let mut next = state;
    let mut next_mode = mode;
    for from in 0..n - 1 {
        for on in 0..2 {
            let to = if on == 0 { from + 1 } else { rng.below(n as usize - 1) as u64 };
            // The way into the last state leads back to the first.
            let to = if to == n - 1 && kind == Kind::Safe { 0 } else { to };
            let (here, occurs) = (b.is(state, from), b.is(event, on));
            let rule = b.store.and(here, occurs);
            let target = b.number(state, to);
            next = b.store.ite(rule, target, next);
            let value = b.number(mode, rng.bits() % 7);
            next_mode = b.store.ite(rule, value, next_mode);
        }
    }
    b.update(state, next);
    b.update(mode, next_mode);
    let bad = b.is(state, n - 1);
    b.finish(bad)
}

const FAMILIES: &[(&str, Family, &[u64], &[u64])] = &[
    ("counter modulo n", counter, &[3, 6], &[8, 12, 16, 24, 32]),
    ("two phases of n", two_phase, &[2, 4], &[6, 8, 12]),
    ("nested loops of n", nested, &[2], &[3, 4, 6]),
    ("lock with n-bit counters", lock, &[2, 4], &[8, 16, 32]),
    ("event-condition-action, n states", eca, &[5, 10], &[20, 50, 100, 200, 500]),
];

/// The result of an engine on a system.
enum Result {
    Decided(Duration, vergo_engines::safety::Statistics),
    Undecided(String),
}

fn run(name: &str, family: Family, n: u64, kind: Kind, limit: Duration) -> Result {
    let (mut store, system) = family(n, kind);
    let (_, prove) = provers().find(|(other, _)| *other == name).expect("an engine");
    let budget = Budget::within(limit);
    let start = Instant::now();
    let mut search = Search::new(&mut store, &system, &budget, &|_| {});
    let outcome = prove(&mut search);
    let (time, stats) = (start.elapsed(), search.stats);
    match outcome {
        Err(reason) => return Result::Undecided(reason.to_string()),
        Ok(Conclusion::Safe(proof)) => {
            assert_eq!(kind, Kind::Safe, "{name} proves a twin with n = {n}");
            let checked = check_proof(&store, &system, &proof, &Budget::unlimited());
            assert!(checked.is_ok(), "{name} with n = {n}: {checked:?}");
        }
        Ok(Conclusion::Unsafe(path)) => {
            assert_eq!(kind, Kind::Twin, "{name} refutes a safe system with n = {n}");
            assert!(path.verify(&store, &system), "{name} with n = {n}");
        }
    }
    Result::Decided(time, stats)
}

/// The engines on transition systems.
fn provers() -> impl Iterator<Item = (&'static str, Prover)> {
    EngineId::ALL.iter().filter_map(|engine| match engine.info().algorithm {
        Algorithm::OnSystem(prove) => Some((engine.info().name, prove)),
        Algorithm::OnProgram(_) => None,
    })
}

#[test]
fn small_ones_are_decided_by_every_engine() {
    for &(title, family, small, _) in FAMILIES {
        for &n in small {
            for kind in [Kind::Safe, Kind::Twin] {
                for (name, _) in provers() {
                    if let Result::Undecided(reason) =
                        run(name, family, n, kind, Duration::from_secs(60))
                    {
                        panic!("{name}, {title}, n = {n}, {kind:?}: {reason}");
                    }
                }
            }
        }
    }
}

#[test]
fn larger_ones_are_measured() {
    if !slow_or_skip("larger_ones_are_measured") {
        return;
    }
    for &(title, family, _, large) in FAMILIES {
        for kind in [Kind::Safe, Kind::Twin] {
            for (name, _) in provers() {
                let mut line = format!("{title}, {kind:?}, {name}:");
                for &n in large {
                    match run(name, family, n, kind, Duration::from_secs(10)) {
                        Result::Undecided(reason) => {
                            line += &format!(" n={n} {reason}");
                            break;
                        }
                        Result::Decided(time, stats) => {
                            line += &format!(
                                " n={n} {:.2}s (bound {}, length {}, {} interpolants)",
                                time.as_secs_f64(),
                                stats.bound,
                                stats.convergence,
                                stats.interpolants
                            );
                        }
                    }
                }
                println!("{line}");
            }
        }
    }
}

//! The check of complete unrolling: the program is executed once more, and the formula of its failures refuted once more.
//!
//! **Idea.** An engine that has unrolled a program says: within these bounds every execution ends, and none of them
//! fails. Nothing that it has made for that is used here. The program is executed symbolically from its entry in a new
//! store, the formula of all failures is refuted by a new solver, and every step of that refutation is replayed by the
//! checker of clause proofs.
//!
//! **What is left to trust.** Symbolic execution and the translation to clauses, which have made this formula too
//! ([`crate::plain`] does without them); not the engine, not how it went from bound to bound, not what it
//! took for impossible, not the SAT solver. Nor the rules that simplify terms, where the formula is small enough: it is
//! made with [`Rewriting::Structural`] first, by the few rules without which nothing can be executed. If that takes much
//! more effort than the engine has spent, the formula is made again with all rules, and the certificate says so; so it is if
//! few rules leave a failure open, unless the interpreter executes that one: then the rules are wrong, or the engine is.
//!
//! **Rounds that nobody makes.** To execute only what is possible, the solver is asked whether a loop can go on. What it
//! denies is not believed at once: the condition of each round that was left out becomes a failure, so that the one proof
//! at the end covers all of them.
//!
//! **What failures have in common.** Failures that imply the same assumptions are refuted together, with these assumptions asserted ([`crate::facts`]), each group with a solver and a proof of its own.
//!
//! **Effort.** The first attempt ends after a multiple of the instructions and conflicts that the engine needed, which do
//! not depend on the machine; the second, when the budget of the whole check does.

use crate::choices::Choices;
use crate::claims::ClaimKey;
use crate::counterexample::Counterexample;
use crate::facts::{self, Group};
use crate::one_by_one::any_failure;
use crate::pruning::Pruning;
use crate::reason::Reason;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};
use vergo_goto::program::Program;
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_symex::{LoopBounds, ObligationKind, Options, Site, Trace, WORK_BETWEEN_LOOKS, execute};
use vergo_term::{Assignment, Rewriting, TermId, TermStore};

/// The effort that an attempt with few rules may take beyond the engine's: a factor, and a number that is never too
/// much.
const EFFORT_FACTOR: u64 = 3;
const FREE_STEPS: u64 = 20_000;
const FREE_CONFLICTS: u64 = 2_000;

/// The work of an attempt with few rules, at most.
const FEW_WORK: u64 = 10_000_000_000;

/// Work of an execution that shows a failure, at most.
const REPLAY_WORK: u64 = 1_000_000_000;

/// An engine's claim that nothing fails within these bounds.
pub struct Unrolled<'a> {
    /// The program.
    pub program: &'a Program,
    /// Undecided rounds of each loop.
    pub unwind: u32,
    /// Undecided activations of each function at a time.
    pub recursion: u32,
    /// All rounds and activations, also the decided ones.
    pub decided: u64,
    /// Other bounds for some loops.
    pub loop_bounds: &'a LoopBounds,
    /// The claims about which nothing is said.
    pub closed: &'a ClosedClaims,
    /// The instructions that the engine has executed.
    pub n_steps: u64,
    /// The conflicts that its solver needed.
    pub n_conflicts: u64,
}

/// Claims that have an answer of their own.
#[derive(Clone, Default, Debug)]
pub struct ClosedClaims {
    /// Violated: executions end there.
    pub violated: BTreeSet<ClaimKey>,
    /// Nothing will be known of them.
    pub given_up: BTreeSet<ClaimKey>,
}

/// By what rules the terms of a check were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// By the few of [`Rewriting::Structural`].
    Few,
    /// By all.
    All,
}

/// A refutation whose steps were replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refuted {
    /// The rules by which its formula was made.
    pub rules: Rules,
    /// The clauses of the formula.
    pub clauses: u64,
    /// The steps of the proof.
    pub steps: usize,
    /// The time that it took, including attempts in vain.
    pub time: Duration,
}

/// The reason why an unrolling is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// An execution may fail: what, in words.
    Failure(String),
    /// An execution does fail, as the interpreter shows: what, in words.
    Violation(String),
    /// The solver's proof is wrong.
    Proof(String),
    /// The check came to no end; why.
    Unknown(Reason),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Failure(what) => write!(f, "the checker does not exclude {what}"),
            Flaw::Violation(what) => write!(f, "the interpreter shows a violation of {what}"),
            Flaw::Proof(what) => write!(f, "the clause proof is wrong: {what}"),
            Flaw::Unknown(why) => write!(f, "{why}"),
        }
    }
}

/// The formula to be refuted.
struct Formula<'a> {
    rules: Rules,
    trace: &'a Trace,
    /// When obligations fail, and what they are.
    failures: &'a [(TermId, &'a str)],
}

fn new_solver() -> Solver {
    let sat_options = vec![("lucky", 0)];
    Solver::new(SolverOptions { sat_options, ..SolverOptions::replayed() })
}

impl Unrolled<'_> {
    /// Checks that nothing fails.
    ///
    /// # Errors
    /// If something may fail, the solver's proof is wrong, or the budget ends.
    pub fn check(&self, budget: &Budget) -> Result<Refuted, Flaw> {
        let start = Instant::now();
        let few = Budget {
            conflicts: Some(self.n_conflicts.saturating_mul(EFFORT_FACTOR) + FREE_CONFLICTS),
            ..budget.at_most(FEW_WORK)
        };
        let max_steps = self.n_steps.saturating_mul(EFFORT_FACTOR) + FREE_STEPS;
        let refuted = match self.attempt(Rules::Few, max_steps, &few) {
            // Fewer rules decide fewer rounds, so that bounds may be too small for them.
            Err(Flaw::Failure(_) | Flaw::Proof(_) | Flaw::Unknown(_))
                if budget.exhausted().is_none() =>
            {
                self.attempt(Rules::All, u64::MAX, budget)
            }
            result => result,
        }?;
        Ok(Refuted { time: start.elapsed(), ..refuted })
    }

    fn attempt(&self, rules: Rules, max_steps: u64, budget: &Budget) -> Result<Refuted, Flaw> {
        let mut store = TermStore::with_rewriting(match rules {
            Rules::Few => Rewriting::Structural,
            Rules::All => Rewriting::On,
        });
        let mut solver = new_solver();
        let (trace, left_out) = self.execute(&mut store, &mut solver, max_steps, budget);
        if let Some(reason) = &trace.cut_short {
            return Err(Flaw::Unknown(Reason::Incomplete(reason.clone())));
        }
        for &constraint in &trace.constraints {
            solver.assert(constraint);
        }
        let failures = self.failures(&mut store, &trace);
        let mut all: Vec<TermId> = failures.iter().map(|(failure, _)| *failure).collect();
        all.extend(left_out);
        let whole = store.or_all(&all);
        let formula = Formula { rules, trace: &trace, failures: &failures };
        let groups = facts::groups(&mut store, &all);
        if groups.iter().all(|group| group.facts.is_empty()) {
            let answer = any_failure(Solver::check, &mut solver, &store, whole, &all, budget);
            return self.refuted(&formula, &store, &mut solver, answer, budget);
        }
        drop(solver);
        let mut sum = Refuted { rules, clauses: 0, steps: 0, time: Duration::ZERO };
        for Group { facts, failures } in groups {
            let mut solver = new_solver();
            for &known in trace.constraints.iter().chain(&facts) {
                solver.assert(known);
            }
            let whole = store.or_all(&failures);
            let answer = any_failure(Solver::check, &mut solver, &store, whole, &failures, budget);
            let refuted = self.refuted(&formula, &store, &mut solver, answer, budget)?;
            sum.clauses += refuted.clauses;
            sum.steps += refuted.steps;
        }
        Ok(sum)
    }

    /// Interprets the answer of a solver about failures; replays the proof that there is none.
    fn refuted(
        &self,
        formula: &Formula<'_>,
        store: &TermStore,
        solver: &mut Solver,
        answer: Answer,
        budget: &Budget,
    ) -> Result<Refuted, Flaw> {
        let &Formula { rules, trace, failures } = formula;
        match answer {
            Answer::Unsat => {}
            Answer::Unknown(reason) => return Err(Flaw::Unknown(reason.into())),
            Answer::Sat => {
                if rules == Rules::Few
                    && let Some(property) =
                        self.violated(store, trace, &solver.model(store), budget)
                {
                    return Err(Flaw::Violation(property));
                }
                let terms: Vec<TermId> = failures.iter().map(|(failure, _)| *failure).collect();
                let truths = solver.truths(store, &terms, budget);
                let met = failures.iter().zip(truths).find(|(_, truth)| *truth);
                let what = met.map_or("a round that was left out", |((_, what), _)| what);
                return Err(Flaw::Failure(what.to_owned()));
            }
        }
        let steps = solver.check_proof().map_err(|error| Flaw::Proof(error.to_string()))?;
        let clauses = solver.stats().sat.clauses;
        Ok(Refuted { rules, clauses, steps, time: Duration::ZERO })
    }

    /// Executes the program; gives also the conditions of the rounds that were left out.
    fn execute(
        &self,
        store: &mut TermStore,
        solver: &mut Solver,
        max_steps: u64,
        budget: &Budget,
    ) -> (Trace, Vec<TermId>) {
        let asking = RefCell::new((Pruning::default(), solver, Vec::new()));
        let feasible = |store: &TermStore, site: Site, condition: TermId| {
            let (pruning, solver, left_out) = &mut *asking.borrow_mut();
            let goes_on = pruning.is_feasible(solver, store, site, condition, budget);
            if !goes_on {
                left_out.push(condition);
            }
            goes_on
        };
        let options = Options {
            decided: self.decided,
            loop_bounds: self.loop_bounds,
            max_steps,
            stop: &|| budget.stops_after(WORK_BETWEEN_LOOKS),
            feasible: &feasible,
            ..Options::bounded(self.unwind, self.recursion)
        };
        let trace = execute(self.program, store, &options);
        let (_, _, left_out) = asking.into_inner();
        (trace, left_out)
    }

    /// The property that an execution of the program violates which a model describes, if it is one that counts.
    fn violated(
        &self,
        store: &TermStore,
        trace: &Trace,
        model: &Assignment,
        budget: &Budget,
    ) -> Option<String> {
        let choices = Choices::of_model(self.program, store, trace, model);
        let found =
            Counterexample::replay(self.program, choices, &budget.at_most(REPLAY_WORK)).ok()?;
        let key = found.key();
        let counts = !self.closed.violated.contains(&key) && !self.closed.given_up.contains(&key);
        counts.then(|| found.claim().property.clone())
    }

    /// When each obligation that counts fails before an execution ends at a violated claim, and what it is.
    fn failures<'t>(&self, store: &mut TermStore, trace: &'t Trace) -> Vec<(TermId, &'t str)> {
        let mut failures = Vec::new();
        let mut ended = store.false_term();
        for obligation in &trace.obligations {
            let what = match &obligation.kind {
                ObligationKind::Claim(claim) => {
                    let key = ClaimKey::new(claim, obligation.span);
                    if self.closed.violated.contains(&key) {
                        ended = store.or(ended, obligation.violation);
                        continue;
                    }
                    if self.closed.given_up.contains(&key) {
                        continue;
                    }
                    claim.property.as_str()
                }
                ObligationKind::Unwinding | ObligationKind::OwnBound => "another round of a loop",
                ObligationKind::Recursion => "another activation of a function",
                ObligationKind::Unsupported(what) => what,
            };
            let running = store.not(ended);
            failures.push((store.and(running, obligation.violation), what));
        }
        failures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::text::parse;
    #[cfg(debug_assertions)]
    use vergo_term::Op;

    /// Three rounds at most; the sum is at most twelve.
    const SUM: &str = "entry main; sites 2; function main: fn() -> void labels 2 {
        local i: i32 align 4; local n: i32 align 4; local s: i32 align 4; decl i; decl n; decl s;
        n := #nondet<i32>(0); assume 0i32 <= n && n <= 3i32; i := 0i32; s := 0i32;
        L0: if n <= i goto L1; s := s + n + 1i32; i := i + 1i32; goto L0;
        L1: assert s <= LIMITi32 \"p\" \"sum\"; assert n < 4i32 \"q\" \"bound\"; end 0i32; }";

    fn check(limit: u32, unwind: u32, closed: &ClosedClaims) -> Result<Refuted, Flaw> {
        let program = parse(&SUM.replace("LIMIT", &limit.to_string()))
            .unwrap_or_else(|error| panic!("{error}"));
        let unrolled = Unrolled {
            program: &program,
            unwind,
            recursion: 1,
            decided: u64::MAX,
            loop_bounds: &LoopBounds::new(),
            closed,
            n_steps: 100,
            n_conflicts: 100,
        };
        unrolled.check(&Budget::unlimited())
    }

    #[test]
    fn a_complete_unrolling_is_accepted_with_a_proof() {
        let refuted =
            check(12, 4, &ClosedClaims::default()).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert_eq!(refuted.rules, Rules::Few);
        assert!(refuted.clauses > 0, "{refuted:?}");
    }

    #[test]
    fn a_wrong_bound_is_rejected() {
        let flaw = check(12, 2, &ClosedClaims::default());
        assert_eq!(flaw, Err(Flaw::Failure("another round of a loop".to_owned())));
    }

    #[test]
    fn a_violated_claim_is_rejected_unless_it_is_closed() {
        let flaw = check(11, 4, &ClosedClaims::default());
        assert_eq!(flaw, Err(Flaw::Violation("p".to_owned())));
        let program = parse(&SUM.replace("LIMIT", "11")).unwrap_or_else(|error| panic!("{error}"));
        let table = crate::ClaimTable::of(&program);
        let sites: Vec<ClaimKey> =
            table.iter().map(|(_, site)| ClaimKey::new(&site.claim, site.span)).collect();
        let only = |key: &ClaimKey| BTreeSet::from([key.clone()]);
        for closed in [
            ClosedClaims { violated: only(&sites[0]), ..ClosedClaims::default() },
            ClosedClaims { given_up: only(&sites[0]), ..ClosedClaims::default() },
        ] {
            assert!(check(11, 4, &closed).is_ok());
        }
        // To close another one does not help.
        let other = ClosedClaims { given_up: only(&sites[1]), ..ClosedClaims::default() };
        assert_eq!(check(11, 4, &other), Err(Flaw::Violation("p".to_owned())));
    }

    /// No square of a number up to three is nine.
    #[cfg(debug_assertions)]
    const SQUARE: &str = "entry main; sites 1; function main: fn() -> void {
        local n: i32 align 4; decl n; n := #nondet<i32>(0); assume 0i32 <= n && n <= 3i32;
        assert n * n != 9i32 \"p\" \"square\"; end 0i32; }";

    /// The product of a word with itself is not the word.
    #[cfg(debug_assertions)]
    fn wrong_rule(_: &TermStore, op: Op, args: &[TermId]) -> Option<TermId> {
        match (op, args) {
            (Op::BvMul, &[a, b]) if a == b => Some(a),
            _ => None,
        }
    }

    #[test]
    #[cfg(debug_assertions)]
    fn a_wrong_rule_of_simplification_is_noticed() {
        let program = parse(SQUARE).unwrap_or_else(|error| panic!("{error}"));
        let unrolled = Unrolled {
            program: &program,
            unwind: 1,
            recursion: 1,
            decided: u64::MAX,
            loop_bounds: &LoopBounds::new(),
            closed: &ClosedClaims::default(),
            n_steps: 100,
            n_conflicts: 100,
        };
        let budget = Budget::unlimited();
        vergo_term::with_planted(wrong_rule, || {
            // It fools who uses all rules,
            assert!(unrolled.attempt(Rules::All, u64::MAX, &budget).is_ok());
            // but not the check,
            assert_eq!(unrolled.check(&budget), Err(Flaw::Violation("p".to_owned())));
            // nor who does without terms.
            let plain = crate::plain::explore(&program, unrolled.closed, &budget);
            assert!(matches!(plain, Err(crate::plain::Objection::Failure(..))), "{plain:?}");
        });
        assert_eq!(unrolled.check(&budget), Err(Flaw::Violation("p".to_owned())));
    }

    #[test]
    fn without_time_there_is_no_answer() {
        let program = parse(&SUM.replace("LIMIT", "12")).unwrap_or_else(|error| panic!("{error}"));
        let unrolled = Unrolled {
            program: &program,
            unwind: 4,
            recursion: 1,
            decided: u64::MAX,
            loop_bounds: &LoopBounds::new(),
            closed: &ClosedClaims::default(),
            n_steps: 0,
            n_conflicts: 0,
        };
        let budget = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
        assert!(matches!(unrolled.check(&budget), Err(Flaw::Unknown(_))));
    }
}

//! The check of all interleavings: threads are executed once more, lemmas about their order derived once more, and the formula of
//! failures refuted once more.
//!
//! **Idea.** An engine says: within these bounds every thread ends, and no order of their steps fails; these sets of facts
//! about the order, the *lemmas*, are what the refutation needs. The program is executed here in a new store. Each lemma is derived
//! from the events of that execution by two rules that are written down here ([`contradicts`]); then choices of writes, lemmas
//! and failures together are refuted by a new solver, and every step of the refutation is replayed.
//!
//! **What is left to trust.** Symbolic execution, the translation to clauses and these rules; not the engine, not the theory of
//! orders that found the lemmas, not the SAT solver.

use crate::Reason;
use crate::unrolling::{Flaw, Refuted, Rules};
use std::collections::BTreeMap;
use std::time::Instant;
use vergo_goto::program::Program;
use vergo_smt::order::Fact;
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_symex::threads::{Events, Threaded, execute_threads};
use vergo_symex::{LoopBounds, ObligationKind, Options, WORK_BETWEEN_LOOKS};
use vergo_term::{Sort, TermId, TermStore};

/// An engine's claim that no order of steps fails within these bounds.
pub struct Interleaved<'a> {
    /// The program.
    pub program: &'a Program,
    /// Undecided rounds of each loop, and activations of each function at a time.
    pub unwind: u32,
    /// All rounds and activations, also the decided ones.
    pub decided: u64,
    /// Other bounds for some loops.
    pub loop_bounds: &'a LoopBounds,
    /// Facts about the order of steps that do not hold together.
    pub lemmas: &'a [Vec<Fact>],
}

/// The extent of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Threads.
    pub threads: usize,
    /// Reads and writes of what they share.
    pub accesses: usize,
    /// Lemmas.
    pub lemmas: usize,
}

/// Executes the threads of a program within bounds.
///
/// # Errors
/// The reason why that is not possible.
pub fn execute(
    program: &Program,
    store: &mut TermStore,
    (unwind, decided, loop_bounds): (u32, u64, &LoopBounds),
    budget: &Budget,
) -> Result<Threaded, Reason> {
    let stop = || budget.stops_after(WORK_BETWEEN_LOOKS);
    let options = Options { decided, loop_bounds, stop: &stop, ..Options::bounded(unwind, unwind) };
    execute_threads(program, store, &options).map_err(|what| match budget.exhausted() {
        Some(reason) => reason.into(),
        None => Reason::Unsupported(what),
    })
}

/// Facts as conditions over the variables of an execution.
pub struct Meaning {
    choices: BTreeMap<(u32, u32), TermId>,
    guards: Vec<(TermId, bool, u32)>,
}

impl Meaning {
    /// The conditions of the events of an execution.
    pub fn of(events: &Events) -> Meaning {
        let choice = |c: &vergo_symex::threads::Choice| ((c.read, c.write), c.term);
        let choices = events.choices.iter().map(choice).collect();
        let guards = events.accesses.iter().map(|a| (a.guard, a.is_write, a.node)).collect();
        Meaning { choices, guards }
    }

    /// When a fact holds; none if it is none of this execution.
    pub fn term(&self, store: &mut TermStore, fact: Fact) -> Option<TermId> {
        match fact {
            Fact::Reads { read, write } => self.choices.get(&(read, write)).copied(),
            Fact::Happens(write) => {
                let &(guard, is_write, _) = self.guards.get(write as usize)?;
                is_write.then_some(guard)
            }
            Fact::Before(a, b) => {
                let &(_, first, x) = self.guards.get(a as usize)?;
                let &(_, second, y) = self.guards.get(b as usize)?;
                if !first || !second || x == y {
                    return None;
                }
                let name = format!("before!{}!{}", a.min(b), a.max(b));
                let term = store.var(&name, Sort::Bool);
                Some(if a < b { term } else { store.not(term) })
            }
        }
    }

    /// The clause of a lemma: not all of its facts hold.
    pub fn clause(&self, store: &mut TermStore, lemma: &[Fact]) -> Option<TermId> {
        let mut literals = Vec::new();
        for &fact in lemma {
            let term = self.term(store, fact)?;
            literals.push(store.not(term));
        }
        Some(store.or_all(&literals))
    }
}

impl Interleaved<'_> {
    /// Checks that nothing fails.
    ///
    /// # Errors
    /// If something may fail, a lemma or the solver's proof is wrong, or the budget ends.
    pub fn check(&self, budget: &Budget) -> Result<(Refuted, Extent), Flaw> {
        let start = Instant::now();
        let mut store = TermStore::new();
        let bounds = (self.unwind, self.decided, self.loop_bounds);
        let Threaded { trace, events } =
            execute(self.program, &mut store, bounds, budget).map_err(Flaw::Unknown)?;
        let sat_options = vec![("lucky", 0)];
        let mut solver = Solver::new(SolverOptions { sat_options, ..SolverOptions::replayed() });
        for &constraint in &trace.constraints {
            solver.assert(constraint);
        }
        let (order, meaning) = (GivenOrder::of(&events), Meaning::of(&events));
        for lemma in self.lemmas {
            if let Some(reason) = budget.exhausted() {
                return Err(Flaw::Unknown(reason.into()));
            }
            let clause = meaning.clause(&mut store, lemma);
            match clause.filter(|_| contradicts(&events, &order, lemma)) {
                Some(clause) => solver.assert(clause),
                None => return Err(Flaw::Proof(format!("{lemma:?} may hold together"))),
            }
        }
        let failures: Vec<TermId> = trace.obligations.iter().map(|o| o.violation).collect();
        let failure = store.or_all(&failures);
        match solver.check(&store, &[failure], budget) {
            Answer::Unsat => {}
            Answer::Unknown(reason) => return Err(Flaw::Unknown(reason.into())),
            Answer::Sat => {
                let truths = solver.truths(&store, &failures, budget);
                let met = trace.obligations.iter().zip(truths).find(|(_, truth)| *truth);
                let what = met.map_or("a failure", |(obligation, _)| match &obligation.kind {
                    ObligationKind::Claim(claim) => claim.property.as_str(),
                    ObligationKind::Unsupported(what) => what,
                    _ => "another round",
                });
                return Err(Flaw::Failure(what.to_owned()));
            }
        }
        let steps = solver.check_proof().map_err(|error| Flaw::Proof(error.to_string()))?;
        let clauses = solver.stats().sat.clauses;
        let extent = Extent {
            threads: events.started_by.len(),
            accesses: events.accesses.len(),
            lemmas: self.lemmas.len(),
        };
        Ok((Refuted { rules: Rules::All, clauses, steps, time: start.elapsed() }, extent))
    }
}

/// Which steps come before which in every execution: for each step, as bits.
pub struct GivenOrder {
    earlier: Vec<Vec<u64>>,
}

impl GivenOrder {
    /// The order that program order, starts and joins give.
    pub fn of(events: &Events) -> GivenOrder {
        let words = events.nodes.len().div_ceil(64);
        let mut earlier: Vec<Vec<u64>> = Vec::with_capacity(events.nodes.len());
        for node in &events.nodes {
            let mut row = vec![0; words];
            for &other in node.before.iter().filter(|&&other| (other as usize) < earlier.len()) {
                let other = other as usize;
                row.iter_mut().zip(&earlier[other]).for_each(|(a, b)| *a |= b);
                row[other / 64] |= 1 << (other % 64);
            }
            earlier.push(row);
        }
        GivenOrder { earlier }
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        self.earlier[b as usize][a as usize / 64] >> (a % 64) & 1 == 1
    }
}

/// Checks whether facts about the accesses of an execution do not hold together, by these rules, in which steps are the steps of accesses:
/// who reads comes after whom it reads from; if `r` reads from `w`, another write `x` of the same place
/// that happens, and is in neither of their steps, comes before `w` if it comes before `r`, and after `r` if it comes after `w`.
pub fn contradicts(events: &Events, order: &GivenOrder, facts: &[Fact]) -> bool {
    let Some(nodes) = nodes_of(events, facts) else { return false };
    let index = |access: u32| {
        let node = events.accesses[access as usize].node;
        nodes.binary_search(&node).unwrap_or(0)
    };
    let n = nodes.len();
    let mut before = vec![vec![false; n]; n];
    for (i, &a) in nodes.iter().enumerate() {
        for (j, &b) in nodes.iter().enumerate() {
            before[i][j] = order.is_before(a, b);
        }
    }
    for fact in facts {
        match *fact {
            Fact::Reads { read, write } if index(read) != index(write) => {
                before[index(write)][index(read)] = true;
            }
            Fact::Before(a, b) => before[index(a)][index(b)] = true,
            _ => {}
        }
    }
    loop {
        close(&mut before);
        if (0..n).any(|i| before[i][i]) {
            return true;
        }
        let mut changed = false;
        for fact in facts {
            let &Fact::Reads { read, write } = fact else { continue };
            let (r, w) = (index(read), index(write));
            let place = events.accesses[read as usize].place;
            for other in facts {
                let &Fact::Happens(other) = other else { continue };
                let x = index(other);
                let same = events.accesses[other as usize].place == place;
                if !same || x == r || x == w || r == w {
                    continue;
                }
                changed |= before[x][r] && !std::mem::replace(&mut before[x][w], true);
                changed |= before[w][x] && !std::mem::replace(&mut before[r][x], true);
            }
        }
        if !changed {
            return false;
        }
    }
}

/// The steps of the accesses that facts speak of, ascending; none if a fact is none of these events.
fn nodes_of(events: &Events, facts: &[Fact]) -> Option<Vec<u32>> {
    let mut nodes = Vec::new();
    for fact in facts {
        let accesses = match *fact {
            Fact::Reads { read, write } => {
                let (r, w) =
                    (events.accesses.get(read as usize)?, events.accesses.get(write as usize)?);
                if r.is_write || !w.is_write || r.place != w.place {
                    return None;
                }
                vec![r, w]
            }
            Fact::Happens(write) => {
                let write = events.accesses.get(write as usize)?;
                vec![Some(write).filter(|write| write.is_write)?]
            }
            Fact::Before(a, b) => {
                vec![events.accesses.get(a as usize)?, events.accesses.get(b as usize)?]
            }
        };
        nodes.extend(accesses.into_iter().map(|access| access.node));
    }
    nodes.sort_unstable();
    nodes.dedup();
    Some(nodes)
}

/// Closes the order under transitivity.
fn close(before: &mut [Vec<bool>]) {
    for k in 0..before.len() {
        let row = before[k].clone();
        for other in before.iter_mut().filter(|other| other[k]) {
            other.iter_mut().zip(&row).for_each(|(a, b)| *a |= b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::text::parse;

    /// Two threads that add one, in sections or not.
    fn program(section: bool) -> Program {
        let update = "t := n; n := t + 1i32;";
        let update = match section {
            true => format!("atomic_begin; {update} atomic_end;"),
            false => update.to_owned(),
        };
        let source = format!(
            "entry main; static n: i32 align 4 = {{}};
             function worker: fn(void*) -> void* {{
                 param arg: void* align 8; local t: i32 align 4; decl t; {update} return arg;
             }}
             function main: fn() -> void {{
                 local a: u64 align 8; local b: u64 align 8; decl a; decl b;
                 a := spawn worker(#null<void*>); b := spawn worker(#null<void*>);
                 join a; join b; assert n == 2i32 \"p\" \"sum\"; end 0i32;
             }}"
        );
        parse(&source).unwrap_or_else(|error| panic!("{error}"))
    }

    fn check(program: &Program, lemmas: &[Vec<Fact>]) -> Result<(Refuted, Extent), Flaw> {
        let loop_bounds = &LoopBounds::new();
        let it = Interleaved { program, unwind: 2, decided: u64::MAX, loop_bounds, lemmas };
        it.check(&Budget::unlimited())
    }

    /// All facts of an execution about reads, writes and the order of these.
    fn all_pairs(events: &Events) -> Vec<Vec<Fact>> {
        let happens = |i: u32| Fact::Happens(i);
        let mut lemmas = Vec::new();
        for a in &events.choices {
            for b in events.choices.iter().filter(|b| b.read > a.read) {
                let mut lemma: Vec<Fact> = (0..events.accesses.len() as u32)
                    .filter(|&i| events.accesses[i as usize].is_write)
                    .map(happens)
                    .collect();
                for choice in [a, b] {
                    lemma.push(Fact::Reads { read: choice.read, write: choice.write });
                }
                lemmas.push(lemma);
            }
        }
        lemmas
    }

    fn true_lemmas(program: &Program) -> (Vec<Vec<Fact>>, Vec<Vec<Fact>>) {
        let mut store = TermStore::new();
        let bounds = LoopBounds::new();
        let threaded = execute(program, &mut store, (2, u64::MAX, &bounds), &Budget::unlimited())
            .unwrap_or_else(|reason| panic!("{reason}"));
        let order = GivenOrder::of(&threaded.events);
        let all = all_pairs(&threaded.events);
        all.into_iter().partition(|lemma| contradicts(&threaded.events, &order, lemma))
    }

    #[test]
    fn sections_are_proved_with_lemmas_and_not_without() {
        let program = program(true);
        let (lemmas, others) = true_lemmas(&program);
        assert!(!lemmas.is_empty() && !others.is_empty());
        let found = check(&program, &lemmas);
        let (_, extent) = found.unwrap_or_else(|flaw| panic!("{flaw}"));
        assert_eq!(extent.threads, 3);
        assert_eq!(check(&program, &[]).err(), Some(Flaw::Failure("p".to_owned())));
    }

    #[test]
    fn a_wrong_lemma_is_rejected() {
        let program = program(true);
        let (mut lemmas, others) = true_lemmas(&program);
        lemmas.push(others[0].clone());
        assert!(matches!(check(&program, &lemmas), Err(Flaw::Proof(_))));
        // Nor is one accepted about accesses that are not there.
        assert!(matches!(check(&program, &[vec![Fact::Happens(999)]]), Err(Flaw::Proof(_))));
    }

    #[test]
    fn a_lost_update_is_not_excluded() {
        let program = program(false);
        let (lemmas, _) = true_lemmas(&program);
        assert_eq!(check(&program, &lemmas).err(), Some(Flaw::Failure("p".to_owned())));
    }
}

//! Bounded model checking of threads: all orders of their steps at once.
//!
//! **Idea.** Each thread is executed once, with bounds for loops, into events (`vergo_symex::threads`); from which write a read
//! gets its value is a choice of the solver. Whether the choices of a model fit into an order of all steps is the question of a theory of its
//! own (`vergo_smt::order`): if not, the facts of each cycle become a lemma, and the solver is asked again. The model of a
//! possible order that violates a claim is an execution, with a schedule; if there is none and nothing was cut, no schedule
//! violates a claim. Bounds grow as those of `bmc-incremental`.
//!
//! **Source.** F. He, Z. Sun, H. Fan, "Satisfiability modulo ordering consistency theory for multi-threaded program
//! verification", PLDI 2021, doi 10.1145/3453483.3454108.
//!
//! **Deviations.** The theory is asked about whole models, not during the search. The order of two writes that matters and
//! does not follow is a variable from when it turns out to matter.
//!
//! **Soundness.** `true` after a check that derives every lemma again and refutes the formula again ([`Interleaved`]);
//! `false` after a replay by the schedule that the order gives.

use crate::features::Features;
use crate::{Environment, Progress, Task, no_replay};
use std::collections::{BTreeMap, BTreeSet};
use vergo_evidence::interleavings::{Interleaved, Meaning, execute};
use vergo_evidence::unrolling::Flaw;
use vergo_evidence::{Certificate, Certify, Choices, Counterexample, Reason, Verdict};
use vergo_goto::program::{FunctionId, InstrKind, Program};
use vergo_interp::Guide;
use vergo_smt::order::{Access, Fact, Graph, Outcome};
use vergo_smt::{Answer, Solver, SolverOptions};
use vergo_symex::threads::{Events, Moment, Threaded};
use vergo_symex::{ObligationKind, Trace};
use vergo_term::{Assignment, Evaluator, TermId, TermStore};

/// The limit for rounds without a decision, for each undecided one.
const DECIDED: u64 = 100;
/// Bounds beyond this are not tried.
const MAX_UNWIND: u32 = 400;
/// The writes of a place of which more pairs than this have an order to be decided are left alone.
const MAX_PAIRS: usize = 4000;

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("orders of threads have no proof for others to check"));
    }
    if !Features::of(task.program).threads {
        return Verdict::Unknown(Reason::Withdrawn("the program has no threads"));
    }
    let mut unwind = task.unrolling.unwind.unwrap_or(1);
    loop {
        if let Some(verdict) = at_bound(task, env, unwind) {
            return verdict;
        }
        if task.unrolling.unwind.is_some() || unwind > MAX_UNWIND {
            return Verdict::Unknown(Reason::bound());
        }
        unwind += (unwind / 2).max(1);
    }
}

/// The verdict at a bound; none if it is too small.
fn at_bound(task: &Task<'_>, env: &Environment<'_>, unwind: u32) -> Option<Verdict> {
    let mut store = TermStore::new();
    let decided = DECIDED * u64::from(unwind);
    let bounds = (unwind, decided, &task.unrolling.loop_bounds);
    let threaded = match execute(task.program, &mut store, bounds, &env.budget) {
        Ok(threaded) => threaded,
        Err(reason) => return Some(Verdict::Unknown(reason)),
    };
    let (terms, obligations) = (store.len(), threaded.trace.obligations.len());
    (env.progress)(Progress::Bound { engine: None, unwind, terms, obligations });
    let Threaded { trace, events } = &threaded;
    let sat_options = vec![("lucky", 0)];
    let mut search = Search {
        solver: Solver::new(SolverOptions { sat_options, ..SolverOptions::default() }),
        store,
        trace,
        events,
        graph: graph(events),
        meaning: Meaning::of(events),
        open: BTreeSet::new(),
        lemmas: Vec::new(),
    };
    for (a, b) in locks(events) {
        search.decide_order(a, b);
    }
    for &constraint in &trace.constraints {
        search.solver.assert(constraint);
    }
    let is_claim = |kind: &ObligationKind| matches!(kind, ObligationKind::Claim(_));
    match search.find(env, is_claim) {
        Found::Nothing => {}
        Found::Order(model, order) => return Some(search.replay(task, env, &model, &order)),
        Found::Unknown(reason) => return Some(Verdict::Unknown(reason)),
    }
    match search.find(env, |_| true) {
        Found::Nothing => {}
        Found::Unknown(reason) => return Some(Verdict::Unknown(reason)),
        Found::Order(model, _) => {
            let mut evaluator = Evaluator::new(&search.store, &model);
            let met: Vec<&ObligationKind> = trace
                .obligations
                .iter()
                .filter(|o| evaluator.value(o.violation).as_bool())
                .map(|o| &o.kind)
                .collect();
            let unsupported = met.iter().find_map(|kind| match kind {
                ObligationKind::Unsupported(what) => Some(what),
                _ => None,
            });
            return match unsupported {
                Some(what) => Some(Verdict::Unknown(Reason::Unsupported(what.clone()))),
                None if met.iter().any(|kind| matches!(kind, ObligationKind::OwnBound)) => {
                    Some(Verdict::Unknown(Reason::incomplete("the bound of a loop is too small")))
                }
                None => None,
            };
        }
    }
    let interleaved = Interleaved {
        program: task.program,
        unwind,
        decided,
        loop_bounds: &task.unrolling.loop_bounds,
        lemmas: &search.lemmas,
    };
    Some(match Certificate::interleavings(&interleaved, &env.budget) {
        Ok(certificate) => Verdict::True(certificate),
        Err(Flaw::Unknown(reason)) => Verdict::Unknown(Reason::Unchecked(Box::new(reason))),
        Err(flaw) => Verdict::Unknown(Reason::Fault(format!("a proof was rejected: {flaw}"))),
    })
}

/// Pairs of writes whose order is worth a decision from the beginning: those of locks, which are taken by reading and writing in
/// one step. From the order of two of these follows that of everything under the lock.
fn locks(events: &Events) -> Vec<(u32, u32)> {
    let reads: BTreeSet<(u32, u32)> =
        events.accesses.iter().filter(|a| !a.is_write).map(|a| (a.node, a.place)).collect();
    let is_taken = |a: &vergo_symex::threads::Access| reads.contains(&(a.node, a.place));
    let mut writes: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (i, access) in events.accesses.iter().enumerate().filter(|(_, a)| a.is_write) {
        writes.entry(access.place).or_default().push(i as u32);
    }
    let mut pairs = Vec::new();
    for writes in writes.values() {
        let taken: Vec<u32> =
            writes.iter().copied().filter(|&w| is_taken(&events.accesses[w as usize])).collect();
        if taken.len() * writes.len() > MAX_PAIRS {
            continue;
        }
        for &a in &taken {
            for &b in writes {
                let [x, y] = [a, b].map(|access| {
                    let node = events.accesses[access as usize].node;
                    events.nodes[node as usize].thread
                });
                if x != y {
                    pairs.push((a, b));
                }
            }
        }
    }
    pairs
}

/// Events as the theory of orders sees them.
fn graph(events: &Events) -> Graph {
    let access = |a: &vergo_symex::threads::Access| Access {
        node: a.node,
        place: a.place,
        is_write: a.is_write,
    };
    Graph {
        before: events.nodes.iter().map(|node| node.before.clone()).collect(),
        accesses: events.accesses.iter().map(access).collect(),
    }
}

struct Search<'t> {
    solver: Solver,
    store: TermStore,
    trace: &'t Trace,
    events: &'t Events,
    graph: Graph,
    meaning: Meaning,
    /// Writes whose order matters.
    open: BTreeSet<(u32, u32)>,
    lemmas: Vec<Vec<Fact>>,
}

enum Found {
    /// No order fails.
    Nothing,
    /// A model, and its order of steps.
    Order(Assignment, Vec<u32>),
    Unknown(Reason),
}

impl Search<'_> {
    /// Looks for an order that fails one of some obligations.
    fn find(&mut self, env: &Environment<'_>, wanted: impl Fn(&ObligationKind) -> bool) -> Found {
        let failures: Vec<TermId> = self
            .trace
            .obligations
            .iter()
            .filter(|o| wanted(&o.kind))
            .map(|o| o.violation)
            .collect();
        let failure = self.store.or_all(&failures);
        loop {
            match self.solver.check(&self.store, &[failure], &env.budget) {
                Answer::Unsat => return Found::Nothing,
                Answer::Unknown(reason) => return Found::Unknown(reason.into()),
                Answer::Sat => {}
            }
            let model = self.solver.model(&self.store);
            let facts = self.facts(&model);
            match self.graph.solve(&facts) {
                Outcome::Order(order) => return Found::Order(model, order),
                Outcome::Conflicts(conflicts) => {
                    for lemma in conflicts {
                        let Some(clause) = self.meaning.clause(&mut self.store, &lemma) else {
                            return Found::Unknown(Reason::Fault("a fact of no event".to_owned()));
                        };
                        self.solver.assert(clause);
                        self.lemmas.push(lemma);
                    }
                }
                Outcome::Open(a, b) => {
                    // The solver decides from now on.
                    if !self.decide_order(a, b) {
                        return Found::Unknown(Reason::Fault("an order is open twice".to_owned()));
                    }
                }
            }
            if let Some(reason) = env.budget.exhausted() {
                return Found::Unknown(reason.into());
            }
        }
    }

    /// Makes the order of two writes a matter of the solver; false if it is one already.
    fn decide_order(&mut self, a: u32, b: u32) -> bool {
        self.open.insert((a.min(b), a.max(b)))
    }

    /// The facts of a model.
    fn facts(&mut self, model: &Assignment) -> Vec<Fact> {
        let open: Vec<(TermId, u32, u32)> = self
            .open
            .iter()
            .filter_map(|&(a, b)| {
                Some((self.meaning.term(&mut self.store, Fact::Before(a, b))?, a, b))
            })
            .collect();
        let mut evaluator = Evaluator::new(&self.store, model);
        let mut facts = Vec::new();
        let mut decided = BTreeSet::new();
        for choice in &self.events.choices {
            // One source is enough.
            if evaluator.value(choice.term).as_bool() && decided.insert(choice.read) {
                facts.push(Fact::Reads { read: choice.read, write: choice.write });
            }
        }
        for (i, access) in self.events.accesses.iter().enumerate() {
            if access.is_write && evaluator.value(access.guard).as_bool() {
                facts.push(Fact::Happens(i as u32));
            }
        }
        for (term, a, b) in open {
            let first = evaluator.value(term).as_bool();
            facts.push(if first { Fact::Before(a, b) } else { Fact::Before(b, a) });
        }
        facts
    }

    /// Executes what a model describes.
    fn replay(
        &self,
        task: &Task<'_>,
        env: &Environment<'_>,
        model: &Assignment,
        order: &[u32],
    ) -> Verdict {
        let mut evaluator = Evaluator::new(&self.store, model);
        let nodes = &self.events.nodes;
        let mut rank = vec![0; nodes.len()];
        for (i, &node) in order.iter().enumerate() {
            rank[node as usize] = i;
        }
        // Steps that are made, in order, and the first violation among them.
        let mut happens = |node: u32| evaluator.value(nodes[node as usize].guard).as_bool();
        let made: Vec<u32> = order.iter().copied().filter(|&node| happens(node)).collect();
        let last_of = |moment: &Moment| {
            let own = |&&node: &&u32| {
                nodes[node as usize].thread == moment.thread && Some(node) <= moment.node
            };
            made.iter().filter(own).map(|&node| rank[node as usize]).max()
        };
        let mut violated: Option<(Option<usize>, u32)> = None;
        let mut evaluator = Evaluator::new(&self.store, model);
        for (obligation, moment) in self.trace.obligations.iter().zip(&self.events.obligations) {
            let is_claim = matches!(obligation.kind, ObligationKind::Claim(_));
            if is_claim && evaluator.value(obligation.violation).as_bool() {
                let at = last_of(moment);
                if violated.is_none_or(|(other, _)| at < other) {
                    violated = Some((at, moment.thread));
                }
            }
        }
        let Some((end, thread)) = violated else {
            return Verdict::Unknown(Reason::Fault("a model without a violation".to_owned()));
        };
        // The interpreter numbers threads in the order in which they start.
        let mut numbers: Vec<usize> = (0..self.events.started_by.len()).collect();
        numbers.sort_by_key(|&thread| {
            let start = self.events.started_by[thread];
            (start.map(|node| (!made.contains(&node), rank[node as usize])), thread)
        });
        let number = |thread: u32| {
            numbers.iter().position(|&other| other == thread as usize).unwrap_or(0) as u32
        };
        let mut guides = Vec::new();
        for &node in made.iter().filter(|&&node| Some(rank[node as usize]) <= end) {
            let node = &nodes[node as usize];
            if let Some((function, at)) = node.at {
                let at = Some((function, first_claim(task.program, function, at)));
                guides.push(Guide { thread: number(node.thread), at });
            }
        }
        guides.push(Guide { thread: number(thread), at: None });
        // What is chosen between two steps of a thread is chosen with the first of them.
        let mut trace = self.trace.clone();
        let mut steps: Vec<usize> = (0..trace.steps.len()).collect();
        steps.sort_by_key(|&step| (last_of(&self.events.steps[step]), step));
        trace.steps = steps.into_iter().map(|step| trace.steps[step].clone()).collect();
        let choices = Choices::of_model(task.program, &self.store, &trace, model);
        let found = Counterexample::guided(task.program, choices, guides, &env.replay_budget());
        let found = found.and_then(|found| {
            Counterexample::replay(task.program, found.choices().clone(), &env.replay_budget())
        });
        match found {
            Ok(counterexample) => Verdict::False(Box::new(counterexample)),
            Err(mismatch) => {
                let given_up = self.trace.approximations.first().map(|(_, what)| what.as_str());
                Verdict::Unknown(no_replay(given_up, Some(mismatch)))
            }
        }
    }
}

/// Where the step of an instruction begins: with the claims about it.
fn first_claim(program: &Program, function: FunctionId, mut at: usize) -> u32 {
    let body = program.functions[function].body.as_deref().unwrap_or_default();
    let is_claim = |at: usize| match &body[at].kind {
        InstrKind::Assert(_, claim) => !claim.property.starts_with("user."),
        _ => false,
    };
    while at > 0 && is_claim(at - 1) {
        at -= 1;
    }
    at as u32
}

#[cfg(test)]
mod tests;

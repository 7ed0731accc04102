//! Certificates: why no claim can be violated.

use crate::clause_proof::ClauseProof;
use crate::exploration;
use crate::induction::{ProofFlaw, Tally, check_proof};
use crate::interleavings::{self, Interleaved};
use crate::localised;
use crate::loop_invariants::{LoopInvariant, loop_invariants};
use crate::needed::Induction;
use crate::only_execution::{self, Pace};
use crate::plain::{Explored, Objection, explore};
use crate::race_freedom::{self, Extent};
use crate::reason::Reason;
use crate::shapes::{self, Shapes};
use crate::tabulated::{self, Table};
use crate::thread_modular::{self, build::Purpose};
use crate::unrolling::{ClosedClaims, Flaw, Refuted, Rules, Unrolled};
use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};
use vergo_goto::program::{InstrKind, Program, SymbolId};
use vergo_interp as interp;
use vergo_passes::contracts::{Contract, Recursion};
use vergo_smt::Budget;
use vergo_symex::WORK_BETWEEN_LOOKS;
use vergo_term::smtlib::print_term;
use vergo_term::{TermId, TermStore};
use vergo_ts::{Claim, Proof, RecursiveCalls};

/// A reason to believe `true`. There is no way to make one but by a check.
#[derive(Clone, Debug)]
pub struct Certificate {
    kind: Kind,
    proof: Option<ClauseProof>,
    checked: Checked,
}

/// The independent check of the evidence, by somebody other than its finder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// How, in words.
    pub how: &'static str,
    /// The clauses that were refuted for it.
    pub clauses: u64,
    /// The steps of these refutations, each replayed.
    pub steps: usize,
    /// The time that the check took.
    pub time: Duration,
}

#[derive(Clone, Debug)]
enum Kind {
    CompleteUnrolling(Bounds),
    NoClaims,
    OnlyExecution,
    /// So many states.
    AllExecutions(u64),
    RaceFreedom(Extent),
    Interleavings(u32, interleavings::Extent),
    Invariant(Invariant),
    Exhausted {
        steps: u32,
    },
    Ranking(Ranking),
    /// Contracts as text, and why their modular program is safe.
    Contracts(Vec<String>, Box<Kind>),
    /// The number of contexts in which functions are called, and the number of states at places of their bodies.
    Tabulated {
        contexts: usize,
        states: usize,
    },
    /// So many states of memory at heads of loops.
    Shapes(usize),
    /// The facts about memory that threads share, and the proof that the program that looks at one thread at a time is
    /// safe.
    ThreadModular(Vec<String>, Box<Kind>),
    /// The names of the kept variables, and why the program with these alone is safe.
    Localised(Vec<String>, Box<Kind>),
}

/// A measure that decreases from loop head to loop head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Its words, the most significant first, in SMT-LIB over the state at loop heads; each is compared as an unsigned
    /// number.
    pub measure: Vec<String>,
    /// The invariant under which it decreases, in SMT-LIB.
    pub invariant: String,
}

/// An invariant of the loops of a program that excludes every violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The formula over the state at loop heads, in SMT-LIB.
    pub formula: String,
    /// The invariant of each loop.
    pub loops: Vec<LoopInvariant>,
    /// The number of consecutive states that the induction assumes.
    pub k: u32,
    /// True if it considers paths without repeated states only.
    pub simple_paths: bool,
}

/// Bounds that every execution keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Undecided rounds of a loop.
    pub unwind: u32,
    /// Activations of a function at a time.
    pub recursion: u32,
    /// All rounds and activations, also the decided ones.
    pub decided: u64,
    /// Obligations (claims, cut loops and cut calls) that were refuted together.
    pub obligations: usize,
    /// The instructions that whoever found them has executed, and the conflicts that it took: what a check may take too.
    pub effort: (u64, u64),
}

/// Says whether a refutation is written down for others to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Certify {
    /// No.
    #[default]
    Off,
    /// As clauses with an LRAT proof, which needs a solver that records proofs.
    Clauses,
}

/// The flaw of a proof about a program that could not be encoded again.
pub(crate) fn not_encoded(unsupported: &vergo_ts::Unsupported, budget: &Budget) -> ProofFlaw {
    let unsupported = || Reason::Unsupported(unsupported.to_string());
    ProofFlaw::Unknown(budget.exhausted().map_or_else(unsupported, Reason::Stopped))
}

impl Certificate {
    /// Every execution fits into these bounds, and none of them fails: the program is executed again here, and the
    /// formula of its failures refuted; only the bounds are the engine's. `proof` is what was written down for others.
    ///
    /// # Errors
    /// Returns the flaw in the bounds.
    pub fn complete_unrolling(
        unrolled: &Unrolled<'_>,
        obligations: usize,
        proof: Option<ClauseProof>,
        budget: &Budget,
    ) -> Result<Certificate, Flaw> {
        let Refuted { rules, clauses, steps, time } = unrolled.check(budget)?;
        let how = match rules {
            Rules::Few => "formula made again by few rules, clause proof replayed",
            Rules::All => "formula made again, clause proof replayed",
        };
        let &Unrolled { unwind, recursion, decided, n_steps, n_conflicts, .. } = unrolled;
        let effort = (n_steps, n_conflicts);
        let bounds = Bounds { unwind, recursion, decided, obligations, effort };
        let checked = Checked { how, clauses, steps, time };
        Ok(Certificate { kind: Kind::CompleteUnrolling(bounds), proof, checked })
    }

    /// Nothing is claimed: no assertion and nothing unsupported is left in the program, which begins somewhere. `None` if
    /// that is not so.
    pub fn no_claims(program: &Program) -> Option<Certificate> {
        let start = Instant::now();
        let instrs = program.functions.values().flat_map(|function| function.body.iter().flatten());
        let mut kinds = instrs.map(|instr| &instr.kind);
        // Only an intrinsic of runs touches memory of which nothing is claimed.
        let empty = !kinds.any(|kind| match kind {
            InstrKind::Assert(..) | InstrKind::Unsupported(_) => true,
            InstrKind::Intrinsic { op, .. } => op.is_for_runs() || op.is_obligation(),
            _ => false,
        });
        let is_program = program.entry.is_some();
        let checked = Checked::without_clauses("every instruction looked at", start);
        (empty && is_program).then_some(Certificate { kind: Kind::NoClaims, proof: None, checked })
    }

    /// The program makes no choices, and its only execution ends without a violation; the interpreter has looked at it.
    /// `None` if that is not so, cannot be seen, or takes more than the budget allows.
    pub fn only_execution(program: &Program, budget: &Budget) -> Option<Certificate> {
        let start = Instant::now();
        let safe = only_execution::is_safe(program, budget, Pace::Leaps)?;
        let checked = Checked::without_clauses("executed by the interpreter", start);
        safe.then_some(Certificate { kind: Kind::OnlyExecution, proof: None, checked })
    }

    /// No execution of the program violates a claim, as the interpreter has seen in every schedule of its threads.
    ///
    /// # Errors
    /// An execution that does, or why not all were seen.
    pub fn all_executions(
        program: &Program,
        budget: &Budget,
    ) -> Result<Certificate, interp::Explored> {
        let start = Instant::now();
        match exploration::explore(program, budget) {
            interp::Explored::Safe { states } => {
                let checked =
                    Checked::without_clauses("every execution made by the interpreter", start);
                Ok(Certificate { kind: Kind::AllExecutions(states), proof: None, checked })
            }
            explored => Err(explored),
        }
    }

    /// Checks whether all claims of a program are that there is no race.
    pub fn may_be_race_freedom(program: &Program) -> bool {
        race_freedom::claims_nothing_else(program)
    }

    /// No two accesses of the program are in a race, as facts about its threads show.
    ///
    /// # Errors
    /// Returns the access that the facts do not cover.
    pub fn race_freedom(
        program: &Program,
        proof: &race_freedom::Proof,
    ) -> Result<Certificate, String> {
        let start = Instant::now();
        let extent = race_freedom::check(program, proof)?;
        let checked = Checked::without_clauses(
            "facts about threads checked instruction by instruction",
            start,
        );
        Ok(Certificate { kind: Kind::RaceFreedom(extent), proof: None, checked })
    }

    /// No order of the steps of a program's threads violates a claim: the threads are executed again here, lemmas about their
    /// order are derived again, and the formula of failures is refuted; only bounds and lemmas are the engine's.
    ///
    /// # Errors
    /// Returns the flaw in them.
    pub fn interleavings(
        interleaved: &Interleaved<'_>,
        budget: &Budget,
    ) -> Result<Certificate, Flaw> {
        let (Refuted { clauses, steps, time, .. }, extent) = interleaved.check(budget)?;
        let how = "threads executed again, lemmas derived again, clause proof replayed";
        let checked = Checked { how, clauses, steps, time };
        let kind = Kind::Interleavings(interleaved.unwind, extent);
        Ok(Certificate { kind, proof: None, checked })
    }

    /// No reachable state of the program violates a claim, as a proof about its transition system shows. The system
    /// that the proof is checked against is made here, from the program; only the formulas are the engine's.
    ///
    /// # Errors
    /// Returns the flaw in the proof.
    pub fn transition_system(
        program: &Program,
        store: &TermStore,
        proof: &Proof,
        budget: &Budget,
    ) -> Result<Certificate, ProofFlaw> {
        let start = Instant::now();
        let mut own = TermStore::new();
        let stop = || budget.stops_after(WORK_BETWEEN_LOOKS);
        let options = vergo_ts::Options { stop: &stop, ..vergo_ts::Options::default() };
        let encoded = vergo_ts::encode(program, &mut own, &options)
            .map_err(|unsupported| not_encoded(&unsupported, budget))?;
        let proof = proof.import(&mut own, store);
        let tally = check_proof(&own, &encoded.system, &proof, budget)?;
        let checked = Checked::system(tally, start);
        let kind = match proof.claim {
            Claim::Inductive { invariant, k, simple_paths } => {
                let (mut formula, mut system) =
                    (print_term(&own, invariant), encoded.system.clone());
                for reduction in &proof.reductions {
                    system = reduction.apply(&mut own, &system);
                }
                for reduction in proof.reductions.iter().rev() {
                    formula = reduction.reading(&own, formula);
                }
                let induction = Some(&Induction { system: &system, k, simple_paths });
                let loops =
                    loop_invariants(program, &mut own, &encoded, invariant, induction, budget);
                Kind::Invariant(Invariant { formula, loops, k, simple_paths })
            }
            Claim::Exhausted { steps } => Kind::Exhausted { steps },
        };
        Ok(Certificate { kind, proof: None, checked })
    }

    /// No reachable state of a program with recursion violates a claim: the recursive functions keep contracts under which
    /// nothing is violated, as a proof about their modular program shows. That program, and the system that the proof
    /// is checked against, are made here; only the contracts and the formulas are the engine's.
    ///
    /// # Errors
    /// Returns the flaw in the contracts or the proof.
    pub fn contracts(
        program: &Program,
        contracts: &[Contract],
        store: &TermStore,
        proof: &Proof,
        budget: &Budget,
    ) -> Result<Certificate, ProofFlaw> {
        let not_followed = |what| ProofFlaw::Unknown(Reason::Unsupported(what));
        let recursion = Recursion::of(program)
            .map_err(not_followed)?
            .ok_or_else(|| ProofFlaw::Malformed("there is no recursion".to_owned()))?;
        let modular = recursion.modular(contracts).map_err(ProofFlaw::Malformed)?;
        let safety = Certificate::transition_system(&modular, store, proof, budget)?;
        let needed = contracts.iter().filter(|contract| !contract.is_empty());
        let texts = needed.map(|contract| recursion.describe(contract)).collect();
        let kind = Kind::Contracts(texts, Box::new(safety.kind));
        Ok(Certificate { kind, proof: None, checked: safety.checked })
    }

    /// No execution of the program violates a claim: a program with few of its variables does all that it does, and does not
    /// violate any, either. That it does is checked here, and then it is asked for its certificate.
    ///
    /// `None` if there is none.
    ///
    /// # Errors
    /// Where it does less.
    pub fn localised(
        program: &Program,
        weaker: &Program,
        kept: &BTreeSet<SymbolId>,
        safety: impl FnOnce(&Program) -> Option<Certificate>,
    ) -> Result<Option<Certificate>, String> {
        localised::check(program, weaker, kept)?;
        let localised = |safety: Certificate| {
            let mut names: Vec<String> = kept
                .iter()
                .map(|&symbol| program.symbols[symbol].display.clone())
                .filter(|name| !name.is_empty())
                .collect();
            names.sort_unstable();
            names.dedup();
            let kind = Kind::Localised(names, Box::new(safety.kind));
            Certificate { kind, proof: None, checked: safety.checked }
        };
        Ok(safety(weaker).map(localised))
    }

    /// No execution of a program with threads violates a claim: a program without threads, made here of what the proof says
    /// holds of shared memory, does not violate any, which is asked for its certificate.
    ///
    /// `None` if there is none.
    ///
    /// # Errors
    /// Returns the flaw in the proof.
    pub fn thread_modular(
        program: &Program,
        proof: &thread_modular::Proof,
        safety: impl FnOnce(&Program) -> Option<Certificate>,
    ) -> Result<Option<Certificate>, String> {
        let built = thread_modular::build(program, proof, Purpose::Check)?;
        let texts = thread_modular::describe(program, proof)?;
        Ok(safety(&built.program).map(|safety| {
            let kind = Kind::ThreadModular(texts, Box::new(safety.kind));
            Certificate { kind, proof: None, checked: safety.checked }
        }))
    }

    /// No execution of the program violates a claim: a table says what can hold at places of functions, which is checked
    /// here.
    ///
    /// # Errors
    /// Returns what the table fails to show.
    pub fn tabulated(
        program: &Program,
        table: &Table,
        budget: &Budget,
    ) -> Result<Certificate, String> {
        let start = Instant::now();
        tabulated::check(program, table, budget)?;
        let states = table.contexts.iter().flat_map(|context| context.at.values()).map(Vec::len);
        let kind = Kind::Tabulated { contexts: table.contexts.len(), states: states.sum() };
        let checked = Checked::without_clauses("table walked through", start);
        Ok(Certificate { kind, proof: None, checked })
    }

    /// No execution of the program violates a claim: its memory at heads of loops is always one of these, with lists of any
    /// length, which is checked here.
    ///
    /// # Errors
    /// Returns what the states fail to show.
    pub fn shapes(
        program: &Program,
        shapes: &Shapes,
        budget: &Budget,
    ) -> Result<Certificate, String> {
        let start = Instant::now();
        shapes::check(program, shapes, budget)?;
        let checked = Checked::without_clauses("executed from loop to loop on lists", start);
        Ok(Certificate { kind: Kind::Shapes(shapes.states.len()), proof: None, checked })
    }

    /// Every execution of the program ends: a measure decreases from loop head to loop head, as a proof about the
    /// ranked transition system shows. The system is made here, from the program; only the measure and the proof are
    /// the engine's.
    ///
    /// # Errors
    /// Returns the flaw in the measure or the proof.
    pub fn termination(
        program: &Program,
        store: &TermStore,
        measure: &[TermId],
        proof: &Proof,
        budget: &Budget,
    ) -> Result<Certificate, ProofFlaw> {
        let start = Instant::now();
        let mut own = TermStore::new();
        let stop = || budget.stops_after(WORK_BETWEEN_LOOKS);
        let recursive_calls = RecursiveCalls::Jumps;
        let options =
            vergo_ts::Options { stop: &stop, recursive_calls, ..vergo_ts::Options::default() };
        let encoded = vergo_ts::encode(program, &mut own, &options)
            .map_err(|unsupported| not_encoded(&unsupported, budget))?;
        let proof = proof.import(&mut own, store);
        let (kind, tally) = match proof.claim {
            // Executions without a step too many end, whatever is measured.
            Claim::Exhausted { steps } => {
                let tally = check_proof(&own, &encoded.system, &proof, budget)?;
                (Kind::Exhausted { steps }, tally)
            }
            Claim::Inductive { invariant, .. } => {
                let measure = own.import(store, measure);
                let flaw = || ProofFlaw::Malformed("the measure is not made of words".to_owned());
                let ranked =
                    vergo_ts::ranked(&mut own, &encoded.system, &measure).ok_or_else(flaw)?;
                let tally = check_proof(&own, &ranked, &proof, budget)?;
                let ranking = Ranking {
                    measure: measure.iter().map(|&word| print_term(&own, word)).collect(),
                    invariant: print_term(&own, invariant),
                };
                (Kind::Ranking(ranking), tally)
            }
        };
        Ok(Certificate { kind, proof: None, checked: Checked::system(tally, start) })
    }

    /// Looks at the program a second time, by code that shares nothing with what has found and checked the certificate
    /// ([`crate::plain`]); an only execution is executed again without leaps. Says what was done.
    ///
    /// # Errors
    /// If the second look finds a failure, or comes to no end.
    pub fn second_look(&self, program: &Program, budget: &Budget) -> Result<String, Objection> {
        match self.kind {
            Kind::NoClaims => Ok("nothing is claimed".to_owned()),
            Kind::OnlyExecution => match only_execution::is_safe(program, budget, Pace::Steps) {
                Some(true) => Ok("executed again step by step".to_owned()),
                Some(false) => {
                    let what = "when it is executed step by step".to_owned();
                    Err(Objection::Failure("a claim".to_owned(), what))
                }
                None => Err(Objection::NoEnd("the execution step by step".to_owned())),
            },
            _ => {
                let explored = explore(program, &ClosedClaims::default(), budget)?;
                let Explored { paths, steps, clauses, proof_steps } = explored;
                Ok(format!(
                    "followed bit by bit: {paths} paths, {steps} instructions, {clauses} clauses, \
                     {proof_steps} proof steps replayed"
                ))
            }
        }
    }

    /// Returns the independent check of the evidence.
    pub fn checked(&self) -> Checked {
        self.checked
    }

    /// The measure that shows termination, if the proof is by one.
    pub fn ranking(&self) -> Option<&Ranking> {
        match &self.kind {
            Kind::Ranking(ranking) => Some(ranking),
            _ => None,
        }
    }

    /// The bounds that every execution keeps, if the proof is by complete unrolling.
    pub fn bounds(&self) -> Option<Bounds> {
        match self.kind {
            Kind::CompleteUnrolling(bounds) => Some(bounds),
            _ => None,
        }
    }

    /// Checks whether every execution was followed to its end, so that none is infinite.
    pub fn follows_to_the_end(&self) -> bool {
        matches!(self.kind, Kind::CompleteUnrolling(_) | Kind::OnlyExecution)
    }

    /// Checks whether the proof is that every execution of a program ends.
    pub fn is_of_termination(&self) -> bool {
        matches!(self.kind, Kind::Ranking(_))
    }

    /// The invariant, if the proof is by one. Loops in functions with contracts have theirs in the modular program, whose
    /// executions of a body cover all that the program has.
    pub fn invariant(&self) -> Option<&Invariant> {
        let mut kind = &self.kind;
        while let Kind::Contracts(_, safety) | Kind::Localised(_, safety) = kind {
            kind = safety;
        }
        match kind {
            Kind::Invariant(invariant) => Some(invariant),
            _ => None,
        }
    }

    /// The contracts of recursive functions, if the proof is by some, as a user would write them down.
    pub fn contract_texts(&self) -> &[String] {
        match &self.kind {
            Kind::Contracts(texts, _) => texts,
            _ => &[],
        }
    }

    /// The refutation as clauses, if one was asked for.
    pub fn clause_proof(&self) -> Option<&ClauseProof> {
        self.proof.as_ref()
    }

    /// Returns the kind of proof, as a word for machines.
    pub fn kind(&self) -> &'static str {
        match self.kind {
            Kind::CompleteUnrolling(_) => "complete-unrolling",
            Kind::NoClaims => "no-claims",
            Kind::OnlyExecution => "only-execution",
            Kind::AllExecutions(_) => "all-executions",
            Kind::RaceFreedom(_) => "race-freedom",
            Kind::Interleavings(..) => "interleavings",
            Kind::Invariant(_) => "invariant",
            Kind::Exhausted { .. } => "exhausted",
            Kind::Ranking(_) => "ranking",
            Kind::Contracts(..) => "contracts",
            Kind::Tabulated { .. } => "tabulated",
            Kind::Shapes(_) => "shapes",
            Kind::Localised(..) => "localised",
            Kind::ThreadModular(..) => "thread-modular",
        }
    }
}

impl Checked {
    fn without_clauses(how: &'static str, start: Instant) -> Checked {
        Checked { how, clauses: 0, steps: 0, time: start.elapsed() }
    }

    fn system(Tally { clauses, steps }: Tally, start: Instant) -> Checked {
        let how = "system made again, conditions without rewriting, clause proofs replayed";
        Checked { how, clauses, steps, time: start.elapsed() }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64();
        match self.clauses {
            0 => write!(f, "{}, {seconds:.3} s", self.how),
            clauses => {
                write!(f, "{}, {clauses} clauses, {} steps, {seconds:.3} s", self.how, self.steps)
            }
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Localised(names, safety) => {
                const SHOWN: usize = 8;
                let shown = names[..names.len().min(SHOWN)].join(", ");
                match names.len() {
                    0 => write!(f, "whatever the variables hold: {safety}"),
                    1..=SHOWN => write!(f, "whatever variables other than {shown} hold: {safety}"),
                    n => {
                        write!(f, "whatever variables other than {n} hold ({shown}, ...): {safety}")
                    }
                }
            }
            Kind::ThreadModular(texts, safety) => match &texts[..] {
                [] => write!(f, "whatever threads write to shared memory, each of them: {safety}"),
                texts => {
                    let what = texts.join("; ");
                    write!(f, "each thread finds and leaves shared memory with {what}: {safety}")
                }
            },
            Kind::Shapes(states) => {
                write!(f, "{states} shapes of memory at loops, with lists of any length")
            }
            Kind::Tabulated { contexts, states } => {
                write!(f, "{states} ranges of values at places of {contexts} calls")
            }
            Kind::Contracts(texts, safety) => {
                match &texts[..] {
                    [] => {
                        write!(f, "recursive functions keep to it, whatever they are called with")?
                    }
                    texts => write!(f, "contracts of recursive functions: {}", texts.join("; "))?,
                }
                match &**safety {
                    Kind::Invariant(invariant) if !invariant.loops.is_empty() => {
                        write!(f, "; with {safety}")
                    }
                    _ => Ok(()),
                }
            }
            Kind::Invariant(Invariant { k, loops, simple_paths, .. }) => {
                match k {
                    1 => write!(f, "inductive invariant")?,
                    k => write!(f, "{k}-inductive invariant")?,
                }
                if *simple_paths {
                    write!(f, " on paths without repetition")?;
                }
                let mut separator = ": ";
                for text in loops.iter().filter_map(|at| at.text.as_ref()) {
                    write!(f, "{separator}{text}")?;
                    separator = "; ";
                }
                Ok(())
            }
            Kind::Exhausted { steps } => {
                write!(f, "no execution makes {steps} steps from loop head to loop head")
            }
            Kind::CompleteUnrolling(Bounds { unwind, recursion, .. }) => write!(
                f,
                "complete unrolling: no loop needs more than {} and no function more than {}",
                count(u64::from(*unwind), "undecided round"),
                count(u64::from(*recursion), "activation")
            ),
            Kind::Ranking(Ranking { measure, .. }) => {
                write!(f, "a measure decreases from loop head to loop head: {}", measure.join(", "))
            }
            Kind::OnlyExecution => {
                write!(
                    f,
                    "the program makes no choices, and its only execution ends without a violation"
                )
            }
            Kind::RaceFreedom(Extent { classes, accesses }) => write!(
                f,
                "no two of {} by {} of threads can be made at once unless both read, both are atomic or both threads hold \
                 a lock",
                count(*accesses as u64, "access"),
                count(*classes as u64, "kind")
            ),
            Kind::AllExecutions(states) => {
                write!(f, "every schedule was executed; the program has {states} states")
            }
            Kind::Interleavings(unwind, extent) => write!(
                f,
                "no order of {} by {}, in which no loop needs more than {}, violates a claim: {} about orders",
                count(extent.accesses as u64, "access"),
                count(extent.threads as u64, "thread"),
                count(u64::from(*unwind), "undecided round"),
                count(extent.lemmas as u64, "lemma")
            ),
            Kind::NoClaims => write!(f, "nothing that can be reached could violate a property"),
        }
    }
}

/// A number of things, with the word for one of them.
fn count(n: u64, word: &str) -> String {
    match n {
        1 => format!("1 {word}"),
        n if word.ends_with('s') => format!("{n} {word}es"),
        n => format!("{n} {word}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::expr::BinaryOp;
    use vergo_passes::contracts::Formula;

    const COUNTDOWN: &str = "entry main; sites 1; function main: fn() -> void labels 2 {
        local x: i32 align 4; decl x; x := #nondet<i32>(0);
        L0: if x <= 7i32 goto L1; x := x - 1i32; goto L0;
        L1: end 0i32; }";

    #[test]
    fn only_measures_that_decrease_are_certified() {
        let program = vergo_goto::text::parse(COUNTDOWN).unwrap_or_else(|error| panic!("{error}"));
        let mut store = TermStore::new();
        let encoded = vergo_ts::encode(&program, &mut store, &vergo_ts::Options::default())
            .unwrap_or_else(|reason| panic!("{reason}"));
        let x = encoded.system.state[0].current;
        let invariant = store.true_term();
        let proof = Proof::inductive(invariant);
        let budget = Budget::unlimited();
        let certify = |measure: &[TermId], store: &TermStore| {
            Certificate::termination(&program, store, measure, &proof, &budget)
        };
        let certificate = certify(&[x], &store).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert_eq!(certificate.kind(), "ranking");
        let zero = store.bv_u64(8, 0);
        assert!(certify(&[zero, x], &store).is_ok());
        let up = store.bv_not(x);
        for wrong in [vec![], vec![zero], vec![up], vec![up, x]] {
            let flaw = certify(&wrong, &store);
            assert!(matches!(flaw, Err(ProofFlaw::Initiation(0))), "{flaw:?}");
        }
        let flag = store.true_term();
        assert!(matches!(certify(&[flag], &store), Err(ProofFlaw::Malformed(_))));
        let other = store.var("other", vergo_term::Sort::BitVec(8));
        assert!(certify(&[other], &store).is_err());
    }

    #[test]
    fn contracts_are_checked_with_the_proof() {
        let program = vergo_goto::text::parse(
            "entry main; sites 1; function main: fn() -> void labels 0 {
                 local m: i32 align 4; local s: i32 align 4; decl m; decl s;
                 m := #nondet<i32>(0); s := call f(m); assert s == 0i32 \"p\" \"zero\"; end 0i32; }
             function f: fn(i32) -> i32 labels 1 {
                 param n: i32 align 4; local r: i32 align 4;
                 if n <= 0i32 goto L0; decl r; r := call f(n - 1i32); return r;
                 L0: return 0i32; }",
        )
        .unwrap_or_else(|error| panic!("{error}"));
        let function = program.function_named("f").expect("it is there");
        let store = TermStore::new();
        let invariant = store.true_term();
        let proof = Proof::inductive(invariant);
        let number = |value: i128| Formula::Int(true, 32, value);
        let certify = |requires: Vec<Formula>, ensures: Vec<Formula>| {
            let contract = Contract { function, requires, ensures };
            Certificate::contracts(&program, &[contract], &store, &proof, &Budget::unlimited())
        };
        let result_is = |value: i128| Formula::binary(BinaryOp::Eq, Formula::Result, number(value));
        let certificate =
            certify(vec![], vec![result_is(0)]).unwrap_or_else(|flaw| panic!("{flaw}"));
        assert_eq!(certificate.kind(), "contracts");
        assert_eq!(certificate.contract_texts(), ["f ensures result == 0"]);
        // Too weak; not kept; not allowed by who calls; false.
        let positive = Formula::binary(BinaryOp::Le, number(0), Formula::Param(0));
        for (requires, ensures) in [
            (vec![], vec![]),
            (vec![], vec![result_is(1)]),
            (vec![positive], vec![result_is(0)]),
            (vec![], vec![result_is(0), result_is(1)]),
        ] {
            let flaw = certify(requires, ensures).map(|certificate| certificate.kind());
            assert_eq!(flaw, Err(ProofFlaw::Initiation(0)));
        }
        let senseless = Formula::binary(BinaryOp::Eq, Formula::Result, Formula::Param(1));
        assert!(matches!(certify(vec![], vec![senseless]), Err(ProofFlaw::Malformed(_))));
    }
}

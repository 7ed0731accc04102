//! Certificates: why no claim can be violated.

use crate::clause_proof::ClauseProof;
use crate::induction::{ProofFlaw, check_proof};
use std::fmt;
use vergo_goto::program::{InstrKind, Program};
use vergo_smt::{Answer, Budget, Solver};
use vergo_source::Span;
use vergo_symex::Trace;
use vergo_term::smtlib::print_term;
use vergo_term::{TermId, TermStore};
use vergo_ts::Proof;

/// A reason to believe `true`. There is no way to make one but by a check.
#[derive(Clone, Debug)]
pub struct Certificate {
    kind: Kind,
    proof: Option<ClauseProof>,
}

#[derive(Clone, Debug)]
enum Kind {
    CompleteUnrolling(Bounds),
    NoClaims,
    Invariant(Invariant),
    Exhausted { steps: u32 },
}

/// An invariant of the loops of a program that excludes every violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The formula over the state at loop heads, in SMT-LIB.
    pub formula: String,
    /// What it says at each loop.
    pub loops: Vec<LoopInvariant>,
    /// How many states in a row the induction assumes.
    pub k: u32,
    /// Whether it considers paths without repeated states only.
    pub simple_paths: bool,
}

/// What an invariant says at a loop head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The loop.
    pub span: Span,
    /// A C expression over the variables in scope there; `None` if C cannot say it in reasonable length. Conjuncts that
    /// C cannot say are left out.
    pub text: Option<String>,
}

/// Bounds that every execution keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Undecided rounds of a loop.
    pub unwind: u32,
    /// Activations of a function at a time.
    pub recursion: u32,
    /// Obligations (claims, cut loops and cut calls) that were refuted together.
    pub obligations: usize,
}

/// Whether a refutation is written down for others to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Certify {
    /// No.
    #[default]
    Off,
    /// As clauses with an LRAT proof, which needs a solver that records proofs.
    Clauses,
}

impl Certificate {
    /// Every execution fits into these bounds, and none of them fails: the solver refutes `failure`, which must be
    /// satisfied by every execution of the trace that violates a claim, exceeds a bound or meets something
    /// unsupported. `None` if it does not, or if the trace does not cover all executions.
    pub fn complete_unrolling(
        store: &TermStore,
        solver: &mut Solver,
        trace: &Trace,
        failure: TermId,
        (unwind, recursion): (u32, u32),
        certify: Certify,
        budget: &Budget,
    ) -> Option<Certificate> {
        if trace.cut_short.is_some() || solver.check(store, &[failure], budget) != Answer::Unsat {
            return None;
        }
        let proof = match certify {
            Certify::Off => None,
            Certify::Clauses => Some(ClauseProof::of(solver)?),
        };
        let obligations = trace.obligations.len();
        let bounds = Bounds { unwind, recursion, obligations };
        Some(Certificate { kind: Kind::CompleteUnrolling(bounds), proof })
    }

    /// Nothing is claimed: no assertion and nothing unsupported is left in the program, which begins somewhere. `None` if
    /// that is not so.
    pub fn no_claims(program: &Program) -> Option<Certificate> {
        let instrs = program.functions.values().flat_map(|function| function.body.iter().flatten());
        let mut kinds = instrs.map(|instr| &instr.kind);
        let empty =
            !kinds.any(|kind| matches!(kind, InstrKind::Assert(..) | InstrKind::Unsupported(_)));
        let is_program = program.entry.is_some();
        (empty && is_program).then_some(Certificate { kind: Kind::NoClaims, proof: None })
    }

    /// No reachable state of the program violates a claim, as a proof about its transition system shows. The system
    /// that the proof is checked against is made here, from the program; only the formulas are the engine's.
    ///
    /// # Errors
    /// What is wrong with the proof.
    pub fn transition_system(
        program: &Program,
        store: &TermStore,
        proof: &Proof,
        budget: &Budget,
    ) -> Result<Certificate, ProofFlaw> {
        let mut own = TermStore::new();
        let stop = || budget.exhausted().is_some();
        let options = vergo_ts::Options { stop: &stop, ..vergo_ts::Options::default() };
        let encoded = vergo_ts::encode(program, &mut own, &options)
            .map_err(|unsupported| ProofFlaw::Unknown(unsupported.to_string()))?;
        let kind = match *proof {
            Proof::Inductive { invariant, k, simple_paths } => {
                let invariant = own.import(store, &[invariant])[0];
                let proof = Proof::Inductive { invariant, k, simple_paths };
                check_proof(&own, &encoded.system, &proof, budget)?;
                let formula = print_term(&own, invariant);
                let mut loops = Vec::new();
                for (number, point) in encoded.points.iter().enumerate() {
                    if point.position.is_some() {
                        let text = encoded.c_invariant(&mut own, invariant, number);
                        loops.push(LoopInvariant { span: point.span, text });
                    }
                }
                Kind::Invariant(Invariant { formula, loops, k, simple_paths })
            }
            Proof::Exhausted { steps } => {
                check_proof(&own, &encoded.system, proof, budget)?;
                Kind::Exhausted { steps }
            }
        };
        Ok(Certificate { kind, proof: None })
    }

    /// The bounds that every execution keeps, if the proof is by complete unrolling.
    pub fn bounds(&self) -> Option<Bounds> {
        match self.kind {
            Kind::CompleteUnrolling(bounds) => Some(bounds),
            Kind::NoClaims | Kind::Invariant(_) | Kind::Exhausted { .. } => None,
        }
    }

    /// The invariant, if the proof is by one.
    pub fn invariant(&self) -> Option<&Invariant> {
        match &self.kind {
            Kind::Invariant(invariant) => Some(invariant),
            _ => None,
        }
    }

    /// The refutation as clauses, if one was asked for.
    pub fn clause_proof(&self) -> Option<&ClauseProof> {
        self.proof.as_ref()
    }

    /// What kind of proof it is, in a word for machines.
    pub fn kind(&self) -> &'static str {
        match self.kind {
            Kind::CompleteUnrolling(_) => "complete-unrolling",
            Kind::NoClaims => "no-claims",
            Kind::Invariant(_) => "invariant",
            Kind::Exhausted { .. } => "exhausted",
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
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
                "complete unrolling: no loop needs more than {unwind} undecided rounds and no function more than \
                 {recursion} activations"
            ),
            Kind::NoClaims => write!(f, "nothing that can be reached could violate a property"),
        }
    }
}

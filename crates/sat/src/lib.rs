//! And-inverter graphs, CNF, CaDiCaL, clause proofs, propositional interpolants.
//!
//! ```
//! use vergo_sat::{Aig, Answer, Budget, Cadical, CnfEncoder, CnfOptions, Label, SatSolver};
//!
//! let mut aig = Aig::new();
//! let (a, b) = (aig.input(), aig.input());
//! let differ = aig.xor(a, b);
//! let same = aig.iff(a, b);
//! let mut solver = Cadical::default();
//! let mut cnf = CnfEncoder::new(CnfOptions::default());
//! cnf.assert(&aig, &mut solver, differ, &[], Label::Group(0));
//! assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Sat);
//! let assumption = cnf.literal(&aig, &mut solver, same);
//! assert_eq!(solver.solve(&[assumption], &Budget::unlimited()), Answer::Unsat);
//! assert!(solver.failed(assumption));
//! ```
//!
//! The layers from below: [`aig`] and [`gates`] build circuits; [`cnf`] turns cones of them into
//! clauses; [`solver`] decides clauses under assumptions and within a [`budget`]; [`proof`] keeps
//! the derivation of a refutation, which [`lrat`] checks and [`interpolate`] turns into circuits
//! over the shared variables; [`check`] decides independently whether those are interpolants; and
//! [`sweep`] makes a circuit smaller by merging equivalent nodes.

pub mod aig;
pub mod budget;
pub mod check;
pub mod cnf;
mod counters;
pub mod gates;
pub mod interpolate;
pub mod lrat;
pub mod proof;
pub mod resolve;
pub mod solver;
pub mod sweep;

pub use aig::{Aig, Lit, Node};
pub use budget::{Budget, CancelToken, Meter, Pace, StopReason, work_in};
pub use cnf::{CnfEncoder, CnfOptions};
pub use interpolate::{Interpolation, InterpolationError, System};
pub use proof::{Conclusion, Proof};
pub use solver::{
    Answer, Cadical, CadicalOptions, CnfLit, Label, SatSolver, SolverStats, Trace, Var,
};

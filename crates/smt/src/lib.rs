//! Incremental bit-blasting over sat: arrays, floats, models, cores, checked interpolants; external SMT-LIB processes as further backends.
//!
//! ```
//! use vergo_smt::{Answer, Budget, Solver};
//! use vergo_term::{Sort, TermStore};
//!
//! let mut store = TermStore::new();
//! let x = store.var("x", Sort::BitVec(8));
//! let three = store.bv_u64(8, 3);
//! let product = store.bv_mul(x, three);
//! let ten = store.bv_u64(8, 10);
//! let equation = store.eq(product, ten);
//!
//! let mut solver = Solver::default();
//! solver.assert(equation);
//! assert_eq!(solver.check(&store, &[], &Budget::unlimited()), Answer::Sat);
//! assert_eq!(solver.false_under_model(&store), vec![]);
//! ```

pub mod arrays;
pub mod backend;
pub mod blast;
mod definitions;
pub mod external;
pub mod interpolants;
pub mod lift;
mod lookups;
mod lucky;
mod model;
pub mod order;
mod polynomial;
mod products;
mod range;
mod rounded;
pub mod script;
pub mod solver;

pub use backend::{Backend, BackendId};
pub use interpolants::{InterpolantError, InterpolantFlaw, check_interpolants};
pub use script::{ScriptOptions, ScriptOutcome, run_script};
pub use solver::{Answer, Exactness, Reason, Solver, SolverOptions, Stats};
pub use vergo_sat::{
    Budget, CancelToken, Meter, Pace, StopReason, System, counters, lrat, work_in,
};

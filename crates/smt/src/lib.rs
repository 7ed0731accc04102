//! Incremental bit-blasting over sat: arrays, floats, models, cores, checked interpolants; external SMT-LIB processes as further backends.

pub mod arrays;
pub mod blast;
mod model;
pub mod solver;

pub use solver::{Answer, Reason, Solver, SolverOptions, Stats};
pub use vergo_sat::{Budget, CancelToken, StopReason, System};

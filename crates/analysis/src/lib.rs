//! Control flow, calls, liveness, points-to analysis, weak topological orders and abstract interpretation of GOTO programs.

pub mod callgraph;
pub mod cfg;
pub mod congruence;
pub mod control;
pub mod fixpoint;
pub mod interval;
pub mod liveness;
pub mod number;
pub mod numeric;
pub mod points_to;
pub mod wrapped;
pub mod wto;

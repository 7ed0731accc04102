//! Control flow, calls, liveness, points-to analysis, weak topological orders and abstract interpretation of GOTO programs.

pub mod callgraph;
pub mod cfg;
pub mod control;
pub mod interval;
pub mod intervals;
pub mod liveness;
pub mod points_to;
pub mod wto;

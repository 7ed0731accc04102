//! Control flow, liveness, weak topological orders and interval analysis of GOTO programs.

pub mod cfg;
pub mod liveness;

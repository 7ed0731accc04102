//! Control flow, liveness, weak topological orders and interval analysis of GOTO programs.

pub mod cfg;
pub mod interval;
pub mod intervals;
pub mod liveness;
pub mod wto;

//! Incremental bit-blasting over sat: arrays, floats, models, cores, checked interpolants; external SMT-LIB processes as further backends.

pub mod blast;

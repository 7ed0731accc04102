//! The GOTO interpreter: the executable semantics and the oracle of every test.

pub mod reference;

//! The formats in which others' tools take transition systems.

pub mod btor2;
pub mod chc;

#[cfg(test)]
mod tests;

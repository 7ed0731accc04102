//! Bit-blasting: terms become circuits.

pub mod arith;
pub mod compare;
pub mod float;
pub mod float_add;
pub mod float_convert;
pub mod float_mul;
pub mod shift;
pub mod word;

#[cfg(test)]
mod tests;

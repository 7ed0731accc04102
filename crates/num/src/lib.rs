//! Fixed-width bit-vector and IEEE-754 values: the only concrete arithmetic on program values.
//!
//! Two types carry every concrete value that Vergo computes with. [`BitVec`] is a word of any width
//! with the total operations of SMT-LIB's theory of bit-vectors; [`Float`] is a number of any binary
//! floating-point format with exact, correctly rounded operations in all five rounding modes. The
//! interpreter, the constant folder, the term evaluator and the test oracles all use these two, so
//! that there is one place where arithmetic can be right or wrong.
//!
//! ```
//! use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
//!
//! let x = BitVec::from_u64(8, 200);
//! assert_eq!(x.add(&BitVec::from_u64(8, 100)), BitVec::from_u64(8, 44));
//! assert!(x.uadd_overflow(&BitVec::from_u64(8, 100)));
//!
//! let third = Float::parse(FloatFormat::DOUBLE, RoundingMode::NearestEven, "1")
//!     .unwrap()
//!     .div(RoundingMode::NearestEven, &Float::from_f64(3.0));
//! assert_eq!(third, Float::from_f64(1.0 / 3.0));
//! ```

mod bitvec;
mod float;
mod format;
mod memory_order;
mod natural;

pub use bitvec::BitVec;
pub use float::{Float, FloatClass, Function, Function2};
pub use format::{FloatFormat, FormatKind, RoundingMode};
pub use memory_order::MemoryOrder;
pub use natural::Natural;

//! GOTO binaries: the formats of CBMC (and Kani) and of ESBMC, read, written and mapped to the typed language.
//!
//! This is the only crate that knows ireps, the untyped trees of which these formats are made. `docs/goto-binaries.md`
//! specifies both formats.
//!
//! | file | concept |
//! |---|---|
//! | `irep` | the trees, kept as the graph that the file holds |
//! | `binary`, `read`, `write` | files, byte for byte |
//! | `view` | both dialects in one |
//! | `map` | the way to typed GOTO |

pub mod binary;
pub mod irep;
pub mod map;
pub mod read;
pub mod view;
pub mod write;

pub use binary::{Binary, Dialect, ReadError};
pub use read::read;
pub use write::write;

#[cfg(test)]
mod tests;

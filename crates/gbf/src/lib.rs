//! GOTO binaries: the formats of CBMC (and Kani) and of ESBMC, read, written and mapped to the typed language.
//!
//! This is the only crate that knows ireps, the untyped trees of which these formats are made. `docs/goto-binaries.md`
//! specifies both formats.
//!
//! | file | concept |
//! |---|---|
//! | `irep` | the trees, kept as the graph that the file holds |
//! | `binary`, `read`, `write` | files, byte for byte |
//! | `elf` | object files that have one inside |
//! | `view` | both dialects in one |
//! | `map` | the way to typed GOTO |
//! | `express` | the way back |
//! | `transcode` | from one dialect to the other |

pub mod binary;
pub mod elf;
pub mod express;
pub mod irep;
pub mod map;
pub mod read;
pub mod transcode;
pub mod view;
pub mod write;

pub use binary::{Binary, Dialect, ReadError};
pub use read::read;
pub use write::write;

#[cfg(test)]
mod tests;

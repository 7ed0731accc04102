//! Null as an argument or result that `__attribute__((nonnull))` or `returns_nonnull` excludes: the compiler relies on it.
//! Of calls of library functions only null for a block of no bytes is asked here; what they read and write through a pointer has
//! its own properties.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

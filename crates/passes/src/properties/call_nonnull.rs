//! Null as an argument or result that `__attribute__((nonnull))` or `returns_nonnull` excludes: the compiler relies on it.
//! Calls of library functions are not asked here: what they read and write through a pointer is.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

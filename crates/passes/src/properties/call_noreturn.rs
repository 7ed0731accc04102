//! A function that is declared `_Noreturn` and returns to its caller: undefined (C17 6.7.4p8).

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

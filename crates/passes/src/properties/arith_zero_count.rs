//! `__builtin_clz` and `__builtin_ctz` (and their like for other widths) of zero, for which gcc documents no result.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

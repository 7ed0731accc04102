//! `__builtin_unreachable()`: the claim is false where it is reached.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

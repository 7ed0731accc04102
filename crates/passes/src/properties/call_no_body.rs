//! A call of a function that has neither body nor model: nothing is known of what it does, so the claim is false where it is reached.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

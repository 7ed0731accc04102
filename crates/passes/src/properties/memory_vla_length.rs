//! A variable-length array whose length is zero or less: undefined (C17 6.7.6.2p5).

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

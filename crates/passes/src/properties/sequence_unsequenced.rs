//! Two effects on one scalar object, or an effect and a use of its value, between which there is no order: undefined (C17
//! 6.5p2). Effects inside of called functions are never unsequenced; where their order makes a difference, both are tried.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

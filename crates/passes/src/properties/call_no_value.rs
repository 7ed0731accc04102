//! The use of the value of a function that ended without one: undefined (C17 6.9.1p12).
//!
//! Functions that can end so note it, and callers that name them ask. Calls through pointers do not.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

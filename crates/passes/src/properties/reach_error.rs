//! A call of `reach_error` or `__VERIFIER_error` (SV-COMP `unreach-call`): the claim is false where it is reached.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

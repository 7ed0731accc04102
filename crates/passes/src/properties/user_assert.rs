//! `assert`, `__VERIFIER_assert`, `__CPROVER_assert`, `__ESBMC_assert`: the claim is the condition.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

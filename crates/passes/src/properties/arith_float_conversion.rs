//! A floating number that is converted to an integer type which cannot represent its integral part: undefined (C17
//! 6.3.1.4p1). What the machine does is documented in `docs/semantics.md` and followed where this is not checked.

use super::Sites;

/// The lowering of C emits the claim.
pub(super) const SITES: Sites = Sites::Source;

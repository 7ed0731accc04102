//! An argument that a function of the library does not allow: undefined (C17 7.1.4p1). Blocks that overlap where they must
//! not, a format whose argument has another type, a character class of what is no character. What library functions do with
//! memory is claimed under the properties of memory.

use super::Sites;

/// The library's models make the claims.
pub(super) const SITES: Sites = Sites::Source;

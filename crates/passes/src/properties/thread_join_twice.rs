//! A thread that is joined or detached after one of both has been done to it: undefined (POSIX, `pthread_join`, `pthread_detach`;
//! C17 7.26.5.3p2, 7.26.5.6p2). A thread that was started detached counts as one.

use super::Sites;

/// The library's models make the claims.
pub(super) const SITES: Sites = Sites::Source;

//! A lock that is destroyed while a thread holds it, or a barrier while threads wait at it: undefined (POSIX,
//! `pthread_mutex_destroy`, `pthread_rwlock_destroy`, `pthread_spin_destroy`, `pthread_barrier_destroy`). Who waits for a condition
//! or a semaphore is not known, so that destroying these is not claimed to be allowed.

use super::Sites;

/// The library's models make the claims.
pub(super) const SITES: Sites = Sites::Source;

//! An unlock by a thread that does not hold the lock: undefined for mutexes that neither check errors nor are recursive, for locks
//! of readers and writers and for those that spin (POSIX, `pthread_mutex_unlock`, `pthread_rwlock_unlock`, `pthread_spin_unlock`; C17
//! 7.26.4.6p2). Which readers hold a lock is not known, only how many.

use super::Sites;

/// The library's models make the claims.
pub(super) const SITES: Sites = Sites::Source;

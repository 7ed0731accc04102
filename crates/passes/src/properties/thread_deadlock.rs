//! Threads that wait for ever: none can make a step, and one of them waits for a lock, a signal, a semaphore, a barrier or the end of
//! a thread. A lock that its owner takes again without being allowed to is one such wait (POSIX, `pthread_mutex_lock`).
//!
//! Each wait is claimed to be over or to find another thread that can go on, which `docs/ir.md` makes precise. An execution that an
//! assumption of the program excludes is no deadlock, and neither is a loop in which a thread asks again and again. Where this
//! is asked for, a wait for a condition needs a signal or an awakening by chance; otherwise it may always end.

use super::Sites;

/// The library's models make the claims.
pub(super) const SITES: Sites = Sites::Source;

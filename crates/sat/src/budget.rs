//! What a long computation may spend, and how it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that one thread raises to stop work in another one.  Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that has not been raised.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Asks everything that watches this token to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the token was raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// What is raised, for those who watch it without knowing tokens.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// Why a computation ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// A [`CancelToken`] was raised.
    Cancelled,
    /// The deadline passed.
    Deadline,
    /// The memory limit was reached.
    Memory,
    /// The conflict limit was reached.
    Conflicts,
}

impl StopReason {
    /// A short word for reports.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Cancelled => "cancelled",
            StopReason::Deadline => "timeout",
            StopReason::Memory => "memout",
            StopReason::Conflicts => "conflict limit",
        }
    }
}

/// Limits of one computation; the default has none.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Conflicts per call of a solver.
    pub conflicts: Option<u64>,
    /// The moment at which to stop.
    pub deadline: Option<Instant>,
    /// Raised from outside to stop early.
    pub cancel: Option<CancelToken>,
    /// Resident bytes of the whole process beyond which to stop.
    pub memory: Option<u64>,
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// A budget that ends after `time` from now.
    pub fn within(time: Duration) -> Budget {
        Budget { deadline: Instant::now().checked_add(time), ..Budget::default() }
    }

    /// The same, with one part of so many of the time that is left.
    pub fn part(&self, of: u32) -> Budget {
        let now = Instant::now();
        let end = |deadline: Instant| now + deadline.saturating_duration_since(now) / of;
        Budget { deadline: self.deadline.map(end), ..self.clone() }
    }

    /// The reason to stop right now, if there is one.  Reading the memory use costs a few
    /// microseconds, so tight loops should ask now and then only.
    pub fn exhausted(&self) -> Option<StopReason> {
        if let Some(reason) = self.interrupted() {
            return Some(reason);
        }
        let limit = self.memory?;
        resident_bytes().filter(|&used| used > limit).map(|_| StopReason::Memory)
    }

    /// As [`Budget::exhausted`] but for memory: cheap enough for inner loops.
    pub fn interrupted(&self) -> Option<StopReason> {
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            Some(StopReason::Cancelled)
        } else if self.deadline.is_some_and(|d| Instant::now() >= d) {
            Some(StopReason::Deadline)
        } else {
            None
        }
    }
}

/// The resident memory of this process, where the system tells it.
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // The page size is 4 KiB on every platform that has this file and that we build for; larger
    // pages would only make the limit looser.
    Some(pages * 4096)
}

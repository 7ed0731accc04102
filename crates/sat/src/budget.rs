//! The budget of a long computation, and the means to stop it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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

    /// Returns whether the token was raised.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns the flag that is raised, for observers that do not know tokens.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// The reason why a computation ended without an answer.
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
    /// The work that was allowed is done.
    Effort,
}

impl StopReason {
    /// A short word for reports.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Cancelled => "cancelled",
            StopReason::Deadline => "timeout",
            StopReason::Memory => "memout",
            StopReason::Conflicts => "conflict limit",
            StopReason::Effort => "effort limit",
        }
    }
}

/// Hears how far a computation has come, and may hold it up.
pub trait Pace: Send + Sync {
    /// So much has been spent. Returns when the computation may go on.
    fn reached(&self, spent: u64);

    /// A computation that is about to have its result begins or ends the last part of its work.
    fn is_about_to_end(&self, _is: bool) {}
}

/// Work between two calls of [`Pace::reached`]: a part of what was spent before, within limits.
const PACE_PART: u64 = 16;
const SHORTEST_PACE: u64 = 200_000;
const LONGEST_PACE: u64 = 5_000_000;

/// Counts the work of one computation, in units that take about a nanosecond. The same computation counts the same on
/// any machine, however busy it is. Clones count together.
#[derive(Clone, Default)]
pub struct Meter(Arc<MeterState>);

#[derive(Default)]
struct MeterState {
    spent: AtomicU64,
    told: AtomicU64,
    pace: Option<Arc<dyn Pace>>,
}

impl Meter {
    /// A meter that stands at a number and tells somebody how far it has come.
    pub fn paced(spent: u64, pace: Arc<dyn Pace>) -> Meter {
        let (spent, told) = (AtomicU64::new(spent), AtomicU64::new(spent));
        Meter(Arc::new(MeterState { spent, told, pace: Some(pace) }))
    }

    /// The work so far.
    pub fn spent(&self) -> u64 {
        self.0.spent.load(Ordering::Relaxed)
    }

    fn spend(&self, units: u64) {
        let spent = self.0.spent.fetch_add(units, Ordering::Relaxed) + units;
        let Some(pace) = &self.0.pace else { return };
        let told = self.0.told.load(Ordering::Relaxed);
        let step = (told / PACE_PART).clamp(SHORTEST_PACE, LONGEST_PACE);
        if spent.saturating_sub(told) >= step {
            self.0.told.store(spent, Ordering::Relaxed);
            pace.reached(spent);
        }
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Meter({})", self.spent())
    }
}

/// Limits of one computation; the default has none.
///
/// The results must not depend on the speed or load of the machine. So shares of a budget are shares of *work*, which the
/// [`Meter`] counts; the clock, cancellation and memory only end everything.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Conflicts per call of a solver.
    pub conflicts: Option<u64>,
    /// The work that shares are parts of. Going beyond it is no reason to stop.
    pub share: Option<u64>,
    /// The number on the meter at which to stop.
    pub end: Option<u64>,
    /// Where work is counted.
    pub meter: Meter,
    /// The moment at which to stop.
    pub deadline: Option<Instant>,
    /// Raised from outside to stop early.
    pub cancel: Option<CancelToken>,
    /// Resident bytes of the whole process beyond which to stop.
    pub memory: Option<u64>,
}

/// The work that is done in a time on a machine of today, if it has nothing else to do.
pub fn work_in(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// A budget that ends after `time` from now.
    pub fn within(time: Duration) -> Budget {
        let deadline = Instant::now().checked_add(time);
        Budget { deadline, share: Some(work_in(time)), ..Budget::default() }
    }

    /// The work that takes about a time on a machine with nothing else to do. The clock stops it only where that is far
    /// from true.
    pub fn about(time: Duration) -> Budget {
        const PATIENCE: u32 = 10;
        Budget::within(time.saturating_mul(PATIENCE)).at_most(work_in(time))
    }

    /// The same, with one of so many parts of the work that is left.
    pub fn part(&self, of: u32) -> Budget {
        let Some(share) = self.share else { return self.clone() };
        let begun = self.end.map_or(0, |end| end.saturating_sub(share));
        // Who has spent more than was thought of still gets something.
        let left = (begun + share).saturating_sub(self.meter.spent()).max(share / 4);
        self.at_most(left / u64::from(of))
    }

    /// The same, with at most so much work from now on.
    pub fn at_most(&self, work: u64) -> Budget {
        let end = self.meter.spent().saturating_add(work);
        let end = self.end.map_or(end, |earlier| earlier.min(end));
        let share = end.saturating_sub(self.meter.spent());
        Budget { end: Some(end), share: Some(share), ..self.clone() }
    }

    /// Counts work.
    pub fn spend(&self, units: u64) {
        self.meter.spend(units);
    }

    /// Does the last part of a computation's work, after which it most likely has a result: others that share the machine with it
    /// may wait for that.
    pub fn at_the_end<T>(&self, act: impl FnOnce() -> T) -> T {
        let tell = |is: bool| {
            if let Some(pace) = &self.meter.0.pace {
                pace.is_about_to_end(is);
            }
        };
        tell(true);
        let result = act();
        tell(false);
        result
    }

    /// Counts work; checks whether that was all.
    pub fn stops_after(&self, units: u64) -> bool {
        self.spend(units);
        self.exhausted().is_some()
    }

    /// The work that may still be done.
    pub fn left(&self) -> Option<u64> {
        Some(self.end?.saturating_sub(self.meter.spent()))
    }

    /// The time that is left until the deadline.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_duration_since(Instant::now()))
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
        } else if self.end.is_some_and(|end| self.meter.spent() >= end) {
            Some(StopReason::Effort)
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

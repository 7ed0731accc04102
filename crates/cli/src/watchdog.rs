//! The last resort against work that does not notice its limits: an answer is given when the time or the memory is used
//! up, even if no stage has come to look at the budget. Where the system limits the processor's time, it would end the
//! process without an answer, so one is given before.

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::output::{self, Status};

/// The time that the work has to notice a limit by itself.
const GRACE: Duration = Duration::from_millis(800);
/// Time between looks at the memory and the processor's time.
const LOOK: Duration = Duration::from_millis(100);
/// The processor time that is left when the answer is given: more than all cores use between two looks.
const RESERVE: Duration = Duration::from_millis(600);

/// Watches over a check until it is told that there is an answer.
pub(crate) struct Watchdog {
    answered: Arc<(Mutex<bool>, Condvar)>,
}

impl Watchdog {
    /// Begins to watch; `last_words` are printed before the answer, if it comes to that.
    pub(crate) fn start(
        timeout: Option<Duration>,
        memory: Option<u64>,
        last_words: impl Fn() -> String + Send + 'static,
    ) -> Watchdog {
        let answered = Arc::new((Mutex::new(false), Condvar::new()));
        let deadline =
            timeout.and_then(|timeout| Instant::now().checked_add(timeout)?.checked_add(GRACE));
        let cpu = output::cpu_limit().map(|limit| limit.saturating_sub(RESERVE));
        if deadline.is_some() || memory.is_some() || cpu.is_some() {
            let limits = Limits { deadline, memory, cpu };
            let shared = Arc::clone(&answered);
            std::thread::spawn(move || watch(&shared, &limits, &last_words));
        }
        Watchdog { answered }
    }

    /// There is an answer. After this nothing else is printed; if the limit was met first, this does not return.
    pub(crate) fn finish(self) {
        let (flag, condition) = &*self.answered;
        if let Ok(mut flag) = flag.lock() {
            *flag = true;
        }
        condition.notify_all();
    }
}

/// The limits.
struct Limits {
    deadline: Option<Instant>,
    memory: Option<u64>,
    cpu: Option<Duration>,
}

fn watch(answered: &(Mutex<bool>, Condvar), limits: &Limits, last_words: &dyn Fn() -> String) {
    let &Limits { deadline, memory, cpu } = limits;
    let (flag, condition) = answered;
    let Ok(mut done) = flag.lock() else { return };
    let mut exceeded_since: Option<Instant> = None;
    loop {
        if *done {
            return;
        }
        let now = Instant::now();
        let used = memory.zip(output::resident_bytes());
        if used.is_some_and(|(limit, used)| used > limit) {
            // The work may still notice by itself and answer with what it knows, unless memory runs away.
            let since = *exceeded_since.get_or_insert(now);
            let far = used.is_some_and(|(limit, used)| used > limit + limit / 4);
            if far || now.duration_since(since) > GRACE {
                give_up("memout", last_words);
            }
        } else {
            exceeded_since = None;
        }
        let used = cpu.zip(output::cpu_time());
        if deadline.is_some_and(|deadline| now >= deadline)
            || used.is_some_and(|(limit, used)| used >= limit)
        {
            give_up("timeout", last_words);
        }
        let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(now));
        let pause = if memory.is_some() || cpu.is_some() { left.min(LOOK) } else { left };
        match condition.wait_timeout(done, pause) {
            Ok((guard, _)) => done = guard,
            Err(_) => return,
        }
    }
}

/// Answers in place of the work; the lock is held, so that nobody else does.
#[expect(clippy::exit, reason = "the work does not listen, so the process ends here")]
fn give_up(reason: &str, last_words: &dyn Fn() -> String) -> ! {
    let _ = output::print(format!("{}RESULT: unknown({reason})\n", last_words()));
    std::process::exit(Status::Unknown.code().into());
}

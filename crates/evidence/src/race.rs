//! A data race of an execution, told: both accesses, and why nothing orders them.
//!
//! The interpreter knows the two accesses and that its clocks do not order them. What a reader wants to know besides is
//! which locks the threads hold: these are read off the calls that the steps show. Where a call's success is not to be
//! seen there, nothing is said about locks.

use crate::execution::{Step, StepKind};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program};
use vergo_goto::property::AccessText;
use vergo_interp::RacingAccess;
use vergo_source::Span;

/// A race.
#[derive(Clone, Debug)]
pub struct Race {
    /// The two accesses in the order of the execution.
    pub accesses: [RaceAccess; 2],
    /// The reason why nothing orders them.
    pub reason: String,
}

/// One of the accesses.
#[derive(Clone, Debug)]
pub struct RaceAccess {
    /// The thread, by number.
    pub thread: usize,
    /// True if the access writes.
    pub writes: bool,
    /// The accessed place, in the user's words.
    pub what: String,
    /// Where.
    pub span: Span,
    /// The function in which that is.
    pub function: FunctionId,
    /// The number of steps before it.
    pub step: usize,
}

impl RaceAccess {
    fn access(&self) -> AccessText<'_> {
        AccessText { writes: self.writes, what: &self.what }
    }

    /// Describes the access: `writes total`.
    pub fn text(&self) -> String {
        self.access().to_string()
    }

    /// Describes the race at it: `a thread writes total while another accesses it`.
    pub fn claim(&self) -> String {
        self.access().claim()
    }
}

/// The function that may take a lock, and what lets it go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Takes,
    TakesForReading,
    /// Takes it if the result is zero.
    MayTake,
    Frees,
}

/// Returns the effect of a library function on the lock that is its first argument.
fn effect(name: &str) -> Option<Effect> {
    Some(match name {
        "pthread_mutex_lock" | "pthread_spin_lock" | "pthread_rwlock_wrlock" | "mtx_lock" => {
            Effect::Takes
        }
        "pthread_rwlock_rdlock" => Effect::TakesForReading,
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "pthread_rwlock_unlock" | "mtx_unlock" => {
            Effect::Frees
        }
        _ if name.contains("trylock") || name.contains("timedlock") => Effect::MayTake,
        _ => return None,
    })
}

impl Race {
    /// Describes the race that an execution has met; `begun` gives the number of steps before an access, by its
    /// number. None if a claim does not say what is accessed.
    pub(crate) fn of(
        program: &Program,
        found: [RacingAccess; 2],
        steps: &[Step],
        begun: impl Fn(u64) -> Option<usize>,
    ) -> Option<Race> {
        let told = |access: RacingAccess| {
            let instr = |(function, instr): (FunctionId, usize)| {
                program.functions[function].body.as_deref().and_then(|body| body.get(instr))
            };
            let InstrKind::Assert(_, claim) = &instr(access.claim)?.kind else { return None };
            let text = AccessText::of_claim(&claim.description)?;
            let own = instr(access.own)?;
            let what = match &own.kind {
                // The library has names of its own for what it is given.
                InstrKind::Call { callee: Callee::Direct(called), .. }
                    if program.functions[access.claim.0].library =>
                {
                    format!("memory given to `{}`", program.functions[*called].display)
                }
                _ => text.what.to_owned(),
            };
            Some(RaceAccess {
                thread: access.thread,
                writes: access.writes,
                what,
                span: own.span,
                function: access.own.0,
                step: begun(access.number)?,
            })
        };
        let accesses = [told(found[0])?, told(found[1])?];
        let mut reasons: Vec<String> = Vec::new();
        for (access, found) in accesses.iter().zip(found) {
            if found.in_section {
                reasons.push(format!("only thread {} is in an atomic section", access.thread));
            }
        }
        let held = [&accesses[0], &accesses[1]].map(|access| held(program, steps, access));
        if let [Some(first), Some(second)] = &held {
            reasons.extend(about_locks(&accesses, first, second));
        }
        let reasons: String = reasons.iter().map(|reason| format!("{reason}, ")).collect();
        let reason = format!(
            "nothing orders the two: {reasons}{}no start or end of a thread and no other synchronisation lies between them",
            if reasons.is_empty() { "" } else { "and " }
        );
        Some(Race { accesses, reason })
    }
}

/// A lock that is held, as the call names it, and whether others may hold it for reading too.
type Held = (String, bool);

/// The locks that a thread holds at its access, in the order in which it has taken them; none if that is not to be seen.
fn held(program: &Program, steps: &[Step], access: &RaceAccess) -> Option<Vec<Held>> {
    let mut held: Vec<Held> = Vec::new();
    let own = |step: &&Step| step.thread == access.thread;
    let before: Vec<&Step> = steps.get(..access.step)?.iter().filter(own).collect();
    for (i, step) in before.iter().enumerate() {
        let StepKind::Called { callee, args } = &step.what else { continue };
        if !program.functions[*callee].library || program.functions[step.function].library {
            continue;
        }
        let Some(effect) = effect(&program.functions[*callee].display) else { continue };
        let lock = args.first()?;
        let is_taken = match effect {
            Effect::Frees => {
                let at = held.iter().rposition(|(other, _)| other == lock)?;
                held.remove(at);
                false
            }
            Effect::Takes | Effect::TakesForReading => true,
            Effect::MayTake => {
                let after = before[i + 1..].iter();
                let mut of_call = after.filter(|later| {
                    (later.function, later.instr, later.depth)
                        == (step.function, step.instr, step.depth)
                });
                let StepKind::Assigned { value, .. } = &of_call.next()?.what else { return None };
                value == "0"
            }
        };
        if is_taken {
            held.push((lock.clone(), effect == Effect::TakesForReading));
        }
    }
    Some(held)
}

/// Compares the locks of both threads; `None` if they look the same.
fn about_locks(accesses: &[RaceAccess; 2], first: &[Held], second: &[Held]) -> Option<String> {
    let threads = [accesses[0].thread, accesses[1].thread];
    let of = |thread: usize, held: &[Held]| match held {
        [] => format!("thread {thread} holds no lock"),
        _ => {
            let names: Vec<&str> = held.iter().map(|(name, _)| name.as_str()).collect();
            format!("thread {thread} holds {}", names.join(" and "))
        }
    };
    if first.is_empty() && second.is_empty() {
        return Some("neither thread holds a lock".to_owned());
    }
    let common = first.iter().find(|lock| second.iter().any(|other| other.0 == lock.0));
    match common {
        None => Some(format!("{}, {}", of(threads[0], first), of(threads[1], second))),
        Some(lock) if lock.1 && second.contains(lock) => {
            Some(format!("both hold {} for reading only", lock.0))
        }
        Some(_) => None,
    }
}

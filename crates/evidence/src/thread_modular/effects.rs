//! The effects of library calls on a program that is looked at thread by thread.

use crate::race_freedom::library::{Library, library};
use vergo_goto::program::{FunctionId, Program};

/// Functions of the library that change nothing but what is theirs, at the address that is their first argument.
const SILENT: &[&str] = &[
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_barrier_init",
    "pthread_barrier_destroy",
    "pthread_barrier_wait",
    "pthread_mutexattr_init",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_settype",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_attr_setdetachstate",
    "pthread_attr_setstacksize",
    "pthread_detach",
    "pthread_equal",
    "sem_init",
    "sem_destroy",
    "sem_wait",
    "sem_post",
    "cnd_init",
    "cnd_destroy",
    "cnd_signal",
    "cnd_broadcast",
    "thrd_detach",
    "thrd_equal",
    "thrd_yield",
];

/// The effect of a library call, as far as the program without threads is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// The effect of its body.
    Body,
    /// Its body is not looked into by the facts, but does nothing with threads.
    Apart,
    /// Nothing but a result.
    Silent,
    /// Gives the lock that is its second argument back, and takes it again.
    Waits,
    /// As its kind says.
    Of(Library),
}

/// Returns the effect of a call.
///
/// # Errors
/// If that is not known.
pub(super) fn effect(program: &Program, called: FunctionId) -> Result<Effect, String> {
    let function = &program.functions[called];
    let name = function.display.as_str();
    if function.library && SILENT.contains(&name) {
        return Ok(Effect::Silent);
    }
    Ok(match library(function) {
        Library::Unknown => Effect::Body,
        Library::Allocate => Effect::Apart,
        Library::Nothing => match name {
            "free" => Effect::Apart,
            "pthread_cond_wait" | "pthread_cond_timedwait" | "cnd_wait" | "cnd_timedwait" => {
                Effect::Waits
            }
            _ => return Err(format!("a call of `{name}`")),
        },
        Library::NewKey => return Err(format!("a call of `{name}`")),
        what => Effect::Of(what),
    })
}

//! The effects of library functions that matter to threads. Their models are not looked into.

use vergo_goto::program::Function;

/// The effect of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Library {
    /// The effect of its body.
    Unknown,
    /// Nothing that matters: accesses in it are synchronisation, or of what only the library has.
    Nothing,
    /// Gives a new object.
    Allocate,
    /// Starts a thread.
    Create,
    /// Waits for the end of a thread.
    Join,
    /// Takes a lock: alone, or together with others who read.
    Lock { alone: bool },
    /// The same, if that is possible: then it returns zero.
    TryLock { alone: bool },
    /// Gives a lock back.
    Unlock,
    /// Makes a lock anew.
    Renew,
    /// Calls its second argument, or waits until somebody has.
    Once,
    /// Remembers a value for the thread.
    SetSpecific,
    /// Gives it back.
    GetSpecific,
    /// Makes a key for that; what its second argument does when threads end is not followed.
    NewKey,
    /// Gives a thread's own number.
    Number,
    /// Does not return.
    Leave,
}

/// Returns the effect of a function. Only the library's own is meant, and no function of the program with its name; a way into
/// the library for other types goes by the name that users see.
pub(crate) fn library(function: &Function) -> Library {
    if !function.library {
        return Library::Unknown;
    }
    match function.display.as_str() {
        "malloc" | "calloc" | "aligned_alloc" | "memalign" | "valloc" => Library::Allocate,
        "free" => Library::Nothing,
        "pthread_create" | "thrd_create" => Library::Create,
        "pthread_join" | "thrd_join" => Library::Join,
        "pthread_mutex_lock" | "pthread_spin_lock" | "pthread_rwlock_wrlock" | "mtx_lock" => {
            Library::Lock { alone: true }
        }
        "pthread_rwlock_rdlock" => Library::Lock { alone: false },
        "pthread_mutex_trylock"
        | "pthread_mutex_timedlock"
        | "pthread_spin_trylock"
        | "pthread_rwlock_trywrlock"
        | "mtx_trylock" => Library::TryLock { alone: true },
        "pthread_rwlock_tryrdlock" => Library::TryLock { alone: false },
        "pthread_mutex_unlock" | "pthread_spin_unlock" | "pthread_rwlock_unlock" | "mtx_unlock" => {
            Library::Unlock
        }
        "pthread_mutex_init"
        | "pthread_mutex_destroy"
        | "pthread_spin_init"
        | "pthread_spin_destroy"
        | "pthread_rwlock_init"
        | "pthread_rwlock_destroy"
        | "mtx_init"
        | "mtx_destroy" => Library::Renew,
        "pthread_once" | "call_once" => Library::Once,
        "pthread_setspecific" => Library::SetSpecific,
        "pthread_getspecific" => Library::GetSpecific,
        "pthread_key_create" => Library::NewKey,
        "pthread_self" | "thrd_current" => Library::Number,
        "__vergo_leave_main" => Library::Leave,
        name if SILENT.contains(&name) => Library::Nothing,
        _ => Library::Unknown,
    }
}

/// Functions that synchronise, or touch only what the library has: no thread begins in them, and nothing of the program is called.
const SILENT: &[&str] = &[
    "cnd_broadcast",
    "cnd_destroy",
    "cnd_init",
    "cnd_signal",
    "cnd_timedwait",
    "cnd_wait",
    "pthread_barrier_destroy",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "pthread_cond_broadcast",
    "pthread_cond_destroy",
    "pthread_cond_init",
    "pthread_cond_signal",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_detach",
    "pthread_equal",
    "pthread_key_delete",
    "sem_destroy",
    "sem_init",
    "sem_post",
    "sem_trywait",
    "sem_wait",
    "thrd_detach",
    "thrd_yield",
];

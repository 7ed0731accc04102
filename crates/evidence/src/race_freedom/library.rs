//! What functions of the library do that matters to threads. Their models are not looked into.

use vergo_goto::program::Function;

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Library {
    /// What its body says.
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
    /// Gives a thread's own number.
    Number,
    /// Does not return.
    Leave,
}

/// What a function does. Only the library's own is meant, and no function of the program with its name.
pub(crate) fn library(function: &Function) -> Library {
    if !function.library {
        return Library::Unknown;
    }
    match function.name.as_str() {
        "malloc" | "calloc" | "aligned_alloc" | "memalign" | "valloc" => Library::Allocate,
        "free" => Library::Nothing,
        // These write what they are asked for to memory of the program.
        "sem_getvalue" | "pthread_mutexattr_gettype" => Library::Unknown,
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
        "pthread_self" | "thrd_current" => Library::Number,
        "__vergo_leave_main" => Library::Leave,
        name => {
            let of_threads = ["pthread_", "sem_", "mtx_", "cnd_", "thrd_"];
            match of_threads.iter().any(|prefix| name.starts_with(prefix)) {
                true => Library::Nothing,
                false => Library::Unknown,
            }
        }
    }
}

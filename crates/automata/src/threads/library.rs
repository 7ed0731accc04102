//! The replacements of functions about threads in a program without threads.

/// The replacement of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Becomes {
    /// Nothing but the value of its arguments; it succeeds.
    Nothing,
    /// A call of this function, with as many of the arguments.
    Call(&'static str, usize),
    /// The same, if a certain argument is a null pointer: the default.
    CallIfNull(&'static str, usize, usize),
    /// A call that is made again until it is not zero; then it succeeds.
    Wait(&'static str, usize),
    Create,
    Join,
    /// The lock, which is the second argument, is given back and taken again.
    WaitForCondition,
    Exit,
    AtomicBegin,
    AtomicEnd,
    /// It cannot be done without threads here.
    Refused,
}

const TABLE: &[(&str, Becomes)] = &[
    ("__CPROVER_atomic_begin", Becomes::AtomicBegin),
    ("__CPROVER_atomic_end", Becomes::AtomicEnd),
    ("__ESBMC_atomic_begin", Becomes::AtomicBegin),
    ("__ESBMC_atomic_end", Becomes::AtomicEnd),
    ("__VERIFIER_atomic_begin", Becomes::AtomicBegin),
    ("__VERIFIER_atomic_end", Becomes::AtomicEnd),
    ("pthread_attr_destroy", Becomes::Nothing),
    ("pthread_attr_init", Becomes::Nothing),
    ("pthread_attr_setdetachstate", Becomes::Nothing),
    ("pthread_attr_setstacksize", Becomes::Nothing),
    ("pthread_cond_broadcast", Becomes::Nothing),
    ("pthread_cond_destroy", Becomes::Nothing),
    ("pthread_cond_init", Becomes::Nothing),
    ("pthread_cond_signal", Becomes::Nothing),
    ("pthread_cond_wait", Becomes::WaitForCondition),
    ("pthread_create", Becomes::Create),
    ("pthread_detach", Becomes::Nothing),
    ("pthread_equal", Becomes::Call("seq_equal", 2)),
    ("pthread_exit", Becomes::Exit),
    ("pthread_join", Becomes::Join),
    ("pthread_mutex_destroy", Becomes::Nothing),
    ("pthread_mutex_init", Becomes::CallIfNull("seq_clear", 1, 1)),
    ("pthread_mutex_lock", Becomes::Wait("seq_lock", 1)),
    ("pthread_mutex_trylock", Becomes::Call("seq_try_lock", 1)),
    ("pthread_mutex_unlock", Becomes::Call("seq_clear", 1)),
    ("pthread_rwlock_destroy", Becomes::Nothing),
    ("pthread_rwlock_init", Becomes::Call("seq_clear", 1)),
    ("pthread_rwlock_rdlock", Becomes::Wait("seq_read_lock", 1)),
    ("pthread_rwlock_tryrdlock", Becomes::Call("seq_try_read_lock", 1)),
    ("pthread_rwlock_trywrlock", Becomes::Call("seq_try_write_lock", 1)),
    ("pthread_rwlock_unlock", Becomes::Call("seq_unlock_either", 1)),
    ("pthread_rwlock_wrlock", Becomes::Wait("seq_write_lock", 1)),
    ("pthread_self", Becomes::Call("seq_number", 0)),
    ("pthread_spin_destroy", Becomes::Nothing),
    ("pthread_spin_init", Becomes::Call("seq_clear", 1)),
    ("pthread_spin_lock", Becomes::Wait("seq_lock", 1)),
    ("pthread_spin_trylock", Becomes::Call("seq_try_lock", 1)),
    ("pthread_spin_unlock", Becomes::Call("seq_clear", 1)),
    ("pthread_yield", Becomes::Nothing),
    ("sched_yield", Becomes::Nothing),
    ("sem_destroy", Becomes::Nothing),
    ("sem_init", Becomes::Call("seq_post_init", 3)),
    ("sem_post", Becomes::Call("seq_post", 1)),
    ("sem_wait", Becomes::Wait("seq_take", 1)),
];

/// Returns the replacement for a call of a function without a body, if it is about threads.
pub(super) fn becomes(name: &str) -> Option<Becomes> {
    if let Ok(at) = TABLE.binary_search_by_key(&name, |row| row.0) {
        return Some(TABLE[at].1);
    }
    let of_threads = ["cnd_", "mtx_", "pthread_", "sem_", "thrd_", "tss_"];
    of_threads.iter().any(|prefix| name.starts_with(prefix)).then_some(Becomes::Refused)
}

/// Returns whether a function runs without interruption because of its name.
pub(super) fn is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_") && becomes(name).is_none()
}

/// Returns whether a function is one of those that specifications speak of: it keeps its name and its body.
pub(super) fn is_named_by_specifications(name: &str) -> bool {
    name == "reach_error"
        || name.starts_with("__VERIFIER_") && !name.starts_with("__VERIFIER_atomic_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.windows(2).all(|w| w[0].0 < w[1].0));
        assert_eq!(becomes("pthread_barrier_wait"), Some(Becomes::Refused));
        assert_eq!(becomes("malloc"), None);
        assert!(is_atomic("__VERIFIER_atomic_add") && !is_atomic("__VERIFIER_atomic_begin"));
    }
}

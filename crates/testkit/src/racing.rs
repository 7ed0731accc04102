//! Random programs with threads that share memory: with locks where they should be, or with some of them left out.
//!
//! Each shared variable has a way in which it is protected: a mutex, a lock of readers and writers, atomic operations, or that
//! only one thread touches it while others run. A program follows its ways, or forgets one now and then; whether that is a
//! race is for others to say. Every thread makes few accesses, and every execution ends.

use crate::Rng;
use std::fmt::Write;

/// The protection of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Mutex(usize),
    ReadersAndWriters,
    Atomic,
    /// One thread alone, by number.
    Owned(usize),
}

/// A program, and whether its author has left nothing out.
#[derive(Clone, Debug)]
pub struct Racing {
    /// The text.
    pub text: String,
    /// True if every access is protected as its variable demands: then there is no race.
    pub careful: bool,
}

const PLACES: [&str; 5] = ["a", "b", "pair.first", "pair.second", "many[1]"];

/// A program from a seed.
pub fn program(seed: u64) -> Racing {
    let mut rng = Rng::new(seed);
    let n_threads = rng.between(2, 3);
    let ways: Vec<Way> = PLACES
        .iter()
        .map(|_| match rng.below(6) {
            0 => Way::Mutex(0),
            1 | 2 => Way::Mutex(1),
            3 => Way::ReadersAndWriters,
            4 => Way::Atomic,
            _ => Way::Owned(rng.below(n_threads)),
        })
        .collect();
    let mut careful = true;
    let forgets = rng.one_in(2);
    let mut text = "#include <pthread.h>
static int a, b, many[3];
static struct { int first, second; } pair;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
"
    .to_owned();
    for thread in 0..n_threads {
        let _ =
            write!(text, "static void *run{thread}(void *argument)\n{{\n    int own = {thread};\n");
        for _ in 0..rng.between(1, 4) {
            let place = rng.below(PLACES.len());
            let forgotten = forgets && rng.one_in(3);
            careful &= !forgotten || matches!(ways[place], Way::Owned(owner) if owner == thread);
            access(&mut rng, &mut text, (place, ways[place]), thread, forgotten);
        }
        text.push_str("    (void)own;\n    return argument;\n}\n");
    }
    text.push_str("int main(void)\n{\n");
    let _ = writeln!(text, "    pthread_t threads[{n_threads}];\n    a = 1;");
    for thread in 0..n_threads {
        let _ = writeln!(text, "    pthread_create(&threads[{thread}], 0, run{thread}, 0);");
    }
    // Main reads before or after it has waited.
    if forgets && rng.one_in(3) {
        text.push_str("    b = b + 1;\n");
        careful = false;
    }
    for thread in 0..n_threads {
        let _ = writeln!(text, "    pthread_join(threads[{thread}], 0);");
    }
    text.push_str("    return a + b + pair.first + pair.second + many[1] < -1000000;\n}\n");
    Racing { text, careful }
}

/// An access of a variable, with what protects it unless that is forgotten.
fn access(
    rng: &mut Rng,
    text: &mut String,
    (place, way): (usize, Way),
    thread: usize,
    forgotten: bool,
) {
    let name = PLACES[place];
    let writes = rng.one_in(2);
    let plain = match writes {
        true => format!("{name} = own + {};", rng.below(9)),
        false => format!("own = own + {name};"),
    };
    let around = |before: &str, after: &str| format!("    {before};\n    {plain}\n    {after};\n");
    let lines = match way {
        Way::Owned(owner) if owner != thread && !forgotten => "    own = own + 1;\n".to_owned(),
        _ if forgotten => format!("    {plain}\n"),
        Way::Owned(_) => format!("    {plain}\n"),
        Way::Mutex(i) => around(
            &format!("pthread_mutex_lock(&locks[{i}])"),
            &format!("pthread_mutex_unlock(&locks[{i}])"),
        ),
        Way::ReadersAndWriters => around(
            if writes {
                "pthread_rwlock_wrlock(&shared)"
            } else {
                "pthread_rwlock_rdlock(&shared)"
            },
            "pthread_rwlock_unlock(&shared)",
        ),
        Way::Atomic if writes => format!("    __atomic_store_n(&{name}, own, __ATOMIC_SEQ_CST);\n"),
        Way::Atomic => format!("    own = own + __atomic_load_n(&{name}, __ATOMIC_SEQ_CST);\n"),
    };
    text.push_str(&lines);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_come_often_and_seeds_repeat() {
        let careful = (0..100).filter(|&seed| program(seed).careful).count();
        assert!((30..80).contains(&careful), "{careful}");
        assert_eq!(program(7).text, program(7).text);
    }
}

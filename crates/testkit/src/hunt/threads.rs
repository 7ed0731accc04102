//! Threads that share memory through locks, atomic operations and semaphores. No two accesses race: C says nothing about
//! programs in which they do, and `races_found` of the command line compares those with ThreadSanitizer.

use super::Scene;
use crate::Rng;
use std::fmt::Write;

/// The notes that a thread can take for later.
const NOTES: usize = 3;

/// What all scenes with threads share. Waiting for some time is how gcc's executions come to differ in their order.
fn begin(scene: &mut Scene) {
    scene.headers = true;
    scene.threads = true;
    scene.global(
        "static pthread_mutex_t $m = PTHREAD_MUTEX_INITIALIZER, $o = PTHREAD_MUTEX_INITIALIZER;",
    );
    scene.global("static pthread_rwlock_t $w = PTHREAD_RWLOCK_INITIALIZER;");
    scene.global("static pthread_cond_t $c = PTHREAD_COND_INITIALIZER;");
    scene.global("static sem_t $s;");
    scene.global("static int $x, $y, $z, $ready; static _Atomic int $a; static int $b; static _Thread_local int $t = 3;");
    scene.line("sem_init(&$s, 0, 0);");
}

/// Writes the functions of threads, each with its statements, and the lines that start them and wait for them.
fn start(scene: &mut Scene, bodies: &[String]) {
    for (i, body) in bodies.iter().enumerate() {
        scene.global(format!("static int $n{i}[{NOTES}];"));
        scene.global(format!("static void *$f{i}(void *p_) {{ int *note = $n{i};{body} return (void *)(uintptr_t)($t + *(int *)p_); }}"));
        scene.line(format!("pthread_t $t{i}; int $p{i} = {i};"));
        scene.line(format!("pthread_create(&$t{i}, 0, $f{i}, &$p{i});"));
    }
    for i in 0..bodies.len() {
        scene.line(format!("{{ void *r_; pthread_join($t{i}, &r_); observe_((uintptr_t)r_); }}"));
        for note in 0..NOTES {
            scene.observe(format!("$n{i}[{note}]"));
        }
    }
    for shared in ["$x", "$y", "$z", "$a", "$b", "$t"] {
        scene.observe(shared);
    }
}

/// Threads whose order shows: each of gcc's executions is one of many.
pub(super) fn orders(rng: &mut Rng, scene: &mut Scene) {
    begin(scene);
    scene.exact = false;
    let bodies: Vec<String> = (0..rng.between(2, 3))
        .map(|_| {
            let mut body = String::new();
            for _ in 0..rng.between(1, 3) {
                if rng.one_in(2) {
                    let _ = write!(body, " usleep({});", 300 * rng.between(1, 4));
                }
                body.push(' ');
                body.push_str(&step(rng));
            }
            body
        })
        .collect();
    start(scene, &bodies);
}

/// A statement whose effect depends on what other threads have done.
fn step(rng: &mut Rng) -> String {
    let (note, k) = (rng.below(NOTES), rng.between(1, 5));
    let inside = match rng.below(6) {
        0 => format!("$x += {k};"),
        1 => format!("$x = {k};"),
        2 => format!("note[{note}] = $x;"),
        3 => format!("if ($x < {k}) $x = $x * 2 + 1; else note[{note}] = $x;"),
        4 => format!("int o_ = $x; $x = $y; $y = o_ + {k};"),
        _ => format!("$t += $x; $x ^= {k};"),
    };
    match rng.below(11) {
        0..=2 => {
            format!("pthread_mutex_lock(&$m); {{ {inside} }} pthread_mutex_unlock(&$m);")
        }
        3 => format!(
            "if (pthread_mutex_trylock(&$m) == 0) {{ {inside} pthread_mutex_unlock(&$m); }} else note[{note}] = -1;"
        ),
        4 => format!("note[{note}] = $a; $a += {k};"),
        5 => format!("$a = {k};"),
        6 => format!(
            "{{ int e_ = {}; note[{note}] = 10 * __atomic_compare_exchange_n(&$b, &e_, {k}, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) + e_; }}",
            rng.below(3)
        ),
        7 => format!("note[{note}] = __atomic_exchange_n(&$b, {k}, __ATOMIC_SEQ_CST);"),
        8 => format!(
            "pthread_rwlock_rdlock(&$w); note[{note}] = $z; pthread_rwlock_unlock(&$w); pthread_rwlock_wrlock(&$w); $z += {k}; pthread_rwlock_unlock(&$w);"
        ),
        9 => "sem_post(&$s);".to_owned(),
        _ => format!("note[{note}] = sem_trywait(&$s);"),
    }
}

/// Threads whose effects commute, or that wait for each other: however they run, the end is the same.
pub(super) fn workers(rng: &mut Rng, scene: &mut Scene) {
    begin(scene);
    scene.global("static pthread_once_t $e = PTHREAD_ONCE_INIT; static void $init(void) { $y++; }");
    scene.global("static pthread_key_t $k;");
    scene.line("pthread_key_create(&$k, 0);");
    let mut bodies: Vec<String> = (0..rng.between(1, 2))
        .map(|_| (0..rng.between(1, 3)).map(|_| " ".to_owned() + &work(rng)).collect())
        .collect();
    // One thread waits for another, in one of three ways.
    let (tell, hear) = match rng.below(4) {
        0 => (
            "pthread_mutex_lock(&$o); $ready = 1; pthread_cond_broadcast(&$c); pthread_mutex_unlock(&$o);",
            "pthread_mutex_lock(&$o); while (!$ready) pthread_cond_wait(&$c, &$o); pthread_mutex_unlock(&$o);",
        ),
        1 => ("sem_post(&$s);", "sem_wait(&$s);"),
        2 => ("$ready = 0;", "$t++;"),
        _ => ("pthread_setspecific($k, note);", "$t += pthread_getspecific($k) == 0;"),
    };
    bodies[0] += &format!(" note[2] = {}; {tell}", rng.between(1, 9));
    // Who has heard sees what was written before it was told.
    let sees =
        if tell.contains("post") || tell.contains("cond") { "note[2] = $n0[2] + 1;" } else { "" };
    bodies.push(format!(" {hear} {sees} {}", work(rng)));
    start(scene, &bodies);
}

/// A statement that commutes with those of other threads.
fn work(rng: &mut Rng) -> String {
    let (note, k) = (rng.below(2), rng.between(1, 5));
    match rng.below(7) {
        0 | 1 => format!("pthread_mutex_lock(&$m); $x += {k}; pthread_mutex_unlock(&$m);"),
        2 => format!("$a += {k};"),
        3 => format!("__atomic_fetch_add(&$b, {k}, __ATOMIC_SEQ_CST);"),
        4 => format!("pthread_once(&$e, $init); note[{note}] = $y;"),
        5 => format!("$t += {k}; note[{note}] = $t;"),
        _ => format!(
            "pthread_setspecific($k, note + {note}); *(int *)pthread_getspecific($k) += {k};"
        ),
    }
}

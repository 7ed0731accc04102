//! Programs with threads, sequentialized.

use super::{Rounds, Sequentialized, sequentialize};
use vergo_cfront::Options;
use vergo_source::{Diagnostics, SourceMap};

const THREADS: &str = "\
extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
extern int pthread_join(unsigned long, void **);
extern int pthread_mutex_lock(int *), pthread_mutex_unlock(int *), pthread_barrier_wait(void *);
extern void reach_error(void);
static int n, lock;
static void *worker(void *argument) { n++; return argument; }
";

fn transformed(program: &str, rounds: Rounds) -> Result<Sequentialized, String> {
    let mut map = SourceMap::new();
    let file = map.add("in.c", format!("{THREADS}{program}")).expect("room");
    let mut diags = Diagnostics::new();
    let done = sequentialize(&mut map, file, &Options::default(), rounds, &mut diags);
    done.ok_or_else(|| {
        diags.iter().map(|d| format!("{}: {}\n", map.presumed(d.primary.lo), d.message)).collect()
    })
}

#[test]
fn an_increment_is_two_steps_and_what_accesses_once_stays() {
    let main =
        "int main(void) { unsigned long t; pthread_create(&t, 0, worker, 0); n = 7; return 0; }";
    let done = transformed(main, Rounds::default()).expect("it can be followed");
    assert!(done.left_out.is_empty(), "{:?}", done.left_out);
    let text = done.text;
    assert!(text.contains("worker_value_1[seq_self] = n;"), "{text}");
    assert!(text.contains("worker_value_1[seq_self]++;"), "{text}");
    assert!(text.contains("n = worker_value_1[seq_self];"), "{text}");
    assert!(text.contains("    n = 7;"), "{text}");
    assert!(text.contains("static int seq_state[2] = {1};"), "{text}");
    assert!(!text.contains("pthread_"), "{text}");
}

#[test]
fn error_functions_keep_their_names() {
    let program = "extern void report(const char *, const int *);
        int main(void) { if (n) { reach_error(); } return 0; }";
    let text = transformed(program, Rounds::default()).expect("it can be followed").text;
    assert!(text.contains("reach_error();") && !text.contains("reach_error_steps"), "{text}");
}

#[test]
fn arguments_of_the_program_are_handed_on() {
    let main = "int main(int argc, char **argv) { n = argc; return argv[0][0]; }";
    let text = transformed(main, Rounds::default()).expect("it can be followed").text;
    assert!(text.contains("int main(int argc, char **argv)"), "{text}");
    assert!(text.contains("main_argc[0] = argc;"), "{text}");
}

#[test]
fn bounds_are_said() {
    let main = "int main(void) { unsigned long t[9]; for (int i = 0; i < 9; i++) pthread_create(&t[i], 0, worker, 0); return 0; }";
    let done =
        transformed(main, Rounds { rounds: Some(3), threads: 2 }).expect("it can be followed");
    let said = done.left_out.join("; ");
    assert!(said.contains("more than 3 turns") && said.contains("more than 2 threads"), "{said}");
    assert!(
        done.text.contains("seq_round < 3") && done.text.contains("seq_state[3]"),
        "{}",
        done.text
    );
}

#[test]
fn what_cannot_be_followed_has_a_place() {
    let cases = [
        (
            "static int f(int i) { n++; return i ? f(i - 1) : 0; }\nint main(void) { return f(3); }",
            "in.c:7:12",
        ),
        ("int main(void) { return\npthread_barrier_wait(&n); }", "in.c:8:1"),
        ("int main(void) { n = 1; int k = n;\nint a[k]; return a[0]; }", "in.c:8:5"),
        ("int seq_self; int main(void) { return 0; }", "seq_self"),
    ];
    for (program, place) in cases {
        let said = transformed(program, Rounds::default()).expect_err("it cannot be followed");
        assert!(said.contains(place), "{program}: {said}");
    }
}

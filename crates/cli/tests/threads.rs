//! The output for violations of programs with threads: races in every form of the report, witnesses with threads, and
//! test drivers that force the order of steps.

mod tool;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::skip;
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::process::run;

const RACE: &str = "\
#include <pthread.h>
int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    total = 2;
    pthread_join(thread, 0);
    return 0;
}
";

/// An update is lost only if a thread is interrupted between a read and a write.
const LOST: &str = "\
#include <pthread.h>
void reach_error(void) {}
int total;
void *worker(void *unused)
{
    total++;
    return 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    total++;
    pthread_join(thread, 0);
    if (total != 2)
        reach_error();
    return 0;
}
";

/// The second thread has to take the lock between the two sections of the first, and be there before main.
const BETWEEN: &str = "\
#include <pthread.h>
void reach_error(void) {}
int __VERIFIER_nondet_int(void);
int step, seen;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *first(void *unused)
{
    pthread_mutex_lock(&lock);
    step = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    step = 2;
    pthread_mutex_unlock(&lock);
    return 0;
}
void *second(void *unused)
{
    int wanted = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    if (step == 1 && wanted == 77)
        seen = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_mutex_lock(&lock);
    if (seen)
        reach_error();
    pthread_mutex_unlock(&lock);
    return 0;
}
";

fn checked(folder: &Scratch, text: &str, arguments: &[&str]) -> String {
    folder.write("a.c", text).expect("written");
    let mut all = vec!["check"];
    all.extend(arguments);
    all.push("a.c");
    let finished = tool::vergo(folder.folder(), &all, b"");
    finished.stdout_text().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn every_form_of_the_report_names_both_accesses_of_a_race() {
    let folder = Scratch::new("race-report").expect("a folder");
    let files = ["--json", "r.json", "--sarif", "r.sarif", "--html", "page"];
    let mut arguments = vec!["--property", "no-data-race"];
    arguments.extend(files);
    assert_eq!(checked(&folder, RACE, &arguments), "RESULT: false(no-data-race)");
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).expect("a file");
    let reason = "no start or end of a thread and no other synchronisation lies between them";
    let (json, sarif, html) = (read("r.json"), read("r.sarif"), read("page/index.html"));
    for text in [&json, &sarif, &html] {
        assert!(text.contains("writes total"), "{text}");
        assert!(text.contains("reads total"), "{text}");
        assert!(text.contains(reason), "{text}");
        assert!(text.contains("holds &lock"), "{text}");
    }
    for part in ["\"access\": \"write\"", "\"access\": \"read\"", "\"expression\": \"total\""] {
        assert!(json.contains(part), "{json}");
    }
    let flows =
        ["relatedLocations", "\"id\": \"thread 0\"", "\"id\": \"thread 1\"", "executionOrder"];
    for part in flows {
        assert!(sarif.contains(part), "{sarif}");
    }
}

#[test]
fn witnesses_in_graphml_say_who_makes_each_step() {
    let folder = Scratch::new("graphml").expect("a folder");
    let arguments = ["--property", "unreach-call", "--witness", "w.graphml"];
    assert_eq!(checked(&folder, BETWEEN, &arguments), "RESULT: false(unreach-call)");
    let text = std::fs::read_to_string(folder.path("w.graphml")).expect("a witness");
    let data = |key: &str| {
        let start = format!("<data key=\"{key}\">");
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix(&start));
        lines.filter_map(|rest| rest.strip_suffix("</data>")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(data("witness-type"), ["violation_witness"]);
    assert_eq!(data("createThread"), ["1", "2"]);
    assert_eq!(data("assumption"), ["\\result == 77;"]);
    let threads = data("threadId");
    for thread in ["0", "1", "2"] {
        assert!(threads.iter().any(|other| other == thread), "{text}");
    }
    // The violation is main's.
    assert_eq!(threads.last().map(String::as_str), Some("0"));
    let entered = data("enterFunction");
    for function in ["first", "second", "reach_error"] {
        assert!(entered.iter().any(|other| other == function), "{text}");
    }
    assert_eq!(text.matches("<edge ").count() + 1, text.matches("<node ").count());
    // A proof has none.
    let finished = checked(&folder, &RACE.replace("total = 2;", ""), &arguments);
    assert_eq!(finished, "RESULT: true");
}

/// The status with which a driver ends.
fn driven(folder: &Path) -> Option<i32> {
    let text = std::fs::read_to_string(folder.join("harness.c")).expect("a driver");
    let line = text.lines().find(|line| line.trim_start().starts_with("gcc ")).expect("a command");
    let mut words = line.trim().trim_end_matches(" && ./test").split_whitespace();
    let mut compiler = Command::new(words.next().unwrap_or_default());
    compiler.args(words).current_dir(folder);
    let built = run(&mut compiler, b"", Duration::from_secs(60)).expect("gcc runs");
    assert!(built.success(), "{}", built.stderr_text());
    let mut test = Command::new(folder.join("test"));
    run(&mut test, b"", Duration::from_secs(60)).expect("it runs").code()
}

#[test]
fn drivers_force_the_order_of_threads() {
    if HostC::find().is_none() {
        return skip("drivers_force_the_order_of_threads", "there is no gcc");
    }
    let folder = Scratch::new("forced").expect("a folder");
    let programs =
        [("unreach-call", LOST, 10), ("unreach-call", BETWEEN, 10), ("no-data-race", RACE, 66)];
    for (i, (property, text, status)) in programs.into_iter().enumerate() {
        let out = format!("out-{i}");
        let arguments = ["--property", property, "--harness", &out];
        assert_eq!(checked(&folder, text, &arguments), format!("RESULT: false({property})"));
        assert_eq!(driven(&folder.path(&out)), Some(status), "{text}");
    }
}

/// Threads that each access what they share so often, under one lock, and are joined in a loop.
fn under_a_lock(n_threads: usize, n_accesses: usize) -> String {
    let access = "    pthread_mutex_lock(&lock);\n    total++;\n    pthread_mutex_unlock(&lock);\n";
    format!(
        "#include <pthread.h>\nint total;\npthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
         void *worker(void *unused)\n{{\n{}    return 0;\n}}\n\
         int main(void)\n{{\n    pthread_t threads[{n_threads}];\n    \
         for (int i = 0; i < {n_threads}; i++)\n        pthread_create(&threads[i], 0, worker, 0);\n    \
         for (int i = 0; i < {n_threads}; i++)\n        pthread_join(threads[i], 0);\n    \
         return total;\n}}\n",
        access.repeat(n_accesses)
    )
}

#[test]
fn cost_does_not_grow_with_schedules() {
    let folder = Scratch::new("growth").expect("a folder");
    for (n_threads, n_accesses) in [(2, 10), (4, 20), (8, 50)] {
        let arguments = ["--property", "no-data-race", "--timeout", "10"];
        let text = under_a_lock(n_threads, n_accesses);
        let verdict = checked(&folder, &text, &arguments);
        assert_eq!(verdict, "RESULT: true", "{n_threads} threads, {n_accesses} accesses");
        // One access without the lock, and there is a race.
        let text = text.replacen(
            "    pthread_mutex_lock(&lock);\n    total++;\n",
            "    total++;\n    pthread_mutex_lock(&lock);\n",
            1,
        );
        let verdict = checked(&folder, &text, &arguments);
        assert_eq!(verdict, "RESULT: false(no-data-race)", "{n_threads} threads");
    }
}

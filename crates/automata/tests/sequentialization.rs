//! The instrumentation operator on text against the sequentialization operator on control-flow automata: the programs that
//! they make print the same and end the same, on runs that violate the specification and on runs that do not.

mod support;

use std::process::Command;
use std::time::Duration;
use support::{builtin, sequentialized, transformed};
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::process::run;

/// Runs a program that reads its inputs as arguments, with several arguments.
fn outcomes(name: &str, text: &str, inputs: &[&str]) -> Vec<(Option<i32>, String)> {
    let host = HostC::find().expect("gcc");
    let folder = Scratch::new(name).expect("a folder");
    let source = folder.path("program.c");
    let program = folder.path("program");
    std::fs::write(&source, text).expect("written");
    let compiled = host.compile(&source, &program, &["-w", "-fwrapv"]).expect("gcc");
    assert!(compiled.success(), "{}\n{text}", compiled.stderr_text());
    let one = |input: &&str| {
        let mut command = Command::new(&program);
        command.arg(input);
        let done = run(&mut command, b"", Duration::from_secs(10)).expect("a run");
        (done.code(), done.stdout_text())
    };
    inputs.iter().map(one).collect()
}

fn agree(name: &str, automaton: &str, program: &str, inputs: &[&str]) {
    let by_text = outcomes(name, &transformed(automaton, program), inputs);
    let by_graph = outcomes(name, &sequentialized(automaton, program), inputs);
    assert_eq!(by_text, by_graph);
    assert!(by_text.iter().any(|(code, _)| code.is_none()), "no run violates the specification");
    assert!(by_text.iter().any(|(code, _)| code.is_some()), "all runs violate the specification");
}

const HEADER: &str = "extern int atoi(const char *);\nextern int printf(const char *, ...);\n";

#[test]
fn overflow_is_seen_by_both() {
    let program = format!(
        "{HEADER}
int twice(int n) {{ return n * 2; }}
int main(int argc, char **argv) {{
  int n = atoi(argv[1]), sum = 0, i, last = 0;
  short s = 32760;
  long wide = n;
  for (i = 0; i < 5 && sum - i > -100; i++) {{
    sum += twice(n) + (i > 2 ? -n : n << 1);
    last = sum++;
    last -= --sum;
    s++;
    wide = wide * wide;
    if (wide > 1000000000 || !(n % 3)) break;
  }}
  switch (n) {{ case 3: sum -= 2147483647; default: sum = sum - 7; }}
  printf(\"%d %d %d %ld\\n\", sum, s, last, wide);
  do n--; while (n > 0 && n / 2 != 4);
  return n & 63;
}}
"
    );
    let inputs =
        ["0", "1", "2", "3", "7", "40", "-5", "30000", "536870912", "2147483647", "-2147483648"];
    agree("overflow", builtin("no-overflow"), &program, &inputs);
}

#[test]
fn loops_and_their_conditions_are_seen_by_both() {
    let automaton = "automaton rounds {
    var int rounds = 0;
    var int left = 0;
    state begin: init;
    state head: loop_head;
    state ending: end;
    start begin, head, ending;
    begin -> begin on any before { rounds = 0; }
    head -> head on cond after { rounds = rounds + 1; }
    head -> head on !cond after { left = left + 1; }
    ending -> ending on any before { assert(rounds < 12 && left == 3); }
}";
    let program = format!(
        "{HEADER}
int main(int argc, char **argv) {{
  int n = atoi(argv[1]), i = 0, j;
  while (i < n) {{ i++; if (i == 5) break; }}
  for (j = 0; j < n || j < 2; j++) if (n == 7) continue; else i += j;
  do {{ i--; }} while (i > 10);
  printf(\"%d\\n\", i);
  return 0;
}}
"
    );
    agree("loops", automaton, &program, &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

#[test]
fn calls_are_seen_by_both() {
    let automaton = include_str!("../../../examples/locks.ia")
        .replace("monitor", "automaton")
        .replace("state free;\n    state held;", "var int held = 0;\n state free;")
        .replace("held -> held on lock(...) before { assert(0); }", "")
        .replace(
            "free -> held on lock(...) before { }",
            "free -> free on lock(...) before { assert(!held); held = 1; }",
        )
        .replace(
            "held -> free on unlock(...) before { }",
            "free -> free on unlock($x) after { assert(held); held = 0; }",
        )
        .replace("free -> free on unlock(...) before { assert(0); }", "");
    let program = format!(
        "{HEADER}
int lock(int which) {{ printf(\"+%d\\n\", which); return which; }}
void unlock(int which) {{ printf(\"-%d\\n\", which); }}
int main(int argc, char **argv) {{
  int n = atoi(argv[1]);
  if (n & 1) lock(1);
  if (n & 2) unlock(2);
  if (lock(3) == n) unlock(4);
  return 0;
}}
"
    );
    agree("calls", &automaton, &program, &["0", "1", "2", "3"]);
}

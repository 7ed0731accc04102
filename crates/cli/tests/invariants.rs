//! Invariants that people can read: what `vergo check` prints for ten programs.

use std::path::Path;
use std::process::Command;

#[test]
fn ten_programs_have_readable_invariants() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/invariants");
    let entries = std::fs::read_dir(&folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut shown = String::new();
    for name in names {
        let output = Command::new(env!("CARGO_BIN_EXE_vergo"))
            .args(["check", "--property", "unreach-call", "--engine", "kind", "--timeout", "60"])
            .arg(folder.join(&name))
            .output()
            .expect("the command runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut lines = text.lines().rev();
        assert_eq!(lines.next(), Some("RESULT: true"), "{name}");
        shown.push_str(&format!("{name}: {}\n", lines.next().unwrap_or_default()));
    }
    expect_test::expect![[r#"
        bounded_counter.c: Proof: inductive invariant: i <= 100U
        equal_counters.c: Proof: inductive invariant: sent == received
        even_steps.c: Proof: inductive invariant: steps % 2 == 0
        flag.c: Proof: inductive invariant: result >= 0 && done <= 1 && result <= 1
        input_bound.c: Proof: inductive invariant: limit <= 1000 && i >= 0 && i <= limit
        lock_states.c: Proof: inductive invariant: locked >= 0 && locked <= 1
        nested_loops.c: Proof: inductive invariant: row >= 0 && row <= 8; row >= 0 && row <= 7 && column >= 0 && column <= 8
        range_members.c: Proof: inductive invariant: searched.high <= 64 && searched.low >= 0 && searched.low <= searched.high
        state_machine.c: Proof: inductive invariant: state <= 3 && state >= 0 && state != 0
        two_calls.c: Proof: inductive invariant: waited <= 3 && waited >= 0 || waited <= 7 && waited >= 0
    "#]].assert_eq(&shown);
}

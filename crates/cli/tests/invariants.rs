//! Invariants that people can read: what `vergo check` prints for ten programs.

use std::path::Path;
use std::process::Command;

/// The engines that find invariants of all of them.
const ENGINES: [&str; 6] = ["dar", "imc", "impact", "kind", "pdr", "predabs"];

/// What `vergo check` says of why the ten programs are right, with an engine.
fn proofs(engine: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/invariants");
    let entries = std::fs::read_dir(&folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let proof = |name: String| {
        let output = Command::new(env!("CARGO_BIN_EXE_vergo"))
            .args(["check", "--property", "unreach-call", "--engine", engine, "--timeout", "60"])
            .arg(folder.join(&name))
            .output()
            .expect("the command runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut lines = text.lines().rev();
        assert_eq!(lines.next(), Some("RESULT: true"), "{name} with {engine}");
        let line = lines.next().unwrap_or_default().to_owned();
        (name, line)
    };
    names.into_iter().map(proof).collect()
}

#[test]
fn ten_programs_have_readable_invariants() {
    let lines = proofs("kind").into_iter().map(|(name, line)| format!("{name}: {line}\n"));
    expect_test::expect![[r#"
        bounded_counter.c: Proof: inductive invariant: i <= 100U
        equal_counters.c: Proof: inductive invariant: sent == received
        even_steps.c: Proof: inductive invariant: steps % 2 == 0
        flag.c: Proof: inductive invariant: result <= 1 && result == done
        input_bound.c: Proof: inductive invariant: limit <= 1000 && i >= 0
        lock_states.c: Proof: inductive invariant: locked >= 0 && locked <= 1
        nested_loops.c: Proof: inductive invariant: row >= 0; row >= 0 && row <= 7
        range_members.c: Proof: inductive invariant: searched.low >= 0 && searched.high <= 64
        state_machine.c: Proof: inductive invariant: state >= 1 && state <= 3
        two_calls.c: Proof: inductive invariant: waited <= 7
    "#]]
    .assert_eq(&lines.collect::<String>());
}

/// Engines that compute with bits say what they find in comparisons all the same.
#[test]
fn no_engine_shows_bits() {
    for engine in ENGINES {
        for (name, line) in proofs(engine) {
            let (_, text) = line.split_once(": inductive invariant: ").unwrap_or_default();
            assert!(!text.is_empty(), "{name} with {engine}: {line}");
            let hard = [">>", "<<", "^", "~", "?", " & ", "(unsigned", "(int)", "||", "!("];
            let found: Vec<&str> = hard.into_iter().filter(|part| text.contains(part)).collect();
            assert!(found.is_empty() && text.len() <= 80, "{name} with {engine}: {line}");
        }
    }
}

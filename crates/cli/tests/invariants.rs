//! Invariants that people can read: what `vergo check` prints for ten programs.

use std::path::Path;
use std::process::Command;

/// The engines that find invariants of all of them.
const ENGINES: [&str; 6] = ["dar", "imc", "impact", "kind", "pdr", "predabs"];

/// Returns the reasons that `vergo check` gives for the correctness of the ten programs, with an engine.
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

/// Where the brackets that open at or after a position are closed.
fn closed(source: &str, from: usize, [open, close]: [u8; 2]) -> usize {
    let mut depth = 0;
    for (i, byte) in source.bytes().enumerate().skip(from) {
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return i;
            }
        }
    }
    panic!("no brackets from {from} on in {source}");
}

/// A program with a clause for the loop at a line and column: behind its head, or at the end of a `do` loop.
fn with_clause(source: &str, line: usize, column: usize, clause: &str) -> String {
    let start: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let mut at = start + column - 1;
    if source[at..].starts_with("do") {
        at = closed(source, at, *b"{}");
    }
    let end = closed(source, at, *b"()");
    format!("{}\n    {clause}{}", &source[..=end], &source[end + 1..])
}

/// Suggested contracts, pasted into the source, are enough for the proof with contracts alone.
#[test]
fn suggested_contracts_prove_what_they_are_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/invariants");
    let scratch = vergo_testkit::host_c::Scratch::new("suggested").unwrap();
    let check = |path: &Path, more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_vergo"))
            .args(["check", "--property", "unreach-call", "--violations", "all"])
            .args(["--timeout", "120"])
            .args(more)
            .arg(path)
            .output()
            .expect("the command runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let mut proved = Vec::new();
    let mut short = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let said = check(&path, &["--suggest"]);
        let lines: Vec<&str> = said.lines().collect();
        let mut clauses: Vec<(usize, usize, String)> = Vec::new();
        for pair in lines.windows(2) {
            if !pair[1].trim_start().starts_with("__CPROVER_loop_invariant(") {
                continue;
            }
            let numbers: Vec<usize> =
                pair[0].split([':', ' ']).filter_map(|part| part.parse().ok()).collect();
            clauses.push((numbers[0], numbers[1], pair[1].trim().to_owned()));
        }
        // From the last on, so that positions stay what they are.
        clauses.sort();
        let mut source = std::fs::read_to_string(&path).expect("a file");
        for (line, column, clause) in clauses.iter().rev() {
            source = with_clause(&source, *line, *column, clause);
        }
        scratch.write(&name, &source).unwrap();
        let answer = check(&scratch.path(&name), &["--apply-loop-contracts"]);
        match !clauses.is_empty() && answer.ends_with("RESULT: true\n") {
            true => proved.push(name),
            false => short.push((name, said, answer)),
        }
    }
    assert!(proved.len() >= 8, "{short:#?}");
}

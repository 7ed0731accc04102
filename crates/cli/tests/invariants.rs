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

/// Checks a program; what is printed.
fn check(path: &Path, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_vergo"))
        .args(["check", "--property", "unreach-call", "--violations", "all"])
        .args(["--timeout", "120"])
        .args(more)
        .arg(path)
        .output()
        .expect("the command runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A program with the contracts that were suggested for its loops; none if none was.
fn with_suggestions(source: &str, said: &str) -> Option<String> {
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
    let pasted = clauses.iter().rev().fold(source.to_owned(), |source, (line, column, clause)| {
        with_clause(&source, *line, *column, clause)
    });
    (!clauses.is_empty()).then_some(pasted)
}

/// Suggested contracts, pasted into the source, are enough for the proof with contracts alone.
#[test]
fn suggested_contracts_prove_what_they_are_for() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/invariants");
    let scratch = vergo_testkit::host_c::Scratch::new("suggested").unwrap();
    let mut proved = Vec::new();
    let mut short = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let said = check(&path, &["--suggest"]);
        let source = std::fs::read_to_string(&path).expect("a file");
        let Some(pasted) = with_suggestions(&source, &said) else {
            short.push((name, said, String::new()));
            continue;
        };
        scratch.write(&name, &pasted).unwrap();
        let answer = check(&scratch.path(&name), &["--apply-loop-contracts"]);
        match answer.ends_with("RESULT: true\n") {
            true => proved.push(name),
            false => short.push((name, said, answer)),
        }
    }
    assert!(proved.len() >= 8, "{short:#?}");
}

/// Small programs with loops: a name, the body, what holds after it, and what does not.
const SMALL: &[(&str, &str, &str, &str)] = &[
    (
        "count_up",
        "int i = 0, n = nondet_int(); if (n < 0) return 0;\n    while (i < n) {\n        i++;\n    }",
        "i == n",
        "i < n",
    ),
    (
        "count_down",
        "int i = nondet_int(); if (i < 0) return 0;\n    while (i > 0) {\n        i--;\n    }",
        "i == 0",
        "i == 1",
    ),
    (
        "in_step",
        "int x = 0, y = 0;\n    while (nondet_int() && x < 1000000) {\n        x++;\n        y++;\n    }",
        "x == y",
        "x > y",
    ),
    (
        "twice",
        "int x = 0, y = 0;\n    while (nondet_int() && x < 1000000) {\n        x++;\n        y += 2;\n    }",
        "y == 2 * x",
        "y == 3 * x",
    ),
    (
        "constant_sum",
        "int x = nondet_int(), y = 0; if (x < 0 || x > 1000000) return 0;\n    int z = x;\n    while (x > 0) {\n        x--;\n        y++;\n    }",
        "y == z",
        "y == z + 1",
    ),
    (
        "at_most_ten_each",
        "unsigned s = 0, i = 0, n = nondet_uint(); if (n > 100000) return 0;\n    while (i < n) {\n        unsigned d = nondet_uint() % 10;\n        s += d;\n        i++;\n    }",
        "s <= 9 * i",
        "s <= 8 * i",
    ),
    (
        "even",
        "int x = 0;\n    while (nondet_int()) {\n        if (x < 1000000) x += 2;\n    }",
        "x % 2 == 0",
        "x % 4 == 0",
    ),
    (
        "states",
        "int state = 0;\n    while (nondet_int()) {\n        if (state == 0) state = 1;\n        else if (state == 1) state = 2;\n        else state = 0;\n    }",
        "state >= 0 && state <= 2",
        "state <= 1",
    ),
    (
        "lock",
        "int locked = 0, held = 0;\n    while (nondet_int()) {\n        if (!locked) { locked = 1; held = 1; }\n        else { locked = 0; held = 0; }\n    }",
        "locked == held",
        "locked == 0",
    ),
    (
        "saturates",
        "int level = 0;\n    while (nondet_int()) {\n        if (nondet_int()) { if (level < 100) level++; }\n        else { if (level > 0) level--; }\n    }",
        "level >= 0 && level <= 100",
        "level <= 99",
    ),
    (
        "do_once",
        "int n = 0;\n    do {\n        n++;\n    } while (n < 10 && nondet_int());",
        "n >= 1 && n <= 10",
        "n <= 9",
    ),
    (
        "ring",
        "int head = 0, count = 0;\n    while (nondet_int()) {\n        if (nondet_int()) { if (count < 8) { head++; if (head == 8) head = 0; count++; } }\n        else { if (count > 0) count--; }\n    }",
        "head < 8 && head >= 0 && count <= 8",
        "head < 7",
    ),
    (
        "digits",
        "unsigned n = nondet_uint(), digits = 0;\n    while (n > 0) {\n        n /= 10;\n        if (digits < 20) digits++;\n    }",
        "digits <= 20 && n == 0",
        "digits <= 9",
    ),
    (
        "by_threes",
        "int i = 0, n = nondet_int(); if (n < 0 || n > 1000000) return 0;\n    while (i < n) {\n        i += 3;\n    }",
        "i <= n + 2",
        "i <= n",
    ),
    (
        "first_of",
        "int i = 0, found = 0, n = nondet_int(); if (n < 0) return 0;\n    while (i < n && !found) {\n        if (nondet_int()) found = 1;\n        else i++;\n    }",
        "!found || i < n",
        "!found",
    ),
    (
        "meet",
        "int i = 0, j = nondet_int(); if (j < 0) return 0;\n    int n = j;\n    while (i < j) {\n        i++;\n        j--;\n    }",
        "i + j == n",
        "i + j == n + 1",
    ),
    (
        "halves",
        "unsigned m = 1u << 20;\n    while (nondet_int()) {\n        if (m > 1) m >>= 1;\n    }",
        "m >= 1 && m <= 1u << 20",
        "m > 1",
    ),
    (
        "timer",
        "int t = 0, late = 0;\n    while (nondet_int()) {\n        if (t < 60) t++;\n        else { t = 0; late = 1; }\n    }",
        "t <= 60 && t >= 0 && (late == 0 || late == 1)",
        "late == 0",
    ),
    (
        "brackets",
        "int open = 0, shut = 0;\n    while (nondet_int() && open < 1000000) {\n        if (nondet_int()) open++;\n        else { if (shut < open) shut++; }\n    }",
        "shut <= open",
        "shut == open",
    ),
    (
        "leaves_early",
        "int i = 0, n = nondet_int(); if (n < 0) return 0;\n    for (i = 0; i < n; i++) {\n        if (nondet_int()) break;\n    }",
        "i <= n",
        "i < n",
    ),
    (
        "index",
        "int a[100]; unsigned i = 0, n = nondet_uint(); if (n > 100) return 0;\n    while (i < n) {\n        a[i] = 0;\n        i++;\n    }",
        "i <= 100",
        "i < 100",
    ),
    (
        "two_loops",
        "int i = 0, j = 0, n = nondet_int(); if (n < 0 || n > 1000000) return 0;\n    while (i < n) {\n        i++;\n    }\n    while (j < i) {\n        j++;\n    }",
        "j == n",
        "j < n",
    ),
    (
        "search",
        "int lo = 0, hi = nondet_int(); if (hi < 0 || hi > 1000000) return 0;\n    int n = hi;\n    while (lo < hi) {\n        int mid = lo + (hi - lo) / 2;\n        if (nondet_int()) lo = mid + 1;\n        else hi = mid;\n    }",
        "lo >= 0 && lo <= n",
        "lo < n",
    ),
    (
        "positive",
        "int a = nondet_int(), b = nondet_int(); if (a <= 0 || b <= 0) return 0;\n    while (a != b) {\n        if (a > b) a -= b;\n        else b -= a;\n    }",
        "a > 0",
        "a > 1",
    ),
    (
        "nested",
        "int i = 0, j = 0, n = nondet_int(); if (n < 0 || n > 1000) return 0;\n    while (i < n) {\n        j = 0;\n        while (j < i) {\n            j++;\n        }\n        i++;\n    }",
        "i == n && j <= n",
        "j == n",
    ),
    (
        "queue",
        "struct { int size; int most; } q = { 0, nondet_int() }; if (q.most < 1) return 0;\n    while (nondet_int()) {\n        if (q.size < q.most) q.size++;\n        else q.size = 0;\n    }",
        "q.size <= q.most && q.size >= 0",
        "q.size < q.most",
    ),
    (
        "modulo",
        "unsigned at = 0;\n    while (nondet_int()) {\n        at = (at + 1) % 16;\n    }",
        "at < 16",
        "at < 15",
    ),
    (
        "signs",
        "int x = nondet_int(); if (x < -1000 || x > 1000) return 0;\n    while (x != 0) {\n        if (x > 0) x--;\n        else x++;\n    }",
        "x == 0",
        "x != 0",
    ),
    (
        "largest",
        "int m = 0, i = 0;\n    while (i < 1000) {\n        int v = nondet_int();\n        if (v >= 0 && v <= 500 && v > m) m = v;\n        i++;\n    }",
        "m >= 0 && m <= 500",
        "m < 500",
    ),
    (
        "credits",
        "int money = 10, goods = 0;\n    while (nondet_int()) {\n        if (money > 0) { money--; goods++; }\n        else { money += goods; goods = 0; }\n    }",
        "money + goods == 10",
        "money == 10",
    ),
];

/// Suggestions for small programs prove what holds and nothing else: of all programs where long tests are asked for, of some otherwise.
#[test]
fn suggestions_for_small_programs_prove_what_holds() {
    let scratch = vergo_testkit::host_c::Scratch::new("small-loops").unwrap();
    let is_long = vergo_testkit::environment::slow();
    let step = if is_long { 1 } else { 6 };
    let program = |body: &str, claim: &str| {
        format!(
            "extern void abort(void);\nextern int nondet_int(void);\nextern unsigned nondet_uint(void);\nvoid reach_error(void) {{}}\n\
             int main(void) {{\n    {body}\n    if (!({claim})) {{ reach_error(); abort(); }}\n    return 0;\n}}\n"
        )
    };
    let mut n_proved = 0;
    let mut short = Vec::new();
    for (name, body, holds, fails) in SMALL.iter().step_by(step) {
        let (file, twin) = (format!("{name}.c"), format!("{name}.bad.c"));
        let source = program(body, holds);
        scratch.write(&file, &source).unwrap();
        let said = check(&scratch.path(&file), &["--suggest"]);
        let Some(pasted) = with_suggestions(&source, &said) else {
            short.push((name, said));
            continue;
        };
        scratch.write(&file, &pasted).unwrap();
        let wrong = pasted.replace(&format!("if (!({holds}))"), &format!("if (!({fails}))"));
        scratch.write(&twin, &wrong).unwrap();
        let answer = check(&scratch.path(&twin), &["--apply-loop-contracts"]);
        assert!(!answer.ends_with("RESULT: true\n"), "{wrong}");
        let answer = check(&scratch.path(&file), &["--apply-loop-contracts"]);
        match answer.ends_with("RESULT: true\n") {
            true => n_proved += 1,
            false => short.push((name, answer)),
        }
    }
    assert!(n_proved * 5 >= SMALL.len().div_ceil(step) * 4, "{short:#?}");
}

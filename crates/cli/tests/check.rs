//! `vergo check` from outside: hostile input, limits, output files, task definitions, and harnesses that fail for real.

mod tool;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use vergo_testkit::environment::{shared_or_skip, skip, slow_or_skip};
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::process::{Finished, run};
use vergo_testkit::programs::ENDLESS;

fn check(arguments: &[&str], folder: &Path) -> Finished {
    tool::vergo(folder, &[&["check"], arguments].concat(), b"")
}

fn last_line(finished: &Finished) -> String {
    finished.stdout_text().lines().last().unwrap_or_default().to_owned()
}

const SAFE: &str = "int main(void) { return 0; }\n";

#[test]
fn hostile_input_has_a_message_and_status_2() {
    let folder = Scratch::new("check-hostile").unwrap();
    folder.write("no_main.c", "int f(void) { return 1; }\n").unwrap();
    folder.write("not_c.c", "Dear reader, this is no program.\n").unwrap();
    folder.write("binary.c", [0u8; 500]).unwrap();
    folder.write("empty.c", "").unwrap();
    folder.write("broken.yml", "format_version: '2.0'\ninput_files: [").unwrap();
    folder.write("no_task.yml", "key: value\n").unwrap();
    folder.write("unknown.prp", "CHECK( init(main()), LTL(G nonsense) )\n").unwrap();
    folder.write("safe.c", SAFE).unwrap();
    std::fs::create_dir(folder.path("folder.c")).unwrap();
    for arguments in [
        &["no_main.c"][..],
        &["not_c.c"],
        &["binary.c"],
        &["empty.c"],
        &["missing.c"],
        &["folder.c"],
        &["broken.yml"],
        &["no_task.yml"],
        &["--property", "unknown.prp", "safe.c"],
        &["--property", "missing.prp", "safe.c"],
        &["--property", "nonsense", "safe.c"],
        &["--json", "no/such/folder/report.json", "safe.c"],
        &["--sarif", "folder.c", "safe.c"],
        &["--harness", "safe.c", "safe.c"],
        &["--engine", "nonsense", "safe.c"],
        &["--trace", "nonsense", "safe.c"],
    ] {
        let finished = check(arguments, folder.folder());
        let (out, err) = (finished.stdout_text(), finished.stderr_text());
        assert_eq!(finished.code(), Some(2), "{arguments:?}\n{out}{err}");
        assert!(!out.contains("RESULT"), "{arguments:?}\n{out}");
        assert!(err.len() > 20, "{arguments:?}: {err}");
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
    }
    let left: Vec<_> = std::fs::read_dir(folder.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains("part") || name.contains("report"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A program for each phase that can take long: it must end there when the time is up.
fn slow_programs() -> Vec<(&'static str, String)> {
    let cases: String = (0..1_200_000).map(|i| format!("case {i}: y = {};\n", i % 97)).collect();
    let head = "int nondet_int(void); void reach_error(void) {}";
    let bits = "unsigned long a = nondet_int(), b = nondet_int(), c = 1;";
    let product = "c = c * (a ^ c) * (b + c) + c / (b | 1);".repeat(2000);
    vec![
        ("search", ENDLESS.to_owned()),
        (
            "front_end",
            format!(
                "{head} int main(void) {{ int y = 0; switch (nondet_int()) {{ {cases} }} return y; }}"
            ),
        ),
        (
            "execution",
            format!(
                "{head} int f(int n) {{ if (n < 2) return n; return f(n - 1) + f(n - 2); }}
                 int main(void) {{ if (f(45) == 3) reach_error(); return 0; }}"
            ),
        ),
        (
            "clauses",
            format!(
                "{head} int main(void) {{ {bits} {product} if (c == 77) reach_error(); return 0; }}"
            ),
        ),
        (
            "replay",
            format!(
                "{head} int main(void) {{ unsigned long i = 0; int x = nondet_int();
                 while (i < 4000000000) i += 1; if (x == 7) reach_error(); return 0; }}"
            ),
        ),
    ]
}

#[test]
fn limits_are_kept_within_a_second() {
    let folder = Scratch::new("check-limits").unwrap();
    for (name, program) in slow_programs() {
        let file = format!("{name}.c");
        folder.write(&file, program).unwrap();
        // Others may use the machine: what counts is that it can be done.
        let mut times = Vec::new();
        while times.len() < 4 && times.last().is_none_or(|time| *time >= Duration::from_secs(2)) {
            let start = Instant::now();
            // A slice would leave the long loop out.
            let common = ["--engine", "bmc-incremental", "--property", "unreach-call"];
            let arguments = [&common[..], &["--slice=never", "--timeout", "1", &file]].concat();
            let finished = check(&arguments, folder.folder());
            times.push(start.elapsed());
            assert!(last_line(&finished).starts_with("RESULT: unknown(timeout"), "{name}");
            assert_eq!(finished.code(), Some(20), "{name}");
        }
        let best = times.iter().min().copied().unwrap_or_default();
        assert!(best < Duration::from_secs(2), "{name}: {times:?}");
    }
    let finished = check(
        &["--engine", "bmc-incremental", "--memory", "40", "--timeout", "60", "search.c"],
        folder.folder(),
    );
    assert_eq!(last_line(&finished), "RESULT: unknown(memout)");
}

/// The system ends a process that has used up its processor's time; it answers before.
#[test]
fn an_answer_comes_before_the_processor_is_taken_away() {
    let folder = Scratch::new("check-processor").unwrap();
    folder.write("slow.c", ENDLESS).unwrap();
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -t 2; exec \"$0\" check --engine bmc-incremental --property unreach-call slow.c",
        env!("CARGO_BIN_EXE_vergo"),
    ]);
    command.current_dir(folder.folder());
    let finished = run(&mut command, b"", Duration::from_secs(60)).unwrap();
    assert_eq!(last_line(&finished), "RESULT: unknown(timeout)");
    assert_eq!(finished.code(), Some(20));
}

/// Programs of hostile size have an answer within the limits, whatever it is.
#[test]
fn hostile_sizes_have_an_answer() {
    let name = "hostile_sizes_have_an_answer";
    if !slow_or_skip(name) {
        return;
    }
    let folder = Scratch::new("check-sizes").unwrap();
    let head = "int nondet_int(void); void reach_error(void) {} void *malloc(unsigned long);";
    let cases: String = (0..1_000_000).map(|i| format!("case {i}: y = {};\n", i % 97)).collect();
    let values: Vec<String> = (0..1_800_000u64).map(|i| (i * 7919 % 100_000).to_string()).collect();
    let values = values.join(",");
    let programs = [
        ("switch", format!("int main(void) {{ int y = 0; switch (nondet_int()) {{ {cases} }} return y; }}")),
        (
            "initialiser",
            format!("int a[] = {{ {values} }}; int main(void) {{ if (a[77] != 9763) reach_error(); return 0; }}"),
        ),
        (
            "recursion",
            "int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; } int main(void) { return f(90000); }".to_owned(),
        ),
        ("endless", "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }".to_owned()),
        (
            "cyclic",
            "struct n { struct n *next; }; int main(void) { struct n *h = malloc(sizeof *h); h->next = h;
             while (nondet_int()) { struct n *k = malloc(sizeof *k); k->next = h->next; h->next = k; }
             struct n *p = h; do p = p->next; while (p != h); return 0; }"
                .to_owned(),
        ),
        ("nested", format!("int main(void) {{ return {}1{}; }}", "(".repeat(200_000), ")".repeat(200_000))),
        ("blocks", format!("int main(void) {{ {}{} }}", "{".repeat(100_000), "}".repeat(100_000))),
        ("conditions", format!("int main(void) {{ {};}}", "if (nondet_int()) ".repeat(100_000))),
        ("pointer", format!("int main(void) {{ int {}p; return 0; }}", "*".repeat(10_000))),
        ("line", format!("int main(void) {{ int x = 0; {} return 0; }}", "x ^= 1;".repeat(150_000))),
        (
            "functions",
            (0..1_000_000).map(|i| format!("void f{i}(void) {{}}\n")).collect::<String>() + SAFE,
        ),
        (
            "locals",
            format!(
                "int main(void) {{ {} return 0; }}",
                (0..1_000_000).map(|i| format!("int x{i};")).collect::<String>()
            ),
        ),
        (
            "structures",
            (1..1000)
                .map(|i| format!("struct s{i} {{ struct s{} a; }};\n", i - 1))
                .fold("struct s0 { int x; };\n".to_owned(), |all, one| all + &one)
                + "int main(void) { struct s999 s; return 0; }",
        ),
        (
            "macros",
            (0..30)
                .map(|i| format!("#define a{} a{i} a{i}\n", i + 1))
                .fold("\n#define a0 x\n".to_owned(), |all, one| all + &one)
                + "int main(void) { a30; }",
        ),
        ("inclusion", "\n#include \"inclusion.c\"\nint main(void) { return 0; }".to_owned()),
        ("prose", "Dear reader, ".repeat(800_000)),
    ];
    for (name, program) in programs {
        let file = format!("{name}.c");
        folder.write(&file, format!("{head}\n{program}\n")).unwrap();
        let start = Instant::now();
        let arguments =
            ["--property", "unreach-call", "--timeout", "10", "--memory", "4000", &file];
        let finished = check(&arguments, folder.folder());
        let answered = match finished.code() {
            Some(0 | 10 | 20) => last_line(&finished).starts_with("RESULT: "),
            Some(2) => finished.stderr_text().len() > 20,
            _ => false,
        };
        let err = finished.stderr_text();
        assert!(answered && !err.contains("panicked"), "{name}: {:?}\n{err}", finished.code());
        assert!(start.elapsed() < Duration::from_secs(15), "{name}: {:?}", start.elapsed());
    }
}

/// Large constant tables that are read at unknown indices are decided in time.
#[test]
fn large_tables_have_verdicts() {
    if !slow_or_skip("large_tables_have_verdicts") {
        return;
    }
    let folder = Scratch::new("check-tables").unwrap();
    let head = "int nondet_int(void); void reach_error(void) {}";
    let values: Vec<String> = (0..2_500_000u64).map(|i| (i * 7919 % 997).to_string()).collect();
    let text = "the quick brown fox ".repeat(500_000);
    let read = "int main(void) { unsigned i = nondet_int();
                if (i < sizeof a / sizeof *a && a[i] == WRONG) reach_error(); return 0; }";
    let programs = [
        (format!("static const int a[] = {{ {} }}; {read}", values.join(",")), "996"),
        (format!("static char a[] = \"{text}\"; {read}"), "'x'"),
    ];
    for (program, wrong) in programs {
        for engine in ["portfolio", "bmc-incremental"] {
            for (number, verdict) in
                [("1000", "RESULT: true"), (wrong, "RESULT: false(unreach-call)")]
            {
                let program = program.replace("WRONG", number);
                folder.write("a.c", format!("{head}\n{program}\n")).unwrap();
                let arguments =
                    ["--engine", engine, "--property", "unreach-call", "--timeout", "10", "a.c"];
                assert_eq!(
                    last_line(&check(&arguments, folder.folder())),
                    verdict,
                    "{engine} {number}"
                );
            }
        }
    }
}

/// Statistics are printed however the check ends.
#[test]
fn statistics_are_printed_when_time_is_up() {
    let folder = Scratch::new("check-statistics").unwrap();
    folder.write("endless.c", ENDLESS).unwrap();
    let arguments = ["--engine", "bmc-incremental", "--stats", "--timeout", "1", "endless.c"];
    let finished = check(&arguments, folder.folder());
    let out = finished.stdout_text();
    assert_eq!(last_line(&finished), "RESULT: unknown(timeout)", "{out}");
    assert!(out.contains("Statistics") && out.contains("  total  "), "{out}");
}

/// Shapes that are hostile when they are large have the right verdict when they are not: each is safe, and its twin with
/// another number is not.
#[test]
fn shapes_of_hostile_input_have_verdicts() {
    let folder = Scratch::new("check-shapes").unwrap();
    let head = "int nondet_int(void); void reach_error(void) {}";
    let cases: String = (0..5000).map(|i| format!("case {i}: y = {}; break;\n", i % 97)).collect();
    let through: String = (0..500).map(|i| format!("case {i}: y = {};\n", i % 97)).collect();
    let values: Vec<String> = (0..2000u64).map(|i| (i * 7919 % 100_000).to_string()).collect();
    let values = values.join(",");
    let table: Vec<String> = (0..50_000u64).map(|i| (i * 7919 % 997).to_string()).collect();
    let table = table.join(",");
    let text = "the quick brown fox ".repeat(2000);
    let rows: Vec<String> =
        (0..9).map(|i| format!("{{ {{ {i}, {i}, {i}, {i} }}, 1000 }}")).collect();
    let rows = rows.join(",");
    // The programs, and the number that makes them wrong; 1000 does not.
    let programs = [
        (
            "switch",
            format!(
                "int main(void) {{ int y = 0; switch (nondet_int()) {{ {cases} }}
                 if (y == WRONG) reach_error(); return 0; }}"
            ),
            "96",
        ),
        (
            "fall_through",
            format!(
                "int main(void) {{ int y = 0; switch (nondet_int()) {{ {through} }}
                 if (y == WRONG) reach_error(); return 0; }}"
            ),
            "14",
        ),
        (
            "initialiser",
            format!(
                "int a[] = {{ {values} }}; int main(void) {{ int i = nondet_int();
                 if (i == 77 && a[i] + a[1999] == WRONG) reach_error(); return 0; }}"
            ),
            "39844",
        ),
        (
            "table",
            format!(
                "static const int a[] = {{ {table} }}; int main(void) {{ unsigned i = nondet_int();
                 if (i < 50000 && a[i] == WRONG) reach_error(); return 0; }}"
            ),
            "996",
        ),
        (
            "text",
            format!(
                "char a[] = \"{text}\"; int main(void) {{ unsigned i = nondet_int();
                 if (i < sizeof a && a[i] == WRONG) reach_error(); return 0; }}"
            ),
            "'x'",
        ),
        (
            "arrays_in_structures",
            format!(
                "struct s {{ int a[4]; int b; }} t[] = {{ {rows} }}; int main(void) {{
                 unsigned i = nondet_int(), j = nondet_int();
                 if (i < 9 && j < 4 && t[i].a[j] + 100 * i == WRONG) reach_error(); return 0; }}"
            ),
            "808",
        ),
        (
            "recursion",
            "int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; }
             int main(void) { if (f(1500) + 77 == WRONG) reach_error(); return 0; }"
                .to_owned(),
            "1577",
        ),
        (
            "cyclic",
            "struct n { struct n *next; int v; }; extern struct n a; struct n b = { &a, 1 }, a = { &b, 2 };
             int main(void) { struct n *p = &a; for (int i = 0; i < 999; i++) p = p->next;
             if (nondet_int()) p = p->next; if (p->v == WRONG) reach_error(); return 0; }"
                .to_owned(),
            "2",
        ),
    ];
    for (name, program, wrong) in programs {
        for (number, verdict, code) in
            [("1000", "RESULT: true", 0), (wrong, "RESULT: false(unreach-call)", 10)]
        {
            let program = program.replace("WRONG", number);
            folder.write("a.c", format!("{head}\n{program}\n")).unwrap();
            let common = ["--engine", "bmc-incremental", "--property", "unreach-call", "a.c"];
            let finished = check(&common, folder.folder());
            assert_eq!(last_line(&finished), verdict, "{name} {number}");
            assert_eq!(finished.code(), Some(code), "{name} {number}");
        }
    }
}

#[test]
fn loops_are_listed_and_have_bounds_of_their_own() {
    let folder = Scratch::new("check-loops").unwrap();
    let program = |limit: u32| {
        format!(
            "unsigned nondet_uint(void); void reach_error(void) {{}}
unsigned count(unsigned n) {{
    unsigned i = 0;
    while (i < n)
        i++;
    return i;
}}
int main(void) {{
    unsigned n = nondet_uint(), total = 0;
    if (n > 9)
        return 0;
    for (unsigned i = 0; i < 3 && i < n; i++)
        total += 2;
    if (count(n) + total > {limit})
        reach_error();
    return 0;
}}
"
        )
    };
    folder.write("safe.c", program(15)).unwrap();
    folder.write("unsafe.c", program(14)).unwrap();
    let listed = check(&["--show-loops", "safe.c"], folder.folder());
    assert_eq!(listed.code(), Some(0), "{}", listed.stderr_text());
    let out = listed.stdout_text();
    let names: Vec<&str> = out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(names, ["count.0", "main.0"], "{out}");
    assert!(out.contains("safe.c:"), "{out}");
    let result = |arguments: &[&str]| {
        let common = ["--property", "unreach-call", "--engine", "bmc", "--unwind", "3"];
        last_line(&check(&[&common[..], arguments].concat(), folder.folder()))
    };
    assert_eq!(result(&["safe.c"]), "RESULT: unknown(the bound is too small)");
    assert_eq!(result(&["--unwindset", "count.0:10", "safe.c"]), "RESULT: true");
    assert_eq!(result(&["--unwindset", "count.0:10", "unsafe.c"]), "RESULT: false(unreach-call)");
    assert_eq!(
        result(&["--unwindset", "count.0:5,main.0:4", "safe.c"]),
        "RESULT: unknown(the bound of a loop is too small)"
    );
    let wrong = check(&["--unwindset", "count.1:5", "safe.c"], folder.folder());
    assert_eq!(wrong.code(), Some(2));
    assert!(wrong.stderr_text().contains("`count` has count.0"), "{}", wrong.stderr_text());
    assert!(wrong.stderr_text().contains("--show-loops"), "{}", wrong.stderr_text());
}

#[test]
fn claims_are_the_same_with_sliced_assumptions() {
    let folder = Scratch::new("check-slicing").unwrap();
    let program = |limit: u32| {
        format!(
            "unsigned nondet_uint(void); void __VERIFIER_assume(int); void reach_error(void) {{}}
             int main(void) {{
                 unsigned x = nondet_uint(), y = nondet_uint(), z = nondet_uint();
                 __VERIFIER_assume(z * z == 49 && z > 3);
                 __VERIFIER_assume(x < 10);
                 __VERIFIER_assume(y < x);
                 if (y > {limit}) reach_error();
                 if (z % 2 == 0 && x == 77) reach_error();
                 return 0; }}"
        )
    };
    folder.write("safe.c", program(8)).unwrap();
    folder.write("unsafe.c", program(7)).unwrap();
    for engine in ["bmc", "bmc-incremental"] {
        let result = |file: &str| {
            let common = ["--property", "unreach-call", "--engine", engine, "--slice-assumptions"];
            last_line(&check(&[&common[..], &[file]].concat(), folder.folder()))
        };
        assert_eq!(result("safe.c"), "RESULT: true");
        assert_eq!(result("unsafe.c"), "RESULT: false(unreach-call)");
    }
}

#[test]
fn tasks_are_read_from_their_definition() {
    let folder = Scratch::new("check-task").unwrap();
    let text = "void reach_error(void) {} int main(void) { if (sizeof(long) == 4) reach_error(); return 0; }\n";
    folder.write("a.i", text).unwrap();
    folder
        .write("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        .unwrap();
    folder.write("no-overflow.prp", "CHECK(init(main()),LTL(G!overflow))\n").unwrap();
    let task = |model: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: unreach-call.prp\n    \
             expected_verdict: false\n  - property_file: no-overflow.prp\noptions:\n  language: C\n  data_model: {model}\n"
        )
    };
    folder.write("small.yml", task("ILP32")).unwrap();
    folder.write("large.yml", task("LP64")).unwrap();
    let result = |arguments: &[&str]| last_line(&check(arguments, folder.folder()));
    let reach = ["--property", "unreach-call"];
    assert_eq!(result(&[&reach[..], &["small.yml"]].concat()), "RESULT: false(unreach-call)");
    assert_eq!(result(&[&reach[..], &["large.yml"]].concat()), "RESULT: true");
    assert_eq!(
        result(&[&reach[..], &["small.yml", "--data-model", "LP64"]].concat()),
        "RESULT: true"
    );
    assert_eq!(result(&["--property", "no-overflow", "small.yml"]), "RESULT: true");
    let several = check(&["small.yml"], folder.folder());
    assert_eq!(several.code(), Some(2));
    assert!(
        several.stderr_text().contains("unreach-call, no-overflow"),
        "{}",
        several.stderr_text()
    );
}

#[test]
fn result_strings_are_those_of_sv_comp() {
    let folder = Scratch::new("check-strings").unwrap();
    let head = "void *malloc(unsigned long); void free(void *); int nondet_int(void); void reach_error(void) {}\n";
    for (property, body, result) in [
        ("unreach-call", "reach_error();", "false(unreach-call)"),
        ("no-overflow", "return nondet_int() + 1;", "false(no-overflow)"),
        ("valid-memsafety", "int *p = 0; *p = 1;", "false(valid-deref)"),
        ("valid-memsafety", "int x; free(&x);", "false(valid-free)"),
        ("valid-memsafety", "int *p = malloc(4); p = 0;", "false(valid-memtrack)"),
        ("valid-memcleanup", "static int *p; p = malloc(4);", "false(valid-memcleanup)"),
        ("valid-memsafety", "int *p = malloc(4); *p = 1; free(p);", "true"),
        ("termination", "while (1);", "false(termination)"),
    ] {
        folder.write("a.c", format!("{head}int main(void) {{ {body} return 0; }}\n")).unwrap();
        let finished = check(&["--property", property, "a.c"], folder.folder());
        assert_eq!(last_line(&finished), format!("RESULT: {result}"), "{property}: {body}");
    }
}

#[test]
fn proofs_are_files_that_the_checker_accepts() {
    let folder = Scratch::new("check-proof").unwrap();
    let text = "unsigned nondet_uint(void); void __VERIFIER_assert(int); int main(void) {
        unsigned x = nondet_uint(), y = nondet_uint(), z = nondet_uint();
        if (x < y && y < z) __VERIFIER_assert(x < z); return 0; }";
    folder.write("a.c", text).unwrap();
    let finished = check(&["--certify", "out", "a.c"], folder.folder());
    assert_eq!(finished.code(), Some(0), "{}", finished.stderr_text());
    assert!(finished.stderr_text().contains("was read back and accepted"));
    let formula = std::fs::read_to_string(folder.path("out/proof.cnf")).unwrap();
    assert!(formula.starts_with("p cnf "), "{formula}");
}

/// Programs of our own with the property that each violates.
const UNSAFE: &[(&str, &str)] = &[
    ("reach.error", "if (nondet_int() == 1234567) reach_error();"),
    ("user.assert", "__VERIFIER_assert(nondet_uchar() != 77);"),
    ("arith.signed-overflow", "int x = nondet_int(); if (x > 0) return x * 3 > 7;"),
    ("arith.division-by-zero", "int x = nondet_int(); return 10 / (x - 3);"),
    ("arith.shift", "int x = nondet_int(); if (x > 20) return 1 << x;"),
    ("memory.null", "int *p = nondet_int() > 5 ? &(int){ 1 } : (int *)0; return *p;"),
    (
        "memory.bounds",
        "char *p = malloc(8); int i = nondet_int(); if (i >= 0 && i < 10) p[i] = 1; free(p);",
    ),
    (
        "memory.lifetime",
        "int *p = malloc(4); *p = 1; if (nondet_double() > 2.5) free(p); *p = 2; free(p);",
    ),
    (
        "memory.double-free",
        "char *p = malloc(3); if (nondet_long() < -5000000000) free(p); free(p);",
    ),
    ("memory.invalid-free", "int x = nondet_int(); int *p = &x; if (x == 9) free(p);"),
    ("memory.cleanup", "static int *p; p = malloc(4); if (nondet_int() != 8) free(p);"),
    ("memory.leak", "char *p = malloc(3); if (nondet_ushort() == 40000) p = 0; free(p);"),
    // The compiler must not compute with the constants first.
    ("arith.signed-overflow", "int x = 65536 * 32768 - 1; return x == nondet_int();"),
    ("arith.signed-overflow", "int x = nondet_int(); if (x < 0) return (x - 1) + 23;"),
    // The arguments of `main` are no inputs that a function returns.
    ("reach.error", "if (argc == 77 && nondet_int() == 5) reach_error();"),
    ("reach.error", "if (argc > 2 && argv[2][0] == 'x' && nondet_int() == 5) reach_error();"),
    // What nobody has written is something else than zero, or zero.
    ("reach.error", "int a[9]; int i = nondet_uchar() % 9; if (a[i] != 0) reach_error();"),
    ("reach.error", "int *p = malloc(nondet_uchar() + 4); if (*p != 0) reach_error(); free(p);"),
    ("reach.error", "int a[9]; int i = nondet_uchar() % 9; if (a[i] == 0) reach_error();"),
    // The error function is not what the test is about.
    ("memory.cleanup", "int *p = malloc(4); if (nondet_int() == 8) __VERIFIER_error(); free(p);"),
    ("memory.cleanup", "int *p = malloc(4); reach_error(); if (nondet_int() != 8) free(p);"),
];

#[test]
fn harnesses_fail_as_predicted() {
    let Some(host) = HostC::find() else {
        return skip("harnesses_fail_as_predicted", "there is no gcc");
    };
    drop(host);
    let folder = Scratch::new("check-harness").unwrap();
    let head = "void *malloc(unsigned long); void free(void *); void reach_error(void) {}\n\
        int nondet_int(void); unsigned char nondet_uchar(void); long nondet_long(void); double nondet_double(void);\n\
        unsigned short nondet_ushort(void); void __VERIFIER_assert(int);\n\
        void __VERIFIER_error(void) __attribute__((__noreturn__));\n";
    for (property, body) in UNSAFE {
        folder
            .write("a.c", format!("{head}int main(int argc, char **argv) {{ {body} return 0; }}\n"))
            .unwrap();
        let out = format!("out-{property}");
        let arguments = ["--property", property, "--violations", "first", "--harness", &out, "a.c"];
        let finished = check(&arguments, folder.folder());
        assert_eq!(last_line(&finished), format!("RESULT: false({property})"), "{body}");
        let failure = fails_for_real(&folder.path(&out), property);
        assert_eq!(failure, Ok(()), "{property}: {body}");
    }
}

/// Builds and runs a harness; an error says what was not as predicted.
fn fails_for_real(folder: &Path, property: &str) -> Result<(), String> {
    let text =
        std::fs::read_to_string(folder.join("harness.c")).map_err(|error| error.to_string())?;
    let line =
        text.lines().find(|line| line.trim_start().starts_with("gcc ")).ok_or("no command")?;
    let line = line.trim().trim_end_matches(" && ./test");
    let mut words = line.split_whitespace();
    let mut compiler = Command::new(words.next().unwrap_or_default());
    compiler.args(words).current_dir(folder);
    let built =
        run(&mut compiler, b"", Duration::from_secs(60)).map_err(|error| error.to_string())?;
    if !built.success() {
        return Err(format!("does not compile: {}", built.stderr_text()));
    }
    let mut test = Command::new(folder.join("test"));
    test.current_dir(folder);
    let finished =
        run(&mut test, b"", Duration::from_secs(20)).map_err(|error| error.to_string())?;
    let (code, err) = (finished.code(), finished.stderr_text());
    let expected = match property {
        "reach.error" => code == Some(10) && err.contains("the error function is called"),
        "memory.cleanup" => code == Some(10) && err.contains("memory is not freed"),
        _ => code != Some(0) && code != Some(20),
    };
    if expected { Ok(()) } else { Err(format!("ended with {code:?}: {err}")) }
}

/// For programs of others that Vergo finds to be wrong, the harness shows it for real.
#[test]
fn harnesses_of_external_programs_fail_as_predicted() {
    let name = "harnesses_of_external_programs_fail_as_predicted";
    let (true, Some(shared)) = (slow_or_skip(name), shared_or_skip(name)) else { return };
    let manifest = shared.join("bench/manifest.csv");
    let Ok(text) = std::fs::read_to_string(&manifest) else {
        return skip(name, "there is no manifest");
    };
    let folder = Scratch::new("check-external").unwrap();
    let (mut good, mut bad) = (0, Vec::new());
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |key: &str| header.iter().position(|name| *name == key);
    let (Some(file), Some(property), Some(expected), Some(model)) =
        (column("file"), column("property"), column("expected"), column("model"))
    else {
        return skip(name, "the manifest has other columns");
    };
    let mut n_wrong = 0;
    for (i, line) in lines.enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let get = |column: usize| fields.get(column).copied().unwrap_or_default();
        if !get(expected).starts_with("false")
            || matches!(get(property), "termination" | "no-data-race")
        {
            continue;
        }
        // Every third, so that many kinds of programs are among them.
        n_wrong += 1;
        if n_wrong % 3 != 0 {
            continue;
        }
        if good + bad.len() >= 50 {
            break;
        }
        let out = format!("out{i}");
        let path = shared.join("bench").join(get(file));
        let path = path.to_str().unwrap_or_default();
        let model = if get(model).is_empty() { "ILP32" } else { get(model) };
        let arguments = [
            "--property",
            get(property),
            "--data-model",
            model,
            "--timeout",
            "10",
            "--json",
            "report.json",
            "--harness",
            &out,
            path,
        ];
        let finished = check(&arguments, folder.folder());
        if finished.code() != Some(10) {
            continue;
        }
        let report = std::fs::read_to_string(folder.path("report.json")).unwrap_or_default();
        let violated = report.split("\"counterexamples\"").nth(1).unwrap_or_default();
        let violated = violated.split("\"property\": \"").nth(1).unwrap_or_default();
        let violated = violated.split('"').next().unwrap_or_default();
        match fails_for_real(&folder.path(&out), violated) {
            Ok(()) => good += 1,
            Err(message) => bad.push(format!("{} {violated}: {message}", get(file))),
        }
    }
    // What the measurement says is of interest also when it passes.
    #[expect(clippy::print_stdout, reason = "a measurement")]
    {
        println!("{good} harnesses failed as predicted, {} did not: {bad:#?}", bad.len());
    }
    assert!(good >= 24 * bad.len(), "{bad:#?}");
}

#[test]
fn the_benchexec_module_passes_its_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/benchexec");
    let mut python = Command::new("python3");
    python.args(["-B", "-m", "unittest"]).current_dir(folder);
    match run(&mut python, b"", Duration::from_secs(60)) {
        Ok(finished) => assert!(finished.success(), "{}", finished.stderr_text()),
        Err(_) => skip("the_benchexec_module_passes_its_tests", "there is no python3"),
    }
}

#[test]
fn true_does_not_rest_on_what_assembly_does_unless_that_is_allowed() {
    let folder = Scratch::new("check-assembly").unwrap();
    let program = |call: &str| {
        format!(
            "void reach_error(void) {{}}
             static int twice(int x) {{ int y; __asm__(\"add %1, %0\" : \"=r\"(y) : \"r\"(x)); return y; }}
             static int load(int *p) {{ int y; __asm__(\"mov (%1), %0\" : \"=r\"(y) : \"r\"(p)); return y; }}
             int main(void) {{ int one = 1; {call} if (one != 1) reach_error(); return 0; }}
"
        )
    };
    let result = |arguments: &[&str]| {
        let fixed = ["--property", "unreach-call", "a.c"];
        check(&[arguments, &fixed[..]].concat(), folder.folder())
    };
    // Instructions on operands alone can be relied on.
    folder.write("a.c", program("twice(one);")).unwrap();
    let finished = result(&[]);
    assert_eq!(last_line(&finished), "RESULT: true", "{finished:?}");
    assert!(finished.stderr_text().contains("its outputs get any values"), "{finished:?}");
    folder.write("a.c", program("load(&one);")).unwrap();
    let finished = result(&[]);
    assert!(last_line(&finished).starts_with("RESULT: unknown(it would be true"), "{finished:?}");
    let finished = result(&["--allow", "assembly"]);
    assert_eq!(last_line(&finished), "RESULT: true", "{finished:?}");
    assert!(finished.stderr_text().contains("assumed: "), "{finished:?}");
    // A statement without outputs leaves no trace in the program, and counts all the same.
    folder.write("a.c", program("__asm__(\"int3\");")).unwrap();
    assert!(last_line(&result(&[])).starts_with("RESULT: unknown"));
    // It counts behind any number of other warnings.
    let many = "{ int y; __asm__(\"nop\" : \"=r\"(y)); }\n".repeat(220);
    folder.write("a.c", program(&format!("{many} load(&one);"))).unwrap();
    assert!(last_line(&result(&[])).starts_with("RESULT: unknown"));
    folder.write("a.c", program(&many)).unwrap();
    assert_eq!(last_line(&result(&[])), "RESULT: true");
    // What is never called is not relied on.
    folder.write("a.c", program("")).unwrap();
    assert_eq!(last_line(&result(&[])), "RESULT: true");
}

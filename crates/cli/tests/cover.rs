//! `vergo cover`: what it says is covered is what gcov sees when its tests run, and nothing that it calls unreachable is
//! ever executed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Programs, each with the goals that are covered, unreachable and unknown by statement and branch.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "absolute",
        "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0) {
        x = -x;
    }
    if (x == 7)
        return 1;
    return 0;
}
",
    ),
    (
        "dead",
        "extern unsigned char __VERIFIER_nondet_uchar(void);
static int half(int n) {
    if (n > 500)
        return -1;
    return n / 2;
}
int main(void) {
    int n = __VERIFIER_nondet_uchar();
    int h = half(n);
    if (h < 0)
        n = 0;
    if (h > 100 && n % 2 == 1)
        return h;
    return n;
}
",
    ),
    (
        "loops",
        "extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    unsigned sum = 0;
    if (n > 4)
        return 9;
    for (unsigned i = 0; i < n; i++) {
        if (i == 3)
            sum += 10;
        sum += i;
    }
    while (sum > 100)
        sum--;
    switch (sum) {
    case 0:
        return 1;
    case 3:
        return 2;
    default:
        break;
    }
    return 0;
}
",
    ),
    (
        "pointers",
        "extern int __VERIFIER_nondet_int(void);
struct cell { int value; struct cell *next; };
static int last(struct cell *c) {
    while (c->next)
        c = c->next;
    return c->value;
}
int main(void) {
    struct cell a = { 1, 0 }, b = { 2, 0 };
    if (__VERIFIER_nondet_int())
        a.next = &b;
    int v = last(&a);
    if (v == 3)
        return 3;
    if (v == 2)
        return 2;
    return 0;
}
",
    ),
];

fn vergo(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vergo"));
    command.current_dir(folder).env("NO_COLOR", "1").args(arguments);
    command.output().expect("vergo runs")
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cover-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("there is room");
    folder
}

fn shell(folder: &Path, line: &str) -> Output {
    Command::new("sh").current_dir(folder).arg("-c").arg(line).output().expect("there is a shell")
}

/// Returns the number of executions of lines, by LCOV's `DA` lines.
fn lines_of_lcov(text: &str) -> BTreeMap<u32, u64> {
    text.lines()
        .filter_map(|line| line.strip_prefix("DA:")?.split_once(','))
        .filter_map(|(line, count)| Some((line.parse().ok()?, count.parse().ok()?)))
        .collect()
}

/// The same by gcov.
fn lines_of_gcov(text: &str) -> BTreeMap<u32, u64> {
    text.lines()
        .filter_map(|line| {
            let (count, rest) = line.split_once(':')?;
            let number = rest.split(':').next()?.trim().parse().ok()?;
            let count = count.trim().trim_end_matches('*');
            match count {
                "-" => None,
                "#####" | "=====" => Some((number, 0)),
                count => Some((number, count.parse().ok()?)),
            }
        })
        .filter(|&(number, _)| number > 0)
        .collect()
}

#[test]
fn gcov_sees_what_is_said_to_be_covered() {
    for (name, text) in PROGRAMS {
        let folder = folder(name);
        fs::write(folder.join("program.c"), text).expect("it can be written");
        let said = vergo(
            &folder,
            &["cover", "--tests", "tests", "--lcov", "out.info", "--timeout", "60", "program.c"],
        );
        let output = String::from_utf8_lossy(&said.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(0), "{name}: {output}{complaint}");
        assert!(output.lines().last().is_some_and(|line| line.ends_with("0 unknown")), "{output}");
        let tests = fs::read_dir(folder.join("tests")).expect("there are tests");
        let drivers: Vec<String> = tests
            .filter_map(|file| file.ok()?.file_name().into_string().ok())
            .filter(|file| file.ends_with(".c"))
            .collect();
        assert!(!drivers.is_empty(), "{name}: no tests");
        let compiled = shell(&folder, "gcc --coverage -w -O0 -c program.c -o program.o");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        for driver in drivers {
            let line = format!(
                "gcc --coverage -w -O0 -c tests/{driver} -o test.o && gcc --coverage program.o test.o -o test -lm -lpthread && ./test; true"
            );
            let ran = shell(&folder, &line);
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        }
        let gcov =
            lines_of_gcov(&String::from_utf8_lossy(&shell(&folder, "gcov -t program.gcda").stdout));
        let said =
            lines_of_lcov(&fs::read_to_string(folder.join("out.info")).expect("it was written"));
        assert!(said.len() > 3, "{name}: {said:?}");
        for (line, count) in &said {
            let Some(seen) = gcov.get(line) else { continue };
            assert_eq!(
                *count > 0,
                *seen > 0,
                "{name}, line {line}: {count} tests, gcov {seen}\n{output}"
            );
        }
    }
}

#[test]
fn tests_run_in_the_interpreter_and_the_suite_is_one() {
    let folder = folder("suite");
    fs::write(folder.join("program.c"), PROGRAMS[0].1).expect("it can be written");
    let said = vergo(
        &folder,
        &["cover", "--criterion", "condition,mcdc,loop,call", "--tests", "tests", "program.c"],
    );
    let output = String::from_utf8_lossy(&said.stdout).into_owned();
    assert_eq!(said.status.code(), Some(0), "{output}");
    let metadata = fs::read_to_string(folder.join("tests/metadata.xml")).expect("it was written");
    assert!(metadata.contains("<entryfunction>main</entryfunction>"), "{metadata}");
    let case = fs::read_to_string(folder.join("tests/test-1.xml")).expect("it was written");
    assert!(case.contains("<input type=\"int\">"), "{case}");
    let ran = vergo(&folder, &["run", "--inputs", "tests/test-1.txt", "program.c"]);
    assert!(matches!(ran.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn what_is_not_reached_is_said_to_be_unreachable() {
    let folder = folder("unreachable");
    fs::write(folder.join("program.c"), PROGRAMS[1].1).expect("it can be written");
    let said = vergo(&folder, &["cover", "--criterion", "branch", "program.c"]);
    let output = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(output.contains("program.c:3:"), "{output}");
    assert_eq!(output.matches("unreachable: ").count(), 2, "{output}");
    // Nothing of that is reached by executions at random.
    for seed in 0..50 {
        let ran = vergo(&folder, &["run", "--trace", "--seed", &seed.to_string(), "program.c"]);
        let trace = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!trace.contains("program.c:4:") && !trace.contains("program.c:11:"), "{trace}");
    }
}

#[test]
fn bad_input_is_told() {
    let folder = folder("bad");
    fs::write(folder.join("program.c"), PROGRAMS[0].1).expect("it can be written");
    fs::write(folder.join("no_main.c"), "int f(void) { return 1; }\n").expect("it can be written");
    let cases: &[(&[&str], &str)] = &[
        (&["cover", "--criterion", "lines", "program.c"], "there is no such criterion"),
        (&["cover", "no_main.c"], "there is no function `main`"),
        (&["cover", "--tests", "program.c/tests", "program.c"], "program.c/tests"),
        (&["cover", "missing.c"], "cannot read"),
    ];
    for (arguments, message) in cases {
        let said = vergo(&folder, arguments);
        let complaint = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
    }
}

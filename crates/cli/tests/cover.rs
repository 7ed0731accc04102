//! `vergo cover`: what it says is covered is what gcov sees when its tests run, and nothing that it calls unreachable is
//! ever executed.

#![allow(clippy::print_stdout, reason = "measurements of tests are shown when asked for")]

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

/// The coverage of a program by line: executions, and of the lines with two outcomes of branches how many are taken.
#[derive(Default, Debug)]
struct Coverage {
    lines: BTreeMap<u32, u64>,
    branches: BTreeMap<u32, Vec<bool>>,
}

impl Coverage {
    /// By LCOV's lines.
    fn of_lcov(text: &str) -> Coverage {
        let mut coverage = Coverage::default();
        for line in text.lines() {
            let Some((word, rest)) = line.split_once(':') else { continue };
            let fields: Vec<u64> = rest.split(',').filter_map(|field| field.parse().ok()).collect();
            match (word, &fields[..]) {
                ("DA", &[line, count]) => {
                    coverage.lines.insert(line as u32, count);
                }
                ("BRDA", &[line, _, _, count]) => {
                    coverage.branches.entry(line as u32).or_default().push(count > 0);
                }
                _ => {}
            }
        }
        coverage
    }

    /// By what gcov prints.
    fn of_gcov(text: &str) -> Coverage {
        let mut coverage = Coverage::default();
        let mut last = 0;
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("branch ") {
                let taken = rest.contains(" taken ") && !rest.contains(" taken 0");
                coverage.branches.entry(last).or_default().push(taken);
                continue;
            }
            let Some((count, rest)) = line.split_once(':') else { continue };
            let Some(Ok(number)) = rest.split(':').next().map(|word| word.trim().parse()) else {
                continue;
            };
            last = number;
            match count.trim().trim_end_matches('*') {
                "-" => {}
                "#####" | "=====" => {
                    coverage.lines.insert(number, 0);
                }
                count => {
                    coverage.lines.insert(number, count.parse().unwrap_or(1));
                }
            }
        }
        coverage
    }

    /// The lines about which the two say different things: an executed line is executed in both, and of a branch that has two
    /// outcomes in both as many are taken.
    fn differences(&self, other: &Coverage) -> Vec<String> {
        let mut found = Vec::new();
        for (line, count) in &self.lines {
            if let Some(seen) = other.lines.get(line)
                && (*count > 0) != (*seen > 0)
            {
                found.push(format!("line {line}: {count} tests, gcov {seen}"));
            }
        }
        let n_taken = |outcomes: &Vec<bool>| outcomes.iter().filter(|taken| **taken).count();
        for (line, outcomes) in &self.branches {
            if let Some(seen) = other.branches.get(line)
                && (outcomes.len(), seen.len()) == (2, 2)
                && n_taken(outcomes) != n_taken(seen)
            {
                found.push(format!("branches of line {line}: {outcomes:?}, gcov {seen:?}"));
            }
        }
        found
    }
}

/// A program whose coverage was found and compared with gcov's.
struct Compared {
    /// The output of `vergo cover`.
    output: String,
    status: Option<i32>,
    said: Coverage,
    differences: Vec<String>,
    /// Branch goals that are decided, and all of them.
    decided: usize,
    branches: usize,
}

/// Covers `program.c` or `program.i` of a folder, runs the tests under gcov, and compares.
fn compare(folder: &Path, program: &str, options: &[&str]) -> Compared {
    let arguments =
        [&["cover", "--tests", "tests", "--lcov", "out.info"], options, &[program]].concat();
    let said = vergo(folder, &arguments);
    let output =
        String::from_utf8_lossy(&said.stdout).into_owned() + &String::from_utf8_lossy(&said.stderr);
    let (mut decided, mut branches) = (0, 0);
    for line in output.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [_, "branch", covered, unreachable, _, all] = words[..] {
            let number = |word: &str| word.parse::<usize>().expect("a number");
            decided += number(covered) + number(unreachable);
            branches += number(all);
        }
    }
    let drivers: Vec<String> = fs::read_dir(folder.join("tests"))
        .expect("there are tests")
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|file| file.ends_with(".c"))
        .collect();
    let width = if options.contains(&"ILP32") { "-m32" } else { "-m64" };
    let gcc = format!("gcc --coverage -w -O0 {width}");
    // The driver's error functions are those of the tests.
    let line = format!("cp {program} covered.c && {gcc} -c covered.c -o covered.o");
    let compiled = shell(folder, &line);
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    for driver in drivers {
        let line = format!(
            "gcc -w -O0 {width} -c tests/{driver} -o test.o && {gcc} covered.o test.o -o test -lm -lpthread && \
             timeout -s ALRM 5 ./test </dev/null >/dev/null; test -x test"
        );
        let ran = shell(folder, &line);
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    let seen = shell(folder, "gcov -b -t covered.gcda 2>/dev/null");
    let gcov = Coverage::of_gcov(&String::from_utf8_lossy(&seen.stdout));
    let said_lines = fs::read_to_string(folder.join("out.info")).expect("it was written");
    let coverage = Coverage::of_lcov(&said_lines);
    let differences = coverage.differences(&gcov);
    let status = said.status.code();
    Compared { output, status, said: coverage, differences, decided, branches }
}

/// A driver whose choices are random; the seed is in the environment.
const RANDOM: &str = "#include <signal.h>
#include <stdlib.h>
#define CHOICE(name, type) __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)any(); }
static unsigned long any(void) {
    unsigned long bits = ((unsigned long)random() << 33) ^ ((unsigned long)random() << 11) ^ (unsigned long)random();
    return random() % 3 ? bits % 8 - (random() % 4 == 0 ? 4 : 0) : bits;
}
CHOICE(bool, _Bool) CHOICE(char, char) CHOICE(uchar, unsigned char) CHOICE(short, short) CHOICE(ushort, unsigned short)
CHOICE(int, int) CHOICE(uint, unsigned) CHOICE(long, long) CHOICE(ulong, unsigned long) CHOICE(longlong, long long)
CHOICE(ulonglong, unsigned long long) CHOICE(float, float) CHOICE(double, double) CHOICE(size_t, unsigned long)
CHOICE(unsigned, unsigned) CHOICE(u8, unsigned char) CHOICE(u16, unsigned short) CHOICE(u32, unsigned)
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) exit(0); }
__attribute__((weak)) void __VERIFIER_assert(int holds) { if (!holds) exit(0); }
__attribute__((weak)) void __CPROVER_assume(int holds) { if (!holds) exit(0); }
__attribute__((weak)) void __CPROVER_assert(int holds, const char *what) { if (!holds) exit(0); }
__attribute__((weak)) void reach_error(void) { exit(0); }
__attribute__((weak)) void __VERIFIER_error(void) { exit(0); }
static void caught(int number) { exit(number); }
__attribute__((constructor)) static void begin(void) {
    srandom(atoi(getenv(\"SEED\")));
    for (int number = 1; number < 16; number++) signal(number, caught);
}
";

/// The lines that are proved to be unreachable, and yet executed by one of so many executions at random.
fn reached_at_random(
    folder: &Path,
    program: &str,
    output: &str,
    width: &str,
    n: u32,
) -> Vec<String> {
    let prefix = format!("{program}:");
    let unreachable = output.lines().filter_map(|line| {
        let (line, rest) = line.strip_prefix(&prefix)?.split_once(':')?;
        rest.contains("statement unreachable").then(|| line.parse::<u32>().ok())?
    });
    let unreachable: Vec<u32> = unreachable.collect();
    if unreachable.is_empty() {
        return Vec::new();
    }
    fs::write(folder.join("random.c"), RANDOM).expect("it can be written");
    let gcc = format!("gcc -w -O0 {width}");
    let line = format!(
        "rm -f *.gcda; cp {program} covered.c && {gcc} --coverage -c covered.c -o covered.o && {gcc} -c random.c -o random.o && \
         {gcc} --coverage covered.o random.o -o random -lm && \
         for seed in $(seq {n}); do SEED=$seed timeout -s ALRM 0.2 ./random </dev/null >/dev/null 2>&1; done; test -x random"
    );
    let ran = shell(folder, &line);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let seen = shell(folder, "gcov -b -t covered.gcda 2>/dev/null");
    let seen = Coverage::of_gcov(&String::from_utf8_lossy(&seen.stdout));
    let is_executed = |line: &&u32| seen.lines.get(line).is_some_and(|count| *count > 0);
    unreachable.iter().filter(is_executed).map(|line| format!("line {line} is executed")).collect()
}

#[test]
fn gcov_sees_what_is_said_to_be_covered() {
    for (name, text) in PROGRAMS {
        let folder = folder(name);
        fs::write(folder.join("program.c"), text).expect("it can be written");
        let compared = compare(&folder, "program.c", &["--timeout", "60"]);
        let output = &compared.output;
        assert_eq!(compared.status, Some(0), "{name}: {output}");
        assert!(compared.output.contains(", 0 unknown\n"), "{output}");
        assert!(compared.said.lines.len() > 3 && compared.branches > 3, "{name}: {output}");
        assert_eq!(compared.differences, Vec::<String>::new(), "{name}: {output}");
        let reached = reached_at_random(&folder, "program.c", output, "-m64", 20);
        assert_eq!(reached, Vec::<String>::new(), "{name}: {output}");
    }
}

/// Sixty programs: half of them of the collection of tasks, half of our own.
#[test]
fn gcov_agrees_on_sixty_programs() {
    if !vergo_testkit::environment::slow_or_skip("coverage of sixty programs") {
        return;
    }
    let Some(shared) = vergo_testkit::environment::shared_or_skip("coverage of sixty programs")
    else {
        return;
    };
    let bench = shared.join("bench");
    let manifest = fs::read_to_string(bench.join("manifest.csv")).expect("there is a manifest");
    let rows: Vec<Vec<&str>> = manifest.lines().skip(1).map(|l| l.split(',').collect()).collect();
    // Lines that stand in other files are not gcov's to show.
    let own = |text: &str| {
        !text.contains("pthread") && text.contains("__VERIFIER_nondet") && !text.contains("# 1 \"")
    };
    let mut programs: Vec<(std::path::PathBuf, &str)> = Vec::new();
    let chosen = rows.iter().filter(|row| matches!(row[1], "unreach-call" | "no-overflow"));
    for row in chosen.step_by(9) {
        let text = fs::read_to_string(bench.join(row[0])).unwrap_or_default();
        if own(&text) && text.len() < 200_000 && programs.len() < 30 {
            programs.push((bench.join(row[0]), row[3]));
        }
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/check");
    let mut ours = Vec::new();
    for part in ["arrays", "heaps", "loops", "library"] {
        let files = fs::read_dir(corpus.join(part)).expect("there is a corpus");
        ours.extend(files.filter_map(|file| Some(file.ok()?.path())));
    }
    ours.sort();
    ours.retain(|path| fs::read_to_string(path).is_ok_and(|text| own(&text)));
    let step = (ours.len() / 30).max(1);
    programs.extend(ours.into_iter().step_by(step).take(30).map(|path| (path, "LP64")));
    let (mut decided, mut branches, mut wrong) = (0, 0, Vec::new());
    for (path, model) in &programs {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = folder(&name);
        let program = if name.ends_with(".i") { "program.i" } else { "program.c" };
        fs::copy(path, folder.join(program)).expect("it can be copied");
        let compared = compare(&folder, program, &["--timeout", "60", "--data-model", model]);
        println!(
            "{name}: {} of {} branches decided, {} differences; {}",
            compared.decided,
            compared.branches,
            compared.differences.len(),
            compared.output.lines().find(|line| line.starts_with("COVERED")).unwrap_or("no result")
        );
        decided += compared.decided;
        branches += compared.branches;
        let width = if *model == "ILP32" { "-m32" } else { "-m64" };
        let reached = reached_at_random(&folder, program, &compared.output, width, 400);
        let differences = compared.differences.iter().chain(&reached);
        wrong.extend(differences.map(|text| format!("{name}: {text}")));
    }
    println!("{} programs: {decided} of {branches} branch goals decided", programs.len());
    assert_eq!(wrong, Vec::<String>::new());
    assert!(decided * 10 >= branches * 9, "{decided} of {branches}");
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

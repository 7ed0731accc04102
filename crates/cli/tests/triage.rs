//! `vergo triage` from outside: a small program with warnings that are right and wrong, in both forms of reports.

mod tool;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::{skip, slow_or_skip};
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::{Finished, run};

fn vergo(arguments: &[&str], folder: &Path) -> Finished {
    tool::vergo(folder, arguments, b"")
}

const STORE: &str = "\
extern void *malloc(unsigned long);
extern int getchar(void);
struct item { int key, count; };
static struct item *table[8];
static struct item *lookup(int key) {
    for (int i = 0; i < 8; i++)
        if (table[i] && table[i]->key == key) return table[i];
    return 0;
}
static int average(int total, int n) {
    if (n == 0) return 0;
    return total / n;
}
static int ratio(int a, int b) {
    return a / (b - 3);
}
int main(void) {
    struct item *first = malloc(sizeof *first);
    first->key = 1;
    struct item *second = malloc(sizeof *second);
    if (!second) return 1;
    second->key = 2;
    second->count = 0;
    table[1] = second;
    lookup(2)->count++;
    int values[10];
    for (int i = 0; i < 10; i++) values[i] = i;
    int c = getchar();
    int r = average(c, values[5]) + ratio(c & 255, c & 7);
    if (c >= 0 && c <= 10) r += values[c];
    if (c >= 0 && c < 10) r += values[c];
    return r;
}
";

/// Warnings as cppcheck and gcc write them, each with what becomes of it.
const WARNINGS: &[(u32, u32, &str, &str)] = &[
    (
        19,
        10,
        "there is a possible null pointer dereference: first [nullPointerOutOfMemory]",
        "confirmed",
    ),
    (
        22,
        5,
        "dereference of possibly-NULL 'second' [CWE-690] [-Wanalyzer-possible-null-dereference]",
        "refuted",
    ),
    (25, 5, "dereference of NULL 'lookup(2)' [-Wanalyzer-null-dereference]", "refuted"),
    (12, 18, "Division by zero. [zerodiv]", "refuted"),
    (15, 14, "Division by zero. [zerodiv]", "confirmed"),
    (30, 38, "Array 'values[10]' accessed at index 10 [arrayIndexOutOfBounds]", "confirmed"),
    (31, 38, "Array 'values[10]' accessed at index 10 [arrayIndexOutOfBounds]", "refuted"),
    (29, 9, "Variable 'r' is assigned a value that is never used [unreadVariable]", "open"),
    (2, 1, "Null pointer dereference [nullPointer]", "open"),
];

fn lines() -> String {
    let line = |(line, column, text, _): &(u32, u32, &str, &str)| {
        format!("src/store.c:{line}:{column}: warning: {text}\n")
    };
    WARNINGS.iter().map(line).collect()
}

/// The verdicts in a SARIF log, in order.
fn verdicts(log: &str) -> Vec<&str> {
    let lines = log.lines().map(str::trim);
    lines.filter_map(|line| line.strip_prefix("\"verdict\": \"")?.split('"').next()).collect()
}

#[test]
fn warnings_are_confirmed_and_refuted() {
    let scratch = Scratch::new("triage").expect("a folder");
    let folder = scratch.folder();
    std::fs::create_dir(folder.join("src")).expect("a folder");
    scratch.write("src/store.c", STORE).expect("a file");
    scratch.write("report.txt", lines()).expect("a file");
    let finished = vergo(&["triage", "-o", "out.sarif", "report.txt", "src/store.c"], folder);
    let text = finished.stdout_text();
    let expected: Vec<&str> = WARNINGS.iter().map(|(.., fate)| *fate).collect();
    let seen: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("src/store.c:"))
        .filter_map(|line| line.split(": ").next().and_then(|_| line.split_whitespace().nth(1)))
        .map(|word| word.trim_end_matches(':'))
        .collect();
    assert_eq!(seen, expected, "{text}{}", finished.stderr_text());
    assert!(text.ends_with("3 confirmed, 4 refuted, 1 open, 1 of other kinds\n"), "{text}");
    assert_eq!(finished.status.and_then(|status| status.code()), Some(10));
    // The written report can be read again, and says the same.
    let written = std::fs::read_to_string(folder.join("out.sarif")).expect("a report");
    assert_eq!(verdicts(&written), expected);
    let n_of = |text: &str| written.matches(text).count();
    assert_eq!((n_of("\"codeFlows\""), n_of("\"suppressions\"")), (3, 4), "{written}");
    let again = vergo(&["triage", "-o", "again.sarif", "out.sarif", "src/store.c"], folder);
    assert!(again.stdout_text().ends_with("3 confirmed, 4 refuted, 1 open, 1 of other kinds\n"));
    let written = std::fs::read_to_string(folder.join("again.sarif")).expect("a report");
    assert_eq!(verdicts(&written), expected);
}

#[test]
fn functions_on_their_own_confirm_nothing() {
    let scratch = Scratch::new("triage-local").expect("a folder");
    scratch
        .write(
            "lib.c",
            "int average(int total, int n) {\n  if (n == 0) return 0;\n  return total / n;\n}\n\
         int ratio(int a, int b) {\n  return a / b;\n}\n\
         int first(int *p, int n) {\n  int x = *p;\n  return x / n;\n}\n\
             static int divisor = 1;\nint scaled(int *out, int a) {\n  divisor = 2;\n  *out = 0;\n  return a / divisor;\n}\n",
        )
        .expect("a file");
    scratch.write(
        "report.txt",
        "lib.c:3:16: error: Division by zero. [zerodiv]\nlib.c:6:12: error: Division by zero. [zerodiv]\n\
         lib.c:10:12: error: Division by zero. [zerodiv]\nother.c:1:1: error: Division by zero. [zerodiv]\n\
             lib.c:16:12: error: Division by zero. [zerodiv]\n",
    ).expect("a file");
    let finished = vergo(&["triage", "--local", "report.txt", "lib.c"], scratch.folder());
    let text = finished.stdout_text();
    assert!(text.contains("lib.c:3:16: refuted"), "{text}");
    assert!(text.contains("lib.c:6:12: open") && text.contains("if `ratio` is called"), "{text}");
    // Behind a pointer of which nothing is known there is still an execution.
    assert!(text.contains("lib.c:10:12: open"), "{text}");
    // Nor is it known where a caller's pointer points.
    assert!(text.contains("lib.c:16:12: open"), "{text}");
    assert!(text.contains("its file is not among those that were given"), "{text}");
    assert!(text.ends_with("0 confirmed, 1 refuted, 4 open, 0 of other kinds\n"), "{text}");
    assert_eq!(finished.status.and_then(|status| status.code()), Some(20));
}

const LIBRARY: &str = "\
extern void *malloc(unsigned long);
extern void stop(void) __attribute__((noreturn));
struct node { int key; struct node *next; };
int total;
int checked(struct node *list, struct node **other, int n) {
    int *p = malloc(n * sizeof(int));
    if (!p) stop();
    p[0] = n;
    if (list->next) total += list->next->key;
    return p[0];
}
int unchecked(struct node *list, struct node **other, int n) {
    int *p = malloc(n * sizeof(int));
    if (n > 7 && !p) stop();
    p[0] = n;
    if (list->next) { *other = 0; total += list->next->key; }
    return p[0];
}
static int first(struct node *list) { return list->key; }
int guarded(struct node *list) { return list ? first(list) : 0; }
static int second(struct node *list) { return list->key; }
int half(struct node *list) { return list ? second(list) : 0; }
int other_half(struct node *list) { return second(list); }
static int third(struct node *list) { return list->key; }
int guarded_too(struct node *list) { return list ? third(list) : 0; }
int (*hook)(struct node *) = third;
static int fourth(struct node *list) { return list->key; }
extern void take(int (*)(struct node *));
int guarded_again(struct node *list) { take(fourth); return list ? fourth(list) : 0; }
int set(int n) { int x; if (n > 3) x = 3; if (n > 4) return x; return 0; }
int unset(int n) { int x; if (n > 3) x = 3; if (n > 2) return x; return 0; }
";

/// What holds whoever calls, and beside each a twin of which that is not so.
#[test]
fn functions_are_proved_whoever_calls() {
    let scratch = Scratch::new("triage-callers").expect("a folder");
    scratch.write("lib.c", LIBRARY).expect("a file");
    let volatile = "int f(int *volatile *slot) { if (*slot) return **slot; return 0; }\n\
                    int g(int **slot) { if (*slot) return **slot; return 0; }\n";
    scratch.write("volatile.c", volatile).expect("a file");
    let plain = volatile.lines().nth(1).expect("a line");
    scratch.write("plain.c", plain).expect("a file");
    let warnings = [
        ("lib.c:8:5", "dereference of NULL 'p' [CWE-476]", "refuted"),
        ("lib.c:15:5", "dereference of NULL 'p' [CWE-476]", "confirmed"),
        ("lib.c:9:40", "dereference of NULL 'list->next' [CWE-476]", "refuted"),
        ("lib.c:16:54", "dereference of NULL 'list->next' [CWE-476]", "open"),
        ("lib.c:19:46", "dereference of NULL 'list' [CWE-476]", "refuted"),
        ("lib.c:21:47", "dereference of NULL 'list' [CWE-476]", "open"),
        ("lib.c:24:46", "dereference of NULL 'list' [CWE-476]", "open"),
        ("lib.c:27:47", "dereference of NULL 'list' [CWE-476]", "open"),
        ("lib.c:30:61", "use of uninitialized value 'x' [CWE-457]", "refuted"),
        ("lib.c:31:63", "use of uninitialized value 'x' [CWE-457]", "confirmed"),
        ("plain.c:1:38", "dereference of NULL '*slot' [CWE-476]", "refuted"),
        ("volatile.c:1:49", "dereference of NULL '*slot' [CWE-476]", "open"),
    ];
    let lines = warnings.map(|(place, text, _)| format!("{place}: warning: {text}\n"));
    scratch.write("report.txt", lines.concat()).expect("a file");
    let arguments = ["triage", "--local", "report.txt", "lib.c", "volatile.c", "plain.c"];
    let finished = vergo(&arguments, scratch.folder());
    let text = finished.stdout_text();
    for (place, _, fate) in warnings {
        assert!(text.contains(&format!("{place}: {fate}")), "{place} is not {fate}:\n{text}");
    }
    assert!(text.contains("for some caller of `unchecked`, an execution was replayed"), "{text}");
}

/// Downloads a source package and lets two analysers look at it: `report.txt`, and the files in `files.txt`. Where from is what the
/// machine's own list of packages says. The exit status is 75 if a tool is missing or nothing can be downloaded.
const ANALYSE: &str = r#"
for tool in apt-get gcc cppcheck dpkg-source; do
    command -v "$tool" >/dev/null || { echo "there is no $tool"; exit 75; }
done
mkdir -p apt/lists/partial apt/sources
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -f "$list" ] && sed -e 's/^Types: deb$/Types: deb-src/' -e 's/^deb /deb-src /' "$list" >"apt/sources/$(basename "$list")"
done
APT="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$PWD/apt/sources -o Dir::State::lists=$PWD/apt/lists"
ls apt/lists | grep -q Sources || apt-get $APT -o APT::Update::Error-Mode=any -qq update || exit 75
mkdir -p "$PACKAGE" && cd "$PACKAGE"
apt-get $APT -qq --download-only source "$PACKAGE" || exit 75
apt-get $APT -qq source "$PACKAGE"
cd "$(ls -d */ | head -1)"
find . -name '*.c' -not -path '*/test*' -not -path '*/debian/*' -not -path '*/.pc/*' -not -path '*/fuzz*' | sort >../files.txt
while read -r file; do
    gcc -O0 -fanalyzer -D_GNU_SOURCE -I. -fdiagnostics-plain-output -S "$file" -o /dev/null 2>>../all.txt || true
done <../files.txt
cppcheck -q --max-configs=2 --enable=warning --template='{file}:{line}:{column}: {severity}: {message} [{id}]' \
    --file-list=../files.txt 2>>../all.txt || true
grep -E '^[^ ]+:[0-9]+:[0-9]+: (warning|error)' ../all.txt | grep -E 'Wanalyzer|\[[a-zA-Z]+\]$' >../report.txt || true
pwd
"#;

/// The projects whose warnings are counted.
const PACKAGES: &[&str] = &["cjson", "libcsv", "an", "netpipes"];

#[test]
fn warnings_about_packages_are_decided() {
    const TEST: &str = "warnings_about_packages_are_decided";
    if !slow_or_skip(TEST) {
        return;
    }
    let scratch = Scratch::new("triage-packages").expect("a folder");
    let (mut n_decided, mut n_supported, mut all_counts) = (0, 0, Vec::new());
    for package in PACKAGES {
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", ANALYSE]).current_dir(scratch.folder());
        command.env("PACKAGE", package);
        let analysed = run(&mut command, b"", Duration::from_secs(1200)).expect("bash starts");
        if analysed.status.and_then(|status| status.code()) == Some(75) {
            return skip(TEST, "tools are missing, or packages cannot be downloaded");
        }
        let said = (analysed.stdout_text(), analysed.stderr_text());
        assert!(analysed.success(), "{package} cannot be analysed: {said:?}");
        let folder =
            std::path::PathBuf::from(analysed.stdout_text().lines().last().expect("a folder"));
        let files = std::fs::read_to_string(folder.join("../files.txt")).expect("a list");
        let mut command = Command::new(env!("CARGO_BIN_EXE_vergo"));
        command.args([
            "triage",
            "--local",
            "--timeout",
            "60",
            "-D_GNU_SOURCE",
            "-I.",
            "../report.txt",
        ]);
        command.args(files.lines()).current_dir(&folder).env_remove("CC");
        let finished = run(&mut command, b"", Duration::from_secs(7200)).expect("the tool runs");
        let text = finished.stdout_text();
        let counts = text.lines().last().expect("counts");
        all_counts.push(format!("{package}: {counts}"));
        let numbers: Vec<u32> =
            counts.split(", ").filter_map(|part| part.split(' ').next()?.parse().ok()).collect();
        let [n_confirmed, n_refuted, n_open, _] = numbers[..] else { panic!("{text}") };
        n_decided += n_confirmed + n_refuted;
        n_supported += n_confirmed + n_refuted + n_open;
    }
    assert!(n_decided * 10 >= n_supported * 4, "{n_decided} of {n_supported}: {all_counts:?}");
}

#[test]
fn what_is_no_report_is_an_error() {
    let scratch = Scratch::new("triage-bad").expect("a folder");
    scratch.write("a.c", "int main(void) { return 0; }\n").expect("a file");
    for (report, message) in [
        ("{ \"runs\": [", "line 1, column 11"),
        ("{}", "not SARIF"),
        ("nothing to see\n", "file:line:column"),
    ] {
        scratch.write("report", report).expect("a file");
        let finished = vergo(&["triage", "report", "a.c"], scratch.folder());
        assert!(finished.stderr_text().contains(message), "{}", finished.stderr_text());
        assert_eq!(finished.status.and_then(|status| status.code()), Some(2));
    }
    let finished = vergo(&["triage", "missing.sarif", "a.c"], scratch.folder());
    assert_eq!(finished.status.and_then(|status| status.code()), Some(2));
    // No warnings, nothing to do.
    scratch.write("report", "").expect("a file");
    let finished = vergo(&["triage", "report", "a.c"], scratch.folder());
    assert_eq!(finished.status.and_then(|status| status.code()), Some(0));
}

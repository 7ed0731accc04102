//! Instrumented programs do what the original does: the same output on the same inputs, without new warnings.

mod support;

use std::time::Duration;
use support::{body, builtin, transform, transformed};
use vergo_automata::builtin::BUILTINS;
use vergo_cfront::target::DataModel;
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment::slow_or_skip;
use vergo_testkit::host_c::{HostC, Scratch};

const NONDET: &str = "\nint __VERIFIER_nondet_int(void) { return 0; }\n";

/// Original and result compile without new warnings, print the same and end the same.
fn same(automaton: &str, program: &str) {
    let host = HostC::find().expect("gcc");
    let folder = Scratch::new("same").expect("a folder");
    let text = transformed(automaton, program);
    let warnings = |text: &str| {
        let checked = host.check(text.as_bytes(), &[]).expect("gcc");
        (checked.success(), checked.stderr_text().matches("warning:").count())
    };
    let (before, after) = (warnings(program), warnings(&text));
    assert!(after.0 && after.1 <= before.1, "{before:?} {after:?}\n{text}");
    let run = |text: &str| {
        let text = format!("{text}{NONDET}");
        let done = host.run_text(&folder, &text, &["-w"], Duration::from_secs(20)).expect("a run");
        (done.code(), done.stdout_text(), done.stderr_text())
    };
    assert_eq!(run(program), run(&text), "{text}");
}

/// Every kind of expression and statement in which an operation can stand.
const TRICKY: &str = r#"
extern int printf(const char *, ...);
extern void *malloc(unsigned long);
extern void free(void *);
enum color { RED, GREEN = 1 + 2, BLUE };
struct bits { int a : 5; unsigned b : 3; long c; struct { short d; }; };
static int calls;
static int table[4 * 2] = { 1 + 1, 2 * 3 };
int next(void) { return ++calls; }
int *where(void) { static int cell = 5; calls += 10; return &cell; }
int vla(int n, int a[n + 1]) { int b[n * 2]; b[n - 1] = a[0]; return sizeof b / sizeof b[0] + b[n - 1]; }
int old(a, b) int a; short b; { return a - b; }
static inline int twice(int n) { return n + n; }
int main(void) {
  int i, j = 3, k; long wide = 1L << 40; short s = -1; signed char c = 'a'; unsigned u = 7; _Bool flag = 0;
  register int r = 2; volatile int v = 1; enum color color = BLUE; double d = 1.5;
  struct bits bits = { .a = 1, .c = 5 }, *p = &bits;
  int a[5] = { [1] = j + 1, j * 2, -j }, *q = a;
  for (i = 0, k = 10; i < 5 && k - i > 0; i++, k--) a[i] += i * k;
  for (int m = 0; m < 3; ++m) printf("%d ", a[m]), j = j + m;
  while (j --> 0) if (j % 2) continue; else { k += j; if (k > 100) break; }
  do k -= 3; while (k > 0 || (k += 1, k < -5));
  s += 70000 / 7; s++; --s; c++; c -= -1; u += s; u--; flag++; flag--; r++; r = -r; v += v++ * 0 + 1;
  bits.a += 2; bits.b++; ++bits.b; p->c *= 2; p->d -= 4; printf("%d ", p->a++); printf("%ld ", --p->c);
  *q++ += 1; *where() += a[1]; a[2] += next(); (*where())++; printf("%d %d ", *where(), calls);
  a[next() % 5] -= 2; a[j < 0 ? 0 : 1]++; q[-1]--; j = (i = 4, i + 1) * (j ? j + 1 : j - 1);
  wide = wide * 2 + i; wide >>= 3; wide <<= 1; k = k << 2 >> 1; k /= 3; k %= 5; d = d * 2 + k; d++; color++;
  i = sizeof(i + j) + _Alignof(int); j = ({ int t = i + 1; t * 2; }); k = (k ?: j + 1) + 1;
  switch (i - 10) { case 1 + 1: j++; default: j -= 2; case 7: { static int n = 3 * 3; j += n++; } }
  goto in; { int hidden; in: hidden = j + 1; k += hidden; }
  if (j - 1) if (k + 1) i++; else i--; else i = -i;
  printf("%d %d %d %ld %d %d %u %d %d %d %f %d %d\n", i, j, k, wide, s, c, u, flag, r, v, d, color, twice(j));
  printf("%d %d %d %d\n", vla(3, a), old(j, 2), table[1] - table[0], a[0] - -a[1] - - -a[2]);
  int *heap = malloc(4 * sizeof *heap); heap[1] = heap[1 - 1] = j + 1; printf("%d\n", heap[1]++ + heap[0]--); free(heap);
  const int n = 5 + 5; int many[n]; many[n - 1] = n * n; int (*pm)[n] = &many; printf("%d\n", (*pm)[n - 1] - 1);
  return (i = i + 1) & 15;
}
"#;

#[test]
fn built_in_automata_change_nothing() {
    for automaton in BUILTINS {
        same(automaton.text, TRICKY);
    }
}

#[test]
fn only_operators_and_calls_are_edited() {
    let text = transformed(builtin("no-overflow"), TRICKY);
    assert_eq!(body(&text).lines().count(), TRICKY.lines().count());
    // Lines without a signed operation are the same.
    for (before, after) in TRICKY.lines().zip(body(&text).lines()) {
        let plain = !before.contains(['+', '-', '*', '/', '%', '<', '{']);
        assert!(!plain || before == after, "{before}\n{after}");
    }
}

#[test]
fn comments_and_line_markers_stand_between_operands() {
    let program = "int f(int a, int b) {\n  return a // first\n# 20 \"other.h\"\n  /* + */ + /* second */\n    b;\n}\nint main(void) { return f(1, 2); }\n";
    same(builtin("no-overflow"), program);
    let text = transformed(builtin("no-overflow"), program);
    assert!(text.contains("# 20 \"other.h\"\n  /* + */ , /* second */\n    b)"), "{text}");
}

#[test]
fn several_statements_on_a_line_and_bodies_without_braces() {
    let program = "extern void assert_live(int);\nint main(void) { int i = 0, j = 0; if (i) while (i < 3) i++; else for (;;) if (j++ > 4) break; return i + j; }\n";
    same(builtin("termination"), program);
    same(builtin("no-overflow"), program);
}

#[test]
fn the_programs_own_error_functions_are_no_violation() {
    let program = "void reach_error(void) { }\nint main(void) { reach_error(); return 3; }\n";
    same(builtin("no-overflow"), program);
    same(builtin("memcleanup"), program);
    let text = transformed(builtin("no-overflow"), program);
    assert!(text.contains("void vergo_original_reach_error(void) { }"), "{text}");
}

#[test]
fn names_of_the_program_are_not_taken() {
    let program = "int vergo_no_overflow_add_int(int vergo_x) { return vergo_x + 1; }\nint main(void) { return vergo_no_overflow_add_int(2); }\n";
    same(builtin("no-overflow"), program);
}

#[test]
fn both_data_models_have_their_limits() {
    let program = "long f(long a) { return -a; }\nlong long g(long long a) { return -a; }\n";
    let text = |model| {
        support::transform_for(model, builtin("no-overflow"), program).program.expect("a program")
    };
    let narrow = text(DataModel::Ilp32);
    assert!(narrow.contains("neg_long(long x) { if (!(x != (-2147483647L - 1)))"), "{narrow}");
    let wide = text(DataModel::Lp64);
    assert!(wide.contains("neg_long(long x) { if (!(x != (-9223372036854775807L - 1)))"), "{wide}");
    for text in [narrow, wide] {
        assert!(
            text.contains("neg_llong(long long x) { if (!(x != (-9223372036854775807LL - 1)))"),
            "{text}"
        );
    }
}

#[test]
fn random_programs_print_the_same() {
    if !slow_or_skip("random_programs_print_the_same") {
        return;
    }
    let (Some(csmith), Some(host)) = (Csmith::find(), HostC::find()) else {
        vergo_testkit::environment::skip("random_programs_print_the_same", "there is no csmith");
        return;
    };
    let folder = Scratch::new("csmith").expect("a folder");
    for seed in 1..=40 {
        let Some(program) = csmith.generate(seed, &["--no-packed-struct", "--max-funcs", "4"])
        else {
            continue;
        };
        let include = csmith.include_option();
        let preprocessed =
            host.preprocess(program.as_bytes(), &[&include, "-w"]).expect("gcc").stdout_text();
        let run = |text: &str| {
            let done = host
                .run_text(
                    &folder,
                    &format!("{text}{NONDET}"),
                    &["-w", "-fwrapv"],
                    Duration::from_secs(5),
                )
                .expect("a run");
            (done.code(), done.stdout_text())
        };
        let expected = run(&preprocessed);
        if expected.0.is_none() {
            continue;
        }
        for automaton in ["no-overflow", "memcleanup", "termination"] {
            let result = transform(builtin(automaton), &preprocessed);
            let text = result.program.unwrap_or_else(|| panic!("seed {seed}: {}", result.messages));
            let got = run(&text);
            // A run that violates the property ends early.
            assert!(got == expected || got.0.is_none(), "seed {seed}, {automaton}");
            assert!(automaton != "termination" || got == expected, "seed {seed}, {automaton}");
        }
    }
}

#[test]
fn large_programs_are_quick_and_do_not_grow_much() {
    let program = vergo_testkit::large::program(7, 10_000);
    let host = HostC::find().expect("gcc");
    let program = host.preprocess(program.as_bytes(), &["-P"]).expect("gcc").stdout_text();
    let start = std::time::Instant::now();
    let text = transformed(builtin("no-overflow"), &program);
    let growth = text.len() as f64 / program.len() as f64;
    assert!(growth < 6.0, "growth {growth}");
    // Half a second in a release build; tests are built with few optimisations.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

//! `vergo run` and `vergo goto`: inputs, limits, traces, passes, and what becomes of programs that do not behave.

mod tool;

use std::time::Duration;

use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::Finished;

fn vergo(folder: &Scratch, arguments: &[&str], input: &[u8]) -> Finished {
    tool::vergo(folder.folder(), arguments, input)
}

/// Asks for a value of each type and returns their sum, or 100 if one is not what the test gives.
const CHOICES: &str = "
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);
double __VERIFIER_nondet_double(void);
long __VERIFIER_nondet_long(void);
int main(void)
{
    int i = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    _Bool b = __VERIFIER_nondet_bool();
    double d = __VERIFIER_nondet_double();
    long l = __VERIFIER_nondet_long();
    if (d != 1.5)
        return 100;
    return i + c + b + (int)l;
}
";

const INPUTS: &str =
    "# what the program asks for\ni32 -5\nu8 0x20\nbool true\n\n f64 1.5 # a double\n7\n";

#[test]
fn inputs_come_from_a_file_or_standard_input() {
    let folder = Scratch::new("inputs").unwrap();
    folder.write("p.c", CHOICES).unwrap();
    folder.write("inputs.txt", INPUTS).unwrap();
    let finished = vergo(&folder, &["run", "--inputs", "inputs.txt", "p.c"], b"");
    assert_eq!(finished.code(), Some(35), "{}", finished.stderr_text());
    let finished = vergo(&folder, &["run", "--inputs", "-", "p.c"], INPUTS.as_bytes());
    assert_eq!(finished.code(), Some(35), "{}", finished.stderr_text());
    // Without inputs every value is zero.
    let finished = vergo(&folder, &["run", "p.c"], b"");
    assert_eq!(finished.code(), Some(100), "{}", finished.stderr_text());
}

#[test]
fn wrong_inputs_are_named() {
    let folder = Scratch::new("wrong-inputs").unwrap();
    folder.write("p.c", CHOICES).unwrap();
    for (inputs, message) in [
        ("i32 -5\n", "the list of inputs ends after 1 value"),
        ("u8 5\n", "line 1 of the inputs: `u8 5` is not of type i32"),
        ("i32 5\nu8 256\n", "line 2 of the inputs: `256` is not a value of type u8"),
        ("i32 five\n", "line 1 of the inputs: `five` is not a value of type i32"),
        ("\u{0}\u{7f}\n", "line 1 of the inputs"),
    ] {
        let finished = vergo(&folder, &["run", "--inputs", "-", "p.c"], inputs.as_bytes());
        assert_eq!(finished.code(), Some(20), "{inputs}");
        assert!(finished.stderr_text().contains(message), "{inputs}: {}", finished.stderr_text());
        assert!(finished.stderr_text().contains("D0030"), "{}", finished.stderr_text());
    }
    let finished = vergo(&folder, &["run", "--inputs", "no-such-file", "p.c"], b"");
    assert_eq!(finished.code(), Some(2));
    // Bytes that are not a text are not a list of values.
    let finished = vergo(&folder, &["run", "--inputs", "-", "p.c"], b"\xff\xfe\n");
    assert_eq!(finished.code(), Some(2));
    let finished = vergo(&folder, &["run", "--inputs", "-", "--seed", "1", "p.c"], b"");
    assert_eq!(finished.code(), Some(2), "one source of values at a time");
}

#[test]
fn seeds_repeat() {
    let folder = Scratch::new("seeds").unwrap();
    let text = "
        unsigned __VERIFIER_nondet_uint(void);
        int printf(const char *, ...);
        int main(void) { for (int i = 0; i < 5; i++) printf(\"%u\\n\", __VERIFIER_nondet_uint()); return 0; }";
    folder.write("p.c", text).unwrap();
    let output = |seed: &str| vergo(&folder, &["run", "--seed", seed, "p.c"], b"").stdout_text();
    assert_eq!(output("1"), output("1"));
    assert_ne!(output("1"), output("2"));
    assert_eq!(output("1").lines().count(), 5);
}

#[test]
fn the_program_has_arguments_and_standard_input() {
    let folder = Scratch::new("world").unwrap();
    let text = "
        int printf(const char *, ...);
        int getchar(void);
        int main(int argc, char **argv)
        {
            for (int i = 1; i < argc; i++)
                printf(\"%s,\", argv[i]);
            int c, n = 0;
            while ((c = getchar()) != -1)
                n += c == 'x';
            printf(\"%d\\n\", n);
            return argc;
        }";
    folder.write("p.c", text).unwrap();
    let finished = vergo(&folder, &["run", "p.c", "--", "one", "-m32", "--seed"], b"xaxbx");
    assert_eq!(finished.stdout_text(), "one,-m32,--seed,3\n", "{}", finished.stderr_text());
    assert_eq!(finished.code(), Some(4));
}

#[test]
fn limits_end_a_run() {
    let folder = Scratch::new("limits").unwrap();
    folder.write("loop.c", "int main(void) { for (;;); }").unwrap();
    let heap = "void *malloc(unsigned long); void *memset(void *, int, unsigned long);
        int main(void) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }";
    folder.write("heap.c", heap).unwrap();
    let cases: [(&[&str], &str); 3] = [
        (&["run", "--steps", "1000", "loop.c"], "the step limit was reached"),
        (&["run", "--timeout", "0.1", "loop.c"], "the time limit was reached"),
        (&["run", "--memory", "8", "heap.c"], "the memory limit was reached"),
    ];
    for (arguments, message) in cases {
        let finished = vergo(&folder, arguments, b"");
        assert_eq!(finished.code(), Some(20), "{arguments:?}: {}", finished.stderr_text());
        assert!(finished.stderr_text().contains(message), "{}", finished.stderr_text());
        assert!(finished.time < Duration::from_secs(20), "{arguments:?}: {:?}", finished.time);
    }
}

#[test]
fn a_trace_says_what_happens() {
    let folder = Scratch::new("trace").unwrap();
    let text = "static int twice(int x)\n{\n    return 2 * x;\n}\nint main(void)\n{\n    int n = twice(4);\n    \
                if (n > 5)\n        n = 1;\n    return n;\n}\n";
    folder.write("p.c", text).unwrap();
    let finished = vergo(&folder, &["run", "--trace", "p.c"], b"");
    assert_eq!(finished.code(), Some(1));
    let trace = finished.stderr_text();
    let mut lines = trace.lines();
    for expected in [
        "call main",
        "call twice(4)",
        "return from twice",
        "n := 8",
        "branch",
        "p.c:9:9:     n := 1",
    ] {
        assert!(lines.any(|line| line.contains(expected)), "no `{expected}` in order in\n{trace}");
    }
    assert!(finished.stdout.is_empty());
}

#[test]
fn properties_can_be_chosen() {
    let folder = Scratch::new("chosen").unwrap();
    folder
        .write(
            "p.c",
            "int main(void) { int n = 300; unsigned char c = (unsigned char)n; return c; }",
        )
        .unwrap();
    assert_eq!(vergo(&folder, &["run", "p.c"], b"").code(), Some(44));
    let chosen = ["run", "--property", "arith.conversion", "p.c"];
    let finished = vergo(&folder, &chosen, b"");
    assert_eq!(finished.code(), Some(10));
    assert!(finished.stderr_text().contains("[arith.conversion, CWE-681]"));
    assert_eq!(vergo(&folder, &["run", "--property", "no-overflow", "p.c"], b"").code(), Some(44));
    for wrong in ["nonsense", "termination", "no-such-file.prp"] {
        let finished = vergo(&folder, &["run", "--property", wrong, "p.c"], b"");
        assert_eq!(finished.code(), Some(2), "{wrong}");
        assert!(finished.stderr_text().contains(wrong), "{}", finished.stderr_text());
    }
}

#[test]
fn passes_are_run_timed_and_shown() {
    let folder = Scratch::new("passes").unwrap();
    folder
        .write("p.c", "static int f(int x) { return 72 / x; } int main(void) { return f(3 * 4); }")
        .unwrap();
    let arguments = [
        "goto",
        "--pass",
        "instrument",
        "--pass",
        "inline",
        "--time-passes",
        "--print-passes",
        "-o",
        "out.goto",
        "p.c",
    ];
    let finished = vergo(&folder, &arguments, b"");
    assert_eq!(finished.code(), Some(0), "{}", finished.stderr_text());
    let steps = finished.stderr_text();
    let mut lines = steps.lines();
    for expected in [
        "// before instrument",
        "// after instrument",
        "arith.division-by-zero",
        " ms",
        // What inlining requires comes before it.
        "// after function_pointers",
        "// after inline",
        " ms",
    ] {
        assert!(lines.any(|line| line.contains(expected)), "no `{expected}` in order in\n{steps}");
    }
    // What was written is a program that runs as the original does.
    assert!(finished.stdout.is_empty());
    assert_eq!(vergo(&folder, &["run", "out.goto"], b"").code(), Some(6));
    let finished = vergo(&folder, &["goto", "--pass", "nonsense", "p.c"], b"");
    assert_eq!(finished.code(), Some(2));
    assert!(finished.stderr_text().contains("unreachable"), "the passes are listed");
}

#[test]
fn damaged_goto_text_is_no_program() {
    let folder = Scratch::new("damaged").unwrap();
    folder
        .write("p.c", "int main(void) { int a[3] = { 1, 2, 3 }; int *p = a; return p[1]; }")
        .unwrap();
    let finished = vergo(&folder, &["goto", "p.c"], b"");
    let text = finished.stdout_text();
    // Cut anywhere, the text is rejected with a place or, cut behind a function, runs or has no entry.
    let step = text.len() / 12 + 1;
    for end in (0..text.len()).step_by(step).filter(|&end| text.is_char_boundary(end)) {
        folder.write("cut.goto", &text[..end]).unwrap();
        let finished = vergo(&folder, &["run", "cut.goto"], b"");
        let errors = finished.stderr_text();
        assert!(
            matches!(finished.code(), Some(2 | 20)),
            "cut at {end}: {:?} {errors}",
            finished.status
        );
        let without_entry = errors.contains("error[L0001]");
        assert!(errors.contains("error[D00") || without_entry, "cut at {end}: {errors}");
    }
    folder.write("bytes.goto", b"\xff\xfe\x00function").unwrap();
    assert_eq!(vergo(&folder, &["run", "bytes.goto"], b"").code(), Some(2));
}

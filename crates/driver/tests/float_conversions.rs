//! Floats converted to integers give what gcc's programs give, whether the integer type can represent them or not.

use std::fmt::Write;
use std::time::Duration;

use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Ended, Input, Job, PropertyId, PropertySet, RunRequest, run};
use vergo_interp::Buffers;
use vergo_source::Renderer;
use vergo_testkit::Rng;
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::host_c::{HostC, Scratch};

/// Floating types.
const SOURCES: &[&str] = &["_Float16", "float", "double", "long double", "__float128"];

const TARGETS: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "__int128",
    "unsigned __int128",
    "enum positive",
    "enum negative",
];

/// Bit-fields: type and width.
const FIELDS: &[(&str, u32)] = &[
    ("_Bool", 1),
    ("signed char", 5),
    ("unsigned char", 6),
    ("short", 11),
    ("unsigned short", 13),
    ("int", 7),
    ("int", 31),
    ("unsigned", 9),
    ("unsigned", 20),
    ("unsigned", 31),
    ("long", 20),
    ("long", 40),
    ("unsigned long", 33),
    ("unsigned long", 63),
];

/// Numbers near the bounds of all types, in and between them, as hexadecimal constants of type `long double`.
fn values(n_random: usize) -> Vec<String> {
    let mut values: Vec<String> =
        ["0.0L", "-0.0L", "0.5L", "-0.5L", "-0x1.fffp-1L", "0x1p-60L"].map(str::to_string).to_vec();
    values.extend(["NONE", "INFINITY", "-INFINITY", "0x1p1000L", "-0x1p1000L"].map(String::from));
    for exponent in [0, 1, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48] {
        for delta in ["-1.0L", "-0.5L", "+0.0L", "+0.5L", "+1.0L"] {
            for sign in ["", "-"] {
                values.push(format!("{sign}(0x1p{exponent}L{delta})"));
            }
        }
    }
    for exponent in [62, 63, 64, 65, 95, 96, 126, 127, 128, 129, 191, 192] {
        for fraction in
            ["1", "1.8", "1.fffffffffffff8", "1.fffffe", "1.fffffffffffffffe", "1.23456789abcde"]
        {
            for sign in ["", "-"] {
                values.push(format!("{sign}0x{fraction}p{exponent}L"));
            }
        }
    }
    let mut rng = Rng::new(1);
    for _ in 0..n_random {
        let sign = if rng.one_in(2) { "" } else { "-" };
        let fraction = rng.bits();
        let exponent = rng.below(140);
        values.push(format!("{sign}0x1.{fraction:016x}p{exponent}L"));
    }
    values
}

/// A program that prints every conversion of all values.
fn program(values: &[String]) -> String {
    let mut text = String::from(
        "int printf(const char *, ...);\n\
         #define INFINITY __builtin_infl()\n\
         #define NONE __builtin_nanl(\"\")\n\
         enum positive { P = 0x7fffffff }; enum negative { N = -1 };\n\
         typedef unsigned __int128 wide;\n\
         static void show(const char *what, wide x) {\n\
         printf(\" %s %lx:%lx\", what, (unsigned long)(x >> 64), (unsigned long)x); }\n",
    );
    for (i, (ty, width)) in FIELDS.iter().enumerate() {
        writeln!(text, "struct field{i} {{ int before : 3; {ty} x : {width}; }};").unwrap();
    }
    for (s, source) in SOURCES.iter().enumerate() {
        writeln!(text, "static void convert{s}({source} v) {{").unwrap();
        for (t, target) in TARGETS.iter().enumerate() {
            writeln!(text, "  {{ {target} a = v; show(\"{t}\", a); show(\"\", ({target})v); }}")
                .unwrap();
            // Arithmetic of `_Float16` is done in `float` by gcc, as the machine has no other.
            if t < 12 && s > 0 {
                writeln!(
                    text,
                    "  {{ {target} b = 1; b += v; show(\"+\", b); b = 7; b *= v; show(\"*\", b); }}"
                )
                .unwrap();
            }
        }
        for i in 0..FIELDS.len() {
            let add = if s > 0 { "f.x += v;" } else { "" };
            writeln!(text, "  {{ struct field{i} f = {{ 0, v }}; show(\"i\", f.x); f.x = v; show(\"f{i}\", f.x); {add} show(\"\", f.x); }}").unwrap();
        }
        text.push_str("  printf(\"\\n\");\n}\n");
    }
    writeln!(text, "static volatile long double values[] = {{ {} }};", values.join(",\n")).unwrap();
    text.push_str(
        "int main(void) {\n  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {\n",
    );
    for s in 0..SOURCES.len() {
        writeln!(text, "    printf(\"%u.{s}\", i); convert{s}(values[i]);").unwrap();
    }
    text.push_str("  }\n  return 0;\n}\n");
    text
}

fn interpret(folder: &Scratch, text: &str, request: &RunRequest) -> (Ended, String, String) {
    interpret_for(DataModel::Lp64, folder, text, request)
}

fn interpret_for(
    model: DataModel,
    folder: &Scratch,
    text: &str,
    request: &RunRequest,
) -> (Ended, String, String) {
    let mut job = Job::new(model, CppOptions::default());
    let input = Input::File(folder.write("original.c", text).unwrap());
    let output = Buffers::default();
    let ended = run(&mut job, &[input], request, Box::new(output.clone()), &mut |_| {});
    job.prepare_diagnostics();
    let messages = Renderer::plain().render_all(&job.map, &job.diagnostics);
    let Ok(ended) = ended else { panic!("no program:\n{messages}") };
    let printed = String::from_utf8_lossy(&output.output()).into_owned();
    (ended, printed, messages)
}

/// Runs that do what the machine does where a number does not fit.
fn as_the_machine() -> RunRequest {
    let properties = PropertySet::default_on().without(PropertyId::ArithFloatConversion);
    RunRequest { properties: Some(properties), ..RunRequest::default() }
}

fn assert_same_as_gcc(name: &str, text: &str) {
    let Some(gcc) = HostC::find() else { return skip(name, "there is no gcc") };
    if !cfg!(target_arch = "x86_64") {
        return skip(name, "the host is another machine");
    }
    let folder = Scratch::new(name).unwrap();
    let limit = Duration::from_secs(60);
    let compiled = gcc.run_text(&folder, text, &["-w", "-O0"], limit).unwrap();
    assert!(compiled.success());
    let (ended, printed, messages) = interpret(&folder, text, &as_the_machine());
    assert_eq!(ended, Ended::Exited(0), "{messages}");
    for (ours, theirs) in printed.lines().zip(compiled.stdout_text().lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(printed.len(), compiled.stdout_text().len());
}

#[test]
fn conversions_at_run_time_give_what_gcc_s_code_gives() {
    let values = values(if slow() { 4000 } else { 40 });
    assert_same_as_gcc("float-conversions", &program(&values));
}

/// A program for i386 that needs no library, which is often not there: it writes by itself where it is compiled.
fn program_for_i386(values: &[String]) -> String {
    let mut text = String::from(
        "#ifdef COMPILED\n\
         static char text[1 << 22]; static int length;\n\
         static void put(int c) { text[length++] = c; }\n\
         #else\n\
         int putchar(int); static void put(int c) { putchar(c); }\n\
         #endif\n\
         #define INFINITY __builtin_infl()\n\
         #define NONE __builtin_nanl(\"\")\n\
         enum positive { P = 0x7fffffff }; enum negative { N = -1 };\n\
         struct fields { int a : 7; unsigned b : 9; unsigned c : 20; long long d : 37; unsigned long long e : 40; };\n\
         static void show(unsigned long long x) {\n\
         for (int i = 60; i >= 0; i -= 4) put(\"0123456789abcdef\"[x >> i & 15]);\n\
         put(' '); }\n",
    );
    for (s, source) in ["float", "double", "long double"].iter().enumerate() {
        writeln!(text, "static void convert{s}({source} v) {{").unwrap();
        let targets = TARGETS.iter().filter(|target| !target.contains("int128"));
        for target in targets.chain(&["long long", "unsigned long long"]) {
            writeln!(text, "  show(({target})v);").unwrap();
        }
        for field in ["a", "b", "c", "d", "e"] {
            writeln!(text, "  {{ struct fields f; f.{field} = v; show(f.{field}); }}").unwrap();
        }
        text.push_str("  put('\\n');\n}\n");
    }
    writeln!(text, "static volatile long double values[] = {{ {} }};", values.join(",\n")).unwrap();
    text.push_str(
        "static void all(void) {\n\
         for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {\n\
         convert0(values[i]); convert1(values[i]); convert2(values[i]); } }\n\
         #ifdef COMPILED\n\
         void _start(void) { int r; all();\n\
         __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(4), \"b\"(1), \"c\"(text), \"d\"(length) : \"memory\");\n\
         __asm__ volatile(\"int $0x80\" : : \"a\"(1), \"b\"(0)); }\n\
         #else\n\
         int main(void) { all(); return 0; }\n\
         #endif\n",
    );
    text
}

#[test]
fn conversions_for_i386_give_what_gcc_s_code_gives() {
    let name = "conversions_for_i386_give_what_gcc_s_code_gives";
    let Some(gcc) = HostC::find() else { return skip(name, "there is no gcc") };
    let text = program_for_i386(&values(if slow() { 1000 } else { 40 }));
    let folder = Scratch::new("i386-conversions").unwrap();
    let options =
        ["-w", "-O0", "-m32", "-DCOMPILED", "-nostdlib", "-static", "-fno-pie", "-no-pie"];
    let options = [&options[..], &["-fno-stack-protector", "-mincoming-stack-boundary=2"]].concat();
    let compiled = match gcc.run_text(&folder, &text, &options, Duration::from_secs(60)) {
        Ok(compiled) if compiled.success() => compiled.stdout_text(),
        _ => return skip(name, "there are no programs for i386 here"),
    };
    let (ended, printed, messages) =
        interpret_for(DataModel::Ilp32, &folder, &text, &as_the_machine());
    assert_eq!(ended, Ended::Exited(0), "{messages}");
    for (ours, theirs) in printed.lines().zip(compiled.lines()) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(printed.len(), compiled.len());
}

#[test]
fn conversions_of_constants_give_what_gcc_folds() {
    let mut text = String::from(
        "int printf(const char *, ...);\n\
         typedef unsigned __int128 wide;\n\
         static void show(wide x) { printf(\" %lx:%lx\", (unsigned long)(x >> 64), (unsigned long)x); }\n",
    );
    let values =
        ["6.5e9", "-6.5e9", "300", "-1.0", "-129", "1e30", "-1e30f", "1e40L", "70000.5", "3e9"];
    let targets = &TARGETS[1..12];
    for (t, target) in targets.iter().enumerate() {
        for (v, value) in values.iter().enumerate() {
            writeln!(text, "static {target} s{t}_{v} = ({target}){value};").unwrap();
        }
    }
    text.push_str("int main(void) {\n");
    for (t, target) in targets.iter().enumerate() {
        for (v, value) in values.iter().enumerate() {
            writeln!(
                text,
                "  {{ {target} a = {value}; show(a); show(({target}){value}); show(s{t}_{v}); }}"
            )
            .unwrap();
        }
        text.push_str("  printf(\"\\n\");\n");
    }
    text.push_str("  return 0;\n}\n");
    assert_same_as_gcc("constant-conversions", &text);
}

#[test]
fn conversions_are_claimed_to_keep_the_value_of_the_type_asked_for() {
    let folder = Scratch::new("conversion-claims").unwrap();
    let both = PropertySet::default_on().with(PropertyId::ArithConversion);
    let requests = [both.without(PropertyId::ArithFloatConversion), both]
        .map(|set| RunRequest { properties: Some(set), ..RunRequest::default() });
    // A type, and pairs of numbers: the last that fits and the first that does not.
    let bounds: &[(&str, &[&str], &[&str])] = &[
        ("signed char", &["127.9", "-128.9"], &["128.0", "-129.0", "1e30"]),
        ("unsigned char", &["255.9", "-0.9"], &["256.0", "-1.0", "-1e30"]),
        ("short", &["32767.5", "-32768.5"], &["32768.0", "-32769.0", "1e18"]),
        ("unsigned short", &["65535.5", "-0.5"], &["65536.0", "-1.0", "65537.0"]),
        ("int", &["2147483647.5", "-2147483648.5"], &["2147483648.0", "-2147483649.0"]),
        ("unsigned", &["4294967295.5", "-0.5"], &["4294967296.0", "-1.0"]),
        ("long", &["0x1.fffffffffffffp62", "-0x1p63"], &["0x1p63", "-0x1.0000000000001p63"]),
        (
            "unsigned long",
            &["0x1.fffffffffffffp63", "-0.9", "0x1p63"],
            &["0x1p64", "-1.0", "1e300"],
        ),
        (
            "__int128",
            &["0x1.fffffffffffffp126", "-0x1p127", "-1.0"],
            &["0x1p127", "-0x1.0000000000001p127", "-0x1p130"],
        ),
        (
            "unsigned __int128",
            &["0x1.fffffffffffffp127", "-0.9", "0x1p100"],
            &["0x1p128", "-1.0", "-0x1p70"],
        ),
    ];
    let names = ["[arith.conversion, CWE-681]", "[arith.float-conversion, CWE-681]"];
    for (request, name) in requests.iter().zip(names) {
        for (source, (target, inside, outside)) in
            SOURCES[2..].iter().flat_map(|source| bounds.iter().map(move |bound| (source, bound)))
        {
            let run = |value: &str| {
                let text = format!(
                    "int main(void) {{ volatile {source} v = {value}; {target} x = ({target})v; (void)x; return 0; }}"
                );
                interpret(&folder, &text, request)
            };
            for value in *inside {
                let (ended, _, messages) = run(value);
                assert_eq!(ended, Ended::Exited(0), "{source} {value} to {target}: {messages}");
            }
            for value in outside.iter().chain(&["0.0 / 0.0", "1.0 / 0.0", "-1.0 / 0.0"]) {
                let (ended, _, messages) = run(value);
                let shown = messages.contains(name);
                assert!(shown, "{source} {value} to {target}: {ended:?} {messages}");
            }
        }
    }
}

//! Depth, size, determinism, damaged programs.

use crate::corpus::programs;
use crate::round_trip::{front_end, gcc_or_skip, print};
use std::time::{Duration, Instant};
use vergo_cfront::target::DataModel;
use vergo_cfront::{Options, analyze, parse, print_c};
use vergo_source::{Diagnostics, SourceMap};
use vergo_testkit::mutate::Mutator;

/// Deep and long programs, by their repeated parts.
fn deep(n: usize) -> Vec<(&'static str, String)> {
    let statement = |inner: String| format!("int f(int x, int *p) {{ {inner} }}");
    vec![
        ("parentheses", statement(format!("return {}x{};", "(".repeat(n), ")".repeat(n)))),
        ("minus", statement(format!("return {}x;", "- ".repeat(n)))),
        ("sum", statement(format!("return x{};", " + x".repeat(n)))),
        ("nested sum", statement(format!("return {}x{};", "x + (".repeat(n), ")".repeat(n)))),
        ("conditional", statement(format!("return {}1;", "x ? 2 : ".repeat(n)))),
        ("blocks", statement(format!("{}x++;{} return x;", "{".repeat(n), "}".repeat(n)))),
        ("ifs", statement(format!("{}x++; return x;", "if (x) ".repeat(n)))),
        ("else", statement(format!("{}; return x;", "if (x) x++; else ".repeat(n)))),
        (
            "labels",
            statement(format!(
                "switch (x) {{ {} }} return x;",
                (0..n).map(|i| format!("case {i}: ")).collect::<String>() + ";"
            )),
        ),
        ("loops", statement(format!("{}x++; return x;", "while (x) ".repeat(n)))),
        ("pointers", format!("int {}x;", "*".repeat(n))),
        ("arrays", format!("char x{};", "[1]".repeat(n.min(2000)))),
        ("casts", statement(format!("return {}x;", "(char)".repeat(n)))),
        ("commas", statement(format!("return {}x;", "x++, ".repeat(n)))),
        (
            "statement expressions",
            statement(format!("return {}x;{};", "({ ".repeat(n), " })".repeat(n))),
        ),
        ("initialisers", format!("struct s {{ int a; }} x[] = {{ {} }};", "{ 1 }, ".repeat(n))),
        (
            "declarations",
            (0..n).map(|i| format!("int v{i}; int g{i}(void) {{ return v{i}; }}\n")).collect(),
        ),
    ]
}

#[test]
fn depth_needs_no_stack() {
    for (name, text) in deep(3000) {
        // What the parser takes for too deep is an answer as well.
        if let Ok(unit) = front_end(text.as_bytes(), DataModel::Lp64) {
            assert!(!print_c(&unit).is_empty(), "{name}");
        }
    }
}

#[test]
fn printing_takes_linear_time() {
    let time = |n: usize| -> Vec<(&'static str, Duration)> {
        deep(n)
            .into_iter()
            .filter_map(|(name, text)| {
                let unit = front_end(text.as_bytes(), DataModel::Lp64).ok()?;
                let best = (0..3).map(|_| {
                    let start = Instant::now();
                    let printed = print_c(&unit);
                    assert!(!printed.is_empty());
                    start.elapsed()
                });
                Some((name, best.min()?))
            })
            .collect()
    };
    // A quadratic algorithm takes minutes for the large ones; everything else is the noise of a busy machine, which has
    // to find pages for the stack as well.
    let (small, large) = (time(4000), time(32_000));
    for (name, large) in large {
        if let Some((_, small)) = small.iter().find(|(other, _)| *other == name) {
            let limit = *small * 30 + Duration::from_secs(1);
            assert!(large < limit, "{name}: {small:?} for 4000, {large:?} for 32000");
        }
    }
}

/// Typedefs of the source can stand for a type whose text is exponential in their number.
#[test]
fn types_are_not_written_out_for_ever() {
    let mut text = "typedef void (*t0)(int);\n".to_owned();
    for i in 1..60 {
        text += &format!("typedef void (*t{i})(t{}, t{});\n", i - 1, i - 1);
    }
    text += "t59 f(t59 x, t58 y) { return x; }\n";
    text += "typedef int";
    text += &" *".repeat(2000);
    text += " long_pointer;\nlong_pointer p, *q = &p; struct s { long_pointer a, b; } s;\n";
    let printed = print(text.as_bytes(), DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
    assert!(printed.len() < 100_000, "{} bytes", printed.len());
    let Some(gcc) = gcc_or_skip("types_are_not_written_out_for_ever") else { return };
    let checked = gcc.check(printed.as_bytes(), &["-w"]).expect("gcc runs");
    assert!(checked.success(), "{}", checked.stderr_text());
}

#[test]
fn printing_is_deterministic() {
    let Some(gcc) = gcc_or_skip("printing_is_deterministic") else { return };
    for file in programs().into_iter().step_by(5) {
        let text = std::fs::read(file).expect("a readable file");
        let text = gcc.preprocess(&text, &[]).expect("gcc runs").stdout;
        let first = print(&text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
        let second = print(&text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(first, second);
    }
}

/// Whatever the analysis makes of a damaged program, printing it does not panic; if no error was reported, the print is
/// accepted again.
#[test]
fn damaged_programs_are_printed_or_rejected() {
    let count = if vergo_testkit::environment::slow() { 3000 } else { 150 };
    let mut mutator = Mutator::new(7);
    let texts: Vec<Vec<u8>> = programs()
        .into_iter()
        .map(|file| {
            let text = std::fs::read_to_string(file).expect("a readable file");
            // The programs without their headers: much in them becomes undeclared.
            let lines = text.lines().filter(|line| !line.starts_with("#include"));
            lines.collect::<Vec<_>>().join("\n").into_bytes()
        })
        .collect();
    let seeds: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    for round in 0..count {
        let mutated = mutator.next(&seeds);
        let mut map = SourceMap::new();
        let file = map.add("mutated.c", mutated.as_slice()).expect("a small file");
        let options = Options::default();
        let mut diagnostics = Diagnostics::new();
        let ast = parse(&mut map, file, &options, &mut diagnostics);
        let unit = analyze(ast, &map, &options, &mut diagnostics);
        let printed = print_c(&unit);
        if !diagnostics.has_errors() {
            let again = front_end(printed.as_bytes(), DataModel::Lp64);
            assert!(again.is_ok(), "round {round}: {}\n{printed}", again.err().unwrap_or_default());
        }
    }
}

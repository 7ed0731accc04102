//! Large and deep programs: memory and time are linear, and no stack overflows.

use crate::{check, lower, run, running};
use std::fmt::Write;
use vergo_cfront::target::DataModel;
use vergo_interp::Outcome;
use vergo_lower::Options;

fn lowers(text: &str) -> vergo_goto::program::Program {
    lower("large.c", text.as_bytes(), DataModel::Lp64, &Options::default()).expect("it lowers")
}

#[test]
fn a_long_function() {
    let mut text = String::from("int g(int);\nint main(void) { int a = 0, b = 1;\n");
    for i in 0..100_000 {
        let _ = writeln!(text, "a = b + {i}; b = a * 3;");
    }
    text.push_str("return a; }\n");
    let program = lowers(&text);
    assert!(program.functions.values().any(|f| f.body.as_ref().is_some_and(|b| b.len() > 200_000)));
}

#[test]
fn a_large_table_is_compact() {
    let mut text = String::from("int table[] = {\n");
    for i in 0..200_000 {
        let _ = write!(text, "{i},");
    }
    text.push_str("};\nint main(void) { return table[5]; }\n");
    let program = lowers(&text);
    let parts: usize = program
        .symbols
        .values()
        .filter_map(|s| match &s.kind {
            vergo_goto::program::SymbolKind::Static {
                init: vergo_goto::program::StaticInit::Data(parts),
                ..
            } => Some(parts.len()),
            _ => None,
        })
        .sum();
    assert!(parts < 10, "{parts} parts");
}

#[test]
fn deep_nesting() {
    let deep = 5_000;
    let sum = format!("int f(int x) {{ return {}x{}; }}", "(1 + ".repeat(deep), ")".repeat(deep));
    let blocks = format!(
        "int g(int x) {{ {} x++; {} return x; }}",
        "if (x) {".repeat(deep / 2),
        "}".repeat(deep / 2)
    );
    let chain =
        format!("int h(int x) {{ {} return x; }}", "if (x == 1) x = 2; else ".repeat(20_000) + ";");
    let long = format!("int k(int x) {{ return {}x; }}", "x + ".repeat(50_000));
    let calls = format!("int id(int x); int m(int x) {{ return {}0; }}", "id(x) + ".repeat(20_000));
    for text in [sum, blocks, chain, long, calls] {
        let text = format!("{text}\nint main(void) {{ return 0; }}");
        let program = lowers(&text);
        assert!(vergo_goto::verify::verify(&program).is_ok());
    }
}

#[test]
fn a_large_switch_runs() {
    let mut text = String::from("int f(int x) { switch (x) {\n");
    for i in 0..5_000 {
        let _ = writeln!(text, "case {i}: return {};", i % 7);
    }
    text.push_str("} return 9; }\nint main(void) { return f(4999) * 10 + f(5000); }\n");
    let program =
        lower("switch.c", text.as_bytes(), DataModel::Lp64, &running()).expect("it lowers");
    check(&program).expect("it is well formed");
    assert!(matches!(run(&program).1, Outcome::Exited(19)));
}

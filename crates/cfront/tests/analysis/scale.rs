//! Large and deep inputs: linear time, no overflow of the stack.

use crate::analysed;
use std::fmt::Write;
use std::time::{Duration, Instant};
use vergo_cfront::target::DataModel;

/// Far more than a linear analysis needs, far less than a quadratic one would take.
const LIMIT: Duration = Duration::from_secs(20);

fn accepted(text: &str) {
    let start = Instant::now();
    let analysed = analysed(DataModel::Lp64, text.as_bytes());
    assert!(!analysed.diags.has_errors(), "{}", analysed.messages());
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn many_globals() {
    let mut text = String::new();
    for index in 0..60_000 {
        let _ = writeln!(text, "int g{index} = {index}; int f{index}(void);");
    }
    accepted(&text);
}

#[test]
fn long_initialisers() {
    let mut text = String::from("int a[] = {");
    for index in 0..60_000 {
        let _ = write!(text, "{index}, ");
    }
    text.push_str("};\nint b[60000] = {");
    for index in (0..60_000).rev() {
        let _ = write!(text, "[{index}] = {index}, ");
    }
    text.push_str("};\nstruct { int x, y; } c[] = {");
    for index in 0..40_000 {
        let _ = write!(text, "{index}, ");
    }
    text.push_str("};\n");
    accepted(&text);
}

#[test]
fn many_cases_and_members() {
    let mut text = String::from("int f(int x) { switch (x) {\n");
    for index in 0..60_000 {
        let _ = writeln!(text, "case {index}: return {};", index + 1);
    }
    text.push_str("} return 0; }\nstruct big {\n");
    for index in 0..20_000 {
        let _ = writeln!(text, "int m{index};");
    }
    text.push_str("} big;\nint g(void) { int s = 0;\n");
    for index in 0..20_000 {
        let _ = writeln!(text, "s += big.m{index};");
    }
    text.push_str("return s; }\n");
    accepted(&text);
}

#[test]
fn deep_nesting() {
    let n = 5_000;
    accepted(&format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)));
    accepted(&format!("int f(int x) {{ return {}x; }}", "-~".repeat(n)));
    accepted(&format!("int f(int x) {{ {} return x; {} }}", "{".repeat(n), "}".repeat(n)));
    accepted(&format!("int f(int x) {{ {} return x; }}", "if (x) ".repeat(n)));
    accepted(&format!("int {}p;", "*".repeat(n)));
    accepted(&format!("int f(int x) {{ return x{}; }}", " + x".repeat(20_000)));
    accepted(&format!("int f(int x) {{ {} ; return x; }}", "if (x) x++; else ".repeat(5_000)));
    let mut text = String::from("struct s0 { int x; };\n");
    for index in 1..2_000 {
        let _ = writeln!(text, "struct s{index} {{ struct s{} m; }};", index - 1);
    }
    accepted(&text);
    let mut text = String::from("struct s { ");
    text.push_str(&"struct { ".repeat(1_000));
    text.push_str("int x;");
    text.push_str(&" };".repeat(1_000));
    text.push_str(" } s; int f(void) { return s.x; }");
    accepted(&text);
}

#[test]
fn many_errors_stay_bounded() {
    let mut text = String::from("void f(void) {\n");
    for index in 0..20_000 {
        let _ = writeln!(text, "missing{index} = 1;");
    }
    text.push_str("}\n");
    let start = Instant::now();
    let analysed = analysed(DataModel::Lp64, text.as_bytes());
    assert!(analysed.diags.has_errors());
    assert!(start.elapsed() < LIMIT);
}

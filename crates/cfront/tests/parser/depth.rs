//! Depth: brackets that nest and chains that go on.

use crate::{Parsed, parsed};
use std::fmt::Write;
use std::time::{Duration, Instant};
use vergo_cfront::dump;

fn quick(text: &str) -> Parsed {
    let start = Instant::now();
    let parsed = parsed(text.as_bytes());
    assert!(start.elapsed() < Duration::from_secs(20), "{:.40}: {:?}", text, start.elapsed());
    parsed
}

/// Chains that are long rather than deep are read whole.
#[test]
fn long_chains() {
    let n = 100_000;
    let else_if = format!("void f(void) {{ {} ; }}", "if (x) ; else ".repeat(n));
    let cases = format!("void f(void) {{ switch (x) {{ {} ; }} }}", "case 1: ".repeat(n));
    let mut initialisers = String::from("int a[] = {");
    for i in 0..n {
        let _ = write!(initialisers, "{i},");
    }
    initialisers.push_str("};");
    for text in [
        format!("int x = 1 {};", "+ a ".repeat(n)),
        format!("int x = a {};", "= a ".repeat(n)),
        format!("int x = 1 {};", "? 2 : 3 ".repeat(n)),
        format!("int x = {} 1;", "a ? b : ".repeat(n)),
        format!("int x = (1 {});", ", a".repeat(n)),
        format!("int x = {} a;", "- ".repeat(n)),
        format!("int x = {} a;", "(int) ".repeat(n)),
        format!("int x = {} a;", "sizeof ".repeat(n)),
        format!("int x = a {};", "[1]".repeat(n)),
        format!("int x = a {};", ".b".repeat(n)),
        format!("int x = a {};", "()".repeat(n)),
        format!("int {} x;", "*".repeat(n)),
        format!("int x{};", "[2]".repeat(n)),
        format!("char *s = {};", "\"a\" ".repeat(n)),
        format!("void f(void) {{ {} ; }}", "l: ".repeat(n)),
        format!("struct s {{ {} }};", "int a; ".repeat(n)),
        format!("int f(int a {});", ", int".repeat(n)),
        format!("void f(void) {{ {} }}", "{ ; } x = 1; ".repeat(n)),
        "int x; ".repeat(n),
        initialisers,
        else_if,
        cases,
    ] {
        let parsed = quick(&text);
        assert!(!parsed.diags.has_errors(), "{:.60}\n{}", text, parsed.messages());
    }
}

/// Nests of a depth that programs can have.
#[test]
fn deep_nests() {
    let n = 3000;
    for (open, middle, close) in NESTS {
        let text = format!("{}{middle}{}", open.repeat(n), close.repeat(n));
        for (before, after) in [("int x = ", ";"), ("void f(void) { ", " }"), ("", ";")] {
            quick(&format!("{before}{text}{after}"));
        }
    }
    let text = format!("int x = {}1{};", "(".repeat(n), ")".repeat(n));
    assert!(!quick(&text).diags.has_errors());
    let text = format!("int x = {}1{};", "{".repeat(n), "}".repeat(n));
    assert!(!quick(&text).diags.has_errors());
    let text = format!("int {}x{};", "(".repeat(n), ")".repeat(n));
    assert!(!quick(&text).diags.has_errors());
    let text = format!("{}int x;{};", "struct s { ".repeat(n), "} a; ".repeat(n));
    assert!(!quick(&text).diags.has_errors());
    let text = format!("void f(void) {}{}", "{".repeat(n), "}".repeat(n));
    let parsed = quick(&text);
    assert!(!parsed.diags.has_errors());
    dump::ast(&parsed.ast, &parsed.sources);
}

const NESTS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("{", "1", "}"),
    ("[", "1", "]"),
    ("*", "a", ""),
    ("-", "a", ""),
    ("&", "a", ""),
    ("&&", "a", ""),
    ("!", "a", ""),
    ("++", "a", ""),
    ("(int)", "a", ""),
    ("sizeof(", "1", ")"),
    ("sizeof ", "1", ""),
    ("struct{", "int x;", "}"),
    ("struct s{", "int x;", "}x;"),
    ("enum{a=sizeof(", "1", ")}"),
    ("if(1)", ";", ""),
    ("if(1){", ";", "}"),
    ("if(1);else ", ";", ""),
    ("if(1)a;else ", ";", ""),
    ("while(1)", ";", ""),
    ("for(;;)", ";", ""),
    ("do ", ";", " while(1);"),
    ("switch(1)case 1:", ";", ""),
    ("l:", ";", ""),
    ("case 1:", ";", ""),
    ("a?", "b", ":c"),
    ("a?b:", "c", ""),
    ("a=", "1", ""),
    ("f(", "1", ")"),
    ("a[", "1", "]"),
    ("(*", "x", ")(int)"),
    ("int(*", "x", ")"),
    ("int f(", "int", ")"),
    ("typeof(", "int", ")"),
    ("typeof(int[", "1", "])"),
    ("_Atomic(", "int", ")"),
    ("({", "1;", "})"),
    ("(int){", "1", "}"),
    ("_Generic(1,int:", "1", ")"),
    ("__attribute__((x(", "1", ")))"),
    ("__attribute__((", "x", "))"),
    ("[[", "x", "]]"),
    ("[[x(", "1", ")]]"),
    ("__extension__ ", "1", ""),
    ("_Alignas(", "1", ")"),
    ("_Static_assert(", "1", ");"),
    ("asm(\"\"::\"\"(", "1", "))"),
    (".a=", "1", ""),
    ("[1]=", "1", ""),
    ("\"\"", "", ""),
    ("a,", "b", ""),
    ("a+", "b", ""),
    ("a.", "b", ""),
    ("/*", "", "*/"),
    ("#", "", ""),
    ("#\n", "", ""),
    ("\\\n", "", ""),
    ("'", "", ""),
    ("'\n", "", ""),
    ("@", "", ""),
    ("@ a", "", ""),
    ("__builtin_offsetof(int,a[", "1", "])"),
    ("void f(){", "", "}"),
    ("int x;}", "", ""),
    ("foo bar;", "", ""),
    ("foo ", "", ""),
    ("a:", "", ""),
    ("else ", "", ""),
    ("const ", "", ""),
    ("static ", "", ""),
    ("int ", "", ""),
    ("...", "", ""),
    ("_Pragma(", "\"\"", ")"),
    ("# 1 \"a\" 1\n", "", ""),
    ("#line 5\n", "", ""),
    ("R\"(", "", ""),
    ("\u{ff}", "", ""),
];

/// Far beyond every limit: an answer, soon.
#[test]
fn absurd_nests() {
    let n = if vergo_testkit::environment::slow() { 1_000_000 } else { 15_000 };
    for (open, middle, close) in NESTS {
        for closed in [false, true] {
            let mut text = open.repeat(n);
            if closed {
                text.push_str(middle);
                text.push_str(&close.repeat(n));
            }
            for (before, after) in [("int x = ", ";"), ("void f(void) { ", " }"), ("", ";")] {
                let start = Instant::now();
                quick(&format!("{before}{text}{after}"));
                if start.elapsed() > Duration::from_secs(2) {
                    println!("{before}{open}... takes {:?}", start.elapsed());
                }
            }
        }
    }
}

#[test]
fn the_limit_is_told() {
    let n = 20_000;
    let parsed = quick(&format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)));
    let messages = parsed.messages();
    assert!(messages.contains("error[C0118]: the nesting is too deep here"), "{messages}");
    assert!(messages.contains("a.c:1:1"), "{messages}");
    assert_eq!(parsed.diags.error_count(), 1);
}

//! The verifier: each rule has a program that breaks it.

use vergo_goto::text::parse;
use vergo_goto::verify::verify;

/// The first error of a text that parses.
fn first_error(text: &str) -> String {
    match verify(&parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))) {
        Ok(()) => panic!("nothing is wrong with\n{text}"),
        Err(errors) => errors[0].to_string(),
    }
}

#[test]
fn each_rule_is_checked() {
    let body = |code: &str| {
        format!(
            "struct s size 4 align 4 {{ a: i32 @0; }}\n\
             static g: i32 align 4;\n\
             function h: fn(i32) -> i32 {{ param n: i32 align 4; return n; }}\n\
             function f: fn() -> void labels 2 {{ local x: i32 align 4; local b: bool align 1; {code} }}"
        )
    };
    let cases = [
        ("struct s size 4 align 4 { a: i32 @2; }".to_owned(), "has no place in it"),
        ("struct s size 4 align 3 { }".to_owned(), "no power of two"),
        ("struct s size 4 align 4 { a: i32 @0; a: i32 @0; }".to_owned(), "two members"),
        ("struct s size 4 align 4 { a: u9 @3:0; }".to_owned(), "has no place in it"),
        ("struct s size 8 align 4 { a: struct s[1] @0; }".to_owned(), "contains itself"),
        ("static x: void align 1;".to_owned(), "without values"),
        ("static x: i32 align 4 = { @2: 1i32; };".to_owned(), "lies outside"),
        ("static x: i32 align 4; static y: i32 align 4 = { @0: x; };".to_owned(), "not constant"),
        ("function f: i32 { return; }".to_owned(), "not a function type"),
        ("function f: fn(i32) -> i32 { return 1i32; }".to_owned(), "not those of its type"),
        ("function f: fn() -> void { }".to_owned(), "empty"),
        ("entry f; function f: fn() -> i32 { return 1i32; }".to_owned(), "entry function"),
        (body("skip;"), "falls off the end"),
        (body("return 1i32;"), "result's type"),
        (body("goto L1;"), "L1 stands nowhere"),
        (body("L0: L0: return;"), "L0 stands twice"),
        (body("L7: return;"), "L7 is not below"),
        (body("x := 1u32; return;"), "not of the place's type"),
        (body("1i32 := x; return;"), "no place"),
        (body("x := x + 1i64; return;"), "Add"),
        (body("x := n; return;"), "another function"),
        (body("if x goto L0; L0: return;"), "not of type `bool`"),
        (body("x := call h(); return;"), "number of arguments"),
        (body("x := call h(1i8); return;"), "parameter's type"),
        (body("b := call h(1i32); return;"), "result's type"),
        (body("decl g; return;"), "local variable"),
        (body("x := #nondet<i32>(0); return;"), "not taken"),
        (body("free heap x; return;"), "pointer"),
        (body("b := #is_live(x); return;"), "IsLive"),
        (body("x := intrinsic write(x); return;"), "Write"),
        (body("x := #bits<i32>(1i64); return;"), "another size"),
        (body("g := *(i32*)&b; return;"), "without a size"),
    ];
    for (text, expected) in cases {
        let error = first_error(&text);
        assert!(error.contains(expected), "{text}\n{error}");
    }
    assert_eq!(
        first_error(&body("skip; x := 1u32; return;")),
        "f: instruction 1: the value assigned is not of the place's type"
    );
}

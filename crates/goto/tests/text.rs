//! The text format: round trips of random programs, positioned errors, no panic on malformed text.

use expect_test::expect;
use vergo_goto::sample;
use vergo_goto::text::{Named, PrintOptions, parse, parse_as_source, print, print_with};
use vergo_goto::verify::verify;
use vergo_source::Span;

#[test]
fn random_programs_are_well_formed_and_round_trip() {
    for seed in 0..300 {
        let program = sample::program(seed);
        if let Err(errors) = verify(&program) {
            panic!("seed {seed}: {}\n{}", errors[0], print(&program));
        }
        for options in [PrintOptions { spans: false }, PrintOptions { spans: true }] {
            let text = print_with(&program, options);
            let parsed = parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
            if let Err(errors) = verify(&parsed) {
                panic!("seed {seed}: {}\n{text}", errors[0]);
            }
            assert_eq!(print_with(&parsed, options), text, "seed {seed}");
        }
    }
}

const EXAMPLE: &str = r#"machine 32 x87 12 wide 4;
sites 3;
entry main;
struct node size 16 align 4 {
    value: i32 @0;
    flag: u1 @4:3;
    next: struct node* @8;
}
struct opaque align 1;
union word size 8 align 8 {
    i: u64 @0;
    d: f64 @0;
}
static head "first": struct node* align 4 = { @0: &`odd name`.next + -1i32; };
static `odd name`: struct node align 4 @5..9;
static const text: i8[3] align 1 = { @0: bytes "hi\00"; };
static thread_local tls: i32 align 4 = nondet;

extern function puts: fn(i8*) -> i32 library;

function main "main function": fn() -> void labels 2 @10..20 {
    local x "": i32 align 4;
    local p "": [fn(i8*) -> i32]* align 4;
    local b "": bool align 1;
    local w "": struct word align 8;
    decl x @1..2;
    x := #nondet<i32>(2) @3..4 { x @3..4; };
  L0: @7..8;
    p := @puts;
    b := (head->value < -5i32 ==> b ==> !(x == 3i32)) && #is_live(head);
    w := #make<struct word>{1: -0.0f64};
    w.d := #float<f64>(nan);
    x := (i32)w.d + -(1i32) - -1i32 * (x - (x - 2i32));
    x := b ? x : (b ? 1i32 : x) + (i32)(u8)x;
    x := call *(p)(&text[0u32]);
    head := alloc(16u32) align 8 heap zeroed;
    head := #addr<struct node*>(16);
    (*head).flag := #round<RTP>(w.d) <= 1.5f64 ? 1u1 : 0u1;
    assert head != #null<struct node*> "memory.null" "a \"pointer\"" cwe 476 @9..10;
    if b goto L0;
    x := intrinsic write(1i32, (void*)&x, 4u32);
    free heap head;
    goto L1;
  L1:
    end x;
}
"#;

#[test]
fn every_form_prints_as_it_was_written() {
    let program = parse(EXAMPLE).unwrap();
    verify(&program).unwrap();
    let text = print_with(&program, PrintOptions { spans: true });
    // Parentheses and arrows come out in their normal form.
    let expected = EXAMPLE.replace("(*head).flag", "head->flag");
    assert_eq!(text, expected);
}

#[test]
fn errors_have_positions() {
    let cases = [
        ("machine 33 x87 12 wide 4;", expect!["1:12: pointers are 32 or 64 bits wide"]),
        ("function f: fn() -> void {\n  x := 1i32;\n}", expect!["2:3: there is no variable `x`"]),
        ("entry f;", expect!["1:7: the entry function is not there"]),
        (
            "function f: fn() -> i32 { return 300u8; }",
            expect!["1:34: the number does not fit its type"],
        ),
        (
            "struct s size 4 align 4 { x: struct t @0; }",
            expect!["1:37: this structure is not there"],
        ),
        ("function f: fn() -> void { goto L1", expect!["1:35: the item does not end"]),
        (
            "static x: i32 align 4 = { @0: \"\\zz\"; };",
            expect!["1:31: an expression should stand here"],
        ),
        ("  ¤", expect!["1:3: this character means nothing here"]),
    ];
    for (text, expected) in cases {
        let error = parse(text).map(|_| ()).unwrap_err();
        expected.assert_eq(&error.to_string());
    }
}

#[test]
fn malformed_text_is_an_error_not_a_panic() {
    let mut mutator = vergo_testkit::mutate::Mutator::new(7);
    let samples: Vec<String> =
        (0..5).map(|seed| print(&sample::program(seed))).chain([EXAMPLE.to_owned()]).collect();
    let seeds: Vec<&[u8]> = samples.iter().map(|s| s.as_bytes()).collect();
    for _ in 0..1500 {
        let bytes = mutator.next(&seeds);
        if let Ok(program) = parse(&String::from_utf8_lossy(&bytes)) {
            let _ = verify(&program);
        }
    }
}

#[test]
fn deep_nesting_is_no_trouble() {
    let n = 100_000;
    for (open, core, close) in [("(", "true", ")"), ("!", "true", ""), ("true ==> ", "true", "")] {
        let text = format!(
            "function f: fn() -> bool {{ return {}{core}{}; }}",
            open.repeat(n),
            close.repeat(n)
        );
        let program = parse(&text).unwrap();
        verify(&program).unwrap();
        assert_eq!(print(&parse(&print(&program)).unwrap()), print(&program));
    }
}

/// A graph of shared subexpressions whose tree would be astronomically large.
#[test]
fn shared_expressions_print_once() {
    let text = "function f: fn(u32) -> u32 { param x: u32 align 4; return x; }";
    let mut program = parse(text).unwrap();
    let x = program.functions.values().next().unwrap().params[0];
    let mut e = program.symbol(x);
    for _ in 0..200 {
        e = program.add(e, e);
    }
    let f = program.function_named("f").unwrap();
    program.functions[f].body.as_mut().unwrap()[0].kind =
        vergo_goto::program::InstrKind::Return(Some(e));
    verify(&program).unwrap();
    let text = print(&program);
    assert!(text.len() < 20_000, "{}", text.len());
    assert_eq!(print(&parse(&text).unwrap()), text);
}

/// A printed program that is read as a source is the same program; every name has its place in the text, and is declared
/// once.
#[test]
fn a_text_that_is_the_source_knows_its_places() {
    const BASE: u32 = 100;
    for seed in 0..40 {
        let program = sample::program(seed);
        // Spans that are written do not count.
        let text = print_with(&program, PrintOptions { spans: seed % 2 == 0 });
        let (read, names) = parse_as_source(&text, BASE).unwrap();
        assert_eq!(print(&read), print(&program), "seed {seed}");
        let at = |span: Span| &text[(span.lo - BASE) as usize..(span.hi - BASE) as usize];
        for place in &names {
            let name = match place.named {
                Named::Struct(id) => read.types.structs[id].name.clone(),
                Named::Field(id, field) => {
                    read.types.structs[id].fields[field as usize].name.clone()
                }
                Named::Symbol(id) => read.symbols[id].name.clone(),
                Named::Function(id) => read.functions[id].name.clone(),
                Named::Label(_, label) => format!("L{}", label.as_u32()),
            };
            assert_eq!(at(place.span).trim_matches('`'), name, "seed {seed}");
            let same = names.iter().filter(|other| other.named == place.named && other.declares);
            assert_eq!(same.count(), 1, "seed {seed}: {name}");
        }
        for function in read.functions.values() {
            assert_eq!(at(function.span).trim_matches('`'), function.name);
            for instr in function.body.iter().flatten() {
                assert!(!at(instr.span).is_empty());
            }
        }
    }
}

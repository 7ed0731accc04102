//! Constant evaluation against the host's compiler, on random expressions.

use crate::{array_values, unit_of, variable};
use std::fmt::Write;
use std::time::Duration;
use vergo_cfront::hir::{ExprKind, InitKind};
use vergo_cfront::target::DataModel;
use vergo_testkit::Rng;
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::host_c::{HostC, Scratch};

const TYPES: &[&str] = &[
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
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
];

/// A random integer constant expression without undefined behaviour: operations that could go wrong are done in
/// unsigned arithmetic, divisors are odd, shift counts small.
fn expression(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.one_in(6) {
        return match rng.below(9) {
            0 => rng.below(10).to_string(),
            1 => format!("{}u", rng.bits() as u32),
            2 => format!("0x{:x}", rng.bits() as u32),
            3 => format!("{}ll", (rng.bits() >> 1) as i64),
            4 => format!("{}ull", rng.bits()),
            5 => format!("'\\x{:x}'", rng.below(256)),
            6 => format!("(-{})", rng.below(100_000)),
            7 => format!("sizeof({})", rng.choose(TYPES)),
            _ => format!("(short){}", rng.below(70_000)),
        };
    }
    let a = expression(rng, depth - 1);
    match rng.below(14) {
        0 => {
            let b = expression(rng, depth - 1);
            let op = rng.choose(&["<", ">", "<=", ">=", "==", "!="]);
            format!("({a} {op} {b})")
        }
        1 => {
            let b = expression(rng, depth - 1);
            let op = rng.choose(&["&", "|", "^"]);
            format!("({a} {op} {b})")
        }
        2 => {
            let b = expression(rng, depth - 1);
            let op = rng.choose(&["+", "-", "*"]);
            format!("((unsigned long long){a} {op} {b})")
        }
        3 => {
            let b = expression(rng, depth - 1);
            let op = rng.choose(&["+", "-", "*"]);
            format!("((unsigned){a} {op} (unsigned){b})")
        }
        4 => {
            let op = rng.choose(&["/", "%"]);
            format!("({a} {op} {})", 1 + 2 * rng.below(1000))
        }
        5 => {
            let op = rng.choose(&["<<", ">>"]);
            format!("((unsigned){a} {op} {})", rng.below(32))
        }
        6 => format!("((long long){a} >> {})", rng.below(64)),
        7 => {
            let (b, c) = (expression(rng, depth - 1), expression(rng, depth - 1));
            format!("({a} ? {b} : {c})")
        }
        8 => {
            let b = expression(rng, depth - 1);
            let op = rng.choose(&["&&", "||"]);
            format!("({a} {op} {b})")
        }
        9 => format!("(!{a})"),
        10 => format!("(~{a})"),
        11 => format!("(-(unsigned long){a})"),
        // Narrow integers through floating types, exactly.
        12 => format!("(int)(double)(int){a}"),
        _ => format!("({}){a}", rng.choose(&TYPES[..12])),
    }
}

fn integers(model: DataModel, gcc: &HostC, seed: u64, n: usize) {
    let mut rng = Rng::new(seed);
    let expressions: Vec<String> = (0..n).map(|_| expression(&mut rng, 4)).collect();
    let mut program = String::from("#include <stdio.h>\nint main(void) {\n");
    let mut text = String::from("long long values[] = {\n");
    let mut sizes = String::from("unsigned long sizes[] = {\n");
    for e in &expressions {
        let _ = writeln!(
            program,
            "  printf(\"%lld %lu\\n\", (long long){e}, (unsigned long)sizeof({e}));"
        );
        let _ = writeln!(text, "  (long long){e},");
        let _ = writeln!(sizes, "  sizeof({e}),");
    }
    program.push_str("  return 0;\n}\n");
    text.push_str("};\n");
    sizes.push_str("};\n");
    let folder = Scratch::new("constants").expect("a folder");
    let finished = gcc
        .run_text(&folder, &program, &["-w", "-O0"], Duration::from_secs(20))
        .expect("the compiler runs");
    assert!(finished.success(), "{}", finished.stderr_text());
    let unit = unit_of(model, &format!("{text}{sizes}"));
    let values = array_values(&unit, "values");
    let sizes = array_values(&unit, "sizes");
    let theirs = finished.stdout_text();
    for (((e, value), size), theirs) in
        expressions.iter().zip(values).zip(sizes).zip(theirs.lines())
    {
        let (ExprKind::Int(value), ExprKind::Int(size)) =
            (unit.exprs[value].kind, unit.exprs[size].kind)
        else {
            panic!("{e} is not folded");
        };
        assert_eq!(format!("{} {size}", value as i64), theirs, "{model:?} {e}");
    }
    assert_eq!(theirs.lines().count(), expressions.len());
}

#[test]
fn integer_constant_expressions() {
    let Some(gcc) = HostC::find() else {
        return skip("integer_constant_expressions", "there is no gcc");
    };
    let rounds = if slow() { 30 } else { 2 };
    for seed in 0..rounds {
        integers(DataModel::Lp64, &gcc, seed, 300);
        if let Some(gcc) = gcc.for_32_bits() {
            integers(DataModel::Ilp32, &gcc, 1000 + seed, 300);
        }
    }
}

/// A random floating constant expression.
fn float_expression(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.one_in(5) {
        return match rng.below(7) {
            0 => format!("{}.{}e{}", rng.below(100), rng.below(100_000), rng.below(30) as i32 - 15),
            1 => format!("{}.{}f", rng.below(100), rng.below(100_000)),
            2 => format!("{}.{}L", rng.below(100), rng.below(100_000)),
            3 => format!("0x1.{:x}p{}", rng.bits() as u32, rng.below(60) as i32 - 30),
            4 => rng.below(1_000_000).to_string(),
            5 => format!("{}ull", rng.bits()),
            _ => format!("(float){}", rng.below(1 << 30)),
        };
    }
    let (a, b) = (float_expression(rng, depth - 1), float_expression(rng, depth - 1));
    match rng.below(6) {
        0 => format!("(({a}) + ({b}))"),
        1 => format!("(({a}) - ({b}))"),
        2 => format!("(({a}) * ({b}))"),
        3 => format!("(({a}) / (1.0f + ({b}) * ({b})))"),
        4 => format!("({})({a})", rng.choose(&["float", "double", "long double"])),
        _ => format!("(({a}) < ({b}) ? ({a}) : -({b}))"),
    }
}

#[test]
fn floating_constant_expressions() {
    let Some(gcc) = HostC::find() else {
        return skip("floating_constant_expressions", "there is no gcc");
    };
    let mut rng = Rng::new(7);
    let expressions: Vec<String> = (0..400).map(|_| float_expression(&mut rng, 4)).collect();
    let mut program = String::from(
        "#include <stdio.h>\n#include <string.h>\nstatic void show(double d) { unsigned long long b; memcpy(&b, &d, 8); \
         printf(\"%llx\\n\", b); }\n",
    );
    let mut main = String::from("int main(void) {\n");
    let mut text = String::from("double values[] = {\n");
    for (index, e) in expressions.iter().enumerate() {
        let _ = writeln!(program, "static double x{index} = {e};");
        let _ = writeln!(main, "  show(x{index});");
        let _ = writeln!(text, "  {e},");
    }
    let program = format!("{program}{main}  return 0;\n}}\n");
    text.push_str("};\n");
    let folder = Scratch::new("floats").expect("a folder");
    let finished = gcc
        .run_text(&folder, &program, &["-w"], Duration::from_secs(20))
        .expect("the compiler runs");
    assert!(finished.success(), "{}", finished.stderr_text());
    let unit = unit_of(DataModel::Lp64, &text);
    let theirs = finished.stdout_text();
    for ((e, value), theirs) in
        expressions.iter().zip(array_values(&unit, "values")).zip(theirs.lines())
    {
        let ExprKind::Float(float) = unit.exprs[value].kind else { panic!("{e} is not folded") };
        let bits = unit.floats[float].bits().to_u64().expect("a double");
        assert_eq!(format!("{bits:x}"), theirs, "{e}");
    }
}

/// Expressions of each kind with their values under LP64.
const VALUES: &[(&str, i64)] = &[
    ("sizeof(int[3][4])", 48),
    ("(int)3.99", 3),
    ("(char)300", 44),
    ("(_Bool)0.25", 1),
    ("1 ? 2 : 1 / 0", 2),
    ("0 && 1 / 0", 0),
    ("1 || 1 / 0", 1),
    ("'a' + 1", 98),
    ("'ab'", 0x6162),
    ("'\\377'", -1),
    ("L'\\x263a'", 0x263a),
    ("__builtin_constant_p(3 + 4)", 1),
    ("__builtin_constant_p(global)", 0),
    ("__builtin_choose_expr(1, 5, global)", 5),
    ("__builtin_types_compatible_p(int, const int)", 1),
    ("__builtin_types_compatible_p(int, long)", 0),
    ("__builtin_types_compatible_p(int[], int[5])", 1),
    ("_Generic(1u, int: 1, unsigned: 2, default: 3)", 2),
    ("_Generic((char)1, char: 1, signed char: 2, int: 3)", 1),
    ("_Generic(\"x\", char *: 1, const char *: 2)", 1),
    ("_Generic(&global, int *: 4, default: 5)", 4),
    ("__builtin_popcount(255) + __builtin_clz(1) + __builtin_ctzll(8)", 42),
    ("__builtin_bswap32(0x11223344)", 0x44332211),
    ("__builtin_ffs(0) + __builtin_ffsll(16)", 5),
    ("__builtin_strlen(\"hello\")", 5),
    ("__builtin_expect(7, 0)", 7),
    ("\"abc\"[1]", 98),
    ("(long)&((struct point *)0)->y", 4),
    ("__builtin_offsetof(struct point, z[2])", 16),
    ("&array[5] - &array[2]", 3),
    ("(char *)&array[1] - (char *)array", 4),
    ("&global != 0", 1),
    ("constant + 1", 43),
    ("RED | BLUE", 5),
    ("sizeof(enum colour)", 4),
    ("-1 < 0u", 0),
    ("-1 < (unsigned char)0", 1),
    ("(unsigned char)255 + 1", 256),
    ("1 << 31 < 0", 1),
    ("sizeof('a')", 4),
    ("sizeof(1 ? 1 : 1.0f)", 4),
    ("sizeof(1.0f + 1)", 4),
    ("sizeof(char) + sizeof \"abc\"", 5),
    ("sizeof(struct point)", 20),
    ("_Alignof(long double)", 16),
    ("(int)__builtin_inf() == 0x7fffffff", 1),
    ("__builtin_isnan(__builtin_nan(\"\"))", 1),
    ("__builtin_add_overflow_p(2147483647, 1, 0)", 1),
    ("__builtin_object_size(array, 0)", 40),
    ("(unsigned __int128)1 << 100 >> 98", 4),
    ("0b101 + 017 + 0x1F", 51),
    ("1'000", 1000),
];

#[test]
fn every_kind_of_constant() {
    let mut text = String::from(
        "struct point { int x, y; int z[3]; };
         enum colour { RED = 1, GREEN, BLUE = 4 };
         int global; int array[10];
         static const int constant = 42;
         long long values[] = {\n",
    );
    for (expression, _) in VALUES {
        let _ = writeln!(text, "  {expression},");
    }
    text.push_str("};\n");
    let unit = unit_of(DataModel::Lp64, &text);
    for ((expression, expected), value) in VALUES.iter().zip(array_values(&unit, "values")) {
        let ExprKind::Int(value) = unit.exprs[value].kind else {
            panic!("{expression} is not folded")
        };
        assert_eq!(value as i64, *expected, "{expression}");
    }
}

#[test]
fn addresses_stay_expressions() {
    let unit = unit_of(
        DataModel::Lp64,
        "int a[3]; struct s { int x, y; } s; int f(void);
         int *p = a + 1; int *q = &s.y; int (*g)(void) = f; long n = (long)&a[2]; char *t = \"x\" + 1; void *z = 0;",
    );
    for name in ["p", "q", "g", "n", "t", "z"] {
        let init = unit.vars[variable(&unit, name)].init.expect("an initialiser");
        assert!(matches!(unit.inits[init].kind, InitKind::Expr(_)), "{name}");
    }
}

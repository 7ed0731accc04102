//! Random expressions over all arithmetic types: every conversion that the printer leaves out shows in a value.
//!
//! Each program evaluates many expressions over variables of every integer, floating and complex type and over
//! bit-fields, and prints the bytes of each result at its own type.

use crate::round_trip::{compare, gcc_or_skip};
use std::fmt::Write;
use vergo_cfront::target::DataModel;
use vergo_testkit::Rng;
use vergo_testkit::environment::slow;

const INTEGERS: [&str; 15] = [
    "signed char",
    "unsigned char",
    "char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "__int128",
    "unsigned __int128",
    "enum en",
];
const FLOATS: [&str; 3] = ["float", "double", "long double"];
const COMPLEX: [&str; 2] = ["_Complex double", "_Complex float"];
/// Bit-fields wider than `int` are missing: gcc computes with them at a type of just their width.
const BIT_FIELDS: [&str; 7] = ["b.a", "b.b", "b.c", "b.d", "b.e", "b.f", "b.g"];
const CONSTANTS: [&str; 17] = [
    "0",
    "1",
    "-1",
    "7u",
    "3L",
    "5ul",
    "2ll",
    "0x80000000",
    "'a'",
    "255",
    "2147483647",
    "(-2147483647 - 1)",
    "9000000000",
    "(short)-5",
    "(unsigned char)200",
    "E2",
    "sizeof(int)",
];

const PRELUDE: &str = r#"
#include <stdio.h>
#include <string.h>
enum en { E0 = -3, E1, E2 = 100000 };
static struct { unsigned a : 3; signed b : 7; unsigned c : 32; int d : 32; _Bool e : 1; unsigned char f : 5;
    unsigned short g : 16; } b = { 5, -60, 4000000000u, -7, 1, 17, 65000 };
static void show(const void *p, int n) {
    const unsigned char *bytes = p;
    while (n--) printf("%02x", *bytes++);
    printf("\n");
}
/* The bytes of a long double that do not count hold anything, also in a complex one. */
static void show_parts(const void *p, unsigned long n)
{
    show(p, 10);
    show((const char *)p + n / 2, 10);
}
#define SHOW(r) _Generic(r, _Complex long double: show_parts, default: show)(&r, _Generic(r, long double: 10, default: sizeof r))
"#;

struct Generator {
    rng: Rng,
    integers: Vec<String>,
    floats: Vec<String>,
    complex: Vec<String>,
}

impl Generator {
    fn pick(&mut self, items: &[&str]) -> String {
        (*self.rng.choose(items)).to_owned()
    }

    fn variable(&mut self, of: fn(&Generator) -> &Vec<String>) -> String {
        let index = self.rng.below(of(self).len());
        of(self)[index].clone()
    }

    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.one_in(7) {
            return if self.rng.one_in(3) {
                self.pick(&CONSTANTS)
            } else {
                self.variable(|g| &g.integers)
            };
        }
        let depth = depth - 1;
        match self.rng.below(15) {
            0..5 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                format!("({a} {} {b})", self.pick(&["+", "-", "*", "&", "|", "^"]))
            }
            5 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                format!("({a} {} (({b}) & 7))", self.pick(&["<<", ">>"]))
            }
            6 => {
                // The divisor is odd and never -1, so that nothing overflows.
                let (a, b) = (self.integer(depth), self.integer(depth));
                format!("({a} {} ((unsigned char)({b}) | 1))", self.pick(&["/", "%"]))
            }
            7 => {
                let (a, b) = (self.real(depth), self.real(depth));
                format!("({a} {} {b})", self.pick(&["<", ">", "<=", ">=", "==", "!="]))
            }
            8 => {
                let (a, b) = (self.real(depth), self.real(depth));
                format!("({a} {} {b})", self.pick(&["&&", "||"]))
            }
            9 => {
                let (c, a, b) = (self.real(depth), self.integer(depth), self.integer(depth));
                format!("({c} ? {a} : {b})")
            }
            10 => format!("({})({})", self.pick(&INTEGERS[..14]), self.integer(depth)),
            11 => format!("{}({})", self.pick(&["-", "~", "!", "+"]), self.integer(depth)),
            12 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                format!("({a}, {b})")
            }
            13 => {
                let (v, e) = (self.variable(|g| &g.integers), self.integer(depth));
                format!("({v} {} {e})", self.pick(&["=", "+=", "-=", "*=", "|=", "&=", "^="]))
            }
            _ => {
                let (v, e) = (self.variable(|g| &g.integers), self.integer(depth));
                format!("({v} ?: {e})")
            }
        }
    }

    fn float(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.one_in(5) {
            return if self.rng.one_in(3) {
                self.pick(&["1.5", "2.5f", "0.1L", "3.0"])
            } else {
                self.variable(|g| &g.floats)
            };
        }
        let depth = depth - 1;
        match self.rng.below(6) {
            0..3 => {
                let (a, b) = (self.real(depth), self.float(depth));
                format!("({a} {} {b})", self.pick(&["+", "-", "*"]))
            }
            3 => {
                let (c, a, b) = (self.real(depth), self.float(depth), self.real(depth));
                format!("({c} ? {a} : {b})")
            }
            4 => format!("({})({})", self.pick(&FLOATS), self.real(depth)),
            _ => {
                let (v, e) = (self.variable(|g| &g.floats), self.real(depth));
                format!("({v} {} {e})", self.pick(&["=", "+=", "-=", "*="]))
            }
        }
    }

    fn real(&mut self, depth: u32) -> String {
        if self.rng.one_in(4) { self.float(depth) } else { self.integer(depth) }
    }

    fn complex(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.variable(|g| &g.complex);
        }
        let depth = depth - 1;
        match self.rng.below(3) {
            0 => {
                let (a, b) = (self.complex(depth), self.real(depth));
                format!("({a} {} {b})", self.pick(&["+", "-", "*"]))
            }
            1 => {
                let (a, b) = (self.real(depth), self.complex(depth));
                format!("({a} {} {b})", self.pick(&["+", "*"]))
            }
            _ => {
                let (v, e) = (self.variable(|g| &g.complex), self.real(depth));
                format!("({v} {} {e})", self.pick(&["=", "+=", "*="]))
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut generator = Generator {
        rng: Rng::new(seed),
        integers: Vec::new(),
        floats: Vec::new(),
        complex: Vec::new(),
    };
    let mut text = PRELUDE.to_owned();
    let mut all = Vec::new();
    for (i, ty) in INTEGERS.iter().chain(&FLOATS).chain(&COMPLEX).enumerate() {
        let name = format!("v{i}");
        let init = match i {
            14 => generator.pick(&["E0", "E1", "E2"]),
            0..14 => generator.pick(&[
                "0",
                "1",
                "-1",
                "5",
                "127",
                "-128",
                "255",
                "100000",
                "0x123456789ab",
                "-77777777777",
            ]),
            _ => generator.pick(&["1.5", "-2.25", "1e10", "0.1", "-0.0", "3"]),
        };
        writeln!(text, "static {ty} {name} = {init};").expect("strings take everything");
        match i {
            0..15 => generator.integers.push(name.clone()),
            15..18 => generator.floats.push(name.clone()),
            _ => generator.complex.push(name.clone()),
        }
        all.push(name);
    }
    generator.integers.extend(BIT_FIELDS.map(str::to_owned));
    text += "int main(void) {\n";
    for _ in 0..100 {
        let e = match generator.rng.below(10) {
            0..6 => generator.integer(4),
            6..9 => generator.float(3),
            _ => generator.complex(2),
        };
        // The sign makes a value of a bit-field, which has a type of its own.
        writeln!(text, "    {{ __auto_type r = +({e}); SHOW(r); }}")
            .expect("strings take everything");
    }
    for name in all {
        writeln!(text, "    SHOW({name});").expect("strings take everything");
    }
    text += "    show(&b, sizeof b);\n    return 0;\n}\n";
    text
}

#[test]
fn random_expressions_have_the_same_values() {
    let Some(gcc) = gcc_or_skip("random_expressions_have_the_same_values") else { return };
    let mut failures = Vec::new();
    for seed in 0..if slow() { 200 } else { 6 } {
        // Overflow wraps, so that both compilations mean the same.
        if let Err(error) = compare(&gcc, &program(seed), &["-fwrapv"], DataModel::Lp64) {
            failures.push(format!("seed {seed}: {error}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

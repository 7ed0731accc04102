//! Every operator of SMT-LIB against the concrete arithmetic, with and without rewriting.

use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_term::smtlib::{Symbols, parse_term};
use vergo_term::{Assignment, Rewriting, Sort, TermStore, Value};

fn check(text: &str, variables: &[(&str, Sort, Value)], expected: &Value) {
    // Variables as variables, as constants, and each alone as a constant.
    for constants in 0..1u32 << variables.len() {
        for rewriting in [Rewriting::Off, Rewriting::On] {
            let mut store = TermStore::with_rewriting(rewriting);
            let mut symbols = Symbols::new();
            let mut assignment = Assignment::new();
            for (i, (name, sort, value)) in variables.iter().enumerate() {
                let term = if constants >> i & 1 == 1 {
                    store.constant(value.clone())
                } else {
                    let term = store.var(name, *sort);
                    assignment.set(store.as_var(term).expect("a variable"), value.clone());
                    term
                };
                symbols.define(name, term);
            }
            let term = parse_term(&mut store, text, &mut symbols)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
            let value = store.eval(term, &assignment);
            assert_eq!(value, *expected, "{text} with {variables:?} {rewriting:?} {constants:b}");
        }
    }
}

fn words(width: u32) -> impl Iterator<Item = BitVec> {
    (0..1u64 << width).map(move |v| BitVec::from_u64(width, v))
}

type WordFn = fn(&BitVec) -> Value;
type WordsFn = fn(&BitVec, &BitVec) -> Value;

#[test]
fn unary_operators_on_words() {
    let bit = |value: bool| Value::from(BitVec::from_bool(value));
    let unary: &[(&str, WordFn)] = &[
        ("(bvnot x)", |x| x.not().into()),
        ("(bvneg x)", |x| x.neg().into()),
        ("(bvnego x)", |x| x.neg_overflow().into()),
        ("((_ zero_extend 3) x)", |x| x.zero_extend(x.width() + 3).into()),
        ("((_ zero_extend 0) x)", |x| x.clone().into()),
        ("((_ sign_extend 3) x)", |x| x.sign_extend(x.width() + 3).into()),
        ("((_ rotate_left 2) x)", |x| x.rotate_left(2).into()),
        ("((_ rotate_right 5) x)", |x| x.rotate_right(5).into()),
        ("((_ repeat 1) x)", |x| x.clone().into()),
        ("((_ repeat 5) x)", |x| x.concat(x).concat(x).concat(x).concat(x).into()),
        ("((_ extract 0 0) x)", |x| x.extract(0, 0).into()),
    ];
    for width in 1..=4 {
        let sort = Sort::BitVec(width);
        for x in words(width) {
            for (text, reference) in unary {
                check(text, &[("x", sort, x.clone().into())], &reference(&x));
            }
            let check = |text: &str, expected: Value| {
                check(text, &[("x", sort, x.clone().into())], &expected);
            };
            check("(bvredor x)", bit(!x.is_zero()));
            check("(bvredand x)", bit(x.is_ones()));
            check("(bvredxor x)", bit(x.count_ones() % 2 == 1));
        }
    }
}

#[test]
fn binary_operators_on_words() {
    let binary: &[(&str, WordsFn)] = &[
        ("(bvand x y)", |x, y| x.and(y).into()),
        ("(bvor x y)", |x, y| x.or(y).into()),
        ("(bvxor x y)", |x, y| x.xor(y).into()),
        ("(bvnand x y)", |x, y| x.and(y).not().into()),
        ("(bvnor x y)", |x, y| x.or(y).not().into()),
        ("(bvxnor x y)", |x, y| x.xor(y).not().into()),
        ("(bvadd x y)", |x, y| x.add(y).into()),
        ("(bvadd x y y)", |x, y| x.add(y).add(y).into()),
        ("(bvsub x y)", |x, y| x.sub(y).into()),
        ("(bvmul x y)", |x, y| x.mul(y).into()),
        ("(bvudiv x y)", |x, y| x.udiv(y).into()),
        ("(bvurem x y)", |x, y| x.urem(y).into()),
        ("(bvsdiv x y)", |x, y| x.sdiv(y).into()),
        ("(bvsrem x y)", |x, y| x.srem(y).into()),
        ("(bvsmod x y)", |x, y| x.smod(y).into()),
        ("(bvshl x y)", |x, y| x.shl(y).into()),
        ("(bvlshr x y)", |x, y| x.lshr(y).into()),
        ("(bvashr x y)", |x, y| x.ashr(y).into()),
        ("(concat x y)", |x, y| x.concat(y).into()),
        ("(bvcomp x y)", |x, y| BitVec::from_bool(x == y).into()),
        ("(bvult x y)", |x, y| x.ult(y).into()),
        ("(bvule x y)", |x, y| x.ule(y).into()),
        ("(bvugt x y)", |x, y| y.ult(x).into()),
        ("(bvuge x y)", |x, y| y.ule(x).into()),
        ("(bvslt x y)", |x, y| x.slt(y).into()),
        ("(bvsle x y)", |x, y| x.sle(y).into()),
        ("(bvsgt x y)", |x, y| y.slt(x).into()),
        ("(bvsge x y)", |x, y| y.sle(x).into()),
        ("(bvuaddo x y)", |x, y| x.uadd_overflow(y).into()),
        ("(bvsaddo x y)", |x, y| x.sadd_overflow(y).into()),
        ("(bvusubo x y)", |x, y| x.usub_overflow(y).into()),
        ("(bvssubo x y)", |x, y| x.ssub_overflow(y).into()),
        ("(bvumulo x y)", |x, y| x.umul_overflow(y).into()),
        ("(bvsmulo x y)", |x, y| x.smul_overflow(y).into()),
        ("(bvsdivo x y)", |x, y| x.sdiv_overflow(y).into()),
        ("(= x y)", |x, y| (x == y).into()),
        ("(distinct x y)", |x, y| (x != y).into()),
        ("(ite (= x y) x (bvneg y))", |x, y| if x == y { x.clone() } else { y.neg() }.into()),
    ];
    for width in 1..=3 {
        let sort = Sort::BitVec(width);
        for x in words(width) {
            for y in words(width) {
                let variables = [("x", sort, x.clone().into()), ("y", sort, y.clone().into())];
                for (text, reference) in binary {
                    check(text, &variables, &reference(&x, &y));
                }
            }
        }
    }
}

type BoolsFn = fn(bool, bool) -> bool;

#[test]
fn connectives() {
    let cases: &[(&str, BoolsFn)] = &[
        ("(and p q)", |p, q| p && q),
        ("(or p q)", |p, q| p || q),
        ("(xor p q)", |p, q| p != q),
        ("(=> p q)", |p, q| !p || q),
        ("(=> p q false)", |p, q| !(p && q)),
        ("(= p q)", |p, q| p == q),
        ("(distinct p q)", |p, q| p != q),
        ("(distinct p q true)", |_, _| false),
        ("(ite p q (not q))", |p, q| p == q),
        ("(and p q p (not q))", |_, _| false),
        ("(or p)", |p, _| p),
    ];
    for p in [false, true] {
        for q in [false, true] {
            let variables = [("p", Sort::Bool, p.into()), ("q", Sort::Bool, q.into())];
            for (text, reference) in cases {
                check(text, &variables, &reference(p, q).into());
            }
        }
    }
}

type FloatsFn = fn(RoundingMode, &Float, &Float) -> Value;

/// All pairs of a format with two bits of exponent and three of significand, in all modes.
#[test]
fn operators_on_floats() {
    let format = FloatFormat::ieee(2, 3);
    let cases: &[(&str, FloatsFn)] = &[
        ("(fp.add m f g)", |m, f, g| f.add(m, g).into()),
        ("(fp.sub m f g)", |m, f, g| f.sub(m, g).into()),
        ("(fp.mul m f g)", |m, f, g| f.mul(m, g).into()),
        ("(fp.div m f g)", |m, f, g| f.div(m, g).into()),
        ("(fp.fma m f g f)", |m, f, g| f.fma(m, g, f).into()),
        ("(fp.sqrt m f)", |m, f, _| f.sqrt(m).into()),
        ("(fp.roundToIntegral m f)", |m, f, _| f.round_to_integral(m).into()),
        ("((_ to_fp 3 2) m f)", |m, f, _| f.convert(FloatFormat::ieee(3, 2), m).into()),
        ("(fp.rem f g)", |_, f, g| f.rem(g).into()),
        ("(fp.fmod f g)", |_, f, g| f.fmod(g).into()),
        ("(fp.abs f)", |_, f, _| f.abs().into()),
        ("(fp.neg f)", |_, f, _| f.neg().into()),
        ("(fp.eq f g)", |_, f, g| f.ieee_eq(g).into()),
        ("(fp.lt f g)", |_, f, g| f.lt(g).into()),
        ("(fp.leq f g)", |_, f, g| f.le(g).into()),
        ("(fp.gt f g)", |_, f, g| g.lt(f).into()),
        ("(fp.geq f g)", |_, f, g| g.le(f).into()),
        ("(= f g)", |_, f, g| (f == g).into()),
        ("(fp.isNormal f)", |_, f, _| f.is_normal().into()),
        ("(fp.isSubnormal f)", |_, f, _| f.is_subnormal().into()),
        ("(fp.isZero f)", |_, f, _| f.is_zero().into()),
        ("(fp.isInfinite f)", |_, f, _| f.is_infinite().into()),
        ("(fp.isNaN f)", |_, f, _| f.is_nan().into()),
        ("(fp.isNegative f)", |_, f, _| f.is_negative().into()),
        ("(fp.isPositive f)", |_, f, _| f.is_positive().into()),
        ("(fp.to_ieee_bv f)", |_, f, _| f.bits().clone().into()),
        ("((_ to_fp 2 3) (fp.to_ieee_bv f))", |_, f, _| f.clone().into()),
    ];
    for (i, f) in words(format.width()).enumerate() {
        let f = Float::from_bits(format, f);
        // A third of the pairs, in other places for each mode.
        for (j, g) in words(format.width()).enumerate() {
            let g = Float::from_bits(format, g);
            let sort = Sort::Float(format);
            for (k, mode) in RoundingMode::ALL.into_iter().enumerate() {
                if (i + j + k) % 3 != 0 {
                    continue;
                }
                let variables = [
                    ("m", Sort::RoundingMode, mode.into()),
                    ("f", sort, f.clone().into()),
                    ("g", sort, g.clone().into()),
                ];
                for (text, reference) in cases {
                    let used: Vec<_> = variables
                        .iter()
                        .filter(|v| text.contains(&format!(" {}", v.0)))
                        .cloned()
                        .collect();
                    check(text, &used, &reference(mode, &f, &g));
                }
            }
        }
    }
}

#[test]
fn conversions_between_floats_and_words() {
    let format = FloatFormat::ieee(3, 3);
    for mode in RoundingMode::ALL {
        for f in words(format.width()) {
            let f = Float::from_bits(format, f);
            let variables = [
                ("m", Sort::RoundingMode, Value::from(mode)),
                ("f", Sort::Float(format), f.clone().into()),
            ];
            // Where the number has no place, the reader's choice without an assignment is zero.
            for width in [1, 3, 5, 9] {
                let zero = || BitVec::zero(width);
                let signed = f.to_signed(mode, width).unwrap_or_else(zero);
                check(&format!("((_ fp.to_sbv {width}) m f)"), &variables, &signed.into());
                let unsigned = f.to_unsigned(mode, width).unwrap_or_else(zero);
                check(&format!("((_ fp.to_ubv {width}) m f)"), &variables, &unsigned.into());
            }
        }
        for x in words(5) {
            let variables = [
                ("m", Sort::RoundingMode, Value::from(mode)),
                ("x", Sort::BitVec(5), x.clone().into()),
            ];
            let signed = Float::from_signed(format, mode, &x);
            check("((_ to_fp 3 3) m x)", &variables, &signed.into());
            let unsigned = Float::from_unsigned(format, mode, &x);
            check("((_ to_fp_unsigned 3 3) m x)", &variables, &unsigned.into());
        }
        let real = |text: &str, value: &str| {
            let expected = Float::parse(FloatFormat::SINGLE, mode, value).expect("a number");
            check(text, &[("m", Sort::RoundingMode, mode.into())], &expected.into());
        };
        real("((_ to_fp 8 24) m 0.1)", "0.1");
        real("((_ to_fp 8 24) m (- 3))", "-3");
        real("((_ to_fp 8 24) m (/ 1 4.0))", "0.25");
    }
}

/// The x87 encoding, through the kernel's IEEE format of the same numbers.
#[test]
fn x87_encodings() {
    let format = FloatFormat::X87_EXTENDED;
    let patterns = [
        (0u64, 0u64),
        (0, 1),
        (0, 1 << 63),
        (0, u64::MAX),
        (1, 1 << 63),
        (1, 5),
        (0x3fff, 1 << 63),
        (0xbfff, 3 << 62),
        (0x7fff, 1 << 63),
        (0x7fff, 0),
        (0x7fff, 1),
        (0x7fff, 3 << 62),
        (0xffff, 1 << 63),
        (0x8000, 0),
        (0x4000, 7),
    ];
    for rewriting in [Rewriting::Off, Rewriting::On] {
        let mut store = TermStore::with_rewriting(rewriting);
        let x = store.var("x", Sort::BitVec(80));
        let number = store.fp_from_bits(format, x);
        let bits = store.fp_to_bits(format, number);
        for (exponent, significand) in patterns {
            let word = BitVec::from_u64(16, exponent).concat(&BitVec::from_u64(64, significand));
            let float = Float::from_bits(format, word.clone());
            let mut assignment = Assignment::new();
            assignment.set(store.as_var(x).expect("a variable"), word);
            let ieee = float.convert(FloatFormat::ieee(15, 64), RoundingMode::NearestEven);
            assert_eq!(store.eval(number, &assignment), ieee.into(), "{float:?}");
            assert_eq!(store.eval(bits, &assignment), float.into_bits().into());
        }
    }
}

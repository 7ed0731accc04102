//! Floats against an independent implementation and against the hardware.
//!
//! The default run takes a few thousand operand tuples per operation, format and rounding mode;
//! `VERGO_SLOW=1` takes a million.

use rustc_apfloat::{Float as Ap, FloatConvert, Round, ieee};
use std::cmp::Ordering;
use vergo_num::{BitVec, Float, FloatClass, FloatFormat, Natural, RoundingMode};

/// Random operands.
struct Rng(vergo_testkit::Rng);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0.bits()
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }

    fn word(&mut self, width: u32) -> BitVec {
        let limbs = (0..width.div_ceil(64)).map(|_| self.next()).collect();
        BitVec::from_limbs(width, limbs)
    }

    /// Random bits with long runs, where carries and cancellations live.
    fn runs(&mut self, width: u32) -> BitVec {
        let mut word = BitVec::zero(width);
        for _ in 0..self.below(4) {
            let run = BitVec::ones(width).shl_by(self.below(u64::from(width) + 1) as u32);
            word = word.xor(&run);
        }
        word
    }

    fn float(&mut self, format: FloatFormat) -> Float {
        let negative = self.below(2) == 1;
        match self.below(16) {
            0 => Float::zero(format, negative),
            1 => Float::infinity(format, negative),
            2 => Float::nan(format),
            3 => Float::largest(format, negative),
            4 => Float::smallest(format, negative),
            5 => Float::smallest_normal(format, negative),
            6 => Float::one(format),
            7 => {
                let small = self.below(64);
                Float::from_signed(format, RoundingMode::NearestEven, &BitVec::from_u64(7, small))
            }
            kind => {
                let stored = format.stored_significand_bits();
                let mut significand =
                    if kind % 2 == 0 { self.word(stored) } else { self.runs(stored) };
                // Exponents near the middle let sums align; others reach the ends of the range.
                let bits = format.exponent_bits();
                let exponent = match kind {
                    8..=10 => BitVec::from_i64(bits, format.bias() + self.below(12) as i64 - 6),
                    11 => BitVec::from_u64(bits, self.below(4)),
                    12 => BitVec::ones(bits).sub(&BitVec::from_u64(bits, 1 + self.below(3))),
                    _ => self.word(bits),
                };
                if format == FloatFormat::X87_EXTENDED {
                    let leading = BitVec::min_signed(stored);
                    significand = if exponent.is_zero() {
                        significand.and(&leading.not())
                    } else {
                        significand.or(&leading)
                    };
                }
                let sign = BitVec::from_bool(negative);
                Float::from_bits(format, sign.concat(&exponent).concat(&significand))
            }
        }
    }
}

fn slow() -> bool {
    std::env::var_os("VERGO_SLOW").is_some_and(|v| v == "1")
}

fn n_tuples() -> u64 {
    if slow() { 1_000_000 } else { 2_000 }
}

fn ap_round(mode: RoundingMode) -> Round {
    match mode {
        RoundingMode::NearestEven => Round::NearestTiesToEven,
        RoundingMode::NearestAway => Round::NearestTiesToAway,
        RoundingMode::TowardPositive => Round::TowardPositive,
        RoundingMode::TowardNegative => Round::TowardNegative,
        RoundingMode::TowardZero => Round::TowardZero,
    }
}

fn ap<F: Ap>(value: &Float) -> F {
    F::from_bits(value.bits().to_u128().expect("at most 128 bits"))
}

fn back<F: Ap>(format: FloatFormat, value: F) -> Float {
    Float::from_bits(format, BitVec::from_u128(format.width(), value.to_bits()))
}

fn operations_agree<F: Ap>(format: FloatFormat, seed: u64) {
    let mut rng = Rng(vergo_testkit::Rng::new(seed));
    for _ in 0..n_tuples() {
        let (x, y, z) = (rng.float(format), rng.float(format), rng.float(format));
        let (a, b, c) = (ap::<F>(&x), ap::<F>(&y), ap::<F>(&z));
        for mode in RoundingMode::ALL {
            let r = ap_round(mode);
            let context = || format!("{mode} {x:?} {y:?} {z:?}");
            assert_eq!(x.add(mode, &y), back(format, a.add_r(b, r).value), "add {}", context());
            assert_eq!(x.sub(mode, &y), back(format, a.sub_r(b, r).value), "sub {}", context());
            assert_eq!(x.mul(mode, &y), back(format, a.mul_r(b, r).value), "mul {}", context());
            assert_eq!(x.div(mode, &y), back(format, a.div_r(b, r).value), "div {}", context());
            let fused = back(format, a.mul_add_r(b, c, r).value);
            assert_eq!(x.fma(mode, &y, &z), fused, "fma {}", context());
            let integral = back(format, a.round_to_integral(r).value);
            assert_eq!(x.round_to_integral(mode), integral, "integral {}", context());
            for width in [8u32, 31, 64, 100] {
                let mut exact = false;
                let signed = a.to_i128_r(width as usize, r, &mut exact);
                let expected = (!signed.status.contains(rustc_apfloat::Status::INVALID_OP))
                    .then(|| BitVec::from_i128(width, signed.value));
                assert_eq!(x.to_signed(mode, width), expected, "signed {width} {}", context());
                let unsigned = a.to_u128_r(width as usize, r, &mut exact);
                let expected = (!unsigned.status.contains(rustc_apfloat::Status::INVALID_OP))
                    .then(|| BitVec::from_u128(width, unsigned.value));
                assert_eq!(x.to_unsigned(mode, width), expected, "unsigned {width} {}", context());
            }
            let word = rng.word(128);
            let word = word.ashr_by(rng.below(128) as u32);
            let expected = F::from_i128_r(word.to_i128().expect("128 bits"), r).value;
            assert_eq!(Float::from_signed(format, mode, &word), back(format, expected));
            let expected = F::from_u128_r(word.to_u128().expect("128 bits"), r).value;
            assert_eq!(Float::from_unsigned(format, mode, &word), back(format, expected));
        }
        assert_eq!(x.rem(&y), back(format, a.ieee_rem(b).value), "rem {x:?} {y:?}");
        assert_eq!(x.fmod(&y), back(format, a.c_fmod(b).value), "fmod {x:?} {y:?}");
        assert_eq!(x.compare(&y), a.partial_cmp(&b), "compare {x:?} {y:?}");
        let n = rng.below(600) as i64 - 300;
        for mode in RoundingMode::ALL {
            let scaled = back(format, a.scalbn_r(n as i32, ap_round(mode)));
            assert_eq!(x.scale(mode, n), scaled, "scale {mode} {x:?} {n}");
        }
        if x.is_finite() && !x.is_zero() {
            assert_eq!(x.exponent(), Some(a.ilogb().into()), "exponent {x:?}");
            let mut exponent = 0;
            let fraction = back(format, a.frexp(&mut exponent));
            assert_eq!(x.split_exponent(), (fraction, exponent.into()), "split {x:?}");
        }
        assert_eq!(x.next_up(), back(format, a.next_up().value), "up {x:?}");
        assert_eq!(x.next_down(), back(format, a.next_down().value), "down {x:?}");
        assert_eq!(x.neg(), back(format, -a));
        assert_eq!(x.abs(), back(format, a.abs()));
        let class = match a.category() {
            rustc_apfloat::Category::NaN => FloatClass::Nan,
            rustc_apfloat::Category::Infinity => FloatClass::Infinite,
            rustc_apfloat::Category::Zero => FloatClass::Zero,
            rustc_apfloat::Category::Normal if a.is_denormal() => FloatClass::Subnormal,
            rustc_apfloat::Category::Normal => FloatClass::Normal,
        };
        assert_eq!(x.classify(), class);
    }
}

#[test]
fn half_agrees() {
    operations_agree::<ieee::Half>(FloatFormat::HALF, 1);
}

#[test]
fn bfloat_agrees() {
    operations_agree::<ieee::BFloat>(FloatFormat::BFLOAT, 2);
}

#[test]
fn single_agrees() {
    operations_agree::<ieee::Single>(FloatFormat::SINGLE, 3);
}

#[test]
fn double_agrees() {
    operations_agree::<ieee::Double>(FloatFormat::DOUBLE, 4);
}

#[test]
fn x87_agrees() {
    operations_agree::<ieee::X87DoubleExtended>(FloatFormat::X87_EXTENDED, 5);
}

#[test]
fn quad_agrees() {
    operations_agree::<ieee::Quad>(FloatFormat::QUAD, 6);
}

fn conversions_agree<F, G>(from: FloatFormat, to: FloatFormat, seed: u64)
where
    F: FloatConvert<G>,
    G: Ap,
{
    let mut rng = Rng(vergo_testkit::Rng::new(seed));
    for _ in 0..n_tuples() {
        let x = rng.float(from);
        for mode in RoundingMode::ALL {
            let mut lost = false;
            let expected: G = ap::<F>(&x).convert_r(ap_round(mode), &mut lost).value;
            assert_eq!(x.convert(to, mode), back(to, expected), "{mode} {x:?} to {to}");
        }
    }
}

#[test]
fn conversions_between_formats_agree() {
    use FloatFormat as F;
    conversions_agree::<ieee::Double, ieee::Half>(F::DOUBLE, F::HALF, 11);
    conversions_agree::<ieee::Double, ieee::Single>(F::DOUBLE, F::SINGLE, 12);
    conversions_agree::<ieee::Single, ieee::Double>(F::SINGLE, F::DOUBLE, 13);
    conversions_agree::<ieee::Single, ieee::BFloat>(F::SINGLE, F::BFLOAT, 14);
    conversions_agree::<ieee::Half, ieee::X87DoubleExtended>(F::HALF, F::X87_EXTENDED, 15);
    conversions_agree::<ieee::X87DoubleExtended, ieee::Double>(F::X87_EXTENDED, F::DOUBLE, 16);
    conversions_agree::<ieee::Quad, ieee::X87DoubleExtended>(F::QUAD, F::X87_EXTENDED, 17);
    conversions_agree::<ieee::X87DoubleExtended, ieee::Quad>(F::X87_EXTENDED, F::QUAD, 18);
    conversions_agree::<ieee::Quad, ieee::Single>(F::QUAD, F::SINGLE, 19);
}

/// Every half-precision number under every operation on one of them.
#[test]
fn half_unary_operations_agree_exhaustively() {
    let format = FloatFormat::HALF;
    // The default run takes a sample of the encodings.
    let step = if slow() { 1 } else { 13 };
    for bits in (0..=u16::MAX).step_by(step) {
        let x = Float::from_bits(format, BitVec::from_u64(16, bits.into()));
        let a = ap::<ieee::Half>(&x);
        for mode in RoundingMode::ALL {
            let r = ap_round(mode);
            assert_eq!(x.round_to_integral(mode), back(format, a.round_to_integral(r).value));
            for width in [1u32, 5, 8, 16, 17, 32] {
                let mut exact = false;
                let fits = |status: rustc_apfloat::Status| {
                    !status.contains(rustc_apfloat::Status::INVALID_OP)
                };
                if width > 1 {
                    let signed = a.to_i128_r(width as usize, r, &mut exact);
                    let expected =
                        fits(signed.status).then(|| BitVec::from_i128(width, signed.value));
                    assert_eq!(x.to_signed(mode, width), expected, "{mode} {x:?} {width}");
                }
                let unsigned = a.to_u128_r(width as usize, r, &mut exact);
                let expected =
                    fits(unsigned.status).then(|| BitVec::from_u128(width, unsigned.value));
                assert_eq!(x.to_unsigned(mode, width), expected, "{mode} {x:?} {width}");
            }
            let mut lost = false;
            let single: ieee::Single = a.convert_r(r, &mut lost).value;
            assert_eq!(x.convert(FloatFormat::SINGLE, mode), back(FloatFormat::SINGLE, single));
            let double: ieee::Double = a.convert_r(r, &mut lost).value;
            assert_eq!(x.convert(FloatFormat::DOUBLE, mode), back(FloatFormat::DOUBLE, double));
            let quad: ieee::Quad = a.convert_r(r, &mut lost).value;
            assert_eq!(x.convert(FloatFormat::QUAD, mode), back(FloatFormat::QUAD, quad));
        }
        assert_eq!(x.neg(), back(format, -a));
        assert_eq!(x.abs(), back(format, a.abs()));
        assert_eq!(x.next_up(), back(format, a.next_up().value));
        assert_eq!(x.next_down(), back(format, a.next_down().value));
        assert_eq!(x.is_nan(), a.is_nan());
        assert_eq!(x.is_infinite(), a.is_infinite());
        assert_eq!(x.is_zero(), a.is_zero());
        assert_eq!(x.is_subnormal(), a.is_denormal());
        assert_eq!(x.is_sign_negative() && !x.is_nan(), a.is_negative() && !a.is_nan());
    }
}

/// Rust's own arithmetic on singles.
#[test]
fn hardware_agrees_on_singles() {
    let mut rng = Rng(vergo_testkit::Rng::new(17));
    let mode = RoundingMode::NearestEven;
    for _ in 0..n_tuples() * 4 {
        let [x, y, z] = [(); 3].map(|()| rng.float(FloatFormat::SINGLE));
        let [a, b, c] = [&x, &y, &z].map(single);
        assert_eq!(x.add(mode, &y), Float::from_f32(a + b));
        assert_eq!(x.sub(mode, &y), Float::from_f32(a - b));
        assert_eq!(x.mul(mode, &y), Float::from_f32(a * b));
        assert_eq!(x.div(mode, &y), Float::from_f32(a / b));
        assert_eq!(x.sqrt(mode), Float::from_f32(a.sqrt()));
        assert_eq!(x.fma(mode, &y, &z), Float::from_f32(a.mul_add(b, c)));
        assert_eq!(x.fmod(&y), Float::from_f32(a % b));
        assert_eq!(x.round_to_integral(mode), Float::from_f32(a.round_ties_even()));
        assert_eq!(x.round_to_integral(RoundingMode::TowardZero), Float::from_f32(a.trunc()));
        assert_eq!(x.convert(FloatFormat::DOUBLE, mode), Float::from_f64(a.into()));
        assert_eq!((x.ieee_eq(&y), x.lt(&y), x.le(&y)), (a == b, a < b, a <= b));
    }
}

fn single(x: &Float) -> f32 {
    f32::from_bits(x.bits().to_u64().expect("32 bits") as u32)
}

/// Rust's own arithmetic on doubles.
#[test]
fn hardware_agrees() {
    let mut rng = Rng(vergo_testkit::Rng::new(7));
    let mode = RoundingMode::NearestEven;
    for _ in 0..n_tuples() * 4 {
        let (x, y, z) = (
            rng.float(FloatFormat::DOUBLE),
            rng.float(FloatFormat::DOUBLE),
            rng.float(FloatFormat::DOUBLE),
        );
        let (a, b, c) = (x.to_f64().unwrap(), y.to_f64().unwrap(), z.to_f64().unwrap());
        assert_eq!(x.add(mode, &y), Float::from_f64(a + b));
        assert_eq!(x.sub(mode, &y), Float::from_f64(a - b));
        assert_eq!(x.mul(mode, &y), Float::from_f64(a * b));
        assert_eq!(x.div(mode, &y), Float::from_f64(a / b));
        assert_eq!(x.sqrt(mode), Float::from_f64(a.sqrt()));
        assert_eq!(x.fma(mode, &y, &z), Float::from_f64(a.mul_add(b, c)));
        assert_eq!(x.fmod(&y), Float::from_f64(a % b));
        assert_eq!(x.round_to_integral(mode), Float::from_f64(a.round_ties_even()));
        assert_eq!(x.round_to_integral(RoundingMode::NearestAway), Float::from_f64(a.round()));
        assert_eq!(x.round_to_integral(RoundingMode::TowardPositive), Float::from_f64(a.ceil()));
        assert_eq!(x.round_to_integral(RoundingMode::TowardNegative), Float::from_f64(a.floor()));
        assert_eq!(x.round_to_integral(RoundingMode::TowardZero), Float::from_f64(a.trunc()));
        assert_eq!(x.convert(FloatFormat::SINGLE, mode), Float::from_f32(a as f32));
        assert_eq!((x.ieee_eq(&y), x.lt(&y), x.le(&y)), (a == b, a < b, a <= b));
        if let Some(word) = x.to_signed(RoundingMode::TowardZero, 64) {
            assert_eq!(word.to_i64(), Some(a as i64));
        }
        if !a.is_nan() && !b.is_nan() && a != b {
            assert_eq!(x.min(&y), Float::from_f64(a.min(b)));
            assert_eq!(x.max(&y), Float::from_f64(a.max(b)));
        }
    }
}

/// A square root is checked by its definition on exact rationals: it is the neighbour of the true
/// root that the mode selects.
fn sqrt_is_correct(x: &Float) {
    let format = x.format();
    for mode in RoundingMode::ALL {
        let root = x.sqrt(mode);
        if x.is_nan() || (x.is_negative() && !x.is_zero()) {
            assert!(root.is_nan());
            continue;
        }
        if x.is_zero() || x.is_infinite() {
            assert_eq!(root, *x);
            continue;
        }
        // Compare (root + k/2 units)^2 with x for the midpoints and neighbours on both sides.
        let (_, n, d) = x.to_rational().expect("finite");
        let (_, rn, rd) = root.to_rational().expect("finite");
        let (up, down) = (next(&root, true), next(&root, false));
        let compare = |pn: &Natural, pd: &Natural| pn.mul(pn).mul(&d).cmp(&n.mul(&pd.mul(pd)));
        let middle = |other: &Float| {
            let (_, on, od) = other.to_rational().expect("finite");
            (rn.mul(&od).add(&on.mul(&rd)), rd.mul(&od).shl(1))
        };
        let exact = compare(&rn, &rd);
        match mode {
            RoundingMode::NearestEven | RoundingMode::NearestAway => {
                let (mn, md) = middle(&up);
                assert_ne!(compare(&mn, &md), Ordering::Less, "{mode} {x:?} {root:?}");
                let (mn, md) = middle(&down);
                assert_ne!(compare(&mn, &md), Ordering::Greater, "{mode} {x:?} {root:?}");
            }
            RoundingMode::TowardPositive => {
                assert_ne!(exact, Ordering::Less, "{x:?} {root:?}");
                let (_, on, od) = down.to_rational().expect("finite");
                assert_eq!(compare(&on, &od), Ordering::Less, "{x:?} {root:?}");
            }
            RoundingMode::TowardNegative | RoundingMode::TowardZero => {
                assert_ne!(exact, Ordering::Greater, "{x:?} {root:?}");
                let (_, on, od) = up.to_rational().expect("finite");
                assert_eq!(compare(&on, &od), Ordering::Greater, "{x:?} {root:?}");
            }
        }
        assert_eq!(root.format(), format);
    }
}

/// The neighbour of a positive number.
fn next(x: &Float, up: bool) -> Float {
    let tiny = Float::smallest(x.format(), !up);
    let mode = if up { RoundingMode::TowardPositive } else { RoundingMode::TowardNegative };
    x.add(mode, &tiny)
}

#[test]
fn square_roots_are_correctly_rounded() {
    for bits in 0..=u16::MAX {
        sqrt_is_correct(&Float::from_bits(FloatFormat::HALF, BitVec::from_u64(16, bits.into())));
    }
    let mut rng = Rng(vergo_testkit::Rng::new(8));
    for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE, FloatFormat::ieee(3, 5)] {
        for _ in 0..n_tuples() {
            sqrt_is_correct(&rng.float(format));
        }
    }
}

/// All pairs of a tiny format against the same operation done in a format so wide that it is exact,
/// followed by one conversion.
#[test]
fn tiny_formats_agree_with_wide_ones() {
    for format in [FloatFormat::ieee(2, 2), FloatFormat::ieee(3, 3), FloatFormat::ieee(2, 4)] {
        let wide = FloatFormat::ieee(10, 60);
        let all = || (0..1 << format.width()).map(|i| BitVec::from_u64(format.width(), i));
        for x in all() {
            let x = Float::from_bits(format, x);
            let wx = x.convert(wide, RoundingMode::TowardZero);
            for y in all() {
                let y = Float::from_bits(format, y);
                let wy = y.convert(wide, RoundingMode::TowardZero);
                assert_eq!(x.compare(&y), wx.compare(&wy));
                for mode in RoundingMode::ALL {
                    assert_eq!(x.add(mode, &y), wx.add(mode, &wy).convert(format, mode));
                    assert_eq!(x.sub(mode, &y), wx.sub(mode, &wy).convert(format, mode));
                    assert_eq!(x.mul(mode, &y), wx.mul(mode, &wy).convert(format, mode));
                    assert_eq!(x.fma(mode, &y, &x), wx.fma(mode, &wy, &wx).convert(format, mode));
                }
                assert_eq!(x.rem(&y), wx.rem(&wy).convert(format, RoundingMode::TowardZero));
                assert_eq!(x.fmod(&y), wx.fmod(&wy).convert(format, RoundingMode::TowardZero));
            }
        }
    }
}

#[test]
fn text_reads_back_and_is_shortest() {
    let mut rng = Rng(vergo_testkit::Rng::new(9));
    let mode = RoundingMode::NearestEven;
    let formats = [
        FloatFormat::HALF,
        FloatFormat::SINGLE,
        FloatFormat::DOUBLE,
        FloatFormat::X87_EXTENDED,
        FloatFormat::QUAD,
        FloatFormat::ieee(4, 3),
    ];
    for format in formats {
        for _ in 0..if slow() { 20_000 } else { 200 } {
            let x = rng.float(format);
            let text = x.to_decimal();
            assert_eq!(Float::parse(format, mode, &text), Some(x.clone()), "{text}");
            assert_eq!(Float::parse(format, mode, &x.to_hex()), Some(x.clone()), "{}", x.to_hex());
        }
    }
    for _ in 0..n_tuples() {
        let x = rng.float(FloatFormat::DOUBLE);
        if x.is_finite() && !x.is_zero() {
            let host = format!("{:e}", x.to_f64().unwrap());
            let digits = |text: &str| {
                let text = text.split('e').next().unwrap_or("").replace(['.', '-'], "");
                text.trim_matches('0').to_owned()
            };
            assert_eq!(digits(&x.to_decimal()), digits(&host), "{host}");
        }
    }
}

#[test]
fn decimal_text_is_rounded_correctly_in_every_mode() {
    let mut rng = Rng(vergo_testkit::Rng::new(10));
    for _ in 0..n_tuples() {
        let n_digits = 1 + rng.below(40);
        let digits: String =
            (0..n_digits).map(|_| char::from(b'0' + rng.below(10) as u8)).collect();
        let exponent = rng.below(700) as i64 - 360;
        let text = format!("{}{digits}e{exponent}", ["", "-"][rng.below(2) as usize]);
        for mode in RoundingMode::ALL {
            let ours = Float::parse(FloatFormat::DOUBLE, mode, &text).expect("a number");
            let theirs = ieee::Double::from_str_r(&text, ap_round(mode)).expect("a number").value;
            assert_eq!(ours, back(FloatFormat::DOUBLE, theirs), "{mode} {text}");
        }
        let ours = Float::parse(FloatFormat::SINGLE, RoundingMode::NearestEven, &text);
        assert_eq!(ours, text.parse::<f32>().ok().map(Float::from_f32), "{text}");
    }
}

#[test]
fn unusual_text() {
    let read = |text: &str| Float::parse(FloatFormat::DOUBLE, RoundingMode::NearestEven, text);
    for bad in
        ["", "-", ".", "e5", "1e", "1e+", "0x", "0x.p1", "1.2.3", "1f", " 1", "0x1p", "1e1.5"]
    {
        assert_eq!(read(bad), None, "{bad:?}");
    }
    assert_eq!(read("1."), Some(Float::from_f64(1.0)));
    assert_eq!(read(".5"), Some(Float::from_f64(0.5)));
    assert_eq!(read("0X1.8P3"), Some(Float::from_f64(12.0)));
    assert_eq!(read("0xA"), Some(Float::from_f64(10.0)));
    assert_eq!(read("-Infinity"), Some(Float::from_f64(f64::NEG_INFINITY)));
    assert_eq!(read("1e999999999999999999999"), Some(Float::from_f64(f64::INFINITY)));
    assert_eq!(read("-1e-999999999999999999999"), Some(Float::from_f64(-0.0)));
    assert_eq!(read("0e999999999999999999999"), Some(Float::from_f64(0.0)));
    assert_eq!(read("0x1p-999999999999999999999"), Some(Float::from_f64(0.0)));
    let up = Float::parse(FloatFormat::DOUBLE, RoundingMode::TowardPositive, "1e-400000");
    assert_eq!(up, Some(Float::from_f64(f64::from_bits(1))));
    let down = Float::parse(FloatFormat::DOUBLE, RoundingMode::TowardZero, "1e400000");
    assert_eq!(down, Some(Float::from_f64(f64::MAX)));
    assert_eq!(Float::from_f64(0.1).to_string(), "0.1");
    assert_eq!(Float::from_f64(1e300).to_string(), "1e+300");
    assert_eq!(Float::from_f64(-2.0).to_string(), "-2.0");
    assert_eq!(Float::from_f64(12.0).to_hex(), "0x1.8p+3");
}

/// Encodings of the x87 format that no IEEE format has.
#[test]
fn x87_pseudo_encodings() {
    let format = FloatFormat::X87_EXTENDED;
    let read = |exponent: u64, significand: u64| {
        let bits = BitVec::from_u64(16, exponent).concat(&BitVec::from_u64(64, significand));
        Float::from_bits(format, bits)
    };
    // A pseudo-denormal is the least normal binade's number.
    assert_eq!(read(0, 1 << 63), Float::smallest_normal(format, false));
    assert!(read(5, 1).is_nan());
    assert!(read(0x7fff, 0).is_nan());
    assert!(read(0x7fff, 1).is_nan());
    assert_eq!(read(0xffff, 1 << 63), Float::infinity(format, true));
    assert!(read(0x7fff, 1 << 63 | 1).is_nan());
}

/// Operands whose exponents are astronomically far apart stay cheap.
#[test]
fn huge_exponent_ranges() {
    let format = FloatFormat::ieee(30, 24);
    let (big, tiny) = (Float::largest(format, false), Float::smallest(format, false));
    let mode = RoundingMode::NearestEven;
    assert_eq!(big.add(mode, &tiny), big);
    assert_eq!(big.fma(mode, &big, &tiny), Float::infinity(format, false));
    assert!(big.fmod(&Float::from_unsigned(format, mode, &BitVec::from_u64(8, 3))).is_finite());
    assert!(big.rem(&tiny).is_zero());
    assert_eq!(big.to_signed(mode, 64), None);
    assert_eq!(tiny.to_signed(RoundingMode::TowardPositive, 64), Some(BitVec::one(64)));
    assert_eq!(Float::parse(format, mode, &big.to_decimal()), Some(big));
}

#[test]
fn words_of_one_bit() {
    let mode = RoundingMode::NearestEven;
    let signed = |v: f64| Float::from_f64(v).to_signed(mode, 1);
    let unsigned = |v: f64| Float::from_f64(v).to_unsigned(mode, 1);
    assert_eq!((signed(-1.0), signed(-1.5)), (Some(BitVec::one(1)), None));
    assert_eq!((signed(0.5), signed(0.6)), (Some(BitVec::zero(1)), None));
    assert_eq!((unsigned(1.4), unsigned(1.5)), (Some(BitVec::one(1)), None));
    assert_eq!((unsigned(-0.5), unsigned(-0.6)), (Some(BitVec::zero(1)), None));
}

#[test]
fn c_minimum_orders_zeros() {
    let format = FloatFormat::SINGLE;
    let (plus, minus) = (Float::zero(format, false), Float::zero(format, true));
    for (a, b) in [(&plus, &minus), (&minus, &plus)] {
        assert_eq!(a.c_fmin(b), minus);
        assert_eq!(a.c_fmax(b), plus);
        assert_eq!(a.min(b), *b);
        assert_eq!(a.max(b), *b);
    }
    assert_eq!(Float::nan(format).c_fmin(&plus), plus);
    assert_eq!(plus.c_fmax(&Float::nan(format)), plus);
}

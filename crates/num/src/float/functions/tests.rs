//! The functions against the host's library, and where they are exact.

use super::*;

fn double(function: Function, x: f64) -> f64 {
    Float::from_f64(x).apply(function).to_f64().expect("it is a double")
}

/// The host's library is off by at most a few units in the last place.
fn near(ours: f64, host: f64) -> bool {
    ours == host
        || ours.is_nan() && host.is_nan()
        || (ours - host).abs() <= host.abs() * 4.0 * f64::EPSILON
        || (ours - host).abs() <= 4.0 * f64::from_bits(1)
}

type Unary = fn(f64) -> f64;

#[test]
fn functions_are_those_of_the_host() {
    let host: &[(Function, Unary)] = &[
        (Function::Acos, f64::acos),
        (Function::Acosh, f64::acosh),
        (Function::Asin, f64::asin),
        (Function::Asinh, f64::asinh),
        (Function::Atan, f64::atan),
        (Function::Atanh, f64::atanh),
        (Function::Cbrt, f64::cbrt),
        (Function::Cos, f64::cos),
        (Function::Cosh, f64::cosh),
        (Function::Exp, f64::exp),
        (Function::Exp2, f64::exp2),
        (Function::Expm1, f64::exp_m1),
        (Function::Log, f64::ln),
        (Function::Log10, f64::log10),
        (Function::Log1p, f64::ln_1p),
        (Function::Log2, f64::log2),
        (Function::Sin, f64::sin),
        (Function::Sinh, f64::sinh),
        (Function::Tan, f64::tan),
        (Function::Tanh, f64::tanh),
    ];
    let mut points = vec![0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for x in [
        1e-300, 5e-324, 1e-20, 1e-9, 0.1, 0.5, 0.7, 0.9999, 1.5, 2.0, 3.0, 10.0, 22.0, 100.0, 710.0,
    ] {
        points.extend([x, -x]);
    }
    points.extend([1e10, 1e22, -1e300, 45.0, 8.0, 1000.0, std::f64::consts::PI]);
    for &(function, host) in host {
        for &x in &points {
            // What the host gives for these is known to be off by more.
            let rough = matches!(function, Function::Acosh | Function::Asinh | Function::Atanh);
            let (ours, theirs) = (double(function, x), host(x));
            let fits = near(ours, theirs)
                || rough && (ours - theirs).abs() <= theirs.abs() * 1e-9 + 1e-15
                || rough && x.abs() > 1e100;
            assert!(fits, "{}({x:e}): {ours:e}, host {theirs:e}", function.name());
        }
    }
}

#[test]
fn exact_results_are_exact() {
    assert_eq!(double(Function::Log2, 8.0), 3.0);
    assert_eq!(double(Function::Log10, 1000.0), 3.0);
    assert_eq!(double(Function::Exp2, 10.0), 1024.0);
    assert_eq!(double(Function::Exp10, 3.0), 1000.0);
    assert_eq!(double(Function::Cbrt, 27.0), 3.0);
    let two = |function, x, y| {
        Float::from_f64(x).apply2(function, &Float::from_f64(y)).to_f64().expect("a double")
    };
    assert_eq!(two(Function2::Hypot, 3.0, 4.0), 5.0);
    assert_eq!(two(Function2::Pow, 3.0, 5.0), 243.0);
    assert_eq!(two(Function2::Pow, 4.0, 0.5), 2.0);
    assert_eq!(two(Function2::Pow, 2.0, -3.0), 0.125);
    assert_eq!(two(Function2::Pow, -2.0, 3.0), -8.0);
    assert!(two(Function2::Pow, -2.0, 0.5).is_nan());
    assert!(near(two(Function2::Pow, 1.1, 100.5), 1.1f64.powf(100.5)));
    assert!(near(two(Function2::Atan2, 1.0, -1.0), 1f64.atan2(-1.0)));
    assert!(near(two(Function2::Atan2, -1e-300, 1e300), (-1e-300f64).atan2(1e300)));
    assert_eq!(double(Function::Erf, 10.0), 1.0);
    assert!((double(Function::Erf, 0.5) - 0.520_499_877_813_046_5).abs() < 1e-15);
    assert!((double(Function::Erfc, 2.0) - 0.004_677_734_981_047_266).abs() < 1e-17);
    assert!(near(double(Function::Erfc, -1.0), 2.0 - double(Function::Erfc, 1.0)));
}

#[test]
fn every_format_has_them() {
    for format in
        [FloatFormat::SINGLE, FloatFormat::HALF, FloatFormat::X87_EXTENDED, FloatFormat::QUAD]
    {
        for &function in Function::ALL {
            let half = Float::power_of_two(format, NEAREST, -1);
            let value = half.apply(function);
            let wide = Float::from_f64(0.5).apply(function).to_f64().unwrap_or(f64::NAN);
            let cut = value.convert(FloatFormat::DOUBLE, NEAREST).to_f64().unwrap_or(f64::NAN);
            let close = (wide - cut).abs() <= wide.abs() * 0.001 || wide.is_nan() && cut.is_nan();
            assert!(close, "{}: {wide} {cut}", function.name());
        }
    }
}

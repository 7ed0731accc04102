//! Integers of all sizes and floats: operators, conversions, representations.

use super::Scene;
use crate::Rng;

/// Integer types, narrowest first.
pub(super) const INTEGERS: &[&str] = &[
    "_Bool",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned __int128",
    "__int128",
];

const VALUES: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "31",
    "32",
    "63",
    "64",
    "100",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "2147483647",
    "2147483648u",
    "4294967295u",
    "9223372036854775807",
    "0x8000000000000000u",
    "-1",
    "-2",
    "-128",
    "-32768",
    "(-2147483647 - 1)",
    "(-9223372036854775807 - 1)",
];

/// Expressions over variables of all integer types.
pub(super) fn integers(rng: &mut Rng, scene: &mut Scene) {
    let n = rng.between(2, 5);
    for i in 0..n {
        let ty = rng.choose(INTEGERS);
        let value = rng.choose(VALUES);
        let global = rng.one_in(2);
        let volatile = if rng.one_in(3) { "volatile " } else { "" };
        if global {
            scene.global(format!("static {volatile}{ty} $v{i} = {value};"));
        } else {
            scene.line(format!("{volatile}{ty} $v{i} = {value};"));
        }
    }
    for _ in 0..rng.between(2, 6) {
        let target = rng.below(n);
        let expr = integer(rng, n, 3, scene);
        if rng.one_in(4) {
            let op = rng.choose(&["+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="]);
            scene.line(format!("$v{target} {op} {expr};"));
        } else if rng.one_in(5) {
            let op = rng.choose(&["$v#++", "++$v#", "$v#--", "--$v#"]);
            scene.line(format!("{};", op.replace('#', &target.to_string())));
        } else if rng.one_in(2) {
            scene.line(format!("$v{target} = {expr};"));
        } else {
            scene.observe(expr);
        }
    }
    for i in 0..n {
        scene.observe(format!("$v{i}"));
    }
}

fn integer(rng: &mut Rng, n: usize, depth: usize, scene: &Scene) -> String {
    if depth == 0 || rng.one_in(4) {
        return if rng.one_in(3) {
            (*rng.choose(VALUES)).to_owned()
        } else {
            format!("$v{}", rng.below(n))
        };
    }
    let left = integer(rng, n, depth - 1, scene);
    let right = integer(rng, n, depth - 1, scene);
    match rng.below(16) {
        0..=5 => {
            let op = *rng.choose(&["+", "-", "*", "&", "|", "^"]);
            Scene::operation(&left, op, &right)
        }
        6 => {
            // Guarded most of the time, so that not every program stops here.
            let op = rng.choose(&["/", "%"]);
            if scene.slips(rng) {
                Scene::operation(&left, op, &right)
            } else {
                Scene::operation(&left, op, &format!("({right} | 1u)"))
            }
        }
        7 => {
            let op = rng.choose(&["<<", ">>"]);
            if scene.slips(rng) {
                Scene::operation(&left, op, &right)
            } else {
                format!("((unsigned long)({left}) {op} ({right} & 31))")
            }
        }
        8 | 9 => format!("({left} {} {right})", rng.choose(&["<", "<=", ">", ">=", "==", "!="])),
        10 => format!("({left} {} {right})", rng.choose(&["&&", "||"])),
        11 => format!("({left} ? {right} : {})", integer(rng, n, depth - 1, scene)),
        12 | 13 => format!("(({})({left}))", rng.choose(INTEGERS)),
        14 => format!("({}({left}))", rng.choose(&["~", "!", "+"])),
        _ => {
            let name = rng.choose(&["add", "sub", "mul"]);
            let ty = rng.choose(&["int", "unsigned", "long", "short"]);
            format!("({{ {ty} r_; __builtin_{name}_overflow({left}, {right}, &r_) + (long)r_; }})")
        }
    }
}

const NUMBERS: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "1.5",
    "2.5",
    "0.1",
    "3.0",
    "1e10",
    "-1e10",
    "1e300",
    "1e-300",
    "1e-310",
    "16777217.0",
    "4503599627370497.5",
    "2147483647.0",
    "2147483648.0",
    "-2147483648.5",
    "1e20",
    "__builtin_inf()",
    "-__builtin_inf()",
    "__builtin_nan(\"\")",
    "-__builtin_nan(\"\")",
    "255.9",
    "-0.9",
];

/// Floating-point arithmetic, conversions, comparisons, and the bits of the results.
pub(super) fn floats(rng: &mut Rng, scene: &mut Scene) {
    scene.headers = true;
    // Which NaN an operation gives is not fixed: either its bits are observed, or what is observed is fixed.
    scene.exact = rng.one_in(2);
    let is_nan = if scene.exact { "d_ != d_ ? 1 : " } else { "" };
    let n = rng.between(2, 4);
    for i in 0..n {
        let ty = rng.choose(&["float", "double", "double", "long double"]);
        let volatile = if rng.one_in(2) { "volatile " } else { "" };
        scene.line(format!("{volatile}{ty} $f{i} = {};", rng.choose(NUMBERS)));
    }
    for _ in 0..rng.between(2, 5) {
        let target = rng.below(n);
        let expr = float(rng, n, 2);
        match rng.below(8) {
            0..=2 => scene.line(format!("$f{target} = {expr};")),
            3 => {
                scene.line(format!(
                    "{{ double d_ = {expr}; unsigned long u_; memcpy(&u_, &d_, 8); observe_({is_nan}u_); }}"
                ));
            }
            4 => {
                scene.line(format!(
                    "{{ float d_ = {expr}; unsigned u_; memcpy(&u_, &d_, 4); observe_({is_nan}u_); }}"
                ));
            }
            5 => {
                let ty = rng.choose(&[
                    "int",
                    "unsigned",
                    "long",
                    "signed char",
                    "unsigned short",
                    "_Bool",
                ]);
                if scene.slips(rng) {
                    scene.observe(format!("({ty})({expr})"));
                } else {
                    scene.line(format!("{{ double d_ = {expr}; if (d_ > -100 && d_ < 100) observe_(({ty})(d_ < 0 ? -d_ : d_)); }}"));
                }
            }
            6 => {
                let other = float(rng, n, 1);
                let op = rng.choose(&["<", "<=", "==", "!=", ">", ">="]);
                scene.observe(format!("({expr} {op} {other})"));
            }
            _ => {
                let name = rng.choose(&["isnan", "isinf", "isfinite", "isnormal", "signbit"]);
                match (*name, scene.exact) {
                    ("signbit", true) => scene.line(format!(
                        "{{ double d_ = {expr}; observe_(d_ != d_ ? 2 : !!signbit(d_)); }}"
                    )),
                    _ => scene.observe(format!("!!{name}({expr})")),
                }
            }
        }
    }
}

fn float(rng: &mut Rng, n: usize, depth: usize) -> String {
    if depth == 0 || rng.one_in(4) {
        return if rng.one_in(3) {
            (*rng.choose(NUMBERS)).to_owned()
        } else {
            format!("$f{}", rng.below(n))
        };
    }
    let left = float(rng, n, depth - 1);
    let right = float(rng, n, depth - 1);
    match rng.below(10) {
        0..=3 => format!("({left} {} {right})", rng.choose(&["+", "-", "*", "/"])),
        4 => format!("(-({left}))"),
        5 => format!("(({})({left}))", rng.choose(&["float", "double"])),
        6 => {
            // Those that glibc rounds correctly, but for rare cases: not `cbrt`.
            let name = rng.choose(&[
                "fabs",
                "sqrt",
                "floor",
                "ceil",
                "trunc",
                "round",
                "rint",
                "nearbyint",
                "logb",
                "exp",
                "log",
                "sin",
                "cos",
                "tan",
                "atan",
                "exp2",
                "log2",
                "log10",
                "sinh",
                "tanh",
                "asin",
                "acos",
                "expm1",
                "log1p",
            ]);
            format!("{name}({left})")
        }
        7 => {
            let name = rng.choose(&[
                "copysign",
                "fmin",
                "fmax",
                "fmod",
                "fdim",
                "remainder",
                "nextafter",
                "hypot",
                "pow",
                "atan2",
            ]);
            format!("{name}({left}, {right})")
        }
        8 => format!("({left} < {right} ? {left} : {right})"),
        _ => format!("((double)(int)({left} > -1e9 && {left} < 1e9 ? {left} : 1.0))"),
    }
}

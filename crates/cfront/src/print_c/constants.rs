//! The spelling of constants: each text has exactly the type and the value of the constant.

use crate::floating::Floating;
use crate::hir::{StringLit, StringUnits};
use crate::target::Target;
use crate::typename::int_name;
use crate::types::{FloatKind, IntKind};
use vergo_num::{Float, Natural};
use vergo_source::Precedence;

/// A constant as text, with the precedence that it has inside an expression.
pub(super) struct Spelling {
    pub(super) text: String,
    pub(super) prec: Precedence,
}

fn suffix(kind: IntKind) -> Option<&'static str> {
    Some(match kind {
        IntKind::Int => "",
        IntKind::UInt => "U",
        IntKind::Long => "L",
        IntKind::ULong => "UL",
        IntKind::LongLong => "LL",
        IntKind::ULongLong => "ULL",
        _ => return None,
    })
}

/// The value that the low bits of `bits` have at a width and signedness.
pub(super) fn signed_value(bits: u128, width: u32, signed: bool) -> i128 {
    if width == 0 || width >= 128 {
        return bits as i128;
    }
    let shift = 128 - width;
    if signed { ((bits << shift) as i128) >> shift } else { ((bits << shift) >> shift) as i128 }
}

/// An integer constant of at most 64 bits.
pub(super) fn int(kind: IntKind, bits: u64, target: &Target) -> Spelling {
    let width = kind.width(target);
    if width > 64 {
        return wide_int(kind, u128::from(bits), target);
    }
    let value = signed_value(u128::from(bits), width, kind.is_signed());
    match suffix(kind) {
        Some(suffix) => signed_literal(value, width, kind.is_signed(), suffix),
        // No literal has a type below `int`: a cast of one does.
        None if value >= i128::from(i32::MIN) && value <= i128::from(i32::MAX) => {
            let inner = signed_literal(value, 32, true, "");
            let text = if inner.prec >= Precedence::Unary {
                format!("({}){}", int_name(kind), inner.text)
            } else {
                format!("({})({})", int_name(kind), inner.text)
            };
            Spelling { text, prec: Precedence::Unary }
        }
        None => {
            let inner = signed_literal(
                value,
                64,
                kind.is_signed(),
                if kind.is_signed() { "LL" } else { "ULL" },
            );
            Spelling {
                text: format!("({})({})", int_name(kind), inner.text),
                prec: Precedence::Unary,
            }
        }
    }
}

fn signed_literal(value: i128, width: u32, signed: bool, suffix: &str) -> Spelling {
    if value >= 0 {
        return Spelling { text: format!("{value}{suffix}"), prec: Precedence::Primary };
    }
    // The magnitude of the least value has no literal of the type.
    if signed && width <= 64 && value == -(1i128 << (width - 1)) {
        return Spelling {
            text: format!("-{}{suffix} - 1{suffix}", -(value + 1)),
            prec: Precedence::Additive,
        };
    }
    Spelling { text: format!("-{}{suffix}", -value), prec: Precedence::Unary }
}

/// A number without a suffix where the context converts it: `None` if it does not fit `int`.
pub(super) fn plain_int(kind: IntKind, bits: u64, target: &Target) -> Option<Spelling> {
    let width = kind.width(target);
    if width > 64 {
        return None;
    }
    let value = signed_value(u128::from(bits), width, kind.is_signed());
    (value >= i128::from(i32::MIN) && value <= i128::from(i32::MAX))
        .then(|| signed_literal(value, 32, true, ""))
}

/// An integer constant wider than 64 bits: no literal has such a type, so it is put together.
pub(super) fn wide_int(kind: IntKind, bits: u128, target: &Target) -> Spelling {
    let name = int_name(kind);
    let word = if target.word == 8 { "UL" } else { "ULL" };
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    if high == 0 {
        return Spelling { text: format!("({name}){low}{word}"), prec: Precedence::Unary };
    }
    let unsigned = int_name(kind.with_sign(false));
    let both = format!("({unsigned}){high}{word} << 64 | {low}{word}");
    if kind.is_signed() {
        Spelling { text: format!("({name})({both})"), prec: Precedence::Unary }
    } else {
        Spelling { text: both, prec: Precedence::BitOr }
    }
}

/// A floating constant: decimal where a short decimal is the exact value, else hexadecimal.
pub(super) fn float(kind: FloatKind, value: &Floating) -> Spelling {
    let suffix = match kind {
        FloatKind::Double => "",
        FloatKind::Float | FloatKind::BFloat16 => "F",
        FloatKind::LongDouble => "L",
        FloatKind::Float16 => "F16",
        FloatKind::Float32 => "F32",
        FloatKind::Float64 => "F64",
        FloatKind::Float128 => "F128",
        FloatKind::Float32x => "F32x",
        FloatKind::Float64x => "F64x",
    };
    // There is no literal of this type; every value of it is one of `float`.
    let cast = if kind == FloatKind::BFloat16 { "(__bf16)" } else { "" };
    let magnitude = value.abs();
    let builtin = suffix.to_ascii_lowercase();
    let body = if magnitude.is_nan() {
        let (payload, signalling) = value.payload();
        let signalling = if signalling { "s" } else { "" };
        let payload = if payload.is_zero() {
            String::new()
        } else {
            format!("0x{}", payload.to_hex().trim_start_matches('0'))
        };
        format!("__builtin_nan{signalling}{builtin}(\"{payload}\")")
    } else if magnitude.is_infinite() {
        format!("__builtin_inf{builtin}()")
    } else {
        format!("{}{suffix}", exact_decimal(&magnitude).unwrap_or_else(|| magnitude.to_hex()))
    };
    match (value.is_sign_negative(), cast.is_empty()) {
        (false, true) => Spelling { text: body, prec: Precedence::Primary },
        (false, false) => Spelling { text: format!("{cast}{body}"), prec: Precedence::Unary },
        (true, _) => Spelling { text: format!("{cast}-{body}"), prec: Precedence::Unary },
    }
}

/// The decimal text if it is short and equals the value, not only rounds to it.
fn exact_decimal(value: &Float) -> Option<String> {
    let text = value.to_decimal();
    if text.len() > 16 || text.contains('e') {
        return None;
    }
    let (whole, fraction) = text.split_once('.')?;
    let digits = Natural::parse(&format!("{whole}{fraction}"), 10)?;
    let (_, numerator, denominator) = value.to_rational()?;
    let scale = Natural::power(10, fraction.len() as u64);
    (digits.mul(&denominator) == numerator.mul(&scale)).then_some(text)
}

/// A string literal; the last unit, the terminator, is implied. At most `limit` units are written.
pub(super) fn string(literal: &StringLit, unsigned_wide: bool, limit: usize) -> String {
    match &literal.units {
        StringUnits::Bytes(units) => quote_bytes(&units[..visible(units.len(), limit)]),
        StringUnits::Units16(units) => {
            let units = &units[..visible(units.len(), limit)];
            quote_units("u", units.iter().map(|&unit| u32::from(unit)))
        }
        StringUnits::Units32(units) => {
            let units = &units[..visible(units.len(), limit)];
            quote_units(if unsigned_wide { "U" } else { "L" }, units.iter().copied())
        }
    }
}

fn visible(units: usize, limit: usize) -> usize {
    units.saturating_sub(1).min(limit)
}

/// Bytes as a C string literal. Text in UTF-8 stays readable; other bytes are octal escapes, which end by themselves.
pub(super) fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    let mut question = false;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_ascii() {
                push_ascii(&mut out, c as u8, question);
            } else if c.is_control() || is_bidirectional(c) {
                let mut buffer = [0; 4];
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    push_octal(&mut out, u32::from(byte));
                }
            } else {
                out.push(c);
            }
            question = c == '?';
        }
        for &byte in chunk.invalid() {
            push_octal(&mut out, u32::from(byte));
            question = false;
        }
    }
    out.push('"');
    out
}

/// Characters that change the direction of text: never shown raw.
fn is_bidirectional(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn quote_units(prefix: &str, units: impl Iterator<Item = u32>) -> String {
    let mut out = format!("{prefix}\"");
    let mut open_escape = false;
    let mut question = false;
    for unit in units {
        match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => {
                // A hexadecimal escape would swallow the digit: the literal is cut in two.
                if open_escape && byte.is_ascii_hexdigit() {
                    out.push_str(&format!("\" {prefix}\""));
                }
                push_ascii(&mut out, byte, question);
                open_escape = false;
                question = byte == b'?';
            }
            _ if unit < 0o1000 => {
                push_octal(&mut out, unit);
                open_escape = false;
                question = false;
            }
            _ => {
                out.push_str(&format!("\\x{unit:x}"));
                open_escape = true;
                question = false;
            }
        }
    }
    out.push('"');
    out
}

fn push_ascii(out: &mut String, byte: u8, after_question: bool) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\t' => out.push_str("\\t"),
        b'\r' => out.push_str("\\r"),
        // Two question marks begin a trigraph.
        b'?' if after_question => out.push_str("\\?"),
        b' '..=b'~' => out.push(byte as char),
        _ => push_octal(out, u32::from(byte)),
    }
}

fn push_octal(out: &mut String, unit: u32) {
    out.push_str(&format!("\\{unit:03o}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::DataModel;
    use vergo_num::{FloatFormat, RoundingMode};

    fn spelled(kind: IntKind, bits: u64) -> String {
        int(kind, bits, &Target::new(DataModel::Lp64)).text
    }

    #[test]
    fn integers_have_their_type_and_value() {
        assert_eq!(spelled(IntKind::Int, 5), "5");
        assert_eq!(spelled(IntKind::Int, 0xffff_fffb), "-5");
        assert_eq!(spelled(IntKind::Int, 0x8000_0000), "-2147483647 - 1");
        assert_eq!(spelled(IntKind::UInt, 0xffff_ffff), "4294967295U");
        assert_eq!(spelled(IntKind::Long, 1 << 63), "-9223372036854775807L - 1L");
        assert_eq!(spelled(IntKind::ULongLong, u64::MAX), "18446744073709551615ULL");
        assert_eq!(spelled(IntKind::SChar, 0x80), "(signed char)-128");
        assert_eq!(spelled(IntKind::UShort, 0xffff), "(unsigned short)65535");
        let target = Target::new(DataModel::Lp64);
        assert_eq!(wide_int(IntKind::UInt128, 7, &target).text, "(unsigned __int128)7UL");
        assert_eq!(
            wide_int(IntKind::Int128, u128::MAX, &target).text,
            "(__int128)((unsigned __int128)18446744073709551615UL << 64 | 18446744073709551615UL)"
        );
    }

    #[test]
    fn floats_are_exact() {
        let read =
            |format, text| Float::parse(format, RoundingMode::NearestEven, text).expect("a number");
        let double = |text| float(FloatKind::Double, &read(FloatFormat::DOUBLE, text).into()).text;
        assert_eq!(double("1.5"), "1.5");
        assert_eq!(double("100"), "100.0");
        assert_eq!(double("0.1"), "0x1.999999999999ap-4");
        assert_eq!(double("-0"), "-0.0");
        assert_eq!(double("-inf"), "-__builtin_inf()");
        assert_eq!(double("nan"), "__builtin_nan(\"\")");
        assert_eq!(
            float(FloatKind::Float, &read(FloatFormat::SINGLE, "0.25").into()).text,
            "0.25F"
        );
        assert_eq!(
            float(FloatKind::LongDouble, &read(FloatFormat::X87_EXTENDED, "inf").into()).text,
            "__builtin_infl()"
        );
    }

    #[test]
    fn strings_survive_their_neighbours() {
        assert_eq!(quote_bytes(b"a\x001??=\"\\\n"), r#""a\0001?\?=\"\\\n""#);
        assert_eq!(quote_bytes(b"\xff1\xc3\xa9"), "\"\\3771\u{e9}\"");
        assert_eq!(
            quote_units("L", [0x20ac, u32::from(b'a'), 0x7f].into_iter()),
            r#"L"\x20ac" L"a\177""#
        );
    }
}

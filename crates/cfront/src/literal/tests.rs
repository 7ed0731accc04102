//! Tests of literal values.

use super::*;

fn int(text: &str) -> IntLiteral {
    match number(text.as_bytes()) {
        Ok(Number::Int(literal)) => literal,
        other => panic!("{text}: {other:?}"),
    }
}

fn float(text: &str) -> FloatLiteral {
    match number(text.as_bytes()) {
        Ok(Number::Float(literal)) => literal,
        other => panic!("{text}: {other:?}"),
    }
}

fn bad(text: &str) -> String {
    number(text.as_bytes()).expect_err(text).message
}

#[test]
fn integers_of_every_base() {
    for (text, value) in [
        ("0", 0),
        ("00", 0),
        ("7", 7),
        ("0123", 0o123),
        ("0xFf", 255),
        ("0X1'0000", 0x10000),
        ("0b1010", 10),
        ("1'000'000", 1_000_000),
        ("18446744073709551615", u128::from(u64::MAX)),
        ("0xffffffffffffffffffffffffffffffff", u128::MAX),
        ("340282366920938463463374607431768211455", u128::MAX),
        ("1\\\n2", 12),
    ] {
        let literal = int(text);
        assert_eq!(literal.value, value, "{text}");
        assert!(!literal.overflow, "{text}");
        assert_eq!(literal.decimal, !text.starts_with('0'), "{text}");
    }
    assert!(int("340282366920938463463374607431768211456").overflow);
    assert!(int("0x100000000000000000000000000000000").overflow);
}

#[test]
fn integer_suffixes() {
    let of = |text: &str| {
        let literal = int(text);
        (literal.unsigned, literal.length, literal.imaginary)
    };
    assert_eq!(of("1u"), (true, IntLength::Int, false));
    assert_eq!(of("1Lu"), (true, IntLength::Long, false));
    assert_eq!(of("1uLL"), (true, IntLength::LongLong, false));
    assert_eq!(of("0x1llU"), (true, IntLength::LongLong, false));
    assert_eq!(of("1i"), (false, IntLength::Int, true));
    assert_eq!(of("1jul"), (true, IntLength::Long, true));
    assert_eq!(of("3uwb"), (true, IntLength::BitPrecise, false));
    assert_eq!(of("3WB"), (false, IntLength::BitPrecise, false));
    for text in ["1lL", "1uu", "1lul", "1f", "1wB", "0b12u2", "12abc", "1_000"] {
        bad(text);
    }
}

#[test]
fn floating_constants() {
    for (text, digits, ty, imaginary) in [
        ("1.5", "1.5", FloatName::Double, false),
        ("1.", "1.", FloatName::Double, false),
        (".5f", ".5", FloatName::Float, false),
        ("1e10L", "1e10", FloatName::LongDouble, false),
        ("1E-3F", "1E-3", FloatName::Float, false),
        ("0x1.8p3", "0x1.8p3", FloatName::Double, false),
        ("0x.8P-3f", "0x.8P-3", FloatName::Float, false),
        ("09.5", "09.5", FloatName::Double, false),
        ("1'0.2'5e1'0", "10.25e10", FloatName::Double, false),
        ("1.0i", "1.0", FloatName::Double, true),
        ("1.0fj", "1.0", FloatName::Float, true),
        ("1.0if", "1.0", FloatName::Float, true),
        ("1.0f128", "1.0", FloatName::Float128, false),
        ("1.0F32x", "1.0", FloatName::Float32x, false),
        ("1.0f16", "1.0", FloatName::Float16, false),
        ("1.0bf16", "1.0", FloatName::BFloat16, false),
        ("1.0q", "1.0", FloatName::Float128, false),
        ("1.0dd", "1.0", FloatName::Decimal, false),
    ] {
        assert_eq!(float(text), FloatLiteral { digits: digits.into(), ty, imaginary }, "{text}");
    }
}

#[test]
fn malformed_numbers_say_why() {
    assert_eq!(bad("08"), "`8` is not a digit of an octal number");
    assert_eq!(bad("0b102"), "`2` is not a digit of a binary number");
    assert_eq!(bad("0x"), "this hexadecimal number has no digits");
    assert_eq!(bad("1e"), "the exponent of this number has no digits");
    assert_eq!(bad("1e+"), "the exponent of this number has no digits");
    assert_eq!(bad("0x1.8"), "a hexadecimal floating constant needs an exponent");
    assert_eq!(bad("1.2.3"), "this number has two decimal points");
    assert_eq!(bad("1.5x"), "`x` is not a suffix of a floating constant");
    let error = number(b"0xe+1").expect_err("a number continues after e+");
    assert!(error.help.is_some_and(|help| help.contains("blank before `+`")));
}

#[test]
fn characters() {
    let of = |text: &str| {
        let literal = character(text.as_bytes()).expect(text);
        (literal.prefix, literal.value)
    };
    assert_eq!(of("'a'"), (Prefix::None, 97));
    assert_eq!(of("'\\n'"), (Prefix::None, 10));
    assert_eq!(of("'\\''"), (Prefix::None, 39));
    assert_eq!(of("'\\377'"), (Prefix::None, -1));
    assert_eq!(of("'\\xff'"), (Prefix::None, -1));
    assert_eq!(of("'\\e'"), (Prefix::None, 27));
    assert_eq!(of("'\\0'"), (Prefix::None, 0));
    assert_eq!(of("'ab'"), (Prefix::None, 0x6162));
    assert_eq!(of("'\\377a'"), (Prefix::None, 0xff61));
    assert_eq!(of("'abcde'"), (Prefix::None, 0x6263_6465));
    assert_eq!(of("'é'"), (Prefix::None, 0xc3a9));
    assert_eq!(of("L'é'"), (Prefix::Wide, 0xe9));
    assert_eq!(of("L'\\xffffffff'"), (Prefix::Wide, -1));
    assert_eq!(of("U'\\U0001F600'"), (Prefix::Utf32, 0x1f600));
    assert_eq!(of("u'\\u20ac'"), (Prefix::Utf16, 0x20ac));
    assert_eq!(of("u8'a'"), (Prefix::Utf8, 97));
    assert_eq!(of("'\\q'"), (Prefix::None, 113));
    for text in ["''", "'\\x'", "'\\u12'", "'\\ud800'", "'", "'a", "L'\\U00110000'"] {
        assert!(character(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn strings() {
    let of = |pieces: &[&str]| {
        let literal = string(pieces.iter().map(|piece| piece.as_bytes())).expect("a string");
        (literal.prefix, literal.units)
    };
    let bytes = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
    assert_eq!(of(&["\"ab\"", "\"c\""]), (Prefix::None, bytes("abc")));
    assert_eq!(of(&["\"\\x41\"", "\"1\""]), (Prefix::None, bytes("A1")));
    assert_eq!(of(&["\"\\1234\""]), (Prefix::None, vec![0o123, 52]));
    assert_eq!(of(&["\"é\""]), (Prefix::None, vec![0xc3, 0xa9]));
    assert_eq!(of(&["\"\\u00e9\""]), (Prefix::None, vec![0xc3, 0xa9]));
    assert_eq!(of(&["\"é\"", "L\"x\""]), (Prefix::Wide, vec![0xe9, 120]));
    assert_eq!(of(&["u\"\u{1f600}\""]), (Prefix::Utf16, vec![0xd83d, 0xde00]));
    assert_eq!(of(&["U\"\u{1f600}\""]), (Prefix::Utf32, vec![0x1f600]));
    assert_eq!(of(&["u8\"a\""]), (Prefix::Utf8, bytes("a")));
    assert_eq!(of(&["R\"x(a\\n\")x\""]), (Prefix::None, bytes("a\\n\"")));
    assert_eq!(of(&["\"a\\\nb\""]), (Prefix::None, bytes("ab")));
    assert_eq!(of(&[]), (Prefix::None, vec![]));
    assert!(string([&b"u\"a\""[..], b"L\"b\""]).is_err());
    assert!(string([&b"L\"\xff\""[..]]).is_err());
    assert!(string([&b"\"\xff\""[..]]).is_ok());
}

#[test]
fn any_bytes_have_an_answer() {
    // Every text of up to four bytes over a small alphabet, as each kind of literal.
    let alphabet = b"\"'\\xuUL8R(0.e+";
    let mut text = Vec::new();
    fn all(text: &mut Vec<u8>, alphabet: &[u8]) {
        if !text.is_empty() {
            let _ = number(text);
            let _ = character(text);
            let _ = string([&text[..]]);
            let _ = problems(text);
        }
        if text.len() < 4 {
            for &byte in alphabet {
                text.push(byte);
                all(text, alphabet);
                text.pop();
            }
        }
    }
    all(&mut text, alphabet);
}

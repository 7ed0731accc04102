//! Formatted output: C17 7.21.6.1, with the choices of the GNU C library where C leaves them open.
//!
//! Floats are converted from their exact value as a fraction, rounded once to nearest even, whatever the precision.

use vergo_num::{Float, FloatFormat, Natural};

/// The arguments of a format, and the strings that they point to.
pub(crate) trait Arguments {
    type Error;

    /// The next argument, an integer of this many bytes, not extended.
    fn integer(&mut self, size: usize) -> Result<u64, Self::Error>;

    /// The next argument, a `double` or `long double`.
    fn float(&mut self, long: bool) -> Result<Float, Self::Error>;

    /// The next argument, a pointer: its address.
    fn pointer(&mut self) -> Result<u64, Self::Error>;

    /// The bytes up to a zero byte, at most `limit`, at the pointer that is the next argument; `None` if it is null.
    fn string(&mut self, limit: usize) -> Result<Option<Vec<u8>>, Self::Error>;

    /// The same of wide characters.
    fn wide_string(&mut self) -> Result<Option<Vec<u32>>, Self::Error>;

    /// Stores a count in the integer of this size at the pointer that is the next argument.
    fn store_count(&mut self, size: usize, count: u64) -> Result<(), Self::Error>;

    /// Size of `long` and of pointers.
    fn word(&self) -> usize;
}

#[derive(Clone, Copy, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    Size,
    LongDouble,
}

/// Fields wider than this are cut, so that a format cannot eat all memory.
const MAX_FIELD: usize = 1 << 24;

/// Formats; the bytes of the result.
pub(crate) fn format<A: Arguments>(format: &[u8], args: &mut A) -> Result<Vec<u8>, A::Error> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < format.len() {
        if format[i] != b'%' {
            out.push(format[i]);
            i += 1;
            continue;
        }
        let start = i;
        i += 1;
        let mut spec = Spec::default();
        while let Some(&flag) = format.get(i) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternative = true,
                b'0' => spec.zero = true,
                b'\'' | b'I' => {}
                _ => break,
            }
            i += 1;
        }
        if format.get(i) == Some(&b'*') {
            i += 1;
            let width = args.integer(4)? as u32 as i32;
            spec.left |= width < 0;
            spec.width = (width.unsigned_abs() as usize).min(MAX_FIELD);
        } else {
            spec.width = number(format, &mut i);
        }
        if format.get(i) == Some(&b'.') {
            i += 1;
            if format.get(i) == Some(&b'*') {
                i += 1;
                let precision = args.integer(4)? as u32 as i32;
                spec.precision = usize::try_from(precision).ok().map(|p| p.min(MAX_FIELD));
            } else {
                spec.precision = Some(number(format, &mut i));
            }
        }
        let length = length(format, &mut i);
        let Some(&conversion) = format.get(i) else {
            out.extend_from_slice(&format[start..]);
            break;
        };
        i += 1;
        let size = match length {
            Length::None | Length::Char | Length::Short => 4,
            Length::Long | Length::Size => args.word(),
            Length::LongLong | Length::LongDouble => 8,
        };
        match conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let value = signed(args.integer(size)?, size, length);
                let sign = sign(value < 0, spec);
                integer(
                    &mut out,
                    spec,
                    sign,
                    "",
                    Natural::from(value.unsigned_abs()).to_decimal(),
                    value == 0,
                );
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = unsigned(args.integer(size)?, size, length);
                let (prefix, mut digits) = match conversion {
                    b'u' => ("", format!("{value}")),
                    b'o' => ("", format!("{value:o}")),
                    b'x' => ("0x", format!("{value:x}")),
                    _ => ("0X", format!("{value:X}")),
                };
                let mut spec = spec;
                let mut zero = value == 0;
                if conversion == b'o' && spec.alternative {
                    // A zero in front, unless the precision has one there already.
                    let wanted = spec.precision.unwrap_or(0);
                    if digits.len() >= wanted && value != 0 {
                        digits.insert(0, '0');
                    } else if value == 0 && wanted == 0 {
                        zero = false;
                    }
                }
                spec.alternative &= value != 0;
                let prefix = if spec.alternative { prefix } else { "" };
                integer(&mut out, spec, "", prefix, digits, zero);
            }
            b'c' if length == Length::Long => wide_char(&mut out, spec, args.integer(4)? as u32),
            b'C' => wide_char(&mut out, spec, args.integer(4)? as u32),
            b'c' => {
                let byte = args.integer(4)? as u8;
                pad(&mut out, spec, &[byte], false);
            }
            b's' if length == Length::Long => wide_text(&mut out, spec, args.wide_string()?),
            b'S' => wide_text(&mut out, spec, args.wide_string()?),
            b's' => {
                let limit = spec.precision.unwrap_or(usize::MAX);
                match args.string(limit)? {
                    Some(text) => pad(&mut out, spec, &text, false),
                    // As the GNU C library: nothing if the text would be cut.
                    None if limit >= 6 => pad(&mut out, spec, b"(null)", false),
                    None => pad(&mut out, spec, b"", false),
                }
            }
            b'p' => {
                let address = args.pointer()?;
                if address == 0 {
                    pad(&mut out, spec, b"(nil)", false);
                } else {
                    let sign = sign(false, spec);
                    let spec = Spec { alternative: true, ..spec };
                    integer(&mut out, spec, sign, "0x", format!("{address:x}"), false);
                }
            }
            b'n' => {
                let size = match length {
                    Length::Char => 1,
                    Length::Short => 2,
                    _ => size,
                };
                args.store_count(size, out.len() as u64)?;
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let value = args.float(length == Length::LongDouble)?;
                float(&mut out, spec, conversion, &value);
            }
            b'm' => pad(&mut out, spec, b"Success", false),
            _ => out.extend_from_slice(&format[start..i]),
        }
    }
    Ok(out)
}

fn number(format: &[u8], i: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = format.get(*i).filter(|b| b.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        *i += 1;
    }
    value.min(MAX_FIELD)
}

fn length(format: &[u8], i: &mut usize) -> Length {
    let rest = &format[*i..];
    let (length, n) = match rest {
        [b'h', b'h', ..] => (Length::Char, 2),
        [b'h', ..] => (Length::Short, 1),
        [b'l', b'l', ..] => (Length::LongLong, 2),
        [b'l', ..] => (Length::Long, 1),
        [b'q' | b'j', ..] => (Length::LongLong, 1),
        [b'z' | b'Z' | b't', ..] => (Length::Size, 1),
        [b'L', ..] => (Length::LongDouble, 1),
        _ => (Length::None, 0),
    };
    *i += n;
    length
}

fn signed(value: u64, size: usize, length: Length) -> i64 {
    match length {
        Length::Char => i64::from(value as i8),
        Length::Short => i64::from(value as i16),
        _ if size == 4 => i64::from(value as i32),
        _ => value as i64,
    }
}

fn unsigned(value: u64, size: usize, length: Length) -> u64 {
    match length {
        Length::Char => u64::from(value as u8),
        Length::Short => u64::from(value as u16),
        _ if size == 4 => u64::from(value as u32),
        _ => value,
    }
}

fn sign(negative: bool, spec: Spec) -> &'static str {
    if negative {
        "-"
    } else if spec.plus {
        "+"
    } else if spec.space {
        " "
    } else {
        ""
    }
}

/// Text in a field.
fn pad(out: &mut Vec<u8>, spec: Spec, text: &[u8], zeros: bool) {
    let fill = spec.width.saturating_sub(text.len());
    if spec.left {
        out.extend_from_slice(text);
        out.extend(std::iter::repeat_n(b' ', fill));
    } else {
        out.extend(std::iter::repeat_n(if zeros { b'0' } else { b' ' }, fill));
        out.extend_from_slice(text);
    }
}

/// Sign, prefix and digits in a field; zeros go behind the prefix.
fn number_field(out: &mut Vec<u8>, spec: Spec, sign: &str, prefix: &str, body: &str, zeros: bool) {
    let len = sign.len() + prefix.len() + body.len();
    let fill = spec.width.saturating_sub(len);
    if !spec.left && !zeros {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
    out.extend_from_slice(sign.as_bytes());
    out.extend_from_slice(prefix.as_bytes());
    if !spec.left && zeros {
        out.extend(std::iter::repeat_n(b'0', fill));
    }
    out.extend_from_slice(body.as_bytes());
    if spec.left {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
}

fn integer(
    out: &mut Vec<u8>,
    spec: Spec,
    sign: &str,
    prefix: &str,
    mut digits: String,
    zero: bool,
) {
    if let Some(precision) = spec.precision {
        if zero && precision == 0 {
            digits.clear();
        }
        if digits.len() < precision {
            digits.insert_str(0, &"0".repeat(precision - digits.len()));
        }
    }
    number_field(out, spec, sign, prefix, &digits, spec.zero && spec.precision.is_none());
}

fn wide_char(out: &mut Vec<u8>, spec: Spec, value: u32) {
    let mut text = String::new();
    text.extend(char::from_u32(value));
    pad(out, spec, text.as_bytes(), false);
}

fn wide_text(out: &mut Vec<u8>, spec: Spec, text: Option<Vec<u32>>) {
    let mut bytes = Vec::new();
    match text {
        None => bytes.extend_from_slice(b"(null)"),
        Some(text) => {
            // The precision counts bytes; no character is cut.
            let limit = spec.precision.unwrap_or(usize::MAX);
            for value in text {
                let mut buffer = [0; 4];
                let encoded = char::from_u32(value).unwrap_or('?').encode_utf8(&mut buffer);
                if bytes.len() + encoded.len() > limit {
                    break;
                }
                bytes.extend_from_slice(encoded.as_bytes());
            }
        }
    }
    pad(out, spec, &bytes, false);
}

fn float(out: &mut Vec<u8>, spec: Spec, conversion: u8, value: &Float) {
    let upper = conversion.is_ascii_uppercase();
    let sign = sign(value.is_sign_negative(), spec);
    if !value.is_finite() {
        let word = if value.is_nan() { "nan" } else { "inf" };
        let word = if upper { word.to_uppercase() } else { word.to_owned() };
        return number_field(out, spec, sign, "", &word, false);
    }
    let (prefix, body) = match conversion.to_ascii_lowercase() {
        b'e' => ("", exponential(value, spec.precision.unwrap_or(6), spec.alternative)),
        b'f' => ("", fixed(value, spec.precision.unwrap_or(6), spec.alternative)),
        b'g' => ("", general(value, spec)),
        _ => ("0x", hexadecimal(value, spec)),
    };
    let (prefix, body) = if upper {
        (prefix.to_uppercase(), body.to_uppercase())
    } else {
        (prefix.to_owned(), body)
    };
    number_field(out, spec, sign, &prefix, &body, spec.zero);
}

/// The magnitude of a finite float as a fraction.
fn fraction(value: &Float) -> (Natural, Natural) {
    match value.to_rational() {
        Some((_, numerator, denominator)) => (numerator, denominator),
        None => (Natural::ZERO, Natural::from(1u64)),
    }
}

/// A quotient rounded to nearest, ties to even.
fn rounded(numerator: &Natural, denominator: &Natural) -> Natural {
    let (quotient, rest) = numerator.div_rem(denominator);
    let twice = rest.shl(1);
    let up = match twice.cmp(denominator) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => quotient.is_odd(),
        std::cmp::Ordering::Less => false,
    };
    if up { quotient.add(&Natural::from(1u64)) } else { quotient }
}

fn fixed(value: &Float, precision: usize, point: bool) -> String {
    let (numerator, denominator) = fraction(value);
    let scaled = numerator.mul(&Natural::power(10, precision as u64));
    let mut digits = rounded(&scaled, &denominator).to_decimal();
    if digits.len() <= precision {
        digits.insert_str(0, &"0".repeat(precision + 1 - digits.len()));
    }
    if precision > 0 || point {
        digits.insert(digits.len() - precision, '.');
    }
    digits
}

/// The digits of a number, one before the point and `precision` behind, and its decimal exponent.
fn decimal(value: &Float, precision: usize) -> (String, i64) {
    let (numerator, denominator) = fraction(value);
    if numerator.is_zero() {
        return ("0".repeat(precision + 1), 0);
    }
    // The exponent from the number of bits, then one step at a time.
    let bits = numerator.bit_len() as i64 - denominator.bit_len() as i64;
    let mut exponent = (bits as f64 * std::f64::consts::LOG10_2).floor() as i64;
    let scaled = |exponent: i64| {
        // The fraction divided by 10^exponent.
        let power = Natural::power(10, exponent.unsigned_abs());
        if exponent >= 0 {
            (numerator.clone(), denominator.mul(&power))
        } else {
            (numerator.mul(&power), denominator.clone())
        }
    };
    loop {
        let (n, d) = scaled(exponent);
        if n < d {
            exponent -= 1;
        } else if n >= d.mul(&Natural::from(10u64)) {
            exponent += 1;
        } else {
            break;
        }
    }
    let shift = exponent - precision as i64;
    let (n, d) = scaled(shift);
    let mut digits = rounded(&n, &d).to_decimal();
    if digits.len() > precision + 1 {
        // Rounding carried into a new digit.
        digits.pop();
        exponent += 1;
    }
    (digits, exponent)
}

fn exponent_text(exponent: i64) -> String {
    format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn exponential(value: &Float, precision: usize, point: bool) -> String {
    let (mut digits, exponent) = decimal(value, precision);
    if precision > 0 || point {
        digits.insert(1, '.');
    }
    digits + &exponent_text(exponent)
}

fn general(value: &Float, spec: Spec) -> String {
    let precision = spec.precision.unwrap_or(6).max(1);
    let (_, exponent) = decimal(value, precision - 1);
    let (mut body, suffix) = if exponent < -4 || exponent >= precision as i64 {
        let (mut digits, exponent) = decimal(value, precision - 1);
        if precision > 1 || spec.alternative {
            digits.insert(1, '.');
        }
        (digits, exponent_text(exponent))
    } else {
        let behind = (precision as i64 - 1 - exponent) as usize;
        (fixed(value, behind, spec.alternative), String::new())
    };
    if !spec.alternative && body.contains('.') {
        body.truncate(body.trim_end_matches('0').trim_end_matches('.').len());
    }
    body + &suffix
}

/// Hexadecimal digits without the prefix. One bit stands before the point; of x87 numbers, four.
fn hexadecimal(value: &Float, spec: Spec) -> String {
    let format = value.format();
    let x87 = format == FloatFormat::X87_EXTENDED;
    let (numerator, denominator) = fraction(value);
    if numerator.is_zero() {
        let digits = spec.precision.unwrap_or(0);
        let point = if digits > 0 || spec.alternative { "." } else { "" };
        return format!("0{point}{}p+0", "0".repeat(digits));
    }
    let bits = i64::from(format.significand_bits());
    // The number is `whole * 2^lowest` with `whole` of at most `bits` bits.
    let top = numerator.bit_len() as i64 - denominator.bit_len() as i64;
    let lowest = (top - bits + 1).max(format.quantum_exponent());
    let scale = denominator.bit_len() as i64 - 1 + lowest;
    let whole =
        if scale >= 0 { numerator.shr(scale as usize) } else { numerator.shl((-scale) as usize) };
    // Digits behind the point, and the exponent of the digit before it.
    let (behind_bits, exponent) =
        if x87 { (60, lowest + 60) } else { (bits - 1, lowest + bits - 1) };
    let n_digits = (behind_bits as usize).div_ceil(4);
    let whole = whole.shl(n_digits * 4 - behind_bits as usize);
    let (whole, n_digits) = match spec.precision {
        Some(precision) if precision < n_digits => {
            let unit = Natural::power_of_two((n_digits - precision) * 4);
            (rounded(&whole, &unit), precision)
        }
        _ => (whole, n_digits),
    };
    let (lead, behind) = whole.div_rem(&Natural::power_of_two(n_digits * 4));
    let mut digits: String = (0..n_digits).rev().map(|i| hex_digit(&behind, i)).collect();
    match spec.precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(precision) => {
            digits.extend(std::iter::repeat_n('0', precision.saturating_sub(n_digits)))
        }
    }
    let point = if digits.is_empty() && !spec.alternative { "" } else { "." };
    // Rounding may carry into the digit before the point; it stays one digit.
    let (lead, exponent) = match lead.to_u64() {
        Some(16) => (1, exponent + 4),
        Some(lead) => (lead, exponent),
        None => (0, exponent),
    };
    format!("{lead:x}{point}{digits}p{exponent:+}")
}

fn hex_digit(value: &Natural, i: usize) -> char {
    let digit: u32 = (0..4).map(|j| u32::from(value.bit(i * 4 + j)) << j).sum();
    char::from_digit(digit, 16).unwrap_or('0')
}

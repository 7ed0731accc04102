//! The possible lengths of the text that a format prints, read off the format alone.

/// The fewest and the most characters that a format can print; `None` if there is no limit within reach. An upper limit
/// may be generous: the result says what surely fits.
pub(crate) fn lengths(format: &[u8]) -> Option<(u64, u64)> {
    let (mut least, mut most) = (0u64, 0u64);
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            (least, most) = (least + 1, most + 1);
            continue;
        }
        let (conversion, after) = Conversion::read(rest)?;
        rest = after;
        let (short, long) = conversion.lengths()?;
        least += short.max(conversion.width);
        most = most.checked_add(long.max(conversion.width))?;
    }
    Some((least, most))
}

/// A conversion of a format.
struct Conversion {
    width: u64,
    precision: Option<u64>,
    /// True if the argument may be wider than an `int`, or is a `long double`.
    is_long: bool,
    is_long_double: bool,
    kind: u8,
}

impl Conversion {
    /// Reads what is behind a percent sign; a width or precision that is an argument has no limit.
    fn read(text: &[u8]) -> Option<(Conversion, &[u8])> {
        let mut rest = text;
        while let [b'-' | b'+' | b' ' | b'#' | b'0' | b'\'', after @ ..] = rest {
            rest = after;
        }
        let (width, after) = number(rest)?;
        rest = after;
        let mut precision = None;
        if let [b'.', after @ ..] = rest {
            let (digits, after) = number(after)?;
            precision = Some(digits);
            rest = after;
        }
        let (mut is_long, mut is_long_double) = (false, false);
        while let [byte @ (b'h' | b'l' | b'q' | b'j' | b'z' | b't' | b'L'), after @ ..] = rest {
            is_long |= *byte != b'h';
            is_long_double |= *byte == b'L';
            rest = after;
        }
        let (&kind, rest) = rest.split_first()?;
        Some((Conversion { width, precision, is_long, is_long_double, kind }, rest))
    }

    /// The fewest and the most characters, without the width.
    fn lengths(&self) -> Option<(u64, u64)> {
        const SIGN: u64 = 1;
        const PREFIX: u64 = 2;
        let digits = |short, long| {
            let digits: u64 = if self.is_long { long } else { short };
            // With a precision of zero, a zero prints nothing.
            let least = self.precision.unwrap_or(1);
            (least, digits.max(self.precision.unwrap_or(0)) + SIGN + PREFIX)
        };
        let fraction = self.precision.unwrap_or(6);
        match self.kind {
            b'%' => Some((1, 1)),
            b'c' if !self.is_long => Some((1, 1)),
            b'd' | b'i' | b'u' => Some(digits(10, 20)),
            b'x' | b'X' => Some(digits(8, 16)),
            b'o' => Some(digits(11, 22)),
            b's' if !self.is_long => self.precision.map(|most| (0, most)),
            // As many digits as the greatest double has before the point.
            b'f' | b'F' if !self.is_long_double => Some((1, SIGN + 309 + 1 + fraction)),
            // A digit, a point and an exponent.
            b'e' | b'E' | b'g' | b'G' if !self.is_long_double => Some((1, SIGN + 8 + fraction + 4)),
            _ => None,
        }
    }
}

/// The number at the beginning of a text, zero without one; `None` if it is an argument or enormous.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    if text.first() == Some(&b'*') {
        return None;
    }
    let n_digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(n_digits);
    if n_digits > 6 {
        return None;
    }
    Some((digits.iter().fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0')), rest))
}

#[cfg(test)]
mod tests {
    use super::lengths;

    #[test]
    fn limits_contain_what_is_printed() {
        // Each with the lengths of the shortest and the longest text that it prints.
        for (format, shortest, longest) in [
            ("", 0, 0),
            ("100%%", 4, 4),
            ("%d", 1, 11),
            ("%5d", 5, 11),
            ("%.12d", 12, 13),
            ("%-30u|", 31, 31),
            ("%hhd", 1, 4),
            ("%ld", 1, 20),
            ("%#llx", 1, 18),
            ("%c%c", 2, 2),
            ("%.3s", 0, 3),
            ("%f", 3, 317),
            ("%.0f", 1, 310),
            ("%10.2e", 10, 10),
            ("x=%d, y=%d\n", 9, 29),
        ] {
            let (least, most) = lengths(format.as_bytes()).unwrap();
            assert!(least <= shortest && longest <= most, "{format}: {least}..{most}");
            assert!(most <= longest + 24, "{format}: {most} is too generous");
        }
    }

    #[test]
    fn what_has_no_limit_has_none() {
        for format in ["%s", "%*d", "%.*f", "%Lf", "%ls", "%n", "%", "%9999999d", "%p"] {
            assert_eq!(lengths(format.as_bytes()), None, "{format}");
        }
    }
}

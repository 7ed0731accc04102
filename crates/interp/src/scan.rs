//! Formatted input: C17 7.21.6.2.

use vergo_num::{BitVec, Float, FloatFormat, Natural, RoundingMode};

/// Where input comes from, and where what is read goes.
pub(crate) trait Source {
    type Error;

    /// The next byte; `None` at the end.
    fn next(&mut self) -> Result<Option<u8>, Self::Error>;

    /// Gives back a byte that was read; up to a few in a row.
    fn unread(&mut self, byte: u8);

    /// Skips the next argument's pointer and stores bytes there.
    fn store(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Size of `long` and of pointers.
    fn word(&self) -> usize;

    /// Size of `long double`.
    fn long_double(&self) -> usize;
}

/// Reads by a format: the number of arguments assigned, or −1 at the end of the input.
pub(crate) fn scan<S: Source>(format: &[u8], source: &mut S) -> Result<i64, S::Error> {
    let mut reader = Reader { source, count: 0 };
    let mut assigned = 0;
    let mut i = 0;
    while i < format.len() {
        let byte = format[i];
        if byte.is_ascii_whitespace() {
            reader.skip_space()?;
            i += 1;
            continue;
        }
        if byte != b'%' {
            i += 1;
            if !reader.expect(byte)? {
                return reader.end(assigned);
            }
            continue;
        }
        i += 1;
        let suppressed = format.get(i) == Some(&b'*');
        i += usize::from(suppressed);
        let mut width = 0usize;
        while let Some(digit) = format.get(i).filter(|b| b.is_ascii_digit()) {
            width = width.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            i += 1;
        }
        let mut length = 0i32;
        let mut long_double = false;
        while let Some(&modifier) = format.get(i) {
            match modifier {
                b'h' => length -= 1,
                b'l' => length += 1,
                b'j' | b'q' => length = 2,
                b'z' | b't' => length = 1,
                b'L' => {
                    long_double = true;
                    length = 2;
                }
                _ => break,
            }
            i += 1;
        }
        let Some(&conversion) = format.get(i) else { break };
        i += 1;
        let size = match length {
            ..=-2 => 1,
            -1 => 2,
            0 => 4,
            1 => reader.source.word(),
            _ => 8,
        };
        let limit = if width == 0 { usize::MAX } else { width };
        if !matches!(conversion, b'c' | b'[' | b'n') {
            reader.skip_space()?;
        }
        let stored = match conversion {
            b'%' => {
                if !reader.expect(b'%')? {
                    return reader.end(assigned);
                }
                continue;
            }
            b'n' => {
                let count = reader.count.to_le_bytes();
                if !suppressed {
                    reader.source.store(&count[..size])?;
                }
                continue;
            }
            b'd' | b'u' | b'i' | b'o' | b'x' | b'X' | b'p' => {
                let base = match conversion {
                    b'd' | b'u' => 10,
                    b'i' => 0,
                    b'o' => 8,
                    _ => 16,
                };
                let size = if conversion == b'p' { reader.source.word() } else { size };
                let signed = matches!(conversion, b'd' | b'i');
                reader.integer(base, limit, size, signed)?
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let format = match (long_double, length) {
                    (true, _) => FloatFormat::X87_EXTENDED,
                    (false, 1..) => FloatFormat::DOUBLE,
                    _ => FloatFormat::SINGLE,
                };
                reader.float(format, limit)?.map(|value| {
                    let mut bytes = value.bits().to_le_bytes();
                    if long_double {
                        bytes.resize(reader.source.long_double(), 0);
                    }
                    bytes
                })
            }
            b's' => reader.text(limit, |b| !b.is_ascii_whitespace())?.map(terminated),
            b'c' => reader.exactly(if width == 0 { 1 } else { width })?,
            b'[' => {
                let set = Set::parse(format, &mut i);
                reader.text(limit, |b| set.contains(b))?.map(terminated)
            }
            _ => return Ok(assigned),
        };
        match stored {
            None => return reader.end(assigned),
            Some(bytes) => {
                if !suppressed {
                    reader.source.store(&bytes)?;
                    assigned += 1;
                }
            }
        }
    }
    Ok(assigned)
}

fn terminated(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.push(0);
    bytes
}

struct Reader<'a, S: Source> {
    source: &'a mut S,
    count: u64,
}

impl<S: Source> Reader<'_, S> {
    fn next(&mut self) -> Result<Option<u8>, S::Error> {
        let byte = self.source.next()?;
        self.count += u64::from(byte.is_some());
        Ok(byte)
    }

    fn unread(&mut self, byte: Option<u8>) {
        if let Some(byte) = byte {
            self.count -= 1;
            self.source.unread(byte);
        }
    }

    fn skip_space(&mut self) -> Result<(), S::Error> {
        loop {
            match self.next()? {
                Some(byte) if byte.is_ascii_whitespace() || byte == 0x0b => {}
                other => {
                    self.unread(other);
                    return Ok(());
                }
            }
        }
    }

    fn expect(&mut self, wanted: u8) -> Result<bool, S::Error> {
        let byte = self.next()?;
        if byte == Some(wanted) {
            return Ok(true);
        }
        self.unread(byte);
        Ok(false)
    }

    /// The result after a failure: −1 if nothing was assigned and the input is at its end.
    fn end(&mut self, assigned: i64) -> Result<i64, S::Error> {
        let byte = self.next()?;
        self.unread(byte);
        Ok(if assigned == 0 && byte.is_none() { -1 } else { assigned })
    }

    fn exactly(&mut self, n: usize) -> Result<Option<Vec<u8>>, S::Error> {
        let mut bytes = Vec::new();
        while bytes.len() < n {
            match self.next()? {
                Some(byte) => bytes.push(byte),
                None => return Ok(None),
            }
        }
        Ok(Some(bytes))
    }

    fn text(
        &mut self,
        limit: usize,
        wanted: impl Fn(u8) -> bool,
    ) -> Result<Option<Vec<u8>>, S::Error> {
        let mut bytes = Vec::new();
        while bytes.len() < limit {
            match self.next()? {
                Some(byte) if wanted(byte) => bytes.push(byte),
                other => {
                    self.unread(other);
                    break;
                }
            }
        }
        Ok((!bytes.is_empty()).then_some(bytes))
    }

    /// An integer as `strtol` reads it, cut to a size.
    fn integer(
        &mut self,
        mut base: u32,
        limit: usize,
        size: usize,
        signed: bool,
    ) -> Result<Option<Vec<u8>>, S::Error> {
        let mut left = limit;
        let mut take = |reader: &mut Self| -> Result<Option<u8>, S::Error> {
            if left == 0 {
                return Ok(None);
            }
            left -= 1;
            reader.next()
        };
        let mut byte = take(self)?;
        let negative = byte == Some(b'-');
        if matches!(byte, Some(b'+' | b'-')) {
            byte = take(self)?;
        }
        let mut digits = String::new();
        if byte == Some(b'0') && (base == 0 || base == 16) {
            digits.push('0');
            byte = take(self)?;
            if matches!(byte, Some(b'x' | b'X')) {
                base = 16;
                digits.clear();
                byte = take(self)?;
            } else if base == 0 {
                base = 8;
            }
        } else if base == 0 {
            base = 10;
        }
        while let Some(digit) = byte.filter(|&b| char::from(b).is_digit(base)) {
            digits.push(char::from(digit));
            byte = take(self)?;
        }
        self.unread(byte);
        let Some(magnitude) = Natural::parse(&digits, base) else { return Ok(None) };
        // What does not fit is the extreme value, as the GNU C library has it.
        let wide = BitVec::from_natural(
            128,
            &if magnitude.bit_len() > 64 { Natural::from(u64::MAX) } else { magnitude },
        );
        let mut value = wide.to_u128().unwrap_or(0) as i128;
        if negative {
            value = -value;
        }
        if signed {
            value = value.clamp(i64::MIN.into(), i64::MAX.into());
        }
        Ok(Some((value as u64).to_le_bytes()[..size].to_vec()))
    }

    /// A float: the longest text that can be the start of one.
    fn float(&mut self, format: FloatFormat, limit: usize) -> Result<Option<Float>, S::Error> {
        let mut text = String::new();
        let mut hex = false;
        let mut exponent = false;
        while text.len() < limit {
            let Some(byte) = self.next()? else { break };
            let c = char::from(byte);
            let lower = c.to_ascii_lowercase();
            let sign_here = text.is_empty() || exponent && text.ends_with(['e', 'E', 'p', 'P']);
            let body = text.trim_start_matches(['+', '-']);
            let fits = match lower {
                '+' | '-' => sign_here,
                '0'..='9' => true,
                '.' => !text.contains('.') && !exponent,
                'x' => body == "0",
                'e' if !hex => !exponent && body.contains(|c: char| c.is_ascii_digit()),
                'p' if hex => !exponent,
                'a'..='f' if hex => !exponent,
                _ => false,
            };
            let word = format!("{body}{lower}").to_ascii_lowercase();
            let fits = fits || "infinity".starts_with(&word) || "nan".starts_with(&word);
            if !fits {
                self.unread(Some(byte));
                break;
            }
            hex |= lower == 'x';
            exponent |= (lower == 'e' && !hex || lower == 'p')
                && body.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            text.push(c);
        }
        Ok(Float::parse(format, RoundingMode::NearestEven, &text))
    }
}

/// A set of bytes: `[a-z]`, `[^...]`.
struct Set {
    bytes: [bool; 256],
}

impl Set {
    fn parse(format: &[u8], i: &mut usize) -> Set {
        let negated = format.get(*i) == Some(&b'^');
        *i += usize::from(negated);
        let mut bytes = [false; 256];
        let mut first = true;
        while let Some(&byte) = format.get(*i) {
            *i += 1;
            if byte == b']' && !first {
                break;
            }
            first = false;
            match (format.get(*i), format.get(*i + 1)) {
                (Some(b'-'), Some(&last)) if last != b']' => {
                    (byte..=last).for_each(|b| bytes[usize::from(b)] = true);
                    *i += 2;
                }
                _ => bytes[usize::from(byte)] = true,
            }
        }
        if negated {
            bytes.iter_mut().for_each(|b| *b = !*b);
        }
        Set { bytes }
    }

    fn contains(&self, byte: u8) -> bool {
        self.bytes[usize::from(byte)]
    }
}

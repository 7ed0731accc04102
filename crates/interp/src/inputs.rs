//! Where nondeterministic values come from: a list, a seed, or a function.
//!
//! # The input file
//! One value per line, in the order of the choices that an execution makes: the word of a type and a value, or a value
//! alone. Empty lines and what follows `#` do not count.
//!
//! ```text
//! i32 -5          # integers, in decimal or 0x hexadecimal
//! u8 255
//! bool true       # also 0 and 1; for a `_Bool` of C, which is a `u8`, too
//! f64 1.5e3       # floats, also in hexadecimal, inf and nan
//! ptr 0           # an address
//! bytes 00ff10    # the bytes of a structure, union or array
//! bytes 2d78...   # the same, with zeros up to its end
//! 17
//! ```
//!
//! A value of another type than the one chosen, or one that does not fit, is an error; so is the end of the list, unless
//! the list says how it goes on.

use std::collections::BTreeMap;
use std::fmt::Write;
use vergo_goto::program::{FunctionId, SymbolId};
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_source::Span;

/// A choice that an execution has to make.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The number of the site in the program.
    pub site: u32,
    /// The type wanted.
    pub ty: InputType,
    /// The instruction.
    pub span: Span,
    /// The function in which it stands.
    pub function: &'a str,
}

/// The type of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputType {
    /// A truth value.
    Bool,
    /// An integer: signed, width.
    Int(bool, u32),
    /// A float.
    Float(FloatFormat),
    /// An address of this width.
    Pointer(u32),
    /// This many bytes of an aggregate.
    Bytes(u64),
}

/// A chosen value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputValue {
    /// A truth value.
    Bool(bool),
    /// An integer or address, of the width wanted.
    Int(BitVec),
    /// A float, of the format wanted.
    Float(Float),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl InputValue {
    /// The value as a line of an input file.
    pub fn to_line(&self, ty: InputType) -> String {
        match (self, ty) {
            (InputValue::Bool(value), _) => format!("bool {value}"),
            (InputValue::Int(bits), InputType::Int(true, width)) => {
                format!("i{width} {}", bits.to_signed_decimal())
            }
            (InputValue::Int(bits), InputType::Pointer(_)) => format!("ptr 0x{}", bits.to_hex()),
            (InputValue::Int(bits), _) => {
                format!("u{} {}", bits.width(), bits.to_unsigned_decimal())
            }
            (InputValue::Float(value), _) => {
                format!("{} {}", float_word(value.format()), value.to_decimal())
            }
            (InputValue::Bytes(bytes), _) => {
                let n_zeros = bytes.iter().rev().take_while(|byte| **byte == 0).count();
                let is_long = n_zeros >= LEFT_OUT;
                let shown = if is_long { bytes.len() - n_zeros } else { bytes.len() };
                let mut line = String::from("bytes ");
                for byte in &bytes[..shown] {
                    let _ = write!(line, "{byte:02x}");
                }
                if is_long {
                    line.push_str(ZEROS);
                }
                line
            }
        }
    }

    /// Zero of a type.
    pub fn zero(ty: InputType) -> InputValue {
        match ty {
            InputType::Bool => InputValue::Bool(false),
            InputType::Int(_, width) | InputType::Pointer(width) => {
                InputValue::Int(BitVec::zero(width))
            }
            InputType::Float(format) => InputValue::Float(Float::zero(format, false)),
            InputType::Bytes(n) => InputValue::Bytes(vec![0; usize::try_from(n).unwrap_or(0)]),
        }
    }
}

/// The sign for zeros up to the end of a block, and the least number of zeros that it replaces.
const ZEROS: &str = "...";
const LEFT_OUT: usize = 16;

fn float_word(format: FloatFormat) -> String {
    match format {
        FloatFormat::SINGLE => "f32".into(),
        FloatFormat::DOUBLE => "f64".into(),
        FloatFormat::X87_EXTENDED => "x87".into(),
        FloatFormat::QUAD => "f128".into(),
        FloatFormat::HALF => "f16".into(),
        FloatFormat::BFLOAT => "bf16".into(),
        _ => "float".into(),
    }
}

/// An object that comes to life.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Birth {
    /// A local variable.
    Variable(SymbolId),
    /// An allocation on the heap or the stack.
    Allocation,
    /// A static variable, at the beginning.
    Static(SymbolId),
    /// A function, at the beginning.
    Function(FunctionId),
    /// Memory of the world outside, of [`vergo_goto::program::OUTSIDE_SIZE`] bytes, at the beginning: only who chooses its address knows of it.
    Outside,
}

/// Where some objects lie: of each birth, the how many-th of its kind it is. Others lie where there is room.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Addresses {
    chosen: BTreeMap<(Birth, u64), u64>,
}

impl Addresses {
    /// Chooses the address of an object.
    pub fn choose(&mut self, birth: Birth, count: u64, address: u64) {
        self.chosen.insert((birth, count), address);
    }

    /// Returns whether no address is chosen.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// All choices: the birth, how many of its kind came before, the address.
    pub fn iter(&self) -> impl Iterator<Item = (Birth, u64, u64)> + '_ {
        self.chosen.iter().map(|(&(birth, count), &address)| (birth, count, address))
    }

    /// The address of an object.
    pub fn of(&self, birth: Birth, count: u64) -> Option<u64> {
        self.chosen.get(&(birth, count)).copied()
    }
}

/// Says what such bytes hold: it gets zeros and may change them.
pub type FreshBytes<'a> = Box<dyn FnMut(Birth, &mut [u8]) + 'a>;

/// A source of nondeterministic values.
pub trait Inputs {
    /// The value of a choice, of the type wanted; an error says why there is none.
    fn choose(&mut self, request: &Request<'_>) -> Result<InputValue, String>;
}

/// The behaviour of a list at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtEnd {
    /// It is an error.
    Fail,
    /// All further values are zero.
    Zero,
}

/// Values from a list, see the module's documentation.
#[derive(Clone, Debug)]
pub struct ListInputs {
    lines: Vec<(usize, String)>,
    next: usize,
    at_end: AtEnd,
}

impl ListInputs {
    /// The values of an input file's text.
    pub fn new(text: &str, at_end: AtEnd) -> ListInputs {
        let mut lines = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                lines.push((i + 1, line.to_owned()));
            }
        }
        ListInputs { lines, next: 0, at_end }
    }
}

impl Inputs for ListInputs {
    fn choose(&mut self, request: &Request<'_>) -> Result<InputValue, String> {
        let Some((number, line)) = self.lines.get(self.next) else {
            return match self.at_end {
                AtEnd::Zero => Ok(InputValue::zero(request.ty)),
                AtEnd::Fail => Err(format!("the list of inputs ends after {} values", self.next)),
            };
        };
        self.next += 1;
        parse_value(line, request.ty).map_err(|why| format!("line {number} of the inputs: {why}"))
    }
}

/// Reads a value of a type from a line of an input file.
pub fn parse_value(line: &str, ty: InputType) -> Result<InputValue, String> {
    let (word, text) = match line.split_once(char::is_whitespace) {
        Some((word, rest)) => (Some(word), rest.trim()),
        None => (None, line),
    };
    let wanted = match ty {
        InputType::Bool => "bool".to_owned(),
        InputType::Int(signed, width) => format!("{}{width}", if signed { 'i' } else { 'u' }),
        InputType::Float(format) => float_word(format),
        InputType::Pointer(_) => "ptr".to_owned(),
        InputType::Bytes(_) => "bytes".to_owned(),
    };
    if let (Some("bool"), InputType::Int(false, 8)) = (word, ty)
        && let Ok(InputValue::Bool(truth)) = parse_value(text, InputType::Bool)
    {
        return Ok(InputValue::Int(BitVec::from_u64(8, truth.into())));
    }
    if word.is_some_and(|word| word != wanted) {
        return Err(format!("`{line}` is not of type {wanted}"));
    }
    let malformed = || format!("`{text}` is not a value of type {wanted}");
    match ty {
        InputType::Bool => match text {
            "true" | "1" => Ok(InputValue::Bool(true)),
            "false" | "0" => Ok(InputValue::Bool(false)),
            _ => Err(malformed()),
        },
        InputType::Int(_, width) | InputType::Pointer(width) => {
            let bits = match text.strip_prefix("0x") {
                Some(digits) => BitVec::parse_hex(width, digits),
                None => BitVec::parse_decimal(width, text),
            };
            bits.map(InputValue::Int).ok_or_else(malformed)
        }
        InputType::Float(format) => Float::parse(format, RoundingMode::NearestEven, text)
            .map(InputValue::Float)
            .ok_or_else(malformed),
        InputType::Bytes(n) => {
            let (text, zeros) = match text.strip_suffix(ZEROS) {
                Some(text) => (text, true),
                None => (text, false),
            };
            let digits: Option<Vec<u8>> =
                text.chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect();
            let mut digits = digits.ok_or_else(malformed)?;
            let wanted = usize::try_from(2 * n).unwrap_or(usize::MAX);
            if zeros && digits.len() % 2 == 0 && digits.len() < wanted {
                digits.resize(wanted, 0);
            }
            if digits.len() as u64 != 2 * n {
                return Err(format!("{n} bytes are wanted"));
            }
            Ok(InputValue::Bytes(digits.chunks(2).map(|d| d[0] << 4 | d[1]).collect()))
        }
    }
}

/// Values from a seed: small numbers, extreme ones, and any, in equal parts. The same seed gives the same values.
#[derive(Clone, Debug)]
pub struct SeedInputs {
    state: u64,
}

impl SeedInputs {
    /// The values of a seed.
    pub fn new(seed: u64) -> SeedInputs {
        SeedInputs { state: seed }
    }

    /// The next 64 bits: splitmix64.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn word(&mut self, width: u32) -> BitVec {
        match self.bits() % 3 {
            0 => BitVec::from_i64(width, (self.bits() % 32) as i64 - 8),
            1 => match self.bits() % 4 {
                0 => BitVec::min_signed(width),
                1 => BitVec::max_signed(width),
                2 => BitVec::ones(width),
                _ => BitVec::zero(width),
            },
            _ => BitVec::from_limbs(width, (0..width.div_ceil(64)).map(|_| self.bits()).collect()),
        }
    }
}

impl Inputs for SeedInputs {
    fn choose(&mut self, request: &Request<'_>) -> Result<InputValue, String> {
        Ok(match request.ty {
            InputType::Bool => InputValue::Bool(self.bits() % 2 == 1),
            InputType::Int(_, width) => InputValue::Int(self.word(width)),
            InputType::Pointer(width) => InputValue::Int(BitVec::zero(width)),
            InputType::Float(format) => {
                let any = self.bits().is_multiple_of(4);
                InputValue::Float(if any {
                    Float::from_bits(format, self.word(format.width()))
                } else {
                    let number = BitVec::from_i64(64, (self.bits() % 4096) as i64 - 2048);
                    let eighth = Float::power_of_two(format, RoundingMode::NearestEven, -3);
                    Float::from_signed(format, RoundingMode::NearestEven, &number)
                        .mul(RoundingMode::NearestEven, &eighth)
                })
            }
            InputType::Bytes(n) => InputValue::Bytes((0..n).map(|_| self.bits() as u8).collect()),
        })
    }
}

/// Values from a function.
impl<F: FnMut(&Request<'_>) -> Result<InputValue, String>> Inputs for F {
    fn choose(&mut self, request: &Request<'_>) -> Result<InputValue, String> {
        self(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back() {
        let values = [
            (InputType::Int(true, 32), InputValue::Int(BitVec::from_i64(32, -5))),
            (InputType::Int(false, 8), InputValue::Int(BitVec::from_u64(8, 255))),
            (InputType::Bool, InputValue::Bool(true)),
            (InputType::Float(FloatFormat::DOUBLE), InputValue::Float(Float::from_f64(0.1))),
            (InputType::Pointer(64), InputValue::Int(BitVec::from_u64(64, 4096))),
            (InputType::Bytes(3), InputValue::Bytes(vec![0, 255, 16])),
        ];
        for (ty, value) in values {
            assert_eq!(parse_value(&value.to_line(ty), ty), Ok(value));
        }
        assert!(parse_value("u8 1", InputType::Int(true, 8)).is_err());
        assert!(parse_value("300", InputType::Int(false, 8)).is_err());
        let truth = parse_value("bool true", InputType::Int(false, 8));
        assert_eq!(truth, Ok(InputValue::Int(BitVec::from_u64(8, 1))));
    }

    #[test]
    fn lists_end() {
        let request =
            Request { site: 0, ty: InputType::Int(true, 32), span: Span::DUMMY, function: "f" };
        let mut list = ListInputs::new("# none\n i32 7 # seven\n\n8\n", AtEnd::Fail);
        assert_eq!(list.choose(&request), Ok(InputValue::Int(BitVec::from_u64(32, 7))));
        assert_eq!(list.choose(&request), Ok(InputValue::Int(BitVec::from_u64(32, 8))));
        assert!(list.choose(&request).is_err());
        let mut list = ListInputs::new("", AtEnd::Zero);
        assert_eq!(list.choose(&request), Ok(InputValue::Int(BitVec::zero(32))));
    }
}

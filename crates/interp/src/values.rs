//! Values in registers, in memory, and as constants of [`fold`](vergo_goto::fold).

use crate::code::{BitField, Loc, Rep, Scalar};
use crate::machine::{Thread, norm_s, norm_u};
use crate::memory::{Access, Big, Handle, Memory};
use vergo_goto::fold::{Const, ConstType};
use vergo_num::{BitVec, Float, FloatFormat};

/// The NaN in single precision.
const SINGLE_NAN: u32 = 0x7fc0_0000;
/// The NaN in double precision.
const DOUBLE_NAN: u64 = 0x7ff8 << 48;

/// The bits of a single that is the result of an operation on two others.
#[inline(always)]
pub(crate) fn single_bits(value: f32, a: u64, b: u64) -> u64 {
    if value.is_nan() { single_nan(a as u32, b as u32).into() } else { value.to_bits().into() }
}

/// The bits of a double that is the result of an operation on two others.
#[inline(always)]
pub(crate) fn double_bits(value: f64, a: u64, b: u64) -> u64 {
    if value.is_nan() { double_nan(a, b) } else { value.to_bits() }
}

/// The NaN that an operation gives: the first among its operands, made quiet, or that of the machine.
#[cold]
fn single_nan(a: u32, b: u32) -> u32 {
    let found = [a, b].into_iter().find(|&bits| f32::from_bits(bits).is_nan());
    found.unwrap_or(1 << 31) | SINGLE_NAN
}

#[cold]
fn double_nan(a: u64, b: u64) -> u64 {
    let found = [a, b].into_iter().find(|&bits| f64::from_bits(bits).is_nan());
    found.unwrap_or(1 << 63) | DOUBLE_NAN
}

/// A double as a single.
pub(crate) fn to_single(bits: u64) -> u64 {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        let payload = (bits >> 29) as u32 & 0x007f_ffff;
        return u64::from((bits >> 32) as u32 & 1 << 31 | SINGLE_NAN | payload);
    }
    (value as f32).to_bits().into()
}

/// A single as a double.
pub(crate) fn to_double(bits: u64) -> u64 {
    let value = f32::from_bits(bits as u32);
    if value.is_nan() {
        return (bits & 1 << 31) << 32 | DOUBLE_NAN | (bits & 0x007f_ffff) << 29;
    }
    f64::from(value).to_bits()
}

/// The NaN that an operation of a format gives on operands: the first NaN among them, made quiet, or the machine's.
pub(crate) fn nan_of(format: FloatFormat, operands: &[BitVec]) -> BitVec {
    let quiet = Float::nan(format).bits().clone();
    let is_nan = |bits: &&BitVec| {
        bits.width() == format.width() && Float::from_bits(format, (*bits).clone()).is_nan()
    };
    match operands.iter().find(is_nan) {
        Some(bits) => bits.or(&quiet),
        None => quiet.or(&BitVec::min_signed(format.width())),
    }
}

/// A NaN of one format in another: sign and as much of the payload as there is room for.
pub(crate) fn converted_nan(from: FloatFormat, bits: &BitVec, to: FloatFormat) -> BitVec {
    let fraction = |format: FloatFormat| format.significand_bits() - 1;
    let payload = bits.truncate(fraction(from));
    let payload = if fraction(from) < fraction(to) {
        payload.zero_extend(fraction(to)).shl_by(fraction(to) - fraction(from))
    } else {
        payload.lshr_by(fraction(from) - fraction(to)).truncate(fraction(to))
    };
    let sign =
        if bits.sign_bit() { BitVec::min_signed(to.width()) } else { BitVec::zero(to.width()) };
    Float::nan(to).bits().or(&payload.zero_extend(to.width())).or(&sign)
}

/// A float as a signed integer of `64 - sh` bits, toward zero; the least value if it does not fit.
pub(crate) fn to_signed(value: f64, sh: u8) -> u64 {
    let least = i64::MIN >> sh;
    let limit = -(least as f64);
    let whole = value.trunc();
    if whole >= -limit && whole < limit { whole as i64 as u64 } else { least as u64 }
}

/// A float as an unsigned integer of `64 - sh` bits, toward zero; the highest bit alone if it does not fit.
pub(crate) fn to_unsigned(value: f64, sh: u8) -> u64 {
    let limit = 2.0 * ((1u64 << (63 - sh)) as f64);
    let whole = value.trunc();
    if whole >= 0.0 && whole < limit { whole as u64 } else { 1 << (63 - sh) }
}

/// A scalar that `read` gets from memory, as a word.
macro_rules! word {
    ($s:expr, $read:ident) => {
        match $s {
            Scalar::I8 => $read!(i8) as i64 as u64,
            Scalar::U8 => $read!(u8).into(),
            Scalar::I16 => $read!(i16) as i64 as u64,
            Scalar::U16 => $read!(u16).into(),
            Scalar::I32 => $read!(i32) as i64 as u64,
            Scalar::U32 => $read!(u32).into(),
            Scalar::Word | Scalar::Pointer => $read!(u64),
            Scalar::Single => $read!(u32).into(),
            Scalar::Double => $read!(u64),
        }
    };
}

/// Reads a scalar; of a pointer, address and handle.
#[inline(never)]
pub(crate) fn load(memory: &Memory, s: Scalar, address: u64, handle: Handle) -> Access<(u64, u64)> {
    if s == Scalar::Pointer {
        return memory.load_pointer(address, handle);
    }
    macro_rules! read {
        ($ty:ty) => {
            match memory.at(address, handle) {
                Some(bytes) => <$ty>::from_le_bytes(*bytes),
                None => <$ty>::from_le_bytes(memory.load_slowly(address, handle)?),
            }
        };
    }
    Ok((word!(s, read), 0))
}

/// Reads a scalar inside of an object.
#[inline(never)]
pub(crate) fn load_in(memory: &Memory, s: Scalar, handle: Handle, off: u32) -> Access<(u64, u64)> {
    if s == Scalar::Pointer {
        return memory.load_pointer(memory.address_in(handle, off)?, handle);
    }
    macro_rules! read {
        ($ty:ty) => {
            match memory.at_in(handle, off) {
                Some(bytes) => <$ty>::from_le_bytes(*bytes),
                None => {
                    let address = memory.address_in(handle, off)?;
                    <$ty>::from_le_bytes(memory.load_slowly(address, handle)?)
                }
            }
        };
    }
    Ok((word!(s, read), 0))
}

/// Writes a scalar inside of an object.
#[inline(never)]
pub(crate) fn store_in(
    memory: &mut Memory,
    s: Scalar,
    handle: Handle,
    off: u32,
    (low, high): (u64, u64),
) -> Access<()> {
    match s {
        Scalar::I8 | Scalar::U8 => memory.store_in(handle, off, (low as u8).to_le_bytes()),
        Scalar::I16 | Scalar::U16 => memory.store_in(handle, off, (low as u16).to_le_bytes()),
        Scalar::I32 | Scalar::U32 | Scalar::Single => {
            memory.store_in(handle, off, (low as u32).to_le_bytes())
        }
        Scalar::Word | Scalar::Double => memory.store_in(handle, off, low.to_le_bytes()),
        Scalar::Pointer => {
            let address = memory.address_in(handle, off)?;
            memory.store_pointer(address, handle, low, high)
        }
    }
}

/// Writes a scalar.
#[inline(never)]
pub(crate) fn store(
    memory: &mut Memory,
    s: Scalar,
    address: u64,
    handle: Handle,
    (low, high): (u64, u64),
) -> Access<()> {
    match s {
        Scalar::I8 | Scalar::U8 => memory.store(address, handle, (low as u8).to_le_bytes()),
        Scalar::I16 | Scalar::U16 => memory.store(address, handle, (low as u16).to_le_bytes()),
        Scalar::I32 | Scalar::U32 | Scalar::Single => {
            memory.store(address, handle, (low as u32).to_le_bytes())
        }
        Scalar::Word | Scalar::Double => memory.store(address, handle, low.to_le_bytes()),
        Scalar::Pointer => memory.store_pointer(address, handle, low, high),
    }
}

/// Sizes in memory that depend on the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) pointer: u64,
    pub(crate) x87: u64,
}

impl Sizes {
    /// Bytes that a value takes in memory.
    pub(crate) fn of(self, rep: Rep) -> usize {
        let size = match rep {
            // A truth value has no place in memory; where one is needed, it takes a byte.
            Rep::Bool => 1,
            Rep::Int(_, width) | Rep::BigInt(_, width) => {
                let bytes = u64::from(width).div_ceil(8);
                if bytes <= 16 { bytes.next_power_of_two() } else { bytes.next_multiple_of(8) }
            }
            Rep::Single => 4,
            Rep::Double => 8,
            Rep::Soft(FloatFormat::X87_EXTENDED) => self.x87,
            Rep::Soft(format) | Rep::BigFloat(format) => u64::from(format.width()).div_ceil(8),
            Rep::Pointer => self.pointer,
            Rep::Bytes(size) => size,
        };
        size as usize
    }
}

/// The registers of an activation.
pub(crate) struct Registers<'a> {
    pub(crate) thread: &'a mut Thread,
    pub(crate) fp: usize,
    pub(crate) big_fp: usize,
    pub(crate) sizes: Sizes,
}

impl Registers<'_> {
    pub(crate) fn word(&self, reg: u32) -> u64 {
        self.thread.regs[self.fp + reg as usize]
    }

    pub(crate) fn set_word(&mut self, reg: u32, value: u64) {
        self.thread.regs[self.fp + reg as usize] = value;
    }

    pub(crate) fn pair(&self, reg: u32) -> (u64, u64) {
        (self.word(reg), self.word(reg + 1))
    }

    pub(crate) fn set_pair(&mut self, reg: u32, (low, high): (u64, u64)) {
        self.set_word(reg, low);
        self.set_word(reg + 1, high);
    }

    pub(crate) fn big(&self, reg: u32) -> &Big {
        &self.thread.bigs[self.big_fp + reg as usize]
    }

    pub(crate) fn set_big(&mut self, reg: u32, value: Big) {
        self.thread.bigs[self.big_fp + reg as usize] = value;
    }

    fn wide(&self, reg: u32) -> u128 {
        let (low, high) = self.pair(reg);
        u128::from(low) | u128::from(high) << 64
    }

    /// The bits of an integer or float.
    pub(crate) fn bits(&self, loc: Loc) -> BitVec {
        match loc.rep {
            Rep::Int(_, width) if width <= 64 => BitVec::from_u64(width, self.word(loc.reg)),
            Rep::Int(_, width) => BitVec::from_u128(width, self.wide(loc.reg)),
            Rep::Single => BitVec::from_u64(32, self.word(loc.reg)),
            Rep::Double => BitVec::from_u64(64, self.word(loc.reg)),
            Rep::Soft(format) => BitVec::from_u128(format.width(), self.wide(loc.reg)),
            Rep::BigInt(_, width) => from_bytes(width, &self.big(loc.reg).bytes),
            Rep::BigFloat(format) => from_bytes(format.width(), &self.big(loc.reg).bytes),
            Rep::Bool | Rep::Pointer | Rep::Bytes(_) => BitVec::from_u64(64, self.word(loc.reg)),
        }
    }

    /// The value as a constant; a pointer as its address.
    pub(crate) fn constant(&self, loc: Loc) -> Const {
        match loc.rep {
            Rep::Bool => Const::Bool(self.word(loc.reg) != 0),
            Rep::Int(signed, _) | Rep::BigInt(signed, _) => Const::Int(signed, self.bits(loc)),
            Rep::Single => Const::Float(Float::from_bits(FloatFormat::SINGLE, self.bits(loc))),
            Rep::Double => Const::Float(Float::from_bits(FloatFormat::DOUBLE, self.bits(loc))),
            Rep::Soft(format) | Rep::BigFloat(format) => {
                Const::Float(Float::from_bits(format, self.bits(loc)))
            }
            Rep::Pointer => Const::Int(
                false,
                BitVec::from_u64(self.sizes.pointer as u32 * 8, self.word(loc.reg)),
            ),
            Rep::Bytes(_) => Const::Bool(false),
        }
    }

    /// Puts a constant into registers of its type.
    pub(crate) fn set_constant(&mut self, loc: Loc, value: &Const) {
        let bits = match value {
            Const::Bool(value) => {
                self.set_word(loc.reg, (*value).into());
                return;
            }
            Const::Int(_, bits) => bits,
            Const::Float(value) => value.bits(),
        };
        self.set_bits(loc, bits);
    }

    /// Puts the bits of an integer or float into registers.
    pub(crate) fn set_bits(&mut self, loc: Loc, bits: &BitVec) {
        match loc.rep {
            Rep::Int(signed, width) => {
                let wide = if signed { bits.resize_signed(128) } else { bits.resize_unsigned(128) };
                let wide = wide.to_u128().unwrap_or(0);
                self.set_word(loc.reg, wide as u64);
                if width > 64 {
                    self.set_word(loc.reg + 1, (wide >> 64) as u64);
                }
            }
            Rep::Bool | Rep::Single | Rep::Double => {
                self.set_word(loc.reg, bits.resize_unsigned(64).to_u64().unwrap_or(0));
            }
            Rep::Soft(_) => {
                let wide = bits.resize_unsigned(128).to_u128().unwrap_or(0);
                self.set_pair(loc.reg, (wide as u64, (wide >> 64) as u64));
            }
            Rep::BigInt(..) | Rep::BigFloat(_) => {
                let bytes = bits.to_le_bytes();
                self.set_big(loc.reg, Big { bytes, init: None, notes: Vec::new() });
            }
            Rep::Pointer => self.set_pair(loc.reg, (bits.to_u64().unwrap_or(0), 0)),
            Rep::Bytes(_) => {}
        }
    }

    /// The type of a representation as that of a constant.
    pub(crate) fn const_type(rep: Rep) -> Option<ConstType> {
        Some(match rep {
            Rep::Bool => ConstType::Bool,
            Rep::Int(signed, width) | Rep::BigInt(signed, width) => ConstType::Int(signed, width),
            Rep::Single => ConstType::Float(FloatFormat::SINGLE),
            Rep::Double => ConstType::Float(FloatFormat::DOUBLE),
            Rep::Soft(format) | Rep::BigFloat(format) => ConstType::Float(format),
            Rep::Pointer | Rep::Bytes(_) => return None,
        })
    }

    /// The bytes of a value as in memory.
    pub(crate) fn to_memory(&self, loc: Loc) -> Big {
        let size = self.sizes.of(loc.rep);
        match loc.rep {
            Rep::Bytes(_) => self.big(loc.reg).clone(),
            Rep::Bool => {
                Big { bytes: vec![self.word(loc.reg) as u8], init: None, notes: Vec::new() }
            }
            Rep::Pointer => {
                let (address, handle) = self.pair(loc.reg);
                let bytes = address.to_le_bytes()[..size].to_vec();
                let notes = if handle == 0 { Vec::new() } else { vec![(0, address, handle)] };
                Big { bytes, init: None, notes }
            }
            Rep::Int(signed, _) | Rep::BigInt(signed, _) => {
                let bits = self.bits(loc);
                let width = size as u32 * 8;
                let bits =
                    if signed { bits.resize_signed(width) } else { bits.resize_unsigned(width) };
                Big { bytes: bits.to_le_bytes(), init: None, notes: Vec::new() }
            }
            Rep::Single | Rep::Double | Rep::Soft(_) | Rep::BigFloat(_) => {
                let mut bytes = self.bits(loc).to_le_bytes();
                bytes.resize(size, 0);
                Big { bytes, init: None, notes: Vec::new() }
            }
        }
    }

    /// Puts a value that memory spells into registers; addresses without a note are attached by `attach`.
    pub(crate) fn set_memory(&mut self, loc: Loc, value: Big, attach: impl Fn(u64) -> Handle) {
        match loc.rep {
            Rep::Bytes(_) => self.set_big(loc.reg, value),
            Rep::Bool => {
                let set = value.bytes.first().is_some_and(|&b| b != 0);
                self.set_word(loc.reg, set.into());
            }
            Rep::Pointer => {
                let address =
                    value.bytes.iter().rev().fold(0u64, |acc, &b| acc << 8 | u64::from(b));
                let handle = match value.notes.first() {
                    Some(&(0, noted, handle)) if noted == address => handle,
                    _ if address == 0 => 0,
                    _ => attach(address),
                };
                self.set_pair(loc.reg, (address, handle));
            }
            Rep::Int(_, width) | Rep::BigInt(_, width) => {
                let bits = from_bytes(width, &value.bytes);
                self.set_bits(loc, &bits);
            }
            Rep::Single | Rep::Double | Rep::Soft(_) | Rep::BigFloat(_) => {
                let format = match loc.rep {
                    Rep::Single => FloatFormat::SINGLE,
                    Rep::Double => FloatFormat::DOUBLE,
                    Rep::Soft(format) | Rep::BigFloat(format) => format,
                    _ => return,
                };
                let bits = from_bytes(format.width(), &value.bytes);
                let float = Float::from_bits(format, bits.clone());
                // A NaN is kept as it is; what spells none but is read as one becomes one.
                let spells = bits.or(float.bits()) == bits;
                self.set_bits(loc, if float.is_nan() && spells { &bits } else { float.bits() });
            }
        }
    }
}

/// The low bits of bytes, whatever their number.
fn from_bytes(width: u32, bytes: &[u8]) -> BitVec {
    let n = (width.div_ceil(8) as usize).min(bytes.len());
    let whole = BitVec::from_le_bytes(width.next_multiple_of(8), &bytes[..n]);
    whole.resize_unsigned(width)
}

/// The bits of a bit-field in bytes that begin at its byte.
pub(crate) fn extract(bytes: &[u8], field: BitField) -> BitVec {
    if field.width <= 64 {
        let mut wide = 0u128;
        for (i, &byte) in bytes.iter().enumerate().take(16) {
            wide |= u128::from(byte) << (8 * i);
        }
        return BitVec::from_u64(field.width, {
            let low = (wide >> field.first) as u64;
            if field.width == 64 { low } else { low & ((1 << field.width) - 1) }
        });
    }
    let whole = BitVec::from_le_bytes(bytes.len() as u32 * 8, bytes);
    whole.extract(field.first + field.width - 1, field.first)
}

/// Writes the bits of a bit-field into bytes that begin at its byte.
pub(crate) fn insert(bytes: &mut [u8], field: BitField, bits: &BitVec) {
    for i in 0..field.width {
        let at = (field.first + i) as usize;
        let mask = 1u8 << (at % 8);
        if bits.bit(i) {
            bytes[at / 8] |= mask;
        } else {
            bytes[at / 8] &= !mask;
        }
    }
}

/// Bytes that a bit-field touches.
pub(crate) fn field_bytes(field: BitField) -> usize {
    (field.first + field.width).div_ceil(8) as usize
}

/// A word in its canonical form at an integer type of at most 64 bits.
pub(crate) fn canonical(value: u64, signed: bool, width: u32) -> u64 {
    let sh = (64 - width.clamp(1, 64)) as u8;
    if signed { norm_s(value, sh) } else { norm_u(value, sh) }
}

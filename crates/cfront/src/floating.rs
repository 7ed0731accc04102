//! Floating constants: numbers, and NaNs with a sign and a payload.
//!
//! Arithmetic knows one NaN per format. Programs can see which one it is, and compilers that fold constants keep it: an
//! operation gives the first NaN among its operands, made quiet. One on numbers without a result gives a quiet NaN without
//! payload, whose sign is that of the product or quotient and positive for sums (unlike x86, where it is always negative).

use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};

/// A floating constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floating {
    number: Float,
    /// The encoding, of a NaN.
    nan: Option<BitVec>,
}

impl From<Float> for Floating {
    /// A number, or the positive quiet NaN without payload.
    fn from(number: Float) -> Floating {
        let nan = number.is_nan().then(|| number.bits().clone());
        Floating { number, nan }
    }
}

impl From<Floating> for Float {
    /// The value, which is the same for all NaNs.
    fn from(constant: Floating) -> Float {
        constant.number
    }
}

impl std::ops::Deref for Floating {
    type Target = Float;

    fn deref(&self) -> &Float {
        &self.number
    }
}

impl Floating {
    /// The positive NaN with a payload, of which the low bits count. A signalling one without payload has the highest.
    pub fn nan(format: FloatFormat, payload: &BitVec, signalling: bool) -> Floating {
        let quiet = quiet_bit(format);
        let mut payload = payload.resize_unsigned(quiet).resize_unsigned(format.width());
        if signalling && payload.is_zero() {
            payload = bit(format, quiet - 1);
        }
        let number = Float::nan(format);
        let frame =
            if signalling { number.bits().xor(&bit(format, quiet)) } else { number.bits().clone() };
        Floating { number, nan: Some(frame.or(&payload)) }
    }

    /// The value, which is the same for all NaNs.
    pub fn number(&self) -> &Float {
        &self.number
    }

    /// The encoding.
    pub fn bits(&self) -> &BitVec {
        self.nan.as_ref().unwrap_or_else(|| self.number.bits())
    }

    /// Returns whether it is the constant NaN of the format, or a number.
    pub fn is_plain(&self) -> bool {
        self.bits() == self.number.bits()
    }

    /// The payload of a NaN, without the bit that makes it quiet, and whether that is not set.
    pub fn payload(&self) -> (BitVec, bool) {
        let quiet = quiet_bit(self.number.format());
        (self.bits().extract(quiet - 1, 0), !self.bits().bit(quiet))
    }

    /// Returns whether the sign bit is set, also of a NaN.
    pub fn is_sign_negative(&self) -> bool {
        self.bits().sign_bit()
    }

    /// The constant with the opposite sign.
    pub fn neg(&self) -> Floating {
        self.with_sign(!self.is_sign_negative())
    }

    /// The constant without its sign.
    pub fn abs(&self) -> Floating {
        self.with_sign(false)
    }

    /// The magnitude with the sign of another constant.
    pub fn copy_sign(&self, sign: &Floating) -> Floating {
        self.with_sign(sign.is_sign_negative())
    }

    fn with_sign(&self, negative: bool) -> Floating {
        if negative == self.is_sign_negative() {
            return self.clone();
        }
        let sign = BitVec::min_signed(self.number.format().width());
        Floating { number: self.number.neg(), nan: self.nan.as_ref().map(|bits| bits.xor(&sign)) }
    }

    /// The constant in another format; a NaN keeps its sign and the upper bits of its payload.
    pub fn convert(&self, format: FloatFormat, mode: RoundingMode) -> Floating {
        let Some(bits) = &self.nan else { return self.number.convert(format, mode).into() };
        let (from, to) = (quiet_bit(self.number.format()), quiet_bit(format));
        let payload = bits.extract(from - 1, 0);
        let payload = match to.checked_sub(from) {
            Some(more) => payload.resize_unsigned(to).shl_by(more),
            None => payload.lshr_by(from - to),
        };
        Floating::nan(format, &payload, false).with_sign(bits.sign_bit())
    }

    /// The result of an operation on two constants, of which arithmetic says the number.
    pub fn of_operation(result: Float, a: &Floating, b: &Floating, is_product: bool) -> Floating {
        if !result.is_nan() {
            return result.into();
        }
        let format = result.format();
        if let Some(bits) = a.nan.as_ref().or(b.nan.as_ref()) {
            return Floating {
                nan: Some(bits.or(&bit(format, quiet_bit(format)))),
                number: result,
            };
        }
        let negative = is_product && a.is_sign_negative() != b.is_sign_negative();
        Floating::from(result).with_sign(negative)
    }
}

/// The number of the bit that makes a NaN quiet.
fn quiet_bit(format: FloatFormat) -> u32 {
    // Whether the leading bit of the significand is stored or not, it stands above this one.
    format.significand_bits() - 2
}

fn bit(format: FloatFormat, number: u32) -> BitVec {
    BitVec::one(format.width()).shl_by(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAREST: RoundingMode = RoundingMode::NearestEven;

    fn nan(payload: u64, signalling: bool) -> Floating {
        Floating::nan(FloatFormat::DOUBLE, &BitVec::from_u64(64, payload), signalling)
    }

    fn hex(value: &Floating) -> String {
        value.bits().to_hex()
    }

    /// The values that gcc gives to the constants.
    #[test]
    fn nans_are_those_of_a_compiler() {
        assert_eq!(hex(&nan(1, false).neg()), "fff8000000000001");
        assert_eq!(hex(&nan(0, true)), "7ff4000000000000");
        assert_eq!(hex(&nan(1, true)), "7ff0000000000001");
        assert_eq!(hex(&nan(u64::MAX, false)), "7fffffffffffffff");
        let single = |value: &Floating| hex(&value.convert(FloatFormat::SINGLE, NEAREST));
        assert_eq!(single(&nan(0x2000_0000, false).neg()), "ffc00001");
        assert_eq!(single(&nan(1, true)), "7fc00000");
        let extended = nan(5, false).convert(FloatFormat::X87_EXTENDED, NEAREST);
        assert_eq!(hex(&extended), "7fffc000000000002800");
        assert_eq!(hex(&extended.convert(FloatFormat::DOUBLE, NEAREST)), "7ff8000000000005");
    }

    #[test]
    fn operations_keep_the_first_nan() {
        let zero = Floating::from(Float::zero(FloatFormat::DOUBLE, false));
        let divided = |a: &Floating, b: &Floating| {
            let number = a.div(NEAREST, b);
            hex(&Floating::of_operation(number, a, b, true))
        };
        assert_eq!(divided(&zero, &zero), "7ff8000000000000");
        assert_eq!(divided(&zero.neg(), &zero), "fff8000000000000");
        assert_eq!(divided(&nan(1, true).neg(), &nan(2, false)), "fff8000000000001");
        assert_eq!(divided(&zero, &nan(2, false)), "7ff8000000000002");
    }
}

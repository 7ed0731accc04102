//! The processor's own arithmetic, for single and double precision in the default rounding mode.
//!
//! IEEE-754 fixes the results of these operations, so on targets whose `f32` and `f64` are IEEE's
//! the hardware answers at once what the generic path computes; tests hold the two equal. NaN
//! results, whose payload and sign the hardware may choose, become the canonical NaN.

use super::Float;
use crate::bitvec::BitVec;
use crate::format::{FloatFormat, RoundingMode};

/// True if the target computes `f32` and `f64` in their own precision (the x87 does not).
const EXACT_TARGET: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

enum Class {
    Single,
    Double,
}

fn class(mode: RoundingMode, value: &Float) -> Option<Class> {
    if !EXACT_TARGET || mode != RoundingMode::NearestEven {
        return None;
    }
    match value.format {
        FloatFormat::SINGLE => Some(Class::Single),
        FloatFormat::DOUBLE => Some(Class::Double),
        _ => None,
    }
}

macro_rules! native_operation {
    ($(#[$doc:meta])* $name:ident($($operand:ident),+) => |$($x:ident),+| $single:expr, $double:expr) => {
        $(#[$doc])*
        pub(super) fn $name(mode: RoundingMode, $($operand: &Float),+) -> Option<Float> {
            let class = class(mode, [$($operand),+][0])?;
            match class {
                Class::Single => {
                    $(let $x = $operand.to_f32()?;)+
                    Some(Float::from_f32($single))
                }
                Class::Double => {
                    $(let $x = $operand.to_f64()?;)+
                    Some(Float::from_f64($double))
                }
            }
        }
    };
}

native_operation!(add(a, b) => |x, y| x + y, x + y);
native_operation!(mul(a, b) => |x, y| x * y, x * y);
native_operation!(div(a, b) => |x, y| x / y, x / y);
native_operation!(fma(a, b, c) => |x, y, z| x.mul_add(y, z), x.mul_add(y, z));
native_operation!(sqrt(a) => |x| x.sqrt(), x.sqrt());

/// Exchange with the host's types.
impl Float {
    /// The single-precision value; NaN loses its payload.
    pub fn from_f32(value: f32) -> Float {
        let bits = BitVec::from_u64(32, value.to_bits().into());
        Float::from_bits(FloatFormat::SINGLE, bits)
    }

    /// The double-precision value; NaN loses its payload.
    pub fn from_f64(value: f64) -> Float {
        Float::from_bits(FloatFormat::DOUBLE, BitVec::from_u64(64, value.to_bits()))
    }

    /// The host's value, if the format is single precision.
    pub fn to_f32(&self) -> Option<f32> {
        let bits = (self.format == FloatFormat::SINGLE).then(|| self.bits.to_u64())??;
        u32::try_from(bits).ok().map(f32::from_bits)
    }

    /// The host's value, if the format is double precision.
    pub fn to_f64(&self) -> Option<f64> {
        let bits = (self.format == FloatFormat::DOUBLE).then(|| self.bits.to_u64())??;
        Some(f64::from_bits(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The generic path gives what the processor gives, on pairs of special and scattered values.
    #[test]
    fn generic_path_equals_the_processor() {
        let mode = RoundingMode::NearestEven;
        let mut seed = 1u64;
        let mut doubles: Vec<u64> = vec![0, 1, 2, 0x3ff0 << 48, 0x7ff0 << 48, 0x7ff8 << 48];
        doubles.extend([0x7fef_ffff_ffff_ffff, 0x000f_ffff_ffff_ffff, 0x0010 << 48]);
        for _ in 0..60 {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            doubles.push(seed);
            doubles.push((seed & !(0x7ff << 52)) | (1023 - 20 + seed % 40) << 52);
        }
        let check = |x: &Float, y: &Float| {
            assert_eq!(x.add_generic(mode, y), add(mode, x, y).unwrap(), "{x:?} + {y:?}");
            assert_eq!(x.mul_generic(mode, y), mul(mode, x, y).unwrap(), "{x:?} * {y:?}");
            assert_eq!(x.div_generic(mode, y), div(mode, x, y).unwrap(), "{x:?} / {y:?}");
            assert_eq!(x.sqrt_generic(mode), sqrt(mode, x).unwrap(), "sqrt {x:?}");
            for z in [y.clone(), x.neg(), Float::one(x.format())] {
                let fused = fma(mode, x, y, &z).unwrap();
                assert_eq!(x.fma_generic(mode, y, &z), fused, "{x:?} * {y:?} + {z:?}");
            }
        };
        if !EXACT_TARGET {
            return;
        }
        for &a in &doubles {
            for &b in &doubles {
                let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                for (a, b) in [(a, b), (-a, b)] {
                    check(&Float::from_f64(a), &Float::from_f64(b));
                    check(&Float::from_f32(a as f32), &Float::from_f32(b as f32));
                }
            }
        }
    }
}

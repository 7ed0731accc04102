//! Which numbers an integer type can hold.

use crate::expr::{ExprId, UnaryOp};
use crate::program::Program;
use crate::types::{Type, TypeId};
use vergo_num::{BitVec, Float, RoundingMode};

impl Program {
    /// Builds the condition that a float, rounded to an integer in a mode, is a value of an integer type: a comparison
    /// with the least and the greatest one in the float's own format. `None` if it is no float, or the type is none of
    /// integers.
    pub fn float_fits(&mut self, mode: RoundingMode, ty: TypeId, value: ExprId) -> Option<ExprId> {
        let Type::Int { signed, width } = *self.types.get(ty) else { return None };
        let Type::Float(format) = *self.type_of(value) else { return None };
        let (least, greatest) = match signed {
            true => (BitVec::min_signed(width), BitVec::max_signed(width)),
            false => (BitVec::zero(width), BitVec::ones(width)),
        };
        let bound = |bits: &BitVec, mode| match signed {
            true => Float::from_signed(format, mode, bits),
            false => Float::from_unsigned(format, mode, bits),
        };
        let least = self.float(bound(&least, RoundingMode::TowardPositive));
        let greatest = self.float(bound(&greatest, RoundingMode::TowardNegative));
        let rounded = self.unary(UnaryOp::RoundToIntegral(mode), value);
        let (above, below) = (self.le(least, rounded), self.le(rounded, greatest));
        Some(self.and(above, below))
    }
}

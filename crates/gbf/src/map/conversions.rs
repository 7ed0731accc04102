//! Claims of conversions: C leaves open what a float becomes that its integer type cannot hold (C17 6.3.1.4p1).
//!
//! In C programs lowering makes this claim, since it knows the type that C asks for, which may be another than that of the
//! machine's instruction. In a binary the cast is that of C. A file that has such claims itself, as those have that Vergo writes,
//! gets no further ones, and programs of other languages (Rust's casts saturate) get none.

use super::Mapper;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::Claim;
use vergo_goto::types::TypeId;
use vergo_num::RoundingMode;

/// The property, which is the class of such claims in files of ours.
const PROPERTY: &str = "arith.float-conversion";

impl Mapper<'_> {
    /// Returns whether the file makes claims about conversions itself.
    pub(super) fn has_own_conversion_claims(&self) -> bool {
        let mut classes = self.b.ireps.all_named("property_class");
        classes.any(|class| self.b.ireps.id(class) == PROPERTY)
    }

    /// Claims that a value fits the integer type that it is cast to, if it is a float and the function is one of C.
    pub(super) fn claim_converts(&mut self, value: ExprId, to: TypeId) {
        if !self.claims_conversions {
            return;
        }
        let Some(mut fits) = self.p.float_fits(RoundingMode::TowardZero, to, value) else { return };
        for (condition, holds) in self.guards.clone().into_iter().rev() {
            let guard = if holds { condition } else { self.p.not(condition) };
            fits = self.p.implies(guard, fits);
        }
        if *self.p.exprs.kind(fits) == ExprKind::Bool(true) {
            return;
        }
        let description = "a floating number is converted to an integer type that cannot hold it";
        self.builder.assert(fits, Claim::new(PROPERTY, description.to_owned()));
        self.effects += 1;
    }
}

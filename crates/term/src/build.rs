//! Constructors of terms: every SMT-LIB operator, expressed in the kernel and simplified.
//!
//! Operands of the wrong sort are a bug in the caller and panic; the SMT-LIB reader checks first.

use crate::eval::apply;
use crate::op::{Op, TermId};
use crate::rewrite::{FUEL, Rule};
use crate::sort::Sort;
use crate::store::{Rewriting, TermStore};

mod array;
mod core;
mod float;
mod word;

/// Rules within rules are checked for room on the stack at every so many levels,
const STACK_CHECK: u32 = 32;
/// which take far less than this many bytes,
const RED_ZONE: usize = 256 * 1024;
/// and get so many more where less is left.
const STACK_GROWTH: usize = 4 * 1024 * 1024;

impl TermStore {
    /// The term of a kernel operator, simplified. `sort` is the result's, which for some operators
    /// says more than the arguments do (a width, a format). Arguments must have the sorts that the
    /// operator wants.
    pub fn app(&mut self, op: Op, sort: Sort, args: &[TermId]) -> TermId {
        let mut ordered = [TermId::from_u32(0); 4];
        let ordered = &mut ordered[..args.len()];
        ordered.copy_from_slice(args);
        if let Some((i, j)) = op.symmetric() {
            let key = |term: TermId| (self.is_value(term), term);
            if key(ordered[i]) > key(ordered[j]) {
                ordered.swap(i, j);
            }
        }
        if self.rewriting == Rewriting::Off {
            return self.intern(op, sort, ordered);
        }
        if self.depth == 0 {
            self.fuel = FUEL;
        }
        if self.fuel == 0 {
            return self.intern(op, sort, ordered);
        }
        self.fuel -= 1;
        if self.fuel == 0 {
            self.n_cut_short += 1;
        }
        self.depth += 1;
        let simpler = if self.depth.is_multiple_of(STACK_CHECK) {
            stacker::maybe_grow(RED_ZONE, STACK_GROWTH, || self.simplify(op, sort, ordered))
        } else {
            self.simplify(op, sort, ordered)
        };
        self.depth -= 1;
        simpler.unwrap_or_else(|| self.intern(op, sort, ordered))
    }

    /// The term with its arguments replaced, simplified anew.
    pub fn with_args(&mut self, term: TermId, args: &[TermId]) -> TermId {
        let (op, sort) = (self.op(term), self.sort(term));
        if op.arity() == 0 { term } else { self.app(op, sort, args) }
    }

    /// Folds an operator whose arguments are all constants.
    pub(crate) fn fold(&mut self, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
        if matches!(sort, Sort::Array(_)) || !args.iter().all(|&arg| self.is_value(arg)) {
            return None;
        }
        let value = apply(self, op, sort, |i| self.value(args[i]).expect("a constant"));
        let term = self.constant(value);
        self.fired(Rule::ConstantFold, term)
    }
}

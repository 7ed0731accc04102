//! Hash-consed sorted terms (Bool, BitVec, Array, Float), evaluator, rewriting at construction, SMT-LIB text in and out.
//!
//! A [`TermStore`] owns terms; its methods build them, simplifying as they go. The operators that
//! remain, the *kernel*, are listed in [`Op`]; the simplifications are the rows of [`Rule`].
//!
//! ```
//! use vergo_num::BitVec;
//! use vergo_term::{Assignment, Sort, TermStore, Value};
//!
//! let mut store = TermStore::new();
//! let x = store.var("x", Sort::BitVec(8));
//! let five = store.bv_u64(8, 5);
//! let sum = store.bv_add(x, five);
//! let back = store.bv_sub(sum, five);
//! assert_eq!(back, x);
//!
//! let mut assignment = Assignment::new();
//! assignment.set(store.as_var(x).unwrap(), BitVec::from_u64(8, 251));
//! assert_eq!(store.eval(sum, &assignment), Value::BitVec(BitVec::zero(8)));
//! ```

mod build;
mod eval;
mod lookup;
mod op;
mod persistent;
#[cfg(debug_assertions)]
mod planted;
mod rewrite;
pub mod smtlib;
mod sort;
mod store;
mod value;
mod walk;
mod words;

pub use eval::{Assignment, Evaluator, default_value};
pub use lookup::{LookupTable, LookupTableId};
pub use op::{ConstId, Op, TermId, VarId};
#[cfg(debug_assertions)]
pub use planted::{Planted, with_planted};
pub use rewrite::{Rule, RuleExample};
pub use sort::{ArraySortId, Sort};
pub use store::{Rewriting, TermStore, Var};
pub use value::{ArrayValue, Value};
pub use walk::TermSize;

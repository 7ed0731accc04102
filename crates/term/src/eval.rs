//! The evaluator: what a term means under an assignment of values to variables.
//!
//! This is the semantics of terms. Constant folding uses the same [`apply`], and bit-blasting is
//! tested against it.

use crate::op::{Op, TermId, VarId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::value::{ArrayValue, Value};
use rustc_hash::FxHashMap;
use vergo_num::{BitVec, Float, RoundingMode};

/// Values of variables. A variable without one has its sort's default: false, zero, plus zero, to
/// nearest even, an array of defaults.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<VarId, Value>,
}

impl Assignment {
    /// No variable has a value.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives a variable a value of its sort, in place of any it had.
    pub fn set(&mut self, var: VarId, value: impl Into<Value>) {
        self.values.insert(var, value.into());
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, var: VarId) -> Option<&Value> {
        self.values.get(&var)
    }
}

/// Evaluates terms of one store under one assignment and remembers what it has evaluated.
pub struct Evaluator<'a> {
    store: &'a TermStore,
    assignment: &'a Assignment,
    memo: FxHashMap<TermId, Value>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that has evaluated nothing.
    pub fn new(store: &'a TermStore, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { store, assignment, memo: FxHashMap::default() }
    }

    /// The value of a term.
    pub fn value(&mut self, root: TermId) -> &Value {
        self.value_unless(root, &mut || false).expect("nothing stops this evaluation")
    }

    /// The value of a term, unless `stop`, which is asked between terms, holds before it is known.
    pub fn value_unless(&mut self, root: TermId, stop: &mut dyn FnMut() -> bool) -> Option<&Value> {
        let mut pending = vec![root];
        while let Some(&term) = pending.last() {
            if self.memo.contains_key(&term) {
                pending.pop();
                continue;
            }
            let n_pending = pending.len();
            for &arg in self.store.args(term) {
                if !self.memo.contains_key(&arg) {
                    pending.push(arg);
                }
            }
            if pending.len() == n_pending {
                if stop() {
                    return None;
                }
                pending.pop();
                let value = self.step(term);
                self.memo.insert(term, value);
            }
        }
        self.memo.get(&root)
    }

    /// The value of a term whose arguments have been evaluated.
    fn step(&self, term: TermId) -> Value {
        let (store, sort) = (self.store, self.store.sort(term));
        match store.op(term) {
            Op::Const(_) => store.value(term).expect("a constant has a value").clone(),
            Op::Var(var) => match self.assignment.get(var) {
                Some(value) => value.clone(),
                None => default_value(store, sort),
            },
            op => {
                let arg = |i: usize| &self.memo[&store.arg(term, i)];
                apply(store, op, sort, arg)
            }
        }
    }
}

/// The value that a variable of the sort has without an assignment.
pub fn default_value(store: &TermStore, mut sort: Sort) -> Value {
    let mut index_counts = Vec::new();
    while let Sort::Array(id) = sort {
        let (index, element) = store.array_parts(id);
        index_counts.push(store.n_values(index));
        sort = element;
    }
    let mut value = match sort {
        Sort::Bool => Value::Bool(false),
        Sort::BitVec(width) => Value::BitVec(BitVec::zero(width)),
        Sort::Float(format) => Value::Float(Float::zero(format, false)),
        Sort::RoundingMode | Sort::Array(_) => Value::RoundingMode(RoundingMode::NearestEven),
    };
    for n_indices in index_counts.into_iter().rev() {
        value = ArrayValue::constant(value, n_indices).into();
    }
    value
}

/// The value of an operator on values of the right sorts; `sort` is the result's.
pub(crate) fn apply<'v>(
    store: &TermStore,
    op: Op,
    sort: Sort,
    arg: impl Fn(usize) -> &'v Value,
) -> Value {
    let bit = |i: usize| arg(i).as_bool();
    let bv = |i: usize| arg(i).as_bv();
    let fp = |i: usize| arg(i).as_float();
    let rm = |i: usize| arg(i).as_mode();
    let width = || sort.width().expect("the result is a word");
    let format = || sort.format().expect("the result is a float");
    match op {
        Op::Const(_) | Op::Var(_) => unreachable!("leaves have no arguments"),
        Op::Not => (!bit(0)).into(),
        Op::And => (bit(0) && bit(1)).into(),
        Op::Eq => (arg(0) == arg(1)).into(),
        Op::Ite => arg(if bit(0) { 1 } else { 2 }).clone(),
        Op::BvNot => bv(0).not().into(),
        Op::BvNeg => bv(0).neg().into(),
        Op::BvAnd => bv(0).and(bv(1)).into(),
        Op::BvXor => bv(0).xor(bv(1)).into(),
        Op::BvAdd => bv(0).add(bv(1)).into(),
        Op::BvMul => bv(0).mul(bv(1)).into(),
        Op::BvUdiv => bv(0).udiv(bv(1)).into(),
        Op::BvUrem => bv(0).urem(bv(1)).into(),
        Op::BvShl => bv(0).shl(bv(1)).into(),
        Op::BvLshr => bv(0).lshr(bv(1)).into(),
        Op::BvAshr => bv(0).ashr(bv(1)).into(),
        Op::BvConcat => bv(0).concat(bv(1)).into(),
        Op::BvExtract(low) => bv(0).extract(low + width() - 1, low).into(),
        Op::BvSignExtend => bv(0).sign_extend(width()).into(),
        Op::BvUlt => bv(0).ult(bv(1)).into(),
        Op::BvSlt => bv(0).slt(bv(1)).into(),
        Op::BvUmulo => bv(0).umul_overflow(bv(1)).into(),
        Op::BvSmulo => bv(0).smul_overflow(bv(1)).into(),
        Op::Select => arg(0).as_array().select(arg(1)).clone(),
        Op::Store => {
            let mut array = arg(0).as_array().clone();
            array.store(arg(1), arg(2).clone());
            array.into()
        }
        Op::ConstArray => {
            let Sort::Array(id) = sort else { unreachable!("the result is an array") };
            ArrayValue::constant(arg(0).clone(), store.n_values(store.array_parts(id).0)).into()
        }
        Op::Lookup(table) => store.lookup_table(table).at(bv(0)).into(),
        Op::FpFromBits => Float::from_bits(format(), bv(0).clone()).into(),
        Op::FpToBits => fp(0).bits().clone().into(),
        Op::FpAbs => fp(0).abs().into(),
        Op::FpNeg => fp(0).neg().into(),
        Op::FpAdd => fp(1).add(rm(0), fp(2)).into(),
        Op::FpMul => fp(1).mul(rm(0), fp(2)).into(),
        Op::FpDiv => fp(1).div(rm(0), fp(2)).into(),
        Op::FpFma => fp(1).fma(rm(0), fp(2), fp(3)).into(),
        Op::FpSqrt => fp(1).sqrt(rm(0)).into(),
        Op::FpRem => fp(0).rem(fp(1)).into(),
        Op::FpFmod => fp(0).fmod(fp(1)).into(),
        Op::FpRoundToIntegral => fp(1).round_to_integral(rm(0)).into(),
        Op::FpMin => fp(0).min(fp(1)).into(),
        Op::FpMax => fp(0).max(fp(1)).into(),
        Op::FpLe => fp(0).le(fp(1)).into(),
        Op::FpLt => fp(0).lt(fp(1)).into(),
        Op::FpEq => fp(0).ieee_eq(fp(1)).into(),
        Op::FpIsNormal => fp(0).is_normal().into(),
        Op::FpIsSubnormal => fp(0).is_subnormal().into(),
        Op::FpIsZero => fp(0).is_zero().into(),
        Op::FpIsInfinite => fp(0).is_infinite().into(),
        Op::FpIsNan => fp(0).is_nan().into(),
        Op::FpIsNegative => fp(0).is_negative().into(),
        Op::FpConvert => fp(1).convert(format(), rm(0)).into(),
        Op::FpFromSbv => Float::from_signed(format(), rm(0), bv(1)).into(),
        Op::FpFromUbv => Float::from_unsigned(format(), rm(0), bv(1)).into(),
        Op::FpToSbv => {
            fp(1).to_signed(rm(0), width()).unwrap_or_else(|| BitVec::zero(width())).into()
        }
        Op::FpToUbv => {
            fp(1).to_unsigned(rm(0), width()).unwrap_or_else(|| BitVec::zero(width())).into()
        }
    }
}

impl TermStore {
    /// The value of a term under an assignment. To evaluate several, keep an [`Evaluator`].
    pub fn eval(&self, term: TermId, assignment: &Assignment) -> Value {
        Evaluator::new(self, assignment).value(term).clone()
    }

    /// A term that denotes the value, of the given sort: stores into a constant array for arrays.
    pub fn value_term(&mut self, sort: Sort, value: &Value) -> TermId {
        match (sort, value) {
            (Sort::Array(id), Value::Array(array)) => {
                let (index_sort, element_sort) = self.array_parts(id);
                let default = self.value_term(element_sort, array.default_element());
                let mut term = self.const_array(sort, default);
                for (index, element) in array.entries() {
                    let index = self.index_value(index_sort, index);
                    let index = self.constant(index);
                    let element = self.value_term(element_sort, element);
                    term = self.store(term, index, element);
                }
                term
            }
            _ => self.constant(value.clone()),
        }
    }

    /// The value of a scalar sort with the given encoding (see [`Value::index_bits`]).
    pub fn index_value(&self, sort: Sort, bits: &BitVec) -> Value {
        match sort {
            Sort::Bool => Value::Bool(!bits.is_zero()),
            Sort::BitVec(_) => Value::BitVec(bits.clone()),
            Sort::Float(format) => Value::Float(Float::from_bits(format, bits.clone())),
            Sort::RoundingMode => {
                let number = bits.to_u64().unwrap_or(0) as usize;
                Value::RoundingMode(RoundingMode::ALL[number % RoundingMode::ALL.len()])
            }
            Sort::Array(_) => panic!("arrays are not indices"),
        }
    }
}

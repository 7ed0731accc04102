//! The functions of SMT-LIB's theories: checks of operands, and their terms.
//!
//! SMT-LIB leaves some results of floating-point functions open: `fp.min` and `fp.max` of zeros with
//! different signs, and conversions to words of NaN, infinities and numbers out of range. The
//! standard allows any value there, as long as the function is one. The kernel makes a choice (see
//! [`Op`](crate::Op)); the reader restores the freedom with variables that stand for the choice: one
//! truth value per function, format and order of the zeros, and for each conversion an array from
//! the operands' bits to results. Their names begin with `@fp.`, which SMT-LIB reserves for solvers;
//! models need not show them.

use super::{MAX_WIDTH, SmtErrorKind};
use crate::op::TermId;
use crate::sort::Sort;
use crate::store::TermStore;
use crate::value::mode_number;
use vergo_num::{BitVec, Float, FloatFormat, Natural, RoundingMode};

/// A function symbol with its indices, or the sort it is qualified with.
pub(super) struct Head<'t> {
    pub(super) name: &'t str,
    pub(super) indices: Vec<u32>,
    pub(super) sort: Option<Sort>,
}

/// An argument or result: a term, or a real number on its way into `to_fp`.
pub(super) enum Item {
    Term(TermId),
    Real { negative: bool, numerator: Natural, denominator: Natural },
}

type Failure = (SmtErrorKind, String);

/// The result of a function on arguments.
pub(super) fn apply(
    store: &mut TermStore,
    head: &Head<'_>,
    args: Vec<Item>,
) -> Result<Item, Failure> {
    if head.name == "to_fp" && head.indices.len() == 2 {
        return to_fp(store, head, &args).map(Item::Term);
    }
    let mut terms = Vec::with_capacity(args.len());
    let mut reals = Vec::new();
    for arg in args {
        match arg {
            Item::Term(term) => terms.push(term),
            Item::Real { negative, numerator, denominator } => {
                reals.push((negative, numerator, denominator));
            }
        }
    }
    if !reals.is_empty() {
        return real_arithmetic(head.name, reals, terms.is_empty());
    }
    let result = Call { store, head, args: terms.clone() }.apply();
    match result {
        Err((SmtErrorKind::Sort, _)) => {
            // Mixed truth values and bits: as bits, or else as truth values.
            for (from, to) in [(Sort::Bool, Sort::BitVec(1)), (Sort::BitVec(1), Sort::Bool)] {
                let is_mixed = terms.iter().any(|&term| store.sort(term) == from);
                let coerced = terms.iter().map(|&term| coerce(store, term, to).unwrap_or(term));
                let args: Vec<TermId> = coerced.collect();
                if is_mixed && let Ok(term) = (Call { store, head, args }).apply() {
                    return Ok(Item::Term(term));
                }
            }
            result.map(Item::Term)
        }
        result => result.map(Item::Term),
    }
}

/// The term as one of the given sort: itself, or a truth value for a bit and the other way round.
/// The standard keeps the two apart, but older solvers did not, and scripts rely on it.
pub(super) fn coerce(store: &mut TermStore, term: TermId, sort: Sort) -> Option<TermId> {
    match (store.sort(term), sort) {
        (from, to) if from == to => Some(term),
        (Sort::Bool, Sort::BitVec(1)) => Some(store.bool_to_bv(term)),
        (Sort::BitVec(1), Sort::Bool) => Some(store.bv_bit(0, term)),
        _ => None,
    }
}

/// Negation and division of real literals.
fn real_arithmetic(
    name: &str,
    mut reals: Vec<(bool, Natural, Natural)>,
    all_real: bool,
) -> Result<Item, Failure> {
    let unsupported = || {
        let message =
            format!("`{name}` of numbers is not supported: use `(_ bvN width)` for words");
        Err((SmtErrorKind::Unsupported, message))
    };
    if !all_real {
        return unsupported();
    }
    let (mut negative, mut numerator, mut denominator) = reals.remove(0);
    match (name, reals.is_empty()) {
        ("-", true) => negative = !negative,
        ("/", false) => {
            for (sign, over, under) in reals {
                if over.is_zero() {
                    return Err((SmtErrorKind::Unsupported, "division by zero".to_owned()));
                }
                negative ^= sign;
                numerator = numerator.mul(&under);
                denominator = denominator.mul(&over);
            }
        }
        _ => return unsupported(),
    }
    Ok(Item::Real { negative, numerator, denominator })
}

/// The four readings of `((_ to_fp eb sb) …)`.
fn to_fp(store: &mut TermStore, head: &Head<'_>, args: &[Item]) -> Result<TermId, Failure> {
    let format = format_of(head)?;
    match args {
        [Item::Term(word)] if store.sort(*word) == Sort::BitVec(format.width()) => {
            Ok(store.fp_from_bits(format, *word))
        }
        [Item::Term(mode), Item::Term(x)] if store.sort(*mode) == Sort::RoundingMode => {
            match store.sort(*x) {
                Sort::Float(_) => Ok(store.fp_convert(format, *mode, *x)),
                Sort::BitVec(_) => Ok(store.fp_from_sbv(format, *mode, *x)),
                _ => Err(wrong_operands(head)),
            }
        }
        [Item::Term(mode), Item::Real { negative, numerator, denominator }]
            if store.sort(*mode) == Sort::RoundingMode =>
        {
            let mut value_in = |mode: RoundingMode| {
                // The sign of a real zero is plus.
                let negative = *negative && !numerator.is_zero();
                Float::from_rational(format, mode, negative, numerator.clone(), denominator)
                    .map(|value| store.fp_const(value))
            };
            let values: Option<Vec<TermId>> =
                RoundingMode::ALL.into_iter().map(&mut value_in).collect();
            let Some(values) = values else {
                return Err((SmtErrorKind::Unsupported, "division by zero".to_owned()));
            };
            Ok(by_mode(store, *mode, &values))
        }
        _ => Err(wrong_operands(head)),
    }
}

/// The value for the mode at hand, from one per mode in their order.
fn by_mode(store: &mut TermStore, mode: TermId, values: &[TermId]) -> TermId {
    let mut term = values[0];
    for (&candidate, &value) in RoundingMode::ALL.iter().zip(values).skip(1) {
        let candidate = store.rm_const(candidate);
        let is_it = store.eq(mode, candidate);
        term = store.ite(is_it, value, term);
    }
    term
}

fn format_of(head: &Head<'_>) -> Result<FloatFormat, Failure> {
    match head.indices[..] {
        [exponent, significand] => FloatFormat::try_ieee(exponent, significand).ok_or_else(|| {
            (SmtErrorKind::Unsupported, "floating-point format is not supported".to_owned())
        }),
        _ => Err((SmtErrorKind::Syntax, format!("`{}` takes two indices", head.name))),
    }
}

fn wrong_operands(head: &Head<'_>) -> Failure {
    (SmtErrorKind::Sort, format!("operands of `{}` have the wrong number or sorts", head.name))
}

struct Call<'a> {
    store: &'a mut TermStore,
    head: &'a Head<'a>,
    args: Vec<TermId>,
}

type Binary = fn(&mut TermStore, TermId, TermId) -> TermId;
type Unary = fn(&mut TermStore, TermId) -> TermId;

impl Call<'_> {
    fn apply(&mut self) -> Result<TermId, Failure> {
        type S = TermStore;
        let head = self.head;
        if let Some(sort) = head.sort {
            return self.qualified(sort);
        }
        if !head.indices.is_empty() {
            return self.indexed();
        }
        match head.name {
            "not" => self.unary_bool(S::not),
            "and" => self.all_bool(S::and_all),
            "or" => self.all_bool(S::or_all),
            "xor" => self.left_bool(S::xor),
            "=>" => self.right_implication(),
            "=" => self.chain(S::eq, Self::same_sort),
            "distinct" => {
                self.at_least(2)?;
                self.same_sort()?;
                Ok(self.store.distinct(&self.args))
            }
            "ite" => match self.args[..] {
                [c, a, b]
                    if self.store.sort(c) == Sort::Bool
                        && self.store.sort(a) == self.store.sort(b) =>
                {
                    Ok(self.store.ite(c, a, b))
                }
                _ => Err(wrong_operands(head)),
            },

            "bvnot" => self.unary_word(S::bv_not),
            "bvneg" => self.unary_word(S::bv_neg),
            "bvredor" => self.unary_word(S::bv_redor),
            "bvredand" => self.unary_word(S::bv_redand),
            "bvredxor" => self.unary_word(S::bv_redxor),
            "bvnego" => self.unary_word(S::bv_nego),
            "bvand" => self.left_word(S::bv_and),
            "bvor" => self.left_word(S::bv_or),
            "bvxor" => self.left_word(S::bv_xor),
            "bvadd" => self.left_word(S::bv_add),
            "bvmul" => self.left_word(S::bv_mul),
            "bvsub" => self.left_word(S::bv_sub),
            "bvnand" => self.binary_word(|s, a, b| {
                let both = s.bv_and(a, b);
                s.bv_not(both)
            }),
            "bvnor" => self.binary_word(|s, a, b| {
                let either = s.bv_or(a, b);
                s.bv_not(either)
            }),
            "bvxnor" => self.left_word(|s, a, b| {
                let differ = s.bv_xor(a, b);
                s.bv_not(differ)
            }),
            "bvudiv" => self.binary_word(S::bv_udiv),
            "bvurem" => self.binary_word(S::bv_urem),
            "bvsdiv" => self.binary_word(S::bv_sdiv),
            "bvsrem" => self.binary_word(S::bv_srem),
            "bvsmod" => self.binary_word(S::bv_smod),
            "bvshl" => self.binary_word(S::bv_shl),
            "bvlshr" => self.binary_word(S::bv_lshr),
            "bvashr" => self.binary_word(S::bv_ashr),
            "bvcomp" => self.binary_word(S::bv_comp),
            "bvult" => self.chain(S::bv_ult, Self::same_words),
            "bvule" => self.chain(S::bv_ule, Self::same_words),
            "bvugt" => self.chain(|s, a, b| s.bv_ult(b, a), Self::same_words),
            "bvuge" => self.chain(|s, a, b| s.bv_ule(b, a), Self::same_words),
            "bvslt" => self.chain(S::bv_slt, Self::same_words),
            "bvsle" => self.chain(S::bv_sle, Self::same_words),
            "bvsgt" => self.chain(|s, a, b| s.bv_slt(b, a), Self::same_words),
            "bvsge" => self.chain(|s, a, b| s.bv_sle(b, a), Self::same_words),
            "bvuaddo" => self.binary_word(S::bv_uaddo),
            "bvsaddo" => self.binary_word(S::bv_saddo),
            "bvusubo" => self.binary_word(S::bv_usubo),
            "bvssubo" => self.binary_word(S::bv_ssubo),
            "bvumulo" => self.binary_word(S::bv_umulo),
            "bvsmulo" => self.binary_word(S::bv_smulo),
            "bvsdivo" => self.binary_word(S::bv_sdivo),
            "concat" => {
                self.at_least(2)?;
                let widths = self.words()?;
                if widths.iter().fold(0u32, |sum, &w| sum.saturating_add(w)) > MAX_WIDTH {
                    return Err((SmtErrorKind::Unsupported, "word is too wide".to_owned()));
                }
                Ok(self.fold_left(S::bv_concat))
            }

            "select" => match (self.array_sorts(), &self.args[..]) {
                (Some((index, _)), &[a, i]) if self.store.sort(i) == index => {
                    Ok(self.store.select(a, i))
                }
                _ => Err(wrong_operands(head)),
            },
            "store" => match (self.array_sorts(), &self.args[..]) {
                (Some((index, element)), &[a, i, e])
                    if self.store.sort(i) == index && self.store.sort(e) == element =>
                {
                    Ok(self.store.store(a, i, e))
                }
                _ => Err(wrong_operands(head)),
            },

            "fp" => self.float_from_fields(),
            "fp.abs" => self.unary_float(S::fp_abs),
            "fp.neg" => self.unary_float(S::fp_neg),
            "fp.add" => self.mode_binary(S::fp_add),
            "fp.sub" => self.mode_binary(S::fp_sub),
            "fp.mul" => self.mode_binary(S::fp_mul),
            "fp.div" => self.mode_binary(S::fp_div),
            "fp.fma" => match (self.mode_and_floats(), &self.args[..]) {
                (true, &[m, x, y, z]) => Ok(self.store.fp_fma(m, x, y, z)),
                _ => Err(wrong_operands(head)),
            },
            "fp.sqrt" => self.mode_unary(S::fp_sqrt),
            "fp.roundToIntegral" => self.mode_unary(S::fp_round_to_integral),
            "fp.rem" => self.binary_float(S::fp_rem),
            "fp.fmod" => self.binary_float(S::fp_fmod),
            "fp.min" => self.binary_float(|s, x, y| with_open_zeros(s, "min", S::fp_min, x, y)),
            "fp.max" => self.binary_float(|s, x, y| with_open_zeros(s, "max", S::fp_max, x, y)),
            "fp.leq" => self.chain(S::fp_le, Self::same_floats),
            "fp.lt" => self.chain(S::fp_lt, Self::same_floats),
            "fp.geq" => self.chain(|s, x, y| s.fp_le(y, x), Self::same_floats),
            "fp.gt" => self.chain(|s, x, y| s.fp_lt(y, x), Self::same_floats),
            "fp.eq" => self.chain(S::fp_eq, Self::same_floats),
            "fp.isNormal" => self.unary_float(S::fp_is_normal),
            "fp.isSubnormal" => self.unary_float(S::fp_is_subnormal),
            "fp.isZero" => self.unary_float(S::fp_is_zero),
            "fp.isInfinite" => self.unary_float(S::fp_is_infinite),
            "fp.isNaN" => self.unary_float(S::fp_is_nan),
            "fp.isNegative" => self.unary_float(S::fp_is_negative),
            "fp.isPositive" => self.unary_float(S::fp_is_positive),
            "fp.to_ieee_bv" => self.unary_float(|s, x| match s.sort(x) {
                Sort::Float(format) => s.fp_to_bits(format, x),
                _ => x,
            }),
            name @ ("fp.to_real" | "bv2nat" | "int2bv" | "ubv_to_int" | "sbv_to_int") => {
                Err((SmtErrorKind::Unsupported, format!("`{name}` is not supported")))
            }
            name => Err((SmtErrorKind::Symbol, format!("unknown function `{name}`"))),
        }
    }

    /// `(fp sign exponent significand)`, a literal if the fields are.
    fn float_from_fields(&mut self) -> Result<TermId, Failure> {
        let widths = self.words()?;
        let has_format =
            |eb: u32, sb: u32| FloatFormat::try_ieee(eb, sb.saturating_add(1)).is_some();
        let (&[1, eb, sb], &[s, e, m]) = (&widths[..], &self.args[..]) else {
            return Err(wrong_operands(self.head));
        };
        if !has_format(eb, sb) {
            return Err(wrong_operands(self.head));
        }
        let store = &mut *self.store;
        let field = |term: TermId| store.bv_value(term);
        if let (Some(s), Some(e), Some(m)) = (field(s), field(e), field(m)) {
            let value = Float::from_fields(s.sign_bit(), e, m);
            return Ok(store.fp_const(value));
        }
        Ok(store.fp_from_parts(s, e, m))
    }

    /// `((as const sort) element)`.
    fn qualified(&mut self, sort: Sort) -> Result<TermId, Failure> {
        match (self.head.name, sort, &self.args[..]) {
            ("const", Sort::Array(id), &[element])
                if self.store.array_parts(id).1 == self.store.sort(element) =>
            {
                Ok(self.store.const_array(sort, element))
            }
            _ => Err(wrong_operands(self.head)),
        }
    }

    fn indexed(&mut self) -> Result<TermId, Failure> {
        let head = self.head;
        let wrong = || Err(wrong_operands(head));
        let too_wide = || Err((SmtErrorKind::Unsupported, "word is too wide".to_owned()));
        let word = match self.args[..] {
            [a] => self.store.sort(a).width().map(|width| (a, width)),
            _ => None,
        };
        match (head.name, &head.indices[..]) {
            ("extract", &[high, low]) => match word {
                Some((a, width)) if low <= high && high < width => {
                    Ok(self.store.bv_extract(high, low, a))
                }
                _ => wrong(),
            },
            ("zero_extend" | "sign_extend", &[n]) => match word {
                Some((a, width)) => match width.saturating_add(n) {
                    width if width > MAX_WIDTH => too_wide(),
                    width if head.name == "zero_extend" => Ok(self.store.bv_zero_extend(width, a)),
                    width => Ok(self.store.bv_sign_extend(width, a)),
                },
                None => wrong(),
            },
            ("repeat", &[n]) => match word {
                Some((_, width)) if width.saturating_mul(n) > MAX_WIDTH => too_wide(),
                Some((a, _)) if n > 0 => Ok(self.store.bv_repeat(n, a)),
                _ => wrong(),
            },
            ("rotate_left", &[n]) => match word {
                Some((a, _)) => Ok(self.store.bv_rotate_left(n, a)),
                None => wrong(),
            },
            ("rotate_right", &[n]) => match word {
                Some((a, _)) => Ok(self.store.bv_rotate_right(n, a)),
                None => wrong(),
            },
            ("to_fp_unsigned", _) => {
                let format = format_of(head)?;
                match self.args[..] {
                    [mode, a]
                        if self.store.sort(mode) == Sort::RoundingMode
                            && self.store.sort(a).width().is_some() =>
                    {
                        Ok(self.store.fp_from_ubv(format, mode, a))
                    }
                    _ => wrong(),
                }
            }
            (_, &[width]) if self.args.len() != 1 && width > MAX_WIDTH => too_wide(),
            ("fp.to_ubv" | "fp.to_sbv", &[width]) => match self.args[..] {
                [mode, x]
                    if width > 0
                        && self.store.sort(mode) == Sort::RoundingMode
                        && self.store.sort(x).format().is_some() =>
                {
                    let is_signed = head.name == "fp.to_sbv";
                    Ok(with_open_range(self.store, is_signed, width, mode, x))
                }
                _ => wrong(),
            },
            ("+oo" | "-oo" | "+zero" | "-zero" | "NaN", _) if self.args.is_empty() => {
                let format = format_of(head)?;
                let value = match head.name {
                    "+oo" => Float::infinity(format, false),
                    "-oo" => Float::infinity(format, true),
                    "+zero" => Float::zero(format, false),
                    "-zero" => Float::zero(format, true),
                    _ => Float::nan(format),
                };
                Ok(self.store.fp_const(value))
            }
            (name, &[width]) if name.starts_with("bv") && self.args.is_empty() => {
                let value = (width > 0)
                    .then(|| Natural::parse(&name[2..], 10))
                    .flatten()
                    .filter(|value| value.bit_len() <= width as usize);
                match value {
                    Some(value) => Ok(self.store.bv_const(BitVec::from_natural(width, &value))),
                    None => {
                        Err((SmtErrorKind::Sort, format!("`{name}` does not fit {width} bits")))
                    }
                }
            }
            (name, _) => Err((SmtErrorKind::Symbol, format!("unknown function `{name}`"))),
        }
    }

    fn at_least(&self, n: usize) -> Result<(), Failure> {
        if self.args.len() >= n { Ok(()) } else { Err(wrong_operands(self.head)) }
    }

    fn bools(&self) -> Result<(), Failure> {
        let all = self.args.iter().all(|&arg| self.store.sort(arg) == Sort::Bool);
        if all { Ok(()) } else { Err(wrong_operands(self.head)) }
    }

    /// The widths of arguments that are all words.
    fn words(&self) -> Result<Vec<u32>, Failure> {
        let widths = self.args.iter().map(|&arg| self.store.sort(arg).width());
        widths.collect::<Option<_>>().ok_or_else(|| wrong_operands(self.head))
    }

    fn same_sort(&self) -> Result<(), Failure> {
        let sort = |&arg: &TermId| self.store.sort(arg);
        let first = self.args.first().map(sort);
        if self.args.iter().all(|arg| Some(sort(arg)) == first) {
            Ok(())
        } else {
            Err(wrong_operands(self.head))
        }
    }

    fn same_words(&self) -> Result<(), Failure> {
        self.words()?;
        self.same_sort()
    }

    fn same_floats(&self) -> Result<(), Failure> {
        let all = self.args.iter().all(|&arg| self.store.sort(arg).format().is_some());
        if all { self.same_sort() } else { Err(wrong_operands(self.head)) }
    }

    /// Returns whether the arguments are a rounding mode and floats of one format.
    fn mode_and_floats(&self) -> bool {
        let Some((&mode, floats)) = self.args.split_first() else { return false };
        let sort = |&arg: &TermId| self.store.sort(arg);
        let first = floats.first().map(sort);
        sort(&mode) == Sort::RoundingMode
            && floats.iter().all(|x| sort(x).format().is_some() && Some(sort(x)) == first)
    }

    fn array_sorts(&self) -> Option<(Sort, Sort)> {
        match self.args.first().map(|&array| self.store.sort(array))? {
            Sort::Array(id) => Some(self.store.array_parts(id)),
            _ => None,
        }
    }

    fn unary_bool(&mut self, op: Unary) -> Result<TermId, Failure> {
        self.bools()?;
        match self.args[..] {
            [a] => Ok(op(self.store, a)),
            _ => Err(wrong_operands(self.head)),
        }
    }

    fn all_bool(&mut self, op: fn(&mut TermStore, &[TermId]) -> TermId) -> Result<TermId, Failure> {
        self.at_least(1)?;
        self.bools()?;
        Ok(op(self.store, &self.args))
    }

    fn left_bool(&mut self, op: Binary) -> Result<TermId, Failure> {
        self.at_least(2)?;
        self.bools()?;
        Ok(self.fold_left(op))
    }

    fn right_implication(&mut self) -> Result<TermId, Failure> {
        self.at_least(2)?;
        self.bools()?;
        let (&last, rest) = self.args.split_last().expect("at least two");
        Ok(rest.iter().rev().fold(last, |acc, &arg| self.store.implies(arg, acc)))
    }

    fn unary_word(&mut self, op: Unary) -> Result<TermId, Failure> {
        self.words()?;
        match self.args[..] {
            [a] => Ok(op(self.store, a)),
            _ => Err(wrong_operands(self.head)),
        }
    }

    fn binary_word(&mut self, op: Binary) -> Result<TermId, Failure> {
        self.same_words()?;
        match self.args[..] {
            [a, b] => Ok(op(self.store, a, b)),
            _ => Err(wrong_operands(self.head)),
        }
    }

    fn left_word(&mut self, op: Binary) -> Result<TermId, Failure> {
        self.at_least(2)?;
        self.same_words()?;
        Ok(self.fold_left(op))
    }

    fn unary_float(&mut self, op: Unary) -> Result<TermId, Failure> {
        self.same_floats()?;
        match self.args[..] {
            [x] => Ok(op(self.store, x)),
            _ => Err(wrong_operands(self.head)),
        }
    }

    fn binary_float(&mut self, op: Binary) -> Result<TermId, Failure> {
        self.same_floats()?;
        match self.args[..] {
            [x, y] => Ok(op(self.store, x, y)),
            _ => Err(wrong_operands(self.head)),
        }
    }

    fn mode_unary(&mut self, op: Binary) -> Result<TermId, Failure> {
        match (self.mode_and_floats(), &self.args[..]) {
            (true, &[mode, x]) => Ok(op(self.store, mode, x)),
            _ => Err(wrong_operands(self.head)),
        }
    }

    fn mode_binary(
        &mut self,
        op: fn(&mut TermStore, TermId, TermId, TermId) -> TermId,
    ) -> Result<TermId, Failure> {
        match (self.mode_and_floats(), &self.args[..]) {
            (true, &[mode, x, y]) => Ok(op(self.store, mode, x, y)),
            _ => Err(wrong_operands(self.head)),
        }
    }

    fn fold_left(&mut self, op: Binary) -> TermId {
        let (&first, rest) = self.args.split_first().expect("callers check the number");
        rest.iter().fold(first, |acc, &arg| op(self.store, acc, arg))
    }

    /// The conjunction of a relation between neighbours.
    fn chain(
        &mut self,
        op: Binary,
        check: fn(&Self) -> Result<(), Failure>,
    ) -> Result<TermId, Failure> {
        self.at_least(2)?;
        check(self)?;
        let links: Vec<TermId> =
            self.args.windows(2).map(|pair| op(self.store, pair[0], pair[1])).collect();
        Ok(self.store.and_all(&links))
    }
}

/// `fp.min` or `fp.max` whose result for zeros of different signs is open.
fn with_open_zeros(store: &mut TermStore, name: &str, op: Binary, x: TermId, y: TermId) -> TermId {
    let result = op(store, x, y);
    let Sort::Float(format) = store.sort(x) else { return result };
    let (x_zero, y_zero) = (store.fp_is_zero(x), store.fp_is_zero(y));
    let (x_negative, y_negative) = (store.fp_is_negative(x), store.fp_is_negative(y));
    let zeros = store.and(x_zero, y_zero);
    let differ = store.xor(x_negative, y_negative);
    let is_open = store.and(zeros, differ);
    if store.bool_value(is_open) == Some(false) {
        return result;
    }
    let (eb, sb) = (format.exponent_bits(), format.significand_bits());
    let mut choice = |order: &str| store.var(&format!("@fp.{name}.{order}.{eb}.{sb}"), Sort::Bool);
    let (minus_first, plus_first) = (choice("-+"), choice("+-"));
    let is_negative = store.ite(x_negative, minus_first, plus_first);
    let plus = store.fp_const(Float::zero(format, false));
    let minus = store.fp_const(Float::zero(format, true));
    let open = store.ite(is_negative, minus, plus);
    store.ite(is_open, open, result)
}

/// A conversion to words whose result is open where the number has no place.
fn with_open_range(
    store: &mut TermStore,
    is_signed: bool,
    width: u32,
    mode: TermId,
    x: TermId,
) -> TermId {
    let Sort::Float(format) = store.sort(x) else { return x };
    let result =
        if is_signed { store.fp_to_sbv(width, mode, x) } else { store.fp_to_ubv(width, mode, x) };
    let fits = fits_word(store, is_signed, width, mode, x);
    if store.bool_value(fits) == Some(true) {
        return result;
    }
    let mode_bits = mode_word(store, mode);
    let bits = store.fp_to_bits(format, x);
    let index = store.bv_concat(mode_bits, bits);
    let index_sort = store.sort(index);
    let sort = store.array_sort(index_sort, Sort::BitVec(width));
    let (eb, sb) = (format.exponent_bits(), format.significand_bits());
    let letter = if is_signed { 's' } else { 'u' };
    let open = store.var(&format!("@fp.to_{letter}bv.{width}.{eb}.{sb}"), sort);
    let open = store.select(open, index);
    store.ite(fits, result, open)
}

/// The number of a rounding mode.
pub(super) fn mode_word(store: &mut TermStore, mode: TermId) -> TermId {
    let values: Vec<TermId> =
        RoundingMode::ALL.iter().map(|&mode| store.bv_u64(3, mode_number(mode))).collect();
    by_mode(store, mode, &values)
}

/// Builds the condition that a float, rounded to an integer, is one of the numbers of a word.
pub(super) fn fits_word(
    store: &mut TermStore,
    is_signed: bool,
    width: u32,
    mode: TermId,
    x: TermId,
) -> TermId {
    let Sort::Float(format) = store.sort(x) else { return store.false_term() };
    let integral = store.fp_round_to_integral(mode, x);
    let (nan, infinite) = (store.fp_is_nan(x), store.fp_is_infinite(x));
    let improper = store.or(nan, infinite);
    let mut parts = vec![store.not(improper)];
    // Powers of two are exact or beyond the format's largest number, where nothing needs a check.
    let exponent = if is_signed { width - 1 } else { width };
    let limit = Float::power_of_two(format, RoundingMode::NearestEven, i64::from(exponent));
    if limit.is_finite() {
        let above = store.fp_const(limit.clone());
        parts.push(store.fp_lt(integral, above));
        if is_signed {
            let below = store.fp_const(limit.neg());
            parts.push(store.fp_le(below, integral));
        }
    }
    if !is_signed {
        let zero = store.fp_const(Float::zero(format, false));
        parts.push(store.fp_le(zero, integral));
    }
    store.and_all(&parts)
}

//! Random terms over a few variables of small sorts.
#![allow(dead_code, reason = "each test binary uses a part")]

use vergo_num::FloatFormat;
use vergo_term::{Sort, TermId, TermStore};
use vergo_testkit::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile {
    Words,
    Arrays,
    WideArrays,
    OddArrays,
    NestedArrays,
    Floats,
    /// Words of real widths, arrays with large indices, floats of a real format.
    RealWords,
    RealArrays,
    RealFloats,
}

pub(crate) struct Generator {
    bools: Vec<TermId>,
    words: Vec<TermId>,
    arrays: Vec<TermId>,
    floats: Vec<TermId>,
    modes: Vec<TermId>,
    /// Arrays of arrays, and arrays that are their elements.
    outer: Vec<TermId>,
    inner: Vec<TermId>,
    format: FloatFormat,
    /// Sort of indices of the arrays.
    index: Sort,
    width: u32,
}

impl Generator {
    pub(crate) fn new(store: &mut TermStore, profile: Profile) -> Generator {
        let mut generator = Generator {
            bools: vec![store.var("p", Sort::Bool)],
            words: Vec::new(),
            arrays: Vec::new(),
            floats: Vec::new(),
            modes: Vec::new(),
            outer: Vec::new(),
            inner: Vec::new(),
            format: FloatFormat::ieee(2, 3),
            index: Sort::BitVec(1),
            width: 3,
        };
        match profile {
            Profile::Words => {
                for name in ["x", "y", "z"] {
                    generator.words.push(store.var(name, Sort::BitVec(3)));
                }
            }
            Profile::Arrays => {
                generator.width = 1;
                for name in ["i", "j", "e"] {
                    generator.words.push(store.var(name, Sort::BitVec(1)));
                }
                let sort = store.array_sort(Sort::BitVec(1), Sort::BitVec(1));
                for name in ["a", "b", "c"] {
                    generator.arrays.push(store.var(name, sort));
                }
            }
            Profile::WideArrays => {
                generator.index = Sort::BitVec(3);
                for name in ["i", "j", "e"] {
                    generator.words.push(store.var(name, Sort::BitVec(3)));
                }
                let sort = store.array_sort(Sort::BitVec(3), Sort::BitVec(3));
                for name in ["a", "b", "c"] {
                    generator.arrays.push(store.var(name, sort));
                }
            }
            Profile::OddArrays => {
                generator.width = 1;
                generator.index = Sort::RoundingMode;
                generator.words.push(store.var("e", Sort::BitVec(1)));
                let sort = store.array_sort(Sort::RoundingMode, Sort::BitVec(1));
                for name in ["a", "b"] {
                    generator.arrays.push(store.var(name, sort));
                }
                generator.modes.push(store.var("m", Sort::RoundingMode));
                for mode in vergo_num::RoundingMode::ALL {
                    generator.modes.push(store.rm_const(mode));
                }
            }
            Profile::NestedArrays => {
                generator.width = 1;
                for name in ["i", "j"] {
                    generator.words.push(store.var(name, Sort::BitVec(1)));
                }
                let inner = store.array_sort(Sort::BitVec(1), Sort::BitVec(1));
                let outer = store.array_sort(Sort::BitVec(1), inner);
                for name in ["a", "b"] {
                    generator.inner.push(store.var(name, inner));
                }
                for name in ["n", "o"] {
                    generator.outer.push(store.var(name, outer));
                }
            }
            Profile::Floats | Profile::RealFloats => {
                if profile == Profile::RealFloats {
                    generator.format = FloatFormat::ieee(4, 6);
                    generator.width = 7;
                }
                let (format, width) = (generator.format, generator.width);
                for name in ["f", "g"] {
                    generator.floats.push(store.var(name, Sort::Float(format)));
                }
                generator.words.push(store.var("x", Sort::BitVec(width)));
                generator.modes.push(store.var("m", Sort::RoundingMode));
            }
            Profile::RealWords | Profile::RealArrays => {
                let width = if profile == Profile::RealWords { 9 } else { 32 };
                generator.width = width;
                for name in ["x", "y", "z"] {
                    generator.words.push(store.var(name, Sort::BitVec(width)));
                }
                if profile == Profile::RealArrays {
                    generator.index = Sort::BitVec(width);
                    let sort = store.array_sort(Sort::BitVec(width), Sort::BitVec(width));
                    for name in ["a", "b"] {
                        generator.arrays.push(store.var(name, sort));
                    }
                }
            }
        }
        let (zero, one) = (store.bv_u64(generator.width, 0), store.bv_u64(generator.width, 1));
        generator.words.push(zero);
        generator.words.push(one);
        generator
    }

    /// The shared variables of another generator, fewer of them, and some of a part's own.
    pub(crate) fn with_local(
        store: &mut TermStore,
        profile: Profile,
        shared: &Generator,
        part: usize,
    ) -> Generator {
        let mut generator = Generator::new(store, profile);
        let mut local = |terms: &mut Vec<TermId>, shared: &[TermId]| {
            for (i, term) in terms.iter_mut().enumerate() {
                *term = shared[i];
                if i % 2 == 1
                    && let Some(var) = store.as_var(shared[i])
                {
                    let (name, sort) = (store.var_info(var).name.clone(), store.sort(shared[i]));
                    *term = store.var(&format!("{name}{part}"), sort);
                }
            }
        };
        local(&mut generator.words, &shared.words);
        local(&mut generator.arrays, &shared.arrays);
        local(&mut generator.floats, &shared.floats);
        generator
    }

    /// A random truth value made of a few operators.
    pub(crate) fn formula(&self, store: &mut TermStore, rng: &mut Rng) -> TermId {
        let mut pool = Generator {
            bools: self.bools.clone(),
            words: self.words.clone(),
            arrays: self.arrays.clone(),
            floats: self.floats.clone(),
            modes: self.modes.clone(),
            outer: self.outer.clone(),
            inner: self.inner.clone(),
            ..*self
        };
        for _ in 0..6 + rng.below(10) {
            pool.grow(store, rng);
        }
        // Late terms are the interesting ones.
        let start = pool.bools.len().saturating_sub(4);
        let first = pool.bools[start + rng.below(pool.bools.len() - start)];
        let second = pool.bools[rng.below(pool.bools.len())];
        match rng.below(4) {
            0 => store.not(first),
            1 => store.or(first, second),
            2 => store.and(first, second),
            _ => first,
        }
    }

    fn grow(&mut self, store: &mut TermStore, rng: &mut Rng) {
        let pick = |rng: &mut Rng, pool: &[TermId]| pool[rng.below(pool.len())];
        let (p, q) = (pick(rng, &self.bools), pick(rng, &self.bools));
        let (x, y) = (pick(rng, &self.words), pick(rng, &self.words));
        if !self.outer.is_empty() && rng.one_in(2) {
            return self.grow_nested(store, rng, p, x, y);
        }
        let kinds =
            2 + usize::from(!self.arrays.is_empty()) * 2 + usize::from(!self.floats.is_empty()) * 2;
        match rng.below(kinds) {
            0 => {
                let term = match rng.below(8) {
                    0 => store.and(p, q),
                    1 => store.xor(p, q),
                    2 => store.ite(p, q, self.bools[0]),
                    3 => store.eq(x, y),
                    4 => store.bv_ult(x, y),
                    5 => store.bv_slt(x, y),
                    6 => store.bv_umulo(x, y),
                    _ => store.bv_smulo(x, y),
                };
                self.bools.push(term);
            }
            1 => {
                let term = match rng.below(18) {
                    0 => store.bv_not(x),
                    1 => store.bv_neg(x),
                    2 => store.bv_and(x, y),
                    3 => store.bv_xor(x, y),
                    4 => store.bv_add(x, y),
                    5 => store.bv_mul(x, y),
                    6 => store.bv_udiv(x, y),
                    7 => store.bv_urem(x, y),
                    8 => store.bv_shl(x, y),
                    9 => store.bv_lshr(x, y),
                    10 => store.bv_ashr(x, y),
                    11 => store.ite(p, x, y),
                    12 => store.bv_sdiv(x, y),
                    13 => store.bv_srem(x, y),
                    14 => store.bv_smod(x, y),
                    15 => store.bv_sub(x, y),
                    16 => {
                        let wide = store.bv_concat(x, y);
                        let low = rng.below(self.width as usize + 1) as u32;
                        store.bv_extract(low + self.width - 1, low, wide)
                    }
                    _ => {
                        let wide = store.bv_sign_extend(self.width + 2, x);
                        store.bv_extract(self.width, 1, wide)
                    }
                };
                self.words.push(term);
            }
            2 | 3 if !self.arrays.is_empty() => {
                let (a, b) = (pick(rng, &self.arrays), pick(rng, &self.arrays));
                let index =
                    if self.index == Sort::RoundingMode { pick(rng, &self.modes) } else { x };
                match rng.below(8) {
                    0..=2 => {
                        let term = store.store(a, index, y);
                        self.arrays.push(term);
                    }
                    3 => {
                        let term = store.ite(p, a, b);
                        self.arrays.push(term);
                    }
                    4 => {
                        let sort = store.sort(a);
                        let term = store.const_array(sort, y);
                        self.arrays.push(term);
                    }
                    5 => {
                        let term = store.eq(a, b);
                        self.bools.push(term);
                    }
                    _ => {
                        let term = store.select(a, index);
                        self.words.push(term);
                    }
                }
            }
            _ => self.grow_float(store, rng, p, x),
        }
    }

    fn grow_nested(
        &mut self,
        store: &mut TermStore,
        rng: &mut Rng,
        p: TermId,
        x: TermId,
        y: TermId,
    ) {
        let pick = |rng: &mut Rng, pool: &[TermId]| pool[rng.below(pool.len())];
        let (n, o) = (pick(rng, &self.outer), pick(rng, &self.outer));
        let (a, b) = (pick(rng, &self.inner), pick(rng, &self.inner));
        let (inner, outer) = (store.sort(a), store.sort(n));
        match rng.below(12) {
            0 | 1 => self.inner.push(store.select(n, x)),
            2 => self.inner.push(store.store(a, x, y)),
            3 => self.inner.push(store.ite(p, a, b)),
            4 => self.inner.push(store.const_array(inner, x)),
            5 | 6 => self.outer.push(store.store(n, x, a)),
            7 => self.outer.push(store.ite(p, n, o)),
            8 => self.outer.push(store.const_array(outer, a)),
            9 => self.bools.push(store.eq(n, o)),
            10 => self.bools.push(store.eq(a, b)),
            _ => self.words.push(store.select(a, x)),
        }
    }

    fn grow_float(&mut self, store: &mut TermStore, rng: &mut Rng, p: TermId, x: TermId) {
        let pick = |rng: &mut Rng, pool: &[TermId]| pool[rng.below(pool.len())];
        let (f, g, h) = (pick(rng, &self.floats), pick(rng, &self.floats), pick(rng, &self.floats));
        let m = pick(rng, &self.modes);
        let format = self.format;
        let float = match rng.below(32) {
            0 => store.fp_add(m, f, g),
            1 => store.fp_mul(m, f, g),
            2 => store.fp_div(m, f, g),
            3 => store.fp_fma(m, f, g, h),
            4 => store.fp_sqrt(m, f),
            5 => store.fp_rem(f, g),
            6 => store.fp_round_to_integral(m, f),
            7 => store.fp_min(f, g),
            8 => store.fp_max(f, g),
            9 => store.fp_abs(f),
            10 => store.fp_neg(f),
            11 => store.ite(p, f, g),
            12 => store.fp_from_sbv(format, m, x),
            13 => store.fp_from_ubv(format, m, x),
            14 => {
                let (eb, sb) = (format.exponent_bits(), format.significand_bits());
                let wide = store.fp_convert(FloatFormat::ieee(eb + 1, sb + 2), m, f);
                store.fp_convert(format, m, wide)
            }
            15 => {
                let bits = store.fp_to_bits(format, f);
                let flipped = store.bv_not(bits);
                store.fp_from_bits(format, flipped)
            }
            16 => store.fp_sub(m, f, g),
            k => {
                let term = match k {
                    17 => store.fp_le(f, g),
                    18 => store.fp_lt(f, g),
                    19 => store.fp_eq(f, g),
                    20 => store.eq(f, g),
                    21 => store.fp_is_normal(f),
                    22 => store.fp_is_subnormal(f),
                    23 => store.fp_is_zero(f),
                    24 => store.fp_is_infinite(f),
                    25 => store.fp_is_nan(f),
                    26 => store.fp_is_negative(f),
                    27 => store.fp_is_positive(f),
                    28 | 29 => {
                        let word = store.fp_to_sbv(self.width, m, f);
                        self.words.push(word);
                        return;
                    }
                    _ => {
                        let word = store.fp_to_ubv(self.width, m, f);
                        self.words.push(word);
                        return;
                    }
                };
                self.bools.push(term);
                return;
            }
        };
        self.floats.push(float);
    }
}

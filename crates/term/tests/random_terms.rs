//! Random terms: rewriting keeps the meaning, text reads back, substitution composes.

use proptest::prelude::*;
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_term::smtlib::{Symbols, parse_term, print_term};
use vergo_term::{ArrayValue, Assignment, Op, Rewriting, Sort, TermId, TermStore, Value};

/// A sequence of constructions, interpreted on a stack of terms per sort.
type Program = Vec<(u8, u8, u8, u8)>;

const WIDTHS: [u32; 4] = [1, 3, 4, 8];
const FORMAT: FloatFormat = FloatFormat::ieee(3, 5);

struct Pools {
    bools: Vec<TermId>,
    words: Vec<Vec<TermId>>,
    floats: Vec<TermId>,
    modes: Vec<TermId>,
    arrays: Vec<TermId>,
}

/// Runs the program; the same program makes the same sequence of terms in any store.
fn build(store: &mut TermStore, program: &Program) -> Vec<TermId> {
    let array_sort = store.array_sort(Sort::BitVec(3), Sort::BitVec(4));
    let mut pools = Pools {
        bools: vec![store.var("p", Sort::Bool), store.var("q", Sort::Bool)],
        words: WIDTHS
            .iter()
            .map(|&w| {
                vec![
                    store.var(&format!("x{w}"), Sort::BitVec(w)),
                    store.var(&format!("y{w}"), Sort::BitVec(w)),
                ]
            })
            .collect(),
        floats: vec![store.var("f", Sort::Float(FORMAT)), store.var("g", Sort::Float(FORMAT))],
        modes: vec![store.var("m", Sort::RoundingMode)],
        arrays: vec![store.var("a", array_sort), store.var("b", array_sort)],
    };
    let mut made = Vec::new();
    for &(op, i, j, k) in program {
        let pick = |pool: &Vec<TermId>, i: u8| pool[i as usize % pool.len()];
        let class = op as usize / 8 % WIDTHS.len();
        let width = WIDTHS[class];
        let (p, q) = (pick(&pools.bools, i), pick(&pools.bools, j));
        let (x, y) = (pick(&pools.words[class], i), pick(&pools.words[class], j));
        let (f, g) = (pick(&pools.floats, i), pick(&pools.floats, j));
        let m = pick(&pools.modes, k);
        let (a, b) = (pick(&pools.arrays, i), pick(&pools.arrays, j));
        let index = pick(&pools.words[1], j);
        let element = pick(&pools.words[2], k);
        let term = match op {
            0..=7 => match op {
                0 => store.and(p, q),
                1 => store.or(p, q),
                2 => store.not(p),
                3 => store.eq(p, q),
                4 => store.ite(pick(&pools.bools, k), p, q),
                5 => store.eq(a, b),
                6 => store.fp_lt(f, g),
                _ => store.fp_eq(f, g),
            },
            8..=159 => match k % 26 {
                0 => store.bv_and(x, y),
                1 => store.bv_or(x, y),
                2 => store.bv_xor(x, y),
                3 => store.bv_not(x),
                4 => store.bv_neg(x),
                5 => store.bv_add(x, y),
                6 => store.bv_sub(x, y),
                7 => store.bv_mul(x, y),
                8 => store.bv_udiv(x, y),
                9 => store.bv_urem(x, y),
                10 => store.bv_sdiv(x, y),
                11 => store.bv_shl(x, y),
                12 => store.bv_lshr(x, y),
                13 => store.bv_ashr(x, y),
                14 => store.bv_ult(x, y),
                15 => store.bv_slt(x, y),
                16 => store.eq(x, y),
                17 => store.ite(p, x, y),
                18 => store.bv_umulo(x, y),
                19 => store.bv_smulo(x, y),
                20 => store.bv_u64(width, u64::from(i) * u64::from(j)),
                21 => {
                    let low = u32::from(i) % width;
                    let high = low + u32::from(j) % (width - low);
                    let cut = store.bv_extract(high, low, x);
                    store.bv_zero_extend(width, cut)
                }
                22 => {
                    let low = u32::from(j) % width;
                    let cut = store.bv_extract(width - 1, low, x);
                    store.bv_sign_extend(width, cut)
                }
                23 => {
                    let both = store.bv_concat(x, y);
                    let low = u32::from(i) % (width + 1);
                    store.bv_extract(low + width - 1, low, both)
                }
                24 => store.bv_smod(x, y),
                _ => store.bv_saddo(x, y),
            },
            160..=199 => match op % 7 {
                0 => store.select(a, index),
                1 => store.const_array(array_sort, element),
                2 => store.ite(p, a, b),
                _ => store.store(a, index, element),
            },
            _ => match op % 20 {
                0 => store.fp_add(m, f, g),
                1 => store.fp_sub(m, f, g),
                2 => store.fp_mul(m, f, g),
                3 => store.fp_div(m, f, g),
                4 => store.fp_neg(f),
                5 => store.fp_abs(f),
                6 => store.fp_from_bits(FORMAT, pick(&pools.words[3], i)),
                7 => store.fp_to_sbv(4, m, f),
                8 => store.fp_from_sbv(FORMAT, m, x),
                9 => store.fp_from_ubv(FORMAT, m, x),
                10 => store.fp_is_nan(f),
                11 => store.fp_is_negative(f),
                12 => store.fp_is_zero(f),
                13 => store.fp_le(f, g),
                14 => store.fp_round_to_integral(m, f),
                15 => store.ite(p, f, g),
                16 => store.rm_const(RoundingMode::ALL[usize::from(i) % 5]),
                17 => store.eq(f, g),
                18 => store.fp_min(f, g),
                _ => store.fp_const(Float::from_bits(FORMAT, BitVec::from_u64(8, u64::from(i)))),
            },
        };
        let pool = match store.sort(term) {
            Sort::Bool => &mut pools.bools,
            Sort::BitVec(width) => {
                let class = WIDTHS.iter().position(|&w| w == width).expect("a width of the pools");
                &mut pools.words[class]
            }
            Sort::Float(_) => &mut pools.floats,
            Sort::RoundingMode => &mut pools.modes,
            Sort::Array(_) => &mut pools.arrays,
        };
        pool.push(term);
        made.push(term);
    }
    made
}

fn assign(store: &TermStore, seed: &[u8]) -> Assignment {
    let mut assignment = Assignment::new();
    for (i, (var, info)) in store.vars().enumerate() {
        let byte = |n: usize| u64::from(seed[(i * 7 + n * 13) % seed.len()]);
        let value: Value = match info.sort {
            Sort::Bool => (byte(0) % 2 == 1).into(),
            Sort::BitVec(width) => BitVec::from_u64(width, byte(0)).into(),
            Sort::Float(format) => {
                Float::from_bits(format, BitVec::from_u64(format.width(), byte(0))).into()
            }
            Sort::RoundingMode => RoundingMode::ALL[byte(0) as usize % 5].into(),
            Sort::Array(_) => {
                let mut array = ArrayValue::constant(BitVec::from_u64(4, byte(0)).into(), Some(8));
                for n in 0..byte(1) % 4 {
                    let index = BitVec::from_u64(3, byte(n as usize + 2));
                    array.store(&index.into(), BitVec::from_u64(4, byte(n as usize + 6)).into());
                }
                array.into()
            }
        };
        assignment.set(var, value);
    }
    assignment
}

fn program() -> impl Strategy<Value = Program> {
    proptest::collection::vec(any::<(u8, u8, u8, u8)>(), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(if slow() { 200_000 } else { 1500 })
    })]

    #[test]
    fn rewriting_keeps_the_meaning(program in program(), seeds in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 64), 3)) {
        let mut plain = TermStore::with_rewriting(Rewriting::Off);
        let before = build(&mut plain, &program);
        for rewriting in [Rewriting::On, Rewriting::Structural] {
            let mut simple = TermStore::with_rewriting(rewriting);
            let after = build(&mut simple, &program);
            prop_assert_eq!(simple.n_cut_short(), 0, "rules go round in circles");
            for seed in &seeds {
                let left = assign(&plain, seed);
                let right = assign(&simple, seed);
                for (&a, &b) in before.iter().zip(&after) {
                    prop_assert_eq!(plain.eval(a, &left), simple.eval(b, &right), "{} became {}", print_term(&plain, a), print_term(&simple, b));
                }
            }
        }
    }

    #[test]
    fn text_reads_back(program in program()) {
        for rewriting in [Rewriting::Off, Rewriting::On] {
            let mut store = TermStore::with_rewriting(rewriting);
            let made = build(&mut store, &program);
            let mut symbols = Symbols::new();
            let vars: Vec<(String, TermId)> =
                store.vars().map(|(_, var)| (var.name.clone(), var.term)).collect();
            for (name, term) in vars {
                symbols.define(&name, term);
            }
            for &term in made.iter().rev().take(5) {
                let is_open = store.reachable(&[term]).iter().any(|&t| {
                    matches!(store.op(t), Op::FpMin | Op::FpMax | Op::FpToSbv | Op::FpToUbv)
                });
                if is_open {
                    continue;
                }
                let text = print_term(&store, term);
                let again = parse_term(&mut store, &text, &mut symbols);
                prop_assert_eq!(again, Ok(term), "{}", text);
            }
        }
    }

    #[test]
    fn substituting_values_is_evaluation(program in program(), seed in proptest::collection::vec(any::<u8>(), 64)) {
        let mut store = TermStore::new();
        let made = build(&mut store, &program);
        let assignment = assign(&store, &seed);
        let vars: Vec<_> = store.vars().map(|(id, var)| (id, var.term, var.sort)).collect();
        let mut map = rustc_hash::FxHashMap::default();
        for (id, term, sort) in vars {
            let value = assignment.get(id).expect("all have values").clone();
            let value = store.value_term(sort, &value);
            map.insert(term, value);
        }
        let values = store.substitute_all(&made, &map);
        for (&term, &value) in made.iter().zip(&values) {
            prop_assert!(store.free_vars(&[value]).is_empty());
            prop_assert_eq!(store.eval(term, &assignment), store.eval(value, &Assignment::new()));
        }
    }
}

fn slow() -> bool {
    std::env::var_os("VERGO_SLOW").is_some_and(|v| v == "1")
}

/// Rules are local: deep terms over shared operands cost a few terms per construction.
#[test]
fn construction_stays_linear() {
    const CALLS: usize = 50_000;
    let mut store = TermStore::new();
    let sort = Sort::BitVec(32);
    let mut words: Vec<TermId> = (0..64).map(|i| store.var(&format!("v{i}"), sort)).collect();
    let mut bools = vec![store.true_term()];
    let mut rng = vergo_testkit::Rng::new(1);
    let mut random = |n: usize| rng.below(n);
    for _ in 0..CALLS {
        let n = words.len();
        let a = words[n - 1 - random(n.min(2000))];
        let b = words[n - 1 - random(n.min(2000))];
        let (p, q) = (bools[random(bools.len())], bools[random(bools.len())]);
        let kind = random(14);
        let term = match kind {
            0 => store.bv_add(a, b),
            1 => store.bv_sub(a, b),
            2 => store.bv_and(a, b),
            3 => store.bv_or(a, b),
            4 => store.bv_xor(a, b),
            5 => store.bv_mul(a, b),
            6 => store.ite(p, a, b),
            7..=9 => {
                // Offsets, shifts and byte masks.
                let number = [random(100), random(32), 0xff][kind - 7] as u64;
                let constant = store.bv_u64(32, number);
                match kind {
                    7 => store.bv_add(a, constant),
                    8 => store.bv_shl(a, constant),
                    _ => store.bv_and(a, constant),
                }
            }
            10 => store.bv_ult(a, b),
            11 => store.eq(a, b),
            12 => store.bv_slt(a, b),
            _ => store.and(p, q),
        };
        if store.sort(term) == Sort::Bool { &mut bools } else { &mut words }.push(term);
    }
    assert!(store.len() < 3 * CALLS, "{} terms", store.len());
    assert_eq!(store.n_cut_short(), 0);
}

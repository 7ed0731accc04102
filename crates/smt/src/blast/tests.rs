//! Circuits against the arithmetic of `vergo-num`: exhaustive at small widths, random at real ones.

use super::float::{Mode, Unpacked};
use super::word::Word;
use super::{arith, compare, float_add, float_convert, float_mul, shift};
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_sat::{Aig, Lit, Node};
use vergo_testkit::Rng;
use vergo_testkit::environment::{slow, slow_or_skip};

/// Words of 64 assignments that a gate is evaluated for at once.
const LANES: usize = 4;
/// Assignments in a full block.
const BLOCK: usize = 64 * LANES;

/// A circuit over input words, evaluated for a block of assignments at a time.
struct Bench {
    aig: Aig,
    widths: Vec<usize>,
    /// The output that `gates` compute, as literals of the graph and of the sequence.
    output: Vec<Lit>,
    outputs: Vec<u32>,
    /// The operands of each gate, as literals of the sequence: false, the inputs, the gates.
    gates: Vec<[u32; 2]>,
    values: Vec<[u64; LANES]>,
}

impl Bench {
    fn new(widths: &[usize]) -> (Bench, Vec<Word>) {
        let mut aig = Aig::new();
        let words = widths.iter().map(|&w| (0..w).map(|_| aig.input()).collect::<Word>()).collect();
        let bench = Bench {
            aig,
            widths: widths.to_vec(),
            output: Vec::new(),
            outputs: Vec::new(),
            gates: Vec::new(),
            values: Vec::new(),
        };
        (bench, words)
    }

    /// Numbers the gates of an output without gaps.
    fn compile(&mut self, output: &[Lit]) {
        let n_inputs: usize = self.widths.iter().sum();
        let mut numbers = vec![0u32; self.aig.n_nodes()];
        let literal = |numbers: &[u32], lit: Lit| {
            numbers[lit.node() as usize] << 1 | u32::from(lit.is_complement())
        };
        self.gates.clear();
        for node in self.aig.cone(output) {
            numbers[node as usize] = match self.aig.node(node) {
                Node::False => 0,
                Node::Input(position) => position + 1,
                Node::And(a, b) => {
                    self.gates.push([literal(&numbers, a), literal(&numbers, b)]);
                    (n_inputs + self.gates.len()) as u32
                }
            };
        }
        self.output = output.to_vec();
        self.outputs = output.iter().map(|&lit| literal(&numbers, lit)).collect();
        self.values = vec![[0; LANES]; 1 + n_inputs + self.gates.len()];
    }

    /// The output word for each assignment of a block.
    fn run(&mut self, output: &[Lit], cases: &[Vec<BitVec>]) -> Vec<BitVec> {
        if self.values.is_empty() || self.output != output {
            self.compile(output);
        }
        let mut first = 1;
        for (k, &width) in self.widths.iter().enumerate() {
            for limb in 0..width.div_ceil(64) {
                for (lane, group) in cases.chunks(64).enumerate() {
                    let mut rows = [0; 64];
                    for (row, case) in rows.iter_mut().zip(group) {
                        *row = case[k].limbs()[limb];
                    }
                    transpose(&mut rows);
                    for (i, row) in rows.iter().enumerate().take(width - 64 * limb) {
                        self.values[first + 64 * limb + i][lane] = *row;
                    }
                }
            }
            first += width;
        }
        for (i, &[a, b]) in self.gates.iter().enumerate() {
            let (x, y) = (self.values[(a >> 1) as usize], self.values[(b >> 1) as usize]);
            let (flip_x, flip_y) = (complement(a), complement(b));
            let value = &mut self.values[first + i];
            for lane in 0..LANES {
                value[lane] = (x[lane] ^ flip_x) & (y[lane] ^ flip_y);
            }
        }
        let mut results = Vec::with_capacity(cases.len());
        for (lane, group) in cases.chunks(64).enumerate() {
            let mut limbs = vec![[0u64; 64]; output.len().div_ceil(64)];
            for (i, &lit) in self.outputs.iter().enumerate() {
                limbs[i / 64][i % 64] = self.values[(lit >> 1) as usize][lane] ^ complement(lit);
            }
            limbs.iter_mut().for_each(transpose);
            for case in 0..group.len() {
                let word = limbs.iter().map(|rows| rows[case]).collect();
                results.push(BitVec::from_limbs(output.len() as u32, word));
            }
        }
        results
    }
}

/// All ones for a literal that is complemented.
fn complement(literal: u32) -> u64 {
    u64::from(literal & 1).wrapping_neg()
}

/// Exchanges rows and columns of 64 by 64 bits, by exchanging the off-diagonal quarters of smaller and smaller squares.
fn transpose(rows: &mut [u64; 64]) {
    let mut size = 32;
    let mut low = u64::MAX >> 32;
    while size > 0 {
        for square in (0..64).step_by(2 * size) {
            for i in square..square + size {
                let exchanged = (rows[i] >> size ^ rows[i + size]) & low;
                rows[i] ^= exchanged << size;
                rows[i + size] ^= exchanged;
            }
        }
        size /= 2;
        low ^= low << size;
    }
}

#[test]
fn transposing_exchanges_rows_and_columns() {
    let mut rng = Rng::new(3);
    let rows: [u64; 64] = std::array::from_fn(|_| rng.bits());
    let mut columns = rows;
    transpose(&mut columns);
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            assert_eq!(row >> j & 1, column >> i & 1);
        }
    }
}

/// All assignments to words of the given widths, in blocks.
fn all_cases(widths: &[usize]) -> impl Iterator<Item = Vec<Vec<BitVec>>> {
    let total = 1u64 << widths.iter().sum::<usize>();
    (0..total).step_by(BLOCK).map(move |first| {
        let case = |number: u64| {
            let mut rest = number;
            let word = |&w: &usize| {
                let value = BitVec::from_u64(w as u32, rest & ((1 << w) - 1));
                rest >>= w;
                value
            };
            widths.iter().map(word).collect()
        };
        (first..total.min(first + BLOCK as u64)).map(case).collect()
    })
}

type WordOp = (&'static str, fn(&mut Aig, &[Lit], &[Lit]) -> Word, fn(&BitVec, &BitVec) -> BitVec);

fn signed_division(
    aig: &mut Aig,
    a: &[Lit],
    b: &[Lit],
    finish: impl Fn(&mut Aig, &arith::SignedOperands, &[Lit], &[Lit]) -> Word,
) -> Word {
    let operands = arith::signed_operands(aig, a, b);
    let (quotient, remainder) = arith::udivrem(aig, &operands.dividend, &operands.divisor);
    finish(aig, &operands, &quotient, &remainder)
}

const WORD_OPS: &[WordOp] = &[
    ("add", arith::add, BitVec::add),
    ("sub", arith::sub, BitVec::sub),
    ("mul", arith::mul, BitVec::mul),
    ("neg", |g, a, _| arith::neg(g, a), |a, _| a.neg()),
    ("udiv", |g, a, b| arith::udivrem(g, a, b).0, BitVec::udiv),
    ("urem", |g, a, b| arith::udivrem(g, a, b).1, BitVec::urem),
    ("sdiv", |g, a, b| signed_division(g, a, b, |g, o, q, _| arith::sdiv(g, o, q)), BitVec::sdiv),
    ("srem", |g, a, b| signed_division(g, a, b, |g, o, _, r| arith::srem(g, o, r)), BitVec::srem),
    (
        "smod",
        |g, a, b| signed_division(g, a, b, |g, o, _, r| arith::smod(g, o, b, r)),
        BitVec::smod,
    ),
    ("shl", shift::shl, BitVec::shl),
    ("lshr", shift::lshr, BitVec::lshr),
    ("ashr", shift::ashr, BitVec::ashr),
    ("ult", |g, a, b| vec![compare::ult(g, a, b)], |a, b| BitVec::from_bool(a.ult(b))),
    ("ule", |g, a, b| vec![compare::ule(g, a, b)], |a, b| BitVec::from_bool(a.ule(b))),
    ("slt", |g, a, b| vec![compare::slt(g, a, b)], |a, b| BitVec::from_bool(a.slt(b))),
    ("sle", |g, a, b| vec![compare::sle(g, a, b)], |a, b| BitVec::from_bool(a.sle(b))),
    (
        "umulo",
        |g, a, b| vec![arith::umul_overflow(g, a, b)],
        |a, b| BitVec::from_bool(a.umul_overflow(b)),
    ),
    (
        "smulo",
        |g, a, b| vec![arith::smul_overflow(g, a, b)],
        |a, b| BitVec::from_bool(a.smul_overflow(b)),
    ),
];

#[test]
fn words_exhaustively() {
    for width in 1..=5 {
        for (name, circuit, oracle) in WORD_OPS {
            let (mut bench, words) = Bench::new(&[width, width]);
            let out = circuit(&mut bench.aig, &words[0], &words[1]);
            for block in all_cases(&[width, width]) {
                for (case, got) in block.iter().zip(bench.run(&out, &block)) {
                    assert_eq!(got, oracle(&case[0], &case[1]), "{name} {case:?}");
                }
            }
        }
    }
}

#[test]
fn words_with_constants() {
    for width in 1..=4u32 {
        for value in 0..1u64 << width {
            let constant = BitVec::from_u64(width, value);
            for (name, circuit, oracle) in WORD_OPS {
                let (mut bench, words) = Bench::new(&[width as usize]);
                let fixed = super::word::constant(&constant);
                let left = circuit(&mut bench.aig, &fixed, &words[0]);
                let right = circuit(&mut bench.aig, &words[0], &fixed);
                for block in all_cases(&[width as usize]) {
                    for (case, got) in block.iter().zip(bench.run(&left, &block)) {
                        assert_eq!(
                            got,
                            oracle(&constant, &case[0]),
                            "{name} {constant:?} {case:?}"
                        );
                    }
                    for (case, got) in block.iter().zip(bench.run(&right, &block)) {
                        assert_eq!(
                            got,
                            oracle(&case[0], &constant),
                            "{name} {case:?} {constant:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn wide_words_at_random() {
    let mut rng = Rng::new(11);
    for width in [33usize, 64, 100] {
        for (name, circuit, oracle) in WORD_OPS {
            let (mut bench, words) = Bench::new(&[width, width]);
            let out = circuit(&mut bench.aig, &words[0], &words[1]);
            let block: Vec<Vec<BitVec>> = (0..64)
                .map(|_| {
                    (0..2)
                        .map(|_| {
                            let limbs = (0..width.div_ceil(64)).map(|_| rng.bits()).collect();
                            let word = BitVec::from_limbs(width as u32, limbs);
                            word.lshr_by(rng.below(width) as u32)
                        })
                        .collect()
                })
                .collect();
            for (case, got) in block.iter().zip(bench.run(&out, &block)) {
                assert_eq!(got, oracle(&case[0], &case[1]), "{name} {case:?}");
            }
        }
    }
}

type FloatCircuit = fn(&mut Aig, &Mode, &[Unpacked]) -> Word;
type FloatOracle = fn(RoundingMode, &[Float]) -> BitVec;

struct FloatOp {
    name: &'static str,
    arity: usize,
    circuit: FloatCircuit,
    oracle: FloatOracle,
    /// The circuit is large: fewer random cases.
    heavy: bool,
}

fn flag(value: bool) -> BitVec {
    BitVec::from_bool(value)
}

/// The converted word with a validity bit on top; zero where it is not valid.
fn integer(g: &mut Aig, m: &Mode, x: &Unpacked, width: usize, signed: bool) -> Word {
    let (value, valid) = float_convert::to_integer(g, m, x, width, signed);
    let mut word = super::word::mask(g, &value, valid);
    word.push(valid);
    word
}

fn integer_oracle(value: Option<BitVec>, width: u32) -> BitVec {
    match value {
        Some(word) => BitVec::one(1).concat(&word),
        None => BitVec::zero(width + 1),
    }
}

const FLOAT_OPS: &[FloatOp] = &[
    FloatOp {
        name: "pack",
        arity: 1,
        circuit: |g, _, x| x[0].to_bits(g),
        oracle: |_, x| x[0].bits().clone(),
        heavy: false,
    },
    FloatOp {
        name: "add",
        arity: 2,
        circuit: |g, m, x| float_add::add(g, m, &x[0], &x[1]).to_bits(g),
        oracle: |m, x| x[0].add(m, &x[1]).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "sub",
        arity: 2,
        circuit: |g, m, x| {
            let y = x[1].neg();
            float_add::add(g, m, &x[0], &y).to_bits(g)
        },
        oracle: |m, x| x[0].sub(m, &x[1]).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "mul",
        arity: 2,
        circuit: |g, m, x| float_mul::mul(g, m, &x[0], &x[1]).to_bits(g),
        oracle: |m, x| x[0].mul(m, &x[1]).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "div",
        arity: 2,
        circuit: |g, m, x| float_mul::div(g, m, &x[0], &x[1]).to_bits(g),
        oracle: |m, x| x[0].div(m, &x[1]).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "rem",
        arity: 2,
        circuit: |g, _, x| float_mul::rem(g, &x[0], &x[1]).to_bits(g),
        oracle: |_, x| x[0].rem(&x[1]).into_bits(),
        heavy: true,
    },
    FloatOp {
        name: "fmod",
        arity: 2,
        circuit: |g, _, x| float_mul::fmod(g, &x[0], &x[1]).to_bits(g),
        oracle: |_, x| x[0].fmod(&x[1]).into_bits(),
        heavy: true,
    },
    FloatOp {
        name: "min",
        arity: 2,
        circuit: |g, _, x| Unpacked::min(g, &x[0], &x[1]).to_bits(g),
        oracle: |_, x| x[0].min(&x[1]).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "max",
        arity: 2,
        circuit: |g, _, x| Unpacked::max(g, &x[0], &x[1]).to_bits(g),
        oracle: |_, x| x[0].max(&x[1]).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "sqrt",
        arity: 1,
        circuit: |g, m, x| float_mul::sqrt(g, m, &x[0]).to_bits(g),
        oracle: |m, x| x[0].sqrt(m).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "rti",
        arity: 1,
        circuit: |g, m, x| float_convert::round_to_integral(g, m, &x[0]).to_bits(g),
        oracle: |m, x| x[0].round_to_integral(m).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "neg",
        arity: 1,
        circuit: |g, _, x| x[0].neg().to_bits(g),
        oracle: |_, x| x[0].neg().into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "abs",
        arity: 1,
        circuit: |g, _, x| x[0].abs().to_bits(g),
        oracle: |_, x| x[0].abs().into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "fma",
        arity: 3,
        circuit: |g, m, x| float_add::fma(g, m, &x[0], &x[1], &x[2]).to_bits(g),
        oracle: |m, x| x[0].fma(m, &x[1], &x[2]).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "same",
        arity: 2,
        circuit: |g, _, x| vec![Unpacked::same(g, &x[0], &x[1])],
        oracle: |_, x| flag(x[0] == x[1]),
        heavy: false,
    },
    FloatOp {
        name: "eq",
        arity: 2,
        circuit: |g, _, x| vec![Unpacked::ieee_equal(g, &x[0], &x[1])],
        oracle: |_, x| flag(x[0].ieee_eq(&x[1])),
        heavy: false,
    },
    FloatOp {
        name: "lt",
        arity: 2,
        circuit: |g, _, x| vec![Unpacked::less(g, &x[0], &x[1])],
        oracle: |_, x| flag(x[0].lt(&x[1])),
        heavy: false,
    },
    FloatOp {
        name: "le",
        arity: 2,
        circuit: |g, _, x| vec![Unpacked::less_equal(g, &x[0], &x[1])],
        oracle: |_, x| flag(x[0].le(&x[1])),
        heavy: false,
    },
    FloatOp {
        name: "normal",
        arity: 1,
        circuit: |g, _, x| vec![x[0].is_normal(g)],
        oracle: |_, x| flag(x[0].is_normal()),
        heavy: false,
    },
    FloatOp {
        name: "subnormal",
        arity: 1,
        circuit: |g, _, x| vec![x[0].is_subnormal(g)],
        oracle: |_, x| flag(x[0].is_subnormal()),
        heavy: false,
    },
    FloatOp {
        name: "zero",
        arity: 1,
        circuit: |_, _, x| vec![x[0].zero],
        oracle: |_, x| flag(x[0].is_zero()),
        heavy: false,
    },
    FloatOp {
        name: "infinite",
        arity: 1,
        circuit: |_, _, x| vec![x[0].infinite],
        oracle: |_, x| flag(x[0].is_infinite()),
        heavy: false,
    },
    FloatOp {
        name: "nan",
        arity: 1,
        circuit: |_, _, x| vec![x[0].nan],
        oracle: |_, x| flag(x[0].is_nan()),
        heavy: false,
    },
    FloatOp {
        name: "negative",
        arity: 1,
        circuit: |g, _, x| vec![x[0].is_negative(g)],
        oracle: |_, x| flag(x[0].is_negative()),
        heavy: false,
    },
    FloatOp {
        name: "positive",
        arity: 1,
        circuit: |g, _, x| vec![x[0].is_positive(g)],
        oracle: |_, x| flag(x[0].is_positive()),
        heavy: false,
    },
    FloatOp {
        name: "to_half",
        arity: 1,
        circuit: |g, m, x| float_convert::convert(g, m, &x[0], FloatFormat::HALF).to_bits(g),
        oracle: |m, x| x[0].convert(FloatFormat::HALF, m).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "to_tiny",
        arity: 1,
        circuit: |g, m, x| float_convert::convert(g, m, &x[0], FloatFormat::ieee(3, 3)).to_bits(g),
        oracle: |m, x| x[0].convert(FloatFormat::ieee(3, 3), m).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "to_quad",
        arity: 1,
        circuit: |g, m, x| float_convert::convert(g, m, &x[0], FloatFormat::QUAD).to_bits(g),
        oracle: |m, x| x[0].convert(FloatFormat::QUAD, m).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "to_x87",
        arity: 1,
        circuit: |g, m, x| {
            float_convert::convert(g, m, &x[0], FloatFormat::X87_EXTENDED).to_bits(g)
        },
        oracle: |m, x| x[0].convert(FloatFormat::X87_EXTENDED, m).into_bits(),
        heavy: false,
    },
    FloatOp {
        name: "to_u1",
        arity: 1,
        circuit: |g, m, x| integer(g, m, &x[0], 1, false),
        oracle: |m, x| integer_oracle(x[0].to_unsigned(m, 1), 1),
        heavy: false,
    },
    FloatOp {
        name: "to_s1",
        arity: 1,
        circuit: |g, m, x| integer(g, m, &x[0], 1, true),
        oracle: |m, x| integer_oracle(x[0].to_signed(m, 1), 1),
        heavy: false,
    },
    FloatOp {
        name: "to_u3",
        arity: 1,
        circuit: |g, m, x| integer(g, m, &x[0], 3, false),
        oracle: |m, x| integer_oracle(x[0].to_unsigned(m, 3), 3),
        heavy: false,
    },
    FloatOp {
        name: "to_s3",
        arity: 1,
        circuit: |g, m, x| integer(g, m, &x[0], 3, true),
        oracle: |m, x| integer_oracle(x[0].to_signed(m, 3), 3),
        heavy: false,
    },
    FloatOp {
        name: "to_u32",
        arity: 1,
        circuit: |g, m, x| integer(g, m, &x[0], 32, false),
        oracle: |m, x| integer_oracle(x[0].to_unsigned(m, 32), 32),
        heavy: false,
    },
    FloatOp {
        name: "to_s64",
        arity: 1,
        circuit: |g, m, x| integer(g, m, &x[0], 64, true),
        oracle: |m, x| integer_oracle(x[0].to_signed(m, 64), 64),
        heavy: false,
    },
];

/// Compares one operation with its oracle on blocks of encodings; the mode is part of the input.
fn compare_float(
    op: &FloatOp,
    format: FloatFormat,
    blocks: impl Iterator<Item = Vec<Vec<BitVec>>>,
) {
    let width = format.width() as usize;
    let mut widths = vec![width; op.arity];
    widths.push(3);
    let (mut bench, words) = Bench::new(&widths);
    let operands: Vec<Unpacked> =
        words[..op.arity].iter().map(|w| Unpacked::from_bits(&mut bench.aig, format, w)).collect();
    let mode = Mode::numbered(&mut bench.aig, &words[op.arity]);
    let out = (op.circuit)(&mut bench.aig, &mode, &operands);
    for block in blocks {
        for (case, got) in block.iter().zip(bench.run(&out, &block)) {
            let number = case[op.arity].to_u64().unwrap_or(0).min(4) as usize;
            let values: Vec<Float> =
                case[..op.arity].iter().map(|b| Float::from_bits(format, b.clone())).collect();
            let want = (op.oracle)(RoundingMode::ALL[number], &values);
            assert_eq!(got, want, "{} {format} {} {values:?}", op.name, RoundingMode::ALL[number]);
        }
    }
}

#[test]
fn tiny_floats_exhaustively() {
    let formats = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 6), (5, 2), (4, 4)];
    for (eb, sb) in formats {
        let format = FloatFormat::ieee(eb, sb);
        let width = format.width() as usize;
        for op in FLOAT_OPS {
            let mut widths = vec![width; op.arity];
            widths.push(3);
            let limit = if slow() { 24 } else { 14 };
            if widths.iter().sum::<usize>() > limit {
                continue;
            }
            compare_float(op, format, all_cases(&widths));
        }
    }
}

/// Encodings that are often special: extreme exponents, few or many ones, near others.
fn random_encoding(rng: &mut Rng, format: FloatFormat) -> BitVec {
    let width = format.width();
    let random = |rng: &mut Rng, width: u32| {
        let limbs = (0..width.div_ceil(64)).map(|_| rng.bits()).collect();
        BitVec::from_limbs(width, limbs)
    };
    let stored = format.stored_significand_bits();
    let eb = format.exponent_bits();
    let exponent = match rng.below(6) {
        0 => BitVec::zero(eb),
        1 => BitVec::ones(eb),
        2 | 3 => {
            // Near one, so that digits of sums overlap.
            let bias = BitVec::from_u64(eb, format.bias() as u64);
            bias.add(&BitVec::from_i64(
                eb,
                rng.below(2 * stored as usize + 8) as i64 - i64::from(stored) - 4,
            ))
        }
        4 => BitVec::from_u64(eb, rng.below(4) as u64),
        _ => random(rng, eb),
    };
    let significand = match rng.below(5) {
        0 => BitVec::zero(stored),
        1 => BitVec::ones(stored).shl_by(rng.below(stored as usize) as u32),
        2 => BitVec::one(stored).shl_by(rng.below(stored as usize) as u32),
        _ => random(rng, stored),
    };
    let sign = BitVec::from_bool(rng.below(2) == 1);
    let bits = sign.concat(&exponent).concat(&significand);
    assert_eq!(bits.width(), width);
    bits
}

/// Blocks of random operands and modes, made as they are asked for.
fn random_blocks(
    rng: &mut Rng,
    op: &FloatOp,
    format: FloatFormat,
    n: usize,
) -> impl Iterator<Item = Vec<Vec<BitVec>>> {
    (0..n).map(move |block| {
        let case = |lane| {
            let mut case: Vec<BitVec> =
                (0..op.arity).map(|_| random_encoding(rng, format)).collect();
            if op.arity > 1 && rng.below(8) == 0 {
                let step = BitVec::from_i64(format.width(), rng.below(5) as i64 - 2);
                case[1] = case[0].add(&step);
            }
            // The modes take turns, so that each has its share.
            case.push(BitVec::from_u64(3, (block + lane) as u64 % 5));
            case
        };
        (0..BLOCK).map(case).collect()
    })
}

/// All operations on random numbers of a format: with `VERGO_SLOW=1` a million pairs for each one of
/// two operands and, if it rounds, for each mode. A remainder of the x87's numbers has a circuit of
/// millions of gates and gets a few blocks only.
fn at_random(format: FloatFormat, seed: u64) {
    const MILLION: usize = 1_000_000usize.div_ceil(BLOCK);
    let mut rng = Rng::new(seed);
    let rounds = |op: &FloatOp| ["add", "sub", "mul", "div"].contains(&op.name);
    for op in FLOAT_OPS {
        let is_huge = op.heavy && format.exponent_bits() > 8;
        let blocks = match op.arity {
            _ if !slow() && is_huge => continue,
            _ if !slow() => 1,
            _ if is_huge && format != FloatFormat::DOUBLE => 8,
            2 if rounds(op) => 5 * MILLION,
            2 => MILLION,
            _ => 400,
        };
        compare_float(op, format, random_blocks(&mut rng, op, format, blocks));
    }
}

#[test]
fn half_at_random() {
    at_random(FloatFormat::HALF, 5);
}

#[test]
fn bfloat_at_random() {
    at_random(FloatFormat::BFLOAT, 6);
}

#[test]
fn single_at_random() {
    at_random(FloatFormat::SINGLE, 7);
}

#[test]
fn double_at_random() {
    at_random(FloatFormat::DOUBLE, 8);
}

#[test]
fn x87_at_random() {
    at_random(FloatFormat::X87_EXTENDED, 9);
}

#[test]
fn half_precision_unary_exhaustively() {
    if !slow_or_skip("half_precision_unary_exhaustively") {
        return;
    }
    for op in FLOAT_OPS.iter().filter(|op| op.arity == 1) {
        compare_float(op, FloatFormat::HALF, all_cases(&[16, 3]));
    }
}

#[test]
fn integers_become_floats() {
    let mut rng = Rng::new(6);
    for format in [
        FloatFormat::ieee(2, 3),
        FloatFormat::ieee(3, 4),
        FloatFormat::HALF,
        FloatFormat::SINGLE,
        FloatFormat::DOUBLE,
    ] {
        for width in [1usize, 2, 3, 5, 8, 16, 33, 64] {
            for signed in [false, true] {
                let (mut bench, words) = Bench::new(&[width, 3]);
                let mode = Mode::numbered(&mut bench.aig, &words[1]);
                let value = if signed {
                    float_convert::from_signed(&mut bench.aig, &mode, &words[0], format)
                } else {
                    float_convert::from_unsigned(&mut bench.aig, &mode, &words[0], format)
                };
                let out = value.to_bits(&mut bench.aig);
                let blocks: Vec<Vec<Vec<BitVec>>> = if width <= 8 {
                    all_cases(&[width, 3]).collect()
                } else {
                    (0..4)
                        .map(|_| {
                            (0..64)
                                .map(|_| {
                                    let word = BitVec::from_limbs(width as u32, vec![rng.bits()]);
                                    let word = word.ashr_by(rng.below(width) as u32);
                                    vec![word, BitVec::from_u64(3, rng.below(5) as u64)]
                                })
                                .collect()
                        })
                        .collect()
                };
                for block in blocks {
                    for (case, got) in block.iter().zip(bench.run(&out, &block)) {
                        let mode = RoundingMode::ALL[case[1].to_u64().unwrap_or(0).min(4) as usize];
                        let want = if signed {
                            Float::from_signed(format, mode, &case[0])
                        } else {
                            Float::from_unsigned(format, mode, &case[0])
                        };
                        assert_eq!(got, want.into_bits(), "{format} {mode} {signed} {case:?}");
                    }
                }
            }
        }
    }
}

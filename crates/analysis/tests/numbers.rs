//! Abstract numbers by exhaustion: every operator and every contractor covers all results of concrete arithmetic, at widths
//! from 4 to 8, for both signednesses; how often the answer is the best one is printed.

#![allow(clippy::print_stdout, reason = "measurements of tests are shown when asked for")]

use vergo_analysis::congruence::Congruence;
use vergo_analysis::interval::{Interval, Word};
use vergo_analysis::number::Number;
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::{BinaryOp, UnaryOp};
use vergo_goto::fold::{self, Const};
use vergo_num::BitVec;
use vergo_testkit::Rng;

const BINARY: &[BinaryOp] = &[
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::AddOverflows,
    BinaryOp::SubOverflows,
    BinaryOp::MulOverflows,
    BinaryOp::ShlOverflows,
];
const UNARY: &[UnaryOp] = &[
    UnaryOp::Neg,
    UnaryOp::BitNot,
    UnaryOp::LeadingZeros,
    UnaryOp::TrailingZeros,
    UnaryOp::PopCount,
];
const COMPARISONS: &[BinaryOp] = &[BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le];

fn value(word: Word, constant: &Const) -> i128 {
    match constant {
        Const::Bool(truth) => (*truth).into(),
        Const::Int(_, bits) if word.signed => bits.to_i128().expect("it is small"),
        Const::Int(_, bits) => bits.to_u128().expect("it is small") as i128,
        Const::Float(_) => panic!("no floats here"),
    }
}

/// The results of an operation on all pairs of values, by their position from the least one.
struct Table {
    word: Word,
    result: Word,
    values: Vec<Vec<i128>>,
}

fn values(word: Word) -> Vec<i128> {
    (word.all().low..=word.all().high).collect()
}

fn constant(word: Word, value: i128) -> Const {
    Const::Int(word.signed, BitVec::from_i128(word.width, value))
}

fn table(op: BinaryOp, word: Word) -> Table {
    let result = if op.yields_bool() { Word::BOOL } else { word };
    let row = |x: i128| {
        let of = |y: i128| {
            let folded = fold::binary(op, &constant(word, x), &constant(word, y));
            value(result, &folded.expect("it folds"))
        };
        values(word).into_iter().map(of).collect()
    };
    Table { word, result, values: values(word).into_iter().map(row).collect() }
}

/// The numbers of a kind that are made of constants by joins and conversions: all intervals, by way of examples.
fn numbers<N: Number>(word: Word, rng: &mut Rng, limit: usize) -> Vec<N> {
    let all = values(word);
    let mut found: Vec<N> = vec![N::all(word)];
    for (i, &a) in all.iter().enumerate() {
        let mut sum = N::constant(word, a);
        found.push(sum);
        // Runs upward, also across the end.
        for k in 1..all.len() {
            sum = sum.join(word, N::constant(word, all[(i + k) % all.len()]));
            if !found.contains(&sum) {
                found.push(sum);
            }
        }
    }
    while found.len() > limit {
        let gone = 1 + rng.below(found.len() - 1);
        found.swap_remove(gone);
    }
    found
}

#[derive(Default)]
struct Precision {
    exact: usize,
    all: usize,
}

/// Shows that an answer covers concrete results, and counts whether no smaller one does.
fn check<N: Number>(
    what: &dyn Fn() -> String,
    word: Word,
    answer: Option<N>,
    results: &[i128],
    precision: &mut Precision,
) {
    let best = results.iter().map(|&r| N::constant(word, r)).reduce(|a, b| a.join(word, b));
    let size = |n: N| values(word).into_iter().filter(|&v| n.contains(word, v)).count();
    match answer {
        Some(answer) => {
            for &result in results {
                assert!(answer.contains(word, result), "{}: {answer} has not {result}", what());
            }
            precision.all += 1;
            precision.exact += usize::from(best.is_some_and(|best| size(answer) <= size(best)));
        }
        None => {
            assert!(results.is_empty(), "{}: {results:?} are possible", what());
            precision.all += 1;
            precision.exact += 1;
        }
    }
}

fn exhaust<N: Number>(name: &str) {
    let mut rng = Rng::new(7);
    for width in 4..=8 {
        let limit = if width == 4 { 90 } else { 24 };
        let (mut operators, mut contractors) = (Precision::default(), Precision::default());
        for signed in [false, true] {
            let word = Word { signed, width };
            let numbers: Vec<N> = numbers(word, &mut rng, limit);
            let members = |n: N| -> Vec<usize> {
                let all = values(word).into_iter().enumerate();
                all.filter(|&(_, v)| n.contains(word, v)).map(|(i, _)| i).collect()
            };
            let elements: Vec<Vec<usize>> = numbers.iter().map(|&n| members(n)).collect();
            for &n in &numbers {
                let hull = n.hull(word);
                assert!(members(n).iter().all(|&i| hull.contains(values(word)[i])), "{n}");
            }
            let all = values(word);
            for &op in UNARY {
                for (x, xs) in numbers.iter().zip(&elements) {
                    let results: Vec<i128> = xs
                        .iter()
                        .map(|&i| {
                            value(
                                word,
                                &fold::unary(op, &constant(word, all[i])).expect("it folds"),
                            )
                        })
                        .collect();
                    let what = || format!("{name} {op:?} {word:?} {x}");
                    check(&what, word, Some(N::unary(op, word, *x)), &results, &mut operators);
                }
            }
            for to_width in [4, 6, 8] {
                for to_signed in [false, true] {
                    let to = Word { signed: to_signed, width: to_width };
                    for (x, xs) in numbers.iter().zip(&elements) {
                        let wrap = |i: &usize| {
                            value(to, &Const::Int(to_signed, BitVec::from_i128(to_width, all[*i])))
                        };
                        let results: Vec<i128> = xs.iter().map(wrap).collect();
                        let what = || format!("{name} convert {word:?} {to:?} {x}");
                        check(&what, to, Some(x.convert(word, to)), &results, &mut operators);
                    }
                }
            }
            for &op in BINARY {
                let table = table(op, word);
                for (x, xs) in numbers.iter().zip(&elements) {
                    for (y, ys) in numbers.iter().zip(&elements) {
                        let what = || format!("{name} {op:?} {word:?} {x}, {y}");
                        let mut results: Vec<i128> = xs
                            .iter()
                            .flat_map(|&i| ys.iter().map(move |&j| (i, j)))
                            .map(|(i, j)| table.values[i][j])
                            .collect();
                        results.sort_unstable();
                        results.dedup();
                        let answer = N::binary(op, table.result, word, word, *x, *y);
                        check(&what, table.result, Some(answer), &results, &mut operators);
                        if COMPARISONS.contains(&op) {
                            for outcome in [false, true] {
                                contract(
                                    &table,
                                    name,
                                    op,
                                    outcome,
                                    (*x, xs),
                                    (*y, ys),
                                    &mut contractors,
                                );
                            }
                        } else if !op.yields_bool() {
                            let wanted = numbers[rng.below(numbers.len())];
                            undo(&table, name, op, wanted, (*x, xs), (*y, ys), &mut contractors);
                        }
                    }
                }
            }
            for (x, xs) in numbers.iter().zip(&elements) {
                for (y, ys) in numbers.iter().zip(&elements) {
                    let what = || format!("{name} join or meet {word:?} {x}, {y}");
                    let both: Vec<i128> = xs.iter().chain(ys).map(|&i| all[i]).collect();
                    let common: Vec<i128> =
                        xs.iter().filter(|i| ys.contains(i)).map(|&i| all[i]).collect();
                    check(&what, word, Some(x.join(word, *y)), &both, &mut operators);
                    check(
                        &what,
                        word,
                        Some(x.widen(word, *y, &[0, 3])),
                        &both,
                        &mut Precision::default(),
                    );
                    check(&what, word, x.meet(word, *y), &common, &mut contractors);
                }
            }
        }
        let share = |p: &Precision| 100.0 * p.exact as f64 / p.all as f64;
        println!(
            "{name}, width {width}: {:.1} % of {} results and {:.1} % of {} contractions are best",
            share(&operators),
            operators.all,
            share(&contractors),
            contractors.all
        );
    }
}

type Elements<'a, N> = (N, &'a [usize]);

/// Checks that the operands restricted to an outcome of a comparison keep every pair with that outcome.
fn contract<N: Number>(
    table: &Table,
    name: &str,
    op: BinaryOp,
    outcome: bool,
    (x, xs): Elements<'_, N>,
    (y, ys): Elements<'_, N>,
    precision: &mut Precision,
) {
    let holds = |i: usize, j: usize| (table.values[i][j] == 1) == outcome;
    let answer = N::compared(op, outcome, table.word, x, y);
    both_sides(
        &|| format!("{name} {op:?} is {outcome}, {:?} {x}, {y}", table.word),
        table.word,
        xs,
        ys,
        holds,
        answer,
        precision,
    );
}

/// Checks that the operands restricted to a result keep every pair with that result.
fn undo<N: Number>(
    table: &Table,
    name: &str,
    op: BinaryOp,
    wanted: N,
    (x, xs): Elements<'_, N>,
    (y, ys): Elements<'_, N>,
    precision: &mut Precision,
) {
    let holds = |i: usize, j: usize| wanted.contains(table.result, table.values[i][j]);
    let answer = N::backward(op, table.word, wanted, x, y);
    both_sides(
        &|| format!("{name} {op:?} gives {wanted}, {:?} {x}, {y}", table.word),
        table.word,
        xs,
        ys,
        holds,
        answer,
        precision,
    );
}

fn both_sides<N: Number>(
    what: &dyn Fn() -> String,
    word: Word,
    xs: &[usize],
    ys: &[usize],
    holds: impl Fn(usize, usize) -> bool,
    answer: Option<(N, N)>,
    precision: &mut Precision,
) {
    let all = values(word);
    let left: Vec<i128> =
        xs.iter().filter(|&&i| ys.iter().any(|&j| holds(i, j))).map(|&i| all[i]).collect();
    let right: Vec<i128> =
        ys.iter().filter(|&&j| xs.iter().any(|&i| holds(i, j))).map(|&j| all[j]).collect();
    check(what, word, answer.map(|pair| pair.0), &left, precision);
    check(what, word, answer.map(|pair| pair.1), &right, precision);
}

#[test]
fn intervals() {
    exhaust::<Interval>("intervals");
}

#[test]
fn wrapped_intervals() {
    exhaust::<Wrapped>("wrapped intervals");
}

#[test]
fn congruences() {
    exhaust::<Congruence>("congruences");
}

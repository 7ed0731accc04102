//! The possible contents of contracts: templates over parameters, static variables and results.
//!
//! **Requires.** Words that go in are compared with the constants of the program, with the limits of their types and with
//! each other.
//!
//! **Ensures.** What comes out is what executed calls ([`calls`](super::calls)) have in common: an equation with what went in, a
//! bound, an order. Functions are defined by cases, so each is also looked for among the calls with an argument that is
//! equal to a constant, or on one side of it, and is then said of these cases only. Equations are linear over
//! words, and over one of their remainders modulo two, powers of two, or products besides. What an equation says a function
//! computes is also required not to be negative: so additions that do not wrap around are known not to.
//!
//! All these are guesses; wrong ones are dropped.

use super::calls::{Calls, IntType, calls, inputs};
use super::implied::implies;
use crate::affine::null_space;
use std::collections::BTreeSet;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::Program;
use vergo_goto::types::Type;
use vergo_passes::contracts::{Contract, Formula, Frame, Recursion};
use vergo_smt::Budget;

/// Constants of a program that words are compared with.
const MAX_CONSTANTS: usize = 14;
/// Constants that cases are made of.
const MAX_CASES: usize = 7;
/// Distances from the limits of a type.
const NEAR_LIMITS: i128 = 2;
/// Words that are related with each other.
const MAX_WORDS: usize = 6;
/// Calls beyond the number of unknowns without which an equation means nothing.
const MORE_CALLS: usize = 2;
/// Calls without which a bound means nothing.
const MIN_CALLS: usize = 3;
/// The part of the time for executing calls.
const CALLS_SHARE: u32 = 20;

/// First contracts: too strong, mostly.
pub(super) fn contracts(recursion: &Recursion, budget: &Budget) -> Vec<Contract> {
    let constants = constants(&recursion.program);
    let of = |frame: &Frame| {
        let budget = budget.part(CALLS_SHARE);
        let calls = calls(recursion, frame, &constants, &budget);
        contract(frame, &calls, &constants)
    };
    recursion.frames.iter().map(of).collect()
}

/// Adds bounds that no constant of the program gives, case by case. Cases that do not arise by contracts that are known to
/// hold are left out.
pub(super) fn add_bounds(recursion: &Recursion, contracts: &mut [Contract], known: &[Contract]) {
    let constants = constants(&recursion.program);
    for ((frame, contract), known) in recursion.frames.iter().zip(contracts).zip(known) {
        let inputs = inputs(recursion, frame);
        contract.requires.extend(bounds_of_cases(&inputs, &constants, &known.requires));
    }
}

fn contract(frame: &Frame, calls: &Calls, constants: &[i128]) -> Contract {
    let (mut ensures, mut computed) = (Vec::new(), Vec::new());
    for column in 0..calls.outputs.len() {
        let output = Output { calls, column: calls.inputs.len() + column };
        output.ensures(constants, &mut ensures, &mut computed);
    }
    let mut requires = requires(calls, constants);
    requires.extend(computed.into_iter().map(|(word, ty)| {
        let word = at_call(word);
        binary(BinaryOp::Le, int(ty, 0), word)
    }));
    Contract { function: frame.function, requires: unique(requires), ensures: unique(ensures) }
}

/// The formulas, each once.
fn unique(formulas: Vec<Formula>) -> Vec<Formula> {
    let mut seen = BTreeSet::new();
    formulas.into_iter().filter(|formula| seen.insert(formula.clone())).collect()
}

/// The constants of a program: first those that something is compared with, which are the cases that it distinguishes;
/// and the least first.
fn constants(program: &Program) -> Vec<i128> {
    let value = |expr: ExprId| match (program.exprs.kind(expr), program.type_of(expr)) {
        (ExprKind::Int(value), Type::Int { signed: true, .. }) => value.to_i64().map(i128::from),
        (ExprKind::Int(value), Type::Int { signed: false, .. }) => value.to_u64().map(i128::from),
        _ => None,
    };
    let mut compared = BTreeSet::from([-1, 0, 1]);
    let mut constants = BTreeSet::new();
    let functions = program.functions.values().filter(|function| !function.library);
    for instr in functions.flat_map(|function| function.body.iter().flatten()) {
        instr.kind.for_each_expr(|expr, _| {
            program.for_each_subexpr(expr, |expr| {
                constants.extend(value(expr));
                if let ExprKind::Binary(op, left, right) = *program.exprs.kind(expr)
                    && matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le)
                {
                    compared.extend([left, right].into_iter().filter_map(value));
                }
            });
        });
    }
    let mut constants: Vec<i128> = constants.union(&compared).copied().collect();
    constants.sort_by_key(|value| (!compared.contains(value), value.abs(), *value));
    constants.truncate(MAX_CONSTANTS);
    constants
}

/// Proposes conditions on the inputs.
fn requires(calls: &Calls, constants: &[i128]) -> Vec<Formula> {
    let mut requires = Vec::new();
    for (i, (word, ty)) in calls.inputs.iter().take(MAX_WORDS).enumerate() {
        let word = at_call(word.clone());
        let (least, greatest) = limits(*ty);
        for &constant in constants.iter().filter(|&&c| fits(*ty, c)) {
            let constant = int(*ty, constant);
            requires.push(binary(BinaryOp::Le, constant.clone(), word.clone()));
            requires.push(binary(BinaryOp::Le, word.clone(), constant.clone()));
            requires.push(binary(BinaryOp::Ne, word.clone(), constant));
        }
        for distance in 1..=NEAR_LIMITS {
            let (low, high) = (int(*ty, least + distance), int(*ty, greatest - distance));
            requires.push(binary(BinaryOp::Le, low, word.clone()));
            requires.push(binary(BinaryOp::Le, word.clone(), high));
        }
        for (other, other_ty) in calls.inputs.iter().take(MAX_WORDS).skip(i + 1) {
            if other_ty == ty {
                let other = at_call(other.clone());
                requires.push(binary(BinaryOp::Le, word.clone(), other.clone()));
                requires.push(binary(BinaryOp::Le, other.clone(), word.clone()));
                requires.push(binary(BinaryOp::Lt, word.clone(), other.clone()));
                requires.push(binary(BinaryOp::Lt, other, word.clone()));
            }
        }
    }
    requires
}

/// Bounds of one word, by powers of four and constants, where a parameter is equal to a constant.
fn bounds_of_cases(
    inputs: &[(Formula, IntType)],
    constants: &[i128],
    known: &[Formula],
) -> Vec<Formula> {
    let mut requires = Vec::new();
    for (word, ty) in inputs.iter().take(MAX_WORDS) {
        let powers = (0..ty.1).step_by(2).map(|exponent| 1 << exponent);
        let bounds: BTreeSet<i128> = powers.chain(constants.iter().copied()).collect();
        let params = inputs.iter().filter(|(other, _)| matches!(other, Formula::Param(_)));
        for (other, other_ty) in params.take(MAX_WORDS).filter(|(other, _)| other != word) {
            let fitting = constants.iter().copied().filter(|&c| fits(*other_ty, c));
            for constant in fitting.take(MAX_CASES) {
                let (other, number) = (at_call(other.clone()), int(*other_ty, constant));
                let never = binary(BinaryOp::Ne, other.clone(), number.clone());
                if known.iter().any(|known| implies(known, &never)) {
                    continue;
                }
                let case = binary(BinaryOp::Eq, other, number);
                for &bound in bounds.iter().filter(|&&bound| fits(*ty, bound)) {
                    let bounded = binary(BinaryOp::Le, at_call(word.clone()), int(*ty, bound));
                    requires.push(binary(BinaryOp::Implies, case.clone(), bounded));
                }
            }
        }
    }
    requires
}

/// A word as contracts say it where a function is called.
fn at_call(word: Formula) -> Formula {
    match word {
        Formula::Old(symbol) => Formula::Static(symbol),
        Formula::Binary(op, left, right) => Formula::binary(op, at_call(*left), at_call(*right)),
        other => other,
    }
}

/// Some calls: all, or those with an argument like this.
struct Case<'a> {
    condition: Option<Formula>,
    rows: Vec<&'a Vec<i128>>,
}

impl Case<'_> {
    /// A formula, for this case.
    fn says(&self, formula: Formula) -> Formula {
        match &self.condition {
            Some(condition) => binary(BinaryOp::Implies, condition.clone(), formula),
            None => formula,
        }
    }
}

/// A word that comes out.
struct Output<'a> {
    calls: &'a Calls,
    column: usize,
}

impl Output<'_> {
    fn word(&self) -> &(Formula, IntType) {
        &self.calls.outputs[self.column - self.calls.inputs.len()]
    }

    /// Proposes conditions on an output, and the words that it may be equal to.
    fn ensures(
        &self,
        constants: &[i128],
        ensures: &mut Vec<Formula>,
        computed: &mut Vec<(Formula, IntType)>,
    ) {
        let whole = Case { condition: None, rows: self.calls.rows.iter().collect() };
        let found = self.equations(&whole, ensures, computed);
        self.bounds(&whole, constants, ensures);
        if found {
            return;
        }
        for case in self.cases(constants) {
            // Of a case that is fully known there is no more to say.
            if !self.equations(&case, ensures, computed) {
                self.bounds(&case, constants, ensures);
            }
        }
    }

    /// The case that no argument is below a number, where there are several: functions such as the greatest common divisor
    /// are meant for those.
    fn case_from(&self, least: i128) -> Option<Case<'_>> {
        let inputs = || self.calls.inputs.iter().take(MAX_WORDS);
        if inputs().count() < 2 || !inputs().all(|(_, ty)| fits(*ty, least)) {
            return None;
        }
        let bounds = inputs().map(|(word, ty)| binary(BinaryOp::Le, int(*ty, least), word.clone()));
        let condition = bounds.reduce(|all, bound| binary(BinaryOp::And, all, bound));
        let n = inputs().count();
        let is_from = |row: &&Vec<i128>| row[..n].iter().all(|&x| x >= least);
        Some(Case { condition, rows: self.calls.rows.iter().filter(is_from).collect() })
    }

    /// The cases that one argument makes, and those that all of them make together.
    fn cases(&self, constants: &[i128]) -> Vec<Case<'_>> {
        let mut cases: Vec<Case<'_>> = [0, 1].iter().filter_map(|&least| self.case_from(least)).collect();
        for (i, (word, ty)) in self.calls.inputs.iter().take(MAX_WORDS).enumerate() {
            let fitting = constants.iter().copied().filter(|&c| fits(*ty, c));
            for constant in fitting.take(MAX_CASES) {
                let number = int(*ty, constant);
                let mut add = |condition: Formula, holds: &dyn Fn(i128) -> bool| {
                    let rows = self.calls.rows.iter().filter(|row| holds(row[i])).collect();
                    cases.push(Case { condition: Some(condition), rows });
                };
                let (word, number) = (word.clone(), number.clone());
                add(binary(BinaryOp::Eq, word.clone(), number.clone()), &|x| x == constant);
                add(binary(BinaryOp::Le, word.clone(), number.clone()), &|x| x <= constant);
                add(binary(BinaryOp::Le, number.clone(), word.clone()), &|x| x >= constant);
                add(binary(BinaryOp::Lt, number.clone(), word.clone()), &|x| x > constant);
                add(binary(BinaryOp::Lt, word, number), &|x| x < constant);
            }
        }
        cases
    }

    /// Bounds by constants of the program, and the order with words that go in.
    fn bounds(&self, case: &Case<'_>, constants: &[i128], ensures: &mut Vec<Formula>) {
        let values = || case.rows.iter().map(|row| row[self.column]);
        let (Some(min), Some(max)) = (values().min(), values().max()) else { return };
        if case.rows.len() < MIN_CALLS && case.condition.is_some() {
            return;
        }
        let (word, ty) = self.word();
        let fitting = || constants.iter().copied().filter(|&c| fits(*ty, c));
        // The closest constant may be too close, so there are two; of cases there are many.
        let n_constants = if case.condition.is_some() { 1 } else { 2 };
        let mut below: Vec<i128> = fitting().filter(|&c| c <= min).collect();
        below.sort_unstable_by(|a, b| b.cmp(a));
        for &constant in below.iter().take(n_constants) {
            ensures.push(case.says(binary(BinaryOp::Le, int(*ty, constant), word.clone())));
        }
        let mut above: Vec<i128> = fitting().filter(|&c| c >= max).collect();
        above.sort_unstable();
        for &constant in above.iter().take(n_constants) {
            ensures.push(case.says(binary(BinaryOp::Le, word.clone(), int(*ty, constant))));
        }
        for (i, (input, input_ty)) in self.calls.inputs.iter().take(MAX_WORDS).enumerate() {
            if input_ty != ty {
                continue;
            }
            let all = |holds: fn(i128, i128) -> bool| {
                case.rows.iter().all(|row| holds(row[i], row[self.column]))
            };
            let (input, word) = (input.clone(), word.clone());
            let order = if all(|x, y| x < y) {
                binary(BinaryOp::Lt, input, word)
            } else if all(|x, y| x <= y) {
                binary(BinaryOp::Le, input, word)
            } else if all(|x, y| x > y) {
                binary(BinaryOp::Lt, word, input)
            } else if all(|x, y| x >= y) {
                binary(BinaryOp::Le, word, input)
            } else {
                continue;
            };
            ensures.push(case.says(order));
        }
    }

    /// Equations with what goes in; whether there are some.
    fn equations(
        &self,
        case: &Case<'_>,
        ensures: &mut Vec<Formula>,
        computed: &mut Vec<(Formula, IntType)>,
    ) -> bool {
        let (word, ty) = self.word();
        for kind in [Terms::Constant, Terms::Words, Terms::Parities, Terms::Powers, Terms::Products] {
            let mut terms = self.terms(kind, &case.rows);
            // What is the same in all calls of the case says nothing.
            terms.retain(|term| {
                let first = case.rows.first().map(|row| term.value(row));
                matches!(term, Term::One) || case.rows.iter().any(|row| Some(term.value(row)) != first)
            });
            let n_terms = terms.len();
            if case.rows.len() < n_terms + MORE_CALLS {
                continue;
            }
            let row = |row: &&Vec<i128>| {
                let mut values: Vec<i128> = terms.iter().map(|term| term.value(row)).collect();
                values.push(row[self.column]);
                values
            };
            // The result is last, so that an equation says what it is in terms of the others.
            let solutions = null_space(case.rows.iter().map(row).collect());
            let Some(solution) = solutions.iter().find(|solution| solution[n_terms] != 0) else {
                continue;
            };
            let sign = -solution[n_terms].signum();
            let mut sum: Option<Formula> = None;
            for (term, &factor) in terms.iter().zip(solution) {
                sum = term.added_to(sum, i128::from(factor * sign), *ty, &self.calls.inputs);
            }
            let sum = sum.unwrap_or(int(*ty, 0));
            let multiple = match solution[n_terms].unsigned_abs() {
                1 => {
                    if kind != Terms::Constant {
                        computed.push((sum.clone(), *ty));
                    }
                    word.clone()
                }
                n => binary(BinaryOp::Mul, word.clone(), int(*ty, n.into())),
            };
            ensures.push(case.says(binary(BinaryOp::Eq, multiple, sum)));
            return true;
        }
        false
    }

    /// The terms that an equation may have.
    fn terms(&self, kind: Terms, rows: &[&Vec<i128>]) -> Vec<Term> {
        let mut terms = vec![Term::One];
        let (_, ty) = self.word();
        let inputs = self.calls.inputs.iter().take(MAX_WORDS).enumerate();
        let words = inputs.filter(|(_, (_, input_ty))| input_ty == ty).map(|(i, _)| i);
        let words: Vec<usize> = words.collect();
        if kind != Terms::Constant {
            terms.extend(words.iter().map(|&i| Term::Word(i)));
        }
        match kind {
            Terms::Constant | Terms::Words => {}
            Terms::Parities => terms.extend(words.iter().map(|&i| Term::Parity(i))),
            Terms::Powers => {
                let fits = |&&i: &&usize| rows.iter().all(|row| (0..i128::from(ty.1)).contains(&row[i]));
                terms.extend(words.iter().filter(fits).map(|&i| Term::Power(i)));
            }
            Terms::Products => {
                for (n, &i) in words.iter().enumerate() {
                    terms.extend(words[n..].iter().map(|&j| Term::Product(i, j)));
                }
            }
        }
        terms
    }
}

/// The terms of an equation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Terms {
    Constant,
    Words,
    Parities,
    Powers,
    Products,
}

/// A term of an equation, over the words that go in.
enum Term {
    One,
    Word(usize),
    Parity(usize),
    Power(usize),
    Product(usize, usize),
}

impl Term {
    fn value(&self, row: &[i128]) -> i128 {
        match *self {
            Term::One => 1,
            Term::Word(i) => row[i],
            Term::Parity(i) => row[i] % 2,
            Term::Power(i) => 1 << row[i].clamp(0, 64),
            Term::Product(i, j) => row[i] * row[j],
        }
    }

    /// A sum with a multiple of the term.
    fn added_to(
        &self,
        sum: Option<Formula>,
        factor: i128,
        ty: IntType,
        inputs: &[(Formula, IntType)],
    ) -> Option<Formula> {
        if factor == 0 {
            return sum;
        }
        let word = |i: usize| inputs[i].0.clone();
        let term = match *self {
            Term::One => int(ty, factor.abs()),
            Term::Power(i) => binary(BinaryOp::Shl, int(ty, factor.abs()), word(i)),
            Term::Word(_) | Term::Parity(_) | Term::Product(..) => {
                let term = match *self {
                    Term::Parity(i) => binary(BinaryOp::Rem, word(i), int(ty, 2)),
                    Term::Product(i, j) => binary(BinaryOp::Mul, word(i), word(j)),
                    Term::Word(i) | Term::Power(i) => word(i),
                    Term::One => int(ty, 1),
                };
                match factor.abs() {
                    1 => term,
                    n => binary(BinaryOp::Mul, int(ty, n), term),
                }
            }
        };
        Some(match sum {
            Some(sum) if factor < 0 => binary(BinaryOp::Sub, sum, term),
            Some(sum) => binary(BinaryOp::Add, sum, term),
            None if factor < 0 => binary(BinaryOp::Sub, int(ty, 0), term),
            None => term,
        })
    }
}

fn binary(op: BinaryOp, left: Formula, right: Formula) -> Formula {
    Formula::binary(op, left, right)
}

/// The least and greatest number of a type.
fn limits((signed, width): IntType) -> (i128, i128) {
    match signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    }
}

/// Checks whether a number is in a type, and not a limit of it, by which nothing is bounded; zero is of interest in any case.
fn fits(ty: IntType, number: i128) -> bool {
    let (least, greatest) = limits(ty);
    number == 0 || least < number && number < greatest
}

fn int((signed, width): IntType, value: i128) -> Formula {
    Formula::Int(signed, width, value)
}


#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::program::FunctionId;

    /// Returns the guesses about a function of one signed word.
    fn ensures(function: fn(i128) -> i128) -> Vec<Formula> {
        let int_type = (true, 32);
        let calls = Calls {
            inputs: vec![(Formula::Param(0), int_type)],
            outputs: vec![(Formula::Result, int_type)],
            rows: (-3..=9).map(|n| vec![n, function(n)]).collect(),
        };
        let (sees, changes) = (BTreeSet::new(), BTreeSet::new());
        let frame = Frame { function: FunctionId::from_u32(0), sees, changes };
        contract(&frame, &calls, &[0, 1, -1]).ensures
    }

    #[test]
    fn equations_are_guessed_of_all_calls_and_of_cases() {
        let ty = (true, 32);
        let n = || Formula::Param(0);
        let is = |word: Formula| binary(BinaryOp::Eq, Formula::Result, word);
        let double = binary(BinaryOp::Mul, int(ty, 2), n());
        let linear = is(binary(BinaryOp::Add, int(ty, 3), double));
        assert!(ensures(|n| 2 * n + 3).contains(&linear));
        let square = is(binary(BinaryOp::Mul, n(), n()));
        assert!(ensures(|n| n * n).contains(&square));
        let case = binary(BinaryOp::Le, int(ty, 0), n());
        let power = is(binary(BinaryOp::Shl, int(ty, 4), n()));
        let found = ensures(|n| if n < 0 { 7 } else { 4 << n });
        assert!(found.contains(&binary(BinaryOp::Implies, case, power)), "{found:?}");
        let case = binary(BinaryOp::Le, n(), int(ty, -1));
        assert!(found.contains(&binary(BinaryOp::Implies, case, is(int(ty, 7)))), "{found:?}");
        let parity = is(binary(BinaryOp::Rem, n(), int(ty, 2)));
        assert!(ensures(|n| n % 2).contains(&parity));
    }
}

//! Every rewrite rule is proved by exhaustion on its examples.
//!
//! An example is built with rewriting (the rule must fire for some values of its constants) and
//! without; the two and the stated result must agree under all values of all variables.

use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_term::smtlib::{Symbols, parse_term};
use vergo_term::{
    ArrayValue, Assignment, Rewriting, Rule, RuleExample, Sort, TermId, TermStore, Value,
};

/// The letters that are variables.
const VARIABLES: &str = "xyzuvbswpqranijfghm";
/// The letters that are constants, with their widths.
const CONSTANTS: [(char, u32); 4] = [('c', 3), ('d', 3), ('k', 2), ('l', 2)];

fn sort_of(store: &mut TermStore, letter: char) -> Sort {
    match letter {
        'x' | 'y' | 'z' => Sort::BitVec(3),
        'u' | 'v' | 'i' | 'j' => Sort::BitVec(2),
        'b' | 's' => Sort::BitVec(1),
        'w' => Sort::BitVec(5),
        'p' | 'q' | 'r' => Sort::Bool,
        'a' | 'n' => store.array_sort(Sort::BitVec(2), Sort::BitVec(1)),
        'f' | 'g' | 'h' => Sort::Float(FloatFormat::ieee(2, 3)),
        'm' => Sort::RoundingMode,
        _ => panic!("no such letter"),
    }
}

/// All values of a small sort.
fn all_values(sort: Sort) -> Vec<Value> {
    let words = |width: u32| (0..1u64 << width).map(move |v| BitVec::from_u64(width, v));
    match sort {
        Sort::Bool => vec![false.into(), true.into()],
        Sort::BitVec(width) => words(width).map(Value::from).collect(),
        Sort::Float(format) => {
            words(format.width()).map(|bits| Float::from_bits(format, bits).into()).collect()
        }
        Sort::RoundingMode => RoundingMode::ALL.into_iter().map(Value::from).collect(),
        Sort::Array(_) => words(4)
            .map(|elements| {
                let mut array = ArrayValue::constant(BitVec::zero(1).into(), Some(4));
                for (i, index) in words(2).enumerate() {
                    let element = BitVec::from_bool(elements.bit(i as u32));
                    array.store(&index.into(), element.into());
                }
                array.into()
            })
            .collect(),
    }
}

/// A store with the variables, made in the order given, and the constants.
fn prepare(
    rewriting: Rewriting,
    order: &str,
    constants: &[(char, BitVec)],
) -> (TermStore, Symbols) {
    let mut store = TermStore::with_rewriting(rewriting);
    let mut symbols = Symbols::new();
    for letter in order.chars() {
        let sort = sort_of(&mut store, letter);
        let var = store.var(&letter.to_string(), sort);
        symbols.define(&letter.to_string(), var);
    }
    for (letter, value) in constants {
        let term = store.bv_const(value.clone());
        symbols.define(&letter.to_string(), term);
    }
    (store, symbols)
}

fn read(store: &mut TermStore, symbols: &mut Symbols, text: &str) -> TermId {
    parse_term(store, text, symbols).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns whether a letter occurs as a whole word.
fn occurs(text: &str, letter: char) -> bool {
    text.split(|c: char| c.is_whitespace() || "()".contains(c))
        .any(|word| word == letter.to_string())
}

/// Proves one example for all constants; whether the rule fired.
fn prove(rule: Rule, example: RuleExample) -> bool {
    let mut fired = false;
    let uses = |letter: char| occurs(example.pattern, letter) || occurs(example.result, letter);
    let constants: Vec<(char, u32)> = CONSTANTS.into_iter().filter(|c| uses(c.0)).collect();
    let letters: String = VARIABLES.chars().filter(|&letter| uses(letter)).collect();
    let n_bits: u32 = constants.iter().map(|c| c.1).sum();
    // Symmetric operators order their arguments by age, so try both orders of making variables.
    let reversed: String = letters.chars().rev().collect();
    for number in 0..1u64 << n_bits {
        let mut rest = BitVec::from_u64(16, number);
        let values: Vec<(char, BitVec)> = constants
            .iter()
            .map(|&(letter, width)| {
                let value = rest.truncate(width);
                rest = rest.lshr_by(width);
                (letter, value)
            })
            .collect();
        let (mut raw, mut symbols) = prepare(Rewriting::Off, &letters, &values);
        let pattern = read(&mut raw, &mut symbols, example.pattern);
        let result = read(&mut raw, &mut symbols, example.result);
        for order in [&letters, &reversed] {
            let (mut store, mut symbols) = prepare(Rewriting::On, order, &values);
            let simplified = read(&mut store, &mut symbols, example.pattern);
            fired |= store.rule_count(rule) > 0;
            agree(rule, example, &letters, (&raw, pattern, result), (&store, simplified));
        }
    }
    fired
}

/// Compares the three terms under all values of the variables.
fn agree(
    rule: Rule,
    example: RuleExample,
    letters: &str,
    (raw, pattern, result): (&TermStore, TermId, TermId),
    (store, simplified): (&TermStore, TermId),
) {
    let domains: Vec<Vec<Value>> = letters
        .chars()
        .map(|letter| {
            let (_, var) =
                raw.vars().find(|(_, v)| v.name == letter.to_string()).expect("declared");
            all_values(var.sort)
        })
        .collect();
    let var_in = |store: &TermStore, letter: char| {
        store.vars().find(|(_, v)| v.name == letter.to_string()).expect("declared").0
    };
    let total: usize = domains.iter().map(Vec::len).product();
    for number in 0..total {
        let (mut left, mut right) = (Assignment::new(), Assignment::new());
        let mut rest = number;
        for (letter, domain) in letters.chars().zip(&domains) {
            let value = &domain[rest % domain.len()];
            rest /= domain.len();
            left.set(var_in(raw, letter), value.clone());
            right.set(var_in(store, letter), value.clone());
        }
        let expected = raw.eval(pattern, &left);
        let name = rule.name();
        assert_eq!(
            raw.eval(result, &left),
            expected,
            "{name}: {example:?} states it wrong: {left:?}"
        );
        assert_eq!(store.eval(simplified, &right), expected, "{name}: {example:?} under {right:?}");
    }
}

#[test]
fn every_rule_fires_and_is_right() {
    let mut silent = Vec::new();
    for &rule in Rule::ALL {
        for &example in rule.examples() {
            if !prove(rule, example) {
                silent.push((rule.name(), example.pattern));
            }
        }
    }
    assert!(silent.is_empty(), "these do not fire: {silent:#?}");
}

#[test]
fn rule_names_are_different() {
    let mut names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Rule::ALL.len());
}

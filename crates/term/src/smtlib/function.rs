//! Uninterpreted functions: arrays whose index is all arguments side by side.
//!
//! A function of one argument is an array with that index.  Several arguments are packed into a word,
//! the first one at the top, each by its encoding; equal tuples have equal words and
//! the other way round, so that the axiom of functions is the axiom of arrays.

use super::MAX_WIDTH;
use super::operators::mode_word;
use super::writer::{print_sort, print_symbol, print_value};
use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::value::ArrayValue;
use std::fmt::Write;
use vergo_num::{BitVec, RoundingMode};

/// The width of a sort's encoding; none for arrays.
fn width(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(width),
        Sort::Float(format) => Some(format.width()),
        Sort::RoundingMode => Some(3),
        Sort::Array(_) => None,
    }
}

/// The sort of the packed arguments; none if a parameter is an array or they are too wide.
fn index_sort(parameters: &[Sort]) -> Option<Sort> {
    let mut total = 0u32;
    for &parameter in parameters {
        total = total.checked_add(width(parameter)?).filter(|&sum| sum <= MAX_WIDTH)?;
    }
    match parameters {
        [only] => Some(*only),
        _ => Some(Sort::BitVec(total)),
    }
}

/// The array that stands for a function; none if a parameter cannot be an index.
pub(super) fn declare(
    store: &mut TermStore,
    name: &str,
    parameters: &[Sort],
    result: Sort,
) -> Option<TermId> {
    let index = index_sort(parameters)?;
    Some(store.function(name, parameters, index, result))
}

/// The result of a declared function.
pub(super) fn call(store: &mut TermStore, function: TermId, arguments: &[TermId]) -> TermId {
    let index = match arguments {
        &[only] => only,
        _ => {
            let words: Vec<TermId> = arguments.iter().map(|&arg| encode(store, arg)).collect();
            let packed = words.into_iter().reduce(|high, low| store.bv_concat(high, low));
            packed.expect("a function has arguments")
        }
    };
    store.select(function, index)
}

fn encode(store: &mut TermStore, term: TermId) -> TermId {
    match store.sort(term) {
        Sort::Bool => store.bool_to_bv(term),
        Sort::Float(format) => store.fp_to_bits(format, term),
        Sort::RoundingMode => mode_word(store, term),
        Sort::BitVec(_) | Sort::Array(_) => term,
    }
}

/// The function and its parameters if a term is the result of one.
pub(super) fn called(store: &TermStore, term: TermId) -> Option<(&str, &[Sort])> {
    if store.op(term) != Op::Select {
        return None;
    }
    let info = store.var_info(store.as_var(store.arg(term, 0))?);
    (!info.parameters.is_empty()).then_some((info.name.as_str(), &info.parameters[..]))
}

/// The position of each parameter's lowest bit in the packed word.
fn places(parameters: &[Sort]) -> Vec<(Sort, u32)> {
    let mut low = 0;
    let mut places = Vec::new();
    for &parameter in parameters.iter().rev() {
        places.push((parameter, low));
        low += width(parameter).unwrap_or(0);
    }
    places.reverse();
    places
}

/// The arguments as terms over the text of their packed word.
pub(super) fn print_arguments(parameters: &[Sort], packed: &str) -> String {
    let mut out = String::new();
    for (sort, low) in places(parameters) {
        let high = low + width(sort).unwrap_or(1) - 1;
        let slice = format!("((_ extract {high} {low}) {packed})");
        let _ = match sort {
            Sort::Bool => write!(out, " (= {slice} #b1)"),
            Sort::Float(format) => {
                let (eb, sb) = (format.exponent_bits(), format.significand_bits());
                write!(out, " ((_ to_fp {eb} {sb}) {slice})")
            }
            Sort::RoundingMode => {
                let [modes @ .., last] = RoundingMode::ALL;
                for (number, mode) in modes.iter().enumerate() {
                    let _ = write!(out, " (ite (= {slice} #b{number:03b}) {mode}");
                }
                write!(out, " {last}{}", ")".repeat(modes.len()))
            }
            Sort::BitVec(_) | Sort::Array(_) => write!(out, " {slice}"),
        };
    }
    out
}

/// The definition of a function with the given table.
pub fn print_function(
    store: &TermStore,
    name: &str,
    parameters: &[Sort],
    result: Sort,
    table: &ArrayValue,
) -> String {
    let places = places(parameters);
    let mut out = format!("(define-fun {} (", print_symbol(name));
    for (i, &parameter) in parameters.iter().enumerate() {
        let separator = if i == 0 { "" } else { " " };
        let _ = write!(out, "{separator}(x!{i} {})", print_sort(store, parameter));
    }
    let _ = write!(out, ") {} ", print_sort(store, result));
    let mut n_open = 0;
    for (index, element) in table.entries() {
        let Some(arguments) = unpack(store, &places, index) else { continue };
        let tests: Vec<String> = arguments
            .iter()
            .enumerate()
            .map(|(i, argument)| format!("(= x!{i} {argument})"))
            .collect();
        let test = match &tests[..] {
            [only] => only.clone(),
            _ => format!("(and {})", tests.join(" ")),
        };
        let _ = write!(out, "(ite {test} {} ", print_value(store, result, element));
        n_open += 1;
    }
    out.push_str(&print_value(store, result, table.default_element()));
    out.push_str(&")".repeat(n_open + 1));
    out
}

/// The printed arguments of a packed word; none if it is no tuple's.
fn unpack(store: &TermStore, places: &[(Sort, u32)], index: &BitVec) -> Option<Vec<String>> {
    let mut arguments = Vec::new();
    for &(sort, low) in places {
        let bits = index.extract(low + width(sort)? - 1, low);
        let value = store.index_value(sort, &bits);
        if value.index_bits() != bits {
            return None;
        }
        arguments.push(print_value(store, sort, &value));
    }
    Some(arguments)
}

//! The arguments of `main` that a counterexample chooses, and the inputs that the program itself asks for.

use std::collections::BTreeMap;

use vergo_evidence::harness::{Arguments, Unwritten};
use vergo_evidence::{Counterexample, Input};
use vergo_goto::program::{StaticInit, Symbol, SymbolId, SymbolKind};
use vergo_interp::{Birth, InputValue};

use super::report::CheckReport;

/// The function that calls `main`.
pub(super) const START: &str = "__vergo_start";
/// The function that makes an argument of `main` when it is looked at.
pub(super) const ARGUMENT: &str = "__vergo_argument";
/// The prefix of names of functions and objects that no program has.
const INTERNAL: &str = "__vergo_";

impl CheckReport {
    /// Returns whether the program begins in its `main`, whose arguments are no inputs that it asks for.
    fn begins_in_main(&self) -> bool {
        self.entry == "main"
    }

    /// The inputs that the program asks for: without the choice of the arguments of `main`.
    pub(super) fn own_inputs<'a>(&self, found: &'a Counterexample) -> Vec<&'a Input> {
        let mut unknown = self.unknown_statics();
        let is_own = |input: &&Input| match input.function.as_str() {
            "" => unknown.next().is_none_or(|(_, symbol)| !symbol.name.starts_with(INTERNAL)),
            START => !self.begins_in_main(),
            function => !function.starts_with(INTERNAL),
        };
        found.inputs().iter().filter(is_own).collect()
    }

    /// The arguments of `main` in a line, if the execution chooses any: `argc = 2, argv[1] = "-n"`.
    pub(super) fn arguments_line(&self, found: &Counterexample) -> Option<String> {
        if !self.begins_in_main() {
            return None;
        }
        const SHOWN: usize = 8;
        const LONGEST: usize = 40;
        let of_start: Vec<&Input> =
            found.inputs().iter().filter(|input| input.function == START).collect();
        let Arguments { count, strings } =
            self.arguments_looked_at(found, Unwritten::Zero).or_else(|| arguments(&of_start))?;
        let names = self.parameters();
        let name = |i: usize, other: &'static str| {
            names.get(i).filter(|name| !name.is_empty()).map_or(other, |name| *name)
        };
        let (argc, argv) = (name(0, "argc"), name(1, "argv"));
        let mut line = format!("{argc} = {count}");
        let texts = strings.iter().take(usize::try_from(count).unwrap_or(usize::MAX)).enumerate();
        let texts =
            texts.map(|(i, text)| (i, text.split(|&byte| byte == 0).next().unwrap_or(text)));
        for (i, text) in texts.filter(|(_, text)| !text.is_empty()).take(SHOWN) {
            let shown = text[..text.len().min(LONGEST)].escape_ascii();
            let more = if text.len() > LONGEST { "..." } else { "" };
            line.push_str(&format!(", {argv}[{i}] = \"{shown}{more}\""));
        }
        Some(line)
    }

    /// The names of the parameters of the function in which the program begins.
    pub(super) fn parameters(&self) -> Vec<&str> {
        let mut functions = self.program.functions.values();
        let entry = functions.find(|function| !function.library && function.display == self.entry);
        let params = entry.map(|function| &function.params[..]).unwrap_or_default();
        params.iter().map(|param| self.program.symbols[*param].display.as_str()).collect()
    }

    /// Variables of whose first values nothing is known. They are chosen before the first function is called, in this order.
    fn unknown_statics(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.program.symbols.iter().filter(|(_, symbol)| {
            matches!(symbol.kind, SymbolKind::Static { init: StaticInit::Nondet, .. })
        })
    }

    /// The arguments of `main` that are made when it looks at them: of each its index and length are chosen, and what its
    /// storage holds, at whose end it lies.
    pub(super) fn arguments_looked_at(
        &self,
        found: &Counterexample,
        unwritten: Unwritten,
    ) -> Option<Arguments> {
        let chosen = |name: &str| -> Vec<u64> {
            let inputs = found.inputs().iter().filter(|input| input.function == name);
            inputs.filter_map(number).collect()
        };
        let count = *chosen("__vergo_argument_count").first()?;
        let first = found.inputs().iter().take_while(|input| input.function.is_empty());
        let contents: BTreeMap<SymbolId, &InputValue> =
            self.unknown_statics().map(|(id, _)| id).zip(first.map(|input| &input.value)).collect();
        let mut strings: Vec<Vec<u8>> = Vec::new();
        let mut storages = 6..;
        for pair in chosen("__vergo_made_argument").chunks_exact(2) {
            let (index, length) = (usize::try_from(pair[0]).ok()?, usize::try_from(pair[1]).ok()?);
            // The first six have their own storage, others get what is left.
            let storage = if index < 6 { index } else { storages.next()? };
            let name = format!("__vergo_argument_{storage}");
            let (symbol, info) = self.program.symbols.iter().find(|(_, s)| s.name == name)?;
            let last = usize::try_from(self.program.size_of(info.ty)?).ok()?.checked_sub(1)?;
            let start = last.checked_sub(length)?;
            let held = found.choices().memory.get(&(Birth::Static(symbol), 0));
            let mut text = match contents.get(&symbol) {
                Some(InputValue::Bytes(bytes)) => bytes.get(start..last)?.to_vec(),
                _ => vec![if held.is_some() { 0 } else { unwritten.byte() }; length],
            };
            for &(at, byte) in held.into_iter().flatten() {
                if let Some(place) = (at as usize).checked_sub(start).and_then(|i| text.get_mut(i))
                {
                    *place = byte;
                }
            }
            text.push(0);
            if strings.len() <= index {
                strings.resize(index + 1, vec![0]);
            }
            strings[index] = text;
        }
        Some(Arguments { count, strings })
    }
}

/// The arguments of `main`, from the choices of the function that calls it: their number alone, or that and for each
/// the length and the characters.
pub(super) fn arguments(choices: &[&Input]) -> Option<Arguments> {
    let mut values = choices.iter().filter_map(|input| number(input));
    let count = values.next()?;
    let mut strings = Vec::new();
    while let Some(length) = values.next() {
        let mut string: Vec<u8> =
            values.by_ref().take(usize::try_from(length).ok()?).map(|c| c as u8).collect();
        if let Some(last) = string.last_mut() {
            *last = 0;
        }
        strings.push(string);
    }
    Some(Arguments { count, strings })
}

fn number(input: &Input) -> Option<u64> {
    match &input.value {
        InputValue::Int(bits) => bits.to_u64(),
        _ => None,
    }
}

//! Any bytes give a formula or a diagnostic with a position: no panic, no stack overflow, no hang. A formula has an
//! automaton, or is said to be too large.

#![no_main]

use libfuzzer_sys::fuzz_target;
use vergo_automata::ltl::{Part, encode, parse};
use vergo_source::{Diagnostics, SourceMap};

fuzz_target!(|data: &[u8]| {
    let mut map = SourceMap::new();
    let Ok(file) = map.add("input.ltl", data) else { return };
    let mut diagnostics = Diagnostics::new();
    let Some(formula) = parse(&map, file, &[], &mut diagnostics) else {
        let all = map.file_span(file);
        assert!(diagnostics.has_errors());
        for diagnostic in &diagnostics {
            assert!(all.contains(diagnostic.primary), "{diagnostic:?}");
        }
        return;
    };
    if let Ok(Some(automaton)) = encode(&formula, Part::Whole) {
        assert!(vergo_automata::check(&automaton, &mut map, &mut diagnostics) || diagnostics.has_errors());
    }
});

//! Any text is read as a witness without a panic; one that is read prints to a text that reads as the same witness.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vergo_evidence::witness::read;

fuzz_target!(|text: &str| {
    if let Ok(witness) = read(text) {
        assert_eq!(read(&witness.print()), Ok(witness));
    }
});

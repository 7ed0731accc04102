//! Any bytes are a goto binary or an error with a position; what is read can be written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match vergo_gbf::read(bytes) {
        Ok(binary) => {
            let again = vergo_gbf::read(&vergo_gbf::write(&binary)).expect("what was written is read");
            assert_eq!(again.ireps.len(), binary.ireps.len());
        }
        Err(error) => assert!(error.offset <= bytes.len()),
    }
});

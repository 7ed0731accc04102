//! Any text executes as an SMT-LIB script without a panic, and models satisfy the assertions.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::time::Duration;
use vergo_smt::{ScriptOptions, run_script};

fuzz_target!(|text: &str| {
    let options = ScriptOptions {
        timeout: Some(Duration::from_millis(200)),
        memory: Some(2 << 30),
        check_models: true,
        check_proofs: true,
        ..ScriptOptions::default()
    };
    run_script(text, &options, &mut |line| {
        assert!(!line.contains("the model falsifies") && !line.contains("the proof does not check"));
    });
});

//! Random programs.

use crate::round_trip::{compare, gcc_or_skip};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use vergo_cfront::target::DataModel;
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment::{skip, slow};

/// Returns csmith's options for a seed: its programs differ much by these.
fn options(seed: u64) -> &'static [&'static str] {
    match seed % 5 {
        0 => &["--float", "--max-funcs", "5"],
        1 => &["--packed-struct", "--bitfields", "--max-funcs", "5"],
        2 => &["--inline-function", "--max-funcs", "5"],
        3 => &["--max-funcs", "5", "--max-block-depth", "3"],
        _ => &[],
    }
}

#[test]
fn random_programs_behave_as_before() {
    let test = "random_programs_behave_as_before";
    let Some(gcc) = gcc_or_skip(test) else { return };
    let Some(csmith) = Csmith::find() else { return skip(test, "there is no csmith") };
    let include = csmith.include_option();
    let count = if slow() { 300 } else { 12 };
    let next = AtomicU64::new(0);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = 1000 + next.fetch_add(1, Ordering::Relaxed);
                    if seed >= 1000 + count {
                        return;
                    }
                    let Some(text) = csmith.generate(seed, options(seed)) else {
                        failures
                            .lock()
                            .expect("no panic")
                            .push(format!("seed {seed}: csmith failed"));
                        continue;
                    };
                    if let Err(error) = compare(&gcc, &text, &[&include], DataModel::Lp64) {
                        failures.lock().expect("no panic").push(format!("seed {seed}: {error}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

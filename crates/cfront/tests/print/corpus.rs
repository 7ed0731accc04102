//! Hand-written programs: each prints its results.

use crate::round_trip::{compare, gcc_or_skip};
use std::path::PathBuf;
use std::sync::Mutex;
use vergo_cfront::target::DataModel;

/// The programs, in alphabetical order.
pub(crate) fn programs() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/cfront");
    let entries = std::fs::read_dir(&folder).expect("the corpus is part of the repository");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

#[test]
fn programs_behave_as_before() {
    let Some(gcc) = gcc_or_skip("programs_behave_as_before") else { return };
    let failures = Mutex::new(Vec::new());
    let files = Mutex::new(programs());
    assert!(files.lock().expect("no panic").len() > 20);
    // Compiling dominates; two at a time use the machine better.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(file) = files.lock().expect("no panic").pop() else { return };
                    let text = std::fs::read_to_string(&file).expect("a readable file");
                    if let Err(error) = compare(&gcc, &text, &[], DataModel::Lp64) {
                        let name =
                            file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                        failures.lock().expect("no panic").push(format!("{name}: {error}"));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn programs_behave_as_before_on_32_bits() {
    let test = "programs_behave_as_before_on_32_bits";
    let Some(gcc) = gcc_or_skip(test) else { return };
    let Some(gcc) = gcc.for_32_bits() else {
        return vergo_testkit::environment::skip(test, "gcc cannot link for 32 bits");
    };
    if !vergo_testkit::environment::slow_or_skip(test) {
        return;
    }
    // These use what i386 does not have.
    let foreign = ["asm.c", "int128.c", "layout.c", "vectors.c"];
    let mut failures = Vec::new();
    for file in programs() {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if foreign.contains(&name.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a readable file");
        // Without it, x87 arithmetic gives more precision to whatever stays in registers.
        let options = ["-msse2", "-mfpmath=sse"];
        if let Err(error) = compare(&gcc, &text, &options, DataModel::Ilp32) {
            failures.push(format!("{name}: {error}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

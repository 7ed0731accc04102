//! The permissions of tests, from the environment: external data, long runs, blessing.

use std::path::PathBuf;

/// The folder of external test data, if `VERGO_SHARED` names one.
#[must_use]
pub fn shared() -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os("VERGO_SHARED")?);
    path.is_dir().then_some(path)
}

/// The folder of external test data, or a line that says that a test was skipped.
#[must_use]
pub fn shared_or_skip(test: &str) -> Option<PathBuf> {
    let path = shared();
    if path.is_none() {
        skip(test, "VERGO_SHARED names no folder");
    }
    path
}

/// Returns whether `VERGO_SLOW=1` asks for the long tests.
#[must_use]
pub fn slow() -> bool {
    std::env::var_os("VERGO_SLOW").is_some_and(|value| value == "1")
}

/// Returns whether the long tests run; if not, prints that one was skipped.
#[must_use]
pub fn slow_or_skip(test: &str) -> bool {
    if !slow() {
        skip(test, "VERGO_SLOW is not 1");
    }
    slow()
}

/// Returns whether expectations are to be rewritten instead of compared.
#[must_use]
pub fn bless() -> bool {
    std::env::var_os("VERGO_BLESS").is_some_and(|value| value == "1")
}

/// Says that a test was skipped, and why.
pub fn skip(test: &str, why: &str) {
    eprintln!("skipped: {test}: {why}");
}

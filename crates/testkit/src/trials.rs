//! Tests that are made from data: each row is a test with a name of its own, which `cargo test NAME` selects.

use libtest_mimic::{Arguments, Failed};

/// A test.
pub struct Trial(libtest_mimic::Trial);

impl Trial {
    /// A test that passes if nothing is wrong.
    pub fn new(
        name: impl Into<String>,
        test: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) -> Trial {
        Trial(libtest_mimic::Trial::test(name, move || test().map_err(Failed::from)))
    }
}

/// Runs tests as the command line says, and ends the process.
pub fn run(trials: Vec<Trial>) -> ! {
    let arguments = Arguments::from_args();
    libtest_mimic::run(&arguments, trials.into_iter().map(|trial| trial.0).collect()).exit()
}

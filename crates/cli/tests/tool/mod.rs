//! The tool, run from outside.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use vergo_testkit::process::{Finished, run};

/// Runs the tool in a folder, without colours and with the host's own compiler.
pub(crate) fn vergo(folder: &Path, arguments: &[&str], input: &[u8]) -> Finished {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vergo"));
    command.args(arguments).current_dir(folder).env_remove("CC").env("NO_COLOR", "1");
    run(&mut command, input, Duration::from_secs(120)).expect("the tool runs")
}

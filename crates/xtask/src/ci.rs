//! `cargo xtask ci`: everything that must hold before a change is merged.

use std::time::Instant;

use crate::shell::{cargo, step};
use crate::{generate, tidy};

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    anyhow::ensure!(arguments.is_empty(), "takes no arguments");
    let start = Instant::now();
    println!("== tidy");
    tidy::run(&[])?;
    step("format", cargo().args(["fmt", "--all", "--check"]))?;
    step(
        "clippy",
        cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    )?;
    step("build", cargo().args(["build", "--workspace"]))?;
    println!("== reference pages");
    generate::run(&["--check".to_owned()])?;
    step("test", cargo().args(["test", "--workspace", "--no-fail-fast"]))?;
    println!("== all passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

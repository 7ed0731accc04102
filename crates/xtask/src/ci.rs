//! `cargo xtask ci`: everything that must hold before a change is merged.

use std::time::Instant;

use crate::shell::{cargo, root, step};
use crate::{generate, hunt, tidy};

/// The programs of the hunt that every change has to pass: about two minutes on two cores.
const HUNTED: [&str; 4] = ["--scenes", "480", "--seed", "1"];

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
    println!("== hunt");
    let vergo = root().join("target/debug/vergo");
    let chosen = HUNTED.iter().map(|&word| word.to_owned());
    let options = ["--vergo".to_owned(), vergo.display().to_string()];
    hunt::run(&chosen.chain(options).collect::<Vec<_>>())?;
    println!("== all passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

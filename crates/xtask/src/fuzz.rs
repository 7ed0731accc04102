//! `cargo xtask fuzz`: runs a libFuzzer target for a while.

use std::process::Command;

use crate::shell::{root, step};

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let folder = root().join("fuzz");
    let mut targets: Vec<String> = std::fs::read_dir(folder.join("fuzz_targets"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
        .collect();
    targets.sort();
    let Some(target) = arguments.first().filter(|target| targets.contains(target)) else {
        anyhow::bail!("name one of the targets: {}", targets.join(", "));
    };
    let seconds: u32 = match arguments.get(1) {
        Some(text) => text.parse()?,
        None => 60,
    };
    let mut command = Command::new("cargo");
    command
        .current_dir(root())
        // A cargo started by cargo would otherwise keep the stable toolchain.
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .args(["+nightly", "fuzz", "run", target, "--"])
        .arg(format!("-max_total_time={seconds}"))
        .args(["-rss_limit_mb=4096", "-timeout=10"]);
    step(&format!("fuzz {target}"), &mut command)
}

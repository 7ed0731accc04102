//! `cargo xtask bless`: rewrites golden expectations to what is printed now.

use crate::shell::{cargo, step};

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut command = cargo();
    // One variable is for the golden files of `testkit`, the other for `expect-test`.
    command.env("VERGO_BLESS", "1").env("UPDATE_EXPECT", "1").arg("test");
    if arguments.is_empty() {
        command.arg("--workspace");
    }
    for name in arguments {
        let name = if name == "cli" { "vergo".to_owned() } else { format!("vergo-{name}") };
        command.args(["-p", &name]);
    }
    step("bless", &mut command)?;
    println!("review what changed with `git diff` before you commit it");
    Ok(())
}

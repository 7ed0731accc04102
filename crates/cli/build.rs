//! Gives the command its version: that of the package, with the commit where git knows it.

use std::path::Path;
use std::process::Command;

fn main() {
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&folder).join("../..");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(&root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // A commit that is built anew is looked up anew.
    if let Some(head) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        let head = root.join(head);
        if head.exists() {
            println!("cargo::rerun-if-changed={}", head.display());
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=VERGO_COMMIT");
    // Where the sources are no repository, whoever packages them may say which commit they are.
    let given = std::env::var("VERGO_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| git(&["rev-parse", "--short=10", "HEAD"]));
    let version = commit.map_or_else(|| version.clone(), |commit| format!("{version} ({commit})"));
    println!("cargo::rustc-env=VERGO_VERSION={version}");
}

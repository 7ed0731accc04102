//! `cargo xtask gen`: writes the pages of the documentation that come from tables in the code.

use anyhow::{Context, bail};

use crate::shell::{cargo, root};

/// The generated pages: the name that `vergo reference` knows, and the file.
const PAGES: &[(&str, &str)] = &[
    ("command-line", "docs/reference/command-line.md"),
    ("diagnostics", "docs/reference/diagnostics.md"),
    ("library", "docs/reference/library.md"),
    ("passes", "docs/reference/passes.md"),
    ("properties", "docs/reference/properties.md"),
    ("undefined-behaviour", "docs/reference/undefined-behaviour.md"),
];

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("takes nothing but --check"),
    };
    for (name, path) in PAGES {
        let output = cargo()
            .args(["run", "--quiet", "--package", "vergo", "--", "reference", name])
            .output()
            .context("cargo run")?;
        if !output.status.success() {
            bail!("vergo reference {name}: {}", String::from_utf8_lossy(&output.stderr));
        }
        let file = root().join(path);
        if std::fs::read(&file).ok().as_ref() == Some(&output.stdout) {
            continue;
        }
        if check {
            bail!("{path} is out of date; run `cargo xtask gen`");
        }
        std::fs::create_dir_all(file.parent().context("a page has a folder")?)?;
        std::fs::write(&file, &output.stdout)?;
        println!("wrote {path}");
    }
    Ok(())
}

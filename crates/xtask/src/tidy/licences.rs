//! The rule on licences: each dependency offers one that `layers.toml` allows.

use std::path::Path;

use anyhow::{Context, bail};

use super::Problem;
use super::layers::allowed_licences;
use crate::shell::cargo;

pub(super) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let allowed = allowed_licences(&std::fs::read_to_string(root.join("layers.toml"))?)?;
    let output = cargo()
        .current_dir(root)
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
    let mut problems = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let message = match package["license"].as_str() {
            None => format!("`{name}` does not say what its licence is"),
            Some(licence) if is_allowed(licence, &allowed) => continue,
            Some(licence) => format!("`{name}` has the licence {licence}"),
        };
        problems.push(Problem::new("Cargo.lock", 0, "licence", message));
    }
    Ok(problems)
}

/// Returns whether a licence expression can be satisfied with allowed licences alone.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    // Old manifests write `/` for `OR`.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let answer = any_of(&words, &mut at, allowed);
    answer == Some(true) && at == words.len()
}

/// `all {OR all}`; `None` if the expression is malformed.
fn any_of(words: &[&str], at: &mut usize, allowed: &[String]) -> Option<bool> {
    let mut answer = all_of(words, at, allowed)?;
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        answer |= all_of(words, at, allowed)?;
    }
    Some(answer)
}

/// `one {AND one}`.
fn all_of(words: &[&str], at: &mut usize, allowed: &[String]) -> Option<bool> {
    let mut answer = one(words, at, allowed)?;
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        answer &= one(words, at, allowed)?;
    }
    Some(answer)
}

/// A licence, with an exception perhaps, or an expression in parentheses.
fn one(words: &[&str], at: &mut usize, allowed: &[String]) -> Option<bool> {
    let word = *words.get(*at)?;
    *at += 1;
    if word == "(" {
        let answer = any_of(words, at, allowed)?;
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return closed.then_some(answer);
    }
    let mut licence = word.to_owned();
    if words.get(*at) == Some(&"WITH") {
        licence = format!("{word} WITH {}", words.get(*at + 1)?);
        *at += 2;
    }
    Some(allowed.contains(&licence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        let check = |expression| is_allowed(expression, &allowed);
        assert!(check("MIT"));
        assert!(check("GPL-3.0 OR MIT"));
        assert!(check("GPL-3.0/MIT"));
        assert!(check("(MIT OR GPL-3.0) AND Zlib"));
        assert!(check("Apache-2.0 WITH LLVM-exception OR Apache-2.0"));
        assert!(!check("GPL-3.0"));
        assert!(!check("MIT AND GPL-3.0"));
        assert!(!check("Apache-2.0"));
        assert!(!check("(MIT"));
        assert!(!check("MIT MIT"));
        assert!(!check("MIT OR"));
        assert!(!check(""));
    }
}

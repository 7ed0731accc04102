//! Random whole programs from csmith, where it is installed.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::process::run;

/// An installed csmith.
#[derive(Clone, Debug)]
pub struct Csmith {
    /// The folder of the headers that generated programs include.
    include: PathBuf,
}

impl Csmith {
    /// The installed csmith, if there is one with its headers.
    #[must_use]
    pub fn find() -> Option<Csmith> {
        // Wherever it runs, csmith leaves a file about the platform.
        let mut version = Command::new("csmith");
        version.arg("--version").current_dir(std::env::temp_dir());
        run(&mut version, b"", Duration::from_secs(10)).ok()?;
        let mut candidates = vec![PathBuf::from("/usr/include/csmith")];
        for base in ["/usr/include", "/usr/local/include"] {
            let entries = std::fs::read_dir(base).into_iter().flatten().flatten();
            let mut versions: Vec<PathBuf> = entries
                .map(|entry| entry.path())
                .filter(|path| {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    name.starts_with("csmith")
                })
                .collect();
            versions.sort();
            candidates.extend(versions);
        }
        let include = candidates.into_iter().find(|path| path.join("csmith.h").is_file())?;
        Some(Csmith { include })
    }

    /// The option that lets a compiler find the headers.
    #[must_use]
    pub fn include_option(&self) -> String {
        format!("-I{}", self.include.display())
    }

    /// The program of a seed, or `None` if csmith fails.
    #[must_use]
    pub fn generate(&self, seed: u64, options: &[&str]) -> Option<String> {
        let mut command = Command::new("csmith");
        command.arg("--seed").arg(seed.to_string()).args(options);
        // Without a folder of its own, csmith leaves a file in the current one.
        command.current_dir(std::env::temp_dir());
        let finished = run(&mut command, b"", Duration::from_secs(60)).ok()?;
        let text = finished.stdout_text();
        (finished.success() && !text.is_empty()).then_some(text)
    }
}

//! `vergo doctor`: what Vergo finds on this machine, and what to install.

use std::fmt::Write;
use std::process::{Command, Stdio};

use clap::Args;

use crate::arguments::project_file;
use crate::output::{self, Status};

/// Arguments of `vergo doctor`.
#[derive(Args)]
pub(crate) struct Doctor {}

/// Something that is looked for.
struct Finding {
    what: &'static str,
    /// How it was found, or none.
    found: Option<String>,
    /// What is lost without it, and what to do.
    without: &'static str,
    /// Whether nothing works without it.
    needed: bool,
}

impl Doctor {
    pub(crate) fn run(&self) -> Status {
        let compiler = compiler();
        let headers = |arguments: &[&str], text: &str| {
            let compiler = compiler.as_deref()?;
            preprocesses(compiler, arguments, text).then(|| format!("by {compiler}"))
        };
        let findings = [
            Finding {
                what: "C preprocessor",
                found: compiler
                    .as_deref()
                    .map(|name| version(name).unwrap_or_else(|| name.to_owned())),
                without: "only files without directives can be read; install gcc or clang (Debian: apt install gcc)",
                needed: true,
            },
            Finding {
                what: "C headers",
                found: headers(&[], "#include <stdio.h>\n#include <stdlib.h>\n"),
                without: "programs that include <stdio.h> cannot be read; install libc6-dev (Fedora: glibc-devel)",
                needed: true,
            },
            Finding {
                what: "32-bit headers",
                found: headers(&["-m32"], "#include <stdio.h>\n"),
                without: "for ILP32 the host's headers are read with other macros; install gcc-multilib",
                needed: false,
            },
            Finding {
                what: "git",
                found: version("git"),
                without: "only continuous integration needs it, to find the files that changed",
                needed: false,
            },
            Finding {
                what: "project",
                found: project_file().map(|path| path.display().to_string()),
                without: "there is no vergo.toml here or above; `vergo init` writes one",
                needed: false,
            },
        ];
        let mut text = format!("vergo {}\n", crate::VERSION);
        let width = findings.iter().map(|finding| finding.what.len()).max().unwrap_or(0);
        for finding in &findings {
            let (mark, said) = match &finding.found {
                Some(found) => ("found  ", found.as_str()),
                None => ("missing", finding.without),
            };
            let _ = writeln!(text, "  {mark}  {:width$}  {said}", finding.what);
        }
        let lacks = findings.iter().any(|finding| finding.needed && finding.found.is_none());
        text.push_str(if lacks { "Something that is needed is missing.\n" } else { "Ready.\n" });
        let status = output::print(text);
        if lacks && status == Status::Done { Status::BadInput } else { status }
    }
}

/// The first of the host's compilers that can be started.
fn compiler() -> Option<String> {
    let named = std::env::var("CC").ok().filter(|name| !name.trim().is_empty());
    let names = named.into_iter().chain(["cc", "gcc", "clang"].map(str::to_owned));
    names.into_iter().find(|name| version(name).is_some())
}

/// The first line of what a program says of its version.
fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or(program).to_owned())
}

/// Whether a compiler preprocesses a text.
fn preprocesses(compiler: &str, arguments: &[&str], text: &str) -> bool {
    let mut command = Command::new(compiler);
    command.args(arguments).args(["-E", "-x", "c", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        let _ = std::io::Write::write_all(&mut stdin, text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}

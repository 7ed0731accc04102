//! `vergo doctor`: what Vergo finds on this machine, and what to install.

use std::fmt::Write;
use std::process::{Command, Stdio};

use clap::Args;

use crate::arguments::{project_file, words};
use crate::output::{self, Status};

/// Arguments of `vergo doctor`.
#[derive(Args)]
pub(crate) struct Doctor {}

/// Something that is looked for.
struct Finding {
    what: &'static str,
    /// The version or place of the program, if it was found.
    found: Option<String>,
    /// The features that are lost without it, and what to do.
    without: &'static str,
    /// True if nothing works without it.
    needed: bool,
}

impl Doctor {
    pub(crate) fn run(&self) -> Status {
        let compiler = compiler();
        let headers = |arguments: &[&str], text: &str| {
            let compiler = compiler.as_deref()?;
            preprocesses(compiler, arguments, text).then(|| format!("by {}", compiler.join(" ")))
        };
        let findings = [
            Finding {
                what: "C preprocessor",
                found: compiler
                    .as_deref()
                    .map(|words| version(words).unwrap_or_else(|| words.join(" "))),
                without: match named_compiler().is_some() {
                    true => {
                        "the program that the variable CC names cannot be started; unset it, or name a compiler"
                    }
                    false => {
                        "only files without directives can be read; install gcc or clang (Debian: apt install gcc)"
                    }
                },
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
                found: version(&["git".to_owned()]),
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

/// The compiler that checks would run, with its options, if it can be started.
fn compiler() -> Option<Vec<String>> {
    let usual = || ["cc", "gcc", "clang"].map(|name| vec![name.to_owned()]).to_vec();
    let candidates = named_compiler().map_or_else(usual, |command| vec![command]);
    candidates.into_iter().find(|command| version(command).is_some())
}

/// The compiler that the variable `CC` names.
fn named_compiler() -> Option<Vec<String>> {
    std::env::var("CC").ok().map(|command| words(&command)).filter(|words| !words.is_empty())
}

/// The first line of what a program says of its version.
fn version(command: &[String]) -> Option<String> {
    let (program, options) = command.split_first()?;
    let mut command = Command::new(program);
    let output = command.args(options).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then(|| text.lines().next().unwrap_or(program).to_owned())
}

/// Returns whether a compiler preprocesses a text.
fn preprocesses(compiler: &[String], arguments: &[&str], text: &str) -> bool {
    let Some((program, options)) = compiler.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(options).args(arguments).args(["-E", "-x", "c", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        let _ = std::io::Write::write_all(&mut stdin, text.as_bytes());
    }
    child.wait().is_ok_and(|status| status.success())
}

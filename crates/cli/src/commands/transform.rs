//! `vergo transform`: turns a specification into assertions of the program.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use vergo_driver::{Spec, TransformRequest};

use crate::arguments::{CArgs, input};
use crate::output::{self, Status};

/// Arguments of `vergo transform`.
#[derive(Args)]
pub(crate) struct Transform {
    #[command(flatten)]
    c: CArgs,
    /// What to make assertions of: a specification that Vergo knows, or a file with an automaton (.ia).
    #[arg(long, value_name = "SPEC", long_help = spec_help())]
    spec: String,
    /// Writes the program to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn spec_help() -> String {
    let mut text =
        String::from("What to make assertions of: a file with an automaton (.ia), or one of\n");
    for (name, summary, _) in vergo_driver::specs() {
        let _ = write!(text, "\n- {name}: {summary}");
    }
    text
}

impl Transform {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let spec = match spec(&self.spec) {
            Ok(spec) => spec,
            Err(message) => {
                output::warn(&message);
                return Status::BadInput;
            }
        };
        let inputs = self.c.inputs();
        let [program] = inputs.as_slice() else {
            output::warn("one program is transformed at a time");
            return Status::BadInput;
        };
        let mut job = self.c.job(matches);
        let answer = vergo_driver::transform(&mut job, program, &TransformRequest { spec });
        output::diagnostics(&mut job);
        match answer {
            Err(failure) => failure.into(),
            Ok(text) => match self.output.as_deref() {
                Some(path) if path.as_os_str() != "-" => match replace_file(path, &text) {
                    Ok(()) => Status::Done,
                    Err(error) => {
                        output::warn(&format!("cannot write `{}`: {error}", path.display()));
                        Status::BadInput
                    }
                },
                _ => output::print(text),
            },
        }
    }
}

fn spec(argument: &str) -> Result<Spec, String> {
    if Path::new(argument).extension().is_some_and(|extension| extension == "ia") {
        return Ok(Spec::Automaton(input(PathBuf::from(argument))));
    }
    // SV-COMP's name of a property is accepted as well.
    let name = argument.strip_prefix("valid-").unwrap_or(argument);
    if vergo_driver::specs().any(|(known, ..)| known == name) {
        return Ok(Spec::Builtin(name.to_owned()));
    }
    let names: Vec<&str> = vergo_driver::specs().map(|(name, ..)| name).collect();
    Err(format!(
        "there is no specification `{argument}`; give {} or a file that ends in .ia",
        names.join(", ")
    ))
}

/// Writes a file beside its place and moves it there, so that it is never half written.
fn replace_file(path: &Path, text: &[u8]) -> io::Result<()> {
    // What is no ordinary file, such as a device, is written to as it is.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let done = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
    if done.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    done
}

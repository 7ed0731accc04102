//! `vergo transform`: turns a specification into assertions of the program.

use std::io;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use vergo_driver::TransformRequest;

use crate::arguments::CArgs;
use crate::output::{self, Status};
use crate::spec::SpecArgs;

/// Arguments of `vergo transform`.
#[derive(Args)]
pub(crate) struct Transform {
    #[command(flatten)]
    c: CArgs,
    #[command(flatten)]
    spec: SpecArgs,
    /// Prints the automaton of the specification instead of the program.
    #[arg(long)]
    emit_automaton: bool,
    /// Writes the program to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Transform {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let spec = match self.spec.spec() {
            Ok(Some(spec)) => spec,
            Ok(None) => {
                output::warn("there is no specification; give one with --spec");
                return Status::BadInput;
            }
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
        let answer = match self.emit_automaton {
            true => vergo_driver::automaton(&mut job, &spec).map(String::into_bytes),
            false => vergo_driver::transform(&mut job, program, &TransformRequest { spec }),
        };
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

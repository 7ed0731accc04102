//! `vergo transcode`: a goto binary in the other dialect, or as GOTO text.

use std::path::PathBuf;

use clap::{ArgMatches, Args, ValueEnum};
use vergo_driver::{BinaryFormat, Input, Job};

use crate::output::{self, Status};

/// Arguments of `vergo transcode`.
#[derive(Args)]
pub(crate) struct Transcode {
    /// A goto binary of CBMC, Kani or ESBMC; for `text`, any program.
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// The format of the output.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Format,
    /// Where it is written.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Leaves out what the format cannot express, and says so, instead of stopping.
    #[arg(long)]
    lenient: bool,
}

/// The output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// CBMC's goto binary, version 6
    Cbmc,
    /// ESBMC's goto binary, version 1
    Esbmc,
    /// GOTO text
    Text,
}

impl Transcode {
    pub(crate) fn run(&self, _: &ArgMatches) -> Status {
        let mut job = Job::default();
        let to = match self.to {
            Format::Cbmc => BinaryFormat::Cbmc,
            Format::Esbmc => BinaryFormat::Esbmc,
            Format::Text => BinaryFormat::Text,
        };
        let input = Input::File(self.input.clone());
        let answer = vergo_driver::transcode(&mut job, &input, to, self.lenient);
        output::diagnostics(&mut job);
        match answer {
            Err(failure) => failure.into(),
            Ok(bytes) => output::write(&self.output, &bytes),
        }
    }
}

//! `vergo dump`: what a stage of the C front end makes of a file.

use clap::builder::PossibleValue;
use clap::{ArgMatches, Args, ValueEnum};
use vergo_driver::Stage;

use crate::arguments::CArgs;
use crate::output::{self, Status};

/// Arguments of `vergo dump`.
#[derive(Args)]
pub(crate) struct Dump {
    /// The stage.
    #[arg(long, value_enum, value_name = "STAGE")]
    at: StageArg,
    #[command(flatten)]
    c: CArgs,
}

/// A stage by its name; the names are the driver's.
#[derive(Clone, Copy)]
struct StageArg(usize);

impl ValueEnum for StageArg {
    fn value_variants<'a>() -> &'a [Self] {
        const INDICES: [StageArg; Stage::ALL.len()] = {
            let mut indices = [StageArg(0); Stage::ALL.len()];
            let mut i = 0;
            while i < indices.len() {
                indices[i] = StageArg(i);
                i += 1;
            }
            indices
        };
        &INDICES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (_, name, help) = Stage::ALL.get(self.0)?;
        Some(PossibleValue::new(*name).help(*help))
    }
}

impl Dump {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let mut job = self.c.job(matches);
        let stage = Stage::ALL[self.at.0].0;
        let answer = vergo_driver::dump(&mut job, &self.c.inputs(), stage);
        output::diagnostics(&mut job);
        match answer {
            Ok(text) => output::print(text),
            Err(failure) => failure.into(),
        }
    }
}

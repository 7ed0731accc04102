//! The sub-commands: one file each, one row each.

mod dump;
mod explain;
mod reference;

use clap::{ArgMatches, Subcommand};

use crate::output::Status;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Show what a stage of the C front end makes of a file.
    Dump(dump::Dump),
    /// Explain a diagnostic code, such as D0011; without a code, list all.
    Explain(explain::Explain),
    /// Print a reference page of the documentation.
    #[command(hide = true)]
    Reference(reference::Reference),
}

impl Command {
    /// Runs the command; `matches` are those of the whole command line.
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        // The order of options is a fact about the sub-command's own matches.
        let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
        match self {
            Command::Dump(command) => command.run(matches),
            Command::Explain(command) => command.run(),
            Command::Reference(command) => command.run(),
        }
    }
}

//! The `vergo` command: arguments and printing, nothing else.
//!
//! Exit status: 0 true (or done), 10 false, 20 unknown, 2 bad usage or input that is not C,
//! 70 internal error. Diagnostics and progress go to standard error.

mod arguments;
mod commands;
mod output;
mod pass_arguments;
mod progress;
mod proof;
mod spec;
mod watchdog;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::commands::Command;
use crate::output::{ColorChoice, Status};

/// The version, with the commit where git knew it when this was built.
pub(crate) const VERSION: &str = env!("VERGO_VERSION");

/// Decides whether a C program can go wrong, shows why, and proves what it says.
#[derive(Parser)]
#[command(name = "vergo", version = VERSION, max_term_width = 100, infer_long_args = false)]
#[command(after_help = "Exit status: 0 true or done, 10 false, 20 unknown, 2 bad usage or input, \
                        70 internal error.")]
struct Cli {
    /// When diagnostics are coloured.
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let arguments = arguments::compiler_spellings(std::env::args_os());
    let matches = match Cli::command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version are errors to clap, but not to the user.
            let status = if error.use_stderr() { Status::BadInput } else { Status::Done };
            let _ = error.print();
            // A file in the place of a command is to be checked, most likely.
            if error.kind() == clap::error::ErrorKind::InvalidSubcommand
                && let Some(ContextValue::String(file)) = error.get(ContextKind::InvalidSubcommand)
                && (file.ends_with(".c") || file.ends_with(".i"))
            {
                output::note(&format!("to check a program: vergo check {file}"));
            }
            return status.into();
        }
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return Status::BadInput.into();
        }
    };
    output::set_color(cli.color);
    // A panic is a bug of ours: it is reported as such and has its own status.
    let run = AssertUnwindSafe(|| cli.command.run(&matches));
    match catch_unwind(run) {
        Ok(status) => status.into(),
        Err(_) => {
            output::internal_error();
            // Whoever reads the last line learns that there is no verdict.
            if matches!(cli.command, Command::Check(_) | Command::Validate(_)) {
                let _ = output::print("RESULT: unknown(internal error)\n");
            }
            Status::Internal.into()
        }
    }
}

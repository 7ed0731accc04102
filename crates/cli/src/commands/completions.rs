//! `vergo completions` and `vergo man`: what shells and manuals know of the command line, from its own tables.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::Cli;
use crate::output::{self, Status};

/// Arguments of `vergo completions`.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: clap_complete::Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Status {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "vergo", &mut text);
        output::print(text)
    }
}

/// Arguments of `vergo man`.
#[derive(Args)]
pub(crate) struct Man {
    /// The command whose page is printed; by default the page of vergo itself.
    command: Option<String>,
    /// Writes the pages of all commands into a folder.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    all: Option<PathBuf>,
}

impl Man {
    pub(crate) fn run(&self) -> Status {
        let mut cli = Cli::command();
        cli.build();
        if let Some(folder) = &self.all {
            return write_all(&cli, folder);
        }
        let Some(name) = &self.command else { return output::print(page(&cli)) };
        match cli.get_subcommands().find(|command| command.get_name() == name) {
            Some(command) => output::print(page(command)),
            None => {
                output::warn(&format!("there is no command `{name}`"));
                Status::BadInput
            }
        }
    }
}

fn page(command: &clap::Command) -> Vec<u8> {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut text);
    text
}

fn write_all(cli: &clap::Command, folder: &std::path::Path) -> Status {
    if let Err(message) = output::make_folder(folder) {
        output::warn(&message);
        return Status::BadInput;
    }
    let shown = cli.get_subcommands().filter(|command| !command.is_hide_set());
    for command in std::iter::once(cli).chain(shown) {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let status = output::write(&folder.join(format!("{name}.1")), &page(command));
        if status != Status::Done {
            return status;
        }
    }
    Status::Done
}

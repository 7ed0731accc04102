//! The sub-commands: one file each, one row each.

mod check;
mod completions;
mod cover;
mod dap;
mod doctor;
mod dump;
mod examples;
mod explain;
mod goto;
mod import;
mod init;
mod kani;
mod lsp;
mod prove;
mod reference;
mod report;
mod run;
mod smt2;
mod transcode;
mod transform;
mod triage;
mod validate;
mod work;

use clap::{ArgMatches, Subcommand};

use crate::output::Status;

/// The sub-command.
#[derive(Subcommand)]
#[expect(clippy::large_enum_variant, reason = "one command is made in a run")]
pub(crate) enum Command {
    /// Decide whether a program can go wrong.
    Check(check::Check),
    /// Print the completions of a shell.
    Completions(completions::Completions),
    /// Decide which parts of a program tests can reach, and write the tests.
    Cover(cover::Cover),
    /// Verify the proof harnesses of a Rust crate that Kani has compiled.
    Kani(kani::Kani),
    /// Serve an editor as its debug adapter: executions stepped forwards and backwards.
    Dap(dap::Dap),
    /// Say what is found on this machine, and what to install.
    Doctor(doctor::Doctor),
    /// Show what a stage of the C front end makes of a file.
    Dump(dump::Dump),
    /// Tour six small programs, each with its lesson.
    Examples(examples::Examples),
    /// Explain a diagnostic code, such as D0011; without a code, list all.
    Explain(explain::Explain),
    /// Show or write the GOTO program of a file, after passes.
    Goto(goto::Goto),
    /// Make a vergo.toml of the proofs of another tool.
    Import(import::Import),
    /// Write a first vergo.toml for the folder.
    Init(init::Init),
    /// Serve an editor as its language server, on standard input and output.
    Lsp(lsp::Lsp),
    /// Print manual pages.
    Man(completions::Man),
    /// Run the proofs of a project.
    Prove(prove::Prove),
    /// Print a reference page of the documentation.
    #[command(hide = true)]
    Reference(reference::Reference),
    /// Say what has changed between two runs: new, fixed, still there.
    Report(report::Report),
    /// Interpret a program; the exit status is the program's.
    Run(run::Run),
    /// Execute an SMT-LIB 2 script.
    Smt2(smt2::Smt2),
    /// Write a goto binary in another tool's format, or as GOTO text.
    Transcode(transcode::Transcode),
    /// Turn a specification into assertions of the program, from C to C.
    Transform(transform::Transform),
    /// Confirm or refute the warnings of another analyser.
    Triage(triage::Triage),
    /// Decide whether a verification witness says what is so.
    Validate(validate::Validate),
    /// Run one proof that `vergo prove --on` has put into a spool.
    #[command(hide = true)]
    Work(work::Work),
}

impl Command {
    /// Runs the command; `matches` are those of the whole command line.
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        // The order of options is a fact about the sub-command's own matches.
        let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
        match self {
            Command::Check(command) => command.run(matches),
            Command::Completions(command) => command.run(),
            Command::Cover(command) => command.run(matches),
            Command::Dap(command) => command.run(),
            Command::Doctor(command) => command.run(),
            Command::Dump(command) => command.run(matches),
            Command::Examples(command) => command.run(),
            Command::Explain(command) => command.run(),
            Command::Goto(command) => command.run(matches),
            Command::Import(command) => command.run(),
            Command::Init(command) => command.run(),
            Command::Kani(command) => command.run(),
            Command::Lsp(command) => command.run(),
            Command::Man(command) => command.run(),
            Command::Prove(command) => command.run(),
            Command::Reference(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Run(command) => command.run(matches),
            Command::Smt2(command) => command.run(),
            Command::Transcode(command) => command.run(matches),
            Command::Transform(command) => command.run(matches),
            Command::Triage(command) => command.run(matches),
            Command::Validate(command) => command.run(matches),
            Command::Work(command) => command.run(),
        }
    }
}

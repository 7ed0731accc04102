//! Repository commands: tidy, bless, bench, conformance, hunt, study, ci.

// A developer's tool prints; only the shipped crates leave printing to `cli`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is a command-line tool")]

mod bench;
mod bless;
mod ci;
mod conformance;
mod determinism;
mod fuzz;
mod generate;
mod hunt;
mod shell;
mod study;
mod tidy;

use std::process::ExitCode;

/// A command: its name, its arguments, what it does and the function that does it.
struct Command {
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> anyhow::Result<()>,
}

/// All commands, in the order of their names.
const COMMANDS: &[Command] = &[
    Command {
        name: "bench",
        arguments: "[NAME]...",
        summary: "measure and print a table of named ratios",
        run: bench::run,
    },
    Command {
        name: "bless",
        arguments: "[CRATE]...",
        summary: "rewrite the expectations of golden tests to what is printed now",
        run: bless::run,
    },
    Command {
        name: "ci",
        arguments: "",
        summary: "everything that must hold before a change is merged",
        run: ci::run,
    },
    Command {
        name: "conformance",
        arguments: "[OPTION VALUE]...",
        summary: "run a tool over the conformance suite of GOTO and print where it agrees",
        run: conformance::run,
    },
    Command {
        name: "determinism",
        arguments: "--manifest FILE.csv [OPTION VALUE]...",
        summary: "check programs twice, once on a busy machine, and compare what is said byte by byte",
        run: determinism::run,
    },
    Command {
        name: "fuzz",
        arguments: "TARGET [SECONDS]",
        summary: "run a libFuzzer target (needs cargo-fuzz and a nightly toolchain)",
        run: fuzz::run,
    },
    Command {
        name: "gen",
        arguments: "[--check]",
        summary: "write the reference pages of the documentation, or check that they are current",
        run: generate::run,
    },
    Command {
        name: "hunt",
        arguments: "[OPTION VALUE]...",
        summary: "compare Vergo with gcc on random programs until the time is up (--minutes N)",
        run: hunt::run,
    },
    Command {
        name: "study",
        arguments: "[transformations|specifications] [OPTION]...",
        summary: "compare the engines as the literature does: tables, figures and a page",
        run: study::run,
    },
    Command {
        name: "tidy",
        arguments: "",
        summary: "check layers, licences and the form of all files",
        run: tidy::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        eprint!("{}", usage());
        return ExitCode::from(2);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprint!("xtask: there is no command `{name}`\n\n{}", usage());
        return ExitCode::from(2);
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask {name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let mut text = String::from("usage: cargo xtask COMMAND\n\n");
    for command in COMMANDS {
        let call = format!("{} {}", command.name, command.arguments);
        text.push_str(&format!("  {call:<24} {}\n", command.summary));
    }
    text
}

//! The options that choose passes, of `vergo goto` and `vergo check`.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use vergo_driver::{Arithmetic, ChosenPasses, Numbers};

/// The options.
#[derive(Args)]
pub(crate) struct PassArgs {
    /// Runs a pass; may be given several times, and the order counts.
    #[arg(long = "pass", value_name = "NAME", value_parser = pass_name, long_help = pass_help())]
    names: Vec<String>,
    /// The domain of the facts that `--pass interval-facts` and its kin write.
    #[arg(long, value_enum, value_name = "DOMAIN", default_value = "intervals")]
    facts: Domain,
    /// Lets these facts know constants, variables and conditions only.
    #[arg(long)]
    no_arithmetic: bool,
}

/// The domain.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Domain {
    /// Intervals of integers
    Intervals,
    /// Intervals on the circle of machine words
    Wrapped,
    /// Congruences modulo powers of two
    Congruences,
}

impl PassArgs {
    /// The passes that were chosen.
    pub(crate) fn chosen(&self) -> ChosenPasses {
        let numbers = match self.facts {
            Domain::Intervals => Numbers::Intervals,
            Domain::Wrapped => Numbers::Wrapped,
            Domain::Congruences => Numbers::Congruences,
        };
        let arithmetic = match self.no_arithmetic {
            true => Arithmetic::Ignored,
            false => Arithmetic::Followed,
        };
        ChosenPasses { names: self.names.clone(), numbers, arithmetic }
    }
}

/// Accepts the name of a pass.
fn pass_name(text: &str) -> Result<String, String> {
    let known = vergo_driver::passes().any(|(name, _)| name == text.replace('-', "_"));
    if known {
        Ok(text.to_owned())
    } else {
        Err(format!("there is no such pass\n\n{}", pass_list()))
    }
}

fn pass_help() -> String {
    format!("Runs a pass; may be given several times, and the order counts\n\n{}", pass_list())
}

/// All passes, one a line.
fn pass_list() -> String {
    let mut text = String::from("Passes:");
    for (name, summary) in vergo_driver::passes() {
        let _ = write!(text, "\n- {}: {summary}", name.replace('_', "-"));
    }
    text
}

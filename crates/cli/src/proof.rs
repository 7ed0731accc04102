//! Options about proofs, spelled as CBMC's tools spell them.

use clap::Args;
use vergo_driver::{Pointers, ProofOptions};

/// The changes that a proof makes to its program.
#[derive(Args, Debug)]
pub(crate) struct ProofArgs {
    /// Removes the body of a function of the project, so that the proof's own definition takes its
    /// place; the files from the one with the harness on are the proof's.
    #[arg(long, value_name = "F", help_heading = "Proofs (docs/cbmc-users.md)")]
    remove_function_body: Vec<String>,
    /// Checks a function against its contract.
    #[arg(long, value_name = "F", help_heading = "Proofs (docs/cbmc-users.md)")]
    enforce_contract: Vec<String>,
    /// Puts the contract of a function in the place of its body.
    #[arg(long, value_name = "F", help_heading = "Proofs (docs/cbmc-users.md)")]
    replace_call_with_contract: Vec<String>,
    /// Puts the contracts of loops in the place of their rounds.
    #[arg(long, help_heading = "Proofs (docs/cbmc-users.md)")]
    apply_loop_contracts: bool,
    /// Lets variables with static storage begin with any value, unless they are constant.
    #[arg(long, help_heading = "Proofs (docs/cbmc-users.md)")]
    nondet_static: bool,
    /// Pointers that the function of --function gets: null, any, or valid:N, a new object with room
    /// for N values (one without N).
    #[arg(long, value_name = "POINTERS", default_value = "any", value_parser = pointers)]
    #[arg(help_heading = "Proofs (docs/cbmc-users.md)")]
    pointers: Pointers,
}

fn pointers(text: &str) -> Result<Pointers, String> {
    match text.split_once(':') {
        None if text == "any" => Ok(Pointers::Any),
        None if text == "null" => Ok(Pointers::Null),
        None if text == "valid" => Ok(Pointers::Valid(1)),
        Some(("valid", n)) => {
            let n = n.parse().map_err(|_| format!("`{n}` is not a number of values"))?;
            Ok(Pointers::Valid(n))
        }
        _ => Err("null, any, valid or valid:N is needed".to_owned()),
    }
}

impl ProofArgs {
    pub(crate) fn options(&self) -> ProofOptions {
        ProofOptions {
            removed_bodies: self.remove_function_body.clone(),
            enforced: self.enforce_contract.clone(),
            replaced: self.replace_call_with_contract.clone(),
            loop_contracts: self.apply_loop_contracts,
            nondet_static: self.nondet_static,
            pointers: self.pointers,
        }
    }
}

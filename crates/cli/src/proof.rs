//! Options about proofs, spelled as CBMC's tools spell them.

use clap::Args;
use vergo_driver::ProofOptions;

/// How a proof changes the program that it is about.
#[derive(Args, Debug)]
#[command(next_help_heading = "Proofs (docs/cbmc-users.md)")]
pub(crate) struct ProofArgs {
    /// Removes the body of a function of the project, so that the proof's own definition takes its
    /// place; the files from the one with the harness on are the proof's.
    #[arg(long, value_name = "F")]
    remove_function_body: Vec<String>,
    /// Checks a function against its contract.
    #[arg(long, value_name = "F")]
    enforce_contract: Vec<String>,
    /// Puts the contract of a function in the place of its body.
    #[arg(long, value_name = "F")]
    replace_call_with_contract: Vec<String>,
    /// Puts the contracts of loops in the place of their rounds.
    #[arg(long)]
    apply_loop_contracts: bool,
    /// Lets variables with static storage begin with any value, unless they are constant.
    #[arg(long)]
    nondet_static: bool,
}

impl ProofArgs {
    pub(crate) fn options(&self) -> ProofOptions {
        ProofOptions {
            removed_bodies: self.remove_function_body.clone(),
            enforced: self.enforce_contract.clone(),
            replaced: self.replace_call_with_contract.clone(),
            loop_contracts: self.apply_loop_contracts,
            nondet_static: self.nondet_static,
        }
    }
}

//! `vergo explain`: what a diagnostic code or a property means.

use clap::Args;

use crate::output::{Status, print, warn};

/// Arguments of `vergo explain`.
#[derive(Args)]
pub(crate) struct Explain {
    /// The code, or the id of a property such as memory.bounds.
    code: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self) -> Status {
        let Some(code) = &self.code else {
            let lines = vergo_driver::all_codes().into_iter();
            let lines = lines.map(|code| format!("{}  {}\n", code.id(), code.title()));
            return print(lines.collect::<String>());
        };
        match vergo_driver::explain(code) {
            Some(text) => print(text),
            None => {
                warn(&format!("there is no code `{code}`; `vergo explain` lists all"));
                Status::BadInput
            }
        }
    }
}

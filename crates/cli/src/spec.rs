//! The specification that `--spec` names: a formula, an automaton, or one that Vergo knows.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use vergo_driver::{Input, Spec};

use crate::arguments::{closest, input};

/// Options that name a specification.
#[derive(Args, Debug)]
pub(crate) struct SpecArgs {
    /// The specification: a formula of linear temporal logic, a file with one (.ltl), a file with
    /// an automaton (.ia), or the name of an automaton that Vergo knows.
    #[arg(long, value_name = "SPEC", long_help = spec_help())]
    spec: Option<String>,
    /// Gives a condition of the formula a name, as in `--define req='x == 1'`.
    #[arg(long = "define", value_name = "NAME=CONDITION", id = "proposition")]
    definitions: Vec<String>,
}

fn spec_help() -> String {
    let mut text = String::from(
        "What has to hold: a formula such as 'G(req -> F ack)' over global variables or conditions \
         (docs/ltl.md), a file with a formula (.ltl), a file with an automaton (.ia, docs/automata.md), or one of\n",
    );
    for (name, summary, _) in vergo_driver::specs() {
        let _ = write!(text, "\n- {name}: {summary}");
    }
    text
}

impl SpecArgs {
    /// The specification, if one is named.
    pub(crate) fn spec(&self) -> Result<Option<Spec>, String> {
        let Some(argument) = &self.spec else {
            return match self.definitions.first() {
                None => Ok(None),
                Some(first) => Err(format!(
                    "`--define {first}` names a condition for a formula, and there is no --spec (macros are defined with -D)"
                )),
            };
        };
        let extension = Path::new(argument).extension().and_then(|extension| extension.to_str());
        match extension {
            Some("ia") => return Ok(Some(Spec::Automaton(input(PathBuf::from(argument))))),
            Some("ltl" | "prp") => {
                let formula = input(PathBuf::from(argument));
                return Ok(Some(Spec::Formula { formula, definitions: self.definitions() }));
            }
            _ => {}
        }
        // SV-COMP's name of a property is accepted as well.
        let name = argument.strip_prefix("valid-").unwrap_or(argument);
        if vergo_driver::specs().any(|(known, ..)| known == name) {
            return Ok(Some(Spec::Builtin(name.to_owned())));
        }
        // A word alone is the name of something: as a formula it would say how the program begins.
        let is_name = argument.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        let is_defined =
            self.definitions.iter().any(|text| text.split('=').next() == Some(argument));
        if is_name && !is_defined {
            let names: Vec<&str> = vergo_driver::specs().map(|(name, ..)| name).collect();
            if let Some(name) = closest(argument, names.iter().copied()) {
                return Err(format!(
                    "there is no specification `{argument}`; did you mean `{name}`?"
                ));
            }
            return Err(format!(
                "there is no specification `{argument}`; give {}, a formula, or a file that ends in .ia or .ltl",
                names.join(", ")
            ));
        }
        let formula =
            Input::Text { name: "<spec>".to_owned(), text: argument.clone().into_bytes() };
        Ok(Some(Spec::Formula { formula, definitions: self.definitions() }))
    }

    /// The named conditions.
    pub(crate) fn definitions(&self) -> Vec<Input> {
        let input = |text: &String| Input::Text {
            name: "<define>".to_owned(),
            text: text.clone().into_bytes(),
        };
        self.definitions.iter().map(input).collect()
    }
}

//! The passes that a user chose to run on a program.

use vergo_analysis::numeric::Arithmetic;
use vergo_goto::program::Program;
use vergo_passes::PassId;
use vergo_passes::interval_facts::{Numbers, Standing};
use vergo_passes::manager::{Event, Verify, run_passes};
use vergo_source::{Diagnostic, Span};

use crate::codes::BROKEN_PASS;
use crate::job::{Failed, Job};

/// Passes by name, and what those that write facts about numbers say.
#[derive(Clone, Debug, Default)]
pub struct ChosenPasses {
    /// The passes in their order, by the names of [`passes`]. What a pass requires is run before it.
    pub names: Vec<String>,
    /// The domain of facts about numbers.
    pub numbers: Numbers,
    /// The arithmetic that they follow.
    pub arithmetic: Arithmetic,
}

/// The names of all passes, each with a line on what it does.
pub fn passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    PassId::ALL.iter().map(|pass| (pass.info().name, pass.info().summary))
}

impl ChosenPasses {
    /// Runs the passes; each step goes to `observe`.
    pub(crate) fn run(
        &self,
        job: &mut Job,
        program: &mut Program,
        facts: Standing,
        verify: Verify,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Failed> {
        // Names come from a list that `passes` gives, so that an unknown one is the caller's bug.
        let ids: Vec<PassId> =
            self.names.iter().filter_map(|name| PassId::from_name(name)).collect();
        let (numbers, arithmetic) = (self.numbers, self.arithmetic);
        let options = vergo_passes::Options { numbers, arithmetic, facts, ..Default::default() };
        run_passes(program, &ids, &options, verify, observe).map_err(|broken| {
            job.diagnostics.push(Diagnostic::error(BROKEN_PASS, Span::DUMMY, broken.to_string()));
            Failed::Internal
        })
    }
}

//! The pass manager: runs passes in order, with their prerequisites, and checks what they leave behind.

use crate::{Fact, Options, PassId};
use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};
use vergo_goto::program::Program;
use vergo_goto::verify;

/// The choice whether the verifier runs after each pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verify {
    /// After each pass.
    Always,
    /// In debug and test builds.
    InDebug,
}

/// The events that the manager reports while it runs.
pub enum Event<'a> {
    /// A pass is about to run on the program.
    Before(PassId, &'a Program),
    /// A pass has run, and how long it took.
    After(PassId, &'a Program, Duration),
}

/// A pass left a program that is not well formed: a bug of the pass.
#[derive(Debug)]
pub struct BrokenProgram {
    /// The pass.
    pub pass: PassId,
    /// The verifier's errors, as text.
    pub errors: Vec<String>,
}

impl fmt::Display for BrokenProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pass `{}` broke the program: {}", self.pass.info().name, self.errors.join("; "))
    }
}

impl std::error::Error for BrokenProgram {}

/// Runs the passes in order on the program. A pass's missing prerequisites run before it. `observe` sees each step.
pub fn run_passes(
    program: &mut Program,
    passes: &[PassId],
    options: &Options,
    verify: Verify,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<(), BrokenProgram> {
    let mut facts = BTreeSet::new();
    // Work list from the end, so that prerequisites can be put in front of what needs them.
    let mut todo: Vec<PassId> = passes.iter().rev().copied().collect();
    while let Some(&pass) = todo.last() {
        let missing = pass.info().requires.iter().find(|fact| !facts.contains(*fact));
        if let Some(prerequisite) = missing.and_then(|&fact| PassId::establishing(fact)) {
            todo.push(prerequisite);
            continue;
        }
        todo.pop();
        run_one(program, pass, options, verify, observe)?;
        update_facts(&mut facts, pass);
    }
    Ok(())
}

fn run_one(
    program: &mut Program,
    pass: PassId,
    options: &Options,
    verify: Verify,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<(), BrokenProgram> {
    observe(Event::Before(pass, program));
    let start = Instant::now();
    (pass.info().run)(program, options);
    observe(Event::After(pass, program, start.elapsed()));
    if verify == Verify::Always || cfg!(debug_assertions) {
        verify::verify(program).map_err(|errors| {
            let errors = errors.iter().map(ToString::to_string).collect();
            BrokenProgram { pass, errors }
        })?;
    }
    Ok(())
}

fn update_facts(facts: &mut BTreeSet<Fact>, pass: PassId) {
    facts.retain(|fact| pass.info().preserves.contains(fact));
    facts.extend(pass.info().establishes);
}

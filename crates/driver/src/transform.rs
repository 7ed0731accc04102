//! The transform request: a program and a specification in, a program with assertions out.

use vergo_automata::builtin::{self, BUILTINS};
use vergo_automata::{Automaton, Instrumented, Syntax, check, instrument, parse};
use vergo_cfront::analyze;

use crate::input::Input;
use crate::job::{Failed, Job};

/// What is to be made assertions of.
#[derive(Clone, Debug)]
pub enum Spec {
    /// An automaton that comes with Vergo, by its name.
    Builtin(String),
    /// An automaton in a file.
    Automaton(Input),
}

/// How a program is transformed.
#[derive(Clone, Debug)]
pub struct TransformRequest {
    /// The specification.
    pub spec: Spec,
}

/// The names of all automata that come with Vergo, each with a line on what it demands and its text.
pub fn specs() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    BUILTINS.iter().map(|builtin| (builtin.name, builtin.summary, builtin.text))
}

/// The text of the instrumented program.
///
/// # Errors
/// If the automaton or the program is not what it should be, or the program has something that the automaton has to
/// observe and that cannot be instrumented; the job's diagnostics say what and where.
pub fn transform(
    job: &mut Job,
    input: &Input,
    request: &TransformRequest,
) -> Result<Vec<u8>, Failed> {
    weave(job, input, &request.spec).map(|woven| woven.text)
}

/// The instrumented program, with what is known about its loops.
pub(crate) fn weave(job: &mut Job, input: &Input, spec: &Spec) -> Result<Instrumented, Failed> {
    let automaton = job.load_automaton(spec)?;
    let file = job.load_c(input)?;
    let n_errors = job.diagnostics.error_count();
    let ast = job.parse(file);
    let syntax = Syntax::new(&ast);
    let options = job.c_options();
    let unit = analyze(ast, &job.map, &options, &mut job.diagnostics);
    if job.diagnostics.error_count() > n_errors {
        return Err(Failed::BadInput);
    }
    instrument(&automaton, &unit, &syntax, &job.map, file, &mut job.diagnostics)
        .ok_or(Failed::BadInput)
}

impl Job {
    /// Reads and checks an automaton.
    fn load_automaton(&mut self, spec: &Spec) -> Result<Automaton, Failed> {
        let (name, text) = match spec {
            Spec::Builtin(name) => {
                // Names come from a list, so that an unknown one is the caller's bug.
                let found = builtin::find(name).ok_or(Failed::Internal)?;
                (format!("<{name}>"), found.text.as_bytes().to_vec())
            }
            Spec::Automaton(input) => (input.name(), self.read(input)?),
        };
        let file = self.add(&name, text)?;
        let automaton = parse(&self.map, file, &mut self.diagnostics).ok_or(Failed::BadInput)?;
        if check(&automaton, &mut self.map, &mut self.diagnostics) {
            Ok(automaton)
        } else {
            Err(Failed::BadInput)
        }
    }
}

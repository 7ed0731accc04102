//! The transform request: a program and a specification in, a program with assertions out.

use vergo_automata::builtin::{self, BUILTINS};
use vergo_automata::ltl::{self, Part};
use vergo_automata::threads::{self, Rounds, Sequentialized};
use vergo_automata::{Automaton, Instrumented, check, parse};

use crate::input::Input;
use crate::job::{Failed, Job};

/// The specification that becomes assertions.
#[derive(Clone, Debug)]
pub enum Spec {
    /// An automaton that comes with Vergo, by its name.
    Builtin(String),
    /// An automaton in a file.
    Automaton(Input),
    /// A formula of linear temporal logic, with conditions that have names: texts `NAME=CONDITION`.
    Formula {
        /// The formula, or a file with named conditions and a formula.
        formula: Input,
        /// Named conditions.
        definitions: Vec<Input>,
    },
}

/// A request to transform a program.
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
    weave_automaton(job, input, &automaton)
}

/// The text of the automaton of a specification.
///
/// # Errors
/// If it is not what it should be; the job's diagnostics say what and where.
pub fn automaton(job: &mut Job, spec: &Spec) -> Result<String, Failed> {
    Ok(job.load_automaton(spec)?.to_string())
}

/// A program with an automaton in it.
pub(crate) fn weave_automaton(
    job: &mut Job,
    input: &Input,
    automaton: &Automaton,
) -> Result<Instrumented, Failed> {
    let file = job.load_c(input)?;
    let options = job.c_options();
    vergo_automata::weave(automaton, &mut job.map, file, &options, &mut job.diagnostics)
        .ok_or(Failed::BadInput)
}

impl Job {
    /// Reads and checks an automaton.
    pub(crate) fn load_automaton(&mut self, spec: &Spec) -> Result<Automaton, Failed> {
        let (name, text) = match spec {
            Spec::Builtin(name) => {
                // Names come from a list, so that an unknown one is the caller's bug.
                let found = builtin::find(name).ok_or(Failed::Internal)?;
                (format!("<{name}>"), found.text.as_bytes().to_vec())
            }
            Spec::Automaton(input) => (input.name(), self.read(input)?),
            Spec::Formula { formula, definitions } => {
                let formula = self.load_formula(formula, definitions)?;
                // A formula has an automaton, even if it demands nothing.
                return self.encode(&formula, Part::Whole)?.ok_or(Failed::Internal);
            }
        };
        let file = self.add(&name, text)?;
        let automaton = parse(&self.map, file, &mut self.diagnostics).ok_or(Failed::BadInput)?;
        if check(&automaton, &mut self.map, &mut self.diagnostics) {
            Ok(automaton)
        } else {
            Err(Failed::BadInput)
        }
    }

    /// Reads a formula.
    pub(crate) fn load_formula(
        &mut self,
        formula: &Input,
        definitions: &[Input],
    ) -> Result<ltl::Formula, Failed> {
        let mut load = |input: &Input| {
            let text = self.read(input)?;
            self.add(&input.name(), text)
        };
        let definitions = definitions.iter().map(&mut load).collect::<Result<Vec<_>, _>>()?;
        let file = load(formula)?;
        ltl::parse(&self.map, file, &definitions, &mut self.diagnostics).ok_or(Failed::BadInput)
    }

    /// The automaton of a part of a formula, if there is something in that part.
    pub(crate) fn encode(
        &mut self,
        formula: &ltl::Formula,
        part: Part,
    ) -> Result<Option<Automaton>, Failed> {
        match ltl::encode(formula, part) {
            Ok(None) => Ok(None),
            Ok(Some(automaton)) => {
                let sound = check(&automaton, &mut self.map, &mut self.diagnostics);
                if sound { Ok(Some(automaton)) } else { Err(Failed::BadInput) }
            }
            Err(diagnostic) => Err(self.fail(*diagnostic)),
        }
    }
}

/// A program without threads that does what one with threads does, and which executions it leaves out.
///
/// # Errors
/// If it is not a program, or has something that cannot be followed; the job's diagnostics say what and where.
pub fn sequentialize(
    job: &mut Job,
    input: &Input,
    rounds: Rounds,
) -> Result<Sequentialized, Failed> {
    let file = job.load_c(input)?;
    let options = job.c_options();
    threads::sequentialize(&mut job.map, file, &options, rounds, &mut job.diagnostics)
        .ok_or(Failed::BadInput)
}

/// A request to abstract arrays.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArraysRequest {
    /// Whose functions give arbitrary values, and how many elements are kept.
    pub settings: vergo_arrays::Settings,
}

/// A program whose arrays are abstracted to elements at witness indices, and what was done.
///
/// # Errors
/// If it is not a program, or cannot be transformed; the job's diagnostics say what and where.
pub fn transform_arrays(
    job: &mut Job,
    input: &Input,
    request: ArraysRequest,
) -> Result<vergo_arrays::Transformed, Failed> {
    let file = job.load_c(input)?;
    let options = job.c_options();
    let settings = request.settings;
    vergo_arrays::transform(&mut job.map, file, &options, settings, &mut job.diagnostics)
        .ok_or(Failed::BadInput)
}

//! The test driver of a violation, and the inputs and the schedule of threads as files for `vergo run`.

use std::time::Duration;

use vergo_evidence::harness::{Harness, Unwritten};
use vergo_evidence::opaque::with_opaque_constants;
use vergo_evidence::{Counterexample, Input};
use vergo_goto::program::Function;
use vergo_interp::InputType;
use vergo_lower::codes::NO_BODY;
use vergo_smt::Budget;

use super::arguments::{START, arguments};
use super::report::{CheckReport, Violation};
use crate::binary::is_binary;
use crate::job::Job;
use crate::preprocess::CppFlag;

/// A file to be written.
#[derive(Clone, Debug)]
pub struct HarnessFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// Its text.
    pub text: String,
    /// For the driver, the command that builds the test, given the paths of the driver and of the executable.
    pub command: Vec<String>,
}

/// The time limit for finding the necessary content of memory that nobody has written.
const REPLAY_TIME: Duration = Duration::from_secs(2);

/// The program's copy in which constants are opaque.
const PROGRAM: &str = "program.c";

impl CheckReport {
    /// The files that make the first violation happen for real; none if there is no violation. `paths` are the
    /// program's files as the compiler is to be given them.
    pub fn harness(&self, job: &Job, paths: &[String]) -> Vec<HarnessFile> {
        let Some(violation) = self.violations().next() else { return Vec::new() };
        let claim = violation.counterexample.claim();
        let place = job.map.presumed(violation.span().lo).to_string();
        let text: Vec<u8> = self.files.iter().flat_map(|file| file.text.iter().copied()).collect();
        let missing = missing(job, violation.counterexample.inputs());
        let (counterexample, unwritten) = self.with_uniform_memory(&violation.counterexample);
        let (of_start, others): (Vec<&Input>, Vec<&Input>) =
            counterexample.inputs().iter().partition(|input| input.function == START);
        let arguments =
            self.arguments_looked_at(&counterexample, unwritten).or_else(|| arguments(&of_start));
        let inputs: Vec<_> = others
            .iter()
            .filter(|input| self.is_asked_for(input))
            .map(|input| (input.ty, input.value.clone()))
            .collect();
        let options: Vec<String> = job.cpp.flags.iter().flat_map(compiler_option).collect();
        let mut paths = self.source_paths(job, paths);
        let copy = self.opaque_copy(job, violation);
        if let Some((file_idx, _)) = copy
            && let Some(path) = paths.get_mut(file_idx)
        {
            PROGRAM.clone_into(path);
        }
        let forced = counterexample.forced(&self.program, &Budget::about(REPLAY_TIME));
        let asking: Vec<usize> = match &forced {
            Some(forced) if !forced.inputs.is_empty() => {
                let all = counterexample.inputs().iter().zip(&forced.inputs);
                let asked = all.filter(|(input, _)| self.is_asked_for(input));
                asked.map(|(_, &thread)| thread).collect()
            }
            _ => Vec::new(),
        };
        let harness = Harness {
            files: &paths,
            is_32_bit: self.model_name() == "ILP32",
            property: &claim.property,
            description: &claim.description,
            place: &place,
            text: &text,
            options: &options,
            inputs: &inputs,
            missing: &missing,
            arguments: arguments.as_ref(),
            unwritten,
            forced: forced.as_ref(),
            asking: &asking,
        };
        let lines: String = violation
            .counterexample
            .inputs()
            .iter()
            .map(|input| format!("{}\n", input.value.to_line(input.ty)))
            .collect();
        let mut files = vec![
            HarnessFile {
                name: "harness.c",
                text: harness.text(),
                command: harness.build_command("harness.c", "test"),
            },
            HarnessFile { name: "inputs.txt", text: lines, command: Vec::new() },
        ];
        let copy = copy.map(|(_, text)| HarnessFile { name: PROGRAM, text, command: Vec::new() });
        files.extend(copy);
        let schedule = &violation.counterexample.choices().schedule;
        if !schedule.0.is_empty() {
            let text = format!("# thread, steps: for vergo run --schedule\n{schedule}");
            files.push(HarnessFile { name: "schedule.txt", text, command: Vec::new() });
        }
        files
    }

    /// The files for the compiler: for a goto binary, those that it was made from.
    fn source_paths(&self, job: &Job, paths: &[String]) -> Vec<String> {
        let mut sources = Vec::new();
        for path in paths {
            if !is_binary(&crate::input::Input::File(path.into())) {
                sources.push(path.clone());
                continue;
            }
            let own = self.program.functions.values().filter(|f| f.body.is_some() && !f.library);
            for function in own.filter(|f| !f.span.is_dummy()) {
                let file = job.map.presumed(function.span.lo).file.to_string();
                if !sources.contains(&file) {
                    sources.push(file);
                }
            }
        }
        sources
    }

    /// The driver alone of an execution that comes to a place by these choices.
    pub(crate) fn driver(
        &self,
        job: &Job,
        paths: &[String],
        place: &str,
        inputs: &[Input],
        unwritten: Unwritten,
    ) -> String {
        let text: Vec<u8> = self.files.iter().flat_map(|file| file.text.iter().copied()).collect();
        let (of_start, others): (Vec<&Input>, Vec<&Input>) =
            inputs.iter().partition(|input| input.function == START);
        let inputs: Vec<_> = others
            .iter()
            .filter(|input| self.is_asked_for(input))
            .map(|input| (input.ty, input.value.clone()))
            .collect();
        let arguments = arguments(&of_start);
        let options: Vec<String> = job.cpp.flags.iter().flat_map(compiler_option).collect();
        let harness = Harness {
            files: &self.source_paths(job, paths),
            is_32_bit: self.model_name() == "ILP32",
            property: "cover",
            description: "a goal of coverage is reached",
            place,
            text: &text,
            options: &options,
            inputs: &inputs,
            missing: &missing(job, others.iter().copied()),
            arguments: arguments.as_ref(),
            unwritten,
            forced: None,
            asking: &[],
        };
        harness.text()
    }

    /// Returns whether an input is asked for by one of the program's own functions: choices in models of the library are not.
    fn is_asked_for(&self, input: &Input) -> bool {
        let is_of = |function: &Function| function.library && function.display == input.function;
        input.function != START
            && !input.span.is_dummy()
            && !self.program.functions.values().any(is_of)
    }

    /// The counterexample with memory that a compiler can make, and which that is.
    fn with_uniform_memory(&self, found: &Counterexample) -> (Counterexample, Unwritten) {
        if found.choices().memory.is_empty() {
            return (found.clone(), Unwritten::Zero);
        }
        let same = |unwritten: Unwritten| {
            let other = found.with_unwritten(
                &self.program,
                unwritten.byte(),
                &Budget::about(REPLAY_TIME),
            )?;
            Some((other, unwritten))
        };
        let uniform = Unwritten::ALL.into_iter().find_map(same);
        uniform.unwrap_or_else(|| (found.clone(), Unwritten::Pattern))
    }

    /// For violations that a compiler may compute away, the file of the program that has to be replaced, and by what.
    fn opaque_copy(&self, job: &Job, violation: &Violation) -> Option<(usize, String)> {
        let claim = violation.counterexample.claim();
        if !claim.property.starts_with("arith.") {
            return None;
        }
        let (file, offset) = job.map.lookup(violation.span().lo)?;
        let file_idx = self.files.iter().position(|other| *other.name == **job.map.name(file))?;
        let text = std::str::from_utf8(job.map.text(file)).ok()?;
        let text = with_opaque_constants(text, offset as usize)?;
        Some((file_idx, text))
    }
}

/// The functions without a body whose results the execution chose.
fn missing<'a>(job: &Job, inputs: impl IntoIterator<Item = &'a Input>) -> Vec<(String, InputType)> {
    let without_body = job.diagnostics.iter().filter(|diagnostic| diagnostic.code == NO_BODY);
    let names: Vec<&str> =
        without_body.filter_map(|diagnostic| diagnostic.message.split('`').nth(1)).collect();
    let mut found: Vec<(String, InputType)> = Vec::new();
    for input in inputs {
        let text = String::from_utf8_lossy(job.map.span_text(input.span));
        let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        if let Some(&name) = names.iter().find(|&&name| words.any(|word| word == name))
            && !found.iter().any(|(other, _)| other == name)
        {
            found.push((name.to_owned(), input.ty));
        }
    }
    found
}

fn compiler_option(flag: &CppFlag) -> Vec<String> {
    match flag {
        CppFlag::IncludeDir(path) => vec!["-I".to_owned(), path.display().to_string()],
        CppFlag::Define(text) => vec!["-D".to_owned(), text.clone()],
        CppFlag::Undefine(text) => vec!["-U".to_owned(), text.clone()],
        CppFlag::Include(path) => vec!["-include".to_owned(), path.display().to_string()],
    }
}

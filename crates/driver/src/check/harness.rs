//! The test driver of a violation, and the inputs as a file for `vergo run`.

use vergo_evidence::harness::Harness;
use vergo_interp::InputType;
use vergo_lower::codes::NO_BODY;

use super::report::{CheckReport, Violation};
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

impl CheckReport {
    /// The files that make the first violation happen for real; none if there is no violation. `paths` are the
    /// program's files as the compiler is to be given them.
    pub fn harness(&self, job: &Job, paths: &[String]) -> Vec<HarnessFile> {
        let Some(violation) = self.violations().next() else { return Vec::new() };
        let claim = violation.counterexample.claim();
        let place = job.map.presumed(violation.span().lo).to_string();
        let text: Vec<u8> = self.files.iter().flat_map(|file| file.text.iter().copied()).collect();
        let missing = missing(job, violation);
        let inputs: Vec<_> = violation
            .counterexample
            .inputs()
            .iter()
            // Choices that no call makes, such as the arguments of `main`, cannot be given by a function.
            .filter(|input| !input.span.is_dummy())
            .map(|input| (input.ty, input.value.clone()))
            .collect();
        let options: Vec<String> = job.cpp.flags.iter().flat_map(compiler_option).collect();
        let harness = Harness {
            files: paths,
            is_32_bit: self.model_name() == "ILP32",
            property: &claim.property,
            description: &claim.description,
            place: &place,
            text: &text,
            options: &options,
            inputs: &inputs,
            missing: &missing,
        };
        let lines: String = violation
            .counterexample
            .inputs()
            .iter()
            .map(|input| format!("{}\n", input.value.to_line(input.ty)))
            .collect();
        vec![
            HarnessFile {
                name: "harness.c",
                text: harness.text(),
                command: harness.build_command("harness.c", "test"),
            },
            HarnessFile { name: "inputs.txt", text: lines, command: Vec::new() },
        ]
    }
}

/// The functions without a body whose results the execution chose.
fn missing(job: &Job, violation: &Violation) -> Vec<(String, InputType)> {
    let without_body = job.diagnostics.iter().filter(|diagnostic| diagnostic.code == NO_BODY);
    let names: Vec<&str> =
        without_body.filter_map(|diagnostic| diagnostic.message.split('`').nth(1)).collect();
    let mut found: Vec<(String, InputType)> = Vec::new();
    for input in violation.counterexample.inputs() {
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

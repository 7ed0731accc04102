//! `vergo kani`: the proof harnesses of a Rust crate, from the goto files that Kani leaves.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use vergo_driver::{HarnessReport, Job, KaniRequest, KaniStatus, kani, kani_harnesses};

use crate::output::{self, Status};

/// Arguments of `vergo kani`.
#[derive(Args)]
pub(crate) struct Kani {
    /// Folders that `cargo kani --only-codegen` wrote, or goto binaries.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Verifies only harnesses whose names contain this; may be given several times.
    #[arg(long, value_name = "NAME")]
    harness: Vec<String>,
    /// Gives up on a harness after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    /// Lists the harnesses and verifies none.
    #[arg(long)]
    list: bool,
}

impl Kani {
    pub(crate) fn run(&self) -> Status {
        let timeout = Duration::try_from_secs_f64(self.timeout).unwrap_or(Duration::MAX);
        let request = KaniRequest { harnesses: self.harness.clone(), timeout: Some(timeout) };
        let mut job = Job::default();
        let found = kani_harnesses(&mut job, &self.paths, &request);
        output::diagnostics(&mut job);
        let harnesses = match found {
            Ok(harnesses) => harnesses,
            Err(failure) => return failure.into(),
        };
        if self.list {
            let names: String = harnesses.iter().map(|h| format!("{}\n", h.name)).collect();
            return output::print(names);
        }
        let (mut n_successful, mut n_open, mut failed) = (0, 0, Vec::new());
        for harness in &harnesses {
            let mut job = Job::default();
            let answer = kani(&mut job, harness, &request);
            output::diagnostics(&mut job);
            match answer {
                Err(failure) => return failure.into(),
                Ok(report) => {
                    match report.successful {
                        Some(true) => n_successful += 1,
                        Some(false) => failed.push(&harness.name),
                        None => n_open += 1,
                    }
                    output::print(text(&report));
                }
            }
        }
        let n = harnesses.len();
        let undetermined =
            if n_open > 0 { format!("{n_open} undetermined, ") } else { String::new() };
        let n_failed = failed.len();
        let failed: String =
            failed.iter().map(|name| format!("Verification failed for - {name}\n")).collect();
        output::print(format!(
            "Manual Harness Summary:\n{failed}Complete - {n_successful} successfully verified harnesses, \
             {n_failed} failures, {undetermined}{n} total.\n"
        ));
        match (n_failed, n_open) {
            (0, 0) => Status::Done,
            (0, _) => Status::Unknown,
            _ => Status::False,
        }
    }
}

/// A report as Kani prints it.
fn text(report: &HarnessReport) -> String {
    let mut text = format!("Checking harness {}...\n\nRESULTS:\n", report.harness.name);
    for (i, check) in report.checks.iter().enumerate() {
        let _ = write!(
            text,
            "Check {}: {}\n\t - Status: {}\n\t - Description: \"{}\"\n",
            i + 1,
            check.id,
            check.status.word(),
            check.description
        );
        if check.location.line > 0 {
            let _ =
                writeln!(text, "\t - Location: {} in function {}", check.location, check.function);
        }
        text.push('\n');
    }
    let count = |wanted: KaniStatus| report.checks.iter().filter(|c| c.status == wanted).count();
    let is_goal =
        |status: KaniStatus| matches!(status, KaniStatus::Satisfied | KaniStatus::Unsatisfiable);
    let n_goals = report.checks.iter().filter(|c| is_goal(c.status)).count();
    let n_checks = report.checks.len() - n_goals;
    let _ = write!(text, "\nSUMMARY:\n ** {} of {n_checks} failed", count(KaniStatus::Failure));
    let rest =
        [(KaniStatus::Undetermined, "undetermined"), (KaniStatus::Unreachable, "unreachable")];
    let rest: Vec<String> = rest
        .iter()
        .filter(|(status, _)| count(*status) > 0)
        .map(|(status, word)| format!("{} {word}", count(*status)))
        .collect();
    if !rest.is_empty() {
        let _ = write!(text, " ({})", rest.join(","));
    }
    text.push('\n');
    if n_goals > 0 {
        let satisfied = count(KaniStatus::Satisfied);
        let _ = writeln!(text, "\n ** {satisfied} of {n_goals} cover properties satisfied");
    }
    for check in report.checks.iter().filter(|check| check.status == KaniStatus::Failure) {
        let _ = writeln!(text, "Failed Checks: {}", check.description);
        if check.location.line > 0 {
            let (file, line) = (&check.location.file, check.location.line);
            let _ = writeln!(text, " File: \"{file}\", line {line}, in {}", check.function);
        }
    }
    let verdict = match report.successful {
        Some(true) => "SUCCESSFUL",
        Some(false) => "FAILED",
        None => "UNDETERMINED",
    };
    let _ = write!(text, "\nVERIFICATION:- {verdict}");
    if report.harness.should_panic {
        let failures = report.checks.iter().filter(|check| check.status == KaniStatus::Failure);
        text.push_str(match (failures.count(), report.successful) {
            (_, None) => "",
            (0, _) => " (encountered no panics, but at least one was expected)",
            (_, Some(true)) => " (encountered one or more panics as expected)",
            (_, Some(false)) => " (encountered failures other than panics, which were unexpected)",
        });
    }
    if let Some(reason) = &report.reason {
        let _ = write!(text, " ({reason})");
    }
    let _ = write!(text, "\nVerification Time: {}s\n\n", report.time.as_secs_f64());
    text
}

//! The Kani request: every proof harness in goto files as Kani leaves them, with results in Kani's terms.
//!
//! Kani compiles each harness of a crate to a goto binary, and lists the harnesses in a file `*.kani-metadata.json` beside
//! them. Where that file is missing, a harness is a function without parameters that nothing mentions. The binaries hold
//! Kani's checks as claims with a class and a text:
//!
//! - `cover` claims that a condition never holds: a violation is what the user wants to see (SATISFIED).
//! - `reachability_check` claims that a check is never reached. It names the check by an id that stands in the check's text
//!   as well; a check that is never reached is UNREACHABLE, which is a success that says nothing.
//! - `unsupported_construct` stands for what Kani does not compile: here it is unsupported too, and what depends on it is
//!   UNDETERMINED.
//! - Every other class is a check. CBMC adds those of memory, and so do we.
//!
//! Bounds on loops that a harness asks for are not needed: a proof here is one for every number of rounds. What Kani has
//! `goto-instrument` enforce and is not in the files (the frame of a function's contract, contracts of loops) is not checked, so
//! that a harness with such a contract does not count as verified; its failures count.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use vergo_engines::OnViolation;
use vergo_source::{Diagnostic, Location, Span};

use crate::binary::is_binary;
use crate::check::{CheckReport, ClaimReport, ClaimStatus, check};
use crate::codes::{BAD_BINARY, NO_HARNESS};
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::{Answer, CheckRequest, Specification};

/// The properties that Kani has CBMC check besides the claims of the file.
const PROPERTIES: &str = "user.assert,reach.error,call.no-body,memory.bounds,memory.null,memory.lifetime,\
    memory.double-free,memory.invalid-free,arith.division-by-zero";

/// The prefix of a check's id.
const CHECK_ID: &str = "KANI_CHECK_ID_";

/// A request about harnesses.
#[derive(Clone, Debug, Default)]
pub struct KaniRequest {
    /// Only harnesses whose names contain one of these; all if there is none.
    pub harnesses: Vec<String>,
    /// The time limit of each.
    pub timeout: Option<Duration>,
}

/// A proof harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Harness {
    /// Its name in the source.
    pub name: String,
    /// The name of its function in the file.
    pub function: String,
    /// The goto binary.
    pub file: PathBuf,
    /// True if it is expected to panic.
    pub should_panic: bool,
    /// The check that Kani enforces for it and that its file does not contain.
    pub enforced: Option<&'static str>,
}

/// The result of a harness.
#[derive(Clone, Debug)]
pub struct HarnessReport {
    /// The harness.
    pub harness: Harness,
    /// Its checks in the order of the source, without those of reachability.
    pub checks: Vec<KaniCheck>,
    /// The verdict; nothing if it is not known.
    pub successful: Option<bool>,
    /// The reason why it is not known.
    pub reason: Option<String>,
    /// The time that it took.
    pub time: Duration,
}

/// A check of a harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KaniCheck {
    /// Function, class and number, as Kani names checks.
    pub id: String,
    /// Its status.
    pub status: KaniStatus,
    /// Its description.
    pub description: String,
    /// File, line and column.
    pub location: Location,
    /// The function in which it stands.
    pub function: String,
}

macro_rules! statuses {
    ($($name:ident $word:literal $doc:literal,)*) => {
        /// The status of a check, in Kani's words.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum KaniStatus { $(#[doc = $doc] $name,)* }

        impl KaniStatus {
            /// Kani's word.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(KaniStatus::$name => $word,)* }
            }
        }
    };
}

statuses! {
    Success "SUCCESS" "It holds.",
    Failure "FAILURE" "It can be violated.",
    Unreachable "UNREACHABLE" "No execution reaches it.",
    Undetermined "UNDETERMINED" "Nothing is known.",
    Satisfied "SATISFIED" "A goal of coverage is reached.",
    Unsatisfiable "UNSATISFIABLE" "A goal of coverage cannot be reached.",
}

/// The harnesses of files and folders, in the order of their names in each.
///
/// # Errors
/// If there is none, or a file cannot be read; the job's diagnostics say why.
pub fn kani_harnesses(
    job: &mut Job,
    paths: &[PathBuf],
    request: &KaniRequest,
) -> Result<Vec<Harness>, Failed> {
    let mut found: Vec<Harness> = Vec::new();
    for path in paths {
        let mut files = files_below(path);
        files.sort();
        let described: Vec<&PathBuf> =
            files.iter().filter(|f| f.to_string_lossy().ends_with(".kani-metadata.json")).collect();
        for file in &described {
            found.extend(described_harnesses(job, file)?);
        }
        if described.is_empty() {
            for file in &files {
                let input = Input::File(file.clone());
                if is_binary(&input) {
                    found.extend(root_harnesses(job, &input, file)?);
                }
            }
        }
    }
    let wanted = |name: &str| {
        request.harnesses.is_empty() || request.harnesses.iter().any(|part| name.contains(part))
    };
    found.retain(|harness| wanted(&harness.name));
    if found.is_empty() {
        let message = "there is no proof harness".to_owned();
        let diagnostic = Diagnostic::error(NO_HARNESS, Span::DUMMY, message);
        let help = "name the folder that `cargo kani --only-codegen` wrote, or goto binaries in it";
        return Err(job.fail(diagnostic.help(help)));
    }
    Ok(found)
}

/// Verifies one harness.
///
/// # Errors
/// If its file is no program; the job's diagnostics say why.
pub fn kani(
    job: &mut Job,
    harness: &Harness,
    request: &KaniRequest,
) -> Result<HarnessReport, Failed> {
    let start = Instant::now();
    job.goals = true;
    let specification =
        Specification::from_name(PROPERTIES).unwrap_or_else(Specification::standard);
    let asked = CheckRequest {
        specification,
        entry: Some(harness.function.clone()),
        timeout: request.timeout,
        on_violation: OnViolation::GoOn,
        ..CheckRequest::default()
    };
    let report = check(job, &[Input::File(harness.file.clone())], &asked, &|_| {})?;
    let checks = checks(job, &report);
    let failures = checks.iter().filter(|c| c.status == KaniStatus::Failure).count();
    let open = checks.iter().any(|c| c.status == KaniStatus::Undetermined);
    // Goals that are reached are violations to the engines, so the checks decide, not the answer; but what stands in the way of
    // a proof need not be a check.
    let withheld = report.assumptions.iter().find(|assumption| assumption.withholds());
    let reason = match (&report.answer, withheld) {
        (Answer::Unknown(reason), _) => Some(reason.to_string()),
        (_, Some(assumption)) => Some(format!("it rests on this: {}", assumption.text)),
        _ => None,
    };
    let open = open || reason.is_some();
    let successful = match (failures, open, harness.should_panic) {
        (0, true, _) => None,
        (0, false, should_panic) => Some(!should_panic),
        (_, _, false) => Some(false),
        // What is to panic may do nothing else that is wrong.
        (_, _, true) => {
            let fail = |c: &&KaniCheck| c.status == KaniStatus::Failure;
            let only_panics = checks.iter().filter(fail).all(|c| c.id.contains(".assertion."));
            if only_panics && open { None } else { Some(only_panics) }
        }
    };
    // Nothing is said of what is not in the file, unless a check fails.
    let (successful, reason) = match (harness.enforced, successful) {
        (Some(what), Some(true)) => (None, Some(format!("{what} is not checked"))),
        _ => (successful, reason),
    };
    let reason = reason.filter(|_| successful.is_none());
    let time = start.elapsed();
    Ok(HarnessReport { harness: harness.clone(), checks, successful, reason, time })
}

fn checks(job: &Job, report: &CheckReport) -> Vec<KaniCheck> {
    let class_of = |claim: &ClaimReport| {
        let key = (claim.site.span.lo, claim.site.claim.description.clone());
        job.classes.get(&key).cloned().unwrap_or_else(|| claim.site.claim.property.clone())
    };
    // The ids of checks that nothing reaches.
    let unreached: Vec<&str> = report
        .claims
        .iter()
        .filter(|c| class_of(c) == "reachability_check" && matches!(c.status, ClaimStatus::Holds))
        .filter_map(|c| check_id(&c.site.claim.description))
        .collect();
    let mut list: Vec<KaniCheck> = Vec::new();
    let mut numbers: Vec<(String, u32)> = Vec::new();
    for claim in &report.claims {
        let class = class_of(claim);
        // What an engine says of a part of the library is nothing that Kani knows, unless it fails.
        if class == "reachability_check"
            || claim.site.library && !matches!(claim.status, ClaimStatus::Violated(_))
        {
            continue;
        }
        let text = &claim.site.claim.description;
        let unreachable = check_id(text).is_some_and(|id| unreached.contains(&id));
        let status = match (&claim.status, class == "cover") {
            (ClaimStatus::Holds, false) if unreachable => KaniStatus::Unreachable,
            (ClaimStatus::Holds, true) if unreachable => KaniStatus::Unreachable,
            (ClaimStatus::Holds, true) => KaniStatus::Unsatisfiable,
            (ClaimStatus::Violated(_), true) => KaniStatus::Satisfied,
            (ClaimStatus::Holds, false) => KaniStatus::Success,
            (ClaimStatus::Violated(_), false) => KaniStatus::Failure,
            (ClaimStatus::Unknown(_) | ClaimStatus::NotChecked, _) => KaniStatus::Undetermined,
        };
        let stem = format!("{}.{class}", claim.site.function);
        let number = match numbers.iter_mut().find(|(s, _)| *s == stem) {
            Some((_, n)) => {
                *n += 1;
                *n
            }
            None => {
                numbers.push((stem.clone(), 1));
                1
            }
        };
        list.push(KaniCheck {
            id: format!("{stem}.{number}"),
            status,
            description: without_id(text).to_owned(),
            location: job.map.presumed(claim.site.span.lo),
            function: claim.site.function.clone(),
        });
    }
    list
}

/// The id of a check in its text.
fn check_id(text: &str) -> Option<&str> {
    let start = text.find(CHECK_ID)?;
    let rest = &text[start..];
    Some(rest.split([']', ' ', '"']).next().unwrap_or(rest))
}

/// The text of a check without its id.
fn without_id(text: &str) -> &str {
    match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((id, rest)) if id.starts_with(CHECK_ID) => rest,
        _ => text,
    }
}

/// The files of a folder and of those below it; of a file, itself.
fn files_below(path: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut work = vec![path.to_owned()];
    while let Some(path) = work.pop() {
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        // A link may lead back to a folder above it.
        work.extend(entries.map(|e| e.path()).filter(|p| !p.is_symlink() || p.is_file()));
    }
    files
}

/// The harnesses that Kani's list names. The goto files are where it says, or beside it if the folder was moved.
fn described_harnesses(job: &mut Job, file: &Path) -> Result<Vec<Harness>, Failed> {
    let bytes = job.read(&Input::File(file.to_owned()))?;
    let list: Value = serde_json::from_slice(&bytes).map_err(|error| {
        let message = format!("`{}` is not a list of harnesses: {error}", file.display());
        job.fail(Diagnostic::error(BAD_BINARY, Span::DUMMY, message))
    })?;
    let mut harnesses = Vec::new();
    for entry in list["proof_harnesses"].as_array().into_iter().flatten() {
        let text = |key: &str| entry[key].as_str();
        let (Some(function), Some(goto)) = (text("mangled_name"), text("goto_file")) else {
            continue;
        };
        let goto = PathBuf::from(goto);
        let beside = file.with_file_name(goto.file_name().unwrap_or_default());
        let enforced = match (&entry["contract"], entry["has_loop_contracts"].as_bool()) {
            (Value::Object(_), _) => Some("the frame of its contract"),
            (_, Some(true)) => Some("a contract of a loop"),
            _ => None,
        };
        harnesses.push(Harness {
            name: text("pretty_name").unwrap_or(function).to_owned(),
            function: function.to_owned(),
            file: if goto.is_file() { goto } else { beside },
            should_panic: entry["attributes"]["should_panic"].as_bool().unwrap_or(false),
            enforced,
        });
    }
    Ok(harnesses)
}

/// The harnesses of a file of which nothing is said.
fn root_harnesses(job: &mut Job, input: &Input, file: &Path) -> Result<Vec<Harness>, Failed> {
    let binary = job.read_binary(input)?;
    let roots = binary.roots().into_iter().filter(|symbol| {
        !symbol.name.starts_with("__CPROVER") && !symbol.name.starts_with("__ESBMC")
    });
    let mut harnesses: Vec<Harness> = roots
        .map(|symbol| Harness {
            name: match symbol.pretty_name.is_empty() {
                true => symbol.name.to_string(),
                false => symbol.pretty_name.to_string(),
            },
            function: symbol.name.into_owned(),
            file: file.to_owned(),
            should_panic: false,
            enforced: None,
        })
        .collect();
    if harnesses.is_empty() {
        // A file that is linked has a start that names its harness.
        harnesses.push(Harness {
            name: "main".to_owned(),
            function: "main".to_owned(),
            file: file.to_owned(),
            should_panic: false,
            enforced: None,
        });
    }
    harnesses.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(harnesses)
}

//! The façade: check, transform, run and dump requests in, reports out; owns the pipelines.
//!
//! A [`Job`] holds what one run of the tool has in common: the source map, the diagnostics
//! and the options of the C dialect. Requests are functions on it; they return text or values
//! and never print, exit or read the environment. What they need from outside comes in through
//! options, so that the command line and a language server can use the same requests.

mod assertions;
mod binary;
mod check;
mod check_spec;
mod chosen_passes;
mod codes;
mod comparison;
mod compile_commands;
mod cover;
mod cpp_dialect;
mod dump;
mod explain;
mod express;
mod front_ends;
mod goto;
mod import;
mod init;
mod input;
mod job;
mod kani;
mod landmarks;
mod parts;
pub mod preprocess;
mod project;
mod proof;
mod prove;
mod recording;
mod recurrence;
mod run;
mod sealed;
mod smt2;
mod system;
mod transcode;
mod transform;
mod triage;
mod validate;
mod view;
mod whole_file;

pub use check::{
    Answer, Assumption, Baseline, Cache, CacheStore, CacheUse, CheckReport, CheckRequest,
    ClaimReport, ClaimStatus, HarnessFile, Lasso, Properties, SliceSize, Slicing, SourceFile,
    Specification, Statistics, Suggestion, TaskDefinition, TaskProperty, TraceDetail, TraceLine,
    Violation, check, refine_arrays, show_loops,
};
pub use check_spec::check_spec;
pub use chosen_passes::{ChosenPasses, passes};
pub use codes::DRIVER_CODES;
pub use comparison::{ComparedClaim, Comparison, compare_reports};
pub use compile_commands::{COMPILE_COMMANDS, CompileCommands};
pub use cover::{
    CoverReport, CoverRequest, Criterion, GoalReport, GoalStatus, TestFile, cover, criteria,
};
pub use dump::{Stage, dump};
pub use explain::{all_codes, explain};
pub use express::goto_binary;
pub use front_ends::FrontEnd;
pub use goto::{GotoRequest, Report, goto};
pub use import::{Imported, import_cbmc};
pub use init::init;
pub use input::Input;
pub use job::{Failed, Job, Stages};
pub use kani::{Harness, HarnessReport, KaniCheck, KaniRequest, KaniStatus, kani, kani_harnesses};
pub use parts::Part;
pub use project::{PROJECT_FILE, Project, Proof, Proofs, files_below, matches_name};
pub use proof::{Pointers, ProofOptions};
pub use prove::{
    Place, ProofResult, ProofVerdict, ProveReport, ProveRequest, ProveStep, prove, work,
};
pub use recording::{Change, RecordedStep, Recording, Value};
pub use run::{Ended, NondetInputs, RunRequest, Schedule, Turns, World, record_run, run};
pub use smt2::{Interpolation, Smt2Answer, Smt2Request, smt2};
pub use system::{SystemFormat, transition_system};
pub use transcode::{BinaryFormat, transcode};
pub use transform::{
    ArraysRequest, Spec, TransformRequest, automaton, sequentialize, specs, transform,
    transform_arrays,
};
pub use triage::{
    Fate as TriageFate, Kind as WarningKind, LONGEST as LONGEST_TRIAGE, Triage, TriageRequest,
    Warning, triage,
};
pub use validate::{Fate, ValidateRequest, Validation, validate};
pub use vergo_analysis::numeric::Arithmetic;
pub use vergo_arrays::{
    Dialect, Refinement as ArraysRefinement, Report as ArraysReport, Settings as ArraysSettings,
};
pub use vergo_automata::threads::{Rounds, Sequentialized};
pub use vergo_cfront::target::DataModel;
pub use vergo_engines::{Effort, EngineId, OnViolation, Order, Progress, Refined};
pub use vergo_evidence::{Certify, ClauseProof, LoopInvariant, Reason};
pub use vergo_gbf::Dialect as BinaryDialect;
pub use vergo_passes::PassId;
pub use vergo_passes::interval_facts::Numbers;
pub use vergo_passes::properties::groups::GROUPS;
pub use vergo_passes::properties::{ByDefault, PropertyId, PropertySet};
pub use vergo_passes::undefined::{Treatment, UNDEFINED};
pub use vergo_smt::CancelToken;
pub use view::{FunctionView, NameView, View};

/// The functions of the C library that have a model: name, header, and how closely the model follows the function.
pub fn library() -> Vec<(String, String, &'static str)> {
    let mut rows = Vec::new();
    for model in vergo_lower::models::MODELS {
        let Some((header, _)) = model.path.rsplit_once('/') else { continue };
        for &name in model.stems().iter().filter(|name| !name.starts_with("__vergo")) {
            let standing = vergo_lower::standing::Standing::of(name).text();
            rows.push((name.to_owned(), header.to_owned(), standing));
        }
    }
    rows.sort();
    rows
}

//! `vergo check`: decides whether a program can go wrong.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};
use vergo_driver::{
    Answer, Baseline, Cache, CacheStore, Certify, CheckReport, CheckRequest, ClaimStatus,
    ClauseProof, EngineId, Input, Job, OnViolation, Order, PROJECT_FILE, Progress, Project,
    Slicing, Spec, Specification, Statistics, Suggestion, TaskDefinition, TraceDetail,
};

use crate::arguments::{CArgs, project_file, specification};
use crate::output::{self, Status};
use crate::pass_arguments::PassArgs;
use crate::progress::{Follower, Shown};
use crate::proof::ProofArgs;
use crate::spec::SpecArgs;
use crate::watchdog::Watchdog;

/// Arguments of `vergo check`.
#[derive(Args)]
#[command(after_help = AFTER_HELP, mut_arg("files", |files| files.required(false)))]
pub(crate) struct Check {
    #[command(flatten)]
    c: CArgs,
    /// The properties to check: an SV-COMP property or its .prp file; ids such as memory.bounds,
    /// separated by commas; a family of ids such as memory; by default everything that C leaves
    /// undefined, and assertions.
    #[arg(long, value_name = "PROPERTY", conflicts_with = "spec")]
    property: Option<String>,
    #[command(flatten)]
    spec: SpecArgs,
    /// Stop at the first violation, or give every claim its own verdict; by default first for
    /// SV-COMP's properties and all otherwise.
    #[arg(long, value_enum, value_name = "WHICH")]
    violations: Option<ViolationsArg>,
    /// The algorithm.
    #[arg(long, value_name = "ENGINE", default_value = EngineId::default().info().name, value_parser = engine())]
    engine: EngineId,
    /// The function in which the program begins.
    #[arg(long, value_name = "NAME", default_value = "main")]
    function: String,
    /// The greatest number of undecided rounds of a loop that is looked at.
    #[arg(long, value_name = "N")]
    unwind: Option<u32>,
    /// Bounds for some loops by name, such as main.0:10,search.1:3; --show-loops has the names.
    #[arg(long, value_name = "LOOP:N,...", default_value = "", hide_default_value = true)]
    unwindset: String,
    /// Lists the loops of the program by name, and checks nothing.
    #[arg(long)]
    show_loops: bool,
    /// Tries claims first without the assumptions that share no variable with them.
    #[arg(long)]
    slice_assumptions: bool,
    #[command(flatten, next_help_heading = "Passes before the check")]
    passes: PassArgs,
    /// When engines are given only what the claims depend on.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "always"
    )]
    slice: SliceArg,
    /// Gives engines such as imc no bounds and relations to begin with, as in the literature on them.
    #[arg(long)]
    no_auxiliary: bool,
    /// Takes the verdict of the engine that needs the least work, not of the first by the clock: the same report, certificate
    /// and witness on any machine, however busy, but later.
    #[arg(long)]
    deterministic: bool,
    /// Takes a verdict for known only after a second look at the program, path by path and bit by bit, by code that
    /// shares nothing with the engines and their checkers; for small programs.
    #[arg(long)]
    paranoid: bool,
    #[command(flatten)]
    proof: ProofArgs,
    /// Lets malloc and its like fail.
    #[arg(long)]
    malloc_may_fail: bool,
    /// Seconds after which the answer is unknown.
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    timeout: Option<f64>,
    /// Megabytes beyond which the answer is unknown.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// The number of groups of claims that are checked at the same time, where not all are decided at once.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// The amount of the execution that leads to a violation to show: nothing, the steps that the
    /// violation depends on, or every step.
    #[arg(long, value_enum, value_name = "DETAIL", default_value_t)]
    trace: TraceArg,
    /// Writes an SV-COMP witness of the verdict: format 2.0, or GraphML (1.0), which knows threads, of
    /// a violation if the file's name ends in `.graphml`.
    #[arg(long, value_name = "FILE", help_heading = "Output files")]
    witness: Option<PathBuf>,
    /// Writes the report as JSON (docs/json.md).
    #[arg(long, value_name = "FILE", help_heading = "Output files")]
    json: Option<PathBuf>,
    /// Writes the report as SARIF 2.1.0.
    #[arg(long, value_name = "FILE", help_heading = "Output files")]
    sarif: Option<PathBuf>,
    /// Writes the report as a page into a folder (index.html): claims, source, and traces to be stepped.
    #[arg(long, value_name = "DIR", help_heading = "Output files")]
    html: Option<PathBuf>,
    /// Writes the report as JUnit XML: a test for each claim.
    #[arg(long, value_name = "FILE", help_heading = "Output files")]
    junit: Option<PathBuf>,
    /// Accepts the violations that the file lists: they do not count for the exit status.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Writes a baseline that accepts all violations of this run.
    #[arg(long, value_name = "FILE", help_heading = "Output files")]
    write_baseline: Option<PathBuf>,
    /// Prints each violation that is not in the baseline as an annotation, for systems that show them beside the code.
    #[arg(long, value_enum, value_name = "SYSTEM", default_value_t, hide_default_value = true)]
    annotate: AnnotateArg,
    /// Writes a C test driver into a folder, which makes the first violation happen for real.
    #[arg(long, value_name = "DIR", help_heading = "Output files")]
    harness: Option<PathBuf>,
    /// Writes the proof of `true` into a folder: clauses (proof.cnf) and their LRAT proof
    /// (proof.lrat), read back and checked.
    #[arg(long, value_name = "DIR", help_heading = "Output files")]
    certify: Option<PathBuf>,
    /// Lets `true` rest on an assumption that is not benign, by its id, such as assembly; may be given
    /// several times.
    #[arg(long, value_name = "ID")]
    allow: Vec<String>,
    /// Keeps verdicts with their evidence in a folder, or on a server (http://HOST/PATH); where a program is as it was,
    /// only the evidence is checked again (docs/proofs.md).
    #[arg(long, value_name = "DIR", value_parser = cache_store)]
    cache: Option<CacheStore>,
    /// Believes `true` of the cache without a check.
    #[arg(long, requires = "cache")]
    trust_cache: bool,
    /// Prints invariants of loops as clauses that can be pasted (docs/cbmc-users.md).
    #[arg(long)]
    suggest: bool,
    /// Prints what each stage took.
    #[arg(long)]
    stats: bool,
    /// Prints each bound that is looked at to standard error, also if that is no terminal.
    #[arg(long)]
    progress: bool,
    /// Prints nothing but the verdict.
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
    /// Prints everything: all steps, claims that are safe, each bound and what each stage took.
    #[arg(long, short)]
    verbose: bool,
}

const AFTER_HELP: &str = "\
The last line of standard output is `RESULT: true`, `RESULT: false(<property>)` or \
`RESULT: unknown(<reason>)`; the exit status is 0, 10 or 20 accordingly, 2 for bad usage or input that is \
not C, and 70 for a bug in Vergo. FILE may be an SV-COMP task definition (.yml). Without FILE, the files and options are \
those of vergo.toml here or in a folder around (docs/ci.md).

Examples:
  vergo check program.c                           every claim gets a verdict
  vergo check --property unreach-call task.yml    as in SV-COMP
  vergo check --unwind 20 --timeout 60 program.c  within bounds
  vergo check --harness out program.c             and a test that fails for real
  vergo check --spec 'G(req -> F ack)' program.c  a formula over global variables (docs/ltl.md)";

/// Which violations are looked for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ViolationsArg {
    /// The first one found is the answer.
    First,
    /// Every claim gets its own verdict.
    All,
}

/// When a slice is used.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug, Default)]
enum SliceArg {
    /// For groups of claims that were left open, but not for all together.
    Never,
    /// Where it is at most two thirds of the program.
    #[default]
    WhereSmall,
    /// Where it is less than the program.
    Always,
}

impl From<SliceArg> for Slicing {
    fn from(asked: SliceArg) -> Slicing {
        match asked {
            SliceArg::Never => Slicing::Never,
            SliceArg::WhereSmall => Slicing::WhereSmall,
            SliceArg::Always => Slicing::Always,
        }
    }
}

/// The service that shows annotations.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug, Default)]
enum AnnotateArg {
    /// Nobody.
    #[default]
    None,
    /// GitHub's runners.
    Github,
}

/// The amount of an execution that is shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug, Default)]
enum TraceArg {
    /// Nothing but the violation and the inputs.
    None,
    /// The steps that the violation depends on.
    #[default]
    Compact,
    /// Every step of the user's own code.
    Full,
}

/// A time in seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 => Ok(seconds),
        _ => Err("a number of seconds is needed, such as 60 or 0.5".to_owned()),
    }
}

/// The place of a cache.
pub(super) fn cache_store(name: &str) -> Result<CacheStore, String> {
    CacheStore::from_name(name)
}

/// The engines of the registry by their names.
pub(super) fn engine() -> impl TypedValueParser<Value = EngineId> {
    let infos = EngineId::ALL.iter().map(|engine| engine.info());
    let values = infos.map(|info| PossibleValue::new(info.name).help(info.summary));
    PossibleValuesParser::new(values)
        .try_map(|name| EngineId::from_name(&name).ok_or("there is no such engine"))
}

impl Check {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let mut job = self.c.job(matches);
        let project = match self.c.has_files() {
            true => None,
            false => match project(&mut job, self.c.names_model(matches)) {
                Ok(project) => Some(project),
                Err(message) => {
                    output::diagnostics(&mut job);
                    output::warn(&message);
                    return Status::BadInput;
                }
            },
        };
        match self.prepare(matches, job, project) {
            Ok(prepared) => self.check(prepared),
            Err(message) => {
                output::warn(&message);
                Status::BadInput
            }
        }
    }

    /// Everything that can be wrong with the arguments is found out before the work begins.
    fn prepare(
        &self,
        matches: &ArgMatches,
        mut job: Job,
        project: Option<Project>,
    ) -> Result<Prepared, String> {
        let mut inputs = self.c.inputs();
        if let Some(project) = &project {
            inputs = project.files()?.into_iter().map(Input::File).collect();
        }
        let project = project.unwrap_or_default();
        let mut property = self.property.clone();
        if let [Input::File(path)] = &inputs[..]
            && path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
        {
            let task = read_task(path)?;
            if let Some(model) = task.model
                && !self.c.names_model(matches)
            {
                job.model = model;
            }
            // An argument that is no property of the task can still be one that Vergo knows.
            property = match task.property(property.as_deref()) {
                Ok(found) => Some(found.file.display().to_string()),
                Err(message) if property.is_none() => {
                    return Err(format!("`{}`: {message}", path.display()));
                }
                Err(_) => property,
            };
            inputs = task.inputs.into_iter().map(Input::File).collect();
        }
        let mut spec = self.spec.spec()?;
        // A property file that is none of SV-COMP's own may hold a formula.
        if let Some(path) = property.as_deref().filter(|path| path.ends_with(".prp"))
            && specification(path).is_err()
            && Path::new(path).is_file()
        {
            spec = Some(Spec::Formula {
                formula: Input::File(path.into()),
                definitions: self.spec.definitions(),
            });
            property = None;
        }
        let specification = match property.as_deref() {
            Some(property) => specification(property)?,
            None if project.property.is_empty() => Specification::standard_for(&inputs),
            None => project.specification(),
        };
        let is_svcomp = match &specification {
            Specification::Claims(properties) => properties.text.is_some(),
            Specification::Other(_) => true,
        } || spec.is_some();
        let on_violation = match self.violations {
            Some(ViolationsArg::First) => OnViolation::Stop,
            Some(ViolationsArg::All) => OnViolation::GoOn,
            None if is_svcomp => OnViolation::Stop,
            None => OnViolation::GoOn,
        };
        for path in [&self.witness, &self.json, &self.sarif, &self.junit, &self.write_baseline]
            .into_iter()
            .flatten()
        {
            output::can_write(path)?;
        }
        for folder in [&self.html, &self.harness, &self.certify].into_iter().flatten() {
            output::make_folder(folder)?;
        }
        // A time that is no duration is a very long one.
        let timeout = self.timeout.map(|s| Duration::try_from_secs_f64(s).unwrap_or(Duration::MAX));
        let timeout = timeout.or(project.timeout);
        let is_named = matches.value_source("function") == Some(ValueSource::CommandLine);
        let function = project.function.filter(|_| !is_named);
        let request = CheckRequest {
            specification,
            engine: self.engine,
            entry: Some(function.unwrap_or_else(|| self.function.clone())),
            unwind: self.unwind.or(project.unwind),
            unwindset: self.unwindset.clone(),
            slice_assumptions: self.slice_assumptions,
            slicing: self.slice.into(),
            passes: self.passes.chosen(),
            without_auxiliary: self.no_auxiliary,
            order: if self.deterministic { Order::ByWork } else { Order::ByClock },
            timeout,
            memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
            on_violation,
            // One proof is written, so the claims stay together.
            jobs: if self.certify.is_some() { 1 } else { self.jobs },
            certify: if self.certify.is_some() { Certify::Clauses } else { Certify::Off },
            paranoid: self.paranoid,
            malloc_may_fail: self.malloc_may_fail,
            // A page steps through the whole execution.
            trace: if self.html.is_some() { TraceDetail::Full } else { self.detail() },
            proof: self.proof.options(),
            allow: self.allow.clone(),
            cache: self.cache.clone().map(|store| {
                let version = crate::VERSION.to_owned();
                Cache { store, version, trust: self.trust_cache }
            }),
            cancel: None,
        };
        Ok(Prepared { job, inputs, request, spec, baseline: self.read_baseline()? })
    }

    fn read_baseline(&self) -> Result<Option<Baseline>, String> {
        let Some(path) = &self.baseline else { return Ok(None) };
        let wrong = |message: String| format!("`{}`: {message}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        Baseline::read(&text).map(Some).map_err(wrong)
    }

    fn detail(&self) -> TraceDetail {
        match self.trace {
            _ if self.verbose => TraceDetail::Full,
            TraceArg::None => TraceDetail::None,
            TraceArg::Compact => TraceDetail::Compact,
            TraceArg::Full => TraceDetail::Full,
        }
    }

    fn check(&self, prepared: Prepared) -> Status {
        let Prepared { mut job, inputs, request, spec, baseline } = prepared;
        // What is known when the work is stopped: what the engine has told last.
        let known = Arc::new(Mutex::new(Statistics::default()));
        let (has_stats, start, last_known) = (self.stats, Instant::now(), Arc::clone(&known));
        let last_words = move || match last_known.lock() {
            Ok(mut known) if has_stats => {
                known.total = start.elapsed();
                format!("Statistics (unfinished):\n{}", known.lines(output::peak_memory()))
            }
            _ => String::new(),
        };
        let watchdog = Watchdog::start(request.timeout, request.memory, last_words);
        if self.show_loops {
            let answer = vergo_driver::show_loops(&mut job, &inputs, &request);
            watchdog.finish();
            output::diagnostics(&mut job);
            return match answer {
                Ok(text) => output::print(text),
                Err(failure) => failure.into(),
            };
        }
        let shown = Shown::of(self.progress || self.verbose, self.quiet);
        let follower = Follower::new(shown, start, Arc::clone(&known));
        let progress = |step: Progress| follower.follow(&step);
        let answer = match &spec {
            Some(spec) => vergo_driver::check_spec(&mut job, &inputs, spec, &request, &progress),
            None => vergo_driver::check(&mut job, &inputs, &request, &progress),
        };
        follower.end();
        let report = match answer {
            Err(failure) => {
                watchdog.finish();
                output::diagnostics(&mut job);
                return failure.into();
            }
            Ok(mut report) => {
                report.statistics.cpu = output::cpu_time();
                report
            }
        };
        output::diagnostics(&mut job);
        let files = self.files(&job, &report, &inputs, baseline.as_ref());
        let mut text = self.text(&mut job, &report, request.on_violation);
        // From here on the answer is this one, whatever the clock says.
        watchdog.finish();
        let mut status = output::verdict(&report);
        if self.annotate == AnnotateArg::Github {
            text.push_str(&annotations(&job, &report, baseline.as_ref()));
        }
        if let Some(baseline) = &baseline {
            let (n_accepted, n_new) = report.against(&job.map, baseline);
            output::note(&format!(
                "{n_accepted} violations are accepted by the baseline, {n_new} are not"
            ));
            if status == Status::False && n_new == 0 {
                status = Status::Done;
            }
        }
        // With a table of claims they are in the text.
        if request.on_violation == OnViolation::Stop && report.answer == Answer::True {
            for assumption in &report.assumptions {
                output::note(&format!("assumed: {}", assumption.text));
            }
        }
        for (path, content) in &files {
            if output::write(path, content.as_bytes()) != Status::Done {
                status = Status::BadInput;
            }
        }
        if let Some(folder) = &self.certify
            && let Err(message) = check_proof(folder, &report)
        {
            output::warn(&message);
            status = Status::Internal;
        }
        match output::print(format!("{text}{}", output::result_line(&report.answer))) {
            Status::Done => status,
            failed => failed,
        }
    }

    /// The files that were asked for, as far as the verdict has them.
    fn files(
        &self,
        job: &Job,
        report: &CheckReport,
        inputs: &[Input],
        baseline: Option<&Baseline>,
    ) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        if let Some(path) = &self.json {
            files.push((path.clone(), report.json(&job.map, self.stats)));
        }
        if let Some(path) = &self.sarif {
            files.push((path.clone(), report.sarif(&job.map, baseline)));
        }
        if let Some(path) = &self.junit {
            files.push((path.clone(), report.junit(&job.map)));
        }
        if let Some(path) = &self.write_baseline {
            files.push((path.clone(), report.baseline(&job.map)));
        }
        if let Some(folder) = &self.html {
            files.push((folder.join("index.html"), report.html(&job.map)));
        }
        if let Some(path) = &self.witness {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
            let is_graphml = path.extension().is_some_and(|extension| extension == "graphml");
            let is_proved = matches!(report.answer, Answer::True);
            let witness = match is_graphml {
                true => report.graphml(job, now),
                false => report.witness(job, now),
            };
            match witness {
                Some(text) => files.push((path.clone(), text)),
                None if report.answer.is_unknown() => {
                    output::warn("no witness is written, since there is no verdict");
                }
                None if is_graphml && is_proved => {
                    output::warn(
                        "GraphML has no witnesses of proofs: name a file that ends in .yml",
                    );
                }
                None => output::warn(
                    "no witness is written, since the format has none for executions that do not end",
                ),
            }
        }
        if let Some(folder) = &self.harness {
            let paths: Vec<String> = inputs
                .iter()
                .map(|input| match input {
                    Input::File(path) => absolute(path),
                    Input::Text { name, .. } => name.clone(),
                })
                .collect();
            for file in report.harness(job, &paths) {
                files.push((folder.join(file.name), file.text));
            }
        }
        if let Some(folder) = &self.certify {
            let certificate = report.certificate.as_ref().filter(|_| report.answer == Answer::True);
            match certificate.and_then(|certificate| certificate.clause_proof()) {
                Some(proof) => {
                    files.push((folder.join(FORMULA), proof.formula().to_owned()));
                    files.push((folder.join(PROOF), proof.proof().to_owned()));
                }
                None => output::warn("there is no proof to be written"),
            }
        }
        files
    }

    /// Returns the text on standard output before the verdict.
    fn text(&self, job: &mut Job, report: &CheckReport, on_violation: OnViolation) -> String {
        let mut text = String::new();
        if self.quiet {
            return text;
        }
        for violation in report.violations() {
            text.push_str(&output::rendered(job, &report.diagnostic(violation)));
            let trace = report.trace_text(&job.map, violation, self.detail());
            if !trace.is_empty() {
                text.push_str("\n  Steps to the violation:\n");
                text.push_str(&trace);
            }
            text.push('\n');
        }
        if on_violation == OnViolation::GoOn && !report.claims.is_empty() {
            text.push_str(&output::table(&report.table(&job.map, self.verbose)));
            text.push_str("\nAssumed:\n");
            text.push_str(&report.assumption_lines());
            text.push('\n');
        }
        if let Some(lasso) = report.lasso.as_ref().filter(|_| self.trace != TraceArg::None) {
            text.push_str(lasso.text(&job.map).trim_start_matches('\n'));
            text.push('\n');
        }
        if self.suggest {
            text.push_str(&suggestions(job, report));
        }
        if let Some(proof) = report.proof() {
            text.push_str(&format!("Proof: {proof}\n"));
        }
        if let Some(line) = report.cache.as_ref().and_then(|used| used.line()) {
            text.push_str(&format!("{line}\n"));
        }
        if let Some(look) = &report.second_look {
            text.push_str(&format!("Second look: {look}\n"));
        }
        if self.stats || self.verbose {
            text.push_str("Statistics:\n");
            text.push_str(&report.statistics_lines(output::peak_memory()));
        }
        text
    }
}

/// Clauses for the loops of a program.
fn suggestions(job: &Job, report: &CheckReport) -> String {
    let found = report.suggestions(job);
    if found.is_empty() {
        return "No contract of a loop was found.\n\n".to_owned();
    }
    let line = |at: &Suggestion| {
        let function = at.function.as_deref().map(|name| format!(" in {name}"));
        format!("  {}{}:\n    {}\n", at.place, function.unwrap_or_default(), at.clause)
    };
    let lines: String = found.iter().map(line).collect();
    format!("Suggested contracts of loops:\n{lines}\n")
}

/// The project of the working folder, which the job is told of.
fn project(job: &mut Job, keep_model: bool) -> Result<Project, String> {
    let missing =
        || format!("name the C files to be checked, or run `vergo init` to write a {PROJECT_FILE}");
    let path = project_file().ok_or_else(missing)?;
    let shown = path.display();
    let project = Project::read(job, &path).map_err(|_| format!("`{shown}` cannot be used"))?;
    let model = job.model;
    project.configure(job)?;
    if keep_model {
        job.model = model;
    }
    Ok(project)
}

/// The data for a check.
struct Prepared {
    job: Job,
    inputs: Vec<Input>,
    request: CheckRequest,
    spec: Option<Spec>,
    baseline: Option<Baseline>,
}

/// The violations that are not accepted, as GitHub's runners read them.
fn annotations(job: &Job, report: &CheckReport, baseline: Option<&Baseline>) -> String {
    let mut text = String::new();
    let escape = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    for (claim, fingerprint) in report.claims.iter().zip(report.fingerprints(&job.map)) {
        let ClaimStatus::Violated(violation) = &claim.status else { continue };
        if baseline.is_some_and(|baseline| baseline.contains(&fingerprint)) {
            continue;
        }
        let at = job.map.presumed(violation.span().lo);
        let file = escape(&at.file).replace(':', "%3A").replace(',', "%2C");
        let place = format!("file={file},line={},col={}", at.line, at.column);
        let (title, message) = (escape(&claim.site.claim.property), escape(&violation.message()));
        text.push_str(&format!("::error {place},title={title}::{message}\n"));
    }
    text
}

/// The names of the proof's files.
const FORMULA: &str = "proof.cnf";
const PROOF: &str = "proof.lrat";

/// Reads a proof back and checks it.
fn check_proof(folder: &Path, report: &CheckReport) -> Result<(), String> {
    let has_proof = report.certificate.as_ref().is_some_and(|c| c.clause_proof().is_some());
    if !has_proof || report.answer != Answer::True {
        return Ok(());
    }
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))
    };
    let proof = ClauseProof::from_texts(read(FORMULA)?, read(PROOF)?);
    proof.check().map_err(|error| format!("the proof that was written is wrong: {error}"))?;
    output::note(&format!("`{}` was read back and accepted", folder.join(PROOF).display()));
    Ok(())
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

fn read_task(path: &Path) -> Result<TaskDefinition, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    TaskDefinition::read(&text, path.parent().unwrap_or(Path::new("")))
        .map_err(|message| format!("`{}`: {message}", path.display()))
}

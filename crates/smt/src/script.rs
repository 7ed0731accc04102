//! SMT-LIB scripts: executes commands and gives back what a conforming solver prints.
//!
//! Errors are reported as `(error "line:column: message")` and execution goes on with the next
//! command (`:error-behavior` is `continued-execution`).  Interpolants are computed by a solver of their
//! own that sees the whole query again, so that scripts which never ask for them pay nothing.

use crate::interpolants::{InterpolantError, check_interpolants};
use crate::solver::{Answer, Reason, Solver, SolverOptions, Stats};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use vergo_sat::{Budget, CancelToken, System};
use vergo_term::smtlib::{self, Command, Reader};
use vergo_term::{Evaluator, Sort, TermId, TermStore, Value};

/// The options of a script's execution.
#[derive(Clone, Debug, Default)]
pub struct ScriptOptions {
    /// Time for each check.
    pub timeout: Option<Duration>,
    /// Resident bytes of the process beyond which a check gives up.
    pub memory: Option<u64>,
    /// Raised from outside to stop.
    pub cancel: Option<CancelToken>,
    /// Evaluate every assertion under every model.
    pub check_models: bool,
    /// Replay every refutation, and check every interpolant with a fresh solver.
    pub check_proofs: bool,
    /// The interpolation system.
    pub system: System,
    /// Options of the solver.
    pub solver: SolverOptions,
}

/// The outcome of a script's execution.
#[derive(Clone, Debug, Default)]
pub struct ScriptOutcome {
    /// The answers of the checks, in order.
    pub answers: Vec<Answer>,
    /// The number of errors reported.
    pub n_errors: usize,
    /// Checks whose answer contradicts the preceding `(set-info :status ...)`.
    pub n_contradictions: usize,
    /// Counters of the solver at the end.
    pub stats: Stats,
}

/// Executes a script and hands each piece of output, without a newline at its end, to `out`.
pub fn run_script(text: &str, options: &ScriptOptions, out: &mut dyn FnMut(&str)) -> ScriptOutcome {
    let mut store = TermStore::new();
    let mut reader = Reader::new(text);
    let mut script = Script::new(options.clone());
    loop {
        let start = Instant::now();
        let next = reader.next_command(&mut store);
        script.read_time += start.elapsed();
        let Some(next) = next else { break };
        match next {
            Err(error) => {
                if error.kind == smtlib::SmtErrorKind::Unsupported
                    && let Some(level) = script.levels.last_mut()
                {
                    level.is_incomplete = true;
                }
                script.error(out, &error.to_string());
            }
            Ok(located) => {
                let result = script.execute(&mut store, &located.command, out);
                if let Err(message) = result {
                    script.error(out, &format!("{}: {message}", located.position));
                }
                if located.command == Command::Exit {
                    break;
                }
            }
        }
    }
    script.finish()
}

/// The state of an execution.
struct Script {
    options: ScriptOptions,
    solver: Option<Solver>,
    /// Commands that arrived before the solver was made, and all that are in force since.
    levels: Vec<Level>,
    declared: Vec<Declaration>,
    settings: Vec<(String, String)>,
    logic: Option<String>,
    status: Option<String>,
    assumptions: Vec<(String, TermId)>,
    answer: Option<Answer>,
    read_time: Duration,
    outcome: ScriptOutcome,
}

/// A declared variable or function.
struct Declaration {
    name: String,
    /// Sorts of a function's parameters.
    parameters: Vec<Sort>,
    sort: Sort,
    term: TermId,
    /// The level at which it was declared.
    depth: usize,
}

#[derive(Clone, Default)]
struct Level {
    assertions: Vec<(TermId, Option<String>)>,
    /// True if a command was left out because part of it is not supported: the full script may have fewer models.
    is_incomplete: bool,
}

/// The options that a script may set, with their defaults.
const SETTINGS: &[(&str, &str)] = &[
    ("diagnostic-output-channel", "\"stderr\""),
    ("global-declarations", "false"),
    ("interactive-mode", "false"),
    ("print-success", "false"),
    ("produce-assertions", "true"),
    ("produce-assignments", "false"),
    ("produce-interpolants", "true"),
    ("produce-models", "true"),
    ("produce-proofs", "false"),
    ("produce-unsat-assumptions", "true"),
    ("produce-unsat-cores", "false"),
    ("random-seed", "0"),
    ("regular-output-channel", "\"stdout\""),
    ("reproducible-resource-limit", "0"),
    ("timeout", "0"),
    ("verbosity", "0"),
];

impl Script {
    fn new(options: ScriptOptions) -> Script {
        Script {
            options,
            solver: None,
            levels: vec![Level::default()],
            declared: Vec::new(),
            settings: Vec::new(),
            logic: None,
            status: None,
            assumptions: Vec::new(),
            answer: None,
            read_time: Duration::ZERO,
            outcome: ScriptOutcome::default(),
        }
    }

    fn error(&mut self, out: &mut dyn FnMut(&str), message: &str) {
        self.outcome.n_errors += 1;
        out(&format!("(error \"{}\")", message.replace('"', "\"\"")));
    }

    fn finish(mut self) -> ScriptOutcome {
        self.outcome.stats = self.stats();
        self.outcome
    }

    fn stats(&self) -> Stats {
        let stats = self.solver.as_ref().map(Solver::stats).unwrap_or_default();
        Stats { read_time: self.read_time, ..stats }
    }

    fn setting(&self, name: &str) -> &str {
        let set = self.settings.iter().rev().find(|s| s.0 == name).map(|s| s.1.as_str());
        set.or_else(|| SETTINGS.iter().find(|s| s.0 == name).map(|s| s.1)).unwrap_or("")
    }

    fn is_set(&self, name: &str) -> bool {
        self.setting(name) == "true"
    }

    fn execute(
        &mut self,
        store: &mut TermStore,
        command: &Command,
        out: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        match command {
            Command::SetLogic(name) => {
                self.logic = Some(name.clone());
                self.success(out);
            }
            Command::SetOption { keyword, value } => {
                if SETTINGS.iter().any(|s| s.0 == keyword) {
                    self.set_option(keyword, value)?;
                    self.success(out);
                } else {
                    out("unsupported");
                }
            }
            Command::SetInfo { keyword, value } => {
                if keyword == "status" {
                    self.status = Some(value.clone());
                }
                self.success(out);
            }
            Command::Declare { name, parameters, sort, term } => {
                self.declared.push(Declaration {
                    name: name.clone(),
                    parameters: parameters.clone(),
                    sort: *sort,
                    term: *term,
                    depth: self.levels.len(),
                });
                self.changed();
                self.success(out);
            }
            Command::DefineFun { .. } | Command::DefineSort(_) => self.success(out),
            Command::Assert { term, name } => {
                if let Some(solver) = &mut self.solver {
                    solver.assert(*term);
                }
                if let Some(level) = self.levels.last_mut() {
                    level.assertions.push((*term, name.clone()));
                }
                self.changed();
                self.success(out);
            }
            Command::Push(n) => {
                for _ in 0..*n {
                    self.levels.push(Level::default());
                    if let Some(solver) = &mut self.solver {
                        solver.push();
                    }
                }
                self.changed();
                self.success(out);
            }
            Command::Pop(n) => {
                if *n as usize >= self.levels.len() {
                    return Err("there is no level to pop".to_owned());
                }
                for _ in 0..*n {
                    self.levels.pop();
                    if let Some(solver) = &mut self.solver {
                        solver.pop();
                    }
                }
                let depth = self.levels.len();
                self.declared.retain(|d| d.depth <= depth);
                self.changed();
                self.success(out);
            }
            Command::Reset => {
                let outcome = std::mem::take(&mut self.outcome);
                let read_time = self.read_time;
                *self = Script { outcome, read_time, ..Script::new(self.options.clone()) };
                self.success(out);
            }
            Command::ResetAssertions => {
                self.levels = vec![Level::default()];
                self.declared.clear();
                self.solver = None;
                self.changed();
                self.success(out);
            }
            Command::CheckSat => self.check(store, &[], out),
            Command::CheckSatAssuming(literals) => self.check(store, literals, out),
            Command::GetModel => self.get_model(store, out)?,
            Command::GetValue(terms) => self.get_value(store, terms, out)?,
            Command::GetAssertions => {
                let mut text = "(".to_owned();
                for (term, name) in self.levels.iter().flat_map(|l| &l.assertions) {
                    let term = smtlib::print_term(store, *term);
                    let _ = match name {
                        Some(name) => {
                            write!(text, "\n(! {term} :named {})", smtlib::print_symbol(name))
                        }
                        None => write!(text, "\n{term}"),
                    };
                }
                text.push_str(if text.len() > 1 { "\n)" } else { ")" });
                out(&text);
            }
            Command::GetAssignment => {
                let solver = self.after_sat()?;
                let assignment = solver.model(store);
                let mut evaluator = Evaluator::new(store, &assignment);
                let mut parts = Vec::new();
                for (term, name) in self.levels.iter().flat_map(|l| &l.assertions) {
                    if let Some(name) = name {
                        let value = evaluator.value(*term).as_bool();
                        parts.push(format!("({} {value})", smtlib::print_symbol(name)));
                    }
                }
                out(&format!("({})", parts.join(" ")));
            }
            Command::GetProof => out("unsupported"),
            Command::GetUnsatCore => self.get_unsat_core(out)?,
            Command::GetUnsatAssumptions => {
                let used = self.after_unsat()?.core();
                let names = self.assumptions.iter().filter(|a| used.contains(&a.1));
                let names: Vec<&str> = names.map(|a| a.0.as_str()).collect();
                out(&format!("({})", names.join(" ")));
            }
            Command::GetInterpolants(parts) => self.get_interpolants(store, parts, out)?,
            Command::GetInterpolant { name, goal } => {
                let assertions: Vec<TermId> = self.all_assertions();
                let negated = store.not(*goal);
                let terms = self.interpolate(store, &[assertions, vec![negated]])?;
                let text = smtlib::print_term(store, terms[0]);
                out(&format!("(define-fun {} () Bool {text})", smtlib::print_symbol(name)));
            }
            Command::GetInfo(keyword) => self.get_info(keyword, out),
            Command::GetOption(keyword) => match SETTINGS.iter().any(|s| s.0 == keyword) {
                true => out(self.setting(keyword)),
                false => out("unsupported"),
            },
            Command::Echo(text) => out(&format!("\"{}\"", text.replace('"', "\"\""))),
            Command::Exit => self.success(out),
        }
        Ok(())
    }

    fn success(&self, out: &mut dyn FnMut(&str)) {
        if self.is_set("print-success") {
            out("success");
        }
    }

    /// Forgets the answer of the last check.
    fn changed(&mut self) {
        self.answer = None;
    }

    fn set_option(&mut self, keyword: &str, value: &str) -> Result<(), String> {
        let default = SETTINGS.iter().find(|s| s.0 == keyword).map_or("", |s| s.1);
        let fits = match default {
            "true" | "false" => value == "true" || value == "false",
            text if text.starts_with('"') => true,
            _ => value.parse::<u64>().is_ok(),
        };
        if !fits {
            return Err(format!("`{value}` is not a value of option :{keyword}"));
        }
        if self.solver.is_some()
            && matches!(keyword, "produce-unsat-cores" | "produce-proofs" | "random-seed")
        {
            return Err(format!("option :{keyword} cannot be changed any more"));
        }
        self.settings.push((keyword.to_owned(), value.to_owned()));
        Ok(())
    }

    fn all_assertions(&self) -> Vec<TermId> {
        self.levels.iter().flat_map(|l| &l.assertions).map(|a| a.0).collect()
    }

    fn solver(&mut self) -> &mut Solver {
        if self.solver.is_none() {
            let mut options = self.options.solver.clone();
            options.cores |= self.is_set("produce-unsat-cores");
            options.proofs |= self.is_set("produce-proofs") || self.options.check_proofs;
            if let Ok(seed) = self.setting("random-seed").parse() {
                options.seed = seed;
            }
            let mut solver = Solver::new(options);
            for (depth, level) in self.levels.iter().enumerate() {
                if depth > 0 {
                    solver.push();
                }
                for (term, _) in &level.assertions {
                    solver.assert(*term);
                }
            }
            self.solver = Some(solver);
        }
        self.solver.as_mut().expect("the solver was made above")
    }

    fn budget(&self) -> Budget {
        let mut time = self.options.timeout;
        if let Ok(milliseconds @ 1..) = self.setting("timeout").parse::<u64>() {
            let own = Duration::from_millis(milliseconds);
            time = Some(time.map_or(own, |t| t.min(own)));
        }
        Budget {
            memory: self.options.memory,
            cancel: self.options.cancel.clone(),
            ..time.map_or_else(Budget::unlimited, Budget::within)
        }
    }

    fn check(
        &mut self,
        store: &TermStore,
        literals: &[(String, TermId)],
        out: &mut dyn FnMut(&str),
    ) {
        self.assumptions = literals.to_vec();
        let terms: Vec<TermId> = literals.iter().map(|l| l.1).collect();
        let budget = self.budget();
        let (check_models, check_proofs) = (self.options.check_models, self.options.check_proofs);
        let solver = self.solver();
        let mut answer = solver.check(store, &terms, &budget);
        let mut complaint = None;
        match answer {
            Answer::Sat if check_models => {
                let wrong = solver.false_under_model(store);
                if !wrong.is_empty() {
                    complaint = Some(format!("the model falsifies {} assertions", wrong.len()));
                }
            }
            Answer::Unsat if check_proofs => {
                if let Err(error) = solver.check_proof() {
                    complaint = Some(format!("the proof does not check: {error}"));
                }
            }
            _ => {}
        }
        if let Some(complaint) = complaint {
            // An answer without evidence is none.
            self.error(out, &complaint);
            answer = Answer::Unknown(Reason::Other(complaint));
        }
        if answer == Answer::Sat && self.levels.iter().any(|level| level.is_incomplete) {
            let reason = "a command before this one is not supported".to_owned();
            answer = Answer::Unknown(Reason::Other(reason));
        }
        let text = match &answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        if let Some(status) = self.status.take()
            && matches!((status.as_str(), text), ("sat", "unsat") | ("unsat", "sat"))
        {
            self.outcome.n_contradictions += 1;
        }
        out(text);
        self.outcome.answers.push(answer.clone());
        self.answer = Some(answer);
    }

    fn after_sat(&self) -> Result<&Solver, String> {
        match (&self.solver, &self.answer) {
            (Some(solver), Some(Answer::Sat)) => Ok(solver),
            _ => Err("the last check did not find a model".to_owned()),
        }
    }

    fn after_unsat(&mut self) -> Result<&mut Solver, String> {
        match (&mut self.solver, &self.answer) {
            (Some(solver), Some(Answer::Unsat)) => Ok(solver),
            _ => Err("the last check did not find a refutation".to_owned()),
        }
    }

    fn get_model(&self, store: &TermStore, out: &mut dyn FnMut(&str)) -> Result<(), String> {
        let model = self.after_sat()?.model(store);
        let mut evaluator = Evaluator::new(store, &model);
        let mut text = "(".to_owned();
        for Declaration { name, parameters, sort, term, .. } in &self.declared {
            let value = evaluator.value(*term);
            if let (Value::Array(table), false) = (value, parameters.is_empty()) {
                let function = smtlib::print_function(store, name, parameters, *sort, table);
                let _ = write!(text, "\n  {function}");
                continue;
            }
            let value = smtlib::print_value(store, *sort, value);
            let (name, sort) = (smtlib::print_symbol(name), smtlib::print_sort(store, *sort));
            let _ = write!(text, "\n  (define-fun {name} () {sort} {value})");
        }
        text.push_str("\n)");
        out(&text);
        Ok(())
    }

    fn get_value(
        &self,
        store: &TermStore,
        terms: &[(String, TermId)],
        out: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let model = self.after_sat()?.model(store);
        let mut evaluator = Evaluator::new(store, &model);
        let mut parts = Vec::new();
        for (text, term) in terms {
            let value: &Value = evaluator.value(*term);
            parts
                .push(format!("({text} {})", smtlib::print_value(store, store.sort(*term), value)));
        }
        out(&format!("({})", parts.join("\n ")));
        Ok(())
    }

    fn get_unsat_core(&mut self, out: &mut dyn FnMut(&str)) -> Result<(), String> {
        if !self.is_set("produce-unsat-cores") {
            return Err("option :produce-unsat-cores is not set".to_owned());
        }
        let used = self.after_unsat()?.core();
        let assertions = self.levels.iter().flat_map(|l| &l.assertions);
        let names: Vec<String> = assertions
            .filter(|(term, _)| used.contains(term))
            .filter_map(|(_, name)| name.as_ref().map(|n| smtlib::print_symbol(n)))
            .collect();
        out(&format!("({})", names.join(" ")));
        Ok(())
    }

    fn get_interpolants(
        &mut self,
        store: &mut TermStore,
        parts: &[Vec<String>],
        out: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let mut groups = Vec::new();
        for part in parts {
            let mut group = Vec::new();
            for name in part {
                let assertions = self.levels.iter().flat_map(|l| &l.assertions);
                let named = assertions.filter(|a| a.1.as_deref() == Some(name)).map(|a| a.0).next();
                group.push(
                    named.ok_or_else(|| format!("`{name}` is not the name of an assertion"))?,
                );
            }
            groups.push(group);
        }
        if let [first] = &groups[..] {
            // One part against everything else.
            let rest = self.all_assertions().into_iter().filter(|t| !first.contains(t)).collect();
            groups.push(rest);
        }
        let terms = self.interpolate(store, &groups)?;
        let texts: Vec<String> = terms.iter().map(|&t| smtlib::print_term(store, t)).collect();
        out(&format!("({})", texts.join("\n ")));
        Ok(())
    }

    /// Interpolants of a refutation of all parts, found by a solver of their own.
    fn interpolate(
        &mut self,
        store: &mut TermStore,
        parts: &[Vec<TermId>],
    ) -> Result<Vec<TermId>, String> {
        let budget = self.budget();
        let mut solver = Solver::new(SolverOptions {
            seed: self.options.solver.seed,
            ..SolverOptions::interpolating()
        });
        for &term in parts.iter().flatten() {
            solver.assert(term);
        }
        match solver.check(store, &[], &budget) {
            Answer::Unsat => {}
            Answer::Sat => return Err("the parts have a model together".to_owned()),
            Answer::Unknown(reason) => return Err(reason.text()),
        }
        let show = |error: InterpolantError| error.to_string();
        let terms =
            solver.interpolants(store, parts, self.options.system, &budget).map_err(show)?;
        if self.options.check_proofs {
            check_interpolants(store, parts, &terms, &budget).map_err(|flaw| flaw.to_string())?;
        }
        Ok(terms)
    }

    fn get_info(&self, keyword: &str, out: &mut dyn FnMut(&str)) {
        match keyword {
            "name" => out("(:name \"Vergo\")"),
            "version" => out(concat!("(:version \"", env!("CARGO_PKG_VERSION"), "\")")),
            "authors" => out("(:authors \"the Vergo developers\")"),
            "error-behavior" => out("(:error-behavior continued-execution)"),
            "assertion-stack-levels" => {
                out(&format!("(:assertion-stack-levels {})", self.levels.len() - 1));
            }
            "reason-unknown" => match &self.answer {
                Some(Answer::Unknown(Reason::Stopped(vergo_sat::StopReason::Memory))) => {
                    out("(:reason-unknown memout)");
                }
                Some(Answer::Unknown(reason)) => {
                    out(&format!("(:reason-unknown \"{}\")", reason.text().replace('"', "\"\"")));
                }
                _ => out("(:reason-unknown incomplete)"),
            },
            "all-statistics" => {
                out(&format!("({})", statistics(&self.stats()).join("\n ")));
            }
            _ => out("unsupported"),
        }
    }
}

/// Counters as SMT-LIB attributes.
pub fn statistics(stats: &Stats) -> Vec<String> {
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    vec![
        format!(":terms {}", stats.terms),
        format!(":gates {}", stats.gates),
        format!(":gate-bytes {}", stats.gate_bytes),
        format!(":bytes-per-gate {:.1}", stats.gate_bytes as f64 / stats.gates.max(1) as f64),
        format!(":variables {}", stats.sat.vars),
        format!(":clauses {}", stats.sat.clauses),
        format!(":conflicts {}", stats.sat.conflicts),
        format!(":decisions {}", stats.sat.decisions),
        format!(":propagations {}", stats.sat.propagations),
        format!(":checks {}", stats.checks),
        format!(":rounds {}", stats.rounds),
        format!(":lemmas {}", stats.lemmas),
        format!(":read-time {}", seconds(stats.read_time)),
        format!(":blast-time {}", seconds(stats.blast_time)),
        format!(":sat-time {}", seconds(stats.sat.time)),
        format!(":array-time {}", seconds(stats.array_time)),
        format!(":interpolation-time {}", seconds(stats.interpolation_time)),
    ]
}

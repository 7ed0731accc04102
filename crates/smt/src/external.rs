//! Other solvers as SMT-LIB processes.
//!
//! Each check starts a process, gives it the whole query as text and waits for its answer in small
//! steps, so that a deadline or a cancellation ends it at once: the process is killed.
//! A process that has answered `sat` stays until the next check, to be asked for values.

use crate::backend::Backend;
use crate::solver::{Answer, Reason};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use vergo_sat::Budget;
use vergo_term::smtlib::{ScriptWriter, Symbols, parse_term, print_symbol};
use vergo_term::{Assignment, TermId, TermStore, VarId};

/// The command that starts a solver which reads commands from its standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// The command, looked up in the usual places.
    pub command: &'static str,
    /// Its arguments.
    pub args: &'static [&'static str],
}

impl Program {
    /// Returns whether the program can be started.
    pub fn is_installed(self) -> bool {
        let child = Command::new(self.command)
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        child.is_ok()
    }
}

/// A running solver process.
struct Process {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    fn start(program: Program) -> std::io::Result<Process> {
        let mut child = Command::new(program.command)
            .args(program.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let missing = || std::io::Error::other("a pipe to the solver is missing");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let (sender, lines) = channel();
        // Reading in a thread of its own lets us wait with a limit. It ends with the process.
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Process { child, stdin, lines })
    }

    /// The next expression of the output: lines until parentheses are balanced.
    fn answer(&mut self, budget: &Budget) -> Result<String, Reason> {
        let mut text = String::new();
        loop {
            if let Some(reason) = budget.exhausted() {
                return Err(Reason::Stopped(reason));
            }
            match self.lines.recv_timeout(Duration::from_millis(20)) {
                Ok(line) => {
                    text.push_str(&line);
                    text.push('\n');
                    if !text.trim().is_empty() && is_balanced(&text) {
                        return Ok(text.trim().to_owned());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Reason::Other("the solver process ended".to_owned()));
                }
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; either way it must not stay behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A solver that runs as a process.
pub struct ExternalSolver {
    program: Program,
    levels: Vec<Vec<TermId>>,
    process: Option<Process>,
    /// Variables of the last query.
    vars: Vec<VarId>,
    assumptions: Vec<TermId>,
    answer: Option<Answer>,
}

impl ExternalSolver {
    /// A solver without assertions; nothing is started yet.
    pub fn new(program: Program) -> ExternalSolver {
        ExternalSolver {
            program,
            levels: vec![Vec::new()],
            process: None,
            vars: Vec::new(),
            assumptions: Vec::new(),
            answer: None,
        }
    }

    fn ask(&mut self, store: &mut TermStore, budget: &Budget) -> Result<Answer, Reason> {
        let failed = |error: std::io::Error| Reason::Other(error.to_string());
        let mut terms: Vec<TermId> = self.levels.iter().flatten().copied().collect();
        terms.extend(&self.assumptions);
        self.vars = store.free_vars(&terms);
        let (mut script, texts) = ScriptWriter::new().terms(store, &terms);
        for text in texts {
            script.push_str(&format!("(assert {text})\n"));
        }
        script.push_str("(check-sat)\n");
        let mut process = Process::start(self.program).map_err(failed)?;
        let header = "(set-option :produce-models true)\n(set-logic ALL)\n";
        process.stdin.write_all(header.as_bytes()).map_err(failed)?;
        process.stdin.write_all(script.as_bytes()).map_err(failed)?;
        process.stdin.flush().map_err(failed)?;
        let answer = match process.answer(budget)?.as_str() {
            "sat" => Answer::Sat,
            "unsat" => Answer::Unsat,
            "unknown" => {
                Answer::Unknown(Reason::Other("the solver process does not know".to_owned()))
            }
            other => return Err(Reason::Other(other.to_owned())),
        };
        self.process = Some(process);
        Ok(answer)
    }
}

impl Backend for ExternalSolver {
    fn assert(&mut self, term: TermId) {
        self.answer = None;
        if let Some(level) = self.levels.last_mut() {
            level.push(term);
        }
    }

    fn push(&mut self) {
        self.levels.push(Vec::new());
    }

    fn pop(&mut self) -> bool {
        self.answer = None;
        self.levels.len() > 1 && self.levels.pop().is_some()
    }

    fn check(&mut self, store: &mut TermStore, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.process = None;
        self.assumptions = assumptions.to_vec();
        let answer = self.ask(store, budget).unwrap_or_else(Answer::Unknown);
        self.answer = Some(answer.clone());
        answer
    }

    fn model(&mut self, store: &mut TermStore) -> Result<Assignment, String> {
        if self.answer != Some(Answer::Sat) {
            return Err("the last check did not find a model".to_owned());
        }
        let process = self.process.as_mut().ok_or("the solver process ended")?;
        let mut assignment = Assignment::new();
        for &var in &self.vars {
            let info = store.var_info(var).clone();
            let query = format!("(get-value ({}))\n", print_symbol(&info.name));
            process.stdin.write_all(query.as_bytes()).map_err(|e| e.to_string())?;
            process.stdin.flush().map_err(|e| e.to_string())?;
            let text =
                process.answer(&Budget::within(Duration::from_secs(10))).map_err(|r| r.text())?;
            let value = value_text(&text).ok_or_else(|| format!("no value in `{text}`"))?;
            let term =
                parse_term(store, value, &mut Symbols::new()).map_err(|error| error.to_string())?;
            if store.sort(term) != info.sort || !store.free_vars(&[term]).is_empty() {
                return Err(format!("`{value}` is not a value of `{}`", info.name));
            }
            let value = store.eval(term, &Assignment::new());
            assignment.set(var, value);
        }
        Ok(assignment)
    }

    fn core(&mut self) -> Vec<TermId> {
        match self.answer {
            Some(Answer::Unsat) => self.assumptions.clone(),
            _ => Vec::new(),
        }
    }
}

/// Splits a text into the ends of its parenthesised structure: calls `at` with the position and the
/// depth after each parenthesis that is not inside a string or a quoted symbol.
fn scan(text: &str, mut at: impl FnMut(usize, usize)) -> usize {
    let mut depth = 0usize;
    let mut quote = None;
    for (position, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(q), b) if q == b => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'|') => quote = Some(byte),
            (None, b'(') => {
                depth += 1;
                at(position, depth);
            }
            (None, b')') => {
                depth = depth.saturating_sub(1);
                at(position, depth);
            }
            _ => {}
        }
    }
    if quote.is_some() { usize::MAX } else { depth }
}

fn is_balanced(text: &str) -> bool {
    scan(text, |_, _| ()) == 0
}

/// The value in `((symbol value))`.
fn value_text(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?.trim();
    let pair = inner.strip_prefix('(')?.strip_suffix(')')?.trim();
    let end = if let Some(quoted) = pair.strip_prefix('|') {
        quoted.find('|')? + 2
    } else {
        pair.find(|c: char| c.is_whitespace() || c == '(' || c == '#')?
    };
    Some(pair[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found() {
        assert_eq!(value_text("((x #x01))"), Some("#x01"));
        assert_eq!(value_text("((|a b| (fp #b0 #b1 #b1)))"), Some("(fp #b0 #b1 #b1)"));
        assert_eq!(value_text("((x true))"), Some("true"));
        assert_eq!(value_text("(error)"), None);
        assert!(is_balanced("((x \"(\"))") && !is_balanced("((x |)|)"));
    }

    #[test]
    fn a_missing_program_is_an_unknown_answer() {
        let mut solver = ExternalSolver::new(Program { command: "no-such-solver", args: &[] });
        let mut store = TermStore::new();
        let truth = store.true_term();
        solver.assert(truth);
        assert!(matches!(solver.check(&mut store, &[], &Budget::unlimited()), Answer::Unknown(_)));
        assert!(solver.model(&mut store).is_err());
    }
}

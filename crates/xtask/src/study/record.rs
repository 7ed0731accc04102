//! Tasks, what a run on one has found out, and both as CSV.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

/// A program with a property and what holds.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) property: String,
    /// True if the property holds.
    pub(crate) expected: bool,
    pub(crate) model: String,
    pub(crate) category: String,
    /// The number with which its family grows.
    pub(crate) size: Option<u32>,
}

/// The tasks of a list; files are relative to it.
pub(crate) fn read_manifest(path: &Path) -> anyhow::Result<Vec<Task>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read `{}`", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut tasks = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [file, property, expected, model, ..] = fields[..] else { continue };
        let category = file.split('/').next().unwrap_or_default().to_owned();
        let is_new = tasks.iter().all(|task: &Task| task.name != file);
        tasks.push(Task {
            name: if is_new { file.to_owned() } else { format!("{file}:{property}") },
            file: folder.join(file),
            property: property.to_owned(),
            expected: expected == "true",
            model: model.to_owned(),
            category,
            size: None,
        });
    }
    Ok(tasks)
}

/// The result of an engine's run on a task.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Record {
    pub(crate) task: String,
    pub(crate) engine: String,
    /// True if the property holds.
    pub(crate) expected: bool,
    /// `true`, `false`, `timeout`, `memout`, `unknown` or `error`.
    pub(crate) verdict: String,
    /// The reason why it is true: `invariant`, `exhausted` or `complete-unrolling`.
    pub(crate) proof: String,
    /// Seconds of the processor.
    pub(crate) cpu: f64,
    pub(crate) loops: u64,
    pub(crate) bound: u64,
    pub(crate) convergence: u64,
    pub(crate) interpolants: u64,
    pub(crate) atoms: u64,
    pub(crate) iterations: u64,
    pub(crate) global: u64,
    pub(crate) queries: u64,
    /// Terms and clauses that symbolic execution made.
    pub(crate) terms: u64,
    pub(crate) clauses: u64,
}

const HEADER: &str = "task,engine,expected,verdict,proof,cpu,loops,bound,convergence,interpolants,atoms,iterations,global,queries,terms,clauses";

impl Record {
    /// Reads a report; without one, the run has ended in some other way after so many seconds.
    pub(crate) fn new(task: &Task, engine: &str, report: Option<&Value>, wall: f64) -> Record {
        let mut record = Record {
            task: task.name.clone(),
            engine: engine.to_owned(),
            expected: task.expected,
            verdict: "error".to_owned(),
            cpu: wall,
            ..Record::default()
        };
        let Some(report) = report else { return record };
        let result = report["verdict"]["result"].as_str().unwrap_or("error");
        let reason = report["verdict"]["reason"].as_str().unwrap_or_default();
        let verdict = match result {
            "unknown" if reason.starts_with("timeout") => "timeout",
            "unknown" if reason.starts_with("memout") => "memout",
            other => other,
        };
        record.verdict = verdict.to_owned();
        record.proof = report["certificate"]["kind"].as_str().unwrap_or_default().to_owned();
        let statistics = &report["statistics"];
        let seconds = &statistics["seconds"];
        record.cpu = seconds["cpu"].as_f64().or(seconds["total"].as_f64()).unwrap_or(wall);
        record.loops = statistics["loops"].as_u64().unwrap_or(0);
        let figure = |name: &str| statistics["search"][name].as_u64().unwrap_or(0);
        record.bound = figure("bound");
        record.convergence = figure("convergence");
        record.interpolants = figure("interpolants");
        record.atoms = figure("interpolant_atoms");
        record.iterations = figure("iterations");
        record.global = figure("global_iterations");
        record.queries = figure("queries");
        record.terms = statistics["terms"].as_u64().unwrap_or(0);
        record.clauses = statistics["clauses"].as_u64().unwrap_or(0);
        record
    }

    /// The record as a line of CSV.
    pub(crate) fn line(&self) -> String {
        format!(
            "{},{},{},{},{},{:.3},{},{},{},{},{},{},{},{},{},{}\n",
            self.task,
            self.engine,
            self.expected,
            self.verdict,
            self.proof,
            self.cpu,
            self.loops,
            self.bound,
            self.convergence,
            self.interpolants,
            self.atoms,
            self.iterations,
            self.global,
            self.queries,
            self.terms,
            self.clauses
        )
    }

    /// Returns whether the verdict is the right one.
    pub(crate) fn is_correct(&self) -> bool {
        self.verdict == self.expected.to_string()
    }

    /// Returns whether there is a verdict, and it is wrong.
    pub(crate) fn is_wrong(&self) -> bool {
        matches!(self.verdict.as_str(), "true" | "false") && !self.is_correct()
    }

    /// Returns whether it is a proof by a fixed point, not one by unrolling everything.
    pub(crate) fn is_fixed_point(&self) -> bool {
        self.is_correct() && self.expected && self.proof == "invariant"
    }
}

/// Records as CSV.
pub(crate) fn write_records(records: &[Record]) -> String {
    let lines = records.iter().map(Record::line);
    std::iter::once(format!("{HEADER}\n")).chain(lines).collect()
}

/// Records from CSV; lines of another form are left out.
pub(crate) fn read_records(text: &str) -> Vec<Record> {
    let number = |field: &str| field.parse().unwrap_or(0);
    let record = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [task, engine, expected, verdict, proof, cpu, figures @ ..] = &fields[..] else {
            return None;
        };
        let [
            loops,
            bound,
            convergence,
            interpolants,
            atoms,
            iterations,
            global,
            queries,
            terms,
            clauses,
        ] = figures
        else {
            return None;
        };
        Some(Record {
            task: (*task).to_owned(),
            engine: (*engine).to_owned(),
            expected: *expected == "true",
            verdict: (*verdict).to_owned(),
            proof: (*proof).to_owned(),
            cpu: cpu.parse().ok()?,
            loops: number(loops),
            bound: number(bound),
            convergence: number(convergence),
            interpolants: number(interpolants),
            atoms: number(atoms),
            iterations: number(iterations),
            global: number(global),
            queries: number(queries),
            terms: number(terms),
            clauses: number(clauses),
        })
    };
    text.lines().skip(1).filter_map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_read_back() {
        let record = Record {
            task: "a/b.c".to_owned(),
            engine: "imc".to_owned(),
            expected: true,
            verdict: "true".to_owned(),
            proof: "invariant".to_owned(),
            cpu: 1.25,
            loops: 2,
            bound: 3,
            convergence: 4,
            interpolants: 5,
            atoms: 6,
            iterations: 7,
            global: 8,
            queries: 9,
            terms: 10,
            clauses: 11,
        };
        assert!(record.is_fixed_point() && !record.is_wrong());
        assert_eq!(read_records(&write_records(std::slice::from_ref(&record))), [record]);
    }
}

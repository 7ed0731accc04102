//! The forms of coverage reports: a table, annotated source, LCOV's format, and tests as files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use vergo_interp::{InputType, InputValue};

use super::{CoverReport, Criterion, GoalReport, GoalStatus};
use crate::check::escape_xml;
use crate::job::Job;

/// A file of a test suite.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// Its name in the folder.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl GoalStatus {
    /// A word for it.
    pub fn word(&self) -> &'static str {
        match self {
            GoalStatus::Covered(_) => "covered",
            GoalStatus::Unreachable => "unreachable",
            GoalStatus::Unknown(_) => "unknown",
        }
    }
}

impl CoverReport {
    /// Returns the numbers of goals that are covered, unreachable, unknown.
    pub fn counts(&self) -> [usize; 3] {
        let count = |word| self.goals.iter().filter(|goal| goal.status.word() == word).count();
        ["covered", "unreachable", "unknown"].map(count)
    }

    /// Returns the number of tests that reach all covered goals.
    pub fn n_tests(&self) -> usize {
        self.tests.len()
    }

    /// The numbers of goals that are covered, unreachable and unknown, by function and criterion.
    pub(super) fn by_function(&self) -> BTreeMap<(&str, Criterion), [usize; 3]> {
        let mut rows: BTreeMap<(&str, Criterion), [usize; 3]> = BTreeMap::new();
        for goal in &self.goals {
            let row = rows.entry((&goal.function, goal.criterion)).or_default();
            let column = match goal.status {
                GoalStatus::Covered(_) => 0,
                GoalStatus::Unreachable => 1,
                GoalStatus::Unknown(_) => 2,
            };
            row[column] += 1;
        }
        rows
    }

    /// A table by function and criterion, and the goals that are not covered.
    pub fn table(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{:<28} {:<11} {:>7} {:>11} {:>7} {:>6}",
            "function", "criterion", "covered", "unreachable", "unknown", "goals"
        );
        for ((function, criterion), [covered, unreachable, unknown]) in self.by_function() {
            let all = covered + unreachable + unknown;
            let _ = writeln!(
                out,
                "{function:<28} {:<11} {covered:>7} {unreachable:>11} {unknown:>7} {all:>6}",
                criterion.name()
            );
        }
        let [covered, unreachable, unknown] = self.counts();
        let _ = writeln!(
            out,
            "{:<28} {:<11} {covered:>7} {unreachable:>11} {unknown:>7} {:>6}",
            "all",
            "",
            self.goals.len()
        );
        for goal in &self.goals {
            let why = match &goal.status {
                GoalStatus::Covered(_) => continue,
                GoalStatus::Unreachable => String::new(),
                GoalStatus::Unknown(why) => format!(" ({why})"),
            };
            let _ = writeln!(
                out,
                "{}:{}:{}: {} {}: {}{why}",
                goal.file,
                goal.line,
                goal.column,
                goal.criterion.name(),
                goal.status.word(),
                goal.what
            );
        }
        out
    }

    /// The source with what is known of each line: in front of it how many tests execute it, `-----` if no execution does,
    /// `?????` if that is not known.
    pub fn annotated(&self) -> String {
        let lines = self.by_line();
        let mut out = String::new();
        for file in &self.check.files {
            let _ = writeln!(out, "        -:    0:Source:{}", file.name);
            let text = String::from_utf8_lossy(&file.text).into_owned();
            for (i, line) in text.lines().enumerate() {
                let number = i as u32 + 1;
                let mark = match lines.get(&(file.name.clone(), number)) {
                    None => "-".to_owned(),
                    Some(Line { tests, .. }) if !tests.is_empty() => tests.len().to_string(),
                    Some(Line { unknown: true, .. }) => "?????".to_owned(),
                    Some(_) => "-----".to_owned(),
                };
                let _ = writeln!(out, "{mark:>9}:{number:>5}:{line}");
            }
        }
        out
    }

    fn by_line(&self) -> BTreeMap<(String, u32), Line> {
        let mut lines: BTreeMap<(String, u32), Line> = BTreeMap::new();
        let statements = |goal: &&GoalReport| goal.criterion == Criterion::Statement;
        for goal in self.goals.iter().filter(statements) {
            let line = lines.entry((goal.file.clone(), goal.line)).or_default();
            match &goal.status {
                GoalStatus::Covered(by) => line.tests.extend(by),
                GoalStatus::Unreachable => {}
                GoalStatus::Unknown(_) => line.unknown = true,
            }
        }
        lines
    }

    /// The same in the format of LCOV, which other tools make pages of.
    pub fn lcov(&self) -> String {
        let mut out = String::from("TN:vergo\n");
        let files: BTreeSet<&str> = self.goals.iter().map(|goal| goal.file.as_str()).collect();
        let lines = self.by_line();
        for file in files {
            let _ = writeln!(out, "SF:{file}");
            let of = |criterion| {
                let here =
                    move |goal: &&GoalReport| goal.file == file && goal.criterion == criterion;
                self.goals.iter().filter(here)
            };
            let hits = |goal: &GoalReport| match &goal.status {
                GoalStatus::Covered(by) => by.len(),
                _ => 0,
            };
            let (mut found, mut hit) = (0, 0);
            for goal in of(Criterion::Function) {
                let _ = writeln!(out, "FN:{},{}", goal.line, goal.function);
                let _ = writeln!(out, "FNDA:{},{}", hits(goal), goal.function);
                found += 1;
                hit += usize::from(hits(goal) > 0);
            }
            let _ = writeln!(out, "FNF:{found}\nFNH:{hit}");
            (found, hit) = (0, 0);
            for (i, goal) in of(Criterion::Branch).enumerate() {
                let _ = writeln!(out, "BRDA:{},{},{},{}", goal.line, i / 2, i % 2, hits(goal));
                found += 1;
                hit += usize::from(hits(goal) > 0);
            }
            let _ = writeln!(out, "BRF:{found}\nBRH:{hit}");
            (found, hit) = (0, 0);
            for ((_, number), line) in lines.iter().filter(|((name, _), _)| name == file) {
                let _ = writeln!(out, "DA:{number},{}", line.tests.len());
                found += 1;
                hit += usize::from(!line.tests.is_empty());
            }
            let _ = writeln!(out, "LF:{found}\nLH:{hit}\nend_of_record");
        }
        out
    }

    /// The tests as files: for `vergo run --inputs`, as C drivers, and as a suite of Test-Comp's. `paths` are the program's
    /// files as a compiler is to be given them.
    pub fn test_files(&self, job: &Job, paths: &[String]) -> Vec<TestFile> {
        let mut files = vec![TestFile { name: "metadata.xml".to_owned(), text: self.metadata() }];
        for (i, test) in self.tests.iter().enumerate() {
            let number = i + 1;
            let reached: Vec<String> = test
                .reaches
                .iter()
                .map(|&goal| &self.goals[goal])
                .map(|goal| format!("{}:{}: {}", goal.file, goal.line, goal.what))
                .collect();
            let mut text = format!("# reaches {} goals\n", reached.len());
            for goal in &reached {
                let _ = writeln!(text, "#   {}", goal.replace(['\n', '\r'], " "));
            }
            // The first choice is the goal.
            let inputs = test.choices.inputs.get(1..).unwrap_or_default();
            for input in inputs {
                let _ = writeln!(text, "{}", input.value.to_line(input.ty));
            }
            files.push(TestFile { name: format!("test-{number}.txt"), text });
            let values = inputs.iter().map(|input| (input.ty, &input.value));
            files.push(TestFile { name: format!("test-{number}.xml"), text: test_case(values) });
            let place = reached.first().map_or("", String::as_str);
            let driver = self.check.driver(job, paths, place, inputs, test.unwritten);
            files.push(TestFile { name: format!("test-{number}.c"), text: driver });
        }
        files
    }

    /// Returns the metadata of a suite for Test-Comp.
    fn metadata(&self) -> String {
        let file = self.check.files.first();
        let (name, hash) = file
            .map_or((String::new(), String::new()), |f| (escape_xml(&f.name), f.sha256.clone()));
        let is_error = self.goals.iter().all(|goal| goal.criterion == Criterion::ErrorCall);
        let specification = match is_error && !self.goals.is_empty() {
            true => "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )",
            false => "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        };
        let architecture = if self.check.model_name() == "ILP32" { "32bit" } else { "64bit" };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
             <!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
             \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n\
             <test-metadata>\n  <sourcecodelang>C</sourcecodelang>\n  <producer>Vergo</producer>\n  \
             <specification>{}</specification>\n  <programfile>{name}</programfile>\n  \
             <programhash>{hash}</programhash>\n  <entryfunction>{}</entryfunction>\n  \
             <architecture>{architecture}</architecture>\n  <creationtime>1970-01-01T00:00:00Z</creationtime>\n\
             </test-metadata>\n",
            escape_xml(specification),
            escape_xml(&self.check.entry)
        )
    }
}

/// The coverage of a line.
#[derive(Default)]
struct Line {
    tests: BTreeSet<usize>,
    unknown: bool,
}

/// A test in Test-Comp's format.
fn test_case<'a>(inputs: impl Iterator<Item = (InputType, &'a InputValue)>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n",
    );
    for (ty, value) in inputs {
        // The word of the type, and the value.
        let line = value.to_line(ty);
        let text = line.split_once(' ').map_or(line.as_str(), |(_, value)| value);
        let name = match ty {
            InputType::Bool => "_Bool".to_owned(),
            InputType::Int(signed, width) => {
                let sign = if signed { "" } else { "unsigned " };
                let base = match width {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    _ => "long long",
                };
                format!("{sign}{base}")
            }
            InputType::Float(format) if format.width() == 32 => "float".to_owned(),
            InputType::Float(_) => "double".to_owned(),
            InputType::Pointer(_) => "void *".to_owned(),
            InputType::Bytes(_) => "char[]".to_owned(),
        };
        let _ = writeln!(out, "  <input type=\"{name}\">{}</input>", escape_xml(text));
    }
    out.push_str("</testcase>\n");
    out
}

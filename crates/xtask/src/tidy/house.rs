//! Rules that keep each concept in one place: property facts, ghost names, the clock, and the length of files and functions.

use super::{Problem, TextFile};

/// Lines from which on a file is called long.
const LONG_FILE: usize = 800;
/// Lines from which on a function is called long, if no `match` makes it so.
const LONG_FUNCTION: usize = 100;

/// Files that are long, and why they may be.
const LONG_FILES: &[(&str, &str)] = &[
    ("crates/cfront/src/sema/builtin.rs", "one builtin after another"),
    ("crates/cfront/src/sema/init.rs", "the standard's section on initialisation"),
    ("crates/cfront/tests/analysis/messages.rs", "a list of programs and messages"),
    ("crates/goto/src/sample.rs", "a generator with one function for each construct"),
    ("crates/interp/src/code.rs", "a list of operations"),
    ("crates/lower/tests/lower/text.rs", "a list of programs and their GOTO"),
    ("crates/num/src/float/functions.rs", "one function of <math.h> after another"),
    ("crates/smt/src/blast/mod.rs", "one operator after another"),
];

/// Functions that are long, and why they may be.
const LONG_FUNCTIONS: &[(&str, &str, &str)] = &[
    ("crates/automata/src/ltl/encode.rs", "automaton", "the tables of one automaton"),
    ("crates/cfront/src/literal.rs", "number", "the grammar of numbers, character by character"),
    ("crates/cfront/src/parse/spec.rs", "specifiers", "a loop around a match"),
    ("crates/cfront/src/sema/declarator.rs", "parameters", "the standard's constraints in order"),
    (
        "crates/cfront/src/sema/function.rs",
        "function_definition",
        "the standard's constraints in order",
    ),
    ("crates/cfront/src/sema/record.rs", "field", "the standard's constraints in order"),
    (
        "crates/cfront/src/sema/variable.rs",
        "declare_variable",
        "the standard's constraints in order",
    ),
    ("crates/driver/src/landmarks.rs", "of_tree", "a loop around a match"),
    ("crates/goto/src/text/parse.rs", "names", "a loop around a match"),
    ("crates/interp/src/format.rs", "format", "a loop around a match"),
    ("crates/interp/src/machine/words.rs", "execute", "a loop around a match"),
    ("crates/interp/src/scan.rs", "scan", "a loop around a match"),
    ("crates/passes/src/coverage.rs", "function", "a loop around a match"),
    (
        "crates/ts/src/single_loop.rs",
        "close",
        "steps that share their variables; to be taken apart",
    ),
    ("crates/ts/src/watch.rs", "of", "steps that share their variables; to be taken apart"),
];

/// Where names that begin with `__vergo` mean something: the language of models, which has them as C has its builtins.
const OWN_NAMES: &[&str] = &[
    "crates/cfront/src/",
    "crates/lower/src/",
    "crates/driver/src/binary.rs",
    "crates/driver/src/lib.rs",
    "crates/driver/src/check.rs",
    "crates/driver/src/check/report.rs",
];

/// Crates in which only work may decide: the clock is read to be shown, and by the budget.
const WITHOUT_CLOCK: &[&str] =
    &["crates/engines/src/", "crates/evidence/src/", "crates/ts/src/", "crates/symex/src/"];

pub(super) fn check(files: &[TextFile]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let mut problem = |line, rule, message: String| {
            problems.push(Problem::new(&file.path, line, rule, message));
        };
        let n_lines = file.text.lines().count();
        if n_lines > LONG_FILE && !LONG_FILES.iter().any(|(path, _)| *path == file.path) {
            let message = format!("{n_lines} lines: split it, or say in tidy/house.rs why not");
            problem(0, "file-length", message);
        }
        if !file.path.contains("/src/") || file.path.starts_with("crates/xtask/") {
            continue;
        }
        let is_known = |name: &str| {
            LONG_FUNCTIONS.iter().any(|(path, known, _)| *path == file.path && *known == name)
        };
        for long in long_functions(&file.text) {
            if !is_known(long.name) {
                let message = format!(
                    "`{}` has {} lines outside of its longest match: make steps of it, or say in tidy/house.rs why not",
                    long.name, long.n_lines
                );
                problem(long.line, "function-length", message);
            }
        }
        let own_names = OWN_NAMES.iter().any(|path| file.path.starts_with(path));
        let without_clock = WITHOUT_CLOCK.iter().any(|path| file.path.starts_with(path));
        for (number, line) in (1..).zip(code(&file.text).lines()) {
            if line.contains("cwe: Some(") && file.path != "crates/goto/src/property.rs" {
                let message =
                    "the table in goto/src/property.rs says which CWE number a property has";
                problem(number, "property-facts", message.to_owned());
            }
            if !own_names && is_by_prefix(line) {
                let message = "what is ours is known by its origin, not by its name";
                problem(number, "ghost-names", message.to_owned());
            }
            if without_clock && line.contains("Instant::now() >") {
                let message = "work decides (Budget::spend, at_most, part), the clock only stops";
                problem(number, "clock", message.to_owned());
            }
        }
    }
    problems
}

/// A line that compares the beginning of a name with that of our own.
fn is_by_prefix(line: &str) -> bool {
    ["starts_with(\"", "strip_prefix(\""].iter().any(|call| {
        line.split(call).skip(1).any(|rest| rest.trim_start_matches('_').starts_with("vergo_"))
    })
}

/// The text before the unit tests.
fn code(text: &str) -> &str {
    let tests = concat!("#[cfg(", "test)]\nmod tests {");
    text.find(tests).map_or(text, |end| &text[..end])
}

struct LongFunction<'a> {
    line: usize,
    name: &'a str,
    n_lines: usize,
}

/// Functions that are long even without their longest `match`. Files are formatted, so that indentation says what belongs to
/// what.
fn long_functions(text: &str) -> Vec<LongFunction<'_>> {
    let lines: Vec<&str> = code(text).lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let words = line.trim_start();
        // Of a trait's function without a body there is only this line.
        if words.ends_with(';') {
            continue;
        }
        let Some(name) = words.find("fn ").filter(|&at| is_modifiers(&words[..at])) else {
            continue;
        };
        let name = words[name + 3..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
        let depth = indent(line);
        let is_end = |line: &&&str| indent(line) == depth && line.trim_start().starts_with('}');
        let Some(length) = lines[start + 1..].iter().position(|line| is_end(&line)) else {
            continue;
        };
        let body = &lines[start + 1..start + 1 + length];
        let mut longest = 0;
        let mut begin = None;
        for (at, line) in body.iter().enumerate().filter(|(_, line)| indent(line) == depth + 4) {
            let ends_match = line.trim_start().starts_with('}');
            if ends_match && let Some(begin) = begin.take() {
                longest = longest.max(at - begin);
            }
            if line.contains("match ") && line.ends_with('{') {
                begin = Some(at);
            }
        }
        let n_lines = length + 2 - longest;
        if n_lines > LONG_FUNCTION {
            found.push(LongFunction { line: start + 1, name: name.unwrap_or_default(), n_lines });
        }
    }
    found
}

/// Returns whether a text can stand before `fn`.
fn is_modifiers(text: &str) -> bool {
    text.split_whitespace().all(|word| {
        word.starts_with("pub") || ["const", "unsafe", "async", "super)", "crate)"].contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str) -> Vec<(usize, &'static str)> {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        check(&[file]).iter().map(|problem| (problem.line, problem.rule)).collect()
    }

    #[test]
    fn length_is_without_a_match() {
        let statements = "    step();\n".repeat(99);
        let arms = "        1 => {}\n".repeat(99);
        let long = format!("//! X.\npub(crate) fn f() {{\n{statements}}}\n");
        assert_eq!(rules("crates/a/src/x.rs", &long), [(2, "function-length")]);
        let matching = format!("//! X.\nfn f() {{\n    match x {{\n{arms}    }}\n}}\n");
        assert_eq!(rules("crates/a/src/x.rs", &matching), []);
        let tested = format!("//! X.\n#[cfg(test)]\nmod tests {{\n{long}}}\n");
        assert_eq!(rules("crates/a/src/x.rs", &tested), []);
        assert_eq!(rules("crates/a/tests/x.rs", &"// x\n".repeat(801)), [(0, "file-length")]);
    }

    #[test]
    fn facts_have_one_source() {
        let text = "//! X.\nlet claim = Claim { cwe: Some(1), ..other };\n";
        assert_eq!(rules("crates/lower/src/x.rs", text), [(2, "property-facts")]);
        assert_eq!(rules("crates/goto/src/property.rs", text), []);
        let text = "//! X.\nname.starts_with(\"__vergo_k\")\nname.starts_with(\"main\")\n";
        assert_eq!(rules("crates/engines/src/x.rs", text), [(2, "ghost-names")]);
        let text = "//! X.\nif Instant::now() >= end {}\n";
        assert_eq!(rules("crates/engines/src/x.rs", text), [(2, "clock")]);
        assert_eq!(rules("crates/sat/src/x.rs", text), []);
    }
}

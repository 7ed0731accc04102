//! The tutorial and the README show what really happens: files are written, commands run, and their output is compared.
//!
//! A block `c file=NAME` is a file; with `replace`, its one line takes the place of the line of the file whose first two words
//! are the same. In a block `console`, lines after `$ vergo ...` are the output in order; `...` stands for any lines.

mod tool;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use vergo_testkit::environment::{skip, slow_or_skip};
use vergo_testkit::host_c::Scratch;
use vergo_testkit::process::run;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The blocks of a page: the line after the fence's beginning, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push((kind.to_owned(), text.join("\n")));
        }
    }
    found
}

/// Checks whether lines are shown, in order; `...` stands for any.
fn is_shown(output: &str, wanted: &[&str]) -> Result<(), String> {
    let mut lines = output.lines();
    let mut skips = false;
    for want in wanted {
        if *want == "..." {
            skips = true;
            continue;
        }
        let found = match skips {
            true => lines.any(|line| line == *want),
            false => lines.next() == Some(*want),
        };
        if !found {
            return Err((*want).to_owned());
        }
        skips = false;
    }
    Ok(())
}

fn write(folder: &Scratch, kind: &str, text: &str) {
    let mut words = kind.split_whitespace().skip(1);
    let name = words.next().and_then(|word| word.strip_prefix("file=")).expect("a file name");
    let mut text = format!("{text}\n");
    if words.next() == Some("replace") {
        let beginning =
            |line: &str| line.split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>();
        let old = std::fs::read_to_string(folder.path(name)).unwrap();
        let replaced = old.lines().filter(|line| beginning(line) == beginning(&text)).count();
        assert_eq!(replaced, 1, "{text}");
        let line = |line: &str| match beginning(line) == beginning(&text) {
            true => text.clone(),
            false => format!("{line}\n"),
        };
        text = old.lines().map(line).collect();
    }
    folder.write(name, text).unwrap();
}

#[test]
fn the_tutorial_is_true() {
    let page = std::fs::read_to_string(root().join("docs/tutorial.md")).unwrap();
    let folder = Scratch::new("tutorial").unwrap();
    let mut n_commands = 0;
    for (kind, text) in blocks(&page) {
        if kind.starts_with("c ") {
            write(&folder, &kind, &text);
            continue;
        }
        assert_eq!(kind, "console");
        let lines: Vec<&str> = text.lines().collect();
        let starts: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with("$ ")).collect();
        for (n, &start) in starts.iter().enumerate() {
            let end = starts.get(n + 1).copied().unwrap_or(lines.len());
            let words: Vec<&str> = lines[start].split_whitespace().skip(2).collect();
            let done = tool::vergo(folder.folder(), &words, b"");
            let output = done.stdout_text();
            is_shown(&output, &lines[start + 1..end]).unwrap_or_else(|missing| {
                panic!("{}: no line `{missing}` in\n{output}{}", lines[start], done.stderr_text())
            });
            n_commands += 1;
        }
    }
    assert_eq!(n_commands, 5);
}

/// The README's first commands, the second of which is followed by its output.
fn quick_start() -> (String, String, Vec<String>) {
    let page = std::fs::read_to_string(root().join("README.md")).unwrap();
    let block = blocks(&page).into_iter().find(|(kind, _)| kind == "console").expect("a block").1;
    let mut lines = block.lines();
    let mut command = || lines.next().and_then(|line| line.strip_prefix("$ ")).expect("a command");
    let (build, check) = (command().to_owned(), command().to_owned());
    let build = build.split('#').next().unwrap_or_default().trim().to_owned();
    (build, check, lines.map(str::to_owned).collect())
}

#[test]
fn the_readme_is_true() {
    let (build, check, shown) = quick_start();
    assert_eq!(build, "cargo build --release");
    let arguments = check.strip_prefix("target/release/vergo ").expect("the command that is built");
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let done = tool::vergo(&root(), &words, b"");
    let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    is_shown(&done.stdout_text(), &shown).unwrap_or_else(|missing| {
        panic!("no line `{missing}` in\n{}{}", done.stdout_text(), done.stderr_text())
    });
}

/// From a fresh clone to the first verdict, with the README's commands; the time is printed.
#[test]
#[expect(
    clippy::print_stderr,
    reason = "the time is worth knowing; it is shown with `--nocapture`"
)]
fn a_fresh_clone_gives_its_first_verdict() {
    const TEST: &str = "a_fresh_clone_gives_its_first_verdict";
    if !slow_or_skip(TEST) {
        return;
    }
    let folder = Scratch::new("clone").unwrap();
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet", "--depth", "1"]).arg(format!("file://{}", root().display()));
    clone.arg(folder.path("vergo"));
    if !run(&mut clone, b"", Duration::from_secs(300)).is_ok_and(|done| done.success()) {
        return skip(TEST, "the repository cannot be cloned");
    }
    let (build, check, _) = quick_start();
    let start = Instant::now();
    let mut outputs = Vec::new();
    for line in [build, check] {
        let mut words = line.split_whitespace();
        let mut command = Command::new(words.next().unwrap());
        command.args(words).current_dir(folder.path("vergo")).env_remove("CARGO_TARGET_DIR");
        let done = run(&mut command, b"", Duration::from_secs(3600)).unwrap();
        outputs.push(done.stdout_text());
        eprintln!("{line}: {:.0} s since the clone", start.elapsed().as_secs_f64());
    }
    assert!(outputs[1].ends_with("RESULT: false(memory.bounds)\n"), "{}", outputs[1]);
}

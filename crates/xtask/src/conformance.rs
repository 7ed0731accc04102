//! `cargo xtask conformance`: runs a tool over the programs below `conformance`, and prints where it agrees.
//!
//! Each program is GOTO text whose first lines say what it is about and what is expected, with its binaries for CBMC and
//! ESBMC beside it. `docs/conformance.md` is the page about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::shell::{cargo, root, step};

const USAGE: &str = "\
options: --tool CMD      a command that is given a file, such as `cbmc --no-standard-checks` or `esbmc --binary`;
                         {} in it stands for the file (default: Vergo, built here)
         --form FORM     text, cbmc or esbmc: which file it is given (default: by the command's name; Vergo gets all)
         --only TEXT     programs whose name has the text
         --write         writes the binaries anew with Vergo, and runs nothing";

/// The forms of a program: the ending of its file.
const FORMS: &[(&str, &str)] = &[("text", "goto"), ("cbmc", "cbmc"), ("esbmc", "esbmc")];

/// The answer of a tool for a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    True,
    False,
    Nothing,
}

impl Answer {
    fn word(self) -> &'static str {
        match self {
            Answer::True => "true",
            Answer::False => "false",
            Answer::Nothing => "-",
        }
    }

    /// The answer in what Vergo, CBMC or ESBMC print.
    fn of(text: &str) -> Answer {
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        match (
            has(&["RESULT: true", "VERIFICATION SUCCESSFUL"]),
            has(&["RESULT: false", "VERIFICATION FAILED"]),
        ) {
            (true, false) => Answer::True,
            (false, true) => Answer::False,
            _ => Answer::Nothing,
        }
    }
}

#[derive(Default)]
struct Options {
    tool: Option<String>,
    form: Option<String>,
    only: String,
    write: bool,
}

pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(option) = rest.next() {
        let mut value = || rest.next().cloned().with_context(|| format!("{option} needs a value"));
        match &option[..] {
            "--tool" => options.tool = Some(value()?),
            "--form" => options.form = Some(value()?),
            "--only" => options.only = value()?,
            "--write" => options.write = true,
            _ => bail!("unknown option {option}\n{USAGE}"),
        }
    }
    let folder = root().join("conformance");
    let programs: Vec<PathBuf> = programs(&folder)?
        .into_iter()
        .filter(|p| name(&folder, p).contains(&options.only))
        .collect();
    ensure!(!programs.is_empty(), "there is no such program");
    let vergo = root().join("target/debug/vergo");
    if options.tool.is_none() || options.write {
        step("build", cargo().args(["build", "-q", "--workspace", "--bin", "vergo"]))?;
    }
    if options.write {
        return write(&vergo, &programs);
    }
    let forms = forms(&options)?;
    let command = match &options.tool {
        Some(tool) => tool.split_whitespace().map(str::to_owned).collect(),
        None => vec![
            vergo.display().to_string(),
            "check".into(),
            "--property".into(),
            "user.assert".into(),
        ],
    };
    let mut table: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    println!(
        "{:<44}{:<8}{}",
        "program",
        "expect",
        forms.iter().map(|f| format!("{f:<8}")).collect::<String>()
    );
    for program in &programs {
        let expected = expected(program)?;
        let mut line = format!("{:<44}{:<8}", name(&folder, program), expected.word());
        for &form in &forms {
            let ending =
                FORMS.iter().find(|(f, _)| *f == form).map_or("goto", |(_, ending)| ending);
            if !has_form(program, form)? {
                line += &format!("{:<8}", "");
                continue;
            }
            let answer = ask(&command, &program.with_extension(ending))?;
            let entry = table.entry(form).or_default();
            match answer {
                _ if answer == expected => entry.0 += 1,
                Answer::Nothing => entry.1 += 1,
                _ => entry.2 += 1,
            }
            let mark = if answer == expected || answer == Answer::Nothing { "" } else { " !" };
            line += &format!("{:<8}", format!("{}{mark}", answer.word()));
        }
        println!("{}", line.trim_end());
    }
    let mut n_wrong = 0;
    for (form, (same, nothing, other)) in &table {
        println!("{form}: {same} agree, {nothing} without an answer, {other} differ");
        n_wrong += other + if options.tool.is_none() { *nothing } else { 0 };
    }
    ensure!(n_wrong == 0, "{n_wrong} programs are judged in another way");
    Ok(())
}

/// The forms that a tool is given.
fn forms(options: &Options) -> anyhow::Result<Vec<&'static str>> {
    if let Some(form) = &options.form {
        let known = FORMS.iter().find(|(f, _)| f == form);
        return Ok(vec![known.with_context(|| format!("no form is named {form}\n{USAGE}"))?.0]);
    }
    Ok(match &options.tool {
        None => FORMS.iter().map(|(form, _)| *form).collect(),
        Some(tool) if tool.contains("esbmc") => vec!["esbmc"],
        Some(_) => vec!["cbmc"],
    })
}

/// The programs in text form.
fn programs(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for kind in std::fs::read_dir(folder)? {
        let kind = kind?.path();
        if kind.is_dir() {
            for file in std::fs::read_dir(kind)? {
                let file = file?.path();
                if file.extension().is_some_and(|e| e == "goto") {
                    found.push(file);
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

fn name(folder: &Path, program: &Path) -> String {
    let name = program.strip_prefix(folder).unwrap_or(program);
    name.with_extension("").display().to_string()
}

fn expected(program: &Path) -> anyhow::Result<Answer> {
    let text = std::fs::read_to_string(program)?;
    let said = text.lines().find_map(|line| line.strip_prefix("// expect: "));
    match said {
        Some("true") => Ok(Answer::True),
        Some("false") => Ok(Answer::False),
        _ => bail!("{}: what is expected?", program.display()),
    }
}

/// Returns whether a program has a form. A line that begins with `// not in` names the one that has no words for it.
fn has_form(program: &Path, form: &str) -> anyhow::Result<bool> {
    let text = std::fs::read_to_string(program)?;
    Ok(!text.lines().any(|line| line.strip_prefix("// not in ") == Some(form)))
}

fn ask(command: &[String], file: &Path) -> anyhow::Result<Answer> {
    let file = file.display().to_string();
    let mut words: Vec<String> = command.iter().map(|word| word.replace("{}", &file)).collect();
    if words == command {
        words.push(file);
    }
    let output = Command::new(&words[0])
        .args(&words[1..])
        .output()
        .with_context(|| format!("`{}` cannot be run", words[0]))?;
    Ok(Answer::of(&String::from_utf8_lossy(&output.stdout)))
}

/// Writes the binaries of all programs, in their folders, so that the places in them name files and no machine's folders.
fn write(vergo: &Path, programs: &[PathBuf]) -> anyhow::Result<()> {
    for program in programs {
        for form in ["cbmc", "esbmc"] {
            if !has_form(program, form)? {
                continue;
            }
            let (Some(folder), Some(file)) = (program.parent(), program.file_name()) else {
                continue;
            };
            let status = Command::new(vergo)
                .current_dir(folder)
                .arg("goto")
                .arg(file)
                .args(["--format", form, "-o"])
                .arg(Path::new(file).with_extension(form))
                .status()?;
            ensure!(status.success(), "{} cannot be written for {form}", program.display());
        }
    }
    println!("{} programs written; review what changed", programs.len());
    Ok(())
}

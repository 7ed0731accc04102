//! Preprocessing: C with directives goes through the host's C preprocessor.
//!
//! A text without directives, whether a `.i` file or plain C, needs no compiler at all. For the
//! others the preprocessor runs with the user's options and those of the data model; what it
//! complains about becomes diagnostics at the places that it names.

mod directives;
mod messages;
mod model;

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use vergo_cfront::target::DataModel;
use vergo_source::{Diagnostic, Span};

use crate::codes::{DATA_MODEL_BY_MACROS, NO_PREPROCESSOR};
use crate::input::Input;
use crate::job::{Failed, Job};
use messages::report;
use model::{StubHeaders, model_macros};

/// An option that the preprocessor gets as it is, in the order in which it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CppFlag {
    /// `-I DIR`: a folder with headers.
    IncludeDir(PathBuf),
    /// `-D NAME` or `-D NAME=VALUE`.
    Define(String),
    /// `-U NAME`.
    Undefine(String),
    /// `-include FILE`: a file that is read before the input.
    Include(PathBuf),
}

/// The options of the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CppOptions {
    /// The command with its fixed arguments, such as `["gcc", "-E"]`; if it is empty, the usual
    /// names of the host's compiler are tried.
    pub command: Vec<String>,
    /// The language standard, such as `gnu17`; the compiler's default if there is none.
    pub std: Option<String>,
    /// Options in their order.
    pub flags: Vec<CppFlag>,
    /// Further options of some files, by absolute path.
    pub per_file: BTreeMap<PathBuf, Vec<CppFlag>>,
}

impl CppOptions {
    /// The options of a file in their order.
    pub(crate) fn flags_of(&self, path: Option<&Path>) -> impl Iterator<Item = &CppFlag> {
        let own = path.filter(|_| !self.per_file.is_empty());
        let own = own.and_then(|path| self.per_file.get(&std::path::absolute(path).ok()?));
        self.flags.iter().chain(own.into_iter().flatten())
    }

    fn candidates(&self) -> Vec<Vec<String>> {
        if self.command.is_empty() {
            ["cc", "gcc", "clang"].map(|name| vec![name.to_owned(), "-E".to_owned()]).to_vec()
        } else {
            vec![self.command.clone()]
        }
    }
}

/// Checks whether a text has to be preprocessed: it has directives, or it uses predefined macros, or
/// options define some. What is preprocessed already only needs it for directives.
#[must_use]
pub fn needs_preprocessor(text: &[u8], path: Option<&Path>, options: &CppOptions) -> bool {
    let found = directives::scan(text);
    if found.directive {
        return true;
    }
    let preprocessed =
        found.marker || path.is_some_and(|p| p.extension().is_some_and(|e| e == "i"));
    if preprocessed {
        return false;
    }
    let changes = |flag: &CppFlag| !matches!(flag, CppFlag::IncludeDir(_));
    found.predefined_macro || options.flags_of(path).any(changes)
}

/// Runs the preprocessor on a text.
pub(crate) fn preprocess(job: &mut Job, input: &Input, text: &[u8]) -> Result<Vec<u8>, Failed> {
    let width = match job.model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let mut output = run(job, input, text, &[width.to_owned()])?;
    if !output.status.success() && messages::rejects_width(&output.stderr, width) {
        // The option or its headers are missing: the host's preprocessor is told the data model
        // by its macros.
        let stubs = StubHeaders::new();
        let mut arguments = model_macros(job.model);
        if let Some(stubs) = &stubs {
            arguments.push("-isystem".to_owned());
            arguments.push(stubs.folder().display().to_string());
        }
        let second = run(job, input, text, &arguments)?;
        // If that fails as well, its messages are about the input; if not, the user should know.
        if second.status.success() {
            let message = format!("the preprocessor has no headers or option for {width}");
            let diagnostic = Diagnostic::warning(DATA_MODEL_BY_MACROS, Span::DUMMY, message)
                .note("it ran for the host, with the macros of the data model redefined");
            job.diagnostics.push(diagnostic);
        }
        output = second;
    }
    let rejected = report(job, input, text, &output.stderr);
    if output.status.success() && !rejected {
        return Ok(output.stdout);
    }
    if !rejected {
        messages::report_failure(job, input, &output);
    }
    Err(Failed::BadInput)
}

/// Runs the first preprocessor that can be started.
fn run(job: &mut Job, input: &Input, text: &[u8], model: &[String]) -> Result<Output, Failed> {
    let candidates = job.cpp.candidates();
    let mut first_error = None;
    for words in &candidates {
        let Some((program, fixed)) = words.split_first() else { continue };
        let mut command = Command::new(program);
        // Messages are read by this program, so they must be in one language.
        command.env("LC_ALL", "C").args(fixed).args(model);
        if let Some(std) = &job.cpp.std {
            command.arg(format!("-std={std}"));
        }
        for flag in job.cpp.flags_of(input.path()) {
            match flag {
                CppFlag::IncludeDir(folder) => command.arg("-I").arg(folder),
                CppFlag::Define(text) => command.arg(format!("-D{text}")),
                CppFlag::Undefine(name) => command.arg(format!("-U{name}")),
                CppFlag::Include(file) => command.arg("-include").arg(file),
            };
        }
        command.args(["-x", "c"]);
        let with_name;
        let stdin = match input.path() {
            Some(path) if job.is_open(path) => {
                // What is in an editor is not what is on the disk: it goes in by standard input, under its own name.
                if let Some(folder) = path.parent() {
                    command.arg("-iquote").arg(folder);
                }
                command.arg("-");
                let name = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
                with_name = [format!("#line 1 \"{name}\"\n").as_bytes(), text].concat();
                &with_name[..]
            }
            Some(path) if path.as_os_str().as_encoded_bytes().starts_with(b"-") => {
                // A name that looks like an option is made a path.
                command.arg(Path::new(".").join(path));
                &[]
            }
            Some(path) => {
                command.arg(path);
                &[]
            }
            None => {
                command.arg("-");
                text
            }
        };
        match run_command(command, stdin) {
            Ok(output) => return Ok(output),
            Err(error) => {
                first_error.get_or_insert((program.clone(), error));
            }
        }
    }
    let message = match first_error {
        Some((program, error)) => format!("cannot run the preprocessor `{program}`: {error}"),
        None => "no preprocessor is named".to_owned(),
    };
    let diagnostic = Diagnostic::error(NO_PREPROCESSOR, Span::DUMMY, message)
        .note(format!("`{}` has directives and must be preprocessed", input.name()))
        .help("install a C compiler, name one with `--cpp CMD`, or give a preprocessed `.i` file");
    Err(job.fail(diagnostic))
}

/// Runs a command with an input; its three pipes are served at once, so that none can block.
fn run_command(mut command: Command, input: &[u8]) -> io::Result<Output> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    let stderr = child.stderr.take();
    let stdout = child.stdout.take();
    thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut stdin) = stdin {
                // A preprocessor that stops early closes the pipe; its status says so.
                let _ = stdin.write_all(input);
            }
        });
        let stderr = scope.spawn(move || read_all(stderr));
        let stdout = read_all(stdout);
        let stderr = stderr.join().unwrap_or_default();
        Ok(Output { status: child.wait()?, stdout, stderr })
    })
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

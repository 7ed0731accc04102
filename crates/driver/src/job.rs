//! A job: what one run of the tool has in common.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use vergo_cfront::ast::Ast;
use vergo_cfront::hir::Unit;
use vergo_cfront::link::proof;
use vergo_cfront::target::DataModel;
use vergo_cfront::{Options, analyze, disabled_checks, link, parse};
use vergo_passes::properties::exempt::cbmc_check;
use vergo_source::{Diagnostic, Diagnostics, FileId, Location, SourceMap, Span};

use crate::codes::{CPP_SOURCE, NO_SUCH_CHECK, NOT_TEXT, REPLACED, TOO_LARGE, UNREADABLE};
use crate::cpp_dialect::{first_cpp_construct, is_cpp_path};
use crate::input::Input;
use crate::preprocess::{CppOptions, needs_preprocessor, preprocess};
use crate::proof::ProofOptions;

/// The source map, the diagnostics and the options of one run.
#[derive(Debug)]
pub struct Job {
    /// All files.
    pub map: SourceMap,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
    /// The data model of the program.
    pub model: DataModel,
    /// The options of the preprocessor.
    pub cpp: CppOptions,
    /// The changes that a proof makes to the program.
    pub proof: ProofOptions,
    /// The function in which the program begins.
    pub entry: String,
    /// The times of the stages for the last program.
    pub stages: Stages,
    /// True if goals of coverage in a goto binary are claims.
    pub(crate) goals: bool,
    /// The classes that a goto binary gives its claims, by where they stand and what they say.
    pub(crate) classes: BTreeMap<(u32, String), String>,
    /// Texts that stand for those of files, such as what is in an editor and not saved yet.
    open: BTreeMap<PathBuf, Vec<u8>>,
    /// Files whose text is shown instead of the preprocessor's output.
    originals: BTreeSet<String>,
    /// Files of the map whose line markers lead to the places that users know: what the preprocessor wrote, and binaries.
    pub(crate) preprocessed: BTreeSet<FileId>,
    /// Where pragmas turn checks off.
    pub(crate) exempt: vergo_passes::properties::Exempt,
}

/// The times of the stages up to a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stages {
    /// Preprocessing, parsing, analysis and linking.
    pub front_end: Duration,
    /// C to GOTO.
    pub lowering: Duration,
}

/// The reason why a request could not be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failed {
    /// The input is not what it should be; the job's diagnostics say why.
    BadInput,
    /// A bug of ours; the job's diagnostics say what is known.
    Internal,
}

impl Default for Job {
    fn default() -> Job {
        Job::new(DataModel::Lp64, CppOptions::default())
    }
}

impl Job {
    /// A job without files.
    #[must_use]
    pub fn new(model: DataModel, cpp: CppOptions) -> Job {
        Job {
            map: SourceMap::new(),
            diagnostics: Diagnostics::new(),
            model,
            cpp,
            proof: ProofOptions::default(),
            entry: "main".to_owned(),
            stages: Stages::default(),
            goals: false,
            classes: BTreeMap::new(),
            open: BTreeMap::new(),
            originals: BTreeSet::new(),
            preprocessed: BTreeSet::new(),
            exempt: vergo_passes::properties::Exempt::default(),
        }
    }

    /// Does something; what is said on the way is put aside.
    pub(crate) fn apart<T>(&mut self, act: impl FnOnce(&mut Job) -> T) -> (T, Diagnostics) {
        let said = std::mem::take(&mut self.diagnostics);
        let result = act(self);
        (result, std::mem::replace(&mut self.diagnostics, said))
    }

    /// Does something of which nothing is said, unless it fails.
    ///
    /// # Errors
    /// If it fails.
    pub(crate) fn quietly<T>(
        &mut self,
        act: impl FnOnce(&mut Job) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let (result, new) = self.apart(act);
        if result.is_err() {
            self.diagnostics.extend(new);
        }
        result
    }

    /// Takes a text for that of a file from now on.
    pub fn open(&mut self, path: PathBuf, text: Vec<u8>) {
        self.open.insert(path, text);
    }

    /// Checks whether a text stands for that of a file.
    pub(crate) fn is_open(&self, path: &Path) -> bool {
        self.open.contains_key(path)
    }

    /// Reads an input.
    ///
    /// # Errors
    /// If it cannot be read; a diagnostic says why.
    pub fn read(&mut self, input: &Input) -> Result<Vec<u8>, Failed> {
        match input {
            Input::Text { text, .. } => Ok(text.clone()),
            Input::File(path) if self.is_open(path) => Ok(self.open[path].clone()),
            Input::File(path) => std::fs::read(path).map_err(|error| {
                let shown = path.display();
                let mut message = format!("cannot read `{shown}`: {}", reason(&error));
                let mut help = None;
                if path.is_dir() {
                    message = format!("`{shown}` is a folder");
                    help = Some("name the C files in it that make up the program");
                }
                let mut diagnostic = Diagnostic::error(UNREADABLE, Span::DUMMY, message);
                diagnostic.help = help.map(str::to_owned);
                self.fail(diagnostic)
            }),
        }
    }

    /// Reads a C file, preprocesses it if it needs that, and adds it to the map.
    ///
    /// # Errors
    /// If there is no C text; a diagnostic says why.
    pub fn load_c(&mut self, input: &Input) -> Result<FileId, Failed> {
        if input.path().is_some_and(is_cpp_path) {
            let message = format!("`{}` is a C++ file", input.name());
            let diagnostic = Diagnostic::error(CPP_SOURCE, Span::DUMMY, message)
                .note("Vergo verifies C")
                .help("if it is C in spite of its name, rename it or give it on standard input");
            return Err(self.fail(diagnostic));
        }
        let text = self.read(input)?;
        if let Some(what) = not_text(&text) {
            let message = format!("`{}` is {what}, not C source", input.name());
            let diagnostic = Diagnostic::error(NOT_TEXT, Span::DUMMY, message);
            return Err(self.fail(diagnostic));
        }
        if needs_preprocessor(&text, input.path(), &self.cpp) {
            let output = preprocess(self, input, &text)?;
            self.add_original(&input.name(), text);
            let file = self.add(&input.name(), output)?;
            self.preprocessed.insert(file);
            Ok(file)
        } else {
            self.add(&input.name(), text)
        }
    }

    /// The syntax tree of a file that is in the map; mistakes become diagnostics.
    pub fn parse(&mut self, file: FileId) -> Ast {
        let options = self.c_options();
        parse(&mut self.map, file, &options, &mut self.diagnostics)
    }

    /// Reads a C file, preprocesses it if need be, parses and analyses it.
    ///
    /// # Errors
    /// If it is not valid C; diagnostics say why. All of its mistakes are reported, not the
    /// first alone.
    pub fn analyze(&mut self, input: &Input) -> Result<Unit, Failed> {
        let file = self.load_c(input)?;
        self.analyze_file(file)
    }

    /// Analyses files and links them into one unit.
    ///
    /// # Errors
    /// If one is not valid C, or they do not fit together; diagnostics say why. All files are
    /// looked at, so that the mistakes of all are reported.
    pub fn analyze_all(&mut self, inputs: &[Input]) -> Result<Unit, Failed> {
        let mut units = Vec::new();
        let mut failure = None;
        for input in inputs {
            match self.analyze(input) {
                Ok(unit) => units.push(unit),
                Err(failed) => failure = Some(failed),
            }
        }
        if let Some(failed) = failure {
            return Err(failed);
        }
        let wishes = proof::Wishes {
            entry: &self.entry,
            is_proof: self.is_proof(),
            removed: &self.proof.removed_bodies,
            named: &[],
        };
        for (name, span) in proof::prepare(&mut units, &self.map, wishes) {
            let message = format!("another definition of `{name}` takes the place of this one");
            self.diagnostics.push(Diagnostic::remark(REPLACED, span, message));
        }
        // One file needs no linking, and its own mistakes have been reported.
        if units.len() == 1 {
            return units.pop().ok_or(Failed::Internal);
        }
        let n_errors = self.diagnostics.error_count();
        let unit = link(units, &mut self.diagnostics);
        if self.diagnostics.error_count() > n_errors {
            return Err(Failed::BadInput);
        }
        unit.ok_or(Failed::BadInput)
    }

    /// Parses and analyses a file that is in the map.
    ///
    /// # Errors
    /// If it is not valid C; diagnostics say why.
    pub fn analyze_file(&mut self, file: FileId) -> Result<Unit, Failed> {
        let n_errors = self.diagnostics.error_count();
        let ast = self.parse(file);
        self.exempt_from_checks(&ast, file);
        let options = self.c_options();
        let unit = analyze(ast, &self.map, &options, &mut self.diagnostics);
        if self.diagnostics.error_count() > n_errors { Err(Failed::BadInput) } else { Ok(unit) }
    }

    /// Keeps where a file's pragmas turn checks off.
    fn exempt_from_checks(&mut self, ast: &Ast, file: FileId) {
        let length = u32::try_from(self.map.text(file).len()).unwrap_or(u32::MAX);
        let end = self.map.span(file, 0, length).hi;
        for disabled in disabled_checks(ast, &self.map, end) {
            match cbmc_check(&disabled.name) {
                Some(properties) => self.exempt.add(disabled.text, properties),
                None => {
                    let message = format!("there is no check `{}`", disabled.name);
                    let diagnostic = Diagnostic::warning(NO_SUCH_CHECK, disabled.pragma, message);
                    self.diagnostics.push(diagnostic);
                }
            }
        }
    }

    /// Checks whether the program is a proof: a harness around functions of a project.
    pub(crate) fn is_proof(&self) -> bool {
        self.entry != "main" || !self.proof.is_empty()
    }

    /// The front end's options.
    pub(crate) fn c_options(&self) -> Options {
        let loop_contracts = self.proof.loop_contracts;
        let lenient = self.is_proof();
        Options { model: self.model, loop_contracts, lenient, ..Options::default() }
    }

    /// Adds a text to the map.
    ///
    /// # Errors
    /// If the map is full.
    pub fn add(&mut self, name: &str, text: Vec<u8>) -> Result<FileId, Failed> {
        self.map.add(name, text).map_err(|error| {
            self.fail(Diagnostic::error(TOO_LARGE, Span::DUMMY, error.to_string()))
        })
    }

    /// The place of a position in the file that was given: where line markers of the user's own lead elsewhere, they
    /// are not followed.
    pub fn given_location(&self, pos: u32) -> Location {
        match self.map.lookup(pos) {
            Some((file, _)) if !self.preprocessed.contains(&file) => self.map.physical(pos),
            _ => self.map.presumed(pos),
        }
    }

    /// The offset of a position in the file that was given; none if what is there was preprocessed.
    pub fn given_offset(&self, pos: u32) -> Option<u32> {
        let (file, offset) = self.map.lookup(pos)?;
        (!self.preprocessed.contains(&file)).then_some(offset)
    }

    /// Registers the text that line markers stand for.
    fn add_original(&mut self, name: &str, text: Vec<u8>) {
        if self.originals.insert(name.to_owned()) {
            self.map.add_original(name, text);
        }
    }

    /// Reads the files that diagnostics are about, so that their lines can be shown, and says
    /// so if what was given as C looks like C++. To be called before diagnostics are rendered.
    pub fn prepare_diagnostics(&mut self) {
        let all: Vec<Diagnostic> = self.diagnostics.iter().cloned().collect();
        for diagnostic in &all {
            self.prepare_lines(diagnostic);
        }
        // The parser names C++ where it is sure; here is a guess for the rest.
        let named = self.diagnostics.iter().any(|diagnostic| diagnostic.message.contains("C++"));
        if self.diagnostics.has_errors() && !named {
            self.name_cpp();
        }
    }

    /// Reads the files that a diagnostic is about, so that their lines can be shown.
    pub fn prepare_lines(&mut self, diagnostic: &Diagnostic) {
        let labels = diagnostic.labels.iter().map(|(span, _)| *span);
        for span in std::iter::once(diagnostic.primary).chain(labels) {
            let location = self.map.presumed(span.lo);
            let name = location.file.to_string();
            // Names such as `<built-in>` are no files, and a file may have gone meanwhile.
            if location.line > 0
                && !self.originals.contains(&name)
                && let Some(text) = self.text_of(&name)
            {
                self.add_original(&name, text);
            }
        }
    }

    /// The text of a file, open or not.
    fn text_of(&self, name: &str) -> Option<Vec<u8>> {
        self.open.get(Path::new(name)).cloned().or_else(|| std::fs::read(name).ok())
    }

    /// Adds a note on the first construct of C++ if a file with errors has one.
    fn name_cpp(&mut self) {
        let files: BTreeSet<FileId> = self
            .diagnostics
            .iter()
            .filter_map(|diagnostic| Some(self.map.lookup(diagnostic.primary.lo)?.0))
            .collect();
        for file in files {
            // Names of GOTO text look like those of C++.
            if Path::new(&**self.map.name(file)).extension().is_some_and(|e| e == "goto") {
                continue;
            }
            let Some(range) = first_cpp_construct(self.map.text(file)) else { continue };
            let to_u32 = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
            let span = self.map.span(file, to_u32(range.start), to_u32(range.end));
            let diagnostic = Diagnostic::remark(CPP_SOURCE, span, "this looks like C++")
                .note("Vergo verifies C; errors in this file may come from the difference");
            self.diagnostics.push(diagnostic);
        }
    }

    pub(crate) fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        self.diagnostics.push(diagnostic);
        Failed::BadInput
    }
}

/// The operating system's words for an error, without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// Returns the kind of a file that is not text.
fn not_text(text: &[u8]) -> Option<&'static str> {
    const KINDS: &[(&[u8], &str)] = &[
        (b"\x7fELF", "an object file or executable"),
        (b"\x7fGBF", "a GOTO binary"),
        (b"GBF\0", "a GOTO binary"),
        (b"!<arch>\n", "an archive"),
        (b"\xfe\xff", "text in UTF-16"),
        (b"\xff\xfe", "text in UTF-16"),
        (b"BC\xc0\xde", "LLVM bitcode"),
    ];
    if let Some((_, what)) = KINDS.iter().find(|(magic, _)| text.starts_with(magic)) {
        return Some(what);
    }
    // A stray NUL is for the lexer to report; a text that is full of them is none.
    let head = &text[..text.len().min(4096)];
    let n_nul = head.iter().filter(|&&byte| byte == 0).count();
    (n_nul > 8 && n_nul * 8 > head.len()).then_some("binary data")
}

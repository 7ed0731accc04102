//! The host's C compiler as an oracle.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::process::{Finished, run};

/// The greatest time of a compilation, and of the trial of a compiler: on a busy machine tests wait, and do not leave out what
/// needs one.
pub(crate) const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// The host's compiler with fixed options.
#[derive(Clone, Debug)]
pub struct HostC {
    program: String,
    options: Vec<String>,
}

impl HostC {
    /// The compiler `gcc`, if it is there and works.
    #[must_use]
    pub fn find() -> Option<HostC> {
        HostC { program: "gcc".into(), options: Vec::new() }.works()
    }

    /// The same compiler for the ILP32 data model, if it can link such programs.
    #[must_use]
    pub fn for_32_bits(&self) -> Option<HostC> {
        self.clone().option("-m32").works()
    }

    /// The same compiler with one more option.
    #[must_use]
    pub fn option(mut self, option: &str) -> HostC {
        self.options.push(option.to_owned());
        self
    }

    fn works(self) -> Option<HostC> {
        let folder = Scratch::new("probe").ok()?;
        let text = "#include <stdio.h>\nint main(void) { return puts(\"x\") < 0; }\n";
        let finished = self.run_text(&folder, text, &[], COMPILE_LIMIT).ok()?;
        finished.success().then_some(self)
    }

    /// The command with its options.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // Messages of the compiler are compared and shown; they must not depend on the locale.
        command.args(&self.options).env("LC_ALL", "C");
        command
    }

    /// Compiles a file to an executable.
    ///
    /// # Errors
    /// If the compiler cannot be started.
    pub fn compile(&self, source: &Path, output: &Path, options: &[&str]) -> io::Result<Finished> {
        let mut command = self.command();
        command.args(options).arg(source).arg("-o").arg(output).arg("-lm");
        run(&mut command, b"", COMPILE_LIMIT)
    }

    /// Checks a text without compiling it.
    ///
    /// # Errors
    /// If the compiler cannot be started.
    pub fn check(&self, text: &[u8], options: &[&str]) -> io::Result<Finished> {
        let mut command = self.command();
        command.args(["-fsyntax-only", "-x", "c"]).args(options).arg("-");
        run(&mut command, text, COMPILE_LIMIT)
    }

    /// Preprocesses a text.
    ///
    /// # Errors
    /// If the compiler cannot be started.
    pub fn preprocess(&self, text: &[u8], options: &[&str]) -> io::Result<Finished> {
        let mut command = self.command();
        command.args(["-E", "-x", "c"]).args(options).arg("-");
        run(&mut command, text, COMPILE_LIMIT)
    }

    /// Compiles a text and runs it. If the compiler refuses it, its messages are the answer.
    ///
    /// # Errors
    /// If the compiler or the program cannot be started.
    pub fn run_text(
        &self,
        folder: &Scratch,
        text: &str,
        options: &[&str],
        limit: Duration,
    ) -> io::Result<Finished> {
        let source = folder.path("program.c");
        let program = folder.path("program");
        std::fs::write(&source, text)?;
        let compiled = self.compile(&source, &program, options)?;
        if !compiled.success() {
            return Ok(compiled);
        }
        run(&mut Command::new(&program), b"", limit)
    }
}

/// A folder for the files of one test, removed at its end.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A fresh folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(name: &str) -> io::Result<Scratch> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("vergo-{name}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(path))
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The path of a file in the folder.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file into the folder and returns its path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> io::Result<PathBuf> {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, text)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

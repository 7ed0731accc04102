//! The results of gcc for scenes: a batch is one program, in which every scene has a process of its own.

use std::fmt::Write;
use std::io;
use std::process::Command;
use std::time::Duration;

use super::{Form, HEADERS, SUPPORT, Scene};
use crate::host_c::{HostC, Scratch};
use crate::process;
use crate::sanitizer::{self, Sanitizer};

/// The observations from executions of a scene.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Observed {
    /// It was not compiled, or took too long.
    Nothing,
    /// A sanitizer stopped it, or it crashed; how.
    Stopped(String),
    /// It ended; the different sequences of observations that were seen.
    Ended(Vec<Vec<u64>>),
}

/// The host's compiler with sanitizers, and plain at two levels of optimisation.
pub struct Native {
    compilers: [HostC; 3],
}

/// Which of the compilers is the one with sanitizers.
const WATCHED: usize = 0;

/// The end of one process.
#[derive(PartialEq)]
enum Ended {
    TooSlow,
    Stopped(String),
    Normally(Vec<u64>),
}

impl Native {
    /// The host's gcc, if it and its sanitizers work.
    #[must_use]
    pub fn find() -> Option<Native> {
        Sanitizer::find()?;
        let gcc = HostC::find()?.option("-w").option("-std=gnu17").option("-pthread");
        let watched = gcc
            .clone()
            .option("-fsanitize=undefined,address,float-cast-overflow,float-divide-by-zero")
            .option("-fno-sanitize=float-divide-by-zero")
            // Calls of the library stay calls, whose arguments the sanitizer looks at.
            .option("-fno-builtin")
            .option("-fno-sanitize-recover=all");
        Some(Native { compilers: [watched, gcc.clone().option("-O0"), gcc.option("-O2")] })
    }

    /// Runs a batch.
    pub(super) fn run(&self, scenes: &[Scene]) -> io::Result<Vec<Observed>> {
        let mut ended: Vec<Vec<Ended>> = Vec::new();
        for (i, compiler) in self.compilers.iter().enumerate() {
            let text = batch(scenes, if i == WATCHED { Form::Apart } else { Form::Plain });
            let Some(one) = run_with(compiler, &text, scenes.len())? else {
                // One scene that is refused spoils a batch: its halves are tried.
                if scenes.len() == 1 {
                    return Ok(vec![Observed::Nothing]);
                }
                let (first, second) = scenes.split_at(scenes.len() / 2);
                return Ok([self.run(first)?, self.run(second)?].concat());
            };
            ended.push(one);
        }
        let one = |i: usize| {
            let mut runs = Vec::new();
            for ended in &ended {
                match &ended[i] {
                    Ended::TooSlow => return Observed::Nothing,
                    Ended::Stopped(how) => return Observed::Stopped(how.clone()),
                    Ended::Normally(values) if !runs.contains(values) => runs.push(values.clone()),
                    Ended::Normally(_) => {}
                }
            }
            Observed::Ended(runs)
        };
        Ok((0..scenes.len()).map(one).collect())
    }
}

/// The program that runs every scene in a process of its own.
fn batch(scenes: &[Scene], form: Form) -> String {
    let mut text = format!("#define _GNU_SOURCE 1\n{HEADERS}#include <sys/wait.h>\n{SUPPORT}");
    text.push_str(
        "static unsigned long long state_;\n\
         static unsigned long long next_(void) {\n\
         \x20 state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;\n\
         \x20 unsigned long long x = state_ >> 33;\n\
         \x20 return (x & 3) ? x >> 2 & 15 : x << 20 ^ x;\n\
         }\n\
         int __VERIFIER_nondet_int(void) { return (int)next_(); }\n\
         unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next_(); }\n\
         unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next_(); }\n\
         long __VERIFIER_nondet_long(void) { return (long)next_(); }\n\
         void reach_error(void) { abort(); }\n\
         static void observe_(unsigned long long value) { printf(\"= %llu\\n\", value); fflush(stdout); }\n",
    );
    for (i, scene) in scenes.iter().enumerate() {
        scene.write_parts(&mut text, &format!("s{i}_"), form);
    }
    text.push_str("static void (*const scenes_[])(void) = {\n");
    for i in 0..scenes.len() {
        let _ = writeln!(text, "  s{i}_run_,");
    }
    let _ = write!(
        text,
        "}};\nint main(void) {{\n  for (int i = 0; i < {n}; i++) {{\n    printf(\"scene %d\\n\", i); fflush(stdout);\n    \
         fprintf(stderr, \"scene %d\\n\", i); fflush(stderr);\n    int status, process = fork();\n    \
         if (process == 0) {{ alarm(2); state_ = {seed}ull + i; scenes_[i](); exit(0); }}\n    \
         waitpid(process, &status, 0);\n    printf(\"\\nended %d\\n\", status); fflush(stdout);\n  }}\n  return 0;\n}}\n",
        n = scenes.len(),
        seed = scenes.first().map_or(0, |scene| scene.seed),
    );
    text
}

/// Compiles and runs a batch; `None` if it is refused.
fn run_with(compiler: &HostC, text: &str, n: usize) -> io::Result<Option<Vec<Ended>>> {
    const TOO_SLOW: i32 = 14;
    let folder = Scratch::new("scenes")?;
    let source = folder.write("program.c", text)?;
    let program = folder.path("program");
    if !compiler.compile(&source, &program, &[])?.success() {
        return Ok(None);
    }
    let mut command = Command::new(&program);
    command.env("ASAN_OPTIONS", sanitizer::ADDRESS_OPTIONS);
    let finished = process::run(&mut command, b"", Duration::from_secs(3 * n as u64 + 5))?;
    let (out, err) = (finished.stdout_text(), finished.stderr_text());
    let part = |text: &str, i: usize| {
        let rest = text.split_once(&format!("scene {i}\n")).map_or("", |(_, rest)| rest);
        rest.split_once(&format!("scene {}\n", i + 1)).map_or(rest, |(part, _)| part).to_owned()
    };
    let one = |i: usize| {
        let (out, err) = (part(&out, i), part(&err, i));
        let status = out.lines().find_map(|line| line.strip_prefix("ended ")?.parse::<i32>().ok());
        let signal = status.map(|status| status & 0x7f);
        match (signal, sanitizer::report(&err)) {
            (None | Some(TOO_SLOW), _) => Ended::TooSlow,
            (_, Some(report)) => Ended::Stopped(report.kind),
            (Some(0), None) if status == Some(0) => {
                let values = out.lines().filter_map(|line| line.strip_prefix("= ")?.parse().ok());
                Ended::Normally(values.collect())
            }
            // A program that ends by itself with another status did not come to its end.
            (Some(0), None) => Ended::TooSlow,
            (Some(signal), None) => Ended::Stopped(format!("signal {signal}")),
        }
    };
    Ok(Some((0..n).map(one).collect()))
}

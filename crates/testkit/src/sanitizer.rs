//! The host's compiler with its sanitizers as an oracle: whether a program goes wrong, how and on which line.

use std::io;
use std::process::Command;
use std::time::Duration;

use crate::host_c::{COMPILE_LIMIT, HostC, Scratch};
use crate::process::{Finished, run};

/// The checks of the address sanitizer.
pub(crate) const ADDRESS_OPTIONS: &str =
    "detect_leaks=1:detect_stack_use_after_return=1:color=never";

/// The first report of a sanitizer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The kind of an address or leak report (`heap-buffer-overflow`, `leak`, …), or the message of an undefined
    /// operation.
    pub kind: String,
    /// The innermost line of the program.
    pub line: Option<usize>,
}

/// The end of a sanitized program.
#[derive(Clone, Debug)]
pub enum Sanitized {
    /// Without a report.
    Clean(Finished),
    /// With one; what the program had written before it is in the output.
    Reported(Report, Finished),
    /// Not in time.
    TooSlow,
    /// The compiler refused the program; its messages.
    Refused(String),
}

/// A compiler whose programs watch themselves.
#[derive(Clone, Debug)]
pub struct Sanitizer(HostC);

impl Sanitizer {
    /// The host's gcc with `-fsanitize=undefined,address`, if it and its libraries are there and work.
    #[must_use]
    pub fn find() -> Option<Sanitizer> {
        let gcc = HostC::find()?;
        let sanitizer = Sanitizer(
            gcc.option("-g")
                .option("-w")
                .option("-fsanitize=undefined,address")
                .option("-fno-sanitize-recover=all"),
        );
        let leaks = "#include <stdlib.h>\nstatic void *p;\nint main(void) { p = malloc(9); p = 0; return 0; }\n";
        // Where processes cannot be traced, leaks are not found, and it is no oracle.
        let ended = sanitizer.run(leaks, COMPILE_LIMIT).ok()?;
        matches!(ended, Sanitized::Reported(report, _) if report.kind == "leak")
            .then_some(sanitizer)
    }

    /// Compiles a program and runs it.
    ///
    /// # Errors
    /// If the compiler or the program cannot be started.
    pub fn run(&self, text: &str, limit: Duration) -> io::Result<Sanitized> {
        let folder = Scratch::new("sanitizer")?;
        let source = folder.write("program.c", text)?;
        let program = folder.path("program");
        let compiled = self.0.compile(&source, &program, &[])?;
        if !compiled.success() {
            return Ok(Sanitized::Refused(compiled.stderr_text()));
        }
        let mut command = Command::new(&program);
        command.env("ASAN_OPTIONS", ADDRESS_OPTIONS);
        command.env("UBSAN_OPTIONS", "print_stacktrace=0:color=never");
        let finished = run(&mut command, b"", limit)?;
        if finished.status.is_none() {
            return Ok(Sanitized::TooSlow);
        }
        Ok(match report(&finished.stderr_text()) {
            Some(report) => Sanitized::Reported(report, finished),
            None => Sanitized::Clean(finished),
        })
    }
}

/// The first report in what a program wrote to standard error.
pub(crate) fn report(text: &str) -> Option<Report> {
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            let number = place.split(':').nth(1).and_then(|number| number.parse().ok());
            return Some(Report { kind: message.to_owned(), line: number });
        }
        let Some((_, message)) = line.split_once("ERROR: ") else { continue };
        if message.starts_with("LeakSanitizer") {
            return Some(Report { kind: "leak".to_owned(), line: None });
        }
        let Some(message) = message.strip_prefix("AddressSanitizer: ") else { continue };
        let kind = message.strip_prefix("attempting ").unwrap_or(message);
        let kind = kind.split([' ', ':']).next().unwrap_or_default().to_owned();
        let kind =
            if message.starts_with("attempting free") { "bad-free".to_owned() } else { kind };
        // The stack follows, innermost call first.
        let line = lines.find_map(|line| {
            line.trim_end().rsplit_once("program.c:")?.1.split(':').next()?.parse().ok()
        });
        return Some(Report { kind, line });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_and_line(text: &str) -> (String, Option<usize>) {
        let report = report(text).unwrap();
        (report.kind, report.line)
    }

    #[test]
    fn reports_are_read() {
        let (kind, line) = kind_and_line("/x/program.c:5:3: runtime error: division by zero\n");
        assert_eq!((kind.as_str(), line), ("division by zero", Some(5)));
        let text = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2\nREAD of size 4\n    \
                    #0 0x1 in __interceptor_strlen ../a.cpp:3\n    #1 0x1 in main /x/program.c:12\n";
        assert_eq!(kind_and_line(text), ("heap-use-after-free".into(), Some(12)));
        let text = "==1==ERROR: AddressSanitizer: attempting double-free on 0x6 in thread T0:\n    #1 0x1 in f \
                    /x/program.c:7\n";
        assert_eq!(kind_and_line(text), ("double-free".into(), Some(7)));
        let text = "==1==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x6\n    #1 \
                    0x1 in f /x/program.c:8\n";
        assert_eq!(kind_and_line(text), ("bad-free".into(), Some(8)));
        assert_eq!(
            kind_and_line("==1==ERROR: LeakSanitizer: detected memory leaks\n"),
            ("leak".into(), None)
        );
        assert_eq!(report("something else\n"), None);
    }
}

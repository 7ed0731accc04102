//! The tools of the study, one row each: how a tool is run, which properties it knows by itself, and how its output is read.

use std::path::{Path, PathBuf};

use super::run::{Ran, execute, found_files};

/// A program, the property that it is checked for, and where a tool may write.
pub(super) struct Job<'a> {
    pub(super) property: &'a str,
    /// `ILP32` or `LP64`.
    pub(super) model: &'a str,
    pub(super) file: &'a Path,
    pub(super) text: String,
    /// True if the program is the transformed one, in which `reach_error` stands for a violation.
    pub(super) is_transformed: bool,
    /// An empty folder.
    pub(super) folder: &'a Path,
    /// The seconds for the run.
    pub(super) limit: u64,
    pub(super) vergo: &'a Path,
}

/// The result of a tool: `true`, `false`, `unknown`, `timeout` or `error`, with a word that says why, and seconds.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Answer {
    pub(super) verdict: &'static str,
    pub(super) reason: String,
    pub(super) cpu: f64,
}

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// The programs that have to be there; none for Vergo, which is built.
    pub(super) programs: &'static [&'static str],
    /// The command that prints the version.
    pub(super) version: &'static [&'static str],
    /// The properties that it knows by itself.
    pub(super) native: &'static [&'static str],
    pub(super) how: &'static str,
    pub(super) means: &'static str,
    pub(super) run: fn(&Job<'_>) -> anyhow::Result<Answer>,
}

pub(super) const NO_OVERFLOW: &str = "no-overflow";
pub(super) const TERMINATION: &str = "termination";
pub(super) const MEMCLEANUP: &str = "valid-memcleanup";

/// The tools, in the order of the tables.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "vergo",
        programs: &[],
        version: &[],
        native: &[NO_OVERFLOW, TERMINATION, MEMCLEANUP],
        how: "`vergo check --property P`; transformed: `--property unreach-call`",
        means: "its verdict",
        run: vergo,
    },
    Tool {
        name: "eva",
        programs: &["frama-c"],
        version: &["frama-c", "-version"],
        native: &[NO_OVERFLOW],
        how: "`frama-c -eva -eva-precision 3`; transformed: `reach_error` has the contract `requires \\false;`",
        means: "`true` if no alarm, no contract and no recursion is left open",
        run: eva,
    },
    Tool {
        name: "afl",
        programs: &["afl-fuzz", "afl-clang-fast", "clang"],
        version: &["afl-fuzz", "--version"],
        native: &[NO_OVERFLOW, MEMCLEANUP],
        how: "`afl-clang-fast` with split comparisons, `afl-fuzz` until the first crash; native: UBSan for overflows, LeakSanitizer for memory",
        means: "`false` if a process of its own violates the property on the input found",
        run: afl,
    },
    Tool {
        name: "libfuzzer",
        programs: &["clang", "objcopy"],
        version: &["clang", "--version"],
        native: &[NO_OVERFLOW, MEMCLEANUP],
        how: "`clang -fsanitize=fuzzer`, with the program's variables put back before each run; native: as for afl",
        means: "as for afl",
        run: libfuzzer,
    },
    Tool {
        name: "gcc",
        programs: &["gcc"],
        version: &["gcc", "--version"],
        native: &[MEMCLEANUP],
        how: "`gcc -fanalyzer`; transformed: `reach_error()` writes through a global pointer that is null from the start of `main`",
        means: "`false` if it warns of memory that leaks, or of that pointer",
        run: gcc,
    },
    Tool {
        name: "cppcheck",
        programs: &["cppcheck"],
        version: &["cppcheck", "--version"],
        native: &[NO_OVERFLOW, MEMCLEANUP],
        how: "`cppcheck --enable=warning`; transformed: `reach_error()` hands null to a function that writes there",
        means: "`false` if it warns of an overflow, of memory that leaks, or of that null",
        run: cppcheck,
    },
];

/// The tool of a name.
pub(super) fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Job<'_> {
    /// The program without the transformation's own `reach_error`, and another text in its place.
    fn with_reach_error(&self, other: &str) -> String {
        match self.is_transformed {
            true => self.text.replacen("void reach_error(void) { abort(); }", other, 1),
            false => self.text.clone(),
        }
    }

    fn answer(&self, runs: &[&Ran], verdict: &'static str, reason: &str) -> Answer {
        let cpu = runs.iter().map(|ran| ran.cpu).sum();
        Answer { verdict, reason: reason.to_owned(), cpu }
    }

    fn write(&self, name: &str, text: &str) -> anyhow::Result<String> {
        std::fs::write(self.folder.join(name), text)?;
        Ok(name.to_owned())
    }

    fn wide(&self) -> &'static str {
        if self.model == "ILP32" { "-m32" } else { "-m64" }
    }

    fn run(&self, words: &[&str]) -> anyhow::Result<Ran> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        execute(self.folder, 6 * self.limit, None, &[], &words)
    }

    /// Runs a tool with a limit of the processor: each of its processes may work for so many seconds.
    fn run_limited(&self, words: &[&str]) -> anyhow::Result<Ran> {
        let limit = self.limit.to_string();
        let limited = ["sh", "-c", "ulimit -t \"$1\"; shift; exec \"$@\"", "sh", &limit];
        self.run(&[&limited, words].concat())
    }
}

fn vergo(job: &Job<'_>) -> anyhow::Result<Answer> {
    let property = if job.is_transformed { "unreach-call" } else { job.property };
    let (vergo, file) = (job.vergo.to_string_lossy(), job.file.to_string_lossy());
    // Its own limit is one of the clock; on a busy machine that says little about the work done.
    let limit = (6 * job.limit).to_string();
    let ran = job.run_limited(&[
        &vergo,
        "check",
        "--property",
        property,
        "--data-model",
        job.model,
        "--trace",
        "none",
        "--timeout",
        &limit,
        "--memory",
        "4000",
        "--json",
        "report.json",
        &file,
    ])?;
    let report = std::fs::read_to_string(job.folder.join("report.json")).unwrap_or_default();
    // It sees the processor's limit come, and then says so without a report.
    let (verdict, reason) = match ran.is_late() || ran.output.contains("unknown(timeout)") {
        true => ("timeout", String::new()),
        false => vergo_verdict(&report),
    };
    Ok(job.answer(&[&ran], verdict, &reason))
}

/// The verdict of a report, and why it is none.
fn vergo_verdict(report: &str) -> (&'static str, String) {
    let report: serde_json::Value = serde_json::from_str(report).unwrap_or_default();
    let reason = report["verdict"]["reason"].as_str().unwrap_or_default();
    let word = reason.split([':', ',', '\n']).next().unwrap_or_default().to_owned();
    match report["verdict"]["result"].as_str() {
        Some("true") => ("true", String::new()),
        Some("false") => ("false", String::new()),
        Some("unknown") if reason.starts_with("timeout") => ("timeout", String::new()),
        Some("unknown") => ("unknown", word),
        _ => ("error", word),
    }
}

/// Functions that come from outside, and what holds of them: none of them returns where it must not.
const OUTSIDE: &[(&str, &str)] = &[
    ("abort", "/*@ assigns \\nothing; ensures \\false; */ extern void abort(void);"),
    ("exit", "/*@ assigns \\nothing; ensures \\false; */ extern void exit(int);"),
    (
        "__VERIFIER_error",
        "/*@ assigns \\nothing; ensures \\false; */ extern void __VERIFIER_error(void);",
    ),
    (
        "__VERIFIER_assume",
        "/*@ assigns \\nothing; ensures c != 0; */ extern void __VERIFIER_assume(int c);",
    ),
];

fn eva(job: &Job<'_>) -> anyhow::Result<Answer> {
    let contract =
        "/*@ requires \\false; assigns \\nothing; ensures \\false; */ void reach_error(void);";
    let program = job.with_reach_error(contract);
    let mut text = String::new();
    for (name, line) in OUTSIDE {
        if program.contains(name) && !defines(&program, name) {
            text.push_str(line);
            text.push('\n');
        }
    }
    text.push_str(&program);
    let has_headers = program.lines().any(|line| line.trim_start().starts_with("#include"));
    let file = job.write(if has_headers { "program.c" } else { "program.i" }, &text)?;
    let machine = if job.model == "ILP32" { "gcc_x86_32" } else { "gcc_x86_64" };
    let ran = job.run_limited(&[
        "frama-c",
        "-machdep",
        machine,
        "-eva",
        "-eva-precision",
        "3",
        "-eva-no-print",
        "-eva-no-show-progress",
        "-eva-no-alloc-returns-null",
        "-eva-unroll-recursive-calls",
        "20",
        "-eva-msg-key=-initial-state",
        &file,
    ])?;
    let (verdict, reason) = match ran.is_late() {
        true => ("timeout", ""),
        false => eva_verdict(&ran.output, job.is_transformed),
    };
    Ok(job.answer(&[&ran], verdict, reason))
}

/// The verdict of Eva's output.
fn eva_verdict(output: &str, is_transformed: bool) -> (&'static str, &'static str) {
    let property = match is_transformed {
        true => "function reach_error: precondition got status",
        false => "signed overflow.",
    };
    if ["is thus incomplete", "Recursive call to"].iter().any(|text| output.contains(text)) {
        ("unknown", "recursion")
    } else if !output.contains("[eva] done for function main") || output.contains("User Error") {
        ("error", "not analysed")
    } else if output.contains(property) {
        ("unknown", "alarm")
    } else if output.contains("[eva:alarm]") {
        ("unknown", "other alarms")
    } else {
        ("true", "")
    }
}

/// Returns whether a program has a body for a function: its name, parameters and a brace.
fn defines(program: &str, name: &str) -> bool {
    program.match_indices(name).any(|(at, _)| {
        let before = program[..at].chars().next_back();
        let after = &program[at + name.len()..];
        let after = after.trim_start();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || !after.starts_with('(') {
            return false;
        }
        let mut depth = 0usize;
        let end = after.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        end.is_some_and(|end| after[end + 1..].trim_start().starts_with('{'))
    })
}

/// What programs are linked with that are run.
const INPUT: &str = include_str!("input.c");

/// The options with which such programs are compiled: `main` belongs to the study, and so do the ends of the program.
const COMPILED: &[&str] = &[
    "-w",
    "-fno-pie",
    // Otherwise memory that nobody reads is not even allocated.
    "-fno-builtin",
    "-fno-finite-loops",
    "-D__malloc__(...)=",
    "-Dmain=study_main",
    "-Dabort=study_abort",
    "-Dexit=study_exit",
];

/// The options of LeakSanitizer: a block that a variable still points to is not freed either.
const LEAKS: &str = "exitcode=23:symbolize=0:use_globals=0:use_stacks=0:use_registers=0:use_tls=0";

impl Job<'_> {
    /// The options that make the violation of a property an end of the process.
    fn sanitizer(&self) -> &'static [&'static str] {
        match self.property {
            _ if self.is_transformed => &["-fwrapv"],
            NO_OVERFLOW => {
                &["-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error"]
            }
            _ => &["-fsanitize=leak"],
        }
    }

    /// Writes the program, what it is linked with, and the first inputs.
    fn write_runnable(&self) -> anyhow::Result<()> {
        self.write("program.c", &self.with_reach_error("void reach_error(void);"))?;
        self.write("input.c", INPUT)?;
        let inputs = self.folder.join("inputs");
        std::fs::create_dir_all(&inputs)?;
        let mixed: Vec<u8> =
            (0..64u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for (name, bytes) in [("zeros", vec![0; 64]), ("ones", vec![1; 64]), ("mixed", mixed)] {
            std::fs::write(inputs.join(name), bytes)?;
        }
        Ok(())
    }

    fn compile(&self, compiler: &str, options: &[&str], output: &str) -> anyhow::Result<Ran> {
        let original = if self.is_transformed { "-DTRANSFORMED" } else { "-DORIGINAL" };
        let words = [&[compiler, original], options, &["-o", output]].concat();
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let variables = [("AFL_LLVM_LAF_ALL", "1"), ("AFL_QUIET", "1")];
        execute(self.folder, 60, None, &variables, &words)
    }

    /// Compiles the program; returns none if that fails. Its names are its own, as it may define functions that a library calls.
    fn compile_program(
        &self,
        compiler: &str,
        options: &[&str],
        output: &str,
    ) -> anyhow::Result<Option<Ran>> {
        let options = [COMPILED, self.sanitizer(), options, &["-c", "program.c"]].concat();
        let built = self.compile(compiler, &options, output)?;
        let own = self.run(&["objcopy", "--keep-global-symbol=study_main", output])?;
        Ok((built.code == 0 && own.code == 0).then_some(built))
    }

    /// The answer for what a fuzzer has found: `false` if the program violates the property in a process of its own.
    fn confirmed(&self, runs: &[&Ran], found: &[PathBuf]) -> anyhow::Result<Answer> {
        if found.is_empty() {
            return Ok(self.answer(runs, "unknown", "nothing found"));
        }
        let wide = self.wide();
        let options = ["-w", wide, "-DLIMIT=900", "-c", "input.c"];
        let linked = self.compile("clang", &options, "input-alone.o")?;
        let program = self.compile_program("clang", &[wide, "-O0"], "program-alone.o")?;
        let options =
            [self.sanitizer(), &[wide, "-no-pie", "program-alone.o", "input-alone.o"]].concat();
        let built = self.compile("clang", &options, "alone")?;
        if linked.code != 0 || program.is_none() || built.code != 0 {
            return Ok(self.answer(runs, "error", "not built alone"));
        }
        for input in found {
            let variables = [("LSAN_OPTIONS", LEAKS)];
            let ran = execute(self.folder, 10, Some(input), &variables, &["./alone".to_owned()])?;
            if is_violation(&ran, self.is_transformed, self.property) {
                return Ok(self.answer(runs, "false", ""));
            }
        }
        Ok(self.answer(runs, "unknown", "not confirmed"))
    }
}

/// Returns whether a run of a program has violated the property: it has said so, was trapped, or lost memory.
fn is_violation(ran: &Ran, is_transformed: bool, property: &str) -> bool {
    const TRAPPED: i32 = 128 + 4;
    match property {
        _ if is_transformed => ran.code == TRAPPED && ran.output.contains("reach_error"),
        NO_OVERFLOW => ran.code == TRAPPED,
        _ => ran.code == 23,
    }
}

fn afl(job: &Job<'_>) -> anyhow::Result<Answer> {
    job.write_runnable()?;
    let compiler = "afl-clang-fast";
    job.compile("clang", &["-w", "-O1", "-DLIMIT=10", "-c", "input.c"], "input.o")?;
    let program = job.compile_program(compiler, &["-O1"], "program.o")?;
    let options = [job.sanitizer(), &["-no-pie", "program.o", "input.o"]].concat();
    let built = job.compile(compiler, &options, "program")?;
    let Some(program) = program.filter(|_| built.code == 0) else {
        return Ok(job.answer(&[&built], "error", "not built"));
    };
    let limit = job.limit.to_string();
    let words = [
        "afl-fuzz",
        "-i",
        "inputs",
        "-o",
        "found",
        "-V",
        &limit,
        "-s",
        "1",
        "-t",
        "500+",
        "-m",
        "none",
        "--",
        "./program",
    ];
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let mut variables: Vec<(&str, &str)> = [
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
        "AFL_SKIP_CPUFREQ",
        "AFL_NO_AFFINITY",
        "AFL_NO_UI",
        "AFL_BENCH_UNTIL_CRASH",
    ]
    .map(|name| (name, "1"))
    .to_vec();
    variables.extend([("AFL_CRASH_EXITCODE", "23"), ("LSAN_OPTIONS", LEAKS)]);
    let ran = execute(job.folder, 6 * job.limit, None, &variables, &words)?;
    let found = found_files(&job.folder.join("found/default/crashes"), "id");
    // Inputs that violate the property before the search begins are not among what it has found.
    let is_first = found.is_empty()
        && ["results in a crash", "does not crash"].iter().any(|text| ran.output.contains(text));
    let found = if is_first { found_files(&job.folder.join("inputs"), "") } else { found };
    job.confirmed(&[&program, &built, &ran], &found)
}

fn libfuzzer(job: &Job<'_>) -> anyhow::Result<Answer> {
    job.write_runnable()?;
    job.compile("clang", &["-w", "-O1", "-DREPEATED", "-DLIMIT=10", "-c", "input.c"], "input.o")?;
    let program =
        job.compile_program("clang", &["-O1", "-fsanitize=fuzzer-no-link"], "program.o")?;
    // The sections with the program's variables get names that the linker makes symbols of.
    job.run(&[
        "objcopy",
        "--set-section-flags",
        ".bss=alloc,load,data,contents",
        "--rename-section",
        ".bss=study_bss",
        "--rename-section",
        ".data=study_data",
        "program.o",
    ])?;
    let leaks = !job.is_transformed && job.property == MEMCLEANUP;
    let sanitizer = if leaks { "-fsanitize=fuzzer,leak" } else { "-fsanitize=fuzzer" };
    let built = job.compile("clang", &["-no-pie", sanitizer, "program.o", "input.o"], "program")?;
    let Some(program) = program.filter(|_| built.code == 0) else {
        return Ok(job.answer(&[&built], "error", "not built"));
    };
    let (limit, detect) =
        (format!("-max_total_time={}", job.limit), format!("-detect_leaks={}", i32::from(leaks)));
    let words = [
        "./program",
        &limit,
        &detect,
        "-seed=1",
        "-max_len=1024",
        "-handle_segv=0",
        "-handle_bus=0",
        "-handle_fpe=0",
        "-rss_limit_mb=0",
        "-close_fd_mask=1",
        "-artifact_prefix=found-",
        "inputs",
    ];
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    let ran = execute(job.folder, 6 * job.limit, None, &[], &words)?;
    job.confirmed(&[&program, &built, &ran], &found_files(job.folder, "found-"))
}

fn gcc(job: &Job<'_>) -> anyhow::Result<Answer> {
    let writes = "static int *study_null;\n#define reach_error() (*study_null = 1)";
    let file = job.write("program.c", &job.with_reach_error(writes))?;
    let ran =
        job.run_limited(&["gcc", job.wide(), "-O0", "-fanalyzer", "-S", "-o", "/dev/null", &file])?;
    let (verdict, reason) = match ran.code {
        _ if ran.is_late() => ("timeout", ""),
        0 => gcc_verdict(&ran.output, job.is_transformed),
        _ => ("error", "not compiled"),
    };
    Ok(job.answer(&[&ran], verdict, reason))
}

/// The verdict of what `gcc` says: the warnings stand each with the lines that they speak of.
fn gcc_verdict(output: &str, is_transformed: bool) -> (&'static str, &'static str) {
    let is_found = output.split("warning: ").skip(1).any(|warning| match is_transformed {
        true => warning.contains("[-Wanalyzer-null-dereference]") && warning.contains("study_null"),
        false => warning.contains("[-Wanalyzer-malloc-leak]"),
    });
    if is_found { ("false", "") } else { ("unknown", "no warning") }
}

fn cppcheck(job: &Job<'_>) -> anyhow::Result<Answer> {
    let hands = "static void study_fail(int *study_null) { *study_null = 1; }\n#define reach_error() study_fail(0)";
    let file = job.write("program.c", &job.with_reach_error(hands))?;
    let platform = if job.model == "ILP32" { "--platform=unix32" } else { "--platform=unix64" };
    let template = "--template={id}: {message}";
    let ran =
        job.run_limited(&["cppcheck", "-q", "--enable=warning", platform, template, &file])?;
    let (verdict, reason) = match ran.is_late() {
        true => ("timeout", ""),
        false => cppcheck_verdict(&ran.output, job.is_transformed, job.property),
    };
    Ok(job.answer(&[&ran], verdict, reason))
}

/// The verdict of what `cppcheck` says: one line for each warning, which begins with its name.
fn cppcheck_verdict(
    output: &str,
    is_transformed: bool,
    property: &str,
) -> (&'static str, &'static str) {
    let is_found =
        output.lines().filter_map(|line| line.split_once(": ")).any(
            |(name, text)| match property {
                _ if is_transformed => text.contains("study_null"),
                NO_OVERFLOW => name == "integerOverflow",
                _ => name.starts_with("memleak") || name.starts_with("leak"),
            },
        );
    if is_found { ("false", "") } else { ("unknown", "no warning") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(code: i32, output: &str) -> Ran {
        Ran { code, output: output.to_owned(), cpu: 1.0 }
    }

    #[test]
    fn eva_is_believed_only_where_nothing_is_open() {
        let done = "[eva] done for function main\n[eva:summary] ====== ANALYSIS SUMMARY ======\n";
        assert_eq!(eva_verdict(done, true), ("true", ""));
        assert_eq!(eva_verdict("[kernel] User Error: stopping", true).0, "error");
        let alarm = |text: &str| format!("[eva:alarm] e.i:4: Warning: \n  {text}\n{done}");
        let called = alarm("function reach_error: precondition got status invalid.");
        assert_eq!(eva_verdict(&called, true), ("unknown", "alarm"));
        let overflow = alarm("signed overflow. assert i + 1 ≤ 2147483647;");
        assert_eq!(eva_verdict(&overflow, false), ("unknown", "alarm"));
        assert_eq!(eva_verdict(&overflow, true), ("unknown", "other alarms"));
        let recursion = format!("  Analysis of function f is thus incomplete and its\n{done}");
        assert_eq!(eva_verdict(&recursion, false), ("unknown", "recursion"));
    }

    #[test]
    fn runs_violate_a_property_in_its_own_way_only() {
        assert!(is_violation(&ran(132, "reach_error\n"), true, TERMINATION));
        assert!(!is_violation(&ran(132, ""), true, TERMINATION));
        assert!(!is_violation(&ran(139, "reach_error\n"), true, TERMINATION));
        assert!(is_violation(&ran(132, ""), false, NO_OVERFLOW));
        assert!(!is_violation(&ran(139, ""), false, NO_OVERFLOW));
        assert!(is_violation(&ran(23, ""), false, MEMCLEANUP));
        assert!(!is_violation(&ran(0, ""), false, MEMCLEANUP));
    }

    #[test]
    fn warnings_count_if_they_speak_of_the_property() {
        let null = "p.c:5:2: warning: dereference of NULL '0' [CWE-476] [-Wanalyzer-null-dereference]\n | (*study_null = 1)\n";
        assert_eq!(gcc_verdict(null, true).0, "false");
        assert_eq!(gcc_verdict(&null.replace("study_null", "p"), true).0, "unknown");
        assert_eq!(gcc_verdict(null, false).0, "unknown");
        let leak = "p.c:9:2: warning: leak of 'p' [CWE-401] [-Wanalyzer-malloc-leak]\n";
        assert_eq!(gcc_verdict(leak, false).0, "false");
        let null = "ctunullpointer: Null pointer dereference: study_null\n";
        assert_eq!(cppcheck_verdict(null, true, MEMCLEANUP).0, "false");
        assert_eq!(cppcheck_verdict(null, false, MEMCLEANUP).0, "unknown");
        let overflow = "integerOverflow: Signed integer overflow for expression 'x+1'.\n";
        assert_eq!(cppcheck_verdict(overflow, false, NO_OVERFLOW).0, "false");
        assert_eq!(cppcheck_verdict(overflow, false, MEMCLEANUP).0, "unknown");
        assert_eq!(cppcheck_verdict("memleak: Memory leak: p\n", false, MEMCLEANUP).0, "false");
    }

    #[test]
    fn reports_of_vergo_are_read() {
        let report = |verdict: &str| format!("{{\"verdict\": {verdict}}}");
        assert_eq!(vergo_verdict(&report("{\"result\": \"true\"}")).0, "true");
        assert_eq!(vergo_verdict(&report("{\"result\": \"false\"}")).0, "false");
        let late = report("{\"result\": \"unknown\", \"reason\": \"timeout: 5 s\"}");
        assert_eq!(vergo_verdict(&late).0, "timeout");
        assert_eq!(vergo_verdict("").0, "error");
    }

    #[test]
    fn bodies_of_functions_are_seen() {
        assert!(defines("void f(int (*g)(int)) {}", "f"));
        assert!(!defines("extern void f(int); void my_f(int x) {} int g(void) { f(1); }", "f"));
    }
}

//! Programs of others: all of them parse.

use crate::{Parsed, add};
use std::path::{Path, PathBuf};
use std::time::Instant;
use vergo_cfront::{Options, parse};
use vergo_source::Diagnostics;
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment;
use vergo_testkit::host_c::HostC;

fn parsed(name: &str, text: &[u8]) -> Parsed {
    let (mut sources, file) = add(name, text);
    let mut diags = Diagnostics::new();
    let ast = parse(&mut sources, file, &Options::default(), &mut diags);
    Parsed { sources, ast, diags }
}

fn assert_parses(name: &str, text: &[u8]) {
    let parsed = parsed(name, text);
    assert!(!parsed.diags.has_errors(), "{name}\n{}", parsed.messages());
    assert!(!parsed.ast.items.is_empty(), "{name}");
}

fn c_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            c_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
            files.push(path);
        }
    }
}

#[test]
fn benchmark_programs_parse() {
    let Some(shared) = environment::shared_or_skip("benchmark_programs_parse") else { return };
    let host = HostC::find();
    let mut files = Vec::new();
    c_files(&shared.join("bench"), &mut files);
    assert!(files.len() > 100, "the benchmark programs are missing");
    for path in files {
        let name = path.display().to_string();
        let mut text = std::fs::read(&path).expect("a readable file");
        let has_directives = text
            .split(|&byte| byte == b'\n')
            .any(|line| line.trim_ascii_start().starts_with(b"#include"));
        if has_directives {
            let Some(host) = &host else { continue };
            let finished = host.preprocess(&text, &[]).expect("the preprocessor runs");
            assert!(finished.success(), "{name}\n{}", finished.stderr_text());
            text = finished.stdout;
        }
        assert_parses(&name, &text);
    }
}

#[test]
fn system_headers_parse() {
    let Some(host) = HostC::find() else {
        return environment::skip("system_headers_parse", "there is no C compiler");
    };
    for header in [
        "assert",
        "complex",
        "ctype",
        "dirent",
        "errno",
        "fcntl",
        "fenv",
        "float",
        "inttypes",
        "limits",
        "locale",
        "math",
        "netdb",
        "poll",
        "pthread",
        "sched",
        "semaphore",
        "setjmp",
        "signal",
        "spawn",
        "stdalign",
        "stdarg",
        "stdatomic",
        "stdbool",
        "stddef",
        "stdint",
        "stdio",
        "stdlib",
        "stdnoreturn",
        "string",
        "sys/mman",
        "sys/socket",
        "sys/stat",
        "sys/time",
        "sys/types",
        "sys/wait",
        "termios",
        "tgmath",
        "threads",
        "time",
        "uchar",
        "unistd",
        "wchar",
        "wctype",
        "immintrin",
        "x86intrin",
        "linux/fs",
        "linux/perf_event",
        "linux/bpf",
        "linux/io_uring",
    ] {
        let include = format!("#include <{header}.h>\nint here;\n");
        let finished =
            host.preprocess(include.as_bytes(), &["-D_GNU_SOURCE"]).expect("the preprocessor runs");
        // A header may not be installed.
        if finished.success() {
            assert_parses(header, &finished.stdout);
        }
    }
}

#[test]
fn random_programs_parse() {
    let (Some(host), Some(csmith)) = (HostC::find(), Csmith::find()) else {
        return environment::skip("random_programs_parse", "there is no C compiler or no csmith");
    };
    let n = if environment::slow() { 300 } else { 5 };
    for seed in 1..=n {
        let Some(text) = csmith.generate(seed, &[]) else { continue };
        let finished = host
            .preprocess(text.as_bytes(), &[&csmith.include_option()])
            .expect("the preprocessor runs");
        assert!(finished.success(), "seed {seed}\n{}", finished.stderr_text());
        assert_parses(&format!("seed {seed}"), &finished.stdout);
    }
}

/// The measure that matters is taken in a release build by `cargo xtask bench`; this one keeps it from being lost.
#[test]
fn a_large_file_takes_little_time() {
    let Some(host) = HostC::find() else {
        return environment::skip("a_large_file_takes_little_time", "there is no C compiler");
    };
    let text = vergo_testkit::large::program(1, 20_000);
    let finished = host.preprocess(text.as_bytes(), &[]).expect("the preprocessor runs");
    assert!(finished.success(), "{}", finished.stderr_text());
    let start = Instant::now();
    assert_parses("large", &finished.stdout);
    let elapsed = start.elapsed();
    println!("{} bytes in {elapsed:?}", finished.stdout.len());
    assert!(elapsed.as_secs() < 5, "{elapsed:?}");
}

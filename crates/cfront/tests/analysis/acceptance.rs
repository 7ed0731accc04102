//! Real programs and headers are accepted.

use crate::analysed;
use std::fmt::Write;
use vergo_cfront::target::DataModel;
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment::{shared_or_skip, skip, slow};
use vergo_testkit::host_c::HostC;

fn preprocessed(gcc: &HostC, text: &[u8], options: &[&str]) -> Option<Vec<u8>> {
    let finished = gcc.preprocess(text, options).ok()?;
    finished.success().then_some(finished.stdout)
}

#[test]
fn verification_tasks() {
    let Some(shared) = shared_or_skip("verification_tasks") else { return };
    let Some(gcc) = HostC::find() else { return skip("verification_tasks", "there is no gcc") };
    let folder = shared.join("bench");
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).expect("the manifest");
    let mut wrong = String::new();
    let mut n_files = 0;
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (file, model) = (fields[0], fields[3]);
        let text = std::fs::read(folder.join(file)).expect("the file");
        let directives = text.windows(8).any(|window| window == b"#include")
            || text.windows(7).any(|window| window == b"#define");
        let (model, option) =
            if model == "ILP32" { (DataModel::Ilp32, "-m32") } else { (DataModel::Lp64, "-m64") };
        let text = if directives {
            match preprocessed(&gcc, &text, &[option]) {
                Some(text) => text,
                None => continue,
            }
        } else {
            text
        };
        n_files += 1;
        let analysed = analysed(model, &text);
        if analysed.diags.has_errors() {
            let _ = writeln!(wrong, "{file}\n{}", analysed.messages());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(n_files > 0);
}

#[test]
fn generated_programs() {
    let (Some(gcc), Some(csmith)) = (HostC::find(), Csmith::find()) else {
        return skip("generated_programs", "there is no gcc or no csmith");
    };
    for seed in 0..if slow() { 100 } else { 3 } {
        let Some(text) = csmith.generate(seed, &[]) else { continue };
        let include = csmith.include_option();
        let Some(text) = preprocessed(&gcc, text.as_bytes(), &[&include]) else { continue };
        let analysed = analysed(DataModel::Lp64, &text);
        assert!(!analysed.diags.has_errors(), "seed {seed}\n{}", analysed.messages());
    }
}

#[test]
fn system_headers() {
    let Some(gcc) = HostC::find() else { return skip("system_headers", "there is no gcc") };
    let headers = [
        "assert.h",
        "complex.h",
        "ctype.h",
        "errno.h",
        "fenv.h",
        "float.h",
        "inttypes.h",
        "limits.h",
        "locale.h",
        "math.h",
        "setjmp.h",
        "signal.h",
        "stdalign.h",
        "stdarg.h",
        "stdatomic.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "stdnoreturn.h",
        "string.h",
        "tgmath.h",
        "threads.h",
        "time.h",
        "uchar.h",
        "wchar.h",
        "wctype.h",
        "pthread.h",
        "unistd.h",
        "sys/types.h",
        "sys/stat.h",
        "sys/socket.h",
        "netinet/in.h",
        "poll.h",
        "dirent.h",
        "fcntl.h",
        "semaphore.h",
        "sys/mman.h",
        "sys/wait.h",
        "regex.h",
        "glob.h",
        "ucontext.h",
    ];
    let mut all = String::from("#define _GNU_SOURCE 1\n");
    for header in headers {
        let _ = writeln!(all, "#include <{header}>");
    }
    all.push_str(
        "int main(int argc, char **argv) { errno = 0; assert(argc > 0); fprintf(stderr, \"%s\", argv[0]);
         double d = fabs(-1.0) + sin(1.0f); _Atomic int a = 0; atomic_fetch_add(&a, 2); float f = 2; f = sqrt(f);
         complex double z = 1 + 2 * I; d += creal(z) + isnan(d) + INFINITY; fd_set s; FD_ZERO(&s);
         struct stat st; return stat(\"x\", &st) + WEXITSTATUS(argc) + (int)d + offsetof(struct stat, st_mode); }\n",
    );
    for (model, option) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        for optimise in ["-O0", "-O2"] {
            let Some(text) = preprocessed(&gcc, all.as_bytes(), &[option, optimise]) else {
                continue;
            };
            let analysed = analysed(model, &text);
            assert!(analysed.diags.is_empty(), "{option} {optimise}\n{}", analysed.messages());
        }
    }
}

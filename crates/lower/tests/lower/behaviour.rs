//! Whole programs do what they do when the host's compiler compiles them.

use crate::{check, lower, run, running};
use std::path::{Path, PathBuf};
use std::time::Duration;
use vergo_cfront::target::DataModel;
use vergo_goto::program::{InstrKind, Program};
use vergo_interp::Outcome;
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment;
use vergo_testkit::host_c::{HostC, Scratch};

/// The programs of the corpus, in order.
pub(crate) fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/run");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is part of the repository")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    found.sort();
    found
}

/// The status that the program's first lines promise.
fn status(text: &str) -> u8 {
    text.lines()
        .find_map(|line| line.strip_prefix("//@ status:"))
        .and_then(|status| status.trim().parse().ok())
        .unwrap_or(0)
}

fn drop_claims(program: &mut Program, properties: &[&str]) {
    for instr in
        program.functions.values_mut().flat_map(|function| function.body.iter_mut().flatten())
    {
        if let InstrKind::Assert(_, claim) = &instr.kind
            && properties.contains(&claim.property.as_str())
        {
            instr.kind = InstrKind::Skip;
        }
    }
}

/// Runs a text under Vergo.
fn behaviour(name: &str, text: &[u8], model: DataModel) -> Result<(String, u8), String> {
    let mut program = lower(name, text, model, &running())?;
    check(&program)?;
    // The corpus shows what gcc does also where C leaves it open.
    drop_claims(&mut program, &["arith.float-conversion", "sequence.unsequenced"]);
    let (output, outcome) = run(&program);
    let output = String::from_utf8_lossy(&output).into_owned();
    match outcome {
        Outcome::Exited(status) => Ok((output, status)),
        other => Err(format!("{other:?} after\n{output}")),
    }
}

#[test]
fn programs_of_the_corpus_print_what_is_written_beside_them() {
    let host = HostC::find();
    let scratch = Scratch::new("lower").expect("a temporary folder");
    let mut failures = Vec::new();
    for path in programs() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a file of the corpus");
        let expected = std::fs::read_to_string(path.with_extension("out")).unwrap_or_default();
        match behaviour(&name, text.as_bytes(), DataModel::Lp64) {
            Ok(actual) if actual == (expected.clone(), status(&text)) => {}
            Ok((output, code)) => {
                let difference = vergo_testkit::golden::difference(&expected, &output);
                failures.push(format!("{name}: status {code}\n{difference}"));
            }
            Err(error) => failures.push(format!("{name}: {error}")),
        }
        // On the 32-bit machine the programs are well formed and run to their end; what they print depends on sizes.
        if let Err(error) = behaviour(&name, text.as_bytes(), DataModel::Ilp32)
            && !text.contains("__int128")
        {
            failures.push(format!("{name} (ILP32): {error}"));
        }
        if let Some(host) = &host {
            let finished = host.run_text(&scratch, &text, &["-w", "-lm"], Duration::from_secs(10));
            let finished = finished.expect("the compiler runs");
            if String::from_utf8_lossy(&finished.stdout) != expected {
                failures.push(format!("{name}: the host's compiler prints something else"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn csmith_programs_print_what_they_print_natively() {
    let (Some(host), Some(csmith)) = (HostC::find(), Csmith::find()) else {
        environment::skip("csmith_programs_print_what_they_print_natively", "no gcc or no csmith");
        return;
    };
    let count = if environment::slow() { 500 } else { 12 };
    let include = csmith.include_option();
    let scratch = Scratch::new("lower").expect("a temporary folder");
    let mut failures = Vec::new();
    for seed in 0..count {
        let Some(text) = csmith.generate(seed, &["--max-funcs", "4", "--max-block-depth", "3"])
        else {
            continue;
        };
        let expected = host.run_text(&scratch, &text, &["-w", &include], Duration::from_secs(2));
        let Ok(expected) = expected else { continue };
        if !expected.success() {
            continue;
        }
        let Ok(preprocessed) = host.preprocess(text.as_bytes(), &["-w", &include]) else {
            continue;
        };
        match behaviour("csmith.c", &preprocessed.stdout, DataModel::Lp64) {
            Ok((output, 0)) if output.as_bytes() == expected.stdout => {}
            Ok((output, status)) => {
                failures.push(format!("seed {seed}: status {status}, {output}"))
            }
            Err(error) => failures.push(format!("seed {seed}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn threads_run_and_are_joined() {
    let text = "
        typedef unsigned long pthread_t;
        typedef union { char room[40]; long align; } pthread_mutex_t;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *), pthread_join(pthread_t, void **);
        void pthread_exit(void *);
        int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *), printf(const char *, ...);
        pthread_mutex_t lock;
        int n;
        void *work(void *argument) {
            for (int i = 0; i < 100; i++) { pthread_mutex_lock(&lock); n++; pthread_mutex_unlock(&lock); }
            pthread_exit((void *)((long)argument + 1));
        }
        int main(void) {
            pthread_t a, b;
            void *r;
            pthread_create(&a, 0, work, (void *)1);
            pthread_create(&b, 0, work, (void *)2);
            pthread_join(a, &r); printf(\"%ld \", (long)r);
            pthread_join(b, &r); printf(\"%ld %d\", (long)r, n);
            pthread_exit(0);
        }";
    assert_eq!(
        behaviour("threads.c", text.as_bytes(), DataModel::Lp64),
        Ok(("2 3 200".to_string(), 0))
    );
}

#[test]
fn what_is_not_supported_is_said() {
    let text =
        "int setjmp(long *); void longjmp(long *, int); long b[40]; void f(void) { setjmp(b); }
        int main(void) { f(); longjmp(b, 1); }";
    let program = lower("jump.c", text.as_bytes(), DataModel::Lp64, &running()).expect("it lowers");
    assert!(
        matches!(run(&program).1, Outcome::Unsupported { what, .. } if what.contains("longjmp"))
    );

    let text = "int unknown(int); int main(void) { return unknown(3); }";
    let program =
        lower("missing.c", text.as_bytes(), DataModel::Lp64, &running()).expect("it lowers");
    let Outcome::Violation(violation) = run(&program).1 else {
        panic!("a call of nothing is a violation")
    };
    assert_eq!(violation.claim.property, "call.no-body");
}

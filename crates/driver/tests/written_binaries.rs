//! Programs that are written as goto binaries and read back do what they did, and are judged as they were.

use std::path::{Path, PathBuf};
use std::time::Duration;

use vergo_driver::preprocess::{CppFlag, CppOptions};
use vergo_driver::{
    Answer, BinaryDialect, CheckRequest, DataModel, GotoRequest, Input, Job, RunRequest,
    Specification, check, goto_binary, run,
};
use vergo_interp::Buffers;
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment::{shared_or_skip, skip, slow, slow_or_skip};
use vergo_testkit::host_c::Scratch;

/// Programs that cannot be written, and what stands in the way.
const REFUSED: &[(&str, &str)] = &[
    ("initialisers", "the address of `printf`"),
    ("nested_functions", "the address of a nested function"),
    ("program_ends", "`before`, which runs before or after `main`"),
    ("variable_arguments", "a list of variable arguments that `vprintf` takes"),
];

fn corpus(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    files
}

/// The binary of a program, or what is said instead.
fn written(job: &mut Job, input: &Input, dialect: BinaryDialect) -> Result<Input, String> {
    let inputs = std::slice::from_ref(input);
    match goto_binary(job, inputs, &GotoRequest::default(), dialect) {
        Ok(text) => Ok(Input::Text { name: "written.gb".to_owned(), text }),
        Err(_) => Err(job.diagnostics.iter().map(|d| d.message.clone() + "\n").collect()),
    }
}

/// Returns the output of a program, and its end.
fn printed(job: &mut Job, input: Input) -> (String, String) {
    let request = RunRequest { timeout: Some(Duration::from_secs(60)), ..RunRequest::default() };
    let output = Buffers::default();
    let ended = run(job, &[input], &request, Box::new(output.clone()), &mut |_| {});
    let text = String::from_utf8_lossy(&output.output()).into_owned();
    (text, format!("{:?}", ended.map_err(|_| "no program")))
}

#[test]
fn written_programs_print_the_same() {
    let mut n_same = 0;
    for path in corpus("run") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let input = Input::File(path);
        let refused = REFUSED.iter().find(|(program, _)| *program == name);
        let binary = match (written(&mut Job::default(), &input, BinaryDialect::Cbmc), refused) {
            (Ok(binary), None) => binary,
            (Err(said), Some((_, why))) => {
                assert!(said.contains(why), "{name}: {said}");
                continue;
            }
            (Ok(_), Some((_, why))) => panic!("{name} is written, although {why}"),
            (Err(said), None) => panic!("{name}: {said}"),
        };
        let original = printed(&mut Job::default(), input.clone());
        assert_eq!(printed(&mut Job::default(), binary), original, "{name}");
        if n_same % 5 == 0 {
            let other = written(&mut Job::default(), &input, BinaryDialect::Esbmc).unwrap();
            assert_eq!(printed(&mut Job::default(), other), original, "{name} for ESBMC");
        }
        n_same += 1;
    }
    assert!(n_same >= 22, "only {n_same} programs");
}

/// Values of unions beyond the member that is given are zero, also in objects that are constant.
#[test]
fn constant_unions_are_written() {
    let text = "\
int printf(const char *, ...);
union u { signed char c; long l; int a[3]; };
struct s { int i; union u u[2]; double d; };
static const union u one = { 7 };
static const struct s many[2] = { { 1, { { -2 }, { .l = 258 } }, 2.5 }, { 3, { { .a = { 4, 5 } } } } };
int main(void) {
    printf(\"%d %ld %d\\n\", one.c, one.l, one.a[2]);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            printf(\"%d %d %d %d %g\\n\", many[i].i, many[i].u[k].c, many[i].u[k].a[0], many[i].u[k].a[1], many[i].d);
    return 0;
}
";
    let input = Input::Text { name: "unions.c".to_owned(), text: text.into() };
    let original = printed(&mut Job::default(), input.clone());
    assert!(original.0.starts_with("7 7 0\n1 -2 254 0 2.5\n"), "{}", original.0);
    for dialect in [BinaryDialect::Cbmc, BinaryDialect::Esbmc] {
        let binary = written(&mut Job::default(), &input, dialect).unwrap();
        assert_eq!(printed(&mut Job::default(), binary), original, "{dialect}");
    }
}

/// Returns the verdict on a program: true, false with the property, or nothing.
fn answer(input: Input, specification: Specification, limit: u64) -> Option<String> {
    answer_in(&mut Job::default(), input, specification, limit)
}

fn answer_in(
    job: &mut Job,
    input: Input,
    specification: Specification,
    limit: u64,
) -> Option<String> {
    let request = CheckRequest {
        specification,
        timeout: Some(Duration::from_secs(limit)),
        ..CheckRequest::default()
    };
    match check(job, &[input], &request, &|_| {}).ok()?.answer {
        Answer::True => Some("true".to_owned()),
        Answer::False(property) => Some(format!("false({property})")),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn written_programs_are_judged_as_before() {
    let step = if slow() { 1 } else { 8 };
    for (i, path) in corpus("properties").into_iter().step_by(step).enumerate() {
        let name = path.display().to_string();
        let input = Input::File(path);
        let original = answer(input.clone(), Specification::standard(), 20);
        let dialect = if i % 4 == 3 { BinaryDialect::Esbmc } else { BinaryDialect::Cbmc };
        let binary = written(&mut Job::default(), &input, dialect)
            .unwrap_or_else(|said| panic!("{name}: {said}"));
        assert_eq!(answer(binary, Specification::standard(), 20), original, "{name} {dialect}");
    }
}

/// Programs that end, and twins that need not, are told apart from binaries as from C.
#[test]
fn written_programs_end_as_before() {
    let step = if slow() { 1 } else { 6 };
    let mut n_decided = 0;
    for (i, path) in corpus("check/termination").into_iter().step_by(step).enumerate() {
        let name = path.display().to_string();
        let input = Input::File(path);
        let termination = || Specification::from_name("termination").unwrap();
        let dialect = if i % 4 == 3 { BinaryDialect::Esbmc } else { BinaryDialect::Cbmc };
        let Ok(binary) = written(&mut Job::default(), &input, dialect) else { continue };
        let original = answer(input, termination(), 20);
        assert_eq!(answer(binary, termination(), 20), original, "{name} {dialect}");
        n_decided += usize::from(original.is_some());
    }
    assert!(n_decided * step >= 40, "only {n_decided} programs");
}

#[test]
fn written_programs_of_csmith_print_the_same() {
    let name = "written_programs_of_csmith_print_the_same";
    let Some(csmith) = Csmith::find() else { return skip(name, "there is no csmith") };
    let n_programs = if slow() { 200 } else { 2 };
    let folder = Scratch::new("written").unwrap();
    let include = csmith.include_option();
    let (mut n, mut seed) = (0, 5000);
    while n < n_programs {
        seed += 1;
        let options: &[&str] = match seed % 3 {
            0 => &["--no-packed-struct", "--float", "--strict-float"],
            1 => &["--no-packed-struct", "--unions", "--bitfields"],
            _ => &["--no-packed-struct", "--max-struct-fields", "12"],
        };
        let Some(text) = csmith.generate(seed, options) else { continue };
        let cpp = CppOptions {
            command: vec!["gcc".into(), "-E".into()],
            flags: vec![CppFlag::IncludeDir(include.trim_start_matches("-I").into())],
            ..CppOptions::default()
        };
        let input = Input::File(folder.write("original.c", &text).unwrap());
        let job = || Job::new(DataModel::Lp64, cpp.clone());
        let (output, ended) = run_for(&mut job(), input.clone());
        // A program that does not end in time is no oracle.
        if output.is_empty() || ended.contains("Limit") {
            continue;
        }
        let binary = written(&mut job(), &input, BinaryDialect::Cbmc)
            .unwrap_or_else(|said| panic!("seed {seed}: {said}"));
        assert_eq!(printed(&mut job(), binary).0, output, "seed {seed}");
        n += 1;
    }
}

/// A short run.
fn run_for(job: &mut Job, input: Input) -> (String, String) {
    let limit = Duration::from_secs(if slow() { 10 } else { 2 });
    let request = RunRequest { timeout: Some(limit), ..RunRequest::default() };
    let output = Buffers::default();
    let ended = run(job, &[input], &request, Box::new(output.clone()), &mut |_| {});
    (String::from_utf8_lossy(&output.output()).into_owned(), format!("{ended:?}"))
}

#[test]
fn written_tasks_are_judged_as_before() {
    let name = "written_tasks_are_judged_as_before";
    let Some(shared) = shared_or_skip(name) else { return };
    if !slow_or_skip(name) {
        return;
    }
    let manifest = std::fs::read_to_string(shared.join("bench/manifest.csv")).unwrap();
    let (mut n, mut n_refused, mut n_weaker) = (0, 0, 0);
    // Every second task, of every property.
    for row in manifest.lines().skip(1).step_by(2) {
        let fields: Vec<&str> = row.split(',').collect();
        let [file, property, _, model, ..] = fields[..] else { panic!("{row}") };
        let model = if model == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let job = || Job::new(model, CppOptions::default());
        let input = Input::File(shared.join("bench").join(file));
        let Ok(binary) = written(&mut job(), &input, BinaryDialect::Cbmc) else {
            n_refused += 1;
            continue;
        };
        let specification = || Specification::from_name(property).unwrap();
        let original = answer_in(&mut job(), input, specification(), 10);
        // A binary says itself what the machine is.
        let again = answer(binary, specification(), 10);
        n += 1;
        if original.is_some() && again.is_some() {
            assert_eq!(again, original, "{file}");
        }
        n_weaker += usize::from(original.is_some() && again.is_none());
    }
    assert!(n_refused * 20 <= n + n_refused, "{n_refused} refused, {n} written");
    assert!(n_weaker * 20 <= n, "{n_weaker} of {n} are not decided any more");
}

#[test]
fn a_binary_is_translated_and_not_written_anew() {
    let text = "int main(void) {\n  return 0;\n}\n";
    let input = Input::Text { name: "x.c".to_owned(), text: text.into() };
    let binary = written(&mut Job::default(), &input, BinaryDialect::Cbmc).unwrap();
    let again = written(&mut Job::default(), &binary, BinaryDialect::Cbmc).unwrap();
    assert!(binary == again);
}

#[test]
fn what_cannot_be_written_is_named_with_its_place() {
    let text = "long double a[2];\nint main(void) {\n  a[0] = 1;\n  return 0;\n}\n";
    let input = Input::Text { name: "x.c".to_owned(), text: text.into() };
    let mut job = Job::default();
    let said = written(&mut job, &input, BinaryDialect::Cbmc).unwrap_err();
    assert!(said.contains("an array of numbers of type `long double`"), "{said}");
    let first = job.diagnostics.iter().next().unwrap();
    assert_eq!(job.map.presumed(first.primary.lo).line, 3, "{said}");
}

/// A function of the library that nobody declares gets the arguments of its call, as in C.
#[test]
fn functions_without_a_prototype_get_their_arguments() {
    for (start, result) in [("good", "true"), ("bad", "false(user.assert)")] {
        let text = format!(
            "typedef unsigned long pthread_t;\nint x;\nvoid *good(void *p) {{ x = 1; return 0; }}\n\
             void *bad(void *p) {{ x = 2; return 0; }}\nint main(void) {{\n  pthread_t t;\n  \
             pthread_create(&t, 0, {start}, 0);\n  pthread_join(t, (void **)0);\n  \
             __CPROVER_assert(x == 1, \"x\");\n  return 0;\n}}\n"
        );
        let input = Input::Text { name: "x.c".to_owned(), text: text.into() };
        let asserts = || Specification::from_name("user.assert").unwrap();
        assert_eq!(answer(input.clone(), asserts(), 20).as_deref(), Some(result), "{start}");
        for dialect in [BinaryDialect::Cbmc, BinaryDialect::Esbmc] {
            let binary = written(&mut Job::default(), &input, dialect).unwrap();
            let said = answer(binary, asserts(), 20);
            assert_eq!(said.as_deref(), Some(result), "{start} {dialect}");
        }
    }
}

/// A zero for a pointer that nobody declares is null, so that nothing unknown goes to threads.
#[test]
fn zeros_without_a_prototype_are_null() {
    for (read, result) in [("__atomic_load_n(&x, 5)", "true"), ("x", "false(no-data-race)")] {
        let text = format!(
            "typedef unsigned long pthread_t;\nint x;\nvoid *add(void *p) {{ __atomic_fetch_add(&x, 1, 5); return 0; }}\n\
             void *look(void *p) {{ int seen = {read}; return 0; }}\nint main(void) {{\n  pthread_t t, u;\n  \
             pthread_create(&t, 0, add, 0);\n  pthread_create(&u, 0, look, 0);\n  return 0;\n}}\n"
        );
        let input = Input::Text { name: "x.c".to_owned(), text: text.into() };
        for dialect in [BinaryDialect::Cbmc, BinaryDialect::Esbmc] {
            let binary = written(&mut Job::default(), &input, dialect).unwrap();
            let races = Specification::from_name("no-data-race").unwrap();
            assert_eq!(answer(binary, races, 20).as_deref(), Some(result), "{read} {dialect}");
        }
    }
}

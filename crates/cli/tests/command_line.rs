//! The command line's contract: statuses, streams, standard input, options of compilers.

use std::process::Command;
use std::time::Duration;

use vergo_testkit::environment::skip;
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::process::{Finished, run};

fn vergo(arguments: &[&str], input: &str) -> Finished {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vergo"));
    command.args(arguments).env_remove("CC").env_remove("NO_COLOR");
    run(&mut command, input.as_bytes(), Duration::from_secs(60)).unwrap()
}

#[test]
fn version_is_one_line() {
    let finished = vergo(&["--version"], "");
    assert_eq!(finished.code(), Some(0));
    let text = finished.stdout_text();
    let rest =
        text.strip_prefix(&format!("vergo {}", env!("CARGO_PKG_VERSION"))).expect("the version");
    // The commit stands behind it where git knows it.
    let is_commit =
        |text: &str| text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let commit = rest.trim_end().strip_prefix(" (").and_then(|rest| rest.strip_suffix(')'));
    assert!(rest == "\n" || commit.is_some_and(is_commit), "{text}");
    assert!(finished.stderr.is_empty());
}

#[test]
fn bad_usage_has_status_2() {
    for arguments in [&[][..], &["nonsense"], &["dump", "x.c"], &["dump", "--at", "nowhere", "x.c"]]
    {
        let finished = vergo(arguments, "");
        assert_eq!(finished.code(), Some(2), "{arguments:?}");
        assert!(finished.stdout.is_empty(), "{arguments:?}");
        assert!(!finished.stderr.is_empty(), "{arguments:?}");
    }
}

/// Mistakes of somebody who has never used it.
#[test]
fn mistakes_of_the_first_minutes_have_a_hint() {
    for (arguments, hint) in [
        (&["program.c"][..], "to check a program: vergo check program.c"),
        (&["chekc", "program.c"], "a similar subcommand exists: 'check'"),
        (&["check", "--proprety", "x", "program.c"], "a similar argument exists: '--property'"),
        (&["check", "--property", "no-overfow", "program.c"], "did you mean `no-overflow`?"),
        (&["check", "--property", "memory.bound", "program.c"], "did you mean `memory.bounds`?"),
        (&["check", "--property", "nonsense", "program.c"], "docs/reference/properties.md"),
        (&["check", "--engine", "nonsense", "program.c"], "possible values: bmc, "),
        (&["check", "--timeout", "-1", "program.c"], "a number of seconds is needed"),
        (&["check", "."], "`.` is a folder"),
        (&["check", "no-such-file.c"], "cannot read `no-such-file.c`: No such file or directory\n"),
        (&["transform", "--spec", "no-overlow", "program.c"], "did you mean `no-overflow`?"),
        (
            &["transform", "program.c"],
            "give a specification with --spec, --arrays, or --sequentialize",
        ),
        (&["explain", "X9999"], "`vergo explain` lists all"),
    ] {
        let finished = vergo(arguments, "");
        assert_eq!(finished.code(), Some(2), "{arguments:?}");
        assert!(finished.stdout.is_empty(), "{arguments:?}");
        let shown = finished.stderr_text();
        assert!(shown.contains(hint), "{arguments:?}\n{shown}");
    }
}

#[test]
fn bad_input_has_status_2_and_a_place() {
    let finished = vergo(&["dump", "--at", "preprocessed", "no-such-file.c"], "");
    assert_eq!(finished.code(), Some(2));
    assert!(finished.stderr_text().contains("D0001"));
    assert!(finished.stderr_text().ends_with("vergo: 1 error\n"));
}

#[test]
fn standard_input_is_a_dash() {
    let finished = vergo(&["dump", "--at", "preprocessed", "-"], "int x;\n");
    assert_eq!((finished.code(), finished.stdout_text().as_str()), (Some(0), "int x;\n"));
}

#[test]
fn colours_only_when_asked() {
    let plain = vergo(&["dump", "--at", "preprocessed", "no-such-file.c"], "");
    assert!(!plain.stderr.contains(&0x1b), "standard error is no terminal here");
    let coloured =
        vergo(&["dump", "--color", "always", "--at", "preprocessed", "no-such-file.c"], "");
    assert!(coloured.stderr.contains(&0x1b));
}

#[test]
fn explanations() {
    let finished = vergo(&["explain", "D0011"], "");
    assert_eq!(finished.code(), Some(0));
    assert!(finished.stdout_text().starts_with("D0011: a header was not found\n\n"));
    assert_eq!(vergo(&["explain", "D9999"], "").code(), Some(2));
    assert!(vergo(&["explain"], "").stdout_text().lines().count() > 5);
}

#[test]
fn options_of_compilers_keep_their_order() {
    if HostC::find().is_none() {
        return skip("options_of_compilers_keep_their_order", "there is no gcc");
    }
    let folder = Scratch::new("cli").unwrap();
    let header = folder.write("h.h", "#define H 5\n").unwrap();
    let header = header.to_str().unwrap();
    let text = "int x[] = { A, H, __SIZEOF_POINTER__ };\nlong v = __STDC_VERSION__;\n";
    let run = |extra: &[&str]| {
        let mut arguments = vec!["dump", "--at", "preprocessed", "--cpp", "gcc -E"];
        arguments.extend(["-include", header, "-std=c11", "-"]);
        arguments.extend(extra);
        let finished = vergo(&arguments, text);
        assert_eq!(finished.code(), Some(0), "{}", finished.stderr_text());
        finished.stdout_text()
    };
    let first = run(&["-DA=1", "-UA"]);
    assert!(first.contains("{ A, 5, 8 }"), "{first}");
    assert!(first.contains("201112L"), "{first}");
    assert!(run(&["-UA", "-D", "A=2"]).contains("{ 2, 5, 8 }"));
}

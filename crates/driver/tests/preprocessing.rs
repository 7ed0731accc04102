//! Preprocessing with the host's compiler: what goes in, what comes out, what is complained about.

use std::path::PathBuf;

use expect_test::{Expect, expect};
use vergo_cfront::target::DataModel;
use vergo_driver::preprocess::{CppFlag, CppOptions};
use vergo_driver::{Input, Job};
use vergo_source::Renderer;
use vergo_testkit::environment::skip;
use vergo_testkit::host_c::{HostC, Scratch};

/// The options for gcc, or a line that says that a test was skipped.
fn gcc(test: &str) -> Option<CppOptions> {
    if HostC::find().is_none() {
        skip(test, "there is no gcc");
        return None;
    }
    Some(CppOptions { command: vec!["gcc".into(), "-E".into()], ..CppOptions::default() })
}

fn job(cpp: CppOptions) -> Job {
    Job::new(DataModel::Lp64, cpp)
}

fn text_of(job: &mut Job, input: &Input) -> Option<String> {
    let file = job.load_c(input).ok()?;
    Some(String::from_utf8_lossy(job.map.text(file)).into_owned())
}

fn stdin(text: &str) -> Input {
    Input::Text { name: "<stdin>".into(), text: text.into() }
}

/// Returns the messages to the user, with the test's folder cut out of paths.
fn messages(job: &mut Job, folder: &Scratch) -> String {
    job.prepare_diagnostics();
    let text = Renderer::plain().render_all(&job.map, &job.diagnostics);
    text.replace(&format!("{}/", folder.folder().display()), "")
}

fn check(cpp: CppOptions, files: &[(&str, &str)], expected: &Expect) {
    let folder = Scratch::new("cpp").unwrap();
    let mut paths = Vec::new();
    for (name, text) in files {
        paths.push(folder.write(name, text).unwrap());
    }
    let mut job = job(cpp);
    assert!(job.load_c(&Input::File(paths[0].clone())).is_err());
    expected.assert_eq(&messages(&mut job, &folder));
}

#[test]
fn text_without_directives_needs_no_compiler() {
    let cpp = CppOptions { command: vec!["no-such-program".into()], ..CppOptions::default() };
    let mut job = job(cpp);
    for text in ["int x;\n", "# 1 \"a.c\"\nint x;\n#pragma pack(1)\n", ""] {
        assert_eq!(text_of(&mut job, &stdin(text)).as_deref(), Some(text));
    }
    assert!(job.diagnostics.is_empty());
}

#[test]
fn without_a_preprocessor_the_user_is_told_what_to_do() {
    let cpp = CppOptions { command: vec!["no-such-program".into()], ..CppOptions::default() };
    check(
        cpp,
        &[("a.c", "#define X 1\nint x = X;\n")],
        &expect![[r#"
        error[D0010]: cannot run the preprocessor `no-such-program`: No such file or directory (os error 2)
         |
         = note: `a.c` has directives and must be preprocessed
         = help: install a C compiler, name one with `--cpp CMD`, or give a preprocessed `.i` file

    "#]],
    );
}

#[test]
fn options_are_passed_on() {
    let Some(cpp) = gcc("options_are_passed_on") else { return };
    let folder = Scratch::new("cpp").unwrap();
    folder.write("include/value.h", "#define VALUE 42\n").unwrap();
    let first = folder.write("first.h", "#define FIRST 1\n").unwrap();
    let cpp = CppOptions {
        std: Some("c99".into()),
        flags: vec![
            CppFlag::IncludeDir(folder.path("include")),
            CppFlag::Define("A=7".into()),
            CppFlag::Define("B".into()),
            CppFlag::Undefine("B".into()),
            CppFlag::Include(first),
        ],
        ..cpp
    };
    let mut job = job(cpp);
    let text = "#include <value.h>\nint x = VALUE + A + FIRST;\n#ifdef B\n#error B\n#endif\n\
                long v = __STDC_VERSION__;\n";
    let text = text_of(&mut job, &stdin(text)).unwrap();
    assert!(text.contains("int x = 42 + 7 + 1;"), "{text}");
    assert!(text.contains("long v = 199901L;"), "{text}");
}

#[test]
fn defines_alone_are_a_reason_to_preprocess() {
    let Some(cpp) = gcc("defines_alone_are_a_reason_to_preprocess") else { return };
    let cpp = CppOptions { flags: vec![CppFlag::Define("A=7".into())], ..cpp };
    let mut job = job(cpp);
    assert!(text_of(&mut job, &stdin("int x = A;\n")).unwrap().contains("int x = 7;"));
    assert!(text_of(&mut job, &stdin("int x = __LINE__;\n")).unwrap().contains("int x = 1;"));
}

#[test]
fn the_data_model_is_reflected() {
    let Some(cpp) = gcc("the_data_model_is_reflected") else { return };
    let folder = Scratch::new("cpp").unwrap();
    // A compiler that knows neither option has to be told by macros.
    let script = "#!/bin/sh\nfor a; do case $a in -m32|-m64)\n\
                  echo \"cc: error: unrecognized command-line option '$a'\" >&2; exit 1;; esac; done\n\
                  exec gcc -E \"$@\"\n";
    let script = folder.write("cc.sh", script).unwrap();
    let by_macros = CppOptions {
        command: vec!["sh".into(), script.display().to_string()],
        ..CppOptions::default()
    };
    let text = "#include <stddef.h>\n#include <stdint.h>\n#include <limits.h>\n#include <stdio.h>\n\
                int word = __SIZEOF_POINTER__;\nlong most = LONG_MAX;\n\
                #ifdef __LP64__\nint wide;\n#endif\n";
    for (model, word, most, wide) in [
        (DataModel::Ilp32, "int word = 4;", "0x7fffffffL", false),
        (DataModel::Lp64, "int word = 8;", "0x7fffffffffffffffL", true),
    ] {
        for (cpp, warned) in [(&cpp, false), (&by_macros, true)] {
            let mut job = Job::new(model, cpp.clone());
            let text = text_of(&mut job, &stdin(text));
            let Some(text) = text else { panic!("{}", messages(&mut job, &folder)) };
            assert!(text.contains(word), "{model:?} {warned}");
            assert!(text.contains(&format!("long most = {most};")), "{model:?} {warned}");
            assert_eq!(text.contains("int wide;"), wide, "{model:?} {warned}");
            if warned {
                assert_eq!(job.diagnostics.warning_count(), 1);
            }
        }
    }
}

#[test]
fn a_missing_header_is_named() {
    let Some(cpp) = gcc("a_missing_header_is_named") else { return };
    let files = [
        ("a.c", "int a;\n#include \"b.h\"\n"),
        ("b.h", "\n/* c */ #include <none/of/these.h> // here\n"),
    ];
    check(
        cpp,
        &files,
        &expect![[r#"
        error[D0011]: the header `none/of/these.h` was not found
         --> b.h:2:18
          |
        2 | /* c */ #include <none/of/these.h> // here
          |                  ^^^^^^^^^^^^^^^^^
          |
          = note: included from a.c:2
          = help: add the folder that contains it with `-I DIR`

    "#]],
    );
}

#[test]
fn a_header_of_cpp_is_named() {
    let Some(cpp) = gcc("a_header_of_cpp_is_named") else { return };
    check(
        cpp,
        &[("a.c", "#include <iostream>\nint main() {}\n")],
        &expect![[r#"
        error[D0003]: `iostream` is a header of C++
         --> a.c:1:10
          |
        1 | #include <iostream>
          |          ^^^^^^^^^^
          |
          = note: Vergo verifies C; the file seems to be C++

    "#]],
    );
}

#[test]
fn errors_and_warnings_keep_their_places() {
    let Some(cpp) = gcc("errors_and_warnings_keep_their_places") else { return };
    let text = "#warning careful\nint x;\n#if defined(A) +\n#error no A\n#endif\n#else\n";
    check(
        cpp,
        &[("a.c", text)],
        &expect![[r#"
        warning[D0013]: #warning careful [-Wcpp]
         --> a.c:1:2
          |
        1 | #warning careful
          |  ^^^^^^^

        error[D0012]: operator '+' has no right operand
         --> a.c:3:17
          |
        3 | #if defined(A) +
          |                 ^

        error[D0012]: #else without #if
         --> a.c:6:2
          |
        6 | #else
          |  ^^^^

    "#]],
    );
}

#[test]
fn other_inputs_are_refused() {
    let folder = Scratch::new("cpp").unwrap();
    let mut job = job(CppOptions::default());
    let mut refused = |name: &str, text: &[u8]| {
        let path = folder.write(name, text).unwrap();
        assert!(job.load_c(&Input::File(path)).is_err(), "{name}");
    };
    refused("a.cpp", b"int x;\n");
    refused("a.o", b"\x7fELF\x02\x01\x01");
    refused("b.c", &[0; 100]);
    refused("c.c", b"\xff\xfei\0n\0t\0");
    assert!(job.load_c(&Input::File(PathBuf::from("no/such/file.c"))).is_err());
    assert!(job.load_c(&Input::File(folder.folder().to_owned())).is_err());
    let text =
        messages(&mut job, &folder).replace(&folder.folder().display().to_string(), "FOLDER");
    expect![[r#"
        error[D0003]: `a.cpp` is a C++ file
         |
         = note: Vergo verifies C
         = help: if it is C in spite of its name, rename it or give it on standard input

        error[D0004]: `a.o` is an object file or executable, not C source

        error[D0004]: `b.c` is binary data, not C source

        error[D0004]: `c.c` is text in UTF-16, not C source

        error[D0001]: cannot read `no/such/file.c`: No such file or directory

        error[D0001]: `FOLDER` is a folder
         |
         = help: name the C files in it that make up the program

    "#]]
    .assert_eq(&text);
}

//! The first five minutes: the tour, the doctor, completions and manual pages, and hints in messages.

mod tool;

use std::path::Path;

use vergo_testkit::host_c::Scratch;

fn vergo(arguments: &[&str]) -> vergo_testkit::process::Finished {
    tool::vergo(Path::new("."), arguments, b"")
}

#[test]
fn every_lesson_ends_as_it_says() {
    let folder = Scratch::new("tour").unwrap();
    let done = tool::vergo(folder.folder(), &["examples", "--write", "."], b"");
    assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
    for (file, more, result) in [
        ("1-bounds.c", &[][..], "RESULT: false(memory."),
        ("2-proof.c", &[], "RESULT: true"),
        ("3-overflow.c", &[], "RESULT: false(arith.signed-overflow)"),
        ("4-invariant.c", &["--witness", "witness.yml"], "RESULT: true"),
        ("5-memory.c", &["--harness", "out"], "RESULT: false(memory.lifetime)"),
        ("6-function.c", &["--function", "clamp"], "RESULT: true"),
    ] {
        let done = tool::vergo(folder.folder(), &[&["check", file], more].concat(), b"");
        let text = done.stdout_text();
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with(result), "{file}: {last}\n{}", done.stderr_text());
        // The command that the lesson names is the one that was run.
        let lesson = std::fs::read_to_string(folder.path(file)).unwrap();
        let command = [&["vergo", "check", file], more].concat().join(" ");
        assert_eq!(lesson.lines().nth(1).unwrap_or_default().trim(), command);
    }
    assert!(folder.path("witness.yml").exists() && folder.path("out").is_dir());
    assert_eq!(vergo(&["examples"]).stdout_text().matches("Lesson").count(), 6);
    assert!(vergo(&["examples", "3"]).stdout_text().starts_with("/* Lesson 3"));
    assert_eq!(vergo(&["examples", "7"]).code(), Some(2));
}

#[test]
fn the_doctor_says_what_is_found() {
    let done = vergo(&["doctor"]);
    let text = done.stdout_text();
    assert!(text.contains("C preprocessor") && text.contains("32-bit headers"), "{text}");
    assert!(text.ends_with("Ready.\n") || done.code() == Some(2), "{text}");
    // Without any program to be found, it says what to install.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_vergo"));
    command.arg("doctor").env("PATH", "/nonexistent").env_remove("CC");
    let done =
        vergo_testkit::process::run(&mut command, b"", std::time::Duration::from_secs(60)).unwrap();
    assert_eq!(done.code(), Some(2));
    assert!(done.stdout_text().contains("missing  C preprocessor"), "{}", done.stdout_text());
    assert!(done.stdout_text().contains("apt install gcc"));
    // It looks at the compiler that a check would run.
    for (compiler, code, said) in
        [("no-such-cc", 2, "variable CC"), ("cc -DX='a b'", 0, "by cc -DX=a b")]
    {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_vergo"));
        command.arg("doctor").env("CC", compiler);
        let done =
            vergo_testkit::process::run(&mut command, b"", std::time::Duration::from_secs(60));
        let done = done.unwrap();
        let text = done.stdout_text();
        assert!(done.code() == Some(code) && text.contains(said), "{compiler}: {text}");
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let help = vergo(&["--help"]).stdout_text();
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty() && *word != "help")
        .collect();
    assert!(commands.contains(&"check") && commands.contains(&"lsp"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = vergo(&["completions", shell]).stdout_text();
        for command in &commands {
            assert!(text.contains(command), "{shell}: {command}");
        }
        assert!(text.contains("unwindset"), "{shell}");
    }
    let folder = Scratch::new("man").unwrap();
    assert_eq!(tool::vergo(folder.folder(), &["man", "--all", "man1"], b"").code(), Some(0));
    for command in &commands {
        let page =
            std::fs::read_to_string(folder.path(&format!("man1/vergo-{command}.1"))).unwrap();
        assert!(page.starts_with(".ie") && page.contains(".TH"), "{command}");
    }
    assert!(vergo(&["man", "check"]).stdout_text().contains("unwindset"));
}

#[test]
fn mistakes_name_the_next_step() {
    let folder = Scratch::new("hints").unwrap();
    folder
        .write("lib.c", "int twice(int x) { return x / 2; }\nint thrice(int x) { return x / 3; }\n")
        .unwrap();
    folder
        .write("missing.c", "#include <openssl/no-such-header.h>\nint main(void) { return 0; }\n")
        .unwrap();
    for (arguments, hint) in [
        (&["check", "lib.c"][..], "`twice`"),
        (&["check", "lib.c", "--function", "thrise"], "`thrice`"),
        (&["check", "lib.c", "--unwnd", "3"], "--unwind"),
        (&["chek", "lib.c"], "check"),
        (&["check", "missing.c"], "libssl-dev"),
        (&["run", "lib.c"], "`twice`"),
        (&["check", "lib.c", "--property", "memory.bonds"], "`memory.bounds`"),
        (&["explain", "memory.bonds"], "lists all"),
    ] {
        let done = tool::vergo(folder.folder(), arguments, b"");
        assert_eq!(done.code(), Some(2), "{arguments:?}");
        assert!(done.stderr_text().contains(hint), "{arguments:?}: {}", done.stderr_text());
    }
}

#[test]
fn a_missing_main_is_said_once() {
    let folder = Scratch::new("no-main").unwrap();
    folder.write("lib.c", "int twice(int x) { return x / 2; }\n").unwrap();
    let said = tool::vergo(folder.folder(), &["check", "lib.c"], b"").stderr_text();
    assert!(said.ends_with("vergo: 1 error\n"), "{said}");
    // Without a beginning the program can still be looked at.
    let done = tool::vergo(folder.folder(), &["goto", "lib.c"], b"");
    assert_eq!(done.code(), Some(0));
    assert!(done.stderr_text().contains("`twice`"), "{}", done.stderr_text());
}

#[test]
fn properties_are_explained_and_named_together() {
    let text = vergo(&["explain", "memory.bounds"]).stdout_text();
    assert!(text.contains("access outside of the object") && text.contains("CWE-119"), "{text}");
    let folder = Scratch::new("families").unwrap();
    folder.write("bad.c", "int main(void) { int a[2], z = 0; return a[2] / z; }\n").unwrap();
    for (property, n_violated) in [("user,arith", 1), ("memory.bounds, arith.division-by-zero", 1)]
    {
        let done = tool::vergo(folder.folder(), &["check", "bad.c", "--property", property], b"");
        let text = done.stdout_text();
        assert_eq!(text.matches("1 violated").count(), n_violated, "{property}: {text}");
    }
    // What is no claim stands alone.
    let done =
        tool::vergo(folder.folder(), &["check", "bad.c", "--property", "termination,arith"], b"");
    assert_eq!(done.code(), Some(2));
}

#[test]
fn quiet_and_verbose() {
    let folder = Scratch::new("quiet").unwrap();
    folder.write("bad.c", "int main(void) { int a[2]; int i = 2; return a[i]; }\n").unwrap();
    let quiet = tool::vergo(folder.folder(), &["check", "--quiet", "bad.c"], b"");
    assert_eq!(quiet.stdout_text().lines().count(), 1, "{}", quiet.stdout_text());
    assert!(quiet.stdout_text().starts_with("RESULT: false("));
    assert_eq!(quiet.code(), Some(10));
    let verbose = tool::vergo(folder.folder(), &["check", "--verbose", "bad.c"], b"");
    assert!(verbose.stdout_text().contains("Statistics:"), "{}", verbose.stdout_text());
    assert_eq!(
        tool::vergo(folder.folder(), &["check", "--quiet", "--verbose", "bad.c"], b"").code(),
        Some(2)
    );
}

/// Returns the output of a command on a terminal, which `script` makes for it; `None` without `script`.
fn on_terminal(folder: &Path, arguments: &str, variables: &[(&str, &str)]) -> Option<String> {
    let mut command = std::process::Command::new("script");
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_vergo"));
    command.args(["-qec", &line, "/dev/null"]).current_dir(folder);
    command.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("CC");
    command.envs(variables.iter().copied());
    let done =
        vergo_testkit::process::run(&mut command, b"", std::time::Duration::from_secs(60)).ok()?;
    Some(done.stdout_text())
}

#[test]
fn a_terminal_has_progress_and_colours_unless_somebody_objects() {
    const REPLACED: &str = "\r\x1b[K";
    let folder = Scratch::new("terminal").unwrap();
    folder.write("bad.c", "int main(void) { int a[2]; int i = 2; return a[i]; }\n").unwrap();
    let check = "check --engine bmc-incremental bad.c";
    let Some(text) = on_terminal(folder.folder(), check, &[]) else {
        let why = "there is no `script` that makes a terminal";
        return vergo_testkit::environment::skip("a_terminal_has_progress", why);
    };
    assert!(text.contains(REPLACED) && text.contains(", bound "), "{text:?}");
    assert!(text.replace(REPLACED, "").contains("\x1b["), "{text:?}");
    let plain = on_terminal(folder.folder(), check, &[("NO_COLOR", "1")]).unwrap();
    assert!(plain.contains(REPLACED), "{plain:?}");
    assert!(!plain.replace(REPLACED, "").contains('\x1b'), "{plain:?}");
    let quiet = on_terminal(folder.folder(), &format!("{check} --quiet"), &[]).unwrap();
    assert_eq!(quiet.trim(), "RESULT: \x1b[1;31mfalse(memory.bounds)\x1b[0m");
}

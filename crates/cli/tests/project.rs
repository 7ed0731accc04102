//! The first five minutes: `vergo init` and `vergo check` without a file, in a small project.

mod tool;

use vergo_testkit::host_c::Scratch;

const HEADER: &str = "#define SIZE 4\nvoid put(int at, int value);\nint get(int at);\n";
const TABLE: &str = "#include \"table.h\"\nstatic int cells[SIZE];\n\
    void put(int at, int value) { cells[at] = value; }\nint get(int at) { return cells[at]; }\n";
const UTIL: &str = "int limit(int x) { return x < 0 || x > 3 ? 0 : x; }\n";
const MAIN: &str = "#include \"table.h\"\nint limit(int x);\nextern int nondet_int(void);\n\
    int main(void)\n{\n    int at = limit(nondet_int());\n    put(at, 7);\n    return get(at) - 7;\n}\n";

fn project(name: &str, util: &str) -> Scratch {
    let folder = Scratch::new(name).unwrap();
    for below in ["src", "include"] {
        std::fs::create_dir(folder.path(below)).unwrap();
    }
    folder.write("include/table.h", HEADER).unwrap();
    folder.write("src/table.c", TABLE).unwrap();
    folder.write("src/util.c", util).unwrap();
    folder.write("src/main.c", MAIN).unwrap();
    folder
}

#[test]
fn a_project_of_three_files_is_set_up_and_checked() {
    for (util, verdict, status) in
        [(UTIL, "RESULT: true", 0), (&UTIL.replace("> 3", "> 4"), "RESULT: false(memory.", 10)]
    {
        let folder = project("project", util);
        let done = tool::vergo(folder.folder(), &["init"], b"");
        assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
        let text = std::fs::read_to_string(folder.path("vergo.toml")).unwrap();
        assert!(text.contains("sources = [\"src/*.c\"]"), "{text}");
        assert!(text.contains("include-dirs = [\"include\"]"), "{text}");
        assert!(text.contains("function = \"main\"  # in src/main.c"), "{text}");
        // The project is found from a folder below as well.
        for place in ["", "src"] {
            let done = tool::vergo(&folder.path(place), &["check"], b"");
            let last = done.stdout_text().lines().last().unwrap_or_default().to_owned();
            assert!(last.starts_with(verdict), "{last}\n{}", done.stderr_text());
            assert_eq!(done.code(), Some(status));
        }
        // A second time nothing is overwritten.
        assert_eq!(tool::vergo(folder.folder(), &["init"], b"").code(), Some(2));
        assert_eq!(tool::vergo(folder.folder(), &["init", "--force"], b"").code(), Some(0));
    }
}

#[test]
fn what_init_proposes_in_comments_is_valid() {
    let folder = project("project-comments", UTIL);
    assert_eq!(tool::vergo(folder.folder(), &["init"], b"").code(), Some(0));
    let text = std::fs::read_to_string(folder.path("vergo.toml")).unwrap();
    let mut n_proposals = 0;
    let lines = text.lines().map(|line| match line.strip_prefix("# ") {
        // The build's database is not there.
        Some(rest) if rest.contains(" = ") && !rest.starts_with("compile-commands") => {
            n_proposals += 1;
            rest
        }
        _ => line,
    });
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    assert!(n_proposals >= 4, "{text}");
    folder.write("vergo.toml", &text).unwrap();
    let done = tool::vergo(folder.folder(), &["check"], b"");
    assert_eq!(done.code(), Some(0), "{text}\n{}", done.stderr_text());
}

#[test]
fn without_a_project_the_next_step_is_named() {
    let folder = Scratch::new("no-project").unwrap();
    let done = tool::vergo(folder.folder(), &["init"], b"");
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr_text().contains("no C file"), "{}", done.stderr_text());
}

#[test]
fn a_hostile_project_file_is_rejected_with_a_place() {
    let folder = project("hostile-project", UTIL);
    for (text, place) in [
        ("[project]\nsources = [\"../../etc/passwd\"]\n", "vergo.toml:2:11"),
        ("[project]\nsources = [\"src/*.c\"]\nstd = \"-fplugin=x.so\"\n", "vergo.toml:3:7"),
        ("[project]\nsources = [\"src/*.c\"]\ncpp = \"rm -rf .\"\n", "vergo.toml:3:1"),
        ("[project\n", "vergo.toml:1"),
        (
            "[project]\nsources = [\"src/*.c\"]\ncompile-commands = \"/etc/x.json\"\n",
            "vergo.toml:3:20",
        ),
    ] {
        folder.write("vergo.toml", text).unwrap();
        let done = tool::vergo(folder.folder(), &["check"], b"");
        assert_eq!(done.code(), Some(2), "{text}");
        assert!(done.stderr_text().contains(place), "{text}\n{}", done.stderr_text());
    }
}

#[test]
fn the_flags_of_the_build_are_used_and_its_compiler_is_not() {
    let folder = project("build-flags", UTIL);
    std::fs::create_dir(folder.path("build")).unwrap();
    let entry = |file: &str| {
        format!(
            "{{ \"directory\": \"{}\", \"file\": \"../src/{file}\", \
             \"command\": \"touch ran.txt ; -I../include -DUNUSED -fplugin=./x.so -c\" }}",
            folder.path("build").display()
        )
    };
    let commands = format!("[{}, {}, {}]", entry("main.c"), entry("table.c"), entry("util.c"));
    folder.write("build/compile_commands.json", commands).unwrap();
    let text =
        "[project]\nsources = [\"src/*.c\"]\ncompile-commands = \"build/compile_commands.json\"\n";
    folder.write("vergo.toml", text).unwrap();
    let done = tool::vergo(folder.folder(), &["check"], b"");
    assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
    assert!(!folder.path("build/ran.txt").exists() && !folder.path("ran.txt").exists());
}

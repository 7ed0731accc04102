//! `vergo prove` and `vergo import cbmc`: many proofs, in a small project.

mod tool;

use vergo_testkit::host_c::Scratch;

const TABLE: &str = "#include \"table.h\"\nstatic int cells[SIZE];\n\
    static int limit(int x) { return x < 0 || x >= SIZE ? 0 : x; }\n\
    void put(int at, int value) { cells[limit(at)] = value; }\nint get(int at) { return cells[at]; }\n";
const PUT: &str =
    "#include \"table.h\"\nvoid put_harness(void) { int at, value; put(at, value); }\n";
const GET: &str = "#include \"table.h\"\nvoid get_harness(void) { int at; get(at); }\n";
/// Two large factors: nobody finds them in two seconds.
const ENDLESS: &str = "void hang_harness(void) { unsigned long a, b;\n\
    __CPROVER_assume(a > 1 && a < 1ul << 32 && b > 1 && b < 1ul << 32);\n\
    __CPROVER_assert(a * b != 8687298342800752309ul, \"hard\"); }\n";

const PROJECT: &str = "[prove]\ninclude-dirs = [\"include\"]\ndefine = [\"SIZE=4\"]\ntimeout = 30\n\n\
    [proofs.all]\neach = \"proofs/*\"\nfunction = \"{name}_harness\"\n\
    sources = [\"src/table.c\", \"{folder}/{name}.c\"]\n";

fn project(name: &str, proofs: &[(&str, &str)]) -> Scratch {
    let folder = Scratch::new(name).unwrap();
    for below in ["src", "include", "proofs"] {
        std::fs::create_dir(folder.path(below)).unwrap();
    }
    folder.write("include/table.h", "void put(int at, int value);\nint get(int at);\n").unwrap();
    folder.write("src/table.c", TABLE).unwrap();
    for (proof, text) in proofs {
        std::fs::create_dir(folder.path(&format!("proofs/{proof}"))).unwrap();
        folder.write(&format!("proofs/{proof}/{proof}.c"), text).unwrap();
    }
    folder.write("vergo.toml", PROJECT).unwrap();
    folder
}

#[test]
fn the_worst_proof_decides() {
    let folder = project("proofs", &[("put", PUT), ("get", GET)]);
    let arguments =
        ["prove", "--json", "out.json", "--junit", "out.xml", "--logs", "logs", "--jobs", "2"];
    let done = tool::vergo(folder.folder(), &arguments, b"");
    let text = done.stdout_text();
    assert_eq!(done.code(), Some(10), "{text}\n{}", done.stderr_text());
    assert!(text.contains("get  false"), "{text}");
    assert!(text.contains("put  true"), "{text}");
    assert!(text.contains("1 of 2 proofs hold, 1 false"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("RESULT: false(memory."), "{text}");
    let json = std::fs::read_to_string(folder.path("out.json")).unwrap();
    assert!(json.contains("\"verdict\": \"false\"") && json.contains("vergo-proofs"), "{json}");
    let junit = std::fs::read_to_string(folder.path("out.xml")).unwrap();
    assert!(junit.contains("tests=\"2\" failures=\"1\""), "{junit}");
    let log = std::fs::read_to_string(folder.path("logs/get.txt")).unwrap();
    assert!(log.contains("src/table.c"), "{log}");
    // By name, with a pattern, from a folder below; one alone says everything.
    let done = tool::vergo(&folder.path("src"), &["prove", "p*t"], b"");
    assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
    assert!(done.stdout_text().contains("Assumed:"), "{}", done.stdout_text());
    let done = tool::vergo(folder.folder(), &["prove", "--list"], b"");
    assert_eq!(done.stdout_text(), "get\nput\n");
    let done = tool::vergo(folder.folder(), &["prove", "putt"], b"");
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr_text().contains("did you mean `put`?"), "{}", done.stderr_text());
}

#[test]
fn a_proof_that_hangs_or_is_no_c_harms_no_other() {
    let folder = project("limits", &[("put", PUT), ("hang", ENDLESS), ("wrong", "int x = ;\n")]);
    folder.write("vergo.toml", PROJECT.replace("timeout = 30", "timeout = 2")).unwrap();
    let done =
        tool::vergo(folder.folder(), &["prove", "--total-memory", "1000", "--memory", "700"], b"");
    let text = done.stdout_text();
    assert_eq!(done.code(), Some(2), "{text}\n{}", done.stderr_text());
    assert!(text.contains("hang   unknown") && text.contains("timeout"), "{text}");
    assert!(text.contains("put    true"), "{text}");
    assert!(text.contains("wrong  rejected") && text.contains("error["), "{text}");
    let done = tool::vergo(folder.folder(), &["prove", "hang", "put", "--quiet"], b"");
    assert_eq!(done.code(), Some(20), "{}", done.stdout_text());
    assert!(done.stdout_text().starts_with("RESULT: unknown(timeout"), "{}", done.stdout_text());
}

#[test]
fn hostile_proofs_are_rejected() {
    let folder = project("hostile-proofs", &[("put", PUT)]);
    for (table, place) in [
        ("sources = [\"/etc/passwd\"]", "vergo.toml:2:11"),
        ("sources = [\"src/../../x.c\"]", "vergo.toml:2:11"),
        ("include-dirs = [\"..\"]", "vergo.toml:2:16"),
        ("define = [\"A -fplugin=./x.so\"]", "vergo.toml:2:10"),
        ("std = \"c11 -wrapper ./x\"", "vergo.toml:2:7"),
        ("cpp = \"touch ran.txt\"", "vergo.toml:2:1"),
        ("json = \"/x\"", "vergo.toml:2:1"),
        ("pointers = \"any --cpp=x\"", "vergo.toml:2:12"),
        ("each = \"../*\"", "vergo.toml:2:8"),
        ("function = 3", "vergo.toml:2:12"),
    ] {
        folder.write("vergo.toml", format!("[proofs.a]\n{table}\n")).unwrap();
        let done = tool::vergo(folder.folder(), &["prove"], b"");
        assert_eq!(done.code(), Some(2), "{table}");
        assert!(done.stderr_text().contains(place), "{table}\n{}", done.stderr_text());
    }
    folder.write("vergo.toml", "[proofs.\"../../x\"]\nsources = [\"src/table.c\"]\n").unwrap();
    assert_eq!(tool::vergo(folder.folder(), &["prove", "--logs", "logs"], b"").code(), Some(2));
    // Values that look like options stay values.
    let text = "[proofs.a]\nfunction = \"--cpp=touch ran.txt\"\nsources = [\"src/table.c\"]\n\
                include-dirs = [\"include\"]\ndefine = [\"SIZE=4 --cpp=touch\"]\nremove-function-body = [\"--html=out\"]\n";
    folder.write("vergo.toml", text).unwrap();
    let done = tool::vergo(folder.folder(), &["prove"], b"");
    assert_eq!(done.code(), Some(2), "{}", done.stdout_text());
    assert!(!folder.path("ran.txt").exists() && !folder.path("out").exists());
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    let folder = project("links", &[("put", PUT)]);
    let outside = Scratch::new("links-outside").unwrap();
    outside.write("x.c", "void a(void) {}\n").unwrap();
    std::os::unix::fs::symlink(outside.folder(), folder.path("linked")).unwrap();
    std::os::unix::fs::symlink(outside.path("x.c"), folder.path("src/x.c")).unwrap();
    for source in ["linked/x.c", "src/x.c"] {
        let text = format!("[proofs.a]\nfunction = \"a\"\nsources = [\"{source}\"]\n");
        folder.write("vergo.toml", text).unwrap();
        let done = tool::vergo(folder.folder(), &["prove"], b"");
        assert_eq!(done.code(), Some(2), "{}", done.stdout_text());
        assert!(done.stdout_text().contains("leads out of the folder"), "{}", done.stdout_text());
    }
}

const COMMON: &str = "PROOF_ROOT = $(abspath ..)\nSRCDIR ?= $(abspath $(PROOF_ROOT)/..)\nPROOFDIR ?= $(abspath .)\n\
    INCLUDES += -I$(SRCDIR)/include\nCBMC_FLAG_NAN_CHECK ?= --nan-check\nCHECKFLAGS += $(CBMC_FLAG_NAN_CHECK)\n\
    DEFINES += -DCBMC=1\nDEFINES += -DTEXT=\"\\\"a b\\\"\"\nX := $(shell touch ran.txt)\n";

fn makefile(name: &str) -> String {
    format!(
        "HARNESS_ENTRY = {name}_harness\nPROOF_UID = {name}\nN = 3\nDEFINES += -DSIZE=$(shell echo $$(($(N) + 1)))\n\
         UNWINDSET += f.0:$(N)\nREMOVE_FUNCTION_BODY += gone\nCBMCFLAGS += --no-signed-overflow-check --strange\n\
         PROOF_SOURCES += $(PROOFDIR)/{name}.c\nPROJECT_SOURCES += $(SRCDIR)/src/table.c\ninclude ../Makefile.common\n"
    )
}

#[test]
fn proofs_for_cbmc_are_imported_and_run() {
    let folder = project("import", &[("put", PUT), ("get", GET)]);
    std::fs::remove_file(folder.path("vergo.toml")).unwrap();
    folder.write("proofs/Makefile.common", COMMON).unwrap();
    for name in ["put", "get"] {
        folder.write(&format!("proofs/{name}/Makefile"), makefile(name)).unwrap();
    }
    let done = tool::vergo(folder.folder(), &["import", "cbmc"], b"");
    assert_eq!(done.code(), Some(0), "{}", done.stderr_text());
    for remark in ["CBMC's option `--strange`", "the command `touch ran.txt` is not run"] {
        assert!(done.stderr_text().contains(remark), "{}", done.stderr_text());
    }
    assert!(!folder.path("ran.txt").exists() && !folder.path("proofs/put/ran.txt").exists());
    let text = std::fs::read_to_string(folder.path("vergo.toml")).unwrap();
    for part in
        ["\"SIZE=4\"", "\"TEXT=\\\"a b\\\"\"", "float.nan", "malloc-may-fail = true", "[\"gone\"]"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("signed-overflow\"") && !text.contains("unwindset"), "{text}");
    let done = tool::vergo(folder.folder(), &["prove"], b"");
    assert_eq!(done.code(), Some(10), "{}\n{}", done.stdout_text(), done.stderr_text());
    assert!(done.stdout_text().contains("put  true"), "{}", done.stdout_text());
    // A second time nothing is overwritten.
    assert_eq!(tool::vergo(folder.folder(), &["import", "cbmc"], b"").code(), Some(2));
    assert_eq!(tool::vergo(folder.folder(), &["import", "cbmc", "--force"], b"").code(), Some(0));
}

#[test]
fn stubs_of_a_proof_stay_wherever_they_are_listed() {
    const STUB: &str = "int gone(int x) { return 7; }\n";
    const HARNESS: &str = "int gone(int);\nvoid gone_harness(void) {\n    \
                           __CPROVER_assert(gone(1) == 7, \"by the stub\");\n}\n";
    let folder = project("stubs", &[]);
    for below in ["proofs/stubs", "proofs/gone"] {
        std::fs::create_dir(folder.path(below)).unwrap();
    }
    folder.write("src/table.c", "int gone(int x) { return x; }\n").unwrap();
    folder.write("proofs/stubs/stub.c", STUB).unwrap();
    folder.write("proofs/gone/gone.c", HARNESS).unwrap();
    let check = |files: &[&str]| {
        let options = ["check", "--function", "gone_harness", "--remove-function-body", "gone"];
        tool::vergo(folder.folder(), &[&options, files].concat(), b"").code()
    };
    let (of_project, stub, harness) = ("src/table.c", "proofs/stubs/stub.c", "proofs/gone/gone.c");
    assert_eq!(check(&[of_project, stub, harness]), Some(0));
    assert_eq!(check(&[of_project, harness, stub]), Some(0));
    // The first file is the project's, and so are those beside it.
    assert_eq!(check(&[of_project, harness]), Some(10));
    assert_eq!(check(&[stub, harness]), Some(10));
    // Makefiles say which files are the proof's.
    std::fs::remove_file(folder.path("vergo.toml")).unwrap();
    folder.write("proofs/Makefile.common", COMMON).unwrap();
    let stub = "PROOF_SOURCES += $(PROOF_ROOT)/stubs/stub.c\n";
    folder.write("proofs/gone/Makefile", stub.to_owned() + &makefile("gone")).unwrap();
    assert_eq!(tool::vergo(folder.folder(), &["import", "cbmc"], b"").code(), Some(0));
    let done = tool::vergo(folder.folder(), &["prove"], b"");
    assert_eq!(done.code(), Some(0), "{}\n{}", done.stdout_text(), done.stderr_text());
}

/// The entries of a cache.
fn entries(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for part in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let files = std::fs::read_dir(part.path()).unwrap();
        found.extend(files.map(|file| file.unwrap().path()));
    }
    found.sort();
    found
}

#[test]
fn what_was_found_out_is_checked_again_and_not_sought() {
    let folder = project("cached", &[("put", PUT), ("get", GET), ("hang", ENDLESS)]);
    folder.write("vergo.toml", PROJECT.replace("timeout = 30", "timeout = 10")).unwrap();
    let prove = |name: &str, more: &[&str]| {
        let arguments = [&["prove", name, "--cache", "kept"], more].concat();
        let done = tool::vergo(folder.folder(), &arguments, b"");
        (done.code(), done.stdout_text())
    };
    let again = "Cache: known before, and checked again";
    let is_hit = |name: &str, status: i32| {
        let (code, text) = prove(name, &[]);
        assert_eq!(code, Some(status), "{text}");
        text.contains(again)
    };
    assert!(!is_hit("put", 0));
    assert!(is_hit("put", 0));
    // A violation is kept and made again.
    assert!(!is_hit("get", 10));
    let (code, text) = prove("get", &[]);
    assert_eq!((code, text.contains(again)), (Some(10), true), "{text}");
    assert!(text.contains("Steps to the violation"), "{text}");
    let kept = entries(&folder.path("kept"));
    assert!(kept.len() >= 2, "{kept:?}");
    // What is unknown for want of time is not.
    for _ in 0..2 {
        let (code, text) = prove("hang", &["--timeout", "2"]);
        assert_eq!((code, text.contains(again)), (Some(20), false), "{text}");
    }
    // A comment, a line more in a header, another name of a static function, and what is not reached change nothing.
    let header = "/* Cells by number. */\n\nvoid put(int at, int value);\nint get(int at);\n";
    folder.write("include/table.h", header).unwrap();
    assert!(is_hit("put", 0) && is_hit("get", 10));
    let renamed = TABLE.replace("limit", "within").replace("cells", "boxes");
    folder
        .write(
            "src/table.c",
            format!(
                "struct more {{ int a; }};\n{renamed}int less(struct more *m) {{ return m->a; }}\n"
            ),
        )
        .unwrap();
    assert!(is_hit("put", 0) && is_hit("get", 10));
    // One changed function runs what reaches it.
    folder.write("src/table.c", TABLE.replace("return cells[at]", "return cells[at + 1]")).unwrap();
    assert!(is_hit("put", 0) && !is_hit("get", 10));
    folder.write("src/table.c", TABLE.replace("? 0 :", "? 1 :")).unwrap();
    assert!(!is_hit("put", 0) && is_hit("get", 10));
    // A changed body that makes a proof false does so.
    folder.write("src/table.c", TABLE.replace("x >= SIZE", "x > SIZE")).unwrap();
    assert!(!is_hit("put", 10));
    assert!(is_hit("put", 10));
    folder.write("src/table.c", TABLE).unwrap();
    assert!(is_hit("put", 0));
    // Who trusts the cache has nothing checked; what is false is made again all the same.
    let (code, text) = prove("put", &["--trust-cache"]);
    assert_eq!(
        (code, text.contains("Cache: proved before, and not checked again")),
        (Some(0), true),
        "{text}"
    );
    assert!(prove("get", &["--trust-cache"]).1.contains(again));
}

#[test]
fn a_flipped_bit_of_the_cache_is_noticed() {
    let folder = project("flipped", &[("put", PUT)]);
    let prove = |more: &[&str]| {
        let arguments = [&["prove", "put", "--cache", "kept"], more].concat();
        let done = tool::vergo(folder.folder(), &arguments, b"");
        assert_eq!(done.code(), Some(0), "{}", done.stdout_text());
        done.stdout_text()
    };
    prove(&[]);
    let kept = entries(&folder.path("kept"));
    let [entry] = &kept[..] else { panic!("{kept:?}") };
    let good = std::fs::read(entry).unwrap();
    for bit in [0, 90, 500, good.len() * 8 - 9, good.len() * 8 - 1] {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(entry, bad).unwrap();
        let text = prove(if bit == 90 { &["--trust-cache"] } else { &[] });
        assert!(text.contains("is damaged and was not used"), "{bit}: {text}");
        // It was written anew.
        assert_eq!(std::fs::read(entry).unwrap(), good);
    }
    // The entry of another program is none of this one.
    folder.write("src/table.c", TABLE.replace("? 0 :", "? 1 :")).unwrap();
    prove(&[]);
    let other = entries(&folder.path("kept")).into_iter().find(|path| path != entry).unwrap();
    std::fs::copy(&other, entry).unwrap();
    folder.write("src/table.c", TABLE).unwrap();
    assert!(prove(&["--trust-cache"]).contains("is damaged and was not used"));
}

/// A web server that keeps what it is given, for so many requests.
fn server(n_requests: usize) -> (String, std::thread::JoinHandle<Vec<String>>) {
    use std::io::{BufRead, BufReader, Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let serving = std::thread::spawn(move || {
        let mut kept: std::collections::BTreeMap<String, Vec<u8>> = Default::default();
        let mut requests = Vec::new();
        for stream in listener.incoming().take(n_requests) {
            let mut reader = BufReader::new(stream.unwrap());
            let (mut line, mut first, mut length) = (String::new(), String::new(), 0);
            while reader.read_line(&mut line).unwrap() > 0 && line != "\r\n" {
                if first.is_empty() {
                    first = line.clone();
                }
                if let Some(value) = line.strip_prefix("Content-Length: ") {
                    length = value.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let words: Vec<&str> = first.split(' ').collect();
            requests.push(words[0].to_owned());
            let answer = match (words[0], kept.get(words[1])) {
                ("PUT", _) => {
                    kept.insert(words[1].to_owned(), body);
                    b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n".to_vec()
                }
                (_, None) => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(),
                (_, Some(body)) => {
                    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
                    [head.as_bytes(), body].concat()
                }
            };
            reader.get_mut().write_all(&answer).unwrap();
        }
        requests
    });
    (address, serving)
}

#[test]
fn a_cache_can_be_a_web_server() {
    let folder = project("web-cache", &[("put", PUT)]);
    let (address, serving) = server(3);
    let cache = format!("http://{address}/proofs");
    let prove = || {
        let done = tool::vergo(folder.folder(), &["prove", "put", "--cache", &cache], b"");
        assert_eq!(done.code(), Some(0), "{}\n{}", done.stdout_text(), done.stderr_text());
        done.stdout_text().contains("Cache: known before")
    };
    assert!(!prove());
    assert!(prove());
    assert_eq!(serving.join().unwrap(), ["GET", "PUT", "GET"]);
    // Without a server there is no cache, and nothing else happens.
    assert!(!prove());
    let done = tool::vergo(folder.folder(), &["prove", "--cache", "ftp://x"], b"");
    assert_eq!(done.code(), Some(2));
    assert!(done.stderr_text().contains("http://HOST/PATH"), "{}", done.stderr_text());
}

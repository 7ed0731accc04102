//! The server against a scripted editor: open, edit, diagnostics, lenses, verification with progress, cancellation, hover,
//! hints, actions; random edits; a workspace that is not trusted.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use vergo_testkit::Rng;
use vergo_testkit::host_c::Scratch;

const PATIENCE: Duration = Duration::from_secs(60);

/// An editor.
struct Editor {
    connection: Connection,
    server: Option<JoinHandle<Result<(), String>>>,
    next_id: i32,
    /// What the server has said without being asked, in order.
    heard: Vec<Notification>,
    /// Requests of the server.
    asked: Vec<Request>,
}

impl Editor {
    fn start(options: &Value) -> Editor {
        let (connection, other) = Connection::memory();
        let server = std::thread::spawn(move || vergo_lsp::serve(&other));
        let mut editor = Editor {
            connection,
            server: Some(server),
            next_id: 0,
            heard: Vec::new(),
            asked: Vec::new(),
        };
        let capabilities = json!({
            "window": { "workDoneProgress": true },
            "workspace": { "inlayHint": { "refreshSupport": true } },
        });
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options });
        let result = editor.request("initialize", params);
        assert_eq!(result["capabilities"]["hoverProvider"], json!(true));
        editor.notify("initialized", json!({}));
        editor
    }

    fn notify(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        self.connection.sender.send(notification.into()).unwrap();
    }

    /// Sends a request and waits for its answer.
    fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.try_request(method, params);
        response.response_result.unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    fn try_request(&mut self, method: &str, params: Value) -> Response {
        self.next_id += 1;
        let id = RequestId::from(self.next_id);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(request.into()).unwrap();
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("an answer") {
                Message::Response(response) if response.id == id => return response,
                message => self.hear(message),
            }
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Notification(notification) => self.heard.push(notification),
            Message::Request(request) => {
                let answer = Response::new_ok(request.id.clone(), Value::Null);
                self.connection.sender.send(answer.into()).unwrap();
                self.asked.push(request);
            }
            Message::Response(response) => panic!("nobody asked for {response:?}"),
        }
    }

    /// Waits for a notification that is as it should be; those before stay.
    fn wait(&mut self, method: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        let mut seen = 0;
        loop {
            while seen < self.heard.len() {
                let heard = &self.heard[seen];
                if heard.method == method && is_it(&heard.params) {
                    let params = heard.params.clone();
                    self.heard.drain(..=seen);
                    return params;
                }
                seen += 1;
            }
            assert!(start.elapsed() < PATIENCE, "waited for {method}; heard {:?}", self.heard);
            if let Ok(message) = self.connection.receiver.recv_timeout(Duration::from_millis(100)) {
                self.hear(message);
            }
        }
    }

    fn open(&self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "c", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&self, path: &Path, version: i32, changes: Value) {
        let document = json!({ "uri": uri(path), "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// The diagnostics of a version.
    fn diagnostics(&mut self, path: &Path, version: i32) -> Vec<Value> {
        let uri = uri(path);
        let shown = self.wait("textDocument/publishDiagnostics", |params| {
            params["uri"] == json!(uri) && params["version"] == json!(version)
        });
        shown["diagnostics"].as_array().unwrap().clone()
    }

    fn stop(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

fn trusted() -> Value {
    json!({ "trusted": true, "timeout": 30 })
}

fn at(path: &Path, line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": uri(path) }, "position": { "line": line, "character": character } })
}

const BUGGY: &str = "\
#include <stdlib.h>
extern int nondet_int(void);
struct pair { char tag; int value; };
int halve(int x) { return x / 2; }
int main(void)
{
    int table[4] = { 0 };
    struct pair p = { 'a', 3 };
    int i = nondet_int();
    if (i < 0 || i > 4)
        return 0;
    table[i] = halve(p.value);
    return table[0];
}
";

fn buggy(name: &str) -> (Scratch, PathBuf) {
    let folder = Scratch::new(name).unwrap();
    let path = folder.write("buggy.c", BUGGY).unwrap();
    (folder, path)
}

#[test]
fn an_editing_session() {
    let (_folder, path) = buggy("lsp-session");
    let mut editor = Editor::start(&trusted());
    editor.open(&path, BUGGY);
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());

    // A mistake is shown where it is, and goes when it is gone.
    let range =
        json!({ "start": { "line": 8, "character": 12 }, "end": { "line": 8, "character": 22 } });
    editor.change(&path, 2, json!([{ "range": range, "text": "undeclared" }]));
    let diagnostics = editor.diagnostics(&path, 2);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(diagnostics[0]["range"]["start"], json!({ "line": 8, "character": 12 }));
    // C has warned of such calls since 1999.
    assert_eq!(diagnostics[0]["severity"], json!(2));
    editor.change(&path, 3, json!([{ "range": range, "text": "nondet_int" }]));
    assert_eq!(editor.diagnostics(&path, 3), Vec::<Value>::new());

    // Lenses stand above functions.
    let lenses =
        editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&path) } }));
    let titles: Vec<(u64, &str)> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| {
            let line = lens["range"]["start"]["line"].as_u64().unwrap();
            (line, lens["command"]["title"].as_str().unwrap())
        })
        .collect();
    assert_eq!(titles, [(3, "Verify function"), (4, "Verify the program")]);

    // Hover and definition.
    let hover = editor.request("textDocument/hover", at(&path, 11, 23));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("int value") && text.contains("at offset 4"), "{text}");
    let hover = editor.request("textDocument/hover", at(&path, 11, 21));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("struct pair p") && text.contains("8 bytes, aligned to 4"), "{text}");
    let definition = editor.request("textDocument/definition", at(&path, 11, 17));
    assert_eq!(definition["range"]["start"], json!({ "line": 3, "character": 4 }));
    assert_eq!(definition["uri"], json!(uri(&path)));
    assert_eq!(editor.request("textDocument/hover", at(&path, 4, 0)), Value::Null);

    // Saving verifies, with progress; the violation is shown with the way to it.
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&path) } }));
    let begin = editor.wait("$/progress", |params| params["value"]["kind"] == json!("begin"));
    assert_eq!(begin["value"]["title"], json!("Verifying buggy.c"));
    let end = editor.wait("$/progress", |params| params["value"]["kind"] == json!("end"));
    assert!(end["value"]["message"].as_str().unwrap().starts_with("false(memory."), "{end}");
    assert!(editor.asked.iter().any(|request| request.method == "window/workDoneProgress/create"));
    let diagnostics = editor.diagnostics(&path, 3);
    let errors: Vec<&Value> = diagnostics.iter().filter(|d| d["severity"] == json!(1)).collect();
    assert!(
        !errors.is_empty() && errors.iter().all(|d| d["range"]["start"]["line"] == json!(11)),
        "{errors:?}"
    );
    let related = errors[0]["relatedInformation"].as_array().unwrap();
    let says =
        |text: &str| related.iter().any(|step| step["message"].as_str().unwrap().contains(text));
    assert!(says("i = 4"), "{related:?}");

    // The values along the counterexample.
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.request(
        "textDocument/inlayHint",
        json!({ "textDocument": { "uri": uri(&path) }, "range": whole }),
    );
    let hints: Vec<(u64, &str)> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| (hint["position"]["line"].as_u64().unwrap(), hint["label"].as_str().unwrap()))
        .collect();
    assert!(hints.iter().any(|(line, label)| *line == 8 && label.contains("i = 4")), "{hints:?}");

    // Actions: a test that fails, as an edit.
    let params = json!({
        "textDocument": { "uri": uri(&path) }, "range": errors[0]["range"], "context": { "diagnostics": errors },
    });
    let actions = editor.request("textDocument/codeAction", params);
    let test = actions
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["title"] == json!("Write a test that fails here"));
    let changes = test.expect("an action")["edit"]["documentChanges"].as_array().unwrap();
    assert_eq!(changes[0]["kind"], json!("create"));
    let text = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert!(changes.len() >= 2 && !text.is_empty());

    // A verdict is not shown on another text, and comes back with the text.
    let start =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    editor.change(&path, 4, json!([{ "range": start, "text": "\n" }]));
    assert_eq!(editor.diagnostics(&path, 4), Vec::<Value>::new());
    editor.change(&path, 5, json!([{ "text": BUGGY }]));
    assert_eq!(editor.diagnostics(&path, 5), diagnostics);
    editor.stop();
}

#[test]
fn a_loop_tells_its_invariant() {
    let text = "extern int nondet_int(void); void __VERIFIER_assert(int c) { if (!c) { void reach_error(void); reach_error(); } }\n\
                int main(void)\n{\n    unsigned n = 0, m = 0;\n    while (nondet_int()) {\n        n += 2;\n        m += 2;\n    }\n\
                \x20   __VERIFIER_assert(n == m);\n    return 0;\n}\n";
    let folder = Scratch::new("lsp-invariant").unwrap();
    let path = folder.write("even.c", text).unwrap();
    let mut editor =
        Editor::start(&json!({ "trusted": true, "timeout": 30, "property": "unreach-call" }));
    editor.open(&path, text);
    editor.diagnostics(&path, 1);
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&path) } }));
    let end = editor.wait("$/progress", |params| params["value"]["kind"] == json!("end"));
    assert_eq!(end["value"]["message"], json!("true"));
    let hover = editor.request("textDocument/hover", at(&path, 4, 6));
    let shown = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(shown.contains("Proved") && shown.contains('n') && shown.contains('m'), "{hover}");
    let line =
        json!({ "start": { "line": 4, "character": 0 }, "end": { "line": 4, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri(&path) }, "range": line, "context": { "diagnostics": [] } });
    let actions = editor.request("textDocument/codeAction", params);
    // The condition calls a function, which the program does not define: stating the invariant is still offered.
    let edits = &actions[0]["edit"]["changes"][uri(&path)];
    assert!(edits[0]["newText"].as_str().unwrap().trim().starts_with("assert("), "{actions}");
    editor.stop();
}

const ENDLESS: &str = "\
unsigned nondet_uint(void); void reach_error(void) {}
int main(void)
{
    unsigned a = nondet_uint(), b = nondet_uint(), n = 0;
    while (nondet_uint()) {
        a = a * b + n;
        n++;
        if (a * a == 3 * b * b + 7 && n > 100000)
            reach_error();
    }
    return 0;
}
";

#[test]
fn a_verification_is_cancelled_within_a_second() {
    let folder = Scratch::new("lsp-cancel").unwrap();
    let path = folder.write("endless.c", ENDLESS).unwrap();
    let mut editor = Editor::start(&json!({ "trusted": true, "timeout": 600 }));
    editor.open(&path, ENDLESS);
    editor.diagnostics(&path, 1);
    let argument = json!([{ "uri": uri(&path) }]);
    let token = editor.request(
        "workspace/executeCommand",
        json!({ "command": "vergo.verify", "arguments": argument }),
    );
    editor.wait("$/progress", |params| params["value"]["kind"] == json!("report"));
    let start = Instant::now();
    editor.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    let end = editor.wait("$/progress", |params| params["value"]["kind"] == json!("end"));
    assert_eq!(end["value"]["message"], json!("cancelled"));
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    editor.stop();
}

#[test]
fn nothing_is_run_in_a_workspace_that_is_not_trusted() {
    let (_folder, path) = buggy("lsp-trust");
    let mut editor = Editor::start(&json!({}));
    editor.open(&path, BUGGY);
    let diagnostics = editor.diagnostics(&path, 1);
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0]["message"].as_str().unwrap().contains("not trusted"), "{diagnostics:?}");
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&path) } }));
    let argument = json!([{ "uri": uri(&path) }]);
    let response = editor.try_request(
        "workspace/executeCommand",
        json!({ "command": "vergo.verify", "arguments": argument }),
    );
    assert!(response.response_result.unwrap_err().message.contains("not trusted"));
    assert!(editor.heard.iter().all(|heard| heard.method != "$/progress"));
    // Trust is given later.
    editor.notify("vergo/trust", json!({}));
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());
    editor.stop();
}

#[test]
fn goto_text_is_read_too() {
    let folder = Scratch::new("lsp-goto").unwrap();
    let text = "entry main; function main: fn() -> void { end 0i32; }\n";
    let path = folder.write("p.goto", text).unwrap();
    let mut editor = Editor::start(&trusted());
    editor.open(&path, text);
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());
    editor.change(&path, 2, json!([{ "text": "entry main; function main: nonsense" }]));
    assert_eq!(editor.diagnostics(&path, 2).len(), 1);
    editor.stop();
}

#[test]
fn hostile_messages_have_an_answer() {
    let mut editor = Editor::start(&trusted());
    for (method, params) in [
        ("textDocument/hover", json!(null)),
        ("textDocument/hover", at(Path::new("/nowhere.c"), 99, 99)),
        ("textDocument/codeLens", json!({ "textDocument": { "uri": "untitled:1" } })),
        ("workspace/executeCommand", json!({ "command": "rm" })),
        ("workspace/executeCommand", json!({ "command": "vergo.verify", "arguments": [] })),
        ("no/such/method", json!([])),
        ("vergo/claims", json!([])),
    ] {
        let _ = editor.try_request(method, params);
    }
    editor.notify("textDocument/didChange", json!({ "nonsense": 1 }));
    editor.notify("textDocument/didSave", json!(null));
    editor.change(Path::new("/never/opened.c"), 1, json!([{ "text": "x" }]));
    editor.stop();
}

#[test]
fn random_edits_end_where_a_fresh_start_does() {
    const BASE: &str = "struct s { int a; char *b; };\nstatic int f(struct s *p, int n)\n{\n    for (int i = 0; i < n; i++)\n\
        \x20       p->a += i;\n    return p->a ? n : -1; /* ä𝄞 */\n}\nint main(void) { struct s x = { 1, 0 }; return f(&x, 3); }\n";
    const PIECES: &[&str] = &[
        "",
        "int ",
        "{",
        "}",
        "(",
        ";",
        "x",
        "\n",
        "ä",
        "𝄞",
        "/*",
        "*/",
        "\"",
        "0x",
        "->a",
        "#define N 4\n",
        "N",
    ];
    let folder = Scratch::new("lsp-random").unwrap();
    let path = folder.write("random.c", BASE).unwrap();
    let mut editor = Editor::start(&trusted());
    let mut text = BASE.to_owned();
    editor.open(&path, &text);
    let mut rng = Rng::new(20);
    let n_edits = if vergo_testkit::environment::slow() { 10_000 } else { 600 };
    for version in 2..n_edits + 2 {
        // From time to time the text becomes a program again, so that not everything is nonsense.
        if rng.one_in(40) {
            text = BASE.to_owned();
            editor.change(&path, version, json!([{ "text": text }]));
        } else {
            let letters: Vec<char> = text.chars().collect();
            let from = rng.below(letters.len() + 1);
            let to = (from + rng.below(4)).min(letters.len());
            let piece = *rng.choose(PIECES);
            let range =
                json!({ "start": position(&letters[..from]), "end": position(&letters[..to]) });
            editor.change(&path, version, json!([{ "range": range, "text": piece }]));
            text = letters[..from]
                .iter()
                .chain(&piece.chars().collect::<Vec<_>>())
                .chain(&letters[to..])
                .collect();
        }
        if version % 150 == 0 || version == n_edits + 1 {
            let shown = editor.diagnostics(&path, version);
            let mut fresh = Editor::start(&trusted());
            fresh.open(&path, &text);
            assert_eq!(shown, fresh.diagnostics(&path, 1), "after {version} edits:\n{text}");
            fresh.stop();
        }
    }
    editor.stop();
}

/// The position after some letters.
fn position(before: &[char]) -> Value {
    let line = before.iter().filter(|letter| **letter == '\n').count();
    let start = before.iter().rposition(|letter| *letter == '\n').map_or(0, |at| at + 1);
    let character: usize = before[start..].iter().map(|letter| letter.len_utf16()).sum();
    json!({ "line": line, "character": character })
}

#[test]
#[expect(
    clippy::print_stderr,
    reason = "the time is worth knowing; it is shown with `--nocapture`"
)]
fn a_keystroke_in_a_long_file_is_answered_soon() {
    let mut text = String::from("#include <string.h>\n");
    for i in 0..400 {
        text.push_str(&format!(
            "static int f{i}(int *p, int n)\n{{\n    for (int i = 0; i < n; i++)\n        p[i] += {i};\n    return p[0] + n;\n}}\n"
        ));
    }
    let folder = Scratch::new("lsp-long").unwrap();
    let path = folder.write("long.c", &text).unwrap();
    let mut editor = Editor::start(&trusted());
    editor.open(&path, &text);
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());
    let mut times = Vec::new();
    for version in 2..12 {
        let line = text.lines().count();
        let end = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 0 } });
        let start = Instant::now();
        editor.change(&path, version, json!([{ "range": end, "text": "x" }]));
        assert!(!editor.diagnostics(&path, version).is_empty());
        times.push(start.elapsed());
    }
    times.sort();
    // A machine under load is given time.
    eprintln!(
        "a keystroke in {} lines: median {:?}, worst {:?}",
        text.lines().count(),
        times[5],
        times[9]
    );
    assert!(times[5] < Duration::from_secs(3), "{times:?}");
    editor.stop();
}

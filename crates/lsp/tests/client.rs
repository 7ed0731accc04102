//! The server against a scripted editor: open, edit, diagnostics, lenses, verification with progress, cancellation, hover,
//! hints, actions, coverage; a workspace that is not trusted.

mod editor;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use editor::{Editor, at, trusted, uri};
use serde_json::{Value, json};
use vergo_testkit::host_c::Scratch;
use vergo_testkit::programs::ENDLESS;

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
    let wanted = [(3, "Verify function"), (3, "Cover"), (4, "Verify the program"), (4, "Cover")];
    assert_eq!(titles, wanted);

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

/// Has a program verified by saving it; the verdict.
fn verdict(editor: &mut Editor, path: &Path) -> String {
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(path) } }));
    let end = editor.wait("$/progress", |params| params["value"]["kind"] == json!("end"));
    end["value"]["message"].as_str().unwrap().to_owned()
}

/// The text after the edits of an action, all of which insert.
fn edited(text: &str, edits: &[Value]) -> String {
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    let at = |edit: &Value| edit["range"]["start"]["line"].as_u64().unwrap() as usize;
    let mut edits: Vec<&Value> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(at(edit)));
    for edit in edits {
        assert_eq!(edit["range"]["start"], edit["range"]["end"]);
        assert_eq!(edit["range"]["start"]["character"], json!(0));
        lines.insert(at(edit), edit["newText"].as_str().unwrap().to_owned());
    }
    lines.concat()
}

#[test]
fn an_assumption_mends_what_callers_promise() {
    for (text, condition) in [
        (
            "int nondet_int(void);\nint main(void)\n{\n    int a[4] = { 0 };\n    int i = nondet_int();\n    a[i] = 7;\n    return a[0];\n}\n",
            "i >= 0 && i < 4",
        ),
        (
            "int nondet_int(void);\nint main(void)\n{\n    int a = nondet_int();\n    int b = a + 1;\n    return b > a;\n}\n",
            "!__builtin_add_overflow_p(a, 1, (__typeof__((a) + (1)))0)",
        ),
        (
            "int nondet_int(void);\nint main(void)\n{\n    int a = nondet_int();\n    return 10 / a;\n}\n",
            "a != 0",
        ),
    ] {
        let folder = Scratch::new("lsp-assume").unwrap();
        let path = folder.write("a.c", text).unwrap();
        let mut editor = Editor::start(&trusted());
        editor.open(&path, text);
        editor.diagnostics(&path, 1);
        assert!(verdict(&mut editor, &path).starts_with("false("), "{text}");
        let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let params = json!({ "textDocument": { "uri": uri(&path) }, "range": everything, "context": { "diagnostics": [] } });
        let actions = editor.request("textDocument/codeAction", params);
        let is_it = |action: &&Value| action["title"] == json!("Assume that this does not happen");
        let action = actions.as_array().unwrap().iter().find(is_it).expect("an action");
        let edits = action["edit"]["changes"][uri(&path)].as_array().unwrap().clone();
        let text = edited(text, &edits);
        assert!(text.contains(&format!("__VERIFIER_assume({condition});")), "{text}");
        editor.change(&path, 2, json!([{ "text": text }]));
        editor.diagnostics(&path, 2);
        assert_eq!(verdict(&mut editor, &path), "true", "{text}");
        // What the server has asked for is answered before it is told to end.
        editor.request("vergo/claims", json!({ "uri": uri(&path) }));
        editor.stop();
    }
}

#[test]
fn coverage_is_shown_where_no_test_can_come() {
    let text = "int nondet_int(void);\nint main(void)\n{\n    int a = nondet_int() & 7;\n    if (a > 7)\n        a = 1;\n    return a;\n}\n";
    let folder = Scratch::new("lsp-cover").unwrap();
    let path = folder.write("a.c", text).unwrap();
    let mut editor = Editor::start(&trusted());
    editor.open(&path, text);
    editor.diagnostics(&path, 1);
    let arguments = json!({ "command": "vergo.cover", "arguments": [{ "uri": uri(&path) }] });
    editor.request("workspace/executeCommand", arguments);
    let begin = editor.wait("$/progress", |params| params["value"]["kind"] == json!("begin"));
    assert_eq!(begin["value"]["title"], json!("Covering a.c"));
    let end = editor.wait("$/progress", |params| params["value"]["kind"] == json!("end"));
    assert!(end["value"]["message"].as_str().unwrap().starts_with("covered "), "{end}");
    let dead = editor.diagnostics(&path, 1);
    assert!(!dead.is_empty());
    for diagnostic in &dead {
        // A hint, shown as code that nobody needs.
        assert_eq!((&diagnostic["severity"], &diagnostic["tags"]), (&json!(4), &json!([1])));
    }
    assert!(
        dead.iter().any(|diagnostic| diagnostic["range"]["start"]["line"] == json!(5)),
        "{dead:?}"
    );
    let lenses =
        editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&path) } }));
    let titles: Vec<&str> = lenses
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|lens| lens["command"]["title"].as_str())
        .collect();
    assert!(
        titles.iter().any(|title| title.contains("covered, ") && title.contains("unreachable")),
        "{titles:?}"
    );
    editor.stop();
}

#[test]
fn names_lead_through_the_preprocessor_and_show_contracts() {
    let header = "#ifndef H\n#define H\n#define CALL(f, x) f(x)\nint helper(int x)\n__CPROVER_requires(x > 0)\n__CPROVER_ensures(__CPROVER_return_value < x);\n#endif\n";
    let text = "#include \"helper.h\"\nint main(void)\n{\n    return CALL(helper, 3);\n}\n";
    let folder = Scratch::new("lsp-header").unwrap();
    let declared = folder.write("helper.h", header).unwrap();
    let path = folder.write("a.c", text).unwrap();
    let mut editor = Editor::start(&trusted());
    editor.open(&path, text);
    editor.diagnostics(&path, 1);
    let definition = editor.request("textDocument/definition", at(&path, 3, 17));
    assert_eq!(definition["uri"], json!(uri(&declared)));
    assert_eq!(definition["range"]["start"], json!({ "line": 3, "character": 4 }));
    // The macro itself leads to its definition.
    let definition = editor.request("textDocument/definition", at(&path, 3, 12));
    assert_eq!(definition["uri"], json!(uri(&declared)));
    assert_eq!(definition["range"]["start"], json!({ "line": 2, "character": 8 }));
    let hover = editor.request("textDocument/hover", at(&path, 3, 12));
    assert_eq!(hover["contents"]["value"], json!("```c\n#define CALL(f, x) f(x)\n```\n"));
    let hover = editor.request("textDocument/hover", at(&path, 3, 17));
    let shown = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(shown.contains("__CPROVER_requires(x > 0)"), "{hover}");
    assert!(shown.contains("__CPROVER_ensures(__CPROVER_return_value < x)"), "{hover}");
    editor.stop();
}

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

const GOTO: &str = "\
entry main; sites 1;
struct pair size 8 align 4 { tag: i8 @0; value: i32 @4; }
static limit: i32 align 4 = { @0: 7i32; };
function check: fn() -> void {
    assert limit == 7i32 \"user.assert\" \"the limit is another\";
    return;
}
function main: fn() -> void labels 1 {
    local p: struct pair align 4;
    local i: i32 align 4;
    decl p;
    decl i;
    i := #nondet<i32>(0);
    p.value := i;
    if i < 5i32 goto L0;
    assert p.value < 9i32 \"user.assert\" \"the value is too large\";
  L0:
    call check();
    end 0i32;
}
";

#[test]
fn goto_text_is_a_language_like_c() {
    let folder = Scratch::new("lsp-goto").unwrap();
    let path = folder.write("p.goto", GOTO).unwrap();
    let mut editor = Editor::start(&trusted());
    editor.open(&path, GOTO);
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());

    // Names: a variable, a member, a function, a label.
    let places = [
        ((13, 15), "local i: i32", "4 bytes, aligned to 4", (9, 10)),
        ((13, 6), "value: i32", "at offset 4", (1, 41)),
        ((17, 9), "function check: fn() -> void", "2 instructions", (3, 9)),
        ((14, 23), "L0 of main", "", (16, 2)),
        ((8, 20), "struct pair", "8 bytes, aligned to 4", (1, 7)),
    ];
    for ((line, column), declaration, note, (at_line, at_column)) in places {
        let hover = editor.request("textDocument/hover", at(&path, line, column));
        let shown = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(shown.contains(declaration) && shown.contains(note), "{line}:{column}: {hover}");
        let definition = editor.request("textDocument/definition", at(&path, line, column));
        let place = json!({ "line": at_line, "character": at_column });
        assert_eq!(definition["range"]["start"], place, "{declaration}");
    }

    // Saving verifies; the violation is where it is in the text, with the way to it.
    assert!(verdict(&mut editor, &path).starts_with("false(user.assert"));
    let shown = editor.diagnostics(&path, 1);
    let errors: Vec<&Value> = shown.iter().filter(|d| d["severity"] == json!(1)).collect();
    assert_eq!(errors.len(), 1, "{shown:?}");
    assert_eq!(errors[0]["range"]["start"], json!({ "line": 15, "character": 4 }));
    assert!(errors[0]["message"].as_str().unwrap().contains("the value is too large"));
    let steps = errors[0]["relatedInformation"].as_array().unwrap();
    assert!(
        steps.iter().any(|step| step["location"]["range"]["start"]["line"] == json!(12)),
        "{steps:?}"
    );
    let whole =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.request(
        "textDocument/inlayHint",
        json!({ "textDocument": { "uri": uri(&path) }, "range": whole }),
    );
    assert!(hints.as_array().unwrap().iter().any(|hint| hint["position"]["line"] == json!(12)));

    // A function without parameters is verified alone.
    let lenses =
        editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&path) } }));
    let lens = lenses.as_array().unwrap().iter().find(|lens| {
        lens["range"]["start"]["line"] == json!(3)
            && lens["command"]["title"] == json!("Verify function")
    });
    let command = &lens.expect("a lens")["command"];
    let params = json!({ "command": command["command"], "arguments": command["arguments"] });
    editor.request("workspace/executeCommand", params);
    let end = editor.wait("$/progress", |params| params["value"]["kind"] == json!("end"));
    assert_eq!(end["value"]["message"], json!("true"));
    let said = editor.wait("window/showMessage", |_| true);
    assert_eq!(said["message"], json!("check in p.goto: true"));

    // Mistakes are shown where they are, of the text and of its meaning.
    let wrong = GOTO.replace("p.value := i;", "p.valu := i;");
    editor.change(&path, 2, json!([{ "text": wrong }]));
    let shown = editor.diagnostics(&path, 2);
    assert_eq!(shown[0]["range"]["start"], json!({ "line": 13, "character": 6 }), "{shown:?}");
    let wrong = GOTO.replace("p.value := i;", "p.value := 1i8;");
    editor.change(&path, 3, json!([{ "text": wrong }]));
    let shown = editor.diagnostics(&path, 3);
    assert_eq!(shown[0]["range"]["start"]["line"], json!(13), "{shown:?}");
    editor.stop();
}

#[test]
fn a_header_that_is_saved_matters_to_what_includes_it() {
    let folder = Scratch::new("lsp-saved-header").unwrap();
    let header = folder.write("include/size.h", "#define SIZE 4\n").unwrap();
    let text = "#include \"../include/size.h\"\nint nondet(void);\nint main(void)\n{\n    int a[SIZE] = { 0 }, i = nondet();\n    return i >= 0 && i < 4 ? a[i] : 0;\n}\n";
    let path = folder.write("src/main.c", text).unwrap();
    let mut editor = Editor::start(&trusted());
    editor.open(&path, text);
    assert_eq!(editor.diagnostics(&path, 1), Vec::<Value>::new());
    editor.open(&header, "#define SIZE 4\n");
    assert_eq!(verdict(&mut editor, &path), "true");
    let claims = |editor: &mut Editor| {
        editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&path) } }))
    };
    let is_told = |lenses: &Value| lenses.to_string().contains("safe");
    assert!(is_told(&claims(&mut editor)));
    // The verdict is about another header while it is edited, and when it is saved.
    editor.change(&header, 2, json!([{ "text": "#define SIZE undeclared\n" }]));
    editor.diagnostics(&header, 2);
    assert!(!is_told(&claims(&mut editor)));
    folder.write("include/size.h", "#define SIZE undeclared\n").unwrap();
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&header) } }));
    let shown = editor.wait("textDocument/publishDiagnostics", |params| {
        params["uri"] == json!(uri(&path)) && params["diagnostics"] != json!([])
    });
    assert!(shown["diagnostics"][0]["message"].as_str().unwrap().contains("undeclared"), "{shown}");
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

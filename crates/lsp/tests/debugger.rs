//! The debug adapter against a scripted editor: a counterexample is stepped forwards and backwards.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use vergo_testkit::host_c::Scratch;

/// An editor.
struct Editor {
    input: BufReader<TcpStream>,
    output: TcpStream,
    seq: u64,
    events: Vec<Value>,
}

impl Editor {
    fn start() -> Editor {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            stream.set_nodelay(true).unwrap();
            let mut input = BufReader::new(stream.try_clone().unwrap());
            let mut output = stream;
            vergo_lsp::serve_debugger(&mut input, &mut output).unwrap();
        });
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        let input = BufReader::new(stream.try_clone().unwrap());
        Editor { input, output: stream, seq: 0, events: Vec::new() }
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.input.read_line(&mut line).unwrap() > 0, "the adapter is gone");
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("Content-Length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        self.input.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn request(&mut self, command: &str, arguments: Value) -> Value {
        self.seq += 1;
        let message = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        let text = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        self.output.write_all(message.as_bytes()).unwrap();
        loop {
            let message = self.read();
            if message["type"] == json!("response") && message["request_seq"] == json!(self.seq) {
                return message;
            }
            self.events.push(message);
        }
    }

    fn ok(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.request(command, arguments);
        assert_eq!(response["success"], json!(true), "{command}: {response}");
        response["body"].clone()
    }

    /// Waits for an event.
    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == json!(name)) {
                return self.events.remove(at)["body"].clone();
            }
            let message = self.read();
            self.events.push(message);
        }
    }

    fn launch(&mut self, arguments: Value) {
        self.ok("initialize", json!({ "adapterID": "vergo" }));
        self.event("initialized");
        self.ok("launch", arguments);
        self.ok("configurationDone", json!({}));
        assert_eq!(self.event("stopped")["reason"], json!("entry"));
    }

    /// Where the execution stands: function, line, and the local variables of the innermost frame.
    fn state(&mut self) -> (String, u64, Vec<(String, String)>) {
        let stack = self.ok("stackTrace", json!({ "threadId": 1 }));
        let frame = stack["stackFrames"][0].clone();
        let scopes = self.ok("scopes", json!({ "frameId": frame["id"] }));
        let reference = scopes["scopes"][0]["variablesReference"].clone();
        let variables = self.ok("variables", json!({ "variablesReference": reference }));
        let values = variables["variables"].as_array().unwrap().iter().map(|variable| {
            let text = |key: &str| variable[key].as_str().unwrap_or_default().to_owned();
            (text("name"), text("value"))
        });
        let text = frame["name"].as_str().unwrap_or_default().to_owned();
        (text, frame["line"].as_u64().unwrap_or(0), values.collect())
    }

    fn step(&mut self, command: &str) -> Value {
        self.ok(command, json!({ "threadId": 1 }));
        self.event("stopped")
    }
}

const LOOP: &str = "\
extern int nondet_int(void);
static int add(int a, int b)
{
    int sum = a + b;
    return sum;
}
int main(void)
{
    int table[4] = { 0, 0, 0, 0 };
    int total = 0;
    for (int i = 0; i < 130; i++) {
        total = add(total, i);
    }
    int at = nondet_int();
    if (at < 0 || at > 4)
        return 0;
    table[at] = total;
    return table[0];
}
";

fn program(name: &str) -> (Scratch, PathBuf) {
    let folder = Scratch::new(name).unwrap();
    let path = folder.write("loop.c", LOOP).unwrap();
    (folder, path)
}

fn source(path: &Path) -> Value {
    json!({ "path": path })
}

#[test]
fn a_counterexample_is_stepped_forwards_and_backwards() {
    let (_folder, path) = program("dap-steps");
    let mut editor = Editor::start();
    editor.launch(json!({ "program": path }));
    let mut states = vec![editor.state()];
    loop {
        let stopped = editor.step("stepIn");
        states.push(editor.state());
        if stopped["reason"] != json!("step") {
            assert_eq!(stopped["reason"], json!("exception"), "{stopped}");
            assert!(stopped["text"].as_str().unwrap().contains("[memory."), "{stopped}");
            break;
        }
        assert!(states.len() < 3000, "it does not end");
    }
    assert!(states.len() > 500, "{}", states.len());
    // The end is the violation, and the values are those of the execution.
    let (function, line, values) = states.last().unwrap();
    assert_eq!((function.as_str(), *line), ("main", 17));
    let value = |name: &str| {
        values.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    };
    assert_eq!(value("total"), Some("8385"), "{values:?}");
    assert_eq!(value("at"), Some("4"));
    // In `add` the parameters are those of the call.
    let in_add: Vec<&Vec<(String, String)>> = states
        .iter()
        .filter(|(name, line, _)| name == "add" && *line == 4)
        .map(|(_, _, values)| values)
        .collect();
    assert_eq!(in_add.len(), 130);
    for (round, values) in in_add.iter().enumerate() {
        let sum = round * round.saturating_sub(1) / 2;
        let has = |name: &str, value: usize| values.contains(&(name.to_owned(), value.to_string()));
        assert!(has("a", sum) && has("b", round), "round {round}: {values:?}");
    }
    // Backwards, every state is as it was.
    for (at, state) in states.iter().enumerate().rev().skip(1) {
        editor.step("stepBack");
        assert_eq!(&editor.state(), state, "at step {at}");
    }
    // And once more forwards.
    for state in states.iter().skip(1).take(50) {
        editor.step("stepIn");
        assert_eq!(&editor.state(), state);
    }
    editor.ok("disconnect", json!({}));
}

#[test]
fn breakpoints_and_the_call_stack() {
    let (_folder, path) = program("dap-break");
    let mut editor = Editor::start();
    editor.ok("initialize", json!({}));
    editor.ok("launch", json!({ "program": path }));
    editor.ok("setBreakpoints", json!({ "source": source(&path), "breakpoints": [{ "line": 5 }] }));
    editor.ok("configurationDone", json!({}));
    editor.event("stopped");
    for round in 0..3 {
        assert_eq!(editor.step("continue")["reason"], json!("breakpoint"));
        let stack = editor.ok("stackTrace", json!({ "threadId": 1 }));
        let names: Vec<&str> = stack["stackFrames"]
            .as_array()
            .unwrap()
            .iter()
            .map(|frame| frame["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["add", "main"], "round {round}");
        assert_eq!(stack["stackFrames"][1]["line"], json!(12));
        let value = editor
            .ok("evaluate", json!({ "expression": "b", "frameId": stack["stackFrames"][0]["id"] }));
        assert_eq!((&value["result"], &value["type"]), (&json!(round.to_string()), &json!("int")));
    }
    assert_eq!(editor.step("stepOut")["reason"], json!("step"));
    assert_eq!(editor.state().0, "main");
    assert_eq!(editor.step("reverseContinue")["reason"], json!("breakpoint"));
    assert_eq!(editor.state().0, "add");
    // Without breakpoints it runs to the violation, and back to the beginning.
    editor.ok("setBreakpoints", json!({ "source": source(&path), "breakpoints": [] }));
    assert_eq!(editor.step("continue")["reason"], json!("exception"));
    assert_eq!(editor.step("reverseContinue")["reason"], json!("entry"));
    assert_eq!(editor.state().0, "main");
    editor.ok("disconnect", json!({}));
}

#[test]
fn memory_is_looked_at_through_pointers() {
    const LIST: &str = "\
#include <stdlib.h>
struct node { int value; struct node *next; };
static int limit = 7, n_nodes;
static struct node *push(struct node *rest, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = rest;
    n_nodes++;
    return n;
}
int main(void)
{
    struct node *list = push(push(0, limit), 2);
    struct node *last = list->next;
    free(last);
    return last->value;
}
";
    let folder = Scratch::new("dap-memory").unwrap();
    let path = folder.write("list.c", LIST).unwrap();
    let mut editor = Editor::start();
    editor.ok("initialize", json!({}));
    editor.ok(
        "launch",
        json!({ "program": path, "stopOnEntry": false, "property": "memory.lifetime" }),
    );
    editor.ok("configurationDone", json!({}));
    // Nobody wants to stop before the violation.
    let stopped = editor.event("stopped");
    assert_eq!(stopped["reason"], json!("exception"), "{stopped}");
    let rows = |editor: &mut Editor, reference: &Value| {
        let rows = editor.ok("variables", json!({ "variablesReference": reference }));
        rows["variables"].as_array().unwrap().clone()
    };
    let named = |rows: &[Value], name: &str| {
        let row = rows.iter().find(|row| row["name"] == json!(name));
        row.unwrap_or_else(|| panic!("no {name} in {rows:?}")).clone()
    };
    let scopes = |editor: &mut Editor| {
        let stack = editor.ok("stackTrace", json!({ "threadId": 1 }));
        let frame = &stack["stackFrames"][0]["id"];
        let scopes = editor.ok("scopes", json!({ "frameId": frame }))["scopes"].clone();
        [0, 1].map(|at| scopes[at]["variablesReference"].clone())
    };
    let [locals, globals] = scopes(&mut editor);
    let list = named(&rows(&mut editor, &locals), "list");
    assert_eq!(list["value"], json!("heap object 2"));
    let parts = rows(&mut editor, &list["variablesReference"]);
    assert_eq!(named(&parts, "value")["value"], json!("2"));
    let next = named(&parts, "next");
    assert_eq!(next["value"], json!("heap object 1 (freed)"));
    assert_eq!(
        named(&rows(&mut editor, &next["variablesReference"]), "value")["value"],
        json!("7")
    );
    assert_eq!(named(&rows(&mut editor, &globals), "n_nodes")["value"], json!("2"));
    // At the beginning nothing is allocated, and globals hold what they are initialised with.
    assert_eq!(editor.step("reverseContinue")["reason"], json!("entry"));
    let [locals, globals] = scopes(&mut editor);
    assert!(rows(&mut editor, &locals).is_empty());
    let all = rows(&mut editor, &globals);
    assert_eq!(
        (&named(&all, "limit")["value"], &named(&all, "n_nodes")["value"]),
        (&json!("7"), &json!("0"))
    );
    editor.ok("disconnect", json!({}));
}

#[test]
fn what_is_written_through_a_pointer_is_seen_in_its_variable() {
    const PROGRAM: &str = "\
struct pair { int first, second; };
static int total; static void bump(int *x) { *x += 1; }
static void set(int *where, int what)
{
    *where = what;
}
static void both(struct pair *p)
{
    p->first = 1;
    set(&p->second, 2);
    set(&total, 8);
}
int main(void)
{
    int x = 1, table[4] = { 0, 0, 0, 0 };
    struct pair pair = { 0, 0 };
    set(&x, 5); bump(&x);
    set(&table[2], 9);
    both(&pair);
    return x;
}
";
    let folder = Scratch::new("dap-pointers").unwrap();
    let path = folder.write("pointers.c", PROGRAM).unwrap();
    let mut editor = Editor::start();
    editor.ok("initialize", json!({}));
    editor.ok("launch", json!({ "program": path, "mode": "run", "stopOnEntry": false }));
    editor
        .ok("setBreakpoints", json!({ "source": source(&path), "breakpoints": [{ "line": 20 }] }));
    editor.ok("configurationDone", json!({}));
    assert_eq!(editor.event("stopped")["reason"], json!("breakpoint"));
    let (function, line, values) = editor.state();
    assert_eq!((function.as_str(), line), ("main", 20));
    for (name, value) in
        [("x", "6"), ("table", "{0, 0, 9, 0}"), ("pair", "{.first = 1, .second = 2}")]
    {
        assert!(values.contains(&(name.to_owned(), value.to_owned())), "{name}: {values:?}");
    }
    // What has parts is opened, and each has a type.
    let pair = editor.ok("evaluate", json!({ "expression": "pair", "context": "hover" }));
    let parts = editor.ok("variables", json!({ "variablesReference": pair["variablesReference"] }));
    let shown = |part: &Value| [&part["name"], &part["value"], &part["type"]].map(Value::clone);
    let parts: Vec<_> = parts["variables"].as_array().unwrap().iter().map(shown).collect();
    assert_eq!(
        parts,
        [["first", "1", "int"], ["second", "2", "int"]].map(|part| part.map(|text| json!(text)))
    );
    let element = editor.ok("evaluate", json!({ "expression": "table[2]" }));
    assert_eq!(element["result"], json!("9"));
    let total = editor.ok("evaluate", json!({ "expression": "total" }));
    assert_eq!(total["result"], json!("8"));
    editor.ok("disconnect", json!({}));
}

#[test]
fn a_plain_run_ends_with_its_status() {
    let folder = Scratch::new("dap-run").unwrap();
    let path = folder
        .write("run.c", "int main(void)\n{\n    int x = 3;\n    x++;\n    return x;\n}\n")
        .unwrap();
    let mut editor = Editor::start();
    editor.launch(json!({ "program": path, "mode": "run" }));
    assert_eq!(editor.state().1, 3);
    editor.step("next");
    assert_eq!(editor.state(), ("main".to_owned(), 4, vec![("x".to_owned(), "3".to_owned())]));
    let stopped = editor.step("continue");
    assert!(stopped["text"].as_str().unwrap().contains("status 4"), "{stopped}");
    editor.ok("disconnect", json!({}));
}

#[test]
fn mistakes_have_an_answer() {
    let (_folder, path) = program("dap-mistakes");
    let safe = _folder.write("safe.c", "int main(void) { return 0; }\n").unwrap();
    let mut editor = Editor::start();
    editor.ok("initialize", json!({}));
    for (command, arguments) in [
        ("next", json!({})),
        ("stackTrace", json!({ "threadId": 1 })),
        ("launch", json!({})),
        ("launch", json!({ "program": "/no/such/file.c" })),
        ("launch", json!({ "program": safe })),
        ("launch", json!({ "program": path, "mode": "fly" })),
        ("launch", json!({ "program": path, "property": "nonsense" })),
        ("nonsense", json!(null)),
    ] {
        let response = editor.request(command, arguments);
        assert_eq!(response["success"], json!(false), "{response}");
        assert!(!response["message"].as_str().unwrap().is_empty());
    }
    editor.ok("disconnect", json!({}));
}

//! A scripted editor that talks to a server in the same process.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// An editor.
pub(crate) struct Editor {
    connection: Connection,
    server: Option<JoinHandle<Result<(), String>>>,
    next_id: i32,
    /// The notifications of the server, in order.
    pub(crate) heard: Vec<Notification>,
    /// Requests of the server.
    pub(crate) asked: Vec<Request>,
}

impl Editor {
    pub(crate) fn start(options: &Value) -> Editor {
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

    pub(crate) fn notify(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        self.connection.sender.send(notification.into()).unwrap();
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.try_request(method, params);
        response.response_result.unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    pub(crate) fn try_request(&mut self, method: &str, params: Value) -> Response {
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
    pub(crate) fn wait(&mut self, method: &str, is_it: impl Fn(&Value) -> bool) -> Value {
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

    pub(crate) fn open(&self, path: &Path, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "c", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&self, path: &Path, version: i32, changes: Value) {
        let document = json!({ "uri": uri(path), "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// The diagnostics of a version.
    pub(crate) fn diagnostics(&mut self, path: &Path, version: i32) -> Vec<Value> {
        let uri = uri(path);
        let shown = self.wait("textDocument/publishDiagnostics", |params| {
            params["uri"] == json!(uri) && params["version"] == json!(version)
        });
        shown["diagnostics"].as_array().unwrap().clone()
    }

    pub(crate) fn stop(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

pub(crate) fn trusted() -> Value {
    json!({ "trusted": true, "timeout": 30 })
}

pub(crate) fn at(path: &Path, line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": uri(path) }, "position": { "line": line, "character": character } })
}

//! The loop that talks to the editor, and what it knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use gen_lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, PublishDiagnosticsParams,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use vergo_driver::CancelToken;

use crate::analysis::{self, Analysed, Asked};
use crate::reading::{Open, has_c, is_header};
use crate::settings::Settings;
use crate::text::{Text, path_of, uri_of};
use crate::verification::{self, Findings, Question, Task};

/// A message of another thread.
pub(crate) enum Event {
    /// A version of a document was read.
    Analysed(Box<Analysed>),
    /// A verification goes on.
    Progress {
        /// Which.
        token: i32,
        /// A description of the progress.
        message: String,
    },
    /// A verification is over.
    Verified(Box<Findings>),
}

/// The commands that the editor can have executed.
pub(crate) const VERIFY: &str = "vergo.verify";
pub(crate) const COVER: &str = "vergo.cover";
pub(crate) const CANCEL: &str = "vergo.cancel";
pub(crate) const SHOW_TRACE: &str = "vergo.showTrace";

/// The kind of a message that is shown and wants nothing.
const INFORMATION: u32 = 3;

/// The stack of a thread that verifies.
const STACK: usize = 64 << 20;

/// A document that is open in the editor.
struct Document {
    version: i32,
    text: Arc<Text>,
    analysed: Option<Box<Analysed>>,
}

/// A verification that is under way.
struct Running {
    task: Task,
    cancel: CancelToken,
}

/// The server.
pub(crate) struct Server {
    sender: Sender<Message>,
    events: Sender<Event>,
    asked: Sender<Asked>,
    pub(crate) settings: Settings,
    documents: BTreeMap<PathBuf, Document>,
    /// The last findings for each document from which they were asked for.
    findings: BTreeMap<(PathBuf, Question), Box<Findings>>,
    running: BTreeMap<i32, Running>,
    /// Documents for which something is shown.
    published: BTreeSet<PathBuf>,
    /// The counterexample whose values are shown: the document and the claim.
    pub(crate) selected: Option<(PathBuf, usize)>,
    next_token: i32,
    has_progress: bool,
    /// The methods that the editor calls again when it is told to.
    refreshed: Vec<&'static str>,
}

/// The data that can be asked for again: the capability and the method.
const REFRESHED: [(&str, &str); 2] = [
    ("/capabilities/workspace/inlayHint/refreshSupport", "workspace/inlayHint/refresh"),
    ("/capabilities/workspace/codeLens/refreshSupport", "workspace/codeLens/refresh"),
];

/// Serves an editor until it says goodbye.
///
/// # Errors
/// If the editor does not keep to the protocol; the message says where.
pub fn serve(connection: &Connection) -> Result<(), String> {
    let (id, params) = connection.initialize_start().map_err(|error| error.to_string())?;
    let mut settings = Settings::default();
    if let Some(options) = params.get("initializationOptions") {
        settings.update(options);
    }
    let supports = |pointer: &str| params.pointer(pointer).and_then(Value::as_bool) == Some(true);
    let has_progress = supports("/capabilities/window/workDoneProgress");
    let refreshed = REFRESHED.iter().filter(|(capability, _)| supports(capability));
    let refreshed = refreshed.map(|(_, method)| *method).collect();
    let result = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "vergo", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result).map_err(|error| error.to_string())?;

    let (events, heard) = unbounded();
    let (asked, to_analyse) = unbounded();
    let of_analysis = events.clone();
    thread::spawn(move || analysis::work(&to_analyse, &of_analysis));
    let mut server = Server {
        sender: connection.sender.clone(),
        events,
        asked,
        settings,
        documents: BTreeMap::new(),
        findings: BTreeMap::new(),
        running: BTreeMap::new(),
        published: BTreeSet::new(),
        selected: None,
        next_token: 1,
        has_progress,
        refreshed,
    };
    let done = server.serve(connection, &heard);
    // Whoever still works for this editor works for nobody.
    server.cancel(|_| true);
    done
}

/// Returns the capabilities of the server.
fn capabilities() -> Value {
    json!({
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "hoverProvider": true,
        "definitionProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix", "refactor"] },
        "codeLensProvider": { "resolveProvider": false },
        "inlayHintProvider": true,
        "executeCommandProvider": { "commands": [VERIFY, COVER, CANCEL, SHOW_TRACE] },
    })
}

impl Server {
    fn serve(&mut self, connection: &Connection, heard: &Receiver<Event>) -> Result<(), String> {
        loop {
            select! {
                recv(connection.receiver) -> message => match message {
                    // An editor that is gone says nothing.
                    Err(_) => return Ok(()),
                    Ok(Message::Request(request)) => {
                        if connection.handle_shutdown(&request).map_err(|error| error.to_string())? {
                            return Ok(());
                        }
                        self.request(request);
                    }
                    Ok(Message::Notification(notification)) => self.notification(notification),
                    // Answers to what we asked the editor to show are of no consequence.
                    Ok(Message::Response(_)) => {}
                },
                recv(heard) -> event => if let Ok(event) = event {
                    self.event(event);
                },
            }
        }
    }

    /// Answers a request.
    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            "textDocument/hover" => self.hover(params),
            "textDocument/definition" => self.definition(params),
            "textDocument/codeLens" => self.code_lens(params),
            "textDocument/codeAction" => self.code_action(params),
            "textDocument/inlayHint" => self.inlay_hint(params),
            "workspace/executeCommand" => self.execute(&params),
            "vergo/claims" => Ok(self.claims(&params)),
            _ => {
                let message = format!("there is no method `{method}`");
                self.respond(Response::new_err(id, ErrorCode::MethodNotFound as i32, message));
                return;
            }
        };
        self.respond(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(message) => Response::new_err(id, ErrorCode::InvalidParams as i32, message),
        });
    }

    /// Takes note of something; what cannot be read is ignored, as the protocol wants it.
    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document: opened }) =
                    serde_json::from_value(params)
                    && let Some(path) = path_of(&opened.uri)
                {
                    let text = Arc::new(Text::new(opened.text));
                    let document = Document { version: opened.version, text, analysed: None };
                    self.documents.insert(path.clone(), document);
                    self.analyse(&path);
                }
            }
            "textDocument/didChange" => {
                if let Ok(changed) = serde_json::from_value::<DidChangeTextDocumentParams>(params) {
                    self.change(changed);
                }
            }
            "textDocument/didSave" => {
                if let Ok(saved) = serde_json::from_value::<DidSaveTextDocumentParams>(params)
                    && let Some(path) = path_of(&saved.text_document.uri)
                {
                    self.saved(&path);
                }
            }
            "textDocument/didClose" => {
                if let Ok(closed) = serde_json::from_value::<DidCloseTextDocumentParams>(params)
                    && let Some(path) = path_of(&closed.text_document.uri)
                {
                    self.documents.remove(&path);
                    self.findings.retain(|(of, _), _| *of != path);
                    self.publish_all();
                }
            }
            "workspace/didChangeConfiguration" => {
                if let Some(settings) = params.get("settings") {
                    self.configure(settings);
                }
            }
            "vergo/trust" => self.configure(&json!({ "trusted": true })),
            "window/workDoneProgress/cancel" => {
                let token = params.get("token").and_then(Value::as_i64);
                self.cancel(|running| Some(i64::from(*running)) == token);
            }
            _ => {}
        }
    }

    fn change(&mut self, changed: DidChangeTextDocumentParams) {
        let Some(path) = path_of(&changed.text_document.text_document_identifier.uri) else {
            return;
        };
        let Some(document) = self.documents.get_mut(&path) else { return };
        document.version = changed.text_document.version;
        let mut text = Text::clone(&document.text);
        for change in changed.content_changes {
            text.change(change);
        }
        document.text = Arc::new(text);
        self.analyse(&path);
        // A verdict is about another text now.
        self.cancel_those_about(&path);
        self.publish_all();
    }

    fn saved(&mut self, path: &Path) {
        // What includes it is another text now.
        let includes = |document: &Document| {
            document.analysed.as_ref().is_some_and(|analysed| analysed.files.contains(path))
        };
        let others =
            self.documents.iter().filter(|(other, document)| *other != path && includes(document));
        for other in others.map(|(other, _)| other.clone()).collect::<Vec<_>>() {
            self.analyse(&other);
        }
        if !self.settings.trusted || !self.settings.verify_on_save {
            return;
        }
        // A file without `main`, and without a project that says where its program begins, is verified by function.
        let document = self.documents.get(path);
        let text = document.map(|document| document.text.as_str()).unwrap_or_default();
        let has_project = vergo_driver::Project::find(path.parent().unwrap_or(path)).is_some();
        let is_program = !is_header(path) && (text.contains("main") || !has_c(path));
        if has_project || is_program {
            let question = Question::Claims;
            let path = path.to_owned();
            let task = Task { question, path, function: None, unwind: None, is_asked: false };
            self.verify(task);
        }
    }

    fn configure(&mut self, value: &Value) {
        self.settings.update(value);
        for path in self.documents.keys().cloned().collect::<Vec<_>>() {
            self.documents.entry(path.clone()).and_modify(|document| document.analysed = None);
            self.analyse(&path);
        }
        self.publish_all();
    }

    /// Has a document read.
    fn analyse(&self, path: &Path) {
        let Some(document) = self.documents.get(path) else { return };
        let (open, trusted) = (self.open(), self.settings.trusted);
        let _ = self.asked.send(Asked {
            path: path.to_owned(),
            version: document.version,
            open,
            trusted,
        });
    }

    /// The texts that are open.
    pub(crate) fn open(&self) -> Open {
        self.documents
            .iter()
            .map(|(path, document)| (path.clone(), Arc::clone(&document.text)))
            .collect()
    }

    /// Returns the analysis of a document; of its present text if there was time for it.
    pub(crate) fn analysed(&self, path: &Path) -> Option<&Analysed> {
        self.documents.get(path)?.analysed.as_deref()
    }

    /// The present text of a document.
    pub(crate) fn text(&self, path: &Path) -> Option<&Text> {
        self.documents.get(path).map(|document| &*document.text)
    }

    /// Findings that are about the present texts.
    pub(crate) fn fresh(&self) -> impl Iterator<Item = &Findings> {
        let open = self.open();
        self.findings
            .values()
            .map(|findings| &**findings)
            .filter(move |findings| findings.is_fresh(&open))
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Analysed(analysed) => {
                let path = analysed.path.clone();
                let Some(document) = self.documents.get_mut(&path) else { return };
                if document.version == analysed.version && self.settings.trusted == analysed.trusted
                {
                    document.analysed = Some(analysed);
                    self.publish(&path);
                }
            }
            Event::Progress { token, message } => {
                if self.running.contains_key(&token) {
                    self.progress(token, &json!({ "kind": "report", "message": message }));
                }
            }
            Event::Verified(findings) => {
                let token = findings.token;
                let Some(running) = self.running.remove(&token) else { return };
                let message =
                    if running.cancel.is_cancelled() { "cancelled" } else { &findings.answer };
                self.progress(token, &json!({ "kind": "end", "message": message }));
                if running.cancel.is_cancelled() {
                    return;
                }
                if running.task.is_asked {
                    let name = running.task.title();
                    let text = format!("{name}: {}", findings.answer);
                    self.notify(
                        "window/showMessage",
                        &json!({ "type": INFORMATION, "message": text }),
                    );
                }
                let method = match running.task.question {
                    Question::Claims => "vergo/verified",
                    Question::Coverage => "vergo/covered",
                };
                self.notify(method, &findings.json());
                self.selected = None;
                let key = (running.task.path, running.task.question);
                self.findings.insert(key, findings);
                self.publish_all();
                self.refresh();
            }
        }
    }

    /// Has the editor ask again for what stands between and above lines.
    fn refresh(&mut self) {
        for method in self.refreshed.clone() {
            self.ask(method, Value::Null);
        }
    }

    /// Executes a command.
    fn execute(&mut self, params: &Value) -> Result<Value, String> {
        let argument = params.pointer("/arguments/0").cloned().unwrap_or_default();
        let path = argument.get("uri").and_then(Value::as_str);
        let path = path.and_then(|uri| path_of(&gen_lsp_types::Uri(uri.to_owned())));
        match params.get("command").and_then(Value::as_str) {
            Some(command @ (VERIFY | COVER)) => {
                if !self.settings.trusted {
                    return Err("the workspace is not trusted, so nothing is run".to_owned());
                }
                let path = path.ok_or("`uri` of a file is needed")?;
                let function = argument.get("function").and_then(Value::as_str).map(str::to_owned);
                let unwind = argument.get("unwind").and_then(Value::as_u64);
                let unwind = unwind.and_then(|bound| u32::try_from(bound).ok());
                let question = if command == COVER { Question::Coverage } else { Question::Claims };
                let task = Task { question, path, function, unwind, is_asked: true };
                Ok(json!(self.verify(task)))
            }
            Some(CANCEL) => {
                self.cancel(|_| true);
                Ok(Value::Null)
            }
            Some(SHOW_TRACE) => {
                let claim = argument.get("claim").and_then(Value::as_u64);
                let claim = claim.and_then(|claim| usize::try_from(claim).ok());
                self.selected = path.zip(claim);
                self.refresh();
                Ok(Value::Null)
            }
            _ => Err("there is no such command".to_owned()),
        }
    }

    /// The last findings for a document.
    fn claims(&self, params: &Value) -> Value {
        let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
        let path = path_of(&gen_lsp_types::Uri(uri.to_owned()));
        let findings = path.and_then(|path| self.findings.get(&(path, Question::Claims)));
        findings.map_or(Value::Null, |findings| findings.json())
    }

    /// Begins a verification; an older one from the same document is stopped. The number is that of its progress.
    fn verify(&mut self, task: Task) -> i32 {
        self.cancel_those_about(&task.path);
        let token = self.next_token;
        self.next_token += 1;
        let cancel = CancelToken::new();
        self.running.insert(token, Running { task: task.clone(), cancel: cancel.clone() });
        if self.has_progress {
            self.ask("window/workDoneProgress/create", json!({ "token": token }));
        }
        let what = task.title();
        let title = match task.question {
            Question::Claims => format!("Verifying {what}"),
            Question::Coverage => format!("Covering {what}"),
        };
        self.progress(token, &json!({ "kind": "begin", "title": title, "cancellable": true }));
        let (open, settings, events) = (self.open(), self.settings.clone(), self.events.clone());
        let work = move || verification::run(&task, token, &open, &settings, cancel, &events);
        if let Err(error) = thread::Builder::new().stack_size(STACK).spawn(work) {
            self.running.remove(&token);
            self.progress(token, &json!({ "kind": "end", "message": error.to_string() }));
        }
        token
    }

    fn cancel(&self, which: impl Fn(&i32) -> bool) {
        for (_, running) in self.running.iter().filter(|(token, _)| which(token)) {
            running.cancel.cancel();
        }
    }

    fn cancel_those_about(&self, path: &Path) {
        self.running
            .values()
            .filter(|running| running.task.path == path)
            .for_each(|r| r.cancel.cancel());
    }

    /// Shows what is known of all documents.
    fn publish_all(&mut self) {
        let mut paths: BTreeSet<PathBuf> = std::mem::take(&mut self.published);
        paths.extend(self.documents.keys().cloned());
        paths.extend(
            self.findings.values().flat_map(|f| f.claims.iter().map(|claim| claim.path.clone())),
        );
        for path in paths {
            self.publish(&path);
        }
    }

    /// Shows what is known of a document.
    fn publish(&mut self, path: &Path) {
        let document = self.documents.get(path);
        let analysed = document.and_then(|document| document.analysed.as_deref());
        // What is known of an older text has wrong places; the answer for the present one is under way.
        if let (Some(document), Some(analysed)) = (document, analysed)
            && document.version != analysed.version
        {
            return;
        }
        if document.is_some() && analysed.is_none() {
            return;
        }
        let mut diagnostics: Vec<Diagnostic> =
            analysed.map(|analysed| analysed.diagnostics.clone()).unwrap_or_default();
        for findings in self.fresh() {
            let claims = findings.claims.iter().filter(|claim| claim.path == path);
            let shown = claims.filter(|claim| !claim.is_good() || self.settings.show_safe);
            for claim in shown {
                if !diagnostics.contains(&claim.diagnostic) {
                    diagnostics.push(claim.diagnostic.clone());
                }
            }
        }
        let version = document.map(|document| document.version);
        match diagnostics.is_empty() {
            true => self.published.remove(path),
            false => self.published.insert(path.to_owned()),
        };
        let shown = PublishDiagnosticsParams { uri: uri_of(path), version, diagnostics };
        if let Ok(shown) = serde_json::to_value(shown) {
            self.notify("textDocument/publishDiagnostics", &shown);
        }
    }

    fn progress(&self, token: i32, value: &Value) {
        if self.has_progress {
            self.notify("$/progress", &json!({ "token": token, "value": value }));
        }
    }

    fn notify(&self, method: &str, params: &Value) {
        let _ = self.sender.send(Notification::new(method.to_owned(), params).into());
    }

    /// Asks the editor for something whose answer is of no consequence.
    fn ask(&mut self, method: &str, params: Value) {
        let id = RequestId::from(format!("vergo-{}", self.next_token));
        self.next_token += 1;
        let _ = self.sender.send(Request::new(id, method.to_owned(), params).into());
    }

    fn respond(&self, response: Response) {
        let _ = self.sender.send(response.into());
    }
}

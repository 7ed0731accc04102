//! A real browser, driven through its debugging protocol: what a page shows, keys that are pressed, what goes wrong on its
//! console, and what it asks the network for.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The greatest time of an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    stdin: ChildStdin,
    heard: Receiver<Value>,
    session: String,
    next_id: u64,
    /// The messages of the page that nobody asked for.
    events: Vec<Value>,
}

impl Browser {
    /// Starts Chromium with a profile in a folder; none if it is not installed.
    #[must_use]
    pub fn start(profile: &Path) -> Option<Browser> {
        let name = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
            let version = Command::new(name).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        })?;
        // The browser talks on the descriptors 3 and 4, which a shell makes of its input and output.
        let mut command = Command::new("bash");
        let script = "exec 3<&0 4>&1; exec \"$@\" </dev/null >/dev/null 2>/dev/null";
        command.args(["-c", script, "bash", name, "--headless=new", "--no-sandbox"]);
        command.args(["--disable-gpu", "--hide-scrollbars", "--no-first-run"]);
        command.args(["--disable-background-networking", "--disable-extensions"]);
        command.args(["--window-size=1200,900", "--remote-debugging-pipe"]);
        command.arg(format!("--user-data-dir={}", profile.display())).arg("about:blank");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let stdin = child.stdin.take()?;
        let stdout = child.stdout.take()?;
        let (sender, heard) = channel();
        thread::spawn(move || {
            for message in BufReader::new(stdout).split(0).map_while(Result::ok) {
                let value = serde_json::from_slice(&message).unwrap_or_default();
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let mut browser =
            Browser { child, stdin, heard, session: String::new(), next_id: 0, events: Vec::new() };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }))?;
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.ask("Target.attachToTarget", target)?;
        browser.session = attached["sessionId"].as_str()?.to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}))?;
        }
        Some(browser)
    }

    /// Sends a command and waits for its answer; none if the browser refuses or is gone.
    pub fn ask(&mut self, method: &str, params: Value) -> Option<Value> {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.stdin.write_all(&bytes).and_then(|()| self.stdin.flush()).ok()?;
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let mut value = self.heard.recv_timeout(left).ok()?;
            if value["id"] == json!(id) {
                return value.get_mut("result").map(Value::take);
            }
            self.events.push(value);
        }
    }

    /// Opens a page and waits until it is loaded and drawn; how long that took.
    ///
    /// # Panics
    /// If the browser does not answer.
    pub fn open(&mut self, page: &Path) -> Duration {
        self.events.clear();
        let start = Instant::now();
        let url = format!("file://{}", page.display());
        self.ask("Page.navigate", json!({ "url": url })).expect("the browser opens a page");
        let is_loaded = |event: &Value| event["method"] == json!("Page.loadEventFired");
        while !self.events.iter().any(is_loaded) {
            let event = self.heard.recv_timeout(PATIENCE).expect("the page is loaded");
            self.events.push(event);
        }
        let drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
        assert_eq!(self.evaluate(drawn), json!(true));
        start.elapsed()
    }

    /// The value of an expression in the page.
    ///
    /// # Panics
    /// If it throws.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.ask("Runtime.evaluate", params).expect("an answer");
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// Presses a key as a user does.
    ///
    /// # Panics
    /// If the browser does not answer.
    pub fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "Home" => 36,
            "End" => 35,
            "Escape" => 27,
            "Tab" => 9,
            // Codes of other letters are those of other keys.
            _ => {
                let letter = key.chars().next().filter(char::is_ascii_alphanumeric);
                letter.map_or(0, |letter| letter.to_ascii_uppercase() as u32)
            }
        };
        for kind in ["keyDown", "keyUp"] {
            let mut params =
                json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "code": key });
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = json!(text);
            }
            self.ask("Input.dispatchKeyEvent", params).expect("the browser takes keys");
        }
    }

    /// Lets the system prefer dark pages, or light ones.
    ///
    /// # Panics
    /// If the browser does not answer.
    pub fn prefer(&mut self, scheme: &str) {
        let feature = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let params = json!({ "features": feature });
        self.ask("Emulation.setEmulatedMedia", params).expect("the browser has media");
    }

    /// Returns the errors on the page: exceptions, errors on the console, broken rules of the page's policy.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        let is_bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => {
                matches!(event["params"]["type"].as_str(), Some("error" | "warning" | "assert"))
            }
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == json!("error"),
            _ => false,
        };
        self.events.iter().filter(is_bad).map(Value::to_string).collect()
    }

    /// The addresses that the page has asked for besides itself.
    #[must_use]
    pub fn requests(&self, page: &Path) -> Vec<String> {
        let own = format!("file://{}", page.display());
        let asked = self
            .events
            .iter()
            .filter(|event| event["method"] == json!("Network.requestWillBeSent"));
        let urls = asked.filter_map(|event| event["params"]["request"]["url"].as_str());
        urls.filter(|url| *url != own).map(str::to_owned).collect()
    }

    /// A picture of the page, as base64 text of a PNG file.
    ///
    /// # Panics
    /// If the browser does not answer.
    pub fn picture(&mut self) -> String {
        let answer = self.ask("Page.captureScreenshot", json!({ "format": "png" }));
        answer.expect("a picture")["data"].as_str().unwrap_or_default().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.clear();
        let _ = self.ask("Browser.close", json!({}));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! The warnings of another analyser: SARIF, or lines `file:line:column: message` as compilers and their like print them.

use serde_json::{Value, json};
use vergo_passes::properties::PropertyId;

use PropertyId::{
    ArithDivisionByZero, ArithShift, ArithSignedOverflow, CallNonnull, MemoryBounds,
    MemoryDoubleFree, MemoryIndex, MemoryInvalidFree, MemoryLifetime, MemoryNull,
    MemoryUninitialized,
};

/// A kind of warnings that can be decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// A word for people.
    pub name: &'static str,
    /// Words in the ids of rules or, where those say nothing, in messages.
    words: &'static [&'static str],
    /// The properties that would be violated.
    pub(super) properties: &'static [PropertyId],
}

/// The kinds, the more special ones first: the first that fits a warning is its kind.
static KINDS: &[Kind] = &[
    Kind {
        name: "null dereference",
        words: &["null", "cwe-476", "cwe-690"],
        properties: &[MemoryNull, CallNonnull],
    },
    Kind {
        name: "division by zero",
        words: &["zerodiv", "divide-by-zero", "dividezero", "division by zero", "cwe-369"],
        properties: &[ArithDivisionByZero],
    },
    Kind { name: "shift", words: &["shift", "cwe-1335"], properties: &[ArithShift] },
    Kind {
        name: "use of uninitialised memory",
        words: &["uninit", "garbage value", "undefined.assign", "cwe-457", "cwe-908"],
        properties: &[MemoryUninitialized],
    },
    Kind {
        name: "use after free",
        words: &[
            "use-after-free",
            "use after free",
            "double-free",
            "doublefree",
            "deallocuse",
            "deallocret",
            "danglinglifetime",
            "danglingpointer",
            "cwe-415",
            "cwe-416",
        ],
        properties: &[MemoryLifetime, MemoryDoubleFree, MemoryInvalidFree],
    },
    Kind {
        name: "access out of bounds",
        words: &[
            "out-of-bounds",
            "outofbounds",
            "out of bounds",
            "arrayindex",
            "bufferaccess",
            "array-bounds",
            "arraybound",
            "buffer overflow",
            "buffer-overflow",
            "stringop-overflow",
            "buffer over-read",
            "negativeindex",
            "cwe-119",
            "cwe-120",
            "cwe-121",
            "cwe-122",
            "cwe-125",
            "cwe-126",
            "cwe-787",
            "cwe-788",
        ],
        properties: &[MemoryBounds, MemoryIndex],
    },
    Kind {
        name: "integer overflow",
        words: &["integeroverflow", "integer overflow", "signed overflow", "cwe-190", "cwe-191"],
        properties: &[ArithSignedOverflow],
    },
];

impl Kind {
    /// The kind of a warning: by the rule, or by what it says if there is none.
    fn of(rule: &str, message: &str) -> Option<Kind> {
        let find = |text: &str| {
            let text = text.to_ascii_lowercase();
            KINDS.iter().find(|kind| kind.words.iter().any(|word| text.contains(word)))
        };
        find(if rule.is_empty() { message } else { rule }).copied()
    }
}

/// A warning.
#[derive(Clone, Debug)]
pub struct Warning {
    /// The file as the report names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, if the report has it.
    pub column: Option<u32>,
    /// Its message.
    pub message: String,
    /// The analyser's name for the rule, if it gives one.
    pub rule: String,
    /// The kind that is decided, if it is one that can be.
    pub kind: Option<Kind>,
    /// Its run and number in a SARIF log.
    place: Option<(usize, usize)>,
}

impl Warning {
    /// The expressions that the message names: in quotes, or behind the last colon.
    pub(super) fn names(&self) -> Vec<&str> {
        let message = self.message.split(" [").next().unwrap_or_default();
        let quoted = message.split(['\'', '‘', '’', '`', '"']).skip(1).step_by(2);
        let last = message.rsplit_once(": ").map(|(_, last)| last.trim_end_matches('.'));
        quoted.chain(last).map(str::trim).filter(|name| !name.is_empty()).collect()
    }
}

/// A report that has been read.
#[derive(Clone, Debug)]
pub(super) struct Warnings {
    pub(super) all: Vec<Warning>,
    /// The log, if it is SARIF.
    log: Option<Value>,
}

impl Warnings {
    /// Reads a report; an error says what is wrong with it and where.
    pub(super) fn parse(text: &[u8]) -> Result<Warnings, String> {
        let text = String::from_utf8_lossy(text);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if !text.trim_start().starts_with(['{', '[']) {
            let all: Vec<Warning> = text.lines().filter_map(line_warning).collect();
            if all.is_empty() && !text.trim().is_empty() {
                return Err(
                    "it is neither SARIF nor has it lines `file:line:column: message`".to_owned()
                );
            }
            return Ok(Warnings { all, log: None });
        }
        let log: Value = serde_json::from_str(text).map_err(|error| {
            format!("line {}, column {}: it is not JSON", error.line(), error.column())
        })?;
        let runs = log.get("runs").and_then(Value::as_array);
        let runs = runs.ok_or("it is JSON without `runs`, so it is not SARIF")?;
        let mut all = Vec::new();
        for (run_idx, run) in runs.iter().enumerate() {
            let results = run.get("results").and_then(Value::as_array).into_iter().flatten();
            for (idx, result) in results.enumerate() {
                let mut warning = sarif_warning(run, result).ok_or_else(|| {
                    format!("runs[{run_idx}].results[{idx}] has no location with a file and a line")
                })?;
                warning.place = Some((run_idx, idx));
                all.push(warning);
            }
        }
        Ok(Warnings { all, log: Some(log) })
    }

    /// The report with what became of each warning, as SARIF.
    pub(super) fn write(self, verdicts: &[(&'static str, String, Option<Value>)]) -> String {
        let mut log = self.log.unwrap_or_else(|| new_log(&self.all));
        for (number, (warning, (verdict, why, flows))) in self.all.iter().zip(verdicts).enumerate()
        {
            let (run, result) = warning.place.unwrap_or((0, number));
            let Some(result) = log.pointer_mut(&format!("/runs/{run}/results/{result}")) else {
                continue;
            };
            result["properties"]["vergo"] = json!({ "verdict": verdict, "because": why });
            if let Some(flows) = flows {
                result["codeFlows"] = flows.clone();
            }
            if *verdict == "refuted" {
                let suppression = json!({
                    "kind": "external", "status": "accepted",
                    "justification": format!("refuted by Vergo: {why}"),
                });
                match result["suppressions"].as_array_mut() {
                    Some(others) => others.push(suppression),
                    None => result["suppressions"] = json!([suppression]),
                }
            }
        }
        let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// `file:line[:column]: [severity:] message [rule]`.
fn line_warning(line: &str) -> Option<Warning> {
    // A file name may have colons, so the first number between two of them is the line.
    let mut at = 0;
    let (file, number, rest) = loop {
        let colon = at + line[at..].find(':')?;
        let (number, rest) = line[colon + 1..].split_once(':')?;
        match number.parse::<u32>() {
            Ok(number) if number > 0 && colon > 0 => break (&line[..colon], number, rest),
            _ => at = colon + 1,
        }
    };
    let (column, rest) = match rest.split_once(':') {
        Some((column, rest)) if column.parse::<u32>().is_ok() => (column.parse().ok(), rest),
        _ => (None, rest),
    };
    let mut message = rest.trim();
    // Notes belong to the warning before them.
    if message.starts_with("note:") {
        return None;
    }
    for severity in ["warning:", "error:", "style:", "portability:", "performance:", "information:"]
    {
        message = message.strip_prefix(severity).unwrap_or(message).trim_start();
    }
    let rule = match message.rsplit_once('[') {
        Some((_, rule)) if message.ends_with(']') => rule.trim_end_matches(']').to_owned(),
        _ => String::new(),
    };
    let kind = Kind::of(&rule, message);
    let (file, message) = (file.to_owned(), message.to_owned());
    Some(Warning { file, line: number, column, message, rule, kind, place: None })
}

fn sarif_warning(run: &Value, result: &Value) -> Option<Warning> {
    let physical = result.pointer("/locations/0/physicalLocation")?;
    let artifact = physical.get("artifactLocation")?;
    let uri = match artifact.get("uri").and_then(Value::as_str) {
        Some(uri) => uri,
        // The location may be an entry of the run's list.
        None => {
            let index = artifact.get("index")?.as_u64()?;
            run.pointer(&format!("/artifacts/{index}/location/uri"))?.as_str()?
        }
    };
    let number = |name: &str| {
        let value = physical.pointer(&format!("/region/{name}"))?.as_u64()?;
        u32::try_from(value).ok().filter(|value| *value > 0)
    };
    let rule = result.get("ruleId").or_else(|| result.pointer("/rule/id"));
    let rule = rule.and_then(Value::as_str).unwrap_or_default().to_owned();
    let message = result.pointer("/message/text").and_then(Value::as_str).unwrap_or_default();
    // Rules may be known by the weakness that they are about alone.
    let weaknesses: String = result
        .get("taxa")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|taxon| Some(format!(" cwe-{}", taxon.get("id")?.as_str()?)))
        .collect();
    let kind = Kind::of(&format!("{rule}{weaknesses}"), message);
    let (line, column) = (number("startLine")?, number("startColumn"));
    let (file, message) = (unescaped(uri), message.to_owned());
    Some(Warning { file, line, column, message, rule, kind, place: None })
}

/// A file name from a reference.
fn unescaped(uri: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A log of warnings that came as lines.
fn new_log(all: &[Warning]) -> Value {
    let results: Vec<Value> = all
        .iter()
        .map(|warning| {
            let mut region = json!({ "startLine": warning.line });
            if let Some(column) = warning.column {
                region["startColumn"] = json!(column);
            }
            let mut result = json!({
                "message": { "text": warning.message },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": warning.file },
                    "region": region,
                } }],
            });
            if !warning.rule.is_empty() {
                result["ruleId"] = json!(warning.rule);
            }
            result
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "Vergo", "version": env!("CARGO_PKG_VERSION") } },
            "results": results,
        }],
    })
}

/// Returns whether two names can be those of one file: the longer one ends with the shorter one.
pub(super) fn same_file(a: &str, b: &str) -> bool {
    let parts = |name: &str| -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for part in name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".") {
            match part {
                ".." if parts.last().is_some_and(|last| last != "..") => {
                    parts.pop();
                }
                _ => parts.push(part.to_owned()),
            }
        }
        parts
    };
    let (a, b) = (parts(a), parts(b));
    let n_parts = a.len().min(b.len());
    n_parts > 0 && a[a.len() - n_parts..] == b[b.len() - n_parts..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_compilers_are_read() {
        let text = "src/a.c:3:12: warning: dereference of NULL 'p' [CWE-476] [-Wanalyzer-null-dereference]\n\
                    src/a.c:3:12: note: here\n\
                    a.c:7: error: Division by zero. [zerodiv]\n\
                    In function 'f':\n\
                    C:\\b.c:9:1: warning: condition 'p!=NULL' is always true [-Wunused]\n";
        let all = Warnings::parse(text.as_bytes()).expect("a report").all;
        let seen: Vec<_> = all
            .iter()
            .map(|w| (w.file.as_str(), w.line, w.column, w.kind.map(|kind| kind.name)))
            .collect();
        assert_eq!(
            seen,
            [
                ("src/a.c", 3, Some(12), Some("null dereference")),
                ("a.c", 7, None, Some("division by zero")),
                ("C:\\b.c", 9, Some(1), None),
            ]
        );
    }

    #[test]
    fn what_is_no_report_is_refused_with_a_place() {
        let error = |text: &str| Warnings::parse(text.as_bytes()).expect_err("no report");
        assert_eq!(error("{ \"runs\": ["), "line 1, column 11: it is not JSON");
        assert!(error("{}").contains("not SARIF"));
        assert!(error("hello").contains("file:line:column"));
        let result = "{\"runs\": [{\"results\": [{\"message\": {\"text\": \"x\"}}]}]}";
        assert!(error(result).starts_with("runs[0].results[0]"));
        assert!(Warnings::parse(b"").expect("nothing").all.is_empty());
    }

    #[test]
    fn files_are_known_by_how_their_names_end() {
        assert!(same_file("src/a.c", "/project/src/a.c"));
        assert!(same_file("./a.c", "a.c"));
        assert!(same_file("x/../src/a.c", "src/a.c"));
        assert!(!same_file("src/a.c", "lib/a.c"));
        assert!(!same_file("", "a.c"));
        assert_eq!(unescaped("file:///a%20b%2ec"), "/a b.c");
        assert_eq!(unescaped("100%"), "100%");
    }
}

//! Reading witnesses, with the structure of the format checked and every flaw named by its place in the document.

use super::{
    Action, Content, Invariant, InvariantKind, Metadata, Place, Waypoint, WaypointKind, Witness,
};
use crate::yaml;
use serde_json::Value;
use std::fmt;

/// The flaw in a witness, and its place in the document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// A path such as `[0].metadata.uuid`.
    pub path: String,
    /// The flaw there.
    pub message: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", if self.path.is_empty() { "witness" } else { &self.path }, self.message)
    }
}

impl std::error::Error for Flaw {}

/// Reads a witness. Of several violation sequences the first counts; invariants of several entries hold together.
///
/// # Errors
/// If it is not a witness of format 2.0, or has what only later versions have.
pub fn read(text: &str) -> Result<Witness, Flaw> {
    let nowhere = |message: String| Flaw { path: String::new(), message };
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    if begin.starts_with('<') {
        let message = "this is not a witness of format 2.0 but XML: GraphML witnesses (format 1.0) are not read";
        return Err(nowhere(message.to_owned()));
    }
    let document = yaml::read(text).map_err(nowhere)?;
    let root = Node { value: &document, path: String::new() };
    let entries = root.list()?;
    let mut invariants = Vec::new();
    let mut first = None;
    for entry in &entries {
        let metadata = read_metadata(&entry.get("metadata")?)?;
        let content = entry.get("content")?;
        let entry_type = entry.get("entry_type")?;
        match entry_type.text()? {
            "violation_sequence" if first.is_none() => {
                let content = Content::Violation(read_violation(&content)?);
                return Ok(Witness { metadata, content });
            }
            "invariant_set" => {
                for item in content.list()? {
                    invariants.push(read_invariant(&item.get("invariant")?)?);
                }
                first.get_or_insert(metadata);
            }
            "violation_sequence" => {
                return Err(entry_type.flaw("a violation among invariants"));
            }
            other => return Err(entry_type.flaw(format!("entries of type `{other}` are not read"))),
        }
    }
    let metadata = first.ok_or_else(|| root.flaw("there is no entry"))?;
    Ok(Witness { metadata, content: Content::Correctness(invariants) })
}

fn read_metadata(metadata: &Node<'_>) -> Result<Metadata, Flaw> {
    metadata.get("format_version")?.one_of(&["2.0", "2.1"])?;
    let uuid = metadata.get("uuid")?;
    let text = uuid.text()?;
    let shape: Vec<usize> = text.split('-').map(str::len).collect();
    let hex = text.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
    if shape != [8, 4, 4, 4, 12] || !hex {
        return Err(uuid.flaw("is not a UUID"));
    }
    let time = metadata.get("creation_time")?;
    let moment = time.text()?;
    if moment.len() < 19 || moment.as_bytes()[10] != b'T' {
        return Err(time.flaw("is not a time of ISO 8601"));
    }
    let producer = metadata.get("producer")?;
    let task = metadata.get("task")?;
    let hashes = task.get("input_file_hashes")?;
    let mut files = Vec::new();
    for file in task.get("input_files")?.list()? {
        let hash = hashes.get(file.text()?)?;
        let digits = hash.text()?;
        if digits.len() != 64 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
            return Err(hash.flaw("is not a SHA-256 hash"));
        }
        let file = (file.text()?.to_owned(), digits.to_ascii_lowercase());
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let data_model = task.get("data_model")?;
    data_model.one_of(&["ILP32", "LP64"])?;
    task.get("language")?.one_of(&["C"])?;
    // Others leave the version out, though the format demands it.
    let version = match producer.get("version") {
        Ok(version) => version.text()?.to_owned(),
        Err(_) => String::new(),
    };
    Ok(Metadata {
        creation_time: moment.to_owned(),
        producer: producer.get("name")?.text()?.to_owned(),
        version,
        files,
        specification: task.get("specification")?.text()?.to_owned(),
        data_model: data_model.text()?.to_owned(),
    })
}

fn read_invariant(node: &Node<'_>) -> Result<Invariant, Flaw> {
    let kind = node.get("type")?;
    let kind = match kind.text()? {
        "loop_invariant" => InvariantKind::Loop,
        "location_invariant" => InvariantKind::Location,
        other => return Err(kind.flaw(format!("invariants of type `{other}` are not read"))),
    };
    node.get("format")?.one_of(&["c_expression", "ext_c_expression"])?;
    let place = read_location(&node.get("location")?)?;
    Ok(Invariant { kind, place, value: node.get("value")?.text()?.to_owned() })
}

fn read_violation(content: &Node<'_>) -> Result<Vec<Vec<Waypoint>>, Flaw> {
    let mut segments = Vec::new();
    let nodes = content.list()?;
    for (number, item) in nodes.iter().enumerate() {
        let segment = item.get("segment")?;
        let items = segment.list()?;
        let mut waypoints = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let node = item.get("waypoint")?;
            let action_node = node.get("action")?;
            action_node.one_of(&["follow", "avoid"])?;
            let action = match action_node.text()? {
                "follow" => Action::Follow,
                _ => Action::Avoid,
            };
            let is_last = i + 1 == items.len();
            if (action == Action::Follow) != is_last {
                return Err(
                    action_node.flaw("a segment is `avoid` waypoints and then one `follow`")
                );
            }
            let kind = read_kind(&node)?;
            let is_target = kind == WaypointKind::Target;
            if is_target != (is_last && number + 1 == nodes.len()) {
                let flaw = "the last waypoint and no other is the target";
                return Err(node.get("type")?.flaw(flaw));
            }
            let place = read_location(&node.get("location")?)?;
            waypoints.push(Waypoint { kind, action, place });
        }
        if waypoints.is_empty() {
            return Err(segment.flaw("is empty"));
        }
        segments.push(waypoints);
    }
    if segments.is_empty() {
        return Err(content.flaw("there is no target"));
    }
    Ok(segments)
}

fn read_kind(node: &Node<'_>) -> Result<WaypointKind, Flaw> {
    let kind = node.get("type")?;
    let value = || node.get("constraint")?.get("value")?.scalar();
    Ok(match kind.text()? {
        "assumption" => WaypointKind::Assumption(value()?),
        "branching" => WaypointKind::Branching(value()?),
        "function_return" => {
            let constraint = node.get("constraint")?;
            if let Ok(format) = constraint.get("format") {
                format.one_of(&["acsl_expression", "c_expression"])?;
            }
            WaypointKind::FunctionReturn(value()?)
        }
        other @ ("function_enter" | "target") => {
            if node.get("constraint").is_ok() {
                return Err(node.flaw("has a constraint that its type does not allow"));
            }
            match other {
                "target" => WaypointKind::Target,
                _ => WaypointKind::FunctionEnter,
            }
        }
        other => return Err(kind.flaw(format!("waypoints of type `{other}` are not read"))),
    })
}

fn read_location(node: &Node<'_>) -> Result<Place, Flaw> {
    let column = match node.get("column") {
        Ok(column) => column.number()?,
        Err(_) => 0,
    };
    Ok(Place {
        file: node.get("file_name")?.text()?.to_owned(),
        line: node.get("line")?.number()?,
        column,
        function: match node.get("function") {
            Ok(name) => Some(name.text()?.to_owned()),
            Err(_) => None,
        },
    })
}

/// A value and where it stands.
struct Node<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> Node<'a> {
    fn flaw(&self, message: impl Into<String>) -> Flaw {
        Flaw { path: self.path.clone(), message: message.into() }
    }

    fn get(&self, key: &str) -> Result<Node<'a>, Flaw> {
        let value = self.value.get(key).ok_or_else(|| self.flaw(format!("`{key}` is missing")))?;
        Ok(Node { value, path: format!("{}.{key}", self.path) })
    }

    fn list(&self) -> Result<Vec<Node<'a>>, Flaw> {
        let items = self.value.as_array().ok_or_else(|| self.flaw("is not a list"))?;
        let node = |(i, value)| Node { value, path: format!("{}[{i}]", self.path) };
        Ok(items.iter().enumerate().map(node).collect())
    }

    fn text(&self) -> Result<&'a str, Flaw> {
        self.value.as_str().ok_or_else(|| self.flaw("is not a text"))
    }

    /// A text, also if YAML takes it for a number or a truth value.
    fn scalar(&self) -> Result<String, Flaw> {
        match self.value {
            Value::String(text) => Ok(text.clone()),
            Value::Bool(_) | Value::Number(_) => Ok(self.value.to_string()),
            _ => Err(self.flaw("is not a text")),
        }
    }

    fn number(&self) -> Result<u32, Flaw> {
        let number = self.value.as_u64().and_then(|n| u32::try_from(n).ok());
        number.filter(|&n| n > 0).ok_or_else(|| self.flaw("is not a positive number"))
    }

    fn one_of(&self, allowed: &[&str]) -> Result<(), Flaw> {
        let text = self.text()?;
        if allowed.contains(&text) {
            return Ok(());
        }
        Err(self.flaw(format!("`{text}` is not one of {}", allowed.join(", "))))
    }
}

//! SV-COMP verification witnesses in format 2.0: written, and read back with their structure checked.
//!
//! A violation witness is a sequence of waypoints that an execution passes on its way to the violation: here the results
//! of the nondeterministic calls in their order, and the target. A correctness witness is a set of invariants; a proof by
//! complete unrolling needs none. The identity of a witness is derived from its content, so that the same verdict has
//! the same witness but for the time of its creation, which the format demands and the caller gives.
//!
//! Source: Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček, "Software Verification Witnesses 2.0", SPIN 2024,
//! doi 10.1007/978-3-031-66149-5_11.

use crate::sha256::sha256;
use crate::yaml::{self, Yaml};
use serde_json::Value;
use std::fmt;

/// What a witness is about.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// When it is made: seconds since the beginning of 1970, in UTC.
    pub creation_time: u64,
    /// The version of Vergo.
    pub version: String,
    /// Names and SHA-256 hashes of the program's files.
    pub files: Vec<(String, String)>,
    /// The text of the property.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

/// A place in a program; lines and columns count from one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The function.
    pub function: Option<String>,
}

/// Something that an execution passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waypoint {
    /// A call returns a value; the place is the call's closing parenthesis.
    FunctionReturn {
        /// The constant, as C text.
        value: String,
        /// Where.
        place: Place,
    },
    /// The violation; the place is where its statement or expression begins.
    Target(Place),
}

/// A loop invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The keyword of the loop.
    pub place: Place,
    /// A C expression.
    pub value: String,
}

/// A violation witness.
pub fn violation(metadata: &Metadata, waypoints: &[Waypoint]) -> String {
    let segment = |waypoint: &Waypoint| {
        let fields = match waypoint {
            Waypoint::FunctionReturn { value, place } => vec![
                ("type", Yaml::text("function_return")),
                ("action", Yaml::text("follow")),
                (
                    "constraint",
                    Yaml::Map(vec![
                        ("value", Yaml::text(format!("\\result == {value}"))),
                        ("format", Yaml::text("acsl_expression")),
                    ]),
                ),
                ("location", location(place)),
            ],
            Waypoint::Target(place) => vec![
                ("type", Yaml::text("target")),
                ("action", Yaml::text("follow")),
                ("location", location(place)),
            ],
        };
        let waypoint = Yaml::Map(vec![("waypoint", Yaml::Map(fields))]);
        Yaml::Map(vec![("segment", Yaml::List(vec![waypoint]))])
    };
    entry(metadata, "violation_sequence", Yaml::List(waypoints.iter().map(segment).collect()))
}

/// A correctness witness.
pub fn correctness(metadata: &Metadata, invariants: &[LoopInvariant]) -> String {
    let invariant = |invariant: &LoopInvariant| {
        let fields = Yaml::Map(vec![
            ("type", Yaml::text("loop_invariant")),
            ("location", location(&invariant.place)),
            ("value", Yaml::text(&invariant.value)),
            ("format", Yaml::text("c_expression")),
        ]);
        Yaml::Map(vec![("invariant", fields)])
    };
    entry(metadata, "invariant_set", Yaml::List(invariants.iter().map(invariant).collect()))
}

fn entry(metadata: &Metadata, entry_type: &str, content: Yaml) -> String {
    let task = Yaml::Map(vec![
        (
            "input_files",
            Yaml::List(metadata.files.iter().map(|(name, _)| Yaml::text(name)).collect()),
        ),
        (
            "input_file_hashes",
            Yaml::Table(
                metadata
                    .files
                    .iter()
                    .map(|(name, hash)| (name.clone(), Yaml::text(hash)))
                    .collect(),
            ),
        ),
        ("specification", Yaml::text(&metadata.specification)),
        ("data_model", Yaml::text(&metadata.data_model)),
        ("language", Yaml::text("C")),
    ]);
    let producer =
        Yaml::Map(vec![("name", Yaml::text("Vergo")), ("version", Yaml::text(&metadata.version))]);
    let identity = format!("{entry_type}\n{}{}{}", producer.print(), task.print(), content.print());
    let fields = Yaml::Map(vec![
        ("format_version", Yaml::text("2.0")),
        ("uuid", Yaml::text(uuid(identity.as_bytes()))),
        ("creation_time", Yaml::text(iso_8601(metadata.creation_time))),
        ("producer", producer),
        ("task", task),
    ]);
    let entry = Yaml::Map(vec![
        ("entry_type", Yaml::text(entry_type)),
        ("metadata", fields),
        ("content", content),
    ]);
    Yaml::List(vec![entry]).print()
}

fn location(place: &Place) -> Yaml {
    let mut fields = vec![
        ("file_name", Yaml::text(&place.file)),
        ("line", Yaml::Number(place.line.into())),
        ("column", Yaml::Number(place.column.into())),
    ];
    fields.extend(place.function.as_ref().map(|name| ("function", Yaml::text(name))));
    Yaml::Map(fields)
}

/// An identifier made from a content: RFC 9562, version 8.
fn uuid(content: &[u8]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&sha256(content)[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// A moment in UTC, by the proleptic Gregorian calendar.
pub fn iso_8601(seconds: u64) -> String {
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970u64;
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    // 400 years are always as long.
    year += days / 146_097 * 400;
    days %= 146_097;
    loop {
        let length = if leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

/// What is wrong with a witness: where in the document, and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// A path such as `[0].metadata.uuid`.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", if self.path.is_empty() { "witness" } else { &self.path }, self.message)
    }
}

impl std::error::Error for Flaw {}

/// A witness that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// The ways to a violation.
    Violation(Vec<ReadWaypoint>),
    /// Invariants: place, expression.
    Correctness(Vec<LoopInvariant>),
}

/// A waypoint of any type and action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadWaypoint {
    /// The number of its segment.
    pub segment: usize,
    /// `assumption`, `branching`, `function_enter`, `function_return` or `target`.
    pub kind: String,
    /// `follow` or `avoid`.
    pub action: String,
    /// Where; the column is zero if none is given.
    pub place: Place,
    /// The constraint's value.
    pub constraint: Option<String>,
}

/// Reads the first entry of a witness and checks its structure.
///
/// # Errors
/// If it is not a witness of format 2.0.
pub fn read(text: &str) -> Result<Witness, Flaw> {
    let document = yaml::read(text).map_err(|message| Flaw { path: String::new(), message })?;
    let root = Node { value: &document, path: String::new() };
    let entries = root.list()?;
    let first = entries.first().ok_or_else(|| root.flaw("there is no entry"))?;
    check_metadata(&first.get("metadata")?)?;
    let content = first.get("content")?;
    match first.get("entry_type")?.text()? {
        "violation_sequence" => read_violation(&content).map(Witness::Violation),
        "invariant_set" => content
            .list()?
            .iter()
            .map(|item| {
                let invariant = item.get("invariant")?;
                invariant.get("type")?.one_of(&["loop_invariant", "location_invariant"])?;
                invariant.get("format")?.one_of(&["c_expression"])?;
                let place = read_location(&invariant.get("location")?)?;
                Ok(LoopInvariant { place, value: invariant.get("value")?.text()?.to_owned() })
            })
            .collect::<Result<_, Flaw>>()
            .map(Witness::Correctness),
        other => Err(first.flaw(format!("there is no entry type `{other}`"))),
    }
}

fn check_metadata(metadata: &Node<'_>) -> Result<(), Flaw> {
    metadata.get("format_version")?.one_of(&["2.0", "2.1"])?;
    let uuid = metadata.get("uuid")?;
    let text = uuid.text()?;
    let shape: Vec<usize> = text.split('-').map(str::len).collect();
    let hex = text.chars().all(|c| c == '-' || c.is_ascii_hexdigit());
    if shape != [8, 4, 4, 4, 12] || !hex {
        return Err(uuid.flaw("is no UUID"));
    }
    let time = metadata.get("creation_time")?;
    if time.text()?.len() < 19 || time.text()?.as_bytes()[10] != b'T' {
        return Err(time.flaw("is no time of ISO 8601"));
    }
    metadata.get("producer")?.get("name")?.text()?;
    metadata.get("producer")?.get("version")?.text()?;
    let task = metadata.get("task")?;
    let hashes = task.get("input_file_hashes")?;
    for file in task.get("input_files")?.list()? {
        let hash = hashes.get(file.text()?)?;
        let digits = hash.text()?;
        if digits.len() != 64 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
            return Err(hash.flaw("is no SHA-256 hash"));
        }
    }
    task.get("specification")?.text()?;
    task.get("data_model")?.one_of(&["ILP32", "LP64"])?;
    task.get("language")?.one_of(&["C"])
}

fn read_violation(content: &Node<'_>) -> Result<Vec<ReadWaypoint>, Flaw> {
    let mut waypoints = Vec::new();
    let segments = content.list()?;
    for (number, item) in segments.iter().enumerate() {
        let segment = item.get("segment")?;
        let items = segment.list()?;
        for (i, item) in items.iter().enumerate() {
            let node = item.get("waypoint")?;
            let kind = node.get("type")?;
            kind.one_of(&[
                "assumption",
                "branching",
                "function_enter",
                "function_return",
                "target",
            ])?;
            let action = node.get("action")?;
            action.one_of(&["follow", "avoid"])?;
            let is_last = i + 1 == items.len();
            if (action.text()? == "follow") != is_last {
                return Err(action.flaw("a segment is `avoid` waypoints and then one `follow`"));
            }
            let is_target = kind.text()? == "target";
            if is_target != (is_last && number + 1 == segments.len()) {
                return Err(kind.flaw("the last waypoint and no other is the target"));
            }
            let needs = matches!(kind.text()?, "assumption" | "branching" | "function_return");
            let constraint = match node.get("constraint") {
                Ok(_) if !needs => {
                    return Err(node.flaw("has a constraint that its type does not allow"));
                }
                Ok(constraint) => Some(constraint.get("value")?.text()?.to_owned()),
                Err(flaw) if needs => return Err(flaw),
                Err(_) => None,
            };
            if kind.text()? == "function_return" {
                node.get("constraint")?.get("format")?.one_of(&["acsl_expression"])?;
            }
            waypoints.push(ReadWaypoint {
                segment: number,
                kind: kind.text()?.to_owned(),
                action: action.text()?.to_owned(),
                place: read_location(&node.get("location")?)?,
                constraint,
            });
        }
        if items.is_empty() {
            return Err(segment.flaw("is empty"));
        }
    }
    if waypoints.is_empty() {
        return Err(content.flaw("there is no target"));
    }
    Ok(waypoints)
}

fn read_location(node: &Node<'_>) -> Result<Place, Flaw> {
    Ok(Place {
        file: node.get("file_name")?.text()?.to_owned(),
        line: node.get("line")?.number()?,
        column: node.get("column").map_or(Ok(0), |column| column.number())?,
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
        let items = self.value.as_array().ok_or_else(|| self.flaw("is no list"))?;
        let node = |(i, value)| Node { value, path: format!("{}[{i}]", self.path) };
        Ok(items.iter().enumerate().map(node).collect())
    }

    fn text(&self) -> Result<&'a str, Flaw> {
        self.value.as_str().ok_or_else(|| self.flaw("is no text"))
    }

    fn number(&self) -> Result<u32, Flaw> {
        let number = self.value.as_u64().and_then(|n| u32::try_from(n).ok());
        number.filter(|&n| n > 0).ok_or_else(|| self.flaw("is no positive number"))
    }

    fn one_of(&self, allowed: &[&str]) -> Result<(), Flaw> {
        let text = self.text()?;
        if allowed.contains(&text) {
            return Ok(());
        }
        Err(self.flaw(format!("`{text}` is none of {}", allowed.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> Metadata {
        Metadata {
            creation_time: 1_700_000_000,
            version: "0.1.0".to_owned(),
            files: vec![("a.c".to_owned(), "0".repeat(64))],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
            data_model: "LP64".to_owned(),
        }
    }

    fn place(line: u32) -> Place {
        Place { file: "a.c".to_owned(), line, column: 3, function: Some("main".to_owned()) }
    }

    #[test]
    fn moments() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_8601(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_8601(4_102_444_800), "2100-01-01T00:00:00Z");
        assert_eq!(iso_8601(1_700_000_000), "2023-11-14T22:13:20Z");
    }

    #[test]
    fn violation_witnesses_read_back() {
        let way = [
            Waypoint::FunctionReturn { value: "-3".to_owned(), place: place(2) },
            Waypoint::Target(place(5)),
        ];
        let text = violation(&metadata(), &way);
        let Ok(Witness::Violation(read)) = read(&text) else { panic!("{text}") };
        let kinds: Vec<&str> = read.iter().map(|waypoint| waypoint.kind.as_str()).collect();
        assert_eq!(kinds, ["function_return", "target"]);
        assert_eq!(read[0].constraint.as_deref(), Some("\\result == -3"));
        assert_eq!((read[1].segment, &read[1].place), (1, &place(5)));
    }

    #[test]
    fn correctness_witnesses_read_back() {
        let invariant =
            LoopInvariant { place: place(4), value: "x <= 10 && y == \"q\"[0]".to_owned() };
        let text = correctness(&metadata(), std::slice::from_ref(&invariant));
        assert_eq!(read(&text), Ok(Witness::Correctness(vec![invariant])));
        assert_eq!(read(&correctness(&metadata(), &[])), Ok(Witness::Correctness(vec![])));
    }

    #[test]
    fn identity_depends_on_the_content_alone() {
        let mut later = metadata();
        later.creation_time += 1;
        let uuid = |text: &str| text.lines().find(|line| line.contains("uuid")).map(str::to_owned);
        let target = [Waypoint::Target(place(5))];
        assert_eq!(uuid(&violation(&metadata(), &target)), uuid(&violation(&later, &target)));
        let other = [Waypoint::Target(place(6))];
        assert_ne!(uuid(&violation(&metadata(), &target)), uuid(&violation(&metadata(), &other)));
    }

    #[test]
    fn flaws_are_found() {
        let good = violation(&metadata(), &[Waypoint::Target(place(5))]);
        assert!(read(&good).is_ok());
        for (from, to) in [
            ("\"2.0\"", "\"1.0\""),
            ("\"target\"", "\"assumption\""),
            ("\"follow\"", "\"avoid\""),
            ("LP64", "LP65"),
            ("line: 5", "line: 0"),
            ("\"a.c\":", "\"b.c\":"),
            ("uuid: \"", "uuid: \"x"),
            ("violation_sequence", "violation"),
        ] {
            assert_ne!(good.replace(from, to), good, "{from}");
            assert!(read(&good.replace(from, to)).is_err(), "{from} -> {to}");
        }
        assert!(read("").is_err());
        assert!(read("- {}").is_err());
    }
}

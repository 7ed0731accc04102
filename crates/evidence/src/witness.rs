//! SV-COMP verification witnesses in format 2.0: what they are, and how they are written; [`read()`] reads those of others.
//!
//! A violation witness is a sequence of segments that an execution passes on its way to the violation: here the results
//! of the nondeterministic calls and the branches taken, in their order, and the target. A correctness witness is a set
//! of invariants; a proof by complete unrolling needs none. The identity of a witness is derived from its content, so that
//! the same verdict has the same witness but for the time of its creation, which the format demands and the caller
//! gives.
//!
//! Source: Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček, "Software Verification Witnesses 2.0", SPIN 2024,
//! doi 10.1007/978-3-031-66149-5_11.

pub mod graphml;
mod read;

pub use read::{Flaw, read};

use crate::sha256::sha256;
use crate::yaml::Yaml;

/// The task that a witness is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Metadata {
    /// When it was made, as the format demands it; see [`iso_8601`].
    pub creation_time: String,
    /// The name of its producer.
    pub producer: String,
    /// The version of its producer.
    pub version: String,
    /// Names and SHA-256 hashes of the program's files.
    pub files: Vec<(String, String)>,
    /// The text of the property.
    pub specification: String,
    /// `ILP32` or `LP64`.
    pub data_model: String,
}

/// A place in a program; lines and columns count from one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column; zero if none is given: the first that fits.
    pub column: u32,
    /// The function.
    pub function: Option<String>,
}

/// A witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The task that it is about.
    pub metadata: Metadata,
    /// The content.
    pub content: Content,
}

/// The content of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The course of a violation: segments, each some waypoints to be avoided and then one to be followed.
    Violation(Vec<Vec<Waypoint>>),
    /// Facts that hold at places.
    Correctness(Vec<Invariant>),
}

/// Something that an execution passes, or must not pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// What.
    pub kind: WaypointKind,
    /// Says whether it is passed.
    pub action: Action,
    /// Where.
    pub place: Place,
}

/// The kind of a waypoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// A C expression holds before the statement or declaration at the place.
    Assumption(String),
    /// A branching at the place, whose keyword stands there, goes this way: `true`, `false`, or the value of a `switch`.
    Branching(String),
    /// The function of the call is entered whose closing parenthesis is at the place.
    FunctionEnter,
    /// The call returns whose closing parenthesis is at the place, and this holds of `\result`.
    FunctionReturn(String),
    /// The violation; the place is where its statement or expression begins.
    Target,
}

/// The relation of an execution to a waypoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// It is the next to be passed.
    Follow,
    /// It is not passed before the next that is followed.
    Avoid,
}

impl Waypoint {
    /// A waypoint that is passed.
    pub fn follow(kind: WaypointKind, place: Place) -> Waypoint {
        Waypoint { kind, action: Action::Follow, place }
    }
}

impl WaypointKind {
    /// The word of the format.
    pub fn word(&self) -> &'static str {
        match self {
            WaypointKind::Assumption(_) => "assumption",
            WaypointKind::Branching(_) => "branching",
            WaypointKind::FunctionEnter => "function_enter",
            WaypointKind::FunctionReturn(_) => "function_return",
            WaypointKind::Target => "target",
        }
    }
}

/// A fact that holds whenever a place is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The kind of its place.
    pub kind: InvariantKind,
    /// Where.
    pub place: Place,
    /// A C expression.
    pub value: String,
}

/// The kind of an invariant's place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    /// The head of the loop whose keyword is at the place.
    Loop,
    /// The moment before the statement or declaration at the place.
    Location,
}

impl InvariantKind {
    /// The word of the format.
    pub fn word(self) -> &'static str {
        match self {
            InvariantKind::Loop => "loop_invariant",
            InvariantKind::Location => "location_invariant",
        }
    }
}

impl Witness {
    /// The document.
    pub fn print(&self) -> String {
        match &self.content {
            Content::Violation(segments) => {
                let segment = |waypoints: &Vec<Waypoint>| {
                    let waypoints = waypoints.iter().map(waypoint).collect();
                    Yaml::Map(vec![("segment", Yaml::List(waypoints))])
                };
                let segments = Yaml::List(segments.iter().map(segment).collect());
                entry(&self.metadata, "violation_sequence", segments)
            }
            Content::Correctness(invariants) => {
                let invariants = Yaml::List(invariants.iter().map(invariant).collect());
                entry(&self.metadata, "invariant_set", invariants)
            }
        }
    }
}

fn waypoint(waypoint: &Waypoint) -> Yaml {
    let action = match waypoint.action {
        Action::Follow => "follow",
        Action::Avoid => "avoid",
    };
    let mut fields =
        vec![("type", Yaml::text(waypoint.kind.word())), ("action", Yaml::text(action))];
    let constraint = match &waypoint.kind {
        WaypointKind::Assumption(value) => Some((value, Some("c_expression"))),
        WaypointKind::Branching(value) => Some((value, None)),
        WaypointKind::FunctionReturn(value) => Some((value, Some("acsl_expression"))),
        WaypointKind::FunctionEnter | WaypointKind::Target => None,
    };
    fields.extend(constraint.map(|(value, format)| {
        let mut constraint = vec![("value", Yaml::text(value))];
        constraint.extend(format.map(|format| ("format", Yaml::text(format))));
        ("constraint", Yaml::Map(constraint))
    }));
    fields.push(("location", location(&waypoint.place)));
    Yaml::Map(vec![("waypoint", Yaml::Map(fields))])
}

fn invariant(invariant: &Invariant) -> Yaml {
    let fields = Yaml::Map(vec![
        ("type", Yaml::text(invariant.kind.word())),
        ("location", location(&invariant.place)),
        ("value", Yaml::text(&invariant.value)),
        ("format", Yaml::text("c_expression")),
    ]);
    Yaml::Map(vec![("invariant", fields)])
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
    let producer = Yaml::Map(vec![
        ("name", Yaml::text(&metadata.producer)),
        ("version", Yaml::text(&metadata.version)),
    ]);
    let identity = format!("{entry_type}\n{}{}{}", producer.print(), task.print(), content.print());
    let fields = Yaml::Map(vec![
        ("format_version", Yaml::text("2.0")),
        ("uuid", Yaml::text(uuid(identity.as_bytes()))),
        ("creation_time", Yaml::text(&metadata.creation_time)),
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
    let mut fields =
        vec![("file_name", Yaml::text(&place.file)), ("line", Yaml::Number(place.line.into()))];
    if place.column > 0 {
        fields.push(("column", Yaml::Number(place.column.into())));
    }
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

#[cfg(test)]
mod tests;

//! Violation witnesses in GraphML (format 1.0): the automaton of one path, which is what there is for programs with threads,
//! since format 2.0 has no word for these.
//!
//! Each edge is a step of a thread (`threadId`); a step that starts a thread gives it its number (`createThread`), and the
//! first edge of that thread enters its function.
//!
//! Source: Beyer, Dangl, Dietsch, Heizmann, Lemberger, Tautschnig, "Verification Witnesses", TOSEM 2022, doi 10.1145/3477579;
//! for threads Beyer and Friedberger, "Violation Witnesses and Result Validation for Multi-Threaded Programs", ISoLA
//! 2020, doi 10.1007/978-3-030-61362-4_26.

use super::Metadata;
use std::fmt::Write as _;

/// A step on the way to a violation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edge {
    /// The thread, by number.
    pub thread: usize,
    /// The file.
    pub file: String,
    /// The first and the last line.
    pub lines: (u32, u32),
    /// The first and the last character of the file, from zero.
    pub offsets: Option<(u32, u32)>,
    /// The thread that it starts.
    pub starts: Option<usize>,
    /// The function that it enters.
    pub enters: Option<String>,
    /// The function that it leaves.
    pub leaves: Option<String>,
    /// The way that a branching goes.
    pub holds: Option<bool>,
    /// The result of a call: a C expression over `\result`, the function that is called, and the one that calls it.
    pub result: Option<(String, String, String)>,
}

const KEYS: [(&str, &str, &str); 23] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("threadId", "string", "edge"),
    ("createThread", "string", "edge"),
    ("originfile", "string", "edge"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("startoffset", "int", "edge"),
    ("endoffset", "int", "edge"),
    ("enterFunction", "string", "edge"),
    ("returnFromFunction", "string", "edge"),
    ("control", "string", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
];

/// The document of a path: its last edge is the violation.
pub fn print(metadata: &Metadata, edges: &[Edge]) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (key, ty, of) in KEYS {
        let name = match key {
            "entry" => "isEntryNode",
            "violation" => "isViolationNode",
            _ => key,
        };
        let _ =
            write!(out, "  <key id=\"{key}\" attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\"");
        let _ = match ty {
            "boolean" => writeln!(out, "><default>false</default></key>"),
            _ => writeln!(out, "/>"),
        };
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    let bits = if metadata.data_model == "ILP32" { "32bit" } else { "64bit" };
    let producer = format!("{} {}", metadata.producer, metadata.version);
    let mut of_graph = vec![
        ("witness-type", "violation_witness".to_owned()),
        ("sourcecodelang", "C".to_owned()),
        ("producer", producer),
        ("specification", metadata.specification.clone()),
    ];
    for (name, hash) in &metadata.files {
        of_graph.extend([("programfile", name.clone()), ("programhash", hash.clone())]);
    }
    of_graph.extend([
        ("architecture", bits.to_owned()),
        ("creationtime", metadata.creation_time.clone()),
    ]);
    for (key, value) in &of_graph {
        data(&mut out, "    ", key, value);
    }
    for node in 0..=edges.len() {
        let marks = [(0, "entry"), (edges.len(), "violation")];
        let marks: String = marks
            .iter()
            .filter(|(at, _)| *at == node)
            .map(|(_, key)| format!("<data key=\"{key}\">true</data>"))
            .collect();
        let _ = writeln!(out, "    <node id=\"N{node}\">{marks}</node>");
    }
    for (i, edge) in edges.iter().enumerate() {
        let _ = writeln!(out, "    <edge source=\"N{i}\" target=\"N{}\">", i + 1);
        edge.print(&mut out);
        out.push_str("    </edge>\n");
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

impl Edge {
    fn print(&self, out: &mut String) {
        let mut put = |key: &str, value: &str| data(out, "      ", key, value);
        put("threadId", &self.thread.to_string());
        if let Some(thread) = self.starts {
            put("createThread", &thread.to_string());
        }
        put("originfile", &self.file);
        put("startline", &self.lines.0.to_string());
        put("endline", &self.lines.1.to_string());
        if let Some((start, end)) = self.offsets {
            put("startoffset", &start.to_string());
            put("endoffset", &end.to_string());
        }
        if let Some(function) = &self.enters {
            put("enterFunction", function);
        }
        if let Some(function) = &self.leaves {
            put("returnFromFunction", function);
        }
        if let Some(holds) = self.holds {
            put("control", if holds { "condition-true" } else { "condition-false" });
        }
        if let Some((assumption, function, scope)) = &self.result {
            put("assumption", assumption);
            put("assumption.scope", scope);
            put("assumption.resultfunction", function);
        }
    }
}

fn data(out: &mut String, indent: &str, key: &str, value: &str) {
    let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(out, "{indent}<data key=\"{key}\">{value}</data>");
}

//! Answers to what the editor asks about a place: hover, definition, lenses, actions, hints.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeLens, CodeLensParams, Command, CreateFile,
    DefinitionParams, DiagnosticSeverity, DocumentChange, Hover, HoverParams, InlayHint,
    InlayHintParams, Label, Location, MarkupContent, MarkupKind,
    OptionalVersionedTextDocumentIdentifier, Position, Range, TextDocumentEdit,
    TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::{Value, json};

use crate::server::{COVER, SHOW_TRACE, Server, VERIFY};
use crate::text::{Text, path_of, uri_of};
use crate::verification::{Claim, Findings, Invariant, Question};

/// Values of a line that are shown beside it.
const MOST_VALUES: usize = 3;

type Answer = Result<Value, String>;

fn wrong(error: serde_json::Error) -> String {
    error.to_string()
}

fn path(uri: &Uri) -> Result<PathBuf, String> {
    path_of(uri).ok_or_else(|| format!("`{}` is no file", uri.0))
}

fn value(answer: impl Into<Option<Value>>) -> Answer {
    Ok(answer.into().unwrap_or(Value::Null))
}

impl Server {
    /// Answers with the meaning of a name, and the invariant of a loop.
    pub(crate) fn hover(&self, params: Value) -> Answer {
        let params: HoverParams = serde_json::from_value(params).map_err(wrong)?;
        let at = params.text_document_position_params;
        let path = path(&at.text_document.uri)?;
        let meaning =
            self.analysed(&path).and_then(|analysed| analysed.meaning(at.position, &self.open()));
        let mut parts: Vec<String> = Vec::new();
        let range = meaning.as_ref().map(|meaning| meaning.range);
        if let Some(meaning) = meaning {
            parts.push(meaning.markdown);
            parts.extend(meaning.function.and_then(|function| self.contracts(&function)));
        }
        for invariant in self.invariants(&path, at.position.line, at.position.line) {
            parts.push(format!(
                "Proved whenever the loop begins a round:\n```c\n{}\n```",
                invariant.text
            ));
        }
        if parts.is_empty() {
            return Ok(Value::Null);
        }
        let markup = MarkupContent { kind: MarkupKind::Markdown, value: parts.join("\n\n---\n\n") };
        serde_json::to_value(Hover { contents: markup.into(), range }).map_err(wrong)
    }

    /// Returns the contracts of a function that the proofs of the present texts have found.
    fn contracts(&self, function: &str) -> Option<String> {
        let all = self.fresh().flat_map(|findings| &findings.contracts);
        let of = |text: &&String| {
            text.strip_prefix(function).is_some_and(|rest| rest.starts_with([' ', '(', ':']))
        };
        let texts: Vec<&str> = all.filter(of).map(String::as_str).collect();
        (!texts.is_empty())
            .then(|| format!("Proved of every call:\n```c\n{}\n```", texts.join("\n")))
    }

    /// Where a name is declared.
    pub(crate) fn definition(&self, params: Value) -> Answer {
        let params: DefinitionParams = serde_json::from_value(params).map_err(wrong)?;
        let at = params.text_document_position_params;
        let path = path(&at.text_document.uri)?;
        let meaning =
            self.analysed(&path).and_then(|analysed| analysed.meaning(at.position, &self.open()));
        let declared = meaning.and_then(|meaning| meaning.declared);
        value(declared.map(|(path, range)| json!(Location { uri: uri_of(&path), range })))
    }

    /// Answers with the verifications on offer, above each function.
    pub(crate) fn code_lens(&self, params: Value) -> Answer {
        let params: CodeLensParams = serde_json::from_value(params).map_err(wrong)?;
        let uri = params.text_document.uri;
        let path = path(&uri)?;
        let mut lenses = Vec::new();
        for (name, range) in
            self.analysed(&path).map(|analysed| &analysed.functions[..]).unwrap_or_default()
        {
            let mut lens = |command: &str, title: &str, arguments: Value| {
                let command = ask(command, title.to_owned(), arguments);
                lenses.push(CodeLens { range: *range, command: Some(command), data: None });
            };
            let is_main = name == "main";
            let arguments = match is_main {
                true => json!({ "uri": uri }),
                false => json!({ "uri": uri, "function": name }),
            };
            let title = if is_main { "Verify the program" } else { "Verify function" };
            lens(VERIFY, title, arguments.clone());
            if let Some(summary) = self.summary(&path, name, Question::Claims) {
                lens(VERIFY, &summary, arguments.clone());
            }
            lens(COVER, "Cover", arguments.clone());
            if let Some(summary) = self.summary(&path, name, Question::Coverage) {
                lens(COVER, &summary, arguments);
            }
        }
        serde_json::to_value(lenses).map_err(wrong)
    }

    /// The verdicts on the claims or goals of a function in a few words.
    fn summary(&self, path: &Path, function: &str, question: Question) -> Option<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for findings in self.fresh().filter(|findings| findings.task.question == question) {
            for claim in findings.claims.iter().filter(|c| c.path == path && c.function == function)
            {
                *counts.entry(claim.status).or_default() += 1;
            }
        }
        let words = [
            ("violated", "violated"),
            ("covered", "covered"),
            ("unreachable", "unreachable"),
            ("unknown", "undecided"),
            ("holds", "safe"),
        ];
        let words = words.into_iter();
        let parts: Vec<String> = words
            .filter_map(|(status, word)| Some(format!("{} {word}", counts.get(status)?)))
            .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Answers with the actions for the findings in a range.
    pub(crate) fn code_action(&self, params: Value) -> Answer {
        let params: CodeActionParams = serde_json::from_value(params).map_err(wrong)?;
        let uri = params.text_document.uri;
        let path = path(&uri)?;
        let mut actions = Vec::new();
        for findings in self.fresh() {
            let is_about_claims = findings.task.question == Question::Claims;
            for (index, claim) in findings.claims.iter().enumerate().filter(|_| is_about_claims) {
                if claim.path == path && touches(claim.diagnostic.range, params.range) {
                    self.actions_of(findings, index, claim, &mut actions);
                }
            }
        }
        let Some(text) = self.text(&path) else { return Ok(json!(actions)) };
        for invariant in self.invariants(&path, params.range.start.line, params.range.end.line) {
            actions.extend(assertion(&uri, text, invariant));
        }
        serde_json::to_value(actions).map_err(wrong)
    }

    fn actions_of(
        &self,
        findings: &Findings,
        index: usize,
        claim: &Claim,
        actions: &mut Vec<CodeAction>,
    ) {
        let root = uri_of(&findings.task.path);
        let diagnostics = Some(vec![claim.diagnostic.clone()]);
        let quick_fix = |title: String| CodeAction {
            title,
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: diagnostics.clone(),
            is_preferred: None,
            disabled: None,
            edit: None,
            command: None,
            data: None,
            tags: None,
        };
        match claim.diagnostic.severity {
            Some(DiagnosticSeverity::Error) => {
                let is_first = findings.claims.iter().position(|claim| claim.status == "violated")
                    == Some(index);
                if is_first && !findings.test.is_empty() {
                    let mut action = quick_fix("Write a test that fails here".to_owned());
                    action.edit = Some(test(findings));
                    actions.push(action);
                }
                let mut action = quick_fix("Show the values along this counterexample".to_owned());
                action.command = Some(Command {
                    title: action.title.clone(),
                    tooltip: None,
                    command: SHOW_TRACE.to_owned(),
                    arguments: Some(vec![json!({ "uri": root, "claim": index })]),
                });
                actions.push(action);
                if let Some(edit) = self.text(&claim.path).and_then(|text| assume(claim, text)) {
                    let mut action = quick_fix("Assume that this does not happen".to_owned());
                    action.edit = Some(edit);
                    actions.push(action);
                }
            }
            Some(DiagnosticSeverity::Information) => {
                let bound =
                    findings.task.unwind.or(self.settings.unwind).unwrap_or(8).saturating_mul(2);
                let title = format!("Look at {bound} rounds of loops");
                let mut action = quick_fix(title.clone());
                let function = &findings.task.function;
                let argument = json!({ "uri": root, "function": function, "unwind": bound });
                action.command = Some(ask(VERIFY, title, argument));
                actions.push(action);
            }
            _ => {}
        }
    }

    /// The invariants of loops that begin in some lines.
    fn invariants(&self, path: &Path, first: u32, last: u32) -> Vec<&Invariant> {
        let all = self.fresh().flat_map(|findings| &findings.invariants);
        all.filter(|at| at.path == path && (first..=last).contains(&at.range.start.line)).collect()
    }

    /// The values along the counterexample that is selected, or along the first one.
    pub(crate) fn inlay_hint(&self, params: Value) -> Answer {
        let params: InlayHintParams = serde_json::from_value(params).map_err(wrong)?;
        let path = path(&params.text_document.uri)?;
        let Some(text) = self.text(&path) else { return Ok(json!([])) };
        let chosen = match &self.selected {
            Some((root, claim)) => self
                .fresh()
                .find(|findings| findings.task.path == *root)
                .and_then(|f| f.claims.get(*claim)),
            None => self
                .fresh()
                .flat_map(|f| &f.claims)
                .find(|claim| claim.path == path && !claim.steps.is_empty()),
        };
        let mut by_line: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for (at, range, what) in chosen.map(|claim| &claim.steps[..]).unwrap_or_default() {
            let line = range.start.line;
            if *at == path && (params.range.start.line..=params.range.end.line).contains(&line) {
                let texts = by_line.entry(line).or_default();
                if texts.last() != Some(&what.as_str()) {
                    texts.push(what);
                }
            }
        }
        let hints: Vec<InlayHint> = by_line
            .into_iter()
            .map(|(line, texts)| {
                let mut label = texts[..texts.len().min(MOST_VALUES)].join("; ");
                if texts.len() > MOST_VALUES {
                    label.push_str(&format!("; ... ({} steps)", texts.len()));
                }
                InlayHint {
                    position: text.position(line + 1, u32::MAX),
                    label: Label::String(label),
                    kind: None,
                    text_edits: None,
                    tooltip: None,
                    padding_left: Some(true),
                    padding_right: None,
                    data: None,
                }
            })
            .collect();
        serde_json::to_value(hints).map_err(wrong)
    }
}

fn ask(command: &str, title: String, argument: Value) -> Command {
    let arguments = Some(vec![argument]);
    Command { title, tooltip: None, command: command.to_owned(), arguments }
}

fn touches(a: Range, b: Range) -> bool {
    let key = |position: Position| (position.line, position.character);
    key(a.start) <= key(b.end) && key(b.start) <= key(a.end)
}

/// An edit that writes the files of a test into a folder beside the program.
fn test(findings: &Findings) -> WorkspaceEdit {
    let path = &findings.task.path;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.with_file_name(format!("{stem}-vergo-test"));
    let mut changes = Vec::new();
    for (name, text) in &findings.test {
        let uri = uri_of(&folder.join(name));
        let options = serde_json::from_value(json!({ "overwrite": true })).ok();
        changes.push(DocumentChange::CreateFile(CreateFile {
            uri: uri.clone(),
            options,
            annotation_id: None,
        }));
        let identifier = TextDocumentIdentifier { uri };
        let edit = TextEdit { range: Range::default(), new_text: text.clone() };
        changes.push(DocumentChange::TextDocumentEdit(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                text_document_identifier: identifier,
                version: None,
            },
            edits: vec![edit.into()],
        }));
    }
    WorkspaceEdit { changes: None, document_changes: Some(changes), change_annotations: None }
}

/// An action that states a loop's invariant as an assertion at the beginning of its body. What holds when a round begins
/// holds there if looking at the loop's condition changes nothing.
fn assertion(uri: &Uri, text: &Text, invariant: &Invariant) -> Option<CodeAction> {
    let line = invariant.range.start.line;
    let head = text.line(line as usize);
    // The body must begin on the next line.
    head.trim_end().strip_suffix('{')?;
    let condition = match head.trim_start() {
        loop_head if loop_head.starts_with("while") => loop_head,
        loop_head if loop_head.starts_with("for") => loop_head.split(';').nth(1)?,
        _ => return None,
    };
    let compared =
        ["==", "!=", "<=", ">="].iter().fold(condition.to_owned(), |text, op| text.replace(op, ""));
    if compared.contains('=') || condition.contains("++") || condition.contains("--") {
        return None;
    }
    let indent = text.indent(line);
    let inner = if indent.contains('\t') { "\t" } else { "    " };
    let added = format!("{indent}{inner}assert({});\n", invariant.text);
    let mut edits = vec![TextEdit { range: at_start(line + 1), new_text: added }];
    if !text.as_str().contains("assert.h") {
        edits.push(TextEdit { range: at_start(0), new_text: "#include <assert.h>\n".to_owned() });
    }
    Some(CodeAction {
        title: "State the proved invariant as an assertion".to_owned(),
        kind: Some(CodeActionKind::Refactor),
        diagnostics: None,
        is_preferred: None,
        disabled: None,
        edit: Some(edits_of(uri, edits)),
        command: None,
        data: None,
        tags: None,
    })
}

/// An edit that assumes the condition of a claim before the statement in which it is violated, if a statement begins on
/// its line and none around it would lose its body.
fn assume(claim: &Claim, text: &Text) -> Option<WorkspaceEdit> {
    let condition = claim.assumption.as_ref()?;
    let line = claim.diagnostic.range.start.line;
    let begins = text.line(line as usize).trim_start();
    let words = ["else", "}", "for", "while", "do", "case", "default"];
    let before = (0..line).rev().map(|line| text.line(line as usize).trim());
    let before = before.into_iter().find(|line| !line.is_empty())?;
    let is_statement = before.ends_with([';', '{', '}']) || before.ends_with("*/");
    if !is_statement || words.iter().any(|word| begins.starts_with(word)) {
        return None;
    }
    let added = format!("{}{ASSUME}({condition});\n", text.indent(line));
    let mut edits = vec![TextEdit { range: at_start(line), new_text: added }];
    if !text.as_str().contains(ASSUME) {
        let declaration = format!("extern void {ASSUME}(int);\n");
        edits.push(TextEdit { range: at_start(0), new_text: declaration });
    }
    Some(edits_of(&uri_of(&claim.path), edits))
}

/// The function that assumes something.
const ASSUME: &str = "__VERIFIER_assume";

fn edits_of(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    #[allow(clippy::mutable_key_type, reason = "the protocol's type has such a key")]
    let changes = [(uri.clone(), edits)].into_iter().collect();
    WorkspaceEdit { changes: Some(changes), document_changes: None, change_annotations: None }
}

fn at_start(line: u32) -> Range {
    let position = Position { line, character: 0 };
    Range { start: position, end: position }
}

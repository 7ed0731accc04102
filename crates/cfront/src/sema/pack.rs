//! `#pragma pack`: which cap on alignment is in force where.

use crate::ast::Ast;
use vergo_source::{SourceMap, Span};

/// The changes of the cap, in order of position.
#[derive(Debug, Default)]
pub(super) struct Packs {
    changes: Vec<(u32, Option<u64>)>,
}

impl Packs {
    /// Reads the pragmas of a unit.
    pub(super) fn read(ast: &Ast, sources: &SourceMap) -> Packs {
        let mut changes = Vec::new();
        let mut current = None;
        let mut stack: Vec<(String, Option<u64>)> = Vec::new();
        for pragma in &ast.pragmas {
            let text = sources.span_text(pragma.span);
            let text = String::from_utf8_lossy(text);
            let text =
                if pragma.operator { text.trim_matches(|c| c == '"' || c == 'L') } else { &text };
            let Some(rest) = text.trim().strip_prefix("pack") else { continue };
            let rest = rest.trim();
            let Some(arguments) = rest.strip_prefix('(').and_then(|rest| rest.split(')').next())
            else {
                continue;
            };
            let mut words =
                arguments.split(',').map(str::trim).filter(|word| !word.is_empty()).peekable();
            match words.next() {
                None => current = None,
                Some("push") => {
                    let mut label = String::new();
                    let before = current;
                    for word in words {
                        match parse(word) {
                            Some(value) => current = value,
                            None => label = word.to_owned(),
                        }
                    }
                    stack.push((label, before));
                }
                Some("pop") => {
                    let label = words.next();
                    match label {
                        Some(label) if parse(label).is_none() => {
                            if let Some(index) = stack.iter().rposition(|(name, _)| name == label) {
                                current = stack[index].1;
                                stack.truncate(index);
                            }
                        }
                        _ => {
                            if let Some((_, before)) = stack.pop() {
                                current = before;
                            }
                        }
                    }
                }
                Some(word) => {
                    if let Some(value) = parse(word) {
                        current = value;
                    }
                }
            }
            changes.push((pragma.span.lo, current));
        }
        Packs { changes }
    }

    /// The cap in force at a position.
    pub(super) fn at(&self, span: Span) -> Option<u64> {
        let index = self.changes.partition_point(|&(position, _)| position <= span.lo);
        index.checked_sub(1).and_then(|index| self.changes[index].1)
    }
}

/// The cap that a number stands for; zero takes the cap away.
fn parse(word: &str) -> Option<Option<u64>> {
    match word {
        "0" => Some(None),
        "1" | "2" | "4" | "8" | "16" => Some(word.parse().ok()),
        _ => None,
    }
}

//! Tests of the lexer and the parser.

#![allow(clippy::print_stdout, reason = "measurements of tests are shown when asked for")]

mod accepted;
mod corpus;
mod declarations;
mod depth;
mod errors;
mod expressions;
mod names;
mod robust;
mod spans;
mod statements;
mod tokens;

use vergo_cfront::ast::Ast;
use vergo_cfront::{Options, dump, parse};
use vergo_source::{Diagnostics, FileId, Renderer, SourceMap};

/// A parsed text.
struct Parsed {
    sources: SourceMap,
    ast: Ast,
    diags: Diagnostics,
}

fn add(name: &str, text: &[u8]) -> (SourceMap, FileId) {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text).expect("tests are small");
    (sources, file)
}

fn parsed(text: &[u8]) -> Parsed {
    let (mut sources, file) = add("a.c", text);
    let mut diags = Diagnostics::new();
    let ast = parse(&mut sources, file, &Options::default(), &mut diags);
    Parsed { sources, ast, diags }
}

impl Parsed {
    /// All messages as a user sees them.
    fn messages(&self) -> String {
        let renderer = Renderer::plain();
        self.diags
            .iter()
            .map(|diagnostic| renderer.render(&self.sources, diagnostic) + "\n")
            .collect()
    }

    fn tree(&self) -> String {
        dump::ast(&self.ast, &self.sources)
    }
}

/// The tree of a text without mistakes.
fn tree(text: &str) -> String {
    let parsed = parsed(text.as_bytes());
    let messages = parsed.messages();
    assert!(messages.is_empty(), "{text}\n{messages}");
    // The name of the file adds nothing here.
    parsed.tree().replacen("file a.c\n", "", 1)
}

/// The messages about a text.
fn messages(text: &str) -> String {
    parsed(text.as_bytes()).messages()
}

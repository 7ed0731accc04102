//! C: lexer, parser, AST with exact spans, name resolution, types, constant evaluation, C printer,
//! span-based source edits.
//!
//! The way of a file through this crate:
//!
//! ```text
//! bytes --lex--> tokens --parse--> ast::Ast --sema--> hir::Unit --print_c--> C text
//!                                                     hir::Unit --link---> one hir::Unit for several files
//! ```
//!
//! The syntax tree ([`ast`]) is what was written; the typed tree ([`hir`]) is what it means: every name resolved,
//! every expression typed, every implicit conversion explicit, initialisers normalised, layout fixed.
//!
//! **Invariant.** Nothing here knows GOTO, terms or solvers, reads a file or prints.

pub mod ast;
pub mod builtins;
mod check_pragmas;
pub mod codes;
pub mod compat;
pub mod consteval;
pub mod dump;
pub mod edit;
pub mod floating;
pub mod hir;
pub mod intern;
pub mod layout;
pub mod lex;
pub mod link;
pub mod literal;
mod options;
mod parse;
pub mod pool;
pub mod print_c;
pub mod sema;
pub mod target;
pub mod token;
pub mod typename;
pub mod types;
pub mod walk;
pub mod words;

pub use check_pragmas::{DisabledCheck, disabled_checks};
pub use link::link;
pub use options::Options;
pub use parse::parse;
pub use print_c::print_c;
pub use sema::analyze;

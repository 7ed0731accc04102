//! Texts of what the front end knows, for developers and the curious: one function for each stage.

mod ast;
mod tokens;

pub use ast::ast;
pub use tokens::tokens;

//! Texts of what the front end knows, for developers and the curious: one function for each stage.

mod ast;
mod layout;
mod place;
mod tokens;
mod types;

pub use ast::ast;
pub use layout::layout;
pub use tokens::tokens;
pub use types::{expr_text, types};

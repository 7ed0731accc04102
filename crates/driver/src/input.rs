//! Where a text comes from.

use std::path::{Path, PathBuf};

/// An input of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A file, which is read when it is needed.
    File(PathBuf),
    /// A text that was read already, such as standard input.
    Text {
        /// The name that diagnostics use.
        name: String,
        /// The text.
        text: Vec<u8>,
    },
}

impl Input {
    /// The name that diagnostics use.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Input::File(path) => path.to_string_lossy().into_owned(),
            Input::Text { name, .. } => name.clone(),
        }
    }

    /// The path, for an input that is a file.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Text { .. } => None,
        }
    }
}

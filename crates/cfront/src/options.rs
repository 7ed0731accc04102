//! The options of reading C.

use crate::target::DataModel;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Options of the parser and the analysis.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes and alignments of the basic types.
    pub model: DataModel,
    /// The greatest nesting of brackets, blocks, declarators and types.
    pub nesting_limit: u32,
    /// The greatest length of chains such as `else if`, `?:`, stacked labels and prefix operators: each link is a
    /// level of the tree, but takes no stack here.
    pub chain_limit: u32,
    /// True if loops with invariants are replaced by their contracts.
    pub loop_contracts: bool,
    /// True if declarations of one function with different types are accepted with a warning, as CBMC does.
    pub lenient: bool,
    /// When set and true, lexer and parser stop soon, with a diagnostic.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            model: DataModel::Lp64,
            nesting_limit: 10_000,
            chain_limit: 200_000,
            loop_contracts: false,
            lenient: false,
            interrupt: None,
        }
    }
}

impl Options {
    /// Returns whether the caller wants to stop.
    pub(crate) fn interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

//! The changes that a proof makes to its program: replaced functions, contracts, variables with any value at the
//! beginning.

pub use vergo_lower::Pointers;

/// The changes that a proof wants. By default, nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProofOptions {
    /// Functions of the project whose bodies are removed, so that those of the proof, or none, take their place.
    pub removed_bodies: Vec<String>,
    /// Functions that are checked against their contracts.
    pub enforced: Vec<String>,
    /// Functions that their contracts replace.
    pub replaced: Vec<String>,
    /// True if contracts of loops are used.
    pub loop_contracts: bool,
    /// True if static variables of the program that are not constant begin with any value.
    pub nondet_static: bool,
    /// The pointers that the entry function gets.
    pub pointers: Pointers,
}

impl ProofOptions {
    /// The contracts that are in force, as lowering takes them.
    pub(crate) fn contracts(&self) -> vergo_lower::Contracts {
        let (enforced, replaced) = (self.enforced.clone(), self.replaced.clone());
        vergo_lower::Contracts { enforced, replaced }
    }

    /// Checks whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        *self == ProofOptions::default()
    }
}

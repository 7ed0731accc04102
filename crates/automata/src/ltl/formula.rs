//! A formula as it was written.

use cranelift_entity::{PrimaryMap, entity_impl};
use vergo_source::Span;

/// A part of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);
entity_impl!(NodeId, "node");

/// An atom: a condition of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(u32);
entity_impl!(AtomId, "atom");

/// A formula over atoms.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its text.
    pub text: String,
    /// Where it is.
    pub span: Span,
    /// Its parts.
    pub nodes: PrimaryMap<NodeId, Node>,
    /// The whole.
    pub root: NodeId,
    /// Its atoms.
    pub atoms: PrimaryMap<AtomId, Atom>,
}

/// A part of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the operator of its name")]
pub enum Node {
    Constant(bool),
    Atom(AtomId),
    Not(NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Implies(NodeId, NodeId),
    Iff(NodeId, NodeId),
    Next(NodeId),
    Finally(NodeId),
    Globally(NodeId),
    Until(NodeId, NodeId),
    WeakUntil(NodeId, NodeId),
    Release(NodeId, NodeId),
    StrongRelease(NodeId, NodeId),
}

/// An atom of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// Its name in the automaton.
    pub name: String,
    /// Its meaning for the program.
    pub meaning: Meaning,
    /// Where that is written.
    pub span: Span,
}

/// The meaning of an atom for the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A condition in C over variables at file scope.
    Condition(String),
    /// A function is about to be called: a position of its own.
    Call(String),
    /// A function has been called and has returned: a position of its own.
    Return(String),
}

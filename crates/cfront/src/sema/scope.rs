//! Scopes: which declaration a name means.
//!
//! A name is a small number, so the innermost declaration of each is an entry of a vector; leaving a scope restores
//! the entries that it changed. Looking a name up is one indexing, however many names and scopes there are.

use crate::hir::{FuncId, VarId};
use crate::intern::Symbol;
use crate::types::{EnumId, QualType, RecordId};
use vergo_source::Span;

/// The meaning of an ordinary identifier.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entity {
    Var(VarId),
    Function(FuncId),
    Typedef(QualType),
    /// An index into [`Sema::enumerators`](super::Sema::enumerators).
    Enumerator(u32),
    /// Something that has been reported.
    Error,
}

/// The meaning of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// A declaration of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<T> {
    pub(crate) entity: T,
    pub(crate) span: Span,
    /// 0 is the file's scope.
    pub(crate) depth: u32,
    symbol: Symbol,
    /// One more than the index of the hidden binding, or 0.
    hidden: u32,
}

/// A name space.
#[derive(Debug)]
pub(crate) struct NameSpace<T> {
    /// By symbol: one more than the index of the visible binding, or 0.
    visible: Vec<u32>,
    bindings: Vec<Binding<T>>,
    marks: Vec<usize>,
}

impl<T: Copy> NameSpace<T> {
    pub(crate) fn new() -> NameSpace<T> {
        NameSpace { visible: Vec::new(), bindings: Vec::new(), marks: Vec::new() }
    }

    /// Returns the number of scopes that are open inside the file's.
    pub(crate) fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub(crate) fn get(&self, symbol: Symbol) -> Option<&Binding<T>> {
        match self.visible.get(symbol.index()) {
            Some(&index) if index > 0 => Some(&self.bindings[index as usize - 1]),
            _ => None,
        }
    }

    /// The declaration of the name in the innermost scope itself.
    pub(crate) fn get_here(&self, symbol: Symbol) -> Option<&Binding<T>> {
        self.get(symbol).filter(|binding| binding.depth == self.depth())
    }

    pub(crate) fn insert(&mut self, symbol: Symbol, entity: T, span: Span) {
        if self.visible.len() <= symbol.index() {
            self.visible.resize(symbol.index() + 1, 0);
        }
        let hidden = self.visible[symbol.index()];
        let depth = self.depth();
        self.bindings.push(Binding { entity, span, depth, symbol, hidden });
        self.visible[symbol.index()] = self.bindings.len() as u32;
    }

    pub(crate) fn push(&mut self) {
        self.marks.push(self.bindings.len());
    }

    /// Closes the innermost scope and gives its declarations, so that they can be declared again.
    pub(crate) fn pop(&mut self) -> Vec<Binding<T>> {
        let mark = self.marks.pop().unwrap_or(0);
        for index in (mark..self.bindings.len()).rev() {
            let binding = &self.bindings[index];
            self.visible[binding.symbol.index()] = binding.hidden;
        }
        if self.bindings.len() == mark { Vec::new() } else { self.bindings.split_off(mark) }
    }

    /// Declares again what [`NameSpace::pop`] gave.
    pub(crate) fn restore(&mut self, bindings: Vec<Binding<T>>) {
        for binding in bindings {
            self.insert(binding.symbol, binding.entity, binding.span);
        }
    }

    /// All names that are visible, in order of declaration.
    pub(crate) fn visible_names(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.bindings.iter().map(|binding| binding.symbol)
    }
}

//! Traversals: reachable terms, substitution, free variables and sizes. None recurses, so terms may
//! be as deep as memory allows.

use crate::op::{Op, TermId, VarId};
use crate::sort::Sort;
use crate::store::TermStore;
use rustc_hash::{FxHashMap, FxHashSet};

/// The size of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TermSize {
    /// The number of different terms in it.
    pub dag: usize,
    /// The number of occurrences of terms in it, as if nothing were shared; cut at `u64::MAX`.
    pub tree: u64,
    /// The number of terms on a longest path to a leaf; a leaf has depth one.
    pub depth: usize,
}

impl TermStore {
    /// All terms in the given ones, arguments before the terms that use them.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut pending = Vec::new();
        let mut terms = Vec::new();
        for &root in roots {
            if seen.insert(root) {
                pending.push(root);
            }
        }
        while let Some(term) = pending.pop() {
            terms.push(term);
            for &arg in self.args(term) {
                if seen.insert(arg) {
                    pending.push(arg);
                }
            }
        }
        // Terms are numbered after their arguments.
        terms.sort_unstable();
        terms
    }

    /// The variables in the given terms, in the order of their making.
    pub fn free_vars(&self, roots: &[TermId]) -> Vec<VarId> {
        let mut vars: Vec<VarId> =
            self.reachable(roots).into_iter().filter_map(|term| self.as_var(term)).collect();
        vars.sort_unstable();
        vars
    }

    /// Returns whether all variables of the given terms are among these.
    pub fn is_over(&self, roots: &[TermId], variables: &FxHashSet<TermId>) -> bool {
        let terms = self.reachable(roots);
        terms.iter().all(|term| self.as_var(*term).is_none() || variables.contains(term))
    }

    /// The term with terms replaced by others of their sorts, all at once: what is put in is not
    /// searched again. Where a replaced term contains another, the outer one counts.
    pub fn substitute(&mut self, root: TermId, map: &FxHashMap<TermId, TermId>) -> TermId {
        self.substitute_all(&[root], map)[0]
    }

    /// [`substitute`](TermStore::substitute) in several terms, with shared work done once.
    pub fn substitute_all(
        &mut self,
        roots: &[TermId],
        map: &FxHashMap<TermId, TermId>,
    ) -> Vec<TermId> {
        self.transform(roots, |store, term, args| match map.get(&term) {
            Some(&new) => {
                store.expect_same_sort(term, new);
                new
            }
            None if store.args(term) == args => term,
            None => store.with_args(term, args),
        })
    }

    /// Rebuilds terms from the leaves up: `rebuild` gets each term and its rebuilt arguments.
    pub fn transform(
        &mut self,
        roots: &[TermId],
        mut rebuild: impl FnMut(&mut TermStore, TermId, &[TermId]) -> TermId,
    ) -> Vec<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut args = Vec::new();
        for term in self.reachable(roots) {
            args.clear();
            args.extend(self.args(term).iter().map(|arg| done[arg]));
            let new = rebuild(self, term, &args);
            done.insert(term, new);
        }
        roots.iter().map(|root| done[root]).collect()
    }

    /// Terms of another store, made anew in this one: variables by name and sort, the rest with this store's
    /// rewriting.
    pub fn import(&mut self, from: &TermStore, roots: &[TermId]) -> Vec<TermId> {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut args = Vec::new();
        for term in from.reachable(roots) {
            args.clear();
            args.extend(from.args(term).iter().map(|arg| done[arg]));
            let new = match (from.op(term), from.value(term)) {
                (Op::Var(var), _) => {
                    let info = from.var_info(var);
                    let sort = self.import_sort(from, info.sort);
                    self.var(&info.name, sort)
                }
                (_, Some(value)) => self.constant(value.clone()),
                (Op::Lookup(table), _) => self.lookup(from.lookup_table(table), args[0]),
                (op, None) => {
                    let sort = self.import_sort(from, from.sort(term));
                    self.app(op, sort, &args)
                }
            };
            done.insert(term, new);
        }
        roots.iter().map(|root| done[root]).collect()
    }

    fn import_sort(&mut self, from: &TermStore, sort: Sort) -> Sort {
        // Elements may be arrays again; indices are not.
        let mut indices = Vec::new();
        let mut innermost = sort;
        while let Sort::Array(id) = innermost {
            let (index, element) = from.array_parts(id);
            indices.push(index);
            innermost = element;
        }
        indices.into_iter().rev().fold(innermost, |element, index| self.array_sort(index, element))
    }

    /// The size of a term.
    pub fn size(&self, root: TermId) -> TermSize {
        let terms = self.reachable(&[root]);
        let mut sizes: FxHashMap<TermId, (u64, usize)> = FxHashMap::default();
        for &term in &terms {
            let (mut tree, mut depth) = (1u64, 0);
            for arg in self.args(term) {
                let (arg_tree, arg_depth) = sizes[arg];
                tree = tree.saturating_add(arg_tree);
                depth = depth.max(arg_depth);
            }
            sizes.insert(term, (tree, depth + 1));
        }
        let (tree, depth) = sizes[&root];
        TermSize { dag: terms.len(), tree, depth }
    }

    /// Splits nested conjunctions into their parts, in order and without repetition.
    pub fn conjuncts(&self, root: TermId) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut pending = vec![root];
        let mut parts = Vec::new();
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if self.op(term) == Op::And {
                pending.push(self.arg(term, 1));
                pending.push(self.arg(term, 0));
            } else {
                parts.push(term);
            }
        }
        parts
    }
}

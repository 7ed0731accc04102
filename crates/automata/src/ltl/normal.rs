//! Negation normal form: negations at atoms alone, and no operators but `&`, `|`, `X`, `U` and `R`.
//!
//! Equal formulas are one formula, and simple equivalences are applied where a formula is built: they keep the automata
//! small, and readable. Each holds of every infinite word, which a test checks on random ones.

use super::formula::{AtomId, Formula, Node, NodeId};
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

/// A formula in negation normal form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NormalId(u32);
entity_impl!(NormalId, "f");

/// A formula in negation normal form. The parts of `And` and `Or` are sorted, and at least two.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each is the operator of its name")]
pub enum Normal {
    Constant(bool),
    Literal(AtomId, bool),
    And(Vec<NormalId>),
    Or(Vec<NormalId>),
    Next(NormalId),
    Until(NormalId, NormalId),
    Release(NormalId, NormalId),
}

/// Formulas in negation normal form, each once.
#[derive(Clone, Debug, Default)]
pub struct Normals {
    nodes: PrimaryMap<NormalId, Normal>,
    numbers: FxHashMap<Normal, NormalId>,
}

impl Normals {
    /// Returns the formula with this id.
    pub fn node(&self, id: NormalId) -> &Normal {
        &self.nodes[id]
    }

    fn intern(&mut self, node: Normal) -> NormalId {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = self.nodes.push(node.clone());
        self.numbers.insert(node, id);
        id
    }

    /// Truth or falsehood.
    pub fn constant(&mut self, value: bool) -> NormalId {
        self.intern(Normal::Constant(value))
    }

    /// An atom or its negation.
    pub fn literal(&mut self, atom: AtomId, positive: bool) -> NormalId {
        self.intern(Normal::Literal(atom, positive))
    }

    fn is(&self, id: NormalId, value: bool) -> bool {
        self.nodes[id] == Normal::Constant(value)
    }

    /// The conjunction of formulas.
    pub fn and(&mut self, parts: impl IntoIterator<Item = NormalId>) -> NormalId {
        self.combine(parts, true)
    }

    /// The disjunction of formulas.
    pub fn or(&mut self, parts: impl IntoIterator<Item = NormalId>) -> NormalId {
        self.combine(parts, false)
    }

    /// A conjunction, or dually a disjunction: `neutral` is what the empty one is.
    fn combine(&mut self, parts: impl IntoIterator<Item = NormalId>, neutral: bool) -> NormalId {
        let mut all = Vec::new();
        for part in parts {
            match (&self.nodes[part], neutral) {
                (Normal::And(inner), true) | (Normal::Or(inner), false) => all.extend(inner),
                (Normal::Constant(value), _) if *value == neutral => {}
                (Normal::Constant(_), _) => return self.constant(!neutral),
                _ => all.push(part),
            }
        }
        // `G a & G b` is `G (a & b)`, and `F a | F b` is `F (a | b)`.
        let (mut always, mut rest) = (Vec::new(), Vec::new());
        for part in all {
            match self.nodes[part] {
                Normal::Release(a, b) if neutral && self.is(a, false) => always.push(b),
                Normal::Until(a, b) if !neutral && self.is(a, true) => always.push(b),
                _ => rest.push(part),
            }
        }
        if !always.is_empty() {
            let inner = self.combine(always, neutral);
            rest.push(if neutral { self.globally(inner) } else { self.finally(inner) });
        }
        rest.sort_unstable();
        rest.dedup();
        for &part in &rest {
            if let Normal::Literal(atom, positive) = self.nodes[part] {
                let other = self.literal(atom, !positive);
                if rest.contains(&other) {
                    return self.constant(!neutral);
                }
            }
        }
        match rest[..] {
            [] => self.constant(neutral),
            [only] => only,
            _ if neutral => self.intern(Normal::And(rest)),
            _ => self.intern(Normal::Or(rest)),
        }
    }

    /// `X a`.
    pub fn next(&mut self, a: NormalId) -> NormalId {
        if matches!(self.nodes[a], Normal::Constant(_)) {
            return a;
        }
        self.intern(Normal::Next(a))
    }

    /// `F a`.
    pub fn finally(&mut self, a: NormalId) -> NormalId {
        let holds = self.constant(true);
        self.until(holds, a)
    }

    /// `G a`.
    pub fn globally(&mut self, a: NormalId) -> NormalId {
        let fails = self.constant(false);
        self.release(fails, a)
    }

    /// `a U b`.
    pub fn until(&mut self, a: NormalId, b: NormalId) -> NormalId {
        self.binary(a, b, true)
    }

    /// `a R b`.
    pub fn release(&mut self, a: NormalId, b: NormalId) -> NormalId {
        self.binary(a, b, false)
    }

    fn binary(&mut self, a: NormalId, b: NormalId, until: bool) -> NormalId {
        // `a U true`, `false U b`, `b U b`; dually for `R`.
        if matches!(self.nodes[b], Normal::Constant(_)) || self.is(a, !until) || a == b {
            return b;
        }
        let make = |a, b| if until { Normal::Until(a, b) } else { Normal::Release(a, b) };
        match self.nodes[b] {
            // `a U (a U b)` is `a U b`.
            Normal::Until(c, _) if until && c == a => return b,
            Normal::Release(c, _) if !until && c == a => return b,
            // `F G F b` is `G F b`.
            Normal::Release(c, d) if until && self.is(a, true) && self.is(c, false) => {
                if matches!(self.nodes[d], Normal::Until(e, _) if self.is(e, true)) {
                    return b;
                }
            }
            Normal::Until(c, d) if !until && self.is(a, false) && self.is(c, true) => {
                if matches!(self.nodes[d], Normal::Release(e, _) if self.is(e, false)) {
                    return b;
                }
            }
            _ => {}
        }
        self.intern(make(a, b))
    }

    /// The normal form of a part of a formula, or of its negation.
    pub fn of(&mut self, formula: &Formula, node: NodeId, positive: bool) -> NormalId {
        let mut done = FxHashMap::default();
        self.convert(formula, node, positive, &mut done)
    }

    fn convert(
        &mut self,
        formula: &Formula,
        node: NodeId,
        positive: bool,
        done: &mut FxHashMap<(NodeId, bool), NormalId>,
    ) -> NormalId {
        if let Some(&id) = done.get(&(node, positive)) {
            return id;
        }
        let id = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let mut part = |node, sign| self.convert(formula, node, sign == positive, done);
            match formula.nodes[node] {
                Node::Constant(value) => self.constant(value == positive),
                Node::Atom(atom) => self.literal(atom, positive),
                Node::Not(a) => part(a, false),
                Node::And(a, b) => {
                    let parts = [part(a, true), part(b, true)];
                    self.combine(parts, positive)
                }
                Node::Or(a, b) => {
                    let parts = [part(a, true), part(b, true)];
                    self.combine(parts, !positive)
                }
                Node::Implies(a, b) => {
                    let parts = [part(a, false), part(b, true)];
                    self.combine(parts, !positive)
                }
                Node::Iff(a, b) => {
                    // Both or none; for the negation, one of them alone.
                    let [both, one] = [part(a, true), part(a, false)];
                    let [other, none] = match positive {
                        true => [part(b, true), part(b, false)],
                        false => [part(b, false), part(b, true)],
                    };
                    let (left, right) = (self.and([both, other]), self.and([one, none]));
                    self.or([left, right])
                }
                Node::Next(a) => {
                    let a = part(a, true);
                    self.next(a)
                }
                Node::Finally(a) => {
                    let a = part(a, true);
                    if positive { self.finally(a) } else { self.globally(a) }
                }
                Node::Globally(a) => {
                    let a = part(a, true);
                    if positive { self.globally(a) } else { self.finally(a) }
                }
                Node::Until(a, b) => {
                    let (a, b) = (part(a, true), part(b, true));
                    self.binary(a, b, positive)
                }
                Node::Release(a, b) => {
                    let (a, b) = (part(a, true), part(b, true));
                    self.binary(a, b, !positive)
                }
                // `a W b` is `b R (a | b)`, and `a M b` is `b U (a & b)`.
                Node::WeakUntil(a, b) => {
                    let (a, b) = (part(a, true), part(b, true));
                    let either = self.combine([a, b], !positive);
                    self.binary(b, either, !positive)
                }
                Node::StrongRelease(a, b) => {
                    let (a, b) = (part(a, true), part(b, true));
                    let both = self.combine([a, b], positive);
                    self.binary(b, both, positive)
                }
            }
        });
        done.insert((node, positive), id);
        id
    }

    /// The conjuncts of a formula, as far as they can be told apart: those of `G (a & b)` too.
    pub fn conjuncts(&mut self, formula: &Formula) -> Vec<NormalId> {
        let mut out = Vec::new();
        let mut work = vec![(formula.root, true, false)];
        while let Some((node, positive, always)) = work.pop() {
            match (formula.nodes[node], positive) {
                (Node::Not(a), _) => work.push((a, !positive, always)),
                (Node::And(a, b), true) | (Node::Or(a, b), false) => {
                    work.extend([(b, positive, always), (a, positive, always)]);
                }
                (Node::Implies(a, b), false) => {
                    work.extend([(b, false, always), (a, true, always)]);
                }
                (Node::Globally(a), true) | (Node::Finally(a), false) => {
                    work.push((a, positive, true));
                }
                _ => {
                    let part = self.of(formula, node, positive);
                    out.push(if always { self.globally(part) } else { part });
                }
            }
        }
        out.dedup();
        out
    }

    /// The negation.
    pub fn negated(&mut self, id: NormalId) -> NormalId {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match self.nodes[id].clone() {
            Normal::Constant(value) => self.constant(!value),
            Normal::Literal(atom, positive) => self.literal(atom, !positive),
            Normal::And(parts) => {
                let parts: Vec<_> = parts.into_iter().map(|part| self.negated(part)).collect();
                self.or(parts)
            }
            Normal::Or(parts) => {
                let parts: Vec<_> = parts.into_iter().map(|part| self.negated(part)).collect();
                self.and(parts)
            }
            Normal::Next(a) => {
                let a = self.negated(a);
                self.next(a)
            }
            Normal::Until(a, b) => {
                let (a, b) = (self.negated(a), self.negated(b));
                self.release(a, b)
            }
            Normal::Release(a, b) => {
                let (a, b) = (self.negated(a), self.negated(b));
                self.until(a, b)
            }
        })
    }

    /// Evaluates a formula on a word whose positions are all the same: gives a formula without temporal operators.
    pub fn constant_word(&mut self, id: NormalId) -> NormalId {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match self.nodes[id].clone() {
            Normal::Constant(_) | Normal::Literal(..) => id,
            Normal::And(parts) => {
                let parts: Vec<_> = parts.into_iter().map(|p| self.constant_word(p)).collect();
                self.and(parts)
            }
            Normal::Or(parts) => {
                let parts: Vec<_> = parts.into_iter().map(|p| self.constant_word(p)).collect();
                self.or(parts)
            }
            Normal::Next(a) | Normal::Until(_, a) | Normal::Release(_, a) => self.constant_word(a),
        })
    }

    /// Returns whether every word that violates the formula has a finite prefix that shows it, judged by its
    /// operators: nothing is demanded that may come arbitrarily late.
    pub fn is_safety(&self, id: NormalId) -> bool {
        let mut work = vec![id];
        let mut seen = cranelift_entity::EntitySet::new();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match &self.nodes[id] {
                Normal::Constant(_) | Normal::Literal(..) => {}
                Normal::And(parts) | Normal::Or(parts) => work.extend(parts),
                Normal::Next(a) => work.push(*a),
                Normal::Release(a, b) => work.extend([a, b]),
                Normal::Until(..) => return false,
            }
        }
        true
    }
}

//! From and-inverter graphs to clauses: incremental, polarity-aware Tseitin encoding.
//!
//! Each gate gets a variable when it is first needed and then only the halves of its definition
//! that its occurrences need (Plaisted and Greenbaum, "A Structure-preserving Clause Form
//! Translation", 1986); a later use in the other polarity adds the other half.  Xor, choice and
//! majority gates are recognised in the graph and get their short direct clauses, so that their
//! inner conjunctions need no variables; conjunctions whose operand is used nowhere else are
//! flattened into one wide gate.
//!
//! Both the recognition and the flattening look at the cone of the present call only.  A node that
//! was swallowed by a wider gate and is needed on its own later simply gets its own definition
//! then: every emitted clause is, by itself, a consequence of reading variables as their nodes,
//! which is what soundness (and interpolation, see [`crate::interpolate`]) rests on.

use crate::aig::{Aig, Lit, Node};
use crate::budget::Budget;
use crate::solver::{CnfLit, Label, SatSolver, Var};

/// The translation of gates into clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CnfOptions {
    /// Emit only the halves of definitions that are needed.
    pub polarity: bool,
    /// Recognise xor, choice and majority gates.
    pub patterns: bool,
    /// Add the two redundant clauses of a choice that propagate when both its branches agree.
    pub redundant_mux: bool,
}

impl Default for CnfOptions {
    fn default() -> Self {
        CnfOptions { polarity: true, patterns: true, redundant_mux: true }
    }
}

/// Which variable stands for which node of one graph, and which clauses have been emitted.
#[derive(Clone, Default)]
pub struct CnfEncoder {
    options: CnfOptions,
    /// The variable of each node, if it has one.
    vars: Vec<Option<Var>>,
    /// For each node the halves of its definition that have been emitted.
    done: Vec<u8>,
    /// The node of each variable that this encoder made, indexed by variable.
    nodes: Vec<u32>,
    /// Parents inside the cone of the present call, valid where `stamp` is current.
    parents: Vec<u32>,
    stamp: Vec<u32>,
    epoch: u32,
    n_clauses: u64,
    /// Halves of definitions that are still to be emitted: a budget ended in between.
    unfinished: Vec<(u32, u8)>,
    budget: Budget,
}

/// Operands of a flattened gate or clause. Without a limit, formulas that share a long chain of
/// conjunctions would each repeat it; with one, they meet at a gate that has a variable by then.
const MAX_FLAT: usize = 32;

/// The half "variable implies definition".
const POSITIVE: u8 = 1;
/// The half "definition implies variable".
const NEGATIVE: u8 = 2;
const BOTH: u8 = 3;

fn flip(polarity: u8) -> u8 {
    polarity >> 1 | (polarity & 1) << 1
}

/// The gate that the clauses of a node are made from.
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Mux(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

impl CnfEncoder {
    /// An encoder that has emitted nothing.
    pub fn new(options: CnfOptions) -> CnfEncoder {
        CnfEncoder { options, ..CnfEncoder::default() }
    }

    /// Sets the budget for encoding. When it ends, calls return early; see
    /// [`CnfEncoder::is_complete`].
    pub fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    /// Returns whether everything that was asked for has been emitted. If not, a budget ended: the
    /// solver must not be asked until [`CnfEncoder::resume`] has finished.
    pub fn is_complete(&self) -> bool {
        self.unfinished.is_empty()
    }

    /// Emits what an ended budget left over.
    pub fn resume<S: SatSolver + ?Sized>(&mut self, aig: &Aig, solver: &mut S) {
        self.encode(aig, solver, &[]);
    }

    /// The clauses emitted so far.
    pub fn n_clauses(&self) -> u64 {
        self.n_clauses
    }

    /// The variable of `node`, if one was needed so far.
    pub fn var_of(&self, node: u32) -> Option<Var> {
        self.vars.get(node as usize).copied().flatten()
    }

    /// The graph literal that `var` stands for, if this encoder made it.
    pub fn lit_of(&self, var: Var) -> Option<Lit> {
        match self.nodes.get(var.index()) {
            Some(&node) if node != u32::MAX => Some(Lit::new(node, false)),
            _ => None,
        }
    }

    /// A solver literal that may stand for `lit` wherever it is used positively in clauses or as an
    /// assumption; its whole cone is encoded.
    pub fn literal<S: SatSolver + ?Sized>(
        &mut self,
        aig: &Aig,
        solver: &mut S,
        lit: Lit,
    ) -> CnfLit {
        self.encode(aig, solver, &[(lit, POSITIVE)]);
        self.cnf_lit(solver, lit)
    }

    /// As [`CnfEncoder::literal`], but the result may be used in both polarities.
    pub fn equivalent<S: SatSolver + ?Sized>(
        &mut self,
        aig: &Aig,
        solver: &mut S,
        lit: Lit,
    ) -> CnfLit {
        self.encode(aig, solver, &[(lit, BOTH)]);
        self.cnf_lit(solver, lit)
    }

    /// Adds the clause "one of `lits` or one of `extra`" under a label.
    pub fn clause<S: SatSolver + ?Sized>(
        &mut self,
        aig: &Aig,
        solver: &mut S,
        lits: &[Lit],
        extra: &[CnfLit],
        label: Label,
    ) {
        let roots: Vec<(Lit, u8)> = lits.iter().map(|&l| (l, POSITIVE)).collect();
        self.encode(aig, solver, &roots);
        let mut clause = extra.to_vec();
        for &l in lits {
            match l.as_constant() {
                Some(true) => return,
                Some(false) => {}
                None => clause.push(self.cnf_lit(solver, l)),
            }
        }
        self.n_clauses += 1;
        solver.add_clause(&clause, label);
    }

    /// Adds clauses that force `lit` whenever all literals of `guard` are false: its conjuncts
    /// become separate clauses and a disjunction becomes one clause of its parts.
    pub fn assert<S: SatSolver + ?Sized>(
        &mut self,
        aig: &Aig,
        solver: &mut S,
        lit: Lit,
        guard: &[CnfLit],
        label: Label,
    ) {
        let mut conjuncts = vec![lit];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(l) = conjuncts.pop() {
            if !seen.insert(l) {
                continue;
            }
            if !l.is_complement()
                && let Some((a, b)) = self.plain_and(aig, l.node())
            {
                conjuncts.push(b);
                conjuncts.push(a);
                continue;
            }
            let mut parts = Vec::new();
            let mut pending = vec![l];
            let mut seen_parts = rustc_hash::FxHashSet::default();
            while let Some(part) = pending.pop() {
                if !seen_parts.insert(part) {
                    continue;
                }
                if part.is_complement()
                    && parts.len() + pending.len() < MAX_FLAT
                    && self.var_of(part.node()).is_none()
                    && let Some((a, b)) = self.plain_and(aig, part.node())
                {
                    pending.push(!b);
                    pending.push(!a);
                } else {
                    parts.push(part);
                }
            }
            self.clause(aig, solver, &parts, guard, label);
        }
    }

    /// The operands of a conjunction that is not part of a recognised larger gate.
    fn plain_and(&self, aig: &Aig, node: u32) -> Option<(Lit, Lit)> {
        aig.operands(node)?;
        match self.classify(aig, node) {
            Gate::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    fn cnf_lit<S: SatSolver + ?Sized>(&mut self, solver: &mut S, lit: Lit) -> CnfLit {
        self.var(solver, lit.node()).lit(!lit.is_complement())
    }

    fn var<S: SatSolver + ?Sized>(&mut self, solver: &mut S, node: u32) -> Var {
        let slot = node as usize;
        if self.vars.len() <= slot {
            self.grow(slot + 1);
        }
        if let Some(var) = self.vars[slot] {
            return var;
        }
        let var = solver.new_var();
        self.vars[slot] = Some(var);
        if self.nodes.len() <= var.index() {
            self.nodes.resize(var.index() + 1, u32::MAX);
        }
        self.nodes[var.index()] = node;
        if node == 0 {
            solver.add_clause(&[var.lit(false)], Label::Definition(var));
            self.n_clauses += 1;
        }
        var
    }

    fn grow(&mut self, n: usize) {
        let n = n.next_power_of_two();
        self.vars.resize(n, None);
        self.done.resize(n, 0);
        self.parents.resize(n, 0);
        self.stamp.resize(n, 0);
    }

    /// Emits what is missing of the definitions in the cones of `roots`.
    fn encode<S: SatSolver + ?Sized>(&mut self, aig: &Aig, solver: &mut S, roots: &[(Lit, u8)]) {
        let mut stack: Vec<(u32, u8)> = std::mem::take(&mut self.unfinished);
        for &(lit, polarity) in roots {
            let want = self.want(lit, polarity);
            if lit.node() as usize >= self.done.len() {
                self.grow(aig.n_nodes());
            }
            if want & !self.done[lit.node() as usize] != 0 {
                stack.push((lit.node(), want));
            }
        }
        if stack.is_empty() {
            return;
        }
        if self.done.len() < aig.n_nodes() {
            self.grow(aig.n_nodes());
        }
        if !self.count_parents(aig, &stack) {
            self.unfinished = stack;
            return;
        }
        let mut clause = Vec::new();
        let mut steps = 0u32;
        while let Some((node, want)) = stack.pop() {
            steps += 1;
            if steps.is_multiple_of(1 << 14) && self.budget.exhausted().is_some() {
                stack.push((node, want));
                self.unfinished = stack;
                return;
            }
            let missing = want & !self.done[node as usize];
            if missing == 0 {
                continue;
            }
            self.done[node as usize] |= missing;
            if aig.operands(node).is_some() {
                self.define(aig, solver, node, missing, &mut stack, &mut clause);
            }
        }
    }

    fn want(&self, lit: Lit, polarity: u8) -> u8 {
        if !self.options.polarity {
            BOTH
        } else if lit.is_complement() {
            flip(polarity)
        } else {
            polarity
        }
    }

    /// Counts, for nodes that still lack clauses, the gates of the cone that use them; false if the
    /// budget ended.
    fn count_parents(&mut self, aig: &Aig, roots: &[(u32, u8)]) -> bool {
        self.epoch += 1;
        let epoch = self.epoch;
        let mut stack: Vec<u32> = roots.iter().map(|r| r.0).collect();
        for &node in &stack {
            // A root needs its own variable, so it never counts as used once.
            self.stamp[node as usize] = epoch;
            self.parents[node as usize] = 2;
        }
        let mut steps = 0u32;
        while let Some(node) = stack.pop() {
            steps += 1;
            if steps.is_multiple_of(1 << 16) && self.budget.interrupted().is_some() {
                return false;
            }
            if self.done[node as usize] == BOTH || aig.operands(node).is_none() {
                continue;
            }
            let (children, n) = match self.classify(aig, node) {
                Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, a], 2),
                Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => ([a, b, c], 3),
            };
            for child in &children[..n] {
                let slot = child.node() as usize;
                if self.stamp[slot] == epoch {
                    self.parents[slot] += 1;
                } else {
                    self.stamp[slot] = epoch;
                    self.parents[slot] = 1;
                    stack.push(child.node());
                }
            }
        }
        true
    }

    fn classify(&self, aig: &Aig, node: u32) -> Gate {
        let Node::And(x, y) = aig.node(node) else {
            unreachable!("only conjunctions are classified");
        };
        if !self.options.patterns || !x.is_complement() || !y.is_complement() {
            return Gate::And(x, y);
        }
        let (Some((p0, p1)), Some((q0, q1))) = (aig.operands(x.node()), aig.operands(y.node()))
        else {
            return Gate::And(x, y);
        };
        // !(s & t) & !(!s & e) is s ? !t : !e.
        for (s, t, s_again, e) in
            [(p0, p1, q0, q1), (p0, p1, q1, q0), (p1, p0, q0, q1), (p1, p0, q1, q0)]
        {
            if s == !s_again {
                return if t == !e { Gate::Xor(s, t) } else { Gate::Mux(s, !t, !e) };
            }
        }
        // !(a & b) & !(c & !(!a & !b)) is the majority of the three complements.
        for ((a, b), (u, v)) in [((p0, p1), (q0, q1)), ((q0, q1), (p0, p1))] {
            for (c, either) in [(u, v), (v, u)] {
                if either.is_complement()
                    && let Some((m, n)) = aig.operands(either.node())
                    && ((m == !a && n == !b) || (m == !b && n == !a))
                {
                    return Gate::Majority(!a, !b, !c);
                }
            }
        }
        Gate::And(x, y)
    }

    fn define<S: SatSolver + ?Sized>(
        &mut self,
        aig: &Aig,
        solver: &mut S,
        node: u32,
        missing: u8,
        stack: &mut Vec<(u32, u8)>,
        clause: &mut Vec<CnfLit>,
    ) {
        let var = self.var(solver, node);
        let out = var.lit(true);
        let label = Label::Definition(var);
        let mut need = |this: &Self, lit: Lit, polarity: u8| {
            let want = this.want(lit, polarity);
            if want & !this.done[lit.node() as usize] != 0 {
                stack.push((lit.node(), want));
            }
        };
        match self.classify(aig, node) {
            Gate::And(a, b) => {
                let operands = self.flatten(aig, a, b);
                clause.clear();
                clause.push(out);
                for &operand in &operands {
                    need(self, operand, missing);
                    let lit = self.cnf_lit(solver, operand);
                    if missing & POSITIVE != 0 {
                        solver.add_clause(&[!out, lit], label);
                        self.n_clauses += 1;
                    }
                    clause.push(!lit);
                }
                if missing & NEGATIVE != 0 {
                    solver.add_clause(clause, label);
                    self.n_clauses += 1;
                }
            }
            Gate::Xor(a, b) => {
                need(self, a, BOTH);
                need(self, b, BOTH);
                let (a, b) = (self.cnf_lit(solver, a), self.cnf_lit(solver, b));
                if missing & POSITIVE != 0 {
                    solver.add_clause(&[!out, a, b], label);
                    solver.add_clause(&[!out, !a, !b], label);
                    self.n_clauses += 2;
                }
                if missing & NEGATIVE != 0 {
                    solver.add_clause(&[out, !a, b], label);
                    solver.add_clause(&[out, a, !b], label);
                    self.n_clauses += 2;
                }
            }
            Gate::Mux(s, t, e) => {
                need(self, s, BOTH);
                need(self, t, missing);
                need(self, e, missing);
                let s = self.cnf_lit(solver, s);
                let (t, e) = (self.cnf_lit(solver, t), self.cnf_lit(solver, e));
                for (half, out, t, e) in [(POSITIVE, !out, t, e), (NEGATIVE, out, !t, !e)] {
                    if missing & half != 0 {
                        solver.add_clause(&[out, !s, t], label);
                        solver.add_clause(&[out, s, e], label);
                        self.n_clauses += 2;
                        if self.options.redundant_mux {
                            solver.add_clause(&[out, t, e], label);
                            self.n_clauses += 1;
                        }
                    }
                }
            }
            Gate::Majority(a, b, c) => {
                for operand in [a, b, c] {
                    need(self, operand, missing);
                }
                let [a, b, c] = [a, b, c].map(|l| self.cnf_lit(solver, l));
                for (half, out, a, b, c) in [(POSITIVE, !out, a, b, c), (NEGATIVE, out, !a, !b, !c)]
                {
                    if missing & half != 0 {
                        solver.add_clause(&[out, a, b], label);
                        solver.add_clause(&[out, a, c], label);
                        solver.add_clause(&[out, b, c], label);
                        self.n_clauses += 3;
                    }
                }
            }
        }
    }

    /// The operands of the conjunction of `a` and `b`, with plain conjunctions that nothing else
    /// in the cone uses replaced by their own operands.
    fn flatten(&self, aig: &Aig, a: Lit, b: Lit) -> Vec<Lit> {
        let mut operands = Vec::new();
        let mut pending = vec![b, a];
        while let Some(lit) = pending.pop() {
            let slot = lit.node() as usize;
            let private = !lit.is_complement()
                && operands.len() + pending.len() < MAX_FLAT
                && self.vars[slot].is_none()
                && self.stamp[slot] == self.epoch
                && self.parents[slot] == 1;
            match if private { self.plain_and(aig, lit.node()) } else { None } {
                Some((x, y)) => {
                    pending.push(y);
                    pending.push(x);
                }
                None => operands.push(lit),
            }
        }
        operands.sort_unstable();
        operands.dedup();
        operands
    }
}

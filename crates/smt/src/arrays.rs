//! The theory of arrays by lemmas on demand.
//!
//! **Idea.**  Reads from arrays are free bits at first.  When the solver proposes values for all bits,
//! the reads are propagated through the graph of stores, choices and equal arrays, as far as the
//! proposed indices and conditions allow; where two accesses meet at one array with the same index but
//! different elements, or a read meets the element that a store or a constant array
//! prescribes, the clause that forbids this particular clash is added, and the solver goes on.
//! Only clauses that some proposed model violates are ever made.
//!
//! **Source.**  Brummayer and Biere, "Lemmas on Demand for the Extensional Theory of Arrays", JSAT 6
//! (2009), here on circuits rather than terms.  Additions: constant arrays, for which an index that
//! no store of the component uses is made up; arrays as elements of others, which are known by
//! names (see [`crate::blast`]); transitivity of equality among indices; and a model for every array.
//!
//! **Soundness.**  Every lemma is an instance of the array axioms: under its conditions (indices
//! that differ from stores passed, chosen branches, equalities crossed) both sides are the element of one
//! array at one index.  **Completeness**: when nothing clashes, the tables collected at each array
//! together with one default element per component form a model; each lemma excludes the
//! proposed values of finitely many bits, so the loop ends.

use rustc_hash::{FxHashMap, FxHashSet};
use vergo_num::{BitVec, Float};
use vergo_sat::{Aig, Budget, Lit};
use vergo_term::{Sort, TermId};

use crate::blast::word::Word;
use index::Triangles;
use std::cell::RefCell;

mod index;
pub use index::{Base, Index};

/// A position among the arrays of an [`Arrays`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayId(u32);

/// The construction of an array.
#[derive(Clone, Debug)]
pub enum ArrayNode {
    /// A variable.
    Free,
    /// Another array with one element replaced.
    Store {
        /// The other array.
        base: ArrayId,
        /// Where.
        index: Index,
        /// By what.
        element: Word,
    },
    /// One of two arrays.
    Choice {
        /// Selects the first one.
        condition: Lit,
        /// The array if the condition holds.
        then: ArrayId,
        /// The array otherwise.
        other: ArrayId,
    },
    /// The same element everywhere.
    Constant {
        /// The element.
        element: Word,
    },
}

struct Array {
    term: TermId,
    node: ArrayNode,
    index_sort: Sort,
    element_width: usize,
    /// Stores and choices made from this array, and equalities with it.
    parents: Vec<ArrayId>,
    equalities: Vec<u32>,
}

/// An element known at an index of an array.
struct Access {
    array: ArrayId,
    index: Index,
    element: Word,
    term: TermId,
}

struct Equality {
    term: TermId,
    sides: [ArrayId; 2],
    equal: Lit,
}

/// A valid clause that the proposed model violated, with the terms that it is about.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The literals, one of which must hold.
    pub clause: Vec<Lit>,
    /// The array terms, reads and equalities whose axioms it instantiates.
    pub terms: Vec<TermId>,
}

/// The value of an array under a model: elements at some indices and a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Encodings of indices and elements, by index.
    pub entries: Vec<(BitVec, BitVec)>,
    /// The encoding of every other element; zero if none is prescribed.
    pub default: BitVec,
}

/// All arrays that a solver has met, and what is known about them.
#[derive(Default)]
pub struct Arrays {
    arrays: Vec<Array>,
    reads: Vec<Access>,
    equalities: Vec<Equality>,
    /// Valid clauses that are to be added whatever the model is.
    pending: Vec<Lemma>,
    /// For each read how many stores below its array it has been compared with in advance.
    advanced: Vec<usize>,
    /// Differences of bases that comparisons have needed.
    differences: RefCell<FxHashMap<(Base, Base), Word>>,
    triangles: RefCell<Triangles>,
    n_lemmas: u64,
}

/// One step of an access through the graph.
struct Visit {
    array: ArrayId,
    /// Into `accesses` of the check.
    access: u32,
    /// The visit that this one comes from.
    from: Option<u32>,
    /// The literal that the step depends on, true under the model, with the term that it is about.
    condition: Option<(Lit, TermId)>,
}

impl Arrays {
    /// Returns whether there is nothing to check.
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.equalities.is_empty()
    }

    /// The term that an array belongs to.
    pub fn term(&self, array: ArrayId) -> TermId {
        self.array(array).term
    }

    /// Returns the construction of an array.
    pub fn node(&self, array: ArrayId) -> &ArrayNode {
        &self.array(array).node
    }

    /// The number of equalities, which is the number of the next one.
    pub fn n_equalities(&self) -> u32 {
        self.equalities.len() as u32
    }

    /// The lemmas made so far.
    pub fn n_lemmas(&self) -> u64 {
        self.n_lemmas
    }

    pub(crate) fn add_node(
        &mut self,
        term: TermId,
        node: ArrayNode,
        index_sort: Sort,
        element_width: usize,
    ) -> ArrayId {
        let id = ArrayId(self.arrays.len() as u32);
        match node {
            ArrayNode::Store { base, .. } => self.array_mut(base).parents.push(id),
            ArrayNode::Choice { then, other, .. } => {
                self.array_mut(then).parents.push(id);
                if other != then {
                    self.array_mut(other).parents.push(id);
                }
            }
            ArrayNode::Free | ArrayNode::Constant { .. } => {}
        }
        self.arrays.push(Array {
            term,
            node,
            index_sort,
            element_width,
            parents: Vec::new(),
            equalities: Vec::new(),
        });
        id
    }

    pub(crate) fn add_read(&mut self, term: TermId, array: ArrayId, index: Index, element: Word) {
        self.reads.push(Access { array, index, element, term });
    }

    /// Adds an equality with the index at which the arrays differ if it is false, what is read there
    /// from either side, and whether that is the same.
    pub(crate) fn add_equality(
        &mut self,
        term: TermId,
        sides: [ArrayId; 2],
        equal: Lit,
        same_there: Lit,
        index: Index,
        elements: [Word; 2],
    ) {
        let number = self.n_equalities();
        for (side, element) in sides.into_iter().zip(elements) {
            self.array_mut(side).equalities.push(number);
            self.reads.push(Access { array: side, index: index.clone(), element, term });
        }
        self.equalities.push(Equality { term, sides, equal });
        self.pending.push(Lemma { clause: vec![equal, !same_there], terms: vec![term] });
    }

    fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }

    fn array_mut(&mut self, id: ArrayId) -> &mut Array {
        &mut self.arrays[id.0 as usize]
    }

    /// Clauses that hold in any case and were not handed out before: the axioms of new equalities.
    pub fn take_pending(&mut self) -> Vec<Lemma> {
        self.n_lemmas += self.pending.len() as u64;
        std::mem::take(&mut self.pending)
    }

    /// Compares what the model says about all accesses; `value` gives the model's value of a
    /// literal.  If `active` is given, only the terms in it matter: others belong to assertions that
    /// are no more in force.  Returns the violated lemmas, or the values of all arrays if there are none;
    /// if the budget ends meanwhile, the lemmas that were found, if any.
    pub fn check(
        &mut self,
        aig: &mut Aig,
        value: &dyn Fn(Lit) -> bool,
        active: Option<&FxHashSet<TermId>>,
        budget: &Budget,
    ) -> Result<FxHashMap<ArrayId, Table>, Vec<Lemma>> {
        let components = self.components();
        let mut check = Check {
            arrays: self,
            value,
            active,
            accesses: Vec::new(),
            visits: Vec::new(),
            at: FxHashMap::default(),
            pending: Vec::new(),
            lemmas: Vec::new(),
            read_of_access: Vec::new(),
            clashing: Vec::new(),
            extensional: &components.extensional,
        };
        check.start(&components);
        let is_complete = check.run(aig, budget);
        if check.lemmas.is_empty() && is_complete {
            return Ok(check.tables());
        }
        let mut lemmas = std::mem::take(&mut check.lemmas);
        let mut clashing = std::mem::take(&mut check.clashing);
        clashing.sort_unstable();
        clashing.dedup();
        for read in clashing {
            if budget.interrupted().is_none() {
                self.advance(aig, read, &mut lemmas);
            }
        }
        lemmas.append(&mut self.triangles.get_mut().pending);
        self.n_lemmas += lemmas.len() as u64;
        Err(lemmas)
    }

    /// Compares a read that clashed with the stores below its array before a model asks for each of
    /// them in turn: a few at first, and twice as many every further time. The conditions to get past
    /// the stores are one chain of gates, so this takes a short clause per store.
    fn advance(&mut self, aig: &mut Aig, read: u32, lemmas: &mut Vec<Lemma>) {
        const FIRST: usize = 8;
        self.advanced.resize(self.reads.len(), 0);
        let access = &self.reads[read as usize];
        let done = self.advanced[read as usize];
        let goal = (done.saturating_mul(2)).max(FIRST);
        let mut terms = vec![access.term];
        let mut past = Lit::TRUE;
        let mut at = access.array;
        for depth in 0..goal {
            let array = self.array(at);
            terms.push(array.term);
            match &array.node {
                ArrayNode::Store { base, index, element } => {
                    let hit = self.same_index(aig, &access.index, index);
                    if depth >= done {
                        let same = aig.equal_words(&access.element, element);
                        lemmas
                            .push(Lemma { clause: vec![!past, !hit, same], terms: terms.clone() });
                    }
                    past = aig.and(past, !hit);
                    at = *base;
                }
                ArrayNode::Constant { element } => {
                    let same = aig.equal_words(&access.element, element);
                    lemmas.push(Lemma { clause: vec![!past, same], terms });
                    break;
                }
                ArrayNode::Free | ArrayNode::Choice { .. } => break,
            }
        }
        self.advanced[read as usize] = goal;
    }

    /// Arrays that stores, choices and equalities connect, and which of these have equalities.
    fn components(&self) -> Components {
        let mut union = UnionFind::new(self.arrays.len());
        for (i, array) in self.arrays.iter().enumerate() {
            match array.node {
                ArrayNode::Store { base, .. } => union.join(i, base.0 as usize),
                ArrayNode::Choice { then, other, .. } => {
                    union.join(i, then.0 as usize);
                    union.join(i, other.0 as usize);
                }
                ArrayNode::Free | ArrayNode::Constant { .. } => {}
            }
        }
        for equality in &self.equalities {
            union.join(equality.sides[0].0 as usize, equality.sides[1].0 as usize);
        }
        let root: Vec<usize> = (0..self.arrays.len()).map(|i| union.find(i)).collect();
        let mut extensional = vec![false; self.arrays.len()];
        for equality in &self.equalities {
            extensional[root[equality.sides[0].0 as usize]] = true;
        }
        let extensional = root.iter().map(|&r| extensional[r]).collect();
        Components { root, extensional }
    }
}

struct Components {
    root: Vec<usize>,
    /// For each array whether its component has equalities, so that reads travel upwards too.
    extensional: Vec<bool>,
}

struct CheckedAccess {
    index: Index,
    element: Word,
    term: TermId,
    index_value: BitVec,
    element_value: BitVec,
}

struct Check<'a> {
    arrays: &'a Arrays,
    value: &'a dyn Fn(Lit) -> bool,
    active: Option<&'a FxHashSet<TermId>>,
    accesses: Vec<CheckedAccess>,
    visits: Vec<Visit>,
    /// The visit that first reached an array with an index.
    at: FxHashMap<(ArrayId, BitVec), u32>,
    pending: Vec<u32>,
    lemmas: Vec<Lemma>,
    /// The first accesses are reads: which ones.
    read_of_access: Vec<u32>,
    /// The reads that took part in clashes.
    clashing: Vec<u32>,
    extensional: &'a [bool],
}

impl Check<'_> {
    fn word_value(&self, word: &[Lit]) -> BitVec {
        let mut limbs = vec![0u64; word.len().div_ceil(64)];
        for (i, &lit) in word.iter().enumerate() {
            if (self.value)(lit) {
                limbs[i / 64] |= 1 << (i % 64);
            }
        }
        BitVec::from_limbs(word.len() as u32, limbs)
    }

    fn is_active(&self, term: TermId) -> bool {
        self.active.is_none_or(|active| active.contains(&term))
    }

    fn access(&mut self, array: ArrayId, index: &Index, element: &[Lit], term: TermId) {
        let access = CheckedAccess {
            index: index.clone(),
            element: element.to_vec(),
            term,
            index_value: self.word_value(&index.word),
            element_value: self.word_value(element),
        };
        self.accesses.push(access);
        let access = self.accesses.len() as u32 - 1;
        self.visit(array, access, None, None);
    }

    fn visit(
        &mut self,
        array: ArrayId,
        access: u32,
        from: Option<u32>,
        condition: Option<(Lit, TermId)>,
    ) {
        self.visits.push(Visit { array, access, from, condition });
        self.pending.push(self.visits.len() as u32 - 1);
    }

    fn start(&mut self, components: &Components) {
        let arrays = self.arrays;
        for (number, read) in arrays.reads.iter().enumerate() {
            if self.is_active(read.term) {
                self.access(read.array, &read.index, &read.element, read.term);
                self.read_of_access.push(number as u32);
            }
        }
        // A store says what is at its index; that matters where its array is compared with others.
        for (i, array) in arrays.arrays.iter().enumerate() {
            if let ArrayNode::Store { index, element, .. } = &array.node
                && self.extensional[i]
                && self.is_active(array.term)
            {
                self.access(ArrayId(i as u32), index, element, array.term);
            }
        }
        self.start_constants(components);
    }

    /// Constant arrays in components with equalities: their element is at every index, in particular
    /// at one that no store touches; if there is no such index, at all of them.
    fn start_constants(&mut self, components: &Components) {
        let arrays = self.arrays;
        let mut used: FxHashMap<usize, Vec<BitVec>> = FxHashMap::default();
        for (i, array) in arrays.arrays.iter().enumerate() {
            if let ArrayNode::Store { index, .. } = &array.node
                && self.extensional[i]
            {
                let value = self.word_value(&index.word);
                used.entry(components.root[i]).or_default().push(value);
            }
        }
        for (i, array) in arrays.arrays.iter().enumerate() {
            let ArrayNode::Constant { element } = &array.node else { continue };
            if !self.extensional[i] || !self.is_active(array.term) {
                continue;
            }
            let mut taken = used.get(&components.root[i]).cloned().unwrap_or_default();
            taken.sort();
            taken.dedup();
            let indices = match free_index(array.index_sort, &taken) {
                Some(index) => vec![index],
                None => taken,
            };
            for index in indices {
                let index = Index::constant(index);
                self.access(ArrayId(i as u32), &index, element, array.term);
            }
        }
    }

    /// Follows all accesses; false if the budget ended before.
    fn run(&mut self, aig: &mut Aig, budget: &Budget) -> bool {
        // First in, first out keeps the paths, and with them the lemmas, short.
        let mut next = 0;
        while next < self.pending.len() {
            if next % 256 == 0 && budget.interrupted().is_some() {
                return false;
            }
            let visit = self.pending[next];
            next += 1;
            self.process(aig, visit);
        }
        true
    }

    fn process(&mut self, aig: &mut Aig, number: u32) {
        let visit = &self.visits[number as usize];
        let (array, access_number) = (visit.array, visit.access);
        let index_value = self.accesses[access_number as usize].index_value.clone();
        if let Some(&first) = self.at.get(&(array, index_value.clone())) {
            let other = self.visits[first as usize].access;
            if other != access_number {
                let (a, b) =
                    (&self.accesses[access_number as usize], &self.accesses[other as usize]);
                if a.element_value != b.element_value {
                    self.clash(aig, number, first);
                }
            }
            return;
        }
        self.at.insert((array, index_value.clone()), number);
        let arrays = self.arrays;
        let node = &arrays.array(array).node;
        let own = arrays.array(array).term;
        match node {
            ArrayNode::Free => {}
            ArrayNode::Constant { element } => self.expect(aig, number, None, element, own),
            ArrayNode::Store { base, index, element } => {
                if self.word_value(&index.word) == index_value {
                    self.expect(aig, number, Some(index), element, own);
                } else {
                    let differ = self.differ(aig, access_number, index);
                    self.visit(*base, access_number, Some(number), Some((differ, own)));
                }
            }
            ArrayNode::Choice { condition, then, other } => {
                let holds = (self.value)(*condition);
                let (target, lit) = if holds { (*then, *condition) } else { (*other, !*condition) };
                self.visit(target, access_number, Some(number), Some((lit, own)));
            }
        }
        if !self.extensional[array.0 as usize] {
            return;
        }
        for &parent in &arrays.array(array).parents {
            let term = arrays.array(parent).term;
            if !self.is_active(term) {
                continue;
            }
            match &arrays.array(parent).node {
                ArrayNode::Store { index, .. } => {
                    if self.word_value(&index.word) != index_value {
                        let differ = self.differ(aig, access_number, index);
                        self.visit(parent, access_number, Some(number), Some((differ, term)));
                    }
                }
                ArrayNode::Choice { condition, then, other } => {
                    let holds = (self.value)(*condition);
                    if holds && *then == array {
                        self.visit(parent, access_number, Some(number), Some((*condition, term)));
                    } else if !holds && *other == array {
                        self.visit(parent, access_number, Some(number), Some((!*condition, term)));
                    }
                }
                ArrayNode::Free | ArrayNode::Constant { .. } => {}
            }
        }
        for &equality in &arrays.array(array).equalities {
            let equality = &arrays.equalities[equality as usize];
            if self.is_active(equality.term) && (self.value)(equality.equal) {
                let other =
                    if equality.sides[0] == array { equality.sides[1] } else { equality.sides[0] };
                let condition = Some((equality.equal, equality.term));
                self.visit(other, access_number, Some(number), condition);
            }
        }
    }

    /// The literal that says that an access's index is not the given one.
    fn differ(&self, aig: &mut Aig, access: u32, index: &Index) -> Lit {
        !self.arrays.same_index(aig, &self.accesses[access as usize].index, index)
    }

    /// Demands that a visit's element is the one that an array prescribes, at an index or everywhere.
    fn expect(
        &mut self,
        aig: &mut Aig,
        visit: u32,
        index: Option<&Index>,
        element: &[Lit],
        own: TermId,
    ) {
        let access = &self.accesses[self.visits[visit as usize].access as usize];
        if access.element_value == self.word_value(element) {
            return;
        }
        let mut clause = Vec::new();
        let mut terms = vec![own];
        clause.push(aig.equal_words(&access.element, element));
        if let Some(index) = index {
            clause.push(!self.arrays.same_index(aig, &access.index, index));
        }
        self.add_path(visit, &mut clause, &mut terms);
        self.lemma(clause, terms);
    }

    /// Two accesses met at one array with the same index and different elements.
    fn clash(&mut self, aig: &mut Aig, a: u32, b: u32) {
        let x = &self.accesses[self.visits[a as usize].access as usize];
        let y = &self.accesses[self.visits[b as usize].access as usize];
        let mut clause = vec![
            aig.equal_words(&x.element, &y.element),
            !self.arrays.same_index(aig, &x.index, &y.index),
        ];
        let mut terms = Vec::new();
        self.add_path(a, &mut clause, &mut terms);
        self.add_path(b, &mut clause, &mut terms);
        self.lemma(clause, terms);
    }

    fn add_path(&mut self, visit: u32, clause: &mut Vec<Lit>, terms: &mut Vec<TermId>) {
        let access = self.visits[visit as usize].access;
        if let Some(&read) = self.read_of_access.get(access as usize) {
            self.clashing.push(read);
        }
        let mut at = Some(visit);
        terms.push(self.accesses[self.visits[visit as usize].access as usize].term);
        while let Some(number) = at {
            let visit = &self.visits[number as usize];
            if let Some((lit, term)) = visit.condition {
                clause.push(!lit);
                terms.push(term);
            }
            at = visit.from;
        }
    }

    fn lemma(&mut self, mut clause: Vec<Lit>, mut terms: Vec<TermId>) {
        clause.sort_unstable();
        clause.dedup();
        terms.sort_unstable();
        terms.dedup();
        self.lemmas.push(Lemma { clause, terms });
    }

    /// The values of all arrays when nothing clashes.
    fn tables(&self) -> FxHashMap<ArrayId, Table> {
        let arrays = self.arrays;
        // Arrays that agree except at finitely many indices share their default element.
        let mut union = UnionFind::new(arrays.arrays.len());
        for (i, array) in arrays.arrays.iter().enumerate() {
            if !self.is_active(array.term) {
                continue;
            }
            match &array.node {
                ArrayNode::Store { base, .. } => union.join(i, base.0 as usize),
                ArrayNode::Choice { condition, then, other } => {
                    let target = if (self.value)(*condition) { then } else { other };
                    union.join(i, target.0 as usize);
                }
                ArrayNode::Free | ArrayNode::Constant { .. } => {}
            }
        }
        for equality in &arrays.equalities {
            if self.is_active(equality.term) && (self.value)(equality.equal) {
                union.join(equality.sides[0].0 as usize, equality.sides[1].0 as usize);
            }
        }
        let mut defaults: FxHashMap<usize, BitVec> = FxHashMap::default();
        for (i, array) in arrays.arrays.iter().enumerate() {
            if let ArrayNode::Constant { element } = &array.node {
                let value = self.word_value(element);
                defaults.entry(union.find(i)).or_insert(value);
            }
        }
        let mut tables: FxHashMap<ArrayId, Table> = FxHashMap::default();
        for (i, array) in arrays.arrays.iter().enumerate() {
            let default = defaults
                .get(&union.find(i))
                .cloned()
                .unwrap_or_else(|| BitVec::zero(array.element_width as u32));
            tables.insert(ArrayId(i as u32), Table { entries: Vec::new(), default });
        }
        for visit in &self.visits {
            let access = &self.accesses[visit.access as usize];
            if let Some(table) = tables.get_mut(&visit.array) {
                table.entries.push((access.index_value.clone(), access.element_value.clone()));
            }
        }
        for i in 0..arrays.arrays.len() {
            if let Some(table) = tables.get_mut(&ArrayId(i as u32)) {
                table.entries.sort();
                table.entries.dedup();
            }
        }
        tables
    }
}

/// The smallest encoding of an index that is not taken (`taken` is sorted); none if all are.
fn free_index(sort: Sort, taken: &[BitVec]) -> Option<BitVec> {
    let width = match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
        Sort::Float(format) => format.width(),
        Sort::RoundingMode => 3,
        Sort::Array(_) => return None,
    };
    let valid = |bits: &BitVec| match sort {
        Sort::Float(format) => Float::from_bits(format, bits.clone()).bits() == bits,
        Sort::RoundingMode => bits.to_u64().is_some_and(|n| n < 5),
        _ => true,
    };
    let mut free = BitVec::zero(width);
    loop {
        if valid(&free) && taken.binary_search(&free).is_err() {
            return Some(free);
        }
        if free.is_ones() {
            return None;
        }
        free = free.add(&BitVec::one(width));
    }
}

struct UnionFind(Vec<u32>);

impl UnionFind {
    fn new(n: usize) -> UnionFind {
        UnionFind((0..n as u32).collect())
    }

    fn find(&mut self, i: usize) -> usize {
        let mut root = i;
        while self.0[root] as usize != root {
            root = self.0[root] as usize;
        }
        let mut at = i;
        while self.0[at] as usize != root {
            let next = self.0[at] as usize;
            self.0[at] = root as u32;
            at = next;
        }
        root
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}

//! The store that owns all terms, each of them once.
//!
//! A term is an operator, a sort and arguments. Terms are interned: the same operator on the same
//! arguments is the same [`TermId`], so equality of ids is structural equality, and a formula is a
//! directed acyclic graph as small as its sharing allows. Arguments are always made before the terms
//! that use them, so ascending ids are a topological order; every traversal relies on it and none
//! recurses. Nodes hold no pointers: an operator, a sort, and a range of one argument pool.

use crate::lookup::LookupTables;
use crate::op::{ConstId, Op, TermId, VarId};
use crate::rewrite::{Rule, RuleCounts};
use crate::sort::{ArraySortId, Sort};
use crate::value::Value;
use crate::words::Words;
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use vergo_num::{BitVec, Float, RoundingMode};

/// The owner of terms. A clone has the same terms under the same ids.
#[derive(Clone)]
pub struct TermStore {
    nodes: PrimaryMap<TermId, Node>,
    args: Vec<TermId>,
    table: Table,
    constants: PrimaryMap<ConstId, Value>,
    words: Words,
    /// Constants that are neither words nor truth values.
    constant_ids: FxHashMap<(Sort, BitVec), TermId>,
    vars: PrimaryMap<VarId, Var>,
    var_ids: FxHashMap<(String, Sort), TermId>,
    function_ids: FxHashMap<(String, Vec<Sort>, Sort), TermId>,
    var_names: FxHashSet<String>,
    array_sorts: PrimaryMap<ArraySortId, (Sort, Sort)>,
    array_sort_ids: FxHashMap<(Sort, Sort), ArraySortId>,
    pub(crate) lookup_tables: LookupTables,
    n_fresh: u32,
    truth: [TermId; 2],
    pub(crate) rewriting: Rewriting,
    pub(crate) rule_counts: RuleCounts,
    pub(crate) fuel: u32,
    pub(crate) depth: u32,
    pub(crate) n_cut_short: u64,
}

/// The choice whether constructors simplify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rewriting {
    /// Constructors apply the rules of [`Rule`].
    On,
    /// Constructors apply only the few rules without which programs cannot be executed, which share no code with the
    /// others. For checkers that make a formula of a program again.
    Structural,
    /// Constructors only normalise to the kernel. For checkers of formulas, and for tests that compare.
    Off,
}

/// A variable's name and sort.
#[derive(Clone, Debug)]
pub struct Var {
    /// The name, free of any quoting.
    pub name: String,
    /// The sort.
    pub sort: Sort,
    /// The variable as a term.
    pub term: TermId,
    /// The sorts of the parameters if the variable stands for a function: an array from the
    /// packed arguments to results.
    pub parameters: Vec<Sort>,
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    first_arg: u32,
}

impl Default for TermStore {
    fn default() -> TermStore {
        TermStore::new()
    }
}

impl TermStore {
    /// An empty store whose constructors simplify.
    pub fn new() -> TermStore {
        TermStore::with_rewriting(Rewriting::On)
    }

    /// An empty store.
    pub fn with_rewriting(rewriting: Rewriting) -> TermStore {
        let mut store = TermStore {
            nodes: PrimaryMap::new(),
            args: Vec::new(),
            table: Table::default(),
            constants: PrimaryMap::new(),
            words: Words::default(),
            constant_ids: FxHashMap::default(),
            vars: PrimaryMap::new(),
            var_ids: FxHashMap::default(),
            function_ids: FxHashMap::default(),
            var_names: FxHashSet::default(),
            array_sorts: PrimaryMap::new(),
            array_sort_ids: FxHashMap::default(),
            lookup_tables: LookupTables::new(),
            n_fresh: 0,
            truth: [TermId::from_u32(0), TermId::from_u32(1)],
            rewriting,
            rule_counts: RuleCounts::default(),
            fuel: 0,
            depth: 0,
            n_cut_short: 0,
        };
        for truth in [false, true] {
            let id = store.constants.push(Value::Bool(truth));
            store.leaf(Op::Const(id), Sort::Bool);
        }
        store
    }

    /// The number of terms made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a store holds at least the two truth values.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the number of constructions that ran out of fuel for rules, and so may not be fully simplified.
    pub fn n_cut_short(&self) -> u64 {
        self.n_cut_short
    }

    /// Returns the number of times that a rewrite rule has fired.
    pub fn rule_count(&self, rule: Rule) -> u64 {
        self.rule_counts.get(rule)
    }
}

/// Inspection.
impl TermStore {
    /// The operator of a term.
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term].op
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term].sort
    }

    /// The arguments of a term.
    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term];
        let first = node.first_arg as usize;
        &self.args[first..first + node.op.arity()]
    }

    /// The argument at a position.
    pub fn arg(&self, term: TermId, i: usize) -> TermId {
        self.args(term)[i]
    }

    /// The width of a word. Panics on another sort.
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            sort => panic!("{term} has sort {sort:?}, not a word's"),
        }
    }

    /// The value of a constant.
    pub fn value(&self, term: TermId) -> Option<&Value> {
        match self.op(term) {
            Op::Const(id) => Some(&self.constants[id]),
            _ => None,
        }
    }

    /// Returns whether the term is a constant.
    pub fn is_value(&self, term: TermId) -> bool {
        matches!(self.op(term), Op::Const(_))
    }

    /// The value of a constant word.
    pub fn bv_value(&self, term: TermId) -> Option<&BitVec> {
        match self.value(term) {
            Some(Value::BitVec(value)) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant float.
    pub fn float_value(&self, term: TermId) -> Option<&Float> {
        match self.value(term) {
            Some(Value::Float(value)) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant truth value.
    pub fn bool_value(&self, term: TermId) -> Option<bool> {
        match self.value(term) {
            Some(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// The variable that a term is.
    pub fn as_var(&self, term: TermId) -> Option<VarId> {
        match self.op(term) {
            Op::Var(id) => Some(id),
            _ => None,
        }
    }

    /// A variable's name and sort.
    pub fn var_info(&self, var: VarId) -> &Var {
        &self.vars[var]
    }

    /// All variables, in the order of their making.
    pub fn vars(&self) -> impl Iterator<Item = (VarId, &Var)> {
        self.vars.iter()
    }

    /// Index and element sort of an array sort.
    pub fn array_parts(&self, sort: ArraySortId) -> (Sort, Sort) {
        self.array_sorts[sort]
    }

    /// Returns the number of values of a scalar sort; `None` for more than 2^127 and for arrays.
    pub fn n_values(&self, sort: Sort) -> Option<u128> {
        let power = |width: u32| (width <= 127).then(|| 1u128 << width);
        match sort {
            Sort::Bool => Some(2),
            Sort::BitVec(width) => power(width),
            Sort::Float(format) => {
                // All NaN encodings are one value.
                let n_nans = power(format.significand_bits()).map(|n| n - 2);
                Some(power(format.width())? - n_nans? + 1)
            }
            Sort::RoundingMode => Some(5),
            Sort::Array(_) => None,
        }
    }
}

/// Leaves and sorts.
impl TermStore {
    /// The sort of arrays. Panics if the index sort is an array sort.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        assert!(!matches!(index, Sort::Array(_)), "arrays are not indices");
        let (sorts, ids) = (&mut self.array_sorts, &mut self.array_sort_ids);
        Sort::Array(*ids.entry((index, element)).or_insert_with(|| sorts.push((index, element))))
    }

    /// The term `true`.
    pub fn true_term(&self) -> TermId {
        self.truth[1]
    }

    /// The term `false`.
    pub fn false_term(&self) -> TermId {
        self.truth[0]
    }

    /// The term `true` or `false`.
    pub fn bool_const(&self, value: bool) -> TermId {
        self.truth[usize::from(value)]
    }

    /// A constant word.
    pub fn bv_const(&mut self, value: BitVec) -> TermId {
        if let Some(term) = self.words.get(&value) {
            return term;
        }
        let id = self.constants.push(Value::BitVec(value.clone()));
        let term = self.leaf(Op::Const(id), Sort::BitVec(value.width()));
        self.words.insert(value, term);
        term
    }

    /// The constant word of a number modulo two to the width.
    pub fn bv_u64(&mut self, width: u32, value: u64) -> TermId {
        self.bv_const(BitVec::from_u64(width, value))
    }

    /// A constant float; of the IEEE format with the same numbers if the format is not IEEE's.
    pub fn fp_const(&mut self, value: Float) -> TermId {
        let format = Sort::float(value.format()).format().expect("a float sort");
        self.constant(Value::Float(value.convert(format, RoundingMode::NearestEven)))
    }

    /// A constant rounding mode.
    pub fn rm_const(&mut self, value: RoundingMode) -> TermId {
        self.constant(Value::RoundingMode(value))
    }

    /// The constant of a scalar value. Panics on arrays: see
    /// [`value_term`](TermStore::value_term) for those.
    pub fn constant(&mut self, value: Value) -> TermId {
        let sort = match value {
            Value::Bool(value) => return self.bool_const(value),
            Value::BitVec(word) => return self.bv_const(word),
            Value::Float(ref float) => Sort::Float(float.format()),
            Value::RoundingMode(_) => Sort::RoundingMode,
            Value::Array(_) => panic!("array values are not leaves"),
        };
        let key = (sort, value.index_bits());
        if let Some(&term) = self.constant_ids.get(&key) {
            return term;
        }
        let id = self.constants.push(value);
        let term = self.leaf(Op::Const(id), sort);
        self.constant_ids.insert(key, term);
        term
    }

    /// The variable of that name and sort, made on first use.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        if let Some(&term) = self.var_ids.get(&(name.to_owned(), sort)) {
            return term;
        }
        let id = self.vars.next_key();
        let term = self.leaf(Op::Var(id), sort);
        self.vars.push(Var { name: name.to_owned(), sort, term, parameters: Vec::new() });
        self.var_ids.insert((name.to_owned(), sort), term);
        self.var_names.insert(name.to_owned());
        term
    }

    /// The array that stands for a function: from its arguments, packed into one index of the given
    /// sort, to results.
    pub(crate) fn function(
        &mut self,
        name: &str,
        parameters: &[Sort],
        index: Sort,
        result: Sort,
    ) -> TermId {
        let key = (name.to_owned(), parameters.to_vec(), result);
        if let Some(&term) = self.function_ids.get(&key) {
            return term;
        }
        let sort = self.array_sort(index, result);
        let id = self.vars.next_key();
        let term = self.leaf(Op::Var(id), sort);
        let parameters = parameters.to_vec();
        self.vars.push(Var { name: name.to_owned(), sort, term, parameters });
        self.function_ids.insert(key, term);
        self.var_names.insert(name.to_owned());
        term
    }

    /// A variable whose name, `prefix!n`, no variable has yet.
    pub fn fresh_var(&mut self, prefix: &str, sort: Sort) -> TermId {
        loop {
            let name = format!("{prefix}!{}", self.n_fresh);
            self.n_fresh += 1;
            if !self.var_names.contains(&name) {
                return self.var(&name, sort);
            }
        }
    }
}

impl TermStore {
    /// A new term without arguments, which other tables find.
    fn leaf(&mut self, op: Op, sort: Sort) -> TermId {
        self.nodes.push(Node { op, sort, first_arg: 0 })
    }

    /// The one term with this operator, sort and arguments, as they are.
    pub(crate) fn intern(&mut self, op: Op, sort: Sort, args: &[TermId]) -> TermId {
        debug_assert_eq!(op.arity(), args.len());
        let hash = hash_node(op, sort, args);
        let (nodes, pool) = (&self.nodes, &self.args);
        let found = self.table.find(hash, |term| {
            let node = &nodes[term];
            let first = node.first_arg as usize;
            node.op == op && node.sort == sort && &pool[first..first + args.len()] == args
        });
        if let Some(term) = found {
            return term;
        }
        let first_arg = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        let term = self.nodes.push(Node { op, sort, first_arg });
        self.table.insert(hash, term);
        term
    }
}

fn hash_node(op: Op, sort: Sort, args: &[TermId]) -> u32 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    sort.hash(&mut hasher);
    for arg in args {
        hasher.write_u32(arg.as_u32());
    }
    // The upper half of a product depends on all bits of its factors.
    (hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// An open-addressing table of term ids: the nodes themselves are the keys, so nothing is stored
/// twice. With the hash beside the id, other terms that are met on the way are told apart without
/// a look at them, which would be somewhere else in memory each time.
#[derive(Clone, Default)]
struct Table {
    /// A power of two of slots.
    slots: Vec<Slot>,
    n_used: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    /// `VACANT` or a term's number.
    number: u32,
}

const VACANT: u32 = u32::MAX;

impl Table {
    fn find(&self, hash: u32, is_match: impl Fn(TermId) -> bool) -> Option<TermId> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.number == VACANT {
                return None;
            }
            let term = TermId::from_u32(slot.number);
            if slot.hash == hash && is_match(term) {
                return Some(term);
            }
            at = (at + 1) & mask;
        }
    }

    fn insert(&mut self, hash: u32, term: TermId) {
        if self.n_used * 3 >= self.slots.len() * 2 {
            let n_slots = (self.slots.len() * 2).max(64);
            let empty = vec![Slot { hash: 0, number: VACANT }; n_slots];
            let old = std::mem::replace(&mut self.slots, empty);
            for slot in old.into_iter().filter(|slot| slot.number != VACANT) {
                self.place(slot);
            }
        }
        self.place(Slot { hash, number: term.as_u32() });
        self.n_used += 1;
    }

    fn place(&mut self, new: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = new.hash as usize & mask;
        while self.slots[at].number != VACANT {
            at = (at + 1) & mask;
        }
        self.slots[at] = new;
    }
}

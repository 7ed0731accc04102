//! The single-loop form: all blocks under one program counter, as `Init`, `Trans` and `Bad`.
//!
//! **Idea.** A step of the system is one block. The program counter says which; it is left out if there is only one.
//! Given state and inputs, at most one exit of a block is taken, so that the next state is a function where there is one:
//! `trans` is the disjunction of the exits' conditions and one equation per variable.
//!
//! **Source.** Beyer, Chien, Jankola, Lee, "A Transferability Study of Interpolation-Based Hardware Model Checking for
//! Software Verification", FSE 2024, doi 10.1145/3660797, section 3.
//!
//! **The beginning** of the program is a block too. If it has one exit, no claims, and the values it leads to can be
//! said without its inputs (an input that becomes the value of a variable is that variable), it is `init` itself.
//!
//! **Relevance.** Variables on which neither control nor a claim depends, directly or through others, are left out. They
//! are functions of the rest; [`History`] keeps these functions, for the order of choices may depend on them.

use crate::blocks::{Blocks, Exit, Point, Variable};
use crate::encode::{Cause, CauseKind, CutPoint, Encoded, Statistics, Unsupported};
use crate::origin::Origin;
use crate::system::{StateVar, TransitionSystem};
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use vergo_goto::program::Program;
use vergo_symex::{Fixture, Fresh, FreshId, ObjectId, ObligationKind, Step};
use vergo_term::{Sort, TermId, TermStore};

/// The data with which paths are read and made: the blocks with the values of all variables.
#[derive(Debug)]
pub(crate) struct History {
    /// The beginning, if it is part of `init`.
    pub(crate) beginning: Option<Block>,
    /// The same as a condition on the first state: its choices, and the values of irrelevant variables.
    pub(crate) prologue: (Vec<Step>, Values),
    /// By program counter.
    pub(crate) blocks: Vec<Block>,
    /// The variables that are no part of the state.
    pub(crate) irrelevant: Vec<TermId>,
    /// The next values of state variables.
    pub(crate) updates: Values,
    /// The bytes that nobody has written, as steps name them.
    pub(crate) fresh: PrimaryMap<FreshId, Fresh>,
    /// The same for the steps of the prologue, over the first state.
    pub(crate) first_fresh: PrimaryMap<FreshId, Fresh>,
    /// The addresses at which somebody looks, and those of what is there from the beginning.
    pub(crate) addresses: BTreeMap<ObjectId, TermId>,
    pub(crate) fixtures: Vec<(Fixture, TermId)>,
}

/// A block: the executions from one cut point to the next.
#[derive(Debug)]
pub(crate) struct Block {
    /// The choices.
    pub(crate) steps: Vec<Step>,
    /// Where it leads: when, to which value of the program counter, with which values.
    pub(crate) exits: Vec<(TermId, usize, Values)>,
}

/// Variables with their values.
pub(crate) type Values = Vec<(TermId, TermId)>;

/// Makes the system of blocks.
pub(crate) fn close(
    program: Program,
    store: &mut TermStore,
    mut blocks: Blocks,
) -> Result<Encoded, Unsupported> {
    let relevant = relevant(store, &blocks);
    let prologue = prologue(store, &blocks, &relevant);
    let first = usize::from(prologue.is_some());
    let n_points = blocks.points.len() - first;
    let counter = (n_points > 1).then(|| {
        let bits = usize::BITS - (n_points - 1).leading_zeros();
        Counter::new(store, bits)
    });
    let at = |store: &mut TermStore, point: usize| match &counter {
        Some(counter) => counter.is(store, counter.current, point - first),
        None => store.true_term(),
    };
    let constraints = store.and_all(&blocks.constraints);

    // What is bad.
    let mut causes = Vec::new();
    let mut approximations = Vec::new();
    for (number, point) in blocks.points.iter_mut().enumerate().skip(first) {
        let here = at(store, number);
        for obligation in std::mem::take(&mut point.trace.obligations) {
            let condition = store.and(here, obligation.violation);
            let condition = store.and(condition, constraints);
            if condition == store.false_term() {
                continue;
            }
            let kind = match obligation.kind {
                ObligationKind::Claim(claim) => CauseKind::Claim(claim),
                ObligationKind::Unwinding | ObligationKind::OwnBound => {
                    CauseKind::Beyond("a loop in a recursive function".to_owned())
                }
                ObligationKind::Recursion => CauseKind::Beyond("recursion".to_owned()),
                ObligationKind::Unsupported(what) => CauseKind::Beyond(what),
            };
            if condition == store.true_term()
                && let CauseKind::Beyond(reason) = kind
            {
                return Err(Unsupported { reason, span: Some(obligation.span) });
            }
            causes.push(Cause { condition, kind, span: obligation.span });
        }
    }
    for point in &mut blocks.points {
        approximations.append(&mut point.trace.approximations);
    }
    let violations: Vec<TermId> = causes.iter().map(|cause| cause.condition).collect();
    let bad = store.or_all(&violations);

    // Where steps lead.
    let mut state = Vec::new();
    let mut origins = Vec::new();
    let mut trans = vec![constraints];
    let mut updates = Vec::new();
    let mut exits: Vec<(TermId, &Exit)> = Vec::new();
    for (number, point) in blocks.points.iter().enumerate().skip(first) {
        let here = at(store, number);
        for exit in &point.exits {
            let condition = store.and(here, exit.guard);
            exits.push((condition, exit));
        }
    }
    let conditions: Vec<TermId> = exits.iter().map(|(condition, _)| *condition).collect();
    trans.push(store.or_all(&conditions));
    if let Some(counter) = &counter {
        let targets: Vec<(TermId, TermId)> = exits
            .iter()
            .map(|(condition, exit)| (*condition, counter.number(store, exit.to - first)))
            .collect();
        let next = choose(store, &targets).unwrap_or(counter.current);
        trans.push(store.eq(counter.next, next));
        updates.push((counter.current, next));
        state.push(StateVar {
            current: counter.current,
            next: counter.next,
            name: "pc".to_owned(),
        });
        origins.push(Origin::Counter);
    }
    let values: Vec<FxHashMap<usize, TermId>> =
        exits.iter().map(|(_, exit)| exit.values.iter().copied().collect()).collect();
    for (index, variable) in blocks.variables.iter().enumerate().filter(|(i, _)| relevant[*i]) {
        let next = next_variable(store, variable);
        let known: Vec<(TermId, TermId)> = exits
            .iter()
            .zip(&values)
            .filter_map(|((condition, _), values)| Some((*condition, *values.get(&index)?)))
            .collect();
        let value = match variable.origin {
            Origin::Address => Some(variable.term),
            _ => choose(store, &known),
        };
        if let Some(value) = value {
            trans.push(store.eq(next, value));
            updates.push((variable.term, value));
        }
        let name = variable.name.clone();
        state.push(StateVar { current: variable.term, next, name });
        origins.push(variable.origin.clone());
    }

    // Where it begins.
    let mut init = vec![constraints];
    init.push(at(store, prologue.as_ref().map_or(0, |prologue| prologue.to)));
    if let Some(prologue) = &prologue {
        init.extend(&prologue.init);
    }
    let (init, trans) = (store.and_all(&init), store.and_all(&trans));

    let state_terms: FxHashSet<TermId> =
        state.iter().flat_map(|var: &StateVar| [var.current, var.next]).collect();
    let free = store.free_vars(&[trans, bad]).into_iter().map(|var| store.var_info(var).term);
    let inputs: Vec<TermId> = free.filter(|term| !state_terms.contains(term)).collect();
    let statistics = Statistics {
        n_instructions: program
            .entry
            .and_then(|entry| program.functions[entry].body.as_ref())
            .map_or(0, Vec::len),
        n_points,
        n_variables: state.len(),
        n_bits: state.iter().filter_map(|var| bits(store, var.current)).sum(),
        n_arrays: state.iter().filter(|var| bits(store, var.current).is_none()).count(),
        n_irrelevant: relevant.iter().filter(|relevant| !**relevant).count(),
        n_inputs: inputs.len(),
        n_executions: blocks.n_executions,
    };
    let points = blocks.points[first..].iter().map(|point| CutPoint {
        position: point.at,
        span: crate::blocks::point_span(&program, point.at),
        function: None,
    });
    let points = points.collect();
    let history = history(blocks, &relevant, prologue, first, updates);
    let system = TransitionSystem { state, inputs, init, trans, bad };
    let counter = counter.map(|counter| counter.current);
    Ok(Encoded {
        system,
        program,
        origins,
        points,
        counter,
        causes,
        approximations,
        statistics,
        history,
        owners: FxHashMap::default(),
        uncut: BTreeSet::new(),
        alive: OnceLock::new(),
    })
}

/// The program counter.
struct Counter {
    current: TermId,
    next: TermId,
    bits: u32,
}

impl Counter {
    fn new(store: &mut TermStore, bits: u32) -> Counter {
        let current = store.fresh_var("pc", Sort::BitVec(bits));
        let next = store.fresh_var("pc'", Sort::BitVec(bits));
        Counter { current, next, bits }
    }

    fn number(&self, store: &mut TermStore, point: usize) -> TermId {
        store.bv_u64(self.bits, point as u64)
    }

    fn is(&self, store: &mut TermStore, counter: TermId, point: usize) -> TermId {
        let number = self.number(store, point);
        store.eq(counter, number)
    }
}

fn next_variable(store: &mut TermStore, variable: &Variable) -> TermId {
    let sort = store.sort(variable.term);
    store.fresh_var(&format!("{}'", variable.name), sort)
}

fn bits(store: &TermStore, var: TermId) -> Option<u64> {
    match store.sort(var) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(width.into()),
        Sort::Float(format) => Some(format.width().into()),
        _ => None,
    }
}

/// The value whose condition holds; the last where none does.
fn choose(store: &mut TermStore, choices: &[(TermId, TermId)]) -> Option<TermId> {
    let (&(_, last), others) = choices.split_last()?;
    let chosen = others
        .iter()
        .rev()
        .fold(last, |rest, &(condition, value)| store.ite(condition, value, rest));
    Some(chosen)
}

/// Which variables control and claims depend on.
fn relevant(store: &TermStore, blocks: &Blocks) -> Vec<bool> {
    let numbers: FxHashMap<TermId, usize> =
        blocks.variables.iter().enumerate().map(|(i, variable)| (variable.term, i)).collect();
    let mut values: Vec<Vec<TermId>> = vec![Vec::new(); blocks.variables.len()];
    let mut roots = blocks.constraints.clone();
    for point in &blocks.points {
        roots.extend(point.trace.obligations.iter().map(|obligation| obligation.violation));
        for exit in &point.exits {
            roots.push(exit.guard);
            exit.values.iter().for_each(|&(variable, value)| values[variable].push(value));
        }
    }
    let mut relevant = vec![false; blocks.variables.len()];
    while !roots.is_empty() {
        let found = store.free_vars(&std::mem::take(&mut roots));
        for var in found {
            if let Some(&number) = numbers.get(&store.var_info(var).term)
                && !std::mem::replace(&mut relevant[number], true)
            {
                roots.extend(&values[number]);
            }
        }
    }
    relevant
}

/// The beginning of the program as a condition on the first state.
struct Prologue {
    /// The cut point that it leads to.
    to: usize,
    init: Vec<TermId>,
    steps: Vec<Step>,
    /// The values of irrelevant variables there.
    irrelevant: Vec<(usize, TermId)>,
    /// The values of the block's variables in the first state.
    meaning: FxHashMap<TermId, TermId>,
}

fn prologue(store: &mut TermStore, blocks: &Blocks, relevant: &[bool]) -> Option<Prologue> {
    let Point { exits, trace, .. } = blocks.points.first()?;
    let [exit] = &exits[..] else { return None };
    let never = store.false_term();
    if trace.obligations.iter().any(|obligation| obligation.violation != never) {
        return None;
    }
    let state: FxHashSet<TermId> = blocks
        .variables
        .iter()
        .zip(relevant)
        .filter(|(_, relevant)| **relevant)
        .map(|(variable, _)| variable.term)
        .collect();
    let mut meaning: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &(number, value) in exit.values.iter().filter(|(number, _)| relevant[*number]) {
        if store.as_var(value).is_some() && !state.contains(&value) {
            meaning.entry(value).or_insert(blocks.variables[number].term);
        }
    }
    let mut closed = |term: TermId| {
        let term = store.substitute(term, &meaning);
        let mut free = store.free_vars(&[term]).into_iter();
        free.all(|var| state.contains(&store.var_info(var).term)).then_some(term)
    };
    let mut conditions = vec![closed(exit.guard)?];
    let mut equations = Vec::new();
    for &(number, value) in &exit.values {
        if relevant[number] {
            let value = closed(value)?;
            equations.push((blocks.variables[number].term, value));
        }
    }
    let mut steps = Vec::new();
    for step in &trace.steps {
        steps.push(Step { guard: closed(step.guard)?, ..step.clone() });
    }
    for step in &mut steps {
        if let vergo_symex::StepKind::Input { value, .. } = &mut step.kind {
            *value = store.substitute(*value, &meaning);
        }
    }
    let mut irrelevant = Vec::new();
    for &(number, value) in exit.values.iter().filter(|(number, _)| !relevant[*number]) {
        irrelevant.push((number, store.substitute(value, &meaning)));
    }
    for (variable, value) in equations {
        conditions.push(store.eq(variable, value));
    }
    Some(Prologue { to: exit.to, init: conditions, steps, irrelevant, meaning })
}

fn history(
    blocks: Blocks,
    relevant: &[bool],
    prologue: Option<Prologue>,
    first: usize,
    updates: Values,
) -> History {
    let terms: Vec<TermId> = blocks.variables.iter().map(|variable| variable.term).collect();
    let with_terms = |values: Vec<(usize, TermId)>| -> Values {
        values.into_iter().map(|(number, value)| (terms[number], value)).collect()
    };
    let exit = |exit: Exit| (exit.guard, exit.to - first, with_terms(exit.values));
    let fresh = blocks.fresh;
    let (addresses, fixtures) = blocks.addresses;
    let mut first_fresh = PrimaryMap::new();
    if let Some(Prologue { meaning, .. }) = &prologue {
        let of = |term: &mut TermId| *term = meaning.get(term).copied().unwrap_or(*term);
        first_fresh = fresh.clone();
        for bytes in first_fresh.values_mut() {
            bytes.words.iter_mut().for_each(|(_, _, term)| of(term));
            bytes.arrays.iter_mut().for_each(|array| of(&mut array.term));
        }
    }
    let mut all: Vec<Block> = Vec::new();
    for point in blocks.points {
        let exits = point.exits.into_iter().map(exit).collect();
        all.push(Block { steps: point.trace.steps, exits });
    }
    let irrelevant = |number: &usize| !relevant[*number];
    let beginning = prologue.is_some().then(|| all.remove(0));
    let prologue = prologue.map_or_else(Default::default, |prologue| {
        (prologue.steps, with_terms(prologue.irrelevant))
    });
    let irrelevant = (0..relevant.len()).filter(irrelevant).map(|number| terms[number]).collect();
    History {
        beginning,
        prologue,
        blocks: all,
        irrelevant,
        updates,
        fresh,
        first_fresh,
        addresses,
        fixtures,
    }
}

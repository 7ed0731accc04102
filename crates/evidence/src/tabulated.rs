//! Checks tables of what variables hold at each place of a program, function by function ([`Table`]).
//!
//! A *context* is a function with what holds when it is called: ranges of words for some parameters and static variables.
//! It says what else can hold at some positions of the function, and at its end. From each of these the
//! instructions are executed, with ranges instead of words, up to the next such positions, where one of the entries must
//! say as much or less. A call needs a context of the callee that holds of it; what that says of its end, with what the
//! callee cannot change, is what holds behind the call. No claim may fail on the way, nothing that is not supported be
//! reached, and the entry function must have a context that holds in the beginning.
//!
//! **Soundness.** By induction over the steps of an execution: each activation is in a context, and some entry there holds
//! of it. Variables whose address is taken have no ranges, so that instructions change only what they name.
//!
//! It does not matter here how a table was found: contexts, ends of functions, and the variables that functions
//! change are all computed again. Ranges of expressions are those of [`vergo_analysis::numeric`], which has tests of
//! its own.

use cranelift_entity::SecondaryMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::numeric::{State, Values};
use vergo_analysis::wrapped::Wrapped;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_smt::Budget;

/// The values of variables: ranges of words, for pointers those of their addresses; other variables hold anything.
pub type Ranges = State<Wrapped>;

/// The facts at each place, for all calls of functions that can happen.
#[derive(Debug, Default)]
pub struct Table {
    /// Functions with what holds when they are called.
    pub contexts: Vec<Context>,
}

/// A function that is called while something holds.
#[derive(Debug)]
pub struct Context {
    /// The function.
    pub function: FunctionId,
    /// The facts at its call, about parameters and static variables.
    pub entry: Ranges,
    /// The possible facts at positions of its body; every loop has such a position.
    pub at: BTreeMap<usize, Vec<Ranges>>,
    /// The possible facts at its return, about static variables and the result.
    pub ends: Vec<(Ranges, Option<Wrapped>)>,
}

/// After so many walks the budget is looked at.
const WALKS_BETWEEN_LOOKS: usize = 256;

/// Checks that a table shows that no claim of a program fails.
///
/// # Errors
/// Returns what it fails to show.
pub(crate) fn check(program: &Program, table: &Table, budget: &Budget) -> Result<(), String> {
    let mut checker = Checker::new(program, table)?;
    let start = program.entry.ok_or("there is no beginning")?;
    let mut first = Ranges::default();
    for symbol in program.symbols.keys() {
        let value = checker.values.first(symbol);
        checker.values.set(&mut first, symbol, value);
    }
    let begins =
        checker.contexts[start].iter().any(|&i| checker.implies(&first, &table.contexts[i].entry));
    if !begins {
        return Err("nothing is said of the beginning".to_owned());
    }
    let mut n_walks = 0;
    for context in &table.contexts {
        let function = &program.functions[context.function];
        let walker = Walker { context, cfg: Cfg::of(function) };
        let first = context.at.get(&0).into_iter().flatten();
        if !first.into_iter().any(|first| checker.implies(&context.entry, first)) {
            return Err(format!("{}: nothing is said of its beginning", function.name));
        }
        for (&at, states) in &context.at {
            for state in states {
                n_walks += 1;
                if n_walks % WALKS_BETWEEN_LOOKS == 0 && budget.exhausted().is_some() {
                    return Err("out of time".to_owned());
                }
                let walked = checker.walk(&walker, at, Rc::clone(state));
                walked.map_err(|what| format!("{}: {what}", function.name))?;
            }
        }
    }
    Ok(())
}

struct Checker<'a> {
    program: &'a Program,
    table: &'a Table,
    values: Values<'a, Wrapped>,
    /// The contexts of each function.
    contexts: SecondaryMap<FunctionId, Vec<usize>>,
    /// The static variables that a function, or whoever it calls, can change.
    changed: SecondaryMap<FunctionId, BTreeSet<SymbolId>>,
}

struct Walker<'a> {
    context: &'a Context,
    cfg: Cfg,
}

impl<'a> Checker<'a> {
    fn new(program: &'a Program, table: &'a Table) -> Result<Checker<'a>, String> {
        let mut contexts: SecondaryMap<FunctionId, Vec<usize>> = SecondaryMap::new();
        let mut named: BTreeSet<SymbolId> = BTreeSet::new();
        for (i, context) in table.contexts.iter().enumerate() {
            if program.functions.get(context.function).is_none_or(|f| f.body.is_none()) {
                return Err("there is no such function".to_owned());
            }
            contexts[context.function].push(i);
            let states = context.at.values().flatten().chain([&context.entry]);
            let states = states.chain(context.ends.iter().map(|(state, _)| state));
            states.for_each(|state| named.extend(state.keys()));
        }
        for (_, expr) in program.exprs.iter() {
            if let ExprKind::AddressOf(place) = expr.kind
                && let Some(symbol) = program.root_variable(place)
                && named.contains(&symbol)
            {
                return Err(format!("{} has an address", program.symbols[symbol].name));
            }
        }
        let changed = changed_statics(program);
        Ok(Checker { program, table, values: Values::of(program), contexts, changed })
    }

    /// Returns whether one state implies another.
    fn implies(&self, holds: &Ranges, said: &Ranges) -> bool {
        said.iter().all(|(&symbol, &range)| {
            let held = holds.get(&symbol);
            let word = self.values.word_of(symbol);
            held.zip(word).is_some_and(|(held, word)| held.is_within(word, range))
        })
    }

    /// Executes from a position up to the next ones of which something is said.
    fn walk(&mut self, walker: &Walker<'_>, from: usize, state: Ranges) -> Result<(), String> {
        let program = self.program;
        let body = program.functions[walker.context.function].body.as_deref().unwrap_or_default();
        let mut pending = vec![(from, state, 0)];
        while let Some((at, mut state, n_steps)) = pending.pop() {
            if n_steps > 0
                && let Some(said) = walker.context.at.get(&at)
            {
                if said.iter().any(|said| self.implies(&state, said)) {
                    continue;
                }
                return Err(format!("not all that can hold at {at} is said"));
            }
            if n_steps > body.len() {
                return Err("nothing is said of a loop".to_owned());
            }
            let Some(instr) = body.get(at) else {
                self.ends(walker.context, &state, None)?;
                continue;
            };
            let mut go = |to, state| pending.push((to, state, n_steps + 1));
            match &instr.kind {
                InstrKind::Goto(None, _) => {
                    walker.cfg.successors(at).for_each(|to| go(to, Rc::clone(&state)));
                }
                InstrKind::Goto(Some(cond), _) => {
                    // To the next instruction where it is false, then to the target.
                    for (to, outcome) in walker.cfg.successors(at).zip([false, true]) {
                        let there = self.values.assume(Rc::clone(&state), *cond, outcome);
                        there.into_iter().for_each(|there| go(to, there));
                    }
                }
                InstrKind::Assume(cond) => {
                    let there = self.values.assume(state, *cond, true);
                    there.into_iter().for_each(|there| go(at + 1, there));
                }
                InstrKind::Assert(cond, claim) => {
                    if self.values.assume(Rc::clone(&state), *cond, false).is_some() {
                        return Err(format!("{} can fail", claim.property));
                    }
                    go(at + 1, state);
                }
                InstrKind::Assign(place, value) => {
                    let value = self.values.value(&state, *value);
                    self.write(&mut state, *place, value);
                    go(at + 1, state);
                }
                InstrKind::Call { dest, callee: Callee::Direct(callee), args } => {
                    for after in self.call(&state, *callee, args, *dest)? {
                        go(at + 1, after);
                    }
                }
                InstrKind::Return(value) => {
                    let value = value.and_then(|value| self.values.value(&state, value));
                    self.ends(walker.context, &state, value)?;
                }
                InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                    self.values.set(&mut state, *symbol, None);
                    go(at + 1, state);
                }
                InstrKind::Skip | InstrKind::Label(_) => go(at + 1, state),
                InstrKind::End(_) => {}
                other => return Err(format!("{other:?} is not followed")),
            }
        }
        Ok(())
    }

    fn write(&self, state: &mut Ranges, place: ExprId, value: Option<Wrapped>) {
        // Whatever else is written is no variable that has a range.
        if let ExprKind::Symbol(symbol) = *self.program.exprs.kind(place) {
            self.values.set(state, symbol, value);
        }
    }

    /// A function returns: one of the ends of the context says as much or less.
    fn ends(
        &self,
        context: &Context,
        state: &Ranges,
        value: Option<Wrapped>,
    ) -> Result<(), String> {
        let result = result_type(self.program, context.function);
        let word = result.and_then(|result| self.values.word(result));
        let is_said = context.ends.iter().any(|(said, result)| {
            let as_said = match (value, result, word) {
                (_, None, _) => true,
                (Some(value), Some(result), Some(word)) => value.is_within(word, *result),
                _ => false,
            };
            as_said && self.implies(state, said)
        });
        if is_said { Ok(()) } else { Err("not all ends are said".to_owned()) }
    }

    /// Returns the possible states behind a call.
    fn call(
        &mut self,
        state: &Ranges,
        callee: FunctionId,
        args: &[ExprId],
        dest: Option<ExprId>,
    ) -> Result<Vec<Ranges>, String> {
        let info = &self.program.functions[callee];
        if info.body.is_none() {
            // Any value is returned, and nothing else changes.
            let mut after = Rc::clone(state);
            dest.into_iter().for_each(|dest| self.write(&mut after, dest, None));
            return Ok(vec![after]);
        }
        let mut entry = statics_of(self.program, state);
        for (&param, &arg) in info.params.iter().zip(args) {
            let value = self.values.value(state, arg);
            let same = self.program.symbols[param].ty == self.program.exprs.ty(arg);
            self.values.set(&mut entry, param, value.filter(|_| same));
        }
        let table = self.table;
        let mut contexts = self.contexts[callee].iter().map(|&i| &table.contexts[i]);
        let Some(context) = contexts.find(|context| self.implies(&entry, &context.entry)) else {
            return Err(format!("nothing is said of a call of {}", info.name));
        };
        let after = context.ends.iter().map(|(end, result)| {
            let mut after = Rc::clone(state);
            for &symbol in &self.changed[callee] {
                self.values.set(&mut after, symbol, end.get(&symbol).copied());
            }
            if let Some(dest) = dest {
                let same = result_type(self.program, callee) == Some(self.program.exprs.ty(dest));
                self.write(&mut after, dest, result.filter(|_| same));
            }
            after
        });
        Ok(after.collect())
    }
}

/// Returns the facts about static variables.
fn statics_of(program: &Program, state: &Ranges) -> Ranges {
    let is_static =
        |symbol: SymbolId| matches!(program.symbols[symbol].kind, SymbolKind::Static { .. });
    Rc::new(state.iter().filter(|(symbol, _)| is_static(**symbol)).map(|(&s, &r)| (s, r)).collect())
}

/// The type of a function's result.
fn result_type(program: &Program, function: FunctionId) -> Option<TypeId> {
    match *program.types.get(program.functions[function].ty) {
        Type::Func(result, _) => Some(result),
        _ => None,
    }
}

/// The static variables that each function, or whoever it calls, assigns to.
fn changed_statics(program: &Program) -> SecondaryMap<FunctionId, BTreeSet<SymbolId>> {
    let mut changed: SecondaryMap<FunctionId, BTreeSet<SymbolId>> = SecondaryMap::new();
    let mut callers: SecondaryMap<FunctionId, BTreeSet<FunctionId>> = SecondaryMap::new();
    for (id, function) in program.functions.iter() {
        for instr in function.body.iter().flatten() {
            let place = match &instr.kind {
                InstrKind::Assign(place, _) => Some(*place),
                InstrKind::Call { dest, callee, .. } => {
                    if let Callee::Direct(callee) = callee {
                        callers[*callee].insert(id);
                    }
                    *dest
                }
                _ => None,
            };
            if let Some(place) = place
                && let ExprKind::Symbol(symbol) = *program.exprs.kind(place)
                && matches!(program.symbols[symbol].kind, SymbolKind::Static { .. })
            {
                changed[id].insert(symbol);
            }
        }
    }
    let mut pending: Vec<FunctionId> = program.functions.keys().collect();
    while let Some(id) = pending.pop() {
        for caller in callers[id].clone() {
            let before = changed[caller].len();
            let own = changed[id].clone();
            changed[caller].extend(own);
            if changed[caller].len() > before {
                pending.push(caller);
            }
        }
    }
    changed
}

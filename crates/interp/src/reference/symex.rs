//! Definitions 3.16 and 3.17, algorithms 2 and 3: bounded symbolic execution.
//!
//! **Idea.** The program is run along all paths at once. Each place that a bounded path can reach has a guard, the
//! condition under which control gets there; an assignment makes a fresh symbol and remembers its guard; reading a
//! variable selects among its versions, latest first, by their guards (definition 3.16). The result is a trace in
//! which every symbol is assigned once.
//!
//! **What is wrong in algorithm 3 and appendix A.2.4**, and what is done here:
//!
//! 1. *Guards are implications.* `Implies(g, e)` holds wherever `g` does not, so that a path which is not taken has a
//!    true guard one level deeper. A path guard is a conjunction: `And(g, e)`.
//! 2. *Assertions and assumptions ignore their guard.* `Assert(e)` in a branch is then checked on every path. Here the
//!    trace has `Assert(Implies(g, e))`, and the same for assumptions.
//! 3. *The target of a forward jump is skipped* (line 10 sets the program counter to the target, line 30 goes on one
//!    further), *and the guard at the join is that of the jump alone* (line 9), although control also arrives by falling
//!    through. Here each place joins the guards of all ways that lead to it.
//! 4. *A jump out of the enclosing branch* (the `goto` over the `else` part in example 3.13) is taken for a loop by
//!    the appendix and for nothing by algorithm 3; what it jumps over is executed on all paths. With guards for places
//!    no nesting is assumed, and any jump may go anywhere.
//! 5. *Renumbering is lost.* The recursive calls of lines 8 and 16 return statements only; versions made there are
//!    forgotten. Here renumbering is one state for the whole execution.
//! 6. *Loops run from the jump to its target* (line 16 starts at `pc + 1` and stops at `target`, which lies before): no
//!    iteration is ever made. The appendix does go back, but then runs to the end of the program inside each iteration
//!    and again after it, so that what follows the loop is in the trace several times. Here the iterations are places
//!    of their own, told apart by [`Bounds`], and what follows the loop comes once.
//! 7. *The line `prepend(r[v], Implies(g, TotalSymbols() + 1))`* prepends an implication where definition 3.16 has a
//!    pair. Pairs it is; and the assigned symbol is the fresh one, not `renumber(v, r)`, which would be an expression.
//! 8. *Symbols are read modulo 32.* The appendix's `to_ite` writes `Constant s 32`, so from the 32nd symbol on
//!    versions are mistaken for others. Here the modulus is 0, which changes nothing.
//! 9. *A computed symbol is not renumbered* (`SymbolValue e` where `e` is no constant). Here it selects, by the value
//!    of `e`, among the versions of all symbols; programs whose index cannot be seen to stay below the fresh symbols are
//!    rejected ([`SymexError`]).
//!
//! **Soundness.** For every program, bound and environment, the trace is unsafe in the environment exactly if the
//! bounded execution ([`run`](super::run)) violates an assertion. The property tests check it.

use super::expr::Expr;
use super::program::{Bounds, Counts, Instr};
use super::trace::{TraceStmt, eval_trace};
use super::value::{Env, Nat, Symbol, modulo};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

/// Definition 3.16: for each symbol its versions with their guards, latest first. A symbol without an entry has itself
/// as its only version, under the guard true: `λx. ⟨⟨⊤, x⟩⟩`.
#[derive(Clone, Default, Debug)]
pub struct Renumbering {
    versions: BTreeMap<Symbol, Vec<(Expr, Symbol)>>,
}

impl Renumbering {
    /// The versions of a symbol, latest first.
    pub fn versions(&self, s: &Symbol) -> Vec<(Expr, Symbol)> {
        let mut versions = self.versions.get(s).cloned().unwrap_or_default();
        versions.reverse();
        versions.push((Expr::ConstantBool(true), s.clone()));
        versions
    }

    /// Adds a version that holds under a guard.
    pub fn prepend(&mut self, s: &Symbol, guard: Expr, version: Symbol) {
        self.versions.entry(s.clone()).or_default().push((guard, version));
    }
}

/// Section 3.3.4: the chain `ITE(g_1, s_1, ITE(g_2, s_2, ... s_n))` of a list of versions.
pub fn to_ite(versions: &[(Expr, Symbol)]) -> Expr {
    match versions {
        [] => Expr::ConstantBool(false),
        // The last guard is that of the initial value; and nothing after a true guard is ever read.
        [(_, s)] | [(Expr::ConstantBool(true), s), ..] => Expr::symbol(s),
        [(guard, s), rest @ ..] => Expr::ite(guard.clone(), Expr::symbol(s), to_ite(rest)),
    }
}

/// Section 3.3.4: *Renumber*, the expression over the current versions of its symbols.
pub fn renumber(e: &Expr, r: &Renumbering) -> Expr {
    let go = |e: &Rc<Expr>| Rc::new(renumber(e, r));
    match e {
        Expr::ConstantBool(_) | Expr::Constant(..) | Expr::ConstantArray(_) => e.clone(),
        Expr::And(a, b) => Expr::And(go(a), go(b)),
        Expr::Not(a) => Expr::Not(go(a)),
        Expr::GreaterThan(a, b) => Expr::GreaterThan(go(a), go(b)),
        Expr::Add(a, b, m) => Expr::Add(go(a), go(b), m.clone()),
        Expr::Select(a, b) => Expr::Select(go(a), go(b)),
        Expr::With(a, b, c) => Expr::With(go(a), go(b), go(c)),
        Expr::Ite(a, b, c) => Expr::Ite(go(a), go(b), go(c)),
        Expr::SymbolValue(index) => match &**index {
            Expr::Constant(n, m) => to_ite(&r.versions(&Symbol(modulo(n, m)))),
            _ => {
                let index = renumber(index, r);
                let itself = Expr::SymbolValue(Rc::new(index.clone()));
                r.versions.keys().fold(itself, |otherwise, s| {
                    let number = Expr::Constant(s.0.clone(), Nat::ZERO);
                    Expr::ite(Expr::equal(index.clone(), number), to_ite(&r.versions(s)), otherwise)
                })
            }
        },
    }
}

/// The reason why a program cannot be executed symbolically.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymexError {
    /// A symbol is chosen by an expression that may take any value, so no symbol is fresh.
    UnboundedSymbol(Expr),
}

impl fmt::Display for SymexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymexError::UnboundedSymbol(_) => write!(f, "the number of a symbol is not bounded"),
        }
    }
}

impl std::error::Error for SymexError {}

/// A number above every first value that the expression can take, if its form tells one.
fn above(e: &Expr) -> Option<Nat> {
    let two = Nat::from(2u64);
    match e {
        Expr::ConstantBool(_) | Expr::And(..) | Expr::Not(_) | Expr::GreaterThan(..) => Some(two),
        Expr::Constant(n, m) => Some(modulo(n, m).add(&1u64.into())),
        Expr::Add(_, _, m) if !m.is_zero() => Some(m.clone()),
        Expr::Ite(_, a, b) => Some(above(a)?.max(above(b)?)),
        _ => None,
    }
}

/// The procedure *TotalSymbols* of section 3.3.4: a number above every symbol of the program.
pub fn total_symbols(program: &[Instr]) -> Result<Nat, SymexError> {
    let mut total = Nat::ZERO;
    let mut stack: Vec<&Expr> = Vec::new();
    for instr in program {
        match instr {
            Instr::Assign(s, e) => {
                total = total.max(s.0.add(&1u64.into()));
                stack.push(e);
            }
            Instr::Assume(e) | Instr::Assert(e) | Instr::IfThenGoto(e, _) => stack.push(e),
        }
    }
    while let Some(e) = stack.pop() {
        if let Expr::SymbolValue(index) = e {
            let bound = above(index).ok_or_else(|| SymexError::UnboundedSymbol(e.clone()))?;
            total = total.max(bound);
        }
        stack.extend(e.operands());
    }
    Ok(total)
}

/// A place that a bounded path can reach: an instruction, with the iterations of the loops around it.
type Place = (usize, Counts);

/// The places that follow, in the order in which the text of the trace has them: falling through before jumping.
fn successors(program: &[Instr], bounds: &Bounds, place: &Place) -> Vec<(Place, bool)> {
    let (pc, counts) = place;
    let mut next = Vec::new();
    let mut go = |to: usize, jump: bool| {
        let to = to.min(program.len());
        if let Some(counts) = bounds.step(counts, *pc, to, jump) {
            next.push(((to, counts), jump));
        }
    };
    match program.get(*pc) {
        None => {}
        Some(Instr::IfThenGoto(_, target)) => {
            go(pc + 1, false);
            go(*target, true);
        }
        Some(_) => go(pc + 1, false),
    }
    next
}

/// All places, each after those that lead to it. Bounded paths are finite, so there is such an order.
fn places(program: &[Instr], bounds: &Bounds) -> Vec<Place> {
    let start = (0, bounds.start());
    let mut seen = BTreeSet::from([start.clone()]);
    let mut order = Vec::new();
    let mut stack = vec![(start.clone(), successors(program, bounds, &start))];
    while let Some((place, next)) = stack.last_mut() {
        match next.pop() {
            Some((to, _)) => {
                if seen.insert(to.clone()) {
                    let next = successors(program, bounds, &to);
                    stack.push((to, next));
                }
            }
            None => {
                order.push(place.clone());
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Conjunction of guards; what is true adds nothing.
fn guard_and(a: &Expr, b: Expr) -> Expr {
    if *a == Expr::ConstantBool(true) { b } else { Expr::and(a.clone(), b) }
}

/// Disjunction of guards. Where the two ways of one jump meet again, the guard is that of the jump.
fn guard_or(a: Expr, b: Expr) -> Expr {
    let complements =
        |x: &Expr, y: &Expr| *y == Expr::complement(x.clone()) || *x == Expr::complement(y.clone());
    match (&a, &b) {
        (Expr::And(g, x), Expr::And(h, y)) if g == h && complements(x, y) => (**g).clone(),
        _ if complements(&a, &b) => Expr::ConstantBool(true),
        _ => Expr::or(a, b),
    }
}

/// `Implies`, or the conclusion alone under a guard that is true.
fn guarded(guard: &Expr, e: Expr) -> Expr {
    if *guard == Expr::ConstantBool(true) { e } else { Expr::implies(guard.clone(), e) }
}

/// Algorithms 2 and 3: the trace of a program up to a bound, with the corrections above.
pub fn symex_k(program: &[Instr], k: u64) -> Result<Vec<TraceStmt>, SymexError> {
    let bounds = Bounds::new(program, k);
    let mut fresh = total_symbols(program)?;
    let mut r = Renumbering::default();
    let mut trace = Vec::new();
    let mut guards: BTreeMap<Place, Expr> = BTreeMap::new();
    guards.insert((0, bounds.start()), Expr::ConstantBool(true));
    for place in places(program, &bounds) {
        let (Some(guard), Some(instr)) = (guards.remove(&place), program.get(place.0)) else {
            continue;
        };
        let mut taken = None;
        match instr {
            Instr::Assign(s, e) => {
                let version = Symbol(fresh.clone());
                fresh = fresh.add(&1u64.into());
                trace.push(TraceStmt::Assign(version.clone(), renumber(e, &r)));
                r.prepend(s, guard.clone(), version);
            }
            Instr::Assume(e) => trace.push(TraceStmt::Assume(guarded(&guard, renumber(e, &r)))),
            Instr::Assert(e) => trace.push(TraceStmt::Assert(guarded(&guard, renumber(e, &r)))),
            Instr::IfThenGoto(e, _) => taken = Some(renumber(e, &r)),
        }
        for (to, jump) in successors(program, &bounds, &place) {
            let arriving = match (&taken, jump) {
                (None, _) => guard.clone(),
                (Some(e), true) => guard_and(&guard, e.clone()),
                (Some(e), false) => guard_and(&guard, Expr::complement(e.clone())),
            };
            let joined = match guards.remove(&to) {
                Some(other) => guard_or(other, arriving),
                None => arriving,
            };
            guards.insert(to, joined);
        }
    }
    Ok(trace)
}

/// Definition 3.17: `EvalProgram g k`, whether an environment exists in which the trace is unsafe.
///
/// There are infinitely many environments, so that this is no program; here the environments to try are given. True is
/// the answer of the definition, false that of the definition over these environments alone.
pub fn eval_program<'a>(
    program: &[Instr],
    k: u64,
    environments: impl IntoIterator<Item = &'a Env>,
) -> Result<bool, SymexError> {
    let trace = symex_k(program, k)?;
    Ok(environments.into_iter().any(|env| eval_trace(&trace, env)))
}

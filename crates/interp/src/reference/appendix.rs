//! Appendix A.2.3 and A.2.4 word for word: the thesis's own symbolic execution.
//!
//! Kept so that the examples of A.2.5 can be run as they are printed, and so that tests can show where it goes wrong;
//! nothing else should use it. [`symex`](super::symex) lists the mistakes. `Implies` is not defined in the appendix; its
//! printed results show what it stands for.
//!
//! The function is given there without proof of termination (`sorry`). It ends because each recursive call either moves
//! forward in the program or lowers the bound.

use super::expr::Expr;
use super::program::Instr;
use super::trace::TraceStmt;
use super::value::Symbol;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A.2.4: the state of the execution.
#[derive(Clone)]
struct State {
    pc: usize,
    k: u64,
    last: usize,
    symbols: u64,
    r: BTreeMap<u64, Vec<(Expr, u64)>>,
    guard: Expr,
    /// Latest statement last, the other way round than in the appendix.
    trace: Vec<TraceStmt>,
}

/// A.2.3: `to_ite`.
fn to_ite(versions: &[(Expr, u64)]) -> Expr {
    let value = |s: u64| Expr::SymbolValue(Rc::new(Expr::constant(s, 32)));
    match versions {
        [] => Expr::ConstantBool(false),
        [(_, s)] => value(*s),
        [(guard, s), rest @ ..] => Expr::ite(guard.clone(), value(*s), to_ite(rest)),
    }
}

/// A.2.3: `renumber`. Symbols whose numbers exceed 64 bits are left as they are.
fn renumber(e: &Expr, r: &BTreeMap<u64, Vec<(Expr, u64)>>) -> Expr {
    let go = |e: &Rc<Expr>| Rc::new(renumber(e, r));
    match e {
        Expr::And(a, b) => Expr::And(go(a), go(b)),
        Expr::Not(a) => Expr::Not(go(a)),
        Expr::GreaterThan(a, b) => Expr::GreaterThan(go(a), go(b)),
        Expr::Add(a, b, m) => Expr::Add(go(a), go(b), m.clone()),
        Expr::Select(a, b) => Expr::Select(go(a), go(b)),
        Expr::With(a, b, c) => Expr::With(go(a), go(b), go(c)),
        Expr::Ite(a, b, c) => Expr::Ite(go(a), go(b), go(c)),
        Expr::SymbolValue(index) => match &**index {
            Expr::Constant(n, _) => match n.to_u64() {
                Some(n) => to_ite(&versions(r, n)),
                None => e.clone(),
            },
            _ => e.clone(),
        },
        _ => e.clone(),
    }
}

fn versions(r: &BTreeMap<u64, Vec<(Expr, u64)>>, s: u64) -> Vec<(Expr, u64)> {
    r.get(&s).cloned().unwrap_or_else(|| vec![(Expr::ConstantBool(false), s)])
}

/// A.2.4: `getMaxSymbolTE`.
fn max_symbol(e: &Expr) -> u64 {
    match e {
        Expr::SymbolValue(index) => match &**index {
            Expr::Constant(n, _) => n.to_u64().unwrap_or(0),
            other => max_symbol(other),
        },
        _ => e.operands().into_iter().map(max_symbol).max().unwrap_or(0),
    }
}

/// A.2.4: `symexKIt`.
fn symex_k_it(program: &[Instr], mut state: State) -> State {
    if state.pc + 1 > state.last || state.k == 0 {
        return state;
    }
    let Some(instr) = program.get(state.pc) else { return state };
    match instr {
        Instr::Assume(t) => {
            state.pc += 1;
            state.trace.push(TraceStmt::Assume(renumber(t, &state.r)));
            state.guard = Expr::implies(state.guard, t.clone());
            symex_k_it(program, state)
        }
        Instr::Assert(t) => {
            state.pc += 1;
            state.trace.push(TraceStmt::Assert(renumber(t, &state.r)));
            state.guard = Expr::implies(state.guard, t.clone());
            symex_k_it(program, state)
        }
        Instr::Assign(s, t) => {
            state.pc += 1;
            let version = Symbol::from(state.symbols);
            state.trace.push(TraceStmt::Assign(version, renumber(t, &state.r)));
            let old = s.0.to_u64().unwrap_or(0);
            let mut list = versions(&state.r, old);
            list.insert(0, (state.guard.clone(), state.symbols));
            state.r.insert(old, list);
            state.symbols += 1;
            symex_k_it(program, state)
        }
        Instr::IfThenGoto(te, n) => {
            if state.pc < *n && *n < state.last {
                let other = symex_k_it(
                    program,
                    State {
                        pc: state.pc + 1,
                        last: *n,
                        guard: Expr::implies(state.guard.clone(), Expr::complement(te.clone())),
                        ..state.clone()
                    },
                );
                let (symbols, r, trace) = (other.symbols, other.r, other.trace);
                symex_k_it(program, State { pc: *n, symbols, r, trace, ..state })
            } else {
                let then = symex_k_it(
                    program,
                    State {
                        pc: *n,
                        k: state.k - 1,
                        guard: Expr::implies(state.guard.clone(), te.clone()),
                        ..state.clone()
                    },
                );
                symex_k_it(program, State { pc: state.pc + 1, k: state.k, ..then })
            }
        }
    }
}

/// A.2.4: `symexK`, with the initial state of `createDefState`.
pub fn symex_k(program: &[Instr], k: u64) -> Vec<TraceStmt> {
    let symbols = program.iter().map(|instr| match instr {
        Instr::Assign(s, e) => s.0.to_u64().unwrap_or(0).max(max_symbol(e)),
        Instr::Assume(e) | Instr::Assert(e) | Instr::IfThenGoto(e, _) => max_symbol(e),
    });
    let state = State {
        pc: 0,
        k,
        last: program.len(),
        symbols: symbols.max().unwrap_or(0) + 1,
        r: BTreeMap::new(),
        guard: Expr::ConstantBool(true),
        trace: Vec::new(),
    };
    symex_k_it(program, state).trace
}

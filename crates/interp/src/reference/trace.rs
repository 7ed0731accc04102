//! Definitions 3.13 and 3.14: traces and their evaluation.

use super::expr::{Expr, eval_expr};
use super::value::{Env, Symbol};

/// Definition 3.13: a statement of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceStmt {
    /// The symbol becomes the value of the expression. A trace assigns each symbol at most once.
    Assign(Symbol, Expr),
    /// Ends the trace as safe if the expression is false.
    Assume(Expr),
    /// Ends the trace as unsafe if the expression is false.
    Assert(Expr),
}

/// Definition 3.14: `EvalTrace : L_𝕋 → ev → 𝔹`. True means unsafe: an assertion fails in this environment.
///
/// Appendix A.2.2 assigns `ToArray (EvalExpr e env 0)`, the first value in every place, so that an assigned array would
/// be lost. The definition in the chapter assigns the array, and so does this.
pub fn eval_trace(trace: &[TraceStmt], env: &Env) -> bool {
    // The recursion of the definition is on the tail of the list, with a new environment each time.
    let mut env = env.clone();
    for stmt in trace {
        match stmt {
            TraceStmt::Assign(s, e) => env = env.update(s, eval_expr(e, &env)),
            TraceStmt::Assume(e) => {
                if !eval_expr(e, &env).is_true() {
                    return false;
                }
            }
            TraceStmt::Assert(e) => {
                if !eval_expr(e, &env).is_true() {
                    return true;
                }
            }
        }
    }
    false
}

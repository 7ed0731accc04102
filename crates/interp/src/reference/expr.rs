//! Definitions 3.5 to 3.12: expressions and their value.

use super::value::{Array, Env, Nat, Symbol, modulo};
use std::rc::Rc;

/// Definition 3.5: expressions. `Implies`, `Or` and equality, which the algorithms use, are written with these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A truth value.
    ConstantBool(bool),
    /// Conjunction.
    And(Rc<Expr>, Rc<Expr>),
    /// Complement.
    Not(Rc<Expr>),
    /// Comparison.
    GreaterThan(Rc<Expr>, Rc<Expr>),
    /// `Constant n m`: the number `n mod m`.
    Constant(Nat, Nat),
    /// `Add a b m`: `(a + b) mod m`.
    Add(Rc<Expr>, Rc<Expr>, Nat),
    /// An array.
    ConstantArray(Array),
    /// `Select a i`: an element of an array.
    Select(Rc<Expr>, Rc<Expr>),
    /// `With a i v`: an array with one element replaced.
    With(Rc<Expr>, Rc<Expr>, Rc<Expr>),
    /// If, then, else.
    Ite(Rc<Expr>, Rc<Expr>, Rc<Expr>),
    /// The value of the symbol whose number the operand is.
    SymbolValue(Rc<Expr>),
}

/// Definition 3.6: `EvalExpr : 𝕋_E → ev → A_ℕ`, by the equations of definitions 3.7 to 3.12.
pub fn eval_expr(e: &Expr, env: &Env) -> Array {
    match e {
        // Definition 3.7.
        Expr::Constant(n, m) => Array::constant(modulo(n, m)),
        // Definition 3.8.
        Expr::Add(e0, e1, m) => {
            let sum = eval_expr(e0, env).first().add(eval_expr(e1, env).first());
            Array::constant(modulo(&sum, m))
        }
        // Definition 3.9.
        Expr::ConstantBool(b) => Array::of_bool(*b),
        Expr::Not(e0) => Array::of_bool(!eval_expr(e0, env).is_true()),
        Expr::And(e0, e1) => {
            Array::of_bool(eval_expr(e0, env).is_true() && eval_expr(e1, env).is_true())
        }
        Expr::GreaterThan(e0, e1) => {
            Array::of_bool(eval_expr(e0, env).first() > eval_expr(e1, env).first())
        }
        // Definition 3.10.
        Expr::SymbolValue(e0) => env.get(&Symbol(eval_expr(e0, env).first().clone())).clone(),
        // Definition 3.11.
        Expr::ConstantArray(a) => a.clone(),
        Expr::With(a, o, u) => {
            eval_expr(a, env).update(eval_expr(o, env).first(), eval_expr(u, env).first().clone())
        }
        Expr::Select(a, o) => {
            Array::constant(eval_expr(a, env).at(eval_expr(o, env).first()).clone())
        }
        // Definition 3.12.
        Expr::Ite(e0, e1, e2) => eval_expr(if eval_expr(e0, env).is_true() { e1 } else { e2 }, env),
    }
}

/// Constructors, without any simplification.
impl Expr {
    /// `Constant n m`.
    pub fn constant(n: u64, m: u64) -> Expr {
        Expr::Constant(n.into(), m.into())
    }

    /// The value of a symbol. The modulus is 0, which changes no number.
    pub fn symbol(s: &Symbol) -> Expr {
        Expr::SymbolValue(Rc::new(Expr::Constant(s.0.clone(), Nat::ZERO)))
    }

    /// `Not e`.
    pub fn complement(e: Expr) -> Expr {
        Expr::Not(Rc::new(e))
    }

    /// `And a b`.
    pub fn and(a: Expr, b: Expr) -> Expr {
        Expr::And(Rc::new(a), Rc::new(b))
    }

    /// Disjunction: `Not (And (Not a) (Not b))`.
    pub fn or(a: Expr, b: Expr) -> Expr {
        Expr::complement(Expr::and(Expr::complement(a), Expr::complement(b)))
    }

    /// Implication as the appendix writes it: `Not (And (Not (Not a)) (Not b))`.
    pub fn implies(a: Expr, b: Expr) -> Expr {
        Expr::or(Expr::complement(a), b)
    }

    /// `GreaterThan a b`.
    pub fn greater(a: Expr, b: Expr) -> Expr {
        Expr::GreaterThan(Rc::new(a), Rc::new(b))
    }

    /// Equality of the first values: neither is greater.
    pub fn equal(a: Expr, b: Expr) -> Expr {
        Expr::and(
            Expr::complement(Expr::greater(a.clone(), b.clone())),
            Expr::complement(Expr::greater(b, a)),
        )
    }

    /// `Add a b m`.
    pub fn add(a: Expr, b: Expr, m: u64) -> Expr {
        Expr::Add(Rc::new(a), Rc::new(b), m.into())
    }

    /// `Select a i`.
    pub fn select(a: Expr, i: Expr) -> Expr {
        Expr::Select(Rc::new(a), Rc::new(i))
    }

    /// `With a i v`.
    pub fn with(a: Expr, i: Expr, v: Expr) -> Expr {
        Expr::With(Rc::new(a), Rc::new(i), Rc::new(v))
    }

    /// `ITE c a b`.
    pub fn ite(c: Expr, a: Expr, b: Expr) -> Expr {
        Expr::Ite(Rc::new(c), Rc::new(a), Rc::new(b))
    }

    /// The operands.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::ConstantBool(_) | Expr::Constant(..) | Expr::ConstantArray(_) => Vec::new(),
            Expr::Not(a) | Expr::SymbolValue(a) => vec![a],
            Expr::And(a, b) | Expr::GreaterThan(a, b) | Expr::Add(a, b, _) | Expr::Select(a, b) => {
                vec![a, b]
            }
            Expr::With(a, b, c) | Expr::Ite(a, b, c) => vec![a, b, c],
        }
    }
}

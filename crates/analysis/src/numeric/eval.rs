//! Values of expressions in an abstract state, and what a condition says about variables.

use super::*;
use vergo_goto::expr::BinaryOp;

impl<N: Number> Analysis<'_, N> {
    /// A number that has the value of an expression; `None` if the type is not followed.
    pub(super) fn eval(&mut self, state: &State<N>, expr: ExprId) -> Option<N> {
        let word = self.word(self.program.exprs.ty(expr))?;
        if let Some(&known) = self.memo.get(&expr) {
            return known;
        }
        let value = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.eval_unseen(state, expr, word).unwrap_or(N::all(word))
        });
        self.memo.insert(expr, Some(value));
        Some(value)
    }

    /// The same without memory; `None` stands for any value of the type.
    fn eval_unseen(&mut self, state: &State<N>, expr: ExprId, word: Word) -> Option<N> {
        let program = self.program;
        match program.exprs.kind(expr) {
            ExprKind::Bool(value) => Some(N::constant(word, (*value).into())),
            ExprKind::Int(bits) => integer(word, bits).map(|value| N::constant(word, value)),
            ExprKind::Zero => Some(N::constant(word, 0)),
            ExprKind::Symbol(symbol) => state.get(symbol).copied(),
            ExprKind::Unary(op, operand) => {
                let x = self.eval(state, *operand)?;
                (self.follows(op.yields_bool())).then(|| N::unary(*op, word, x))
            }
            ExprKind::Binary(op, left, right) => {
                let x = self.eval(state, *left)?;
                let y = self.eval(state, *right)?;
                let [left, right] = [*left, *right].map(|operand| self.word_at(operand));
                let (left, right) = (left?, right?);
                self.follows(op.yields_bool()).then(|| N::binary(*op, word, left, right, x, y))
            }
            ExprKind::Cast(_, operand) => {
                let x = self.eval(state, *operand)?;
                match program.types.get(program.exprs.ty(expr)) {
                    Type::Bool => {
                        let from = self.word_at(*operand)?;
                        let zero = N::constant(from, 0);
                        Some(N::binary(BinaryOp::Ne, Word::BOOL, from, from, x, zero))
                    }
                    // How addresses become numbers of another width is not followed.
                    Type::Ptr(_) if self.word_at(*operand)?.width != word.width => None,
                    _ => Some(x.convert(self.word_at(*operand)?, word)),
                }
            }
            ExprKind::Bits(operand) => {
                let from = self.word_at(*operand)?;
                let x = self.eval(state, *operand)?;
                (from.width == word.width).then(|| x.convert(from, word))
            }
            ExprKind::Ite(cond, then, other) => {
                let cond = self.eval(state, *cond)?.truth();
                let then = self.eval(state, *then)?;
                let other = self.eval(state, *other)?;
                Some(match cond {
                    Truth::True => then,
                    Truth::False => other,
                    Truth::Maybe => then.join(word, other),
                })
            }
            _ => None,
        }
    }

    /// Returns whether the results of operations are followed; those that are truth values always are.
    fn follows(&self, yields_bool: bool) -> bool {
        yields_bool || self.arithmetic == Arithmetic::Followed
    }

    /// The state in which a condition has an outcome; `None` if it cannot have it. Looks at so many parts of the
    /// condition as there is fuel for: parts that are shared would be visited again and again.
    pub(super) fn refined(
        &mut self,
        state: State<N>,
        cond: ExprId,
        outcome: bool,
    ) -> Option<State<N>> {
        self.memo.clear();
        let Some(fuel) = self.fuel.checked_sub(1) else { return Some(state) };
        self.fuel = fuel;
        let value = self.eval(&state, cond).map_or(Truth::Maybe, Number::truth);
        match (value, outcome) {
            (Truth::True, false) | (Truth::False, true) => return None,
            (Truth::Maybe, _) => {}
            _ => return Some(state),
        }
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.refined_here(state, cond, outcome))
    }

    fn refined_here(&mut self, state: State<N>, cond: ExprId, outcome: bool) -> Option<State<N>> {
        let program = self.program;
        match *program.exprs.kind(cond) {
            ExprKind::Unary(UnaryOp::Not, operand) => self.refined(state, operand, !outcome),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                // All three are conjunctions, up to signs of operands and outcome.
                let (a_wanted, b_wanted, conjunction) = match op {
                    BinaryOp::And => (true, true, outcome),
                    BinaryOp::Or => (false, false, !outcome),
                    _ => (true, false, !outcome),
                };
                if conjunction {
                    let state = self.refined(state, a, a_wanted)?;
                    return self.refined(state, b, b_wanted);
                }
                let first = self.refined(Rc::clone(&state), a, !a_wanted);
                let second = self.refined(state, b, !b_wanted);
                match (first, second) {
                    (Some(first), Some(second)) => {
                        Some(fixpoint::Domain::join(self, &first, &second))
                    }
                    (first, second) => first.or(second),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (Some(x), Some(y)) = (self.eval(&state, a), self.eval(&state, b)) else {
                    return Some(state);
                };
                let Some(word) = self.word_at(a) else { return Some(state) };
                let (x, y) = N::compared(op, outcome, word, x, y)?;
                let state = self.narrowed(state, a, x)?;
                self.narrowed(state, b, y)
            }
            ExprKind::Cast(_, operand) => {
                let Some(x) = self.eval(&state, operand) else { return Some(state) };
                let Some(word) = self.word_at(operand) else { return Some(state) };
                let (x, _) = N::compared(BinaryOp::Ne, outcome, word, x, N::constant(word, 0))?;
                self.narrowed(state, operand, x)
            }
            ExprKind::Symbol(_) => {
                self.narrowed(state, cond, N::constant(Word::BOOL, outcome.into()))
            }
            _ => Some(state),
        }
    }

    /// The state in which an expression has a value in a number.
    fn narrowed(&mut self, mut state: State<N>, expr: ExprId, value: N) -> Option<State<N>> {
        let program = self.program;
        self.memo.clear();
        let Some(fuel) = self.fuel.checked_sub(1) else { return Some(state) };
        self.fuel = fuel;
        let Some(to) = self.word_at(expr) else { return Some(state) };
        let Some(known) = self.eval(&state, expr) else { return Some(state) };
        let value = known.meet(to, value)?;
        if value == known {
            return Some(state);
        }
        match *program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) if self.word_of(symbol).is_some() => {
                self.set(&mut state, symbol, Some(value));
                Some(state)
            }
            ExprKind::Cast(_, operand) => {
                let Some(x) = self.eval(&state, operand) else { return Some(state) };
                let (from_type, to_type) = (program.type_of(operand), program.type_of(expr));
                match (from_type, to_type) {
                    // A truth value as a number.
                    (Type::Bool, _) => match value.single(to) {
                        Some(truth) => self.refined(state, operand, truth != 0),
                        None => Some(state),
                    },
                    // A number that is the same before and after.
                    (Type::Int { .. }, Type::Int { .. }) => {
                        let Some(from) = self.word_at(operand) else { return Some(state) };
                        match x.hull(from).is_within(to.all()) {
                            true => self.narrowed(state, operand, value.convert(to, from)),
                            false => Some(state),
                        }
                    }
                    // The same address.
                    (Type::Ptr(_), _) | (_, Type::Ptr(_)) => match self.word_at(operand) {
                        Some(from) if from.width == to.width => {
                            self.narrowed(state, operand, value.convert(to, from))
                        }
                        _ => Some(state),
                    },
                    _ => Some(state),
                }
            }
            ExprKind::Binary(op, a, b) if self.arithmetic == Arithmetic::Followed => {
                let (Some(x), Some(y)) = (self.eval(&state, a), self.eval(&state, b)) else {
                    return Some(state);
                };
                let same = |operand: ExprId| self.word_at(operand) == Some(to);
                if !same(a) || !same(b) || op.yields_bool() {
                    return Some(state);
                }
                let (left, right) = N::backward(op, to, value, x, y)?;
                let state = self.narrowed(state, a, left)?;
                self.narrowed(state, b, right)
            }
            _ => Some(state),
        }
    }
}

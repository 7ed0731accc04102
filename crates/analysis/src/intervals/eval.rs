//! Values of expressions in an abstract state, and what a condition says about variables.

use super::*;
use vergo_goto::expr::BinaryOp;

impl Analysis<'_> {
    /// An interval that has the value of an expression; `None` if the type is not followed.
    pub(super) fn eval(&mut self, state: &State, expr: ExprId) -> Option<Interval> {
        let domain = domain(self.program, self.program.exprs.ty(expr))?;
        if let Some(&known) = self.memo.get(&expr) {
            return known;
        }
        let value = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.eval_unseen(state, expr, domain).unwrap_or(domain.all())
        });
        debug_assert!(value.is_within(domain.all()), "{value} is not in {domain:?}");
        self.memo.insert(expr, Some(value));
        Some(value)
    }

    /// The same without memory; `None` stands for any value of the type.
    fn eval_unseen(&mut self, state: &State, expr: ExprId, domain: Domain) -> Option<Interval> {
        let program = self.program;
        match program.exprs.kind(expr) {
            ExprKind::Bool(value) => Some(Interval::constant((*value).into())),
            ExprKind::Int(bits) => integer(domain, bits).map(Interval::constant),
            ExprKind::Zero => Some(Interval::constant(0)),
            ExprKind::Symbol(symbol) => state.get(symbol).copied(),
            ExprKind::Unary(op, operand) => {
                let x = self.eval(state, *operand)?;
                self.unary(*op, domain, x)
            }
            ExprKind::Binary(op, left, right) => {
                let x = self.eval(state, *left)?;
                let y = self.eval(state, *right)?;
                self.binary(*op, domain, [*left, *right], x, y)
            }
            ExprKind::Cast(_, operand) => {
                let x = self.eval(state, *operand)?;
                match program.types.get(program.exprs.ty(expr)) {
                    Type::Bool => Some(x.equal(Interval::constant(0)).negated().interval()),
                    _ => Some(domain.wrap(Some(x))),
                }
            }
            ExprKind::Bits(operand) => {
                let from = super::domain(program, program.exprs.ty(*operand))?;
                let x = self.eval(state, *operand)?;
                (from.width == domain.width).then(|| domain.wrap(Some(x)))
            }
            ExprKind::Ite(cond, then, other) => {
                let cond = Truth::of(self.eval(state, *cond)?);
                let then = self.eval(state, *then)?;
                let other = self.eval(state, *other)?;
                Some(match cond {
                    Truth::True => then,
                    Truth::False => other,
                    Truth::Maybe => then.join(other),
                })
            }
            _ => None,
        }
    }

    fn unary(&self, op: UnaryOp, domain: Domain, x: Interval) -> Option<Interval> {
        match op {
            UnaryOp::Neg => Some(domain.wrap(Interval::constant(0).sub(x))),
            // `-x - 1`, which wraps to the complement in either reading.
            UnaryOp::BitNot => Some(domain.wrap(Interval::constant(-1).sub(x))),
            UnaryOp::Not => Some(Truth::of(x).negated().interval()),
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros | UnaryOp::PopCount => {
                Some(domain.wrap(Interval::new(0, domain.width.into())))
            }
            _ => None,
        }
    }

    fn binary(
        &self,
        op: BinaryOp,
        domain: Domain,
        operands: [ExprId; 2],
        x: Interval,
        y: Interval,
    ) -> Option<Interval> {
        let operand = super::domain(self.program, self.program.exprs.ty(operands[0]))?;
        let fits = |exact: Option<Interval>| match exact {
            Some(exact) if exact.is_within(operand.all()) => Truth::True,
            Some(exact) if exact.meet(operand.all()).is_none() => Truth::False,
            _ => Truth::Maybe,
        };
        Some(match op {
            BinaryOp::Add => domain.wrap(x.add(y)),
            BinaryOp::Sub => domain.wrap(x.sub(y)),
            BinaryOp::Mul => domain.wrap(x.mul(y)),
            BinaryOp::Div => domain.wrap(x.div(y)),
            BinaryOp::Rem => x.rem(y)?,
            BinaryOp::BitAnd => x.and(y),
            BinaryOp::BitOr => domain.wrap(Some(x.or(y))),
            BinaryOp::BitXor => domain.wrap(Some(x.xor(y))),
            // Amounts are read without sign.
            BinaryOp::Shl => {
                domain.wrap(x.shl(y.meet(Interval::new(0, 63)?).filter(|&by| by == y)?))
            }
            BinaryOp::Shr if y.low >= 0 => {
                x.shr(Interval { high: y.high.min(127), low: y.low.min(127) })?
            }
            BinaryOp::Eq => x.equal(y).interval(),
            BinaryOp::Ne => x.equal(y).negated().interval(),
            BinaryOp::Lt => x.less(y).interval(),
            BinaryOp::Le => y.less(x).negated().interval(),
            BinaryOp::And => Interval { low: x.low.min(y.low), high: x.high.min(y.high) },
            BinaryOp::Or => Interval { low: x.low.max(y.low), high: x.high.max(y.high) },
            BinaryOp::Implies => {
                let not_x = Truth::of(x).negated().interval();
                return self.binary(BinaryOp::Or, domain, operands, not_x, y);
            }
            BinaryOp::AddOverflows => fits(x.add(y)).negated().interval(),
            BinaryOp::SubOverflows => fits(x.sub(y)).negated().interval(),
            BinaryOp::MulOverflows => fits(x.mul(y)).negated().interval(),
            _ => return None,
        })
    }

    /// The state in which a condition has an outcome; `None` if it cannot have it. Looks at so many parts of the
    /// condition as there is fuel for: parts that are shared would be visited again and again.
    pub(super) fn refined(&mut self, state: State, cond: ExprId, outcome: bool) -> Option<State> {
        self.memo.clear();
        let Some(fuel) = self.fuel.checked_sub(1) else { return Some(state) };
        self.fuel = fuel;
        let value = self.eval(&state, cond).map_or(Truth::Maybe, Truth::of);
        match (value, outcome) {
            (Truth::True, false) | (Truth::False, true) => return None,
            (Truth::Maybe, _) => {}
            _ => return Some(state),
        }
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.refined_here(state, cond, outcome))
    }

    fn refined_here(&mut self, state: State, cond: ExprId, outcome: bool) -> Option<State> {
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
                    (Some(first), Some(second)) => Some(join(&first, &second)),
                    (first, second) => first.or(second),
                }
            }
            ExprKind::Binary(op, a, b) => {
                let (Some(x), Some(y)) = (self.eval(&state, a), self.eval(&state, b)) else {
                    return Some(state);
                };
                let (x, y) = compared(op, outcome, x, y)?;
                let state = self.narrowed(state, a, x)?;
                self.narrowed(state, b, y)
            }
            ExprKind::Cast(_, operand) => {
                let Some(x) = self.eval(&state, operand) else { return Some(state) };
                let x = if outcome { without(x, 0)? } else { x.meet(Interval::constant(0))? };
                self.narrowed(state, operand, x)
            }
            ExprKind::Symbol(_) => self.narrowed(state, cond, Interval::constant(outcome.into())),
            _ => Some(state),
        }
    }

    /// The state in which an expression has a value in an interval.
    fn narrowed(&mut self, mut state: State, expr: ExprId, value: Interval) -> Option<State> {
        let program = self.program;
        self.memo.clear();
        let Some(fuel) = self.fuel.checked_sub(1) else { return Some(state) };
        self.fuel = fuel;
        let Some(known) = self.eval(&state, expr) else { return Some(state) };
        let value = known.meet(value)?;
        if value == known {
            return Some(state);
        }
        match *program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) if self.domain_of(symbol).is_some() => {
                self.set(&mut state, symbol, Some(value));
                Some(state)
            }
            ExprKind::Cast(_, operand) => {
                let Some(x) = self.eval(&state, operand) else { return Some(state) };
                match *program.types.get(program.exprs.ty(operand)) {
                    // A truth value as a number.
                    Type::Bool => match Truth::of(value) {
                        Truth::Maybe => Some(state),
                        truth => self.refined(state, operand, truth == Truth::True),
                    },
                    // A number that is the same before and after.
                    Type::Int { .. }
                        if matches!(
                            program.types.get(program.exprs.ty(expr)),
                            Type::Int { .. }
                        ) =>
                    {
                        let domain = domain(program, program.exprs.ty(expr));
                        match domain.is_some_and(|domain| x.is_within(domain.all())) {
                            true => self.narrowed(state, operand, value),
                            false => Some(state),
                        }
                    }
                    _ => Some(state),
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (Some(x), Some(y)) = (self.eval(&state, a), self.eval(&state, b)) else {
                    return Some(state);
                };
                let domain = domain(program, program.exprs.ty(expr))?;
                let exact = if op == BinaryOp::Add { x.add(y) } else { x.sub(y) };
                if !exact.is_some_and(|exact| exact.is_within(domain.all())) {
                    return Some(state);
                }
                // Without wrap-around the operands follow from the result.
                let (left, right) = match op {
                    BinaryOp::Add => (value.sub(y), value.sub(x)),
                    _ => (value.add(y), x.sub(value)),
                };
                let (Some(left), Some(right)) = (left, right) else { return Some(state) };
                let state = self.narrowed(state, a, left)?;
                self.narrowed(state, b, right)
            }
            _ => Some(state),
        }
    }
}

/// What a comparison with an outcome leaves of its operands; `None` if they cannot have it.
fn compared(op: BinaryOp, outcome: bool, x: Interval, y: Interval) -> Option<(Interval, Interval)> {
    match (op, outcome) {
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
            let both = x.meet(y)?;
            Some((both, both))
        }
        (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => {
            let left = if y.low == y.high { without(x, y.low)? } else { x };
            let right = if x.low == x.high { without(y, x.low)? } else { y };
            Some((left, right))
        }
        (BinaryOp::Lt, true) => below(x, y, 1),
        (BinaryOp::Le, true) => below(x, y, 0),
        (BinaryOp::Lt, false) => below(y, x, 0).map(|(y, x)| (x, y)),
        (BinaryOp::Le, false) => below(y, x, 1).map(|(y, x)| (x, y)),
        _ => Some((x, y)),
    }
}

/// Elements with at least this distance between them.
fn below(x: Interval, y: Interval, distance: i128) -> Option<(Interval, Interval)> {
    Some((
        Interval::new(x.low, x.high.min(y.high - distance))?,
        Interval::new(y.low.max(x.low + distance), y.high)?,
    ))
}

/// An interval without one element, as far as an interval can say so.
fn without(x: Interval, value: i128) -> Option<Interval> {
    let low = if x.low == value { x.low + 1 } else { x.low };
    let high = if x.high == value { x.high - 1 } else { x.high };
    Interval::new(low, high)
}

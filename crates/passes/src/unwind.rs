//! Unfolds loops whose number of rounds can be computed.
//!
//! **Source.** Section 4.1, algorithm 4 and table 4.1 of the thesis: a loop whose condition compares a variable with a
//! constant, whose body changes the variable by a constant in its last instruction, and in front of which the variable gets
//! a constant, is replaced by as many copies of its body as the table says.
//!
//! **Changed.** The template is not matched but computed: the variable starts where the analysis of intervals
//! ([`vergo_analysis::numeric`]) says that it does, in whatever block it was set; the rounds are counted by executing condition
//! and step on the numbers of the machine, so that steps other than one, `!=`, `<=` up to the greatest value and unsigned
//! wrap-around are no cases of a table; any jump out of the body (`break`) or to the step (`continue`) is copied with it. The
//! thesis drops the exit condition, which is wrong where the body changes the variable. Here the condition is dropped only
//! where it is proved: nothing in the body but the step can write the variable, by points-to analysis, and every way
//! through the body passes the step exactly once. Otherwise the loop stays.
//!
//! **Growth.** A loop is unfolded if that makes at most [`MAX_COPIED`] instructions of at most [`MAX_ROUNDS`] rounds, inner
//! loops first, and all loops of a function together at most [`MAX_BODY`].
//!
//! **Soundness.** Where the count is proved, the condition has in each copy the outcome with which the loop goes on. The
//! loop itself stays behind the last copy, with its condition, so that an execution that left the copies early or wanted
//! more rounds would still be one of the program.

use crate::Options;
use crate::renaming::Renaming;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::interval::{Interval, Word};
use vergo_analysis::number::Number;
use vergo_analysis::numeric::{self, Arithmetic, Numbers, Walk};
use vergo_analysis::points_to::PointsTo;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::program::{FunctionId, Instr, InstrKind, LabelId, Program, SymbolId};

/// Rounds of a loop that is unfolded.
pub const MAX_ROUNDS: usize = 256;
/// Instructions that the copies of a loop have together.
pub const MAX_COPIED: usize = 4096;
/// Instructions that a function has after all.
pub const MAX_BODY: usize = 20_000;

/// The pass.
pub fn run(program: &mut Program, _: &Options) {
    // Copies of instructions have the places of what they are copies of.
    let points_to = PointsTo::of(program);
    let functions: Vec<FunctionId> = program.functions.keys().collect();
    for function in functions {
        // Each unfolding makes the next loop out visible; loops that stay are not tried again.
        let mut tried: FxHashSet<LabelId> = FxHashSet::default();
        while let Some(found) = find(program, function, &points_to, &mut tried) {
            unfold(program, function, &found);
        }
    }
}

/// A loop that can be unfolded.
struct Found {
    /// The label at its head.
    head: LabelId,
    start: usize,
    /// The jump back.
    end: usize,
    rounds: usize,
}

/// The next innermost loop with a count.
fn find(
    program: &Program,
    function: FunctionId,
    points_to: &PointsTo,
    tried: &mut FxHashSet<LabelId>,
) -> Option<Found> {
    let info = &program.functions[function];
    let body = info.body.as_deref()?;
    if body.len() > MAX_BODY {
        return None;
    }
    let mut labels: FxHashMap<LabelId, usize> = FxHashMap::default();
    let mut loops: Vec<(LabelId, usize, usize)> = Vec::new();
    for (at, instr) in body.iter().enumerate() {
        match instr.kind {
            InstrKind::Label(label) => drop(labels.insert(label, at)),
            InstrKind::Goto(None, label) => {
                if let Some(&start) = labels.get(&label) {
                    loops.push((label, start, at));
                }
            }
            _ => {}
        }
    }
    // A loop around another has a longer range.
    loops.sort_by_key(|&(_, start, end)| (end - start, start));
    let mut analysis = None;
    for (head, start, end) in loops {
        if tried.contains(&head) {
            continue;
        }
        tried.insert(head);
        let (cfg, numbers) = analysis.get_or_insert_with(|| {
            let cfg = Cfg::of(info);
            let numbers: Numbers<Interval> = Numbers::of(program, function, &cfg);
            (cfg, numbers)
        });
        let shape = Shape { program, function, body, cfg, points_to, numbers, start, end };
        if let Some(rounds) = shape.rounds()
            && (1..=MAX_ROUNDS).contains(&rounds)
            && rounds * (end - start) <= MAX_COPIED
            && body.len() + rounds * (end - start) <= MAX_BODY
        {
            return Some(Found { head, start, end, rounds });
        }
    }
    None
}

/// A loop from a label to a jump back.
struct Shape<'a> {
    program: &'a Program,
    function: FunctionId,
    body: &'a [Instr],
    cfg: &'a Cfg,
    points_to: &'a PointsTo,
    numbers: &'a Numbers<Interval>,
    start: usize,
    end: usize,
}

/// A condition on one variable: whether the loop is left where a comparison has an outcome.
struct Exit {
    variable: SymbolId,
    cond: ExprId,
    /// The outcome of the condition with which the loop goes on.
    goes_on: bool,
}

impl Shape<'_> {
    /// Returns the number of rounds of the loop in every execution that leaves it by its condition; `None` if it is not
    /// known.
    fn rounds(&self) -> Option<usize> {
        if !self.cfg.is_reachable(self.start) || !self.is_entered_at_its_head() {
            return None;
        }
        let exit = self.exit()?;
        let (step_at, step) = self.only_step(&exit)?;
        if !self.passes_once(step_at) {
            return None;
        }
        let word = numeric::word(self.program, self.program.symbols[exit.variable].ty)?;
        let mut value = self.first_value(exit.variable, word)?;
        for rounds in 0..=MAX_ROUNDS {
            let at = |expr| self.evaluate(expr, exit.variable, Interval::constant(value));
            if (at(exit.cond)? != 0) != exit.goes_on {
                return Some(rounds);
            }
            value = at(step)?;
        }
        None
    }

    /// Returns whether the loop is only entered at its head, and its labels lie inside.
    fn is_entered_at_its_head(&self) -> bool {
        let outside = (0..self.start).chain(self.end + 1..self.body.len());
        outside.filter(|&at| self.cfg.is_reachable(at)).all(|at| {
            self.cfg.successors(at).all(|to| to <= self.start || to > self.end)
        })
    }

    /// The condition right behind the head, which compares a variable with a constant.
    fn exit(&self) -> Option<Exit> {
        let at = (self.start..self.end).find(|&at| {
            !matches!(self.body[at].kind, InstrKind::Label(_) | InstrKind::Skip)
        })?;
        let InstrKind::Goto(Some(cond), _) = self.body[at].kind else { return None };
        let target = self.cfg.successors(at).nth(1)?;
        // Taken, it leaves.
        if (self.start..=self.end).contains(&target) {
            return None;
        }
        let variable = self.only_variable(cond)?;
        Some(Exit { variable, cond, goes_on: false })
    }

    /// The variable of an expression that has one, and besides it only constants and operations on integers.
    fn only_variable(&self, expr: ExprId) -> Option<SymbolId> {
        let mut found: Option<SymbolId> = None;
        let mut simple = true;
        self.program.for_each_subexpr(expr, |part| match *self.program.exprs.kind(part) {
            ExprKind::Symbol(symbol) => {
                simple &= found.is_none_or(|other| other == symbol);
                found = Some(symbol);
            }
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Zero => {}
            ExprKind::Unary(UnaryOp::Not | UnaryOp::Neg | UnaryOp::BitNot, _)
            | ExprKind::Binary(..)
            | ExprKind::Cast(..) => {}
            _ => simple = false,
        });
        found.filter(|_| simple)
    }

    /// The only instruction of the loop that can write the variable, and what it assigns.
    fn only_step(&self, exit: &Exit) -> Option<(usize, ExprId)> {
        let object = self.points_to.variable(exit.variable)?;
        let of_variable = |place: ExprId| {
            let cells = self.points_to.cells(place);
            cells.iter().any(|&cell| {
                let there = self.points_to.object(cell);
                let outside = self.points_to.origin(there) == vergo_analysis::points_to::Origin::Outside;
                there == object || outside && self.points_to.is_exposed(object)
            })
        };
        let mut step = None;
        for at in self.start..=self.end {
            let instr = &self.body[at].kind;
            match *instr {
                InstrKind::Assign(place, value)
                    if *self.program.exprs.kind(place) == ExprKind::Symbol(exit.variable) =>
                {
                    if step.replace((at, value)).is_some() {
                        return None;
                    }
                    continue;
                }
                // Whoever runs may write what he can reach.
                InstrKind::Call { .. } | InstrKind::Spawn { .. } | InstrKind::Join { .. }
                    if self.is_shared(exit.variable) =>
                {
                    return None;
                }
                InstrKind::Intrinsic { .. } if self.is_shared(exit.variable) => return None,
                InstrKind::Decl(symbol) | InstrKind::Dead(symbol) if symbol == exit.variable => {
                    return None;
                }
                _ => {}
            }
            let mut written = false;
            instr.for_each_expr(|expr, role| {
                written |= role == vergo_goto::rewrite::Role::Write && of_variable(expr);
            });
            if written {
                return None;
            }
        }
        let (at, value) = step?;
        (self.only_variable(value) == Some(exit.variable)).then_some((at, value))
    }

    /// Returns whether other functions can reach a variable.
    fn is_shared(&self, symbol: SymbolId) -> bool {
        use vergo_goto::program::SymbolKind;
        let is_static = matches!(self.program.symbols[symbol].kind, SymbolKind::Static { .. });
        is_static
            || self.program.exprs.iter().any(|(_, expr)| match expr.kind {
                ExprKind::AddressOf(place) => self.program.root_variable(place) == Some(symbol),
                _ => false,
            })
    }

    /// Returns whether every way from the head back to it passes a position exactly once.
    fn passes_once(&self, position: usize) -> bool {
        let inside = |at: &usize| (self.start..=self.end).contains(at);
        // Without the position one does not come from the head to the jump back.
        let reaches = |from: Vec<usize>, avoid: usize| {
            let mut seen = FxHashSet::default();
            let mut pending = from;
            while let Some(at) = pending.pop() {
                if at != avoid && inside(&at) && seen.insert(at) {
                    pending.extend(self.cfg.successors(at).filter(|&to| to != self.start));
                }
            }
            seen
        };
        let without = reaches(vec![self.start], position);
        if without.iter().any(|&at| self.cfg.successors(at).any(|to| to == self.start)) {
            return false;
        }
        // From behind it one does not come to it again without passing the head.
        let behind: Vec<usize> =
            self.cfg.successors(position).filter(|&to| to != self.start).collect();
        !reaches(behind, usize::MAX).contains(&position)
    }

    /// The value of the variable where the loop is entered, if it is always the same.
    fn first_value(&self, symbol: SymbolId, word: Word) -> Option<i128> {
        let mut walk: Walk<'_, Interval> = Walk::new(self.program, self.function, Arithmetic::Followed, None);
        let place = self.program.exprs.iter().find(|(_, e)| e.kind == ExprKind::Symbol(symbol))?.0;
        let mut value: Option<Interval> = None;
        let mut known = true;
        numeric::walk_blocks(self.cfg, |leader, end| {
            let enters = self.cfg.successors(end - 1).any(|to| to == self.start);
            if !enters || (self.start..=self.end).contains(&(end - 1)) {
                return;
            }
            walk.enter(self.numbers, leader);
            self.body[leader..end].iter().for_each(|instr| walk.step(&instr.kind));
            if !walk.is_reachable() {
                return;
            }
            match walk.value(place) {
                Some(here) => value = Some(value.map_or(here, |all| all.join(here))),
                None => known = false,
            }
        });
        value.filter(|_| known).and_then(|value| value.single(word))
    }

    /// The value of an expression over one variable.
    fn evaluate(&self, expr: ExprId, variable: SymbolId, value: Interval) -> Option<i128> {
        let program = self.program;
        let own = numeric::word(program, program.exprs.ty(expr))?;
        let of = |expr: ExprId| numeric::word(program, program.exprs.ty(expr));
        let eval = |expr: ExprId| {
            self.evaluate(expr, variable, value).map(Interval::constant)
        };
        let result = match *program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) if symbol == variable => value,
            ExprKind::Bool(truth) => Interval::constant(truth.into()),
            ExprKind::Int(ref bits) => Interval::constant(numeric::integer(own, bits)?),
            ExprKind::Zero => Interval::constant(0),
            ExprKind::Unary(op, a) => Interval::unary(op, own, eval(a)?),
            ExprKind::Binary(op, a, b) => {
                Interval::binary(op, own, of(a)?, of(b)?, eval(a)?, eval(b)?)
            }
            ExprKind::Cast(_, a) if own == Word::BOOL => {
                let zero = Interval::constant(0);
                Interval::binary(BinaryOp::Ne, own, of(a)?, of(a)?, eval(a)?, zero)
            }
            ExprKind::Cast(_, a) => eval(a)?.convert(of(a)?, own),
            _ => return None,
        };
        result.single(own)
    }
}

/// Puts the copies in front of the loop.
fn unfold(program: &mut Program, function: FunctionId, found: &Found) {
    let Some(body) = program.functions[function].body.take() else { return };
    let mut out = FunctionBuilder::continuing(program.functions[function].n_labels, body.len());
    let &Found { head, start, end, rounds } = found;
    let inside: BTreeMap<LabelId, ()> = body[start..=end]
        .iter()
        .filter_map(|instr| match instr.kind {
            InstrKind::Label(label) => Some((label, ())),
            _ => None,
        })
        .collect();
    // Where each copy begins; the last is the loop itself.
    let rest = out.new_label();
    let first_exit = (start..end)
        .find(|&at| matches!(body[at].kind, InstrKind::Goto(Some(_), _)))
        .unwrap_or(start);
    for instr in &body[..start] {
        out.push_instr(instr.clone());
    }
    // Whoever comes from outside comes to the first copy, under the old name of the head.
    let mut begin = head;
    for round in 0..rounds {
        let next = if round + 1 == rounds { rest } else { out.new_label() };
        out.set_span(body[start].span);
        out.label(begin);
        let mut renaming = Renaming::default();
        for &label in inside.keys() {
            let copy = if label == head { next } else { out.new_label() };
            renaming.labels.insert(label, copy);
        }
        // Labels outside keep their names.
        for instr in &body[start..=end] {
            if let InstrKind::Goto(_, label) = instr.kind
                && !inside.contains_key(&label)
            {
                renaming.labels.insert(label, label);
            }
        }
        for (at, instr) in body.iter().enumerate().take(end).skip(start + 1) {
            // The condition is known here.
            if at == first_exit {
                continue;
            }
            let mut instr = instr.clone();
            out.set_span(instr.span);
            renaming.instr(program, &mut out, &mut instr);
            out.push_instr(instr);
        }
        out.goto(next);
        begin = next;
    }
    for (at, instr) in body.iter().enumerate().skip(start) {
        let mut instr = instr.clone();
        if at == start {
            instr.kind = InstrKind::Label(rest);
        } else if at <= end
            && let InstrKind::Goto(_, label) = &mut instr.kind
            && *label == head
        {
            *label = rest;
        }
        out.push_instr(instr);
    }
    out.finish(program, function);
}

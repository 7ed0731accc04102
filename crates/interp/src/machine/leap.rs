//! Many rounds of a loop at once.
//!
//! **Idea.** In tight loops variables change by constants, and conditions compare such variables. What a later round
//! computes is then known without executing it: every value is `v + k * d` in the `k`-th round from now, and a division
//! tells up to which round all comparisons stay as they are. A thread that is at the end of a long turn executes one
//! round step by step, from where it stands until it stands there again. Differences between the values that cells (registers
//! and variables in memory) have at the two ends are taken for *slopes*, and the slopes of everything else in the round
//! follow. If the cells come out of the round with the slopes that they went in with, the thread leaps.
//!
//! **Why it is right.** By induction over rounds. Assume that cells which are read before they are written have the values
//! `v + k * d` at the beginning of round `k`. Sums, differences and multiples are congruent to linear functions of `k`,
//! and equal to them as long as these are in the range of the type, which bounds the rounds; comparisons come out the same
//! within bounds of their own; everything else is allowed on cells of slope zero only. So round `k` executes the same
//! operations, and at its end the cells have the values that are assumed of the next. The values themselves are not computed
//! here: they are what the machine made of the one round that it executed.
//!
//! Steps count as if they had been made, so that nobody sees a difference. A test compares both on random loops.

use super::words::{Activation, Pause};
use super::{Machine, Thread};
use crate::code::{Loc, Op, Reg, Rep, Scalar, Target};
use crate::memory::Handle;
use crate::values;
use rustc_hash::FxHashMap;
use vergo_goto::program::FunctionId;

/// Operations that a round may have.
const MAX_ROUND: usize = 400;
/// Calls that a round may return from and make again, and the one in which that happens.
const MAX_DEPTH: usize = 4;

/// A place that keeps a word from round to round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Cell {
    /// A register of the thread.
    Register(usize),
    /// A scalar in the object of a variable.
    Variable(Handle, u32),
}

/// The dependence of a step's result on the two cells that it may read, and the values that it allows.
#[derive(Clone, Copy, Debug)]
enum Effect {
    /// Multiples of the cells are added; the result is wrapped into a range.
    Sum([i64; 2], Range),
    /// The cells are multiplied; the result is wrapped into a range.
    Product(Range),
    /// Multiples of the cells are added, and it is asked whether the exact result is in a range.
    SumFits([i64; 2], Range),
    /// As before, of the product.
    ProductFits(Range),
    /// The cells are compared: the first is equal to the second, less, or at most as large.
    Equal,
    Less(Sign),
    AtMost(Sign),
    /// Anything that depends on nothing else.
    Function,
}

/// The reading of words as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sign {
    Signed,
    Unsigned,
}

/// A range of numbers.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: i128,
    high: i128,
}

/// The effect of a step: it reads up to two cells and writes one.
struct Shape {
    effect: Effect,
    reads: [Option<Cell>; 2],
    writes: Option<Cell>,
}

/// A step that was executed: words as signed numbers, those read from before and the one written from after it.
struct Step {
    effect: Effect,
    reads: [Option<(Cell, i64)>; 2],
    writes: Option<(Cell, i64)>,
}

/// A round that was executed.
#[derive(Default)]
struct Round {
    steps: Vec<Step>,
    /// All operations, also those without effect on cells.
    n_ops: u64,
    /// The representations of the variables in memory.
    scalars: FxHashMap<Cell, Scalar>,
}

/// Further rounds that are like the one that was executed, and their effect.
struct Leap {
    rounds: u64,
    /// The cells that change, and what they hold then.
    changes: Vec<(Cell, i64)>,
}

impl Machine<'_> {
    /// Lets a thread that stands in a loop make many rounds at once; whether it does. The round that is looked at, or the
    /// part of it before something that is not understood, is executed in any case.
    pub(super) fn leap(&mut self, t: &mut Thread) -> bool {
        let Some(round) = self.execute_round(t) else { return false };
        let Some(leap) = round.leap(self.steps_left / round.n_ops) else { return false };
        for &(cell, value) in &leap.changes {
            match cell {
                Cell::Register(register) => t.regs[register] = value as u64,
                Cell::Variable(handle, off) => {
                    let (s, words) = (round.scalars[&cell], (value as u64, 0));
                    let stored = values::store_in(&mut self.memory, s, handle, off, words);
                    debug_assert!(stored.is_ok(), "the round has written it as well");
                }
            }
        }
        self.steps_left -= leap.rounds * round.n_ops;
        // Rounds that were not made are no work.
        self.told_left -= leap.rounds * round.n_ops;
        true
    }

    /// Executes one round: until the thread stands where it stands now. `None` if that takes too long, or before the first
    /// operation that is not understood.
    fn execute_round(&mut self, t: &mut Thread) -> Option<Round> {
        let (start, height) = (place(t), t.frames.len());
        let mut round = Round::default();
        while round.steps.len() < MAX_ROUND && round.n_ops < MAX_ROUND as u64 && self.steps_left > 0
        {
            let frame = t.frames.last()?;
            let op = *frame.code.ops.get(frame.pc as usize)?;
            match op {
                Op::Call { .. } | Op::Ret { .. } => self.follow_call(t, op, &mut round)?,
                op => self.follow(t, op, &mut round)?,
            }
            round.n_ops += 1;
            self.steps_left -= 1;
            if t.frames.len() + MAX_DEPTH <= height {
                return None;
            }
            if t.frames.len() == height && place(t) == start {
                return Some(round);
            }
        }
        None
    }

    /// Executes an operation on registers and variables.
    fn follow(&mut self, t: &mut Thread, op: Op, round: &mut Round) -> Option<()> {
        let frame = t.frames.last()?;
        let (code, fp, slot_base) = (frame.code.clone(), frame.fp, frame.slot_base);
        let variable = match op {
            Op::LoadLocal { s, slot, off, .. } | Op::StoreLocal { s, slot, off, .. } => {
                Some((t.slots[slot_base + slot as usize].handle, off, s))
            }
            Op::LoadStatic { s, object, off, .. } | Op::StoreStatic { s, object, off, .. } => {
                Some((self.memory.objects[object as usize].handle(), off, s))
            }
            _ => None,
        };
        if let Some((handle, off, s)) = variable {
            round.add_variable(handle, off, s)?;
        }
        let cell = variable.map(|(handle, off, _)| Cell::Variable(handle, off));
        let shape = shape(op, fp, cell)?;
        let before = |cell: Option<Cell>| match cell {
            Some(cell) => self.word(t, round, cell).map(|word| Some((cell, word))),
            None => Some(None),
        };
        let reads = [before(shape.reads[0])?, before(shape.reads[1])?];
        let mut activation = Activation {
            ops: &code.ops,
            regs: &mut t.regs[fp..fp + code.n_regs as usize],
            slots: &t.slots[slot_base..],
            memory: &mut self.memory,
        };
        let frame = t.frames.last_mut()?;
        let (pc, _, Pause::Fuel) = activation.execute(frame.pc as usize, 1) else { return None };
        frame.pc = pc as u32;
        let writes = match shape.writes {
            Some(cell) => Some((cell, self.word(t, round, cell)?)),
            None => None,
        };
        round.steps.push(Step { effect: shape.effect, reads, writes });
        Some(())
    }

    /// Executes a call or a return: words go from one frame to another.
    fn follow_call(&mut self, t: &mut Thread, op: Op, round: &mut Round) -> Option<()> {
        let frame = t.frames.last()?;
        let (code, fp) = (frame.code.clone(), frame.fp);
        let mut moves: Vec<(Reg, Loc, usize)> = Vec::new();
        let mut constants = 0..0;
        match op {
            Op::Call { call } => {
                let call = &code.calls[call as usize];
                let Target::Direct(function) = call.callee else { return None };
                let callee = self.code(function).ok()?;
                if callee.is_extern || t.frames.len() >= self.options.limits.call_depth {
                    return None;
                }
                let new_fp = fp + code.n_regs as usize;
                for (arg, param) in call.args.iter().zip(&callee.params) {
                    moves.push((arg.reg, *param, new_fp));
                }
                let first = new_fp + callee.first_const as usize;
                constants = first..first + callee.consts.len();
            }
            Op::Ret { a, words } => {
                let caller = t.frames.len().checked_sub(2).and_then(|i| t.frames.get(i))?;
                let &Op::Call { call } = caller.code.ops.get(caller.pc as usize - 1)? else {
                    return None;
                };
                if let Some(dest) = caller.code.calls[call as usize].dest
                    && words > 0
                {
                    moves.push((a, dest, caller.fp));
                }
            }
            _ => return None,
        }
        let mut steps = Vec::new();
        for &(from, to, to_fp) in &moves {
            let effect = match to.rep {
                Rep::Int(signed, width) if width <= 64 => {
                    Effect::Sum([1, 0], Range::of(signed, (64 - width) as u8))
                }
                Rep::Bool | Rep::Single | Rep::Double => Effect::Function,
                _ => return None,
            };
            let from = Cell::Register(fp + from as usize);
            let reads = [Some((from, self.word(t, round, from)?)), None];
            steps.push((effect, reads, Cell::Register(to_fp + to.reg as usize)));
        }
        t.frames.last_mut()?.pc += 1;
        if self.execute_other(t, op, fp).is_err() {
            // Nothing has happened; the next turn sees why.
            t.frames.last_mut()?.pc -= 1;
            return None;
        }
        for register in constants {
            let cell = Cell::Register(register);
            steps.push((Effect::Function, [None; 2], cell));
        }
        for (effect, reads, cell) in steps {
            let writes = Some((cell, self.word(t, round, cell)?));
            round.steps.push(Step { effect, reads, writes });
        }
        Some(())
    }

    /// Returns the word in a cell.
    fn word(&self, t: &Thread, round: &Round, cell: Cell) -> Option<i64> {
        match cell {
            Cell::Register(register) => t.regs.get(register).map(|&word| word as i64),
            Cell::Variable(handle, off) => {
                let s = *round.scalars.get(&cell)?;
                values::load_in(&self.memory, s, handle, off).ok().map(|(word, _)| word as i64)
            }
        }
    }
}

/// Where a thread stands: function, registers and counter of the innermost calls, of all that a round may return from.
fn place(t: &Thread) -> Vec<(FunctionId, usize, u32)> {
    let calls = t.frames.iter().rev().take(MAX_DEPTH);
    calls.map(|frame| (frame.function, frame.fp, frame.pc)).collect()
}

/// Returns the effect of an operation; `variable` is the one in memory that it reads or writes. `None` if it is not
/// understood.
fn shape(op: Op, fp: usize, variable: Option<Cell>) -> Option<Shape> {
    use Sign::{Signed, Unsigned};
    let register = |reg: Reg| Some(Cell::Register(fp + reg as usize));
    let unary =
        |effect, d: Reg, a: Reg| Shape { effect, reads: [register(a), None], writes: register(d) };
    let binary = |effect, d: Reg, a: Reg, b: Reg| Shape {
        effect,
        reads: [register(a), register(b)],
        writes: register(d),
    };
    let jump =
        |effect, a: Reg, b: Reg| Shape { effect, reads: [register(a), register(b)], writes: None };
    let sum = |factors, signed, sh| Effect::Sum(factors, Range::of(signed, sh));
    Some(match op {
        Op::Mov { d, a } => unary(Effect::Sum([1, 0], Range::WORD), d, a),
        Op::Const { d, .. } => {
            Shape { effect: Effect::Function, reads: [None; 2], writes: register(d) }
        }
        Op::Jump { .. } => Shape { effect: Effect::Function, reads: [None; 2], writes: None },
        Op::JumpIf { a, .. } | Op::JumpIfNot { a, .. } => {
            Shape { effect: Effect::Function, reads: [register(a), None], writes: None }
        }
        Op::JumpEq { a, b, .. } | Op::JumpNe { a, b, .. } => jump(Effect::Equal, a, b),
        Op::JumpLtS { a, b, .. } => jump(Effect::Less(Signed), a, b),
        Op::JumpLtU { a, b, .. } => jump(Effect::Less(Unsigned), a, b),
        Op::JumpLeS { a, b, .. } => jump(Effect::AtMost(Signed), a, b),
        Op::JumpLeU { a, b, .. } => jump(Effect::AtMost(Unsigned), a, b),
        Op::JumpAddFits { sh, a, b, .. } => {
            jump(Effect::SumFits([1, 1], Range::of(true, sh)), a, b)
        }
        Op::JumpSubFits { sh, a, b, .. } => {
            jump(Effect::SumFits([1, -1], Range::of(true, sh)), a, b)
        }
        Op::JumpMulFits { sh, a, b, .. } => jump(Effect::ProductFits(Range::of(true, sh)), a, b),
        Op::AddS { sh, d, a, b } => binary(sum([1, 1], true, sh), d, a, b),
        Op::AddU { sh, d, a, b } => binary(sum([1, 1], false, sh), d, a, b),
        Op::SubS { sh, d, a, b } => binary(sum([1, -1], true, sh), d, a, b),
        Op::SubU { sh, d, a, b } => binary(sum([1, -1], false, sh), d, a, b),
        Op::MulS { sh, d, a, b } => binary(Effect::Product(Range::of(true, sh)), d, a, b),
        Op::MulU { sh, d, a, b } => binary(Effect::Product(Range::of(false, sh)), d, a, b),
        Op::NormS { sh, d, a } => unary(sum([1, 0], true, sh), d, a),
        Op::NormU { sh, d, a } => unary(sum([1, 0], false, sh), d, a),
        Op::NegS { sh, d, a } => unary(sum([-1, 0], true, sh), d, a),
        Op::NegU { sh, d, a } => unary(sum([-1, 0], false, sh), d, a),
        Op::NotS { d, a } => unary(sum([-1, 0], true, 0), d, a),
        Op::NotU { sh, d, a } => unary(sum([-1, 0], false, sh), d, a),
        Op::Eq { d, a, b } | Op::Ne { d, a, b } => binary(Effect::Equal, d, a, b),
        Op::LtS { d, a, b } => binary(Effect::Less(Signed), d, a, b),
        Op::LtU { d, a, b } | Op::SubOverU { d, a, b } => binary(Effect::Less(Unsigned), d, a, b),
        Op::LeS { d, a, b } => binary(Effect::AtMost(Signed), d, a, b),
        Op::LeU { d, a, b } => binary(Effect::AtMost(Unsigned), d, a, b),
        Op::AddOverS { sh, d, a, b } => {
            binary(Effect::SumFits([1, 1], Range::of(true, sh)), d, a, b)
        }
        Op::SubOverS { sh, d, a, b } => {
            binary(Effect::SumFits([1, -1], Range::of(true, sh)), d, a, b)
        }
        Op::MulOverS { sh, d, a, b } => binary(Effect::ProductFits(Range::of(true, sh)), d, a, b),
        Op::LoadLocal { s, d, .. } | Op::LoadStatic { s, d, .. } => {
            Shape { effect: copied(s)?, reads: [variable, None], writes: register(d) }
        }
        Op::StoreLocal { s, a, .. } | Op::StoreStatic { s, a, .. } => {
            Shape { effect: copied(s)?, reads: [register(a), None], writes: variable }
        }
        Op::DivS { d, a, b, .. }
        | Op::DivU { d, a, b, .. }
        | Op::RemS { d, a, b, .. }
        | Op::RemU { d, a, b }
        | Op::And { d, a, b }
        | Op::Or { d, a, b }
        | Op::Xor { d, a, b }
        | Op::ShlS { d, a, b, .. }
        | Op::ShlU { d, a, b, .. }
        | Op::ShrS { d, a, b }
        | Op::ShrU { d, a, b } => binary(Effect::Function, d, a, b),
        Op::NotB { d, a } | Op::IsSet { d, a } => unary(Effect::Function, d, a),
        _ => return None,
    })
}

/// Returns the change of a word on its way to or from memory.
fn copied(s: Scalar) -> Option<Effect> {
    let (signed, sh) = match s {
        Scalar::I8 => (true, 56),
        Scalar::U8 => (false, 56),
        Scalar::I16 => (true, 48),
        Scalar::U16 => (false, 48),
        Scalar::I32 => (true, 32),
        Scalar::U32 => (false, 32),
        Scalar::Word => (true, 0),
        Scalar::Single | Scalar::Double => return Some(Effect::Function),
        Scalar::Pointer => return None,
    };
    Some(Effect::Sum([1, 0], Range::of(signed, sh)))
}

impl Round {
    /// A variable takes part; `None` if its bytes are those of another that does, or are read otherwise.
    fn add_variable(&mut self, handle: Handle, off: u32, s: Scalar) -> Option<()> {
        const WIDEST: u32 = 8;
        let overlaps = |cell: &Cell| matches!(*cell, Cell::Variable(other, at) if other == handle && at.abs_diff(off) < WIDEST);
        let cell = Cell::Variable(handle, off);
        match self.scalars.get(&cell) {
            Some(&known) => (known == s).then_some(()),
            None if self.scalars.keys().any(overlaps) => None,
            None => {
                self.scalars.insert(cell, s);
                Some(())
            }
        }
    }

    /// Returns the number of rounds that are like this one, up to a given number.
    fn leap(&self, most: u64) -> Option<Leap> {
        let mut first: FxHashMap<Cell, i64> = FxHashMap::default();
        let mut last: Vec<(Cell, i64)> = Vec::new();
        let mut at: FxHashMap<Cell, usize> = FxHashMap::default();
        for step in &self.steps {
            for (cell, word) in step.reads.into_iter().flatten() {
                if !at.contains_key(&cell) {
                    first.entry(cell).or_insert(word);
                }
            }
            if let Some((cell, word)) = step.writes {
                let i = *at.entry(cell).or_insert(last.len());
                match last.get_mut(i) {
                    Some(known) => known.1 = word,
                    None => last.push((cell, word)),
                }
            }
        }
        // Cells that go from round to round change by the same in each; others have no slope before they are written.
        let mut slopes: FxHashMap<Cell, i128> = FxHashMap::default();
        for &(cell, word) in &last {
            if let Some(&before) = first.get(&cell) {
                slopes.insert(cell, i128::from(word) - i128::from(before));
            }
        }
        let assumed = slopes.clone();
        let mut rounds = i128::MAX;
        for step in &self.steps {
            let (slope, bound) = step.continued(&slopes)?;
            rounds = rounds.min(bound);
            if let Some((cell, _)) = step.writes {
                slopes.insert(cell, slope);
            }
        }
        let holds = last
            .iter()
            .all(|(cell, _)| assumed.get(cell).is_none_or(|slope| slopes[cell] == *slope));
        // Rounds that nothing ends are left to the limits.
        if rounds < 1 || rounds == i128::MAX || !holds {
            return None;
        }
        let rounds = rounds.min(most.into());
        let changing = last.iter().filter(|(cell, _)| slopes[cell] != 0);
        let changes = changing
            .map(|&(cell, word)| (cell, (i128::from(word) + slopes[&cell] * rounds) as i64))
            .collect();
        Some(Leap { rounds: rounds as u64, changes })
    }
}

impl Step {
    /// The slope of what is written, and for how many more rounds the step is as it was. `None` if it will not be.
    fn continued(&self, slopes: &FxHashMap<Cell, i128>) -> Option<(i128, i128)> {
        let word = |i: usize| self.reads[i].map_or(0, |(_, word)| i128::from(word));
        let slope =
            |i: usize| self.reads[i].and_then(|(cell, _)| slopes.get(&cell).copied()).unwrap_or(0);
        let (a, b, da, db) = (word(0), word(1), slope(0), slope(1));
        if da == 0 && db == 0 {
            return Some((0, i128::MAX));
        }
        let sum = |[f, g]: [i64; 2], a: i128, b: i128| {
            i128::from(f).checked_mul(a)?.checked_add(i128::from(g).checked_mul(b)?)
        };
        let product = || {
            if da == 0 {
                a.checked_mul(db)
            } else if db == 0 {
                b.checked_mul(da)
            } else {
                None
            }
        };
        // The result now; with a slope it is this plus a multiple, as long as that is in the range.
        let now = i128::from(self.writes.map_or(0, |(_, word)| word));
        match self.effect {
            Effect::Sum(factors, range) => {
                let slope = sum(factors, da, db)?;
                Some((slope, range.rounds(now, slope)))
            }
            Effect::Product(range) => {
                let slope = product()?;
                Some((slope, range.rounds(now, slope)))
            }
            Effect::SumFits(factors, range) => {
                Some((0, range.rounds(sum(factors, a, b)?, sum(factors, da, db)?)))
            }
            Effect::ProductFits(range) => Some((0, range.rounds(a.checked_mul(b)?, product()?))),
            Effect::Equal if a == b && da == db => Some((0, i128::MAX)),
            Effect::Equal => {
                let (gap, closing) = (b - a, da - db);
                let meet = closing != 0 && gap % closing == 0 && gap / closing >= 0;
                Some((0, if meet { gap / closing - 1 } else { i128::MAX }))
            }
            Effect::Less(sign) => Some((0, sign.rounds((a, da), (b, db), 1))),
            Effect::AtMost(sign) => Some((0, sign.rounds((a, da), (b, db), 0))),
            Effect::Function => None,
        }
    }
}

impl Sign {
    /// For how many more rounds it stays as it is whether one number is at least so much less than another.
    fn rounds(self, a: (i128, i128), b: (i128, i128), by: i128) -> i128 {
        let mut bound = i128::MAX;
        let mut read = |(word, slope): (i128, i128)| match (self, slope) {
            (Sign::Unsigned, 0) => i128::from(word as u64),
            // A word that changes is followed while it is the same number either way.
            (Sign::Unsigned, _) => {
                bound = bound.min(Range::NATURAL.rounds(word, slope));
                word
            }
            (Sign::Signed, _) => word,
        };
        let distance = read(b) - read(a);
        let slope = b.1 - a.1;
        let range = if distance >= by {
            Range { low: by, high: i128::MAX }
        } else {
            Range { low: i128::MIN, high: by - 1 }
        };
        bound.min(range.rounds(distance, slope))
    }
}

impl Range {
    const WORD: Range = Range { low: i64::MIN as i128, high: i64::MAX as i128 };
    const NATURAL: Range = Range { low: 0, high: i64::MAX as i128 };

    /// The words of a type of `64 - sh` bits. Those of 64 bits are taken as signed.
    fn of(signed: bool, sh: u8) -> Range {
        match (signed, sh) {
            (false, 1..) => Range { low: 0, high: i128::from(u64::MAX >> sh) },
            _ => Range { low: (i64::MIN >> sh).into(), high: (i64::MAX >> sh).into() },
        }
    }

    /// For how many more rounds a number stays in the range while it changes by a slope; none if it is not there now.
    fn rounds(self, number: i128, slope: i128) -> i128 {
        if number < self.low || number > self.high {
            return 0;
        }
        match slope {
            0 => i128::MAX,
            1.. => self.high.saturating_sub(number) / slope,
            _ => number.saturating_sub(self.low) / slope.abs(),
        }
    }
}

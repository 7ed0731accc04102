//! Puts strands together to one function: see [`super`].

use super::strands::{Strands, sections, variable};
use super::{Footprints, Order, PROPERTY};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{
    Claim, Instr, InstrKind, Intrinsic, LabelId, Program, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::Role;
use vergo_goto::types::TypeId;

/// Where a strand is that has ended, and one that goes on no more.
const ENDED: i128 = 255;
const STUCK: i128 = 254;

struct Emitter<'a> {
    strands: &'a Strands,
    seen: Option<&'a Footprints>,
    order: Order,
    program: Program,
    out: FunctionBuilder,
    byte: TypeId,
    /// Where each strand goes on.
    positions: Vec<SymbolId>,
    /// Whether the first strand has waited for each.
    joined: Vec<SymbolId>,
    /// The number of strands that were started.
    n_started: SymbolId,
    /// The labels at which each strand can go on; the first is at its beginning.
    labels: Vec<Vec<LabelId>>,
    /// Where the turn of each strand begins; for any order, all in one place.
    turns: Vec<LabelId>,
    /// Where each strand stops for ever.
    stops: Vec<LabelId>,
    /// Behind the start of each.
    behind: Vec<LabelId>,
    /// The join that lets a strand end, by number from one on; zero while none does.
    joining: SymbolId,
    /// Behind each join.
    joins: Vec<LabelId>,
    /// Where each strand goes on for a join.
    ways: Vec<LabelId>,
    /// In one order, the first strand stands before the loop once more, for its first turn; the ends of turns in it so far.
    first_turn: Option<usize>,
    /// The positions of the loop heads of the current strand that are passed.
    heads: FxHashMap<LabelId, i128>,
}

/// Makes the program. Without footprints, each strand runs where it is started, or never: a program that has all instructions in the
/// order of their strands, of which an analysis that does not look at the order of strands can be asked.
pub(super) fn emit(
    strands: &Strands,
    seen: Option<&Footprints>,
    order: Order,
) -> Result<Program, String> {
    let mut program = strands.program.clone();
    let mut out = FunctionBuilder::continuing(strands.n_labels, 0);
    let byte = program.types.int(false, 8);
    let n = strands.bodies.len();
    let mut all = |what: &str| -> Vec<SymbolId> {
        (0..n).map(|_| variable(&mut program, what, byte)).collect()
    };
    let (positions, joined) = (all("position"), all("joined"));
    let n_started = variable(&mut program, "started", byte);
    let labels = (0..n).map(|_| vec![out.new_label()]).collect();
    let first = out.new_label();
    let turns = match order {
        Order::Any => vec![first; n],
        _ => (0..n).map(|k| if k == 0 { first } else { out.new_label() }).collect(),
    };
    let stops = (0..n).map(|_| out.new_label()).collect();
    let behind = (0..n).map(|_| out.new_label()).collect();
    let ways = (0..n).map(|_| out.new_label()).collect();
    let joining = variable(&mut program, "joining", byte);
    let joins = strands.joins().map(|_| out.new_label()).collect();
    let mut emitter = Emitter {
        strands,
        seen,
        order,
        program,
        out,
        byte,
        positions,
        joined,
        n_started,
        labels,
        turns,
        stops,
        behind,
        joining,
        joins,
        ways,
        first_turn: None,
        heads: FxHashMap::default(),
    };
    // The first strand begins.
    emitter.out.goto(emitter.labels[0][0]);
    if seen.is_some() && order != Order::Any {
        emitter.in_turns()?;
    } else {
        for k in 0..n {
            emitter.strand(k, &strands.bodies[k])?;
        }
        emitter.dispatch()?;
    }
    let Emitter { mut program, out, .. } = emitter;
    out.finish(&mut program, strands.entry);
    Ok(program)
}

impl Emitter<'_> {
    fn byte(&mut self, value: i128) -> ExprId {
        self.program.int(self.byte, value)
    }

    fn set(&mut self, symbol: SymbolId, value: i128) {
        let (place, value) = (self.program.symbol(symbol), self.byte(value));
        self.out.assign(place, value);
    }

    fn is(&mut self, symbol: SymbolId, value: i128) -> ExprId {
        let (place, value) = (self.program.symbol(symbol), self.byte(value));
        self.program.eq(place, value)
    }

    /// Ends the turn of a strand.
    fn pass(&mut self, k: usize) {
        if self.seen.is_none() {
            self.out.goto(self.behind[k]);
            return;
        }
        let next = self.turns[(k + 1) % self.turns.len()];
        self.out.goto(next);
    }

    /// The strand goes on here in its next turn.
    fn turn_ends(&mut self, k: usize) {
        if self.seen.is_none() {
            return;
        }
        if let Some(n_ends) = &mut self.first_turn {
            *n_ends += 1;
            let position = *n_ends as i128 + 1;
            self.set(self.positions[k], position);
            self.pass(k);
            return;
        }
        let here = self.out.new_label();
        self.labels[k].push(here);
        if k > 0 && self.order == Order::Any {
            // Whoever waits for its end waits for more than this.
            let alone = self.is(self.joining, 0);
            self.out.assume(alone);
        }
        self.set(self.positions[k], self.labels[k].len() as i128);
        self.pass(k);
        self.out.label(here);
    }

    /// All strands, one after the other, so that no jump goes back but to the beginning of the loop.
    fn in_turns(&mut self) -> Result<(), String> {
        let strands = self.strands;
        let n = self.positions.len();
        if n < 2 {
            return Err("no thread is started".into());
        }
        self.first_turn = Some(0);
        let mut labels = FxHashMap::default();
        let mut body = strands.bodies[0].clone();
        for instr in &mut body {
            if let InstrKind::Label(label) | InstrKind::Goto(_, label) = &mut instr.kind {
                *label = *labels.entry(*label).or_insert_with(|| self.out.new_label());
            }
        }
        self.strand(0, &body)?;
        self.first_turn = None;
        for k in (1..n).chain([0]) {
            let start = self.out.len();
            self.strand(k, &strands.bodies[k])?;
            let code = self.out.instrs_mut().split_off(start);
            if self.labels[k].len() as i128 >= STUCK {
                return Err("so many steps that others see".into());
            }
            self.out.label(self.turns[k]);
            self.go_on(k);
            self.pass(k);
            code.into_iter().for_each(|instr| self.out.push_instr(instr));
        }
        // Nothing leads here.
        let rest = [self.ways.clone(), self.joins.clone(), self.behind.clone()].concat();
        rest.into_iter().for_each(|label| self.out.label(label));
        self.pass(0);
        Ok(())
    }

    /// The code of a strand.
    fn strand(&mut self, k: usize, body: &[Instr]) -> Result<(), String> {
        self.heads.clear();
        let is_seen = |at: usize| {
            matches!(body[at].kind, InstrKind::Spawn { .. })
                || self.seen.is_some_and(|seen| seen.is_seen(k, at))
        };
        let seen: Vec<bool> = (0..body.len()).map(is_seen).collect();
        let sections = sections(body, &|at| seen[at])?;
        let heads = heads(body);
        if k > 0 || self.first_turn.is_some() || self.order == Order::Any {
            self.out.label(self.labels[k][0]);
        }
        for (at, instr) in body.iter().enumerate() {
            let Some((depth, section_seen)) = sections[at] else {
                // Nothing leads here, but labels may be named.
                if let InstrKind::Label(label) = instr.kind {
                    self.out.label(label);
                }
                continue;
            };
            self.out.set_span(instr.span);
            if k == 0 {
                self.claim_apart(at);
            }
            let is_any = self.order == Order::Any;
            match &instr.kind {
                InstrKind::Label(label) => {
                    self.out.label(*label);
                    if !is_any && heads.contains(label) {
                        self.turn_ends(k);
                        let n_ends = self.first_turn.map_or(self.labels[k].len(), |n| n + 1);
                        self.heads.insert(*label, n_ends as i128);
                    }
                }
                InstrKind::AtomicBegin => {}
                InstrKind::AtomicEnd => {
                    if is_any && depth <= 1 && section_seen {
                        self.turn_ends(k);
                    }
                }
                _ => {
                    self.instr(k, at, instr, depth)?;
                    let ends = match self.order {
                        Order::Any => depth == 0 && seen[at],
                        Order::Loops => false,
                        Order::Writes => self.writes_static(instr),
                    };
                    // Behind a jump it has happened already.
                    let is_jump = matches!(instr.kind, InstrKind::Goto(..));
                    if ends && !is_jump && instr.kind.falls_through() {
                        self.turn_ends(k);
                    }
                }
            }
        }
        // Behind the end of the code.
        self.stop(k);
        if self.first_turn.is_some() {
            return Ok(());
        }
        self.out.label(self.stops[k]);
        self.set(self.positions[k], STUCK);
        self.pass(k);
        Ok(())
    }

    /// A strand ends the program, or does not go on.
    fn stop(&mut self, k: usize) {
        self.out.goto(self.stops[k]);
    }

    /// Claims that the first strand does what another would see only while that one does not run.
    fn claim_apart(&mut self, at: usize) {
        let apart = self.seen.map_or(Vec::new(), |seen| seen.apart(at));
        for k in apart {
            let (waits, has_been) = (self.is(self.positions[k], 0), self.is(self.joined[k], 1));
            let either = self.program.or(waits, has_been);
            let claim = Claim {
                property: PROPERTY.to_owned(),
                description: format!("thread {k} does not run"),
                cwe: None,
            };
            self.out.assert(either, claim);
        }
    }

    fn instr(&mut self, k: usize, at: usize, instr: &Instr, depth: u32) -> Result<(), String> {
        let is_any = self.order == Order::Any;
        match instr.kind {
            InstrKind::Goto(Some(condition), label) if is_any && depth == 0 => {
                if !self.seen.is_some_and(|seen| seen.is_seen(k, at)) {
                    self.out.push_instr(instr.clone());
                    return Ok(());
                }
                // What is read is kept until the next turn.
                let kept = variable(&mut self.program, "condition", self.byte);
                let (place, value) =
                    (self.program.symbol(kept), self.program.cast(self.byte, condition));
                self.out.assign(place, value);
                self.turn_ends(k);
                let holds = self.is(kept, 1);
                self.out.goto_if(holds, label);
            }
            InstrKind::Goto(condition, label) if self.heads.contains_key(&label) => {
                // Instead of a jump back the turn ends, and goes on there.
                let stays = self.out.new_label();
                if let Some(condition) = condition {
                    let not = self.program.not(condition);
                    self.out.goto_if(not, stays);
                }
                self.set(self.positions[k], self.heads[&label]);
                self.pass(k);
                self.out.label(stays);
            }
            InstrKind::Assume(condition) if !is_any => {
                let fails = self.program.not(condition);
                self.out.goto_if(fails, self.stops[k]);
            }
            InstrKind::End(_) if !is_any => self.stop(k),
            InstrKind::Return(value) => {
                if k == 0 {
                    self.stop(k);
                    return Ok(());
                }
                if let (Some(result), Some(value)) = (self.strands.ends[k].1, value) {
                    let place = self.program.symbol(result);
                    self.out.assign(place, value);
                }
                self.set(self.positions[k], ENDED);
                if self.seen.is_some() && is_any {
                    // It ends when it is waited for: nobody else sees it.
                    for (i, label) in self.joins.clone().into_iter().enumerate() {
                        let waits = self.is(self.joining, i as i128 + 1);
                        self.out.goto_if(waits, label);
                    }
                    self.nobody();
                } else {
                    self.pass(k);
                }
            }
            InstrKind::Spawn { dest, arg, .. } => {
                let started = self.strands.starts.get(&(k, at)).copied();
                self.spawn(started.ok_or("a start of no thread")?, dest, arg);
            }
            InstrKind::Join { .. } if depth > 0 => {
                return Err("a join in an atomic section".into());
            }
            InstrKind::Join { thread, dest } => self.join((k, at), thread, dest)?,
            InstrKind::Intrinsic { op, .. } if op.is_obligation() || op == Intrinsic::Order => {}
            _ => self.out.push_instr(instr.clone()),
        }
        Ok(())
    }

    /// Starts a strand. Numbers are given in the order of starts.
    fn spawn(&mut self, started: usize, dest: Option<ExprId>, arg: ExprId) {
        let number = started as i128;
        let in_order = self.is(self.n_started, number - 1);
        let fine = self.out.new_label();
        self.out.goto_if(in_order, fine);
        self.out.unsupported("threads that are started in another order, or again");
        self.out.label(fine);
        self.set(self.n_started, number);
        let place = self.program.symbol(self.strands.ends[started].0);
        self.out.assign(place, arg);
        self.set(self.positions[started], 1);
        if let Some(dest) = dest {
            let ty = self.program.exprs.ty(dest);
            let value = self.program.int(ty, number);
            self.out.assign(dest, value);
        }
        if self.seen.is_none() {
            let choice = variable(&mut self.program, "choice", self.byte);
            let (place, any) = (self.program.symbol(choice), self.program.nondet(self.byte));
            self.out.assign(place, any);
            let begins = self.is(choice, 1);
            self.out.goto_if(begins, self.labels[started][0]);
            self.out.label(self.behind[started]);
        }
    }

    /// Waits for the end of a strand.
    fn join(
        &mut self,
        (k, at): (usize, usize),
        thread: ExprId,
        dest: Option<ExprId>,
    ) -> Result<(), String> {
        let ty = self.program.exprs.ty(thread);
        let mut is_it = Vec::new();
        for other in 1..self.positions.len() {
            let number = self.program.int(ty, other as i128);
            is_it.push((other, self.program.eq(thread, number)));
        }
        if self.seen.is_some() && self.order == Order::Any {
            let join = self.strands.joins().position(|join| join == (k, at));
            let join = join.ok_or("a join of no strand")?;
            if k > 0 {
                // One join at a time.
                self.turn_ends(k);
            }
            self.set(self.joining, join as i128 + 1);
            for &(other, same) in &is_it {
                let ended = self.is(self.positions[other], ENDED);
                let both = self.program.and(same, ended);
                self.out.goto_if(both, self.joins[join]);
                if other != k {
                    self.out.goto_if(same, self.ways[other]);
                }
            }
            self.nobody();
            self.out.label(self.joins[join]);
            self.set(self.joining, 0);
            if k > 0 {
                self.turn_ends(k);
            }
        } else if self.seen.is_some() {
            // The check is behind the turn, so that nothing but turns is repeated.
            self.turn_ends(k);
            let mut has_ended = self.program.bool(false);
            for &(other, same) in &is_it {
                let ended = self.is(self.positions[other], ENDED);
                let both = self.program.and(same, ended);
                has_ended = self.program.or(has_ended, both);
            }
            let goes_on = self.out.new_label();
            self.out.goto_if(has_ended, goes_on);
            self.pass(k);
            self.out.label(goes_on);
        }
        for (other, same) in is_it {
            if k == 0 {
                let (place, one) = (self.program.symbol(self.joined[other]), self.byte(1));
                let value = self.program.ite(same, one, place);
                self.out.assign(place, value);
            }
            let Some(dest) = dest else { continue };
            let Some(result) = self.strands.ends[other].1 else {
                return Err("the result of a thread that is no pointer".into());
            };
            if self.program.exprs.ty(dest) != self.program.symbols[result].ty {
                return Err("the result of a thread as another type".into());
            }
            let value = self.program.symbol(result);
            let value = self.program.ite(same, value, dest);
            self.out.assign(dest, value);
        }
        Ok(())
    }

    fn writes_static(&self, instr: &Instr) -> bool {
        let mut writes = false;
        instr.kind.for_each_expr(|expr, role| {
            if role == Role::Write {
                let variable = self.program.root_variable(expr);
                writes |= variable.is_some_and(|symbol| {
                    matches!(self.program.symbols[symbol].kind, SymbolKind::Static { .. })
                });
            }
        });
        writes
    }

    /// The loop in which strands take turns.
    fn dispatch(&mut self) -> Result<(), String> {
        let n = self.positions.len();
        if self.seen.is_none() {
            self.out.label(self.behind[0]);
            self.out.label(self.turns[0]);
            self.ways.clone().into_iter().for_each(|label| self.out.label(label));
            self.joins.clone().into_iter().for_each(|label| self.out.label(label));
            self.nobody();
            return Ok(());
        }
        if self.labels.iter().any(|labels| labels.len() as i128 >= STUCK) {
            return Err("so many steps that others see".into());
        }
        self.out.label(self.turns[0]);
        let choice = variable(&mut self.program, "choice", self.byte);
        let (place, any) = (self.program.symbol(choice), self.program.nondet(self.byte));
        self.out.assign(place, any);
        for k in 1..n {
            let other = self.out.new_label();
            let chosen = self.is(choice, k as i128);
            let not = self.program.not(chosen);
            self.out.goto_if(not, other);
            self.go_on(k);
            self.nobody();
            self.out.label(other);
        }
        self.go_on(0);
        self.nobody();
        for k in 0..n {
            self.out.label(self.ways[k]);
            self.go_on(k);
            self.nobody();
        }
        Ok(())
    }

    /// There is no such turn.
    fn nobody(&mut self) {
        let never = self.program.bool(false);
        self.out.assume(never);
        self.out.goto(self.turns[0]);
    }

    /// Goes to where a strand goes on.
    fn go_on(&mut self, k: usize) {
        // In one order the beginning of the first strand is before the loop.
        let is_first = k == 0 && self.order != Order::Any;
        let labels = self.labels[k].clone().into_iter().enumerate();
        for (i, label) in labels.skip(usize::from(is_first)) {
            let here = self.is(self.positions[k], i as i128 + 1);
            self.out.goto_if(here, label);
        }
    }
}

/// The labels that are jumped to from behind.
fn heads(body: &[Instr]) -> FxHashSet<LabelId> {
    let (mut passed, mut heads) = (FxHashSet::default(), FxHashSet::default());
    for instr in body {
        match instr.kind {
            InstrKind::Label(label) => drop(passed.insert(label)),
            InstrKind::Goto(_, label) if passed.contains(&label) => drop(heads.insert(label)),
            _ => {}
        }
    }
    heads
}

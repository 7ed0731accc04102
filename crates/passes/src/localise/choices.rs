//! Which variables a localised program keeps: those near the claims first.

use super::{Kept, Localiser, is_local, written};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_analysis::cfg::Cfg;
use vergo_analysis::control::Control;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{FunctionId, InstrKind, SymbolId};

/// An instruction: the function and the position.
type At = (FunctionId, usize);

impl Localiser<'_> {
    /// Sets of variables to keep, each larger than the one before: the variables that claims and the branches before them
    /// read; with those of the branches before assignments to these, again and again; with those of the branches before
    /// calls that matter, too; with those of the branches before these branches. Whatever flows into a variable belongs to it.
    pub fn choices(&self) -> Vec<Kept> {
        let uses = Uses::of(self);
        let mut kept = Kept::default();
        uses.claims.iter().for_each(|&at| uses.add_instr(at, &mut kept));
        uses.close(&mut kept);
        let mut choices = vec![kept.clone()];
        let (mut with_calls, mut with_all) = (false, false);
        loop {
            let before = kept.clone();
            let relevant = self.relevant(&before);
            for symbol in &before {
                let assignments = uses.assignments.get(symbol).into_iter().flatten();
                assignments.for_each(|&at| uses.add_deciders(at, with_all, &mut kept));
            }
            if with_calls {
                let calls = uses.calls.iter();
                let mattering =
                    calls.filter(|(_, to)| to.iter().any(|&callee| relevant.contains(callee)));
                mattering.for_each(|&(at, _)| uses.add_deciders(at, with_all, &mut kept));
            }
            uses.close(&mut kept);
            match (kept == before, with_calls) {
                (false, _) => choices.push(kept.clone()),
                (true, false) => with_calls = true,
                (true, true) if !with_all => with_all = true,
                (true, true) => return choices,
            }
        }
    }
}

/// Where values go and what decides about instructions.
struct Uses<'a> {
    localiser: &'a Localiser<'a>,
    control: FxHashMap<FunctionId, Control>,
    claims: Vec<At>,
    calls: Vec<(At, Vec<FunctionId>)>,
    /// Where each variable is assigned.
    assignments: FxHashMap<SymbolId, Vec<At>>,
    /// The values that each variable gets.
    values: FxHashMap<SymbolId, Vec<ExprId>>,
}

impl<'a> Uses<'a> {
    fn of(localiser: &'a Localiser<'a>) -> Uses<'a> {
        let mut uses = Uses {
            localiser,
            control: FxHashMap::default(),
            claims: Vec::new(),
            calls: Vec::new(),
            assignments: FxHashMap::default(),
            values: FxHashMap::default(),
        };
        let program = localiser.program;
        for function in localiser.functions() {
            let info = &program.functions[function];
            uses.control.insert(function, Control::of(&Cfg::of(info)));
            for (i, instr) in info.body.iter().flatten().enumerate() {
                let (at, to) = ((function, i), written(program, &instr.kind));
                if let Some(symbol) = to {
                    uses.assignments.entry(symbol).or_default().push(at);
                }
                match &instr.kind {
                    InstrKind::Assert(..) | InstrKind::Unsupported(_) => uses.claims.push(at),
                    InstrKind::Assign(_, value) => uses.flows(to, *value),
                    InstrKind::Call { callee, args, .. } => {
                        let callees = localiser.callees(*callee);
                        for &callee in &callees {
                            let callee = &program.functions[callee];
                            for (&param, &arg) in callee.params.iter().zip(args) {
                                uses.flows(Some(param), arg);
                            }
                            for instr in callee.body.iter().flatten() {
                                if let InstrKind::Return(Some(value)) = instr.kind {
                                    uses.flows(to, value);
                                }
                            }
                        }
                        uses.calls.push((at, callees));
                    }
                    _ => {}
                }
            }
        }
        uses
    }

    fn flows(&mut self, to: Option<SymbolId>, value: ExprId) {
        if let Some(symbol) = to {
            self.values.entry(symbol).or_default().push(value);
        }
    }

    fn instr(&self, (function, i): At) -> Option<&InstrKind> {
        Some(&self.localiser.program.functions[function].body.as_ref()?.get(i)?.kind)
    }

    /// Adds what an instruction and the branches before it read.
    fn add_instr(&self, at: At, kept: &mut Kept) {
        if let Some(InstrKind::Assert(cond, _)) = self.instr(at) {
            self.add(*cond, kept);
        }
        self.add_deciders(at, false, kept);
    }

    /// Adds what the branches read that decide whether an instruction is executed; or also those that decide about these.
    fn add_deciders(&self, (function, i): At, with_all: bool, kept: &mut Kept) {
        let control = &self.control[&function];
        let block = control.block_of(i);
        if block == usize::MAX {
            return;
        }
        let mut deciders: Vec<usize> = control.controllers(block).to_vec();
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        while let Some(decider) = deciders.pop() {
            if !seen.insert(decider) {
                continue;
            }
            if let Some(&InstrKind::Goto(Some(cond), _)) =
                self.instr((function, control.last(decider)))
            {
                self.add(cond, kept);
            }
            if with_all {
                deciders.extend_from_slice(control.controllers(decider));
            }
        }
    }

    /// Adds the variables of an expression, if it can be kept.
    fn add(&self, expr: ExprId, kept: &mut Kept) {
        let Localiser { program, keepable, .. } = self.localiser;
        if is_local(program, expr, keepable) {
            program.for_each_subexpr(expr, |sub| match *program.exprs.kind(sub) {
                ExprKind::Symbol(symbol) if keepable.contains(&symbol) => {
                    kept.insert(symbol);
                }
                _ => {}
            });
        }
    }

    /// Adds the variables whose values get into kept ones.
    fn close(&self, kept: &mut Kept) {
        let mut pending: Vec<SymbolId> = kept.iter().copied().collect();
        let mut done = Kept::default();
        while let Some(symbol) = pending.pop() {
            if !done.insert(symbol) {
                continue;
            }
            let mut more = Kept::default();
            let values = self.values.get(&symbol).into_iter().flatten();
            values.for_each(|&value| self.add(value, &mut more));
            pending.extend(more.iter().copied());
            kept.extend(more);
        }
    }
}

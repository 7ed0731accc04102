//! What calls do, for the abstraction by private state: whether they come back, and whether they change memory.

use std::collections::{BTreeMap, BTreeSet};

use vergo_goto::expr::ExprId;
use vergo_goto::program::{Callee, FunctionId, Instr, InstrKind, LabelId, Program, SymbolKind};

use super::private::Knowledge;

/// The largest number of instructions of all kept functions, each as often as it is called.
const MAX_SIZE: usize = 6000;

/// The functions that a function calls.
#[derive(Debug)]
pub(super) struct Callees {
    /// The functions whose bodies are looked at.
    pub(super) kept: BTreeSet<FunctionId>,
    first: FunctionId,
    returning: BTreeSet<FunctionId>,
    writing: BTreeSet<FunctionId>,
    noreturn: BTreeSet<String>,
}

impl Callees {
    pub(super) fn new(
        program: &Program,
        first: FunctionId,
        chain: &[&str],
        keep_all: bool,
        knowledge: &Knowledge,
    ) -> Callees {
        let mut callees = Callees {
            kept: BTreeSet::from([first]),
            first,
            returning: BTreeSet::new(),
            writing: BTreeSet::new(),
            noreturn: knowledge.noreturn.clone(),
        };
        callees.find_returning(program);
        callees.find_writing(program);
        let in_chain = program.functions.iter().filter(|(_, function)| {
            !function.library
                && function.body.is_some()
                && chain.contains(&function.display.as_str())
        });
        callees.kept.extend(in_chain.map(|(id, _)| id));
        if keep_all {
            callees.keep(program);
        }
        callees.remove_recursive(program);
        callees
    }

    /// Returns whether a call of a function is followed. One of the first function is not: what that does is looked at for any
    /// arguments.
    pub(super) fn is_kept(&self, function: FunctionId) -> bool {
        function != self.first && self.kept.contains(&function)
    }

    /// Returns whether a call of a function can come back.
    pub(super) fn may_return(&self, function: FunctionId) -> bool {
        self.returning.contains(&function)
    }

    /// Returns whether a call of a function can change what others see.
    pub(super) fn may_write(&self, function: FunctionId) -> bool {
        self.writing.contains(&function)
    }

    /// Returns whether a claim that a function without a body is not called is about one that never returns.
    pub(super) fn never_returns(&self, description: &str) -> bool {
        let name = description.strip_prefix('`').and_then(|rest| rest.split('`').next());
        name.is_some_and(|name| self.noreturn.contains(name))
    }

    fn find_returning(&mut self, program: &Program) {
        loop {
            let before = self.returning.len();
            for (id, function) in program.functions.iter() {
                let returns = function.body.as_ref().is_none_or(|body| self.reaches_end(body));
                if returns {
                    self.returning.insert(id);
                }
            }
            if self.returning.len() == before {
                return;
            }
        }
    }

    /// Returns whether control can reach the end of a body, as far as is known of what it calls.
    fn reaches_end(&self, body: &[Instr]) -> bool {
        let labels: BTreeMap<LabelId, usize> = body
            .iter()
            .enumerate()
            .filter_map(|(at, instr)| match instr.kind {
                InstrKind::Label(label) => Some((label, at)),
                _ => None,
            })
            .collect();
        let mut seen = vec![false; body.len()];
        let mut pending = vec![0];
        while let Some(at) = pending.pop() {
            let Some(instr) = body.get(at) else { return true };
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            let goes_on = match &instr.kind {
                // What is not supported may do anything.
                InstrKind::Return(_) | InstrKind::Unsupported(_) => return true,
                InstrKind::Goto(condition, label) => {
                    pending.extend(labels.get(label));
                    condition.is_some()
                }
                InstrKind::End(_) => false,
                InstrKind::Call { callee: Callee::Direct(callee), .. } => self.may_return(*callee),
                InstrKind::Assert(_, claim) if claim.property == "call.no-body" => {
                    !self.never_returns(&claim.description)
                }
                _ => true,
            };
            if goes_on {
                pending.push(at + 1);
            }
        }
        false
    }

    fn find_writing(&mut self, program: &Program) {
        loop {
            let before = self.writing.len();
            for (id, function) in program.functions.iter() {
                let writes = function.body.as_ref().is_none_or(|body| {
                    body.iter().any(|instr| self.writes(program, id, &instr.kind))
                });
                if writes {
                    self.writing.insert(id);
                }
            }
            if self.writing.len() == before {
                return;
            }
        }
    }

    fn writes(&self, program: &Program, function: FunctionId, kind: &InstrKind) -> bool {
        let is_own = |place: ExprId| {
            let variable = program.root_variable(place);
            variable.is_some_and(|variable| match program.symbols[variable].kind {
                SymbolKind::Local(of) | SymbolKind::Param(of) => of == function,
                SymbolKind::Static { .. } => false,
            })
        };
        match kind {
            InstrKind::Assign(place, _) => !is_own(*place),
            InstrKind::Call { dest, callee, .. } => {
                dest.is_some_and(|dest| !is_own(dest))
                    || match callee {
                        Callee::Direct(callee) => self.may_write(*callee),
                        Callee::Indirect(_) => true,
                    }
            }
            InstrKind::Assert(_, claim) => claim.property == "call.no-body",
            InstrKind::Alloc { .. }
            | InstrKind::Free(..)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::Spawn { .. }
            | InstrKind::Join { .. }
            | InstrKind::Intrinsic { .. }
            | InstrKind::Unsupported(_) => true,
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Assume(_)
            | InstrKind::Goto(..)
            | InstrKind::Return(_)
            | InstrKind::Decl(_)
            | InstrKind::Dead(_)
            | InstrKind::End(_) => false,
        }
    }

    /// Keeps the functions of the program that a function calls, directly or not: each as long as there is room for it, and
    /// none that calls itself.
    fn keep(&mut self, program: &Program) {
        let mut n_left = MAX_SIZE;
        // A function is followed once for each call of it, since that is what engines do.
        let mut pending = vec![(self.first, BTreeSet::from([self.first]))];
        while let Some((caller, above)) = pending.pop() {
            for callee in called(program, caller) {
                let function = &program.functions[callee];
                let size = function.body.as_ref().map_or(usize::MAX, Vec::len);
                if function.library || above.contains(&callee) || size > n_left {
                    continue;
                }
                n_left -= size;
                self.kept.insert(callee);
                let mut above = above.clone();
                above.insert(callee);
                pending.push((callee, above));
            }
        }
    }

    /// Keeps no function that calls itself by others that are kept.
    fn remove_recursive(&mut self, program: &Program) {
        let recursive: Vec<FunctionId> =
            self.kept.iter().copied().filter(|&kept| self.calls_itself(program, kept)).collect();
        for function in recursive {
            self.kept.remove(&function);
        }
        self.kept.insert(self.first);
    }

    fn calls_itself(&self, program: &Program, function: FunctionId) -> bool {
        let mut seen = BTreeSet::new();
        let mut pending = vec![function];
        while let Some(caller) = pending.pop() {
            for callee in called(program, caller) {
                if callee == function {
                    return true;
                }
                if self.is_kept(callee) && seen.insert(callee) {
                    pending.push(callee);
                }
            }
        }
        false
    }
}

/// The functions that a function calls by name, one for each call.
fn called(program: &Program, function: FunctionId) -> impl Iterator<Item = FunctionId> {
    let body = program.functions[function].body.iter().flatten();
    body.filter_map(|instr| match instr.kind {
        InstrKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
        _ => None,
    })
}

//! What calls do, for the abstraction by private state: whether they come back, and whether they change memory.

use std::collections::BTreeSet;

use cranelift_entity::EntitySet;
use vergo_analysis::callgraph::{CallGraph, all_components};
use vergo_analysis::cfg::Cfg;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Callee, FunctionId, Instr, InstrKind, Program, SymbolKind};

use super::private::Knowledge;

/// The largest number of instructions of all kept functions, each as often as it is called.
const MAX_SIZE: usize = 6000;

/// The functions that a function calls.
#[derive(Debug)]
pub(super) struct Callees {
    /// The functions whose bodies are looked at.
    pub(super) kept: BTreeSet<FunctionId>,
    first: FunctionId,
    /// The functions of which it is known that calls of them do not come back.
    stopping: EntitySet<FunctionId>,
    /// The functions of which it is known that they change nothing that others see.
    quiet: EntitySet<FunctionId>,
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
            stopping: EntitySet::new(),
            quiet: EntitySet::new(),
            noreturn: knowledge.noreturn.clone(),
        };
        for group in CallGraph::of(program).bottom_up() {
            callees.look_at(program, group);
        }
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
        !self.stopping.contains(function)
    }

    /// Returns whether a call of a function can change what others see.
    pub(super) fn may_write(&self, function: FunctionId) -> bool {
        !self.quiet.contains(function)
    }

    /// Returns whether a claim that a function without a body is not called is about one that never returns.
    pub(super) fn never_returns(&self, description: &str) -> bool {
        let name = description.strip_prefix('`').and_then(|rest| rest.split('`').next());
        name.is_some_and(|name| self.noreturn.contains(name))
    }

    /// Finds out what calls of functions do that call each other. All others that they call have been looked at.
    fn look_at(&mut self, program: &Program, group: &[FunctionId]) {
        let bodies =
            group.iter().filter_map(|&id| Some((id, program.functions[id].body.as_ref()?)));
        let bodies: Vec<(FunctionId, &Vec<Instr>)> = bodies.collect();
        // Nobody in a group comes back before somebody has, without a call in it.
        self.stopping.extend(bodies.iter().map(|(id, _)| *id));
        let mut pending: Vec<(FunctionId, Cfg)> =
            bodies.iter().map(|&(id, _)| (id, Cfg::of(&program.functions[id]))).collect();
        loop {
            let n_pending = pending.len();
            pending.retain(|(id, cfg)| {
                let body = program.functions[*id].body.as_deref().unwrap_or_default();
                let returns = self.reaches_end(body, cfg);
                if returns {
                    self.stopping.remove(*id);
                }
                !returns
            });
            if pending.len() == n_pending {
                break;
            }
        }
        // What one of a group writes the others may write, unless nothing calls it: then it is alone.
        self.quiet.extend(bodies.iter().map(|(id, _)| *id));
        let writes = |(id, body): &(FunctionId, &Vec<Instr>)| {
            body.iter().any(|instr| self.writes(program, *id, &instr.kind))
        };
        if bodies.len() < group.len() || bodies.iter().any(writes) {
            group.iter().for_each(|&id| {
                self.quiet.remove(id);
            });
        }
    }

    /// Returns whether control can reach the end of a body, as far as is known of what it calls.
    fn reaches_end(&self, body: &[Instr], cfg: &Cfg) -> bool {
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
                InstrKind::Call { callee: Callee::Direct(callee), .. } => self.may_return(*callee),
                InstrKind::Assert(_, claim) if claim.property == "call.no-body" => {
                    !self.never_returns(&claim.description)
                }
                _ => true,
            };
            if goes_on {
                pending.extend(cfg.successors(at));
            }
        }
        false
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
        let kept: Vec<FunctionId> =
            self.kept.iter().copied().filter(|&f| f != self.first).collect();
        let number = |function| kept.binary_search(&function).ok();
        let calls: Vec<Vec<usize>> = kept
            .iter()
            .map(|&caller| called(program, caller).filter_map(number).collect())
            .collect();
        for group in all_components(kept.len(), |caller| calls[caller].iter().copied()) {
            if group.len() > 1 || calls[group[0]].contains(&group[0]) {
                group.iter().for_each(|&member| {
                    self.kept.remove(&kept[member]);
                });
            }
        }
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

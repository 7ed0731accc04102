//! Proofs about memory with lists of any length.
//!
//! **Idea.** The program is executed on graphs of objects ([`vergo_evidence::shapes`]). At the head of a loop rows of objects that
//! are alike become one object that stands for a list of any length ([`fold`]), and states that are cases of others are left
//! out, so that loops that build, walk and free lists come to an end. Where numbers grow from round to round, states of the same
//! shape become one with ranges ([`join`]), and with what still relates them ([`numbers`]). If no claim can fail in any state, the states are the proof.
//!
//! **Source.** Dudka, Peringer, Vojnar, "Byte-precise verification of low-level list manipulation", SAS 2013, doi
//! 10.1007/978-3-642-38856-9_13. Changed: states are joined only where their graphs are the same; otherwise the state that comes
//! later is kept beside the earlier ones, of which lists that are long enough leave few. Several degrees of
//! abstraction are tried, since what has to be told apart is not known beforehand; in some of them single nodes are lists of any
//! length ([`loosen`]).
//!
//! **Soundness.** The checker executes every block again from the states that are found here, and compares: nothing that is
//! folded or joined here has to be right. A claim that fails in a graph shows nothing, since there may be no such memory: the
//! answer is then that nothing is known.

mod fold;
mod join;
mod loosen;
mod merge;
mod numbers;
#[cfg(test)]
mod tests;

use crate::{Environment, Goal, Task};
use fold::Folder;
use join::join;
use std::collections::{BTreeMap, VecDeque};
use vergo_evidence::shapes::execute::Executor;
use vergo_evidence::shapes::graph::State;
use vergo_evidence::shapes::inclusion::includes;
use vergo_evidence::shapes::{Position, Shapes, position};
use vergo_evidence::{Certificate, Reason, Verdict};
use vergo_goto::program::{InstrKind, Program, Region};
use vergo_smt::Budget;

/// A degree of abstraction.
struct Degree {
    /// Rows of so many objects become chains.
    row: usize,
    /// Nodes with different constants stay apart.
    apart: bool,
    /// So many states of one shape stay apart at a loop.
    variants: usize,
    /// Lists are said to have at most so many nodes at least.
    least: u32,
    /// Single nodes become lists, too.
    single: bool,
    /// More states than this are not kept.
    most: usize,
}

/// The degrees, in the order in which they are tried: first those that need few states or none, then the same with more. The very
/// first is for loops over buffers, where what relates numbers is enough.
static DEGREES: &[Degree] = &[
    Degree { row: 2, apart: true, variants: 1, least: 2, single: false, most: 80 },
    Degree { row: 2, apart: true, variants: 8, least: 3, single: false, most: 400 },
    Degree { row: 2, apart: true, variants: 16, least: 1, single: false, most: 400 },
    Degree { row: 2, apart: false, variants: 2, least: 1, single: true, most: 400 },
    Degree { row: 2, apart: false, variants: 2, least: 3, single: false, most: 4000 },
    Degree { row: 2, apart: true, variants: 8, least: 3, single: false, most: 4000 },
    Degree { row: 2, apart: true, variants: 40, least: 3, single: false, most: 4000 },
    Degree { row: 7, apart: true, variants: 16, least: 8, single: false, most: 4000 },
    Degree { row: 20, apart: true, variants: 4000, least: 20, single: false, most: 4000 },
];

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if !matches!(task.goal, Goal::Safety) {
        return Verdict::Unknown(Reason::Withdrawn("this is about infinite executions"));
    }
    if !allocates(task.program) {
        return Verdict::Unknown(Reason::Withdrawn("nothing is allocated on the heap"));
    }
    let mut reason = Reason::incomplete("no degree of abstraction was tried");
    for (i, degree) in DEGREES.iter().enumerate() {
        let left = (DEGREES.len() - i) as u32;
        let shapes = match search(task.program, degree, &env.budget.part(left)) {
            Ok(shapes) => shapes,
            Err(what) => {
                if let Some(end) = env.budget.exhausted() {
                    return Verdict::Unknown(Reason::Stopped(end));
                }
                if !matches!(reason, Reason::Unchecked(_)) {
                    reason = Reason::incomplete(what);
                }
                continue;
            }
        };
        let check = || Certificate::shapes(task.program, &shapes, &env.budget);
        match env.budget.at_the_end(check) {
            Ok(certificate) => return Verdict::True(certificate),
            Err(what) => {
                if let Some(end) = env.budget.exhausted() {
                    return Verdict::Unknown(Reason::Stopped(end));
                }
                // To be a case of a case is to be a case, but the checker may not see it.
                reason = Reason::Unchecked(Box::new(Reason::incomplete(what)));
            }
        }
    }
    Verdict::Unknown(reason)
}

/// Returns whether an instruction allocates objects on the heap.
fn allocates(program: &Program) -> bool {
    let mut instrs = program.functions.values().flat_map(|function| function.body.iter().flatten());
    instrs.any(|instr| matches!(instr.kind, InstrKind::Alloc { region: Region::Heap, .. }))
}

/// States at heads of loops that every execution passes in one of them.
fn search(program: &Program, degree: &Degree, budget: &Budget) -> Result<Shapes, String> {
    let executor = Executor::new(program);
    let folder = Folder::new(program, degree);
    let mut found = Search { program, degree, at: BTreeMap::new(), pending: VecDeque::new(), made: 0 };
    let first = executor.first()?;
    let begins = if executor.is_cut(&first) { vec![first] } else { executor.run(&first, budget)? };
    for state in begins {
        found.add(folder.fold(state));
    }
    while let Some((position, id)) = found.pending.pop_front() {
        if budget.exhausted().is_some() {
            return Err("out of time".to_owned());
        }
        let states = found.at.get(&position).into_iter().flatten();
        let Some((_, state)) = states.into_iter().find(|(other, _)| *other == id) else { continue };
        for next in executor.run(&state.clone(), budget)? {
            found.add(folder.fold(next));
        }
        if found.made > degree.most {
            return Err("too many shapes of memory".to_owned());
        }
    }
    Ok(Shapes { states: found.at.into_values().flatten().map(|(_, state)| state).collect() })
}

struct Search<'a> {
    program: &'a Program,
    degree: &'a Degree,
    at: BTreeMap<Position, Vec<(usize, State)>>,
    /// States from which nobody has gone on.
    pending: VecDeque<(Position, usize)>,
    made: usize,
}

impl Search<'_> {
    /// Adds a state, unless it is a case of one that is there.
    fn add(&mut self, mut state: State) {
        let position = position(&state);
        let there = self.at.entry(position.clone()).or_default();
        if there.iter().any(|(_, wider)| includes(self.program, wider, &state)) {
            return;
        }
        let same: Vec<State> =
            there.iter().rev().filter_map(|(_, other)| join(self.program, other, &state)).collect();
        if same.len() >= self.degree.variants
            && let Some(joined) = same.into_iter().find(|joined| includes(self.program, joined, &state))
        {
            state = joined;
        }
        there.retain(|(_, narrower)| !includes(self.program, &state, narrower));
        self.made += 1;
        there.push((self.made, state));
        self.pending.push_back((position, self.made));
    }
}

//! Checks that states of memory with lists of any length, at the heads of loops, show that no claim can fail.
//!
//! **What is checked.** A [`Shapes`] is a set of [`State`]s: graphs of objects, in which a chain stands for a list of any
//! length (what they mean stands in [`graph`]). From the beginning of the program, and from each of the states, the
//! instructions are executed up to the next heads of loops ([`execute`]). Each state there must be a case of one of the set
//! ([`inclusion`]), no claim may fail on the way, and nothing that is not followed may be reached.
//!
//! **Soundness.** By induction over the loop heads that an execution passes: its memory is one that some state of the set at that
//! place stands for. The instructions in between are executed on all memories of the state: where one looks at the end of a
//! list, the state is replaced by its cases (`chains`: there is no node; there is one, and the rest), which together are all
//! that it is; then the instruction sees plain objects, and does to them what it does to memory. A memory is one of a wider state
//! if it is one of a narrower state that is a case of it. So it does not matter how the states were found. What is lost on
//! the way (values, objects on the heap) is any value, or an object to which no known pointer leads; a program that writes through
//! a pointer of which nothing is known is not followed, so that nothing changes that the graph says.
//!
//! **Numbers.** Lengths, offsets and variables that are not known are related by sums and facts about them ([`relations`]), each of which
//! holds in every memory of the state; what follows from them is found by elimination ([`linear`]). Scalars at offsets that are not known
//! are remembered as long as nothing else can have been written there ([`marks`]).
//!
//! **Source.** Symbolic memory graphs: Dudka, Peringer, Vojnar, "Byte-precise verification of low-level list manipulation", SAS
//! 2013, doi 10.1007/978-3-642-38856-9_13. Changed: cells have the class that they were written with, and reads at another one are any
//! value; numbers have ranges on the circle of words; states are compared in one direction only, with guesses that are taken back.

pub mod graph;

mod assume;
mod blocks;
mod chains;
mod correspondence;
mod eval;
pub mod execute;
mod form;
pub mod inclusion;
pub mod linear;
pub mod marks;
mod pointers;
mod questions;
pub mod relations;
mod split;
mod sums;
#[cfg(test)]
mod tests;

use execute::Executor;
use graph::State;
use inclusion::includes;
use std::collections::BTreeMap;
use vergo_goto::program::{FunctionId, Program};
use vergo_smt::Budget;

/// States at heads of loops.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// The states.
    pub states: Vec<State>,
}

/// Where a state is: the positions of all calls that are active.
pub type Position = Vec<(FunctionId, usize)>;

/// Where a state is.
pub fn position(state: &State) -> Position {
    state.frames.iter().map(|frame| (frame.function, frame.at)).collect()
}

/// Checks that the states show that no claim of a program fails.
///
/// # Errors
/// Returns what they fail to show.
pub(crate) fn check(program: &Program, shapes: &Shapes, budget: &Budget) -> Result<(), String> {
    let executor = Executor::new(program);
    let mut at: BTreeMap<Position, Vec<&State>> = BTreeMap::new();
    for state in &shapes.states {
        form::check(program, state)?;
        at.entry(position(state)).or_default().push(state);
    }
    let is_said = |state: &State| {
        let said = at.get(&position(state)).into_iter().flatten();
        said.into_iter().any(|wider| includes(program, wider, state))
    };
    let first = executor.first()?;
    let begins =
        if executor.is_cut(&first) { vec![first] } else { executor.run(&first, budget)? };
    if !begins.iter().all(is_said) {
        return Err("not all memories at the first loop are said".to_owned());
    }
    for state in &shapes.states {
        if budget.exhausted().is_some() {
            return Err("out of time".to_owned());
        }
        if !executor.run(state, budget)?.iter().all(is_said) {
            return Err("not all memories at a loop are said".to_owned());
        }
    }
    Ok(())
}

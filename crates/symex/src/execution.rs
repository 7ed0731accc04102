//! An execution at one moment, as a value: a copy of it is a place to go on from.

use crate::dispatch::Dispatch;
use crate::memory::{ObjectId, Objects};
use crate::state::State;
use crate::trace::Trace;
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use vergo_goto::program::{FunctionId, SymbolId};
use vergo_term::TermId;

/// All that changes while a program is executed, but for its objects: those are with the evaluator.
#[derive(Clone)]
pub(crate) struct Execution {
    pub(crate) trace: Trace,
    pub(crate) frames: Vec<Frame>,
    /// For each function, its active calls: how many of them were undecided, and the guard of the last.
    pub(crate) activations: SecondaryMap<FunctionId, Vec<(u32, TermId)>>,
    pub(crate) dispatch: Dispatch,
    /// Satisfied by the executions that have met no fault so far.
    pub(crate) fine: TermId,
    pub(crate) n_steps: u64,
    /// Jumps that some executions take and others do not.
    pub(crate) n_choices: u64,
    pub(crate) n_inputs: BTreeMap<u32, u32>,
    /// Claims that were found to hold without a question.
    pub(crate) held: FxHashSet<(FunctionId, usize)>,
}

impl Execution {
    /// An execution that has not begun; `fine` is true of all that it will be.
    pub(crate) fn new(fine: TermId) -> Execution {
        Execution {
            trace: Trace::default(),
            frames: Vec::new(),
            activations: SecondaryMap::new(),
            dispatch: Dispatch::default(),
            fine,
            n_steps: 0,
            n_choices: 0,
            n_inputs: BTreeMap::new(),
            held: FxHashSet::default(),
        }
    }
}

/// An execution up to the first time that a bound ended something: until there, one with larger bounds is the same.
pub struct Paused {
    /// The position in the last frame of the jump back at which that was.
    pub(crate) at: usize,
    pub(crate) execution: Execution,
    pub(crate) objects: Objects,
}

/// An activation of a function.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    /// The position of the instruction that is executed.
    pub(crate) at: usize,
    /// Objects that die with it.
    pub(crate) objects: Vec<ObjectId>,
    /// The objects of variables to which there can be no pointers.
    pub(crate) homes: FxHashMap<SymbolId, ObjectId>,
    /// States that wait at an instruction, all behind the present one.
    pub(crate) waiting: BTreeMap<usize, State>,
    /// States that go round when the last jump back to the head of their loop has been executed, which is at this
    /// position: none before the present one.
    pub(crate) returning: BTreeMap<usize, State>,
    /// The rounds under way of each loop, by its head.
    pub(crate) rounds: BTreeMap<usize, Rounds>,
    /// The merged state of the executions that have returned so far.
    pub(crate) returned: Option<State>,
    /// Where the result is kept: an object of the return type.
    pub(crate) result: Option<ObjectId>,
    /// True if the guide speaks of it.
    pub(crate) is_guided: bool,
}

/// Rounds of a loop.
#[derive(Clone)]
pub(crate) struct Rounds {
    /// Their sum: see [`ROUND_WITH_CHOICES`].
    pub(crate) all: u64,
    /// The number of undecided ones.
    pub(crate) undecided: u32,
    /// The state with which the present one began.
    pub(crate) began: State,
    /// The number of choices at that time.
    pub(crate) n_choices: u64,
}

impl Frame {
    pub(crate) fn new(function: FunctionId) -> Frame {
        Frame {
            function,
            at: 0,
            objects: Vec::new(),
            homes: FxHashMap::default(),
            waiting: BTreeMap::new(),
            returning: BTreeMap::new(),
            rounds: BTreeMap::new(),
            returned: None,
            result: None,
            is_guided: false,
        }
    }

    /// The next position at which a state waits, or goes round.
    pub(crate) fn next_stop(&self) -> Option<usize> {
        let waiting = self.waiting.keys().next();
        let returning = self.returning.keys().next();
        waiting.into_iter().chain(returning).min().copied()
    }
}

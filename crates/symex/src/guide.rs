//! Execution along a given way: where it says which branch to take and which function to call, only that is followed.
//!
//! A way comes from somewhere else, such as an abstraction of the program in which it leads to a violation. It says something
//! of some activations of functions only, of these of every branch; what they call besides is executed as ever. So one
//! formula says whether some execution goes this way, and it is as long as the way, not as wide as the program.

use crate::execute::Executor;
use crate::execution::Frame;
use vergo_goto::program::FunctionId;
use vergo_term::TermId;

/// The next turn of a guide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The branch at a position of a function is taken, or not.
    Branch {
        /// The function.
        function: FunctionId,
        /// The position of the jump.
        at: usize,
        /// True if it jumps.
        taken: bool,
    },
    /// The call at a position of a function is one of a function of which the way says more.
    Call {
        /// The function that calls.
        function: FunctionId,
        /// The position of the call.
        at: usize,
        /// The function that is called.
        callee: FunctionId,
    },
}

/// The progress of an execution along its guide.
#[derive(Clone, Copy, Default)]
pub(crate) struct Progress {
    /// The number of turns that it has made.
    n_turns: usize,
}

impl Executor<'_> {
    /// Checks whether the way says something of the present activation.
    pub(crate) fn is_guided(&self) -> bool {
        self.execution.frames.last().is_some_and(|frame| frame.is_guided)
    }

    /// Checks whether the way has ended, and the present activation is where it ended.
    pub(crate) fn is_at_end_of_way(&self) -> bool {
        self.is_guided() && self.guide_progress.n_turns == self.options.way.len()
    }

    /// Takes note of a turn: when an execution comes there, and when it goes on.
    pub(crate) fn note_turn(&mut self, comes: TermId, goes_on: TermId) {
        let [comes, goes_on] =
            [comes, goes_on].map(|guard| self.eval.store.and(guard, self.execution.fine));
        self.execution.trace.turns.push((comes, goes_on));
    }

    /// Returns whether the branch at a position is taken; `None` if the guide does not speak of it.
    pub(crate) fn turn_at_branch(&mut self, at: usize) -> Option<bool> {
        let function = self.execution.frames.last().filter(|frame| frame.is_guided)?.function;
        match self.options.way.get(self.guide_progress.n_turns) {
            Some(&Turn::Branch { function: there, at: where_to, taken })
                if (there, where_to) == (function, at) =>
            {
                self.guide_progress.n_turns += 1;
                Some(taken)
            }
            _ => None,
        }
    }

    /// The function that the call under way is one of; `None` if the way says nothing of it.
    pub(crate) fn turn_at_call(&mut self) -> Option<FunctionId> {
        let &Frame { function, at, .. } =
            self.execution.frames.last().filter(|frame| frame.is_guided)?;
        match self.options.way.get(self.guide_progress.n_turns) {
            Some(&Turn::Call { function: there, at: where_to, callee })
                if (there, where_to) == (function, at) =>
            {
                self.guide_progress.n_turns += 1;
                Some(callee)
            }
            _ => None,
        }
    }
}

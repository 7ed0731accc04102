//! Programs all of whose executions the interpreter can see: every schedule of their threads.
//!
//! **Soundness.** [`vergo_interp::explore`] tries every schedule, and every value where a program chooses among few. It ends without
//! an answer at choices among many values and at scalars that nobody has written. What the interpreter decides on its own does
//! not matter to the programs that are accepted here ([`Independence`]). Whether there is a race is asked of single states, which is
//! enough where all that is atomic is ordered, so not with relaxed operations.

use crate::counterexample::watched;
use crate::independence::Independence;
use vergo_goto::program::Program;
use vergo_interp::{Explored, Options};
use vergo_num::MemoryOrder;
use vergo_smt::Budget;

/// Executes a program in every way.
pub(crate) fn explore(program: &Program, budget: &Budget) -> Explored {
    if Independence::of(program).is_none() {
        return Explored::Unknown("executions may depend on addresses or the outside".to_owned());
    }
    if program.asks_for_races() && program.orders().any(|order| order == MemoryOrder::Relaxed) {
        return Explored::Unknown("relaxed atomic operations order nothing".to_owned());
    }
    vergo_interp::explore(program, Options { stop: Some(watched(budget)), ..Options::default() })
}

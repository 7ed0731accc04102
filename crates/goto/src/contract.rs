//! Names by which lowering and passes agree about contracts: variables that only verification has, and functions without
//! a body whose calls mark places.

/// A flag that is set while the body that is checked against its contract runs.
pub const FRAME: &str = "__vergo_frame";
/// Where memory begins that this body may write; the variable with the same number has the size.
pub const TARGET_POINTER: &str = "__vergo_target_pointer";
/// The number of bytes of it.
pub const TARGET_SIZE: &str = "__vergo_target_size";
/// A pointer that a contract calls fresh.
pub const FRESH: &str = "__vergo_fresh";
/// Where the body that is checked keeps the address of a variable or block of its own.
pub const OWN: &str = "__vergo_own";
/// Before a loop with a contract whose clauses say what it writes: the arguments are pointers, each with a size.
pub const LOOP_ASSIGNS: &str = "__vergo_loop_assigns_";
/// Before a loop with a contract, where everything that the loop writes gets any value; the loop's number follows.
pub const LOOP_BEGIN: &str = "__vergo_loop_begin_";
/// The beginning of a round.
pub const LOOP_HEAD: &str = "__vergo_loop_head_";
/// The end of a round.
pub const LOOP_END: &str = "__vergo_loop_end_";

/// The prefix of variables that are always true, and that loops over the range of a quantifier test first: such loops
/// are unrolled to the end of the range at once. A number follows.
pub const RANGE: &str = "__vergo_range_";

/// Returns whether a name is one of those above, or was made from one of them to be unique.
pub fn is_ghost(name: &str) -> bool {
    [FRAME, TARGET_POINTER, TARGET_SIZE, FRESH, OWN].iter().any(|ghost| {
        name.strip_prefix(ghost).is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    })
}

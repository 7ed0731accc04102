//! Programs with a fixed number of threads as programs without: one loop in which threads take turns.
//!
//! **Idea.** The code of each thread, with all calls replaced by what they call, is a *strand* ([`strands`]); all strands stand in one
//! function, each with a variable for the place where it goes on. Between two turns of a strand are its steps up to the next one that
//! others can see. If the claims of that program hold, those of the program with threads do: whoever has no violation in any order
//! of turns has none in any order of steps, since what others cannot see may be done at any time before the next step that they can.
//!
//! **Whose turn it is** ([`Order`]). In general the next strand is any. If no two strands that were started access the same memory, one of
//! them writing, all orders are alike, and one is enough: each strand goes on to its next loop head, one after the other. So loops
//! that do the same go hand in hand, and what relates their variables is an invariant that is easy to find and to state.
//!
//! **The first thread** sets up what the others work with, and looks at it when they have ended. That it does neither while one of these
//! runs is a claim of the program ([`PROPERTY`]), so that its accesses need no turn of their own.
//!
//! **Soundness.** *Any order.* A turn ends behind each step that others can see: an access, or an atomic section with one, of memory that
//! another strand accesses, one of both writing; a start of a thread; the end. What comes before it in the turn is seen by nobody else, so a turn that is
//! not completed (an assumption fails, the program ends, a loop does not) may as well not have begun. That a strand ends is seen by who waits
//! for it only, so what it does after its last step that others see is done then, in the turn of who waits. *One order.* Strands that share nothing
//! do the same in any order, so that each gets as far in the program without threads as in any execution, provided that
//! nobody keeps the others from going on: every loop has the end of a turn in it, and a strand that waits for ever or
//! would end the program just stops. What memory a place can be in is found by an analysis of pointers that does not depend on the order in
//! which strands run (`vergo_analysis::points_to`).
//!
//! **Source.** L. Lamport, F. Schneider, *Pretending atomicity*, 1989, for steps that are put together; A. Farzan, A. Vandikas, *Reductions
//! for safety proofs*, POPL 2020, doi 10.1145/3371081, for choosing the order that makes a proof easy.

mod emit;
mod strands;
mod tidy;

use std::collections::BTreeSet;
use strands::Strands;
use vergo_analysis::points_to::{ObjectId, Origin, PointsTo};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Instr, InstrKind, Program};
use vergo_goto::rewrite::Role;
use vergo_goto::types::Type;

/// The property of claims that are part of a proof.
pub const PROPERTY: &str = "thread.product";

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Any strand's.
    Any,
    /// One strand after the other, each up to its next loop head.
    Loops,
    /// One strand after the other, each up to its next loop head or behind its next write of a static variable.
    Writes,
}

/// Makes the program without threads.
///
/// # Errors
/// Returns the construct that cannot be followed.
pub fn build(program: &Program, order: Order) -> Result<Program, String> {
    let strands = Strands::of(program)?;
    let seen = Footprints::of(&strands)?;
    if order != Order::Any && seen.conflicts() {
        return Err("threads that share memory have no order of their own".into());
    }
    let built = emit::emit(&strands, Some(&seen), order)?;
    match vergo_goto::verify::verify(&built) {
        Ok(()) => Ok(built),
        Err(errors) => {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            Err(format!("the program without threads is not well formed: {first}"))
        }
    }
}

/// The objects that an instruction accesses.
#[derive(Default, Clone)]
struct Footprint {
    reads: BTreeSet<ObjectId>,
    writes: BTreeSet<ObjectId>,
}

impl Footprint {
    fn is_in_conflict(&self, other: &Footprint) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }

    fn extend(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }
}

/// The objects that strands access.
struct Footprints {
    /// For each strand and instruction.
    of: Vec<Vec<Footprint>>,
    /// For each strand.
    all: Vec<Footprint>,
}

impl Footprints {
    fn of(strands: &Strands) -> Result<Footprints, String> {
        let all = emit::emit(strands, None, Order::Any)?;
        let pointers = PointsTo::of(&all);
        let mut footprints = Footprints { of: Vec::new(), all: Vec::new() };
        for body in &strands.bodies {
            let reached = strands::sections(body, &|_| false)?;
            let of_one = |(instr, reached): (&Instr, Option<(u32, bool)>)| match reached {
                Some(_) => footprint(&all, &pointers, &instr.kind),
                None => Ok(Footprint::default()),
            };
            let of = body.iter().zip(reached).map(of_one).collect::<Result<Vec<_>, String>>()?;
            let mut whole = Footprint::default();
            of.iter().for_each(|one| whole.extend(one));
            footprints.of.push(of);
            footprints.all.push(whole);
        }
        Ok(footprints)
    }

    /// Checks whether strands that were started access the same, one of them writing.
    fn conflicts(&self) -> bool {
        let started = &self.all[1..];
        let pair = |(i, a): (usize, &Footprint)| started[..i].iter().any(|b| a.is_in_conflict(b));
        started.iter().enumerate().any(pair)
    }

    /// Checks whether a strand other than the first and this one sees an instruction of it.
    fn is_seen(&self, strand: usize, at: usize) -> bool {
        let own = &self.of[strand][at];
        let others = self.all.iter().enumerate().skip(1).filter(|(i, _)| *i != strand);
        strand != 0 && others.into_iter().any(|(_, other)| own.is_in_conflict(other))
    }

    /// The strands that an instruction of the first one must not run beside.
    fn apart(&self, at: usize) -> Vec<usize> {
        let own = &self.of[0][at];
        (1..self.all.len()).filter(|&k| own.is_in_conflict(&self.all[k])).collect()
    }
}

/// What an instruction accesses.
fn footprint(
    program: &Program,
    pointers: &PointsTo,
    instr: &InstrKind,
) -> Result<Footprint, String> {
    let mut footprint = Footprint::default();
    let mut flaw = None;
    let mut add = |objects: Vec<ObjectId>, writes: bool| {
        for object in objects {
            match pointers.origin(object) {
                Origin::Outside => flaw = Some("memory behind pointers of unknown origin"),
                Origin::Function(_) => {}
                _ if writes => drop(footprint.writes.insert(object)),
                _ => drop(footprint.reads.insert(object)),
            }
        }
    };
    let mut is_known = true;
    // The objects that a place can be in; its pointers and indices are values that are read.
    let mut of_place = |mut place: ExprId, read: &mut Vec<ExprId>| -> Vec<ObjectId> {
        loop {
            match *program.exprs.kind(place) {
                ExprKind::Symbol(symbol) => {
                    is_known &= pointers.variable(symbol).is_some();
                    return pointers.variable(symbol).into_iter().collect();
                }
                ExprKind::Deref(pointer) => {
                    read.push(pointer);
                    return pointers.targets(pointer);
                }
                ExprKind::Index(base, index) => {
                    read.push(index);
                    place = base;
                }
                ExprKind::Member(base, _) => place = base,
                _ => {
                    read.push(place);
                    return Vec::new();
                }
            }
        }
    };
    let mut pending = Vec::new();
    instr.for_each_expr(|expr, role| match role {
        Role::Write => add(of_place(expr, &mut pending), true),
        Role::Read => pending.push(expr),
    });
    while let Some(expr) = pending.pop() {
        match program.exprs.kind(expr) {
            kind if kind.is_place() => add(of_place(expr, &mut pending), false),
            ExprKind::AddressOf(place) => drop(of_place(*place, &mut pending)),
            kind => {
                if let ExprKind::Memory(_, operands) = kind {
                    let is_pointer = |e: &&ExprId| matches!(program.type_of(**e), Type::Ptr(_));
                    let of = operands.iter().filter(is_pointer);
                    of.for_each(|&pointer| add(pointers.targets(pointer), false));
                }
                kind.for_each_child(|child| pending.push(child));
            }
        }
    }
    match instr {
        InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
            add(pointers.variable(*symbol).into_iter().collect(), true);
        }
        InstrKind::Free(pointer, _) => add(pointers.targets(*pointer), true),
        InstrKind::Intrinsic { op, args, .. } => {
            for block in op.blocks() {
                let cells = args.get(block.pointer).map_or(&[][..], |&at| pointers.block(at));
                let objects = cells.iter().map(|&cell| pointers.object(cell)).collect();
                add(objects, block.access == vergo_goto::program::Access::Write);
            }
        }
        _ => {}
    }
    match flaw.or((!is_known).then_some("a variable that the analysis does not know")) {
        Some(flaw) => Err(flaw.to_owned()),
        None => Ok(footprint),
    }
}

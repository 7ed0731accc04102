//! Proofs about one thread at a time of what any number of threads claim, and their check.
//!
//! **Idea.** Memory that threads share is protected by a lock, by being accessed in single steps, or by the first thread
//! being alone ([`cells`]). A proof says what holds of the cells of a lock whenever nobody holds it ([`Fact`]), and by how much
//! each thread changes a cell, while it runs and when it has ended ([`Share`]). From these a program without threads is made
//! ([`build`]): where a thread takes a lock, the cells get any values of which the facts hold; where it gives the lock back, that they hold
//! is claimed; where a thread is started, the execution goes on with either of the two threads. If no claim of that
//! program can be violated, none of the program with threads can: suppose that somebody violates one for the first
//! time. Until then everybody has given every lock back with its facts, so the thread that violates the claim has seen
//! nothing but values that its execution in the other program can see, too.
//!
//! **Shares.** A cell changes only while a thread owns it, so its value is the one that it had when the first thread was last alone with it,
//! plus what each thread has changed it by since. What a thread has changed so far is a variable of the program
//! without threads, and that it stays within the bounds of its share is claimed. So the values that others can leave
//! are known, from how many threads there are: those that were started, or, for a thread that does not know, as many as can be.
//! When the first thread has waited for all, all shares are those of threads that have ended.
//!
//! **Source.** S. Owicki, D. Gries, *Verifying properties of parallel programs: an axiomatic approach*, CACM 1976, doi
//! 10.1145/360051.360224, for invariants of what is shared; C. Flanagan, S. Qadeer, *Thread-modular model checking*, SPIN 2003, doi
//! 10.1007/3-540-44829-2_14; M. Schwarz et al., *Improving thread-modular abstract interpretation*, SAS 2021, doi
//! 10.1007/978-3-030-88806-0_18, for invariants of locks. Shares instead of auxiliary variables of each thread are our own.
//!
//! **Soundness.** Facts about threads, which locks they hold and who can run, are checked as for races
//! ([`crate::race_freedom`]); cells, groups and the program are made here. That the program without threads is
//! safe needs a certificate of its own.

pub mod build;
pub mod cells;
mod effects;
mod results;

use crate::race_freedom::{Proof as Facts, check_facts};
use build::{Built, Purpose, largest_change};
use cells::{CellId, Layout};
use std::collections::BTreeSet;
use vergo_goto::program::Program;

/// A sum of cells, each times a constant, is at least a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Linear {
    /// The constants and cells.
    pub terms: Vec<(i32, CellId)>,
    /// The bound.
    pub at_least: i128,
}

/// Something that holds of the cells of a group whenever nobody owns it: one of these.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fact {
    /// The possibilities.
    pub any_of: Vec<Linear>,
}

/// By how much each thread of a class changes a cell, at least and at most.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// The cell.
    pub cell: CellId,
    /// The class.
    pub class: u32,
    /// At all times.
    pub running: (i128, i128),
    /// When a thread has ended.
    pub ended: (i128, i128),
}

impl Fact {
    /// The cells that it speaks of.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        self.any_of.iter().flat_map(|linear| linear.terms.iter().map(|(_, cell)| *cell))
    }
}

/// The reason why no thread violates a claim, if the program without threads has no violation.
#[derive(Clone, Debug)]
pub struct Proof {
    /// Facts about threads.
    pub facts: Facts,
    /// The facts about cells.
    pub invariants: Vec<Fact>,
    /// By how much threads change them.
    pub shares: Vec<Share>,
}

/// Bounds beyond this are not for 128 bits.
const MAX_BOUND: i128 = 1 << 66;
/// A fact has no more terms than this.
const MAX_TERMS: usize = 16;

/// Shared memory of a program, for those who look for proofs.
///
/// # Errors
/// Returns the construct that cannot be followed, or the flaw in the facts.
pub fn layout(program: &Program, facts: &Facts) -> Result<Layout, String> {
    let flow = check_facts(program, facts)?;
    Layout::of(program, facts, &flow)
}

/// Checks what a proof says about threads, and makes the program without threads.
///
/// # Errors
/// Returns the flaw, or the construct that cannot be followed.
pub fn build(program: &Program, proof: &Proof, purpose: Purpose) -> Result<Built, String> {
    let flow = check_facts(program, &proof.facts)?;
    let layout = Layout::of(program, &proof.facts, &flow)?;
    let is_number = |cell: CellId| {
        layout.cells.get(cell).is_some_and(|of| of.group.is_some())
            && build::is_number(program, &layout, cell)
    };
    let fits = |bound: i128| bound.checked_abs().is_some_and(|bound| bound <= MAX_BOUND);
    for fact in &proof.invariants {
        let groups: BTreeSet<_> =
            fact.cells().map(|cell| layout.cells.get(cell).and_then(|of| of.group)).collect();
        let sums = fact.any_of.iter();
        let is_small = sums.clone().all(|sum| fits(sum.at_least) && sum.terms.len() <= MAX_TERMS);
        if groups.len() != 1 || !fact.cells().all(is_number) || !is_small {
            return Err("a fact is not about numbers that one lock protects".into());
        }
    }
    for share in &proof.shares {
        let Share { cell, running, ended, .. } = *share;
        let bounds = [running.0, running.1, ended.0, ended.1];
        let has_zero = running.0 <= 0 && 0 <= running.1;
        let limit = if is_number(cell) { largest_change(program, &layout, cell) } else { -1 };
        if !has_zero || !bounds.into_iter().all(|bound| (-limit..=limit).contains(&bound)) {
            return Err("a share is not one of a number that a lock protects".into());
        }
        // Whoever accesses the group has a share, so that all are claimed.
        let group = layout.cells[cell].group.unwrap_or_default();
        let mut others = layout.groups[group].accessors.iter().copied().chain([0]);
        if !others.all(|class| proof.shares.iter().any(|s| (s.cell, s.class) == (cell, class))) {
            return Err("a share is missing".into());
        }
    }
    let parts = (&proof.invariants[..], &proof.shares[..]);
    let built = build::build(program, &proof.facts, &flow, &layout, parts, purpose)?;
    match vergo_goto::verify::verify(&built.program) {
        Ok(()) => Ok(built),
        Err(errors) => {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            Err(format!("the program without threads is not well formed: {first}"))
        }
    }
}

/// Describes a proof's facts about cells in words.
pub(crate) fn describe(program: &Program, proof: &Proof) -> Result<Vec<String>, String> {
    let layout = layout(program, &proof.facts)?;
    let sum = |linear: &Linear| {
        let mut text = String::new();
        for &(coefficient, cell) in &linear.terms {
            let name = layout.name(program, cell);
            let sign = match (text.is_empty(), coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += sign;
            match coefficient.unsigned_abs() {
                1 => text += &name,
                n => text += &format!("{n} * {name}"),
            }
        }
        match linear.terms[..] {
            [(-1, cell)] => {
                format!("{} <= {}", layout.name(program, cell), -linear.at_least)
            }
            _ => format!("{text} >= {}", linear.at_least),
        }
    };
    let fact = |fact: &Fact| fact.any_of.iter().map(sum).collect::<Vec<_>>().join(" or ");
    let mut texts: Vec<String> = proof.invariants.iter().map(fact).collect();
    for share in proof.shares.iter().filter(|share| share.class != 0 && share.running != (0, 0)) {
        let name = layout.name(program, share.cell);
        texts.push(match share.ended {
            (least, most) if least == most => format!("each thread adds {least} to {name}"),
            (least, most) => format!("each thread adds {least} to {most} to {name}"),
        });
    }
    texts.dedup();
    Ok(texts)
}

//! Definition 3.15 and algorithm 1: programs, their loops, and their execution.

use super::expr::{Expr, eval_expr};
use super::value::{Env, Symbol};

/// Definition 3.15: an instruction. A program is a list of these; targets are indices that count from 0, and a target
/// beyond the last instruction ends the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Instr {
    /// The symbol becomes the value of the expression.
    Assign(Symbol, Expr),
    /// Ends the program as safe if the expression is false.
    Assume(Expr),
    /// Ends the program as unsafe if the expression is false.
    Assert(Expr),
    /// Goes to the instruction if the expression is true.
    IfThenGoto(Expr, usize),
}

/// Section 3.3.2: a loop `⟨l_s, l_e⟩`, the target of a backward jump and the jump itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Loop {
    /// The first instruction.
    pub start: usize,
    /// The backward jump.
    pub end: usize,
}

/// Algorithm 1: all backward jumps.
///
/// As printed the loop runs while `pc ≤ length(I)` and so reads `I[length(I)]`; here it stops before.
pub fn extract_loops(program: &[Instr]) -> Vec<Loop> {
    let mut loops = Vec::new();
    let mut pc = 0;
    while pc < program.len() {
        if let Instr::IfThenGoto(_, target) = program[pc]
            && target <= pc
        {
            loops.push(Loop { start: target, end: pc });
        }
        pc += 1;
    }
    loops
}

/// The number of times that each backward jump of a program has been taken.
///
/// The thesis leaves open what a bound of `k` means for a loop inside a loop (algorithm 3 hands the number of the
/// iteration down as the bound, the appendix the rest of the bound). Here, as in the tools that the thesis abstracts,
/// each loop is bounded for itself, anew each time it is entered: a backward jump may be taken `k` times in a row, until
/// control leaves the loop. Example 3.14 with `k = 2` unwinds twice and so runs the body up to three times.
///
/// Loops that cross each other without one containing the other count as one for this purpose; without that, a path
/// could go round through both for ever and reset each by the other.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Counts(Vec<u64>);

/// The loops of a program with the ranges that reset their counts.
#[derive(Clone, Debug)]
pub struct Bounds {
    loops: Vec<Loop>,
    regions: Vec<Loop>,
    k: u64,
}

impl Bounds {
    /// The loops of a program, each bounded by `k`.
    pub fn new(program: &[Instr], k: u64) -> Bounds {
        let loops = extract_loops(program);
        let mut regions = loops.clone();
        // Two ranges cross if they share an instruction and neither contains the other.
        let cross = |a: Loop, b: Loop| a.start < b.start && b.start <= a.end && a.end < b.end;
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..regions.len() {
                for j in 0..regions.len() {
                    if cross(regions[i], regions[j]) {
                        let both = Loop { start: regions[i].start, end: regions[j].end };
                        regions[i] = both;
                        regions[j] = both;
                        changed = true;
                    }
                }
            }
        }
        Bounds { loops, regions, k }
    }

    /// No jump taken yet.
    pub fn start(&self) -> Counts {
        Counts(vec![0; self.loops.len()])
    }

    /// The counts after going from one instruction to another, `None` if the bound forbids it. `jump` tells a jump from
    /// falling through.
    pub fn step(&self, counts: &Counts, from: usize, to: usize, jump: bool) -> Option<Counts> {
        let mut counts = counts.clone();
        for (i, (l, region)) in self.loops.iter().zip(&self.regions).enumerate() {
            if jump && l.end == from && l.start == to {
                if counts.0[i] >= self.k {
                    return None;
                }
                counts.0[i] += 1;
            }
            if to < region.start || to > region.end {
                counts.0[i] = 0;
            }
        }
        Some(counts)
    }
}

/// The end of a bounded execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// After the last instruction.
    End,
    /// At an assumption that is false.
    Blocked,
    /// At a backward jump that the bound forbids.
    BoundReached,
    /// At an assertion that is false.
    Violation {
        /// The assertion.
        pc: usize,
    },
}

impl Outcome {
    /// Returns whether the execution shows the program unsafe.
    pub fn is_unsafe(self) -> bool {
        matches!(self, Outcome::Violation { .. })
    }
}

/// Executes a program in an environment, taking backward jumps as often as [`Bounds`] allow. This is the meaning of
/// section 3.3.1 in words; the thesis itself defines programs through their traces.
pub fn run(program: &[Instr], k: u64, env: &Env) -> Outcome {
    let bounds = Bounds::new(program, k);
    let mut counts = bounds.start();
    let mut env = env.clone();
    let mut pc = 0;
    while let Some(instr) = program.get(pc) {
        let mut to = pc + 1;
        let mut jump = false;
        match instr {
            Instr::Assign(s, e) => env = env.update(s, eval_expr(e, &env)),
            Instr::Assume(e) => {
                if !eval_expr(e, &env).is_true() {
                    return Outcome::Blocked;
                }
            }
            Instr::Assert(e) => {
                if !eval_expr(e, &env).is_true() {
                    return Outcome::Violation { pc };
                }
            }
            Instr::IfThenGoto(e, target) => {
                if eval_expr(e, &env).is_true() {
                    (to, jump) = (*target, true);
                }
            }
        }
        match bounds.step(&counts, pc, to, jump) {
            Some(next) => counts = next,
            None => return Outcome::BoundReached,
        }
        pc = to;
    }
    Outcome::End
}

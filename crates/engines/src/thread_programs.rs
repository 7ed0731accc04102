//! Random programs of threads, whose verdicts are those of a search over all schedules.

use crate::{Environment, OnViolation, Task, Unrolling};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;
use vergo_evidence::{Certify, Verdict};
use vergo_smt::Budget;

/// The operation of a thread in a step; a thread has one variable of its own.
#[derive(Clone, Copy, Debug)]
enum Op {
    Load(usize),
    /// A constant is added to the own variable, and that is stored.
    Store(usize, i32),
    /// A constant is stored.
    Set(usize, i32),
    /// A swap with the own variable.
    Swap(usize),
    Lock,
    Unlock,
    /// If the own variable is not a constant, the rest is left out.
    Only(i32),
    /// The own variable is not a constant.
    Claim(i32),
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn thread(&mut self) -> Vec<Op> {
        let mut ops = Vec::new();
        let mut locked = false;
        for _ in 0..2 + self.below(3) {
            let place = self.below(2) as usize;
            let value = self.below(3) as i32;
            ops.push(match self.below(8) {
                0 | 1 => Op::Load(place),
                2 | 3 => Op::Store(place, value),
                4 => Op::Set(place, value),
                5 => Op::Swap(place),
                6 if locked => Op::Unlock,
                6 => Op::Lock,
                _ if self.below(2) == 0 => Op::Only(value),
                _ => Op::Claim(value),
            });
            locked = match ops.last() {
                Some(Op::Lock) => true,
                Some(Op::Unlock) => false,
                _ => locked,
            };
        }
        if locked {
            ops.push(Op::Unlock);
        }
        ops
    }
}

/// Checks whether a claim fails in some schedule, by trying all; the claim of the end is about the first place.
fn fails(threads: &[Vec<Op>], end: i32) -> bool {
    // Positions, own variables, places, lock.
    type State = (Vec<usize>, Vec<i32>, [i32; 2], bool);
    let first: State = (vec![0; threads.len()], vec![0; threads.len()], [0; 2], false);
    let mut seen = BTreeSet::from([first.clone()]);
    let mut pending = vec![first];
    while let Some(state) = pending.pop() {
        if state.0.iter().zip(threads).all(|(&at, ops)| at == ops.len()) && state.2[0] == end {
            return true;
        }
        for (i, ops) in threads.iter().enumerate() {
            let mut next = state.clone();
            let Some(&op) = ops.get(state.0[i]) else { continue };
            next.0[i] += 1;
            match op {
                Op::Load(place) => next.1[i] = next.2[place],
                Op::Store(place, value) => next.2[place] = next.1[i] + value,
                Op::Set(place, value) => next.2[place] = value,
                Op::Swap(place) => std::mem::swap(&mut next.1[i], &mut next.2[place]),
                Op::Lock if state.3 => continue,
                Op::Lock => next.3 = true,
                Op::Unlock => next.3 = false,
                Op::Only(value) if next.1[i] != value => next.0[i] = ops.len(),
                Op::Claim(value) if next.1[i] == value => return true,
                Op::Only(_) | Op::Claim(_) => {}
            }
            if seen.insert(next.clone()) {
                pending.push(next);
            }
        }
    }
    false
}

/// The same program as GOTO.
fn text(threads: &[Vec<Op>], end: i32) -> String {
    let mut text = "entry main; static x0: i32 align 4 = {}; static x1: i32 align 4 = {};
                    static m: i32 align 4 = {};\n"
        .to_owned();
    let (mut starts, mut joins) = (String::new(), String::new());
    for (i, ops) in threads.iter().enumerate() {
        let _ = write!(
            text,
            "function f{i}: fn(void*) -> void* labels 1 {{ param arg{i}: void* align 8;
             local o{i}: i32 align 4; local s{i}: i32 align 4; decl o{i}; decl s{i}; o{i} := 0i32; "
        );
        for op in ops {
            let _ = match op {
                Op::Load(place) => write!(text, "o{i} := x{place}; "),
                Op::Store(place, value) => write!(text, "x{place} := o{i} + {value}i32; "),
                Op::Set(place, value) => write!(text, "x{place} := {value}i32; "),
                Op::Swap(place) => write!(
                    text,
                    "atomic_begin; s{i} := x{place}; x{place} := o{i}; o{i} := s{i}; atomic_end; "
                ),
                Op::Lock => write!(text, "atomic_begin; assume m == 0i32; m := 1i32; atomic_end; "),
                Op::Unlock => write!(text, "m := 0i32; "),
                Op::Only(value) => write!(text, "if o{i} != {value}i32 goto L0; "),
                Op::Claim(value) => write!(text, "assert o{i} != {value}i32 \"p\" \"own\"; "),
            };
        }
        let _ = writeln!(text, "L0: return arg{i}; }}");
        let _ = write!(starts, "t{i} := spawn f{i}(#null<void*>); ");
        let _ = write!(joins, "join t{i}; ");
    }
    let declarations: Vec<String> =
        (0..threads.len()).map(|i| format!("local t{i}: u64 align 8;")).collect();
    let lives: Vec<String> = (0..threads.len()).map(|i| format!("decl t{i};")).collect();
    let _ = write!(
        text,
        "function main: fn() -> void {{ {} {} {starts} {joins}
         assert x0 != {end}i32 \"p\" \"end\"; end 0i32; }}",
        declarations.join(" "),
        lives.join(" ")
    );
    text
}

/// Compares verdicts of an engine with the search over schedules; gives how many were `true` and how many unknown.
pub(crate) fn compare(
    run: fn(&Task<'_>, &Environment<'_>) -> Verdict,
    seed: u64,
    n: u32,
) -> (u32, u32) {
    let mut random = Random(seed);
    let (mut n_true, mut n_unknown) = (0, 0);
    for number in 0..n {
        let n_threads = 2 + random.below(2);
        let threads: Vec<Vec<Op>> = (0..n_threads).map(|_| random.thread()).collect();
        let end = random.below(5) as i32;
        let source = text(&threads, end);
        let program = vergo_goto::text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
        let (on_violation, certify) = (OnViolation::Stop, Certify::Off);
        let unrolling = Unrolling::default();
        let goal = crate::Goal::Safety;
        let task = Task {
            program: &program,
            goal,
            unrolling: &unrolling,
            on_violation,
            certify,
            abstraction: None,
        };
        let budget = Budget::within(Duration::from_secs(60));
        let verdict = run(&task, &Environment { budget, progress: &|_| {} });
        let wanted = fails(&threads, end);
        match verdict {
            Verdict::True(_) => assert!(!wanted, "{number}\n{source}"),
            Verdict::False(_) => assert!(wanted, "{number}\n{source}"),
            Verdict::Unknown(_) => n_unknown += 1,
        }
        n_true += u32::from(!wanted);
    }
    (n_true, n_unknown)
}

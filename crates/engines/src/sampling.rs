//! Concrete executions: simple inputs first, then random ones.
//!
//! **Idea.** A loop of a hundred thousand rounds is a large formula and a short execution. Many bugs show themselves in any
//! execution, or in those with very simple inputs; and a program that makes no choices has only one execution, which
//! decides it. Other programs are executed with inputs that are all equal, rising, falling, small or random. No execution is
//! given many steps before all others had as many: they grow by rounds.
//!
//! **Soundness.** `false` is an execution of the interpreter. `true` is for programs whose only execution was seen to its
//! end; `evidence` says which these are.

use crate::features::Features;
use crate::{Environment, Task};
use std::cell::Cell;
use std::rc::Rc;
use vergo_evidence::{Certificate, Certify, Counterexample, Mismatch, Reason, Verdict};
use vergo_interp::{
    InputType, InputValue, Inputs, Outcome, Request, Schedule, SeedInputs,
};
use vergo_num::{BitVec, Float, RoundingMode};

/// The elementary steps of each execution in the first round, and how they grow from round to round.
const FIRST_STEPS: u64 = 4_000_000;
const GROWTH: u64 = 4;
/// An execution that needs more steps than this is given up, and all are after so many rounds.
const MAX_STEPS: u64 = 1_000_000_000;
const MAX_ROUNDS: u64 = 10;

/// Random executions of each kind in the first round, twice as many in the next; and if there are executions that need
/// more steps.
const SEEDS: u64 = 4;
const FEW_SEEDS: u64 = 1;

/// The numbers below this are small.
const SMALL: u64 = 12;

/// Where inputs come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// From one number on in equal steps.
    Steps { first: i64, step: i64 },
    /// Small numbers.
    Small { seed: u64 },
    /// Small, extreme and any numbers.
    Any { seed: u64 },
}

/// The sources of the first round: what people try first.
const SIMPLE: &[Source] = &[
    Source::Steps { first: 0, step: 0 },
    Source::Steps { first: 1, step: 0 },
    Source::Steps { first: 0, step: -1 },
    Source::Steps { first: 1, step: 1 },
];

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("executions have no proofs for others to check"));
    }
    if !Features::of(task.program).choices {
        return execute_once(task, env);
    }
    let mut steps = FIRST_STEPS;
    let mut seed = 0;
    // Sources whose executions took too long; they get more time in the next round.
    let mut unfinished: Vec<Source> = SIMPLE.to_vec();
    for round in 0..MAX_ROUNDS {
        let mut sources = std::mem::take(&mut unfinished);
        if round > 0 {
            let n_seeds = if sources.is_empty() { SEEDS << round } else { FEW_SEEDS };
            for _ in 0..n_seeds {
                sources.extend([Source::Small { seed }, Source::Any { seed }]);
                seed += 1;
            }
        }
        for (number, &source) in sources.iter().enumerate() {
            if let Some(reason) = env.budget.exhausted() {
                return Verdict::Unknown(reason.into());
            }
            let asked = Rc::new(Cell::new(false));
            let stream = source.stream(Rc::clone(&asked));
            let found = Counterexample::search(task.program, stream, Schedule::RoundRobin, steps, &env.budget);
            let outcome = match found {
                Ok(counterexample) => return Verdict::False(Box::new(counterexample)),
                Err(mismatch) => mismatch.outcome,
            };
            let is_over = !matches!(outcome, Outcome::LimitReached { .. });
            match (is_over, asked.get()) {
                (true, true) => {}
                (false, false) if steps >= MAX_STEPS => return nothing_found(env),
                (false, true) if steps >= MAX_STEPS => {}
                (false, true) => unfinished.push(source),
                // Whatever the source, the execution is the same.
                (true, false) => return only_execution(task, env),
                (false, false) => {
                    unfinished.extend(&sources[number..]);
                    break;
                }
            }
        }
        steps = (steps * GROWTH).min(MAX_STEPS);
    }
    nothing_found(env)
}

/// A program that asks for nothing has one execution, which may be as long as it likes.
fn execute_once(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    let stream = SIMPLE[0].stream(Rc::default());
    match Counterexample::search(task.program, stream, Schedule::RoundRobin, u64::MAX, &env.budget) {
        Ok(counterexample) => Verdict::False(Box::new(counterexample)),
        Err(Mismatch { outcome: Outcome::LimitReached { .. } }) => nothing_found(env),
        Err(_) => only_execution(task, env),
    }
}

fn nothing_found(env: &Environment<'_>) -> Verdict {
    Verdict::Unknown(match env.budget.exhausted() {
        Some(reason) => reason.into(),
        None => Reason::incomplete("no execution that was tried violates a claim"),
    })
}

/// The verdict on a program whose execution asked for nothing and ended without a violation.
fn only_execution(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    match Certificate::only_execution(task.program, &env.budget) {
        Some(certificate) => Verdict::True(certificate),
        None => nothing_found(env),
    }
}

impl Source {
    /// The inputs; says so when it is asked for one.
    pub(crate) fn stream(self, asked: Rc<Cell<bool>>) -> impl Inputs {
        let seed = match self {
            Source::Small { seed } | Source::Any { seed } => seed,
            Source::Steps { .. } => 0,
        };
        let mut random = SeedInputs::new(seed);
        let mut next = match self {
            Source::Steps { first, .. } => first,
            _ => 0,
        };
        move |request: &Request<'_>| {
            asked.set(true);
            let number = match self {
                Source::Any { .. } => return random.choose(request).map(some_alike),
                Source::Small { .. } => {
                    let word = Request { ty: InputType::Bytes(2), ..request.clone() };
                    match random.choose(&word)? {
                        InputValue::Bytes(bytes) => bytes
                            .iter()
                            .fold(0, |number, &byte| (number << 8 | u64::from(byte)) % SMALL)
                            as i64,
                        _ => 0,
                    }
                }
                Source::Steps { step, .. } => {
                    let number = next;
                    next = next.wrapping_add(step);
                    number
                }
            };
            Ok(value(request.ty, number))
        }
    }
}

/// A number as an input.
fn value(ty: InputType, number: i64) -> InputValue {
    match ty {
        InputType::Bool => InputValue::Bool(number & 1 == 1),
        InputType::Int(_, width) => InputValue::Int(BitVec::from_i64(width, number)),
        InputType::Float(format) => {
            let number = BitVec::from_i64(64, number);
            InputValue::Float(Float::from_signed(format, RoundingMode::NearestEven, &number))
        }
        // Texts that end late go wrong more often than short ones.
        InputType::Bytes(size) => InputValue::Bytes(vec![number as u8; usize::try_from(size).unwrap_or(0)]),
        InputType::Pointer(_) => InputValue::zero(ty),
    }
}

/// Random bytes, or as many that are all alike, as the first of them says.
fn some_alike(mut value: InputValue) -> InputValue {
    if let InputValue::Bytes(bytes) = &mut value
        && let [first, second, ..] = bytes[..]
        && first % 2 == 0
    {
        bytes.fill(second);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OnViolation;
    use std::time::Duration;
    use vergo_smt::Budget;

    fn verdict(body: &str, time: Duration) -> Verdict {
        let source = format!(
            "entry main; sites 1;
             function main: fn() -> void labels 3 {{
                 local x: i32 align 4;
                 local y: i32 align 4;
                 local n: i32 align 4;
                 decl x; decl y; decl n; {body} end 0i32;
             }}"
        );
        let program = vergo_goto::text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        let (on_violation, certify) = (OnViolation::Stop, Certify::Off);
        let task = Task { program: &program, unrolling: &crate::Unrolling::default(), on_violation, certify, goal: crate::Goal::Safety, abstraction: None };
        let budget = Budget::within(time);
        run(&task, &Environment { budget, progress: &|_| {} })
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn long_executions_are_followed() {
        let count = |limit: i32| {
            format!(
                "x := 0i32; L0: x := x + 1i32; if x < 1000000i32 goto L0;
                 assert x == {limit}i32 \"p\" \"sum\";"
            )
        };
        let safe = verdict(&count(1_000_000), LONG);
        assert!(matches!(&safe, Verdict::True(c) if c.kind() == "only-execution"), "{safe:?}");
        let violated = verdict(&count(999_999), LONG);
        assert!(matches!(&violated, Verdict::False(_)), "{violated:?}");
    }

    #[test]
    fn simple_inputs_are_tried() {
        // Falling, and not: the last input is less than the one before.
        let pairs = "n := 0i32; x := #nondet<i32>(0);
            L0: y := #nondet<i32>(0); assume y < x; x := y; n := n + 1i32; if n < 1000i32 goto L0;
            assert x == 0i32 \"p\" \"last\";";
        assert!(matches!(verdict(pairs, LONG), Verdict::False(_)));
        let small = "x := #nondet<i32>(0); y := #nondet<i32>(0); assert x != 3i32 || y != 7i32 \"p\" \"both\";";
        assert!(matches!(verdict(small, LONG), Verdict::False(_)));
    }

    #[test]
    fn where_there_are_choices_nothing_is_proved() {
        let even = "x := #nondet<i32>(0); x := x * 2i32; assert x != 3i32 \"p\" \"even\";";
        assert!(matches!(verdict(even, Duration::from_millis(300)), Verdict::Unknown(_)));
        let unwritten = "assert x == x \"p\" \"itself\";";
        assert!(matches!(verdict(unwritten, LONG), Verdict::Unknown(_)));
    }
}

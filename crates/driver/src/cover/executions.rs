//! Executions that note the goals that they reach, and the search for them by inputs that change a little.
//!
//! **Idea.** A concrete execution costs next to nothing and reaches many goals at once. So simple inputs are tried first,
//! then random ones, then inputs that reached something new with small changes: one value replaced, the rest left away. Only what none
//! of them reaches is left to the engines. The numbers of the program's own text are among the values tried, since branches
//! compare with them.
//!
//! Numbers of executions and steps decide when the search ends, so that the same program has the same tests everywhere; the
//! clock only stops it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use vergo_evidence::harness::Unwritten;
use vergo_evidence::{Choices, Input};
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{Program, SymbolId};
use vergo_interp::{
    FreshBytes, InputType, InputValue, Inputs, Limits, Machine, Options, Outcome, Request,
    SeedInputs,
};
use vergo_num::BitVec;
use vergo_passes::coverage::Goals;
use vergo_smt::Budget;

/// Steps of an execution: of the first ones, and the least limit of the others, which may make twice as many as the longest
/// that has come to its end.
const FIRST_STEPS: u64 = 100_000_000;
const LEAST_STEPS: u64 = 2_000_000;
/// Executions with the limit of the first ones.
const N_FIRST: u64 = 2;
/// Steps of all executions that are searched.
const ALL_STEPS: u64 = 500_000_000;
/// Values that an execution may ask for; it ends at the next.
const MAX_INPUTS: usize = 200_000;
/// The search ends when so many executions in a row have reached nothing new.
const IN_VAIN: usize = 400;
/// Numbers of the program that are tried as inputs.
const MAX_NUMBERS: usize = 256;

/// An execution, and the goals that it has reached.
#[derive(Clone, Debug)]
pub(super) struct Execution {
    /// The choices that it makes; the first is no choice of the program's.
    pub(super) choices: Choices,
    pub(super) reaches: BTreeSet<usize>,
    /// The content of memory that nobody has written, if the choices say nothing about it.
    pub(super) unwritten: Unwritten,
}

/// Executes the program so that all goals on the way are noted.
pub(super) struct Recorder {
    program: Program,
    reached: SymbolId,
    /// The integers of the program's text.
    numbers: Vec<BitVec>,
}

impl Recorder {
    /// `program` has the claims of the goals; none if it begins nowhere.
    pub(super) fn new(program: &Program, goals: &Goals) -> Option<Recorder> {
        let numbers = numbers(program);
        let (program, reached) = goals.noted(program)?;
        Some(Recorder { program, reached, numbers })
    }

    /// The execution of these choices, which reaches a goal; further ones are zero. Memory that nobody has written is as a
    /// compiler can make it, if the goal is reached then, too.
    pub(super) fn execute(&self, choices: &Choices, goal: usize, budget: &Budget) -> Execution {
        let plain = Choices { memory: BTreeMap::new(), ..choices.clone() };
        let uniform = Unwritten::ALL.into_iter().find_map(|unwritten| {
            let execution = self.run(&plain, unwritten, choices.source(), FIRST_STEPS, budget).0;
            execution.reaches.contains(&goal).then_some(execution)
        });
        uniform.unwrap_or_else(|| {
            let found =
                self.run(choices, Unwritten::Pattern, choices.source(), FIRST_STEPS, budget).0;
            // Notes are steps, so that threads may take turns in another way.
            let reaches = found.reaches.into_iter().chain([goal]).collect();
            Execution { choices: choices.clone(), reaches, unwritten: Unwritten::Pattern }
        })
    }

    /// The same execution as far as its first choices, as few as reach the same goals, and from there to its end: a compiled test
    /// goes there, too.
    pub(super) fn shortened(&self, execution: &Execution, budget: &Budget) -> Execution {
        let prefix = |n: usize, most_steps: u64| {
            let mut values = execution.choices.inputs[..n].iter();
            let source = move |request: &Request<'_>| {
                let next = values.next().filter(|input| input.ty == request.ty);
                next.map(|input| input.value.clone()).ok_or_else(|| "it is cut here".to_owned())
            };
            self.run(&execution.choices, execution.unwritten, source, most_steps, budget)
        };
        // All of `from` choices are too few, `to` are enough.
        let (mut from, mut to) = (0, execution.choices.inputs.len());
        while from + 1 < to {
            let middle = from.midpoint(to);
            let (shorter, ..) = prefix(middle, FIRST_STEPS);
            match shorter.reaches.is_superset(&execution.reaches) {
                true => to = middle,
                false => from = middle,
            }
        }
        let (whole, ..) = prefix(to, u64::MAX);
        match whole.reaches.is_superset(&execution.reaches) {
            true => whole,
            false => execution.clone(),
        }
    }

    /// The execution with inputs from any source, the number of its steps, and whether it came to its end.
    fn run(
        &self,
        choices: &Choices,
        unwritten: Unwritten,
        mut source: impl Inputs,
        most_steps: u64,
        budget: &Budget,
    ) -> (Execution, u64, bool) {
        let used = Rc::new(RefCell::new(Vec::new()));
        let record = Rc::clone(&used);
        let choose = move |request: &Request<'_>| {
            let mut used = record.borrow_mut();
            if used.len() >= MAX_INPUTS {
                return Err("there are too many inputs".to_owned());
            }
            let value = source.choose(request)?;
            used.push(Input {
                span: request.span,
                function: request.function.to_owned(),
                ty: request.ty,
                value: value.clone(),
            });
            Ok(value)
        };
        let fresh: Option<FreshBytes<'_>> = match unwritten {
            Unwritten::Pattern if choices.memory.is_empty() => {
                Some(Box::new(move |_, bytes| bytes.fill(unwritten.byte())))
            }
            _ => choices.fresh_bytes(),
        };
        let options = Options {
            inputs: Box::new(choose),
            fresh,
            limits: Limits { steps: most_steps, ..Limits::default() },
            ..choices.options(budget)
        };
        let mut machine = Machine::new(&self.program, options);
        let outcome = machine.run();
        let steps = machine.steps();
        let notes = machine.static_bytes(self.reached).unwrap_or_default();
        drop(machine);
        let reaches = (0..notes.len()).filter(|&goal| notes[goal] != 0).collect();
        let choices = Choices { inputs: used.take(), ..choices.clone() };
        let is_cut = matches!(outcome, Outcome::LimitReached { .. } | Outcome::NoInput { .. });
        (Execution { choices, reaches, unwritten }, steps, !is_cut)
    }

    /// Executions each of which reaches something that those before it do not.
    pub(super) fn search(&self, n_goals: usize, budget: &Budget) -> Vec<Execution> {
        let mut kept: Vec<Execution> = Vec::new();
        let mut reached: BTreeSet<usize> = BTreeSet::new();
        let (mut steps, mut longest, mut in_vain) = (0, LEAST_STEPS / 2, 0);
        let nothing = Choices::default();
        for seed in 0u64.. {
            let is_over = steps >= ALL_STEPS || in_vain >= IN_VAIN || reached.len() == n_goals;
            if is_over || budget.interrupted().is_some() {
                break;
            }
            let source = self.source(seed, &kept);
            let most = if seed < N_FIRST { FIRST_STEPS } else { longest * 2 };
            let (execution, n_steps, is_whole) =
                self.run(&nothing, Unwritten::Zero, source, most, budget);
            steps += n_steps;
            if is_whole {
                longest = longest.max(n_steps);
            }
            in_vain += 1;
            // The first choice is the goal; without others all executions are the same.
            let is_only = execution.choices.inputs.len() <= 1;
            if execution.reaches.iter().any(|goal| !reached.contains(goal)) {
                reached.extend(&execution.reaches);
                kept.push(execution);
                in_vain = 0;
            }
            if is_only {
                break;
            }
        }
        kept
    }

    /// The inputs of the search's next execution, given those that reached something.
    fn source<'a>(&'a self, seed: u64, kept: &[Execution]) -> impl Inputs + use<'a> {
        let mut random = SeedInputs::new(seed);
        let mut pick = move |below: usize| pick(&mut random, below);
        let mut other = SeedInputs::new(seed.wrapping_mul(2) + 1);
        // A third of the executions is new, the others are changed ones.
        let basis = match kept {
            [] => None,
            _ if seed.is_multiple_of(3) => None,
            _ => Some(&kept[pick(kept.len())].choices.inputs),
        };
        let mut values = basis.cloned().unwrap_or_default();
        let n = values.len();
        // The changed value, and the first that is left away: often none.
        let changed = pick(n + 1);
        if pick(2) == 0 {
            values.truncate(pick(n + 1).max(changed + 1));
        }
        let (mut at, alike) = (0, (basis.is_none() && seed < 6).then_some(seed as i64 - 1));
        move |request: &Request<'_>| {
            let own = values.get(at).filter(|input| at != changed && input.ty == request.ty);
            let value = own.map(|input| input.value.clone());
            at += 1;
            if let Some(value) = value {
                return Ok(value);
            }
            match (request.ty, alike) {
                (InputType::Int(_, width), Some(number)) => {
                    Ok(InputValue::Int(BitVec::from_i64(width, number)))
                }
                (InputType::Int(_, width), None) if !self.numbers.is_empty() && pick(2) == 0 => {
                    let number = &self.numbers[pick(self.numbers.len())];
                    let near = BitVec::from_i64(width, pick(3) as i64 - 1);
                    let number = match number.width() < width {
                        true => number.sign_extend(width),
                        false => number.truncate(width),
                    };
                    Ok(InputValue::Int(number.add(&near)))
                }
                _ => other.choose(request),
            }
        }
    }
}

/// A number below a limit.
fn pick(random: &mut SeedInputs, below: usize) -> usize {
    (random.bits() % below.max(1) as u64) as usize
}

/// The different integers of the user's own functions.
fn numbers(program: &Program) -> Vec<BitVec> {
    let mut found = BTreeSet::new();
    let own = program.functions.values().filter(|function| !function.library);
    for instr in own.flat_map(|function| function.body.iter().flatten()) {
        instr.kind.for_each_expr(|expr, _| {
            program.for_each_subexpr(expr, |part| {
                if let ExprKind::Int(bits) = program.exprs.kind(part) {
                    found.insert(bits.to_le_bytes());
                }
            });
        });
        if found.len() >= MAX_NUMBERS {
            break;
        }
    }
    let word = |bytes: Vec<u8>| BitVec::from_le_bytes(8 * bytes.len() as u32, &bytes);
    found.into_iter().filter(|bytes| !bytes.is_empty()).map(word).collect()
}

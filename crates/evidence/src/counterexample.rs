//! Counterexamples: the inputs of an execution that violates a claim, replayed before anybody hears of them.

use crate::choices::Choices;
use crate::claims::ClaimKey;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::rc::Rc;
use vergo_goto::program::{Claim, Program};
use vergo_goto::types::{Type, TypeId};
use vergo_interp::{
    FreshBytes, Guide, InputType, InputValue, Inputs, Limits, Machine, Options, Outcome, Position,
    Request, Schedule,
};
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_smt::Budget;
use vergo_source::Span;
use vergo_term::Value;

/// An execution that violates a claim. There is no way to make one but [`Counterexample::replay`].
#[derive(Clone, Debug)]
pub struct Counterexample {
    choices: Choices,
    claim: Claim,
    position: Position,
}

/// More inputs than this are not remembered: the execution ends there.
const MAX_INPUTS: usize = 1 << 22;

/// A nondeterministic choice of the execution.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where it is made.
    pub span: Span,
    /// The function in which it is made; known after a replay.
    pub function: String,
    /// Its type.
    pub ty: InputType,
    /// The value.
    pub value: InputValue,
}

impl Input {
    /// The value at the type that is asked for: bytes may be those of a scalar.
    pub(crate) fn converted(self, ty: InputType) -> InputValue {
        if self.ty == ty {
            return self.value;
        }
        match (self.value, ty) {
            (InputValue::Bytes(bytes), InputType::Bool) => {
                InputValue::Bool(bytes.iter().any(|&byte| byte != 0))
            }
            (InputValue::Bytes(bytes), InputType::Int(_, width) | InputType::Pointer(width)) => {
                InputValue::Int(
                    BitVec::from_le_bytes(bytes.len() as u32 * 8, &bytes).resize_unsigned(width),
                )
            }
            (InputValue::Bytes(bytes), InputType::Float(format)) => {
                let bits = BitVec::from_le_bytes(bytes.len() as u32 * 8, &bytes);
                InputValue::Float(Float::from_bits(format, bits.resize_unsigned(format.width())))
            }
            _ => InputValue::zero(ty),
        }
    }
}

/// A replay that did not meet the violation: the engine was wrong, or too coarse, about this execution.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The outcome of the execution instead.
    pub outcome: Outcome,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Outcome::Violation(fault) => {
                write!(f, "the execution stops at {}", fault.claim.property)
            }
            Outcome::LimitReached { limit, .. } => write!(f, "the execution meets the {limit}"),
            Outcome::AssumptionFailed(_) => f.write_str("an assumption of the execution fails"),
            Outcome::Exited(_) | Outcome::Aborted(_) => {
                f.write_str("the execution ends without a violation")
            }
            Outcome::Unsupported { what, .. } => write!(f, "the execution meets {what}"),
            Outcome::Deadlock(_) => f.write_str("the execution waits for ever"),
            Outcome::NoInput { reason, .. } => f.write_str(reason),
            Outcome::NotExecutable(why) => f.write_str(why),
        }
    }
}

/// Work of an elementary step of an execution; see [`Budget::spend`].
const STEP_WORK: u64 = 10;
/// Work of an input that is asked for, and of the beginning of an execution.
const INPUT_WORK: u64 = 250;
const START_WORK: u64 = 8_000;

/// Counts the steps of an execution as work of a budget, and stops it when that is spent.
pub(crate) fn watched(budget: &Budget) -> Box<dyn FnMut(u64) -> bool + '_> {
    Box::new(|steps| {
        budget.spend(steps.saturating_mul(STEP_WORK));
        budget.interrupted().is_some()
    })
}

impl Counterexample {
    /// Executes the program with these choices; further ones are zero. Accepted is the violation of any claim of the
    /// program, since all claims that are not asked for have been dropped from it; a fault that no claim covers is not.
    ///
    /// # Errors
    /// If the execution does not violate a claim.
    pub fn replay(
        program: &Program,
        choices: impl Into<Choices>,
        budget: &Budget,
    ) -> Result<Counterexample, Mismatch> {
        let choices = choices.into();
        let options = choices.options(budget);
        Counterexample::of_execution(program, choices, options)
    }

    /// Executes the program with these choices and an order of steps of its threads.
    ///
    /// # Errors
    /// If the execution does not violate a claim.
    pub fn guided(
        program: &Program,
        choices: Choices,
        steps: Vec<Guide>,
        budget: &Budget,
    ) -> Result<Counterexample, Mismatch> {
        let options = Options { schedule: Schedule::Guided(steps), ..choices.options(budget) };
        Counterexample::of_execution(program, choices, options)
    }

    /// The same choices with one byte in all memory that nobody has written; none if the claim is not violated then.
    pub fn with_unwritten(
        &self,
        program: &Program,
        byte: u8,
        budget: &Budget,
    ) -> Option<Counterexample> {
        let choices = Choices { memory: BTreeMap::new(), ..self.choices.clone() };
        let fresh: Option<FreshBytes<'_>> = match byte {
            0 => None,
            _ => Some(Box::new(move |_, bytes: &mut [u8]| bytes.fill(byte))),
        };
        let options = Options { fresh, ..choices.options(budget) };
        let found = Counterexample::of_execution(program, choices, options).ok()?;
        (found.key() == self.key()).then_some(found)
    }

    /// Checks whether the same choices violate the same claim when no round of any loop is skipped.
    pub fn stands_step_by_step(&self, program: &Program, budget: &Budget) -> bool {
        let choices = self.choices.clone();
        let options = Options { step_by_step: true, ..choices.options(budget) };
        let found = Counterexample::of_execution(program, choices, options);
        found.is_ok_and(|found| found.key() == self.key())
    }

    /// The execution of another program that makes the same choices at the same sites, and others zero; none if it does not
    /// violate the same claim. `from` is the program that this is an execution of, such as a slice of the other, whose
    /// sites have kept their numbers.
    pub fn transferred(
        &self,
        from: &Program,
        to: &Program,
        budget: &Budget,
    ) -> Option<Counterexample> {
        type Site = (u32, Span, String);
        let site = |request: &Request<'_>| -> Site {
            (request.site, request.span, request.function.to_owned())
        };
        let chosen: RefCell<BTreeMap<Site, VecDeque<InputValue>>> = RefCell::default();
        let mut source = self.source();
        let record = |request: &Request<'_>| {
            let value = source.choose(request)?;
            chosen.borrow_mut().entry(site(request)).or_default().push_back(value.clone());
            Ok(value)
        };
        let choices = self.choices.clone();
        let recorded = Options { inputs: Box::new(record), ..choices.options(budget) };
        Counterexample::of_execution(from, choices.clone(), recorded).ok()?;
        let again = |request: &Request<'_>| {
            let next = chosen.borrow_mut().get_mut(&site(request)).and_then(VecDeque::pop_front);
            Ok(next.unwrap_or_else(|| InputValue::zero(request.ty)))
        };
        let repeated = Options { inputs: Box::new(again), ..choices.options(budget) };
        let found = Counterexample::of_execution(to, choices.clone(), repeated).ok()?;
        (found.key() == self.key()).then_some(found)
    }

    /// Executes the program with inputs from any source and threads that take turns in any way, nothing in memory and
    /// nothing to read, for so many steps.
    ///
    /// # Errors
    /// If the execution does not violate a claim.
    pub fn search(
        program: &Program,
        inputs: impl Inputs,
        schedule: Schedule,
        steps: u64,
        budget: &Budget,
    ) -> Result<Counterexample, Mismatch> {
        budget.spend(START_WORK);
        let world = Choices::default().world();
        let mut source = inputs;
        let inputs = Box::new(move |request: &Request<'_>| {
            budget.spend(INPUT_WORK);
            source.choose(request)
        });
        let limits = Limits { steps, ..Limits::default() };
        let stop = Some(watched(budget));
        let options = Options { inputs, schedule, world, limits, stop, ..Options::default() };
        Counterexample::of_execution(program, Choices::default(), options)
    }

    /// Executes the program, and remembers the inputs that it asks for.
    fn of_execution(
        program: &Program,
        choices: Choices,
        mut options: Options<'_>,
    ) -> Result<Counterexample, Mismatch> {
        let used = Rc::new(RefCell::new(Vec::new()));
        let (mut source, record) = (options.inputs, Rc::clone(&used));
        let choose = move |request: &Request<'_>| {
            let value = source.choose(request)?;
            let mut used = record.borrow_mut();
            if used.len() >= MAX_INPUTS {
                return Err("there are too many inputs".to_owned());
            }
            used.push(Input {
                span: request.span,
                function: request.function.to_owned(),
                ty: request.ty,
                value: value.clone(),
            });
            Ok(value)
        };
        options.inputs = Box::new(choose);
        let mut machine = Machine::new(program, options);
        let outcome = machine.run();
        match (outcome, machine.schedule()) {
            (Outcome::Violation(violation), Some(schedule)) if !violation.fault => {
                drop(machine);
                Ok(Counterexample {
                    choices: Choices { inputs: used.take(), schedule, ..choices },
                    claim: violation.claim,
                    position: violation.position,
                })
            }
            (outcome, _) => Err(Mismatch { outcome }),
        }
    }

    /// The choices as a source for another execution.
    pub fn source(&self) -> impl vergo_interp::Inputs + use<> {
        self.choices.source()
    }

    /// The choices that the execution makes, in order.
    pub fn inputs(&self) -> &[Input] {
        &self.choices.inputs
    }

    /// Returns the data that determine the execution: the choices, the bytes that nobody has written, the input from
    /// outside.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// The claim that it violates.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// Returns the key of the violated claim.
    pub fn key(&self) -> ClaimKey {
        ClaimKey::new(&self.claim, self.position.span)
    }

    /// Where it violates it, with the active calls.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// A choice of the program as an input of the interpreter.
pub(crate) fn input(program: &Program, span: Span, ty: TypeId, value: &Value) -> Option<Input> {
    let (ty, value) = match *program.types.get(ty) {
        Type::Bool => (InputType::Bool, InputValue::Bool(value.as_bool())),
        Type::Int { signed, width } => {
            (InputType::Int(signed, width), InputValue::Int(value.as_bv().clone()))
        }
        Type::Float(format) => {
            (InputType::Float(format), InputValue::Float(in_format(value.as_float(), format)))
        }
        Type::Ptr(_) => {
            let width = program.machine.pointer_width;
            (InputType::Pointer(width), InputValue::Int(value.as_bv().truncate(width)))
        }
        _ => return None,
    };
    Some(Input { span, function: String::new(), ty, value })
}

/// The same number in a format that may be encoded in another way.
fn in_format(value: &Float, format: FloatFormat) -> Float {
    value.convert(format, RoundingMode::NearestEven)
}

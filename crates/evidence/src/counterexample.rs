//! Counterexamples: the inputs of an execution that violates a claim, replayed before anybody hears of them.

use crate::choices::Choices;
use crate::claims::ClaimKey;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;
use vergo_goto::program::{Claim, Program};
use vergo_goto::types::{Type, TypeId};
use vergo_interp::{InputType, InputValue, Limits, Machine, Options, Outcome, Position, Request};
use vergo_num::{Float, FloatFormat, RoundingMode};
use vergo_source::Span;
use vergo_term::{TermStore, Value};
use vergo_ts::{Encoded, Path};

/// An execution that violates a claim. There is no way to make one but [`Counterexample::replay`].
#[derive(Clone, Debug)]
pub struct Counterexample {
    choices: Choices,
    claim: Claim,
    position: Position,
}

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

/// A replay that did not meet the violation: the engine was wrong, or too coarse, about this execution.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// What happened instead.
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

impl Counterexample {
    /// Executes the program with these choices; further ones are zero. Accepted is the violation of any claim of the
    /// program, since all claims that are not asked for have been dropped from it; a fault that no claim covers is not.
    ///
    /// # Errors
    /// If the execution does not violate a claim.
    pub fn replay(
        program: &Program,
        choices: impl Into<Choices>,
        time: Duration,
    ) -> Result<Counterexample, Mismatch> {
        let mut choices = choices.into();
        let used = Rc::new(RefCell::new(Vec::new()));
        let inputs = std::mem::take(&mut choices.inputs);
        let (mut values, record) = (inputs.into_iter(), Rc::clone(&used));
        let choose = move |request: &Request<'_>| {
            let value = match values.next() {
                Some(input) if input.ty == request.ty => input.value,
                Some(_) | None => InputValue::zero(request.ty),
            };
            record.borrow_mut().push(Input {
                span: request.span,
                function: request.function.to_owned(),
                ty: request.ty,
                value: value.clone(),
            });
            Ok(value)
        };
        let limits = Limits { time: Some(time), ..Limits::default() };
        let options = Options {
            inputs: Box::new(choose),
            fresh: choices.fresh_bytes(),
            world: choices.world(),
            limits,
            ..Options::default()
        };
        match Machine::new(program, options).run() {
            Outcome::Violation(violation) if !violation.fault => Ok(Counterexample {
                choices: Choices { inputs: used.take(), ..choices },
                claim: violation.claim,
                position: violation.position,
            }),
            outcome => Err(Mismatch { outcome }),
        }
    }

    /// The choices as a source for another execution.
    pub(crate) fn source(&self) -> impl vergo_interp::Inputs + use<> {
        let mut values = self.choices.inputs.clone().into_iter();
        move |request: &Request<'_>| {
            let next = values.next().filter(|input| input.ty == request.ty);
            Ok(next.map_or_else(|| InputValue::zero(request.ty), |input| input.value))
        }
    }

    /// The choices that the execution makes, in order.
    pub fn inputs(&self) -> &[Input] {
        &self.choices.inputs
    }

    /// What determines the execution: the choices, the bytes that nobody has written, what is read from outside.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// The claim that it violates.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// What tells the violated claim from others.
    pub fn key(&self) -> ClaimKey {
        ClaimKey::new(&self.claim, self.position.span)
    }

    /// Where it violates it, with the active calls.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// The inputs of the execution that a path of the program's transition system describes.
pub fn inputs_on_path(encoded: &Encoded, store: &TermStore, path: &Path) -> Vec<Input> {
    let choices = encoded.choices(store, path);
    let program = &encoded.program;
    choices
        .iter()
        .filter_map(|choice| input(program, choice.span, choice.ty, &choice.value))
        .collect()
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

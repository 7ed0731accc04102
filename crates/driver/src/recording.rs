//! An execution written down so that it can be walked forwards and backwards.
//!
//! The interpreter is deterministic, so one run is enough: every step is kept with what it changed, and going back is undoing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{FunctionId, Program, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_interp::{Event, Limits, Machine, Options, Outcome, Tracer, What};
use vergo_source::Span;

use crate::check::{CheckReport, Violation};

/// Steps that are written down at most.
const MOST_STEPS: usize = 500_000;

/// An execution.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The steps in order.
    pub steps: Vec<RecordedStep>,
    /// How it ended, in words.
    pub end: String,
    /// Whether something was violated at its end.
    pub violated: bool,
    /// Whether it went on after the last step that was written down.
    pub is_cut: bool,
}

/// A step.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    /// The thread.
    pub thread: usize,
    /// How many calls are active in it.
    pub depth: usize,
    /// The function in the user's words.
    pub function: Rc<str>,
    /// Whether it is part of a library model.
    pub library: bool,
    /// Where.
    pub span: Span,
    /// What it changed.
    pub change: Change,
}

/// What a step changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing that has a name.
    Nothing,
    /// A variable or a part of one.
    Wrote(Value),
    /// A function was called; its parameters have these values.
    Called(Vec<Value>),
    /// A function returned.
    Returned,
}

/// A variable or a part of one with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// What the user calls it, with the values of indices.
    pub name: String,
    /// Its type as C.
    pub ty: String,
    /// Its value.
    pub value: String,
    /// Whether it is a variable of the whole program.
    pub is_global: bool,
}

impl CheckReport {
    /// The execution of a violation.
    pub fn recording(&self, violation: &Violation, time: Duration) -> Recording {
        let counterexample = &violation.counterexample;
        let choices = counterexample.choices();
        let options = Options {
            inputs: Box::new(counterexample.source()),
            fresh: choices.fresh_bytes(),
            addresses: choices.addresses.clone(),
            world: choices.world(),
            schedule: vergo_interp::Schedule::Recorded(choices.schedule.clone()),
            limits: Limits { time: Some(time), ..Limits::default() },
            ..Options::default()
        };
        record(&self.program, options)
    }
}

/// Executes a program and writes it down.
pub(crate) fn record(program: &Program, options: Options<'_>) -> Recording {
    let recorder = Rc::new(RefCell::new(Recorder::new(program)));
    let options = Options { trace: Some(Box::new(Watch(Rc::clone(&recorder)))), ..options };
    let outcome = Machine::new(program, options).run();
    let mut recorder = recorder.borrow_mut();
    let mut recording = std::mem::take(&mut recorder.recording);
    let position = match &outcome {
        Outcome::Violation(violation) => Some(&violation.position),
        Outcome::Aborted(position)
        | Outcome::AssumptionFailed(position)
        | Outcome::Deadlock(position) => Some(position),
        Outcome::Unsupported { position, .. }
        | Outcome::LimitReached { position, .. }
        | Outcome::NoInput { position, .. } => Some(position),
        Outcome::Exited(_) | Outcome::NotExecutable(_) => None,
    };
    recording.violated = matches!(outcome, Outcome::Violation(_));
    recording.end = match &outcome {
        Outcome::Exited(status) => format!("the program ends with status {status}"),
        Outcome::Aborted(_) => "the program aborts".to_owned(),
        Outcome::Violation(violation) => {
            format!("{} [{}]", violation.claim.description, violation.claim.property)
        }
        Outcome::AssumptionFailed(_) => "an assumption does not hold".to_owned(),
        Outcome::Unsupported { what, .. } => format!("{what} is not supported"),
        Outcome::LimitReached { limit, .. } => format!("the {limit} was reached"),
        Outcome::Deadlock(_) => "every thread waits for another".to_owned(),
        Outcome::NoInput { reason, .. } | Outcome::NotExecutable(reason) => reason.clone(),
    };
    // The last place is where it ended, in the user's own code.
    if let (Some(position), Some(last)) = (position, recording.steps.last().cloned())
        && !recording.is_cut
    {
        let n_outer = position.stack.iter().skip_while(|call| call.library).count();
        let own = position.stack.iter().find(|call| !call.library);
        let (span, function) = own.map_or((position.span, Rc::clone(&last.function)), |call| {
            (call.span, Rc::from(call.function.as_str()))
        });
        let change = Change::Nothing;
        let depth = if own.is_some() { n_outer + position.omitted } else { last.depth };
        recording.steps.push(RecordedStep {
            depth,
            function,
            library: false,
            span,
            change,
            ..last
        });
    }
    recording
}

/// The interpreter owns its tracer, so the recorder is shared.
struct Watch<'a>(Rc<RefCell<Recorder<'a>>>);

impl Tracer for Watch<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.0.borrow_mut().event(event);
    }
}

struct Recorder<'a> {
    program: &'a Program,
    recording: Recording,
    names: BTreeMap<FunctionId, Rc<str>>,
    /// The last values of variables, by thread and depth of the call, for indices.
    values: BTreeMap<(usize, usize, SymbolId), String>,
}

impl<'a> Recorder<'a> {
    fn new(program: &'a Program) -> Recorder<'a> {
        Recorder {
            program,
            recording: Recording::default(),
            names: BTreeMap::new(),
            values: BTreeMap::new(),
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        if self.recording.steps.len() >= MOST_STEPS {
            self.recording.is_cut = true;
            return;
        }
        let Event { thread, depth, function, span, .. } = *event;
        let program = self.program;
        let change = match &event.what {
            What::Assigned { place, value } => {
                let root = root(program, *place);
                if let ExprKind::Symbol(symbol) = program.exprs.kind(*place) {
                    self.values.insert(self.key(thread, depth, *symbol), value.clone());
                }
                let is_named = root.is_none_or(|root| !program.symbols[root].display.is_empty());
                let name = self.name(*place, thread, depth);
                match is_named && !name.contains('$') {
                    true => Change::Wrote(Value {
                        name,
                        ty: c_type(program, program.exprs.ty(*place)),
                        value: value.clone(),
                        is_global: root.is_some_and(|root| is_static(program, root)),
                    }),
                    false => Change::Nothing,
                }
            }
            What::Called { callee, args } => {
                let callee = &program.functions[*callee];
                let mut params = Vec::new();
                for (symbol, value) in callee.params.iter().zip(args) {
                    self.values.insert((thread, depth + 1, *symbol), value.clone());
                    let symbol = &program.symbols[*symbol];
                    if !symbol.display.is_empty() {
                        params.push(Value {
                            name: symbol.display.clone(),
                            ty: c_type(program, symbol.ty),
                            value: value.clone(),
                            is_global: false,
                        });
                    }
                }
                if callee.body.is_some() { Change::Called(params) } else { Change::Nothing }
            }
            What::Returned => Change::Returned,
            What::Branched(_) | What::Freed(_) => Change::Nothing,
        };
        let display = || Rc::from(program.functions[function].display.as_str());
        let name = Rc::clone(self.names.entry(function).or_insert_with(display));
        let library = program.functions[function].library;
        self.recording.steps.push(RecordedStep {
            thread,
            depth,
            function: name,
            library,
            span,
            change,
        });
    }

    fn key(&self, thread: usize, depth: usize, symbol: SymbolId) -> (usize, usize, SymbolId) {
        if is_static(self.program, symbol) { (0, 0, symbol) } else { (thread, depth, symbol) }
    }

    fn value(&self, expr: ExprId, thread: usize, depth: usize) -> Option<&str> {
        match self.program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) => {
                self.values.get(&self.key(thread, depth, *symbol)).map(String::as_str)
            }
            _ => None,
        }
    }

    /// A place in the user's words, with the present values of indices and pointers.
    fn name(&self, place: ExprId, thread: usize, depth: usize) -> String {
        let program = self.program;
        match program.exprs.kind(place) {
            ExprKind::Member(base, field) => {
                let field = match program.type_of(*base) {
                    Type::Struct(id) => {
                        let fields = &program.types.structs[*id].fields;
                        fields.get(*field as usize).map_or("", |field| field.name.as_str())
                    }
                    _ => "",
                };
                match program.exprs.kind(*base) {
                    ExprKind::Deref(pointer) => {
                        let target = self.target(*pointer, thread, depth);
                        match target {
                            Some(target) => format!("{target}.{field}"),
                            None => format!("{}->{field}", program.describe(*pointer)),
                        }
                    }
                    _ => format!("{}.{field}", self.name(*base, thread, depth)),
                }
            }
            ExprKind::Index(base, index) => {
                format!(
                    "{}[{}]",
                    self.name(*base, thread, depth),
                    self.index(*index, thread, depth)
                )
            }
            ExprKind::Deref(pointer) => {
                let target = self.target(*pointer, thread, depth);
                target.unwrap_or_else(|| program.describe(place))
            }
            _ => program.describe(place),
        }
    }

    /// The variable that a pointer points to the beginning of, if it has a name.
    fn target(&self, pointer: ExprId, thread: usize, depth: usize) -> Option<String> {
        let value = self.value(pointer, thread, depth)?;
        let name = value.strip_prefix('&')?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        is_name.then(|| name.to_owned())
    }

    fn index(&self, index: ExprId, thread: usize, depth: usize) -> String {
        if let Some(value) = self.value(index, thread, depth) {
            return value.to_owned();
        }
        match self.program.exprs.kind(index) {
            ExprKind::Cast(_, inner) => self.index(*inner, thread, depth),
            _ => self.program.describe(index),
        }
    }
}

fn is_static(program: &Program, symbol: SymbolId) -> bool {
    matches!(program.symbols[symbol].kind, SymbolKind::Static { .. })
}

/// The variable that a place is a part of; none if it is reached by a pointer.
fn root(program: &Program, mut place: ExprId) -> Option<SymbolId> {
    loop {
        match program.exprs.kind(place) {
            ExprKind::Symbol(symbol) => return Some(*symbol),
            ExprKind::Member(base, _) | ExprKind::Index(base, _) => place = *base,
            _ => return None,
        }
    }
}

/// A type as C; names of typedefs are gone.
fn c_type(program: &Program, ty: TypeId) -> String {
    match program.types.get(ty) {
        Type::Void => "void".to_owned(),
        Type::Bool => "_Bool".to_owned(),
        Type::Int { signed, width } => {
            let name = match width {
                8 => "char",
                16 => "short",
                32 => "int",
                64 => "long long",
                _ => return format!("{}_BitInt({width})", if *signed { "" } else { "unsigned " }),
            };
            format!("{}{name}", if *signed { "" } else { "unsigned " })
        }
        Type::Float(format) => match format.width() {
            32 => "float".to_owned(),
            64 => "double".to_owned(),
            _ => "long double".to_owned(),
        },
        Type::Ptr(target) => format!("{} *", c_type(program, *target)),
        Type::Array(element, length) => format!("{}[{length}]", c_type(program, *element)),
        Type::Struct(id) => {
            let record = &program.types.structs[*id];
            format!("{} {}", if record.union { "union" } else { "struct" }, record.name)
        }
        Type::Func(result, _) => format!("{} ()", c_type(program, *result)),
    }
}

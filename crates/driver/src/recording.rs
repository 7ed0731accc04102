//! An execution written down so that it can be walked forwards and backwards.
//!
//! The interpreter is deterministic, so one run is enough: every step is kept with what it changed, and going back is undoing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    FunctionId, InitPart, Program, StaticInit, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_interp::{
    Access, AccessKind, Event, Limits, Machine, Options, Outcome, Tracer, Variable, What,
};
use vergo_smt::Budget;
use vergo_source::Span;

use crate::check::{CheckReport, Violation};
use crate::parts::{Part, parts};

/// Steps that are written down at most.
const MOST_STEPS: usize = 500_000;

/// An execution.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The values of variables of the whole program before the first step, where they are unique.
    pub initial: Vec<Value>,
    /// The steps in order.
    pub steps: Vec<RecordedStep>,
    /// The end, in words.
    pub end: String,
    /// True if something was violated at its end.
    pub violated: bool,
    /// True if it went on after the last step that was written down.
    pub is_cut: bool,
}

/// A step.
#[derive(Clone, Debug)]
pub struct RecordedStep {
    /// The thread.
    pub thread: usize,
    /// The number of active calls in it.
    pub depth: usize,
    /// The function in the user's words.
    pub function: Rc<str>,
    /// True if it is part of a library model.
    pub library: bool,
    /// Where.
    pub span: Span,
    /// Its change.
    pub change: Change,
}

/// The change of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing that has a name.
    Nothing,
    /// A variable or a part of one.
    Wrote(Value),
    /// A heap object was freed, which texts about pointers call so.
    Freed(String),
    /// A function was called; its parameters have these values.
    Called(Vec<Value>),
    /// A function returned.
    Returned,
}

/// A variable or a part of one with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// Its name for the user, with the values of indices.
    pub name: String,
    /// Its type as C.
    pub ty: String,
    /// Its value.
    pub value: String,
    /// The values of its parts, if it has some.
    pub parts: Vec<Part>,
    /// True if it is a variable of the whole program.
    pub is_global: bool,
    /// Whose variable it is, if it is that of another call than the one that makes the step: the thread, and how many calls
    /// are active there.
    pub owner: Option<(usize, usize)>,
    /// The heap object that it is part of, as texts about pointers name it, and the part.
    pub object: Option<(String, String)>,
}

impl CheckReport {
    /// The execution of a violation.
    pub fn recording(&self, violation: &Violation, time: Duration) -> Recording {
        let counterexample = &violation.counterexample;
        let budget = Budget::about(time);
        let limits = Limits { time: Some(time), ..Limits::default() };
        let options = Options { limits, ..counterexample.choices().options(&budget) };
        let mut recording = record(&self.program, options);
        if recording.violated {
            let property = &counterexample.claim().property;
            recording.end = format!("{} [{property}]", violation.message());
        }
        recording
    }
}

/// Executes a program and writes it down.
pub(crate) fn record(program: &Program, options: Options<'_>) -> Recording {
    let recorder = Rc::new(RefCell::new(Recorder::new(program)));
    let options = Options { trace: Some(Box::new(Watch(Rc::clone(&recorder)))), ..options };
    let mut machine = Machine::new(program, options);
    let outcome = machine.run();
    let mut recorder = recorder.borrow_mut();
    recorder.find_objects(&machine);
    let mut recording = std::mem::take(&mut recorder.recording);
    recording.initial = initial(program);
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

    fn wants_accesses(&self) -> bool {
        true
    }

    fn wants_variables(&self) -> bool {
        true
    }

    fn access(&mut self, access: &Access) {
        if access.kind == AccessKind::Write {
            self.0.borrow_mut().last_write = Some(*access);
        }
    }
}

struct Recorder<'a> {
    program: &'a Program,
    recording: Recording,
    last_write: Option<Access>,
    /// Steps that write through pointers: which, the place, and the address.
    written: Vec<(usize, ExprId, u64)>,
    names: BTreeMap<FunctionId, Rc<str>>,
    /// The last values of variables, by thread and depth of the call, for indices.
    values: BTreeMap<(usize, usize, SymbolId), String>,
}

/// A place in the user's words.
struct Named {
    name: String,
    /// Whose variable it is, if another call's than the present one; of nobody alone if it is static.
    owner: Option<Owner>,
}

#[derive(Clone, Copy)]
enum Owner {
    Program,
    Call(usize, usize),
}

impl<'a> Recorder<'a> {
    fn new(program: &'a Program) -> Recorder<'a> {
        Recorder {
            program,
            recording: Recording::default(),
            last_write: None,
            written: Vec::new(),
            names: BTreeMap::new(),
            values: BTreeMap::new(),
        }
    }

    /// Finds the heap objects that steps have written, and the parts.
    fn find_objects(&mut self, machine: &Machine<'_>) {
        let written = std::mem::take(&mut self.written);
        let found = machine.heap_objects_at(written.iter().map(|(_, _, address)| *address));
        for ((step, place, _), object) in written.into_iter().zip(found) {
            if let (Some((number, offset)), Some(step)) =
                (object, self.recording.steps.get_mut(step))
                && let Change::Wrote(value) = &mut step.change
            {
                let part = part(self.program, place, offset);
                value.object = Some((format!("heap object {number}"), part));
            }
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
                let is_here = |access: &Access| {
                    (access.thread, access.depth, access.instr) == (thread, depth, event.instr)
                };
                let access = self.last_write.take().filter(is_here).filter(|_| root.is_none());
                let target = access.and_then(|access| self.target(*place, access.variable?));
                if let Some(access) = access {
                    self.written.push((self.recording.steps.len(), *place, access.address));
                }
                let Named { name, owner } =
                    target.unwrap_or_else(|| own(self.name(*place, thread, depth)));
                match is_named && !name.contains('$') {
                    true => Change::Wrote(Value {
                        name,
                        ty: c_type(program, program.exprs.ty(*place)),
                        value: value.clone(),
                        parts: parts(program, program.exprs.ty(*place), value),
                        is_global: matches!(owner, Some(Owner::Program))
                            || root.is_some_and(|root| is_static(program, root)),
                        owner: match owner {
                            Some(Owner::Call(thread, depth)) => Some((thread, depth)),
                            _ => None,
                        },
                        object: None,
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
                            parts: parts(program, symbol.ty, value),
                            is_global: false,
                            owner: None,
                            object: None,
                        });
                    }
                }
                if callee.body.is_some() { Change::Called(params) } else { Change::Nothing }
            }
            What::Returned => Change::Returned,
            What::Freed(object) => Change::Freed(object.clone()),
            What::Branched(_) => Change::Nothing,
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

    /// A place in the user's words, with the present values of indices.
    fn name(&self, place: ExprId, thread: usize, depth: usize) -> String {
        let program = self.program;
        match *program.exprs.kind(place) {
            ExprKind::Member(base, field) => {
                let field = match program.type_of(base) {
                    Type::Struct(id) => {
                        let fields = &program.types.structs[*id].fields;
                        fields.get(field as usize).map_or("", |field| field.name.as_str())
                    }
                    _ => "",
                };
                match program.exprs.kind(base) {
                    ExprKind::Deref(pointer) => format!("{}->{field}", program.describe(*pointer)),
                    _ => format!("{}.{field}", self.name(base, thread, depth)),
                }
            }
            ExprKind::Index(base, index) => {
                let index = self.index(index, thread, depth);
                format!("{}[{index}]", self.name(base, thread, depth))
            }
            _ => program.describe(place),
        }
    }

    /// The variable, or the part of one, that is written through a pointer, if it has a name.
    fn target(&self, place: ExprId, variable: Variable) -> Option<Named> {
        let program = self.program;
        let Variable { symbol, call, mut offset } = variable;
        let (mut ty, wanted) = (program.symbols[symbol].ty, program.exprs.ty(place));
        let size = program.size_of(wanted)?;
        let mut name = Some(program.symbols[symbol].display.clone()).filter(|n| !n.is_empty())?;
        let owner = call.map_or(Owner::Program, |(thread, depth)| Owner::Call(thread, depth));
        while ty != wanted {
            match *program.types.get(ty) {
                Type::Array(element, _) => {
                    let step = program.size_of(element).filter(|step| *step > 0)?;
                    name = format!("{name}[{}]", offset / step);
                    (ty, offset) = (element, offset % step);
                }
                Type::Struct(id) => {
                    let fields = program.types.structs[id].fields.iter();
                    let mut inside = fields.filter(|field| {
                        let end = program.size_of(field.ty).map_or(0, |size| field.offset + size);
                        field.offset <= offset && offset + size <= end
                    });
                    let field = inside.next()?;
                    name = format!("{name}.{}", field.name);
                    (ty, offset) = (field.ty, offset - field.offset);
                }
                // Another type of the same size is another view of the same bytes.
                _ if offset == 0 && program.size_of(ty) == Some(size) => break,
                _ => return None,
            }
        }
        (offset == 0).then_some(Named { name, owner: Some(owner) })
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

/// A place of the present call.
fn own(name: String) -> Named {
    Named { name, owner: None }
}

/// A part of a heap object: a member by its name, an element by its index, with what lies before it if that is not the
/// object's beginning.
fn part(program: &Program, mut place: ExprId, offset: u64) -> String {
    let (mut names, mut inside) = (Vec::new(), 0);
    while let ExprKind::Member(base, member) = *program.exprs.kind(place) {
        if let Type::Struct(id) = *program.type_of(base)
            && let Some(field) = program.types.structs[id].fields.get(member as usize)
        {
            names.push(field.name.as_str());
            inside += field.offset;
        }
        place = base;
    }
    names.reverse();
    let name = names.join(".");
    let size = program.size_of(program.exprs.ty(place)).unwrap_or(0).max(1);
    let before = offset.saturating_sub(inside);
    match (before / size, name.as_str()) {
        (0, name) if !name.is_empty() => name.to_owned(),
        (index, "") => format!("[{index}]"),
        (index, name) => format!("[{index}].{name}"),
    }
}

/// The variables of the whole program that hold one value at the beginning.
fn initial(program: &Program) -> Vec<Value> {
    let text = |symbol: &Symbol| {
        let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &symbol.kind else {
            return None;
        };
        match (program.types.get(symbol.ty), &parts[..]) {
            (Type::Int { .. } | Type::Bool, []) => Some("0".to_owned()),
            (Type::Ptr(_), []) => Some("NULL".to_owned()),
            (
                Type::Int { .. } | Type::Bool | Type::Ptr(_),
                [InitPart::Value { offset: 0, value }],
            ) => Some(program.describe(*value)),
            _ => None,
        }
    };
    let own =
        |symbol: &&Symbol| symbol.writable && !symbol.display.is_empty() && !symbol.span.is_dummy();
    let symbols = program.symbols.values().filter(own);
    symbols
        .filter_map(|symbol| {
            Some(Value {
                name: symbol.display.clone(),
                ty: c_type(program, symbol.ty),
                value: text(symbol)?,
                parts: Vec::new(),
                is_global: true,
                owner: None,
                object: None,
            })
        })
        .collect()
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
pub(crate) fn c_type(program: &Program, ty: TypeId) -> String {
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

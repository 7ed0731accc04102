//! The data that determine an execution: the values that it chooses, the initial bytes of its objects, and the input
//! from outside.

use crate::counterexample::{Input, input, watched};
use std::collections::BTreeMap;
use vergo_goto::program::{FunctionId, Program, SymbolId};
use vergo_interp::{
    Addresses, Birth, Buffers, FreshBytes, InputType, InputValue, Inputs, Options, Request,
    Schedule, Turns, World,
};
use vergo_smt::Budget;
use vergo_symex::{Fixture, Fresh, StepKind, Trace};
use vergo_term::{Assignment, Evaluator, TermStore};
use vergo_ts::{Chosen, Encoded, Path};

/// The data that determine an execution of a program.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Nondeterministic choices, in order.
    pub inputs: Vec<Input>,
    /// The bytes of objects that nobody has written: by object and the number of earlier ones of its kind, offsets and
    /// bytes.
    pub memory: BTreeMap<(Birth, u64), Vec<(u64, u8)>>,
    /// Which thread makes how many steps in a row.
    pub schedule: Turns,
    /// The results of reads from outside, in order: bytes, or an error.
    pub reads: Vec<Option<Vec<u8>>>,
    /// Where objects lie, if the execution looks at addresses.
    pub addresses: Addresses,
}

impl From<Vec<Input>> for Choices {
    fn from(inputs: Vec<Input>) -> Choices {
        Choices { inputs, ..Choices::default() }
    }
}

impl Choices {
    /// The same with another number as the first choice; none if that is no integer.
    pub fn with_first(&self, number: u64) -> Option<Choices> {
        let mut choices = self.clone();
        let first = choices.inputs.first_mut()?;
        let InputType::Int(_, width) = first.ty else { return None };
        first.value = InputValue::Int(vergo_num::BitVec::from_u64(width, number));
        Some(choices)
    }

    /// The execution that a model of a trace describes.
    pub fn of_model(
        program: &Program,
        store: &TermStore,
        trace: &Trace,
        model: &Assignment,
    ) -> Choices {
        let mut evaluator = Evaluator::new(store, model);
        let mut choices = Choices::default();
        let mut births = Births::default();
        for &(fixture, address) in &trace.fixtures {
            let birth = match fixture {
                Fixture::Static(symbol) => Birth::Static(symbol),
                Fixture::Function(function) => Birth::Function(function),
            };
            choices.placed(&mut births, birth, evaluator.value(address).as_bv().to_u64());
        }
        for &(address, content) in &trace.outside {
            choices.placed(&mut births, Birth::Outside, Some(address));
            let bytes = trace.fresh[content].bytes(&mut evaluator);
            choices.born(&mut births, Birth::Outside, bytes);
        }
        for step in &trace.steps {
            if !evaluator.value(step.guard).as_bool() {
                continue;
            }
            match step.kind {
                StepKind::Input { value, ty, .. } => {
                    choices.inputs.extend(input(program, step.span, ty, evaluator.value(value)));
                }
                StepKind::Bytes { value, size, .. } => {
                    let value = InputValue::Bytes(whole(&trace.fresh[value], &mut evaluator, size));
                    let (span, ty) = (step.span, InputType::Bytes(size));
                    choices.inputs.push(Input { span, function: String::new(), ty, value });
                }
                StepKind::New { symbol, value, object } => {
                    let birth = symbol.map_or(Birth::Allocation, Birth::Variable);
                    let address = trace.addresses.get(&object);
                    let address = address.and_then(|&at| evaluator.value(at).as_bv().to_u64());
                    choices.placed(&mut births, birth, address);
                    if let Some(value) = value {
                        let bytes = trace.fresh[value].bytes(&mut evaluator);
                        choices.born(&mut births, birth, bytes);
                    }
                }
                StepKind::Read { count, value } => {
                    let count = evaluator.value(count).as_bv().to_i64();
                    let size = count.and_then(|count| u64::try_from(count).ok());
                    let bytes = size.map(|size| whole(&trace.fresh[value], &mut evaluator, size));
                    choices.reads.push(bytes);
                }
            }
        }
        choices
    }

    /// The execution that a path of the program's transition system describes.
    pub fn of_path(
        program: &Program,
        encoded: &Encoded,
        store: &TermStore,
        path: &Path,
    ) -> Choices {
        let names: BTreeMap<&str, SymbolId> =
            program.symbols.iter().map(|(id, symbol)| (symbol.name.as_str(), id)).collect();
        let original = |copy: SymbolId| {
            let original = encoded.program.original(copy);
            names.get(encoded.program.symbols[original].name.as_str()).copied()
        };
        let functions: BTreeMap<&str, FunctionId> =
            program.functions.iter().map(|(id, function)| (function.name.as_str(), id)).collect();
        let mut choices = Choices::default();
        let mut births = Births::default();
        for choice in encoded.choices(store, path) {
            let span = choice.span;
            match choice.what {
                Chosen::Value { ty, value } => {
                    choices.inputs.extend(input(&encoded.program, span, ty, &value));
                }
                Chosen::Bytes { size, bytes } => {
                    let value = InputValue::Bytes(filled(&bytes, size));
                    let (function, ty) = (String::new(), InputType::Bytes(size));
                    choices.inputs.push(Input { span, function, ty, value });
                }
                Chosen::Fixed { fixture, address } => {
                    let birth = match fixture {
                        Fixture::Static(copy) => original(copy).map(Birth::Static),
                        Fixture::Function(copy) => {
                            let name = encoded.program.functions[copy].name.as_str();
                            functions.get(name).copied().map(Birth::Function)
                        }
                    };
                    if let Some(birth) = birth {
                        choices.placed(&mut births, birth, address);
                    }
                }
                Chosen::Born { symbol, bytes, address } => {
                    let birth = match symbol {
                        Some(copy) => original(copy).map(Birth::Variable),
                        None => Some(Birth::Allocation),
                    };
                    // What inlining has added is born in no other execution.
                    if let Some(birth) = birth {
                        choices.placed(&mut births, birth, address);
                        if let Some(bytes) = bytes {
                            choices.born(&mut births, birth, bytes);
                        }
                    }
                }
                Chosen::Read { count, bytes } => {
                    choices.reads.push(count.map(|count| filled(&bytes, count)));
                }
            }
        }
        choices
    }

    /// An object comes to life with bytes that nobody has written.
    fn born(&mut self, births: &mut Births, birth: Birth, mut bytes: Vec<(u64, u8)>) {
        let count = births.unwritten.entry(birth).or_insert(0);
        bytes.retain(|&(_, byte)| byte != 0);
        if !bytes.is_empty() {
            self.memory.insert((birth, *count), bytes);
        }
        *count += 1;
    }

    /// An object comes to life at an address.
    fn placed(&mut self, births: &mut Births, birth: Birth, address: Option<u64>) {
        let count = births.all.entry(birth).or_insert(0);
        if let Some(address) = address {
            self.addresses.choose(birth, *count, address);
        }
        *count += 1;
    }

    /// The nondeterministic choices as a source for the interpreter; further ones are zero.
    pub fn source(&self) -> impl Inputs + use<> {
        let mut values = self.inputs.clone().into_iter();
        move |request: &Request<'_>| {
            let next = values.next();
            Ok(next.map_or_else(|| InputValue::zero(request.ty), |i| i.converted(request.ty)))
        }
    }

    /// The options of the interpreter under which an execution makes these choices.
    pub fn options<'a>(&self, budget: &'a Budget) -> Options<'a> {
        Options {
            inputs: Box::new(self.source()),
            fresh: self.fresh_bytes(),
            addresses: self.addresses.clone(),
            world: self.world(),
            schedule: Schedule::Recorded(self.schedule.clone()),
            stop: Some(watched(budget)),
            ..Options::default()
        }
    }

    /// The bytes of uninitialised memory, for the interpreter; none if they are all zero.
    pub fn fresh_bytes(&self) -> Option<FreshBytes<'static>> {
        if self.memory.is_empty() {
            return None;
        }
        let memory = self.memory.clone();
        let mut births: BTreeMap<Birth, u64> = BTreeMap::new();
        Some(Box::new(move |birth, bytes| {
            let count = births.entry(birth).or_insert(0);
            for &(offset, value) in memory.get(&(birth, *count)).into_iter().flatten() {
                if let Some(byte) =
                    usize::try_from(offset).ok().and_then(|offset| bytes.get_mut(offset))
                {
                    *byte = value;
                }
            }
            *count += 1;
        }))
    }

    /// The world outside, for the interpreter: it gives what was read, and then the end.
    pub fn world(&self) -> Box<dyn World> {
        Box::new(Recorded { reads: self.reads.clone().into_iter(), output: Buffers::default() })
    }
}

/// The number of objects of each kind that have been created, and of those with bytes that nobody has written.
#[derive(Default)]
struct Births {
    all: BTreeMap<Birth, u64>,
    unwritten: BTreeMap<Birth, u64>,
}

struct Recorded {
    reads: std::vec::IntoIter<Option<Vec<u8>>>,
    output: Buffers,
}

impl World for Recorded {
    fn write(&mut self, descriptor: i64, bytes: &[u8]) -> bool {
        self.output.write(descriptor, bytes)
    }

    fn read(&mut self, _: i64, buffer: &mut [u8]) -> Option<usize> {
        let bytes = self.reads.next().unwrap_or_else(|| Some(Vec::new()))?;
        let n = bytes.len().min(buffer.len());
        buffer[..n].copy_from_slice(&bytes[..n]);
        Some(n)
    }
}

/// All bytes; those that do not matter are zero.
fn whole(fresh: &Fresh, evaluator: &mut Evaluator<'_>, size: u64) -> Vec<u8> {
    filled(&fresh.bytes(evaluator), size)
}

fn filled(bytes: &[(u64, u8)], size: u64) -> Vec<u8> {
    let mut all = vec![0; usize::try_from(size).unwrap_or(0)];
    for &(offset, value) in bytes {
        if let Some(byte) = usize::try_from(offset).ok().and_then(|offset| all.get_mut(offset)) {
            *byte = value;
        }
    }
    all
}

//! Calls of recursive functions that were executed: what went in, what came out.
//!
//! A program that calls one function with any arguments, from any values of the static variables that it sees, writes these
//! and what they are afterwards to its output. The interpreter runs it with small numbers. What a claim forbids, or what
//! takes too long, is no call that one learns from.

use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Exit, Function, FunctionId, Intrinsic, Program, Symbol, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_interp::{Buffers, InputType, InputValue, Limits, Machine, Options, Outcome, Request};
use vergo_num::BitVec;
use vergo_passes::contracts::{Formula, Frame, Recursion, result_type};
use vergo_smt::Budget;
use vergo_source::Span;

/// Executions, and what each and all may take.
const RUNS: u64 = 400;
const STEPS: u64 = 1_000_000;
const ALL_STEPS: u64 = 8_000_000;
const CALL_DEPTH: usize = 5_000;

/// The first executions have all combinations of arguments below this, as long as there are so few.
const GRID: u64 = 5;
const GRID_RUNS: u64 = 125;

/// Numbers that arguments of the others are chosen from, beside those near constants of the program.
const SMALL: std::ops::RangeInclusive<i64> = -3..=12;
/// The distance from constants of the program, and their greatest size: values that wrap around have nothing in common
/// with the rest.
const NEAR: u64 = 5;
const LARGEST: i128 = 1000;

/// The integers that calls of a function are about.
pub(super) struct Calls {
    /// The inputs, as contracts express them where a function returns, with types.
    pub(super) inputs: Vec<(Formula, IntType)>,
    /// The outputs.
    pub(super) outputs: Vec<(Formula, IntType)>,
    /// The values of both in each call.
    pub(super) rows: Vec<Vec<i128>>,
}

/// An integer type: whether it is signed, and its width.
pub(super) type IntType = (bool, u32);

/// Executes calls of a function with small numbers and some others.
pub(super) fn calls(
    recursion: &Recursion,
    frame: &Frame,
    others: &[i128],
    budget: &Budget,
) -> Calls {
    let inputs = inputs(recursion, frame);
    let mut calls = Calls { inputs, outputs: Vec::new(), rows: Vec::new() };
    let program = probe(recursion, frame, &mut calls);
    let n_words = calls.inputs.len() + calls.outputs.len();
    let mut random = Random(1);
    let mut steps = 0;
    for run in 0..RUNS {
        if steps > ALL_STEPS || budget.interrupted().is_some() {
            break;
        }
        let buffers = Buffers::new(&[]);
        let mut digits = run;
        let inputs = |request: &Request<'_>| {
            if let (InputType::Int(_, width), 0..GRID_RUNS) = (request.ty, run) {
                let digit = digits % GRID;
                digits /= GRID;
                return Ok(InputValue::Int(BitVec::from_i128(width, digit.into())));
            }
            Ok(random.input(request.ty, others))
        };
        let limits = Limits { steps: STEPS, call_depth: CALL_DEPTH, ..Limits::default() };
        let options = Options {
            limits,
            inputs: Box::new(inputs),
            world: Box::new(buffers.clone()),
            ..Options::default()
        };
        let mut machine = Machine::new(&program, options);
        let outcome = machine.run();
        steps += machine.steps();
        drop(machine);
        let output = buffers.output();
        // What the function itself has written comes before.
        let record = output.len().checked_sub(n_words * 8).map(|start| &output[start..]);
        if let (Outcome::Exited(DONE), Some(record)) = (outcome, record) {
            let word = |bytes: &[u8]| bytes.try_into().map(i64::from_le_bytes).unwrap_or(0);
            calls.rows.push(record.chunks(8).map(|bytes| word(bytes).into()).collect());
        }
    }
    calls.rows.sort_unstable();
    calls.rows.dedup();
    calls
}

/// The integers that go into a call of a function, as contracts say it where it returns, with types.
pub(super) fn inputs(recursion: &Recursion, frame: &Frame) -> Vec<(Formula, IntType)> {
    let program = &recursion.program;
    let params = program.functions[frame.function].params.iter().enumerate();
    let params = params.map(|(index, &symbol)| (Formula::Param(index), symbol));
    let statics = frame.sees.iter().map(|&symbol| (Formula::Old(symbol), symbol));
    let typed = |(word, symbol)| Some((word, int_type(program, program.symbols[symbol].ty)?));
    params.chain(statics).filter_map(typed).collect()
}

/// The exit status of a program that has come to its end.
const DONE: u8 = 77;

/// The program that calls the function.
fn probe(recursion: &Recursion, frame: &Frame, calls: &mut Calls) -> Program {
    let mut program = recursion.program.clone();
    let Some(whole) = program.entry else { return program };
    let entry = program.add_function(Function {
        name: "@calls".to_owned(),
        display: String::new(),
        ..program.functions[whole].clone()
    });
    program.entry = Some(entry);
    let mut out = FunctionBuilder::new();
    let mut record: Vec<ExprId> = Vec::new();
    let mut args = Vec::new();
    for param in program.functions[frame.function].params.clone() {
        let ty = program.symbols[param].ty;
        let arg = declare(&mut program, &mut out, entry, ty);
        choose(&mut program, &mut out, arg);
        args.push(program.symbol(arg));
        if int_type(&program, ty).is_some() {
            record.push(program.symbol(arg));
        }
    }
    for &symbol in &frame.sees {
        choose(&mut program, &mut out, symbol);
        let ty = program.symbols[symbol].ty;
        if int_type(&program, ty).is_some() {
            let old = declare(&mut program, &mut out, entry, ty);
            let (place, value) = (program.symbol(old), program.symbol(symbol));
            out.assign(place, value);
            record.push(place);
        }
    }
    let result = result_type(&program, frame.function);
    let result = result.map(|ty| (declare(&mut program, &mut out, entry, ty), ty));
    let dest = result.map(|(symbol, _)| program.symbol(symbol));
    out.call(dest, frame.function, args);
    if let (Some((_, ty)), Some(dest)) = (result, dest)
        && let Some(int) = int_type(&program, ty)
    {
        calls.outputs.push((Formula::Result, int));
        record.push(dest);
    }
    for &symbol in &frame.changes {
        if let Some(int) = int_type(&program, program.symbols[symbol].ty) {
            calls.outputs.push((Formula::Static(symbol), int));
            record.push(program.symbol(symbol));
        }
    }
    write(&mut program, &mut out, entry, &record);
    let int = program.types.int(true, 32);
    let status = program.int(int, DONE.into());
    out.end(Exit::Status(status));
    out.finish(&mut program, entry);
    program
}

/// Writes words to standard output, eight bytes each.
fn write(program: &mut Program, out: &mut FunctionBuilder, entry: FunctionId, words: &[ExprId]) {
    let wide = program.types.int(true, 64);
    let array = program.types.array(wide, words.len().max(1) as u64);
    let record = declare(program, out, entry, array);
    let record = program.symbol(record);
    for (i, &word) in words.iter().enumerate() {
        let index = program.size(i as u64);
        let (place, value) = (program.index(record, index), program.cast(wide, word));
        out.assign(place, value);
    }
    let int = program.types.int(true, 32);
    let (descriptor, first) = (program.int(int, 1), program.size(0));
    let first = program.index(record, first);
    let (pointer, length) = (program.address_of(first), program.size(words.len() as u64 * 8));
    out.intrinsic(Intrinsic::Write, None, [descriptor, pointer, length]);
}

/// The type of integers of at most 64 bits, which fit into a record.
fn int_type(program: &Program, ty: TypeId) -> Option<IntType> {
    match *program.types.get(ty) {
        Type::Int { signed, width } if width <= 64 => Some((signed, width)),
        _ => None,
    }
}

fn declare(
    program: &mut Program,
    out: &mut FunctionBuilder,
    function: FunctionId,
    ty: TypeId,
) -> SymbolId {
    let name = format!("call@{}", program.symbols.len());
    let align = program.types.align_of(ty, &program.machine);
    let (kind, span) = (SymbolKind::Local(function), Span::DUMMY);
    let symbol =
        program.add_symbol(Symbol { name, display: String::new(), ty, kind, span, align, writable: true });
    out.decl(symbol);
    symbol
}

fn choose(program: &mut Program, out: &mut FunctionBuilder, symbol: SymbolId) {
    let (ty, place) = (program.symbols[symbol].ty, program.symbol(symbol));
    let any = program.nondet(ty);
    out.assign(place, any);
}

/// Pseudo-random numbers, the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        self.0 >> 33
    }

    fn input(&mut self, ty: InputType, others: &[i128]) -> InputValue {
        match ty {
            InputType::Bool => InputValue::Bool(self.next() & 1 == 1),
            InputType::Int(signed, width) => {
                let n_small = (SMALL.end() - SMALL.start() + 1) as u64;
                let small = SMALL.start() + (self.next() % n_small) as i64;
                let other = others.get(self.next() as usize % others.len().max(1));
                let value = match other {
                    Some(&other) if self.next().is_multiple_of(4) && other.abs() <= LARGEST => {
                        other + i128::from(self.next() % NEAR)
                    }
                    _ => small.into(),
                };
                let value = if signed { value } else { value.abs() };
                InputValue::Int(BitVec::from_i128(width, value))
            }
            other => InputValue::zero(other),
        }
    }
}

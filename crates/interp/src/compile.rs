//! Compiles GOTO functions to the operations of [`code`](crate::code).
//!
//! Scalar variables whose address nobody takes live in registers; all others are objects. Each instruction is compiled
//! by itself: shared subexpressions are computed once, except that what is computed under a condition is not known
//! behind it. `&&`, `||`, `==>` and `?:` jump around what they do not need, so that an access that is not needed is no fault.
//!
//! An instruction whose expression shares so much under conditions that this would take too much code is compiled a
//! second time without jumps: everything is computed once, both sides of every choice included, and an access to
//! something that is not there yields zero.

mod exprs;
mod instrs;
mod places;

use crate::code::{Code, Loc, Op, Reg, Rep, Scalar, SlotInfo, Slow};
use crate::memory::{Handle, Memory};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{FunctionId, InstrKind, LabelId, Program, SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_num::FloatFormat;

/// The data that all functions of a program share.
#[derive(Debug)]
pub(crate) struct Environment {
    /// Objects of statics; zero for others.
    pub(crate) statics: SecondaryMap<SymbolId, Handle>,
    /// Numbers of thread-locals, plus one.
    pub(crate) thread_locals: SecondaryMap<SymbolId, u32>,
    /// Local variables by function.
    locals: SecondaryMap<FunctionId, Vec<SymbolId>>,
    /// Variables whose address is taken somewhere, other than to ask whether they are initialised.
    address_taken: EntitySet<SymbolId>,
    /// Variables of which somebody asks whether they are initialised.
    asked: EntitySet<SymbolId>,
    /// True if all variables have to be objects.
    all_in_memory: bool,
    /// True if there are threads, so that others may continue before instructions that matter to them.
    points: bool,
    /// True if an execution stops where it would look at addresses.
    pub(crate) opaque: bool,
    /// True if steps are watched.
    pub(crate) trace: bool,
    /// True if accesses are watched.
    pub(crate) accesses: bool,
    /// Operations that an instruction may take before it is compiled without jumps.
    pub(crate) max_ops: usize,
}

impl Environment {
    pub(crate) fn new(
        program: &Program,
        all_in_memory: bool,
        trace: bool,
        accesses: bool,
    ) -> Environment {
        let mut locals: SecondaryMap<FunctionId, Vec<SymbolId>> = SecondaryMap::new();
        for (id, symbol) in &program.symbols {
            if let SymbolKind::Local(function) = symbol.kind {
                locals[function].push(id);
            }
        }
        let mut address_taken = EntitySet::new();
        let mut asked = EntitySet::new();
        for i in 0..program.exprs.len() {
            let e = ExprId::new(i);
            if let Some(symbol) = asks_about(program, e) {
                asked.insert(symbol);
                continue;
            }
            if let ExprKind::AddressOf(place) = program.exprs.kind(e)
                && !matches!(program.exprs.kind(*place), ExprKind::Symbol(_))
                && let Some(symbol) = program.root_variable(*place)
            {
                address_taken.insert(symbol);
            }
            program
                .exprs
                .kind(e)
                .for_each_child(|child| address_taken.extend(addressed(program, child)));
        }
        for function in program.functions.values() {
            for instr in function.body.iter().flatten() {
                instr.kind.for_each_expr(|e, _| address_taken.extend(addressed(program, e)));
            }
        }
        let mut bodies =
            program.functions.values().flat_map(|function| function.body.iter().flatten());
        let points = bodies.any(|instr| matches!(instr.kind, InstrKind::Spawn { .. }));
        Environment {
            points,
            statics: SecondaryMap::new(),
            thread_locals: SecondaryMap::new(),
            locals,
            address_taken,
            asked,
            all_in_memory: all_in_memory || accesses,
            opaque: false,
            trace,
            accesses,
            max_ops: MAX_OPS,
        }
    }
}

/// The variable whose address an expression is.
fn addressed(program: &Program, e: ExprId) -> Option<SymbolId> {
    match program.exprs.kind(e) {
        ExprKind::AddressOf(place) => match program.exprs.kind(*place) {
            ExprKind::Symbol(symbol) => Some(*symbol),
            _ => None,
        },
        _ => None,
    }
}

/// The variable of which an expression asks whether all of it is initialised.
fn asks_about(program: &Program, e: ExprId) -> Option<SymbolId> {
    let ExprKind::Memory(MemoryOp::IsInitialized, operands) = program.exprs.kind(e) else {
        return None;
    };
    let &[p, n] = &operands[..] else { return None };
    let symbol = addressed(program, p)?;
    let ExprKind::Int(n) = program.exprs.kind(n) else { return None };
    (n.to_u64() == program.size_of(program.symbols[symbol].ty)).then_some(symbol)
}

/// Returns the representation of a type's values in registers; `None` for types without values.
pub(crate) fn rep_of(program: &Program, ty: TypeId) -> Option<Rep> {
    Some(match program.types.get(ty) {
        Type::Bool => Rep::Bool,
        Type::Int { signed, width } if *width <= 128 => Rep::Int(*signed, *width),
        Type::Int { signed, width } => Rep::BigInt(*signed, *width),
        Type::Float(FloatFormat::SINGLE) => Rep::Single,
        Type::Float(FloatFormat::DOUBLE) => Rep::Double,
        Type::Float(format) if format.width() <= 128 => Rep::Soft(*format),
        Type::Float(format) => Rep::BigFloat(*format),
        Type::Ptr(_) => Rep::Pointer,
        Type::Array(..) | Type::Struct(_) => Rep::Bytes(program.size_of(ty)?),
        Type::Void | Type::Func(..) => return None,
    })
}

/// The fast access of a representation, if it has one.
fn scalar_of(rep: Rep) -> Option<Scalar> {
    Some(match rep {
        Rep::Int(true, 8) => Scalar::I8,
        Rep::Int(false, 8) => Scalar::U8,
        Rep::Int(true, 16) => Scalar::I16,
        Rep::Int(false, 16) => Scalar::U16,
        Rep::Int(true, 32) => Scalar::I32,
        Rep::Int(false, 32) => Scalar::U32,
        Rep::Int(_, 64) => Scalar::Word,
        Rep::Single => Scalar::Single,
        Rep::Double => Scalar::Double,
        Rep::Pointer => Scalar::Pointer,
        _ => return None,
    })
}

/// Compiles a function.
pub(crate) fn compile(
    program: &Program,
    environment: &Environment,
    memory: &Memory,
    id: FunctionId,
) -> Result<Code, String> {
    let function = &program.functions[id];
    let Type::Func(ret, params) = program.types.get(function.ty) else {
        return Err(format!("`{}` has no function type", function.name));
    };
    let mut compiler = Compiler::new(program, environment, memory, function.n_labels);
    compiler.code.ret = rep_of(program, *ret);
    let Some(body) = &function.body else {
        compiler.code.is_extern = true;
        for &ty in params {
            let rep = rep_of(program, ty).ok_or("a parameter has no value")?;
            let loc = compiler.variable(rep);
            compiler.code.params.push(loc);
        }
        compiler.code.n_regs = compiler.next_temp;
        compiler.code.n_bigs = compiler.next_big;
        return Ok(compiler.code);
    };
    for &symbol in &function.params {
        compiler.parameter(symbol)?;
    }
    for &symbol in &environment.locals[id] {
        compiler.local(symbol)?;
    }
    compiler.code.n_vars = compiler.next_temp;
    compiler.code.first_const = compiler.next_temp;
    compiler.next_temp += MAX_CONSTS;
    compiler.code.first_temp = compiler.next_temp;
    compiler.first_big_temp = compiler.next_big;
    compiler.prologue(&function.params);
    let is_entry = program.entry == Some(id);
    for (i, instr) in body.iter().enumerate() {
        compiler.instr = i as u32;
        if environment.points && compiler.is_point(body, i, is_entry) {
            compiler.slow(Slow::Point);
        }
        compiler.instruction(instr);
        if let Some(trouble) = compiler.trouble.take() {
            return Err(format!("`{}`, instruction {i}: {trouble}", function.name));
        }
    }
    compiler.finish()
}

/// Compiles a constant expression: its value is where the first "parameter" is when the code stops by aborting.
pub(crate) fn compile_constant(
    program: &Program,
    environment: &Environment,
    memory: &Memory,
    e: ExprId,
) -> Result<Code, String> {
    let mut compiler = Compiler::new(program, environment, memory, 0);
    compiler.next_temp = MAX_CONSTS;
    compiler.code.n_regs = MAX_CONSTS;
    let loc = compiler.value(e);
    compiler.code.params.push(loc);
    compiler.slow(Slow::Abort);
    match compiler.trouble.take() {
        Some(trouble) => Err(format!("a constant: {trouble}")),
        None => compiler.finish(),
    }
}

/// Constants that a function may have in registers.
const MAX_CONSTS: u32 = 48;
/// The value of [`Environment::max_ops`] unless a test sets it.
const MAX_OPS: usize = 20_000;
const UNPLACED: u32 = u32::MAX;

struct Compiler<'a> {
    program: &'a Program,
    environment: &'a Environment,
    memory: &'a Memory,
    code: Code,
    /// Variables in registers.
    registers: FxHashMap<SymbolId, Loc>,
    /// Of variables in registers, by their first: whether they are initialised, where somebody asks.
    flags: FxHashMap<Reg, Reg>,
    /// Variables in memory.
    slots: FxHashMap<SymbolId, u32>,
    /// Constants in registers: one or two words.
    consts: FxHashMap<(u64, Option<u64>), Reg>,
    /// The registers of expressions that the current instruction has computed.
    memo: FxHashMap<ExprId, Loc>,
    memo_log: Vec<ExprId>,
    next_temp: Reg,
    next_big: Reg,
    first_big_temp: Reg,
    /// Where labels stand: those of the function, then those made here.
    labels: Vec<u32>,
    /// Operations that jump to a label.
    jumps: Vec<usize>,
    instr: u32,
    limit: usize,
    /// True if the instruction is compiled without jumps.
    eager: bool,
    overflow: bool,
    trouble: Option<String>,
}

/// A label while a function is compiled.
type Label = u32;

impl<'a> Compiler<'a> {
    fn new(
        program: &'a Program,
        environment: &'a Environment,
        memory: &'a Memory,
        n_labels: u32,
    ) -> Compiler<'a> {
        Compiler {
            program,
            environment,
            memory,
            code: Code::default(),
            registers: FxHashMap::default(),
            flags: FxHashMap::default(),
            slots: FxHashMap::default(),
            consts: FxHashMap::default(),
            memo: FxHashMap::default(),
            memo_log: Vec::new(),
            next_temp: 0,
            next_big: 0,
            first_big_temp: 0,
            labels: vec![UNPLACED; n_labels as usize],
            jumps: Vec::new(),
            instr: 0,
            limit: usize::MAX,
            eager: false,
            overflow: false,
            trouble: None,
        }
    }
}

impl Compiler<'_> {
    fn variable(&mut self, rep: Rep) -> Loc {
        if rep.is_big() {
            let reg = self.next_big;
            self.next_big += 1;
            Loc { reg, rep }
        } else {
            let reg = self.next_temp;
            self.next_temp += rep.words();
            Loc { reg, rep }
        }
    }

    /// A register that the current instruction may use.
    fn temp(&mut self, rep: Rep) -> Loc {
        let loc = self.variable(rep);
        self.code.n_regs = self.code.n_regs.max(self.next_temp);
        self.code.n_bigs = self.code.n_bigs.max(self.next_big);
        loc
    }

    fn in_memory(&self, symbol: SymbolId, rep: Rep) -> bool {
        let no_object = rep == Rep::Bool;
        !no_object
            && (matches!(rep, Rep::Bytes(_))
                || rep.is_big() && self.environment.asked.contains(symbol)
                || self.environment.all_in_memory
                || self.environment.address_taken.contains(symbol))
    }

    fn slot(&mut self, symbol: SymbolId) {
        let info = &self.program.symbols[symbol];
        let size = self.program.size_of(info.ty).unwrap_or(0);
        self.code.slots.push(SlotInfo { symbol, size, align: info.align, writable: info.writable });
        self.slots.insert(symbol, self.code.slots.len() as u32 - 1);
    }

    fn parameter(&mut self, symbol: SymbolId) -> Result<(), String> {
        let rep = rep_of(self.program, self.program.symbols[symbol].ty)
            .ok_or("a parameter has no value")?;
        let loc = self.variable(rep);
        self.code.params.push(loc);
        if self.in_memory(symbol, rep) {
            self.slot(symbol);
        } else {
            self.registers.insert(symbol, loc);
        }
        Ok(())
    }

    fn local(&mut self, symbol: SymbolId) -> Result<(), String> {
        let rep = rep_of(self.program, self.program.symbols[symbol].ty)
            .ok_or("a variable has no value")?;
        if self.in_memory(symbol, rep) {
            self.slot(symbol);
        } else {
            let loc = self.variable(rep);
            self.registers.insert(symbol, loc);
            if self.environment.asked.contains(symbol) {
                let flag = self.variable(Rep::Bool).reg;
                self.flags.insert(loc.reg, flag);
            }
        }
        Ok(())
    }

    /// A variable in registers has a value now.
    fn mark(&mut self, loc: Loc) {
        if !loc.rep.is_big()
            && let Some(&d) = self.flags.get(&loc.reg)
        {
            self.emit(Op::Const { d, v: 1 });
        }
    }

    /// Parameters in memory get their objects.
    fn prologue(&mut self, params: &[SymbolId]) {
        self.code.n_regs = self.next_temp;
        self.code.n_bigs = self.next_big;
        for (i, symbol) in params.iter().enumerate() {
            if let Some(&slot) = self.slots.get(symbol) {
                let a = self.code.params[i];
                self.emit(Op::Decl { slot });
                self.slow(Slow::Param { slot, a });
            }
        }
    }

    fn emit(&mut self, op: Op) {
        if self.code.ops.len() >= self.limit {
            self.overflow = true;
            return;
        }
        self.code.ops.push(op);
        self.code.instr_of.push(self.instr);
    }

    fn slow(&mut self, slow: Slow) {
        self.code.slow.push(slow);
        self.emit(Op::Slow { slow: self.code.slow.len() as u32 - 1 });
    }

    fn fail(&mut self, message: &str) {
        self.trouble.get_or_insert_with(|| message.to_owned());
    }

    fn new_label(&mut self) -> Label {
        self.labels.push(UNPLACED);
        self.labels.len() as Label - 1
    }

    fn place_label(&mut self, label: Label) {
        self.labels[label as usize] = self.code.ops.len() as u32;
    }

    /// Emits a jump; its target is the label until the end.
    fn jump(&mut self, op: Op) {
        self.jumps.push(self.code.ops.len());
        self.emit(op);
    }

    fn label_of(&self, label: LabelId) -> Label {
        label.index() as Label
    }

    /// A constant of one word in a register.
    fn word(&mut self, value: u64) -> Reg {
        if let Some(&reg) = self.consts.get(&(value, None)) {
            return reg;
        }
        let used = self.code.consts.len() as u32;
        if used < MAX_CONSTS {
            let reg = self.code.first_const + used;
            self.code.consts.push(value);
            self.consts.insert((value, None), reg);
            return reg;
        }
        let d = self.temp(Rep::Bool).reg;
        self.emit(Op::Const { d, v: value });
        d
    }

    /// A constant of two words in registers.
    fn word_pair(&mut self, low: u64, high: u64) -> Reg {
        if let Some(&reg) = self.consts.get(&(low, Some(high))) {
            return reg;
        }
        let used = self.code.consts.len() as u32;
        if used + 1 < MAX_CONSTS {
            let reg = self.code.first_const + used;
            self.code.consts.extend([low, high]);
            self.consts.insert((low, Some(high)), reg);
            return reg;
        }
        let d = self.temp(Rep::Pointer).reg;
        self.emit(Op::Const { d, v: low });
        self.emit(Op::Const { d: d + 1, v: high });
        d
    }

    /// Moves a value.
    fn assign(&mut self, d: Loc, a: Loc) {
        if d.reg == a.reg && d.rep.is_big() == a.rep.is_big() {
            return;
        }
        match d.rep.words() {
            0 => self.slow(Slow::MoveBig { d: d.reg, a: a.reg }),
            1 => self.emit(Op::Mov { d: d.reg, a: a.reg }),
            _ => self.emit(Op::Mov2 { d: d.reg, a: a.reg }),
        }
    }

    /// Forgets what was computed since, because it was computed under a condition.
    fn forget(&mut self, since: usize) {
        if self.eager {
            return;
        }
        for e in self.memo_log.drain(since..) {
            self.memo.remove(&e);
        }
    }

    fn finish(mut self) -> Result<Code, String> {
        let n_ops = self.code.ops.len();
        for &at in &self.jumps {
            let Some(target) = self.code.ops.get_mut(at).and_then(Op::target_mut) else { continue };
            let place = self.labels[*target as usize];
            if place == UNPLACED || place as usize >= n_ops {
                return Err("a jump goes nowhere".into());
            }
            *target = place;
        }
        turn_loops(&mut self.code);
        Ok(self.code)
    }
}

/// Turns loops around: a jump to a conditional jump, which is how a round ends, becomes that conditional jump, the other
/// way round, and a jump to where it goes. So a round is one operation shorter.
fn turn_loops(code: &mut Code) {
    let turned = |op: &Op| match *op {
        Op::Jump { t } => {
            code.ops[t as usize].inverted(t + 1).filter(|_| t as usize + 1 < code.ops.len())
        }
        _ => None,
    };
    let turned: Vec<Option<(Op, u32)>> = code.ops.iter().map(turned).collect();
    // Where operations stand afterwards.
    let mut places = Vec::with_capacity(code.ops.len());
    let mut n_ops = 0;
    for replaced in &turned {
        places.push(n_ops);
        n_ops += 1 + u32::from(replaced.is_some());
    }
    let old = std::mem::take(&mut code.ops);
    let instrs = std::mem::take(&mut code.instr_of);
    for ((op, instr), replaced) in old.into_iter().zip(instrs).zip(turned) {
        let ops = match replaced {
            Some((jump, t)) => [Some(jump), Some(Op::Jump { t })],
            None => [Some(op), None],
        };
        for mut op in ops.into_iter().flatten() {
            if let Some(target) = op.target_mut() {
                *target = places[*target as usize];
            }
            code.ops.push(op);
            code.instr_of.push(instr);
        }
    }
}

/// 64 minus the width of an integer type of at most 64 bits.
fn shift_of(width: u32) -> u8 {
    (64 - width) as u8
}

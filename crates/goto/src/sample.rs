//! Random programs for tests: well-formed, terminating, different for each seed.
//!
//! The generator makes programs that use most of the language: integers of odd widths, floats, structures with
//! bit-fields, unions, arrays, pointers to all of them, heap objects, calls (also through pointers), loops,
//! nondeterministic choices, assumptions and assertions. They always terminate: loops have counters, and functions call
//! only those made before. Every dereference is in bounds of a live object, so that a program has one behaviour per
//! sequence of choices: what it writes (a line of checksums), its exit status, or the first assertion that fails.
//! A pass keeps the meaning of a program if it keeps that behaviour.

use crate::build::FunctionBuilder;
use crate::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use crate::program::{
    Claim, Exit, Function, FunctionId, InitPart, Intrinsic, Program, Region, StaticInit, Symbol,
    SymbolId, SymbolKind,
};
use crate::types::{Field, Machine, StructType, Type, TypeId};
use vergo_num::{BitVec, Float, FloatFormat, RoundingMode};
use vergo_source::Span;

/// A random program of moderate size.
pub fn program(seed: u64) -> Program {
    let mut machine = Machine::LP64;
    if seed % 4 == 3 {
        machine = Machine::ILP32;
    }
    let mut maker = Maker {
        program: Program::new(machine),
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d,
        ints: Vec::new(),
        floats: Vec::new(),
        aggregates: Vec::new(),
        statics: Vec::new(),
        functions: Vec::new(),
        n_names: 0,
    };
    maker.make();
    maker.program
}

/// Generation of one program.
struct Maker {
    program: Program,
    state: u64,
    ints: Vec<TypeId>,
    floats: Vec<TypeId>,
    aggregates: Vec<TypeId>,
    statics: Vec<SymbolId>,
    functions: Vec<FunctionId>,
    n_names: usize,
}

/// A function while it is made.
struct Body {
    id: FunctionId,
    code: FunctionBuilder,
    /// Variables that are alive and initialised.
    alive: Vec<SymbolId>,
    depth: u32,
}

impl Maker {
    /// The next 64 random bits (xorshift).
    fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.bits() >> 33) as usize) % n.max(1)
    }

    fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    fn make(&mut self) {
        let widths = [1, 7, 8, 16, 24, 32, 32, 64, 128, 37, 200];
        for width in widths {
            for signed in [true, false] {
                let ty = self.program.types.int(signed, width);
                self.ints.push(ty);
            }
        }
        for format in [FloatFormat::SINGLE, FloatFormat::DOUBLE, FloatFormat::X87_EXTENDED] {
            let ty = self.program.types.float(format);
            self.floats.push(ty);
        }
        for _ in 0..2 {
            self.aggregate();
        }
        for _ in 0..5 {
            self.global();
        }
        for _ in 0..3 {
            self.function();
        }
        self.entry();
    }

    /// A new structure, union or array type.
    fn aggregate(&mut self) {
        let union = self.below(3) == 0;
        let mut fields: Vec<Field> = Vec::new();
        let mut offset = 0u64;
        for i in 0..2 + self.below(4) {
            let name = format!("m{i}");
            let at = if union { 0 } else { offset };
            if self.below(3) == 0 {
                let width = 1 + self.below(20) as u32;
                let signed = self.below(2) == 0;
                let ty = self.program.types.int(signed, width);
                let bit = self.below(8) as u32;
                fields.push(Field { name, ty, offset: at, first_bit: Some(bit) });
                offset = offset.max(at + u64::from(bit + width).div_ceil(8));
                continue;
            }
            let ty = match self.below(6) {
                0 if !self.aggregates.is_empty() => {
                    let all = self.aggregates.clone();
                    self.choose(&all)
                }
                1 => {
                    let to = self.scalar();
                    self.program.types.ptr(to)
                }
                _ => self.scalar(),
            };
            let size = self.program.size_of(ty).unwrap_or(1);
            let at = at.next_multiple_of(self.align(ty));
            fields.push(Field { name, ty, offset: at, first_bit: None });
            offset = offset.max(at + size);
        }
        let name = self.name(if union { "U" } else { "S" });
        let size = offset.next_multiple_of(16);
        let id = self.program.add_struct(StructType {
            name,
            union,
            fields,
            size,
            align: 16,
            complete: true,
        });
        let ty = self.program.types.intern(Type::Struct(id));
        self.aggregates.push(ty);
        let element = self.scalar();
        let len = 1 + self.below(6) as u64;
        let array = self.program.types.array(element, len);
        self.aggregates.push(array);
    }

    fn align(&self, ty: TypeId) -> u64 {
        match self.program.types.get(ty) {
            Type::Struct(id) => self.program.types.structs[*id].align,
            Type::Array(element, _) => self.align(*element),
            _ => self.program.size_of(ty).map_or(1, |size| size.next_power_of_two().min(16)),
        }
    }

    fn scalar(&mut self) -> TypeId {
        if self.below(6) == 0 {
            let all = self.floats.clone();
            self.choose(&all)
        } else {
            let all = self.ints.clone();
            self.choose(&all)
        }
    }

    fn any_type(&mut self) -> TypeId {
        match self.below(8) {
            0 => self.program.types.bool(),
            1 | 2 => {
                let all = self.aggregates.clone();
                self.choose(&all)
            }
            _ => self.scalar(),
        }
    }

    fn global(&mut self) {
        let ty = match self.below(3) {
            0 => {
                let all = self.aggregates.clone();
                self.choose(&all)
            }
            _ => self.scalar(),
        };
        let mut parts = Vec::new();
        if matches!(self.program.types.get(ty), Type::Int { .. } | Type::Float(_)) {
            let value = self.constant(ty);
            parts.push(InitPart::Value { offset: 0, value });
        } else if self.below(2) == 0 && self.program.size_of(ty).is_some_and(|size| size > 1) {
            let bytes: Vec<u8> = vec![self.bits() as u8 & 127];
            parts.push(InitPart::Bytes { offset: 0, bytes: bytes.into() });
        }
        let name = self.name("g");
        let symbol = Symbol {
            display: name.clone(),
            name,
            ty,
            kind: SymbolKind::Static { init: StaticInit::Data(parts), thread_local: false },
            span: Span::DUMMY,
            align: self.align(ty),
            writable: true,
        };
        let id = self.program.add_symbol(symbol);
        self.statics.push(id);
    }

    fn local(&mut self, body: &mut Body, ty: TypeId) -> SymbolId {
        let name = self.name("v");
        let kind = SymbolKind::Local(body.id);
        let align = self.align(ty);
        let writable = self.below(8) != 0;
        self.program.add_symbol(Symbol {
            display: String::new(),
            name,
            ty,
            kind,
            span: Span::DUMMY,
            align,
            writable,
        })
    }

    fn start(&mut self, stem: &str, ret: TypeId, params: &[TypeId]) -> Body {
        let name = self.name(stem);
        let ty = self.program.types.func(ret, params);
        let id = self.program.add_function(Function::declaration(name.clone(), name, ty));
        let mut alive = Vec::new();
        for &ty in params {
            let name = self.name("p");
            let align = self.align(ty);
            let kind = SymbolKind::Param(id);
            let (span, writable) = (Span::DUMMY, true);
            let symbol = Symbol { display: name.clone(), name, ty, kind, span, align, writable };
            alive.push(self.program.add_symbol(symbol));
        }
        self.program.functions[id].params.clone_from(&alive);
        Body { id, code: FunctionBuilder::new(), alive, depth: 0 }
    }

    fn function(&mut self) {
        let ret = self.any_type();
        let params: Vec<TypeId> = (0..self.below(4)).map(|_| self.any_type()).collect();
        let mut body = self.start("f", ret, &params);
        for _ in 0..2 + self.below(5) {
            self.statement(&mut body);
        }
        let value = self.expr(&body, ret, 2);
        body.code.ret(Some(value));
        let id = body.id;
        body.code.finish(&mut self.program, id);
        self.functions.push(id);
    }

    fn entry(&mut self) {
        let void = self.program.types.void();
        let mut body = self.start("entry", void, &[]);
        for _ in 0..6 + self.below(8) {
            self.statement(&mut body);
        }
        // The checksum: all bytes of all statics that hold no address.
        for symbol in self.statics.clone() {
            self.write_out(&mut body, symbol);
        }
        let status = self.program.types.int(true, 32);
        let status = self.expr(&body, status, 2);
        body.code.end(Exit::Status(status));
        let id = body.id;
        body.code.finish(&mut self.program, id);
        self.program.entry = Some(id);
    }

    fn write_out(&mut self, body: &mut Body, symbol: SymbolId) {
        let ty = self.program.symbols[symbol].ty;
        if !self.is_plain(ty) {
            return;
        }
        let place = self.program.symbol(symbol);
        let address = self.program.address_of(place);
        let int = self.program.types.int(true, 32);
        let descriptor = self.program.int(int, 1);
        let size = self.program.size_of(ty).unwrap_or(0);
        let size = self.program.size(size);
        body.code.intrinsic(Intrinsic::Write, None, [descriptor, address, size]);
    }

    /// Returns whether a type holds no pointers (whose values depend on addresses).
    fn is_plain(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Ptr(_) => false,
            Type::Array(element, _) => self.is_plain(*element),
            Type::Struct(id) => {
                self.program.types.structs[*id].fields.iter().all(|f| self.is_plain(f.ty))
            }
            _ => true,
        }
    }

    fn statement(&mut self, body: &mut Body) {
        body.depth += 1;
        match self.below(if body.depth > 3 { 9 } else { 12 }) {
            0..=2 => self.assignment(body),
            3 => self.declaration(body),
            4 => {
                let ty = self.scalar();
                let symbol = self.local(body, ty);
                body.code.decl(symbol);
                let value = self.program.nondet(ty);
                let place = self.program.symbol(symbol);
                body.code.assign(place, value);
                body.alive.push(symbol);
            }
            5 => self.call(body),
            6 => self.through_pointer(body),
            7 => self.heap(body),
            8 => {
                // Mostly true, so that programs go on.
                let bool = self.program.types.bool();
                let a = self.expr(body, bool, 2);
                let b = self.program.not(a);
                let c = self.expr(body, bool, 1);
                let d = self.program.or(a, b);
                let claim = if self.below(6) == 0 { self.program.or(c, a) } else { d };
                if self.below(3) == 0 {
                    body.code.assume(d);
                } else {
                    body.code.assert(
                        claim,
                        Claim {
                            property: "user.assert".into(),
                            description: "a claim".into(),
                            cwe: None,
                        },
                    );
                }
            }
            9 => self.branch(body),
            10 => self.counted_loop(body),
            _ => {
                let alive = body.alive.len();
                for _ in 0..2 {
                    self.statement(body);
                }
                self.leave(body, alive);
            }
        }
        body.depth -= 1;
    }

    /// Ends the lives of variables that came to life since.
    fn leave(&mut self, body: &mut Body, alive: usize) {
        for symbol in body.alive.split_off(alive).into_iter().rev() {
            body.code.dead(symbol);
        }
    }

    fn declaration(&mut self, body: &mut Body) {
        let ty = self.any_type();
        let symbol = self.local(body, ty);
        let value = self.expr(body, ty, 2);
        body.code.decl(symbol);
        let place = self.program.symbol(symbol);
        body.code.assign(place, value);
        body.alive.push(symbol);
    }

    fn assignment(&mut self, body: &mut Body) {
        let Some(place) = self.place(body, None) else { return };
        let ty = self.program.exprs.ty(place);
        let value = self.expr(body, ty, 3);
        body.code.assign(place, value);
    }

    fn call(&mut self, body: &mut Body) {
        if self.functions.is_empty() {
            return;
        }
        let all = self.functions.clone();
        let callee = self.choose(&all);
        let Type::Func(ret, params) =
            self.program.types.get(self.program.functions[callee].ty).clone()
        else {
            return;
        };
        let args: Vec<ExprId> = params.iter().map(|&ty| self.expr(body, ty, 2)).collect();
        let symbol = self.local(body, ret);
        body.code.decl(symbol);
        let dest = self.program.symbol(symbol);
        if self.below(2) == 0 {
            body.code.call(Some(dest), callee, args);
        } else {
            let pointer = self.program.function(callee);
            body.code.call_indirect(Some(dest), pointer, args);
        }
        body.alive.push(symbol);
    }

    /// A pointer to some place, and a write and a read through it.
    fn through_pointer(&mut self, body: &mut Body) {
        let Some(place) = self.place(body, None) else { return };
        if !self.has_address(place) {
            return;
        }
        let address = self.program.address_of(place);
        let ptr = self.program.exprs.ty(address);
        let symbol = self.local(body, ptr);
        body.code.decl(symbol);
        let pointer = self.program.symbol(symbol);
        body.code.assign(pointer, address);
        let target =
            self.program.exprs.intern(ExprKind::Deref(pointer), self.program.exprs.ty(place));
        let ty = self.program.exprs.ty(place);
        let value = self.expr(body, ty, 2);
        let live = self.program.memory(MemoryOp::IsLive, [pointer]);
        let claim = Claim::new("memory.lifetime", "alive");
        body.code.assert(live, claim);
        body.code.assign(target, value);
        body.code.dead(symbol);
    }

    fn heap(&mut self, body: &mut Body) {
        let element = self.scalar();
        let ptr = self.program.types.ptr(element);
        let symbol = self.local(body, ptr);
        body.code.decl(symbol);
        let pointer = self.program.symbol(symbol);
        let n = 1 + self.below(4) as i128;
        let size = self.program.size_of(element).unwrap_or(1);
        let bytes = self.program.size(size * n as u64);
        let region = if self.below(2) == 0 { Region::Heap } else { Region::Stack };
        body.code.alloc(pointer, bytes, 16, region, true);
        let int = self.program.types.int(true, 32);
        for _ in 0..2 {
            let at = self.below(n as usize) as i128;
            let offset = self.program.int(int, at);
            let moved =
                self.program.exprs.intern(ExprKind::Binary(BinaryOp::PtrAdd, pointer, offset), ptr);
            let place = self.program.deref(moved);
            let value = self.expr(body, element, 2);
            body.code.assign(place, value);
            if let Some(other) = self.place(body, Some(element)) {
                body.code.assign(other, place);
            }
        }
        body.code.free(pointer, region);
        body.code.dead(symbol);
    }

    fn branch(&mut self, body: &mut Body) {
        let bool = self.program.types.bool();
        let condition = self.expr(body, bool, 3);
        let otherwise = body.code.new_label();
        let end = body.code.new_label();
        body.code.goto_if(condition, otherwise);
        let alive = body.alive.len();
        self.statement(body);
        self.leave(body, alive);
        body.code.goto(end);
        body.code.label(otherwise);
        self.statement(body);
        self.leave(body, alive);
        body.code.label(end);
    }

    fn counted_loop(&mut self, body: &mut Body) {
        let int = self.program.types.int(true, 32);
        let counter = self.local(body, int);
        body.code.decl(counter);
        let i = self.program.symbol(counter);
        let zero = self.program.int(int, 0);
        let one = self.program.int(int, 1);
        let bound = self.below(5) as i128;
        let bound = self.program.int(int, bound);
        body.code.assign(i, zero);
        let head = body.code.label_here();
        let end = body.code.new_label();
        let done = self.program.le(bound, i);
        body.code.goto_if(done, end);
        // The counter is not among the variables that statements write.
        let alive = body.alive.len();
        self.statement(body);
        self.leave(body, alive);
        let next = self.program.add(i, one);
        body.code.assign(i, next);
        body.code.goto(head);
        body.code.label(end);
        body.code.dead(counter);
    }

    fn has_address(&self, place: ExprId) -> bool {
        if self.program.size_of(self.program.exprs.ty(place)).is_none() {
            return false;
        }
        match self.program.exprs.kind(place) {
            ExprKind::Member(base, member) => match self.program.type_of(*base) {
                Type::Struct(id) => {
                    self.program.types.structs[*id].fields[*member as usize].first_bit.is_none()
                }
                _ => false,
            },
            _ => true,
        }
    }

    /// A place of a type (or any), made from a variable.
    fn place(&mut self, body: &Body, want: Option<TypeId>) -> Option<ExprId> {
        for _ in 0..8 {
            let n = body.alive.len() + self.statics.len();
            if n == 0 {
                return None;
            }
            let i = self.below(n);
            let symbol = if i < body.alive.len() {
                body.alive[i]
            } else {
                self.statics[i - body.alive.len()]
            };
            let mut place = self.program.symbol(symbol);
            loop {
                let ty = self.program.exprs.ty(place);
                if Some(ty) == want || want.is_none() && self.below(3) == 0 {
                    return Some(place);
                }
                match self.program.types.get(ty).clone() {
                    Type::Struct(id) => {
                        let member = self.below(self.program.types.structs[id].fields.len()) as u32;
                        place = self.program.member(place, member);
                    }
                    Type::Array(_, len) => {
                        let index = self.index(body, len);
                        place = self.program.index(place, index);
                    }
                    _ if want.is_none() => return Some(place),
                    _ => break,
                }
            }
        }
        None
    }

    /// An index below a length.
    fn index(&mut self, body: &Body, len: u64) -> ExprId {
        let ty = self.program.types.int(false, 32);
        if self.below(2) == 0 {
            let at = self.below(len as usize) as i128;
            return self.program.int(ty, at);
        }
        let is_int = |s: &&SymbolId| {
            matches!(self.program.types.get(self.program.symbols[**s].ty), Type::Int { .. })
        };
        let ints: Vec<SymbolId> =
            body.alive.iter().chain(&self.statics).filter(is_int).copied().collect();
        let value = if ints.is_empty() {
            self.constant(ty)
        } else {
            let symbol = self.choose(&ints);
            let value = self.program.symbol(symbol);
            self.program.cast(ty, value)
        };
        let len = self.program.int(ty, len.into());
        self.program.rem(value, len)
    }

    fn constant(&mut self, ty: TypeId) -> ExprId {
        match *self.program.types.get(ty) {
            Type::Bool => {
                let value = self.below(2) == 0;
                self.program.bool(value)
            }
            Type::Int { width, .. } => {
                let small = self.below(2) == 0;
                let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.bits()).collect();
                let bits = if small {
                    BitVec::from_i64(width, (limbs[0] % 16) as i64 - 4)
                } else {
                    BitVec::from_limbs(width, limbs)
                };
                self.program.int_bits(ty, bits)
            }
            Type::Float(format) => {
                let value = match self.below(8) {
                    0 => Float::infinity(format, false),
                    1 => Float::nan(format),
                    2 => Float::zero(format, true),
                    _ => {
                        let bits = (self.bits() % 2000) as i64 - 1000;
                        let quarters = BitVec::from_i64(64, bits);
                        let mode = RoundingMode::NearestEven;
                        Float::from_signed(format, mode, &quarters)
                            .mul(mode, &Float::power_of_two(format, mode, -2))
                    }
                };
                self.program.float(value)
            }
            _ => self.program.zero(ty),
        }
    }

    fn expr(&mut self, body: &Body, ty: TypeId, depth: u32) -> ExprId {
        if depth == 0 || self.below(6) == 0 {
            if self.below(3) > 0
                && let Some(place) = self.place(body, Some(ty))
            {
                return place;
            }
            return self.constant(ty);
        }
        let depth = depth - 1;
        if self.below(10) == 0 {
            let bool = self.program.types.bool();
            let condition = self.expr(body, bool, depth);
            let a = self.expr(body, ty, depth);
            let b = self.expr(body, ty, depth);
            return self.program.ite(condition, a, b);
        }
        match *self.program.types.get(ty) {
            Type::Bool => self.condition(body, depth),
            Type::Int { width, .. } => self.integer(body, ty, width, depth),
            Type::Float(_) => self.floating(body, ty, depth),
            Type::Struct(id) => {
                let structure = self.program.types.structs[id].clone();
                if structure.union {
                    let member = self.below(structure.fields.len());
                    let value = self.expr(body, structure.fields[member].ty, depth);
                    return self.program.union(ty, member as u32, value);
                }
                let members: Vec<ExprId> =
                    structure.fields.iter().map(|f| self.expr(body, f.ty, depth)).collect();
                self.program.structure(ty, members)
            }
            Type::Array(element, len) => {
                if self.below(2) == 0 {
                    let value = self.expr(body, element, depth);
                    return self.program.array_of(ty, value);
                }
                let all: Vec<ExprId> = (0..len).map(|_| self.expr(body, element, depth)).collect();
                self.program.array(ty, all)
            }
            _ => self.constant(ty),
        }
    }

    fn integer(&mut self, body: &Body, ty: TypeId, width: u32, depth: u32) -> ExprId {
        use BinaryOp as B;
        match self.below(10) {
            0 | 1 => {
                let from = self.scalar();
                let a = self.expr(body, from, depth);
                self.program.cast(ty, a)
            }
            2 => {
                let op = self.choose(&[
                    UnaryOp::Neg,
                    UnaryOp::BitNot,
                    UnaryOp::LeadingZeros,
                    UnaryOp::TrailingZeros,
                    UnaryOp::PopCount,
                    UnaryOp::ByteSwap,
                ]);
                let op = if op == UnaryOp::ByteSwap && !width.is_multiple_of(8) {
                    UnaryOp::Neg
                } else {
                    op
                };
                let a = self.expr(body, ty, depth);
                self.program.unary(op, a)
            }
            3 => {
                let amount = self.ints.clone();
                let amount = self.choose(&amount);
                let a = self.expr(body, ty, depth);
                let b = self.expr(body, amount, depth);
                let op = self.choose(&[B::Shl, B::Shr]);
                self.program.binary(op, a, b)
            }
            4 if width == 32 || width == 64 => {
                let format = if width == 32 { FloatFormat::SINGLE } else { FloatFormat::DOUBLE };
                let float = self.program.types.float(format);
                let a = self.expr(body, float, depth);
                self.program.bits(ty, a)
            }
            5 => {
                let bool = self.program.types.bool();
                let a = self.expr(body, bool, depth);
                self.program.cast(ty, a)
            }
            _ => {
                let op = self.choose(&[
                    B::Add,
                    B::Sub,
                    B::Mul,
                    B::Div,
                    B::Rem,
                    B::BitAnd,
                    B::BitOr,
                    B::BitXor,
                ]);
                let a = self.expr(body, ty, depth);
                let b = self.expr(body, ty, depth);
                self.program.binary(op, a, b)
            }
        }
    }

    fn floating(&mut self, body: &Body, ty: TypeId, depth: u32) -> ExprId {
        use BinaryOp as B;
        match self.below(6) {
            0 => {
                let from = self.scalar();
                let a = self.expr(body, from, depth);
                let mode = self.choose(&RoundingMode::ALL);
                self.program.cast_rounding(mode, ty, a)
            }
            1 => {
                let mode = self.choose(&RoundingMode::ALL);
                let op = self.choose(&[
                    UnaryOp::Neg,
                    UnaryOp::Abs,
                    UnaryOp::Sqrt,
                    UnaryOp::RoundToIntegral(mode),
                ]);
                let a = self.expr(body, ty, depth);
                self.program.unary(op, a)
            }
            2 => {
                let a = self.expr(body, ty, depth);
                let b = self.expr(body, ty, depth);
                let c = self.expr(body, ty, depth);
                self.program.fma(a, b, c)
            }
            _ => {
                let op = self.choose(&[
                    B::Add,
                    B::Sub,
                    B::Mul,
                    B::Div,
                    B::Rem,
                    B::IeeeRem,
                    B::Min,
                    B::Max,
                ]);
                let a = self.expr(body, ty, depth);
                let b = self.expr(body, ty, depth);
                self.program.binary(op, a, b)
            }
        }
    }

    fn condition(&mut self, body: &Body, depth: u32) -> ExprId {
        use BinaryOp as B;
        let bool = self.program.types.bool();
        match self.below(8) {
            0 => {
                let a = self.expr(body, bool, depth);
                self.program.not(a)
            }
            1 | 2 => {
                let a = self.expr(body, bool, depth);
                let b = self.expr(body, bool, depth);
                let op = self.choose(&[B::And, B::Or, B::Implies, B::Eq, B::Ne]);
                self.program.binary(op, a, b)
            }
            3 => {
                let all = self.floats.clone();
                let ty = self.choose(&all);
                let a = self.expr(body, ty, depth);
                let b = self.expr(body, ty, depth);
                let op = self.choose(&[B::Eq, B::Ne, B::Lt, B::Le]);
                if self.below(3) == 0 {
                    let op = self.choose(&[
                        UnaryOp::IsNan,
                        UnaryOp::IsInf,
                        UnaryOp::IsNormal,
                        UnaryOp::IsSubnormal,
                        UnaryOp::SignBit,
                    ]);
                    return self.program.unary(op, a);
                }
                self.program.binary(op, a, b)
            }
            4 => {
                let ty = self.scalar();
                let a = self.expr(body, ty, depth);
                self.program.truth(a)
            }
            _ => {
                let all = self.ints.clone();
                let ty = self.choose(&all);
                let a = self.expr(body, ty, depth);
                let b = self.expr(body, ty, depth);
                let op = self.choose(&[
                    B::Eq,
                    B::Ne,
                    B::Lt,
                    B::Le,
                    B::AddOverflows,
                    B::SubOverflows,
                    B::MulOverflows,
                    B::ShlOverflows,
                ]);
                self.program.binary(op, a, b)
            }
        }
    }
}

//! The operations that are rare or wide.

use crate::code::{BitField, Loc, Part, Rep, Slow};
use crate::inputs::{Birth, InputType, InputValue, Request};
use crate::machine::{Machine, State, Step, Stop, Thread};
use crate::memory::{Big, Fault, Handle, Origin, index, origin};
use crate::outcome::Outcome;
use crate::trace::{AccessKind, What};
use crate::values::{
    Registers, Sizes, canonical, converted_nan, extract, field_bytes, insert, nan_of,
};
use rustc_hash::FxHashSet;
use vergo_goto::expr::{BinaryOp, ExprId, MemoryOp, UnaryOp};
use vergo_goto::fold::{self, Const, ConstType};
use vergo_goto::program::Region;
use vergo_goto::types::TypeId;
use vergo_num::{BitVec, RoundingMode};

impl<'a> Machine<'a> {
    pub(crate) fn sizes(&self) -> Sizes {
        Sizes { pointer: self.memory.pointer_size, x87: self.program.machine.x87_size }
    }

    pub(crate) fn registers<'t>(&self, t: &'t mut Thread, fp: usize) -> Registers<'t> {
        let big_fp = t.frames.last().map_or(0, |f| f.big_fp);
        Registers { thread: t, fp, big_fp, sizes: self.sizes() }
    }

    /// Does a slow operation; whether the thread goes on at once.
    pub(crate) fn slow(&mut self, t: &mut Thread, slow: &Slow, fp: usize) -> Step<bool> {
        let mut r = self.registers(t, fp);
        match slow {
            Slow::Unary { op, d, a } => {
                if let Some(bits) = float_unary(&r, *op, *a) {
                    match op {
                        UnaryOp::SignBit => r.set_word(d.reg, bits.sign_bit().into()),
                        _ => r.set_bits(*d, &bits),
                    }
                    return Ok(true);
                }
                let value = fold::unary(*op, &r.constant(*a)).ok_or_else(|| bad("an operand"))?;
                set_result(&mut r, *d, &value, &[*a]);
            }
            Slow::Binary { op, d, a, b } => {
                if let Some(value) = wide_binary(&r, *op, *a, *b) {
                    match value {
                        Wide::Bool(value) => r.set_word(d.reg, value.into()),
                        Wide::Int(value) => {
                            r.set_pair(d.reg, (value as u64, (value >> 64) as u64));
                        }
                    }
                    return Ok(true);
                }
                let value = fold::binary(*op, &r.constant(*a), &r.constant(*b))
                    .ok_or_else(|| bad("two operands"))?;
                set_result(&mut r, *d, &value, &[*a, *b]);
            }
            Slow::Fma { d, a, b, c } => {
                let value = fold::fma(&r.constant(*a), &r.constant(*b), &r.constant(*c));
                let value = value.ok_or_else(|| bad("three operands"))?;
                set_result(&mut r, *d, &value, &[*a, *b, *c]);
            }
            Slow::Cast { mode, d, a } => self.cast(&mut r, *mode, *d, *a)?,
            Slow::Bits { d, a } => {
                let value = r.to_memory(*a);
                let memory = &self.memory;
                r.set_memory(*d, value, |address| memory.attach(address));
            }
            Slow::MoveBig { d, a } => {
                let value = r.big(*a).clone();
                r.set_big(*d, value);
            }
            Slow::ConstBig { d, bytes } => {
                r.set_big(*d, Big { bytes: bytes.to_vec(), init: None, notes: Vec::new() });
            }
            Slow::Choose { d, c, a, b } => {
                let from = if r.word(*c) != 0 { *a } else { *b };
                match d.rep.words() {
                    0 => {
                        let value = r.big(from.reg).clone();
                        r.set_big(d.reg, value);
                    }
                    1 => {
                        let value = r.word(from.reg);
                        r.set_word(d.reg, value);
                    }
                    _ => {
                        let value = r.pair(from.reg);
                        r.set_pair(d.reg, value);
                    }
                }
            }
            Slow::Load { d, p, missing } => {
                let (address, handle) = r.pair(*p);
                let size = r.sizes.of(d.rep);
                let value =
                    match self.load_checked(address, handle, size, !matches!(d.rep, Rep::Bytes(_)))
                    {
                        Err(_) if *missing => Big::zero(size),
                        value => value?,
                    };
                let memory = &self.memory;
                r.set_memory(*d, value, |address| memory.attach(address));
            }
            Slow::Store { a, p } => {
                let (address, handle) = r.pair(*p);
                let value = r.to_memory(*a);
                self.memory.store_big(address, handle, &value)?;
            }
            Slow::LoadBits { d, p, field, missing } => {
                let (address, handle) = r.pair(*p);
                let bytes = match self.memory.load_field(address, handle, *field) {
                    Err(_) if *missing => vec![0; field_bytes(*field)],
                    bytes => bytes?,
                };
                r.set_bits(*d, &extract(&bytes, *field));
            }
            Slow::StoreBits { a, p, field } => {
                let (address, handle) = r.pair(*p);
                let n = field_bytes(*field);
                // The other bits of the bytes stay, initialised or not.
                let mut value = self.memory.load_big(address, handle, n)?;
                let Const::Int(_, bits) = r.constant(*a) else { return Err(bad("a bit-field")) };
                insert(&mut value.bytes, *field, &bits);
                if let Some(init) = &mut value.init {
                    let all = BitVec::ones(field.width);
                    insert(init, *field, &all);
                }
                self.memory.store_big(address, handle, &value)?;
            }
            Slow::Copy { to, from, size } => {
                self.memory.copy(r.pair(*to), r.pair(*from), *size as usize)?;
            }
            Slow::Make { d, size, parts } => {
                self.memory.room(*size)?;
                let mut value = Big::zero(*size as usize);
                for part in parts {
                    put(&mut value, &r, part)?;
                }
                r.set_big(*d, value);
            }
            Slow::Fill { d, a, stride, count } => {
                self.memory.room(stride.saturating_mul(*count))?;
                let element = r.to_memory(*a);
                let mut value = Big::zero((*stride * *count) as usize);
                for i in 0..*count {
                    overlay(&mut value, i * stride, &element);
                }
                r.set_big(*d, value);
            }
            Slow::Select { d, a, offset, bits } => self.select(&mut r, *d, *a, *offset, *bits),
            Slow::SelectIndex { d, a, index, stride, count } => {
                let index = match r.constant(*index) {
                    Const::Int(true, bits) if bits.sign_bit() => None,
                    Const::Int(_, bits) => bits.to_u64().filter(|i| i < count),
                    _ => None,
                };
                match index {
                    Some(i) => self.select(&mut r, *d, *a, i * stride, None),
                    None => {
                        let zero = Big::zero(r.sizes.of(d.rep));
                        r.set_memory(*d, zero, |_| 0);
                    }
                }
            }
            Slow::Zero { d, size } => {
                self.memory.room(*size)?;
                r.set_big(*d, Big::zero(*size as usize));
            }
            Slow::Memory {
                op: op @ (MemoryOp::UnracedRead | MemoryOp::UnracedWrite),
                d,
                args,
                ..
            } => {
                let (address, handle) = args.first().map_or((0, 0), |a| r.pair(a.reg));
                let len = args.get(1).map_or(0, |&a| match r.constant(a) {
                    Const::Int(_, bits) => bits.to_u64().unwrap_or(0),
                    _ => 0,
                });
                let unraced = self.is_unraced(t, *op, (address, handle), len);
                self.registers(t, fp).set_word(*d, unraced.into());
            }
            Slow::Memory { op: MemoryOp::OthersGoOn, d, args, .. } => {
                let thread = args.first().and_then(|&a| match r.constant(a) {
                    Const::Int(_, bits) => bits.to_u64(),
                    _ => None,
                });
                let goes_on = self.others_go_on(thread);
                self.registers(t, fp).set_word(*d, goes_on.into());
            }
            Slow::Memory { op, d, args, function_ty } => {
                let value = self.question(t, fp, *op, args, *function_ty);
                self.registers(t, fp).set_word(*d, value);
            }
            Slow::Tls { d, number } => {
                let handle = self.thread_local(t, *number)?;
                let base = self.memory.base(handle).unwrap_or(0);
                self.registers(t, fp).set_pair(*d, (base, handle));
            }
            Slow::Nondet { d, site, ty } => {
                let value = self.choose(t, *site, *ty)?;
                self.set_input(t, fp, *d, value);
            }
            Slow::Alloc { d, size, align, region, zeroed } => {
                let size = match r.constant(*size) {
                    Const::Int(_, bits) => bits.to_u64().unwrap_or(u64::MAX),
                    _ => u64::MAX,
                };
                let mut pointer = if size > self.memory.mask >> 1 {
                    (0, 0)
                } else {
                    match region {
                        Region::Heap => self.memory.allocate(size, *align, *zeroed)?,
                        Region::Stack => {
                            let stack = r.thread.stack;
                            let (_, base, handle) = self.memory.push_stack(
                                stack,
                                None,
                                size,
                                *align,
                                Origin::Stack,
                                *zeroed,
                            )?;
                            (base, handle)
                        }
                    }
                };
                if pointer.1 != 0 {
                    self.place(Birth::Allocation, pointer.1);
                    pointer.0 = self.memory.base(pointer.1).unwrap_or(pointer.0);
                }
                if !*zeroed && pointer.1 != 0 {
                    self.fill_fresh(Birth::Allocation, pointer.1);
                }
                self.registers(t, fp).set_pair(*d, pointer);
            }
            Slow::Free { p, region } => {
                let (address, handle) = r.pair(*p);
                if address != 0 || handle != 0 {
                    let text = self.environment.trace.then(|| {
                        let loc = Loc { reg: *p, rep: Rep::Pointer };
                        self.value_text(&r, loc, None)
                    });
                    self.free(r.thread.stack, address, handle, *region)?;
                    if let Some(text) = text {
                        self.trace(t, What::Freed(text));
                    }
                }
            }
            Slow::Spawn { callee, arg, d } => {
                let arg = r.pair(*arg);
                let function = match self.target(&r, *callee, &[Rep::Pointer], None) {
                    // A function without parameters gets none.
                    Err(Stop::Fault(Fault::CallType)) => self.target(&r, *callee, &[], None)?,
                    function => function?,
                };
                let number = self.add_thread(function, Some(arg))?;
                if let Some(races) = &mut self.races {
                    races.spawn(self.current, number);
                }
                if let Some(d) = d {
                    let bits = BitVec::from_u64(64, number as u64);
                    self.set_integer(t, fp, *d, &bits);
                }
            }
            Slow::Join { thread, d } => {
                let number = match r.constant(*thread) {
                    Const::Int(_, bits) => bits.to_u64(),
                    _ => None,
                };
                let number = number
                    .and_then(|n| usize::try_from(n).ok())
                    .filter(|&n| n < self.threads.len());
                match number.filter(|&n| n != self.current).map(|n| &self.threads[n]) {
                    Some(other) if other.state == State::Ended => {
                        let result = other.result;
                        if let (Some(races), Some(number)) = (&mut self.races, number) {
                            races.join(self.current, number);
                        }
                        if let Some(d) = d {
                            r.set_pair(*d, result);
                        }
                    }
                    other => {
                        let waits_for = other.and(number);
                        t.state = State::Joining(waits_for);
                        if let Some(frame) = t.frames.last_mut() {
                            frame.pc -= 1;
                        }
                        return Ok(false);
                    }
                }
            }
            Slow::AtomicBegin => {
                if t.atomic == 0 {
                    let depth = t.frames.len();
                    t.atomic_start = (depth, t.frames.last().map_or(0, |f| f.pc - 1));
                    let function = t.frames.last().map(|f| f.function);
                    t.atomic_library = function.is_some_and(|f| self.program.functions[f].library);
                }
                t.atomic += 1;
            }
            Slow::AtomicEnd => {
                t.atomic = t.atomic.saturating_sub(1);
                if let (0, Some(races)) = (t.atomic, &mut self.races) {
                    races.end_section(self.current);
                }
            }
            Slow::Point => return Ok(self.goes_on(t)),
            Slow::HiddenNumber { pointer } => {
                if r.pair(*pointer).1 != 0 {
                    return Err(Stop::Approximate("an address as a number".to_owned()));
                }
            }
            Slow::HiddenOrder { a, b, only_equality } => {
                let (a, b) = (r.pair(*a), r.pair(*b));
                if !self.memory.is_order_fixed(a, b, *only_equality) {
                    return Err(Stop::Approximate("the order of addresses".to_owned()));
                }
            }
            Slow::Intrinsic { op, args, d } => {
                let result = self.intrinsic(t, fp, *op, args)?;
                if let Some(d) = d {
                    self.set_integer(t, fp, *d, &BitVec::from_i64(64, result));
                }
            }
            Slow::End { a } => {
                let status = match r.constant(*a) {
                    Const::Int(_, bits) => bits.resize_unsigned(64).limbs()[0] as u8,
                    _ => 0,
                };
                return Err(Stop::Done(Outcome::Exited(status)));
            }
            Slow::Abort => return Err(Stop::Aborted),
            Slow::Unsupported => return Err(Stop::Unsupported),
            Slow::Param { slot, a } => {
                let value = r.to_memory(*a);
                let base = r.thread.frames.last().map_or(0, |f| f.slot_base);
                let handle = r.thread.slots[base + *slot as usize].handle;
                let address = self.memory.base(handle).unwrap_or(0);
                self.memory.store_big(address, handle, &value)?;
                if self.environment.accesses {
                    let size = value.bytes.len() as u64;
                    self.trace_access(t, AccessKind::Write, (address, handle), size);
                }
            }
            Slow::TraceAssign { place, value } => {
                let text = self.value_text(&r, *value, Some(self.program.exprs.ty(*place)));
                self.trace(t, What::Assigned { place: *place, value: text });
            }
            Slow::TraceAccess { kind, p, size } => {
                let pointer = r.pair(*p);
                self.trace_access(t, *kind, pointer, *size);
            }
        }
        Ok(true)
    }

    /// Reads bytes; scalars must be initialised if that is asked for.
    fn load_checked(&self, address: u64, handle: Handle, size: usize, scalar: bool) -> Step<Big> {
        let value = self.memory.load_big(address, handle, size)?;
        if scalar && self.options.check_uninitialized && value.init.is_some() {
            return Err(Stop::Fault(Fault::Uninitialized));
        }
        Ok(value)
    }

    fn cast(&self, r: &mut Registers<'_>, mode: RoundingMode, d: Loc, a: Loc) -> Step<()> {
        let from = r.constant(a);
        if d.rep == Rep::Pointer {
            let Const::Int(signed, bits) = from else { return Err(bad("a pointer")) };
            let width = self.program.machine.pointer_width;
            let bits = if signed { bits.resize_signed(width) } else { bits.resize_unsigned(width) };
            let address = bits.to_u64().unwrap_or(0);
            r.set_pair(d.reg, (address, self.memory.attach(address)));
            return Ok(());
        }
        let to = Registers::const_type(d.rep).ok_or_else(|| bad("a conversion"))?;
        match (&from, to) {
            (Const::Float(value), ConstType::Float(format)) if value.is_nan() => {
                let bits = converted_nan(value.format(), &r.bits(a), format);
                r.set_bits(d, &bits);
            }
            _ => r.set_constant(d, &fold::cast(mode, &from, to)),
        }
        Ok(())
    }

    fn select(&self, r: &mut Registers<'_>, d: Loc, a: u32, offset: u64, bits: Option<BitField>) {
        let source = r.big(a);
        let start = offset as usize;
        if let Some(field) = bits {
            let bits = extract(&source.bytes[start..start + field_bytes(field)], field);
            return r.set_bits(d, &bits);
        }
        let size = r.sizes.of(d.rep);
        let init = source.init.as_ref().map(|all| all[start..start + size].to_vec());
        let end = offset + size as u64;
        let pointer = self.memory.pointer_size;
        let notes = source
            .notes
            .iter()
            .filter(|note| note.0 >= offset && note.0 + pointer <= end)
            .map(|note| (note.0 - offset, note.1, note.2))
            .collect();
        let part = Big { bytes: source.bytes[start..start + size].to_vec(), init, notes };
        r.set_memory(d, part, |address| self.memory.attach(address));
    }

    /// Puts an integer result into registers of any integer type.
    fn set_integer(&self, t: &mut Thread, fp: usize, d: Loc, bits: &BitVec) {
        let mut r = self.registers(t, fp);
        match d.rep {
            Rep::Int(signed, width) if width <= 64 => {
                r.set_word(d.reg, canonical(bits.limbs()[0], signed, width));
            }
            Rep::Int(_, width) | Rep::BigInt(_, width) => r.set_bits(d, &bits.resize_signed(width)),
            _ => {}
        }
    }

    /// Lets an object of a region die.
    fn free(&mut self, stack: usize, address: u64, handle: Handle, region: Region) -> Step<()> {
        match region {
            Region::Heap => self.memory.release(address, handle)?,
            Region::Stack => {
                if origin(handle) != Some(Origin::Stack)
                    || self.memory.base(handle) != Some(address)
                {
                    return Err(Stop::Fault(Fault::InvalidFree));
                }
                if !self.memory.is_live(handle) {
                    return Err(Stop::Fault(Fault::DoubleFree));
                }
                self.memory.kill_handle(handle);
                self.memory.pop_if_last(stack, handle);
            }
        }
        Ok(())
    }

    /// The answer to a question about memory, as a word.
    fn question(
        &self,
        t: &mut Thread,
        fp: usize,
        op: MemoryOp,
        args: &[Loc],
        function_ty: Option<u32>,
    ) -> u64 {
        let r = self.registers(t, fp);
        let pointer = |i: usize| args.get(i).map_or((0, 0), |a| r.pair(a.reg));
        let (address, handle) = pointer(0);
        let memory = &self.memory;
        match op {
            MemoryOp::SameObject => (handle != 0 && handle == pointer(1).1).into(),
            MemoryOp::IsFunction => {
                let function = (origin(handle) == Some(Origin::Function)).then(|| index(handle));
                let entity = function.map(cranelift_entity::EntityRef::new);
                let found = entity.and_then(|id| self.program.functions.get(id));
                let at_base = memory.base(handle) == Some(address);
                (at_base && found.is_some_and(|f| Some(f.ty.as_u32()) == function_ty)).into()
            }
            MemoryOp::IsInitialized | MemoryOp::TextSize => {
                let number = |i: usize| match args.get(i).map(|&a| r.constant(a)) {
                    Some(Const::Int(_, bits)) => bits.to_u64().unwrap_or(u64::MAX),
                    _ => 0,
                };
                if args.len() == 3 {
                    return memory.bits_initialized(address, handle, number(1), number(2)).into();
                }
                memory.ask(op, address, handle, number(1))
            }
            MemoryOp::HeapEmpty => (memory.n_live_heap == 0).into(),
            MemoryOp::HeapReachable => self.heap_reachable(t).into(),
            _ => memory.ask(op, address, handle, 0),
        }
    }

    /// Returns whether every live heap object can be reached from variables.
    fn heap_reachable(&self, current: &Thread) -> bool {
        self.reached_heap(Some(current)).len() as u64 == self.memory.n_live_heap
    }

    /// The live heap objects that can be reached from variables, those of a thread that is at work among them.
    pub(crate) fn reached_heap(&self, current: Option<&Thread>) -> FxHashSet<Handle> {
        let memory = &self.memory;
        let mut seen = FxHashSet::default();
        let mut work: Vec<Handle> = Vec::new();
        let mut found = |handle: Handle, work: &mut Vec<Handle>| {
            if origin(handle) == Some(Origin::Heap) && memory.is_live(handle) && seen.insert(handle)
            {
                work.push(handle);
            }
        };
        for handle in memory.live_statics() {
            memory.addresses_in(handle).into_iter().for_each(|h| found(h, &mut work));
        }
        for stack in &memory.stacks {
            for &(_, handle) in stack.objects.iter().filter(|&&(_, handle)| memory.is_live(handle))
            {
                found(handle, &mut work);
                memory.addresses_in(handle).into_iter().for_each(|h| found(h, &mut work));
            }
        }
        for thread in self.threads.iter().chain(current) {
            for frame in &thread.frames {
                let vars = frame.fp..frame.fp + frame.code.n_vars as usize;
                for &word in thread.regs.get(vars).unwrap_or_default() {
                    // A word may be an address or a handle; both keep the object.
                    found(word, &mut work);
                    found(memory.attach(word), &mut work);
                }
                let bigs = frame.big_fp..frame.big_fp + frame.code.n_bigs as usize;
                for big in thread.bigs.get(bigs).unwrap_or_default() {
                    big.notes.iter().for_each(|note| found(note.2, &mut work));
                }
            }
            found(thread.result.1, &mut work);
        }
        while let Some(handle) = work.pop() {
            memory.addresses_in(handle).into_iter().for_each(|h| found(h, &mut work));
        }
        seen
    }

    /// Asks for a nondeterministic value.
    pub(crate) fn choose(&mut self, t: &Thread, site: u32, ty: InputType) -> Step<InputValue> {
        let (span, function) = match t.frames.last() {
            Some(frame) => {
                (self.span_of(frame), self.program.functions[frame.function].display.as_str())
            }
            None => Default::default(),
        };
        if let InputType::Bytes(n) = ty {
            self.memory.room(n)?;
        }
        let request = Request { site, ty, span, function };
        let value = self.options.inputs.choose(&request).map_err(Stop::NoInput)?;
        let fits = match (&value, ty) {
            (InputValue::Bool(_), InputType::Bool) => true,
            (InputValue::Int(bits), InputType::Int(_, width) | InputType::Pointer(width)) => {
                bits.width() == width
            }
            (InputValue::Float(value), InputType::Float(format)) => value.format() == format,
            (InputValue::Bytes(bytes), InputType::Bytes(n)) => bytes.len() as u64 == n,
            _ => false,
        };
        if fits {
            Ok(value)
        } else {
            Err(Stop::NoInput("a value of another type was given".into()))
        }
    }

    pub(crate) fn set_input(&self, t: &mut Thread, fp: usize, d: Loc, value: InputValue) {
        let mut r = self.registers(t, fp);
        match value {
            InputValue::Bool(value) => r.set_word(d.reg, value.into()),
            InputValue::Int(bits) if d.rep == Rep::Pointer => {
                let address = bits.to_u64().unwrap_or(0);
                r.set_pair(d.reg, (address, self.memory.attach(address)));
            }
            InputValue::Int(bits) => r.set_bits(d, &bits),
            InputValue::Float(value) => r.set_bits(d, value.bits()),
            InputValue::Bytes(bytes) => {
                r.set_big(d.reg, Big { bytes, init: None, notes: Vec::new() })
            }
        }
    }

    /// The first bytes of a static that nothing is known of.
    pub(crate) fn choose_bytes(&mut self, ty: TypeId) -> Step<Vec<u8>> {
        let program = self.program;
        let thread = Thread::default();
        let size = program.size_of(ty).unwrap_or(1);
        // Scalars are chosen as such, so that lists of inputs can name them.
        let input = match *program.types.get(ty) {
            vergo_goto::types::Type::Bool => InputType::Bool,
            vergo_goto::types::Type::Int { signed, width } => InputType::Int(signed, width),
            vergo_goto::types::Type::Float(format) => InputType::Float(format),
            vergo_goto::types::Type::Ptr(_) => InputType::Pointer(program.machine.pointer_width),
            _ => InputType::Bytes(size),
        };
        let mut bytes = match self.choose(&thread, u32::MAX, input)? {
            InputValue::Bool(value) => vec![value.into()],
            InputValue::Int(bits) => {
                let width = size as u32 * 8;
                let signed = matches!(input, InputType::Int(true, _));
                let bits =
                    if signed { bits.resize_signed(width) } else { bits.resize_unsigned(width) };
                bits.to_le_bytes()
            }
            InputValue::Float(value) => value.bits().to_le_bytes(),
            InputValue::Bytes(bytes) => bytes,
        };
        bytes.resize(size as usize, 0);
        Ok(bytes)
    }

    /// The bytes of a constant expression, by running it.
    pub(crate) fn constant_bytes(&mut self, e: ExprId) -> Step<Big> {
        let code =
            crate::compile::compile_constant(self.program, &self.environment, &self.memory, e)
                .map_err(Stop::Bad)?;
        let loc = code.params[0];
        let function = self.program.entry.ok_or_else(|| bad("no entry"))?;
        let mut t = Thread::default();
        self.push_frame(&mut t, function, std::rc::Rc::new(code), 0, 0);
        let stop = self.run_constant(&mut t);
        match stop {
            Stop::Aborted => Ok(self.registers(&mut t, 0).to_memory(loc)),
            stop => Err(stop),
        }
    }

    /// The value of an argument, of the parameter's type if that is known.
    pub(crate) fn text_of(
        &self,
        t: &mut Thread,
        fp: usize,
        loc: Loc,
        ty: Option<TypeId>,
    ) -> String {
        let r = self.registers(t, fp);
        self.value_text(&r, loc, ty)
    }
}

fn bad(what: &str) -> Stop {
    Stop::Bad(format!("{what} of the wrong kind"))
}

/// Puts a part into an aggregate.
fn put(value: &mut Big, r: &Registers<'_>, part: &Part) -> Step<()> {
    match part.bits {
        Some(field) => {
            let Const::Int(_, bits) = r.constant(part.value) else {
                return Err(bad("a bit-field"));
            };
            let start = part.offset as usize;
            insert(&mut value.bytes[start..start + field_bytes(field)], field, &bits);
        }
        None => overlay(value, part.offset, &r.to_memory(part.value)),
    }
    Ok(())
}

/// Writes bytes into an aggregate.
fn overlay(value: &mut Big, offset: u64, part: &Big) {
    let start = offset as usize;
    value.bytes[start..start + part.bytes.len()].copy_from_slice(&part.bytes);
    if let Some(part_init) = &part.init {
        let n = value.bytes.len();
        let init = value.init.get_or_insert_with(|| vec![u8::MAX; n]);
        init[start..start + part_init.len()].copy_from_slice(part_init);
    }
    value.notes.extend(part.notes.iter().map(|note| (note.0 + offset, note.1, note.2)));
}

enum Wide {
    Bool(bool),
    Int(u128),
}

/// Operations on integers of 65 to 128 bits that the host's words have.
fn wide_binary(r: &Registers<'_>, op: BinaryOp, a: Loc, b: Loc) -> Option<Wide> {
    let (Rep::Int(signed, width @ 65..), Rep::Int(_, other @ 65..)) = (a.rep, b.rep) else {
        return None;
    };
    if width != other {
        return None;
    }
    let value = |loc: Loc| {
        let (low, high) = r.pair(loc.reg);
        u128::from(low) | u128::from(high) << 64
    };
    let (x, y) = (value(a), value(b));
    let sh = 128 - width;
    let norm = |v: u128| if signed { ((v << sh) as i128 >> sh) as u128 } else { v << sh >> sh };
    Some(match op {
        BinaryOp::Add => Wide::Int(norm(x.wrapping_add(y))),
        BinaryOp::Sub => Wide::Int(norm(x.wrapping_sub(y))),
        BinaryOp::Mul => Wide::Int(norm(x.wrapping_mul(y))),
        BinaryOp::BitAnd => Wide::Int(x & y),
        BinaryOp::BitOr => Wide::Int(x | y),
        BinaryOp::BitXor => Wide::Int(x ^ y),
        BinaryOp::Div if y != 0 && !signed => Wide::Int(x / y),
        BinaryOp::Rem if y != 0 && !signed => Wide::Int(x % y),
        BinaryOp::Div if y != 0 => Wide::Int(norm((x as i128).wrapping_div(y as i128) as u128)),
        BinaryOp::Rem if y != 0 => Wide::Int(norm((x as i128).wrapping_rem(y as i128) as u128)),
        BinaryOp::Eq => Wide::Bool(x == y),
        BinaryOp::Ne => Wide::Bool(x != y),
        BinaryOp::Lt if signed => Wide::Bool((x as i128) < y as i128),
        BinaryOp::Lt => Wide::Bool(x < y),
        BinaryOp::Le if signed => Wide::Bool(x as i128 <= y as i128),
        BinaryOp::Le => Wide::Bool(x <= y),
        _ => return None,
    })
}

/// The bits of a float whose sign is changed, or asked for: a NaN stays the one that it is.
fn float_unary(r: &Registers<'_>, op: UnaryOp, a: Loc) -> Option<BitVec> {
    let ConstType::Float(format) = Registers::const_type(a.rep)? else { return None };
    let sign = BitVec::min_signed(format.width());
    match op {
        UnaryOp::Neg => Some(r.bits(a).xor(&sign)),
        UnaryOp::Abs => Some(r.bits(a).and(&sign.not())),
        UnaryOp::SignBit => Some(r.bits(a)),
        _ => None,
    }
}

/// Puts the result of an operation into registers; of a NaN, which one it is.
fn set_result(r: &mut Registers<'_>, d: Loc, value: &Const, operands: &[Loc]) {
    match value {
        Const::Float(float) if float.is_nan() => {
            let operands: Vec<BitVec> = operands.iter().map(|&operand| r.bits(operand)).collect();
            let bits = nan_of(float.format(), &operands);
            r.set_bits(d, &bits);
        }
        _ => r.set_constant(d, value),
    }
}

//! The world outside: reads, writes, formatted input and output.

use crate::code::Loc;
use crate::format::{Arguments, format};
use crate::inputs::{InputType, InputValue};
use crate::machine::{Machine, Step, Stop, Thread};
use crate::memory::{Handle, Memory};
use crate::scan::{Source, scan};
use crate::world::World;
use vergo_goto::fold::Const;
use vergo_goto::program::Intrinsic;
use vergo_num::{BitVec, Float, FloatFormat};

impl Machine<'_> {
    /// Does what an intrinsic says; its result.
    pub(crate) fn intrinsic(
        &mut self,
        t: &mut Thread,
        fp: usize,
        op: Intrinsic,
        args: &[Loc],
    ) -> Step<i64> {
        let r = self.registers(t, fp);
        let integer = |i: usize| match r.constant(args[i]) {
            Const::Int(true, bits) => bits.resize_signed(64).to_i64().unwrap_or(0),
            Const::Int(false, bits) => bits.resize_unsigned(64).limbs()[0] as i64,
            _ => 0,
        };
        let pointer = |i: usize| r.pair(args[i].reg);
        let x87 = self.program.machine.x87_size as usize;
        match op {
            Intrinsic::Write => {
                let (descriptor, p, len) = (integer(0), pointer(1), integer(2) as u64);
                let mut bytes = vec![0; self.len_within(p, len)?];
                self.memory.read(p.0, p.1, &mut bytes)?;
                let written = self.options.world.write(descriptor, &bytes);
                Ok(if written { len as i64 } else { -1 })
            }
            Intrinsic::Read => {
                let (descriptor, p, len) = (integer(0), pointer(1), integer(2) as u64);
                let mut bytes = vec![0; self.len_within(p, len)?];
                let mut n = 0;
                while n < bytes.len() && descriptor == 0 {
                    match self.pushed_back.pop() {
                        Some(byte) => bytes[n] = byte,
                        None => break,
                    }
                    n += 1;
                }
                if n == 0 {
                    match self.options.world.read(descriptor, &mut bytes) {
                        Some(read) => n = read.min(bytes.len()),
                        None => return Ok(-1),
                    }
                }
                self.memory.write(p.0, p.1, &bytes[..n])?;
                Ok(n as i64)
            }
            Intrinsic::Reads | Intrinsic::Copies | Intrinsic::Writes => {
                self.len_within(pointer(0), integer(1) as u64)?;
                Ok(0)
            }
            Intrinsic::PrintFloat => {
                let (buffer, capacity) = (pointer(0), integer(1) as u64);
                self.len_within(buffer, capacity)?;
                let Const::Float(number) = r.constant(args[4]) else { return Ok(0) };
                let mut bytes = number_text(integer(2), integer(3), number);
                let len = bytes.len();
                if capacity > 0 {
                    bytes.truncate(usize::try_from(capacity - 1).unwrap_or(usize::MAX));
                    bytes.push(0);
                    self.memory.write(buffer.0, buffer.1, &bytes)?;
                }
                Ok(len as i64)
            }
            Intrinsic::Print => {
                let (descriptor, text, list) = (integer(0), pointer(1), pointer(2));
                let text = string_at(&self.memory, text, usize::MAX)?;
                let mut args = Packed { memory: &mut self.memory, at: list, x87 };
                let bytes = format(&text, &mut args)?;
                let written = self.options.world.write(descriptor, &bytes);
                Ok(if written { bytes.len() as i64 } else { -1 })
            }
            Intrinsic::PrintTo => {
                let (buffer, capacity, text, list) =
                    (pointer(0), integer(1) as u64, pointer(2), pointer(3));
                let text = string_at(&self.memory, text, usize::MAX)?;
                let mut args = Packed { memory: &mut self.memory, at: list, x87 };
                let mut bytes = format(&text, &mut args)?;
                let len = bytes.len();
                if capacity > 0 {
                    bytes.truncate(usize::try_from(capacity - 1).unwrap_or(usize::MAX));
                    bytes.push(0);
                    self.memory.write(buffer.0, buffer.1, &bytes)?;
                }
                Ok(len as i64)
            }
            Intrinsic::Scan => {
                let (descriptor, text, list) = (integer(0), pointer(1), pointer(2));
                let text = string_at(&self.memory, text, usize::MAX)?;
                let args = Packed { memory: &mut self.memory, at: list, x87 };
                let world = &mut *self.options.world;
                let mut source =
                    Stream { world, descriptor, pushed_back: &mut self.pushed_back, args };
                scan(&text, &mut source)
            }
            Intrinsic::ScanFrom => {
                let (from, text, list) = (pointer(0), pointer(1), pointer(2));
                let text = string_at(&self.memory, text, usize::MAX)?;
                let input = string_at(&self.memory, from, usize::MAX)?;
                let args = Packed { memory: &mut self.memory, at: list, x87 };
                let mut source = Text { input, next: 0, args };
                scan(&text, &mut source)
            }
            Intrinsic::Time => {
                self.clock += 1;
                Ok(self.clock)
            }
            Intrinsic::Thread => Ok(self.current as i64),
            Intrinsic::Choose => {
                let key = [integer(0), integer(1), integer(2)];
                // Every call takes a value, as in symbolic execution, also if it turns out to be known.
                let value = match self.choose(t, u32::MAX, InputType::Int(true, 64))? {
                    InputValue::Int(bits) => bits.to_i64().unwrap_or(0),
                    _ => 0,
                };
                Ok(*self.chosen.entry(key).or_insert(value))
            }
            Intrinsic::Order => {
                let order = integer(0);
                if let Some(races) = &mut self.races
                    && t.atomic > 0
                {
                    races.ask_for(self.program, order);
                }
                Ok(0)
            }
            Intrinsic::Approximation => {
                let name = string_at(&self.memory, pointer(0), usize::MAX)?;
                let what = format!("the model of `{}`", String::from_utf8_lossy(&name));
                Err(Stop::Approximate(what))
            }
        }
    }

    /// A length that is inside of an object; a fault otherwise.
    fn len_within(&self, p: (u64, Handle), len: u64) -> Step<usize> {
        if len > 0 {
            self.memory.check(p.0, p.1, len)?;
        }
        self.memory.room(len)?;
        usize::try_from(len).map_err(|_| Stop::Limit(crate::outcome::Limit::Memory))
    }
}

/// The text of a number by the conversion of [`Intrinsic::PrintFloat`].
fn number_text(conversion: i64, precision: i64, number: Float) -> Vec<u8> {
    let mut text = vec![b'%'];
    text.extend(
        [(256, b'+'), (512, b' '), (1024, b'#')]
            .into_iter()
            .filter_map(|(bit, flag)| (conversion & bit != 0).then_some(flag)),
    );
    if precision >= 0 {
        text.extend(format!(".{precision}").bytes());
    }
    let letter = conversion as u8;
    let known = b"aefgAEFG".contains(&letter);
    text.push(if known { letter } else { b'f' });
    match format(&text, &mut Number(number)) {
        Ok(bytes) => bytes,
        Err(never) => match never {},
    }
}

/// One number as the arguments of a format.
struct Number(Float);

impl Arguments for Number {
    type Error = std::convert::Infallible;

    fn integer(&mut self, _: usize) -> Result<u64, Self::Error> {
        Ok(0)
    }

    fn float(&mut self, _: bool) -> Result<Float, Self::Error> {
        Ok(self.0.clone())
    }

    fn pointer(&mut self) -> Result<u64, Self::Error> {
        Ok(0)
    }

    fn string(&mut self, _: usize) -> Result<Option<Vec<u8>>, Self::Error> {
        Ok(None)
    }

    fn wide_string(&mut self) -> Result<Option<Vec<u32>>, Self::Error> {
        Ok(None)
    }

    fn store_count(&mut self, _: usize, _: u64) -> Result<(), Self::Error> {
        Ok(())
    }

    fn word(&self) -> usize {
        8
    }
}

/// The bytes at a pointer up to a zero byte, at most `limit`.
fn string_at(memory: &Memory, (mut address, handle): (u64, Handle), limit: usize) -> Step<Vec<u8>> {
    let mut bytes = Vec::new();
    while bytes.len() < limit {
        let [byte] = memory.load::<1>(address, handle)?;
        if byte == 0 {
            break;
        }
        bytes.push(byte);
        address = address.wrapping_add(1) & memory.mask;
    }
    Ok(bytes)
}

/// Packed variable arguments.
struct Packed<'a> {
    memory: &'a mut Memory,
    at: (u64, Handle),
    x87: usize,
}

impl Packed<'_> {
    /// The address of the next argument of a size and alignment, behind the word that says its kind.
    fn next(&mut self, size: u64, align: u64) -> Step<(u64, Handle)> {
        let word = self.memory.pointer_size;
        let (kind, handle) = self.at;
        self.memory.read(kind, handle, &mut [0; 8][..word as usize])?;
        // Offsets count from the start of the object, which is at least as aligned.
        let address = (kind + word).next_multiple_of(align.max(word));
        self.at.0 = address + size.next_multiple_of(word);
        Ok((address, handle))
    }

    fn next_pointer(&mut self) -> Step<(u64, Handle)> {
        let size = self.memory.pointer_size;
        let (address, handle) = self.next(size, size)?;
        Ok(self.memory.load_pointer(address, handle)?)
    }
}

impl Arguments for Packed<'_> {
    type Error = Stop;

    fn integer(&mut self, size: usize) -> Step<u64> {
        let (address, handle) = self.next(size as u64, 1)?;
        let mut bytes = [0; 8];
        self.memory.read(address, handle, &mut bytes[..size])?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn float(&mut self, long: bool) -> Step<Float> {
        let (format, size) =
            if long { (FloatFormat::X87_EXTENDED, self.x87) } else { (FloatFormat::DOUBLE, 8) };
        let align = if size == 16 { 16 } else { 1 };
        let (address, handle) = self.next(size as u64, align)?;
        let mut bytes = vec![0; format.width() as usize / 8];
        self.memory.read(address, handle, &mut bytes)?;
        Ok(Float::from_bits(format, BitVec::from_le_bytes(format.width(), &bytes)))
    }

    fn pointer(&mut self) -> Step<u64> {
        Ok(self.next_pointer()?.0)
    }

    fn string(&mut self, limit: usize) -> Step<Option<Vec<u8>>> {
        let p = self.next_pointer()?;
        string_at(self.memory, p, limit).map(Some)
    }

    fn wide_string(&mut self) -> Step<Option<Vec<u32>>> {
        let (mut address, handle) = self.next_pointer()?;
        let mut text = Vec::new();
        loop {
            let value = u32::from_le_bytes(self.memory.load(address, handle)?);
            if value == 0 {
                return Ok(Some(text));
            }
            text.push(value);
            address = address.wrapping_add(4) & self.memory.mask;
        }
    }

    fn store_count(&mut self, size: usize, count: u64) -> Step<()> {
        let (address, handle) = self.next_pointer()?;
        self.memory.write(address, handle, &count.to_le_bytes()[..size])?;
        Ok(())
    }

    fn word(&self) -> usize {
        self.memory.pointer_size as usize
    }
}

impl Packed<'_> {
    fn store_next(&mut self, bytes: &[u8]) -> Step<()> {
        let (address, handle) = self.next_pointer()?;
        self.memory.write(address, handle, bytes)?;
        Ok(())
    }
}

/// Input from a descriptor.
struct Stream<'a> {
    world: &'a mut dyn World,
    descriptor: i64,
    pushed_back: &'a mut Vec<u8>,
    args: Packed<'a>,
}

impl Source for Stream<'_> {
    type Error = Stop;

    fn next(&mut self) -> Step<Option<u8>> {
        if let Some(byte) = self.pushed_back.pop() {
            return Ok(Some(byte));
        }
        let mut byte = [0];
        match self.world.read(self.descriptor, &mut byte) {
            Some(1..) => Ok(Some(byte[0])),
            _ => Ok(None),
        }
    }

    fn unread(&mut self, byte: u8) {
        self.pushed_back.push(byte);
    }

    fn store(&mut self, bytes: &[u8]) -> Step<()> {
        self.args.store_next(bytes)
    }

    fn word(&self) -> usize {
        self.args.word()
    }

    fn long_double(&self) -> usize {
        self.args.x87
    }
}

/// Input from a string.
struct Text<'a> {
    input: Vec<u8>,
    next: usize,
    args: Packed<'a>,
}

impl Source for Text<'_> {
    type Error = Stop;

    fn next(&mut self) -> Step<Option<u8>> {
        let byte = self.input.get(self.next).copied();
        self.next += usize::from(byte.is_some());
        Ok(byte)
    }

    fn unread(&mut self, _: u8) {
        self.next -= 1;
    }

    fn store(&mut self, bytes: &[u8]) -> Step<()> {
        self.args.store_next(bytes)
    }

    fn word(&self) -> usize {
        self.args.word()
    }

    fn long_double(&self) -> usize {
        self.args.x87
    }
}

//! Reading goto binaries of both dialects.
//!
//! Nothing is built that the file does not hold: lists grow as their elements are read, however many the file claims, and
//! shared ireps stay shared. Nesting is followed with an explicit stack. Every complaint names the byte at which the file
//! stops to make sense.

use crate::binary::{
    Binary, BodyEntry, Dialect, FunctionEntry, InstructionEntry, ReadError, SymbolEntry,
    SymbolFields,
};
use crate::irep::{IrepId, Ireps, TextId};
use rustc_hash::FxHashMap;

/// Reads a goto binary.
///
/// # Errors
/// If the file is none, or is damaged.
pub fn read(bytes: &[u8]) -> Result<Binary, ReadError> {
    let Some(dialect) = Dialect::of(bytes) else {
        return Err(ReadError { offset: 0, message: "this is no goto binary".to_owned() });
    };
    if u32::try_from(bytes.len()).is_err() {
        let message = "files of 4 GB and more are not read".to_owned();
        return Err(ReadError { offset: 0, message });
    }
    let mut reader = Reader {
        bytes,
        at: dialect.magic().len(),
        dialect,
        ireps: Ireps::with_room(bytes.len()),
        text_ids: Numbers::new(bytes.len()),
        irep_ids: Numbers::new(bytes.len()),
        scratch: Vec::new(),
        stack: Vec::new(),
    };
    let offset = reader.at;
    let version = reader.word()?;
    if !dialect.versions().contains(&version) {
        let known: Vec<String> = dialect.versions().iter().map(u32::to_string).collect();
        let message = format!(
            "{dialect}'s format has version {version} here, and version {} is read",
            known.join(" or ")
        );
        return Err(ReadError { offset, message });
    }
    let mut symbols = Vec::new();
    for _ in 0..reader.word()? {
        symbols.push(reader.symbol()?);
    }
    let mut functions = Vec::new();
    for _ in 0..reader.word()? {
        functions.push(reader.function()?);
    }
    symbols.shrink_to_fit();
    functions.shrink_to_fit();
    let trailing = bytes[reader.at..].into();
    let mut ireps = reader.ireps;
    ireps.finish();
    Ok(Binary { dialect, version, ireps, symbols, functions, trailing })
}

/// Numbers of a file to ids of ours. Small numbers are positions in a list, the rare others are looked up.
struct Numbers {
    small: Vec<u32>,
    limit: usize,
    large: FxHashMap<u32, u32>,
}

const ABSENT: u32 = u32::MAX;
/// An irep whose body is being read.
const OPEN: u32 = u32::MAX - 1;

impl Numbers {
    fn new(len: usize) -> Numbers {
        // A dense file has fewer numbers than a fourth of its bytes; CBMC's own names take the first thousand or so.
        Numbers { small: Vec::new(), limit: len / 4 + 64, large: FxHashMap::default() }
    }

    fn get(&self, number: u32) -> Option<u32> {
        let found = match self.small.get(number as usize) {
            Some(&id) => id,
            None => self.large.get(&number).copied().unwrap_or(ABSENT),
        };
        (found != ABSENT).then_some(found)
    }

    fn set(&mut self, number: u32, id: u32) {
        let index = number as usize;
        if index < self.limit {
            if index >= self.small.len() {
                let end = (index + 1).max(self.small.len() * 2).min(self.limit);
                self.small.resize(end, ABSENT);
            }
            self.small[index] = id;
        } else {
            self.large.insert(number, id);
        }
    }
}

/// An irep whose body is being read.
struct Open {
    number: u32,
    id: IrepId,
    /// Where its children begin in the scratch list.
    start: usize,
    n_ordered: u32,
    n_comments: u32,
    phase: u8,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    dialect: Dialect,
    ireps: Ireps,
    text_ids: Numbers,
    irep_ids: Numbers,
    scratch: Vec<u32>,
    /// The ireps whose bodies are being read, kept for its memory.
    stack: Vec<Open>,
}

type Read<T> = Result<T, ReadError>;

impl<'a> Reader<'a> {
    fn error<T>(&self, offset: usize, message: impl Into<String>) -> Read<T> {
        Err(ReadError { offset, message: message.into() })
    }

    fn byte(&mut self) -> Read<u8> {
        match self.bytes.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => self.error(self.at, "the file ends too early"),
        }
    }

    fn word(&mut self) -> Read<u32> {
        let start = self.at;
        // Most numbers of CBMC's files have one byte or two.
        if self.dialect == Dialect::Cbmc {
            match self.bytes[start..] {
                [a, ..] if a < 0x80 => {
                    self.at = start + 1;
                    return Ok(a.into());
                }
                [a, b, ..] if b < 0x80 => {
                    self.at = start + 2;
                    return Ok(u32::from(a & 0x7f) | u32::from(b) << 7);
                }
                _ => {}
            }
        }
        match self.dialect {
            Dialect::Esbmc => match self.bytes[start..].first_chunk() {
                Some(word) => {
                    self.at = start + 4;
                    Ok(u32::from_be_bytes(*word))
                }
                None => self.error(self.bytes.len(), "the file ends too early"),
            },
            Dialect::Cbmc => {
                let mut word = 0u64;
                for shift in (0..).step_by(7) {
                    let byte = self.byte()?;
                    if shift > 28 {
                        return self.error(start, "a number has more than 32 bits");
                    }
                    word |= u64::from(byte & 0x7f) << shift;
                    if byte & 0x80 == 0 {
                        break;
                    }
                }
                u32::try_from(word).or_else(|_| self.error(start, "a number has more than 32 bits"))
            }
        }
    }

    /// The bytes up to the end of a string, which is passed. What is escaped in it is copied, which is rare.
    fn string(&mut self) -> Read<std::borrow::Cow<'a, [u8]>> {
        let rest = &self.bytes[self.at..];
        let Some(len) = rest.iter().position(|&byte| matches!(byte, 0 | b'\\')) else {
            return self.error(self.bytes.len(), "the file ends too early");
        };
        if rest[len] == 0 {
            self.at += len + 1;
            return Ok(rest[..len].into());
        }
        let mut text = rest[..len].to_vec();
        self.at += len;
        loop {
            match self.byte()? {
                0 => return Ok(text.into()),
                b'\\' => text.push(self.byte()?),
                byte => text.push(byte),
            }
        }
    }

    fn text(&mut self) -> Read<TextId> {
        let number = self.word()?;
        if let Some(id) = self.text_ids.get(number) {
            return Ok(TextId::from_u32(id));
        }
        let text = self.string()?;
        let id = self.ireps.add_text(&text, number);
        self.text_ids.set(number, id.as_u32());
        Ok(id)
    }

    /// Reads a reference to an irep: the irep, or that its body follows.
    fn reference(&mut self) -> Read<Result<IrepId, Open>> {
        let start = self.at;
        let number = self.word()?;
        match self.irep_ids.get(number) {
            Some(OPEN) => self.error(start, format!("irep {number} contains itself")),
            Some(id) => Ok(Ok(IrepId::from_u32(id))),
            None => {
                self.irep_ids.set(number, OPEN);
                let text = self.text()?;
                let id = self.ireps.open_irep(text, number);
                let start = self.scratch.len();
                Ok(Err(Open { number, id, start, n_ordered: 0, n_comments: 0, phase: b'S' }))
            }
        }
    }

    fn irep(&mut self) -> Read<IrepId> {
        let mut stack = match self.reference()? {
            Ok(id) => return Ok(id),
            Err(open) => {
                let mut stack = std::mem::take(&mut self.stack);
                stack.clear();
                stack.push(open);
                stack
            }
        };
        // Each round completes an irep or reads one more child of the innermost.
        while let Some(top) = stack.last_mut() {
            let start = self.at;
            let tag = self.byte()?;
            // The groups come in this order.
            let order = |tag| match tag {
                b'S' => 0,
                b'N' => 1,
                _ => 2,
            };
            match tag {
                0 => {
                    let children = &self.scratch[top.start..];
                    self.ireps.close_irep(top.id, top.n_ordered, top.n_comments, children);
                    self.scratch.truncate(top.start);
                    self.irep_ids.set(top.number, top.id.as_u32());
                    let id = top.id;
                    stack.pop();
                    if stack.is_empty() {
                        self.stack = stack;
                        return Ok(id);
                    }
                    self.scratch.push(id.as_u32());
                }
                b'S' | b'N' | b'C' if order(tag) >= order(top.phase) => {
                    top.phase = tag;
                    match tag {
                        b'S' => top.n_ordered += 1,
                        b'C' => top.n_comments += 1,
                        _ => {}
                    }
                    if tag != b'S' {
                        let key = self.text()?;
                        self.scratch.push(key.as_u32());
                    }
                    match self.reference()? {
                        Ok(id) => self.scratch.push(id.as_u32()),
                        Err(open) => stack.push(open),
                    }
                }
                _ => return self.error(start, format!("an irep goes on with byte {tag:#04x}")),
            }
        }
        self.error(self.at, "an irep is not complete")
    }

    fn symbol(&mut self) -> Read<SymbolEntry> {
        if self.dialect == Dialect::Esbmc {
            return Ok(SymbolEntry::Irep(self.irep()?));
        }
        let (ty, value, location) = (self.irep()?, self.irep()?, self.irep()?);
        let texts = [self.text()?, self.text()?, self.text()?, self.text()?, self.text()?];
        let (unused, flags) = (self.word()?, self.word()?);
        Ok(SymbolEntry::Fields(Box::new(SymbolFields {
            ty,
            value,
            location,
            texts,
            unused,
            flags,
        })))
    }

    fn function(&mut self) -> Read<FunctionEntry> {
        let name = self.string()?.into();
        if self.dialect == Dialect::Esbmc {
            return Ok(FunctionEntry { name, body: BodyEntry::Irep(self.irep()?) });
        }
        let mut instructions = Vec::new();
        for _ in 0..self.word()? {
            instructions.push(self.instruction()?);
        }
        instructions.shrink_to_fit();
        Ok(FunctionEntry { name, body: BodyEntry::Instructions(instructions) })
    }

    fn instruction(&mut self) -> Read<InstructionEntry> {
        let (code, location) = (self.irep()?, self.irep()?);
        let kind = self.word()?;
        let guard = self.irep()?;
        let number = self.word()?;
        let mut targets = Vec::new();
        for _ in 0..self.word()? {
            targets.push(self.word()?);
        }
        let mut labels = Vec::new();
        for _ in 0..self.word()? {
            labels.push(self.text()?);
        }
        let (targets, labels) = (targets.into_boxed_slice(), labels.into_boxed_slice());
        Ok(InstructionEntry { code, location, kind, guard, number, targets, labels })
    }
}

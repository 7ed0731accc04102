//! Writing goto binaries: the inverse of reading, byte for byte.
//!
//! A text or irep is written where it is first met, in the order in which a reader meets it; its number is the one that
//! it was read with, or the one that the builder gave it. ESBMC's reader demands that the numbers of new ireps count up,
//! so a binary that was not read from a file is renumbered ([`renumber`]) before it is written.

use crate::binary::{Binary, BodyEntry, Dialect, SymbolEntry};
use crate::irep::{IrepId, Ireps, TextId};
use cranelift_entity::{EntityRef, EntitySet};

/// The bytes of a goto binary.
#[must_use]
pub fn write(binary: &Binary) -> Vec<u8> {
    let ireps = &binary.ireps;
    let mut writer = Writer {
        out: binary.dialect.magic().to_vec(),
        dialect: binary.dialect,
        ireps,
        texts: EntitySet::with_capacity(ireps.n_texts()),
        written: EntitySet::with_capacity(ireps.len()),
    };
    writer.word(binary.version);
    writer.word(binary.symbols.len() as u32);
    for symbol in &binary.symbols {
        match symbol {
            SymbolEntry::Irep(irep) => writer.irep(*irep),
            SymbolEntry::Fields(fields) => {
                for irep in [fields.ty, fields.value, fields.location] {
                    writer.irep(irep);
                }
                fields.texts.iter().for_each(|&text| writer.text(text));
                writer.word(fields.unused);
                writer.word(fields.flags);
            }
        }
    }
    writer.word(binary.functions.len() as u32);
    for function in &binary.functions {
        writer.string(&function.name);
        match &function.body {
            BodyEntry::Irep(irep) => writer.irep(*irep),
            BodyEntry::Instructions(instructions) => {
                writer.word(instructions.len() as u32);
                for instruction in instructions {
                    writer.irep(instruction.code);
                    writer.irep(instruction.location);
                    writer.word(instruction.kind);
                    writer.irep(instruction.guard);
                    writer.word(instruction.number);
                    writer.word(instruction.targets.len() as u32);
                    instruction.targets.iter().for_each(|&target| writer.word(target));
                    writer.word(instruction.labels.len() as u32);
                    instruction.labels.iter().for_each(|&label| writer.text(label));
                }
            }
        }
    }
    writer.out.extend_from_slice(&binary.trailing);
    writer.out
}

/// Numbers texts and ireps in the order in which they are written.
pub fn renumber(binary: &mut Binary) {
    let mut order = Order {
        texts: EntitySet::with_capacity(binary.ireps.n_texts()),
        ireps: EntitySet::with_capacity(binary.ireps.len()),
        text_numbers: vec![0; binary.ireps.n_texts()],
        irep_numbers: (0..binary.ireps.len() as u32).collect(),
        next: (0, 0),
    };
    for symbol in &binary.symbols {
        match symbol {
            SymbolEntry::Irep(irep) => order.irep(&binary.ireps, *irep),
            SymbolEntry::Fields(fields) => {
                for irep in [fields.ty, fields.value, fields.location] {
                    order.irep(&binary.ireps, irep);
                }
                fields.texts.iter().for_each(|&text| order.text(text));
            }
        }
    }
    for function in &binary.functions {
        match &function.body {
            BodyEntry::Irep(irep) => order.irep(&binary.ireps, *irep),
            BodyEntry::Instructions(instructions) => {
                for instruction in instructions {
                    for irep in [instruction.code, instruction.location, instruction.guard] {
                        order.irep(&binary.ireps, irep);
                    }
                    instruction.labels.iter().for_each(|&label| order.text(label));
                }
            }
        }
    }
    binary.ireps.text_numbers = order.text_numbers;
    binary.ireps.irep_numbers = order.irep_numbers;
}

struct Order {
    texts: EntitySet<TextId>,
    ireps: EntitySet<IrepId>,
    text_numbers: Vec<u32>,
    irep_numbers: Vec<u32>,
    next: (u32, u32),
}

impl Order {
    fn text(&mut self, text: TextId) {
        if self.texts.insert(text) {
            self.text_numbers[text.index()] = self.next.0;
            self.next.0 += 1;
        }
    }

    fn irep(&mut self, ireps: &Ireps, irep: IrepId) {
        let mut stack = vec![irep];
        while let Some(irep) = stack.pop() {
            if self.ireps.insert(irep) {
                self.irep_numbers[irep.index()] = self.next.1;
                self.next.1 += 1;
                self.text(ireps.id_text(irep));
                ireps.named(irep).for_each(|(key, _)| self.text(key));
                let children: Vec<IrepId> =
                    ireps.ordered(irep).chain(ireps.named(irep).map(|(_, c)| c)).collect();
                stack.extend(children.into_iter().rev());
            }
        }
    }
}

struct Writer<'a> {
    out: Vec<u8>,
    dialect: Dialect,
    ireps: &'a Ireps,
    texts: EntitySet<TextId>,
    written: EntitySet<IrepId>,
}

/// A part that remains to be written.
enum Step {
    Byte(u8),
    Key(TextId),
    Irep(IrepId),
}

impl Writer<'_> {
    fn word(&mut self, mut word: u32) {
        match self.dialect {
            Dialect::Esbmc => self.out.extend(word.to_be_bytes()),
            Dialect::Cbmc => {
                while word >= 0x80 {
                    self.out.push(word as u8 | 0x80);
                    word >>= 7;
                }
                self.out.push(word as u8);
            }
        }
    }

    fn string(&mut self, text: &[u8]) {
        for &byte in text {
            if matches!(byte, 0 | b'\\') {
                self.out.push(b'\\');
            }
            self.out.push(byte);
        }
        self.out.push(0);
    }

    fn text(&mut self, text: TextId) {
        self.word(self.ireps.text_numbers[text.index()]);
        if self.texts.insert(text) {
            let ireps = self.ireps;
            self.string(ireps.text(text));
        }
    }

    fn irep(&mut self, irep: IrepId) {
        let mut steps = vec![Step::Irep(irep)];
        while let Some(step) = steps.pop() {
            let irep = match step {
                Step::Byte(byte) => {
                    self.out.push(byte);
                    continue;
                }
                Step::Key(key) => {
                    self.text(key);
                    continue;
                }
                Step::Irep(irep) => irep,
            };
            self.word(self.ireps.number(irep));
            if !self.written.insert(irep) {
                continue;
            }
            self.text(self.ireps.id_text(irep));
            let from = steps.len();
            for child in self.ireps.ordered(irep) {
                steps.extend([Step::Byte(b'S'), Step::Irep(child)]);
            }
            let named = self.ireps.named(irep);
            let n_plain = named.len() - self.ireps.n_comments(irep);
            for (i, (key, child)) in named.enumerate() {
                let tag = if i < n_plain { b'N' } else { b'C' };
                steps.extend([Step::Byte(tag), Step::Key(key), Step::Irep(child)]);
            }
            steps.push(Step::Byte(0));
            steps[from..].reverse();
        }
    }
}

//! Scalars, their sorts and sizes, and the cells that hold them in memory.

use crate::memory::Objects;
use crate::pointer::OBJECT_BITS;
use vergo_goto::program::Program;
use vergo_goto::types::{Type, TypeId};
use vergo_num::FloatFormat;
use vergo_term::{Sort, TermId, TermStore};

/// The context in which terms are made.
pub(crate) struct Context<'a> {
    pub(crate) program: &'a Program,
    pub(crate) store: &'a mut TermStore,
    pub(crate) objects: &'a mut Objects,
}

/// A scalar that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// A truth value: one byte that is zero or one. (GOTO has no such objects but variables.)
    Bool,
    /// An integer: its width in bits.
    Int(u32),
    /// A float.
    Float(FloatFormat),
    /// A pointer.
    Pointer,
}

/// A byte.
pub(crate) const BYTE: Scalar = Scalar::Int(8);

/// A value at a place in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub(crate) size: u64,
    pub(crate) value: CellValue,
}

/// The value of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellValue {
    /// A word of the cell's whole size.
    Word(TermId),
    /// A float.
    Float(TermId, FloatFormat),
    /// A pointer.
    Pointer(TermId),
    /// One byte of a pointer.
    PointerByte(TermId, u64),
}

impl Scalar {
    /// The scalar that a type is; `None` for aggregates.
    pub(crate) fn of(program: &Program, ty: TypeId) -> Option<Scalar> {
        match *program.types.get(ty) {
            Type::Bool => Some(Scalar::Bool),
            Type::Int { width, .. } => Some(Scalar::Int(width)),
            Type::Float(format) => Some(Scalar::Float(format)),
            Type::Ptr(_) => Some(Scalar::Pointer),
            _ => None,
        }
    }

    /// Bytes that it takes, with pointers of a width.
    pub(crate) fn size(self, program: &Program, pointer_width: u32) -> u64 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(width) => {
                let bytes = u64::from(width).div_ceil(8);
                if bytes <= 16 { bytes.next_power_of_two() } else { bytes.next_multiple_of(8) }
            }
            Scalar::Float(FloatFormat::X87_EXTENDED) => program.machine.x87_size,
            Scalar::Float(format) => u64::from(format.width()).div_ceil(8),
            Scalar::Pointer => u64::from(pointer_width) / 8,
        }
    }
}

impl Cell {
    /// The scalar that the cell is best read as.
    pub(crate) fn scalar(&self) -> Scalar {
        match self.value {
            CellValue::Float(_, format) => Scalar::Float(format),
            CellValue::Pointer(_) => Scalar::Pointer,
            CellValue::Word(_) | CellValue::PointerByte(..) => Scalar::Int((self.size * 8) as u32),
        }
    }
}

impl Context<'_> {
    /// The scalar that a type is; `None` for aggregates.
    pub(crate) fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(self.program, ty)
    }

    /// The sort of a scalar's terms.
    pub(crate) fn sort(&self, scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Bool => Sort::Bool,
            Scalar::Int(width) => Sort::BitVec(width),
            Scalar::Float(format) => Sort::float(format),
            Scalar::Pointer => Sort::BitVec(self.objects.pointer_width()),
        }
    }

    /// Bytes that a scalar takes.
    pub(crate) fn scalar_size(&self, scalar: Scalar) -> u64 {
        scalar.size(self.program, self.objects.width())
    }

    pub(crate) fn zero(&mut self, scalar: Scalar) -> TermId {
        let sort = self.sort(scalar);
        zero_of(self.store, sort)
    }

    /// A variable that nothing is known of. The names of one execution are those of the next with a larger bound, as
    /// far as both do the same.
    pub(crate) fn fresh(&mut self, name: &str, scalar: Scalar) -> TermId {
        match scalar {
            // Any address, attached to nothing.
            Scalar::Pointer => {
                let sort = Sort::BitVec(self.objects.width());
                let address = self.objects.fresh(self.store, name, sort);
                let none = self.store.bv_u64(OBJECT_BITS, 0);
                self.store.bv_concat(none, address)
            }
            _ => {
                let sort = self.sort(scalar);
                self.objects.fresh(self.store, name, sort)
            }
        }
    }

    /// A cell's value as a word of its size.
    pub(crate) fn cell_word(&mut self, cell: &Cell) -> TermId {
        let width = (cell.size * 8) as u32;
        match cell.value {
            CellValue::Word(word) => word,
            CellValue::Float(float, format) => {
                let bits = self.objects.float_bits(self.store, format, float);
                self.store.bv_zero_extend(width, bits)
            }
            CellValue::Pointer(pointer) => self.objects.address(self.store, pointer),
            CellValue::PointerByte(pointer, byte) => {
                let address = self.objects.address(self.store, pointer);
                let low = (byte * 8) as u32;
                self.store.bv_extract(low + 7, low, address)
            }
        }
    }

    /// A cell's value as a scalar of its size.
    pub(crate) fn cell_scalar(&mut self, cell: &Cell, scalar: Scalar) -> TermId {
        match (cell.value, scalar) {
            (CellValue::Float(value, format), Scalar::Float(wanted)) if format == wanted => value,
            (CellValue::Pointer(value), Scalar::Pointer) => value,
            _ => {
                let word = self.cell_word(cell);
                self.word_scalar(word, scalar)
            }
        }
    }

    /// A word of the scalar's size as the scalar.
    pub(crate) fn word_scalar(&mut self, word: TermId, scalar: Scalar) -> TermId {
        match scalar {
            Scalar::Bool => {
                let zero = self.store.bv_u64(self.store.width(word), 0);
                self.store.ne(word, zero)
            }
            Scalar::Int(width) => self.store.bv_resize_unsigned(width, word),
            Scalar::Float(format) => {
                let bits = self.store.bv_resize_unsigned(format.width(), word);
                self.store.fp_from_bits(format, bits)
            }
            Scalar::Pointer => self.objects.pointer_at(self.store, word),
        }
    }

    pub(crate) fn make_cell(&mut self, scalar: Scalar, value: TermId) -> Cell {
        let size = self.scalar_size(scalar);
        let value = match scalar {
            Scalar::Bool => {
                let bit = self.store.bool_to_bv(value);
                CellValue::Word(self.store.bv_zero_extend(8, bit))
            }
            Scalar::Int(_) => {
                CellValue::Word(self.store.bv_resize_unsigned((size * 8) as u32, value))
            }
            Scalar::Float(format) => CellValue::Float(value, format),
            Scalar::Pointer => CellValue::Pointer(value),
        };
        Cell { size, value }
    }

    /// A scalar as the bytes that spell it.
    pub(crate) fn scalar_bytes(&mut self, scalar: Scalar, value: TermId) -> Vec<TermId> {
        let cell = self.make_cell(scalar, value);
        let word = self.cell_word(&cell);
        (0..cell.size as u32).map(|i| self.store.bv_extract(i * 8 + 7, i * 8, word)).collect()
    }

    /// The scalar that bytes spell, the lowest first.
    pub(crate) fn bytes_scalar(&mut self, bytes: &[TermId], scalar: Scalar) -> TermId {
        let mut word = None;
        for &byte in bytes {
            word = Some(match word {
                Some(low) => self.store.bv_concat(byte, low),
                None => byte,
            });
        }
        let word = word.unwrap_or_else(|| self.store.bv_u64(8, 0));
        self.word_scalar(word, scalar)
    }
}

/// The zero of a sort that scalars have.
pub(crate) fn zero_of(store: &mut TermStore, sort: Sort) -> TermId {
    match sort {
        Sort::BitVec(width) => store.bv_u64(width, 0),
        Sort::Float(format) => {
            let bits = store.bv_u64(format.width(), 0);
            store.fp_from_bits(format, bits)
        }
        _ => store.false_term(),
    }
}

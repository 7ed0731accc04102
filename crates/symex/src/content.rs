//! The content of an object: cells at known offsets, arrays where offsets are not known.
//!
//! A cell is a scalar value at a byte offset. An access at the offset and size of a cell is a look-up; one that overlaps
//! cells otherwise takes them apart into bytes. An array whose elements are accessed at an unknown index becomes a
//! *region*: one term of array sort for each scalar in the element type (the `x` of all points, the `y` of all points),
//! with recent writes at constant indices kept beside it. What no cell and no region covers has the object's default:
//! zero, or a variable named after the place.

mod parts;

pub use parts::Part;

use crate::memory::Objects;
use crate::pmap::PMap;
use std::rc::Rc;
use vergo_goto::program::Program;
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, FloatFormat};
use vergo_term::{Op, Sort, TermId, TermStore};
/// What terms are made with.
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

/// A value at a place in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    size: u64,
    value: CellValue,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CellValue {
    /// A word of the cell's whole size.
    Word(TermId),
    Float(TermId, FloatFormat),
    Pointer(TermId),
    /// One byte of a pointer.
    PointerByte(TermId, u64),
}

/// What places without a value hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Default {
    Zero,
    /// Anything: a variable for each place, named with this prefix.
    Unknown(Rc<str>),
}

/// An array region.
#[derive(Clone, Debug)]
struct Region {
    start: u64,
    /// `None`: to the end of an object of unknown size.
    end: Option<u64>,
    /// The type of the elements.
    element: TypeId,
    stride: u64,
    /// By offset in the element (of the first, where the element contains arrays itself).
    streams: PMap<Stream>,
}

/// One scalar of all elements of a region.
#[derive(Clone, Debug)]
struct Stream {
    /// The array term.
    base: TermId,
    /// Values at constant indices, newer than the base or equal to it.
    recent: PMap<TermId>,
    /// The indices of recent values that are not in the base yet.
    pending: Rc<Vec<u64>>,
}

impl PartialEq for Stream {
    fn eq(&self, other: &Stream) -> bool {
        self.base == other.base
            && self.recent.is_same(&other.recent)
            && Rc::ptr_eq(&self.pending, &other.pending)
    }
}

/// The content of an object.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    cells: PMap<Cell>,
    /// No cell is larger than this many bytes.
    widest: u64,
    regions: Rc<Vec<Region>>,
    default: Default,
}

impl PartialEq for Content {
    fn eq(&self, other: &Content) -> bool {
        self.cells.is_same(&other.cells)
            && Rc::ptr_eq(&self.regions, &other.regions)
            && self.default == other.default
    }
}

/// A place in an object at an offset that is not constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Indexed {
    /// The type of the object, if it was declared with one.
    pub(crate) object_ty: Option<TypeId>,
    /// Its offset in bytes.
    pub(crate) offset: TermId,
    /// Where the array that is indexed begins, if that is known.
    pub(crate) array: Option<u64>,
    /// The type that the pointer or array was of.
    pub(crate) element: TypeId,
}

/// A sum of scaled words: `constant + term * scale + ...`.
pub(crate) struct Linear {
    pub(crate) constant: i64,
    pub(crate) terms: Vec<(TermId, i64)>,
}

impl Linear {
    /// Reads a word as a sum of scaled words. Any word is one, at least trivially.
    pub(crate) fn of(store: &mut TermStore, word: TermId) -> Linear {
        let width = store.width(word);
        let mut sum = Linear { constant: 0, terms: Vec::new() };
        let mut stack = vec![(word, 1i64)];
        while let Some((term, scale)) = stack.pop() {
            let value = |store: &TermStore, term| store.bv_value(term).and_then(BitVec::to_i64);
            if let Some(value) = value(store, term) {
                sum.constant = sum.constant.wrapping_add(value.wrapping_mul(scale));
                continue;
            }
            match store.op(term) {
                Op::BvAdd => stack.extend(store.args(term).iter().map(|&arg| (arg, scale))),
                Op::BvMul => {
                    let [a, b] = [store.arg(term, 0), store.arg(term, 1)];
                    match (value(store, a), value(store, b)) {
                        (Some(factor), _) => stack.push((b, scale.wrapping_mul(factor))),
                        (_, Some(factor)) => stack.push((a, scale.wrapping_mul(factor))),
                        _ => sum.terms.push((term, scale)),
                    }
                }
                // A word above a constant: the word at the whole width again (its top bits do not matter), shifted.
                Op::BvConcat
                    if store.bv_value(store.arg(term, 1)).and_then(BitVec::to_u64).is_some() =>
                {
                    let (high, low) = (store.arg(term, 0), store.arg(term, 1));
                    let low_width = store.width(low);
                    let low = store.bv_zero_extend(width.max(low_width + 1), low);
                    stack.push((low, scale));
                    let whole = match store.op(high) {
                        Op::BvExtract(0) if store.width(store.arg(high, 0)) == width => {
                            store.arg(high, 0)
                        }
                        Op::BvSignExtend => store.bv_sign_extend(width, store.arg(high, 0)),
                        _ => store.bv_zero_extend(width, high),
                    };
                    stack.push((whole, scale.wrapping_shl(low_width)));
                }
                _ => sum.terms.push((term, scale)),
            }
        }
        if width < 64 {
            sum.constant = sum.constant << (64 - width) >> (64 - width);
        }
        sum
    }

    /// A constant offset.
    fn constant(offset: u64) -> Linear {
        Linear { constant: offset as i64, terms: Vec::new() }
    }

    fn minus(&self, constant: u64) -> Linear {
        Linear { constant: self.constant.wrapping_sub(constant as i64), terms: self.terms.clone() }
    }

    /// The word.
    fn word(&self, store: &mut TermStore, width: u32) -> TermId {
        let mut sum = store.bv_const(BitVec::from_i64(width, self.constant));
        for &(term, scale) in &self.terms {
            let scale = store.bv_const(BitVec::from_i64(width, scale));
            let scaled = store.bv_mul(term, scale);
            sum = store.bv_add(sum, scaled);
        }
        sum
    }

    /// The part whose scales are multiples of `stride`, divided by it, and the rest, whose constant is not negative.
    fn divide(&self, stride: u64) -> (Linear, Linear) {
        let stride = stride as i64;
        let mut quotient = Linear { constant: self.constant.div_euclid(stride), terms: Vec::new() };
        let mut rest = Linear { constant: self.constant.rem_euclid(stride), terms: Vec::new() };
        for &(term, scale) in &self.terms {
            if scale % stride == 0 {
                quotient.terms.push((term, scale / stride));
            } else {
                rest.terms.push((term, scale));
            }
        }
        (quotient, rest)
    }
}

impl Context<'_> {
    /// The scalar that a type is; `None` for aggregates.
    pub(crate) fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        match *self.program.types.get(ty) {
            Type::Bool => Some(Scalar::Bool),
            Type::Int { width, .. } => Some(Scalar::Int(width)),
            Type::Float(format) => Some(Scalar::Float(format)),
            Type::Ptr(_) => Some(Scalar::Pointer),
            _ => None,
        }
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
    fn scalar_size(&self, scalar: Scalar) -> u64 {
        match scalar {
            Scalar::Bool => 1,
            Scalar::Int(width) => {
                let bytes = u64::from(width).div_ceil(8);
                if bytes <= 16 { bytes.next_power_of_two() } else { bytes.next_multiple_of(8) }
            }
            Scalar::Float(FloatFormat::X87_EXTENDED) => self.program.machine.x87_size,
            Scalar::Float(format) => u64::from(format.width()).div_ceil(8),
            Scalar::Pointer => u64::from(self.objects.width()) / 8,
        }
    }

    pub(crate) fn zero(&mut self, scalar: Scalar) -> TermId {
        let sort = self.sort(scalar);
        zero_of(self.store, sort)
    }

    /// A new variable that nothing is known of.
    pub(crate) fn fresh(&mut self, name: &str, scalar: Scalar) -> TermId {
        let sort = self.sort(scalar);
        self.store.fresh_var(name, sort)
    }

    /// A default under a new name.
    fn unknown(&mut self) -> Default {
        let term = self.store.fresh_var("unknown", Sort::Bool);
        let var = self.store.as_var(term).expect("a new variable is one");
        Default::Unknown(self.store.var_info(var).name.as_str().into())
    }

    fn default_value(&mut self, default: &Default, offset: u64, scalar: Scalar) -> TermId {
        match default {
            Default::Zero => self.zero(scalar),
            Default::Unknown(name) => {
                let sort = self.sort(scalar);
                self.store.var(&format!("{name}!{offset}"), sort)
            }
        }
    }

    /// A cell's value as a word of its size.
    fn cell_word(&mut self, cell: &Cell) -> TermId {
        let width = (cell.size * 8) as u32;
        match cell.value {
            CellValue::Word(word) => word,
            CellValue::Float(float, format) => {
                let bits = self.store.fp_to_bits(format, float);
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

    /// A word of the scalar's size as the scalar.
    fn word_scalar(&mut self, word: TermId, scalar: Scalar) -> TermId {
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

    fn make_cell(&mut self, scalar: Scalar, value: TermId) -> Cell {
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
}

impl Content {
    /// A content without any value of its own.
    pub(crate) fn new(default: Default) -> Content {
        Content { cells: PMap::new(), widest: 1, regions: Rc::new(Vec::new()), default }
    }

    /// Forgets everything: each place holds a new unknown value.
    pub(crate) fn forget(&mut self, ctx: &mut Context<'_>) {
        *self = Content::new(ctx.unknown());
    }

    /// The scalar at a constant offset.
    pub(crate) fn read(&self, ctx: &mut Context<'_>, offset: u64, scalar: Scalar) -> TermId {
        if let Some(region) = self.region_at(offset) {
            let region = &self.regions[region];
            let place = Linear::constant(offset);
            return match region.find(ctx, &place, scalar) {
                Some((key, index)) => {
                    let element = ctx.sort(scalar);
                    region.read(ctx, &self.default, key, index, element)
                }
                None => ctx.fresh("mixed", scalar),
            };
        }
        let size = ctx.scalar_size(scalar);
        if let Some(cell) = self.cells.get(offset)
            && cell.size == size
        {
            return match (cell.value, scalar) {
                (CellValue::Float(value, format), Scalar::Float(wanted)) if format == wanted => {
                    value
                }
                (CellValue::Pointer(value), Scalar::Pointer) => value,
                _ => {
                    let word = ctx.cell_word(cell);
                    ctx.word_scalar(word, scalar)
                }
            };
        }
        if !self.touches(offset, size) {
            return ctx.default_value(&self.default, offset, scalar);
        }
        let bytes: Vec<CellValue> = (0..size).map(|i| self.byte(ctx, offset + i)).collect();
        if scalar == Scalar::Pointer
            && let CellValue::PointerByte(pointer, 0) = bytes[0]
            && bytes
                .iter()
                .enumerate()
                .all(|(i, byte)| *byte == CellValue::PointerByte(pointer, i as u64))
        {
            return pointer;
        }
        let mut word = None;
        for value in bytes {
            let byte = ctx.cell_word(&Cell { size: 1, value });
            word = Some(match word {
                Some(low) => ctx.store.bv_concat(byte, low),
                None => byte,
            });
        }
        let word = word.unwrap_or_else(|| ctx.store.bv_u64(8, 0));
        ctx.word_scalar(word, scalar)
    }

    /// Writes a scalar at a constant offset where `guard` holds.
    pub(crate) fn write(
        &mut self,
        ctx: &mut Context<'_>,
        offset: u64,
        scalar: Scalar,
        value: TermId,
        guard: TermId,
    ) {
        let value = if guard == ctx.store.true_term() {
            value
        } else {
            let old = self.read(ctx, offset, scalar);
            ctx.store.ite(guard, value, old)
        };
        if let Some(index) = self.region_at(offset) {
            let place = Linear::constant(offset);
            return self.write_region(ctx, index, &place, scalar, value, None);
        }
        let cell = ctx.make_cell(scalar, value);
        self.clear(ctx, offset, cell.size);
        self.set_cell(offset, cell);
    }

    /// The scalar at a place that is not constant.
    pub(crate) fn read_at(
        &mut self,
        ctx: &mut Context<'_>,
        at: &Indexed,
        scalar: Scalar,
    ) -> TermId {
        let place = Linear::of(ctx.store, at.offset);
        if let Some(index) = self.region_for(ctx, at, &place)
            && let Some((key, element)) = self.regions[index].find(ctx, &place, scalar)
        {
            self.flush(ctx, index, key, scalar);
            let sort = ctx.sort(scalar);
            let value = self.regions[index].read(ctx, &self.default, key, element, sort);
            let inside = self.regions[index].contains(ctx, at);
            let outside = ctx.fresh("outside", scalar);
            return ctx.store.ite(inside, value, outside);
        }
        ctx.fresh("mixed", scalar)
    }

    /// Writes a scalar at a place that is not constant where `guard` holds.
    pub(crate) fn write_at(
        &mut self,
        ctx: &mut Context<'_>,
        at: &Indexed,
        scalar: Scalar,
        value: TermId,
        guard: TermId,
    ) {
        let place = Linear::of(ctx.store, at.offset);
        let before = self.clone();
        let Some(index) = self.region_for(ctx, at, &place) else {
            let mut unknown = before.clone();
            unknown.forget(ctx);
            *self = unknown.merge(ctx, guard, &before);
            return;
        };
        let inside = self.regions[index].contains(ctx, at);
        let in_region = ctx.store.and(guard, inside);
        self.write_region(ctx, index, &place, scalar, value, Some(in_region));
        // A write that misses the region is still somewhere in the object, unless the region is all of it.
        let missed = ctx.store.not(inside);
        let missed = ctx.store.and(guard, missed);
        if at.object_ty.is_some() && missed != ctx.store.false_term() {
            let mut unknown = self.clone();
            unknown.forget(ctx);
            *self = unknown.merge(ctx, missed, self);
        }
    }

    /// Copies `size` bytes from an offset of another content.
    pub(crate) fn copy(
        &mut self,
        ctx: &mut Context<'_>,
        to: u64,
        from: &Content,
        start: u64,
        size: u64,
    ) {
        if !from.regions.is_empty() || self.regions.iter().any(|region| region.overlaps(to, size)) {
            return self.copy_bytes(ctx, to, from, start, size);
        }
        self.clear(ctx, to, size);
        let mut next = start;
        let end = start + size;
        let first = start.saturating_sub(from.widest - 1);
        let cells: Vec<(u64, Cell)> =
            from.cells.range(first, end).map(|(at, cell)| (at, cell.clone())).collect();
        for (at, cell) in cells {
            if at + cell.size <= start {
                continue;
            }
            if at < start || at + cell.size > end {
                return self.copy_bytes(ctx, to, from, start, size);
            }
            self.fill_gap(ctx, to, from, start, next, at);
            next = at + cell.size;
            self.set_cell(at - start + to, cell);
        }
        self.fill_gap(ctx, to, from, start, next, end);
    }

    /// Puts the other content's default values from `low` to `high` where this one's default differs.
    fn fill_gap(
        &mut self,
        ctx: &mut Context<'_>,
        to: u64,
        from: &Content,
        start: u64,
        low: u64,
        high: u64,
    ) {
        if from.default == Default::Zero && self.default == Default::Zero {
            return;
        }
        let mut at = low;
        while at < high {
            let size = [8, 4, 2, 1]
                .into_iter()
                .find(|size| at.is_multiple_of(*size) && at + size <= high)
                .unwrap_or(1);
            let scalar = Scalar::Int((size * 8) as u32);
            let value = ctx.default_value(&from.default, at, scalar);
            let cell = ctx.make_cell(scalar, value);
            self.set_cell(at - start + to, cell);
            at += size;
        }
    }

    fn copy_bytes(
        &mut self,
        ctx: &mut Context<'_>,
        to: u64,
        from: &Content,
        start: u64,
        size: u64,
    ) {
        const LIMIT: u64 = 1 << 16;
        if size > LIMIT {
            return self.forget(ctx);
        }
        let truth = ctx.store.true_term();
        for i in 0..size {
            let byte = from.read(ctx, start + i, Scalar::Int(8));
            self.write(ctx, to + i, Scalar::Int(8), byte, truth);
        }
    }

    /// The content that is `self` where `guard` holds and `other` elsewhere.
    pub(crate) fn merge(&self, ctx: &mut Context<'_>, guard: TermId, other: &Content) -> Content {
        if self == other {
            return self.clone();
        }
        let (mut a, mut b) = (self.clone(), other.clone());
        align_regions(ctx, &mut a, &mut b);
        a.align_cells(ctx, &mut b);
        a.widest = a.widest.max(b.widest);
        let (left, right) = (a.clone(), b);
        let mut changes = Vec::new();
        left.cells.for_each_difference(&right.cells, &mut |at, x, y| {
            changes.push((at, x.cloned(), y.cloned()))
        });
        for (at, x, y) in changes {
            let Some(shape) = x.as_ref().or(y.as_ref()) else { continue };
            let scalar = match shape.value {
                CellValue::Float(_, format) => Scalar::Float(format),
                CellValue::Pointer(_) => Scalar::Pointer,
                CellValue::Word(_) | CellValue::PointerByte(..) => {
                    Scalar::Int((shape.size * 8) as u32)
                }
            };
            // A zero word on one side is a null pointer or a zero float on the other.
            let scalar = match (scalar, &y) {
                (Scalar::Int(_), Some(Cell { size, value: CellValue::Pointer(_) }))
                    if *size == shape.size =>
                {
                    Scalar::Pointer
                }
                (Scalar::Int(_), Some(Cell { size, value: CellValue::Float(_, format) }))
                    if *size == shape.size =>
                {
                    Scalar::Float(*format)
                }
                _ => scalar,
            };
            let then = left.read(ctx, at, scalar);
            let other = right.read(ctx, at, scalar);
            let value = ctx.store.ite(guard, then, other);
            let cell = ctx.make_cell(scalar, value);
            a.set_cell(at, cell);
        }
        if left.default != right.default {
            // It was forgotten on one side: what neither has written since is unknown.
            a.default = ctx.unknown();
        }
        let regions = Rc::make_mut(&mut a.regions);
        for (region, other) in regions.iter_mut().zip(right.regions.iter()) {
            region.merge(ctx, guard, [&left.default, &right.default], other);
        }
        a
    }

    /// Takes cells apart into bytes where the two contents have cells of different sizes.
    fn align_cells(&mut self, ctx: &mut Context<'_>, other: &mut Content) {
        let mut bad = Vec::new();
        self.cells.for_each_difference(&other.cells, &mut |at, x, y| {
            let size = |cell: Option<&Cell>| cell.map(|cell| cell.size);
            let (x, y) = (size(x), size(y));
            if x != y {
                bad.push((at, x.unwrap_or(0).max(y.unwrap_or(0))));
            }
        });
        for (at, size) in bad {
            let one_sided = !self.touches(at, size) || !other.touches(at, size);
            if !one_sided {
                self.split(ctx, at, size);
                other.split(ctx, at, size);
            }
        }
    }

    /// The pointers that the object holds, and whether these are all.
    pub(crate) fn pointers(&self) -> (Vec<TermId>, bool) {
        let pointers = self.cells.iter().filter_map(|(_, cell)| match cell.value {
            CellValue::Pointer(pointer) => Some(pointer),
            _ => None,
        });
        let in_bytes =
            self.cells.iter().any(|(_, cell)| matches!(cell.value, CellValue::PointerByte(..)));
        (pointers.collect(), self.regions.is_empty() && !in_bytes)
    }

    fn region_at(&self, offset: u64) -> Option<usize> {
        self.regions.iter().position(|region| region.overlaps(offset, 1))
    }

    fn set_cell(&mut self, at: u64, cell: Cell) {
        self.widest = self.widest.max(cell.size);
        self.cells.insert(at, cell);
    }

    /// Whether any cell overlaps the bytes.
    fn touches(&self, offset: u64, size: u64) -> bool {
        self.cells
            .range(offset.saturating_sub(self.widest - 1), offset.saturating_add(size))
            .any(|(at, cell)| at + cell.size > offset)
    }

    fn byte(&self, ctx: &mut Context<'_>, offset: u64) -> CellValue {
        let covering = self
            .cells
            .range(offset.saturating_sub(self.widest - 1), offset + 1)
            .find(|(at, cell)| at + cell.size > offset)
            .map(|(at, cell)| (at, cell.clone()));
        match covering {
            Some((at, Cell { value: CellValue::Pointer(pointer), .. })) => {
                CellValue::PointerByte(pointer, offset - at)
            }
            Some((_, Cell { value: value @ CellValue::PointerByte(..), .. })) => value,
            Some((at, cell)) => {
                let word = ctx.cell_word(&cell);
                let low = ((offset - at) * 8) as u32;
                CellValue::Word(ctx.store.bv_extract(low + 7, low, word))
            }
            None => CellValue::Word(ctx.default_value(&self.default, offset, Scalar::Int(8))),
        }
    }

    /// Makes the bytes of a range cells of their own, where cells overlap it.
    fn split(&mut self, ctx: &mut Context<'_>, offset: u64, size: u64) {
        let low = offset.saturating_sub(self.widest - 1);
        let overlapping: Vec<(u64, u64)> = self
            .cells
            .range(low, offset + size)
            .filter(|(at, cell)| at + cell.size > offset && cell.size > 1)
            .map(|(at, cell)| (at, cell.size))
            .collect();
        for (at, size) in overlapping {
            let bytes: Vec<CellValue> = (0..size).map(|i| self.byte(ctx, at + i)).collect();
            for (i, value) in bytes.into_iter().enumerate() {
                self.set_cell(at + i as u64, Cell { size: 1, value });
            }
        }
    }

    /// Removes the cells of a range; those that reach out of it lose only the bytes inside.
    fn clear(&mut self, ctx: &mut Context<'_>, offset: u64, size: u64) {
        let end = offset + size;
        let low = offset.saturating_sub(self.widest - 1);
        let overlapping: Vec<(u64, u64)> = self
            .cells
            .range(low, end)
            .filter(|(at, cell)| at + cell.size > offset)
            .map(|(at, cell)| (at, cell.size))
            .collect();
        for (at, size) in overlapping {
            if at < offset || at + size > end {
                self.split(ctx, at, size);
                (0..size)
                    .map(|i| at + i)
                    .filter(|i| (offset..end).contains(i))
                    .for_each(|i| self.cells.remove(i));
            } else {
                self.cells.remove(at);
            }
        }
    }

    /// The region that an access at an unknown index falls into, made if there is none. `None` if there cannot be one.
    fn region_for(&mut self, ctx: &mut Context<'_>, at: &Indexed, place: &Linear) -> Option<usize> {
        let anchor = at.array.unwrap_or(place.constant.max(0) as u64);
        if let Some(index) = self.region_at(anchor) {
            return Some(index);
        }
        let region = match at.object_ty {
            Some(ty) => array_around(ctx, ty, anchor)?,
            None => {
                let stride = ctx.program.size_of(at.element).filter(|&size| size > 0)?;
                Region { start: 0, end: None, element: at.element, stride, streams: PMap::new() }
            }
        };
        if self.regions.iter().any(|other| region.intersects(other)) {
            return None;
        }
        self.add_region(ctx, region)
    }

    /// Adds a region and moves what cells inside it hold there.
    fn add_region(&mut self, ctx: &mut Context<'_>, region: Region) -> Option<usize> {
        let inside: Vec<u64> = self
            .cells
            .range(region.start, region.end.unwrap_or(u64::MAX))
            .map(|(at, _)| at)
            .collect();
        let mut new = self.clone();
        let mut scalars = Vec::new();
        for at in inside {
            new.cells.remove(at);
            let (_, _, scalar, within) = region.locate(ctx, &Linear::constant(at))?;
            let start = at - within;
            if scalars.last().is_none_or(|(last, _)| *last != start) {
                scalars.push((start, scalar));
            }
        }
        Rc::make_mut(&mut new.regions).push(region);
        let index = new.regions.len() - 1;
        for (at, scalar) in scalars {
            let value = self.read(ctx, at, scalar);
            new.write_region(ctx, index, &Linear::constant(at), scalar, value, None);
        }
        *self = new;
        Some(index)
    }

    fn write_region(
        &mut self,
        ctx: &mut Context<'_>,
        index: usize,
        place: &Linear,
        scalar: Scalar,
        value: TermId,
        guard: Option<TermId>,
    ) {
        let Some((key, at)) = self.regions[index].find(ctx, place, scalar) else {
            return self.forget(ctx);
        };
        let constant = ctx.store.bv_value(at).and_then(BitVec::to_u64);
        if constant.is_none() {
            self.flush(ctx, index, key, scalar);
        }
        let element = ctx.sort(scalar);
        let mut stream = self.regions[index].stream(ctx, &self.default, key, element);
        match constant {
            Some(at) => {
                stream.recent.insert(at, value);
                Rc::make_mut(&mut stream.pending).push(at);
            }
            None => {
                let value = match guard {
                    Some(guard) if guard != ctx.store.true_term() => {
                        let old = ctx.store.select(stream.base, at);
                        ctx.store.ite(guard, value, old)
                    }
                    _ => value,
                };
                let base = ctx.store.store(stream.base, at, value);
                stream = Stream { base, recent: PMap::new(), pending: Rc::default() };
            }
        }
        Rc::make_mut(&mut self.regions)[index].streams.insert(key, stream);
    }

    /// Brings the recent values of a stream into its array term.
    fn flush(&mut self, ctx: &mut Context<'_>, index: usize, key: u64, scalar: Scalar) {
        let element = ctx.sort(scalar);
        let mut stream = self.regions[index].stream(ctx, &self.default, key, element);
        if !stream.pending.is_empty() {
            stream.flush(ctx);
            Rc::make_mut(&mut self.regions)[index].streams.insert(key, stream);
        }
    }
}

impl Stream {
    fn flush(&mut self, ctx: &mut Context<'_>) {
        let mut indices: Vec<u64> = self.pending.to_vec();
        indices.sort_unstable();
        indices.dedup();
        for at in indices {
            let Some(&value) = self.recent.get(at) else { continue };
            let index = ctx.store.bv_u64(ctx.objects.width(), at);
            self.base = ctx.store.store(self.base, index, value);
        }
        self.pending = Rc::default();
    }
}

impl Region {
    fn overlaps(&self, offset: u64, size: u64) -> bool {
        offset.saturating_add(size) > self.start && self.end.is_none_or(|end| offset < end)
    }

    fn intersects(&self, other: &Region) -> bool {
        other.end.is_none_or(|end| self.start < end) && self.end.is_none_or(|end| other.start < end)
    }

    /// The stream and index of a scalar at a place; `None` if the place is not that of such a scalar in the element.
    fn find(&self, ctx: &mut Context<'_>, place: &Linear, scalar: Scalar) -> Option<(u64, TermId)> {
        let (key, index, found, within) = self.locate(ctx, place)?;
        (found == scalar && within == 0).then_some((key, index))
    }

    /// The scalar of the element type that a place falls into: its stream, the index there, what it is, and how far into
    /// it the place is.
    fn locate(&self, ctx: &mut Context<'_>, place: &Linear) -> Option<(u64, TermId, Scalar, u64)> {
        let width = ctx.objects.width();
        let (index, mut rest) = place.minus(self.start).divide(self.stride);
        let mut index = index.word(ctx.store, width);
        let mut key = 0;
        let mut ty = self.element;
        loop {
            match ctx.program.types.get(ty) {
                Type::Struct(id) => {
                    let structure = &ctx.program.types.structs[*id];
                    if structure.union {
                        return None;
                    }
                    let field = structure.fields.iter().rev().find(|field| {
                        field.offset as i64 <= rest.constant
                            && ctx.program.size_of(field.ty).is_some_and(|size| size > 0)
                    })?;
                    if field.first_bit.is_some() {
                        return None;
                    }
                    key += field.offset;
                    rest = rest.minus(field.offset);
                    ty = field.ty;
                }
                &Type::Array(element, len) => {
                    let stride = ctx.program.size_of(element).filter(|&size| size > 0)?;
                    let (inner, remaining) = rest.divide(stride);
                    if inner.terms.is_empty() && inner.constant as u64 >= len {
                        return None;
                    }
                    let len = ctx.store.bv_u64(width, len);
                    let scaled = ctx.store.bv_mul(index, len);
                    let inner = inner.word(ctx.store, width);
                    index = ctx.store.bv_add(scaled, inner);
                    rest = remaining;
                    ty = element;
                }
                _ => {
                    let scalar = ctx.scalar(ty)?;
                    let inside =
                        rest.terms.is_empty() && (rest.constant as u64) < ctx.scalar_size(scalar);
                    return inside.then_some((key, index, scalar, rest.constant as u64));
                }
            }
        }
    }

    /// Whether a place is inside the region.
    fn contains(&self, ctx: &mut Context<'_>, at: &Indexed) -> TermId {
        let Some(end) = self.end else { return ctx.store.true_term() };
        let width = ctx.objects.width();
        let start = ctx.store.bv_u64(width, self.start);
        let relative = ctx.store.bv_sub(at.offset, start);
        let size = ctx.store.bv_u64(width, end - self.start);
        ctx.store.bv_ult(relative, size)
    }

    /// A stream, or what it is before its first write.
    fn stream(&self, ctx: &mut Context<'_>, default: &Default, key: u64, element: Sort) -> Stream {
        if let Some(stream) = self.streams.get(key) {
            return stream.clone();
        }
        let index = Sort::BitVec(ctx.objects.width());
        let sort = ctx.store.array_sort(index, element);
        let base = match default {
            Default::Zero => {
                let zero = zero_of(ctx.store, element);
                ctx.store.const_array(sort, zero)
            }
            Default::Unknown(name) => {
                ctx.store.var(&format!("{name}![{}+{key}]", self.start), sort)
            }
        };
        Stream { base, recent: PMap::new(), pending: Rc::default() }
    }

    fn read(
        &self,
        ctx: &mut Context<'_>,
        default: &Default,
        key: u64,
        at: TermId,
        element: Sort,
    ) -> TermId {
        let stream = self.stream(ctx, default, key, element);
        if let Some(constant) = ctx.store.bv_value(at).and_then(BitVec::to_u64)
            && let Some(&value) = stream.recent.get(constant)
        {
            return value;
        }
        ctx.store.select(stream.base, at)
    }

    fn merge(
        &mut self,
        ctx: &mut Context<'_>,
        guard: TermId,
        defaults: [&Default; 2],
        other: &Region,
    ) {
        let mut changes = Vec::new();
        self.streams.for_each_difference(&other.streams, &mut |key, a, b| {
            changes.push((key, a.cloned(), b.cloned()))
        });
        for (key, a, b) in changes {
            let Some(Sort::Array(sort)) =
                a.as_ref().or(b.as_ref()).map(|stream| ctx.store.sort(stream.base))
            else {
                continue;
            };
            let (_, element) = ctx.store.array_parts(sort);
            // A side that has not touched the stream has it as it was in the beginning.
            let a = a.unwrap_or_else(|| self.stream(ctx, defaults[0], key, element));
            let b = b.unwrap_or_else(|| other.stream(ctx, defaults[1], key, element));
            let merged = a.merge(ctx, guard, b);
            self.streams.insert(key, merged);
        }
    }
}

fn zero_of(store: &mut TermStore, sort: Sort) -> TermId {
    match sort {
        Sort::BitVec(width) => store.bv_u64(width, 0),
        Sort::Float(format) => {
            let bits = store.bv_u64(format.width(), 0);
            store.fp_from_bits(format, bits)
        }
        _ => store.false_term(),
    }
}

impl Stream {
    fn merge(mut self, ctx: &mut Context<'_>, guard: TermId, mut other: Stream) -> Stream {
        if self.base == other.base {
            // Only recent values differ.
            let mut changes = Vec::new();
            self.recent.for_each_difference(&other.recent, &mut |at, a, b| {
                changes.push((at, a.copied(), b.copied()))
            });
            for (at, a, b) in changes {
                let index = ctx.store.bv_u64(ctx.objects.width(), at);
                let old = ctx.store.select(self.base, index);
                let value = ctx.store.ite(guard, a.unwrap_or(old), b.unwrap_or(old));
                self.recent.insert(at, value);
                Rc::make_mut(&mut self.pending).push(at);
            }
            return self;
        }
        self.flush(ctx);
        other.flush(ctx);
        let base = ctx.store.ite(guard, self.base, other.base);
        Stream { base, recent: PMap::new(), pending: Rc::default() }
    }
}

/// Gives both contents the same regions.
fn align_regions(ctx: &mut Context<'_>, a: &mut Content, b: &mut Content) {
    if Rc::ptr_eq(&a.regions, &b.regions) {
        return;
    }
    add_missing(ctx, b, &a.regions);
    add_missing(ctx, a, &b.regions);
    for content in [a, b] {
        Rc::make_mut(&mut content.regions).sort_by_key(|region| region.start);
    }
}

/// Gives a content the regions of another; it is forgotten where it has others in their place.
fn add_missing(ctx: &mut Context<'_>, content: &mut Content, regions: &[Region]) {
    for region in regions {
        let same = |other: &Region| {
            (other.start, other.end, other.element) == (region.start, region.end, region.element)
        };
        if content.regions.iter().any(same) {
            continue;
        }
        let shape = Region { streams: PMap::new(), ..region.clone() };
        let in_the_way = content.regions.iter().any(|other| other.intersects(region));
        if in_the_way || content.add_region(ctx, shape.clone()).is_none() {
            content.forget(ctx);
            content.add_region(ctx, shape);
        }
    }
}

/// The outermost array around an offset in a type, as a region of its innermost elements that are not arrays.
fn array_around(ctx: &Context<'_>, ty: TypeId, offset: u64) -> Option<Region> {
    let (mut ty, mut start) = (ty, 0);
    loop {
        match ctx.program.types.get(ty) {
            Type::Struct(id) => {
                let structure = &ctx.program.types.structs[*id];
                if structure.union {
                    return None;
                }
                let field =
                    structure.fields.iter().rev().find(|field| start + field.offset <= offset)?;
                start += field.offset;
                ty = field.ty;
            }
            Type::Array(..) => {
                let size = ctx.program.size_of(ty)?;
                let mut element = ty;
                while let &Type::Array(inner, _) = ctx.program.types.get(element) {
                    element = inner;
                }
                let stride = ctx.program.size_of(element).filter(|&size| size > 0)?;
                return Some(Region {
                    start,
                    end: Some(start + size),
                    element,
                    stride,
                    streams: PMap::new(),
                });
            }
            _ => return None,
        }
    }
}

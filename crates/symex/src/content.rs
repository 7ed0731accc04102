//! The content of an object: cells at known offsets, regions where offsets are not known.
//!
//! A cell is a scalar value at a byte offset. An access at the offset and size of a cell is a look-up; one that overlaps
//! cells otherwise takes them apart into bytes. An array that is accessed at an unknown index becomes a
//! [`Region`]. What no cell and no region covers is as it was in the beginning ([`Initial`]).
//!
//! An access at an unknown offset is exact: where an object has few places for it, it chooses among them; else it goes to
//! the region that it falls into, or the object becomes an array of bytes. What remains inexact (huge objects of mixed
//! types accessed at unknown offsets) is named in the trace.

use crate::initial::Initial;
use crate::linear::Linear;
use crate::parts::Part;
use crate::pmap::PMap;
use crate::region::{Element, Region, array_around};
use crate::scalar::{BYTE, Cell, CellValue, Context, Scalar};
use std::rc::Rc;
use vergo_goto::types::TypeId;
use vergo_term::TermId;

/// The content of an object.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    cells: PMap<Cell>,
    /// No cell is larger than this many bytes.
    widest: u64,
    regions: Rc<Vec<Region>>,
    initial: Initial,
    /// The number of bytes, if it is known.
    size: Option<u64>,
}

impl PartialEq for Content {
    fn eq(&self, other: &Content) -> bool {
        self.cells.is_same(&other.cells)
            && Rc::ptr_eq(&self.regions, &other.regions)
            && self.initial == other.initial
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
    /// The type of the pointer's target, or of the array's elements.
    pub(crate) element: Element,
}

/// With at most this many places for an access, each is looked at.
const FEW_PLACES: u64 = 16;
/// Objects of at most this many bytes are copied value by value.
const SMALL: u64 = 256;
/// An object of at most this many bytes can become an array of bytes, whatever it was.
const MAX_BYTES: u64 = 1 << 12;

impl Content {
    /// A content without any value of its own.
    pub(crate) fn new(initial: Initial, size: Option<u64>) -> Content {
        Content { cells: PMap::new(), widest: 1, regions: Rc::new(Vec::new()), initial, size }
    }

    /// Forgets everything: each place holds any value.
    pub(crate) fn forget(&mut self, ctx: &mut Context<'_>, why: &'static str) {
        ctx.objects.approximate(why);
        let fresh = ctx.objects.new_fresh("forgotten");
        *self = Content::new(Initial::Fresh(fresh), self.size);
    }

    /// The scalar at a constant offset.
    pub(crate) fn read(&self, ctx: &mut Context<'_>, offset: u64, scalar: Scalar) -> TermId {
        let size = ctx.scalar_size(scalar);
        if let Some(region) = self.regions.iter().find(|region| region.overlaps(offset, size)) {
            if region.covers(offset, size) {
                return region.read(ctx, &self.initial, offset, scalar);
            }
            let bytes: Vec<TermId> = (0..size).map(|i| self.read(ctx, offset + i, BYTE)).collect();
            return ctx.bytes_scalar(&bytes, scalar);
        }
        if let Some(cell) = self.cells.get(offset)
            && cell.size == size
        {
            return ctx.cell_scalar(cell, scalar);
        }
        if !self.touches(offset, size) {
            return self.initial.read(ctx, offset, scalar);
        }
        let bytes: Vec<CellValue> = (0..size).map(|i| self.byte(ctx, offset + i)).collect();
        if scalar == Scalar::Pointer
            && let Some(pointer) = whole_pointer(&bytes)
        {
            return pointer;
        }
        let bytes: Vec<TermId> =
            bytes.into_iter().map(|value| ctx.cell_word(&Cell { size: 1, value })).collect();
        ctx.bytes_scalar(&bytes, scalar)
    }

    /// Checks whether what no cell and no region covers is known.
    pub(crate) fn rest_is_known(&self) -> bool {
        matches!(self.initial, Initial::Zero | Initial::Image(_))
    }

    /// The cells in order.
    pub(crate) fn cells(&self) -> Vec<(u64, Cell)> {
        self.cells.iter().map(|(at, cell)| (at, cell.clone())).collect()
    }

    /// The same content with exactly these scalars as cells, and no arrays.
    pub(crate) fn spread(&self, ctx: &mut Context<'_>, layout: &[(u64, Scalar)]) -> Content {
        let mut spread = Content::new(self.initial.clone(), self.size);
        for &(offset, scalar) in layout {
            let value = self.read(ctx, offset, scalar);
            let cell = ctx.make_cell(scalar, value);
            spread.set_cell(offset, cell);
        }
        spread
    }

    /// All streams of all regions with their array terms.
    pub(crate) fn streams(&mut self, ctx: &mut Context<'_>) -> Vec<(Part, TermId)> {
        let initial = self.initial.clone();
        let mut streams = Vec::new();
        for region in Rc::make_mut(&mut self.regions) {
            streams.extend(region.arrays(ctx, &initial));
        }
        streams
    }

    /// The array term of a stream; `None` if the content cannot have it.
    pub(crate) fn stream(&mut self, ctx: &mut Context<'_>, part: &Part) -> Option<TermId> {
        let index = self.region_of(ctx, part)?;
        let initial = self.initial.clone();
        Rc::make_mut(&mut self.regions)[index].array(ctx, &initial, part)
    }

    /// Gives a stream another array term; `None` if the content cannot have it.
    pub(crate) fn set_stream(
        &mut self,
        ctx: &mut Context<'_>,
        part: &Part,
        term: TermId,
    ) -> Option<()> {
        let index = self.region_of(ctx, part)?;
        Rc::make_mut(&mut self.regions)[index].set_array(part, term);
        Some(())
    }

    /// The region of a stream, made if it is not there.
    fn region_of(&mut self, ctx: &mut Context<'_>, part: &Part) -> Option<usize> {
        let Part::Stream { start, end, element, stride, .. } = *part else { return None };
        let shape = Region::new(start, end, element, stride);
        if !self.regions.iter().any(|region| region.has_shape_of(&shape)) {
            if self.regions.iter().any(|region| region.intersects(&shape)) {
                return None;
            }
            self.add_region(ctx, shape.clone());
        }
        self.regions.iter().position(|region| region.has_shape_of(&shape))
    }

    /// Checks whether the other content surely has the same values.
    pub(crate) fn is_same(&self, other: &Content) -> bool {
        Rc::ptr_eq(&self.regions, &other.regions)
            && self.initial == other.initial
            && self.cells.differences(&other.cells, &mut |_, _, _| false)
    }

    /// Checks whether a place still holds what it held in the beginning, and that is anything.
    pub(crate) fn is_unread(&self, offset: u64, size: u64) -> bool {
        !matches!(self.initial, Initial::Zero | Initial::Image(_))
            && !self.touches(offset, size)
            && !self.regions.iter().any(|region| region.overlaps(offset, size))
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
        let size = ctx.scalar_size(scalar);
        if let Some(index) = self.regions.iter().position(|region| region.overlaps(offset, size)) {
            if self.regions[index].covers(offset, size) {
                let region = &mut Rc::make_mut(&mut self.regions)[index];
                return region.write(ctx, &self.initial, offset, scalar, value);
            }
            let truth = ctx.store.true_term();
            for (i, byte) in ctx.scalar_bytes(scalar, value).into_iter().enumerate() {
                self.write(ctx, offset + i as u64, BYTE, byte, truth);
            }
            return;
        }
        let cell = ctx.make_cell(scalar, value);
        self.clear(ctx, offset, cell.size);
        self.set_cell(offset, cell);
    }

    /// The offsets where an access can be, if they are few: those that its offset chooses among, or all of a small
    /// object.
    fn few_places(
        &self,
        ctx: &mut Context<'_>,
        at: &Indexed,
        place: &Linear,
        size: u64,
    ) -> Option<Vec<u64>> {
        let end = self.size.map(|end| (end + 1).saturating_sub(size));
        if let Some(places) = ctx.objects.values.of(ctx.store, at.offset) {
            let inside = places.iter().filter(|&&at| end.is_none_or(|end| at < end));
            return Some(inside.copied().collect());
        }
        if !self.regions.is_empty() {
            return None;
        }
        let step = place.step();
        let first = place.constant.rem_euclid(step as i64) as u64;
        let few = end?.saturating_sub(first).div_ceil(step) <= FEW_PLACES;
        few.then(|| (first..end.unwrap_or(0)).step_by(step as usize).collect())
    }

    /// The scalar at a place that is not constant, inside of the object.
    pub(crate) fn read_at(
        &mut self,
        ctx: &mut Context<'_>,
        at: &Indexed,
        scalar: Scalar,
    ) -> TermId {
        let place = Linear::of(ctx.store, at.offset);
        let size = ctx.scalar_size(scalar);
        if let Some(places) = self.few_places(ctx, at, &place, size) {
            let mut value = None;
            for offset in places {
                let here = self.read(ctx, offset, scalar);
                value = Some(match value {
                    Some(other) => {
                        let wanted = ctx.store.bv_u64(ctx.objects.width(), offset);
                        let is_it = ctx.store.eq(at.offset, wanted);
                        ctx.store.ite(is_it, here, other)
                    }
                    None => here,
                });
            }
            return value.unwrap_or_else(|| ctx.fresh("nowhere", scalar));
        }
        let Some(index) = self.region_for(ctx, at, &place) else {
            ctx.objects.approximate("a read at an unknown offset of a large object of mixed types");
            return ctx.fresh("mixed", scalar);
        };
        let region = &mut Rc::make_mut(&mut self.regions)[index];
        let Some(value) = region.read_at(ctx, &self.initial, &place, at.offset, scalar) else {
            ctx.objects.approximate("a read at an unknown offset in large array elements");
            return ctx.fresh("mixed", scalar);
        };
        if self.is_whole(index) {
            return value;
        }
        let inside = self.regions[index].contains(ctx, at.offset, size);
        if inside == ctx.store.true_term() {
            return value;
        }
        let outside = ctx.fresh("outside", scalar);
        ctx.store.ite(inside, value, outside)
    }

    /// Writes a scalar at a place that is not constant, inside of the object, where `guard` holds.
    pub(crate) fn write_at(
        &mut self,
        ctx: &mut Context<'_>,
        at: &Indexed,
        scalar: Scalar,
        value: TermId,
        guard: TermId,
    ) {
        let place = Linear::of(ctx.store, at.offset);
        let size = ctx.scalar_size(scalar);
        if let Some(places) = self.few_places(ctx, at, &place, size) {
            for offset in places {
                let wanted = ctx.store.bv_u64(ctx.objects.width(), offset);
                let is_it = ctx.store.eq(at.offset, wanted);
                let guard = ctx.store.and(guard, is_it);
                self.write(ctx, offset, scalar, value, guard);
            }
            return;
        }
        let Some(index) = self.region_for(ctx, at, &place) else {
            return self
                .forget(ctx, "a write at an unknown offset of a large object of mixed types");
        };
        let mut inside = guard;
        if !self.is_whole(index) {
            let contained = self.regions[index].contains(ctx, at.offset, size);
            inside = ctx.store.and(guard, contained);
            let missed = ctx.store.not(contained);
            let missed = ctx.store.and(guard, missed);
            ctx.objects.leave_out(
                missed,
                "a write beyond the array that it indexes, into the same object",
            );
        }
        let region = &mut Rc::make_mut(&mut self.regions)[index];
        let written = region.write_at(ctx, &self.initial, &place, at.offset, scalar, value, inside);
        if written.is_none() {
            self.forget(ctx, "a write at an unknown offset in large array elements");
        }
    }

    /// Checks whether a region is all of the object.
    fn is_whole(&self, index: usize) -> bool {
        let region = &self.regions[index];
        region.start == 0 && (region.end.is_none() || region.end == self.size)
    }

    /// The region that an access at an unknown offset falls into, made if there is none. `None` if there cannot be one.
    fn region_for(&mut self, ctx: &mut Context<'_>, at: &Indexed, place: &Linear) -> Option<usize> {
        // The constant part of an offset may lie behind the object, where the rest is negative.
        let last = self.size.map_or(u64::MAX, |size| size.saturating_sub(1));
        let anchor = at.array.unwrap_or((place.constant.max(0) as u64).min(last));
        if let Some(index) = self.region_at(anchor) {
            return Some(index);
        }
        let region = match at.object_ty {
            Some(ty) => array_around(ctx, ty, anchor),
            None => at.element.size(ctx).map(|stride| Region::new(0, None, at.element, stride)),
        };
        if let Some(region) = region
            && !self.regions.iter().any(|other| region.intersects(other))
        {
            return Some(self.add_region(ctx, region));
        }
        // Behind a header of an object of unknown size, constant parts of offsets may lie in the header.
        let behind = || self.regions.iter().position(|region| region.end.is_none());
        if self.size.is_none() { behind() } else { self.make_bytes(ctx) }
    }

    /// Checks whether pointers may have been written, which bytes would not remember.
    pub(crate) fn may_hold_pointers(&self, ctx: &Context<'_>) -> bool {
        let is_plain = |region: &Region| match region.element {
            Element::Byte => true,
            Element::Type(ty) => matches!(ctx.scalar(ty), Some(Scalar::Int(_) | Scalar::Float(_))),
        };
        let is_word = |cell: &Cell| matches!(cell.value, CellValue::Word(_) | CellValue::Float(..));
        !self.regions.iter().all(is_plain) || !self.cells.iter().all(|(_, cell)| is_word(cell))
    }

    /// Where the array of bytes begins that goes from somewhere before an offset to the end of the object, made if there is
    /// nothing behind the offset yet. `None` if there cannot be one.
    pub(crate) fn bytes_from(&mut self, ctx: &mut Context<'_>, offset: u64) -> Option<u64> {
        if let Some(region) = self.regions.iter().find(|region| region.overlaps(offset, u64::MAX)) {
            let is_bytes = match region.element {
                Element::Byte => true,
                Element::Type(ty) => ctx.scalar(ty) == Some(BYTE),
            };
            let is_last = region.end.is_none() || region.end == self.size;
            return (is_bytes && is_last && region.start <= offset).then_some(region.start);
        }
        if self.touches(offset, u64::MAX) || self.size.is_some_and(|size| size <= offset) {
            return None;
        }
        self.add_region(ctx, Region::new(offset, self.size, Element::Byte, 1));
        Some(offset)
    }

    /// Gives an array of bytes that begins at an offset another value.
    pub(crate) fn set_bytes(&mut self, start: u64, base: TermId) {
        let regions = Rc::make_mut(&mut self.regions);
        if let Some(region) = regions.iter_mut().find(|region| region.start == start) {
            region.set_bytes(base);
        }
    }

    /// Makes the object an array of bytes; `None` if it is too large.
    fn make_bytes(&mut self, ctx: &mut Context<'_>) -> Option<usize> {
        let size = self.size?;
        let region = Region::new(0, Some(size), Element::Byte, 1);
        if self.regions.is_empty() {
            return Some(self.add_region(ctx, region));
        }
        if size > MAX_BYTES {
            return None;
        }
        let mut bytes = Content::new(Initial::Zero, self.size);
        Rc::make_mut(&mut bytes.regions).push(region);
        let truth = ctx.store.true_term();
        for i in 0..size {
            let byte = self.read(ctx, i, BYTE);
            bytes.write(ctx, i, BYTE, byte, truth);
        }
        *self = bytes;
        Some(0)
    }

    /// Adds a region where none is and moves what cells inside it hold there.
    fn add_region(&mut self, ctx: &mut Context<'_>, mut region: Region) -> usize {
        // Cells that reach into the region from outside are taken apart first.
        let end = region.end.unwrap_or(u64::MAX);
        for edge in [region.start, end] {
            let crossing: Vec<(u64, u64)> = self
                .cells
                .range(edge.saturating_sub(self.widest - 1), edge)
                .filter(|(at, cell)| at + cell.size > edge)
                .map(|(at, cell)| (at, cell.size))
                .collect();
            for (at, size) in crossing {
                self.split(ctx, at, size);
            }
        }
        let inside: Vec<(u64, Cell)> =
            self.cells.range(region.start, end).map(|(at, cell)| (at, cell.clone())).collect();
        for (at, cell) in inside {
            self.cells.remove(at);
            let scalar = cell.scalar();
            let value = ctx.cell_scalar(&cell, scalar);
            region.write(ctx, &self.initial, at, scalar, value);
        }
        Rc::make_mut(&mut self.regions).push(region);
        self.regions.len() - 1
    }

    /// Gives the object, an array of equal scalars, one value in all places.
    pub(crate) fn fill(&mut self, ctx: &mut Context<'_>, element: TypeId, value: TermId) {
        let (Some(scalar), Some(stride)) = (ctx.scalar(element), ctx.program.size_of(element))
        else {
            return self.forget(ctx, "a large array of equal structures");
        };
        *self = Content::new(Initial::Zero, self.size);
        let mut region = Region::new(0, self.size, Element::Type(element), stride);
        region.fill(ctx, scalar, value);
        Rc::make_mut(&mut self.regions).push(region);
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
        let whole = |content: &Content, offset| offset == 0 && content.size == Some(size);
        if whole(self, to) && whole(from, start) && (size > SMALL || self.initial == from.initial) {
            *self = from.clone();
            return;
        }
        let end = start.saturating_add(size);
        // Regions that are copied as a whole stay regions; what they replace goes away.
        let inside = |region: &Region, offset: u64| {
            region.start >= offset && region.end.is_some_and(|end| end <= offset + size)
        };
        if !self.regions.is_empty() {
            Rc::make_mut(&mut self.regions).retain(|region| !inside(region, to));
        }
        self.clear(ctx, to, size);
        let moved: Vec<Region> = from
            .regions
            .iter()
            .filter(|region| inside(region, start))
            .map(|region| region.moved(region.start - start + to))
            .collect();
        let fits = moved.iter().all(|region| !self.regions.iter().any(|r| r.intersects(region)))
            && (moved.is_empty() || from.initial == self.initial && to == start);
        let mut next = start;
        if fits {
            for region in moved {
                let (low, high) =
                    (region.start - to + start, region.end.unwrap_or(to) - to + start);
                self.copy_cells(ctx, to, from, start, next, low);
                Rc::make_mut(&mut self.regions).push(region);
                next = high;
            }
        }
        self.copy_cells(ctx, to, from, start, next, end);
    }

    /// Copies from `low` to `high` of another content scalar by scalar; `start` there is `to` here.
    fn copy_cells(
        &mut self,
        ctx: &mut Context<'_>,
        to: u64,
        from: &Content,
        start: u64,
        low: u64,
        high: u64,
    ) {
        let plain = !from.regions.iter().any(|region| region.overlaps(low, high - low))
            && !self.regions.iter().any(|region| region.overlaps(low - start + to, high - low));
        let truth = ctx.store.true_term();
        if !plain {
            let mut at = low;
            while at < high {
                let (scalar, size) = from.unit(ctx, at, high);
                let value = from.read(ctx, at, scalar);
                self.write(ctx, at - start + to, scalar, value, truth);
                at += size;
            }
            return;
        }
        let first = low.saturating_sub(from.widest - 1);
        let cells: Vec<(u64, Cell)> = from
            .cells
            .range(first, high)
            .filter(|(at, cell)| at + cell.size > low)
            .map(|(at, cell)| (at, cell.clone()))
            .collect();
        let mut next = low;
        for (at, cell) in cells {
            let (begin, end) = (at.max(low), (at + cell.size).min(high));
            self.fill_gap(ctx, to, from, start, next, begin);
            if (begin, end) == (at, at + cell.size) {
                self.set_cell(at - start + to, cell);
            } else {
                for i in begin..end {
                    let value = from.byte(ctx, i);
                    self.set_cell(i - start + to, Cell { size: 1, value });
                }
            }
            next = end;
        }
        self.fill_gap(ctx, to, from, start, next, high);
    }

    /// The largest scalar at an offset that can be copied in one piece.
    fn unit(&self, ctx: &Context<'_>, at: u64, high: u64) -> (Scalar, u64) {
        if let Some(cell) = self.cells.get(at)
            && at + cell.size <= high
        {
            return (cell.scalar(), cell.size);
        }
        let pointer = ctx.scalar_size(Scalar::Pointer);
        if let Some(region) = self.region_at(at)
            && let Some(scalar) = self.regions[region].scalar_at(ctx, at)
            && at + ctx.scalar_size(scalar) <= high
        {
            return (scalar, ctx.scalar_size(scalar));
        }
        debug_assert!(pointer > 0);
        (BYTE, 1)
    }

    /// Puts the other content's initial values from `low` to `high` where this one's differ.
    fn fill_gap(
        &mut self,
        ctx: &mut Context<'_>,
        to: u64,
        from: &Content,
        start: u64,
        low: u64,
        high: u64,
    ) {
        let same = from.initial == self.initial;
        if same && (to == start || from.initial == Initial::Zero) {
            return;
        }
        let mut at = low;
        while at < high {
            let size = [8, 4, 2, 1]
                .into_iter()
                .find(|size| at.is_multiple_of(*size) && at + size <= high)
                .unwrap_or(1);
            let scalar = Scalar::Int((size * 8) as u32);
            let value = from.initial.read(ctx, at, scalar);
            let cell = ctx.make_cell(scalar, value);
            self.set_cell(at - start + to, cell);
            at += size;
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
            // A zero word on one side is a null pointer or a zero float on the other.
            let scalar = match (shape.scalar(), &y) {
                (Scalar::Int(_), Some(y)) if y.size == shape.size => y.scalar(),
                (scalar, _) => scalar,
            };
            let then = left.read(ctx, at, scalar);
            let other = right.read(ctx, at, scalar);
            let value = ctx.store.ite(guard, then, other);
            let cell = ctx.make_cell(scalar, value);
            a.set_cell(at, cell);
        }
        a.initial = Initial::choice(guard, &left.initial, &right.initial);
        if !Rc::ptr_eq(&a.regions, &right.regions) {
            let regions = Rc::make_mut(&mut a.regions);
            for (region, other) in regions.iter_mut().zip(right.regions.iter()) {
                region.merge(ctx, guard, [&left.initial, &right.initial], other);
            }
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
    pub(crate) fn pointers(&self, ctx: &mut Context<'_>) -> (Vec<TermId>, bool) {
        const MAX_ELEMENTS: u64 = 256;
        let mut pointers = Vec::new();
        let mut complete = true;
        let size = ctx.scalar_size(Scalar::Pointer);
        let mut bytes_until = 0;
        for (at, cell) in self.cells.iter() {
            match cell.value {
                CellValue::Pointer(pointer) => pointers.push(pointer),
                CellValue::PointerByte(..) if at >= bytes_until => {
                    let bytes: Vec<CellValue> = (0..size).map(|i| self.byte(ctx, at + i)).collect();
                    match whole_pointer(&bytes) {
                        Some(pointer) => {
                            pointers.push(pointer);
                            bytes_until = at + size;
                        }
                        None => complete = false,
                    }
                }
                // An address that was computed; only one that depends on an object's can lead there.
                CellValue::Word(word) => complete &= !ctx.objects.mentions_base(ctx.store, word),
                CellValue::PointerByte(..) | CellValue::Float(..) => {}
            }
        }
        for region in self.regions.iter() {
            let holds =
                region.element == Element::Byte || region.pointer_offsets(ctx) != Some(vec![]);
            let count = region.n_elements().or(self.size.map(|size| size / region.stride));
            match (holds, count, region.pointer_offsets(ctx)) {
                (false, ..) => {}
                (true, Some(count), Some(offsets))
                    if count * offsets.len() as u64 <= MAX_ELEMENTS =>
                {
                    for i in 0..count {
                        for offset in &offsets {
                            let at = region.start + i * region.stride + offset;
                            pointers.push(region.read(ctx, &self.initial, at, Scalar::Pointer));
                        }
                    }
                }
                _ => complete = false,
            }
        }
        (pointers, complete)
    }

    fn region_at(&self, offset: u64) -> Option<usize> {
        self.regions.iter().position(|region| region.overlaps(offset, 1))
    }

    fn set_cell(&mut self, at: u64, cell: Cell) {
        self.widest = self.widest.max(cell.size);
        self.cells.insert(at, cell);
    }

    /// Checks whether any cell overlaps the bytes.
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
            None => CellValue::Word(self.initial.read(ctx, offset, BYTE)),
        }
    }

    /// Takes the cells of a range apart into bytes.
    fn split(&mut self, ctx: &mut Context<'_>, offset: u64, size: u64) {
        let overlapping: Vec<(u64, u64)> = self
            .cells
            .range(offset.saturating_sub(self.widest - 1), offset + size)
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
}

/// The pointer that bytes are, if they are all bytes of one.
fn whole_pointer(bytes: &[CellValue]) -> Option<TermId> {
    let CellValue::PointerByte(pointer, 0) = *bytes.first()? else { return None };
    let mut all = bytes.iter().enumerate();
    all.all(|(i, byte)| *byte == CellValue::PointerByte(pointer, i as u64)).then_some(pointer)
}

/// Gives both contents the same regions.
fn align_regions(ctx: &mut Context<'_>, a: &mut Content, b: &mut Content) {
    if Rc::ptr_eq(&a.regions, &b.regions) {
        return;
    }
    let differ =
        a.regions.iter().any(|x| b.regions.iter().any(|y| x.intersects(y) && !x.has_shape_of(y)));
    if differ {
        for content in [&mut *a, &mut *b] {
            if content.make_bytes(ctx).is_none() {
                content
                    .forget(ctx, "a large object that is an array in different ways on two paths");
            }
        }
    }
    add_missing(ctx, b, &a.regions);
    add_missing(ctx, a, &b.regions);
    for content in [a, b] {
        if !content.regions.is_sorted_by_key(|region| region.start) {
            Rc::make_mut(&mut content.regions).sort_by_key(|region| region.start);
        }
    }
}

/// Gives a content the regions of another that it has not; none of its own are in their way.
fn add_missing(ctx: &mut Context<'_>, content: &mut Content, regions: &Rc<Vec<Region>>) {
    for region in regions.iter() {
        if !content.regions.iter().any(|other| other.has_shape_of(region)) {
            content.add_region(ctx, region.shape());
        }
    }
}

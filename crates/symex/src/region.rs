//! Regions: arrays that are accessed at unknown indices, as terms of array sort.
//!
//! A region is an array of elements of one type. Each scalar of the element type has a *stream*: one array term for that
//! scalar of all elements (the `x` of all points, the `y` of all points), with recent writes at constant indices kept
//! beside it. Each byte of an element belongs to exactly one stream, also padding, bit-fields and unions, whose bytes
//! have streams of their own.
//!
//! Every access is exact. One at the place of a stream's scalar is a read or write of its array; one inside of such a
//! scalar takes its bits; one across several goes byte by byte; and if it is not even known where in the element it is,
//! it chooses among the places where it can be.

use crate::initial::{Initial, Run};
use crate::linear::Linear;
use crate::parts::Part;
use crate::pmap::PMap;
use crate::scalar::{BYTE, Context, Scalar};
use crate::spacing::Spacing;
use std::rc::Rc;
use vergo_goto::types::{Type, TypeId};
use vergo_num::BitVec;
use vergo_term::{Sort, TermId};

/// The elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    /// Values of a type.
    Type(TypeId),
    /// Bytes, whatever its type says.
    Byte,
}

impl Element {
    /// Returns the number of its bytes; `None` if it has none.
    pub(crate) fn size(self, ctx: &Context<'_>) -> Option<u64> {
        match self {
            Element::Type(ty) => ctx.program.size_of(ty).filter(|&size| size > 0),
            Element::Byte => Some(1),
        }
    }
}

/// An array region.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) start: u64,
    /// `None`: to the end of an object of unknown size.
    pub(crate) end: Option<u64>,
    pub(crate) element: Element,
    pub(crate) stride: u64,
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

/// Where in a region a place is.
struct Found {
    /// The stream.
    key: u64,
    /// The index there.
    index: TermId,
    /// The scalar that the stream holds.
    scalar: Scalar,
    /// The distance of the place from the beginning of the scalar.
    within: u64,
    /// Where the scalars of the stream are.
    spacing: Spacing,
}

/// Elements larger than this are not searched place by place.
const MAX_PLACES: u64 = 512;

impl Region {
    pub(crate) fn new(start: u64, end: Option<u64>, element: Element, stride: u64) -> Region {
        Region { start, end, element, stride, streams: PMap::new() }
    }

    /// The same array without values.
    pub(crate) fn shape(&self) -> Region {
        Region { streams: PMap::new(), ..*self }
    }

    /// The same values at another place.
    pub(crate) fn moved(&self, start: u64) -> Region {
        let end = self.end.map(|end| end - self.start + start);
        Region { start, end, ..self.clone() }
    }

    pub(crate) fn has_shape_of(&self, other: &Region) -> bool {
        (self.start, self.end, self.element) == (other.start, other.end, other.element)
    }

    pub(crate) fn overlaps(&self, offset: u64, size: u64) -> bool {
        offset.saturating_add(size) > self.start && self.end.is_none_or(|end| offset < end)
    }

    pub(crate) fn covers(&self, offset: u64, size: u64) -> bool {
        offset >= self.start && self.end.is_none_or(|end| offset.saturating_add(size) <= end)
    }

    pub(crate) fn intersects(&self, other: &Region) -> bool {
        other.end.is_none_or(|end| self.start < end) && self.end.is_none_or(|end| other.start < end)
    }

    /// Returns the number of elements, if it is known.
    pub(crate) fn n_elements(&self) -> Option<u64> {
        self.end.map(|end| (end - self.start) / self.stride)
    }

    /// Checks whether all bytes of an access are inside the region.
    pub(crate) fn contains(&self, ctx: &mut Context<'_>, offset: TermId, size: u64) -> TermId {
        let width = ctx.objects.width();
        let start = ctx.store.bv_u64(width, self.start);
        let Some(end) = self.end else { return ctx.store.bv_ule(start, offset) };
        let relative = ctx.store.bv_sub(offset, start);
        match (end - self.start).checked_sub(size) {
            Some(last) => {
                let last = ctx.store.bv_u64(width, last);
                ctx.store.bv_ule(relative, last)
            }
            None => ctx.store.false_term(),
        }
    }

    /// The scalar of the element type that a place falls into. `None` if that depends on more than constants.
    fn locate(&self, ctx: &mut Context<'_>, place: &Linear) -> Option<Found> {
        let width = ctx.objects.width();
        let (index, mut rest) = place.minus(self.start).divide(self.stride);
        let mut index = index.word(ctx.store, width);
        let Element::Type(mut ty) = self.element else {
            return Some(Found {
                key: 0,
                index,
                scalar: BYTE,
                within: 0,
                spacing: Spacing::even(1),
            });
        };
        let mut key = 0;
        let mut spacing = Spacing::even(self.stride);
        loop {
            match ctx.program.types.get(ty) {
                Type::Struct(id) => {
                    let structure = &ctx.program.types.structs[*id];
                    let known = rest.terms.is_empty();
                    let at = rest.constant as u64;
                    let field = structure.fields.iter().rev().find_map(|field| {
                        let size = ctx.program.size_of(field.ty).filter(|&size| size > 0)?;
                        (field.offset <= at).then_some((field, size))
                    });
                    match field {
                        Some((field, size))
                            if !structure.union
                                && field.first_bit.is_none()
                                && at < field.offset + size =>
                        {
                            key += field.offset;
                            rest = rest.minus(field.offset);
                            ty = field.ty;
                        }
                        _ if !known => return None,
                        _ => {
                            let size = ctx.program.size_of(ty);
                            let storage = structure.union.then(|| union_storage(ctx, ty)).flatten();
                            let (scalar, within) = match storage {
                                Some(scalar) if at < ctx.scalar_size(scalar) => (scalar, at),
                                _ => {
                                    key += at;
                                    (BYTE, 0)
                                }
                            };
                            debug_assert!(size.is_none_or(|size| at < size));
                            return Some(Found { key, index, scalar, within, spacing });
                        }
                    }
                }
                &Type::Array(element, len) => {
                    let stride = ctx.program.size_of(element).filter(|&size| size > 0)?;
                    spacing.nest(stride, len);
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
                    if !rest.terms.is_empty() {
                        return None;
                    }
                    let scalar = ctx.scalar(ty)?;
                    let within = rest.constant as u64;
                    return (within < ctx.scalar_size(scalar)).then_some(Found {
                        key,
                        index,
                        scalar,
                        within,
                        spacing,
                    });
                }
            }
        }
    }

    /// The places where an access can be, each with the condition that it is there: one, or one for each offset in the
    /// element. `None` if they are too many.
    fn places(
        &self,
        ctx: &mut Context<'_>,
        place: &Linear,
        offset: TermId,
    ) -> Option<Vec<(TermId, Linear)>> {
        if self.locate(ctx, place).is_some() {
            return Some(vec![(ctx.store.true_term(), place.clone())]);
        }
        if self.stride > MAX_PLACES {
            return None;
        }
        let width = ctx.objects.width();
        let start = ctx.store.bv_u64(width, self.start);
        let relative = ctx.store.bv_sub(offset, start);
        let stride = ctx.store.bv_u64(width, self.stride);
        let index = ctx.store.bv_udiv(relative, stride);
        let rest = ctx.store.bv_urem(relative, stride);
        let step = place.step().min(1 << self.stride.trailing_zeros());
        let first = place.minus(self.start).constant.rem_euclid(step as i64) as u64;
        let mut places = Vec::new();
        for at in (first..self.stride).step_by(step as usize) {
            let wanted = ctx.store.bv_u64(width, at);
            let guard = ctx.store.eq(rest, wanted);
            if guard != ctx.store.false_term() {
                let constant = (self.start + at) as i64;
                let terms = vec![(index, self.stride as i64)];
                places.push((guard, Linear { constant, terms }));
            }
        }
        Some(places)
    }

    /// The scalar at a constant place inside the region.
    pub(crate) fn read(
        &self,
        ctx: &mut Context<'_>,
        initial: &Initial,
        offset: u64,
        scalar: Scalar,
    ) -> TermId {
        let mut region = self.clone();
        region.read_place(ctx, initial, &Linear::constant(offset), scalar)
    }

    /// The scalar at a place inside the region; `None` if the element is too large to search.
    pub(crate) fn read_at(
        &mut self,
        ctx: &mut Context<'_>,
        initial: &Initial,
        place: &Linear,
        offset: TermId,
        scalar: Scalar,
    ) -> Option<TermId> {
        let mut value = None;
        for (guard, place) in self.places(ctx, place, offset)? {
            let here = self.read_place(ctx, initial, &place, scalar);
            value = Some(match value {
                Some(other) => ctx.store.ite(guard, here, other),
                None => here,
            });
        }
        value
    }

    fn read_place(
        &mut self,
        ctx: &mut Context<'_>,
        initial: &Initial,
        place: &Linear,
        scalar: Scalar,
    ) -> TermId {
        let size = ctx.scalar_size(scalar);
        let Some(found) = self.locate(ctx, place) else {
            // No constant place of an element type is beyond it; kept total for array types without end.
            return ctx.fresh("beyond", scalar);
        };
        if found.scalar == scalar && found.within == 0 {
            return self.read_stream(ctx, initial, &found);
        }
        let held = ctx.scalar_size(found.scalar);
        if found.within + size <= held {
            let value = self.read_stream(ctx, initial, &found);
            let cell = ctx.make_cell(found.scalar, value);
            if size == held {
                return ctx.cell_scalar(&cell, scalar);
            }
            let word = ctx.cell_word(&cell);
            let low = (found.within * 8) as u32;
            let word = ctx.store.bv_extract(low + (size * 8) as u32 - 1, low, word);
            return ctx.word_scalar(word, scalar);
        }
        let bytes: Vec<TermId> =
            (0..size).map(|i| self.read_place(ctx, initial, &place.plus(i), BYTE)).collect();
        ctx.bytes_scalar(&bytes, scalar)
    }

    /// Writes a scalar at a constant place inside the region.
    pub(crate) fn write(
        &mut self,
        ctx: &mut Context<'_>,
        initial: &Initial,
        offset: u64,
        scalar: Scalar,
        value: TermId,
    ) {
        let truth = ctx.store.true_term();
        self.write_place(ctx, initial, &Linear::constant(offset), scalar, value, truth);
    }

    /// Writes a scalar at a place inside the region where `guard` holds; `None` if the element is too large to search.
    #[allow(clippy::too_many_arguments, reason = "a guarded write has that many parts")]
    pub(crate) fn write_at(
        &mut self,
        ctx: &mut Context<'_>,
        initial: &Initial,
        place: &Linear,
        offset: TermId,
        scalar: Scalar,
        value: TermId,
        guard: TermId,
    ) -> Option<()> {
        for (here, place) in self.places(ctx, place, offset)? {
            let guard = ctx.store.and(guard, here);
            self.write_place(ctx, initial, &place, scalar, value, guard);
        }
        Some(())
    }

    fn write_place(
        &mut self,
        ctx: &mut Context<'_>,
        initial: &Initial,
        place: &Linear,
        scalar: Scalar,
        value: TermId,
        guard: TermId,
    ) {
        let size = ctx.scalar_size(scalar);
        let Some(found) = self.locate(ctx, place) else { return };
        if found.scalar == scalar && found.within == 0 {
            return self.write_stream(ctx, initial, &found, value, guard);
        }
        let held = ctx.scalar_size(found.scalar);
        if found.within + size <= held {
            let cell = ctx.make_cell(scalar, value);
            if size == held {
                let value = ctx.cell_scalar(&cell, found.scalar);
                return self.write_stream(ctx, initial, &found, value, guard);
            }
            let old = self.read_stream(ctx, initial, &found);
            let old = ctx.make_cell(found.scalar, old);
            let old = ctx.cell_word(&old);
            let mut word = ctx.cell_word(&cell);
            let (low, width) = ((found.within * 8) as u32, ctx.store.width(old));
            if low > 0 {
                let below = ctx.store.bv_extract(low - 1, 0, old);
                word = ctx.store.bv_concat(word, below);
            }
            let done = ctx.store.width(word);
            if done < width {
                let above = ctx.store.bv_extract(width - 1, done, old);
                word = ctx.store.bv_concat(above, word);
            }
            let value = ctx.word_scalar(word, found.scalar);
            return self.write_stream(ctx, initial, &found, value, guard);
        }
        for (i, byte) in ctx.scalar_bytes(scalar, value).into_iter().enumerate() {
            self.write_place(ctx, initial, &place.plus(i as u64), BYTE, byte, guard);
        }
    }

    /// Where the scalars of a stream are.
    fn run(&self, found: &Found) -> Run {
        let spacing = found.spacing.clone();
        Run { first: self.start + found.key, spacing, scalar: found.scalar }
    }

    /// A stream, or what it is before its first write.
    fn stream(&self, ctx: &mut Context<'_>, initial: &Initial, found: &Found) -> Stream {
        if let Some(stream) = self.streams.get(found.key) {
            return stream.clone();
        }
        let base = initial.array(ctx, &self.run(found));
        Stream { base, recent: PMap::new(), pending: Rc::default() }
    }

    fn read_stream(&mut self, ctx: &mut Context<'_>, initial: &Initial, found: &Found) -> TermId {
        if self.streams.get(found.key).is_none()
            && let Some(value) = initial.read_at(ctx, &self.run(found), found.index)
        {
            return value;
        }
        let mut stream = self.stream(ctx, initial, found);
        match ctx.store.bv_value(found.index).and_then(BitVec::to_u64) {
            Some(constant) => {
                if let Some(&value) = stream.recent.get(constant) {
                    return value;
                }
            }
            None => {
                if !stream.pending.is_empty() {
                    stream.flush(ctx);
                    self.streams.insert(found.key, stream.clone());
                }
            }
        }
        ctx.select(stream.base, found.index)
    }

    fn write_stream(
        &mut self,
        ctx: &mut Context<'_>,
        initial: &Initial,
        found: &Found,
        value: TermId,
        guard: TermId,
    ) {
        let value = if guard == ctx.store.true_term() {
            value
        } else {
            let old = self.read_stream(ctx, initial, found);
            ctx.store.ite(guard, value, old)
        };
        let mut stream = self.stream(ctx, initial, found);
        match ctx.store.bv_value(found.index).and_then(BitVec::to_u64) {
            Some(at) => {
                stream.recent.insert(at, value);
                Rc::make_mut(&mut stream.pending).push(at);
            }
            None => {
                stream.flush(ctx);
                let base = ctx.store.store(stream.base, found.index, value);
                stream = Stream { base, recent: PMap::new(), pending: Rc::default() };
            }
        }
        self.streams.insert(found.key, stream);
    }

    /// Gives all elements of a region of bytes, as an array term, another value.
    pub(crate) fn set_bytes(&mut self, base: TermId) {
        self.streams = PMap::new();
        self.streams.insert(0, Stream { base, recent: PMap::new(), pending: Rc::default() });
    }

    /// All streams that were touched, with their array terms.
    pub(crate) fn arrays(
        &mut self,
        ctx: &mut Context<'_>,
        initial: &Initial,
    ) -> Vec<(Part, TermId)> {
        let keys: Vec<u64> = self.streams.iter().map(|(key, _)| key).collect();
        let (start, end, element, stride) = (self.start, self.end, self.element, self.stride);
        let part = |key| Part::Stream { start, end, element, stride, key };
        keys.into_iter()
            .filter_map(|key| Some((part(key), self.array(ctx, initial, &part(key))?)))
            .collect()
    }

    /// The array term of a stream.
    pub(crate) fn array(
        &mut self,
        ctx: &mut Context<'_>,
        initial: &Initial,
        part: &Part,
    ) -> Option<TermId> {
        let Part::Stream { key, .. } = *part else { return None };
        let found = self.locate(ctx, &Linear::constant(self.start + key))?;
        let mut stream = self.stream(ctx, initial, &found);
        stream.flush(ctx);
        self.streams.insert(key, stream.clone());
        Some(stream.base)
    }

    /// Gives a stream another array term.
    pub(crate) fn set_array(&mut self, part: &Part, base: TermId) {
        if let Part::Stream { key, .. } = *part {
            let stream = Stream { base, recent: PMap::new(), pending: Rc::default() };
            self.streams.insert(key, stream);
        }
    }

    /// The scalar whose place a constant offset is.
    pub(crate) fn scalar_at(&self, ctx: &Context<'_>, offset: u64) -> Option<Scalar> {
        let Element::Type(mut ty) = self.element else { return Some(BYTE) };
        let mut rest = offset.checked_sub(self.start)? % self.stride;
        loop {
            match ctx.program.types.get(ty) {
                Type::Struct(id) => {
                    let structure = &ctx.program.types.structs[*id];
                    if structure.union {
                        return union_storage(ctx, ty).filter(|_| rest == 0);
                    }
                    let field = structure.fields.iter().rev().find(|field| {
                        field.offset <= rest
                            && ctx.program.size_of(field.ty).is_some_and(|size| size > 0)
                    })?;
                    if field.first_bit.is_some() {
                        return None;
                    }
                    rest -= field.offset;
                    ty = field.ty;
                }
                &Type::Array(element, _) => {
                    rest %= ctx.program.size_of(element).filter(|&size| size > 0)?;
                    ty = element;
                }
                _ => return ctx.scalar(ty).filter(|_| rest == 0),
            }
        }
    }

    /// Where in an element pointers can be; `None` if it is too large to tell.
    pub(crate) fn pointer_offsets(&self, ctx: &Context<'_>) -> Option<Vec<u64>> {
        if self.element == Element::Byte || self.stride > MAX_PLACES {
            return None;
        }
        let places = 0..self.stride;
        Some(
            places
                .filter(|at| self.scalar_at(ctx, self.start + at) == Some(Scalar::Pointer))
                .collect(),
        )
    }

    /// Gives every element the same scalars.
    pub(crate) fn fill(&mut self, ctx: &mut Context<'_>, scalar: Scalar, value: TermId) {
        let index = Sort::BitVec(ctx.objects.width());
        let element = ctx.sort(scalar);
        let sort = ctx.store.array_sort(index, element);
        let base = ctx.store.const_array(sort, value);
        self.streams.insert(0, Stream { base, recent: PMap::new(), pending: Rc::default() });
    }

    /// The region that is `self` where `guard` holds and `other`, of the same shape, elsewhere.
    pub(crate) fn merge(
        &mut self,
        ctx: &mut Context<'_>,
        guard: TermId,
        initials: [&Initial; 2],
        other: &Region,
    ) {
        let mut changes = Vec::new();
        self.streams.for_each_difference(&other.streams, &mut |key, a, b| {
            changes.push((key, a.cloned(), b.cloned()))
        });
        for (key, a, b) in changes {
            // A side that has not touched the stream has it as it was in the beginning.
            let untouched = (a.is_none() || b.is_none())
                .then(|| self.locate(ctx, &Linear::constant(self.start + key)))
                .flatten();
            let a = match (a, &untouched) {
                (Some(a), _) => a,
                (None, Some(found)) => self.stream(ctx, initials[0], found),
                (None, None) => continue,
            };
            let b = match (b, &untouched) {
                (Some(b), _) => b,
                (None, Some(found)) => other.stream(ctx, initials[1], found),
                (None, None) => continue,
            };
            let merged = a.merge(ctx, guard, b);
            self.streams.insert(key, merged);
        }
    }
}

impl Stream {
    /// Brings recent values into the array term.
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

    fn merge(mut self, ctx: &mut Context<'_>, guard: TermId, mut other: Stream) -> Stream {
        if self.base == other.base {
            // Only recent values differ.
            let mut changes = Vec::new();
            self.recent.for_each_difference(&other.recent, &mut |at, a, b| {
                changes.push((at, a.copied(), b.copied()))
            });
            for (at, a, b) in changes {
                let index = ctx.store.bv_u64(ctx.objects.width(), at);
                let old = ctx.select(self.base, index);
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

/// The scalar in which the bytes of a union are kept: a pointer if it can hold one, else a word of its size.
fn union_storage(ctx: &Context<'_>, ty: TypeId) -> Option<Scalar> {
    let size = ctx.program.size_of(ty)?;
    let mut members = vec![ty];
    let mut pointer = false;
    while let Some(member) = members.pop() {
        match ctx.program.types.get(member) {
            Type::Struct(id) => {
                let fields = &ctx.program.types.structs[*id].fields;
                members.extend(fields.iter().filter(|f| f.offset == 0).map(|field| field.ty));
            }
            Type::Ptr(_) => pointer = true,
            _ => {}
        }
    }
    match size {
        _ if pointer && size == ctx.scalar_size(Scalar::Pointer) => Some(Scalar::Pointer),
        1 | 2 | 4 | 8 | 16 => Some(Scalar::Int(size as u32 * 8)),
        _ => None,
    }
}

/// The outermost array around an offset in a type, as a region of its innermost elements that are not arrays.
pub(crate) fn array_around(ctx: &Context<'_>, ty: TypeId, offset: u64) -> Option<Region> {
    let (mut ty, mut start) = (ty, 0);
    loop {
        match ctx.program.types.get(ty) {
            Type::Struct(id) => {
                let structure = &ctx.program.types.structs[*id];
                if structure.union {
                    return None;
                }
                let field =
                    structure.fields.iter().rev().find(|field| {
                        start + field.offset <= offset && field.first_bit.is_none()
                    })?;
                start += field.offset;
                ty = field.ty;
            }
            Type::Array(..) => {
                let size = ctx.program.size_of(ty).filter(|&size| size > 0)?;
                let mut element = ty;
                while let &Type::Array(inner, _) = ctx.program.types.get(element) {
                    element = inner;
                }
                let stride = ctx.program.size_of(element).filter(|&size| size > 0)?;
                return Some(Region::new(
                    start,
                    Some(start + size),
                    Element::Type(element),
                    stride,
                ));
            }
            _ => return None,
        }
    }
}

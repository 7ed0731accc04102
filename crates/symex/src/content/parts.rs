//! The parts that a content is made of, each with its term: what has to be known to make the same content again.

use super::{Cell, CellValue, Content, Context, Default, Linear, Region, Scalar, add_missing};
use crate::pmap::PMap;
use std::rc::Rc;
use vergo_goto::types::TypeId;
use vergo_term::TermId;

/// A part of a content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// A scalar at an offset in bytes.
    Cell {
        /// The offset.
        offset: u64,
        /// What is there.
        scalar: Scalar,
    },
    /// One scalar of all elements of an array.
    Stream {
        /// Where the array begins.
        start: u64,
        /// Where it ends; `None`: with the object, whose size is not constant.
        end: Option<u64>,
        /// The type of its elements.
        element: TypeId,
        /// The size of an element in bytes.
        stride: u64,
        /// The offset of the scalar in the element.
        key: u64,
    },
}

impl Content {
    /// Whether what no part covers is zero rather than unknown.
    pub(crate) fn rest_is_zero(&self) -> bool {
        self.default == Default::Zero
    }

    /// All parts with their terms. A cell whose place is in `layout` is the scalar that stands there.
    pub(crate) fn parts(
        &mut self,
        ctx: &mut Context<'_>,
        layout: &[(u64, Scalar)],
    ) -> Vec<(Part, TermId)> {
        let mut parts = Vec::new();
        let cells: Vec<(u64, Cell)> =
            self.cells.iter().map(|(at, cell)| (at, cell.clone())).collect();
        for (offset, cell) in cells {
            let found = layout.binary_search_by_key(&offset, |(at, _)| *at);
            let scalar = match found.map(|i| layout[i].1) {
                Ok(scalar) if ctx.scalar_size(scalar) == cell.size => scalar,
                _ => match cell.value {
                    CellValue::Word(_) | CellValue::PointerByte(..) => {
                        Scalar::Int((cell.size * 8) as u32)
                    }
                    CellValue::Float(_, format) => Scalar::Float(format),
                    CellValue::Pointer(_) => Scalar::Pointer,
                },
            };
            let value = self.read(ctx, offset, scalar);
            parts.push((Part::Cell { offset, scalar }, value));
        }
        for index in 0..self.regions.len() {
            let keys: Vec<u64> = self.regions[index].streams.iter().map(|(key, _)| key).collect();
            for key in keys {
                let part = self.regions[index].part(key);
                if let Some(term) = self.part(ctx, &part) {
                    parts.push((part, term));
                }
            }
        }
        parts
    }

    /// The term of a part; `None` for a stream that this content cannot have.
    pub(crate) fn part(&mut self, ctx: &mut Context<'_>, part: &Part) -> Option<TermId> {
        match *part {
            Part::Cell { offset, scalar } => Some(self.read(ctx, offset, scalar)),
            Part::Stream { key, .. } => {
                let (index, scalar) = self.region_of(ctx, part)?;
                self.flush(ctx, index, key, scalar);
                let element = ctx.sort(scalar);
                Some(self.regions[index].stream(ctx, &self.default, key, element).base)
            }
        }
    }

    /// Gives a part another term.
    pub(crate) fn set_part(&mut self, ctx: &mut Context<'_>, part: &Part, term: TermId) {
        match *part {
            Part::Cell { offset, scalar } => {
                let truth = ctx.store.true_term();
                self.write(ctx, offset, scalar, term, truth);
            }
            Part::Stream { key, .. } => {
                let Some((index, _)) = self.region_of(ctx, part) else { return self.forget(ctx) };
                let stream =
                    super::Stream { base: term, recent: PMap::new(), pending: Rc::default() };
                Rc::make_mut(&mut self.regions)[index].streams.insert(key, stream);
            }
        }
    }

    /// The same content with exactly these scalars as cells, and no arrays.
    pub(crate) fn spread(&self, ctx: &mut Context<'_>, layout: &[(u64, Scalar)]) -> Content {
        let mut spread = Content::new(self.default.clone());
        for &(offset, scalar) in layout {
            let value = self.read(ctx, offset, scalar);
            let cell = ctx.make_cell(scalar, value);
            spread.set_cell(offset, cell);
        }
        spread
    }

    /// The region of a stream, made if it is not there, and the stream's scalar.
    fn region_of(&mut self, ctx: &mut Context<'_>, part: &Part) -> Option<(usize, Scalar)> {
        let Part::Stream { start, end, element, stride, key } = *part else { return None };
        let shape = Region { start, end, element, stride, streams: PMap::new() };
        let (_, _, scalar, _) = shape.locate(ctx, &Linear::constant(start + key))?;
        add_missing(ctx, self, std::slice::from_ref(&shape));
        let index = self.regions.iter().position(|region| {
            (region.start, region.end, region.element) == (start, end, element)
        })?;
        Some((index, scalar))
    }
}

impl Region {
    fn part(&self, key: u64) -> Part {
        Part::Stream {
            start: self.start,
            end: self.end,
            element: self.element,
            stride: self.stride,
            key,
        }
    }
}

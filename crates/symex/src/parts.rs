//! The parts that a content is made of, each with its term: what has to be known to make the same content again.

use crate::content::Content;
use crate::region::Element;
use crate::scalar::{Context, Scalar};
use vergo_term::TermId;

/// A part of a content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// A scalar at an offset in bytes.
    Cell {
        /// The offset.
        offset: u64,
        /// The scalar there.
        scalar: Scalar,
    },
    /// One scalar of all elements of an array.
    Stream {
        /// Where the array begins.
        start: u64,
        /// Where it ends; `None`: with the object, whose size is not constant.
        end: Option<u64>,
        /// The type of its elements.
        element: Element,
        /// The size of an element in bytes.
        stride: u64,
        /// The offset of the scalar in the element.
        key: u64,
    },
}

impl Content {
    /// All parts with their terms. A cell whose place is in `layout` is the scalar that stands there.
    pub(crate) fn parts(
        &mut self,
        ctx: &mut Context<'_>,
        layout: &[(u64, Scalar)],
    ) -> Vec<(Part, TermId)> {
        let mut parts = Vec::new();
        for (offset, cell) in self.cells() {
            let found = layout.binary_search_by_key(&offset, |(at, _)| *at);
            let scalar = match found.map(|i| layout[i].1) {
                Ok(scalar) if ctx.scalar_size(scalar) == cell.size => scalar,
                _ => cell.scalar(),
            };
            let value = self.read(ctx, offset, scalar);
            parts.push((Part::Cell { offset, scalar }, value));
        }
        for (part, term) in self.streams(ctx) {
            parts.push((part, term));
        }
        parts
    }

    /// The term of a part; `None` for a stream that this content cannot have.
    pub(crate) fn part(&mut self, ctx: &mut Context<'_>, part: &Part) -> Option<TermId> {
        match *part {
            Part::Cell { offset, scalar } => Some(self.read(ctx, offset, scalar)),
            Part::Stream { .. } => self.stream(ctx, part),
        }
    }

    /// Gives a part another term.
    pub(crate) fn set_part(&mut self, ctx: &mut Context<'_>, part: &Part, term: TermId) {
        match *part {
            Part::Cell { offset, scalar } => {
                let truth = ctx.store.true_term();
                self.write(ctx, offset, scalar, term, truth);
            }
            Part::Stream { .. } => {
                if self.set_stream(ctx, part, term).is_none() {
                    self.forget(ctx, "an array that the object cannot have");
                }
            }
        }
    }
}

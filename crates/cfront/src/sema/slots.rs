//! The tree of slots that an initialiser fills: later values replace earlier ones.

use crate::hir::{ExprId, InitId, StringId};
use crate::types::QualType;
use std::collections::BTreeMap;
use vergo_source::Span;

/// A value in the tree of slots.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Expr(ExprId),
    String(StringId),
    /// An initialiser that is finished, of a compound literal.
    Frozen(InitId),
    List(Box<ListNode>),
    /// Replaced by a later value.
    Dead,
}

#[derive(Clone, Debug)]
pub(super) struct ListNode {
    pub(super) ty: QualType,
    pub(super) span: Span,
    pub(super) entries: Vec<Slot>,
    /// One more than the greatest index that has an entry.
    pub(super) end: u64,
    /// Entries by their first index, once some are out of order.
    pub(super) by_index: Option<BTreeMap<u64, usize>>,
}

#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) ty: QualType,
    pub(super) span: Span,
    pub(super) node: Node,
}

impl ListNode {
    pub(super) fn new(ty: QualType, span: Span) -> ListNode {
        ListNode { ty, span, entries: Vec::new(), end: 0, by_index: None }
    }

    pub(super) fn push(&mut self, slot: Slot) -> usize {
        let index = self.entries.len();
        self.end = self.end.max(slot.last.saturating_add(1));
        if let Some(map) = &mut self.by_index {
            map.insert(slot.first, index);
        }
        self.entries.push(slot);
        index
    }

    /// Cuts entries at the ends of a range, so that each lies inside or outside of it; gives those inside.
    pub(super) fn cut(&mut self, first: u64, last: u64) -> Vec<usize> {
        if first >= self.end {
            return Vec::new();
        }
        let entries = &self.entries;
        let map = self.by_index.get_or_insert_with(|| {
            entries
                .iter()
                .enumerate()
                .filter(|(_, slot)| !matches!(slot.node, Node::Dead))
                .map(|(index, slot)| (slot.first, index))
                .collect()
        });
        // An entry that begins before the range may reach into it.
        let mut touched: Vec<usize> = Vec::new();
        if let Some((_, &index)) = map.range(..first).next_back()
            && self.entries[index].last >= first
        {
            touched.push(index);
        }
        touched.extend(map.range(first..=last).map(|(_, &index)| index));
        let mut inside = Vec::new();
        for index in touched {
            let slot = self.entries[index].clone();
            if slot.first < first {
                self.entries[index].last = first - 1;
                let middle = Slot { first, last: slot.last.min(last), ..slot.clone() };
                inside.push(self.push(middle));
            } else {
                inside.push(index);
            }
            if slot.last > last {
                let keep = *inside.last().expect("an entry was just added");
                self.entries[keep].last = last;
                self.push(Slot { first: last + 1, ..slot });
            }
        }
        inside
    }

    pub(super) fn kill(&mut self, index: usize) {
        let first = self.entries[index].first;
        self.entries[index].node = Node::Dead;
        if let Some(map) = &mut self.by_index
            && map.get(&first) == Some(&index)
        {
            map.remove(&first);
        }
    }

    /// Replaces what is at a range by a new value.
    pub(super) fn store(&mut self, slot: Slot, is_union: bool) {
        if is_union {
            for index in 0..self.entries.len() {
                self.kill(index);
            }
            self.entries.clear();
            self.by_index = None;
        } else {
            for index in self.cut(slot.first, slot.last) {
                self.kill(index);
            }
        }
        self.push(slot);
    }

    /// The value at a range, to go into it.
    pub(super) fn enter(
        &mut self,
        slot: (u64, u64),
        ty: QualType,
        span: Span,
        is_union: bool,
    ) -> &mut Node {
        let (first, last) = slot;
        let found = match self.entries.last() {
            Some(entry)
                if (entry.first, entry.last) == slot && !matches!(entry.node, Node::Dead) =>
            {
                Some(self.entries.len() - 1)
            }
            _ => match self.cut(first, last)[..] {
                [index]
                    if self.entries[index].first == first && self.entries[index].last == last =>
                {
                    Some(index)
                }
                ref inside => {
                    for &index in inside {
                        self.kill(index);
                    }
                    None
                }
            },
        };
        let index = match found {
            Some(index) => index,
            None => {
                if is_union {
                    self.entries.clear();
                    self.by_index = None;
                }
                self.push(Slot {
                    first,
                    last,
                    ty,
                    span,
                    node: Node::List(Box::new(ListNode::new(ty, span))),
                })
            }
        };
        &mut self.entries[index].node
    }
}

//! Blocks, lifetimes and jumps.
//!
//! An automatic object lives from the entry of its block to its exit (C17 6.2.4p6), a variable-length array from its
//! declaration (p7). In GOTO these are `decl` and `dead`. A block into which one can jump, because a label or a `case`
//! stands in it, declares its variables where it is entered, by whatever way; another block declares each variable
//! where it is declared in C, which says the same and reads better. Compound literals live in their block too and are
//! always declared at its entry, since they can stand in an operand that is not evaluated.
//!
//! The variables of a block are all known only when it has been lowered. So entries and exits are noted as
//! [`Insertion`]s and written into the body at the end, in one pass.
//!
//! A jump leaves the blocks from its own up to the first one that also contains the target (`dead`, the release of
//! variable-length arrays, cleanup functions), and enters those from there down to the target (`decl`).

use crate::function::Fx;
use vergo_cfront::hir::{FuncId, LabelId, StmtId, StmtKind, VarId};
use vergo_goto::program::{self, Instr, InstrKind, Region, SymbolId};
use vergo_source::Span;

/// The number of a block of the function.
pub(crate) type BlockIndex = usize;

/// A block.
#[derive(Default)]
pub(crate) struct Block {
    pub(crate) parent: Option<BlockIndex>,
    depth: u32,
    /// True if one can jump into it by `goto`.
    labels: bool,
    /// True if one can jump into it by `switch`.
    cases: bool,
    /// Variables that are declared where they stand.
    pub(crate) placed: Vec<SymbolId>,
    /// Objects that are declared where the block is entered.
    pub(crate) hoisted: Vec<SymbolId>,
    /// Pointers to variable-length arrays.
    pub(crate) arrays: Vec<SymbolId>,
    /// Variables with a cleanup function.
    pub(crate) cleanups: Vec<(VarId, FuncId)>,
}

impl Block {
    /// Returns whether variables must be declared where the block is entered.
    pub(crate) fn is_hoisted(&self) -> bool {
        self.labels || self.cases
    }
}

/// Instructions that are still to be inserted before the instruction with a number.
pub(crate) struct Insertion {
    at: usize,
    block: BlockIndex,
    enter: bool,
    span: Span,
}

/// Where a label stands.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub(crate) label: program::LabelId,
    pub(crate) block: BlockIndex,
}

impl Fx<'_, '_> {
    /// Finds the blocks of a statement and the labels in them.
    pub(crate) fn scan(&mut self, stmt: StmtId, block: BlockIndex, switch: Option<BlockIndex>) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.scan_node(stmt, block, switch));
    }

    fn scan_node(&mut self, stmt: StmtId, block: BlockIndex, switch: Option<BlockIndex>) {
        match self.unit.stmts[stmt].kind {
            StmtKind::Compound(list) => {
                let inner = self.new_block(stmt, block);
                for i in 0..list.len() {
                    let child = self.unit.stmt_lists.get(list)[i];
                    self.scan(child, inner, switch);
                }
            }
            StmtKind::For { init, body, .. } => {
                let inner = self.new_block(stmt, block);
                for i in 0..init.len() {
                    let child = self.unit.stmt_lists.get(init)[i];
                    self.scan(child, inner, switch);
                }
                self.scan(body, inner, switch);
            }
            StmtKind::If(_, then, otherwise) => {
                self.scan(then, block, switch);
                if let Some(otherwise) = otherwise {
                    self.scan(otherwise, block, switch);
                }
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => self.scan(body, block, switch),
            StmtKind::Switch { body, .. } => self.scan(body, block, Some(block)),
            StmtKind::Label(label, inner) => {
                let position = Position { label: self.b.new_label(), block };
                self.labels.insert(label, position);
                let mut up = Some(block);
                while let Some(index) = up
                    && !self.blocks[index].labels
                {
                    self.blocks[index].labels = true;
                    up = self.blocks[index].parent;
                }
                self.scan(inner, block, switch);
            }
            StmtKind::Case(inner) | StmtKind::Default(inner) => {
                let position = Position { label: self.b.new_label(), block };
                self.cases.insert(stmt, position);
                let mut up = block;
                while Some(up) != switch && !self.blocks[up].cases {
                    self.blocks[up].cases = true;
                    match self.blocks[up].parent {
                        Some(parent) => up = parent,
                        None => break,
                    }
                }
                self.scan(inner, block, switch);
            }
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Decl(_)
            | StmtKind::Goto(_)
            | StmtKind::GotoOuter(..)
            | StmtKind::Nested(_)
            | StmtKind::GotoIndirect(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Return(_)
            | StmtKind::Asm(_) => {}
        }
    }

    fn new_block(&mut self, stmt: StmtId, parent: BlockIndex) -> BlockIndex {
        let index = self.blocks.len();
        let depth = self.blocks[parent].depth + 1;
        self.blocks.push(Block { parent: Some(parent), depth, ..Block::default() });
        self.block_of.insert(stmt, index);
        index
    }

    /// Enters the block of a statement; gives the block to return to.
    pub(crate) fn enter(&mut self, stmt: StmtId) -> BlockIndex {
        let outer = self.block;
        if let Some(&index) = self.block_of.get(&stmt) {
            self.block = index;
        } else {
            self.block = self.new_block(stmt, outer);
        }
        self.note_entry(self.block);
        outer
    }

    /// Leaves the current block at its end.
    pub(crate) fn leave(&mut self, outer: BlockIndex) {
        if !self.b.is_terminated() {
            self.exit_block(self.block);
        }
        self.block = outer;
    }

    fn note_entry(&mut self, block: BlockIndex) {
        self.insertions.push(Insertion {
            at: self.b.len(),
            block,
            enter: true,
            span: self.b.span(),
        });
    }

    /// Ends the life of what the block holds, here.
    fn exit_block(&mut self, block: BlockIndex) {
        for i in (0..self.blocks[block].cleanups.len()).rev() {
            let (var, func) = self.blocks[block].cleanups[i];
            self.call_cleanup(var, func);
        }
        for i in (0..self.blocks[block].arrays.len()).rev() {
            let pointer = self.blocks[block].arrays[i];
            let pointer = self.cx.p.symbol(pointer);
            self.b.free(pointer, Region::Stack);
            if self.blocks[block].is_hoisted() {
                let null = self.cx.p.null(self.cx.p.exprs.ty(pointer));
                self.b.assign(pointer, null);
            }
        }
        for i in (0..self.blocks[block].placed.len()).rev() {
            let symbol = self.blocks[block].placed[i];
            self.b.dead(symbol);
        }
        self.insertions.push(Insertion {
            at: self.b.len(),
            block,
            enter: false,
            span: self.b.span(),
        });
    }

    /// Runs the cleanup functions of all blocks, as a return does.
    pub(crate) fn run_all_cleanups(&mut self) {
        let mut up = Some(self.block);
        while let Some(block) = up {
            for i in (0..self.blocks[block].cleanups.len()).rev() {
                let (var, func) = self.blocks[block].cleanups[i];
                self.call_cleanup(var, func);
            }
            up = self.blocks[block].parent;
        }
    }

    /// Returns whether a return has to run cleanup functions.
    pub(crate) fn has_cleanups(&self) -> bool {
        let mut up = Some(self.block);
        while let Some(block) = up {
            if !self.blocks[block].cleanups.is_empty() {
                return true;
            }
            up = self.blocks[block].parent;
        }
        false
    }

    /// Jumps to a label in a block, out of and into what lies between.
    pub(crate) fn jump_to(&mut self, target: Position) {
        let (mut from, mut to) = (self.block, target.block);
        let mut entered = Vec::new();
        while from != to {
            let (a, b) = (self.blocks[from].depth, self.blocks[to].depth);
            if a >= b {
                self.exit_block(from);
                from = self.blocks[from].parent.unwrap_or(to);
            }
            if b >= a && from != to {
                entered.push(to);
                to = self.blocks[to].parent.unwrap_or(from);
            }
        }
        for block in entered.into_iter().rev() {
            self.note_entry(block);
        }
        self.b.goto(target.label);
    }

    /// The position of a label of the function.
    pub(crate) fn position(&mut self, label: LabelId) -> Position {
        if let Some(&position) = self.labels.get(&label) {
            return position;
        }
        // The label is defined nowhere, which has been reported; it is placed at the end of the body.
        let position = Position { label: self.b.new_label(), block: 0 };
        self.labels.insert(label, position);
        self.undefined_labels.push(position.label);
        position
    }

    /// Writes what was noted into the body.
    pub(crate) fn apply_insertions(&mut self) {
        let insertions = std::mem::take(&mut self.insertions);
        if self.zero_at_entry.is_empty() && self.blocks.iter().all(|block| block.hoisted.is_empty())
        {
            return;
        }
        let old = std::mem::take(self.b.instrs_mut());
        let mut new = Vec::with_capacity(old.len() + insertions.len());
        let span = self.cx.p.functions[self.id].span;
        for symbol in std::mem::take(&mut self.zero_at_entry) {
            let place = self.cx.p.symbol(symbol);
            let zero = self.cx.p.zero(self.cx.p.symbols[symbol].ty);
            for kind in [InstrKind::Decl(symbol), InstrKind::Assign(place, zero)] {
                new.push(Instr { kind, span, parts: Box::default() });
            }
        }
        let mut next = insertions.into_iter().peekable();
        for (index, instr) in old.into_iter().enumerate() {
            while let Some(insertion) = next.next_if(|insertion| insertion.at <= index) {
                self.insert(&mut new, &insertion);
            }
            new.push(instr);
        }
        for insertion in next {
            self.insert(&mut new, &insertion);
        }
        *self.b.instrs_mut() = new;
    }

    fn insert(&self, body: &mut Vec<Instr>, insertion: &Insertion) {
        let hoisted = &self.blocks[insertion.block].hoisted;
        let mut push = |kind| {
            body.push(Instr { kind, span: insertion.span, parts: Box::default() });
        };
        if insertion.enter {
            hoisted.iter().for_each(|&symbol| push(InstrKind::Decl(symbol)));
        } else {
            hoisted.iter().rev().for_each(|&symbol| push(InstrKind::Dead(symbol)));
        }
    }
}

//! Replaces calls by the bodies of the functions they call, from the entry function down.
//!
//! Each call gets its own copies of the callee's variables and labels. Arguments are evaluated before any parameter is
//! set. A recursive call is unfolded up to the bound of the options and stays a call beyond it. What a function allocates
//! on its own stack frame (`alloca`) is remembered in a variable per allocation and freed where the function returns.
//! Functions without a body stay calls, and so do functions that can allocate on their frame again and again.

use crate::Options;
use crate::renaming::Renaming;
use rustc_hash::FxHashMap;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::program::{
    Callee, FunctionId, Instr, InstrKind, LabelId, Program, Region, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::TypeId;
use vergo_source::Span;

/// The pass.
pub fn run(program: &mut Program, options: &Options) {
    let Some(entry) = program.entry else { return };
    let Some(body) = program.functions[entry].body.clone() else { return };
    let out = FunctionBuilder::continuing(program.functions[entry].n_labels, body.len());
    let mut inliner = Inliner { program, recursion: options.recursion, entry, out };
    let mut frames = vec![Frame::entry(entry, body)];
    while let Some(frame) = frames.last_mut() {
        let Some(instr) = frame.body.next() else {
            let frame = frames.pop().expect("there is a frame");
            inliner.leave(frame);
            continue;
        };
        let depth = |callee| frames.iter().filter(|frame| frame.function == callee).count() as u32;
        match instr.kind {
            InstrKind::Call { callee: Callee::Direct(callee), .. }
                if inliner.can_inline(callee) && depth(callee) <= inliner.recursion =>
            {
                let caller = frames.last_mut().expect("there is a frame");
                let frame = inliner.enter(caller, instr, callee);
                frames.push(frame);
            }
            _ => inliner.copy(frames.last_mut().expect("there is a frame"), instr),
        }
    }
    let Inliner { program, out, .. } = inliner;
    out.finish(program, entry);
}

struct Inliner<'a> {
    program: &'a mut Program,
    recursion: u32,
    entry: FunctionId,
    out: FunctionBuilder,
}

/// A call under way.
struct Frame {
    function: FunctionId,
    body: std::vec::IntoIter<Instr>,
    /// The renaming of the callee's expressions; `None` for the entry function, whose names stay.
    renaming: Option<Renaming>,
    /// Where the result goes, in the caller's names already.
    dest: Option<ExprId>,
    /// Behind the call.
    end: Option<LabelId>,
    /// Variables for pointers to what is allocated on the callee's frame, null until then, in order of the allocations;
    /// how many of these have been copied.
    on_frame: Vec<SymbolId>,
    n_allocations: usize,
}

impl Frame {
    fn entry(function: FunctionId, body: Vec<Instr>) -> Frame {
        Frame {
            function,
            body: body.into_iter(),
            renaming: None,
            dest: None,
            end: None,
            on_frame: Vec::new(),
            n_allocations: 0,
        }
    }
}

impl Inliner<'_> {
    /// Copies an instruction of the innermost call, under its names. A `return` stores the result and jumps behind.
    fn copy(&mut self, frame: &mut Frame, mut instr: Instr) {
        self.out.set_span(instr.span);
        let Some(renaming) = &mut frame.renaming else { return self.out.push_instr(instr) };
        let end = frame.end.expect("an inlined call has an end");
        if let InstrKind::Return(value) = instr.kind {
            if let (Some(dest), Some(value)) = (frame.dest, value) {
                let value = renaming.expr(self.program, value);
                self.out.assign(dest, value);
            }
            return self.out.goto(end);
        }
        renaming.instr(self.program, &mut self.out, &mut instr);
        let allocated = frame_allocation(&instr);
        self.out.push_instr(instr);
        if let Some(dest) = allocated {
            let place = self.program.symbol(frame.on_frame[frame.n_allocations]);
            frame.n_allocations += 1;
            self.out.assign(place, dest);
        }
    }

    /// Begins the copy of a callee: its variables get new names, its parameters their values.
    fn enter(&mut self, caller: &mut Frame, mut call: Instr, callee: FunctionId) -> Frame {
        self.out.set_span(call.span);
        if let Some(renaming) = &mut caller.renaming {
            call.kind.map_exprs(|expr, _| renaming.expr(self.program, expr));
        }
        let InstrKind::Call { dest, args, .. } = call.kind else { unreachable!("only calls are entered") };
        let function = &self.program.functions[callee];
        let body = function.body.clone().unwrap_or_default();
        let params = function.params.clone();
        let locals = body.iter().filter_map(|instr| match instr.kind {
            InstrKind::Decl(symbol) => Some(symbol),
            _ => None,
        });
        let mut symbols = FxHashMap::default();
        for symbol in params.iter().copied().chain(locals) {
            symbols.entry(symbol).or_insert_with(|| self.copy_symbol(symbol));
        }
        for (param, &arg) in params.iter().zip(&*args) {
            self.out.decl(symbols[param]);
            let place = self.program.symbol(symbols[param]);
            self.out.assign(place, arg);
        }
        let mut on_frame = Vec::new();
        for dest in body.iter().filter_map(frame_allocation) {
            let ty = self.program.exprs.ty(dest);
            let symbol = self.frame_variable(ty);
            on_frame.push(symbol);
            self.out.decl(symbol);
            let (place, null) = (self.program.symbol(symbol), self.program.zero(ty));
            self.out.assign(place, null);
        }
        let end = self.out.new_label();
        let renaming = Renaming::of(symbols);
        Frame {
            function: callee,
            body: body.into_iter(),
            renaming: Some(renaming),
            dest,
            end: Some(end),
            on_frame,
            n_allocations: 0,
        }
    }

    /// Ends the copy of a callee: whatever it still holds dies.
    fn leave(&mut self, frame: Frame) {
        let (Some(renaming), Some(end)) = (frame.renaming, frame.end) else { return };
        self.out.label(end);
        for &symbol in &frame.on_frame {
            let pointer = self.program.symbol(symbol);
            // It may not have been allocated, or have been freed at the end of its block.
            let alive = self.program.memory(MemoryOp::IsLive, [pointer]);
            let gone = self.program.not(alive);
            let skip = self.out.new_label();
            self.out.goto_if(gone, skip);
            self.out.free(pointer, Region::Stack);
            self.out.label(skip);
            self.out.dead(symbol);
        }
        let mut copies: Vec<SymbolId> = renaming.symbols.into_values().collect();
        copies.sort_unstable();
        copies.into_iter().for_each(|symbol| self.out.dead(symbol));
    }

    fn copy_symbol(&mut self, symbol: SymbolId) -> SymbolId {
        self.program.copy_symbol(symbol, SymbolKind::Local(self.entry))
    }

    /// A variable for a pointer to something on the frame of an inlined function.
    fn frame_variable(&mut self, ty: TypeId) -> SymbolId {
        let name = format!("frame@{}", self.program.symbols.len());
        let align = self.program.types.align_of(ty, &self.program.machine);
        let (kind, span) = (SymbolKind::Local(self.entry), Span::DUMMY);
        self.program.add_symbol(Symbol { name, display: String::new(), ty, kind, span, align, writable: true })
    }

    /// Returns whether a function's calls can be replaced: it has a body in which each allocation on the frame happens
    /// at most once, outside of all jumps back.
    fn can_inline(&self, callee: FunctionId) -> bool {
        let function = &self.program.functions[callee];
        let Some(body) = &function.body else { return false };
        if !body.iter().any(|instr| frame_allocation(instr).is_some()) {
            return true;
        }
        let mut positions: FxHashMap<LabelId, usize> = FxHashMap::default();
        let mut repeated = vec![false; body.len()];
        for (at, instr) in body.iter().enumerate() {
            match instr.kind {
                InstrKind::Label(label) => {
                    positions.insert(label, at);
                }
                // A label that is not known yet is ahead.
                InstrKind::Goto(_, label) => {
                    if let Some(&to) = positions.get(&label) {
                        repeated[to..=at].fill(true);
                    }
                }
                _ => {}
            }
        }
        body.iter().zip(repeated).all(|(instr, repeated)| {
            frame_allocation(instr).is_none() || !repeated
        })
    }
}

/// Where the pointer to something allocated on the frame goes.
fn frame_allocation(instr: &Instr) -> Option<ExprId> {
    match instr.kind {
        InstrKind::Alloc { dest, region: Region::Stack, .. } => Some(dest),
        _ => None,
    }
}

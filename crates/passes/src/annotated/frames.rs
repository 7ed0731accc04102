//! Frame conditions: while a body is checked against its contract, it writes only what the contract lets it write.
//!
//! **Idea.** Dynamic frames: where the body begins, its contract has put what may be written into variables, as pointers
//! with sizes ([`contract::TARGET_POINTER`]). Every write of the body and of whatever it calls gets a claim that it lies in
//! one of these, or in an object that the body itself has made: a local variable or a block of memory of its own, whose
//! addresses are kept in further variables ([`contract::OWN`]). Local variables that are written by their names are always
//! the body's own. `memcpy` and its like are one write each.
//!
//! **Soundness.** A write is exempt only if its object is new. Where an allocation happens a second time, or a function
//! with kept variables calls itself, one variable is not enough: the program is unsupported from there on.

use super::loops::local;
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::contract::{self, is_ghost};
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Access, Callee, Claim, FunctionId, Instr, InstrKind, Program, StaticInit, Symbol, SymbolId,
    SymbolKind,
};
use vergo_source::Span;

/// Functions of the library that write one block: the numbers of the arguments that are its address and size.
const BLOCKS: &[(&str, usize, usize)] =
    &[("__CPROVER_havoc_slice", 0, 1), ("memcpy", 0, 2), ("memmove", 0, 2), ("memset", 0, 2)];

pub(super) fn apply(program: &mut Program) {
    let find = |program: &Program, name: &str| -> Vec<SymbolId> {
        let is_it =
            |one: &str| one == name || one.strip_prefix(name).is_some_and(|r| r.starts_with('$'));
        program.symbols.iter().filter(|(_, s)| is_it(&s.name)).map(|(id, _)| id).collect()
    };
    let Some(&frame) = find(program, contract::FRAME).first() else { return };
    let pointers = find(program, contract::TARGET_POINTER);
    let sizes = find(program, contract::TARGET_SIZE);
    let targets: Vec<(SymbolId, SymbolId)> = pointers.into_iter().zip(sizes).collect();
    let under = reachable(program, frame);
    let addressed = super::addressed(program);
    let repeats = has_cycle(program, &under);
    let mut own = Own::default();
    for &function in &under {
        own.find(program, function, &addressed);
    }
    let frames = Frames { frame, targets, repeats };
    for &function in &under {
        frames.instrument(program, function, &own);
    }
    let functions: Vec<FunctionId> = program.functions.keys().collect();
    for function in functions {
        frames.forget_at_the_end(program, function, &own);
    }
}

/// The functions that run while the frame is on: those that are called after it is switched on, and whatever they call.
fn reachable(program: &Program, frame: SymbolId) -> Vec<FunctionId> {
    let mut pending = Vec::new();
    let mut taken = FxHashSet::default();
    for function in program.functions.keys() {
        let mut is_on = false;
        for instr in program.functions[function].body.iter().flatten() {
            match &instr.kind {
                InstrKind::Assign(place, value) if program.root_variable(*place) == Some(frame) => {
                    is_on = matches!(program.exprs.kind(*value), ExprKind::Int(bits) if !bits.is_zero());
                }
                InstrKind::Call { callee: Callee::Direct(callee), .. } if is_on => {
                    pending.push(*callee)
                }
                _ => {}
            }
        }
    }
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::Function(function) = expr.kind {
            taken.insert(function);
        }
    }
    let mut seen: EntitySet<FunctionId> = EntitySet::new();
    let mut out = Vec::new();
    let mut indirect = false;
    while let Some(function) = pending.pop() {
        if !seen.insert(function) || is_block(program, function) {
            continue;
        }
        out.push(function);
        for instr in program.functions[function].body.iter().flatten() {
            match &instr.kind {
                InstrKind::Call { callee: Callee::Direct(callee), .. } => pending.push(*callee),
                InstrKind::Call { callee: Callee::Indirect(_), .. } if !indirect => {
                    indirect = true;
                    let mut all: Vec<FunctionId> = taken.iter().copied().collect();
                    all.sort();
                    pending.extend(all);
                }
                _ => {}
            }
        }
    }
    out.sort();
    out
}

pub(super) fn is_block(program: &Program, function: FunctionId) -> bool {
    let info = &program.functions[function];
    info.library && BLOCKS.iter().any(|block| block.0 == info.display)
}

/// Returns whether one of these functions can call itself.
fn has_cycle(program: &Program, under: &[FunctionId]) -> bool {
    let mut state: FxHashMap<FunctionId, u8> = FxHashMap::default();
    for &start in under {
        let mut stack = vec![(start, false)];
        while let Some((function, leaves)) = stack.pop() {
            if leaves {
                state.insert(function, 2);
                continue;
            }
            match state.get(&function) {
                Some(1) => return true,
                Some(_) => continue,
                None => {}
            }
            state.insert(function, 1);
            stack.push((function, true));
            for instr in program.functions[function].body.iter().flatten() {
                if let InstrKind::Call { callee: Callee::Direct(callee), .. } = instr.kind {
                    match state.get(&callee) {
                        Some(1) => return true,
                        Some(_) => {}
                        None => stack.push((callee, false)),
                    }
                }
            }
        }
    }
    false
}

/// Variables with the addresses of what bodies make themselves.
#[derive(Default)]
struct Own {
    of_variable: FxHashMap<SymbolId, SymbolId>,
    /// Those of the allocations of a function, in order.
    of_blocks: FxHashMap<FunctionId, Vec<SymbolId>>,
    /// All of them, those of allocations included.
    all: Vec<SymbolId>,
}

impl Own {
    fn find(
        &mut self,
        program: &mut Program,
        function: FunctionId,
        addressed: &EntitySet<SymbolId>,
    ) {
        let mut variables: Vec<SymbolId> = program.functions[function].params.clone();
        let mut n_blocks = 0;
        for instr in program.functions[function].body.iter().flatten() {
            match instr.kind {
                InstrKind::Decl(symbol) => variables.push(symbol),
                InstrKind::Alloc { .. } => n_blocks += 1,
                _ => {}
            }
        }
        for symbol in variables {
            if addressed.contains(symbol) && !self.of_variable.contains_key(&symbol) {
                let kept = self.add(program);
                self.of_variable.insert(symbol, kept);
            }
        }
        let blocks = (0..n_blocks).map(|_| self.add(program)).collect();
        self.of_blocks.insert(function, blocks);
    }

    fn add(&mut self, program: &mut Program) -> SymbolId {
        let void = program.types.void();
        let ty = program.types.ptr(void);
        let kind = SymbolKind::Static { init: StaticInit::Data(Vec::new()), thread_local: false };
        let name = format!("{}${}", contract::OWN, self.all.len());
        let (display, span) = (String::new(), Span::DUMMY);
        let symbol =
            program.add_symbol(Symbol { name, display, ty, kind, span, align: 16, writable: true });
        self.all.push(symbol);
        symbol
    }
}

struct Frames {
    frame: SymbolId,
    targets: Vec<(SymbolId, SymbolId)>,
    repeats: bool,
}

impl Frames {
    fn is_on(&self, program: &mut Program) -> ExprId {
        let frame = program.symbol(self.frame);
        let zero = program.zero(program.exprs.ty(frame));
        program.ne(frame, zero)
    }

    fn instrument(&self, program: &mut Program, function: FunctionId, own: &Own) {
        let mut blocks = own.of_blocks.get(&function).into_iter().flatten().copied();
        let params = program.functions[function].params.clone();
        let mut is_first = true;
        program.rewrite_body(function, |program, out, instr| {
            if std::mem::take(&mut is_first) {
                for &param in &params {
                    self.keep(program, out, own, param);
                }
            }
            for (pointer, size) in written(program, &instr.kind) {
                self.claim(program, out, own, pointer, size);
            }
            let after = instr.kind.clone();
            out.push_instr(Instr { kind: instr.kind, span: instr.span, parts: instr.parts });
            match after {
                InstrKind::Decl(symbol) => self.keep(program, out, own, symbol),
                InstrKind::Alloc { dest, .. } => {
                    if let Some(kept) = blocks.next() {
                        self.keep_block(program, out, function, kept, dest, instr.span);
                    }
                }
                _ => {}
            }
        });
    }

    /// Forgets the pointers that were kept where the body or the program ends: they are nobody's, and memory that only they point to
    /// is lost.
    fn forget_at_the_end(&self, program: &mut Program, function: FunctionId, own: &Own) {
        let targets = self.targets.iter().map(|&(pointer, _)| pointer);
        let kept: Vec<SymbolId> = targets.chain(own.all.iter().copied()).collect();
        let ends = |program: &Program, kind: &InstrKind| match kind {
            InstrKind::Assign(place, value) => {
                program.root_variable(*place) == Some(self.frame)
                    && matches!(program.exprs.kind(*value), ExprKind::Int(bits) if bits.is_zero())
            }
            kind => matches!(kind, InstrKind::End(_)),
        };
        if !program.functions[function].body.iter().flatten().any(|i| ends(program, &i.kind)) {
            return;
        }
        program.rewrite_body(function, |program, out, instr| {
            if ends(program, &instr.kind) {
                for &symbol in &kept {
                    let place = program.symbol(symbol);
                    let null = program.null(program.exprs.ty(place));
                    out.assign(place, null);
                }
            }
            out.push_instr(Instr { kind: instr.kind, span: instr.span, parts: instr.parts });
        });
    }

    /// Notes that a variable is the body's own.
    fn keep(&self, program: &mut Program, out: &mut FunctionBuilder, own: &Own, symbol: SymbolId) {
        let Some(&kept) = own.of_variable.get(&symbol) else { return };
        if self.repeats {
            let is_on = self.is_on(program);
            let is_off = program.not(is_on);
            let label = out.new_label();
            out.goto_if(is_off, label);
            out.unsupported("a contract of a function that calls itself");
            out.label(label);
        }
        let place = program.symbol(symbol);
        let address = program.address_of(place);
        let kept = program.symbol(kept);
        let ptr = program.exprs.ty(kept);
        let address = program.cast(ptr, address);
        let null = program.null(ptr);
        let is_on = self.is_on(program);
        let value = program.ite(is_on, address, null);
        out.assign(kept, value);
    }

    /// Notes that a new block is the body's own; there is room for one of each place.
    fn keep_block(
        &self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        function: FunctionId,
        kept: SymbolId,
        dest: ExprId,
        span: Span,
    ) {
        let kept = program.symbol(kept);
        let ptr = program.exprs.ty(kept);
        let null = program.null(ptr);
        let is_on = self.is_on(program);
        let symbol = local(program, function, ptr, span);
        out.decl(symbol);
        let made = program.symbol(symbol);
        let value = program.cast(ptr, dest);
        out.assign(made, value);
        let taken = program.ne(kept, null);
        let full = program.and(is_on, taken);
        let room = program.not(full);
        let label = out.new_label();
        out.goto_if(room, label);
        out.unsupported("a contract of a function that allocates again and again");
        out.label(label);
        let value = program.ite(is_on, made, kept);
        out.assign(kept, value);
    }

    /// Claims that so many bytes at a pointer may be written.
    fn claim(
        &self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        own: &Own,
        pointer: ExprId,
        size: ExprId,
    ) {
        let void = program.types.void();
        let ptr = program.types.ptr(void);
        let word = program.size_type();
        let pointer = program.cast(ptr, pointer);
        let size = program.cast(word, size);
        let is_on = self.is_on(program);
        let mut allowed = program.not(is_on);
        let none = program.size(0);
        let nothing = program.eq(size, none);
        allowed = program.or(allowed, nothing);
        for &(start, extent) in &self.targets {
            let (start, extent) = (program.symbol(start), program.symbol(extent));
            let lies = lies_in(program, (pointer, size), (start, extent));
            allowed = program.or(allowed, lies);
        }
        for &kept in &own.all {
            let kept = program.symbol(kept);
            let same = program.memory(MemoryOp::SameObject, [pointer, kept]);
            allowed = program.or(allowed, same);
        }
        let description = "the contract lets the function write this".to_owned();
        let claim = Claim::new("user.assert", description);
        out.assert(allowed, claim);
    }
}

/// Builds the condition that bytes at a pointer lie in others; both are given as pointers with sizes.
pub(super) fn lies_in(
    program: &mut Program,
    (pointer, size): (ExprId, ExprId),
    (start, extent): (ExprId, ExprId),
) -> ExprId {
    let word = program.size_type();
    let same = program.memory(MemoryOp::SameObject, [pointer, start]);
    let offset = program.memory(MemoryOp::Offset, [pointer]);
    let first = program.memory(MemoryOp::Offset, [start]);
    // A distance before the beginning is enormous.
    let distance = program.sub(offset, first);
    let distance = program.cast(word, distance);
    let inside = program.le(distance, extent);
    let room = program.sub(extent, distance);
    let fits = program.le(size, room);
    let lies = program.and(inside, fits);
    program.and(same, lies)
}

/// Returns the memory that an instruction writes and that may be anybody's: pointers with sizes.
pub(super) fn written(program: &mut Program, kind: &InstrKind) -> Vec<(ExprId, ExprId)> {
    let place = match kind {
        InstrKind::Assign(place, _) => Some(*place),
        InstrKind::Alloc { dest, .. } => Some(*dest),
        InstrKind::Call { dest, .. }
        | InstrKind::Intrinsic { dest, .. }
        | InstrKind::Spawn { dest, .. }
        | InstrKind::Join { dest, .. } => *dest,
        _ => None,
    };
    let mut out = Vec::new();
    let is_own = |program: &Program, place: ExprId| match program.root_variable(place) {
        Some(symbol) => match program.symbols[symbol].kind {
            SymbolKind::Static { .. } => is_ghost(&program.symbols[symbol].name),
            SymbolKind::Local(_) | SymbolKind::Param(_) => true,
        },
        None => false,
    };
    if let Some(place) = place
        && !is_own(program, place)
    {
        out.push(bytes_of(program, place));
    }
    out.extend(blocks(program, kind));
    out
}

/// The bytes of a place: a pointer and a size.
pub(super) fn bytes_of(program: &mut Program, mut place: ExprId) -> (ExprId, ExprId) {
    // A bit-field has no address: the structure around it counts.
    while let ExprKind::Member(base, member) = *program.exprs.kind(place)
        && is_bit_field(program, base, member)
    {
        place = base;
    }
    let size = program.size_of(program.exprs.ty(place)).unwrap_or(0);
    (program.address_of(place), program.size(size))
}

/// The blocks of memory that an instruction writes beside its place.
pub(super) fn blocks(program: &mut Program, kind: &InstrKind) -> Vec<(ExprId, ExprId)> {
    let mut out = Vec::new();
    match kind {
        InstrKind::Call { callee: Callee::Direct(callee), args, .. }
            if is_block(program, *callee) =>
        {
            let name = program.functions[*callee].display.clone();
            if let Some(&(_, pointer, size)) = BLOCKS.iter().find(|block| block.0 == name)
                && let (Some(&pointer), Some(&size)) = (args.get(pointer), args.get(size))
            {
                out.push((pointer, size));
            }
        }
        InstrKind::Intrinsic { op, args, .. } if *op != vergo_goto::program::Intrinsic::Writes => {
            for block in op.blocks().iter().filter(|block| block.access == Access::Write) {
                out.push((args[block.pointer], args[block.size]));
            }
        }
        InstrKind::Free(pointer, vergo_goto::program::Region::Heap) => {
            // Freeing is writing all of it.
            let size = program.memory(MemoryOp::ObjectSize, [*pointer]);
            out.push((*pointer, size));
        }
        _ => {}
    }
    out
}

fn is_bit_field(program: &Program, base: ExprId, member: u32) -> bool {
    use vergo_goto::types::Type;
    match *program.type_of(base) {
        Type::Struct(id) => program.types.structs[id].fields[member as usize].first_bit.is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::BLOCKS;

    #[test]
    fn blocks_are_sorted() {
        assert!(BLOCKS.is_sorted_by(|a, b| a.0 < b.0));
    }
}

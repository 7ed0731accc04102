//! Contracts of loops: what a loop writes gets any value before the one round that remains.
//!
//! **Idea.** The front end has made `claim I; begin; assume I; while (head, c) { body; claim I; end; assume false }` of a
//! loop with the invariant `I`. For the round to stand for every round, `begin` has to give any value to whatever any
//! round can write. That is read off the instructions between `head` and `end` ([`super::writes`]): variables, members and
//! arrays by name where the way to them does not change in the loop, else the whole object of a pointer.
//!
//! **Soundness.** A way to memory that leads through memory could change in a round. Where that matters, the write gets a
//! claim that it stays in the object that got any value. A write whose object is not found makes the program unsupported
//! from there on. A clause `assigns` of a loop says nothing that would not be found: it is not needed, and not trusted
//! ([`super::assigned`] claims that it is right).

use super::writes::{Target, Writes};
use rustc_hash::FxHashMap;
use vergo_goto::contract::{LOOP_ASSIGNS, LOOP_BEGIN, LOOP_END, LOOP_HEAD};
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::program::{
    Callee, Claim, FunctionId, Instr, InstrKind, Intrinsic, Program, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::TypeId;
use vergo_source::Span;

/// A loop with a contract: the positions of its markers, and of the instructions of a round.
struct Annotated {
    begin: usize,
    round: Vec<usize>,
}

pub(super) fn apply(program: &mut Program) {
    for function in program.functions.keys() {
        // The innermost first: what it gets is what the outer ones see.
        while let Some(found) = innermost(program, function) {
            replace(program, function, &found);
        }
    }
}

/// The marker that an instruction is, without its number, and the number.
pub(super) fn marker<'p>(program: &'p Program, instr: &Instr) -> Option<(&'static str, &'p str)> {
    let InstrKind::Call { callee: Callee::Direct(callee), .. } = instr.kind else { return None };
    let name = &program.functions[callee].display;
    [LOOP_ASSIGNS, LOOP_BEGIN, LOOP_HEAD, LOOP_END]
        .into_iter()
        .find_map(|kind| name.strip_prefix(kind).map(|number| (kind, number)))
}

fn innermost(program: &Program, function: FunctionId) -> Option<Annotated> {
    let body = program.functions[function].body.as_ref()?;
    let mut best: Option<Annotated> = None;
    for (begin, instr) in body.iter().enumerate() {
        let Some((LOOP_BEGIN, number)) = marker(program, instr) else { continue };
        let round = round(program, function, number);
        if best.as_ref().is_none_or(|other| round.len() < other.round.len()) {
            best = Some(Annotated { begin, round });
        }
    }
    best
}

/// The instructions of a round of a loop, by its number.
pub(super) fn round(program: &Program, function: FunctionId, number: &str) -> Vec<usize> {
    let body = program.functions[function].body.as_deref().unwrap_or_default();
    let find = |kind| body.iter().position(|instr| marker(program, instr) == Some((kind, number)));
    match (find(LOOP_HEAD), find(LOOP_END)) {
        (Some(head), Some(end)) => between(program, function, body, head, end),
        // No round comes to its end.
        _ => Vec::new(),
    }
}

/// The instructions on the ways from one to another.
fn between(
    program: &Program,
    function: FunctionId,
    body: &[Instr],
    from: usize,
    to: usize,
) -> Vec<usize> {
    let mut position = vec![body.len(); program.functions[function].n_labels as usize];
    for (i, instr) in body.iter().enumerate() {
        if let InstrKind::Label(label) = instr.kind {
            position[cranelift_entity::EntityRef::index(label)] = i;
        }
    }
    let next = |i: usize| {
        let jump = match body[i].kind {
            InstrKind::Goto(_, label) => Some(position[cranelift_entity::EntityRef::index(label)]),
            _ => None,
        };
        let fall = body[i].kind.falls_through().then_some(i + 1);
        [jump, fall].into_iter().flatten().filter(|&next| next < body.len())
    };
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); body.len()];
    for i in 0..body.len() {
        for successor in next(i) {
            before[successor].push(i);
        }
    }
    let reach = |start: usize, stop: usize, next: &dyn Fn(usize) -> Vec<usize>| {
        let mut seen = vec![false; body.len()];
        let mut pending = vec![start];
        while let Some(i) = pending.pop() {
            if std::mem::replace(&mut seen[i], true) || i == stop {
                continue;
            }
            pending.extend(next(i));
        }
        seen
    };
    let forward = reach(from, to, &|i| next(i).collect());
    let backward = reach(to, from, &|i| before[i].clone());
    (0..body.len()).filter(|&i| forward[i] && backward[i]).collect()
}

/// Replaces the marker before a loop by any value of whatever its rounds write.
fn replace(program: &mut Program, function: FunctionId, found: &Annotated) {
    let writes = Writes::of_round(program, function, &found.round);
    let begin = found.begin;
    let mut at = 0;
    let mut snapshots: Vec<(ExprId, ExprId)> = Vec::new();
    let mut checks = match &writes {
        Ok(writes) => writes.checks.clone(),
        Err(_) => FxHashMap::default(),
    };
    // The pointers are read where the loop begins; the claims in its rounds speak of them.
    let mut symbols: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    program.rewrite_body(function, |program, out, instr| {
        let here = at;
        at += 1;
        if here == begin {
            match &writes {
                Err(reason) => out.unsupported(format!("a loop contract: {reason}")),
                Ok(writes) => {
                    for &pointer in &writes.pointers {
                        let ty = program.exprs.ty(pointer);
                        let symbol = local(program, function, ty, instr.span);
                        out.decl(symbol);
                        let place = program.symbol(symbol);
                        out.assign(place, pointer);
                        snapshots.push((pointer, place));
                        symbols.insert(pointer, place);
                    }
                    for target in &writes.targets {
                        havoc(program, function, out, target, &symbols, instr.span);
                    }
                }
            }
            return;
        }
        if let Some(roots) = checks.remove(&here)
            && let Some(place) = written_place(&instr.kind)
        {
            let void = program.types.void();
            let ptr = program.types.ptr(void);
            let address = program.address_of(place);
            let address = program.cast(ptr, address);
            let mut stays = program.bool(false);
            for root in roots {
                let Some(&kept) = symbols.get(&root) else { continue };
                let kept = program.cast(ptr, kept);
                let same = program.memory(MemoryOp::SameObject, [address, kept]);
                stays = program.or(stays, same);
            }
            let description = "a loop with a contract writes what it did not begin with".to_owned();
            let claim = Claim::new("user.assert", description);
            out.assert(stays, claim);
        }
        out.push_instr(instr);
    });
}

pub(super) fn written_place(kind: &InstrKind) -> Option<ExprId> {
    match kind {
        InstrKind::Assign(place, _) => Some(*place),
        InstrKind::Call { dest, .. } | InstrKind::Intrinsic { dest, .. } => *dest,
        InstrKind::Alloc { dest, .. } => Some(*dest),
        _ => None,
    }
}

/// A variable of a function that only the pass knows.
pub(super) fn local(
    program: &mut Program,
    function: FunctionId,
    ty: TypeId,
    span: Span,
) -> SymbolId {
    let align = 16;
    let name = format!("$contract{}", program.symbols.len());
    let kind = SymbolKind::Local(function);
    program.add_symbol(Symbol {
        name,
        display: String::new(),
        ty,
        kind,
        span,
        align,
        writable: true,
    })
}

fn havoc(
    program: &mut Program,
    function: FunctionId,
    out: &mut vergo_goto::build::FunctionBuilder,
    target: &Target,
    symbols: &FxHashMap<ExprId, ExprId>,
    span: Span,
) {
    match *target {
        Target::Place(place) => {
            // Through the pointer as it was when the loop began.
            let place = super::writes::through(program, place, symbols);
            let value = program.nondet(program.exprs.ty(place));
            out.assign(place, value);
        }
        Target::Object(pointer) => {
            let pointer = symbols.get(&pointer).copied().unwrap_or(pointer);
            let void = program.types.void();
            let ptr = program.types.ptr(void);
            let pointer = program.cast(ptr, pointer);
            let offset = program.memory(MemoryOp::Offset, [pointer]);
            let back = program.neg(offset);
            let start = program.ptr_add(pointer, back);
            let size = program.memory(MemoryOp::ObjectSize, [pointer]);
            let count_type = program.exprs.ty(offset);
            let count = local(program, function, count_type, span);
            out.decl(count);
            let count = program.symbol(count);
            let int = program.types.int(true, 32);
            let nowhere = program.int(int, -1);
            out.intrinsic(Intrinsic::Read, Some(count), [nowhere, start, size]);
            let size = program.cast(count_type, size);
            let all = program.eq(count, size);
            out.assume(all);
        }
    }
}

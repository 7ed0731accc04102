//! Clauses `assigns` of loops: a loop with a contract writes only what its clause names.
//!
//! **Idea.** The front end has put a marker before the loop with what the clause names, as pointers with sizes. Every write
//! of a round to something that was there before the round gets a claim that it lies in one of these. A variable that is
//! written by its name and named by the clause needs none.
//!
//! **How exactly.** Writes of the loop itself are compared byte by byte. Of calls, the objects are compared, not the bytes in
//! them. A write through a pointer that may point to something new has no claim.
//!
//! Nothing else depends on these clauses: what rounds write is found by [`super::loops`]. A clause that is too small makes a
//! proof of CBMC's fail, and so it does here.

use super::frames::{blocks, bytes_of, is_block, lies_in, written};
use super::loops::{marker, round, written_place};
use super::writes::{Change, Root, Written};
use rustc_hash::FxHashMap;
use vergo_goto::contract::LOOP_ASSIGNS;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{Callee, Claim, FunctionId, Instr, InstrKind, Program};

/// A clause: the position of its marker, the instructions of a round, and what may be written.
struct Clause {
    at: usize,
    round: Vec<usize>,
    targets: Vec<(ExprId, ExprId)>,
}

/// Something that is claimed to be among the targets.
enum Wanted {
    Bytes(ExprId, ExprId),
    Object(ExprId),
}

pub(super) fn apply(program: &mut Program) {
    for function in program.functions.keys() {
        while let Some(clause) = next(program, function) {
            let wanted = clause.wanted(program, function);
            clause.claim(program, function, wanted);
        }
    }
}

/// The first clause of a function.
fn next(program: &Program, function: FunctionId) -> Option<Clause> {
    let body = program.functions[function].body.as_ref()?;
    body.iter().enumerate().find_map(|(at, instr)| {
        let (LOOP_ASSIGNS, number) = marker(program, instr)? else { return None };
        let InstrKind::Call { args, .. } = &instr.kind else { return None };
        let targets = args.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        Some(Clause { at, round: round(program, function, number), targets })
    })
}

impl Clause {
    /// Returns the claims that are wanted, by position.
    fn wanted(&self, program: &mut Program, function: FunctionId) -> FxHashMap<usize, Vec<Wanted>> {
        // Where it is not known what is written, the loop is not supported anyway.
        let found = Written::in_round(program, function, &self.round).unwrap_or_default();
        let mut wanted: FxHashMap<usize, Vec<Wanted>> = FxHashMap::default();
        for all in found.chunk_by(|a, b| a.at == b.at) {
            let at = all[0].at;
            let Some(body) = &program.functions[function].body else { break };
            let kind = body[at].kind.clone();
            let own = wanted.entry(at).or_default();
            self.by_name(program, all, own);
            match kind {
                InstrKind::Call { callee: Callee::Direct(callee), .. }
                    if !is_block(program, callee) =>
                {
                    self.in_call(program, all, own);
                }
                _ if all.iter().any(|one| one.root == Root::New) => {}
                _ => {
                    let has_name = |place| program.root_variable(place).is_some();
                    let bytes = match written_place(&kind) {
                        Some(place) if has_name(place) => blocks(program, &kind),
                        _ => written(program, &kind),
                    };
                    own.extend(
                        bytes.into_iter().map(|(pointer, size)| Wanted::Bytes(pointer, size)),
                    );
                }
            }
        }
        wanted
    }

    /// Variables that an instruction writes by their names, and that the clause does not name.
    fn by_name(&self, program: &mut Program, all: &[Written], out: &mut Vec<Wanted>) {
        for one in all {
            let (Root::Variable(symbol), Some(place)) = (one.root, one.place) else { continue };
            if program.root_variable(place) != Some(symbol) {
                continue;
            }
            // What only verification has is nobody's business.
            if !program.symbols[symbol].display.is_empty() && !self.names(program, place) {
                let (pointer, size) = bytes_of(program, place);
                out.push(Wanted::Bytes(pointer, size));
            }
        }
    }

    /// Objects that a call writes.
    fn in_call(&self, program: &mut Program, all: &[Written], out: &mut Vec<Wanted>) {
        for one in all.iter().filter(|one| one.place.is_none()) {
            let pointer = match one.root {
                Root::Variable(symbol) => {
                    let whole = program.symbol(symbol);
                    if self.names(program, whole) || program.symbols[symbol].display.is_empty() {
                        continue;
                    }
                    program.address_of(whole)
                }
                Root::Before(pointer, Change::Fixed | Change::Moved) => pointer,
                Root::Before(_, Change::Any) | Root::New => continue,
            };
            out.push(Wanted::Object(pointer));
        }
    }

    /// Returns whether the clause names a place, or an object that the place is a part of.
    fn names(&self, program: &Program, mut place: ExprId) -> bool {
        loop {
            let is_it = |&(pointer, _): &(ExprId, ExprId)| named(program, pointer) == Some(place);
            if self.targets.iter().any(is_it) {
                return true;
            }
            match *program.exprs.kind(place) {
                ExprKind::Member(base, _) | ExprKind::Index(base, _) => place = base,
                _ => return false,
            }
        }
    }

    /// Makes the claims, and takes the marker away.
    fn claim(
        &self,
        program: &mut Program,
        function: FunctionId,
        mut wanted: FxHashMap<usize, Vec<Wanted>>,
    ) {
        let mut at = 0;
        program.rewrite_body(function, |program, out, instr: Instr| {
            let here = at;
            at += 1;
            if here == self.at {
                return;
            }
            for one in wanted.remove(&here).into_iter().flatten() {
                let condition = self.allows(program, &one);
                let description = "the loop writes only what its `assigns` clause names".to_owned();
                out.assert(condition, Claim::new("user.assert", description));
            }
            out.push_instr(instr);
        });
    }

    fn allows(&self, program: &mut Program, wanted: &Wanted) -> ExprId {
        let void = program.types.void();
        let ptr = program.types.ptr(void);
        let word = program.size_type();
        let none = program.size(0);
        let mut allowed = match *wanted {
            Wanted::Bytes(_, size) => {
                let size = program.cast(word, size);
                program.eq(size, none)
            }
            Wanted::Object(_) => program.bool(false),
        };
        for &(start, extent) in &self.targets {
            let one = match *wanted {
                Wanted::Bytes(pointer, size) => {
                    let pointer = program.cast(ptr, pointer);
                    let size = program.cast(word, size);
                    lies_in(program, (pointer, size), (start, extent))
                }
                Wanted::Object(pointer) => {
                    let pointer = program.cast(ptr, pointer);
                    let same = program.memory(MemoryOp::SameObject, [pointer, start]);
                    let some = program.ne(extent, none);
                    program.and(same, some)
                }
            };
            allowed = program.or(allowed, one);
        }
        allowed
    }
}

/// The place whose address a pointer is.
fn named(program: &Program, mut pointer: ExprId) -> Option<ExprId> {
    loop {
        match *program.exprs.kind(pointer) {
            ExprKind::Cast(_, inner) => pointer = inner,
            ExprKind::AddressOf(place) => return Some(place),
            _ => return None,
        }
    }
}

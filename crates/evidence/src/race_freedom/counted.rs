//! Loops that start a thread in each round, and loops that wait for all of these.
//!
//! A *counted* loop sets a variable of its function to zero, ends when that is not less than a constant, and adds one to it at
//! the end of each round; nothing else writes the variable, and every round goes straight from its beginning to its end.
//! If such a loop starts one thread in each round, whose number it stores at the variable's index in an array, nothing else writes the
//! array, and another counted loop, with the same constant and behind the first, waits in each round for the thread whose number is
//! there, then all of them have ended when that loop has. This is a matter of the text of one function alone.

use super::library::{Library, library};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{
    Callee, Function, FunctionId, InstrKind, LabelId, Program, SymbolId, SymbolKind,
};
use vergo_num::BitVec;

/// A loop that waits for the threads that another has started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    /// The jump that ends the loop when all have been waited for.
    pub(crate) head: u32,
    /// The instruction that starts a thread in each round of the other.
    pub(crate) start: u32,
    /// The instruction with which the other begins.
    pub(crate) begin: u32,
}

/// Rounds that a counted loop has at most, so that its variable is a number of any type.
const MAX_ROUNDS: u64 = 100_000;

/// A counted loop: positions of instructions.
struct Counted {
    /// Where the variable is set to zero.
    begin: usize,
    head: usize,
    /// Where one is added to it.
    end: usize,
    variable: SymbolId,
    bound: BitVec,
}

/// The loops of a function that wait for all threads of another.
pub(crate) fn waiting(program: &Program, function: FunctionId) -> Vec<Waiting> {
    let of = &program.functions[function];
    let body = of.body.as_deref().unwrap_or_default();
    let calls = |what: Library| {
        body.iter().any(|instr| match instr.kind {
            InstrKind::Call { callee: Callee::Direct(callee), .. } => {
                library(&program.functions[callee]) == what
            }
            _ => false,
        })
    };
    if of.library || !calls(Library::Create) || !calls(Library::Join) {
        return Vec::new();
    }
    let loops: Vec<Counted> =
        (0..body.len()).filter_map(|head| counted(program, of, head)).collect();
    let mut found = Vec::new();
    for starting in &loops {
        let Some((start, array)) = only_call(program, of, starting, Library::Create) else {
            continue;
        };
        for joining in loops.iter().filter(|other| other.begin > starting.end) {
            let joined = only_call(program, of, joining, Library::Join);
            let Some((join, other)) = joined else { continue };
            if other == array
                && joining.bound == starting.bound
                && is_only_used_by(program, function, array, [start, join])
            {
                let [head, start, begin] = [joining.head, start, starting.begin].map(|i| i as u32);
                found.push(Waiting { head, start, begin });
            }
        }
    }
    found
}

/// The counted loop that an instruction stands in: the instruction with which it begins, and how many rounds it has.
pub(crate) fn rounds(program: &Program, function: FunctionId, instr: u32) -> Option<(u32, u64)> {
    let of = &program.functions[function];
    let instr = instr as usize;
    let mut loops = (0..instr).filter_map(|head| counted(program, of, head));
    let around = loops.rfind(|counted| counted.head < instr && instr < counted.end)?;
    Some((around.begin as u32, around.bound.to_u64()?))
}

/// The counted loop whose end is tested by a jump.
fn counted(program: &Program, of: &Function, head: usize) -> Option<Counted> {
    let body = of.body.as_deref()?;
    let InstrKind::Goto(Some(condition), out) = body.get(head)?.kind else { return None };
    let ExprKind::Binary(BinaryOp::Le, bound, counter) = *program.exprs.kind(condition) else {
        return None;
    };
    let (ExprKind::Int(bound), &ExprKind::Symbol(variable)) =
        (program.exprs.kind(bound), program.exprs.kind(counter))
    else {
        return None;
    };
    // The variable is set to zero, then comes the label to which the last instruction of a round goes back.
    let begin = head.checked_sub(2)?;
    let InstrKind::Label(back) = body[head - 1].kind else { return None };
    let InstrKind::Assign(place, zero) = body[begin].kind else { return None };
    let is_zero = match program.exprs.kind(zero) {
        ExprKind::Int(bits) => bits.is_zero(),
        kind => matches!(kind, ExprKind::Zero),
    };
    let is_variable =
        |expr: ExprId| matches!(program.exprs.kind(expr), ExprKind::Symbol(s) if *s == variable);
    if !is_zero || !is_variable(place) || !is_private(program, variable) {
        return None;
    }
    let goes_to =
        |i: usize, label: LabelId| matches!(body[i].kind, InstrKind::Goto(None, to) if to == label);
    let last = (head + 1..body.len()).find(|&i| !is_straight(&body[i].kind))?;
    if !goes_to(last, back) || !matches!(body.get(last + 1)?.kind, InstrKind::Label(l) if l == out)
    {
        return None;
    }
    let end = last - 1;
    let InstrKind::Assign(place, sum) = body[end].kind else { return None };
    let ExprKind::Binary(BinaryOp::Add, one, other) = *program.exprs.kind(sum) else { return None };
    let is_one = |expr: ExprId| matches!(program.exprs.kind(expr), ExprKind::Int(bits) if bits.to_u64() == Some(1));
    let adds_one = is_variable(one) && is_one(other) || is_one(one) && is_variable(other);
    // Who goes to a label of the loop from elsewhere has not begun it.
    let labels: Vec<LabelId> = body[head - 1..last]
        .iter()
        .filter_map(|i| match i.kind {
            InstrKind::Label(label) => Some(label),
            _ => None,
        })
        .collect();
    let mut jumps = body.iter().enumerate().filter(|(i, _)| *i != last);
    let is_entered = jumps.any(|(i, instr)| match instr.kind {
        InstrKind::Goto(_, to) => labels.contains(&to) || i != head && to == out,
        _ => false,
    });
    let writes = |kind: &InstrKind| {
        written(kind).is_some_and(|place| program.root_variable(place) == Some(variable))
    };
    let n_writes = body.iter().filter(|instr| writes(&instr.kind)).count();
    let renews = |kind: &InstrKind| matches!(*kind, InstrKind::Decl(s) | InstrKind::Dead(s) if s == variable);
    let is_renewed = body[head..last].iter().any(|instr| renews(&instr.kind));
    let is_small = bound.to_u64().is_some_and(|bound| bound <= MAX_ROUNDS);
    let is_left_alone = !is_entered && !is_renewed && n_writes == 2;
    let fits = adds_one && is_variable(place) && is_left_alone && is_small;
    fits.then(|| Counted { begin, head, end, variable, bound: bound.clone() })
}

/// Returns whether a thread that executes an instruction continues with the next one.
fn is_straight(kind: &InstrKind) -> bool {
    matches!(
        kind,
        InstrKind::Assign(..)
            | InstrKind::Assert(..)
            | InstrKind::Call { .. }
            | InstrKind::Decl(_)
            | InstrKind::Dead(_)
            | InstrKind::Label(_)
            | InstrKind::Skip
    )
}

/// The place that an instruction writes by itself.
fn written(kind: &InstrKind) -> Option<ExprId> {
    match *kind {
        InstrKind::Assign(place, _) => Some(place),
        InstrKind::Alloc { dest, .. } => Some(dest),
        InstrKind::Call { dest, .. }
        | InstrKind::Spawn { dest, .. }
        | InstrKind::Join { dest, .. }
        | InstrKind::Intrinsic { dest, .. } => dest,
        _ => None,
    }
}

/// The only call of a loop to functions of the library that do this, and the array at whose element of the loop's variable it
/// stores or finds the number of a thread. None if the loop calls anything else.
fn only_call(
    program: &Program,
    of: &Function,
    counted: &Counted,
    what: Library,
) -> Option<(usize, SymbolId)> {
    let body = of.body.as_deref()?;
    let mut found = None;
    for (i, instr) in body.iter().enumerate().take(counted.end).skip(counted.head + 1) {
        let InstrKind::Call { callee, ref args, .. } = instr.kind else { continue };
        let Callee::Direct(callee) = callee else { return None };
        if library(&program.functions[callee]) != what || found.is_some() {
            return None;
        }
        let element = match what {
            Library::Create => address(program, *args.first()?)?,
            _ => element(program, *args.first()?)?,
        };
        found = (element.1 == counted.variable).then_some((i, element.0));
    }
    found
}

/// The array and the index of an element: two variables.
fn element(program: &Program, place: ExprId) -> Option<(SymbolId, SymbolId)> {
    let ExprKind::Index(array, index) = *program.exprs.kind(place) else { return None };
    match (program.exprs.kind(array), program.exprs.kind(index)) {
        (ExprKind::Symbol(array), ExprKind::Symbol(index)) => Some((*array, *index)),
        _ => None,
    }
}

/// The array and the index of the element at an address.
fn address(program: &Program, pointer: ExprId) -> Option<(SymbolId, SymbolId)> {
    match *program.exprs.kind(pointer) {
        ExprKind::AddressOf(place) => element(program, place),
        ExprKind::Binary(BinaryOp::PtrAdd, start, index) => {
            let &ExprKind::AddressOf(place) = program.exprs.kind(start) else { return None };
            let &ExprKind::Index(array, zero) = program.exprs.kind(place) else { return None };
            let is_zero = matches!(program.exprs.kind(zero), ExprKind::Int(bits) if bits.is_zero());
            match (program.exprs.kind(array), program.exprs.kind(index)) {
                (ExprKind::Symbol(array), ExprKind::Symbol(index)) if is_zero => {
                    Some((*array, *index))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Checks whether a variable is one of a function whose address is not taken.
fn is_private(program: &Program, symbol: SymbolId) -> bool {
    let is_address = |kind: &ExprKind| matches!(*kind, ExprKind::AddressOf(place) if program.root_variable(place) == Some(symbol));
    matches!(program.symbols[symbol].kind, SymbolKind::Local(_))
        && !program.exprs.iter().any(|(_, expr)| is_address(&expr.kind))
}

/// Checks whether a variable is mentioned in the first arguments of two calls of a function alone, but for claims, and where it
/// begins and ends.
fn is_only_used_by(
    program: &Program,
    function: FunctionId,
    symbol: SymbolId,
    users: [usize; 2],
) -> bool {
    let mut bodies = program.functions.iter();
    bodies.all(|(id, of)| {
        of.body.iter().flatten().enumerate().all(|(i, instr)| {
            let mut mentions = false;
            let mut look = |expr: ExprId| {
                program.for_each_subexpr(expr, |part| {
                    let kind = program.exprs.kind(part);
                    mentions |= matches!(kind, ExprKind::Symbol(s) if *s == symbol);
                });
            };
            match &instr.kind {
                InstrKind::Assert(..) => {}
                InstrKind::Call { dest, args, .. } if id == function && users.contains(&i) => {
                    dest.iter().chain(args.iter().skip(1)).for_each(|&expr| look(expr));
                }
                kind => kind.for_each_expr(|expr, _| look(expr)),
            }
            !mentions
        })
    }) && matches!(program.symbols[symbol].kind, SymbolKind::Local(_))
}

//! Where a function's labels and loops are, and what users call the loops.
//!
//! A loop is a label with a jump back to it. Loops are numbered within their function in the order of their heads and
//! called by function and number, `main.0`: the names that other bounded model checkers have for them, too.

use cranelift_entity::EntityRef;
use std::collections::BTreeMap;
use vergo_goto::contract::RANGE;
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{Function, FunctionId, Instr, InstrKind, Program};
use vergo_source::Span;

/// Bounds for loops, by function and number of the loop in it.
pub type LoopBounds = BTreeMap<(FunctionId, usize), u32>;

/// A loop of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The function that it is in.
    pub function: FunctionId,
    /// Its number there.
    pub number: usize,
    /// The last jump back to its head.
    pub span: Span,
}

/// The loops of a program, by function and number.
pub fn loops(program: &Program) -> Vec<Loop> {
    let mut found = Vec::new();
    for (function, info) in program.functions.iter() {
        let shape = Shape::of(info);
        let body = info.body.as_deref().unwrap_or_default();
        for (number, shape) in shape.loops.iter().enumerate() {
            found.push(Loop { function, number, span: body[shape.last].span });
        }
    }
    found
}

/// The factor of further undecided rounds for a loop over the range of a quantifier: the loop is of no use before the whole
/// range is covered.
pub(crate) const RANGE_ROUNDS: u32 = 1024;

/// Checks whether a loop is over the range of a quantifier: its first test is of the variable that says so.
pub(crate) fn is_over_range(program: &Program, function: FunctionId, head: usize) -> bool {
    let body = program.functions[function].body.as_deref().unwrap_or_default();
    let mut kinds = body[head..].iter().map(|instr| &instr.kind);
    let first = kinds.find(|kind| !matches!(kind, InstrKind::Label(_) | InstrKind::Skip));
    let Some(InstrKind::Goto(Some(test), _)) = first else { return false };
    let mut found = false;
    program.for_each_subexpr(*test, |expr| {
        if let ExprKind::Symbol(symbol) = *program.exprs.kind(expr) {
            found |= program.symbols[symbol].display.starts_with(RANGE);
        }
    });
    found
}

impl Loop {
    /// Returns the user's name of the loop.
    pub fn name(&self, program: &Program) -> String {
        format!("{}.{}", program.functions[self.function].name, self.number)
    }
}

/// The bounds that a text such as `main.0:10,search.1:3` gives to loops.
///
/// # Errors
/// If it is no such text, or if there is no loop of a name; the message says what there is.
pub fn parse_loop_bounds(program: &Program, text: &str) -> Result<LoopBounds, String> {
    let loops = loops(program);
    let names: Vec<String> = loops.iter().map(|of| of.name(program)).collect();
    let mut bounds = LoopBounds::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let form = || format!("`{part}` is no bound of a loop, which looks like `main.0:10`");
        let (name, bound) = part.rsplit_once(':').ok_or_else(form)?;
        let bound: u32 = bound.trim().parse().map_err(|_| form())?;
        let name = name.trim();
        let Some(index) = names.iter().position(|other| other == name) else {
            return Err(no_such_loop(program, name, &loops, &names));
        };
        bounds.insert((loops[index].function, loops[index].number), bound);
    }
    Ok(bounds)
}

fn no_such_loop(program: &Program, name: &str, loops: &[Loop], names: &[String]) -> String {
    let function = name.rsplit_once('.').map_or(name, |(function, _)| function);
    let of_function: Vec<&str> = loops
        .iter()
        .zip(names)
        .filter(|(of, _)| program.functions[of.function].name == function)
        .map(|(_, name)| name.as_str())
        .collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let is_function = program.functions.values().any(|info| info.name == function);
    match (of_function.is_empty(), is_function, all.is_empty()) {
        (false, ..) => {
            format!("there is no loop `{name}`; `{function}` has {}", of_function.join(", "))
        }
        (true, true, _) => format!("there is no loop `{name}`: `{function}` has no loops"),
        (true, false, true) => format!("there is no loop `{name}`: the program has no loops"),
        (true, false, false) => format!("there is no loop `{name}`; there are {}", all.join(", ")),
    }
}

/// Where a function's labels and loops are.
pub(crate) struct Shape {
    /// The position of each label.
    pub(crate) labels: Vec<usize>,
    /// The loops, by ascending positions at which they begin.
    loops: Vec<LoopShape>,
}

/// Where a loop is.
#[derive(Clone, Copy)]
pub(crate) struct LoopShape {
    head: usize,
    /// The last jump back to the head.
    pub(crate) last: usize,
    /// True if there is no way out between them.
    pub(crate) is_endless: bool,
}

impl Shape {
    pub(crate) fn of(function: &Function) -> Shape {
        let body = function.body.as_deref().unwrap_or_default();
        let mut labels = vec![body.len(); function.n_labels as usize];
        let mut last_jumps = BTreeMap::new();
        for (i, instr) in body.iter().enumerate() {
            match instr.kind {
                InstrKind::Label(label) => labels[label.index()] = i,
                // Labels behind are not known yet, but those are not heads of loops.
                InstrKind::Goto(_, label) if labels[label.index()] <= i => {
                    last_jumps.insert(labels[label.index()], i);
                }
                _ => {}
            }
        }
        let shape = |(head, last): (usize, usize)| {
            let leaves = |instr: &Instr| match instr.kind {
                InstrKind::Goto(_, label) => !(head..=last).contains(&labels[label.index()]),
                InstrKind::Return(_) => true,
                _ => false,
            };
            LoopShape {
                head,
                last,
                is_endless: !body[head..=last].iter().any(leaves) && !falls_out(&body[last]),
            }
        };
        let loops = last_jumps.into_iter().map(shape).collect();
        Shape { labels, loops }
    }

    /// The number of the loop that begins at a position.
    pub(crate) fn number(&self, head: usize) -> usize {
        self.loops.partition_point(|other| other.head < head)
    }

    /// The loop that begins at a position.
    pub(crate) fn loop_at(&self, head: usize) -> LoopShape {
        self.loops[self.number(head)]
    }
}

/// Checks whether executions get past the last jump of a loop.
fn falls_out(jump: &Instr) -> bool {
    matches!(jump.kind, InstrKind::Goto(Some(_), _))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let source = "machine 64 x87 16 wide 8; sites 9; entry main;
            function search: fn() -> void labels 2 { L0: L1: if true goto L1; if true goto L0; return; }
            function flat: fn() -> void labels 0 { return; }
            function main: fn() -> void labels 2 { goto L1; L0: if true goto L0; L1: return; }";
        vergo_goto::text::parse(source).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn loops_have_the_names_by_which_bounds_are_given() {
        let program = program();
        let names: Vec<String> = loops(&program).iter().map(|of| of.name(&program)).collect();
        assert_eq!(names, ["search.0", "search.1", "main.0"]);
        let bounds = parse_loop_bounds(&program, "main.0:7, search.1:0").unwrap();
        assert_eq!(bounds.values().copied().collect::<Vec<u32>>(), [0, 7]);
        assert_eq!(parse_loop_bounds(&program, "").unwrap(), LoopBounds::new());
    }

    #[test]
    fn what_is_wrong_with_bounds_is_said() {
        let program = program();
        let message = |text| parse_loop_bounds(&program, text).unwrap_err();
        assert!(message("main.0").contains("looks like `main.0:10`"));
        assert!(message("main.0:many").contains("looks like"));
        assert!(message("search.2:3").contains("`search` has search.0, search.1"));
        assert!(message("flat.0:3").contains("`flat` has no loops"));
        assert!(message("nowhere.0:3").contains("there are search.0, search.1, main.0"));
    }
}

//! Goals of coverage as claims: each is violated by exactly the executions that reach it.
//!
//! **Source.** Section 4.5.1 and algorithm 9 of the thesis: an assertion that fails at each point, and a verdict for each
//! assertion.
//!
//! **Changed.** An execution ends at the first claim that it violates, so that assertions in place would hide what lies
//! behind them. Here an execution chooses one goal when it begins, and only the claim of that goal can fail in it: the claims do not get
//! in each other's way, and one program and one solver serve all goals. Conditions of goals are conditions of the claims, so that the
//! program's control flow stays as it is.
//!
//! **Criteria.** Statements (by their place in the source), branches (both outcomes of every jump on a condition), conditions
//! (both values of every part of such a condition that is no conjunction, disjunction or negation), masking MC/DC (both
//! values of each part, where the outcome depends on it), loops (not entered, entered, a second round), functions, calls, and
//! calls of error functions. Goals are of the user's own functions; models of the library have none.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use vergo_analysis::cfg::Cfg;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::program::{
    Callee, Claim, FunctionId, InstrKind, Program, StaticInit, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::TypeId;
use vergo_source::Span;

/// The parts of a condition that are looked at: more are none that people test one by one.
const MAX_PARTS: usize = 16;

/// The criterion of coverage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Criterion {
    /// Both outcomes of branches.
    Branch,
    /// Calls.
    Call,
    /// Both values of the parts of conditions.
    Condition,
    /// Calls of `reach_error` and `__VERIFIER_error`.
    ErrorCall,
    /// Functions.
    Function,
    /// Loops: not entered, entered, a second round.
    Loop,
    /// Both values of the parts of conditions, where the outcome depends on them.
    Mcdc,
    /// Statements.
    Statement,
}

impl Criterion {
    /// All criteria with their names, in order of name.
    pub const ALL: &'static [(&'static str, Criterion)] = &[
        ("branch", Criterion::Branch),
        ("call", Criterion::Call),
        ("condition", Criterion::Condition),
        ("error-call", Criterion::ErrorCall),
        ("function", Criterion::Function),
        ("loop", Criterion::Loop),
        ("mcdc", Criterion::Mcdc),
        ("statement", Criterion::Statement),
    ];

    /// The criterion of a name.
    pub fn from_name(name: &str) -> Option<Criterion> {
        Criterion::ALL.iter().find(|(other, _)| *other == name).map(|&(_, criterion)| criterion)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Criterion::ALL.iter().find(|(_, other)| *other == self).map_or("", |(name, _)| name)
    }
}

/// A goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The criterion that the goal belongs to.
    pub criterion: Criterion,
    /// The function in which it is.
    pub function: FunctionId,
    /// Where it is.
    pub span: Span,
    /// The event that covers the goal.
    pub what: String,
}

/// The property of the claim of a goal.
pub const PROPERTY: &str = "cover.goal";

/// The goals of a program.
#[derive(Clone, Default, Debug)]
pub struct Goals {
    /// The goals; the number of one is the description of its claim.
    pub list: Vec<Goal>,
    /// The variable that holds the number of the goal that an execution is about.
    chosen: Option<SymbolId>,
}

/// The number of the goal that a claim is of.
pub fn goal_of(claim: &Claim) -> Option<usize> {
    (claim.property == PROPERTY).then(|| claim.description.parse().ok()).flatten()
}

/// Drops the claims of some goals.
pub fn drop_claims(program: &mut Program, which: impl Fn(usize) -> bool) {
    for function in program.functions.values_mut() {
        for instr in function.body.iter_mut().flatten() {
            if let InstrKind::Assert(_, claim) = &instr.kind
                && goal_of(claim).is_some_and(&which)
            {
                instr.kind = InstrKind::Skip;
            }
        }
    }
}

impl Goals {
    /// A program whose executions are those of this one, which has the claims of the goals, but go on behind every goal and note
    /// it: the byte of its number in the variable that is returned becomes one.
    pub fn noted(&self, program: &Program) -> Option<(Program, SymbolId)> {
        let chosen = self.chosen?;
        let mut program = program.clone();
        let byte = program.types.int(false, 8);
        let bytes = program.types.array(byte, self.list.len().max(1) as u64);
        let reached = add_static(&mut program, "reached", bytes, 1);
        let place = program.symbol(reached);
        let word = program.symbols[chosen].ty;
        let functions: Vec<FunctionId> = program.functions.keys().collect();
        for function in functions {
            let Some(mut body) = program.functions[function].body.take() else { continue };
            for instr in &mut body {
                let InstrKind::Assert(condition, claim) = &instr.kind else { continue };
                let (condition, Some(goal)) = (*condition, goal_of(claim)) else { continue };
                let number = program.int(word, goal as i128);
                let missed =
                    program.map_expr(condition, |program, expr| match program.exprs.kind(expr) {
                        ExprKind::Symbol(symbol) if *symbol == chosen => number,
                        _ => expr,
                    });
                let index = program.size(goal as u64);
                let note = program.index(place, index);
                let one = program.int(byte, 1);
                let noted = program.ite(missed, note, one);
                instr.kind = InstrKind::Assign(note, noted);
            }
            program.functions[function].body = Some(body);
        }
        Some((program, reached))
    }
}

fn add_static(program: &mut Program, name: &str, ty: TypeId, align: u64) -> SymbolId {
    let kind = SymbolKind::Static { init: StaticInit::Data(Vec::new()), thread_local: false };
    let name = format!("{name}@{}", program.symbols.len());
    let (display, span, writable) = (String::new(), Span::DUMMY, true);
    program.add_symbol(Symbol { name, display, ty, kind, span, align, writable })
}

/// Adds the claims of goals to a program. The first choice of every execution is the goal that it is about.
pub fn add_goals(program: &mut Program, criteria: &[Criterion]) -> Goals {
    let Some(entry) = program.entry else { return Goals::default() };
    let word = program.types.int(false, 32);
    let choice = add_static(program, "choice", word, 4);
    let chosen = add_static(program, "goal", word, 4);
    let mut maker = Maker { chosen, criteria, goals: Vec::new(), by_place: BTreeMap::new() };
    let functions: Vec<FunctionId> = program.functions.keys().collect();
    for function in functions {
        let info = &program.functions[function];
        if info.library || info.span.is_dummy() || info.body.is_none() || function == entry {
            continue;
        }
        maker.function(program, function);
    }
    let goals = Goals { list: maker.goals, chosen: Some(chosen) };
    // All numbers are goals: a power of two, so that a choice at random is one, too.
    let mask = (goals.list.len().max(1)).next_power_of_two() as i128 - 1;
    let Some(body) = program.functions[entry].body.take() else { return goals };
    let mut out = FunctionBuilder::continuing(program.functions[entry].n_labels, body.len());
    let (choice, chosen) = (program.symbol(choice), program.symbol(chosen));
    let value = program.nondet(word);
    out.assign(choice, value);
    let mask = program.int(word, mask);
    let number = program.binary(BinaryOp::BitAnd, choice, mask);
    out.assign(chosen, number);
    body.into_iter().for_each(|instr| out.push_instr(instr));
    out.finish(program, entry);
    goals
}

struct Maker<'a> {
    chosen: SymbolId,
    criteria: &'a [Criterion],
    goals: Vec<Goal>,
    /// Goals that have several places in the program and one in the source.
    by_place: BTreeMap<(FunctionId, Span, String), usize>,
}

impl Maker<'_> {
    fn wants(&self, criterion: Criterion) -> bool {
        self.criteria.contains(&criterion)
    }

    /// The claim of a goal: reached here if a condition holds.
    fn goal(
        &mut self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        goal: Goal,
        condition: Option<ExprId>,
    ) {
        let key = (goal.function, goal.span, format!("{} {}", goal.criterion.name(), goal.what));
        let next = self.goals.len();
        let number = *self.by_place.entry(key).or_insert(next);
        if number == next {
            self.goals.push(goal);
        }
        let chosen = program.symbol(self.chosen);
        let number_expr = program.int(program.exprs.ty(chosen), number as i128);
        let other = program.ne(chosen, number_expr);
        let claim = match condition {
            Some(condition) => {
                let missed = program.not(condition);
                program.or(other, missed)
            }
            None => other,
        };
        out.assert(claim, Claim::new(PROPERTY, number.to_string()));
    }

    fn function(&mut self, program: &mut Program, function: FunctionId) {
        let info = &program.functions[function];
        let (n_labels, span) = (info.n_labels, info.span);
        let cfg = Cfg::of(info);
        let heads = if self.wants(Criterion::Loop) { cfg.loop_heads() } else { Default::default() };
        let Some(body) = program.functions[function].body.clone() else { return };
        let mut out = FunctionBuilder::continuing(n_labels, body.len());
        let goal =
            |criterion, span, what: &str| Goal { criterion, function, span, what: what.to_owned() };
        out.set_span(span);
        if self.wants(Criterion::Function) {
            self.goal(program, &mut out, goal(Criterion::Function, span, "called"), None);
        }
        // The counters of loops by their heads.
        let mut counters: FxHashMap<usize, ExprId> = FxHashMap::default();
        for &head in &heads {
            let word = program.types.int(false, 8);
            let name = format!("rounds@{}", program.symbols.len());
            let kind = SymbolKind::Local(function);
            let symbol = Symbol {
                name,
                display: String::new(),
                ty: word,
                kind,
                span: Span::DUMMY,
                align: 1,
                writable: true,
            };
            let symbol = program.add_symbol(symbol);
            out.decl(symbol);
            let place = program.symbol(symbol);
            let zero = program.int(word, 0);
            out.assign(place, zero);
            counters.insert(head, place);
        }
        let mut last_span = Span::DUMMY;
        // The loop whose head has just been passed, and behind whose condition its rounds begin.
        let mut entering: Option<(ExprId, Span)> = None;
        for (at, instr) in body.into_iter().enumerate() {
            out.set_span(instr.span);
            if let Some(&rounds) = counters.get(&at) {
                // Whoever falls into the loop begins to count.
                let zero = program.int(program.exprs.ty(rounds), 0);
                out.assign(rounds, zero);
            }
            let is_label = matches!(instr.kind, InstrKind::Label(_));
            if is_label {
                last_span = Span::DUMMY;
                out.push_instr(instr.clone());
            } else if self.wants(Criterion::Statement)
                && instr.span != last_span
                && is_statement(&instr.kind)
                && !instr.span.is_dummy()
            {
                last_span = instr.span;
                self.goal(
                    program,
                    &mut out,
                    goal(Criterion::Statement, instr.span, "executed"),
                    None,
                );
            }
            if let Some(&rounds) = counters.get(&at) {
                count(program, &mut out, rounds);
                entering = Some((rounds, instr.span));
            }
            if is_label {
                continue;
            }
            let mut behind = None;
            match &instr.kind {
                InstrKind::Goto(Some(cond), _) if !instr.span.is_dummy() => {
                    self.branch(program, &mut out, function, instr.span, *cond);
                    if let Some((rounds, _)) = entering.take() {
                        let first = is_round(program, rounds, 1);
                        let leaves = program.and(first, *cond);
                        let span = instr.span;
                        self.goal(
                            program,
                            &mut out,
                            goal(Criterion::Loop, span, "not entered"),
                            Some(leaves),
                        );
                        behind = Some((rounds, span));
                    }
                }
                InstrKind::Call { callee, .. } if !instr.span.is_dummy() => {
                    self.call(program, &mut out, function, instr.span, *callee);
                }
                _ => {}
            }
            if let (Some((rounds, span)), false) = (entering, matches!(instr.kind, InstrKind::Skip))
            {
                // A loop that asks at its end, or nowhere.
                self.rounds(program, &mut out, function, rounds, span);
                entering = None;
            }
            out.push_instr(instr);
            if let Some((rounds, span)) = behind {
                self.rounds(program, &mut out, function, rounds, span);
            }
        }
        out.finish(program, function);
    }

    fn rounds(
        &mut self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        function: FunctionId,
        rounds: ExprId,
        span: Span,
    ) {
        for (round, what) in [(1, "entered"), (2, "a second round")] {
            let condition = is_round(program, rounds, round);
            let goal = Goal { criterion: Criterion::Loop, function, span, what: what.to_owned() };
            self.goal(program, out, goal, Some(condition));
        }
    }

    fn branch(
        &mut self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        function: FunctionId,
        span: Span,
        cond: ExprId,
    ) {
        let goal = |criterion, what: String| Goal { criterion, function, span, what };
        if self.wants(Criterion::Branch) {
            let not = program.not(cond);
            let text = program.describe(cond);
            self.goal(program, out, goal(Criterion::Branch, format!("{text} is true")), Some(cond));
            self.goal(program, out, goal(Criterion::Branch, format!("{text} is false")), Some(not));
        }
        if !self.wants(Criterion::Condition) && !self.wants(Criterion::Mcdc) {
            return;
        }
        for part in parts(program, cond) {
            let text = program.describe(part);
            let (yes, no) = (program.bool(true), program.bool(false));
            let with = |program: &mut Program, value: ExprId| {
                program.map_expr(cond, |_, expr| if expr == part { value } else { expr })
            };
            let (if_true, if_false) = (with(program, yes), with(program, no));
            let differs = program.ne(if_true, if_false);
            for (value, word) in [(true, "true"), (false, "false")] {
                let holds = if value { part } else { program.not(part) };
                if self.wants(Criterion::Condition) {
                    let goal = goal(Criterion::Condition, format!("{text} is {word}"));
                    self.goal(program, out, goal, Some(holds));
                }
                if self.wants(Criterion::Mcdc) {
                    let decides = program.and(differs, holds);
                    let goal = goal(Criterion::Mcdc, format!("{text} is {word} and decides"));
                    self.goal(program, out, goal, Some(decides));
                }
            }
        }
    }

    fn call(
        &mut self,
        program: &mut Program,
        out: &mut FunctionBuilder,
        function: FunctionId,
        span: Span,
        callee: Callee,
    ) {
        let name = match callee {
            Callee::Direct(callee) => program.functions[callee].display.clone(),
            Callee::Indirect(pointer) => program.describe(pointer),
        };
        let is_error = matches!(name.as_str(), "reach_error" | "__VERIFIER_error");
        for (criterion, wanted) in [(Criterion::Call, true), (Criterion::ErrorCall, is_error)] {
            if wanted && self.wants(criterion) {
                let goal = Goal { criterion, function, span, what: format!("calls {name}") };
                self.goal(program, out, goal, None);
            }
        }
    }
}

/// Returns whether an instruction stands for a statement of the source.
fn is_statement(kind: &InstrKind) -> bool {
    !matches!(
        kind,
        InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Decl(_)
            | InstrKind::Dead(_)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::Goto(None, _)
    )
}

/// Another round begins; more than three are as good as three.
fn count(program: &mut Program, out: &mut FunctionBuilder, rounds: ExprId) {
    let ty = program.exprs.ty(rounds);
    let (one, three) = (program.int(ty, 1), program.int(ty, 3));
    let more = program.binary(BinaryOp::Add, rounds, one);
    let few = program.lt(rounds, three);
    let next = program.ite(few, more, three);
    out.assign(rounds, next);
}

fn is_round(program: &mut Program, rounds: ExprId, round: i128) -> ExprId {
    let number = program.int(program.exprs.ty(rounds), round);
    program.eq(rounds, number)
}

/// The parts of a condition that are no conjunctions, disjunctions or negations, each once.
fn parts(program: &Program, cond: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut pending = vec![cond];
    while let Some(expr) = pending.pop() {
        match *program.exprs.kind(expr) {
            ExprKind::Unary(UnaryOp::Not, inner) => pending.push(inner),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, a, b) => {
                pending.extend([b, a]);
            }
            ExprKind::Bool(_) => {}
            _ if found.contains(&expr) => {}
            _ => found.push(expr),
        }
        if found.len() >= MAX_PARTS {
            break;
        }
    }
    found
}

//! The places of a program that witnesses name: loops, branchings, statements and calls, found in the syntax tree.

use std::collections::BTreeSet;

use vergo_cfront::ast::{Ast, BinaryOp, ExprKind, StmtId, StmtKind, UnaryOp};
use vergo_cfront::parse;
use vergo_evidence::witness::Place;
use vergo_source::{Diagnostics, FileId, SourceMap, Span};

use crate::job::Job;

/// The places of one file.
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    /// Loops in the order of the text.
    pub(crate) loops: Vec<Loop>,
    /// Branchings in the order of the text.
    pub(crate) branchings: Vec<Branching>,
    /// Statements and declarations in blocks, in the order of the text.
    pub(crate) statements: Vec<Statement>,
    /// Calls in the order of the text.
    pub(crate) calls: Vec<Span>,
    /// Where labels stand, those of `switch` included.
    pub(crate) labels: Vec<u32>,
    /// Where the first declaration begins.
    pub(crate) first_item: Option<u32>,
}

/// A loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    /// The statement; it begins with the keyword.
    pub(crate) span: Span,
    /// The code that is evaluated first in each round.
    pub(crate) head: LoopHead,
}

/// The code that is evaluated first in each round of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LoopHead {
    /// The condition of `while` or `for`.
    Condition(Span),
    /// Nothing: here a `for` could have a condition.
    NoCondition(u32),
    /// The body of `do`.
    Body(Span),
}

/// A branching: `if`, a loop, `switch` or `?:`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branching {
    /// The statement or expression.
    pub(crate) span: Span,
    /// The condition; `None` if there is none.
    pub(crate) condition: Option<Span>,
    /// The statement that is executed if it holds.
    pub(crate) then: Span,
    /// The statement that is executed if it does not hold.
    pub(crate) otherwise: Option<Span>,
    /// True if it is a `switch`.
    pub(crate) is_switch: bool,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    /// The statement.
    pub(crate) span: Span,
    /// The statement without its labels.
    pub(crate) inner: Span,
    /// True if another statement can be put before it without braces.
    pub(crate) in_block: bool,
}

impl Landmarks {
    /// The places of a file that is in the job's map.
    pub(crate) fn of(job: &Job, file: FileId) -> Landmarks {
        // The map has the file's line markers already; a text of its own is parsed for its tree alone.
        let mut map = SourceMap::new();
        let Ok(copy) = map.add(job.map.name(file), job.map.text(file).to_vec()) else {
            return Landmarks::default();
        };
        let ast = parse(&mut map, copy, &job.c_options(), &mut Diagnostics::new());
        let (from, to) = (map.file_span(copy).lo, job.map.file_span(file).lo);
        let shift = |span: Span| Span::new(span.lo - from + to, span.hi - from + to);
        Landmarks::of_tree(&ast, job.map.text(file), to, &shift)
    }

    fn of_tree(ast: &Ast, text: &[u8], base: u32, shift: &dyn Fn(Span) -> Span) -> Landmarks {
        let stmt = |id: StmtId| shift(ast.stmts[id].span);
        let mut in_block: BTreeSet<StmtId> = BTreeSet::new();
        let mut hidden: BTreeSet<StmtId> = BTreeSet::new();
        for statement in ast.stmts.values() {
            match statement.kind {
                StmtKind::Compound(list) => {
                    in_block.extend(ast.stmt_lists.get(list).iter().copied());
                }
                StmtKind::For { init: Some(init), .. } => {
                    hidden.insert(init);
                }
                _ => {}
            }
        }
        let bodies = ast.items.iter().filter_map(|item| match item {
            vergo_cfront::ast::Item::Function(function) => Some(function.body),
            _ => None,
        });
        hidden.extend(bodies);
        let mut found = Landmarks::default();
        for expr in ast.exprs.values() {
            match expr.kind {
                ExprKind::StmtExpr(body) => {
                    hidden.insert(body);
                }
                ExprKind::Call(..) => found.calls.push(shift(expr.span)),
                ExprKind::Cond(condition, Some(then), otherwise) => {
                    let of = |id| shift(ast.exprs[id].span);
                    found.branchings.push(Branching {
                        span: shift(expr.span),
                        condition: Some(of(condition)),
                        then: of(then),
                        otherwise: Some(of(otherwise)),
                        is_switch: false,
                    });
                }
                _ => {}
            }
        }
        let mut found_labels = Vec::new();
        for (id, statement) in ast.stmts.iter() {
            let span = shift(statement.span);
            let of = |id| shift(ast.exprs[id].span);
            let mut branching = |condition: Option<Span>, then, otherwise, is_switch| {
                found.branchings.push(Branching { span, condition, then, otherwise, is_switch });
            };
            if let StmtKind::Label(..) | StmtKind::Case { .. } | StmtKind::Default(_) =
                statement.kind
            {
                found_labels.push(span.lo);
            }
            let head = match statement.kind {
                StmtKind::If(condition, then, otherwise) => {
                    branching(Some(of(condition)), stmt(then), otherwise.map(stmt), false);
                    None
                }
                StmtKind::Switch(condition, body) => {
                    branching(Some(of(condition)), stmt(body), None, true);
                    None
                }
                StmtKind::While(condition, body) => {
                    branching(Some(of(condition)), stmt(body), None, false);
                    Some(LoopHead::Condition(of(condition)))
                }
                StmtKind::DoWhile(body, condition) => {
                    branching(Some(of(condition)), stmt(body), None, false);
                    Some(LoopHead::Body(stmt(body)))
                }
                StmtKind::For { init, cond, body, .. } => {
                    branching(cond.map(of), stmt(body), None, false);
                    match cond {
                        Some(condition) => Some(LoopHead::Condition(of(condition))),
                        None => {
                            let after = init.map_or(span.lo, |init| stmt(init).hi);
                            no_condition(text, base, after, init.is_some())
                                .map(LoopHead::NoCondition)
                        }
                    }
                }
                _ => None,
            };
            found.loops.extend(head.map(|head| Loop { span, head }));
            if hidden.contains(&id) || matches!(statement.kind, StmtKind::Error) {
                continue;
            }
            let mut inner = id;
            while let StmtKind::Label(_, next)
            | StmtKind::Case { body: next, .. }
            | StmtKind::Default(next) = ast.stmts[inner].kind
            {
                inner = next;
            }
            let in_block = in_block.contains(&inner);
            found.statements.push(Statement { span, inner: stmt(inner), in_block });
        }
        let first = ast.items.first().map(|item| match item {
            vergo_cfront::ast::Item::Decl(id) => ast.decls[*id].span,
            vergo_cfront::ast::Item::Function(function) => function.span,
            vergo_cfront::ast::Item::Asm(id) => ast.asms[*id].span,
        });
        found.labels = found_labels;
        found.first_item = first.map(|span| shift(span).lo);
        let key = |span: Span| (span.lo, std::cmp::Reverse(span.hi));
        found.loops.sort_by_key(|of| key(of.span));
        found.branchings.sort_by_key(|of| key(of.span));
        found.statements.sort_by_key(|of| key(of.span));
        found.calls.sort_by_key(|&span| key(span));
        found
    }
}

/// Where the condition of a `for` could stand that has none: after its first semicolon. `after` is the end of what it begins
/// with, or of nothing.
fn no_condition(text: &[u8], base: u32, after: u32, has_init: bool) -> Option<u32> {
    let at = (after - base) as usize;
    // A declaration or an expression statement has its semicolon with it.
    if has_init && at > 0 && text.get(at - 1) == Some(&b';') {
        return Some(after);
    }
    let semicolon = text.get(at..)?.iter().position(|&byte| byte == b';')?;
    Some(after + semicolon as u32 + 1)
}

/// The first candidate at a place of a witness: in its line, and in its column if it names one. A column that fits nothing
/// is not insisted on where the line has one candidate only.
pub(crate) fn at_place<T: Copy>(
    job: &Job,
    place: &Place,
    candidates: impl Iterator<Item = (u32, T)>,
) -> Option<T> {
    let mut in_line = Vec::new();
    for (position, candidate) in candidates {
        let at = job.given_location(position);
        if at.line != place.line || base_name(&at.file) != base_name(&place.file) {
            continue;
        }
        if place.column == 0 || place.column == at.column {
            return Some(candidate);
        }
        in_line.push(candidate);
    }
    match in_line[..] {
        [one] => Some(one),
        _ => None,
    }
}

/// A file's name without its folders.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Names the effect in an expression of a witness; `None` if it has none.
pub(crate) fn effect(ast: &Ast, within: Span) -> Option<&'static str> {
    let inside = |span: Span| within.lo <= span.lo && span.hi <= within.hi;
    ast.exprs.values().filter(|expr| inside(expr.span)).find_map(|expr| match expr.kind {
        ExprKind::Call(..) => Some("a call"),
        ExprKind::Assign(..) => Some("an assignment"),
        ExprKind::Unary(
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
            _,
        ) => Some("an increment or decrement"),
        ExprKind::StmtExpr(_) => Some("a statement"),
        ExprKind::VaArg(..) => Some("an access to arguments"),
        ExprKind::Binary(BinaryOp::Comma, ..) => Some("a comma"),
        _ => None,
    })
}

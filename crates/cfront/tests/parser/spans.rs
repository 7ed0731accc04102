//! Spans: every node covers its parts and exactly its text.

use crate::{Parsed, parsed};
use vergo_cfront::ast::{DeclKind, ExprId, ExprKind, InitKind, Item, StmtId, StmtKind};
use vergo_source::Span;

fn text(parsed: &Parsed, span: Span) -> String {
    String::from_utf8_lossy(parsed.sources.span_text(span)).into_owned()
}

fn check(source: &[u8]) {
    let parsed = parsed(source);
    assert!(!parsed.diags.has_errors(), "{}", parsed.messages());
    let ast = &parsed.ast;
    let expr_span = |id: ExprId| ast.exprs[id].span;
    let stmt_span = |id: StmtId| ast.stmts[id].span;
    let inside = |outer: Span, inner: Span| {
        assert!(outer.contains(inner), "`{}` in `{}`", text(&parsed, inner), text(&parsed, outer));
    };
    for expr in ast.exprs.values() {
        let span = expr.span;
        let written = text(&parsed, span);
        assert!(!written.is_empty() && written.trim() == written, "`{written}`");
        match expr.kind {
            ExprKind::Name(name) => {
                // A universal character name or a splice is the only way to write a name otherwise.
                assert!(written == ast.names.name(name) || written.contains('\\'), "{written}");
            }
            ExprKind::Number => {
                assert!(written.starts_with(|c: char| c.is_ascii_digit() || c == '.'), "{written}");
            }
            ExprKind::Char => assert!(written.ends_with('\''), "{written}"),
            ExprKind::String(pieces) => {
                assert!(written.ends_with('"'), "{written}");
                ast.span_lists.get(pieces).iter().for_each(|&piece| inside(span, piece));
            }
            ExprKind::Paren(inner) => {
                assert!(written.starts_with('(') && written.ends_with(')'), "{written}");
                inside(span, expr_span(inner));
            }
            ExprKind::Index(base, index) => {
                assert!(written.ends_with(']') || written.ends_with(":>"), "{written}");
                inside(span, expr_span(base));
                inside(span, expr_span(index));
            }
            ExprKind::Call(callee, args) => {
                assert!(written.ends_with(')'), "{written}");
                inside(span, expr_span(callee));
                ast.expr_lists.get(args).iter().for_each(|&arg| inside(span, expr_span(arg)));
            }
            ExprKind::Member(base, name) | ExprKind::Arrow(base, name) => {
                assert!(written.ends_with(ast.names.name(name)), "{written}");
                assert_eq!(expr_span(base).lo, span.lo);
            }
            ExprKind::Binary(_, lhs, rhs) | ExprKind::Assign(_, lhs, rhs) => {
                assert_eq!((span.lo, span.hi), (expr_span(lhs).lo, expr_span(rhs).hi), "{written}");
            }
            ExprKind::Cond(cond, then, other) => {
                assert_eq!(
                    (span.lo, span.hi),
                    (expr_span(cond).lo, expr_span(other).hi),
                    "{written}"
                );
                then.into_iter().for_each(|then| inside(span, expr_span(then)));
            }
            ExprKind::Cast(ty, operand) => {
                assert_eq!(span.hi, expr_span(operand).hi, "{written}");
                inside(span, ast.type_names[ty].span);
            }
            ExprKind::Unary(_, operand)
            | ExprKind::SizeofExpr(operand)
            | ExprKind::AlignofExpr(operand) => {
                inside(span, expr_span(operand));
            }
            ExprKind::SizeofType(ty) | ExprKind::AlignofType(ty) => {
                inside(span, ast.type_names[ty].span)
            }
            ExprKind::CompoundLiteral(ty, init) => {
                inside(span, ast.type_names[ty].span);
                assert_eq!(span.hi, ast.inits[init].span.hi, "{written}");
            }
            ExprKind::StmtExpr(body) => inside(span, stmt_span(body)),
            _ => {}
        }
    }
    for stmt in ast.stmts.values() {
        let span = stmt.span;
        let written = text(&parsed, span);
        match stmt.kind {
            StmtKind::Expr(expr) => {
                inside(span, expr_span(expr));
                assert!(written.ends_with(';'), "{written}");
            }
            StmtKind::Decl(decl) => inside(span, ast.decls[decl].span),
            StmtKind::Compound(stmts) => {
                assert!(written.ends_with('}') || written.ends_with("%>"), "{written}");
                ast.stmt_lists.get(stmts).iter().for_each(|&stmt| inside(span, stmt_span(stmt)));
            }
            StmtKind::If(cond, then, other) => {
                inside(span, expr_span(cond));
                inside(span, stmt_span(then));
                assert_eq!(span.hi, stmt_span(other.unwrap_or(then)).hi, "{written}");
            }
            StmtKind::Switch(cond, body) | StmtKind::While(cond, body) => {
                inside(span, expr_span(cond));
                assert_eq!(span.hi, stmt_span(body).hi, "{written}");
            }
            StmtKind::DoWhile(body, cond) => {
                inside(span, stmt_span(body));
                inside(span, expr_span(cond));
                assert!(written.ends_with(';'), "{written}");
            }
            StmtKind::For { body, .. }
            | StmtKind::Label(_, body)
            | StmtKind::Default(body)
            | StmtKind::Case { body, .. } => {
                assert_eq!(span.hi, stmt_span(body).hi, "{written}");
            }
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => {
                assert!(written.ends_with(';'), "{written}");
            }
            _ => {}
        }
    }
    for decl in ast.decls.values() {
        let written = text(&parsed, decl.span);
        match decl.kind {
            DeclKind::Vars { specs, declarators } => {
                assert!(written.ends_with(';'), "{written}");
                inside(decl.span, ast.specs[specs].span);
                for entry in ast.init_declarator_lists.get(declarators) {
                    inside(decl.span, ast.declarators[entry.declarator].span);
                    entry.init.into_iter().for_each(|init| inside(decl.span, ast.inits[init].span));
                }
            }
            DeclKind::Function(function) => assert_eq!(decl.span, function.span),
            DeclKind::StaticAssert { .. } | DeclKind::Empty => {
                assert!(written.ends_with(';'), "{written}")
            }
        }
    }
    for declarator in ast.declarators.values() {
        if let Some((_, name)) = declarator.name {
            inside(declarator.span, name);
        }
    }
    for init in ast.inits.values() {
        if let InitKind::List(_) = init.kind {
            let written = text(&parsed, init.span);
            assert!(written.ends_with('}') || written.ends_with("%>"), "{written}");
        }
    }
    for item in &ast.items {
        if let Item::Function(function) = item {
            inside(function.span, stmt_span(function.body));
            inside(function.span, ast.declarators[function.declarator].span);
            assert_eq!(function.span.hi, stmt_span(function.body).hi);
        }
    }
}

#[test]
fn nodes_cover_exactly_their_text() {
    check(include_bytes!("everything.c"));
    let large = vergo_testkit::large::program(3, 2_000);
    let large: String = large
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    let types = "typedef unsigned long size_t; typedef unsigned char uint8_t; typedef unsigned short uint16_t; \
                 typedef unsigned int uint32_t; typedef unsigned long uint64_t; typedef signed char int8_t; \
                 typedef short int16_t; typedef int int32_t; typedef long int64_t; typedef struct f FILE;\n";
    check((types.to_owned() + &large).as_bytes());
}

#[test]
fn spliced_tokens_keep_their_text() {
    check(b"int a\\\nb = 1\\\n2 <\\\n< a\\\nb; char *s = \"x\\\ny\"; int f(void) { ret\\\nurn a\\\nb; }");
}

//! Where the operators are: the part of the syntax tree that edits need and the typed tree does not have.
//!
//! The typed tree knows the types and has dropped parentheses; the syntax tree knows where the operands of an operator
//! begin and end as they were written. Both have the same span for the same operation, by which they are joined.

use rustc_hash::FxHashMap;
use vergo_cfront::ast::{Ast, ExprKind, UnaryOp};
use vergo_cfront::words::{Piece, pieces};
use vergo_source::Span;

/// The operands of operators by the span of the operation.
#[derive(Debug, Default)]
pub struct Syntax {
    /// Binary operators and assignments.
    binary: FxHashMap<Span, [Span; 2]>,
    /// Prefix and postfix operators.
    unary: FxHashMap<Span, Span>,
}

impl Syntax {
    /// Collects the operators of a tree.
    pub fn new(ast: &Ast) -> Syntax {
        let mut syntax = Syntax::default();
        let span = |expr| ast.exprs[expr].span;
        for expr in ast.exprs.values() {
            match expr.kind {
                ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => {
                    syntax.binary.insert(expr.span, [span(a), span(b)]);
                }
                ExprKind::Unary(op, operand) if op != UnaryOp::Extension => {
                    syntax.unary.insert(expr.span, span(operand));
                }
                ExprKind::Arrow(base, _) => {
                    syntax.unary.insert(expr.span, span(base));
                }
                _ => {}
            }
        }
        syntax
    }

    /// The operands of a binary operator or an assignment, parentheses included.
    pub fn operands(&self, span: Span) -> Option<[Span; 2]> {
        self.binary.get(&span).copied()
    }

    /// The operand of a prefix or postfix operator, parentheses included.
    pub fn operand(&self, span: Span) -> Option<Span> {
        self.unary.get(&span).copied()
    }
}

/// Where an operator stands in the text between two operands, if it is there in one piece.
pub(crate) fn operator_between(text: &[u8], between: Span, symbol: &str) -> Option<Span> {
    let mut marks = pieces(text).into_iter().filter(|(piece, _)| *piece != Piece::Blank);
    let first = marks.next()?.1;
    let last = marks.next_back().map_or(first.end, |(_, range)| range.end);
    let found = &text[first.start..last];
    (found == symbol.as_bytes())
        .then(|| Span::new(between.lo + first.start as u32, between.lo + last as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_found_between_comments_and_markers() {
        let find = |text: &str, symbol| {
            let span = Span::new(100, 100 + text.len() as u32);
            operator_between(text.as_bytes(), span, symbol).map(|span| (span.lo, span.hi))
        };
        assert_eq!(find(" + ", "+"), Some((101, 102)));
        assert_eq!(find(" /* - */ <<=\n# 3 \"x.c\"\n ", "<<="), Some((109, 112)));
        assert_eq!(find("+\\\n=", "+="), None);
        assert_eq!(find("  ", "+"), None);
    }
}

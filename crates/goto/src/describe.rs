//! Expressions in the user's words: C as the user would have written it, for messages and reports.
//!
//! Unlike the text format this is not meant to be read back: conversions that C makes by itself are left out, variables
//! have the names that the source gave them, and what is deep or long is cut.

use crate::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use crate::program::Program;
use crate::types::Type;
use std::fmt::Write as _;

/// Nesting beyond this is shown as dots.
const DEPTH: u32 = 12;

/// Binding strength of C operators; greater binds tighter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relational,
    Shift,
    Additive,
    Multiplicative,
    Unary,
    Postfix,
}

impl Program {
    /// An expression as C text.
    pub fn describe(&self, expr: ExprId) -> String {
        let mut text = String::new();
        self.describe_at(expr, Level::Conditional, DEPTH, &mut text);
        text
    }

    fn describe_at(&self, expr: ExprId, level: Level, depth: u32, out: &mut String) {
        if depth == 0 {
            out.push_str("...");
            return;
        }
        let own = self.level(expr);
        let parenthesised = own < level;
        if parenthesised {
            out.push('(');
        }
        self.describe_kind(expr, own, depth - 1, out);
        if parenthesised {
            out.push(')');
        }
    }

    fn describe_kind(&self, expr: ExprId, own: Level, depth: u32, out: &mut String) {
        let tighter = |level: Level| match level {
            Level::Multiplicative => Level::Unary,
            Level::Additive => Level::Multiplicative,
            Level::Shift => Level::Additive,
            Level::Relational => Level::Shift,
            Level::Equality => Level::Relational,
            other => other,
        };
        match self.exprs.kind(expr) {
            ExprKind::Bool(value) => write_to(out, value),
            ExprKind::Int(bits) => match self.type_of(expr) {
                Type::Ptr(_) if bits.is_zero() => out.push_str("NULL"),
                Type::Int { signed: true, .. } => out.push_str(&bits.to_signed_decimal()),
                _ => out.push_str(&bits.to_unsigned_decimal()),
            },
            ExprKind::Float(value) => write_to(out, value),
            ExprKind::Zero => out.push_str(if matches!(self.type_of(expr), Type::Ptr(_)) {
                "NULL"
            } else {
                "{0}"
            }),
            ExprKind::Function(function) => out.push_str(&self.functions[*function].display),
            ExprKind::Nondet(_) => out.push_str("nondet()"),
            ExprKind::Struct(parts) | ExprKind::Array(parts) => {
                out.push('{');
                self.describe_list(parts, depth, out);
                out.push('}');
            }
            ExprKind::Union(_, value) | ExprKind::ArrayOf(value) => {
                out.push('{');
                self.describe_at(*value, Level::Conditional, depth, out);
                out.push('}');
            }
            ExprKind::Symbol(symbol) => {
                let symbol = &self.symbols[*symbol];
                out.push_str(if symbol.display.is_empty() {
                    &symbol.name
                } else {
                    &symbol.display
                });
            }
            ExprKind::Deref(pointer) => match *self.exprs.kind(*pointer) {
                // `*(p + i)` is `p[i]`.
                ExprKind::Binary(BinaryOp::PtrAdd, base, index) => {
                    self.describe_at(base, Level::Postfix, depth, out);
                    out.push('[');
                    self.describe_at(index, Level::Conditional, depth, out);
                    out.push(']');
                }
                _ => {
                    out.push('*');
                    self.describe_at(*pointer, Level::Unary, depth, out);
                }
            },
            ExprKind::Member(base, member) => self.describe_member(*base, *member, depth, out),
            ExprKind::Index(base, index) => {
                self.describe_at(*base, Level::Postfix, depth, out);
                out.push('[');
                self.describe_at(*index, Level::Conditional, depth, out);
                out.push(']');
            }
            ExprKind::AddressOf(place) => self.describe_address(*place, depth, out),
            ExprKind::Unary(op, operand) => {
                let (prefix, suffix) = match op {
                    UnaryOp::Neg => ("-", ""),
                    UnaryOp::BitNot => ("~", ""),
                    UnaryOp::Not => ("!", ""),
                    UnaryOp::Abs => ("fabs(", ")"),
                    UnaryOp::Sqrt => ("sqrt(", ")"),
                    UnaryOp::RoundToIntegral(_) => ("rint(", ")"),
                    UnaryOp::IsNan => ("isnan(", ")"),
                    UnaryOp::IsInf => ("isinf(", ")"),
                    UnaryOp::IsNormal => ("isnormal(", ")"),
                    UnaryOp::IsSubnormal => ("issubnormal(", ")"),
                    UnaryOp::SignBit => ("signbit(", ")"),
                    UnaryOp::LeadingZeros => ("clz(", ")"),
                    UnaryOp::TrailingZeros => ("ctz(", ")"),
                    UnaryOp::PopCount => ("popcount(", ")"),
                    UnaryOp::ByteSwap => ("bswap(", ")"),
                    UnaryOp::Library(function) => (function.name(), ")"),
                };
                out.push_str(prefix);
                if let UnaryOp::Library(_) = op {
                    out.push('(');
                }
                let level = if suffix.is_empty() { Level::Unary } else { Level::Conditional };
                self.describe_at(*operand, level, depth, out);
                out.push_str(suffix);
            }
            ExprKind::Binary(op, left, right) => {
                let call = match op {
                    BinaryOp::IeeeRem => "remainder",
                    BinaryOp::Min => "fmin",
                    BinaryOp::Max => "fmax",
                    BinaryOp::AddOverflows => "add_overflows",
                    BinaryOp::SubOverflows => "sub_overflows",
                    BinaryOp::MulOverflows => "mul_overflows",
                    BinaryOp::ShlOverflows => "shl_overflows",
                    BinaryOp::Library(function) => function.name(),
                    _ => "",
                };
                if call.is_empty() {
                    self.describe_at(*left, own, depth, out);
                    let _ = write!(out, " {} ", symbol_of(*op));
                    self.describe_at(*right, tighter(own), depth, out);
                } else {
                    out.push_str(call);
                    out.push('(');
                    self.describe_list(&[*left, *right], depth, out);
                    out.push(')');
                }
            }
            ExprKind::Fma(a, b, c) => {
                out.push_str("fma(");
                self.describe_list(&[*a, *b, *c], depth, out);
                out.push(')');
            }
            ExprKind::Cast(_, operand) | ExprKind::Bits(operand) => {
                self.describe_at(*operand, own, depth, out)
            }
            ExprKind::Ite(cond, then, other) => {
                self.describe_at(*cond, Level::Or, depth, out);
                out.push_str(" ? ");
                self.describe_at(*then, Level::Conditional, depth, out);
                out.push_str(" : ");
                self.describe_at(*other, Level::Conditional, depth, out);
            }
            ExprKind::Memory(op, operands) => {
                out.push_str(match op {
                    MemoryOp::HasObject => "has_object",
                    MemoryOp::IsLive => "is_live",
                    MemoryOp::ObjectSize => "object_size",
                    MemoryOp::Offset => "offset",
                    MemoryOp::SameObject => "same_object",
                    MemoryOp::IsHeap => "is_heap",
                    MemoryOp::IsWritable => "is_writable",
                    MemoryOp::IsFunction => "is_function",
                    MemoryOp::IsInitialized => "is_initialized",
                    MemoryOp::TextSize => "text_size",
                    MemoryOp::TextEnds => "text_ends",
                    MemoryOp::HeapEmpty => "heap_empty",
                    MemoryOp::HeapReachable => "heap_reachable",
                    MemoryOp::UnracedRead => "unraced_read",
                    MemoryOp::UnracedWrite => "unraced_write",
                });
                out.push('(');
                self.describe_list(operands, depth, out);
                out.push(')');
            }
        }
    }

    fn describe_member(&self, base: ExprId, member: u32, depth: u32, out: &mut String) {
        if let ExprKind::Deref(pointer) = *self.exprs.kind(base) {
            self.describe_at(pointer, Level::Postfix, depth, out);
            out.push_str("->");
        } else {
            self.describe_at(base, Level::Postfix, depth, out);
            out.push('.');
        }
        let name = match *self.type_of(base) {
            Type::Struct(id) => {
                self.types.structs[id].fields.get(member as usize).map(|field| field.name.as_str())
            }
            _ => None,
        };
        out.push_str(name.unwrap_or("?"));
    }

    /// The address of a place; an array's first element is the array's name in C.
    fn describe_address(&self, place: ExprId, depth: u32, out: &mut String) {
        if let ExprKind::Index(base, index) = *self.exprs.kind(place)
            && let ExprKind::Int(index) = self.exprs.kind(index)
            && index.is_zero()
        {
            return self.describe_at(base, Level::Unary, depth, out);
        }
        out.push('&');
        self.describe_at(place, Level::Unary, depth, out);
    }

    fn describe_list(&self, exprs: &[ExprId], depth: u32, out: &mut String) {
        const SHOWN: usize = 8;
        for (i, &expr) in exprs.iter().take(SHOWN).enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.describe_at(expr, Level::Conditional, depth, out);
        }
        if exprs.len() > SHOWN {
            out.push_str(", ...");
        }
    }

    fn level(&self, expr: ExprId) -> Level {
        // Conversions that are left out bind as what is under them; nested ones end at the first that is not.
        let mut expr = expr;
        while let ExprKind::Cast(_, operand) | ExprKind::Bits(operand) = *self.exprs.kind(expr) {
            expr = operand;
        }
        match self.exprs.kind(expr) {
            ExprKind::Binary(op, ..) => level_of(*op),
            ExprKind::Ite(..) => Level::Conditional,
            ExprKind::AddressOf(_)
            | ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not, _) => Level::Unary,
            ExprKind::Deref(pointer)
                if !matches!(self.exprs.kind(*pointer), ExprKind::Binary(BinaryOp::PtrAdd, ..)) =>
            {
                Level::Unary
            }
            ExprKind::Int(bits)
                if matches!(self.type_of(expr), Type::Int { signed: true, .. })
                    && bits.sign_bit() =>
            {
                Level::Unary
            }
            _ => Level::Postfix,
        }
    }
}

fn write_to(out: &mut String, value: impl std::fmt::Display) {
    let _ = write!(out, "{value}");
}

fn level_of(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::PtrAdd | BinaryOp::PtrDiff => Level::Additive,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Level::Multiplicative,
        BinaryOp::BitAnd => Level::BitAnd,
        BinaryOp::BitOr => Level::BitOr,
        BinaryOp::BitXor => Level::BitXor,
        BinaryOp::Shl | BinaryOp::Shr => Level::Shift,
        BinaryOp::Eq | BinaryOp::Ne => Level::Equality,
        BinaryOp::Lt | BinaryOp::Le => Level::Relational,
        BinaryOp::And => Level::And,
        BinaryOp::Or => Level::Or,
        BinaryOp::Implies => Level::Conditional,
        BinaryOp::IeeeRem
        | BinaryOp::Min
        | BinaryOp::Max
        | BinaryOp::AddOverflows
        | BinaryOp::SubOverflows
        | BinaryOp::MulOverflows
        | BinaryOp::ShlOverflows
        | BinaryOp::Library(_) => Level::Postfix,
    }
}

fn symbol_of(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add | BinaryOp::PtrAdd => "+",
        BinaryOp::Sub | BinaryOp::PtrDiff => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Implies => "==>",
        // These are written as calls.
        BinaryOp::IeeeRem
        | BinaryOp::Min
        | BinaryOp::Max
        | BinaryOp::AddOverflows
        | BinaryOp::SubOverflows
        | BinaryOp::MulOverflows
        | BinaryOp::ShlOverflows
        | BinaryOp::Library(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use crate::program::{Program, Symbol, SymbolKind};
    use crate::types::Machine;
    use vergo_source::Span;

    #[test]
    fn words_of_a_c_programmer() {
        let mut p = Program::new(Machine::LP64);
        let int = p.types.int(true, 32);
        let ptr = p.types.ptr(int);
        let f = p.add_function(crate::program::Function {
            name: "f".into(),
            display: "f".into(),
            ty: int,
            params: vec![],
            body: None,
            n_labels: 0,
            span: Span::DUMMY,
            library: false,
        });
        let var = |p: &mut Program, name: &str, ty| {
            let kind = SymbolKind::Local(f);
            let (name, display) = (format!("f::{name}"), name.to_owned());
            let symbol =
                p.add_symbol(Symbol { name, display, ty, kind, span: Span::DUMMY, align: 4 });
            p.symbol(symbol)
        };
        let (a, b, q) = (var(&mut p, "a", int), var(&mut p, "b", int), var(&mut p, "q", ptr));
        let sum = p.add(a, b);
        let product = p.mul(sum, b);
        assert_eq!(p.describe(product), "(a + b) * b");
        let difference = p.sub(a, sum);
        assert_eq!(p.describe(difference), "a - (a + b)");
        let element = p.ptr_add(q, a);
        let element = p.deref(element);
        let wide = p.types.int(true, 64);
        let cast = p.cast(wide, element);
        let minus = p.neg(cast);
        assert_eq!(p.describe(minus), "-q[a]");
        let null = p.null(ptr);
        let test = p.ne(q, null);
        let not = p.not(test);
        assert_eq!(p.describe(not), "!(q != NULL)");
    }
}

//! Expressions in the user's words: C as the user would have written it, for messages and reports.
//!
//! Unlike the text format this is not meant to be read back: conversions that C makes by itself are left out, variables
//! have the names that the source gave them, and what is deep or long is cut. A temporary has no name that a user knows;
//! [`Words`] says the expression whose value it holds instead.

use crate::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use crate::program::{Callee, Instr, InstrKind, LabelId, Program, SymbolId};
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use vergo_source::Precedence;

/// Nesting beyond this is shown as dots.
const DEPTH: u32 = 12;

impl Program {
    /// An expression as C text, with temporaries by their names. For a function's expressions see [`Words`].
    pub fn describe(&self, expr: ExprId) -> String {
        Describer { program: self, words: None }.describe(expr)
    }
}

/// Writes expressions of a program.
#[derive(Clone, Copy)]
struct Describer<'a> {
    program: &'a Program,
    words: Option<&'a Words>,
}

impl std::ops::Deref for Describer<'_> {
    type Target = Program;

    fn deref(&self) -> &Program {
        self.program
    }
}

impl Describer<'_> {
    fn describe(self, expr: ExprId) -> String {
        let mut text = String::new();
        self.describe_at(expr, Precedence::Conditional, DEPTH, &mut text);
        text
    }

    fn describe_at(&self, expr: ExprId, level: Precedence, depth: u32, out: &mut String) {
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

    fn describe_kind(&self, expr: ExprId, own: Precedence, depth: u32, out: &mut String) {
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
                self.describe_at(*value, Precedence::Conditional, depth, out);
                out.push('}');
            }
            ExprKind::Symbol(symbol) => match (self.words, &self.symbols[*symbol]) {
                (Some(words), variable) if variable.display.is_empty() => {
                    self.describe_source(words.sources.get(symbol), depth, out)
                }
                (None, variable) if variable.display.is_empty() => out.push_str(&variable.name),
                (_, variable) => out.push_str(&variable.display),
            },
            ExprKind::Deref(pointer) => match *self.exprs.kind(*pointer) {
                // `*(p + i)` is `p[i]`.
                ExprKind::Binary(BinaryOp::PtrAdd, base, index) => {
                    self.describe_at(base, Precedence::Postfix, depth, out);
                    out.push('[');
                    self.describe_at(index, Precedence::Conditional, depth, out);
                    out.push(']');
                }
                _ => {
                    out.push('*');
                    self.describe_at(*pointer, Precedence::Unary, depth, out);
                }
            },
            ExprKind::Member(base, member) => self.describe_member(*base, *member, depth, out),
            ExprKind::Index(base, index) => {
                self.describe_at(*base, Precedence::Postfix, depth, out);
                out.push('[');
                self.describe_at(*index, Precedence::Conditional, depth, out);
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
                let level =
                    if suffix.is_empty() { Precedence::Unary } else { Precedence::Conditional };
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
                    self.describe_operation(*op, *left, *right, depth, out);
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
                self.describe_at(*cond, Precedence::LogicalOr, depth, out);
                out.push_str(" ? ");
                self.describe_at(*then, Precedence::Conditional, depth, out);
                out.push_str(" : ");
                self.describe_at(*other, Precedence::Conditional, depth, out);
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
                    MemoryOp::OthersGoOn => "others_go_on",
                });
                out.push('(');
                self.describe_list(operands, depth, out);
                out.push(')');
            }
        }
    }

    /// An operation as people write it: what is compared with a constant stands before it.
    fn describe_operation(
        &self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        depth: u32,
        out: &mut String,
    ) {
        let own = level_of(op);
        // Operators on bits and truth values may be regrouped.
        let is_grouped = (Precedence::Equality..=Precedence::Multiplicative).contains(&own);
        let tighter = if is_grouped { own.tighter() } else { own };
        let turned = match op {
            BinaryOp::Lt => Some(">"),
            BinaryOp::Le => Some(">="),
            BinaryOp::Eq | BinaryOp::Ne => op.sign(),
            _ => None,
        };
        let (left, symbol, right) =
            match turned.filter(|_| self.is_constant(left) && !self.is_constant(right)) {
                Some(symbol) => (right, symbol, left),
                None => (left, op.sign().unwrap_or_default(), right),
            };
        self.describe_at(left, own, depth, out);
        let _ = write!(out, " {symbol} ");
        self.describe_at(right, tighter, depth, out);
    }

    fn is_constant(&self, mut expr: ExprId) -> bool {
        while let ExprKind::Cast(_, operand) | ExprKind::Bits(operand) = *self.exprs.kind(expr) {
            expr = operand;
        }
        matches!(
            self.exprs.kind(expr),
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero
        )
    }

    /// The expression whose value a temporary holds.
    fn describe_source(self, source: Option<&Source>, depth: u32, out: &mut String) {
        match source {
            Some(Source::Value(value)) => self.describe_at(*value, Precedence::Postfix, depth, out),
            Some(Source::Call(callee, args)) => {
                // A model that makes the elements of an array when they are looked at.
                if let (Callee::Direct(function), [index]) = (callee, &args[..])
                    && let Some(array) = self.functions[*function].display.strip_suffix("[]")
                {
                    out.push_str(array);
                    out.push('[');
                    self.describe_at(*index, Precedence::Conditional, depth, out);
                    out.push(']');
                    return;
                }
                match callee {
                    Callee::Direct(function) => out.push_str(&self.functions[*function].display),
                    Callee::Indirect(pointer) => {
                        self.describe_at(*pointer, Precedence::Postfix, depth, out)
                    }
                }
                out.push('(');
                self.describe_list(args, depth, out);
                out.push(')');
            }
            Some(Source::Choice(condition, [then, other])) => {
                out.push('(');
                self.describe_at(*condition, Precedence::LogicalOr, depth, out);
                out.push_str(" ? ");
                self.describe_at(*then, Precedence::Conditional, depth, out);
                out.push_str(" : ");
                self.describe_at(*other, Precedence::Conditional, depth, out);
                out.push(')');
            }
            None => out.push_str("..."),
        }
    }

    fn describe_member(&self, base: ExprId, member: u32, depth: u32, out: &mut String) {
        match *self.exprs.kind(base) {
            // `(p + i)->m` is `p[i].m`.
            ExprKind::Deref(pointer)
                if !matches!(self.exprs.kind(pointer), ExprKind::Binary(BinaryOp::PtrAdd, ..)) =>
            {
                self.describe_at(pointer, Precedence::Postfix, depth, out);
                out.push_str("->");
            }
            _ => {
                self.describe_at(base, Precedence::Postfix, depth, out);
                out.push('.');
            }
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
            return self.describe_at(base, Precedence::Unary, depth, out);
        }
        out.push('&');
        self.describe_at(place, Precedence::Unary, depth, out);
    }

    fn describe_list(&self, exprs: &[ExprId], depth: u32, out: &mut String) {
        const SHOWN: usize = 8;
        for (i, &expr) in exprs.iter().take(SHOWN).enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.describe_at(expr, Precedence::Conditional, depth, out);
        }
        if exprs.len() > SHOWN {
            out.push_str(", ...");
        }
    }

    fn level(&self, expr: ExprId) -> Precedence {
        // Conversions that are left out bind as what is under them; nested ones end at the first that is not.
        let mut expr = expr;
        while let ExprKind::Cast(_, operand) | ExprKind::Bits(operand) = *self.exprs.kind(expr) {
            expr = operand;
        }
        match self.exprs.kind(expr) {
            ExprKind::Binary(op, ..) => level_of(*op),
            ExprKind::Ite(..) => Precedence::Conditional,
            ExprKind::AddressOf(_)
            | ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not, _) => {
                Precedence::Unary
            }
            ExprKind::Deref(pointer)
                if !matches!(self.exprs.kind(*pointer), ExprKind::Binary(BinaryOp::PtrAdd, ..)) =>
            {
                Precedence::Unary
            }
            ExprKind::Int(bits)
                if matches!(self.type_of(expr), Type::Int { signed: true, .. })
                    && bits.sign_bit() =>
            {
                Precedence::Unary
            }
            _ => Precedence::Postfix,
        }
    }
}

/// The meanings of a function's temporaries, with which its expressions are described in the user's words.
#[derive(Clone, Debug, Default)]
pub struct Words {
    sources: FxHashMap<SymbolId, Source>,
}

/// The source of a temporary's value.
#[derive(Clone, Debug)]
enum Source {
    Value(ExprId),
    Call(Callee, Box<[ExprId]>),
    /// `condition ? then : other`
    Choice(ExprId, [ExprId; 2]),
}

impl Words {
    /// Looks through the body of a function once.
    pub fn of(program: &Program, body: &[Instr]) -> Words {
        let mut writes: BTreeMap<SymbolId, Vec<(usize, Option<Source>)>> = BTreeMap::new();
        let mut jumps: Vec<(usize, ExprId, LabelId)> = Vec::new();
        let mut labels: FxHashMap<LabelId, usize> = FxHashMap::default();
        for (at, instr) in body.iter().enumerate() {
            let (place, source) = match &instr.kind {
                InstrKind::Label(label) => {
                    labels.insert(*label, at);
                    continue;
                }
                InstrKind::Goto(Some(condition), target) => {
                    jumps.push((at, *condition, *target));
                    continue;
                }
                InstrKind::Assign(place, value) => (*place, Some(Source::Value(*value))),
                InstrKind::Call { dest: Some(place), callee, args } => {
                    (*place, Some(Source::Call(*callee, args.clone())))
                }
                InstrKind::Alloc { dest: place, .. }
                | InstrKind::Spawn { dest: Some(place), .. }
                | InstrKind::Join { dest: Some(place), .. }
                | InstrKind::Intrinsic { dest: Some(place), .. } => (*place, None),
                _ => continue,
            };
            if let ExprKind::Symbol(symbol) = *program.exprs.kind(place)
                && program.symbols[symbol].display.is_empty()
            {
                writes.entry(symbol).or_default().push((at, source));
            }
        }
        let choice = |first: usize, second: usize| {
            let before = jumps.partition_point(|jump| jump.0 < first);
            jumps[..before].iter().rev().find_map(|&(_, condition, target)| {
                (first..=second).contains(labels.get(&target)?).then_some(condition)
            })
        };
        let mut sources = FxHashMap::default();
        for (symbol, mut writes) in writes {
            let source = match &mut writes[..] {
                [(_, source)] => source.take(),
                // The jump is taken where the source's condition is false.
                [(first, Some(Source::Value(then))), (second, Some(Source::Value(other)))] => {
                    choice(*first, *second).map(|condition| match *program.exprs.kind(condition) {
                        ExprKind::Unary(UnaryOp::Not, stated) => {
                            Source::Choice(stated, [*then, *other])
                        }
                        _ => Source::Choice(condition, [*other, *then]),
                    })
                }
                _ => None,
            };
            sources.extend(source.map(|source| (symbol, source)));
        }
        Words { sources }
    }

    /// An expression as C text; a temporary whose value no single expression gives is shown as dots.
    pub fn describe(&self, program: &Program, expr: ExprId) -> String {
        Describer { program, words: Some(self) }.describe(expr)
    }

    /// An operation on two expressions as C text.
    pub fn describe_operation(
        &self,
        program: &Program,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    ) -> String {
        let mut text = String::new();
        let describer = Describer { program, words: Some(self) };
        describer.describe_operation(op, left, right, DEPTH, &mut text);
        text
    }

    /// Returns whether an expression can be described in full.
    pub fn can_describe(&self, program: &Program, expr: ExprId) -> bool {
        let mut pending = vec![(expr, DEPTH)];
        while let Some((expr, depth)) = pending.pop() {
            let Some(depth) = depth.checked_sub(1) else { return false };
            match program.exprs.kind(expr) {
                ExprKind::Symbol(symbol) if program.symbols[*symbol].display.is_empty() => {
                    match self.sources.get(symbol) {
                        Some(Source::Value(value)) => pending.push((*value, depth)),
                        Some(Source::Call(Callee::Direct(_), args)) => {
                            pending.extend(args.iter().map(|&arg| (arg, depth)));
                        }
                        _ => return false,
                    }
                }
                kind => kind.for_each_child(|child| pending.push((child, depth))),
            }
        }
        true
    }
}

fn write_to(out: &mut String, value: impl std::fmt::Display) {
    let _ = write!(out, "{value}");
}

fn level_of(op: BinaryOp) -> Precedence {
    match op {
        BinaryOp::Implies => Precedence::Conditional,
        _ => op.sign().and_then(Precedence::of_binary).unwrap_or(Precedence::Postfix),
    }
}

/// Checks whether C has an operator for an operation.
pub fn is_c_operator(op: BinaryOp) -> bool {
    op != BinaryOp::Implies && op.sign().is_some()
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
        let f = p.add_function(crate::program::Function::declaration("f", "f", int));
        let var = |p: &mut Program, name: &str, ty| {
            let kind = SymbolKind::Local(f);
            let (name, display) = (format!("f::{name}"), name.to_owned());
            let symbol = p.add_symbol(Symbol {
                name,
                display,
                ty,
                kind,
                span: Span::DUMMY,
                align: 4,
                writable: true,
            });
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
        // `a > 5` is kept as `5 < a`, and said as it was written.
        let five = p.int(int, 5);
        let (more, less) = (p.lt(five, sum), p.lt(sum, five));
        assert_eq!((p.describe(more), p.describe(less)), ("a + b > 5".into(), "a + b < 5".into()));
        let (at_least, both) = (p.le(five, a), p.lt(a, b));
        assert_eq!((p.describe(at_least), p.describe(both)), ("a >= 5".into(), "a < b".into()));
    }
}

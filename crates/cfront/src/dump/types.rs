//! The typed tree as text: every variable with its type and storage, every expression with its type, every conversion.

use crate::hir::{
    CompoundOp, Definition, ExprId, ExprKind, FuncId, IncDec, InitId, InitKind, Item, Linkage,
    PtrOffsetOp, StmtId, StmtKind, Storage, StringUnits, UnaryOp, Unit, VarId,
};
use crate::typename;
use crate::types::{IntShape, QualType};
use std::fmt::Write;

/// The items of a unit that are defined or used, in order.
pub fn types(unit: &Unit) -> String {
    let mut dump = Dump { unit, out: String::new() };
    for &item in &unit.items {
        match item {
            Item::Var(var) => dump.variable(var, 0),
            Item::Function(function) => dump.function(function),
            Item::Asm(asm) => {
                let _ = writeln!(dump.out, "asm {:?}", unit.asms[asm].template);
            }
        }
    }
    dump.out
}

/// One expression: its kind, its type and its operands, conversions included.
pub fn expr_text(unit: &Unit, expr: ExprId) -> String {
    let mut dump = Dump { unit, out: String::new() };
    dump.expr(expr);
    dump.out
}

struct Dump<'a> {
    unit: &'a Unit,
    out: String,
}

impl Dump<'_> {
    fn ty(&self, ty: QualType) -> String {
        typename::type_name(&self.unit.types, &self.unit.names, ty)
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth.min(100) {
            self.out.push_str("  ");
        }
    }

    fn var_name(&self, var: VarId) -> String {
        match self.unit.vars[var].name {
            Some(name) => self.unit.names.name(name).to_owned(),
            None => format!("%{}", var.as_u32()),
        }
    }

    fn variable(&mut self, id: VarId, depth: usize) {
        self.indent(depth);
        let var = &self.unit.vars[id];
        let storage = match var.storage {
            Storage::Auto => "auto".to_owned(),
            Storage::Register => "register".to_owned(),
            Storage::Param => "param".to_owned(),
            Storage::Literal => "literal".to_owned(),
            Storage::Static { linkage, definition, thread_local, .. } => {
                let linkage = match linkage {
                    Linkage::None => "static",
                    Linkage::Internal => "internal",
                    Linkage::External => "external",
                };
                let definition = match definition {
                    Definition::Declared => " declared",
                    Definition::Tentative => " tentative",
                    Definition::Defined => "",
                };
                format!("{linkage}{definition}{}", if thread_local { " thread-local" } else { "" })
            }
        };
        let (name, ty) = (self.var_name(id), self.ty(var.ty));
        let _ = write!(self.out, "var {name}: {ty} [{storage}]");
        if let Some(align) = var.explicit_align {
            let _ = write!(self.out, " align {align}");
        }
        if let Some(init) = var.init {
            self.out.push_str(" = ");
            self.init(init);
        }
        self.out.push('\n');
    }

    fn function(&mut self, id: FuncId) {
        let unit = self.unit;
        let function = &unit.functions[id];
        let name = unit.names.name(function.name);
        let text = typename::declaration(&unit.types, &unit.names, function.ty, name);
        let linkage = if function.linkage == Linkage::Internal { "internal" } else { "external" };
        let implicit = if function.implicit { " implicit" } else { "" };
        let _ = writeln!(self.out, "function {text} [{linkage}{implicit}]");
        for &param in &function.params {
            self.variable(param, 1);
        }
        if let Some(body) = function.body {
            self.stmt(body, 1);
        }
    }

    fn nested(&mut self, id: FuncId, depth: usize) {
        let unit = self.unit;
        let function = &unit.functions[id];
        let name = unit.names.name(function.name);
        let text = typename::declaration(&unit.types, &unit.names, function.ty, name);
        self.line(depth, &format!("function {text} [nested]"));
        for &param in &function.params {
            self.variable(param, depth + 1);
        }
        if let Some(body) = function.body {
            self.stmt(body, depth + 1);
        }
    }

    fn init(&mut self, init: InitId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            let unit = self.unit;
            match unit.inits[init].kind {
                InitKind::Expr(expr) => self.expr(expr),
                InitKind::String(string) => {
                    let text = string_text(&unit.strings[string].units);
                    self.out.push_str(&text);
                }
                InitKind::List(list) => {
                    self.out.push('{');
                    for (index, entry) in unit.init_lists.get(list).iter().enumerate() {
                        if index > 0 {
                            self.out.push_str(", ");
                        }
                        let _ = if entry.first == entry.last {
                            write!(self.out, "{}: ", entry.first)
                        } else {
                            write!(self.out, "{}..{}: ", entry.first, entry.last)
                        };
                        self.init(entry.init);
                    }
                    self.out.push('}');
                }
            }
        });
    }

    fn list(&mut self, items: &[ExprId]) {
        for &item in items {
            self.out.push(' ');
            self.expr(item);
        }
    }

    /// `(kind operands):type`
    fn expr(&mut self, id: ExprId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_node(id));
    }

    fn expr_node(&mut self, id: ExprId) {
        let unit = self.unit;
        let node = unit.exprs[id];
        let mut head = String::new();
        let mut operands: Vec<ExprId> = Vec::new();
        match node.kind {
            ExprKind::Error => head.push_str("error"),
            ExprKind::Int(value) => match unit.types.int_shape(node.ty, &unit.target) {
                Some(IntShape { width, signed: true }) if width <= 64 => {
                    let shift = 64 - width;
                    let _ = write!(head, "{}", ((value << shift) as i64) >> shift);
                }
                _ => {
                    let _ = write!(head, "{value}");
                }
            },
            ExprKind::WideInt(index) => {
                let value = &unit.wide_ints[index as usize];
                let signed =
                    unit.types.int_shape(node.ty, &unit.target).is_some_and(|shape| shape.signed);
                head = if signed { value.to_signed_decimal() } else { value.to_unsigned_decimal() };
            }
            ExprKind::Float(float) => head = unit.floats[float].to_decimal(),
            ExprKind::String(string) => head = string_text(&unit.strings[string].units),
            ExprKind::Var(var) => head = self.var_name(var),
            ExprKind::Function(function) => {
                head = unit.names.name(unit.functions[function].name).to_owned()
            }
            ExprKind::Deref(e) => (head, operands) = ("deref".into(), vec![e]),
            ExprKind::Index(a, b) => (head, operands) = ("index".into(), vec![a, b]),
            ExprKind::Member(base, record, field) => {
                let name = unit.types.records[record]
                    .fields
                    .as_ref()
                    .and_then(|fields| fields.get(field as usize))
                    .and_then(|field| field.name);
                let name = name
                    .map_or_else(|| format!("#{field}"), |name| unit.names.name(name).to_owned());
                (head, operands) = (format!("member .{name}"), vec![base]);
            }
            ExprKind::AddrOf(e) => (head, operands) = ("addr".into(), vec![e]),
            ExprKind::LabelAddr(label) => {
                head = format!("&&{}", unit.names.name(unit.labels[label].name))
            }
            ExprKind::Unary(op, e) => (head, operands) = (unary_text(op).into(), vec![e]),
            ExprKind::Binary(op, a, b) => (head, operands) = (op.sign().into(), vec![a, b]),
            ExprKind::PtrOffset(op, a, b) => {
                let text = if op == PtrOffsetOp::Add { "ptr+" } else { "ptr-" };
                (head, operands) = (text.into(), vec![a, b]);
            }
            ExprKind::PtrDiff(a, b) => (head, operands) = ("ptrdiff".into(), vec![a, b]),
            ExprKind::LogAnd(a, b) => (head, operands) = ("&&".into(), vec![a, b]),
            ExprKind::LogOr(a, b) => (head, operands) = ("||".into(), vec![a, b]),
            ExprKind::Cond(a, b, c) => (head, operands) = ("?:".into(), vec![a, b, c]),
            ExprKind::CondOmitted(a, b) => (head, operands) = ("?:".into(), vec![a, b]),
            ExprKind::Comma(a, b) => (head, operands) = (",".into(), vec![a, b]),
            ExprKind::Assign(a, b) => (head, operands) = ("=".into(), vec![a, b]),
            ExprKind::CompoundAssign { op, compute, place, value } => {
                let op = match op {
                    CompoundOp::Arith(op) => op.sign().to_owned(),
                    CompoundOp::Ptr(PtrOffsetOp::Add) => "ptr+".to_owned(),
                    CompoundOp::Ptr(PtrOffsetOp::Sub) => "ptr-".to_owned(),
                };
                (head, operands) = (format!("{op}= in {}", self.ty(compute)), vec![place, value]);
            }
            ExprKind::IncDec(op, e) => {
                let text = match op {
                    IncDec::PreInc => "++pre",
                    IncDec::PreDec => "--pre",
                    IncDec::PostInc => "post++",
                    IncDec::PostDec => "post--",
                };
                (head, operands) = (text.into(), vec![e]);
            }
            ExprKind::Call(callee, args) => {
                head = "call".into();
                operands.push(callee);
                operands.extend_from_slice(unit.expr_lists.get(args));
            }
            ExprKind::Builtin(builtin, args) => {
                head = format!("builtin {builtin:?}");
                operands.extend_from_slice(unit.expr_lists.get(args));
            }
            ExprKind::Cast(kind, e) => (head, operands) = (format!("{kind:?}"), vec![e]),
            ExprKind::CompoundLiteral(var) => {
                self.out.push_str("(literal ");
                if let Some(init) = unit.vars[var].init {
                    self.init(init);
                }
                let _ = write!(self.out, "):{}", self.ty(node.ty));
                return;
            }
            ExprKind::StmtExpr(stmt) => {
                self.out.push_str("(statements {\n");
                self.stmt(stmt, 1);
                let _ = write!(self.out, "}}):{}", self.ty(node.ty));
                return;
            }
            ExprKind::VaArg(e) => (head, operands) = ("va_arg".into(), vec![e]),
            ExprKind::SizeofVla(ty) => head = format!("sizeof {}", self.ty(ty)),
            ExprKind::ComplexPart(e, imaginary) => {
                (head, operands) = (if imaginary { "imag" } else { "real" }.into(), vec![e]);
            }
            ExprKind::VectorElement(a, b) => (head, operands) = ("lane".into(), vec![a, b]),
        }
        let text = self.ty(node.ty);
        if operands.is_empty() {
            let _ = write!(self.out, "{head}:{text}");
        } else {
            let _ = write!(self.out, "({head}");
            self.list(&operands);
            let _ = write!(self.out, "):{text}");
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.indent(depth);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn line_expr(&mut self, depth: usize, text: &str, expr: ExprId) {
        self.indent(depth);
        self.out.push_str(text);
        self.expr(expr);
        self.out.push('\n');
    }

    fn stmt(&mut self, id: StmtId, depth: usize) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_node(id, depth));
    }

    fn stmt_node(&mut self, id: StmtId, depth: usize) {
        let unit = self.unit;
        match unit.stmts[id].kind {
            StmtKind::Empty => self.line(depth, "empty"),
            StmtKind::Expr(expr) => self.line_expr(depth, "", expr),
            StmtKind::Decl(var) => self.variable(var, depth),
            StmtKind::Compound(list) => {
                self.line(depth, "block");
                for &stmt in unit.stmt_lists.get(list) {
                    self.stmt(stmt, depth + 1);
                }
            }
            StmtKind::If(cond, then, other) => {
                self.line_expr(depth, "if ", cond);
                self.stmt(then, depth + 1);
                if let Some(other) = other {
                    self.line(depth, "else");
                    self.stmt(other, depth + 1);
                }
            }
            StmtKind::Switch { cond, body, cases, default } => {
                self.line_expr(depth, "switch ", cond);
                let mut text = String::from("cases");
                for case in unit.case_lists.get(cases) {
                    let _ = if case.low == case.high {
                        write!(text, " {}", case.low as i64)
                    } else {
                        write!(text, " {}..{}", case.low as i64, case.high as i64)
                    };
                    let _ = write!(text, "->{}", case.stmt);
                }
                if let Some(default) = default {
                    let _ = write!(text, " default->{default}");
                }
                self.line(depth + 1, &text);
                self.stmt(body, depth + 1);
            }
            StmtKind::While(cond, body) => {
                self.line_expr(depth, &format!("{id}: while "), cond);
                self.stmt(body, depth + 1);
            }
            StmtKind::DoWhile(body, cond) => {
                self.line(depth, &format!("{id}: do"));
                self.stmt(body, depth + 1);
                self.line_expr(depth, "while ", cond);
            }
            StmtKind::For { init, cond, step, body } => {
                self.line(depth, &format!("{id}: for"));
                for &stmt in unit.stmt_lists.get(init) {
                    self.stmt(stmt, depth + 1);
                }
                if let Some(cond) = cond {
                    self.line_expr(depth + 1, "while ", cond);
                }
                if let Some(step) = step {
                    self.line_expr(depth + 1, "step ", step);
                }
                self.stmt(body, depth + 1);
            }
            StmtKind::Goto(label) => {
                let name = unit.names.name(unit.labels[label].name).to_owned();
                self.line(depth, &format!("goto {name}"));
            }
            StmtKind::GotoOuter(label, function) => {
                let name = unit.names.name(unit.labels[label].name).to_owned();
                let function = unit.names.name(unit.functions[function].name).to_owned();
                self.line(depth, &format!("goto {name} of {function}"));
            }
            StmtKind::GotoIndirect(expr) => self.line_expr(depth, "goto *", expr),
            StmtKind::Label(label, body) => {
                let name = unit.names.name(unit.labels[label].name).to_owned();
                self.line(depth, &format!("label {name}"));
                self.stmt(body, depth);
            }
            StmtKind::Case(body) => {
                self.line(depth, &format!("{id}: case"));
                self.stmt(body, depth);
            }
            StmtKind::Default(body) => {
                self.line(depth, &format!("{id}: default"));
                self.stmt(body, depth);
            }
            StmtKind::Break(stmt) => self.line(depth, &format!("break {stmt}")),
            StmtKind::Continue(stmt) => self.line(depth, &format!("continue {stmt}")),
            StmtKind::Nested(function) => self.nested(function, depth),
            StmtKind::Return(None) => self.line(depth, "return"),
            StmtKind::Return(Some(expr)) => self.line_expr(depth, "return ", expr),
            StmtKind::Asm(asm) => {
                let asm = &unit.asms[asm];
                self.line(depth, &format!("asm {:?}", asm.template));
                for output in &asm.outputs {
                    self.line_expr(
                        depth + 1,
                        &format!("out {:?} ", output.constraint),
                        output.expr,
                    );
                }
                for input in &asm.inputs {
                    self.line_expr(depth + 1, &format!("in {:?} ", input.constraint), input.expr);
                }
            }
        }
    }
}

fn string_text(units: &StringUnits) -> String {
    match units {
        StringUnits::Bytes(bytes) => format!("\"{}\"", bytes.escape_ascii()),
        StringUnits::Units16(units) => format!("u{units:?}"),
        StringUnits::Units32(units) => format!("U{units:?}"),
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
    }
}

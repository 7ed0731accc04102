//! The syntax tree as text: a line for each node, indented by depth, with the place where the node begins.
//!
//! The walk keeps its own stack, since trees may be as deep as chains are long.

use super::place::Places;
use crate::ast::*;
use crate::intern::Symbol;
use crate::pool::List;
use std::fmt::Write;
use vergo_source::{SourceMap, Span};

/// The syntax tree as text.
pub fn ast(ast: &Ast, sources: &SourceMap) -> String {
    let mut dump = Dump {
        ast,
        sources,
        places: Places::new(sources),
        out: String::new(),
        todo: Vec::new(),
        depth: 0,
    };
    let mut file = None;
    for &item in &ast.items {
        let span = match item {
            Item::Decl(id) => ast.decls[id].span,
            Item::Function(function) => function.span,
            Item::Asm(id) => ast.asms[id].span,
        };
        let here = sources.presumed(span.lo).file;
        if file.as_ref() != Some(&here) {
            let _ = writeln!(dump.out, "file {here}");
            file = Some(here);
        }
        dump.todo.push((0, Node::Item(item)));
        dump.run();
    }
    for pragma in &ast.pragmas {
        let place = dump.place(pragma.span);
        let text = dump.text(pragma.span);
        let _ = writeln!(dump.out, "pragma {text} {place}");
    }
    dump.out
}

struct Dump<'a> {
    ast: &'a Ast,
    sources: &'a SourceMap,
    places: Places<'a>,
    out: String,
    /// The nodes that are still to be written, the next one last.
    todo: Vec<(u32, Node)>,
    depth: u32,
}

/// Something that gets a line, and lines below it for its parts.
#[derive(Clone, Copy)]
enum Node {
    Item(Item),
    Function(FunctionDef),
    Decl(DeclId),
    Declarator(&'static str, DeclaratorId),
    Specs(SpecsId),
    Type(&'static str, TypeNameId),
    Chunk(Chunk),
    Param(Param),
    Member(Member),
    Enumerator(Enumerator),
    Attr(Attr),
    Init(InitId),
    Entry(InitEntry),
    Designator(Designator),
    Expr(&'static str, ExprId),
    Association(GenericAssoc),
    Stmt(&'static str, StmtId),
    Asm(AsmId),
    Operand(&'static str, AsmOperand),
    Strings(&'static str, List<Span>),
}

impl Dump<'_> {
    fn run(&mut self) {
        while let Some((depth, node)) = self.todo.pop() {
            self.depth = depth;
            let mark = self.todo.len();
            self.node(node);
            // Parts were pushed in the order of the text.
            self.todo[mark..].reverse();
        }
    }

    fn place(&mut self, span: Span) -> String {
        self.places.text(span.lo)
    }

    fn text(&self, span: Span) -> String {
        self.sources.span_text(span).escape_ascii().to_string()
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.ast.names.name(symbol)
    }

    fn line(&mut self, text: &str, span: Span) {
        let place = self.place(span);
        self.indent();
        let _ = writeln!(self.out, "{text} {place}");
    }

    /// Indentation stops where nobody could follow it, so that the text of a deep tree stays linear in its size.
    fn indent(&mut self) {
        const DEEPEST: u32 = 100;
        for _ in 0..self.depth.min(DEEPEST) {
            self.out.push_str("  ");
        }
        if self.depth > DEEPEST {
            let _ = write!(self.out, "[depth {}] ", self.depth);
        }
    }

    fn part(&mut self, node: Node) {
        self.todo.push((self.depth + 1, node));
    }

    fn attrs(&mut self, attrs: List<Attr>) {
        let ast = self.ast;
        for &attr in ast.attr_lists.get(attrs) {
            self.part(Node::Attr(attr));
        }
    }

    fn exprs(&mut self, role: &'static str, exprs: List<ExprId>) {
        let ast = self.ast;
        for &expr in ast.expr_lists.get(exprs) {
            self.part(Node::Expr(role, expr));
        }
    }

    fn designators(&mut self, designators: List<Designator>) {
        let ast = self.ast;
        for &designator in ast.designator_lists.get(designators) {
            self.part(Node::Designator(designator));
        }
    }

    fn strings(&mut self, role: &'static str, pieces: List<Span>) {
        if !pieces.is_empty() {
            self.part(Node::Strings(role, pieces));
        }
    }

    fn names(&self, list: List<(Symbol, Span)>) -> String {
        let mut text = String::new();
        for (name, _) in self.ast.name_lists.get(list) {
            let _ = write!(text, " {}", self.name(*name));
        }
        text
    }

    fn node(&mut self, node: Node) {
        let ast = self.ast;
        match node {
            Node::Item(Item::Decl(id)) => self.node(Node::Decl(id)),
            Node::Item(Item::Function(function)) => self.node(Node::Function(function)),
            Node::Item(Item::Asm(id)) => self.node(Node::Asm(id)),
            Node::Function(function) => {
                self.line("function", function.span);
                self.part(Node::Specs(function.specs));
                self.part(Node::Declarator("", function.declarator));
                for &decl in ast.decl_lists.get(function.kr_decls) {
                    self.part(Node::Decl(decl));
                }
                self.part(Node::Stmt("", function.body));
            }
            Node::Decl(id) => self.decl(id),
            Node::Declarator(role, id) => {
                let declarator = ast.declarators[id];
                let name = declarator.name.map_or("(abstract)", |(name, _)| self.name(name));
                let line = format!("{role}declarator {name}");
                self.line(&line, declarator.span);
                for &chunk in ast.chunk_lists.get(declarator.chunks) {
                    self.part(Node::Chunk(chunk));
                }
                self.strings("asm name", declarator.asm_name);
                self.attrs(declarator.attrs);
            }
            Node::Specs(id) => self.specs(id),
            Node::Type(role, id) => {
                let ty = ast.type_names[id];
                self.line(&format!("{role}type"), ty.span);
                self.part(Node::Specs(ty.specs));
                if !ast.declarators[ty.declarator].chunks.is_empty() {
                    self.part(Node::Declarator("", ty.declarator));
                }
            }
            Node::Chunk(chunk) => self.chunk(chunk),
            Node::Param(param) => {
                self.line("parameter", param.span);
                self.part(Node::Specs(param.specs));
                self.part(Node::Declarator("", param.declarator));
            }
            Node::Member(Member::StaticAssert(decl)) => self.node(Node::Decl(decl)),
            Node::Member(Member::Field { specs, declarator, width, span }) => {
                self.line("member", span);
                self.part(Node::Specs(specs));
                if let Some(declarator) = declarator {
                    self.part(Node::Declarator("", declarator));
                }
                if let Some(width) = width {
                    self.part(Node::Expr("width ", width));
                }
            }
            Node::Enumerator(enumerator) => {
                let line = format!("enumerator {}", self.name(enumerator.name));
                self.line(&line, enumerator.span);
                if let Some(value) = enumerator.value {
                    self.part(Node::Expr("", value));
                }
            }
            Node::Attr(attr) => {
                let line = format!("attribute {}", self.name(attr.name));
                self.line(&line, attr.span);
                self.exprs("", attr.args);
                if let Some(ty) = attr.ty {
                    self.part(Node::Type("", ty));
                }
            }
            Node::Init(id) => {
                let init = ast.inits[id];
                match init.kind {
                    InitKind::Expr(expr) => self.node(Node::Expr("initialiser ", expr)),
                    InitKind::List(entries) => {
                        self.line("initialiser list", init.span);
                        for &entry in ast.init_entry_lists.get(entries) {
                            self.part(Node::Entry(entry));
                        }
                    }
                }
            }
            Node::Entry(entry) => {
                if entry.designators.is_empty() {
                    self.node(Node::Init(entry.init));
                } else {
                    self.line("designated", ast.inits[entry.init].span);
                    self.designators(entry.designators);
                    self.part(Node::Init(entry.init));
                }
            }
            Node::Designator(designator) => match designator {
                Designator::Field(name, span) => {
                    let line = format!("member .{}", self.name(name));
                    self.line(&line, span);
                }
                Designator::Index(index) => self.node(Node::Expr("index ", index)),
                Designator::Range(low, high) => {
                    self.line("range", ast.exprs[low].span);
                    self.part(Node::Expr("low ", low));
                    self.part(Node::Expr("high ", high));
                }
            },
            Node::Expr(role, id) => self.expr(role, id),
            Node::Association(association) => {
                let span = ast.exprs[association.expr].span;
                match association.ty {
                    Some(ty) => {
                        self.line("association", span);
                        self.part(Node::Type("", ty));
                    }
                    None => self.line("association default", span),
                }
                self.part(Node::Expr("", association.expr));
            }
            Node::Stmt(role, id) => self.stmt(role, id),
            Node::Asm(id) => {
                let asm = &ast.asms[id];
                let volatile = if asm.volatile { " volatile" } else { "" };
                let goto = if asm.goto { " goto" } else { "" };
                let labels = if asm.labels.is_empty() {
                    String::new()
                } else {
                    format!(" labels{}", self.names(asm.labels))
                };
                self.line(&format!("asm{volatile}{goto}{labels}"), asm.span);
                self.strings("template", asm.template);
                for &operand in &asm.outputs {
                    self.part(Node::Operand("output", operand));
                }
                for &operand in &asm.inputs {
                    self.part(Node::Operand("input", operand));
                }
                for &clobber in &asm.clobbers {
                    self.strings("clobber", clobber);
                }
            }
            Node::Operand(role, operand) => {
                let name =
                    operand.name.map_or(String::new(), |name| format!(" [{}]", self.name(name)));
                self.line(&format!("{role}{name}"), ast.exprs[operand.expr].span);
                self.strings("constraint", operand.constraint);
                self.part(Node::Expr("", operand.expr));
            }
            Node::Strings(role, pieces) => {
                let pieces = ast.span_lists.get(pieces);
                let texts: Vec<String> = pieces.iter().map(|&piece| self.text(piece)).collect();
                let span = pieces.first().copied().unwrap_or(Span::DUMMY);
                self.line(&format!("{role} {}", texts.join(" ")), span);
            }
        }
    }

    fn decl(&mut self, id: DeclId) {
        let ast = self.ast;
        let decl = ast.decls[id];
        match decl.kind {
            DeclKind::Vars { specs, declarators } => {
                self.line("declaration", decl.span);
                self.part(Node::Specs(specs));
                for entry in ast.init_declarator_lists.get(declarators) {
                    self.part(Node::Declarator("", entry.declarator));
                    if let Some(init) = entry.init {
                        self.part(Node::Init(init));
                    }
                }
            }
            DeclKind::StaticAssert { cond, message } => {
                self.line("static assertion", decl.span);
                self.part(Node::Expr("", cond));
                self.strings("message", message);
            }
            DeclKind::Function(function) => self.node(Node::Function(function)),
            DeclKind::Empty => self.line("empty declaration", decl.span),
        }
    }

    fn specs(&mut self, id: SpecsId) {
        let ast = self.ast;
        let specs = ast.specs[id];
        let mut line = String::from("specifiers");
        for (class, word) in [
            (Storage::TYPEDEF, "typedef"),
            (Storage::EXTERN, "extern"),
            (Storage::STATIC, "static"),
            (Storage::AUTO, "auto"),
            (Storage::REGISTER, "register"),
            (Storage::THREAD_LOCAL, "thread-local"),
            (Storage::INLINE, "inline"),
            (Storage::NORETURN, "noreturn"),
            (Storage::CONSTEXPR, "constexpr"),
        ] {
            if specs.storage.has(class) {
                line.push(' ');
                line.push_str(word);
            }
        }
        line.push_str(&qualifiers(specs.quals));
        let mut parts = Vec::new();
        let mut attrs = List::EMPTY;
        let tagged = |word: &str, tag: Option<(Symbol, Span)>| match tag {
            Some((name, _)) => format!(" {word} {}", self.name(name)),
            None => format!(" {word} (anonymous)"),
        };
        match specs.ty {
            TypeSpec::None => line.push_str(" (no type)"),
            TypeSpec::Basic(basic) => {
                line.push(' ');
                line.push_str(&basic_text(basic));
            }
            TypeSpec::Record { kind, tag, members, attrs: list } => {
                let word = if kind == RecordKind::Struct { "struct" } else { "union" };
                line.push_str(&tagged(word, tag));
                if let Some(members) = members {
                    line.push_str(" definition");
                    parts.extend(
                        ast.member_lists.get(members).iter().map(|&member| Node::Member(member)),
                    );
                }
                attrs = list;
            }
            TypeSpec::Enum { tag, underlying, enumerators, attrs: list } => {
                line.push_str(&tagged("enum", tag));
                parts.extend(underlying.map(|ty| Node::Type("underlying ", ty)));
                if let Some(enumerators) = enumerators {
                    line.push_str(" definition");
                    parts.extend(
                        ast.enumerator_lists.get(enumerators).iter().map(|&e| Node::Enumerator(e)),
                    );
                }
                attrs = list;
            }
            TypeSpec::Typedef(name) => {
                let _ = write!(line, " typedef-name {}", self.name(name));
            }
            TypeSpec::TypeofExpr { expr, unqual } => {
                line.push_str(if unqual { " typeof_unqual" } else { " typeof" });
                parts.push(Node::Expr("", expr));
            }
            TypeSpec::TypeofType { ty, unqual } => {
                line.push_str(if unqual { " typeof_unqual" } else { " typeof" });
                parts.push(Node::Type("", ty));
            }
            TypeSpec::Auto => line.push_str(" __auto_type"),
            TypeSpec::Atomic(ty) => {
                line.push_str(" _Atomic()");
                parts.push(Node::Type("", ty));
            }
            TypeSpec::BitInt { width, unsigned } => {
                line.push_str(if unsigned { " unsigned _BitInt" } else { " _BitInt" });
                parts.push(Node::Expr("", width));
            }
            TypeSpec::Error => line.push_str(" (error)"),
        }
        self.line(&line, specs.span);
        for part in parts {
            self.part(part);
        }
        self.attrs(attrs);
        self.attrs(specs.attrs);
    }

    fn chunk(&mut self, chunk: Chunk) {
        let ast = self.ast;
        // Pointers have no place of their own.
        match chunk {
            Chunk::Pointer { quals, attrs } => {
                self.indent();
                let _ = writeln!(self.out, "pointer{}", qualifiers(quals));
                self.attrs(attrs);
            }
            Chunk::Array { size, quals, is_static, span } => {
                let word = if is_static { " static" } else { "" };
                let star = if matches!(size, ArraySize::Star) { " *" } else { "" };
                self.line(&format!("array{word}{}{star}", qualifiers(quals)), span);
                if let ArraySize::Expr(expr) = size {
                    self.part(Node::Expr("", expr));
                }
            }
            Chunk::Function { params, span } => match params {
                Params::Empty => self.line("function ()", span),
                Params::Names(names) => {
                    let names = self.names(names);
                    self.line(&format!("function names{names}"), span);
                }
                Params::Prototype { params, variadic } => {
                    let line = match (params.is_empty(), variadic) {
                        (true, false) => "function (void)",
                        (_, true) => "function variadic",
                        _ => "function",
                    };
                    self.line(line, span);
                    for &param in ast.param_lists.get(params) {
                        self.part(Node::Param(param));
                    }
                }
            },
        }
    }

    fn expr(&mut self, role: &'static str, id: ExprId) {
        let ast = self.ast;
        let expr = ast.exprs[id];
        let child = |id| Node::Expr("", id);
        let (line, parts): (String, Vec<Node>) = match expr.kind {
            ExprKind::Error => ("error".into(), vec![]),
            ExprKind::Name(name) => (format!("name {}", self.name(name)), vec![]),
            ExprKind::Number => (format!("number {}", self.text(expr.span)), vec![]),
            ExprKind::Char => (format!("character {}", self.text(expr.span)), vec![]),
            ExprKind::String(pieces) => {
                let texts: Vec<String> =
                    ast.span_lists.get(pieces).iter().map(|&piece| self.text(piece)).collect();
                (format!("string {}", texts.join(" ")), vec![])
            }
            ExprKind::Keyword(constant) => (format!("constant {constant:?}"), vec![]),
            ExprKind::Paren(inner) => ("parentheses".into(), vec![child(inner)]),
            ExprKind::Index(base, index) => ("index".into(), vec![child(base), child(index)]),
            ExprKind::Call(callee, args) => {
                let args = ast.expr_lists.get(args).iter().map(|&arg| Node::Expr("argument ", arg));
                ("call".into(), std::iter::once(child(callee)).chain(args).collect())
            }
            ExprKind::Member(base, name) => {
                (format!("member .{}", self.name(name)), vec![child(base)])
            }
            ExprKind::Arrow(base, name) => {
                (format!("member ->{}", self.name(name)), vec![child(base)])
            }
            ExprKind::Unary(op, operand) => {
                (format!("unary {}", unary_text(op)), vec![child(operand)])
            }
            ExprKind::Binary(op, lhs, rhs) => {
                (format!("binary {}", binary_text(op)), vec![child(lhs), child(rhs)])
            }
            ExprKind::Assign(op, target, value) => (
                format!("assign {}=", op.map_or("", binary_text)),
                vec![child(target), child(value)],
            ),
            ExprKind::Cond(cond, then, other) => {
                let parts = [
                    Some(child(cond)),
                    then.map(|then| Node::Expr("then ", then)),
                    Some(Node::Expr("else ", other)),
                ];
                ("conditional".into(), parts.into_iter().flatten().collect())
            }
            ExprKind::Cast(ty, operand) => {
                ("cast".into(), vec![Node::Type("", ty), child(operand)])
            }
            ExprKind::CompoundLiteral(ty, init) => {
                ("compound literal".into(), vec![Node::Type("", ty), Node::Init(init)])
            }
            ExprKind::SizeofExpr(operand) => ("sizeof".into(), vec![child(operand)]),
            ExprKind::SizeofType(ty) => ("sizeof".into(), vec![Node::Type("", ty)]),
            ExprKind::AlignofExpr(operand) => ("alignof".into(), vec![child(operand)]),
            ExprKind::AlignofType(ty) => ("alignof".into(), vec![Node::Type("", ty)]),
            ExprKind::StmtExpr(body) => ("statement expression".into(), vec![Node::Stmt("", body)]),
            ExprKind::LabelAddr(label) => (format!("label address {}", self.name(label)), vec![]),
            ExprKind::Generic(control, associations) => {
                let associations =
                    ast.generic_lists.get(associations).iter().map(|&a| Node::Association(a));
                ("generic".into(), std::iter::once(child(control)).chain(associations).collect())
            }
            ExprKind::VaArg(list, ty) => ("va_arg".into(), vec![child(list), Node::Type("", ty)]),
            ExprKind::Offsetof(ty, designators) => {
                let designators =
                    ast.designator_lists.get(designators).iter().map(|&d| Node::Designator(d));
                (
                    "offsetof".into(),
                    std::iter::once(Node::Type("", ty)).chain(designators).collect(),
                )
            }
            ExprKind::TypesCompatible(a, b) => {
                ("types compatible".into(), vec![Node::Type("", a), Node::Type("", b)])
            }
            ExprKind::ChooseExpr(args) => {
                ("choose".into(), ast.expr_lists.get(args).iter().map(|&arg| child(arg)).collect())
            }
            ExprKind::ConvertVector(vector, ty) => {
                ("convert vector".into(), vec![child(vector), Node::Type("", ty)])
            }
        };
        self.line(&format!("{role}{line}"), expr.span);
        for part in parts {
            self.part(part);
        }
    }

    fn stmt(&mut self, role: &'static str, id: StmtId) {
        let ast = self.ast;
        let stmt = ast.stmts[id];
        let (line, parts): (String, Vec<Node>) = match stmt.kind {
            StmtKind::Error => ("error".into(), vec![]),
            StmtKind::Empty => ("empty".into(), vec![]),
            StmtKind::Expr(expr) => ("expression".into(), vec![Node::Expr("", expr)]),
            StmtKind::Decl(decl) if role.is_empty() => return self.node(Node::Decl(decl)),
            StmtKind::Decl(decl) => ("declaration".into(), vec![Node::Decl(decl)]),
            StmtKind::Compound(stmts) => (
                "block".into(),
                ast.stmt_lists.get(stmts).iter().map(|&stmt| Node::Stmt("", stmt)).collect(),
            ),
            StmtKind::If(cond, then, other) => {
                let other = other.map(|other| Node::Stmt("else ", other));
                let parts = [Some(Node::Expr("", cond)), Some(Node::Stmt("then ", then)), other];
                ("if".into(), parts.into_iter().flatten().collect())
            }
            StmtKind::Switch(cond, body) => {
                ("switch".into(), vec![Node::Expr("", cond), Node::Stmt("", body)])
            }
            StmtKind::While(cond, body) => {
                ("while".into(), vec![Node::Expr("", cond), Node::Stmt("", body)])
            }
            StmtKind::DoWhile(body, cond) => {
                ("do".into(), vec![Node::Stmt("", body), Node::Expr("while ", cond)])
            }
            StmtKind::For { init, cond, step, body } => {
                let parts = [
                    init.map(|init| Node::Stmt("init ", init)),
                    cond.map(|cond| Node::Expr("condition ", cond)),
                    step.map(|step| Node::Expr("step ", step)),
                    Some(Node::Stmt("", body)),
                ];
                ("for".into(), parts.into_iter().flatten().collect())
            }
            StmtKind::Goto(label) => (format!("goto {}", self.name(label)), vec![]),
            StmtKind::GotoIndirect(target) => ("goto *".into(), vec![Node::Expr("", target)]),
            StmtKind::Label(label, body) => {
                (format!("label {}", self.name(label)), vec![Node::Stmt("", body)])
            }
            StmtKind::Case { low, high, body } => {
                let parts = [
                    Some(Node::Expr("", low)),
                    high.map(|high| Node::Expr("to ", high)),
                    Some(Node::Stmt("", body)),
                ];
                ("case".into(), parts.into_iter().flatten().collect())
            }
            StmtKind::Default(body) => ("default".into(), vec![Node::Stmt("", body)]),
            StmtKind::Break => ("break".into(), vec![]),
            StmtKind::Continue => ("continue".into(), vec![]),
            StmtKind::Return(value) => {
                ("return".into(), value.map(|value| Node::Expr("", value)).into_iter().collect())
            }
            StmtKind::LocalLabels(labels) => {
                (format!("local labels{}", self.names(labels)), vec![])
            }
            StmtKind::Asm(asm) => return self.node(Node::Asm(asm)),
        };
        self.line(&format!("{role}{line}"), stmt.span);
        for part in parts {
            self.part(part);
        }
    }
}

fn qualifiers(quals: Quals) -> String {
    let mut text = String::new();
    for (qualifier, word) in [
        (Quals::CONST, " const"),
        (Quals::VOLATILE, " volatile"),
        (Quals::RESTRICT, " restrict"),
        (Quals::ATOMIC, " _Atomic"),
    ] {
        if quals.has(qualifier) {
            text.push_str(word);
        }
    }
    text
}

fn basic_text(basic: Basic) -> String {
    let text = match basic {
        Basic::Void => "void",
        Basic::Bool => "_Bool",
        Basic::Char => "char",
        Basic::SChar => "signed char",
        Basic::UChar => "unsigned char",
        Basic::Short => "short",
        Basic::UShort => "unsigned short",
        Basic::Int => "int",
        Basic::UInt => "unsigned int",
        Basic::Long => "long",
        Basic::ULong => "unsigned long",
        Basic::LongLong => "long long",
        Basic::ULongLong => "unsigned long long",
        Basic::Int128 => "__int128",
        Basic::UInt128 => "unsigned __int128",
        Basic::Float(name) => float_text(name),
        Basic::Complex(name) => return format!("_Complex {}", float_text(name)),
        Basic::ComplexInt(kind) => return format!("_Complex {}", crate::typename::int_name(kind)),
        Basic::VaList => "__builtin_va_list",
    };
    text.to_owned()
}

fn float_text(name: FloatName) -> &'static str {
    match name {
        FloatName::Float => "float",
        FloatName::Double => "double",
        FloatName::LongDouble => "long double",
        FloatName::Float16 => "_Float16",
        FloatName::BFloat16 => "__bf16",
        FloatName::Float32 => "_Float32",
        FloatName::Float64 => "_Float64",
        FloatName::Float128 => "_Float128",
        FloatName::Float32x => "_Float32x",
        FloatName::Float64x => "_Float64x",
        FloatName::Decimal => "_Decimal",
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::PreInc => "++_",
        UnaryOp::PreDec => "--_",
        UnaryOp::PostInc => "_++",
        UnaryOp::PostDec => "_--",
        UnaryOp::AddrOf => "&",
        UnaryOp::Deref => "*",
        UnaryOp::Plus => "+",
        UnaryOp::Neg => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
        UnaryOp::Real => "__real__",
        UnaryOp::Imag => "__imag__",
        UnaryOp::Extension => "__extension__",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
        BinaryOp::Comma => ",",
    }
}

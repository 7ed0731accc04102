//! The checker: whether an automaton makes sense before any program is looked at.
//!
//! Patterns have to fit the annotations of their states. Operations are parsed as C, and may write nothing but the
//! automaton's variables and their own locals, call nothing but `assert`, `assume` and `nondet`, and use no names that
//! they do not know: then an instrumented program behaves as the original does, apart from assertions that fail.

use crate::automaton::{Annotation, Automaton, Instances, Pattern, Place, Transition};
use crate::codes;
use std::collections::BTreeSet;
use vergo_cfront::ast::{
    Ast, DeclKind, ExprId, ExprKind, InitKind, Item, StmtId, StmtKind, UnaryOp,
};
use vergo_cfront::{Options, parse};
use vergo_source::{Diagnostic, Diagnostics, SourceMap, Span};

/// Functions that operations may call.
pub const FUNCTIONS: &[&str] = &["assert", "assume", "nondet"];

/// The names that the instrumentation gives to an operation besides the placeholders of its pattern.
pub const GIVEN: &[(&str, &str)] = &[
    ("min", "the least value of the matched operation's type"),
    ("max", "the greatest value of the matched operation's type"),
    ("width", "the width of the matched operation's type in bits"),
    ("size", "the number of bytes that are accessed"),
    ("index", "the number of the matched call among all that the automaton matches, from 0"),
    ("count", "how many calls the automaton matches"),
    ("save", "copies the state of the loop, as a statement"),
    ("same", "whether the state of the loop is the copied one"),
];

/// Checks an automaton; says whether it is sound.
pub fn check(automaton: &Automaton, map: &mut SourceMap, diags: &mut Diagnostics) -> bool {
    let before = diags.error_count();
    check_states(automaton, diags);
    for proposition in &automaton.propositions {
        if let Some(complaint) = crate::propositions::text_complaint(&proposition.text) {
            diags.push(Diagnostic::error(codes::CONDITION, proposition.text_span, complaint));
        }
    }
    for transition in &automaton.transitions {
        check_placement(automaton, transition, diags);
        check_operation(automaton, transition, map, diags);
    }
    diags.error_count() == before
}

fn check_states(automaton: &Automaton, diags: &mut Diagnostics) {
    for (number, state) in automaton.states.iter().enumerate() {
        let entered = automaton.transitions.iter().any(|t| t.to == number && t.from != number);
        if !entered && !automaton.start.contains(&number) {
            let message = format!("no transition leads to state `{}`", state.name);
            diags.push(
                Diagnostic::warning(codes::UNREACHABLE_STATE, state.span, message)
                    .help(format!("`start {};` makes it a start state", state.name)),
            );
        }
    }
}

fn check_placement(automaton: &Automaton, transition: &Transition, diags: &mut Diagnostics) {
    let annotation = &automaton.states[transition.from].annotation;
    let complaint = match (annotation, &transition.pattern, transition.place) {
        (Annotation::True, Pattern::Any, _) => Some("`any` needs an annotated state"),
        (Annotation::True, Pattern::Change, Place::Before | Place::Replace) => {
            Some("operations come after a change")
        }
        (Annotation::True, Pattern::Cond | Pattern::NotCond, Place::Replace) => {
            Some("a condition cannot be replaced")
        }
        (Annotation::True, Pattern::Access { .. }, Place::After | Place::Replace) => {
            Some("operations come before an access")
        }
        (Annotation::True, ..) => None,
        (Annotation::LoopHead, Pattern::Any, Place::Before) => None,
        (Annotation::LoopHead, Pattern::Cond | Pattern::NotCond, Place::After) => None,
        (Annotation::LoopHead, Pattern::Any, _) => {
            Some("operations of `any` come before the head of a loop")
        }
        (Annotation::LoopHead, Pattern::Cond | Pattern::NotCond, _) => {
            Some("operations come after the condition of a loop")
        }
        (Annotation::LoopHead, ..) => {
            Some("at the head of a loop there are `any`, `cond` and `!cond`")
        }
        (_, Pattern::Any, Place::Before) => None,
        (_, Pattern::Any, _) => Some("operations come before the edge"),
        _ => Some("the pattern has to be `any`"),
    };
    if let Some(complaint) = complaint {
        let message = format!("{complaint}, and the state is annotated `{annotation}`");
        diags.push(Diagnostic::error(codes::PLACEMENT, transition.pattern_span, message));
    }
}

/// Parses the operation as C in a file of its own and maps what is wrong back to the automaton.
fn check_operation(
    automaton: &Automaton,
    transition: &Transition,
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) {
    let operation = &transition.operation;
    let (prefix, suffix) = match transition.place {
        Place::Replace => ("void f(void) { (", "); }\n"),
        _ => ("void f(void) {", "}\n"),
    };
    let text = format!("{prefix}{}{suffix}", operation.text);
    let Ok(file) = map.add("<operation>", text) else { return };
    let start = map.file_span(file).lo + prefix.len() as u32;
    let at = |span: Span| {
        let shift = |position: u32| {
            let offset = position.saturating_sub(start).min(operation.span.len());
            operation.span.lo + offset
        };
        Span::new(shift(span.lo), shift(span.hi))
    };
    let mut own = Diagnostics::new();
    let ast = parse(map, file, &Options::default(), &mut own);
    for diagnostic in &own {
        let mut diagnostic = diagnostic.clone();
        diagnostic.primary = at(diagnostic.primary);
        for (span, _) in &mut diagnostic.labels {
            *span = at(*span);
        }
        diags.push(diagnostic);
    }
    if own.has_errors() {
        return;
    }
    let mut checker = OperationChecker {
        ast: &ast,
        automaton,
        transition,
        locals: BTreeSet::new(),
        complaints: Vec::new(),
    };
    for item in &ast.items {
        if let Item::Function(function) = item {
            checker.stmt(function.body);
        } else {
            // Text that ends the function's body early.
            let message = "the braces of the operation do not match".to_owned();
            checker.complaints.push((codes::SYNTAX, operation.span, message));
        }
    }
    for (code, span, message) in checker.complaints {
        diags.push(Diagnostic::error(code, at(span), message));
    }
}

struct OperationChecker<'a> {
    ast: &'a Ast,
    automaton: &'a Automaton,
    transition: &'a Transition,
    locals: BTreeSet<String>,
    complaints: Vec<(vergo_source::Code, Span, String)>,
}

impl OperationChecker<'_> {
    fn stmt(&mut self, stmt: StmtId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.stmt_node(stmt));
    }

    fn stmt_node(&mut self, stmt: StmtId) {
        let node = self.ast.stmts[stmt];
        match node.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                if let ExprKind::Call(callee, args) = self.ast.exprs[expr].kind
                    && matches!(self.name(callee), Some("assert" | "assume"))
                {
                    for &arg in self.ast.expr_lists.get(args) {
                        self.expr(arg);
                    }
                } else if let ExprKind::Name(symbol) = self.ast.exprs[expr].kind
                    && self.ast.names.name(symbol) == "$save"
                {
                    self.loops_only("$save", node.span);
                } else {
                    self.expr(expr);
                }
            }
            StmtKind::Decl(decl) => {
                if let DeclKind::Vars { declarators, .. } = self.ast.decls[decl].kind {
                    for declared in self.ast.init_declarator_lists.get(declarators) {
                        if let Some(init) = declared.init {
                            match self.ast.inits[init].kind {
                                InitKind::Expr(expr) => self.expr(expr),
                                InitKind::List(_) => {}
                            }
                        }
                        if let Some((name, _)) = self.ast.declarators[declared.declarator].name {
                            self.locals.insert(self.ast.names.name(name).to_owned());
                        }
                    }
                }
            }
            StmtKind::Compound(list) => {
                for &stmt in self.ast.stmt_lists.get(list) {
                    self.stmt(stmt);
                }
            }
            StmtKind::If(cond, then, otherwise) => {
                self.expr(cond);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For { init, cond, step, body } => {
                if let Some(init) = init {
                    self.stmt(init);
                }
                for expr in [cond, step].into_iter().flatten() {
                    self.expr(expr);
                }
                self.stmt(body);
            }
            _ => {
                let message = "an operation consists of declarations, expressions, `if` and loops";
                self.complaints.push((codes::SYNTAX, node.span, message.to_owned()));
            }
        }
    }

    fn expr(&mut self, expr: ExprId) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_node(expr));
    }

    fn expr_node(&mut self, expr: ExprId) {
        let node = self.ast.exprs[expr];
        match node.kind {
            ExprKind::Name(symbol) => {
                let name = self.ast.names.name(symbol).to_owned();
                self.read(&name, node.span);
            }
            ExprKind::Paren(inner) | ExprKind::Cast(_, inner) | ExprKind::Member(inner, _) => {
                self.expr(inner);
            }
            ExprKind::Arrow(inner, _) => self.expr(inner),
            ExprKind::Unary(op, inner) => {
                let writes = [UnaryOp::PreInc, UnaryOp::PreDec, UnaryOp::PostInc, UnaryOp::PostDec];
                if writes.contains(&op) {
                    self.write(inner);
                }
                self.expr(inner);
            }
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Assign(_, place, value) => {
                self.write(place);
                self.expr(place);
                self.expr(value);
            }
            ExprKind::Cond(cond, then, otherwise) => {
                self.expr(cond);
                for expr in then.into_iter().chain([otherwise]) {
                    self.expr(expr);
                }
            }
            ExprKind::Call(callee, args) => {
                match self.name(callee) {
                    Some("nondet") => {}
                    Some(name @ ("assert" | "assume")) => {
                        let message = format!("`{name}` has to be a statement of its own");
                        self.complaints.push((codes::SYNTAX, node.span, message));
                    }
                    name => {
                        let name = name.unwrap_or("a pointer to a function").to_owned();
                        // `replace` may call what it replaces, and other functions in its stead.
                        if self.transition.place != Place::Replace {
                            let message = format!("the operation calls `{name}`");
                            let span = self.ast.exprs[callee].span;
                            self.complaints.push((codes::UNKNOWN_FUNCTION, span, message));
                        }
                    }
                }
                for &arg in self.ast.expr_lists.get(args) {
                    self.expr(arg);
                }
            }
            ExprKind::Number
            | ExprKind::Char
            | ExprKind::String(_)
            | ExprKind::Keyword(_)
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofExpr(_) => {}
            _ => {
                let message = "this kind of expression is not allowed in an operation".to_owned();
                self.complaints.push((codes::SYNTAX, node.span, message));
            }
        }
    }

    fn read(&mut self, name: &str, span: Span) {
        if let Some(hole) = name.strip_prefix('$') {
            if matches!(hole, "save" | "same") {
                self.loops_only(name, span);
                if hole == "save" {
                    let message = "`$save` has to be a statement of its own".to_owned();
                    self.complaints.push((codes::SYNTAX, span, message));
                }
                return;
            }
            let pattern = &self.transition.pattern;
            let given = match pattern {
                Pattern::Arithmetic { .. } => matches!(hole, "min" | "max" | "width"),
                Pattern::Access { .. } => hole == "size",
                Pattern::Call { .. } => hole == "index",
                _ => false,
            };
            if !given && hole != "count" && !pattern.placeholders().contains(&hole) {
                let message = format!("the pattern does not bind `{name}`");
                self.complaints.push((codes::UNKNOWN_NAME, span, message));
            }
            return;
        }
        let known = self.locals.contains(name)
            || self.automaton.variables.iter().any(|variable| variable.name == name)
            || self.automaton.propositions.iter().any(|proposition| proposition.name == name)
            || self.automaton.reads.iter().any(|(read, _)| read == name);
        if !known {
            let message =
                format!("`{name}` is neither a variable of the automaton nor one that it `reads`");
            self.complaints.push((codes::UNKNOWN_NAME, span, message));
        }
    }

    fn loops_only(&mut self, name: &str, span: Span) {
        let at_head =
            self.automaton.states[self.transition.from].annotation == Annotation::LoopHead;
        if self.automaton.instances != Instances::Loop || !at_head {
            let message =
                format!("`{name}` belongs to a `loop_head` state of an automaton `per loop`");
            self.complaints.push((codes::UNKNOWN_NAME, span, message));
        }
    }

    /// The object that an lvalue is part of must belong to the automaton.
    fn write(&mut self, place: ExprId) {
        let mut base = place;
        let mut indexed = false;
        loop {
            match self.ast.exprs[base].kind {
                ExprKind::Paren(inner) | ExprKind::Member(inner, _) => base = inner,
                ExprKind::Index(inner, _) => {
                    base = inner;
                    indexed = true;
                }
                ExprKind::Name(symbol) => {
                    let name = self.ast.names.name(symbol).to_owned();
                    // What an element of a pointer is, nobody knows.
                    let own = (self.locals.contains(&name) && !indexed)
                        || self.automaton.variables.iter().any(|variable| {
                            variable.name == name && (!indexed || variable.after.starts_with('['))
                        });
                    if !own {
                        let span = self.ast.exprs[place].span;
                        let message = format!("the operation writes `{name}`");
                        self.complaints.push((codes::WRITES_PROGRAM, span, message));
                    }
                    return;
                }
                _ => {
                    let span = self.ast.exprs[place].span;
                    let message = "the operation writes through a pointer".to_owned();
                    self.complaints.push((codes::WRITES_PROGRAM, span, message));
                    return;
                }
            }
        }
    }

    fn name(&self, expr: ExprId) -> Option<&str> {
        match self.ast.exprs[expr].kind {
            ExprKind::Name(symbol) => Some(self.ast.names.name(symbol)),
            _ => None,
        }
    }
}

//! Items: variables at file scope, functions, assembly; each after what it refers to.

use super::walk::{self, Event, Facts, is_local};
use super::{Printer, constants};
use crate::hir::{Definition, FuncId, Item, Linkage, StmtId, StmtKind, Storage, VarId};
use crate::types::TypeKind;

/// The priority of constructors and destructors that name none.
const DEFAULT_PRIORITY: u32 = 65535;

impl<'u> Printer<'u> {
    /// The whole unit.
    pub(super) fn unit(&mut self) {
        let unit = self.unit;
        self.name_file_scope();
        self.find_large_types();
        for &item in &unit.items {
            if let Item::Var(var) = item
                && let Storage::Static { function: Some(function), .. } = unit.vars[var].storage
                && self.is_static_local(var)
            {
                self.statics.entry(function).or_default().push(var);
            }
        }
        for item in self.in_order_of_definition() {
            match item {
                // Literals are printed where they are used, static locals in their function.
                Item::Var(var) if unit.vars[var].name.is_none() || is_local(unit, var) => {}
                Item::Var(var) => {
                    if self.is_defined(var) {
                        self.variable(var);
                    }
                }
                Item::Function(function) => {
                    let node = &unit.functions[function];
                    if node.body.is_some() {
                        self.function(function);
                    } else if node.alias.is_some() {
                        let facts = walk::function(unit, function, &[]);
                        self.require(&facts);
                        self.declare_function(function);
                    }
                }
                Item::Asm(asm) => {
                    self.blank_line();
                    let text = constants::quote_bytes(unit.asms[asm].template.as_bytes());
                    self.text(&format!("__asm__({text});"));
                    self.newline();
                }
            }
        }
    }

    /// The items in the order in which the source defines them. What has no position stays behind its predecessor.
    fn in_order_of_definition(&self) -> Vec<Item> {
        let unit = self.unit;
        let mut last = 0;
        let mut keyed: Vec<(u32, Item)> = Vec::with_capacity(unit.items.len());
        for &item in &unit.items {
            let span = match item {
                Item::Var(var) => unit.vars[var].span,
                Item::Function(function) => unit.functions[function]
                    .definition_span
                    .unwrap_or(unit.functions[function].span),
                Item::Asm(asm) => unit.asms[asm].span,
            };
            if !span.is_dummy() {
                last = span.lo;
            }
            keyed.push((last, item));
        }
        keyed.sort_by_key(|&(position, _)| position);
        keyed.into_iter().map(|(_, item)| item).collect()
    }

    /// Returns whether the variable is declared in its function: literals are written in place, and the compiler itself
    /// declares the name of the function.
    fn is_static_local(&self, var: VarId) -> bool {
        self.unit.vars[var].name.is_some_and(|name| self.unit.names.name(name) != "__func__")
    }

    fn is_defined(&self, var: VarId) -> bool {
        let var = &self.unit.vars[var];
        var.alias.is_some()
            || matches!(
                var.storage,
                Storage::Static { definition: Definition::Tentative | Definition::Defined, .. }
            )
    }

    /// Prints what an item needs and what is not there yet.
    fn require(&mut self, facts: &Facts) {
        if self.standalone {
            return;
        }
        let unit = self.unit;
        self.require_types(facts.types.iter().copied());
        for event in &facts.events {
            match *event {
                Event::UseVar(var) if !is_local(unit, var) && !self.declared_vars.contains(var) => {
                    self.require_types([unit.vars[var].ty]);
                    self.declare_variable(var);
                }
                Event::UseFunction(function)
                    if unit.functions[function].nested.is_none()
                        && !self.declared_functions.contains(function) =>
                {
                    self.require_types([unit.functions[function].ty]);
                    self.declare_function(function);
                }
                _ => {}
            }
        }
    }

    /// A declaration of a variable that is defined later, or elsewhere.
    fn declare_variable(&mut self, var: VarId) {
        self.declared_vars.insert(var);
        self.blank_line();
        let node = &self.unit.vars[var];
        let storage = match node.storage {
            Storage::Static { linkage: Linkage::External, .. } => "extern ",
            _ => "static ",
        };
        self.text(storage);
        self.thread_local(var);
        let name = self.var_name(var);
        let text = self.declaration(node.ty, &name);
        self.text(&text);
        if node.alias.is_none() {
            self.symbol_attributes(var);
        }
        self.text(";");
        self.newline();
    }

    fn thread_local(&mut self, var: VarId) {
        if let Storage::Static { thread_local: true, .. } = self.unit.vars[var].storage {
            self.text("_Thread_local ");
        }
    }

    /// A variable at file scope.
    fn variable(&mut self, var: VarId) {
        let unit = self.unit;
        let facts = walk::variable(unit, var);
        // A variable may name itself in its own initialiser.
        let declared = self.declared_vars.contains(var);
        self.declared_vars.insert(var);
        self.require(&facts);
        let node = &unit.vars[var];
        if node.asm_name.is_some() && !declared {
            self.declare_variable(var);
        }
        self.blank_line();
        self.mark(node.span);
        match node.storage {
            Storage::Static { linkage: Linkage::Internal | Linkage::None, .. } => {
                self.text("static ")
            }
            // The symbol is defined by its alias; a definition of its own would be a second.
            _ if node.alias.is_some() => self.text("extern "),
            _ => {}
        }
        self.thread_local(var);
        let name = self.var_name(var);
        let text = self.declaration(node.ty, &name);
        self.text(&text);
        self.after_declarator(var);
        self.text(";");
        self.newline();
    }

    /// Attributes and specifiers before a function's declarator.
    fn function_prefix(&mut self, function: FuncId, is_definition: bool) {
        let unit = self.unit;
        let node = &unit.functions[function];
        let mut attributes = Vec::new();
        if node.noreturn {
            attributes.push("noreturn".to_owned());
        }
        for (name, priority) in [("constructor", node.constructor), ("destructor", node.destructor)]
        {
            match priority {
                Some(DEFAULT_PRIORITY) => attributes.push(name.to_owned()),
                Some(priority) => attributes.push(format!("{name}({priority})")),
                None => {}
            }
        }
        if node.weak {
            attributes.push("weak".to_owned());
        }
        if let Some(alias) = node.alias {
            attributes.push(format!(
                "alias({})",
                constants::quote_bytes(unit.names.name(alias).as_bytes())
            ));
        }
        if !attributes.is_empty() {
            self.text(&format!("__attribute__(({})) ", attributes.join(", ")));
        }
        match node.linkage {
            Linkage::Internal if node.inline => self.text("static inline "),
            Linkage::Internal => self.text("static "),
            // Every dialect understands this form alike.
            _ if node.inline_only && is_definition => {
                self.text("extern inline __attribute__((gnu_inline)) ");
            }
            _ if node.body.is_none() || node.inline_only => self.text("extern "),
            _ => {}
        }
    }

    fn declare_function(&mut self, function: FuncId) {
        let unit = self.unit;
        self.declared_functions.insert(function);
        let node = &unit.functions[function];
        let name = self.function_name(function);
        // The compiler knows these; they cannot be declared.
        if ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix)) {
            return;
        }
        self.blank_line();
        self.function_prefix(function, false);
        let text = self.declaration(node.ty, &name);
        self.text(&text);
        if let Some(asm_name) = node.asm_name {
            let quoted = constants::quote_bytes(unit.names.name(asm_name).as_bytes());
            self.text(&format!(" __asm__({quoted})"));
        }
        self.text(";");
        self.newline();
    }

    /// A function definition, or a declaration of one without body.
    pub(super) fn function(&mut self, function: FuncId) {
        let unit = self.unit;
        let node = &unit.functions[function];
        if self.standalone {
            let wanted = unit.items.iter().filter_map(|&item| match item {
                Item::Var(var) if self.is_static_local(var) => Some(var),
                _ => None,
            });
            let own = |var: &VarId| matches!(unit.vars[*var].storage, Storage::Static { function: Some(f), .. } if f == function);
            self.statics.insert(function, wanted.filter(own).collect());
        }
        let statics = self.statics.remove(&function).unwrap_or_default();
        let facts = walk::function(unit, function, &statics);
        self.plan_lengths(&facts, &node.params, node.body);
        self.name_locals(&facts);
        // What a definition with a name for the assembler needs is said by a declaration before it.
        let declared = self.declared_functions.contains(function);
        self.declared_functions.insert(function);
        self.require(&facts);
        if facts.setjmp || facts.longjmp {
            self.declare_jumps(&facts);
        }
        let Some(body) = node.body else { return self.declare_function(function) };
        if node.asm_name.is_some() && !declared {
            self.declare_function(function);
        }
        self.blank_line();
        self.mark(node.definition_span.unwrap_or(node.span));
        self.function_prefix(function, true);
        let name = self.function_name(function);
        let head = self.definition_head(function, &name);
        self.text(&head);
        self.newline();
        self.old_style_parameters(function);
        self.function_body(function, body, statics);
        self.lengths = super::Lengths::default();
    }

    /// The body of a function, in braces.
    fn function_body(&mut self, function: FuncId, body: StmtId, statics: Vec<VarId>) {
        let unit = self.unit;
        let around = self.current.replace(function);
        self.indent();
        self.text("{");
        self.newline();
        self.depth += 1;
        self.declare_outer_labels(function);
        for var in statics {
            self.static_local(var);
        }
        for var in std::mem::take(&mut self.lengths.variables) {
            self.indent();
            let name = self.var_name(var);
            let text = self.declaration(unit.vars[var].ty, &name);
            self.text(&format!("{text};"));
            self.newline();
        }
        match unit.stmts[body].kind {
            StmtKind::Compound(list) => self.stmts(unit.stmt_lists.get(list), false),
            _ => self.stmt(body, false),
        }
        self.depth -= 1;
        self.indent();
        self.text("}");
        self.newline();
        self.current = around;
    }

    /// The labels to which nested functions jump.
    fn declare_outer_labels(&mut self, function: FuncId) {
        let labels = self.outer_labels.remove(&function).unwrap_or_default();
        for label in labels {
            let name = self.label_name(label);
            self.indent();
            self.text(&format!("__label__ {name};"));
            self.newline();
        }
    }

    /// Declares a nested function at the beginning of its block.
    pub(super) fn declare_nested(&mut self, function: FuncId) {
        let name = self.function_name(function);
        let text = self.declaration(self.unit.functions[function].ty, &name);
        self.indent();
        self.text(&format!("auto {text};"));
        self.newline();
    }

    /// The definition of a nested function in its block.
    pub(super) fn nested_function(&mut self, function: FuncId) {
        let Some(body) = self.unit.functions[function].body else { return };
        let statics = self.statics.remove(&function).unwrap_or_default();
        let name = self.function_name(function);
        let head = self.definition_head(function, &name);
        self.indent();
        self.text(&head);
        self.newline();
        self.old_style_parameters(function);
        self.function_body(function, body, statics);
    }

    fn static_local(&mut self, var: VarId) {
        let node = &self.unit.vars[var];
        self.mark(node.span);
        self.indent();
        self.text("static ");
        self.thread_local(var);
        let name = self.var_name(var);
        let text = self.declaration(node.ty, &name);
        self.text(&text);
        self.after_declarator(var);
        self.text(";");
        self.newline();
    }

    /// The declarations of K&R parameters.
    fn old_style_parameters(&mut self, function: FuncId) {
        let unit = self.unit;
        let node = &unit.functions[function];
        match unit.types.kind(node.ty) {
            TypeKind::Function(ty) if !ty.prototype => {}
            _ => return,
        }
        let outside = self.lengths.enter_parameters();
        for &param in &node.params {
            let name = self.var_name(param);
            let text = self.declaration(unit.vars[param].ty, &name);
            self.text(&format!("    {text};"));
            self.newline();
        }
        self.lengths.leave_prototype(outside);
    }

    /// The builtins for non-local jumps may stand for the library's functions, which nothing else declares.
    fn declare_jumps(&mut self, facts: &Facts) {
        for (used, name, text) in [
            (facts.setjmp, "_setjmp", "extern int _setjmp();"),
            (facts.longjmp, "longjmp", "extern void longjmp() __attribute__((noreturn));"),
        ] {
            if used && !self.standalone && self.names.reserve(name) {
                self.blank_line();
                self.text(text);
                self.newline();
            }
        }
    }
}

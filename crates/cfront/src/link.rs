//! Linking: several translation units into one.
//!
//! **Idea.** The first unit takes in the others one by one. Names, types, variables, functions, expressions and
//! statements are numbered anew; what has external linkage and the same name becomes one (C17 6.2.2), what has internal
//! or no linkage stays apart. Structures, unions and enumerations of different units are the same type if they have the
//! same tag and the same members with compatible types (C17 6.2.7); recursive structures are compared under the
//! assumption that the pairs in work are equal.
//!
//! **Definitions.** Two definitions of one symbol are an error, except that a weak one gives way, an inline definition
//! gives way to an external one, and tentative definitions of variables become one, as with common symbols.

pub mod proof;
mod types;

use crate::compat;
use crate::hir::{
    Asm, AsmId, AsmOperand, Case, Definition, Expr, ExprId, ExprKind, FloatId, FuncId, Function,
    Init, InitEntry, InitId, InitKind, Item, Label, LabelId, Linkage, Stmt, StmtId, StmtKind,
    Storage, StringId, StringLit, Unit, Var, VarId,
};
use crate::intern::Symbol;
use crate::pool::List;
use crate::sema::codes;
use crate::typename;
use crate::types::{EnumId, QualType, RecordId, RecordKind, TypeId};
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashMap;
use vergo_source::{Diagnostic, Diagnostics};

/// Links units of one target into one. Without units there is nothing to link, and `None` is the answer.
pub fn link(units: Vec<Unit>, diags: &mut Diagnostics) -> Option<Unit> {
    let mut units = units.into_iter();
    let mut base = units.next()?;
    if units.len() == 0 {
        return Some(base);
    }
    let mut symbols = FxHashMap::default();
    for index in 0..base.items.len() {
        register(&base, base.items[index], &mut symbols);
    }
    for unit in units {
        let mut linker = Linker::new(&mut base, &unit, &mut symbols, diags);
        linker.run();
    }
    Some(base)
}

#[derive(Clone, Copy, Debug)]
enum Global {
    Var(VarId),
    Function(FuncId),
}

fn register(unit: &Unit, item: Item, symbols: &mut FxHashMap<Symbol, Global>) {
    match item {
        Item::Var(id) => {
            let var = &unit.vars[id];
            if let Storage::Static { linkage: Linkage::External, .. } = var.storage
                && let Some(name) = var.asm_name.or(var.name)
            {
                symbols.insert(name, Global::Var(id));
            }
        }
        Item::Function(id) => {
            let function = &unit.functions[id];
            if function.linkage == Linkage::External {
                symbols.insert(function.asm_name.unwrap_or(function.name), Global::Function(id));
            }
        }
        Item::Asm(_) => {}
    }
}

/// Takes one unit into the base.
struct Linker<'a> {
    base: &'a mut Unit,
    unit: &'a Unit,
    symbols: &'a mut FxHashMap<Symbol, Global>,
    diags: &'a mut Diagnostics,
    names: Vec<Symbol>,
    types: SecondaryMap<TypeId, Option<TypeId>>,
    records: SecondaryMap<RecordId, Option<RecordId>>,
    enums: SecondaryMap<EnumId, Option<EnumId>>,
    vars: Vec<VarId>,
    functions: Vec<FuncId>,
    /// Structures and unions of the base by kind and tag, and those without a tag by their shape.
    by_tag: FxHashMap<(RecordKind, Symbol), Vec<RecordId>>,
    by_shape: FxHashMap<(RecordKind, u64, usize), Vec<RecordId>>,
    exprs_from: usize,
    stmts_from: usize,
    inits_from: usize,
    labels_from: usize,
    strings_from: usize,
    floats_from: usize,
    wide_from: u32,
    asms_from: usize,
}

impl<'a> Linker<'a> {
    fn new(
        base: &'a mut Unit,
        unit: &'a Unit,
        symbols: &'a mut FxHashMap<Symbol, Global>,
        diags: &'a mut Diagnostics,
    ) -> Linker<'a> {
        let mut by_tag: FxHashMap<_, Vec<RecordId>> = FxHashMap::default();
        let mut by_shape: FxHashMap<_, Vec<RecordId>> = FxHashMap::default();
        for (id, record) in base.types.records.iter() {
            match (record.tag, &record.fields) {
                (Some(tag), _) => by_tag.entry((record.kind, tag)).or_default().push(id),
                (None, Some(fields)) => {
                    by_shape.entry((record.kind, record.size, fields.len())).or_default().push(id);
                }
                (None, None) => {}
            }
        }
        let names = names_of(unit).map(|name| base.names.intern(&name)).collect();
        Linker {
            names,
            types: SecondaryMap::new(),
            records: SecondaryMap::new(),
            enums: SecondaryMap::new(),
            vars: Vec::with_capacity(unit.vars.len()),
            functions: Vec::with_capacity(unit.functions.len()),
            by_tag,
            by_shape,
            exprs_from: base.exprs.len(),
            stmts_from: base.stmts.len(),
            inits_from: base.inits.len(),
            labels_from: base.labels.len(),
            strings_from: base.strings.len(),
            floats_from: base.floats.len(),
            wide_from: base.wide_ints.len() as u32,
            asms_from: base.asms.len(),
            base,
            unit,
            symbols,
            diags,
        }
    }

    fn run(&mut self) {
        let unit = self.unit;
        // Numbers first: bodies refer to everything.
        let mut next_var = self.base.vars.len();
        let mut merged_vars: Vec<Option<VarId>> = Vec::with_capacity(unit.vars.len());
        for var in unit.vars.values() {
            let existing = self.external_var(var).and_then(|name| self.symbols.get(&name).copied());
            match existing {
                Some(Global::Var(id)) => {
                    merged_vars.push(Some(id));
                    self.vars.push(id);
                }
                _ => {
                    merged_vars.push(None);
                    self.vars.push(VarId::new(next_var));
                    next_var += 1;
                }
            }
        }
        let mut next_function = self.base.functions.len();
        let mut merged_functions: Vec<Option<FuncId>> = Vec::with_capacity(unit.functions.len());
        for function in unit.functions.values() {
            let existing =
                self.external_function(function).and_then(|name| self.symbols.get(&name).copied());
            match existing {
                Some(Global::Function(id)) => {
                    merged_functions.push(Some(id));
                    self.functions.push(id);
                }
                _ => {
                    merged_functions.push(None);
                    self.functions.push(FuncId::new(next_function));
                    next_function += 1;
                }
            }
        }
        for (index, var) in unit.vars.values().enumerate() {
            let mapped = self.map_var(var);
            match merged_vars[index] {
                Some(id) => self.merge_var(id, mapped),
                None => {
                    self.check_kind(self.external_var(var), &mapped.name, mapped.span);
                    self.base.vars.push(mapped);
                }
            }
        }
        for (index, function) in unit.functions.values().enumerate() {
            let mapped = self.map_function(function);
            match merged_functions[index] {
                Some(id) => self.merge_function(id, mapped),
                None => {
                    self.check_kind(
                        self.external_function(function),
                        &Some(mapped.name),
                        mapped.span,
                    );
                    self.base.functions.push(mapped);
                }
            }
        }
        self.copy_bodies();
        for var in unit.captured.iter() {
            self.base.captured.insert(self.vars[var.index()]);
        }
        for &item in &unit.items {
            let (item, is_new) = match item {
                Item::Var(id) => {
                    (Item::Var(self.vars[id.index()]), merged_vars[id.index()].is_none())
                }
                Item::Function(id) => (
                    Item::Function(self.functions[id.index()]),
                    merged_functions[id.index()].is_none(),
                ),
                Item::Asm(id) => (Item::Asm(self.asm(id)), true),
            };
            if is_new {
                register(self.base, item, self.symbols);
                self.base.items.push(item);
            }
        }
    }

    fn name(&self, name: Symbol) -> Symbol {
        self.names[name.index()]
    }

    /// The base's name of an external variable.
    fn external_var(&self, var: &Var) -> Option<Symbol> {
        match var.storage {
            Storage::Static { linkage: Linkage::External, .. } => {
                var.asm_name.or(var.name).map(|name| self.name(name))
            }
            _ => None,
        }
    }

    fn external_function(&self, function: &Function) -> Option<Symbol> {
        (function.linkage == Linkage::External)
            .then(|| self.name(function.asm_name.unwrap_or(function.name)))
    }

    /// Reports a symbol that is a function in one file and a variable in another.
    fn check_kind(
        &mut self,
        external: Option<Symbol>,
        name: &Option<Symbol>,
        span: vergo_source::Span,
    ) {
        let Some(previous) = external.and_then(|name| self.symbols.get(&name)) else { return };
        let first = match *previous {
            Global::Var(id) => self.base.vars[id].span,
            Global::Function(id) => self.base.functions[id].span,
        };
        let text = name.map_or(String::new(), |name| self.base.names.name(name).to_owned());
        self.diags.push(
            Diagnostic::error(
                codes::INCOMPATIBLE_SYMBOL,
                span,
                format!("`{text}` is a function in one file and a variable in another"),
            )
            .label(first, "declared here"),
        );
    }

    // Symbols.

    fn map_var(&mut self, var: &Var) -> Var {
        let storage = match var.storage {
            Storage::Static { linkage, definition, thread_local, function } => Storage::Static {
                linkage,
                definition,
                thread_local,
                function: function.map(|function| self.functions[function.index()]),
            },
            other => other,
        };
        Var {
            name: var.name.map(|name| self.name(name)),
            ty: self.ty(var.ty),
            span: var.span,
            storage,
            init: var.init.map(|init| self.init_id(init)),
            explicit_align: var.explicit_align,
            cleanup: var.cleanup.map(|function| self.functions[function.index()]),
            asm_name: var.asm_name.map(|name| self.name(name)),
            alias: var.alias.map(|name| self.name(name)),
            weak: var.weak,
        }
    }

    fn map_function(&mut self, function: &Function) -> Function {
        Function {
            name: self.name(function.name),
            ty: self.ty(function.ty),
            span: function.span,
            linkage: function.linkage,
            inline: function.inline,
            inline_only: function.inline_only,
            noreturn: function.noreturn,
            nonnull: function.nonnull,
            params: function.params.iter().map(|&var| self.vars[var.index()]).collect(),
            body: function.body.map(|body| self.stmt_id(body)),
            definition_span: function.definition_span,
            implicit: function.implicit,
            constructor: function.constructor,
            destructor: function.destructor,
            asm_name: function.asm_name.map(|name| self.name(name)),
            alias: function.alias.map(|name| self.name(name)),
            weak: function.weak,
            nested: function.nested.map(|outer| self.functions[outer.index()]),
            explicit_align: function.explicit_align,
        }
    }

    fn shown(&self, ty: QualType) -> String {
        format!("`{}`", typename::type_name(&self.base.types, &self.base.names, ty))
    }

    fn incompatible(
        &mut self,
        name: Symbol,
        first: (vergo_source::Span, QualType),
        second: (vergo_source::Span, QualType),
    ) {
        let (a, b) = (self.shown(first.1), self.shown(second.1));
        let message = format!(
            "`{}` is declared with different types in different files",
            self.base.names.name(name)
        );
        self.diags.push(
            Diagnostic::warning(codes::INCOMPATIBLE_SYMBOL, second.0, message)
                .label(second.0, format!("here {b}"))
                .label(first.0, format!("here {a}")),
        );
    }

    fn duplicate(&mut self, name: Symbol, first: vergo_source::Span, second: vergo_source::Span) {
        let message = format!("`{}` is defined in several files", self.base.names.name(name));
        self.diags.push(
            Diagnostic::error(codes::DUPLICATE_SYMBOL, second, message)
                .label(first, "the first definition is here"),
        );
    }

    fn merge_var(&mut self, id: VarId, other: Var) {
        let old = self.base.vars[id].clone();
        let name = other.name.or(old.name);
        let compatible = compat::compatible(&self.base.types, old.ty, other.ty);
        if !compatible && let Some(name) = name {
            self.incompatible(name, (old.span, old.ty), (other.span, other.ty));
        }
        let (
            Storage::Static { definition: a, thread_local, .. },
            Storage::Static { definition: b, .. },
        ) = (old.storage, other.storage)
        else {
            return;
        };
        let takes_other = match (a, b) {
            (Definition::Defined, Definition::Defined) => {
                if !old.weak
                    && !other.weak
                    && let Some(name) = name
                {
                    self.duplicate(name, old.span, other.span);
                }
                old.weak && !other.weak
            }
            (Definition::Defined, Definition::Tentative) => old.weak && !other.weak,
            (Definition::Tentative, Definition::Defined) => !other.weak || old.weak,
            (Definition::Declared, Definition::Defined | Definition::Tentative) => true,
            _ => false,
        };
        let takes_old = if compatible { self.base.types.is_complete(old.ty) } else { !takes_other };
        let ty = if takes_old { old.ty } else { other.ty };
        let align = old.explicit_align.max(other.explicit_align);
        let stronger = if takes_other { other.storage } else { old.storage };
        let target = &mut self.base.vars[id];
        if takes_other {
            *target = other;
        }
        target.ty = ty;
        target.explicit_align = align;
        if let Storage::Static { linkage, definition, function, .. } = stronger {
            target.storage = Storage::Static { linkage, definition, thread_local, function };
        }
    }

    fn merge_function(&mut self, id: FuncId, other: Function) {
        let old = self.base.functions[id].clone();
        if !compat::compatible(&self.base.types, old.ty, other.ty)
            && !old.implicit
            && !other.implicit
        {
            self.incompatible(old.name, (old.span, old.ty), (other.span, other.ty));
        }
        let takes_other = match (old.body.is_some(), other.body.is_some()) {
            (true, true) => {
                let gives_way = |function: &Function| function.weak || function.inline_only;
                if !gives_way(&old) && !gives_way(&other) {
                    self.duplicate(old.name, old.span, other.span);
                }
                gives_way(&old) && !gives_way(&other)
            }
            (false, true) => true,
            _ => false,
        };
        let prototype = |types: &crate::types::TypeTable, ty: QualType| {
            types.function(ty).is_some_and(|f| f.prototype)
        };
        // The type of the definition, or else the one that says more.
        let says_more = other.implicit || (!old.implicit && prototype(&self.base.types, old.ty));
        let ty = if takes_other || (old.body.is_none() && !says_more) { other.ty } else { old.ty };
        let target = &mut self.base.functions[id];
        let noreturn = old.noreturn || other.noreturn;
        let nonnull = old.nonnull.and(other.nonnull);
        let implicit = old.implicit && other.implicit;
        let (constructor, destructor) =
            (old.constructor.or(other.constructor), old.destructor.or(other.destructor));
        let alias = old.alias.or(other.alias);
        if takes_other {
            *target = other;
        }
        target.ty = ty;
        target.noreturn = noreturn;
        target.nonnull = nonnull;
        target.implicit = implicit;
        target.constructor = constructor;
        target.destructor = destructor;
        target.alias = alias;
    }

    // Bodies.

    fn expr(&self, id: ExprId) -> ExprId {
        ExprId::new(id.index() + self.exprs_from)
    }

    fn stmt_id(&self, id: StmtId) -> StmtId {
        StmtId::new(id.index() + self.stmts_from)
    }

    fn init_id(&self, id: InitId) -> InitId {
        InitId::new(id.index() + self.inits_from)
    }

    fn label(&self, id: LabelId) -> LabelId {
        LabelId::new(id.index() + self.labels_from)
    }

    fn string(&self, id: StringId) -> StringId {
        StringId::new(id.index() + self.strings_from)
    }

    fn float(&self, id: FloatId) -> FloatId {
        FloatId::new(id.index() + self.floats_from)
    }

    fn asm(&self, id: AsmId) -> AsmId {
        AsmId::new(id.index() + self.asms_from)
    }

    fn expr_list(&mut self, list: List<ExprId>) -> List<ExprId> {
        let items: Vec<ExprId> =
            self.unit.expr_lists.get(list).iter().map(|&id| self.expr(id)).collect();
        self.base.expr_lists.push(items)
    }

    fn stmt_list(&mut self, list: List<StmtId>) -> List<StmtId> {
        let items: Vec<StmtId> =
            self.unit.stmt_lists.get(list).iter().map(|&id| self.stmt_id(id)).collect();
        self.base.stmt_lists.push(items)
    }

    fn copy_bodies(&mut self) {
        let unit = self.unit;
        for node in unit.exprs.values() {
            let ty = self.ty(node.ty);
            let kind = self.expr_kind(node.kind);
            self.base.exprs.push(Expr { span: node.span, ty, kind });
        }
        for node in unit.stmts.values() {
            let kind = self.stmt_kind(node.kind);
            self.base.stmts.push(Stmt { span: node.span, kind });
        }
        for node in unit.inits.values() {
            let ty = self.ty(node.ty);
            let kind = match node.kind {
                InitKind::Expr(expr) => InitKind::Expr(self.expr(expr)),
                InitKind::String(string) => InitKind::String(self.string(string)),
                InitKind::List(list) => {
                    let entries: Vec<InitEntry> = unit
                        .init_lists
                        .get(list)
                        .iter()
                        .map(|entry| InitEntry { init: self.init_id(entry.init), ..*entry })
                        .collect();
                    InitKind::List(self.base.init_lists.push(entries))
                }
            };
            self.base.inits.push(Init { span: node.span, ty, kind });
        }
        for label in unit.labels.values() {
            let name = self.name(label.name);
            self.base.labels.push(Label { name, ..*label });
        }
        for string in unit.strings.values() {
            let ty = self.ty(string.ty);
            self.base.strings.push(StringLit {
                units: string.units.clone(),
                ty,
                span: string.span,
            });
        }
        for float in unit.floats.values() {
            self.base.floats.push(float.clone());
        }
        self.base.wide_ints.extend(unit.wide_ints.iter().cloned());
        for asm in unit.asms.values() {
            let operand = |this: &Self, operand: &AsmOperand| AsmOperand {
                name: operand.name.map(|name| this.name(name)),
                constraint: operand.constraint.clone(),
                expr: this.expr(operand.expr),
            };
            let mapped = Asm {
                span: asm.span,
                volatile: asm.volatile,
                template: asm.template.clone(),
                outputs: asm.outputs.iter().map(|output| operand(self, output)).collect(),
                inputs: asm.inputs.iter().map(|input| operand(self, input)).collect(),
                clobbers: asm.clobbers.clone(),
                labels: asm.labels.iter().map(|&label| self.label(label)).collect(),
            };
            self.base.asms.push(mapped);
        }
    }

    fn expr_kind(&mut self, kind: ExprKind) -> ExprKind {
        match kind {
            ExprKind::Error | ExprKind::Int(_) => kind,
            ExprKind::WideInt(index) => ExprKind::WideInt(index + self.wide_from),
            ExprKind::Float(id) => ExprKind::Float(self.float(id)),
            ExprKind::String(id) => ExprKind::String(self.string(id)),
            ExprKind::Var(id) => ExprKind::Var(self.vars[id.index()]),
            ExprKind::Function(id) => ExprKind::Function(self.functions[id.index()]),
            ExprKind::Deref(e) => ExprKind::Deref(self.expr(e)),
            ExprKind::Index(a, b) => ExprKind::Index(self.expr(a), self.expr(b)),
            ExprKind::Member(base, record, field) => {
                let record = self.record(record);
                ExprKind::Member(self.expr(base), record, field)
            }
            ExprKind::AddrOf(e) => ExprKind::AddrOf(self.expr(e)),
            ExprKind::LabelAddr(label) => ExprKind::LabelAddr(self.label(label)),
            ExprKind::Unary(op, e) => ExprKind::Unary(op, self.expr(e)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(op, self.expr(a), self.expr(b)),
            ExprKind::PtrOffset(op, a, b) => ExprKind::PtrOffset(op, self.expr(a), self.expr(b)),
            ExprKind::PtrDiff(a, b) => ExprKind::PtrDiff(self.expr(a), self.expr(b)),
            ExprKind::LogAnd(a, b) => ExprKind::LogAnd(self.expr(a), self.expr(b)),
            ExprKind::LogOr(a, b) => ExprKind::LogOr(self.expr(a), self.expr(b)),
            ExprKind::Cond(a, b, c) => ExprKind::Cond(self.expr(a), self.expr(b), self.expr(c)),
            ExprKind::CondOmitted(a, b) => ExprKind::CondOmitted(self.expr(a), self.expr(b)),
            ExprKind::Comma(a, b) => ExprKind::Comma(self.expr(a), self.expr(b)),
            ExprKind::Assign(a, b) => ExprKind::Assign(self.expr(a), self.expr(b)),
            ExprKind::CompoundAssign { op, compute, place, value } => {
                let compute = self.ty(compute);
                ExprKind::CompoundAssign {
                    op,
                    compute,
                    place: self.expr(place),
                    value: self.expr(value),
                }
            }
            ExprKind::IncDec(op, e) => ExprKind::IncDec(op, self.expr(e)),
            ExprKind::Call(callee, list) => {
                let list = self.expr_list(list);
                ExprKind::Call(self.expr(callee), list)
            }
            ExprKind::Builtin(builtin, list) => ExprKind::Builtin(builtin, self.expr_list(list)),
            ExprKind::Cast(kind, e) => ExprKind::Cast(kind, self.expr(e)),
            ExprKind::CompoundLiteral(var) => ExprKind::CompoundLiteral(self.vars[var.index()]),
            ExprKind::StmtExpr(stmt) => ExprKind::StmtExpr(self.stmt_id(stmt)),
            ExprKind::VaArg(e) => ExprKind::VaArg(self.expr(e)),
            ExprKind::SizeofVla(ty) => ExprKind::SizeofVla(self.ty(ty)),
            ExprKind::ComplexPart(e, imaginary) => ExprKind::ComplexPart(self.expr(e), imaginary),
            ExprKind::VectorElement(a, b) => ExprKind::VectorElement(self.expr(a), self.expr(b)),
        }
    }

    fn stmt_kind(&mut self, kind: StmtKind) -> StmtKind {
        match kind {
            StmtKind::Empty => StmtKind::Empty,
            StmtKind::Expr(e) => StmtKind::Expr(self.expr(e)),
            StmtKind::Decl(var) => StmtKind::Decl(self.vars[var.index()]),
            StmtKind::Compound(list) => StmtKind::Compound(self.stmt_list(list)),
            StmtKind::If(cond, then, other) => StmtKind::If(
                self.expr(cond),
                self.stmt_id(then),
                other.map(|other| self.stmt_id(other)),
            ),
            StmtKind::Switch { cond, body, cases, default } => {
                let cases: Vec<Case> = self
                    .unit
                    .case_lists
                    .get(cases)
                    .iter()
                    .map(|case| Case { stmt: self.stmt_id(case.stmt), ..*case })
                    .collect();
                StmtKind::Switch {
                    cond: self.expr(cond),
                    body: self.stmt_id(body),
                    cases: self.base.case_lists.push(cases),
                    default: default.map(|stmt| self.stmt_id(stmt)),
                }
            }
            StmtKind::While(cond, body) => StmtKind::While(self.expr(cond), self.stmt_id(body)),
            StmtKind::DoWhile(body, cond) => StmtKind::DoWhile(self.stmt_id(body), self.expr(cond)),
            StmtKind::For { init, cond, step, body } => {
                let init = self.stmt_list(init);
                StmtKind::For {
                    init,
                    cond: cond.map(|cond| self.expr(cond)),
                    step: step.map(|step| self.expr(step)),
                    body: self.stmt_id(body),
                }
            }
            StmtKind::Goto(label) => StmtKind::Goto(self.label(label)),
            StmtKind::GotoOuter(label, function) => {
                StmtKind::GotoOuter(self.label(label), self.functions[function.index()])
            }
            StmtKind::GotoIndirect(e) => StmtKind::GotoIndirect(self.expr(e)),
            StmtKind::Label(label, body) => StmtKind::Label(self.label(label), self.stmt_id(body)),
            StmtKind::Case(body) => StmtKind::Case(self.stmt_id(body)),
            StmtKind::Default(body) => StmtKind::Default(self.stmt_id(body)),
            StmtKind::Break(stmt) => StmtKind::Break(self.stmt_id(stmt)),
            StmtKind::Continue(stmt) => StmtKind::Continue(self.stmt_id(stmt)),
            StmtKind::Return(value) => StmtKind::Return(value.map(|value| self.expr(value))),
            StmtKind::Asm(asm) => StmtKind::Asm(self.asm(asm)),
            StmtKind::Nested(function) => StmtKind::Nested(self.functions[function.index()]),
        }
    }
}

/// The names of a unit in the order of their numbers.
fn names_of(unit: &Unit) -> impl Iterator<Item = String> + '_ {
    unit.names.symbols().map(|symbol| unit.names.name(symbol).to_owned())
}

//! The promises of the typed tree, checked on every node that a function or initialiser leads to.

use crate::{analysed, unit_of};
use vergo_cfront::ast::Quals;
use vergo_cfront::compat;
use vergo_cfront::dump;
use vergo_cfront::hir::{
    BinaryOp, CastKind, ExprId, ExprKind, InitId, InitKind, Item, StmtId, StmtKind, Unit, VarId,
};
use vergo_cfront::target::DataModel;
use vergo_cfront::types::{QualType, TypeKind};
use vergo_testkit::csmith::Csmith;
use vergo_testkit::environment::{shared_or_skip, skip, slow};
use vergo_testkit::host_c::HostC;

struct Checker<'a> {
    unit: &'a Unit,
    exprs: Vec<ExprId>,
    stmts: Vec<StmtId>,
    inits: Vec<InitId>,
    ret: Option<QualType>,
    wrong: Vec<String>,
}

/// The first promises that a unit breaks.
fn broken_promises(unit: &Unit) -> Vec<String> {
    let mut checker = Checker {
        unit,
        exprs: Vec::new(),
        stmts: Vec::new(),
        inits: Vec::new(),
        ret: None,
        wrong: Vec::new(),
    };
    for &item in &unit.items {
        match item {
            Item::Var(var) => {
                checker.ret = None;
                checker.var(var);
            }
            Item::Function(function) => {
                let function = &unit.functions[function];
                checker.ret = unit.types.function(function.ty).map(|of| of.ret);
                checker.stmts.extend(function.body);
                assert_eq!(function.body.is_some(), function.definition_span.is_some());
            }
            Item::Asm(_) => {}
        }
        checker.run();
    }
    checker.wrong
}

impl Checker<'_> {
    fn var(&mut self, var: VarId) {
        let var = &self.unit.vars[var];
        self.inits.extend(var.init);
        if matches!(self.unit.types.kind(var.ty), TypeKind::Error) {
            self.wrong.push("a variable without a type".to_owned());
        }
    }

    fn run(&mut self) {
        loop {
            if let Some(expr) = self.exprs.pop() {
                self.expr(expr);
            } else if let Some(init) = self.inits.pop() {
                self.init(init);
            } else if let Some(stmt) = self.stmts.pop() {
                self.stmt(stmt);
            } else {
                return;
            }
        }
    }

    fn ty(&self, expr: ExprId) -> QualType {
        self.unit.exprs[expr].ty
    }

    fn value_type(&self, ty: QualType) -> QualType {
        self.unit.types.canonical(ty.ty()).into()
    }

    fn is_place(&self, expr: ExprId) -> bool {
        let mut expr = expr;
        loop {
            match self.unit.exprs[expr].kind {
                ExprKind::Member(base, ..)
                | ExprKind::ComplexPart(base, _)
                | ExprKind::VectorElement(base, _) => expr = base,
                ExprKind::Deref(_) => return !self.unit.types.is_function(self.ty(expr)),
                ref kind => return kind.is_place(),
            }
        }
    }

    fn demand(&mut self, holds: bool, what: &str, expr: ExprId) {
        if !holds && self.wrong.len() < 10 {
            self.wrong.push(format!("{what}: {}", dump::expr_text(self.unit, expr)));
        }
    }

    /// An operand that is read for its value.
    fn value(&mut self, expr: ExprId) {
        self.demand(!self.is_place(expr), "an object that is not read", expr);
        let ty = self.ty(expr);
        self.demand(ty.quals() == Quals::NONE, "a value with qualifiers", expr);
        self.demand(ty == self.value_type(ty), "a value with an alignment", expr);
        self.exprs.push(expr);
    }

    fn place(&mut self, expr: ExprId) {
        self.demand(self.is_place(expr), "a value where an object is needed", expr);
        self.exprs.push(expr);
    }

    fn expr(&mut self, id: ExprId) {
        let unit = self.unit;
        let node = unit.exprs[id];
        let types = &unit.types;
        self.demand(
            !matches!(types.kind(node.ty), TypeKind::Error),
            "an expression without a type",
            id,
        );
        match node.kind {
            ExprKind::Error => self.demand(false, "an error", id),
            ExprKind::Int(value) => {
                if let Some(shape) = types.int_shape(node.ty, &unit.target) {
                    let fits = shape.width >= 64 || value >> shape.width == 0;
                    self.demand(fits, "a constant that does not fit", id);
                }
            }
            ExprKind::WideInt(index) => {
                self.demand((index as usize) < unit.wide_ints.len(), "no such constant", id)
            }
            ExprKind::Float(float) => {
                let TypeKind::Float(kind) = *types.kind(node.ty) else {
                    return self.demand(false, "a floating constant of another type", id);
                };
                self.demand(
                    unit.floats[float].format() == kind.format(),
                    "a constant of another format",
                    id,
                );
            }
            ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddr(_) => {}
            ExprKind::Deref(pointer) => {
                self.value(pointer);
                self.demand(
                    types.pointee(self.ty(pointer)) == Some(node.ty),
                    "a wrong dereference",
                    id,
                );
            }
            ExprKind::Index(pointer, index) => {
                self.value(pointer);
                self.value(index);
                self.demand(
                    types.pointee(self.ty(pointer)) == Some(node.ty),
                    "a wrong element type",
                    id,
                );
                self.demand(
                    types.is_integer(self.ty(index)),
                    "an index that is not an integer",
                    id,
                );
            }
            ExprKind::Member(base, record, field) => {
                self.demand(
                    types.record(self.ty(base)) == Some(record),
                    "a member of something else",
                    id,
                );
                let fields = types.records[record].fields.as_ref().map_or(0, Vec::len);
                self.demand((field as usize) < fields, "no such member", id);
                self.exprs.push(base);
            }
            ExprKind::AddrOf(place) => {
                let is_function = types.is_function(self.ty(place));
                self.demand(is_function || self.is_place(place), "the address of a value", id);
                self.exprs.push(place);
            }
            ExprKind::Unary(_, operand) => self.value(operand),
            ExprKind::Binary(op, a, b) => {
                self.value(a);
                self.value(b);
                let (ta, tb) = (self.ty(a), self.ty(b));
                match op {
                    BinaryOp::Shl | BinaryOp::Shr => {
                        self.demand(ta == node.ty, "a shift of another type", id)
                    }
                    BinaryOp::Lt
                    | BinaryOp::Gt
                    | BinaryOp::Le
                    | BinaryOp::Ge
                    | BinaryOp::Eq
                    | BinaryOp::Ne => {
                        self.demand(ta == tb, "a comparison of two types", id);
                    }
                    _ => self.demand(ta == node.ty && tb == node.ty, "operands of other types", id),
                }
            }
            ExprKind::PtrOffset(_, pointer, index) => {
                self.value(pointer);
                self.value(index);
                self.demand(self.ty(pointer) == node.ty, "pointer arithmetic of another type", id);
                self.demand(
                    types.is_integer(self.ty(index)),
                    "an offset that is not an integer",
                    id,
                );
            }
            ExprKind::PtrDiff(a, b) => {
                self.value(a);
                self.value(b);
                self.demand(
                    types.pointee(self.ty(a)).is_some() && types.pointee(self.ty(b)).is_some(),
                    "no pointers",
                    id,
                );
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.value(a);
                self.value(b);
                self.demand(
                    types.is_scalar(self.ty(a)) && types.is_scalar(self.ty(b)),
                    "operands that are no scalars",
                    id,
                );
            }
            ExprKind::Cond(cond, a, b) => {
                self.value(cond);
                self.value(a);
                self.value(b);
                let fits = |ty: QualType| ty == node.ty || compat::compatible(types, ty, node.ty);
                self.demand(types.is_scalar(self.ty(cond)), "a condition that is no scalar", id);
                self.demand(fits(self.ty(a)) && fits(self.ty(b)), "branches of other types", id);
            }
            ExprKind::CondOmitted(cond, b) => {
                self.value(cond);
                self.value(b);
                self.demand(self.ty(b) == node.ty, "a branch of another type", id);
            }
            ExprKind::Comma(a, b) => {
                self.exprs.push(a);
                self.value(b);
                self.demand(self.ty(b) == node.ty, "a comma of another type", id);
            }
            ExprKind::Assign(place, value) => {
                self.place(place);
                self.value(value);
                let ty = self.value_type(self.ty(place));
                self.demand(
                    self.ty(value) == ty && node.ty == ty,
                    "an assignment of another type",
                    id,
                );
            }
            ExprKind::CompoundAssign { compute, place, value, .. } => {
                self.place(place);
                self.value(value);
                let ty = self.value_type(self.ty(place));
                self.demand(
                    node.ty == ty && compute.quals() == Quals::NONE,
                    "a compound assignment of another type",
                    id,
                );
            }
            ExprKind::IncDec(_, place) => self.place(place),
            ExprKind::Call(callee, args) => {
                let callee_ty = self.ty(callee);
                let function_ty = types.pointee(callee_ty).unwrap_or(callee_ty);
                self.exprs.push(callee);
                let Some(function) = types.function(function_ty) else {
                    return self.demand(false, "a call of no function", id);
                };
                let args = unit.expr_lists.get(args);
                for (index, &arg) in args.iter().enumerate() {
                    self.value(arg);
                    if let Some(&param) = function.params.get(index)
                        && function.prototype
                    {
                        self.demand(
                            self.ty(arg) == self.value_type(param),
                            "an argument of another type",
                            id,
                        );
                    }
                }
                self.demand(
                    !function.prototype || args.len() >= function.params.len(),
                    "missing arguments",
                    id,
                );
            }
            ExprKind::Builtin(_, args) => self.exprs.extend_from_slice(unit.expr_lists.get(args)),
            ExprKind::Cast(kind, operand) => {
                let from = self.ty(operand);
                match kind {
                    CastKind::Load => {
                        self.place(operand);
                        self.demand(self.value_type(from) == node.ty, "a load of another type", id);
                    }
                    CastKind::ArrayDecay => {
                        self.exprs.push(operand);
                        self.demand(types.is_array(from), "decay of no array", id);
                    }
                    CastKind::FunctionDecay => {
                        self.exprs.push(operand);
                        self.demand(types.is_function(from), "decay of no function", id);
                    }
                    CastKind::ToVoid => self.exprs.push(operand),
                    _ => {
                        self.value(operand);
                        let (a, b) = (types.kind(from), types.kind(node.ty));
                        let integer = |kind: &TypeKind| {
                            matches!(kind, TypeKind::Bool | TypeKind::Int(_) | TypeKind::Enum(_))
                        };
                        let holds = match kind {
                            CastKind::Int => integer(a) && integer(b),
                            CastKind::IntToFloat => integer(a) && matches!(b, TypeKind::Float(_)),
                            CastKind::FloatToInt => matches!(a, TypeKind::Float(_)) && integer(b),
                            CastKind::IntToPtr => {
                                integer(a) && matches!(b, TypeKind::Pointer(_) | TypeKind::Nullptr)
                            }
                            CastKind::PtrToInt => {
                                matches!(a, TypeKind::Pointer(_) | TypeKind::Nullptr) && integer(b)
                            }
                            CastKind::ToBool => matches!(b, TypeKind::Bool),
                            _ => true,
                        };
                        self.demand(holds, "a conversion of another kind", id);
                    }
                }
            }
            ExprKind::CompoundLiteral(var) => self.var(var),
            ExprKind::StmtExpr(stmt) => self.stmts.push(stmt),
            ExprKind::VaArg(list) => self.exprs.push(list),
            ExprKind::SizeofVla(ty) => {
                self.demand(types.is_vla(ty), "the size of no variable-length array", id)
            }
            ExprKind::ComplexPart(operand, _) => self.exprs.push(operand),
            ExprKind::VectorElement(base, index) => {
                self.exprs.push(base);
                self.value(index);
            }
        }
    }

    fn init(&mut self, id: InitId) {
        let unit = self.unit;
        let node = unit.inits[id];
        match node.kind {
            InitKind::Expr(expr) => {
                self.value(expr);
                let ty = self.value_type(node.ty);
                let holds =
                    self.ty(expr) == ty || compat::compatible(&unit.types, self.ty(expr), ty);
                self.demand(holds, "an initialiser of another type", expr);
            }
            InitKind::String(_) => {}
            InitKind::List(list) => {
                for entry in unit.init_lists.get(list) {
                    assert!(entry.first <= entry.last);
                    self.inits.push(entry.init);
                }
            }
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let unit = self.unit;
        match unit.stmts[id].kind {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::GotoOuter(..)
            | StmtKind::Return(None) => {}
            StmtKind::Nested(function) => {
                // Its returns are of another type than those around it.
                assert!(unit.functions[function].nested.is_some());
            }
            StmtKind::Expr(expr) => self.exprs.push(expr),
            StmtKind::Decl(var) => self.var(var),
            StmtKind::Compound(list) => self.stmts.extend_from_slice(unit.stmt_lists.get(list)),
            StmtKind::If(cond, then, other) => {
                self.value(cond);
                self.stmts.push(then);
                self.stmts.extend(other);
            }
            StmtKind::Switch { cond, body, cases, .. } => {
                self.value(cond);
                self.stmts.push(body);
                for case in unit.case_lists.get(cases) {
                    assert!(matches!(unit.stmts[case.stmt].kind, StmtKind::Case(_)));
                }
            }
            StmtKind::While(cond, body) | StmtKind::DoWhile(body, cond) => {
                self.value(cond);
                self.stmts.push(body);
            }
            StmtKind::For { init, cond, step, body } => {
                self.stmts.extend_from_slice(unit.stmt_lists.get(init));
                if let Some(cond) = cond {
                    self.value(cond);
                }
                self.exprs.extend(step);
                self.stmts.push(body);
            }
            StmtKind::GotoIndirect(expr) => self.value(expr),
            StmtKind::Label(_, body) | StmtKind::Case(body) | StmtKind::Default(body) => {
                self.stmts.push(body)
            }
            StmtKind::Break(target) => {
                let kind = unit.stmts[target].kind;
                assert!(matches!(
                    kind,
                    StmtKind::Switch { .. }
                        | StmtKind::While(..)
                        | StmtKind::DoWhile(..)
                        | StmtKind::For { .. }
                ));
            }
            StmtKind::Continue(target) => {
                let kind = unit.stmts[target].kind;
                assert!(matches!(
                    kind,
                    StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. }
                ));
            }
            StmtKind::Return(Some(expr)) => {
                self.value(expr);
                if let Some(ret) = self.ret {
                    self.demand(
                        self.ty(expr) == self.value_type(ret),
                        "a result of another type",
                        expr,
                    );
                }
            }
            StmtKind::Asm(asm) => {
                for output in &unit.asms[asm].outputs {
                    self.place(output.expr);
                }
                self.exprs.extend(unit.asms[asm].inputs.iter().map(|input| input.expr));
            }
        }
    }
}

#[test]
fn promises_hold_for_a_bit_of_everything() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for text in
            crate::robust::PIECES.iter().copied().chain(crate::messages::ACCEPTED.iter().copied())
        {
            if model == DataModel::Ilp32 && text.contains("__int128") {
                continue;
            }
            let analysed = analysed(model, text.as_bytes());
            if !analysed.diags.has_errors() {
                assert_eq!(broken_promises(&analysed.unit), Vec::<String>::new(), "{text}");
            }
        }
    }
}

#[test]
fn promises_hold_for_generated_programs() {
    let (Some(gcc), Some(csmith)) = (HostC::find(), Csmith::find()) else {
        return skip("promises_hold_for_generated_programs", "there is no gcc or no csmith");
    };
    for seed in 500..if slow() { 600 } else { 503 } {
        let Some(text) = csmith.generate(seed, &[]) else { continue };
        let include = csmith.include_option();
        let finished = gcc.preprocess(text.as_bytes(), &[&include]).expect("the preprocessor runs");
        let text = String::from_utf8_lossy(&finished.stdout).into_owned();
        let unit = unit_of(DataModel::Lp64, &text);
        assert_eq!(broken_promises(&unit), Vec::<String>::new(), "seed {seed}");
    }
}

#[test]
fn promises_hold_for_verification_tasks() {
    let Some(shared) = shared_or_skip("promises_hold_for_verification_tasks") else { return };
    let folder = shared.join("bench");
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).expect("the manifest");
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (file, model) = (fields[0], fields[3]);
        let text = std::fs::read(folder.join(file)).expect("the file");
        if text.windows(8).any(|window| window == b"#include")
            || text.windows(7).any(|window| window == b"#define")
        {
            continue;
        }
        let model = if model == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let analysed = analysed(model, &text);
        assert_eq!(broken_promises(&analysed.unit), Vec::<String>::new(), "{file}");
    }
}

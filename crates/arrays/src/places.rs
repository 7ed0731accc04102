//! Which arrays can be abstracted: all of their uses must be accesses to elements, or hand the whole array on.
//!
//! An abstracted array is memory for its witness elements alone, and a pointer to its beginning is a pointer to those. So
//! parameters, and local pointers to arrays from `malloc`, take part as long as they only ever point to the beginning of
//! an abstracted array. Variables between which such pointers flow form a class, and a class is abstracted as a whole or
//! not at all: whoever is in a class with something that is used otherwise keeps all elements.

use crate::nondet::Nondet;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use vergo_cfront::ast::Quals;
use vergo_cfront::hir::{
    BinaryOp, CastKind, Definition, ExprId, ExprKind, FuncId, InitKind, StmtKind, Storage, UnaryOp,
    Unit, VarId,
};
use vergo_cfront::types::{ArrayLen, QualType, TypeKind};
use vergo_cfront::walk::{Node, children, init_exprs, visit};
use vergo_source::Span;

/// An access to an element: the variable, and an index for each dimension; none for `*a`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub(crate) var: VarId,
    pub(crate) indices: Vec<ExprId>,
}

/// The variable whose array an expression points to the beginning of.
pub(crate) fn base(unit: &Unit, expr: ExprId) -> Option<VarId> {
    let mut expr = expr;
    loop {
        match unit.exprs[expr].kind {
            ExprKind::Cast(CastKind::ArrayDecay | CastKind::Load, inner) => {
                return match unit.exprs[inner].kind {
                    ExprKind::Var(var) => Some(var),
                    _ => None,
                };
            }
            ExprKind::Cast(CastKind::NoOp, inner) => expr = inner,
            ExprKind::Cast(CastKind::Ptr, inner) => {
                let pointee = |e: ExprId| unit.types.pointee(unit.exprs[e].ty);
                if pointee(expr).map(QualType::unqualified)
                    != pointee(inner).map(QualType::unqualified)
                {
                    return None;
                }
                expr = inner;
            }
            _ => return None,
        }
    }
}

/// The access that an expression is.
pub(crate) fn access(unit: &Unit, expr: ExprId) -> Option<Access> {
    let mut indices = Vec::new();
    let mut expr = expr;
    loop {
        match unit.exprs[expr].kind {
            ExprKind::Index(pointer, index) => {
                indices.push(index);
                if let Some(var) = base(unit, pointer) {
                    indices.reverse();
                    return Some(Access { var, indices });
                }
                match unit.exprs[pointer].kind {
                    ExprKind::Cast(CastKind::ArrayDecay, inner) => expr = inner,
                    _ => return None,
                }
            }
            ExprKind::Deref(pointer) if indices.is_empty() => {
                return base(unit, pointer).map(|var| Access { var, indices });
            }
            _ => return None,
        }
    }
}

/// The object that a place is a part of.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// A variable.
    Var(VarId),
    /// An element that may be abstracted: the expression of the access.
    Element(ExprId, Access),
    /// The object that a pointer points to.
    Through(ExprId),
    /// Something else.
    Other,
}

/// The object of a place; elements of the given variables are told apart.
pub(crate) fn root(unit: &Unit, place: ExprId, elements: &dyn Fn(&Access) -> bool) -> Root {
    let mut place = place;
    loop {
        if let Some(access) = access(unit, place)
            && elements(&access)
        {
            return Root::Element(place, access);
        }
        match unit.exprs[place].kind {
            ExprKind::Var(var) => return Root::Var(var),
            ExprKind::Member(inner, ..)
            | ExprKind::ComplexPart(inner, _)
            | ExprKind::VectorElement(inner, _) => place = inner,
            ExprKind::Deref(pointer) => return Root::Through(pointer),
            ExprKind::Index(pointer, _) => match unit.exprs[pointer].kind {
                ExprKind::Cast(CastKind::ArrayDecay, inner) => place = inner,
                _ => return Root::Through(pointer),
            },
            _ => return Root::Other,
        }
    }
}

/// The function that a call calls by its name.
pub(crate) fn callee(unit: &Unit, expr: ExprId) -> Option<FuncId> {
    match unit.exprs[expr].kind {
        ExprKind::Function(function) => Some(function),
        ExprKind::Cast(CastKind::FunctionDecay | CastKind::NoOp, inner) => callee(unit, inner),
        _ => None,
    }
}

/// The reason why a variable keeps its elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub(crate) span: Span,
    pub(crate) why: &'static str,
}

/// The abstracted variables of a program.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Abstracted arrays and pointers, with element type and dimensions.
    pub(crate) all: BTreeMap<VarId, (QualType, usize)>,
    /// Arrays that are not, and why.
    pub(crate) kept: BTreeMap<VarId, Kept>,
    /// Calls of `malloc` and `calloc` for abstracted arrays, with their variable.
    pub(crate) allocations: FxHashMap<ExprId, VarId>,
}

impl Places {
    /// Returns whether an access is to an abstracted array.
    pub(crate) fn has(&self, access: &Access) -> bool {
        self.all
            .get(&access.var)
            .is_some_and(|&(_, dimensions)| access.indices.len().max(1) == dimensions)
    }
}

/// Finds the variables to abstract.
pub(crate) fn find(
    unit: &Unit,
    nondet: &mut Nondet<'_>,
    brackets: &dyn Fn(VarId) -> usize,
) -> Places {
    let mut finder = Finder {
        unit,
        candidates: BTreeMap::new(),
        failed: BTreeMap::new(),
        parents: BTreeMap::new(),
        allocations: FxHashMap::default(),
        interesting: BTreeSet::new(),
    };
    let mut kept = BTreeMap::new();
    for (var, declared) in unit.vars.iter() {
        match finder.candidate(var, nondet, brackets) {
            Ok(Some(shape)) => {
                finder.candidates.insert(var, shape);
            }
            Ok(None) => {}
            Err(why) => {
                kept.insert(var, Kept { span: declared.span, why });
            }
        }
    }
    for (id, function) in unit.functions.iter() {
        if let Some(body) = function.body {
            let is_main = unit.names.name(function.name) == "main";
            if is_main || function.constructor.is_some() || function.nested.is_some() {
                finder.fail_parameters(id, function.span, "called by the system");
            }
            finder.scan(Node::Stmt(body), false);
        }
    }
    for (_, var) in unit.vars.iter() {
        if let (Some(init), Storage::Static { .. }) = (var.init, var.storage) {
            for expr in init_exprs(unit, init) {
                finder.scan(Node::Expr(expr), false);
            }
        }
    }
    finder.finish(kept)
}

struct Finder<'a> {
    unit: &'a Unit,
    /// Element type and dimensions.
    candidates: BTreeMap<VarId, (QualType, usize)>,
    failed: BTreeMap<VarId, Kept>,
    /// Classes as a forest.
    parents: BTreeMap<VarId, VarId>,
    allocations: FxHashMap<ExprId, VarId>,
    /// Variables with an access in a loop.
    interesting: BTreeSet<VarId>,
}

impl Finder<'_> {
    /// The element type and dimensions of a variable that could be abstracted; an error says why an array cannot.
    fn candidate(
        &self,
        id: VarId,
        nondet: &mut Nondet<'_>,
        brackets: &dyn Fn(VarId) -> usize,
    ) -> Result<Option<(QualType, usize)>, &'static str> {
        let unit = self.unit;
        let var = &unit.vars[id];
        if var.name.is_none() {
            return Ok(None);
        }
        match unit.types.kind(var.ty) {
            TypeKind::Pointer(to) => {
                let local =
                    matches!(var.storage, Storage::Auto | Storage::Register | Storage::Param);
                let plain =
                    !to.quals().has(Quals::VOLATILE) && !var.ty.quals().has(Quals::VOLATILE);
                let fits = local && plain && var.cleanup.is_none() && nondet.has_any(*to);
                Ok(fits.then_some((to.unqualified(), 1)))
            }
            TypeKind::Array(..) => {
                match var.storage {
                    Storage::Auto => {}
                    Storage::Static { definition, thread_local: false, function, .. } => {
                        if definition == Definition::Declared {
                            return Err("defined elsewhere");
                        }
                        if function.is_some() && var.init.is_some() {
                            return Err("a static local with an initialiser");
                        }
                    }
                    _ => return Err("not an ordinary variable"),
                }
                if var.asm_name.is_some()
                    || var.alias.is_some()
                    || var.cleanup.is_some()
                    || var.weak
                    || var.explicit_align.is_some()
                {
                    return Err("it has attributes");
                }
                let (mut element, mut dimensions) = (var.ty, 0);
                while let TypeKind::Array(inner, len) = *unit.types.kind(element) {
                    if !matches!(len, ArrayLen::Fixed(_) | ArrayLen::Variable(_)) {
                        return Err("its length is not known");
                    }
                    (element, dimensions) = (inner, dimensions + 1);
                }
                if element.quals().has(Quals::VOLATILE) || element.quals().has(Quals::CONST) {
                    return Err("its elements are constant or volatile");
                }
                if !nondet.has_any(element) {
                    return Err(
                        "its elements have no arbitrary values: unions, pointers or arrays",
                    );
                }
                if brackets(id) != dimensions {
                    return Err("its declaration hides the dimensions");
                }
                if !var.init.is_none_or(|init| self.fits_init(init, dimensions)) {
                    return Err("its initialiser is not a short list of values");
                }
                Ok(Some((element.unqualified(), dimensions)))
            }
            _ => Ok(None),
        }
    }

    fn fits_init(&self, init: vergo_cfront::hir::InitId, dimensions: usize) -> bool {
        let InitKind::List(list) = self.unit.inits[init].kind else { return false };
        let entries = self.unit.init_lists.get(list);
        dimensions == 1
            && entries.len() <= 64
            && entries.iter().all(|entry| {
                let InitKind::Expr(expr) = self.unit.inits[entry.init].kind else { return false };
                let ty = self.unit.exprs[expr].ty;
                entry.first == entry.last
                    && self.unit.types.is_scalar(ty)
                    && crate::effects::is_pure(self.unit, expr)
            })
    }

    fn find(&self, var: VarId) -> VarId {
        let mut var = var;
        while let Some(&parent) = self.parents.get(&var) {
            var = parent;
        }
        var
    }

    fn union(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parents.insert(a, b);
        }
    }

    fn fail(&mut self, var: VarId, span: Span, why: &'static str) {
        self.failed.entry(var).or_insert(Kept { span, why });
    }

    fn fail_parameters(&mut self, function: FuncId, span: Span, why: &'static str) {
        for &param in &self.unit.functions[function].params {
            self.fail(param, span, why);
        }
    }

    fn is_candidate(&self, var: VarId) -> bool {
        self.candidates.contains_key(&var)
    }

    fn candidate_base(&self, expr: ExprId) -> Option<VarId> {
        base(self.unit, expr).filter(|&var| self.is_candidate(var))
    }

    fn scan(&mut self, node: Node, in_loop: bool) {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.scan_node(node, in_loop));
    }

    fn scan_children(&mut self, node: Node, in_loop: bool) {
        for child in children(self.unit, node) {
            self.scan(child, in_loop);
        }
    }

    fn scan_node(&mut self, node: Node, in_loop: bool) {
        let unit = self.unit;
        let expr = match node {
            Node::Stmt(stmt) => {
                let inner = in_loop
                    || matches!(
                        unit.stmts[stmt].kind,
                        StmtKind::While(..)
                            | StmtKind::DoWhile(..)
                            | StmtKind::For { .. }
                            | StmtKind::Label(..)
                    );
                if let StmtKind::Decl(var) = unit.stmts[stmt].kind
                    && self.is_candidate(var)
                    && unit.types.pointee(unit.vars[var].ty).is_some()
                {
                    if let Some(init) = unit.vars[var].init
                        && let InitKind::Expr(value) = unit.inits[init].kind
                    {
                        self.flow(var, value, inner);
                    }
                    return;
                }
                if let StmtKind::Asm(_) = unit.stmts[stmt].kind {
                    let span = unit.stmts[stmt].span;
                    visit(unit, node, &mut |node| {
                        if let Node::Expr(expr) = node
                            && let ExprKind::Var(var) = unit.exprs[expr].kind
                        {
                            self.fail(var, span, "used by assembly");
                        }
                        true
                    });
                    return;
                }
                return self.scan_children(node, inner);
            }
            Node::Expr(expr) => expr,
        };
        let span = unit.exprs[expr].span;
        if let Some(access) = access(unit, expr)
            && let Some(&(_, dimensions)) = self.candidates.get(&access.var)
            && access.indices.len().max(1) == dimensions
        {
            let constant = access
                .indices
                .iter()
                .all(|&index| matches!(unit.exprs[index].kind, ExprKind::Int(_)));
            if in_loop || !constant {
                self.interesting.insert(access.var);
            }
            for index in access.indices {
                self.scan(Node::Expr(index), in_loop);
            }
            return;
        }
        match unit.exprs[expr].kind {
            ExprKind::Call(called, args) => {
                let function = callee(unit, called);
                if function.is_none() {
                    self.scan(Node::Expr(called), in_loop);
                }
                for (number, &arg) in unit.expr_lists.get(args).iter().enumerate() {
                    self.argument(function, number, arg, in_loop);
                }
            }
            ExprKind::Assign(place, value) => match unit.exprs[place].kind {
                ExprKind::Var(var)
                    if self.is_candidate(var)
                        && unit.types.pointee(unit.vars[var].ty).is_some() =>
                {
                    self.flow(var, value, in_loop);
                }
                _ => self.scan_children(node, in_loop),
            },
            ExprKind::AddrOf(place) => {
                let candidates = &self.candidates;
                let known = |access: &Access| candidates.contains_key(&access.var);
                if let Root::Element(_, access) = root(unit, place, &known) {
                    self.fail(access.var, span, "the address of an element is taken");
                }
                self.scan_children(node, in_loop);
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
                for (side, other) in [(a, b), (b, a)] {
                    if !(self.candidate_base(side).is_some() && is_null(unit, other)) {
                        self.scan(Node::Expr(side), in_loop);
                    }
                }
            }
            ExprKind::Unary(UnaryOp::Not, operand) if self.candidate_base(operand).is_some() => {}
            ExprKind::Var(var) if self.is_candidate(var) => {
                self.fail(var, span, "it is used as a whole, or a pointer into it is made");
            }
            ExprKind::Function(function) => {
                self.fail_parameters(function, span, "called through a pointer");
            }
            ExprKind::SizeofVla(_) => {}
            _ => self.scan_children(node, in_loop),
        }
    }

    fn argument(&mut self, function: Option<FuncId>, number: usize, arg: ExprId, in_loop: bool) {
        let unit = self.unit;
        let span = unit.exprs[arg].span;
        let defined = function.map(|f| &unit.functions[f]).filter(|f| f.body.is_some());
        let parameter = defined.and_then(|f| f.params.get(number).copied());
        match (self.candidate_base(arg), parameter) {
            (Some(var), Some(parameter)) if self.is_candidate(parameter) => {
                self.union(var, parameter);
            }
            (Some(var), None)
                if function.is_some_and(|f| unit.names.name(unit.functions[f].name) == "free") =>
            {
                if unit.types.is_array(unit.vars[var].ty) {
                    self.fail(var, span, "it is freed");
                }
            }
            (Some(var), _) => self.fail(var, span, "it is passed to a function that is not known"),
            (None, Some(parameter)) if self.is_candidate(parameter) => {
                if !is_null(unit, arg) {
                    self.fail(parameter, span, "something that is no abstracted array is passed");
                }
                self.scan(Node::Expr(arg), in_loop);
            }
            (None, _) => self.scan(Node::Expr(arg), in_loop),
        }
    }

    /// A value for a pointer.
    fn flow(&mut self, pointer: VarId, value: ExprId, in_loop: bool) {
        let unit = self.unit;
        let span = unit.exprs[value].span;
        if is_null(unit, value) {
            return;
        }
        if let Some(var) = self.candidate_base(value) {
            return self.union(pointer, var);
        }
        let mut inner = value;
        while let ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, next) = unit.exprs[inner].kind {
            inner = next;
        }
        if let ExprKind::Call(called, args) = unit.exprs[inner].kind
            && let Some(function) = callee(unit, called)
            && unit.functions[function].body.is_none()
            && matches!(unit.names.name(unit.functions[function].name), "malloc" | "calloc")
        {
            let pure = |&arg: &ExprId| crate::effects::is_pure(unit, arg);
            if unit.expr_lists.get(args).iter().all(pure) {
                self.allocations.insert(inner, pointer);
                for &arg in unit.expr_lists.get(args) {
                    self.scan(Node::Expr(arg), in_loop);
                }
                return;
            }
        }
        self.fail(pointer, span, "it is made to point elsewhere");
        self.scan(Node::Expr(value), in_loop);
    }

    fn finish(self, mut kept: BTreeMap<VarId, Kept>) -> Places {
        let unit = self.unit;
        // What speaks against each class, its element type, and whether it has an array.
        let mut classes: BTreeMap<VarId, (Option<Kept>, Option<QualType>, bool, bool)> =
            BTreeMap::new();
        let allocated: BTreeSet<VarId> = {
            let mut all: Vec<VarId> = self.allocations.values().copied().collect();
            all.sort();
            all.into_iter().collect()
        };
        for (&var, &(element, dimensions)) in &self.candidates {
            let is_array = unit.types.is_array(unit.vars[var].ty);
            let class = classes.entry(self.find(var)).or_default();
            if let Some(&why) = self.failed.get(&var) {
                class.0.get_or_insert(why);
            }
            let alone = self.find(var) == var && !self.parents.values().any(|&p| p == var);
            if !alone && dimensions > 1 || class.1.is_some_and(|other| other != element) {
                let why = "it is used at several types";
                class.0.get_or_insert(Kept { span: unit.vars[var].span, why });
            }
            class.1 = Some(element);
            class.2 |= is_array || allocated.contains(&var);
            class.3 |= self.interesting.contains(&var);
        }
        let mut places = Places::default();
        for (&var, &shape) in &self.candidates {
            let (against, _, has_array, interesting) = classes[&self.find(var)];
            let is_array = unit.types.is_array(unit.vars[var].ty);
            match against {
                None if has_array && interesting => {
                    places.all.insert(var, shape);
                }
                None if is_array => {
                    let why = "only a few elements are used, outside of loops";
                    kept.insert(var, Kept { span: unit.vars[var].span, why });
                }
                Some(why) if is_array || allocated.contains(&var) => {
                    kept.insert(var, why);
                }
                _ => {}
            }
        }
        places.kept = kept;
        let abstracted = &places.all;
        places.allocations =
            self.allocations.into_iter().filter(|(_, var)| abstracted.contains_key(var)).collect();
        places
    }
}

/// Returns whether an expression is a null pointer constant.
pub(crate) fn is_null(unit: &Unit, expr: ExprId) -> bool {
    match unit.exprs[expr].kind {
        ExprKind::Int(0) => true,
        ExprKind::Cast(CastKind::IntToPtr | CastKind::Ptr | CastKind::NoOp | CastKind::Int, e) => {
            is_null(unit, e)
        }
        _ => false,
    }
}

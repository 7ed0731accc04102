//! Initialisers: designators, brace elision, strings, arrays of unknown length (C17 6.7.9).
//!
//! **Idea.** Inside a pair of braces a cursor walks over the places to initialise. It is a stack of frames, one for each
//! aggregate between the braces' own and the place in question: a designator sets the cursor, an expression that does
//! not fit an aggregate as a whole moves it into the aggregate, and a frame that is full is left. Values are kept in a
//! tree of slots, in which a later value for a place replaces the earlier one; the tree then becomes the typed
//! initialiser. Walking forward, the place is found in constant time; a map of places is made only for designators that
//! go back.

use super::convert::Target;
use super::slots::{ListNode, Node, Slot};
use super::{Sema, codes};
use crate::ast::{self, Designator, InitKind as Ast};
use crate::consteval::{Address, Base, Evaluator, Value};
use crate::hir::{
    CastKind, ExprId, ExprKind, Init, InitEntry, InitId, InitKind, StringId, StringUnits,
};
use crate::types::{ArrayLen, QualType, RecordId, RecordKind, TypeKind};
use vergo_source::{Diagnostic, Span};

/// An aggregate that the cursor is in.
#[derive(Clone, Copy, Debug)]
struct Frame {
    ty: QualType,
    /// The indices that it occupies in its parent.
    slot: (u64, u64),
    next: u64,
    /// The last index of a GNU range at `next`.
    last: u64,
    /// One more than the last index.
    count: u64,
}

impl Sema<'_> {
    /// The initialiser of an object, and its type with an unknown length completed.
    pub(super) fn initialiser(
        &mut self,
        ty: QualType,
        init: ast::InitId,
        is_static: bool,
    ) -> (InitId, QualType) {
        let span = self.ast.inits[init].span;
        let node = self.init_node(ty, init, is_static);
        let completed = self.completed_type(ty, &node);
        let id = self.freeze(node, completed, span);
        (id, completed)
    }

    /// An array of unknown length gets it from its initialiser.
    fn completed_type(&mut self, ty: QualType, node: &Node) -> QualType {
        let TypeKind::Array(element, ArrayLen::Incomplete) = *self.kind(ty) else { return ty };
        let len = match node {
            Node::List(list) => list.end,
            Node::String(string) => match *self.kind(self.unit.strings[*string].ty) {
                TypeKind::Array(_, ArrayLen::Fixed(len)) => len,
                _ => 0,
            },
            Node::Frozen(init) => match *self.kind(self.unit.inits[*init].ty) {
                TypeKind::Array(_, ArrayLen::Fixed(len)) => len,
                _ => 0,
            },
            Node::Expr(_) | Node::Dead => return ty,
        };
        self.array_of(element, ArrayLen::Fixed(len))
    }

    fn init_node(&mut self, ty: QualType, init: ast::InitId, is_static: bool) -> Node {
        let ast::Init { span, kind } = self.ast.inits[init];
        match kind {
            Ast::List(list) => stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
                self.list_node(ty, list, span, is_static)
            }),
            Ast::Expr(expr) => {
                let value = self.expr(expr);
                self.expr_node_for(ty, value, span, is_static)
            }
        }
    }

    /// An object that is initialised by an expression without braces.
    fn expr_node_for(&mut self, ty: QualType, value: ExprId, span: Span, is_static: bool) -> Node {
        if self.is_error(self.ty(value)) || self.is_error(ty) {
            return Node::Expr(self.error_expr(span));
        }
        if let Some(node) = self.whole_value(ty, value, is_static) {
            return node;
        }
        match self.kind(ty) {
            TypeKind::Array(..) => {
                let shown = self.show(ty);
                self.report(
                    Diagnostic::error(
                        codes::BAD_INITIALISER,
                        span,
                        format!("{shown} is initialised by an expression"),
                    )
                    .help("an array is initialised by a list in braces or a string literal"),
                );
                Node::Expr(self.error_expr(span))
            }
            _ => {
                let value = self.decay(value);
                let value = self.assign_convert(value, ty, Target::Initialise);
                Node::Expr(self.leaf(value, is_static))
            }
        }
    }

    /// The node of an expression that initialises an aggregate as a whole: a string, a structure, a literal.
    fn whole_value(&mut self, ty: QualType, value: ExprId, is_static: bool) -> Option<Node> {
        let node = self.unit.exprs[value];
        match *self.kind(ty) {
            TypeKind::Array(element, len) => match node.kind {
                ExprKind::String(string) if self.string_fits(element, string) => {
                    self.check_string_length(string, len, node.span);
                    Some(Node::String(string))
                }
                ExprKind::CompoundLiteral(var) if self.compatible_unqualified(ty, node.ty) => {
                    self.unit.vars[var].init.map(Node::Frozen)
                }
                _ => None,
            },
            TypeKind::Record(_) => {
                if !self.compatible_unqualified(ty, node.ty) {
                    return None;
                }
                if is_static {
                    if let ExprKind::CompoundLiteral(var) = node.kind
                        && let Some(init) = self.unit.vars[var].init
                    {
                        return Some(Node::Frozen(init));
                    }
                    self.error(
                        codes::NOT_CONSTANT,
                        node.span,
                        "the initialiser of a static variable is not constant",
                    );
                    return Some(Node::Expr(self.error_expr(node.span)));
                }
                let value = self.decay(value);
                Some(Node::Expr(self.convert(value, ty)))
            }
            TypeKind::Vector(..) => {
                let from = self.value_type(node.ty);
                if !matches!(self.kind(from), TypeKind::Vector(..)) {
                    return None;
                }
                if is_static
                    && let ExprKind::CompoundLiteral(var) = node.kind
                    && let Some(init) = self.unit.vars[var].init
                {
                    return Some(Node::Frozen(init));
                }
                let value = self.decay(value);
                let value = self.assign_convert(value, ty, Target::Initialise);
                Some(Node::Expr(value))
            }
            _ => None,
        }
    }

    fn string_fits(&self, element: QualType, string: StringId) -> bool {
        let Some(kind) = self.unit.types.int_kind(element) else { return false };
        if matches!(self.kind(element), TypeKind::Enum(_)) {
            return false;
        }
        let width = kind.width(&self.unit.target);
        match self.unit.strings[string].units {
            StringUnits::Bytes(_) => width == 8,
            StringUnits::Units16(_) => width == 16,
            StringUnits::Units32(_) => width == 32,
        }
    }

    fn check_string_length(&mut self, string: StringId, len: ArrayLen, span: Span) {
        let length = match &self.unit.strings[string].units {
            StringUnits::Bytes(units) => units.len(),
            StringUnits::Units16(units) => units.len(),
            StringUnits::Units32(units) => units.len(),
        } as u64;
        if let ArrayLen::Fixed(room) = len
            && length - 1 > room
        {
            self.warning(
                codes::EXCESS_INITIALISERS,
                span,
                format!(
                    "the string of {} characters is longer than the array of {room}",
                    length - 1
                ),
            );
        }
    }

    /// A value at a leaf: constant if it has to be.
    fn leaf(&mut self, value: ExprId, is_static: bool) -> ExprId {
        if is_static { self.static_value(value) } else { value }
    }

    /// The folded form of the initialiser of a static object; reports what is not constant.
    pub(super) fn static_value(&mut self, value: ExprId) -> ExprId {
        let node = self.unit.exprs[value];
        if matches!(
            node.kind,
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::WideInt(_) | ExprKind::Error
        ) {
            return value;
        }
        let mut evaluator = Evaluator::of_initialiser(&self.unit);
        let folded = evaluator.eval(value);
        let overflow = evaluator.overflow;
        if let Some(span) = overflow {
            self.warning(codes::CONSTANT_OVERFLOW, span, "overflow in a constant expression");
        }
        match folded {
            Ok(folded @ (Value::Int(_) | Value::Float(_))) => {
                self.value_expr(node.span, node.ty, &folded).unwrap_or(value)
            }
            // Null pointers stay casts of zero, so that their text stays what it was.
            Ok(Value::Address(_) | Value::Complex(..) | Value::ComplexInt(..)) => value,
            Err(_) if matches!(self.kind(node.ty), TypeKind::Vector(..)) => {
                if let ExprKind::Cast(CastKind::Load, place) = node.kind
                    && let ExprKind::CompoundLiteral(_) = self.unit.exprs[place].kind
                {
                    return value;
                }
                self.error(
                    codes::NOT_CONSTANT,
                    node.span,
                    "the initialiser of a static variable is not constant",
                );
                self.error_expr(node.span)
            }
            Err(_) if self.is_label_difference(value) => value,
            Err(reason) => {
                self.not_constant(reason, "the initialiser of a static variable", node.span);
                self.error_expr(node.span)
            }
        }
    }

    /// `&&a - &&b`: no value here, but a constant that GNU C allows in tables of jumps.
    fn is_label_difference(&self, value: ExprId) -> bool {
        let mut value = value;
        while let ExprKind::Cast(CastKind::Int | CastKind::NoOp, operand) =
            self.unit.exprs[value].kind
        {
            value = operand;
        }
        let ExprKind::PtrDiff(left, right) = self.unit.exprs[value].kind else { return false };
        [left, right].into_iter().all(|label| {
            let address = Evaluator::of_initialiser(&self.unit).eval(label);
            matches!(address, Ok(Value::Address(Address { base: Base::Label(_), .. })))
        })
    }

    // Lists.

    /// Returns the number of places in an aggregate; `None` for scalars.
    fn places(&self, ty: QualType) -> Option<u64> {
        match *self.kind(ty) {
            TypeKind::Array(_, ArrayLen::Fixed(len)) => Some(len),
            TypeKind::Array(..) => Some(u64::MAX),
            TypeKind::Vector(_, lanes) => Some(u64::from(lanes)),
            TypeKind::Record(record) => {
                let record = &self.unit.types.records[record];
                Some(record.fields.as_ref().map_or(0, |fields| fields.len() as u64))
            }
            _ => None,
        }
    }

    fn is_union(&self, ty: QualType) -> bool {
        matches!(*self.kind(ty), TypeKind::Record(record) if self.unit.types.records[record].kind == RecordKind::Union)
    }

    /// The type of a place of an aggregate.
    fn place_type(&self, ty: QualType, index: u64) -> QualType {
        match *self.kind(ty) {
            TypeKind::Array(element, _) => element,
            TypeKind::Vector(element, _) => element.into(),
            TypeKind::Record(record) => match &self.unit.types.records[record].fields {
                Some(fields) => {
                    fields.get(index as usize).map_or(self.basics.error, |field| field.ty)
                }
                None => self.basics.error,
            },
            _ => self.basics.error,
        }
    }

    /// The next place that can be initialised without a designator: unnamed bit-fields are passed over, and of a union
    /// only the first member counts.
    fn next_place(&self, ty: QualType, from: u64) -> Option<u64> {
        let TypeKind::Record(record) = *self.kind(ty) else { return Some(from) };
        let record = &self.unit.types.records[record];
        let fields = record.fields.as_ref()?;
        let mut index = from;
        loop {
            let field = fields.get(usize::try_from(index).ok()?)?;
            if !(field.bits.is_some() && field.name.is_none()) {
                return Some(index);
            }
            index += 1;
        }
    }

    fn list_node(
        &mut self,
        ty: QualType,
        list: crate::pool::List<ast::InitEntry>,
        span: Span,
        is_static: bool,
    ) -> Node {
        let ast = self.ast;
        let entries = ast.init_entry_lists.get(list);
        if self.is_error(ty) {
            for entry in entries {
                self.analyse_only(entry.init);
            }
            return Node::Expr(self.error_expr(span));
        }
        let Some(count) = self.places(ty) else {
            return self.scalar_list(ty, entries, span, is_static);
        };
        // A string in braces.
        if let [entry] = entries
            && entry.designators.is_empty()
            && let TypeKind::Array(element, len) = *self.kind(ty)
            && let Ast::Expr(expr) = ast.inits[entry.init].kind
            && self.is_string(expr)
        {
            let value = self.expr(expr);
            if let ExprKind::String(string) = self.unit.exprs[value].kind
                && self.string_fits(element, string)
            {
                let at = self.span(value);
                self.check_string_length(string, len, at);
                return Node::String(string);
            }
            let mut root = ListNode::new(ty, span);
            let mut frames = vec![Frame { ty, slot: (0, 0), next: 0, last: 0, count }];
            self.place_value(
                &mut root,
                &mut frames,
                Ok(value),
                at_span(self, entry.init),
                is_static,
            );
            return Node::List(Box::new(root));
        }
        let mut root = ListNode::new(ty, span);
        if matches!(self.kind(ty), TypeKind::Array(..)) && entries.len() > 64 {
            root.entries.reserve(entries.len());
        }
        let mut frames = vec![Frame { ty, slot: (0, 0), next: 0, last: 0, count }];
        let mut reported_excess = false;
        for entry in entries {
            let entry_span = ast.inits[entry.init].span;
            if !entry.designators.is_empty() {
                frames.truncate(1);
                if !self.designate(&mut frames, entry.designators, entry_span) {
                    self.analyse_only(entry.init);
                    continue;
                }
            } else if !self.advance(&mut frames) {
                if !reported_excess {
                    reported_excess = true;
                    let shown = self.show(ty);
                    self.warning(
                        codes::EXCESS_INITIALISERS,
                        entry_span,
                        format!("more initialisers than {shown} has places"),
                    );
                }
                self.analyse_only(entry.init);
                continue;
            }
            match ast.inits[entry.init].kind {
                Ast::List(list) => {
                    let top = *frames.last().expect("the list's own frame is always there");
                    let place = self.place_type(top.ty, top.next);
                    let node = stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
                        self.list_node(place, list, entry_span, is_static)
                    });
                    self.place_value(&mut root, &mut frames, Err(node), entry_span, is_static);
                }
                Ast::Expr(expr) => {
                    let value = self.expr(expr);
                    self.place_value(&mut root, &mut frames, Ok(value), entry_span, is_static);
                }
            }
        }
        Node::List(Box::new(root))
    }

    fn is_string(&self, expr: ast::ExprId) -> bool {
        let mut expr = expr;
        loop {
            match self.ast.exprs[expr].kind {
                ast::ExprKind::String(_) => return true,
                ast::ExprKind::Paren(inner)
                | ast::ExprKind::Unary(ast::UnaryOp::Extension, inner) => expr = inner,
                _ => return false,
            }
        }
    }

    /// For diagnostics only.
    fn analyse_only(&mut self, init: ast::InitId) {
        match self.ast.inits[init].kind {
            Ast::Expr(expr) => {
                self.rvalue(expr);
            }
            Ast::List(list) => {
                let ast = self.ast;
                stacker::maybe_grow(128 * 1024, 1024 * 1024, || {
                    for entry in ast.init_entry_lists.get(list) {
                        self.analyse_only(entry.init);
                    }
                });
            }
        }
    }

    /// `{ value }` for a scalar.
    fn scalar_list(
        &mut self,
        ty: QualType,
        entries: &[ast::InitEntry],
        span: Span,
        is_static: bool,
    ) -> Node {
        let Some((first, rest)) = entries.split_first() else {
            // C23: `{}` is zero.
            let zero = self.int_expr(span, self.basics.int, 0);
            let zero = self.convert(zero, ty);
            return Node::Expr(self.leaf(zero, is_static));
        };
        if !first.designators.is_empty() {
            let shown = self.show(ty);
            self.error(
                codes::BAD_DESIGNATOR,
                span,
                format!("a designator in the initialiser of {shown}"),
            );
        }
        let node = self.init_node(ty, first.init, is_static);
        if let Some(extra) = rest.first() {
            let at = self.ast.inits[extra.init].span;
            let shown = self.show(ty);
            self.warning(
                codes::EXCESS_INITIALISERS,
                at,
                format!("more than one initialiser for {shown}"),
            );
            for entry in rest {
                if !entry.designators.is_empty() {
                    self.error(
                        codes::BAD_DESIGNATOR,
                        at,
                        format!("a designator in the initialiser of {shown}"),
                    );
                }
                self.analyse_only(entry.init);
            }
        }
        node
    }

    /// Moves the cursor to the next free place; `false` if there is none.
    fn advance(&mut self, frames: &mut Vec<Frame>) -> bool {
        loop {
            let depth = frames.len();
            let Some(top) = frames.last_mut() else { return false };
            let next = if top.next < top.count { self.next_place(top.ty, top.next) } else { None };
            match next {
                Some(next) => {
                    top.next = next;
                    top.last = next;
                    return true;
                }
                None if depth > 1 => {
                    frames.pop();
                }
                None => return false,
            }
        }
    }

    /// Sets the cursor to a designated place.
    fn designate(
        &mut self,
        frames: &mut Vec<Frame>,
        list: crate::pool::List<Designator>,
        span: Span,
    ) -> bool {
        let ast = self.ast;
        let designators = ast.designator_lists.get(list);
        for (number, designator) in designators.iter().enumerate() {
            if number > 0 && !self.descend(frames, span) {
                return false;
            }
            let Some(&Frame { ty, count, .. }) = frames.last() else { return false };
            match *designator {
                Designator::Field(name, name_span) => {
                    let Some(record) = self.unit.types.record(ty) else {
                        let shown = self.show(ty);
                        let message = format!(
                            "`.{}` in the initialiser of {shown}, which has no members",
                            self.name(name)
                        );
                        self.error(codes::BAD_DESIGNATOR, name_span, message);
                        return false;
                    };
                    let Some(path) = self.find_member(record, name) else {
                        self.no_such_designated(record, ty, name, name_span);
                        return false;
                    };
                    for (step, &(_, index)) in path.iter().enumerate() {
                        if step > 0 && !self.descend(frames, name_span) {
                            return false;
                        }
                        if let Some(top) = frames.last_mut() {
                            top.next = u64::from(index);
                            top.last = u64::from(index);
                        }
                    }
                }
                Designator::Index(index) => {
                    let Some(first) = self.designated_index(index, ty, count) else { return false };
                    if let Some(top) = frames.last_mut() {
                        top.next = first;
                        top.last = first;
                    }
                }
                Designator::Range(low, high) => {
                    let (low, high) = (
                        self.designated_index(low, ty, count),
                        self.designated_index(high, ty, count),
                    );
                    let (Some(first), Some(last)) = (low, high) else { return false };
                    if last < first {
                        self.error(
                            codes::BAD_DESIGNATOR,
                            span,
                            "the range of the designator is empty",
                        );
                        return false;
                    }
                    if let Some(top) = frames.last_mut() {
                        top.next = first;
                        top.last = last;
                    }
                }
            }
        }
        true
    }

    fn no_such_designated(
        &mut self,
        record: RecordId,
        ty: QualType,
        name: crate::intern::Symbol,
        span: Span,
    ) {
        let shown = self.show(ty.unqualified());
        let message = format!("{shown} has no member `{}`", self.name(name));
        let mut diagnostic = Diagnostic::error(codes::NO_SUCH_MEMBER, span, message);
        let candidates: Vec<_> = self.unit.types.records[record]
            .fields
            .iter()
            .flatten()
            .filter_map(|field| field.name)
            .collect();
        if let Some(similar) = self.similar_name(name, candidates.into_iter()) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        self.report(diagnostic);
    }

    fn designated_index(&mut self, index: ast::ExprId, ty: QualType, count: u64) -> Option<u64> {
        let expr = self.rvalue(index);
        let span = self.span(expr);
        if !matches!(self.kind(ty), TypeKind::Array(..) | TypeKind::Vector(..)) {
            let shown = self.show(ty);
            self.error(
                codes::BAD_DESIGNATOR,
                span,
                format!("an index in the initialiser of {shown}, which is not an array"),
            );
            return None;
        }
        let signed = self
            .unit
            .types
            .int_shape(self.ty(expr), &self.unit.target)
            .is_some_and(|shape| shape.signed);
        let value = self.constant_int(expr, "the index of a designator")?;
        let largest = crate::layout::largest_object(&self.unit.target);
        match value.to_u64() {
            Some(value_u64)
                if !(signed && value.sign_bit()) && value_u64 < count && value_u64 < largest =>
            {
                Some(value_u64)
            }
            _ => {
                let shown = self.show(ty);
                self.error(
                    codes::BAD_DESIGNATOR,
                    span,
                    format!("the index lies outside of {shown}"),
                );
                None
            }
        }
    }

    /// Moves the cursor into the aggregate at its place; `span` is what asks for that.
    fn descend(&mut self, frames: &mut Vec<Frame>, span: Span) -> bool {
        let Some(top) = frames.last_mut() else { return false };
        let slot = (top.next, top.last);
        let parent_ty = top.ty;
        top.next = top.last.saturating_add(1);
        if self.is_union(parent_ty) {
            // The other members of a union are not initialised after one of them.
            if let Some(top) = frames.last_mut() {
                top.next = top.count;
            }
        }
        let ty = self.place_type(parent_ty, slot.0);
        match self.places(ty) {
            Some(count) => {
                frames.push(Frame { ty, slot, next: 0, last: 0, count });
                true
            }
            None => {
                if !self.is_error(ty) {
                    let shown = self.show(ty);
                    self.error(
                        codes::BAD_DESIGNATOR,
                        span,
                        format!("a designator goes into {shown}, which has no parts"),
                    );
                }
                false
            }
        }
    }

    /// Stores a value at the cursor, going into aggregates as brace elision demands, and moves on.
    fn place_value(
        &mut self,
        root: &mut ListNode,
        frames: &mut Vec<Frame>,
        value: Result<ExprId, Node>,
        span: Span,
        is_static: bool,
    ) {
        let node = match value {
            Err(node) => node,
            Ok(value) => {
                if self.is_error(self.ty(value)) {
                    Node::Expr(value)
                } else {
                    loop {
                        let Some(&top) = frames.last() else { return };
                        let ty = self.place_type(top.ty, top.next);
                        if self.is_error(ty) {
                            break Node::Expr(self.error_expr(span));
                        }
                        if let Some(node) = self.whole_value(ty, value, is_static) {
                            break node;
                        }
                        match self.places(ty) {
                            None => {
                                let value = self.decay(value);
                                let value = self.assign_convert(value, ty, Target::Initialise);
                                break Node::Expr(self.leaf(value, is_static));
                            }
                            Some(0) => {
                                // Nothing fits into an empty structure or array: the value goes to the next place.
                                if let Some(top) = frames.last_mut() {
                                    top.next += 1;
                                }
                                if !self.advance(frames) {
                                    self.warning(
                                        codes::EXCESS_INITIALISERS,
                                        span,
                                        "more initialisers than places",
                                    );
                                    return;
                                }
                            }
                            Some(_) => {
                                if !self.descend(frames, span) || !self.advance(frames) {
                                    return;
                                }
                            }
                        }
                    }
                }
            }
        };
        self.store_at(root, frames, node, span);
    }

    /// Stores a finished value at the cursor.
    fn store_at(&mut self, root: &mut ListNode, frames: &mut [Frame], node: Node, span: Span) {
        let Some((&top, parents)) = frames.split_last() else { return };
        let mut list: &mut ListNode = root;
        // The frames after the first say which slot of their parent they are.
        for frame in parents.iter().chain(std::iter::once(&top)).skip(1).copied() {
            let is_union = self.is_union(list.ty);
            let entered = list.enter(frame.slot, frame.ty, span, is_union);
            match entered {
                Node::List(_) => {}
                Node::String(string) => {
                    let spread = self.spread_string(*string, frame.ty, span);
                    *entered = Node::List(Box::new(spread));
                }
                Node::Expr(old) if matches!(self.unit.exprs[*old].kind, ExprKind::Error) => {
                    *entered = Node::List(Box::new(ListNode::new(frame.ty, span)));
                }
                Node::Expr(_) | Node::Frozen(_) => {
                    self.error(
                        codes::UNSUPPORTED,
                        span,
                        "a part of something that has been initialised as a whole is initialised again",
                    );
                    *entered = Node::List(Box::new(ListNode::new(frame.ty, span)));
                }
                Node::Dead => *entered = Node::List(Box::new(ListNode::new(frame.ty, span))),
            }
            let Node::List(next) = entered else { return };
            list = next;
        }
        let ty = self.place_type(top.ty, top.next);
        let is_union = self.is_union(top.ty);
        list.store(Slot { first: top.next, last: top.last, ty, span, node }, is_union);
        if let Some(top) = frames.last_mut() {
            top.next = top.last.saturating_add(1);
            if is_union {
                top.next = top.count;
            }
        }
    }

    /// A string as a list of its units, when one of them is replaced.
    fn spread_string(&mut self, string: StringId, ty: QualType, span: Span) -> ListNode {
        let units: Vec<u64> = match &self.unit.strings[string].units {
            StringUnits::Bytes(units) => units.iter().map(|&unit| u64::from(unit)).collect(),
            StringUnits::Units16(units) => units.iter().map(|&unit| u64::from(unit)).collect(),
            StringUnits::Units32(units) => units.iter().map(|&unit| u64::from(unit)).collect(),
        };
        let element = self.place_type(ty, 0);
        let value_ty = self.value_type(element);
        let count = self.places(ty).unwrap_or(u64::MAX);
        let mut list = ListNode::new(ty, span);
        for (index, unit) in
            units.into_iter().enumerate().take_while(|&(index, _)| (index as u64) < count)
        {
            let expr = self.int_expr(span, value_ty, unit);
            let index = index as u64;
            list.push(Slot {
                first: index,
                last: index,
                ty: element,
                span,
                node: Node::Expr(expr),
            });
        }
        list
    }

    /// The typed initialiser of a tree of slots.
    fn freeze(&mut self, node: Node, ty: QualType, span: Span) -> InitId {
        match node {
            Node::Expr(expr) => self.unit.inits.push(Init { span, ty, kind: InitKind::Expr(expr) }),
            Node::String(string) => {
                self.unit.inits.push(Init { span, ty, kind: InitKind::String(string) })
            }
            Node::Frozen(init) => init,
            Node::Dead => self.unit.inits.push(Init {
                span,
                ty,
                kind: InitKind::List(crate::pool::List::EMPTY),
            }),
            Node::List(list) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                let mut entries = Vec::with_capacity(list.entries.len());
                for slot in list.entries {
                    if matches!(slot.node, Node::Dead) {
                        continue;
                    }
                    let slot_ty = self.completed_type(slot.ty, &slot.node);
                    let init = self.freeze(slot.node, slot_ty, slot.span);
                    entries.push(InitEntry { first: slot.first, last: slot.last, init });
                }
                let entries = self.unit.init_lists.push(entries);
                self.unit.inits.push(Init { span: list.span, ty, kind: InitKind::List(entries) })
            }),
        }
    }
}

fn at_span(sema: &Sema<'_>, init: ast::InitId) -> Span {
    sema.ast.inits[init].span
}

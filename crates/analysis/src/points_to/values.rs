//! Where places are, and which pointers are in the values of expressions.

use super::*;

impl Maker<'_> {
    /// Where a place is.
    pub(super) fn place(&mut self, expr: ExprId) -> Place {
        if let Some(&known) = self.result.places.get(&expr) {
            return known;
        }
        let program = self.program;
        let len = self.place_len(expr);
        let mut distance = Spot::START;
        let mut base = expr;
        let place = loop {
            match *program.exprs.kind(base) {
                ExprKind::Member(inner, member) => {
                    distance = distance.moved(self.member_offset(inner, member));
                    base = inner;
                }
                ExprKind::Index(inner, index) => {
                    let size = self.len(program.exprs.ty(base));
                    distance = distance.moved(self.distance(index, size));
                    base = inner;
                }
                ExprKind::Symbol(symbol) => {
                    let object = self.variable(symbol);
                    break Place::Cell(self.solver().cell(object, distance, len));
                }
                ExprKind::Deref(pointer) => {
                    let node = self.value(pointer);
                    break Place::Behind(self.solver().access(node, distance, len));
                }
                _ => break Place::Value(self.value(base)),
            }
        };
        self.result.places.insert(expr, place);
        place
    }

    /// The bytes that a place has.
    fn place_len(&self, place: ExprId) -> u64 {
        let len = self.len(self.program.exprs.ty(place));
        match *self.program.exprs.kind(place) {
            // The bits of a field can begin inside of a byte.
            ExprKind::Member(base, member) => match self.program.type_of(base) {
                Type::Struct(id) => {
                    let field = &self.program.types.structs[*id].fields[member as usize];
                    len + u64::from(field.first_bit.is_some())
                }
                _ => len,
            },
            _ => len,
        }
    }

    fn member_offset(&self, base: ExprId, member: u32) -> Spot {
        match self.program.type_of(base) {
            Type::Struct(id) => {
                let offset = self.program.types.structs[*id].fields[member as usize].offset;
                i64::try_from(offset).map_or(Spot::ANY, |offset| Spot::new(offset, 0))
            }
            _ => Spot::ANY,
        }
    }

    /// Returns the distance that an index, in units of a size, leads to.
    fn distance(&self, index: ExprId, unit: u64) -> Spot {
        let constant = match (self.program.exprs.kind(index), self.program.type_of(index)) {
            (ExprKind::Zero, _) => Some(0),
            (ExprKind::Int(bits), Type::Int { signed: true, .. }) => bits.to_i128(),
            (ExprKind::Int(bits), _) => bits.to_u128().and_then(|bits| i128::try_from(bits).ok()),
            _ => None,
        };
        let exact = constant.and_then(|index| index.checked_mul(unit.into()));
        match exact.and_then(|exact| i64::try_from(exact).ok()) {
            Some(exact) => Spot::new(exact, 0),
            None => Spot::new(0, unit.max(1)),
        }
    }

    /// The pointers in the value of an expression.
    pub(super) fn value(&mut self, expr: ExprId) -> Node {
        if let Some(&known) = self.result.values.get(&expr) {
            return known;
        }
        let node = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.new_value(expr));
        self.result.values.insert(expr, node);
        node
    }

    fn new_value(&mut self, expr: ExprId) -> Node {
        let program = self.program;
        let kind = program.exprs.kind(expr);
        match program.type_of(expr) {
            Type::Ptr(_) | Type::Array(..) | Type::Struct(_) => {}
            // A number may be read as a pointer once it is in memory; zero is null.
            _ => {
                let is_zero = match kind {
                    ExprKind::Int(bits) => bits.is_zero(),
                    ExprKind::Zero | ExprKind::Bool(_) => true,
                    _ => matches!(program.type_of(expr), Type::Bool),
                };
                return if is_zero { EMPTY } else { LOOSE };
            }
        }
        match *kind {
            ExprKind::Zero => EMPTY,
            ExprKind::Int(ref bits) => {
                if bits.is_zero() {
                    EMPTY
                } else {
                    LOOSE
                }
            }
            ExprKind::Function(function) => {
                let (object, node) = (self.function(function), self.solver().node());
                self.solver().add(node, object, Spot::START);
                node
            }
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Binary(BinaryOp::PtrAdd, pointer, index) => {
                let pointee = program.pointee(program.exprs.ty(pointer));
                let unit = pointee.and_then(|ty| program.size_of(ty)).unwrap_or(1).max(1);
                let distance = self.distance(index, unit);
                let (from, to) = (self.value(pointer), self.solver().node());
                self.solver().flow(from, to, Flow::Move(distance));
                to
            }
            ExprKind::Cast(_, operand) => match program.type_of(operand) {
                Type::Ptr(_) => self.value(operand),
                _ => match program.exprs.kind(operand) {
                    ExprKind::Int(bits) if bits.is_zero() => EMPTY,
                    ExprKind::Zero => EMPTY,
                    _ => LOOSE,
                },
            },
            ExprKind::Bits(operand) => {
                let value = self.value(operand);
                self.union(&[value, LOOSE])
            }
            ExprKind::Ite(_, then, other) => {
                let parts = [self.value(then), self.value(other)];
                self.union(&parts)
            }
            ExprKind::Struct(ref parts) | ExprKind::Array(ref parts) => {
                let parts: Vec<Node> = parts.iter().map(|&part| self.value(part)).collect();
                self.union(&parts)
            }
            ExprKind::Union(_, part) | ExprKind::ArrayOf(part) => self.value(part),
            ref kind if kind.is_place() => match self.place(expr) {
                Place::Cell(cell) => self.result.solver.cells[cell.0 as usize].load,
                Place::Behind(access) => self.solver().loaded(access),
                Place::Value(node) => node,
            },
            _ => LOOSE,
        }
    }

    /// The address of a place.
    fn address(&mut self, place: ExprId) -> Node {
        let program = self.program;
        let mut distance = Spot::START;
        let mut base = place;
        loop {
            match *program.exprs.kind(base) {
                ExprKind::Member(inner, member) => {
                    distance = distance.moved(self.member_offset(inner, member));
                    base = inner;
                }
                ExprKind::Index(inner, index) => {
                    let size = self.len(program.exprs.ty(base));
                    distance = distance.moved(self.distance(index, size));
                    base = inner;
                }
                ExprKind::Symbol(symbol) => {
                    let (object, node) = (self.variable(symbol), self.solver().node());
                    self.solver().add(node, object, distance);
                    return node;
                }
                ExprKind::Deref(pointer) => {
                    let (from, to) = (self.value(pointer), self.solver().node());
                    self.solver().flow(from, to, Flow::Move(distance));
                    return to;
                }
                _ => return LOOSE,
            }
        }
    }

    fn union(&mut self, parts: &[Node]) -> Node {
        let mut parts: Vec<Node> = parts.iter().copied().filter(|&part| part != EMPTY).collect();
        parts.dedup();
        match parts[..] {
            [] => EMPTY,
            [one] => one,
            _ => {
                let node = self.solver().node();
                parts.into_iter().for_each(|part| self.solver().flow(part, node, Flow::Copy));
                node
            }
        }
    }
}

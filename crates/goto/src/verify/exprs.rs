//! The rules of expressions: operand and result types, by one pass over the reachable expressions in order.

use super::types::Sizes;
use super::{Errors, for_each_root};
use crate::expr::{BinaryOp, Expr, ExprId, ExprKind, MemoryOp, UnaryOp};
use crate::program::{FunctionId, Program, SymbolKind};
use crate::types::{Type, TypeId};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};

/// The facts about an expression that the rules of instructions need.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Fact {
    /// The one function whose local variables it names.
    pub(super) owner: Owner,
    /// True if it is a constant that a static initialiser may hold.
    pub(super) constant: bool,
    /// True if it is a place with a constant address.
    pub(super) constant_place: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Owner {
    /// It names no local variable.
    #[default]
    Nobody,
    /// It names those of one function.
    Function(FunctionId),
    /// It mixes those of several.
    Mixed,
}

pub(super) type Facts = SecondaryMap<ExprId, Fact>;

pub(super) fn check(program: &Program, sizes: &Sizes, errors: &mut Errors) -> Facts {
    let mut facts = Facts::new();
    let mut reachable: EntitySet<ExprId> = EntitySet::with_capacity(program.exprs.len());
    for_each_root(program, |e, _| {
        reachable.insert(e);
    });
    for i in (0..program.exprs.len()).rev() {
        let id = ExprId::new(i);
        if reachable.contains(id) {
            program.exprs.kind(id).for_each_child(|child| {
                reachable.insert(child);
            });
        }
    }
    let checker = Checker { program, sizes };
    for i in 0..program.exprs.len() {
        let id = ExprId::new(i);
        if !reachable.contains(id) {
            continue;
        }
        let expr = program.exprs.get(id);
        let mut ordered = true;
        expr.kind.for_each_child(|child| ordered &= child.as_u32() < id.as_u32());
        if !ordered {
            report(program, errors, id, "a subexpression has a greater number than the expression");
            return facts;
        }
        if let Err(message) = checker.expr(expr) {
            report(program, errors, id, &message);
            if errors.is_full() {
                return facts;
            }
        }
        facts[id] = checker.fact(&facts, &expr.kind);
    }
    facts
}

/// Reports an error in an expression at the first instruction that holds it.
fn report(program: &Program, errors: &mut Errors, bad: ExprId, message: &str) {
    let mut place = None;
    for_each_root(program, |root, at| {
        if place.is_none() {
            program.for_each_subexpr(root, |e| {
                if e == bad {
                    place = Some(at);
                }
            });
        }
    });
    match place {
        Some(Some((function, instr))) => errors.instr(program, function, instr, message),
        _ => errors.program(format!("static initialiser: {message}")),
    }
}

struct Checker<'a> {
    program: &'a Program,
    sizes: &'a Sizes,
}

type Checked = Result<(), String>;

fn require(condition: bool, message: &str) -> Checked {
    if condition { Ok(()) } else { Err(message.to_owned()) }
}

impl<'a> Checker<'a> {
    fn ty(&self, e: ExprId) -> TypeId {
        self.program.exprs.ty(e)
    }

    fn type_of(&self, e: ExprId) -> &'a Type {
        self.program.types.get(self.ty(e))
    }

    fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Bool)
    }

    fn is_int(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Int { .. })
    }

    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Float(_))
    }

    fn is_ptr(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Ptr(_))
    }

    /// A scalar type.
    fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(
            self.program.types.get(ty),
            Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_)
        )
    }

    fn is_word(&self, ty: TypeId, signed: bool) -> bool {
        *self.program.types.get(ty)
            == Type::Int { signed, width: self.program.machine.pointer_width }
    }

    fn expr(&self, expr: &Expr) -> Checked {
        let program = self.program;
        let ty = program.types.get(expr.ty);
        match &expr.kind {
            ExprKind::Bool(_) => require(*ty == Type::Bool, "a truth value is not of type `bool`"),
            ExprKind::Int(bits) => match ty {
                Type::Int { width, .. } => require(
                    bits.width() == *width,
                    "an integer constant has another width than its type",
                ),
                Type::Ptr(_) => require(
                    bits.width() == program.machine.pointer_width,
                    "an address is not as wide as pointers",
                ),
                _ => Err("an integer constant is of neither integer nor pointer type".into()),
            },
            ExprKind::Float(value) => require(
                *ty == Type::Float(value.format()),
                "a floating constant is not of its format's type",
            ),
            ExprKind::Zero => require(
                self.sizes[expr.ty].is_some() || *ty == Type::Bool,
                "zero is of a type without values",
            ),
            ExprKind::Function(function) => {
                let Some(function) = program.functions.get(*function) else {
                    return Err("there is no such function".into());
                };
                require(
                    *ty == Type::Ptr(function.ty),
                    "the address of a function is not a pointer to its type",
                )
            }
            ExprKind::Nondet(site) => {
                require(
                    *site < program.nondet_sites,
                    "the number of a nondeterministic choice is not taken",
                )?;
                require(
                    self.sizes[expr.ty].is_some() || *ty == Type::Bool,
                    "a nondeterministic choice is of a type without values",
                )
            }
            ExprKind::Struct(members) => {
                let Type::Struct(id) = ty else {
                    return Err("a structure value is not of structure type".into());
                };
                let structure = &program.types.structs[*id];
                require(
                    structure.complete && !structure.union,
                    "members make a complete structure, not a union",
                )?;
                require(
                    members.len() == structure.fields.len(),
                    "a structure value has another number of members",
                )?;
                require(
                    members.iter().zip(&structure.fields).all(|(&m, f)| self.ty(m) == f.ty),
                    "a member of a structure value is of another type",
                )
            }
            ExprKind::Union(member, value) => {
                let Type::Struct(id) = ty else {
                    return Err("a union value is not of union type".into());
                };
                let structure = &program.types.structs[*id];
                require(
                    structure.complete && structure.union,
                    "a union value is not of complete union type",
                )?;
                let field =
                    structure.fields.get(*member as usize).ok_or("a union has no such member")?;
                require(
                    self.ty(*value) == field.ty,
                    "the member of a union value is of another type",
                )
            }
            ExprKind::Array(elements) => {
                let Type::Array(element, len) = ty else {
                    return Err("an array value is not of array type".into());
                };
                require(
                    elements.len() as u64 == *len,
                    "an array value has another number of elements",
                )?;
                require(
                    elements.iter().all(|&e| self.ty(e) == *element),
                    "an element is of another type",
                )
            }
            ExprKind::ArrayOf(value) => match ty {
                Type::Array(element, _) => {
                    require(self.ty(*value) == *element, "an element is of another type")
                }
                _ => Err("an array value is not of array type".into()),
            },
            ExprKind::Symbol(symbol) => {
                let symbol = program.symbols.get(*symbol).ok_or("there is no such variable")?;
                require(symbol.ty == expr.ty, "a variable is not of its declared type")
            }
            ExprKind::Deref(pointer) => match self.type_of(*pointer) {
                Type::Ptr(to) => {
                    require(*to == expr.ty, "a dereference is not of the pointed-to type")?;
                    require(
                        self.sizes[expr.ty].is_some(),
                        "the dereferenced pointer is to a type without a size",
                    )
                }
                _ => Err("only pointers are dereferenced".into()),
            },
            ExprKind::Member(base, member) => match self.type_of(*base) {
                Type::Struct(id) => {
                    let field = program.types.structs[*id].fields.get(*member as usize);
                    let field = field.ok_or("a structure has no such member")?;
                    require(field.ty == expr.ty, "a member is not of its declared type")
                }
                _ => Err("only structures and unions have members".into()),
            },
            ExprKind::Index(base, index) => match self.type_of(*base) {
                Type::Array(element, _) => {
                    require(*element == expr.ty, "an element is not of the array's element type")?;
                    require(self.is_int(self.ty(*index)), "an index is not an integer")
                }
                _ => Err("only arrays have elements".into()),
            },
            ExprKind::AddressOf(place) => {
                require(program.is_place(*place), "the address of something that is no place")?;
                if let ExprKind::Member(base, member) = program.exprs.kind(*place)
                    && let Type::Struct(id) = self.type_of(*base)
                {
                    let field = program.types.structs[*id].fields.get(*member as usize);
                    require(
                        field.is_some_and(|f| f.first_bit.is_none()),
                        "the address of a bit-field",
                    )?;
                }
                require(
                    self.sizes[self.ty(*place)].is_some(),
                    "the address of something without a size",
                )?;
                require(
                    *ty == Type::Ptr(self.ty(*place)),
                    "an address is not a pointer to the place's type",
                )
            }
            ExprKind::Unary(op, a) => self.unary(*op, *a, expr.ty),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, expr.ty),
            ExprKind::Fma(a, b, c) => require(
                [a, b, c].iter().all(|&&x| self.ty(x) == expr.ty) && self.is_float(expr.ty),
                "`fma` wants floats of one type",
            ),
            ExprKind::Cast(_, a) => {
                let from = self.ty(*a);
                require(
                    self.is_scalar(from) && self.is_scalar(expr.ty),
                    "only scalars are converted by value",
                )?;
                require(
                    !(self.is_float(from) && self.is_ptr(expr.ty)
                        || self.is_ptr(from) && self.is_float(expr.ty)),
                    "pointers and floats do not convert to each other",
                )
            }
            ExprKind::Bits(a) => require(
                self.sizes[expr.ty].is_some() && self.sizes[expr.ty] == self.sizes[self.ty(*a)],
                "reinterpreted bits have another size",
            ),
            ExprKind::Ite(c, a, b) => {
                require(
                    self.is_bool(self.ty(*c)),
                    "the condition of a choice is not of type `bool`",
                )?;
                require(
                    self.ty(*a) == expr.ty && self.ty(*b) == expr.ty,
                    "an alternative of a choice is of another type",
                )?;
                require(
                    self.sizes[expr.ty].is_some() || self.is_bool(expr.ty),
                    "the alternatives of a choice have no value",
                )
            }
            ExprKind::Memory(op, operands) => self.memory(*op, operands, expr.ty),
        }?;
        // A choice may stand only at the root, see the rules of instructions.
        let mut nested = false;
        expr.kind.for_each_child(|child| {
            nested |= matches!(program.exprs.kind(child), ExprKind::Nondet(_))
        });
        require(!nested, "a nondeterministic choice is not the whole right side of an assignment")
    }

    fn unary(&self, op: UnaryOp, a: ExprId, ty: TypeId) -> Checked {
        let from = self.ty(a);
        let result = if op.yields_bool() { self.is_bool(ty) } else { from == ty };
        require(result, "the result of an operation has the wrong type")?;
        let operand = match op {
            UnaryOp::Not => self.is_bool(from),
            UnaryOp::Neg => self.is_int(from) || self.is_float(from),
            UnaryOp::BitNot
            | UnaryOp::LeadingZeros
            | UnaryOp::TrailingZeros
            | UnaryOp::PopCount => self.is_int(from),
            UnaryOp::ByteSwap => {
                matches!(self.program.types.get(from), Type::Int { width, .. } if width % 8 == 0)
            }
            UnaryOp::Abs
            | UnaryOp::Sqrt
            | UnaryOp::RoundToIntegral(_)
            | UnaryOp::IsNan
            | UnaryOp::IsInf
            | UnaryOp::IsNormal
            | UnaryOp::IsSubnormal
            | UnaryOp::SignBit
            | UnaryOp::Library(_) => self.is_float(from),
        };
        if operand { Ok(()) } else { Err(format!("the operand of {op:?} has the wrong type")) }
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId) -> Checked {
        use BinaryOp as B;
        let (left, right) = (self.ty(a), self.ty(b));
        let same = left == right;
        let operands = match op {
            B::Add | B::Sub | B::Mul | B::Div | B::Rem => {
                same && (self.is_int(left) || self.is_float(left))
            }
            B::IeeeRem | B::Min | B::Max | B::Library(_) => same && self.is_float(left),
            B::BitAnd | B::BitOr | B::BitXor => same && self.is_int(left),
            B::Shl | B::Shr | B::ShlOverflows => self.is_int(left) && self.is_int(right),
            B::Eq | B::Ne => same && self.is_scalar(left),
            B::Lt | B::Le => same && self.is_scalar(left) && !self.is_bool(left),
            B::And | B::Or | B::Implies => self.is_bool(left) && self.is_bool(right),
            B::PtrAdd => self.is_ptr(left) && self.has_stride(left) && self.is_int(right),
            B::PtrDiff => same && self.is_ptr(left) && self.has_stride(left),
            B::AddOverflows | B::SubOverflows | B::MulOverflows => same && self.is_int(left),
        };
        if !operands {
            return Err(format!("the operands of {op:?} have the wrong types"));
        }
        let result = match op {
            _ if op.yields_bool() => self.is_bool(ty),
            B::PtrDiff => self.is_word(ty, true),
            _ => ty == left,
        };
        require(result, "the result of an operation has the wrong type")
    }

    /// Returns whether pointer arithmetic has a unit: the size of the pointed-to type, one for `void` and functions.
    fn has_stride(&self, ptr: TypeId) -> bool {
        match self.program.types.get(ptr) {
            Type::Ptr(to) => {
                self.sizes[*to].is_some()
                    || matches!(self.program.types.get(*to), Type::Void | Type::Func(..))
            }
            _ => false,
        }
    }

    fn memory(&self, op: MemoryOp, operands: &[ExprId], ty: TypeId) -> Checked {
        let ptr = |i: usize| self.is_ptr(self.ty(operands[i]));
        let fitting = match op {
            MemoryOp::HeapEmpty | MemoryOp::HeapReachable => operands.is_empty(),
            MemoryOp::OthersGoOn => match operands {
                [] => true,
                [thread] => self.is_int(self.ty(*thread)),
                _ => false,
            },
            MemoryOp::SameObject => operands.len() == 2 && ptr(0) && ptr(1),
            MemoryOp::IsInitialized if operands.len() == 3 => {
                ptr(0) && self.is_int(self.ty(operands[1])) && self.is_int(self.ty(operands[2]))
            }
            MemoryOp::IsInitialized
            | MemoryOp::TextSize
            | MemoryOp::UnracedRead
            | MemoryOp::UnracedWrite => {
                operands.len() == 2 && ptr(0) && self.is_int(self.ty(operands[1]))
            }
            _ => operands.len() == 1 && ptr(0),
        };
        if !fitting {
            return Err(format!("the operands of {op:?} have the wrong types"));
        }
        let result = match op {
            MemoryOp::ObjectSize | MemoryOp::TextSize => self.is_word(ty, false),
            MemoryOp::Offset => self.is_word(ty, true),
            _ => self.is_bool(ty),
        };
        require(result, "the result of a question about memory has the wrong type")
    }

    /// The facts of an expression from those of its children.
    fn fact(&self, facts: &Facts, kind: &ExprKind) -> Fact {
        let mut owner = Owner::Nobody;
        let mut all_constant = true;
        kind.for_each_child(|child| {
            let fact = facts[child];
            all_constant &= fact.constant;
            owner = match (owner, fact.owner) {
                (Owner::Nobody, other) | (other, Owner::Nobody) => other,
                (a, b) if a == b => a,
                _ => Owner::Mixed,
            };
        });
        let (constant, constant_place) = match kind {
            ExprKind::Symbol(symbol) => match self.program.symbols.get(*symbol).map(|s| &s.kind) {
                Some(SymbolKind::Static { thread_local, .. }) => (false, !thread_local),
                Some(SymbolKind::Local(f) | SymbolKind::Param(f)) => {
                    owner = Owner::Function(*f);
                    (false, false)
                }
                None => (false, false),
            },
            ExprKind::Nondet(_) | ExprKind::Memory(..) => (false, false),
            ExprKind::Deref(a) => (false, facts[*a].constant),
            ExprKind::Member(a, _) => (facts[*a].constant, facts[*a].constant_place),
            ExprKind::Index(a, i) => (all_constant, facts[*a].constant_place && facts[*i].constant),
            ExprKind::AddressOf(a) => (facts[*a].constant_place, false),
            _ => (all_constant, false),
        };
        Fact { owner, constant, constant_place }
    }
}

//! Where the variables of an encoded system come from: the way back from states to the program.

use std::fmt::Write as _;
use vergo_goto::program::{Program, SymbolId};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;
use vergo_symex::{Aspect, Cutter, Element, Home, Location, Part, Scalar};

/// The meaning of a state variable in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The program counter: which cut point the program is at.
    Counter,
    /// Something of an object.
    Object {
        /// The creator of the object.
        home: Home,
        /// The part or aspect of it.
        what: What,
    },
    /// The address of an object as a number, the same in all states.
    Address,
}

/// The part or aspect of an object that a state variable stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The value of a scalar in it.
    Scalar {
        /// Its offset in bytes.
        offset: u64,
        /// Its type, where the object's own type has such a scalar there.
        ty: Option<TypeId>,
    },
    /// The number of the object that a pointer in it points to; zero for none.
    Target {
        /// The pointer's offset in bytes.
        offset: u64,
    },
    /// Where in that object, in units that depend on the cut point.
    TargetOffset {
        /// The pointer's offset in bytes.
        offset: u64,
    },
    /// One scalar of all elements of an array in it.
    Elements {
        /// Where the array begins.
        start: u64,
        /// The offset of the scalar in an element.
        key: u64,
        /// The type of the elements.
        element: TypeId,
    },
    /// Says whether it is alive.
    Live,
    /// Its size in bytes.
    Size,
}

/// Which of the terms of a location a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// The whole value.
    Value,
    /// The object of a pointer.
    Object,
    /// The offset of a pointer.
    Offset,
}

/// The origin of a variable for a location.
pub(crate) fn origin(
    program: &Program,
    cutter: &Cutter<'_>,
    location: &Location,
    role: Role,
) -> Option<Origin> {
    let home = cutter.home(location.object)?;
    let what = match (location.aspect, role) {
        (Aspect::Live, _) => What::Live,
        (Aspect::Size, _) => What::Size,
        (Aspect::Part(Part::Cell { offset, scalar }), Role::Value) => {
            let ty = cutter.object_type(location.object);
            let ty = ty.and_then(|ty| scalar_type(program, ty, offset));
            What::Scalar { offset, ty: ty.filter(|&ty| is_scalar(program, ty, scalar)) }
        }
        (Aspect::Part(Part::Cell { offset, .. }), Role::Object) => What::Target { offset },
        (Aspect::Part(Part::Cell { offset, .. }), Role::Offset) => What::TargetOffset { offset },
        (Aspect::Part(Part::Stream { start, key, element, .. }), _) => match element {
            Element::Type(element) => What::Elements { start, key, element },
            Element::Byte => What::Scalar { offset: start, ty: None },
        },
    };
    Some(Origin::Object { home, what })
}

impl Origin {
    /// The variable of the program that this is (part of), if there is one.
    pub fn variable(&self) -> Option<SymbolId> {
        match self {
            Origin::Object { home: Home::Variable(symbol), .. } => Some(*symbol),
            _ => None,
        }
    }

    /// A name for people.
    pub fn name(&self, program: &Program) -> String {
        let Origin::Object { home, what } = self else {
            return match self {
                Origin::Counter => "pc".to_owned(),
                _ => "address".to_owned(),
            };
        };
        match what {
            What::Scalar { offset, .. } => place_text(program, *home, *offset),
            What::Target { offset } => format!("object({})", place_text(program, *home, *offset)),
            What::TargetOffset { offset } => {
                format!("offset({})", place_text(program, *home, *offset))
            }
            What::Elements { start, key, .. } => {
                format!("{}[..+{key}]", place_text(program, *home, *start))
            }
            What::Live => format!("live({})", home_text(program, *home)),
            What::Size => format!("size({})", home_text(program, *home)),
        }
    }
}

/// The place of an object in words of C.
pub(crate) fn place_text(program: &Program, home: Home, offset: u64) -> String {
    let mut text = home_text(program, home);
    let Home::Variable(symbol) = home else {
        let _ = write!(text, "+{offset}");
        return text;
    };
    let Some(path) = path_text(program, program.symbols[symbol].ty, offset) else {
        let _ = write!(text, "+{offset}");
        return text;
    };
    text.push_str(&path);
    text
}

/// The members and indices that lead to the scalar at an offset of a type; `None` if no scalar begins there.
pub(crate) fn path_text(program: &Program, ty: TypeId, offset: u64) -> Option<String> {
    let mut text = String::new();
    let (_, rest) = walk(program, ty, offset, &mut |step| match step {
        Step::Member(name) => {
            let _ = write!(text, ".{name}");
        }
        Step::Element(index) => {
            let _ = write!(text, "[{index}]");
        }
    })?;
    (rest == 0).then_some(text)
}

/// The type of the scalar that begins at an offset of a type.
pub(crate) fn scalar_type(program: &Program, ty: TypeId, offset: u64) -> Option<TypeId> {
    let (ty, rest) = walk(program, ty, offset, &mut |_| {})?;
    (rest == 0).then_some(ty)
}

enum Step<'a> {
    Member(&'a str),
    Element(u64),
}

/// Goes down into members and elements; gives the scalar type there and how far into it the offset is.
fn walk(
    program: &Program,
    mut ty: TypeId,
    mut offset: u64,
    visit: &mut dyn FnMut(Step<'_>),
) -> Option<(TypeId, u64)> {
    loop {
        match program.types.get(ty) {
            Type::Struct(id) => {
                let structure = &program.types.structs[*id];
                let inside = |field: &&vergo_goto::types::Field| {
                    let size = program.size_of(field.ty).unwrap_or(0);
                    field.first_bit.is_none()
                        && field.offset <= offset
                        && offset < field.offset + size
                };
                let field = structure.fields.iter().find(inside)?;
                visit(Step::Member(&field.name));
                offset -= field.offset;
                ty = field.ty;
            }
            &Type::Array(element, _) => {
                let size = program.size_of(element).filter(|&size| size > 0)?;
                visit(Step::Element(offset / size));
                offset %= size;
                ty = element;
            }
            _ => return Some((ty, offset)),
        }
    }
}

fn is_scalar(program: &Program, ty: TypeId, scalar: Scalar) -> bool {
    match (program.types.get(ty), scalar) {
        (Type::Bool, Scalar::Bool) | (Type::Ptr(_), Scalar::Pointer) => true,
        (Type::Int { width, .. }, Scalar::Int(other)) => *width == other,
        (Type::Float(format), Scalar::Float(other)) => *format == other,
        _ => false,
    }
}

fn home_text(program: &Program, home: Home) -> String {
    match home {
        Home::Variable(symbol) => {
            let symbol = &program.symbols[symbol];
            let name = if symbol.display.is_empty() { &symbol.name } else { &symbol.display };
            name.clone()
        }
        Home::Allocation(at) => format!("allocated@{at}"),
    }
}

/// Where a position of the entry function is in the source.
pub(crate) fn span_at(program: &Program, at: usize) -> Span {
    let body = program.entry.and_then(|entry| program.functions[entry].body.as_deref());
    body.and_then(|body| body.get(at)).map_or(Span::DUMMY, |instr| instr.span)
}

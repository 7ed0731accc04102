//! The rules of types, and the sizes that the other rules ask for.

use super::Errors;
use crate::program::Program;
use crate::types::{StructId, Type, TypeId};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;

/// Sizes of all types; `None` where a type is not sized.
pub(super) type Sizes = SecondaryMap<TypeId, Option<u64>>;

/// Sizes of 2^63 and more are none.
const SIZE_LIMIT: u64 = 1 << 63;

/// The widest integer.
const MAX_WIDTH: u32 = 1 << 16;

pub(super) fn check(program: &Program, errors: &mut Errors) -> Sizes {
    let mut sizes = Sizes::new();
    // The part of an array type has a smaller number than the array, so one round in order suffices.
    for (id, ty) in program.types.iter() {
        sizes[id] = match ty {
            Type::Array(element, len) => sizes[*element].and_then(|size| size.checked_mul(*len)),
            _ => program.types.size_of(id, &program.machine),
        }
        .filter(|&size| size < SIZE_LIMIT);
        let value = |ty: TypeId| sizes[ty].is_some() || matches!(program.types.get(ty), Type::Bool);
        match ty {
            Type::Int { width, .. } if *width == 0 || *width > MAX_WIDTH => {
                errors.program(format!("an integer type is {width} bits wide"));
            }
            Type::Array(element, _) if element.as_u32() >= id.as_u32() => {
                errors.program(format!("the array type {id} is made of a later type"));
            }
            Type::Array(element, _) if sizes[*element].is_none() => {
                errors.program(format!("the elements of the array type {id} have no size"));
            }
            Type::Func(ret, params) => {
                let void = matches!(program.types.get(*ret), Type::Void);
                if !void && !value(*ret) || params.iter().any(|&p| !value(p)) {
                    // A later type may be a complete structure all the same.
                    let later = |t: TypeId| program.types.size_of(t, &program.machine).is_some();
                    if !void && !value(*ret) && !later(*ret)
                        || params.iter().any(|&p| !value(p) && !later(p))
                    {
                        errors.program(format!(
                            "the function type {id} has a result or parameter without a value"
                        ));
                    }
                }
            }
            _ => {}
        }
    }
    for structure in program.types.structs.values() {
        let name = &structure.name;
        if !structure.align.is_power_of_two() {
            errors.program(format!("the alignment of structure `{name}` is no power of two"));
        }
        if !structure.complete && !structure.fields.is_empty() {
            errors.program(format!("the incomplete structure `{name}` has members"));
        }
        let mut names = FxHashSet::default();
        for (i, field) in structure.fields.iter().enumerate() {
            if !names.insert(&field.name) {
                errors.program(format!("structure `{name}` has two members `{}`", field.name));
            }
            let inside = match (field.first_bit, program.types.get(field.ty)) {
                (Some(bit), Type::Int { width, .. }) => {
                    bit < 8
                        && (u64::from(bit) + u64::from(*width))
                            .div_ceil(8)
                            .checked_add(field.offset)
                            .is_some_and(|end| end <= structure.size)
                }
                (Some(_), _) => false,
                (None, _) => sizes[field.ty]
                    .and_then(|size| size.checked_add(field.offset))
                    .is_some_and(|end| end <= structure.size),
            };
            if !inside {
                errors.program(format!("member {i} of structure `{name}` has no place in it"));
            }
        }
    }
    check_containment(program, errors);
    sizes
}

/// No structure contains itself: a depth-first search over the members by value.
fn check_containment(program: &Program, errors: &mut Errors) {
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    enum Mark {
        #[default]
        New,
        Open,
        Done,
    }
    let contained = |mut ty: TypeId| -> Option<StructId> {
        loop {
            match program.types.get(ty) {
                Type::Array(element, _) => ty = *element,
                Type::Struct(id) => return Some(*id),
                _ => return None,
            }
        }
    };
    let mut marks: SecondaryMap<StructId, Mark> = SecondaryMap::new();
    for root in program.types.structs.keys() {
        if marks[root] != Mark::New {
            continue;
        }
        marks[root] = Mark::Open;
        let mut stack = vec![(root, 0usize)];
        while let Some((id, next)) = stack.pop() {
            let Some(field) = program.types.structs[id].fields.get(next) else {
                marks[id] = Mark::Done;
                continue;
            };
            stack.push((id, next + 1));
            if let Some(inner) = contained(field.ty) {
                match marks[inner] {
                    Mark::New => {
                        marks[inner] = Mark::Open;
                        stack.push((inner, 0));
                    }
                    Mark::Open => {
                        let name = &program.types.structs[inner].name;
                        errors.program(format!("structure `{name}` contains itself"));
                        return;
                    }
                    Mark::Done => {}
                }
            }
        }
    }
}

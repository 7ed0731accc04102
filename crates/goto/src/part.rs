//! Parts of objects by the names that C has for them: the bytes at offset 12 of an object are its `[1].next`.

use crate::program::Program;
use crate::types::{Field, Type, TypeId};
use std::fmt::Write as _;

impl Program {
    /// The part that begins at an offset into an object of a type, as what follows the object's name, and the bytes by which
    /// it misses the offset. What ends an array is the element behind its last one, unless something else begins there that
    /// is not of another type than the one that is `wanted`.
    pub fn part_at(
        &self,
        mut ty: TypeId,
        mut offset: u64,
        wanted: Option<TypeId>,
    ) -> (String, u64) {
        let mut path = String::new();
        while offset > 0 {
            match *self.types.get(ty) {
                Type::Array(element, _) => {
                    let Some(step) = self.size_of(element).filter(|step| *step > 0) else { break };
                    let _ = write!(path, "[{}]", offset / step);
                    (ty, offset) = (element, offset % step);
                }
                Type::Struct(id) => {
                    let record = &self.types.structs[id];
                    let size = |field: &Field| self.size_of(field.ty).unwrap_or(0);
                    let around = record.fields.iter().find(|field| {
                        field.offset <= offset && offset - field.offset < size(field)
                    });
                    let is_other = wanted.is_some_and(|wanted| {
                        around.is_none_or(|field| field.offset == offset && field.ty != wanted)
                    });
                    let before = record.fields.iter().find(|field| {
                        let element = match *self.types.get(field.ty) {
                            Type::Array(element, _) => Some(element),
                            _ => None,
                        };
                        element.is_some()
                            && element == wanted
                            && field.offset + size(field) == offset
                    });
                    // Members of a union share their bytes, and a member without a name has none to be called by.
                    let field = before.filter(|_| is_other).or(around).filter(|field| {
                        !record.union && field.first_bit.is_none() && is_name(&field.name)
                    });
                    let Some(field) = field else { break };
                    let _ = write!(path, ".{}", field.name);
                    (ty, offset) = (field.ty, offset - field.offset);
                }
                _ => break,
            }
        }
        (path, offset)
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Machine, StructType};

    #[test]
    fn offsets_lead_to_parts() {
        let mut program = Program::new(Machine::LP64);
        let (byte, int) = (program.types.int(true, 8), program.types.int(true, 32));
        let field = |name: &str, ty, offset| {
            let name = name.to_owned();
            Field { name, ty, offset, first_bit: None }
        };
        let row = program.types.intern(Type::Array(int, 2));
        let rows = program.types.intern(Type::Array(row, 3));
        let shape = program.add_struct(StructType {
            name: "shape".to_owned(),
            union: false,
            fields: vec![field("tag", byte, 0), field("rows", rows, 4)],
            size: 28,
            align: 4,
            complete: true,
        });
        let shape = program.types.intern(Type::Struct(shape));
        let shapes = program.types.intern(Type::Array(shape, 2));
        for (offset, path, rest) in [
            (0, "", 0),
            (4, "[0].rows", 0),
            (8, "[0].rows[0][1]", 0),
            (12, "[0].rows[1]", 0),
            (13, "[0].rows[1][0]", 1),
            (2, "[0]", 2),
            (28, "[1]", 0),
            (56, "[2]", 0),
        ] {
            assert_eq!(program.part_at(shapes, offset, None), (path.to_owned(), rest));
        }
        // A pointer behind the last row is none to the next shape.
        assert_eq!(program.part_at(shapes, 28, Some(shape)), ("[1]".to_owned(), 0));
        let pair = program.add_struct(StructType {
            name: "pair".to_owned(),
            union: false,
            fields: vec![field("row", row, 0), field("n", byte, 8), field("m", int, 12)],
            size: 16,
            align: 4,
            complete: true,
        });
        let pair = program.types.intern(Type::Struct(pair));
        assert_eq!(program.part_at(pair, 8, Some(int)), (".row[2]".to_owned(), 0));
        assert_eq!(program.part_at(pair, 8, Some(byte)), (".n".to_owned(), 0));
        assert_eq!(program.part_at(pair, 8, None), (".n".to_owned(), 0));
        assert_eq!(program.part_at(pair, 12, Some(int)), (".m".to_owned(), 0));
    }
}

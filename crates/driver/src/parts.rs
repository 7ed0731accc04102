//! Values of structures and arrays, taken apart: what `{.x = 1, .y = {2, 3}}` says of `.x`, `.y[0]` and `.y[1]`.

use vergo_goto::program::Program;
use vergo_goto::types::{Type, TypeId};

use crate::recording::c_type;

/// A part of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The text after the name of the whole: `.x`, `[2].y`.
    pub path: String,
    /// Its type as C.
    pub ty: String,
    /// Its value.
    pub value: String,
}

/// The parts that the text of a value tells, outer ones before inner ones; none of what has no parts.
pub(crate) fn parts(program: &Program, ty: TypeId, text: &str) -> Vec<Part> {
    let mut found = Vec::new();
    take_apart(program, ty, text, "", &mut found);
    found
}

fn take_apart(program: &Program, ty: TypeId, text: &str, path: &str, out: &mut Vec<Part>) {
    let mut add = |path: String, ty: TypeId, text: &str| {
        let value = text.to_owned();
        out.push(Part { path: path.clone(), ty: c_type(program, ty), value });
        take_apart(program, ty, text, &path, out);
    };
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    match (program.types.get(ty), inner) {
        (Type::Struct(id), Some(inner)) => {
            for piece in pieces(inner) {
                let named = piece.strip_prefix('.').and_then(|piece| piece.split_once(" = "));
                let Some((name, value)) = named else { continue };
                let fields = program.types.structs[*id].fields.iter();
                for field in fields.filter(|field| field.name == name) {
                    add(format!("{path}.{name}"), field.ty, value);
                }
            }
        }
        (Type::Array(element, _), Some(inner)) => {
            let known = pieces(inner).into_iter().take_while(|piece| *piece != "...");
            for (i, piece) in known.enumerate() {
                add(format!("{path}[{i}]"), *element, piece);
            }
        }
        (Type::Array(element, _), None) => {
            for (i, byte) in letters(text).iter().enumerate() {
                add(format!("{path}[{i}]"), *element, &byte.to_string());
            }
        }
        _ => {}
    }
}

/// The characters of a text in quotes, and what ends it; none if it is not all there.
fn letters(text: &str) -> Vec<u8> {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let Some(inner) = inner.filter(|inner| !inner.ends_with("...")) else { return Vec::new() };
    let mut found = Vec::new();
    let mut bytes = inner.bytes();
    while let Some(byte) = bytes.next() {
        found.push(match byte {
            b'\\' => match bytes.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(escaped) => escaped,
                None => return Vec::new(),
            },
            byte => byte,
        });
    }
    found.push(0);
    found
}

/// Splits a text at commas, but for those in braces and quotes.
fn pieces(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted, mut is_escaped) = (0usize, false, false);
    let mut found = Vec::new();
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        found.push(text[start..].trim());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::types::{Field, Machine, StructType};

    #[test]
    fn values_are_taken_apart() {
        assert_eq!(
            pieces("1, {2, 3}, \"a, \\\"}b\", ..."),
            ["1", "{2, 3}", "\"a, \\\"}b\"", "..."]
        );
        assert!(pieces("").is_empty());
        let mut program = Program::new(Machine::LP64);
        let (byte, int) = (program.types.int(true, 8), program.types.int(true, 32));
        let (row, name) =
            (program.types.intern(Type::Array(int, 9)), program.types.intern(Type::Array(byte, 4)));
        let field =
            |name: &str, ty, offset| Field { name: name.to_owned(), ty, offset, first_bit: None };
        let id = program.add_struct(StructType {
            name: "s".to_owned(),
            union: false,
            fields: vec![field("row", row, 0), field("name", name, 36)],
            size: 40,
            align: 4,
            complete: true,
        });
        let ty = program.types.intern(Type::Struct(id));
        let told = |text: &str| -> Vec<String> {
            let parts = parts(&program, ty, text);
            parts.iter().map(|part| format!("{} {}: {}", part.path, part.ty, part.value)).collect()
        };
        assert_eq!(
            told("{.row = {1, -2, ...}, .name = \"a\\n\"}"),
            [
                ".row int[9]: {1, -2, ...}",
                ".row[0] int: 1",
                ".row[1] int: -2",
                ".name char[4]: \"a\\n\"",
                ".name[0] char: 97",
                ".name[1] char: 10",
                ".name[2] char: 0",
            ]
        );
        for nothing in ["", "{", "12", "{.other = 1}", "{00 01}", "..."] {
            assert!(told(nothing).is_empty(), "{nothing}");
        }
    }
}

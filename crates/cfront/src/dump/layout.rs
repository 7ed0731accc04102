//! The layout of structures and unions: where each member is, and what lies between them.

use crate::hir::Unit;
use crate::layout::size_of;
use crate::typename;
use crate::types::{Field, Record, RecordKind};
use std::fmt::Write;

/// All structures and unions that are defined, in order, each with the offset and size of its members, holes and
/// padding. Bit-fields have their first bit and width.
pub fn layout(unit: &Unit) -> String {
    let mut out = String::new();
    for record in unit.types.records.values() {
        if let Some(fields) = &record.fields {
            if !out.is_empty() {
                out.push('\n');
            }
            write_record(unit, record, fields, &mut out);
        }
    }
    out
}

fn write_record(unit: &Unit, record: &Record, fields: &[Field], out: &mut String) {
    let kind = if record.kind == RecordKind::Struct { "struct" } else { "union" };
    let tag = record.tag.map_or("<anonymous>", |tag| unit.names.name(tag));
    let packed = if record.packed { ", packed" } else { "" };
    let _ =
        writeln!(out, "{kind} {tag} {{ // size {}, align {}{packed}", record.size, record.align);
    // The first bit that no member has taken.
    let mut end: u64 = 0;
    for field in fields {
        let first = field.offset * 8 + field.bits.map_or(0, |bits| u64::from(bits.first_bit));
        let width = match field.bits {
            Some(bits) => u64::from(bits.width),
            None => size_of(&unit.types, &unit.target, field.ty).unwrap_or(0).saturating_mul(8),
        };
        if record.kind == RecordKind::Struct && first > end {
            hole(end, first, "hole", out);
        }
        let name = field.name.map_or("", |name| unit.names.name(name));
        let text = typename::declaration(&unit.types, &unit.names, field.ty, name);
        let _ = match field.bits {
            Some(bits) => {
                let place = format!("{}:{}", field.offset, bits.first_bit);
                writeln!(
                    out,
                    "    {:<40} // {place:>6} {:>6} bits",
                    format!("{text} : {};", bits.width),
                    bits.width
                )
            }
            None => writeln!(
                out,
                "    {:<40} // {:>6} {:>6}",
                format!("{text};"),
                field.offset,
                width / 8
            ),
        };
        end = if record.kind == RecordKind::Struct {
            end.max(first.saturating_add(width))
        } else {
            end.max(width)
        };
    }
    if record.size * 8 > end {
        hole(end, record.size * 8, "padding", out);
    }
    out.push_str("};\n");
}

fn hole(from: u64, to: u64, what: &str, out: &mut String) {
    let bits = to - from;
    let _ = if bits.is_multiple_of(8) {
        writeln!(
            out,
            "    {:<40} // {:>6} {:>6}",
            format!("/* {what} */"),
            from.div_ceil(8),
            bits / 8
        )
    } else {
        let place = format!("{}:{}", from / 8, from % 8);
        writeln!(out, "    {:<40} // {place:>6} {bits:>6} bits", format!("/* {what} */"))
    };
}

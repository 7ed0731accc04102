//! Layouts of generated structs and unions equal those of the host's compiler.
//!
//! The host answers the queries of [`Records`]; its answers become static assertions, which the
//! front end evaluates by its own layout. The places of bit-fields have no expression in C: they
//! are compared with the members of the typed tree.

use std::time::Duration;

use vergo_cfront::hir::Unit;
use vergo_cfront::types::Record;
use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Input, Job};
use vergo_source::Renderer;
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::host_c::{HostC, Scratch};
use vergo_testkit::records::{Options, Query, Records};

fn check(gcc: &HostC, model: DataModel, seed: u64) {
    let wide = model == DataModel::Lp64;
    let options = Options { n_records: 60, bit_fields: true, attributes: true, wide };
    let records = Records::generate(seed, options);
    let folder = Scratch::new("layouts").unwrap();
    let program = records.probe_program();
    let limit = Duration::from_secs(10);
    let answers = gcc.run_text(&folder, &program, &["-w"], limit).unwrap();
    assert!(answers.success(), "{}", answers.stderr_text());
    let mut text = records.definitions.clone();
    for (query, answer) in records.queries.iter().zip(answers.stdout_text().lines()) {
        text.push_str(&match query {
            Query::Size(name) => format!("_Static_assert(sizeof({name}) == {answer}, \"\");\n"),
            Query::Align(name) => format!("_Static_assert(_Alignof({name}) == {answer}, \"\");\n"),
            Query::Offset(name, member) => {
                let offset = format!("__builtin_offsetof({name}, {member})");
                format!("_Static_assert({offset} == {answer}, \"\");\n")
            }
            Query::BitField(..) => continue,
        });
    }
    let mut job = Job::new(model, CppOptions::default());
    let input = Input::Text { name: format!("layouts-{seed}.c"), text: text.into() };
    let Ok(unit) = job.analyze(&input) else {
        let messages = Renderer::plain().render_all(&job.map, &job.diagnostics);
        panic!("{model:?}, seed {seed}:\n{messages}");
    };
    for (query, answer) in records.queries.iter().zip(answers.stdout_text().lines()) {
        if let Query::BitField(name, path) = query {
            let place =
                bit_field(&unit, name, path).map(|(first, width)| format!("{first} {width}"));
            assert_eq!(place.as_deref(), Some(answer), "{model:?}, seed {seed}: {name} {path}");
        }
    }
}

/// The first bit and the width of a bit-field, by the type's name and the path to the member.
fn bit_field(unit: &Unit, name: &str, path: &str) -> Option<(u64, u32)> {
    let tag = name.split(' ').nth(1)?;
    let record = unit.types.records.values().find(|record| {
        record.fields.is_some() && record.tag.is_some_and(|symbol| unit.names.name(symbol) == tag)
    })?;
    let names: Vec<&str> = path.split('.').collect();
    find(unit, record, &names)
}

/// Follows a path; the members of anonymous members belong to the record around them.
fn find(unit: &Unit, record: &Record, path: &[&str]) -> Option<(u64, u32)> {
    let (first, rest) = path.split_first()?;
    for field in record.fields.as_ref()? {
        let inner = unit.types.record(field.ty).map(|id| &unit.types.records[id]);
        let found = match (field.name.map(|symbol| unit.names.name(symbol)), &field.bits) {
            (Some(name), Some(bits)) if name == *first && rest.is_empty() => {
                Some((u64::from(bits.first_bit), bits.width))
            }
            (Some(name), None) if name == *first => find(unit, inner?, rest),
            (None, None) => inner.and_then(|inner| find(unit, inner, path)),
            _ => None,
        };
        if let Some((bit, width)) = found {
            return Some((field.offset * 8 + bit, width));
        }
    }
    None
}

fn check_all(gcc: &HostC, model: DataModel) {
    let n_seeds = if slow() { 200 } else { 8 };
    for seed in 0..n_seeds {
        check(gcc, model, seed);
    }
}

#[test]
fn lp64_layouts_are_those_of_the_host() {
    let Some(gcc) = HostC::find() else {
        return skip("lp64_layouts_are_those_of_the_host", "there is no gcc");
    };
    check_all(&gcc.option("-m64"), DataModel::Lp64);
}

#[test]
fn ilp32_layouts_are_those_of_the_host() {
    let Some(gcc) = HostC::find().and_then(|gcc| gcc.for_32_bits()) else {
        return skip("ilp32_layouts_are_those_of_the_host", "there is no gcc -m32");
    };
    check_all(&gcc, DataModel::Ilp32);
}

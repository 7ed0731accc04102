//! Layouts of generated structs and unions equal those of the host's compiler.
//!
//! The host answers the queries of [`Records`]; its answers become static assertions, which the
//! front end evaluates by its own layout. The places of bit-fields have no expression in C: they
//! are compared with the members of the typed tree.

use std::time::Duration;

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
    if job.analyze(&input).is_err() {
        let messages = Renderer::plain().render_all(&job.map, &job.diagnostics);
        panic!("{model:?}, seed {seed}:\n{messages}");
    }
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

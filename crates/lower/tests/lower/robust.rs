//! Damaged programs that are still C lower to well-formed programs, on both machines; nothing panics.

use crate::{check, lower};
use vergo_cfront::target::DataModel;
use vergo_lower::Options;
use vergo_testkit::environment;
use vergo_testkit::mutate::Mutator;

#[test]
fn damaged_programs_lower_or_are_rejected() {
    let texts: Vec<Vec<u8>> = crate::behaviour::programs()
        .iter()
        .map(|path| std::fs::read(path).expect("a file of the corpus"))
        .collect();
    let seeds: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    let count = if environment::slow() { 20_000 } else { 400 };
    let mut mutator = Mutator::new(7);
    for n in 0..count {
        let text = mutator.next(&seeds);
        let model = if n % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let Ok(program) = lower("damaged.c", &text, model, &Options::default()) else { continue };
        if let Err(error) = check(&program) {
            panic!("input {n}: {error}\n{}", String::from_utf8_lossy(&text));
        }
    }
}

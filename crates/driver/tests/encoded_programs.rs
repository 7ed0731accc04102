//! The programs of the external collection that have loops, as transition systems: how many there are, what stands in
//! the way of the others, and how long it takes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use vergo_driver::preprocess::CppOptions;
use vergo_driver::{DataModel, Input, Job, Specification};
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::CHECK;
use vergo_term::TermStore;
use vergo_testkit::environment::{shared_or_skip, skip, slow};
use vergo_ts::{Options, encode};

#[test]
fn programs_with_loops_are_encoded() {
    let name = "programs_with_loops_are_encoded";
    let Some(shared) = shared_or_skip(name) else { return };
    if !slow() {
        return skip(name, "it is slow");
    }
    let folder = shared.join("bench");
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).unwrap();
    let mut n_programs = 0;
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut times: Vec<(Duration, String)> = Vec::new();
    for line in manifest.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [file, property, _, model, _, features] = fields[..] else { continue };
        if !features.split('|').any(|feature| feature == "loops") {
            continue;
        }
        let Some(Specification::Claims(names)) = Specification::from_name(property) else { continue };
        let model = if model == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut job = Job::new(model, CppOptions::default());
        let Ok(mut program) = job.load_program(&[Input::File(folder.join(file))], None) else {
            reasons.entry("rejected".to_owned()).or_default().push(file.to_owned());
            continue;
        };
        let properties = names.iter().map(|(property, _)| *property).collect();
        let options = vergo_passes::Options { properties, ..Default::default() };
        run_passes(&mut program, CHECK.passes, &options, Verify::InDebug, &mut |_| {}).unwrap();
        n_programs += 1;
        let start = Instant::now();
        let stop = || start.elapsed() > Duration::from_secs(10);
        let mut store = TermStore::new();
        let answer = encode(&program, &mut store, &Options { stop: &stop, ..Options::default() });
        let time = start.elapsed();
        match answer {
            Ok(encoded) => {
                assert_eq!(encoded.system.verify(&store), Ok(()), "{file}");
                let figures = encoded.statistics;
                times.push((time, format!("{file} {property} {} terms {figures:?}", store.len())));
            }
            Err(reason) => {
                let entry = reasons.entry(reason.reason).or_default();
                entry.push(format!("{file} {property} ({time:.1?})"));
            }
        }
    }
    times.sort();
    let n_encoded = times.len();
    let quantile = |q: usize| times.get(n_encoded * q / 100).map(|(time, _)| *time);
    println!("{n_encoded} of {n_programs} encoded");
    println!("median {:?}, 90 % within {:?}", quantile(50), quantile(90));
    for (time, what) in times.iter().rev().take(12) {
        println!("  {time:.1?} {what}");
    }
    for (reason, files) in &reasons {
        println!("{:4} {reason}", files.len());
        files.iter().take(6).for_each(|file| println!("       {file}"));
    }
    assert!(n_encoded * 2 > n_programs, "only {n_encoded} of {n_programs}");
}

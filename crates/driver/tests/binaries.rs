//! Goto binaries of other tools: their verdicts are ours.

use std::path::Path;
use std::time::Duration;

use vergo_driver::{
    Answer, BinaryFormat, CheckRequest, Input, Job, Specification, check, transcode,
};

fn verdict_of(input: Input, entry: Option<&str>) -> Option<bool> {
    let name = input.name();
    let mut job = Job::default();
    let request = CheckRequest {
        specification: Specification::standard_for(std::slice::from_ref(&input)),
        timeout: Some(Duration::from_secs(20)),
        entry: entry.map(str::to_owned),
        ..CheckRequest::default()
    };
    let report = check(&mut job, &[input], &request, &|_| {});
    match report.unwrap_or_else(|e| panic!("{name}: {e:?}")).answer {
        Answer::True => Some(true),
        Answer::False(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn verdicts_are_those_that_are_expected() {
    let Some(shared) = vergo_testkit::environment::shared_or_skip("goto binaries") else { return };
    let folder = shared.join("gbf/kani-and-cbmc");
    let (mut n, mut n_same) = (0, 0);
    let mut unknown = Vec::new();
    for (file, entry, expected) in expectations(&folder) {
        let verdict = verdict_of(Input::File(folder.join(&file)), entry.as_deref());
        n += 1;
        match verdict {
            Some(verdict) => {
                assert_eq!(verdict, expected, "{file}");
                n_same += 1;
            }
            None => unknown.push(file),
        }
    }
    assert!(n_same * 100 >= n * 95, "{n_same} of {n}; unknown: {unknown:?}");
}

/// The rows of the table of expectations: file, entry, expected verdict.
fn expectations(folder: &Path) -> Vec<(String, Option<String>, bool)> {
    let table = std::fs::read_to_string(folder.join("expected.csv")).unwrap();
    let rows = table.lines().skip(1).map(|row| {
        let fields: Vec<&str> = row.split(',').collect();
        let [_, file, flags, expected] = fields[..] else { panic!("{row}") };
        let mut flags = flags.split(' ');
        let entry = flags.find(|f| *f == "--function").and_then(|_| flags.next());
        (file.to_owned(), entry.map(str::to_owned), expected == "SUCCESSFUL")
    });
    rows.collect()
}

#[test]
fn translation_keeps_verdicts() {
    let Some(shared) = vergo_testkit::environment::shared_or_skip("translated binaries") else {
        return;
    };
    let folder = shared.join("gbf/kani-and-cbmc");
    let step = if vergo_testkit::environment::slow() { 1 } else { 5 };
    for (file, entry, expected) in expectations(&folder).into_iter().step_by(step) {
        let mut input = Input::File(folder.join(&file));
        let original = verdict_of(input.clone(), entry.as_deref());
        for to in [BinaryFormat::Esbmc, BinaryFormat::Cbmc] {
            let text = transcode(&mut Job::default(), &input, to, false).unwrap();
            input = Input::Text { name: file.clone(), text };
            let verdict = verdict_of(input.clone(), entry.as_deref());
            assert!(verdict.is_none_or(|v| v == expected), "{file} as {to:?}: wrong");
            assert!(original.is_none() || verdict == original, "{file} as {to:?}: {verdict:?}");
        }
    }
}

#[test]
fn damaged_binaries_are_refused_with_the_byte() {
    for (text, at) in [(&b"\x7fGBF\x06\x01"[..], "at byte 6"), (b"GBF\0\0\0\x09", "at byte 3")] {
        let input = Input::Text { name: "x.gb".to_owned(), text: text.to_owned() };
        let mut job = Job::default();
        let request = CheckRequest::default();
        assert!(check(&mut job, &[input], &request, &|_| {}).is_err());
        let said: Vec<String> = job.diagnostics.iter().map(|d| d.message.clone()).collect();
        assert!(said.iter().any(|m| m.contains(at)), "{said:?}");
    }
}

//! Goto binaries of other tools: their verdicts are ours.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use vergo_driver::{
    Answer, BinaryFormat, CheckRequest, ClaimStatus, Input, Job, Specification, check, transcode,
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

/// Returns the results for the claims of a program: by line and property, whether all hold.
fn claims(input: Input) -> Option<BTreeMap<(u32, String), bool>> {
    let mut job = Job::default();
    let specification = Specification::standard_for(&[Input::Text {
        name: "binary.gb".to_owned(),
        text: b"\x7fGBF".to_vec(),
    }]);
    let timeout = Some(Duration::from_secs(20));
    let request = CheckRequest { specification, timeout, ..CheckRequest::default() };
    let report = check(&mut job, &[input], &request, &|_| {}).ok()?;
    let mut found = BTreeMap::new();
    for claim in report.claims.iter().filter(|claim| !claim.site.library) {
        let line = job.map.presumed(claim.site.span.lo).line;
        let holds = match claim.status {
            ClaimStatus::Holds => true,
            ClaimStatus::Violated(_) => false,
            _ => continue,
        };
        let all = found.entry((line, claim.site.claim.property.clone())).or_insert(true);
        *all &= holds;
    }
    Some(found)
}

#[test]
fn claims_are_those_of_the_c_files() {
    let Some(shared) = vergo_testkit::environment::shared_or_skip("claims of binaries") else {
        return;
    };
    let folder = shared.join("gbf/cbmc");
    let (mut n_files, mut differences) = (0, Vec::new());
    for entry in std::fs::read_dir(&folder).unwrap() {
        let binary = entry.unwrap().path();
        let source = binary.with_extension("c");
        if binary.extension().is_none_or(|e| e != "gb") || !source.is_file() {
            continue;
        }
        let name = binary.file_stem().unwrap().to_string_lossy().into_owned();
        let theirs = claims(Input::File(binary)).unwrap_or_else(|| panic!("{name}"));
        let ours = claims(Input::File(source)).unwrap_or_else(|| panic!("{name}.c"));
        n_files += 1;
        for place in ours.keys().chain(theirs.keys()) {
            let (in_c, in_binary) = (ours.get(place), theirs.get(place));
            if in_c != in_binary {
                differences
                    .push(format!("{name} {place:?}: {in_c:?} in C, {in_binary:?} in the binary"));
            }
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
    assert_eq!(n_files, 45);
}

/// A construct for which another dialect has no words stops a translation, or is listed and left out.
#[test]
fn what_a_dialect_lacks_is_named() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/instructions");
    let input = Input::File(root.join("spawn.cbmc"));
    let said = |job: &Job| job.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>();
    let mut job = Job::default();
    assert!(transcode(&mut job, &input, BinaryFormat::Esbmc, false).is_err());
    assert_eq!(
        said(&job),
        ["ESBMC's format cannot express the instruction START_THREAD in `main` at spawn.goto:16"]
    );
    let mut job = Job::default();
    assert!(transcode(&mut job, &input, BinaryFormat::Esbmc, true).is_ok());
    assert_eq!(
        said(&job),
        [
            "left out: the instruction START_THREAD in `main` at spawn.goto:16",
            "left out: the instruction END_THREAD in `main` at spawn.goto:16"
        ]
    );
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

//! Goto binaries of other tools: their verdicts are ours.

use std::path::Path;
use std::time::Duration;

use vergo_driver::{Answer, CheckRequest, Input, Job, Specification, check};

/// What the tool that made the expectations checks.
const PROPERTIES: &str = "user.assert,memory.bounds,memory.null,memory.lifetime,memory.index,\
    memory.double-free,memory.invalid-free,arith.division-by-zero,reach.error";

fn verdict(file: &Path, entry: Option<&str>) -> Option<bool> {
    let mut job = Job::default();
    let request = CheckRequest {
        specification: Specification::from_name(PROPERTIES).unwrap(),
        timeout: Some(Duration::from_secs(20)),
        entry: entry.map(str::to_owned),
        ..CheckRequest::default()
    };
    let report = check(&mut job, &[Input::File(file.to_owned())], &request, &|_| {});
    match report.unwrap_or_else(|e| panic!("{}: {e:?}", file.display())).answer {
        Answer::True => Some(true),
        Answer::False(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn verdicts_are_those_that_are_expected() {
    let Some(shared) = vergo_testkit::environment::shared_or_skip("goto binaries") else { return };
    let folder = shared.join("gbf/kani-and-cbmc");
    let table = std::fs::read_to_string(folder.join("expected.csv")).unwrap();
    let (mut n, mut n_same) = (0, 0);
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [_, file, flags, expected] = fields[..] else { panic!("{row}") };
        let mut flags = flags.split(' ');
        let entry = flags.find(|f| *f == "--function").and_then(|_| flags.next());
        let verdict = verdict(&folder.join(file), entry);
        n += 1;
        match verdict {
            Some(verdict) => {
                assert_eq!(verdict, expected == "SUCCESSFUL", "{file}");
                n_same += 1;
            }
            None => eprintln!("unknown: {file}"),
        }
    }
    assert!(n_same * 100 >= n * 95, "{n_same} of {n}");
}

//! Witnesses read back as they were written, and flaws are found with their place.

use super::*;

fn metadata() -> Metadata {
    Metadata {
        creation_time: iso_8601(1_700_000_000),
        producer: "Vergo".to_owned(),
        version: "0.1.0".to_owned(),
        files: vec![("a.c".to_owned(), "0".repeat(64))],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
        data_model: "LP64".to_owned(),
    }
}

fn place(line: u32) -> Place {
    Place { file: "a.c".to_owned(), line, column: 3, function: Some("main".to_owned()) }
}

fn target(line: u32) -> Vec<Waypoint> {
    vec![Waypoint::follow(WaypointKind::Target, place(line))]
}

fn violation(segments: Vec<Vec<Waypoint>>) -> Witness {
    Witness { metadata: metadata(), content: Content::Violation(segments) }
}

#[test]
fn moments() {
    assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
    assert_eq!(iso_8601(951_782_399), "2000-02-28T23:59:59Z");
    assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
    assert_eq!(iso_8601(4_102_444_800), "2100-01-01T00:00:00Z");
    assert_eq!(iso_8601(1_700_000_000), "2023-11-14T22:13:20Z");
}

#[test]
fn violation_witnesses_read_back() {
    let avoided = Waypoint {
        kind: WaypointKind::Branching("false".to_owned()),
        action: Action::Avoid,
        place: Place { column: 0, function: None, ..place(3) },
    };
    let follow = |kind| Waypoint::follow(kind, place(2));
    let witness = violation(vec![
        vec![follow(WaypointKind::FunctionReturn("\\result == -3".to_owned()))],
        vec![avoided, follow(WaypointKind::Assumption("x < 3 && \"q\"[0]".to_owned()))],
        vec![follow(WaypointKind::FunctionEnter)],
        target(5),
    ]);
    assert_eq!(read(&witness.print()), Ok(witness));
}

#[test]
fn correctness_witnesses_read_back() {
    let invariant =
        |kind| Invariant { kind, place: place(4), value: "x <= 10 && y == \"q\"[0]".to_owned() };
    for invariants in
        [vec![invariant(InvariantKind::Loop), invariant(InvariantKind::Location)], Vec::new()]
    {
        let content = Content::Correctness(invariants);
        let witness = Witness { metadata: metadata(), content };
        assert_eq!(read(&witness.print()), Ok(witness));
    }
}

#[test]
fn identity_depends_on_the_content_alone() {
    let uuid = |witness: &Witness| {
        let text = witness.print();
        text.lines().find(|line| line.contains("uuid")).map(str::to_owned)
    };
    let first = violation(vec![target(5)]);
    let mut later = first.clone();
    later.metadata.creation_time = iso_8601(1_700_000_001);
    assert_eq!(uuid(&first), uuid(&later));
    assert_ne!(uuid(&first), uuid(&violation(vec![target(6)])));
}

#[test]
fn flaws_are_found() {
    let good = violation(vec![target(5)]).print();
    assert!(read(&good).is_ok());
    for (from, to, path) in [
        ("\"2.0\"", "\"1.0\"", "[0].metadata.format_version"),
        ("\"target\"", "\"assumption\"", "[0].content[0].segment[0].waypoint"),
        ("\"follow\"", "\"avoid\"", "[0].content[0].segment[0].waypoint.action"),
        ("\"follow\"", "\"cycle\"", "[0].content[0].segment[0].waypoint.action"),
        ("LP64", "LP65", "[0].metadata.task.data_model"),
        ("line: 5", "line: 0", "[0].content[0].segment[0].waypoint.location.line"),
        ("\"a.c\":", "\"b.c\":", "[0].metadata.task.input_file_hashes"),
        ("uuid: \"", "uuid: \"x", "[0].metadata.uuid"),
        ("violation_sequence", "violation", "[0].entry_type"),
        ("violation_sequence", "ghost_instrumentation", "[0].entry_type"),
    ] {
        assert_ne!(good.replace(from, to), good, "{from}");
        let flaw = read(&good.replace(from, to)).expect_err(from);
        assert_eq!(flaw.path, path, "{from} -> {to}: {flaw}");
    }
    assert!(read("").is_err());
    assert!(read("- {}").is_err());
}

#[test]
fn malformed_yaml_has_a_line_and_graphml_a_name() {
    let flaw = read("- entry_type: [\n  metadata: }\n").expect_err("it is no YAML");
    assert!(flaw.message.contains("line"), "{flaw}");
    let flaw = read("<?xml version=\"1.0\"?>\n<graphml/>\n").expect_err("it is no YAML");
    assert!(flaw.message.contains("GraphML"), "{flaw}");
}

#[test]
fn damaged_witnesses_are_read_or_have_a_flaw() {
    let follow = |kind| Waypoint::follow(kind, place(2));
    let seeds = [
        violation(vec![
            vec![follow(WaypointKind::FunctionReturn("\\result == -3".to_owned()))],
            target(5),
        ])
        .print(),
        Witness {
            metadata: metadata(),
            content: Content::Correctness(vec![Invariant {
                kind: InvariantKind::Loop,
                place: place(4),
                value: "x <= 10".to_owned(),
            }]),
        }
        .print(),
    ];
    let seeds: Vec<&[u8]> = seeds.iter().map(String::as_bytes).collect();
    let mut mutator = vergo_testkit::mutate::Mutator::new(7);
    let mut n_read = 0;
    for _ in 0..if vergo_testkit::environment::slow() { 100_000 } else { 2000 } {
        let text = mutator.next(&seeds);
        if let Ok(witness) = read(&String::from_utf8_lossy(&text)) {
            n_read += 1;
            assert_eq!(read(&witness.print()), Ok(witness));
        }
    }
    assert!(n_read > 10, "{n_read} are still witnesses");
}

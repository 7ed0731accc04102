//! Positions, line markers and originals, as a user sees them.

use vergo_source::{MarkerFlags, SourceMap, Span};

fn at(map: &SourceMap, pos: u32) -> String {
    map.presumed(pos).to_string()
}

#[test]
fn files_share_one_address_space() {
    let mut map = SourceMap::new();
    let a = map.add("a.c", "x\ny").unwrap();
    let empty = map.add("empty.c", "").unwrap();
    let b = map.add("b.c", "z\n").unwrap();
    let (a_span, b_span) = (map.file_span(a), map.file_span(b));
    assert_eq!(at(&map, a_span.lo), "a.c:1:1");
    assert_eq!(at(&map, a_span.lo + 1), "a.c:1:2");
    assert_eq!(at(&map, a_span.lo + 2), "a.c:2:1");
    assert_eq!(at(&map, a_span.hi), "a.c:2:2", "the end of a file is its own");
    assert_eq!(at(&map, map.file_span(empty).lo), "empty.c:1:1");
    assert_eq!(at(&map, b_span.lo), "b.c:1:1");
    assert_eq!(at(&map, b_span.hi), "b.c:2:1");
    assert_eq!(at(&map, b_span.hi + 1), "<unknown>");
    assert_eq!(at(&map, 0), "<unknown>");
    assert_eq!(at(&map, u32::MAX), "<unknown>");
    assert_eq!(map.span_text(a_span), b"x\ny");
    assert_eq!(map.span_text(a_span.to(b_span)), b"x\ny", "cut at the end of the first file");
    assert_eq!(map.span_text(Span::DUMMY), b"");
    assert_eq!(map.files().len(), 3);
}

#[test]
fn columns_count_characters_of_any_bytes() {
    let mut map = SourceMap::new();
    let file = map.add("u.c", "\"äö\" x\r\n").unwrap();
    let lo = map.file_span(file).lo;
    assert_eq!(at(&map, lo + 7), "u.c:1:6");
    let mut bytes = SourceMap::new();
    let file = bytes.add("b.c", b"\xff\xfe y\r\n z".to_vec()).unwrap();
    let lo = bytes.file_span(file).lo;
    assert_eq!(at(&bytes, lo + 3), "b.c:1:4");
    assert_eq!(at(&bytes, lo + 4), "b.c:1:5", "the carriage return is part of the line end");
    assert_eq!(at(&bytes, lo + 5), "b.c:1:5");
    assert_eq!(at(&bytes, lo + 7), "b.c:2:2");
}

/// A preprocessed file, with its markers recorded as a lexer would.
fn preprocessed() -> (SourceMap, u32, &'static str) {
    let text = "\
# 0 \"main.c\"
# 1 \"main.c\"
# 1 \"/usr/include/x.h\" 1 3 4
int from_header;
# 4 \"/usr/include/x.h\" 3 4
int later;
# 2 \"main.c\" 2
int a =
# 3 \"main.c\" 3 4
 ((void *)0)
# 3 \"main.c\"
     ;
#line 100
int b;
#line 7 \"other.y\"
int c;
";
    let mut map = SourceMap::new();
    let file = map.add("main.i", text).unwrap();
    let mut offset = 0u32;
    for line in text.split_inclusive('\n') {
        offset += line.len() as u32;
        let mut words = line.split_whitespace();
        let gnu = match words.next() {
            Some("#") => true,
            Some("#line") => false,
            _ => continue,
        };
        let number = words.next().unwrap().parse().unwrap();
        let name = words.next().map(|name| name.trim_matches('"'));
        let flags: Vec<u32> = words.map(|word| word.parse().unwrap()).collect();
        let flags = gnu.then(|| MarkerFlags::from_numbers(&flags));
        map.add_line_marker(file, offset, number, name, flags);
    }
    let lo = map.file_span(file).lo;
    (map, lo, text)
}

#[test]
fn markers_are_followed() {
    let (map, lo, text) = preprocessed();
    let find = |what: &str| map.presumed(lo + text.find(what).unwrap() as u32);
    assert_eq!(find("from_header").to_string(), "/usr/include/x.h:1:5");
    assert!(find("from_header").in_system_header);
    assert_eq!(find("later").to_string(), "/usr/include/x.h:4:5");
    assert_eq!(find("a =").to_string(), "main.c:2:5");
    assert!(!find("a =").in_system_header);
    assert_eq!(find("((void").to_string(), "main.c:3:2");
    assert!(find("((void").in_system_header);
    assert_eq!(find("b;").to_string(), "main.c:100:5");
    assert_eq!(find("c;").to_string(), "other.y:7:5");
    assert_eq!(map.physical(lo + text.find("b;").unwrap() as u32).to_string(), "main.i:14:5");
}

#[test]
fn inclusions_are_named() {
    let (map, lo, text) = preprocessed();
    let chain = |what: &str| -> Vec<String> {
        let pos = lo + text.find(what).unwrap() as u32;
        map.included_from(pos).iter().map(|l| format!("{}:{}", l.file, l.line)).collect()
    };
    assert_eq!(chain("from_header"), ["main.c:1"]);
    assert_eq!(chain("later"), ["main.c:1"]);
    assert!(chain("int a").is_empty());
    assert!(map.included_from(0).is_empty());
}

#[test]
fn columns_are_those_of_the_original() {
    let (mut map, lo, text) = preprocessed();
    map.add_original("main.c", "#include <x.h>\nint /* the */ a =\n  NULL;\n");
    let find = |what: &str| at(&map, lo + text.find(what).unwrap() as u32);
    assert_eq!(find("a ="), "main.c:2:15");
    assert_eq!(find("((void"), "main.c:3:3");
    assert_eq!(find(";\n#line"), "main.c:3:7");
    // The original has no line 100, so the text at hand is all there is.
    assert_eq!(find("b;"), "main.c:100:5");
}

#[test]
fn odd_markers_are_harmless() {
    let mut map = SourceMap::new();
    let file = map.add("a.c", "a\nb\nc\n").unwrap();
    let leave = MarkerFlags { leave: true, ..MarkerFlags::default() };
    map.add_line_marker(file, u32::MAX, u32::MAX, Some("end"), Some(leave));
    map.add_line_marker(file, 2, u32::MAX, Some(""), Some(leave));
    map.add_line_marker(file, 2, 0, None, None);
    map.add_line_marker(file, 0, u32::MAX, Some("big"), None);
    let lo = map.file_span(file).lo;
    assert_eq!(at(&map, lo), format!("big:{}:1", u32::MAX));
    assert_eq!(map.presumed(lo + 2).line, 0);
    assert_eq!(map.presumed(lo + 4).line, 1);
}

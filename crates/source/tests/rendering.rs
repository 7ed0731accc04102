//! Diagnostics as people and machines read them.

use expect_test::{Expect, expect};
use vergo_source::{
    Diagnostic, Diagnostics, JsonDiagnostic, MarkerFlags, Renderer, SourceMap, Span, codes,
};

codes! {
    /// The codes of these tests.
    pub TEST_CODES;
    FIRST = "T0001", "the first", "Explained.";
    SECOND = "T0002", "the second", "Explained at length.";
}

fn check(map: &SourceMap, diagnostic: &Diagnostic, expected: &Expect) {
    expected.assert_eq(&Renderer::plain().render(map, diagnostic));
}

#[test]
fn in_the_manner_of_rustc() {
    let mut map = SourceMap::new();
    let text = "int x;\n// seen\nint f(void) {\n\treturn y + x;\n}\n";
    let file = map.add("a.c", text).unwrap();
    let span = |what: &str| {
        let lo = text.find(what).unwrap() as u32;
        map.span(file, lo, lo + what.len() as u32)
    };
    let diagnostic = Diagnostic::error(FIRST, span("y"), "`y` is not declared")
        .primary_label("not found in this scope")
        .label(span("x;"), "a similar name is declared here")
        .label(span("f("), "in this function")
        .note("names are looked up from the inside out")
        .help("did you mean `x`?");
    check(
        &map,
        &diagnostic,
        &expect![[r#"
            error[T0001]: `y` is not declared
             --> a.c:4:9
              |
            1 | int x;
              |     -- a similar name is declared here
            2 | // seen
            3 | int f(void) {
              |     -- in this function
            4 |     return y + x;
              |            ^ not found in this scope
              |
              = note: names are looked up from the inside out
              = help: did you mean `x`?"#]],
    );
}

#[test]
fn without_a_place() {
    let map = SourceMap::new();
    let diagnostic = Diagnostic::warning(SECOND, Span::DUMMY, "no input").help("name a file");
    check(
        &map,
        &diagnostic,
        &expect![[r#"
            warning[T0002]: no input
             |
             = help: name a file"#]],
    );
}

#[test]
fn two_files() {
    let mut map = SourceMap::new();
    let a = map.add("a.c", "int x;\n").unwrap();
    let b = map.add("b.c", "\n\nlong x;\n").unwrap();
    let diagnostic =
        Diagnostic::error(FIRST, map.span(b, 7, 8), "`x` is declared with another type")
            .label(map.span(a, 4, 5), "first declared here");
    check(
        &map,
        &diagnostic,
        &expect![[r#"
            error[T0001]: `x` is declared with another type
             --> b.c:3:6
              |
            3 | long x;
              |      ^
              |
             ::: a.c:1:5
              |
            1 | int x;
              |     - first declared here"#]],
    );
}

#[test]
fn from_an_original() {
    let mut map = SourceMap::new();
    let text = "# 1 \"h.h\" 1\nint a = 12;\n";
    let file = map.add("a.i", text).unwrap();
    let enter = MarkerFlags { enter: true, ..MarkerFlags::default() };
    map.add_line_marker(file, 0, 3, Some("a.c"), None);
    map.add_line_marker(file, 12, 7, Some("h.h"), Some(enter));
    map.add_original("h.h", "\n\n\n\n\n\nint  a\t= TWELVE;\n");
    let diagnostic = Diagnostic::error(FIRST, map.span(file, 20, 22), "not wanted");
    check(
        &map,
        &diagnostic,
        &expect![[r#"
            error[T0001]: not wanted
             --> h.h:7:10
              |
            7 | int  a    = TWELVE;
              |             ^^^^^^
              |
              = note: included from a.c:3"#]],
    );
}

#[test]
fn a_line_of_ten_megabytes() {
    let mut map = SourceMap::new();
    let mut text = vec![b'a'; 10 << 20];
    text[5 << 20] = b'!';
    let file = map.add("long.c", text).unwrap();
    let diagnostic = Diagnostic::error(FIRST, map.span(file, 5 << 20, (5 << 20) + 1), "stray");
    check(
        &map,
        &diagnostic,
        &expect![[r#"
            error[T0001]: stray
             --> long.c:1:5242881
              |
            1 | ...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...
              |                                                                    ^"#]],
    );
    // A mark over the whole line is cut as well.
    let all = Diagnostic::error(FIRST, map.file_span(file), "stray");
    assert!(Renderer::plain().render(&map, &all).len() < 4096);
}

#[test]
fn text_that_is_not_utf8() {
    let mut map = SourceMap::new();
    let file = map.add("l\u{1b}.c", b"x = \"\xe4\x1b[0m\"; \xf0\x9f y;\r\n".to_vec()).unwrap();
    let diagnostic =
        Diagnostic::error(FIRST, map.span(file, 16, 17), "`y\u{202e}` is \u{1b}[1mnot")
            .label(map.span(file, 5, 6), "odd\tbyte");
    check(
        &map,
        &diagnostic,
        &expect![[r#"
            error[T0001]: `y�` is �[1mnot
             --> l�.c:1:16
              |
            1 | x = "��[0m"; � y;
              |      -         ^
              |      |
              |      odd byte"#]],
    );
}

#[test]
fn spans_of_any_kind_are_rendered() {
    let mut map = SourceMap::new();
    map.add("empty.c", "").unwrap();
    map.add("crlf.c", "a\r\n\r\n\r\r\n\n\tb").unwrap();
    map.add("bad.c", b"\xc3\n\x80\x80\xc3\xa4\n".to_vec()).unwrap();
    let marks = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 18, 19, 20, 21, u32::MAX];
    for lo in marks {
        for hi in marks {
            // Ends in the wrong order are possible as well, since the fields are public.
            let diagnostic = Diagnostic::error(FIRST, Span { lo, hi }, "m")
                .label(Span { lo: hi, hi: lo }, "l")
                .label(Span { lo: 1, hi }, "k");
            assert!(!Renderer::plain().render(&map, &diagnostic).is_empty());
            assert!(Renderer::coloured().width(1).render(&map, &diagnostic).contains('m'));
            assert!(JsonDiagnostic::new(&map, &diagnostic).to_json().starts_with('{'));
        }
    }
}

#[test]
fn json_has_all_places() {
    let mut map = SourceMap::new();
    let file = map.add("q\"\\.c", "a b\n").unwrap();
    let diagnostic = Diagnostic::error(FIRST, map.span(file, 0, 1), "odd \u{1}\n\"x\"")
        .label(map.span(file, 2, 3), "b")
        .note("n");
    expect![[r#"{"code":"T0001","severity":"error","message":"odd \u0001\n\"x\"","location":{"file":"q\"\\.c","line":1,"column":1,"end_line":1,"end_column":2,"text":""},"labels":[{"file":"q\"\\.c","line":1,"column":3,"end_line":1,"end_column":4,"text":"b"}],"notes":["n"],"help":null}"#]]
    .assert_eq(&JsonDiagnostic::new(&map, &diagnostic).to_json());
}

#[test]
fn a_flood_is_counted_and_cut() {
    let mut map = SourceMap::new();
    let file = map.add("a.c", "abc\n").unwrap();
    let mut sink = Diagnostics::with_limit(2);
    let error = |at| Diagnostic::error(FIRST, map.span(file, at, at + 1), "e");
    sink.push(error(2));
    sink.push(error(2));
    sink.push(error(0));
    sink.push(error(1));
    sink.push(Diagnostic::warning(SECOND, map.span(file, 1, 1), "w"));
    assert_eq!((sink.error_count(), sink.warning_count(), sink.dropped_count()), (3, 1, 1));
    assert!(sink.has_errors() && sink.is_flooded());
    let order: Vec<u32> = sink.sorted().iter().map(|d| d.primary.lo).collect();
    assert_eq!(order, [1, 2, 3]);
    let mut all = Diagnostics::new();
    all.extend(sink.clone());
    assert_eq!((all.error_count(), all.warning_count(), all.dropped_count()), (3, 1, 1));
    let text = Renderer::plain().render_all(&map, &all);
    assert!(text.ends_with("note: 1 more diagnostics are not shown\n\n"), "{text}");
    // An assumption is kept all the same.
    for at in 0..3 {
        sink.push(error(at).assuming("any", "it is any value"));
    }
    all.extend(sink);
    assert_eq!(all.assuming().filter(|(_, assumed)| assumed.id == "any").count(), 3);
}

//! Any text with any markers and spans renders, as text and as JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;
use vergo_source::{Diagnostic, JsonDiagnostic, MarkerFlags, Renderer, SourceMap, Span, codes};

codes! {
    /// The code of this target.
    pub FUZZ_CODES;
    FUZZ = "F0001", "found by fuzzing", "Nothing to explain.";
}

fuzz_target!(|data: &[u8]| {
    // The first bytes are numbers for markers and spans; the rest is text.
    if data.len() < 24 {
        return;
    }
    let (head, text) = data.split_at(24);
    let number =
        |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let mut map = SourceMap::new();
    let Ok(file) = map.add("a.c", text) else { return };
    let flags = MarkerFlags::from_numbers(&[u32::from(head[20] & 7)]);
    map.add_line_marker(file, number(0) % 4096, number(4), Some("b.h"), Some(flags));
    map.add_line_marker(file, number(8) % 4096, number(12), None, None);
    map.add_original("b.h", text.iter().rev().copied().collect::<Vec<u8>>());
    let lo = number(12) % (text.len() as u32 + 3);
    let hi = number(16) % (text.len() as u32 + 3);
    let diagnostic = Diagnostic::error(FUZZ, Span { lo, hi }, String::from_utf8_lossy(text))
        .label(Span::new(lo, hi), "label")
        .label(Span::at(hi), "other");
    let rendered = Renderer::coloured().width(head[21].into()).render(&map, &diagnostic);
    assert!(rendered.contains("F0001"));
    assert!(JsonDiagnostic::new(&map, &diagnostic).to_json().ends_with('}'));
});

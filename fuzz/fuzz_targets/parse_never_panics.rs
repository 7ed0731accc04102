//! Any bytes give a tree or diagnostics with positions: no panic, no stack overflow, no hang.

#![no_main]

use libfuzzer_sys::fuzz_target;
use vergo_cfront::{Options, parse};
use vergo_source::{Diagnostics, Renderer, SourceMap};

fuzz_target!(|data: &[u8]| {
    let mut map = SourceMap::new();
    let Ok(file) = map.add("input.c", data) else { return };
    let mut diagnostics = Diagnostics::new();
    let ast = parse(&mut map, file, &Options::default(), &mut diagnostics);
    let all = map.file_span(file);
    for diagnostic in &diagnostics {
        assert!(all.contains(diagnostic.primary), "{diagnostic:?}");
    }
    if diagnostics.has_errors() {
        assert!(!Renderer::plain().render_all(&map, &diagnostics).is_empty());
    } else {
        assert!(!vergo_cfront::dump::ast(&ast, &map).contains('\0'));
    }
});

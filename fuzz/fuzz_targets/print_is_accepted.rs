//! What the front end accepts, it prints as C that it accepts again, and prints the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use vergo_cfront::{Options, analyze, parse, print_c};
use vergo_source::{Diagnostics, Renderer, SourceMap};

/// The text of what was accepted, or what is wrong with it.
fn print(text: &[u8]) -> Result<String, String> {
    let mut map = SourceMap::new();
    let file = map.add("input.c", text).map_err(|error| error.to_string())?;
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let ast = parse(&mut map, file, &options, &mut diagnostics);
    let unit = analyze(ast, &map, &options, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(Renderer::plain().render_all(&map, &diagnostics));
    }
    Ok(print_c(&unit))
}

fuzz_target!(|data: &[u8]| {
    let Ok(first) = print(data) else { return };
    match print(first.as_bytes()) {
        Ok(second) => assert_eq!(first, second, "printing is not stable"),
        Err(messages) => panic!("printed text is rejected:\n{first}\n{messages}"),
    }
});

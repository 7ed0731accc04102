//! The parts that the tests share: the front end as a function, and the comparison of two programs.

use std::time::Duration;
use vergo_cfront::hir::Unit;
use vergo_cfront::target::DataModel;
use vergo_cfront::{Options, analyze, parse, print_c};
use vergo_source::{Diagnostics, Renderer, SourceMap};
use vergo_testkit::host_c::{HostC, Scratch};

/// The typed tree of a preprocessed text, or the diagnostics as text.
pub(crate) fn front_end(text: &[u8], model: DataModel) -> Result<Unit, String> {
    let mut map = SourceMap::new();
    let file = map.add("input.i", text).map_err(|error| format!("{error:?}"))?;
    let options = Options { model, ..Options::default() };
    let mut diagnostics = Diagnostics::new();
    let ast = parse(&mut map, file, &options, &mut diagnostics);
    let unit = analyze(ast, &map, &options, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(Renderer::plain().render_all(&map, &diagnostics));
    }
    Ok(unit)
}

/// The print of a preprocessed text. Printing the print must change nothing.
pub(crate) fn print(text: &[u8], model: DataModel) -> Result<String, String> {
    let printed = print_c(&front_end(text, model)?);
    let again = front_end(printed.as_bytes(), model)
        .map_err(|errors| format!("the print is rejected:\n{errors}\n{printed}"))?;
    let again = print_c(&again);
    match printed.lines().zip(again.lines()).find(|(a, b)| a != b) {
        Some((a, b)) => Err(format!("the second print differs:\n{a}\n{b}")),
        None if printed.len() != again.len() => {
            Err("the second print is longer or shorter".to_owned())
        }
        None => Ok(printed),
    }
}

/// Checks that a program and its print, both compiled, print the same and end the same.
pub(crate) fn compare(
    gcc: &HostC,
    text: &str,
    options: &[&str],
    model: DataModel,
) -> Result<(), String> {
    let preprocessed =
        gcc.preprocess(text.as_bytes(), options).map_err(|error| error.to_string())?;
    if !preprocessed.success() {
        return Err(format!("preprocessing: {}", preprocessed.stderr_text()));
    }
    let printed = print(&preprocessed.stdout, model)?;
    let scratch = Scratch::new("print").map_err(|error| error.to_string())?;
    let limit = Duration::from_secs(10);
    let mut flags = vec!["-w", "-O1"];
    flags.extend(options);
    let run =
        |text: &str| gcc.run_text(&scratch, text, &flags, limit).map_err(|error| error.to_string());
    let before = run(text)?;
    let after = run(&printed)?;
    if before.status.is_none() {
        // Some random programs run for ever; nothing can be learnt from them.
        return Ok(());
    }
    if before.status != after.status || before.stdout != after.stdout {
        return Err(format!(
            "status {:?} and {:?}\n--- before\n{}\n--- after\n{}\n{}",
            before.status,
            after.status,
            before.stdout_text(),
            after.stdout_text(),
            after.stderr_text()
        ));
    }
    Ok(())
}

/// The host's compiler, or a line that says that a test was skipped.
pub(crate) fn gcc_or_skip(test: &str) -> Option<HostC> {
    let gcc = HostC::find();
    if gcc.is_none() {
        vergo_testkit::environment::skip(test, "there is no gcc");
    }
    gcc
}

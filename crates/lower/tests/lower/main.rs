//! Tests of lowering: the text that constructs become, the behaviour of whole programs, external programs, scale.

mod behaviour;
mod external;
mod library;
mod robust;
mod scale;
mod text;

use vergo_cfront::target::DataModel;
use vergo_goto::program::Program;
use vergo_interp::{Buffers, Machine, Outcome};
use vergo_lower::{Arguments, Options};
use vergo_source::{Diagnostics, Renderer, Severity, SourceMap};

/// Lowers a text; errors of the front end are the answer if there are any.
fn lower(name: &str, text: &[u8], model: DataModel, options: &Options) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let mut diags = Diagnostics::new();
    let file = sources.add(name, text).map_err(|error| error.to_string())?;
    let front = vergo_cfront::Options { model, ..vergo_cfront::Options::default() };
    let ast = vergo_cfront::parse(&mut sources, file, &front, &mut diags);
    let unit = vergo_cfront::analyze(ast, &sources, &front, &mut diags);
    let program =
        (!diags.has_errors()).then(|| vergo_lower::lower(&unit, &mut sources, options, &mut diags));
    if let Some(error) = diags.iter().find(|d| d.severity == Severity::Error) {
        return Err(Renderer::plain().render(&sources, error));
    }
    program.ok_or_else(|| "there is no program".to_string())
}

/// Checks that a program is well formed and that its text means the same.
fn check(program: &Program) -> Result<(), String> {
    if let Err(errors) = vergo_goto::verify::verify(program) {
        let text: Vec<String> = errors.iter().take(5).map(ToString::to_string).collect();
        return Err(format!("not well formed: {}", text.join("; ")));
    }
    let text = vergo_goto::text::print(program);
    let again =
        vergo_goto::text::parse(&text).map_err(|error| format!("does not parse: {error}"))?;
    if vergo_goto::text::print(&again) != text {
        return Err("the text changes when it is parsed and printed".to_string());
    }
    Ok(())
}

/// Returns the output of a program and its end.
fn run(program: &Program) -> (Vec<u8>, Outcome) {
    let buffers = Buffers::new(b"");
    let options = vergo_interp::Options {
        world: Box::new(buffers.clone()),
        ..vergo_interp::Options::default()
    };
    let outcome = Machine::new(program, options).run();
    (buffers.output(), outcome)
}

/// Options for running: the only argument is the program's name.
fn running() -> Options {
    Options { arguments: Arguments::Given(vec![b"program".to_vec()]), ..Options::default() }
}

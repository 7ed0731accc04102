//! Goto binaries as programs: what the file holds, with bodies from our library for what it lacks.
//!
//! A binary names functions of the C library without bodies, as C files do. So a small C unit is written that has, for
//! each of these functions, one that calls it, and a `main` that calls the binary's. Lowering compiles it as it compiles
//! every program: the library's models are found, `main` gets its arguments, and what runs at the end runs. The result
//! is put into the binary's program, and the functions without a body forward to it.

use std::fmt::Write;

use vergo_cfront::hir::Unit;
use vergo_cfront::target::DataModel;
use vergo_gbf::map::{Mapped, Missing, Start};
use vergo_gbf::{Binary, Dialect, map};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{
    Callee, Claim, FunctionId, InstrKind, Program, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_goto::verify::verify;
use vergo_lower::codes::{NO_BODY, NO_DEFINITION, UNSUPPORTED};
use vergo_lower::models;
use vergo_passes::properties::PropertyId;
use vergo_source::{Diagnostic, Span};

use crate::codes::{BAD_BINARY, GOTO_ILL_FORMED, OPAQUE};
use crate::input::Input;
use crate::job::{Failed, Job};

/// The name of the function in the C unit that stands for the binary's program.
const PROGRAM: &str = "__vergo_program";

/// Names that other systems' libraries have for functions of ours.
const ALIASES: &[(&str, &str)] = &[
    ("__ESBMC_memcmp", "memcmp"),
    ("__ESBMC_memcpy", "memcpy"),
    ("__ESBMC_memmove", "memmove"),
    ("__ESBMC_memset", "memset"),
    ("__fpclassifyd", "__fpclassify"),
    ("__isfinited", "finite"),
    ("__isinfd", "__isinf"),
    ("__isnand", "__isnan"),
    ("__signbitd", "__signbit"),
];

/// Variables of the library whose values a program needs.
const STREAMS: &[&str] = &["stdin", "stdout", "stderr"];

/// The prefixes of names that mean something to compilers and verifiers: an unknown function with such a name is not one
/// that the user forgot.
const RESERVED: &[&str] =
    &["__CPROVER_", "__ESBMC_", "__VERIFIER_", "__atomic_", "__builtin_", "__sync_", "contract::"];

impl Job {
    /// A goto binary as it is, also from inside of an object file.
    ///
    /// # Errors
    /// If the file is damaged; the job's diagnostics say where.
    pub(crate) fn read_binary(&mut self, input: &Input) -> Result<Binary, Failed> {
        let bytes = self.read(input)?;
        let content = vergo_gbf::elf::section(&bytes).unwrap_or(&bytes);
        vergo_gbf::read(content).map_err(|error| {
            let message = format!("`{}` is a damaged goto binary: {error}", input.name());
            self.fail(Diagnostic::error(BAD_BINARY, Span::DUMMY, message))
        })
    }

    /// The program of a goto binary.
    ///
    /// # Errors
    /// If the file is damaged or nothing can be made of it; the job's diagnostics say why.
    pub(crate) fn load_binary(
        &mut self,
        input: &Input,
        options: &vergo_lower::Options,
    ) -> Result<Program, Failed> {
        let binary = self.read_binary(input)?;
        let wanted = map::Options {
            entry: options.entry.clone(),
            is_property: |class| PropertyId::from_id(class).is_some(),
            goals: self.goals,
            malloc_may_fail: options.malloc_may_fail,
            ..map::Options::default()
        };
        let n_files = self.map.files().len();
        let mapped = map::map(&binary, &mut self.map, &wanted).map_err(|what| {
            let message = format!("`{}` cannot be used: {what}", input.name());
            self.fail(Diagnostic::error(BAD_BINARY, Span::DUMMY, message))
        })?;
        drop(binary);
        // Places are those that the file names.
        self.preprocessed.extend(self.map.files().skip(n_files));
        for (what, span) in &mapped.unsupported {
            let message = format!("{what} is not supported");
            self.diagnostics.push(Diagnostic::warning(UNSUPPORTED, *span, message));
        }
        for name in &mapped.opaque {
            let message = format!("`{name}` has no body");
            let warning = Diagnostic::warning(OPAQUE, Span::DUMMY, message);
            self.diagnostics
                .push(warning.assuming("opaque", "it returns any value and changes nothing"));
        }
        let streams = streams(&mapped);
        for name in mapped.undefined.iter().filter(|name| !STREAMS.contains(&&name[..])) {
            let message = format!("`{name}` is defined nowhere");
            let warning = Diagnostic::warning(NO_DEFINITION, Span::DUMMY, message);
            self.diagnostics
                .push(warning.assuming("no-definition", "its first value is any value"));
        }
        let classes = mapped.classes.iter();
        self.classes = classes
            .map(|((_, span, text), class)| ((span.lo, text.clone()), class.clone()))
            .collect();
        self.model = match mapped.program.machine.pointer_width {
            32 => DataModel::Ilp32,
            _ => DataModel::Lp64,
        };
        let variables = mapped.program.symbols.values().filter(|symbol| {
            matches!(symbol.kind, SymbolKind::Static { thread_local: false, .. })
                && symbol.writable
                && !symbol.display.is_empty()
        });
        if let Some(remark) = vergo_lower::outside::remark(&mapped.program, variables.count()) {
            self.diagnostics.push(remark);
        }
        let program = self.link_library(mapped, &streams, options);
        if let Err(errors) = verify(&program) {
            for error in errors.iter().take(5) {
                let message = format!("`{}` maps to a malformed program: {error}", input.name());
                self.fail(Diagnostic::error(GOTO_ILL_FORMED, Span::DUMMY, message));
            }
            return Err(Failed::Internal);
        }
        Ok(program)
    }

    /// Gives bodies to functions that have none, and an entry to the program.
    fn link_library(
        &mut self,
        mapped: Mapped,
        streams: &[SymbolId],
        options: &vergo_lower::Options,
    ) -> Program {
        let Mapped { mut program, mut missing, start, .. } = mapped;
        let options = vergo_lower::Options {
            entry: "main".to_owned(),
            outside_pointers: vergo_lower::OutsidePointers::Ignored,
            ..options.clone()
        };
        let mut unit = self.library_unit(&program, &missing, streams, start);
        if unit.is_none() {
            // One declaration that C refuses must not cost the others.
            missing = missing
                .into_iter()
                .map(|function| {
                    let one = std::slice::from_ref(&function);
                    match self.library_unit(&program, one, &[], None) {
                        Some(_) => function,
                        None => Missing { signature: None, ..function },
                    }
                })
                .collect();
            unit = self.library_unit(&program, &missing, streams, start);
        }
        if let Some(unit) = unit {
            let (library, said) = self.apart(|job| {
                vergo_lower::lower(&unit, &mut job.map, &options, &mut job.diagnostics)
            });
            for diagnostic in said.iter().filter(|d| d.code == NO_BODY) {
                let about = missing
                    .iter_mut()
                    .find(|m| diagnostic.message.contains(&format!("`{}`", m.name)));
                if let Some(function) = about
                    && RESERVED.iter().any(|prefix| function.name.starts_with(prefix))
                {
                    function.signature = None;
                    continue;
                }
                let about =
                    missing.iter().find(|m| diagnostic.message.contains(&format!("`{}`", m.name)));
                let span = about.map_or(Span::DUMMY, |m| program.functions[m.function].span);
                let message = diagnostic.message.clone();
                self.diagnostics.push(Diagnostic::warning(NO_BODY, span, message));
            }
            link(&mut program, &library, &missing, streams, start);
        }
        for function in &missing {
            if program.functions[function.function].body.is_none() {
                stub(&mut program, function);
            }
        }
        program
    }

    /// The C unit that reaches the library, if C accepts it.
    fn library_unit(
        &mut self,
        program: &Program,
        missing: &[Missing],
        streams: &[SymbolId],
        start: Option<Start>,
    ) -> Option<Unit> {
        let text = library_text(program, missing, streams, start);
        let (unit, _) = self.apart(|job| {
            let file = job.add("<vergo>/binary.c", text.into_bytes()).ok()?;
            job.analyze_file(file).ok()
        });
        unit
    }
}

/// Checks whether an input is a goto binary.
pub(crate) fn is_binary(input: &Input) -> bool {
    match input {
        Input::Text { text, .. } => has_binary(text),
        Input::File(path) => {
            use std::io::Read;
            let mut head = Vec::new();
            let file = std::fs::File::open(path);
            let read = file.and_then(|file| file.take(4).read_to_end(&mut head));
            match &head[..] {
                b"\x7fELF" => std::fs::read(path).is_ok_and(|bytes| has_binary(&bytes)),
                head => read.is_ok() && has_binary(head),
            }
        }
    }
}

/// Checks whether bytes begin a goto binary, or are an object file with one inside.
fn has_binary(bytes: &[u8]) -> bool {
    let bytes = vergo_gbf::elf::section(bytes).unwrap_or(bytes);
    match Dialect::of(bytes) {
        Some(Dialect::Cbmc) => true,
        // A text may begin with these letters, but not with a version below 2^24.
        Some(Dialect::Esbmc) => bytes.get(3) == Some(&0),
        None => false,
    }
}

/// The variables of the program that our library has values for.
fn streams(mapped: &Mapped) -> Vec<SymbolId> {
    let symbols = mapped.program.symbols.iter();
    let named = symbols.filter(|(_, symbol)| {
        STREAMS.contains(&&symbol.name[..])
            && mapped.undefined.contains(&symbol.name)
            && matches!(mapped.program.types.get(symbol.ty), Type::Ptr(_))
    });
    named.map(|(id, _)| id).collect()
}

/// The C text that reaches the library.
fn library_text(
    program: &Program,
    missing: &[Missing],
    streams: &[SymbolId],
    start: Option<Start>,
) -> String {
    let mut text = String::new();
    for &stream in streams {
        let name = &program.symbols[stream].name;
        let _ = writeln!(text, "extern void *{name};");
        let _ = writeln!(text, "void *__vergo_{name}(void) {{ return {name}; }}");
    }
    for (i, function) in missing.iter().enumerate() {
        let Some(signature) = &function.signature else { continue };
        let name = &function.name;
        let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !plain || name.starts_with("__vergo") {
            continue;
        }
        let alias = ALIASES.iter().find(|(other, _)| other == name);
        let name = alias.map_or(&name[..], |(_, ours)| *ours);
        let (ret, params) = (&signature[0], &signature[1..]);
        // Without a prototype, calls are those of C without one.
        let types = if function.prototype { params.join(", ") } else { String::new() };
        if !name.starts_with("__builtin_") {
            let more = if function.variadic { ", ..." } else { "" };
            let _ = writeln!(text, "{ret} {name}({types}{more});");
        }
        if function.variadic {
            let _ = writeln!(text, "void *__vergo_link_{i}(void) {{ return (void *)&{name}; }}");
            continue;
        }
        let named: Vec<String> =
            params.iter().enumerate().map(|(k, ty)| format!("{ty} a{k}")).collect();
        let named = if named.is_empty() { "void".to_owned() } else { named.join(", ") };
        let argument = |k: usize| match function.zeros.contains(&k) {
            true => format!("({})0", params[k]),
            false => format!("a{k}"),
        };
        let args: Vec<String> = (0..params.len()).map(argument).collect();
        let returned = if ret == "void" { "" } else { "return " };
        let call = args.join(", ");
        let _ = writeln!(text, "{ret} __vergo_link_{i}({named}) {{ {returned}{name}({call}); }}");
    }
    match start {
        None => {}
        Some(Start::Call { function, is_main: true, looks_at: [at_count, at_vector], .. }) => {
            let n_params = match program.types.get(program.functions[function].ty) {
                Type::Func(_, params) => params.len(),
                _ => 0,
            };
            // Nobody looks at what is constant here.
            let argv = if at_vector { "argv" } else { "0" };
            let argc = if at_count || at_vector { "argc" } else { "1" };
            let _ = match n_params {
                0 => writeln!(
                    text,
                    "int {PROGRAM}(void) {{ return 0; }}\nint main(void) {{ return {PROGRAM}(); }}"
                ),
                _ => writeln!(
                    text,
                    "int {PROGRAM}(int argc, char **argv) {{ return 0; }}\n\
                     int main(int argc, char **argv) {{ return {PROGRAM}({argc}, {argv}); }}"
                ),
            };
        }
        Some(_) => {
            let _ = writeln!(
                text,
                "void {PROGRAM}(void) {{ }}\nint main(void) {{ {PROGRAM}(); return 0; }}"
            );
        }
    }
    text
}

/// Puts the compiled unit into the program, and connects both.
fn link(
    program: &mut Program,
    library: &Program,
    missing: &[Missing],
    streams: &[SymbolId],
    start: Option<Start>,
) {
    let moved = program.merge(library);
    let first = match start {
        Some(Start::Whole(function) | Start::Call { function, .. }) => {
            program.functions[function].span
        }
        None => Span::DUMMY,
    };
    for (id, function) in &library.functions {
        // What the unit itself does is done where the program begins; models keep their places.
        let own = !function.library || Some(id) == library.entry;
        let function = &mut program.functions[moved.function(id)];
        function.library = true;
        if own {
            function.span = first;
            function.body.iter_mut().flatten().for_each(|instr| instr.span = first);
        }
    }
    for (i, function) in missing.iter().enumerate() {
        if function.signature.is_none() {
            continue;
        }
        let found = match function.variadic {
            true => library.functions.iter().find(|(_, f)| f.library && f.name == function.name),
            false => {
                let name = format!("__vergo_link_{i}");
                library.functions.iter().find(|(_, f)| f.name == name)
            }
        };
        if let Some((target, _)) = found {
            // What does not fit stays without a body, and its calls are claims.
            let _ = program.forward(function.function, moved.function(target));
        }
    }
    let (Some(start), Some(entry)) = (start, library.entry) else { return };
    if let Some((placeholder, _)) = library.functions.iter().find(|(_, f)| f.name == PROGRAM) {
        let mut given = Vec::new();
        for &stream in streams {
            let name = format!("__vergo_{}", program.symbols[stream].name);
            if let Some((function, _)) = library.functions.iter().find(|(_, f)| f.name == name) {
                given.push((stream, moved.function(function)));
            }
        }
        begin(program, moved.function(placeholder), start, &given);
        program.entry = Some(moved.function(entry));
    }
}

/// Fills the function that stands for the binary's program. Variables of the library get the values that functions give.
fn begin(
    program: &mut Program,
    id: FunctionId,
    start: Start,
    given_values: &[(SymbolId, FunctionId)],
) {
    let mut builder = FunctionBuilder::new();
    let (initialize, function, is_main) = match start {
        Start::Whole(function) => (None, function, false),
        Start::Call { initialize, function, is_main, .. } => (initialize, function, is_main),
    };
    builder.set_span(program.functions[function].span);
    for &(variable, function) in given_values {
        let &Type::Func(ret, _) = program.types.get(program.functions[function].ty) else {
            continue;
        };
        let symbol = local(program, id, &program.symbols[variable].name.clone(), ret);
        builder.decl(symbol);
        let (temp, place) = (program.symbol(symbol), program.symbol(variable));
        builder.call(Some(temp), function, []);
        let value = program.cast(program.symbols[variable].ty, temp);
        builder.assign(place, value);
    }
    if let Some(initialize) = initialize {
        builder.call(None, initialize, []);
    }
    let Type::Func(ret, params) = program.types.get(program.functions[function].ty).clone() else {
        return;
    };
    let given = program.functions[id].params.clone();
    let mut args: Vec<ExprId> = Vec::new();
    for (i, &ty) in params.iter().enumerate() {
        let scalar = matches!(program.types.get(ty), Type::Int { .. } | Type::Ptr(_));
        args.push(match given.get(i) {
            Some(&symbol) if scalar && is_main => {
                let value = program.symbol(symbol);
                program.cast(ty, value)
            }
            _ => {
                let symbol = local(program, id, &format!("argument{i}"), ty);
                builder.decl(symbol);
                let place = program.symbol(symbol);
                let any = program.nondet(ty);
                builder.assign(place, any);
                place
            }
        });
    }
    let scalar = matches!(program.types.get(ret), Type::Int { .. });
    let dest = scalar.then(|| {
        let symbol = local(program, id, "status", ret);
        builder.decl(symbol);
        program.symbol(symbol)
    });
    let callee = Callee::Direct(function);
    builder.push(InstrKind::Call { dest, callee, args: args.into() });
    let value = match program.types.get(program.functions[id].ty) {
        &Type::Func(own, _) if *program.types.get(own) != Type::Void => Some(match dest {
            Some(dest) => program.cast(own, dest),
            None => program.int(own, 0),
        }),
        _ => None,
    };
    builder.ret(value);
    builder.finish(program, id);
}

fn local(program: &mut Program, function: FunctionId, name: &str, ty: TypeId) -> SymbolId {
    let align = program.types.align_of(ty, &program.machine);
    let name = format!("{}::${name}", program.functions[function].name);
    let kind = SymbolKind::Local(function);
    let (display, span, writable) = (String::new(), Span::DUMMY, true);
    program.add_symbol(Symbol { name, display, ty, kind, span, align, writable })
}

/// A body for a function that has none: its call is a claim that fails, and its result is any value.
fn stub(program: &mut Program, missing: &Missing) {
    let id = missing.function;
    let Type::Func(ret, params) = program.types.get(program.functions[id].ty).clone() else {
        return;
    };
    if program.functions[id].params.len() != params.len() {
        let symbols = params
            .iter()
            .enumerate()
            .map(|(i, &ty)| {
                let symbol = local(program, id, &format!("parameter{i}"), ty);
                program.symbols[symbol].kind = SymbolKind::Param(id);
                symbol
            })
            .collect();
        program.functions[id].params = symbols;
    }
    let mut builder = FunctionBuilder::new();
    if RESERVED.iter().any(|prefix| missing.name.starts_with(prefix)) {
        builder.unsupported(format!("the function `{}`", missing.name));
    } else if missing.signature.is_none() && models::of_function(&missing.name).is_some() {
        builder.unsupported(format!("`{}` at types that our library does not have", missing.name));
    } else {
        let no = program.bool(false);
        let description = format!("`{}` has no body", missing.name);
        builder.assert(no, Claim::new("call.no-body", description));
    }
    let value = match program.types.get(ret) {
        Type::Void => None,
        _ => {
            let symbol = local(program, id, "any", ret);
            builder.decl(symbol);
            let place = program.symbol(symbol);
            let any = program.nondet(ret);
            builder.assign(place, any);
            Some(place)
        }
    };
    builder.ret(value);
    builder.finish(program, id);
    program.functions[id].library = true;
}

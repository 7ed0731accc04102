//! Every function of the library with a pointer among its arguments, misused: each pointer in turn is null, points to freed
//! memory, to memory that is too small, to a constant where it is written, to a text that does not end.
//!
//! A row is a declaration and a call in which pointers are roles: `$r4` is a block of four bytes that is read, `$w4` one that
//! is written, `$n4` a number that is read and written and that is 4, `$v` a whole object that is written, `$s` a text, `$t8` a text in eight
//! bytes that is changed, `$x` one that ends in `XXXXXX`, `$l` a text of wide characters, `$f` a stream, `$h8` a block of the heap
//! that is used and freed, `$d8` one that is only freed or resized; a question mark before the letter
//! allows null, where the standard or POSIX does. A test fails if a function with a model has neither a row nor a reason to have none
//! (`WITHOUT`). Programs are made of the rows: the interpreter and an engine have to find each misuse, the engine with
//! the default properties, with `valid-memsafety` and with the one property that is violated; neither may complain about the
//! right use.

mod more;
mod rows;

use std::fmt::Write as _;
use std::time::Duration;
use vergo_driver::{
    Answer, CheckRequest, Ended, EngineId, Input, Job, OnViolation, RunRequest, Specification,
    check, run,
};
use vergo_interp::Buffers;
use vergo_lower::models::MODELS;
use vergo_testkit::environment::slow;

use more::MORE;
use rows::ROWS;

/// A declaration, and a statement with roles.
type Row = (&'static str, &'static str);

const HEAD: &str = "\
typedef unsigned long size_t; typedef struct stream FILE; extern FILE *stdin, *stdout;
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *); extern int fclose(FILE *);
static int number; static void keep(FILE *file) { if (file != 0) fclose(file); }
static const char constant[8192] = \"abc\", constant_name[64] = \"XXXXXX\";
";

/// A misuse of a pointer, and the property that it violates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Misuse {
    Null,
    Freed,
    Small,
    Constant,
    Endless,
    /// A block is freed twice.
    Twice,
    /// Memory that was not allocated is freed.
    Foreign,
}

impl Misuse {
    fn property(self) -> &'static str {
        match self {
            Misuse::Twice => "memory.double-free",
            Misuse::Foreign => "memory.invalid-free",
            Misuse::Null => "memory.null",
            Misuse::Freed => "memory.lifetime",
            Misuse::Small | Misuse::Endless => "memory.bounds",
            Misuse::Constant => "memory.read-only",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Role {
    letter: u8,
    size: usize,
    nullable: bool,
}

impl Role {
    fn misuses(self) -> Vec<Misuse> {
        let mut all = Vec::new();
        if !self.nullable {
            all.push(Misuse::Null);
        }
        all.extend_from_slice(match self.letter {
            b'r' => &[Misuse::Freed, Misuse::Small],
            b'w' | b'n' => &[Misuse::Freed, Misuse::Small, Misuse::Constant],
            b's' | b'l' => &[Misuse::Freed, Misuse::Endless],
            b't' | b'x' | b'v' => &[Misuse::Freed, Misuse::Constant],
            b'd' => &[Misuse::Twice, Misuse::Foreign],
            _ => &[Misuse::Freed],
        });
        all
    }

    /// Declarations that make `p0`, `p1`, … such a pointer.
    fn good(self, i: usize) -> String {
        let size = self.size;
        match self.letter {
            b's' => format!("_Alignas(16) char o{i}[4] = \"123\"; char *p{i} = o{i};"),
            b't' => format!("_Alignas(16) char o{i}[{size}] = \"12\"; char *p{i} = o{i};"),
            b'x' => format!("char o{i}[8] = \"XXXXXX\"; char *p{i} = o{i};"),
            b'l' => format!("int o{i}[3] = {{'1', '2', 0}}; int *p{i} = o{i};"),
            b'n' => format!("unsigned o{i} = {size}; unsigned *p{i} = &o{i};"),
            b'h' | b'd' => format!("void *p{i} = calloc(1, {size});"),
            b'f' => format!("FILE *p{i} = stdin;"),
            _ => format!("_Alignas(16) char o{i}[{size}] = {{0}}; void *p{i} = o{i};"),
        }
    }

    fn bad(self, i: usize, misuse: Misuse) -> String {
        let size = self.size.max(64);
        match misuse {
            Misuse::Small if self.letter == b'n' => {
                format!(
                    "_Alignas(16) char o{i}[3] = {{{size}}}; void *p{i} = o{i};",
                    size = self.size
                )
            }
            Misuse::Constant if self.letter == b'x' => {
                format!("void *p{i} = (void *)constant_name;")
            }
            Misuse::Endless if self.letter == b'l' => {
                format!("int o{i}[2] = {{'1', '2'}}; int *p{i} = o{i};")
            }
            Misuse::Foreign => format!("char o{i}[{size}] = {{0}}; void *p{i} = o{i};"),
            Misuse::Null => format!("void *p{i} = 0;"),
            Misuse::Freed | Misuse::Twice => format!("void *p{i} = malloc({size}); free(p{i});"),
            Misuse::Small => format!(
                "_Alignas(16) char o{i}[{0}] = {{0}}; void *p{i} = o{i} + 8;",
                self.size + 7
            ),
            Misuse::Constant => format!("void *p{i} = (void *)constant;"),
            Misuse::Endless => format!("char o{i}[2] = {{'1', '2'}}; char *p{i} = o{i};"),
        }
    }
}

/// The roles of a call, and the call with names for them.
fn roles(call: &str) -> (Vec<Role>, String) {
    let mut found = Vec::new();
    let mut text = String::new();
    let mut parts = call.split('$');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let nullable = part.starts_with('?');
        let part = part.trim_start_matches('?');
        let letter = part.as_bytes()[0];
        let n_digits = part[1..].bytes().take_while(u8::is_ascii_digit).count();
        let size = part[1..1 + n_digits].parse().unwrap_or(4);
        let _ = write!(text, "p{}{}", found.len(), &part[1 + n_digits..]);
        found.push(Role { letter, size, nullable });
    }
    (found, text)
}

fn program(row: Row, misused: Option<(usize, Misuse)>) -> String {
    let (roles, call) = roles(row.1);
    let mut text = format!("{HEAD}{}\nint main(void)\n{{\n    size_t n = 4;\n", row.0);
    for (i, role) in roles.iter().enumerate() {
        let declaration = match misused {
            Some((bad, misuse)) if bad == i => role.bad(i, misuse),
            _ => role.good(i),
        };
        let _ = writeln!(text, "    {declaration}");
    }
    let _ = writeln!(text, "    {call};\n    return (int)(n - 4) + number * 0;\n}}");
    text
}

/// All rows.
fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().chain(MORE)
}

fn input(text: &str) -> Input {
    Input::Text { name: "a.c".to_owned(), text: text.as_bytes().to_vec() }
}

fn verdict(text: &str, properties: &str) -> Answer {
    // Threads are executed, which comes to no end without a violation.
    let (engine, seconds) = match text.contains("work(void *at)") {
        true => (EngineId::Schedules, 5),
        false => (EngineId::BmcIncremental, 60),
    };
    let request = CheckRequest {
        specification: Specification::from_name(properties).expect("a property"),
        engine,
        on_violation: OnViolation::Stop,
        timeout: Some(Duration::from_secs(seconds)),
        ..CheckRequest::default()
    };
    match check(&mut Job::default(), &[input(text)], &request, &|_| {}) {
        Ok(report) => report.answer,
        Err(_) => panic!("no program:\n{text}"),
    }
}

fn ended(text: &str) -> Ended {
    let mut job = Job::default();
    let request = RunRequest::default();
    run(&mut job, &[input(text)], &request, Box::new(Buffers::new(b"7 7 7 7 7 7")), &mut |_| {})
        .unwrap_or_else(|_| panic!("no program:\n{text}"))
}

/// All misuses of all rows, each with a number.
fn misuses() -> Vec<(Row, usize, Misuse)> {
    let mut all = Vec::new();
    for &row in rows() {
        for (i, role) in roles(row.1).0.into_iter().enumerate() {
            all.extend(role.misuses().into_iter().map(|misuse| (row, i, misuse)));
        }
    }
    all
}

/// Calls that are not right by themselves: no buffer is large enough, or something has to come before.
const NEVER_RIGHT: &[&str] = &[
    "gets(",
    // Who unlocks or waits has to hold a lock, and the call alone holds none.
    "cnd_timedwait(",
    "cnd_wait(",
    "mtx_unlock(",
    "pthread_cond_timedwait(",
    "pthread_cond_wait(",
    "pthread_mutex_unlock(",
    "pthread_rwlock_unlock(",
    "pthread_spin_unlock(",
];

/// Functions with a pointer among their arguments that have no row, and why.
const WITHOUT: &[(&str, &[&str])] = &[
    (
        "other models call it, programs do not",
        &[
            "__vergo_format",
            "__vergo_put_char",
            "__vergo_put_end",
            "__vergo_put_float",
            "__vergo_put_integer",
            "__vergo_put_long_double",
            "__vergo_put_text",
            "__vergo_put_wide_char",
            "__vergo_put_wide_text",
            "__vergo_wide_length",
            "__vergo_use_stream",
        ],
    ),
    ("its pointers are of functions, or only handed on", &["atexit", "on_exit", "signal"]),
    ("it only keeps the pointer", &["pthread_setspecific"]),
    ("it gets its pointer from `main` alone", &["__vergo_leave_main"]),
    (
        "it asks about the pointer and does not use it",
        &["__CPROVER_OBJECT_SIZE", "__CPROVER_POINTER_OFFSET"],
    ),
    ("its text is a label", &["__CPROVER_input", "__CPROVER_output"]),
];

/// Returns whether a function of a model has a pointer among its parameters, by the text of its definition.
fn takes_pointers(text: &str, name: &str) -> bool {
    let start = format!("{name}(");
    let parameters = text.lines().find_map(|line| {
        let at = line.find(&start)?;
        let before = line[..at].chars().next_back()?;
        let is_definition = !line.starts_with([' ', '}', '/', '#'])
            && !line.ends_with(';')
            && (before == ' ' || before == '*');
        is_definition.then(|| &line[at + start.len()..])
    });
    parameters.is_none_or(|list| list.contains(['*', '[']) || list.contains("va_list"))
}

#[test]
fn every_function_with_a_model_has_a_row() {
    let text: String = rows().map(|row| format!("{} {}\n", row.0, row.1)).collect();
    let is_called = |name: &str| {
        let call = format!("{name}(");
        text.match_indices(&call)
            .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    let excused = |name: &str| WITHOUT.iter().any(|(_, names)| names.contains(&name));
    let mut missing = Vec::new();
    let mut idle = Vec::new();
    for model in MODELS {
        for real in model.instances() {
            let source = model.text(real);
            for name in model.functions(real) {
                let wanted = takes_pointers(&source, &name);
                match (wanted, is_called(&name), excused(&name)) {
                    (true, false, false) => missing.push(name),
                    (_, true, true) => idle.push(name),
                    _ => {}
                }
            }
        }
    }
    assert!(missing.is_empty(), "no row for {}", missing.join(", "));
    assert!(idle.is_empty(), "a row and an excuse for {}", idle.join(", "));
}

/// Returns whether this part of the fast tier has a turn for a number.
fn has_turn(number: usize) -> bool {
    slow() || number.is_multiple_of(12)
}

#[test]
fn engines_find_every_misuse() {
    let mut wrong = Vec::new();
    for (number, (row, i, misuse)) in misuses().into_iter().enumerate() {
        if !has_turn(number / 3) {
            continue;
        }
        let text = program(row, Some((i, misuse)));
        let all = ["default", "valid-memsafety", misuse.property()];
        let turn = number % all.len();
        for properties in if slow() { &all[..] } else { &all[turn..=turn] } {
            match verdict(&text, properties) {
                Answer::False(_) => {}
                other => wrong.push(format!("{}: {i} {misuse:?}, {properties}: {other:?}", row.1)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn runs_find_every_misuse() {
    let mut wrong = Vec::new();
    for (number, (row, i, misuse)) in misuses().into_iter().enumerate() {
        if has_turn(number) && ended(&program(row, Some((i, misuse)))) != Ended::Violation {
            wrong.push(format!("{}: {i} {misuse:?}", row.1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_right_use_is_fine() {
    let mut wrong = Vec::new();
    for (number, &row) in rows().enumerate() {
        if !has_turn(number) {
            continue;
        }
        let text = program(row, None);
        if NEVER_RIGHT.iter().any(|name| row.1.starts_with(name)) {
            continue;
        }
        if let answer @ Answer::False(_) = verdict(&text, "default") {
            wrong.push(format!("{}: {answer:?}", row.1));
        }
        if ended(&text) == Ended::Violation {
            wrong.push(format!("{}: run", row.1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! A test driver in C: compiled together with the program, it makes the counterexample happen for real.
//!
//! The driver defines the functions that the verifier gives a meaning to. Those that return nondeterministic values
//! return the recorded ones, one after the other, whichever is called: an execution asks for them in the order in which
//! the counterexample has them. All definitions are weak, so that what the program defines itself stays its own. That an
//! error function is reached is noticed by instrumentation of function entries (`-finstrument-functions`), since programs
//! define those functions too, often with an empty body. What is undefined in C is noticed by the compiler's sanitizers;
//! so that the compiler does not fold it away first, it is given a copy of the program in which constants near the
//! violation are [opaque](crate::opaque). Memory that nobody has written holds the same byte everywhere.
//!
//! If there are several threads, the driver forces the [order](crate::forced) of their steps.
//!
//! **What gets away.** A pointer to a variable of an earlier round of a loop: the compiler gives the variable of the next
//! round the same place. Values that differ between variables that nobody has written.

use crate::forced::{CALLS, Forced, ForcedKind};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use vergo_goto::property::{PropertyId, Shown};
use vergo_interp::{InputType, InputValue};

/// The data from which a test driver is made.
#[derive(Clone, Debug)]
pub struct Harness<'a> {
    /// The program's files, as the compiler is to be given them.
    pub files: &'a [String],
    /// True if pointers have 32 bits.
    pub is_32_bit: bool,
    /// The violated property's id.
    pub property: &'a str,
    /// The violated claim, in the user's words.
    pub description: &'a str,
    /// Where, in the user's words.
    pub place: &'a str,
    /// The program's text, from which the names of nondeterministic functions are taken.
    pub text: &'a [u8],
    /// Further options for the compiler.
    pub options: &'a [String],
    /// Values in the order in which they are asked for.
    pub inputs: &'a [(InputType, InputValue)],
    /// Functions of the program without a body that return a value: name and type.
    pub missing: &'a [(String, InputType)],
    /// The arguments of `main`, if they are chosen.
    pub arguments: Option<&'a Arguments>,
    /// The content of memory that nobody has written.
    pub unwritten: Unwritten,
    /// The order of steps, if there are several threads.
    pub forced: Option<&'a Forced>,
    /// For each value the thread that asks for it; empty if one does, or if that is not known.
    pub asking: &'a [usize],
}

/// The arguments of `main`: as many as `count` says, the last of which are empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arguments {
    /// The number of them.
    pub count: u64,
    /// The first of them.
    pub strings: Vec<Vec<u8>>,
}

/// The listeners that are told of accesses of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Accesses {
    /// The driver, in place of the thread sanitizer.
    Own,
    /// The thread sanitizer, after the driver.
    ThreadSanitizer,
    /// The address sanitizer, after the driver.
    AddressSanitizer,
}

/// Calls that the driver hears of besides: they stand for one of [`CALLS`], or are no steps.
const OTHER_CALLS: [&str; 8] = [
    "pthread_join",
    "pthread_exit",
    "thrd_create",
    "thrd_join",
    "mtx_lock",
    "mtx_trylock",
    "mtx_unlock",
    "cnd_wait",
];

/// The value of every byte that nobody has written. The compiler offers these two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwritten {
    /// Zero.
    Zero,
    /// 0xfe, by which gcc wants to make mistakes show.
    Pattern,
}

impl Unwritten {
    /// All of them.
    pub const ALL: [Unwritten; 2] = [Unwritten::Zero, Unwritten::Pattern];

    /// The byte.
    pub fn byte(self) -> u8 {
        match self {
            Unwritten::Zero => 0,
            Unwritten::Pattern => 0xfe,
        }
    }

    fn flag(self) -> &'static str {
        match self {
            Unwritten::Zero => "-ftrivial-auto-var-init=zero",
            Unwritten::Pattern => "-ftrivial-auto-var-init=pattern",
        }
    }
}

impl Harness<'_> {
    /// The command that builds the test from the program and the driver, in which `harness` is the driver's path and
    /// `test` the executable's.
    pub fn build_command(&self, harness: &str, test: &str) -> Vec<String> {
        let mut command: Vec<String> = vec!["gcc".into(), "-g".into(), "-w".into()];
        command.push(if self.is_32_bit { "-m32".into() } else { "-m64".into() });
        command.extend(self.options.iter().cloned());
        command.push(self.unwritten.flag().into());
        command.extend(flags(self.property));
        command.extend(self.forcing_flags());
        if self.arguments.is_some() {
            command.push("-Wl,--wrap=main".into());
        }
        command.extend(["-o".to_owned(), test.to_owned()]);
        command.extend(self.files.iter().cloned());
        command.extend([harness.to_owned(), "-lm".into(), "-lpthread".into()]);
        if self.forced.is_some() && self.sees_accesses() == Accesses::Own {
            // The compiler's own functions for what it calls are not linked.
            command.extend(["-lc", "-lgcc"].map(str::to_owned));
            if matches!(self.shown(), Shown::Sanitizer(_)) {
                command.push("-lubsan".to_owned());
            }
        }
        command
    }

    /// Returns the listeners that are told of accesses of memory, where the order of threads is forced.
    fn sees_accesses(&self) -> Accesses {
        match self.shown() {
            _ if self.property == "race" && !self.is_32_bit => Accesses::ThreadSanitizer,
            Shown::Sanitizer(names) if names.contains("address") => Accesses::AddressSanitizer,
            _ => Accesses::Own,
        }
    }

    fn shown(&self) -> Shown {
        PropertyId::from_id(self.property).map_or(Shown::Itself, |id| id.info().shown)
    }

    /// Options by which the driver hears of the steps of threads.
    fn forcing_flags(&self) -> Vec<String> {
        if self.forced.is_none() {
            return Vec::new();
        }
        // Who counts memory hears of that call.
        let is_counted = self.shown() == Shown::CountedMemory;
        let calls = CALLS.into_iter().filter(|name| !(is_counted && *name == "free"));
        let mut wrapped: Vec<String> = calls.chain(OTHER_CALLS).map(str::to_owned).collect();
        let mut hooks = |names: [&str; 2]| {
            for size in [1, 2, 4, 8, 16] {
                wrapped.extend(names.map(|name| format!("__{name}{size}")));
            }
        };
        let mut flags = Vec::new();
        match self.sees_accesses() {
            Accesses::Own => flags.extend(["-fsanitize=thread", "-nodefaultlibs"]),
            Accesses::ThreadSanitizer => {
                flags.push("-fsanitize=thread");
                hooks(["tsan_read", "tsan_write"]);
            }
            Accesses::AddressSanitizer => {
                flags.extend(["--param", "asan-instrumentation-with-call-threshold=0"]);
                hooks(["asan_load", "asan_store"]);
            }
        }
        let mut flags: Vec<String> = flags.into_iter().map(str::to_owned).collect();
        flags.extend(wrapped.iter().map(|name| format!("-Wl,--wrap={name}")));
        // What nobody defines is not called on the way.
        flags.push("-Wl,--unresolved-symbols=ignore-in-object-files".to_owned());
        flags
    }

    /// The order of threads and what forces it.
    fn scheduler(&self, out: &mut String, forced: &Forced) {
        let kinds: Vec<String> = CALLS.iter().map(|name| format!("VERGO_{name}")).collect();
        let _ = writeln!(
            out,
            "\nenum {{ VERGO_READ, VERGO_WRITE, VERGO_SECTION, {} }};",
            kinds.join(", ")
        );
        let _ = writeln!(
            out,
            "/* The steps of threads in order: whose, what, and how many bytes. */\n\
             static const struct {{ short thread, kind; unsigned size; }} vergo_order[] = {{"
        );
        for step in &forced.steps {
            let (kind, size) = match step.kind {
                ForcedKind::Read(size) => ("VERGO_READ", size),
                ForcedKind::Write(size) => ("VERGO_WRITE", size),
                ForcedKind::Call(call) => (kinds[call].as_str(), 0),
                ForcedKind::Section => ("VERGO_SECTION", 0),
            };
            let _ = writeln!(out, "    {{{}, {kind}, {size}}},", step.thread);
        }
        let accesses = self.sees_accesses();
        let _ = writeln!(
            out,
            "    {{0, 0, 0}},\n}};\nenum {{ vergo_n_steps = {}, vergo_failing = {}, vergo_racing_step = {}, vergo_is_deadlock = {} }};\n\
             #define VERGO_OWN_RUNTIME {}\n#define VERGO_THREAD_SANITIZER {}\n#define VERGO_COUNTED {}",
            forced.steps.len(),
            forced.failing,
            forced.racing.map_or(-1, |step| step as i64),
            u8::from(self.property == "thread.deadlock"),
            u8::from(accesses == Accesses::Own),
            u8::from(accesses == Accesses::ThreadSanitizer),
            u8::from(self.shown() == Shown::CountedMemory),
        );
        out.push_str(THREADS);
    }

    /// The driver's text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let clean = |text: &str| text.replace("*/", "* /").replace(['\n', '\r'], " ");
        let _ = write!(
            out,
            "/* A test driver written by Vergo.\n\n   It makes the program violate {}:\n   {} ({}).\n\n   Build and run:\n     {} && ./test\n   {} */\n",
            self.property,
            clean(self.description),
            clean(self.place),
            clean(&self.build_command("harness.c", "test").join(" ")),
            expectation(self.property),
        );
        out.push_str(match self.property {
            "cover" => ENDS_OF_COVERAGE,
            _ => ENDS,
        });
        out.push_str(PROLOGUE);
        self.error_functions(&mut out);
        let byte = self.unwritten.byte();
        let _ = writeln!(
            out,
            "\n#define VERGO_UNWRITTEN {byte}\n#define VERGO_UNWRITTEN_TEXT \"{byte}\""
        );
        out.push_str(MEMORY);
        if let Some(arguments) = self.arguments {
            arguments.define_main(&mut out);
        }
        match self.forced {
            Some(forced) => self.scheduler(&mut out, forced),
            None => out.push_str(WITHOUT_THREADS),
        }
        let _ = writeln!(out, "\n/* The values that the program asks for, as their bytes. */");
        let _ = writeln!(out, "static const unsigned char values[][16] = {{");
        for (ty, value) in self.inputs {
            let mut bytes = bytes_of(value);
            bytes.resize(16, 0);
            let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
            let _ = writeln!(out, "    {{{}}}, /* {} */", list.join(","), value.to_line(*ty));
        }
        let _ = writeln!(
            out,
            "    {{0}},\n}};\nstatic const unsigned n_values = {};",
            self.inputs.len()
        );
        let askers: String = self.asking.iter().map(|thread| format!("{thread}, ")).collect();
        let _ = writeln!(
            out,
            "static const short vergo_asking[] = {{{askers}0}};\n#define VERGO_ASKS(i) ({})",
            if self.asking.is_empty() { "1" } else { "vergo_asking[i] == vergo_me" }
        );
        out.push_str(NEXT);
        if self.property == "memory.cleanup" {
            out.push_str(COUNTED);
        }
        let mut names = nondet_names(self.text);
        for (name, ty) in self.missing {
            names.remove(name);
            let _ = writeln!(out, "VERGO_INPUT({}, {name})", type_of(*ty));
        }
        for name in names {
            let _ = writeln!(out, "VERGO_INPUT({}, {name})", type_of_name(&name));
        }
        out
    }
}

impl Harness<'_> {
    /// Writes the error functions that the program only declares: they end the test if it is about them; otherwise they
    /// return, as they do for the verifier, unless the compiler is told that they do not.
    fn error_functions(&self, out: &mut String) {
        for name in ["reach_error", "__VERIFIER_error"] {
            let body = match (self.property, is_noreturn(self.text, name)) {
                ("reach.error", _) => "vergo_report(\"the error function is called\", 10);",
                (_, true) => "exit(1);",
                (_, false) => "",
            };
            let _ = writeln!(out, "VERGO_OWN __attribute__((weak)) void {name}(void) {{ {body} }}");
        }
        out.push_str(ENTRIES);
    }
}

impl Arguments {
    /// Defines what runs instead of `main` and calls it.
    fn define_main(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "\n/* The arguments of main. */\nstatic char *vergo_arguments[{}];",
            self.count + 1
        );
        for (i, string) in self.strings.iter().enumerate() {
            // What is not written is zero in C, as behind the end of most texts.
            let n_zeros = string.iter().rev().take_while(|byte| **byte == 0).count();
            let written = &string[..string.len() - n_zeros];
            let bytes: Vec<String> = match written {
                [] => vec!["0".to_owned()],
                written => written.iter().map(u8::to_string).collect(),
            };
            let (size, bytes) = (string.len().max(1), bytes.join(","));
            let _ = writeln!(out, "static char vergo_argument{i}[{size}] = {{{bytes}}};");
        }
        let _ = writeln!(
            out,
            "int __real_main(int, char **, char **);\nVERGO_OWN int __wrap_main(int argc, char **argv, char **envp)\n{{\n    \
             static char empty[1];\n    for (unsigned i = 0; i < {}; i++)\n        vergo_arguments[i] = empty;",
            self.count
        );
        for i in 0..self.strings.len() {
            let _ = writeln!(out, "    vergo_arguments[{i}] = vergo_argument{i};");
        }
        let _ = writeln!(out, "    return __real_main({}, vergo_arguments, envp);\n}}", self.count);
    }
}

/// Checks whether the first declaration of a function says that it does not return.
fn is_noreturn(text: &[u8], name: &str) -> bool {
    let text = String::from_utf8_lossy(text);
    let Some(at) = text.find(name) else { return false };
    let (before, after) = text.split_at(at);
    let before = before.rsplit([';', '}', '\n']).next().unwrap_or_default();
    let after = after.split([';', '{']).next().unwrap_or_default();
    ["noreturn", "_Noreturn"].iter().any(|word| before.contains(word) || after.contains(word))
}

/// The bytes of a value, lowest first.
fn bytes_of(value: &InputValue) -> Vec<u8> {
    match value {
        InputValue::Bool(value) => vec![u8::from(*value)],
        InputValue::Int(bits) => bits.to_le_bytes(),
        InputValue::Float(value) => value.bits().to_le_bytes(),
        InputValue::Bytes(bytes) => bytes.iter().copied().take(16).collect(),
    }
}

/// Returns the compiler's options that make a violation show.
fn flags(property: &str) -> Vec<String> {
    let shown = PropertyId::from_id(property).map_or(Shown::Itself, |id| id.info().shown);
    let flags: &[&str] = match shown {
        Shown::Sanitizer(names) => {
            return vec![format!("-fsanitize={names}"), "-fno-sanitize-recover=all".to_owned()];
        }
        Shown::CountedMemory => {
            &["-Wl,--wrap=malloc", "-Wl,--wrap=calloc", "-Wl,--wrap=realloc", "-Wl,--wrap=free"]
        }
        Shown::ErrorFunction | Shown::Itself => &["-finstrument-functions"],
    };
    flags.iter().map(|&flag| flag.to_owned()).collect()
}

fn expectation(property: &str) -> &'static str {
    match property {
        "reach.error" => {
            "The test says that the error function is called, and ends with status 10."
        }
        "user.assert" => "The test ends with a failed assertion.",
        "memory.leak" => "The test ends with a leak that the address sanitizer reports.",
        "memory.cleanup" => {
            "The test says that memory is not freed at the end, and ends with status 10."
        }
        "call.no-body" => "The test calls the function that has no body.",
        _ => "The test ends with an error that the sanitizer reports, or with a signal.",
    }
}

/// The functions of the program whose names say that they return any value.
fn nondet_names(text: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(text);
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let prefixes = ["__VERIFIER_nondet_", "nondet_", "__CPROVER_nondet_"];
    words
        .filter(|word| {
            prefixes.iter().any(|prefix| word.starts_with(prefix) && word.len() > prefix.len())
        })
        .map(str::to_owned)
        .collect()
}

/// The C type that a function of this name returns.
fn type_of_name(name: &str) -> &'static str {
    match name.rsplit("nondet_").next().unwrap_or_default() {
        "bool" | "_Bool" => "_Bool",
        "char" => "char",
        "uchar" | "u8" | "unsigned_char" => "unsigned char",
        "s8" => "signed char",
        "short" | "s16" => "short",
        "ushort" | "u16" => "unsigned short",
        "uint" | "unsigned" | "u32" | "unsigned_int" => "unsigned int",
        "long" | "loff_t" | "ptrdiff_t" | "off_t" | "ssize_t" => "long",
        "ulong" | "size_t" | "sector_t" | "pthread_t" | "ulong_t" => "unsigned long",
        "longlong" | "s64" => "long long",
        "ulonglong" | "u64" => "unsigned long long",
        "int128" => "VERGO_WIDE",
        "uint128" => "unsigned VERGO_WIDE",
        "float" => "float",
        "double" => "double",
        "ldouble" | "long_double" => "long double",
        "pointer" | "charp" | "pchar" | "const_char_pointer" => "void *",
        _ => "int",
    }
}

fn type_of(ty: InputType) -> &'static str {
    match ty {
        InputType::Bool => "_Bool",
        InputType::Int(true, 0..=8) => "signed char",
        InputType::Int(false, 0..=8) => "unsigned char",
        InputType::Int(true, 9..=16) => "short",
        InputType::Int(false, 9..=16) => "unsigned short",
        InputType::Int(true, 17..=32) => "int",
        InputType::Int(false, 17..=32) => "unsigned int",
        InputType::Int(true, 33..=64) => "long long",
        InputType::Int(false, 33..=64) => "unsigned long long",
        InputType::Int(true, _) => "VERGO_WIDE",
        InputType::Int(false, _) => "unsigned VERGO_WIDE",
        InputType::Float(format) if format.width() == 32 => "float",
        InputType::Float(format) if format.width() == 64 => "double",
        InputType::Float(_) => "long double",
        InputType::Pointer(_) => "void *",
        InputType::Bytes(_) => "int",
    }
}

const ENDS: &str = r#"
#define VERGO_END(status) _exit(status)
#define vergo_used_up() ((void)0)
"#;

/// Coverage is written down by `exit` alone, and what is reached behind the last value is nobody's choice.
const ENDS_OF_COVERAGE: &str = r#"
#include <signal.h>
#include <stdlib.h>
#define VERGO_END(status) exit(status)
#define vergo_used_up() exit(0)

static void vergo_caught(int number) { exit(128 + number); }
__attribute__((constructor)) static void vergo_catch(void)
{
    signal(SIGABRT, vergo_caught);
    signal(SIGALRM, vergo_caught);
    signal(SIGFPE, vergo_caught);
    signal(SIGSEGV, vergo_caught);
    signal(SIGTERM, vergo_caught);
}
"#;

const PROLOGUE: &str = r#"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SIZEOF_INT128__
#define VERGO_WIDE __int128
#else
#define VERGO_WIDE long long
#endif
#define VERGO_OWN __attribute__((no_instrument_function, no_sanitize("thread")))

VERGO_OWN static void vergo_report(const char *what, int status)
{
    fflush(stdout);
    fprintf(stderr, "vergo: %s\n", what);
    VERGO_END(status);
}

VERGO_OWN __attribute__((weak)) void __VERIFIER_assert(int holds)
{
    if (!holds)
        vergo_report("an assertion fails", 10);
}
VERGO_OWN static void vergo_stop(void);
VERGO_OWN __attribute__((weak)) void __VERIFIER_assume(int holds)
{
    if (!holds) {
        vergo_stop();
        vergo_report("an assumption does not hold", 20);
    }
}
VERGO_OWN static void vergo_section(int begins);
VERGO_OWN __attribute__((weak)) void __VERIFIER_atomic_begin(void) { vergo_section(1); }
VERGO_OWN __attribute__((weak)) void __VERIFIER_atomic_end(void) { vergo_section(0); }
"#;

const ENTRIES: &str = r#"
/* Called at the entry of each function of the program. */
VERGO_OWN void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    if (function == (void *)reach_error || function == (void *)__VERIFIER_error)
        vergo_report("the error function is called", 10);
}
VERGO_OWN void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
}
"#;

/// Memory from the heap, and what the address sanitizer is to look for.
const MEMORY: &str = r#"
#ifdef __SANITIZE_ADDRESS__
VERGO_OWN const char *__asan_default_options(void)
{
    return "detect_leaks=1:detect_stack_use_after_return=1:"
           "max_malloc_fill_size=1048576:malloc_fill_byte=" VERGO_UNWRITTEN_TEXT;
}
#else
VERGO_OWN __attribute__((constructor)) static void vergo_at_start(void)
{
    mallopt(M_PERTURB, 0xff ^ VERGO_UNWRITTEN);
}
#endif
"#;

/// The definitions for a driver with one thread, in place of waiting for others.
const WITHOUT_THREADS: &str = "
VERGO_OWN static void vergo_stop(void) {}
VERGO_OWN static void vergo_section(int begins) { (void)begins; }
";

/// The code that forces the order of threads.
const THREADS: &str = include_str!("harness/threads.c");

const NEXT: &str = r#"
/* The next value that the present thread asks for; zeros after the last, if the test goes on there. */
VERGO_OWN static void vergo_next(void *to, unsigned size)
{
    static char taken[sizeof values / sizeof *values];
    static unsigned first;
    while (first < n_values && taken[first])
        first++;
    unsigned next = first;
    while (next < n_values && (taken[next] || !VERGO_ASKS(next)))
        next++;
    if (next == n_values)
        vergo_used_up();
    taken[next] = 1;
    memcpy(to, values[next], size < 16 ? size : 16);
}

#define VERGO_INPUT(type, name) \
    VERGO_OWN __attribute__((weak)) type name(void) \
    { \
        type value; \
        memset(&value, 0, sizeof value); \
        vergo_next(&value, sizeof value); \
        return value; \
    }

"#;

/// Allocations are counted, since sanitizers do not report memory that can still be reached.
const COUNTED: &str = r#"
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);
static long vergo_live;

VERGO_OWN void *__wrap_malloc(size_t size)
{
    vergo_live++;
    return __real_malloc(size);
}
VERGO_OWN void *__wrap_calloc(size_t n, size_t size)
{
    vergo_live++;
    return __real_calloc(n, size);
}
VERGO_OWN void *__wrap_realloc(void *old, size_t size)
{
    vergo_live += !old;
    return __real_realloc(old, size);
}
VERGO_OWN void __wrap_free(void *pointer)
{
    vergo_live -= !!pointer;
    __real_free(pointer);
}
VERGO_OWN __attribute__((destructor)) static void vergo_at_end(void)
{
    if (vergo_live > 0)
        vergo_report("memory is not freed at the end", 10);
}

"#;

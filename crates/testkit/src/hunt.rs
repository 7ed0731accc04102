//! A standing hunt for wrong verdicts: random C programs, compared with what gcc really does.
//!
//! A *scene* is a small random program that computes *observations*: numbers that say what happened. gcc compiles it with
//! and without sanitizers and optimisation and runs it. What gcc's executions show really happens, so that three rules
//! hold whatever the scene does:
//!
//! 1. A sanitizer stops it, or it crashes: `vergo check` must not say `true`.
//! 2. It ends with observations `v`: the program that calls `reach_error()` if its observations are `v` must not be `true`.
//! 3. If C fixes its observations (the scene is *exact*) and nothing stops it: the program that calls `reach_error()`
//!    if they are not `v` must not be `false`, and `vergo run` ends without a violation and with `v`.
//!
//! Where `true` is wrong, a prover is asked alone, too: who finds the violation first hides what the others would have said.
//! Besides, Vergo must not crash. `unknown` is never wrong; how often it is said is counted.
//!
//! One file below `hunt/` has the scenes of one family, registered in [`FAMILIES`]. Scenes are compiled in batches, each
//! run in a process of its own, because starting compilers is what costs. A difference is shrunk line by line
//! ([`Hunter::shrink`]).

mod arithmetic;
mod calls;
mod heap;
mod library;
mod loops;
mod native;
mod objects;
mod pointers;
mod threads;
mod undefined;
mod verdicts;

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::Rng;
use crate::host_c::Scratch;
pub use native::Native;
use native::Observed;
pub use verdicts::Verdict;

/// One engine for each way from a program to a proof; the seed of a scene says who is asked.
const PROVERS: [&str; 4] = ["kind", "shapes", "localisation", "imc"];

/// The same for programs with threads.
const PROVERS_OF_THREADS: [&str; 3] = ["exploration", "interleavings", "thread-modular"];

/// The time that a prover alone has. On programs this small a wrong proof comes at once; the rest of the time would go to
/// those that have none.
const PROVER_LIMIT: Duration = Duration::from_millis(400);

/// A family of scenes: its name and the function that writes one.
pub struct Family {
    /// Its name in reports.
    pub name: &'static str,
    cost: Cost,
    write: fn(&mut Rng, &mut Scene),
}

/// The time that provers take for the scenes of a family.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// Little.
    Little,
    /// Much, since they look for invariants: only who names the family gets it.
    Much,
}

macro_rules! families {
    ($($name:literal: $cost:ident => $write:path,)*) => {
        /// All families, in the order of their names.
        pub const FAMILIES: &[Family] = &[$(Family { name: $name, cost: Cost::$cost, write: $write }),*];
    };
}

families! {
    "addresses": Little => pointers::addresses,
    "aggregates": Little => objects::aggregates,
    "arithmetic": Little => arithmetic::integers,
    "bit-fields": Little => objects::bit_fields,
    "calls": Little => calls::calls,
    "constants": Little => objects::constants,
    "floats": Little => arithmetic::floats,
    "formats": Little => library::formats,
    "heap": Little => heap::heap,
    "inputs": Little => calls::inputs,
    "jumps": Little => calls::jumps,
    "library": Little => library::results,
    "lifetimes": Little => heap::lifetimes,
    "lists": Much => loops::lists,
    "loops": Much => loops::loops,
    "machines": Much => loops::machines,
    "misuse": Little => undefined::misuse,
    "orders": Much => threads::orders,
    "pointers": Little => pointers::pointers,
    "recursion": Much => loops::recursion,
    "sequence": Little => calls::sequence,
    "strings": Little => library::strings,
    "undefined": Little => undefined::undefined,
    "unions": Little => objects::unions,
    "variadics": Little => calls::variadics,
    "workers": Much => threads::workers,
}

/// A random program. In its lines, `$` stands for a prefix that is different in every scene of a batch.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The family and the seed it came from.
    pub family: &'static str,
    /// The seed.
    pub seed: u64,
    /// Declarations at file scope, one per entry.
    globals: Vec<String>,
    /// Statements of the program, one per entry.
    body: Vec<String>,
    /// True if C fixes all observations.
    exact: bool,
    /// True if it takes inputs (`__VERIFIER_nondet_…`), so that gcc shows only some of its executions.
    inputs: bool,
    /// True if it needs the host's headers.
    headers: bool,
    /// True if it has threads.
    threads: bool,
    /// An operation is careless once in so many times; never if it is 0.
    risk: usize,
}

impl Scene {
    /// The scene of a seed, of a family that costs little.
    #[must_use]
    pub fn new(seed: u64) -> Scene {
        let mut rng = Rng::new(seed);
        let quick: Vec<&Family> =
            FAMILIES.iter().filter(|family| family.cost == Cost::Little).collect();
        let family = *rng.choose(&quick);
        Scene::of(family, seed, &mut rng)
    }

    /// A scene of one family.
    #[must_use]
    pub fn of(family: &Family, seed: u64, rng: &mut Rng) -> Scene {
        let mut scene = Scene {
            family: family.name,
            seed,
            globals: Vec::new(),
            body: Vec::new(),
            exact: true,
            inputs: false,
            headers: false,
            threads: false,
            // Two of three scenes do nothing wrong on purpose: they show false alarms, the others misses.
            risk: *rng.choose(&[0, 0, 3]),
        };
        (family.write)(rng, &mut scene);
        scene
    }

    /// Decides whether the next operation is written carelessly.
    fn slips(&self, rng: &mut Rng) -> bool {
        self.risk > 0 && rng.one_in(self.risk)
    }

    /// Adds a declaration at file scope.
    fn global(&mut self, text: impl Into<String>) {
        self.globals.push(text.into());
    }

    /// Adds a statement.
    fn line(&mut self, text: impl Into<String>) {
        self.body.push(text.into());
    }

    /// An operation on two values. Compilers fold `a - b != 0` to `a != b`, and sanitizers then do not see that the difference
    /// overflows; [`Form::Apart`] computes the values one by one.
    fn operation(left: &str, op: &str, right: &str) -> String {
        format!("\u{1}{left}\u{2}{op}\u{3}{right}\u{4}")
    }

    /// Adds an observation of a value that converts to an integer.
    fn observe(&mut self, expr: impl std::fmt::Display) {
        self.body.push(format!("observe_({expr});"));
    }

    /// Adds an observation of the bytes of a variable.
    fn observe_bytes(&mut self, place: &str, n: &str) {
        self.body.push(format!(
            "for (unsigned i_ = 0; i_ < {n}; i_++) observe_(((unsigned char *)&{place})[i_]);"
        ));
    }

    /// The scene as a program of its own, whose observations are taken by `each` and looked at by `end`.
    fn program(&self, each: &str, end: &str) -> String {
        let mut text = String::new();
        text.push_str(if self.headers { HEADERS } else { DECLARATIONS });
        text.push_str(SUPPORT);
        let _ = writeln!(text, "static void observe_(unsigned long long value) {{ {each} }}");
        self.write_parts(&mut text, "", Form::Plain);
        let _ = writeln!(text, "int main(void) {{\n  run_();\n{end}\n  return 0;\n}}");
        text
    }

    fn write_parts(&self, text: &mut String, prefix: &str, form: Form) {
        let written = |line: &str| form.written(line).replace('$', prefix);
        for line in &self.globals {
            let _ = writeln!(text, "{}", written(line));
        }
        let _ = writeln!(text, "static void {prefix}run_(void) {{");
        for line in &self.body {
            let _ = writeln!(text, "  {}", written(line));
        }
        text.push_str("}\n");
    }

    /// The program that calls `reach_error` if its observations are (or are not) those that gcc's execution made.
    fn twin(&self, observed: &[u64], equal: bool) -> String {
        let each = format!(
            "if (n_seen_ >= {n} || seen_[n_seen_] != value) differs_ = 1;\n  n_seen_++;",
            n = observed.len()
        );
        let end = if equal {
            format!("  if (!differs_ && n_seen_ == {}) reach_error();", observed.len())
        } else {
            format!("  if (differs_ || n_seen_ != {}) reach_error();", observed.len())
        };
        let mut values = String::new();
        for value in observed {
            let _ = write!(values, "{value}ull, ");
        }
        let state = format!(
            "static int differs_;\nstatic unsigned n_seen_;\nstatic const unsigned long long seen_[] = {{ {values}0 }};\n"
        );
        state + &self.program(&each, &end)
    }

    /// The program that prints its observations.
    fn printing(&self) -> String {
        self.program("printf(\"%llu\\n\", value);", "  fflush(0);")
    }
}

/// The form of operations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As C has them.
    Plain,
    /// With a variable for each operand and result that the compiler may not look through.
    Apart,
}

impl Form {
    fn written(self, line: &str) -> String {
        let words = match self {
            Form::Plain => ["(", " ", " ", ")"],
            Form::Apart => [
                "({ volatile __auto_type x_ = ",
                "; volatile __auto_type z_ = x_ ",
                " ",
                "; z_; })",
            ],
        };
        line.chars().fold(String::new(), |mut text, c| {
            match c {
                '\u{1}'..='\u{4}' => text.push_str(words[c as usize - 1]),
                _ => text.push(c),
            }
            text
        })
    }
}

const HEADERS: &str = "#include <ctype.h>\n#include <errno.h>\n#include <math.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <setjmp.h>\n#include <stdarg.h>\n\
#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n\
#include <time.h>\n#include <unistd.h>\n#include <wchar.h>\n";

/// The declarations for scenes without headers, written by hand so that no preprocessor has to run.
const DECLARATIONS: &str = "typedef unsigned long size_t;\ntypedef long ptrdiff_t;\ntypedef unsigned long uintptr_t;\n\
typedef __builtin_va_list va_list;\n\
extern void *malloc(size_t);\nextern void *calloc(size_t, size_t);\nextern void *realloc(void *, size_t);\nextern void free(void *);\n\
extern void *memcpy(void *, const void *, size_t);\nextern void *memmove(void *, const void *, size_t);\n\
extern void *memset(void *, int, size_t);\nextern int memcmp(const void *, const void *, size_t);\n\
extern void *memchr(const void *, int, size_t);\n\
extern size_t strlen(const char *);\nextern char *strcpy(char *, const char *);\nextern char *strncpy(char *, const char *, size_t);\n\
extern char *strcat(char *, const char *);\nextern char *strncat(char *, const char *, size_t);\n\
extern int strcmp(const char *, const char *);\nextern int strncmp(const char *, const char *, size_t);\n\
extern char *strchr(const char *, int);\nextern char *strrchr(const char *, int);\nextern char *strstr(const char *, const char *);\n\
extern char *strdup(const char *);\nextern size_t strspn(const char *, const char *);\nextern size_t strcspn(const char *, const char *);\n\
extern int printf(const char *, ...);\nextern int sprintf(char *, const char *, ...);\n\
extern int snprintf(char *, size_t, const char *, ...);\nextern int sscanf(const char *, const char *, ...);\n\
extern int puts(const char *);\nextern int fflush(void *);\nextern int atoi(const char *);\nextern long strtol(const char *, char **, int);\n\
extern void abort(void);\nextern void exit(int);\nextern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n\
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));\n";

const SUPPORT: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
extern unsigned __VERIFIER_nondet_uint(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
extern long __VERIFIER_nondet_long(void);\n";

/// A difference between two answers.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Which rule is broken, in a few words.
    pub rule: String,
    /// The scene, shrunk.
    pub scene: Scene,
    /// The program that shows it.
    pub text: String,
}

/// Numbers of a hunt.
#[derive(Clone, Default, Debug)]
pub struct Count {
    /// Scenes compared.
    pub scenes: usize,
    /// Scenes that gcc does not compile or that take too long.
    pub skipped: usize,
    /// Questions put to `vergo check`.
    pub questions: usize,
    /// Answers `unknown`.
    pub unknown: usize,
    /// Scenes that a sanitizer stopped or that crashed.
    pub violating: usize,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.scenes += other.scenes;
        self.skipped += other.skipped;
        self.questions += other.questions;
        self.unknown += other.unknown;
        self.violating += other.violating;
    }
}

/// The tools that a hunt compares.
pub struct Hunter {
    native: Native,
    vergo: PathBuf,
    limit: Duration,
    folder: Scratch,
}

/// A wrong end of a question to Vergo, if it is wrong.
type Wrong = Option<(String, String)>;

impl Hunter {
    /// Compares the program `vergo` with the host's compiler; `None` if there is no compiler with sanitizers.
    ///
    /// # Errors
    /// If no folder can be made for the programs.
    pub fn new(vergo: PathBuf, limit: Duration) -> io::Result<Option<Hunter>> {
        let Some(native) = Native::find() else { return Ok(None) };
        Ok(Some(Hunter { native, vergo, limit, folder: Scratch::new("hunt")? }))
    }

    /// Compares a batch of scenes.
    ///
    /// # Errors
    /// If a tool cannot be started.
    pub fn compare(&self, scenes: &[Scene], count: &mut Count) -> io::Result<Vec<Difference>> {
        let observed = self.native.run(scenes)?;
        let mut differences = Vec::new();
        for (scene, observed) in scenes.iter().zip(observed) {
            count.scenes += 1;
            if let Some((rule, text)) = self.judge(scene, &observed, count)? {
                differences.push(Difference { rule, scene: scene.clone(), text });
            }
        }
        Ok(differences)
    }

    /// Applies the rules to one scene.
    fn judge(&self, scene: &Scene, observed: &Observed, count: &mut Count) -> io::Result<Wrong> {
        match observed {
            Observed::Nothing => count.skipped += 1,
            Observed::Stopped(how) => {
                count.violating += 1;
                let text = scene.twin(&[], false);
                if let Some(wrong) = self.proved(scene, &text, count)? {
                    return Ok(Some((format!("{how}, but {wrong}"), text)));
                }
            }
            Observed::Ended(runs) => {
                for values in runs {
                    let text = scene.twin(values, true);
                    if let Some(wrong) = self.proved(scene, &text, count)? {
                        let rule = format!("gcc's execution is not among ours: {wrong}");
                        return Ok(Some((rule, text)));
                    }
                }
                let [values] = runs.as_slice() else { return Ok(None) };
                if !scene.exact {
                    return Ok(None);
                }
                let text = scene.twin(values, false);
                let verdict = self.check(&text, None, count)?;
                let wrong = match &verdict {
                    Verdict::Crash(_) => true,
                    // With inputs, another execution may violate what gcc's did not.
                    Verdict::False(_) => !scene.inputs,
                    _ => false,
                };
                if wrong {
                    return Ok(Some((format!("C fixes what is observed, but {verdict}"), text)));
                }
                if !scene.inputs {
                    let text = scene.printing();
                    if let Some(how) = self.run(&text, values)? {
                        return Ok(Some((how, text)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Asks about a program that can go wrong; gives a proof that it cannot, or a crash.
    fn proved(&self, scene: &Scene, text: &str, count: &mut Count) -> io::Result<Option<String>> {
        let provers: &[&str] = if scene.threads { &PROVERS_OF_THREADS } else { &PROVERS };
        let prover = provers[(scene.seed % provers.len() as u64) as usize];
        for engine in [None, Some(prover)] {
            let verdict = self.check(text, engine, count)?;
            if matches!(verdict, Verdict::True | Verdict::Crash(_)) {
                let of = engine.map_or(String::new(), |engine| format!(" ({engine})"));
                return Ok(Some(format!("{verdict}{of}")));
            }
        }
        Ok(None)
    }

    fn check(&self, text: &str, engine: Option<&str>, count: &mut Count) -> io::Result<Verdict> {
        count.questions += 1;
        let file = self.folder.write("scene.c", text)?;
        let limit = if engine.is_some() { self.limit.min(PROVER_LIMIT) } else { self.limit };
        let verdict = verdicts::check(&self.vergo, &file, engine, limit)?;
        let is_unknown = engine.is_none() && matches!(verdict, Verdict::Unknown(_));
        count.unknown += usize::from(is_unknown);
        Ok(verdict)
    }

    fn run(&self, text: &str, values: &[u64]) -> io::Result<Option<String>> {
        verdicts::run(&self.vergo, &self.folder.write("scene.c", text)?, values, self.limit)
    }

    /// Removes lines from a scene as long as some rule stays broken in the same way.
    ///
    /// # Errors
    /// If a tool cannot be started.
    pub fn shrink(&self, found: Difference) -> io::Result<Difference> {
        let kind = |rule: &str| rule.split(['(', ':']).next().unwrap_or_default().to_owned();
        let wanted = kind(&found.rule);
        let mut best = found;
        let mut count = Count::default();
        let mut changed = true;
        while changed {
            changed = false;
            for part in 0..2 {
                let mut at = 0;
                loop {
                    let mut scene = best.scene.clone();
                    let lines = if part == 0 { &mut scene.body } else { &mut scene.globals };
                    if at >= lines.len() {
                        break;
                    }
                    lines.remove(at);
                    let observed = self.native.run(std::slice::from_ref(&scene))?;
                    match self.judge(&scene, &observed[0], &mut count)? {
                        Some((rule, text)) if kind(&rule) == wanted => {
                            best = Difference { rule, scene, text };
                            changed = true;
                        }
                        _ => at += 1,
                    }
                }
            }
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_sorted_and_deterministic() {
        assert!(FAMILIES.is_sorted_by_key(|family| family.name));
        for seed in 0..200 {
            assert_eq!(Scene::new(seed).printing(), Scene::new(seed).printing());
        }
    }

    /// Every scene of a sample compiles: a scene that gcc refuses compares nothing.
    #[test]
    fn scenes_compile() {
        let Some(native) = Native::find() else {
            crate::environment::skip("hunt::scenes_compile", "no gcc with sanitizers");
            return;
        };
        let scenes: Vec<Scene> = (0..2)
            .flat_map(|seed| {
                FAMILIES.iter().map(move |family| Scene::of(family, seed, &mut Rng::new(seed)))
            })
            .collect();
        let observed = native.run(&scenes).unwrap();
        for (scene, observed) in scenes.iter().zip(observed) {
            assert_ne!(observed, Observed::Nothing, "{} {}", scene.family, scene.seed);
        }
    }
}

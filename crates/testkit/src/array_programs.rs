//! Programs with loops over arrays, some of which violate their assertions.
//!
//! One to three arrays, one to four loops (up, down, in strides, over a part, `for`, `while`, `do`; nested ones; with
//! guards, `break`, `continue`, `return`, flags, counters and greatest elements), and assertions over elements, in loops
//! and behind them. No access is outside of its array and no arithmetic overflows, so that all that can go wrong is an
//! assertion.

use crate::Rng;
use std::fmt::Write;

/// A program from a seed.
pub fn array_program(seed: u64) -> String {
    let mut maker = Maker { rng: Rng::new(seed), size: 0, arrays: 0, text: String::new() };
    maker.program();
    maker.text
}

/// A program from a seed all of whose loops access all elements of their arrays, each in its own iteration, so that the
/// transformation by witness indices is exact.
pub fn full_array_program(seed: u64) -> String {
    let mut maker = Maker { rng: Rng::new(seed), size: 0, arrays: 0, text: String::new() };
    maker.full_program();
    maker.text
}

struct Maker {
    rng: Rng,
    size: usize,
    arrays: usize,
    text: String,
}

const NAMES: [&str; 3] = ["a", "b", "c"];

impl Maker {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn program(&mut self) {
        self.size = self.rng.between(2, 7);
        self.arrays = self.rng.between(1, 3);
        let size = self.size;
        self.line("extern int __VERIFIER_nondet_int(void);");
        self.line("extern void reach_error(void);");
        self.line("void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }");
        self.line("int small(void) { return __VERIFIER_nondet_int() & 3; }");
        let passed = self.rng.one_in(3);
        if passed {
            self.line("void fill(int *p, int n, int v) { for (int i = 0; i < n; i++) p[i] = v; }");
            self.line("int find(int p[], int n, int v) { int i; for (i = 0; i < n; i++) { if (p[i] == v) return i; } return -1; }");
        }
        let mut locals = Vec::new();
        for name in NAMES.iter().take(self.arrays) {
            match self.rng.below(5) {
                0 => self.line(&format!("int {name}[{size}];")),
                1 => self.line(&format!("int {name}[{size}] = {{ 1, 2 }};")),
                2 => locals.push(format!("int *{name} = malloc({size} * sizeof(int)); for (i = 0; i < {size}; i++) {name}[i] = small();")),
                3 => locals.push(format!("int {name}[{size}]; for (i = 0; i < {size}; i++) {name}[i] = small();")),
                _ => locals.push(format!("int {name}[{size}] = {{ 3 }};")),
            }
        }
        if locals.iter().any(|text| text.contains("malloc")) {
            self.line("extern void *malloc(unsigned long);");
        }
        self.line("int main(void) {");
        self.line("int i = 0, j = 0, s = 0, f = 1, m = 0; int in = small();");
        for text in locals {
            self.line(&text);
        }
        for _ in 0..self.rng.between(1, 4) {
            if passed && self.rng.one_in(3) {
                let name = self.array();
                let (n, v) = (self.rng.between(0, size), self.rng.below(4));
                match self.rng.below(2) {
                    0 => self.line(&format!("fill({name}, {n}, {v});")),
                    _ => self.line(&format!("j = find({name}, {n}, {v}); if (j < 0) j = 0;")),
                }
            } else {
                self.a_loop();
            }
            if self.rng.one_in(4) {
                let text = self.claim("0", 0, 0);
                self.line(&text);
            }
        }
        let last = self.claim("0", 0, 0);
        match self.rng.below(3) {
            0 => self.line(&last),
            _ => {
                let body = self.claim("x", 0, 0);
                self.line(&format!("for (int x = 0; x < {size}; x++) {{ {body} }}"));
            }
        }
        self.line("return 0; }");
    }

    fn full_program(&mut self) {
        self.size = self.rng.between(2, 7);
        self.arrays = self.rng.between(1, 3);
        let size = self.size;
        self.line("extern int __VERIFIER_nondet_int(void);");
        self.line("extern void reach_error(void);");
        self.line("void __VERIFIER_assert(int cond) { if (!cond) { reach_error(); } }");
        self.line("int small(void) { return __VERIFIER_nondet_int() & 3; }");
        for name in NAMES.iter().take(self.arrays) {
            self.line(&format!("int {name}[{size}];"));
        }
        self.line("int main(void) { int i, k; int in = small();");
        for last in [false, false, true] {
            let mut body = String::new();
            if self.rng.one_in(2) {
                let value = ["i", "2", "in", "i & 1", "small()"][self.rng.below(5)];
                let _ = write!(body, "k = {value}; ");
            } else {
                body.push_str("k = 1; ");
            }
            for _ in 0..self.rng.between(1, 2) {
                let (place, value) = (self.array(), self.full_value());
                let (left, right) = (self.full_value(), self.full_value());
                let guard = if self.rng.one_in(3) {
                    format!("if ({left} < {right}) ")
                } else {
                    String::new()
                };
                let _ = write!(body, "{guard}{place}[i] = {value} & 7; ");
            }
            if last {
                let op = self.rng.choose(&["==", "!=", "<=", ">="]);
                let (left, right) = (self.array(), self.full_value());
                let _ = write!(body, "__VERIFIER_assert({left}[i] {op} {right}); ");
            }
            self.line(&format!("for (i = 0; i < {size}; i++) {{ {body}}}"));
        }
        self.line("return 0; }");
    }

    /// A value in an iteration of a loop over all elements.
    fn full_value(&mut self) -> String {
        match self.rng.below(6) {
            0 => self.rng.below(4).to_string(),
            1 => "in".to_owned(),
            2 => "k".to_owned(),
            _ => format!("{}[i]", self.array()),
        }
    }

    fn array(&mut self) -> &'static str {
        NAMES[self.rng.below(self.arrays)]
    }

    /// An index around a counter that is at least `low` above zero and `high` below the last index.
    fn index(&mut self, counter: &str, low: usize, high: usize) -> String {
        let last = self.size - 1;
        match self.rng.below(8) {
            0 if low > 0 => format!("{counter} - {low}"),
            1 if high > 0 => format!("{counter} + {high}"),
            2 => format!("{last} - {counter}"),
            3 => self.rng.below(self.size).to_string(),
            4 if self.rng.one_in(2) => "in".to_owned(),
            _ => counter.to_owned(),
        }
        .replace("in", &format!("(in < {} ? in : 0)", self.size))
    }

    fn element(&mut self, counter: &str, low: usize, high: usize) -> String {
        let name = self.array();
        let index = self.index(counter, low, high);
        format!("{name}[{index}]")
    }

    fn value(&mut self, counter: &str, low: usize, high: usize) -> String {
        match self.rng.below(7) {
            0 => "small()".to_owned(),
            1 => counter.to_owned(),
            2 => self.rng.below(4).to_string(),
            3 => format!("({} & 7) + 1", self.element(counter, low, high)),
            4 => ["s", "m", "f", "j", "in"][self.rng.below(5)].to_owned(),
            _ => self.element(counter, low, high),
        }
    }

    fn condition(&mut self, counter: &str, low: usize, high: usize) -> String {
        let left = self.value(counter, low, high);
        let right = self.value(counter, low, high);
        let op = self.rng.choose(&["==", "!=", "<", "<=", ">", ">="]);
        format!("{left} {op} {right}")
    }

    fn claim(&mut self, counter: &str, low: usize, high: usize) -> String {
        let claim = match self.rng.below(4) {
            0 => {
                let (x, y) =
                    (self.condition(counter, low, high), self.condition(counter, low, high));
                format!("{x} || {y}")
            }
            1 => format!("{} >= 0", self.element(counter, low, high)),
            _ => self.condition(counter, low, high),
        };
        match self.rng.below(3) {
            0 => format!("if ({}) __VERIFIER_assert({claim});", self.condition(counter, low, high)),
            _ => format!("__VERIFIER_assert({claim});"),
        }
    }

    fn statement(&mut self, counter: &str, low: usize, high: usize, depth: usize) -> String {
        let size = self.size;
        match self.rng.below(16) {
            0..=4 => {
                let place = self.element(counter, low, high);
                format!("{place} = {};", self.value(counter, low, high))
            }
            5 => format!(
                "{} = {} & 7;",
                self.element(counter, low, high),
                self.element(counter, low, high)
            ),
            6 => {
                let element = self.element(counter, low, high);
                format!("if ({element} > m) m = {element};")
            }
            7 => format!("if ({}) f = 0;", self.condition(counter, low, high)),
            8 => {
                let name = self.array();
                let value = self.value(counter, low, high);
                let guard = self.condition(counter, low, high);
                format!(
                    "if ({guard} && j < {size} - 1 && j >= 0) {{ {name}[j] = {value}; j = j + 1; }}"
                )
            }
            9 => format!("s = (s + {}) & 7;", self.value(counter, low, high)),
            10 => self.claim(counter, low, high),
            11 => {
                let jump = ["break", "continue", "return 0"][self.rng.below(3)];
                format!("if ({}) {jump};", self.condition(counter, low, high))
            }
            12 => format!("{}++;", self.element(counter, low, high).replace(";", "")) + " ",
            13 if depth == 0 => {
                let body = self.statement("y", 0, 0, 1);
                format!("for (int y = 0; y < {size}; y++) {{ {body} }}")
            }
            _ => {
                let then = self.statement(counter, low, high, depth + 1);
                format!("if ({}) {{ {then} }}", self.condition(counter, low, high))
            }
        }
    }

    fn a_loop(&mut self) {
        let size = self.size;
        let (low, high) = (self.rng.below(2), self.rng.below(2));
        let mut body = String::new();
        for _ in 0..self.rng.between(1, 3) {
            let statement = self.statement("i", low, high, 0);
            let _ = write!(body, "{statement} ");
        }
        let end = size - high;
        let stride = if self.rng.one_in(4) { self.rng.between(2, 3) } else { 1 };
        // `continue` skips a step in the body.
        let shape = if body.contains("continue") { 0 } else { self.rng.below(5) };
        let text = match shape {
            1 => format!("i = {low}; while (i < {end}) {{ {body} i = i + {stride}; }}"),
            2 => format!("i = {low}; do {{ {body} i += {stride}; }} while (i < {end});"),
            3 => format!("for (i = {end} - 1; i >= {low}; i--) {{ {body} }}"),
            _ => format!("for (i = {low}; i < {end}; i += {stride}) {{ {body} }}"),
        };
        // A `do` needs one round, and the first index must exist.
        if low < end {
            self.line(&text);
        }
    }
}

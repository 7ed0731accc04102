//! Random C programs of which some go wrong: for comparing what different tools call wrong.
//!
//! A program computes with integers of all sizes, arrays, matrices, structures, pointers, strings and the heap, and
//! prints what it computes. Almost every operation is written so that it cannot go wrong (masked, guarded, in range).
//! Now and then, by the program's own measure of risk, the care is left out: then whether the operation goes wrong
//! depends on the values, and the oracle says it. A third of the programs take no risk at all, so that they show false
//! alarms; the others show misses as well.
//!
//! Each mistake is on a line of its own, so that reports can be compared by line, and no program uses a value that
//! was never set. Memory is overrun by little, because an address sanitizer sees no more than its red zones.

/// Writes a line of the program.
macro_rules! put {
    ($generator:expr, $($format:tt)*) => {{
        let line = format!($($format)*);
        $generator.line(&line);
    }};
}

mod memory;

use std::fmt::Write;

use crate::Rng;

/// The integer types: the name, and what names of variables begin with.
const TYPES: &[(&str, &str)] = &[
    ("signed char", "sc"),
    ("unsigned char", "uc"),
    ("short", "s"),
    ("unsigned short", "us"),
    ("int", "i"),
    ("int", "n"),
    ("unsigned", "u"),
    ("long", "l"),
    ("unsigned long", "ul"),
];

/// Types of at least the width of `int`, in which arithmetic can overflow.
const WIDE: std::ops::Range<usize> = 4..9;

/// Constants at which operations change their nature.
const CONSTANTS: &[&str] = &[
    "0",
    "0",
    "1",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "15",
    "31",
    "32",
    "63",
    "64",
    "100",
    "127",
    "128",
    "255",
    "-128",
    "1000",
    "32767",
    "-32768",
    "65535",
    "2147483647",
    "(-2147483647 - 1)",
    "4294967295u",
    "9223372036854775807L",
    "(-9223372036854775807L - 1)",
];

/// The program of a seed.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    // One in three programs takes no risk; the others more or less.
    let risk = *rng.choose(&[0, 0, 4, 8, 14, 20]);
    let mut generator = Generator { rng, risk, ..Generator::default() };
    generator.run();
    generator.text
}

#[derive(Default)]
struct Generator {
    rng: Rng,
    /// An operation is careless once in so many times; never if it is 0.
    risk: usize,
    text: String,
    indent: usize,
    /// Names that exist so far.
    n_names: usize,
    /// Functions `static long fN(int a, long b)` that can be called.
    n_functions: usize,
    scalars: Vec<Variable>,
    arrays: Vec<Array>,
    pointers: Vec<Pointer>,
}

#[derive(Clone)]
struct Variable {
    name: String,
    ty: usize,
}

/// An array variable, or a block of the heap under the name of the pointer that owns it.
#[derive(Clone)]
struct Array {
    name: String,
    ty: usize,
    len: usize,
    place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Static,
    Automatic,
    Heap,
    /// Of the heap, and no longer alive.
    Freed,
}

/// A pointer variable that owns nothing.
#[derive(Clone)]
struct Pointer {
    name: String,
    ty: usize,
    to: Target,
}

#[derive(Clone, PartialEq, Eq)]
enum Target {
    Null,
    /// Something that is no longer alive.
    Dead,
    /// An element of the array of this name.
    Element(String, usize),
}

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 4 * self.indent);
    }

    fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    /// Decides whether the next operation is careless.
    fn careless(&mut self) -> bool {
        self.risk > 0 && self.rng.one_in(self.risk)
    }

    fn run(&mut self) {
        for header in ["stdio.h", "stdlib.h", "string.h"] {
            put!(self, "#include <{header}>");
        }
        self.line("struct record { int count; short values[4]; int (*action)(int); struct record *next; long sum; };");
        self.line("static int identity(int x) { return x; }");
        self.line("static struct record first = { 1, { 1, 2, 3, 4 }, identity, 0, 10 };");
        self.line("static struct record second = { 2, { 5, 6, 7, 8 }, identity, &first, 26 };");
        self.line(
            "static int matrix[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };",
        );
        self.line("static int *kept;");
        self.line("static void keep_local(int x) { int local = x; kept = &local; *kept += 0; }");
        self.line(
            "static void keep_static(int x) { static int lasting; lasting = x; kept = &lasting; }",
        );
        for _ in 0..4 {
            let ty = self.rng.below(TYPES.len());
            let variable = Variable { name: self.name("g"), ty };
            put!(self, "static {} {} = {};", TYPES[ty].0, variable.name, self.constant());
            self.scalars.push(variable);
        }
        for _ in 0..3 {
            let array = self.array("a", Place::Static);
            let values = self.values(array.len);
            put!(
                self,
                "static {} {}[{}] = {{ {values} }};",
                TYPES[array.ty].0,
                array.name,
                array.len
            );
            self.arrays.push(array);
        }
        for _ in 0..self.rng.between(1, 4) {
            self.function();
        }
        self.main();
    }

    fn constant(&mut self) -> &'static str {
        self.rng.choose::<&str>(CONSTANTS)
    }

    fn array(&mut self, stem: &str, place: Place) -> Array {
        let ty = self.rng.below(TYPES.len());
        // Powers of two, so that a mask is a guard.
        let len = 1 << self.rng.between(1, 4);
        Array { name: self.name(stem), ty, len, place }
    }

    fn values(&mut self, n: usize) -> String {
        let values: Vec<String> = (0..n).map(|_| self.rng.below(128).to_string()).collect();
        values.join(", ")
    }

    fn main(&mut self) {
        self.line("int main(void)");
        self.line("{");
        self.indent += 1;
        self.line("setbuf(stdout, NULL);");
        for f in 0..self.n_functions {
            put!(self, "printf(\"%ld\\n\", f{f}({}, {}));", self.constant(), self.constant());
        }
        for g in self.scalars.clone() {
            put!(self, "printf(\"{} %ld\\n\", (long){});", g.name, g.name);
        }
        put!(self, "return (int)({} & 63);", self.expr(1));
        self.indent -= 1;
        self.line("}");
    }

    /// A function with variables of its own, which are forgotten behind it.
    fn function(&mut self) {
        let outside = (self.scalars.len(), self.arrays.len());
        put!(self, "static long f{}(int a, long b)", self.n_functions);
        self.line("{");
        self.indent += 1;
        self.scalars.push(Variable { name: "a".to_owned(), ty: 4 });
        self.scalars.push(Variable { name: "b".to_owned(), ty: 7 });
        self.declarations();
        for _ in 0..self.rng.between(6, 16) {
            self.statement();
        }
        self.release();
        put!(self, "return (long)({});", self.expr(2));
        self.indent -= 1;
        self.line("}");
        self.scalars.truncate(outside.0);
        self.arrays.truncate(outside.1);
        self.pointers.clear();
        self.n_functions += 1;
    }

    fn declarations(&mut self) {
        for _ in 0..self.rng.between(2, 4) {
            let ty = self.rng.below(TYPES.len());
            let name = self.name(TYPES[ty].1);
            put!(self, "{} {name} = ({})({});", TYPES[ty].0, TYPES[ty].0, self.expr(1));
            self.scalars.push(Variable { name, ty });
        }
        for _ in 0..2 {
            let array = self.array("t", Place::Automatic);
            let values = self.values(array.len);
            put!(self, "{} {}[{}] = {{ {values} }};", TYPES[array.ty].0, array.name, array.len);
            self.arrays.push(array);
        }
        for _ in 0..2 {
            self.allocate();
        }
        for _ in 0..3 {
            let ty = if self.rng.one_in(2) { 4 } else { self.rng.choose(&self.arrays).ty };
            let name = self.name("p");
            put!(self, "{} *{name} = NULL;", TYPES[ty].0);
            self.pointers.push(Pointer { name, ty, to: Target::Null });
        }
    }

    // --- expressions ---

    /// A scalar variable, as a value.
    fn variable(&mut self) -> String {
        self.rng.choose(&self.scalars).name.clone()
    }

    fn atom(&mut self) -> String {
        match self.rng.below(10) {
            0..=4 => self.variable(),
            5 | 6 => self.constant().to_owned(),
            7 => match self.live_array() {
                Some(array) => format!("{}[{}]", array.name, self.rng.below(array.len)),
                None => self.variable(),
            },
            8 => format!("matrix[{}][{}]", self.rng.below(3), self.rng.below(4)),
            _ => {
                let record = *self.rng.choose(&[
                    "first.values[2]",
                    "second.next->sum",
                    "(&second)->count",
                    "first.sum",
                ]);
                record.to_owned()
            }
        }
    }

    /// An expression without risk.
    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let left = self.expr(depth - 1);
        let right = self.expr(depth - 1);
        let ty = TYPES[self.rng.below(TYPES.len())].0;
        match self.rng.below(16) {
            0 => format!("({ty})({left})"),
            1 => format!("(({left}) {} ({right}))", self.rng.choose(&["&", "|", "^"])),
            2 => format!("(({left}) {} ({right}))", self.rng.choose(&["<", "<=", "==", "!=", ">"])),
            3 => format!("(({left}) ? ({right}) : {})", self.atom()),
            4 => format!("(({left}) && ({right}))"),
            5 => format!("(({left}) || !({right}))"),
            6 => format!(
                "((unsigned)({left}) {} (unsigned)({right}))",
                self.rng.choose(&["+", "-", "*"])
            ),
            7 => format!(
                "((unsigned long)({left}) {} (unsigned long)({right}))",
                self.rng.choose(&["+", "-", "*"])
            ),
            8 => format!("(({left}) >> (({right}) & {}))", self.rng.choose(&["7", "15", "31"])),
            9 => format!("((unsigned)({left}) << (({right}) & 31))"),
            10 => format!("(({left}) / ((({right}) & 15) + 1))"),
            11 => format!("(({left}) % ((({right}) & 15) + 1))"),
            12 => format!(
                "((({left}) & 0xfff) {} (({right}) & 0xff))",
                self.rng.choose(&["+", "-", "*"])
            ),
            13 => format!("((short)({left}) * (signed char)({right}))"),
            14 => format!("(~({left}))"),
            _ => format!("(unsigned long)-(unsigned long)({left})"),
        }
    }

    // --- statements ---

    fn statement(&mut self) {
        match self.rng.below(26) {
            0..=4 => self.arithmetic(),
            5 | 6 => self.element(),
            7 | 8 => self.through_pointer(),
            9 => self.point_somewhere(),
            10 => self.heap(),
            11 => self.record(),
            12 => self.bytes(),
            13 => self.string(),
            14 => self.reinterpret(),
            15 => self.scope(),
            16 => self.condition(),
            17 => self.loop_over_array(),
            18 => self.call(),
            19 => self.variable_length(),
            20 => self.abrupt(),
            21 => self.switch(),
            22 => self.walk(),
            23 => self.fields(),
            24 => self.floats(),
            _ => put!(self, "printf(\"%ld\\n\", (long)({}));", self.expr(2)),
        }
    }

    /// An operation on two values, with or without care.
    fn arithmetic(&mut self) {
        let target = self.rng.choose(&self.scalars).clone();
        let (x, ty) = (target.name, TYPES[target.ty].0);
        // Most values do no harm, so that carelessness is more frequent here.
        if !self.careless() && !self.careless() && !self.careless() {
            match self.rng.below(7) {
                0 => put!(self, "{x} ^= ({ty})({});", self.expr(2)),
                1 => put!(self, "if ({x} < 100 && {x} > -100)"),
                2 => return put!(self, "{x} = ({ty})((unsigned long){x} + 1);"),
                _ => return put!(self, "{x} = ({ty})({});", self.expr(3)),
            }
            let step = *self.rng.choose(&["++", "--", " += 7", " -= 3", " *= 2"]);
            return put!(self, "    {x}{step};");
        }
        self.careless_arithmetic();
    }

    /// An operation that may go wrong. Its result is not cut, or gcc would compute fewer bits and watch those only; and its
    /// operands are not both constant, because the compiler does not watch itself.
    fn careless_arithmetic(&mut self) {
        let cast = TYPES[self.rng.between(WIDE.start, WIDE.end - 1)].0;
        let (mut a, b) = (self.variable(), self.atom());
        // Values near the ends of their type are rare otherwise.
        if self.rng.one_in(2) {
            a = self.rng.choose(&["a", "b"]).to_string();
            let extreme = match a.as_str() {
                "a" => *self.rng.choose(&[
                    "2147483647",
                    "-2147483647 - 1",
                    "2147483640",
                    "-2147483600",
                ]),
                _ => *self.rng.choose(&[
                    "9223372036854775807L",
                    "-9223372036854775807L - 1",
                    "4611686018427387904L",
                ]),
            };
            put!(self, "{a} = {extreme};");
        }
        let wide: Vec<Variable> =
            self.scalars.iter().filter(|v| WIDE.contains(&v.ty)).cloned().collect();
        let x = self.rng.choose(&wide).clone();
        let (x, own) = (x.name, TYPES[x.ty].0);
        match self.rng.below(14) {
            0 => put!(self, "b = (long)(({cast}){a} + ({b}));"),
            1 => put!(self, "b = (long)(({cast}){a} - ({b}));"),
            2 => put!(self, "b = (long)(({cast}){a} * ({b}));"),
            3 => put!(self, "b = (long)({a} / ({b}));"),
            4 => put!(self, "b = (long)({a} % ({b}));"),
            5 => put!(self, "b = (long)(({cast}){a} << ({b}));"),
            6 => put!(self, "b = (long)({a} >> ({b}));"),
            7 => put!(self, "b = (long)-{a};"),
            8 => put!(self, "{x}{};", self.rng.choose(&["++", "--"])),
            9 => put!(self, "{x} {}= ({own})({b});", self.rng.choose(&["+", "-", "*", "/", "%"])),
            10 => put!(self, "{x} {}= {b};", self.rng.choose(&["<<", ">>"])),
            11 => put!(self, "b = {a} != 0 && ({b}) % {a} == 0;"),
            12 => {
                let operator = *self.rng.choose(&["+", "-", "*", "/", "<<"]);
                let (c, d) = (self.variable(), self.atom());
                put!(
                    self,
                    "b = {a} {operator} ({b}) < {c} {} ({d});",
                    self.rng.choose(&["+", "*", "%", ">>"])
                );
            }
            _ => put!(self, "b = {x} > 5 ? {a} * ({b}) : {x} - ({b});"),
        }
    }

    fn condition(&mut self) {
        put!(self, "if ({})", self.expr(2));
        put!(self, "    b = (long)({});", self.expr(2));
        if self.rng.one_in(2) {
            self.line("else");
            let divisor = self.variable();
            put!(self, "    b = {divisor} ? ({}) % ({divisor} & 7 | 1) : 0;", self.expr(1));
        }
    }

    fn loop_over_array(&mut self) {
        let Some(array) = self.live_array() else { return };
        let len = if self.careless() { array.len + 1 } else { array.len };
        let k = self.name("k");
        let (name, ty) = (&array.name, TYPES[array.ty].0);
        put!(self, "for (int {k} = 0; {k} < {len}; {k}++) {{");
        self.indent += 1;
        match self.rng.below(3) {
            0 => put!(self, "{name}[{k}] = ({ty})({});", self.expr(1)),
            1 => put!(self, "b ^= (long){name}[{k}];"),
            _ => put!(self, "a = (int)((unsigned)a * 31 + (unsigned){name}[{k}]);"),
        }
        if self.careless() {
            put!(self, "a += (int)({});", self.atom());
        }
        self.indent -= 1;
        self.line("}");
    }

    fn call(&mut self) {
        if self.n_functions == 0 {
            return put!(self, "b = identity({});", self.rng.below(1000));
        }
        let f = self.rng.below(self.n_functions);
        put!(self, "b ^= f{f}((int)({}), (long)({}));", self.expr(1), self.expr(1));
    }

    fn switch(&mut self) {
        let x = self.expr(1);
        put!(self, "switch ((int)({x}) & 3) {{");
        for case in 0..3 {
            put!(self, "case {case}:");
            self.indent += 1;
            self.arithmetic();
            if self.rng.one_in(2) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        self.line("default:");
        put!(self, "    b = (long)({});", self.expr(1));
        self.line("}");
    }

    /// Bit-fields, truth values and copies of structures.
    fn fields(&mut self) {
        let f = self.name("f");
        put!(
            self,
            "struct {{ unsigned low : 3; int high : 5; _Bool truth; short rest[2]; int last; }} {f} = {{ 1, 2, 1, {{ 3, 4 }}, 5 }}, {f}c;"
        );
        put!(self, "{f}.low = (unsigned)({});", self.expr(1));
        put!(self, "{f}.high = (int)(({}) & 15);", self.expr(1));
        put!(self, "{f}.truth = ({}) != 0;", self.expr(1));
        put!(self, "{f}c = {f};");
        put!(self, "{f}c.rest[{}] += {f}.low;", self.rng.below(2));
        let index = self.index(2);
        put!(self, "{f}c.rest[{index}] = {f}.high;");
        if self.careless() {
            put!(self, "b = {} << {f}c.low;", self.variable());
        } else {
            put!(self, "{f}c.high++;");
        }
        put!(self, "b = {f}c.low + {f}c.high + {f}c.truth + {f}c.rest[0];");
    }

    /// Floats, which never go wrong here, on their way between integers.
    fn floats(&mut self) {
        let d = self.name("d");
        put!(self, "double {d} = (double)(short)({}) / 4.0;", self.expr(1));
        put!(self, "{d} = {d} * {d} - (float)(signed char)({});", self.expr(1));
        put!(self, "printf(\"%.3f\\n\", {d});");
        put!(self, "b = (long){d} / ((int){d} == 0 ? 1 : (int){d});");
    }

    /// Ends that come early.
    fn abrupt(&mut self) {
        let value = self.rng.below(200);
        let x = self.variable();
        if !self.careless() {
            return put!(self, "if ({x} == {value} && {x} != {value}) exit({value});");
        }
        match self.rng.below(3) {
            0 => put!(self, "if (({x} & 3) == 1) __builtin_unreachable();"),
            1 => put!(self, "if (({x} & 7) == 1) exit({value});"),
            _ => put!(self, "if (({x} & 7) == 2) abort();"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::skip;
    use crate::host_c::HostC;

    #[test]
    fn the_host_accepts_them() {
        assert_eq!(program(3), program(3));
        let Some(gcc) = HostC::find() else {
            return skip("the_host_accepts_them", "there is no gcc");
        };
        for seed in 0..5 {
            let finished = gcc.check(program(seed).as_bytes(), &["-w"]).unwrap();
            assert!(finished.success(), "seed {seed}: {}", finished.stderr_text());
        }
    }
}

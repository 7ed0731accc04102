//! A large C program for measurements: realistic in its mix, valid, and as long as asked.
//!
//! Real translation units are headers first (long runs of typedefs, structs and prototypes) and
//! then functions. The generator follows that: library headers, then modules of types, tables
//! and functions that use each other, with the statements and expressions that systems code has.

use std::fmt::Write;

use crate::Rng;

/// Appends a formatted line; the arguments may draw random numbers.
macro_rules! put {
    ($self:expr, $indent:expr, $($arguments:tt)*) => {{
        let text = format!($($arguments)*);
        $self.line($indent, &text);
    }};
}

/// A C program of at least `n_lines` lines, before its headers are included.
#[must_use]
pub fn program(seed: u64, n_lines: usize) -> String {
    let mut generator = Generator { rng: Rng::new(seed), text: String::new(), n_lines: 0 };
    for header in ["stddef", "stdint", "stdio", "stdlib", "string", "errno", "ctype", "limits"] {
        generator.line(0, &format!("#include <{header}.h>"));
    }
    let mut module = 0;
    while generator.n_lines < n_lines {
        generator.module(module);
        module += 1;
    }
    generator.line(0, "int main(void)");
    generator.line(0, "{");
    // Every function can be reached, so that nothing may be left out.
    for m in 0..module {
        generator.line(1, &format!("handle_{m}(instances_{m}, \"text\", 4);"));
    }
    generator.line(1, "return 0;");
    generator.line(0, "}");
    generator.text
}

struct Generator {
    rng: Rng,
    text: String,
    n_lines: usize,
}

const SCALARS: &[&str] = &[
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "char",
    "unsigned char",
    "short",
    "uint32_t",
    "int64_t",
    "uint8_t",
    "size_t",
];

impl Generator {
    fn line(&mut self, indent: usize, text: &str) {
        for _ in 0..indent {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
        self.n_lines += 1;
    }

    /// One module: an enum, a struct, typedefs, tables, prototypes and functions.
    fn module(&mut self, m: usize) {
        self.line(0, "");
        put!(self, 0, "/* Module {m}: buffers, their states and what is done to them. */");
        put!(self, 0, "enum state_{m} {{");
        for (index, state) in ["IDLE", "READY", "BUSY", "FAILED", "CLOSED"].iter().enumerate() {
            let value =
                if index % 2 == 0 { format!(" = {}", index * 3 + m % 5) } else { String::new() };
            put!(self, 1, "STATE_{state}_{m}{value},");
        }
        self.line(0, "};");
        self.line(0, "");
        put!(self, 0, "struct buffer_{m};");
        put!(
            self,
            0,
            "typedef int (*handler_{m}_t)(struct buffer_{m} *self, const char *data, size_t n);"
        );
        self.line(0, "");
        put!(self, 0, "struct buffer_{m} {{");
        let mut members = vec!["count".to_owned(), "limit".to_owned()];
        self.line(1, "int count;");
        self.line(1, "unsigned int limit;");
        for index in 0..self.rng.between(3, 9) {
            let kind = *self.rng.choose(SCALARS);
            put!(self, 1, "{kind} field_{index};");
            members.push(format!("field_{index}"));
        }
        self.line(1, "unsigned int dirty : 1;");
        self.line(1, "unsigned int mode : 3;");
        put!(self, 1, "enum state_{m} state;");
        self.line(1, "char name[32];");
        self.line(1, "long values[16];");
        put!(self, 1, "struct buffer_{m} *next;");
        put!(self, 1, "handler_{m}_t handler;");
        self.line(1, "union { long number; double real; void *pointer; } payload;");
        self.line(0, "};");
        put!(self, 0, "typedef struct buffer_{m} buffer_{m}_t;");
        self.line(0, "");
        put!(
            self,
            0,
            "static int handle_{m}(struct buffer_{m} *self, const char *data, size_t n);"
        );
        put!(self, 0, "static const unsigned char table_{m}[64] = {{");
        for _ in 0..8 {
            let row: Vec<String> =
                (0..8).map(|_| format!("0x{:02x}", self.rng.below(256))).collect();
            put!(self, 1, "{},", row.join(", "));
        }
        self.line(0, "};");
        put!(self, 0, "static buffer_{m}_t instances_{m}[] = {{");
        for index in 0..self.rng.between(1, 4) {
            put!(
                self,
                1,
                "{{ .count = {index}, .limit = {}u, .name = \"buffer {m}.{index}\", \
                 .values = {{ [0] = 1, [4] = {}L, [15] = -1 }}, .state = STATE_READY_{m}, \
                 .handler = handle_{m} }},",
                self.rng.below(1000),
                self.rng.below(100_000)
            );
        }
        self.line(0, "};");
        let n_functions = self.rng.between(4, 8);
        for f in 0..n_functions {
            self.function(m, f, &members);
        }
        self.handler(m, n_functions);
    }

    fn function(&mut self, m: usize, f: usize, members: &[String]) {
        self.line(0, "");
        put!(
            self,
            0,
            "static long compute_{m}_{f}(buffer_{m}_t *b, long x, unsigned int y, const char *s)"
        );
        self.line(0, "{");
        self.line(1, "long total = 0;");
        self.line(1, "int i, j = 0;");
        self.line(1, "unsigned int u = y ^ 0x5a5au;");
        self.line(1, "double ratio = 1.0;");
        put!(self, 1, "buffer_{m}_t *p = b;");
        self.line(0, "");
        self.line(1, "if (b == NULL || s == NULL)");
        self.line(2, "return -EINVAL;");
        for _ in 0..self.rng.between(5, 14) {
            self.statement(m, f, 1, members);
        }
        self.line(1, "(void)ratio;");
        self.line(1, "return total + (long)u + j;");
        self.line(0, "}");
    }

    fn statement(&mut self, m: usize, f: usize, indent: usize, members: &[String]) {
        let deep = indent >= 4;
        match self.rng.below(if deep { 7 } else { 14 }) {
            0 | 1 => {
                let value = self.expression(m, 3, members);
                put!(self, indent, "total += {value};");
            }
            2 => {
                let value = self.expression(m, 2, members);
                let member = self.rng.choose(members).clone();
                put!(self, indent, "p->{member} = {value};");
            }
            3 => {
                let value = self.expression(m, 2, members);
                put!(self, indent, "p->values[{} & 15] = {value};", self.atom(m, members));
            }
            4 => put!(
                self,
                indent,
                "u = (u << {}) | (table_{m}[u & 63u] >> {});",
                self.rng.between(1, 8),
                self.rng.below(4)
            ),
            5 if f > 0 => {
                let callee = self.rng.below(f);
                let value = self.expression(m, 2, members);
                put!(self, indent, "total ^= compute_{m}_{callee}(p, {value}, u, s);");
            }
            5 | 6 => self.line(indent, "ratio = ratio * 0.5 + (double)total / 3.25e1;"),
            7 | 8 => {
                let condition = self.condition(m, members);
                put!(self, indent, "if ({condition}) {{");
                self.block(m, f, indent + 1, members);
                if self.rng.one_in(2) {
                    self.line(indent, "} else {");
                    self.block(m, f, indent + 1, members);
                }
                self.line(indent, "}");
            }
            9 => {
                let limit = self.rng.between(2, 64);
                put!(self, indent, "for (i = 0; i < {limit}; i++) {{");
                self.block(m, f, indent + 1, members);
                self.line(indent, "}");
            }
            10 => {
                self.line(indent, "while (j < p->count && s[j] != '\\0') {");
                self.line(indent + 1, "if (isdigit((unsigned char)s[j]))");
                self.line(indent + 2, "total = total * 10 + (s[j] - '0');");
                self.line(indent + 1, "j++;");
                self.line(indent, "}");
            }
            11 => {
                self.line(indent, "switch (p->state) {");
                for state in ["IDLE", "READY", "BUSY"] {
                    put!(self, indent, "case STATE_{state}_{m}:");
                    let value = self.expression(m, 2, members);
                    put!(self, indent + 1, "total -= {value};");
                    self.line(indent + 1, "break;");
                }
                self.line(indent, "default:");
                put!(self, indent + 1, "p->state = STATE_FAILED_{m};");
                self.line(indent + 1, "break;");
                self.line(indent, "}");
            }
            12 => {
                self.line(indent, "do {");
                self.line(indent + 1, "u ^= u >> 3;");
                self.line(indent + 1, "--j;");
                self.line(indent, "} while (j > 0);");
            }
            _ => {
                self.line(indent, "{");
                self.line(indent + 1, "char text[64];");
                self.line(
                    indent + 1,
                    "snprintf(text, sizeof text, \"%s: %ld of %u\\n\", p->name, total, u);",
                );
                self.line(indent + 1, "total += (long)strlen(text) + memcmp(text, s, 1);");
                self.line(indent, "}");
            }
        }
    }

    fn block(&mut self, m: usize, f: usize, indent: usize, members: &[String]) {
        for _ in 0..self.rng.between(1, 3) {
            self.statement(m, f, indent, members);
        }
    }

    fn condition(&mut self, m: usize, members: &[String]) -> String {
        let left = self.expression(m, 1, members);
        let right = self.expression(m, 1, members);
        let operator = *self.rng.choose(&["<", ">", "<=", ">=", "==", "!="]);
        match self.rng.below(4) {
            0 => format!("{left} {operator} {right} && p->next != NULL"),
            1 => format!("!({left} {operator} {right}) || (u & 1u)"),
            _ => format!("{left} {operator} {right}"),
        }
    }

    fn expression(&mut self, m: usize, depth: usize, members: &[String]) -> String {
        if depth == 0 {
            return self.atom(m, members);
        }
        let left = self.expression(m, depth - 1, members);
        match self.rng.below(8) {
            0 => left,
            1 => format!("({left} ? {} : {})", self.atom(m, members), self.atom(m, members)),
            2 => format!("(long)({left})"),
            3 => format!("-({left})"),
            4 => format!("~({left})"),
            _ => {
                let right = self.expression(m, depth - 1, members);
                let operator = *self.rng.choose(&["+", "-", "*", "&", "|", "^"]);
                format!("({left} {operator} {right})")
            }
        }
    }

    fn atom(&mut self, m: usize, members: &[String]) -> String {
        let mut text = String::new();
        let _ = match self.rng.below(10) {
            0 => write!(text, "x"),
            1 => write!(text, "j"),
            2 => write!(text, "(long)u"),
            3 => write!(text, "p->{}", self.rng.choose(members)),
            4 => write!(text, "b->values[{}]", self.rng.below(16)),
            5 => write!(text, "table_{m}[{}]", self.rng.below(64)),
            6 => write!(text, "{}", self.rng.below(10_000)),
            7 => write!(text, "0x{:x}L", self.rng.below(1 << 20)),
            8 => write!(text, "'{}'", char::from(b'a' + self.rng.below(26) as u8)),
            _ => write!(text, "(int)sizeof(buffer_{m}_t)"),
        };
        text
    }

    fn handler(&mut self, m: usize, n_functions: usize) {
        self.line(0, "");
        put!(self, 0, "static int handle_{m}(struct buffer_{m} *self, const char *data, size_t n)");
        self.line(0, "{");
        put!(
            self,
            1,
            "buffer_{m}_t *first = &instances_{m}[0], *last = \
             first + sizeof instances_{m} / sizeof instances_{m}[0];"
        );
        self.line(1, "size_t at;");
        self.line(1, "for (at = 0; at < n; at++)");
        self.line(
            2,
            "self->name[at % sizeof self->name] = (char)toupper((unsigned char)data[at]);",
        );
        self.line(1, "for (; first != last; first++) {");
        self.line(2, "if (first->handler == NULL)");
        self.line(3, "goto out;");
        for f in 0..n_functions {
            put!(self, 2, "first->payload.number = compute_{m}_{f}(first, 1, {f}u, data);");
        }
        self.line(1, "}");
        self.line(1, "self->dirty = 1;");
        self.line(0, "out:");
        self.line(1, "return self->count != 0 ? -1 : 0;");
        self.line(0, "}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::skip;
    use crate::host_c::HostC;

    #[test]
    fn the_host_accepts_it() {
        let text = program(1, 5_000);
        assert!(text.lines().count() >= 5_000);
        assert_eq!(text, program(1, 5_000));
        let Some(gcc) = HostC::find() else {
            return skip("the_host_accepts_it", "there is no gcc");
        };
        let finished = gcc.check(text.as_bytes(), &["-w"]).unwrap();
        assert!(finished.success(), "{}", finished.stderr_text());
    }
}

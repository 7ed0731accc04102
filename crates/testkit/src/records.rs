//! Random definitions of structs and unions, with programs that ask a compiler for their layout.
//!
//! A [`Records`] is C text with definitions and a list of [`Query`]s about them. The host's
//! compiler answers the queries by running [`Records::probe_program`]; a front end answers them
//! from its own layout; the two must agree. Bit-fields have no address, so that their place is
//! found by filling them with ones in a zeroed object.

use std::fmt::Write;

use crate::Rng;

/// A question about a layout. Answers are numbers of bytes, or of bits for bit-fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// `sizeof(type)`.
    Size(String),
    /// `_Alignof(type)`.
    Align(String),
    /// `offsetof(type, member)`; the member may be a path such as `a.b`.
    Offset(String, String),
    /// The first bit of a bit-field, counted from the object's start in the order of addresses
    /// and, inside of a byte, from the least significant bit; then its width.
    BitField(String, String),
}

/// Definitions and the questions about them.
#[derive(Clone, Debug)]
pub struct Records {
    /// The definitions, which need no header.
    pub definitions: String,
    /// The questions, in a fixed order.
    pub queries: Vec<Query>,
}

/// The parts that a generated definition may contain.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of structs and unions to define.
    pub n_records: usize,
    /// True if bit-fields occur.
    pub bit_fields: bool,
    /// True if `packed` and `aligned` attributes occur.
    pub attributes: bool,
    /// True if `__int128` and other types of 64-bit targets occur.
    pub wide: bool,
}

const TYPES: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "char *",
    "void (*)(int)",
    "enum colour",
    "double _Complex",
    "float _Complex",
];

const WIDE_TYPES: &[&str] = &["__int128", "unsigned __int128"];

/// Integer types of bit-fields with their widths under both data models.
const BIT_TYPES: &[(&str, usize)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("long", 32),
    ("unsigned long", 32),
    ("enum colour", 32),
];

impl Records {
    /// Random definitions.
    #[must_use]
    pub fn generate(seed: u64, options: Options) -> Records {
        let mut generator = Generator {
            rng: Rng::new(seed),
            options,
            names: Vec::new(),
            records: Records {
                definitions: "enum colour { red, green = 1000, blue };\n".to_owned(),
                queries: Vec::new(),
            },
            n_members: 0,
        };
        for index in 0..options.n_records {
            generator.record(index);
        }
        generator.records
    }

    /// A program that prints the answer of each query on a line: one number, or two numbers for
    /// a bit-field.
    #[must_use]
    pub fn probe_program(&self) -> String {
        let mut text = format!(
            "#include <stdio.h>\n#include <stddef.h>\n#include <string.h>\n{}\n\
             static void bits(const unsigned char *p, size_t n) {{\n\
             \x20 size_t i, first = 0, width = 0;\n\
             \x20 for (i = 0; i < 8 * n; i++)\n\
             \x20   if (p[i / 8] >> i % 8 & 1) {{ if (!width) first = i; width++; }}\n\
             \x20 printf(\"%zu %zu\\n\", first, width);\n}}\n\
             int main(void) {{\n",
            self.definitions
        );
        for query in &self.queries {
            let _ = match query {
                Query::Size(name) => writeln!(text, "  printf(\"%zu\\n\", sizeof({name}));"),
                Query::Align(name) => {
                    writeln!(text, "  printf(\"%zu\\n\", (size_t)_Alignof({name}));")
                }
                Query::Offset(name, member) => {
                    writeln!(text, "  printf(\"%zu\\n\", offsetof({name}, {member}));")
                }
                Query::BitField(name, member) => writeln!(
                    text,
                    "  {{ static {name} x; memset(&x, 0, sizeof x); x.{member} = -1; \
                     bits((const unsigned char *)&x, sizeof x); }}"
                ),
            };
        }
        text.push_str("  return 0;\n}\n");
        text
    }
}

struct Generator {
    rng: Rng,
    options: Options,
    /// The types defined so far.
    names: Vec<String>,
    records: Records,
    n_members: usize,
}

impl Generator {
    fn record(&mut self, index: usize) {
        let keyword = if self.rng.one_in(4) { "union" } else { "struct" };
        let name = format!("{keyword} r{index}");
        let attribute = self.record_attribute();
        let mut body = String::new();
        self.members(&name, "", keyword == "struct", &mut body, 0);
        let text = format!("{keyword} {attribute}r{index} {{\n{body}}};\n");
        self.records.definitions.push_str(&text);
        self.records.queries.push(Query::Size(name.clone()));
        self.records.queries.push(Query::Align(name.clone()));
        self.names.push(name);
    }

    fn record_attribute(&mut self) -> String {
        if !self.options.attributes {
            return String::new();
        }
        match self.rng.below(8) {
            0 | 1 => "__attribute__((packed)) ".into(),
            2 => format!("__attribute__((aligned({}))) ", 1 << self.rng.below(6)),
            3 => format!("__attribute__((packed, aligned({}))) ", 1 << self.rng.below(5)),
            _ => String::new(),
        }
    }

    /// Members of a record; `path` leads to it from the queried type.
    fn members(
        &mut self,
        name: &str,
        path: &str,
        is_struct: bool,
        body: &mut String,
        depth: usize,
    ) {
        let n = self.rng.between(1, 7);
        // A flexible array needs a named member before it.
        let mut has_named = false;
        for index in 0..n {
            let member = format!("m{}", self.n_members);
            self.n_members += 1;
            let indent = "  ".repeat(depth + 1);
            let full = format!("{path}{member}");
            if self.options.bit_fields && self.rng.one_in(3) {
                has_named |= self.bit_field(name, &member, &full, body, &indent);
                continue;
            }
            if depth < 2 && self.rng.one_in(10) {
                // An anonymous member's members belong to the record around it; a named one's
                // are reached through it.
                let keyword = *self.rng.choose(&["struct", "union"]);
                let anonymous = self.rng.one_in(2);
                let inner = if anonymous { path.to_owned() } else { format!("{full}.") };
                let _ = writeln!(body, "{indent}{keyword} {{");
                self.members(name, &inner, keyword == "struct", body, depth + 1);
                let _ = writeln!(body, "{indent}}}{};", if anonymous { "" } else { &member });
                continue;
            }
            let last = depth == 0 && is_struct && index + 1 == n && has_named;
            let declaration = self.declaration(&member, last);
            let attribute = self.member_attribute();
            let _ = writeln!(body, "{indent}{attribute}{declaration};");
            self.records.queries.push(Query::Offset(name.to_owned(), full));
            has_named = true;
        }
    }

    /// A bit-field; true if it has a name.
    fn bit_field(
        &mut self,
        name: &str,
        member: &str,
        full: &str,
        body: &mut String,
        indent: &str,
    ) -> bool {
        let (kind, widest) = *self.rng.choose(BIT_TYPES);
        if self.rng.one_in(6) {
            let width = if self.rng.one_in(2) { 0 } else { self.rng.between(1, widest) };
            let _ = writeln!(body, "{indent}{kind} : {width};");
            return false;
        }
        let width = self.rng.between(1, widest);
        let packed = if self.options.attributes && self.rng.one_in(10) {
            " __attribute__((packed))"
        } else {
            ""
        };
        let _ = writeln!(body, "{indent}{kind} {member} : {width}{packed};");
        self.records.queries.push(Query::BitField(name.to_owned(), full.to_owned()));
        true
    }

    fn member_attribute(&mut self) -> String {
        if !self.options.attributes {
            return String::new();
        }
        match self.rng.below(14) {
            0 => "__attribute__((packed)) ".into(),
            1 => format!("__attribute__((aligned({}))) ", 1 << self.rng.below(6)),
            2 => "_Alignas(64) ".into(),
            _ => String::new(),
        }
    }

    fn declaration(&mut self, member: &str, flexible: bool) -> String {
        let kind = self.type_name();
        let suffix = match self.rng.below(10) {
            0 | 1 => format!("[{}]", self.rng.between(1, 9)),
            2 => format!("[{}][{}]", self.rng.between(1, 4), self.rng.between(1, 4)),
            3 => "[0]".to_owned(),
            4 if flexible => "[]".to_owned(),
            _ => String::new(),
        };
        match kind.strip_suffix("(*)(int)") {
            Some(result) => format!("{result}(*{member}{suffix})(int)"),
            None => format!("{kind} {member}{suffix}"),
        }
    }

    fn type_name(&mut self) -> String {
        // A record with a flexible array member may end up inside of another one, which is an
        // extension of GNU C that real code uses.
        if !self.names.is_empty() && self.rng.one_in(6) {
            return self.rng.choose(&self.names).clone();
        }
        if self.options.wide && self.rng.one_in(12) {
            return (*self.rng.choose(WIDE_TYPES)).to_owned();
        }
        (*self.rng.choose(TYPES)).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::environment::skip;
    use crate::host_c::{HostC, Scratch};

    #[test]
    fn the_host_accepts_and_answers() {
        let Some(gcc) = HostC::find() else {
            return skip("the_host_accepts_and_answers", "there is no gcc");
        };
        let folder = Scratch::new("records").unwrap();
        for seed in 0..3 {
            let options = Options { n_records: 40, bit_fields: true, attributes: true, wide: true };
            let records = Records::generate(seed, options);
            let text = records.probe_program();
            let limit = Duration::from_secs(10);
            let finished = gcc.run_text(&folder, &text, &["-w"], limit).unwrap();
            assert!(finished.success(), "{}\n{text}", finished.stderr_text());
            assert_eq!(finished.stdout_text().lines().count(), records.queries.len());
        }
    }
}

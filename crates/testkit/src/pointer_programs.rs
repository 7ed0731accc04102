//! Files of a library and programs that call them: pointers from outside, shared and private state, calls in both directions.
//!
//! The library has functions that others call, functions of its own, and static variables; each statement is on a line of its own. The
//! caller gives any pointers and numbers, changes what it can reach whenever it is called, and calls back. So some
//! execution shows almost everything that can go wrong in the library.

use crate::Rng;
use std::fmt::Write;

/// The functions that others call.
const N_ENTRIES: usize = 2;
/// The functions that only the library calls.
const N_HELPERS: usize = 2;

/// The mistake that a line may have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Suspicion {
    /// A null pointer is followed.
    Null,
    /// A number is divided by zero.
    Division,
    /// A variable without a value is read.
    Unset,
}

/// A library and a caller of it.
#[derive(Debug)]
pub struct Library {
    /// The text of the library.
    pub text: String,
    /// The text of a program that calls it.
    pub caller: String,
    /// The lines of the library in which something may go wrong, with the pointer, if it is about one, or the variable.
    pub suspicions: Vec<(u32, Suspicion, String)>,
}

/// A library from a seed.
pub fn library(seed: u64) -> Library {
    let mut maker =
        Maker { rng: Rng::new(seed), text: String::new(), line: 1, suspicions: Vec::new() };
    maker.line("struct node { int key; int other; struct node *next; struct node *prev; };");
    maker.line("extern void *malloc(unsigned long);");
    maker.line("extern int choice(void);");
    maker.line("extern struct node *any(void);");
    maker.line("extern void outside(struct node *p);");
    maker.line("extern void stop(void) __attribute__((noreturn));");
    maker.line("struct node *shared;");
    maker.line("int total;");
    maker.line("static struct node *hidden;");
    maker.line("static int counter;");
    for number in 0..N_HELPERS {
        maker.function(
            &format!("static int helper{number}(struct node *p, struct node *q, int n)"),
            number,
        );
    }
    for number in 0..N_ENTRIES {
        maker.function(
            &format!("int entry{number}(struct node *p, struct node *q, int n)"),
            N_HELPERS,
        );
    }
    Library { text: maker.text, caller: CALLER.to_owned(), suspicions: maker.suspicions }
}

const CALLER: &str = "\
struct node { int key; int other; struct node *next; struct node *prev; };
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern struct node *shared;
extern int total;
extern int entry0(struct node *p, struct node *q, int n);
extern int entry1(struct node *p, struct node *q, int n);
static struct node pool[3];
static int depth;
int choice(void) { return __VERIFIER_nondet_int() & 3; }
struct node *any(void) {
    int which = choice();
    return which == 0 ? 0 : which == 1 ? &pool[0] : which == 2 ? &pool[1] : shared;
}
void stop(void) { abort(); }
void outside(struct node *p) {
    if (choice() == 0) shared = any();
    if (choice() == 0) total = choice();
    if (choice() == 0) pool[0].next = any();
    if (choice() == 0) pool[0].key = choice();
    if (choice() == 0) pool[1].next = any();
    if (p && choice() == 0) p->next = any();
    if (p && choice() == 0) p->key = choice();
    if (depth < 2 && choice() == 0) {
        depth++;
        entry0(any(), any(), choice());
        depth--;
    }
}
int main(void) {
    for (int round = 0; round < 3; round++) {
        outside(any());
        if (choice() & 1) entry0(any(), any(), choice()); else entry1(any(), any(), choice());
    }
    return 0;
}
";

const POINTERS: [&str; 6] = ["p", "q", "a", "b", "shared", "hidden"];

struct Maker {
    rng: Rng,
    text: String,
    line: u32,
    suspicions: Vec<(u32, Suspicion, String)>,
}

impl Maker {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        self.line += 1;
    }

    /// A line that may go wrong.
    fn suspect(&mut self, suspicion: Suspicion, about: &str, text: &str) {
        self.suspicions.push((self.line, suspicion, about.to_owned()));
        self.line(text);
    }

    /// A function that may call so many helpers.
    fn function(&mut self, head: &str, n_helpers: usize) {
        self.line(&format!("{head} {{"));
        self.line("int x = n, y;");
        self.line("struct node own = { 0 };");
        self.line("struct node *a = p, *b = 0;");
        let pointed = ["&x", "&y", "&total", "&own.key"][self.rng.below(4)];
        self.line(&format!("int *z = {pointed};"));
        for _ in 0..self.rng.between(3, 7) {
            self.statement(0, n_helpers);
        }
        self.line("return x & 7;");
        self.line("}");
    }

    fn pointer(&mut self) -> &'static str {
        POINTERS[self.rng.below(POINTERS.len())]
    }

    fn number(&mut self) -> String {
        match self.rng.below(6) {
            0 => "x".to_owned(),
            1 => "n".to_owned(),
            2 => "total".to_owned(),
            3 => "counter".to_owned(),
            _ => self.rng.below(4).to_string(),
        }
    }

    fn block(&mut self, head: &str, depth: usize, n_helpers: usize) {
        self.line(&format!("{head} {{"));
        for _ in 0..self.rng.between(1, 3) {
            self.statement(depth + 1, n_helpers);
        }
        self.line("}");
    }

    fn statement(&mut self, depth: usize, n_helpers: usize) {
        let (x, y, number) = (self.pointer(), self.pointer(), self.number());
        let member = self.rng.choose(&["key", "other"]);
        let link = self.rng.choose(&["next", "prev"]);
        match self.rng.below(if depth < 2 { 22 } else { 17 }) {
            0 | 1 => {
                let to =
                    ["any()", "malloc(sizeof(struct node))", "0", "&own", y][self.rng.below(5)];
                self.line(&format!("{x} = {to};"));
            }
            2 => self.suspect(Suspicion::Null, y, &format!("{x} = {y}->{link};")),
            3 | 4 => self.suspect(Suspicion::Null, x, &format!("{x}->{member} = {number};")),
            5 => self.suspect(Suspicion::Null, x, &format!("x = {x}->{member} & 7;")),
            6 => self.suspect(Suspicion::Null, x, &format!("{x}->{link} = {y};")),
            7 => {
                let text = format!("{x}->{link}");
                self.line(&format!("if (!{x} || !{text}) return 1;"));
                if self.rng.one_in(3) {
                    self.statement(2, n_helpers);
                }
                self.suspect(Suspicion::Null, &text, &format!("{text}->{member} = {number};"));
            }
            8 => self.line("outside(a);"),
            9 if n_helpers > 0 => {
                let helper = self.rng.below(n_helpers);
                self.line(&format!("x = helper{helper}({x}, {y}, {number});"));
            }
            9 | 10 => {
                let end = ["return 0;", "stop();", "return n;"][self.rng.below(3)];
                self.line(&format!("if (!{x}) {end}"));
                self.suspect(Suspicion::Null, x, &format!("{x}->{member} = {number};"));
            }
            11 => {
                let by = ["x", "n", "total", "counter"][self.rng.below(4)];
                if self.rng.one_in(2) {
                    self.line(&format!("if ({by} <= 0) return 2;"));
                }
                self.suspect(Suspicion::Division, "", &format!("x = 7 / {by};"));
            }
            12 => self.line(&format!("*z = {number} & 7;")),
            13 => {
                let to = ["total", "counter", "x"][self.rng.below(3)];
                self.line(&format!("{to} = ({number} + 1) & 7;"));
            }
            14 => self.line(&format!("if ({number} > 1) y = 1;")),
            15 | 16 => {
                if self.rng.one_in(2) {
                    self.line(&format!("if ({number} < 2) y = {number};"));
                    self.line(&format!("if ({number} >= 1) return 3;"));
                }
                self.suspect(Suspicion::Unset, "y", "x = y & 7;");
            }
            17 => self.block(&format!("if ({x})"), depth, n_helpers),
            18 => self.block(&format!("if ({number} > 1)"), depth, n_helpers),
            19 => {
                let mut head = String::new();
                let _ = write!(
                    head,
                    "for (int i{depth} = 0; i{depth} < {}; i{depth}++)",
                    self.rng.between(1, 3)
                );
                self.block(&head, depth, n_helpers);
            }
            _ => self.block(&format!("if (!{x}) {{ {x} = any(); }} if ({x})"), depth, n_helpers),
        }
    }
}

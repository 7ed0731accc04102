//! Programs with linked lists on the heap, some of which go wrong.
//!
//! A list with one or two directions and small numbers in its nodes, which may have an object, an array or a list of their own, is made,
//! changed and freed by a few operations of random kinds, each of them in a loop whose rounds the outside decides. Some
//! operations lack a test, free too early or not at all, or claim a number that is not always there, so that all of null,
//! freed, leaked and asserted happen.

use crate::Rng;
use std::fmt::Write;

/// A program from a seed.
pub fn list_program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let double = rng.one_in(3);
    let mut text = String::new();
    let prev = if double { " struct node *prev;" } else { "" };
    let items = rng.below(6);
    let mistakes = [rng.one_in(20), rng.one_in(20)];
    // Nodes have nothing, perhaps an item, always one, a list of items, or an array that is filled by index or by pointer.
    let bound = if rng.one_in(6) { 4 } else { 3 };
    let filled = match rng.one_in(2) {
        true => format!("for (int k = 0; k < {bound}; k++) n->items[k].v = k;"),
        false => format!(
            "for (struct item *i = n->items; i < n->items + {bound}; i++) {{ i->v = data; i->next = 0; }}"
        ),
    };
    let array = format!("n->items = malloc(3 * sizeof(struct item)); {filled}");
    let made = match items {
        0 => {
            "if (__VERIFIER_nondet_int()) { n->items = malloc(sizeof(struct item)); n->items->v = 1; n->items->next = 0; }"
        }
        1 => "n->items = malloc(sizeof(struct item)); n->items->v = data; n->items->next = 0;",
        2 => {
            "while (__VERIFIER_nondet_int()) { struct item *i = malloc(sizeof(struct item)); i->v = 1; i->next = n->items; n->items = i; }"
        }
        3 => &array,
        _ => "",
    };
    let used = if mistakes[0] && items < 4 { "n->items->v = 2; " } else { "" };
    let dropped = match items {
        0 if !mistakes[1] => "if (n->items) free(n->items);",
        1 | 3 if !mistakes[1] => "free(n->items);",
        2 if !mistakes[1] => {
            "while (n->items) { struct item *i = n->items; n->items = i->next; free(i); }"
        }
        _ => "",
    };
    let _ = write!(
        text,
        "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
struct item {{ int v; struct item *next; }};
struct node {{ int data; struct node *next;{prev} struct item *items; }};
void check(int cond) {{ if (!cond) {{ reach_error(); }} }}
struct node *make(int data) {{
  struct node *n = {};
  n->data = data;
  n->next = 0;
  n->items = 0;
  {made}
  {}return n;
}}
void drop(struct node *n) {{ {used}{dropped} free(n); }}
int main(void) {{
  struct node *l = 0, *p = 0, *q = 0, *r = 0;
  int n = 0;
",
        if rng.one_in(4) {
            "calloc(1, sizeof(struct node))"
        } else {
            "malloc(sizeof(struct node))"
        },
        if double { "n->prev = 0; " } else { "" }
    );
    let mut maker = Maker { rng, double, text };
    maker.build();
    for _ in 0..maker.rng.between(0, 3) {
        maker.change();
    }
    maker.end();
    maker.text.push_str("  return 0;\n}\n");
    maker.text
}

struct Maker {
    rng: Rng,
    double: bool,
    text: String,
}

impl Maker {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    /// A mistake is made once in so many times.
    fn mistake(&mut self) -> bool {
        self.rng.one_in(12)
    }

    /// A number for a node.
    fn data(&mut self) -> String {
        match self.rng.below(4) {
            0 => "__VERIFIER_nondet_int() & 1".to_owned(),
            n => (n % 3).to_string(),
        }
    }

    fn linked(&mut self, node: &str, before: &str) -> String {
        match self.double && !self.mistake() {
            true => format!("if ({node}) {node}->prev = {before};"),
            false => String::new(),
        }
    }

    fn build(&mut self) {
        let data = self.data();
        if self.rng.one_in(2) {
            let back = self.linked("l", "p");
            self.line(&format!(
                "while (__VERIFIER_nondet_int()) {{ p = make({data}); p->next = l; {back} l = p; }}"
            ));
        } else {
            let back = if self.double { "q->prev = p;" } else { "" };
            let more = self.data();
            self.line(&format!("l = make({more}); p = l;"));
            self.line(&format!(
                "while (__VERIFIER_nondet_int()) {{ q = make({data}); p->next = q; {back} p = q; }}"
            ));
        }
        self.line("p = 0; q = 0;");
    }

    fn change(&mut self) {
        match self.rng.below(9) {
            0 => self.pop(),
            1 => self.reverse(),
            2 => self.insert(),
            3 => self.remove(),
            4 => {
                let data = self.data();
                let test = if self.mistake() { "l->next" } else { "p" };
                self.line(&format!("for (p = l; {test}; p = p->next) p->data = {data};"));
                self.line("p = 0;");
            }
            5 => {
                let (low, high) = (self.rng.below(3), self.rng.between(0, 3));
                let claim = match self.rng.below(3) {
                    0 => format!("p->data == {low}"),
                    1 => format!("p->data <= {high}"),
                    _ => format!("p->data >= 0 && p->data != {}", high + 1),
                };
                self.line(&format!("for (p = l; p; p = p->next) check({claim});"));
            }
            6 => {
                let last = if self.mistake() { "p->next->next" } else { "p->next" };
                let data = self.data();
                self.line(&format!(
                    "if (l) {{ p = l; while ({last}) p = p->next; q = make({data}); p->next = q; }}"
                ));
                if self.double {
                    self.line("if (l) q->prev = p;");
                }
                self.line("p = 0; q = 0;");
            }
            7 if self.double => {
                self.line("for (p = l; p; p = p->next) if (p->next) check(p->next->prev == p);");
                self.line("p = 0;");
            }
            _ => {
                self.line("n = 0; for (p = l; p; p = p->next) { if (n < 3) n++; }");
                let most = if self.mistake() { 2 } else { 3 };
                self.line(&format!("check(n <= {most}); check(l == 0 || n > 0);"));
            }
        }
    }

    fn pop(&mut self) {
        let test = if self.mistake() { "1" } else { "l" };
        let free = if self.mistake() { "" } else { "drop(p);" };
        let back = self.linked("l", "0");
        self.line(&format!("if ({test}) {{ p = l; l = l->next; {back} {free} p = 0; }}"));
    }

    fn reverse(&mut self) {
        let back = if self.double && !self.mistake() { "if (p) p->prev = l;" } else { "" };
        let order =
            if self.mistake() { "l->next = p; q = l->next;" } else { "q = l->next; l->next = p;" };
        self.line(&format!("p = 0; while (l) {{ {order} {back} p = l; l = q; }}"));
        let end = if self.double { "if (p) p->prev = 0;" } else { "" };
        self.line(&format!("l = p; {end} p = 0; q = 0;"));
    }

    fn insert(&mut self) {
        let data = self.data();
        self.line("p = l; while (p && __VERIFIER_nondet_int()) p = p->next;");
        let back = if self.double { "q->prev = p; if (q->next) q->next->prev = q;" } else { "" };
        let test = if self.mistake() { "1" } else { "p" };
        self.line(&format!(
            "if ({test}) {{ q = make({data}); q->next = p->next; p->next = q; {back} }}"
        ));
        self.line("p = 0; q = 0;");
    }

    fn remove(&mut self) {
        let value = self.rng.below(3);
        let free = match self.mistake() {
            true if self.rng.one_in(2) => "",
            true => "drop(p); free(p);",
            false => "drop(p);",
        };
        let back = if self.double { "if (p->next) p->next->prev = q;" } else { "" };
        self.line(&format!(
            "q = 0; p = l; while (p && p->data != {value}) {{ q = p; p = p->next; }}"
        ));
        self.line(&format!(
            "if (p) {{ {back} if (q) q->next = p->next; else l = p->next; {free} }}"
        ));
        self.line("p = 0; q = 0;");
    }

    fn end(&mut self) {
        if self.mistake() {
            return;
        }
        let order = if self.mistake() { "free(l); r = l->next;" } else { "r = l->next; drop(l);" };
        self.line(&format!("while (l) {{ {order} l = r; }}"));
        if self.mistake() {
            self.line("if (r) free(r);");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_differ() {
        let texts: std::collections::BTreeSet<String> = (0..100).map(list_program).collect();
        assert!(texts.len() > 90);
        assert!(texts.iter().any(|text| text.contains("prev")));
    }
}

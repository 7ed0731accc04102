//! Random programs with buffers and texts whose length is an input, some with mistakes.

use crate::Rng;
use std::fmt::Write;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void); extern void *malloc(unsigned long);
extern void *calloc(unsigned long, unsigned long); extern void free(void *); extern void abort(void);
extern unsigned long strlen(const char *); extern char *strcpy(char *, const char *);
extern void *memcpy(void *, const void *, unsigned long); extern void *memset(void *, int, unsigned long);
void reach_error(void) { abort(); }
";

/// A program that makes a buffer, goes through it in some ways, and frees it.
pub fn buffer_program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = HEAD.to_owned();
    let most = if rng.one_in(2) { 7 } else { 1000 };
    let least = rng.below(3);
    let is_text = !rng.one_in(4);
    let item = if is_text { "char" } else { "int" };
    let more = rng.below(3);
    let made = match rng.below(3) {
        0 => format!("calloc(n + {more}, sizeof({item}))"),
        _ => format!("malloc((n + {more}) * sizeof({item}))"),
    };
    // Where loops begin before something is written, what they read is any value.
    let _ = writeln!(
        text,
        "int main(void) {{
    int n = (int)(__VERIFIER_nondet_uint() % {most}u) + {least};
    if (n + {more} < 1) return 0;
    {item} *a = {made};
    int i = 0; {item} *p = a; unsigned long m = 0;
    for (i = 0; i < n + {more}; i++) a[i] = ({item})__VERIFIER_nondet_int();"
    );
    let n_parts = 1 + rng.below(4);
    for _ in 0..n_parts {
        let part = part(&mut rng, is_text, more);
        let _ = writeln!(text, "    {part}");
    }
    text.push_str("    free(a);\n    return 0;\n}\n");
    text
}

/// A way through the buffer, which has so many more items than `n`.
fn part(rng: &mut Rng, is_text: bool, more: usize) -> String {
    // Mostly the last item, now and then one behind it.
    let last = more as i64 - 1 + i64::from(rng.one_in(12));
    let end = last + 1;
    let item = if is_text { "char" } else { "int" };
    match rng.below(if is_text { 12 } else { 8 }) {
        0 => format!("a[n + ({last})] = 0;"),
        1 => format!("for (i = 0; i < n + ({end}); i++) a[i] = 1;"),
        2 => format!("for (p = a; p < a + n + ({end}); p++) *p = 2;"),
        3 => format!("p = a + n + ({end}); while (p > a) {{ p--; if (*p == 3) break; }}"),
        4 => format!("for (i = n + ({last}); i >= 0; i--) a[i] = ({item})i;"),
        5 => format!(
            "a[n + ({last})] = 0; i = 0; while (a[i] != 0) i++; if (i > n + ({last})) reach_error();"
        ),
        6 => format!(
            "{{ int h = (n + ({end})) / 2; for (i = 0; i < h; i++) {{ {item} t = a[i]; a[i] = a[n + ({last}) - i]; a[n + ({last}) - i] = t; }} }}"
        ),
        7 => format!(
            "{{ {item} *b = malloc((n + ({end})) * sizeof({item})); memcpy(b, a, (n + {more}) * sizeof({item})); free(b); }}"
        ),
        8 => format!("a[n + ({last})] = 0; for (p = a; *p; p++) if (*p == 'x') *p = 'y';"),
        9 => {
            let room = if rng.one_in(8) { 0 } else { 1 };
            format!(
                "a[n + ({last})] = 0; m = strlen(a); {{ char *b = malloc(m + {room} + (m == 0)); strcpy(b, a); free(b); }}"
            )
        }
        10 => format!("memset(a, {}, n + ({end})); p = a; ", rng.below(2)),
        _ => format!(
            "a[n + ({last})] = 0; {{ char *q = a; p = a; while (*p) {{ if (*p != ' ') *q++ = *p; p++; }} *q = 0; }}"
        ),
    }
}

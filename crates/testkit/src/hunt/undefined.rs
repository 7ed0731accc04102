//! Undefined behaviour of every kind that a sanitizer or the hardware sees, beside its harmless twin; and functions of
//! the library with pointers that are sometimes invalid.

use super::Scene;
use crate::Rng;

/// A statement around `@`, with what it may be and what it may not; a declaration that it needs.
struct Kind {
    global: &'static str,
    text: &'static str,
    right: &'static str,
    wrong: &'static str,
}

const fn kind(
    global: &'static str,
    text: &'static str,
    right: &'static str,
    wrong: &'static str,
) -> Kind {
    Kind { global, text, right, wrong }
}

/// `$x` is a volatile variable that holds zero: nothing of this is known to the compiler.
const KINDS: &[Kind] = &[
    kind("", "{ int d_ = @ + $x; observe_(7 / d_); }", "2", "0"),
    kind("", "{ int d_ = @ + $x; observe_(7 % d_); }", "2", "0"),
    kind("", "{ int d_ = @ + $x; observe_((-2147483647 - 1) / d_); }", "2", "-1"),
    kind("", "{ long d_ = @ + $x; observe_((-9223372036854775807 - 1) % d_); }", "2", "-1"),
    kind("", "{ int s_ = @ + $x; observe_(1u << s_); }", "31", "32"),
    kind("", "{ int s_ = @ + $x; observe_(5 >> s_); }", "2", "-1"),
    kind("", "{ int s_ = @ + $x; observe_(3 << s_); }", "4", "31"),
    kind("", "{ int v_ = @ + $x; v_++; observe_(v_); }", "2147483646", "2147483647"),
    kind("", "{ int v_ = @ + $x; --v_; observe_(v_); }", "-2147483647", "(-2147483647 - 1)"),
    kind("", "{ int v_ = @ + $x; observe_(-v_); }", "2147483647", "(-2147483647 - 1)"),
    kind("", "{ long v_ = @ + $x; v_ *= 2; observe_(v_); }", "5", "0x7fffffffffffffff"),
    kind("", "{ int v_ = @ + $x; v_ -= 2; observe_(v_); }", "0", "-2147483647"),
    kind("", "{ double v_ = @ + $x; observe_((int)v_); }", "2147483647.0", "2147483648.0"),
    kind("", "{ double v_ = @ + $x; observe_((unsigned char)v_); }", "255.5", "256.0"),
    kind("", "{ float v_ = @ + $x; observe_((unsigned)v_); }", "0.5f", "-1.0f"),
    kind("", "{ int a_[4] = {1, 2, 3, 4}; int i_ = @ + $x; observe_(a_[i_]); }", "3", "4"),
    kind(
        "",
        "{ int a_[4] = {1, 2, 3, 4}; int i_ = @ + $x; a_[i_] = 5; observe_(a_[0]); }",
        "0",
        "-1",
    ),
    kind("static int $a[3] = {1, 2, 3};", "{ int i_ = @ + $x; observe_($a[i_]); }", "2", "3"),
    kind(
        "",
        "{ int *p_ = malloc(12); p_[0] = 1; p_[@ + $x] = 2; observe_(p_[@ + $x]); free(p_); }",
        "2",
        "3",
    ),
    kind("", "{ char *p_ = calloc(5, 1); observe_(p_[@ + $x]); free(p_); }", "4", "5"),
    kind("", "{ char *p_ = calloc(5, 1); observe_(p_[@ + $x]); free(p_); }", "0", "-1"),
    kind("", "{ int v_ = 3, *p_ = @ + $x ? &v_ : (int *)0; observe_(*p_); }", "1", "0"),
    kind(
        "",
        "{ int *p_ = malloc(4); *p_ = 1; if (@ + $x) free(p_); observe_(*p_); if (!(@ + $x)) free(p_); }",
        "0",
        "1",
    ),
    kind("", "{ char *p_ = malloc(4); free(p_); if (@ + $x) free(p_); observe_(1); }", "0", "1"),
    kind("", "{ char a_[8], *p_ = @ + $x ? a_ : malloc(8); free(p_); observe_(1); }", "0", "1"),
    kind("", "{ char *p_ = malloc(8); free(p_ + (@ + $x)); observe_(1); }", "0", "1"),
    kind(
        "",
        "{ int *q_, k_ = 4; { int inner_ = 5; q_ = @ + $x ? &inner_ : &k_; } observe_(*q_); }",
        "0",
        "1",
    ),
    kind(
        "static int *$f(int n) { int a_ = n; static int b_ = 2; int *p_ = n ? &a_ : &b_; return p_; }",
        "observe_(*$f(@ + $x));",
        "0",
        "1",
    ),
    kind(
        "",
        "{ char b_[12] __attribute__((aligned(8))) = {0}; int *p_ = (int *)(b_ + (@ + $x)); observe_(*p_); }",
        "4",
        "1",
    ),
    kind("", "{ int n_ = @ + $x; char v_[n_]; v_[0] = 1; observe_(v_[0]); }", "2", "-1"),
    kind("", "{ unsigned v_ = @ + $x; observe_(__builtin_clz(v_)); }", "1", "0"),
    kind("", "{ unsigned long v_ = @ + $x; observe_(__builtin_ctzl(v_)); }", "4", "0"),
    kind("", "if (@ + $x) __builtin_unreachable(); observe_(1);", "0", "1"),
    kind(
        "static const int $c = 3;",
        "{ int v_, *p_ = @ + $x ? (int *)&$c : &v_; *p_ = 4; observe_(*p_); }",
        "0",
        "1",
    ),
    kind(
        "",
        "{ char a_[4] = \"ab\", *p_ = @ + $x ? \"cd\" : a_; p_[0] = 'x'; observe_(p_[0]); }",
        "0",
        "1",
    ),
    kind(
        "",
        "{ char a_[9] = \"abcdefgh\"; memcpy(a_ + (@ + $x), a_, 4); observe_(a_[4]); }",
        "4",
        "1",
    ),
    kind(
        "",
        "{ unsigned char b_ = (unsigned char)(@ + $x); _Bool *p_ = (_Bool *)&b_; observe_(*p_ ? 1 : 0); }",
        "1",
        "3",
    ),
    kind(
        "struct $s { int a; char b[4]; };",
        "{ struct $s s_ = {1, {1, 2, 3, 4}}; observe_(s_.b[@ + $x]); }",
        "3",
        "4",
    ),
    kind("", "{ int m_[2][3] = {{1, 2, 3}, {4, 5, 6}}; observe_(m_[@ + $x][1]); }", "1", "2"),
    kind(
        "",
        "{ char *p_ = malloc(3), *q_ = realloc(p_, 6); q_[@ + $x] = 1; observe_(q_[@ + $x]); free(q_); }",
        "5",
        "6",
    ),
    kind("", "{ int v_ = @ + $x; observe_(__builtin_abs(v_)); }", "-5", "(-2147483647 - 1)"),
    kind(
        "static int $r(int n) { return n <= 0 ? 0 : 1 + $r(n - 1); }",
        "observe_($r(@ + $x) / (@ + $x));",
        "3",
        "0",
    ),
    kind(
        "static int $g(int n, ...) { va_list l_; __builtin_va_start(l_, n); int s_ = 0; while (n-- > 0) s_ += __builtin_va_arg(l_, int); __builtin_va_end(l_); return s_ * 0; }",
        "observe_(10 / ($g(@ + $x, 1, 2) + (@ + $x)));",
        "2",
        "0",
    ),
];

/// Statements of which some may be undefined.
pub(super) fn undefined(rng: &mut Rng, scene: &mut Scene) {
    scene.global("static volatile int $x = 0;");
    for _ in 0..rng.between(1, 4) {
        let kind = rng.choose(KINDS);
        let with = if scene.slips(rng) { kind.wrong } else { kind.right };
        if !kind.global.is_empty() && !scene.globals.iter().any(|global| global == kind.global) {
            scene.global(kind.global);
        }
        scene.line(kind.text.replace('@', with));
    }
}

/// Calls in which `@r`, `@w`, `@s` and `@t` are pointers to four bytes that are read or written, to a text and to one that is changed.
const CALLS: &[&str] = &[
    "memcpy(@w, @r, 4);",
    "memmove(@w, @r, 4);",
    "memset(@w, 1, 4);",
    "observe_(memcmp(@r, @r, 4) == 0);",
    "observe_(memchr(@r, 'q', 4) == 0);",
    "strcpy(@w, @s);",
    "strncpy(@w, @s, 4);",
    "strcat(@t, \"d\");",
    "strncat(@t, @s, 1);",
    "observe_(strlen(@s));",
    "observe_(strcmp(@s, @s) == 0);",
    "observe_(strncmp(@s, @s, 3) == 0);",
    "observe_(strchr(@s, 'q') == 0);",
    "observe_(strrchr(@s, 'q') == 0);",
    "observe_(strstr(@s, \"qq\") == 0);",
    "observe_(strspn(@s, \"abc\"));",
    "observe_(strcspn(@s, \"xyz\"));",
    "{ char *d_ = strdup(@s); observe_(d_[0]); free(d_); }",
    "observe_(atoi(@s));",
    "observe_(strtol(@s, 0, 10));",
    "observe_(snprintf(@w, 4, \"%s\", @s));",
    "observe_(sprintf(@w, \"%d\", 123));",
    "{ int k_ = 0; observe_(sscanf(@s, \"%d\", &k_)); observe_(k_); }",
    "qsort(@w, 4, 1, $order);",
    "observe_(bsearch(@r, @r, 4, 1, $order) != 0);",
];

/// Calls of the library with pointers that are right or not.
pub(super) fn misuse(rng: &mut Rng, scene: &mut Scene) {
    scene.global(
        "static int $order(const void *a, const void *b) { return *(const signed char *)a - *(const signed char *)b; }",
    );
    scene.line("char *$heap = malloc(4); $heap[0] = $heap[1] = $heap[2] = $heap[3] = 0;");
    scene.line("char $a[8] = \"abc\", $b[4] = \"12\", $c[8] = \"c\"; char $open[2] = {'1', '2'}; char $small[3] = {0};");
    scene.line("char *$gone = malloc(8); free($gone);");
    for _ in 0..rng.between(1, 4) {
        let mut text = (*rng.choose(CALLS)).to_owned();
        for role in ["@r", "@w", "@s", "@t"] {
            while text.contains(role) {
                let slips = scene.slips(rng);
                let pointer = match (role, slips) {
                    (_, true) => {
                        let bad = *rng.choose(&[
                            "(char *)0",
                            "$gone",
                            "$small",
                            "$open",
                            "(char *)\"abc\"",
                        ]);
                        // Not every misuse is one that a sanitizer sees.
                        scene.exact = false;
                        bad
                    }
                    ("@r", _) => *rng.choose(&["$a", "$heap", "\"abcd\"", "$c + 4"]),
                    ("@w", _) => *rng.choose(&["$a + 4", "$c + 4"]),
                    ("@t", _) => "$c",
                    _ => *rng.choose(&["$b", "\"12\"", "\"abc\"", "\"\""]),
                };
                text = text.replacen(role, pointer, 1);
            }
        }
        scene.line(text);
    }
    for i in 0..4 {
        scene.observe(format!("$a[{i}]"));
    }
    scene.line("free($heap);");
}

//! Pointers: arithmetic, comparisons, conversions to integers and bytes and back.

use super::Scene;
use crate::Rng;

/// Pointers into arrays, moved and compared within them, and now and then beyond.
pub(super) fn pointers(rng: &mut Rng, scene: &mut Scene) {
    let ty = rng.choose(&["char", "short", "int", "long", "double"]);
    let n = rng.between(3, 8);
    scene.global(format!("static {ty} $a[{n}];"));
    scene.line(format!("for (int i_ = 0; i_ < {n}; i_++) $a[i_] = i_ * 3;"));
    scene.line(format!("{ty} *$p = $a, *$q = $a + {};", rng.below(n)));
    scene.line(format!("{ty} **$pp = &$p;"));
    for _ in 0..rng.between(3, 8) {
        let risk = usize::from(scene.slips(rng)) * n;
        let i = rng.below(n) + risk;
        match rng.below(14) {
            0 => scene.line(format!("$p = &$a[{}];", rng.below(n))),
            1 => scene.line(format!("$p = $q - ($q - $a) + {};", rng.below(n))),
            2 => scene.line(format!("if ($p + 1 < $a + {n}) $p++;")),
            3 => scene.line(format!("*($a + {i}) = 7;")),
            4 => scene.observe(format!("$a[{i}]")),
            5 => scene.observe("$q - $p"),
            6 => scene.observe(format!("$p {} $q", rng.choose(&["<", "<=", "==", "!=", ">", ">="]))),
            7 => scene.line("{ uintptr_t u_ = (uintptr_t)$p; $q = ($p); $p = (void *)u_; observe_(*$p); }"),
            8 => scene.line("{ unsigned char b_[sizeof $p]; memcpy(b_, &$p, sizeof $p); memcpy(&$q, b_, sizeof $q); observe_(*$q); }"),
            9 => scene.observe(format!("(char *)&$a[{}] - (char *)$a", rng.below(n + 1))),
            10 => scene.line("{ char *c_ = (char *)$p; observe_(*c_); *c_ = 1; }"),
            11 => scene.observe("**$pp"),
            12 => scene.line(format!("$pp = &$q; *$pp = $a + {}; observe_(*$q);", rng.below(n))),
            _ => scene.observe(format!("{}[$a] == *({} + $a)", rng.below(n), rng.below(n))),
        }
    }
    scene.observe("*$p");
}

/// Adds an operation whose result C leaves open, on addresses: gcc's choice must be among those that are considered.
pub(super) fn addresses(rng: &mut Rng, scene: &mut Scene) {
    scene.exact = false;
    scene.global("static int $x, $y, $z[3];");
    scene.global("static void $f(void) { }");
    scene.global("static int $h(int *p) { int l; return &l < p; }");
    scene.line("int $l, $m = 0; (void)$l;");
    for _ in 0..rng.between(1, 4) {
        match rng.below(18) {
            0 => scene.observe("(uintptr_t)&$x < (uintptr_t)&$y"),
            1 => scene.observe("&$z[3] == &$x"),
            2 => scene.observe("\"abc\" == \"abc\""),
            3 => scene.observe("\"xabc\" + 1 == \"abc\""),
            4 => scene.line("{ char *p_ = malloc(8); uintptr_t u_ = (uintptr_t)p_; free(p_); char *q_ = malloc(8); observe_(u_ == (uintptr_t)q_); free(q_); }"),
            5 => scene.line("{ char *p_ = malloc(8); uintptr_t u_ = (uintptr_t)p_; char *q_ = realloc(p_, 16); observe_(u_ == (uintptr_t)q_); free(q_); }"),
            6 => scene.line("{ uintptr_t u_; { int a_; u_ = (uintptr_t)&a_; } { int b_; observe_(u_ == (uintptr_t)&b_); } }"),
            7 => scene.observe("(uintptr_t)&$x % 8"),
            8 => scene.observe("(uintptr_t)&$l % 16"),
            9 => scene.observe("((uintptr_t)&$x >> 44) == ((uintptr_t)&$l >> 44)"),
            10 => scene.line("{ char *p_ = malloc(1); observe_((uintptr_t)p_ % 16); free(p_); }"),
            11 => scene.line("{ char *p_ = malloc(0); observe_(p_ == 0); free(p_); }"),
            12 => scene.observe("(uintptr_t)$f < (uintptr_t)&$x"),
            13 => scene.observe("$h(&$m)"),
            14 => scene.line("{ int *p_ = &$x; p_ = (int *)((uintptr_t)p_ ^ (uintptr_t)&$y); p_ = (int *)((uintptr_t)p_ ^ (uintptr_t)&$y); *p_ = 3; observe_($x); }"),
            15 => scene.observe("(unsigned)(uintptr_t)&$x == (uintptr_t)&$x"),
            16 => scene.line("{ char *p_ = malloc(8), *q_ = malloc(8); observe_((uintptr_t)p_ < (uintptr_t)q_); observe_((uintptr_t)q_ - (uintptr_t)p_ == 32); free(p_); free(q_); }"),
            _ => scene.observe("(uintptr_t)(&$z[2] + 1) - (uintptr_t)$z"),
        }
    }
}

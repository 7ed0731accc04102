//! Loops, lists and recursion whose lengths come from inputs: what provers need invariants for.

use super::Scene;
use crate::Rng;

/// An expression over the counter `i_` and the scene's variables that cannot overflow.
fn small(rng: &mut Rng) -> String {
    let k = rng.between(1, 9);
    match rng.below(7) {
        0 => "i_".to_owned(),
        1 => format!("i_ + {k}"),
        2 => format!("i_ * {k}"),
        3 => format!("(int)($n - i_) % {}", k + 1),
        4 => format!("({k} ^ i_) & 7"),
        5 => "$x & 3".to_owned(),
        _ => k.to_string(),
    }
}

/// The head of a loop over the first elements of an array; the counter is `i_`.
fn head(rng: &mut Rng, careless: bool) -> String {
    let below = if careless { "i_ <= $n" } else { "i_ < $n" };
    match rng.below(6) {
        0 => format!("for (int i_ = 0; {below}; i_ += {})", rng.between(1, 3)),
        1 => format!("for (int i_ = $n{}; i_ >= 0; i_--)", if careless { "" } else { " - 1" }),
        2 => format!("for (int i_ = $n / 2; {below}; i_++)"),
        3 if !careless => "for (int i_ = 0; i_ != $n; i_++)".to_owned(),
        _ => format!("for (int i_ = 0; {below}; i_++)"),
    }
}

/// Loops over arrays and counters, up to a length that is an input.
pub(super) fn loops(rng: &mut Rng, scene: &mut Scene) {
    scene.inputs = true;
    let size = *rng.choose(&[3, 5, 8, 20]);
    scene.global(format!("static int $a[{size}]; static unsigned char $b[{size}];"));
    scene.line(format!(
        "int $n = __VERIFIER_nondet_uint() % {}; int $x = __VERIFIER_nondet_int();",
        size + 1
    ));
    scene.line("int $s = 0, $t = 0; unsigned $u = 0;");
    for _ in 0..rng.between(2, 5) {
        let careless = scene.slips(rng);
        let head = head(rng, careless);
        let (value, k) = (small(rng), rng.between(1, 9));
        match rng.below(14) {
            0 | 1 => scene.line(format!("{head} $a[i_] = {value};")),
            2 => scene.line(format!("{head} $b[i_] = $a[i_] + {k};")),
            3 => scene.line(format!("{head} {{ if ($a[i_] > {k}) $s++; else $t++; }}")),
            4 => scene.line(format!("{head} {{ if ($b[i_] == {k}) break; $u += $b[i_]; }}")),
            5 => scene.line(format!("{head} {{ if (i_ % 2) continue; $a[i_] += {value}; $s = i_; }}")),
            6 => scene.line(format!("{{ int *p_ = $a; while (p_ < $a + $n) {{ *p_ = {k}; p_++; $t++; }} }}")),
            7 => scene.line("for (int i_ = 0; i_ < $n; i_++) for (int j_ = 0; j_ < i_; j_++) { $u++; if ($a[j_] < $a[i_]) $s = j_; }"),
            8 => scene.line("for (int l_ = 0, r_ = $n - 1; l_ < r_; l_++, r_--) { int t_ = $a[l_]; $a[l_] = $a[r_]; $a[r_] = t_; }"),
            9 => scene.line(format!("{{ int i_ = 0; do {{ $s += 2; i_++; $t = $s - i_; }} while (i_ < $n * {k}); }}")),
            10 => scene.line("{ int m_ = $a[0]; for (int i_ = 1; i_ < $n; i_++) if (m_ < $a[i_]) m_ = $a[i_]; $t = m_; }"),
            11 => scene.line(format!("{{ unsigned c_ = $x; while (c_ & {k}) {{ c_ >>= 1; $u ^= c_; }} }}")),
            12 => scene.line(format!("for (int i_ = 0; i_ < $n; i_++) {{ int v_ = __VERIFIER_nondet_uchar(); if (v_ > {k}) $s += v_ & 3; else $t--; }}")),
            _ => scene.line("for (int i_ = 0, j_ = 0; i_ < $n; i_++) if ($a[i_] & 1) $b[j_++] = $a[i_] & 15;"),
        }
    }
    if scene.slips(rng) {
        scene.line("$s += $a[$n] / ($t + 1);");
    }
    scene.observe("$s");
    scene.observe("$u + $t");
    scene.observe(format!("$a[{}] + $b[{}]", rng.below(size), rng.below(size)));
}

/// Lists whose length is an input: made, walked, changed and released; now and then wrongly.
pub(super) fn lists(rng: &mut Rng, scene: &mut Scene) {
    scene.inputs = true;
    scene.global("struct $node { struct $node *next, *prev; int v; };");
    scene.line("struct $node *$h = 0; int $s = 0; unsigned $n = __VERIFIER_nondet_uint() % 4;");
    match rng.below(3) {
        0 => scene.line("while ($n-- > 0) { struct $node *n_ = malloc(sizeof *n_); n_->v = $n; n_->next = $h; n_->prev = 0; if ($h) $h->prev = n_; $h = n_; }"),
        1 => scene.line("{ struct $node **e_ = &$h, *p_ = 0; for (unsigned i_ = 0; i_ < $n; i_++) { *e_ = malloc(sizeof **e_); (*e_)->v = i_; (*e_)->next = 0; (*e_)->prev = p_; p_ = *e_; e_ = &(*e_)->next; } }"),
        _ => scene.line("for (; $n; $n--) { struct $node *n_ = calloc(1, sizeof *n_); n_->v = __VERIFIER_nondet_uchar() & 3; n_->next = $h; if ($h) $h->prev = n_; $h = n_; }"),
    }
    for _ in 0..rng.between(1, 4) {
        let careless = scene.slips(rng);
        let k = rng.below(4);
        match rng.below(8) {
            0 => scene.line("for (struct $node *p_ = $h; p_; p_ = p_->next) $s += p_->v;"),
            1 => scene.line("{ struct $node *r_ = 0; while ($h) { struct $node *t_ = $h->next; $h->prev = t_; $h->next = r_; r_ = $h; $h = t_; } $h = r_; }"),
            2 if careless => scene.line("{ struct $node *t_ = $h; $h = $h->next; free(t_); }"),
            2 => scene.line("if ($h) { struct $node *t_ = $h->next; free($h); $h = t_; if (t_) t_->prev = 0; }"),
            3 if careless => scene.line(format!("for (struct $node *p_ = $h; p_; p_ = p_->next) if (p_->v == {k}) {{ free(p_->next); p_->next = 0; $s += 10; }}")),
            3 => scene.line(format!("{{ struct $node **e_ = &$h; while (*e_) {{ struct $node *t_ = *e_; if (t_->v == {k}) {{ *e_ = t_->next; if (t_->next) t_->next->prev = t_->prev; free(t_); }} else e_ = &t_->next; }} }}")),
            4 => scene.line("{ struct $node *p_ = $h; while (p_ && p_->next) p_ = p_->next; if (p_) $s += p_->v + (p_->prev != 0); }"),
            5 if careless => scene.line("{ struct $node *n_ = malloc(sizeof *n_); n_->v = 1; n_->next = $h; $s += n_->v; }"),
            5 => scene.line("{ struct $node *n_ = malloc(sizeof *n_); n_->v = 1; n_->prev = 0; n_->next = $h; if ($h) $h->prev = n_; $h = n_; }"),
            6 => scene.line("for (struct $node *p_ = $h; p_; p_ = p_->next) { p_->v ^= 1; if (p_->next) p_->next->v += p_->v; }"),
            _ => scene.line("{ int c_ = 0; for (struct $node *p_ = $h; p_; p_ = p_->next) c_++; $s += c_ * 4; }"),
        }
    }
    scene.observe("$s");
    if scene.slips(rng) {
        scene.line("while ($h) { free($h); $h = $h->next; }");
    } else {
        scene.line("while ($h) { struct $node *t_ = $h->next; free($h); $h = t_; }");
    }
}

/// Functions that call themselves as deep as an input says.
pub(super) fn recursion(rng: &mut Rng, scene: &mut Scene) {
    scene.inputs = true;
    let k = rng.between(1, 5);
    scene.global("static int $d[8];");
    scene.global(format!("static int $sum(int n) {{ return n <= 0 ? {k} : n + $sum(n - 1); }}"));
    scene.global("static int $odd(unsigned n); static int $even(unsigned n) { return n ? $odd(n - 1) : 1; } static int $odd(unsigned n) { return n ? $even(n - 1) : 0; }");
    scene.global("static int $find(int l, int r, int x) { int m = l + (r - l) / 2; if (l >= r) return -1; if ($d[m] == x) return m; return $d[m] < x ? $find(m + 1, r, x) : $find(l, m, x); }");
    scene.global(
        "static void $fill(int *p, int n) { if (n == 0) return; *p = 2 * n; $fill(p + 1, n - 1); }",
    );
    scene.global("static unsigned $gcd(unsigned a, unsigned b) { return b ? $gcd(b, a % b) : a; }");
    scene.global("static int $fib(int n) { return n < 2 ? n : $fib(n - 1) + $fib(n - 2); }");
    scene.line("int $n = __VERIFIER_nondet_uint() % 6; unsigned $u = __VERIFIER_nondet_uchar(); int $s = 0;");
    for _ in 0..rng.between(1, 4) {
        let careless = scene.slips(rng);
        match rng.below(7) {
            0 => scene.line("$s += $sum($n);"),
            1 => scene.line("$s += $even($n) * 3 + $odd($u & 3);"),
            2 => scene.line(format!("$s += $find(0, {}, $u);", if careless { 9 } else { 8 })),
            3 => scene.line(format!("$fill($d{}, $n);", if careless { " + 4" } else { "" })),
            4 => scene.line("$s += $gcd($u & 15, $n);"),
            5 => scene.line("$s += $fib($n);"),
            _ => scene
                .line(format!("$s = $s / ($sum($n) - {});", if careless { k + 3 } else { k - 1 })),
        }
    }
    scene.observe("$s");
    scene.observe(format!("$d[{}]", rng.below(8)));
}

/// A machine that changes its state with every input.
pub(super) fn machines(rng: &mut Rng, scene: &mut Scene) {
    scene.inputs = true;
    let states = rng.between(2, 5);
    scene.global(format!("static int $log[{states}];"));
    scene.line(format!(
        "int $q = 0, $c = 0; static int *const $p = $log; int $n = __VERIFIER_nondet_uint() % {};",
        rng.between(3, 7)
    ));
    scene.line("while ($n-- > 0) {");
    scene.line("  unsigned char i_ = __VERIFIER_nondet_uchar();");
    scene.line("  switch ($q) {");
    for state in 0..states {
        let careless = scene.slips(rng);
        let (to, other) = (rng.below(states) + usize::from(careless), rng.below(states));
        let effect = match rng.below(5) {
            0 => "$c++;",
            1 => "$p[$q]++;",
            2 => "if ($c > 0) $c--;",
            3 => "$c = $c * 2 % 100;",
            _ => "$p[0] = i_ & 7;",
        };
        scene.line(format!(
            "  case {state}: {effect} $q = i_ > {} ? {to} : {other}; break;",
            rng.below(12)
        ));
    }
    scene.line("  }");
    scene.line("  $p[$q] |= 1;");
    scene.line("}");
    scene.observe("$q * 1000 + $c");
    scene.observe("$p[0]");
}

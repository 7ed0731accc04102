//! Calls of all kinds, jumps, order of evaluation, inputs.

use super::Scene;
use crate::Rng;

/// Function pointers, structures by value, recursion, callbacks, functions of other types.
pub(super) fn calls(rng: &mut Rng, scene: &mut Scene) {
    scene.global("struct $v { int a; double d; char c[5]; };");
    scene.global("static int $seen;");
    scene.global("static int $inc(int x) { $seen++; return x + 1; }");
    scene.global("static int $dbl(int x) { $seen += 2; return 2 * (x & 0xffff); }");
    scene.global("static int $fact(int n) { return n <= 1 ? 1 : n * $fact(n - 1); }");
    scene.global(
        "static struct $v $mk(int a, double d) { struct $v v = { a, d, { 'a', a } }; return v; }",
    );
    scene.global(
        "static int $take(struct $v v, int k) { v.a += k; return v.a + v.c[1] + (int)v.d; }",
    );
    scene.global("static int $cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }");
    scene.global("static int (*const $table[])(int) = { $inc, $dbl, $fact };");
    scene.global("static int $none(void) { $seen += 4; return 7; }");
    scene.global("static void $two(int *p, int n) { $seen += n; if (p) *p = n; }");
    scene.line("int $r = 1;");
    for _ in 0..rng.between(2, 6) {
        match rng.below(13) {
            0 => scene.line(format!("$r = $table[{}]($r & 7);", rng.below(3))),
            1 => scene.line(format!("{{ int (*f_)(int) = $r & 1 ? $inc : $dbl; $r = f_({}); }}", rng.below(9))),
            2 => scene.observe(format!("$fact({})", rng.below(15))),
            3 => scene.observe(format!("$take($mk({}, {}.5), $r & 15)", rng.below(99), rng.below(20))),
            4 => scene.line("{ int a_[4] = { 3, $r & 7, 2, 9 }; qsort(a_, 4, sizeof *a_, $cmp); for (int i_ = 0; i_ < 4; i_++) observe_(a_[i_]); }"),
            5 => scene.line("{ int a_[3] = { 1, 5, 8 }, k_ = 5; int *p_ = bsearch(&k_, a_, 3, sizeof *a_, $cmp); observe_(p_ ? p_ - a_ : -1); }"),
            // gcc compiles these as the machine's calling convention has them; what is observed is what was called.
            6 => {
                scene.exact = false;
                scene.line("((int (*)(int, int))$inc)(1, 2);");
            }
            7 => {
                scene.exact = false;
                scene.line("((void (*)(void))$none)();");
            }
            8 => {
                scene.exact = false;
                scene.line("observe_(((long (*)(int))$none)(3) & 0xff);");
            }
            9 => {
                scene.exact = false;
                scene.line("((void (*)(void *, long))$two)(&$r, 5);");
            }
            10 => scene.line("$two(&$r, 3);"),
            11 => scene.observe("(&$inc == $inc) + (*$inc)(2) + (***$dbl)(3)"),
            _ => scene.observe("$r"),
        }
    }
    scene.observe("$seen");
}

/// `setjmp` and `longjmp`, `goto`, `switch`.
pub(super) fn jumps(rng: &mut Rng, scene: &mut Scene) {
    scene.headers = true;
    scene.global("static jmp_buf $b;");
    scene.global("static int $n;");
    scene.global("static void $deep(int k) { if (k == 0) longjmp($b, $n); $deep(k - 1); }");
    scene.line(format!("volatile int $v = {}; $n = 0;", rng.below(5)));
    for i in 0..rng.between(1, 3) {
        match rng.below(5) {
            0 => scene.line(format!(
                "switch (setjmp($b)) {{ case 0: $n = {}; $v++; $deep({}); observe_(1); break; case 1: observe_($v + 100); break; default: observe_($n + 200); }}",
                rng.below(4),
                rng.below(3)
            )),
            1 => scene.line(format!(
                "{{ int i_ = 0; L{i}: i_++; if (i_ < {}) goto L{i}; observe_(i_); }}",
                rng.between(1, 6)
            )),
            2 => scene.line(format!(
                "{{ int n_ = {}, c_ = 0; switch (n_ % 4) {{ case 0: do {{ c_++; case 3: c_++; case 2: c_++; case 1: c_++; }} while ((n_ -= 4) > 0); }} observe_(c_); }}",
                rng.between(1, 12)
            )),
            3 => scene.line(format!(
                "if (setjmp($b) == 0) {{ $n = 3; for (;;) {{ $v += 2; if ($v > {}) longjmp($b, 5); }} }} else observe_($v);",
                rng.below(20)
            )),
            _ => scene.line(format!(
                "{{ void *t_[] = {{ &&A{i}, &&B{i} }}; int k_ = {}; goto *t_[k_]; A{i}: observe_(10); B{i}: observe_(11); }}",
                rng.below(2)
            )),
        }
    }
    scene.observe("$v");
}

/// Functions with variable arguments.
pub(super) fn variadics(rng: &mut Rng, scene: &mut Scene) {
    const KINDS: &[(char, &str, &str)] = &[
        ('i', "int", "-7"),
        ('u', "unsigned", "4000000000u"),
        ('l', "long", "123456789012L"),
        ('d', "double", "2.75"),
        ('p', "int *", "&$g"),
        ('c', "int", "(char)-3"),
        ('f', "double", "1.5f"),
        ('s', "struct $s", "$t"),
    ];
    scene.global("struct $s { int a; char c[7]; };");
    scene.global("static int $g = 42;");
    scene.global("static struct $s $t = { 5, \"abc\" };");
    scene.global(
        "static long $f(const char *k, ...) {\n  va_list l, m; __builtin_va_start(l, k); __builtin_va_copy(m, l); long s = 0;\n  for (; *k; k++)\n    \
         switch (*k) {\n    case 'i': case 'c': s += __builtin_va_arg(l, int); break;\n    case 'u': s += __builtin_va_arg(l, unsigned); break;\n    \
         case 'l': s += __builtin_va_arg(l, long); break;\n    case 'd': case 'f': s += (long)(4 * __builtin_va_arg(l, double)); break;\n    \
         case 'p': s += *__builtin_va_arg(l, int *); break;\n    case 's': s += __builtin_va_arg(l, struct $s).c[1]; break;\n    \
         case 'r': s += __builtin_va_arg(m, int); break;\n    }\n  __builtin_va_end(l); __builtin_va_end(m);\n  return s;\n}",
    );
    for _ in 0..rng.between(1, 3) {
        let mut kinds = String::new();
        let mut values = String::new();
        let n = rng.below(9);
        for i in 0..n {
            let (kind, _, value) = *rng.choose(KINDS);
            if i == 0 && kind == 'i' && rng.one_in(2) {
                kinds.push('r');
            }
            kinds.push(kind);
            values += &format!(", {value}");
        }
        scene.observe(format!("$f(\"{kinds}\"{values})"));
    }
}

/// Effects in one expression.
pub(super) fn sequence(rng: &mut Rng, scene: &mut Scene) {
    scene.global("static int $g = 1;");
    scene.global("static int $add(int k) { $g += k; return $g; }");
    scene.global("static int $mul(int k) { $g *= k; return $g; }");
    scene.global("static int $pair(int a, int b) { return 10 * a + b; }");
    scene.line("int $i = 1, $a[4] = { 0, 1, 2, 3 };");
    for _ in 0..rng.between(1, 4) {
        match rng.below(11) {
            0 => {
                scene.exact = false;
                scene.observe("$add(2) + $mul(3)");
            }
            1 => {
                scene.exact = false;
                scene.observe("$pair($add(1), $mul(2))");
            }
            2 => {
                scene.exact = false;
                scene.observe("$g + $add(1)");
            }
            3 => {
                scene.exact = false;
                scene.line(
                    "$a[$g & 3] = $add(1); observe_($a[0] + 3 * $a[1] + 5 * $a[2] + 7 * $a[3]);",
                );
            }
            4 => scene.observe("($add(2), $mul(3))"),
            5 => scene.observe("$add(0) && $mul(2)"),
            6 => scene.observe("$i++ || $i++"),
            7 => scene.observe("($i & 1) ? $add(1) : $mul(2)"),
            8 => scene.line("$i += $a[$i & 3]; observe_($i);"),
            9 => scene.line("{ int b_ = ($i = 5, $i + 1); observe_(b_); }"),
            _ => scene.observe("sizeof($i++) + $i"),
        }
    }
    scene.observe("$g");
    scene.observe("$i");
}

/// Inputs that decide what happens; gcc shows some executions.
pub(super) fn inputs(rng: &mut Rng, scene: &mut Scene) {
    scene.inputs = true;
    let n = rng.between(2, 6);
    scene.global(format!("static int $a[{n}];"));
    scene.line("unsigned $u = __VERIFIER_nondet_uint(); int $i = __VERIFIER_nondet_int(); unsigned char $c = __VERIFIER_nondet_uchar();");
    scene.line("long $r = 0;");
    for _ in 0..rng.between(2, 6) {
        let k = rng.between(1, 20);
        match rng.below(11) {
            0 => scene.line(format!("if ($u < {k}) $r += $u * 3; else $r ^= 5;")),
            1 => scene.line(format!("$a[$u % {}] = $c;", n + usize::from(scene.slips(rng)))),
            2 => scene.line(format!("for (unsigned j_ = 0; j_ < ($c & 7); j_++) $r += j_ * {k};")),
            3 => scene.line(format!("switch ($c % 4) {{ case 0: $r++; break; case 1: $r = $r * {k}; case 2: $r -= 2; break; default: $r = ~$r; }}")),
            4 => scene.line(format!("if ($i > -1000 && $i < 1000) $r += $i * $i / {k};")),
            5 => scene.observe(format!("$a[$c % {n}]")),
            6 => scene.line("{ int *p_ = ($u & 1) ? &$i : &$a[0]; *p_ = 7; }"),
            7 => scene.line(format!("if (($i & 15) < {n}) $r += $a[$i & 15];")),
            8 => scene.line(format!("{{ unsigned k_ = $u & 7; while (k_ > 0 && $r < 1000) {{ $r += {k}; k_--; }} }}")),
            9 => scene.line("$r += __builtin_popcount($u) - __builtin_parity($c);"),
            _ => scene.line("{ double d_ = $i; $r += d_ > 3.5 ? 1 : (long)(d_ == d_); }"),
        }
    }
    scene.observe("$r");
    scene.observe("$i");
}

//! Structures, unions, bit-fields, arrays and constants: layout, copies, initialisers.

use super::Scene;
use super::arithmetic::INTEGERS;
use crate::Rng;

/// Bit-fields of all widths, through members and through their bytes.
pub(super) fn bit_fields(rng: &mut Rng, scene: &mut Scene) {
    let n = rng.between(2, 6);
    let mut members = String::new();
    for i in 0..n {
        let (ty, width) = *rng.choose(&[
            ("int", 32),
            ("unsigned", 32),
            ("signed char", 8),
            ("unsigned char", 8),
            ("short", 16),
            ("unsigned long", 64),
            ("long", 64),
            ("_Bool", 1),
        ]);
        match rng.below(6) {
            0 => members += &format!("{ty} m{i}; "),
            1 => {
                members += &format!(
                    "{ty} : {}; {ty} m{i} : {}; ",
                    rng.below(width + 1),
                    rng.between(1, width)
                )
            }
            _ => members += &format!("{ty} m{i} : {}; ", rng.between(1, width)),
        }
    }
    let packed = if rng.one_in(5) { "__attribute__((packed)) " } else { "" };
    scene.global(format!("struct {packed}$s {{ {members}}};"));
    if rng.one_in(2) {
        scene.global("static struct $s $a;");
    } else {
        scene.line("struct $s $a; memset(&$a, 0, sizeof $a);");
    }
    scene.observe("sizeof(struct $s)");
    for _ in 0..rng.between(3, 8) {
        let i = rng.below(n);
        let j = rng.below(n);
        match rng.below(7) {
            0 | 1 => scene.line(format!(
                "$a.m{i} = {};",
                rng.choose(&["-1", "1", "5", "0x55", "0xfff", "0", "-3"])
            )),
            2 => scene.line(format!(
                "$a.m{i} {} {};",
                rng.choose(&["^=", "|=", "&="]),
                rng.choose(&["1", "3", "-1"])
            )),
            3 => scene.line(format!("$a.m{i} = $a.m{j};")),
            4 => scene.line(format!("if ($a.m{i} < 100) $a.m{i}++;")),
            5 => scene.observe(format!("($a.m{i} = $a.m{j})")),
            _ => scene.observe(format!("$a.m{i} - ($a.m{j} & 1)")),
        }
    }
    for i in 0..n {
        scene.observe(format!("$a.m{i}"));
    }
    scene.observe_bytes("$a", "sizeof $a");
}

/// Unions and other ways to read what was written at another type.
pub(super) fn unions(rng: &mut Rng, scene: &mut Scene) {
    scene.global("union $u { int i; unsigned u; long l; float f; double d; unsigned char c[8]; short s[4]; struct { unsigned char a; int b; } t; };");
    scene.line("union $u $x; memset(&$x, 0, sizeof $x);");
    for _ in 0..rng.between(3, 8) {
        match rng.below(10) {
            0 => scene
                .line(format!("$x.i = {};", rng.choose(&["-1", "0x7fc00001", "5", "0x7f800000"]))),
            1 => scene.line(format!(
                "$x.l = {};",
                rng.choose(&["-1L", "0x7ff8000000000001", "0x4045000000000000"])
            )),
            2 => scene.line(format!(
                "$x.f = {};",
                rng.choose(&["1.5f", "-0.0f", "1e38f", "__builtin_nanf(\"\")"])
            )),
            3 => scene.line(format!(
                "$x.d = {};",
                rng.choose(&["2.5", "-0.0", "1e308", "-__builtin_nan(\"\")"])
            )),
            4 => scene.line(format!("$x.c[{}] = {};", rng.below(8), rng.below(256))),
            5 => scene.line(format!("$x.s[{}] += {};", rng.below(4), rng.below(300))),
            6 => scene.line(format!("$x.t.b = {};", rng.below(1000))),
            7 => scene.line("{ volatile double z_ = 0; $x.d = z_ / z_; }"),
            8 => scene.line("$x.f = -$x.f;"),
            _ => scene.line("{ union $u y_ = $x; $x.l = 0; $x = y_; }"),
        }
        match rng.below(6) {
            0 => scene.observe("$x.i"),
            1 => scene.observe("$x.l"),
            2 => scene.observe(format!("$x.c[{}]", rng.below(8))),
            3 => scene.observe("$x.f > 1.0f"),
            4 => scene.observe("$x.d != $x.d"),
            _ => scene.observe("$x.t.b"),
        }
    }
}

/// Structures in arrays in structures, compound literals, designated initialisers, copies by value.
pub(super) fn aggregates(rng: &mut Rng, scene: &mut Scene) {
    let (a, b) = (rng.choose(INTEGERS), rng.choose(&INTEGERS[1..10]));
    let n = rng.between(2, 4);
    let m = rng.between(2, 4);
    scene.global(format!("struct $p {{ {a} a; {b} b[{m}]; }};"));
    scene.global(format!("struct $q {{ char c; struct $p p[{n}]; short s; }};"));
    scene.global(format!(
        "static struct $q $g = {{ .c = 'x', .p = {{ [{}] = {{ 1, {{ 2, [1] = 3 }} }} }}, .s = -5 }};",
        rng.below(n)
    ));
    scene.global("static struct $p $make(int x) { return (struct $p){ x & 1, { x, x + 1 } }; }");
    scene.global(format!("static int $sum(struct $q q) {{ int s = q.c + q.s; for (int i = 0; i < {n}; i++) s += q.p[i].b[0]; q.s = 0; return s; }}"));
    scene.line("struct $q $l = $g;");
    for _ in 0..rng.between(2, 6) {
        let (i, j) = (rng.below(n), rng.below(m));
        let over = usize::from(scene.slips(rng));
        match rng.below(9) {
            0 => scene.line(format!("$l.p[{i}] = $make({});", rng.below(100))),
            1 => scene.line(format!("$g.p[{i}].b[{}] = {};", j + over * m, rng.below(100))),
            2 => scene.line(format!("$l.p[{i}] = $g.p[{}];", rng.below(n))),
            3 => scene.line("$g = $l;"),
            4 => scene.line(format!("{{ struct $p *p_ = &$l.p[{i}]; p_->b[{j}]++; p_ += {}; observe_(p_ - $l.p); }}", usize::from(i + 1 < n))),
            5 => scene.observe("$sum($l)"),
            6 => scene.observe(format!("$make({}).b[{}]", rng.below(50), rng.below(2))),
            7 => scene.line(format!("{{ int k_ = {}; int v_[k_]; for (int i_ = 0; i_ < k_; i_++) v_[i_] = i_ * {j}; observe_(v_[k_ - {}]); observe_(sizeof v_); }}", n, 1 + over * 2 * n)),
            _ => scene.observe(format!("((struct $p[]){{ $l.p[{i}], $g.p[0] }})[1].b[{j}]")),
        }
    }
    scene.observe("sizeof(struct $q) + __builtin_offsetof(struct $q, s)");
    scene.observe("$sum($g) + $sum($l)");
    for i in 0..n {
        scene.observe(format!("$l.p[{i}].b[1] ^ $g.p[{i}].b[0]"));
    }
}

/// Writes to what must not be written, now and then.
pub(super) fn constants(rng: &mut Rng, scene: &mut Scene) {
    // A write to a constant automatic object is undefined, but nothing stops it; those that are static crash.
    scene.exact = false;
    scene.global("static const int $c = 5;");
    scene.global("static const struct $s { int a, b; } $cs = { 1, 2 };");
    scene.global("static const int $ca[4] = { 1, 2, 3, 4 };");
    scene.global("static int $w = 3;");
    scene.global("static void $set(int *p, int v) { *p = v; }");
    for _ in 0..rng.between(1, 4) {
        match rng.below(14) {
            0 => scene.line("*(int *)&$c = 6;"),
            1 => scene.line("*\"abc\" = 'x';"),
            2 => scene.line("((struct $s *)&$cs)->b = 2;"),
            3 => scene.line("memset((void *)&$c, 0, 4);"),
            4 => scene.line("__atomic_store_n((int *)&$c, 1, 5);"),
            5 => scene.line("((char *)__func__)[0] = 'x';"),
            6 => scene.line("$set((int *)&$ca[2], 9);"),
            7 => scene.line("memcpy((void *)$ca, \"abc\", 3);"),
            8 => scene.line("strcpy((char *)\"longer\", \"short\");"),
            9 => scene.line("{ char *p_ = \"text\"; p_[1]++; }"),
            10 => scene.line("sprintf((char *)\"0000\", \"%d\", 12);"),
            11 => scene.line("$set(&$w, 4); observe_($w);"),
            12 => scene.line("{ char t_[] = \"text\"; t_[1] = 'x'; observe_(t_[1]); }"),
            _ => scene.observe("$c + $ca[1] + $cs.b + \"abc\"[1]"),
        }
    }
    scene.observe("$w");
}

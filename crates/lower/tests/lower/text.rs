//! The text that each construct of C becomes.
//!
//! Run with `UPDATE_EXPECT=1` to rewrite the expectations.

use crate::{check, lower};
use expect_test::{Expect, expect};
use vergo_cfront::target::DataModel;
use vergo_lower::Options;

/// Lowers a text on the 64-bit machine and compares what the program prints as, but for the first lines.
fn expect_text(source: &str, expected: Expect) {
    let text = match lower("text.c", source.as_bytes(), DataModel::Lp64, &Options::default()) {
        Ok(program) => {
            check(&program).expect("the program is well formed");
            let text = vergo_goto::text::print(&program);
            text.lines().filter(|line| !line.starts_with("machine")).collect::<Vec<_>>().join("\n")
        }
        Err(error) => error,
    };
    expected.assert_eq(&format!("\n{}\n", text.trim()));
}

#[test]
fn arithmetic_keeps_its_types() {
    expect_text(
        r##"int f(int a, unsigned b, char c) { return a * 2 + (int)(b >> 3) - c; }"##,
        expect![[r#"

            function f: fn(i32, u32, i8) -> i32 {
                param f::a "a": i32 align 4;
                param f::b "b": u32 align 4;
                param f::c "c": i8 align 1;
                return f::a * 2i32 + (i32)(f::b >> 3i32) - (i32)f::c;
            }
        "#]],
    );
}

#[test]
fn comparisons_are_ints() {
    expect_text(
        r##"int f(double x, int *p) { return (x < 2) + (p == 0) + !p; }"##,
        expect![[r#"

            function f: fn(f64, i32*) -> i32 {
                param f::x "x": f64 align 8;
                param f::p "p": i32* align 8;
                return (i32)(f::x < 2.0f64) + (i32)(f::p == #null<i32*>) + (i32)(f::p == #null<i32*>);
            }
        "#]],
    );
}

#[test]
fn short_circuits_without_effects_stay_expressions() {
    expect_text(
        r##"int f(int *p, int n) { return p && *p > n || n; }"##,
        expect![[r#"

            function f: fn(i32*, i32) -> i32 {
                param f::p "p": i32* align 8;
                param f::n "n": i32 align 4;
                return (i32)(f::p != #null<i32*> && f::n < *f::p || f::n != 0i32);
            }
        "#]],
    );
}

#[test]
fn short_circuits_with_effects_branch() {
    expect_text(
        r##"int g(int); int f(int a) { if (a && g(a)) return 1; return a || g(2); }"##,
        expect![[r#"

            sites 2;

            function f: fn(i32) -> i32 labels 4 {
                param f::a "a": i32 align 4;
                local $t0 "": i32 align 4;
                local $t1 "": i32 align 4;
                local $t2 "": i32 align 4;
                if f::a == 0i32 goto L0;
                assert false "call.no-body" "`g` is called, which has neither a body nor a model";
                decl $t0;
                $t0 := #nondet<i32>(0);
                if $t0 == 0i32 goto L0;
                return 1i32;
              L0:
                decl $t1;
                if f::a != 0i32 goto L3;
                assert false "call.no-body" "`g` is called, which has neither a body nor a model";
                decl $t2;
                $t2 := #nondet<i32>(1);
                if $t2 == 0i32 goto L1;
              L3:
                $t1 := 1i32;
                goto L2;
              L1:
                $t1 := 0i32;
              L2:
                return $t1;
            }
        "#]],
    );
}

#[test]
fn conditional_operator() {
    expect_text(
        r##"int g(int); int f(int c, int a, int b) { int x = c ? a : b; return c ? g(a) : x; }"##,
        expect![[r#"

            sites 1;

            function f: fn(i32, i32, i32) -> i32 labels 2 {
                param f::c "c": i32 align 4;
                param f::a "a": i32 align 4;
                param f::b "b": i32 align 4;
                local f::x "x": i32 align 4;
                local $t0 "": i32 align 4;
                local $t1 "": i32 align 4;
                decl f::x;
                f::x := f::c != 0i32 ? f::a : f::b;
                decl $t0;
                if f::c == 0i32 goto L0;
                assert false "call.no-body" "`g` is called, which has neither a body nor a model";
                decl $t1;
                $t1 := #nondet<i32>(0);
                $t0 := $t1;
                dead $t1;
                goto L1;
              L0:
                $t0 := f::x;
              L1:
                return $t0;
            }
        "#]],
    );
}

#[test]
fn assignment_value() {
    expect_text(
        r##"int f(int *p, int *q) { return *p = *q = 3; }"##,
        expect![[r#"

            function f: fn(i32*, i32*) -> i32 {
                param f::p "p": i32* align 8;
                param f::q "q": i32* align 8;
                *f::q := 3i32;
                *f::p := 3i32;
                return 3i32;
            }
        "#]],
    );
}

#[test]
fn compound_assignment_promotes() {
    expect_text(
        r##"void f(char c, unsigned char *p) { c += 1000; *p <<= 2; }"##,
        expect![[r#"

            function f: fn(i8, u8*) -> void {
                param f::c "c": i8 align 1;
                param f::p "p": u8* align 8;
                f::c := (i8)((i32)f::c + 1000i32);
                *f::p := (u8)((i32)*f::p << 2i32);
                return;
            }
        "#]],
    );
}

#[test]
fn increments() {
    expect_text(
        r##"int f(int i, char c, int *p, _Bool b) { c++; --b; return i++ + *p++; }"##,
        expect![[r#"

            function f: fn(i32, i8, i32*, u8) -> i32 {
                param f::i "i": i32 align 4;
                param f::c "c": i8 align 1;
                param f::p "p": i32* align 8;
                param f::b "b": u8 align 1;
                local $t0 "": i32 align 4;
                local $t1 "": i32* align 8;
                f::c := (i8)((i32)f::c + 1i32);
                f::b := (u8)!(f::b != 0u8);
                decl $t0;
                $t0 := f::i;
                f::i := $t0 + 1i32;
                decl $t1;
                $t1 := f::p;
                f::p := $t1 + 1i64;
                return $t0 + *$t1;
            }
        "#]],
    );
}

#[test]
fn bit_fields() {
    expect_text(
        r##"struct s { int a : 3; unsigned b : 5; int : 0; int c; }; int f(struct s *s) { s->a += s->b; return s->b = 77; }"##,
        expect![[r#"

            struct s size 8 align 4 {
                a: i3 @0:0;
                b: u5 @0:3;
                c: i32 @4;
            }

            function f: fn(struct s*) -> i32 {
                param f::s "s": struct s* align 8;
                f::s->a := (i3)((i32)f::s->a + (i32)(u32)f::s->b);
                f::s->b := 13u5;
                return 13i32;
            }
        "#]],
    );
}

#[test]
fn structures_are_values() {
    expect_text(
        r##"struct p { int x, y; }; struct p g(struct p); int f(struct p a, struct p *q) { *q = a; return g(*q).y; }"##,
        expect![[r#"

            sites 1;
            struct p size 8 align 4 {
                x: i32 @0;
                y: i32 @4;
            }

            function f: fn(struct p, struct p*) -> i32 {
                param f::a "a": struct p align 4;
                param f::q "q": struct p* align 8;
                local $t0 "": struct p align 4;
                *f::q := f::a;
                intrinsic copies(f::q, 8u64);
                assert false "call.no-body" "`g` is called, which has neither a body nor a model";
                decl $t0;
                $t0 := #nondet<struct p>(0);
                return $t0.y;
            }
        "#]],
    );
}

#[test]
fn loops() {
    expect_text(
        r##"int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; if (i == 7) break; s += i; } do s--; while (s > 9); while (s) s /= 2; return s; }"##,
        expect![[r#"

            function f: fn(i32) -> i32 labels 10 {
                param f::n "n": i32 align 4;
                local f::s "s": i32 align 4;
                local f::i "i": i32 align 4;
                decl f::s;
                f::s := 0i32;
                decl f::i;
                f::i := 0i32;
              L0:
                if f::n <= f::i goto L2;
                if f::i != 3i32 goto L3;
                goto L1;
              L3:
                if f::i != 7i32 goto L4;
                goto L2;
              L4:
                f::s := f::s + f::i;
              L1:
                f::i := f::i + 1i32;
                goto L0;
              L2:
                dead f::i;
              L5:
                f::s := f::s - 1i32;
              L6:
                if 9i32 < f::s goto L5;
              L7:
              L8:
                if f::s == 0i32 goto L9;
                f::s := f::s / 2i32;
                goto L8;
              L9:
                return f::s;
            }
        "#]],
    );
}

#[test]
fn switch_with_ranges() {
    expect_text(
        r##"int f(int x) { switch (x) { int y; case 1: y = 2; return y; case 5 ... 7: x++; default: x--; } return x; }"##,
        expect![[r#"

            function f: fn(i32) -> i32 labels 4 {
                param f::x "x": i32 align 4;
                local f::y "y": i32 align 4;
                decl f::y;
                if f::x == 1i32 goto L0;
                if 5i32 <= f::x && f::x <= 7i32 goto L1;
                goto L2;
              L0:
                f::y := 2i32;
                return f::y;
              L1:
                f::x := f::x + 1i32;
              L2:
                f::x := f::x - 1i32;
                dead f::y;
              L3:
                return f::x;
            }
        "#]],
    );
}

#[test]
fn goto_out_of_and_into_scopes() {
    expect_text(
        r##"int f(int n) { if (n) goto in; { int a = 1; n += a; in: a = 2; if (n > a) goto out; } out: return n; }"##,
        expect![[r#"

            function f: fn(i32) -> i32 labels 4 {
                param f::n "n": i32 align 4;
                local f::a "a": i32 align 4;
                if f::n == 0i32 goto L2;
                decl f::a;
                goto L0;
              L2:
                decl f::a;
                f::a := 1i32;
                f::n := f::n + f::a;
              L0:
                f::a := 2i32;
                if f::n <= f::a goto L3;
                dead f::a;
                goto L1;
              L3:
                dead f::a;
              L1:
                return f::n;
            }
        "#]],
    );
}

#[test]
fn computed_goto() {
    expect_text(
        r##"int f(int i) { static void *t[] = { &&a, &&b }; goto *t[i]; a: return 1; b: return 2; }"##,
        expect![[r#"

            static f::t "t": void*[2] align 8 = { @0: #addr<void*>(1); @8: #addr<void*>(2); };

            function f: fn(i32) -> i32 labels 4 {
                param f::i "i": i32 align 4;
                local $t0 "": void* align 8;
                decl $t0;
                $t0 := f::t[f::i];
                if $t0 == #addr<void*>(1) goto L2;
                if $t0 == #addr<void*>(2) goto L3;
                unsupported "a computed goto to an address that is not a label of its function";
              L2:
                goto L0;
              L3:
                goto L1;
              L0:
                return 1i32;
              L1:
                return 2i32;
            }
        "#]],
    );
}

#[test]
fn variable_length_arrays() {
    expect_text(
        r##"int f(int n) { int s = 0; for (int i = 1; i < n; i++) { int a[i][3]; a[0][1] = i; s += a[0][1] + sizeof a; } return s; }"##,
        expect![[r#"

            function f: fn(i32) -> i32 labels 3 {
                param f::n "n": i32 align 4;
                local f::s "s": i32 align 4;
                local f::i "i": i32 align 4;
                local f::hidden "": i64 align 8;
                local f::a "a": i32[3]* align 8;
                decl f::s;
                f::s := 0i32;
                decl f::i;
                f::i := 1i32;
              L0:
                if f::n <= f::i goto L2;
                decl f::hidden;
                f::hidden := (i64)f::i;
                decl f::a;
                assert 0i64 < f::hidden "memory.vla-length" "a variable-length array has no element" cwe 1284;
                assume f::hidden < 0i64 || (u64)f::hidden <= 768614336404564650u64;
                f::a := alloc((u64)f::hidden * 12u64) align 4 stack;
                (*f::a)[1i32] := f::i;
                f::s := (i32)((u64)f::s + ((u64)(*f::a)[1i32] + (u64)f::hidden * 12u64));
                free stack f::a;
                dead f::a;
                dead f::hidden;
              L1:
                f::i := f::i + 1i32;
                goto L0;
              L2:
                dead f::i;
                return f::s;
            }
        "#]],
    );
}

#[test]
fn variadic_functions() {
    expect_text(
        r##"int g(int n, ...); int f(char c, float x) { return g(2, c, x); } int g(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int r = __builtin_va_arg(l, int); __builtin_va_end(l); return r; }"##,
        expect![[r#"

            struct `...` align 1;
            struct va_list size 24 align 8 {
                cursor: void* @0;
            }
            struct va size 32 align 8 {
                k0: u64 @0;
                a0: i32 @8;
                k1: u64 @16;
                a1: f64 @24;
            }

            function g: fn(i32, struct `...`*) -> i32 {
                param g::n "n": i32 align 4;
                param g::__va "__va": struct `...`* align 8;
                local g::l "l": struct va_list align 8;
                local g::r "r": i32 align 4;
                local $t0 "": i8* align 8;
                local $t1 "": u64 align 8;
                local $t2 "": i8* align 8;
                local $t3 "": i32 align 4;
                decl g::l;
                g::l.cursor := (void*)g::__va;
                decl g::r;
                decl $t0;
                $t0 := (i8*)g::l.cursor;
                decl $t1;
                $t1 := *(u64*)$t0;
                assert $t1 == 34u64 "call.argument" "the argument does not have the type that `va_arg` takes it as" cwe 628;
                decl $t2;
                $t2 := $t0 + 8u64;
                decl $t3;
                $t3 := *(i32*)$t2;
                g::l.cursor := (void*)($t2 + 8u64);
                g::r := $t3;
                dead $t3;
                dead $t2;
                dead $t1;
                dead $t0;
                g::l.cursor := #null<void*>;
                return g::r;
            }

            function f: fn(i8, f32) -> i32 {
                param f::c "c": i8 align 1;
                param f::x "x": f32 align 4;
                local $t4 "": struct va align 8;
                local $t5 "": i32 align 4;
                decl $t4;
                $t4.k0 := 34u64;
                $t4.a0 := (i32)f::c;
                $t4.k1 := 67u64;
                $t4.a1 := (f64)f::x;
                decl $t5;
                $t5 := call g(2i32, (struct `...`*)&$t4);
                return $t5;
            }
        "#]],
    );
}

#[test]
fn function_pointers() {
    expect_text(
        r##"int g(int); int f(int (*p)(int), int x) { int (*q)(int) = g; return p(x) + (*q)(x); } int g(int x) { return x; }"##,
        expect![[r#"

            function g: fn(i32) -> i32 {
                param g::x "x": i32 align 4;
                return g::x;
            }

            function f: fn([fn(i32) -> i32]*, i32) -> i32 {
                param f::p "p": [fn(i32) -> i32]* align 8;
                param f::x "x": i32 align 4;
                local f::q "q": [fn(i32) -> i32]* align 8;
                local $t0 "": i32 align 4;
                local $t1 "": i32 align 4;
                decl f::q;
                f::q := @g;
                decl $t0;
                $t0 := call *(f::p)(f::x);
                decl $t1;
                $t1 := call *(f::q)(f::x);
                return $t0 + $t1;
            }
        "#]],
    );
}

#[test]
fn functions_without_prototype() {
    expect_text(
        r##"int g(); int f(void) { return g((char)1, 2.0f); } int g(a, b) char a; float b; { return a + b; }"##,
        expect![[r#"

            function g: fn(i32, f64) -> i32 {
                param g::a "a": i32 align 4;
                param g::b "b": f64 align 8;
                local g::a$1 "a": i8 align 1;
                local g::b$1 "b": f32 align 4;
                local $t0 "": f32 align 4;
                decl g::a$1;
                g::a$1 := (i8)g::a;
                decl g::b$1;
                g::b$1 := (f32)g::b;
                decl $t0;
                $t0 := (f32)g::a$1 + g::b$1;
                assert -2147483600.0f32 <= #round<RTZ>($t0) && #round<RTZ>($t0) <= 2147483500.0f32 "arith.float-conversion" "a floating number is converted to an integer type that cannot hold it" cwe 681;
                return (i32)$t0;
            }

            function f: fn() -> i32 {
                local $t1 "": i32 align 4;
                decl $t1;
                $t1 := call g(1i32, 2.0f64);
                return $t1;
            }
        "#]],
    );
}

#[test]
fn compound_literals_live_in_their_block() {
    expect_text(
        r##"int f(int c) { int *p = 0; if (c) p = (int[]){1, 2}; return p ? p[1] : 0; }"##,
        expect![[r#"

            function f: fn(i32) -> i32 labels 1 {
                param f::c "c": i32 align 4;
                local f::p "p": i32* align 8;
                local f::hidden "": i32[2] align 4;
                decl f::hidden;
                decl f::p;
                f::p := #null<i32*>;
                if f::c == 0i32 goto L0;
                f::hidden[0u64] := 1i32;
                f::hidden[1u64] := 2i32;
                f::p := &f::hidden[0u64];
              L0:
                return f::p != #null<i32*> ? *(f::p + 1i32) : 0i32;
            }
        "#]],
    );
}

#[test]
fn initialisers() {
    expect_text(
        r##"struct s { int a, b[3]; char c; }; int f(int k) { struct s x = { .b = {[1] = k} }; char t[] = "ab"; int r[40] = {1, 2}; return x.b[1] + t[0] + r[1]; }"##,
        expect![[r#"

            struct s size 20 align 4 {
                a: i32 @0;
                b: i32[3] @4;
                c: i8 @16;
            }
            static const f::image "": i8[3] align 1 = { @0: bytes "ab\00"; };

            function f: fn(i32) -> i32 {
                param f::k "k": i32 align 4;
                local f::x "x": struct s align 4;
                local f::t "t": i8[3] align 1;
                local f::r "r": i32[40] align 4;
                decl f::x;
                f::x := #zero<struct s>;
                f::x.b[1u64] := f::k;
                decl f::t;
                f::t := f::image;
                decl f::r;
                f::r := #zero<i32[40]>;
                f::r[0u64] := 1i32;
                f::r[1u64] := 2i32;
                return f::x.b[1i32] + (i32)f::t[0i32] + f::r[1i32];
            }
        "#]],
    );
}

#[test]
fn static_initialisers() {
    expect_text(
        r##"int a[3] = {1, [2] = 3}; int *p = &a[1]; char *s = "hi"; struct { unsigned b : 4, c : 4; char *q; } z = {1, 2, "no" + 1}; static int k = 7; int f(void) { static int n = 5; return n++ + k; }"##,
        expect![[r#"

            struct anon size 16 align 8 {
                b: u4 @0:0;
                c: u4 @0:4;
                q: i8* @8;
            }
            static a: i32[3] align 4 = { @0: 1i32; @8: 3i32; };
            static p: i32* align 8 = { @0: &a[1u64]; };
            static s: i8* align 8 = { @0: &str[0u64]; };
            static z: struct anon align 8 = { @0: bytes "!"; @8: &str$1[1u64]; };
            static const str "": i8[3] align 1 = { @0: bytes "hi\00"; };
            static const str$1 "": i8[3] align 1 = { @0: bytes "no\00"; };
            static f::n "n": i32 align 4 = { @0: 5i32; };
            static k: i32 align 4 = { @0: 7i32; };

            function f: fn() -> i32 {
                local $t0 "": i32 align 4;
                decl $t0;
                $t0 := f::n;
                f::n := $t0 + 1i32;
                return $t0 + k;
            }
        "#]],
    );
}

#[test]
fn statement_expressions() {
    expect_text(
        r##"int f(int x) { return ({ int y = x * 2; y + 1; }) + 3; }"##,
        expect![[r#"

            function f: fn(i32) -> i32 {
                param f::x "x": i32 align 4;
                local f::y "y": i32 align 4;
                local $t0 "": i32 align 4;
                decl f::y;
                f::y := f::x * 2i32;
                decl $t0;
                $t0 := f::y + 1i32;
                dead f::y;
                return $t0 + 3i32;
            }
        "#]],
    );
}

#[test]
fn flexible_members_are_bounded_by_their_object() {
    expect_text(
        r##"struct s { int n; int a[]; }; int f(struct s *s, int i) { return s->a[i]; }"##,
        expect![[r#"

            struct s size 4 align 4 {
                n: i32 @0;
                a: i32[0] @4;
            }

            function f: fn(struct s*, i32) -> i32 {
                param f::s "s": struct s* align 8;
                param f::i "i": i32 align 4;
                return *(&f::s->a[0u64] + f::i);
            }
        "#]],
    );
}

#[test]
fn addresses_do_not_access() {
    expect_text(
        r##"int *f(int *p, int i) { int *q = &*p; return &q[i]; }"##,
        expect![[r#"

            function f: fn(i32*, i32) -> i32* {
                param f::p "p": i32* align 8;
                param f::i "i": i32 align 4;
                local f::q "q": i32* align 8;
                decl f::q;
                f::q := f::p;
                return f::q + f::i;
            }
        "#]],
    );
}

#[test]
fn atomics() {
    expect_text(
        r##"int n; _Atomic int m; void f(void) { __sync_fetch_and_add(&n, 2); m++; }"##,
        expect![[r#"

            static n: i32 align 4;
            static m: i32 align 4;

            function f: fn() -> void {
                local $t0 "": i32 align 4;
                local $t1 "": i32 align 4;
                atomic_begin;
                decl $t0;
                $t0 := n;
                decl $t1;
                $t1 := (i32)((u32)$t0 + 2u32);
                n := $t1;
                atomic_end;
                dead $t1;
                dead $t0;
                atomic_begin;
                m := m + 1i32;
                atomic_end;
                return;
            }
        "#]],
    );
}

#[test]
fn verifier_functions() {
    expect_text(
        r##"void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void); void reach_error(void); void __VERIFIER_assert(int); void f(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); __VERIFIER_assert(x != 5); if (x == 7) reach_error(); }"##,
        expect![[r#"

            sites 1;

            function f: fn() -> void labels 1 {
                local f::x "x": i32 align 4;
                decl f::x;
                f::x := #nondet<i32>(0);
                assume 0i32 < f::x;
                assert f::x != 5i32 "user.assert" "assertion `x != 5`" cwe 617;
                if f::x != 7i32 goto L0;
                assert false "reach.error" "`reach_error` is called";
              L0:
                dead f::x;
                return;
            }
        "#]],
    );
}

#[test]
fn failed_assertions() {
    expect_text(
        r##"void __assert_fail(const char *, const char *, unsigned, const char *); void f(int x) { ((x > 1) ? (void)0 : __assert_fail("x > 1", "f.c", 1, "f")); }"##,
        expect![[r#"

            static const str "": i8[2] align 1 = { @0: bytes "f\00"; };
            static const str$1 "": i8[4] align 1 = { @0: bytes "f.c\00"; };
            static const str$2 "": i8[6] align 1 = { @0: bytes "x > 1\00"; };

            function f: fn(i32) -> void labels 2 {
                param f::x "x": i32 align 4;
                if f::x <= 1i32 goto L0;
                goto L1;
              L0:
                assert false "user.assert" "assertion `x > 1`" cwe 617;
                abort;
              L1:
                return;
            }
        "#]],
    );
}

#[test]
fn heap() {
    expect_text(
        r##"void *malloc(unsigned long); void free(void *); void f(void) { int *p = malloc(4 * sizeof *p); *p = 1; free(p); }"##,
        expect![[r#"

            function f: fn() -> void {
                local f::p "p": i32* align 8;
                local $t0 "": void* align 8;
                decl f::p;
                decl $t0;
                $t0 := alloc(16u64) align 16 heap;
                f::p := (i32*)$t0;
                dead $t0;
                *f::p := 1i32;
                free heap (void*)f::p;
                dead f::p;
                return;
            }
        "#]],
    );
}

#[test]
fn block_copies() {
    expect_text(
        r##"void *memcpy(void *, const void *, unsigned long), *memset(void *, int, unsigned long); struct s { int a; char b; }; void f(struct s *p, struct s *q, char *c) { memcpy(p, q, sizeof *p); memset(p, 0, sizeof *p); memset(c, 1, 5); }"##,
        expect![[r#"

            struct s size 8 align 4 {
                a: i32 @0;
                b: i8 @4;
            }

            function f: fn(struct s*, struct s*, i8*) -> void {
                param f::p "p": struct s* align 8;
                param f::q "q": struct s* align 8;
                param f::c "c": i8* align 8;
                assert #same_object((void*)f::p, (void*)f::q) ==> #offset((void*)f::p) == #offset((void*)f::q) || 8u64 <= (u64)(#offset((void*)f::p) - #offset((void*)f::q)) && 8u64 <= (u64)(#offset((void*)f::q) - #offset((void*)f::p)) "call.argument" "the blocks that are copied overlap" cwe 628;
                *f::p := *f::q;
                *f::p := #zero<struct s>;
                *(u8[5]*)f::c := #fill<u8[5]>(1u8);
                return;
            }
        "#]],
    );
}

#[test]
fn inline_assembly() {
    expect_text(
        r##"int f(int x) { int y; asm("" : "+r"(x)); asm("" : "=r"(y) : "0"(x)); asm("bswap %0" : "=r"(y) : "0"(x)); asm volatile("cpuid" : : : "memory"); return x + y; }"##,
        expect![[r#"

            sites 1;

            function f: fn(i32) -> i32 {
                param f::x "x": i32 align 4;
                local f::y "y": i32 align 4;
                local $t0 "": i32 align 4;
                local $t1 "": i32 align 4;
                local $t2 "": i32 align 4;
                decl f::y;
                intrinsic copies(&f::x, 4u64);
                intrinsic writes(&f::x, 4u64);
                decl $t0;
                $t0 := f::x;
                intrinsic writes(&f::y, 4u64);
                f::y := $t0;
                dead $t0;
                decl $t1;
                $t1 := f::x;
                intrinsic writes(&f::y, 4u64);
                decl $t2;
                $t2 := #nondet<i32>(0);
                f::y := $t2;
                dead $t2;
                dead $t1;
                return f::x + f::y;
            }
        "#]],
    );
}

#[test]
fn cleanup() {
    expect_text(
        r##"void g(int *); int f(int n) { int x __attribute__((cleanup(g))) = n; { int y __attribute__((cleanup(g))) = 2; if (n) return y; } return x; } void g(int *p) { *p = 0; }"##,
        expect![[r#"

            function g: fn(i32*) -> void {
                param g::p "p": i32* align 8;
                *g::p := 0i32;
                return;
            }

            function f: fn(i32) -> i32 labels 1 {
                param f::n "n": i32 align 4;
                local f::x "x": i32 align 4;
                local f::y "y": i32 align 4;
                local $t0 "": i32 align 4;
                local $t1 "": i32 align 4;
                decl f::x;
                f::x := f::n;
                decl f::y;
                f::y := 2i32;
                if f::n == 0i32 goto L0;
                decl $t0;
                $t0 := f::y;
                call g(&f::y);
                call g(&f::x);
                return $t0;
              L0:
                call g(&f::y);
                dead f::y;
                decl $t1;
                $t1 := f::x;
                call g(&f::x);
                return $t1;
            }
        "#]],
    );
}

#[test]
fn atomic_functions() {
    expect_text(
        r##"int n; void __VERIFIER_atomic_inc(void) { if (n) return; n++; }"##,
        expect![[r#"

            static n: i32 align 4;

            function __VERIFIER_atomic_inc: fn() -> void labels 1 {
                atomic_begin;
                if n == 0i32 goto L0;
                atomic_end;
                return;
              L0:
                n := n + 1i32;
                atomic_end;
                return;
            }
        "#]],
    );
}

#[test]
fn complex_numbers() {
    expect_text(
        r##"_Complex double f(_Complex double z, double x) { return (z + x) * 2 - z; }"##,
        expect![[r#"

            struct complex64 size 16 align 8 {
                re: f64 @0;
                im: f64 @8;
            }

            function f: fn(struct complex64, f64) -> struct complex64 {
                param f::z "z": struct complex64 align 8;
                param f::x "x": f64 align 8;
                return #make<struct complex64>{(f::z.re + f::x) * 2.0f64 - f::z.re, f::z.im * 2.0f64 - f::z.im};
            }
        "#]],
    );
}

#[test]
fn vectors() {
    expect_text(
        r##"typedef int v2 __attribute__((vector_size(8))); v2 f(v2 a, v2 b) { return (a + b) < 3; }"##,
        expect![[r#"

            function f: fn(i32[2], i32[2]) -> i32[2] {
                param f::a "a": i32[2] align 8;
                param f::b "b": i32[2] align 8;
                return #make<i32[2]>{f::a[0u64] + f::b[0u64] < 3i32 ? -1i32 : 0i32, f::a[1u64] + f::b[1u64] < 3i32 ? -1i32 : 0i32};
            }
        "#]],
    );
}

#[test]
fn unreachable_and_overflow() {
    expect_text(
        r##"int f(int a, int b) { int r; if (__builtin_add_overflow(a, b, &r)) __builtin_unreachable(); return r; }"##,
        expect![[r#"

            function f: fn(i32, i32) -> i32 labels 1 {
                param f::a "a": i32 align 4;
                param f::b "b": i32 align 4;
                local f::r "r": i32 align 4;
                local $t0 "": u66 align 16;
                decl f::r;
                decl $t0;
                $t0 := (u66)(i66)f::a + (u66)(i66)f::b;
                f::r := (i32)$t0;
                if (u66)(i66)(i32)$t0 == $t0 goto L0;
                assert false "reach.unreachable" "`__builtin_unreachable` is reached" cwe 758;
                assume false;
              L0:
                return f::r;
            }
        "#]],
    );
}

#[test]
fn missing_functions() {
    expect_text(
        r##"int g(int); int f(void) { int (*p)(int) = g; return g(1) + p(2); }"##,
        expect![[r#"

            sites 2;

            function f: fn() -> i32 {
                local f::p "p": [fn(i32) -> i32]* align 8;
                local $t1 "": i32 align 4;
                local $t2 "": i32 align 4;
                decl f::p;
                f::p := @g;
                assert false "call.no-body" "`g` is called, which has neither a body nor a model";
                decl $t1;
                $t1 := #nondet<i32>(1);
                decl $t2;
                $t2 := call *(f::p)(2i32);
                return $t1 + $t2;
            }

            function g: fn(i32) -> i32 library {
                param g::arg0 "arg0": i32 align 4;
                local $t0 "": i32 align 4;
                assert false "call.no-body" "`g` is called, which has neither a body nor a model";
                decl $t0;
                $t0 := #nondet<i32>(0);
                return $t0;
            }
        "#]],
    );
}

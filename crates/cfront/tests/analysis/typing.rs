//! The typed tree of each construct.

use crate::{analysed, unit_of};
use expect_test::{Expect, expect};
use vergo_cfront::dump;
use vergo_cfront::hir::{Expr, Init, Stmt};
use vergo_cfront::target::DataModel;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&dump::types(&unit_of(DataModel::Lp64, text)));
}

/// Statements in a function with variables of many types.
fn body(statements: &str, expected: Expect) {
    let text = format!(
        "struct s {{ int a; char b; const int c; struct {{ int d; }}; unsigned f : 5; long long g : 40; int h[4]; }};
         void f(char c, unsigned char uc, short s, int i, unsigned u, long l, unsigned long ul, float x, double d,
                int *p, const char *t, void *v, struct s *q, _Bool b) {{\n{statements}\n}}"
    );
    let dump = dump::types(&unit_of(DataModel::Lp64, &text));
    let start = dump.find("  block\n").map_or(0, |at| at + "  block\n".len());
    let lines: String = dump[start..]
        .lines()
        .map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n")
        .collect();
    expected.assert_eq(&lines);
}

#[test]
fn nodes_are_small() {
    assert!(size_of::<Expr>() <= 32);
    assert!(size_of::<Stmt>() <= 40);
    assert!(size_of::<Init>() <= 32);
}

#[test]
fn usual_arithmetic_conversions() {
    body(
        "c + uc; s * u; i - l; u / l; l % ul; i + x; d - x; b + b; -c; ~uc; +s; !p;",
        expect![[r#"
            (+ (Int (Load c:char):char):int (Int (Load uc:unsigned char):unsigned char):int):int
            (* (Int (Int (Load s:short):short):int):unsigned int (Load u:unsigned int):unsigned int):unsigned int
            (- (Int (Load i:int):int):long (Load l:long):long):long
            (/ (Int (Load u:unsigned int):unsigned int):long (Load l:long):long):long
            (% (Int (Load l:long):long):unsigned long (Load ul:unsigned long):unsigned long):unsigned long
            (+ (IntToFloat (Load i:int):int):float (Load x:float):float):float
            (- (Load d:double):double (Float (Load x:float):float):double):double
            (+ (Int (Load b:_Bool):_Bool):int (Int (Load b:_Bool):_Bool):int):int
            (- (Int (Load c:char):char):int):int
            (~ (Int (Load uc:unsigned char):unsigned char):int):int
            (NoOp (Int (Load s:short):short):int):int
            (! (Load p:int *):int *):int
        "#]],
    );
    body(
        "c << l; ul >> c; i < u; l == uc; x != i; c && d; p || !v;",
        expect![[r#"
        (<< (Int (Load c:char):char):int (Load l:long):long):int
        (>> (Load ul:unsigned long):unsigned long (Int (Load c:char):char):int):unsigned long
        (< (Int (Load i:int):int):unsigned int (Load u:unsigned int):unsigned int):int
        (== (Load l:long):long (Int (Int (Load uc:unsigned char):unsigned char):int):long):int
        (!= (Load x:float):float (IntToFloat (Load i:int):int):float):int
        (&& (Load c:char):char (Load d:double):double):int
        (|| (Load p:int *):int * (! (Load v:void *):void *):int):int
    "#]],
    );
}

#[test]
fn bit_fields_and_members() {
    body(
        "q->f + 1; q->g + 1; q->d; (*q).a = q->h[i]; q->f += 3; q->f++; &q->h[1]; q->h;",
        expect![[r#"
            (+ (Int (Load (member .f (deref (Load q:struct s *):struct s *):struct s):unsigned int):unsigned int):int 1:int):int
            (+ (Int (Load (member .g (deref (Load q:struct s *):struct s *):struct s):long long):long long):_BitInt(40) (Int 1:int):_BitInt(40)):_BitInt(40)
            (Load (member .d (member .#3 (deref (Load q:struct s *):struct s *):struct s):struct <anonymous>):int):int
            (= (member .a (deref (Load q:struct s *):struct s *):struct s):int (Load (index (ArrayDecay (member .h (deref (Load q:struct s *):struct s *):struct s):int [4]):int * (Load i:int):int):int):int):int
            (+= in int (member .f (deref (Load q:struct s *):struct s *):struct s):unsigned int 3:int):unsigned int
            (post++ (member .f (deref (Load q:struct s *):struct s *):struct s):unsigned int):unsigned int
            (addr (index (ArrayDecay (member .h (deref (Load q:struct s *):struct s *):struct s):int [4]):int * 1:int):int):int *
            (ArrayDecay (member .h (deref (Load q:struct s *):struct s *):struct s):int [4]):int *
        "#]],
    );
}

#[test]
fn pointers() {
    body(
        "p + i; i + p; p - 1; p - (p + 1); p[i]; i[p]; *p = 3; &*p; &p[2]; p += s; p++; *&i; v + 1; *t;",
        expect![[r#"
            (ptr+ (Load p:int *):int * (Load i:int):int):int *
            (ptr+ (Load p:int *):int * (Load i:int):int):int *
            (ptr- (Load p:int *):int * 1:int):int *
            (ptrdiff (Load p:int *):int * (ptr+ (Load p:int *):int * 1:int):int *):long
            (Load (index (Load p:int *):int * (Load i:int):int):int):int
            (Load (index (Load p:int *):int * (Load i:int):int):int):int
            (= (deref (Load p:int *):int *):int 3:int):int
            (Load p:int *):int *
            (addr (index (Load p:int *):int * 2:int):int):int *
            (ptr+= in int * p:int * (Int (Load s:short):short):int):int *
            (post++ p:int *):int *
            (Load (deref (addr i:int):int *):int):int
            (ptr+ (Load v:void *):void * 1:int):void *
            (Load (deref (Load t:const char *):const char *):const char):char
        "#]],
    );
    body(
        "p == 0; v == p; p != v; t < t + 1; p = v; v = p; p = 0; t = \"x\"; b = p;",
        expect![[r#"
            (== (Load p:int *):int * (IntToPtr 0:int):int *):int
            (== (Load v:void *):void * (Ptr (Load p:int *):int *):void *):int
            (!= (Ptr (Load p:int *):int *):void * (Load v:void *):void *):int
            (< (Load t:const char *):const char * (ptr+ (Load t:const char *):const char * 1:int):const char *):int
            (= p:int * (Ptr (Load v:void *):void *):int *):int *
            (= v:void * (Ptr (Load p:int *):int *):void *):void *
            (= p:int * (IntToPtr 0:int):int *):int *
            (= t:const char * (Ptr (ArrayDecay "x\x00":char [2]):char *):const char *):const char *
            (= b:_Bool (ToBool (Load p:int *):int *):_Bool):_Bool
        "#]],
    );
}

#[test]
fn conditionals() {
    body(
        "i ? c : s; i ? p : 0; i ? v : p; i ? t : (char *)0; i ? x : d; i ?: l; p ?: 0; i ? (void)0 : (void)1; i ? *q : q[1];",
        expect![[r#"
            (?: (Load i:int):int (Int (Load c:char):char):int (Int (Load s:short):short):int):int
            (?: (Load i:int):int (Load p:int *):int * (IntToPtr 0:int):int *):int *
            (?: (Load i:int):int (Load v:void *):void * (Ptr (Load p:int *):int *):void *):void *
            (?: (Load i:int):int (Load t:const char *):const char * (Ptr (IntToPtr 0:int):char *):const char *):const char *
            (?: (Load i:int):int (Float (Load x:float):float):double (Load d:double):double):double
            (?: (Load i:int):int (Load l:long):long):long
            (?: (Load p:int *):int * (IntToPtr 0:int):int *):int *
            (?: (Load i:int):int (ToVoid 0:int):void (ToVoid 1:int):void):void
            (?: (Load i:int):int (Load (deref (Load q:struct s *):struct s *):struct s):struct s (Load (index (Load q:struct s *):struct s * 1:int):struct s):struct s):struct s
        "#]],
    );
}

#[test]
fn assignments() {
    body(
        "c = i; i += d; c += 1; s <<= l; b = 7; x = u; i = x; u -= 1; c++; --d; i = u = c;",
        expect![[r#"
            (= c:char (Int (Load i:int):int):char):char
            (+= in double i:int (Load d:double):double):int
            (+= in int c:char 1:int):char
            (<<= in int s:short (Load l:long):long):short
            (= b:_Bool (ToBool 7:int):_Bool):_Bool
            (= x:float (IntToFloat (Load u:unsigned int):unsigned int):float):float
            (= i:int (FloatToInt (Load x:float):float):int):int
            (-= in unsigned int u:unsigned int 1:unsigned int):unsigned int
            (post++ c:char):char
            (--pre d:double):double
            (= i:int (Int (= u:unsigned int (Int (Load c:char):char):unsigned int):unsigned int):int):int
        "#]],
    );
}

#[test]
fn calls() {
    check(
        "int g(char, float, ...); void h(); int k(int (*)(int), int[3]); int id(int x) { return x; }
         void f(void) { g(1, 2, 'c', 2.5f); h(1, 2.5f, (char)3); k(id, 0); k(&id, (int[]){1, 2, 3}); (*id)(2); (**&id)(3); }",
        expect![[r#"
            function int g(char, float, ...) [external]
            function void h() [external]
            function int k(int (*)(int), int *) [external]
            function int id(int) [external]
              var x: int [param]
              block
                return (Load x:int):int
            function void f(void) [external]
              block
                (call g:int (char, float, ...) 1:char (IntToFloat 2:int):float 99:int (Float 2.5:float):double):int
                (call h:void () 1:int (Float 2.5:float):double (Int (Int 3:int):char):int):void
                (call k:int (int (*)(int), int *) (FunctionDecay id:int (int)):int (*)(int) (IntToPtr 0:int):int *):int
                (call k:int (int (*)(int), int *) (addr id:int (int)):int (*)(int) (ArrayDecay (literal {0: 1:int, 1: 2:int, 2: 3:int}):int [3]):int *):int
                (call id:int (int) 2:int):int
                (call id:int (int) 3:int):int
        "#]],
    );
}

#[test]
fn old_style_functions() {
    check(
        "int add(a, b, c) char b; float c; { return a + b + c; } int use() { return add(1, 'c', 2.0f); } g() { return undeclared(1); }",
        expect![[r#"
            function int add(int, int, double) [external]
              var a: int [param]
              var b: char [param]
              var c: float [param]
              block
                return (FloatToInt (+ (IntToFloat (+ (Load a:int):int (Int (Load b:char):char):int):int):float (Load c:float):float):float):int
            function int use() [external]
              block
                return (call add:int (int, int, double) 1:int 99:int (Float 2.0:float):double):int
            function int g() [external]
              block
                return (call undeclared:int () 1:int):int
            function int undeclared() [external implicit]
        "#]],
    );
}

#[test]
fn initialisers() {
    check(
        "struct p { int x, y; }; struct l { struct p from, to; char name[4]; };
         struct l a = { 1, 2, { 3 }, \"ab\" };
         struct l b = { .to.y = 4, .from = { .y = 5, 6 }, .name = { 'x' } };
         struct l c[] = { [1].to.x = 7, 8, \"abcd\", [0] = { { 9 } } };
         int d[] = { 1, [5] = 2, 3, [1 ... 3] = 4, [2] = 5 };
         union { int i; float f; char c[4]; } e = { .f = 1 }, g = { 3 };
         int h[2][3] = { 1, 2, 3, 4 }, k[2][3] = { { 1 }, { 2, 3 } };
         char m[] = \"abc\", n[] = { \"de\" }, o[2] = \"fgh\";
         struct { int n; int rest[]; } flexible = { 2, { 10, 20 } };
         struct { int : 3; int z; struct { int q; }; } anonymous = { 1, .q = 2 };",
        expect![[r#"
            var a: struct l [external] = {0: {0: 1:int, 1: 2:int}, 1: {0: 3:int}, 2: "ab\x00"}
            var b: struct l [external] = {1: {1: 4:int}, 0: {1: 5:int}, 2: {0: 120:char}}
            var c: struct l [2] [external] = {1: {1: {0: 7:int, 1: 8:int}, 2: "abcd\x00"}, 0: {0: {0: 9:int}}}
            var d: int [7] [external] = {0: 1:int, 5: 2:int, 6: 3:int, 1: 4:int, 3: 4:int, 2: 5:int}
            var e: union <anonymous> [external] = {1: 1.0:float}
            var g: union <anonymous> [external] = {0: 3:int}
            var h: int [2][3] [external] = {0: {0: 1:int, 1: 2:int, 2: 3:int}, 1: {0: 4:int}}
            var k: int [2][3] [external] = {0: {0: 1:int}, 1: {0: 2:int, 1: 3:int}}
            var m: char [4] [external] = "abc\x00"
            var n: char [3] [external] = "de\x00"
            var o: char [2] [external] = "fgh\x00"
            var flexible: struct <anonymous> [external] = {0: 2:int, 1: {0: 10:int, 1: 20:int}}
            var anonymous: struct <anonymous> [external] = {1: 1:int, 2: {0: 2:int}}
        "#]],
    );
}

#[test]
fn automatic_initialisers_and_literals() {
    body(
        "int a[] = { i, l, x }; struct { int x; int y[2]; } z = { c, { i } }; int *k = (int[]){ 1, i }; static int n = sizeof a;
         char text[8] = \"ab\"; struct s copy = *q; p = &(struct { int a; }){ 4 }.a;",
        expect![[r#"
            var a: int [3] [auto] = {0: (Load i:int):int, 1: (Int (Load l:long):long):int, 2: (FloatToInt (Load x:float):float):int}
            var z: struct <anonymous> [auto] = {0: (Int (Load c:char):char):int, 1: {0: (Load i:int):int}}
            var k: int * [auto] = (ArrayDecay (literal {0: 1:int, 1: (Load i:int):int}):int [2]):int *
            var text: char [8] [auto] = "ab\x00"
            var copy: struct s [auto] = (Load (deref (Load q:struct s *):struct s *):struct s):struct s
            (= p:int * (addr (member .a (literal {0: 4:int}):struct <anonymous>):int):int *):int *
            var n: int [static] = 12:int
        "#]],
    );
}

#[test]
fn variable_length_arrays() {
    body(
        "int a[i]; int m[i][u]; sizeof a; sizeof(int[l]); sizeof m[0]; typedef int row[i]; row r; int (*w)[i] = (int (*)[i])p; w[1][2];",
        expect![[r#"
            var %14: long [auto]
            (= %14:long (Int (Load i:int):int):long):long
            var a: int [*] [auto]
            var %16: unsigned long [auto]
            var %17: long [auto]
            (= %16:unsigned long (Int (Load u:unsigned int):unsigned int):unsigned long):unsigned long
            (= %17:long (Int (Load i:int):int):long):long
            var m: int [*][*] [auto]
            sizeof int [*]:unsigned long
            var %19: long [auto]
            (, (= %19:long (Load l:long):long):long sizeof int [*]:unsigned long):unsigned long
            (, (ToVoid (ArrayDecay (index (ArrayDecay m:int [*][*]):int (*)[*] 0:int):int [*]):int *):void sizeof int [*]:unsigned long):unsigned long
            var %20: long [auto]
            (= %20:long (Int (Load i:int):int):long):long
            var r: int [*] [auto]
            var %22: long [auto]
            var %24: long [auto]
            (= %22:long (Int (Load i:int):int):long):long
            var w: int (*)[*] [auto] = (Ptr (, (= %24:long (Int (Load i:int):int):long):long (Ptr (Load p:int *):int *):int (*)[*]):int (*)[*]):int (*)[*]
            (Load (index (ArrayDecay (index (Load w:int (*)[*]):int (*)[*] 1:int):int [*]):int * 2:int):int):int
        "#]],
    );
    check(
        "int f(int n, int a[n][n + 1]) { return a[1][2]; } int g(int n, int a[*][n]);",
        expect![[r#"
            function int f(int, int (*)[*]) [external]
              var n: int [param]
              var a: int (*)[*] [param]
              block
                var %1: long [auto]
                (= %1:long (Int (+ (Load n:int):int 1:int):int):long):long
                (ToVoid (Load n:int):int):void
                return (Load (index (ArrayDecay (index (Load a:int (*)[*]):int (*)[*] 1:int):int [*]):int * 2:int):int):int
            function int g(int, int (*)[*]) [external]
        "#]],
    );
}

#[test]
fn gnu_expressions() {
    body(
        "({ int y = i; y + 1; }); ({ ; }); __typeof__(c + 1) z = 0; __auto_type w = &q->a; __builtin_expect(i, 1);
         __builtin_add_overflow(i, l, &u); __builtin_offsetof(struct s, h[2]); __builtin_memcpy(v, p, 4); (void)&&out; goto *v; out: ;",
        expect![[r#"
            (statements {
              block
            var y: int [auto] = (Load i:int):int
            (+ (Load y:int):int 1:int):int
            }):int
            (statements {
              block
            empty
            }):void
            var z: int [auto] = 0:int
            var w: int * [auto] = (addr (member .a (deref (Load q:struct s *):struct s *):struct s):int):int *
            (builtin Expect (Int (Load i:int):int):long 1:long):long
            (builtin AddOverflow (Load i:int):int (Load l:long):long (addr u:unsigned int):unsigned int *):_Bool
            32:unsigned long
            (call memcpy:void *(void *, const void *, unsigned long) (Load v:void *):void * (Ptr (Load p:int *):int *):const void * 4:unsigned long):void *
            (ToVoid &&out:void *):void
            goto *(Load v:void *):void *
            label out
            empty
            function void *memcpy(void *, const void *, unsigned long) [external]
        "#]],
    );
}

#[test]
fn statements() {
    body(
        "for (int k = 0; k < i; k++) { if (k) continue; else break; } do i--; while (i);
         switch (c) { case 'a': case 1 ... 5: break; default: i = 2; } again: goto again; return;",
        expect![[r#"
            s0: for
              var k: int [auto] = 0:int
              while (< (Load k:int):int (Load i:int):int):int
              step (post++ k:int):int
              block
                if (Load k:int):int
                  continue s0
                else
                  break s0
            s6: do
              (post-- i:int):int
            while (Load i:int):int
            switch (Int (Load c:char):char):int
              cases 97->s9 1..5->s10 default->s12
              block
                s9: case
                s10: case
                break s8
                s12: default
                (= i:int 2:int):int
            label again
            goto again
            return
        "#]],
    );
}

#[test]
fn wide_and_complex() {
    check(
        "__int128 w; unsigned __int128 uw; double _Complex z; float _Complex y; _Float16 h; __float128 q;
         void f(int i) { w = i; uw = w * 3u; z = y + 1; z = z * i; __real__ z = 2; i = __imag__ y; h = h + 1; q = q * 2.0; z == y; -y; ~z; }",
        expect![[r#"
            var w: __int128 [external tentative]
            var uw: unsigned __int128 [external tentative]
            var z: _Complex double [external tentative]
            var y: _Complex float [external tentative]
            var h: _Float16 [external tentative]
            var q: _Float128 [external tentative]
            function void f(int) [external]
              var i: int [param]
              block
                (= w:__int128 (Int (Load i:int):int):__int128):__int128
                (= uw:unsigned __int128 (Int (* (Load w:__int128):__int128 (Int 3:unsigned int):__int128):__int128):unsigned __int128):unsigned __int128
                (= z:_Complex double (Complex (+ (Load y:_Complex float):_Complex float (RealToComplex 1:int):_Complex float):_Complex float):_Complex double):_Complex double
                (= z:_Complex double (* (Load z:_Complex double):_Complex double (RealToComplex (Load i:int):int):_Complex double):_Complex double):_Complex double
                (= (real z:_Complex double):double (IntToFloat 2:int):double):double
                (= i:int (FloatToInt (Load (imag y:_Complex float):float):float):int):int
                (= h:_Float16 (+ (Load h:_Float16):_Float16 (IntToFloat 1:int):_Float16):_Float16):_Float16
                (= q:_Float128 (* (Load q:_Float128):_Float128 (Float 2.0:double):_Float128):_Float128):_Float128
                (== (Load z:_Complex double):_Complex double (Complex (Load y:_Complex float):_Complex float):_Complex double):int
                (- (Load y:_Complex float):_Complex float):_Complex float
                (~ (Load z:_Complex double):_Complex double):_Complex double
        "#]],
    );
}

#[test]
fn vectors() {
    check(
        "typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));
         v4 a = { 1, 2 }; f4 b; void f(int i) { a = a + a * 2; a[i] = 3; a = a > 1; b = b + 1; (v4)b; a <<= 1; __builtin_convertvector(a, f4); }",
        expect![[r#"
            var a: int __attribute__((vector(4))) [external] = {0: 1:int, 1: 2:int}
            var b: float __attribute__((vector(4))) [external tentative]
            function void f(int) [external]
              var i: int [param]
              block
                (= a:int __attribute__((vector(4))) (+ (Load a:int __attribute__((vector(4)))):int __attribute__((vector(4))) (* (Load a:int __attribute__((vector(4)))):int __attribute__((vector(4))) (VectorSplat 2:int):int __attribute__((vector(4)))):int __attribute__((vector(4)))):int __attribute__((vector(4)))):int __attribute__((vector(4)))
                (= (lane a:int __attribute__((vector(4))) (Load i:int):int):int 3:int):int
                (= a:int __attribute__((vector(4))) (> (Load a:int __attribute__((vector(4)))):int __attribute__((vector(4))) (VectorSplat 1:int):int __attribute__((vector(4)))):int __attribute__((vector(4)))):int __attribute__((vector(4)))
                (= b:float __attribute__((vector(4))) (+ (Load b:float __attribute__((vector(4)))):float __attribute__((vector(4))) (VectorSplat (IntToFloat 1:int):float):float __attribute__((vector(4)))):float __attribute__((vector(4)))):float __attribute__((vector(4)))
                (VectorBits (Load b:float __attribute__((vector(4)))):float __attribute__((vector(4)))):int __attribute__((vector(4)))
                (<<= in int __attribute__((vector(4))) a:int __attribute__((vector(4))) (VectorSplat 1:int):int __attribute__((vector(4)))):int __attribute__((vector(4)))
                (VectorConvert (Load a:int __attribute__((vector(4)))):int __attribute__((vector(4)))):float __attribute__((vector(4)))
        "#]],
    );
}

#[test]
fn bit_precise_integers() {
    check(
        "_BitInt(7) a; unsigned _BitInt(40) b; int f(int i) { a + 1; b + a; b + i; return a + 3wb; }",
        expect![[r#"
            var a: _BitInt(7) [external tentative]
            var b: unsigned _BitInt(40) [external tentative]
            function int f(int) [external]
              var i: int [param]
              block
                (+ (Int (Load a:_BitInt(7)):_BitInt(7)):int 1:int):int
                (+ (Load b:unsigned _BitInt(40)):unsigned _BitInt(40) (Int (Load a:_BitInt(7)):_BitInt(7)):unsigned _BitInt(40)):unsigned _BitInt(40)
                (+ (Load b:unsigned _BitInt(40)):unsigned _BitInt(40) (Int (Load i:int):int):unsigned _BitInt(40)):unsigned _BitInt(40)
                return (Int (+ (Load a:_BitInt(7)):_BitInt(7) (Int 3:_BitInt(3)):_BitInt(7)):_BitInt(7)):int
        "#]],
    );
}

#[test]
fn linkage_and_storage() {
    check(
        "static int a; extern int a; int b; int b = 1; extern int c; _Thread_local int d; int e[]; int e[3];
         static void f(void); void g(void) { extern int c; static int s = 1; register int r = s; f(); } static void f(void) {}
         inline int h(void) { return 1; } int k(void) __attribute__((weak, alias(\"g\"))); int m __asm__(\"other\");
         void n(int *p) {} void o(void) { int x __attribute__((cleanup(n))) = 3; }",
        expect![[r#"
            var a: int [internal tentative]
            var b: int [external] = 1:int
            var c: int [external declared]
            var d: int [external thread-local]
            var e: int [3] [external tentative]
            function void f(void) [internal]
              block
            function void g(void) [external]
              block
                var r: int [register] = (Load s:int):int
                (call f:void (void)):void
            var s: int [static] = 1:int
            function int h(void) [external]
              block
                return 1:int
            function int k(void) [external]
            var m: int [external tentative]
            function void n(int *) [external]
              var p: int * [param]
              block
            function void o(void) [external]
              block
                var x: int [auto] = 3:int
        "#]],
    );
}

#[test]
fn variadic_functions() {
    check(
        "typedef __builtin_va_list va_list;
         int sum(int n, ...) { va_list ap, copy; __builtin_va_start(ap, n); __builtin_va_copy(copy, ap); int s = __builtin_va_arg(ap, int);
         double d = __builtin_va_arg(ap, double); __builtin_va_end(ap); return s + d + (__func__)[0]; }",
        expect![[r#"
            function int sum(int, ...) [external]
              var n: int [param]
              block
                var ap: __builtin_va_list [auto]
                var copy: __builtin_va_list [auto]
                (builtin VaStart ap:__builtin_va_list):void
                (builtin VaCopy copy:__builtin_va_list (Load ap:__builtin_va_list):__builtin_va_list):void
                var s: int [auto] = (va_arg ap:__builtin_va_list):int
                var d: double [auto] = (va_arg ap:__builtin_va_list):double
                (builtin VaEnd ap:__builtin_va_list):void
                return (FloatToInt (+ (+ (IntToFloat (Load s:int):int):double (Load d:double):double):double (IntToFloat (Load (index (ArrayDecay __func__:const char [4]):const char * 0:int):const char):char):double):double):int
            var __func__: const char [4] [static] = "sum\x00"
        "#]],
    );
}

#[test]
fn atomics() {
    check(
        "_Atomic int a; int n, *p; long l;
         void f(void) { a = 3; a += 2; n = a; __sync_fetch_and_add(&n, 'c'); __atomic_load_n(&l, 5); __atomic_store(&n, p, 0);
         __atomic_compare_exchange_n(&l, &l, n, 0, 5, 5); __atomic_fetch_or(&p, 1, 0); __sync_synchronize(); __sync_bool_compare_and_swap(&p, 0, p); }",
        expect![[r#"
            var a: _Atomic int [external tentative]
            var n: int [external tentative]
            var p: int * [external tentative]
            var l: long [external tentative]
            function void f(void) [external]
              block
                (= a:_Atomic int 3:int):int
                (+= in int a:_Atomic int 2:int):int
                (= n:int (Load a:_Atomic int):int):int
                (builtin FetchOp(Add) (addr n:int):int * 99:int):int
                (builtin AtomicLoad (addr l:long):long *):long
                (builtin AtomicStoreFrom (addr n:int):int * (Load p:int *):int *):void
                (builtin AtomicCas (addr l:long):long * (addr l:long):long * (Int (Load n:int):int):long):_Bool
                (builtin FetchOp(Or) (addr p:int *):int ** (IntToPtr 1:int):int *):int *
                builtin Fence:void
                (builtin SyncBoolCas (addr p:int *):int ** (IntToPtr 0:int):int * (Load p:int *):int *):_Bool
        "#]],
    );
}

#[test]
fn inline_assembly() {
    body(
        "__asm__ volatile(\"add %1, %0\" : \"+r\"(i), \"=m\"(*p) : [in] \"r\"(c), \"m\"(d) : \"cc\", \"memory\"); __asm__(\"nop\");",
        expect![[r#"
            asm "add %1, %0"
              out "+r" i:int
              out "=m" (deref (Load p:int *):int *):int
              in "r" (Load c:char):char
              in "m" d:double
            asm "nop"
        "#]],
    );
}

#[test]
fn transparent_unions() {
    check(
        "typedef union { int *i; char *c; } __attribute__((transparent_union)) any; int f(any a);
         void g(int *p, char *q) { f(p); f(q); f(0); any x = { p }; f(x); }",
        expect![[r#"
            function int f(union <anonymous>) [external]
            function void g(int *, char *) [external]
              var p: int * [param]
              var q: char * [param]
              block
                (call f:int (union <anonymous>) (ToUnion (Load p:int *):int *):union <anonymous>):int
                (call f:int (union <anonymous>) (ToUnion (Load q:char *):char *):union <anonymous>):int
                (call f:int (union <anonymous>) (ToUnion (IntToPtr 0:int):int *):union <anonymous>):int
                var x: union <anonymous> [auto] = {0: (Load p:int *):int *}
                (call f:int (union <anonymous>) (Load x:union <anonymous>):union <anonymous>):int
        "#]],
    );
}

#[test]
fn ilp32() {
    let unit = unit_of(
        DataModel::Ilp32,
        "unsigned long ul; long l; long long ll; unsigned u; char *p;
         void f(void) { l + u; ll + ul; sizeof l; p - p; 3000000000; 0xffffffff; L'a'; }",
    );
    expect![[r#"
        var ul: unsigned long [external tentative]
        var l: long [external tentative]
        var ll: long long [external tentative]
        var u: unsigned int [external tentative]
        var p: char * [external tentative]
        function void f(void) [external]
          block
            (+ (Int (Load l:long):long):unsigned long (Int (Load u:unsigned int):unsigned int):unsigned long):unsigned long
            (+ (Load ll:long long):long long (Int (Load ul:unsigned long):unsigned long):long long):long long
            4:unsigned int
            (ptrdiff (Load p:char *):char * (Load p:char *):char *):int
            3000000000:long long
            4294967295:unsigned int
            97:long
    "#]].assert_eq(&dump::types(&unit));
}

#[test]
fn analysis_is_deterministic() {
    let text = "struct s { int a, b; } x = { 1 }; enum { A, B = 5 } e; int f(int n) { int v[n]; l: if (n) goto l; return v[0] + B; }";
    let first = dump::types(&analysed(DataModel::Lp64, text.as_bytes()).unit);
    let second = dump::types(&analysed(DataModel::Lp64, text.as_bytes()).unit);
    assert_eq!(first, second);
}

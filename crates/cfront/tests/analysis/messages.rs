//! Diagnostics as a user sees them, and gcc's verdict on the same texts.

use crate::analysed;
use expect_test::{Expect, expect};
use vergo_cfront::target::DataModel;
use vergo_testkit::environment::skip;
use vergo_testkit::host_c::HostC;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&analysed(DataModel::Lp64, text.as_bytes()).messages());
}

#[test]
fn names() {
    check(
        "int counter; int f(void) { return countr + 1; }",
        expect![[r#"
        error[C0201]: `countr` is not declared
         --> a.c:1:35
          |
        1 | int counter; int f(void) { return countr + 1; }
          |                                   ^^^^^^
          |
          = help: did you mean `counter`?
    "#]],
    );
    check(
        "int f(void) { return NULL == 0; }",
        expect![[r#"
        error[C0201]: `NULL` is not declared
         --> a.c:1:22
          |
        1 | int f(void) { return NULL == 0; }
          |                      ^^^^
          |
          = help: `NULL` is defined in `<stddef.h>`
    "#]],
    );
    check(
        "int f(void) { return __builtin_frobnicate(1); }",
        expect![[r#"
        error[C0242]: unknown builtin `__builtin_frobnicate`
         --> a.c:1:22
          |
        1 | int f(void) { return __builtin_frobnicate(1); }
          |                      ^^^^^^^^^^^^^^^^^^^^
          |
          = note: Vergo knows the builtins of gcc that are not tied to a processor
    "#]],
    );
    check(
        "int f(void) { char *p = malloc(3); return pinrtf(p); } void printf_(void);",
        expect![[r#"
            warning[C0219]: the function `malloc` is called but not declared
             --> a.c:1:25
              |
            1 | int f(void) { char *p = malloc(3); return pinrtf(p); } void printf_(void);
              |                         ^^^^^^
              |
              = help: `malloc` is declared in `<stdlib.h>`
            warning[C0219]: the function `pinrtf` is called but not declared
             --> a.c:1:43
              |
            1 | int f(void) { char *p = malloc(3); return pinrtf(p); } void printf_(void);
              |                                           ^^^^^^
        "#]],
    );
    check(
        "int x; double x; int f(int a) { int a; return a; }",
        expect![[r#"
        error[C0203]: conflicting types for `x`
         --> a.c:1:15
          |
        1 | int x; double x; int f(int a) { int a; return a; }
          |     -         ^ now `double`
          |     |
          |     before `int`
        error[C0202]: redeclaration of `a`
         --> a.c:1:37
          |
        1 | int x; double x; int f(int a) { int a; return a; }
          |                            -        ^
          |                            |
          |                            first declared here
    "#]],
    );
    check(
        "struct s { int a; }; union s u; struct s { int b; };",
        expect![[r#"
        error[C0205]: `s` is the tag of something else
         --> a.c:1:28
          |
        1 | struct s { int a; }; union s u; struct s { int b; };
          |        -                   ^
          |        |
          |        `struct s` is declared here
        error[C0206]: the size of `u` is not known: it has type `union s`
         --> a.c:1:30
          |
        1 | struct s { int a; }; union s u; struct s { int b; };
          |                              ^
        error[C0202]: redefinition of `struct s`
         --> a.c:1:40
          |
        1 | struct s { int a; }; union s u; struct s { int b; };
          |        - the first definition is here  ^
    "#]],
    );
    check(
        "int f(void); static int f(void) { return 1; } int f(void) { return 2; }",
        expect![[r#"
            error[C0204]: static declaration of `f` follows a declaration that is not
             --> a.c:1:25
              |
            1 | int f(void); static int f(void) { return 1; } int f(void) { return 2; }
              |     -                   ^
              |     |
              |     first declared here
            error[C0202]: redefinition of `f`
             --> a.c:1:51
              |
            1 | int f(void); static int f(void) { return 1; } int f(void) { return 2; }
              |                         -                         ^
              |                         |
              |                         the first definition is here
        "#]],
    );
}

#[test]
fn members() {
    check(
        "struct point { int horizontal, y; } p; int f(void) { return p.horizonal; }",
        expect![[r#"
            error[C0207]: `struct point` has no member `horizonal`
             --> a.c:1:61
              |
            1 | struct point { int horizontal, y; } p; int f(void) { return p.horizonal; }
              |                                                             ^^^^^^^^^^^
              |
              = help: did you mean `horizontal`?
        "#]],
    );
    check(
        "struct point { int x; } *p; int f(void) { return p.x; }",
        expect![[r#"
        error[C0208]: `x` is accessed in `struct point *`, which is not a structure or union
         --> a.c:1:50
          |
        1 | struct point { int x; } *p; int f(void) { return p.x; }
          |                                                  ^^^
          |
          = help: use `->` to access a member through a pointer
    "#]],
    );
    check(
        "struct point { int x; } p; int f(void) { return p->x; }",
        expect![[r#"
        error[C0208]: `->` needs a pointer to a structure, not `struct point`
         --> a.c:1:49
          |
        1 | struct point { int x; } p; int f(void) { return p->x; }
          |                                                 ^^^^
          |
          = help: use `.` to access a member of a structure
    "#]],
    );
    check(
        "struct hidden *p; int f(void) { return p->x; }",
        expect![[r#"
        error[C0206]: member of the incomplete type `struct hidden` is accessed
         --> a.c:1:40
          |
        1 | struct hidden *p; int f(void) { return p->x; }
          |        ------                          ^^^^
          |        |
          |        declared here, but not defined
    "#]],
    );
    check(
        "struct s { int a; char a; struct { int b; }; int b; };",
        expect![[r#"
        error[C0209]: duplicate member `a`
         --> a.c:1:24
          |
        1 | struct s { int a; char a; struct { int b; }; int b; };
          |                        ^
        error[C0209]: duplicate member `b`
         --> a.c:1:50
          |
        1 | struct s { int a; char a; struct { int b; }; int b; };
          |                                                  ^
    "#]],
    );
}

#[test]
fn calls() {
    check(
        "int add(int a, int b);\nint f(void) { return add(1); }",
        expect![[r#"
        error[C0218]: `add` takes 2 arguments, but 1 was given
         --> a.c:2:22
          |
        1 | int add(int a, int b);
          |     --- declared here
        2 | int f(void) { return add(1); }
          |                      ^^^
    "#]],
    );
    check(
        "int add(int a, int b);\nint f(void) { return add(1, 2, 3); }",
        expect![[r#"
        error[C0218]: `add` takes 2 arguments, but 3 were given
         --> a.c:2:22
          |
        1 | int add(int a, int b);
          |     --- declared here
        2 | int f(void) { return add(1, 2, 3); }
          |                      ^^^
    "#]],
    );
    check(
        "struct s { int x; } v; int g(int);\nint f(void) { return g(v); }",
        expect![[r#"
        error[C0213]: argument 1 of `g` has an incompatible type
         --> a.c:2:24
          |
        1 | struct s { int x; } v; int g(int);
          |                            - the function is declared here
        2 | int f(void) { return g(v); }
          |                        ^ expected `int`, found `struct s`
    "#]],
    );
    check(
        "int g(int *);\nint f(char *p) { return g(p) + g(3); }",
        expect![[r#"
        warning[C0214]: argument 1 of `g` has an incompatible pointer type
         --> a.c:2:27
          |
        1 | int g(int *);
          |     - the function is declared here
        2 | int f(char *p) { return g(p) + g(3); }
          |                           ^ expected `int *`, found `char *`
        warning[C0215]: argument 1 of `g` makes a pointer from an integer without a cast
         --> a.c:2:34
          |
        1 | int g(int *);
          |     - the function is declared here
        2 | int f(char *p) { return g(p) + g(3); }
          |                                  ^ expected `int *`, found `int`
    "#]],
    );
    check(
        "int x; int f(void) { return x(1); }",
        expect![[r#"
        error[C0217]: `int` is called, but is not a function
         --> a.c:1:29
          |
        1 | int x; int f(void) { return x(1); }
          |                             ^
    "#]],
    );
}

#[test]
fn assignments() {
    check(
        "const int c = 1; void f(void) { c = 2; 3 = 4; }",
        expect![[r#"
            error[C0212]: `c` is `const` and cannot be changed
             --> a.c:1:33
              |
            1 | const int c = 1; void f(void) { c = 2; 3 = 4; }
              |           -                     ^^^^^
              |           |
              |           `c` is declared here
            error[C0211]: an object is needed to assign to, this is a value
             --> a.c:1:40
              |
            1 | const int c = 1; void f(void) { c = 2; 3 = 4; }
              |                                        -^^^^
              |                                        |
              |                                        not an object
        "#]],
    );
    check(
        "int a[3], b[3]; void f(void) { a = b; }",
        expect![[r#"
        error[C0211]: an array cannot be assigned to: it has type `int [3]`
         --> a.c:1:32
          |
        1 | int a[3], b[3]; void f(void) { a = b; }
          |                                ^^^^^
    "#]],
    );
    check(
        "struct s { const int x; } a, b; void f(void) { a = b; }",
        expect![[r#"
            error[C0212]: `struct s` has a `const` member and cannot be assigned to
             --> a.c:1:48
              |
            1 | struct s { const int x; } a, b; void f(void) { a = b; }
              |                                                ^^^^^
        "#]],
    );
    check(
        "void f(const char *p, int *q) { char *r = p; q = &r; int i = p; }",
        expect![[r#"
        warning[C0216]: this initialisation discards the qualifier `const`
         --> a.c:1:43
          |
        1 | void f(const char *p, int *q) { char *r = p; q = &r; int i = p; }
          |                                           ^ expected `char *`, found `const char *`
        warning[C0214]: this assignment has an incompatible pointer type
         --> a.c:1:50
          |
        1 | void f(const char *p, int *q) { char *r = p; q = &r; int i = p; }
          |                                                  ^^ expected `int *`, found `char **`
        warning[C0215]: this initialisation makes an integer from a pointer without a cast
         --> a.c:1:62
          |
        1 | void f(const char *p, int *q) { char *r = p; q = &r; int i = p; }
          |                                                              ^ expected `int`, found `const char *`
    "#]],
    );
    check(
        "void g(void); void f(void) { int x = g(); }",
        expect![[r#"
        error[C0221]: a `void` value is used
         --> a.c:1:38
          |
        1 | void g(void); void f(void) { int x = g(); }
          |                                      ^^^
    "#]],
    );
}

#[test]
fn operands() {
    check(
        "struct s { int x; } a; int f(int *p) { return a + 1; }",
        expect![[r#"
        error[C0210]: `+` is not defined for `struct s` and `int`
         --> a.c:1:47
          |
        1 | struct s { int x; } a; int f(int *p) { return a + 1; }
          |                                               -^^^-
          |                                               |   |
          |                                               |   this has type `int`
          |                                               this has type `struct s`
    "#]],
    );
    check(
        "int f(int *p, double d) { return p % 2 + (d & 1) + *d; }",
        expect![[r#"
        error[C0210]: `%` is not defined for `int *` and `int`
         --> a.c:1:34
          |
        1 | int f(int *p, double d) { return p % 2 + (d & 1) + *d; }
          |                                  -^^^-
          |                                  |   |
          |                                  |   this has type `int`
          |                                  this has type `int *`
        error[C0210]: `&` is not defined for `double` and `int`
         --> a.c:1:43
          |
        1 | int f(int *p, double d) { return p % 2 + (d & 1) + *d; }
          |                                           -^^^-
          |                                           |   |
          |                                           |   this has type `int`
          |                                           this has type `double`
        error[C0210]: `*` needs a pointer, not `double`
         --> a.c:1:52
          |
        1 | int f(int *p, double d) { return p % 2 + (d & 1) + *d; }
          |                                                    ^^
    "#]],
    );
    check(
        "int f(int *p, char *q) { return p == q; }",
        expect![[r#"
        warning[C0253]: comparison of the distinct pointer types `int *` and `char *`
         --> a.c:1:33
          |
        1 | int f(int *p, char *q) { return p == q; }
          |                                 ^^^^^^
    "#]],
    );
    check(
        "struct s { unsigned b : 3; } s; int f(register int r) { return &s.b == &r; }",
        expect![[r#"
            error[C0248]: a bit-field has no address
             --> a.c:1:64
              |
            1 | struct s { unsigned b : 3; } s; int f(register int r) { return &s.b == &r; }
              |                                                                ^^^^
            error[C0248]: the address of the `register` variable `r` is taken
             --> a.c:1:72
              |
            1 | struct s { unsigned b : 3; } s; int f(register int r) { return &s.b == &r; }
              |                                                                        ^^
        "#]],
    );
}

#[test]
fn declarations() {
    check(
        "int f(void)[3]; int a[]; void v; int n; int b[n]; int c[-1];",
        expect![[r#"
        error[C0229]: a function cannot return `int [3]`
         --> a.c:1:6
          |
        1 | int f(void)[3]; int a[]; void v; int n; int b[n]; int c[-1];
          |      ^^^^^^
        warning[C0206]: an array without a length is taken to have one element
         --> a.c:1:21
          |
        1 | int f(void)[3]; int a[]; void v; int n; int b[n]; int c[-1];
          |                     ^
        error[C0206]: the variable `v` has type `void`
         --> a.c:1:31
          |
        1 | int f(void)[3]; int a[]; void v; int n; int b[n]; int c[-1];
          |                               ^
        error[C0222]: the length of an array outside of functions is not constant
         --> a.c:1:47
          |
        1 | int f(void)[3]; int a[]; void v; int n; int b[n]; int c[-1];
          |                                               ^
        error[C0226]: the length of an array is negative
         --> a.c:1:57
          |
        1 | int f(void)[3]; int a[]; void v; int n; int b[n]; int c[-1];
          |                                                         ^^
    "#]],
    );
    check(
        "struct s { int x : 33; int y : 0; float z : 2; struct s inner; };",
        expect![[r#"
        error[C0227]: the bit-field is wider than its type `int`, which has 32 bits
         --> a.c:1:20
          |
        1 | struct s { int x : 33; int y : 0; float z : 2; struct s inner; };
          |                    ^^
        error[C0227]: a bit-field of width zero has no name
         --> a.c:1:32
          |
        1 | struct s { int x : 33; int y : 0; float z : 2; struct s inner; };
          |                                ^
        error[C0227]: a bit-field has an integer type, not `float`
         --> a.c:1:35
          |
        1 | struct s { int x : 33; int y : 0; float z : 2; struct s inner; };
          |                                   ^^^^^^^^^^^
        error[C0206]: the member has the incomplete type `struct s`
         --> a.c:1:57
          |
        1 | struct s { int x : 33; int y : 0; float z : 2; struct s inner; };
          |                                                         ^^^^^
          |
          = help: a structure cannot contain itself; use a pointer
    "#]],
    );
    check(
        "_Static_assert(sizeof(int) == 8, \"int is small\"); enum { A = 1 / 0 };",
        expect![[r#"
            error[C0225]: static assertion failed: int is small
             --> a.c:1:16
              |
            1 | _Static_assert(sizeof(int) == 8, "int is small"); enum { A = 1 / 0 };
              |                ^^^^^^^^^^^^^^^^
            warning[C0224]: division by zero
             --> a.c:1:62
              |
            1 | _Static_assert(sizeof(int) == 8, "int is small"); enum { A = 1 / 0 };
              |                                                              ^^^^^
            error[C0224]: division by zero in the value of an enumerator
             --> a.c:1:62
              |
            1 | _Static_assert(sizeof(int) == 8, "int is small"); enum { A = 1 / 0 };
              |                                                              ^^^^^
        "#]],
    );
    check(
        "x; static f() { return 1; }",
        expect![[r#"
        warning[C0220]: the type of this declaration defaults to `int`
         --> a.c:1:1
          |
        1 | x; static f() { return 1; }
          | ^
          |
          = help: write the type
        warning[C0220]: the type of the result of this function defaults to `int`
         --> a.c:1:11
          |
        1 | x; static f() { return 1; }
          |           ^
          |
          = help: write the type
    "#]],
    );
    check(
        "int a = 1; int b = a; static int c = 2147483647 + 1;",
        expect![[r#"
        error[C0222]: the initialiser of a static variable is not constant
         --> a.c:1:20
          |
        1 | int a = 1; int b = a; static int c = 2147483647 + 1;
          |                    ^
        warning[C0223]: overflow in a constant expression
         --> a.c:1:38
          |
        1 | int a = 1; int b = a; static int c = 2147483647 + 1;
          |                                      ^^^^^^^^^^^^^^
    "#]],
    );
}

#[test]
fn initialisers() {
    check(
        "int a[2] = { 1, 2, 3 }; int b = { 1, 2 }; char c[2] = \"abcd\";",
        expect![[r#"
        warning[C0232]: more initialisers than `int [2]` has places
         --> a.c:1:20
          |
        1 | int a[2] = { 1, 2, 3 }; int b = { 1, 2 }; char c[2] = "abcd";
          |                    ^
        warning[C0232]: more than one initialiser for `int`
         --> a.c:1:38
          |
        1 | int a[2] = { 1, 2, 3 }; int b = { 1, 2 }; char c[2] = "abcd";
          |                                      ^
        warning[C0232]: the string of 4 characters is longer than the array of 2
         --> a.c:1:55
          |
        1 | int a[2] = { 1, 2, 3 }; int b = { 1, 2 }; char c[2] = "abcd";
          |                                                       ^^^^^^
    "#]],
    );
    check(
        "struct s { int x; } a = { .y = 1 }; int b[3] = { [5] = 1 }; int c[2] = 7;",
        expect![[r#"
            error[C0207]: `struct s` has no member `y`
             --> a.c:1:28
              |
            1 | struct s { int x; } a = { .y = 1 }; int b[3] = { [5] = 1 }; int c[2] = 7;
              |                            ^
            error[C0233]: the index lies outside of `int [3]`
             --> a.c:1:51
              |
            1 | struct s { int x; } a = { .y = 1 }; int b[3] = { [5] = 1 }; int c[2] = 7;
              |                                                   ^
            error[C0231]: `int [2]` is initialised by an expression
             --> a.c:1:72
              |
            1 | struct s { int x; } a = { .y = 1 }; int b[3] = { [5] = 1 }; int c[2] = 7;
              |                                                                        ^
              |
              = help: an array is initialised by a list in braces or a string literal
        "#]],
    );
}

#[test]
fn control_flow() {
    check(
        "int f(int x) { switch (x) { case 1: case 2: case 1: break; default: default: ; } break; case 3: ; }",
        expect![[r#"
            error[C0237]: duplicate case value 1
             --> a.c:1:45
              |
            1 | int f(int x) { switch (x) { case 1: case 2: case 1: break; default: default: ; } break; case 3: ; }
              |                             ----            ^^^^
              |                             |
              |                             the first one
            error[C0237]: a second `default`
             --> a.c:1:69
              |
            1 | int f(int x) { switch (x) { case 1: case 2: case 1: break; default: default: ; } break; case 3: ; }
              |                                                            -------  ^^^^^^^
              |                                                            |
              |                                                            the first one
            error[C0239]: `break` outside of a loop or `switch`
             --> a.c:1:82
              |
            1 | int f(int x) { switch (x) { case 1: case 2: case 1: break; default: default: ; } break; case 3: ; }
              |                                                                                  ^^^^^^
            error[C0238]: `case` outside of a `switch`
             --> a.c:1:89
              |
            1 | int f(int x) { switch (x) { case 1: case 2: case 1: break; default: default: ; } break; case 3: ; }
              |                                                                                         ^^^^
        "#]],
    );
    check(
        "void f(void) { goto nowhere; here: here: ; continue; }",
        expect![[r#"
        error[C0235]: the label `nowhere` is used but not defined
         --> a.c:1:16
          |
        1 | void f(void) { goto nowhere; here: here: ; continue; }
          |                ^^^^^^^^^^^^^
        error[C0236]: duplicate label `here`
         --> a.c:1:36
          |
        1 | void f(void) { goto nowhere; here: here: ; continue; }
          |                              ----  ^^^^
          |                              |
          |                              the first one
        error[C0239]: `continue` outside of a loop
         --> a.c:1:44
          |
        1 | void f(void) { goto nowhere; here: here: ; continue; }
          |                                            ^^^^^^^^^
    "#]],
    );
    check(
        "void f(int n) { goto in; { int a[n]; in: ; } }",
        expect![[r#"
        error[C0241]: the jump leads into the scope of a variable-length array or a statement expression
         --> a.c:1:17
          |
        1 | void f(int n) { goto in; { int a[n]; in: ; } }
          |                 ^^^^^^^^             -- the label is here
    "#]],
    );
    check(
        "int f(int x) { if (x) return; return 1; } void g(void) { return 1; }",
        expect![[r#"
        warning[C0240]: `return` without a value in a function that returns one
         --> a.c:1:23
          |
        1 | int f(int x) { if (x) return; return 1; } void g(void) { return 1; }
          |                       ^^^^^^^
        warning[C0240]: `return` with a value in a function that returns `void`
         --> a.c:1:58
          |
        1 | int f(int x) { if (x) return; return 1; } void g(void) { return 1; }
          |                                                          ^^^^^^^^^
    "#]],
    );
}

#[test]
fn one_mistake_is_reported_once() {
    check(
        "void f(void) { missing = missing + 1; missing++; int y = missing * 2; y = missing; }",
        expect![[r#"
            error[C0201]: `missing` is not declared
             --> a.c:1:16
              |
            1 | void f(void) { missing = missing + 1; missing++; int y = missing * 2; y = missing; }
              |                ^^^^^^^
        "#]],
    );
}

/// Texts that gcc 12 rejects, each for one reason.
const REJECTED: &[&str] = &[
    "int f(void) { return y; }",
    "int x; double x;",
    "int f(int a, int a) { return a; }",
    "struct s; struct s x;",
    "struct s { struct s x; };",
    "int f(void) { struct t *p; return p->x; }",
    "void f(void) { 1 = 2; }",
    "void f(void) { const int x = 1; x++; }",
    "int g(int); int f(void) { return g(); }",
    "int g(int); int f(void) { return g(1, 2); }",
    "struct s { int x; } a; int f(void) { return (int)a; }",
    "struct s { int x; } a; struct t { int x; } b; void f(void) { a = b; }",
    "void g(void); int f(void) { return g() + 1; }",
    "int f(int *p, int *q) { return p + q; }",
    "int f(double d) { return d % 2; }",
    "int f(void) { break; }",
    "int f(void) { continue; }",
    "int f(void) { goto l; }",
    "int f(void) { l: ; l: ; return 0; }",
    "int f(int x) { switch (x) { case 1: case 1: ; } return 0; }",
    "int f(int x) { switch (x) { case x: ; } return 0; }",
    "int f(double x) { switch (x) { default: ; } return 0; }",
    "int n; int a[n];",
    "int a[-1];",
    "int a[1.5];",
    "struct s { int x : 40; };",
    "struct s { int x : -1; };",
    "struct s { float x : 3; };",
    "struct s { int x; int x; };",
    "int x = y;",
    "int y; int x = y;",
    "_Static_assert(0, \"no\");",
    "int f(void) { return 1; } int f(void) { return 2; }",
    "int x = 1; int x = 2;",
    "int f(void); int f(int);",
    "int f(void); static int f(void) { return 0; }",
    "extern int x; static int x;",
    "typedef int t; typedef long t;",
    "enum e { A, A };",
    "int f(void) { return *3; }",
    "int f(int x) { return x.y; }",
    "struct s { int x; } a; int f(void) { return a.z; }",
    "int f(void)[2];",
    "int f(void)(void);",
    "int a[](void);",
    "int f(void) { return sizeof(struct nope); }",
    "struct s { int b : 2; } a; int *f(void) { return &a.b; }",
    "struct s { int b : 2; } a; int f(void) { return sizeof a.b; }",
    "int *f(void) { return &3; }",
    "int f(register int x) { return *&x; }",
    "int f(void) { int a[2]; a = 0; return 0; }",
    "int x = { { 1 }, .y = 2 };",
    "struct s { int x; } a = { .y = 1 };",
    "int a[2] = { [2] = 1 };",
    "int a[2] = { .x = 1 };",
    "int a[2] = 1;",
    "int f(int x) { return _Generic(x, char: 1); }",
    "int f(void) { x: return 0; default: return 1; }",
    "int f(struct s { int x; } a) { return a; }",
    "int f(void) { void *p; return p(); }",
    "int f(int n) { static int a[n]; return 0; }",
    "int f(int n) { int a[n] = { 1 }; return 0; }",
    "int f(int n) { goto l; int a[n]; l: return 0; }",
    "restrict int x;",
    "int f(void) { if ((struct s { int x; }){ 1 }) ; return 0; }",
    "auto int x;",
    "int f(void) { static extern int x; return x; }",
    "int f(void) { extern int x = 1; return x; }",
    "union u { int a[]; };",
    "struct s { int a[]; int b; };",
    "enum e; enum e { A }; enum e { B };",
    "struct s { int x; }; union s y;",
    "int f(int x) { return __builtin_add_overflow(x, x, x); }",
    "int f(int *p) { return p * 2; }",
    "int f(int *p) { return -p; }",
    "int f(int *p) { return ~p; }",
    "struct s { int x; } a; int f(void) { return !a; }",
    "struct s { int x; } a; int f(int i) { return i ? a : 1; }",
    "int f(double d) { return (int)(void *)d; }",
    "int f(int x) { x(); return 0; }",
    "typedef int t; int f(void) { return t; }",
    "int f(void) { int x; int x; return 0; }",
    "int f(int x) { int x; return 0; }",
    "int f(void) { int x; extern int x; return 0; }",
    "long double f(void) { return 1.0L << 2; }",
    "int x : 3;",
    "int f(void) { return ({ }); }",
];

/// Texts that gcc 12 accepts, with or without a warning.
pub(crate) const ACCEPTED: &[&str] = &[
    "int f() { return g(1); }",
    "f() { return 1; }",
    "x;",
    "static x;",
    "int f(char *p) { return p; }",
    "char *f(int x) { return x; }",
    "int *f(char *p) { return p; }",
    "char *f(const char *p) { return p; }",
    "int f(int *p, char *q) { return p == q; }",
    "int f(int *p) { return p == 3; }",
    "int f(int *p, int i) { return i ? p : 5; }",
    "int a[2] = { 1, 2, 3 };",
    "char c[2] = \"abcdef\";",
    "int x = { 1, 2 };",
    "int f(void) { return; }",
    "void f(void) { return 1; }",
    "void g(void); void f(void) { return g(); }",
    "int f(int x) { return x << 40; }",
    "int f(int x) { return x / 0; }",
    "void *f(void *p) { return p + 1; }",
    "int f(void *p) { return sizeof(*p); }",
    "int f(void) { return sizeof(f); }",
    "struct e {}; struct e a = {}; int f(void) { return sizeof a; }",
    "int a[0];",
    "struct s { int n; int a[]; } x = { 1, { 2, 3 } };",
    "union u { int i; float f; }; union u f(int i) { return (union u)i; }",
    "int f(int x) { switch (x) { case 1 ... 5: return 1; } return 0; }",
    "int a[] = { [0 ... 3] = 1 };",
    "struct s { int a, b; } x = { b: 1, a: 2 };",
    "int f(int x) { return x ?: 3; }",
    "int f(void) { void *p = &&l; goto *p; l: return 0; }",
    "int f(int n) { int a[n]; return sizeof a; }",
    "int main(void) {}",
    "void main(void) {}",
    "int f(x, y) char x; { return x + y; }",
    "extern int x; int x = 1; extern int x;",
    "int x; int x; int x = 1;",
    "static int x; extern int x;",
    "int f(void); int f(); int f(void) { return 0; }",
    "int f(a) int a; { return a; } int f(int);",
    "typedef int t; typedef int t;",
    "typedef struct s s; struct s { s *next; };",
    "enum e { A = 1ULL << 40 };",
    "enum e { A = -1, B = 3000000000 };",
    "enum e f(void); enum e { X };",
    "int f(int x) { extern int g(int); return g(x); }",
    "static int n = 5; static const int m = 3; int k = m + 1;",
    "int x = (int)1.5 + 2;",
    "char *p = (char *)&p + 1; long q = (long)&p;",
    "int a[3]; int *p = &a[1] - 1; long d = &a[2] - &a[0];",
    "int f(void) { int x = x; return x; }",
    "int f(int x) { { int x = 1; } return x; }",
    "int f(struct s { int x; } a) { return a.x; }",
    "int f(int a[static 3], int b[const], int c[]) { return a[0] + b[0] + c[0]; }",
    "int (*f(int x))(int) { return 0; }",
    "int f(void) { return __builtin_types_compatible_p(int, int); }",
    "int f(void) { return _Generic(1, int: 2, default: 3); }",
    "struct s { int x; } f(void); int g(void) { return f().x; }",
    "struct s { int x[3]; } f(void); int g(void) { return f().x[1]; }",
    "int f(int n, int a[n][n]) { return a[0][0]; }",
    "_Noreturn void f(void); void g(void) { f(); }",
    "_Alignas(16) char buffer[3]; struct s { _Alignas(8) char c; };",
    "int f(void) { __label__ l; goto l; l: return 0; }",
    "int f(void) { return ({ int x = 1; x; }); }",
    "int f(int x) { if (x) l: return 1; goto l; }",
    "__extension__ typedef long long ll; ll x;",
    "const int *f(int *p) { return p; }",
    "const char *const *f(char **p) { return p; }",
    "int f(void (*g)(void), void *p) { return g == p; }",
    "int f(enum e { A, B } x) { return x == A; }",
    "unsigned f(void) { return -1; }",
    "int f(void) { return L'x' + u'y' + U'z'; }",
    "int f(void) { char *s = \"a\" \"b\"; return s[0]; }",
    "int f(int x) { return x & 1 ? x : x | 1, x; }",
    "int f(int i) { return i[(int[]){ 1, 2, 3 }]; }",
    "inline int f(void) { return 1; } static inline int g(void) { return f(); }",
    "int printf(const char *, ...); int f(void) { return printf(\"%d\", 1); }",
    "struct { int a; struct { int b; union { int c; int d; }; }; } x; int f(void) { return x.b + x.d; }",
    "int f(int n) { for (int i = 0, *p = &i; i < n; i++) ; return n; }",
    "int a[2][3] = { 1, 2, 3, 4, 5, 6 }; int f(void) { return sizeof a / sizeof *a; }",
    "int f(volatile int *p) { return *p; } void g(volatile int x) { f(&x); }",
    "extern void *malloc(unsigned long); int *f(void) { return malloc(4); }",
    "int strlen(const char *s) { return 0; }",
    "double sqrt(double); double f(void) { return sqrt(2); }",
    "int f(int x) { return sizeof(x++) + sizeof(int) + _Alignof(x); }",
    "int f(unsigned x) { return x == -1; }",
    "int x __attribute__((unused, section(\".data\"), unknown_attribute(1, 2)));",
    "typedef int (*fn)(int); fn table[3]; int f(int i) { return table[i](i); }",
    "int f(int a, ...) { __builtin_va_list ap; __builtin_va_start(ap, a); return __builtin_va_arg(ap, int); }",
    "int f(void) { extern int y; return y; } int y = 3;",
    "void f(int x) { (void)x; ; ; }",
    "int f(int x) { do { if (x) continue; } while (0); return x; }",
];

#[test]
fn gcc_agrees_on_what_is_rejected() {
    let gcc = HostC::find();
    if gcc.is_none() {
        skip("gcc_agrees_on_what_is_rejected", "there is no gcc to ask");
    }
    let mut wrong = String::new();
    for (texts, expected) in [(REJECTED, true), (ACCEPTED, false)] {
        for text in texts {
            let ours = analysed(DataModel::Lp64, text.as_bytes());
            if ours.diags.has_errors() != expected {
                wrong += &format!("{text}\n  we say {}\n", if expected { "nothing" } else { "" });
                wrong += &ours.messages();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let Some(gcc) = gcc else { return };
    // One run of gcc for all texts that it must accept; one for each that it must reject would take too long.
    if !vergo_testkit::environment::slow_or_skip("gcc_agrees_on_what_is_rejected") {
        return;
    }
    for (texts, expected) in [(REJECTED, true), (ACCEPTED, false)] {
        for text in texts {
            let theirs = gcc.check(text.as_bytes(), &["-w"]).expect("the compiler runs");
            assert_eq!(!theirs.success(), expected, "{text}\n{}", theirs.stderr_text());
        }
    }
}

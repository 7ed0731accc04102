//! The messages to a user about mistakes.

use crate::{messages, parsed};
use expect_test::{Expect, expect};

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&messages(text));
}

#[test]
fn missing_semicolons() {
    check(
        "int main(void) {\n    int x = 1\n    return x;\n}\n",
        &expect![[r#"
        error[C0111]: expected `;` after the declaration, found `return`
         --> a.c:2:14
          |
        2 |     int x = 1
          |              ^ add `;` here
        3 |     return x;
          |     ------ unexpected token
    "#]],
    );
    check(
        "int f(int a)\nint g(int b);\n",
        &expect![[r#"
        error[C0111]: expected `;` after the declaration, found `int`
         --> a.c:1:13
          |
        1 | int f(int a)
          |             ^ add `;` here
        2 | int g(int b);
          | --- unexpected token
    "#]],
    );
    check(
        "struct s { int a; }\nint x;\n",
        &expect![[r#"
        error[C0111]: expected `;` after `}`, found `int`
         --> a.c:1:20
          |
        1 | struct s { int a; }
          |                    ^ add `;` here
        2 | int x;
          | --- this begins another declaration
    "#]],
    );
    check(
        "struct s { int a; int b }; int x = 3 struct s y;\n",
        &expect![[r#"
            warning[C0111]: the last member has no semicolon
             --> a.c:1:24
              |
            1 | struct s { int a; int b }; int x = 3 struct s y;
              |                        ^ add `;` here
            error[C0110]: expected `;` after the declaration, found `struct`
             --> a.c:1:38
              |
            1 | struct s { int a; int b }; int x = 3 struct s y;
              |                                      ^^^^^^
        "#]],
    );
    check(
        "void f(void) { g() }\n",
        &expect![[r#"
        error[C0111]: expected `;` after the expression, found `}`
         --> a.c:1:19
          |
        1 | void f(void) { g() }
          |                   ^- unexpected token
          |                   |
          |                   add `;` here
    "#]],
    );
}

#[test]
fn unknown_types() {
    check(
        "size_t n;\n",
        &expect![[r#"
        error[C0115]: unknown type name `size_t`
         --> a.c:1:1
          |
        1 | size_t n;
          | ^^^^^^
          |
          = help: `size_t` is declared in <stddef.h>; include it and preprocess the file
    "#]],
    );
    check(
        "typedef int counter_t;\ncouter_t a, b;\ncouter_t f(couter_t x) { couter_t y = (couter_t)x; return y; }\n",
        &expect![[r#"
            error[C0115]: unknown type name `couter_t`
             --> a.c:2:1
              |
            2 | couter_t a, b;
              | ^^^^^^^^
              |
              = help: there is a type of a similar name: `counter_t`
        "#]],
    );
    check(
        "int f(foo x, foo *y);\nstruct s { foo z; };\n",
        &expect![[r#"
        error[C0115]: unknown type name `foo`
         --> a.c:1:7
          |
        1 | int f(foo x, foo *y);
          |       ^^^
          |
          = help: is a header missing, or has the file not been preprocessed?
    "#]],
    );
    check(
        "void f(void) {\n    foo *p = 0;\n    int x = (bar)p;\n    baz q;\n}\n",
        &expect![[r#"
        error[C0115]: unknown type name `foo`
         --> a.c:2:5
          |
        2 |     foo *p = 0;
          |     ^^^
          |
          = help: is a header missing, or has the file not been preprocessed?
        error[C0115]: unknown type name `bar`
         --> a.c:3:14
          |
        3 |     int x = (bar)p;
          |              ^^^
          |
          = help: is a header missing, or has the file not been preprocessed?
        error[C0115]: unknown type name `baz`
         --> a.c:4:5
          |
        4 |     baz q;
          |     ^^^
          |
          = help: is a header missing, or has the file not been preprocessed?
    "#]],
    );
    check(
        "int T; static T x;\n",
        &expect![[r#"
        error[C0115]: unknown type name `T`
         --> a.c:1:15
          |
        1 | int T; static T x;
          |               ^
          |
          = note: `T` is declared, but not as a type
    "#]],
    );
}

#[test]
fn calls_outside_of_functions() {
    check(
        "MODULE_LICENSE(\"GPL\");\nint x;\n",
        &expect![[r#"
        error[C0120]: expected a parameter, found a string literal
         --> a.c:1:16
          |
        1 | MODULE_LICENSE("GPL");
          |                ^^^^^
          |
          = note: what looks like a call is a declaration here
          = help: if it is a macro, include the header that defines it and preprocess the file
    "#]],
    );
}

#[test]
fn brackets() {
    check(
        "int f(void) {\n    if (1) {\n        g();\n    h();\n}\n\nint k(void) {\n    return 0;\n}\n",
        &expect![[r#"
            error[C0112]: this file ends before a `{` is closed
             --> a.c:9:2
              |
            1 | int f(void) {
              |             - this `{` has no partner
            2 |     if (1) {
              |            - this `{` is the likely culprit...
            ...
            5 | }
              | - ...as the indentation of its `}` differs
            ...
            9 | }
              |  ^
        "#]],
    );
    check(
        "int f(void) { return 0; } }\nint x;\n",
        &expect![[r#"
        error[C0112]: this `}` closes nothing
         --> a.c:1:27
          |
        1 | int f(void) { return 0; } }
          |                           ^
          |
          = help: remove it, or look for a `{` that is missing above
    "#]],
    );
    check(
        "int f(void) { g(1, (2; return 0; }\n",
        &expect![[r#"
        error[C0110]: expected `)`, found `;`
         --> a.c:1:22
          |
        1 | int f(void) { g(1, (2; return 0; }
          |                    - ^
          |                    |
          |                    to close this `(`
    "#]],
    );
    check(
        "int f(int x) { if (x { return 1; } return 0; }\n",
        &expect![[r#"
        error[C0110]: expected `)` after the condition, found `{`
         --> a.c:1:22
          |
        1 | int f(int x) { if (x { return 1; } return 0; }
          |                   -  ^
          |                   |
          |                   to close this `(`
    "#]],
    );
    check(
        "int a[3;\nint b;\n",
        &expect![[r#"
        error[C0110]: expected `]` after the array size, found `;`
         --> a.c:1:8
          |
        1 | int a[3;
          |      - ^
          |      |
          |      to close this `[`
    "#]],
    );
    check(
        "int f(void) { return 1); }\n",
        &expect![[r#"
        error[C0112]: this `)` closes nothing
         --> a.c:1:23
          |
        1 | int f(void) { return 1); }
          |                       ^
    "#]],
    );
}

#[test]
fn expressions() {
    check(
        "int x = ;\nint y = 1 + * 2;\nint z = (int) ;\n",
        &expect![[r#"
        error[C0113]: expected an expression, found `;`
         --> a.c:1:9
          |
        1 | int x = ;
          |         ^
        error[C0113]: expected an expression, found `;`
         --> a.c:3:15
          |
        3 | int z = (int) ;
          |               ^
    "#]],
    );
    check(
        "void f(void) {\n    x = 1 +;\n    y = a b;\n    z = int;\n    w = {1};\n    s.1;\n    g(, 1);\n}\n",
        &expect![[r#"
            error[C0113]: expected an expression, found `;`
             --> a.c:2:12
              |
            2 |     x = 1 +;
              |            ^
            error[C0110]: expected `;` after the expression, found `b`
             --> a.c:3:11
              |
            3 |     y = a b;
              |           ^
            error[C0113]: expected an expression, found `int`
             --> a.c:4:9
              |
            4 |     z = int;
              |         ^^^
              |
              = note: this begins a type, not a value
            error[C0113]: expected an expression, found `{`
             --> a.c:5:9
              |
            5 |     w = {1};
              |         ^
              |
              = help: a braced list is only an initialiser; write `(type){ ... }` for a value of that type
            error[C0110]: expected `;` after the expression, found a number
             --> a.c:6:6
              |
            6 |     s.1;
              |      ^^
            error[C0113]: expected an expression, found `,`
             --> a.c:7:7
              |
            7 |     g(, 1);
              |       ^
        "#]],
    );
    check(
        "void f(void) { for (int i = 0; i < 3, i++) { } while () { } if x { } }\n",
        &expect![[r#"
        error[C0110]: expected `;` after the condition of `for`, found `)`
         --> a.c:1:42
          |
        1 | void f(void) { for (int i = 0; i < 3, i++) { } while () { } if x { } }
          |                                          ^
        error[C0113]: expected an expression, found `)`
         --> a.c:1:55
          |
        1 | void f(void) { for (int i = 0; i < 3, i++) { } while () { } if x { } }
          |                                                       ^
        error[C0110]: expected `(` after `if`, found `x`
         --> a.c:1:64
          |
        1 | void f(void) { for (int i = 0; i < 3, i++) { } while () { } if x { } }
          |                                                                ^
    "#]],
    );
}

#[test]
fn misplaced() {
    check(
        "void f(void) { if (1) int x; else ; }\n",
        &expect![[r#"
        error[C0119]: a declaration is not a statement
         --> a.c:1:23
          |
        1 | void f(void) { if (1) int x; else ; }
          |                       ^^^
          |
          = help: put it into braces, or before the statement
    "#]],
    );
    check(
        "void f(void) { a; b; else c; }\n",
        &expect![[r#"
        error[C0119]: this `else` belongs to no `if`
         --> a.c:1:22
          |
        1 | void f(void) { a; b; else c; }
          |                      ^^^^
          |
          = help: only one statement may stand between `if (...)` and `else`; put several into braces
    "#]],
    );
    check(
        "return 1;\nint x;\n",
        &expect![[r#"
        error[C0120]: expected a declaration, found `return`
         --> a.c:1:1
          |
        1 | return 1;
          | ^^^^^^
          |
          = note: statements stand in functions only; a `}` above may close one too early
    "#]],
    );
    check(
        "struct s { int a = 3; static int b; };\n",
        &expect![[r#"
        error[C0119]: a member cannot be given a value here
         --> a.c:1:18
          |
        1 | struct s { int a = 3; static int b; };
          |                  ^
          |
          = help: initialise the variable whose type this is
        error[C0116]: `static` may not be used for a member
         --> a.c:1:23
          |
        1 | struct s { int a = 3; static int b; };
          |                       ^^^^^^
    "#]],
    );
    check(
        "int if = 3; int double x; long long long y; signed unsigned z; static extern int w;\n",
        &expect![[r#"
            error[C0114]: expected a name to declare, found `if`
             --> a.c:1:5
              |
            1 | int if = 3; int double x; long long long y; signed unsigned z; static extern int w;
              |     ^^
              |
              = note: `if` is a keyword and cannot be a name
            error[C0116]: these keywords do not form a type
             --> a.c:1:13
              |
            1 | int if = 3; int double x; long long long y; signed unsigned z; static extern int w;
              |             ^^^^^^^^^^
            error[C0116]: `long` is written twice
             --> a.c:1:37
              |
            1 | int if = 3; int double x; long long long y; signed unsigned z; static extern int w;
              |                                     ^^^^
            error[C0116]: these keywords do not form a type
             --> a.c:1:45
              |
            1 | int if = 3; int double x; long long long y; signed unsigned z; static extern int w;
              |                                             ^^^^^^^^^^^^^^^
            error[C0116]: `extern` does not go with the storage class before it
             --> a.c:1:71
              |
            1 | int if = 3; int double x; long long long y; signed unsigned z; static extern int w;
              |                                                                       ^^^^^^
        "#]],
    );
    check(
        "__declspec(dllexport) int x;\n",
        &expect![[r#"
        error[C0121]: `__declspec` belongs to Microsoft's C
         --> a.c:1:1
          |
        1 | __declspec(dllexport) int x;
          | ^^^^^^^^^^
          |
          = help: GNU C says the same with `__attribute__((...))`
    "#]],
    );
}

#[test]
fn cplusplus() {
    for (text, what) in [
        ("class A { public: int x; };", "a class"),
        ("namespace n { int x; }", "a namespace"),
        ("template <class T> T f(T x);", "a template"),
        ("using namespace std;", "`using`"),
        ("int *f(void) { return new int; }", "`new`"),
        ("void f(int *p) { delete p; }", "`delete`"),
        ("void f(void) { std::sort(); }", "`::`"),
        ("int n::f(void) { return 0; }", "`::`"),
        ("void f(int &x);", "a reference"),
        ("void f(void) { int x = 1; int &y = x; }", "a reference"),
        ("bool x{};", "an initialiser without `=`"),
        ("void f(int x = 3);", "a default argument"),
        ("extern \"C\" { int f(void); }", "a linkage specification"),
        ("struct B : public A { };", "a base class"),
        ("void f(void) { try { } catch (int) { } }", "`try`"),
        ("int f(double x) { return static_cast<int>(x); }", "`static_cast`"),
        ("void f(void) { int g = [](int x) { return x; }(1); }", "a lambda expression"),
        ("enum class E { A };", "a scoped enumeration"),
        ("struct A { virtual void f(); };", "`virtual`"),
        ("struct A { private: int x; };", "an access specifier"),
    ] {
        let messages = messages(text);
        assert!(
            messages.contains(&format!("error[C0117]: {what} belongs to C++")),
            "{text}\n{messages}"
        );
        assert_eq!(messages.matches("error[").count(), 1, "{text}\n{messages}");
    }
}

#[test]
fn names_of_cplusplus_are_names_in_c() {
    let text = "int class, new, delete, try; struct template { int namespace; }; \
                int using(int private) { new = class + private; this: return new; }";
    assert_eq!(messages(text), "");
}

#[test]
fn not_preprocessed() {
    check(
        "#include <stdio.h>\n#define N 3\nsize_t x[N];\nFILE *f = ;\n",
        &expect![[r#"
        error[C0108]: the file needs preprocessing: `#include` is left in it
         --> a.c:1:1
          |
        1 | #include <stdio.h>
          | ^^^^^^^^ only a preprocessor can carry this out
          |
          = help: preprocess the file first, as `gcc -E FILE.c -o FILE.i` does
    "#]],
    );
}

#[test]
fn lexical() {
    check(
        "char *s = \"abc;\nint x;\n",
        &expect![[r#"
        error[C0103]: this string literal has no end
         --> a.c:1:11
          |
        1 | char *s = "abc;
          |           ^ begins here
          |
          = help: write `"` where it ends; a literal may not go on over the end of the line
    "#]],
    );
    check(
        "int c = 'a;\nint d = '';\nint e = '\\xg';\n",
        &expect![[r#"
        error[C0104]: this character constant has no end
         --> a.c:1:9
          |
        1 | int c = 'a;
          |         ^ begins here
          |
          = help: write `'` where it ends, or `"` around text of several characters
        error[C0105]: this character constant is empty
         --> a.c:2:9
          |
        2 | int d = '';
          |         ^^
          |
          = help: the null character is written `'\0'`
        error[C0107]: `\x` needs hexadecimal digits after it
         --> a.c:3:10
          |
        3 | int e = '\xg';
          |          ^^
    "#]],
    );
    check(
        "int a = 08 + 0b2 + 0x + 1.5.2 + 12abc + 0xe+1 + 1e;\n",
        &expect![[r#"
        error[C0106]: `8` is not a digit of an octal number
         --> a.c:1:10
          |
        1 | int a = 08 + 0b2 + 0x + 1.5.2 + 12abc + 0xe+1 + 1e;
          |          ^
          |
          = help: a number that begins with `0` is octal
        error[C0106]: `2` is not a digit of a binary number
         --> a.c:1:16
          |
        1 | int a = 08 + 0b2 + 0x + 1.5.2 + 12abc + 0xe+1 + 1e;
          |                ^
        error[C0106]: this hexadecimal number has no digits
         --> a.c:1:20
          |
        1 | int a = 08 + 0b2 + 0x + 1.5.2 + 12abc + 0xe+1 + 1e;
          |                    ^^
        error[C0106]: this number has two decimal points
         --> a.c:1:28
          |
        1 | int a = 08 + 0b2 + 0x + 1.5.2 + 12abc + 0xe+1 + 1e;
          |                            ^
        error[C0106]: `abc` is not a suffix of an integer
         --> a.c:1:35
          |
        1 | int a = 08 + 0b2 + 0x + 1.5.2 + 12abc + 0xe+1 + 1e;
          |                                   ^^^
        error[C0106]: `+1` is not a suffix of an integer
         --> a.c:1:44
          |
        1 | int a = 08 + 0b2 + 0x + 1.5.2 + 12abc + 0xe+1 + 1e;
          |                                            ^^
          |
          = help: write a blank before `+`: `e+` continues a number, even a hexadecimal one
        error[C0106]: the exponent of this number has no digits
         --> a.c:1:50
          |
        1 | int a = 08 + 0b2 + 0x + 1.5.2 + 12abc + 0xe+1 + 1e;
          |                                                  ^
          |
          = help: an exponent is a decimal integer, such as `e10` or `e-10`
    "#]],
    );
    check(
        "char *s = \u{201c}x\u{201d}; int y = 3 \u{2212} 2;\n",
        &expect![[r#"
        error[C0101]: stray character `“` in the program
         --> a.c:1:11
          |
        1 | char *s = “x”; int y = 3 − 2;
          |           ^
          |
          = help: U+201C looks like `"`; write that instead
        error[C0101]: stray character `”` in the program
         --> a.c:1:13
          |
        1 | char *s = “x”; int y = 3 − 2;
          |             ^
          |
          = help: U+201D looks like `"`; write that instead
        error[C0101]: stray character `−` in the program
         --> a.c:1:26
          |
        1 | char *s = “x”; int y = 3 − 2;
          |                          ^
          |
          = help: U+2212 looks like `-`; write that instead
    "#]],
    );
    check(
        "int a; /* never\nclosed",
        &expect![[r#"
        error[C0102]: this comment has no end
         --> a.c:1:8
          |
        1 | int a; /* never
          |        ^^ begins here and takes in the rest of the file
          |
          = help: write `*/` where it ends
    "#]],
    );
    check(
        "char *s = \"\\q \\777 \\u12\";\n",
        &expect![[r#"
        warning[C0107]: unknown escape sequence `\q`
         --> a.c:1:12
          |
        1 | char *s = "\q \777 \u12";
          |            ^^
          |
          = help: write `\\` for a backslash
        warning[C0107]: the value of this escape sequence does not fit into 8 bits
         --> a.c:1:15
          |
        1 | char *s = "\q \777 \u12";
          |               ^^^^
        error[C0107]: `\u` needs 4 hexadecimal digits after it
         --> a.c:1:20
          |
        1 | char *s = "\q \777 \u12";
          |                    ^^^^
    "#]],
    );
}

#[test]
fn mixed_strings() {
    assert_eq!(messages("int *s = \"a\" L\"b\" \"c\" LR\"(d)\", *t = U\"e\";"), "");
    check(
        "int *s = L\"a\" \"b\" u\"c\";\n",
        &expect![[r#"
        error[C0125]: a string with prefix `u` cannot continue one with prefix `L`
         --> a.c:1:19
          |
        1 | int *s = L"a" "b" u"c";
          |                   ^^^^
    "#]],
    );
}

#[test]
fn assembly_and_attributes() {
    check(
        "void f(void) { asm(x); asm(\"\" : \"=r\" x); }\n",
        &expect![[r#"
        error[C0123]: expected a string literal with the instructions, found `x`
         --> a.c:1:20
          |
        1 | void f(void) { asm(x); asm("" : "=r" x); }
          |                    ^
        error[C0110]: expected `(` before the operand, found `x`
         --> a.c:1:38
          |
        1 | void f(void) { asm(x); asm("" : "=r" x); }
          |                                      ^
    "#]],
    );
    check(
        "__attribute__((3)) int x; __attribute__(packed) int y;\n",
        &expect![[r#"
        error[C0124]: expected the name of an attribute, found a number
         --> a.c:1:16
          |
        1 | __attribute__((3)) int x; __attribute__(packed) int y;
          |                ^
        error[C0110]: expected `(` after `__attribute__(`, found `packed`
         --> a.c:1:41
          |
        1 | __attribute__((3)) int x; __attribute__(packed) int y;
          |                                         ^^^^^^
    "#]],
    );
}

#[test]
fn one_mistake_is_one_message() {
    for text in [
        "int f(void) { int x = 3 4; return x; } int g(void) { return 0; }",
        "int f(void) { x = (1 + ; y = 2; } int z;",
        "int f(int a, int b { return a; } int z;",
        "struct s { int a int b; int c; }; int z;",
        "enum e { A, B C }; int z;",
        "int f(void) { switch (x) { case 1 break; default: ; } } int z;",
        "int f(void) { do x(); while (1) } int z;",
        "int f(void) { foo bar baz; return 1; } int z;",
        "int f(void) { if (a) { b(; } else { c(); } return 1; } int z;",
        "void f(void) { for (i = 0; i < 10; i++ { g(); } } int z;",
        "int x = { 1, 2, ; int z;",
        "int f(void) { return (1 + 2; } int z;",
        "int a[] = { 1, 2 3 }; int z;",
        "typedef struct { int a; } s int z;",
    ] {
        let parsed = parsed(text.as_bytes());
        assert_eq!(parsed.diags.error_count(), 1, "{text}\n{}", parsed.messages());
    }
}

#[test]
fn what_follows_a_mistake_is_understood() {
    let parsed = parsed(
        b"int f(void) { x = = 1; return 2; }\nint @ g;\nint h = 3\nint i(void) { return 4; }\n",
    );
    let tree = parsed.tree();
    for kept in ["number 2", "declarator g", "number 3", "number 4"] {
        assert!(tree.contains(kept), "{kept}\n{tree}");
    }
}

#[test]
fn interruption() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let (mut sources, file) = crate::add("a.c", b"int x = 1; int y = 2;");
    let mut diags = vergo_source::Diagnostics::new();
    let interrupt = Some(Arc::new(AtomicBool::new(true)));
    let options = vergo_cfront::Options { interrupt, ..Default::default() };
    let ast = vergo_cfront::parse(&mut sources, file, &options, &mut diags);
    assert!(ast.items.is_empty());
    assert_eq!(diags.error_count(), 1);
    assert_eq!(diags.iter().next().map(|d| d.code), Some(vergo_cfront::codes::STOPPED));
}

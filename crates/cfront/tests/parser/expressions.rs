//! The trees of expressions.

use crate::tree;
use expect_test::{Expect, expect};

/// The tree of an expression.
fn check_expr(text: &str, expected: &Expect) {
    let tree = tree(&format!("x={text};"));
    let value: String = tree
        .lines()
        .skip_while(|line| !line.starts_with("  initialiser"))
        .map(|line| {
            let line = line.strip_prefix("  ").unwrap_or(line);
            format!("{}\n", line.strip_prefix("initialiser ").unwrap_or(line))
        })
        .collect();
    expected.assert_eq(&value);
}

#[test]
fn precedence() {
    check_expr(
        "a || b && c | d ^ e & f == g < h << i + j * k",
        &expect![[r#"
        binary || 1:3
          name a 1:3
          binary && 1:8
            name b 1:8
            binary | 1:13
              name c 1:13
              binary ^ 1:17
                name d 1:17
                binary & 1:21
                  name e 1:21
                  binary == 1:25
                    name f 1:25
                    binary < 1:30
                      name g 1:30
                      binary << 1:34
                        name h 1:34
                        binary + 1:39
                          name i 1:39
                          binary * 1:43
                            name j 1:43
                            name k 1:47
    "#]],
    );
    check_expr(
        "a * b + c << d < e == f & g ^ h | i && j || k",
        &expect![[r#"
        binary || 1:3
          binary && 1:3
            binary | 1:3
              binary ^ 1:3
                binary & 1:3
                  binary == 1:3
                    binary < 1:3
                      binary << 1:3
                        binary + 1:3
                          binary * 1:3
                            name a 1:3
                            name b 1:7
                          name c 1:11
                        name d 1:16
                      name e 1:20
                    name f 1:25
                  name g 1:29
                name h 1:33
              name i 1:37
            name j 1:42
          name k 1:47
    "#]],
    );
    check_expr(
        "a - b - c",
        &expect![[r#"
        binary - 1:3
          binary - 1:3
            name a 1:3
            name b 1:7
          name c 1:11
    "#]],
    );
    check_expr(
        "(a = b += c, d)",
        &expect![[r#"
        parentheses 1:3
          binary , 1:4
            assign = 1:4
              name a 1:4
              assign += 1:8
                name b 1:8
                name c 1:13
            name d 1:16
    "#]],
    );
    check_expr(
        "a ? b ? c : d : e ? f : g",
        &expect![[r#"
        conditional 1:3
          name a 1:3
          then conditional 1:7
            name b 1:7
            then name c 1:11
            else name d 1:15
          else conditional 1:19
            name e 1:19
            then name f 1:23
            else name g 1:27
    "#]],
    );
    check_expr(
        "a ?: b ?: c",
        &expect![[r#"
        conditional 1:3
          name a 1:3
          else conditional 1:8
            name b 1:8
            else name c 1:13
    "#]],
    );
    check_expr(
        "- - !~*&a++",
        &expect![[r#"
        unary - 1:3
          unary - 1:5
            unary ! 1:7
              unary ~ 1:8
                unary * 1:9
                  unary & 1:10
                    unary _++ 1:11
                      name a 1:11
    "#]],
    );
    check_expr(
        "++a[1]->b.c(d, e)--",
        &expect![[r#"
        unary ++_ 1:3
          unary _-- 1:5
            call 1:5
              member .c 1:5
                member ->b 1:5
                  index 1:5
                    name a 1:5
                    number 1 1:7
              argument name d 1:15
              argument name e 1:18
    "#]],
    );
}

#[test]
fn casts_and_sizes() {
    check_expr(
        "(int)(char)a + (b)-c",
        &expect![[r#"
        binary - 1:3
          binary + 1:3
            cast 1:3
              type 1:4
                specifiers int 1:4
              cast 1:8
                type 1:9
                  specifiers char 1:9
                name a 1:14
            parentheses 1:18
              name b 1:19
          name c 1:22
    "#]],
    );
    check_expr(
        "sizeof(int)*2 + sizeof a[1] + sizeof(a)[1]",
        &expect![[r#"
        binary + 1:3
          binary + 1:3
            binary * 1:3
              sizeof 1:3
                type 1:10
                  specifiers int 1:10
              number 2 1:15
            sizeof 1:19
              index 1:26
                name a 1:26
                number 1 1:28
          sizeof 1:33
            index 1:39
              parentheses 1:39
                name a 1:40
              number 1 1:43
    "#]],
    );
    check_expr(
        "(int[]){1, 2}[0] + sizeof (struct s){3}.a",
        &expect![[r#"
        binary + 1:3
          index 1:3
            compound literal 1:3
              type 1:4
                specifiers int 1:4
                declarator (abstract) 1:7
                  array 1:7
              initialiser list 1:10
                initialiser number 1 1:11
                initialiser number 2 1:14
            number 0 1:17
          sizeof 1:22
            member .a 1:29
              compound literal 1:29
                type 1:30
                  specifiers struct s 1:30
                initialiser list 1:39
                  initialiser number 3 1:40
    "#]],
    );
    check_expr(
        "_Alignof(int) + __alignof__ a + alignof(char)",
        &expect![[r#"
        binary + 1:3
          binary + 1:3
            alignof 1:3
              type 1:12
                specifiers int 1:12
            alignof 1:19
              name a 1:31
          alignof 1:35
            type 1:43
              specifiers char 1:43
    "#]],
    );
    check_expr(
        "(int (*)(void))a",
        &expect![[r#"
        cast 1:3
          type 1:4
            specifiers int 1:4
            declarator (abstract) 1:8
              pointer
              function (void) 1:11
          name a 1:18
    "#]],
    );
    check_expr(
        "(const char *const)a",
        &expect![[r#"
        cast 1:3
          type 1:4
            specifiers const char 1:4
            declarator (abstract) 1:15
              pointer const
          name a 1:22
    "#]],
    );
}

#[test]
fn gnu_expressions() {
    check_expr(
        "({ int a = 1; a; })",
        &expect![[r#"
        statement expression 1:3
          block 1:4
            declaration 1:6
              specifiers int 1:6
              declarator a 1:10
              initialiser number 1 1:14
            expression 1:17
              name a 1:17
    "#]],
    );
    check_expr(
        "__real__ a + __imag__ b + __extension__ c",
        &expect![[r#"
        binary + 1:3
          binary + 1:3
            unary __real__ 1:3
              name a 1:12
            unary __imag__ 1:16
              name b 1:25
          unary __extension__ 1:29
            name c 1:43
    "#]],
    );
    check_expr(
        "&&label",
        &expect![[r#"
        label address label 1:3
    "#]],
    );
    check_expr(
        "_Generic(a, int: 1, const char *: 2, default: 3)",
        &expect![[r#"
        generic 1:3
          name a 1:12
          association 1:20
            type 1:15
              specifiers int 1:15
            number 1 1:20
          association 1:37
            type 1:23
              specifiers const char 1:23
              declarator (abstract) 1:34
                pointer
            number 2 1:37
          association default 1:49
            number 3 1:49
    "#]],
    );
    check_expr(
        "__builtin_va_arg(a, int *)",
        &expect![[r#"
        va_arg 1:3
          name a 1:20
          type 1:23
            specifiers int 1:23
            declarator (abstract) 1:27
              pointer
    "#]],
    );
    check_expr(
        "__builtin_offsetof(struct s, a.b[2].c)",
        &expect![[r#"
        offsetof 1:3
          type 1:22
            specifiers struct s 1:22
          member .a 1:32
          member .b 1:34
          index number 2 1:36
          member .c 1:39
    "#]],
    );
    check_expr(
        "__builtin_types_compatible_p(int, char[3]) + __builtin_choose_expr(1, a, b)",
        &expect![[r#"
            binary + 1:3
              types compatible 1:3
                type 1:32
                  specifiers int 1:32
                type 1:37
                  specifiers char 1:37
                  declarator (abstract) 1:41
                    array 1:41
                      number 3 1:42
              choose 1:48
                number 1 1:70
                name a 1:73
                name b 1:76
        "#]],
    );
    check_expr(
        "__builtin_convertvector(a, int) + __builtin_expect(a, 1)",
        &expect![[r#"
        binary + 1:3
          convert vector 1:3
            name a 1:27
            type 1:30
              specifiers int 1:30
          call 1:37
            name __builtin_expect 1:37
            argument name a 1:54
            argument number 1 1:57
    "#]],
    );
}

#[test]
fn literals() {
    check_expr(
        "0x1F + 1.5e-3f + 'a' + L'\\n' + 1'000ull",
        &expect![[r#"
        binary + 1:3
          binary + 1:3
            binary + 1:3
              binary + 1:3
                number 0x1F 1:3
                number 1.5e-3f 1:10
              character \'a\' 1:20
            character L\'\\n\' 1:26
          number 1\'000ull 1:34
    "#]],
    );
    check_expr(
        "\"a\" u8\"b\\\"\" R\"x(\")x\"",
        &expect![[r#"
        string \"a\" u8\"b\\\"\" R\"x(\")x\" 1:3
    "#]],
    );
    check_expr(
        "true + false + nullptr",
        &expect![[r#"
        binary + 1:3
          binary + 1:3
            constant True 1:3
            constant False 1:10
          constant Nullptr 1:18
    "#]],
    );
}

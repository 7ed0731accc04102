//! The trees of statements, and what stands beside the tree.

use crate::tree;
use expect_test::{Expect, expect};

/// The statements of a function body, without the function around them.
fn check_body(text: &str, expected: &Expect) {
    let tree = tree(&format!("f(){{{text}}}"));
    let body: String = tree
        .lines()
        .skip_while(|line| !line.starts_with("  block"))
        .skip(1)
        .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)))
        .collect();
    expected.assert_eq(&body);
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&tree(text));
}

#[test]
fn statements() {
    check_body(
        "if (a) b; else if (c) { } else d;",
        &expect![[r#"
        if 1:5
          name a 1:9
          then expression 1:12
            name b 1:12
          else if 1:20
            name c 1:24
            then block 1:27
            else expression 1:36
              name d 1:36
    "#]],
    );
    check_body(
        "if (a) if (b) c; else d;",
        &expect![[r#"
        if 1:5
          name a 1:9
          then if 1:12
            name b 1:16
            then expression 1:19
              name c 1:19
            else expression 1:27
              name d 1:27
    "#]],
    );
    check_body(
        "for (;;) ; for (int i = 0, j; i < 1; i++, j--) { } for (i = 0; ; ) break;",
        &expect![[r#"
            for 1:5
              empty 1:14
            for 1:16
              init declaration 1:21
                declaration 1:21
                  specifiers int 1:21
                  declarator i 1:25
                  initialiser number 0 1:29
                  declarator j 1:32
              condition binary < 1:35
                name i 1:35
                number 1 1:39
              step binary , 1:42
                unary _++ 1:42
                  name i 1:42
                unary _-- 1:47
                  name j 1:47
              block 1:52
            for 1:56
              init expression 1:61
                assign = 1:61
                  name i 1:61
                  number 0 1:65
              break 1:72
        "#]],
    );
    check_body(
        "while (a) continue; do b; while (c);",
        &expect![[r#"
        while 1:5
          name a 1:12
          continue 1:15
        do 1:25
          expression 1:28
            name b 1:28
          while name c 1:38
    "#]],
    );
    check_body(
        "switch (a) { case 1: case 2 ... 3: b; default: ; }",
        &expect![[r#"
        switch 1:5
          name a 1:13
          block 1:16
            case 1:18
              number 1 1:23
              case 1:26
                number 2 1:31
                to number 3 1:37
                expression 1:40
                  name b 1:40
            default 1:43
              empty 1:52
    "#]],
    );
    check_body(
        "__label__ l, m; goto l; l: m: goto *p; return; return a, b;",
        &expect![[r#"
        local labels l m 1:5
        goto l 1:21
        label l 1:29
          label m 1:32
            goto * 1:35
              name p 1:41
        return 1:44
        return 1:52
          binary , 1:59
            name a 1:59
            name b 1:62
    "#]],
    );
    check_body(
        "{ l: int x; case 1: typedef int y; m: }",
        &expect![[r#"
        block 1:5
          label l 1:7
            empty 1:9
          declaration 1:10
            specifiers int 1:10
            declarator x 1:14
          case 1:17
            number 1 1:22
            empty 1:24
          declaration 1:25
            specifiers typedef int 1:25
            declarator y 1:37
          label m 1:40
            empty 1:42
    "#]],
    );
    check_body(
        "{ l: __attribute__((unused)); __attribute__((fallthrough)); [[fallthrough]]; }",
        &expect![[r#"
            block 1:5
              label l 1:7
                empty 1:33
              empty 1:63
              empty 1:80
        "#]],
    );
}

#[test]
fn inline_assembly() {
    check_body(
        "asm(\"nop\"); asm volatile(\"a\" \"b\" : \"=r\"(x), [n] \"+m\"(*y) : \"i\"(3) : \"cc\", \"memory\"); \
         asm goto(\"\" : : \"r\"(x) : : l, m); __asm__ __volatile__ inline (\"\" ::: \"memory\"); asm(\"\" : : );",
        &expect![[r#"
            asm 1:5
              template \"nop\" 1:9
            asm volatile 1:17
              template \"a\" \"b\" 1:30
              output 1:45
                constraint \"=r\" 1:40
                name x 1:45
              output [n] 1:58
                constraint \"+m\" 1:53
                unary * 1:58
                  name y 1:59
              input 1:68
                constraint \"i\" 1:64
                number 3 1:68
              clobber \"cc\" 1:73
              clobber \"memory\" 1:79
            asm goto labels l m 1:90
              template \"\" 1:99
              input 1:110
                constraint \"r\" 1:106
                name x 1:110
            asm volatile 1:124
              template \"\" 1:153
              clobber \"memory\" 1:160
            asm 1:171
              template \"\" 1:175
        "#]],
    );
    check_body(
        "register int r asm(\"eax\") = 1;",
        &expect![[r#"
        declaration 1:5
          specifiers register int 1:5
          declarator r 1:18
            asm name \"eax\" 1:24
          initialiser number 1 1:33
    "#]],
    );
}

#[test]
fn positions_follow_line_markers() {
    let parsed =
        crate::parsed(b"# 10 \"b.h\" 1 3\nint a;\n# 3 \"a.c\" 2\nint b;\n#line 100\nint c;\n");
    expect![[r#"
        file b.h
        declaration 10:1
          specifiers int 10:1
          declarator a 10:5
        file a.c
        declaration 3:1
          specifiers int 3:1
          declarator b 3:5
        declaration 100:1
          specifiers int 100:1
          declarator c 100:5
    "#]]
    .assert_eq(&(parsed.messages() + &parsed.tree()));
}

#[test]
fn pragmas_are_kept_beside_the_tree() {
    check(
        "#pragma pack(push, 1)\nstruct s { int a; };\n_Pragma(\"pack(pop)\") int b;\nvoid f(void) {\n#pragma omp parallel \n;}",
        &expect![[r#"
            declaration 2:1
              specifiers struct s definition 2:1
                member 2:12
                  specifiers int 2:12
                  declarator a 2:16
            declaration 3:22
              specifiers int 3:22
              declarator b 3:26
            function 4:1
              specifiers void 4:1
              declarator f 4:6
                function (void) 4:7
              block 4:14
                empty 6:1
            pragma pack(push, 1) 1:9
            pragma \"pack(pop)\" 3:9
            pragma omp parallel 5:9
        "#]],
    );
}

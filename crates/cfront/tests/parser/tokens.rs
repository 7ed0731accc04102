//! Tokens.

use crate::{add, messages, tree};
use expect_test::{Expect, expect};
use vergo_cfront::dump;
use vergo_source::Diagnostics;

fn check(text: &[u8], expected: &Expect) {
    let (mut sources, file) = add("a.c", text);
    let mut diags = Diagnostics::new();
    let tokens = dump::tokens(&mut sources, file, &mut diags);
    expected.assert_eq(&tokens);
    assert!(diags.is_empty(), "{:?}", diags.iter().collect::<Vec<_>>());
}

#[test]
fn words_numbers_and_strings() {
    check(
        b"int $a_1 = 0x1e +3;",
        &expect![[r#"
        1:1 keyword int
        1:5 identifier $a_1
        1:10 punctuator =
        1:12 number 0x1e
        1:17 punctuator +
        1:18 number 3
        1:19 punctuator ;
        1:20 end of file
    "#]],
    );
    check(
        "\u{e9}t\\u00e9 L\"x\" + u8R\"d(\n\")d\" 'a' .5e+3 1. .2".as_bytes(),
        &expect![[r#"
            1:1 identifier \xc3\xa9t\\u00e9
            1:10 string literal L\"x\"
            1:15 punctuator +
            1:17 string literal u8R\"d(\n\")d\"
            2:6 character constant \'a\'
            2:10 number .5e+3
            2:16 number 1.
            2:19 number .2
            2:21 end of file
        "#]],
    );
}

#[test]
fn punctuators_and_digraphs() {
    check(
        b"<: :> <% %> + ++ += - -- -= -> * *= / /= % %= & && &= | || |= ^ ^= ~ ! != = == < << <<= <= > >> >>= >= ? : ; , . ...",
        &expect![[r#"
            1:1 punctuator <:
            1:4 punctuator :>
            1:7 punctuator <%
            1:10 punctuator %>
            1:13 punctuator +
            1:15 punctuator ++
            1:18 punctuator +=
            1:21 punctuator -
            1:23 punctuator --
            1:26 punctuator -=
            1:29 punctuator ->
            1:32 punctuator *
            1:34 punctuator *=
            1:37 punctuator /
            1:39 punctuator /=
            1:42 punctuator %
            1:44 punctuator %=
            1:47 punctuator &
            1:49 punctuator &&
            1:52 punctuator &=
            1:55 punctuator |
            1:57 punctuator ||
            1:60 punctuator |=
            1:63 punctuator ^
            1:65 punctuator ^=
            1:68 punctuator ~
            1:70 punctuator !
            1:72 punctuator !=
            1:75 punctuator =
            1:77 punctuator ==
            1:80 punctuator <
            1:82 punctuator <<
            1:85 punctuator <<=
            1:89 punctuator <=
            1:92 punctuator >
            1:94 punctuator >>
            1:97 punctuator >>=
            1:101 punctuator >=
            1:104 punctuator ?
            1:106 punctuator :
            1:108 punctuator ;
            1:110 punctuator ,
            1:112 punctuator .
            1:114 punctuator ...
            1:117 end of file
        "#]],
    );
}

#[test]
fn comments_and_splices() {
    check(
        b"a/* \n * */b // c \\\n d\ne\\\nf /\\\n* x *\\\n/ g \"h\\\ni\" +\\\n+",
        &expect![[r#"
        1:1 identifier a
        2:6 identifier b
        4:1 identifier e\\\nf
        7:3 identifier g
        7:5 string literal \"h\\\ni\"
        8:4 punctuator +\\\n+
        9:2 end of file
    "#]],
    );
    check(
        b"\xef\xbb\xbfa\r\nb\0c\x0cd",
        &expect![[r#"
        1:2 identifier a
        2:1 identifier b
        2:3 identifier c
        2:5 identifier d
        2:6 end of file
    "#]],
    );
}

#[test]
fn markers_and_pragmas() {
    check(b"# 7 \"x y.h\" 2\na\n#line 20\nb\n#pragma  once \n  #  pragma GCC poison\n#\n#ident \"z\"\nc _Pragma(\"d\") e", &expect![[r#"
        7:1 identifier a
        20:1 identifier b
        25:1 identifier c
        25:16 identifier e
        25:17 end of file
        21:10 pragma once
        22:13 pragma GCC poison
        25:11 pragma \"d\"
    "#]]);
}

#[test]
fn comments_in_directives() {
    check(
        b"#pragma once /* a\n b */ // c\nd\n#pragma message \"/*\"\n# /* e */\nf",
        &expect![[r#"
            3:1 identifier d
            6:1 identifier f
            6:2 end of file
            1:9 pragma once /* a\n b */ // c
            4:9 pragma message \"/*\"
        "#]],
    );
    assert!(messages("#pragma x /* a\nint y;").contains("this comment has no end"));
}

#[test]
fn both_spellings_of_a_character_are_one_name() {
    let text = "int \u{e9}; int f(void) { return \\u00e9 + \\U000000e9; }";
    assert_eq!(tree(text).matches("name \u{e9}").count(), 2);
}

#[test]
fn any_bytes_are_tokens_or_reported() {
    for byte in 0..=255u8 {
        for text in [
            &[byte][..],
            &[byte, byte],
            &[b'a', byte],
            &[b'"', byte],
            &[b'\\', byte],
            &[b'#', byte],
            &[byte, b'\n', byte],
        ] {
            let (mut sources, file) = add("a.c", text);
            dump::tokens(&mut sources, file, &mut Diagnostics::new());
        }
    }
    assert!(messages("int a @ ` ;").contains("stray character"));
}

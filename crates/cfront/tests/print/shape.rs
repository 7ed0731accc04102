//! The appearance of the printed text.

use crate::round_trip::{front_end, print};
use expect_test::{Expect, expect};
use vergo_cfront::hir::ExprKind;
use vergo_cfront::print_c::{PrintOptions, print_c_with, print_expr, print_function, print_type};
use vergo_cfront::target::DataModel;
use vergo_cfront::{Options, analyze, parse};
use vergo_source::{Diagnostics, SourceMap};

fn check(text: &str, expected: Expect) {
    match print(text.as_bytes(), DataModel::Lp64) {
        Ok(printed) => expected.assert_eq(&printed),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn conversions_are_written_only_where_needed() {
    check(
        "
        long f(char c, unsigned u, float x, int *p, void *v) {
            long l = c + u;
            l += c;
            x = x * 2 + c;
            double d = x / 3;
            unsigned char b = l;
            p = v;
            if (p != 0 && v) return (char)l + (long)c;
            return c ? u : l;
        }
        ",
        expect![[r#"
            long f(char c, unsigned int u, float x, int *p, void *v)
            {
                long l = c + u;
                l += c;
                x = x * 2 + c;
                double d = x / 3;
                unsigned char b = l;
                p = v;
                if (p != 0 && v) {
                    return (char)l + (long)c;
                }
                return c ? u : l;
            }
        "#]],
    );
}

#[test]
fn declarations_come_before_their_use() {
    check(
        "
        typedef struct node { struct node *next; struct payload *data; enum { A, B } kind; } node;
        struct payload { node inner; int bits : 3; };
        extern int unused(struct payload *);
        static int later(node *n);
        int first(node *n) { return later(n) + n->data->bits; }
        static int later(node *n) { static int calls; return ++calls + n->kind; }
        ",
        expect![[r#"
            struct payload;

            struct node {
                struct node *next;
                struct payload *data;
                unsigned int kind;
            };

            struct payload {
                struct node inner;
                int bits : 3;
            };

            static int later(struct node *);

            int first(struct node *n)
            {
                return later(n) + n->data->bits;
            }

            static int later(struct node *n)
            {
                static int calls;
                return ++calls + n->kind;
            }
        "#]],
    );
}

#[test]
fn names_change_only_when_captured() {
    check(
        "
        int x;
        int f(int x) { { static int x; x++; } { extern int x; x--; } { int x = 2; return x; } }
        int g(void) { struct s { int a; } v = { 1 }; { struct s { int b; } v = { 2 }; return v.b; } }
        ",
        expect![[r#"
            int x;

            int f(int x_2)
            {
                static int x_1;
                {
                    x_1++;
                }
                {
                    x--;
                }
                {
                    int x = 2;
                    return x;
                }
            }

            struct s {
                int a;
            };

            struct s_1 {
                int b;
            };

            int g(void)
            {
                struct s v = {1};
                {
                    struct s_1 v = {2};
                    return v.b;
                }
            }
        "#]],
    );
}

#[test]
fn linked_units_share_one_file_scope() {
    let texts = [
        "static int n = 1; static int f(void) { return n; } int g(void); int main(void) { return f() + g(); }",
        "static int n = 2; static int f(void) { return n; } int g(void) { return f(); }",
    ];
    let mut map = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let options = Options::default();
    let units = texts.iter().enumerate().map(|(i, text)| {
        let file = map.add(&format!("{i}.c"), *text).expect("a small file");
        let ast = parse(&mut map, file, &options, &mut diagnostics);
        analyze(ast, &map, &options, &mut diagnostics)
    });
    let units = units.collect();
    let unit = vergo_cfront::link(units, &mut diagnostics).expect("two units");
    assert!(!diagnostics.has_errors());
    expect![[r#"
        static int n = 1;

        static int f(void)
        {
            return n;
        }

        int g(void);

        int main(void)
        {
            return f() + g();
        }

        static int n_1 = 2;

        static int f_1(void)
        {
            return n_1;
        }

        int g(void)
        {
            return f_1();
        }
    "#]]
    .assert_eq(&vergo_cfront::print_c(&unit));
}

#[test]
fn lengths_go_back_between_the_brackets() {
    check(
        "
        int f(int n, int a[][n]) { char b[n + 1]; int c[n]; b[0] = 1; return sizeof c + a[0][0] + b[0]; }
        ",
        expect![[r#"
            int f(int n, int (*a)[n])
            {
                char b[n + 1];
                const long len_3 = n;
                int c[len_3];
                b[0] = 1;
                return sizeof(int [len_3]) + a[0][0] + b[0];
            }
        "#]],
    );
}

#[test]
fn line_directives_point_at_the_source() {
    let text = "int f(int x)\n{\n\n  x++; x++;\n  return x;\n}\n";
    let mut map = SourceMap::new();
    let file = map.add("dir/\"odd\".c", text).expect("a small file");
    let mut diagnostics = Diagnostics::new();
    let ast = parse(&mut map, file, &Options::default(), &mut diagnostics);
    let unit = analyze(ast, &map, &Options::default(), &mut diagnostics);
    let options = PrintOptions { line_directives: Some(&map) };
    expect![[r##"
        #line 1 "dir/\"odd\".c"
        int f(int x)
        {
        #line 4 "dir/\"odd\".c"
            x++;
        #line 4 "dir/\"odd\".c"
            x++;
            return x;
        }
    "##]]
    .assert_eq(&print_c_with(&unit, options));
}

#[test]
fn fragments_can_be_printed() {
    let text =
        "struct { int a; } s; int (*f(char *, double))[3]; int g(int x) { return -x * (x + 1); }";
    let unit = front_end(text.as_bytes(), DataModel::Lp64).expect("valid C");
    let f = unit.functions.values().next().expect("f");
    assert_eq!(print_type(&unit, f.ty, "f"), "int (*f(char *, double))[3]");
    assert_eq!(print_type(&unit, f.ty, ""), "int (*(char *, double))[3]");
    let s = unit.vars.values().next().expect("s");
    assert_eq!(print_type(&unit, s.ty, "s"), "struct <anonymous> s");
    let product = unit
        .exprs
        .iter()
        .find(|(_, e)| matches!(e.kind, ExprKind::Binary(vergo_cfront::hir::BinaryOp::Mul, ..)));
    assert_eq!(print_expr(&unit, product.expect("a product").0), "-x * (x + 1)");
    let g = unit.functions.keys().next_back().expect("g");
    assert_eq!(print_function(&unit, g), "int g(int x)\n{\n    return -x * (x + 1);\n}\n");
}

//! Which names are types: the part of the grammar that depends on declarations.

use crate::{messages, tree};

/// Returns the tree of a text without names and places.
fn shape(text: &str) -> String {
    tree(text)
        .lines()
        .map(|line| line.rsplit_once(' ').map_or(line, |(kept, _)| kept).to_owned() + "\n")
        .collect()
}

/// The kind of the last statement of a function in which `T` is a type of the file.
fn last_statement(body: &str) -> String {
    let text = format!("typedef int T; int v; void f(T p) {{ {body} }}");
    let tree = tree(&text);
    let line = tree.lines().rfind(|line| line.starts_with("    ") && !line.starts_with("     "));
    line.and_then(|line| line.trim().split(' ').next()).unwrap_or_default().to_owned()
}

#[test]
fn products_and_declarations() {
    assert_eq!(last_statement("T * x;"), "declaration");
    assert_eq!(last_statement("v * p;"), "expression");
    assert_eq!(last_statement("int T; T * v;"), "expression");
    assert_eq!(last_statement("{ int T; } T * x;"), "declaration");
    assert_eq!(last_statement("enum { T }; T * v;"), "expression");
    assert_eq!(last_statement("T T; T * v;"), "expression");
    assert_eq!(last_statement("for (int T = 0; ; ) ; T * x;"), "declaration");
    assert_eq!(last_statement("if (v) { int T; T * v; } T * x;"), "declaration");
    assert_eq!(last_statement("typedef char v; v * x;"), "declaration");
    assert_eq!(last_statement("void g(int T); T * x;"), "declaration");
    assert_eq!(last_statement("struct { int T; } s; T * x;"), "declaration");
    assert_eq!(last_statement("struct T { int a; }; T * x;"), "declaration");
    assert_eq!(last_statement("goto T; T: ; T * x;"), "declaration");
    assert_eq!(last_statement("int (T); T * v;"), "expression");
    assert_eq!(last_statement("T (x); x = 1;"), "expression");
    assert_eq!(last_statement("v = sizeof(enum { T }); T * v;"), "expression");
}

#[test]
fn calls_and_declarations() {
    assert_eq!(last_statement("T (x);"), "declaration");
    assert_eq!(last_statement("v (p);"), "expression");
    assert_eq!(last_statement("(T) p;"), "expression");
    assert_eq!(last_statement("(v) * p;"), "expression");
}

#[test]
fn casts_depend_on_names() {
    assert!(tree("typedef int T; int x = (T) - 1;").contains("cast"));
    assert!(tree("int T; int x = (T) - 1;").contains("binary -"));
    assert!(tree("typedef int T; int x = sizeof(T);").contains("sizeof"));
    assert!(tree("typedef int T; int f(int T) { return (T) - 1; }").contains("binary -"));
    assert!(tree("typedef int T; f(a, b) int a, b; { return (T) - 1; }").contains("cast"));
}

#[test]
fn parameters_and_types() {
    // A parenthesised name in a parameter is a type if it can be.
    let parameter = tree("typedef int T; int f(int (T));");
    assert!(parameter.contains("declarator (abstract)"), "{parameter}");
    let parameter = tree("int f(int (T));");
    assert!(parameter.contains("declarator T"), "{parameter}");
    // After a type, a name is what is declared.
    let parameter = tree("typedef int T; int f(unsigned T);");
    assert!(parameter.contains("declarator T"), "{parameter}");
    let parameter = tree("typedef int T; int f(const T);");
    assert!(parameter.contains("const typedef-name T"), "{parameter}");
    // A parameter hides the type for the rest of the list and in the body.
    assert!(messages("typedef int T; int f(T T, int a[sizeof(T)]) { return T; }").is_empty());
    assert!(!messages("typedef int T; int f(T T, T u);").is_empty());
}

#[test]
fn members_have_a_name_space_of_their_own() {
    assert!(messages("typedef int T; struct s { T T; T *p; }; T x;").is_empty());
    assert!(
        messages("typedef int T; int f(struct s *s) { return s->T + (*s).T; } T y;").is_empty()
    );
    assert!(messages("typedef struct T T; struct T { T *next; }; union U { T t; };").is_empty());
}

#[test]
fn a_name_is_declared_before_its_initialiser() {
    assert!(messages("typedef int T; void f(void) { int T = sizeof(T), *p = &T; }").is_empty());
    assert!(messages("typedef int T; enum { T1 = sizeof(T) }; T x;").is_empty());
}

#[test]
fn soft_keywords_give_way_to_declarations() {
    assert_eq!(shape("bool x;"), shape("_Bool x;"));
    assert_eq!(shape("thread_local int x;"), shape("_Thread_local int x;"));
    assert!(
        messages("typedef int bool; bool x; typedef enum { false, true } flag; flag y = true;")
            .is_empty()
    );
    assert!(tree("typedef enum { false, true } bool; int x = true;").contains("name true"));
    assert!(tree("int x = true;").contains("constant True"));
    assert!(
        messages(
            "int nullptr; int f(int alignas) { int constexpr = 1; return alignas + constexpr; }"
        )
        .is_empty()
    );
    assert!(messages("typedef __int128 __int128_t; __int128_t x;").is_empty());
    assert!(messages("typedef __builtin_va_list va_list; va_list v;").is_empty());
}

#[test]
fn shadowing_ends_with_the_scope() {
    let text = "typedef int T;
        void f(void) { { int T; { typedef char T; T a; } T = 1; } T b; }
        void g(int T) { T = 2; } T c;
        void h(void) { for (int T = 0; T; T++) T = 3; T d; while (1) { int T; T = 1; } T e; }
        void i(int (*T)(int T), int x) { T(x); } T j;";
    assert!(messages(text).is_empty(), "{}", messages(text));
}

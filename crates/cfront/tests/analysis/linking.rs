//! Several units as one.

use crate::{analysed, variable};
use expect_test::{Expect, expect};
use vergo_cfront::hir::{Definition, Linkage, Storage, Unit};
use vergo_cfront::target::DataModel;
use vergo_cfront::{Options, analyze, link, parse};
use vergo_source::{Diagnostics, Renderer, SourceMap};

fn linked(texts: &[&str]) -> (Unit, Diagnostics, SourceMap) {
    let mut sources = SourceMap::new();
    let mut diags = Diagnostics::new();
    let options = Options { model: DataModel::Lp64, ..Options::default() };
    let mut units = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let name = format!("{}.c", char::from(b'a' + index as u8));
        let file = sources.add(&name, *text).expect("tests are small");
        let ast = parse(&mut sources, file, &options, &mut diags);
        units.push(analyze(ast, &sources, &options, &mut diags));
    }
    let unit = link(units, &mut diags).expect("there are units");
    (unit, diags, sources)
}

fn messages(texts: &[&str], expected: Expect) {
    let (_, diags, sources) = linked(texts);
    let renderer = Renderer::plain();
    let text: String =
        diags.iter().map(|diagnostic| renderer.render(&sources, diagnostic) + "\n").collect();
    expected.assert_eq(&text);
}

fn accepted(texts: &[&str]) -> Unit {
    let (unit, diags, sources) = linked(texts);
    let renderer = Renderer::plain();
    let text: String =
        diags.iter().map(|diagnostic| renderer.render(&sources, diagnostic) + "\n").collect();
    assert!(text.is_empty(), "{text}");
    unit
}

#[test]
fn declarations_meet_definitions() {
    let unit = accepted(&[
        "struct s { int x; struct s *next; }; extern struct s head; int f(struct s *); int main(void) { return f(&head); }",
        "struct s { int x; struct s *next; }; struct s head = { 1, &head }; int f(struct s *p) { return p->x; }",
    ]);
    assert_eq!(unit.functions.len(), 2);
    assert!(unit.functions.values().all(|function| function.body.is_some()));
    assert_eq!(unit.types.records.len(), 1);
    let head = &unit.vars[variable(&unit, "head")];
    assert!(head.init.is_some());
    assert!(matches!(head.storage, Storage::Static { definition: Definition::Defined, .. }));
}

#[test]
fn internal_names_stay_apart() {
    let unit = accepted(&[
        "static int n = 1; static int get(void) { return n; } int a(void) { return get(); }",
        "static int n = 2; static int get(void) { return n; } int b(void) { return get(); }",
    ]);
    assert_eq!(unit.functions.len(), 4);
    let internal = |var: &&vergo_cfront::hir::Var| {
        matches!(var.storage, Storage::Static { linkage: Linkage::Internal, .. })
    };
    assert_eq!(unit.vars.values().filter(internal).count(), 2);
}

#[test]
fn common_weak_and_inline() {
    let unit = accepted(&[
        "int common; int array[]; extern int array[]; __attribute__((weak)) int w(void) { return 1; } inline int i(void) { return 1; }",
        "int common = 3; extern int array[7]; int w(void) { return 2; } extern inline int i(void); int use(void) { return w() + array[0] + common; }",
    ]
    .map(|text| text.replace("int array[]; ", ""))
    .each_ref()
    .map(String::as_str));
    assert!(unit.vars[variable(&unit, "common")].init.is_some());
    let w = unit
        .functions
        .values()
        .find(|function| unit.names.name(function.name) == "w")
        .expect("`w`");
    assert!(!w.weak && w.body.is_some());
}

#[test]
fn different_structures_of_one_tag_stay_apart() {
    let unit = accepted(&["struct s { int x; } a;", "struct s { long y; } b;"]);
    assert_eq!(unit.types.records.len(), 2);
}

#[test]
fn conflicts_are_reported() {
    messages(
        &["int f(void) { return 1; } int v = 1;", "int f(void) { return 2; } int v = 2;"],
        expect![[r#"
            error[C0301]: `v` is defined in several files
             --> b.c:1:31
              |
            1 | int f(void) { return 2; } int v = 2;
              |                               ^
              |
             ::: a.c:1:31
              |
            1 | int f(void) { return 1; } int v = 1;
              |                               - the first definition is here
            error[C0301]: `f` is defined in several files
             --> b.c:1:5
              |
            1 | int f(void) { return 2; } int v = 2;
              |     ^
              |
             ::: a.c:1:5
              |
            1 | int f(void) { return 1; } int v = 1;
              |     - the first definition is here
        "#]],
    );
    messages(
        &[
            "int f(int x) { return x; } int v;",
            "int f(char *); double v; int use(void) { return f(0); }",
        ],
        expect![[r#"
            warning[C0302]: `v` is declared with different types in different files
             --> b.c:1:23
              |
            1 | int f(char *); double v; int use(void) { return f(0); }
              |                       ^ here `double`
              |
             ::: a.c:1:32
              |
            1 | int f(int x) { return x; } int v;
              |                                - here `int`
            warning[C0302]: `f` is declared with different types in different files
             --> b.c:1:5
              |
            1 | int f(char *); double v; int use(void) { return f(0); }
              |     ^ here `int (char *)`
              |
             ::: a.c:1:5
              |
            1 | int f(int x) { return x; } int v;
              |     - here `int (int)`
        "#]],
    );
    messages(
        &["int f(void) { return 1; }", "int f = 3;"],
        expect![[r#"
        error[C0302]: `f` is a function in one file and a variable in another
         --> b.c:1:5
          |
        1 | int f = 3;
          |     ^
          |
         ::: a.c:1:5
          |
        1 | int f(void) { return 1; }
          |     - declared here
    "#]],
    );
}

#[test]
fn one_unit_is_itself() {
    let one = analysed(DataModel::Lp64, b"int main(void) { return 0; }");
    let mut diags = Diagnostics::new();
    let unit = link(vec![one.unit], &mut diags).expect("a unit");
    assert_eq!(unit.functions.len(), 1);
    assert!(link(Vec::new(), &mut diags).is_none());
}

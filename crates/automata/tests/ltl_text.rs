//! The text of formulas, what is said about mistakes in them, and the automata and programs that are made of them.

mod support;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use vergo_automata::ltl::formula::{Formula, Meaning, Node, NodeId};
use vergo_automata::ltl::{Part, encode, parse};
use vergo_automata::{check, weave};
use vergo_cfront::Options;
use vergo_source::{Diagnostics, Renderer, SourceMap};

fn read(
    map: &mut SourceMap,
    diags: &mut Diagnostics,
    text: &str,
    defines: &[&str],
) -> Option<Formula> {
    let definitions: Vec<_> =
        defines.iter().map(|define| map.add("<define>", *define).expect("a small file")).collect();
    let file = map.add("<spec>", text).expect("a small file");
    parse(map, file, &definitions, diags)
}

/// A formula with all its parentheses.
fn shown(formula: &Formula, node: NodeId) -> String {
    let part = |node| shown(formula, node);
    match formula.nodes[node] {
        Node::Constant(value) => value.to_string(),
        Node::Atom(atom) => match &formula.atoms[atom].meaning {
            Meaning::Condition(text) => format!("[{text}]"),
            Meaning::Call(name) => format!("call {name}"),
            Meaning::Return(name) => format!("return {name}"),
        },
        Node::Not(a) => format!("!{}", part(a)),
        Node::And(a, b) => format!("({} && {})", part(a), part(b)),
        Node::Or(a, b) => format!("({} || {})", part(a), part(b)),
        Node::Implies(a, b) => format!("({} -> {})", part(a), part(b)),
        Node::Iff(a, b) => format!("({} <-> {})", part(a), part(b)),
        Node::Next(a) => format!("X{}", part(a)),
        Node::Finally(a) => format!("F{}", part(a)),
        Node::Globally(a) => format!("G{}", part(a)),
        Node::Until(a, b) => format!("({} U {})", part(a), part(b)),
        Node::WeakUntil(a, b) => format!("({} W {})", part(a), part(b)),
        Node::Release(a, b) => format!("({} R {})", part(a), part(b)),
        Node::StrongRelease(a, b) => format!("({} M {})", part(a), part(b)),
    }
}

fn parsed(text: &str) -> String {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    match read(&mut map, &mut diags, text, &["req=x == 1"]) {
        Some(formula) => shown(&formula, formula.root),
        None => panic!("{text}\n{}", Renderer::plain().render_all(&map, &diags)),
    }
}

#[test]
fn operators_and_their_precedence() {
    for (text, expected) in [
        ("G(req -> F ack)", "G([x == 1] -> F[ack])"),
        ("[](a -> <>b)", "G([a] -> F[b])"),
        ("a -> b -> c", "([a] -> ([b] -> [c]))"),
        ("a || b && c U d", "([a] || ([b] && ([c] U [d])))"),
        ("a U b W c", "([a] U ([b] W [c]))"),
        ("a R b M c", "([a] R ([b] M [c]))"),
        ("!a U b", "(![a] U [b])"),
        ("GF p", "GF[p]"),
        ("GF > 3", "[GF > 3]"),
        ("FG(p)", "FG[p]"),
        ("a <-> b <=> c", "(([a] <-> [b]) <-> [c])"),
        ("a ==> b /\\ c \\/ d", "([a] -> (([b] && [c]) || [d]))"),
        ("true U false", "(true U false)"),
        ("G 1", "Gtrue"),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

#[test]
fn conditions() {
    for (text, expected) in [
        ("G x > 0", "G[x > 0]"),
        ("G(x > 0 -> F y == 1)", "G([x > 0] -> F[y == 1])"),
        ("G ((x + 1) * 2 < y)", "G[(x + 1) * 2 < y]"),
        ("(int)x == 3 U y", "([(int)x == 3] U [y])"),
        ("F \"a->b == 1\"", "F[a->b == 1]"),
        ("F AP(x > 0 && y)", "F[x > 0 && y]"),
        ("G a[3] != 'x'", "G[a[3] != 'x']"),
        ("G s.f & 1", "G[s.f & 1]"),
        ("-x < 3", "[-x < 3]"),
        ("call(f) R !call(g())", "(call f R !call g)"),
        ("G !return(f)", "G!return f"),
        ("CHECK( init(main()), LTL(G x == 0) )", "G[x == 0]"),
        ("CHECK(init(main()),LTL(G(x==0)))", "G[x==0]"),
        (
            "// a comment\nprop go = x > 0; /* and */ prop end = x < 0;\n# more\nG(go -> F end)",
            "G([x > 0] -> F[x < 0])",
        ),
        ("!(x == 1)", "![x == 1]"),
        ("!\"x == 1\"", "![x == 1]"),
    ] {
        assert_eq!(parsed(text), expected, "{text}");
    }
}

fn complains(text: &str, expected: Expect) {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    assert!(read(&mut map, &mut diags, text, &[]).is_none(), "{text}");
    expected.assert_eq(&Renderer::plain().render_all(&map, &diags));
}

#[test]
fn mistakes_are_shown_where_they_are() {
    complains(
        "G(a -> F b",
        expect![[r#"
        error[A0012]: expected an operator or `)`, found the end
         --> <spec>:1:11
          |
        1 | G(a -> F b
          |  -        ^
          |  |
          |  this parenthesis is open

    "#]],
    );
    complains(
        "G a b",
        expect![[r#"
        error[A0012]: expected an operator such as `&&`, `->` or `U`, found `b`
         --> <spec>:1:5
          |
        1 | G a b
          |     ^

    "#]],
    );
    complains(
        "a U",
        expect![[r#"
        error[A0012]: expected a formula, found the end
         --> <spec>:1:4
          |
        1 | a U
          |    ^

    "#]],
    );
    complains(
        "X p",
        expect![[r#"
        error[A0013]: `X` has no meaning for programs: how many steps they take is not fixed
         --> <spec>:1:1
          |
        1 | X p
          | ^
          |
          = help: say what happens in between with `U` or `W`, or use `F`

    "#]],
    );
    complains(
        "G !x == 1",
        expect![[r#"
        error[A0012]: it is not clear what is negated in `!x == 1`
         --> <spec>:1:3
          |
        1 | G !x == 1
          |   ^^^^^^^
          |
          = help: write `!(x == 1)`, or `"!x == 1"` for what it is in C

    "#]],
    );
    complains(
        "G x = 1",
        expect![[r#"
        error[A0012]: a condition does not assign
         --> <spec>:1:5
          |
        1 | G x = 1
          |     ^
          |
          = help: compare with `==`

    "#]],
    );
    complains(
        "G \"x > 0",
        expect![[r#"
        error[A0012]: this quote is not closed
         --> <spec>:1:3
          |
        1 | G "x > 0
          |   ^

    "#]],
    );
    complains(
        "",
        expect![[r#"
        error[A0012]: expected a formula, found the end
         --> <spec>:1:1
          |
        1 |
          | ^

    "#]],
    );
    complains(
        "G",
        expect![[r#"
        error[A0012]: `G` is an operator, and needs a formula behind it
         --> <spec>:1:1
          |
        1 | G
          | ^
          |
          = help: a variable of this name is written `"G"`

    "#]],
    );
    complains(
        "call(f, 1)",
        expect![[r#"
        error[A0012]: `call` takes the name of a function
         --> <spec>:1:6
          |
        1 | call(f, 1)
          |      ^^^^

    "#]],
    );
    complains(
        "prop a = x; prop a = y; G a",
        expect![[r#"
        error[A0003]: the condition `a` is defined twice
         --> <spec>:1:18
          |
        1 | prop a = x; prop a = y; G a
          |      -           ^
          |      |
          |      the first definition

    "#]],
    );
    complains(
        "G é",
        expect![[r#"
        error[A0012]: this character has no meaning in a formula
         --> <spec>:1:3
          |
        1 | G é
          |   ^

    "#]],
    );
}

#[test]
fn deep_formulas_are_rejected_and_long_ones_are_not() {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    for text in
        ["(".repeat(100_000), "!".repeat(100_000), "a -> ".repeat(100_000), "F ".repeat(9999)]
    {
        assert!(read(&mut map, &mut diags, &text, &[]).is_none());
    }
    let long = "a && ".repeat(20_000) + "a";
    let formula = read(&mut map, &mut Diagnostics::new(), &long, &[]).expect("a formula");
    assert!(encode(&formula, Part::Whole).is_ok());
}

#[test]
fn too_large_automata_are_not_made() {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let parts: Vec<String> = (0..14).map(|i| format!("(F a{i} U G b{i})")).collect();
    let formula = read(&mut map, &mut diags, &parts.join(" || "), &[]).expect("a formula");
    let diagnostic = encode(&formula, Part::Whole).expect_err("too large");
    assert_eq!(diagnostic.message, "the automaton of this formula would be too large");
}

fn transformed(spec: &str, defines: &[&str], program: &str) -> (Option<String>, String) {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let formula = read(&mut map, &mut diags, spec, defines).expect(spec);
    let automaton = encode(&formula, Part::Whole).expect("small").expect("an automaton");
    assert!(check(&automaton, &mut map, &mut diags));
    let file = map.add("program.c", program).expect("a small file");
    let woven = weave(&automaton, &mut map, file, &Options::default(), &mut diags);
    let text = woven.map(|woven| String::from_utf8(woven.text).expect("text"));
    (text, Renderer::plain().render_all(&map, &diags))
}

const PROGRAM: &str = "\
int req, ack, seen[2];
static int next(void) { return req++; }
int main(void) {
    int *p = &ack;
    while (next()) {
        *p = seen[1] = 1;
        for (int req = 0; req < 2; req++)
            ;
    }
    return 0;
}
";

#[test]
fn a_safety_formula_is_a_deterministic_monitor() {
    let (text, messages) = transformed("!ack W (req > 0)", &[], PROGRAM);
    assert_eq!(messages, "");
    expect![[r#"
        /* instrumented for ltl */
        extern void abort(void);
        void reach_error(void) { abort(); }
        static int vergo_now = 0;
        static int vergo_is_ack(void);
        static int vergo_is_p2(void);
        static void vergo_ltl_change(void) { if (vergo_now == 0) { if (!vergo_is_p2() && vergo_is_ack()) reach_error(); if (vergo_is_p2()) vergo_now = 1; } }
        # 1 "program.c"
        int req, ack, seen[2];
        static int next(void) { int vergo_t1; return (vergo_t1 = (req++), vergo_ltl_change(), vergo_t1); }
        int main(void) { vergo_ltl_change();
            int *p = &ack;
            while (next()) {
                (*p = seen[1] = 1, vergo_ltl_change());
                for (int req = 0; req < 2; req++)
                    ;
            }
            return 0;
        }
        # 1 "<conditions>"
        static int vergo_is_ack(void) { return (ack) ? 1 : 0; }
        static int vergo_is_p2(void) { return (req > 0) ? 1 : 0; }
    "#]].assert_eq(&text.expect("a program"));
}

#[test]
fn a_response_is_a_guess_and_a_recurrence() {
    let (text, messages) = transformed("G(go -> F seen[1] == 0)", &["go=req == 1"], PROGRAM);
    assert_eq!(messages, "");
    expect![[r#"
        /* instrumented for ltl */
        extern void abort(void);
        void reach_error(void) { abort(); }
        extern int __VERIFIER_nondet_int(void);
        static int vergo_run = 0;
        static int vergo_busy = 0;
        static int vergo_is_go(void);
        static int vergo_is_p2(void);
        static void vergo_ltl_change(void) { if (vergo_run == 0) { if (vergo_is_go() && !vergo_is_p2() && __VERIFIER_nondet_int()) { vergo_run = 1; } } else if (vergo_run == 1) { if (vergo_is_p2()) vergo_run = -1; } }
        static void vergo_ltl_end(void) { if (vergo_run == 0 && (!vergo_is_p2() && vergo_is_go())) reach_error(); if (vergo_run == 1 && !vergo_is_p2()) reach_error(); }
        static int vergo_ltl_return(int x) { vergo_ltl_end(); return x; }
        # 1 "program.c"
        int req, ack, seen[2];
        static int next(void) { int vergo_t1; return (vergo_t1 = (req++), vergo_ltl_change(), vergo_t1); }
        int main(void) { int vergo_t2; vergo_ltl_change();
            int *p = &ack;
            { int vergo_saved_2 = 0; int vergo_copy1_2; int vergo_copy2_2; int vergo_copy3_2[2]; while (next()) { vergo_ltl_change(); if (vergo_saved_2) { if (vergo_run == 1 && (req == vergo_copy1_2 && ack == vergo_copy2_2 && seen[0] == vergo_copy3_2[0] && seen[1] == vergo_copy3_2[1])) reach_error(); } else if (!vergo_busy && vergo_run == 1 && __VERIFIER_nondet_int()) { vergo_saved_2 = 1; vergo_busy = 1; { vergo_copy1_2 = req; vergo_copy2_2 = ack; for (unsigned long vergo_k0 = 0; vergo_k0 < 2; vergo_k0++) vergo_copy3_2[vergo_k0] = seen[vergo_k0]; }; }
                *p = (vergo_t2 = (seen[1] = 1), vergo_ltl_change(), vergo_t2);
                { int vergo_saved_1 = 0; int vergo_copy1_1; for (int req = 0; req < 2; req++)
                    { vergo_ltl_change(); if (vergo_saved_1) { if (vergo_run == 1 && (req == vergo_copy1_1)) reach_error(); } else if (!vergo_busy && vergo_run == 1 && __VERIFIER_nondet_int()) { vergo_saved_1 = 1; vergo_busy = 1; { vergo_copy1_1 = req; }; } ; } }
            } }
            return vergo_ltl_return((0));
        }
        # 1 "<conditions>"
        static int vergo_is_go(void) { return (req == 1) ? 1 : 0; }
        static int vergo_is_p2(void) { return (seen[1] == 0) ? 1 : 0; }
    "#]].assert_eq(&text.expect("a program"));
}

#[test]
fn automata_of_formulas_are_text_that_is_read_again() {
    for (spec, expected) in [
        (
            "G(req -> F ack)",
            expect![[r#"
            automaton ltl "G(req -> F ack)" per loop {
                prop req = req;
                prop ack = ack;
                shared var int run = 0;
                shared var int busy = 0;
                var int saved = 0;

                state watching;
                state head: loop_head;
                state ending: end;
                start watching, head, ending;

                watching -> watching on change after {
                    if (run == 0) {
                        if (req && !ack && nondet()) { run = 1; }
                    }
                    else if (run == 1) {
                        if (ack) run = -1;
                    }
                }

                head -> head on any before {
                    if (saved) { assert(!(run == 1 && $same)); }
                    else if (!busy && run == 1 && nondet()) { saved = 1; busy = 1; $save; }
                }

                ending -> ending on any before {
                    assert(!(run == 0 && (!ack && req)));
                    assert(!(run == 1 && !ack));
                }
            }
        "#]],
        ),
        (
            "GF a && GF b",
            expect![[r#"
            automaton ltl "GF a && GF b" per loop {
                prop a = a;
                prop b = b;
                shared var int run = 0;
                shared var int from = 0;
                shared var int busy = 0;
                var int saved = 0;

                state watching;
                state head: loop_head;
                state ending: end;
                start watching, head, ending;

                watching -> watching on change after {
                    if (run == 0) {
                        if (!a && nondet()) { run = 1; }
                        else if (!b && nondet()) { run = 2; }
                    }
                    else if (run == 1) {
                        if (a) run = -1;
                    }
                    else if (run == 2) {
                        if (b) run = -1;
                    }
                }

                head -> head on any before {
                    if (saved) { assert(!(run == from && $same)); }
                    else if (!busy && (run == 1 || run == 2) && nondet()) { saved = 1; busy = 1; from = run; $save; }
                }

                ending -> ending on any before {
                    assert(!(run == 0 && (!a || !b)));
                    assert(!(run == 1 && !a));
                    assert(!(run == 2 && !b));
                }
            }
        "#]],
        ),
        (
            "G(call(lock) -> call(lock) W (!call(lock) W return(unlock)))",
            expect![[r#"
            automaton ltl "G(call(lock) -> call(lock) W (!call(lock) W return(unlock)))" {
                var int now = 0;
                var int call_lock = 0;
                var int return_unlock = 0;

                state watching;

                watching -> watching on change after {
                    if (now == 0) {
                        if (call_lock && !return_unlock) now = 1;
                    }
                    else if (now == 1) {
                        if (return_unlock) now = 0;
                        else if (!return_unlock && !call_lock) now = 2;
                    }
                    else if (now == 2) {
                        assert(!(!return_unlock && call_lock));
                        if (return_unlock) now = 0;
                    }
                }

                watching -> watching on lock(...) before {
                    call_lock = 1;
                    if (now == 0) {
                        if (call_lock && !return_unlock) now = 1;
                    }
                    else if (now == 1) {
                        if (return_unlock) now = 0;
                        else if (!return_unlock && !call_lock) now = 2;
                    }
                    else if (now == 2) {
                        assert(!(!return_unlock && call_lock));
                        if (return_unlock) now = 0;
                    }
                    call_lock = 0;
                    if (now == 0) {
                        if (call_lock && !return_unlock) now = 1;
                    }
                    else if (now == 1) {
                        if (return_unlock) now = 0;
                        else if (!return_unlock && !call_lock) now = 2;
                    }
                    else if (now == 2) {
                        assert(!(!return_unlock && call_lock));
                        if (return_unlock) now = 0;
                    }
                }

                watching -> watching on unlock(...) after {
                    return_unlock = 1;
                    if (now == 0) {
                        if (call_lock && !return_unlock) now = 1;
                    }
                    else if (now == 1) {
                        if (return_unlock) now = 0;
                        else if (!return_unlock && !call_lock) now = 2;
                    }
                    else if (now == 2) {
                        assert(!(!return_unlock && call_lock));
                        if (return_unlock) now = 0;
                    }
                    return_unlock = 0;
                    if (now == 0) {
                        if (call_lock && !return_unlock) now = 1;
                    }
                    else if (now == 1) {
                        if (return_unlock) now = 0;
                        else if (!return_unlock && !call_lock) now = 2;
                    }
                    else if (now == 2) {
                        assert(!(!return_unlock && call_lock));
                        if (return_unlock) now = 0;
                    }
                }
            }
        "#]],
        ),
    ] {
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let formula = read(&mut map, &mut diags, spec, &[]).expect(spec);
        let automaton = encode(&formula, Part::Whole).expect("small").expect("an automaton");
        let text = automaton.to_string();
        expected.assert_eq(&text);
        let again = support::load(&mut map, &mut diags, &text).expect("an automaton");
        assert_eq!(again.to_string(), text);
        assert!(diags.is_empty());
    }
}

#[test]
fn conditions_that_cannot_be_watched() {
    const NAMES: &str = "int x, y, a[3]; int *p; volatile int v; struct s { int f; } s;\n\
                         int f(void);\nint main(void) { int local = x; return local; }\n";
    for (spec, expected) in [
        (
            "G nonsense > 0",
            expect![[r#"
            error[A0011]: `nonsense` is neither a named condition nor a global variable
             --> <spec>:1:3
              |
            1 | G nonsense > 0
              |   ^^^^^^^^
              |
              = help: define it: `--define nonsense='x == 1'`, with a condition in C

        "#]],
        ),
        (
            "G local > 0",
            expect![[r#"
            error[A0011]: `local` is neither a named condition nor a global variable
             --> <spec>:1:3
              |
            1 | G local > 0
              |   ^^^^^
              |
             ::: program.c:3:22
              |
            3 | int main(void) { int local = x; return local; }
              |                      ----- this variable belongs to a function
              |
              = help: conditions read variables at file scope; copy its value into one

        "#]],
        ),
        (
            "G s",
            expect![[r#"
            error[C0259]: a number or pointer is needed here, not `struct s`
             --> <spec>:1:3
              |
            1 | G s
              |   ^

        "#]],
        ),
        (
            "G \"x++\"",
            expect![[r#"
            error[A0010]: a condition must not change anything
             --> <spec>:1:4
              |
            1 | G "x++"
              |    ^^^

        "#]],
        ),
        (
            "G f() == 1",
            expect![[r#"
            error[A0010]: a condition must not call functions
             --> <spec>:1:3
              |
            1 | G f() == 1
              |   ^^^

        "#]],
        ),
        (
            "G *p == 1",
            expect![[r#"
            error[A0010]: a condition must not read through a pointer
             --> <spec>:1:3
              |
            1 | G *p == 1
              |   ^^

        "#]],
        ),
        (
            "G a[x] == 1",
            expect![[r#"
            error[A0010]: the index in a condition has to be constant
             --> <spec>:1:5
              |
            1 | G a[x] == 1
              |     ^

        "#]],
        ),
        (
            "G x / y == 1",
            expect![[r#"
            error[A0010]: the divisor in a condition has to be a constant, not zero
             --> <spec>:1:7
              |
            1 | G x / y == 1
              |       ^

        "#]],
        ),
        (
            "G v",
            expect![[r#"
            error[A0010]: a condition cannot watch a volatile variable
             --> <spec>:1:3
              |
            1 | G v
              |   ^

        "#]],
        ),
        (
            "G x + == 1",
            expect![[r#"
            error[C0113]: expected an expression, found `==`
             --> <spec>:1:7
              |
            1 | G x + == 1
              |       ^^

        "#]],
        ),
        (
            "G s.g",
            expect![[r#"
            error[C0207]: `struct s` has no member `g`
             --> <spec>:1:3
              |
            1 | G s.g
              |   ^^^

        "#]],
        ),
    ] {
        let (text, messages) = transformed(spec, &[], NAMES);
        assert!(text.is_none(), "{spec}");
        expected.assert_eq(&messages);
    }
}

#[test]
fn programs_that_cannot_be_watched() {
    for (program, expected) in [
        (
            "int x; __attribute__((constructor)) void f(void) { x = 1; }\nint main(void) { return 0; }\n",
            "before `main`",
        ),
        ("int x; int g(void) { return 0; }\n", "there is no `main`"),
        (
            "int x; int pthread_create(int *);\nint main(void) { int t; return pthread_create(&t); }\n",
            "other threads",
        ),
        ("int x; int main(void) { __asm__(\"\" : \"=r\"(x)); return 0; }\n", "assembly"),
    ] {
        let (text, messages) = transformed("G x == 0", &[], program);
        assert!(text.is_none() && messages.contains(expected), "{program}\n{messages}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever the text, there is a formula or a mistake with a place in it.
    #[test]
    fn any_text_is_a_formula_or_has_a_mistake(
        words in proptest::collection::vec(proptest::sample::select(WORDS), 0..24),
    ) {
        let text = words.join(" ");
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let file = map.add("<spec>", text.as_str()).expect("a small file");
        match parse(&map, file, &[], &mut diags) {
            Some(formula) => {
                if let Ok(Some(automaton)) = encode(&formula, Part::Whole) {
                    let _ = check(&automaton, &mut map, &mut diags);
                }
            }
            None => {
                prop_assert_eq!(diags.error_count(), 1);
                let span = map.file_span(file);
                prop_assert!(diags.iter().all(|diagnostic| span.contains(diagnostic.primary)));
            }
        }
    }
}

/// The words that random texts are made of.
const WORDS: &[&str] = &[
    "G", "F", "X", "U", "W", "R", "M", "GF", "[]", "<>", "!", "&&", "||", "->", "<->", "(", ")",
    "x", "y", "x > 0", "\"z\"", "'c'", "AP", "call", "return", "1", "true", "==", "=", ";", "prop",
    "[", "]", "-", "*", "\"", "#\n", "/*", "CHECK", "LTL", ",", "{", "}", "é", "f()",
];

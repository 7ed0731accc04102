//! Small GOTO programs whose claims are known to hold or to fail.

use vergo_goto::text;
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_symex::{ObligationKind, Options, execute, parse_loop_bounds};
use vergo_term::TermStore;

/// Executes a program and says for each claim (by description) and each cut loop whether it can be violated.
fn check(unwind: u32, source: &str) -> Vec<(String, bool)> {
    let program = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    let mut store = TermStore::new();
    let options = Options { max_steps: 1_000_000, ..Options::bounded(unwind, 3) };
    let trace = execute(&program, &mut store, &options);
    assert_eq!(trace.cut_short, None);
    let mut solver = Solver::new(SolverOptions::default());
    for &constraint in &trace.constraints {
        solver.assert(constraint);
    }
    let mut results = Vec::new();
    for obligation in &trace.obligations {
        let violated = match solver.check(&store, &[obligation.violation], &Budget::default()) {
            Answer::Sat => true,
            Answer::Unsat => false,
            Answer::Unknown(reason) => panic!("{reason:?}"),
        };
        let name = match &obligation.kind {
            ObligationKind::Claim(claim) => claim.description.clone(),
            ObligationKind::Unwinding => "unwinding".to_owned(),
            ObligationKind::OwnBound => "own bound".to_owned(),
            ObligationKind::Recursion => "recursion".to_owned(),
            ObligationKind::Unsupported(what) => format!("unsupported: {what}"),
        };
        match results.iter_mut().find(|(other, _)| *other == name) {
            Some((_, any)) => *any |= violated,
            None => results.push((name, violated)),
        }
    }
    results
}

fn main_with(locals: &str, body: &str) -> String {
    format!(
        "machine 64 x87 16 wide 8; sites 9; entry main;
         struct point size 8 align 4 {{ x: i32 @0; y: i32 @4; }}
         struct node size 16 align 8 {{ value: i32 @0; next: struct node* @8; }}
         static table: i32[100] align 4 = {{ @0: 7i32; @396: 9i32; }};
         function main: fn() -> void labels 9 {{ {locals} {body} }}"
    )
}

fn expect(unwind: u32, locals: &str, body: &str, wanted: &[(&str, bool)]) {
    let found = check(unwind, &main_with(locals, body));
    let found: Vec<(&str, bool)> =
        found.iter().map(|(name, violated)| (name.as_str(), *violated)).collect();
    assert_eq!(found, wanted, "{body}");
}

#[test]
fn inputs_and_assumptions() {
    expect(
        1,
        "local x: i32 align 4;",
        "decl x; x := #nondet<i32>(0); assume x > 3i32;
         assert x > 2i32 \"p\" \"holds\"; assert x > 4i32 \"p\" \"fails\"; return;",
        &[("holds", false), ("fails", true)],
    );
}

#[test]
fn branches_merge() {
    expect(
        1,
        "local x: i32 align 4; local y: i32 align 4;",
        "decl x; decl y; x := #nondet<i32>(0); if x < 0i32 goto L0; y := x; goto L1; L0: y := -x; L1:
         assert y >= 0i32 || x == -2147483648i32 \"p\" \"absolute\"; assert y >= 0i32 \"p\" \"always\"; return;",
        &[("absolute", false), ("always", true)],
    );
}

#[test]
fn constant_loops_need_no_bound_and_others_do() {
    let count = "decl i; i := 0i32; L0: if !(i < 20i32) goto L1; i := i + 1i32; goto L0; L1:
         assert i == 20i32 \"p\" \"end\"; return;";
    expect(1, "local i: i32 align 4;", count, &[("end", false)]);
    let open = "decl i; decl n; n := #nondet<i32>(0); assume 0i32 <= n && n < 4i32; i := 0i32;
         L0: if !(i < n) goto L1; i := i + 1i32; goto L0; L1: assert i != 3i32 \"p\" \"three\"; return;";
    let locals = "local i: i32 align 4; local n: i32 align 4;";
    expect(2, locals, open, &[("unwinding", true), ("three", false)]);
    expect(4, locals, open, &[("unwinding", false), ("three", true)]);
}

#[test]
fn arrays_at_unknown_indices() {
    expect(
        1,
        "local i: i32 align 4; local j: i32 align 4;",
        "decl i; decl j; i := #nondet<i32>(0); j := #nondet<i32>(1); assume 0i32 <= i && i < 100i32;
         assume 0i32 <= j && j < 100i32; table[i] := 5i32;
         assert table[i] == 5i32 \"p\" \"written\";
         assert i == j || table[j] == 0i32 || j == 0i32 || j == 99i32 \"p\" \"others\";
         assert table[0i32] == 7i32 \"p\" \"first\"; assert table[0i32] == 7i32 || i == 0i32 \"p\" \"first unless\";
         return;",
        &[("written", false), ("others", false), ("first", true), ("first unless", false)],
    );
}

#[test]
fn arrays_of_structures() {
    expect(
        1,
        "local a: struct point[10] align 4; local i: u32 align 4; local p: struct point* align 8;
         local q: struct point align 4;",
        "decl a; decl i; decl p; decl q; i := #nondet<u32>(0); assume i < 10u32; p := &a[i];
         p->x := 1i32; p->y := 2i32; assert a[i].x == 1i32 \"p\" \"x\"; assert a[i].y == 1i32 \"p\" \"y\";
         q := a[i]; assert q.x + q.y == 3i32 \"p\" \"copy\"; q.x := 8i32; a[i] := q;
         assert p->x == 8i32 \"p\" \"back\"; return;",
        &[("x", false), ("y", true), ("copy", false), ("back", false)],
    );
}

#[test]
fn pointers_choose_among_objects() {
    expect(
        1,
        "local a: i32 align 4; local b: i32 align 4; local p: i32* align 8; local i: i32 align 4;",
        "decl a; decl b; decl p; decl i; a := 1i32; b := 2i32; p := &a; i := #nondet<i32>(0);
         if i == 0i32 goto L0; p := &b; L0:
         *p := 9i32; assert a + b == 10i32 || a + b == 11i32 \"p\" \"one of them\"; assert a == 9i32 \"p\" \"a\";
         assert #is_live(p) \"p\" \"alive\"; dead b; assert #is_live(p) \"p\" \"still alive\"; return;",
        &[("one of them", false), ("a", true), ("alive", false), ("still alive", true)],
    );
}

#[test]
fn heap_lists() {
    // Three nodes in front of each other; the sum over the list is known.
    expect(
        1,
        "local head: struct node* align 8; local p: struct node* align 8; local i: i32 align 4;
         local sum: i32 align 4; local x: i32 align 4;",
        "decl head; decl p; decl i; decl sum; decl x; head := #null<struct node*>; i := 0i32;
         L0: if i == 3i32 goto L1; p := alloc(16u64) align 16 heap; p->next := head; x := #nondet<i32>(0);
         assume 0i32 <= x && x <= 5i32; p->value := x; head := p; i := i + 1i32; goto L0;
         L1: sum := 0i32; p := head;
         L2: if p == #null<struct node*> goto L3; sum := sum + p->value; p := p->next; goto L2;
         L3: assert sum <= 15i32 \"p\" \"sum\"; assert sum != 14i32 \"p\" \"fourteen\";
         assert #heap_reachable() \"p\" \"reachable\"; assert #heap_empty() \"p\" \"empty\";
         head := #null<struct node*>; assert #heap_reachable() \"p\" \"lost\"; return;",
        &[("sum", false), ("fourteen", true), ("reachable", false), ("empty", true), ("lost", true)],
    );
}

#[test]
fn bytes_of_words_and_unions() {
    expect(
        1,
        "local x: u32 align 4; local p: u8* align 8; local q: u8** align 8;",
        "decl x; decl p; decl q; x := #nondet<u32>(0); p := (u8*)&x; *(p + 1u64) := 171u8;
         assert (x & 65280u32) == 43776u32 \"p\" \"byte\"; assert (u32)(*p) == (x & 255u32) \"p\" \"low\";
         q := &p; assert **q == *p \"p\" \"twice\"; return;",
        &[("byte", false), ("low", false), ("twice", false)],
    );
}

#[test]
fn words_and_bytes_of_unwritten_memory_agree() {
    expect(
        1,
        "local x: u32 align 4; local y: u32 align 4; local p: u8* align 8;",
        "decl x; decl y; decl p; p := (u8*)&x; assert (u32)(*p) == (x & 255u32) \"p\" \"low byte\";
         assert x == 7u32 \"p\" \"any value\"; y := x; assert x == y \"p\" \"stays\"; return;",
        &[("low byte", false), ("any value", true), ("stays", false)],
    );
}

#[test]
fn bytes_of_arrays_at_unknown_places() {
    // The second byte of each word, reached through a pointer to bytes; then a word across two elements.
    expect(
        1,
        "local a: u32[40] align 4; local i: u64 align 8; local p: u8* align 8; local q: u32* align 8;",
        "decl a; decl i; decl p; decl q; i := #nondet<u64>(0); assume i < 40u64; a[i] := 287454020u32;
         p := (u8*)&a[0u64]; assert *(p + i * 4u64 + 1u64) == 51u8 \"p\" \"second byte\";
         *(p + i * 4u64 + 3u64) := 0u8; assert a[i] == 2241348u32 \"p\" \"cleared\";
         assume i < 39u64; a[i + 1u64] := 5u32; q := (u32*)(p + i * 4u64 + 2u64);
         assert *q == 327714u32 \"p\" \"across\"; assert *q == 0u32 \"p\" \"wrong\"; return;",
        &[("second byte", false), ("cleared", false), ("across", false), ("wrong", true)],
    );
}

#[test]
fn structures_at_unknown_offsets() {
    // A pointer to the first or second member, chosen by an input.
    expect(
        1,
        "local s: struct point align 4; local p: i32* align 8; local i: i32 align 4;",
        "decl s; decl p; decl i; s.x := 1i32; s.y := 2i32; i := #nondet<i32>(0); p := &s.x;
         if i == 0i32 goto L0; p := &s.y; L0: assert *p == 1i32 || i != 0i32 \"p\" \"first\";
         *p := 9i32; assert s.x + s.y == 11i32 || s.x + s.y == 10i32 \"p\" \"one written\";
         assert s.x == 9i32 \"p\" \"which\"; return;",
        &[("first", false), ("one written", false), ("which", true)],
    );
}

#[test]
fn faults_come_before_what_they_lead_to() {
    let source = main_with(
        "local x: i32 align 4; local p: i32* align 8; local i: u64 align 8;",
        "decl x; decl p; decl i; i := #nondet<u64>(0); x := table[i]; assert x == 0i32 \"p\" \"inside\"; return;",
    );
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let mut store = TermStore::new();
    let trace = execute(&program, &mut store, &Options::bounded(1, 1));
    assert_eq!(trace.faults.iter().map(|fault| fault.what).collect::<Vec<_>>(), ["memory.bounds"]);
    let mut solver = Solver::new(SolverOptions::default());
    let claim = &trace.obligations[0];
    let length = store.bv_u64(64, 100);
    let index = store.var("input!0!1", vergo_term::Sort::BitVec(64));
    let inside = store.bv_ult(index, length);
    let outside = store.not(inside);
    // Outside of the array any value can be read, but no such execution can be replayed.
    let budget = Budget::default();
    assert_eq!(solver.check(&store, &[claim.violation, outside], &budget), Answer::Sat);
    assert_eq!(solver.check(&store, &[claim.replayable, outside], &budget), Answer::Unsat);
    assert_eq!(solver.check(&store, &[claim.replayable, inside], &budget), Answer::Sat);
}

#[test]
fn operands_that_are_not_needed_are_no_faults() {
    let source = main_with(
        "local p: i32* align 8; local i: i32 align 4;",
        "decl p; decl i; i := #nondet<i32>(0); p := #null<i32*>; if i == 0i32 goto L0; p := &i; L0:
         assert p == #null<i32*> || *p == i \"p\" \"guarded\"; return;",
    );
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let mut store = TermStore::new();
    let trace = execute(&program, &mut store, &Options::bounded(1, 1));
    let mut solver = Solver::new(SolverOptions::default());
    for fault in &trace.faults {
        let answer = solver.check(&store, &[fault.condition], &Budget::default());
        assert_eq!(answer, Answer::Unsat, "{}", fault.what);
    }
}

#[test]
fn loops_that_never_end_do_not_hide_other_paths() {
    // Round and round in three states while the input is not zero.
    let body = "decl x; decl i; i := #nondet<i32>(0); x := 0i32;
         L0: if i == 0i32 goto L1; x := x + 1i32; if x < 3i32 goto L2; x := 0i32; L2: goto L0;
         L1: assert x == 1i32 \"p\" \"reached\"; return;";
    let source = main_with("local x: i32 align 4; local i: i32 align 4;", body);
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let mut store = TermStore::new();
    let options = Options { decided: 50, ..Options::bounded(1, 1) };
    let trace = execute(&program, &mut store, &options);
    let claims = trace.obligations.iter().filter(|o| matches!(o.kind, ObligationKind::Claim(_)));
    assert_eq!(claims.count(), 1);
    // One that stays in the same state ends at once.
    let source = main_with("", "L0: goto L0;");
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let trace = execute(&program, &mut store, &Options::bounded(1, 1));
    assert!(trace.obligations.is_empty() && trace.cut_short.is_none());
}

#[test]
fn recursion_of_constant_depth_needs_no_bound() {
    let program = text::parse(
        "machine 64 x87 16 wide 8; sites 1; entry main;
         function sum: fn(i32) -> i32 labels 1 { param n: i32 align 4; local r: i32 align 4;
           decl r; r := 0i32; if n == 0i32 goto L0; r := call sum(n - 1i32); r := r + n; L0: return r; }
         function main: fn() -> void { local x: i32 align 4; decl x; x := call sum(500i32);
           assert x == 125250i32 \"p\" \"sum\"; return; }",
    )
    .unwrap_or_else(|error| panic!("{error}"));
    let mut store = TermStore::new();
    let trace = execute(&program, &mut store, &Options::bounded(1, 1));
    assert_eq!(trace.obligations.len(), 1);
    assert_eq!(trace.obligations[0].violation, store.false_term());
}

#[test]
fn pointers_along_a_list_cost_what_is_new() {
    // A list whose length is up to an input, walked to its end: terms grow with the square of its length, not faster.
    let body = |n: u32| {
        format!(
            "decl head; decl p; decl i; head := #null<struct node*>; i := 0i32;
             L0: if i == {n}i32 goto L1; p := alloc(16u64) align 16 heap; p->next := head; p->value := i;
             if #zero<i32> == x goto L4; head := p; L4: x := #nondet<i32>(0); i := i + 1i32; goto L0;
             L1: p := head;
             L2: if p == #null<struct node*> goto L3; p := p->next; goto L2;
             L3: assert p == #null<struct node*> \"p\" \"end\"; return;"
        )
    };
    let locals = "local head: struct node* align 8; local p: struct node* align 8; local i: i32 align 4; local x: i32 align 4;";
    let size = |n: u32| {
        let body = format!("decl x; x := #nondet<i32>(1); {}", body(n));
        let program =
            text::parse(&main_with(locals, &body)).unwrap_or_else(|error| panic!("{error}"));
        let mut store = TermStore::new();
        execute(&program, &mut store, &Options::bounded(n + 1, 1));
        store.len() as f64
    };
    let (small, large) = (size(8), size(16));
    assert!(large / small < 9.0, "{small} terms grow to {large}");
}

/// The terms that a program needs at a bound.
fn n_terms(unwind: u32, source: &str) -> usize {
    let program = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    let mut store = TermStore::new();
    let trace = execute(&program, &mut store, &Options::bounded(unwind, unwind));
    assert_eq!(trace.cut_short, None);
    store.len()
}

#[test]
fn rounds_cost_what_they_change() {
    let locals = "local x: i32 align 4; local s: i32 align 4; local p: struct node* align 8;
                  local list: struct node* align 8;";
    let bodies = [
        // A variable of the round, alive where the loop is left.
        "decl s; s := 0i32; L0: decl x; x := #nondet<i32>(0); if x < 0i32 goto L1; s := s ^ x; dead x; goto L0;
         L1: assert s != 77i32 \"p\" \"claim\"; return;",
        // An object of the round, which others point to.
        "decl list; list := #null<struct node*>; L0: decl x; x := #nondet<i32>(0); if x < 0i32 goto L1; dead x;
         decl p; p := alloc(16u64) align 16 heap; p->next := list; p->value := 1i32; list := p; dead p; goto L0;
         L1: assert list == #null<struct node*> || list->value == 1i32 \"p\" \"claim\"; return;",
    ];
    for body in bodies {
        let source = main_with(locals, body);
        let [few, more, most] = [50, 100, 200].map(|unwind| n_terms(unwind, &source));
        let growth = (most - more) as f64 / (more - few) as f64;
        assert!(growth < 2.5, "{few}, {more}, {most} terms: {body}");
    }
}

#[test]
fn ways_to_continue_a_loop_do_not_multiply() {
    let locals = "local x: i32 align 4; local s: i32 align 4;";
    let body = |ways: usize| {
        let way = "x := #nondet<i32>(0); if x == 1i32 goto L0; s := s ^ x; ";
        let ways = way.repeat(ways);
        format!("decl s; decl x; s := 0i32; L0: {ways} if s != 0i32 goto L0; return;")
    };
    let [few, more] = [4, 40].map(|ways| n_terms(3, &main_with(locals, &body(ways))));
    assert!(more < 40 * few, "{few}, {more} terms");
}

#[test]
fn loops_that_overlap_go_round_together() {
    // Two heads, each with two jumps back, and one that leaves both.
    expect(
        4,
        "local i: i32 align 4; local s: i32 align 4; local x: i32 align 4;",
        "decl i; decl s; decl x; i := 0i32; s := 0i32;
         L0: i := i + 1i32; if i > 3i32 goto L2; x := #nondet<i32>(0); if x == 0i32 goto L0;
         L1: s := s + 1i32; if s > 5i32 goto L2; x := #nondet<i32>(1); if x == 1i32 goto L1; if x == 2i32 goto L0;
         if x == 3i32 goto L1;
         L2: assert i <= 4i32 \"p\" \"i\"; assert s <= 6i32 \"p\" \"s\"; assert i != 4i32 \"p\" \"left\";
         assert s != 5i32 || i != 2i32 \"p\" \"both\"; return;",
        // Who goes on where which loop has rounds left decides what is seen; nothing is lost without a word.
        &[("unwinding", true), ("i", false), ("s", false), ("left", true), ("both", true)],
    );
}

#[test]
fn variables_without_pointers_begin_anew_in_each_round() {
    expect(
        3,
        "local i: i32 align 4; local x: i32 align 4; local s: i32 align 4;",
        "decl i; decl s; i := 0i32; s := 0i32;
         L0: decl x; if i == 0i32 goto L1; assert x == 5i32 \"p\" \"kept\"; L1: x := 5i32; s := s + x; dead x;
         i := i + 1i32; if i < 3i32 goto L0;
         assert s == 15i32 \"p\" \"sum\"; return;",
        // What a variable held in its last life is gone.
        &[("kept", true), ("sum", false)],
    );
}

#[test]
fn pointers_to_variables_of_earlier_rounds_dangle() {
    expect(
        3,
        "local i: i32 align 4; local x: i32 align 4; local p: i32* align 8;",
        "decl i; decl p; i := 0i32; p := #null<i32*>;
         L0: decl x; x := i; assert i == 0i32 || #is_live(p) \"p\" \"dangling\"; p := &x;
         assert #is_live(p) && *p == i \"p\" \"live\"; dead x; i := i + 1i32; if i < 3i32 goto L0; return;",
        &[("dangling", true), ("live", false)],
    );
}

#[test]
fn loops_have_bounds_of_their_own() {
    let source = main_with(
        "local x: u32 align 4;",
        "decl x; x := #nondet<u32>(0); assume x < 4u32;
         L0: if x == 0u32 goto L1; x := x - 1u32; goto L0; L1:
         x := #nondet<u32>(1); assume x < 6u32;
         L2: if x == 0u32 goto L3; x := x - 1u32; goto L2; L3: return;",
    );
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let cut = |bounds: &str| {
        let mut store = TermStore::new();
        let loop_bounds = parse_loop_bounds(&program, bounds).unwrap();
        let options = Options { loop_bounds: &loop_bounds, ..Options::bounded(4, 1) };
        let trace = execute(&program, &mut store, &options);
        let mut solver = Solver::new(SolverOptions::default());
        let mut check = |term| solver.check(&store, &[term], &Budget::default()) == Answer::Sat;
        let kinds = trace.obligations.iter().filter(|o| check(o.violation)).map(|o| match o.kind {
            ObligationKind::OwnBound => "own",
            ObligationKind::Unwinding => "common",
            _ => "other",
        });
        kinds.collect::<Vec<&str>>()
    };
    assert_eq!(cut(""), ["common"]);
    assert_eq!(cut("main.1:5"), [""; 0]);
    assert_eq!(cut("main.1:4"), ["own"]);
    assert_eq!(cut("main.0:2"), ["own", "common"]);
}

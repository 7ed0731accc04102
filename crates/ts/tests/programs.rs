//! The states of programs, and programs that have no transition system.

use vergo_goto::text;
use vergo_smt::{Answer, Budget, SolverOptions};
use vergo_term::TermStore;
use vergo_ts::{Encoded, Options, Start, Unrolling, encode};

fn main_with(locals: &str, body: &str) -> String {
    format!(
        "machine 64 x87 16 wide 8; sites 9; entry main;
         struct node size 16 align 8 {{ value: i32 @0; next: struct node* @8; }}
         static table: i32[4] align 4 = {{ @0: 7i32; }};
         function main: fn() -> void labels 9 {{ {locals} {body} }}"
    )
}

fn encoded(store: &mut TermStore, locals: &str, body: &str) -> Result<Encoded, String> {
    let source = main_with(locals, body);
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let answer = encode(&program, store, &Options::default());
    if let Ok(encoded) = &answer {
        assert_eq!(encoded.system.verify(store), Ok(()));
    }
    answer.map_err(|unsupported| unsupported.reason)
}

/// The names of the state variables, and the least number of steps, if at most ten, after which a state is bad.
fn state_and_violation(locals: &str, body: &str) -> (String, Option<u32>) {
    let mut store = TermStore::new();
    let encoded = encoded(&mut store, locals, body).unwrap_or_else(|reason| panic!("{reason}"));
    let names: Vec<&str> = encoded.system.state.iter().map(|var| var.name.as_str()).collect();
    let names = names.join(" ");
    let options = SolverOptions::default();
    let mut unrolling = Unrolling::new(&mut store, &encoded.system, Start::Initial, options);
    let steps = (0..=10)
        .find(|&steps| unrolling.violation(&mut store, steps, &Budget::unlimited()) == Answer::Sat);
    (names, steps)
}

#[test]
fn one_loop_needs_no_counter_and_constants_no_variable() {
    let (state, steps) = state_and_violation(
        "local i: i32 align 4; local n: i32 align 4; local k: i32 align 4; local unused: i32 align 4;",
        "decl i; decl n; decl k; decl unused; n := #nondet<i32>(0); k := 3i32; i := 0i32; unused := 1i32;
         assume 0i32 <= n; L0: if !(i < n) goto L1; i := i + k; unused := i; goto L0;
         L1: assert i != 9i32 \"p\" \"nine\"; return;",
    );
    assert_eq!(state, "n i");
    assert_eq!(steps, Some(3));
}

#[test]
fn loops_one_after_the_other_have_a_counter() {
    let (state, steps) = state_and_violation(
        "local i: i32 align 4; local j: i32 align 4;",
        "decl i; decl j; i := 0i32; L0: if !(i < 3i32) goto L1; i := i + 1i32; goto L0;
         L1: j := i; L2: if !(0i32 < j) goto L3; j := j - 1i32; goto L2;
         L3: assert j != 0i32 \"p\" \"down\"; return;",
    );
    assert_eq!(state, "pc i j");
    assert_eq!(steps, Some(7));
}

#[test]
fn pointers_are_objects_and_offsets() {
    let (state, steps) = state_and_violation(
        "local p: i32* align 8; local a: i32 align 4; local i: i32 align 4;",
        "decl p; decl a; decl i; a := 1i32; p := &table[0u64]; i := 0i32;
         L0: i := #nondet<i32>(0); if i == 0i32 goto L1; if i == 1i32 goto L2; p := &a; goto L0;
         L2: p := &table[2u64]; goto L0;
         L1: assert *p == 7i32 || *p == 1i32 \"p\" \"pointed to\"; return;",
    );
    assert_eq!(state, "offset(p) object(p)");
    assert_eq!(steps, Some(1));
}

#[test]
fn a_heap_object_that_is_made_once_is_part_of_the_state() {
    let (state, steps) = state_and_violation(
        "local p: i32* align 8; local i: i32 align 4;",
        "decl p; decl i; p := alloc(4u64) align 16 heap; *p := 0i32; i := 0i32;
         L0: *p := *p + 1i32; i := #nondet<i32>(0); if i != 0i32 goto L0;
         assert *p < 4i32 \"p\" \"count\"; assert #is_live(p) \"p\" \"alive\"; return;",
    );
    assert_eq!(state, "allocated@2+0");
    assert_eq!(steps, Some(3));
}

#[test]
fn heap_objects_that_die_in_their_round_need_no_place() {
    let (state, steps) = state_and_violation(
        "local p: i32* align 8; local i: i32 align 4; local sum: i32 align 4;",
        "decl p; decl i; decl sum; sum := 0i32;
         L0: p := alloc(4u64) align 16 heap; *p := sum; sum := *p + 2i32; free heap p;
         i := #nondet<i32>(0); if i != 0i32 goto L0; assert sum < 6i32 \"p\" \"sum\"; return;",
    );
    assert_eq!(state, "sum");
    assert_eq!(steps, Some(2));
}

/// A list of three nodes and a loop without bound over it.
const LIST: &str = "decl head; decl p; decl i; decl x; head := #null<struct node*>; i := 0i32;
    L0: if i == BOUND goto L1; p := alloc(16u64) align 16 heap; p->next := head; p->value := i;
    head := p; i := i + 1i32; goto L0;
    L1: p := head; L2: x := #nondet<i32>(1); if x == 0i32 goto L3;
    if p->next == #null<struct node*> goto L2; p := p->next; goto L2;
    L3: assert p->value != 0i32 \"p\" \"first\"; return;";
const LIST_LOCALS: &str = "local head: struct node* align 8; local p: struct node* align 8;
    local i: i32 align 4; local x: i32 align 4;";

#[test]
fn loops_that_make_a_known_number_of_objects_are_unrolled() {
    let (state, steps) = state_and_violation(LIST_LOCALS, &LIST.replace("BOUND", "3i32"));
    assert_eq!(state, "object(p)");
    assert_eq!(steps, Some(2));
}

#[test]
fn what_has_no_transition_system_is_named() {
    let mut store = TermStore::new();
    let unbounded = format!("decl n; n := #nondet<i32>(0); {}", LIST.replace("BOUND", "n"));
    let locals = format!("{LIST_LOCALS} local n: i32 align 4;");
    let reason = encoded(&mut store, &locals, &unbounded).err();
    assert_eq!(reason.as_deref(), Some("an unbounded number of heap objects"));
    // A pointer into an earlier round's variable, which is compared with that of this round.
    let reason = encoded(
        &mut store,
        "local p: i32* align 8; local q: i32* align 8; local a: i32 align 4; local i: i32 align 4;",
        "decl p; decl q; decl i; p := #null<i32*>; q := #null<i32*>;
         L0: decl a; a := 1i32; q := &a; assert p != q \"p\" \"other\"; p := q; i := #nondet<i32>(0); dead a;
         if i != 0i32 goto L0; return;",
    )
    .err();
    assert_eq!(reason.as_deref(), Some("a pointer to a variable of an earlier round or call"));
}

#[test]
fn irreducible_loops_are_cut() {
    let (state, steps) = state_and_violation(
        "local i: i32 align 4; local x: i32 align 4;",
        "decl i; decl x; i := 0i32; x := #nondet<i32>(0); if x == 0i32 goto L1;
         L0: i := i + 1i32; L1: i := i + 2i32; x := #nondet<i32>(1); if x == 1i32 goto L0;
         if x == 2i32 goto L1; assert i != 7i32 \"p\" \"seven\"; return;",
    );
    assert_eq!(state, "pc i");
    assert_eq!(steps, Some(4));
}

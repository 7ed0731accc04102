//! Lists as cases of lists, states of a wrong form, and sets of states that not every round keeps.

use super::graph::{Cell, Chain, Class, End, Object, ObjectId, Origin, Pointer, State, Value};
use super::*;
use super::{chains, form, split};
use vergo_goto::text::parse;

/// A program with a pointer to a list, which it frees in a loop.
const PROGRAM: &str = "entry main;
    struct node size 16 align 8 { d: i32 @0; next: struct node* @8; }
    static l: struct node* align 8 = {};
    function main: fn() -> void labels 2 {
      local t: struct node* align 8;
      L0: if l == #null<struct node*> goto L1;
      decl t;
      assert #is_live(l) \"memory.lifetime\" \"alive\";
      t := l->next;
      free heap (void*)l;
      l := t;
      dead t;
      goto L0;
      L1: assert #heap_empty() \"memory.cleanup\" \"all is freed\";
      end 0i32;
    }";

fn program() -> Program {
    parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"))
}

fn pointer(object: ObjectId) -> Value {
    Value::Ptr(Pointer { object, end: End::First, offset: 0 })
}

fn cell(value: Value) -> Cell {
    Cell { size: 8, class: Class::Ptr, value }
}

/// The program at its loop, with a list of nodes; `None` is a chain of at least so many.
fn with_list(program: &Program, parts: &[(Option<u32>, u64)]) -> State {
    let mut state = Executor::new(program).first().unwrap_or_else(|what| panic!("{what}"));
    let mut next = Value::Word(0);
    for &(least, data) in parts.iter().rev() {
        let mut node = Object::new(16, Origin::Heap);
        node.cells.insert(0, Cell { size: 4, class: Class::Int(32), value: Value::Word(data) });
        node.cells.insert(8, cell(next));
        node.chain = least.map(|least| Chain { next: 8, prev: None, head: 0, least });
        next = pointer(state.add(node));
    }
    let list = *state.statics.values().next().expect("there is one");
    state.object_mut(list).cells.insert(0, cell(next));
    state
}

fn is_case(
    program: &Program,
    narrower: &[(Option<u32>, u64)],
    wider: &[(Option<u32>, u64)],
) -> bool {
    includes(program, &with_list(program, wider), &with_list(program, narrower))
}

#[test]
fn lists_are_cases_of_shorter_and_less_certain_ones() {
    let program = program();
    let (one, any) = ((None, 7), (Some(0), 7));
    let least = |n| (Some(n), 7);
    for (narrower, wider, expected) in [
        (vec![], vec![any], true),
        (vec![], vec![least(1)], false),
        (vec![one], vec![any], true),
        (vec![one], vec![least(2)], false),
        (vec![one, one], vec![least(2)], true),
        (vec![one, least(1)], vec![least(2)], true),
        (vec![one, least(1)], vec![least(3)], false),
        (vec![least(1), one, any], vec![least(1), any], true),
        (vec![any], vec![one], false),
        (vec![any], vec![least(1)], false),
        (vec![one, one], vec![any, one], true),
        (vec![one], vec![any, one, one], false),
        (vec![(None, 8)], vec![any], false),
        (vec![one, (None, 8)], vec![any, (Some(0), 8)], true),
        (vec![(None, 8), one], vec![any, (Some(0), 8)], false),
    ] {
        assert_eq!(is_case(&program, &narrower, &wider), expected, "{narrower:?} in {wider:?}");
    }
}

#[test]
fn what_is_not_in_the_wider_state_is_lost() {
    let program = program();
    let mut narrower = with_list(&program, &[(None, 7)]);
    let empty = with_list(&program, &[]);
    let list = *narrower.statics.values().next().expect("there is one");
    narrower.object_mut(list).cells.insert(0, cell(Value::Word(0)));
    assert!(!includes(&program, &empty, &narrower));
    let lost = State { lost: true, ..empty };
    assert!(includes(&program, &lost, &narrower));
    narrower.sweep();
    assert!(narrower.lost && includes(&program, &lost, &narrower));
}

#[test]
fn an_object_is_taken_once() {
    // Two variables that point to one object are no case of two that point to two.
    let text = "entry main; static p: i32* align 8 = {}; static q: i32* align 8 = {};
        function main: fn() -> void { end 0i32; }";
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let mut two = Executor::new(&program).first().unwrap_or_else(|what| panic!("{what}"));
    let mut one = two.clone();
    let variables: Vec<ObjectId> = two.statics.values().copied().collect();
    for &variable in &variables {
        let object = two.add(Object::new(4, Origin::Heap));
        two.object_mut(variable).cells.insert(0, cell(pointer(object)));
    }
    let object = one.add(Object::new(4, Origin::Heap));
    for &variable in &variables {
        one.object_mut(variable).cells.insert(0, cell(pointer(object)));
    }
    assert!(includes(&program, &two, &two) && includes(&program, &one, &one));
    assert!(!includes(&program, &two, &one) && !includes(&program, &one, &two));
}

#[test]
fn the_cases_of_a_chain_are_cases_of_it() {
    let program = program();
    for least in 0..3 {
        let state = with_list(&program, &[(Some(least), 7), (None, 7)]);
        let list = *state.statics.values().next().expect("there is one");
        let Some(Value::Ptr(to)) = state.object(list).cells.get(&0).map(|cell| cell.value) else {
            panic!("there is a list");
        };
        let cases = chains::materialise(&state, to.object, End::First);
        assert_eq!(cases.len(), if least == 0 { 2 } else { 1 });
        for case in cases {
            form::check(&program, &case).unwrap_or_else(|what| panic!("{what}"));
            assert!(includes(&program, &state, &case));
        }
    }
}

#[test]
fn states_of_a_wrong_form_are_refused() {
    let program = program();
    let good = with_list(&program, &[(Some(0), 7)]);
    assert_eq!(form::check(&program, &good), Ok(()));
    let (&id, _) = good.objects.iter().next_back().expect("there is a chain");
    let list = *good.statics.values().next().expect("there is one");
    type Change = Box<dyn Fn(&mut State)>;
    let changes: Vec<Change> = vec![
        Box::new(move |state| {
            state.objects.remove(&id);
        }),
        Box::new(move |state| {
            // An empty list that leads to itself is any value.
            state.object_mut(id).cells.insert(8, cell(pointer(id)));
        }),
        Box::new(move |state| {
            state.object_mut(id).cells.remove(&8);
        }),
        Box::new(move |state| {
            let into = Value::Ptr(Pointer { object: id, end: End::First, offset: 4 });
            state.object_mut(list).cells.insert(0, cell(into));
        }),
        Box::new(move |state| {
            let last = Value::Ptr(Pointer { object: id, end: End::Last, offset: 0 });
            state.object_mut(list).cells.insert(0, cell(last));
        }),
        Box::new(move |state| state.object_mut(id).of = Some(list)),
        Box::new(move |state| state.object_mut(id).origin = Origin::Variable),
        Box::new(move |state| {
            state.object_mut(id).cells.insert(4, cell(Value::Word(0)));
        }),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(form::check(&program, &bad).is_err(), "change {i}");
    }
}

#[test]
fn only_sets_that_every_round_keeps_are_accepted() {
    let program = program();
    let budget = Budget::unlimited();
    let verdict = |states: Vec<State>| check(&program, &Shapes { states }, &budget);
    let empty = || with_list(&program, &[]);
    let any = || with_list(&program, &[(Some(0), 7)]);
    assert_eq!(verdict(vec![empty()]), Ok(()));
    assert_eq!(verdict(vec![any()]), Ok(()));
    // The beginning is missing; a round leads to a shorter list; what is lost is not freed.
    assert!(verdict(vec![]).is_err());
    assert!(verdict(vec![with_list(&program, &[(Some(1), 7)])]).is_err());
    assert!(verdict(vec![empty(), with_list(&program, &[(Some(1), 7)])]).is_err());
    assert!(verdict(vec![State { lost: true, ..any() }]).is_err());
}

/// A program without loops, of which nothing has to be said at any.
fn shows(body: &str) -> bool {
    let text = format!(
        "entry main; sites 4; static x: i32 align 4 = {{}}; static y: i32 align 4 = {{}};
         static table: i32*[3] align 8 = {{}};
         function main: fn() -> void labels 9 {{
           local p: i32* align 8; local q: i32* align 8; local c: u32 align 4;
           decl p; decl q; decl c; c := #nondet<u32>(0); p := #null<i32*>; q := p; {body} end 0i32; }}"
    );
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    check(&program, &Shapes::default(), &Budget::unlimited()).is_ok()
}

fn claim(cond: &str) -> String {
    format!("assert {cond} \"user.assert\" \"it holds\";")
}

#[test]
fn pointers_that_depend_on_a_condition_are_told_apart() {
    let choose = "p := c < 5u32 ? &x : &y; *p := 1i32;";
    for (cond, expected) in [
        ("x + y == 1i32", true),
        ("x == 1i32 || y == 1i32", true),
        ("x == 1i32", false),
        ("y == 1i32", false),
        ("x == y", false),
        ("c < 5u32 ? x == 1i32 : y == 1i32", true),
        ("c < 5u32 ? y == 1i32 : x == 1i32", false),
        ("c < 6u32 ? x == 1i32 : y == 1i32", false),
    ] {
        assert_eq!(shows(&format!("{choose}{}", claim(cond))), expected, "{cond}");
    }
}

#[test]
fn elements_of_tables_of_pointers_are_told_apart() {
    let fill = "table[0u32] := &x; table[1u32] := &x; table[2u32] := &y;";
    let choose = format!("{fill} p := table[c % 3u32]; *p := 1i32;");
    for (cond, expected) in [
        ("x + y == 1i32", true),
        ("p == table[c % 3u32]", true),
        ("p == table[(c + 1u32) % 3u32]", false),
        ("x == 1i32", false),
        ("y == 0i32", false),
        ("p != #null<i32*>", true),
    ] {
        assert_eq!(shows(&format!("{choose}{}", claim(cond))), expected, "{cond}");
    }
    // A case that is meant for one instruction is not kept for the next, where the number is another one.
    let again = "c := #nondet<u32>(1); q := table[c % 3u32];";
    assert!(!shows(&format!("{choose} {again} {}", claim("p == q"))));
    assert!(shows(&format!("{choose} q := table[c % 3u32]; {}", claim("p == q"))));
    // What is written behind an index that is not known is one of the elements, and the others stay.
    let write = format!("{fill} table[c % 3u32] := #null<i32*>;");
    let others = "table[0u32] == &x || table[2u32] == &y";
    assert!(shows(&format!("{write} {}", claim(others))));
    assert!(!shows(&format!("{write} {}", claim("table[0u32] == &x"))));
}

#[test]
fn what_was_computed_is_remembered_as_long_as_it_is_the_same() {
    for (body, expected) in [
        ("x := (i32)(c % 7u32); y := (i32)(c % 7u32);", true),
        ("x := (i32)(c % 7u32); y := (i32)(c % 8u32);", false),
        ("x := (i32)(c % 7u32); c := c + 1u32; y := (i32)(c % 7u32);", false),
        ("x := (i32)c; y := (i32)c;", true),
        ("x := (i32)(u8)c; y := (i32)(i8)(u8)c;", false),
    ] {
        assert_eq!(shows(&format!("{body}{}", claim("x == y"))), expected, "{body}");
    }
}

#[test]
fn a_state_that_remembers_results_is_refused() {
    let program = program();
    let mut state = with_list(&program, &[(Some(0), 7)]);
    let (word, class) = (Class::Int(32).word(&program).expect("a word"), Class::Int(32));
    let value = state.any(&program, class);
    let ty = program.exprs.iter().next().map(|(_, expr)| expr.ty).expect("there is one");
    let operation = split::Operation::Cast([ty, ty], value);
    state.result(operation, class, word, class.all(&program).expect("a range"));
    assert!(form::check(&program, &state).is_err());
    state.sweep();
    assert_eq!(form::check(&program, &state), Ok(()));
}

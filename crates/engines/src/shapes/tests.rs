//! Programs with lists and their twins, and mistakes that the checker refuses.

use super::*;
use crate::{OnViolation, Unrolling};
use vergo_evidence::Certify;
use vergo_evidence::shapes::graph::{Chain, Class, Origin, Value};
use vergo_evidence::shapes::linear::Linear;

const HEAD: &str = "entry main; sites 4;
    struct node size 24 align 8 { d: i32 @0; next: struct node* @8; prev: struct node* @16; }
    function main: fn() -> void labels 9 {
      local l: struct node* align 8; local p: struct node* align 8; local q: struct node* align 8;
      local c: i32 align 4; local n: i32 align 4;
      decl l; decl p; decl q; decl c; decl n; l := #null<struct node*>; p := l; q := l; n := 0i32;";

/// Makes a list from the front; the links back are left out.
const BUILD: &str = "L0: c := #nondet<i32>(0); if c == 0i32 goto L1;
    p := alloc(24u64) align 16 heap; p->d := 1i32; p->next := l; l := p; goto L0; L1: p := l;";

/// The same with links back.
const BUILD_BOTH: &str = "L0: c := #nondet<i32>(0); if c == 0i32 goto L1;
    p := alloc(24u64) align 16 heap; p->d := 1i32; p->next := l; p->prev := #null<struct node*>;
    if l == #null<struct node*> goto L2; l->prev := p; L2: l := p; goto L0; L1: p := l;";

/// Looks at all nodes.
const WALK: &str = "L3: if p == #null<struct node*> goto L4; assert p->d == 1i32 \"user.assert\" \"one\";
    p := p->next; goto L3; L4: p := l;";

/// Looks whether the links back lead back.
const WALK_BOTH: &str = "L3: if p == #null<struct node*> goto L4; q := p->next;
    assert q == #null<struct node*> || q->prev == p \"user.assert\" \"back\"; p := q; goto L3; L4: p := l;";

/// Frees all nodes.
const FREE: &str = "L5: if l == #null<struct node*> goto L6; assert #is_live(l) \"memory.lifetime\" \"alive\";
    q := l->next; free heap (void*)l; l := q; goto L5;
    L6: assert #heap_empty() \"memory.cleanup\" \"all is freed\"; end 0i32; }";

fn program(parts: &[&str]) -> Program {
    let text = format!("{HEAD}{}", parts.concat());
    vergo_goto::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn verdict(program: &Program) -> Verdict {
    let task = Task {
        program,
        unrolling: &Unrolling::default(),
        on_violation: OnViolation::Stop,
        certify: Certify::Off,
        goal: Goal::Safety,
        abstraction: None,
    };
    run(&task, &Environment { budget: Budget::unlimited(), progress: &|_| {} })
}

fn found(program: &Program, degree: &Degree) -> Shapes {
    search(program, degree, &Budget::unlimited()).unwrap_or_else(|what| panic!("{what}"))
}

#[test]
fn lists_are_made_walked_and_freed() {
    for parts in [[BUILD, WALK, FREE], [BUILD_BOTH, WALK_BOTH, FREE]] {
        let verdict = verdict(&program(&parts));
        assert!(matches!(&verdict, Verdict::True(proof) if proof.kind() == "shapes"), "{verdict:?}");
    }
}

#[test]
fn twins_are_not_proved() {
    for (parts, from, to) in [
        (vec![BUILD, WALK, FREE], "p->d == 1i32", "p->d == 2i32"),
        (vec![BUILD, WALK, FREE], "p->d := 1i32", "p->d := c"),
        (vec![BUILD, WALK, FREE], "free heap (void*)l;", ""),
        (vec![BUILD, WALK, FREE], "l := q;", ""),
        (vec![BUILD, WALK, FREE], "l := p; goto L0;", "goto L0;"),
        (vec![BUILD, WALK, FREE], "p := p->next;", "p := p->next; if c == 7i32 goto L4;"),
        (vec![BUILD_BOTH, WALK_BOTH, FREE], "l->prev := p;", ""),
        (vec![BUILD_BOTH, WALK_BOTH, FREE], "l->prev := p;", "l->prev := l;"),
        (vec![BUILD, WALK_BOTH, FREE], "", ""),
    ] {
        let text = format!("{HEAD}{}", parts.concat()).replace(from, to);
        let program = vergo_goto::text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let is_harmless = to.contains("7i32");
        let is_true = matches!(verdict(&program), Verdict::True(_));
        assert_eq!(is_true, is_harmless, "{from} became {to}");
    }
}

/// The checker refuses the states that an engine would find that folds, joins or takes chains apart wrongly.
#[test]
fn planted_mistakes_are_refused() {
    let budget = Budget::unlimited();
    let programs = [[BUILD, WALK, FREE], [BUILD_BOTH, WALK_BOTH, FREE]];
    let cases = DEGREES[..3].iter().flat_map(|degree| programs.map(|parts| (degree, parts)));
    for (degree, parts) in cases {
        let program = program(&parts);
        let good = found(&program, degree);
        assert!(Certificate::shapes(&program, &good, &budget).is_ok());
        let refused = |shapes: &Shapes, what: &str| {
            assert!(Certificate::shapes(&program, shapes, &budget).is_err(), "{what}");
        };
        let mut n_chains = 0;
        for i in 0..good.states.len() {
            // A case was forgotten: that there is no node, or one, or many.
            let mut less = good.clone();
            less.states.remove(i);
            refused(&less, "a state is missing");
            let chains: Vec<_> = good.states[i]
                .objects
                .iter()
                .filter_map(|(&id, object)| Some((id, object.chain?)))
                .collect();
            for (id, chain) in chains {
                n_chains += 1;
                // A list is longer than it is.
                let mut longer = good.clone();
                longer.states[i].object_mut(id).chain = Some(Chain { least: chain.least + 1, ..chain });
                refused(&longer, "a list is longer");
                // Nodes say more than they do.
                let mut other = good.clone();
                let cells = &mut other.states[i].object_mut(id).cells;
                for cell in cells.values_mut().filter(|cell| cell.class == Class::Int(32)) {
                    cell.value = Value::Word(2);
                }
                refused(&other, "nodes hold something else");
            }
            // Objects on the heap were dropped.
            let mut dropped = good.clone();
            let state = &mut dropped.states[i];
            let heap: Vec<_> = state
                .objects
                .iter()
                .filter(|(_, object)| object.origin == Origin::Heap)
                .map(|(&id, _)| id)
                .collect();
            if heap.is_empty() {
                continue;
            }
            state.map_values(|value| match value {
                Value::Ptr(to) if heap.contains(&to.object) => Value::Word(0),
                value => value,
            });
            heap.iter().for_each(|id| {
                state.objects.remove(id);
            });
            refused(&dropped, "objects are dropped");
        }
        assert!(n_chains > 1, "{n_chains} chains");
    }
}

/// A text of unknown length, and a search for its end.
const TEXT: &str = "entry main; sites 4;
    function main: fn() -> void labels 9 {
      local n: i32 align 4; local i: i32 align 4; local p: i8* align 8;
      decl n; decl i; decl p; n := #nondet<i32>(0); assume 1i32 <= n && n <= 1000i32;
      p := alloc((u64)n) align 16 heap; *(p + (n - 1i32)) := 0i8; i := 0i32;
      L0: if *(p + i) == 0i8 goto L1; i := i + 1i32; assert i < n \"user.assert\" \"inside\"; goto L0;
      L1: free heap (void*)p; end 0i32; }";

#[test]
fn the_end_of_a_text_is_found() {
    for (from, to, is_true) in [
        ("", "", true),
        ("n - 1i32)) := 0i8", "n - 1i32)) := 1i8", false),
        ("*(p + (n - 1i32)) := 0i8;", "", false),
        ("i := 0i32;", "i := 1i32;", false),
        ("i := 0i32;", "i := 0i32; *(p + i) := 1i8;", false),
        ("assert i < n", "assert i + 1i32 < n", false),
        ("alloc((u64)n)", "alloc((u64)n + 1u64)", true),
    ] {
        let text = TEXT.replace(from, to);
        let program = vergo_goto::text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let verdict = verdict(&program);
        assert_eq!(matches!(verdict, Verdict::True(_)), is_true, "{from} became {to}: {verdict:?}");
    }
}

/// The checker refuses states that say too much of numbers.
#[test]
fn planted_mistakes_about_numbers_are_refused() {
    let budget = Budget::unlimited();
    let program = vergo_goto::text::parse(TEXT).unwrap_or_else(|error| panic!("{error}"));
    let good = found(&program, &DEGREES[0]);
    let is_accepted = |shapes: &Shapes| Certificate::shapes(&program, shapes, &budget).is_ok();
    assert!(is_accepted(&good));
    let mut n_planted = 0;
    for i in 0..good.states.len() {
        let mut refused = |change: &dyn Fn(&mut State), what: &str| {
            let mut bad = good.clone();
            change(&mut bad.states[i]);
            n_planted += 1;
            assert!(!is_accepted(&bad), "{what} in state {i}: {:?}", bad.states[i]);
        };
        let state = &good.states[i];
        for (&id, object) in &state.objects {
            if !object.marks.is_empty() {
                let other = |state: &mut State| {
                    state.object_mut(id).marks[0].cell.value = Value::Word(1);
                };
                refused(&other, "another byte is at the end");
            }
            if let Some(length) = object.length {
                // As if it was known to have at least one byte more than it has, or a thousand.
                let longer = |state: &mut State| state.object_mut(id).size += 1;
                refused(&longer, "an object is longer");
                let long = |state: &mut State| {
                    let mut facts = state.relations.facts.clone();
                    facts.extend(Linear::unknown(length).more(-1000));
                    state.set_facts(facts);
                };
                refused(&long, "only long texts");
            }
        }
        // Each fact that relates two numbers is as strong as it can be.
        for (k, fact) in state.relations.facts.iter().enumerate() {
            if fact.terms().len() == 2 {
                let stronger = |state: &mut State| {
                    let mut facts = state.relations.facts.clone();
                    facts[k] = facts[k].more(-1).expect("it is small");
                    state.set_facts(facts);
                };
                refused(&stronger, "a stronger fact");
            }
        }
    }
    assert!(n_planted >= 4, "{n_planted} mistakes");
}

//! The formats for a small system with a relation that is not a function.

use super::btor2::print_btor2;
use super::chc::print_chc;
use crate::system::{StateVar, TransitionSystem};
use expect_test::expect;
use vergo_term::{Sort, TermStore};

/// `x` grows by one while it is below five; `y` is at most `x` and otherwise free.
fn example(store: &mut TermStore) -> TransitionSystem {
    let word = Sort::BitVec(4);
    let [x, y, x_next, y_next] = ["x", "y", "x'", "y'"].map(|name| store.var(name, word));
    let stop = store.var("stop", Sort::Bool);
    let [zero, one, five] = [0, 1, 5].map(|n| store.bv_u64(4, n));
    let more = store.bv_add(x, one);
    let below = store.bv_ult(x, five);
    let goes = store.not(stop);
    let grows = store.and(below, goes);
    let value = store.ite(grows, more, x);
    let defined = store.eq(x_next, value);
    let bounded = store.bv_ule(y_next, x_next);
    let (init_x, init_y) = (store.eq(x, zero), store.eq(y, zero));
    TransitionSystem {
        state: vec![
            StateVar { current: x, next: x_next, name: "x".to_owned() },
            StateVar { current: y, next: y_next, name: "y".to_owned() },
        ],
        inputs: vec![stop],
        init: store.and(init_x, init_y),
        trans: store.and(defined, bounded),
        bad: store.bv_ult(five, y),
    }
}

#[test]
fn horn_clauses() {
    let mut store = TermStore::new();
    let system = example(&mut store);
    assert_eq!(system.verify(&store), Ok(()));
    expect![[r#"
        (set-logic HORN)
        (declare-fun invariant ((_ BitVec 4) (_ BitVec 4)) Bool)
        (assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (=> (and (= x #x0) (= y #x0)) (invariant x y))))
        (assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)) (stop Bool) (|x'| (_ BitVec 4)) (|y'| (_ BitVec 4))) (=> (and (invariant x y) (and (= |x'| (bvadd x (ite (and (bvult x #x5) (not stop)) #x1 #x0))) (bvule |y'| |x'|))) (invariant |x'| |y'|))))
        (assert (forall ((x (_ BitVec 4)) (y (_ BitVec 4)) (stop Bool)) (=> (and (invariant x y) (bvult #x5 y)) false)))
        (check-sat)
    "#]].assert_eq(&print_chc(&mut store, &system));
}

#[test]
fn btor2() {
    let mut store = TermStore::new();
    let system = example(&mut store);
    expect![[r#"
        1 sort bitvec 1
        2 input 1 stop
        3 sort bitvec 4
        4 state 3 x
        5 state 3 y
        6 input 3 y'
        7 one 1
        8 zero 1
        9 state 1 first
        10 init 1 9 7
        11 next 1 9 8
        12 state 1 ok
        13 init 1 12 7
        14 const 3 0000
        15 const 3 0001
        16 const 3 0101
        17 ult 1 4 16
        18 not 1 2
        19 and 1 17 18
        20 ite 3 19 15 14
        21 add 3 4 20
        22 eq 1 4 14
        23 eq 1 5 14
        24 and 1 22 23
        25 implies 1 9 24
        26 and 1 12 25
        27 ult 1 21 6
        28 not 1 27
        29 and 1 26 28
        30 next 1 12 29
        31 next 3 4 21
        32 next 3 5 6
        33 ult 1 16 5
        34 and 1 26 33
        35 bad 34
    "#]]
    .assert_eq(&print_btor2(&store, &system).expect("words only"));
}

#[test]
fn what_btor2_cannot_say_is_named() {
    let mut store = TermStore::new();
    let mut system = example(&mut store);
    let element = store.bv_u64(4, 0);
    let sort = store.array_sort(Sort::BitVec(4), Sort::BitVec(4));
    let zeros = store.const_array(sort, element);
    let array = store.var("a", sort);
    system.inputs.push(array);
    system.bad = store.eq(zeros, array);
    assert_eq!(print_btor2(&store, &system), Err("BTOR2 has no constant arrays".to_owned()));
}

//! Consequences of formulas about the state of a small program, in plain words.

use super::*;
use vergo_ts::Encoded;

/// A program with a loop, at whose head the variables are in the state.
fn encoded(store: &mut TermStore) -> Encoded {
    let program = vergo_goto::text::parse(
        "entry main; sites 8; function main: fn() -> void labels 1 {
            local x: i32 align 4; local y: i32 align 4; local u: u32 align 4; local b: u8 align 1;
            local d: i32 align 4; local e: u32 align 4;
            decl x; decl y; decl u; decl b; decl d; decl e;
            x := #nondet<i32>(0); y := #nondet<i32>(1); u := #nondet<u32>(2); b := #nondet<u8>(3);
            L0: assert x + y != (i32) u + (i32) b \"reach\" \"different\";
            d := #nondet<i32>(4); x := x + d; y := #nondet<i32>(5);
            e := #nondet<u32>(6); u := u + e; b := #nondet<u8>(7);
            goto L0; }",
    );
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    vergo_ts::encode(&program, store, &vergo_ts::Options::default())
        .unwrap_or_else(|reason| panic!("{reason}"))
}

fn plain(make: fn(&mut TermStore, &[TermId]) -> Vec<TermId>) -> Vec<String> {
    let mut store = TermStore::new();
    let encoded = encoded(&mut store);
    let named = |name: &str| {
        let var = encoded.system.state.iter().find(|var| var.name == name);
        var.unwrap_or_else(|| panic!("{name} is no part of the state")).current
    };
    let variables = ["x", "y", "u", "b"].map(named);
    let facts = make(&mut store, &variables);
    let names = encoded.c_names(0);
    let found = plain_facts(&mut store, &names, &facts, &Budget::unlimited());
    let text = |fact| names.print(&store, fact).map(|text| text.text().to_owned());
    found.into_iter().filter_map(text).collect()
}

#[test]
fn bounds_are_the_closest() {
    let found = plain(|store, vars| {
        let [zero, three] = [0, 3].map(|n| store.bv_u64(32, n));
        let low = store.bv_sle(zero, vars[0]);
        let high = store.bv_sle(vars[0], three);
        let equal = store.eq(vars[0], zero);
        vec![low, high, store.not(equal)]
    });
    assert_eq!(found, ["x >= 1", "x <= 3"]);
    let found = plain(|store, vars| {
        let three = store.bv_u64(32, 3);
        let (low, high) = (store.bv_sle(three, vars[0]), store.bv_sle(vars[0], three));
        vec![low, high]
    });
    assert_eq!(found, ["x == 3"]);
}

#[test]
fn bits_are_remainders() {
    let found = plain(|store, vars| {
        let (low, next) = (store.bv_bit(0, vars[2]), store.bv_bit(1, vars[2]));
        vec![low, store.not(next)]
    });
    assert!(found.contains(&"u % 4 == 1".to_owned()), "{found:?}");
    let found = plain(|store, vars| {
        let (low, next) = (store.bv_bit(0, vars[0]), store.bv_bit(1, vars[0]));
        vec![low, store.not(next)]
    });
    assert!(found.contains(&"(unsigned int)x % 4 == 1".to_owned()), "{found:?}");
}

#[test]
fn flags_are_compared() {
    let found = plain(|store, vars| {
        let (x, b) = (vars[0], vars[3]);
        let ones = [store.bv_u64(32, 1), store.bv_u64(8, 1)];
        let (x_small, b_small) = (store.bv_ule(x, ones[0]), store.bv_ule(b, ones[1]));
        let (x_set, b_set) = (store.bv_bit(0, x), store.bv_bit(0, b));
        let same = store.eq(x_set, b_set);
        vec![x_small, b_small, same]
    });
    assert!(
        found.contains(&"x == b".to_owned()) || found.contains(&"b == x".to_owned()),
        "{found:?}"
    );
}

#[test]
fn sums_that_do_not_wrap_around_are_written_in_a_wider_type() {
    let found = plain(|store, vars| {
        let [zero, many, four] = [0, 1000, 4].map(|n| store.bv_u64(32, n));
        let sum = store.bv_add(vars[1], four);
        let equal = store.eq(vars[0], sum);
        let low = store.bv_sle(zero, vars[1]);
        vec![equal, low, store.bv_sle(vars[1], many)]
    });
    assert!(found.contains(&"x == (long long)y + 4".to_owned()), "{found:?}");
    let found = plain(|store, vars| {
        let [zero, many, two] = [0, 1000, 2].map(|n| store.bv_u64(32, n));
        let twice = store.bv_mul(vars[1], two);
        let equal = store.eq(vars[0], twice);
        let low = store.bv_sle(zero, vars[1]);
        vec![equal, low, store.bv_sle(vars[1], many)]
    });
    let wanted = ["x == 2LL * y", "2LL * y == x"].map(str::to_owned);
    assert!(wanted.iter().any(|text| found.contains(text)), "{found:?}");
    // Where it may wrap around, it is not the same.
    let found = plain(|store, vars| {
        let four = store.bv_u64(32, 4);
        let sum = store.bv_add(vars[1], four);
        vec![store.eq(vars[0], sum)]
    });
    assert!(found.iter().all(|fact| !fact.contains("long long")), "{found:?}");
}

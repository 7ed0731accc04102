//! The printed text means in C what the term means: random formulas against gcc, and a few texts as people see them.

use super::*;
use vergo_term::Assignment;
use vergo_testkit::Rng;
use vergo_testkit::environment::{skip, slow};
use vergo_testkit::host_c::{HostC, Scratch};

const VARIABLES: &[(&str, &str, bool, u32)] = &[
    ("c", "signed char", true, 8),
    ("b", "unsigned char", false, 8),
    ("s", "short", true, 16),
    ("x", "int", true, 32),
    ("y", "int", true, 32),
    ("u", "unsigned int", false, 32),
    ("l", "long long", true, 64),
    ("m", "unsigned long long", false, 64),
];

struct Names {
    terms: Vec<TermId>,
    names: FxHashMap<TermId, (String, Type)>,
}

fn names(store: &mut TermStore) -> Names {
    let mut all = Names { terms: Vec::new(), names: FxHashMap::default() };
    for &(name, _, signed, width) in VARIABLES {
        let term = store.var(name, Sort::BitVec(width));
        all.terms.push(term);
        all.names.insert(term, (name.to_owned(), Type::Int { signed, width }));
    }
    all
}

fn word(store: &mut TermStore, names: &Names, random: &mut Rng, width: u32, depth: u32) -> TermId {
    if depth == 0 || random.below(5) == 0 {
        let of_width: Vec<TermId> =
            names.terms.iter().copied().filter(|&term| store.width(term) == width).collect();
        return match of_width.is_empty() || random.below(3) == 0 {
            true => {
                let bits = random.bits() >> random.below(64);
                let bits = if random.below(2) == 0 { bits } else { bits.wrapping_neg() };
                store.bv_const(BitVec::from_u64(64, bits).truncate(width))
            }
            false => of_width[random.below(of_width.len())],
        };
    }
    let sub = |store: &mut TermStore, random: &mut Rng, width| {
        word(store, names, random, width, depth - 1)
    };
    match random.below(12) {
        0 | 1 => {
            let (a, b) = (sub(store, random, width), sub(store, random, width));
            store.bv_add(a, b)
        }
        2 => {
            let (a, b) = (sub(store, random, width), sub(store, random, width));
            store.bv_mul(a, b)
        }
        3 => {
            let (a, b) = (sub(store, random, width), sub(store, random, width));
            store.bv_and(a, b)
        }
        4 => {
            let (a, b) = (sub(store, random, width), sub(store, random, width));
            store.bv_xor(a, b)
        }
        5 => {
            let a = sub(store, random, width);
            store.bv_neg(a)
        }
        6 => {
            let a = sub(store, random, width);
            store.bv_not(a)
        }
        7 => {
            let a = sub(store, random, width);
            let by = random.below(width as usize) as u64;
            let by = store.bv_u64(width, by);
            if random.below(2) == 0 { store.bv_shl(a, by) } else { store.bv_lshr(a, by) }
        }
        8 if width < 64 => {
            let a = sub(store, random, width * 2);
            let low = [0, width, 3][random.below(3)];
            store.bv_extract(low + width - 1, low, a)
        }
        9 if width > 8 => {
            let a = sub(store, random, width / 2);
            match random.below(2) {
                0 => store.bv_sign_extend(width, a),
                _ => store.bv_zero_extend(width, a),
            }
        }
        10 => {
            let divisor = 1 + random.below(100) as u64;
            let divisor = store.bv_u64(width, divisor);
            let a = sub(store, random, width);
            if random.below(2) == 0 { store.bv_udiv(a, divisor) } else { store.bv_urem(a, divisor) }
        }
        _ => {
            let cond = formula(store, names, random, depth - 1);
            let (a, b) = (sub(store, random, width), sub(store, random, width));
            store.ite(cond, a, b)
        }
    }
}

/// A sum of words of at most 32 bits that are extended by some bits.
fn wide_sum(store: &mut TermStore, names: &Names, random: &mut Rng, width: u32) -> TermId {
    let number = BitVec::from_i64(width, random.below(9) as i64 - 4);
    let mut sum = store.bv_const(number);
    for _ in 0..random.below(4) {
        let i = random.below(6);
        let word = match VARIABLES[i].2 {
            true => store.bv_sign_extend(width, names.terms[i]),
            false => store.bv_zero_extend(width, names.terms[i]),
        };
        sum = match random.below(3) {
            0 => store.bv_sub(sum, word),
            1 => {
                let twice = store.bv_add(word, word);
                store.bv_add(sum, twice)
            }
            _ => store.bv_add(sum, word),
        };
    }
    sum
}

fn formula(store: &mut TermStore, names: &Names, random: &mut Rng, depth: u32) -> TermId {
    if random.below(6) == 0 {
        let width = [36, 40, 64][random.below(3)];
        let a = wide_sum(store, names, random, width);
        let b = wide_sum(store, names, random, width);
        return if random.below(3) == 0 { store.eq(a, b) } else { store.bv_sle(a, b) };
    }
    if depth == 0 || random.below(2) == 0 {
        let width = [8, 16, 32, 32, 64][random.below(5)];
        let a = word(store, names, random, width, depth);
        let b = word(store, names, random, width, depth);
        return match random.below(6) {
            0 => store.eq(a, b),
            5 => {
                let low = random.below(width as usize) as u32;
                let top = store.bv_extract(width - 1, low, a);
                let bits = [BitVec::zero(width - low), BitVec::ones(width - low)];
                let bits = store.bv_const(bits[random.below(2)].clone());
                store.eq(top, bits)
            }
            1 => store.bv_ult(a, b),
            2 => store.bv_ule(a, b),
            3 => store.bv_slt(a, b),
            _ => store.bv_sle(a, b),
        };
    }
    let a = formula(store, names, random, depth - 1);
    let b = formula(store, names, random, depth - 1);
    match random.below(5) {
        0 => store.and(a, b),
        1 => store.or(a, b),
        2 => store.not(a),
        3 => store.eq(a, b),
        _ => store.implies(a, b),
    }
}

#[test]
fn c_agrees_with_terms() {
    let name = "c_agrees_with_terms";
    let Some(gcc) = HostC::find() else { return skip(name, "there is no gcc") };
    let n_formulas = if slow() { 2000 } else { 150 };
    let mut store = TermStore::new();
    let names = names(&mut store);
    let mut random = Rng::new(88172645463325252);
    let mut source = String::from("#include <stdio.h>\nint main(void) {\n");
    let mut wanted = String::new();
    let (mut n_printed, mut n_asked) = (0, 0);
    while n_printed < n_formulas {
        n_asked += 1;
        let term = formula(&mut store, &names, &mut random, 3);
        let Some(text) = (Printer { store: &store, names: &names.names }).truth(term) else {
            continue;
        };
        n_printed += 1;
        for _ in 0..3 {
            let mut assignment = Assignment::new();
            source.push_str("{ ");
            for (&(name, ty, _, width), &var) in VARIABLES.iter().zip(&names.terms) {
                let bits = random.bits() >> random.below(64);
                let bits = if random.below(2) == 0 { bits } else { bits.wrapping_neg() };
                source.push_str(&format!("volatile {ty} {name} = ({ty}){bits}ULL; "));
                let bits = BitVec::from_u64(64, bits).truncate(width);
                assignment.set(store.as_var(var).expect("it is one"), bits);
            }
            source.push_str(&format!("printf(\"%d\\n\", !!({})); }}\n", text.text));
            let value = store.eval(term, &assignment).as_bool();
            wanted.push_str(if value { "1\n" } else { "0\n" });
        }
    }
    source.push_str("return 0; }\n");
    let folder = Scratch::new("c-text").expect("a folder");
    let limit = std::time::Duration::from_secs(60);
    let answer = gcc.run_text(&folder, &source, &["-w", "-O0"], limit).expect("gcc runs");
    assert!(answer.success(), "{}", answer.stderr_text());
    let found = answer.stdout_text();
    for (line, (found, wanted)) in found.lines().zip(wanted.lines()).enumerate() {
        let text = source.lines().nth(line + 2).unwrap_or_default();
        assert_eq!(found, wanted, "{text}");
    }
    assert!(n_printed * 2 > n_asked, "only {n_printed} of {n_asked} could be printed");
}

#[test]
fn texts_are_readable() {
    let mut store = TermStore::new();
    let names = names(&mut store);
    let (x, y, u) = (names.terms[3], names.terms[4], names.terms[5]);
    let [zero, five, many] = [0, 5, u64::MAX].map(|n| store.bv_u64(32, n));
    let mut check = |term: fn(&mut TermStore, [TermId; 6]) -> TermId, wanted: &str| {
        let term = term(&mut store, [x, y, u, zero, five, many]);
        let text = (Printer { store: &store, names: &names.names }).truth(term);
        assert_eq!(text.map(|text| text.text).as_deref(), Some(wanted));
    };
    check(|store, [x, _, _, _, five, _]| store.bv_sle(x, five), "x <= 5");
    check(|store, [x, _, _, _, five, _]| store.bv_slt(five, x), "x > 5");
    check(|store, [x, y, ..]| store.bv_sle(x, y), "x <= y");
    check(|store, [x, _, _, zero, ..]| store.bv_sle(zero, x), "x >= 0");
    check(|store, [_, _, u, _, five, _]| store.bv_ult(u, five), "u < 5U");
    check(|store, [x, _, _, _, five, _]| store.bv_ult(x, five), "x >= 0 && x < 5");
    check(|store, [x, _, _, _, _, many]| store.eq(x, many), "x == -1");
    check(
        |store, [x, y, _, zero, five, _]| {
            let a = store.eq(x, zero);
            let b = store.bv_slt(y, five);
            store.or(a, b)
        },
        "x == 0 || y < 5",
    );
    check(
        |store, [x, y, _, _, five, _]| {
            let sum = store.bv_add(y, five);
            store.eq(sum, x)
        },
        "x == (int)((unsigned int)y + 5U)",
    );
    // A product with a power of two comes as a shift, and a shift as a concatenation.
    check(
        |store, [x, _, u, ..]| {
            let one = store.bv_u64(32, 1);
            let twice = store.bv_shl(u, one);
            store.bv_ult(twice, x)
        },
        "u * 2U < (unsigned int)x",
    );
    // Sums that do not overflow.
    check(
        |store, [x, y, u, ..]| {
            let (x, y) = (store.bv_sign_extend(64, x), store.bv_sign_extend(64, y));
            let u = store.bv_zero_extend(64, u);
            let (three, four) = (store.bv_u64(64, 3), store.bv_u64(64, 4));
            let product = store.bv_mul(u, three);
            let difference = store.bv_sub(x, product);
            let sum = store.bv_add(difference, four);
            store.bv_slt(sum, y)
        },
        "(long long)x - 3LL * u + 4 < y",
    );
    // Of whatever width they are.
    check(
        |store, [x, y, _, _, five, _]| {
            let [x, y, five] = [x, y, five].map(|word| store.bv_sign_extend(36, word));
            let sum = store.bv_add(x, y);
            store.bv_sle(five, sum)
        },
        "(long long)x + y >= 5LL",
    );
    check(
        |store, [x, y, u, ..]| {
            let [x, y] = [x, y].map(|word| store.bv_sign_extend(36, word));
            let u = store.bv_zero_extend(36, u);
            let sum = store.bv_add(x, y);
            store.bv_sle(u, sum)
        },
        "u <= (long long)x + y",
    );
    // What C converts by itself.
    let (c, b) = (names.terms[0], names.terms[1]);
    let flag = store.bv_zero_extend(32, b);
    let small = store.bv_sign_extend(32, c);
    let wide = [store.bv_sign_extend(64, x), store.bv_zero_extend(64, u)];
    for (a, b, wanted) in [
        (flag, x, "b <= x"),
        (flag, small, "b <= c"),
        (wide[0], wide[1], "(long long)x <= (long long)(unsigned long long)u"),
    ] {
        let term = store.bv_sle(a, b);
        let text = (Printer { store: &store, names: &names.names }).truth(term);
        assert_eq!(text.map(|text| text.text).as_deref(), Some(wanted));
    }
    // Bits are a remainder.
    let (bits, one) = (store.bv_extract(1, 0, x), store.bv_u64(2, 1));
    let term = store.eq(bits, one);
    let text = (Printer { store: &store, names: &names.names }).truth(term);
    assert_eq!(text.map(|text| text.text).as_deref(), Some("(unsigned int)x % 4 == 1"));
}

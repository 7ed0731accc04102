//! Definitions 3.1 to 3.4: naturals, symbols, arrays, lists, environments.
//!
//! Lists (definition 3.3) are Rust's slices: `Nil` is `[]` and `Cons x l` is `[x, l @ ..]`.

use std::collections::BTreeMap;
use vergo_num::Natural;

/// Definition 3.1: a natural number, of any size.
pub type Nat = Natural;

/// Definition 3.1: the symbol `s_n`. The constructor is the thesis's `Symbol : ℕ → 𝕊`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Symbol(pub Nat);

impl From<u64> for Symbol {
    fn from(n: u64) -> Symbol {
        Symbol(n.into())
    }
}

/// Definition 3.2: an array, a total function from the naturals, here to naturals.
///
/// The definition allows any function. This is one that has the same value almost everywhere, which every array that
/// expressions can build from such arrays has too; so two arrays can be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    elsewhere: Nat,
    /// Never holds the value of `elsewhere`.
    exceptions: BTreeMap<Nat, Nat>,
}

impl Array {
    /// The array `⟨a_0, a_1, ..., rest, rest, ...⟩`.
    pub fn with_prefix(prefix: &[u64], rest: u64) -> Array {
        let mut array = Array::constant(rest.into());
        for (i, &value) in prefix.iter().enumerate() {
            array = array.update(&(i as u64).into(), value.into());
        }
        array
    }

    /// `ToArray_ℕ`: `λi. n`.
    pub fn constant(n: Nat) -> Array {
        Array { elsewhere: n, exceptions: BTreeMap::new() }
    }

    /// `ToArray_𝔹`: `λi. if b then 1 else 0`.
    pub fn of_bool(b: bool) -> Array {
        Array::constant(u64::from(b).into())
    }

    /// The value at an index.
    pub fn at(&self, i: &Nat) -> &Nat {
        self.exceptions.get(i).unwrap_or(&self.elsewhere)
    }

    /// The value at index 0, which stands for the array where a single number is wanted.
    pub fn first(&self) -> &Nat {
        self.at(&Nat::ZERO)
    }

    /// Returns whether the array counts as true: its first value is not zero.
    pub fn is_true(&self) -> bool {
        !self.first().is_zero()
    }

    /// `λi. if i = at then value else self i`.
    #[must_use]
    pub fn update(&self, at: &Nat, value: Nat) -> Array {
        let mut array = self.clone();
        if value == array.elsewhere {
            array.exceptions.remove(at);
        } else {
            array.exceptions.insert(at.clone(), value);
        }
        array
    }
}

/// Definition 3.4: an environment, a total function from symbols to arrays of naturals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Env {
    elsewhere: Array,
    symbols: BTreeMap<Symbol, Array>,
}

impl Env {
    /// `λs. a`.
    pub fn constant(a: Array) -> Env {
        Env { elsewhere: a, symbols: BTreeMap::new() }
    }

    /// The array of a symbol.
    pub fn get(&self, s: &Symbol) -> &Array {
        self.symbols.get(s).unwrap_or(&self.elsewhere)
    }

    /// `λi. if i = s then a else self i`.
    #[must_use]
    pub fn update(&self, s: &Symbol, a: Array) -> Env {
        let mut env = self.clone();
        env.symbols.insert(s.clone(), a);
        env
    }
}

/// `n mod m`, with `n mod 0 = n` as in Isabelle/HOL, so that the operation is total.
pub fn modulo(n: &Nat, m: &Nat) -> Nat {
    if m.is_zero() { n.clone() } else { n.div_rem(m).1 }
}

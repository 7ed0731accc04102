//! Definition 3.18: memory, indexed by symbols and offsets.

use super::value::{Nat, Symbol};
use std::collections::BTreeMap;

/// Definition 3.18: `Memory : 𝕊 → Offset → ℕ`, a total function; here one with the same value almost everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    elsewhere: Nat,
    cells: BTreeMap<(Symbol, Nat), Nat>,
}

impl Memory {
    /// The memory that holds a number everywhere.
    pub fn filled(n: Nat) -> Memory {
        Memory { elsewhere: n, cells: BTreeMap::new() }
    }
}

/// Definition 3.18: `load(m, s, o) = m(s, o)`.
pub fn load(m: &Memory, s: &Symbol, o: &Nat) -> Nat {
    m.cells.get(&(s.clone(), o.clone())).unwrap_or(&m.elsewhere).clone()
}

/// Definition 3.18: `store(m, s, o, v) = λs' o'. if s = s' ∧ o = o' then v else m(s', o')`.
pub fn store(m: &Memory, s: &Symbol, o: &Nat, v: Nat) -> Memory {
    let mut stored = m.clone();
    stored.cells.insert((s.clone(), o.clone()), v);
    stored
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn memory() -> impl Strategy<Value = Memory> {
        let cell = ((0u64..4, 0u64..4), 0u64..9);
        (0u64..3, proptest::collection::vec(cell, 0..12)).prop_map(|(elsewhere, cells)| {
            let filled = Memory::filled(elsewhere.into());
            cells
                .into_iter()
                .fold(filled, |m, ((s, o), v)| store(&m, &s.into(), &o.into(), v.into()))
        })
    }

    proptest! {
        /// Theorem 3.1: what was stored is loaded.
        #[test]
        fn load_after_store(m in memory(), s in 0u64..5, o in 0u64..5, v: u64) {
            let (s, o) = (s.into(), o.into());
            prop_assert_eq!(load(&store(&m, &s, &o, v.into()), &s, &o), v.into());
        }

        /// Theorem 3.2: a store changes no other place.
        #[test]
        fn store_elsewhere(m in memory(), a in (0u64..5, 0u64..5), b in (0u64..5, 0u64..5), v: u64) {
            prop_assume!(a != b);
            let stored = store(&m, &a.0.into(), &a.1.into(), v.into());
            prop_assert_eq!(load(&stored, &b.0.into(), &b.1.into()), load(&m, &b.0.into(), &b.1.into()));
        }

        /// Both theorems at once: load of a store is the function that the definition says.
        #[test]
        fn store_is_update(m in memory(), a in (0u64..4, 0u64..4), v: u64) {
            let stored = store(&m, &a.0.into(), &a.1.into(), v.into());
            for s in 0..5u64 {
                for o in 0..5u64 {
                    let expected = if (s, o) == a { v.into() } else { load(&m, &s.into(), &o.into()) };
                    prop_assert_eq!(load(&stored, &s.into(), &o.into()), expected);
                }
            }
        }
    }
}

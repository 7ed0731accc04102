//! The automata that come with Vergo.

/// An automaton that comes with Vergo.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name on the command line.
    pub name: &'static str,
    /// The property that it asserts, in a line.
    pub summary: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All of them, in the order of their names.
pub const BUILTINS: &[Builtin] = &[
    builtin(
        "liveness",
        "what `assert_live(c)` says holds again and again in every infinite run",
        include_str!("builtin/liveness.ia"),
    ),
    builtin(
        "memcleanup",
        "all allocated memory is freed when the program ends",
        include_str!("builtin/memcleanup.ia"),
    ),
    builtin(
        "memsafety",
        "no null or freed memory is accessed, nothing is freed twice or lost",
        include_str!("builtin/memsafety.ia"),
    ),
    builtin(
        "no-overflow",
        "signed arithmetic stays in the range of its type",
        include_str!("builtin/no_overflow.ia"),
    ),
    builtin(
        "reach",
        "no error function is called and no assertion fails",
        include_str!("builtin/reach.ia"),
    ),
    builtin("termination", "no loop is in one state twice", include_str!("builtin/termination.ia")),
];

const fn builtin(name: &'static str, summary: &'static str, text: &'static str) -> Builtin {
    Builtin { name, summary, text }
}

/// The automaton of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

#[cfg(test)]
mod tests {
    use super::BUILTINS;
    use vergo_source::{Diagnostics, SourceMap};

    #[test]
    fn all_are_sound_and_in_order() {
        assert!(BUILTINS.windows(2).all(|pair| pair[0].name < pair[1].name));
        for builtin in BUILTINS {
            let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
            let file = map.add(builtin.name, builtin.text).expect("a small file");
            let automaton = crate::parse(&map, file, &mut diags).expect(builtin.name);
            assert!(
                crate::check(&automaton, &mut map, &mut diags) && diags.is_empty(),
                "{}",
                builtin.name
            );
            assert_eq!(automaton.name, builtin.name);
        }
    }
}

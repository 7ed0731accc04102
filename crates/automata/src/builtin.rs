//! The automata that come with Vergo.

/// An automaton that comes with Vergo.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it makes an assertion of, in a line.
    pub summary: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All of them, in the order of their names.
pub const BUILTINS: &[Builtin] = &[
    // tidy: sorted
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
    // tidy: end
];

const fn builtin(name: &'static str, summary: &'static str, text: &'static str) -> Builtin {
    Builtin { name, summary, text }
}

/// The automaton of a name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

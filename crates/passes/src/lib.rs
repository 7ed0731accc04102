//! The pass manager and one GOTO-to-GOTO transformation per file.
//!
//! A pass is a file and a row in [`passes!`](crate::PassId): the row gives its id (the name on the command line and of
//! its tests), what must hold before it ([`Fact`]s it requires), what it makes true and what it leaves true. The
//! [`manager`] runs pipelines, which are data ([`pipelines`]), puts prerequisites in where they are missing and runs the
//! verifier after every pass in debug and test builds.
//!
//! Property checks are passes' work too: [`instrument`] walks the program once and asks each property of the registry
//! ([`properties`]) what can go wrong at each place.
//!
//! **Invariant.** A pass never changes what a program does, up to the claims that it adds (instrument) or drops
//! (select); tests interpret random programs before and after each.

pub mod annotated;
pub mod contracts;
pub mod coverage;
pub mod localise;
pub mod manager;
pub mod pipelines;
pub mod properties;
pub mod recurrence;
pub mod recursion;
pub mod renaming;
pub mod undefined;

/// Something that holds of a program, established by one pass and needed by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Fact {
    /// Every operation that can go wrong has its claim before it.
    Instrumented,
    /// No call goes through a pointer.
    DirectCalls,
    /// No function contains instructions that control cannot reach, and no unused function has a body.
    Reachable,
    /// No operation has only constant operands.
    Folded,
    /// The entry function calls only what cannot be inlined: recursion, functions without body, repeated `alloca`.
    Inlined,
}

/// The parameters of passes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The properties that `instrument` adds claims for and `select` keeps.
    pub properties: properties::PropertySet,
    /// Where some properties are not claimed.
    pub exempt: properties::Exempt,
    /// The number of times that `inline` unfolds recursion before it leaves a call.
    pub recursion: u32,
    /// The domain of the facts that `interval_facts` writes.
    pub numbers: interval_facts::Numbers,
    /// The amount of arithmetic that these facts follow.
    pub arithmetic: vergo_analysis::numeric::Arithmetic,
    /// Whether these facts are to be proved.
    pub facts: interval_facts::Standing,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            properties: properties::PropertySet::default_on(),
            exempt: properties::Exempt::default(),
            recursion: 0,
            numbers: interval_facts::Numbers::default(),
            arithmetic: vergo_analysis::numeric::Arithmetic::default(),
            facts: interval_facts::Standing::default(),
        }
    }
}

/// Everything that the registry knows of a pass.
pub struct PassInfo {
    /// The name on the command line.
    pub name: &'static str,
    /// One line for listings.
    pub summary: &'static str,
    /// The facts that must hold before the pass.
    pub requires: &'static [Fact],
    /// The facts that hold after the pass.
    pub establishes: &'static [Fact],
    /// The facts that the pass preserves.
    pub preserves: &'static [Fact],
    /// The transformation.
    pub run: fn(&mut vergo_goto::program::Program, &Options),
}

/// Declares the passes: the module, its enum value, its place in this table and nothing else.
macro_rules! passes {
    ($($variant:ident = $module:ident: $summary:literal,
        requires [$($required:ident),*], establishes [$($established:ident),*], preserves [$($preserved:ident),*];)*) => {
        $(pub mod $module;)*

        /// A pass of the registry.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum PassId {
            $(#[doc = $summary] $variant,)*
        }

        impl PassId {
            /// All passes in order of name.
            pub const ALL: &'static [PassId] = &[$(PassId::$variant),*];

            /// Returns the registry's row of the pass.
            pub fn info(self) -> &'static PassInfo {
                match self {
                    $(PassId::$variant => &PassInfo {
                        name: stringify!($module),
                        summary: $summary,
                        requires: &[$(Fact::$required),*],
                        establishes: &[$(Fact::$established),*],
                        preserves: &[$(Fact::$preserved),*],
                        run: $module::run,
                    },)*
                }
            }
        }
    };
}

passes! {
    CallConventions = call_conventions: "Follow calls through pointers of another type as the machine would",
        requires [], establishes [], preserves [Instrumented, DirectCalls];
    Fold = fold: "Evaluate operations on constants and branches on them",
        requires [], establishes [Folded], preserves [Instrumented, DirectCalls, Inlined];
    FunctionPointers = function_pointers: "Turn calls through pointers into a choice among the functions they can reach",
        requires [], establishes [DirectCalls], preserves [Instrumented, Folded];
    Gcse = gcse: "Compute expressions once that would be computed again with the same result",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Inlined];
    Inline = inline: "Replace calls by the bodies of the functions they call",
        requires [DirectCalls], establishes [Inlined], preserves [Instrumented, DirectCalls, Folded];
    Instrument = instrument: "Insert the claims of the selected properties",
        requires [], establishes [Instrumented], preserves [DirectCalls, Reachable, Inlined];
    IntervalFacts = interval_facts: "Write what is known of numbers as assumptions at the heads of loops",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Inlined];
    IntervalFactsAll = interval_facts_all: "Write what is known of numbers as assumptions in front of all instructions",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Inlined];
    IntervalFactsGuards = interval_facts_guards: "Write what is known of numbers as assumptions in front of guards",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Inlined];
    Intervals = intervals: "Replace expressions with one value by it, and branches that are decided",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Inlined];
    Select = select: "Drop the claims of properties that are not selected",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Reachable, Inlined, Folded];
    Slice = slice: "Remove what no claim depends on, loops included (forward condition)",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Inlined, Folded];
    SliceBase = slice_base: "Remove what no claim depends on, but no loops (base case)",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Inlined, Folded];
    SplitAccesses = split_accesses: "Give each access of memory that threads share an instruction of its own",
        requires [], establishes [], preserves [Instrumented, DirectCalls, Reachable, Inlined, Folded];
    Unreachable = unreachable: "Remove what control cannot reach",
        requires [], establishes [Reachable], preserves [Instrumented, DirectCalls, Inlined, Folded];
    Unwind = unwind: "Unfold loops whose number of rounds can be computed",
        requires [], establishes [], preserves [Instrumented, DirectCalls];
}

impl PassId {
    /// The pass of a name on the command line (dashes and underscores are the same).
    pub fn from_name(name: &str) -> Option<PassId> {
        let name = name.replace('-', "_");
        PassId::ALL.iter().copied().find(|pass| pass.info().name == name)
    }

    /// The pass that makes a fact true.
    pub fn establishing(fact: Fact) -> Option<PassId> {
        PassId::ALL.iter().copied().find(|pass| pass.info().establishes.contains(&fact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registry_is_sorted_and_names_are_found() {
        assert!(PassId::ALL.windows(2).all(|w| w[0].info().name < w[1].info().name));
        for &pass in PassId::ALL {
            assert_eq!(PassId::from_name(pass.info().name), Some(pass));
            assert_eq!(PassId::from_name(&pass.info().name.replace('_', "-")), Some(pass));
        }
        assert_eq!(PassId::from_name("no-such-pass"), None);
    }

    #[test]
    fn every_fact_that_is_required_can_be_established() {
        for &pass in PassId::ALL {
            for &fact in pass.info().requires {
                let by = PassId::establishing(fact).expect("some pass establishes it");
                assert_ne!(by, pass, "{pass:?} requires what only it establishes");
            }
        }
    }
}

//! Groups of properties: SV-COMP's, and sets that users name.

use super::PropertyId::{self, *};
use super::PropertySet;

/// A group: what `--property` accepts, and what a violation of its members is called in a verdict.
pub struct Group {
    /// The name on the command line; for SV-COMP's properties the base name of the property file.
    pub name: &'static str,
    /// The formula that the property file holds after `CHECK( init(main()), `, without spaces; empty if there is none.
    pub formula: &'static str,
    /// The members, each with the name in `false(...)` when it is violated.
    pub members: &'static [(PropertyId, &'static str)],
}

/// The groups that the properties of the registry make up. (Termination is no claim of a program.)
pub const GROUPS: &[Group] = &[
    Group {
        name: "unreach-call",
        formula: "LTL(G!call(reach_error()))",
        members: &[(ReachError, "unreach-call")],
    },
    Group {
        name: "no-overflow",
        formula: "LTL(G!overflow)",
        members: &[(ArithSignedOverflow, "no-overflow")],
    },
    Group {
        name: "valid-deref",
        formula: "LTL(Gvalid-deref)",
        members: &[
            (MemoryNull, "valid-deref"),
            (MemoryBounds, "valid-deref"),
            (MemoryLifetime, "valid-deref"),
            (MemoryReadOnly, "valid-deref"),
        ],
    },
    Group {
        name: "valid-free",
        formula: "LTL(Gvalid-free)",
        members: &[(MemoryDoubleFree, "valid-free"), (MemoryInvalidFree, "valid-free")],
    },
    Group {
        name: "valid-memtrack",
        formula: "LTL(Gvalid-memtrack)",
        members: &[(MemoryLeak, "valid-memtrack")],
    },
    Group {
        name: "valid-memsafety",
        formula: "",
        members: &[
            (MemoryNull, "valid-deref"),
            (MemoryBounds, "valid-deref"),
            (MemoryLifetime, "valid-deref"),
            (MemoryReadOnly, "valid-deref"),
            (MemoryDoubleFree, "valid-free"),
            (MemoryInvalidFree, "valid-free"),
            (MemoryLeak, "valid-memtrack"),
        ],
    },
    Group { name: "no-data-race", formula: "LTL(G!data-race)", members: &[(Race, "no-data-race")] },
    Group {
        name: "valid-memcleanup",
        formula: "LTL(Gvalid-memcleanup)",
        members: &[(MemoryCleanup, "valid-memcleanup")],
    },
];

/// The group of a name.
pub fn group(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name == name)
}

impl Group {
    /// The members as a set.
    pub fn set(&self) -> PropertySet {
        self.members.iter().map(|&(property, _)| property).collect()
    }
}

//! The claims of a program as a user counts them.
//!
//! A claim is what one assertion says at one place of the source. Passes may copy the instruction, and symbolic execution
//! meets it once per round and call; all of those are the same claim, so that it is known by what it says and where.

use cranelift_entity::{PrimaryMap, entity_impl};
use std::collections::BTreeMap;
use vergo_goto::program::{Claim, FACT, InstrKind, Program};
use vergo_source::Span;

/// A claim of a [`ClaimTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClaimId(u32);
entity_impl!(ClaimId, "claim");

/// The key that tells claims apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClaimKey {
    span: Span,
    property: String,
    description: String,
}

impl ClaimKey {
    /// The key of a claim at a place.
    pub fn new(claim: &Claim, span: Span) -> ClaimKey {
        ClaimKey { span, property: claim.property.clone(), description: claim.description.clone() }
    }

    /// Returns whether it is the claim that an analysis is right.
    pub fn is_fact(&self) -> bool {
        self.property == FACT
    }
}

/// A claim and where it stands.
#[derive(Clone, Debug)]
pub struct Site {
    /// The claim itself.
    pub claim: Claim,
    /// The statement or expression that it is about.
    pub span: Span,
    /// The function in which it stands, in the user's words.
    pub function: String,
    /// True if that is part of a library model.
    pub library: bool,
}

/// The claims of a program in the order of the source, those of library models last.
#[derive(Clone, Debug, Default)]
pub struct ClaimTable {
    sites: PrimaryMap<ClaimId, Site>,
    by_key: BTreeMap<ClaimKey, ClaimId>,
}

impl ClaimTable {
    /// Collects the claims of a program; that analyses are right is nobody's question and not among them.
    pub fn of(program: &Program) -> ClaimTable {
        let mut found: BTreeMap<ClaimKey, Site> = BTreeMap::new();
        for function in program.functions.values() {
            for instr in function.body.iter().flatten() {
                let InstrKind::Assert(_, claim) = &instr.kind else { continue };
                let key = ClaimKey::new(claim, instr.span);
                if key.is_fact() {
                    continue;
                }
                found.entry(key).or_insert_with(|| Site {
                    claim: (**claim).clone(),
                    span: instr.span,
                    function: function.display.clone(),
                    library: function.library,
                });
            }
        }
        let mut table = ClaimTable::default();
        // The user's own claims come before those of library models.
        let mut found: Vec<(ClaimKey, Site)> = found.into_iter().collect();
        found.sort_by_key(|(_, site)| site.library);
        for (key, site) in found {
            let id = table.sites.push(site);
            table.by_key.insert(key, id);
        }
        table
    }

    /// The claim of a key.
    pub fn find(&self, key: &ClaimKey) -> Option<ClaimId> {
        self.by_key.get(key).copied()
    }

    /// A claim and where it stands.
    pub fn site(&self, claim: ClaimId) -> &Site {
        &self.sites[claim]
    }

    /// All claims in order.
    pub fn iter(&self) -> impl Iterator<Item = (ClaimId, &Site)> {
        self.sites.iter()
    }

    /// Returns the number of claims.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Checks whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }
}

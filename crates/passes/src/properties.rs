//! Where each property applies: one file for each row of the table of properties.
//!
//! A property says where it applies (operations, accesses of memory, or instructions) and builds the claim. What else there
//! is to know of it stands in its row, [`vergo_goto::property`]. [`groups`] collects properties into those of SV-COMP.

pub mod exempt;
pub mod groups;
pub mod unchecked;

pub use exempt::Exempt;
pub use vergo_goto::property::{ByDefault, PropertyId, PropertyInfo, PropertySet, Shown};

use crate::instrument::{Access, Checker, Target};
use vergo_goto::expr::ExprId;
use vergo_goto::program::InstrKind;

/// Where a property applies, and what builds its claims there.
pub enum Sites {
    /// At each operation that is evaluated.
    Operation(fn(&mut Checker<'_>, ExprId)),
    /// At each read or write of a place or block, behind the claims of what the property presumes.
    Access(Presumes, fn(&mut Checker<'_>, Target, Access)),
    /// At each instruction.
    Instruction(fn(&mut Checker<'_>, &InstrKind)),
    /// Where the source says so: the claim comes with the lowering of C.
    Source,
}

/// The facts about the pointer of an access that a property's question presumes. Claims about one access stand in this
/// order, so that the first to fail says what is wrong: a null pointer is null before it is out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Presumes {
    /// Nothing.
    Nothing,
    /// It is not null.
    NotNull,
    /// Its object is alive.
    Alive,
    /// The place lies in the object.
    Inside,
}

/// Declares the files of the properties.
macro_rules! declare {
    ($($variant:ident = $module:ident, $id:literal: $title:literal, cwe $cwe:expr, $default:ident,
        shown by $shown:ident $(($how:literal))?;)*) => {
        $(mod $module;)*

        /// Where a property applies.
        pub fn sites(property: PropertyId) -> &'static Sites {
            match property {
                $(PropertyId::$variant => &$module::SITES,)*
            }
        }
    };
}

vergo_goto::for_each_property!(declare);

/// Properties in the order in which their claims about one place stand.
pub(crate) fn in_order_of_claims(set: PropertySet) -> Vec<PropertyId> {
    let mut members: Vec<PropertyId> = set.iter().collect();
    members.sort_by_key(|&property| match sites(property) {
        Sites::Access(presumes, _) => *presumes,
        _ => Presumes::Nothing,
    });
    members
}

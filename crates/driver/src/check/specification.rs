//! The specification of a check: properties of the registry, named by ids, by SV-COMP's names or by its files.

use vergo_passes::properties::groups::{GROUPS, Group, group};
use vergo_passes::properties::{PropertyId, PropertySet};

use crate::binary::is_binary;
use crate::input::Input;
use crate::recurrence::RECURRENCES;

/// The prefix of a witness's specification if it is none of SV-COMP's.
const OWN: &str = "vergo: ";

/// The specification of a check.
#[derive(Clone, Debug)]
pub enum Specification {
    /// Properties of the registry.
    Claims(Properties),
    /// Something that is no claim of the program.
    Other(String),
}

/// Properties of the registry that are checked together.
#[derive(Clone, Debug)]
pub struct Properties {
    /// Each with the name that its violation has in the verdict.
    pub names: Vec<(PropertyId, String)>,
    /// The text of the property file, if these are SV-COMP's.
    pub text: Option<String>,
}

impl Properties {
    /// The name that a violation of a property has in the verdict.
    pub fn verdict_name<'a>(&'a self, property: &'a str) -> &'a str {
        let name = self.names.iter().find(|(id, _)| id.info().id == property);
        name.map_or(property, |(_, name)| name)
    }

    /// The text for a witness: SV-COMP's, or ids that [`Specification::from_witness`] reads.
    pub(crate) fn specification(&self) -> String {
        self.text.clone().unwrap_or_else(|| {
            let ids: Vec<&str> = self.names.iter().map(|(id, _)| id.info().id).collect();
            format!("{OWN}{}", ids.join(","))
        })
    }

    /// The properties as a set.
    pub fn set(&self) -> PropertySet {
        self.names.iter().map(|(property, _)| *property).collect()
    }
}

impl Specification {
    /// The properties that are checked when none is named.
    pub fn standard() -> Specification {
        let names = PropertySet::default_on()
            .iter()
            .map(|property| (property, property.to_string()))
            .collect();
        Specification::Claims(Properties { names, text: None })
    }

    /// The properties that are checked of these files when none is named. Leaks are not among those of a goto binary: the tools
    /// that write such files look for them only if asked.
    pub fn standard_for(inputs: &[Input]) -> Specification {
        let Specification::Claims(mut properties) = Specification::standard() else {
            return Specification::standard();
        };
        if inputs.iter().any(is_binary) {
            properties.names.retain(|(property, _)| *property != PropertyId::MemoryLeak);
        }
        Specification::Claims(properties)
    }

    /// The specification of a name: an SV-COMP property, ids of the registry separated by commas, what the ids of a
    /// family begin with (`memory`), or `default`.
    pub fn from_name(name: &str) -> Option<Specification> {
        if RECURRENCES.contains(&name) {
            return Some(Specification::Other(name.to_owned()));
        }
        if let Some(group) = group(name) {
            return Some(Specification::of_groups(&[group]));
        }
        if name == "default" {
            return Some(Specification::standard());
        }
        // A group of the registry is what ids have before their dot.
        let members = PropertyId::ALL.iter().copied();
        let members =
            members.filter(|id| id.info().id.split_once('.').is_some_and(|(head, _)| head == name));
        let names: Vec<_> = members.map(|id| (id, id.to_string())).collect();
        if !names.is_empty() {
            return Some(Specification::Claims(Properties { names, text: None }));
        }
        if let Some(property) = PropertyId::from_id(name) {
            let names = vec![(property, name.to_owned())];
            return Some(Specification::Claims(Properties { names, text: None }));
        }
        // Several are claimed at once; what is no claim of the program stands alone.
        let (first, rest) = name.split_once(',')?;
        match (Specification::from_name(first.trim())?, Specification::from_name(rest.trim())?) {
            (Specification::Other(_), _) | (_, Specification::Other(_)) => None,
            (first, rest) => Some(first.and(rest)),
        }
    }

    /// Returns the conjunction; a specification that is no claim of the program stays alone.
    #[must_use]
    pub fn and(self, other: Specification) -> Specification {
        match (self, other) {
            (Specification::Claims(mut first), Specification::Claims(second)) => {
                first.names.extend(second.names);
                first.names.sort();
                first.names.dedup_by_key(|(id, _)| *id);
                Specification::Claims(Properties { names: first.names, text: None })
            }
            (first @ Specification::Other(_), _) => first,
            (_, second) => second,
        }
    }

    /// The specification that a witness names.
    pub fn from_witness(text: &str) -> Option<Specification> {
        match text.strip_prefix(OWN) {
            Some(ids) => Specification::from_name(ids),
            None => Specification::from_property_file(text),
        }
    }

    /// The specification of an SV-COMP property file's text.
    pub fn from_property_file(text: &str) -> Option<Specification> {
        let mut groups: Vec<&Group> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
            let formula =
                compact.strip_prefix("CHECK(init(")?.split_once("),")?.1.strip_suffix(')')?;
            match formula {
                "LTL(Fend)" => return Some(Specification::Other("termination".to_owned())),
                _ => groups.push(GROUPS.iter().find(|group| group.formula == formula)?),
            }
        }
        (!groups.is_empty()).then(|| Specification::of_groups(&groups))
    }

    fn of_groups(groups: &[&Group]) -> Specification {
        let members = groups.iter().flat_map(|group| group.members);
        let names = members.map(|&(property, name)| (property, name.to_owned())).collect();
        let lines: Vec<&str> =
            groups.iter().flat_map(|group| formulas(group.name)).copied().collect();
        let checks = lines.iter().map(|formula| format!("CHECK( init(main()), LTL({formula}) )"));
        let text = checks.collect::<Vec<_>>().join("\n");
        Specification::Claims(Properties { names, text: Some(text) })
    }
}

/// SV-COMP's formulas of a property, as its files spell them.
fn formulas(name: &str) -> &'static [&'static str] {
    match name {
        "unreach-call" => &["G ! call(reach_error())"],
        "no-overflow" => &["G ! overflow"],
        "no-data-race" => &["G ! data-race"],
        "valid-deref" => &["G valid-deref"],
        "valid-free" => &["G valid-free"],
        "valid-memtrack" => &["G valid-memtrack"],
        "valid-memsafety" => &["G valid-free", "G valid-deref", "G valid-memtrack"],
        "valid-memcleanup" => &["G valid-memcleanup"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(specification: Option<Specification>) -> Properties {
        match specification {
            Some(Specification::Claims(properties)) => properties,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_group_has_its_text_and_is_read_from_it() {
        for group in GROUPS {
            let properties = claims(Specification::from_name(group.name));
            assert_eq!(properties.set(), group.set(), "{}", group.name);
            let text = properties.text.unwrap();
            let again = claims(Specification::from_property_file(&text));
            assert_eq!(again.set(), group.set(), "{text}");
        }
    }

    #[test]
    fn names() {
        let memory = claims(Specification::from_name("memory"));
        assert!(memory.names.iter().all(|(id, _)| id.info().id.starts_with("memory.")));
        assert!(memory.names.len() > 5 && memory.text.is_none());
        let two = claims(Specification::from_name("memory.null,arith.shift"));
        assert_eq!(two.verdict_name("arith.shift"), "arith.shift");
        let safety = claims(Specification::from_name("valid-memsafety"));
        assert_eq!(safety.verdict_name("memory.leak"), "valid-memtrack");
        assert!(Specification::from_name("memory.nonsense").is_none());
        assert!(
            Specification::from_property_file("CHECK( init(main()), LTL(G nonsense) )").is_none()
        );
        assert!(matches!(
            Specification::from_property_file("CHECK( init(main()), LTL(F end) )"),
            Some(Specification::Other(name)) if name == "termination"
        ));
    }
}

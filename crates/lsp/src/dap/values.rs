//! The values of a scope's variables: each as a whole, and by its parts.
//!
//! A variable is written as a whole (`pair = {.first = 1, .second = 2}`) or part by part (`pair.first = 3`). Parts are kept under
//! their own names, so that the whole is told from them once one of them is newer.

use std::collections::BTreeMap;

use vergo_driver::{Part, Value};

/// The values of a scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    ty: String,
    value: String,
    /// True if a part was written since.
    is_old: bool,
}

/// The entries before a write.
pub(super) type Before = Vec<(String, Option<Entry>)>;

/// A variable or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    /// Its name inside of the whole that it is part of.
    pub(super) name: String,
    /// Its whole name.
    pub(super) path: String,
    pub(super) ty: String,
    pub(super) value: String,
    /// True if it has parts that are known.
    pub(super) has_parts: bool,
}

/// Parts that are told in the text of a whole.
const SHOWN: usize = 8;

impl Values {
    pub(super) fn of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Values {
        let mut made = Values::default();
        for value in values {
            made.write(&value.name, value);
        }
        made
    }

    /// Writes a value under a name; what was there before.
    pub(super) fn write(&mut self, name: &str, value: &Value) -> Before {
        let mut before = Before::new();
        let under = |key: &str| key.strip_prefix(name).is_some_and(is_part);
        let gone: Vec<String> =
            self.below(name).map(|(key, _)| key).filter(|key| under(key)).cloned().collect();
        for key in gone {
            before.extend(self.entries.remove(&key).map(|entry| (key, Some(entry))));
        }
        let whole = Entry { ty: value.ty.clone(), value: value.value.clone(), is_old: false };
        self.put(name.to_owned(), whole, &mut before);
        for Part { path, ty, value } in &value.parts {
            let entry = Entry { ty: ty.clone(), value: value.clone(), is_old: false };
            self.put(format!("{name}{path}"), entry, &mut before);
        }
        // What it is part of is told from its parts from now on.
        for (at, _) in name.match_indices(['.', '[']) {
            let key = &name[..at];
            if let Some(entry) = self.entries.get(key).filter(|entry| !is_pointer(&entry.ty)) {
                let older = Entry { is_old: true, ..entry.clone() };
                self.put(key.to_owned(), older, &mut before);
            }
        }
        before
    }

    fn put(&mut self, key: String, entry: Entry, before: &mut Before) {
        let old = self.entries.insert(key.clone(), entry);
        before.push((key, old));
    }

    /// Puts back what was there before a write.
    pub(super) fn restore(&mut self, before: Before) {
        for (key, entry) in before.into_iter().rev() {
            match entry {
                Some(entry) => self.entries.insert(key, entry),
                None => self.entries.remove(&key),
            };
        }
    }

    fn below<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a String, &'a Entry)> {
        let from = self.entries.range(path.to_owned()..);
        from.take_while(move |(key, _)| key.starts_with(path))
    }

    /// The parts of a variable, or, of nothing, the variables.
    pub(super) fn rows(&self, path: &str) -> Vec<Row> {
        let mut names: Vec<&str> = Vec::new();
        for (key, _) in self.below(path) {
            let name =
                if path.is_empty() { self.variable(key) } else { first_part(&key[path.len()..]) };
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        names.sort_by_key(|name| (index(name), *name));
        names.into_iter().filter_map(|name| self.row(&format!("{path}{name}"), name)).collect()
    }

    /// A variable or a part of one, if it has a value.
    pub(super) fn find(&self, path: &str) -> Option<Row> {
        self.row(path, path)
    }

    fn row(&self, path: &str, name: &str) -> Option<Row> {
        let entry = self.entries.get(path);
        let is_whole = entry.is_some_and(|entry| is_pointer(&entry.ty));
        let mut below = self.below(path).map(|(key, _)| &key[path.len()..]);
        let has_parts = !is_whole && below.any(|rest| !rest.is_empty() && is_part(rest));
        let name = name.strip_prefix('.').unwrap_or(name).to_owned();
        let (ty, value) = match entry {
            Some(entry) if !entry.is_old => (entry.ty.clone(), entry.value.clone()),
            _ if has_parts => {
                (entry.map_or(String::new(), |entry| entry.ty.clone()), self.text(path))
            }
            Some(entry) => (entry.ty.clone(), entry.value.clone()),
            None => return None,
        };
        Some(Row { name, path: path.to_owned(), ty, value, has_parts })
    }

    /// A whole, told from its parts.
    fn text(&self, path: &str) -> String {
        let rows = self.rows(path);
        let is_complete = rows.iter().enumerate().all(|(i, row)| row.name == format!("[{i}]"));
        let mut parts: Vec<String> = rows
            .iter()
            .take(SHOWN)
            .map(|row| match row.name.starts_with('[') {
                true if is_complete => row.value.clone(),
                true => format!("{} = {}", row.name, row.value),
                false => format!(".{} = {}", row.name, row.value),
            })
            .collect();
        if rows.len() > SHOWN {
            parts.push("...".to_owned());
        }
        format!("{{{}}}", parts.join(", "))
    }

    /// The variable that a name is a part of; what a pointer leads to has a name of its own.
    fn variable<'a>(&self, name: &'a str) -> &'a str {
        let end = match name.starts_with('[') {
            true => first_part(name).len(),
            false => name.find(['.', '[']).unwrap_or(name.len()),
        };
        let root = &name[..end];
        let is_target = self.entries.get(root).is_some_and(|entry| is_pointer(&entry.ty));
        if is_target { name } else { root }
    }
}

fn is_pointer(ty: &str) -> bool {
    ty.ends_with('*')
}

/// Checks whether what follows a name is nothing or a part.
fn is_part(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['.', '['])
}

/// The first member or index of a path that begins with one; nothing if it does not.
fn first_part(path: &str) -> &str {
    match path.as_bytes().first() {
        Some(b'[') => path.find(']').map_or(path, |end| &path[..=end]),
        Some(b'.') => path[1..].find(['.', '[']).map_or(path, |end| &path[..=end]),
        _ => "",
    }
}

/// Elements stand in the order of their indices.
fn index(name: &str) -> Option<u64> {
    name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, ty: &str, value: &str, parts: &[(&str, &str)]) -> Value {
        let part = |(path, value): &(&str, &str)| Part {
            path: (*path).to_owned(),
            ty: "int".to_owned(),
            value: (*value).to_owned(),
        };
        Value {
            name: name.to_owned(),
            ty: ty.to_owned(),
            value: value.to_owned(),
            parts: parts.iter().map(part).collect(),
            is_global: false,
            owner: None,
            object: None,
        }
    }

    fn shown(values: &Values, path: &str) -> Vec<(String, String)> {
        values.rows(path).into_iter().map(|row| (row.name, row.value)).collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn a_whole_is_as_new_as_its_parts() {
        let mut values = Values::default();
        let whole = value("p", "struct pair", "{.a = 1, .b = 2}", &[(".a", "1"), (".b", "2")]);
        values.write("p", &whole);
        assert_eq!(shown(&values, ""), pairs(&[("p", "{.a = 1, .b = 2}")]));
        let part = values.write("p.a", &value("p.a", "int", "7", &[]));
        assert_eq!(shown(&values, ""), pairs(&[("p", "{.a = 7, .b = 2}")]));
        assert_eq!(shown(&values, "p"), pairs(&[("a", "7"), ("b", "2")]));
        let again = values.write("p", &value("p", "struct pair", "{.a = 0, .b = 0}", &[]));
        assert_eq!(shown(&values, "p"), []);
        values.restore(again);
        assert_eq!(shown(&values, ""), pairs(&[("p", "{.a = 7, .b = 2}")]));
        values.restore(part);
        assert_eq!(shown(&values, ""), pairs(&[("p", "{.a = 1, .b = 2}")]));
    }

    #[test]
    fn elements_are_in_order_and_pointers_lead_elsewhere() {
        let mut values = Values::default();
        for i in [11, 2, 0] {
            let name = format!("t[{i}]");
            values.write(&name, &value(&name, "int", &i.to_string(), &[]));
        }
        assert_eq!(shown(&values, ""), pairs(&[("t", "{[0] = 0, [2] = 2, [11] = 11}")]));
        values.write("t[1].x", &value("t[1].x", "int", "5", &[]));
        assert_eq!(shown(&values, "t[1]"), pairs(&[("x", "5")]));
        // A name that begins like another is no part of it.
        values.write("tail", &value("tail", "int", "9", &[]));
        assert_eq!(values.rows("t").len(), 4);
        values.write("q", &value("q", "int *", "&t", &[]));
        values.write("q[1]", &value("q[1]", "int", "1", &[]));
        let names: Vec<String> = values.rows("").into_iter().map(|row| row.name).collect();
        assert_eq!(names, ["q", "q[1]", "t", "tail"]);
        assert_eq!(values.find("q").map(|row| row.value).as_deref(), Some("&t"));
        assert_eq!(values.find("t[1].x").map(|row| row.value).as_deref(), Some("5"));
        assert_eq!(values.find("nothing"), None);
    }
}

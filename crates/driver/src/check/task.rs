//! SV-COMP task definitions (`.yml`, format 2.0): the program's files, its properties and its data model.

use std::path::{Path, PathBuf};

use serde_json::Value;
use vergo_cfront::target::DataModel;

/// The content of a task definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskDefinition {
    /// The program's files.
    pub inputs: Vec<PathBuf>,
    /// The properties that the program can be checked against.
    pub properties: Vec<TaskProperty>,
    /// The data model, if it is given.
    pub model: Option<DataModel>,
}

/// A property of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskProperty {
    /// The name: that of the file without folder and extension.
    pub name: String,
    /// The property file.
    pub file: PathBuf,
    /// The verdict that its author expects.
    pub expected: Option<bool>,
}

impl TaskDefinition {
    /// Reads a task definition; paths are relative to its folder.
    ///
    /// # Errors
    /// If the text is no task definition; the message says why.
    pub fn read(text: &str, folder: &Path) -> Result<TaskDefinition, String> {
        let document = vergo_evidence::yaml::read(text)?;
        match document
            .get("format_version")
            .map(|version| version.as_str().map_or_else(|| version.to_string(), str::to_owned))
        {
            Some(version) if matches!(version.as_str(), "1.0" | "2.0" | "2.1") => {}
            Some(version) => return Err(format!("`format_version` is {version}, not 2.0")),
            None => {
                return Err(
                    "`format_version` is missing, so this is not a task definition".to_owned()
                );
            }
        }
        let names = texts(document.get("input_files")).ok_or("`input_files` names no file")?;
        let mut inputs = Vec::new();
        for name in names {
            inputs.extend(expand(&folder.join(name))?);
        }
        let mut properties = Vec::new();
        for property in document.get("properties").and_then(Value::as_array).into_iter().flatten() {
            let file = property.get("property_file").and_then(Value::as_str);
            let file = folder.join(file.ok_or("a property has no `property_file`")?);
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let expected = property.get("expected_verdict").and_then(Value::as_bool);
            properties.push(TaskProperty { name, file, expected });
        }
        let model = document.get("options").and_then(|options| options.get("data_model"));
        let model = match model.and_then(Value::as_str) {
            None => None,
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            Some(other) => return Err(format!("there is no data model `{other}`")),
        };
        Ok(TaskDefinition { inputs, properties, model })
    }

    /// The property of a name; without a name, the only one.
    ///
    /// # Errors
    /// If there is none, or a choice; the message names those that there are.
    pub fn property(&self, name: Option<&str>) -> Result<&TaskProperty, String> {
        let names: Vec<&str> =
            self.properties.iter().map(|property| property.name.as_str()).collect();
        match (name, &self.properties[..]) {
            (None, [only]) => Ok(only),
            (None, []) => Err("the task names no property; give one with --property".to_owned()),
            (None, _) => Err(format!(
                "the task has several properties; choose one with --property: {}",
                names.join(", ")
            )),
            (Some(name), properties) => {
                properties.iter().find(|property| property.name == name).ok_or_else(|| {
                    format!("the task has no property `{name}`, but {}", names.join(", "))
                })
            }
        }
    }
}

/// A text, or a list of texts.
fn texts(value: Option<&Value>) -> Option<Vec<&str>> {
    match value? {
        Value::String(text) => Some(vec![text]),
        Value::Array(items) if !items.is_empty() => items.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// The files that a path with `*` and `?` in its last part names, in order.
fn expand(path: &Path) -> Result<Vec<PathBuf>, String> {
    let pattern = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !pattern.contains(['*', '?']) {
        return Ok(vec![path.to_owned()]);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("cannot read `{}`: {error}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            matches(pattern.as_bytes(), name.as_bytes())
        })
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(format!("no file matches `{}`", path.display()));
    }
    Ok(found)
}

/// Checks whether a name matches a pattern; after the last `*` that failed, it is tried one byte further.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, n));
            p += 1;
        } else if pattern.get(p).is_some_and(|&c| c == b'?' || c == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((at, from)) = star {
            (p, n) = (at + 1, from + 1);
            star = Some((at, from + 1));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "format_version: '2.0'\n\
        input_files: 'a.i'\n\
        properties:\n  - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n  - property_file: ../properties/no-overflow.prp\n\
        options:\n  language: C\n  data_model: ILP32\n";

    #[test]
    fn tasks_are_read() {
        let task = TaskDefinition::read(TASK, Path::new("dir")).unwrap();
        assert_eq!(task.inputs, [Path::new("dir/a.i")]);
        assert_eq!(task.model, Some(DataModel::Ilp32));
        assert_eq!(task.property(Some("no-overflow")).unwrap().expected, None);
        assert_eq!(task.property(Some("unreach-call")).unwrap().expected, Some(false));
        assert!(task.property(None).unwrap_err().contains("unreach-call, no-overflow"));
        assert!(task.property(Some("termination")).is_err());
    }

    #[test]
    fn what_is_no_task_is_rejected() {
        for text in [
            "",
            "- 1",
            "format_version: '2.0'",
            "input_files: a.c",
            "format_version: '3'\ninput_files: a.c",
            "a: [",
        ] {
            assert!(TaskDefinition::read(text, Path::new("")).is_err(), "{text:?}");
        }
        assert!(TaskDefinition::read(&TASK.replace("ILP32", "LLP64"), Path::new("")).is_err());
    }

    #[test]
    fn patterns() {
        assert!(matches(b"a*.c", b"abc.c"));
        assert!(matches(b"*b*", b"aabab"));
        assert!(matches(b"?.i", b"x.i"));
        assert!(!matches(b"?.i", b"xy.i"));
        assert!(!matches(b"a*c", b"ab"));
    }
}

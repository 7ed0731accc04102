//! YAML for witnesses and task definitions: written by hand in one fixed style, so that the same witness has the same
//! bytes; read by a library, since others write it in any style.

use serde_json::Value;

/// A value to be written; maps keep their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Yaml {
    Text(String),
    Number(u64),
    List(Vec<Yaml>),
    Map(Vec<(&'static str, Yaml)>),
    /// A map whose keys are texts.
    Table(Vec<(String, Yaml)>),
}

impl Yaml {
    pub(crate) fn text(text: impl Into<String>) -> Yaml {
        Yaml::Text(text.into())
    }

    /// The document.
    pub(crate) fn print(&self) -> String {
        let mut out = String::new();
        self.print_at(0, &mut out);
        out
    }

    /// Prints the value; what begins on the same line has been printed.
    fn print_at(&self, indent: usize, out: &mut String) {
        match self {
            Yaml::Text(text) => {
                out.push_str(&quoted(text));
                out.push('\n');
            }
            Yaml::Number(number) => {
                out.push_str(&number.to_string());
                out.push('\n');
            }
            Yaml::List(items) if items.is_empty() => out.push_str("[]\n"),
            Yaml::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push_str(&" ".repeat(indent));
                    }
                    out.push_str("- ");
                    item.print_at(indent + 2, out);
                }
            }
            Yaml::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| ((*key).to_owned(), value));
                print_entries(entries, indent, out);
            }
            Yaml::Table(entries) => {
                print_entries(entries.iter().map(|(key, value)| (quoted(key), value)), indent, out);
            }
        }
    }
}

fn print_entries<'a>(
    entries: impl Iterator<Item = (String, &'a Yaml)>,
    indent: usize,
    out: &mut String,
) {
    for (i, (key, value)) in entries.enumerate() {
        if i > 0 {
            out.push_str(&" ".repeat(indent));
        }
        out.push_str(&key);
        out.push(':');
        match value {
            Yaml::List(items) if !items.is_empty() => {
                out.push('\n');
                out.push_str(&" ".repeat(indent));
                value.print_at(indent, out);
            }
            Yaml::Map(_) | Yaml::Table(_) => {
                out.push('\n');
                out.push_str(&" ".repeat(indent + 2));
                value.print_at(indent + 2, out);
            }
            _ => {
                out.push(' ');
                value.print_at(indent + 2, out);
            }
        }
    }
}

/// A double-quoted scalar, whose escapes are those of JSON.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Reads a YAML document.
///
/// # Errors
/// If it is malformed; the message says where.
pub fn read(text: &str) -> Result<Value, String> {
    serde_saphyr::from_str(text).map_err(|error| {
        let message = error.to_string();
        message.lines().next().unwrap_or("malformed YAML").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_reads_back() {
        let yaml = Yaml::List(vec![Yaml::Map(vec![
            ("plain", Yaml::text("a: b # \"c\"\n\\result == 1")),
            ("empty", Yaml::List(vec![])),
            ("list", Yaml::List(vec![Yaml::Number(3), Yaml::text("true")])),
            ("table", Yaml::Table(vec![("x y.c".to_owned(), Yaml::text("0"))])),
            (
                "maps",
                Yaml::List(vec![Yaml::Map(vec![("k", Yaml::Map(vec![("v", Yaml::Number(1))]))])]),
            ),
        ])]);
        let expected = json!([{
            "plain": "a: b # \"c\"\n\\result == 1",
            "empty": [],
            "list": [3, "true"],
            "table": {"x y.c": "0"},
            "maps": [{"k": {"v": 1}}],
        }]);
        assert_eq!(read(&yaml.print()), Ok(expected), "{}", yaml.print());
    }

    #[test]
    fn malformed_text_is_an_error() {
        assert!(read("a: [1").is_err());
        assert!(read("\t- x: : y").is_err());
    }
}

//! JSON Schema, as far as the schemas of our reports and of SARIF use it. A keyword that is not known here is an error, so
//! that nothing passes because nobody looked.

use serde_json::Value;

/// Keywords that say nothing about values, or that hold what others refer to.
const ANNOTATIONS: &[&str] = &[
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "default",
    "definitions",
    "description",
    "format",
    "id",
    "title",
];

/// Checks a value against a schema.
///
/// # Errors
/// The first place where it does not conform, and why.
pub fn conforms(schema: &Value, value: &Value) -> Result<(), String> {
    Check { root: schema }.value(schema, value, "")
}

#[derive(Clone, Copy)]
struct Check<'a> {
    root: &'a Value,
}

impl Check<'_> {
    fn value(self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let wrong = |message: String| Err(format!("{path}: {message}"));
        let Some(keywords) = schema.as_object() else {
            return if schema == &Value::Bool(false) {
                wrong("nothing fits".into())
            } else {
                Ok(())
            };
        };
        for (keyword, is) in keywords {
            let holds = match keyword.as_str() {
                "$ref" => {
                    let pointer = is.as_str().unwrap_or_default().trim_start_matches('#');
                    let Some(target) = self.root.pointer(pointer) else {
                        return wrong(format!("the schema has no {is}"));
                    };
                    self.value(target, value, path)?;
                    true
                }
                "type" => match is {
                    Value::Array(types) => types.iter().any(|ty| has_type(value, ty)),
                    ty => has_type(value, ty),
                },
                "enum" => is.as_array().is_some_and(|allowed| allowed.contains(value)),
                "const" => is == value,
                "minimum" => number(value).is_none_or(|n| Some(n) >= number(is)),
                "maximum" => number(value).is_none_or(|n| Some(n) <= number(is)),
                "minItems" => length(value).is_none_or(|n| Some(n) >= is.as_u64()),
                "maxItems" => length(value).is_none_or(|n| Some(n) <= is.as_u64()),
                "uniqueItems" => is != &Value::Bool(true) || is_without_repetition(value),
                "required" => {
                    let names = is.as_array().into_iter().flatten().filter_map(Value::as_str);
                    let missing = |name: &&str| value.is_object() && value.get(name).is_none();
                    if let Some(name) = names.into_iter().find(missing) {
                        return wrong(format!("`{name}` is missing"));
                    }
                    true
                }
                "properties" | "additionalProperties" => true,
                "items" => {
                    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.value(is, item, &format!("{path}/{i}"))?;
                    }
                    true
                }
                "anyOf" => self.fitting(is, value, path) > 0,
                "oneOf" => self.fitting(is, value, path) == 1,
                "allOf" => Some(self.fitting(is, value, path)) == is.as_array().map(Vec::len),
                name if ANNOTATIONS.contains(&name) => true,
                other => return wrong(format!("the keyword `{other}` is not known here")),
            };
            if !holds {
                let shown: String = value.to_string().chars().take(80).collect();
                return wrong(format!("{shown} does not fit {keyword} {is}"));
            }
        }
        self.members(schema, value, path)
    }

    fn members(self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        for (name, member) in value.as_object().into_iter().flatten() {
            let at = format!("{path}/{name}");
            if let Some(inner) = schema.get("properties").and_then(|known| known.get(name)) {
                self.value(inner, member, &at)?;
            } else if let Some(others) = schema.get("additionalProperties") {
                self.value(others, member, &at)?;
            }
        }
        Ok(())
    }

    /// Returns the number of schemas that a value fits.
    fn fitting(self, schemas: &Value, value: &Value, path: &str) -> usize {
        let all = schemas.as_array().into_iter().flatten();
        all.filter(|schema| self.value(schema, value, path).is_ok()).count()
    }
}

fn has_type(value: &Value, ty: &Value) -> bool {
    match ty.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn length(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}

fn is_without_repetition(value: &Value) -> bool {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    items.iter().enumerate().all(|(i, item)| !items[..i].contains(item))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_and_schemas() {
        let schema = json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["a"],
            "properties": {
                "a": { "$ref": "#/$defs/small" },
                "b": { "type": ["string", "null"] },
                "c": { "type": "array", "minItems": 1, "uniqueItems": true, "items": { "enum": [1, 2] } },
                "d": { "oneOf": [{ "type": "string" }, { "const": 3 }] },
                "e": { "pattern": "x" },
            },
            "$defs": { "small": { "type": "integer", "minimum": -1, "maximum": 4 } },
        });
        for good in [
            json!({ "a": 4, "b": null, "c": [1, 2], "d": 3 }),
            json!({ "a": -1, "b": "x", "d": "" }),
        ] {
            assert_eq!(conforms(&schema, &good), Ok(()), "{good}");
        }
        for bad in [
            json!({}),
            json!([]),
            json!({ "a": 5 }),
            json!({ "a": -2 }),
            json!({ "a": "1" }),
            json!({ "a": 1, "z": 1 }),
            json!({ "a": 1, "b": 2 }),
            json!({ "a": 1, "c": [] }),
            json!({ "a": 1, "c": [1, 1] }),
            json!({ "a": 1, "c": [3] }),
            json!({ "a": 1, "d": 4 }),
            json!({ "a": 1, "e": "x" }),
        ] {
            assert!(conforms(&schema, &bad).is_err(), "{bad}");
        }
    }
}

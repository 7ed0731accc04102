//! Values in files that others can write too: a line of JSON, and the hash of it. Any change of the file is noticed.

use serde_json::Value;
use vergo_evidence::sha256::sha256_hex;

/// The text of a value.
pub(crate) fn print(value: &Value) -> String {
    let line = format!("{value}\n");
    let hash = sha256_hex(line.as_bytes());
    format!("{line}{hash}\n")
}

/// The value of a text; none if it is not as it was written.
pub(crate) fn parse(text: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(text).ok()?;
    let (line, hash) = text.split_at(text.find('\n')? + 1);
    if hash.strip_suffix('\n')? != sha256_hex(line.as_bytes()) {
        return None;
    }
    serde_json::from_str(line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_and_every_missing_byte_is_noticed() {
        let value = serde_json::json!({ "a": [1, "two\nlines"], "b": null });
        let text = print(&value);
        assert_eq!(parse(text.as_bytes()), Some(value));
        for length in 0..text.len() {
            assert_eq!(parse(&text.as_bytes()[..length]), None, "{length}");
        }
        for at in 0..text.len() * 8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at / 8] ^= 1 << (at % 8);
            assert_eq!(parse(&bytes), None, "bit {at}");
        }
    }
}

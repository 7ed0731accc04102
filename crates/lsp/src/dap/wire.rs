//! The framing of the protocol: a length, an empty line, JSON.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// Longer messages are no messages.
const LONGEST: usize = 64 << 20;

/// The next message; none at the end.
pub(super) fn read(input: &mut dyn BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let length = length
        .filter(|length| *length <= LONGEST)
        .ok_or_else(|| bad("a message without a length"))?;
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    serde_json::from_slice(&bytes).map(Some).map_err(|_| bad("a message that is no JSON"))
}

/// Writes a message.
pub(super) fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    // In one piece: a pipe or socket may make its reader wait between two.
    output.write_all(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes())?;
    output.flush()
}

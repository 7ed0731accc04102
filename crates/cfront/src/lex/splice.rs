//! Line splices: a backslash at the end of a line joins it with the next one.

/// A text without splices, and where its bytes came from.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    /// The text without splices.
    pub(crate) text: Vec<u8>,
    /// From the offset in the joined text on, that many bytes had been removed before.
    cuts: Vec<(u32, u32)>,
}

impl Joined {
    /// The offset in the original text of a byte of the joined one.
    pub(crate) fn original(&self, offset: usize) -> u32 {
        let offset = offset as u32;
        let index = self.cuts.partition_point(|cut| cut.0 <= offset);
        index.checked_sub(1).map_or(offset, |i| offset + self.cuts[i].1)
    }
}

/// The text without its splices, or `None` if it has none.
pub(crate) fn join(text: &[u8]) -> Option<Joined> {
    let first = next_splice(text, 0)?;
    let mut joined = Joined { text: Vec::with_capacity(text.len()), cuts: Vec::new() };
    let mut copied = 0;
    let mut splice = Some(first);
    while let Some((lo, hi)) = splice {
        joined.text.extend_from_slice(&text[copied..lo]);
        copied = hi;
        let cut = (joined.text.len() as u32, (copied - joined.text.len()) as u32);
        match joined.cuts.last_mut() {
            Some(last) if last.0 == cut.0 => *last = cut,
            _ => joined.cuts.push(cut),
        }
        splice = next_splice(text, hi);
    }
    joined.text.extend_from_slice(&text[copied..]);
    Some(joined)
}

/// The next splice at or after `from`: the backslash, blanks that gcc tolerates, and the newline.
fn next_splice(text: &[u8], mut from: usize) -> Option<(usize, usize)> {
    loop {
        let lo = find_backslash(text, from)?;
        let mut hi = lo + 1;
        while matches!(text.get(hi), Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
            hi += 1;
        }
        if text.get(hi) == Some(&b'\n') {
            return Some((lo, hi + 1));
        }
        // The blanks hold no backslash; not looking at them again keeps the search linear.
        from = hi;
    }
}

fn find_backslash(text: &[u8], from: usize) -> Option<usize> {
    const BLOCK: usize = 64;
    let mut start = from;
    for block in text[from..].chunks(BLOCK) {
        // Without early exit, so that the compiler compares many bytes at once.
        if block.iter().fold(false, |found, &b| found | (b == b'\\')) {
            return block.iter().position(|&b| b == b'\\').map(|i| start + i);
        }
        start += BLOCK;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splices_go_and_positions_stay() {
        assert!(join(b"a \\ b\n").is_none());
        let text = b"ab\\\ncd\\ \r\n\\\ne\\";
        let joined = join(text).unwrap();
        assert_eq!(joined.text, b"abcde\\");
        let origins: Vec<u8> = (0..6).map(|i| text[joined.original(i) as usize]).collect();
        assert_eq!(origins, joined.text);
        assert_eq!(joined.original(2), 4);
    }
}

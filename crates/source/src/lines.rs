//! The line index: offsets of line starts, found eight bytes at a time.

/// Offsets at which the lines of a text begin; the first is 0.
pub(crate) fn line_starts(text: &[u8]) -> Box<[u32]> {
    // Most source lines are longer than sixteen bytes; one growth step covers the others.
    let mut starts = Vec::with_capacity(text.len() / 24 + 2);
    starts.push(0);
    let mut words = text.chunks_exact(8);
    let mut base = 0u32;
    for word in &mut words {
        let value = u64::from_le_bytes(word.try_into().expect("chunks have eight bytes"));
        if has_newline(value) {
            for (offset, &byte) in (1u32..).zip(word) {
                if byte == b'\n' {
                    starts.push(base + offset);
                }
            }
        }
        base += 8;
    }
    for (offset, &byte) in (1u32..).zip(words.remainder()) {
        if byte == b'\n' {
            starts.push(base + offset);
        }
    }
    starts.into_boxed_slice()
}

/// Returns whether one of the eight bytes is a newline: the classic zero-byte test on the difference.
fn has_newline(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let difference = word ^ (ONES * b'\n' as u64);
    difference.wrapping_sub(ONES) & !difference & HIGHS != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_byte_by_byte_scan() {
        let mut state = 7u64;
        for len in 0..200 {
            let text: Vec<u8> = (0..len)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                    // Neighbours of the newline and bytes with the high bit are the hard cases.
                    [b'\n', 0x0b, 0x09, 0x8a, b'a', 0][(state >> 33) as usize % 6]
                })
                .collect();
            let mut expected = vec![0];
            expected.extend((0..len).filter(|&i| text[i] == b'\n').map(|i| i as u32 + 1));
            assert_eq!(&*line_starts(&text), &expected[..]);
        }
    }
}

//! Goto binaries inside of object files: `goto-gcc` writes an ordinary ELF object with a section `goto-cc`.

/// The content of the section `goto-cc` of an ELF file.
#[must_use]
pub fn section(bytes: &[u8]) -> Option<&[u8]> {
    if !bytes.starts_with(b"\x7fELF") {
        return None;
    }
    let file = Elf { bytes, wide: *bytes.get(4)? == 2, big: *bytes.get(5)? == 2 };
    // Where the section headers are, how large each is, how many there are, and which one has the names.
    let (start, size, count, names) = match file.wide {
        true => {
            (file.word(0x28, 8)?, file.word(0x3a, 2)?, file.word(0x3c, 2)?, file.word(0x3e, 2)?)
        }
        false => {
            (file.word(0x20, 4)?, file.word(0x2e, 2)?, file.word(0x30, 2)?, file.word(0x32, 2)?)
        }
    };
    let header = |i: usize| start.checked_add(i.checked_mul(size)?);
    let content = |header: usize| {
        let (offset, size) = match file.wide {
            true => {
                (file.word(header.checked_add(0x18)?, 8)?, file.word(header.checked_add(0x20)?, 8)?)
            }
            false => {
                (file.word(header.checked_add(0x10)?, 4)?, file.word(header.checked_add(0x14)?, 4)?)
            }
        };
        bytes.get(offset..offset.checked_add(size)?)
    };
    let names = content(header(names)?)?;
    (0..count).find_map(|i| {
        let header = header(i)?;
        let name = names.get(file.word(header, 4)?..)?;
        let name = name.split(|&b| b == 0).next()?;
        (name == b"goto-cc").then(|| content(header))?
    })
}

struct Elf<'a> {
    bytes: &'a [u8],
    wide: bool,
    big: bool,
}

impl Elf<'_> {
    fn word(&self, at: usize, len: usize) -> Option<usize> {
        let bytes = self.bytes.get(at..at.checked_add(len)?)?;
        let fold = |acc: usize, &b: &u8| acc << 8 | usize::from(b);
        Some(match self.big {
            true => bytes.iter().fold(0, fold),
            false => bytes.iter().rev().fold(0, fold),
        })
    }
}

//! Damaged files: an error with a position, never a panic, and no more memory than the file deserves.

use crate::binary::{Binary, BodyEntry, Dialect, FunctionEntry, InstructionEntry};
use crate::binary::{SymbolEntry, SymbolFields};
use crate::irep::IrepBuilder;
use crate::write::renumber;
use crate::{read, write};
use vergo_testkit::Rng;

/// A small file with every kind of record.
fn sample(dialect: Dialect) -> Vec<u8> {
    let mut b = IrepBuilder::new(dialect);
    let nil = b.leaf("nil");
    let width = b.leaf("32");
    let comment = b.leaf("signed_int");
    let int = b.irep("signedbv", &[], &[("width", width), ("#c_type", comment)]);
    let name = b.leaf("main::1::x\\y");
    let x = b.irep("symbol", &[], &[("type", int), ("identifier", name)]);
    let sum = b.irep("+", &[x, x], &[("type", int)]);
    let statement = b.leaf("assign");
    let assign = b.irep("code", &[x, sum], &[("statement", statement)]);
    let (texts, label) = ([b.text("x"); 5], b.text("L"));
    let (symbols, functions) = match dialect {
        Dialect::Cbmc => {
            let fields =
                SymbolFields { ty: int, value: nil, location: nil, texts, unused: 0, flags: 44 };
            let instruction = InstructionEntry {
                code: assign,
                location: nil,
                kind: 13,
                guard: nil,
                number: u32::MAX,
                targets: [1, 300].into(),
                labels: [label].into(),
            };
            let body = BodyEntry::Instructions(vec![instruction.clone(), instruction]);
            (vec![SymbolEntry::Fields(Box::new(fields))], body)
        }
        Dialect::Esbmc => {
            let symbol = b.irep("", &[], &[("type", int), ("name", x)]);
            let body = b.irep("", &[assign, assign], &[]);
            (vec![SymbolEntry::Irep(symbol)], BodyEntry::Irep(body))
        }
    };
    let mut binary = Binary {
        dialect,
        version: *dialect.versions().last().unwrap(),
        ireps: b.finish(),
        symbols,
        functions: vec![FunctionEntry { name: (*b"ma\0in").into(), body: functions }],
        trailing: [].into(),
    };
    renumber(&mut binary);
    write(&binary)
}

/// Ireps of which each has the one before twice: a tree of 2^n nodes.
fn doubling(n: usize) -> Vec<u8> {
    let mut b = IrepBuilder::new(Dialect::Esbmc);
    let mut top = b.leaf("x");
    for _ in 0..n {
        top = b.irep("and", &[top, top], &[]);
    }
    let symbols = vec![SymbolEntry::Irep(top)];
    let mut binary = Binary {
        dialect: Dialect::Esbmc,
        version: 1,
        ireps: b.finish(),
        symbols,
        functions: Vec::new(),
        trailing: [].into(),
    };
    renumber(&mut binary);
    write(&binary)
}

#[test]
fn what_is_built_is_read_and_written() {
    for dialect in [Dialect::Cbmc, Dialect::Esbmc] {
        let bytes = sample(dialect);
        let binary = read(&bytes).unwrap();
        assert_eq!(write(&binary), bytes);
        assert_eq!(&*binary.functions[0].name, b"ma\0in");
    }
}

#[test]
fn every_prefix_is_an_error_at_its_end() {
    for dialect in [Dialect::Cbmc, Dialect::Esbmc] {
        let bytes = sample(dialect);
        for len in dialect.magic().len()..bytes.len() {
            let error = read(&bytes[..len]).unwrap_err();
            assert!(error.offset <= len, "{error}");
            assert_eq!(error.message, "the file ends too early");
        }
        assert_eq!(read(&bytes[..2]).unwrap_err().message, "this is no goto binary");
    }
}

#[test]
fn other_versions_are_named() {
    let error = read(b"\x7fGBF\x07\0\0").unwrap_err();
    assert_eq!(
        error.to_string(),
        "at byte 4: CBMC's format has version 7 here, and version 5 or 6 is read"
    );
    let error = read(b"GBF\0\0\0\x02\0\0\0\0\0\0\0\0").unwrap_err();
    assert_eq!(
        error.to_string(),
        "at byte 3: ESBMC's format has version 2 here, and version 1 is read"
    );
    assert!(read(b"\x7fGBF\x05\0\0").is_ok());
}

#[test]
fn an_irep_does_not_contain_itself() {
    // The first symbol's type is irep 0, whose child is irep 0.
    let error = read(b"\x7fGBF\x06\x01\x00\x00x\0S\x00\0").unwrap_err();
    assert_eq!(error.to_string(), "at byte 11: irep 0 contains itself");
}

#[test]
fn groups_of_children_have_an_order() {
    let error = read(b"\x7fGBF\x06\x01\x00\x00x\0N\x00\x01\x00\0S\x01\0").unwrap_err();
    assert_eq!(error.message, "an irep goes on with byte 0x53");
}

#[test]
fn what_is_shared_stays_shared_and_depth_costs_no_stack() {
    for n in [60, 200_000] {
        let bytes = doubling(n);
        let binary = read(&bytes).unwrap();
        assert_eq!(binary.ireps.len(), n + 1);
        assert!(binary.ireps.memory() <= 4 * bytes.len());
        assert_eq!(write(&binary), bytes);
    }
}

#[test]
fn a_count_is_not_believed() {
    let error = read(b"\x7fGBF\x06\xff\xff\xff\xff\x0f\x00\x00x\0\0").unwrap_err();
    assert_eq!(error.message, "the file ends too early");
    assert!(read(b"\x7fGBF\x06\xff\xff\xff\xff\xff\x0f").is_err());
}

#[test]
fn mutated_files_are_read_or_refused() {
    let n = if vergo_testkit::environment::slow() { 1_000_000 } else { 20_000 };
    let samples = [sample(Dialect::Cbmc), sample(Dialect::Esbmc), doubling(30)];
    let mut rng = Rng::new(18);
    let mut n_read = 0;
    for _ in 0..n {
        let mut bytes = rng.choose(&samples).clone();
        for _ in 0..rng.between(1, 4) {
            let at = rng.below(bytes.len());
            match rng.below(5) {
                0 => bytes[at] = rng.bits() as u8,
                1 => bytes[at] ^= 1 << rng.below(8),
                2 => bytes.truncate(at.max(4)),
                3 => bytes.insert(at, rng.bits() as u8),
                _ => {
                    let end = (at + rng.below(8)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    let to = rng.below(bytes.len());
                    bytes.splice(to..to, part);
                }
            }
        }
        match read(&bytes) {
            Ok(binary) => {
                n_read += 1;
                let again = read(&write(&binary)).unwrap();
                assert_eq!(again.ireps.len(), binary.ireps.len());
                assert!(binary.ireps.memory() <= 4 * bytes.len() + 1024);
            }
            Err(error) => assert!(error.offset <= bytes.len(), "{error}"),
        }
    }
    // Changes of texts are harmless: a test in which nothing is read would show nothing.
    assert!(n_read > n / 50, "{n_read} of {n}");
}

/// An ELF object with the sections of these names and contents, little-endian and wide.
fn object(sections: &[(&str, &[u8])]) -> Vec<u8> {
    let mut names = vec![0];
    let mut data = Vec::new();
    let mut headers = vec![[0u8; 64]];
    let all = sections.iter().copied().chain([(".shstrtab", &b""[..])]);
    let all: Vec<(&str, &[u8])> = all.collect();
    let starts: Vec<usize> = all
        .iter()
        .map(|(name, _)| {
            names.extend_from_slice(name.as_bytes());
            names.push(0);
            names.len() - name.len() - 1
        })
        .collect();
    for ((name, content), start) in all.iter().zip(starts) {
        let content = if *name == ".shstrtab" { &names[..] } else { content };
        let mut header = [0u8; 64];
        header[..4].copy_from_slice(&(start as u32).to_le_bytes());
        header[0x18..0x20].copy_from_slice(&(64 + data.len() as u64).to_le_bytes());
        header[0x20..0x28].copy_from_slice(&(content.len() as u64).to_le_bytes());
        data.extend_from_slice(content);
        headers.push(header);
    }
    let mut file = vec![0u8; 64];
    file[..6].copy_from_slice(b"\x7fELF\x02\x01");
    file[0x28..0x30].copy_from_slice(&(64 + data.len() as u64).to_le_bytes());
    file[0x3a..0x3c].copy_from_slice(&64u16.to_le_bytes());
    file[0x3c..0x3e].copy_from_slice(&(headers.len() as u16).to_le_bytes());
    file[0x3e..0x40].copy_from_slice(&(headers.len() as u16 - 1).to_le_bytes());
    file.extend(data);
    headers.iter().for_each(|header| file.extend(header));
    file
}

#[test]
fn object_files_have_their_section_found() {
    let binary = sample(Dialect::Cbmc);
    let file = object(&[(".text", b"\x90\x90"), ("goto-cc", &binary)]);
    assert_eq!(crate::elf::section(&file), Some(&binary[..]));
    assert_eq!(crate::elf::section(&object(&[(".text", b"\x90")])), None);
    let mut rng = Rng::new(5);
    for len in 0..file.len() {
        let _ = crate::elf::section(&file[..len]);
        let mut damaged = file.clone();
        damaged[len] = rng.bits() as u8;
        let _ = crate::elf::section(&damaged);
    }
}

/// The file that the document shows byte by byte.
#[test]
fn the_documents_example_is_a_file() {
    let document = include_str!("../../../docs/goto-binaries.md");
    let example = document.split("bytes on the left are all of it").nth(1).unwrap();
    let example = example.split("```").nth(1).unwrap();
    let mut bytes: Vec<u8> = Vec::new();
    for line in example.lines().skip(1) {
        let (offset, rest) = line.split_once("  ").unwrap();
        assert_eq!(usize::from_str_radix(offset, 16), Ok(bytes.len()), "{line}");
        let (hexadecimal, _) = rest.split_once("  ").unwrap();
        bytes.extend(hexadecimal.split(' ').map(|b| u8::from_str_radix(b, 16).unwrap()));
    }
    let binary = read(&bytes).unwrap();
    assert_eq!(write(&binary), bytes);
    let views = binary.symbol_views();
    assert_eq!((views.len(), &views[0].name[..]), (1, "main"));
    assert_eq!(binary.instructions(&binary.function_views()[0]).map(|list| list.len()), Ok(1));
    assert!(binary.trailing.is_empty());
}

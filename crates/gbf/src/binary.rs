//! A goto binary: its dialect, symbols and functions, as they stand in the file.

use crate::irep::{IrepId, Ireps, TextId};
use std::fmt;

/// Whose file it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// CBMC's and Kani's: `7f GBF`, words of seven-bit groups, versions 5 and 6.
    Cbmc,
    /// ESBMC's: `GBF`, words of four bytes, most significant first, version 1.
    Esbmc,
}

impl Dialect {
    /// Returns the bytes at the beginning of every file.
    #[must_use]
    pub fn magic(self) -> &'static [u8] {
        match self {
            Dialect::Cbmc => b"\x7fGBF",
            Dialect::Esbmc => b"GBF",
        }
    }

    /// The versions that are read.
    #[must_use]
    pub fn versions(self) -> &'static [u32] {
        match self {
            Dialect::Cbmc => &[5, 6],
            Dialect::Esbmc => &[1],
        }
    }

    /// The dialect that a file's first bytes say.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Dialect> {
        [Dialect::Cbmc, Dialect::Esbmc].into_iter().find(|d| bytes.starts_with(d.magic()))
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Cbmc => "CBMC",
            Dialect::Esbmc => "ESBMC",
        })
    }
}

/// A goto binary.
#[derive(Clone, Debug)]
pub struct Binary {
    /// Whose it is.
    pub dialect: Dialect,
    /// The version of the format.
    pub version: u32,
    /// Its ireps and texts.
    pub ireps: Ireps,
    /// The symbols in the order of the file.
    pub symbols: Vec<SymbolEntry>,
    /// The functions that have a body.
    pub functions: Vec<FunctionEntry>,
    /// The bytes after the last function; readers ignore them.
    pub trailing: Box<[u8]>,
}

/// A symbol as it is written.
#[derive(Clone, Debug)]
pub enum SymbolEntry {
    /// CBMC's fields.
    Fields(Box<SymbolFields>),
    /// ESBMC's irep.
    Irep(IrepId),
}

/// The fields of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolFields {
    /// Its type.
    pub ty: IrepId,
    /// Its value: `nil` for none, `compiled` for a function with a body.
    pub value: IrepId,
    /// Where it is declared.
    pub location: IrepId,
    /// Name, module, base name, mode and pretty name.
    pub texts: [TextId; 5],
    /// A word that is not used.
    pub unused: u32,
    /// The flags.
    pub flags: u32,
}

/// A function as it is written.
#[derive(Clone, Debug)]
pub struct FunctionEntry {
    /// Its name.
    pub name: Box<[u8]>,
    /// Its body.
    pub body: BodyEntry,
}

/// A body as it is written.
#[derive(Clone, Debug)]
pub enum BodyEntry {
    /// CBMC's instructions.
    Instructions(Vec<InstructionEntry>),
    /// ESBMC's irep, whose ordered children are the instructions.
    Irep(IrepId),
}

/// An instruction of CBMC's as it is written.
#[derive(Clone, Debug)]
pub struct InstructionEntry {
    /// The statement.
    pub code: IrepId,
    /// Where it comes from.
    pub location: IrepId,
    /// Its type, as `docs/goto-binaries.md` lists them.
    pub kind: u32,
    /// The condition.
    pub guard: IrepId,
    /// Its number as a target of jumps, all ones if it is none.
    pub number: u32,
    /// The numbers that it jumps to.
    pub targets: Box<[u32]>,
    /// Its labels.
    pub labels: Box<[TextId]>,
}

/// The flaw in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Where, in bytes from the start.
    pub offset: usize,
    /// What.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ReadError {}

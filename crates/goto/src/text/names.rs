//! The words of the text format: reserved words, operators by name, names that need quotes.

use crate::expr::{BinaryOp, MemoryOp, UnaryOp};
use crate::program::Intrinsic;
use vergo_num::{Function, Function2, RoundingMode};
use vergo_source::Precedence;

/// Words that a name may be only between backquotes.
const RESERVED: &[&str] = &[
    "abort",
    "align",
    "alloc",
    "assert",
    "assume",
    "atomic_begin",
    "atomic_end",
    "bf16",
    "bool",
    "bytes",
    "call",
    "const",
    "cwe",
    "dead",
    "decl",
    "end",
    "entry",
    "extern",
    "false",
    "float",
    "fn",
    "free",
    "function",
    "goto",
    "heap",
    "if",
    "intrinsic",
    "join",
    "labels",
    "let",
    "library",
    "local",
    "machine",
    "nondet",
    "param",
    "return",
    "sites",
    "size",
    "skip",
    "spawn",
    "stack",
    "static",
    "struct",
    "thread_local",
    "true",
    "union",
    "unsupported",
    "void",
    "wide",
    "x87",
    "zeroed",
];

/// Returns whether a name can be printed without quotes.
pub(super) fn is_plain(name: &str) -> bool {
    let mut bytes = name.bytes();
    let plain = bytes.next().is_some_and(is_name_start)
        && bytes.all(is_name_byte)
        && colons_are_pairs(name)
        && RESERVED.binary_search(&name).is_err();
    plain && scalar_type(name).is_none() && label(name).is_none()
}

/// Returns whether colons occur only as `::` before a name byte.
fn colons_are_pairs(name: &str) -> bool {
    let bytes = name.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] == b':' {
            let pair = bytes.get(i + 1) == Some(&b':');
            let more = bytes.get(i + 2).is_some_and(|&b| is_name_byte(b) && b != b':');
            if !pair || !more {
                return false;
            }
            i += 1;
        }
        i += 1;
    }
    true
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')
}

/// Colons count: the lexer and [`is_plain`] see to it that they come in pairs.
fn is_name_byte(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || byte == b':'
}

/// `i32` and the like: letter `i` or `u` and the width.
pub(super) fn scalar_type(word: &str) -> Option<(bool, u32)> {
    let (signed, digits) = match word.as_bytes().first()? {
        b'i' => (true, &word[1..]),
        b'u' => (false, &word[1..]),
        _ => return float_type(word).then_some((false, 0)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || digits.starts_with('0') {
        return None;
    }
    digits.parse().ok().map(|width| (signed, width))
}

/// `f32` and the like.
pub(super) fn float_type(word: &str) -> bool {
    matches!(word, "f16" | "bf16" | "f32" | "f64" | "f128" | "x87")
}

/// `L7`: the label's number.
pub(super) fn label(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('L')?;
    let canonical = !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    canonical.then(|| digits.parse().ok()).flatten()
}

/// A name as it is printed.
pub(super) fn quote_name(out: &mut String, name: &str) {
    if is_plain(name) {
        out.push_str(name);
    } else {
        quote(out, name.as_bytes(), '`');
    }
}

/// Bytes between quotes; what is not printable ASCII is `\hh`.
pub(super) fn quote(out: &mut String, bytes: &[u8], mark: char) {
    out.push(mark);
    for &byte in bytes {
        if byte == b'\\' || char::from(byte) == mark {
            out.push('\\');
            out.push(char::from(byte));
        } else if (0x20..0x7f).contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('\\');
            for digit in [byte >> 4, byte & 15] {
                out.push(char::from_digit(digit.into(), 16).expect("a hexadecimal digit"));
            }
        }
    }
    out.push(mark);
}

/// Declares the words of an operator type, and the functions from and to them.
macro_rules! words {
    ($to:ident, $from:ident, $ty:ty { $($value:expr => $word:literal,)* }) => {
        pub(super) fn $to(value: $ty) -> Option<&'static str> {
            $(if value == $value { return Some($word); })*
            None
        }

        pub(super) fn $from(word: &str) -> Option<$ty> {
            match word {
                $($word => Some($value),)*
                _ => None,
            }
        }
    };
}

/// The word of an operation on one value that is written as a call.
pub(super) fn unary_word(op: UnaryOp) -> Option<&'static str> {
    match op {
        UnaryOp::Library(function) => Some(function.name()),
        _ => plain_unary_word(op),
    }
}

pub(super) fn unary_from(word: &str) -> Option<UnaryOp> {
    let library = Function::ALL.iter().find(|function| function.name() == word);
    library.map(|&function| UnaryOp::Library(function)).or_else(|| plain_unary_from(word))
}

/// The word of an operation on two values that is written as a call.
pub(super) fn binary_word(op: BinaryOp) -> Option<&'static str> {
    match op {
        BinaryOp::Library(function) => Some(function.name()),
        _ => plain_binary_word(op),
    }
}

pub(super) fn binary_from(word: &str) -> Option<BinaryOp> {
    let library = Function2::ALL.iter().find(|function| function.name() == word);
    library.map(|&function| BinaryOp::Library(function)).or_else(|| plain_binary_from(word))
}

words! { plain_unary_word, plain_unary_from, UnaryOp {
    UnaryOp::Abs => "abs",
    UnaryOp::Sqrt => "sqrt",
    UnaryOp::IsNan => "is_nan",
    UnaryOp::IsInf => "is_inf",
    UnaryOp::IsNormal => "is_normal",
    UnaryOp::IsSubnormal => "is_subnormal",
    UnaryOp::SignBit => "sign_bit",
    UnaryOp::LeadingZeros => "leading_zeros",
    UnaryOp::TrailingZeros => "trailing_zeros",
    UnaryOp::PopCount => "pop_count",
    UnaryOp::ByteSwap => "byte_swap",
} }

words! { plain_binary_word, plain_binary_from, BinaryOp {
    BinaryOp::IeeeRem => "remainder",
    BinaryOp::Min => "fmin",
    BinaryOp::Max => "fmax",
    BinaryOp::AddOverflows => "add_overflows",
    BinaryOp::SubOverflows => "sub_overflows",
    BinaryOp::MulOverflows => "mul_overflows",
    BinaryOp::ShlOverflows => "shl_overflows",
} }

words! { memory_word, memory_from, MemoryOp {
    MemoryOp::HasObject => "has_object",
    MemoryOp::IsLive => "is_live",
    MemoryOp::ObjectSize => "object_size",
    MemoryOp::Offset => "offset",
    MemoryOp::SameObject => "same_object",
    MemoryOp::IsHeap => "is_heap",
    MemoryOp::IsWritable => "is_writable",
    MemoryOp::IsFunction => "is_function",
    MemoryOp::IsInitialized => "is_initialized",
    MemoryOp::TextSize => "text_size",
    MemoryOp::TextEnds => "text_ends",
    MemoryOp::HeapEmpty => "heap_empty",
    MemoryOp::HeapReachable => "heap_reachable",
    MemoryOp::UnracedRead => "unraced_read",
    MemoryOp::UnracedWrite => "unraced_write",
    MemoryOp::OthersGoOn => "others_go_on",
} }

words! { intrinsic_word, intrinsic_from, Intrinsic {
    Intrinsic::Write => "write",
    Intrinsic::Read => "read",
    Intrinsic::Reads => "reads",
    Intrinsic::Copies => "copies",
    Intrinsic::Writes => "writes",
    Intrinsic::PrintFloat => "print_float",
    Intrinsic::Print => "print",
    Intrinsic::PrintTo => "print_to",
    Intrinsic::Scan => "scan",
    Intrinsic::ScanFrom => "scan_from",
    Intrinsic::Time => "time",
    Intrinsic::Thread => "thread",
    Intrinsic::Choose => "choose",
    Intrinsic::Order => "order",
    Intrinsic::Approximation => "approximation",
} }

pub(super) fn rounding_from(word: &str) -> Option<RoundingMode> {
    RoundingMode::ALL.into_iter().find(|mode| mode.smt_name() == word)
}

/// Returns the strength of an infix operator, which is its precedence in C, and its sign.
pub(super) fn infix(op: BinaryOp) -> Option<(u8, &'static str)> {
    let sign = op.sign()?;
    let precedence = match op {
        BinaryOp::Implies => Precedence::Conditional,
        _ => Precedence::of_binary(sign)?,
    };
    Some((precedence as u8, sign))
}

/// Strength of a choice `c ? a : b`; an implication binds tighter.
pub(super) const CHOICE: u8 = Precedence::Conditional as u8 - 1;
/// Strength of prefix operators and casts.
pub(super) const PREFIX: u8 = Precedence::Unary as u8;
/// Strength of members, elements and everything that needs no parentheses.
pub(super) const POSTFIX: u8 = Precedence::Postfix as u8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        for plain in ["x", "main::x", "a::b$1", "_", "f", "L", "u", "i0", "L00"] {
            assert!(is_plain(plain), "{plain}");
        }
        for odd in ["", "1x", "a:b", "a::", "a:::b", "i32", "f64", "L3", "if", "a b", "a.b", "ä"] {
            assert!(!is_plain(odd), "{odd}");
        }
    }
}

//! The text format: every well-formed program prints to text that parses back to the same program.
//!
//! "The same" is up to the numbering of types, expressions and symbols, which the text does not show; what is printed
//! again is equal byte for byte. Spans are printed on request.
//!
//! # The format
//!
//! Comments begin with `//`. Names are letters, digits, `_`, `$` and `::`; other names and reserved words stand
//! between backquotes, with backslash escapes. Items come in any order:
//!
//! ```text
//! machine 64 x87 16 wide 8;                      // pointer width, size of x87 numbers, alignment of wide members
//! sites 3;                                       // nondeterministic sites taken
//! entry main;
//! struct node size 16 align 8 { value: i32 @0; flag: u1 @4:0; next: struct node* @8; }
//! struct opaque;                                 // incomplete
//! static head "head": struct node* align 8 = { @0: &first; };
//! static const text: u8[3] align 1 = { @0: bytes "hi\00"; };
//! extern function puts: fn(i8*) -> i32;
//! let #0 = x + 1i32;                             // a large expression that is used more than once
//! function f: fn(i32) -> i32 labels 1 {
//!     param n: i32 align 4;
//!     local i "i": i32 align 4;
//!     decl i;
//!     i := n;
//!   L0:
//!     if i < 0i32 goto L0;
//!     assert !#add_overflows(i, 1i32) "arith.signed-overflow" "sum" cwe 190;
//!     i := call g(i, @f);
//!     return i;
//! }
//! ```
//!
//! Types: `void`, `bool`, `i32`, `u7`, `f16`, `bf16`, `f32`, `f64`, `x87`, `f128`, `float(e,s)`, `struct NAME` (also of
//! unions), `fn(T, T) -> T`; `T*` points to `T`, and `T[n]` is an array of `T`; before
//! these, a function type stands in brackets. Operators bind as in C, `==>` weakest but
//! for `?:`. `+` on a pointer and an integer is pointer arithmetic. Numbers carry their type: `-1i32`, `2.5f64`.
//! Everything else is a `#` operator: `#null<T*>`, `#addr<T*>(16)`, `#zero<T>`, `#nondet<T>(0)`, `#float<f64>(nan)`,
//! `#make<T>{a, b}` (of a union `#make<T>{1: a}`), `#fill<T>(a)`, `#bits<T>(a)`, `#cast<T, RTP>(a)`, `#round<RTZ>(a)`,
//! and functions such as `#sqrt(a)`, `#fma(a, b, c)` and `#is_live(p)`.

mod lex;
mod names;
mod parse;
mod parse_expr;
mod parse_instr;
mod print;
mod print_expr;

pub use parse::{NamePlace, Named, ParseError, parse, parse_as_source};
pub use print::{PrintOptions, print, print_with};
pub use print_expr::{expr_to_text, type_to_text};

//! Files, spans, line markers, line index, diagnostics with stable codes.
//!
//! All files of a run share one `u32` address space, so a [`Span`] is eight bytes, `Copy`, and
//! needs no file beside it. [`SourceMap`] turns positions back into what a user knows: the file,
//! line and column that he wrote, through the line markers that a C preprocessor leaves behind.
//!
//! ```
//! use vergo_source::{codes, Diagnostic, Renderer, SourceMap};
//!
//! codes! {
//!     /// The codes of this example.
//!     pub EXAMPLE_CODES;
//!     UNDECLARED = "X0001", "use of an undeclared name", "Every name must be declared.";
//! }
//!
//! let mut map = SourceMap::new();
//! let file = map.add("a.c", "int f(void) { return x; }\n").unwrap();
//! let span = map.span(file, 21, 22);
//! let diagnostic = Diagnostic::error(UNDECLARED, span, "`x` is not declared");
//! let text = Renderer::plain().render(&map, &diagnostic);
//! assert!(text.starts_with("error[X0001]: `x` is not declared"));
//! assert!(text.contains("a.c:1:22"));
//! ```

mod code;
mod column;
mod diagnostic;
mod json;
mod lines;
mod map;
mod marker;
mod precedence;
mod render;
mod sink;
mod span;

pub use code::{Code, CodeInfo, ids_are_sorted};
pub use diagnostic::{Assumed, Diagnostic, Severity};
pub use json::{JsonDiagnostic, JsonLabel, escape_json};
pub use map::{FileId, Location, SourceError, SourceMap};
pub use marker::MarkerFlags;
pub use precedence::Precedence;
pub use render::Renderer;
pub use sink::Diagnostics;
pub use span::Span;

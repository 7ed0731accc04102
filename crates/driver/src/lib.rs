//! The façade: check, transform, run and dump requests in, reports out; owns the pipelines.
//!
//! A [`Job`] holds what one run of the tool has in common: the source map, the diagnostics
//! and the options of the C dialect. Requests are functions on it; they return text or values
//! and never print, exit or read the environment. What they need from outside comes in through
//! options, so that the command line and a language server can use the same requests.

mod codes;
mod cpp_dialect;
mod dump;
mod explain;
mod input;
mod job;
pub mod preprocess;

pub use codes::DRIVER_CODES;
pub use dump::{Stage, dump};
pub use explain::{all_codes, explain};
pub use input::Input;
pub use job::{Failed, Job};
pub use vergo_cfront::target::DataModel;

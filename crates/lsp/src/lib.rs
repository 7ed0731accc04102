//! The language server and the debug adapter. The server: diagnostics while a program is written, verdicts when it is saved or when they are asked for.
//!
//! Everything long happens in other threads, which send [`Event`](server::Event)s; the loop that talks to the editor never
//! waits for them. What is shown belongs to the text that is open: a verdict on another text is not shown. Until the editor
//! says that the user trusts the workspace, nothing is run.
//!
//! `docs/editors.md` is the manual.

mod analysis;
mod answers;
mod dap;
mod macros;
mod reading;
mod server;
mod settings;
mod text;
mod verification;

pub use dap::serve as serve_debugger;
pub use server::serve;

use lsp_server::Connection;

/// Serves an editor on standard input and output until it says goodbye.
///
/// # Errors
/// If the editor does not keep to the protocol; the message says where.
pub fn serve_stdio() -> Result<(), String> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    // The writing thread ends when nobody can send any more.
    drop(connection);
    let ended = threads.join().map_err(|error| error.to_string());
    served.and(ended)
}

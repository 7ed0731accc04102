//! Files that others see as a whole or not at all, for folders that several processes and machines share.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes a file under another name and then renames it; what stood there before is replaced. Folders are made.
///
/// # Errors
/// If it cannot be written; nothing half-done is left behind, if that is possible.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // Numbers of processes are unique on one machine only.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let own = path.with_extension(format!("{}-{now}.new", std::process::id()));
    let written = std::fs::write(&own, bytes).and_then(|()| std::fs::rename(&own, path));
    written.inspect_err(|_| {
        let _ = std::fs::remove_file(&own);
    })
}

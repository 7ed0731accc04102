//! External goto binaries: read, and written back byte for byte.

use std::path::{Path, PathBuf};
use vergo_gbf::Dialect;

/// All goto binaries below a folder, in order.
fn binaries(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "gb" || e == "goto") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn files_are_written_as_they_were_read() {
    let Some(shared) = vergo_testkit::environment::shared_or_skip("gbf files") else { return };
    let files = binaries(&shared.join("gbf"));
    assert!(files.len() >= 45 + 38 + 86, "{} files", files.len());
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let binary = vergo_gbf::read(&bytes).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        assert!(binary.trailing.is_empty(), "{}", file.display());
        assert!(vergo_gbf::write(&binary) == bytes, "{}", file.display());
        let memory = binary.ireps.memory();
        assert!(memory <= 4 * bytes.len(), "{}: {memory} for {}", file.display(), bytes.len());
        assert_eq!(Dialect::of(&bytes), Some(binary.dialect));
    }
}

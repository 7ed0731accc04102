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

/// Maps a binary and checks the result.
fn map(bytes: &[u8]) -> Result<(), String> {
    let binary = vergo_gbf::read(bytes).map_err(|e| e.to_string())?;
    let mut sources = vergo_source::SourceMap::new();
    let options = vergo_gbf::map::Options::default();
    let mapped = vergo_gbf::map::map(&binary, &mut sources, &options)?;
    // A function without a body is completed by the caller, so there is no more to be said of it here.
    match vergo_goto::verify::verify(&mapped.program) {
        Ok(()) => Ok(()),
        Err(errors) => panic!("{}", errors[0]),
    }
}

#[test]
fn files_map_to_well_formed_programs() {
    let Some(shared) = vergo_testkit::environment::shared_or_skip("gbf mapping") else { return };
    for file in binaries(&shared.join("gbf")) {
        let bytes = std::fs::read(&file).unwrap();
        map(&bytes).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
}

#[test]
fn translation_there_and_back_keeps_the_program() {
    let Some(shared) = vergo_testkit::environment::shared_or_skip("gbf translation") else {
        return;
    };
    let mut refused = Vec::new();
    for file in binaries(&shared.join("gbf")) {
        let bytes = std::fs::read(&file).unwrap();
        let binary = vergo_gbf::read(&bytes).unwrap();
        let other = match binary.dialect {
            Dialect::Cbmc => Dialect::Esbmc,
            Dialect::Esbmc => Dialect::Cbmc,
        };
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if let Err(loss) = vergo_gbf::transcode::transcode(&binary, other, false) {
            refused.push(format!("{name}: {}", loss.what));
            continue;
        }
        let translate = |binary: &vergo_gbf::Binary, to| {
            let (result, losses) = vergo_gbf::transcode::transcode(binary, to, false)
                .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            assert!(losses.is_empty());
            // What is written can be read.
            let bytes = vergo_gbf::write(&result);
            assert!(vergo_gbf::write(&vergo_gbf::read(&bytes).unwrap()) == bytes);
            map(&bytes).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            result
        };
        let there = translate(&binary, other);
        let back = translate(&there, binary.dialect);
        assert!(back.symbols.len() >= binary.symbols.len());
        assert_eq!(back.functions.len(), binary.functions.len());
    }
    assert_eq!(refused, REFUSED);
}

/// Files that the other dialect has no words for: the tools pass variable arguments in ways of their own.
const REFUSED: &[&str] =
    &["Variadic1.gb: the side effect `va_start`", "Variadic1.goto: the side effect `va_arg`"];

/// Translates a file there and back, as far as it can be read; what is written can be read again.
fn translated(bytes: &[u8]) {
    let Ok(mut binary) = vergo_gbf::read(bytes) else { return };
    for to in [Dialect::Esbmc, Dialect::Cbmc, Dialect::Esbmc] {
        let Ok((other, _)) = vergo_gbf::transcode::transcode(&binary, to, true) else { return };
        binary = vergo_gbf::read(&vergo_gbf::write(&other)).unwrap();
    }
}

#[test]
fn damaged_files_map_or_are_refused() {
    let Some(shared) = vergo_testkit::environment::shared_or_skip("damaged gbf") else { return };
    let files: Vec<Vec<u8>> = binaries(&shared.join("gbf"))
        .into_iter()
        .map(|file| std::fs::read(file).unwrap())
        .filter(|bytes| bytes.len() < 20_000)
        .collect();
    let n = if vergo_testkit::environment::slow() { 200_000 } else { 2_000 };
    let mut rng = vergo_testkit::Rng::new(18);
    let mut n_mapped = 0;
    for _ in 0..n {
        let mut bytes = rng.choose(&files).clone();
        for _ in 0..rng.between(1, 3) {
            let at = rng.between(5, bytes.len() - 1);
            match rng.below(3) {
                0 => bytes[at] = rng.bits() as u8,
                1 => bytes[at] ^= 1 << rng.below(8),
                _ => bytes[at] = bytes[at].wrapping_add(1),
            }
        }
        let mapped = std::panic::catch_unwind(|| {
            translated(&bytes);
            map(&bytes)
        });
        let Ok(mapped) = mapped else {
            std::fs::write(std::env::temp_dir().join("damaged.goto"), &bytes).unwrap();
            panic!(
                "a damaged file makes the mapping or translation panic; see damaged.goto in the \
                 temporary folder"
            );
        };
        n_mapped += usize::from(mapped.is_ok());
    }
    assert!(n_mapped > n / 20, "{n_mapped} of {n}");
}

/// The speed of reading and mapping the largest file of each dialect, and the memory that it takes.
#[test]
fn speed_of_reading_and_mapping() {
    let name = "speed_of_reading_and_mapping";
    let Some(shared) = vergo_testkit::environment::shared_or_skip(name) else { return };
    if !vergo_testkit::environment::slow_or_skip(name) {
        return;
    }
    let files = binaries(&shared.join("gbf"));
    for ending in ["gb", "goto"] {
        let of_kind = files.iter().filter(|f| f.extension().is_some_and(|e| e == ending));
        let Some(largest) = of_kind.max_by_key(|f| f.metadata().unwrap().len()) else { continue };
        let bytes = std::fs::read(largest).unwrap();
        let before = resident();
        let binary = vergo_gbf::read(&bytes).unwrap();
        let mut sources = vergo_source::SourceMap::new();
        let options = vergo_gbf::map::Options::default();
        let mapped = vergo_gbf::map::map(&binary, &mut sources, &options).unwrap();
        let taken = (resident() - before) / bytes.len() as f64;
        drop((binary, mapped, sources));
        let rate = |times: usize, act: &dyn Fn()| {
            let start = working_time();
            (0..times).for_each(|_| act());
            (bytes.len() * times) as f64 / (working_time() - start).max(1e-6) / 1e6
        };
        let reading = rate(20, &|| drop(vergo_gbf::read(&bytes).unwrap()));
        let both = rate(20, &|| {
            let binary = vergo_gbf::read(&bytes).unwrap();
            let mut sources = vergo_source::SourceMap::new();
            drop(vergo_gbf::map::map(&binary, &mut sources, &options).unwrap());
        });
        let n = bytes.len();
        let numbers =
            format!("{n} bytes: {reading:.1} and {both:.1} MB/s, memory {taken:.1} times");
        // Small files are mostly overhead, and code that is not optimised is slower.
        let least = if cfg!(debug_assertions) { 10.0 } else { 30.0 };
        assert!(n < 200_000 || both > least && taken < 10.0, "{numbers}");
    }
}

/// The seconds that this thread has worked, where the system says; a busy machine does not make them more.
fn working_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// The bytes that this process has in memory, where the system says.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    1024.0 * kilobytes.unwrap_or(0.0)
}

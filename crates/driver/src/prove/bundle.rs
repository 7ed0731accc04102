//! A proof for another machine: everything that it needs, under the hash of it.
//!
//! A *spool* is a folder that all machines see. In it, `files/HASH` are preprocessed sources, so that a worker needs neither headers nor a
//! compiler, and `jobs/HASH` are bundles: the names and hashes of the sources, and the options of `vergo check`. A name says what the
//! content is, so whatever is there already need not be written again, and whoever reads notices what is damaged.
//!
//! A worker trusts a bundle no more than a project file: its options are those that a proof can have, its files lie in a folder
//! that the worker has made, and no program is run but Vergo.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use vergo_evidence::sha256::sha256_hex;

use super::run_folder::{RunFolder, is_hash};
use super::{Limits, ProofResult, ProofVerdict, ProveRequest, What, limits, process};
use crate::project::{Proof, is_proof_option};
use crate::whole_file;

/// The first words of a bundle.
const FORMAT: &str = "vergo-job";
const VERSION: u64 = 1;

/// The bundles of some proofs.
pub(super) struct Bundles<'a> {
    spool: PathBuf,
    request: &'a ProveRequest,
}

/// A source: how it is preprocessed, and its name.
type Source = (Vec<String>, String);

impl<'a> Bundles<'a> {
    pub(super) fn new(spool: &Path, request: &'a ProveRequest) -> Bundles<'a> {
        Bundles { spool: spool.to_owned(), request }
    }

    /// Writes the bundles of proofs; each source is preprocessed once.
    pub(super) fn of_all(&self, proofs: &[Proof]) -> Vec<Result<What, String>> {
        let wanted: Vec<Result<Vec<Source>, String>> =
            proofs.iter().map(|proof| self.sources(proof)).collect();
        let each: BTreeSet<&Source> = wanted.iter().flatten().flatten().collect();
        let each: Vec<&Source> = each.into_iter().collect();
        let n_workers = self.request.jobs.clamp(1, each.len().max(1));
        let hashes: BTreeMap<&Source, Result<String, String>> = std::thread::scope(|scope| {
            let part = |worker: usize| {
                let mine = each.iter().skip(worker).step_by(n_workers);
                mine.map(|&source| (source, self.file(source))).collect::<Vec<_>>()
            };
            let workers: Vec<_> =
                (0..n_workers).map(|worker| scope.spawn(move || part(worker))).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
        });
        let bundle = |proof: &Proof, sources: &Result<Vec<Source>, String>| {
            let mut files = Vec::new();
            for source in sources.as_ref().map_err(Clone::clone)? {
                let hash = hashes.get(source).cloned();
                files.push((source.1.clone(), hash.ok_or("the preprocessor was not run")??));
            }
            self.write(proof, &files)
        };
        let each = proofs.iter().zip(&wanted);
        each.map(|(proof, sources)| bundle(proof, sources).map(What::Bundle)).collect()
    }

    fn sources(&self, proof: &Proof) -> Result<Vec<Source>, String> {
        let folder = &self.request.folder;
        let mut options = self.request.preprocessor.clone();
        options.extend(proof.c_options(folder)?);
        Ok(proof.files(folder)?.into_iter().map(|file| (options.clone(), file)).collect())
    }

    /// Preprocesses a source and puts it into the spool; its hash.
    fn file(&self, (options, file): &Source) -> Result<String, String> {
        let here = self.request.folder.as_os_str().is_empty();
        let mut command = Command::new(&self.request.program);
        command
            .args(["dump", "--at=preprocessed"])
            .args(options)
            .args(["--", file.as_str()])
            .current_dir(if here { Path::new(".") } else { &self.request.folder })
            .stdin(Stdio::null());
        let done = command
            .output()
            .map_err(|error| format!("the preprocessor of `{file}` does not start: {error}"))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            let error = said.lines().find(|line| line.starts_with("error"));
            return Err(error.unwrap_or("the preprocessor fails").to_owned());
        }
        self.keep("files", &done.stdout)
    }

    /// Puts a text into a folder of the spool, under its hash.
    fn keep(&self, folder: &str, text: &[u8]) -> Result<String, String> {
        let hash = sha256_hex(text);
        let path = self.spool.join(folder).join(&hash);
        let same = std::fs::metadata(&path).is_ok_and(|about| about.len() == text.len() as u64);
        if !same {
            whole_file::write(&path, text)
                .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        }
        Ok(hash)
    }

    fn write(&self, proof: &Proof, files: &[(String, String)]) -> Result<String, String> {
        let limits = limits(proof, self.request);
        let mut options = self.request.arguments.clone();
        options.extend(proof.check_options());
        let text = json!({
            "format": FORMAT,
            "version": VERSION,
            "tool": self.request.version,
            "seconds": limits.time.as_secs_f64(),
            "megabytes": limits.memory >> 20,
            "options": options,
            "files": files,
        });
        self.keep("jobs", text.to_string().as_bytes())
    }
}

/// A bundle that was read.
struct Bundle {
    limits: Limits,
    options: Vec<String>,
    files: Vec<(String, String)>,
}

/// Does the work of a worker: runs the proof of a bundle, and leaves its result with the run. Work that is done already, or that nobody
/// wants any more, is not done.
///
/// # Errors
/// If the result cannot be left.
pub fn work(
    program: &Path,
    version: &str,
    run: &Path,
    hash: &str,
    scratch: &Path,
) -> Result<(), String> {
    let run = RunFolder::open(run)?;
    if !is_hash(hash) {
        return Err(format!("`{hash}` is not the name of a bundle"));
    }
    if run.is_cancelled() || run.result(hash, "").is_some() {
        return Ok(());
    }
    run.begin(hash)?;
    let result = match read(run.spool(), hash, version).and_then(|bundle| {
        unpack(run.spool(), &bundle, scratch)?;
        Ok(bundle)
    }) {
        Ok(bundle) => {
            let mut arguments = bundle.options;
            arguments.push("--".to_owned());
            arguments.extend(bundle.files.into_iter().map(|(name, _)| name));
            process::run(program, "", &arguments, scratch, bundle.limits)
        }
        Err(message) => ProofResult {
            name: String::new(),
            verdict: ProofVerdict::Rejected(message),
            time: Duration::ZERO,
            memory: 0,
            output: String::new(),
        },
    };
    run.end(hash, &result)
}

/// Reads a text of the spool whose hash is its name.
fn text(spool: &Path, folder: &str, hash: &str) -> Result<Vec<u8>, String> {
    let path = spool.join(folder).join(hash);
    let shown = path.display();
    let text = std::fs::read(&path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    match sha256_hex(&text) == hash {
        true => Ok(text),
        false => Err(format!("`{shown}` is damaged")),
    }
}

fn read(spool: &Path, hash: &str, version: &str) -> Result<Bundle, String> {
    let text = text(spool, "jobs", hash)?;
    let value: Value = serde_json::from_slice(&text).unwrap_or_default();
    let wrong = || format!("the bundle {hash} is not one of this version");
    if value["format"] != FORMAT || value["version"] != VERSION {
        return Err(wrong());
    }
    if value["tool"] != version {
        let other = value["tool"].as_str().unwrap_or("another");
        return Err(format!("the bundle is for Vergo {other}, and the worker is {version}"));
    }
    let texts = |value: &Value| -> Option<Vec<String>> {
        value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let seconds = value["seconds"].as_f64().and_then(|s| Duration::try_from_secs_f64(s).ok());
    let megabytes = value["megabytes"].as_u64();
    let options = texts(&value["options"]).ok_or_else(wrong)?;
    let files = value["files"].as_array().ok_or_else(wrong)?.iter();
    let files = files
        .map(|file| {
            let [name, hash] = <[String; 2]>::try_from(texts(file)?).ok()?;
            Some((name, hash))
        })
        .collect::<Option<Vec<_>>>()
        .ok_or_else(wrong)?;
    if let Some(option) = options.iter().find(|option| !is_proof_option(option)) {
        return Err(format!("`{option}` is no option of a proof"));
    }
    let time = seconds.ok_or_else(wrong)?;
    let memory = megabytes.ok_or_else(wrong)?.saturating_mul(1 << 20);
    Ok(Bundle { limits: Limits { time, memory }, options, files })
}

/// Writes the files of a bundle into a folder of the worker's own.
fn unpack(spool: &Path, bundle: &Bundle, scratch: &Path) -> Result<(), String> {
    for (name, hash) in &bundle.files {
        let path = Path::new(name);
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || !is_hash(hash) {
            return Err(format!("`{name}` is no file of a project"));
        }
        let to = scratch.join(path);
        let text = text(spool, "files", hash)?;
        std::fs::create_dir_all(to.parent().unwrap_or(scratch))
            .and_then(|()| std::fs::write(&to, text))
            .map_err(|error| format!("cannot write `{}`: {error}", to.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_testkit::host_c::Scratch;

    /// The answer of a worker to a bundle.
    fn unpacked(folder: &Scratch, option: &str, name: &str, tool: &str) -> Result<(), String> {
        let spool = folder.path("spool");
        let source = b"void h(void) {}\n";
        let hash = sha256_hex(source);
        whole_file::write(&spool.join("files").join(&hash), source).unwrap();
        let text = json!({
            "format": FORMAT, "version": VERSION, "tool": tool, "seconds": 10.0, "megabytes": 500,
            "options": ["--function=h", option], "files": [[name, hash]],
        })
        .to_string();
        let job = sha256_hex(text.as_bytes());
        whole_file::write(&spool.join("jobs").join(&job), text.as_bytes()).unwrap();
        let bundle = read(&spool, &job, "1.2")?;
        unpack(&spool, &bundle, &folder.path("scratch"))?;
        // Whatever is changed is noticed.
        whole_file::write(&spool.join("jobs").join(&job), text.replace("500", "501").as_bytes())
            .unwrap();
        assert!(read(&spool, &job, "1.2").is_err_and(|message| message.contains("is damaged")));
        whole_file::write(&spool.join("files").join(&hash), b"int x;\n").unwrap();
        let damaged = unpack(&spool, &bundle, &folder.path("other"));
        assert!(damaged.is_err_and(|message| message.contains("is damaged")));
        Ok(())
    }

    #[test]
    fn a_worker_trusts_a_bundle_no_more_than_a_project_file() {
        let folder = Scratch::new("bundles").unwrap();
        assert_eq!(unpacked(&folder, "--nondet-static", "src/a.c", "1.2"), Ok(()));
        assert!(folder.path("scratch/src/a.c").exists());
        for (option, name, tool, message) in [
            ("--cpp=touch x", "a.c", "1.2", "no option of a proof"),
            ("-I/", "a.c", "1.2", "no option of a proof"),
            ("--html=out", "a.c", "1.2", "no option of a proof"),
            ("--nondet-static", "../a.c", "1.2", "no file of a project"),
            ("--nondet-static", "/elsewhere/a.c", "1.2", "no file of a project"),
            ("--nondet-static", "a.c", "1.1", "the bundle is for Vergo 1.1"),
        ] {
            let said = unpacked(&folder, option, name, tool).unwrap_err();
            assert!(said.contains(message), "{said}");
        }
    }
}

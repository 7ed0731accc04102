//! The folder of one run in a spool: which jobs have begun, and their results.
//!
//! Results are files under the hash of their bundle, written as a whole, with a hash of their own at the end. Two workers that do the same
//! write the same file, and one that dies leaves none. A file `cancelled` tells workers that nobody waits any more; a process that
//! survives us writes it if we die.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::{Job, JobState, ProofResult, ProofVerdict, What};
use crate::{sealed, whole_file};

/// Which jobs a cluster has, and what is known of them.
pub(super) struct RunFolder {
    folder: PathBuf,
    spool: PathBuf,
    /// The name and the bundle of each job.
    jobs: Vec<(String, String)>,
    /// The jobs of each bundle: two proofs can be the same.
    of: BTreeMap<String, Vec<usize>>,
    /// The news that was told already.
    told: BTreeSet<(String, bool)>,
    /// When to look again.
    next: Instant,
    guard: Option<Child>,
}

/// Returns whether a text is the name of something in a spool.
pub(super) fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl RunFolder {
    /// A new run of these jobs.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub(super) fn new(spool: &Path, jobs: &[Job]) -> Result<RunFolder, String> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let spool = std::path::absolute(spool)
            .map_err(|error| format!("`{}`: {error}", spool.display()))?;
        let folder = spool.join("runs").join(format!("{now}-{}", std::process::id()));
        for part in ["began", "results", "output"] {
            std::fs::create_dir_all(folder.join(part))
                .map_err(|error| format!("cannot write `{}`: {error}", folder.display()))?;
        }
        let mut run = RunFolder::open(&folder)?;
        for (index, job) in jobs.iter().enumerate() {
            let hash = match &job.what {
                What::Bundle(hash) => hash.clone(),
                What::Arguments(_) => String::new(),
            };
            run.of.entry(hash.clone()).or_default().push(index);
            run.jobs.push((job.name.clone(), hash));
        }
        Ok(run)
    }

    /// A run that another process has begun.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn open(folder: &Path) -> Result<RunFolder, String> {
        let spool = folder.parent().and_then(Path::parent);
        let spool = spool.filter(|_| folder.join("results").is_dir());
        let missing = || format!("`{}` is not the folder of a run", folder.display());
        Ok(RunFolder {
            folder: folder.to_owned(),
            spool: spool.ok_or_else(missing)?.to_owned(),
            jobs: Vec::new(),
            of: BTreeMap::new(),
            told: BTreeSet::new(),
            next: Instant::now(),
            guard: None,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    pub(super) fn spool(&self) -> &Path {
        &self.spool
    }

    /// The bundle of a job.
    pub(super) fn bundle(&self, job: usize) -> &str {
        &self.jobs[job].1
    }

    /// Says that a job has begun.
    pub(super) fn begin(&self, hash: &str) -> Result<(), String> {
        let path = self.folder.join("began").join(hash);
        std::fs::write(&path, "")
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }

    /// Leaves a result; where there is one, it stays.
    pub(super) fn end(&self, hash: &str, result: &ProofResult) -> Result<(), String> {
        let path = self.folder.join("results").join(hash);
        whole_file::write(&path, print(hash, result).as_bytes())
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }

    /// The result of a bundle, for a proof of this name; none if there is none that is whole.
    pub(super) fn result(&self, hash: &str, name: &str) -> Option<ProofResult> {
        let text = std::fs::read(self.folder.join("results").join(hash)).ok()?;
        parse(&text, hash, name)
    }

    /// The result of a job; one that is damaged is taken away.
    pub(super) fn fetch(&mut self, job: usize) -> Option<ProofResult> {
        let (name, hash) = self.jobs[job].clone();
        let result = self.result(&hash, &name);
        if result.is_none() {
            let _ = std::fs::remove_file(self.folder.join("results").join(&hash));
            self.told.remove(&(hash, true));
        }
        result
    }

    /// Which jobs have begun or ended since the last time.
    pub(super) fn news(&mut self) -> Vec<(usize, JobState)> {
        /// Between two looks, ten times as long as one takes, and at least this.
        const LEAST: Duration = Duration::from_millis(100);
        let start = Instant::now();
        if start < self.next {
            return Vec::new();
        }
        let mut news = Vec::new();
        for (part, state) in [("began", JobState::Running), ("results", JobState::Ended)] {
            let has_ended = state == JobState::Ended;
            let entries = std::fs::read_dir(self.folder.join(part)).into_iter().flatten().flatten();
            for name in entries.filter_map(|entry| entry.file_name().into_string().ok()) {
                if let Some(jobs) = self.of.get(&name)
                    && !self.told.contains(&(name.clone(), has_ended))
                {
                    news.extend(jobs.iter().map(|&job| (job, state.clone())));
                    self.told.insert((name, has_ended));
                }
            }
        }
        self.next = Instant::now() + LEAST.max(start.elapsed() * 10);
        news
    }

    /// Returns whether a job has a result.
    pub(super) fn has_result(&self, job: usize) -> bool {
        let hash = self.bundle(job);
        self.told.contains(&(hash.to_owned(), true))
            || self.folder.join("results").join(hash).exists()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.folder.join("cancelled").exists()
    }

    /// Tells workers that nobody waits.
    pub(super) fn cancel(&self) {
        // Where this cannot be written, workers do in vain what they would do anyway.
        let _ = std::fs::write(self.folder.join("cancelled"), "");
    }

    /// Has the run cancelled, and a command run besides, when this process dies, however it does.
    pub(super) fn guard(&mut self, command: &[String]) {
        const SCRIPT: &str = "trap '' INT TERM HUP; read -r line || { : > \"$0\"; \"$@\"; }";
        self.release();
        let mut guard = Command::new("sh");
        guard.args(["-c", SCRIPT]).arg(self.folder.join("cancelled")).args(command);
        guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        self.guard = guard.spawn().ok();
    }

    /// Sends the guard away.
    fn release(&mut self) {
        use std::io::Write;
        if let Some(mut guard) = self.guard.take() {
            if let Some(mut stdin) = guard.stdin.take() {
                let _ = stdin.write_all(b"done\n");
            }
            let _ = guard.wait();
        }
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        self.release();
    }
}

/// A result as text.
fn print(hash: &str, result: &ProofResult) -> String {
    sealed::print(&json!({
        "job": hash,
        "verdict": result.verdict.word(),
        "detail": result.verdict.detail(),
        "seconds": result.time.as_secs_f64(),
        "memory": result.memory,
        "output": result.output,
    }))
}

fn parse(text: &[u8], hash: &str, name: &str) -> Option<ProofResult> {
    let value = sealed::parse(text)?;
    let detail = value["detail"].as_str()?.to_owned();
    let verdict = match value["verdict"].as_str()? {
        "true" => ProofVerdict::True,
        "false" => ProofVerdict::False(detail),
        "unknown" => ProofVerdict::Unknown(detail),
        "rejected" => ProofVerdict::Rejected(detail),
        "crashed" => ProofVerdict::Crashed(detail),
        _ => return None,
    };
    (value["job"] == hash).then_some(ProofResult {
        name: name.to_owned(),
        verdict,
        time: Duration::try_from_secs_f64(value["seconds"].as_f64()?).ok()?,
        memory: value["memory"].as_u64()?,
        output: value["output"].as_str()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_evidence::sha256::sha256_hex;

    #[test]
    fn a_result_is_whole_or_none() {
        let hash = sha256_hex(b"a job");
        let result = ProofResult {
            name: "put".to_owned(),
            verdict: ProofVerdict::False("memory.null".to_owned()),
            time: Duration::from_millis(1500),
            memory: 1 << 20,
            output: "two\nlines".to_owned(),
        };
        let text = print(&hash, &result);
        assert_eq!(parse(text.as_bytes(), &hash, "put"), Some(result));
        assert_eq!(parse(text.as_bytes(), &sha256_hex(b"another"), "put"), None);
        assert_eq!(parse(&text.as_bytes()[1..], &hash, "put"), None);
    }
}

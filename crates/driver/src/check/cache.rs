//! The proofs of earlier runs, and a quick way to check them again.
//!
//! **Idea.** An entry says of a program that no execution of it leaves certain bounds and none of them fails. It stands under the
//! hash of everything that this depends on: the program as GOTO text, in which claims and contracts are and comments and
//! positions are not, the bounds of loops that were asked for, and the version of Vergo. Where a program has an entry, no engine
//! is run: the checker of certificates looks at the program within those bounds.
//!
//! **Soundness.** An entry is a hint. `true` is said because the checker has refuted every failure once more, so that a wrong
//! entry, by accident or on purpose, costs time and makes no verdict: the engines are asked then. An entry has a hash of its
//! own text besides, so that damage is noticed and told. Only proofs by complete unrolling are kept; what is unknown, for want of time
//! above all, never is.

use std::path::{Path, PathBuf};

use vergo_engines::{Effort, Environment, Outcome, Task};
use vergo_evidence::sha256::sha256_hex;
use vergo_evidence::unrolling::{ClosedClaims, Unrolled};
use vergo_evidence::{Bounds, Certificate, Certify, Verdict};
use vergo_goto::text;

/// A folder of entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    /// Where it is. Files appear in it when something is proved.
    pub folder: PathBuf,
}

/// The use of a cache in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CacheUse {
    /// An entry was found, and the checker agrees with it.
    Hit,
    /// There was none; there is one now.
    Stored,
    /// There was none, and there is none now: nothing was proved by unrolling, or it could not be written.
    Nothing,
    /// An entry was found that says what is not so, or is no entry: which file.
    Damaged(PathBuf),
}

impl CacheUse {
    /// A line for people; none if there is nothing to say.
    pub fn line(&self) -> Option<String> {
        match self {
            CacheUse::Hit => Some("Cache: proved before, and checked again".to_owned()),
            CacheUse::Stored | CacheUse::Nothing => None,
            CacheUse::Damaged(path) => {
                Some(format!("Cache: `{}` is damaged and was not used", path.display()))
            }
        }
    }
}

/// The first line of an entry.
const FORMAT: &str = "vergo-cache 1";

impl Cache {
    /// Checks what an entry says of a task, or else runs an engine and keeps what it proves.
    pub(super) fn run(
        &self,
        task: &Task<'_>,
        env: &Environment<'_>,
        engine: impl FnOnce() -> Outcome,
    ) -> (Outcome, CacheUse) {
        let key = key(task);
        let path = self.path(&key);
        let mut used = CacheUse::Nothing;
        match read(&path, &key) {
            Entry::Missing => {}
            Entry::Damaged => used = CacheUse::Damaged(path.clone()),
            Entry::Bounds(bounds) => {
                if let Some(certificate) = checked(task, env, bounds) {
                    let (findings, faults) = (Vec::new(), Vec::new());
                    let verdict = Verdict::True(certificate);
                    let effort = Effort { unwind: bounds.unwind, ..Effort::default() };
                    return (Outcome { verdict, findings, effort, faults }, CacheUse::Hit);
                }
                // Where the time is over, nothing is said against the entry.
                if env.budget.exhausted().is_none() {
                    used = CacheUse::Damaged(path.clone());
                }
            }
        }
        let outcome = engine();
        if let Verdict::True(certificate) = &outcome.verdict
            && outcome.findings.is_empty()
            && let Some(bounds) = certificate.bounds()
            && write(&path, &entry(&key, &bounds)).is_ok()
            && used == CacheUse::Nothing
        {
            used = CacheUse::Stored;
        }
        (outcome, used)
    }

    fn path(&self, key: &str) -> PathBuf {
        let (start, rest) = key.split_at(2);
        self.folder.join(start).join(rest)
    }
}

/// The hash of all that a verdict depends on.
fn key(task: &Task<'_>) -> String {
    let unrolling = task.unrolling;
    let all = format!(
        "{FORMAT}\n{}\nunwind {:?}\nloops {:?}\n{}",
        env!("CARGO_PKG_VERSION"),
        unrolling.unwind,
        unrolling.loop_bounds,
        text::print(task.program)
    );
    sha256_hex(all.as_bytes())
}

/// Returns whether the proofs of a task are kept: those of claims, without a copy for others.
pub(super) fn keeps(task: &Task<'_>) -> bool {
    task.certify == Certify::Off && matches!(task.goal, vergo_engines::Goal::Safety)
}

fn checked(task: &Task<'_>, env: &Environment<'_>, bounds: Bounds) -> Option<Certificate> {
    let Bounds { unwind, recursion, decided, obligations, effort: (n_steps, n_conflicts) } = bounds;
    let unrolled = Unrolled {
        program: task.program,
        unwind,
        recursion,
        decided,
        loop_bounds: &task.unrolling.loop_bounds,
        closed: &ClosedClaims::default(),
        n_steps,
        n_conflicts,
    };
    Certificate::complete_unrolling(&unrolled, obligations, None, &env.budget).ok()
}

/// The content of a file.
#[derive(PartialEq, Debug)]
enum Entry {
    Missing,
    Damaged,
    Bounds(Bounds),
}

/// The text of an entry.
fn entry(key: &str, bounds: &Bounds) -> String {
    let Bounds { unwind, recursion, decided, obligations, effort: (steps, conflicts) } = bounds;
    let text = format!(
        "{FORMAT}\n{key}\nunrolled {unwind} {recursion} {decided} {obligations} {steps} {conflicts}\n"
    );
    format!("{text}{}\n", sha256_hex(text.as_bytes()))
}

fn read(path: &Path, key: &str) -> Entry {
    /// Bytes of an entry, at most.
    const LONGEST: u64 = 4096;
    match std::fs::metadata(path) {
        Err(_) => return Entry::Missing,
        Ok(about) if !about.is_file() || about.len() > LONGEST => return Entry::Damaged,
        Ok(_) => {}
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    parse(&text, key).map_or(Entry::Damaged, Entry::Bounds)
}

fn parse(text: &str, key: &str) -> Option<Bounds> {
    let line = text.lines().nth(2)?.strip_prefix("unrolled ")?;
    let numbers: Option<Vec<u64>> = line.split(' ').map(|number| number.parse().ok()).collect();
    let &[unwind, recursion, decided, obligations, steps, conflicts] = &numbers?[..] else {
        return None;
    };
    let bounds = Bounds {
        unwind: u32::try_from(unwind).ok()?,
        recursion: u32::try_from(recursion).ok()?,
        decided,
        obligations: usize::try_from(obligations).ok()?,
        effort: (steps, conflicts),
    };
    // Whatever is not written as it would be written here is damaged.
    (entry(key, &bounds) == text).then_some(bounds)
}

/// Writes a file that others see as a whole or not at all.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let own = path.with_extension(format!("{}.new", std::process::id()));
    std::fs::write(&own, text)?;
    std::fs::rename(&own, path).inspect_err(|_| {
        // Nothing half-done is left behind, if that is possible.
        let _ = std::fs::remove_file(&own);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_of_an_entry_is_noticed() {
        let key = sha256_hex(b"a program");
        let bounds =
            Bounds { unwind: 3, recursion: 3, decided: 2000, obligations: 7, effort: (120, 40) };
        let text = entry(&key, &bounds);
        assert_eq!(parse(&text, &key), Some(bounds));
        assert_eq!(parse(&text, &sha256_hex(b"another")), None);
        for at in 0..text.len() * 8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at / 8] ^= 1 << (at % 8);
            let changed = String::from_utf8(bytes).unwrap_or_default();
            assert_eq!(parse(&changed, &key), None, "bit {at}");
        }
    }
}

//! The verdicts of earlier runs, and a quick way to check them again.
//!
//! **Idea.** An entry has the evidence of a verdict: the choices of executions that violate claims, and why the other claims hold, which
//! is within which bounds no execution fails, or that there is only one. It stands under the hash of everything that this
//! depends on: the program as GOTO, from which names, comments, positions and what is not reached have been taken
//! ([`super::canonical`]), the bounds of loops that were asked for, and the version of Vergo. Where a program has an entry, no engine is run:
//! the executions are replayed, and the checker of certificates looks at the program within those bounds.
//!
//! **Soundness.** An entry is a hint. `true` is said because the checker has refuted every failure once more, and `false` because the
//! interpreter has met the violation once more, so that a wrong entry, by accident or on purpose, costs time and makes no verdict: the
//! engines are asked then. An entry has a hash of its own text besides, so that damage is noticed and told. What is unknown, for want
//! of time above all, is never kept. Only who says so ([`Cache::trust`]) believes `true` without that.

use serde_json::{Value, json};
use vergo_engines::{Effort, Environment, Finding, Goal, OnViolation, Outcome, Task};
use vergo_evidence::sha256::sha256_hex;
use vergo_evidence::unrolling::{ClosedClaims, Unrolled};
use vergo_evidence::{Bounds, Certificate, Certify, Counterexample, Verdict};
use vergo_goto::text;

use super::canonical::canonical;
use super::choices;
use super::store::{LONGEST, Store};
use crate::sealed;

/// A place of entries, and how it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cache {
    /// Where entries are.
    pub store: Store,
    /// Which Vergo this is, to the commit: entries of others are not looked at.
    pub version: String,
    /// True if `true` is believed without a check.
    pub trust: bool,
}

/// The use of a cache in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CacheUse {
    /// An entry was found, and its evidence stands.
    Hit,
    /// An entry was found, and believed.
    Trusted,
    /// There was none; there is one now.
    Stored,
    /// There was none, and there is none now: nothing was found out whose evidence can be kept, or it could not be written.
    Nothing,
    /// An entry was found that says what is not so, or is no entry: which one.
    Damaged(String),
}

impl CacheUse {
    /// A line for people; none if there is nothing to say.
    pub fn line(&self) -> Option<String> {
        match self {
            CacheUse::Hit => Some("Cache: known before, and checked again".to_owned()),
            CacheUse::Trusted => Some("Cache: proved before, and not checked again".to_owned()),
            CacheUse::Stored | CacheUse::Nothing => None,
            CacheUse::Damaged(name) => Some(format!("Cache: `{name}` is damaged and was not used")),
        }
    }
}

/// The first word of an entry.
const FORMAT: &str = "vergo-cache 2";

/// The evidence of a verdict.
struct Entry {
    /// The choices of executions that violate claims.
    violated: Vec<Value>,
    rest: Rest,
}

/// The part of an entry about the claims that are not violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    /// They hold: no execution leaves these bounds, and none of them fails.
    Unrolled(Bounds),
    /// They hold: there is only one execution.
    OnlyExecution,
    /// Nothing: the last violation is the answer.
    Nothing,
}

/// The result of looking up a key.
enum Found {
    Missing,
    Damaged,
    Entry(Entry),
}

impl Cache {
    /// Looks whether what an entry says of a task is so, or else runs an engine and keeps what it shows.
    pub(super) fn run(
        &self,
        task: &Task<'_>,
        env: &Environment<'_>,
        engine: impl FnOnce() -> Outcome,
    ) -> (Outcome, CacheUse) {
        let key = self.key(task);
        let mut used = CacheUse::Nothing;
        match self.find(&key) {
            Found::Missing => {}
            Found::Damaged => used = CacheUse::Damaged(self.store.name(&key)),
            Found::Entry(entry) => {
                if let Some(outcome) = confirmed(&entry, task, env) {
                    return (outcome, CacheUse::Hit);
                }
                // Where the time is over, nothing is said against the entry.
                if env.budget.exhausted().is_none() {
                    used = CacheUse::Damaged(self.store.name(&key));
                }
            }
        }
        let outcome = engine();
        if let Some(entry) = Entry::of(&outcome, task) {
            let text = sealed::print(&entry.value(&key));
            if text.len() <= LONGEST
                && self.store.put(&key, text.as_bytes())
                && used == CacheUse::Nothing
            {
                used = CacheUse::Stored;
            }
        }
        (outcome, used)
    }

    /// Returns whether there is an entry that says that all claims hold, and it is to be believed.
    pub(super) fn is_trusted(&self, task: &Task<'_>) -> bool {
        self.trust
            && matches!(self.find(&self.key(task)), Found::Entry(entry)
                if entry.violated.is_empty() && entry.rest != Rest::Nothing)
    }

    fn find(&self, key: &str) -> Found {
        match self.store.get(key) {
            None => Found::Missing,
            Some(text) => {
                let entry = sealed::parse(&text).and_then(|value| Entry::parse(&value, key));
                entry.map_or(Found::Damaged, Found::Entry)
            }
        }
    }

    /// The hash of all that a verdict depends on.
    fn key(&self, task: &Task<'_>) -> String {
        let unrolling = task.unrolling;
        let all = format!(
            "{FORMAT}\n{}\nunwind {:?}\nloops {:?}\n{}\n{}",
            self.version,
            unrolling.unwind,
            unrolling.loop_bounds,
            match task.on_violation {
                OnViolation::Stop => "stop",
                OnViolation::GoOn => "go on",
            },
            canonical(&text::print(task.program))
        );
        sha256_hex(all.as_bytes())
    }
}

/// Returns whether a task is one whose verdicts are kept: those on claims, without a copy for others.
pub(super) fn keeps(task: &Task<'_>) -> bool {
    task.certify == Certify::Off && matches!(task.goal, Goal::Safety)
}

/// Checks an entry; returns the outcome that it stands for if its evidence holds.
fn confirmed(entry: &Entry, task: &Task<'_>, env: &Environment<'_>) -> Option<Outcome> {
    let mut violated: Vec<Box<Counterexample>> = Vec::new();
    for value in &entry.violated {
        let choices = choices::parse(value, task.program)?;
        let replayed = Counterexample::replay(task.program, choices, &env.replay_budget()).ok()?;
        violated.push(Box::new(replayed));
    }
    let mut effort = Effort::default();
    let verdict = match entry.rest {
        Rest::Nothing => Verdict::False(violated.pop()?),
        Rest::OnlyExecution if violated.is_empty() => {
            Verdict::True(Certificate::only_execution(task.program, &env.budget)?)
        }
        Rest::OnlyExecution => return None,
        Rest::Unrolled(bounds) => {
            let Bounds { unwind, recursion, decided, obligations, effort: (n_steps, n_conflicts) } =
                bounds;
            effort.unwind = unwind;
            let violated = violated.iter().map(|one| one.key()).collect();
            let unrolled = Unrolled {
                program: task.program,
                unwind,
                recursion,
                decided,
                loop_bounds: &task.unrolling.loop_bounds,
                closed: &ClosedClaims { violated, ..ClosedClaims::default() },
                n_steps,
                n_conflicts,
            };
            let checked =
                Certificate::complete_unrolling(&unrolled, obligations, None, &env.budget);
            Verdict::True(checked.ok()?)
        }
    };
    let findings = violated.into_iter().map(Finding::Violated).collect();
    Some(Outcome { verdict, findings, effort, faults: Vec::new() })
}

impl Entry {
    /// The evidence of an outcome; none if there is some that is not kept.
    fn of(outcome: &Outcome, task: &Task<'_>) -> Option<Entry> {
        let mut violated = Vec::new();
        for finding in &outcome.findings {
            match finding {
                Finding::Violated(found) => {
                    violated.push(choices::value(found.choices(), task.program)?);
                }
                Finding::GivenUp(..) => return None,
            }
        }
        let rest = match &outcome.verdict {
            Verdict::True(certificate) => match certificate.bounds() {
                Some(bounds) => Rest::Unrolled(bounds),
                None if certificate.kind() == "only-execution" => Rest::OnlyExecution,
                None => return None,
            },
            Verdict::False(found) => {
                violated.push(choices::value(found.choices(), task.program)?);
                Rest::Nothing
            }
            Verdict::Unknown(_) => return None,
        };
        Some(Entry { violated, rest })
    }

    fn value(&self, key: &str) -> Value {
        let rest = match self.rest {
            Rest::Unrolled(bounds) => {
                let Bounds { unwind, recursion, decided, obligations, effort: (steps, conflicts) } =
                    bounds;
                json!([unwind, recursion, decided, obligations, steps, conflicts])
            }
            Rest::OnlyExecution => json!("only-execution"),
            Rest::Nothing => Value::Null,
        };
        json!({ "format": FORMAT, "key": key, "violated": self.violated, "rest": rest })
    }

    fn parse(value: &Value, key: &str) -> Option<Entry> {
        if value["format"] != FORMAT || value["key"] != key {
            return None;
        }
        let rest = match value.get("rest")? {
            Value::Null => Rest::Nothing,
            Value::String(word) if word == "only-execution" => Rest::OnlyExecution,
            Value::Array(numbers) => {
                let numbers: Option<Vec<u64>> = numbers.iter().map(Value::as_u64).collect();
                let &[unwind, recursion, decided, obligations, steps, conflicts] = &numbers?[..]
                else {
                    return None;
                };
                Rest::Unrolled(Bounds {
                    unwind: u32::try_from(unwind).ok()?,
                    recursion: u32::try_from(recursion).ok()?,
                    decided,
                    obligations: usize::try_from(obligations).ok()?,
                    effort: (steps, conflicts),
                })
            }
            _ => return None,
        };
        Some(Entry { violated: value["violated"].as_array()?.clone(), rest })
    }
}

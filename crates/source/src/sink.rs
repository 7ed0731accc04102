//! The sink that diagnostics are collected in.

use crate::diagnostic::{Assumed, Diagnostic, Severity};

/// Collects diagnostics; counts all, keeps a bounded number.
///
/// Broken input can have an error on each of a million lines. The first few hundred are kept,
/// the rest are counted, and memory stays bounded.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    limit: usize,
    n_errors: usize,
    n_warnings: usize,
    n_dropped: usize,
    /// The number of each kind that are kept; a flood of warnings must not hide an error.
    n_kept: [usize; 3],
    /// The diagnostics with assumptions that are not kept: a flood must not hide what a verdict rests on.
    assuming: Vec<Diagnostic>,
}

impl Default for Diagnostics {
    fn default() -> Self {
        Diagnostics::new()
    }
}

impl Diagnostics {
    /// The number of diagnostics of one severity that [`Diagnostics::new`] keeps.
    pub const DEFAULT_LIMIT: usize = 200;

    /// An empty sink with the default limit.
    #[must_use]
    pub fn new() -> Diagnostics {
        Diagnostics::with_limit(Diagnostics::DEFAULT_LIMIT)
    }

    /// An empty sink that keeps `limit` diagnostics of each severity.
    #[must_use]
    pub fn with_limit(limit: usize) -> Diagnostics {
        Diagnostics {
            list: Vec::new(),
            limit,
            n_errors: 0,
            n_warnings: 0,
            n_dropped: 0,
            n_kept: [0; 3],
            assuming: Vec::new(),
        }
    }

    /// Adds a diagnostic. One that repeats the previous one word for word is ignored.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.list.last() == Some(&diagnostic) {
            return;
        }
        match diagnostic.severity {
            Severity::Error => self.n_errors += 1,
            Severity::Warning => self.n_warnings += 1,
            Severity::Note => {}
        }
        let kept = &mut self.n_kept[diagnostic.severity as usize];
        if *kept < self.limit {
            *kept += 1;
            self.list.push(diagnostic);
        } else {
            self.n_dropped += 1;
            if diagnostic.assumed.is_some() && self.assuming.last() != Some(&diagnostic) {
                self.assuming.push(diagnostic);
            }
        }
    }

    /// Adds everything that another sink holds.
    pub fn extend(&mut self, other: Diagnostics) {
        let kept = [Severity::Error, Severity::Warning]
            .map(|severity| other.list.iter().filter(|d| d.severity == severity).count());
        self.n_dropped += other.n_dropped;
        self.n_errors += other.n_errors - kept[0];
        self.n_warnings += other.n_warnings - kept[1];
        for diagnostic in other.list {
            self.push(diagnostic);
        }
        self.assuming.extend(other.assuming);
    }

    /// All diagnostics with assumptions in the order of reporting, including those that were only counted.
    pub fn assuming(&self) -> impl Iterator<Item = (&Diagnostic, Assumed)> {
        let all = self.list.iter().chain(&self.assuming);
        all.filter_map(|diagnostic| Some((diagnostic, diagnostic.assumed?)))
    }

    /// Returns whether there was an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// Returns whether so many errors are kept that further ones are only counted: a parser may stop.
    #[must_use]
    pub fn is_flooded(&self) -> bool {
        self.n_kept[Severity::Error as usize] >= self.limit
    }

    /// The number of errors, those that were not kept among them.
    #[must_use]
    pub fn error_count(&self) -> usize {
        self.n_errors
    }

    /// The number of warnings, those that were not kept among them.
    #[must_use]
    pub fn warning_count(&self) -> usize {
        self.n_warnings
    }

    /// The number of diagnostics that were counted but not kept.
    #[must_use]
    pub fn dropped_count(&self) -> usize {
        self.n_dropped
    }

    /// Returns whether nothing was reported.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The kept diagnostics in the order in which they were reported.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// The kept diagnostics in the order of their places; equal places keep the order of
    /// reporting, so that the answer is deterministic.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut sorted: Vec<&Diagnostic> = self.list.iter().collect();
        sorted.sort_by_key(|d| d.primary.lo);
        sorted
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

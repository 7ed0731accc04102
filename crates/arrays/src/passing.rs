//! Counters that pass a witness: the relation between a witness index and a loop's counter, where that counts only sometimes.
//!
//! **Idea.** In `if (a[i] >= 0) { b[n] = a[i]; n = n + 1; }` nothing is known of the iteration in which an element of `b` is written,
//! but that `n` goes up by one at most. So there is one iteration at most that begins with `n` at the witness and ends with `n` behind it.
//! Its number is chosen before the loop, or that there is none, and that iteration is kept. Before it `n` is not behind the
//! witness, after it it is; and an iteration that is left out writes the witness only while `n` is there.
//!
//! **Elements read there.** If witnesses are to spare, they are what the iteration reads in which the first witness is passed, so that it is
//! believed only where its elements are known, as where a flag is settled ([`crate::refine`]).
//!
//! **Soundness.** An execution has one such number for each loop, counter and witness; all that is assumed holds for these. If the
//! loop is left in the middle of an iteration, the right number is that of none.

use crate::induction::{Shape, loaded};
use crate::plan::{Lost, Plan, Planner, shape_of};
use crate::rules::Rules;
use std::fmt::Write;
use vergo_cfront::hir::{StmtId, VarId};

/// A counter of a loop at which elements are written.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    pub(crate) counter: VarId,
    /// The number of witnesses that it is looked at for: those that assertions need.
    pub(crate) n_witnesses: usize,
    /// True if the iteration in which the first witness is passed is looked at only if all that it reads are witnesses.
    pub(crate) is_known: bool,
}

impl Plan<'_> {
    /// Returns the place in the list of the counter at which the lost elements are written.
    pub(crate) fn passing(&self, lost: &Lost) -> Option<usize> {
        let counter = lost.counter?;
        self.passings.iter().position(|passing| passing.counter == counter)
    }
}

impl Planner<'_, '_> {
    /// Finds the counters of each loop that go up by one at most, at which alone the elements of an array are written.
    pub(crate) fn find_passings(&mut self) {
        let (unit, functions) = (self.unit, self.functions);
        let n_witnesses = self.plans.witnesses.max(1);
        for plan in self.plans.loops.values_mut() {
            let cells: Vec<_> =
                plan.parts.nodes().iter().flat_map(|&node| functions.effects(node).cells).collect();
            let called: Vec<VarId> = plan
                .parts
                .nodes()
                .iter()
                .flat_map(|&node| functions.effects(node).through_calls)
                .map(|(var, _)| var)
                .collect();
            for number in 0..plan.lost.len() {
                let var = plan.lost[number].var;
                let alone = plan.lost.iter().filter(|lost| lost.var == var).count() == 1;
                if plan.lost[number].index.is_some() || !alone || called.contains(&var) {
                    continue;
                }
                let writes = cells.iter().filter(|write| write.access.var == var);
                let counters: Option<Vec<VarId>> = writes
                    .map(|write| match write.access.indices.as_slice() {
                        &[index] => loaded(unit, index),
                        _ => None,
                    })
                    .collect();
                let Some(&[counter, ref others @ ..]) = counters.as_deref() else { continue };
                if others.iter().any(|&other| other != counter)
                    || !plan.havoc.contains(&counter)
                    || *shape_of(plan, counter) != Shape::Up(Some(1))
                {
                    continue;
                }
                plan.lost[number].counter = Some(counter);
                if !plan.passings.iter().any(|passing| passing.counter == counter) {
                    plan.passings.push(Passing { counter, n_witnesses, is_known: false });
                }
            }
        }
    }

    /// Uses spare witnesses for what a loop reads where the first witness is passed; says how many it needs.
    pub(crate) fn know_passings(&mut self, stmt: StmtId, spare: usize) -> usize {
        let plan = &self.plans.loops[&stmt];
        let n_passings = plan.passings.len();
        if n_passings == 0 || !self.is_quiet(plan) {
            return 0;
        }
        let (noted, n_keys) = self.keys_of_reads(stmt);
        let n_needed = n_keys * n_passings;
        if n_needed == 0 || n_needed > spare {
            return 0;
        }
        self.plans.noted.extend(noted.into_iter().map(|read| (read, Some(stmt))));
        if let Some(plan) = self.plans.loops.get_mut(&stmt) {
            plan.has_flag = true;
            plan.passings.iter_mut().for_each(|passing| passing.is_known = true);
        }
        n_needed
    }
}

impl Rules<'_> {
    /// The number of the iteration in which a counter passes a witness, and the counter's values before the loop and before what
    /// is left out.
    fn passing_names(&self, plan: &Plan<'_>, number: usize, witness: usize) -> [String; 3] {
        let (p, of) = (&self.nondet.prefix, format!("{}_{}", plan.number, number + 1));
        [format!("{p}t{of}_{}", witness + 1), format!("{p}u{of}"), format!("{p}v{of}")]
    }

    /// All pairs of counters and witnesses.
    fn passes(&self, plan: &Plan<'_>) -> impl Iterator<Item = (usize, usize)> + use<> {
        let each: Vec<usize> = plan.passings.iter().map(|passing| passing.n_witnesses).collect();
        let of = |(number, n_witnesses)| (0..n_witnesses).map(move |witness| (number, witness));
        each.into_iter().enumerate().flat_map(of)
    }

    /// Declares and chooses these numbers.
    pub(crate) fn passing_entries(&mut self, plan: &Plan<'_>, never: &str) -> String {
        let mut text = String::new();
        for (number, witness) in self.passes(plan) {
            let [at, before, last] = self.passing_names(plan, number, witness);
            let (any, counter) =
                (self.nondet.number(), self.variable_name(plan.passings[number].counter));
            let range = self.nondet.assume(&format!("{at} >= -1 && {at} < {never}"));
            let _ = writeln!(text, "long long {at} = {any}; {range}");
            if witness == 0 {
                let _ = writeln!(text, "long long {before} = {counter}, {last} = {counter};");
            }
        }
        text
    }

    /// Remembers the counters before iterations are left out.
    pub(crate) fn passing_before(&self, plan: &Plan<'_>) -> String {
        let mut text = String::new();
        for number in 0..plan.passings.len() {
            let [_, _, last] = self.passing_names(plan, number, 0);
            let counter = self.variable_name(plan.passings[number].counter);
            let _ = writeln!(text, "{last} = {counter};");
        }
        text
    }

    /// The condition that iterations which are left out may have written the witness.
    pub(crate) fn passing_writes(
        &self,
        plan: &Plan<'_>,
        lost: &Lost,
        witness: usize,
    ) -> Option<String> {
        let number = plan.passing(lost)?;
        if witness >= plan.passings[number].n_witnesses {
            return None;
        }
        let [_, _, last] = self.passing_names(plan, number, witness);
        let (counter, w) =
            (self.variable_name(plan.passings[number].counter), self.nondet.witness(witness, 0));
        Some(format!("{last} <= {w} && {w} <= {counter}"))
    }

    /// The numbers of all iterations in which a witness is passed.
    pub(crate) fn passing_iterations(&self, plan: &Plan<'_>) -> Vec<String> {
        let name = |(number, witness)| {
            let [at, ..] = self.passing_names(plan, number, witness);
            at
        };
        self.passes(plan).map(name).collect()
    }

    /// What is known of the counters where an iteration begins, or where the loop has ended.
    pub(crate) fn passing_state(&mut self, plan: &Plan<'_>, k: &str, is_end: bool) -> String {
        let mut text = String::new();
        for (number, witness) in self.passes(plan) {
            let [at, before, _] = self.passing_names(plan, number, witness);
            let (counter, w) = (
                self.variable_name(plan.passings[number].counter),
                self.nondet.witness(witness, 0),
            );
            let mut known = format!(
                "({at} < 0 ? {counter} <= {w} || {before} > {w} : {at} < {k} ? {counter} > {w} : {at} == {k} ? {counter} == {w} : {counter} <= {w})"
            );
            if is_end {
                known = format!("{at} < {k} && {known}");
            }
            let assume = self.nondet.assume(&known);
            let _ = writeln!(text, "{assume}");
        }
        text
    }

    /// The witness is passed where it was said to be; `missed` is the name of the loop's note of reads that miss.
    pub(crate) fn passing_after(&mut self, plan: &Plan<'_>, k: &str, missed: &str) -> String {
        let mut text = String::new();
        for (number, witness) in self.passes(plan) {
            let [at, ..] = self.passing_names(plan, number, witness);
            let passing = &plan.passings[number];
            let (counter, w) =
                (self.variable_name(passing.counter), self.nondet.witness(witness, 0));
            let mut passed = format!("{counter} > {w}");
            if passing.is_known && witness == 0 {
                passed = format!("{passed} && !{missed}");
            }
            let assume = self.nondet.assume(&format!("{at} != {k} || {passed}"));
            let _ = writeln!(text, "{assume}");
        }
        text
    }
}

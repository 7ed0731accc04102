//! From what threads have noted to constraints: initial values as writes, and for each read a choice of the write that it
//! reads from.

use super::{Access, Choice, Events, Moment, Threaded, Whole};
use crate::execute::Executor;
use crate::memory::ObjectId;
use crate::scalar::Scalar;
use crate::state::has_conjunct;
use crate::trace::{ObligationKind, Trace};
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeMap, BTreeSet};
use vergo_source::Span;
use vergo_term::{Sort, TermId, TermStore};

impl Executor<'_> {
    /// Puts together what an execution has noted.
    pub(super) fn threaded(&mut self) -> Threaded {
        self.write_wholes();
        self.object_to_overlaps();
        let Some(recorder) = self.eval.recorder.as_mut() else {
            return Threaded { trace: Trace::default(), events: Events::default() };
        };
        let mut events = std::mem::take(&mut recorder.events);
        let asked = std::mem::take(&mut recorder.asked);
        let ended = recorder.ended.clone();
        for (object, guard) in asked {
            if ended.contains(&object) {
                let what = "whether something lives that a thread ends".to_owned();
                self.oblige(ObligationKind::Unsupported(what), guard, Span::DUMMY);
            }
        }
        events.accesses.sort_by_key(|access| (access.node, access.position));
        self.settle_rest();
        let unread = self.choose_writes(&mut events);
        for guard in unread {
            let what = "a read of shared memory that nobody has written".to_owned();
            self.oblige(ObligationKind::Unsupported(what), guard, Span::DUMMY);
        }
        let moment =
            Moment { thread: 0, node: events.nodes.len().checked_sub(1).map(|n| n as u32) };
        events.obligations.resize(self.execution.trace.obligations.len(), moment);
        let mut trace = std::mem::take(&mut self.execution.trace);
        self.execution.trace.cut_short.clone_from(&trace.cut_short);
        trace.n_steps = self.n_steps();
        trace.constraints.append(&mut self.eval.objects.constraints);
        trace.addresses = self.eval.objects.addresses();
        trace.fixtures = self.eval.objects.fixtures();
        trace.fresh = PrimaryMap::from_iter(std::mem::take(&mut self.eval.objects.fresh));
        Threaded { trace, events }
    }

    fn settle_rest(&mut self) {
        let truth = self.eval.store.true_term();
        self.settle(truth, Span::DUMMY);
    }

    /// The values with which places begin, and those they have after their object's end, are writes.
    fn write_wholes(&mut self) {
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        let wholes = std::mem::take(&mut recorder.wholes);
        let places: Vec<((ObjectId, u64), (u32, Scalar))> =
            recorder.places.iter().map(|(&at, &place)| (at, place)).collect();
        for whole in wholes {
            for &((object, offset), (place, scalar)) in &places {
                if whole.object.is_some_and(|only| only != object) {
                    continue;
                }
                let content = match &whole.state {
                    Some(state) => state.object(object).map(|o| Some(o.content.clone())),
                    None => Some(None),
                };
                let value = match content {
                    None => continue,
                    Some(Some(content)) => content.read(&mut self.eval.ctx(), offset, scalar),
                    Some(None) => self.eval.shared_value(scalar),
                };
                if scalar == Scalar::Pointer {
                    self.eval.note_pointees(whole.guard, value);
                }
                let &Whole { node, position, guard, .. } = &whole;
                let access = Access { node, position, place, is_write: true, guard, value };
                if let Some(recorder) = self.eval.recorder.as_mut() {
                    recorder.add_access(access);
                }
            }
        }
    }

    /// Places that overlap are not followed.
    fn object_to_overlaps(&mut self) {
        let Some(recorder) = self.eval.recorder.as_ref() else { return };
        let mut overlapping = BTreeSet::new();
        let mut last: Option<(ObjectId, u64)> = None;
        for (&(object, offset), &(place, scalar)) in &recorder.places {
            if last.is_some_and(|(other, end)| other == object && offset < end) {
                overlapping.insert(place);
            }
            let end = offset + self.eval.scalar_size(scalar);
            let end = match last {
                Some((other, before)) if other == object => end.max(before),
                _ => end,
            };
            last = Some((object, end));
        }
        let accesses = recorder.events.accesses.iter();
        let guards: Vec<TermId> =
            accesses.filter(|a| overlapping.contains(&a.place)).map(|a| a.guard).collect();
        for guard in guards {
            let what = "shared memory that is accessed in different pieces".to_owned();
            self.oblige(ObligationKind::Unsupported(what), guard, Span::DUMMY);
        }
    }

    /// Each read has the value of a write. Gives the conditions of reads for which there is none.
    fn choose_writes(&mut self, events: &mut Events) -> Vec<TermId> {
        let clocks = Clocks::of(events);
        let mut by_place: BTreeMap<u32, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
        for (i, access) in events.accesses.iter().enumerate() {
            let (reads, writes) = by_place.entry(access.place).or_default();
            if access.is_write { writes } else { reads }.push(i as u32);
        }
        let mut unread = Vec::new();
        let store = &mut *self.eval.store;
        for (reads, writes) in by_place.values() {
            for &read in reads {
                let r = events.accesses[read as usize].clone();
                let sources = sources(store, events, &clocks, &r, writes);
                let mut any = store.false_term();
                for &write in &sources {
                    let w = events.accesses[write as usize].clone();
                    let term = store.var(&format!("reads!{read}!{write}"), Sort::Bool);
                    any = store.or(any, term);
                    let same = store.eq(r.value, w.value);
                    let mut needs = vec![r.guard, w.guard, same];
                    for &other in writes {
                        let x = &events.accesses[other as usize];
                        if other != write && hides(&w, x, &r) {
                            needs.push(store.not(x.guard));
                        }
                    }
                    for need in needs {
                        let implied = store.implies(term, need);
                        self.execution.trace.constraints.push(implied);
                    }
                    events.choices.push(Choice { read, write, term });
                }
                if sources.is_empty() {
                    unread.push(r.guard);
                } else {
                    let implied = store.implies(r.guard, any);
                    self.execution.trace.constraints.push(implied);
                }
            }
        }
        unread
    }
}

/// Checks whether a write of the same place, if it happens, is surely between another and a read because of the steps that they are in.
fn hides(w: &Access, x: &Access, r: &Access) -> bool {
    if w.node == r.node {
        return x.node == w.node && w.position < x.position && x.position < r.position;
    }
    x.node == r.node && x.position < r.position || x.node == w.node && w.position < x.position
}

/// The writes that a read may read from, as far as the order of all executions says.
fn sources(
    store: &TermStore,
    events: &Events,
    clocks: &Clocks,
    r: &Access,
    writes: &[u32],
) -> Vec<u32> {
    let before = |a: &Access, b: &Access| {
        if a.node == b.node { a.position < b.position } else { clocks.is_before(a.node, b.node) }
    };
    // The last one of each thread that surely happens if the read does.
    let mut sure: BTreeMap<u32, u32> = BTreeMap::new();
    for &write in writes {
        let w = &events.accesses[write as usize];
        if before(w, r) && has_conjunct(store, r.guard, w.guard) {
            sure.insert(events.nodes[w.node as usize].thread, write);
        }
    }
    let may_be = |&write: &u32| {
        let w = &events.accesses[write as usize];
        !before(r, w)
            && !sure
                .values()
                .any(|&other| other != write && before(w, &events.accesses[other as usize]))
    };
    writes.iter().copied().filter(may_be).collect()
}

/// For each step, the last step of each thread that comes before it in every execution.
struct Clocks {
    of: Vec<Vec<u32>>,
    /// The thread of each step, and its number in it, from one on.
    own: Vec<(usize, u32)>,
}

impl Clocks {
    fn of(events: &Events) -> Clocks {
        let n_threads = events.started_by.len();
        let mut counts = vec![0; n_threads];
        let mut clocks = Clocks { of: Vec::new(), own: Vec::new() };
        for node in &events.nodes {
            let mut clock = vec![0; n_threads];
            for &before in &node.before {
                let other: &Vec<u32> = &clocks.of[before as usize];
                for (mine, &theirs) in clock.iter_mut().zip(other) {
                    *mine = theirs.max(*mine);
                }
            }
            let thread = node.thread as usize;
            counts[thread] += 1;
            clock[thread] = counts[thread];
            clocks.of.push(clock);
            clocks.own.push((thread, counts[thread]));
        }
        clocks
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        let (thread, count) = self.own[a as usize];
        a != b && self.of[b as usize][thread] >= count
    }
}

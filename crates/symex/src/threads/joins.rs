//! Joins with one of several threads: that a thread has ended is a value that its end writes and the join reads.

use super::Access;
use crate::eval::Value;
use crate::execute::Executor;
use crate::memory::ObjectId;
use crate::scalar::BYTE;
use crate::state::State;
use crate::trace::ObligationKind;
use vergo_goto::expr::ExprId;
use vergo_source::Span;
use vergo_term::{Sort, TermId};

impl Executor<'_> {
    /// The end of a thread writes to a place of its own, which lies in no object.
    pub(super) fn note_thread_end(&mut self, number: u32, node: u32, guard: TermId) {
        let value = self.eval.store.bv_u64(8, 1);
        let Some(recorder) = self.eval.recorder.as_mut() else { return };
        let n_places = recorder.places.len() as u32;
        let key = (ObjectId::NONE, number.into());
        let (place, _) = *recorder.places.entry(key).or_insert((n_places, BYTE));
        let position = recorder.position();
        recorder.add_access(Access { node, position, place, is_write: true, guard, value });
    }

    /// Waits for the thread whose number is the value of a term.
    pub(super) fn join_one_of(
        &mut self,
        mut state: State,
        number: TermId,
        dest: Option<ExprId>,
        span: Span,
    ) -> Option<State> {
        let ends = self.eval.recorder.as_ref()?.ends.clone();
        let width = self.eval.store.width(number);
        let zero = self.eval.store.bv_u64(width, 0);
        let mut others = self.eval.store.ne(number, zero);
        let mut goes_on = self.eval.store.false_term();
        let mut result = None;
        for (thread, end) in ends.into_iter().enumerate() {
            let Some((_, _, value)) = end else { continue };
            let own = self.eval.store.bv_u64(width, thread as u64);
            let is_it = self.eval.store.eq(number, own);
            if is_it == self.eval.store.false_term() {
                continue;
            }
            let is_other = self.eval.store.not(is_it);
            others = self.eval.store.and(others, is_other);
            // Executions in which it waits for ever make no step here.
            let joins = self.eval.objects.fresh(self.eval.store, "joins", Sort::Bool);
            let guard = self.eval.store.and(is_it, joins);
            let ended = self.eval.store.bv_u64(8, 1);
            let place = (ObjectId::NONE, thread as u64, BYTE);
            self.eval.event(&state, place, guard, ended, false);
            goes_on = self.eval.store.or(goes_on, guard);
            let value = match value {
                Some(Value::Term(value)) => value,
                _ => self.eval.zero_pointer(),
            };
            result = Some(match result {
                Some(other) => self.eval.store.ite(is_it, value, other),
                None => value,
            });
        }
        let elsewhere = self.eval.store.and(state.guard, others);
        let what = "a join with a thread that is under way".to_owned();
        self.oblige(ObligationKind::Unsupported(what), elsewhere, span);
        state.guard = self.eval.store.and(state.guard, goes_on);
        if state.guard == self.eval.store.false_term() {
            return None;
        }
        if let (Some(dest), Some(result)) = (dest, result) {
            self.give(&mut state, dest, &Value::Term(result), span);
        }
        Some(state)
    }
}

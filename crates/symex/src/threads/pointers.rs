//! Values of shared memory: any, and of pointers any to what was seen to be pointed to.

use super::Pointee;
use crate::eval::Evaluator;
use crate::memory::{ObjectId, Origin};
use crate::pointer::{self, OBJECT_BITS};
use crate::scalar::Scalar;
use vergo_num::BitVec;
use vergo_term::{Sort, TermId};

impl Evaluator<'_> {
    /// A value that a read of shared memory may have.
    pub(super) fn shared_value(&mut self, scalar: Scalar) -> TermId {
        if scalar != Scalar::Pointer {
            let sort = self.ctx().sort(scalar);
            return self.objects.fresh(self.store, "shared", sort);
        }
        let pointees: Vec<Pointee> = match &self.recorder {
            Some(recorder) => recorder.pointees.iter().copied().collect(),
            None => Vec::new(),
        };
        let width = self.objects.width();
        let mut value = self.zero_pointer();
        for pointee in pointees {
            let pointer = match pointee {
                Pointee::Address(address) => {
                    let none = self.store.bv_u64(OBJECT_BITS, 0);
                    let address = self.store.bv_u64(width, address);
                    self.store.bv_concat(none, address)
                }
                Pointee::Object(object) => {
                    let offset = self.objects.fresh(self.store, "offset", Sort::BitVec(width));
                    pointer::make(self.store, object, offset)
                }
                Pointee::Function(function) => {
                    let object = self.objects.function(self.store, function);
                    let zero = self.size(0);
                    pointer::make(self.store, object, zero)
                }
            };
            let is_it = self.objects.fresh(self.store, "pointee", Sort::Bool);
            value = self.store.ite(is_it, pointer, value);
        }
        value
    }

    /// Takes note of what a pointer that others may read points to.
    pub(super) fn note_pointees(&mut self, guard: TermId, pointer: TermId) {
        let targets = self.objects.targets(self.store, pointer);
        let n_stable = self.recorder.as_ref().and_then(|r| r.n_stable).unwrap_or(0);
        let mut beyond = self.store.false_term();
        for &(unknown, _) in &targets.unknown {
            beyond = self.store.or(beyond, unknown);
        }
        let mut found = Vec::new();
        for target in &targets.known {
            let constant = self.store.bv_value(target.offset).and_then(BitVec::to_u64);
            let pointee = match (target.object, constant) {
                (ObjectId::NONE, address) => address.map(Pointee::Address),
                (object, constant) => match self.objects.get(object).origin {
                    Origin::Function(function) if constant == Some(0) => {
                        Some(Pointee::Function(function))
                    }
                    Origin::Function(_) => None,
                    _ => (object.number() <= n_stable).then_some(Pointee::Object(object)),
                },
            };
            match pointee {
                Some(pointee) => found.push(pointee),
                None => beyond = self.store.or(beyond, target.guard),
            }
        }
        if let Some(recorder) = self.recorder.as_mut() {
            recorder.new_pointees.extend(found);
        }
        let beyond = self.store.and(guard, beyond);
        if beyond != self.store.false_term() {
            self.objects.leave_out(beyond, "a pointer in shared memory to an object of a thread");
        }
    }
}

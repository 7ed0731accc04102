//! Memory as a part of a state that is compared with others.

use super::{DEAD, Handle, Memory, Origin, index_of, origin};
use crate::machine::Digest;

impl Memory {
    /// Returns a number for a handle that does not depend on the past: the address of its object if that is alive.
    pub(crate) fn canonical(&self, handle: Handle) -> u64 {
        match origin(handle) {
            None => 0,
            Some(Origin::Function) => handle,
            Some(_) if self.is_live(handle) => self.objects[index_of(handle)].base,
            Some(_) => u64::MAX,
        }
    }

    /// Returns whether the comparison of two addresses is the same wherever objects lie; with `only_equality`, that for
    /// equality.
    pub(crate) fn is_order_fixed(
        &self,
        a: (u64, Handle),
        b: (u64, Handle),
        only_equality: bool,
    ) -> bool {
        // In one object offsets are compared, and without one numbers; nothing lies at null.
        if a.1 == b.1 || only_equality && [a, b].contains(&(0, 0)) {
            return true;
        }
        // Different objects that live do not share a byte, unless they are constants.
        let inside = |(address, handle): (u64, Handle)| match origin(handle) {
            Some(Origin::Function) => true,
            _ => self.check(address, handle, 1).is_ok(),
        };
        let is_constant = |handle: Handle| self.object(handle).is_some_and(|o| !o.writable);
        only_equality && inside(a) && inside(b) && !(is_constant(a.1) && is_constant(b.1))
    }

    /// The bytes that a copy takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let of = |object: &super::Object| 160 + 2 * object.data.len() + 16 * object.notes.len();
        self.objects.iter().map(of).sum()
    }

    /// All that an execution goes on from: live objects in order of their addresses, and where new ones will lie.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        let mut live: Vec<&super::Object> = self
            .objects
            .iter()
            .filter(|object| object.tag & DEAD == 0 && object.tag != 0)
            .collect();
        live.sort_unstable_by_key(|object| object.base);
        digest.word(live.len() as u64);
        for object in live {
            let flags = u64::from(object.writable) | u64::from(object.protected) << 1;
            for word in [object.base, object.size, object.tag >> 32 & 15, flags] {
                digest.word(word);
            }
            digest.bytes(&object.data);
            digest.bytes(object.init.as_deref().unwrap_or_default());
            if let Some(pages) = &object.pages {
                let mut numbers: Vec<&u64> = pages.map.keys().collect();
                numbers.sort_unstable();
                for number in numbers {
                    digest.word(*number);
                    digest.bytes(&pages.map[number].bytes);
                    digest.bytes(&pages.map[number].init);
                }
            }
            for (i, &(address, handle)) in object.notes.iter().enumerate() {
                if handle != 0 {
                    digest.word(i as u64);
                    digest.word(address);
                    digest.word(self.canonical(handle));
                }
            }
            for &(at, address, handle) in &object.odd_notes {
                digest.word(at);
                digest.word(address);
                digest.word(self.canonical(handle));
            }
        }
        for word in [self.static_top, self.heap_top, self.heap_stop, self.n_live_heap] {
            digest.word(word);
        }
        for stack in &self.stacks {
            digest.word(stack.top);
            digest.word(stack.objects.len() as u64);
        }
    }
}

//! Pointers and aggregates in memory.

use super::access::{init_bits, read_object};
use super::{Access, Big, Fault, Handle, Memory, Object, PAGE, index_of};

/// Pointers and aggregates.
impl Memory {
    /// A pointer at an address.
    #[inline]
    pub(crate) fn load_pointer(&self, address: u64, handle: Handle) -> Access<(u64, Handle)> {
        if self.opaque
            && let Some(pointer) = self.load_opaque(address, handle)?
        {
            return Ok(pointer);
        }
        let value = if self.pointer_size == 8 {
            u64::from_le_bytes(self.load::<8>(address, handle)?)
        } else {
            u64::from(u32::from_le_bytes(self.load::<4>(address, handle)?))
        };
        let object = &self.objects[index_of(handle)];
        let offset = address.wrapping_sub(object.base) & self.mask;
        let note = if offset.is_multiple_of(self.pointer_size) && object.pages.is_none() {
            object.notes.get((offset / self.pointer_size) as usize).copied().unwrap_or((0, 0))
        } else {
            odd_note(object, offset)
        };
        if note.0 == value && note.1 != 0 {
            return Ok((value, note.1));
        }
        if value == 0 {
            return Ok((0, 0));
        }
        Ok((value, self.attach(value)))
    }

    /// A pointer of which there is a note that counts.
    fn load_opaque(&self, address: u64, handle: Handle) -> Access<Option<(u64, Handle)>> {
        let size = self.pointer_size;
        let offset = self.check(address, handle, size)?;
        let object = &self.objects[index_of(handle)];
        let mut bytes = [0; 8];
        read_object(object, offset, &mut bytes[..size as usize]);
        let value = u64::from_le_bytes(bytes);
        let note = match offset.is_multiple_of(size) && object.pages.is_none() {
            true => object.notes.get((offset / size) as usize).copied().unwrap_or((0, 0)),
            false => odd_note(object, offset),
        };
        Ok((note.0 == value && note.1 != 0).then_some(note))
    }

    #[inline]
    pub(crate) fn store_pointer(
        &mut self,
        address: u64,
        handle: Handle,
        value: u64,
        attached: Handle,
    ) -> Access<()> {
        if self.pointer_size == 8 {
            self.store(address, handle, value.to_le_bytes())?;
        } else {
            self.store(address, handle, (value as u32).to_le_bytes())?;
        }
        let offset = address.wrapping_sub(self.objects[index_of(handle)].base) & self.mask;
        self.note(index_of(handle), offset, value, attached);
        Ok(())
    }

    /// Notes what the pointer at an offset is attached to.
    pub(crate) fn note(&mut self, index: usize, offset: u64, value: u64, attached: Handle) {
        let size = self.pointer_size;
        if self.opaque && attached != 0 {
            (offset..offset + size).for_each(|at| self.set_init(index, at, 0));
        }
        let object = &mut self.objects[index];
        if offset.is_multiple_of(size) && object.pages.is_none() {
            let i = (offset / size) as usize;
            if attached == 0 && i >= object.notes.len() {
                return;
            }
            if i >= object.notes.len() {
                // Grow in steps, but not beyond the object.
                let wanted = (i + 1).next_power_of_two().min((object.size / size + 1) as usize);
                object.notes.resize(wanted.max(i + 1), (0, 0));
            }
            object.notes[i] = (value, attached);
            return;
        }
        match object.odd_notes.binary_search_by_key(&offset, |note| note.0) {
            Ok(i) => object.odd_notes[i] = (offset, value, attached),
            Err(i) => object.odd_notes.insert(i, (offset, value, attached)),
        }
    }

    /// Checks that a copy of so many bytes is within the limit of memory.
    pub(crate) fn room(&self, size: u64) -> Access<()> {
        if size <= self.limit { Ok(()) } else { Err(Fault::OutOfMemory) }
    }

    /// The bytes of an aggregate with all that is known of them.
    pub(crate) fn load_big(&self, address: u64, handle: Handle, size: usize) -> Access<Big> {
        if size == 0 {
            return Ok(Big::default());
        }
        self.room(size as u64)?;
        let offset = self.check(address, handle, size as u64)?;
        let object = &self.objects[index_of(handle)];
        let mut bytes = vec![0; size];
        read_object(object, offset, &mut bytes);
        let init = if self.track_init && !self.object_init(object, offset, size as u64) {
            Some((0..size as u64).map(|i| init_bits(object, offset + i)).collect())
        } else {
            None
        };
        let end = offset + size as u64;
        let step = self.pointer_size;
        let mut notes = Vec::new();
        let first = offset.div_ceil(step) as usize;
        for (i, &(value, attached)) in object.notes.iter().enumerate().skip(first) {
            let at = i as u64 * step;
            if at + step > end {
                break;
            }
            if attached != 0 {
                notes.push((at - offset, value, attached));
            }
        }
        for &(at, value, attached) in &object.odd_notes {
            if at >= offset && at + step <= end {
                notes.push((at - offset, value, attached));
            }
        }
        notes.sort_unstable_by_key(|note| note.0);
        Ok(Big { bytes, init, notes })
    }

    pub(crate) fn store_big(&mut self, address: u64, handle: Handle, value: &Big) -> Access<()> {
        if value.bytes.is_empty() {
            return Ok(());
        }
        self.write(address, handle, &value.bytes)?;
        let index = index_of(handle);
        let offset = address.wrapping_sub(self.objects[index].base) & self.mask;
        for (i, &mask) in value.init.iter().flatten().enumerate() {
            if mask != u8::MAX {
                self.set_init(index, offset + i as u64, mask);
            }
        }
        for &(at, value, attached) in &value.notes {
            self.note(index, offset + at, value, attached);
        }
        Ok(())
    }

    fn set_init(&mut self, index: usize, offset: u64, mask: u8) {
        let track = self.track_init;
        let object = &mut self.objects[index];
        if let Some(pages) = &mut object.pages {
            if let Some(page) = pages.map.get_mut(&(offset / PAGE)) {
                page.init[(offset % PAGE) as usize] = mask;
            }
        } else if track {
            let size = object.size as usize;
            let init = object.init.get_or_insert_with(|| vec![u8::MAX; size]);
            init[offset as usize] = mask;
        }
    }

    /// Copies bytes from one place to another; they may overlap.
    pub(crate) fn copy(
        &mut self,
        to: (u64, Handle),
        from: (u64, Handle),
        size: usize,
    ) -> Access<()> {
        let value = self.load_big(from.0, from.1, size)?;
        self.store_big(to.0, to.1, &value)
    }

    /// Every word of an object that could be an address, and what it is attached to.
    pub(crate) fn addresses_in(&self, handle: Handle) -> Vec<Handle> {
        let Some(object) = self.object(handle) else { return Vec::new() };
        let step = self.pointer_size as usize;
        // Notes count only where the bytes still spell their address.
        let spells = |offset: u64, value: u64| {
            let mut bytes = [0; 8];
            offset + step as u64 <= object.size && {
                read_object(object, offset, &mut bytes[..step]);
                u64::from_le_bytes(bytes) == value
            }
        };
        let mut found = Vec::new();
        for (i, &(value, attached)) in object.notes.iter().enumerate() {
            if attached != 0 && spells((i * step) as u64, value) {
                found.push(attached);
            }
        }
        for &(offset, value, attached) in &object.odd_notes {
            if spells(offset, value) {
                found.push(attached);
            }
        }
        let mut words = |bytes: &[u8]| {
            for word in bytes.chunks_exact(step) {
                let value = word.iter().rev().fold(0u64, |acc, &b| acc << 8 | u64::from(b));
                if value != 0 {
                    found.push(self.attach(value));
                }
            }
        };
        words(&object.data);
        if let Some(pages) = &object.pages {
            let mut numbers: Vec<&u64> = pages.map.keys().collect();
            numbers.sort_unstable();
            for number in numbers {
                words(&pages.map[number].bytes);
            }
        }
        found.retain(|&handle| handle != 0);
        found
    }
}

/// The note of a pointer at an odd offset.
fn odd_note(object: &Object, offset: u64) -> (u64, Handle) {
    match object.odd_notes.binary_search_by_key(&offset, |note| note.0) {
        Ok(i) => (object.odd_notes[i].1, object.odd_notes[i].2),
        Err(_) => (0, 0),
    }
}

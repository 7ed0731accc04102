//! Access to the bytes of objects.

use super::{Access, Fault, Handle, INDEX, Memory, Object, Origin, PAGE, Page, index_of, origin};
use crate::code::BitField;
use crate::values::field_bytes;
use vergo_goto::expr::MemoryOp;

/// The reason why an access to bytes that are not there fails.
#[cold]
fn diagnose(memory: &Memory, address: u64, handle: Handle) -> Fault {
    match origin(handle) {
        None if address < PAGE => Fault::Null,
        None => Fault::Unattached,
        Some(Origin::Function) => Fault::Bounds,
        Some(_) if memory.objects[index_of(handle)].tag != handle => Fault::Dead,
        Some(_) => Fault::Bounds,
    }
}

/// Access to bytes.
impl Memory {
    /// `N` bytes at an address.
    #[inline(always)]
    pub(crate) fn load<const N: usize>(&self, address: u64, handle: Handle) -> Access<[u8; N]> {
        match self.at(address, handle) {
            Some(bytes) => Ok(*bytes),
            None => self.load_slowly(address, handle),
        }
    }

    /// `N` bytes at an address, if nothing is special about them.
    #[inline(always)]
    pub(crate) fn at<const N: usize>(&self, address: u64, handle: Handle) -> Option<&[u8; N]> {
        let object = self.objects.get((handle & INDEX) as usize)?;
        let offset = address.wrapping_sub(object.base) as usize;
        (object.tag == handle && handle != 0).then(|| self.plain(object, offset)).flatten()
    }

    /// `N` bytes at an offset of a variable's object, if nothing is special about them.
    #[inline(always)]
    pub(crate) fn at_in<const N: usize>(&self, handle: Handle, off: u32) -> Option<&[u8; N]> {
        let object = self.objects.get((handle & INDEX) as usize)?;
        (object.tag == handle).then(|| self.plain(object, off as usize)).flatten()
    }

    /// `N` bytes of an object that are not in pages, and initialised if they have to be.
    #[inline(always)]
    fn plain<'m, const N: usize>(&self, object: &'m Object, offset: usize) -> Option<&'m [u8; N]> {
        let bytes = object.data.get(offset..)?.first_chunk()?;
        let fine = !self.check_init || self.object_init(object, offset as u64, N as u64);
        fine.then_some(bytes)
    }

    /// `N` bytes at an address, or why they are not there.
    #[cold]
    pub(crate) fn load_slowly<const N: usize>(
        &self,
        address: u64,
        handle: Handle,
    ) -> Access<[u8; N]> {
        let mut out = [0; N];
        self.read(address, handle, &mut out)?;
        Ok(out)
    }

    /// The address at an offset of a variable's object; a variable that never came to life has none.
    pub(crate) fn address_in(&self, handle: Handle, off: u32) -> Access<u64> {
        if handle == 0 {
            return Err(Fault::Dead);
        }
        Ok(self.objects[index_of(handle)].base + u64::from(off))
    }

    /// Writes `N` bytes at an offset of a variable's object.
    #[inline(always)]
    pub(crate) fn store_in<const N: usize>(
        &mut self,
        handle: Handle,
        off: u32,
        bytes: [u8; N],
    ) -> Access<()> {
        if let Some(object) = self.objects.get_mut((handle & INDEX) as usize)
            && object.tag == handle
            && object.writable
            && let Some(place) = object.data.get_mut(off as usize..off as usize + N)
        {
            place.copy_from_slice(&bytes);
            if let Some(init) = &mut object.init {
                init[off as usize..off as usize + N].fill(u8::MAX);
            }
            return Ok(());
        }
        let address = self.address_in(handle, off)?;
        self.write(address, handle, &bytes)
    }

    /// Returns whether bytes inside of a variable's object are initialised.
    #[inline]
    pub(crate) fn is_initialized_in(&self, handle: Handle, offset: u64, n: u64) -> bool {
        let object = &self.objects[index_of(handle)];
        handle != 0 && object.tag == handle && self.object_init(object, offset, n)
    }

    fn require_init(&self, object: &Object, offset: u64, len: u64) -> Access<()> {
        if self.object_init(object, offset, len) { Ok(()) } else { Err(Fault::Uninitialized) }
    }

    /// Any number of bytes at an address.
    pub(crate) fn read(&self, address: u64, handle: Handle, out: &mut [u8]) -> Access<()> {
        if out.is_empty() {
            return Ok(());
        }
        let offset = self.check(address, handle, out.len() as u64)?;
        let object = &self.objects[index_of(handle)];
        if self.check_init {
            self.require_init(object, offset, out.len() as u64)?;
        }
        read_object(object, offset, out);
        Ok(())
    }

    /// The bytes of a bit-field.
    pub(crate) fn load_field(
        &self,
        address: u64,
        handle: Handle,
        field: BitField,
    ) -> Access<Vec<u8>> {
        let mut bytes = vec![0; field_bytes(field)];
        let offset = self.check(address, handle, bytes.len() as u64)?;
        let (first, width) = (u64::from(field.first), u64::from(field.width));
        if self.check_init && !self.bits_initialized(address, handle, first, width) {
            return Err(Fault::Uninitialized);
        }
        read_object(&self.objects[index_of(handle)], offset, &mut bytes);
        Ok(bytes)
    }

    /// The offset of an access that is inside of a live object.
    pub(crate) fn check(&self, address: u64, handle: Handle, len: u64) -> Access<u64> {
        if handle == 0 || origin(handle) == Some(Origin::Function) {
            return Err(diagnose(self, address, handle));
        }
        let object = &self.objects[index_of(handle)];
        let offset = address.wrapping_sub(object.base) & self.mask;
        if object.tag != handle || offset > object.size || len > object.size - offset {
            return Err(diagnose(self, address, handle));
        }
        Ok(offset)
    }

    /// Writes `N` bytes at an address.
    #[inline(always)]
    pub(crate) fn store<const N: usize>(
        &mut self,
        address: u64,
        handle: Handle,
        bytes: [u8; N],
    ) -> Access<()> {
        if let Some(object) = self.objects.get_mut((handle & INDEX) as usize)
            && object.tag == handle
            && object.writable
            && handle != 0
            && let offset = address.wrapping_sub(object.base) as usize
            && let Some(end) = offset.checked_add(N)
            && let Some(place) = object.data.get_mut(offset..end)
        {
            place.copy_from_slice(&bytes);
            if let Some(init) = &mut object.init {
                init[offset..end].fill(u8::MAX);
            }
            return Ok(());
        }
        self.write(address, handle, &bytes)
    }

    /// Writes any number of bytes at an address.
    pub(crate) fn write(&mut self, address: u64, handle: Handle, bytes: &[u8]) -> Access<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let offset = self.check(address, handle, bytes.len() as u64)?;
        if !self.objects[index_of(handle)].writable {
            return Err(Fault::ReadOnly);
        }
        self.write_object(index_of(handle), offset, bytes)
    }

    /// Writes bytes that are known to be inside of an object.
    pub(crate) fn write_object(&mut self, index: usize, offset: u64, bytes: &[u8]) -> Access<()> {
        let object = &mut self.objects[index];
        let Some(pages) = &mut object.pages else {
            let start = offset as usize;
            object.data[start..start + bytes.len()].copy_from_slice(bytes);
            if let Some(init) = &mut object.init {
                init[start..start + bytes.len()].fill(u8::MAX);
            }
            return Ok(());
        };
        let mut done = 0;
        while done < bytes.len() {
            let at = offset + done as u64;
            let (number, inside) = (at / PAGE, (at % PAGE) as usize);
            let n = (PAGE as usize - inside).min(bytes.len() - done);
            if !pages.map.contains_key(&number) {
                self.used += 2 * PAGE;
                if self.used > self.limit {
                    return Err(Fault::OutOfMemory);
                }
                let init = if pages.initialized { u8::MAX } else { 0 };
                let page = Page { bytes: [0; PAGE as usize], init: [init; PAGE as usize] };
                pages.map.insert(number, Box::new(page));
            }
            if let Some(page) = pages.map.get_mut(&number) {
                page.bytes[inside..inside + n].copy_from_slice(&bytes[done..done + n]);
                page.init[inside..inside + n].fill(u8::MAX);
            }
            done += n;
        }
        Ok(())
    }

    /// Returns whether all bytes of a range inside of an object are initialised.
    pub(super) fn object_init(&self, object: &Object, offset: u64, len: u64) -> bool {
        match (&object.init, &object.pages) {
            (Some(init), _) => init
                .get(offset as usize..(offset + len) as usize)
                .is_some_and(|masks| masks.iter().all(|&mask| mask == u8::MAX)),
            (None, Some(_)) => (offset..offset + len).all(|at| init_bits(object, at) == u8::MAX),
            (None, None) => true,
        }
    }

    /// Returns whether some bits from an address on are initialised.
    pub(crate) fn bits_initialized(
        &self,
        address: u64,
        handle: Handle,
        first: u64,
        width: u64,
    ) -> bool {
        let Some(end) = first.checked_add(width) else { return false };
        let Ok(offset) = self.check(address, handle, end.div_ceil(8)) else { return false };
        let object = &self.objects[index_of(handle)];
        (first..end).all(|bit| init_bits(object, offset + bit / 8) >> (bit % 8) & 1 == 1)
    }

    /// The answer to a question about one pointer, as a word.
    #[inline]
    pub(crate) fn ask(&self, op: MemoryOp, address: u64, handle: Handle, n: u64) -> u64 {
        match op {
            MemoryOp::HasObject => (handle != 0).into(),
            MemoryOp::IsLive => self.is_live(handle).into(),
            MemoryOp::ObjectSize => self.object(handle).map_or(0, |object| object.size),
            MemoryOp::Offset => {
                let offset = address.wrapping_sub(self.base(handle).unwrap_or(0));
                let sh = self.mask.leading_zeros();
                ((offset << sh) as i64 >> sh) as u64
            }
            MemoryOp::IsHeap => (origin(handle) == Some(Origin::Heap)).into(),
            MemoryOp::IsWritable => {
                self.object(handle).is_some_and(|o| o.writable && !o.protected).into()
            }
            MemoryOp::IsInitialized => self.is_initialized(address, handle, n).into(),
            MemoryOp::TextSize => self.text_size(address, handle, n),
            MemoryOp::TextEnds => self.text_ends(address, handle).into(),
            // The others are not about one pointer.
            MemoryOp::SameObject
            | MemoryOp::IsFunction
            | MemoryOp::HeapEmpty
            | MemoryOp::HeapReachable
            | MemoryOp::UnracedRead
            | MemoryOp::UnracedWrite
            | MemoryOp::OthersGoOn => 0,
        }
    }

    /// Returns the number of bytes that reading a text of at most so many characters touches, including the first one
    /// that is missing.
    fn text_size(&self, address: u64, handle: Handle, limit: u64) -> u64 {
        let mut n = 0;
        while n < limit {
            let at = address.wrapping_add(n) & self.mask;
            n += 1;
            let Ok(offset) = self.check(at, handle, 1) else { break };
            let mut byte = [0];
            read_object(&self.objects[index_of(handle)], offset, &mut byte);
            if byte == [0] {
                break;
            }
        }
        n
    }

    /// Returns whether a byte from the address on is zero, or there is no byte there.
    fn text_ends(&self, address: u64, handle: Handle) -> bool {
        let Ok(offset) = self.check(address, handle, 1) else { return true };
        let object = &self.objects[index_of(handle)];
        if object.pages.is_none() {
            return object.data[offset as usize..].contains(&0);
        }
        let n = self.text_size(address, handle, u64::MAX);
        self.check(address, handle, n).is_ok()
    }

    /// Returns whether a range exists in a live object and is initialised.
    fn is_initialized(&self, address: u64, handle: Handle, len: u64) -> bool {
        match self.check(address, handle, len) {
            Ok(offset) => self.object_init(&self.objects[index_of(handle)], offset, len),
            Err(_) => false,
        }
    }
}

/// Reads bytes that are known to be inside of an object.
pub(super) fn read_object(object: &Object, offset: u64, out: &mut [u8]) {
    let Some(pages) = &object.pages else {
        let start = offset as usize;
        out.copy_from_slice(&object.data[start..start + out.len()]);
        return;
    };
    let mut done = 0;
    while done < out.len() {
        let at = offset + done as u64;
        let inside = (at % PAGE) as usize;
        let n = (PAGE as usize - inside).min(out.len() - done);
        match pages.map.get(&(at / PAGE)) {
            Some(page) => out[done..done + n].copy_from_slice(&page.bytes[inside..inside + n]),
            None => out[done..done + n].fill(0),
        }
        done += n;
    }
}

/// The initialised bits of a byte of an object.
pub(super) fn init_bits(object: &Object, offset: u64) -> u8 {
    match (&object.init, &object.pages) {
        (Some(init), _) => init.get(offset as usize).copied().unwrap_or(0),
        (None, Some(pages)) => match pages.map.get(&(offset / PAGE)) {
            Some(page) => page.init[(offset % PAGE) as usize],
            None if pages.initialized => u8::MAX,
            None => 0,
        },
        (None, None) => u8::MAX,
    }
}

//! Memory: objects with bytes, initialisation and attached pointers, at concrete addresses.
//!
//! An object is known by a *handle*: the index of its slot, its kind, and the generation of the slot, so that a handle to
//! a dead object never equals one to the object that uses the slot later. A pointer is an address and a handle (zero:
//! attached to nothing). The tag of a slot is the handle of the object in it while that is alive, so one comparison
//! decides whether an access is to a live object.
//!
//! **Pointers in memory** are bytes, as everything else; beside them stands a note of what they are attached to: the
//! address that was written, and the handle. The note counts only as long as the bytes still spell that address, so
//! other writes need not look for notes to delete; bytes without a valid note are attached by address.
//!
//! **Addresses.** Functions, statics, the heap and the stack of each thread have regions of the address space. Each
//! hands out addresses upward with a gap between objects, so that the address one past an object belongs to no other.
//! Heap addresses are not used again; stack addresses are, as on any machine. A slot of the heap is used again only
//! after many others have died, so that a use after free is seen.
//!
//! **Huge objects** keep their bytes in pages that exist from the first write on.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use vergo_goto::expr::MemoryOp;

/// What a pointer is attached to; zero is nothing.
pub(crate) type Handle = u64;

/// Set in a slot's tag while the object in it is dead.
const DEAD: u64 = 1 << 63;
const INDEX: u64 = 0xffff_ffff;
const GENERATION: u64 = 1 << 36;
const GENERATIONS: u64 = (1 << 27) - 1;

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Static = 1,
    Local = 2,
    Heap = 3,
    Stack = 4,
    Function = 5,
}

/// The origin of a handle's object.
pub(crate) fn origin(handle: Handle) -> Option<Origin> {
    match handle >> 32 & 15 {
        1 => Some(Origin::Static),
        2 => Some(Origin::Local),
        3 => Some(Origin::Heap),
        4 => Some(Origin::Stack),
        5 => Some(Origin::Function),
        _ => None,
    }
}

/// The index of a handle's slot; of a function, its number.
pub(crate) fn index(handle: Handle) -> usize {
    (handle & INDEX) as usize
}

/// Why an access is a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    Null,
    Unattached,
    Dead,
    Bounds,
    ReadOnly,
    Uninitialized,
    InvalidFree,
    DoubleFree,
    CallType,
    /// Not a fault of the program: the limit of memory is reached.
    OutOfMemory,
    /// Not a fault of the program: the limit of the stack is reached.
    StackOverflow,
}

pub(crate) type Access<T> = Result<T, Fault>;

/// An object, or room for one.
#[derive(Debug, Default)]
pub(crate) struct Object {
    tag: u64,
    pub(crate) base: u64,
    pub(crate) size: u64,
    /// The bytes; empty if they are in pages.
    data: Vec<u8>,
    pages: Option<Box<Pages>>,
    /// One bit per byte, unless all are initialised or nobody wants to know.
    init: Option<Vec<u64>>,
    pub(crate) writable: bool,
    /// Notes of pointers at multiples of their size: the address written, and the handle.
    notes: Vec<(u64, Handle)>,
    /// Notes of other pointers: offset, address, handle; ascending.
    odd_notes: Vec<(u64, u64, Handle)>,
}

impl Object {
    /// The handle of the object while it is alive.
    pub(crate) fn handle(&self) -> Handle {
        self.tag
    }
}

/// The bytes of a huge object. Pages without an entry are zero and not initialised.
#[derive(Debug, Default)]
struct Pages {
    map: FxHashMap<u64, Box<Page>>,
    initialized: bool,
}

#[derive(Debug)]
struct Page {
    bytes: [u8; PAGE as usize],
    init: [u64; PAGE as usize / 64],
}

const PAGE: u64 = 4096;
/// Objects above this size keep their bytes in pages.
const FLAT_LIMIT: u64 = 1 << 22;
/// How many dead heap objects are remembered at least.
const REMEMBERED: usize = 1 << 18;

/// A copy of bytes that knows which are initialised and which spell pointers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Big {
    pub(crate) bytes: Vec<u8>,
    /// One bit per byte; `None` if all are initialised.
    pub(crate) init: Option<Vec<u64>>,
    /// Offset, address, handle; ascending.
    pub(crate) notes: Vec<(u64, u64, Handle)>,
}

impl Big {
    pub(crate) fn zero(size: usize) -> Big {
        Big { bytes: vec![0; size], init: None, notes: Vec::new() }
    }
}

/// The stack of a thread: live and dead objects by ascending address.
#[derive(Debug)]
pub(crate) struct Stack {
    pub(crate) objects: Vec<(u64, Handle)>,
    pub(crate) top: u64,
    limit: u64,
}

/// All objects.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) objects: Vec<Object>,
    /// Slots of locals and stack objects that can be used again.
    free: Vec<u32>,
    /// Slots of dead heap objects, oldest first.
    dead_heap: VecDeque<u32>,
    statics: Vec<(u64, Handle)>,
    heap: Vec<(u64, Handle)>,
    pub(crate) stacks: Vec<Stack>,
    pub(crate) n_functions: u64,
    pub(crate) n_live_heap: u64,
    static_top: u64,
    heap_top: u64,
    layout: Layout,
    /// Bytes that objects take on the host.
    used: u64,
    limit: u64,
    pub(crate) pointer_size: u64,
    /// All ones in the width of pointers.
    pub(crate) mask: u64,
    track_init: bool,
    check_init: bool,
}

/// Where the regions of the address space begin and end.
#[derive(Debug)]
struct Layout {
    functions: u64,
    statics: u64,
    heap: u64,
    heap_end: u64,
    stacks: u64,
    stack_size: u64,
}

/// The gap behind each object.
const GAP: u64 = 16;
/// Functions stand this far apart.
const FUNCTION_STEP: u64 = 16;

impl Memory {
    pub(crate) fn new(
        pointer_width: u32,
        limit: u64,
        stack_limit: u64,
        track_init: bool,
        check_init: bool,
    ) -> Memory {
        let layout = if pointer_width == 32 {
            Layout {
                functions: 0x0804_8000,
                statics: 0x1000_0000,
                heap: 0x5000_0000,
                heap_end: 0xc000_0000,
                stacks: 0xc000_0000,
                stack_size: stack_limit.clamp(1 << 20, 0x0400_0000),
            }
        } else {
            Layout {
                functions: 0x0040_0000,
                statics: 0x0001_0000_0000,
                heap: 0x0100_0000_0000,
                heap_end: 0x4000_0000_0000,
                stacks: 0x4000_0000_0000,
                stack_size: stack_limit.clamp(1 << 20, 1 << 36),
            }
        };
        Memory {
            objects: vec![Object::default()],
            free: Vec::new(),
            dead_heap: VecDeque::new(),
            statics: Vec::new(),
            heap: Vec::new(),
            stacks: Vec::new(),
            n_functions: 0,
            n_live_heap: 0,
            static_top: layout.statics,
            heap_top: layout.heap,
            layout,
            used: 0,
            limit,
            pointer_size: u64::from(pointer_width) / 8,
            mask: u64::MAX >> (64 - pointer_width),
            track_init: track_init || check_init,
            check_init,
        }
    }

    /// The address and handle of a function.
    pub(crate) fn function(&self, number: u32) -> (u64, Handle) {
        let address = self.layout.functions + u64::from(number) * FUNCTION_STEP;
        (address, u64::from(number) | (Origin::Function as u64) << 32)
    }

    /// A stack for a new thread; `None` if the address space has no more room.
    pub(crate) fn add_stack(&mut self) -> Option<usize> {
        let number = self.stacks.len() as u64;
        let base = self.layout.stacks + number * (self.layout.stack_size + PAGE);
        let limit = base + self.layout.stack_size;
        if limit > self.mask {
            return None;
        }
        self.stacks.push(Stack { objects: Vec::new(), top: base, limit });
        Some(self.stacks.len() - 1)
    }

    /// A slot: a used one of the index, or a new one.
    fn slot(&mut self, reuse: Option<u32>, origin: Origin) -> Access<(usize, Handle)> {
        let (index, generation) = match reuse {
            Some(index) => {
                let tag = self.objects[index as usize].tag;
                (index as usize, (tag >> 36 & GENERATIONS).wrapping_add(1) & GENERATIONS)
            }
            None => {
                if self.objects.len() >= INDEX as usize {
                    return Err(Fault::OutOfMemory);
                }
                self.used += size_of::<Object>() as u64;
                self.objects.push(Object::default());
                (self.objects.len() - 1, 0)
            }
        };
        let handle = index as u64 | (origin as u64) << 32 | (generation * GENERATION);
        Ok((index, handle))
    }

    /// Gives a slot its object.
    fn fill(
        &mut self,
        index: usize,
        handle: Handle,
        base: u64,
        size: u64,
        zeroed: bool,
    ) -> Access<()> {
        let track = self.track_init && !zeroed;
        let object = &mut self.objects[index];
        let old = object.data.capacity() as u64;
        object.tag = handle;
        object.base = base;
        object.size = size;
        object.writable = true;
        object.data.clear();
        object.notes.clear();
        object.odd_notes.clear();
        object.pages = None;
        if size > FLAT_LIMIT {
            object.data = Vec::new();
            object.pages = Some(Box::new(Pages { map: FxHashMap::default(), initialized: zeroed }));
            object.init = None;
        } else {
            if self.used.saturating_add(size) > self.limit {
                return Err(Fault::OutOfMemory);
            }
            object.data.resize(size as usize, 0);
            if track {
                let words = (size as usize).div_ceil(64);
                let init = object.init.get_or_insert_with(Vec::new);
                init.clear();
                init.resize(words, 0);
            } else {
                object.init = None;
            }
        }
        let new = object.data.capacity() as u64;
        self.used = self.used.wrapping_add(new).wrapping_sub(old);
        Ok(())
    }

    /// Lets an object die; its bytes are given up if they are many.
    fn kill(&mut self, index: usize) {
        let object = &mut self.objects[index];
        object.tag |= DEAD;
        object.pages = None;
        if object.data.capacity() > 1 << 12 {
            self.used -= object.data.capacity() as u64;
            object.data = Vec::new();
            object.init = None;
            object.notes = Vec::new();
        }
    }

    pub(crate) fn add_static(&mut self, size: u64, align: u64, writable: bool) -> Access<Handle> {
        let (index, handle) = self.slot(None, Origin::Static)?;
        let base = self.static_top.next_multiple_of(align.max(1));
        let end = base
            .checked_add(size)
            .and_then(|end| end.checked_add(GAP))
            .ok_or(Fault::OutOfMemory)?;
        if end > self.layout.heap {
            return Err(Fault::OutOfMemory);
        }
        self.static_top = end;
        self.fill(index, handle, base, size, true)?;
        self.objects[index].writable = writable;
        self.statics.push((base, handle));
        Ok(handle)
    }

    /// A new object of the heap.
    pub(crate) fn allocate(
        &mut self,
        size: u64,
        align: u64,
        zeroed: bool,
    ) -> Access<(u64, Handle)> {
        let reuse =
            if self.dead_heap.len() > REMEMBERED { self.dead_heap.pop_front() } else { None };
        let (index, handle) = self.slot(reuse, Origin::Heap)?;
        let base = self.heap_top.next_multiple_of(align.max(16));
        let end = base
            .checked_add(size)
            .and_then(|end| end.checked_add(GAP))
            .ok_or(Fault::OutOfMemory)?;
        if end > self.layout.heap_end {
            return Err(Fault::OutOfMemory);
        }
        self.heap_top = end;
        self.fill(index, handle, base, size, zeroed)?;
        if reuse.is_some() && self.heap.len() > 4 * REMEMBERED + 2 * self.n_live_heap as usize {
            let objects = &self.objects;
            self.heap.retain(|&(base, handle)| {
                let object = &objects[index_of(handle)];
                object.base == base && object.tag & !DEAD == handle
            });
        }
        self.heap.push((base, handle));
        self.n_live_heap += 1;
        Ok((base, handle))
    }

    /// A new object on a stack; with `place`, at the address and in the slot of an earlier one.
    pub(crate) fn push_stack(
        &mut self,
        stack: usize,
        place: Option<usize>,
        size: u64,
        align: u64,
        origin: Origin,
        zeroed: bool,
    ) -> Access<(usize, u64, Handle)> {
        if let Some(place) = place {
            let (base, old) = self.stacks[stack].objects[place];
            let (index, handle) = self.slot(Some(index_of(old) as u32), origin)?;
            self.fill(index, handle, base, size, zeroed)?;
            self.stacks[stack].objects[place].1 = handle;
            return Ok((place, base, handle));
        }
        let top = self.stacks[stack].top;
        let base = top.next_multiple_of(align.max(1));
        let end = base
            .checked_add(size)
            .and_then(|end| end.checked_add(GAP))
            .ok_or(Fault::StackOverflow)?;
        if end > self.stacks[stack].limit {
            return Err(Fault::StackOverflow);
        }
        let reuse = self.free.pop();
        let (index, handle) = self.slot(reuse, origin)?;
        self.fill(index, handle, base, size, zeroed)?;
        let stack = &mut self.stacks[stack];
        stack.top = end;
        stack.objects.push((base, handle));
        Ok((stack.objects.len() - 1, base, handle))
    }

    /// Lets a stack object die; its place stays.
    pub(crate) fn kill_handle(&mut self, handle: Handle) {
        if self.is_live(handle) {
            self.kill(index_of(handle));
        }
    }

    /// Takes objects off a stack down to a height.
    pub(crate) fn pop_stack(&mut self, stack: usize, height: usize, top: u64) {
        while self.stacks[stack].objects.len() > height {
            let Some((_, handle)) = self.stacks[stack].objects.pop() else { break };
            let index = index_of(handle);
            if self.objects[index].tag == handle {
                self.kill(index);
            }
            self.free.push(index as u32);
        }
        self.stacks[stack].top = top;
    }

    /// Takes an object off the top of a stack, if it is the last there.
    pub(crate) fn pop_if_last(&mut self, stack: usize, handle: Handle) {
        let stack = &mut self.stacks[stack];
        if let Some(&(base, last)) = stack.objects.last()
            && last == handle
        {
            stack.objects.pop();
            stack.top = base;
            self.free.push(index_of(handle) as u32);
        }
    }

    /// Frees an object of the heap; the pointer must be its base.
    pub(crate) fn release(&mut self, address: u64, handle: Handle) -> Access<()> {
        if origin(handle) != Some(Origin::Heap) {
            return Err(Fault::InvalidFree);
        }
        let object = &self.objects[index_of(handle)];
        if object.tag != handle {
            return Err(Fault::DoubleFree);
        }
        if object.base != address {
            return Err(Fault::InvalidFree);
        }
        self.kill(index_of(handle));
        self.dead_heap.push_back(index_of(handle) as u32);
        self.n_live_heap -= 1;
        Ok(())
    }

    pub(crate) fn is_live(&self, handle: Handle) -> bool {
        match origin(handle) {
            Some(Origin::Function) => true,
            Some(_) => {
                self.objects.get(index_of(handle)).is_some_and(|object| object.tag == handle)
            }
            None => false,
        }
    }

    /// The object of a handle, also a dead one, unless its slot is used by another.
    pub(crate) fn object(&self, handle: Handle) -> Option<&Object> {
        match origin(handle) {
            Some(Origin::Function) | None => None,
            Some(_) => {
                let object = self.objects.get(index_of(handle))?;
                (object.tag & !DEAD == handle).then_some(object)
            }
        }
    }

    /// The base address of a handle's object, if it is still known.
    pub(crate) fn base(&self, handle: Handle) -> Option<u64> {
        match origin(handle) {
            Some(Origin::Function) => Some(self.function((handle & INDEX) as u32).0),
            _ => self.object(handle).map(|object| object.base),
        }
    }

    /// What an address is attached to: the object that it lies in or directly behind.
    pub(crate) fn attach(&self, address: u64) -> Handle {
        let layout = &self.layout;
        let list = if address < layout.functions {
            return 0;
        } else if address < layout.statics {
            let offset = address - layout.functions;
            if offset.is_multiple_of(FUNCTION_STEP) && offset / FUNCTION_STEP < self.n_functions {
                return self.function((offset / FUNCTION_STEP) as u32).1;
            }
            return 0;
        } else if address < layout.heap {
            &self.statics
        } else if address < layout.heap_end {
            &self.heap
        } else {
            let number = (address - layout.stacks) / (layout.stack_size + PAGE);
            match self.stacks.get(number as usize) {
                Some(stack) => &stack.objects,
                None => return 0,
            }
        };
        let found = list.partition_point(|&(base, _)| base <= address);
        let Some(&(base, handle)) = found.checked_sub(1).and_then(|i| list.get(i)) else {
            return 0;
        };
        match self.object(handle) {
            Some(object) if object.base == base && address - base <= object.size => handle,
            _ => 0,
        }
    }

    /// The live statics, in order.
    pub(crate) fn live_statics(&self) -> impl Iterator<Item = Handle> + '_ {
        self.statics.iter().map(|&(_, handle)| handle)
    }
}

fn index_of(handle: Handle) -> usize {
    index(handle)
}

/// Why an access to bytes that are not there fails.
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
        if let Some(object) = self.objects.get((handle & INDEX) as usize)
            && object.tag == handle
            && handle != 0
            && let offset = address.wrapping_sub(object.base) as usize
            && let Some(bytes) = offset.checked_add(N).and_then(|end| object.data.get(offset..end))
        {
            if self.check_init {
                self.require_init(object, offset as u64, N as u64)?;
            }
            let mut out = [0; N];
            out.copy_from_slice(bytes);
            return Ok(out);
        }
        self.load_slowly(address, handle)
    }

    #[cold]
    fn load_slowly<const N: usize>(&self, address: u64, handle: Handle) -> Access<[u8; N]> {
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

    /// `N` bytes at an offset of a variable's object.
    #[inline(always)]
    pub(crate) fn load_in<const N: usize>(&self, handle: Handle, off: u32) -> Access<[u8; N]> {
        if let Some(object) = self.objects.get((handle & INDEX) as usize)
            && object.tag == handle
            && !self.check_init
            && let Some(bytes) = object.data.get(off as usize..off as usize + N)
        {
            let mut out = [0; N];
            out.copy_from_slice(bytes);
            return Ok(out);
        }
        self.load_slowly(self.address_in(handle, off)?, handle)
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
                set_bits(init, off as usize, N);
            }
            return Ok(());
        }
        let address = self.address_in(handle, off)?;
        self.write(address, handle, &bytes)
    }

    /// Whether bytes inside of a variable's object are initialised.
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
                set_bits(init, offset, N);
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
                set_bits(init, start, bytes.len());
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
                let init = if pages.initialized { u64::MAX } else { 0 };
                let page = Page { bytes: [0; PAGE as usize], init: [init; PAGE as usize / 64] };
                pages.map.insert(number, Box::new(page));
            }
            if let Some(page) = pages.map.get_mut(&number) {
                page.bytes[inside..inside + n].copy_from_slice(&bytes[done..done + n]);
                set_bits(&mut page.init, inside, n);
            }
            done += n;
        }
        Ok(())
    }

    /// Whether all bytes of a range inside of an object are initialised.
    fn object_init(&self, object: &Object, offset: u64, len: u64) -> bool {
        match (&object.init, &object.pages) {
            (Some(init), _) => {
                // Scalars mostly lie in one word.
                let shift = offset % 64;
                if len < 64 && shift + len <= 64 {
                    let mask = (1u64 << len) - 1;
                    return init
                        .get(offset as usize / 64)
                        .is_some_and(|word| word >> shift & mask == mask);
                }
                (offset..offset + len).all(|i| bit(init, i as usize))
            }
            (None, Some(pages)) => {
                (offset..offset + len).all(|i| match pages.map.get(&(i / PAGE)) {
                    Some(page) => bit(&page.init, (i % PAGE) as usize),
                    None => pages.initialized,
                })
            }
            (None, None) => true,
        }
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
                self.object(handle).is_some_and(|object| object.writable).into()
            }
            MemoryOp::IsInitialized => self.is_initialized(address, handle, n).into(),
            // The others are not about one pointer.
            MemoryOp::SameObject
            | MemoryOp::IsFunction
            | MemoryOp::HeapEmpty
            | MemoryOp::HeapReachable => 0,
        }
    }

    /// Whether a range exists in a live object and is initialised.
    fn is_initialized(&self, address: u64, handle: Handle, len: u64) -> bool {
        match self.check(address, handle, len) {
            Ok(offset) => self.object_init(&self.objects[index_of(handle)], offset, len),
            Err(_) => false,
        }
    }
}

/// Reads bytes that are known to be inside of an object.
fn read_object(object: &Object, offset: u64, out: &mut [u8]) {
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

pub(crate) fn bit(bits: &[u64], i: usize) -> bool {
    bits.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
}

pub(crate) fn set_bits(bits: &mut [u64], start: usize, n: usize) {
    // Scalars mostly lie in one word.
    let (word, shift) = (start / 64, start % 64);
    if shift + n <= 64 && n < 64 {
        bits[word] |= ((1u64 << n) - 1) << shift;
        return;
    }
    for i in start..start + n {
        bits[i / 64] |= 1 << (i % 64);
    }
}

fn clear_bits(bits: &mut [u64], start: usize, n: usize) {
    for i in start..start + n {
        bits[i / 64] &= !(1 << (i % 64));
    }
}

/// Pointers and aggregates.
impl Memory {
    /// A pointer at an address.
    #[inline]
    pub(crate) fn load_pointer(&self, address: u64, handle: Handle) -> Access<(u64, Handle)> {
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

    /// Whether a copy of so many bytes is within the limit of memory.
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
            let mut bits = vec![0; size.div_ceil(64)];
            for i in 0..size {
                if self.object_init(object, offset + i as u64, 1) {
                    set_bits(&mut bits, i, 1);
                }
            }
            Some(bits)
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
        if let Some(bits) = &value.init {
            for i in 0..value.bytes.len() {
                if !bit(bits, i) {
                    self.clear_init(index, offset + i as u64);
                }
            }
        }
        for &(at, value, attached) in &value.notes {
            self.note(index, offset + at, value, attached);
        }
        Ok(())
    }

    fn clear_init(&mut self, index: usize, offset: u64) {
        let track = self.track_init;
        let object = &mut self.objects[index];
        if let Some(pages) = &mut object.pages {
            if let Some(page) = pages.map.get_mut(&(offset / PAGE)) {
                clear_bits(&mut page.init, (offset % PAGE) as usize, 1);
            }
        } else if track {
            let words = (object.size as usize).div_ceil(64);
            let init = object.init.get_or_insert_with(|| vec![u64::MAX; words]);
            clear_bits(init, offset as usize, 1);
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

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
//! An execution that depends on addresses says where some objects lie ([`Memory::place`]): anywhere that is free, also
//! where a dead one was. Then the regions are moved out of the way of these.
//!
//! **Huge objects** keep their bytes in pages that exist from the first write on.

mod access;
mod pointers;
mod states;

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// The object that a pointer is attached to; zero is none.
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

/// The reason why an access is a fault.
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    tag: u64,
    pub(crate) base: u64,
    pub(crate) size: u64,
    /// The bytes; empty if they are in pages.
    data: Vec<u8>,
    pages: Option<Box<Pages>>,
    /// The initialised bits of each byte, unless all are initialised or nobody wants to know.
    init: Option<Vec<u8>>,
    pub(crate) writable: bool,
    /// True if it is an automatic object that only its variable may write.
    protected: bool,
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
#[derive(Clone, Debug, Default)]
struct Pages {
    map: FxHashMap<u64, Box<Page>>,
    initialized: bool,
}

#[derive(Clone, Debug)]
struct Page {
    bytes: [u8; PAGE as usize],
    init: [u8; PAGE as usize],
}

const PAGE: u64 = 4096;
/// Objects above this size keep their bytes in pages.
const FLAT_LIMIT: u64 = 1 << 22;
/// The least number of dead heap objects that are remembered.
const REMEMBERED: usize = 1 << 18;

/// A copy of bytes that knows which are initialised and which spell pointers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Big {
    pub(crate) bytes: Vec<u8>,
    /// The initialised bits of each byte; `None` if all are.
    pub(crate) init: Option<Vec<u8>>,
    /// Offset, address, handle; ascending.
    pub(crate) notes: Vec<(u64, u64, Handle)>,
}

impl Big {
    pub(crate) fn zero(size: usize) -> Big {
        Big { bytes: vec![0; size], init: None, notes: Vec::new() }
    }
}

/// The stack of a thread: live and dead objects by ascending address.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    pub(crate) objects: Vec<(u64, Handle)>,
    pub(crate) top: u64,
    limit: u64,
}

/// All objects.
#[derive(Clone, Debug)]
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
    /// The part of the heap's addresses that is being given out.
    heap_top: u64,
    heap_stop: u64,
    layout: Layout,
    /// Objects and functions whose address somebody has chosen, by address.
    placed: BTreeMap<u64, Handle>,
    /// The chosen addresses of functions.
    function_addresses: FxHashMap<u32, u64>,
    /// Bytes that objects take on the host.
    used: u64,
    limit: u64,
    pub(crate) pointer_size: u64,
    /// All ones in the width of pointers.
    pub(crate) mask: u64,
    track_init: bool,
    check_init: bool,
    /// True if the bytes of a pointer must not be read as anything else.
    opaque: bool,
}

/// Where the regions of the address space begin and end.
#[derive(Clone, Debug)]
struct Layout {
    functions: u64,
    statics: u64,
    heap: u64,
    heap_end: u64,
    stacks: u64,
    stack_size: u64,
}

impl Layout {
    fn usual(pointer_width: u32, stack_limit: u64) -> Layout {
        if pointer_width == 32 {
            return Layout {
                functions: 0x0804_8000,
                statics: 0x1000_0000,
                heap: 0x5000_0000,
                heap_end: 0xc000_0000,
                stacks: 0xc000_0000,
                stack_size: stack_limit.clamp(1 << 20, 0x0400_0000),
            };
        }
        Layout {
            functions: 0x0040_0000,
            // No region begins where an address cut to 32 bits is null.
            statics: 0x0001_0060_0000,
            heap: 0x0100_0060_0000,
            heap_end: 0x4000_0060_0000,
            stacks: 0x4000_0060_0000,
            stack_size: stack_limit.clamp(1 << 20, 1 << 36),
        }
    }

    /// A layout in whose regions none of these addresses is, if there is one.
    fn avoiding(pointer_width: u32, stack_limit: u64, chosen: &[u64]) -> Layout {
        let usual = Layout::usual(pointer_width, stack_limit);
        if chosen.is_empty() {
            return usual;
        }
        let is_free = |part: u64, bits: u32| chosen.iter().all(|address| address >> bits != part);
        if pointer_width == 32 {
            // Parts of 256 MB; the one before each must be free too, for what reaches out of it.
            const BITS: u32 = 28;
            let mut parts = (1..15).filter(|&part| is_free(part, BITS) && is_free(part - 1, BITS));
            let found = (parts.next(), parts.next(), parts.next(), parts.next());
            let (Some(functions), Some(statics), Some(heap), Some(stacks)) = found else {
                return usual;
            };
            return Layout {
                functions: functions << BITS,
                statics: statics << BITS,
                heap: heap << BITS,
                heap_end: (heap + 1) << BITS,
                stacks: stacks << BITS,
                stack_size: usual.stack_size,
            };
        }
        // Parts of which each has room for the usual layout twice.
        const BITS: u32 = 48;
        let mut parts = (0..1 << 15).filter(|&part| is_free(part, BITS));
        let Some(part) = parts.next() else { return usual };
        let base = part << BITS;
        Layout {
            functions: base + usual.functions,
            statics: base + usual.statics,
            heap: base + usual.heap,
            heap_end: base + usual.heap_end,
            stacks: base + usual.stacks,
            stack_size: usual.stack_size,
        }
    }
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
        chosen: &[u64],
        track_init: bool,
        check_init: bool,
    ) -> Memory {
        let layout = Layout::avoiding(pointer_width, stack_limit, chosen);
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
            heap_stop: layout.heap_end,
            layout,
            placed: BTreeMap::new(),
            function_addresses: FxHashMap::default(),
            used: 0,
            limit,
            pointer_size: u64::from(pointer_width) / 8,
            mask: u64::MAX >> (64 - pointer_width),
            track_init: track_init || check_init,
            check_init,
            opaque: false,
        }
    }

    /// From now on the bytes of a pointer count as not initialised for whoever reads them as anything else.
    pub(crate) fn make_pointers_opaque(&mut self) {
        (self.track_init, self.check_init, self.opaque) = (true, true, true);
    }

    /// The address and handle of a function.
    pub(crate) fn function(&self, number: u32) -> (u64, Handle) {
        let usual = self.layout.functions + u64::from(number) * FUNCTION_STEP;
        let chosen = self.function_addresses.get(&number).copied();
        let address = chosen.unwrap_or(usual);
        (address, u64::from(number) | (Origin::Function as u64) << 32)
    }

    /// Says where a function is.
    pub(crate) fn place_function(&mut self, number: u32, address: u64) {
        self.function_addresses.insert(number, address);
        let handle = self.function(number).1;
        self.placed.insert(address, handle);
    }

    /// Moves a new object, to which there are no pointers yet, to an address, if no other live object is there; constants
    /// may share their place.
    pub(crate) fn place(&mut self, handle: Handle, address: u64) -> bool {
        let object = &self.objects[index_of(handle)];
        let (size, is_constant) = (object.size.max(1), !object.writable);
        let Some(end) = address.checked_add(size).filter(|&end| end - 1 <= self.mask) else {
            return false;
        };
        let in_the_way = self.placed.range(..end).rev().any(|(&base, &other)| {
            let (size, constant) = match self.object(other) {
                Some(object) => (object.size.max(1), !object.writable),
                None => (1, false),
            };
            self.is_live(other) && base + size > address && !(is_constant && constant)
        });
        if in_the_way || address == 0 {
            return false;
        }
        self.objects[index_of(handle)].base = address;
        self.placed.insert(address, handle);
        true
    }

    /// Returns the object at an address that somebody has chosen: a live object that it lies in, or directly behind, or
    /// a dead one.
    fn placed_at(&self, address: u64) -> Option<Handle> {
        let mut found: Option<(u32, Handle)> = None;
        for (&base, &handle) in self.placed.range(..=address).rev() {
            let size = self.object(handle).map_or(0, |object| object.size);
            let rank = match (self.is_live(handle), address - base) {
                (true, offset) if offset < size.max(1) => 3,
                (true, offset) if offset == size => 2,
                (false, offset) if offset < size.max(1) => 1,
                _ => continue,
            };
            if found.is_none_or(|(other, _)| other < rank) {
                found = Some((rank, handle));
            }
        }
        found.map(|(_, handle)| handle)
    }

    /// A stack for a new thread; `None` if the address space has no more room. Where addresses are short, the first threads have
    /// large stacks, and others small ones, so that there is room for thousands.
    pub(crate) fn add_stack(&mut self) -> Option<usize> {
        let number = self.stacks.len();
        let base = self.stacks.last().map_or(self.layout.stacks, |last| last.limit + PAGE);
        let size = self.layout.stack_size;
        let size = match number {
            0 => size,
            _ if self.mask > u64::from(u32::MAX) => size,
            1..8 => size / 4,
            8..256 => size.min(1 << 20),
            _ => 1 << 14,
        };
        let limit = base + size;
        if limit > self.mask {
            return None;
        }
        self.stacks.push(Stack { objects: Vec::new(), top: base, limit });
        Some(number)
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
        object.protected = false;
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
                let init = object.init.get_or_insert_with(Vec::new);
                init.clear();
                init.resize(size as usize, 0);
            } else {
                object.init = None;
            }
        }
        let new = object.data.capacity() as u64;
        self.used = self.used.wrapping_add(new).wrapping_sub(old);
        Ok(())
    }

    /// Makes a new automatic object one that pointers may not write.
    pub(crate) fn protect(&mut self, handle: Handle) {
        self.objects[index_of(handle)].protected = true;
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

    /// The bytes of a live object, if they are not in pages.
    pub(crate) fn flat_bytes(&mut self, handle: Handle) -> &mut [u8] {
        &mut self.objects[index_of(handle)].data
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

    /// A free address of the heap. Addresses are used again only when all have been used: then the largest gap
    /// between live objects is given out next.
    fn heap_address(&mut self, size: u64, align: u64) -> Access<u64> {
        let fits = |top: u64, stop: u64| {
            let base = top.checked_next_multiple_of(align)?;
            let end = base.checked_add(size)?.checked_add(GAP)?;
            (end <= stop).then_some((base, end))
        };
        if let Some((base, end)) = fits(self.heap_top, self.heap_stop) {
            self.heap_top = end;
            return Ok(base);
        }
        let objects = &self.objects;
        self.heap.retain(|&(_, handle)| objects[index_of(handle)].tag == handle);
        let (mut top, mut largest) = (self.layout.heap, (0, 0));
        let ends = self.heap.iter().map(|&(base, handle)| (base, objects[index_of(handle)].size));
        for (base, size) in ends.chain([(self.layout.heap_end, 0)]) {
            if base.saturating_sub(top) > largest.1 - largest.0 {
                largest = (top, base);
            }
            top = base + size + GAP;
        }
        let (base, end) = fits(largest.0, largest.1).ok_or(Fault::OutOfMemory)?;
        (self.heap_top, self.heap_stop) = (end, largest.1);
        Ok(base)
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
        let base = self.heap_address(size, align.max(16))?;
        self.fill(index, handle, base, size, zeroed)?;
        if reuse.is_some() && self.heap.len() > 4 * REMEMBERED + 2 * self.n_live_heap as usize {
            let objects = &self.objects;
            self.heap.retain(|&(base, handle)| {
                let object = &objects[index_of(handle)];
                object.base == base && object.tag & !DEAD == handle
            });
        }
        match self.heap.last() {
            Some(&(last, _)) if last >= base => {
                let at = self.heap.partition_point(|&(other, _)| other < base);
                self.heap.insert(at, (base, handle));
            }
            _ => self.heap.push((base, handle)),
        }
        self.n_live_heap += 1;
        Ok((base, handle))
    }

    /// Which allocation a heap object is, counted from one.
    pub(crate) fn heap_number(&self, handle: Handle) -> usize {
        self.heap.iter().position(|&(_, other)| other == handle).map_or(0, |i| i + 1)
    }

    /// The objects of the heap that are remembered, alive or not: number and handle.
    pub(crate) fn numbered_heap(&self) -> impl Iterator<Item = (usize, Handle)> + '_ {
        self.heap.iter().enumerate().map(|(i, &(_, handle))| (i + 1, handle))
    }

    /// A word of pointer width as a signed number.
    pub(crate) fn signed(&self, word: u64) -> i64 {
        let unused = self.mask.leading_zeros();
        (word << unused) as i64 >> unused
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

    /// The stack that an address lies on, by number.
    pub(crate) fn stack_at(&self, address: u64) -> Option<usize> {
        let number = self.stacks.partition_point(|stack| stack.limit + PAGE <= address);
        (address >= self.layout.stacks && number < self.stacks.len()).then_some(number)
    }

    /// Returns the object that an address is attached to: the one that it lies in or directly behind.
    pub(crate) fn attach(&self, address: u64) -> Handle {
        if let Some(handle) = self.placed_at(address) {
            return handle;
        }
        let layout = &self.layout;
        let list = if address < layout.functions {
            return 0;
        } else if address < layout.statics {
            let offset = address - layout.functions;
            if offset.is_multiple_of(FUNCTION_STEP) && offset / FUNCTION_STEP < self.n_functions {
                let number = (offset / FUNCTION_STEP) as u32;
                let (here, handle) = self.function(number);
                return if here == address { handle } else { 0 };
            }
            return 0;
        } else if address < layout.heap {
            &self.statics
        } else if address < layout.heap_end {
            &self.heap
        } else {
            match self.stack_at(address) {
                Some(number) => &self.stacks[number].objects,
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

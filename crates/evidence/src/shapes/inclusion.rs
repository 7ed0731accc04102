//! Inclusion: whether one state is a case of another.
//!
//! Variables are those of the same name, and from there pointers are followed in both graphs at once. An object of the wider
//! state is an object of the narrower one, with cells that say at least as much; a chain is a row of objects and chains. Each
//! object is taken once. How long a row is has to be guessed, and a wrong guess is taken back.

use super::correspondence::Correspondence;
use super::graph::{Class, End, Known, Object, ObjectId, Origin, Pointer, State, UnknownId, Value};
use std::cell::Cell as Counter;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use vergo_goto::program::Program;

/// Guesses and comparisons after which the answer is no.
const MOST_STEPS: usize = 20_000;

/// Checks whether every memory that one state stands for is one that the other stands for.
pub fn includes(program: &Program, wider: &State, narrower: &State) -> bool {
    if narrower.lost && !wider.lost || wider.frames.len() != narrower.frames.len() {
        return false;
    }
    let same_place = wider.frames.iter().zip(&narrower.frames).all(|(wider, narrower)| {
        (wider.function, wider.at) == (narrower.function, narrower.at)
            && wider.locals.keys().eq(narrower.locals.keys())
    });
    if !same_place || !wider.statics.keys().eq(narrower.statics.keys()) {
        return false;
    }
    let variables = |state: &State| -> Vec<ObjectId> {
        let of_frames = state.frames.iter().flat_map(|frame| frame.locals.values());
        state.statics.values().chain(of_frames).copied().collect()
    };
    let pairs: Vec<_> = variables(wider).into_iter().zip(variables(narrower)).collect();
    // Most states differ in numbers that variables hold.
    let differ = |&(wide, narrow): &(ObjectId, ObjectId)| {
        let narrow = narrower.object(narrow);
        wider.object(wide).cells.iter().any(|(&at, cell)| {
            matches!(cell.value, Value::Word(_))
                && narrow.scalar(at, cell.size, cell.class) != Some(cell.value)
        })
    };
    if pairs.iter().any(differ) {
        return false;
    }
    let matcher = Matcher { program, wider, narrower, steps: Counter::new(0) };
    let mut found = Found::default();
    pairs.into_iter().all(|(wide, narrow)| matcher.object(&mut found, wide, narrow, 0))
        && matcher.solve(found)
}

struct Matcher<'a> {
    program: &'a Program,
    wider: &'a State,
    narrower: &'a State,
    steps: Counter<usize>,
}

/// The correspondence found so far, and the obligations that are left.
#[derive(Clone)]
struct Found {
    /// The counterparts of objects of the wider state, in the context of a node.
    objects: BTreeMap<(ObjectId, usize), Found1>,
    /// The objects of the narrower state that are taken.
    taken: BTreeSet<ObjectId>,
    unknowns: BTreeMap<UnknownId, Value>,
    /// Nodes of chains of the wider state; the first is for objects outside of chains.
    contexts: Vec<Context>,
    pending: Vec<Pair>,
}

/// The counterpart of an object of the wider state.
#[derive(Clone, Copy)]
enum Found1 {
    Object(ObjectId),
    /// The node has none.
    Absent,
    /// The counterparts of pointers to the ends.
    Chain {
        first: Option<Value>,
        last: Option<Value>,
    },
}

/// A node of a chain.
#[derive(Clone, Copy)]
struct Context {
    /// The chain of the wider state; none outside of chains.
    owner: Option<ObjectId>,
    /// The node's counterpart in the narrower state.
    node: Option<ObjectId>,
    /// The chain of the narrower state whose nodes have the objects that belong to this node.
    of: Option<ObjectId>,
    outer: usize,
}

/// Two values: every value that the narrower one can be must be one that the wider one can be.
#[derive(Clone, Copy)]
struct Pair {
    class: Class,
    narrow: Value,
    wide: Value,
    /// The object of the wider state that holds it.
    holder: ObjectId,
    context: usize,
}

impl Default for Found {
    fn default() -> Found {
        let outside = Context { owner: None, node: None, of: None, outer: 0 };
        Found {
            objects: BTreeMap::new(),
            taken: BTreeSet::new(),
            unknowns: BTreeMap::new(),
            contexts: vec![outside],
            pending: Vec::new(),
        }
    }
}

impl Matcher<'_> {
    /// Shows all that is pending.
    fn solve(&self, mut found: Found) -> bool {
        while let Some(pair) = found.pending.pop() {
            self.steps.set(self.steps.get() + 1);
            if self.steps.get() > MOST_STEPS {
                return false;
            }
            match pair.wide {
                Value::Word(_) | Value::Function(_) if pair.wide == pair.narrow => {}
                Value::Word(_) | Value::Function(_) => return false,
                Value::Each(range) => {
                    if !self.is_within(pair, range) {
                        return false;
                    }
                }
                Value::Unknown(id) => {
                    if !self.unknown(&mut found, pair, id) {
                        return false;
                    }
                }
                Value::Inside(object, at) => {
                    if !self.inside(&mut found, pair, object, at) {
                        return false;
                    }
                }
                Value::Ptr(pointer) => match self.pointer(&mut found, pair, pointer) {
                    Some(true) => {}
                    Some(false) => return false,
                    None => return self.chain(&found, pair, pointer),
                },
            }
        }
        self.is_complete(&found)
    }

    fn is_within(&self, pair: Pair, range: Option<vergo_analysis::wrapped::Wrapped>) -> bool {
        let (Some(range), Some(word)) = (range, pair.class.word(self.program)) else { return true };
        let narrow = self.narrower.range(self.program, pair.class, pair.narrow);
        narrow.is_some_and(|narrow| narrow.is_within(word, range))
    }

    fn unknown(&self, found: &mut Found, pair: Pair, id: UnknownId) -> bool {
        if matches!(pair.narrow, Value::Each(_)) {
            return false;
        }
        if let Some(&known) = found.unknowns.get(&id) {
            return known == pair.narrow;
        }
        let Some(&Known { class, range, .. }) = self.wider.unknowns.get(&id) else { return false };
        found.unknowns.insert(id, pair.narrow);
        class == pair.class && self.is_within(pair, range)
    }

    /// The context in which an object of the wider state is meant.
    fn context_of(&self, found: &Found, id: ObjectId, mut context: usize) -> Option<usize> {
        let of = self.wider.objects.get(&id)?.of;
        while found.contexts[context].owner != of {
            if context == 0 {
                return None;
            }
            context = found.contexts[context].outer;
        }
        Some(context)
    }

    /// Follows a pointer. `None` if it is the first to a chain.
    fn pointer(&self, found: &mut Found, pair: Pair, wide: Pointer) -> Option<bool> {
        if self.wider.object(pair.holder).of == Some(wide.object) {
            // Its own node.
            let at = self.context_of(found, pair.holder, pair.context);
            let node = at.and_then(|at| found.contexts[at].node);
            let is_node =
                |narrow: Pointer| node == Some(narrow.object) && wide.offset == narrow.offset;
            return Some(matches!(pair.narrow, Value::Ptr(narrow) if is_node(narrow)));
        }
        if self.wider.object(wide.object).maybe && pair.narrow == Value::Word(0) {
            let Some(context) = self.context_of(found, wide.object, pair.context) else {
                return Some(false);
            };
            let is = found.objects.entry((wide.object, context)).or_insert(Found1::Absent);
            return Some(matches!(is, Found1::Absent));
        }
        let Value::Ptr(narrow) = pair.narrow else {
            // Only of a chain that may be empty a pointer may be none.
            let may_be = self.wider.object(wide.object).chain.is_some_and(|chain| chain.least == 0);
            return if may_be { self.known_chain(found, pair, wide) } else { Some(false) };
        };
        if self.wider.object(wide.object).chain.is_some() {
            return self.known_chain(found, pair, wide);
        }
        let Some(context) = self.context_of(found, wide.object, pair.context) else {
            return Some(false);
        };
        let same = wide.offset == narrow.offset;
        Some(same && self.is_object(found, wide.object, narrow.object, context))
    }

    /// An object of the wider state is, or can be, one of the narrower state.
    fn is_object(
        &self,
        found: &mut Found,
        wide: ObjectId,
        narrow: ObjectId,
        context: usize,
    ) -> bool {
        match found.objects.get(&(wide, context)) {
            Some(Found1::Object(id)) => *id == narrow,
            Some(Found1::Chain { .. } | Found1::Absent) => false,
            None => self.object(found, wide, narrow, context),
        }
    }

    /// A pointer somewhere into an object: the same object, and offsets that can be.
    fn inside(&self, found: &mut Found, pair: Pair, wide: ObjectId, at: UnknownId) -> bool {
        let width = self.program.machine.pointer_width;
        let (narrow, offset) = match pair.narrow {
            Value::Inside(object, at) => (object, Value::Unknown(at)),
            Value::Ptr(to) if self.narrower.object(to.object).chain.is_none() => {
                let mask = u64::MAX >> (64 - width);
                (to.object, Value::Word(to.offset as u64 & mask))
            }
            _ => return false,
        };
        let Some(context) = self.context_of(found, wide, pair.context) else { return false };
        let class = Class::Int(width);
        found.pending.push(Pair { class, narrow: offset, wide: Value::Unknown(at), ..pair });
        self.is_object(found, wide, narrow, context)
    }

    /// A pointer to a chain that is known, or `None`.
    fn known_chain(&self, found: &mut Found, pair: Pair, wide: Pointer) -> Option<bool> {
        let Some(context) = self.context_of(found, wide.object, pair.context) else {
            return Some(false);
        };
        let object = self.wider.object(wide.object);
        let Some(chain) = object.chain else { return Some(false) };
        let known = found.objects.get(&(wide.object, context)).copied()?;
        let Found1::Chain { first, last } = known else { return Some(false) };
        let at_end = match wide.end {
            End::First => first,
            End::Last => last,
        };
        if let Some(value) = at_end {
            let moved = match value {
                Value::Ptr(pointer) => {
                    let by = wide.offset - chain.head as i64;
                    Value::Ptr(Pointer { offset: pointer.offset + by, ..pointer })
                }
                value if wide.offset == chain.head as i64 => value,
                _ => return Some(false),
            };
            return Some(moved == pair.narrow);
        }
        // There is no node: it is what comes beyond.
        let Some(beyond) = chain.onward(wide.end).and_then(|at| object.cells.get(&at)) else {
            return Some(false);
        };
        let (first, last) = match wide.end {
            End::First => (Some(pair.narrow), last),
            End::Last => (first, Some(pair.narrow)),
        };
        found.objects.insert((wide.object, context), Found1::Chain { first, last });
        found.pending.push(Pair { wide: beyond.value, holder: wide.object, context, ..pair });
        Some(wide.offset == chain.head as i64)
    }

    /// An object of the wider state is one of the narrower state.
    fn object(&self, found: &mut Found, wide: ObjectId, narrow: ObjectId, context: usize) -> bool {
        let (wider, narrower) = (self.wider.object(wide), self.narrower.object(narrow));
        let alike = wider.chain.is_none()
            && narrower.chain.is_none()
            && is_alike(wider, narrower)
            && (wider.maybe || !narrower.maybe)
            && narrower.of == found.contexts[context].of
            && self.frame_of(self.wider, wide) == self.frame_of(self.narrower, narrow);
        if !alike || !found.taken.insert(narrow) {
            return false;
        }
        found.objects.insert((wide, context), Found1::Object(narrow));
        if let Some(length) = wider.length {
            let narrow = match narrower.length {
                Some(length) => Value::Unknown(length),
                None => Value::Word(narrower.size),
            };
            let class = Class::Int(self.program.machine.pointer_width);
            let wider = Value::Unknown(length);
            found.pending.push(Pair { class, narrow, wide: wider, holder: wide, context });
        }
        self.cells(found, wide, narrower, context, &[])
    }

    /// The call that an object on the stack belongs to.
    fn frame_of(&self, state: &State, id: ObjectId) -> Option<usize> {
        match state.object(id).origin {
            Origin::Stack => state.frames.iter().position(|frame| frame.stack.contains(&id)),
            Origin::Variable | Origin::Heap => None,
        }
    }

    /// Cells of the wider object, but for links, say no more than those of the narrower one.
    fn cells(
        &self,
        found: &mut Found,
        wide: ObjectId,
        narrower: &Object,
        context: usize,
        links: &[u64],
    ) -> bool {
        let wider = self.wider.object(wide);
        if wider.zero {
            let extra = |at: &u64| !wider.cells.contains_key(at);
            let mut extras = narrower.cells.iter().filter(|(at, _)| extra(at));
            if !narrower.zero || !extras.all(|(_, cell)| cell.value == Value::Word(0)) {
                return false;
            }
        }
        for (at, cell) in wider.cells.iter().filter(|(at, _)| !links.contains(at)) {
            if cell.value == Value::Each(None) {
                continue;
            }
            let Some(narrow) = narrower.scalar(*at, cell.size, cell.class) else { return false };
            let class = cell.class;
            found.pending.push(Pair { class, narrow, wide: cell.value, holder: wide, context });
        }
        true
    }

    /// Guesses how long the row is that a chain is, which nobody has pointed to before.
    fn chain(&self, found: &Found, pair: Pair, wide: Pointer) -> bool {
        let Some(context) = self.context_of(found, wide.object, pair.context) else { return false };
        let object = self.wider.object(wide.object);
        let Some(chain) = object.chain else { return false };
        let Some(onward) = chain.onward(wide.end) else { return false };
        let Some(beyond) = object.cells.get(&onward).map(|cell| cell.value) else { return false };
        let head = chain.head as i64;
        let start = match pair.narrow {
            Value::Ptr(narrow) if narrow.offset == wide.offset => {
                Value::Ptr(Pointer { offset: head, ..narrow })
            }
            narrow if wide.offset == head => narrow,
            _ => return false,
        };
        let mut found = found.clone();
        let (mut current, mut behind, mut count) = (start, None, 0u32);
        loop {
            self.steps.set(self.steps.get() + 1);
            if self.steps.get() > MOST_STEPS {
                return false;
            }
            if count >= chain.least {
                let mut ended = found.clone();
                let (first, last) = match wide.end {
                    End::First => (Some(start), behind),
                    End::Last => (behind, Some(start)),
                };
                ended.objects.insert((wide.object, context), Found1::Chain { first, last });
                let (narrow, wide, holder) = (current, beyond, wide.object);
                ended.pending.push(Pair { class: Class::Ptr, narrow, wide, holder, context });
                if self.solve(ended) {
                    return true;
                }
            }
            let Value::Ptr(at) = current else { return false };
            if at.offset != head {
                return false;
            }
            let Some(next) = self.element(&mut found, wide, at, context, behind) else {
                return false;
            };
            let narrower = self.narrower.object(at.object);
            count = count.saturating_add(narrower.chain.map_or(1, |chain| chain.least));
            let far = if narrower.chain.is_some() { wide.end.other() } else { End::First };
            behind = Some(Value::Ptr(Pointer { end: far, ..at }));
            current = next;
        }
    }

    /// An object of the narrower state is a node of a chain of the wider one, or a chain of it some nodes; gives what it
    /// points to. `behind` is what was before it, if it is not the first.
    fn element(
        &self,
        found: &mut Found,
        wide: Pointer,
        at: Pointer,
        context: usize,
        behind: Option<Value>,
    ) -> Option<Value> {
        let wider = self.wider.object(wide.object);
        let narrower = self.narrower.objects.get(&at.object).map(Rc::as_ref)?;
        let chain = wider.chain?;
        let fits = match narrower.chain {
            Some(other) => chain.is_like(&other) && at.end == wide.end,
            None => true,
        };
        let of = found.contexts[context].of;
        if !fits
            || !is_alike(wider, narrower)
            || narrower.of != of
            || !found.taken.insert(at.object)
        {
            return None;
        }
        let own = if narrower.chain.is_some() { Some(at.object) } else { of };
        found.contexts.push(Context {
            owner: Some(wide.object),
            node: Some(at.object),
            of: own,
            outer: context,
        });
        let node = found.contexts.len() - 1;
        let links: Vec<u64> = [Some(chain.next), chain.prev].into_iter().flatten().collect();
        if !self.cells(found, wide.object, narrower, node, &links) {
            return None;
        }
        let link = |at: u64| {
            let size = wider.cells.get(&at)?.size;
            narrower.scalar(at, size, Class::Ptr)
        };
        if let Some(back) = chain.onward(wide.end.other()) {
            let narrow = link(back)?;
            match behind {
                Some(behind) if narrow == behind => {}
                Some(_) => return None,
                None => {
                    let (wide, holder) = (wider.cells.get(&back)?.value, wide.object);
                    found.pending.push(Pair { class: Class::Ptr, narrow, wide, holder, context });
                }
            }
        }
        link(chain.onward(wide.end)?)
    }

    /// Everything is there: no object of the wider state is left, and none of the heap of the narrower one.
    fn is_complete(&self, found: &Found) -> bool {
        let is_lost = |id: &ObjectId, object: &Object| {
            object.origin == Origin::Heap && !found.taken.contains(id)
        };
        if !self.wider.lost && self.narrower.objects.iter().any(|(id, object)| is_lost(id, object))
        {
            return false;
        }
        let are_all = self.wider.objects.iter().all(|(&id, object)| match object.of {
            None => found.objects.contains_key(&(id, 0)),
            Some(owner) => found.contexts.iter().enumerate().all(|(context, info)| {
                info.owner != Some(owner) || found.objects.contains_key(&(id, context))
            }),
        });
        are_all && self.numbers(found)
    }

    /// What the wider state says of numbers holds in the narrower one.
    fn numbers(&self, found: &Found) -> bool {
        let pairs = found.objects.iter().filter_map(|(&(wide, _), is)| match is {
            Found1::Object(narrow) => Some((wide, *narrow)),
            _ => None,
        });
        let correspondence = Correspondence {
            wider: self.wider,
            narrower: self.narrower,
            values: &found.unknowns,
            objects: pairs.collect(),
        };
        correspondence.holds()
    }
}

/// Returns whether two objects, or nodes, are of the same kind; lengths that are not known are compared elsewhere.
fn is_alike(wider: &Object, narrower: &Object) -> bool {
    let same_size = match wider.length {
        Some(_) => wider.size <= narrower.size,
        None => narrower.length.is_none() && wider.size == narrower.size,
    };
    same_size && (wider.origin, wider.writable) == (narrower.origin, narrower.writable)
}

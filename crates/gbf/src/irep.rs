//! Ireps: the untyped trees of which goto binaries are made, kept as a graph.
//!
//! An irep is a text, ordered children and named children. A file writes each distinct irep once and refers to it by a
//! number, so that a tree of 2^60 nodes may stand in a small file. Here it stays what it is in the file: one node per
//! number, children as ids. Texts and nodes remember their numbers, because a writer has to repeat them to give the
//! same bytes.
//!
//! **Invariant.** The graph has no cycle. It may stand for a tree of any size, so nothing that walks it expands it.

use crate::binary::Dialect;
use cranelift_entity::{EntityRef, entity_impl};
use rustc_hash::FxHashMap;

/// A text of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(u32);
entity_impl!(TextId, "text");

/// An irep of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IrepId(u32);
entity_impl!(IrepId, "irep");

/// A node: its text, and where its children stand in the list of all. There, how many are ordered and how many are named
/// comes first, then the ordered ones, then pairs of key and child.
#[derive(Clone, Copy, Debug)]
struct Node {
    id: TextId,
    start: u32,
}

/// Where the children of a node without children stand.
const LEAF: u32 = u32::MAX;

/// All texts and ireps of a file.
#[derive(Clone, Debug, Default)]
pub struct Ireps {
    /// All texts, one behind the other. Those of a complete file that is UTF-8 are in `utf8`.
    bytes: Vec<u8>,
    utf8: String,
    /// Where each text ends; it begins where the one before ends.
    ends: Vec<u32>,
    nodes: Vec<Node>,
    /// Counts and keys are numbers in the same list.
    children: Vec<IrepId>,
    /// The number of the named children, at their end, that were written as comments, where there are any.
    comments: FxHashMap<IrepId, u32>,
    /// The numbers that texts have in the file.
    pub(crate) text_numbers: Vec<u32>,
    /// The numbers that ireps have in the file; empty as long as they are those of the ids.
    pub(crate) irep_numbers: Vec<u32>,
    /// The texts of keys that are often asked for, once the file is complete.
    keys: Option<[Option<TextId>; KEYS.len()]>,
}

macro_rules! keys {
    ($($name:ident $text:literal,)*) => {
        /// Names of children that are often asked for.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs, reason = "the names are those of the format")]
        pub enum Key { $($name,)* }

        const KEYS: &[&str] = &[$($text,)*];
    };
}

keys! {
    Identifier "identifier",
    SourceLocation "#source_location",
    Statement "statement",
    Type "type",
    Value "value",
}

impl Ireps {
    /// None yet, with room for those of a file of so many bytes, as files usually are.
    pub(crate) fn with_room(len: usize) -> Ireps {
        Ireps {
            bytes: Vec::with_capacity(len / 6),
            nodes: Vec::with_capacity(len / 20),
            children: Vec::with_capacity(len / 3),
            ..Ireps::default()
        }
    }

    /// A text.
    #[must_use]
    pub fn text(&self, text: TextId) -> &[u8] {
        let range = self.range(text);
        if self.utf8.is_empty() { &self.bytes[range] } else { &self.utf8.as_bytes()[range] }
    }

    fn range(&self, text: TextId) -> std::ops::Range<usize> {
        let start = text.index().checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[text.index()] as usize
    }

    /// The text of an irep, empty if it is not UTF-8.
    #[must_use]
    pub fn id(&self, irep: IrepId) -> &str {
        let range = self.range(self.nodes[irep.index()].id);
        match self.utf8.is_empty() {
            false => self.utf8.get(range).unwrap_or(""),
            true => std::str::from_utf8(&self.bytes[range]).unwrap_or(""),
        }
    }

    /// The text of an irep as bytes.
    #[must_use]
    pub fn id_bytes(&self, irep: IrepId) -> &[u8] {
        self.text(self.nodes[irep.index()].id)
    }

    /// The text of an irep by its number.
    #[must_use]
    pub fn id_text(&self, irep: IrepId) -> TextId {
        self.nodes[irep.index()].id
    }

    /// Where the ordered and the named children of a node are.
    fn ranges(&self, irep: IrepId) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let start = self.nodes[irep.index()].start;
        if start == LEAF {
            return (0..0, 0..0);
        }
        let start = start as usize;
        let (n_ordered, n_named) = (self.children[start].0, self.children[start + 1].0);
        let middle = start + 2 + n_ordered as usize;
        (start + 2..middle, middle..middle + 2 * n_named as usize)
    }

    /// The ordered children.
    pub fn ordered(&self, irep: IrepId) -> impl ExactSizeIterator<Item = IrepId> + '_ {
        self.ordered_list(irep).iter().copied()
    }

    /// The ordered children.
    #[must_use]
    pub fn ordered_list(&self, irep: IrepId) -> &[IrepId] {
        &self.children[self.ranges(irep).0]
    }

    /// The named children in the order of the file.
    pub fn named(&self, irep: IrepId) -> impl ExactSizeIterator<Item = (TextId, IrepId)> + '_ {
        self.children[self.ranges(irep).1].chunks_exact(2).map(|pair| (TextId(pair[0].0), pair[1]))
    }

    /// Returns the number of the named children, at their end, that are written as comments.
    #[must_use]
    pub fn n_comments(&self, irep: IrepId) -> usize {
        self.comments.get(&irep).map_or(0, |&n| n as usize)
    }

    /// The number of an irep in the file.
    #[must_use]
    pub fn number(&self, irep: IrepId) -> u32 {
        self.irep_numbers.get(irep.index()).copied().unwrap_or(irep.0)
    }

    /// The child of a name.
    #[must_use]
    pub fn get(&self, irep: IrepId, key: &str) -> Option<IrepId> {
        self.named(irep).find(|&(k, _)| self.text(k) == key.as_bytes()).map(|(_, child)| child)
    }

    /// The child of a name that is often asked for.
    #[must_use]
    pub fn child(&self, irep: IrepId, key: Key) -> Option<IrepId> {
        match &self.keys {
            Some(keys) => {
                let text = keys[key as usize]?;
                self.named(irep).find(|&(k, _)| k == text).map(|(_, child)| child)
            }
            None => self.get(irep, KEYS[key as usize]),
        }
    }

    /// Finds the keys that are often asked for, unless one is written as several texts.
    fn find_keys(&mut self) {
        let mut found = [None; KEYS.len()];
        for text in (0..self.n_texts() as u32).map(TextId) {
            let bytes = self.text(text);
            if let Some(i) = KEYS.iter().position(|key| key.as_bytes() == bytes)
                && found[i].replace(text).is_some()
            {
                return;
            }
        }
        self.keys = Some(found);
    }

    /// All ireps.
    pub fn all(&self) -> impl ExactSizeIterator<Item = IrepId> + use<> {
        (0..self.nodes.len()).map(IrepId::new)
    }

    /// The children of a name of all ireps.
    pub fn all_named<'a>(&'a self, key: &'a str) -> impl Iterator<Item = IrepId> + 'a {
        let text = (0..self.n_texts() as u32).map(TextId).find(|&t| self.text(t) == key.as_bytes());
        let ireps = (0..self.len() as u32).map(IrepId).filter(move |_| text.is_some());
        ireps.flat_map(move |irep| {
            self.named(irep).filter(move |&(k, _)| Some(k) == text).map(|(_, child)| child)
        })
    }

    /// The text of the child of a name; empty if there is none.
    #[must_use]
    pub fn get_id(&self, irep: IrepId, key: &str) -> &str {
        self.get(irep, key).map_or("", |child| self.id(child))
    }

    /// Returns whether an irep has no children.
    #[must_use]
    pub fn is_leaf(&self, irep: IrepId) -> bool {
        self.nodes[irep.index()].start == LEAF
    }

    /// Returns the number of ireps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is no irep.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of texts.
    #[must_use]
    pub fn n_texts(&self) -> usize {
        self.ends.len()
    }

    /// Bytes that this takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.bytes.capacity()
            + self.utf8.capacity()
            + self.nodes.capacity() * size_of::<Node>()
            + 4 * (self.ends.capacity() + self.children.capacity())
            + 4 * (self.text_numbers.capacity() + self.irep_numbers.capacity())
            + 9 * self.comments.capacity()
    }

    pub(crate) fn add_text(&mut self, text: &[u8], number: u32) -> TextId {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len() as u32);
        self.text_numbers.push(number);
        TextId((self.ends.len() - 1) as u32)
    }

    /// Makes an irep whose children are not known yet.
    pub(crate) fn open_irep(&mut self, id: TextId, number: u32) -> IrepId {
        self.nodes.push(Node { id, start: LEAF });
        let irep = IrepId((self.nodes.len() - 1) as u32);
        if number != irep.0 && self.irep_numbers.is_empty() {
            self.irep_numbers.extend(0..irep.0);
        }
        if number != irep.0 || !self.irep_numbers.is_empty() {
            self.irep_numbers.push(number);
        }
        irep
    }

    /// Gives an irep its children: the ordered ones, then pairs of key and child.
    pub(crate) fn close_irep(
        &mut self,
        irep: IrepId,
        n_ordered: u32,
        n_comments: u32,
        children: &[u32],
    ) {
        if children.is_empty() {
            return;
        }
        self.nodes[irep.index()].start = self.children.len() as u32;
        let n_named = (children.len() as u32 - n_ordered) / 2;
        self.children.extend([n_ordered, n_named].map(IrepId));
        self.children.extend(children.iter().map(|&child| IrepId(child)));
        if n_comments > 0 {
            self.comments.insert(irep, n_comments);
        }
    }

    /// Gives back what growing has left over, and prepares for questions.
    pub(crate) fn finish(&mut self) {
        self.find_keys();
        self.bytes.shrink_to_fit();
        match String::from_utf8(std::mem::take(&mut self.bytes)) {
            Ok(text) => self.utf8 = text,
            Err(error) => self.bytes = error.into_bytes(),
        }
        self.ends.shrink_to_fit();
        self.nodes.shrink_to_fit();
        self.children.shrink_to_fit();
        self.text_numbers.shrink_to_fit();
        self.irep_numbers.shrink_to_fit();
        self.comments.shrink_to_fit();
    }
}

/// Makes ireps that share what is equal.
#[derive(Debug)]
pub struct IrepBuilder {
    dialect: Dialect,
    ireps: Ireps,
    texts: FxHashMap<Box<[u8]>, TextId>,
    nodes: FxHashMap<(TextId, u32, Box<[u32]>), IrepId>,
}

impl IrepBuilder {
    /// A builder without ireps.
    #[must_use]
    pub fn new(dialect: Dialect) -> IrepBuilder {
        IrepBuilder {
            dialect,
            ireps: Ireps::default(),
            texts: FxHashMap::default(),
            nodes: FxHashMap::default(),
        }
    }

    /// A text.
    pub fn text(&mut self, text: impl AsRef<[u8]>) -> TextId {
        let text = text.as_ref();
        if let Some(&id) = self.texts.get(text) {
            return id;
        }
        let number = self.ireps.n_texts() as u32;
        let id = self.ireps.add_text(text, number);
        self.texts.insert(text.into(), id);
        id
    }

    /// An irep. Keys that begin with `#` are comments and come last, which ESBMC writes in a group of their own.
    pub fn irep(
        &mut self,
        id: impl AsRef<[u8]>,
        ordered: &[IrepId],
        named: &[(&str, IrepId)],
    ) -> IrepId {
        let id = self.text(id);
        let mut children: Vec<u32> = ordered.iter().map(|c| c.as_u32()).collect();
        let (comments, plain): (Vec<_>, Vec<_>) =
            named.iter().partition(|(key, _)| key.starts_with('#'));
        for (key, child) in plain.iter().chain(&comments) {
            children.push(self.text(key).as_u32());
            children.push(child.as_u32());
        }
        let key = (id, ordered.len() as u32, children.into_boxed_slice());
        if let Some(&irep) = self.nodes.get(&key) {
            return irep;
        }
        let n_comments = match self.dialect {
            Dialect::Cbmc => 0,
            Dialect::Esbmc => comments.len() as u32,
        };
        let number = self.ireps.len() as u32;
        let irep = self.ireps.open_irep(id, number);
        self.ireps.close_irep(irep, key.1, n_comments, &key.2);
        self.nodes.insert(key, irep);
        irep
    }

    /// An irep with further named children.
    pub fn extended(&mut self, irep: IrepId, more: &[(&str, IrepId)]) -> IrepId {
        let id = self.ireps.id_bytes(irep).to_vec();
        let ordered: Vec<IrepId> = self.ireps.ordered(irep).collect();
        let named: Vec<(String, IrepId)> = self
            .ireps
            .named(irep)
            .map(|(key, child)| (String::from_utf8_lossy(self.ireps.text(key)).into_owned(), child))
            .collect();
        let named = named.iter().map(|(key, child)| (&key[..], *child));
        let named: Vec<(&str, IrepId)> = named.chain(more.iter().copied()).collect();
        self.irep(id, &ordered, &named)
    }

    /// An irep without children.
    pub fn leaf(&mut self, id: impl AsRef<[u8]>) -> IrepId {
        self.irep(id, &[], &[])
    }

    /// Returns the ireps made so far.
    #[must_use]
    pub fn ireps(&self) -> &Ireps {
        &self.ireps
    }

    /// The ireps.
    #[must_use]
    pub fn finish(mut self) -> Ireps {
        self.ireps.finish();
        self.ireps
    }
}

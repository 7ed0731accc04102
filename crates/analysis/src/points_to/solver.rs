//! Inclusion constraints between sets of pointers, and their least solution by propagation of differences.

use super::spot::Spot;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A set of pointers under construction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct Node(pub(super) u32);

/// An object: something that pointers point into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ObjectId(pub(super) u32);

/// A part of an object that is accessed as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct CellId(pub(super) u32);

/// A way to access memory: through a pointer, at a distance, so many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct Access(pub(super) u32);

/// The change of pointers on their way from one set to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Flow {
    /// They stay.
    Copy,
    /// They move.
    Move(Spot),
}

/// No pointer.
pub(super) const EMPTY: Node = Node(0);
/// A pointer of which only numbers are known.
pub(super) const LOOSE: Node = Node(1);
/// Pointers whose addresses somebody has seen as numbers.
pub(super) const EXPOSED: Node = Node(2);
/// The object of pointers of which only numbers are known: all that are exposed, and the world outside.
pub(super) const OUTSIDE: ObjectId = ObjectId(0);

/// A set with more spots than this in one object has one spot that covers them.
const MAX_SPOTS: usize = 4;
/// An object with more cells than this gets no further ones but one for all of it.
const MAX_CELLS: usize = 96;

#[derive(Default, Clone, Debug)]
struct NodeData {
    targets: FxHashMap<ObjectId, Vec<Spot>>,
    new: Vec<(ObjectId, Spot)>,
    queued: bool,
    flows: Vec<(Node, Flow)>,
    accesses: Vec<Access>,
    /// Sets that are exposed if this has a loose pointer.
    compared: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(super) struct CellData {
    pub(super) object: ObjectId,
    pub(super) spot: Spot,
    pub(super) len: u64,
    pub(super) load: Node,
    pub(super) store: Node,
    pub(super) overlaps: Vec<CellId>,
}

#[derive(Clone, Debug)]
pub(super) struct ObjectData {
    pub(super) cells: Vec<CellId>,
    /// True if it can hold bytes that nobody has written.
    pub(super) unwritten: bool,
    any: Option<CellId>,
    exposed: bool,
}

#[derive(Clone, Debug)]
pub(super) struct AccessData {
    distance: Spot,
    len: u64,
    /// The node of values that are read there, if it matters.
    load: Option<Node>,
    /// The nodes of values that are written there.
    stores: Vec<Node>,
    pub(super) cells: Vec<CellId>,
}

/// The constraints and their solution.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    nodes: Vec<NodeData>,
    pub(super) cells: Vec<CellData>,
    pub(super) objects: Vec<ObjectData>,
    pub(super) accesses: Vec<AccessData>,
    by_place: FxHashMap<(Node, Spot, u64), Access>,
    flows: FxHashSet<(Node, Node, Flow)>,
    reached: FxHashSet<(Access, CellId)>,
    overlapping: FxHashSet<(CellId, CellId)>,
    queue: VecDeque<Node>,
}

impl Solver {
    pub(super) fn new() -> Solver {
        let mut solver = Solver {
            nodes: Vec::new(),
            cells: Vec::new(),
            objects: Vec::new(),
            accesses: Vec::new(),
            by_place: FxHashMap::default(),
            flows: FxHashSet::default(),
            reached: FxHashSet::default(),
            overlapping: FxHashSet::default(),
            queue: VecDeque::new(),
        };
        for _ in [EMPTY, LOOSE, EXPOSED] {
            solver.node();
        }
        let outside = solver.object(true);
        debug_assert_eq!(outside, OUTSIDE);
        solver.add(LOOSE, OUTSIDE, Spot::ANY);
        solver.any_cell(OUTSIDE);
        solver
    }

    pub(super) fn node(&mut self) -> Node {
        self.nodes.push(NodeData::default());
        Node(self.nodes.len() as u32 - 1)
    }

    pub(super) fn object(&mut self, unwritten: bool) -> ObjectId {
        let data = ObjectData { cells: Vec::new(), unwritten, any: None, exposed: false };
        self.objects.push(data);
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// The targets of a set.
    pub(super) fn targets(&self, node: Node) -> impl Iterator<Item = (ObjectId, Spot)> {
        let targets = &self.nodes[node.0 as usize].targets;
        targets.iter().flat_map(|(&object, spots)| spots.iter().map(move |&spot| (object, spot)))
    }

    /// Adds a pointer to a set.
    pub(super) fn add(&mut self, node: Node, object: ObjectId, spot: Spot) {
        if node == EMPTY {
            return;
        }
        let is_exposed = self.objects[object.0 as usize].exposed;
        let data = &mut self.nodes[node.0 as usize];
        // A loose pointer can point to whatever is exposed: to say so of each object costs as much as there are pairs.
        if is_exposed && node != EXPOSED && data.targets.contains_key(&OUTSIDE) {
            return;
        }
        let spots = data.targets.entry(object).or_default();
        if spots.iter().any(|old| old.contains(spot)) {
            return;
        }
        let mut new = spot;
        spots.push(spot);
        if spots.len() > MAX_SPOTS {
            new = spots.iter().skip(1).fold(spots[0], |all, &spot| all.join(spot));
            *spots = vec![new];
        }
        data.new.push((object, new));
        if !std::mem::replace(&mut data.queued, true) {
            self.queue.push_back(node);
        }
    }

    /// All pointers of one set are, changed, in another.
    pub(super) fn flow(&mut self, from: Node, to: Node, flow: Flow) {
        if from == EMPTY || to == EMPTY || from == to && flow == Flow::Copy {
            return;
        }
        if !self.flows.insert((from, to, flow)) {
            return;
        }
        self.nodes[from.0 as usize].flows.push((to, flow));
        let old: Vec<(ObjectId, Spot)> = self.targets(from).collect();
        for (object, spot) in old {
            self.add(to, object, changed(object, spot, flow));
        }
    }

    /// The access through a pointer.
    pub(super) fn access(&mut self, pointer: Node, distance: Spot, len: u64) -> Access {
        if let Some(&known) = self.by_place.get(&(pointer, distance, len)) {
            return known;
        }
        let (stores, cells) = (Vec::new(), Vec::new());
        self.accesses.push(AccessData { distance, len, load: None, stores, cells });
        let access = Access(self.accesses.len() as u32 - 1);
        self.by_place.insert((pointer, distance, len), access);
        self.nodes[pointer.0 as usize].accesses.push(access);
        let old: Vec<(ObjectId, Spot)> = self.targets(pointer).collect();
        for (object, spot) in old {
            self.reach(access, object, spot);
        }
        access
    }

    /// Returns the node of values that an access reads.
    pub(super) fn loaded(&mut self, access: Access) -> Node {
        if let Some(node) = self.accesses[access.0 as usize].load {
            return node;
        }
        let node = self.node();
        self.accesses[access.0 as usize].load = Some(node);
        for cell in self.accesses[access.0 as usize].cells.clone() {
            self.flow(self.cells[cell.0 as usize].load, node, Flow::Copy);
        }
        node
    }

    /// An access writes a set.
    pub(super) fn store(&mut self, access: Access, value: Node) {
        let data = &mut self.accesses[access.0 as usize];
        if value == EMPTY || data.stores.contains(&value) {
            return;
        }
        data.stores.push(value);
        for cell in data.cells.clone() {
            self.flow(value, self.cells[cell.0 as usize].store, Flow::Copy);
        }
    }

    /// If one of two sets has a loose pointer, the addresses of the other are seen.
    pub(super) fn compare(&mut self, a: Node, b: Node) {
        for (this, other) in [(a, b), (b, a)] {
            if this == EMPTY || other == EMPTY || other == LOOSE {
                continue;
            }
            let data = &mut self.nodes[this.0 as usize];
            if data.targets.contains_key(&OUTSIDE) {
                self.flow(other, EXPOSED, Flow::Copy);
            } else if !data.compared.contains(&other) {
                data.compared.push(other);
            }
        }
    }

    /// An access meets an object.
    fn reach(&mut self, access: Access, object: ObjectId, spot: Spot) {
        let &AccessData { distance, len, load, .. } = &self.accesses[access.0 as usize];
        let cell = self.cell(object, spot.moved(distance), len);
        if !self.reached.insert((access, cell)) {
            return;
        }
        let data = &mut self.accesses[access.0 as usize];
        data.cells.push(cell);
        let stores = data.stores.clone();
        let (from, to) = (self.cells[cell.0 as usize].load, self.cells[cell.0 as usize].store);
        if let Some(load) = load {
            self.flow(from, load, Flow::Copy);
        }
        for value in stores {
            self.flow(value, to, Flow::Copy);
        }
    }

    /// The cell of so many bytes at a spot.
    pub(super) fn cell(&mut self, object: ObjectId, spot: Spot, len: u64) -> CellId {
        if object == OUTSIDE || spot.step == 1 {
            return self.any_cell(object);
        }
        let cells = &self.objects[object.0 as usize].cells;
        let same = |cell: &CellId| {
            let cell = &self.cells[cell.0 as usize];
            cell.spot == spot && cell.len == len
        };
        if let Some(&known) = cells.iter().find(|cell| same(cell)) {
            return known;
        }
        if cells.len() >= MAX_CELLS {
            return self.any_cell(object);
        }
        self.new_cell(object, spot, len)
    }

    /// The cell that covers all of an object.
    pub(super) fn any_cell(&mut self, object: ObjectId) -> CellId {
        if let Some(any) = self.objects[object.0 as usize].any {
            return any;
        }
        let any = self.new_cell(object, Spot::ANY, 1);
        self.objects[object.0 as usize].any = Some(any);
        any
    }

    fn new_cell(&mut self, object: ObjectId, spot: Spot, len: u64) -> CellId {
        let (load, store) = (self.node(), self.node());
        let id = CellId(self.cells.len() as u32);
        self.cells.push(CellData { object, spot, len, load, store, overlaps: Vec::new() });
        self.link(id, id);
        for other in self.objects[object.0 as usize].cells.clone() {
            let CellData { spot: there, len: other_len, .. } = self.cells[other.0 as usize];
            if spot.overlaps(len, there, other_len) {
                self.link(id, other);
            }
        }
        let data = &mut self.objects[object.0 as usize];
        data.cells.push(id);
        let (unwritten, exposed) = (data.unwritten, data.exposed);
        if unwritten {
            self.flow(LOOSE, load, Flow::Copy);
        }
        if exposed {
            let outside = self.any_cell(OUTSIDE);
            self.link(id, outside);
        }
        id
    }

    /// Two cells share bytes.
    fn link(&mut self, a: CellId, b: CellId) {
        for (from, to) in [(a, b), (b, a)] {
            let (stored, loaded) =
                (self.cells[from.0 as usize].store, self.cells[to.0 as usize].load);
            self.flow(stored, loaded, Flow::Copy);
            if self.overlapping.insert((from, to)) {
                self.cells[from.0 as usize].overlaps.push(to);
            }
        }
    }

    /// The address of an object is seen as a number.
    fn expose(&mut self, object: ObjectId) {
        if object == OUTSIDE
            || std::mem::replace(&mut self.objects[object.0 as usize].exposed, true)
        {
            return;
        }
        let outside = self.any_cell(OUTSIDE);
        for cell in self.objects[object.0 as usize].cells.clone() {
            self.link(cell, outside);
        }
    }

    /// Returns whether the address of an object is seen as a number.
    pub(super) fn is_exposed(&self, object: ObjectId) -> bool {
        self.objects[object.0 as usize].exposed
    }

    /// Propagates until nothing is new; tells of the new pointers of sets that are watched.
    pub(super) fn solve(&mut self, watched: &FxHashSet<Node>) -> Vec<(Node, ObjectId)> {
        let mut seen = Vec::new();
        while let Some(node) = self.queue.pop_front() {
            let data = &mut self.nodes[node.0 as usize];
            data.queued = false;
            let new = std::mem::take(&mut data.new);
            let flows = data.flows.clone();
            let accesses = data.accesses.clone();
            if new.iter().any(|&(object, _)| object == OUTSIDE) {
                for other in std::mem::take(&mut self.nodes[node.0 as usize].compared) {
                    self.flow(other, EXPOSED, Flow::Copy);
                }
            }
            for &(object, spot) in &new {
                for &(to, flow) in &flows {
                    self.add(to, object, changed(object, spot, flow));
                }
                for &access in &accesses {
                    self.reach(access, object, spot);
                }
                if node == EXPOSED {
                    self.expose(object);
                }
            }
            if watched.contains(&node) {
                seen.extend(new.iter().map(|&(object, _)| (node, object)));
            }
        }
        seen
    }
}

fn changed(object: ObjectId, spot: Spot, flow: Flow) -> Spot {
    match flow {
        _ if object == OUTSIDE => Spot::ANY,
        Flow::Copy => spot,
        Flow::Move(distance) => spot.moved(distance),
    }
}

//! Large blocks: the program between its cut points, as terms over the state at the cut point where a block begins.
//!
//! **Idea.** A block is everything that can happen from a cut point until the next one is met; symbolic execution makes
//! one formula of it. What it starts from is a *pattern*: for each object that matters at the cut point, its scalars,
//! each a state variable or, if all executions that come there agree, a constant. Pointers have a variable for
//! the object, among those that were seen there, and one for the offset.
//!
//! **Patterns are a fixed point.** Blocks are executed from the beginning of the program on. A state that arrives at a
//! cut point is joined with the pattern there; where they differ, a constant becomes a variable, a pointer has more
//! objects, a word is seen as bytes. When a pattern changes, the block behind it is executed again. Each of
//! these changes can happen only finitely often, so this ends, typically after two or three executions per block.
//!
//! **Source.** Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, "Software Model Checking via Large-Block Encoding",
//! FMCAD 2009, doi 10.1109/FMCAD.2009.5351147. There, blocks are summarised for the abstraction; here their state spaces
//! are found as well.
//!
//! **Soundness.** A pattern stands for every state that arrives at its cut point: constants because all arrivals
//! have them, points-to sets because they contain all arrivals' objects, and what is dropped is neither read by name (see
//! `liveness`) nor reachable through what is kept.

use crate::encode::{Options, Unsupported};
use crate::origin::{Origin, Role, origin};
use cranelift_entity::PrimaryMap;
use std::collections::{BTreeMap, BTreeSet};
use vergo_analysis::liveness::Liveness;
use vergo_goto::expr::{ExprKind, MemoryOp};
use vergo_goto::program::{Program, SymbolId};
use vergo_smt::{Answer, Budget, Solver};
use vergo_source::Span;
use vergo_symex::{
    Aspect, Cutter, Fixture, Fresh, FreshId, Location, ObjectId, Part, Scalar, Segment, Snapshot,
    Trace,
};
use vergo_term::{Sort, TermId, TermStore};

/// The blocks of a program.
pub(crate) struct Blocks {
    /// The cut points, the beginning of the program first.
    pub(crate) points: Vec<Point>,
    /// State variables, in order of their making.
    pub(crate) variables: Vec<Variable>,
    /// The constraints on the addresses of objects.
    pub(crate) constraints: Vec<TermId>,
    /// The number of times that blocks were executed.
    pub(crate) n_executions: u32,
    /// The bytes that nobody has written.
    pub(crate) fresh: PrimaryMap<FreshId, Fresh>,
    /// The addresses at which somebody looks, and those of what is there from the beginning.
    pub(crate) addresses: (BTreeMap<ObjectId, TermId>, Vec<(Fixture, TermId)>),
}

/// A cut point and the block behind it.
pub(crate) struct Point {
    /// Its position; `None` for the beginning.
    pub(crate) at: Option<usize>,
    /// Where the block leads.
    pub(crate) exits: Vec<Exit>,
    /// The trace of the block.
    pub(crate) trace: Trace,
}

/// The executions that go from one cut point to another.
pub(crate) struct Exit {
    /// The number of the other point.
    pub(crate) to: usize,
    /// When.
    pub(crate) guard: TermId,
    /// The values of the variables there, by number. Nothing depends on those that are missing.
    pub(crate) values: Vec<(usize, TermId)>,
}

/// A state variable.
pub(crate) struct Variable {
    pub(crate) term: TermId,
    pub(crate) name: String,
    pub(crate) origin: Origin,
}

/// Conflicts of the solver when it is asked whether an allocation can fail.
const MAX_CONFLICTS: u64 = 1000;

/// The abstract value of a location in a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Shape {
    Constant(TermId),
    Variable,
    /// A pointer to one of these objects, each at a constant offset or a variable one, which then is a multiple of the
    /// number.
    Pointer(BTreeMap<ObjectId, Option<TermId>>, u64),
}

struct Pattern {
    snapshot: Snapshot,
    shapes: Vec<(Location, Shape)>,
    unknown_rests: Vec<ObjectId>,
}

struct Explorer<'a> {
    program: &'a Program,
    cutter: Cutter<'a>,
    liveness: &'a Liveness,
    options: &'a Options<'a>,
    patterns: BTreeMap<Option<usize>, Pattern>,
    segments: BTreeMap<Option<usize>, Executed>,
    variables: Vec<Variable>,
    by_location: BTreeMap<(Location, Role), usize>,
    object_bits: u32,
    heap_matters: bool,
    n_executions: u32,
}

/// A block as it was last executed.
struct Executed {
    segment: Segment,
    /// The number of objects that had addresses at its beginning.
    n_exposed: usize,
}

/// The reason why there are no blocks.
pub(crate) enum Obstacle {
    /// Something that has no blocks.
    Unsupported(Unsupported),
    /// These loops need cuts.
    Undecided(BTreeSet<usize>),
}

impl From<Unsupported> for Obstacle {
    fn from(unsupported: Unsupported) -> Obstacle {
        Obstacle::Unsupported(unsupported)
    }
}

/// Executes the blocks of a program between the given cuts. Other loops are executed in their blocks, if all their rounds
/// are decided.
pub(crate) fn explore(
    program: &Program,
    store: &mut TermStore,
    options: &Options<'_>,
    cuts: BTreeSet<usize>,
    max_rounds: u32,
    liveness: &Liveness,
) -> Result<Blocks, Obstacle> {
    let symex_options = vergo_symex::Options {
        // Loops that no cut is in are in functions that stay calls: rounds that are decided do not count.
        max_steps: options.max_steps,
        stop: options.stop,
        ..vergo_symex::Options::bounded(1, options.recursion)
    };
    let (cutter, start) = Cutter::new(program, store, &symex_options, cuts, max_rounds);
    let object_bits = u64::BITS - cutter.max_home().leading_zeros();
    let heap_matters = program.exprs.iter().any(|(_, expr)| {
        matches!(expr.kind, ExprKind::Memory(MemoryOp::HeapEmpty | MemoryOp::HeapReachable, _))
    });
    let mut explorer = Explorer {
        program,
        cutter,
        liveness,
        options,
        patterns: BTreeMap::new(),
        segments: BTreeMap::new(),
        variables: Vec::new(),
        by_location: BTreeMap::new(),
        object_bits,
        heap_matters,
        n_executions: 0,
    };
    let pattern = Pattern { snapshot: start, shapes: Vec::new(), unknown_rests: Vec::new() };
    explorer.patterns.insert(None, pattern);
    explorer.find_patterns()?;
    Ok(explorer.finish()?)
}

impl Explorer<'_> {
    fn find_patterns(&mut self) -> Result<(), Obstacle> {
        let mut pending: BTreeSet<Option<usize>> = BTreeSet::from([None]);
        loop {
            while let Some(point) = pending.pop_first() {
                if (self.options.stop)() {
                    return Err(Unsupported::new("out of time").into());
                }
                pending.extend(self.execute(point)?);
            }
            // Numbers that were made pointers before all addresses were known.
            let n_exposed = self.cutter.n_exposed();
            let stale = self.segments.iter().filter(|(_, known)| known.n_exposed != n_exposed);
            pending.extend(stale.map(|(&point, _)| point));
            if pending.is_empty() {
                return Ok(());
            }
        }
    }

    /// Executes a block; gives the points whose patterns have changed.
    fn execute(&mut self, point: Option<usize>) -> Result<Vec<Option<usize>>, Obstacle> {
        self.n_executions += 1;
        let n_exposed = self.cutter.n_exposed();
        let snapshot = self.patterns[&point].snapshot.clone();
        let mut segment = self.cutter.run(point.unwrap_or(0), &snapshot);
        if !self.cutter.undecided().is_empty() {
            return Err(Obstacle::Undecided(self.cutter.undecided().clone()));
        }
        if let Some(reason) = &segment.trace.cut_short {
            return Err(Unsupported::at(self.program, point, reason.clone()).into());
        }
        let mut changed = Vec::new();
        for (at, guard, snapshot) in &mut segment.arrivals {
            if self.cutter.store().bool_value(*guard) == Some(false) {
                continue;
            }
            let (at, liveness) = (*at, self.liveness);
            let live = |symbol: SymbolId| liveness.is_live(at, symbol);
            self.cutter
                .retain(snapshot, &live, self.heap_matters)
                .map_err(|reason| Unsupported::at(self.program, Some(at), reason))?;
            self.cutter.spread(snapshot, self.options.max_elements);
            *snapshot = self.without_failures(*guard, snapshot);
            let joined = match self.patterns.get(&Some(at)) {
                Some(pattern) => self.cutter.join(snapshot, &pattern.snapshot),
                None => snapshot.clone(),
            };
            let pattern = self.pattern(&joined)?;
            let same = self.patterns.get(&Some(at)).is_some_and(|old| {
                old.shapes == pattern.shapes && old.unknown_rests == pattern.unknown_rests
            });
            if !same {
                self.patterns.insert(Some(at), pattern);
                changed.push(Some(at));
            }
        }
        self.segments.insert(point, Executed { segment, n_exposed });
        Ok(changed)
    }

    /// The same snapshot, where allocations that cannot fail have not failed. What the solver does not find out
    /// quickly stays as it is.
    fn without_failures(&mut self, guard: TermId, snapshot: &Snapshot) -> Snapshot {
        let mut solver = Solver::default();
        solver.assert(guard);
        let budget = Budget { conflicts: Some(MAX_CONFLICTS), ..Budget::default() };
        let mut cannot = |store: &TermStore, condition: TermId| {
            solver.check(store, &[condition], &budget) == Answer::Unsat
        };
        let mut terms = Vec::new();
        for (location, term) in self.cutter.locations(snapshot) {
            match location.aspect {
                Aspect::Live if !self.cutter.store().is_value(term) => {
                    let store = self.cutter.store();
                    let dead = store.not(term);
                    if cannot(store, dead) {
                        terms.push((location, store.true_term()));
                    }
                }
                Aspect::Part(Part::Cell { scalar: Scalar::Pointer, .. }) => {
                    let targets = self.cutter.points_to(term);
                    let [first, second] = &targets.known[..] else { continue };
                    let (null, other) =
                        if first.1 == ObjectId::NONE { (first, second) } else { (second, first) };
                    if !targets.unknown
                        && null.1 == ObjectId::NONE
                        && cannot(self.cutter.store(), null.0)
                    {
                        terms.push((location, self.cutter.pointer(other.1, other.2)));
                    }
                }
                _ => {}
            }
        }
        match terms.is_empty() {
            true => snapshot.clone(),
            false => self.cutter.with_terms(snapshot, &terms),
        }
    }

    /// The pattern of a snapshot: variables for what is not constant.
    fn pattern(&mut self, snapshot: &Snapshot) -> Result<Pattern, Unsupported> {
        let mut shapes = Vec::new();
        let mut terms = Vec::new();
        for (location, term) in self.cutter.locations(snapshot) {
            let shape = self.shape(&location, term);
            let sort = self.cutter.store().sort(term);
            let term = self.instance(&location, &shape, sort);
            terms.push((location, term));
            shapes.push((location, shape));
        }
        if self.variables.len() > self.options.max_variables {
            return Err(Unsupported::new("too many state variables"));
        }
        let snapshot = self.cutter.with_terms(snapshot, &terms);
        let unknown_rests = self.cutter.unknown_rests(&snapshot);
        Ok(Pattern { snapshot, shapes, unknown_rests })
    }

    fn shape(&mut self, location: &Location, term: TermId) -> Shape {
        if is_constant(self.cutter.store(), term) {
            return Shape::Constant(term);
        }
        let Aspect::Part(Part::Cell { scalar: Scalar::Pointer, .. }) = location.aspect else {
            return Shape::Variable;
        };
        let targets = self.cutter.points_to(term);
        if targets.unknown {
            return Shape::Variable;
        }
        let mut objects = BTreeMap::new();
        let mut stride = 0;
        for (_, object, offset) in targets.known {
            stride = self.cutter.common_factor(offset, stride);
            let constant = self.cutter.store().is_value(offset).then_some(offset);
            objects.insert(object, constant);
        }
        Shape::Pointer(objects, stride.max(1))
    }

    /// The term of a shape, over state variables.
    fn instance(&mut self, location: &Location, shape: &Shape, sort: Sort) -> TermId {
        let word = Sort::BitVec(self.program.machine.pointer_width);
        let objects = Sort::BitVec(self.object_bits);
        match shape {
            Shape::Constant(term) => *term,
            Shape::Variable => self.variable(location, Role::Value, sort),
            Shape::Pointer(targets, stride) => {
                let mut pointer = None;
                for (&object, &offset) in targets.iter().rev() {
                    let offset = match offset {
                        Some(offset) => offset,
                        None => {
                            let index = self.variable(location, Role::Offset, word);
                            let store = self.cutter.store();
                            let stride = store.bv_u64(store.width(index), *stride);
                            store.bv_mul(index, stride)
                        }
                    };
                    let here = self.cutter.pointer(object, offset);
                    pointer = Some(match pointer {
                        None => here,
                        Some(others) => {
                            let chosen = self.variable(location, Role::Object, objects);
                            let bits = self.object_bits;
                            let store = self.cutter.store();
                            let number = store.bv_u64(bits, object.number());
                            let is_it = store.eq(chosen, number);
                            store.ite(is_it, here, others)
                        }
                    });
                }
                pointer.unwrap_or_else(|| self.variable(location, Role::Value, sort))
            }
        }
    }

    fn variable(&mut self, location: &Location, role: Role, sort: Sort) -> TermId {
        if let Some(&index) = self.by_location.get(&(*location, role)) {
            return self.variables[index].term;
        }
        let origin = origin(self.program, &self.cutter, location, role).unwrap_or(Origin::Address);
        let name = origin.name(self.program);
        let term = self.cutter.store().fresh_var(&name, sort);
        self.by_location.insert((*location, role), self.variables.len());
        self.variables.push(Variable { term, name, origin });
        term
    }

    /// The blocks with the values that the last execution of each gives to the variables of the patterns.
    fn finish(mut self) -> Result<Blocks, Unsupported> {
        let numbers: BTreeMap<Option<usize>, usize> =
            self.patterns.keys().enumerate().map(|(i, &point)| (point, i)).collect();
        let mut points = Vec::new();
        for (at, executed) in std::mem::take(&mut self.segments) {
            let mut exits = Vec::new();
            for (to, guard, snapshot) in &executed.segment.arrivals {
                if self.cutter.store().bool_value(*guard) == Some(false) {
                    continue;
                }
                let values = self.values(*to, snapshot);
                exits.push(Exit { to: numbers[&Some(*to)], guard: *guard, values });
            }
            points.push(Point { at, exits, trace: executed.segment.trace });
        }
        let mut constraints = self.cutter.constraints().to_vec();
        // Addresses are the same in all states; whatever else is in their constraints is not. What those say about
        // objects of unknown size is not considered.
        let store = self.cutter.store();
        let is_address = |name: &str| name.starts_with("address!");
        for var in store.free_vars(&constraints) {
            let info = store.var_info(var);
            if is_address(&info.name) {
                let (term, name) = (info.term, info.name.clone());
                self.variables.push(Variable { term, name, origin: Origin::Address });
            }
        }
        let store = self.cutter.store();
        let n_constraints = constraints.len();
        constraints.retain(|&constraint| {
            let vars = store.free_vars(&[constraint]);
            vars.into_iter().all(|var| is_address(&store.var_info(var).name))
        });
        if constraints.len() < n_constraints
            && let Some(point) = points.first_mut()
        {
            let what = "the address of an object of unknown size".to_owned();
            point.trace.approximations.push((Span::DUMMY, what));
        }
        Ok(Blocks {
            points,
            fresh: self.cutter.fresh(),
            addresses: self.cutter.addresses(),
            variables: self.variables,
            constraints,
            n_executions: self.n_executions,
        })
    }

    /// The values that a snapshot gives to the variables of the pattern at a cut.
    fn values(&mut self, to: usize, snapshot: &Snapshot) -> Vec<(usize, TermId)> {
        let shapes = self.patterns[&Some(to)].shapes.clone();
        let mut values = Vec::new();
        for (location, shape) in shapes {
            if matches!(shape, Shape::Constant(_)) {
                continue;
            }
            let Some(term) = self.cutter.read(snapshot, &location) else { continue };
            let number = |role| self.by_location.get(&(location, role)).copied();
            let (value, object, offset) =
                (number(Role::Value), number(Role::Object), number(Role::Offset));
            match shape {
                Shape::Constant(_) => {}
                Shape::Variable => values.extend(value.map(|value| (value, term))),
                Shape::Pointer(targets, stride) => {
                    let mut known = self.cutter.points_to(term).known;
                    let varies = targets.values().any(Option::is_none);
                    for (_, _, offset) in known.iter_mut().filter(|_| varies) {
                        *offset = self.cutter.quotient(*offset, stride);
                    }
                    let bits = self.object_bits;
                    let store = self.cutter.store();
                    let mut chosen = None;
                    let mut at = None;
                    for (guard, object, offset) in known {
                        let number = store.bv_u64(bits, object.number());
                        chosen = Some(match chosen {
                            Some(others) => store.ite(guard, number, others),
                            None => number,
                        });
                        at = Some(match at {
                            Some(others) => store.ite(guard, offset, others),
                            None => offset,
                        });
                    }
                    if targets.len() > 1 {
                        values.extend(object.zip(chosen));
                    }
                    if varies {
                        values.extend(offset.zip(at));
                    }
                }
            }
        }
        values
    }
}

/// Checks whether a term has no variables: a value, or an array of values.
fn is_constant(store: &TermStore, term: TermId) -> bool {
    store.is_value(term)
        || matches!(store.sort(term), Sort::Array(_)) && store.free_vars(&[term]).is_empty()
}

/// Where a point is in the source.
pub(crate) fn point_span(program: &Program, at: Option<usize>) -> Span {
    crate::origin::span_at(program, at.unwrap_or(0))
}

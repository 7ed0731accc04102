//! From a program to a transition system.
//!
//! Calls are inlined, [`blocks`](crate::blocks) finds the blocks between cut points (the beginning and the loop heads) as
//! terms, and [`single_loop`](crate::single_loop) makes one loop of them under a program counter. What this cannot
//! express, such as unboundedly many objects, is an [`Unsupported`]; what it cannot express but need not be reached
//! (recursion beyond a bound, say) is a further way to be bad, so that a proof shows that it is not reached. See
//! [`Cause`].

use crate::blocks::{self, Blocks, Obstacle};
use crate::c_text;
use crate::origin::Origin;
use crate::single_loop;
use crate::system::TransitionSystem;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;
use vergo_analysis::cfg::Cfg;
use vergo_analysis::liveness::Liveness;
use vergo_goto::program::{Callee, Claim, FunctionId, InstrKind, Program, SymbolId};
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::{BEFORE_INLINING, ENCODE, Pipeline};
use vergo_passes::recursion::recursion_as_jumps;
use vergo_source::Span;
use vergo_term::{TermId, TermStore};

/// The limits of encoding.
pub struct Options<'a> {
    /// Objects whose type has at most so many scalars have a state variable for each; larger arrays that are accessed
    /// at unknown indices are array terms.
    pub max_elements: usize,
    /// The greatest number of state variables.
    pub max_variables: usize,
    /// Activations of a recursive function at a time.
    pub recursion: u32,
    /// The treatment of recursive calls beyond that.
    pub recursive_calls: RecursiveCalls,
    /// Where cutting all loops does not work, those with at most so many rounds, all of them decided, are unrolled in
    /// their blocks.
    pub unroll: u32,
    /// Instructions of the program after inlining.
    pub max_size: u64,
    /// Instructions that the execution of one block may take.
    pub max_steps: u64,
    /// Asked now and then; encoding ends early when it says so.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            max_elements: 64,
            max_variables: 20_000,
            recursion: 8,
            recursive_calls: RecursiveCalls::Bad,
            unroll: 64,
            max_size: 200_000,
            max_steps: 400_000,
            stop: &|| false,
        }
    }
}

/// The treatment of recursive calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecursiveCalls {
    /// Reaching one that is not covered is bad.
    Bad,
    /// They become jumps, where that is possible: the system has an infinite execution if the program has one, and is
    /// good for nothing else.
    Jumps,
}

/// The reason why a program has no transition system here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The reason.
    pub reason: String,
    /// Where, if it is somewhere.
    pub span: Option<Span>,
}

impl Unsupported {
    pub(crate) fn new(reason: impl Into<String>) -> Unsupported {
        Unsupported { reason: reason.into(), span: None }
    }

    pub(crate) fn at(program: &Program, point: Option<usize>, reason: String) -> Unsupported {
        Unsupported { reason, span: Some(blocks::point_span(program, point)) }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Unsupported {}

/// A program as a transition system, and the way back.
#[derive(Debug)]
pub struct Encoded {
    /// The system.
    pub system: TransitionSystem,
    /// The program that it was made from: the one given, with calls inlined. It makes the same choices in the same
    /// order.
    pub program: Program,
    /// The origin of each state variable, in the order of the system's.
    pub origins: Vec<Origin>,
    /// The places at which states are, in order of the program counter.
    pub points: Vec<CutPoint>,
    /// The program counter's variable, if there is more than one place.
    pub counter: Option<TermId>,
    /// The reason why a state is bad: the parts of `bad`, each over current state and inputs.
    pub causes: Vec<Cause>,
    /// The approximations that were made; a violation need not be one of the program then.
    pub approximations: Vec<(Span, String)>,
    /// Figures.
    pub statistics: Statistics,
    pub(crate) history: single_loop::History,
    /// The functions of the original program that local variables belong to.
    pub(crate) owners: FxHashMap<SymbolId, FunctionId>,
    /// Loops of the source of which a copy is not cut.
    pub(crate) uncut: BTreeSet<Span>,
    /// For each point, the named local variables in scope; found when it is first asked for.
    pub(crate) alive: OnceLock<Vec<FxHashSet<SymbolId>>>,
}

/// A place of the program at which states are.
#[derive(Clone, Debug)]
pub struct CutPoint {
    /// The position in the entry function of [`Encoded::program`]; `None` for the beginning.
    pub position: Option<usize>,
    /// The loop in the source.
    pub span: Span,
    /// The function of the original program that the loop is in.
    pub function: Option<FunctionId>,
}

/// A way to be bad.
#[derive(Clone, Debug)]
pub struct Cause {
    /// When, over current state and inputs.
    pub condition: TermId,
    /// What.
    pub kind: CauseKind,
    /// Where.
    pub span: Span,
}

/// The kind of a bad state's cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CauseKind {
    /// A claim is violated.
    Claim(Box<Claim>),
    /// Something is reached that the encoding does not cover: no verdict follows.
    Beyond(String),
}

/// Figures of an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Instructions after inlining.
    pub n_instructions: usize,
    /// Cut points, the beginning included if it is one.
    pub n_points: usize,
    /// State variables.
    pub n_variables: usize,
    /// Bits in the state, arrays not counted.
    pub n_bits: u64,
    /// State variables that are arrays.
    pub n_arrays: usize,
    /// Variables that were left out because neither control nor claims depend on them.
    pub n_irrelevant: usize,
    /// Inputs of a step.
    pub n_inputs: usize,
    /// Executions of blocks until their patterns were found.
    pub n_executions: u32,
}

/// Makes a transition system of an instrumented program. Its terms are made in `store`.
///
/// # Errors
/// If the program has no such system here, with the reason.
pub fn encode(
    program: &Program,
    store: &mut TermStore,
    options: &Options<'_>,
) -> Result<Encoded, Unsupported> {
    let original = program;
    let program = inlined(program, options)?;
    let entry = program.entry.ok_or_else(|| Unsupported::new("there is no entry"))?;
    let body = program.functions[entry].body.as_deref().unwrap_or_default();
    for instr in body {
        if matches!(instr.kind, InstrKind::Spawn { .. } | InstrKind::Join { .. }) {
            return Err(Unsupported { reason: "threads".to_owned(), span: Some(instr.span) });
        }
    }
    let cfg = Cfg::of(&program.functions[entry]);
    let liveness = Liveness::of(&program, entry, &cfg);
    let heads = cfg.loop_heads();
    let (blocks, cuts) = explore(&program, store, options, &heads, &liveness)?;
    let uncut = heads.difference(&cuts).map(|&at| blocks::point_span(&program, Some(at))).collect();
    let mut encoded = single_loop::close(program, store, blocks)?;
    encoded.uncut = uncut;
    encoded.owners = c_text::owners(original, &encoded.program);
    let places = places(original);
    for point in encoded.points.iter_mut().filter(|point| point.position.is_some()) {
        point.function = places.get(&point.span).copied();
    }
    Ok(encoded)
}

/// The blocks between loop heads; if there are none, those between the loop heads that cannot do without a cut. With the
/// positions that are cut.
fn explore(
    program: &Program,
    store: &mut TermStore,
    options: &Options<'_>,
    heads: &BTreeSet<usize>,
    liveness: &Liveness,
) -> Result<(Blocks, BTreeSet<usize>), Unsupported> {
    let reason = match blocks::explore(program, store, options, heads.clone(), 1, liveness) {
        Ok(blocks) => return Ok((blocks, heads.clone())),
        Err(Obstacle::Unsupported(reason)) => reason,
        Err(Obstacle::Undecided(_)) => Unsupported::new("a loop that is not found"),
    };
    let mut cuts = BTreeSet::new();
    while options.unroll > 0 && cuts != *heads {
        let max_rounds = options.unroll.max(2);
        match blocks::explore(program, store, options, cuts.clone(), max_rounds, liveness) {
            Ok(blocks) => return Ok((blocks, cuts)),
            Err(Obstacle::Undecided(more)) if more.iter().any(|head| !cuts.contains(head)) => {
                cuts.extend(more);
            }
            Err(_) => break,
        }
    }
    Err(reason)
}

/// The functions in which spans are.
fn places(program: &Program) -> FxHashMap<Span, FunctionId> {
    let mut places = FxHashMap::default();
    for (id, function) in program.functions.iter() {
        for instr in function.body.iter().flatten() {
            places.entry(instr.span).or_insert(id);
        }
    }
    places
}

/// The program with calls inlined.
fn inlined(program: &Program, options: &Options<'_>) -> Result<Program, Unsupported> {
    let mut program = program.clone();
    let pass_options = vergo_passes::Options { recursion: 0, ..vergo_passes::Options::default() };
    let run = |program: &mut Program, pipeline: Pipeline| {
        run_passes(program, pipeline.passes, &pass_options, Verify::InDebug, &mut |_| {})
            .map_err(|broken| Unsupported::new(format!("internal: {broken}")))
    };
    run(&mut program, BEFORE_INLINING)?;
    if options.recursive_calls == RecursiveCalls::Jumps {
        recursion_as_jumps(&mut program);
    }
    if inlined_size(&program) > options.max_size {
        return Err(Unsupported::new("the program is too large with its calls inlined"));
    }
    run(&mut program, ENCODE)?;
    Ok(program)
}

/// Returns the number of instructions of the entry function after inlining of calls, recursive ones once.
fn inlined_size(program: &Program) -> u64 {
    let mut sizes: Vec<Option<u64>> = vec![None; program.functions.len()];
    let Some(entry) = program.entry else { return 0 };
    // Depth first; a function on the stack is recursive and counts nothing more.
    let mut on_stack = vec![false; program.functions.len()];
    let index = |function: FunctionId| function.as_u32() as usize;
    let mut stack = vec![(entry, false)];
    while let Some((function, ready)) = stack.pop() {
        let body = program.functions[function].body.as_deref().unwrap_or_default();
        let callees = body.iter().filter_map(|instr| match instr.kind {
            InstrKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
            _ => None,
        });
        if ready {
            let inner: u64 = callees
                .map(|callee| sizes[index(callee)].unwrap_or(0))
                .fold(0, u64::saturating_add);
            sizes[index(function)] = Some(inner.saturating_add(body.len() as u64));
        } else if sizes[index(function)].is_none() && !on_stack[index(function)] {
            on_stack[index(function)] = true;
            stack.push((function, true));
            stack.extend(callees.map(|callee| (callee, false)));
        }
    }
    sizes[index(entry)].unwrap_or(0)
}

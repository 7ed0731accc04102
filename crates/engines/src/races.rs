//! Race freedom of programs with any number of threads, by facts about one thread at a time.
//!
//! **Idea.** The facts that `vergo_evidence::race_freedom` checks are computed here: what objects hold, by adding what is
//! missing until nothing is; which contexts and classes of threads there are, by following calls and starts; and what holds
//! before each instruction, by letting states flow until they do not change. A function has a context for each way in
//! which it is called, but one that calls itself has no more than one on each way; a thread that starts its like makes a
//! class of its own that stands for all of them.
//!
//! **Soundness.** The checker looks at every fact; nothing here is trusted.

use crate::{Environment, Task};
use std::collections::{BTreeMap, BTreeSet};
use vergo_evidence::race_freedom::Proof;
use vergo_evidence::race_freedom::contents::{Contents, requirements};
use vergo_evidence::race_freedom::flow::{ClassId, ContextId, Flow, Node, Shape, State};
use vergo_evidence::{Certificate, Certify, Reason, Verdict};
use vergo_goto::program::{FunctionId, InstrKind, Program};

/// More contexts than this are not followed.
const MAX_CONTEXTS: usize = 4000;
/// Steps between looks at the clock.
const PATIENCE: usize = 1000;

pub(crate) fn run(task: &Task<'_>, env: &Environment<'_>) -> Verdict {
    if task.certify != Certify::Off {
        return Verdict::Unknown(Reason::Withdrawn("race freedom has no proof for others to check"));
    }
    match prove(task.program, env) {
        Ok(certificate) => Verdict::True(certificate),
        Err(reason) => Verdict::Unknown(reason),
    }
}

fn prove(program: &Program, env: &Environment<'_>) -> Result<Certificate, Reason> {
    if !Certificate::may_be_race_freedom(program) {
        return Err(Reason::Withdrawn("the program makes other claims than that there is no race"));
    }
    let proof = facts(program, env)?;
    Certificate::race_freedom(program, &proof).map_err(Reason::Incomplete)
}

/// Facts about the threads of a program.
pub(crate) fn facts(program: &Program, env: &Environment<'_>) -> Result<Proof, Reason> {
    let contents = contents(program, env)?;
    let mut ends = BTreeMap::new();
    loop {
        let (shape, states) = Search::run(program, &contents, ends, env)?;
        let found = waited_for(program, &shape, &states);
        if found == shape.ends {
            return Ok(Proof { contents, shape, states });
        }
        ends = found;
    }
}

/// For each class, those that its threads have waited for wherever they end.
fn waited_for(
    program: &Program,
    shape: &Shape,
    states: &BTreeMap<Node, State>,
) -> BTreeMap<ClassId, BTreeSet<ClassId>> {
    let mut ends: BTreeMap<ClassId, BTreeSet<ClassId>> = BTreeMap::new();
    for (&(context, instr), state) in states {
        let (class, function) = shape.contexts[context as usize];
        let body = program.functions[function].body.as_deref().unwrap_or_default();
        let is_end = body.get(instr as usize).is_none_or(|i| matches!(i.kind, InstrKind::Return(_)));
        if is_end && shape.classes[class as usize] == context {
            let found = ends.entry(class).or_insert_with(|| state.joined.clone());
            found.retain(|other| state.joined.contains(other));
        }
    }
    ends.retain(|_, classes| !classes.is_empty());
    ends
}

fn in_time(env: &Environment<'_>) -> Result<(), Reason> {
    env.budget.exhausted().map_or(Ok(()), |reason| Err(reason.into()))
}

/// Computes the contents of objects.
fn contents(program: &Program, env: &Environment<'_>) -> Result<Contents, Reason> {
    let mut contents = Contents::new();
    loop {
        in_time(env)?;
        let mut missing = Vec::new();
        requirements(program, &contents, &mut |object, target| {
            if !contents.get(&object).is_some_and(|held| held.contains(&target)) {
                missing.push((object, target));
            }
        })
        .map_err(Reason::Incomplete)?;
        if missing.is_empty() {
            return Ok(contents);
        }
        for (object, target) in missing {
            contents.entry(object).or_default().insert(target);
        }
    }
}

/// Follows calls and starts.
struct Search {
    shape: Shape,
    states: BTreeMap<Node, State>,
    pending: BTreeSet<Node>,
    /// The context that a context was first called from.
    called_from: Vec<Option<ContextId>>,
    /// For each class, the instruction that first started it.
    started_by: Vec<Option<(ContextId, u32)>>,
}

impl Search {
    fn run(
        program: &Program,
        contents: &Contents,
        ends: BTreeMap<ClassId, BTreeSet<ClassId>>,
        env: &Environment<'_>,
    ) -> Result<(Shape, BTreeMap<Node, State>), Reason> {
        let entry = program.entry.ok_or_else(|| Reason::incomplete("the program has no beginning"))?;
        let mut search = Search {
            shape: Shape {
                contexts: vec![(0, entry)],
                classes: vec![0],
                ends,
                ..Shape::default()
            },
            states: [((0, 0), State::default())].into(),
            pending: [(0, 0)].into(),
            called_from: vec![None],
            started_by: vec![None],
        };
        // The flow is made anew when there are new contexts; in between, states flow.
        while !search.pending.is_empty() {
            let shape = search.shape.clone();
            let flow = Flow::new(program, contents, &shape);
            search.advance(&flow, env)?;
        }
        Ok((search.shape, search.states))
    }

    /// Lets states flow until there is a new context.
    fn advance(&mut self, flow: &Flow<'_>, env: &Environment<'_>) -> Result<(), Reason> {
        let mut steps = 0;
        while let Some(node) = self.pending.pop_first() {
            steps += 1;
            if steps % PATIENCE == 0 {
                in_time(env)?;
            }
            if self.follow(flow, node)? {
                self.pending.insert(node);
                return Ok(());
            }
            let state = self.states.get(&node).cloned().unwrap_or_default();
            for (next, after) in flow.step(node, &state).map_err(Reason::Incomplete)? {
                let changed = match self.states.get_mut(&next) {
                    Some(known) => known.join(&after),
                    None => {
                        self.states.insert(next, after);
                        true
                    }
                };
                if changed {
                    self.pending.insert(next);
                }
            }
        }
        Ok(())
    }

    /// Makes the contexts and classes that an instruction leads to; whether there are new ones.
    fn follow(&mut self, flow: &Flow<'_>, (context, instr): Node) -> Result<bool, Reason> {
        let leads = flow.leads((context, instr)).map_err(Reason::Incomplete)?;
        let mut is_new = false;
        for called in leads.calls {
            if !self.shape.calls.contains_key(&(context, instr, called)) {
                let to = match self.on_the_way(context, called) {
                    Some(to) => to,
                    None => {
                        let class = self.shape.contexts[context as usize].0;
                        self.add(class, called, Some(context))?
                    }
                };
                self.shape.calls.insert((context, instr, called), to);
                // Whoever returns from there has a new place to return to.
                self.pending.extend(self.states.keys().filter(|(at, _)| *at == to));
                is_new = true;
            }
        }
        for started in leads.starts {
            if !self.shape.starts.contains_key(&(context, instr, started)) {
                let class = match self.ancestor((context, instr), started) {
                    Some(class) => class,
                    None => {
                        let class = self.shape.classes.len() as ClassId;
                        let root = self.add(class, started, None)?;
                        self.shape.classes.push(root);
                        self.started_by.push(Some((context, instr)));
                        class
                    }
                };
                self.shape.starts.insert((context, instr, started), class);
                is_new = true;
            }
        }
        Ok(is_new)
    }

    fn add(
        &mut self,
        class: ClassId,
        function: FunctionId,
        from: Option<ContextId>,
    ) -> Result<ContextId, Reason> {
        if self.shape.contexts.len() >= MAX_CONTEXTS {
            return Err(Reason::incomplete("functions are called in too many ways"));
        }
        self.shape.contexts.push((class, function));
        self.called_from.push(from);
        Ok(self.shape.contexts.len() as ContextId - 1)
    }

    /// The context of a function that is active already.
    fn on_the_way(&self, context: ContextId, function: FunctionId) -> Option<ContextId> {
        let mut at = Some(context);
        while let Some(context) = at {
            if self.shape.contexts[context as usize].1 == function {
                return Some(context);
            }
            at = self.called_from[context as usize];
        }
        None
    }

    /// The class of threads that were started by the same instruction, of a thread that this one comes from.
    fn ancestor(&self, (context, instr): Node, started: FunctionId) -> Option<ClassId> {
        let function = |context: ContextId| self.shape.contexts[context as usize].1;
        let site = (function(context), instr);
        let mut class = self.shape.contexts[context as usize].0;
        while let Some((from, number)) = self.started_by[class as usize] {
            let root = self.shape.classes[class as usize];
            if (function(from), number) == site && function(root) == started {
                return Some(class);
            }
            class = self.shape.contexts[from as usize].0;
        }
        None
    }
}

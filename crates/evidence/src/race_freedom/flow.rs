//! Facts by place: a state for each instruction of each call of each thread, and the change of states by instructions.
//!
//! A *class* stands for the threads that one instruction starts; main is a class of its own. A *context* is a function
//! as it is called from certain places by threads of a class. The proof says which contexts and classes there are and where calls and
//! starts lead; whatever it says, it is right if states flow as [`Flow::step`] demands.

use super::contents::{Object, Reader, Targets};
use super::counted::{Waiting, rounds, waiting};
use super::library::{Library, library};
use super::models::constant;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use vergo_goto::program::{FunctionId, InstrKind, LabelId, Program, SymbolId, SymbolKind};
use vergo_goto::types::Type;

/// A class of threads.
pub type ClassId = u32;
/// A context.
pub type ContextId = u32;
/// An instruction of a context.
pub type Node = (ContextId, u32);

/// A lock that is one object at a known offset: a static variable or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lock {
    /// The object.
    pub object: Object,
    /// The offset.
    pub offset: u64,
    /// True if it is held alone, and not together with others who read.
    pub alone: bool,
}

/// The state of a thread before an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The locks that it certainly holds.
    pub locks: BTreeSet<Lock>,
    /// The number of atomic sections that are certainly open.
    pub atomic: u32,
    /// The classes of which it may have started threads itself.
    pub started: BTreeSet<ClassId>,
    /// The classes all of whose threads it has certainly waited for.
    pub joined: BTreeSet<ClassId>,
    /// Variables that are zero exactly if a lock was got.
    pub tried: BTreeMap<SymbolId, Lock>,
}

impl State {
    /// Weakens the state to what also holds in another; whether it has changed.
    pub fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        self.locks.retain(|lock| other.locks.contains(lock));
        self.atomic = self.atomic.min(other.atomic);
        self.started.extend(&other.started);
        self.joined.retain(|class| other.joined.contains(class));
        self.tried.retain(|variable, lock| other.tried.get(variable) == Some(lock));
        *self != before
    }

    /// Checks whether this holds wherever the other does.
    pub fn covers(&self, other: &State) -> bool {
        self.locks.is_subset(&other.locks)
            && self.atomic <= other.atomic
            && self.started.is_superset(&other.started)
            && self.joined.is_subset(&other.joined)
            && self.tried.iter().all(|(v, lock)| other.tried.get(v) == Some(lock))
    }
}

/// Which classes and contexts there are.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Each context: its class and function. The first is the entry's.
    pub contexts: Vec<(ClassId, FunctionId)>,
    /// Each class: the context in which its threads begin.
    pub classes: Vec<ContextId>,
    /// Where calls of functions lead.
    pub calls: BTreeMap<(ContextId, u32, FunctionId), ContextId>,
    /// Whose threads each class, of one thread, has certainly waited for when its thread ends.
    pub ends: BTreeMap<ClassId, BTreeSet<ClassId>>,
    /// Of which class the threads are that are started with functions.
    pub starts: BTreeMap<(ContextId, u32, FunctionId), ClassId>,
}

/// The flow of states through a program.
pub struct Flow<'a> {
    pub(crate) reader: Reader<'a>,
    pub(crate) shape: &'a Shape,
    /// The calls that lead to each context.
    callers: BTreeMap<ContextId, Vec<Node>>,
    /// Where labels stand.
    labels: FxHashMap<(FunctionId, LabelId), u32>,
    /// Loops that wait for all threads of another.
    waiting: FxHashMap<FunctionId, Vec<Waiting>>,
}

/// The functions and threads that an instruction leads to.
pub struct Leads {
    /// The functions that it calls.
    pub calls: Vec<FunctionId>,
    /// The functions that it starts threads with.
    pub starts: Vec<FunctionId>,
}

impl<'a> Flow<'a> {
    /// The flow through the contexts of a shape.
    pub fn new(
        program: &'a Program,
        contents: &'a super::contents::Contents,
        shape: &'a Shape,
    ) -> Flow<'a> {
        let mut callers: BTreeMap<ContextId, Vec<Node>> = BTreeMap::new();
        for (&(context, instr, _), &to) in &shape.calls {
            callers.entry(to).or_default().push((context, instr));
        }
        let mut labels = FxHashMap::default();
        for &(_, function) in &shape.contexts {
            for (i, instr) in program.functions[function].body.iter().flatten().enumerate() {
                if let InstrKind::Label(label) = instr.kind {
                    labels.insert((function, label), i as u32);
                }
            }
        }
        let functions: BTreeSet<FunctionId> = shape.contexts.iter().map(|(_, f)| *f).collect();
        let waiting = functions.into_iter().map(|f| (f, waiting(program, f))).collect();
        Flow { reader: Reader { program, contents, frame: None }, shape, callers, labels, waiting }
    }

    pub(crate) fn instr(&self, (context, instr): Node) -> Option<&'a InstrKind> {
        let (_, function) = *self.shape.contexts.get(context as usize)?;
        let body = self.reader.program.functions[function].body.as_ref()?;
        body.get(instr as usize).map(|instr| &instr.kind)
    }

    /// Returns the functions and threads that the instruction of a node calls and starts.
    ///
    /// # Errors
    /// Returns the instruction that cannot be followed.
    pub fn leads(&self, node: Node) -> Result<Leads, String> {
        let mut leads = Leads { calls: Vec::new(), starts: Vec::new() };
        match self.instr(node) {
            Some(InstrKind::Spawn { callee, .. }) => leads.starts = self.reader.callees(*callee)?,
            Some(InstrKind::Call { callee, args, .. }) => {
                for called in self.reader.callees(*callee)? {
                    match library(&self.reader.program.functions[called]) {
                        Library::Unknown => leads.calls.push(called),
                        Library::Once => {
                            let run = args.get(1).ok_or("nothing is called once")?;
                            leads.calls.extend(self.reader.functions(*run)?);
                        }
                        Library::Create => leads.starts.extend(self.reader.started(args)?),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Ok(leads)
    }

    /// The states that follow from one before an instruction.
    ///
    /// # Errors
    /// Returns the instruction that cannot be followed or does not have the expected shape.
    pub fn step(&self, node: Node, state: &State) -> Result<Vec<(Node, State)>, String> {
        let (context, number) = node;
        let next = (context, number + 1);
        let mut out = Vec::new();
        let mut state = state.clone();
        let Some(instr) = self.instr(node) else {
            return Ok(self.returns(context, &state));
        };
        match instr {
            InstrKind::Return(_) => return Ok(self.returns(context, &state)),
            InstrKind::End(_) => return Ok(out),
            InstrKind::Unsupported(what) => return Err(format!("unsupported: {what}")),
            InstrKind::Goto(condition, label) => {
                let mut taken = state.clone();
                if let Some((variable, zero)) = condition.and_then(|c| self.tests(c))
                    && let Some(&lock) = state.tried.get(&variable)
                {
                    let got = if zero { &mut taken } else { &mut state };
                    got.locks.insert(lock);
                }
                taken.joined.extend(self.waited_for(node));
                let (_, function) = self.shape.contexts[context as usize];
                let at = self.labels.get(&(function, *label)).copied();
                let at = at.ok_or_else(|| format!("no label {}", label.index()))?;
                out.push(((context, at), taken));
                if condition.is_some() {
                    out.push((next, state));
                }
                return Ok(out);
            }
            InstrKind::AtomicBegin => state.atomic += 1,
            InstrKind::AtomicEnd => state.atomic = state.atomic.saturating_sub(1),
            InstrKind::Assign(place, value) => {
                let from = self.variable(*value).and_then(|v| state.tried.get(&v).copied());
                self.forget(&mut state, *place);
                if let (ExprKind::Symbol(to), Some(lock)) =
                    (self.reader.program.exprs.kind(*place), from)
                    && self.is_private(*to)
                {
                    state.tried.insert(*to, lock);
                }
            }
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                state.tried.remove(symbol);
            }
            InstrKind::Alloc { dest, .. } => self.forget(&mut state, *dest),
            InstrKind::Intrinsic { dest, .. } => {
                dest.iter().for_each(|&dest| self.forget(&mut state, dest));
            }
            InstrKind::Spawn { dest, .. } => {
                dest.iter().for_each(|&dest| self.forget(&mut state, dest));
                self.start(node, &mut state, &mut out)?;
            }
            InstrKind::Join { thread, dest } => {
                dest.iter().for_each(|&dest| self.forget(&mut state, dest));
                self.join(*thread, &mut state);
            }
            InstrKind::Call { dest, callee, args } => {
                dest.iter().for_each(|&dest| self.forget(&mut state, dest));
                for called in self.reader.callees(*callee)? {
                    let what = library(&self.reader.program.functions[called]);
                    self.call(node, (called, what), *dest, args, &state, &mut out)?;
                }
                return Ok(out);
            }
            _ => {}
        }
        out.push((next, state));
        Ok(out)
    }

    fn call(
        &self,
        node: Node,
        (called, what): (FunctionId, Library),
        dest: Option<ExprId>,
        args: &[ExprId],
        state: &State,
        out: &mut Vec<(Node, State)>,
    ) -> Result<(), String> {
        let mut state = state.clone();
        let pointed = || args.first().map_or(Targets::new(), |&arg| self.reader.values(arg));
        match what {
            Library::Unknown => {
                if self.reader.program.functions[called].body.is_none() {
                    return Err("a function without a body is called".into());
                }
                state.tried.clear();
                out.push(((self.context(node, called)?, 0), state));
                return Ok(());
            }
            Library::Leave => return Ok(()),
            Library::Create => self.start(node, &mut state, out)?,
            Library::Join => args.iter().take(1).for_each(|&t| self.join(t, &mut state)),
            Library::Lock { alone } => state.locks.extend(self.lock(&pointed(), alone)),
            Library::TryLock { alone } => {
                if let (Some(lock), Some(dest)) = (self.lock(&pointed(), alone), dest)
                    && let ExprKind::Symbol(to) = *self.reader.program.exprs.kind(dest)
                    && self.is_private(to)
                {
                    state.tried.insert(to, lock);
                }
            }
            Library::Unlock | Library::Renew => {
                for at in pointed() {
                    let hit = |lock: &Lock| {
                        at.object == Object::Unknown
                            || lock.object == at.object
                                && (at.first..=at.last).contains(&lock.offset)
                    };
                    state.locks.retain(|lock| !hit(lock));
                    state.tried.retain(|_, lock| !hit(lock));
                }
            }
            Library::NewKey if !args.get(1).is_some_and(|&end| self.is_null(end)) => {
                return Err("unsupported: a destructor of data of threads".into());
            }
            Library::Once => {
                state.tried.clear();
                for called in self.leads(node)?.calls {
                    out.push(((self.context(node, called)?, 0), state.clone()));
                }
            }
            _ => {}
        }
        out.push(((node.0, node.1 + 1), state));
        Ok(())
    }

    fn is_null(&self, pointer: ExprId) -> bool {
        constant(self.reader.program, pointer, &BTreeMap::new()) == Some(0)
    }

    fn context(&self, (context, instr): Node, called: FunctionId) -> Result<ContextId, String> {
        let to = self.shape.calls.get(&(context, instr, called)).copied();
        let to = to.ok_or("a call leads nowhere")?;
        let (class, _) = self.shape.contexts[context as usize];
        match self.shape.contexts.get(to as usize) {
            Some(&found) if found == (class, called) => Ok(to),
            _ => Err("a call leads to another function".into()),
        }
    }

    fn start(
        &self,
        node: Node,
        state: &mut State,
        out: &mut Vec<(Node, State)>,
    ) -> Result<(), String> {
        for started in self.leads(node)?.starts {
            let class = self.shape.starts.get(&(node.0, node.1, started)).copied();
            let class = class.ok_or("a thread has no class")?;
            let root = self.shape.classes.get(class as usize).copied();
            let root = root.ok_or("a class has no beginning")?;
            if self.shape.contexts.get(root as usize) != Some(&(class, started)) {
                return Err("a class begins with another function".into());
            }
            if self.reader.program.functions[started].body.is_none() {
                return Err("a thread begins with a function without a body".into());
            }
            out.push(((root, 0), State::default()));
            state.started.insert(class);
            state.joined.remove(&class);
        }
        Ok(())
    }

    /// A thread was waited for: if there is only one that it can have been, that one has ended.
    fn join(&self, thread: ExprId, state: &mut State) {
        let values = self.reader.values(thread);
        let [Object::Started(function, instr)] =
            values.iter().map(|at| at.object).collect::<Vec<_>>()[..]
        else {
            return;
        };
        let of_site = |&(&(context, number, _), _): &(&(ContextId, u32, FunctionId), &ClassId)| {
            (self.shape.contexts[context as usize].1, number) == (function, instr)
        };
        let classes: BTreeSet<ClassId> =
            self.shape.starts.iter().filter(of_site).map(|(_, &class)| class).collect();
        if let Some(&class) = classes.first()
            && classes.len() == 1
            && self.is_unique(class)
        {
            state.joined.insert(class);
            state.joined.extend(self.shape.ends.get(&class).into_iter().flatten());
        }
    }

    /// The classes whose threads have all ended when the jump of a node leaves a loop that waits for them: nobody else starts
    /// threads of the class, and the loop that does is executed once by one thread.
    fn waited_for(&self, (context, number): Node) -> Vec<ClassId> {
        let (class, function) = self.shape.contexts[context as usize];
        let loops = self.waiting.get(&function).into_iter().flatten();
        let here = loops.filter(|waiting| {
            waiting.head == number
                && self.is_unique(class)
                && self.is_executed_once((context, waiting.begin))
        });
        here.filter_map(|waiting| {
            let of_site = |(at, _): &(&(ContextId, u32, FunctionId), &ClassId)| {
                (at.0, at.1) == (context, waiting.start)
            };
            let mut started = self.shape.starts.iter().filter(of_site).map(|(_, &class)| class);
            let class = started.next().filter(|_| started.next().is_none())?;
            let n_starts = self.shape.starts.values().filter(|&&other| other == class).count();
            (n_starts == 1).then_some(class)
        })
        .collect()
    }

    /// Checks whether the thread of a class ends with an instruction, and then has not waited for all that the shape says.
    pub(crate) fn breaks_its_end(&self, (context, number): Node, state: &State) -> bool {
        let (class, _) = self.shape.contexts[context as usize];
        let is_end = self.shape.classes[class as usize] == context
            && matches!(self.instr((context, number)), None | Some(InstrKind::Return(_)));
        let ends = self.shape.ends.get(&class);
        is_end && ends.is_some_and(|ends| !ends.is_subset(&state.joined))
    }

    /// Where a context returns to; nowhere if a thread begins with it.
    fn returns(&self, context: ContextId, state: &State) -> Vec<(Node, State)> {
        let callers = self.callers.get(&context).into_iter().flatten();
        // Variables of one activation are not those of another.
        let state = State { tried: BTreeMap::new(), ..state.clone() };
        callers.map(|&(context, instr)| ((context, instr + 1), state.clone())).collect()
    }

    /// Checks whether there is at most one thread of a class: one instruction starts it, which is executed once.
    pub(crate) fn is_unique(&self, class: ClassId) -> bool {
        let mut class = class;
        for _ in 0..=self.shape.classes.len() {
            if class == 0 {
                return true;
            }
            let starts: Vec<&(ContextId, u32, FunctionId)> = self
                .shape
                .starts
                .iter()
                .filter(|(_, c)| **c == class)
                .map(|(key, _)| key)
                .collect();
            let &[&(context, instr, _)] = &starts[..] else { return false };
            if !self.is_executed_once((context, instr)) {
                return false;
            }
            class = self.shape.contexts[context as usize].0;
        }
        false
    }

    /// Returns the greatest number of threads of a class, if that is known: one, or as many as a counted loop has
    /// rounds.
    pub(crate) fn most_threads(&self, class: ClassId) -> Option<u64> {
        if self.is_unique(class) {
            return Some(1);
        }
        let mut starts = self.shape.starts.iter().filter(|(_, c)| **c == class);
        let (&(context, instr, _), _) = starts.next().filter(|_| starts.next().is_none())?;
        let (starter, function) = self.shape.contexts[context as usize];
        let (begin, rounds) = rounds(self.reader.program, function, instr)?;
        (self.is_unique(starter) && self.is_executed_once((context, begin))).then_some(rounds)
    }

    /// Checks whether a thread executes an instruction at most once.
    fn is_executed_once(&self, node: Node) -> bool {
        let (mut context, mut instr) = node;
        for _ in 0..=self.shape.contexts.len() {
            let (class, function) = self.shape.contexts[context as usize];
            if self.is_in_cycle(function, instr) {
                return false;
            }
            match self.callers.get(&context).map(Vec::as_slice) {
                None | Some([]) => return self.shape.classes[class as usize] == context,
                Some(&[(caller, number)]) if self.shape.classes[class as usize] != context => {
                    (context, instr) = (caller, number);
                }
                _ => return false,
            }
        }
        false
    }

    fn is_in_cycle(&self, function: FunctionId, instr: u32) -> bool {
        let body = self.reader.program.functions[function].body.as_deref().unwrap_or_default();
        let position =
            |label: LabelId| self.labels.get(&(function, label)).map(|&position| position as usize);
        let successors = |i: usize| {
            let mut next = Vec::new();
            if let Some(InstrKind::Goto(_, label)) = body.get(i).map(|i| &i.kind) {
                next.extend(position(*label));
            }
            if body.get(i).is_some_and(|i| i.kind.falls_through()) {
                next.push(i + 1);
            }
            next
        };
        let mut seen = BTreeSet::new();
        let mut pending = successors(instr as usize);
        while let Some(i) = pending.pop() {
            if i == instr as usize {
                return true;
            }
            if seen.insert(i) {
                pending.extend(successors(i));
            }
        }
        false
    }

    /// The lock at an address, if that is one place of one object.
    pub(crate) fn lock(&self, at: &Targets, alone: bool) -> Option<Lock> {
        let mut all = at.iter();
        let (Some(at), None) = (all.next(), all.next()) else { return None };
        let Object::Variable(symbol) = at.object else { return None };
        let is_static = matches!(
            self.reader.program.symbols[symbol].kind,
            SymbolKind::Static { thread_local: false, .. }
        );
        (is_static && at.first == at.last).then_some(Lock {
            object: at.object,
            offset: at.first,
            alone,
        })
    }

    /// A place is written: what was known of it is not known any more.
    fn forget(&self, state: &mut State, place: ExprId) {
        if let Some(symbol) = self.reader.program.root_variable(place) {
            state.tried.remove(&symbol);
        }
    }

    /// Checks whether only the function itself can change a variable, as far as [`State::tried`] needs it: nothing is remembered of
    /// variables whose address is taken.
    fn is_private(&self, symbol: SymbolId) -> bool {
        let program = self.reader.program;
        let addressed = |kind: &ExprKind| matches!(*kind, ExprKind::AddressOf(place) if program.root_variable(place) == Some(symbol));
        matches!(program.symbols[symbol].kind, SymbolKind::Local(_))
            && !program.exprs.iter().any(|(_, expr)| addressed(&expr.kind))
    }

    /// The variable that a value is, behind conversions of integers that keep whether it is zero.
    fn variable(&self, mut expr: ExprId) -> Option<SymbolId> {
        let program = self.reader.program;
        let width = |expr: ExprId| match *program.type_of(expr) {
            Type::Int { width, .. } => Some(width),
            _ => None,
        };
        loop {
            match *program.exprs.kind(expr) {
                ExprKind::Symbol(symbol) => return Some(symbol),
                ExprKind::Cast(_, from) if width(from)? <= width(expr)? => expr = from,
                _ => return None,
            }
        }
    }

    /// The variable whose being zero a condition tests, and whether it is zero if the condition holds.
    fn tests(&self, condition: ExprId) -> Option<(SymbolId, bool)> {
        let program = self.reader.program;
        let is_zero = |expr: ExprId| match program.exprs.kind(expr) {
            ExprKind::Int(bits) => bits.is_zero(),
            kind => matches!(kind, ExprKind::Zero),
        };
        match *program.exprs.kind(condition) {
            ExprKind::Unary(UnaryOp::Not, a) => self.tests(a).map(|(v, zero)| (v, !zero)),
            ExprKind::Binary(BinaryOp::Eq, a, b) if is_zero(b) => {
                self.is_not_zero(a).map(|(v, zero)| (v, !zero))
            }
            ExprKind::Binary(BinaryOp::Ne, a, b) if is_zero(b) => self.is_not_zero(a),
            ExprKind::Cast(_, a) if matches!(program.type_of(condition), Type::Bool) => {
                self.is_not_zero(a)
            }
            _ => None,
        }
    }

    fn is_not_zero(&self, expr: ExprId) -> Option<(SymbolId, bool)> {
        let program = self.reader.program;
        match *program.exprs.kind(expr) {
            ExprKind::Cast(_, a) if matches!(program.type_of(a), Type::Bool) => self.tests(a),
            _ => self.variable(expr).map(|variable| (variable, false)),
        }
    }
}

//! The execution of a counterexample, step by step, and which of its steps matter.
//!
//! The interpreter runs the inputs once more and reports each step with the memory that it reads and writes. A step
//! depends on the last writers of what it reads, on the jump that let it be executed, and on the call that its function
//! was entered by; a call's result depends on the return. What the violated claim depends on, directly or not, is what
//! matters: a dynamic slice (Korel and Laski, "Dynamic program slicing", 1988, doi 10.1016/0020-0190(88)90054-3). All
//! values are real ones, so nothing shown can be wrong; what is left out cannot have made the claim false through values
//! or through a jump taken. (What would have happened on a jump not taken is not followed.)

use crate::control::ControlDependence;
use crate::counterexample::Counterexample;
use crate::explain::{self, Explanation};
use crate::race::Race;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Claim, FunctionId, InstrKind, Program};
use vergo_interp::{Access, AccessKind, Event, Machine, Options, Outcome, Position, Tracer, What};
use vergo_smt::Budget;
use vergo_source::Span;

/// Steps that are recorded at most; a longer execution is shown by its inputs alone.
const MOST_STEPS: usize = 300_000;

/// An execution up to its violation.
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// The steps in order; empty if the execution is too long to be recorded.
    pub steps: Vec<Step>,
    /// Further facts about the violation.
    pub explanation: Explanation,
    /// The race that it is, if it is one.
    pub race: Option<Race>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The thread, by number.
    pub thread: usize,
    /// The number of active calls.
    pub depth: usize,
    /// The function.
    pub function: FunctionId,
    /// The index of the instruction in its body.
    pub instr: usize,
    /// Where.
    pub span: Span,
    /// The event.
    pub what: StepKind,
    /// True if the violation depends on it.
    pub matters: bool,
}

/// The event of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A value was chosen.
    Input {
        /// Where it went.
        place: ExprId,
        /// The value as text.
        value: String,
    },
    /// A value was written.
    Assigned {
        /// Where it went.
        place: ExprId,
        /// The value as text.
        value: String,
    },
    /// A conditional jump was taken or not.
    Branched(bool),
    /// A function was called.
    Called {
        /// Who.
        callee: FunctionId,
        /// The arguments as text.
        args: Vec<String>,
    },
    /// A function returned.
    Returned,
    /// Memory was freed: the pointer as text.
    Freed(String),
    /// A condition was looked at: an assumption, or a claim that holds.
    Checked,
    /// The claim that is violated.
    Violated,
}

impl Counterexample {
    /// The execution step by step, within a budget. Without steps if it takes more, or does not end in the same
    /// violation when it is watched: addresses may then differ, and a program can look at them.
    pub fn execution(&self, program: &Program, budget: &Budget) -> Execution {
        let recorder = Rc::new(RefCell::new(Recorder::new(program)));
        let options = Options {
            trace: Some(Box::new(Watch(Rc::clone(&recorder)))),
            ..self.choices().options(budget)
        };
        let mut machine = Machine::new(program, options);
        let outcome = machine.run();
        let mut recorder = recorder.borrow_mut();
        let Outcome::Violation(violation) = outcome else { return Execution::default() };
        if recorder.is_full
            || violation.claim != *self.claim()
            || violation.position.span != self.position().span
        {
            return Execution::default();
        }
        let mut explanation = Explanation::default();
        if let Some(function) = machine.function()
            && let Some(condition) = self.condition(program, function, &violation.position)
        {
            explanation = explain::values(program, function, &machine, condition, self.claim());
            if let Some(variable) = explain::uninitialized(program, condition) {
                let text = format!("`{}` is declared here without a value", variable.display);
                explanation.places.push((variable.span, text));
            }
            if explain::is_about_heap(program, condition) {
                self.explain_heap(program, budget, &mut explanation);
            }
        }
        recorder.mark(&explanation);
        let begun = std::mem::take(&mut recorder.begun);
        recorder.thread = machine.thread();
        let mut execution =
            recorder.finish(&violation.position, &violation.claim, &explanation.object);
        execution.explanation = explanation;
        let race = machine.race().filter(|_| violation.claim.property == "race");
        if let Some(race) = race.and_then(|race| {
            let begun = |number: u64| begun.get(usize::try_from(number).ok()?).copied();
            Race::of(program, race, &execution.steps, begun)
        }) {
            let text = |at: usize| {
                let access = &race.accesses[at];
                format!("thread {} {} here", access.thread, access.text())
            };
            execution.explanation.here = text(1);
            execution.explanation.places.push((race.accesses[0].span, text(0)));
            execution.explanation.reason.clone_from(&race.reason);
            execution.race = Some(race);
        }
        if violation.claim.property == "memory.null"
            && let Some(span) = explain::origin_of_null(program, &execution)
        {
            let text = "it becomes null here".to_owned();
            execution.explanation.places.push((span, text));
        }
        if is_about_life(&violation.claim) {
            let end = explain::end_of_life(program, &execution);
            execution.explanation.places.extend(end);
        }
        execution
    }
}

/// Checks whether a claim is violated by an object that is dead.
fn is_about_life(claim: &Claim) -> bool {
    matches!(claim.property.as_str(), "memory.lifetime" | "memory.double-free")
}

/// The interpreter owns its tracer, so the recorder is shared.
struct Watch<'a>(Rc<RefCell<Recorder<'a>>>);

impl Tracer for Watch<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.0.borrow_mut().event(event);
    }

    fn wants_accesses(&self) -> bool {
        true
    }

    fn access(&mut self, access: &Access) {
        self.0.borrow_mut().access(access);
    }

    fn claimed(&mut self, _: u64) {
        let mut recorder = self.0.borrow_mut();
        let n_steps = recorder.steps.len();
        recorder.begun.push(n_steps);
    }
}

struct Recorder<'a> {
    program: &'a Program,
    steps: Vec<Step>,
    /// For each step, the steps that it depends on directly.
    dependencies: Vec<Vec<u32>>,
    /// The last writer of each byte: by first byte, one past the last, and the step.
    writers: BTreeMap<u64, (u64, u32)>,
    /// The number of steps before each access that is claimed to be in no race.
    begun: Vec<usize>,
    /// The reads and writes of the present instruction so far.
    present: Option<Present>,
    /// Active calls, for each thread.
    threads: Vec<Vec<Activation>>,
    /// The last return, while its caller has not taken the result.
    returned: Option<u32>,
    control: BTreeMap<FunctionId, Rc<ControlDependence>>,
    /// The thread that made the last step.
    thread: usize,
    is_full: bool,
}

struct Present {
    thread: usize,
    depth: usize,
    function: FunctionId,
    instr: usize,
    reads: Vec<u32>,
    writes: Vec<(u64, u64)>,
}

struct Activation {
    function: FunctionId,
    /// The call that began it.
    call: Option<u32>,
    /// The last execution of each conditional jump.
    jumps: BTreeMap<u32, u32>,
    /// Parameters that are still to be written by the call.
    n_params: usize,
}

impl<'a> Recorder<'a> {
    fn new(program: &'a Program) -> Recorder<'a> {
        Recorder {
            program,
            steps: Vec::new(),
            dependencies: Vec::new(),
            writers: BTreeMap::new(),
            begun: Vec::new(),
            present: None,
            threads: Vec::new(),
            returned: None,
            control: BTreeMap::new(),
            thread: 0,
            is_full: false,
        }
    }

    fn access(&mut self, access: &Access) {
        if self.is_full {
            return;
        }
        let Access { thread, depth, function, instr, address, size, .. } = *access;
        let end = address.saturating_add(size);
        let activation = self.activation(thread, depth, function);
        if access.kind == AccessKind::Write && activation.n_params > 0 {
            activation.n_params -= 1;
            if let Some(call) = activation.call {
                self.write(address, end, call);
            }
            return;
        }
        let same = self.present.as_ref().is_some_and(|present| {
            (present.thread, present.depth, present.instr) == (thread, depth, instr)
        });
        if !same {
            self.flush();
        }
        let reads = match access.kind {
            AccessKind::Read => self.writers_of(address, end),
            AccessKind::Write => Vec::new(),
        };
        let present = self.present.get_or_insert_with(|| Present {
            thread,
            depth,
            function,
            instr,
            reads: Vec::new(),
            writes: Vec::new(),
        });
        present.reads.extend(reads);
        if access.kind == AccessKind::Write {
            present.writes.push((address, end));
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        if self.is_full {
            return;
        }
        let Event { thread, depth, function, instr, .. } = *event;
        let same = self.present.as_ref().is_some_and(|present| {
            (present.thread, present.depth, present.instr) == (thread, depth, instr)
        });
        if !same {
            self.flush();
        }
        let present = self.present.take();
        let (mut depends, writes) = present.map_or_else(Default::default, |p| (p.reads, p.writes));
        let what = match &event.what {
            What::Assigned { place, value } => {
                let (place, value) = (*place, value.clone());
                let chosen = match event.kind {
                    InstrKind::Assign(_, from) => {
                        matches!(self.program.exprs.kind(*from), ExprKind::Nondet(_))
                    }
                    // A function without a body returns any value.
                    InstrKind::Call { .. } => self.returned.is_none(),
                    _ => false,
                };
                if matches!(event.kind, InstrKind::Call { .. }) {
                    depends.extend(self.returned.take());
                }
                if chosen {
                    StepKind::Input { place, value }
                } else {
                    StepKind::Assigned { place, value }
                }
            }
            What::Branched(taken) => StepKind::Branched(*taken),
            What::Called { callee, args } => {
                self.returned = None;
                StepKind::Called { callee: *callee, args: args.clone() }
            }
            What::Returned => StepKind::Returned,
            What::Freed(pointer) => StepKind::Freed(pointer.clone()),
        };
        let step = self.push(thread, depth, function, instr, event.span, what, depends);
        for (start, end) in writes {
            self.write(start, end, step);
        }
        match &event.what {
            What::Branched(_) => {
                let activation = self.activation(thread, depth, function);
                activation.jumps.insert(instr as u32, step);
            }
            What::Called { callee, .. } => {
                let n_params = self.program.functions[*callee].params.len();
                if self.program.functions[*callee].body.is_some() {
                    self.activation(thread, depth, function);
                    let call = Some(step);
                    let jumps = BTreeMap::new();
                    self.threads[thread].push(Activation {
                        function: *callee,
                        call,
                        jumps,
                        n_params,
                    });
                }
            }
            What::Returned => self.returned = Some(step),
            What::Assigned { .. } | What::Freed(_) => {}
        }
    }

    /// Ends an instruction of which only accesses were seen.
    fn flush(&mut self) {
        let Some(present) = self.present.take() else { return };
        let Present { thread, depth, function, instr, reads, writes } = present;
        let body = self.program.functions[function].body.as_deref().unwrap_or_default();
        let span = body.get(instr).map_or(Span::DUMMY, |instr| instr.span);
        let step = self.push(thread, depth, function, instr, span, StepKind::Checked, reads);
        for (start, end) in writes {
            self.write(start, end, step);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a step has that many parts")]
    fn push(
        &mut self,
        thread: usize,
        depth: usize,
        function: FunctionId,
        instr: usize,
        span: Span,
        what: StepKind,
        mut depends: Vec<u32>,
    ) -> u32 {
        let control = self.control_of(function);
        let activation = self.activation(thread, depth, function);
        let jumps = control.parents(instr).iter().filter_map(|jump| activation.jumps.get(jump));
        depends.extend(jumps.max().copied().or(activation.call));
        depends.sort_unstable();
        depends.dedup();
        self.steps.push(Step { thread, depth, function, instr, span, what, matters: false });
        self.dependencies.push(depends);
        self.is_full = self.steps.len() >= MOST_STEPS;
        self.steps.len() as u32 - 1
    }

    /// The activation of a function at a depth.
    fn activation(&mut self, thread: usize, depth: usize, function: FunctionId) -> &mut Activation {
        self.thread = thread;
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Vec::new);
        }
        let calls = &mut self.threads[thread];
        calls.truncate(depth);
        let new = || Activation { function, call: None, jumps: BTreeMap::new(), n_params: 0 };
        while calls.len() < depth.max(1) {
            calls.push(new());
        }
        let top = depth.max(1) - 1;
        if calls[top].function != function {
            calls[top] = new();
        }
        &mut calls[top]
    }

    fn control_of(&mut self, function: FunctionId) -> Rc<ControlDependence> {
        let program = self.program;
        let make = || {
            let function = &program.functions[function];
            let body = function.body.as_deref().unwrap_or_default();
            Rc::new(ControlDependence::of(body, function.n_labels))
        };
        Rc::clone(self.control.entry(function).or_insert_with(make))
    }

    /// Notes that a step wrote some bytes.
    fn write(&mut self, start: u64, end: u64, step: u32) {
        if start >= end {
            return;
        }
        if let Some((&first, &(last, writer))) = self.writers.range(..start).next_back()
            && last > start
        {
            self.writers.insert(first, (start, writer));
            if last > end {
                self.writers.insert(end, (last, writer));
            }
        }
        while let Some((&first, &(last, writer))) = self.writers.range(start..end).next() {
            self.writers.remove(&first);
            if last > end {
                self.writers.insert(end, (last, writer));
            }
        }
        self.writers.insert(start, (end, step));
    }

    /// The steps that wrote some bytes last.
    fn writers_of(&self, start: u64, end: u64) -> Vec<u32> {
        let before = self.writers.range(..start).next_back();
        let before = before.filter(|(_, (last, _))| *last > start).map(|(_, (_, step))| *step);
        let inside = self.writers.range(start..end.max(start)).map(|(_, (_, step))| *step);
        before.into_iter().chain(inside).collect()
    }

    /// Marks the steps at the places of an explanation as ones that matter: those that get the object first, and for each
    /// further place the first step after that.
    fn mark(&mut self, explanation: &Explanation) {
        let mut places = explanation.places.iter().map(|(span, _)| *span);
        let Some(birth) = places.next() else { return };
        let gets = |step: &Step| matches!(&step.what, StepKind::Assigned { value, .. } if *value == explanation.object);
        let mut from = 0;
        for (i, step) in self.steps.iter_mut().enumerate() {
            if step.span == birth && gets(step) {
                step.matters = true;
                from = i + 1;
            } else if from > 0 {
                break;
            }
        }
        for span in places {
            let program = self.program;
            let loses = |step: &Step| {
                step.span == span
                    && (explain::is_users_assignment(program, step)
                        || matches!(step.what, StepKind::Returned | StepKind::Freed(_)))
            };
            let Some(at) = self.steps[from..].iter().position(loses) else { return };
            self.steps[from + at].matters = true;
            from += at + 1;
        }
    }

    /// Ends the execution with the violation, which is about a heap object if that has a name, and marks what matters to it.
    fn finish(&mut self, position: &Position, claim: &Claim, object: &str) -> Execution {
        if self.threads.len() <= self.thread {
            return Execution::default();
        }
        let thread = self.thread;
        self.flush();
        self.thread = thread;
        let is_claim = |program: &Program, step: &Step| {
            let body = program.functions[step.function].body.as_deref().unwrap_or_default();
            let instr = body.get(step.instr).map(|instr| &instr.kind);
            step.thread == thread
                && step.span == position.span
                && matches!(instr, Some(InstrKind::Assert(..)))
        };
        if !self.steps.last().is_some_and(|step| is_claim(self.program, step)) {
            // The violated claim reads nothing, so that nobody has heard of its instruction: it stands in the
            // innermost call.
            let calls = &mut self.threads[self.thread];
            calls.truncate(position.stack.len());
            let depth = calls.len();
            let Some(function) = calls.last().map(|call| call.function) else {
                return Execution::default();
            };
            let body = self.program.functions[function].body.as_deref().unwrap_or_default();
            let instr = body
                .iter()
                .position(|i| i.span == position.span && matches!(i.kind, InstrKind::Assert(..)))
                .unwrap_or(0);
            let what = StepKind::Checked;
            self.push(self.thread, depth, function, instr, position.span, what, Vec::new());
        }
        let mut steps = std::mem::take(&mut self.steps);
        let Some(last) = steps.last_mut() else { return Execution::default() };
        last.what = StepKind::Violated;
        last.matters = true;
        // Whether memory is alive is no value that a step writes.
        if is_about_life(claim) {
            for step in &mut steps {
                step.matters |= matches!(&step.what, StepKind::Freed(pointer) if object.is_empty() || pointer == object);
            }
        }
        // Dependencies point backwards, so one pass is enough.
        for i in (0..steps.len()).rev() {
            if steps[i].matters {
                for &earlier in &self.dependencies[i] {
                    steps[earlier as usize].matters = true;
                }
            }
        }
        Execution { steps, ..Execution::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relevant instructions of `main` in the execution of a program that violates its claim without
    /// inputs.
    fn what_matters(text: &str) -> Vec<usize> {
        let program = vergo_goto::text::parse(text).unwrap();
        let budget = Budget::unlimited();
        let counterexample = Counterexample::replay(&program, Vec::new(), &budget).unwrap();
        let execution = counterexample.execution(&program, &budget);
        assert_eq!(execution.steps.last().map(|step| &step.what), Some(&StepKind::Violated));
        let main = program.entry.unwrap();
        let steps = execution.steps.iter().filter(|step| step.matters && step.function == main);
        steps.map(|step| step.instr).collect()
    }

    const LOCALS: &str =
        "local x: i32 align 4; local y: i32 align 4; local z: i32 align 4; decl x; decl y; decl z;";

    #[test]
    fn values_are_followed_and_overwritten_ones_forgotten() {
        // Instructions 0 to 2 are declarations.
        let text = format!(
            "entry main; function main: fn() -> void {{ {LOCALS}
             x := 1i32; y := 2i32; x := 3i32; z := x + 1i32; y := 9i32; assert z != 4i32 \"p\" \"d\"; end 0i32; }}"
        );
        assert_eq!(what_matters(&text), [5, 6, 8]);
    }

    #[test]
    fn a_jump_matters_to_what_it_decides() {
        // 6 decides whether 7 is executed; what 8 to 9 decide is over.
        let text = format!(
            "entry main; function main: fn() -> void labels 2 {{ {LOCALS}
             x := 0i32; y := 5i32; z := 0i32; if x == 1i32 goto L0; z := 1i32; L0:
             if y == 1i32 goto L1; y := 2i32; L1: assert z != 1i32 \"p\" \"d\"; end 0i32; }}"
        );
        assert_eq!(what_matters(&text), [3, 6, 7, 12]);
    }

    #[test]
    fn memory_is_followed_through_pointers() {
        let text = "entry main; function main: fn() -> void { local a: i32[4] align 4; local p: i32* align 8;
             decl a; decl p; a[0u64] := 1i32; p := &a[2u64]; *p := 7i32; a[3u64] := 8i32;
             assert a[2u64] != 7i32 \"p\" \"d\"; end 0i32; }";
        assert_eq!(what_matters(text), [3, 4, 6]);
    }

    #[test]
    fn calls_are_followed_by_parameter_and_result() {
        let text = "entry main;
             function f: fn(i32, i32) -> i32 { param n: i32 align 4; param m: i32 align 4; return n + 1i32; }
             function main: fn() -> void { local x: i32 align 4; local y: i32 align 4; decl x; decl y;
             x := 4i32; y := call f(x, 0i32); y := call f(y, x); assert y != 6i32 \"p\" \"d\"; end 0i32; }";
        // Each call is two steps: the call, and that its result is written.
        assert_eq!(what_matters(text), [2, 3, 3, 4, 4, 5]);
    }

    #[test]
    fn a_claim_that_is_false_depends_on_the_jumps_alone() {
        let text = format!(
            "entry main; function main: fn() -> void labels 1 {{ {LOCALS}
             x := 2i32; y := 1i32; if x != 2i32 goto L0; assert false \"p\" \"d\"; L0: end 0i32; }}"
        );
        assert_eq!(what_matters(&text), [3, 5, 6]);
    }
}

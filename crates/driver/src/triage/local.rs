//! A warning looked at in its own file: proofs that hold whoever calls, and executions that some caller can make.
//!
//! A proof is one of the abstraction by [private state](super::private): of the function that the warning is in; of it and
//! what it calls; or, if only functions of the file can call it, of each of those that do, from its beginning to the place.
//!
//! An execution begins in a function that other files can call, as the first thing that a program does, with arguments that are any
//! numbers and pointers to objects of the caller. It confirms a warning if what goes wrong does not rest on what the
//! caller gives: memory has run out, or a variable has no value. That some caller gets there is all that is said.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;
use vergo_cfront::ast::Quals;
use vergo_cfront::hir::{ExprId as HirExpr, ExprKind as HirKind, Function, Linkage, Unit};
use vergo_engines::{OnViolation, Progress};
use vergo_evidence::ClaimKey;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Callee, Exit, FunctionId, InitPart, Instr, InstrKind, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_lower::Pointers;
use vergo_passes::properties::PropertyId;
use vergo_source::SourceMap;

use super::private::{Knowledge, reduce};
use super::{
    Fate, Kind, TriageRequest, UNDEFINED, Warning, assume_others, covers, judge, meant, same_file,
    specification,
};
use crate::check::{Answer, Change, CheckRequest, Slicing, check_changed, load};
use crate::input::Input;
use crate::job::Job;

/// The values that the arguments of a caller that is made up have room for.
const ROOM: u64 = 16;

/// The largest number of functions from which one that only they call is looked at.
const MAX_CALLERS: usize = 12;

/// The functions that fail for reasons that nobody in the program knows.
const FAILING: &[&str] = &[
    "malloc",
    "__vergo_malloc",
    "calloc",
    "__vergo_calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "strdup",
    "strndup",
    "fopen",
    "fdopen",
    "freopen",
    "popen",
    "tmpfile",
    "opendir",
];

/// A warning in its file.
pub(super) struct Local<'a> {
    job: &'a Job,
    input: Input,
    warning: &'a Warning,
    kind: Kind,
    request: &'a TriageRequest,
    knowledge: Knowledge,
    /// The function that the warning is in.
    function: String,
    unit: Unit,
}

impl<'a> Local<'a> {
    /// The warning in its file, if it is in a function of one.
    pub(super) fn new(
        job: &'a Job,
        files: &[Input],
        warning: &'a Warning,
        kind: Kind,
        request: &'a TriageRequest,
    ) -> Option<Local<'a>> {
        let input = files.iter().find(|file| same_file(&file.name(), &warning.file))?.clone();
        let mut own = Job::new(job.model, job.cpp.clone());
        let unit = own.analyze(&input).ok()?;
        let name = |function: &Function| unit.names.name(function.name).to_owned();
        let function = unit.functions.values().find(|function| {
            let span = function.definition_span.filter(|_| function.body.is_some());
            span.is_some_and(|span| covers(&own.map, span, warning))
        });
        let function = name(function?);
        // What returns twice is not what this is about.
        let twice = ["setjmp", "vfork", "getcontext"];
        let returns_twice = unit.functions.values().any(|function| {
            let name = unit.names.name(function.name);
            twice.iter().any(|word| name.contains(word))
        });
        if returns_twice && unit.exprs.values().any(|expr| is_one_of(&unit, expr.kind, &twice)) {
            return None;
        }
        let noreturn = unit.functions.values().filter(|f| f.noreturn).map(name).collect();
        let has_volatile = unit.exprs.values().any(|expr| expr.ty.quals().has(Quals::VOLATILE));
        let knowledge = Knowledge { noreturn, has_volatile };
        Some(Local { job, input, warning, kind, request, knowledge, function, unit })
    }

    /// A proof that the warning is wrong whoever calls.
    pub(super) fn refute(&self, until: Instant) -> Option<String> {
        let function = self.function.as_str();
        let share = until.saturating_duration_since(Instant::now()) / 4;
        let alone = self.prove(function, &[function], false, share);
        alone.or_else(|| self.prove(function, &[function], true, share)).or_else(|| {
            let program = self.program()?;
            self.for_callers(&program, &[function], until, &mut 0)
        })
    }

    /// A proof for each function that calls the first of a chain of calls to the warning's.
    fn for_callers(
        &self,
        program: &Program,
        chain: &[&str],
        until: Instant,
        n_tried: &mut usize,
    ) -> Option<String> {
        let callers = self.callers(program, chain[0])?;
        let mut proof = None;
        for caller in &callers {
            *n_tried += 1;
            let left = until.saturating_duration_since(Instant::now());
            if *n_tried > MAX_CALLERS || left.is_zero() || chain.contains(&caller.as_str()) {
                return None;
            }
            let mut longer = vec![caller.as_str()];
            longer.extend(chain);
            let found = self.prove(caller, &longer, false, left / 4);
            let found = found.or_else(|| self.prove(caller, &longer, true, left / 4));
            let deeper = chain.len() < 3;
            proof = Some(match found {
                Some(found) => found,
                None if deeper => self.for_callers(program, &longer, until, n_tried)?,
                None => return None,
            });
        }
        proof
    }

    /// Proves the claims for any call of a function.
    fn prove(&self, entry: &str, chain: &[&str], keep: bool, time: Duration) -> Option<String> {
        let mut own = Job::new(self.job.model, self.job.cpp.clone());
        let mut check = self.check(entry, time);
        // That is what the abstraction is for.
        check.allow.push("outside-pointers".to_owned());
        check.on_violation = OnViolation::Stop;
        let done = Cell::new(false);
        let act = |map: &SourceMap, program: &mut Program| {
            let meant = meant(map, program, self.kind, self.warning);
            let is_meant = |key: &ClaimKey| meant.contains(key);
            // Too many programs have arrays of one element at the end of structures that are longer than they say.
            let is_undefined = |property: &str| {
                UNDEFINED
                    .iter()
                    .any(|&id| id != PropertyId::MemoryIndex && id.info().id == property)
            };
            done.set(
                !meant.is_empty()
                    && reduce(program, chain, keep, &self.knowledge, &is_meant, &is_undefined),
            );
            if !done.get() {
                stop(program);
            }
        };
        let change = Change { act: Some(&act), ..Change::default() };
        let inputs = std::slice::from_ref(&self.input);
        let quiet = |_: Progress| {};
        let report = check_changed(&mut own, inputs, &check, &change, None, &quiet).ok()?;
        let proved = done.get() && matches!(report.answer, Answer::True);
        (proved && !report.claims.is_empty()).then(|| report.proof().unwrap_or_default())
    }

    fn check(&self, entry: &str, time: Duration) -> CheckRequest {
        let mut check = self.request.check.clone();
        check.entry = Some(entry.to_owned());
        check.malloc_may_fail = true;
        check.slicing = Slicing::Always;
        check.specification = specification(self.kind, true);
        check.timeout = Some(time);
        check
    }

    /// The program of the file as it is written.
    fn program(&self) -> Option<Program> {
        let mut own = Job::new(self.job.model, self.job.cpp.clone());
        let check = self.check(&self.function, Duration::MAX);
        load(&mut own, std::slice::from_ref(&self.input), &check).ok()
    }

    /// The functions that call a function, if only these can.
    fn callers(&self, program: &Program, name: &str) -> Option<Vec<String>> {
        let unit = &self.unit;
        let mut named = unit.functions.values().filter(|f| unit.names.name(f.name) == name);
        let function = named.next().filter(|_| named.next().is_none())?;
        let others = unit.functions.values().any(|f| f.alias == Some(function.name))
            || unit.vars.values().any(|var| var.cleanup.is_some());
        let only_here = function.linkage == Linkage::Internal
            && function.constructor.is_none()
            && function.destructor.is_none()
            && function.nested.is_none()
            && unit.asms.is_empty();
        // All that is written has to be in the program.
        let is_whole = unit.functions.values().filter(|f| f.body.is_some()).all(|f| {
            let name = unit.names.name(f.name);
            f.inline_only
                || program.functions.values().any(|g| g.display == name && g.body.is_some())
        });
        if !only_here || others || !is_whole {
            return None;
        }
        let (id, _) = program.functions.iter().find(|(_, f)| f.display == name)?;
        // What is given to a function that is not there is not in the program.
        let is_it = |expr: HirExpr| match unit.exprs[expr].kind {
            HirKind::Function(func) => unit.names.name(unit.functions[func].name) == name,
            _ => false,
        };
        let n_named = unit.exprs.keys().filter(|&expr| is_it(expr)).count();
        let calls_it = |kind: HirKind| matches!(kind, HirKind::Call(callee, _) if is_it(callee));
        let n_calls = unit.exprs.values().filter(|expr| calls_it(expr.kind)).count();
        let instrs = program.functions.values().flat_map(|f| f.body.iter().flatten());
        let n_followed = instrs.filter(|instr| calls(&instr.kind, id)).count();
        if n_named != n_calls || n_followed < n_calls || is_pointed_to(program, id) {
            return None;
        }
        let callers: BTreeSet<FunctionId> = program
            .functions
            .iter()
            .filter(|(_, f)| f.name != "__vergo_start")
            .filter(|(_, f)| f.body.iter().flatten().any(|instr| calls(&instr.kind, id)))
            .map(|(caller, _)| caller)
            .collect();
        let names: Vec<String> =
            callers.into_iter().map(|caller| program.functions[caller].display.clone()).collect();
        (!names.is_empty()).then_some(names)
    }

    /// An execution in which the warning is right for some caller, with its steps.
    pub(super) fn confirm(&self, until: Instant) -> Option<(Fate, Option<Value>)> {
        let program = self.program()?;
        for entry in self.entries(&program) {
            let left = until.saturating_duration_since(Instant::now());
            if let Some(found) = self.find(&entry, left / 2) {
                return Some(found);
            }
        }
        None
    }

    /// The functions that other files can call and by which the warning's can be reached.
    fn entries(&self, program: &Program) -> Vec<String> {
        let is_external = |name: &str| {
            let mut functions = self.unit.functions.values();
            functions
                .any(|f| self.unit.names.name(f.name) == name && f.linkage == Linkage::External)
        };
        let mut found = Vec::new();
        let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
        let mut pending: Vec<FunctionId> = program
            .functions
            .iter()
            .filter(|(_, f)| f.display == self.function && !f.library)
            .map(|(id, _)| id)
            .collect();
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            let name = &program.functions[id].display;
            if is_external(name) {
                found.push(name.clone());
                continue;
            }
            let callers = program.functions.iter().filter(|(_, f)| {
                !f.library && f.body.iter().flatten().any(|instr| calls(&instr.kind, id))
            });
            pending.extend(callers.map(|(caller, _)| caller));
        }
        found.truncate(3);
        found
    }

    /// An execution from a function that goes wrong where the warning says.
    fn find(&self, entry: &str, time: Duration) -> Option<(Fate, Option<Value>)> {
        let mut own = Job::new(self.job.model, self.job.cpp.clone());
        let mut check = self.check(entry, time);
        check.proof.pointers = Pointers::Valid(ROOM);
        check.on_violation = OnViolation::Stop;
        let act = |map: &SourceMap, program: &mut Program| {
            let meant = meant(map, program, self.kind, self.warning);
            let rests = meant.is_empty() || rests_on_outside(program, &meant);
            if rests {
                return stop(program);
            }
            assume_others(program, |key| meant.contains(key));
            // What others do is not made up.
            let never = program.bool(false);
            for function in program.functions.values_mut() {
                for instr in function.body.iter_mut().flatten() {
                    if let InstrKind::Assert(_, claim) = &instr.kind
                        && !meant.contains(&ClaimKey::new(claim, instr.span))
                    {
                        instr.kind = match claim.property.as_str() {
                            "call.no-body" => InstrKind::Assume(never),
                            _ => InstrKind::Skip,
                        };
                    }
                }
            }
        };
        let change = Change { act: Some(&act), ..Change::default() };
        let inputs = std::slice::from_ref(&self.input);
        let quiet = |_: Progress| {};
        let report = check_changed(&mut own, inputs, &check, &change, None, &quiet).ok()?;
        let (fate, flows) = judge(&own.map, &report, false, &|_| true);
        match fate {
            // Nobody else calls `main`.
            Fate::Confirmed(why) if entry == "main" => Some((Fate::Confirmed(why), flows)),
            Fate::Confirmed(why) => {
                let why = format!("for some caller of `{entry}`, {why}");
                Some((Fate::Confirmed(why), flows))
            }
            _ => None,
        }
    }
}

fn is_one_of(unit: &Unit, kind: HirKind, words: &[&str]) -> bool {
    let HirKind::Function(function) = kind else { return false };
    let name = unit.names.name(unit.functions[function].name);
    words.iter().any(|word| name.contains(word))
}

/// Leaves nothing of a program, so that nothing is decided.
fn stop(program: &mut Program) {
    let Some(start) = program.entry else { return };
    let mut out = FunctionBuilder::new();
    out.set_span(program.functions[start].span);
    out.end(Exit::Abort);
    out.finish(program, start);
    for (id, function) in program.functions.iter_mut() {
        if id != start {
            function.body = None;
        }
    }
}

fn calls(kind: &InstrKind, function: FunctionId) -> bool {
    matches!(kind, InstrKind::Call { callee: Callee::Direct(callee), .. }
        | InstrKind::Spawn { callee: Callee::Direct(callee), .. } if *callee == function)
}

/// Returns whether a program has the address of a function, or starts threads with it.
fn is_pointed_to(program: &Program, function: FunctionId) -> bool {
    let names = |expr: ExprId| {
        let mut found = false;
        program.for_each_subexpr(expr, |part| {
            found |= matches!(program.exprs.kind(part), ExprKind::Function(f) if *f == function);
        });
        found
    };
    let in_code = program.functions.values().flat_map(|f| f.body.iter().flatten()).any(|instr| {
        let mut found = matches!(instr.kind, InstrKind::Spawn { callee: Callee::Direct(callee), .. }
            if callee == function);
        instr.kind.for_each_expr(|expr, _| found |= names(expr));
        found
    });
    in_code
        || program.symbols.values().any(|symbol| match &symbol.kind {
            SymbolKind::Static { init: StaticInit::Data(parts), .. } => parts
                .iter()
                .any(|part| matches!(part, InitPart::Value { value, .. } if names(*value))),
            _ => false,
        })
}

/// Returns whether claims depend on values from elsewhere than the functions they are in: arguments, memory, static variables, what
/// others return other than that they have failed.
fn rests_on_outside(program: &Program, meant: &BTreeSet<ClaimKey>) -> bool {
    program.functions.iter().any(|(id, function)| {
        function.body.iter().flatten().enumerate().any(|(at, instr)| match &instr.kind {
            InstrKind::Assert(condition, claim) => {
                meant.contains(&ClaimKey::new(claim, instr.span))
                    && depends_on_outside(program, id, at, *condition)
            }
            _ => false,
        })
    })
}

fn depends_on_outside(
    program: &Program,
    function: FunctionId,
    at: usize,
    condition: ExprId,
) -> bool {
    let body = program.functions[function].body.as_deref().unwrap_or_default();
    let mut seen: BTreeSet<SymbolId> = BTreeSet::new();
    let mut pending = vec![condition];
    // What the condition reads from memory counts as what was written there just before.
    if let ExprKind::Binary(BinaryOp::Ne, place, _) = *program.exprs.kind(condition)
        && let Some(value) = written_before(program, &body[..at], place)
    {
        pending = vec![value];
    }
    while let Some(expr) = pending.pop() {
        let Some(variables) = inside(program, function, expr) else { return true };
        for variable in variables {
            if !seen.insert(variable) {
                continue;
            }
            for instr in body {
                let is_it = |place: ExprId| program.root_variable(place) == Some(variable);
                match &instr.kind {
                    InstrKind::Assign(place, value) if is_it(*place) => pending.push(*value),
                    InstrKind::Call { dest: Some(dest), callee, .. } if is_it(*dest) => {
                        let fails = matches!(callee, Callee::Direct(callee)
                            if program.functions[*callee].library
                                && FAILING.contains(&program.functions[*callee].display.as_str()));
                        if !fails {
                            return true;
                        }
                    }
                    InstrKind::Spawn { dest: Some(dest), .. }
                    | InstrKind::Join { dest: Some(dest), .. }
                    | InstrKind::Intrinsic { dest: Some(dest), .. }
                        if is_it(*dest) =>
                    {
                        return true;
                    }
                    _ => {}
                }
            }
        }
    }
    false
}

/// The value that a place in memory has at the end of a list of instructions, if no jump leads into what comes after it was
/// written and nothing is written or called there.
fn written_before(program: &Program, before: &[Instr], place: ExprId) -> Option<ExprId> {
    if !program.is_place(place) || program.root_variable(place).is_some() {
        return None;
    }
    for instr in before.iter().rev() {
        match &instr.kind {
            InstrKind::Assign(to, value) if *to == place => return Some(*value),
            InstrKind::Skip
            | InstrKind::Assert(..)
            | InstrKind::Assume(_)
            | InstrKind::Goto(Some(_), _)
            | InstrKind::Dead(_)
            | InstrKind::Decl(_) => {}
            _ => return None,
        }
    }
    None
}

/// The variables of a function whose values an expression depends on; nothing if it depends on more than these.
fn inside(program: &Program, function: FunctionId, expr: ExprId) -> Option<Vec<SymbolId>> {
    let mut found = Vec::new();
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        let kind = program.exprs.kind(expr);
        match kind {
            ExprKind::Symbol(variable) => match program.symbols[*variable].kind {
                SymbolKind::Local(of) if of == function => found.push(*variable),
                _ => return None,
            },
            ExprKind::Nondet(_) | ExprKind::Deref(_) => return None,
            // Whether a variable has a value does not depend on which.
            ExprKind::Memory(MemoryOp::IsInitialized, operands) => {
                let ExprKind::AddressOf(place) = *program.exprs.kind(operands[0]) else {
                    return None;
                };
                match program.exprs.kind(place) {
                    ExprKind::Symbol(variable)
                        if matches!(program.symbols[*variable].kind, SymbolKind::Local(_)) => {}
                    _ => return None,
                }
            }
            ExprKind::Memory(..) | ExprKind::AddressOf(_) => return None,
            _ => kind.for_each_child(|child| pending.push(child)),
        }
    }
    Some(found)
}

//! Checks that a program with few variables does all that another does ([`vergo_passes::localise`]).
//!
//! The two programs are walked side by side. Some variables of the program are *kept*: they must be scalars whose address
//! nobody takes, so that only instructions that name them change them. The other program has variables of *its own*, which
//! hold any value. For each instruction of the program the other must have one that allows at least the same: values are
//! the same expressions over kept variables, or its own variables; what changes a kept variable changes it in the same
//! way, or gives it any value; assumptions may be missing, claims and jumps may not. A function without a body in the
//! other program must not claim anything or change kept variables, nor call one that does.
//!
//! Nothing is shared with the code that makes the other program. What calls through pointers can reach is the answer of
//! points-to analysis.

use std::collections::BTreeSet;
use vergo_analysis::points_to::PointsTo;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, Function, FunctionId, Instr, InstrKind, LabelId, Program, SymbolId, SymbolKind,
};
use vergo_goto::types::Type;

/// Checks that every execution of a program is one of a weaker program, as far as claims and kept variables are concerned.
///
/// # Errors
/// Where the weaker program does less.
pub(crate) fn check(
    program: &Program,
    weaker: &Program,
    kept: &BTreeSet<SymbolId>,
) -> Result<(), String> {
    let pair = Pair { program, weaker, kept, points_to: PointsTo::of(program) };
    pair.tables()?;
    for id in pair.reachable() {
        let function = &program.functions[id];
        let Some(body) = &function.body else { continue };
        let walked = match &weaker.functions[id].body {
            Some(other) => pair.body(function, body, other),
            None => pair.dropped(body),
        };
        walked.map_err(|what| format!("{}: {what}", function.name))?;
    }
    Ok(())
}

struct Pair<'a> {
    program: &'a Program,
    weaker: &'a Program,
    kept: &'a BTreeSet<SymbolId>,
    points_to: PointsTo,
}

/// The instructions of the weaker program that are still to be walked over.
struct Rest<'a> {
    instrs: &'a [Instr],
    /// Its own variables that have just got any value, which nobody has looked at.
    fresh: BTreeSet<SymbolId>,
    /// Labels from this number on are the weaker program's own.
    first_own: u32,
}

type Walk<T = ()> = Result<T, String>;

fn refuse<T>(what: impl Into<String>) -> Walk<T> {
    Err(what.into())
}

impl Pair<'_> {
    /// Names mean the same in both programs, kept variables begin with the same values, and nothing changes them unseen.
    fn tables(&self) -> Walk {
        let (program, weaker) = (self.program, self.weaker);
        let exprs = program.exprs.iter().zip(weaker.exprs.iter());
        if program.entry.is_none()
            || program.entry != weaker.entry
            || program.machine != weaker.machine
            || program.exprs.len() > weaker.exprs.len()
            || exprs.into_iter().any(|((_, a), (_, b))| a != b)
        {
            return refuse("the programs do not have the same expressions");
        }
        if let Err(errors) = vergo_goto::verify::verify(weaker) {
            return refuse(format!("the weaker program is none: {errors:?}"));
        }
        if program.functions.len() != weaker.functions.len() {
            return refuse("the programs do not have the same functions");
        }
        for (id, function) in program.functions.iter() {
            let other = &weaker.functions[id];
            if function.ty != other.ty || function.params != other.params {
                return refuse(format!("{} is another function", function.name));
            }
        }
        for &symbol in self.kept {
            let Some(info) = program.symbols.get(symbol) else { return refuse("no such variable") };
            let other = &weaker.symbols[symbol];
            if info.ty != other.ty || info.kind != other.kind {
                return refuse(format!("{} is another variable", info.name));
            }
            if !matches!(program.types.get(info.ty), Type::Bool | Type::Int { .. } | Type::Ptr(_)) {
                return refuse(format!("{} is no scalar", info.name));
            }
        }
        for (_, expr) in program.exprs.iter() {
            if let ExprKind::AddressOf(place) = expr.kind
                && let Some(symbol) = program.root_variable(place)
                && self.kept.contains(&symbol)
            {
                return refuse(format!("{} has an address", program.symbols[symbol].name));
            }
        }
        Ok(())
    }

    /// The functions that the program can call.
    fn reachable(&self) -> BTreeSet<FunctionId> {
        let mut reachable = BTreeSet::new();
        let mut pending: Vec<FunctionId> = self.program.entry.into_iter().collect();
        while let Some(function) = pending.pop() {
            if !reachable.insert(function) {
                continue;
            }
            for instr in self.program.functions[function].body.iter().flatten() {
                match instr.kind {
                    InstrKind::Call { callee: Callee::Direct(function), .. } => {
                        pending.push(function)
                    }
                    InstrKind::Call { callee: Callee::Indirect(pointer), .. } => {
                        pending.extend(self.points_to.callees(pointer));
                    }
                    _ => {}
                }
            }
        }
        reachable
    }

    /// The functions that a call can be of; they must be called as the call does.
    fn callees(&self, callee: Callee) -> Walk<Vec<FunctionId>> {
        let program = self.program;
        let pointer = match callee {
            Callee::Direct(function) => return Ok(vec![function]),
            Callee::Indirect(pointer) => pointer,
        };
        let callees = self.points_to.callees(pointer);
        let called = program.pointee(program.exprs.ty(pointer));
        let alike = |&function: &FunctionId| {
            called.is_some_and(|called| {
                program.is_called_alike(program.functions[function].ty, called)
            })
        };
        match callees.iter().all(alike) {
            true => Ok(callees),
            false => refuse("a call through a pointer of another type"),
        }
    }

    /// Checks whether the weaker program calls nothing where the program calls this.
    fn is_dropped(&self, function: FunctionId) -> bool {
        self.weaker.functions[function].body.is_none()
    }

    /// Nothing in a function matters that the weaker program does not call.
    fn dropped(&self, body: &[Instr]) -> Walk {
        for instr in body {
            match &instr.kind {
                InstrKind::Assert(..)
                | InstrKind::Unsupported(_)
                | InstrKind::Spawn { .. }
                | InstrKind::Join { .. } => return refuse("a claim is missing"),
                InstrKind::Intrinsic { op, .. } if op.is_for_runs() => {
                    return refuse("what only runs do is missing");
                }
                InstrKind::Call { callee, .. } => {
                    let callees = self.callees(*callee)?;
                    if !callees.iter().all(|&callee| self.is_dropped(callee)) {
                        return refuse("a call is missing");
                    }
                }
                _ => {}
            }
            // Kept variables of the function itself are not there, either.
            if let Some(symbol) = self.changed(&instr.kind)?
                && let SymbolKind::Static { .. } = self.program.symbols[symbol].kind
            {
                return refuse("a change of a kept variable is missing");
            }
        }
        Ok(())
    }

    /// The kept variable that an instruction gives a value.
    fn changed(&self, kind: &InstrKind) -> Walk<Option<SymbolId>> {
        let place = match kind {
            InstrKind::Assign(place, _) | InstrKind::Alloc { dest: place, .. } => Some(*place),
            InstrKind::Call { dest, .. } | InstrKind::Intrinsic { dest, .. } => *dest,
            _ => None,
        };
        let Some(place) = place else { return Ok(None) };
        let Some(symbol) = self.program.root_variable(place) else { return Ok(None) };
        match *self.program.exprs.kind(place) {
            _ if !self.kept.contains(&symbol) => Ok(None),
            ExprKind::Symbol(_) => Ok(Some(symbol)),
            _ => refuse("part of a kept variable is changed"),
        }
    }

    fn body(&self, function: &Function, body: &[Instr], other: &[Instr]) -> Walk {
        let mut rest = Rest { instrs: other, fresh: BTreeSet::new(), first_own: function.n_labels };
        for instr in body {
            rest.fresh.clear();
            self.step(&instr.kind, &mut rest)?;
        }
        match rest.instrs {
            [] => Ok(()),
            _ => refuse("there is more than the program does"),
        }
    }

    /// An instruction of the program, and what the weaker one does for it.
    fn step(&self, kind: &InstrKind, rest: &mut Rest<'_>) -> Walk {
        if matches!(kind, InstrKind::Spawn { .. } | InstrKind::Join { .. }) {
            return refuse("there are threads");
        }
        if let InstrKind::Call { callee, args, .. } = kind {
            let dest = self.changed(kind)?;
            return self.call(dest, *callee, args, rest);
        }
        match (kind, self.changed(kind)?) {
            (InstrKind::Assign(_, value), Some(symbol)) => {
                let (to, other) = self.next_assignment(rest)?;
                let same = other == *value && self.is_local(other);
                if to != symbol || !(same || self.is_nondet(other)) {
                    return refuse("a kept variable gets another value");
                }
                return Ok(());
            }
            (_, Some(symbol)) => return self.forgets(symbol, rest),
            (_, None) => {}
        }
        let is_needed = match kind {
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Goto(..)
            | InstrKind::Assert(..)
            | InstrKind::Return(_)
            | InstrKind::End(_)
            | InstrKind::Unsupported(_) => true,
            InstrKind::Intrinsic { op, .. } => op.is_for_runs(),
            // That a variable lives again is that it has any value again.
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => self.kept.contains(symbol),
            InstrKind::Assume(cond) => {
                let has = rest.instrs.first().map(|instr| &instr.kind);
                matches!(has, Some(InstrKind::Assume(other)) if other == cond)
            }
            _ => false,
        };
        if !is_needed {
            return Ok(());
        }
        self.own_values(rest);
        let other = rest.take()?;
        let agrees = match (kind, other) {
            (InstrKind::Goto(Some(a), to), InstrKind::Goto(Some(b), other)) => {
                to == other && self.is_value(*a, *b, rest)
            }
            (InstrKind::Assert(a, claim), InstrKind::Assert(b, other)) => {
                claim == other && self.is_value(*a, *b, rest)
            }
            (InstrKind::Return(Some(a)), InstrKind::Return(Some(b))) => {
                // Nobody keeps a result that is no scalar.
                let ty = self.program.types.get(self.program.exprs.ty(*a));
                let is_kept = matches!(ty, Type::Bool | Type::Int { .. } | Type::Ptr(_));
                !is_kept || self.is_value(*a, *b, rest)
            }
            (InstrKind::Assume(a), InstrKind::Assume(_)) => self.is_local(*a),
            (InstrKind::End(_), InstrKind::End(_)) => true,
            (InstrKind::Unsupported(_), InstrKind::Unsupported(_)) => true,
            (a, b) => a == b,
        };
        if agrees { Ok(()) } else { refuse(format!("{other:?} stands for {kind:?}")) }
    }

    /// Returns the weaker program's counterpart of a call: nothing, a call, or a call of some of the functions behind
    /// branches that may skip them.
    fn call(
        &self,
        dest: Option<SymbolId>,
        callee: Callee,
        args: &[ExprId],
        rest: &mut Rest<'_>,
    ) -> Walk {
        let callees = match self.callees(callee) {
            Ok(callees) => callees,
            Err(why) => {
                return match rest.take()? {
                    InstrKind::Unsupported(_) => Ok(()),
                    _ => Err(why),
                };
            }
        };
        let mut missing: BTreeSet<FunctionId> =
            callees.into_iter().filter(|&function| !self.is_dropped(function)).collect();
        if let (Callee::Direct(function), false) = (callee, missing.is_empty()) {
            return self.called(dest, function, args, rest);
        }
        if missing.is_empty() {
            return dest.map_or(Ok(()), |symbol| self.forgets(symbol, rest));
        }
        let mut done: Option<LabelId> = None;
        while !missing.is_empty() {
            self.own_values(rest);
            let next = match rest.take()? {
                InstrKind::Goto(Some(cond), next) if self.is_any(*cond, rest) => *next,
                _ => return refuse("a call is not behind a branch of its own"),
            };
            let function = self.arm(dest, args, rest)?;
            missing.remove(&function);
            match rest.take()? {
                InstrKind::Goto(None, to) if done.is_none_or(|done| done == *to) => {
                    done = Some(*to)
                }
                _ => return refuse("calls do not end at one place"),
            }
            if !matches!(rest.take()?, InstrKind::Label(label) if *label == next) {
                return refuse("a call cannot be skipped");
            }
            if next.as_u32() < rest.first_own || done.is_some_and(|l| l.as_u32() < rest.first_own) {
                return refuse("a label of the program is used again");
            }
        }
        if let Some(symbol) = dest {
            self.forgets(symbol, rest)?;
        }
        match rest.take()? {
            InstrKind::Label(label) if Some(*label) == done => Ok(()),
            _ => refuse("calls do not end where they should"),
        }
    }

    /// One of several functions that may be called.
    fn arm(
        &self,
        dest: Option<SymbolId>,
        args: &[ExprId],
        rest: &mut Rest<'_>,
    ) -> Walk<FunctionId> {
        self.own_values(rest);
        let next = rest.instrs.first().map(|instr| &instr.kind);
        let Some(InstrKind::Call { callee: Callee::Direct(function), .. }) = next else {
            return refuse("a call is missing");
        };
        let function = *function;
        self.called(dest, function, args, rest)?;
        Ok(function)
    }

    /// A call of a function: kept parameters get their arguments or any value, and so does a kept result.
    fn called(
        &self,
        dest: Option<SymbolId>,
        function: FunctionId,
        args: &[ExprId],
        rest: &mut Rest<'_>,
    ) -> Walk {
        self.own_values(rest);
        let InstrKind::Call { dest: other_dest, callee, args: other_args } = rest.take()? else {
            return refuse("a call is missing");
        };
        let params = &self.program.functions[function].params;
        if *callee != Callee::Direct(function) || other_args.len() != params.len() {
            return refuse("another function is called");
        }
        for (i, (param, &other)) in params.iter().zip(other_args).enumerate() {
            let is_value = match args.get(i) {
                _ if !self.kept.contains(param) => self.is_local(other),
                Some(&arg) => self.is_value(arg, other, rest),
                None => self.is_any(other, rest),
            };
            if !is_value {
                return refuse("an argument is another one");
            }
        }
        let other = match other_dest.map(|place| self.weaker.exprs.kind(place)) {
            None => None,
            Some(ExprKind::Symbol(symbol)) => Some(*symbol),
            Some(_) => return refuse("a result goes elsewhere"),
        };
        match (dest, other) {
            (Some(symbol), None) => self.forgets(symbol, rest),
            (dest, other) if dest == other => Ok(()),
            _ => refuse("a result goes elsewhere"),
        }
    }

    /// The next instruction gives a variable any value.
    fn forgets(&self, symbol: SymbolId, rest: &mut Rest<'_>) -> Walk {
        match self.next_assignment(rest)? {
            (to, value) if to == symbol && self.is_nondet(value) => Ok(()),
            _ => refuse("a kept variable keeps its value"),
        }
    }

    fn next_assignment(&self, rest: &mut Rest<'_>) -> Walk<(SymbolId, ExprId)> {
        match rest.take()? {
            InstrKind::Assign(place, value) => match *self.weaker.exprs.kind(*place) {
                ExprKind::Symbol(symbol) => Ok((symbol, *value)),
                _ => refuse("memory is written"),
            },
            _ => refuse("an assignment is missing"),
        }
    }

    /// Passes over instructions that give the weaker program's own variables any values.
    fn own_values(&self, rest: &mut Rest<'_>) {
        while let Some((first, others)) = rest.instrs.split_first() {
            match first.kind {
                InstrKind::Decl(symbol) if self.program.symbols.get(symbol).is_none() => {}
                InstrKind::Assign(place, value) if self.is_nondet(value) => {
                    match self.own(place) {
                        Some(symbol) => rest.fresh.insert(symbol),
                        None => return,
                    };
                }
                _ => return,
            }
            rest.instrs = others;
        }
    }

    /// The variable that an expression is, if it is one of the weaker program's own.
    fn own(&self, expr: ExprId) -> Option<SymbolId> {
        match *self.weaker.exprs.kind(expr) {
            ExprKind::Symbol(symbol) if self.program.symbols.get(symbol).is_none() => Some(symbol),
            _ => None,
        }
    }

    /// Checks whether an expression can have any value of its type, whatever else has: a variable that has just got one,
    /// and that is read here only.
    fn is_any(&self, expr: ExprId, rest: &mut Rest<'_>) -> bool {
        self.own(expr).is_some_and(|symbol| rest.fresh.remove(&symbol))
    }

    fn is_nondet(&self, expr: ExprId) -> bool {
        matches!(self.weaker.exprs.kind(expr), ExprKind::Nondet(_))
    }

    /// Checks whether a value of the weaker program stands for one of the program: it is the same, or any.
    fn is_value(&self, value: ExprId, other: ExprId, rest: &mut Rest<'_>) -> bool {
        value == other && self.is_local(value) || self.is_any(other, rest)
    }

    /// Checks whether an expression reads nothing but kept variables, and no memory. Addresses of local variables are not
    /// the same in each activation, so only those of static ones count.
    fn is_local(&self, expr: ExprId) -> bool {
        let mut is_local = true;
        let mut pending = vec![(expr, false)];
        while let Some((expr, is_place)) = pending.pop() {
            match *self.weaker.exprs.kind(expr) {
                ExprKind::Symbol(symbol) if is_place => {
                    let kind = &self.weaker.symbols[symbol].kind;
                    is_local &= matches!(kind, SymbolKind::Static { thread_local: false, .. });
                }
                ExprKind::Symbol(symbol) => is_local &= self.kept.contains(&symbol),
                ExprKind::Bool(_)
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Zero
                | ExprKind::Function(_) => {}
                ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => pending.push((a, false)),
                ExprKind::Binary(_, a, b) => pending.extend([(a, false), (b, false)]),
                ExprKind::Ite(a, b, c) => pending.extend([(a, false), (b, false), (c, false)]),
                ExprKind::AddressOf(place) => pending.push((place, true)),
                ExprKind::Deref(pointer) if is_place => pending.push((pointer, false)),
                ExprKind::Member(base, _) if is_place => pending.push((base, true)),
                ExprKind::Index(base, index) if is_place => {
                    pending.extend([(base, true), (index, false)]);
                }
                _ => return false,
            }
        }
        is_local
    }
}

impl<'a> Rest<'a> {
    fn take(&mut self) -> Walk<&'a InstrKind> {
        let Some((first, rest)) = self.instrs.split_first() else {
            return refuse("the function ends before the program's");
        };
        self.instrs = rest;
        Ok(&first.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::sample;
    use vergo_passes::localise::Localiser;

    /// A lock whose state is `held`, memory that has nothing to do with it, and a function that neither matters.
    const LOCK: &str = "entry main;
        static held: i32 align 4; static other: i32 align 4;
        function lock: fn() -> void labels 1 {
            if held == 0i32 goto L0; assert false \"reach.error\" \"locked twice\";
            L0: held := 1i32; return; }
        function unlock: fn() -> void labels 0 { held := 0i32; return; }
        function work: fn(i32*) -> i32 labels 0 {
            param p: i32* align 8; *p := *p + 1i32; return *p; }
        function main: fn() -> void labels 2 {
            local n: i32 align 4; decl n;
            L0: call lock(); n := call work(&other); if n == 7i32 goto L1; call unlock(); goto L0;
            L1: end 0i32; }";

    fn parse(text: &str) -> Program {
        vergo_goto::text::parse(text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The program with its lock alone, and what is kept.
    fn localised(program: &Program) -> (Program, BTreeSet<SymbolId>) {
        let localiser = Localiser::new(program).unwrap_or_else(|| panic!("there are no threads"));
        let kept = localiser.choices().remove(0);
        (localiser.localise(&kept), kept)
    }

    fn change(program: &mut Program, function: &str, change: impl FnOnce(&mut Vec<Instr>)) {
        let id = program.function_named(function).unwrap_or_else(|| panic!("no {function}"));
        change(program.functions[id].body.as_mut().unwrap_or_else(|| panic!("no body")));
    }

    #[test]
    fn what_has_nothing_to_do_with_a_claim_goes() {
        let program = parse(LOCK);
        let (weaker, kept) = localised(&program);
        assert_eq!(check(&program, &weaker, &kept), Ok(()));
        let names: Vec<&str> = kept.iter().map(|&s| &program.symbols[s].name[..]).collect();
        assert_eq!(names, ["held"]);
        let work = program.function_named("work").unwrap_or_else(|| panic!("no work"));
        assert!(weaker.functions[work].body.is_none());
    }

    #[test]
    fn a_program_that_does_less_is_refused() {
        let program = parse(LOCK);
        let (weaker, kept) = localised(&program);
        let refused = |function: &str, edit: &dyn Fn(&mut Vec<Instr>)| {
            let mut wrong = weaker.clone();
            change(&mut wrong, function, edit);
            assert!(check(&program, &wrong, &kept).is_err(), "{function}");
        };
        let remove = |which: fn(&InstrKind) -> bool| {
            move |body: &mut Vec<Instr>| body.retain(|instr| !which(&instr.kind))
        };
        refused("lock", &remove(|kind| matches!(kind, InstrKind::Assert(..))));
        refused("lock", &remove(|kind| matches!(kind, InstrKind::Assign(..))));
        refused("lock", &remove(|kind| matches!(kind, InstrKind::Goto(..))));
        refused("main", &remove(|kind| matches!(kind, InstrKind::Call { .. })));
        // The branch always goes the same way.
        refused("main", &|body| {
            let branch = body.iter_mut().find_map(|instr| match &mut instr.kind {
                InstrKind::Goto(cond @ Some(_), _) => Some(cond),
                _ => None,
            });
            *branch.unwrap_or_else(|| panic!("no branch")) = None;
        });
        // What is any value once is the same value ever after.
        refused("main", &remove(|kind| matches!(kind, InstrKind::Assign(..))));
        // Something else happens besides.
        refused("unlock", &|body| body.insert(0, body[0].clone()));
        let mut wrong = weaker.clone();
        let unlock = program.function_named("unlock").unwrap_or_else(|| panic!("no unlock"));
        wrong.functions[unlock].body = None;
        assert!(check(&program, &wrong, &kept).is_err());
        // A variable whose address is taken changes unseen.
        let other = program.symbols.iter().find(|(_, info)| info.name == "other");
        let mut more = kept.clone();
        more.extend(other.map(|(symbol, _)| symbol));
        assert!(check(&program, &weaker, &more).is_err());
    }

    #[test]
    fn every_choice_of_variables_is_accepted() {
        let mut n_smaller = 0;
        for seed in 0..60 {
            let program = sample::program(seed);
            let Some(localiser) = Localiser::new(&program) else { continue };
            for kept in localiser.choices() {
                let weaker = localiser.localise(&kept);
                assert_eq!(check(&program, &weaker, &kept), Ok(()), "seed {seed}");
                let n_bodies = |program: &Program| {
                    program.functions.values().filter(|function| function.body.is_some()).count()
                };
                n_smaller += usize::from(n_bodies(&weaker) < n_bodies(&program));
            }
        }
        assert!(n_smaller > 10, "{n_smaller}");
    }
}

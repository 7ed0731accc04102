//! Calls, functions of the library, and how threads start and end.

use super::super::cells::{CellId, Guard};
use super::super::effects::{Effect, effect};
use super::super::results::results;
use super::{Builder, Ghosts, MANY_THREADS, Observed, Purpose, Writer};
use crate::race_freedom::flow::{ClassId, Node};
use crate::race_freedom::library::Library;
use std::collections::BTreeSet;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Callee, FunctionId, InstrKind, SymbolId};
use vergo_goto::types::{Type, TypeId};

impl Builder<'_> {
    /// Gives a place, if there is one, any value.
    pub(super) fn give_any(
        &mut self,
        writer: &mut Writer,
        node: Node,
        dest: Option<ExprId>,
    ) -> Result<(), String> {
        let Some(dest) = dest else { return Ok(()) };
        let dest = writer.renaming.expr(&mut self.program, dest);
        let any = self.any(self.program.exprs.ty(dest))?;
        self.write(writer, node, dest, any)
    }

    pub(super) fn call(
        &mut self,
        writer: &mut Writer,
        node: Node,
        dest: Option<ExprId>,
        callee: Callee,
        args: &[ExprId],
    ) -> Result<(), String> {
        let (taken, _) = self.around(node, false)?;
        self.take(writer, node, &taken);
        let callees = self.flow.reader.callees(callee)?;
        let pointer = match callee {
            Callee::Direct(called) => return self.call_one(writer, node, dest, called, args),
            Callee::Indirect(pointer) => writer.renaming.expr(&mut self.program, pointer),
        };
        let done = writer.out.new_label();
        for called in callees {
            let function = self.program.function(called);
            let function = self.program.cast(self.program.exprs.ty(pointer), function);
            let other = writer.out.new_label();
            let differs = self.program.ne(pointer, function);
            writer.out.goto_if(differs, other);
            self.call_one(writer, node, dest, called, args)?;
            writer.out.goto(done);
            writer.out.label(other);
        }
        writer.out.unsupported("a call through a pointer to nothing");
        writer.out.label(done);
        Ok(())
    }

    pub(super) fn call_one(
        &mut self,
        writer: &mut Writer,
        node: Node,
        dest: Option<ExprId>,
        called: FunctionId,
        args: &[ExprId],
    ) -> Result<(), String> {
        let next = (node.0, node.1 + 1);
        let args: Box<[ExprId]> =
            args.iter().map(|&arg| writer.renaming.expr(&mut self.program, arg)).collect();
        let what = effect(self.source, called)?;
        match what {
            Effect::Body | Effect::Apart => {
                let context = match what {
                    Effect::Body => {
                        let key = (node.0, node.1, called);
                        Some(*self.facts.shape.calls.get(&key).ok_or("a call leads nowhere")?)
                    }
                    _ => None,
                };
                let own = context.and_then(|context| self.copies.get(&context).copied());
                let (Some(before), after) = (self.status(node), self.status(next)) else {
                    return Ok(());
                };
                let entered = match (own, context) {
                    (Some(_), Some(context)) => {
                        let entry = self.status((context, 0)).ok_or("a call leads nowhere")?;
                        self.edge(writer, &before, &entry);
                        self.exits.get(&context).cloned()
                    }
                    _ => Some(before),
                };
                let result = match dest {
                    Some(dest) => {
                        let dest = writer.renaming.expr(&mut self.program, dest);
                        let result = self.local(writer.copy, self.program.exprs.ty(dest));
                        writer.out.decl(result);
                        Some((dest, result))
                    }
                    None => None,
                };
                let place = result.map(|(_, result)| self.program.symbol(result));
                writer.out.call(place, own.unwrap_or(called), args);
                match (entered, after) {
                    (Some(from), Some(to)) => self.edge(writer, &from, &to),
                    _ => self.stop(writer),
                }
                if let (Some((dest, result)), Some(place)) = (result, place) {
                    self.write(writer, node, dest, place)?;
                    writer.out.dead(result);
                }
            }
            Effect::Of(Library::Leave) => self.stop(writer),
            Effect::Of(Library::Once) => return Err("`pthread_once`".into()),
            Effect::Of(Library::Create) => {
                self.go(writer, node, next);
                let fails = self.result_of(called).is_none();
                let argument = *args.last().ok_or("a thread without an argument")?;
                let done = writer.out.new_label();
                let value = self.result(writer, called, dest)?;
                if fails {
                    let failed = match value {
                        Some(value) => self.program.truth(value),
                        None => self.any_truth(writer),
                    };
                    writer.out.goto_if(failed, done);
                }
                for started in self.flow.leads(node)?.starts {
                    self.start(writer, node, started, argument)?;
                }
                // The number of the thread.
                let pointer = *args.first().ok_or("a thread without a number")?;
                self.write_any(writer, node, pointer)?;
                writer.out.label(done);
                self.store_result(writer, node, dest, value)?;
            }
            Effect::Of(Library::Join) => {
                self.go(writer, node, next);
                if let Some(&pointer) = args.get(1)
                    && !self.is_null(pointer)
                {
                    self.write_any(writer, node, pointer)?;
                }
                let value = self.result(writer, called, dest)?;
                self.store_result(writer, node, dest, value)?;
            }
            Effect::Waits => {
                self.wait(writer, node)?;
                self.go(writer, node, next);
                let value = self.result(writer, called, dest)?;
                self.store_result(writer, node, dest, value)?;
            }
            Effect::Silent | Effect::Of(_) => {
                self.go(writer, node, next);
                let value = self.result(writer, called, dest)?;
                self.store_result(writer, node, dest, value)?;
            }
        }
        Ok(())
    }

    pub(super) fn is_null(&self, mut pointer: ExprId) -> bool {
        while let ExprKind::Cast(_, from) = *self.program.exprs.kind(pointer) {
            pointer = from;
        }
        match self.program.exprs.kind(pointer) {
            ExprKind::Int(bits) => bits.is_zero(),
            kind => matches!(kind, ExprKind::Zero),
        }
    }

    /// Any value is written where a pointer points to, if it is not null.
    pub(super) fn write_any(
        &mut self,
        writer: &mut Writer,
        node: Node,
        pointer: ExprId,
    ) -> Result<(), String> {
        let place = self.program.deref(pointer);
        let ty = self.program.exprs.ty(place);
        if self.program.size_of(ty).is_none() || matches!(self.program.types.get(ty), Type::Void) {
            return Err("a result of unknown type".into());
        }
        let null = self.program.null(self.program.exprs.ty(pointer));
        let is_null = self.program.eq(pointer, null);
        let done = writer.out.new_label();
        writer.out.goto_if(is_null, done);
        let any = self.any_or_null(ty)?;
        self.write(writer, node, place, any)?;
        writer.out.label(done);
        Ok(())
    }

    /// Any number, or the pointer that threads return if they return none to anything.
    pub(super) fn any_or_null(&mut self, ty: TypeId) -> Result<ExprId, String> {
        let is_pointer = matches!(self.source.types.get(ty), Type::Ptr(_));
        match is_pointer && self.flow.reader.results()?.is_empty() {
            true => Ok(self.program.null(ty)),
            false => self.any(ty),
        }
    }

    /// A thread waits for a condition: meanwhile others have the lock.
    pub(super) fn wait(&mut self, writer: &mut Writer, node: Node) -> Result<(), String> {
        let Some(InstrKind::Call { args, .. }) = self.flow.instr(node) else { return Ok(()) };
        let lock = *args.get(1).ok_or("a wait without a lock")?;
        let at = self.flow.reader.values(lock);
        let Some(status) = self.status(node) else { return Ok(()) };
        let class = self.class(node.0);
        for group in 0..self.layout.groups.len() {
            let Guard::Lock(object, offset) = self.layout.groups[group].guard else { continue };
            let is_it =
                at.iter().any(|at| at.object == object && (at.first..=at.last).contains(&offset));
            if is_it && !status.alone[group] {
                let cells: BTreeSet<CellId> =
                    self.layout.groups[group].cells.iter().copied().collect();
                self.release(writer, class, &cells, &cells);
                self.acquire(writer, class, group, &cells, false);
            }
        }
        Ok(())
    }

    /// The number that a function of the library always returns, if there is one.
    pub(super) fn result_of(&mut self, called: FunctionId) -> Option<ExprId> {
        let all = results(self.source, called)?;
        match &all[..] {
            [only] => Some(self.program.constant(only.clone())),
            _ => None,
        }
    }

    /// Returns the result of a library function, in a variable if it is not always the same.
    pub(super) fn result(
        &mut self,
        writer: &mut Writer,
        called: FunctionId,
        dest: Option<ExprId>,
    ) -> Result<Option<ExprId>, String> {
        let Some(dest) = dest else { return Ok(None) };
        let ty = self.source.exprs.ty(dest);
        if let Some(known) = self.result_of(called)
            && self.program.exprs.ty(known) == ty
        {
            return Ok(Some(known));
        }
        let result = self.local(writer.copy, ty);
        writer.out.decl(result);
        let place = self.program.symbol(result);
        let any = self.any(ty)?;
        writer.out.assign(place, any);
        Ok(Some(place))
    }

    pub(super) fn store_result(
        &mut self,
        writer: &mut Writer,
        node: Node,
        dest: Option<ExprId>,
        value: Option<ExprId>,
    ) -> Result<(), String> {
        let (Some(dest), Some(value)) = (dest, value) else { return Ok(()) };
        let dest = writer.renaming.expr(&mut self.program, dest);
        self.write(writer, node, dest, value)
    }

    /// A truth value that is chosen.
    pub(super) fn any_truth(&mut self, writer: &mut Writer) -> ExprId {
        let ty = self.program.types.bool();
        let choice = self.local(writer.copy, ty);
        let place = self.program.symbol(choice);
        writer.out.decl(choice);
        let any = self.program.nondet(ty);
        writer.out.assign(place, any);
        place
    }

    /// Starts a thread: the execution goes on with the new thread, or with the one that starts it.
    pub(super) fn start(
        &mut self,
        writer: &mut Writer,
        node: Node,
        started: FunctionId,
        argument: ExprId,
    ) -> Result<(), String> {
        let class = self.facts.shape.starts.get(&(node.0, node.1, started));
        let class = *class.ok_or("a thread has no class")?;
        let takes: Vec<TypeId> = match self.source.types.get(self.source.functions[started].ty) {
            Type::Func(_, params) => params.to_vec(),
            _ => Vec::new(),
        };
        if takes != [self.program.exprs.ty(argument)] {
            return Err("a thread begins with a function of another type".into());
        }
        if self.class(node.0) == 0 {
            let counters: Vec<SymbolId> = self
                .counters
                .iter()
                .filter(|((_, of), _)| *of == class)
                .map(|(_, &counter)| counter)
                .collect();
            for counter in counters {
                let place = self.program.symbol(counter);
                let ty = self.program.exprs.ty(place);
                let (one, limit) = (self.program.int(ty, 1), self.program.int(ty, MANY_THREADS));
                let more = self.program.add(place, one);
                let few = self.program.lt(place, limit);
                let counted = self.program.ite(few, more, place);
                writer.out.assign(place, counted);
            }
        }
        if self.purpose == Purpose::Check {
            // All starts of a function lead to one place, so that the thread is looked at once.
            let ty = self.program.exprs.ty(argument);
            let (label, place) = match writer.threads.get(&class) {
                Some(&known) => known,
                None => {
                    let new = (writer.out.new_label(), self.variable("argument", ty));
                    writer.threads.insert(class, new);
                    new
                }
            };
            let place = self.program.symbol(place);
            writer.out.assign(place, argument);
            let choice = self.any_truth(writer);
            writer.out.goto_if(choice, label);
            return Ok(());
        }
        let goes_on = writer.out.new_label();
        let choice = self.any_truth(writer);
        writer.out.goto_if(choice, goes_on);
        let mut saved = Vec::new();
        let ghosts: Vec<(CellId, Ghosts)> =
            self.ghosts.iter().map(|(&cell, &ghosts)| (cell, ghosts)).collect();
        for (cell, Ghosts { mark, change, .. }) in ghosts {
            let ty = self.signed(cell);
            for symbol in [mark, change] {
                let copy = self.local(writer.copy, ty);
                writer.out.decl(copy);
                let (to, from) = (self.program.symbol(copy), self.program.symbol(symbol));
                writer.out.assign(to, from);
                saved.push((from, to));
            }
        }
        self.run_thread(writer, class, argument);
        saved.into_iter().for_each(|(to, from)| writer.out.assign(to, from));
        writer.out.label(goes_on);
        Ok(())
    }

    /// Executes a thread from its beginning to its end.
    pub(super) fn run_thread(&mut self, writer: &mut Writer, class: ClassId, argument: ExprId) {
        let root = self.facts.shape.classes[class as usize];
        let ghosts: Vec<(CellId, Ghosts)> =
            self.ghosts.iter().map(|(&cell, &ghosts)| (cell, ghosts)).collect();
        for &(cell, Ghosts { change, .. }) in &ghosts {
            let place = self.program.symbol(change);
            let ty = self.signed(cell);
            let zero = self.program.int(ty, 0);
            writer.out.assign(place, zero);
        }
        writer.out.call(None, self.copies[&root], [argument]);
        let Some(exit) = self.exits.get(&root).cloned() else { return };
        let nothing = self.nothing();
        let context = std::mem::replace(&mut writer.context, root);
        self.edge(writer, &exit, &nothing);
        writer.context = context;
        for (cell, Ghosts { change, .. }) in ghosts {
            match self.purpose {
                Purpose::Check => self.claim_share(writer, class, cell, true),
                Purpose::Observe => {
                    let change = self.program.symbol(change);
                    self.observe(writer, Observed::Ended(class, cell), change);
                }
            }
        }
    }
}

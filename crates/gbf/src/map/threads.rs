//! Threads that an instruction starts: START_THREAD and END_THREAD.
//!
//! CBMC's new thread goes on in the body of the same function, at the target of START_THREAD, until END_THREAD or the end of
//! the body, with copies of the variables that the function has there. GOTO's thread runs a function with one pointer. So
//! what the thread executes becomes a function of its own, made of the instructions that can be reached from the target;
//! the variables that it mentions and does not declare are copied into a static slot, whose address it gets.
//!
//! Each START_THREAD has [`MOST_STARTS`] slots, taken one after the other; to execute it more often is unsupported. Memory
//! of the heap would do as well, but would be lost where the program ends before the thread begins.

use super::{Mapper, Mapping, Object, unsupported};
use crate::irep::IrepId;
use crate::view::{InstructionView, Kind};
use rustc_hash::FxHashSet;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{
    Callee, Function, FunctionId, InstrKind, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::types::{Field, StructType, Type, TypeId};

/// The greatest number of executions of one START_THREAD.
const MOST_STARTS: u64 = 16;

/// The thread that a START_THREAD begins.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// The function whose body it stands in.
    owner: FunctionId,
    /// Where in the body the thread begins.
    target: usize,
    /// The function that the thread runs.
    function: FunctionId,
    /// The variables of the owner that it mentions.
    mentioned: Vec<String>,
    /// Those that it takes over, with their types.
    copied: Vec<(String, TypeId)>,
    /// The slots and how many are taken, if anything is copied.
    slots: Option<(SymbolId, SymbolId)>,
}

/// Returns, for each instruction, whether one thread executes it from a place in a body on.
pub(super) fn executed(instructions: &[InstructionView], from: usize) -> Vec<bool> {
    let mut seen = vec![false; instructions.len()];
    let mut stack = vec![from];
    while let Some(i) = stack.pop() {
        let Some(instruction) = instructions.get(i) else { continue };
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        match instruction.kind {
            Kind::EndThread | Kind::EndFunction => {}
            Kind::Goto => {
                stack.extend(instruction.targets.iter().flatten());
                if instruction.guard.is_some() {
                    stack.push(i + 1);
                }
            }
            _ => stack.push(i + 1),
        }
    }
    seen
}

impl Mapper<'_> {
    /// Starts a thread.
    pub(super) fn start_thread(
        &mut self,
        instruction: &InstructionView,
        instructions: &[InstructionView],
    ) -> Mapping<()> {
        let (&[Some(target)], Some(current)) = (&instruction.targets[..], self.current) else {
            return unsupported("a START_THREAD without exactly one target");
        };
        let owner =
            self.threads.iter().find(|t| t.function == current).map_or(current, |t| t.owner);
        let found = self.threads.iter().find(|t| t.owner == owner && t.target == target);
        let thread = match found {
            Some(thread) => thread.clone(),
            None => self.new_thread(owner, target, instructions)?,
        };
        let void = self.p.types.void();
        let pointer = self.p.types.ptr(void);
        let arg = match thread.slots {
            None => self.p.null(pointer),
            Some((slots, taken)) => {
                let slot = self.taken_slot(slots, taken)?;
                for (i, (name, ty)) in thread.copied.iter().enumerate() {
                    let Some(&Object::Variable(variable)) = self.objects.get(name) else {
                        return unsupported(format!("`{name}` in a thread"));
                    };
                    let value = self.p.symbol(variable);
                    let value = self.coerce(value, *ty)?;
                    let place = self.p.member(slot, i as u32);
                    self.builder.assign(place, value);
                }
                let address = self.p.address_of(slot);
                self.p.cast(pointer, address)
            }
        };
        let callee = Callee::Direct(thread.function);
        self.builder.push(InstrKind::Spawn { dest: None, callee, arg });
        Ok(())
    }

    /// Returns whether the current function is the body of a thread.
    pub(super) fn is_thread(&self) -> bool {
        self.threads.iter().any(|thread| Some(thread.function) == self.current)
    }

    /// The type of the result, if the current function can only be the first one of a thread: it takes and returns a
    /// pointer, and nothing calls it by its name. To end the thread is to return from it.
    pub(super) fn first_of_thread(&mut self) -> Option<TypeId> {
        let current = self.current?;
        let &Type::Func(ret, ref params) = self.p.types.get(self.p.functions[current].ty) else {
            return None;
        };
        let fits = params.len() == 1 && matches!(self.p.types.get(ret), Type::Ptr(_));
        let b = self.b;
        let called = self.called.get_or_insert_with(|| b.called_names().collect());
        (fits && !called.contains(&self.p.functions[current].name[..])).then_some(ret)
    }

    /// A slot that no thread has yet.
    fn taken_slot(&mut self, slots: SymbolId, taken: SymbolId) -> Mapping<ExprId> {
        let word = self.p.size_type();
        let (index, taken) = (self.temp(word)?, self.p.symbol(taken));
        self.builder.push(InstrKind::AtomicBegin);
        self.builder.assign(index, taken);
        let one = self.p.size(1);
        let next = self.p.add(index, one);
        self.builder.assign(taken, next);
        self.builder.push(InstrKind::AtomicEnd);
        let enough = self.builder.new_label();
        let most = self.p.size(MOST_STARTS);
        let free = self.p.lt(index, most);
        self.builder.goto_if(free, enough);
        self.builder.unsupported(format!("a START_THREAD that is executed {MOST_STARTS} times"));
        self.builder.label(enough);
        let slots = self.p.symbol(slots);
        Ok(self.p.index(slots, index))
    }

    fn new_thread(
        &mut self,
        owner: FunctionId,
        target: usize,
        instructions: &[InstructionView],
    ) -> Mapping<Thread> {
        let executed = executed(instructions, target);
        let own = || instructions.iter().zip(&executed).filter(|(_, e)| **e).map(|(i, _)| i);
        let mut mentioned = self.mentioned(own().flat_map(|i| [Some(i.code), i.guard]).flatten());
        mentioned.retain(|name| self.is_variable_of(name, owner));
        let declared: FxHashSet<String> = own()
            .filter(|i| i.kind == Kind::Decl)
            .filter_map(|i| self.b.operands(i.code).first().copied())
            .map(|symbol| self.b.ireps.get_id(symbol, "identifier").to_owned())
            .collect();
        let mut copied = Vec::new();
        for name in mentioned.iter().filter(|name| !declared.contains(&name[..])) {
            match self.object(name, None)? {
                Object::Variable(symbol) => copied.push((name.clone(), self.p.symbols[symbol].ty)),
                _ => {
                    let what = "whose size is not constant, in a thread that it outlives";
                    return unsupported(format!("the variable `{name}`, {what}"));
                }
            }
        }
        let name = format!("{}::$thread{target}", self.p.functions[owner].name);
        let void = self.p.types.void();
        let pointer = self.p.types.ptr(void);
        let ty = self.p.types.func(void, [pointer]);
        let owning = &self.p.functions[owner];
        let function = Function {
            span: self.positions.span(instructions[target].location),
            library: owning.library,
            ..Function::declaration(name.clone(), owning.display.clone(), ty)
        };
        let function = self.p.add_function(function);
        let slots = (!copied.is_empty()).then(|| self.slots(&name, &copied));
        let thread = Thread { owner, target, function, mentioned, copied, slots };
        self.threads.push(thread.clone());
        Ok(thread)
    }

    /// The static memory in which copies are passed, and the number of those that are taken.
    fn slots(&mut self, name: &str, copied: &[(String, TypeId)]) -> (SymbolId, SymbolId) {
        let (mut fields, mut size, mut align) = (Vec::new(), 0u64, 1u64);
        for (i, &(_, ty)) in copied.iter().enumerate() {
            let own = self.p.types.align_of(ty, &self.p.machine);
            let offset = size.next_multiple_of(own);
            fields.push(Field { name: format!("m{i}"), ty, offset, first_bit: None });
            size = offset + self.p.size_of(ty).unwrap_or(0);
            align = align.max(own);
        }
        let size = size.next_multiple_of(align);
        let (union, complete) = (false, true);
        let structure = StructType { name: name.to_owned(), union, fields, size, align, complete };
        let id = self.p.add_struct(structure);
        let ty = self.p.types.intern(Type::Struct(id));
        let ty = self.p.types.array(ty, MOST_STARTS);
        let kind =
            || SymbolKind::Static { init: StaticInit::Data(Vec::new()), thread_local: false };
        let span = vergo_source::Span::DUMMY;
        let slots = self.add_variable(&format!("{name}::$slots"), "", ty, kind(), span);
        let word = self.p.size_type();
        let taken = self.add_variable(&format!("{name}::$taken"), "", word, kind(), span);
        (slots, taken)
    }

    /// The names in ireps, each once, in the order in which they are met.
    fn mentioned(&self, ireps: impl Iterator<Item = IrepId>) -> Vec<String> {
        let b = self.b;
        let mut work: Vec<IrepId> = ireps.collect();
        work.reverse();
        let (mut seen, mut names) = (FxHashSet::default(), Vec::new());
        while let Some(irep) = work.pop() {
            if !seen.insert(irep) {
                continue;
            }
            if b.ireps.id(irep) == "symbol" {
                let name = b.ireps.get_id(irep, "identifier").to_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            work.extend(b.ireps.ordered(irep));
            work.extend(b.ireps.named(irep).map(|(_, child)| child));
        }
        names
    }

    fn is_variable_of(&self, name: &str, function: FunctionId) -> bool {
        self.owners.get(name) == Some(&function)
            || matches!(self.objects.get(name), Some(&(Object::Variable(s) | Object::Dynamic(s)))
                if matches!(self.p.symbols[s].kind, SymbolKind::Param(f) if f == function))
    }

    /// Gives bodies to the threads that a body starts, and to those that these start.
    pub(super) fn thread_bodies(&mut self, owner: FunctionId, instructions: &[InstructionView]) {
        let mut next = 0;
        while let Some(thread) = self.threads.get(next).cloned() {
            next += 1;
            if thread.owner == owner && self.p.functions[thread.function].body.is_none() {
                self.thread_body(&thread, instructions);
            }
        }
    }

    fn thread_body(&mut self, thread: &Thread, instructions: &[InstructionView]) {
        let id = thread.function;
        let name = self.p.functions[id].name.clone();
        let void = self.p.types.void();
        let pointer = self.p.types.ptr(void);
        let (param, span) = (SymbolKind::Param(id), self.p.functions[id].span);
        let given = self.add_variable(&format!("{name}::$slot"), "", pointer, param, span);
        self.p.functions[id].params = vec![given];
        self.current = Some(id);
        self.builder = FunctionBuilder::new();
        self.values.clear();
        // The thread's variables have the names of the owner's while its body is mapped.
        let theirs: Vec<(&String, Option<Object>, Option<FunctionId>)> = thread
            .mentioned
            .iter()
            .map(|n| (n, self.objects.remove(n), self.owners.insert(n.clone(), id)))
            .collect();
        self.named.clear();
        for (i, (variable, ty)) in thread.copied.iter().enumerate() {
            let display = variable.rsplit("::").next().unwrap_or_default();
            let own = format!("{name}::{display}");
            let symbol = self.add_variable(&own, display, *ty, SymbolKind::Local(id), span);
            self.objects.insert(variable.clone(), Object::Variable(symbol));
            self.builder.decl(symbol);
            if let Some((slots, _)) = thread.slots
                && let &Type::Array(slot, _) = self.p.types.get(self.p.symbols[slots].ty)
            {
                let (place, from) = (self.p.symbol(symbol), self.p.symbol(given));
                let slot = self.p.types.ptr(slot);
                let from = self.p.cast(slot, from);
                let from = self.p.deref(from);
                let value = self.p.member(from, i as u32);
                self.builder.assign(place, value);
            }
        }
        self.instructions(instructions, thread.target, None);
        self.builder.ret(None);
        std::mem::take(&mut self.builder).finish(&mut self.p, id);
        self.current = None;
        self.named.clear();
        for (variable, object, owner) in theirs {
            match object {
                Some(object) => self.objects.insert(variable.clone(), object),
                None => self.objects.remove(variable),
            };
            match owner {
                Some(owner) => self.owners.insert(variable.clone(), owner),
                None => self.owners.remove(variable),
            };
        }
    }
}

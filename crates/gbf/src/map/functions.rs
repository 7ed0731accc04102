//! Functions: their parameters, the variables that they declare, their bodies.

use super::threads::executed;
use super::{Mapper, Mapping, Object, unsupported};
use crate::binary::Dialect;
use crate::irep::TextId;
use crate::view::{FunctionView, InstructionView, Kind, is_library_file};
use rustc_hash::FxHashMap;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{FunctionId, LabelId, SymbolId, SymbolKind};
use vergo_goto::types::Type;
use vergo_source::Span;

/// The name of the parameter that points to variable arguments.
const VARIABLE_ARGUMENTS: &str = "$arguments";

impl Mapper<'_> {
    /// Makes the functions, their parameters, and who declares which variable.
    pub(super) fn declare_functions(&mut self, functions: &[&FunctionView<'_>]) {
        let b = self.b;
        for function in functions {
            let ty = self.symbol_by_name.get(&function.name[..]).map(|&i| self.symbols[i].ty);
            let id = match self.object(&function.name, ty) {
                Ok(Object::Function(id)) => id,
                Ok(_) => continue,
                Err(what) => {
                    self.report(&format!("{} (`{}`)", what.0, function.name), Span::DUMMY);
                    continue;
                }
            };
            self.bodies.insert(id);
            for symbol in b.declared(function) {
                let name = b.ireps.get_id(symbol, "identifier").to_owned();
                self.owners.entry(name).or_insert(id);
            }
            let Some(ty) = ty else { continue };
            let mut params = Vec::new();
            let Type::Func(_, types) = self.p.types.get(self.p.functions[id].ty).clone() else {
                continue;
            };
            let written = b.parameters(ty);
            for (i, &ty) in types.iter().enumerate() {
                let given = written.get(i).map_or("", |&p| b.ireps.get_id(p, "#identifier"));
                let base = written.get(i).map_or("", |&p| b.ireps.get_id(p, "#base_name"));
                let name = match (given, i < written.len()) {
                    (_, false) => format!("{}::{VARIABLE_ARGUMENTS}", function.name),
                    ("", _) => format!("{}::$parameter{i}", function.name),
                    (name, _) if self.objects.contains_key(name) => {
                        format!("{}::$parameter{i}", function.name)
                    }
                    (name, _) => name.to_owned(),
                };
                let symbol = self.add_variable(&name, base, ty, SymbolKind::Param(id), Span::DUMMY);
                self.objects.insert(name, Object::Variable(symbol));
                params.push(symbol);
            }
            self.p.functions[id].params = params;
        }
    }

    /// Returns the pointer to variable arguments, as `va_start` gives it.
    pub(super) fn variable_arguments(&mut self) -> Mapping<ExprId> {
        let name = self.current.map_or(String::new(), |f| self.p.functions[f].name.clone());
        match self.objects.get(&format!("{name}::{VARIABLE_ARGUMENTS}")) {
            Some(&Object::Variable(symbol)) => Ok(self.p.symbol(symbol)),
            _ => unsupported("`va_start` in a function without variable arguments"),
        }
    }

    /// Maps a body.
    pub(super) fn body(&mut self, function: &FunctionView<'_>) {
        let Some(&Object::Function(id)) = self.objects.get(&function.name[..]) else { return };
        // A function whose own type is unusable may be known by a call alone.
        if !self.bodies.contains(&id) {
            return;
        }
        let b = self.b;
        let location = b.first_location(function);
        let instructions = match b.instructions(function) {
            Ok(instructions) => instructions,
            Err(what) => return self.unusable_body(id, what),
        };
        let is_hiding =
            |label: TextId| matches!(b.ireps.text(label), b"__CPROVER_HIDE" | b"__ESBMC_HIDE");
        let hidden = instructions.iter().any(|i| i.labels.iter().any(|&label| is_hiding(label)));
        let file = location.map_or("", |l| self.b.ireps.get_id(l, "file"));
        let library = hidden || is_library_file(file);
        self.p.functions[id].library = library;
        let mode = self.symbol_by_name.get(&function.name).map(|&i| &self.symbols[i].mode[..]);
        self.claims_conversions = self.conversions && !library && mode == Some("C");
        self.body_of(id, &instructions);
    }

    /// A body of which nothing can be made.
    fn unusable_body(&mut self, id: FunctionId, what: String) {
        let span = self.p.functions[id].span;
        self.report(&what, span);
        self.body_of(id, &[]);
        let mut first = FunctionBuilder::new();
        first.set_span(span);
        first.unsupported(what);
        if let Some(body) = &mut self.p.functions[id].body {
            body.splice(0..0, first.instrs_mut().drain(..));
        }
    }

    /// Gives a function the body that instructions make.
    pub(super) fn body_of(&mut self, id: FunctionId, instructions: &[InstructionView]) {
        self.current = Some(id);
        self.builder = FunctionBuilder::new();
        // What was converted for another function may name its arguments.
        self.values.clear();
        let result = self.result_variable(id, instructions);
        self.instructions(instructions, 0, result);
        let value = match result {
            Some(symbol) => Some(self.p.symbol(symbol)),
            None => match self.p.types.get(self.p.functions[id].ty) {
                &Type::Func(ret, _) if *self.p.types.get(ret) != Type::Void => {
                    self.any_of(ret, false).ok()
                }
                _ => None,
            },
        };
        self.builder.ret(value);
        let builder = std::mem::take(&mut self.builder);
        builder.finish(&mut self.p, id);
        self.current = None;
        self.thread_bodies(id, instructions);
    }

    /// Maps instructions of the current function, beginning with one of them, up to their end.
    pub(super) fn instructions(
        &mut self,
        instructions: &[InstructionView],
        from: usize,
        result: Option<SymbolId>,
    ) {
        // Where threads are started, what they execute stands in the same body.
        let threaded = instructions.iter().any(|i| i.kind == Kind::StartThread);
        let executed = threaded.then(|| executed(instructions, from));
        let is_executed = |i: usize| executed.as_ref().is_none_or(|e| e[i]);
        let own = instructions.iter().enumerate().filter(|&(i, _)| is_executed(i));
        let mut labels: FxHashMap<usize, LabelId> = FxHashMap::default();
        let jumps = own.clone().filter(|(_, i)| i.kind != Kind::StartThread);
        let targets = jumps.flat_map(|(_, i)| &i.targets).flatten().copied();
        for target in targets.chain((from > 0).then_some(from)) {
            labels.entry(target).or_insert_with(|| self.builder.new_label());
        }
        let end = self.builder.new_label();
        if let Some(&label) = labels.get(&from).filter(|_| from > 0) {
            self.builder.goto(label);
        }
        for (i, instruction) in own {
            self.builder.set_span(self.positions.span(instruction.location));
            if let Some(&label) = labels.get(&i) {
                self.builder.label(label);
            }
            let length = self.builder.len();
            let mapped = match instruction.kind {
                Kind::StartThread => self.start_thread(instruction, instructions),
                _ => self.instruction(instruction, &labels, result, end),
            };
            if let Err(what) = mapped {
                self.conditional = 0;
                self.guards.clear();
                self.builder.instrs_mut().truncate(length);
                self.report(&what.0, self.builder.span());
                self.builder.unsupported(what.0);
            }
        }
        self.builder.label(end);
    }

    /// The variable that holds a function's result, if an instruction sets it.
    fn result_variable(
        &mut self,
        id: FunctionId,
        instructions: &[InstructionView],
    ) -> Option<SymbolId> {
        let &Type::Func(ret, _) = self.p.types.get(self.p.functions[id].ty) else { return None };
        if *self.p.types.get(ret) == Type::Void
            || self.b.dialect == Dialect::Esbmc
            || !instructions.iter().any(|i| i.kind == Kind::Return)
        {
            return None;
        }
        let name = format!("{}::$result", self.p.functions[id].name);
        let symbol = self.add_variable(&name, "", ret, SymbolKind::Local(id), Span::DUMMY);
        self.builder.decl(symbol);
        if reaches_end_without_result(instructions) {
            let place = self.p.symbol(symbol);
            let any = self.p.nondet(ret);
            self.builder.assign(place, any);
        }
        Some(symbol)
    }
}

/// Returns whether the end of a body can be reached before a result is set.
fn reaches_end_without_result(instructions: &[InstructionView]) -> bool {
    let mut seen = vec![false; instructions.len()];
    let mut stack = vec![0];
    while let Some(i) = stack.pop() {
        let Some(instruction) = instructions.get(i) else { return true };
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        match instruction.kind {
            Kind::Return => continue,
            Kind::EndFunction => return true,
            Kind::EndThread => {}
            Kind::Goto => {
                stack.extend(instruction.targets.iter().flatten());
                if instruction.guard.is_some() {
                    stack.push(i + 1);
                }
            }
            _ => stack.push(i + 1),
        }
    }
    false
}

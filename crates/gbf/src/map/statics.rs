//! Static objects: their first values, from the function that initialises them.
//!
//! CBMC's `__CPROVER_initialize` and the beginning of ESBMC's `__ESBMC_main` assign every static object. An assignment of
//! a constant becomes the object's first value; the others stay code that runs before `main`.

use super::{Entry, Mapper, Object};
use crate::view::{FunctionView, InstructionView, Kind, is_library_file, plain_name};
use rustc_hash::FxHashSet;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{Function, FunctionId, InitPart, StaticInit, SymbolId, SymbolKind};
use vergo_goto::types::Type;

/// The greatest number of expressions that are looked at to take one first value apart.
const MOST_STEPS: u32 = 1 << 20;

/// The function for what an ESBMC file does before `main`, where that is not constant.
pub(super) const INITIALIZE: &str = "$initialize";

/// The variables that code reads or writes.
#[derive(Default)]
struct Mentioned {
    names: FxHashSet<String>,
    /// The ireps that have been looked at.
    seen: FxHashSet<crate::irep::IrepId>,
    /// True if it may have any value.
    anything: bool,
}

impl Mapper<'_> {
    /// Gives static objects their first values. The function that does what is left to be done.
    pub(super) fn initialize(
        &mut self,
        functions: &[FunctionView<'_>],
        start: &Option<Entry>,
    ) -> Option<FunctionId> {
        let find = |name: &str| functions.iter().find(|f| f.name == name);
        let cbmc = find("__CPROVER_initialize");
        let source = cbmc.or_else(|| match start {
            // In a translated file it has the name of CBMC's.
            Some(Entry::Call { .. }) => find("__ESBMC_main").or_else(|| find("__CPROVER__start")),
            _ => None,
        });
        let Some(source) = source else {
            self.values_of_symbols(|_| true);
            return None;
        };
        let mut instructions = self.b.instructions(source).unwrap_or_default();
        if cbmc.is_none() {
            self.before_main(&mut instructions, start);
        }
        // What may be skipped or repeated is no first value.
        let branches = instructions.iter().any(|i| i.kind == Kind::Goto);
        let mut rest: Vec<InstructionView> = Vec::new();
        let mut left = Mentioned::default();
        for mut instruction in instructions {
            if self.initializes_nothing(&instruction) {
                instruction.kind = Kind::Skip;
            }
            if branches || !self.initializes(&instruction, &left) {
                self.mention(&instruction, &mut left);
                rest.push(instruction);
            }
        }
        // What the function does not mention has the value of its symbol, if that is known.
        self.values_of_symbols(|_| false);
        let does_something = |i: &InstructionView| {
            !matches!(i.kind, Kind::Skip | Kind::Location | Kind::EndFunction)
        };
        let existing = match self.objects.get("__CPROVER_initialize") {
            Some(&Object::Function(id)) => Some(id),
            _ => None,
        };
        if !rest.iter().any(does_something) && existing.is_none() {
            return None;
        }
        let id = match existing {
            Some(id) => id,
            None => {
                let void = self.p.types.void();
                let ty = self.p.types.func(void, []);
                self.p.add_function(Function {
                    library: true,
                    ..Function::declaration(INITIALIZE, INITIALIZE, ty)
                })
            }
        };
        self.body_of(id, &rest);
        self.p.functions[id].library = true;
        Some(id)
    }

    /// Keeps of ESBMC's entry function what it does before it calls the program's: neither what belongs to its library nor
    /// what comes behind.
    fn before_main(&self, instructions: &mut Vec<InstructionView>, start: &Option<Entry>) {
        let b = self.b;
        let called = |i: &InstructionView| match b.operands(i.code).get(1) {
            Some(&callee) if i.kind == Kind::Call => b.ireps.get_id(callee, "identifier"),
            _ => "",
        };
        let is_program = |name: &str| {
            let entry = matches!(start, Some(Entry::Call { function, .. }) if function == name);
            entry || plain_name(name) == "main"
        };
        if let Some(at) = instructions.iter().position(|i| is_program(called(i))) {
            // A jump behind the call has no target any more.
            instructions.truncate(at);
            instructions.iter_mut().flat_map(|i| &mut i.targets).for_each(|target| {
                *target = target.filter(|&t| t < at);
            });
        }
        for instruction in instructions {
            let file = instruction.location.map_or("", |l| b.ireps.get_id(l, "file"));
            let own = match self.objects.get(called(instruction)) {
                Some(Object::Function(function)) => self.has_body(*function),
                _ => false,
            };
            if is_library_file(file) || instruction.kind == Kind::Call && !own {
                instruction.kind = Kind::Skip;
            }
        }
    }

    /// Returns whether an instruction gives a value to an object of a type that is not defined, which nobody can look
    /// at.
    fn initializes_nothing(&mut self, instruction: &InstructionView) -> bool {
        let b = self.b;
        let (Kind::Assign, Some(&place)) = (instruction.kind, b.operands(instruction.code).first())
        else {
            return false;
        };
        let Some(ty) = b.ireps.get(place, "type").filter(|_| b.ireps.id(place) == "symbol") else {
            return false;
        };
        let Ok(ty) = self.ty(ty) else { return false };
        let Type::Struct(id) = *self.p.types.get(ty) else { return false };
        !self.p.types.structs[id].complete
    }

    /// Notes what an instruction reads and writes.
    fn mention(&self, instruction: &InstructionView, mentioned: &mut Mentioned) {
        let b = self.b;
        mentioned.anything |= matches!(instruction.kind, Kind::Call | Kind::StartThread);
        let mut work = vec![instruction.code];
        work.extend(instruction.guard);
        while let Some(irep) = work.pop() {
            if !mentioned.seen.insert(irep) {
                continue;
            }
            match b.ireps.id(irep) {
                "dereference" => mentioned.anything = true,
                // An index may go through a pointer.
                "index" => {
                    let base = b.operands(irep).first().and_then(|&base| b.ireps.get(base, "type"));
                    mentioned.anything |= base.is_some_and(|ty| b.ireps.id(ty) == "pointer");
                }
                "symbol" => {
                    mentioned.names.insert(b.ireps.get_id(irep, "identifier").to_owned());
                }
                _ => {}
            }
            work.extend(b.operands(irep));
        }
    }

    /// First values from the symbols themselves, for objects that nothing else initialises.
    fn values_of_symbols(&mut self, all: impl Fn(&str) -> bool) {
        let mut names: Vec<String> = self.objects.keys().cloned().collect();
        names.sort();
        for name in names {
            let Some(&Object::Variable(symbol)) = self.objects.get(&name) else { continue };
            let SymbolKind::Static { init: StaticInit::Nondet, .. } = self.p.symbols[symbol].kind
            else {
                continue;
            };
            let Some(&i) = self.symbol_by_name.get(&name[..]) else { continue };
            let view = self.symbols[i].clone();
            let builtin = name.starts_with("__CPROVER");
            if all(&name)
                && view.static_lifetime
                && !view.is_extern
                && view.value.is_none()
                && !builtin
            {
                // A file that is not linked yet leaves zeros to the linker (C17 6.9.2p2).
                if let SymbolKind::Static { init, .. } = &mut self.p.symbols[symbol].kind {
                    *init = StaticInit::Data(Vec::new());
                }
                continue;
            }
            if view.static_lifetime && view.value.is_none() && !builtin {
                self.undefined.push(name.clone());
            }
            if let Some(value) = view.value
                && view.static_lifetime
                && (all(&name) || view.is_extern)
                && let Some(value) = self.constant_value(symbol, value)
            {
                self.set_first_value(symbol, value, view.ty);
            }
        }
    }

    fn constant_value(&mut self, symbol: SymbolId, value: crate::irep::IrepId) -> Option<ExprId> {
        let before = self.effects;
        self.builder = FunctionBuilder::new();
        let ty = self.p.symbols[symbol].ty;
        let value = self.value_at(value, ty).ok()?;
        (self.effects == before).then_some(value)
    }

    /// Takes an assignment as a first value, if it is one that nothing before it looks at.
    fn initializes(&mut self, instruction: &InstructionView, before: &Mentioned) -> bool {
        let b = self.b;
        if instruction.kind != Kind::Assign {
            return false;
        }
        let [left, right] = b.operands(instruction.code)[..] else { return false };
        if b.ireps.id(left) != "symbol" {
            return false;
        }
        let name = b.ireps.get_id(left, "identifier").to_owned();
        if before.anything || before.names.contains(&name) {
            return false;
        }
        let Ok(Object::Variable(symbol)) = self.object(&name, b.ireps.get(left, "type")) else {
            return false;
        };
        if !matches!(
            self.p.symbols[symbol].kind,
            SymbolKind::Static { init: StaticInit::Nondet, .. }
        ) {
            return false;
        }
        let Some(value) = self.constant_value(symbol, right) else { return false };
        let ty = self.symbol_by_name.get(&name[..]).map(|&i| self.symbols[i].ty);
        match ty.or_else(|| b.ireps.get(left, "type")) {
            Some(ty) => self.set_first_value(symbol, value, ty),
            None => false,
        }
    }

    fn set_first_value(
        &mut self,
        symbol: SymbolId,
        value: ExprId,
        ty: crate::irep::IrepId,
    ) -> bool {
        let mut parts = Vec::new();
        // A shared constant stands for a tree of any size.
        let mut steps = MOST_STEPS;
        if !self.flatten(value, 0, &mut parts, &mut steps) {
            return false;
        }
        let is_constant = self.is_constant_object(&self.p.symbols[symbol].name, ty);
        let info = &mut self.p.symbols[symbol];
        if let SymbolKind::Static { init, .. } = &mut info.kind {
            *init = StaticInit::Data(parts);
            info.writable = !is_constant;
        }
        true
    }

    /// Returns whether a variable's type or that of its elements is `const`. That is C's word; other languages mean
    /// something else by it.
    pub(super) fn is_constant_object(&self, name: &str, ty: crate::irep::IrepId) -> bool {
        if self.symbol_by_name.get(name).is_some_and(|&i| self.symbols[i].mode == "java") {
            return false;
        }
        let mut ty = ty;
        loop {
            if self.b.ireps.get_id(ty, "#constant") == "1" {
                return true;
            }
            match (self.b.ireps.id(ty), self.b.subtype(ty)) {
                ("array", Some(element)) => ty = element,
                _ => return false,
            }
        }
    }

    /// Takes a constant apart. Whether it is one that has parts of its own.
    fn flatten(
        &self,
        value: ExprId,
        offset: u64,
        parts: &mut Vec<InitPart>,
        steps: &mut u32,
    ) -> bool {
        let p = &self.p;
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let ty = p.exprs.ty(value);
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match p.exprs.kind(value) {
            ExprKind::Zero => true,
            ExprKind::Int(bits) if bits.is_zero() => true,
            ExprKind::Struct(members) => {
                let &Type::Struct(id) = p.types.get(ty) else { return false };
                let fields = &p.types.structs[id].fields;
                let mut bits: Vec<(u64, u8)> = Vec::new();
                for (field, &member) in fields.iter().zip(members.iter()) {
                    match (field.first_bit, p.exprs.kind(member)) {
                        (None, _) => {
                            if !self.flatten(member, offset + field.offset, parts, steps) {
                                return false;
                            }
                        }
                        (Some(first), ExprKind::Int(value)) => {
                            for i in (0..value.width()).filter(|&i| value.bit(i)) {
                                let at = u64::from(first + i);
                                let byte = offset + field.offset + at / 8;
                                match bits.last_mut() {
                                    Some((last, mask)) if *last == byte => *mask |= 1 << (at % 8),
                                    _ => bits.push((byte, 1 << (at % 8))),
                                }
                            }
                        }
                        _ => return false,
                    }
                }
                for (byte, mask) in bits {
                    parts.push(InitPart::Bytes { offset: byte, bytes: [mask].into() });
                }
                parts.sort_by_key(|part| match part {
                    InitPart::Value { offset, .. } | InitPart::Bytes { offset, .. } => *offset,
                });
                true
            }
            ExprKind::Union(member, inner) => {
                let &Type::Struct(id) = p.types.get(ty) else { return false };
                let field = &p.types.structs[id].fields[*member as usize];
                field.first_bit.is_none()
                    && self.flatten(*inner, offset + field.offset, parts, steps)
            }
            ExprKind::Array(elements) => {
                let &Type::Array(element, _) = p.types.get(ty) else { return false };
                let Some(size) = p.size_of(element) else { return false };
                let mut at = offset;
                elements.iter().all(|&e| {
                    let flat = self.flatten(e, at, parts, steps);
                    at += size;
                    flat
                })
            }
            ExprKind::ArrayOf(element) => {
                let mut none = Vec::new();
                self.flatten(*element, 0, &mut none, steps) && none.is_empty()
            }
            // The same bytes at another type.
            &ExprKind::Bits(inner) if p.size_of(p.exprs.ty(inner)) == p.size_of(ty) => {
                self.flatten(inner, offset, parts, steps)
            }
            _ if self.is_constant(value, steps) => {
                parts.push(InitPart::Value { offset, value });
                true
            }
            // A string: the bytes of its object.
            ExprKind::Symbol(symbol) => match &p.symbols[*symbol].kind {
                SymbolKind::Static { init: StaticInit::Data(data), .. }
                    if !p.symbols[*symbol].writable
                        && p.symbols[*symbol].name.starts_with("$string::") =>
                {
                    for part in data {
                        if let InitPart::Bytes { offset: at, bytes } = part {
                            let bytes = bytes.clone();
                            parts.push(InitPart::Bytes { offset: offset + at, bytes });
                        }
                    }
                    true
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// Returns whether an expression is a constant that a first value may have.
    fn is_constant(&self, value: ExprId, steps: &mut u32) -> bool {
        let p = &self.p;
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match p.exprs.kind(value) {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {
                true
            }
            ExprKind::Cast(_, inner) | ExprKind::Unary(_, inner) => self.is_constant(*inner, steps),
            ExprKind::Binary(_, a, b) => self.is_constant(*a, steps) && self.is_constant(*b, steps),
            ExprKind::Ite(a, b, c) => [a, b, c].iter().all(|&&x| self.is_constant(x, steps)),
            ExprKind::AddressOf(place) => {
                let mut place = *place;
                loop {
                    match *p.exprs.kind(place) {
                        ExprKind::Member(base, _) => place = base,
                        ExprKind::Index(base, index) if self.is_constant(index, steps) => {
                            place = base
                        }
                        ExprKind::Symbol(symbol) => {
                            return matches!(
                                p.symbols[symbol].kind,
                                SymbolKind::Static { thread_local: false, .. }
                            );
                        }
                        _ => return false,
                    }
                }
            }
            _ => false,
        })
    }
}

//! Nested functions, an extension of GNU C.
//!
//! **Idea** (Breuel, "Lexical closures for C++", which gcc follows). A function with nested functions keeps a hidden
//! structure, its *frame*. It holds the addresses of the variables that nested functions use, one *trampoline* per nested
//! function, and the frame of the function around it. A nested function gets the frame of the function around it as a
//! hidden first argument, its *chain*, and finds variables further out by following frames.
//!
//! A pointer to a nested function must carry its chain. It is the address of the trampoline, a structure with the function
//! and its chain, plus one: an odd address, which no function has. So in a program with nested functions a call through a
//! pointer looks at the lowest bit. The pointer is good as long as the function around is active, as in gcc; later the
//! trampoline is dead, and the call is an access to a dead object.
//!
//! A `goto` out of a nested function unwinds like `longjmp`: each activation whose labels are the target of such a jump
//! draws a number, keeps it in its frame, and looks for it where jumps that are under way arrive.

use crate::function::Fx;
use crate::link::{Cx, Resolved, UnitIndex};
use rustc_hash::FxHashMap;
use vergo_cfront::hir::{FuncId, LabelId, StmtKind, VarId};
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Callee, Instr, InstrKind, SymbolId, SymbolKind};
use vergo_goto::types::{Field, StructId, StructType, Type, TypeId};

/// The field of a frame with the frame of the function around.
const PARENT: u32 = 0;
/// The field of a frame with the number of the activation.
const NUMBER: u32 = 1;

/// The layout of the frame of a function.
pub(crate) struct Frame {
    ty: TypeId,
    id: StructId,
    /// Where the address of a variable is.
    variables: FxHashMap<SymbolId, u32>,
    /// Where the trampoline of a nested function is.
    trampolines: FxHashMap<FuncId, u32>,
}

/// The nested functions of the user's unit, if there are any.
#[derive(Default)]
pub(crate) struct Nests {
    frames: FxHashMap<FuncId, Frame>,
    /// Labels of a function to which nested functions jump.
    pub(crate) labels: FxHashMap<FuncId, Vec<LabelId>>,
    trampoline: Option<TypeId>,
}

impl Cx<'_> {
    /// Looks for nested functions.
    pub(crate) fn find_nests(&mut self) {
        let unit = self.units[0].unit.clone();
        if unit.functions.values().all(|function| function.nested.is_none()) {
            return;
        }
        let mut nests = Nests::default();
        for stmt in unit.stmts.values() {
            if let StmtKind::GotoOuter(label, function) = stmt.kind {
                let labels = nests.labels.entry(function).or_default();
                if !labels.contains(&label) {
                    labels.push(label);
                }
            }
        }
        self.nests = Some(nests);
    }

    /// Returns whether a function is nested in another.
    pub(crate) fn is_nested(&self, unit: UnitIndex, func: FuncId) -> bool {
        self.units[unit].unit.functions[func].nested.is_some()
    }

    fn trampoline_type(&mut self) -> TypeId {
        if let Some(ty) = self.nests.as_ref().and_then(|nests| nests.trampoline) {
            return ty;
        }
        let pointer = self.void_ptr();
        let word = self.target.word;
        let field =
            |name: &str, offset| Field { name: name.into(), ty: pointer, offset, first_bit: None };
        let fields = vec![field("function", 0), field("chain", word)];
        let name = self.unique_struct_name("trampoline");
        let ty = self.hidden_struct(name, fields, 2 * word).0;
        if let Some(nests) = &mut self.nests {
            nests.trampoline = Some(ty);
        }
        ty
    }

    fn hidden_struct(&mut self, name: String, fields: Vec<Field>, size: u64) -> (TypeId, StructId) {
        let align = self.target.word;
        let id = self.p.add_struct(StructType {
            name,
            union: false,
            fields,
            size,
            align,
            complete: true,
        });
        (self.p.types.intern(Type::Struct(id)), id)
    }

    fn frame(&self, func: FuncId) -> Option<&Frame> {
        self.nests.as_ref()?.frames.get(&func)
    }

    fn add_frame_field(&mut self, id: StructId, name: String, ty: TypeId) -> u32 {
        let size = self.p.size_of(ty).unwrap_or(0);
        let layout = &mut self.p.types.structs[id];
        let number = layout.fields.len() as u32;
        layout.fields.push(Field { name, ty, offset: layout.size, first_bit: None });
        layout.size += size;
        number
    }
}

impl Fx<'_, '_> {
    /// At the beginning of a function with nested functions: makes and fills its frame.
    pub(crate) fn open_frame(&mut self, func: FuncId) {
        if self.cx.nests.is_none() || self.u != 0 {
            return;
        }
        let unit = self.unit.clone();
        let children: Vec<FuncId> = unit
            .functions
            .iter()
            .filter(|(_, f)| f.nested == Some(func) && f.body.is_some())
            .map(|(id, _)| id)
            .collect();
        if children.is_empty() {
            return;
        }
        let (void_ptr, size) = (self.cx.void_ptr(), self.cx.p.size_type());
        let name = self.cx.unique_struct_name(&format!("frame_{}", self.name));
        let (ty, id) = self.cx.hidden_struct(name, Vec::new(), 0);
        self.cx.add_frame_field(id, "parent".into(), void_ptr);
        self.cx.add_frame_field(id, "number".into(), size);
        let trampoline = self.cx.trampoline_type();
        let mut trampolines = FxHashMap::default();
        for &child in &children {
            let name = format!("trampoline{}", trampolines.len());
            trampolines.insert(child, self.cx.add_frame_field(id, name, trampoline));
        }
        let slots: Vec<(FuncId, u32)> = children.iter().map(|&c| (c, trampolines[&c])).collect();
        let frame = Frame { ty, id, variables: FxHashMap::default(), trampolines };
        if let Some(nests) = &mut self.cx.nests {
            nests.frames.insert(func, frame);
        }
        let span = unit.functions[func].span;
        let symbol = self.local("", ty, span, 1);
        // It is there before any variable is.
        self.zero_at_entry.insert(0, symbol);
        self.frame = Some(symbol);
        let place = self.cx.p.symbol(symbol);
        let address = self.cx.p.address_of(place);
        let address = self.cx.p.cast(void_ptr, address);
        if let Some(chain) = self.chain {
            let parent = self.cx.p.member(place, PARENT);
            let chain = self.cx.p.symbol(chain);
            self.assign(parent, chain);
        }
        for (child, slot) in slots {
            let Resolved::Function(callee) = self.cx.resolve(self.u, child) else { continue };
            let code = self.cx.p.function(callee);
            let code = self.cx.p.cast(void_ptr, code);
            let slot = self.cx.p.member(place, slot);
            let (function, chain) = (self.cx.p.member(slot, 0), self.cx.p.member(slot, 1));
            self.assign(function, code);
            self.assign(chain, address);
        }
        if self.cx.nests.as_ref().is_some_and(|nests| nests.labels.contains_key(&func)) {
            let number = self.cx.p.member(place, NUMBER);
            self.draw_number(number);
        }
    }

    /// Puts the address of a variable into the frame, if a nested function uses the variable: now for a parameter, wherever
    /// it is declared for a local.
    pub(crate) fn capture(&mut self, var: VarId, symbol: SymbolId) {
        let (Some(frame), Some(func)) = (self.frame, self.func) else { return };
        if !self.unit.captured.contains(var) {
            return;
        }
        let Some(id) = self.cx.frame(func).map(|frame| frame.id) else { return };
        let ty = self.cx.p.symbols[symbol].ty;
        let ty = self.cx.p.types.ptr(ty);
        let name = format!("variable{}", self.cx.p.types.structs[id].fields.len());
        let field = self.cx.add_frame_field(id, name, ty);
        if let Some(nests) = &mut self.cx.nests
            && let Some(frame) = nests.frames.get_mut(&func)
        {
            frame.variables.insert(symbol, field);
        }
        let place = self.cx.p.symbol(frame);
        let place = self.cx.p.member(place, field);
        let variable = self.cx.p.symbol(symbol);
        let address = self.cx.p.address_of(variable);
        if let SymbolKind::Param(_) = self.cx.p.symbols[symbol].kind {
            self.assign(place, address);
        } else {
            self.captures.insert(symbol, (place, address));
        }
    }

    /// Writes the addresses of captured locals into the frame, behind each of their declarations.
    pub(crate) fn apply_captures(&mut self) {
        if self.captures.is_empty() {
            return;
        }
        let old = std::mem::take(self.b.instrs_mut());
        let mut new = Vec::with_capacity(old.len() + self.captures.len());
        for instr in old {
            let declared = match instr.kind {
                InstrKind::Decl(symbol) => self.captures.get(&symbol).copied(),
                _ => None,
            };
            let span = instr.span;
            new.push(instr);
            if let Some((place, address)) = declared {
                let kind = InstrKind::Assign(place, address);
                new.push(Instr { kind, span, parts: Box::default() });
            }
        }
        *self.b.instrs_mut() = new;
    }

    /// The place of a symbol of the function itself or of one around it.
    pub(crate) fn reach(&mut self, symbol: SymbolId) -> ExprId {
        let (SymbolKind::Local(owner) | SymbolKind::Param(owner)) = self.cx.p.symbols[symbol].kind
        else {
            return self.cx.p.symbol(symbol);
        };
        if owner == self.id {
            return self.cx.p.symbol(symbol);
        }
        let mut around = self.func.and_then(|func| self.unit.functions[func].nested);
        while let Some(func) = around {
            let field = self.cx.frame(func).and_then(|frame| frame.variables.get(&symbol).copied());
            if let Some(field) = field
                && let Some(frame) = self.frame_of(func)
            {
                let pointer = self.cx.p.member(frame, field);
                return self.cx.p.deref(pointer);
            }
            around = self.unit.functions[func].nested;
        }
        self.b.unsupported("a variable of another function".to_string());
        self.cx.p.symbol(symbol)
    }

    /// The frame of the function itself or of one around it.
    fn frame_of(&mut self, target: FuncId) -> Option<ExprId> {
        if self.func == Some(target) {
            return self.frame.map(|frame| self.cx.p.symbol(frame));
        }
        let mut func = self.unit.functions[self.func?].nested?;
        let ty = self.cx.frame(func)?.ty;
        let chain = self.cx.p.symbol(self.chain?);
        let mut place = self.deref_as(chain, ty);
        while func != target {
            func = self.unit.functions[func].nested?;
            let ty = self.cx.frame(func)?.ty;
            let parent = self.cx.p.member(place, PARENT);
            place = self.deref_as(parent, ty);
        }
        Some(place)
    }

    /// The chain with which a nested function is called.
    pub(crate) fn chain_of(&mut self, func: FuncId) -> Option<ExprId> {
        let around = self.unit.functions[func].nested?;
        let frame = self.frame_of(around)?;
        let address = self.cx.p.address_of(frame);
        let ty = self.cx.void_ptr();
        Some(self.cx.p.cast(ty, address))
    }

    /// A function as a pointer.
    pub(crate) fn function_value(&mut self, func: FuncId) -> ExprId {
        let Some(around) = self.unit.functions[func].nested else {
            return self.cx.function_pointer(self.u, func);
        };
        let slot = self.cx.frame(around).and_then(|frame| frame.trampolines.get(&func).copied());
        let (Some(slot), Some(frame)) = (slot, self.frame_of(around)) else {
            return self.cx.function_pointer(self.u, func);
        };
        let trampoline = self.cx.p.member(frame, slot);
        let address = self.cx.p.address_of(trampoline);
        let char_ptr = self.cx.char_ptr();
        let address = self.cx.p.cast(char_ptr, address);
        let one = self.cx.p.size(1);
        let odd = self.cx.p.ptr_add(address, one);
        let unit = self.unit.clone();
        let ty = self.ty(unit.functions[func].ty);
        let ty = self.cx.p.types.ptr(ty);
        self.cx.p.cast(ty, odd)
    }

    /// A call through a pointer where it may be that of a nested function.
    pub(crate) fn call_pointer(
        &mut self,
        pointer: ExprId,
        function: TypeId,
        args: Vec<ExprId>,
        dest: Option<ExprId>,
    ) {
        if self.cx.nests.is_none() {
            let callee = Callee::Indirect(pointer);
            self.emit(InstrKind::Call { dest, callee, args: args.into_boxed_slice() });
            self.after_call();
            return;
        }
        let pointer = self.freeze(pointer);
        let args: Vec<ExprId> = args.into_iter().map(|arg| self.freeze(arg)).collect();
        let size = self.cx.p.size_type();
        let bits = self.cx.p.cast(size, pointer);
        let (zero, one) = (self.cx.p.size(0), self.cx.p.size(1));
        let low = self.cx.p.bit_and(bits, one);
        let plain = self.cx.p.eq(low, zero);
        let (direct, after) = (self.b.new_label(), self.b.new_label());
        self.emit(InstrKind::Goto(Some(plain), direct));
        // The pointer of a nested function: the trampoline lies one byte before.
        let char_ptr = self.cx.char_ptr();
        let bytes = self.cx.p.cast(char_ptr, pointer);
        let back = self.cx.p.neg(one);
        let bytes = self.cx.p.ptr_add(bytes, back);
        let trampoline = self.cx.trampoline_type();
        let trampoline = self.deref_as(bytes, trampoline);
        let (code, chain) = (self.cx.p.member(trampoline, 0), self.cx.p.member(trampoline, 1));
        let Type::Func(ret, params) = self.cx.p.types.get(function).clone() else { return };
        let mut types = vec![self.cx.void_ptr()];
        types.extend(params.iter().copied());
        let nested = self.cx.p.types.func(ret, types);
        let nested = self.cx.p.types.ptr(nested);
        let code = self.cx.p.cast(nested, code);
        let code = self.save(code);
        let mut chained = vec![chain];
        chained.extend(args.iter().copied());
        let callee = Callee::Indirect(code);
        self.emit(InstrKind::Call { dest, callee, args: chained.into_boxed_slice() });
        self.after_call();
        self.b.goto(after);
        self.b.label(direct);
        let callee = Callee::Indirect(pointer);
        self.emit(InstrKind::Call { dest, callee, args: args.into_boxed_slice() });
        self.after_call();
        self.b.label(after);
    }

    /// The number of an activation, in the function's frame or in one around it.
    pub(crate) fn activation(&mut self, func: FuncId) -> Option<ExprId> {
        let frame = self.frame_of(func)?;
        Some(self.cx.p.member(frame, NUMBER))
    }
}

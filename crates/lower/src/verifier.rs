//! Functions of verifiers' C: questions about memory, uninterpreted functions, and what the parser makes of contracts.
//!
//! **Contracts.** `__vergo_contract_f` stands for the contract of `f` (see `vergo_cfront`'s parser). Calls of `f` go to it
//! where `f` is to be checked against its contract or to be replaced by it; its own call of `f` is the only one of the
//! body. What may be written is evaluated before the call. Where the contract replaces `f`, it gets any value afterwards;
//! where `f` is checked, it is kept in variables (`FRAME`, `TARGET`) against which a pass checks every write.

use crate::codes;
use crate::function::Fx;
use crate::known::Known;
use crate::link::{Cx, Resolved, UnitIndex, link_name};
use vergo_cfront::hir::{CastKind, Expr, ExprId as HirExpr, ExprKind, FuncId};
use vergo_goto::contract;
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::program::{
    Callee, FunctionId, InstrKind, Region, StaticInit, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::property::PropertyId;
use vergo_goto::types::{Type, TypeId};
use vergo_source::{Diagnostic, Span};

/// The name of the function that stands for a contract, before that of the function.
pub(crate) const CONTRACT: &str = "__vergo_contract_";

/// A function of verifiers' C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verifier {
    /// The question whether so many bytes may be read, or written.
    Accessible {
        write: bool,
    },
    SameObject,
    /// A number of the object.
    ObjectNumber,
    Allocate,
    /// Nothing happens; the arguments are evaluated.
    Nothing,
    /// The same value for the same arguments.
    Uninterpreted,
    /// The place behind the pointer gets any value.
    Any,
    /// A clause of a contract that is assumed here.
    Assumed,
    /// A clause of a contract that is claimed here: what it is called.
    Claimed(&'static str),
    IsEnforced,
    /// Sets a variable to the least value of its type.
    Least,
    /// Something that may be written.
    Target(Extent),
    HavocTargets,
    Frame(bool),
    /// Pointers that are fresh are forgotten.
    Forget,
    /// A marker of a loop with a contract.
    Marker,
    IsFresh,
    PointerInRange,
    /// Known, and not handled.
    Unhandled,
}

/// The extent of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    Place,
    Whole,
    From,
    Upto,
}

/// A target of the contract that is being lowered: pointer and size, evaluated; the place, if it is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pointer: ExprId,
    size: ExprId,
    typed: Option<TypeId>,
}

/// The clauses so far of the contract that is being lowered.
#[derive(Default)]
pub(crate) struct ContractState {
    targets: Vec<Target>,
    /// Variables with the pointers that were fresh, and with their sizes.
    fresh: Vec<(SymbolId, SymbolId)>,
    /// In a clause: whether it is assumed rather than claimed.
    assumes: Option<bool>,
}

impl Verifier {
    /// The function of a name of CBMC's.
    pub(crate) fn of_cbmc(name: &str) -> Option<Known> {
        Some(Known::Verifier(match name {
            "r_ok" => Verifier::Accessible { write: false },
            "w_ok" | "rw_ok" => Verifier::Accessible { write: true },
            "same_object" => Verifier::SameObject,
            "POINTER_OBJECT" => Verifier::ObjectNumber,
            "OBJECT_SIZE" => return Some(Known::Memory(MemoryOp::ObjectSize)),
            "POINTER_OFFSET" => return Some(Known::Memory(MemoryOp::Offset)),
            "LIVE_OBJECT" => return Some(Known::Memory(MemoryOp::IsLive)),
            "DYNAMIC_OBJECT" => return Some(Known::Memory(MemoryOp::IsHeap)),
            "WRITEABLE_OBJECT" => return Some(Known::Memory(MemoryOp::IsWritable)),
            "postcondition" => return Some(Known::Assert),
            "allocate" => Verifier::Allocate,
            "deallocate" => return Some(Known::Free),
            "printf" | "fence" => Verifier::Nothing,
            "is_fresh" => Verifier::IsFresh,
            "pointer_in_range_dfcc" => Verifier::PointerInRange,
            "allocated_memory" | "array_copy" | "array_equal" | "array_replace" | "array_set"
            | "obeys_contract" | "is_freeable" | "freeable" | "was_freed" => Verifier::Unhandled,
            _ if name.starts_with("uninterpreted_") => Verifier::Uninterpreted,
            _ => return Verifier::of_library(name),
        }))
    }

    /// Functions of the library under CBMC's names.
    fn of_library(name: &str) -> Option<Known> {
        use vergo_goto::expr::UnaryOp;
        matches!(name, "fabs" | "fabsf" | "fabsl").then_some(Known::Unary(UnaryOp::Abs))
    }

    /// The function of a name that the parser makes of contracts.
    pub(crate) fn of_contract(name: &str) -> Option<Known> {
        Some(Known::Verifier(match name {
            "any" => Verifier::Any,
            "requires_assumed" | "ensures_assumed" | "invariant_assumed" => Verifier::Assumed,
            "requires_claimed" => Verifier::Claimed("precondition"),
            "ensures_claimed" => Verifier::Claimed("postcondition"),
            "invariant_at_entry" => Verifier::Claimed("loop invariant before the first round"),
            "invariant_after_round" => Verifier::Claimed("loop invariant after a round"),
            "measure_decreases" => Verifier::Claimed("the measure of the loop decreases"),
            "is_enforced" => Verifier::IsEnforced,
            "least" => Verifier::Least,
            "assigns_place" => Verifier::Target(Extent::Place),
            "assigns_whole" => Verifier::Target(Extent::Whole),
            "assigns_from" => Verifier::Target(Extent::From),
            "assigns_upto" => Verifier::Target(Extent::Upto),
            "frees_place" | "frees_whole" | "frees_from" | "frees_upto" => Verifier::Unhandled,
            "havoc_targets" => Verifier::HavocTargets,
            "frame_begin" => Verifier::Frame(true),
            "frame_end" => Verifier::Frame(false),
            "contract_begin" => Verifier::Nothing,
            "contract_end" => Verifier::Forget,
            _ if name.starts_with("loop_") => Verifier::Marker,
            _ => return None,
        }))
    }
}

impl Cx<'_> {
    /// The function that a call of a function means where contracts are in force; `caller` is who calls.
    pub(crate) fn under_contract(
        &mut self,
        unit: UnitIndex,
        func: FuncId,
        caller: Option<FuncId>,
    ) -> FuncId {
        let contracts = &self.options.contracts;
        if contracts.enforced.is_empty() && contracts.replaced.is_empty() || unit != 0 {
            return func;
        }
        let handle = self.units[unit].unit.clone();
        let function = &handle.functions[func];
        let linked = link_name(&handle, function.name, function.asm_name);
        let name = handle.names.name(function.name);
        let is_named = |list: &[String]| list.iter().any(|one| one == linked || one == name);
        if !is_named(&contracts.enforced) && !is_named(&contracts.replaced) {
            return func;
        }
        let wanted = format!("{CONTRACT}{name}");
        if caller.is_some_and(|caller| handle.names.name(handle.functions[caller].name) == wanted) {
            return func;
        }
        handle
            .functions
            .iter()
            .find(|(_, f)| f.body.is_some() && handle.names.name(f.name) == wanted)
            .map_or(func, |(id, _)| id)
    }

    /// Returns whether a list names a function of the program, by its own name or that of the linker.
    fn is_named(&self, list: &[String], name: &str) -> bool {
        let unit = &self.units[0].unit;
        list.iter().any(|one| one == name)
            || unit.functions.values().any(|f| {
                unit.names.name(f.name) == name
                    && f.asm_name
                        .is_some_and(|asm| list.iter().any(|one| one == unit.names.name(asm)))
            })
    }

    /// Says which contracts are asked for that are not there, or not at once.
    pub(crate) fn check_contracts(&mut self) {
        let contracts = self.options.contracts.clone();
        let unit = self.units[0].unit.clone();
        for name in contracts.enforced.iter().chain(&contracts.replaced) {
            let function = unit.functions.values().find(|f| {
                unit.names.name(f.name) == name
                    || f.asm_name.is_some_and(|asm| unit.names.name(asm) == name)
            });
            let wanted = function.map(|f| format!("{CONTRACT}{}", unit.names.name(f.name)));
            let has_contract = wanted.is_some_and(|wanted| {
                unit.functions
                    .values()
                    .any(|f| f.body.is_some() && unit.names.name(f.name) == wanted)
            });
            if !has_contract {
                let span = function.map_or(Span::DUMMY, |f| f.span);
                let message = format!("there is no contract of a function `{name}`");
                self.report(Diagnostic::error(codes::NO_CONTRACT, span, message));
            }
        }
        if let [_, second, ..] = &contracts.enforced[..] {
            let message = format!(
                "one function is checked against its contract at a time, not also `{second}`"
            );
            self.report(Diagnostic::error(codes::NO_CONTRACT, Span::DUMMY, message));
        }
    }

    /// A function whose call marks a place.
    fn marker(&mut self, name: &str, ty: TypeId) -> FunctionId {
        let key = (name.to_owned(), ty);
        if let Some(&id) = self.markers.get(&key) {
            return id;
        }
        let id = self.add_function(name, name, ty, Span::DUMMY, true);
        self.markers.insert(key, id);
        id
    }

    /// A variable that only verification has.
    fn ghost(&mut self, name: &str, ty: TypeId) -> SymbolId {
        let align = self.align_of(ty);
        let kind = SymbolKind::Static { init: StaticInit::Data(Vec::new()), thread_local: false };
        let symbol = Symbol {
            name: String::new(),
            display: String::new(),
            ty,
            kind,
            span: Span::DUMMY,
            align,
            writable: true,
        };
        self.add_symbol(name, symbol)
    }
}

impl Fx<'_, '_> {
    /// A call of a function of verifiers' C.
    pub(crate) fn verifier_call(
        &mut self,
        node: Expr,
        verifier: Verifier,
        func: FuncId,
        hir_args: &[HirExpr],
    ) -> Option<ExprId> {
        let ptr = self.cx.void_ptr();
        let size_type = self.cx.p.size_type();
        match verifier {
            Verifier::Assumed => {
                let &arg = hir_args.first()?;
                let outer = self.contract.assumes.replace(true);
                let cond = self.cond(arg);
                self.contract.assumes = outer;
                self.emit(InstrKind::Assume(cond));
                return None;
            }
            Verifier::Claimed(what) => {
                let &arg = hir_args.first()?;
                let outer = self.contract.assumes.replace(false);
                let cond = self.cond(arg);
                self.contract.assumes = outer;
                let text = self.cx.sources.span_text(self.unit.exprs[arg].span);
                let text = String::from_utf8_lossy(text).trim().to_owned();
                let of = match self.name.strip_prefix(CONTRACT) {
                    Some(name) => format!(" of `{name}`"),
                    None => String::new(),
                };
                self.claim(cond, "user.assert", format!("{what}{of}: `{text}`"));
                return None;
            }
            Verifier::IsFresh | Verifier::PointerInRange if self.contract.assumes.is_none() => {
                self.b.unsupported("a predicate of contracts outside of a clause");
                return None;
            }
            Verifier::IsFresh if self.contract.assumes == Some(true) => {
                return Some(self.make_fresh(hir_args));
            }
            Verifier::PointerInRange if self.contract.assumes == Some(true) => {
                return Some(self.make_in_range(hir_args));
            }
            Verifier::Any => {
                let place = self.behind(*hir_args.first()?)?;
                let value = self.cx.p.nondet(self.cx.p.exprs.ty(place));
                self.emit(InstrKind::Assign(place, value));
                return None;
            }
            Verifier::Least => {
                let place = self.behind(*hir_args.first()?)?;
                let ty = self.cx.p.exprs.ty(place);
                let least = match *self.cx.p.types.get(ty) {
                    Type::Int { width, signed: true } => -(1i128 << (width - 1)),
                    _ => 0,
                };
                let least = self.cx.p.int(ty, least);
                self.emit(InstrKind::Assign(place, least));
                return None;
            }
            Verifier::Target(Extent::Place) => {
                let cond = self.cond(*hir_args.first()?);
                let cond = self.freeze(cond);
                let place = self.behind(*hir_args.get(1)?)?;
                let ty = self.cx.p.exprs.ty(place);
                let pointer = self.cx.p.address_of(place);
                let pointer = self.coerce(pointer, ptr);
                let size = self.cx.p.size_of(ty).unwrap_or(0);
                let size = self.cx.p.size(size);
                if self.has_fixed_name(place)
                    && !self.is_contract()
                    && self.constant_truth(cond) == Some(true)
                {
                    // A loop writes it by its name: no variable needs its address.
                    self.contract.targets.push(Target { pointer, size, typed: Some(ty) });
                } else {
                    self.add_target(cond, pointer, size, Some(ty));
                }
                return None;
            }
            _ => {}
        }
        let args = self.arguments(hir_args);
        match verifier {
            Verifier::Accessible { write } => {
                let (&pointer, &size) = (args.first()?, args.get(1)?);
                let pointer = self.coerce(pointer, ptr);
                let size = self.coerce(size, size_type);
                Some(self.accessible(pointer, size, write))
            }
            Verifier::SameObject => {
                let (&a, &b) = (args.first()?, args.get(1)?);
                let (a, b) = (self.coerce(a, ptr), self.coerce(b, ptr));
                Some(self.same_object(a, b))
            }
            Verifier::ObjectNumber => {
                let pointer = self.coerce(*args.first()?, ptr);
                let offset = self.cx.p.memory(MemoryOp::Offset, [pointer]);
                let offset = self.cx.p.cast(size_type, offset);
                let address = self.cx.p.cast(size_type, pointer);
                Some(self.cx.p.sub(address, offset))
            }
            Verifier::Allocate => {
                let size = self.coerce(*args.first()?, size_type);
                let zeroed = args.get(1).is_some_and(|&zero| {
                    let truth = self.truth(zero);
                    self.constant_truth(truth) == Some(true)
                });
                let temp = self.temp(ptr);
                let dest = self.cx.p.symbol(temp);
                let align = self.cx.target.max_align;
                let region = Region::Heap;
                self.emit(InstrKind::Alloc { dest, size, align, region, zeroed });
                Some(dest)
            }
            Verifier::Uninterpreted => self.uninterpreted(node, func, &args),
            Verifier::IsEnforced => {
                let enforced = self.is_enforced();
                let int = self.cx.int_type();
                Some(self.cx.p.int(int, i128::from(enforced)))
            }
            Verifier::Target(extent) => {
                let cond = self.truth(*args.first()?);
                let typed = match extent {
                    Extent::Upto => self.whole_value(hir_args),
                    _ => None,
                };
                let pointer = self.coerce(*args.get(1)?, ptr);
                let pointer = self.freeze(pointer);
                let all = self.cx.p.memory(MemoryOp::ObjectSize, [pointer]);
                let offset = self.cx.p.memory(MemoryOp::Offset, [pointer]);
                let offset = self.cx.p.cast(size_type, offset);
                let (pointer, size) = match extent {
                    Extent::Upto => (pointer, self.coerce(*args.get(2)?, size_type)),
                    Extent::From => (pointer, self.cx.p.sub(all, offset)),
                    _ => {
                        let back = self.cx.p.neg(offset);
                        (self.cx.p.ptr_add(pointer, back), all)
                    }
                };
                self.add_target(cond, pointer, size, typed);
                None
            }
            Verifier::HavocTargets => {
                for target in self.contract.targets.clone() {
                    self.havoc(target);
                }
                None
            }
            Verifier::Frame(begins) => {
                self.frame(begins);
                None
            }
            Verifier::Forget => {
                self.contract.targets.clear();
                for (symbol, _) in std::mem::take(&mut self.contract.fresh) {
                    let place = self.cx.p.symbol(symbol);
                    let null = self.cx.p.null(ptr);
                    self.assign(place, null);
                }
                None
            }
            Verifier::Marker => {
                let unit = self.unit.clone();
                let name = unit.names.name(unit.functions[func].name).to_owned();
                let targets = match name.starts_with(contract::LOOP_ASSIGNS) {
                    true => std::mem::take(&mut self.contract.targets),
                    false => Vec::new(),
                };
                let args = targets.iter().flat_map(|target| [target.pointer, target.size]);
                self.marker(&name, args.collect());
                None
            }
            Verifier::IsFresh if self.is_enforced() => {
                self.b.unsupported("`__CPROVER_is_fresh` in a postcondition that is claimed");
                None
            }
            Verifier::IsFresh => {
                let (&pointer, &size) = (args.first()?, args.get(1)?);
                let pointer = self.coerce(pointer, ptr);
                let size = self.coerce(size, size_type);
                Some(self.is_fresh(pointer, size))
            }
            Verifier::PointerInRange => {
                let &[low, pointer, high] = &args[..] else { return None };
                let [low, pointer, high] = [low, pointer, high].map(|p| self.coerce(p, ptr));
                let one = self.cx.p.memory(MemoryOp::SameObject, [low, pointer]);
                let two = self.cx.p.memory(MemoryOp::SameObject, [pointer, high]);
                let [a, b, c] =
                    [low, pointer, high].map(|p| self.cx.p.memory(MemoryOp::Offset, [p]));
                let (ab, bc) = (self.cx.p.le(a, b), self.cx.p.le(b, c));
                let (same, order) = (self.cx.p.and(one, two), self.cx.p.and(ab, bc));
                Some(self.cx.p.and(same, order))
            }
            Verifier::Unhandled => {
                let unit = self.unit.clone();
                let name = unit.names.name(unit.functions[func].name);
                self.b.unsupported(format!("`{name}`"));
                None
            }
            _ => None,
        }
    }

    /// Returns whether a place is a variable or a part of one that stays the same.
    fn has_fixed_name(&self, mut place: ExprId) -> bool {
        use vergo_goto::expr::ExprKind as Kind;
        loop {
            place = match *self.cx.p.exprs.kind(place) {
                Kind::Member(base, _) => base,
                Kind::Index(base, index) if matches!(self.cx.p.exprs.kind(index), Kind::Int(_)) => {
                    base
                }
                Kind::Symbol(_) => return true,
                _ => return false,
            }
        }
    }

    /// Returns whether this is the contract of a function.
    fn is_contract(&self) -> bool {
        self.name.starts_with(CONTRACT)
    }

    /// Returns whether this is the contract of a function that is checked against it.
    fn is_enforced(&self) -> bool {
        let name = self.func.map(|func| self.unit.names.name(self.unit.functions[func].name));
        let of = name.and_then(|name| name.strip_prefix(CONTRACT));
        of.is_some_and(|name| self.cx.is_named(&self.cx.options.contracts.enforced, name))
    }

    /// The place that a pointer argument was made from: `&place` behind conversions.
    fn behind(&mut self, mut arg: HirExpr) -> Option<ExprId> {
        loop {
            match self.unit.exprs[arg].kind {
                ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, inner) => arg = inner,
                ExprKind::AddrOf(place) => return Some(self.place(place)),
                _ => break,
            }
        }
        // `&*p` is `p`.
        let to = self.unit.types.pointee(self.unit.exprs[arg].ty);
        let to = to.filter(|&to| !self.unit.types.is_void(to) && !self.unit.types.is_function(to));
        let Some(to) = to else {
            self.b.unsupported("a target that is not a place");
            return None;
        };
        let (pointer, to) = (self.value(arg), self.ty(to));
        Some(self.deref_as(pointer, to))
    }

    /// The place that an argument was read from.
    fn read_from(&mut self, mut arg: HirExpr) -> Option<HirExpr> {
        loop {
            match self.unit.exprs[arg].kind {
                ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, inner) => arg = inner,
                ExprKind::Cast(CastKind::Load, place) => return Some(place),
                _ => return None,
            }
        }
    }

    /// The type behind a pointer argument, if the size that follows is that of one value of it.
    fn whole_value(&mut self, hir_args: &[HirExpr]) -> Option<TypeId> {
        let mut pointer = *hir_args.get(1)?;
        while let ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, inner) =
            self.unit.exprs[pointer].kind
        {
            pointer = inner;
        }
        let to = self.unit.types.pointee(self.unit.exprs[pointer].ty)?;
        let to = self.ty(to);
        let size = self.cx.p.size_of(to)?;
        let given = self.value(*hir_args.get(2)?);
        match self.cx.p.exprs.kind(given) {
            vergo_goto::expr::ExprKind::Int(bits) if bits.to_u64() == Some(size) && size > 0 => {
                Some(to)
            }
            _ => None,
        }
    }

    /// Builds the condition that `size` bytes at a pointer exist, and may be written.
    fn accessible(&mut self, pointer: ExprId, size: ExprId, write: bool) -> ExprId {
        let pointer = self.freeze(pointer);
        self.ask_about(pointer);
        let size_type = self.cx.p.size_type();
        let live = self.cx.p.memory(MemoryOp::IsLive, [pointer]);
        let all = self.cx.p.memory(MemoryOp::ObjectSize, [pointer]);
        let offset = self.cx.p.memory(MemoryOp::Offset, [pointer]);
        // An offset before the object is enormous.
        let offset = self.cx.p.cast(size_type, offset);
        let inside = self.cx.p.le(offset, all);
        let rest = self.cx.p.sub(all, offset);
        let fits = self.cx.p.le(size, rest);
        let mut ok = self.cx.p.and(live, inside);
        ok = self.cx.p.and(ok, fits);
        if write {
            let writable = self.cx.p.memory(MemoryOp::IsWritable, [pointer]);
            ok = self.cx.p.and(ok, writable);
        }
        ok
    }

    /// Builds the condition that two pointers are attached to the same object, or neither to any.
    fn same_object(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.ask_about(a);
        self.ask_about(b);
        let same = self.cx.p.memory(MemoryOp::SameObject, [a, b]);
        let (has_a, has_b) = (
            self.cx.p.memory(MemoryOp::HasObject, [a]),
            self.cx.p.memory(MemoryOp::HasObject, [b]),
        );
        let either = self.cx.p.or(has_a, has_b);
        let neither = self.cx.p.not(either);
        self.cx.p.or(same, neither)
    }

    /// `p` gets a new object of so many bytes.
    fn make_fresh(&mut self, hir_args: &[HirExpr]) -> ExprId {
        let ptr = self.cx.void_ptr();
        let no = self.cx.p.bool(false);
        let (Some(&pointer), Some(&size)) = (hir_args.first(), hir_args.get(1)) else { return no };
        let Some(place) = self.read_from(pointer) else {
            self.b.unsupported("`__CPROVER_is_fresh` of something that cannot be assigned");
            return no;
        };
        let size_type = self.cx.p.size_type();
        let size = self.value(size);
        let size = self.coerce(size, size_type);
        let temp = self.temp(ptr);
        let dest = self.cx.p.symbol(temp);
        let (align, region) = (self.cx.target.max_align, Region::Heap);
        self.emit(InstrKind::Alloc { dest, size, align, region, zeroed: false });
        let null = self.cx.p.null(ptr);
        let there = self.cx.p.ne(dest, null);
        self.emit(InstrKind::Assume(there));
        let place = self.place(place);
        let value = self.coerce(dest, self.cx.p.exprs.ty(place));
        self.emit(InstrKind::Assign(place, value));
        if self.is_enforced() && self.cx.options.properties.contains(PropertyId::MemoryLeak) {
            // What the contract requires is the caller's, who has a pointer to it for ever.
            let kept = self.cx.ghost(contract::FRESH, ptr);
            let kept = self.cx.p.symbol(kept);
            self.assign(kept, dest);
        }
        self.cx.p.bool(true)
    }

    /// Builds the condition that a pointer has so many bytes behind it that no other fresh pointer has.
    fn is_fresh(&mut self, pointer: ExprId, size: ExprId) -> ExprId {
        let pointer = self.freeze(pointer);
        let mut fresh = self.accessible(pointer, size, false);
        let size = self.freeze(size);
        let size_type = self.cx.p.size_type();
        let offset = self.cx.p.memory(MemoryOp::Offset, [pointer]);
        let offset = self.cx.p.cast(size_type, offset);
        let end = self.cx.p.add(offset, size);
        for &(other, extent) in &self.contract.fresh.clone() {
            let (other, extent) = (self.cx.p.symbol(other), self.cx.p.symbol(extent));
            let same = self.cx.p.memory(MemoryOp::SameObject, [pointer, other]);
            let mut apart = self.cx.p.not(same);
            let first = self.cx.p.memory(MemoryOp::Offset, [other]);
            let first = self.cx.p.cast(size_type, first);
            let last = self.cx.p.add(first, extent);
            // Both lie in their object, so that no sum is too large.
            for (a, b) in [(end, first), (last, offset)] {
                let before = self.cx.p.le(a, b);
                apart = self.cx.p.or(apart, before);
            }
            fresh = self.cx.p.and(fresh, apart);
        }
        let fresh = self.freeze(fresh);
        let ptr = self.cx.void_ptr();
        let kept = (self.cx.ghost(contract::FRESH, ptr), self.cx.ghost(contract::FRESH, size_type));
        self.contract.fresh.push(kept);
        for (symbol, value) in [(kept.0, pointer), (kept.1, size)] {
            let place = self.cx.p.symbol(symbol);
            self.assign(place, value);
        }
        fresh
    }

    /// `p` becomes any pointer from `low` to `high`.
    fn make_in_range(&mut self, hir_args: &[HirExpr]) -> ExprId {
        let ptr = self.cx.void_ptr();
        let no = self.cx.p.bool(false);
        let &[low, pointer, high] = hir_args else { return no };
        let Some(place) = self.read_from(pointer) else {
            self.b.unsupported(
                "`__CPROVER_pointer_in_range_dfcc` of something that cannot be assigned",
            );
            return no;
        };
        let [low, high] = [low, high].map(|arg| self.value(arg));
        let [low, high] = [low, high].map(|p| self.coerce(p, ptr));
        let [low, high] = [low, high].map(|p| self.freeze(p));
        let size_type = self.cx.p.size_type();
        let by = self.nondet(size_type);
        let [a, b] = [low, high].map(|p| self.cx.p.memory(MemoryOp::Offset, [p]));
        let room = self.cx.p.sub(b, a);
        let room = self.cx.p.cast(size_type, room);
        let (order, fits) = (self.cx.p.le(a, b), self.cx.p.le(by, room));
        let same = self.cx.p.memory(MemoryOp::SameObject, [low, high]);
        let cond = self.cx.p.and(order, fits);
        let cond = self.cx.p.and(same, cond);
        self.emit(InstrKind::Assume(cond));
        let value = self.cx.p.ptr_add(low, by);
        let place = self.place(place);
        let value = self.coerce(value, self.cx.p.exprs.ty(place));
        self.emit(InstrKind::Assign(place, value));
        self.cx.p.bool(true)
    }

    /// A variable of the contract that lives as long as its call.
    fn kept(&mut self, value: ExprId) -> ExprId {
        let ty = self.cx.p.exprs.ty(value);
        let align = self.cx.align_of(ty);
        let symbol = self.local("", ty, self.b.span(), align);
        self.b.decl(symbol);
        let place = self.cx.p.symbol(symbol);
        self.assign(place, value);
        place
    }

    fn add_target(&mut self, cond: ExprId, pointer: ExprId, size: ExprId, typed: Option<TypeId>) {
        let none = self.cx.p.size(0);
        let size = self.cx.p.ite(cond, size, none);
        let (pointer, size) = (self.kept(pointer), self.kept(size));
        // A condition decides, so the value is not written as a whole.
        let typed = typed.filter(|_| self.constant_truth(cond) == Some(true));
        self.contract.targets.push(Target { pointer, size, typed });
    }

    /// A target gets any value.
    fn havoc(&mut self, target: Target) {
        if let Some(ty) = target.typed {
            let to = self.cx.p.types.ptr(ty);
            let pointer = self.coerce(target.pointer, to);
            let place = self.cx.p.deref(pointer);
            let value = self.cx.p.nondet(ty);
            self.emit(InstrKind::Assign(place, value));
            return;
        }
        match self.cx.model_function("__CPROVER_havoc_slice") {
            Some(havoc) => {
                let args = [target.pointer, target.size].into();
                self.emit(InstrKind::Call { dest: None, callee: Callee::Direct(havoc), args });
            }
            None => self.b.unsupported("a write of any bytes without the library's models"),
        }
    }

    /// Where the body under its contract begins: what may be written is put where the pass finds it.
    fn frame(&mut self, begins: bool) {
        if !self.is_enforced() {
            return;
        }
        let truth = self.cx.p.types.int(false, 8);
        if begins {
            let ptr = self.cx.void_ptr();
            let size_type = self.cx.p.size_type();
            for target in self.contract.targets.clone() {
                for (name, ty, value) in [
                    (contract::TARGET_POINTER, ptr, target.pointer),
                    (contract::TARGET_SIZE, size_type, target.size),
                ] {
                    let symbol = self.cx.ghost(name, ty);
                    let place = self.cx.p.symbol(symbol);
                    self.assign(place, value);
                }
            }
        }
        let symbol = match self.cx.frame {
            Some(symbol) => symbol,
            None => self.cx.ghost(contract::FRAME, truth),
        };
        self.cx.frame = Some(symbol);
        let place = self.cx.p.symbol(symbol);
        let value = self.cx.p.int(truth, i128::from(begins));
        self.assign(place, value);
    }

    /// A call of nothing, by which a pass finds the place.
    fn marker(&mut self, name: &str, args: Box<[ExprId]>) {
        let void = self.cx.p.types.void();
        let params: Vec<TypeId> = args.iter().map(|&arg| self.cx.p.exprs.ty(arg)).collect();
        let ty = self.cx.p.types.func(void, params);
        let marker = self.cx.marker(name, ty);
        self.emit(InstrKind::Call { dest: None, callee: Callee::Direct(marker), args });
    }

    /// The function that a call of a function means where contracts are in force.
    pub(crate) fn contracted(&mut self, func: FuncId) -> FuncId {
        let caller = self.func;
        self.cx.under_contract(self.u, func, caller)
    }

    /// Compares the objects if both operands of a comparison are numbers of objects.
    pub(crate) fn compare_objects(&mut self, a: HirExpr, b: HirExpr) -> Option<ExprId> {
        let [a, b] = [a, b].map(|arg| self.object_of(arg));
        let (a, b) = (self.value(a?), self.value(b?));
        let ptr = self.cx.void_ptr();
        let (a, b) = (self.coerce(a, ptr), self.coerce(b, ptr));
        Some(self.same_object(a, b))
    }

    /// The pointer in `__CPROVER_POINTER_OBJECT(p)`.
    fn object_of(&mut self, mut arg: HirExpr) -> Option<HirExpr> {
        while let ExprKind::Cast(CastKind::NoOp | CastKind::Int, inner) = self.unit.exprs[arg].kind
        {
            arg = inner;
        }
        let ExprKind::Call(callee, args) = self.unit.exprs[arg].kind else { return None };
        let func = self.direct_callee(callee)?;
        match self.cx.resolve(self.u, func) {
            Resolved::Known(Known::Verifier(Verifier::ObjectNumber)) => {
                self.unit.expr_lists.get(args).first().copied()
            }
            _ => None,
        }
    }
}

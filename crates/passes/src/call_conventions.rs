//! Follows calls through pointers of another type as the machine would.
//!
//! Such a call is undefined in C, and the property `call.type` forbids it. Where nobody asks for that property, the callee
//! must not vanish with whatever it claims: each call through a pointer to which functions of other types can flow
//! becomes a choice, in which these are called by wrappers of the call's type. A wrapper passes on what the machine's
//! convention passes on ([`vergo_goto::convention`]); what the convention leaves open is any value. Where caller and
//! callee do not agree about it, the call is unsupported.
//!
//! Which functions can flow to which pointers is read from the conversions in the program: a function that was converted to
//! `void *` may be wherever a `void *` is converted back. This may miss ways through memory (a structure read as
//! another); a call that is not foreseen here is unsupported where it is executed, so nothing is lost.
//!
//! The wrappers are made after the claims, which are therefore those of the program as written.

use crate::Options;
use crate::function_pointers::address_taken;
use crate::properties::PropertyId;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_goto::build::FunctionBuilder;
use vergo_goto::convention::Passed;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{
    Callee, Function, FunctionId, Instr, InstrKind, Program, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::rewrite::Role;
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// The pass. Where `call.type` is claimed, no execution gets beyond the claim.
pub fn run(program: &mut Program, options: &Options) {
    if options.properties.contains(PropertyId::CallType) {
        return;
    }
    let flows = Flows::of(program);
    if flows.0.is_empty() {
        return;
    }
    let taken = address_taken(program);
    let writers = taken.iter().copied().filter(|&function| writes_parameters(program, function));
    let mut wrappers = Wrappers { made: FxHashMap::default(), writers: writers.collect() };
    let functions: Vec<FunctionId> = program.functions.keys().collect();
    let mut candidates: FxHashMap<TypeId, Vec<FunctionId>> = FxHashMap::default();
    for function in functions {
        program.rewrite_body(function, |program, out, instr| {
            let Some((pointer, called)) = call_of(program, &instr) else {
                return out.push_instr(instr);
            };
            let foreign = candidates
                .entry(called)
                .or_insert_with(|| flows.foreign(program, &taken, called))
                .clone();
            if foreign.is_empty() {
                return out.push_instr(instr);
            }
            let (plain, done) = (out.new_label(), out.new_label());
            let is_plain = program.memory(MemoryOp::IsFunction, [pointer]);
            out.goto_if(is_plain, plain);
            let ty = program.exprs.ty(pointer);
            for callee in foreign {
                let next = out.new_label();
                let address = program.function(callee);
                let address = program.cast(ty, address);
                let differs = program.ne(pointer, address);
                out.goto_if(differs, next);
                match wrappers.get(program, called, &instr.kind, callee) {
                    Some(wrapper) => {
                        out.push(with_callee(&instr.kind, wrapper));
                        out.goto(done);
                    }
                    None => out.unsupported(format!(
                        "a call of `{}` through a pointer of another type",
                        program.functions[callee].display
                    )),
                }
                out.label(next);
            }
            out.label(plain);
            out.push_instr(instr);
            out.label(done);
        });
    }
}

/// The pointer that an instruction calls through, and the type of the function that it wants there.
fn call_of(program: &Program, instr: &Instr) -> Option<(ExprId, TypeId)> {
    let (InstrKind::Call { callee: Callee::Indirect(pointer), .. }
    | InstrKind::Spawn { callee: Callee::Indirect(pointer), .. }) = instr.kind
    else {
        return None;
    };
    Some((pointer, program.pointee(program.exprs.ty(pointer))?))
}

fn with_callee(kind: &InstrKind, function: FunctionId) -> InstrKind {
    let mut kind = kind.clone();
    if let InstrKind::Call { callee, .. } | InstrKind::Spawn { callee, .. } = &mut kind {
        *callee = Callee::Direct(function);
    }
    kind
}

/// From which function types to which pointers are converted; `None` stands for everything that is no function.
struct Flows(FxHashSet<(Option<TypeId>, Option<TypeId>)>);

impl Flows {
    fn of(program: &Program) -> Flows {
        let mut flows = FxHashSet::default();
        let mut both = |a, b| {
            if a != b {
                flows.insert((a, b));
                flows.insert((b, a));
            }
        };
        for (id, expr) in program.exprs.iter() {
            let (ExprKind::Cast(_, from) | ExprKind::Bits(from)) = expr.kind else { continue };
            if matches!(program.exprs.kind(from), ExprKind::Int(_)) {
                continue;
            }
            let (from, to) = (program.exprs.ty(from), program.exprs.ty(id));
            both(function_below(program, from), function_below(program, to));
        }
        for structure in program.types.structs.values().filter(|structure| structure.union) {
            for field in &structure.fields {
                both(function_below(program, field.ty), None);
            }
        }
        // A conversion from a function to what is none and back is the only way between most types.
        Flows(flows)
    }

    /// The functions whose addresses can get to pointers to functions of a type, and that are not called in its way.
    fn foreign(&self, program: &Program, taken: &[FunctionId], called: TypeId) -> Vec<FunctionId> {
        let mut reached: FxHashSet<Option<TypeId>> = FxHashSet::default();
        let mut work = vec![Some(called)];
        while let Some(node) = work.pop() {
            if reached.insert(node) {
                let before = self.0.iter().filter(|(_, to)| *to == node).map(|(from, _)| *from);
                work.extend(before);
            }
        }
        let is_foreign = |&&function: &&FunctionId| {
            let ty = program.functions[function].ty;
            reached.contains(&Some(ty)) && !program.is_called_alike(ty, called)
        };
        taken.iter().filter(is_foreign).copied().collect()
    }
}

/// The function type below any number of pointers.
fn function_below(program: &Program, mut ty: TypeId) -> Option<TypeId> {
    while let &Type::Ptr(to) = program.types.get(ty) {
        ty = to;
    }
    matches!(program.types.get(ty), Type::Func(..)).then_some(ty)
}

/// The arguments of a call behind the parameters of its type: none, or a structure of variable arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Rest {
    Nothing,
    Packed(TypeId),
}

/// Functions that have the type of a call and call a function of another.
struct Wrappers {
    made: FxHashMap<(TypeId, Rest, FunctionId), Option<FunctionId>>,
    /// The functions that may write their parameters' objects.
    writers: FxHashSet<FunctionId>,
}

impl Wrappers {
    /// The wrapper by which a call gets to a function; `None` if the two do not agree.
    fn get(
        &mut self,
        program: &mut Program,
        called: TypeId,
        call: &InstrKind,
        callee: FunctionId,
    ) -> Option<FunctionId> {
        let rest = match call {
            InstrKind::Call { args, .. } => rest_of(program, args)?,
            _ => Rest::Nothing,
        };
        if let Some(&made) = self.made.get(&(called, rest, callee)) {
            return made;
        }
        let made = self.make(program, called, rest, callee);
        self.made.insert((called, rest, callee), made);
        made
    }

    fn make(
        &mut self,
        program: &mut Program,
        called: TypeId,
        rest: Rest,
        callee: FunctionId,
    ) -> Option<FunctionId> {
        let Type::Func(wanted, own) = program.types.get(called).clone() else { return None };
        let target = program.functions[callee].ty;
        let Type::Func(given, params) = program.types.get(target).clone() else { return None };
        let is_variadic =
            |types: &[TypeId]| types.last().is_some_and(|&ty| program.is_variable_arguments(ty));
        let (from_variadic, to_variadic) = (is_variadic(&own), is_variadic(&params));
        let n_own = own.len() - usize::from(from_variadic);
        let n_fixed = params.len() - usize::from(to_variadic);
        let mut args: Vec<TypeId> = own[..n_own].to_vec();
        if let Rest::Packed(pack) = rest {
            let Type::Struct(id) = *program.types.get(pack) else { return None };
            let fields = &program.types.structs[id].fields;
            let arguments = (0..fields.len() / 2).map(Program::pack_field);
            args.extend(arguments.map(|i| fields[i as usize].ty));
        }
        let passed = program.passing(&args, &params[..n_fixed])?;
        if passed.contains(&Passed::AnyStack) && self.writers.contains(&callee) {
            return None;
        }
        let variable: Vec<usize> = if to_variadic { (n_fixed..args.len()).collect() } else { vec![] };
        if to_variadic {
            let in_order = passed.iter().enumerate().all(|(i, &passed)| match passed {
                Passed::Argument(from) => from == i,
                _ => args.len() < n_fixed,
            });
            // A caller without `...` says nothing about floating registers and widens no `float`.
            let plain = variable.iter().all(|&i| from_variadic || program.is_word(args[i]));
            if !in_order || !plain {
                return None;
            }
        }
        if !can_return(program, given, wanted) {
            return None;
        }
        let mut wrapper = Wrapper::begin(program, called, callee);
        let mut values: Vec<ExprId> = wrapper.params[..n_own].to_vec();
        if let Rest::Packed(pack) = rest {
            let ptr = program.types.ptr(pack);
            let address = program.cast(ptr, *wrapper.params.last()?);
            let place = program.deref(address);
            let arguments = (0..args.len() - n_own).map(Program::pack_field);
            values.extend(arguments.map(|i| program.member(place, i)));
        }
        let mut given_args = Vec::with_capacity(params.len());
        for (&passed, &param) in passed.iter().zip(&params) {
            given_args.push(match passed {
                Passed::Argument(from) => {
                    let value = wrapper.widened(program, values[from]);
                    wrapper.reinterpreted(program, value, param)
                }
                Passed::AnyRegister | Passed::AnyStack => wrapper.any(program, param),
            });
        }
        if to_variadic {
            let rest: Vec<ExprId> =
                variable.iter().map(|&i| wrapper.widened(program, values[i])).collect();
            given_args.push(wrapper.packed(program, &rest, *params.last()?));
        }
        let is_void = |program: &Program, ty| matches!(program.types.get(ty), Type::Void);
        let result = (!is_void(program, given)).then(|| wrapper.local(program, given));
        wrapper.body.push(InstrKind::Call {
            dest: result,
            callee: Callee::Direct(callee),
            args: given_args.into(),
        });
        let value = match result {
            _ if is_void(program, wanted) => None,
            Some(result) => Some(wrapper.reinterpreted(program, result, wanted)),
            None => Some(wrapper.any(program, wanted)),
        };
        wrapper.body.ret(value);
        Some(wrapper.finish(program))
    }
}

/// Returns whether a function may write to its parameters, which are the caller's stack if the caller does not pass
/// them.
fn writes_parameters(program: &Program, function: FunctionId) -> bool {
    let function = &program.functions[function];
    let is_parameter = |place| {
        let root: Option<SymbolId> = program.root_variable(place);
        root.is_some_and(|root| function.params.contains(&root))
    };
    function.body.as_deref().unwrap_or_default().iter().any(|instr| {
        let mut found = false;
        instr.kind.for_each_expr(|expr, role| {
            found |= role == Role::Write && is_parameter(expr);
            program.for_each_subexpr(expr, |sub| {
                if let ExprKind::AddressOf(place) = *program.exprs.kind(sub) {
                    found |= is_parameter(place);
                }
            });
        });
        found
    })
}

/// Returns the arguments of a call behind the parameters of its type; `None` if they cannot be determined.
fn rest_of(program: &Program, args: &[ExprId]) -> Option<Rest> {
    let Some(&last) = args.last() else { return Some(Rest::Nothing) };
    if !program.is_variable_arguments(program.exprs.ty(last)) {
        return Some(Rest::Nothing);
    }
    match *program.exprs.kind(last) {
        ExprKind::Int(_) => Some(Rest::Nothing),
        ExprKind::Cast(_, address) => match *program.exprs.kind(address) {
            ExprKind::AddressOf(pack) => Some(Rest::Packed(program.exprs.ty(pack))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a value returned at one type can be read at another.
fn can_return(program: &Program, given: TypeId, wanted: TypeId) -> bool {
    let is_scalar = |ty| program.is_word(ty) || matches!(program.types.get(ty), Type::Float(_));
    match (program.types.get(given), program.types.get(wanted)) {
        _ if program.is_passed_alike(given, wanted) => true,
        // On i386 a result that nobody takes from the floating stack stays there.
        (Type::Float(_), Type::Void) => program.machine.pointer_width == 64,
        (_, Type::Void) => program.is_word(given),
        (Type::Void, _) => is_scalar(wanted),
        _ => program.is_word(given) && program.is_word(wanted),
    }
}

/// A wrapper under construction.
struct Wrapper {
    id: FunctionId,
    params: Vec<ExprId>,
    body: FunctionBuilder,
    span: Span,
}

impl Wrapper {
    fn begin(program: &mut Program, ty: TypeId, target: FunctionId) -> Wrapper {
        let target = &program.functions[target];
        let (span, library) = (target.span, target.library);
        let name = format!("{}::as{}", target.name, program.functions.len());
        let display = target.display.clone();
        let declaration = Function::declaration(name, display, ty);
        let id = program.add_function(Function { span, library, ..declaration });
        let types = match program.types.get(ty) {
            Type::Func(_, types) => types.to_vec(),
            _ => Vec::new(),
        };
        let mut body = FunctionBuilder::new();
        body.set_span(span);
        let mut wrapper = Wrapper { id, params: Vec::new(), body, span };
        for ty in types {
            let symbol = wrapper.symbol(program, ty, SymbolKind::Param(id));
            program.functions[id].params.push(symbol);
            wrapper.params.push(program.symbol(symbol));
        }
        wrapper
    }

    fn symbol(&self, program: &mut Program, ty: TypeId, kind: SymbolKind) -> SymbolId {
        let name =
            format!("{}::{}", program.functions[self.id].name, program.symbols.len());
        let align = program.types.align_of(ty, &program.machine);
        let (display, span, writable) = (String::new(), self.span, true);
        program.add_symbol(Symbol { name, display, ty, kind, span, align, writable })
    }

    /// A new local variable.
    fn local(&mut self, program: &mut Program, ty: TypeId) -> ExprId {
        let symbol = self.symbol(program, ty, SymbolKind::Local(self.id));
        self.body.decl(symbol);
        program.symbol(symbol)
    }

    fn any(&mut self, program: &mut Program, ty: TypeId) -> ExprId {
        let place = self.local(program, ty);
        let any = program.nondet(ty);
        self.body.assign(place, any);
        place
    }

    /// A word as it is passed: at least as wide as `int`.
    fn widened(&mut self, program: &mut Program, value: ExprId) -> ExprId {
        match *program.type_of(value) {
            Type::Int { width, .. } if width < 32 => {
                let int = program.types.int(true, 32);
                program.cast(int, value)
            }
            _ => value,
        }
    }

    /// A value read at another type: a word whose upper bits are any if they were not set.
    fn reinterpreted(&mut self, program: &mut Program, value: ExprId, ty: TypeId) -> ExprId {
        let from = program.exprs.ty(value);
        let width = |program: &Program, ty| match *program.types.get(ty) {
            Type::Int { width, .. } => Some(width),
            Type::Ptr(_) => Some(program.machine.pointer_width),
            _ => None,
        };
        let (Some(has), Some(wants)) = (width(program, from), width(program, ty)) else {
            // Aggregates of one size, or the same type.
            return if from == ty { value } else { program.bits(ty, value) };
        };
        if matches!(program.types.get(from), Type::Ptr(_)) == matches!(program.types.get(ty), Type::Ptr(_))
            && has == wants
        {
            return program.cast(ty, value);
        }
        let word = program.types.int(false, has);
        let value = program.cast(word, value);
        let wide = program.types.int(false, wants);
        let mut value = program.cast(wide, value);
        if wants > has {
            let any = self.any(program, wide);
            let shift = program.int(wide, i128::from(has));
            let upper = program.shl(any, shift);
            value = program.bit_or(upper, value);
        }
        program.cast(ty, value)
    }

    /// The address of a structure with variable arguments; null without any.
    fn packed(&mut self, program: &mut Program, values: &[ExprId], ty: TypeId) -> ExprId {
        if values.is_empty() {
            return program.null(ty);
        }
        let types: Vec<TypeId> = values.iter().map(|&value| program.exprs.ty(value)).collect();
        let name = format!("va of {}", program.functions[self.id].name);
        let layout = program.pack_layout(name, &types);
        let id = program.add_struct(layout);
        let pack = program.types.intern(Type::Struct(id));
        let place = self.local(program, pack);
        for (i, value) in program.pack_values(values).into_iter().enumerate() {
            let member = program.member(place, i as u32);
            self.body.assign(member, value);
        }
        let address = program.address_of(place);
        program.cast(ty, address)
    }

    fn finish(self, program: &mut Program) -> FunctionId {
        self.body.finish(program, self.id);
        self.id
    }
}

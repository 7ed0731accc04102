//! The rules of symbols, functions and instructions.

use super::Errors;
use super::exprs::{Facts, Owner};
use super::types::Sizes;
use crate::expr::{ExprId, ExprKind};
use crate::program::{
    Callee, Exit, Function, FunctionId, InitPart, InstrKind, Intrinsic, Program, StaticInit,
    SymbolKind,
};
use crate::rewrite::Role;
use crate::types::{Type, TypeId};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;

pub(super) fn check(program: &Program, sizes: &Sizes, facts: &Facts, errors: &mut Errors) {
    check_symbols(program, sizes, facts, errors);
    let mut names = FxHashSet::default();
    for (id, function) in &program.functions {
        if !names.insert(&function.name) {
            errors.function(program, id, "another function has this name");
        }
        check_function(program, facts, id, function, errors);
        if errors.is_full() {
            return;
        }
    }
    if let Some(entry) = program.entry {
        let Some(function) = program.functions.get(entry) else {
            return errors.program("there is no such entry function");
        };
        let fitting = match program.types.get(function.ty) {
            Type::Func(ret, params) => *program.types.get(*ret) == Type::Void && params.is_empty(),
            _ => false,
        };
        if !fitting || function.body.is_none() {
            errors.function(
                program,
                entry,
                "the entry function has parameters, a result or no body",
            );
        }
    }
}

fn check_symbols(program: &Program, sizes: &Sizes, facts: &Facts, errors: &mut Errors) {
    let mut names = FxHashSet::default();
    for (id, symbol) in &program.symbols {
        let name = &symbol.name;
        if !names.insert(name) {
            errors.program(format!("two variables have the name `{name}`"));
        }
        if sizes[symbol.ty].is_none() && *program.types.get(symbol.ty) != Type::Bool {
            errors.program(format!("the variable `{name}` has a type without values"));
        }
        if !symbol.align.is_power_of_two() {
            errors.program(format!("the alignment of `{name}` is no power of two"));
        }
        match &symbol.kind {
            SymbolKind::Static { init: StaticInit::Nondet, .. } => {}
            SymbolKind::Static { init: StaticInit::Data(parts), .. } => {
                let size = sizes[symbol.ty].unwrap_or(0);
                let mut end = 0;
                for part in parts {
                    let (offset, len) = match part {
                        InitPart::Value { offset, value } => {
                            if !facts[*value].constant {
                                errors
                                    .program(format!("an initialiser of `{name}` is not constant"));
                            }
                            match sizes[program.exprs.ty(*value)] {
                                Some(len) => (*offset, len),
                                None if *program.types.get(symbol.ty) == Type::Bool
                                    && program.exprs.ty(*value) == symbol.ty =>
                                {
                                    continue;
                                }
                                None => {
                                    errors
                                        .program(format!("an initialiser of `{name}` has no size"));
                                    continue;
                                }
                            }
                        }
                        InitPart::Bytes { offset, bytes } => (*offset, bytes.len() as u64),
                    };
                    let new_end = offset.saturating_add(len);
                    if offset < end || new_end > size {
                        errors.program(format!(
                            "an initialiser of `{name}` at {offset} overlaps another or lies outside"
                        ));
                    }
                    end = new_end;
                }
            }
            SymbolKind::Local(function) => {
                if program.functions.get(*function).is_none() {
                    errors.program(format!("the variable `{name}` belongs to no function"));
                }
            }
            SymbolKind::Param(function) => match program.functions.get(*function) {
                None => errors.program(format!("the parameter `{name}` belongs to no function")),
                Some(f) if f.params.iter().filter(|&&p| p == id).count() != 1 => {
                    errors.function(
                        program,
                        *function,
                        format!("`{name}` is not exactly one parameter"),
                    );
                }
                Some(_) => {}
            },
        }
    }
}

fn check_function(
    program: &Program,
    facts: &Facts,
    id: FunctionId,
    function: &Function,
    errors: &mut Errors,
) {
    let Type::Func(ret, params) = program.types.get(function.ty) else {
        return errors.function(program, id, "its type is not a function type");
    };
    let Some(body) = &function.body else { return };
    let fitting = params.len() == function.params.len()
        && params.iter().zip(&function.params).all(|(&ty, &symbol)| {
            program
                .symbols
                .get(symbol)
                .is_some_and(|s| s.ty == ty && matches!(s.kind, SymbolKind::Param(f) if f == id))
        });
    if !fitting {
        errors.function(program, id, "its parameters are not those of its type");
    }
    match body.last() {
        None => errors.function(program, id, "its body is empty"),
        Some(last) if last.kind.falls_through() => {
            errors.instr(program, id, body.len() - 1, "control falls off the end of the function");
        }
        Some(_) => {}
    }
    let mut placed = vec![false; function.n_labels as usize];
    for (i, instr) in body.iter().enumerate() {
        if let InstrKind::Label(label) = instr.kind {
            match placed.get_mut(label.index()) {
                None => errors.instr(
                    program,
                    id,
                    i,
                    format!("{label} is not below the number of labels"),
                ),
                Some(true) => errors.instr(program, id, i, format!("{label} stands twice")),
                Some(place) => *place = true,
            }
        }
    }
    let checker = InstrChecker { program, facts, id, ret: *ret };
    for (i, instr) in body.iter().enumerate() {
        if let InstrKind::Goto(_, label) = instr.kind
            && placed.get(label.index()) != Some(&true)
        {
            errors.instr(program, id, i, format!("{label} stands nowhere"));
        }
        if let Err(message) = checker.instr(&instr.kind) {
            errors.instr(program, id, i, message);
        }
        if errors.is_full() {
            return;
        }
    }
}

struct InstrChecker<'a> {
    program: &'a Program,
    facts: &'a Facts,
    id: FunctionId,
    ret: TypeId,
}

type Checked = Result<(), String>;

fn require(condition: bool, message: &str) -> Checked {
    if condition { Ok(()) } else { Err(message.to_owned()) }
}

impl InstrChecker<'_> {
    fn ty(&self, e: ExprId) -> TypeId {
        self.program.exprs.ty(e)
    }

    fn type_of(&self, e: ExprId) -> &Type {
        self.program.type_of(e)
    }

    fn is_int(&self, e: ExprId) -> bool {
        matches!(self.type_of(e), Type::Int { .. })
    }

    fn is_ptr(&self, e: ExprId) -> bool {
        matches!(self.type_of(e), Type::Ptr(_))
    }

    fn instr(&self, kind: &InstrKind) -> Checked {
        let mut result = Ok(());
        kind.for_each_expr(|e, role| {
            if result.is_ok() {
                result = self.root(kind, e, role);
            }
        });
        result?;
        match kind {
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Goto(None, _)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::End(Exit::Abort)
            | InstrKind::Unsupported(_) => Ok(()),
            InstrKind::Assign(place, value) => require(
                self.ty(*place) == self.ty(*value),
                "the value assigned is not of the place's type",
            ),
            InstrKind::Assume(c) | InstrKind::Assert(c, _) | InstrKind::Goto(Some(c), _) => {
                require(*self.type_of(*c) == Type::Bool, "a condition is not of type `bool`")
            }
            InstrKind::Call { dest, callee, args } => {
                let (ret, params) = self.signature(*callee)?;
                require(
                    params.len() == args.len(),
                    "a call has another number of arguments than parameters",
                )?;
                require(
                    params.iter().zip(args.iter()).all(|(&ty, &arg)| ty == self.ty(arg)),
                    "an argument is not of the parameter's type",
                )?;
                require(
                    dest.is_none_or(|dest| self.ty(dest) == ret),
                    "the destination of a call is not of the result's type",
                )
            }
            InstrKind::Return(value) => {
                let void = *self.program.types.get(self.ret) == Type::Void;
                match value {
                    None => require(void, "a function with a result returns none"),
                    Some(value) => require(
                        !void && self.ty(*value) == self.ret,
                        "the value returned is not of the result's type",
                    ),
                }
            }
            InstrKind::Decl(symbol) | InstrKind::Dead(symbol) => {
                let symbol =
                    self.program.symbols.get(*symbol).ok_or("there is no such variable")?;
                require(
                    matches!(symbol.kind, SymbolKind::Local(f) if f == self.id),
                    "`decl` or `dead` of something else than a local variable of the function",
                )
            }
            InstrKind::Alloc { dest, size, align, .. } => {
                require(self.is_ptr(*dest), "a new object's address goes to no pointer")?;
                require(self.is_int(*size), "the size of a new object is not an integer")?;
                require(align.is_power_of_two(), "an alignment is no power of two")
            }
            InstrKind::Free(pointer, _) => {
                require(self.is_ptr(*pointer), "`free` of something else than a pointer")
            }
            InstrKind::Spawn { dest, callee, arg } => {
                let (ret, params) = self.signature(*callee)?;
                require(
                    params.len() == 1 && params[0] == self.ty(*arg) && self.is_ptr(*arg),
                    "a thread's function takes one pointer",
                )?;
                require(
                    matches!(self.program.types.get(ret), Type::Ptr(_) | Type::Void),
                    "a thread's function returns a pointer or nothing",
                )?;
                require(dest.is_none_or(|d| self.is_int(d)), "a thread's number goes to no integer")
            }
            InstrKind::Join { thread, dest } => {
                require(self.is_int(*thread), "a thread's number is not an integer")?;
                require(dest.is_none_or(|d| self.is_ptr(d)), "a thread's result goes to no pointer")
            }
            InstrKind::Intrinsic { op, dest, args } => {
                // `i` stands for an integer, `p` for a pointer, `f` for a float.
                let shape = match op {
                    Intrinsic::Reads | Intrinsic::Copies | Intrinsic::Writes => "pi",
                    Intrinsic::PrintFloat => "piiif",
                    Intrinsic::Write | Intrinsic::Read => "ipi",
                    Intrinsic::Print | Intrinsic::Scan => "ipp",
                    Intrinsic::PrintTo => "pipp",
                    Intrinsic::ScanFrom => "ppp",
                    Intrinsic::Time | Intrinsic::Thread => "",
                    Intrinsic::Choose => "iii",
                    Intrinsic::Order => "i",
                    Intrinsic::Approximation => "p",
                };
                let fitting = shape.len() == args.len()
                    && shape.bytes().zip(args.iter()).all(|(s, &arg)| match s {
                        b'i' => self.is_int(arg),
                        b'f' => matches!(self.type_of(arg), Type::Float(_)),
                        _ => self.is_ptr(arg),
                    });
                if !fitting {
                    return Err(format!("the operands of {op:?} have the wrong types"));
                }
                for block in op.blocks() {
                    let operand = |i: usize| args.get(i).copied().ok_or("a block is no operand");
                    let (pointer, size) = (operand(block.pointer)?, operand(block.size)?);
                    require(
                        self.is_ptr(pointer) && self.is_int(size),
                        "a block of an intrinsic has no address or no size",
                    )?;
                }
                require(
                    dest.is_none_or(|d| self.is_int(d)),
                    "the result of an intrinsic goes to no integer",
                )
            }
            InstrKind::End(Exit::Status(status)) => {
                require(self.is_int(*status), "the exit status is not an integer")
            }
        }
    }

    /// The rules of every expression of an instruction.
    fn root(&self, kind: &InstrKind, e: ExprId, role: Role) -> Checked {
        match self.facts[e].owner {
            Owner::Nobody => {}
            Owner::Function(f) if f == self.id => {}
            _ => return Err("a local variable of another function".into()),
        }
        if role == Role::Write {
            require(self.program.is_place(e), "something is written that is no place")?;
        }
        let choice = matches!(self.program.exprs.kind(e), ExprKind::Nondet(_));
        require(
            !choice || matches!(kind, InstrKind::Assign(_, value) if *value == e),
            "a nondeterministic choice is not the whole right side of an assignment",
        )
    }

    fn signature(&self, callee: Callee) -> Result<(TypeId, &[TypeId]), String> {
        let ty = match callee {
            Callee::Direct(function) => {
                self.program.functions.get(function).ok_or("there is no such function")?.ty
            }
            Callee::Indirect(pointer) => match self.type_of(pointer) {
                Type::Ptr(to) => *to,
                _ => return Err("a call goes through something else than a pointer".into()),
            },
        };
        match self.program.types.get(ty) {
            Type::Func(ret, params) => Ok((*ret, params)),
            _ => Err("a call goes to something else than a function".into()),
        }
    }
}

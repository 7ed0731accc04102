//! The contents of objects: for each object of the program the addresses that any thread can store in it at any time.
//!
//! Objects are variables (of all activations and threads together) and allocations by the instruction that makes them. An
//! address is an object and a range of offsets. Fields of one object are not told apart as to what they hold. Numbers hold
//! addresses too: whatever is computed from an address may be one again, of the same object. A number that becomes a
//! pointer may point anywhere, which is an object of its own, [`Object::Unknown`].

use super::library::{Library, library};
use std::collections::{BTreeMap, BTreeSet};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{
    Callee, FunctionId, InitPart, InstrKind, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::types::Type;

/// Something that has an address, or stands for something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Object {
    /// A variable.
    Variable(SymbolId),
    /// The object that an instruction allocates.
    Allocated(FunctionId, u32),
    /// The result of a function.
    Returned(FunctionId),
    /// The values that threads keep for themselves in the library.
    Specific,
    /// A function.
    Code(FunctionId),
    /// The number of a thread that an instruction starts.
    Started(FunctionId, u32),
    /// Nobody knows.
    Unknown,
}

/// An address: of an object, at an offset between two bounds, which are included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// The object.
    pub object: Object,
    /// The least offset.
    pub first: u64,
    /// The greatest offset.
    pub last: u64,
}

impl Target {
    fn start(object: Object) -> Target {
        Target { object, first: 0, last: 0 }
    }

    fn anywhere(object: Object) -> Target {
        Target { object, first: 0, last: u64::MAX }
    }

    fn moved(self, least: u64, most: u64) -> Target {
        let Target { object, first, last } = self;
        Target { object, first: first.saturating_add(least), last: last.saturating_add(most) }
    }
}

/// The addresses that objects hold.
pub type Contents = BTreeMap<Object, BTreeSet<Target>>;

/// A set of addresses.
pub(crate) type Targets = BTreeSet<Target>;

/// Looks expressions up in what objects hold.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) program: &'a Program,
    pub(crate) contents: &'a Contents,
    /// The contents of a model's variables in one activation.
    pub(crate) frame: Option<&'a Contents>,
}

impl Reader<'_> {
    /// Returns the addresses that an object can hold.
    pub(crate) fn held(self, object: Object) -> impl Iterator<Item = Target> {
        let [frame, all] = [self.frame, Some(self.contents)].map(|of| of?.get(&object));
        frame.into_iter().chain(all).flatten().copied()
    }

    /// The addresses that a place can have.
    pub(crate) fn places(self, place: ExprId) -> Targets {
        stacker::maybe_grow(64 << 10, 1 << 20, || match *self.program.exprs.kind(place) {
            ExprKind::Symbol(symbol) => [Target::start(Object::Variable(symbol))].into(),
            ExprKind::Deref(pointer) => self.values(pointer),
            ExprKind::Member(base, member) => {
                let offset = match *self.program.type_of(base) {
                    Type::Struct(id) => {
                        self.program.types.structs[id].fields[member as usize].offset
                    }
                    _ => 0,
                };
                self.places(base).into_iter().map(|at| at.moved(offset, offset)).collect()
            }
            ExprKind::Index(base, index) => {
                let stride = self.program.size_of(self.program.exprs.ty(place)).unwrap_or(0);
                let len = match *self.program.type_of(base) {
                    Type::Array(_, len) => len,
                    _ => 0,
                };
                let known = match self.program.exprs.kind(index) {
                    ExprKind::Int(bits) => bits.to_u64().filter(|&index| index < len),
                    _ => None,
                };
                let (least, most) = match known {
                    Some(index) => (index.saturating_mul(stride), index.saturating_mul(stride)),
                    None if len > 1 => (0, (len - 1).saturating_mul(stride)),
                    None => (0, u64::MAX),
                };
                self.places(base).into_iter().map(|at| at.moved(least, most)).collect()
            }
            _ => self.values(place),
        })
    }

    /// The addresses that a value can be, or can have been made of.
    pub(crate) fn values(self, expr: ExprId) -> Targets {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.values_inner(expr))
    }

    fn values_inner(self, expr: ExprId) -> Targets {
        let program = self.program;
        let is_pointer = |expr: ExprId| matches!(program.type_of(expr), Type::Ptr(_));
        if program.is_place(expr) {
            let mut values = Targets::new();
            for at in self.places(expr) {
                match at.object {
                    Object::Unknown => drop(values.insert(Target::anywhere(Object::Unknown))),
                    object => values.extend(self.held(object)),
                }
            }
            return values;
        }
        match *program.exprs.kind(expr) {
            ExprKind::Bool(_) | ExprKind::Float(_) | ExprKind::Zero | ExprKind::Memory(..) => {
                Targets::new()
            }
            // A pointer that is chosen may point anywhere; a number becomes one by a conversion.
            ExprKind::Nondet(_) => match program.type_of(expr) {
                Type::Int { .. } | Type::Float(_) | Type::Bool => Targets::new(),
                _ => [Target::anywhere(Object::Unknown)].into(),
            },
            ExprKind::Int(ref bits) => match is_pointer(expr) && !bits.is_zero() {
                true => [Target::anywhere(Object::Unknown)].into(),
                false => Targets::new(),
            },
            ExprKind::Function(function) => [Target::start(Object::Code(function))].into(),
            ExprKind::AddressOf(place) => self.places(place),
            ExprKind::Cast(_, from) | ExprKind::Bits(from) => {
                let mut values = self.values(from);
                let is_constant = matches!(program.exprs.kind(from), ExprKind::Int(_));
                if is_pointer(expr) && !is_pointer(from) && !is_constant {
                    values.insert(Target::anywhere(Object::Unknown));
                }
                values
            }
            ExprKind::Ite(_, a, b) => {
                let mut values = self.values(a);
                values.extend(self.values(b));
                values
            }
            ExprKind::Binary(BinaryOp::PtrAdd, base, by) if self.is_address(base) => {
                match (program.exprs.kind(by), program.pointee(program.exprs.ty(base))) {
                    (ExprKind::Int(by), Some(to)) => {
                        let offset = by.to_u64().unwrap_or(u64::MAX);
                        let offset = offset.saturating_mul(program.size_of(to).unwrap_or(1));
                        let targets = self.values(base).into_iter();
                        targets.map(|at| at.moved(offset, offset)).collect()
                    }
                    _ => self.computed(expr),
                }
            }
            ExprKind::Binary(op, ..) if op.yields_bool() => Targets::new(),
            ExprKind::Struct(_)
            | ExprKind::Array(_)
            | ExprKind::ArrayOf(_)
            | ExprKind::Union(..)
            | ExprKind::Member(..)
            | ExprKind::Index(..) => {
                let mut values = Targets::new();
                program.exprs.kind(expr).for_each_child(|child| values.extend(self.values(child)));
                values
            }
            _ => self.computed(expr),
        }
    }

    /// Checks whether an expression is the address of a place, and none that is stored somewhere.
    fn is_address(self, mut expr: ExprId) -> bool {
        while let ExprKind::Cast(_, from) = *self.program.exprs.kind(expr) {
            expr = from;
        }
        matches!(self.program.exprs.kind(expr), ExprKind::AddressOf(_))
    }

    /// Returns the values that are computed from addresses: any address of the same objects.
    fn computed(self, expr: ExprId) -> Targets {
        let mut values = Targets::new();
        self.program.exprs.kind(expr).for_each_child(|child| {
            let targets = self.values(child).into_iter();
            values.extend(targets.map(|at| match at.object {
                Object::Code(_) | Object::Started(..) => Target::anywhere(Object::Unknown),
                object => Target::anywhere(object),
            }));
        });
        values
    }

    /// The functions that a call can go to.
    pub(crate) fn callees(self, callee: Callee) -> Result<Vec<FunctionId>, String> {
        match callee {
            Callee::Direct(function) => Ok(vec![function]),
            Callee::Indirect(pointer) => self.functions(pointer),
        }
    }

    /// The functions that a value can be the address of.
    pub(crate) fn functions(self, value: ExprId) -> Result<Vec<FunctionId>, String> {
        let mut functions = Vec::new();
        for target in self.values(value) {
            match target.object {
                Object::Code(function) => functions.push(function),
                Object::Unknown => return Err("a call through a pointer of unknown origin".into()),
                _ => {}
            }
        }
        Ok(functions)
    }
}

/// Calls a function with everything that objects must hold, given what they hold: if it is there already, nothing is missing.
///
/// # Errors
/// Returns the instruction that cannot be followed.
pub fn requirements(
    program: &Program,
    contents: &Contents,
    require: &mut dyn FnMut(Object, Target),
) -> Result<(), String> {
    let reader = Reader { program, contents, frame: None };
    for (id, symbol) in &program.symbols {
        let SymbolKind::Static { init, .. } = &symbol.kind else { continue };
        let object = Object::Variable(id);
        match init {
            StaticInit::Nondet => require(object, Target::anywhere(Object::Unknown)),
            StaticInit::Data(parts) => {
                for part in parts {
                    if let InitPart::Value { value, .. } = part {
                        reader.values(*value).into_iter().for_each(|at| require(object, at));
                    }
                }
            }
        }
    }
    for (id, function) in &program.functions {
        if library(function) != Library::Unknown {
            continue;
        }
        for (i, instr) in function.body.iter().flatten().enumerate() {
            reader.instruction(id, i as u32, &instr.kind, require)?;
        }
    }
    Ok(())
}

impl Reader<'_> {
    fn store(
        self,
        places: Targets,
        values: impl IntoIterator<Item = Target>,
        require: &mut dyn FnMut(Object, Target),
    ) -> Result<(), String> {
        let values: Vec<Target> = values.into_iter().collect();
        for place in places {
            if place.object == Object::Unknown && !values.is_empty() {
                return Err("an address is written through a pointer of unknown origin".into());
            }
            values.iter().for_each(|&value| require(place.object, value));
        }
        Ok(())
    }

    fn instruction(
        self,
        function: FunctionId,
        number: u32,
        instr: &InstrKind,
        require: &mut dyn FnMut(Object, Target),
    ) -> Result<(), String> {
        match *instr {
            InstrKind::Assign(place, value) => {
                let mut values = self.values(value);
                if values.is_empty() && self.is_pun(place, value) {
                    values.insert(Target::anywhere(Object::Unknown));
                }
                if !values.is_empty() {
                    self.store(self.places(place), values, require)?;
                }
            }
            InstrKind::Return(Some(value)) => {
                let place = [Target::start(Object::Returned(function))].into();
                self.store(place, self.values(value), require)?;
            }
            InstrKind::Alloc { dest, .. } => {
                let new = Target::start(Object::Allocated(function, number));
                self.store(self.places(dest), [new], require)?;
            }
            InstrKind::Spawn { dest, callee, arg } => {
                for started in self.callees(callee)? {
                    self.pass(started, &[arg], require)?;
                }
                if let Some(dest) = dest {
                    let thread = Target::start(Object::Started(function, number));
                    self.store(self.places(dest), [thread], require)?;
                }
            }
            InstrKind::Join { dest: Some(dest), .. } => {
                self.store(self.places(dest), self.results()?, require)?;
            }
            InstrKind::Call { dest, callee, ref args } => {
                for called in self.callees(callee)? {
                    let arg = |i: usize| args.get(i).copied();
                    let result = match library(&self.program.functions[called]) {
                        Library::Unknown => {
                            self.pass(called, args, require)?;
                            self.held(Object::Returned(called)).collect()
                        }
                        Library::Allocate => {
                            [Target::start(Object::Allocated(function, number))].into()
                        }
                        Library::Create => {
                            for started in self.started(args)? {
                                let argument: Vec<ExprId> =
                                    arg(self.argument(args)).into_iter().collect();
                                self.pass(started, &argument, require)?;
                            }
                            let thread = Target::start(Object::Started(function, number));
                            let place = arg(0).map_or(Targets::new(), |to| self.values(to));
                            self.store(place, [thread], require)?;
                            Targets::new()
                        }
                        Library::Join => {
                            let place = arg(1).map_or(Targets::new(), |to| self.values(to));
                            self.store(place, self.results()?, require)?;
                            Targets::new()
                        }
                        Library::SetSpecific => {
                            let place = [Target::start(Object::Specific)].into();
                            let values = arg(1).map_or(Targets::new(), |value| self.values(value));
                            self.store(place, values, require)?;
                            Targets::new()
                        }
                        Library::GetSpecific => self.held(Object::Specific).collect(),
                        Library::Number => [Target::anywhere(Object::Unknown)].into(),
                        _ => Targets::new(),
                    };
                    if let Some(dest) = dest
                        && !result.is_empty()
                    {
                        self.store(self.places(dest), result, require)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Checks whether a number is written to a union that may be read as an address.
    fn is_pun(self, place: ExprId, value: ExprId) -> bool {
        let program = self.program;
        let ExprKind::Member(base, _) = *program.exprs.kind(place) else { return false };
        let Type::Struct(id) = *program.type_of(base) else { return false };
        let union = &program.types.structs[id];
        let is_pointer = |ty| matches!(program.types.get(ty), Type::Ptr(_));
        union.union
            && union.fields.iter().any(|field| is_pointer(field.ty))
            && !matches!(program.exprs.kind(value), ExprKind::Int(_) | ExprKind::Zero)
            && !is_pointer(program.exprs.ty(value))
    }

    fn pass(
        self,
        called: FunctionId,
        args: &[ExprId],
        require: &mut dyn FnMut(Object, Target),
    ) -> Result<(), String> {
        for (&param, &arg) in self.program.functions[called].params.iter().zip(args) {
            let place = [Target::start(Object::Variable(param))].into();
            self.store(place, self.values(arg), require)?;
        }
        Ok(())
    }

    /// Which argument of a call that creates a thread is what it gets: the last.
    fn argument(self, args: &[ExprId]) -> usize {
        args.len().saturating_sub(1)
    }

    /// The functions that a call starts: the argument before the last is one.
    pub(crate) fn started(self, args: &[ExprId]) -> Result<Vec<FunctionId>, String> {
        match args.len().checked_sub(2).and_then(|i| args.get(i)) {
            Some(&start) => self.functions(start),
            None => Err("a thread without a function".into()),
        }
    }

    /// Returns the results that threads can have.
    pub(crate) fn results(self) -> Result<Targets, String> {
        let mut results = Targets::new();
        for function in self.all_started()? {
            results.extend(self.held(Object::Returned(function)));
        }
        Ok(results)
    }

    /// All functions that threads begin with.
    pub(crate) fn all_started(self) -> Result<BTreeSet<FunctionId>, String> {
        let mut all = BTreeSet::new();
        for (_, _, started, _) in self.starts()? {
            all.extend(started);
        }
        Ok(all)
    }

    /// The instructions that start threads: where, which functions, and what they get.
    #[allow(clippy::type_complexity, reason = "a row of a table")]
    pub(crate) fn starts(
        self,
    ) -> Result<Vec<(FunctionId, u32, Vec<FunctionId>, Option<ExprId>)>, String> {
        let mut starts = Vec::new();
        for (id, function) in &self.program.functions {
            if library(function) != Library::Unknown {
                continue;
            }
            for (i, instr) in function.body.iter().flatten().enumerate() {
                match &instr.kind {
                    InstrKind::Spawn { callee, arg, .. } => {
                        starts.push((id, i as u32, self.callees(*callee)?, Some(*arg)));
                    }
                    InstrKind::Call { callee, args, .. } => {
                        for called in self.callees(*callee)? {
                            if library(&self.program.functions[called]) == Library::Create {
                                let arg = args.get(self.argument(args)).copied();
                                starts.push((id, i as u32, self.started(args)?, arg));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(starts)
    }
}

//! Calling conventions: what a caller and a callee of different types have in common.
//!
//! C leaves a call through a pointer of another type undefined (C17 6.5.2.2p9); a machine executes it all the same. Where the
//! words that the caller sets are those that the callee reads, the call has one meaning, and [`Program::passing`] says
//! which argument each parameter gets. Where they differ in kind (a structure for a word, a floating number for an
//! integer), nobody can say what happens, and there is no answer.
//!
//! - x86-64 (System V): integers and pointers of up to 64 bits go to one sequence of registers and then to the stack,
//!   `float` and `double` to another. Only the bits of its own type are set in a register, but callers widen what is
//!   narrower than `int` (as gcc and clang both do). Aggregates and what is wider must be the same on both sides.
//! - i386 (cdecl): arguments lie on the stack, each at the next multiple of four bytes.
//!
//! A parameter for which the caller passes nothing holds any value.
//!
//! Variable arguments have a form of their own: a function type with `...` ends in a pointer to the structure [`VARIABLE`],
//! through which the caller gives a structure that [`Program::pack_layout`] lays out.

use crate::expr::ExprId;
use crate::program::Program;
use crate::types::{Field, StructType, Type, TypeId};

/// The name of the structure that the last parameter of a variadic function points to. No structure of C has it.
pub const VARIABLE: &str = "...";

/// The value that a parameter receives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// The argument of this number.
    Argument(usize),
    /// Whatever a register happens to hold.
    AnyRegister,
    /// Whatever the stack, which is the caller's, happens to hold.
    AnyStack,
}

/// The way in which a scalar is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Word,
    Float,
    Other,
}

impl Program {
    /// The type of the last parameter of a variadic function.
    pub fn variable_arguments(&mut self) -> TypeId {
        let found = self.types.structs.iter().find(|(_, s)| s.name == VARIABLE).map(|(id, _)| id);
        let id = found.unwrap_or_else(|| {
            self.add_struct(StructType {
                name: VARIABLE.to_owned(),
                union: false,
                fields: Vec::new(),
                size: 0,
                align: 1,
                complete: false,
            })
        });
        let ty = self.types.intern(Type::Struct(id));
        self.types.ptr(ty)
    }

    /// Returns whether a type is that of the last parameter of a variadic function.
    pub fn is_variable_arguments(&self, ty: TypeId) -> bool {
        let Some(to) = self.pointee(ty) else { return false };
        matches!(*self.types.get(to), Type::Struct(id) if self.types.structs[id].name == VARIABLE)
    }

    /// Returns whether values of two types are passed and returned alike: pointer types count as one, and so do
    /// integers of one width and aggregates of one size.
    pub fn is_passed_alike(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Ptr(_), Type::Ptr(_)) => {
                self.is_variable_arguments(a) == self.is_variable_arguments(b)
            }
            (Type::Int { width: a, .. }, Type::Int { width: b, .. }) => a == b,
            (Type::Struct(_) | Type::Array(..), Type::Struct(_) | Type::Array(..)) => {
                self.size_of(a) == self.size_of(b)
            }
            _ => false,
        }
    }

    /// Returns whether a call of a function of one type is one of a function of another: each argument and the result
    /// are passed alike.
    pub fn is_called_alike(&self, a: TypeId, b: TypeId) -> bool {
        let (Type::Func(a_ret, a_params), Type::Func(b_ret, b_params)) =
            (self.types.get(a), self.types.get(b))
        else {
            return false;
        };
        a_params.len() == b_params.len()
            && self.is_passed_alike(*a_ret, *b_ret)
            && a_params.iter().zip(b_params).all(|(&a, &b)| self.is_passed_alike(a, b))
    }

    /// The alignment of a variable argument of a type in the structure that the caller makes.
    pub fn slot_align(&self, ty: TypeId) -> u64 {
        let natural = self.types.align_of(ty, &self.machine);
        if natural > 8 { natural } else { u64::from(self.machine.pointer_width / 8) }
    }

    /// The structure in which variable arguments of some (promoted) types are passed: for each a word with its
    /// [kind](Program::argument_kind), and behind it the argument, at the next multiple of the word, or of its alignment if
    /// that is larger than 8. [`Program::pack_values`] says what its fields hold.
    pub fn pack_layout(&mut self, name: String, types: &[TypeId]) -> StructType {
        let word = u64::from(self.machine.pointer_width / 8);
        let kind = self.size_type();
        let (mut offset, mut align) = (0u64, word);
        let mut fields = Vec::with_capacity(2 * types.len());
        for (i, &ty) in types.iter().enumerate() {
            let slot = self.slot_align(ty);
            align = align.max(slot);
            fields.push(Field { name: format!("k{i}"), ty: kind, offset, first_bit: None });
            offset = (offset + word).next_multiple_of(slot);
            fields.push(Field { name: format!("a{i}"), ty, offset, first_bit: None });
            offset += self.size_of(ty).unwrap_or(0).next_multiple_of(word);
        }
        let size = offset.next_multiple_of(align);
        StructType { name, union: false, fields, size, align, complete: true }
    }

    /// Returns the values of the fields of the structure for these variable arguments, in order.
    pub fn pack_values(&mut self, arguments: &[ExprId]) -> Vec<ExprId> {
        let mut values = Vec::with_capacity(2 * arguments.len());
        for &argument in arguments {
            let kind = self.argument_kind(self.exprs.ty(argument));
            values.extend([self.size(kind), argument]);
        }
        values
    }

    /// The number of the field that holds a variable argument.
    pub fn pack_field(argument: usize) -> u32 {
        2 * argument as u32 + 1
    }

    /// A number that two types share if a variable argument of the one can be taken as one of the other: those that are
    /// [passed alike](Program::is_passed_alike).
    pub fn argument_kind(&self, ty: TypeId) -> u64 {
        let class = match self.types.get(ty) {
            Type::Ptr(_) => 1,
            Type::Int { .. } => 2,
            Type::Float(_) => 3,
            _ => 4,
        };
        8 * self.size_of(ty).unwrap_or(0) + class
    }

    /// Returns the value that each parameter of a callee receives from arguments of these types; `None` if caller and
    /// callee do not agree.
    pub fn passing(&self, args: &[TypeId], params: &[TypeId]) -> Option<Vec<Passed>> {
        let common =
            args.iter().zip(params).take_while(|&(&a, &b)| self.is_passed_alike(a, b)).count();
        let is_other = |&ty: &TypeId| self.class(ty) == Class::Other;
        if args[common..].iter().any(is_other) || params[common..].iter().any(is_other) {
            return None;
        }
        match self.machine.pointer_width {
            32 => self.on_stack(args, params),
            _ => self.in_registers(args, params),
        }
    }

    /// Returns whether a value travels as a word: an integer or a pointer.
    pub fn is_word(&self, ty: TypeId) -> bool {
        self.class(ty) == Class::Word
    }

    fn class(&self, ty: TypeId) -> Class {
        match *self.types.get(ty) {
            Type::Ptr(_) => Class::Word,
            Type::Int { width, .. } if width <= 64 => Class::Word,
            Type::Float(_) if self.size_of(ty).is_some_and(|size| size <= 8) => Class::Float,
            _ => Class::Other,
        }
    }

    fn in_registers(&self, args: &[TypeId], params: &[TypeId]) -> Option<Vec<Passed>> {
        let places = |types: &[TypeId]| -> Vec<(Class, usize)> {
            let (mut words, mut floats) = (0, 0);
            let place = |&ty: &TypeId| {
                let class = self.class(ty);
                let next = if class == Class::Float { &mut floats } else { &mut words };
                *next += usize::from(class != Class::Other);
                (class, next.saturating_sub(1))
            };
            types.iter().map(place).collect()
        };
        let (given, wanted) = (places(args), places(params));
        let overflows = |class, n_registers| {
            given.iter().chain(&wanted).any(|&(c, k)| c == class && k >= n_registers)
        };
        let (words, floats) = (overflows(Class::Word, 6), overflows(Class::Float, 8));
        let others = given.iter().any(|&(class, _)| class == Class::Other);
        // What lies on the stack is in order of the arguments, whatever the class.
        if words && floats || (words || floats) && others {
            return None;
        }
        let mut passed = Vec::with_capacity(params.len());
        for (i, place) in wanted.iter().enumerate() {
            let from = if place.0 == Class::Other {
                Some(i)
            } else {
                given.iter().position(|other| other == place)
            };
            passed.push(match from {
                Some(from) if self.can_reinterpret(args[from], params[i]) => Passed::Argument(from),
                Some(_) => return None,
                // Something was passed, but elsewhere.
                None if given.iter().any(|other| !wanted.contains(other)) => return None,
                None => match *place {
                    (Class::Word, k) if k >= 6 => Passed::AnyStack,
                    (Class::Float, k) if k >= 8 => Passed::AnyStack,
                    _ => Passed::AnyRegister,
                },
            });
        }
        Some(passed)
    }

    fn on_stack(&self, args: &[TypeId], params: &[TypeId]) -> Option<Vec<Passed>> {
        let places = |types: &[TypeId]| {
            let mut end = 0;
            let mut places = Vec::with_capacity(types.len());
            for &ty in types {
                places.push(end);
                end += self.size_of(ty)?.next_multiple_of(4);
            }
            Some((places, end))
        };
        let ((given, given_end), (wanted, _)) = (places(args)?, places(params)?);
        let mut passed = Vec::with_capacity(params.len());
        for (i, &place) in wanted.iter().enumerate() {
            passed.push(match given.iter().position(|&other| other == place) {
                _ if place >= given_end => Passed::AnyStack,
                Some(from) if self.can_reinterpret(args[from], params[i]) => Passed::Argument(from),
                _ => return None,
            });
        }
        Some(passed)
    }

    /// Returns whether the words in which a value of one type is passed can be read as a value of another.
    fn can_reinterpret(&self, from: TypeId, to: TypeId) -> bool {
        if self.is_passed_alike(from, to) {
            return true;
        }
        let words = |ty: TypeId| self.size_of(ty).map(|size| size.div_ceil(4));
        let same_size = self.machine.pointer_width != 32 || words(from) == words(to);
        self.is_word(from) && self.is_word(to) && same_size
    }
}

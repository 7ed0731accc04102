//! The undefined behaviours of C17 (annex J.2), and what becomes of each.
//!
//! One row per behaviour, in the order of the standard's clauses, in words of our own. From this table comes the page
//! `docs/reference/undefined-behaviour.md`. A property that a row names must be checked by default, or the row says that it
//! is not: what the table promises is what `vergo check` does without `--property`.

use crate::properties::PropertyId::{self, *};

/// The treatment of an undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treatment {
    /// Its absence is claimed, by these properties.
    Checked(&'static [PropertyId]),
    /// Programs with it are rejected, with a diagnostic.
    Rejected,
    /// It has a fixed meaning, which is this.
    Defined(&'static str),
    /// It is taken not to happen, or cannot, because of this.
    Excluded(&'static str),
    /// It is not looked for, because of this.
    NotChecked(&'static str),
}

/// An undefined behaviour.
pub struct Undefined {
    /// The clauses of C17.
    pub clause: &'static str,
    /// A short description of the behaviour.
    pub what: &'static str,
    /// Its treatment.
    pub treatment: Treatment,
}

/// All rows, in order of clauses.
pub const UNDEFINED: &[Undefined] = TABLE;

macro_rules! table {
    ($($clause:literal, $what:literal, $treatment:expr;)*) => {
        const TABLE: &[Undefined] = &[$(Undefined { clause: $clause, what: $what, treatment: $treatment },)*];
    };
}

use Treatment::{Checked, Defined, Excluded, NotChecked, Rejected};

const PREPROCESSOR: Treatment = Excluded("the host's preprocessor decides");
const GCC: Treatment = Defined("as gcc has it");
const ACCESS: Treatment = Checked(&[MemoryNull, MemoryLifetime, MemoryBounds]);
const LIBRARY: Treatment = NotChecked("the model of the function does not see it");

table! {
    "4", "a requirement outside of a constraint is violated", NotChecked("a general clause; the rows below are its cases");
    "5.1.1.2", "a file does not end in a newline, or in a backslash", GCC;
    "5.1.1.2", "joined tokens spell a universal character name", PREPROCESSOR;
    "5.1.2.2.1", "a hosted program's `main` has another form", GCC;
    "5.1.2.4", "two threads access one object, one of them writes, and nothing orders them", NotChecked("by default; `race` (`no-data-race`) checks it on request");
    "5.2.1", "a character outside of the basic set stands outside of literals and comments", GCC;
    "5.2.1.2", "a literal or comment has an invalid multibyte character", GCC;
    "6.2.2", "one name has internal and external linkage in a unit", Rejected;
    "6.2.4", "an object is used outside of its lifetime", Checked(&[MemoryLifetime]);
    "6.2.4", "a pointer to an object that is dead is used as a value", NotChecked("its address is still compared and printed; using what it points to is checked");
    "6.2.4, 6.7.9, 6.8", "an automatic object is read before it has a value", Checked(&[MemoryUninitialized]);
    "6.2.6.1", "a trap representation is read or made", Excluded("no type has one, but `_Bool`, whose other values are read as `docs/semantics.md` says");
    "6.2.6.2", "arithmetic makes a negative zero", Excluded("integers are two's complement");
    "6.2.7", "declarations of one thing have incompatible types", Checked(&[CallType]);
    "6.2.7", "a composite type needs the length of a variable array that was not evaluated", NotChecked("such types are merged by their element");
    "6.3.1.4", "a floating number does not fit the integer type it is converted to", Checked(&[ArithFloatConversion]);
    "6.3.1.5", "a floating number is out of the range of the type it is converted to", Defined("IEEE 754: an infinity, which `float.overflow` forbids on request");
    "6.3.2.1", "an lvalue designates no object when it is evaluated", ACCESS;
    "6.3.2.1", "an lvalue of incomplete type is used for its value", Rejected;
    "6.3.2.1", "a `register` object without a value is read", Checked(&[MemoryUninitialized]);
    "6.3.2.1", "an array of `register` class is converted to a pointer", Rejected;
    "6.3.2.2", "the value of a `void` expression is used", Rejected;
    "6.3.2.3", "a pointer is converted to an integer type that cannot hold it", Defined("the low bits of the address");
    "6.3.2.3", "a pointer is converted to one with a stricter alignment that it lacks", Checked(&[MemoryAlignment]);
    "6.3.2.3", "a function is called through a pointer of another type", Checked(&[CallType]);
    "6.4", "a quote stands alone on a line", Rejected;
    "6.4.1", "a keyword is used as something else during preprocessing", PREPROCESSOR;
    "6.4.2.1", "an identifier has a universal character name outside of the ranges", Rejected;
    "6.4.2.1", "identifiers differ only beyond the significant characters", Excluded("all characters are significant");
    "6.4.2.2", "`__func__` is declared by the program", Rejected;
    "6.4.5", "a string literal is modified", Checked(&[MemoryReadOnly]);
    "6.4.7", "quotes, backslashes or comment marks stand in a header name", PREPROCESSOR;
    "6.5", "effects on a scalar object, or an effect and a use of its value, are unsequenced", Checked(&[SequenceUnsequenced]);
    "6.5", "the result of an operation is not in the range of its type", Checked(&[ArithSignedOverflow]);
    "6.5", "an object is accessed at a type that it does not have", NotChecked("memory is bytes, as with gcc's `-fno-strict-aliasing`");
    "6.5.2.2", "a call without a prototype has the wrong number or types of arguments", Checked(&[CallType]);
    "6.5.2.2", "a function with a prototype that ends in `...` is called without one", Checked(&[CallType]);
    "6.5.2.2", "a function is defined with a type that is not compatible with the call's", Checked(&[CallType]);
    "6.5.2.3", "a member of an atomic structure or union is accessed", NotChecked("members of atomic objects are accessed like others");
    "6.5.3.2", "`*` is applied to an invalid pointer", ACCESS;
    "6.5.4", "a pointer is converted to something else than an integer or a pointer", Rejected;
    "6.5.5", "division or remainder by zero", Checked(&[ArithDivisionByZero]);
    "6.5.5", "the quotient is not representable", Checked(&[ArithSignedOverflow]);
    "6.5.6", "pointer arithmetic leaves the object and the place behind it", NotChecked("addresses wrap around; the access is checked");
    "6.5.6", "the pointer behind an object is dereferenced", Checked(&[MemoryBounds]);
    "6.5.6", "an index leaves its array, though not the object", Checked(&[MemoryIndex]);
    "6.5.6", "pointers into different objects are subtracted", NotChecked("by default, addresses are subtracted; `pointer.unrelated` checks it on request");
    "6.5.6", "the difference of two pointers does not fit `ptrdiff_t`", Excluded("no object is as large as half of the address space");
    "6.5.7", "a shift by a negative amount, or by the width or more", Checked(&[ArithShift]);
    "6.5.7", "a left shift of a negative or too large signed number", Checked(&[ArithSignedOverflow]);
    "6.5.8", "pointers into different objects are compared by order", NotChecked("by default, addresses are compared; `pointer.unrelated` checks it on request");
    "6.5.16.1", "an object is assigned to one that overlaps it inexactly", NotChecked("an assignment reads all before it writes");
    "6.6", "a constant expression is required and has none of the allowed forms", Rejected;
    "6.6", "an arithmetic or address constant has other operands than allowed", Rejected;
    "6.7", "an object without linkage has an incomplete type", Rejected;
    "6.7.1", "a function in a block has another storage class than `extern`", Rejected;
    "6.7.2.1", "a structure or union has no named members", GCC;
    "6.7.2.1", "a flexible array member is accessed where there is no element", Checked(&[MemoryBounds]);
    "6.7.2.3", "an enumeration or structure that is needed complete is not", Rejected;
    "6.7.3", "a `const` object is modified", Checked(&[MemoryReadOnly]);
    "6.7.3", "a `volatile` object is accessed through another lvalue", NotChecked("reads and writes of volatile objects are ordinary ones");
    "6.7.3", "a function type is qualified", GCC;
    "6.7.3", "types that must be compatible are qualified differently", Rejected;
    "6.7.3.1", "an object that a `restrict` pointer reaches is modified in another way", NotChecked("`restrict` says nothing");
    "6.7.3.1", "`restrict` pointers are assigned to each other against the rules", NotChecked("`restrict` says nothing");
    "6.7.4", "an `inline` function with external linkage has no definition", Checked(&[CallNoBody]);
    "6.7.4", "a `_Noreturn` function returns", Checked(&[CallNoreturn]);
    "6.7.5", "declarations of one object differ in alignment", GCC;
    "6.7.6.1", "pointer types that must be compatible point to incompatible types", Rejected;
    "6.7.6.2", "the length of a variable array is not positive", Checked(&[MemoryVlaLength]);
    "6.7.6.2", "arrays that must be compatible have different lengths", NotChecked("conversions of pointers to variable arrays are not compared; accesses are checked");
    "6.7.6.3", "a parameter declared with `static` points to too few elements", NotChecked("what the function accesses is checked");
    "6.7.6.3", "a storage class or qualifier stands beside a lone `void` parameter", Rejected;
    "6.7.6.3", "function types that must be compatible have incompatible parameters", Rejected;
    "6.7.9", "the value of an unnamed member is used", Defined("it has the value that its bytes have");
    "6.7.9", "the initialiser of a scalar is not an expression", Rejected;
    "6.7.9", "the initialiser of a structure is neither a list nor a structure", Rejected;
    "6.7.9", "the initialiser of an array is neither a list nor a string", Rejected;
    "6.9", "an external name that is used has no definition, or several", Checked(&[CallNoBody]);
    "6.9.1", "a parameter list has names without types, or types without names", Rejected;
    "6.9.1", "a variadic function is defined without `...`", Checked(&[CallType]);
    "6.9.1", "a function ends without a value that its caller uses", Checked(&[CallNoValue]);
    "6.9.2", "a tentative definition has internal linkage and an incomplete type", Rejected;
    "6.10", "preprocessing: conditions, includes, macros, lines and pragmas against the rules", PREPROCESSOR;
    "6.10.8", "`defined` or a predefined macro is defined or removed", PREPROCESSOR;
    "7.1.2", "a header of the program's own hides one of the library, or is included late", PREPROCESSOR;
    "7.1.3", "a reserved name is declared or defined", Defined("the program's definition replaces the library's, but for `abs` and its kin");
    "7.1.4", "a library function gets a value outside of its domain or an invalid pointer", ACCESS;
    "7.1.4", "a library array argument is too small", Checked(&[MemoryBounds]);
    "7.2", "`assert` as a function", Rejected;
    "7.3.4, 7.6.1, 7.12.2", "a standard pragma stands in the wrong place", NotChecked("these pragmas say nothing");
    "7.4", "a character function gets a value that is neither a byte nor `EOF`", Checked(&[CallArgument]);
    "7.5", "`errno` is declared by the program", GCC;
    "7.6", "the floating environment is accessed where it is off", NotChecked("there is one environment");
    "7.8.2, 7.22.6", "`imaxabs`, `abs` or `imaxdiv` whose result does not fit", Checked(&[ArithSignedOverflow]);
    "7.11.1.1, 7.11.2.1", "what `setlocale` or `localeconv` returned is modified", LIBRARY;
    "7.12", "a macro for numbers is given something else", Rejected;
    "7.13", "`setjmp` stands elsewhere than in a comparison", Defined("its value is stored like any other");
    "7.13.2.1", "`longjmp` to a place whose function has returned", NotChecked("reaching it makes the verdict unknown");
    "7.13.2.1", "an automatic object that was changed after `setjmp` is read after `longjmp`", Defined("a scalar that is named where it is changed has any value, everything else its latest");
    "7.14.1.1", "a signal handler does what it must not, or returns from a computational exception", NotChecked("handlers are ordinary functions");
    "7.16", "`va_arg` on a list that is not begun, has ended, or was used by another function", Checked(&[MemoryNull, MemoryBounds, MemoryUninitialized]);
    "7.16.1.1", "`va_arg` behind the last argument", Checked(&[MemoryBounds]);
    "7.16.1.1", "`va_arg` of a type that the argument does not have", Checked(&[CallArgument]);
    "7.16.1", "a list is begun or copied and not ended", NotChecked("nothing is lost by it");
    "7.16.1.4", "`va_start` names a parameter that is not the last, or of another class", NotChecked("the list begins behind the last parameter");
    "7.17", "atomic operations on objects that were not initialised, with a wrong order", NotChecked("every order is the strictest one");
    "7.19", "`offsetof` of a bit-field or of no member", Rejected;
    "7.20.4", "a constant macro with an argument that does not fit", GCC;
    "7.21.2", "a stream is used after wide and narrow operations were mixed", LIBRARY;
    "7.21.3", "a stream is used after it was closed", Checked(&[MemoryLifetime]);
    "7.21.5.2", "`fflush` of a stream for input", LIBRARY;
    "7.21.5.3", "a mode of `fopen` that is none; reading after writing without a flush", LIBRARY;
    "7.21.6", "a format and the arguments for it differ", Checked(&[CallArgument, MemoryNull, MemoryBounds]);
    "7.21.6.1", "a format has an invalid combination of flags, length and conversion", LIBRARY;
    "7.21.6.2", "`scanf` into an object that is too small or of another type", Checked(&[MemoryNull, MemoryBounds]);
    "7.21.7", "`ungetc` or a position is used against the rules", LIBRARY;
    "7.22.1", "a number that `atoi` and its kin cannot represent", LIBRARY;
    "7.22.2.2", "calls of `rand` and `srand` in several threads", LIBRARY;
    "7.22.3", "a pointer to freed memory is used", Checked(&[MemoryLifetime]);
    "7.22.3.3", "`free` of something that was not allocated, or twice", Checked(&[MemoryInvalidFree, MemoryDoubleFree]);
    "7.22.3.4", "memory from `malloc` is read before it is written", Checked(&[MemoryUninitialized]);
    "7.22.4", "`exit` is called twice, or a handler leaves by `longjmp`", LIBRARY;
    "7.22.4.6", "what `getenv` returned is modified", LIBRARY;
    "7.22.5", "a comparison function changes the array or is inconsistent", NotChecked("`qsort` and `bsearch` call it as it is");
    "7.22.7", "multibyte functions with an invalid state", LIBRARY;
    "7.24.1", "a string or memory function accesses beyond an object", Checked(&[MemoryBounds]);
    "7.24.1, 7.22.5", "a null pointer stands for a block or an array of no bytes", Checked(&[CallNonnull]);
    "7.24.2", "source and destination of a copy overlap, but are not the same", Checked(&[CallArgument]);
    "7.24.2", "a block is copied to itself", NotChecked("such copies are harmless, and compilers make them");
    "7.24.5.8", "`strtok` without a string to go on with", Checked(&[MemoryNull]);
    "7.24.6.2", "what `strerror` returned is modified", LIBRARY;
    "7.25", "a type-generic call without a function for its arguments", Rejected;
    "7.26", "a lock is unlocked by who does not hold it, or destroyed in use; a thread is joined or detached twice", Checked(&[ThreadDestroyLocked, ThreadJoinTwice, ThreadUnlockNotHeld]);
    "7.26", "threads wait on one condition with different locks", LIBRARY;
    "7.27.3", "`asctime` of a year of more than four digits; broken-down times out of range", LIBRARY;
    "7.29", "wide formats, streams and states against the rules", LIBRARY;
    "7.30", "wide character functions with values out of range", LIBRARY;
    "gcc", "`__builtin_clz` or `__builtin_ctz` of zero", Checked(&[ArithZeroCount]);
    "gcc", "`__builtin_unreachable` is reached", Checked(&[ReachUnreachable]);
    "gcc", "null where `nonnull` or `returns_nonnull` excludes it", Checked(&[CallNonnull]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::properties::ByDefault;
    use crate::properties::unchecked::if_unchecked;

    #[test]
    fn properties_of_the_table_are_assumptions_where_they_are_not_checked() {
        for row in UNDEFINED {
            let Checked(properties) = row.treatment else { continue };
            assert!(!properties.is_empty(), "{}", row.what);
            for &property in properties {
                let is_said = if_unchecked(property).is_some()
                    || matches!(property, MemoryUninitialized | CallNoBody);
                assert!(is_said, "{property} is not among what is assumed");
            }
            let any_on = properties.iter().any(|p| p.info().by_default == ByDefault::On);
            assert!(any_on || properties == [MemoryUninitialized], "{}", row.what);
        }
    }
}

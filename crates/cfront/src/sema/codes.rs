//! The diagnostics of the analysis: a stable code for each kind of mistake, with its explanation.

vergo_source::codes! {
    /// All codes of the analysis and the linker.
    pub CODES;

    UNDECLARED = "C0201", "undeclared name",
        "The name is not declared here. Names are visible from their declaration to the end of the block that contains \
         it; names of the standard library are declared by its headers.";
    REDEFINITION = "C0202", "redefinition",
        "The name is already defined in this scope.";
    CONFLICTING_TYPES = "C0203", "declarations with conflicting types",
        "All declarations of a function or variable must have compatible types.";
    CONFLICTING_LINKAGE = "C0204", "declarations with conflicting linkage",
        "A name that was declared without `static` cannot become static later, and a name with linkage cannot lose it \
         in the same scope.";
    WRONG_TAG = "C0205", "tag of another kind",
        "A tag names one structure, union or enumeration in its scope; the keyword has to agree.";
    INCOMPLETE_TYPE = "C0206", "incomplete type",
        "The size of the type is not known here: a structure, union or enumeration that is only declared, an array \
         without a length, or `void`.";
    NO_SUCH_MEMBER = "C0207", "no such member",
        "The structure or union has no member of this name.";
    NOT_A_RECORD = "C0208", "member access on something else than a structure or union",
        "`.` needs a structure or union on its left, `->` a pointer to one.";
    DUPLICATE_MEMBER = "C0209", "duplicate member",
        "The members of a structure or union, those of its anonymous members included, have different names.";
    INVALID_OPERANDS = "C0210", "invalid operands",
        "The operator is not defined for operands of these types.";
    NOT_AN_LVALUE = "C0211", "lvalue required",
        "The operator changes an object or takes its address, but the operand is only a value.";
    READ_ONLY = "C0212", "assignment to something that is const",
        "An object that is declared `const`, or has a `const` member, cannot be assigned to.";
    INCOMPATIBLE_TYPES = "C0213", "incompatible types",
        "A value of this type cannot be converted to the type that is required here.";
    INCOMPATIBLE_POINTERS = "C0214", "incompatible pointer types",
        "The two pointer types point to incompatible types. The conversion is made as by a cast; write the cast if it \
         is meant.";
    INT_CONVERSION = "C0215", "conversion between integer and pointer without a cast",
        "Pointers and integers convert into each other only by a cast, except for the constant 0. The conversion is \
         made as by a cast.";
    DISCARDED_QUALIFIERS = "C0216", "qualifier discarded",
        "The conversion drops `const`, `volatile` or another qualifier of what the pointer points to.";
    NOT_CALLABLE = "C0217", "called object is not a function",
        "Only functions and pointers to functions can be called.";
    ARGUMENT_COUNT = "C0218", "wrong number of arguments",
        "A call gives as many arguments as the function has parameters; a function that ends in `...` takes at least \
         its named parameters.";
    IMPLICIT_FUNCTION = "C0219", "implicit declaration of a function",
        "The function is called but not declared. As in C89 it is taken to be declared as `int f()`, or as the \
         function of the standard library that has this name.";
    IMPLICIT_INT = "C0220", "type defaults to int",
        "The declaration names no type. As in C89 it is taken to be `int`.";
    VOID_VALUE = "C0221", "void value used",
        "An expression of type `void` has no value.";
    NOT_CONSTANT = "C0222", "constant expression required",
        "The value must be known before the program runs.";
    CONSTANT_OVERFLOW = "C0223", "overflow in a constant expression",
        "The result of the operation cannot be represented in its type; it wraps around.";
    DIVISION_BY_ZERO = "C0224", "division by zero in a constant expression",
        "Division and remainder by zero have no value.";
    STATIC_ASSERTION = "C0225", "static assertion failed",
        "The condition of `_Static_assert` is zero.";
    BAD_ARRAY_SIZE = "C0226", "bad array size",
        "The length of an array is an integer that is not negative; outside of functions it is constant.";
    BAD_BIT_FIELD = "C0227", "bad bit-field",
        "A bit-field has an integer type and a constant width that its type can hold; width zero is for unnamed \
         bit-fields only. Its address cannot be taken, nor its size.";
    BAD_ENUMERATOR = "C0228", "bad enumerator",
        "The value of an enumerator is an integer constant that the widest integer type can hold.";
    BAD_TYPE = "C0229", "impossible type",
        "Arrays have complete object types as elements, functions return neither arrays nor functions, and `restrict` \
         qualifies pointers.";
    BAD_STORAGE = "C0230", "storage class not allowed here",
        "The storage class or function specifier does not fit what is declared.";
    BAD_INITIALISER = "C0231", "bad initialiser",
        "The initialiser does not fit the type of what it initialises.";
    EXCESS_INITIALISERS = "C0232", "excess elements in initialiser",
        "There are more initialisers than elements or members; the rest is ignored.";
    BAD_DESIGNATOR = "C0233", "bad designator",
        "`.name` designates a member of a structure or union, `[index]` an element of an array.";
    UNDEFINED_LABEL = "C0235", "label used but not defined",
        "The function has no label of this name.";
    DUPLICATE_LABEL = "C0236", "duplicate label",
        "A label is defined once in a function.";
    DUPLICATE_CASE = "C0237", "duplicate case",
        "Each value leads to one place in a `switch`.";
    MISPLACED_CASE = "C0238", "case outside of a switch",
        "`case` and `default` belong to the innermost `switch` around them.";
    MISPLACED_JUMP = "C0239", "jump without a target",
        "`break` leaves a loop or `switch`, `continue` goes on with a loop; there is none around it.";
    BAD_RETURN = "C0240", "return does not fit the function",
        "A function that returns `void` returns no value; every other one returns a value of its type.";
    JUMP_INTO_SCOPE = "C0241", "jump into the scope of a variable-length array or a statement expression",
        "The length of the array would never have been computed.";
    UNKNOWN_BUILTIN = "C0242", "unknown builtin",
        "The name begins like a builtin function of the compiler, but Vergo knows none of this name.";
    BAD_BUILTIN_CALL = "C0243", "bad arguments of a builtin",
        "The builtin requires operands of other types, constants, or another number of them.";
    UNSUPPORTED = "C0244", "not supported",
        "The construct is known, but Vergo does not analyse it.";
    BAD_GENERIC = "C0245", "bad generic selection",
        "Exactly one association of `_Generic` fits the type of the controlling expression.";
    BAD_ATTRIBUTE = "C0246", "bad attribute",
        "The arguments of the attribute do not make sense here.";
    BAD_VARIADIC = "C0247", "bad use of variable arguments",
        "`va_start` belongs into a function whose parameters end in `...`; the operand is a `va_list`.";
    BAD_ADDRESS = "C0248", "address cannot be taken",
        "Bit-fields, `register` variables and values have no address.";
    BAD_CAST = "C0249", "impossible cast",
        "Casts convert between scalar types, or to `void`.";
    BAD_SIZEOF = "C0250", "size of something without one",
        "Bit-fields and incomplete types have no size.";
    BAD_ASM = "C0251", "bad operand of inline assembly",
        "Outputs are assignable objects, and constraints of outputs begin with `=` or `+`.";
    BAD_MAIN = "C0252", "unusual main",
        "`main` returns `int` and takes no parameters, or an `int` and a pointer to pointers to `char`.";
    DISTINCT_POINTERS = "C0253", "comparison of distinct pointer types",
        "The two pointers point to incompatible types. They are compared as addresses.";
    BAD_PARAMETER = "C0254", "bad parameter",
        "A parameter of a function has a complete object type and a name of its own.";
    TOO_LARGE = "C0255", "object too large",
        "No object is larger than half of the address space.";
    EMPTY_DECLARATION = "C0256", "declaration of nothing",
        "The declaration declares neither a name nor a tag.";
    BAD_LITERAL = "C0257", "literal without a value",
        "The literal does not fit into any type, or mixes kinds that do not go together.";
    UNDEFINED_INTERNAL = "C0258", "static function used but never defined",
        "A function that is declared `static` must be defined in the same file to be called.";
    NOT_SCALAR = "C0259", "scalar required",
        "Conditions and the operands of `!`, `&&` and `||` are numbers or pointers.";
    BAD_SUBSCRIPT = "C0260", "bad subscript",
        "A subscript applies to an array, a pointer or a vector, and is an integer.";
    BAD_SHIFT = "C0261", "shift count out of range",
        "A shift by a negative count, or by at least the width of the left operand, is undefined.";
    IGNORED_QUALIFIER = "C0262", "qualifier or specifier without effect",
        "The keyword changes nothing here.";
    DUPLICATE_SYMBOL = "C0301", "symbol defined in several files",
        "A function or variable with external linkage is defined once in the whole program.";
    INCOMPATIBLE_SYMBOL = "C0302", "symbol declared differently in several files",
        "The declarations of a function or variable in different files must have compatible types (C17 6.2.7p2). Like \
         linkers, Vergo goes on: the object has the type of its definition, and an access at another type reads its \
         bytes.";
}

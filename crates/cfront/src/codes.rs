//! The diagnostics of the C front end: a stable code for each kind of mistake, with its explanation.
//!
//! `C01xx` belong to the lexer and the parser, `C02xx` and later ones to the analysis.

vergo_source::codes! {
    /// All codes of the C front end.
    pub CODES;

    STRAY_CHARACTER = "C0101", "stray character in the program",
        "The character belongs to no token of C. Outside of comments and literals, C uses letters, digits, blanks and \
         the punctuation of ASCII. Text that was copied from a document often carries typographic quotes, dashes or \
         blanks that look like their ASCII relatives.";
    OPEN_COMMENT = "C0102", "comment without an end",
        "A comment that begins with `/*` goes on until the next `*/`; comments do not nest.";
    OPEN_STRING = "C0103", "string literal without an end",
        "A string literal ends with `\"` on the line on which it began. Write two adjacent literals, or end the line \
         with a backslash, to continue one on the next line.";
    OPEN_CHARACTER = "C0104", "character constant without an end",
        "A character constant ends with `'` on the line on which it began.";
    EMPTY_CHARACTER = "C0105", "empty character constant",
        "A character constant holds at least one character. The null character is written `'\\0'`.";
    BAD_NUMBER = "C0106", "malformed number",
        "The text begins like a number but is none: a digit does not belong to the base, digits or an exponent are \
         missing, or the suffix is unknown. Suffixes of integers are combinations of `u`, `l` or `ll` (or `wb`) and \
         the GNU `i`; suffixes of floating numbers are `f`, `l`, `f16`, `f32`, `f64`, `f128` and their like.";
    BAD_ESCAPE = "C0107", "malformed escape sequence",
        "The escape sequences of C are `\\n \\t \\r \\a \\b \\f \\v \\\\ \\' \\\" \\?`, one to three octal digits, \
         `\\x` with hexadecimal digits, `\\u` with four and `\\U` with eight of them, and the GNU `\\e`.";
    NOT_PREPROCESSED = "C0108", "preprocessing directive in preprocessed text",
        "The text contains a directive that only a preprocessor can carry out. Line markers and `#pragma` are the \
         only directives that remain in the output of a preprocessor.";
    LONG_IDENTIFIER = "C0109", "identifier too long",
        "Identifiers may have at most 65,534 bytes.";
    UNEXPECTED_TOKEN = "C0110", "unexpected token",
        "The grammar of C does not allow this token here.";
    MISSING_SEMICOLON = "C0111", "missing semicolon",
        "Declarations, expression statements, `return`, `break`, `continue`, `goto` and `do ... while (...)` end with \
         a semicolon.";
    UNBALANCED = "C0112", "bracket without its partner",
        "Each `(`, `[` and `{` needs its closing bracket, and the other way round.";
    EXPECTED_EXPRESSION = "C0113", "expected an expression",
        "An expression has to stand here.";
    EXPECTED_DECLARATOR = "C0114", "expected a name in a declaration",
        "After the type, a declaration names what it declares.";
    UNKNOWN_TYPE = "C0115", "unknown type name",
        "The name stands where a type is expected, but no `typedef` of that name is visible here. Types of the \
         standard library are declared by its headers.";
    BAD_SPECIFIERS = "C0116", "specifiers that do not go together",
        "The type, storage class and qualifier keywords of a declaration have to form one type and at most one \
         storage class.";
    CPLUSPLUS = "C0117", "C++ given for C",
        "The text uses a construct of C++. Vergo reads C.";
    TOO_DEEP = "C0118", "nesting too deep",
        "Brackets, blocks, declarators and types may nest 10,000 levels deep, and chains such as `else if`, `?:`, \
         stacked labels and prefix operators may have 200,000 links. Generated text that goes beyond has to be \
         flattened.";
    MISPLACED = "C0119", "construct in the wrong place",
        "The construct is known but may not stand here, such as `else` without `if`, or a declaration as the body of \
         a loop.";
    EXPECTED_DECLARATION = "C0120", "expected a declaration",
        "Outside of functions there are only declarations and function definitions.";
    NOT_C = "C0121", "construct of another dialect",
        "The construct belongs to a dialect of C that is not GNU C.";
    STOPPED = "C0122", "parsing was interrupted",
        "Parsing was asked to stop before the end of the file, so that the tree is incomplete.";
    BAD_ASM = "C0123", "malformed inline assembly",
        "Inline assembly is `asm (template : outputs : inputs : clobbers : labels)`, of which all but the template may \
         be missing from the right.";
    BAD_ATTRIBUTE = "C0124", "malformed attribute",
        "Attributes are written `__attribute__((name, name(arguments)))` or `[[name, prefix::name(arguments)]]`.";
    MIXED_STRINGS = "C0125", "adjacent string literals of different kinds",
        "Adjacent string literals are one string, so that their prefixes `u8`, `u`, `U` and `L` have to agree; a literal \
         without a prefix goes with any.";
    UNBOUNDED_QUANTIFIER = "C0126", "quantifier without a range",
        "A quantifier is decided by looking at every value of its variable, so that its body has to say which these are: \
         `low <= i && i < high ==> claim`, for `exists` with `&&` instead of `==>`.";
    BAD_CONTRACT = "C0127", "contract that does not fit",
        "Clauses such as `__CPROVER_requires` follow the declarator of a function with a prototype and without variable \
         arguments; `__CPROVER_loop_invariant` and `__CPROVER_decreases` follow the head of a loop.";
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn every_code_is_explained() {
        for code in CODES {
            assert!(code.id().starts_with('C') && code.id().len() == 5, "{}", code.id());
            assert!(!code.title().is_empty() && code.explanation().ends_with('.'), "{}", code.id());
        }
    }
}

//! The GOTO language: types, expressions, instructions, functions, program; builder, text format, well-formedness verifier.

//! What the two tools have words for: the expressions and statements that each reads.
//!
//! A file may hold any id. What a tool does not know it refuses when it comes to it, or passes over; so a translation must not
//! write it.

/// Expressions that ESBMC reads.
const ESBMC: &[&str] = &[
    "*", "+", "-", "/", "<", "<=", "=", "=>", ">", ">=", "NULL-object", "abs", "address_of", "and", "arguments", "array",
    "array_of", "ashr", "bitand", "bitcast", "bitnot", "bitor", "bitxor", "bswap", "byte_extract_big_endian",
    "byte_extract_little_endian", "byte_update_big_endian", "byte_update_little_endian", "concat", "constant",
    "deallocated_object", "dereference", "dynamic_size", "exists", "extract", "forall", "ieee_add", "ieee_div", "ieee_fma",
    "ieee_mul", "ieee_rem", "ieee_sqrt", "ieee_sub", "if", "index", "infinity", "invalid-object", "invalid-pointer",
    "isfinite", "isinf", "isnan", "isnormal", "lshr", "member", "member_name", "mod", "nearbyint", "nil", "nondet_symbol",
    "not", "notequal", "object_size", "or", "overflow-*", "overflow-+", "overflow--", "overflow-/", "overflow-mod",
    "overflow-shl", "overflow-unary-", "overflow_result-*", "overflow_result-+", "overflow_result--", "pointer_object",
    "pointer_offset", "popcount", "r_ok", "rw_ok", "same-object", "shl", "sideeffect", "signbit", "sizeof",
    "string-constant", "struct", "symbol", "type", "typecast", "unary+", "unary-", "union", "valid_object", "vector", "w_ok",
    "with", "xor",
];

/// Expressions that CBMC reads.
const CBMC: &[&str] = &[
    "*", "+", "-", "/", "<", "<=", "=", "=>", ">", ">=", "abs", "address_of", "and", "arguments", "array",
    "array_comprehension", "array_list", "array_of", "ashr", "bitand", "bitnot", "bitor", "bitreverse", "bitxor", "bswap",
    "byte_extract_big_endian", "byte_extract_little_endian", "byte_update_big_endian", "byte_update_little_endian",
    "complex", "complex_imag", "complex_real", "concatenation", "constant", "count_leading_zeros", "count_trailing_zeros",
    "dereference", "empty_union", "exists", "extractbit", "extractbits", "find_first_set", "floatbv_div", "floatbv_minus",
    "floatbv_mod", "floatbv_mult", "floatbv_plus", "floatbv_rem", "floatbv_round_to_integral", "floatbv_typecast", "forall",
    "ieee_float_equal", "ieee_float_notequal", "if", "index", "infinity", "is_dynamic_object", "is_invalid_pointer",
    "isfinite", "isinf", "isnan", "isnormal", "label", "let", "live_object", "lshr", "member", "member_name", "mod", "nand",
    "nil", "nor", "not", "notequal", "object_size", "or", "overflow-*", "overflow-+", "overflow--", "overflow-shl",
    "overflow-unary-", "overflow_result-*", "overflow_result-+", "overflow_result--", "overflow_result-shl",
    "overflow_result-unary-", "pointer_in_range", "pointer_object", "pointer_offset", "popcount", "r_ok", "rol", "ror",
    "rw_ok", "shl", "side_effect", "sign", "string_constant", "struct", "symbol", "tuple", "typecast", "unary+", "unary-",
    "union", "vector", "w_ok", "with", "writeable_object", "xor",
];

/// Statements that ESBMC reads, as far as programs are made of them.
const ESBMC_STATEMENTS: &[&str] = &[
    "", "asm", "assign", "dead", "decl", "expression", "free", "function_call", "goto", "printf", "return", "skip",
];

/// Statements that CBMC reads.
const CBMC_STATEMENTS: &[&str] = &[
    "", "array_copy", "array_replace", "array_set", "asm", "assign", "assume", "assert", "dead", "decl", "expression", "fence",
    "function_call", "goto", "havoc_object", "input", "output", "printf", "return", "skip",
];

/// Statements that say something to readers of traces, and nothing about executions.
pub(super) const FOR_TRACES: &[&str] = &["fence", "input", "output"];

use crate::binary::Dialect;

/// Whether a tool reads an expression.
pub(super) fn has_expression(dialect: Dialect, id: &str) -> bool {
    match dialect {
        Dialect::Cbmc => CBMC.binary_search(&id).is_ok(),
        Dialect::Esbmc => ESBMC.binary_search(&id).is_ok(),
    }
}

/// Whether a tool reads a statement.
pub(super) fn has_statement(dialect: Dialect, statement: &str) -> bool {
    match dialect {
        Dialect::Cbmc => CBMC_STATEMENTS.contains(&statement),
        Dialect::Esbmc => ESBMC_STATEMENTS.contains(&statement),
    }
}

#[cfg(test)]
mod tests {
    use super::{CBMC, ESBMC};

    #[test]
    fn words_are_sorted() {
        assert!(CBMC.is_sorted() && ESBMC.is_sorted());
    }
}

//! Hash-consed sorted terms (Bool, BitVec, Array, Float), evaluator, rewriting at construction, SMT-LIB text in and out.

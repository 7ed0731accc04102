//! SMT-LIB 2 text.

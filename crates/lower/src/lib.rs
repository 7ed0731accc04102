//! C to GOTO, with the C library's operational models (written in C, embedded).

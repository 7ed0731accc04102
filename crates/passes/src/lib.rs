//! The pass manager and one GOTO-to-GOTO transformation per file.

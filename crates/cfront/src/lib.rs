//! C: lexer, parser, AST with exact spans, name resolution, types, constant evaluation, C printer, span-based source edits.

//! Files, spans, line markers, line index, diagnostics with stable codes.
